//! The yardstick: linear blend skinning as one would write it over glam without further thought.

use fusiform::Character;
use glam::{Affine3A, Vec3};

/// Three joints a vertex: blend the matrices, transform once.
pub struct GlamLoop {
    bind_from_model: Vec<Affine3A>,
    since_bind: Vec<Affine3A>,
    positions: Vec<Vec3>,
    joints: Vec<[u16; 3]>,
    weights: Vec<[f32; 3]>,
    /// What it wrote last.
    pub skin: Vec<Vec3>,
}

impl GlamLoop {
    /// For a character whose vertices all have three joints.
    pub fn new(character: &Character) -> Self {
        let skeleton = &character.skeleton;
        let mut skin = Self {
            bind_from_model: skeleton.joints.iter().map(|joint| joint.bind.inverse()).collect(),
            since_bind: vec![Affine3A::IDENTITY; skeleton.joints.len()],
            positions: Vec::new(),
            joints: Vec::new(),
            weights: Vec::new(),
            skin: vec![Vec3::ZERO; character.vertex_count()],
        };
        for mesh in &character.meshes {
            skin.positions.extend(&mesh.positions);
            for v in 0..mesh.positions.len() {
                let (mut joints, mut weights) = ([0; 3], [0.0; 3]);
                for (slot, (joint, weight)) in mesh.weights.of(v).take(3).enumerate() {
                    (joints[slot], weights[slot]) = (joint, weight);
                }
                skin.joints.push(joints);
                skin.weights.push(weights);
            }
        }
        skin
    }

    /// Skin that pose.
    pub fn run(&mut self, pose: &[Affine3A]) {
        for ((since, pose), bind) in self.since_bind.iter_mut().zip(pose).zip(&self.bind_from_model) {
            *since = *pose * *bind;
        }
        let n = self.skin.len();
        let (positions, joints, weights) = (&self.positions[..n], &self.joints[..n], &self.weights[..n]);
        for v in 0..n {
            let [a, b, c] = joints[v].map(|joint| &self.since_bind[usize::from(joint)]);
            let [u, v_, w] = weights[v];
            let blended = Affine3A {
                matrix3: a.matrix3 * u + b.matrix3 * v_ + c.matrix3 * w,
                translation: a.translation * u + b.translation * v_ + c.translation * w,
            };
            self.skin[v] = blended.transform_point3(positions[v]);
        }
    }
}
