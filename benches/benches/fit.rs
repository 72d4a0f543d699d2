//! Fitting: the skin cut into regions, and pairs of muscles on a whole body.

#![expect(clippy::unwrap_used, reason = "a bench that cannot start should say so")]

use criterion::{Criterion, criterion_group, criterion_main};
use fusiform::{Character, Joint, SparseWeights, Transform};
use fusiform_fit::{FAT, Preset, Wear, regions, rig_pairs};
use glam::{Affine3A, Vec3};
use std::hint::black_box;

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

fn fit(criterion: &mut Criterion) {
    let character = fusiform_athlete::athlete_with(VERTICES, |_| {}).unwrap().character;
    let wear = vec![Wear::Body; character.meshes.len()];
    let hairy = with_hair(character.clone());
    let mut group = criterion.benchmark_group("fit");
    group.sample_size(10);
    group.bench_function("regions, athlete", |b| b.iter(|| regions(black_box(&character), &wear)));
    group.bench_function("regions, a thousand joints of hair", |b| b.iter(|| regions(black_box(&hairy), &wear)));
    let rig = |body: &Character| rig_pairs(body, &wear, Preset::Pratscher, FAT * body.height(), |_| {}).unwrap();
    group.bench_function("pairs, athlete", |b| b.iter(|| rig(black_box(&character))));
    group.finish();
}

criterion_group!(benches, fit);
criterion_main!(benches);
