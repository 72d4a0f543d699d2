//! Numbers about a skin: differences, volumes, flipped triangles.

use crate::play::Player;
use crate::section::{Plane, Skin};
use fusiform::{Body, BodyState, Character};
use glam::{Affine3A, DVec3, Mat3A, Vec3, Vec3A};
use serde_json::{Map, Value, json};

/// What muscles did to the skin at one moment, beside plain skinning.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Largest distance of a vertex from plain skinning, mm.
    pub max_mm: f32,
    /// Mean distance over all vertices, mm.
    pub mean_mm: f32,
    /// (muscle, girth in cm of the plain and of the muscled skin), for the muscles whose plane cuts the skin.
    pub girth_cm: Vec<(String, [f32; 2])>,
    /// Triangles inside out: plain, muscled.
    pub flipped: [usize; 2],
    /// Volume of the skin over its volume at bind, less one: plain, muscled.
    pub volume_change: [f32; 2],
}

impl Comparison {
    /// Measure where the player is.
    pub fn new(player: &Player) -> Self {
        let (body, state) = player.muscled();
        let character = player.character();
        let difference = player.difference();
        let skin = Skin::new(character, body.triangles());
        let girth = |(m, muscle): (usize, &fusiform::Muscle)| {
            let plane = across_belly(body, state, m, usize::from(muscle.sectors));
            let [plain, muscled] = player.skins().map(|positions| skin.girth(positions, &plane));
            Some((muscle.name.clone(), [plain? * 100.0, muscled? * 100.0]))
        };
        let bind: Vec<Vec3> = character.meshes.iter().flat_map(|mesh| mesh.positions.iter().copied()).collect();
        let at_bind = volume(&bind, body.triangles());
        let flips = Flips::new(character, player.model_from_joint(), body.triangles(), &bind);
        Self {
            max_mm: 1e3 * difference.iter().copied().fold(0.0, f32::max),
            mean_mm: 1e3 * difference.iter().sum::<f32>() / difference.len().max(1) as f32,
            girth_cm: player.subject.musculature.muscles.iter().enumerate().filter_map(girth).collect(),
            flipped: player.skins().map(|positions| flips.count(positions)),
            volume_change: player.skins().map(|now| (volume(now, body.triangles()) / at_bind - 1.0) as f32),
        }
    }

    /// The muscle whose girth grew by the largest share: name, plain and muscled, cm. Nothing when none grew by a
    /// millimetre; a cut that jumps to another part of the body is no growth.
    pub fn most_grown(&self) -> Option<&(String, [f32; 2])> {
        let share = |[plain, muscled]: &[f32; 2]| muscled / plain;
        let grown = |girth: &[f32; 2]| girth[1] > girth[0] + 0.1 && share(girth) < 1.3;
        self.girth_cm.iter().filter(|(_, girth)| grown(girth)).max_by(|a, b| share(&a.1).total_cmp(&share(&b.1)))
    }

    /// The contract's keys, for `picture --json`.
    pub fn json(&self) -> Map<String, Value> {
        let tidy = |cm: &[f32; 2]| json!(cm.map(|cm| rounded(cm, 1e3)));
        let girth: Map<String, Value> = self.girth_cm.iter().map(|(name, cm)| (name.clone(), tidy(cm))).collect();
        let mut map = Map::new();
        map.insert("max_difference_mm".into(), json!(rounded(self.max_mm, 1e4)));
        map.insert("mean_difference_mm".into(), json!(rounded(self.mean_mm, 1e4)));
        map.insert("girth_cm".into(), Value::Object(girth));
        map.insert("flipped_triangles".into(), json!(self.flipped));
        map.insert("volume_change".into(), json!(self.volume_change.map(|change| rounded(change, 1e6))));
        map
    }
}

/// The plane across the path of a muscle at mid-belly.
pub fn across_belly(body: &Body, state: &BodyState, m: usize, sectors: usize) -> Plane {
    let mut points = vec![Vec3::ZERO; body.belly_size(m)];
    state.belly_points(body, m, &mut points);
    let centers: Vec<Vec3> =
        points.chunks_exact(sectors).map(|ring| ring.iter().sum::<Vec3>() / sectors as f32).collect();
    let middle = centers.len() / 2;
    Plane { point: centers[middle], normal: centers[middle + 1] - centers[middle - 1] }
}

/// A measure without digits that mean nothing: `parts` are kept of its unit.
pub fn rounded(value: f32, parts: f64) -> f64 {
    (f64::from(value) * parts).round() / parts
}

/// Distance of each point from its twin.
pub fn distances(a: &[Vec3], b: &[Vec3]) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).collect()
}

/// Volume inside a closed surface, cubic metres; where it is open, as if each opening were closed by a fan.
pub fn volume(positions: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let at = |i: u32| positions[i as usize].as_dvec3();
    let middle = positions.iter().map(|p| p.as_dvec3()).sum::<DVec3>() / positions.len().max(1) as f64;
    let six = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| at(i) - middle);
        a.dot(b.cross(c))
    };
    triangles.iter().map(six).sum::<f64>() / 6.0
}

/// Finds triangles that a deformation turned inside out.
///
/// A triangle is flipped when its normal points against where the joints that move its corners carry the normal it had
/// at bind.
struct Flips<'a> {
    triangles: &'a [[u32; 3]],
    expected: Vec<Vec3A>,
}

impl<'a> Flips<'a> {
    fn new(character: &Character, pose: &[Affine3A], triangles: &'a [[u32; 3]], bind: &[Vec3]) -> Self {
        let joints = character.skeleton.joints.iter().zip(pose);
        let turns: Vec<Mat3A> = joints.map(|(joint, now)| (*now * joint.bind.inverse()).matrix3).collect();
        let mut vertices = Vec::with_capacity(bind.len());
        for weights in character.meshes.iter().map(|mesh| &mesh.weights) {
            let turn = |sum: Mat3A, (joint, weight): (u16, f32)| sum + turns[usize::from(joint)] * weight;
            vertices.extend((0..weights.len()).map(|v| weights.of(v).fold(Mat3A::ZERO, turn)));
        }
        let expected = |t: &[u32; 3]| {
            let turn = t.iter().fold(Mat3A::ZERO, |sum, &v| sum + vertices[v as usize]);
            turn * Vec3A::from(normal(bind, t))
        };
        Self { triangles, expected: triangles.iter().map(expected).collect() }
    }

    fn count(&self, positions: &[Vec3]) -> usize {
        let flipped = |(t, expected): &(&[u32; 3], &Vec3A)| Vec3A::from(normal(positions, t)).dot(**expected) < 0.0;
        self.triangles.iter().zip(&self.expected).filter(flipped).count()
    }
}

/// Normal of a triangle, twice its area long.
fn normal(positions: &[Vec3], triangle: &[u32; 3]) -> Vec3 {
    let [a, b, c] = triangle.map(|i| positions[i as usize]);
    (b - a).cross(c - a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::{Mesh, Skeleton, SparseWeights, Transform};

    /// A box from the origin to `size`, counter-clockwise from outside, on one joint.
    fn block(size: Vec3) -> Character {
        let corner = |i: u32| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) * size;
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let mut weights = SparseWeights::default();
        (0..8).for_each(|_| weights.push_vertex([(0, 1.0)]));
        let mesh = Mesh {
            positions: (0..8).map(corner).collect(),
            triangles: quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
            weights,
            ..Mesh::default()
        };
        let skeleton = Skeleton::from_rest(&[("root", None, Transform::IDENTITY)]);
        Character { skeleton, meshes: vec![mesh], ..Character::default() }
    }

    #[test]
    fn a_box_has_the_volume_of_its_sides() {
        let mesh = &block(Vec3::new(2.0, 3.0, 0.5)).meshes[0];
        assert!((volume(&mesh.positions, &mesh.triangles) - 3.0).abs() < 1e-6);
    }

    #[test]
    fn turning_flips_nothing_and_folding_a_corner_over_flips_its_triangles() {
        let character = block(Vec3::ONE);
        let mesh = &character.meshes[0];
        let half_turn = Affine3A::from_rotation_y(3.0);
        let flips = Flips::new(&character, &[half_turn], &mesh.triangles, &mesh.positions);
        let turned = |p: &[Vec3]| p.iter().map(|&p| half_turn.transform_point3(p)).collect::<Vec<_>>();
        assert_eq!(flips.count(&turned(&mesh.positions)), 0);
        // the corner at (1, 0, 0) goes over the diagonal of the face z = 0 and stays in the plane y = 0
        let mut folded = mesh.positions.clone();
        folded[1] = Vec3::new(-1.0, 0.0, 0.0);
        assert_eq!(flips.count(&turned(&folded)), 2);
    }
}
