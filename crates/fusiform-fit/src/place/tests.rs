use super::*;
use crate::test_body;
use glam::Affine3A;
use std::collections::BTreeSet;

fn athlete() -> (Skeleton, Placed) {
    let skeleton = test_body::skeleton();
    let roles = Roles::find(&skeleton).roles;
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

/// The bind pose with one joint turned, and all below it: the unit vector `from` goes toward `to`.
fn turned(skeleton: &Skeleton, joint: &str, from: Vec3, to: Vec3, degrees: f32) -> Vec<Affine3A> {
    let top = skeleton.find(joint).unwrap();
    let pivot = Vec3::from(skeleton.joints[top].bind.translation);
    let axis = from.cross(to).normalize();
    let turn = Affine3A::from_translation(pivot)
        * Affine3A::from_axis_angle(axis, degrees.to_radians())
        * Affine3A::from_translation(-pivot);
    let below = |mut joint: usize| loop {
        match skeleton.joints[joint].parent {
            _ if joint == top => return true,
            Some(parent) => joint = parent,
            None => return false,
        }
    };
    let binds = skeleton.bind_matrices();
    binds.iter().enumerate().map(|(joint, bind)| if below(joint) { turn * *bind } else { *bind }).collect()
}

/// Turning `joint` so that `from` goes to `to` must shorten the first muscles and lengthen the others.
fn expect(joint: &str, [from, to]: [Vec3; 2], shorter: &[&str], longer: &[&str]) {
    let (skeleton, placed) = athlete();
    let poses = [skeleton.bind_matrices(), turned(&skeleton, joint, from, to, 40.0)];
    for (names, sign) in [(shorter, -1.0), (longer, 1.0)] {
        for name in names {
            let muscle = placed.muscles.iter().find(|muscle| muscle.name == *name).unwrap();
            let [rest, now] = [0, 1].map(|pose: usize| {
                let [from, to] = ends(muscle, &skeleton, &poses[pose]);
                from.distance(to)
            });
            let change = (now - rest) / rest;
            assert!(change * sign > 0.01, "{joint}: {name} changes its length by {:.1} %", change * 100.0);
        }
    }
}

const ARM: Vec3 = Vec3::new(std::f32::consts::FRAC_1_SQRT_2, -std::f32::consts::FRAC_1_SQRT_2, 0.0);
/// From the left palm outward.
const PALM: Vec3 = Vec3::new(-std::f32::consts::FRAC_1_SQRT_2, -std::f32::consts::FRAC_1_SQRT_2, 0.0);

#[test]
fn a_bent_elbow_shortens_its_flexors() {
    expect(
        "lower_arm.l",
        [ARM, Vec3::Z],
        &["biceps_brachii_long.l", "biceps_brachii_short.l", "brachialis.l", "brachioradialis.l"],
        &["triceps_brachii_long.l", "triceps_brachii_lateral.l", "triceps_brachii_medial.l"],
    );
}

#[test]
fn a_bent_wrist_shortens_the_muscles_on_the_palms_side() {
    expect(
        "hand.l",
        [ARM, PALM],
        &["flexor_carpi_radialis.l", "flexor_carpi_ulnaris.l", "flexor_digitorum_superficialis.l"],
        &["extensor_digitorum.l", "extensor_carpi_radialis.l"],
    );
}

#[test]
fn a_raised_arm_shortens_the_deltoid_and_stretches_what_pulls_it_down() {
    expect(
        "upper_arm.l",
        [ARM, -PALM],
        &["deltoid_middle.l"],
        &["latissimus_dorsi_upper.l", "latissimus_dorsi_lower.l", "teres_major.l", "pectoralis_major_costal.l"],
    );
}

#[test]
fn an_arm_brought_forward_shortens_the_front_of_the_shoulder() {
    expect(
        "upper_arm.l",
        [ARM, Vec3::Z],
        &["deltoid_anterior.l", "pectoralis_major_clavicular.l", "pectoralis_major_sternal.l"],
        &["deltoid_posterior.l", "infraspinatus.l"],
    );
}

#[test]
fn a_lifted_shoulder_shortens_the_upper_trapezius() {
    expect(
        "shoulder.l",
        [Vec3::X, Vec3::Y],
        &["trapezius_upper.l"],
        &["trapezius_lower.l", "serratus_anterior_lower.l"],
    );
}

#[test]
fn a_bent_knee_shortens_the_hamstrings() {
    expect(
        "lower_leg.l",
        [-Vec3::Y, -Vec3::Z],
        &["biceps_femoris.l", "semitendinosus.l", "semimembranosus.l", "gastrocnemius_medial.l", "gracilis.l"],
        &["rectus_femoris.l", "vastus_lateralis.l", "vastus_medialis.l"],
    );
}

#[test]
fn a_bent_hip_shortens_its_front() {
    expect(
        "upper_leg.l",
        [-Vec3::Y, Vec3::Z],
        &["rectus_femoris.l", "sartorius.l", "tensor_fasciae_latae.l"],
        &[
            "gluteus_maximus_upper.l",
            "gluteus_maximus_lower.l",
            "biceps_femoris.l",
            "semitendinosus.l",
            "adductor_magnus.l",
        ],
    );
}

#[test]
fn a_leg_spread_sideways_shortens_the_outside_of_the_hip() {
    expect(
        "upper_leg.l",
        [-Vec3::Y, Vec3::X],
        &["gluteus_medius.l", "tensor_fasciae_latae.l"],
        &["adductor_longus.l", "adductor_magnus.l", "gracilis.l"],
    );
}

#[test]
fn standing_on_tiptoe_shortens_the_calf() {
    expect(
        "foot.l",
        [Vec3::Z, -Vec3::Y],
        &["gastrocnemius_medial.l", "gastrocnemius_lateral.l", "soleus.l"],
        &["tibialis_anterior.l", "extensor_digitorum_longus.l"],
    );
}

#[test]
fn a_trunk_bent_forward_shortens_the_belly_and_stretches_the_back() {
    expect("spine", [Vec3::Y, Vec3::Z], &["rectus_abdominis_lower.l"], &["erector_spinae_lumbar.l"]);
    expect(
        "chest",
        [Vec3::Y, Vec3::Z],
        &["rectus_abdominis_middle.l", "rectus_abdominis_upper.l"],
        &["erector_spinae_lumbar.l", "erector_spinae_thoracic.l"],
    );
}

#[test]
fn a_head_laid_on_the_shoulder_shortens_that_side_of_the_neck() {
    expect(
        "neck",
        [Vec3::Y, Vec3::X],
        &["sternocleidomastoid.l", "trapezius_upper.l"],
        &["sternocleidomastoid.r", "trapezius_upper.r"],
    );
}

#[test]
fn muscles_lie_inside_the_skin() {
    let (skeleton, placed) = athlete();
    let bellies = fusiform::body::rest_bellies(&skeleton, &placed.muscles).unwrap();
    let (mut inside, mut total) = (0, 0);
    for (muscle, belly) in placed.muscles.iter().zip(&bellies) {
        for ring in [0, belly.rings.len() / 2, belly.rings.len() - 1] {
            assert!(test_body::inside(belly.rings[ring].center), "{} ring {ring}", muscle.name);
        }
        inside += belly.points.iter().filter(|&&point| test_body::inside(point)).count();
        total += belly.points.len();
    }
    // The rest bridges what the tubes leave open: armpit, groin, and the hollow between buttock and thigh.
    assert!(inside * 100 >= total * 93, "{inside} of {total} points are inside");
}

#[test]
fn bellies_are_as_large_as_an_athletes() {
    let (_, placed) = athlete();
    let expected = [
        ("biceps_brachii_long.l", 0.020..0.034),
        ("vastus_lateralis.l", 0.040..0.050),
        ("gastrocnemius_medial.l", 0.030..0.042),
        ("pectoralis_major_sternal.l", 0.040..0.060),
    ];
    for (name, half_width) in expected {
        let muscle = placed.muscles.iter().find(|muscle| muscle.name == name).unwrap();
        let Profile::Sine { size, .. } = muscle.profile else { panic!("{name} has another profile") };
        assert!(half_width.contains(&size), "{name}: {size} is not in {half_width:?}");
    }
    let mass: f32 = placed.muscles.iter().map(mass).sum();
    assert!((15.0..40.0).contains(&mass), "{mass} kg of muscle");
}

fn mass(muscle: &Muscle) -> f32 {
    match muscle.dynamics {
        Dynamics::Spring { mass, .. } => mass,
        _ => 0.0,
    }
}

#[test]
fn a_spring_swings_at_the_frequency_the_template_asks_for() {
    let (_, placed) = athlete();
    for muscle in &placed.muscles {
        let Dynamics::Spring { mass, stiffness, .. } = muscle.dynamics else { panic!("{} has no spring", muscle.name) };
        let frequency = (stiffness / mass).sqrt() / std::f32::consts::TAU;
        assert!((frequency - 5.0).abs() < 1e-3, "{}: {frequency} Hz", muscle.name);
    }
}

#[test]
fn a_bare_skeleton_gets_an_athletes_muscles_and_a_warning() {
    let skeleton = test_body::skeleton();
    let placed = place(&Template::humanoid(), &skeleton, &Roles::find(&skeleton).roles, &|_, _| None).unwrap();
    let n = placed.muscles.len();
    assert_eq!(placed.warnings, [format!("no skin found near {n} of {n} muscles: placed by an athlete's proportions")]);
}

/// The body's roles but for those taken away.
fn without(skeleton: &Skeleton, taken: &str) -> Roles {
    let mut found = Roles::find(skeleton);
    found.apply(&crate::GivenRoles::parse(taken).unwrap(), skeleton).unwrap();
    found.roles
}

#[test]
fn a_missing_role_leaves_out_its_muscles_and_says_which() {
    let skeleton = test_body::skeleton();
    let roles = without(&skeleton, "hand.l = ''\nhand.r = ''");
    let placed = place(&Template::humanoid(), &skeleton, &roles, &test_body::skin).unwrap();
    let left_out: Vec<_> = placed.left_out.iter().map(|left| (left.muscle.as_str(), left.missing)).collect();
    assert!(left_out.contains(&("flexor_carpi_ulnaris.l", Role::Hand)), "{left_out:?}");
    assert!(placed.muscles.iter().all(|muscle| !muscle.name.starts_with("flexor_carpi")));
}

#[test]
fn a_skeleton_without_collar_bones_still_gets_shoulders() {
    let skeleton = test_body::skeleton();
    let roles = without(&skeleton, "shoulder.l = ''\nshoulder.r = ''");
    let placed = place(&Template::humanoid(), &skeleton, &roles, &test_body::skin).unwrap();
    assert_eq!(placed.left_out, []);
}

#[test]
fn roles_of_another_skeleton_are_refused() {
    let skeleton = test_body::skeleton();
    let roles = Roles::find(&skeleton).roles;
    let error = place(&Template::humanoid(), &Skeleton::default(), &roles, &|_, _| None).unwrap_err();
    assert!(error.to_string().contains("find the roles of this skeleton again"));
}
