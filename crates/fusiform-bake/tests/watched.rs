//! A bake is watched and stopped: how far it has come never goes back, and whoever says stop is heard soon.

mod limb;

use fusiform_bake::{
    BakeError, BakeSettings, Baked, FrameSettings, JointSettings, Rigged, Stopped, Surroundings, bake_joints,
    bake_morphs, solve_frames,
};
use fusiform_files::gltf::{Gltf, Scene};
use limb::limb;
use std::time::{Duration, Instant};

const HOW: BakeSettings = BakeSettings {
    fps: 30.0,
    tolerance: 2e-4,
    max_targets: 64,
    looped: Some(true),
    activation: Vec::new(),
    surroundings: Surroundings { blows: Vec::new(), contacts: Vec::new() },
};

type Told<'a> = &'a mut dyn FnMut(f32) -> Result<(), Stopped>;

fn morphs(rigged: Rigged, how: &BakeSettings, told: Told) -> Result<Baked, BakeError> {
    bake_morphs(rigged, &[0], how, told)
}

fn joints(rigged: Rigged, how: &BakeSettings, told: Told) -> Result<Baked, BakeError> {
    bake_joints(rigged, &[0], how, &JointSettings { helpers: 6, ..JointSettings::default() }, told)
}

type Baking = fn(Rigged, &BakeSettings, Told) -> Result<Baked, BakeError>;

/// With tissue or without, whose bakes go other ways. Loops of tissue are left to the frames of a cache: they take long.
fn baked(has_tissue: bool, bake: Baking, told: &mut dyn FnMut(f32) -> Result<(), Stopped>) -> Result<Baked, BakeError> {
    let (character, mut musculature) = limb();
    if !has_tissue {
        musculature.layers.pop();
    }
    let mut gltf = Gltf::from_character(&character);
    let origin = Scene::read(&gltf).expect("a sound file").origin;
    gltf.set_musculature(&origin, &musculature);
    let how = BakeSettings { looped: Some(!has_tissue), ..HOW };
    bake(Rigged { gltf: &gltf, origin: &origin, character: &character, musculature: &musculature }, &how, told)
}

const ALL: [(bool, Baking); 4] = [(true, morphs), (false, morphs), (true, joints), (false, joints)];

#[test]
fn what_is_told_of_a_bake_never_goes_back_and_ends_at_all_of_it() {
    for (has_tissue, bake) in ALL {
        let mut heard = Vec::new();
        let told = &mut |done: f32| {
            heard.push(done);
            Ok(())
        };
        baked(has_tissue, bake, told).expect("a sound limb");
        assert!(heard.len() > 20, "{} tellings", heard.len());
        assert!(heard.is_sorted() && heard.iter().all(|done| (0.0..=1.0).contains(done)), "{heard:?}");
        assert_eq!(heard.last(), Some(&1.0));
    }
}

#[test]
fn a_bake_that_is_stopped_anywhere_stops_there() {
    for (has_tissue, bake) in ALL {
        for at in [0.0, 0.5, 0.9] {
            let mut after = 0;
            let told = &mut |done: f32| {
                if done < at {
                    return Ok(());
                }
                after += 1;
                Err(Stopped)
            };
            assert_eq!(baked(has_tissue, bake, told).err(), Some(BakeError::Stopped(Stopped)), "at {at}");
            assert_eq!(after, 1, "whoever says stop is not asked again");
        }
    }
}

#[test]
fn frames_of_a_cache_are_watched_and_stopped_alike() {
    let (character, musculature) = limb();
    let how =
        FrameSettings { fps: 30.0, looped: Some(true), activation: Vec::new(), surroundings: Surroundings::default() };
    let mut heard = Vec::new();
    let told = |done: f32| {
        heard.push(done);
        if done > 0.5 { Err(Stopped) } else { Ok(()) }
    };
    let solved = solve_frames(&character, &musculature, 0, &how, told);
    assert_eq!(solved.err(), Some(BakeError::Stopped(Stopped)));
    assert!(heard.is_sorted() && heard.iter().filter(|done| **done > 0.5).count() == 1, "{heard:?}");
}

/// On a body of the size people bake, the longest silence is what a cancel takes.
#[test]
#[ignore = "half a minute: a whole body"]
fn no_stage_of_a_large_bake_is_silent_for_long() {
    let made = fusiform_athlete::athlete(12_000).expect("a legal count");
    let mut gltf = Gltf::from_character(&made.character);
    let origin = Scene::read(&gltf).expect("a sound file").origin;
    gltf.set_musculature(&origin, &made.musculature);
    let rigged = Rigged { gltf: &gltf, origin: &origin, character: &made.character, musculature: &made.musculature };
    let clips: Vec<usize> = (0..made.character.clips.len()).collect();
    let (mut last, mut longest) = (Instant::now(), (Duration::ZERO, 0.0));
    let told = |done: f32| {
        if last.elapsed() > longest.0 {
            longest = (last.elapsed(), done);
        }
        last = Instant::now();
        Ok(())
    };
    bake_morphs(rigged, &clips, &BakeSettings { tolerance: 5e-4, looped: None, ..HOW }, told).expect("a sound body");
    println!("longest silence {:?}", longest);
    assert!(longest.0 < Duration::from_secs(3), "{longest:?}");
}
