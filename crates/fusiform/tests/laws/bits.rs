//! Same in, same out: to the bit, on any number of threads, on any instructions, after any rebind.

use crate::random::{Frame, Subject, frame, subject, waited_for};
use fusiform::body::Instructions;
use fusiform::musculature::{Base, Dynamics, Layer};
use fusiform::{Body, BodyState, Physique, SparseWeights, StepInput};
use glam::Vec3;
use proptest::prelude::*;
use proptest::strategy::ValueTree;

fn play(body: &Body, subject: &Subject, frames: &[Frame]) -> (Vec<Vec3>, Vec<Vec3>) {
    let mut state = BodyState::new(body);
    for frame in frames {
        let pose = frame.pose(&subject.character.skeleton);
        let mut input = StepInput::new(&pose, frame.dt);
        input.world_from_model = frame.world_from_model();
        body.step(&mut state, &input);
    }
    (state.positions().to_vec(), state.normals().to_vec())
}

/// The same body over and over until it fills several windows, so that threads have something to share.
fn crowded(mut subject: Subject) -> Subject {
    let Subject { character, musculature } = &mut subject;
    for (mesh, weights) in character.meshes.iter_mut().zip(&mut musculature.weights) {
        let (once, n) = (mesh.clone(), mesh.positions.len() as u32);
        let muscles = weights.clone();
        *weights = SparseWeights::default();
        mesh.weights = SparseWeights::default();
        mesh.positions.clear();
        mesh.triangles.clear();
        for copy in 0..5000_u32.div_ceil(n) {
            mesh.positions.extend(once.positions.iter().map(|p| *p + Vec3::X * copy as f32 * 1e-3));
            mesh.triangles.extend(once.triangles.iter().map(|t| t.map(|v| v + copy * n)));
            for v in 0..n as usize {
                mesh.weights.push_vertex(once.weights.of(v));
                weights.push_vertex(muscles.of(v));
            }
        }
    }
    waited_for(subject.character, subject.musculature)
}

proptest! {
    #![proptest_config(crate::random::cases(60))]

    #[test]
    fn every_instruction_set_gives_the_same_bits(s in subject(), frames in prop::collection::vec(frame(), 1..5)) {
        let body = Body::bind(&s.character, &s.musculature).unwrap();
        let plain = play(&body.clone().with_instructions(Instructions::BASELINE), &s, &frames);
        for set in Instructions::available() {
            prop_assert!(play(&body.clone().with_instructions(set), &s, &frames) == plain, "{set:?} differs");
        }
    }

    #[test]
    fn rebind_is_bind_to_the_bit(
        s in subject(), edits in prop::collection::vec(0_usize..25, 1..4), frames in prop::collection::vec(frame(), 2),
    ) {
        let (mut body, mut edited) = (Body::bind(&s.character, &s.musculature).unwrap(), s);
        for edit in edits {
            change(&mut edited, edit);
            edited = waited_for(edited.character, edited.musculature);
            let rebound = body.rebind(&edited.character, &edited.musculature).unwrap();
            let bound = Body::bind(&edited.character, &edited.musculature).unwrap();
            prop_assert!(rebound == bound, "edit {edit}");
            prop_assert!(play(&rebound, &edited, &frames) == play(&bound, &edited, &frames));
            body = rebound;
        }
    }
}

proptest! {
    #![proptest_config(crate::random::cases(8))]

    #[test]
    fn rebinding_some_windows_of_many_is_bind_to_the_bit(
        s in subject(), edits in prop::collection::vec(17_usize..25, 1..3), first in 0_usize..4000,
    ) {
        let mut edited = crowded(s);
        let mut body = Body::bind(&edited.character, &edited.musculature).unwrap();
        // a brush reaches some neighbouring vertices of thousands
        for (mesh, weights) in edited.character.meshes.iter_mut().zip(&mut edited.musculature.weights) {
            let some = first.min(mesh.weights.len())..(first + 300).min(mesh.weights.len());
            let n = weights.weight.len();
            weights.weight[first.min(n)..(first + 300).min(n)].iter_mut().for_each(|w| *w *= 0.5);
            stroke(&mut mesh.weights, some);
        }
        for edit in edits {
            edited = waited_for(edited.character, edited.musculature);
            let rebound = body.rebind(&edited.character, &edited.musculature).unwrap();
            prop_assert!(rebound == Body::bind(&edited.character, &edited.musculature).unwrap(), "before {edit}");
            body = rebound;
            change(&mut edited, edit);
        }
        edited = waited_for(edited.character, edited.musculature);
        let rebound = body.rebind(&edited.character, &edited.musculature).unwrap();
        prop_assert!(rebound == Body::bind(&edited.character, &edited.musculature).unwrap());
    }
}

#[test]
fn joint_weights_that_miss_one_are_refused_by_rebind_too() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut s = subject().new_tree(&mut runner).unwrap().current();
    let body = Body::bind(&s.character, &s.musculature).unwrap();
    s.character.meshes[0].weights.weight.iter_mut().for_each(|w| *w *= 0.5);
    assert!(body.rebind(&s.character, &s.musculature).is_err());
}

/// Some vertices hang on the first joint alone.
fn stroke(weights: &mut SparseWeights, vertices: std::ops::Range<usize>) {
    let before = std::mem::take(weights);
    for v in 0..before.len() {
        if vertices.contains(&v) { weights.push_vertex([(0, 1.0)]) } else { weights.push_vertex(before.of(v)) }
    }
}

fn change(edited: &mut Subject, edit: usize) {
    let m = &mut edited.musculature;
    match edit {
        0 => m.physique = Physique::BRUTE,
        1 => m.muscles.iter_mut().for_each(|muscle| muscle.dynamics = Dynamics::None),
        2 => m.muscles.iter_mut().for_each(|muscle| muscle.origin.point += Vec3::splat(0.01)),
        3 => m.layers.clear(),
        4 => m.weights.iter_mut().for_each(|w| w.weight.iter_mut().for_each(|w| *w *= 0.5)),
        5 => m.base = if m.base == Base::Linear { Base::DualQuaternion } else { Base::Linear },
        6 => m.muscles.iter_mut().for_each(|muscle| muscle.carrier = Some("joint0".into())),
        7 => m.layers.insert(0, Layer::shells()),
        8 => m.layers.insert(0, Layer::slide()),
        9 => drop(m.bones.pop()),
        10 => m.bones.iter_mut().for_each(|bone| bone.joint = "joint0".into()),
        11 => m.activation.tension = 0.6,
        12 => m.activation.drivers.clear(),
        13 => m.layers.insert(0, Layer::wrap()),
        14 => m.muscles.iter_mut().for_each(|muscle| muscle.dynamics = Dynamics::soft_body()),
        15 => m.layers.retain(|layer| !matches!(layer, Layer::Tissue(_))),
        16 if !matches!(m.layers.last(), Some(Layer::Tissue(_))) => m.layers.push(Layer::tissue()),
        17 => m.muscles.iter_mut().take(1).for_each(|muscle| muscle.origin.point += Vec3::splat(0.01)),
        18 => m.muscles.iter_mut().skip(1).take(1).for_each(|muscle| muscle.insertion.point -= Vec3::splat(0.02)),
        19 => m.weights.iter_mut().for_each(|w| w.weight.iter_mut().take(3).for_each(|w| *w *= 0.25)),
        20 => edited.character.meshes.iter_mut().for_each(|mesh| stroke(&mut mesh.weights, 0..2)),
        21 => edited.character.meshes.iter_mut().skip(1).for_each(|mesh| {
            let n = mesh.weights.len();
            stroke(&mut mesh.weights, n / 2..n);
        }),
        22 if m.muscles.len() > 1 => {
            let (a, b) = m.muscles.split_at_mut(1);
            std::mem::swap(&mut a[0].name, &mut b[0].name);
        }
        23 => m.physique.skin_weight *= 0.7,
        _ => {}
    }
}

proptest! {
    #![proptest_config(crate::random::cases(12))]

    #[test]
    fn one_thread_and_many_give_the_same_bits(s in subject(), frames in prop::collection::vec(frame(), 1..3)) {
        let s = crowded(s);
        let body = Body::bind(&s.character, &s.musculature).unwrap();
        let alone = play(&body, &s, &frames);
        for threads in [2, 3, 7] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            prop_assert!(pool.install(|| play(&body, &s, &frames)) == alone, "{threads} threads differ");
        }
    }
}
