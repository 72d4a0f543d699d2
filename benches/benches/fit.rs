//! Fitting: rigging stage by stage on finer and finer skins, the skin cut into regions, and pairs of muscles on a whole body.

#![expect(clippy::unwrap_used, reason = "a bench that cannot start should say so")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use fusiform::{Character, Joint, SparseWeights, Transform};
use fusiform_fit::{FAT, Preset, Roles, Stage, Template, Wear, regions, rig, rig_pairs};
use glam::{Affine3A, Vec3};
use std::hint::black_box;
use std::time::Instant;

/// Vertices of the skins that are rigged: each twice the one before, so a stage that is linear takes twice as long.
const FINER: [usize; 4] = [5_000, 10_000, 20_000, 40_000];
/// Runs of which the quickest is printed.
const RUNS: usize = 5;

const VERTICES: usize = 15_000;
const STRANDS: usize = 100;
const JOINTS_IN_STRAND: usize = 10;

/// The athlete with a thousand joints of hair, which share the head's skin.
fn with_hair(mut character: Character) -> Character {
    let head =
        character.skeleton.joints.iter().position(|joint| joint.name.to_lowercase().contains("head")).unwrap_or(0);
    let first = character.skeleton.joints.len();
    let top = Vec3::from(character.skeleton.joints[head].bind.translation) + Vec3::Y * 0.1;
    for i in 0..STRANDS * JOINTS_IN_STRAND {
        let parent = if i % JOINTS_IN_STRAND == 0 { head } else { first + i - 1 };
        let angle = (i / JOINTS_IN_STRAND) as f32;
        let down = 0.03 * (i % JOINTS_IN_STRAND) as f32;
        let bind = Affine3A::from_translation(top + Vec3::new(angle.cos() * 0.1, -down, angle.sin() * 0.1));
        let (scale, rotation, translation) =
            (character.skeleton.joints[parent].bind.inverse() * bind).to_scale_rotation_translation();
        let rest = Transform { translation, rotation, scale };
        character.skeleton.joints.push(Joint { name: format!("hair {i}"), parent: Some(parent), rest, bind });
    }
    for mesh in &mut character.meshes {
        let mut weights = SparseWeights::default();
        for vertex in 0..mesh.positions.len() {
            let hair = (first + vertex % (STRANDS * JOINTS_IN_STRAND)) as u16;
            let of_head = mesh.weights.of(vertex).any(|(joint, weight)| usize::from(joint) == head && weight > 0.5);
            let own: Vec<(u16, f32)> = mesh.weights.of(vertex).collect();
            weights.push_vertex(if of_head { vec![(head as u16, 0.5), (hair, 0.5)] } else { own });
        }
        mesh.weights = weights;
    }
    character
}

fn athlete(vertices: usize) -> Character {
    fusiform_athlete::athlete_with(vertices, |_| {}).unwrap().character
}

/// Give the body the humanoid's muscles; each stage, and the seconds it took.
fn rig_by_stages(body: &Character) -> Vec<(Stage, f64)> {
    let wear = vec![Wear::Body; body.meshes.len()];
    let roles = Roles::find(&body.skeleton).roles;
    let mut starts = Vec::new();
    let hear = |stage| {
        starts.push((stage, Instant::now()));
        Ok(())
    };
    black_box(rig(body, &wear, &roles, &Template::humanoid(), Preset::Lee, FAT * body.height(), hear).unwrap());
    let ends = starts[1..].iter().map(|&(_, start)| start).chain([Instant::now()]);
    starts.iter().zip(ends).map(|(&(stage, start), end)| (stage, (end - start).as_secs_f64())).collect()
}

/// One line for each skin: what its quickest run spent on each stage, and on a vertex in all.
fn print_stages(bodies: &[Character]) {
    println!("rig, humanoid, lee: milliseconds of the quickest of {RUNS} runs, stage by stage");
    for body in bodies {
        let whole = |run: &[(Stage, f64)]| run.iter().map(|(_, seconds)| seconds).sum::<f64>();
        let runs = (0..RUNS).map(|_| rig_by_stages(body));
        let best = runs.min_by(|a, b| whole(a).total_cmp(&whole(b))).unwrap();
        let vertices: usize = body.meshes.iter().map(|mesh| mesh.positions.len()).sum();
        let stages: Vec<String> =
            best.iter().map(|(stage, seconds)| format!("{} {:.1}", stage.name(), seconds * 1e3)).collect();
        let each = whole(&best) / vertices as f64 * 1e6;
        println!(
            "  {vertices:>6} vertices  {:>6.1}  {each:.1} us a vertex  ({})",
            whole(&best) * 1e3,
            stages.join(", ")
        );
    }
}

fn fit(criterion: &mut Criterion) {
    let bodies = FINER.map(athlete);
    print_stages(&bodies);
    let mut group = criterion.benchmark_group("rig");
    group.sample_size(10);
    for body in &bodies {
        let vertices: usize = body.meshes.iter().map(|mesh| mesh.positions.len()).sum();
        group.throughput(Throughput::Elements(vertices as u64));
        group.bench_function(BenchmarkId::from_parameter(vertices), |b| b.iter(|| rig_by_stages(black_box(body))));
    }
    group.finish();
    let character = athlete(VERTICES);
    let wear = vec![Wear::Body; character.meshes.len()];
    let hairy = with_hair(character.clone());
    let mut group = criterion.benchmark_group("fit");
    group.sample_size(10);
    group.bench_function("regions, athlete", |b| b.iter(|| regions(black_box(&character), &wear)));
    group.bench_function("regions, a thousand joints of hair", |b| b.iter(|| regions(black_box(&hairy), &wear)));
    let rig = |body: &Character| rig_pairs(body, &wear, Preset::Pratscher, FAT * body.height(), |_| Ok(())).unwrap();
    group.bench_function("pairs, athlete", |b| b.iter(|| rig(black_box(&character))));
    group.finish();
}

criterion_group!(benches, fit);
criterion_main!(benches);
