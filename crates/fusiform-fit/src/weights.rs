//! Influence: how much each muscle weighs on each vertex of the skin (W in METHODS section 4, influence templates).
//!
//! ```text
//! w(v) = near(distance to the belly) x fleshy(where along it) x facing(skin normal) x own(joints of v)
//! w    smoothed over the mesh, x agree(joints of v and of the skin about it)
//! W_i  = T (1 - prod (1 - w)) w_i^2 / sum w^2        the four largest, T = MAX_TOTAL; less in the fold of a hinge
//! ```
//!
//! Ours; Ramos paints W by (u, theta, rho), which this does with the belly's own section as the unit of rho. A muscle with an
//! influence of its own is weighted by that (`template`) instead.

mod again;
mod agree;
mod belly;
mod clothed;
mod fold;
mod join;
mod keep;
mod reach;
mod template;
pub(crate) mod topology;

use crate::dress::Wear;
pub(crate) use again::weigh_again;
use agree::{Over, agree};
pub use join::{join_weights, put_weights};
pub use keep::keep_weights;

use belly::Belly;
use clothed::Clothed;
use fold::Folds;
use fusiform::body::{BindError, rest_bellies};
use fusiform::musculature::Influence;
use fusiform::{Character, Mesh, Muscle, Skeleton, SparseWeights};
use rayon::prelude::*;
use reach::Reachable;
use std::collections::BTreeSet;
use std::ops::Range;
use topology::Topology;

/// Muscles that may weigh on one vertex.
pub const MAX_MUSCLES: usize = 4;

/// Largest sum of W on a vertex. Skin that followed muscles alone would lose the twist of its joints, and would leave
/// its bones where a belly springs far; a tenth stays with the joints.
pub const MAX_TOTAL: f32 = 0.9;

/// How far smoothing carries a weight, as a fraction of the character's height: about the width of three fingers.
const SMOOTHING: f32 = 0.03;

/// A weight below this moves nothing that can be seen.
const LEAST: f32 = 0.004;

/// How much each muscle weighs on each vertex in the bind pose; one entry per mesh of the character, and one of `wear`.
///
/// At most [`MAX_MUSCLES`] muscles a vertex, largest first, their sum at most [`MAX_TOTAL`]. The meshes of the body are one
/// skin: nothing opens where they are sewn together. Clothes follow the body under them.
///
/// # Errors
/// When the skeleton or a muscle is not sound; the error names it and its cure.
pub fn influence(character: &Character, wear: &[Wear], muscles: &[Muscle]) -> Result<Vec<SparseWeights>, BindError> {
    influence_near(character, wear, muscles, None)
}

/// The same for some muscles only, and those about them: all others weigh nothing.
fn influence_near(
    character: &Character,
    wear: &[Wear],
    muscles: &[Muscle],
    wanted: Option<&BTreeSet<usize>>,
) -> Result<Vec<SparseWeights>, BindError> {
    let skeleton = &character.skeleton;
    let rests = rest_bellies(skeleton, muscles)?;
    let height = character.height();
    let reach = |(muscle, rest): (&Muscle, _)| {
        let influence = muscle.influence;
        let belly = Belly::new(rest, height, influence.as_ref());
        Some(Reach { belly, influence, own: Reachable::new(skeleton, muscle, rest, height) })
    };
    let mut reaches: Vec<Option<Reach>> = muscles.iter().zip(&rests).map(reach).collect();
    if let Some(wanted) = wanted {
        let meets = |a: &Option<Reach>, b: &Option<Reach>| match (a, b) {
            (Some(a), Some(b)) => a.belly.meets(&b.belly, 2.0 * SMOOTHING * height),
            _ => false,
        };
        let counts = |m: usize| wanted.iter().any(|&of| of == m || meets(&reaches[of], &reaches[m]));
        let counts: Vec<bool> = (0..muscles.len()).map(counts).collect();
        reaches.iter_mut().zip(counts).filter(|(_, counts)| !counts).for_each(|(reach, _)| *reach = None);
    }
    let body: Vec<&Mesh> = of(character, wear, Wear::Body).collect();
    let body_weights = mesh_influence(&merged(&body), skeleton, &reaches, height);
    let clothed = Clothed::new(&body, &body_weights, height);
    let mut first = 0;
    let of_mesh = |(mesh, wear): (&Mesh, &Wear)| match wear {
        Wear::Body => {
            let own = first..first + mesh.positions.len();
            first = own.end;
            slice(&body_weights, own)
        }
        Wear::Clothes => clothed.weights(mesh),
        Wear::Alone => slice(&SparseWeights::default(), 0..mesh.positions.len()),
    };
    Ok(character.meshes.iter().zip(wear).map(of_mesh).collect())
}

/// One muscle and the skin it may move.
struct Reach<'a> {
    belly: Belly<'a>,
    influence: Option<Influence>,
    own: Reachable,
}

/// The meshes that are that.
pub(crate) fn of<'a>(character: &'a Character, wear: &'a [Wear], wanted: Wear) -> impl Iterator<Item = &'a Mesh> {
    character.meshes.iter().zip(wear).filter(move |(_, wear)| **wear == wanted).map(|(mesh, _)| mesh)
}

/// Several meshes as one.
pub(crate) fn merged(meshes: &[&Mesh]) -> Mesh {
    let mut whole = Mesh::default();
    for mesh in meshes {
        let first = whole.positions.len() as u32;
        whole.positions.extend(&mesh.positions);
        whole.triangles.extend(mesh.triangles.iter().map(|corners| corners.map(|corner| corner + first)));
        for vertex in 0..mesh.positions.len() {
            let weighted = vertex < mesh.weights.len();
            whole.weights.push_vertex(weighted.then(|| mesh.weights.of(vertex)).into_iter().flatten());
        }
    }
    whole
}

/// The weights of those vertices; none where there are none.
fn slice(weights: &SparseWeights, vertices: Range<usize>) -> SparseWeights {
    let mut slice = SparseWeights::default();
    for vertex in vertices {
        let weighted = vertex < weights.len();
        slice.push_vertex(weighted.then(|| weights.of(vertex)).into_iter().flatten());
    }
    slice
}

fn mesh_influence(mesh: &Mesh, skeleton: &Skeleton, reaches: &[Option<Reach>], height: f32) -> SparseWeights {
    let topology = Topology::new(mesh);
    let passes = topology.passes(SMOOTHING * height);
    let n_joint = skeleton.joints.len();
    let over: Vec<Vec<(u32, f32)>> = reaches
        .par_iter()
        .map_init(
            || vec![0.0; topology.points.len()],
            |field, reach| match reach {
                Some(reach) => over_muscle(mesh, n_joint, &topology, passes, reach, field),
                None => Vec::new(),
            },
        )
        .collect();
    let mut found: Vec<Vec<(u16, f32)>> = vec![Vec::new(); topology.points.len()];
    for (muscle, over) in over.into_iter().enumerate() {
        for (point, weight) in over {
            found[point as usize].push((muscle as u16, weight));
        }
    }
    let told: Vec<bool> =
        reaches.iter().map(|reach| reach.as_ref().is_some_and(|reach| reach.influence.is_some())).collect();
    let folds = Folds::new(skeleton);
    let settled = found.into_iter().zip(&topology.vertex_of).map(|(found, &vertex)| {
        let left = folds.left(mesh, vertex);
        let is_told = |muscle: u16| told[usize::from(muscle)];
        let less = |(muscle, weight)| (muscle, if is_told(muscle) { weight } else { weight * left });
        let kept = template::settle_told(found, &told).into_iter().map(less);
        kept.filter(|(_, weight)| *weight > LEAST).collect()
    });
    let settled: Vec<Vec<(u16, f32)>> = settled.collect();
    let mut weights = SparseWeights::default();
    for &point in &topology.point_of {
        weights.push_vertex(settled[point as usize].iter().copied());
    }
    weights
}

/// The points of the skin that belong to one muscle, and how much; `field` is zero before and after.
fn over_muscle(
    mesh: &Mesh,
    n_joint: usize,
    topology: &Topology,
    passes: usize,
    Reach { belly, influence, own }: &Reach,
    field: &mut [f32],
) -> Vec<(u32, f32)> {
    let mut active = Vec::new();
    for (i, &point) in topology.points.iter().enumerate() {
        if !belly.may_reach(point) {
            continue;
        }
        let normal = topology.normals[i];
        let near = influence.map_or_else(
            || belly.weight(point, normal),
            |influence| template::weight(&influence, belly, point, normal),
        );
        let own = if near > 0.0 { near * own.share(mesh, topology.vertex_of[i]) } else { 0.0 };
        if own > 0.0 {
            field[i] = own;
            active.push(i as u32);
        }
    }
    if influence.is_some() {
        // as it was asked for: smooth by itself, and of no other shape
        let take = |i: u32| (i, std::mem::take(&mut field[i as usize]));
        return active.into_iter().map(take).filter(|(_, weight)| *weight > LEAST).collect();
    }
    topology.smooth(field, &mut active, passes);
    let over = |i: u32| Over {
        vertex: topology.vertex_of[i as usize],
        ring: belly.ring(topology.points[i as usize]),
        weight: std::mem::take(&mut field[i as usize]),
    };
    let mut skin: Vec<Over> = active.iter().copied().map(over).collect();
    agree(mesh, n_joint, belly.n_ring(), &mut skin);
    active.into_iter().zip(skin).map(|(i, over)| (i, over.weight)).filter(|(_, weight)| *weight > LEAST).collect()
}

/// The largest few of a vertex' weights, sharing one bounded total by their squares: the muscle that lies nearest leads,
/// and what is left out is small, so that nothing jumps where two muscles change rank.
fn settle(mut found: Vec<(u16, f32)>) -> Vec<(u16, f32)> {
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let total = MAX_TOTAL * (1.0 - found.iter().map(|(_, weight)| 1.0 - weight.min(1.0)).product::<f32>());
    found.truncate(MAX_MUSCLES);
    let squares: f32 = found.iter().map(|(_, weight)| weight * weight).sum();
    for (_, weight) in &mut found {
        *weight *= *weight * total / squares;
    }
    found.retain(|(_, weight)| *weight > LEAST);
    found
}

#[cfg(test)]
mod tests;
