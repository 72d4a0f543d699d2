//! Morph targets of ours and the weights that animate them, appended to a file's meshes.
//!
//! They come after the targets a mesh already has, whose weights keep their keys.

use super::accessor::Source;
use super::edit::{F32, push};
use super::scene::typed;
use super::track::{WeightTrack, weight_track};
use super::{Gltf, Origin, Part};
use crate::FileError;
use glam::{DMat3, Vec3};
use serde_json::{Value, json};
use std::ops::Range;

/// Targets for one part of a scene and how its clips weigh them.
#[derive(Clone, Debug, PartialEq)]
pub struct PartMorphs {
    /// Which part.
    pub part: usize,
    /// How many targets.
    pub n_target: usize,
    /// n_target x n_vertex displacements, metres, model space at bind; the part's primitives one after the other.
    pub positions: Vec<Vec3>,
    /// Likewise of normals; or empty.
    pub normals: Vec<Vec3>,
    /// For each clip that moves them: its index, and its n_target weights a key.
    pub tracks: Vec<(usize, WeightTrack)>,
}

impl PartMorphs {
    fn n_vertex(&self) -> usize {
        self.positions.len() / self.n_target.max(1)
    }
}

impl Gltf {
    /// Give every part a mesh of its own: where two nodes show one mesh, the second gets a copy.
    pub fn separate_meshes(&mut self, origin: &mut Origin) {
        self.separate(origin, |_, _| true);
    }

    /// The same only where two parts that share a mesh differ in what is written into it.
    pub(super) fn separate(&mut self, origin: &mut Origin, differ: impl Fn(&Part, &Part) -> bool) {
        for part in 1..origin.parts.len() {
            let own = &origin.parts[part];
            let (node, mesh) = (own.node, own.mesh);
            if origin.parts[..part].iter().any(|other| other.mesh == mesh && differ(other, own)) {
                let copy = self.json["meshes"][mesh].clone();
                origin.parts[part].mesh = push(self.list("meshes"), copy);
                self.json["nodes"][node]["mesh"] = json!(origin.parts[part].mesh);
            }
        }
    }

    /// Append these targets and their animation to a part that has a mesh of its own.
    ///
    /// # Errors
    /// When the file's own morph animation, which ours is joined with, cannot be read.
    pub fn add_morphs(&mut self, origin: &Origin, morphs: &PartMorphs) -> Result<(), FileError> {
        let part = &origin.parts[morphs.part];
        let primitives = self.json["meshes"][part.mesh]["primitives"].as_array().map_or(0, Vec::len);
        let before = self.targets(part.mesh, 0).len();
        let mut first = 0;
        for index in 0..primitives {
            let ours = part.primitives.iter().find(|primitive| primitive.index == index);
            let n_vertex = ours.map_or(0, |primitive| primitive.n_vertex);
            let mut targets = self.targets(part.mesh, index);
            for k in 0..morphs.n_target {
                let rows = k * morphs.n_vertex() + first..k * morphs.n_vertex() + first + n_vertex;
                let to_mesh = ours.map(|primitive| primitive.model_from_mesh.matrix3.inverse());
                let target = self.target((part.mesh, index), to_mesh, morphs, rows)?;
                targets.push(target);
            }
            self.json["meshes"][part.mesh]["primitives"][index]["targets"] = Value::Array(targets);
            first += n_vertex;
        }
        self.name_targets(part.mesh, before, morphs.n_target);
        self.rest_weights(part.mesh, part.node, before, morphs.n_target);
        self.animate(part, before, morphs)
    }

    fn targets(&self, mesh: usize, primitive: usize) -> Vec<Value> {
        self.json["meshes"][mesh]["primitives"][primitive]["targets"].as_array().cloned().unwrap_or_default()
    }

    /// One target of one primitive. All targets of a primitive have the same attributes, or players mix them up: those
    /// that ours have nothing to say about get zeros.
    fn target(
        &mut self,
        (mesh, primitive): (usize, usize),
        to_mesh: Option<DMat3>,
        morphs: &PartMorphs,
        rows: Range<usize>,
    ) -> Result<Value, FileError> {
        let attributes = self.json["meshes"][mesh]["primitives"][primitive]["attributes"].clone();
        let earlier = self.targets(mesh, primitive).first().and_then(|target| target.as_object().cloned());
        let mut names: Vec<String> = vec!["POSITION".into()];
        match earlier {
            Some(earlier) => names.extend(earlier.keys().filter(|name| *name != "POSITION").cloned()),
            None if attributes.get("NORMAL").is_some() && !morphs.normals.is_empty() => names.push("NORMAL".into()),
            None => {}
        }
        let mut target = json!({});
        for name in names {
            let accessor = match (name.as_str(), to_mesh) {
                ("POSITION", Some(to_mesh)) => {
                    let deltas = carried(&morphs.positions[rows.clone()], to_mesh);
                    self.append_deltas(&deltas, true)
                }
                ("NORMAL", Some(to_mesh)) if !morphs.normals.is_empty() => {
                    // directions turn with the mesh's space, but do not grow with its units
                    let turn = to_mesh * to_mesh.determinant().abs().cbrt().recip();
                    let deltas = carried(&morphs.normals[rows.clone()], turn);
                    self.append_deltas(&deltas, false)
                }
                _ => self.append_zeros(&attributes, &name)?,
            };
            target[name] = json!(accessor);
        }
        Ok(target)
    }

    /// An accessor without bytes is all zeros.
    fn append_zeros(&mut self, attributes: &Value, name: &str) -> Result<usize, FileError> {
        let base = attributes["POSITION"].as_u64().unwrap_or(u64::MAX) as usize;
        let count = self.json["accessors"][base]["count"].clone();
        if !count.is_u64() {
            return Err(FileError::new("meshes", "a primitive with morph targets has no positions"));
        }
        let kind = if name.starts_with("TEXCOORD") { "VEC2" } else { "VEC3" };
        let mut accessor = json!({ "componentType": F32, "count": count, "type": kind });
        if name == "POSITION" {
            accessor["min"] = json!([0.0, 0.0, 0.0]);
            accessor["max"] = json!([0.0, 0.0, 0.0]);
        }
        Ok(push(self.list("accessors"), accessor))
    }

    /// What people and programs see of the targets in lists.
    fn name_targets(&mut self, mesh: usize, before: usize, more: usize) {
        let extras = &mut self.json["meshes"][mesh]["extras"];
        if !extras.is_object() && !extras.is_null() {
            return;
        }
        let mut names = extras["targetNames"].as_array().cloned().unwrap_or_default();
        names.truncate(before);
        (names.len()..before).for_each(|i| names.push(json!(format!("target_{i}"))));
        names.extend((0..more).map(|k| json!(format!("muscles_{k}"))));
        extras["targetNames"] = Value::Array(names);
    }

    /// At rest ours weigh nothing; lists of weights must be as long as that of targets.
    fn rest_weights(&mut self, mesh: usize, node: usize, before: usize, more: usize) {
        for owner in [("meshes", mesh), ("nodes", node)] {
            let holder = &mut self.json[owner.0][owner.1];
            if owner.0 == "nodes" && holder.get("weights").is_none() {
                continue;
            }
            let mut weights = holder["weights"].as_array().cloned().unwrap_or_default();
            weights.resize(before, json!(0.0));
            weights.resize(before + more, json!(0.0));
            holder["weights"] = Value::Array(weights);
        }
    }

    /// Weights over time: in our clips all targets', in the others the earlier ones' with zeros for ours.
    fn animate(&mut self, part: &Part, before: usize, morphs: &PartMorphs) -> Result<(), FileError> {
        let root = typed(&self.json)?;
        let of_node = root.nodes[part.node].weights.as_ref();
        let mut rest = of_node.or(root.meshes[part.mesh].weights.as_ref()).cloned().unwrap_or_default();
        rest.resize(before, 0.0);
        for clip in 0..root.animations.len() {
            let ours = morphs.tracks.iter().find(|(of, _)| *of == clip).map(|(_, track)| track);
            let earlier = weight_track(&Source::new(&root, &self.bytes), clip, part.node, before)?;
            let track = match (ours, &earlier) {
                (None, None) => continue,
                (Some(ours), None) => ours.beside_rest(&rest),
                (ours, Some((_, earlier))) => earlier.beside(ours, morphs.n_target),
            };
            let input = self.append_times(&track.times);
            let output = self.append_accessor(&track.weights, F32, "SCALAR", None);
            let sampler = json!({ "input": input, "output": output, "interpolation": track.interpolation_name() });
            let animation = &mut self.json["animations"][clip];
            let sampler = match animation["samplers"].as_array_mut() {
                Some(samplers) => push(samplers, sampler),
                None => continue,
            };
            match earlier {
                Some((channel, _)) => animation["channels"][channel]["sampler"] = json!(sampler),
                None => {
                    let channel = json!({ "sampler": sampler, "target": { "node": part.node, "path": "weights" } });
                    if let Some(channels) = animation["channels"].as_array_mut() {
                        channels.push(channel);
                    }
                }
            }
        }
        Ok(())
    }
}

fn carried(deltas: &[Vec3], to_mesh: DMat3) -> Vec<Vec3> {
    deltas.iter().map(|delta| (to_mesh * delta.as_dvec3()).as_vec3()).collect()
}
