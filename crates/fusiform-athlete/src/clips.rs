//! Five motions: curl, flex, squat, jump landing, and a combination of punches and a kick.
//!
//! Each is a handful of stances in time, joined by smooth curves and written out as dense keys. Feet are placed, not
//! angled, so what stands stands still.

use crate::pose::{Arm, Combine as _, Leg, Solver, Stance};
use fusiform::character::{Channel, Interpolation, Keys, Track};
use fusiform::{Clip, Pose, Skeleton};
use glam::{Vec3, vec3};

/// Keys per second.
const RATE: f32 = 60.0;

/// Metres per second squared.
const GRAVITY: f32 = 9.81;

/// A stance in time.
struct Key {
    seconds: f32,
    stance: Stance,
    /// Whether the body moves through it; otherwise it comes to rest there.
    flows: bool,
}

fn hold(seconds: f32, stance: Stance) -> Key {
    Key { seconds, stance, flows: false }
}

fn pass(seconds: f32, stance: Stance) -> Key {
    Key { seconds, stance, flows: true }
}

const HANGING: Arm = Arm {
    upper: vec3(0.20, -0.97, -0.06),
    fore: vec3(0.10, -0.95, 0.24),
    palm: vec3(-0.97, -0.10, -0.10),
    fist: 0.15,
    shrug: [-0.05, 0.0],
};

const PLANTED: Leg = Leg { step: Vec3::ZERO, yaw: 0.0, heel: 0.0, toes: 0.0, knee: vec3(0.10, 0.0, 1.0) };

/// How the athlete stands when nothing is asked of it.
const NATURAL: Stance = Stance {
    hips: vec3(0.0, -0.006, 0.0),
    lift: 0.0,
    pelvis: Vec3::ZERO,
    trunk: Vec3::ZERO,
    head: Vec3::ZERO,
    arms: [HANGING; 2],
    legs: [PLANTED; 2],
};

/// All clips of the athlete.
pub(crate) fn clips(skeleton: &Skeleton) -> Vec<Clip> {
    let solver = Solver::new(skeleton);
    let written = |name: &str, keys: &[Key]| write(name, skeleton, keys, |t| solver.solve(&at(keys, t)));
    let jump = jump_keys();
    let jump_landing = write("jump_landing", skeleton, &jump, |t| {
        let mut stance = at(&jump, t);
        stance.lift = flight(t);
        solver.solve(&stance)
    });
    vec![
        written("curl", &curl_keys()),
        written("flex", &flex_keys()),
        written("squat", &squat_keys()),
        jump_landing,
        written("combo", &combo_keys()),
    ]
}

/// The stance at a time: cubic Hermite curves through the keys.
fn at(keys: &[Key], time: f32) -> Stance {
    let after = keys.iter().position(|key| key.seconds > time).unwrap_or(keys.len() - 1).max(1);
    let (a, b) = (&keys[after - 1], &keys[after]);
    let length = b.seconds - a.seconds;
    let t = ((time - a.seconds) / length).clamp(0.0, 1.0);
    let (t2, t3) = (t * t, t * t * t);
    let [h0, g0, h1, g1] = [2.0 * t3 - 3.0 * t2 + 1.0, t3 - 2.0 * t2 + t, -2.0 * t3 + 3.0 * t2, t3 - t2];
    let mut terms = vec![(h0, a.stance), (h1, b.stance)];
    for (index, weight) in [(after - 1, g0), (after, g1)] {
        if keys[index].flows && index > 0 && index + 1 < keys.len() {
            let (before, next) = (&keys[index - 1], &keys[index + 1]);
            let slope = weight * length / (next.seconds - before.seconds);
            terms.extend([(slope, next.stance), (-slope, before.stance)]);
        }
    }
    Stance::combine(&terms)
}

/// Dense keys of every joint that moves.
fn write(name: &str, skeleton: &Skeleton, keys: &[Key], solve: impl Fn(f32) -> Pose) -> Clip {
    let duration = keys.last().map_or(0.0, |key| key.seconds);
    let n = (duration * RATE).round() as usize;
    let times: Vec<f32> = (0..=n).map(|i| i as f32 / RATE).collect();
    let poses: Vec<Pose> = times.iter().map(|&t| solve(t)).collect();
    let track = |values| Track { times: times.clone(), values, interpolation: Interpolation::Linear };
    let translation = poses.iter().map(|pose| pose.local[0].translation).collect();
    let mut channels = vec![Channel { joint: 0, keys: Keys::Translation(track(translation)) }];
    for joint in 0..skeleton.joints.len() {
        let rotation = poses.iter().map(|pose| pose.local[joint].rotation).collect();
        let track = Track { times: times.clone(), values: rotation, interpolation: Interpolation::Linear };
        channels.push(Channel { joint, keys: Keys::Rotation(track) });
    }
    Clip { name: name.into(), channels }
}

/// The same on both sides.
fn both_arms(stance: Stance, arm: Arm) -> Stance {
    Stance { arms: [arm; 2], ..stance }
}

/// Forearm direction of an elbow flexed by so many degrees, the upper arm hanging.
fn flexed(degrees: f32) -> Vec3 {
    let (sin, cos) = (libm::sinf(degrees.to_radians()), libm::cosf(degrees.to_radians()));
    let down = HANGING.upper.normalize();
    let forward = (Vec3::Z - down * down.z + vec3(-0.12, 0.0, 0.0)).normalize();
    down * cos + forward * sin
}

fn curl_keys() -> Vec<Key> {
    let arm = |degrees: f32, fist: f32| {
        // palms turn up on the way, though not quite
        let fore = flexed(degrees);
        let turned = (degrees / 60.0).min(1.0);
        let palm = HANGING.palm * (1.0 - 0.5 * turned) + palm_up(fore) * turned;
        Arm { upper: vec3(0.18, -0.97, 0.02), fore, palm, fist, shrug: [-0.04, 0.0] }
    };
    let stance = |degrees: f32, fist: f32| both_arms(NATURAL, arm(degrees, fist));
    vec![
        hold(0.0, NATURAL),
        hold(0.4, stance(12.0, 0.9)),
        pass(0.75, stance(60.0, 1.0)),
        pass(1.05, stance(110.0, 1.0)),
        hold(1.4, stance(135.0, 1.0)),
        hold(1.75, stance(135.0, 1.0)),
        pass(2.15, stance(105.0, 1.0)),
        pass(2.5, stance(60.0, 1.0)),
        hold(2.9, stance(12.0, 0.9)),
        hold(3.3, NATURAL),
    ]
}

/// Palm of a hand whose forearm is flexed in front of the body with the thumb outward.
fn palm_up(fore: Vec3) -> Vec3 {
    fore.cross(Vec3::X).normalize()
}

fn flex_keys() -> Vec<Key> {
    let breathe = Stance { trunk: vec3(-0.10, 0.0, 0.0), head: vec3(0.02, 0.0, 0.0), ..NATURAL };
    let rise = |upper, fore, palm, fist| Arm { upper, fore, palm, fist, shrug: [0.10, 0.0] };
    let sweep = rise(vec3(0.75, -0.62, 0.22), vec3(0.55, -0.05, 0.85), vec3(-0.55, 0.55, 0.4), 0.7);
    let lifted = rise(vec3(0.95, -0.05, 0.20), vec3(0.30, 0.80, 0.60), vec3(-0.80, 0.45, -0.25), 0.95);
    let shown = Arm {
        shrug: [0.12, 0.0],
        ..rise(vec3(0.99, 0.03, 0.10), vec3(-0.36, 0.92, 0.06), vec3(-0.88, -0.42, -0.1), 1.0)
    };
    let squeezed = Arm { fore: vec3(-0.54, 0.84, 0.06), ..shown };
    vec![
        hold(0.0, NATURAL),
        pass(0.45, both_arms(breathe, sweep)),
        pass(0.75, both_arms(breathe, lifted)),
        hold(1.15, both_arms(breathe, shown)),
        hold(1.55, both_arms(breathe, squeezed)),
        hold(2.0, both_arms(breathe, squeezed)),
        pass(2.45, both_arms(breathe, lifted)),
        pass(2.75, both_arms(breathe, sweep)),
        hold(3.3, NATURAL),
    ]
}

fn squat_keys() -> Vec<Key> {
    let ahead = Arm {
        upper: vec3(0.14, -0.36, 0.94),
        fore: vec3(-0.12, 0.02, 1.0),
        palm: vec3(-0.5, -0.85, 0.0),
        fist: 0.2,
        shrug: [0.0, 0.12],
    };
    let halfway = Arm { upper: vec3(0.16, -0.62, 0.70), fore: vec3(-0.04, -0.42, 0.90), ..ahead };
    let knees_out = Leg { knee: vec3(0.28, 0.0, 1.0), ..PLANTED };
    let half = Stance {
        hips: vec3(0.0, -0.17, -0.085),
        pelvis: vec3(0.36, 0.0, 0.0),
        trunk: vec3(0.10, 0.0, 0.0),
        head: vec3(-0.22, 0.0, 0.0),
        arms: [halfway; 2],
        legs: [knees_out; 2],
        ..NATURAL
    };
    let low = Stance {
        hips: vec3(0.0, -0.43, -0.165),
        pelvis: vec3(0.52, 0.0, 0.0),
        trunk: vec3(0.14, 0.0, 0.0),
        head: vec3(-0.38, 0.0, 0.0),
        arms: [ahead; 2],
        legs: [Leg { knee: vec3(0.36, 0.0, 1.0), ..PLANTED }; 2],
        ..NATURAL
    };
    vec![hold(0.0, NATURAL), pass(0.55, half), hold(1.15, low), hold(1.45, low), pass(2.0, half), hold(2.6, NATURAL)]
}

/// When the athlete leaves the floor and when it lands, seconds.
const TAKE_OFF: f32 = 0.95;
const LANDING: f32 = 1.45;

/// Height of the body's ballistic flight over its take-off, metres.
fn flight(t: f32) -> f32 {
    let (since, left) = (t - TAKE_OFF, LANDING - t);
    0.5 * GRAVITY * since.max(0.0) * left.max(0.0)
}

fn crouch(depth: f32, lean: f32, arm: Arm) -> Stance {
    Stance {
        hips: vec3(0.0, -depth, -0.36 * depth),
        pelvis: vec3(lean * 0.75, 0.0, 0.0),
        trunk: vec3(lean * 0.35, 0.0, 0.0),
        head: vec3(-lean * 0.5, 0.0, 0.0),
        arms: [arm; 2],
        legs: [Leg { knee: vec3(0.22, 0.0, 1.0), ..PLANTED }; 2],
        ..NATURAL
    }
}

fn jump_keys() -> Vec<Key> {
    let arm = |upper, fore| Arm { upper, fore, palm: vec3(-0.9, -0.3, 0.0), fist: 0.3, shrug: [0.0, 0.0] };
    let back = arm(vec3(0.28, -0.80, -0.55), vec3(0.20, -0.97, -0.10));
    let swung = arm(vec3(0.30, 0.05, 0.95), vec3(0.10, 0.45, 0.90));
    let floating = arm(vec3(0.62, -0.35, 0.60), vec3(0.35, -0.10, 0.90));
    let braking = arm(vec3(0.50, -0.80, 0.25), vec3(0.30, -0.60, 0.75));
    // at take-off and landing the body stands on its toes: ankles as high as the heels are lifted
    let tiptoe = |arms: Arm, heel: f32| Stance {
        hips: vec3(0.0, 0.055, 0.03),
        pelvis: vec3(0.04, 0.0, 0.0),
        arms: [arms; 2],
        legs: [Leg { heel, toes: heel, knee: vec3(0.15, 0.0, 1.0), ..PLANTED }; 2],
        ..NATURAL
    };
    let tucked = Stance {
        hips: vec3(0.0, 0.02, 0.0),
        pelvis: vec3(0.16, 0.0, 0.0),
        legs: [Leg { heel: 0.75, toes: 0.1, step: vec3(0.0, 0.05, -0.03), ..PLANTED }; 2],
        ..tiptoe(floating, 0.7)
    };
    let touching = Stance { hips: vec3(0.0, 0.005, 0.0), pelvis: vec3(0.15, 0.0, 0.0), ..tiptoe(floating, 0.40) };
    vec![
        hold(0.0, NATURAL),
        hold(0.62, crouch(0.27, 0.75, back)),
        pass(0.80, crouch(0.13, 0.45, arm(vec3(0.25, -0.95, 0.20), vec3(0.15, -0.85, 0.50)))),
        pass(TAKE_OFF, tiptoe(swung, 0.60)),
        pass(0.5 * (TAKE_OFF + LANDING), tucked),
        pass(LANDING, touching),
        pass(LANDING + 0.07, Stance { hips: vec3(0.0, -0.13, -0.05), ..crouch(0.13, 0.40, floating) }),
        hold(LANDING + 0.20, crouch(0.30, 0.75, braking)),
        pass(LANDING + 0.55, crouch(0.17, 0.42, braking)),
        hold(LANDING + 1.05, crouch(0.0, 0.0, HANGING)),
        hold(LANDING + 1.35, NATURAL),
    ]
}

/// Fighting stance: left foot ahead, both fists up.
fn guard() -> Stance {
    let lead = Arm {
        upper: vec3(0.22, -0.80, 0.54),
        fore: vec3(-0.30, 0.82, 0.45),
        palm: vec3(-0.85, -0.25, -0.30),
        fist: 1.0,
        shrug: [0.06, 0.10],
    };
    let rear = Arm { upper: vec3(0.30, -0.93, 0.22), fore: vec3(-0.42, 0.78, 0.50), ..lead };
    Stance {
        hips: vec3(0.0, -0.075, 0.0),
        lift: 0.0,
        pelvis: vec3(0.06, -0.40, 0.0),
        trunk: vec3(0.14, -0.15, 0.0),
        head: vec3(-0.05, 0.45, 0.0),
        arms: [lead, rear],
        legs: [
            Leg { step: vec3(0.02, 0.0, 0.20), yaw: -0.25, knee: vec3(-0.1, 0.0, 1.0), ..PLANTED },
            Leg { step: vec3(0.04, 0.0, -0.20), yaw: 0.35, heel: 0.30, toes: 0.30, knee: vec3(0.55, 0.0, 1.0) },
        ],
    }
}

/// Between two stances one foot steps after the other: left foot in the air, both down, right foot in the air.
fn steps(from: Stance, to: Stance) -> [Stance; 3] {
    let lifted = |side: usize| {
        let mut leg = Leg::combine(&[(0.5, from.legs[side]), (0.5, to.legs[side])]);
        leg.step.y += 0.05;
        leg.heel += 0.25;
        leg
    };
    let at = |share: f32, legs: [Leg; 2]| Stance { legs, ..Stance::combine(&[(1.0 - share, from), (share, to)]) };
    [at(0.25, [lifted(0), from.legs[1]]), at(0.50, [to.legs[0], from.legs[1]]), at(0.75, [to.legs[0], lifted(1)])]
}

fn combo_keys() -> Vec<Key> {
    let guard = guard();
    let straight = |upper, fore| Arm { upper, fore, palm: vec3(-0.25, -1.0, 0.0), fist: 1.0, shrug: [0.10, 0.32] };
    let jab = Stance {
        hips: vec3(0.0, -0.09, 0.05),
        pelvis: vec3(0.06, -0.52, 0.0),
        trunk: vec3(0.12, -0.38, 0.0),
        head: vec3(-0.04, 0.75, 0.0),
        arms: [straight(vec3(-0.02, 0.00, 1.0), vec3(-0.20, 0.10, 1.0)), guard.arms[1]],
        ..guard
    };
    let cross = Stance {
        hips: vec3(0.02, -0.10, 0.07),
        pelvis: vec3(0.08, 0.30, 0.0),
        trunk: vec3(0.16, 0.50, 0.0),
        head: vec3(-0.06, -0.55, 0.0),
        arms: [
            Arm { upper: vec3(0.35, -0.88, 0.30), ..guard.arms[0] },
            straight(vec3(-0.12, 0.00, 1.0), vec3(-0.34, 0.08, 1.0)),
        ],
        legs: [guard.legs[0], Leg { heel: 0.62, toes: 0.62, yaw: -0.15, knee: vec3(0.0, 0.0, 1.0), ..guard.legs[1] }],
        ..guard
    };
    // the right leg: knee up first, then the foot
    let chamber = Stance {
        hips: vec3(0.06, -0.045, 0.10),
        pelvis: vec3(-0.10, 0.15, 0.10),
        trunk: vec3(0.10, -0.10, -0.05),
        head: vec3(0.0, -0.05, -0.05),
        legs: [
            Leg { yaw: 0.25, knee: vec3(0.2, 0.0, 1.0), ..guard.legs[0] },
            Leg { step: vec3(-0.05, 0.52, 0.20), yaw: 0.0, heel: 0.75, toes: -0.2, knee: vec3(0.05, 0.45, 1.0) },
        ],
        ..guard
    };
    let kick = Stance {
        hips: vec3(0.06, -0.02, 0.18),
        pelvis: vec3(-0.42, 0.25, 0.12),
        trunk: vec3(0.05, -0.15, -0.05),
        head: vec3(0.12, -0.10, -0.05),
        legs: [
            Leg { yaw: 0.45, knee: vec3(0.35, 0.0, 1.0), ..guard.legs[0] },
            Leg { step: vec3(-0.06, 1.06, 0.98), yaw: 0.0, heel: -0.55, toes: 0.5, knee: vec3(0.0, 1.0, 0.3) },
        ],
        ..guard
    };
    let [left_up, between, right_up] = steps(NATURAL, guard);
    let [left_back, between_back, right_back] = steps(guard, NATURAL);
    vec![
        hold(0.0, NATURAL),
        pass(0.13, left_up),
        pass(0.26, between),
        pass(0.39, right_up),
        hold(0.52, guard),
        hold(0.66, jab),
        pass(0.82, guard),
        hold(1.02, cross),
        hold(1.35, guard),
        pass(1.65, chamber),
        hold(1.82, kick),
        pass(2.02, chamber),
        hold(2.45, guard),
        pass(2.62, left_back),
        pass(2.79, between_back),
        pass(2.96, right_back),
        hold(3.13, NATURAL),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_clips_start_and_end_alike() {
        let skeleton = crate::skeleton();
        let clips = clips(&skeleton);
        assert_eq!(
            clips.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(),
            ["curl", "flex", "squat", "jump_landing", "combo"]
        );
        for clip in &clips {
            assert!((2.0..=4.0).contains(&clip.duration()), "{} takes {} s", clip.name, clip.duration());
            let (mut first, mut last) = (Pose::rest(&skeleton), Pose::rest(&skeleton));
            clip.sample(0.0, &mut first);
            clip.sample(clip.duration(), &mut last);
            for (a, b) in first.local.iter().zip(&last.local) {
                assert!(a.rotation.dot(b.rotation).abs() > 0.9999, "{}", clip.name);
            }
        }
    }
}
