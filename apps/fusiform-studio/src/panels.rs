//! Panels: what people see and touch. They read the session and make actions; they change nothing themselves.

mod attachments;
pub mod bars;
mod chooser;
pub mod file_menu;
mod hints;
mod inspector;
pub mod keys;
mod muscles;
mod over;
mod question;
pub mod start;
mod timeline;
pub mod toolbar;
mod tools;
mod viewport;

pub use chooser::{Choice, Chooser};
pub use file_menu::Wish;
pub use hints::Hints;
pub use inspector::Inspector;
pub use muscles::Muscles;
pub use over::Over;
pub use question::Question;
pub use timeline::show as show_timeline;
pub use tools::Tools;
pub use viewport::{Mouse, Viewport};
