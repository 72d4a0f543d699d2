//! Spot: a place on the skin, whatever its pose.

use fusiform::Character;
use fusiform_fit::Hold;
use glam::Vec3;

/// A place on the skin, whatever its pose: corners of a triangle among the vertices of all meshes, and their shares in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Vertices.
    pub corners: [usize; 3],
    /// They sum to one.
    pub shares: Vec3,
}

impl Spot {
    /// The joint that carries it most.
    #[must_use]
    pub fn carrier(&self, character: &Character) -> Option<usize> {
        self.hold(character).map(|hold| hold.joint)
    }

    /// Where it is at bind, and the joint that carries it most; none where there is no such skin.
    pub(super) fn hold(&self, character: &Character) -> Option<Hold> {
        let mut place = Vec3::ZERO;
        let mut weights = vec![0.0; character.skeleton.joints.len()];
        for (&corner, share) in self.corners.iter().zip(self.shares.to_array()) {
            let mut v = corner;
            let mesh = character.meshes.iter().find(|mesh| {
                let here = v < mesh.positions.len();
                v -= if here { 0 } else { mesh.positions.len() };
                here
            })?;
            place += mesh.positions[v] * share;
            for (joint, weight) in mesh.weights.of(v) {
                weights[usize::from(joint)] += weight * share;
            }
        }
        let joint = (0..weights.len()).max_by(|&a, &b| weights[a].total_cmp(&weights[b]))?;
        place.is_finite().then_some(Hold { joint, place })
    }
}
