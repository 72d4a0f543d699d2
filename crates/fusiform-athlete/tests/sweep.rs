//! Every joint of the athlete through a full turn, degree by degree: no ring twists, nothing is lost on the way.

use fusiform::body::{RestBelly, rest_bellies};
use fusiform::{Body, BodyState, Character, Detail, Musculature, Pose, StepInput};
use fusiform_athlete::{Athlete, athlete};
use glam::{Affine3A, Quat, Vec3};

/// A ring as the sweep looks at it.
#[derive(Clone, Copy)]
struct Axes {
    muscle: usize,
    a: Vec3,
    b: Vec3,
    /// Whether the path is longer than 5 % of rest, and neither tangent nor chord has turned by 150 degrees.
    fair: bool,
}

struct Sweep {
    character: Character,
    musculature: Musculature,
    body: Body,
    rest: Vec<RestBelly>,
}

impl Sweep {
    /// All rings with one joint turned that far.
    fn axes(&self, state: &mut BodyState, joint: usize, turn: Quat) -> Vec<Axes> {
        let mut pose = Pose::rest(&self.character.skeleton);
        pose.local[joint].rotation *= turn;
        let matrices = pose.model_matrices(&self.character.skeleton);
        let mut input = StepInput::new(&matrices, 0.0);
        (input.detail, input.teleport) = (Detail::MUSCLES, true);
        self.body.step(state, &input);
        (0..self.rest.len()).flat_map(|m| self.rings(state, m, &matrices)).collect()
    }

    fn rings(&self, state: &BodyState, m: usize, pose: &[Affine3A]) -> Vec<Axes> {
        let (rings, rest) = (state.rings(&self.body, m), &self.rest[m].rings);
        let name = &self.musculature.muscles[m].origin.joint;
        let joint = self.character.skeleton.find(name).expect(name);
        let carried = pose[joint] * self.character.skeleton.joints[joint].bind.inverse();
        let turned = |now: Vec3, bind: Vec3| now.angle_between(carried.transform_vector3(bind)).to_degrees();
        let last = rest.len() - 1;
        let chord = rings[last].carry(rest[last].center) - rings[0].carry(rest[0].center);
        let long = state.lengths()[m] > 0.05 * self.body.rest_lengths()[m];
        let fair = long && turned(chord, rest[last].center - rest[0].center) < 150.0;
        let axes = rings.iter().zip(rest).map(|(ring, bind)| {
            let (a, b) = (ring.turn(bind.a), ring.turn(bind.b));
            Axes { muscle: m, a, b, fair: fair && turned(a, bind.a) < 150.0 }
        });
        axes.collect()
    }
}

/// Degrees by which `now` has twisted about its tangent since `before`, beyond turning with it.
fn twist(before: &Axes, now: &Axes) -> f32 {
    (Quat::from_rotation_arc(before.a, now.a) * before.b).angle_between(now.b).to_degrees()
}

#[test]
fn no_ring_twists_while_any_joint_turns_all_the_way_round() {
    let Athlete { character, musculature } = athlete(3700).unwrap();
    let body = Body::bind(&character, &musculature).unwrap();
    let rest = rest_bellies(&character.skeleton, &musculature.muscles).unwrap();
    let sweep = Sweep { character, musculature, body, rest };
    let mut state = BodyState::new(&sweep.body);
    let (mut worst, mut at, mut compared, mut beyond) = (0.0, String::new(), 0_u32, 0_u32);
    for joint in 0..sweep.character.skeleton.joints.len() {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let first = sweep.axes(&mut state, joint, Quat::IDENTITY);
            let mut before = first.clone();
            for degree in 1..=360_u16 {
                let turn = Quat::from_axis_angle(axis, f32::from(degree).to_radians());
                let now = sweep.axes(&mut state, joint, turn);
                assert!(now.iter().all(|ring| ring.a.is_finite() && ring.b.is_finite()));
                for (before, now) in before.iter().zip(&now).filter(|(before, now)| before.fair && now.fair) {
                    let twisted = twist(before, now);
                    compared += 1;
                    beyond += u32::from(twisted > 6.0);
                    if twisted > worst {
                        let muscle = &sweep.musculature.muscles[now.muscle].name;
                        let joint = &sweep.character.skeleton.joints[joint].name;
                        (worst, at) = (twisted, format!("{muscle}, {joint} about {axis} at {degree} degrees"));
                    }
                }
                before = now;
            }
            for (start, end) in first.iter().zip(&before) {
                assert!((start.b - end.b).length() < 1e-3 && (start.a - end.a).length() < 1e-3, "a turn later");
            }
        }
    }
    println!("largest twist in a step of one degree: {worst:.2} degrees ({at}); {beyond} of {compared} beyond 6");
    // A frame without memory twists by up to tan(turned / 2) of what its tangent turns, so a path that itself swings
    // by three degrees a step and has turned by 140 goes beyond joint step + 5 degrees. That is one in a hundred
    // thousand; anything more, or further, is a fault.
    assert!(worst < 10.0, "{worst} degrees: {at}");
    assert!(f64::from(beyond) < 2e-5 * f64::from(compared), "{beyond} of {compared} twist beyond 6 degrees");
}
