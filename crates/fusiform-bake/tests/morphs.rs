//! Whole bakes: the same bytes on any number of threads, and a file's own targets are left out of the error.

use fusiform::Character;
use fusiform_athlete::{Athlete, athlete};
use fusiform_bake::{BakeSettings, Baked, Rigged, Surroundings, bake_morphs};
use fusiform_files::gltf::{Gltf, PartMorphs, Scene, WeightTrack};
use glam::Vec3;

const TOLERANCE: f32 = 1e-3;

fn small() -> (Gltf, Athlete) {
    let made = athlete(3_700).expect("a legal count");
    let mut gltf = Gltf::from_character(&made.character);
    let origin = Scene::read(&gltf).expect("a sound file").origin;
    gltf.set_musculature(&origin, &made.musculature);
    (gltf, made)
}

fn flex(character: &Character) -> usize {
    character.clips.iter().position(|clip| clip.name == "flex").expect("it has that clip")
}

fn bake(gltf: &Gltf, clip: usize) -> Baked {
    let Scene { character, musculature, origin, .. } = Scene::read(gltf).expect("a sound file");
    let musculature = musculature.expect("it has muscles");
    let rigged = Rigged { gltf, origin: &origin, character: &character, musculature: &musculature };
    let settings = BakeSettings {
        fps: 15.0,
        tolerance: TOLERANCE,
        max_targets: 64,
        looped: None,
        activation: Vec::new(),
        surroundings: Surroundings::default(),
    };
    bake_morphs(rigged, &[clip], &settings, |_| Ok(())).expect("a sound body")
}

#[test]
fn a_bake_gives_the_same_bytes_on_one_thread_and_on_two() {
    let (gltf, made) = small();
    let clip = flex(&made.character);
    let [one, two] = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| bake(&gltf, clip))
    });
    assert!(one.targets[0] > 1, "the case must need targets");
    assert!(one.bytes == two.bytes, "the bytes are others");
    assert_eq!(one.clips, two.clips);
}

#[test]
fn targets_that_the_file_had_before_are_no_error_of_the_bake() {
    let (mut gltf, made) = small();
    let clip = flex(&made.character);
    let origin = Scene::read(&gltf).expect("a sound file").origin;
    let track = WeightTrack::linear(vec![0.0, 1.0], vec![0.2, 1.0]);
    let positions = vec![Vec3::X * 0.1; made.character.vertex_count()];
    let own = PartMorphs { part: 0, n_target: 1, positions, normals: Vec::new(), tracks: vec![(clip, track)] };
    gltf.add_morphs(&origin, &own).expect("a sound file");
    let baked = bake(&gltf, clip);
    let error = baked.clips[0].error;
    assert!(error.max <= TOLERANCE && error.max > 0.1 * TOLERANCE, "{error:?}");
    let shown = Scene::read(&baked.gltf).expect("a sound file");
    let playback = fusiform_files::gltf::Playback::read(&baked.gltf, &shown.origin).expect("a sound file");
    assert_eq!(playback.parts[0].n_target(), 1 + baked.targets[0]);
    assert_eq!(playback.parts[0].weights(Some(clip), 1.0)[0], 1.0, "and it plays on");
}
