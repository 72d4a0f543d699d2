//! Fitting: how the muscles were fitted to the skin, kept with them for fitting them again.

use fusiform_files::gltf::Gltf;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const EXTENSION: &str = "FUSIFORM_musculature";
/// Fat thicker than this is a slip of the pen, metres.
const THICKEST: f32 = 1.0;

/// What was chosen when the muscles were fitted, and is in no muscle. Notes beside the muscles in the file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Fitting {
    /// Thickness of skin and fat over the muscles, m; by the body's height where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fat: Option<f32>,
    /// Partition planes that were turned: how far, degrees, by the bone's name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub turned: BTreeMap<String, f32>,
}

impl Fitting {
    /// What a file says of it; what cannot be meant is left out, and told.
    #[must_use]
    pub fn read(gltf: &Gltf, warnings: &mut Vec<String>) -> Self {
        let notes = &gltf.json["extensions"][EXTENSION]["extras"]["fitting"];
        if notes.is_null() {
            return Self::default();
        }
        let Ok(mut read) = Self::deserialize(notes) else {
            warnings.push("how its muscles were fitted is not readable: planes lie as they are found".into());
            return Self::default();
        };
        read.fat = read.fat.filter(|fat| (0.0..=THICKEST).contains(fat));
        read.turned.retain(|_, degrees| degrees.abs() <= 180.0);
        read
    }

    /// Put it beside the muscles of a file that has some.
    pub fn write(&self, gltf: &mut Gltf) {
        let extension = gltf.json.get_mut("extensions").and_then(|extensions| extensions.get_mut(EXTENSION));
        if let Some(muscles) = extension.filter(|muscles| muscles.is_object() && *self != Self::default()) {
            let notes = &mut muscles["extras"];
            if !notes.is_object() {
                *notes = Value::Object(serde_json::Map::new());
            }
            notes["fitting"] = json!(self);
        }
    }
}
