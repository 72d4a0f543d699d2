//! A character that came from no file, as one: nodes, meshes, one skin, animations.

use super::edit::{ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, F32, U16, U32, push};
use super::{Gltf, Units};
use fusiform::character::{Interpolation, Keys, Track};
use fusiform::{Character, Clip, Joint, Mesh};
use glam::{Mat4, Quat, Vec3};
use serde_json::{Value, json};

impl Gltf {
    /// A file that holds this character: joints, skinned meshes, clips. Metres.
    #[must_use]
    pub fn from_character(character: &Character) -> Self {
        let mut file = Self { json: json!({ "asset": asset(), "scene": 0 }), bytes: Vec::new() };
        let joints = &character.skeleton.joints;
        let mut roots: Vec<usize> = (0..joints.len()).filter(|&j| joints[j].parent.is_none()).collect();
        roots.extend((0..character.meshes.len()).map(|m| joints.len() + m));
        file.json["scenes"] = json!([{ "name": character.name, "nodes": roots }]);
        for (j, joint) in joints.iter().enumerate() {
            let children: Vec<usize> = (0..joints.len()).filter(|&child| joints[child].parent == Some(j)).collect();
            file.list("nodes").push(node(joint, &children));
        }
        let inverse: Vec<Mat4> = joints.iter().map(|joint| Mat4::from(joint.bind.inverse())).collect();
        let inverse = file.append_accessor(&inverse, F32, "MAT4", None);
        let all: Vec<usize> = (0..joints.len()).collect();
        file.list("skins").push(json!({ "inverseBindMatrices": inverse, "joints": all }));
        for (m, mesh) in character.meshes.iter().enumerate() {
            let primitive = file.primitive(mesh);
            file.list("meshes").push(json!({ "name": mesh.name, "primitives": [primitive] }));
            file.list("nodes").push(json!({ "name": mesh.name, "mesh": m, "skin": 0 }));
        }
        for clip in character.clips.iter().filter(|clip| !clip.channels.is_empty()) {
            file.append_clip(clip, &all, Units::Metres);
        }
        file
    }

    /// Append a clip as an animation of a file in those units; returns its index. `node_of_joint` says which nodes its
    /// joints are.
    pub fn append_clip(&mut self, clip: &Clip, node_of_joint: &[usize], units: Units) -> usize {
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        // most channels of a clip have the same times: they are written once
        let mut times_of: Vec<(&[f32], usize)> = Vec::new();
        for channel in &clip.channels {
            let times = channel.keys.times();
            if times.is_empty() {
                continue;
            }
            let known = times_of.iter().find(|(known, _)| *known == times).map(|&(_, accessor)| accessor);
            let input = known.unwrap_or_else(|| {
                let accessor = self.append_times(times);
                times_of.push((times, accessor));
                accessor
            });
            let (path, interpolation, output) = self.append_keys(&channel.keys, units);
            let sampler = json!({ "input": input, "output": output, "interpolation": interpolation });
            let sampler = push(&mut samplers, sampler);
            let target = json!({ "node": node_of_joint[channel.joint], "path": path });
            channels.push(json!({ "sampler": sampler, "target": target }));
        }
        let animation = json!({ "name": clip.name, "channels": channels, "samplers": samplers });
        push(self.list("animations"), animation)
    }

    fn append_keys(&mut self, keys: &Keys, units: Units) -> (&'static str, &'static str, usize) {
        fn name<T>(track: &Track<T>) -> &'static str {
            match track.interpolation {
                Interpolation::Step => "STEP",
                Interpolation::Linear => "LINEAR",
                Interpolation::Cubic => "CUBICSPLINE",
            }
        }
        match keys {
            Keys::Translation(track) => {
                let per_metre = units.metres().recip() as f32;
                let values: Vec<Vec3> = track.values.iter().map(|value| *value * per_metre).collect();
                ("translation", name(track), self.append_accessor(&values, F32, "VEC3", None))
            }
            Keys::Scale(track) => ("scale", name(track), self.append_accessor(&track.values, F32, "VEC3", None)),
            Keys::Rotation(track) => {
                let values: Vec<[f32; 4]> = track.values.iter().map(Quat::to_array).collect();
                ("rotation", name(track), self.append_accessor(&values, F32, "VEC4", None))
            }
        }
    }

    fn primitive(&mut self, mesh: &Mesh) -> Value {
        let positions = self.append_accessor(&mesh.positions, F32, "VEC3", Some(ARRAY_BUFFER));
        self.set_bounds(positions, &mesh.positions);
        let mut attributes = json!({ "POSITION": positions });
        if !mesh.normals.is_empty() {
            attributes["NORMAL"] = json!(self.append_accessor(&mesh.normals, F32, "VEC3", Some(ARRAY_BUFFER)));
        }
        let most = (0..mesh.weights.len()).map(|v| mesh.weights.of(v).count()).max().unwrap_or(0);
        for set in 0..most.div_ceil(4).max(1) {
            let (index, weight) = mesh.weights.set_of_four(set);
            let accessors = [
                self.append_accessor(&index, U16, "VEC4", Some(ARRAY_BUFFER)),
                self.append_accessor(&weight, F32, "VEC4", Some(ARRAY_BUFFER)),
            ];
            attributes[format!("JOINTS_{set}")] = json!(accessors[0]);
            attributes[format!("WEIGHTS_{set}")] = json!(accessors[1]);
        }
        let corners: Vec<u32> = mesh.triangles.iter().flatten().copied().collect();
        let indices = if mesh.positions.len() < usize::from(u16::MAX) {
            let short: Vec<u16> = corners.iter().map(|&corner| corner as u16).collect();
            self.append_accessor(&short, U16, "SCALAR", Some(ELEMENT_ARRAY_BUFFER))
        } else {
            self.append_accessor(&corners, U32, "SCALAR", Some(ELEMENT_ARRAY_BUFFER))
        };
        json!({ "attributes": attributes, "indices": indices, "mode": 4 })
    }
}

fn asset() -> Value {
    json!({ "version": "2.0", "generator": concat!("fusiform ", env!("CARGO_PKG_VERSION")) })
}

fn node(joint: &Joint, children: &[usize]) -> Value {
    let mut node = json!({
        "name": joint.name,
        "translation": joint.rest.translation.to_array(),
        "rotation": joint.rest.rotation.to_array(),
    });
    if joint.rest.scale != Vec3::ONE {
        node["scale"] = json!(joint.rest.scale.to_array());
    }
    if !children.is_empty() {
        node["children"] = json!(children);
    }
    node
}
