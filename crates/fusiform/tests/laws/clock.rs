//! Any clock: any dt, any teleport, any finite document gives finite positions, and a state comes back to any moment.

use crate::random::{Frame, Subject, frame, subject};
use fusiform::musculature::{Dynamics, Layer};
use fusiform::{Body, BodyState, Muscle, StepInput};
use glam::{Affine3A, Vec3};
use proptest::prelude::*;

fn play(body: &Body, state: &mut BodyState, subject: &Subject, frames: &[Frame]) {
    let mut activation = vec![0.0; body.n_muscle()];
    for frame in frames {
        let pose = frame.pose(&subject.character.skeleton);
        activation.fill(frame.activation);
        let mut input = StepInput::new(&pose, frame.dt);
        input.world_from_model = frame.world_from_model();
        input.activation = &activation;
        body.step(state, &input);
    }
}

/// A soft belly that little holds tumbles and folds, and makes of a difference in rounding any other.
fn hold_flesh(muscle: &mut Muscle) {
    if let Dynamics::SoftBody { goal, mass, stiffness, damping, reach, .. } = &mut muscle.dynamics {
        (*mass, *damping, *reach) = (mass.min(5.0), damping.max(0.2), reach.min(0.03));
        (*goal, *stiffness) = (goal.max(1000.0 * *mass), stiffness.min(100.0 * *mass));
    }
}

proptest! {
    #![proptest_config(crate::random::cases(250))]

    #[test]
    fn nothing_explodes(subject in subject(), frames in prop::collection::vec(frame(), 1..12)) {
        let body = Body::bind(&subject.character, &subject.musculature).unwrap();
        let mut state = BodyState::new(&body);
        for frame in &frames {
            play(&body, &mut state, &subject, std::slice::from_ref(frame));
            for (v, (p, n)) in state.positions().iter().zip(state.normals()).enumerate() {
                prop_assert!(p.is_finite() && p.length() < 1e5, "vertex {v} is at {p}");
                prop_assert!((n.length() - 1.0).abs() < 1e-3, "normal {v} is {n}");
            }
        }
    }

    #[test]
    fn squashed_and_blown_up_joints_stay_finite(subject in subject(), frame in frame(), scale in 0_usize..5) {
        let body = Body::bind(&subject.character, &subject.musculature).unwrap();
        let mut state = BodyState::new(&body);
        let scale = [Vec3::ZERO, Vec3::splat(1e-6), Vec3::new(1.0, 0.0, 1.0), Vec3::splat(1e4), Vec3::NEG_ONE][scale];
        let pose = frame.pose(&subject.character.skeleton);
        let pose: Vec<_> = pose.into_iter().map(|m| m * Affine3A::from_scale(scale)).collect();
        body.step(&mut state, &StepInput::new(&pose, frame.dt));
        prop_assert!(state.positions().iter().all(|p| p.is_finite()));
    }

    #[test]
    fn a_snapshot_comes_back_to_the_bit(subject in subject(), frames in prop::collection::vec(frame(), 4..8)) {
        let body = Body::bind(&subject.character, &subject.musculature).unwrap();
        let mut state = BodyState::new(&body);
        let (before, after) = frames.split_at(2);
        play(&body, &mut state, &subject, before);
        let moment = state.snapshot();
        play(&body, &mut state, &subject, after);
        let mut other = BodyState::new(&body);
        other.restore(&moment);
        play(&body, &mut other, &subject, after);
        prop_assert_eq!(state.positions(), other.positions());
        prop_assert_eq!(state.normals(), other.normals());
        prop_assert_eq!(state.snapshot(), other.snapshot());
    }

    #[test]
    fn time_that_does_not_pass_changes_nothing(subject in subject(), frames in prop::collection::vec(frame(), 2)) {
        let body = Body::bind(&subject.character, &subject.musculature).unwrap();
        let mut state = BodyState::new(&body);
        play(&body, &mut state, &subject, &frames[..1]);
        let moment = state.snapshot();
        let mut frozen = frames[0].clone();
        frozen.dt = 0.0;
        play(&body, &mut state, &subject, &[frozen]);
        prop_assert_eq!(state.snapshot(), moment);
    }

    #[test]
    fn centimetres_move_like_metres(mut subject in subject(), frames in prop::collection::vec(frame(), 3..6)) {
        subject.musculature.muscles.iter_mut().for_each(hold_flesh);
        // skin half a metre off turns with belly faces of a centimetre: what springs round it sees fifty times over
        // and so does tissue of a gram, or of stiffnesses that no flesh has
        subject.musculature.layers.retain(|layer| !matches!(layer, Layer::Wrap { .. } | Layer::Tissue(_)));
        let body = Body::bind(&subject.character, &subject.musculature).unwrap();
        let (mut metres, mut centimetres) = (BodyState::new(&body), BodyState::new(&body));
        for frame in &frames {
            let pose = frame.pose(&subject.character.skeleton);
            let mut input = StepInput::new(&pose, frame.dt);
            input.world_from_model = frame.world_from_model();
            body.step(&mut metres, &input);
            // the same walk in a world of other units: only how far things are in the world differs
            input.world_from_model = Affine3A::from_scale(Vec3::splat(100.0)) * input.world_from_model;
            body.step(&mut centimetres, &input);
        }
        for (a, b) in metres.positions().iter().zip(centimetres.positions()) {
            prop_assert!(a.distance(*b) < 2e-3, "{a} and {b}");
        }
    }
}
