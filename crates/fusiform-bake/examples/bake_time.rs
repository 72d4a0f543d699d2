//! Time of a whole bake of a ten-second clip, stage by stage:
//! `cargo run --release -p fusiform-bake --example bake_time -- 20000 curl curl curl`. The clips named follow each other in
//! one; a number before them is how many vertices, a second one the tolerance in millimetres.

use fusiform::character::{Keys, Track};
use fusiform::{Character, Clip};
use fusiform_athlete::{Athlete, athlete};
use fusiform_bake::{BakeSettings, Rigged, Surroundings, bake_morphs};
use fusiform_files::gltf::{Gltf, Scene};
use std::time::Instant;

/// How far `progress` is when each stage is done.
const STAGES: [(&str, f32); 5] =
    [("play", 0.2), ("factor", 0.6), ("normals", 0.7), ("write", 0.75), ("read back", 1.0)];

fn main() {
    let mut arguments = std::env::args().skip(1).peekable();
    let mut number = || arguments.next_if(|a| a.parse::<f32>().is_ok()).and_then(|a| a.parse::<f32>().ok());
    let (vertices, tolerance) = (number().unwrap_or(20_000.0) as usize, 1e-3 * number().unwrap_or(0.5));
    let names: Vec<String> = arguments.collect();
    let Athlete { mut character, musculature } = athlete(vertices).expect("a legal count");
    if !names.is_empty() {
        character.clips = vec![in_sequence(&character, &names)];
    }
    let mut gltf = Gltf::from_character(&character);
    let scene = Scene::read(&gltf).expect("a sound file");
    gltf.set_musculature(&scene.origin, &musculature);
    let Scene { character, origin, .. } = scene;
    let rigged = Rigged { gltf: &gltf, origin: &origin, character: &character, musculature: &musculature };
    let clips: Vec<usize> = (0..character.clips.len()).collect();
    let settings = BakeSettings {
        fps: 30.0,
        tolerance,
        max_targets: 64,
        looped: None,
        activation: Vec::new(),
        surroundings: Surroundings::default(),
    };
    let seconds: f32 = character.clips.iter().map(Clip::duration).sum();
    println!("{} vertices, {seconds:.2} s", character.vertex_count());
    for _ in 0..3 {
        let start = Instant::now();
        let mut heard = Vec::new();
        let told = |done| {
            heard.push((done, start.elapsed().as_secs_f64()));
            Ok(())
        };
        let baked = bake_morphs(rigged, &clips, &settings, told).expect("a sound body");
        let total = start.elapsed().as_secs_f64();
        let mut before = 0.0;
        let stages = STAGES.map(|(name, end)| {
            let until = heard.iter().filter(|(done, _)| *done <= end + 1e-4).map(|h| h.1).fold(before, f64::max);
            let took = until - before;
            before = until;
            format!("{name} {took:.3}")
        });
        let error = baked.clips.iter().map(|clip| clip.error.max).fold(0.0, f32::max);
        println!("{total:.3} s: {}; {:?} targets, {:.3} mm", stages.join(", "), baked.targets, 1e3 * error);
    }
}

/// Those clips, one after the other.
fn in_sequence(character: &Character, names: &[String]) -> Clip {
    let (mut channels, mut start) = (Vec::<fusiform::character::Channel>::new(), 0.0);
    for name in names {
        let clip = character.clips.iter().find(|clip| clip.name == *name).expect("a clip of the athlete's");
        for channel in &clip.channels {
            let same = |other: &&mut fusiform::character::Channel| {
                other.joint == channel.joint
                    && std::mem::discriminant(&other.keys) == std::mem::discriminant(&channel.keys)
            };
            match channels.iter_mut().find(same) {
                None => channels.push(channel.clone()),
                Some(longer) => match (&mut longer.keys, &channel.keys) {
                    (Keys::Rotation(to), Keys::Rotation(from)) => append(to, from, start),
                    (Keys::Translation(to), Keys::Translation(from)) | (Keys::Scale(to), Keys::Scale(from)) => {
                        append(to, from, start);
                    }
                    _ => {}
                },
            }
        }
        start += clip.duration() + 1.0 / 30.0;
    }
    Clip { name: names.join(", "), channels }
}

fn append<T: Copy>(to: &mut Track<T>, from: &Track<T>, start: f32) {
    to.times.extend(from.times.iter().map(|time| time + start));
    to.values.extend_from_slice(&from.values);
}
