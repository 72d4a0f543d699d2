//! One anatomy, many bodies (Lee, Test C): the presets do to the skin what their names say.

use fusiform::{Body, BodyState, Physique, Pose, StepInput};
use fusiform_athlete::{Athlete, athlete};
use glam::Vec3;

/// Largest distance from plain skinning over a clip, played at 60 frames a second; and its size in the last half second,
/// when the bones are nearly still.
fn distance_from_plain(athlete: &Athlete, physique: Physique, clip: &str) -> (f32, f32) {
    let Athlete { character, musculature } = athlete;
    let mut built = musculature.clone();
    built.physique = physique;
    let body = Body::bind(character, &built).expect("the athlete is sound");
    let plain = Body::bind(character, &fusiform::Musculature::plain()).expect("the athlete is sound");
    let (mut with, mut without) = (BodyState::new(&body), BodyState::new(&plain));
    let clip = character.clip(clip).expect("the athlete has this clip");
    let mut pose = Pose::rest(&character.skeleton);
    let (mut largest, mut still) = (0.0_f32, Vec::<Vec<Vec3>>::new());
    let frames = (clip.duration() * 60.0) as usize;
    for frame in 0..frames {
        clip.sample(frame as f32 / 60.0, &mut pose);
        let matrices = pose.model_matrices(&character.skeleton);
        let input = StepInput::new(&matrices, 1.0 / 60.0);
        body.step(&mut with, &input);
        plain.step(&mut without, &input);
        let apart: Vec<Vec3> = with.positions().iter().zip(without.positions()).map(|(a, b)| *a - *b).collect();
        largest = apart.iter().fold(largest, |most, d| most.max(d.length()));
        if frame + 30 >= frames {
            still.push(apart);
        }
    }
    let swing = |v: usize| {
        let mean = still.iter().map(|frame| frame[v]).sum::<Vec3>() / still.len() as f32;
        still.iter().fold(0.0_f32, |most, frame| most.max((frame[v] - mean).length()))
    };
    let jiggle = (0..character.vertex_count()).map(swing).fold(0.0, f32::max);
    (largest * 1000.0, jiggle * 1000.0)
}

#[test]
fn a_brute_swells_most_the_gaunt_least_and_jelly_jiggles() {
    let athlete = athlete(3700).unwrap();
    let [athletic, brute, gaunt] = [Physique::ATHLETE, Physique::BRUTE, Physique::GAUNT]
        .map(|physique| distance_from_plain(&athlete, physique, "curl").0);
    println!("curl, largest distance from plain: gaunt {gaunt:.1} mm, athlete {athletic:.1}, brute {brute:.1}");
    assert!(gaunt < 0.8 * athletic && athletic < 0.8 * brute);
    let [firm, jelly] =
        [Physique::ATHLETE, Physique::JELLY].map(|physique| distance_from_plain(&athlete, physique, "jump_landing").1);
    println!("jump_landing, jiggle in the last half second: athlete {firm:.1} mm, jelly {jelly:.1}");
    assert!(jelly > 1.5 * firm);
}
