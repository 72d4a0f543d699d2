//! Panels: what people see and touch. They read the session and make actions; they change nothing themselves.

mod as_baked;
mod attachments;
mod bake;
pub mod brush;
mod chooser;
mod curves;
mod fit;
mod gif;
mod hints;
mod icons;
mod inspector;
pub mod keys;
mod muscles;
mod out_menu;
mod over;
mod picture;
mod place;
mod rows;
mod timeline;
pub mod toolbar;
mod tools;
mod viewport;

pub use brush::BrushPanel;
pub use chooser::{Choice, Chooser};
pub use curves::Curves;
pub use fit::FitPanel;
pub use hints::Hints;
pub use inspector::Inspector;
pub use muscles::Muscles;
pub use out_menu::Out;
pub use over::Over;
pub use timeline::show as show_timeline;
pub use tools::{Tools, chosen_bone};
pub use viewport::{Mouse, Viewport};
