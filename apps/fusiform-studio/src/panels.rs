//! Panels: what people see and touch. They read the session and make actions; they change nothing themselves.

mod curves;
mod icons;
mod inspector;
mod muscles;
mod over;
mod rows;
mod timeline;
mod tools;
mod viewport;

pub use curves::Curves;
pub use inspector::Inspector;
pub use muscles::Muscles;
pub use over::Over;
pub use timeline::show as show_timeline;
pub use tools::Tools;
pub use viewport::{Mouse, Viewport};
