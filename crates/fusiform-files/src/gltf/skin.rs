//! Skins: one skeleton in one bind pose, from any number of skins that each have their own.
//!
//! A file gives `joint_from_mesh` at bind (IBM) for every joint of a skin, in the mesh's own space. Here a character has
//! one bind pose in model space, so each skin gets the map `A = model_from_mesh` with which its joints agree:
//!
//! ```text
//! B_j = A IBM_j⁻¹        A = W_j IBM_j  of the joint nearest the root that holds skin,  W_j where it rests
//! skinned = Σ w M_j IBM_j v = Σ w M_j B_j⁻¹ (A v)
//! ```
//!
//! Where a second skin was bound in another pose, no A fits all: each joint that disagrees gets a twin that always is
//! where the joint is, but was bound elsewhere. That is exact for every pose.

use super::accessor::Source;
use super::nodes::{Tree, node_place, unique_names};
use super::primitive::Raw;
use super::schema;
use crate::FileError;
use fusiform::{Joint, Skeleton, Transform};
use glam::{Affine3A, DAffine3, DMat3, DMat4, Vec3};
use std::collections::{HashMap, HashSet};

/// A skin's place in the character.
pub(crate) struct Bound {
    /// The character's joint for each joint of the skin.
    pub joint: Vec<u16>,
    /// In metres.
    pub model_from_mesh: DAffine3,
}

/// The skeleton that all skins share.
pub(crate) struct Skeletons {
    pub skeleton: Skeleton,
    /// The file's node of each joint; twins have their joint's.
    pub node_of_joint: Vec<usize>,
    pub skins: HashMap<usize, Bound>,
}

/// Bind matrices that differ by less, relative to the body, were bound in the same pose.
const SAME_POSE: f64 = 2e-4;

/// Every twin of a joint is compared with all others of it.
const MOST_TWINS: usize = 256;

/// `joint_from_mesh` at bind of every joint of a skin.
pub(crate) fn inverse_binds(source: &Source, index: usize) -> Result<Vec<DAffine3>, FileError> {
    let skin = source.root.skins.get(index).ok_or_else(|| {
        FileError::new(format!("skin {index}"), format!("it is referred to, but there are {}", source.root.skins.len()))
    })?;
    let n_node = source.root.nodes.len();
    if let Some(&joint) = skin.joints.iter().find(|&&joint| joint >= n_node) {
        return Err(FileError::new(format!("skin {index}"), format!("joint {joint} is no node; there are {n_node}")));
    }
    let mut seen = HashSet::new();
    if let Some(&joint) = skin.joints.iter().find(|&&joint| !seen.insert(joint)) {
        let message = format!("it lists {} twice", node_place(source.root, joint));
        return Err(FileError::new(format!("skin {index}"), message));
    }
    if skin.joints.is_empty() {
        return Err(FileError::new(format!("skin {index}"), "it has no joint"));
    }
    let Some(accessor) = skin.inverse_bind_matrices else { return Ok(vec![DAffine3::IDENTITY; skin.joints.len()]) };
    let values = source.floats(accessor, &[16])?.values;
    if values.len() / 16 < skin.joints.len() {
        let message = format!("it has {} joints, but {} inverse bind matrices", skin.joints.len(), values.len() / 16);
        return Err(FileError::new(format!("skin {index}"), message));
    }
    let matrix = |(values, &joint): (&[f32], &usize)| {
        let columns: [f64; 16] = std::array::from_fn(|k| f64::from(values[k]));
        let matrix = DAffine3::from_mat4(DMat4::from_cols_array(&columns));
        let size = matrix.matrix3.to_cols_array().iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let flat = matrix.matrix3.determinant().abs() <= 1e-9 * size * size * size;
        match flat || !matrix.inverse().is_finite() {
            true => Err(FileError::new(node_place(source.root, joint), "its inverse bind matrix has no inverse")),
            false => Ok(matrix),
        }
    };
    values.chunks_exact(16).zip(&skin.joints).map(matrix).collect()
}

/// Where the mesh of a skin lies when it is bound where its root rests: its first guess of A, in the file's units.
pub(crate) fn where_it_rests(skin: &schema::Skin, inverse: &[DAffine3], tree: &Tree, raws: &[&Raw]) -> DAffine3 {
    let mut held = vec![false; skin.joints.len()];
    for &joint in raws.iter().flat_map(|raw| &raw.joints.index) {
        if let Some(held) = held.get_mut(usize::from(joint)) {
            *held = true;
        }
    }
    let root = (0..skin.joints.len()).filter(|&j| held[j]).min_by_key(|&j| tree.rank[skin.joints[j]]).unwrap_or(0);
    tree.world[skin.joints[root]] * inverse[root]
}

/// One skeleton for these skins (index, inverse bind matrices, first guess of A), in metres.
pub(crate) fn skeletons(
    root: &schema::Root,
    tree: &Tree,
    skins: &[(usize, Vec<DAffine3>, DAffine3)],
    metres_per_unit: f64,
) -> Result<Skeletons, FileError> {
    let nodes = tree.with_ancestors(skins.iter().flat_map(|(skin, ..)| root.skins[*skin].joints.iter().copied()));
    let names = unique_names(nodes.iter().map(|&node| root.nodes[node].name.as_deref()), "node");
    let joint_of_node: HashMap<usize, usize> = nodes.iter().enumerate().map(|(joint, &node)| (node, joint)).collect();
    let mut binds: Vec<Option<DAffine3>> = vec![None; nodes.len()];
    let mut twins: Vec<(usize, DAffine3)> = Vec::new();
    let mut twins_of: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut bound = HashMap::new();
    for (skin, inverse, guess) in skins {
        let joints: Vec<usize> = root.skins[*skin].joints.iter().map(|node| joint_of_node[node]).collect();
        let known = joints.iter().zip(inverse).filter_map(|(&j, inverse)| Some((j, binds[j]? * *inverse)));
        let model_from_mesh = known.min_by_key(|&(joint, _)| joint).map_or(*guess, |(_, a)| a);
        let mut joint_of = Vec::with_capacity(joints.len());
        for (&joint, inverse) in joints.iter().zip(inverse) {
            let bind = model_from_mesh * inverse.inverse();
            joint_of.push(if same(binds[joint].get_or_insert(bind), &bind) {
                joint
            } else {
                let of_joint = twins_of.entry(joint).or_default();
                let twin = of_joint.iter().copied().find(|&twin| same(&twins[twin].1, &bind));
                if twin.is_none() && of_joint.len() == MOST_TWINS {
                    let message = format!("more than {MOST_TWINS} skins hold it, each bound in another pose");
                    return Err(FileError::new(node_place(root, nodes[joint]), message)
                        .cure("bind the skins in one pose, or export fewer at a time"));
                }
                nodes.len()
                    + twin.unwrap_or_else(|| {
                        twins.push((joint, bind));
                        of_joint.push(twins.len() - 1);
                        twins.len() - 1
                    })
            });
        }
        bound.insert(*skin, (joint_of, model_from_mesh));
    }
    let mut skeleton = Skeleton::default();
    for (j, (&node, name)) in nodes.iter().zip(names).enumerate() {
        let parent = tree.parent[node].and_then(|parent| joint_of_node.get(&parent).copied());
        // what no skin binds is bound where it rests, seen from its parent
        let above = parent.and_then(|parent| binds[parent]).unwrap_or(DAffine3::IDENTITY);
        let local = tree.local[node];
        let own = DAffine3::from_scale_rotation_translation(
            local.scale.as_dvec3(),
            local.rotation.as_dquat(),
            local.translation.as_dvec3(),
        );
        let bind = *binds[j].get_or_insert(above * own);
        let rest = Transform { translation: local.translation * metres_per_unit as f32, ..local };
        skeleton.joints.push(Joint { name, parent, rest, bind: single(&scaled(&bind, metres_per_unit)) });
    }
    for (i, (joint, bind)) in twins.iter().enumerate() {
        let name = format!("{}#bind{}", skeleton.joints[*joint].name, i + 2);
        let bind = single(&scaled(bind, metres_per_unit));
        skeleton.joints.push(Joint { name, parent: Some(*joint), rest: Transform::IDENTITY, bind });
    }
    if skeleton.joints.len() > usize::from(u16::MAX) {
        return Err(FileError::new("skins", format!("they have {} joints; at most 65535", skeleton.joints.len())));
    }
    let skins = bound.into_iter().map(|(skin, (joint, a))| {
        let joint = joint.into_iter().map(|joint| joint as u16).collect();
        // from the mesh's own numbers to metres
        let model_from_mesh = DAffine3::from_scale(glam::DVec3::splat(metres_per_unit)) * a;
        (skin, Bound { joint, model_from_mesh })
    });
    let node_of_joint = nodes.iter().copied().chain(twins.iter().map(|(joint, _)| nodes[*joint])).collect();
    Ok(Skeletons { skins: skins.collect(), skeleton, node_of_joint })
}

/// A matrix between spaces that are both measured in other units.
fn scaled(matrix: &DAffine3, factor: f64) -> DAffine3 {
    DAffine3 { matrix3: matrix.matrix3, translation: matrix.translation * factor }
}

fn same(a: &DAffine3, b: &DAffine3) -> bool {
    let size = a.matrix3.to_cols_array().iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    let apart = |a: &DMat3, b: &DMat3| {
        a.to_cols_array().iter().zip(b.to_cols_array()).any(|(a, b)| (a - b).abs() > SAME_POSE * size)
    };
    let reach = a.translation.length().max(1e-3);
    !apart(&a.matrix3, &b.matrix3) && (a.translation - b.translation).length() <= SAME_POSE * reach
}

/// As the frame computes.
pub(crate) fn single(matrix: &DAffine3) -> Affine3A {
    let columns = matrix.matrix3.to_cols_array().map(|x| x as f32);
    Affine3A::from_mat3_translation(glam::Mat3::from_cols_array(&columns), matrix.translation.as_vec3())
}

/// A mesh of the file in the character's bind pose.
pub(crate) fn in_model(raw: &Raw, bound: &Bound) -> (Vec<Vec3>, Vec<Vec3>) {
    let at = |p: &Vec3| bound.model_from_mesh.transform_point3(p.as_dvec3()).as_vec3();
    let turn = bound.model_from_mesh.matrix3.inverse().transpose();
    let normal = |n: &Vec3| (turn * n.as_dvec3()).normalize_or_zero().as_vec3();
    (raw.positions.iter().map(at).collect(), raw.normals.iter().map(normal).collect())
}
