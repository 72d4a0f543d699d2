//! Bones of a template: where bone shows right under the skin, by joint role.

use super::{Bone, Template, TemplateError};
use crate::Role;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// One bone, or a pair of them, that lies right under the skin and its fat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoneTemplate {
    /// Unique in the template; `.l` and `.r` are added to a pair.
    pub name: String,
    /// Whether there is one on each side; a single one is described as if it were the left one.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub mirrored: bool,
    /// Where it begins.
    pub from: BonePlace,
    /// Where it ends; without it the bone is a knob.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<BonePlace>,
    /// Half its thickness where it begins, as a share of the way from the bone's axis to the skin.
    pub size: f32,
    /// The same where it ends; without it as where it begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_size: Option<f32>,
    /// Width over thickness: 1 is round, more is a plate that lies along the skin.
    #[serde(default = "round", skip_serializing_if = "is_round")]
    pub width: f32,
    /// The joint that moves it, when that is not the one it begins on: the shoulder blade lies on the ribs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried_by: Option<Role>,
}

/// A place under the skin, in bone coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BonePlace {
    /// The bone it is measured on.
    pub bone: Bone,
    /// Along the bone: 0 at its joint, 1 at the next; may go a little beyond.
    pub t: f32,
    /// Degrees about the bone, as in [`Spot::angle`](super::Spot::angle).
    pub angle: f32,
}

fn yes() -> bool {
    true
}
fn is_true(value: &bool) -> bool {
    *value
}
fn round() -> f32 {
    1.0
}
fn is_round(width: &f32) -> bool {
    *width == round()
}

impl BoneTemplate {
    /// Its numbers with their legal ranges.
    fn numbers(&self) -> Vec<(&'static str, f32, [f32; 2])> {
        let mut numbers = vec![("size", self.size, [0.01, 1.0]), ("width", self.width, [1.0, 20.0])];
        numbers.extend(self.end_size.map(|size| ("end_size", size, [0.01, 1.0])));
        for (place, names) in [(Some(self.from), ["from.t", "from.angle"]), (self.to, ["to.t", "to.angle"])] {
            let place = place.into_iter();
            numbers.extend(place.flat_map(|p| [(names[0], p.t, [-1.0, 2.0]), (names[1], p.angle, [-360.0, 360.0])]));
        }
        numbers
    }
}

impl Template {
    /// Refuse bones that no body can have.
    pub(crate) fn check_bones(&self) -> Result<(), TemplateError> {
        let mut names = BTreeSet::new();
        for bone in &self.bones {
            if !names.insert(bone.name.as_str()) {
                return Err(TemplateError::BoneTwice { bone: bone.name.clone() });
            }
            for (field, value, [low, high]) in bone.numbers() {
                if !(low..=high).contains(&value) {
                    let (bone, range) = (bone.name.clone(), format!("{low} ..= {high}"));
                    return Err(TemplateError::BoneRange { bone, field, value, range });
                }
            }
        }
        Ok(())
    }
}
