//! What is not sound is refused at bind, by name and with a cure, and never later.

use crate::random::split_box;
use fusiform::musculature::{
    Attachment, Bone, BoneShape, Contraction, Dynamics, Influence, Layer, Path, PoseShape, Profile, Sculpt, ShellMode,
    WrapFrame,
};
use fusiform::{BindError, Body, Character, Mesh, Muscle, Musculature, Skeleton, SparseWeights, Transform};
use glam::{Affine3A, Quat, Vec3};

fn sound() -> (Character, Musculature) {
    let skeleton =
        Skeleton::from_rest(&[("hips", None, Transform::IDENTITY), ("knee", Some(0), Transform::at(Vec3::Y))]);
    let mut weights = SparseWeights::default();
    (0..3).for_each(|_| weights.push_vertex([(0, 0.5), (1, 0.5)]));
    let mut muscle_weights = SparseWeights::default();
    (0..3).for_each(|_| muscle_weights.push_vertex([(0, 0.5)]));
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    let mesh = Mesh { name: "skin".into(), positions, triangles: vec![[0, 1, 2]], weights, ..Mesh::default() };
    let end = |joint: &str| Attachment { joint: joint.into(), point: Vec3::ZERO };
    let muscle = Muscle { name: "vastus".into(), origin: end("hips"), insertion: end("knee"), ..Muscle::default() };
    let character = Character { name: "leg".into(), skeleton, meshes: vec![mesh], clips: Vec::new() };
    let (layers, weights) = (vec![Layer::blend()], vec![muscle_weights]);
    (character, Musculature { muscles: vec![muscle], layers, weights, ..Musculature::default() })
}

/// The error of a sound body after one thing was broken; its message must name that thing, its cure must say something.
fn refused(break_it: impl Fn(&mut Character, &mut Musculature), names: &str) -> BindError {
    let (mut character, mut musculature) = sound();
    Body::bind(&character, &musculature).expect("sound before");
    break_it(&mut character, &mut musculature);
    let error = Body::bind(&character, &musculature).expect_err("unsound after");
    assert!(error.to_string().contains(names), "{error} does not name {names}");
    assert!(error.cure().len() > 10, "{error} has no cure");
    error
}

#[test]
fn a_skeleton_must_be_a_tree_of_finite_joints() {
    refused(|c, _| c.skeleton.joints.clear(), "no joint");
    refused(|c, _| c.skeleton.joints[0].parent = Some(1), "hips");
    refused(|c, _| c.skeleton.joints[1].parent = Some(1), "knee");
    refused(|c, _| c.skeleton.joints[1].name = "hips".into(), "hips");
    refused(|c, _| c.skeleton.joints[1].rest.translation.x = f32::NAN, "knee");
    refused(|c, _| c.skeleton.joints[1].bind.translation.x = f32::INFINITY, "knee");
    refused(|c, _| c.skeleton.joints[1].bind = Affine3A::from_scale(Vec3::new(1.0, 0.0, 1.0)), "knee");
}

#[test]
fn a_mesh_must_have_vertices_triangles_and_weights_that_fit() {
    refused(|c, _| c.meshes.clear(), "no skinned mesh");
    refused(|c, _| c.meshes[0].positions.clear(), "skin");
    refused(|c, _| c.meshes[0].triangles.clear(), "skin");
    refused(|c, _| c.meshes[0].positions[1].y = f32::NAN, "vertex 1");
    refused(|c, _| c.meshes[0].triangles[0][2] = 3, "triangle 0");
    refused(|c, _| c.meshes[0].weights.index[3] = 2, "vertex 1");
    refused(|c, _| c.meshes[0].weights.weight[4] = 0.9, "vertex 2");
    refused(|c, _| c.meshes[0].weights.weight[4] = f32::NAN, "vertex 2");
    refused(|c, _| c.meshes[0].weights.weight[4] = -0.5, "vertex 2");
    refused(|c, _| c.meshes[0].weights.start.truncate(3), "joint weights");
    refused(|c, _| c.meshes[0].weights.start[1] = 5, "joint weights");
    refused(|c, _| c.meshes[0].weights.start.clear(), "joint weights");
}

#[test]
fn a_muscle_must_hold_on_to_joints_that_are_there() {
    let error = refused(|_, m| m.muscles[0].insertion.joint = "kneee".into(), "kneee");
    assert!(error.cure().contains("knee"), "{}", error.cure());
    refused(|_, m| m.muscles[0].origin.joint = "tail".into(), "vastus");
    refused(|_, m| m.muscles[0].origin.point.x = f32::NAN, "vastus");
    refused(|_, m| m.muscles.push(m.muscles[0].clone()), "vastus");
}

#[test]
fn every_dial_has_a_legal_range() {
    refused(|_, m| m.muscles[0].rings = 1, "rings");
    refused(|_, m| m.muscles[0].sectors = 200, "sectors");
    refused(|_, m| m.muscles[0].sculpt = Some(Sculpt { factors: vec![1.0; 5] }), "sculpt");
    refused(|_, m| m.muscles[0].profile = Profile::Sine { size: 0.1, taper: 0.0, aspect: 1.0 }, "taper");
    refused(|_, m| m.muscles[0].profile = Profile::Sine { size: f32::NAN, taper: 1.0, aspect: 1.0 }, "size");
    let bulge = |bulge, stretch_ratio| Contraction::Bulge { bulge, stretch_ratio, isometric: 0.0 };
    refused(|_, m| m.muscles[0].contraction = bulge(-1.0, 1.0), "bulge");
    refused(|_, m| m.muscles[0].contraction = bulge(1.0, 0.0), "stretch_ratio");
    refused(|_, m| m.physique.damping = -1.0, "damping");
    refused(|_, m| m.layers[0] = Layer::Blend { nearest: 0 }, "layer 0");
}

#[test]
fn a_polyline_must_hold_on_to_joints_that_are_there() {
    let polyline = |joint: &str, point: Vec3, tendon: f32| {
        let via = vec![Attachment { joint: joint.into(), point }];
        Path::Polyline { via, tendons: [0.0, tendon] }
    };
    let error = refused(|_, m| m.muscles[0].path = polyline("hip", Vec3::ZERO, 0.1), "vastus");
    assert!(error.cure().contains("hips"), "{}", error.cure());
    refused(|_, m| m.muscles[0].path = polyline("hips", Vec3::NAN, 0.1), "via point");
    refused(|_, m| m.muscles[0].path = polyline("hips", Vec3::ZERO, -0.1), "tendon");
    let many = vec![Attachment { joint: "hips".into(), point: Vec3::ZERO }; 17];
    refused(|_, m| m.muscles[0].path = Path::Polyline { via: many.clone(), tendons: [0.0; 2] }, "via points");
    refused(|_, m| m.muscles[0].carrier = Some("tail".into()), "tail");
}

#[test]
fn a_sheet_must_have_curves_that_span_and_bellies_that_are_wide() {
    let at = |joint: &str, x: f32| Attachment { joint: joint.into(), point: Vec3::X * x };
    let sheet = |origin: Vec<Attachment>, insertion: Vec<Attachment>, bellies: u8| Path::Sheet {
        origin,
        middle: Vec::new(),
        insertion,
        bellies,
        tendons: [0.0; 2],
    };
    let wide = || vec![at("hips", 0.0), at("hips", 0.2)];
    let error = refused(|_, m| m.muscles[0].path = sheet(vec![at("hips", 0.0)], vec![at("knee", 0.0)], 3), "one point");
    assert!(error.to_string().contains("vastus") && error.cure().contains("second point"), "{error}: {}", error.cure());
    refused(|_, m| m.muscles[0].path = sheet(vec![at("hips", 0.1); 3], vec![at("knee", 0.0)], 3), "no width");
    refused(|_, m| m.muscles[0].path = sheet(wide(), Vec::new(), 3), "insertion curve");
    refused(|_, m| m.muscles[0].path = sheet(vec![at("hips", 0.1); 17], wide(), 3), "origin curve");
    refused(|_, m| m.muscles[0].path = sheet(wide(), wide(), 0), "bellies");
    refused(|_, m| m.muscles[0].path = sheet(wide(), wide(), 17), "bellies");
    refused(|_, m| m.muscles[0].path = sheet(vec![at("hips", 0.0), at("hips", f32::NAN)], wide(), 3), "origin curve");
    let error = refused(|_, m| m.muscles[0].path = sheet(wide(), vec![at("kneee", 0.0)], 3), "kneee");
    assert!(error.cure().contains("knee"), "{}", error.cure());
    let thin = |m: &mut Musculature, profile: Profile| {
        m.muscles[0].path = sheet(wide(), wide(), 3);
        m.muscles[0].profile = profile;
    };
    refused(|_, m| thin(m, Profile::Sine { size: 0.0, taper: 1.0, aspect: 1.0 }), "bellies have no width");
    refused(|_, m| thin(m, Profile::Ellipsoid { width: 0.0, height: 0.1 }), "bellies have no width");
    // a fan is a sheet
    let (character, mut musculature) = sound();
    musculature.muscles[0].path = sheet(wide(), vec![at("knee", 0.0)], 3);
    Body::bind(&character, &musculature).unwrap();
}

#[test]
fn ellipsoids_and_tone_have_a_legal_range() {
    refused(|_, m| m.muscles[0].profile = Profile::Ellipsoid { width: -0.1, height: 0.1 }, "width");
    refused(|_, m| m.muscles[0].profile = Profile::Ellipsoid { width: 0.1, height: f32::NAN }, "height");
    refused(|_, m| m.muscles[0].contraction = Contraction::Tone { tone: 1.5, isometric: 0.0 }, "tone");
    refused(|_, m| m.muscles[0].contraction = Contraction::Tone { tone: 0.5, isometric: -1.0 }, "isometric");
}

#[test]
fn pose_shapes_must_differ_and_have_their_grids() {
    let shape = |joint: &str, angle: f32, n: usize| PoseShape {
        turns: [(joint.to_owned(), Quat::from_rotation_x(angle))].into(),
        sculpt: Sculpt { factors: vec![1.2; n] },
    };
    let shapes = |shapes: Vec<PoseShape>| Contraction::PoseShapes { shapes, tone: 0.0, isometric: 0.0 };
    refused(|_, m| m.muscles[0].contraction = shapes(vec![]), "number of shapes");
    refused(|_, m| m.muscles[0].contraction = shapes(vec![shape("knee", 1.0, 71)]), "shape 0");
    refused(|_, m| m.muscles[0].contraction = shapes(vec![shape("kneee", 1.0, 72)]), "kneee");
    refused(|_, m| m.muscles[0].contraction = shapes(vec![shape("knee", f32::NAN, 72)]), "rotation");
    refused(|_, m| m.muscles[0].contraction = shapes(vec![shape("knee", 0.0, 72)]), "the bind pose and shape 0");
    let twins = || shapes(vec![shape("knee", 0.5, 72), shape("hips", 0.5, 72), shape("knee", 0.5, 72)]);
    refused(|_, m| m.muscles[0].contraction = twins(), "shape 0 and shape 2");
}

#[test]
fn shells_have_a_legal_range() {
    let shells = |change: &dyn Fn(&mut Layer)| {
        let mut layer = Layer::shells();
        change(&mut layer);
        layer
    };
    macro_rules! refuse {
        ($field:ident = $value:expr, $names:expr) => {
            refused(
                |_, m| {
                    m.layers[0] = shells(&|layer| {
                        if let Layer::Shells { $field, .. } = layer {
                            *$field = $value;
                        }
                    })
                },
                $names,
            )
        };
    }
    refuse!(drop_off = 0.0, "drop_off");
    refuse!(stickiness = 1.1, "stickiness");
    refuse!(hardness = 1.0, "hardness");
    refuse!(weight = f32::NAN, "weight");
    refuse!(mode = ShellMode::Stretch { slippage: 0.0 }, "slippage");
    refuse!(mode = ShellMode::Star { slippage: 21.0 }, "slippage");
    refuse!(mode = ShellMode::Trajectory { slippage: 0.0, offsets: vec![] }, "slippage");
    refuse!(mode = ShellMode::Trajectory { slippage: 1.0, offsets: vec![Vec3::NAN] }, "offset");
    refuse!(mode = ShellMode::Trajectory { slippage: 1.0, offsets: vec![Vec3::ZERO; 17] }, "offsets");
    let error = refuse!(muscles = vec!["vastu".into()], "layer 0");
    assert!(error.cure().contains("vastus"), "{}", error.cure());
}

/// What is done to a mesh's vertices and triangles.
type Change<'a> = &'a dyn Fn(&mut Vec<Vec3>, &mut Vec<[u32; 3]>);

#[test]
fn bones_must_hang_on_joints_and_have_an_inside() {
    let bone = |shape: BoneShape| Bone { name: "patella".into(), joint: "knee".into(), shape };
    let ball = || BoneShape::Capsule { from: Vec3::ZERO, to: Vec3::ZERO, radii: [0.1; 2] };
    let mesh = |change: Change| {
        let mut shape = split_box(Vec3::ZERO, Vec3::ONE);
        if let BoneShape::Mesh { positions, triangles, .. } = &mut shape {
            change(positions, triangles);
        }
        bone(shape)
    };
    let with = |bone: Bone| move |_: &mut Character, m: &mut Musculature| m.bones = vec![bone.clone()];
    let error = refused(with(Bone { joint: "kne".into(), ..bone(ball()) }), "patella");
    assert!(error.cure().contains("knee"), "{}", error.cure());
    refused(|_, m| m.bones = vec![bone(ball()); 2], "patella");
    refused(with(bone(BoneShape::Capsule { from: Vec3::NAN, to: Vec3::X, radii: [0.1; 2] })), "from");
    refused(with(bone(BoneShape::Capsule { from: Vec3::X, to: Vec3::X, radii: [0.0, 0.1] })), "radius");
    let plate = |half_axes, turn| bone(BoneShape::Ellipsoid { center: Vec3::X, turn, half_axes });
    refused(with(plate(Vec3::NEG_ONE, Quat::IDENTITY)), "half_axes");
    refused(with(plate(Vec3::ONE, Quat::from_xyzw(0.0, 0.0, 0.0, 3.0))), "turn");
    refused(with(mesh(&|_, triangles| triangles.truncate(11))), "not closed");
    refused(with(mesh(&|_, triangles| triangles[3].swap(0, 1))), "not closed");
    refused(with(mesh(&|_, triangles| triangles.clear())), "no triangle");
    refused(with(mesh(&|_, triangles| triangles[3][1] = 99)), "corner 99");
    refused(with(mesh(&|positions, _| positions[7].y = f32::NAN)), "vertex 7");
    refused(with(mesh(&|_, triangles| triangles.iter_mut().for_each(|t| t.swap(0, 1)))), "inside out");
    refused(with(mesh(&|positions, _| positions.iter_mut().for_each(|p| p.z = 0.0))), "flat");
}

#[test]
fn a_layer_of_slide_has_a_legal_range_and_bones_that_are_there() {
    let patella = || {
        let shape = BoneShape::Capsule { from: Vec3::ZERO, to: Vec3::ZERO, radii: [0.1; 2] };
        vec![Bone { name: "patella".into(), joint: "knee".into(), shape }]
    };
    let slide = |names: &'static [&str], max: f32, reach: f32| {
        move |_: &mut Character, m: &mut Musculature| {
            let bones = names.iter().map(|name| (*name).to_owned()).collect();
            (m.bones, m.layers) = (patella(), vec![Layer::Slide { bones, max, reach, fat: 0.01 }]);
        }
    };
    let error = refused(slide(&["patela"], 0.01, 0.01), "layer 0");
    assert!(error.cure().contains("patella"), "{}", error.cure());
    refused(slide(&[], -0.01, 0.01), "max of layer 0");
    refused(slide(&[], f32::NAN, 0.01), "max of layer 0");
    refused(slide(&[], 0.01, 0.0), "reach of layer 0");
    let thin = |_: &mut Character, m: &mut Musculature| {
        let half_axes = Vec3::new(3.0, 3.0, 0.001);
        let shape = BoneShape::Ellipsoid { center: Vec3::ZERO, turn: Quat::IDENTITY, half_axes };
        m.bones = vec![Bone { name: "sheet".into(), joint: "knee".into(), shape }];
        m.layers = vec![Layer::slide()];
    };
    refused(thin, "sheet");
    let fat = Layer::Slide { bones: Vec::new(), max: 0.1, reach: 0.1, fat: -0.1 };
    refused(|_, m| m.layers = vec![fat.clone()], "fat of layer 0");
}

#[test]
fn an_influence_ends_beyond_where_it_is_whole() {
    let with = |inner, outer| {
        move |m: &mut Musculature| {
            m.muscles[0].influence = Some(Influence { inner, outer, ..Influence::default() });
        }
    };
    refused(|_, m| with(-0.1, 0.1)(m), "influence.inner");
    refused(|_, m| with(0.1, 0.1)(m), "influence.outer");
    refused(|_, m| with(0.0, f32::NAN)(m), "influence.outer");
}

#[test]
fn wrapping_has_a_legal_range_and_names_muscles_that_are_there() {
    let wrap = |shrink, muscle: &str| {
        let (muscles, frame) = (vec![muscle.into()], WrapFrame::Full);
        Layer::Wrap { muscles, shrink, frame, slide: 1.0, sink: 1.0 }
    };
    let eased = |slide, sink| {
        let (muscles, frame) = (Vec::new(), WrapFrame::Normal);
        Layer::Wrap { muscles, shrink: 0.0, frame, slide, sink }
    };
    refused(|_, m| m.layers[0] = eased(-0.1, 1.0), "slide");
    refused(|_, m| m.layers[0] = eased(1.0, 1.1), "sink");
    refused(|_, m| m.layers[0] = wrap(1.5, "vastus"), "shrink");
    refused(|_, m| m.layers[0] = wrap(f32::NAN, "vastus"), "shrink");
    let error = refused(|_, m| m.layers[0] = wrap(0.0, "vastu"), "layer 0");
    assert!(error.cure().contains("vastus"), "{}", error.cure());
}

#[test]
fn soft_bodies_have_a_legal_range() {
    macro_rules! refuse {
        ($field:ident = $value:expr) => {
            refused(
                |_, m| {
                    m.muscles[0].dynamics = Dynamics::soft_body();
                    if let Dynamics::SoftBody { $field, .. } = &mut m.muscles[0].dynamics {
                        *$field = $value;
                    }
                },
                stringify!($field),
            )
        };
    }
    refuse!(stiffness = -1.0);
    refuse!(goal = f32::INFINITY);
    refuse!(mass = 0.0);
    refuse!(damping = 1.1);
    refuse!(gravity = -0.1);
    refuse!(reach = 0.0);
}

#[test]
fn muscle_weights_must_fit_meshes_and_muscles() {
    refused(|_, m| m.weights.push(SparseWeights::default()), "muscle weights");
    refused(|_, m| m.weights[0].index[0] = 1, "vertex 0");
    refused(|_, m| m.weights[0].weight[0] = f32::INFINITY, "vertex 0");
    refused(|_, m| m.weights[0].start.truncate(2), "muscle weights");
}
