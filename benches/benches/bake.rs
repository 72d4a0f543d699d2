//! The bake and its costly steps on the athlete: for comparing one change with another. Each takes seconds, so samples
//! are few. A factor of 20,000 vertices in 300 frames is what `examples/factor_time` of `fusiform-bake` times.

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use fusiform::{Character, Musculature, Pose};
use fusiform_athlete::{Athlete, athlete};
use fusiform_bake::{BakeSettings, FactorSettings, FrameSettings, Frames, Rigged, Surroundings};
use fusiform_bake::{bake_morphs, exported_weights, factor, solve_frames, unskin};
use fusiform_files::gltf::{Gltf, Scene};
use glam::{Affine3A, Vec3};
use std::time::Duration;

const VERTICES: usize = 6_000;
const FPS: f32 = 30.0;
const INFLUENCES: usize = 4;

/// All frames of a clip, solved.
fn frames(character: &Character, musculature: &Musculature, clip: usize) -> Frames {
    let settings =
        FrameSettings { fps: FPS, looped: None, activation: Vec::new(), surroundings: Surroundings::default() };
    solve_frames(character, musculature, clip, &settings, |_| Ok(())).expect("the athlete is sound")
}

/// Joints of a clip's frames since bind.
fn since_bind(character: &Character, clip: usize, times: &[f32]) -> Vec<Vec<Affine3A>> {
    let mut pose = Pose::rest(&character.skeleton);
    let inverse: Vec<Affine3A> = character.skeleton.joints.iter().map(|joint| joint.bind.inverse()).collect();
    let moment = |&time: &f32| {
        character.clips[clip].sample(time, &mut pose);
        let now = pose.model_matrices(&character.skeleton);
        now.iter().zip(&inverse).map(|(now, inverse)| *now * *inverse).collect()
    };
    times.iter().map(moment).collect()
}

/// What muscles add to the skin of the first clip, in bind space: measured on the way, then factored.
fn steps(criterion: &mut Criterion, character: &Character, musculature: &Musculature) {
    let mut group = criterion.benchmark_group("bake, its steps");
    group.sample_size(10).sampling_mode(SamplingMode::Flat).measurement_time(Duration::from_secs(8));
    let mesh = &character.meshes[0];
    let Frames { times, n_vertex, positions, .. } = frames(character, musculature, 0);
    let (weights, matrices) = (exported_weights(&mesh.weights, INFLUENCES), since_bind(character, 0, &times));
    let mut residual = vec![Vec3::ZERO; positions.len()];
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("unskin", |bencher| {
        bencher.iter(|| {
            let rows = residual.chunks_exact_mut(n_vertex).zip(positions.chunks_exact(n_vertex));
            for ((residual, solved), since_bind) in rows.zip(&matrices) {
                unskin(&mesh.positions, &weights, since_bind, solved, residual).expect("the athlete is sound");
            }
        });
    });
    let settings = FactorSettings::default();
    group.bench_function("factor", |bencher| {
        bencher.iter(|| factor(&residual, n_vertex, &settings, &[], |_| Ok(())).expect("the athlete is sound"));
    });
    group.finish();
}

/// One clip from a rigged file to the bytes of a baked one, measured against the solver as every bake is.
fn whole(criterion: &mut Criterion, character: &Character, musculature: &Musculature) {
    let mut gltf = Gltf::from_character(character);
    let origin = Scene::read(&gltf).expect("it was made here").origin;
    gltf.set_musculature(&origin, musculature);
    let rigged = Rigged { gltf: &gltf, origin: &origin, character, musculature };
    let settings = BakeSettings {
        fps: FPS,
        tolerance: 0.5e-3,
        max_targets: 64,
        looped: None,
        activation: Vec::new(),
        surroundings: Surroundings::default(),
    };
    let mut group = criterion.benchmark_group("bake");
    group.sample_size(10).sampling_mode(SamplingMode::Flat).measurement_time(Duration::from_secs(15));
    for clip in [0, 3] {
        group.bench_function(&character.clips[clip].name, |bencher| {
            bencher.iter(|| bake_morphs(rigged, &[clip], &settings, |_| Ok(())).expect("the athlete is sound"));
        });
    }
    group.finish();
}

fn bake(criterion: &mut Criterion) {
    let Athlete { character, musculature } = athlete(VERTICES).expect("a legal count");
    steps(criterion, &character, &musculature);
    whole(criterion, &character, &musculature);
}

criterion_group!(all, bake);
criterion_main!(all);
