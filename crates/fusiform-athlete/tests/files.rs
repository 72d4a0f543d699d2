//! The athlete in a file and back.

use fusiform::{Body, Character, Clip, Pose};
use fusiform_athlete::athlete;
use fusiform_files::gltf::{Gltf, Scene};
use glam::Affine3A;
use std::collections::HashMap;

/// Where every joint is in the middle of a clip, by name.
fn posed(character: &Character, clip: &Clip) -> HashMap<String, Affine3A> {
    let mut pose = Pose::rest(&character.skeleton);
    clip.sample(0.5 * clip.duration(), &mut pose);
    let names = character.skeleton.joints.iter().map(|joint| joint.name.clone());
    names.zip(pose.model_matrices(&character.skeleton)).collect()
}

#[test]
fn a_file_with_the_athlete_and_its_muscles_says_the_same_when_it_is_read() {
    let made = athlete(3_700).expect("the range is allowed");
    let mut file = Gltf::from_character(&made.character);
    let plain = Scene::read(&file).expect("what was written can be read");
    file.set_musculature(&plain.origin, &made.musculature);
    let bytes = file.to_glb().expect("it is small");
    let again = Gltf::read(&bytes, |_| Err("everything is inside".into())).expect("what was written can be read");
    let Scene { character, musculature, warnings, .. } = Scene::read(&again).expect("what was written can be read");
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(musculature.as_ref(), Some(&made.musculature));
    for (read, made_clip) in character.clips.iter().zip(&made.character.clips) {
        assert_eq!(read.name, made_clip.name);
        // joints may come in another order
        let (read, made_pose) = (posed(&character, read), posed(&made.character, made_clip));
        assert!(read.iter().all(|(name, at)| made_pose[name].abs_diff_eq(*at, 1e-5)), "{}", made_clip.name);
    }
    for (read, made) in character.meshes.iter().zip(&made.character.meshes) {
        assert_eq!((&read.triangles, &read.weights.start), (&made.triangles, &made.weights.start));
        // bind matrices go through their inverses and back
        assert!(read.positions.iter().zip(&made.positions).all(|(a, b)| a.distance(*b) < 1e-6));
    }
    Body::bind(&character, &made.musculature).expect("it binds as it did");

    file.remove_musculature();
    let removed = Scene::read(&file).expect("what was written can be read");
    assert_eq!((removed.musculature, removed.character), (None, plain.character));
}
