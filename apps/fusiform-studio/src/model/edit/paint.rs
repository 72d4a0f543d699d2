//! Paint: a stroke over the skin changes joint or muscle weights.

mod row;

use super::Seen;
use crate::model::project::unweighted;
use crate::model::{Document, Mode, Project, Skin};
use fusiform::{Skeleton, SparseWeights};
use std::collections::HashMap;
use std::sync::Arc;

pub use row::{LEAST, Row, pruned, set_joints, set_muscles, wanted, weight_in};

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

/// The rows of vertices that a stroke changes, on top of the table.
struct Rows<'a> {
    table: &'a [SparseWeights],
    skin: &'a Skin,
    changed: HashMap<u32, Row>,
}

impl Rows<'_> {
    fn of(&self, vertex: u32) -> Row {
        if let Some(row) = self.changed.get(&vertex) {
            return row.clone();
        }
        let (mesh, vertex) = self.skin.in_mesh(vertex as usize);
        self.table.get(mesh).filter(|of| vertex < of.len()).map_or(Row::new(), |of| of.of(vertex).collect())
    }

    /// The mean of a point's neighbours, if it has any. Of vertices that differ the first speaks for a neighbour.
    fn mean_around(&self, point: u32) -> Option<Row> {
        let around = self.skin.around(point);
        let mut mean = Row::new();
        for (index, weight) in around.iter().flat_map(|&near| self.of(self.skin.vertices(near)[0])) {
            match mean.iter_mut().find(|(i, _)| *i == index) {
                Some((_, sum)) => *sum += weight / around.len() as f32,
                None => mean.push((index, weight / around.len() as f32)),
            }
        }
        (!around.is_empty()).then_some(mean)
    }
}

pub fn paint(seen: Seen, stroke: &Stroke, document: &mut Document) {
    let n = number(seen.project, stroke.of, document);
    if stroke.targets.iter().any(|&target| usize::from(target) >= n) {
        return;
    }
    if stroke.of == Of::Muscles && document.musculature.weights.is_empty() {
        document.musculature.weights = document.joints.iter().map(|of| unweighted(of.len())).collect();
    }
    let skin = seen.project.skin();
    let is_shown = |point: u32| skin.is_shown(point, seen.hidden_meshes);
    let changed = changes(seen.project, stroke, document, is_shown);
    put(skin, stroke.of, &changed, document);
}

/// Weights below a bound go to the others of their vertex. Those that are locked stay, and those of hidden meshes.
pub fn prune(seen: Seen, of: Of, below: f32, locked: &[u16], document: &mut Document) {
    let skin = seen.project.skin();
    let rows = Rows { table: table(of, document), skin, changed: HashMap::new() };
    let is_locked = |i: u16| locked.contains(&i);
    let pruned_at = |vertex: u32| {
        let mut row = rows.of(vertex);
        let wants = pruned(&row, below, is_locked, of == Of::Muscles);
        let most = row.len();
        match of {
            Of::Joints => set_joints(&mut row, &wants, is_locked, most, Row::new),
            Of::Muscles => set_muscles(&mut row, &wants, is_locked),
        }
        (vertex, row)
    };
    let shown = (0..skin.len() as u32).filter(|&point| skin.is_shown(point, seen.hidden_meshes));
    let vertices = shown.flat_map(|point| skin.vertices(point));
    let changed = vertices.map(|&vertex| pruned_at(vertex)).collect();
    put(skin, of, &changed, document);
}

/// How many joints or muscles there are.
fn number(project: &Project, of: Of, document: &Document) -> usize {
    match of {
        Of::Joints => project.character.skeleton.joints.len(),
        Of::Muscles => document.muscles().len(),
    }
}

fn table(of: Of, document: &Document) -> &[SparseWeights] {
    if of == Of::Joints { &document.joints } else { &document.musculature.weights }
}

fn put(skin: &Skin, of: Of, changed: &HashMap<u32, Row>, document: &mut Document) {
    let Some(tables) = written(table(of, document), skin, changed) else { return };
    match of {
        Of::Joints => document.joints = Arc::new(tables),
        Of::Muscles => document.musculature.weights = tables,
    }
}

/// The rows of vertices that a stroke changes, of the points it may change.
pub fn changes(
    project: &Project,
    stroke: &Stroke,
    document: &Document,
    may_change: impl Fn(u32) -> bool,
) -> HashMap<u32, Row> {
    let rows = Rows { table: table(stroke.of, document), skin: project.skin(), changed: HashMap::new() };
    let most = project.most_joints().next_multiple_of(SET);
    let mut brush = Painter { stroke, skeleton: &project.character.skeleton, most, rows };
    stroke.passes.iter().for_each(|pass| brush.go_over(pass, &may_change));
    brush.rows.changed
}

/// What goes over the skin.
struct Painter<'a> {
    stroke: &'a Stroke,
    skeleton: &'a Skeleton,
    most: usize, // joints that hold a vertex
    rows: Rows<'a>,
}

impl Painter<'_> {
    fn go_over(&mut self, pass: &[(u32, [f32; 2])], may_change: impl Fn(u32) -> bool) {
        let skin = self.rows.skin;
        let mut made: Vec<(u32, Row)> = Vec::new();
        let is_meant = |point: u32| (point as usize) < skin.len() && may_change(point);
        for &(point, amounts) in pass.iter().filter(|(point, _)| is_meant(*point)) {
            let mean = (self.stroke.mode == Mode::Smooth).then(|| self.rows.mean_around(point)).flatten();
            for &vertex in skin.vertices(point) {
                let before = self.rows.of(vertex);
                let after = self.painted(point, &before, mean.as_ref(), amounts);
                made.extend((after != before).then_some((vertex, after)));
            }
        }
        self.rows.changed.extend(made);
    }

    /// The row of one vertex of a point after one pass: its own, with what is painted. Those that are alike stay alike.
    fn painted(&self, point: u32, before: &Row, mean: Option<&Row>, amounts: [f32; 2]) -> Row {
        let (stroke, skin) = (self.stroke, self.rows.skin);
        let mut row = before.clone();
        let targets = stroke.targets.iter().zip(amounts).filter(|(_, amount)| *amount > 0.0);
        let mut wants = Row::new();
        for (&target, amount) in targets {
            let now = weight_in(&row, target);
            let mean = mean.map_or(now, |mean| weight_in(mean, target));
            if stroke.of == Of::Muscles || skin.may_hold(point, target) {
                wants.push((target, wanted(stroke.mode, now, mean, stroke.value, amount)));
            }
        }
        let locked = |i: u16| stroke.locked.contains(&i);
        match stroke.of {
            Of::Muscles => set_muscles(&mut row, &wants, locked),
            Of::Joints => {
                let is_free = |i: u16| !locked(i) && !stroke.targets.contains(&i) && skin.may_hold(point, i);
                let most = self.most.max(row.len());
                set_joints(&mut row, &wants, locked, most, || {
                    let near = self.rows.mean_around(point).unwrap_or_default();
                    let near: Row = near.into_iter().filter(|(i, _)| is_free(*i)).collect();
                    let by_family = || relative(self.skeleton, stroke.targets[0], is_free).map(|joint| (joint, 1.0));
                    if near.is_empty() { by_family().into_iter().collect() } else { near }
                });
            }
        }
        row
    }
}

/// Who carries skin that a joint lets go of: the nearest above it, or else a joint it carries.
fn relative(skeleton: &Skeleton, joint: u16, is_free: impl Fn(u16) -> bool) -> Option<u16> {
    let parent = |joint: usize| skeleton.joints[joint].parent;
    let above = std::iter::successors(parent(usize::from(joint)), |&joint| parent(joint));
    let below = (0..skeleton.joints.len()).filter(|&child| parent(child) == Some(usize::from(joint)));
    above.chain(below).filter_map(|joint| u16::try_from(joint).ok()).find(|&joint| is_free(joint))
}

/// The tables with those rows of vertices in them; none where nothing differs.
fn written(table: &[SparseWeights], skin: &Skin, changed: &HashMap<u32, Row>) -> Option<Vec<SparseWeights>> {
    let mut new: HashMap<(usize, usize), &Row> = HashMap::new();
    for (&vertex, row) in changed {
        let (mesh, v) = skin.in_mesh(vertex as usize);
        if table.get(mesh).is_some_and(|of| v < of.len() && !of.of(v).eq(row.iter().copied())) {
            new.insert((mesh, v), row);
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

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::{Character, Mesh, Transform};
    use glam::Vec3;

    /// Two meshes that touch at one place, where each hangs on other joints; the second does not know the third joint.
    fn touching() -> (Character, Skin) {
        let rest = ["a", "b", "c"].map(|name| (name, None, Transform::IDENTITY));
        let meshes = [vec![(0, 0.5), (1, 0.5)], vec![(1, 1.0)]].map(|row| {
            let mut mesh = Mesh { positions: vec![Vec3::ZERO], ..Mesh::default() };
            mesh.weights.push_vertex(row);
            mesh
        });
        let skeleton = Skeleton::from_rest(&rest);
        let character = Character { name: String::new(), skeleton, meshes: meshes.into(), clips: vec![] };
        let skin = Skin::new(&character, vec![vec![0, 1, 2], vec![0, 1]]);
        (character, skin)
    }

    /// What a stroke of that strength leaves of both rows.
    fn after(mode: Mode, target: u16, amount: f32) -> [Row; 2] {
        let (character, skin) = touching();
        let table: Vec<SparseWeights> = character.meshes.iter().map(|mesh| mesh.weights.clone()).collect();
        let (targets, locked, passes) = (vec![target], vec![], vec![vec![(0, [amount, 0.0])]]);
        let stroke = Stroke { of: Of::Joints, mode, value: 1.0, targets, locked, passes };
        let rows = Rows { table: &table, skin: &skin, changed: HashMap::new() };
        let mut brush = Painter { stroke: &stroke, skeleton: &character.skeleton, most: 4, rows };
        brush.go_over(&stroke.passes[0], |_| true);
        let tables = written(&table, &skin, &brush.rows.changed).unwrap_or(table.clone());
        [0, 1].map(|mesh| tables[mesh].of(0).collect())
    }

    #[test]
    fn vertices_at_one_place_keep_their_own_joints_under_a_stroke() {
        assert_eq!(after(Mode::Add, 0, 0.25), [vec![(0, 0.75), (1, 0.25)], vec![(1, 0.75), (0, 0.25)]]);
        assert_eq!(
            after(Mode::Smooth, 0, 1.0),
            after(Mode::Add, 0, 0.0),
            "where a stroke does nothing, nothing changes"
        );
    }

    #[test]
    fn what_one_mesh_at_a_place_cannot_hang_on_is_painted_on_neither() {
        assert_eq!(after(Mode::Add, 2, 0.5), after(Mode::Add, 2, 0.0));
    }
}
