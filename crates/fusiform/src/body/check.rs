//! The door: everything that comes from outside is checked here, once, so that no kernel has to.

use super::error::{BindError, most_similar};
use crate::SparseWeights;
use crate::character::{Character, Mesh, Pose, Skeleton};
use crate::musculature::{Contraction, Dynamics, Layer, Muscle, Musculature, Path, Profile};
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
    for (i, layer) in musculature.layers.iter().enumerate() {
        match *layer {
            Layer::Blend { nearest } => {
                let element = || format!("the nearest count of layer {i} (blend)");
                in_range(f32::from(nearest), 1.0, 16.0, "1 ..= 16", element)?;
            }
        }
    }
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

/// Check muscles against the skeleton they hold on to.
pub(super) fn muscles(muscles: &[Muscle], skeleton: &Skeleton) -> Result<(), BindError> {
    count_fits("the musculature", "muscle", muscles.len())?;
    unique("muscles", muscles.iter().map(|m| m.name.as_str()))?;
    muscles.iter().try_for_each(|m| muscle(m, skeleton))
}

fn muscle(muscle: &Muscle, skeleton: &Skeleton) -> Result<(), BindError> {
    let name = &muscle.name;
    let field = |field: &'static str| move || format!("{field} of muscle {name:?}");
    for (end, what) in [(&muscle.origin, "the origin"), (&muscle.insertion, "the insertion")] {
        if skeleton.find(&end.joint).is_none() {
            let similar = most_similar(&end.joint, skeleton.joints.iter().map(|j| j.name.as_str()));
            return Err(BindError::UnknownJoint { muscle: name.clone(), joint: end.joint.clone(), similar });
        }
        near(end.point, field(what))?;
    }
    near(muscle.up.unwrap_or_default(), field("the up-vector"))?;
    in_range(f32::from(muscle.rings), 3.0, 64.0, "3 ..= 64", field("rings"))?;
    in_range(f32::from(muscle.sectors), 3.0, 64.0, "3 ..= 64", field("sectors"))?;
    let follow = muscle.follow;
    for (share, what) in [(follow.slide, "follow.slide"), (follow.sink, "follow.sink"), (follow.turn, "follow.turn")] {
        in_range(share, 0.0, 1.0, "0 ..= 1", field(what))?;
    }
    dials(muscle)?;
    if let Some(sculpt) = &muscle.sculpt {
        let wanted = usize::from(muscle.rings) * usize::from(muscle.sectors);
        count(sculpt.factors.len(), wanted, field("the sculpt grid"))?;
        let mut factors = sculpt.factors.iter();
        factors.try_for_each(|&f| in_range(f, 0.0, 100.0, "0 ..= 100", field("a sculpt factor")))?;
    }
    Ok(())
}

/// Legal values of the four dials.
fn dials(muscle: &Muscle) -> Result<(), BindError> {
    let name = &muscle.name;
    let check = |what: &'static str, value: f32, low: f32, high: f32, range: &'static str| {
        in_range(value, low, high, range, || format!("{what} of muscle {name:?}"))
    };
    match muscle.path {
        Path::Bezier { offset, held, .. } => {
            near(offset, || format!("the path offset of muscle {name:?}"))?;
            check("held", held, 0.0, 1.0, "0 ..= 1")?;
        }
    }
    match muscle.profile {
        Profile::Sine { size, taper, aspect } => {
            check("size", size, 0.0, 1e6, "0 ..= 1e6")?;
            check("taper", taper, 0.01, 100.0, "0.01 ..= 100")?;
            check("aspect", aspect, 0.01, 100.0, "0.01 ..= 100")?;
        }
    }
    match muscle.contraction {
        Contraction::Bulge { bulge, stretch_ratio, isometric } => {
            check("bulge", bulge, 0.0, 100.0, "0 ..= 100")?;
            check("stretch_ratio", stretch_ratio, 0.01, 1e6, "0.01 ..= 1e6")?;
            check("isometric", isometric, 0.0, 100.0, "0 ..= 100")?;
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
    }
    Ok(())
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
