//! Panels: what people see and touch. They read the session and make actions; they change nothing themselves.

mod inspector;
mod muscles;
mod timeline;
mod viewport;

pub use inspector::Inspector;
pub use muscles::Muscles;
pub use timeline::show as show_timeline;
pub use viewport::{Mouse, Viewport};
