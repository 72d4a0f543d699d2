//! Helper joints of ours: nodes under a file's joints, in its skins and clips.

use super::accessor::Source;
use super::edit::{F32, push};
use super::scene::typed;
use super::skin::inverse_binds;
use super::{Gltf, Origin};
use crate::FileError;
use fusiform::{Skeleton, SparseWeights};
use glam::{DAffine3, DMat4, DVec3, Mat4, Quat, Vec3};
use serde_json::{Value, json};

/// Joints to be added, whom they move, and how clips move them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HelperJoints {
    /// n_helper: the character's joint it hangs on.
    pub parents: Vec<u16>,
    /// n_helper: where it rests, in its parent's space, metres; it is not turned there.
    pub rest: Vec<Vec3>,
    /// For each mesh of the character: weights to its joints, and from number n_joint on to the helpers.
    pub weights: Vec<SparseWeights>,
    /// How clips move them.
    pub tracks: Vec<HelperTrack>,
}

/// How one clip moves all helpers.
#[derive(Clone, Debug, PartialEq)]
pub struct HelperTrack {
    /// Index of the clip, and so of the file's animation.
    pub clip: usize,
    /// Seconds, ascending.
    pub times: Vec<f32>,
    /// n_key x n_helper: turned so, in the parent's space.
    pub turns: Vec<Quat>,
    /// n_key x n_helper: placed there, in the parent's space, metres.
    pub places: Vec<Vec3>,
}

impl Gltf {
    /// Add these joints to a file. `influences` is how many a vertex may have: 4 or 8.
    ///
    /// # Errors
    /// When a skin of the file cannot be read.
    pub fn add_helper_joints(
        &mut self,
        origin: &Origin,
        skeleton: &Skeleton,
        helpers: &HelperJoints,
        influences: usize,
    ) -> Result<(), FileError> {
        let nodes = self.helper_nodes(origin, helpers);
        let mut origin = origin.clone();
        let mut skins: Vec<usize> = Vec::new();
        for part in &mut origin.parts {
            part.joints.extend((0..nodes.len()).map(|h| (skeleton.joints.len() + h) as u16));
            if skins.contains(&part.skin) {
                continue;
            }
            skins.push(part.skin);
            let model_from_mesh = part.primitives.first().map_or(DAffine3::IDENTITY, |p| p.model_from_mesh);
            let units = DAffine3::from_scale(DVec3::splat(origin.units.metres().recip()));
            let inverse = |h: usize| {
                let parent = Mat4::from(skeleton.joints[usize::from(helpers.parents[h])].bind).as_dmat4();
                let bind = parent * DMat4::from_translation(helpers.rest[h].as_dvec3());
                units * DAffine3::from_mat4(bind.inverse()) * model_from_mesh
            };
            let inverse: Vec<DAffine3> = (0..nodes.len()).map(inverse).collect();
            self.join_skin(part.skin, &nodes, &inverse)?;
        }
        self.set_joint_weights(&origin, &helpers.weights, influences.div_ceil(4));
        for track in &helpers.tracks {
            self.animate_helpers(track, &nodes, origin.units.metres().recip() as f32);
        }
        Ok(())
    }

    fn helper_nodes(&mut self, origin: &Origin, helpers: &HelperJoints) -> Vec<usize> {
        let per_metre = origin.units.metres().recip() as f32;
        let mut nodes = Vec::with_capacity(helpers.parents.len());
        for (h, (&parent, rest)) in helpers.parents.iter().zip(&helpers.rest).enumerate() {
            let node = json!({ "name": format!("muscle_helper_{h}"), "translation": (*rest * per_metre).to_array() });
            let node = push(self.list("nodes"), node);
            let parent = &mut self.json["nodes"][origin.node_of_joint[usize::from(parent)]];
            match parent["children"].as_array_mut() {
                Some(children) => children.push(json!(node)),
                None => parent["children"] = json!([node]),
            }
            nodes.push(node);
        }
        nodes
    }

    fn join_skin(&mut self, skin: usize, nodes: &[usize], inverse: &[DAffine3]) -> Result<(), FileError> {
        let root = typed(&self.json)?;
        let before = inverse_binds(&Source::new(&root, &self.bytes), skin)?;
        let single = |m: &DAffine3| DMat4::from(*m).to_cols_array().map(|x| x as f32);
        let all: Vec<[f32; 16]> = before.iter().chain(inverse).map(single).collect();
        let accessor = self.append_accessor(&all, F32, "MAT4", None);
        self.json["skins"][skin]["inverseBindMatrices"] = json!(accessor);
        if let Some(joints) = self.json["skins"][skin]["joints"].as_array_mut() {
            joints.extend(nodes.iter().map(|node| json!(node)));
        }
        Ok(())
    }

    fn animate_helpers(&mut self, track: &HelperTrack, nodes: &[usize], per_metre: f32) {
        let input = self.append_times(&track.times);
        for (h, &node) in nodes.iter().enumerate() {
            let turns: Vec<[f32; 4]> = track.turns.iter().skip(h).step_by(nodes.len()).map(Quat::to_array).collect();
            let places: Vec<Vec3> =
                track.places.iter().skip(h).step_by(nodes.len()).map(|place| *place * per_metre).collect();
            let outputs = [
                ("rotation", self.append_accessor(&turns, F32, "VEC4", None)),
                ("translation", self.append_accessor(&places, F32, "VEC3", None)),
            ];
            for (path, output) in outputs {
                let animation = &mut self.json["animations"][track.clip];
                let sampler = json!({ "input": input, "output": output, "interpolation": "LINEAR" });
                let sampler = animation["samplers"].as_array_mut().map(|samplers| push(samplers, sampler));
                if let (Some(sampler), Value::Array(channels)) = (sampler, &mut animation["channels"]) {
                    channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
                }
            }
        }
    }
}
