//! How far a muscle may be trusted with the skin.
//!
//! A muscle runs straight from end to end, its joints do not: bent far, a belly leaves the limb it lay in. So every
//! joint a muscle spans is bent once to each side, and where the belly would carry a point of the skin away from where
//! the joints carry it, further than flesh can go, the joints keep the point.
//!
//! ```text
//! trust = 1 / (1 + (d / limit)^2)^2      d root mean square distance over the probes
//! ```
//!
//! Ours.

use super::reach::chain;
use fusiform::body::{BindError, Body, BodyState, Detail, Ring, StepInput};
use fusiform::{Character, Mesh, Muscle, Musculature, Skeleton};
use glam::{Affine3A, Vec3};

/// How far each joint is bent to each side, degrees.
const BEND: f32 = 60.0;
/// Distance at which three quarters of the weight go back to the joints, as a fraction of the character's height.
const LIMIT: f32 = 0.04;

/// One joint bent to one side.
struct Probe {
    joint: usize,
    /// `model_from_bind` of all that hangs on the joint.
    turn: Affine3A,
    /// Which joints hang on it, itself included.
    below: Vec<bool>,
}

/// Every joint that some muscle spans, bent to every side, and where the muscles' rings went.
pub(super) struct Probes {
    probes: Vec<Probe>,
    /// Per muscle: the probes that move it, and its rings in each.
    of_muscle: Vec<Vec<(usize, Vec<Ring>)>>,
    /// Metres.
    limit: f32,
}

impl Probes {
    pub(super) fn new(character: &Character, muscles: &[Muscle]) -> Result<Self, BindError> {
        let skeleton = &character.skeleton;
        let body = Body::bind(character, &Musculature { muscles: muscles.to_vec(), ..Musculature::plain() })?;
        let mut state = BodyState::new(&body);
        let spans: Vec<Vec<usize>> = muscles.iter().map(|muscle| spanned(skeleton, muscle)).collect();
        let joints = (0..skeleton.joints.len()).filter(|joint| spans.iter().any(|span| span.contains(joint)));
        let probes: Vec<Probe> = joints.flat_map(|joint| bends(skeleton, joint)).collect();
        let mut of_muscle = vec![Vec::new(); muscles.len()];
        for (i, probe) in probes.iter().enumerate() {
            let pose: Vec<Affine3A> = probe.pose(skeleton);
            let mut input = StepInput::new(&pose, 0.0);
            (input.teleport, input.detail) = (true, Detail::MUSCLES);
            body.step(&mut state, &input);
            for muscle in (0..muscles.len()).filter(|&muscle| spans[muscle].contains(&probe.joint)) {
                of_muscle[muscle].push((i, state.rings(&body, muscle)));
            }
        }
        Ok(Self { probes, of_muscle, limit: LIMIT * character.height() })
    }

    /// How far muscle `m` may be trusted with a vertex that lies between its rings `ring` and the next, at share `t`.
    pub(super) fn trust(&self, m: usize, point: Vec3, mesh: &Mesh, vertex: usize, (ring, t): (usize, f32)) -> f32 {
        let probes = &self.of_muscle[m];
        if probes.is_empty() || vertex >= mesh.weights.len() {
            return 1.0;
        }
        let squares = probes.iter().map(|(i, rings)| {
            let probe = &self.probes[*i];
            let carried = rings[ring].carry(point).lerp(rings[(ring + 1).min(rings.len() - 1)].carry(point), t);
            let below =
                mesh.weights.of(vertex).filter(|&(joint, _)| probe.below.get(usize::from(joint)) == Some(&true));
            let skinned = point.lerp(probe.turn.transform_point3(point), below.map(|(_, weight)| weight).sum());
            carried.distance_squared(skinned)
        });
        let mean = squares.sum::<f32>() / probes.len() as f32;
        (1.0 + mean / (self.limit * self.limit).max(f32::MIN_POSITIVE)).powi(-2)
    }
}

impl Probe {
    fn pose(&self, skeleton: &Skeleton) -> Vec<Affine3A> {
        let turned =
            |(joint, below): (&fusiform::Joint, &bool)| if *below { self.turn * joint.bind } else { joint.bind };
        skeleton.joints.iter().zip(&self.below).map(turned).collect()
    }
}

/// The joints that move one end of the muscle against the other.
fn spanned(skeleton: &Skeleton, muscle: &Muscle) -> Vec<usize> {
    let ends = [&muscle.origin.joint, &muscle.insertion.joint].map(|name| skeleton.find(name).unwrap_or(0));
    let mut joints = chain(skeleton, ends);
    // The last one carries both ends.
    joints.pop();
    joints
}

/// The joint bent to its four sides. The axes come from the bone and the body's front, so that left and right agree.
fn bends(skeleton: &Skeleton, joint: usize) -> Vec<Probe> {
    let at = |joint: usize| Vec3::from(skeleton.joints[joint].bind.translation);
    let below: Vec<bool> = skeleton.joints.iter().enumerate().fold(Vec::new(), |mut below, (i, other)| {
        below.push(i == joint || other.parent.is_some_and(|parent| below[parent]));
        below
    });
    let child = skeleton.joints.iter().position(|other| other.parent == Some(joint));
    let parent = skeleton.joints[joint].parent;
    let along = child.map(|child| at(child) - at(joint)).or(parent.map(|parent| at(joint) - at(parent)));
    let along = along.unwrap_or(Vec3::Y).normalize_or(Vec3::Y);
    let side = along.cross(Vec3::Z).normalize_or(Vec3::X);
    let pivot = Affine3A::from_translation(at(joint));
    let turned = |(axis, sign): (Vec3, f32)| Probe {
        joint,
        turn: pivot * Affine3A::from_axis_angle(axis, sign * BEND.to_radians()) * pivot.inverse(),
        below: below.clone(),
    };
    let front = along.cross(side);
    [(side, 1.0), (side, -1.0), (front, 1.0), (front, -1.0)].map(turned).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_body;
    use fusiform::musculature::Attachment;

    /// A straight muscle down the front of the left thigh, from that joint to the knee.
    fn thigh_muscle(skeleton: &Skeleton, from: &str, to: &str) -> Muscle {
        let at = |name: &str, point: Vec3| {
            let joint = &skeleton.joints[skeleton.find(name).unwrap()];
            Attachment { joint: name.to_owned(), point: joint.bind.inverse().transform_point3(point) }
        };
        let [origin, insertion] = [at(from, Vec3::new(0.1, 0.92, 0.06)), at(to, Vec3::new(0.105, 0.47, 0.05))];
        Muscle { name: "test".into(), origin, insertion, ..Muscle::default() }
    }

    /// Trust in that muscle over the middle of the thigh.
    fn trust(from: &str, to: &str) -> f32 {
        let skeleton = test_body::skeleton();
        let thigh = skeleton.find("upper_leg.l").unwrap() as u16;
        let mut mesh = Mesh { triangles: vec![[0, 1, 2]], ..Mesh::default() };
        for point in [Vec3::new(0.1, 0.7, 0.08), Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.2, 1.8, 0.0)] {
            mesh.positions.push(point);
            mesh.weights.push_vertex([(thigh, 1.0)]);
        }
        let muscles = [thigh_muscle(&skeleton, from, to)];
        let character = Character { skeleton, meshes: vec![mesh], ..Character::default() };
        let probes = Probes::new(&character, &muscles).unwrap();
        let mesh = &character.meshes[0];
        probes.trust(0, mesh.positions[0], mesh, 0, (4, 0.0))
    }

    #[test]
    fn the_more_joints_a_muscle_spans_the_less_it_is_trusted() {
        let [none, one, two] =
            [("upper_leg.l", "upper_leg.l"), ("upper_leg.l", "lower_leg.l"), ("hips", "lower_leg.l")]
                .map(|(from, to)| trust(from, to));
        assert_eq!(none, 1.0);
        assert!(one < 1.0 && two < one, "{one} {two}");
    }
}
