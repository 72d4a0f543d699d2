//! The door: everything that comes from outside is checked here, once, so that no kernel has to.

mod activation;
mod layers;

use super::error::{BindError, SheetFault, most_similar};
use super::{bones, rest, shapes};
use crate::SparseWeights;
use crate::character::{Character, Mesh, Pose, Skeleton};
use crate::musculature::{
    Attachment, Bone, BoneShape, Contraction, Dynamics, MOST_ECCENTRIC, Muscle, Musculature, Path, PoseShape, Profile,
    Sculpt, Sigmoids,
};
use glam::{Affine3A, Vec3};
use std::collections::HashSet;

/// Joint weights may miss one by what eight-bit normalised weights lose.
const WEIGHT_SUM_SLACK: f32 = 0.02;

/// Metres beyond which squares and cubes of lengths, and sums of them, would leave single precision.
const FARTHEST: f32 = 1e6;

/// Check a character: skeleton, meshes, joint weights.
pub(super) fn character(character: &Character) -> Result<(), BindError> {
    skeleton(&character.skeleton)?;
    if character.meshes.is_empty() {
        return Err(BindError::NoMeshes);
    }
    character.meshes.iter().try_for_each(|m| mesh(m, character.skeleton.joints.len()))
}

pub(super) fn skeleton(skeleton: &Skeleton) -> Result<(), BindError> {
    if skeleton.joints.is_empty() {
        return Err(BindError::NoJoints);
    }
    count_fits("the skeleton", "joint", skeleton.joints.len())?;
    unique("joints", skeleton.joints.iter().map(|j| j.name.as_str()))?;
    for (index, joint) in skeleton.joints.iter().enumerate() {
        if let Some(parent) = joint.parent.filter(|&parent| parent >= index) {
            return Err(BindError::ParentOrder { joint: joint.name.clone(), index, parent });
        }
        let rest = joint.rest;
        let finite = rest.translation.is_finite() && rest.rotation.is_finite() && rest.scale.is_finite();
        finite_or(finite && joint.bind.is_finite(), || format!("the transform of joint {:?}", joint.name))?;
        if !invertible(&joint.bind) {
            return Err(BindError::SingularBind { joint: joint.name.clone() });
        }
        near_matrix(&joint.bind, || format!("the bind matrix of joint {:?}", joint.name))?;
    }
    let at_rest = Pose::rest(skeleton).model_matrices(skeleton);
    for (joint, matrix) in skeleton.joints.iter().zip(&at_rest) {
        near_matrix(matrix, || format!("the transform of joint {:?} and those above it", joint.name))?;
    }
    Ok(())
}

/// Relative to the matrix' own size, so that centimetres and miniatures pass alike.
fn invertible(bind: &Affine3A) -> bool {
    let size = bind.matrix3.to_cols_array().iter().fold(0.0_f32, |size, x| size.max(x.abs()));
    size > 0.0 && bind.inverse().is_finite() && (bind.matrix3.determinant() / (size * size * size)).abs() > 1e-9
}

fn mesh(mesh: &Mesh, n_joint: usize) -> Result<(), BindError> {
    let name = &mesh.name;
    let n = mesh.positions.len();
    for (what, len) in [("vertices", n), ("triangles", mesh.triangles.len())] {
        if len == 0 {
            return Err(BindError::EmptyMesh { mesh: name.clone(), what });
        }
    }
    for (v, p) in mesh.positions.iter().enumerate() {
        near(*p, || format!("the position of vertex {v} of mesh {name:?}"))?;
    }
    for (t, corners) in mesh.triangles.iter().enumerate() {
        for &index in corners {
            index_fits(index as usize, n, "vertex", || format!("triangle {t} of mesh {name:?}"))?;
        }
    }
    sparse(&mesh.weights, n, n_joint, "joint", name)?;
    for v in 0..n {
        let sum: f32 = mesh.weights.of(v).map(|(_, weight)| weight).sum();
        if (sum - 1.0).abs() > WEIGHT_SUM_SLACK {
            return Err(BindError::WeightSum { mesh: name.clone(), vertex: v, sum });
        }
    }
    Ok(())
}

/// Check sparse weights: as many rows as vertices, indices that exist, weights that are finite and not negative.
fn sparse(
    weights: &SparseWeights,
    n_vertex: usize,
    n_target: usize,
    what: &'static str,
    mesh: &str,
) -> Result<(), BindError> {
    let table = || format!("the table of {what} weights of mesh {mesh:?}");
    count(weights.len(), n_vertex, table)?;
    let entries = weights.index.len();
    count(weights.weight.len(), entries, table)?;
    count(weights.start.last().map_or(0, |&last| last as usize), entries, table)?;
    if weights.start[0] != 0 || !weights.start.is_sorted() {
        return Err(BindError::Count { element: table(), found: 0, wanted: entries });
    }
    for v in 0..n_vertex {
        for (index, weight) in weights.of(v) {
            let element = || format!("a {what} weight of vertex {v} of mesh {mesh:?}");
            index_fits(index as usize, n_target, what, element)?;
            in_range(weight, 0.0, f32::MAX, "0 and above", element)?;
        }
    }
    Ok(())
}

/// Check the muscles, layers and weights of a character that passed [`character`].
pub(super) fn musculature(of: &Character, musculature: &Musculature) -> Result<(), BindError> {
    muscles(&musculature.muscles, &of.skeleton)?;
    all_bones(&musculature.bones, &of.skeleton)?;
    layers::layers(musculature)?;
    activation::activation(musculature, &of.skeleton)?;
    let p = musculature.physique;
    for (field, value) in [
        ("size", p.size),
        ("bulge", p.bulge),
        ("stiffness", p.stiffness),
        ("damping", p.damping),
        ("skin_weight", p.skin_weight),
    ] {
        in_range(value, 0.0, 100.0, "0 ..= 100", || format!("{field} of the physique"))?;
    }
    if !musculature.weights.is_empty() {
        count(musculature.weights.len(), of.meshes.len(), || "the list of muscle weights, one per mesh,".into())?;
    }
    for (weights, mesh) in musculature.weights.iter().zip(&of.meshes) {
        sparse(weights, mesh.positions.len(), musculature.muscles.len(), "muscle", &mesh.name)?;
    }
    Ok(())
}

/// Bones on joints that are there, with a surface that has an inside.
fn all_bones(bones: &[Bone], skeleton: &Skeleton) -> Result<(), BindError> {
    count_fits("the musculature", "bone", bones.len())?;
    unique("bones", bones.iter().map(|bone| bone.name.as_str()))?;
    bones.iter().try_for_each(|of| bone(of, skeleton))
}

fn bone(bone: &Bone, skeleton: &Skeleton) -> Result<(), BindError> {
    let Bone { name, joint, shape } = bone;
    if skeleton.find(joint).is_none() {
        let similar = most_similar(joint, skeleton.joints.iter().map(|j| j.name.as_str()));
        return Err(BindError::UnknownBoneJoint { bone: name.clone(), joint: joint.clone(), similar });
    }
    for (what, value, positive) in bones::numbers(shape) {
        let (low, range) = if positive { (1e-6, "1e-6 ..= 1e6") } else { (-FARTHEST, "-1e6 ..= 1e6") };
        in_range(value, low, FARTHEST, range, || format!("{what} of bone {name:?}"))?;
    }
    if let BoneShape::Ellipsoid { turn, .. } = shape {
        let element = || format!("the length of the turn of bone {name:?}");
        in_range(turn.length(), 0.9, 1.1, "0.9 ..= 1.1", element)?;
    }
    bones::Surface::new(bone, skeleton).map(|_| ())
}

/// Check muscles against the skeleton they hold on to.
pub(super) fn muscles(muscles: &[Muscle], skeleton: &Skeleton) -> Result<(), BindError> {
    count_fits("the musculature", "muscle", muscles.len())?;
    unique("muscles", muscles.iter().map(|m| m.name.as_str()))?;
    muscles.iter().try_for_each(|m| muscle(m, skeleton))
}

fn muscle(muscle: &Muscle, skeleton: &Skeleton) -> Result<(), BindError> {
    let name = &muscle.name;
    let field = |field: &'static str| move || format!("{field} of muscle {name:?}");
    let via: &[Attachment] = if let Path::Polyline { via, .. } = &muscle.path { via } else { &[] };
    in_range(via.len() as f32, 0.0, 16.0, "0 ..= 16", field("the number of via points"))?;
    let ends = [(&muscle.origin, "the origin"), (&muscle.insertion, "the insertion")];
    let on_curves = curves(&muscle.path).into_iter().flat_map(|(what, curve)| curve.iter().map(move |at| (at, what)));
    for (end, what) in ends.into_iter().chain(via.iter().map(|via| (via, "a via point"))).chain(on_curves) {
        known_joint(&end.joint, name, skeleton)?;
        near(end.point, field(what))?;
    }
    muscle.carrier.iter().try_for_each(|joint| known_joint(joint, name, skeleton))?;
    near(muscle.up.unwrap_or_default(), field("the up-vector"))?;
    in_range(f32::from(muscle.rings), 3.0, 64.0, "3 ..= 64", field("rings"))?;
    in_range(f32::from(muscle.sectors), 3.0, 64.0, "3 ..= 64", field("sectors"))?;
    let follow = muscle.follow;
    for (share, what) in [(follow.slide, "follow.slide"), (follow.sink, "follow.sink"), (follow.turn, "follow.turn")] {
        in_range(share, 0.0, 1.0, "0 ..= 1", field(what))?;
    }
    if let Some(influence) = muscle.influence {
        in_range(influence.inner, 0.0, FARTHEST, "0 ..= 1e6", field("influence.inner"))?;
        let beyond = influence.outer - influence.inner;
        in_range(beyond, 1e-6, FARTHEST, "1e-6 ..= 1e6", field("what influence.outer has beyond influence.inner"))?;
    }
    dials(muscle)?;
    sheet(muscle, skeleton)?;
    muscle.sculpt.iter().try_for_each(|of| sculpt(of, muscle, ""))?;
    if let Contraction::PoseShapes { shapes, .. } = &muscle.contraction {
        pose_shapes(shapes, muscle, skeleton)?
    }
    Ok(())
}

/// The curves of a sheet, and what a point of each is called; nothing for other paths.
fn curves(path: &Path) -> Vec<(&'static str, &[Attachment])> {
    let Path::Sheet { origin, middle, insertion, .. } = path else { return Vec::new() };
    vec![
        ("a point of the origin curve", origin),
        ("a point of the middle curve", middle),
        ("a point of the insertion curve", insertion),
    ]
}

/// A sheet has curves that span some width and bellies that have some.
fn sheet(muscle: &Muscle, skeleton: &Skeleton) -> Result<(), BindError> {
    let Path::Sheet { origin, middle, insertion, bellies, .. } = &muscle.path else { return Ok(()) };
    let name = &muscle.name;
    let field = |what: &'static str| move || format!("{what} of muscle {name:?}");
    in_range(origin.len() as f32, 1.0, 16.0, "1 ..= 16", field("the number of points of the origin curve"))?;
    in_range(middle.len() as f32, 0.0, 16.0, "0 ..= 16", field("the number of points of the middle curve"))?;
    in_range(insertion.len() as f32, 1.0, 16.0, "1 ..= 16", field("the number of points of the insertion curve"))?;
    in_range(f32::from(*bellies), 1.0, 16.0, "1 ..= 16", field("the number of bellies"))?;
    let refuse = |fault| Err(BindError::Sheet { muscle: name.clone(), fault });
    if origin.len() == 1 && insertion.len() == 1 {
        return refuse(SheetFault::OnePoint);
    }
    let at = |end: &Attachment| {
        let joint = skeleton.find(&end.joint).unwrap_or(0);
        skeleton.joints[joint].bind.transform_point3(end.point)
    };
    let width = |curve: &[Attachment]| curve.windows(2).map(|pair| at(&pair[0]).distance(at(&pair[1]))).sum::<f32>();
    if width(origin) + width(insertion) <= 0.0 {
        return refuse(SheetFault::NoSpan);
    }
    let thin = rest::half_axes(muscle, 0.5).min_element() <= 0.0;
    if thin { refuse(SheetFault::NoWidth) } else { Ok(()) }
}

fn known_joint(joint: &str, muscle: &str, skeleton: &Skeleton) -> Result<(), BindError> {
    if skeleton.find(joint).is_some() {
        return Ok(());
    }
    let similar = most_similar(joint, skeleton.joints.iter().map(|j| j.name.as_str()));
    Err(BindError::UnknownJoint { muscle: muscle.into(), joint: joint.into(), similar })
}

/// A sculpt grid has one factor for every belly vertex.
fn sculpt(sculpt: &Sculpt, muscle: &Muscle, place: &str) -> Result<(), BindError> {
    let name = &muscle.name;
    let wanted = usize::from(muscle.rings) * usize::from(muscle.sectors);
    count(sculpt.factors.len(), wanted, || format!("the sculpt grid{place} of muscle {name:?}"))?;
    let mut factors = sculpt.factors.iter();
    factors.try_for_each(|&f| {
        in_range(f, 0.0, 100.0, "0 ..= 100", || format!("a sculpt factor{place} of muscle {name:?}"))
    })
}

/// Poses that differ, of joints that are there, each with its grid.
fn pose_shapes(shapes: &[PoseShape], muscle: &Muscle, skeleton: &Skeleton) -> Result<(), BindError> {
    let name = &muscle.name;
    in_range(shapes.len() as f32, 1.0, 64.0, "1 ..= 64", || format!("the number of shapes of muscle {name:?}"))?;
    for (i, shape) in shapes.iter().enumerate() {
        sculpt(&shape.sculpt, muscle, &format!(" in shape {i}"))?;
        for (joint, turn) in &shape.turns {
            known_joint(joint, name, skeleton)?;
            let element = || format!("the length of the rotation of {joint:?} in shape {i} of muscle {name:?}");
            in_range(turn.length(), 0.9, 1.1, "0.9 ..= 1.1", element)?;
        }
    }
    let place = |i: usize| if i == 0 { "the bind pose".into() } else { format!("shape {}", i - 1) };
    match shapes::same_pose(shapes) {
        Some((a, b)) => Err(BindError::SamePose { muscle: name.clone(), first: place(a), second: place(b) }),
        None => Ok(()),
    }
}

/// Legal values of the four dials.
fn dials(muscle: &Muscle) -> Result<(), BindError> {
    let name = &muscle.name;
    let check = |what: &'static str, value: f32, low: f32, high: f32, range: &'static str| {
        in_range(value, low, high, range, || format!("{what} of muscle {name:?}"))
    };
    match &muscle.path {
        Path::Bezier { offset, held, .. } => {
            near(*offset, || format!("the path offset of muscle {name:?}"))?;
            check("held", *held, 0.0, 1.0, "0 ..= 1")?;
        }
        Path::Polyline { tendons, .. } | Path::Sheet { tendons, .. } => {
            check("the origin's tendon", tendons[0], 0.0, FARTHEST, "0 ..= 1e6")?;
            check("the insertion's tendon", tendons[1], 0.0, FARTHEST, "0 ..= 1e6")?;
        }
    }
    match muscle.profile {
        Profile::Sine { size, taper, aspect } => {
            check("size", size, 0.0, 1e6, "0 ..= 1e6")?;
            check("taper", taper, 0.01, 100.0, "0.01 ..= 100")?;
            check("aspect", aspect, 0.01, 100.0, "0.01 ..= 100")?;
        }
        Profile::Ellipsoid { width, height } => {
            check("width", width, 0.0, 1e6, "0 ..= 1e6")?;
            check("height", height, 0.0, 1e6, "0 ..= 1e6")?;
        }
        Profile::TwoCubics { peak_at, peak, ends, slopes, ellipse } => {
            check("peak_at", peak_at, 0.05, 0.95, "0.05 ..= 0.95")?;
            check("peak", peak, 1e-6, 1e6, "1e-6 ..= 1e6")?;
            ends.into_iter().try_for_each(|end| check("an end's radius", end, 0.0, peak, "0 ..= its peak"))?;
            slopes.into_iter().try_for_each(|slope| check("an end's slope", slope, -1e6, 1e6, "-1e6 ..= 1e6"))?;
            check("ellipse", ellipse, 0.01, 100.0, "0.01 ..= 100")?;
        }
        Profile::Sigmoid { shape, .. } => sigmoids(name, &shape)?,
    }
    match &muscle.contraction {
        Contraction::Bulge { bulge, stretch_ratio, isometric } => {
            check("bulge", *bulge, 0.0, 100.0, "0 ..= 100")?;
            check("stretch_ratio", *stretch_ratio, 0.01, 1e6, "0.01 ..= 1e6")?;
            check("isometric", *isometric, 0.0, 100.0, "0 ..= 100")?;
        }
        Contraction::Tone { tone, isometric } | Contraction::PoseShapes { tone, isometric, .. } => {
            check("tone", *tone, 0.0, 1.0, "0 ..= 1")?;
            check("isometric", *isometric, 0.0, 100.0, "0 ..= 100")?;
        }
        Contraction::Cones { isometric, .. } => check("isometric", *isometric, 0.0, 4.0, "0 ..= 4")?,
        Contraction::TensionRatio { ratio, tension, .. } => {
            check("ratio", *ratio, 0.05, 20.0, "0.05 ..= 20")?;
            check("tension", *tension, 0.0, 1.0, "0 ..= 1")?;
        }
        Contraction::Identified { by_length, by_tension, strength } => {
            let on_one_line = !matches!(muscle.path, Path::Sheet { .. });
            if !on_one_line || !matches!(muscle.profile, Profile::Sigmoid { .. }) {
                return Err(BindError::NoSigmoid { muscle: name.clone(), is_sheet: !on_one_line });
            }
            let mut rates = by_length.numbers().into_iter().chain(by_tension.numbers());
            rates.try_for_each(|rate| check("a rate", rate, -1e6, 1e6, "-1e6 ..= 1e6"))?;
            check("strength", *strength, 0.0, 1e9, "0 ..= 1e9")?;
        }
    }
    match muscle.dynamics {
        Dynamics::None => {}
        Dynamics::Spring { stiffness, mass, damping, reach, .. } => {
            check("stiffness", stiffness, 0.0, 1e9, "0 ..= 1e9")?;
            check("mass", mass, 1e-6, 1e9, "1e-6 ..= 1e9")?;
            check("damping", damping, 0.0, 1.0, "0 ..= 1")?;
            check("reach", reach, 1e-3, 1e3, "0.001 ..= 1000")?;
        }
        Dynamics::SoftBody { stiffness, goal, mass, damping, gravity, reach } => {
            check("stiffness", stiffness, 0.0, 1e9, "0 ..= 1e9")?;
            check("goal", goal, 0.0, 1e9, "0 ..= 1e9")?;
            check("mass", mass, 1e-6, 1e9, "1e-6 ..= 1e9")?;
            check("damping", damping, 0.0, 1.0, "0 ..= 1")?;
            check("gravity", gravity, 0.0, 10.0, "0 ..= 10")?;
            check("reach", reach, 1e-3, 1e3, "0.001 ..= 1000")?;
        }
    }
    Ok(())
}

/// Two sigmoids that have some radius everywhere.
fn sigmoids(name: &str, shape: &Sigmoids) -> Result<(), BindError> {
    let field = |field: &'static str| move || format!("{field} of muscle {name:?}");
    for [k1, k2, k3, k4] in [shape.origin, shape.insertion] {
        in_range(k1, -100.0, 100.0, "-100 ..= 100", field("k1"))?;
        in_range(k2, 0.0, 1e3, "0 ..= 1000", field("k2"))?;
        in_range(k3, -1e6, 1e6, "-1e6 ..= 1e6", field("k3"))?;
        in_range(k4, -1e6, 1e6, "-1e6 ..= 1e6", field("k4"))?;
    }
    in_range(shape.eccentricity, 0.0, MOST_ECCENTRIC, "0 ..= 0.99", field("eccentricity"))?;
    // a sigmoid is monotone between an end and the middle
    [0.0, 0.5, 0.500_001, 1.0]
        .into_iter()
        .try_for_each(|s| in_range(shape.radius(s), 1e-4, 1e6, "0.0001 ..= 1e6", field("the sigmoid's radius")))
}

fn finite_or(finite: bool, element: impl FnOnce() -> String) -> Result<(), BindError> {
    if finite { Ok(()) } else { Err(BindError::NotFinite { element: element() }) }
}

fn near(point: Vec3, element: impl Fn() -> String) -> Result<(), BindError> {
    point.to_array().into_iter().try_for_each(|x| in_range(x, -FARTHEST, FARTHEST, "-1e6 ..= 1e6", &element))
}

fn near_matrix(matrix: &Affine3A, element: impl Fn() -> String) -> Result<(), BindError> {
    matrix.to_cols_array().into_iter().try_for_each(|x| in_range(x, -FARTHEST, FARTHEST, "-1e6 ..= 1e6", &element))
}

fn in_range(
    value: f32,
    low: f32,
    high: f32,
    range: &'static str,
    element: impl FnOnce() -> String,
) -> Result<(), BindError> {
    if !value.is_finite() {
        return Err(BindError::NotFinite { element: element() });
    }
    if (low..=high).contains(&value) { Ok(()) } else { Err(BindError::OutOfRange { element: element(), value, range }) }
}

fn count(found: usize, wanted: usize, element: impl FnOnce() -> String) -> Result<(), BindError> {
    if found == wanted { Ok(()) } else { Err(BindError::Count { element: element(), found, wanted }) }
}

fn index_fits(
    index: usize,
    count: usize,
    what: &'static str,
    element: impl FnOnce() -> String,
) -> Result<(), BindError> {
    if index < count { Ok(()) } else { Err(BindError::IndexOutOfRange { element: element(), what, index, count }) }
}

/// Weights refer to joints and muscles by sixteen-bit numbers.
fn count_fits(list: &str, what: &'static str, len: usize) -> Result<(), BindError> {
    let most = usize::from(u16::MAX);
    if len <= most {
        return Ok(());
    }
    Err(BindError::IndexOutOfRange { element: list.into(), what, index: len, count: most })
}

fn unique<'a>(what: &'static str, mut names: impl Iterator<Item = &'a str>) -> Result<(), BindError> {
    let mut seen = HashSet::new();
    match names.find(|name| !seen.insert(*name)) {
        Some(name) => Err(BindError::DuplicateName { what, name: name.into() }),
        None => Ok(()),
    }
}
