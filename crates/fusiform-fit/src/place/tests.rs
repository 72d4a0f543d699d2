use super::*;
use crate::test_body;
use glam::Affine3A;
use std::collections::BTreeSet;

fn athlete() -> (Skeleton, Placed) {
    let skeleton = test_body::skeleton();
    let roles = Roles::from_names(&skeleton);
    let placed = place(&Template::humanoid(), &skeleton, &roles, &test_body::skin).unwrap();
    (skeleton, placed)
}

/// The muscle's ends and the middle of its belly, in the pose of these matrices (the middle in the bind pose only).
fn ends(muscle: &Muscle, skeleton: &Skeleton, model_from_joint: &[Affine3A]) -> [Vec3; 2] {
    [&muscle.origin, &muscle.insertion].map(|attachment| {
        let joint = skeleton.find(&attachment.joint).unwrap();
        model_from_joint[joint].transform_point3(attachment.point)
    })
}

#[test]
fn the_humanoid_has_its_muscles_under_different_names() {
    let (_, placed) = athlete();
    assert!(placed.muscles.len() >= 80, "{}", placed.muscles.len());
    assert_eq!(placed.left_out, []);
    let names: BTreeSet<_> = placed.muscles.iter().map(|muscle| &muscle.name).collect();
    assert_eq!(names.len(), placed.muscles.len());
    assert_eq!(placed.groups.len(), placed.muscles.len());
}

#[test]
fn left_and_right_are_mirror_images() {
    let (skeleton, placed) = athlete();
    let binds = skeleton.bind_matrices();
    for pair in placed.muscles.chunks(2) {
        assert_eq!(pair[0].name.replace(".l", ".r"), pair[1].name);
        let [left, right] = [&pair[0], &pair[1]].map(|muscle| {
            let [from, to] = ends(muscle, &skeleton, &binds);
            let joint = skeleton.find(&muscle.origin.joint).unwrap();
            [from, to, binds[joint].transform_vector3(muscle.up.unwrap())]
        });
        for (left, right) in left.iter().zip(right) {
            let apart = left.distance(right * Vec3::new(-1.0, 1.0, 1.0));
            assert!(apart < 1e-5, "{}: {left} is no image of {right}", pair[0].name);
        }
    }
}
