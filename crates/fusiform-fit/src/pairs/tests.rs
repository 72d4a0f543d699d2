//! Pairs on a creature nobody has a template for: six legs on a long body, a skin of tubes, joints with meaningless names.

use super::*;
use crate::{FAT, RigError, Rigged, Wear, rig_pairs};
use fusiform::{Body, BodyState, Joint, Mesh, Skeleton, SparseWeights, StepInput, Transform};
use glam::{Affine3A, Quat};

const AROUND: u32 = 14;
const STEPS: u32 = 24;

/// Joints of a chain, and the tube of skin about them.
struct Limb {
    joints: Vec<usize>,
    radius: f32,
}

/// A body of three bones and six legs of two.
fn creature() -> (Character, Vec<Limb>) {
    let mut joints: Vec<(Vec3, Option<usize>)> = Vec::new();
    let mut chain = |parent: Option<usize>, places: &[Vec3]| -> Vec<usize> {
        let mut above = parent;
        let add = |&place: &Vec3| {
            joints.push((place, above));
            above = Some(joints.len() - 1);
            joints.len() - 1
        };
        places.iter().map(add).collect()
    };
    let body = chain(None, &[-1.2, -0.4, 0.4, 1.2].map(|z| Vec3::new(0.0, 1.0, z)));
    let mut limbs = vec![Limb { joints: body.clone(), radius: 0.26 }];
    for (i, z) in [-0.8, 0.0, 0.8].into_iter().enumerate() {
        for side in [1.0, -1.0] {
            let leg = [Vec3::new(0.2, 1.0, z), Vec3::new(0.75, 1.15, z), Vec3::new(0.95, 0.3, z)];
            let leg = leg.map(|p| p * Vec3::new(side, 1.0, 1.0));
            limbs.push(Limb { joints: chain(Some(body[i]), &leg), radius: 0.1 });
        }
    }
    let mut skeleton = Skeleton::default();
    for (i, &(place, parent)) in joints.iter().enumerate() {
        let turn = Quat::from_euler(glam::EulerRot::XYZ, i as f32, 0.7 * i as f32, 1.0 - i as f32);
        let bind = Affine3A::from_rotation_translation(turn, place);
        let local = parent.map_or(bind, |parent| skeleton.joints[parent].bind.inverse() * bind);
        let (scale, rotation, translation) = local.to_scale_rotation_translation();
        let rest = Transform { translation, rotation, scale };
        skeleton.joints.push(Joint { name: format!("q{}", i * 37 % 101), parent, rest, bind });
    }
    let meshes = vec![skin(&skeleton, &limbs)];
    (Character { name: "creature".into(), skeleton, meshes, ..Character::default() }, limbs)
}

/// Closed tubes about the limbs, a little longer than these.
fn skin(skeleton: &Skeleton, limbs: &[Limb]) -> Mesh {
    let mut mesh = Mesh::default();
    for limb in limbs {
        let at: Vec<Vec3> = limb.joints.iter().map(|&joint| skeleton.joints[joint].bind.translation.into()).collect();
        let last = at.len() - 1;
        let first = mesh.positions.len() as u32;
        for step in 0..=STEPS {
            let t = step as f32 / STEPS as f32 * last as f32;
            let i = (t as usize).min(last - 1);
            let place = |t: f32| {
                let i = (t.clamp(0.0, last as f32) as usize).min(last - 1);
                at[i].lerp(at[i + 1], t - i as f32)
            };
            // rings lean over before a joint, or they would cut through each other
            let along = (place(t + 0.25) - place(t - 0.25)).normalize();
            let center = place(t) + along * (if step == STEPS { 0.8 * limb.radius } else { 0.0 });
            let (u, v) = (Vec3::new(0.3, 0.2, 1.0).reject_from(along).normalize(), along);
            let (u, v) = (u, v.cross(u));
            let radius = if step == 0 || step == STEPS { 0.0 } else { limb.radius };
            for j in 0..AROUND {
                let (sin, cos) = (std::f32::consts::TAU * j as f32 / AROUND as f32).sin_cos();
                mesh.positions.push(center + (u * cos + v * sin) * radius);
                // the bone's own joint, and the next one's over the last fifth before it
                let next = ((t - i as f32 - 0.8) / 0.2).clamp(0.0, 1.0) * 0.5;
                let weights = [(limb.joints[i] as u16, 1.0 - next), (limb.joints[i + 1] as u16, next)];
                let end = [(limb.joints[last] as u16, 1.0)];
                mesh.weights.push_vertex(if t > last as f32 - 0.08 { end.to_vec() } else { weights.to_vec() });
            }
        }
        for step in 0..STEPS {
            for j in 0..AROUND {
                let corner = |s: u32, j: u32| first + (step + s) * AROUND + (j % AROUND);
                mesh.triangles.push([corner(0, j), corner(0, j + 1), corner(1, j + 1)]);
                mesh.triangles.push([corner(0, j), corner(1, j + 1), corner(1, j)]);
            }
        }
    }
    mesh
}

fn rigged(character: &Character, model: Preset) -> Result<Rigged, RigError> {
    let wear = vec![Wear::Body; character.meshes.len()];
    rig_pairs(character, &wear, model, FAT * character.height(), |_| Ok(()))
}

#[test]
fn every_fleshy_bone_of_an_odd_creature_has_an_opposed_pair_inside_its_skin() {
    let (character, limbs) = creature();
    for model in [Preset::Pratscher, Preset::Lee] {
        let rigged = rigged(&character, model).unwrap();
        assert!(rigged.warnings.is_empty(), "{:?}", rigged.warnings);
        for limb in &limbs {
            for pair in limb.joints.windows(2) {
                let [joint, child] = [pair[0], pair[1]].map(|joint| &character.skeleton.joints[joint].name);
                let on_bone = |kind: &str| {
                    let names = [format!("{joint}.{kind}"), format!("{joint}-{child}.{kind}")];
                    names.iter().any(|name| rigged.musculature.find(name).is_some())
                };
                assert!(on_bone("flexor") && on_bone("extensor"), "bone {joint} to {child}");
            }
        }
        assert_eq!(rigged.inside.fraction, 1.0, "{:?}", rigged.inside.outside);
    }
}

#[test]
fn bending_a_joint_shortens_one_muscle_of_its_pair_and_stretches_the_other() {
    let (character, _) = creature();
    for model in [Preset::Pratscher, Preset::Lee] {
        let musculature = rigged(&character, model).unwrap().musculature;
        let body = Body::bind(&character, &musculature).unwrap();
        let centers: Vec<Vec3> = (0..body.n_muscle()).map(|m| body.rest_ellipsoid(m).translation.into()).collect();
        let skeleton = &character.skeleton;
        for m in (0..musculature.muscles.len()).step_by(2) {
            let muscle = &musculature.muscles[m];
            let child = skeleton.find(&muscle.insertion.joint).unwrap();
            let own = skeleton.find(muscle.carrier.as_ref().unwrap()).unwrap();
            let at = |joint: usize| Vec3::from(skeleton.joints[joint].bind.translation);
            let along = (at(child) - at(own)).normalize();
            let toward_flexor = (centers[m] - centers[m + 1]).reject_from(along).normalize();
            // A flexor is shortest when its insertion has folded onto the belly's end, at about 120 degrees. A chord is longest at
            // a right angle: beyond it, Lee's extensors cannot stretch.
            let most = if model == Preset::Lee { 1.2 } else { 2.0 };
            let beyond = skeleton.joints.iter().position(|joint| joint.parent == Some(child));
            let bent = beyond.map_or(0.0, |beyond| along.angle_between(at(beyond) - at(child)));
            for angle in [0.35_f32, 0.9].into_iter().filter(|angle| bent + angle < most) {
                let turn = Quat::from_axis_angle(along.cross(toward_flexor).normalize(), angle);
                let bend = Affine3A::from_translation(at(child))
                    * Affine3A::from_quat(turn)
                    * Affine3A::from_translation(-at(child));
                let mut pose = skeleton.bind_matrices();
                let hangs = |joint: usize| {
                    std::iter::successors(Some(joint), |&j| skeleton.joints[j].parent).any(|j| j == child)
                };
                (0..pose.len()).filter(|&joint| hangs(joint)).for_each(|joint| pose[joint] = bend * pose[joint]);
                let mut state = BodyState::new(&body);
                body.step(&mut state, &StepInput::new(&pose, 1.0 / 60.0));
                let ratio = |m: usize| state.lengths()[m] / body.rest_lengths()[m];
                assert!(
                    ratio(m) < 0.995 && ratio(m + 1) > 1.005,
                    "{} {angle}: {} {}",
                    muscle.name,
                    ratio(m),
                    ratio(m + 1)
                );
            }
        }
    }
}

#[test]
fn left_and_right_are_mirror_images_wherever_the_body_stands() {
    for aside in [0.0, 1.0] {
        let (mut character, _) = creature();
        character.skeleton.joints.iter_mut().for_each(|joint| joint.bind.translation.x += aside);
        character.meshes.iter_mut().flat_map(|mesh| &mut mesh.positions).for_each(|p| p.x += aside);
        let musculature = rigged(&character, Preset::Pratscher).unwrap().musculature;
        let body = Body::bind(&character, &musculature).unwrap();
        let center = |m: usize| Vec3::from(body.rest_ellipsoid(m).translation) - Vec3::X * aside;
        for m in 0..body.n_muscle() {
            let kind = |m: usize| musculature.muscles[m].name.ends_with("flexor");
            let is_twin = |&o: &usize| kind(o) == kind(m) && center(o).distance(mirrored(center(m))) < 0.03;
            assert!((0..body.n_muscle()).any(|o| is_twin(&o)), "{} has no twin", musculature.muscles[m].name);
        }
    }
}

#[test]
fn a_bone_takes_its_own_skin_and_no_other_limbs() {
    let (character, limbs) = creature();
    let (bones, of_mesh) = crate::regions(&character, &[Wear::Body]);
    let per_limb = ((STEPS + 1) * AROUND) as usize;
    for (l, limb) in limbs.iter().enumerate().skip(1) {
        // beyond the hip, where body and leg run into each other
        for vertex in l * per_limb + per_limb / 4..(l + 1) * per_limb {
            let bone = of_mesh[0][vertex].expect("every point has a bone");
            let joint = bones[bone].joint;
            assert!(limb.joints.contains(&joint), "vertex {vertex} of limb {l} went to joint {joint}");
        }
    }
}

#[test]
fn broken_bodies_are_refused_in_a_sentence_or_rigged_but_never_panic() {
    let (whole, _) = creature();
    let mut bodies = Vec::new();
    let mut one_joint = whole.clone();
    one_joint.skeleton.joints.truncate(1);
    one_joint.meshes[0].weights = SparseWeights::default();
    (0..one_joint.meshes[0].positions.len()).for_each(|_| one_joint.meshes[0].weights.push_vertex([(0, 1.0)]));
    bodies.push(("one joint", one_joint));
    let mut no_weights = whole.clone();
    no_weights.meshes[0].weights = SparseWeights::default();
    bodies.push(("no weights", no_weights));
    let mut zero_length = whole.clone();
    for joint in 0..zero_length.skeleton.joints.len() {
        if let Some(parent) = zero_length.skeleton.joints[joint].parent.filter(|_| joint % 2 == 0) {
            zero_length.skeleton.joints[joint].bind = zero_length.skeleton.joints[parent].bind;
        }
    }
    bodies.push(("bones of no length", zero_length));
    let mut fins = whole.clone();
    let n = fins.meshes[0].positions.len() as u32;
    fins.meshes[0].triangles.extend((0..200).map(|i| [i, i + 1, n - 1 - i]));
    fins.meshes[0].triangles.extend([[3, 3, 3], [0, 1, 0]]);
    bodies.push(("edges of three triangles", fins));
    let mut torn = whole.clone();
    torn.meshes[0].triangles.retain(|t| t[0] % 3 != 0);
    bodies.push(("a torn skin", torn));
    let mut flat = whole.clone();
    flat.meshes[0].positions.iter_mut().for_each(|p| p.y = 1.0);
    bodies.push(("a flat skin", flat));
    let mut no_triangle = whole;
    no_triangle.meshes[0].triangles.clear();
    bodies.push(("no triangle", no_triangle));
    for (what, body) in bodies {
        match rigged(&body, Preset::Pratscher) {
            Ok(rigged) => assert!(Body::bind(&body, &rigged.musculature).is_ok(), "{what}"),
            Err(error) => assert!(error.to_string().len() > 20, "{what}"),
        }
    }
}
