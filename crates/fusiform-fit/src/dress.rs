//! Which meshes of a character are its body, which are clothes over it, and which are neither.
//!
//! From the middle of every bone that carries skin, rays go out all around: the mesh that most of them meet first is the
//! body there. Meshes sewn to the body, corner on corner, are body too. Of the others, those whose surface lies over the
//! body are clothes; eyes, teeth, hair and props are left alone.

use crate::Surface;
use fusiform::{Character, Mesh, Skeleton};
use glam::Vec3;
use std::collections::HashSet;

/// Places along a bone that rays go out from, and rays at each.
const PLACES: [f32; 3] = [0.3, 0.5, 0.7];
const RAYS: u8 = 8;
/// Rays that must meet something, or the bone does not lie in a body; and the share of them that makes a mesh the body.
const MET: usize = 18;
const MOST: f32 = 0.5;
/// Shorter bones, as a share of the height, say nothing.
const SHORTEST: f32 = 0.02;
/// Clothes lie no farther from the body than this share of the height, over most of their vertices.
const NEAR: f32 = 0.03;
/// And have at least this share of the body's vertices' number, or area would be too dear: a button is no dress.
const LEAST: f32 = 0.01;

/// What a mesh is to the muscles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wear {
    /// Muscles are fitted to it and move it.
    Body,
    /// Lies over the body and follows it.
    Clothes,
    /// Moved by its joints alone.
    Alone,
}

impl Wear {
    /// As reports write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Clothes => "clothes",
            Self::Alone => "left alone",
        }
    }
}

/// What each mesh of the character is.
#[must_use]
pub fn sort_meshes(character: &Character) -> Vec<Wear> {
    let Some(all) = Surface::new(&character.meshes) else { return vec![Wear::Alone; character.meshes.len()] };
    let mut wear = vec![Wear::Alone; character.meshes.len()];
    for bone in bones(&character.skeleton, &character.meshes, SHORTEST * character.height()) {
        let votes = votes(&all, bone, character.meshes.len());
        let met: usize = votes.iter().sum();
        for (wear, votes) in wear.iter_mut().zip(votes) {
            if met >= MET && votes as f32 >= MOST * met as f32 {
                *wear = Wear::Body;
            }
        }
    }
    sew(&character.meshes, &mut wear);
    if !wear.contains(&Wear::Body) {
        let largest = (0..wear.len()).max_by_key(|&i| character.meshes[i].triangles.len());
        largest.into_iter().for_each(|i| wear[i] = Wear::Body);
    }
    dress(character, &mut wear);
    wear
}

/// What each mesh is when the caller has named the body.
#[must_use]
pub fn sort_around(character: &Character, is_body: impl Fn(&Mesh) -> bool) -> Vec<Wear> {
    let body = |mesh| if is_body(mesh) { Wear::Body } else { Wear::Alone };
    let mut wear: Vec<Wear> = character.meshes.iter().map(body).collect();
    dress(character, &mut wear);
    wear
}

/// Bones that carry skin: from a joint to each of its children.
fn bones(skeleton: &Skeleton, meshes: &[Mesh], shortest: f32) -> Vec<[Vec3; 2]> {
    let weighted: HashSet<u16> = meshes.iter().flat_map(|mesh| mesh.weights.index.iter().copied()).collect();
    let at = |joint: usize| Vec3::from(skeleton.joints[joint].bind.translation);
    let children = skeleton.joints.iter().enumerate().filter_map(|(child, joint)| Some((joint.parent?, child)));
    let carrying = children.filter(|(parent, _)| weighted.contains(&(*parent as u16)));
    carrying.map(|(parent, child)| [at(parent), at(child)]).filter(|[a, b]| a.distance(*b) > shortest).collect()
}

/// How many rays around a bone meet each mesh first.
fn votes(all: &Surface, [from, to]: [Vec3; 2], n_mesh: usize) -> Vec<usize> {
    let along = (to - from).normalize_or(Vec3::Y);
    let (u, v) = along.any_orthonormal_pair();
    let mut votes = vec![0; n_mesh];
    for t in PLACES {
        for i in 0..RAYS {
            let (sin, cos) = (f32::from(i) * std::f32::consts::TAU / f32::from(RAYS)).sin_cos();
            if let Some(mesh) = all.mesh_hit(from.lerp(to, t), u * cos + v * sin) {
                votes[mesh] += 1;
            }
        }
    }
    votes
}

/// A mesh that shares corners with the body is the same skin in another material.
fn sew(meshes: &[Mesh], wear: &mut [Wear]) {
    let corner = |p: &Vec3| (*p + Vec3::ZERO).to_array().map(f32::to_bits);
    let mut corners: HashSet<[u32; 3]> = HashSet::new();
    let mut open: Vec<usize> = (0..meshes.len()).filter(|&i| wear[i] == Wear::Body).collect();
    while let Some(mesh) = open.pop() {
        corners.extend(meshes[mesh].positions.iter().map(corner));
        for other in 0..meshes.len() {
            let shared = || meshes[other].positions.iter().filter(|p| corners.contains(&corner(p))).take(3).count();
            if wear[other] != Wear::Body && shared() == 3 {
                wear[other] = Wear::Body;
                open.push(other);
            }
        }
    }
}

/// Tell clothes from the rest.
fn dress(character: &Character, wear: &mut [Wear]) {
    let body = || character.meshes.iter().zip(&*wear).filter(|(_, wear)| **wear == Wear::Body).map(|(mesh, _)| mesh);
    let (n_body, near) = (body().map(|mesh| mesh.positions.len()).sum::<usize>(), NEAR * character.height());
    let Some(surface) = Surface::new(body()) else { return };
    for (mesh, wear) in character.meshes.iter().zip(wear).filter(|(_, wear)| **wear == Wear::Alone) {
        let over = mesh.positions.iter().filter(|&&p| surface.distance(p) < near && !surface.contains(p)).count();
        if 2 * over > mesh.positions.len() && mesh.positions.len() as f32 > LEAST * n_body as f32 {
            *wear = Wear::Clothes;
        }
    }
}
