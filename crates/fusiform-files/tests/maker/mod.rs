//! A small glTF file, made in code, to be bent and broken by tests.

#![allow(dead_code, reason = "every test file uses its own part of it")]

use serde_json::{Value, json};

pub const U8: u32 = 5121;
pub const U16: u32 = 5123;
pub const U32: u32 = 5125;
pub const F32: u32 = 5126;

/// Places of the arm's accessors.
pub const POSITION: usize = 0;
pub const NORMAL: usize = 1;
pub const JOINTS: usize = 2;
pub const WEIGHTS: usize = 3;
pub const INDICES: usize = 4;
pub const IBM: usize = 5;
pub const TIMES: usize = 6;
pub const TURNS: usize = 7;
pub const PLACES: usize = 8;

pub const N_VERTEX: usize = 8;

/// A file that grows.
#[derive(Clone)]
pub struct Maker {
    pub json: Value,
    pub bytes: Vec<u8>,
}

pub fn f32s(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

pub fn u16s(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

pub fn u32s(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

impl Maker {
    /// An arm of three joints, 1.6 m long, with eight vertices and a clip of two keys.
    pub fn arm() -> Self {
        let json = json!({
            "asset": { "version": "2.0" },
            "scene": 0,
            "scenes": [{ "nodes": [0, 3] }],
            "nodes": [
                { "name": "root", "translation": [0.1, 0.2, 0.0], "children": [1] },
                { "name": "upper", "rotation": [0.0, 0.0, 0.6, 0.8], "children": [2] },
                { "name": "lower", "translation": [0.0, 0.8, 0.0], "rotation": [0.28, 0.0, 0.0, 0.96] },
                { "name": "skin", "mesh": 0, "skin": 0 },
            ],
            "skins": [{ "joints": [0, 1, 2], "inverseBindMatrices": IBM }],
            "meshes": [{ "name": "arm", "primitives": [{
                "attributes": { "POSITION": POSITION, "NORMAL": NORMAL, "JOINTS_0": JOINTS, "WEIGHTS_0": WEIGHTS },
                "indices": INDICES,
            }]}],
            "animations": [{ "name": "bend",
                "channels": [
                    { "sampler": 0, "target": { "node": 2, "path": "rotation" } },
                    { "sampler": 1, "target": { "node": 1, "path": "translation" } },
                ],
                "samplers": [{ "input": TIMES, "output": TURNS }, { "input": TIMES, "output": PLACES }],
            }],
            "accessors": [], "bufferViews": [], "buffers": [{ "byteLength": 0 }],
        });
        let mut file = Self { json, bytes: Vec::new() };
        let rows = [0.0_f32, 0.5, 1.1, 1.6];
        let positions: Vec<f32> = rows.iter().flat_map(|&y| [-0.1, y, 0.05, 0.1, y, 0.0]).collect();
        file.accessor(&f32s(&positions), F32, "VEC3");
        file.accessor(&f32s(&[0.0, 0.0, 1.0].repeat(N_VERTEX)), F32, "VEC3");
        let joints =
            [[0, 1, 0, 0], [0, 1, 0, 0], [1, 2, 0, 0], [1, 2, 0, 0], [2, 1, 0, 0], [2, 1, 0, 0], [2; 4], [2; 4]];
        file.accessor(joints.as_flattened(), U8, "VEC4");
        let weights = [0.5_f32, 0.5, 0.0, 0.0, 0.25, 0.75, 0.0, 0.0].repeat(3);
        let ends = [1.0_f32, 0.0, 0.0, 0.0].repeat(2);
        file.accessor(&f32s(&[weights, ends].concat()), F32, "VEC4");
        file.accessor(&u16s(&[0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4, 4, 5, 6, 5, 7, 6]), U16, "SCALAR");
        let at = |y: f32| [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -y, 0.0, 1.0];
        file.accessor(&f32s(&[at(0.0), at(0.1), at(0.8)].concat()), F32, "MAT4");
        file.accessor(&f32s(&[0.0, 1.0]), F32, "SCALAR");
        file.accessor(&f32s(&[0.0, 0.0, 0.0, 1.0, 0.6, 0.0, 0.0, 0.8]), F32, "VEC4");
        file.accessor(&f32s(&[0.0, 0.0, 0.0, 0.0, 0.1, 0.0]), F32, "VEC3");
        file
    }

    /// The arm with two morph targets, the first of them sparse, weighed by its clip.
    pub fn arm_with_morphs() -> Self {
        let mut file = Self::arm();
        let indices = file.view(&u16s(&[1, 6]));
        let values = file.view(&f32s(&[0.1, 0.0, 0.0, 0.0, 0.0, 0.2]));
        let accessors = file.json["accessors"].as_array_mut().unwrap();
        accessors.push(json!({ "componentType": F32, "count": N_VERTEX, "type": "VEC3", "sparse": {
            "count": 2, "indices": { "bufferView": indices, "componentType": U16 }, "values": { "bufferView": values },
        }}));
        let sparse = accessors.len() - 1;
        let dense = file.accessor(&f32s(&[0.01; 3 * N_VERTEX]), F32, "VEC3");
        let weights = file.accessor(&f32s(&[0.0, 1.0, 1.0, 0.0]), F32, "SCALAR");
        file.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": sparse }, { "POSITION": dense }]);
        file.json["meshes"][0]["weights"] = json!([0.5, 0.0]);
        file.push("animations/0/samplers", json!({ "input": TIMES, "output": weights }));
        file.push("animations/0/channels", json!({ "sampler": 2, "target": { "node": 3, "path": "weights" } }));
        file
    }

    /// The arm with one muscle along its lower half.
    pub fn arm_with_muscle() -> Self {
        let mut file = Self::arm();
        let index = file.accessor(&u16s(&[0; 4 * N_VERTEX]), U16, "VEC4");
        let weight = file.accessor(&f32s(&[0.5, 0.0, 0.0, 0.0].repeat(N_VERTEX)), F32, "VEC4");
        file.json["meshes"][0]["primitives"][0]["attributes"]["_MUSCLE_INDEX_0"] = json!(index);
        file.json["meshes"][0]["primitives"][0]["attributes"]["_MUSCLE_WEIGHT_0"] = json!(weight);
        file.json["extensionsUsed"] = json!(["FUSIFORM_musculature"]);
        file.json["extensions"] = json!({ "FUSIFORM_musculature": {
            "version": 1, "metresPerUnit": 1.0, "layers": [{ "kind": "blend", "nearest": 4 }],
            "muscles": [{
                "name": "biceps",
                "origin": { "joint": "upper", "point": [0.0, 0.1, 0.05] },
                "insertion": { "joint": "lower", "point": [0.0, 0.1, 0.05] },
                "profile": { "kind": "sine", "size": 0.02, "taper": 1.0, "aspect": 1.0 },
                "dynamics": { "kind": "spring" },
                "rings": 4, "sectors": 4,
            }],
        }});
        file
    }

    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        self.bytes.extend_from_slice(bytes);
        self.push("bufferViews", view)
    }

    /// An accessor over all of these bytes; returns its place.
    pub fn accessor(&mut self, bytes: &[u8], component: u32, kind: &str) -> usize {
        let width = [("SCALAR", 1), ("VEC2", 2), ("VEC3", 3), ("VEC4", 4), ("MAT4", 16)];
        let width = width.iter().find(|(name, _)| *name == kind).unwrap().1;
        let size = match component {
            5120 | U8 => 1,
            5122 | U16 => 2,
            _ => 4,
        };
        let (view, count) = (self.view(bytes), bytes.len() / (width * size));
        self.push("accessors", json!({ "bufferView": view, "componentType": component, "count": count, "type": kind }))
    }

    /// The same accessor over other bytes.
    pub fn replace(&mut self, accessor: usize, bytes: &[u8], component: u32, kind: &str) {
        self.accessor(bytes, component, kind);
        self.json["accessors"][accessor] = self.json["accessors"].as_array_mut().unwrap().pop().unwrap();
    }

    /// Overwrite one float of an accessor that has a view of its own.
    pub fn set_f32(&mut self, accessor: usize, at: usize, value: f32) {
        let view = self.json["accessors"][accessor]["bufferView"].as_u64().unwrap() as usize;
        let start = self.json["bufferViews"][view]["byteOffset"].as_u64().unwrap() as usize + 4 * at;
        self.bytes[start..start + 4].copy_from_slice(&value.to_le_bytes());
    }

    /// Append to a list, named by the way to it; returns the place.
    pub fn push(&mut self, list: &str, value: Value) -> usize {
        let list = self.json.pointer_mut(&format!("/{list}")).unwrap().as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    }

    /// As a .glb.
    pub fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        if json["buffers"][0]["byteLength"] == 0 {
            json["buffers"][0]["byteLength"] = json!(self.bytes.len());
        }
        glb(json.to_string().as_bytes(), &self.bytes)
    }
}

/// A .glb of that text and those bytes, whatever they say.
pub fn glb(text: &[u8], bytes: &[u8]) -> Vec<u8> {
    let padded = |bytes: &[u8], with: u8| {
        let mut padded = bytes.to_vec();
        padded.resize(bytes.len().next_multiple_of(4), with);
        padded
    };
    let (text, bytes) = (padded(text, b' '), padded(bytes, 0));
    let total = 12 + 8 + text.len() + 8 + bytes.len();
    let mut file = b"glTF".to_vec();
    file.extend([2, total as u32, text.len() as u32, 0x4E4F_534A].iter().flat_map(|word| word.to_le_bytes()));
    file.extend(text);
    file.extend([bytes.len() as u32, 0x004E_4942].iter().flat_map(|word| word.to_le_bytes()));
    file.extend(bytes);
    file
}
