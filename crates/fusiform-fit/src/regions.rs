//! Regions: which bone each point of the skin belongs to.
//!
//! ```text
//! n' = normalise((1 − λ) n + λ normalise(Σ n of the ring)), 25 times, λ = 1
//! the bone of least |p − p'| (1.25 − w) with n' · (p − p') >= 0, p' the point of the bone nearest to p
//! ```
//!
//! Pratscher, Coleman, Laszlo, Singh: *Outside-In Anatomy Based Character Rigging*, 2005, section 3.1. Beside the paper, the
//! skin's own joint weights w are heard. A bone is not asked where neither its joint nor one next to it moves the skin, and
//! counts as the nearer the more its joint does: no arm takes the skin of the trunk it hangs beside, no leg the flank above
//! it. So few bones are tried for a point, however many there are. A point that every bone refuses takes the nearest of its
//! neighbours' bones.

use crate::dress::Wear;
use crate::refine::refine;
use crate::segments::{Segment, Segments};
use crate::weights::topology::Topology;
use crate::weights::{merged, of};
use fusiform::{Character, Mesh};
use glam::Vec3;
use rayon::prelude::*;

/// Passes over the normals; λ is 1.
const PASSES: usize = 25;
/// A joint weight below this says nothing about whose skin it is.
const HEARD: f32 = 0.02;
/// Skin that its joint does not move counts as this far from a bone, skin that it moves alone as 1 less.
const FOREIGN: f32 = 1.25;
/// Mean of |normal · bone| over a region, above which its skin lies across its bone.
const ACROSS: f32 = 0.6;
/// Length of the mean way from a bone to its skin, ways of unit length: 0 where that lies all about it, 1 all to one side.
const ASIDE: f32 = 0.25;
/// No bone.
const NONE: u32 = u32::MAX;

/// The skin of a body, cut into the regions of its bones.
pub(crate) struct Regions {
    pub segments: Segments,
    /// The body's meshes welded into one skin.
    pub topology: Topology,
    /// n_point: a row of `segments.list`; nothing where there is no bone at all.
    pub of_point: Vec<Option<usize>>,
    /// n_point, square metres: a third of the triangles around.
    pub area: Vec<f32>,
}

impl Regions {
    /// Cut the body's skin.
    pub fn new(character: &Character, wear: &[Wear]) -> Self {
        let mut body = merged(&of(character, wear, Wear::Body).collect::<Vec<_>>());
        refine(&mut body, character.height());
        let segments = Segments::new(&character.skeleton, &body, character.height());
        let topology = Topology::new(&body);
        let normals = smoothed_normals(&topology);
        let area = areas(&body, &topology);
        let mut regions = Self { segments, topology, of_point: Vec::new(), area };
        regions.assign(&body, &normals);
        if regions.drop_joiners() {
            regions.assign(&body, &normals);
        }
        regions
    }

    /// The region of every vertex of the character that was cut, mesh by mesh; nothing off the body.
    pub fn of_vertices(&self, character: &Character, wear: &[Wear]) -> Vec<Vec<Option<usize>>> {
        let mut first = 0;
        let of_mesh = |(mesh, wear): (&Mesh, &Wear)| {
            if *wear != Wear::Body {
                return vec![None; mesh.positions.len()];
            }
            let own = first..first + mesh.positions.len();
            first = own.end;
            own.map(|vertex| self.of_point[self.topology.point_of[vertex] as usize]).collect()
        };
        character.meshes.iter().zip(wear).map(of_mesh).collect()
    }

    /// Each point to its bone.
    fn assign(&mut self, body: &Mesh, normals: &[Vec3]) {
        let Self { segments: Segments { list, .. }, topology, .. } = &*self;
        let near = near_bones(&self.segments, self.segments.parent.len());
        let asked_about = |point: usize, asked: &mut Vec<Asked>| {
            ask(body, &near, list, topology.vertex_of[point], asked);
        };
        let mut of_point: Vec<u32> = (0..topology.points.len())
            .into_par_iter()
            .map_init(Vec::new, |asked, point| {
                asked_about(point, asked);
                nearest(list, asked, topology.points[point], Some(normals[point]))
            })
            .collect();
        fill(topology, list, &mut of_point);
        let mut asked = Vec::new();
        for point in (0..of_point.len()).filter(|&point| of_point[point] == NONE).collect::<Vec<_>>() {
            asked_about(point, &mut asked);
            of_point[point] = nearest(list, &asked, topology.points[point], None);
        }
        self.of_point = of_point.into_iter().map(|bone| (bone != NONE).then_some(bone as usize)).collect();
    }

    /// Take out the bones that only join two parts, from a spine to a hip, say: their skin lies across them, not along them,
    /// or, where a joint has several bones, to one side of them and not about them. It is their neighbours'. Whether there
    /// were any.
    fn drop_joiners(&mut self) -> bool {
        let bones = &self.segments.list;
        let (mut across, mut whole) = (vec![0.0; bones.len()], vec![0.0; bones.len()]);
        let mut out = vec![Vec3::ZERO; bones.len()];
        for (point, bone) in self.of_point.iter().enumerate() {
            let Some(bone) = *bone else { continue };
            let (place, along) = (self.topology.points[point], bones[bone].along());
            across[bone] += self.area[point] * self.topology.normals[point].dot(along).abs();
            out[bone] +=
                (place - bones[bone].from).reject_from_normalized(along).normalize_or_zero() * self.area[point];
            whole[bone] += self.area[point];
        }
        let one_sided = |bone: usize| out[bone].length() / whole[bone].max(1e-20);
        let is_main = |bone: usize| {
            let beside = (0..bones.len()).filter(|&other| bones[other].joint == bones[bone].joint && other != bone);
            beside.map(one_sided).all(|other| one_sided(bone) <= other)
        };
        let joins = |bone: usize| {
            bones[bone].child.is_some()
                && (across[bone] > ACROSS * whole[bone] || one_sided(bone) > ASIDE && !is_main(bone))
        };
        let kept: Vec<Segment> = (0..bones.len()).filter(|&bone| !joins(bone)).map(|bone| bones[bone]).collect();
        let any = kept.len() < bones.len() && !kept.is_empty();
        if any {
            self.segments.list = kept;
        }
        any
    }
}

/// The region of every vertex, mesh by mesh, as rows of the bones returned with them; nothing off the body.
#[must_use]
pub fn regions(character: &Character, wear: &[Wear]) -> (Vec<Segment>, Vec<Vec<Option<usize>>>) {
    let regions = Regions::new(character, wear);
    let of_vertex = regions.of_vertices(character, wear);
    (regions.segments.list, of_vertex)
}

/// For each joint the bones that may own skin it moves: its own, its parent's and its children's.
fn near_bones(segments: &Segments, n_joint: usize) -> Vec<Vec<u32>> {
    let mut near = vec![Vec::new(); n_joint];
    let mut children = vec![Vec::new(); n_joint];
    for (child, parent) in segments.parent.iter().enumerate() {
        parent.iter().for_each(|&parent| children[parent].push(child));
    }
    for (bone, segment) in segments.list.iter().enumerate() {
        near[segment.joint].push(bone as u32);
        segments.parent[segment.joint].iter().for_each(|&parent| near[parent].push(bone as u32));
        children[segment.joint].iter().for_each(|&child| near[child].push(bone as u32));
    }
    near
}

/// A bone that may own a point, and the square of how much farther it counts than it is.
type Asked = (u32, f32);

/// The bones to ask about a vertex; all of them where no joint moves it.
fn ask(body: &Mesh, near: &[Vec<u32>], bones: &[Segment], vertex: usize, asked: &mut Vec<Asked>) {
    asked.clear();
    if vertex >= body.weights.len() {
        asked.extend((0..bones.len() as u32).map(|bone| (bone, 1.0)));
        return;
    }
    let share = |joint: usize| body.weights.of(vertex).find(|w| usize::from(w.0) == joint).map_or(0.0, |w| w.1);
    for (joint, _) in body.weights.of(vertex).filter(|(_, weight)| *weight > HEARD) {
        let farther = |&bone: &u32| (FOREIGN - share(bones[bone as usize].joint)).powi(2);
        asked.extend(near.get(usize::from(joint)).into_iter().flatten().map(|bone| (*bone, farther(bone))));
    }
    if asked.is_empty() {
        asked.extend((0..bones.len() as u32).map(|bone| (bone, 1.0)));
    }
}

/// The nearest of the asked bones, of two as near the first; with a normal, only those it looks away from.
fn nearest(bones: &[Segment], asked: &[Asked], point: Vec3, normal: Option<Vec3>) -> u32 {
    let mut best = (f32::INFINITY, NONE);
    for &(bone, farther) in asked {
        let out = point - bones[bone as usize].nearest(point);
        let distance = out.length_squared() * farther;
        let nearer = distance < best.0 || (distance == best.0 && bone < best.1);
        if nearer && normal.is_none_or(|normal| normal.dot(out) >= 0.0) {
            best = (distance, bone);
        }
    }
    best.1
}

/// Refused points take the nearest of their neighbours' bones, ring after ring.
fn fill(topology: &Topology, bones: &[Segment], of_point: &mut [u32]) {
    let mut refused: Vec<usize> = (0..of_point.len()).filter(|&point| of_point[point] == NONE).collect();
    while !refused.is_empty() {
        let around = |&point: &usize| -> (usize, u32) {
            let near = topology.around(point as u32).iter().map(|&near| of_point[near as usize]);
            let asked: Vec<Asked> = near.filter(|&bone| bone != NONE).map(|bone| (bone, 1.0)).collect();
            (point, nearest(bones, &asked, topology.points[point], None))
        };
        let found: Vec<(usize, u32)> = refused.iter().map(around).filter(|(_, bone)| *bone != NONE).collect();
        if found.is_empty() {
            return;
        }
        found.iter().for_each(|&(point, bone)| of_point[point] = bone);
        refused.retain(|&point| of_point[point] == NONE);
    }
}

/// n': low frequencies of the normals.
fn smoothed_normals(topology: &Topology) -> Vec<Vec3> {
    let mut normals = topology.normals.clone();
    for _ in 0..PASSES {
        let mean = |point: usize| {
            let sum: Vec3 = topology.around(point as u32).iter().map(|&near| normals[near as usize]).sum();
            sum.normalize_or(normals[point])
        };
        normals = (0..normals.len()).into_par_iter().map(mean).collect();
    }
    normals
}

/// A third of the triangles around each point.
fn areas(body: &Mesh, topology: &Topology) -> Vec<f32> {
    let mut area = vec![0.0; topology.points.len()];
    for triangle in &body.triangles {
        let [Some(a), Some(b), Some(c)] = triangle.map(|vertex| topology.point_of.get(vertex as usize).copied()) else {
            continue;
        };
        let [p, q, r] = [a, b, c].map(|point| topology.points[point as usize]);
        let third = (q - p).cross(r - p).length() / 6.0;
        [a, b, c].iter().for_each(|&point| area[point as usize] += third);
    }
    area
}
