//! Joint weights as players read them: few a vertex.

use super::edit::{ARRAY_BUFFER, F32, U16};
use super::{Gltf, Origin, Units};
use fusiform::SparseWeights;
use serde_json::json;
use std::collections::BTreeSet;

impl Gltf {
    /// Give every vertex these joint weights; one entry for each mesh of the character, at most `sets` times four a
    /// vertex. What a primitive had before goes; its bytes too where they are the file's last, as we wrote them.
    pub fn set_joint_weights(&mut self, origin: &Origin, weights: &[SparseWeights], sets: usize) {
        self.remove_joint_weights(origin, weights.len());
        let mut written = Vec::new();
        for part in &origin.parts {
            for primitive in part.primitives.iter().filter(|primitive| primitive.mesh < weights.len()) {
                let place = (part.mesh, primitive.index);
                if written.contains(&place) {
                    continue;
                }
                written.push(place);
                let of_skin = in_skin(&weights[primitive.mesh], &part.joints);
                let attributes = |file: &mut Self, name: String, accessor: usize| {
                    file.json["meshes"][place.0]["primitives"][place.1]["attributes"][name] = json!(accessor);
                };
                for set in 0..sets {
                    let (index, weight) = of_skin.set_of_four(set);
                    let index = self.append_accessor(&index, U16, "VEC4", Some(ARRAY_BUFFER));
                    let weight = self.append_accessor(&weight, F32, "VEC4", Some(ARRAY_BUFFER));
                    attributes(self, format!("JOINTS_{set}"), index);
                    attributes(self, format!("WEIGHTS_{set}"), weight);
                }
            }
        }
    }

    /// Take the joint weights of the character's first `n_mesh` meshes out of the file.
    fn remove_joint_weights(&mut self, origin: &Origin, n_mesh: usize) {
        let mut accessors = BTreeSet::new();
        for part in &origin.parts {
            for primitive in part.primitives.iter().filter(|primitive| primitive.mesh < n_mesh) {
                let of = &mut self.json["meshes"][part.mesh]["primitives"][primitive.index]["attributes"];
                let Some(attributes) = of.as_object_mut() else { continue };
                attributes.retain(|name, accessor| {
                    let is_weight = name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_");
                    accessors.extend(accessor.as_u64().filter(|_| is_weight));
                    !is_weight
                });
            }
        }
        for accessor in accessors.into_iter().rev().filter_map(|accessor| usize::try_from(accessor).ok()) {
            if !self.is_used(accessor) {
                self.pop_accessor(accessor);
            }
        }
    }

    /// Say in the file that muscles are baked into it, so that they are never applied twice, and in which units it is:
    /// the muscles that told have gone.
    pub fn mark_baked(&mut self, tolerance: f32, units: Units) {
        let extras = &mut self.json["asset"]["extras"];
        if !extras.is_object() {
            *extras = json!({});
        }
        // rounded: the tolerance was given in millimetres
        let millimetres = (f64::from(tolerance) * 1e6).round() / 1e3;
        extras["fusiform"] = json!({
            "baked": true,
            "tolerance_mm": millimetres,
            "metres_per_unit": units.metres(),
            "version": env!("CARGO_PKG_VERSION"),
        });
    }
}

/// The same weights, joints counted as the skin counts them.
fn in_skin(weights: &SparseWeights, joints: &[u16]) -> SparseWeights {
    let place = |joint: u16| joints.iter().position(|&of_skin| of_skin == joint).unwrap_or(0) as u16;
    SparseWeights { index: weights.index.iter().map(|&joint| place(joint)).collect(), ..weights.clone() }
}
