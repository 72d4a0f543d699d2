//! Sewn: what every vertex takes from joints, muscles and bones, and in which lanes, window by window.
//!
//! It is kept for the next edit: windows that no edited weight and no edited muscle reaches are shared with the body that
//! was edited, and so are their rows in all tables.

use super::batch::{self, Uses, WINDOW};
use super::blend::{Bellies, Pull};
use super::lanes::LANES;
use super::muscles::MuscleTable;
use super::{displace, shells, slide, surface, wrap};
use crate::SparseWeights;
use crate::character::{Character, Mesh};
use crate::musculature::{Layer, Musculature};
use glam::Vec3;
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

/// Rows of different lengths.
#[derive(Clone, Debug)]
struct Rows<T> {
    end: Vec<u32>,
    of: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { end: Vec::new(), of: Vec::new() }
    }
}

impl<T: Clone> Rows<T> {
    fn push(&mut self, row: &[T]) {
        self.of.extend_from_slice(row);
        self.end.push(self.of.len() as u32);
    }

    /// Nothing beyond the last.
    fn get(&self, i: usize) -> &[T] {
        let Some(&end) = self.end.get(i) else { return &[] };
        let start = if i == 0 { 0 } else { self.end[i - 1] };
        &self.of[start as usize..end as usize]
    }
}

/// The vertices of one window.
#[derive(Clone, Debug, Default)]
struct Patch {
    joints: Rows<(u16, f32)>,
    layers: Vec<OfLayer>,
    order: Vec<u32>, // the vertex in each lane
    largest: f32,    // offset from a ring's centre, m
}

/// What they take from one layer; nothing where it is of another kind.
#[derive(Clone, Debug, Default)]
struct OfLayer {
    pulls: Rows<Pull>,
    listened: Rows<(u16, f32)>,
    felt: Rows<(u16, f32)>,
}

/// All windows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sewn {
    patch: Vec<Arc<Patch>>,
}

impl Sewn {
    fn at(&self, v: usize) -> (&Patch, usize) {
        (&self.patch[v / WINDOW], v % WINDOW)
    }

    /// Joints that carry vertex `v`, ascending; their weights sum to one.
    pub fn joints(&self, v: usize) -> &[(u16, f32)] {
        let (patch, row) = self.at(v);
        patch.joints.get(row)
    }

    /// What vertex `v` takes from rings in a layer.
    pub fn pulls(&self, layer: usize, v: usize) -> &[Pull] {
        let (patch, row) = self.at(v);
        patch.layers[layer].pulls.get(row)
    }

    /// Muscles that vertex `v` listens to in a layer.
    pub fn listened(&self, layer: usize, v: usize) -> &[(u16, f32)] {
        let (patch, row) = self.at(v);
        patch.layers[layer].listened.get(row)
    }

    /// Bones that vertex `v` feels in a layer.
    pub fn felt(&self, layer: usize, v: usize) -> &[(u16, f32)] {
        let (patch, row) = self.at(v);
        patch.layers[layer].felt.get(row)
    }

    /// The vertex in each lane of those windows.
    pub fn order(&self, windows: &[bool]) -> Vec<u32> {
        let chosen = self.patch.iter().zip(windows).filter(|(_, chosen)| **chosen);
        chosen.flat_map(|(patch, _)| patch.order.iter().copied()).collect()
    }

    /// The largest offset from a ring's centre, m.
    pub fn largest_offset(&self) -> f32 {
        self.patch.iter().fold(0.0, |most, patch| most.max(patch.largest))
    }

    pub fn n_window(&self) -> usize {
        self.patch.len()
    }
}

/// What it is sewn from; everything has been checked.
pub(crate) struct Sewing<'a> {
    character: &'a Character,
    musculature: &'a Musculature,
    muscles: &'a MuscleTable,
    slides: &'a [Vec<slide::Part>],
    height: f32,
    mesh_start: Vec<usize>,     // n_mesh + 1
    first_bone: Vec<usize>,     // n_layer  row of its first bone among those of all layers
    takes_part: Vec<Vec<bool>>, // n_layer x n_muscle, for layers that list muscles
    facing: OnceCell<Vec<Vec3>>,
}

impl<'a> Sewing<'a> {
    pub fn new(
        character: &'a Character,
        musculature: &'a Musculature,
        muscles: &'a MuscleTable,
        slides: &'a [Vec<slide::Part>],
        height: f32,
    ) -> Self {
        let ends = character.meshes.iter().scan(0, |sum, mesh| {
            *sum += mesh.positions.len();
            Some(*sum)
        });
        let takes_part = |layer: &Layer| match layer {
            Layer::Shells { muscles: names, .. }
            | Layer::Displace { muscles: names, .. }
            | Layer::Wrap { muscles: names, .. } => {
                (0..musculature.muscles.len()).map(|m| surface::takes_part(names, musculature, m)).collect()
            }
            Layer::Blend { .. } | Layer::Slide { .. } | Layer::Tissue(_) => Vec::new(),
        };
        Self {
            character,
            musculature,
            muscles,
            slides,
            height,
            mesh_start: std::iter::once(0).chain(ends).collect(),
            first_bone: slides.iter().scan(0, |sum, parts| Some(std::mem::replace(sum, *sum + parts.len()))).collect(),
            takes_part: musculature.layers.iter().map(takes_part).collect(),
            facing: OnceCell::new(),
        }
    }

    pub fn n_vertex(&self) -> usize {
        self.mesh_start[self.mesh_start.len() - 1]
    }

    /// Row of the first bone of a layer among those of all layers.
    pub fn first_bone(&self, layer: usize) -> usize {
        self.first_bone[layer]
    }

    fn place(&self, v: usize) -> (usize, usize) {
        let mesh = self.mesh_start.partition_point(|&start| start <= v) - 1;
        (mesh, v - self.mesh_start[mesh])
    }

    /// Everything.
    pub fn all(&self) -> Sewn {
        let window = |first: usize| Arc::new(self.patch(first..(first + WINDOW).min(self.n_vertex()), None, |_| true));
        Sewn { patch: (0..self.n_vertex()).step_by(WINDOW).map(window).collect() }
    }

    /// What was sewn before, but for those vertices; and which windows are others now.
    pub fn again(&self, before: &Sewn, touched: &[bool]) -> (Sewn, Vec<bool>) {
        let mut sewn = before.clone();
        let mut anew = vec![false; before.n_window()];
        for ((patch, anew), first) in sewn.patch.iter_mut().zip(&mut anew).zip((0..).step_by(WINDOW)) {
            let vertices = first..(first + WINDOW).min(self.n_vertex());
            if touched[vertices.clone()].contains(&true) {
                *patch = Arc::new(self.patch(vertices, Some(patch), |v| touched[v]));
                *anew = true;
            }
        }
        (sewn, anew)
    }

    /// Rows of those vertices that are touched, the others as they were; lanes anew where any of them uses something else.
    fn patch(&self, vertices: Range<usize>, before: Option<&Patch>, touched: impl Fn(usize) -> bool) -> Patch {
        let first = vertices.start;
        let mut patch = Patch { layers: vec![OfLayer::default(); self.musculature.layers.len()], ..Patch::default() };
        let mut candidates = Vec::new();
        for v in vertices.clone() {
            match before.filter(|_| !touched(v)) {
                Some(before) => patch.copy(before, v - first),
                None => self.sew(v, before.map(|before| (before, v - first)), &mut patch, &mut candidates),
            }
        }
        let offsets = patch.layers.iter().flat_map(|layer| &layer.pulls.of).map(|pull| pull.offset.abs().max_element());
        patch.largest = offsets.fold(0.0, f32::max);
        let same =
            |before: &&Patch| vertices.clone().all(|v| self.uses(before, v - first) == self.uses(&patch, v - first));
        patch.order = match before.filter(same) {
            Some(before) => before.order.clone(),
            None => {
                let uses: Vec<Uses> = vertices.map(|v| self.uses(&patch, v - first)).collect();
                batch::order_window(first as u32, &uses)
            }
        };
        patch
    }

    fn sew(
        &self,
        v: usize,
        before: Option<(&Patch, usize)>,
        patch: &mut Patch,
        candidates: &mut Vec<(f32, usize, usize)>,
    ) {
        let (mesh, row) = self.place(v);
        let (of, weights) = (&self.character.meshes[mesh], self.musculature.weights.get(mesh));
        patch.joints.push(&joint_weights(of, row));
        for (i, (layer, sewn)) in self.musculature.layers.iter().zip(&mut patch.layers).enumerate() {
            match layer {
                Layer::Blend { nearest } => {
                    let bellies = Bellies { bellies: &self.muscles.rest, ring_start: &self.muscles.ring_start };
                    let dials = (self.musculature.physique.skin_weight, usize::from(*nearest), self.height);
                    let pulls =
                        weights.map(|weights| bellies.pulls(of.positions[row], || weights.of(row), dials, candidates));
                    sewn.pulls.push(&pulls.unwrap_or_default());
                }
                Layer::Shells { .. } | Layer::Displace { .. } | Layer::Wrap { .. } => {
                    sewn.listened.push(&weights.map_or(Vec::new(), |weights| self.listened(i, weights, row)));
                }
                // bones and the bind pose are what they were, or everything is sewn anew
                Layer::Slide { reach, .. } => match before {
                    Some((before, row)) => sewn.felt.push(before.layers[i].felt.get(row)),
                    None => {
                        let facing = self.facing.get_or_init(|| slide::facing(&self.character.meshes));
                        sewn.felt.push(&slide::felt(&self.slides[i], of.positions[row], facing[v], *reach));
                    }
                },
                // it moves the whole skin at once, after all others
                Layer::Tissue(_) => {}
            }
        }
    }

    /// The muscles that a vertex listens to in one layer, ascending, and how much; together no more than 1 but for shells,
    /// which come one after the other.
    fn listened(&self, layer: usize, weights: &SparseWeights, row: usize) -> Vec<(u16, f32)> {
        let skin_weight = self.musculature.physique.skin_weight;
        let (strength, limit, most) = match &self.musculature.layers[layer] {
            Layer::Shells { weight, .. } => (weight * skin_weight, 1.0, shells::MOST_MUSCLES),
            Layer::Displace { .. } => (skin_weight, f32::MAX, displace::MOST_MUSCLES),
            _ => (skin_weight, f32::MAX, wrap::MOST_MUSCLES),
        };
        let mut of: Vec<(u16, f32)> = weights.of(row).filter(|w| self.takes_part[layer][usize::from(w.0)]).collect();
        sum_twins(&mut of);
        of.iter_mut().for_each(|w| w.1 = (w.1 * strength).min(limit));
        of.retain(|w| w.1 > 0.0);
        of.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        of.truncate(most);
        of.sort_by_key(|w| w.0);
        if limit > 1.0 {
            let sum: f32 = of.iter().map(|w| w.1).sum();
            of.iter_mut().for_each(|w| w.1 /= sum.max(1.0));
        }
        of
    }

    /// What the vertex in that row of a window uses.
    fn uses(&self, patch: &Patch, row: usize) -> Uses {
        let mut rings: Vec<u32> =
            patch.layers.iter().flat_map(|layer| layer.pulls.get(row).iter().map(|p| p.ring)).collect();
        rings.sort_unstable();
        rings.dedup();
        // skin that wraps reads points of any belly, so it asks for no order
        let layers = || patch.layers.iter().zip(&self.musculature.layers);
        let streamed = layers().filter(|(_, layer)| !matches!(layer, Layer::Wrap { .. }));
        let mut muscles: Vec<u16> = streamed.flat_map(|(of, _)| of.listened.get(row).iter().map(|w| w.0)).collect();
        muscles.sort_unstable();
        muscles.dedup();
        let bones = patch.layers.iter().zip(&self.first_bone);
        let bones = bones.flat_map(|(of, first)| of.felt.get(row).iter().map(|w| *first as u16 + w.0)).collect();
        Uses { muscles, rings, bones, joints: patch.joints.get(row).iter().map(|w| w.0).collect() }
    }

    /// Vertices that an edit reaches: whose joint weights were others (`joints`, one a mesh), whose muscle weights were others
    /// (`weights`), or that have one of those muscles.
    pub fn touched(&self, joints: &[SparseWeights], weights: &[SparseWeights], muscles: &[bool]) -> Vec<bool> {
        let mut touched = vec![false; self.n_vertex()];
        for (mesh, of) in self.character.meshes.iter().enumerate() {
            let touched = &mut touched[self.mesh_start[mesh]..self.mesh_start[mesh + 1]];
            mark_others(&joints[mesh], &of.weights, touched);
            let now = self.musculature.weights.get(mesh);
            if let (Some(before), Some(now)) = (weights.get(mesh), now) {
                mark_others(before, now, touched);
            }
            for (v, touched) in touched.iter_mut().enumerate() {
                *touched |= now.is_some_and(|now| now.of(v).any(|(m, _)| muscles[usize::from(m)]));
            }
        }
        touched
    }
}

impl Patch {
    fn copy(&mut self, from: &Self, row: usize) {
        self.joints.push(from.joints.get(row));
        for (to, from) in self.layers.iter_mut().zip(&from.layers) {
            to.pulls.push(from.pulls.get(row));
            to.listened.push(from.listened.get(row));
            to.felt.push(from.felt.get(row));
        }
    }
}

fn mark_others(before: &SparseWeights, now: &SparseWeights, marks: &mut [bool]) {
    if before != now {
        marks.iter_mut().enumerate().for_each(|(v, mark)| *mark |= !before.of(v).eq(now.of(v)));
    }
}

/// Joint weights that sum to one, without zeros, joints ascending.
fn joint_weights(mesh: &Mesh, v: usize) -> Vec<(u16, f32)> {
    let mut of: Vec<(u16, f32)> = mesh.weights.of(v).filter(|&(_, w)| w > 0.0).collect();
    sum_twins(&mut of);
    let sum: f32 = of.iter().map(|&(_, w)| w).sum();
    of.iter_mut().for_each(|(_, w)| *w /= sum);
    of
}

/// Sort by index, and add up what the same index has.
fn sum_twins(weights: &mut Vec<(u16, f32)>) {
    weights.sort_by_key(|w| w.0);
    weights.dedup_by(|next, kept| {
        next.0 == kept.0 && {
            kept.1 += next.1;
            true
        }
    });
}

/// Where windows of a table that was made before meet those that were made anew.
pub(crate) struct Seam<'a> {
    anew: &'a [bool], // n_window
    n_batch: usize,
}

impl<'a> Seam<'a> {
    pub fn new(anew: &'a [bool], n_batch: usize) -> Self {
        Self { anew, n_batch }
    }

    /// Batches of every window, whether they are anew, and where they are in the table they come from.
    fn windows(&self) -> impl Iterator<Item = (bool, Range<usize>)> {
        let mut made = 0;
        self.anew.iter().enumerate().map(move |(w, &anew)| {
            let batches = w * WINDOW / LANES..((w + 1) * WINDOW / LANES).min(self.n_batch);
            let first = if anew { made } else { batches.start };
            made += if anew { batches.len() } else { 0 };
            (anew, first..first + batches.len())
        })
    }

    /// One row a batch.
    pub fn batches<T: Clone>(&self, before: &[T], made: &[T]) -> Box<[T]> {
        let rows = self.windows().flat_map(|(anew, rows)| if anew { &made[rows] } else { &before[rows] });
        rows.cloned().collect()
    }

    /// One row a window.
    pub fn each_window<T: Copy>(&self, before: &[T], made: &[T]) -> Box<[T]> {
        let mut made = made.iter().copied();
        let choose = |(&anew, &before): (&bool, &T)| if anew { made.next().unwrap_or(before) } else { before };
        self.anew.iter().zip(before).map(choose).collect()
    }

    /// Where the rows of every batch start.
    pub fn starts(&self, before: &[u32], made: &[u32]) -> Box<[u32]> {
        let mut starts = vec![0];
        let mut end = 0;
        for (anew, batches) in self.windows() {
            let of = if anew { made } else { before };
            for batch in batches {
                end += of[batch + 1] - of[batch];
                starts.push(end);
            }
        }
        starts.into()
    }

    /// The rows themselves.
    pub fn rows<T: Clone>(&self, before: (&[u32], &[T]), made: (&[u32], &[T])) -> Box<[T]> {
        let mut rows = Vec::with_capacity(before.1.len() + made.1.len());
        for (anew, batches) in self.windows() {
            let (start, of) = if anew { made } else { before };
            rows.extend_from_slice(&of[start[batches.start] as usize..start[batches.end] as usize]);
        }
        rows.into()
    }
}
