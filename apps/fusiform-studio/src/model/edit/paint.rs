//! Paint: a stroke over the skin changes joint or muscle weights.

mod row;

use super::Seen;
use crate::model::project::unweighted;
use crate::model::{Document, Mode, Skin};
use fusiform::{Skeleton, SparseWeights};
use std::collections::HashMap;
use std::sync::Arc;

pub use row::{LEAST, Row, set_joints, set_muscles, wanted, weight_in};

/// Joints of a vertex that files and engines hold at once.
const SET: usize = 4;

/// Which weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Those of joints: they sum to one.
    Joints,
    /// Those of muscles: they leave some to the joints.
    Muscles,
}

/// A part of a stroke: what the brush did since the part before.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// Which weights.
    pub of: Of,
    /// What is done to them.
    pub mode: Mode,
    /// What [`Mode::Replace`] leads to.
    pub value: f32,
    /// The joint or muscle that is painted, and its twin where the other side follows.
    pub targets: Vec<u16>,
    /// Those whose weights stay.
    pub locked: Vec<u16>,
    /// One after the other: points of the [`Skin`] and how much of the work is done there to each target, 0 to 1.
    pub passes: Vec<Vec<(u32, [f32; 2])>>,
}

/// The rows that a stroke changes, on top of the table.
struct Rows<'a> {
    table: &'a [SparseWeights],
    skin: &'a Skin,
    changed: HashMap<u32, Row>,
}

impl Rows<'_> {
    /// Of vertices that differ, the first speaks for the point.
    fn of(&self, point: u32) -> Row {
        if let Some(row) = self.changed.get(&point) {
            return row.clone();
        }
        let (mesh, vertex) = self.skin.in_mesh(self.skin.vertices(point)[0] as usize);
        self.table.get(mesh).filter(|of| vertex < of.len()).map_or(Row::new(), |of| of.of(vertex).collect())
    }

    /// The mean of a point's neighbours; the point's own where it has none.
    fn mean_around(&self, point: u32) -> Row {
        let around = self.skin.around(point);
        let mut mean = Row::new();
        for (index, weight) in around.iter().flat_map(|&near| self.of(near)) {
            match mean.iter_mut().find(|(i, _)| *i == index) {
                Some((_, sum)) => *sum += weight / around.len() as f32,
                None => mean.push((index, weight / around.len() as f32)),
            }
        }
        if around.is_empty() { self.of(point) } else { mean }
    }
}

pub fn paint(seen: Seen, stroke: &Stroke, document: &mut Document) {
    let (skin, skeleton) = (seen.project.skin(), &seen.project.character.skeleton);
    let n = if stroke.of == Of::Joints { skeleton.joints.len() } else { document.musculature.muscles.len() };
    if stroke.targets.iter().any(|&target| usize::from(target) >= n) {
        return;
    }
    if stroke.of == Of::Muscles && document.musculature.weights.is_empty() {
        document.musculature.weights = document.joints.iter().map(|of| unweighted(of.len())).collect();
    }
    let table: &[SparseWeights] =
        if stroke.of == Of::Joints { &document.joints } else { &document.musculature.weights };
    let mut rows = Rows { table, skin, changed: HashMap::new() };
    let most = seen.project.most_joints().next_multiple_of(SET);
    for pass in &stroke.passes {
        let made: Vec<(u32, Row)> = pass
            .iter()
            .filter(|(point, _)| (*point as usize) < skin.len())
            .map(|&(point, amounts)| (point, painted(stroke, &rows, skeleton, most, point, amounts)))
            .collect();
        rows.changed.extend(made);
    }
    let changed = rows.changed;
    match stroke.of {
        Of::Joints => {
            if let Some(joints) = written(&document.joints, skin, &changed) {
                document.joints = Arc::new(joints);
            }
        }
        Of::Muscles => {
            if let Some(weights) = written(&document.musculature.weights, skin, &changed) {
                document.musculature.weights = weights;
            }
        }
    }
}

/// The row of a point after one pass.
fn painted(stroke: &Stroke, rows: &Rows, skeleton: &Skeleton, most: usize, point: u32, amounts: [f32; 2]) -> Row {
    let mut row = rows.of(point);
    let mean = if stroke.mode == Mode::Smooth { rows.mean_around(point) } else { Row::new() };
    let targets = stroke.targets.iter().zip(amounts).filter(|(_, amount)| *amount > 0.0);
    let mut wants = Row::new();
    for (&target, amount) in targets {
        let now = weight_in(&row, target);
        let want = wanted(stroke.mode, now, weight_in(&mean, target), stroke.value, amount);
        if stroke.of == Of::Muscles || rows.skin.may_hold(point, target) {
            wants.push((target, want));
        }
    }
    let locked = |i: u16| stroke.locked.contains(&i);
    match stroke.of {
        Of::Muscles => set_muscles(&mut row, &wants, locked),
        Of::Joints => {
            let is_free = |i: u16| !locked(i) && !stroke.targets.contains(&i) && rows.skin.may_hold(point, i);
            let most = most.max(row.len());
            set_joints(&mut row, &wants, locked, most, || {
                let near: Row = rows.mean_around(point).into_iter().filter(|(i, _)| is_free(*i)).collect();
                let by_family = || relative(skeleton, stroke.targets[0], is_free).map(|joint| (joint, 1.0));
                if near.is_empty() { by_family().into_iter().collect() } else { near }
            });
        }
    }
    row
}

/// Who carries skin that a joint lets go of: the nearest above it, or else a joint it carries.
fn relative(skeleton: &Skeleton, joint: u16, is_free: impl Fn(u16) -> bool) -> Option<u16> {
    let parent = |joint: usize| skeleton.joints[joint].parent;
    let above = std::iter::successors(parent(usize::from(joint)), |&joint| parent(joint));
    let below = (0..skeleton.joints.len()).filter(|&child| parent(child) == Some(usize::from(joint)));
    above.chain(below).filter_map(|joint| u16::try_from(joint).ok()).find(|&joint| is_free(joint))
}

/// The tables with those rows in them, at every vertex of their points; none where nothing differs.
fn written(table: &[SparseWeights], skin: &Skin, changed: &HashMap<u32, Row>) -> Option<Vec<SparseWeights>> {
    let mut new: HashMap<(usize, usize), &Row> = HashMap::new();
    for (&point, row) in changed {
        for &vertex in skin.vertices(point) {
            let (mesh, v) = skin.in_mesh(vertex as usize);
            if table.get(mesh).is_some_and(|of| v < of.len() && !of.of(v).eq(row.iter().copied())) {
                new.insert((mesh, v), row);
            }
        }
    }
    if new.is_empty() {
        return None;
    }
    let mut tables = table.to_vec();
    for (mesh, table) in tables.iter_mut().enumerate().filter(|(mesh, _)| new.keys().any(|(of, _)| of == mesh)) {
        let mut made = SparseWeights::default();
        for v in 0..table.len() {
            match new.get(&(mesh, v)) {
                Some(row) => made.push_vertex(row.iter().copied()),
                None => made.push_vertex(table.of(v)),
            }
        }
        *table = made;
    }
    Some(tables)
}
