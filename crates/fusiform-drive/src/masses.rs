//! Masses: what hangs on every joint, from the character's own skin.
//!
//! ```text
//! points of a grid inside the skin ─> joints of the nearest skin, by its weights ─> mass, centre, inertia of each joint
//! ```
//!
//! Tissue is as dense as cadavers' segments were (Dempster: *Space requirements of the seated operator*, WADC 55-159, 1955,
//! as in Winter: *Biomechanics and Motor Control of Human Movement*, table 4.1); parts that play no role weigh as water.

use fusiform::{Character, Skeleton};
use fusiform_fit::{Role, Roles, Surface, Wear};
use glam::{DMat3, DVec3, Vec3};
use rayon::prelude::*;

/// Points along the body's height: fine enough for a wrist, few enough to take less than a second.
const POINTS_ALONG: f32 = 90.0;

/// kg/m³ of what has no role.
const WATER: f64 = 1000.0;

/// What hangs on one joint, in the bind pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// kg.
    pub mass: f64,
    /// m, model space.
    pub center: DVec3,
    /// kg m², about the center, along the axes of model space.
    pub inertia: DMat3,
}

impl Segment {
    /// Nothing.
    pub const NONE: Self = Self { mass: 0.0, center: DVec3::ZERO, inertia: DMat3::ZERO };
}

/// Mass, centre and inertia of everything that hangs on each joint itself, in the bind pose; n_joint.
#[must_use]
pub fn segments(character: &Character, wear: &[Wear], roles: &Roles, total: Option<f64>) -> Vec<Segment> {
    let body = || character.meshes.iter().zip(wear).filter(|(_, wear)| **wear == Wear::Body).map(|(mesh, _)| mesh);
    let Some(surface) = Surface::new(body()) else { return vec![Segment::NONE; character.skeleton.joints.len()] };
    let meshes: Vec<_> = body().collect();
    let corners = meshes.iter().flat_map(|mesh| &mesh.positions);
    let (low, high) = corners.fold((Vec3::MAX, Vec3::MIN), |(low, high), &p| (low.min(p), high.max(p)));
    let step = (high - low).max_element() / POINTS_ALONG;
    let layers = ((high.z - low.z) / step).ceil() as usize;
    let density = densities(&character.skeleton, roles);
    let volume = f64::from(step).powi(3);
    let sums: Vec<Vec<Sum>> = (0..layers)
        .into_par_iter()
        .map(|layer| {
            let mut sums = vec![Sum::NONE; density.len()];
            let along = |from: f32, to: f32| {
                let n = ((to - from) / step).ceil() as usize;
                (0..n).map(move |i| from + (i as f32 + 0.5) * step)
            };
            let z = low.z + (layer as f32 + 0.5) * step;
            for p in along(low.x, high.x).flat_map(|x| along(low.y, high.y).map(move |y| Vec3::new(x, y, z))) {
                if !surface.contains(p) {
                    continue;
                }
                let nearest = surface.nearest(p);
                for (corner, share) in nearest.corners.iter().zip(nearest.shares) {
                    for (joint, weight) in meshes[nearest.mesh].weights.of(*corner as usize) {
                        let joint = usize::from(joint);
                        sums[joint].add(p.as_dvec3(), f64::from(share * weight) * volume * density[joint]);
                    }
                }
            }
            sums
        })
        .collect();
    let mut all = vec![Sum::NONE; density.len()];
    for layer in &sums {
        all.iter_mut().zip(layer).for_each(|(all, sum)| *all = all.with(sum));
    }
    let weighed: f64 = all.iter().map(|sum| sum.mass).sum();
    let scale = total.filter(|_| weighed > 0.0).map_or(1.0, |total| total / weighed);
    all.iter().map(|sum| sum.segment(scale)).collect()
}

impl Segment {
    /// The same with so many kg more in its centre: something that is carried.
    #[must_use]
    pub fn carrying(self, mass: f64) -> Self {
        Self { mass: self.mass + mass, ..self }
    }
}

/// Moments of mass about the origin.
#[derive(Clone, Copy)]
struct Sum {
    mass: f64,
    first: DVec3,
    second: DMat3, // Σ m p pᵀ
}

impl Sum {
    const NONE: Self = Self { mass: 0.0, first: DVec3::ZERO, second: DMat3::ZERO };

    fn add(&mut self, p: DVec3, mass: f64) {
        self.mass += mass;
        self.first += p * mass;
        self.second += DMat3::from_cols(p * p.x, p * p.y, p * p.z) * mass;
    }

    fn with(&self, other: &Self) -> Self {
        Self { mass: self.mass + other.mass, first: self.first + other.first, second: self.second + other.second }
    }

    fn segment(&self, scale: f64) -> Segment {
        if self.mass <= 0.0 {
            return Segment::NONE;
        }
        let center = self.first / self.mass;
        let about = self.second - DMat3::from_cols(center * center.x, center * center.y, center * center.z) * self.mass;
        let trace = about.x_axis.x + about.y_axis.y + about.z_axis.z;
        Segment {
            mass: self.mass * scale,
            center,
            inertia: (DMat3::from_diagonal(DVec3::splat(trace)) - about) * scale,
        }
    }
}

/// kg/m³ of what hangs on every joint: of its own role, or of the nearest above it.
fn densities(skeleton: &Skeleton, roles: &Roles) -> Vec<f64> {
    let of_role = |joint: usize| roles.iter().find(|&(_, _, of)| of == joint).map(|(role, ..)| density(role));
    let up = |joint: usize| std::iter::successors(Some(joint), |&j| skeleton.joints[j].parent);
    (0..skeleton.joints.len()).map(|joint| up(joint).find_map(of_role).unwrap_or(WATER)).collect()
}

fn density(role: Role) -> f64 {
    match role {
        Role::Head | Role::Neck => 1110.0,
        Role::Shoulder => 1040.0,
        Role::UpperArm => 1070.0,
        Role::LowerArm => 1130.0,
        Role::Hand => 1160.0,
        Role::UpperLeg => 1050.0,
        Role::LowerLeg => 1090.0,
        Role::Foot | Role::Toes => 1100.0,
        // the trunk with its lungs
        _ => 1030.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::{Mesh, SparseWeights, Transform};

    /// A box of 0.2 x 0.6 x 0.3 m whose upper half hangs on a second joint.
    fn two_boxes() -> Character {
        let half = Vec3::new(0.1, 0.3, 0.15);
        let corner = |i: u32| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2 & 1) as f32) * 2.0 - 1.0;
        let positions: Vec<Vec3> = (0..8).map(|i| corner(i) * half).collect();
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = faces.iter().flat_map(|f| [[f[0], f[1], f[2]], [f[0], f[2], f[3]]]).collect();
        let mut weights = SparseWeights::default();
        positions.iter().for_each(|p| weights.push_vertex([(u16::from(p.y > 0.0), 1.0)]));
        let skeleton = Skeleton::from_rest(&[
            ("a", None, Transform::at(Vec3::Y * -0.3)),
            ("b", Some(0), Transform::at(Vec3::Y * 0.3)),
        ]);
        let mesh = Mesh { name: "box".into(), positions, triangles, weights, ..Mesh::default() };
        Character { name: "boxes".into(), skeleton, meshes: vec![mesh], clips: Vec::new() }
    }

    #[test]
    fn a_box_weighs_what_its_volume_does_and_turns_as_a_box() {
        let character = two_boxes();
        let parts = segments(&character, &[Wear::Body], &Roles::default(), None);
        let mass: f64 = parts.iter().map(|part| part.mass).sum();
        assert!((mass / 36.0 - 1.0).abs() < 0.03, "{mass} kg");
        let center = parts.iter().map(|part| part.center * part.mass).sum::<DVec3>() / mass;
        assert!(center.length() < 2e-3, "{center}");
        let about_y: f64 = parts.iter().map(|part| part.inertia.y_axis.y).sum();
        let wanted = 36.0 * (0.2_f64.powi(2) + 0.3_f64.powi(2)) / 12.0;
        assert!((about_y / wanted - 1.0).abs() < 0.06, "{about_y} for {wanted}");
        let scaled = segments(&character, &[Wear::Body], &Roles::default(), Some(70.0));
        assert!((scaled.iter().map(|part| part.mass).sum::<f64>() - 70.0).abs() < 1e-9);
    }
}
