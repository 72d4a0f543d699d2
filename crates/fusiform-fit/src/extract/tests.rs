use super::*;
use crate::test_body;

/// The left muscles of the athlete's skeleton in its closed-form skin, as placed, with their template.
fn placed() -> (Skeleton, Roles, Vec<(MuscleTemplate, Muscle)>) {
    let skeleton = test_body::skeleton();
    let roles = Roles::find(&skeleton).roles;
    let template = Template::humanoid();
    let placed = place(&template, &skeleton, &roles, &test_body::skin).unwrap();
    let find = |name: &str| placed.muscles.iter().find(|muscle| muscle.name == name).cloned();
    let left =
        template.muscles.into_iter().filter_map(|known| Some((known.clone(), find(&format!("{}.l", known.name))?)));
    let left = left.collect();
    (skeleton, roles, left)
}

#[test]
fn measuring_gives_back_the_bone_coordinates_that_placing_was_given() {
    let (skeleton, roles, muscles) = placed();
    assert!(muscles.len() >= 32);
    for (known, muscle) in muscles {
        let line = line_of(&skeleton, &muscle).unwrap();
        let mut measurer = Measurer::new(&skeleton, &roles, &test_body::skin, 1.8);
        let measured = measurer.muscle(&muscle, &line, Some(&known)).unwrap();
        assert_eq!(known.via.len(), measured.via.len(), "{}", known.name);
        let ends = [("origin", &known.origin, &measured.origin), ("insertion", &known.insertion, &measured.insertion)];
        let via = known.via.iter().zip(&measured.via).map(|(a, b)| ("via", a, b));
        for (place, a, b) in ends.into_iter().chain(via) {
            let turned = (a.angle - b.angle + 540.0).rem_euclid(360.0) - 180.0;
            assert_eq!(a.bone, b.bone, "{} {place}", known.name);
            assert!((a.t - b.t).abs() < 1e-3, "{} {place}: t {} -> {}", known.name, a.t, b.t);
            assert!(turned.abs() < 0.1, "{} {place}: angle {} -> {}", known.name, a.angle, b.angle);
            assert!((a.depth - b.depth).abs() < 3e-3, "{} {place}: depth {} -> {}", known.name, a.depth, b.depth);
        }
    }
}

#[test]
fn what_is_measured_without_a_template_to_go_by_is_placed_where_it_was() {
    let (skeleton, roles, muscles) = placed();
    for (_, muscle) in muscles {
        let was = line_of(&skeleton, &muscle).unwrap();
        let mut measurer = Measurer::new(&skeleton, &roles, &test_body::skin, 1.8);
        let measured = MuscleTemplate {
            name: muscle.name.clone(),
            mirrored: false,
            ..measurer.muscle(&muscle, &was, None).unwrap()
        };
        let template = Template { muscles: vec![measured], ..Template::humanoid() };
        let back =
            line_of(&skeleton, &place(&template, &skeleton, &roles, &test_body::skin).unwrap().muscles[0]).unwrap();
        let off = was.farthest(&back);
        assert_eq!(was.joints, back.joints, "{}", muscle.name);
        assert!(off < 1e-3 || !measurer.warnings.is_empty(), "{}: {} mm", muscle.name, off * 1e3);
    }
}
