//! Tissue through a bake: what is kept is what the live solver shows, and a loop has no seam.

mod limb;

use fusiform::character::Pose;
use fusiform::{Body, BodyState, Detail, StepInput};
use fusiform_bake::{BakeSettings, Rigged, Start, Surroundings, Take, bake_joints, bake_morphs};
use fusiform_bake::{Baked, JointSettings, parts_of_frame};
use fusiform_files::gltf::{Gltf, Playback, Scene, skin};
use glam::{Affine3A, Vec3};
use limb::{LAP, limb};

const FPS: f32 = 30.0;
const TOLERANCE: f32 = 5e-5;
/// What a seam may be in place, m, and what that is in velocity over one frame, m/s.
const SEAM: f32 = 1e-4;

fn apart(a: &[Vec3], b: &[Vec3]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0.0, |far: f32, (a, b)| far.max(a.distance(*b)))
}

fn frames(take: &mut Take) -> Vec<Vec<Vec3>> {
    let mut frames = Vec::new();
    take.each_frame(Detail::POSITIONS, |take| frames.push(take.state().positions().to_vec()));
    frames
}

#[test]
fn what_is_kept_is_what_the_solver_shows_to_the_bit() {
    let (character, musculature) = limb();
    let body = Body::bind(&character, &musculature).expect("a sound limb");
    let mut kept = Take::of(&body, &character, 0, &[], FPS, Some(false));
    let mut live = kept.clone();
    kept.keep(|_| Ok(())).expect("nobody stops it");
    let moments = kept.moments();
    assert_eq!(moments.len(), 2 * live.times().len() - 1);
    let mut midway = None;
    for moment in &moments {
        kept.show(moment, Detail::default());
        if moment.is_key {
            live.advance(Detail::default());
            assert!(kept.state().positions() == live.state().positions(), "at {} s", moment.time);
            assert!(kept.state().normals() == live.state().normals(), "at {} s", moment.time);
            assert_eq!(kept.since_bind(), live.since_bind());
            live.midway(Detail::POSITIONS, |live, time| midway = Some((time, live.state().positions().to_vec())));
        } else {
            let (time, skin) = midway.take().expect("the solver has one too");
            assert!(time == moment.time && skin == kept.state().positions(), "midway at {time} s");
        }
    }
}

/// How far the first frame is from the last, m, and the velocity over the first frame from that over the frame that a live
/// player shows after the last, m/s.
fn seam_of(body: &Body, character: &fusiform::Character, looped: bool) -> (f32, f32) {
    let mut take = Take::of(body, character, 0, &[], FPS, Some(looped));
    let Start { world_from_model, pace, .. } = take.start();
    let frames = frames(&mut take);
    let (first, last) = (&frames[0], &frames[frames.len() - 1]);
    let dt = take.times()[1];
    let mut state: BodyState = take.state().clone();
    let mut pose = Pose::rest(&character.skeleton);
    let parts = parts_of_frame(body, dt);
    for part in 1..=parts {
        character.clips[0].sample(dt * part as f32 / parts as f32, &mut pose);
        let joints = pose.model_matrices(&character.skeleton);
        let mut input = StepInput::new(&joints, pace * dt / parts as f32);
        input.world_from_model = world_from_model;
        body.step(&mut state, &input);
    }
    let velocity = |before: &[Vec3], after: &[Vec3]| -> Vec<Vec3> {
        before.iter().zip(after).map(|(before, after)| (*after - *before) / dt).collect()
    };
    (apart(first, last), apart(&velocity(first, &frames[1]), &velocity(last, state.positions())))
}

#[test]
fn a_loop_of_tissue_ends_where_it_began_and_as_fast() {
    let (character, musculature) = limb();
    let body = Body::bind(&character, &musculature).expect("a sound limb");
    assert!(
        (body.lap_pace(LAP) - 170.0 / 170.4).abs() < 1e-6 && body.lap_pace(1.5) == 1.0 && body.lap_pace(0.0) == 1.0
    );
    let (place, velocity) = seam_of(&body, &character, true);
    let (place_from_rest, velocity_from_rest) = seam_of(&body, &character, false);
    println!(
        "as a loop {:.4} mm, {:.3} mm/s; from rest {:.4} mm, {:.3} mm/s",
        1e3 * place,
        1e3 * velocity,
        1e3 * place_from_rest,
        1e3 * velocity_from_rest
    );
    assert!(place_from_rest > 10.0 * SEAM && velocity_from_rest > 10.0 * SEAM * FPS, "the case must need it");
    assert!(place < SEAM, "{place} m");
    assert!(velocity < SEAM * FPS, "{velocity} m/s");
}

#[test]
fn flesh_swings_the_same_at_any_rate_of_frames() {
    let (character, musculature) = limb();
    let mut without = musculature.clone();
    without.layers.pop();
    let [body, still] = [&musculature, &without].map(|of| Body::bind(&character, of).expect("a sound limb"));
    // every 1/15 s
    let seen = |body: &Body, fps: usize| -> Vec<Vec<Vec3>> {
        let mut take = Take::of(body, &character, 0, &[], fps as f32, Some(false));
        let frames = frames(&mut take);
        (0..10).map(|k| frames[k * fps / 15].clone()).collect()
    };
    let farthest =
        |a: &[Vec<Vec3>], b: &[Vec<Vec3>]| a.iter().zip(b).fold(0.0, |far: f32, (a, b)| far.max(apart(a, b)));
    let (fine, swing) = (seen(&body, 120), farthest(&seen(&body, 120), &seen(&still, 120)));
    for fps in [15, 30, 60] {
        let off = farthest(&fine, &seen(&body, fps));
        println!("{fps} fps: {:.3} mm of {:.2} mm", 1e3 * off, 1e3 * swing);
        assert!(off < 0.02 * swing, "{fps} fps: {off} of {swing} m");
    }
}

fn settings(looped: bool) -> BakeSettings {
    BakeSettings {
        fps: FPS,
        tolerance: TOLERANCE,
        max_targets: 256,
        looped: Some(looped),
        activation: Vec::new(),
        surroundings: Surroundings::default(),
    }
}

fn baked(bake: impl FnOnce(Rigged) -> Baked) -> Baked {
    let (character, musculature) = limb();
    let mut gltf = Gltf::from_character(&character);
    let origin = Scene::read(&gltf).expect("a sound file").origin;
    gltf.set_musculature(&origin, &musculature);
    bake(Rigged { gltf: &gltf, origin: &origin, character: &character, musculature: &musculature })
}

/// The skin of a baked file at a moment of its clip, as any player shows it.
fn played(baked: &Baked, time: f32) -> Vec<Vec3> {
    let file = Gltf::read(&baked.bytes, |_| Err("a bake holds everything".into())).expect("a sound file");
    let Scene { character, origin, .. } = Scene::read(&file).expect("a sound file");
    let playback = Playback::read(&file, &origin).expect("a sound file");
    let mut points = playback.morphed(&character, Some(0), time);
    let mut pose = Pose::rest(&character.skeleton);
    character.clips[0].sample(time, &mut pose);
    let now = pose.model_matrices(&character.skeleton);
    let since_bind: Vec<Affine3A> =
        now.iter().zip(&character.skeleton.joints).map(|(now, joint)| *now * joint.bind.inverse()).collect();
    skin(&character.meshes[0].weights, 0..points.len(), &since_bind, &mut points);
    points
}

#[test]
fn a_baked_loop_of_tissue_has_no_seam_and_shows_what_the_solver_does() {
    let [looped, once] = [true, false]
        .map(|looped| baked(|rigged| bake_morphs(rigged, &[0], &settings(looped), |_| Ok(())).expect("a sound limb")));
    let seam = |baked: &Baked| apart(&played(baked, 0.0), &played(baked, LAP));
    println!("{:.4} mm as a loop, {:.4} mm from rest; {:?}", 1e3 * seam(&looped), 1e3 * seam(&once), looped.clips);
    assert!(looped.clips[0].error.max <= TOLERANCE, "{:?}", looped.clips[0]);
    assert!(seam(&looped) < SEAM, "{} m", seam(&looped));
    assert!(seam(&once) > 10.0 * SEAM, "the case must need it");
    let (character, musculature) = limb();
    let body = Body::bind(&character, &musculature).expect("a sound limb");
    let mut live = Take::of(&body, &character, 0, &[], FPS, Some(true));
    let (times, frames) = (live.times().to_vec(), frames(&mut live));
    for (time, frame) in times.iter().zip(&frames) {
        let off = apart(frame, &played(&looped, *time));
        assert!(off <= TOLERANCE + 1e-6, "{off} m at {time} s");
    }
}

#[test]
fn helper_joints_of_tissue_are_held_against_the_same_skin() {
    let joints = JointSettings { helpers: 8, ..JointSettings::default() };
    let baked = baked(|rigged| bake_joints(rigged, &[0], &settings(false), &joints, |_| Ok(())).expect("a sound limb"));
    let (character, musculature) = limb();
    let body = Body::bind(&character, &musculature).expect("a sound limb");
    let mut live = Take::of(&body, &character, 0, &[], FPS, Some(false));
    let worst = live
        .times()
        .to_vec()
        .iter()
        .zip(frames(&mut live))
        .fold(0.0, |worst: f32, (time, frame)| worst.max(apart(&frame, &played(&baked, *time))));
    let told = baked.clips[0].error.max;
    assert!((worst - told).abs() < 1e-6, "{worst} m, and {told} m were told");
}
