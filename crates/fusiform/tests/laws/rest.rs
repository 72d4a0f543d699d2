//! Rest is sacred: in the bind pose, at rest, with no activation, every layer returns the artist's own skin.

use crate::random::{Subject, subject};
use fusiform::{Body, BodyState, StepInput};
use glam::{Affine3A, Quat, Vec3};
use proptest::prelude::*;

proptest! {
    #![proptest_config(crate::random::cases(300))]

    #[test]
    fn rest_is_sacred(Subject { character, musculature } in subject(), dt in 0.0_f32..1.0, far in 0.0_f32..50.0) {
        prop_assume!(character.height() > 0.1);
        let body = Body::bind(&character, &musculature).unwrap();
        let mut state = BodyState::new(&body);
        let bind = character.skeleton.bind_matrices();
        let mut input = StepInput::new(&bind, dt);
        input.world_from_model = Affine3A::from_rotation_translation(Quat::from_rotation_y(far), Vec3::splat(far));
        let rest: Vec<Vec3> = character.meshes.iter().flat_map(|m| m.positions.clone()).collect();
        for _ in 0..3 {
            body.step(&mut state, &input);
            for (v, (now, bind)) in state.positions().iter().zip(&rest).enumerate() {
                let off = now.distance(*bind) / character.height();
                prop_assert!(off <= 1e-5, "vertex {v} is {off} of the height away from bind");
            }
        }
    }

    #[test]
    fn coming_back_to_rest_gives_rest_back(Subject { character, musculature } in subject(), turn in -3.0_f32..3.0) {
        let body = Body::bind(&character, &musculature).unwrap();
        let mut state = BodyState::new(&body);
        let bind = character.skeleton.bind_matrices();
        let moved: Vec<_> = bind.iter().map(|m| Affine3A::from_rotation_x(turn) * *m).collect();
        body.step(&mut state, &StepInput::new(&moved, 1.0 / 60.0));
        let mut back = StepInput::new(&bind, 1.0 / 60.0);
        back.teleport = true;
        body.step(&mut state, &back);
        let fresh = BodyState::new(&body);
        prop_assert_eq!(state.positions(), fresh.positions());
    }
}
