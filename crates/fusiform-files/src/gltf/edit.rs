//! Editing: bytes and accessors of ours, appended to a file.

use super::Gltf;
use super::scene::typed;
use super::schema::Mesh;
use bytemuck::Pod;
use glam::Vec3;
use serde_json::{Map, Value, json};

/// What GPUs do with a view's bytes.
pub(crate) const ARRAY_BUFFER: u32 = 34962;
pub(crate) const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// Types of accessor components.
pub(crate) const U16: u32 = 5123;
pub(crate) const U32: u32 = 5125;
pub(crate) const F32: u32 = 5126;

impl Gltf {
    /// Append bytes at a multiple of four; returns the new view's index.
    pub(crate) fn append_view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.bytes.extend_from_slice(bytes);
        if self.list("buffers").is_empty() {
            // its length is written with the file
            self.list("buffers").push(json!({ "byteLength": 0 }));
        }
        push(self.list("bufferViews"), view)
    }

    /// Append an accessor over numbers of its own; returns its index.
    pub(crate) fn append_accessor<T: Pod>(
        &mut self,
        values: &[T],
        component: u32,
        kind: &str,
        target: Option<u32>,
    ) -> usize {
        let view = self.append_view(bytemuck::cast_slice(values), target);
        push(
            self.list("accessors"),
            json!({ "bufferView": view, "componentType": component, "count": values.len(), "type": kind }),
        )
    }

    /// Append one number a key, with the smallest and largest that the format asks of times.
    pub(crate) fn append_times(&mut self, times: &[f32]) -> usize {
        let accessor = self.append_accessor(times, F32, "SCALAR", None);
        let (low, high) = times.iter().fold((f32::MAX, f32::MIN), |(low, high), &t| (low.min(t), high.max(t)));
        self.json["accessors"][accessor]["min"] = json!([low]);
        self.json["accessors"][accessor]["max"] = json!([high]);
        accessor
    }

    /// Append a vector a vertex, with its bounds; those of zero length are left out where that saves bytes.
    pub(crate) fn append_deltas(&mut self, deltas: &[Vec3], bounds: bool) -> usize {
        let moved: Vec<u32> = (0..deltas.len() as u32).filter(|&v| deltas[v as usize] != Vec3::ZERO).collect();
        let index_size = if deltas.len() > usize::from(u16::MAX) { 4 } else { 2 };
        // an empty sparse accessor is not allowed
        let sparse = !moved.is_empty() && moved.len() * (12 + index_size) + 64 < deltas.len() * 12;
        let accessor = match sparse {
            true => self.append_sparse(deltas, &moved),
            false => self.append_accessor(deltas, F32, "VEC3", Some(ARRAY_BUFFER)),
        };
        if bounds {
            self.set_bounds(accessor, deltas);
        }
        accessor
    }

    /// The smallest and largest corner that the format asks of positions.
    pub(crate) fn set_bounds(&mut self, accessor: usize, points: &[Vec3]) {
        let low = points.iter().copied().reduce(Vec3::min).unwrap_or_default();
        let high = points.iter().copied().reduce(Vec3::max).unwrap_or_default();
        self.json["accessors"][accessor]["min"] = json!(low.to_array());
        self.json["accessors"][accessor]["max"] = json!(high.to_array());
    }

    fn append_sparse(&mut self, deltas: &[Vec3], moved: &[u32]) -> usize {
        let values: Vec<Vec3> = moved.iter().map(|&v| deltas[v as usize]).collect();
        let (indices, kind) = if deltas.len() > usize::from(u16::MAX) {
            (self.append_view(bytemuck::cast_slice(moved), None), U32)
        } else {
            let short: Vec<u16> = moved.iter().map(|&v| v as u16).collect();
            (self.append_view(bytemuck::cast_slice(&short), None), U16)
        };
        let values = self.append_view(bytemuck::cast_slice(&values), None);
        let accessor = json!({
            "componentType": F32, "count": deltas.len(), "type": "VEC3",
            "sparse": {
                "count": moved.len(),
                "indices": { "bufferView": indices, "componentType": kind },
                "values": { "bufferView": values },
            },
        });
        push(self.list("accessors"), accessor)
    }

    /// Take the last accessor away with its view and bytes; any other stays, because others count on their numbers.
    /// So does one that was not made as [`Gltf::append_accessor`] makes them: others may share its view or bytes.
    pub(crate) fn pop_accessor(&mut self, accessor: usize) {
        if self.list("accessors").len().checked_sub(1) != Some(accessor) {
            return;
        }
        let view = self.json["accessors"][accessor]["bufferView"].as_u64();
        let Some(last) = self.list("bufferViews").len().checked_sub(1).filter(|&last| view == Some(last as u64)) else {
            return;
        };
        let number = |view: &Value, key: &str| view[key].as_u64().unwrap_or(0);
        let end = |view: &Value| number(view, "byteOffset").saturating_add(number(view, "byteLength"));
        let start = number(&self.json["bufferViews"][last], "byteOffset");
        let shared = self.list("accessors")[..accessor].iter().any(|other| other["bufferView"].as_u64() == view);
        let overlapped = self.list("bufferViews")[..last].iter().any(|other| end(other) > start);
        if shared || overlapped {
            return;
        }
        self.list("accessors").pop();
        self.list("bufferViews").pop();
        self.bytes.truncate(usize::try_from(start).unwrap_or(usize::MAX));
    }

    /// Whether a mesh, skin or animation refers to that accessor. A document that cannot be read refers to all of them.
    pub(crate) fn is_used(&self, accessor: usize) -> bool {
        let Ok(root) = typed(&self.json) else { return true };
        let of_mesh = |mesh: &Mesh| {
            mesh.primitives.iter().any(|primitive| {
                let in_targets = primitive.targets.iter().flat_map(|target| target.values());
                let mut all = primitive.attributes.values().chain(&primitive.indices).chain(in_targets);
                all.any(|&used| used == accessor)
            })
        };
        let samplers = root.animations.iter().flat_map(|animation| &animation.samplers);
        root.meshes.iter().any(of_mesh)
            || root.skins.iter().any(|skin| skin.inverse_bind_matrices == Some(accessor))
            || samplers.into_iter().any(|sampler| sampler.input == accessor || sampler.output == accessor)
    }

    /// A list at the root of the document, made where there is none.
    pub(crate) fn list(&mut self, name: &str) -> &mut Vec<Value> {
        if !self.json[name].is_array() {
            self.json[name] = json!([]);
        }
        match &mut self.json[name] {
            Value::Array(list) => list,
            _ => unreachable!("it was made a list above"),
        }
    }

    /// Say that the file uses an extension.
    pub(crate) fn use_extension(&mut self, name: &str) {
        let used = self.list("extensionsUsed");
        if !used.iter().any(|used| used == name) {
            used.push(json!(name));
        }
    }

    /// Say that it no longer does.
    pub(crate) fn drop_extension(&mut self, name: &str) {
        if let Some(extensions) = self.json.get_mut("extensions").and_then(Value::as_object_mut) {
            extensions.shift_remove(name);
        }
        self.remove_if("extensions", |value| value.as_object().is_some_and(Map::is_empty));
        if self.json["extensionsUsed"].is_array() {
            self.list("extensionsUsed").retain(|used| used != name);
        }
        self.remove_if("extensionsUsed", |value| value.as_array().is_some_and(Vec::is_empty));
    }

    fn remove_if(&mut self, key: &str, empty: impl Fn(&Value) -> bool) {
        if let Some(root) = self.json.as_object_mut()
            && root.get(key).is_some_and(empty)
        {
            root.shift_remove(key);
        }
    }
}

/// Append, and say where.
pub(crate) fn push(list: &mut Vec<Value>, value: Value) -> usize {
    list.push(value);
    list.len() - 1
}
