//! Each kernel on the athlete, in a tight loop: for comparing one change with another. What a game sees, with cold
//! caches, is `fusiform bench`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fusiform::musculature::{Base, Layer, NormalWeighting};
use fusiform::{Body, BodyState, Character, Detail, Musculature, Pose, StepInput};
use fusiform_athlete::{Athlete, athlete};

const VERTICES: usize = 20_000;

/// A body without its layers, or without its muscles, so that a kernel stands alone.
fn variants(musculature: &Musculature) -> Vec<(&'static str, Musculature, Detail)> {
    let plain = Musculature { layers: Vec::new(), muscles: Vec::new(), weights: Vec::new(), ..musculature.clone() };
    let dual = Musculature { base: Base::DualQuaternion, ..plain.clone() };
    let angle = Musculature { normals: NormalWeighting::Angle, ..plain.clone() };
    let twice = Musculature { layers: vec![Layer::blend(); 2], ..musculature.clone() };
    vec![
        ("skin, linear", plain.clone(), Detail::POSITIONS),
        ("skin, dual quaternion", dual, Detail::POSITIONS),
        ("skin, linear, then normals by area", plain, Detail::default()),
        ("skin, linear, then normals by angle", angle, Detail::default()),
        ("attach, path, spring, contract, belly", musculature.clone(), Detail::MUSCLES),
        ("all of these, then blend", musculature.clone(), Detail::POSITIONS),
        ("all of these, then blend twice", twice, Detail::POSITIONS),
        ("the whole frame", musculature.clone(), Detail::default()),
    ]
}

fn frame(criterion: &mut Criterion, character: &Character, musculature: &Musculature) {
    let mut group = criterion.benchmark_group("frame");
    group.throughput(Throughput::Elements(character.vertex_count() as u64));
    let mut pose = Pose::rest(&character.skeleton);
    for (name, musculature, detail) in variants(musculature) {
        let body = Body::bind(character, &musculature).expect("the athlete is sound");
        let mut state = BodyState::new(&body);
        let (mut time, mut matrices) = (0.0, character.skeleton.bind_matrices());
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                time = (time + 1.0 / 60.0) % 2.0;
                character.clips[0].sample(time, &mut pose);
                pose.to_model(&character.skeleton, &mut matrices);
                let mut input = StepInput::new(&matrices, 1.0 / 60.0);
                input.detail = detail;
                body.step(&mut state, &input);
            });
        });
    }
    group.finish();
}

fn bind(criterion: &mut Criterion, character: &Character, musculature: &Musculature) {
    let mut group = criterion.benchmark_group("bind");
    group.sample_size(10);
    group.bench_function("bind", |bencher| bencher.iter(|| Body::bind(character, musculature)));
    let body = Body::bind(character, musculature).expect("the athlete is sound");
    let mut stiffer = musculature.clone();
    stiffer.physique.stiffness = 2.0;
    group.bench_function("rebind, a spring changed", |b| b.iter(|| body.rebind(character, &stiffer)));
    let mut larger = musculature.clone();
    larger.physique.size = 1.1;
    group.bench_function("rebind, all bellies changed", |b| b.iter(|| body.rebind(character, &larger)));
    group.finish();
}

fn kernels(criterion: &mut Criterion) {
    let Athlete { character, musculature } = athlete(VERTICES).expect("a legal count");
    frame(criterion, &character, &musculature);
    bind(criterion, &character, &musculature);
}

criterion_group!(all, kernels);
criterion_main!(all);
