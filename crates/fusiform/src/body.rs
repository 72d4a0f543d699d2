//! The frame.
mod check;
mod contract;
mod error;
mod frame;
mod lanes;
mod muscles;
mod path;
mod spring;

pub use error::BindError;
pub use lanes::Instructions;
pub use muscles::{RestBelly, RestSection, rest_bellies};
