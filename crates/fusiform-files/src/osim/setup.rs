//! OpenSim's set-up files that go with a trial: what inverse kinematics follows, and what pushes from outside.
//!
//! ```text
//! bytes --read_ik----> IkSetup (weights of markers, held coordinates)      --bind to a model, marker names--> Tracking
//! bytes --read_loads-> ExternalLoads (bodies, names of columns, data file) --bind to a system, a table------> Load ...
//! ```
//!
//! Both name other files and columns of other files. Reading checks the set-up alone; binding checks it against those.

mod ik;
mod loads;
#[cfg(test)]
mod tests;

pub use ik::{CoordinateTask, IkSetup, MarkerTask, Target, Tracking, read_ik};
pub use loads::{ExternalLoad, ExternalLoads, read_loads};

use super::xml::Element;
use crate::FileError;

/// The element of that kind: the whole document, or the first in it.
fn tool<'a>(document: Element<'a>, kinds: &[&str], cure: &str) -> Result<Element<'a>, FileError> {
    let mut whole = std::iter::once(document).chain(document.children());
    whole.find(|element| kinds.contains(&element.kind())).ok_or_else(|| {
        let error = document.error(format!("there is no <{}> in it", kinds[0]));
        error.cure(cure)
    })
}

/// The last step of a component's path, or the name that it is.
fn last_step(written: &str) -> &str {
    written.rsplit('/').next().unwrap_or(written)
}

/// The name of another file that an element tells; OpenSim writes Unassigned for none.
fn other_file(element: &Element, tag: &str) -> Option<String> {
    element.text(tag).filter(|text| !text.eq_ignore_ascii_case("unassigned")).map(str::to_owned)
}
