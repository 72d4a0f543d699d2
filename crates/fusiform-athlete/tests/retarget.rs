//! Motions put on the athlete: captured ones, and its own on a body whose joints look elsewhere.
//!
//! The captures are not part of the project; without them their tests say so and pass.

use fusiform::{Clip, Joint, Pose, Skeleton, Transform};
use fusiform_athlete::{Athlete, VERTICES, athlete};
use fusiform_files::bvh;
use fusiform_fit::retarget::{Retargeted, Rig, retarget};
use fusiform_fit::{Role, Side};
use glam::{Affine3A, EulerRot, Quat, Vec3};
use std::io::Write as _;
use std::path::Path;
use std::sync::LazyLock;

static ATHLETE: LazyLock<Athlete> = LazyLock::new(|| athlete(*VERTICES.start()).expect("the range is allowed"));

/// Limbs whose direction must be the source's: from this role's joint to that one's.
const LIMBS: [(Role, Role); 4] = [
    (Role::UpperArm, Role::LowerArm),
    (Role::LowerArm, Role::Hand),
    (Role::UpperLeg, Role::LowerLeg),
    (Role::LowerLeg, Role::Foot),
];

struct Captured {
    skeleton: Skeleton,
    clip: Clip,
    on_athlete: Retargeted,
}

/// A capture and the same on the athlete, or nothing when the file is not there.
fn captured(name: &str) -> Option<Captured> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/bvh").join(name);
    let Ok(bytes) = std::fs::read(&path) else {
        _ = writeln!(std::io::stderr(), "SKIPPED: no motion capture at {}", path.display());
        return None;
    };
    let file = bvh::read(&bytes).expect("a BVH file");
    assert!((file.guess_unit() - 0.056_444).abs() < 1e-5, "CMU's unit");
    let (skeleton, clip) = file.skeleton_and_clip(name, 1.0);
    let on_athlete =
        retarget(&Rig::by_names(&skeleton), &clip, &Rig::by_names(&ATHLETE.character.skeleton), None).expect("it fits");
    Some(Captured { skeleton, clip, on_athlete })
}

impl Captured {
    fn frames(&self) -> usize {
        self.on_athlete.clip.channels[0].keys.times().len()
    }

    /// Source and athlete in that frame, as `model_from_joint`.
    fn frame(&self, frame: usize) -> [Vec<Affine3A>; 2] {
        let time = self.on_athlete.clip.channels[0].keys.times()[frame];
        let target = &ATHLETE.character.skeleton;
        [posed(&self.skeleton, &self.clip, self.on_athlete.start + time), posed(target, &self.on_athlete.clip, time)]
    }

    /// Rigs of source and athlete.
    fn rigs(&self) -> [Rig<'_>; 2] {
        [Rig::by_names(&self.skeleton), Rig::by_names(&ATHLETE.character.skeleton)]
    }
}

fn posed(skeleton: &Skeleton, clip: &Clip, time: f32) -> Vec<Affine3A> {
    let mut pose = Pose::rest(skeleton);
    clip.sample(time, &mut pose);
    pose.model_matrices(skeleton)
}

fn at(rig: &Rig, model: &[Affine3A], role: Role, side: Side) -> Vec3 {
    model[rig.roles.get(role, side).expect("a human body")].translation.into()
}

/// Lowest vertex of the athlete's skin, plainly blended.
fn lowest_skin(model: &[Affine3A]) -> f32 {
    let character = &ATHLETE.character;
    let matrices: Vec<Affine3A> =
        model.iter().zip(&character.skeleton.joints).map(|(model, joint)| *model * joint.bind.inverse()).collect();
    let mesh = &character.meshes[0];
    let height = |(v, &p): (usize, &Vec3)| -> f32 {
        mesh.weights.of(v).map(|(joint, weight)| matrices[joint as usize].transform_point3(p).y * weight).sum()
    };
    mesh.positions.iter().enumerate().map(height).fold(f32::INFINITY, f32::min)
}

/// Largest angle in degrees between a limb of the source and of the athlete, over all frames.
fn worst_limb(captured: &Captured) -> f32 {
    let rigs = captured.rigs();
    let mut worst: f32 = 0.0;
    for frame in 0..captured.frames() {
        let models = captured.frame(frame);
        for ((from, to), side) in LIMBS.into_iter().flat_map(|limb| Side::BOTH.map(|side| (limb, side))) {
            let [source, target] = [0, 1]
                .map(|body| at(&rigs[body], &models[body], to, side) - at(&rigs[body], &models[body], from, side));
            worst = worst.max(source.angle_between(target).to_degrees());
        }
    }
    worst
}

/// Lowest and highest, over all frames, that the lowest vertex of the skin is above the ground, metres.
fn ground(captured: &Captured) -> (f32, f32) {
    let lowest = (0..captured.frames()).map(|frame| lowest_skin(&captured.frame(frame)[1]));
    lowest.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
}

/// Largest turn of a joint from one frame to the next, degrees, over all joints; sound and unflipped on the way.
fn worst_step(captured: &Captured) -> f32 {
    let mut worst: f32 = 0.0;
    for channel in &captured.on_athlete.clip.channels {
        let fusiform::character::Keys::Rotation(track) = &channel.keys else { continue };
        assert!(track.values.iter().all(|turn| turn.is_finite() && turn.is_normalized()));
        for pair in track.values.windows(2) {
            assert!(pair[0].dot(pair[1]) > 0.0, "a quaternion flips");
            worst = worst.max(pair[0].angle_between(pair[1]).to_degrees());
        }
    }
    worst
}

/// The same of the source, looked at in the same frames.
fn worst_source_step(captured: &Captured) -> f32 {
    let pose = |frame: usize| {
        let mut pose = Pose::rest(&captured.skeleton);
        let time = captured.on_athlete.clip.channels[0].keys.times()[frame];
        captured.clip.sample(captured.on_athlete.start + time, &mut pose);
        pose.local
    };
    let step = |frame: usize| {
        let turns = pose(frame - 1).into_iter().zip(pose(frame));
        turns.map(|(a, b)| a.rotation.angle_between(b.rotation).to_degrees()).fold(0.0, f32::max)
    };
    (1..captured.frames()).map(step).fold(0.0, f32::max)
}

/// Largest angle, degrees, between the axis an elbow of the athlete bends about and the one it is built for; over how many
/// bent elbows.
fn worst_elbow(captured: &Captured) -> (f32, usize) {
    let rig = &captured.rigs()[1];
    let turn = |model: &[Affine3A], joint: usize| model[joint].to_scale_rotation_translation().1;
    let axis = |model: &[Affine3A], side: Side| {
        let [arm, elbow, wrist] = [Role::UpperArm, Role::LowerArm, Role::Hand].map(|role| at(rig, model, role, side));
        let upper = rig.roles.get(Role::UpperArm, side).expect("a human body");
        turn(model, upper).inverse() * (elbow - arm).normalize().cross((wrist - elbow).normalize())
    };
    let rest = Pose::rest(rig.skeleton).model_matrices(rig.skeleton);
    let (mut worst, mut bent): (f32, usize) = (0.0, 0);
    for frame in 0..captured.frames() {
        let model = &captured.frame(frame)[1];
        for side in Side::BOTH {
            let now = axis(model, side);
            if now.length() > 0.5 {
                bent += 1;
                worst = worst.max(now.angle_between(axis(&rest, side)).to_degrees());
            }
        }
    }
    (worst, bent)
}

/// What holds for any capture.
fn check(captured: &Captured) {
    let name = &captured.clip.name;
    let (limb, step) = (worst_limb(captured), worst_step(captured));
    let (low, high) = ground(captured);
    println!(
        "{name}: limbs {limb:.3} deg, step {step:.1} deg, lowest skin {:.1} to {:.1} cm, scale {:.5}, {:?}",
        low * 100.0,
        high * 100.0,
        captured.on_athlete.scale,
        captured.on_athlete.warnings
    );
    assert!(limb < 0.5, "{name}: a limb is {limb} degrees off");
    let source_step = worst_source_step(captured);
    println!("the source's largest step is {source_step:.1} deg");
    assert!(step < source_step + 10.0, "{name}: a joint turns {step} degrees in one frame, the source's {source_step}");
    assert!(low > -0.03, "{name}: the feet sink {low} m");
    let rigs = captured.rigs();
    for frame in 0..captured.frames() {
        let models = captured.frame(frame);
        let [source, target] = [0, 1].map(|body| {
            let hip = |side| at(&rigs[body], &models[body], Role::UpperLeg, side);
            (hip(Side::Left) - hip(Side::Right)).normalize()
        });
        assert!(source.dot(target) > 0.98, "{name}: left is not left in frame {frame}");
        for side in Side::BOTH {
            let [hip, knee, ankle, ball] = [Role::UpperLeg, Role::LowerLeg, Role::Foot, Role::Toes]
                .map(|role| at(&rigs[1], &models[1], role, side));
            let (thigh, shin) = ((knee - hip).normalize(), (ankle - knee).normalize());
            // A bent knee stands out to where the foot points.
            let out = (thigh - shin).normalize_or_zero();
            let bent = thigh.angle_between(shin).to_degrees();
            assert!(
                bent < 30.0 || out.dot((ball - ankle).normalize()) > 0.0,
                "{name}: a knee bends back in frame {frame}"
            );
        }
    }
}

#[test]
fn a_captured_walk_walks() {
    let Some(walk) = captured("cmu_07_01_walk.bvh") else { return };
    check(&walk);
    let (_, high) = ground(&walk);
    assert!(high < 0.03, "the walker floats {high} m");
    let hips = |frame: usize| Vec3::from(walk.frame(frame)[1][0].translation);
    let way = hips(walk.frames() - 1) - hips(0);
    assert!(way.z > 2.0 && way.x.abs() < 0.5, "two steps and more straight ahead: {way}");
    assert!(hips(0).with_y(0.0).length() < 0.1, "it starts where the athlete stands: {}", hips(0));
    assert!((hips(0).y - 0.965).abs() < 0.06, "upright: {}", hips(0));
    // Frame 0 of these files is a T-pose that nobody performed.
    assert!(walk.on_athlete.start > 0.0 && walk.on_athlete.warnings.iter().any(|line| line.contains("calibration")));
}

#[test]
fn a_captured_jump_leaves_the_ground_and_comes_back() {
    let Some(jump) = captured("cmu_16_01_jump.bvh") else { return };
    check(&jump);
    let height = |frame: usize| lowest_skin(&jump.frame(frame)[1]);
    let (_, high) = ground(&jump);
    assert!(high > 0.10, "{high} m");
    assert!(height(0) < 0.03 && height(jump.frames() - 1) < 0.03);
}

#[test]
fn a_captured_boxer_boxes() {
    let Some(boxing) = captured("cmu_13_18_boxing.bvh") else { return };
    check(&boxing);
    assert!((boxing.on_athlete.clip.duration() - 25.0).abs() < 0.1, "{}", boxing.on_athlete.clip.duration());
    let (elbow, bent) = worst_elbow(&boxing);
    println!("elbows bend {elbow:.2} deg beside their axis, {bent} times");
    assert!(bent > 1000 && elbow < 5.0, "{elbow} degrees, {bent} bent elbows");
    // Guard up: most of the time a hand is above the shoulder's height less a forearm, before the chest.
    let rigs = boxing.rigs();
    let guard = |&frame: &usize| {
        let model = &boxing.frame(frame)[1];
        let chest = at(&rigs[1], model, Role::UpperChest, Side::Left).y;
        Side::BOTH.iter().any(|&side| at(&rigs[1], model, Role::Hand, side).y > chest - 0.15)
    };
    let frames = boxing.frames();
    let up = (0..frames).filter(guard).count();
    println!("a hand is up in {up} of {frames} frames");
    assert!(up * 2 > frames, "a hand is up in {up} of {frames} frames");
}

/// The athlete's joints where they are, every one looking elsewhere.
fn reoriented(skeleton: &Skeleton) -> Skeleton {
    let mut other = Skeleton::default();
    for (i, joint) in skeleton.joints.iter().enumerate() {
        let x = i as f32;
        let turn = Quat::from_euler(EulerRot::XYZ, 7.1 * x + 1.0, 3.3 * x - 2.0, 5.7 * x);
        let bind = joint.bind * Affine3A::from_quat(turn);
        let parent = joint.parent.map_or(Affine3A::IDENTITY, |parent| other.joints[parent].bind);
        let (_, rotation, translation) = (parent.inverse() * bind).to_scale_rotation_translation();
        let rest = Transform { translation, rotation: rotation.normalize(), scale: Vec3::ONE };
        other.joints.push(Joint { name: joint.name.clone(), parent: joint.parent, rest, bind });
    }
    other
}

#[test]
fn the_athletes_own_motions_do_not_depend_on_where_joints_look() {
    let skeleton = &ATHLETE.character.skeleton;
    let other = reoriented(skeleton);
    for clip in &ATHLETE.character.clips {
        let again = retarget(&Rig::by_names(skeleton), clip, &Rig::by_names(&other), None).expect("the same body");
        assert!((again.scale - 1.0).abs() < 1e-5);
        let mut worst = (0.0, String::new());
        let frames = again.clip.channels[0].keys.times().len();
        for &time in again.clip.channels[0].keys.times() {
            let (mine, others) = (posed(skeleton, clip, time), posed(&other, &again.clip, time));
            for (joint, (a, b)) in skeleton.joints.iter().zip(mine.iter().zip(&others)) {
                // Fingers stay at rest, so what hangs on them is elsewhere.
                let apart = a.translation.distance(b.translation);
                if apart > worst.0 && !joint.name.starts_with("fingertips") {
                    worst = (apart, format!("{} at {time} s", joint.name));
                }
            }
        }
        println!("{}: {frames} frames, {:.3} mm ({})", clip.name, worst.0 * 1000.0, worst.1);
        let limit = if clip.name == "squat" { 1e-3 } else { 0.01 };
        assert!(worst.0 < limit, "{}: {worst:?}", clip.name);
    }
}
