//! Fitting: how the muscles were fitted to the skin, kept with them for fitting them again.

use super::{every_role, written_role};
use fusiform::Character;
use fusiform_files::gltf::Gltf;
use fusiform_fit::Preset;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const EXTENSION: &str = "FUSIFORM_musculature";
/// Fat thicker than this is a slip of the pen, metres.
const THICKEST: f32 = 1.0;

/// What people say of a body before it is fitted, in names that mean the same when the file is opened again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Wanted {
    /// Thickness of skin and fat over the muscles, m; by the body's height where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fat: Option<f32>,
    /// Joints that somebody gave a role, by name: `upper_arm.l` and the joint, or none where no joint plays it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub roles: BTreeMap<String, Option<String>>,
    /// The mesh that somebody said is the body, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

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
    /// Joints that somebody gave a role, by name: `upper_arm.l` and the joint, or none where no joint plays it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub roles: BTreeMap<String, Option<String>>,
    /// The mesh that somebody said is the body, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The template they were placed by: humanoid, pairs or a file of that name beside this one; as the joints are known where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// Whose muscles they were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// What was chosen since, for the next fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Wanted>,
}

impl Fitting {
    /// What the next fit is told: what was chosen for it, or what the last one was.
    #[must_use]
    pub fn wanted(&self) -> Wanted {
        self.next.clone().unwrap_or_else(|| self.last())
    }

    /// The next fit is told this.
    pub fn want(&mut self, wanted: Wanted) {
        self.next = (wanted != self.last()).then_some(wanted);
    }

    /// Whether a body was fitted in the same way: whose muscles it was given aside.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        self.last() == other.last() && self.turned == other.turned
    }

    /// What the last fit was told.
    fn last(&self) -> Wanted {
        let Self { fat, roles, body, .. } = self;
        Wanted { fat: *fat, roles: roles.clone(), body: body.clone() }
    }

    /// What a file says of it; what cannot be meant is left out, and told.
    #[must_use]
    pub fn read(gltf: &Gltf, character: &Character, warnings: &mut Vec<String>) -> Self {
        let notes = &gltf.json["extensions"][EXTENSION]["extras"]["fitting"];
        if notes.is_null() {
            return Self::default();
        }
        let Ok(mut read) = Self::deserialize(notes) else {
            warnings.push("how its muscles were fitted is not readable: planes lie as they are found".into());
            return Self::default();
        };
        read.mend(character, warnings);
        read
    }

    /// Leave out what cannot be meant of this character, and tell it.
    fn mend(&mut self, character: &Character, warnings: &mut Vec<String>) {
        let mut last = self.last();
        last.mend(character, warnings);
        (self.fat, self.roles, self.body) = (last.fat, last.roles, last.body);
        self.next.iter_mut().for_each(|next| next.mend(character, warnings));
        self.turned.retain(|bone, degrees| {
            degrees.abs() <= 180.0
                || left_out(warnings, &format!("the plane of {bone} at {degrees}° is not between -180° and 180°"))
        });
        self.preset.take_if(|name| {
            Preset::named(name).is_none() && !left_out(warnings, &format!("there is no preset {name}"))
        });
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

impl Wanted {
    /// Whether its numbers are such as a hand can mean.
    #[must_use]
    pub fn is_meant(&self) -> bool {
        self.fat.is_none_or(|fat| (0.0..=THICKEST).contains(&fat))
    }

    fn mend(&mut self, character: &Character, warnings: &mut Vec<String>) {
        self.fat.take_if(|fat| {
            !(0.0..=THICKEST).contains(fat)
                && !left_out(warnings, &format!("fat of {fat} m is not between 0 and {THICKEST} m"))
        });
        self.roles.retain(|role, joint| {
            let has = joint.as_deref().is_none_or(|name| character.skeleton.find(name).is_some());
            let is_role = every_role().any(|(of, side)| written_role(of, side) == *role);
            let what = || format!("the role {role} is none, or names a joint that is not there");
            (has && is_role) || left_out(warnings, &what())
        });
        self.body.take_if(|name| {
            let has = character.meshes.iter().any(|mesh| mesh.name == *name);
            !has && !left_out(warnings, &format!("the body is the mesh {name}, which is not there"))
        });
    }
}

/// Tell what is left out; it is never kept.
fn left_out(warnings: &mut Vec<String>, what: &str) -> bool {
    warnings.push(format!("how its muscles were fitted: {what}, and is left out"));
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::{Joint, Skeleton};

    #[test]
    fn what_cannot_be_meant_is_left_out_and_told() {
        let json = json!({ "extensions": { EXTENSION: { "extras": { "fitting": {
            "fat": 7.0,
            "turned": { "arm": 30.0, "leg": 500.0 },
            "roles": { "hips": "root", "chest": null, "head": "nobody", "tail.l": "root" },
            "body": "shirt",
            "preset": "nobody",
            "next": { "fat": -1.0, "roles": { "hips": null } },
        } } } } });
        let gltf = Gltf::read(json!({ "asset": { "version": "2.0" } }).to_string().as_bytes(), |_| Err("alone".into()));
        let mut gltf = gltf.unwrap();
        gltf.json["extensions"] = json["extensions"].clone();
        let (rest, bind) = (fusiform::Transform::default(), glam::Affine3A::IDENTITY);
        let skeleton = Skeleton { joints: vec![Joint { name: "root".into(), parent: None, rest, bind }] };
        let (character, mut warnings) = (Character { skeleton, ..Character::default() }, Vec::new());
        let read = Fitting::read(&gltf, &character, &mut warnings);
        let roles = [("hips".into(), Some("root".into())), ("chest".into(), None)];
        let next = Some(Wanted { roles: [("hips".into(), None)].into(), ..Wanted::default() });
        let meant = Fitting { turned: [("arm".into(), 30.0)].into(), roles: roles.into(), next, ..Fitting::default() };
        assert_eq!(read, meant);
        assert_eq!(warnings.len(), 7, "{warnings:?}");
    }
}
