//! Nodes: which are joints or carry joints, in an order with parents before children.

use super::schema::{Node, Root};
use crate::FileError;
use fusiform::Transform;
use glam::{DAffine3, DMat4, Mat4, Quat, Vec3};
use std::collections::{HashMap, HashSet};

/// The node tree, checked.
pub(crate) struct Tree {
    pub parent: Vec<Option<usize>>,
    /// Every node, parents before children.
    pub order: Vec<usize>,
    /// Of each node, its place in that order.
    pub rank: Vec<usize>,
    pub local: Vec<Transform>,
    /// `world_from_node` when no clip moves it.
    pub world: Vec<DAffine3>,
}

impl Tree {
    /// Check that the nodes are trees, and place them.
    pub fn new(root: &Root) -> Result<Self, FileError> {
        let n = root.nodes.len();
        let mut parent: Vec<Option<usize>> = vec![None; n];
        for (i, node) in root.nodes.iter().enumerate() {
            for &child in &node.children {
                let slot = parent.get_mut(child).ok_or_else(|| {
                    FileError::new(node_place(root, i), format!("it has child {child}, but there are {n} nodes"))
                })?;
                if slot.replace(i).is_some() {
                    return Err(FileError::new(node_place(root, child), "it has two parents"));
                }
            }
        }
        let mut order: Vec<usize> = (0..n).filter(|&i| parent[i].is_none()).collect();
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            order.extend(&root.nodes[node].children);
            next += 1;
        }
        if order.len() < n {
            let reached: HashSet<usize> = order.into_iter().collect();
            let lost = (0..n).find(|node| !reached.contains(node)).unwrap_or(0);
            return Err(FileError::new(node_place(root, lost), "it is its own ancestor"));
        }
        let local = (0..n).map(|i| local(root, i)).collect::<Result<Vec<_>, _>>()?;
        let mut world = vec![DAffine3::IDENTITY; n];
        for &i in &order {
            let own = matrix(&local[i]);
            world[i] = parent[i].map_or(own, |parent| world[parent] * own);
        }
        let mut rank = vec![0; n];
        order.iter().enumerate().for_each(|(at, &node)| rank[node] = at);
        Ok(Self { parent, order, rank, local, world })
    }

    /// These nodes and all that carry them, parents first.
    pub fn with_ancestors(&self, nodes: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut wanted = HashSet::new();
        for node in nodes {
            let mut at = Some(node);
            while let Some(node) = at.filter(|&node| wanted.insert(node)) {
                at = self.parent[node];
            }
        }
        self.order.iter().copied().filter(|node| wanted.contains(node)).collect()
    }
}

/// What people find a node by.
pub(crate) fn node_place(root: &Root, node: usize) -> String {
    match root.nodes.get(node).and_then(|node| node.name.as_deref()) {
        Some(name) => format!("node {node} ({name:?})"),
        None => format!("node {node}"),
    }
}

/// Names that joints and clips are called by: their own, numbered where several share it or have none.
pub(crate) fn unique_names<'a>(names: impl Iterator<Item = Option<&'a str>>, otherwise: &str) -> Vec<String> {
    let mut taken: HashMap<String, usize> = HashMap::new();
    let mut unique = Vec::new();
    for (i, name) in names.enumerate() {
        let wished = name.filter(|name| !name.is_empty()).map_or_else(|| format!("{otherwise}_{i}"), str::to_owned);
        let mut name = wished.clone();
        while taken.contains_key(&name) {
            let count = taken.entry(wished.clone()).or_insert(1);
            *count += 1;
            name = format!("{wished}#{count}");
        }
        taken.insert(name.clone(), 1);
        unique.push(name);
    }
    unique
}

fn matrix(transform: &Transform) -> DAffine3 {
    let Transform { translation, rotation, scale } = *transform;
    DAffine3::from_scale_rotation_translation(scale.as_dvec3(), rotation.as_dquat(), translation.as_dvec3())
}

fn local(root: &Root, i: usize) -> Result<Transform, FileError> {
    let Node { matrix: whole, translation, rotation, scale, .. } = &root.nodes[i];
    let place = || node_place(root, i);
    let transform = match whole {
        Some(whole) => parts(whole).ok_or_else(|| {
            FileError::new(place(), "its matrix is sheared or flat")
                .cure("apply or reset its scale in the program it came from, then export again")
        })?,
        None => Transform {
            translation: Vec3::from(translation.unwrap_or_default()),
            rotation: rotation.map_or(Quat::IDENTITY, Quat::from_array),
            scale: scale.map_or(Vec3::ONE, Vec3::from),
        },
    };
    let Transform { translation, rotation, scale } = transform;
    if !(translation.is_finite() && rotation.is_finite() && scale.is_finite()) {
        return Err(FileError::new(place(), "its transform is not finite"));
    }
    let length = rotation.length();
    if !(0.5..=2.0).contains(&length) {
        return Err(FileError::new(place(), format!("its rotation has length {length}, not 1")));
    }
    Ok(Transform { rotation: rotation.normalize(), ..transform })
}

/// Translation, rotation and scale of a matrix that is made of them.
fn parts(whole: &[f32; 16]) -> Option<Transform> {
    let matrix = Mat4::from_cols_array(whole);
    let exact = DMat4::from_cols_array(&whole.map(f64::from));
    if !matrix.is_finite() || exact.determinant().abs() < 1e-30 {
        return None;
    }
    let (scale, rotation, translation) = exact.to_scale_rotation_translation();
    let again = DMat4::from_scale_rotation_translation(scale, rotation, translation);
    let size = scale.abs().max_element();
    let sheared = (0..3).any(|c| (again.col(c) - exact.col(c)).abs().max_element() > 1e-4 * size);
    let (translation, rotation, scale) = (translation.as_vec3(), rotation.as_quat(), scale.as_vec3());
    (!sheared).then_some(Transform { translation, rotation, scale })
}
