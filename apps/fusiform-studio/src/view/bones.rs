//! Bones: joints as octahedra that point at what they carry, as Blender draws them.

use super::geometry::{CHOSEN, opaque};
use super::scene::{Corners, Look, Stamp, Stamped, Surface};
use crate::model::Studio;
use glam::{Quat, Vec3};

const COLOR: [f32; 3] = [0.62, 0.58, 0.47];
/// Where along a bone it is thickest, and how thick, as shares of its length.
const WAIST: f32 = 0.12;
const THICK: f32 = 0.08;
/// Length of a bone at whose end no joint is, as a share of the one before it.
const TAIL: f32 = 0.35;
/// No bone is shorter, m.
const SHORTEST: f32 = 1e-4;

/// Corners of the octahedron: four about its waist, then both tips.
const FACES: [[usize; 3]; 8] = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4], [1, 0, 5], [2, 1, 5], [3, 2, 5], [0, 3, 5]];

/// All bones as they are posed.
#[derive(Debug, Default)]
pub(super) struct Bones {
    places: Vec<Vec3>,
    normals: Vec<Vec3>,
    indices: Vec<u32>,
    colors: Vec<[f32; 4]>,
    painted: Option<((usize, Option<usize>), Stamp)>,
}

impl Bones {
    pub fn surface(&mut self, studio: &Studio) -> Surface<'_> {
        self.places.clear();
        self.normals.clear();
        let mut owners = Vec::new();
        each_bone(studio, |joint, from, to| {
            owners.push(joint);
            self.octahedron(from, to);
        });
        let wanted = (owners.len(), studio.joint);
        let stamp = match &self.painted {
            Some((painted, stamp)) if *painted == wanted => *stamp,
            _ => {
                let color = |joint: &usize| opaque(if studio.joint == Some(*joint) { CHOSEN } else { COLOR });
                self.colors = owners.iter().flat_map(|joint| [color(joint); 3 * FACES.len()]).collect();
                self.indices = (0..self.places.len() as u32).collect();
                self.painted.insert((wanted, Stamp::new())).1
            }
        };
        Surface {
            look: Look::Front,
            corners: Corners::Placed { places: &self.places, normals: &self.normals, stays: None },
            colors: Stamped { of: &self.colors, stamp },
            indices: Stamped { of: &self.indices, stamp },
            edges: None,
        }
    }

    /// Flat faces: each corner once for every face.
    fn octahedron(&mut self, from: Vec3, to: Vec3) {
        let along = to - from;
        let length = along.length().max(SHORTEST);
        let turn = Quat::from_rotation_arc(Vec3::Y, along.try_normalize().unwrap_or(Vec3::Y));
        let waist = |x: f32, z: f32| from + turn * (length * Vec3::new(x * THICK, WAIST, z * THICK));
        let corners = [waist(1.0, 1.0), waist(1.0, -1.0), waist(-1.0, -1.0), waist(-1.0, 1.0), from, to];
        for face in FACES {
            let [a, b, c] = face.map(|corner| corners[corner]);
            let normal = (b - a).cross(c - a).normalize_or_zero();
            let middle = (a + b + c) / 3.0 - (from + along * WAIST);
            self.places.extend([a, b, c]);
            self.normals.extend([if normal.dot(middle) < 0.0 { -normal } else { normal }; 3]);
        }
    }
}

/// The ends of a joint's bones: its own place, and what it points at.
#[must_use]
pub fn ends_of(studio: &Studio, joint: usize) -> Vec<Vec3> {
    let mut ends = Vec::new();
    each_bone(studio, |of, from, to| {
        if of == joint {
            ends.extend([from, to]);
        }
    });
    ends
}

/// Every joint with what it points at: each joint it carries, or on the way its own bone came from.
pub fn each_bone(studio: &Studio, mut draw: impl FnMut(usize, Vec3, Vec3)) {
    let joints = &studio.project.character.skeleton.joints;
    let at = |joint: usize| Vec3::from(studio.live.model_from_joint()[joint].translation);
    let mut carries = vec![false; joints.len()];
    for (joint, of) in joints.iter().enumerate() {
        if let Some(parent) = of.parent {
            carries[parent] = true;
            draw(parent, at(parent), at(joint));
        }
    }
    for joint in (0..joints.len()).filter(|&joint| !carries[joint]) {
        let way = joints[joint].parent.map_or(0.1 * Vec3::Y, |parent| TAIL * (at(joint) - at(parent)));
        draw(joint, at(joint), at(joint) + way);
    }
}
