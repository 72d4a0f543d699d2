//! Bellies as a GPU makes them are where they are.

use crate::random::{Subject, frame, subject};
use fusiform::body::Section;
use fusiform::{Body, BodyState, StepInput};
use glam::Vec3;
use proptest::prelude::*;

proptest! {
    #![proptest_config(crate::random::cases(120))]

    #[test]
    fn points_are_where_their_sections_have_them(Subject { character, musculature } in subject(), frame in frame()) {
        let body = Body::bind(&character, &musculature).unwrap();
        let mut state = BodyState::new(&body);
        body.step(&mut state, &StepInput::new(&frame.pose(&character.skeleton), frame.dt));
        let mut sections = vec![Section::default(); body.n_section()];
        state.sections(&body, &mut sections);
        for m in (0..body.n_muscle()).filter(|&m| body.has_sections_only(m)) {
            let mut points = vec![Vec3::ZERO; body.belly_size(m)];
            state.belly_points(&body, m, &mut points);
            prop_assert_eq!(body.points_in_sections(m).count(), points.len());
            let muscle = &musculature.muscles[m];
            let sections = &sections[body.first_section(m)..][..muscle.rings.into()];
            // of rounding: a radius, which may have grown, and the way from the middle of the model
            let size = points.iter().map(|point| point.length()).fold(character.height(), f32::max);
            for (i, (at, point)) in body.points_in_sections(m).zip(&points).enumerate() {
                let Section { center, b, c } = sections[i / usize::from(muscle.sectors)];
                let off = (center + b * at.x + c * at.y).distance(*point) / size;
                prop_assert!(off < 1e-5, "point {i} of muscle {m} is {off} of the size away");
            }
        }
    }

    #[test]
    fn kept_sections_are_those_that_are_made_when_asked_for(Subject { character, musculature } in subject(), frame in frame()) {
        let body = Body::bind(&character, &musculature).unwrap();
        let states = [false, true].map(|keeps| {
            let mut state = BodyState::new(&body);
            if keeps {
                state.keep_sections(&body);
            }
            body.step(&mut state, &StepInput::new(&frame.pose(&character.skeleton), frame.dt));
            let mut sections = vec![Section::default(); body.n_section()];
            state.sections(&body, &mut sections);
            (state, sections)
        });
        prop_assert_eq!(&states[0].1, &states[1].1);
        prop_assert_eq!(states[0].0.positions(), states[1].0.positions());
    }

    #[test]
    fn what_is_more_than_its_sections_says_so(Subject { character, musculature } in subject()) {
        use fusiform::musculature::{Contraction, Dynamics, Path};
        let body = Body::bind(&character, &musculature).unwrap();
        for (m, muscle) in musculature.muscles.iter().enumerate() {
            let is_sheet = matches!(muscle.path, Path::Sheet { .. });
            let is_soft = matches!(muscle.dynamics, Dynamics::SoftBody { .. });
            let is_sculpted = matches!(muscle.contraction, Contraction::PoseShapes { .. });
            let is_plain = !is_sheet && !is_soft && !is_sculpted && !body.has_tissue();
            prop_assert!(body.has_sections_only(m) || !is_plain, "muscle {m}");
            prop_assert!(!body.has_sections_only(m) || !(is_sheet || is_soft), "muscle {m}");
        }
    }
}
