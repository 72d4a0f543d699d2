//! The shape of a document: lists where lists must be, objects in them. What edits it counts on that.

use crate::FileError;
use serde_json::Value;

/// Lists of objects at the root, and the lists of objects in each of their elements.
const LISTS: [(&str, &[&str]); 8] = [
    ("accessors", &[]),
    ("animations", &["channels", "samplers"]),
    ("buffers", &[]),
    ("bufferViews", &[]),
    ("images", &[]),
    ("meshes", &["primitives"]),
    ("nodes", &[]),
    ("skins", &[]),
];

/// Check the lists that have a meaning here, and the root's extensions.
pub(crate) fn check(json: &Value) -> Result<(), FileError> {
    if json.get("extensions").is_some_and(|extensions| !extensions.is_object()) {
        return Err(FileError::new("extensions", "it is not an object"));
    }
    for (name, inner) in LISTS {
        for (i, element) in objects(json, name, "")?.iter().enumerate() {
            for inner in inner {
                objects(element, inner, &format!("{name}[{i}]."))?;
            }
        }
    }
    Ok(())
}

/// A list of objects in a value; empty where there is none.
fn objects<'a>(value: &'a Value, name: &str, place: &str) -> Result<&'a [Value], FileError> {
    let Some(value) = value.get(name) else { return Ok(&[]) };
    let list = value.as_array().ok_or_else(|| FileError::new(format!("{place}{name}"), "it is not a list"))?;
    match list.iter().position(|element| !element.is_object()) {
        Some(i) => Err(FileError::new(format!("{place}{name}[{i}]"), "it is not an object")),
        None => Ok(list),
    }
}
