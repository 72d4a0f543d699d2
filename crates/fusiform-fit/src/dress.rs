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
/// A bone without a next joint is this share of the one before it long.
const LAST: f32 = 0.5;
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

/// Bones that carry skin: from a joint to each of its children, and on from one that has none.
fn bones(skeleton: &Skeleton, meshes: &[Mesh], shortest: f32) -> Vec<[Vec3; 2]> {
    let weighted: HashSet<u16> = meshes.iter().flat_map(|mesh| mesh.weights.index.iter().copied()).collect();
    let at = |joint: usize| Vec3::from(skeleton.joints[joint].bind.translation);
    let children = skeleton.joints.iter().enumerate().filter_map(|(child, joint)| Some((joint.parent?, child)));
    let inner = children.clone().map(|(parent, child)| (parent, [at(parent), at(child)]));
    let mut is_leaf = vec![true; skeleton.joints.len()];
    children.clone().for_each(|(parent, _)| is_leaf[parent] = false);
    let last = children.filter(|(_, child)| is_leaf[*child]);
    let last = last.map(|(parent, child)| (child, [at(child), at(child) + (at(child) - at(parent)) * LAST]));
    let carrying = inner.chain(last).filter(|(joint, _)| weighted.contains(&(*joint as u16)));
    carrying.map(|(_, bone)| bone).filter(|[a, b]| a.distance(*b) > shortest).collect()
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
        let over = mesh.positions.iter().filter(|&&p| lies_over(&surface, p, near)).count();
        if 2 * over > mesh.positions.len() && mesh.positions.len() as f32 > LEAST * n_body as f32 {
            *wear = Wear::Clothes;
        }
    }
}

/// Whether a point is outside the body, near it, and seen from outside: teeth are near the lips and outside the skin too, but
/// behind it.
fn lies_over(body: &Surface, p: Vec3, near: f32) -> bool {
    let from_skin = p - body.nearest(p).point;
    let hidden = || body.hit(p, from_skin.normalize_or(Vec3::Y)).is_some_and(|away| away < 2.0 * near);
    from_skin.length() < near && !body.contains(p) && !hidden()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::{SparseWeights, Transform};
    use std::f32::consts::{PI, TAU};

    /// A ball of that radius about a point, on joint 0.
    fn ball(name: &str, at: Vec3, radius: f32) -> Mesh {
        const RINGS: u16 = 12;
        let place = |i: u16, j: u16| {
            let [a, b] = [(i, PI), (j, TAU)].map(|(step, turn)| f32::from(step) / f32::from(RINGS) * turn);
            at + radius * Vec3::new(a.sin() * b.cos(), a.cos(), a.sin() * b.sin())
        };
        let mut mesh = Mesh { name: name.into(), ..Mesh::default() };
        for i in 0..=RINGS {
            for j in 0..RINGS {
                mesh.positions.push(place(i, j));
                mesh.weights.push_vertex([(0, 1.0)]);
                let [a, b] = [j, (j + 1) % RINGS].map(|j| u32::from(i * RINGS + j));
                if i < RINGS {
                    mesh.triangles
                        .extend([[a, b, a + u32::from(RINGS)], [b, b + u32::from(RINGS), a + u32::from(RINGS)]]);
                }
            }
        }
        mesh
    }

    fn character(meshes: Vec<Mesh>) -> Character {
        let joints = [("a", None, Transform::at(Vec3::NEG_Y * 0.5)), ("b", Some(0), Transform::at(Vec3::Y))];
        Character { skeleton: Skeleton::from_rest(&joints), meshes, ..Character::default() }
    }

    #[test]
    fn what_lies_about_the_bones_is_body_what_lies_over_it_clothes_and_the_rest_is_left_alone() {
        let meshes = vec![
            ball("coat", Vec3::ZERO, 1.02),
            ball("flesh", Vec3::ZERO, 1.0),
            ball("kernel", Vec3::new(0.5, 0.0, 0.0), 0.2),
            ball("lamp", Vec3::X * 3.0, 0.3),
        ];
        let wear = sort_meshes(&character(meshes));
        assert_eq!(wear, [Wear::Clothes, Wear::Body, Wear::Alone, Wear::Alone]);
    }

    #[test]
    fn the_body_may_be_named() {
        let meshes = vec![ball("inner", Vec3::ZERO, 1.0), ball("outer", Vec3::ZERO, 1.02)];
        let wear = sort_around(&character(meshes), |mesh| mesh.name == "outer");
        assert_eq!(wear, [Wear::Alone, Wear::Body]);
    }

    #[test]
    fn skin_in_another_material_is_sewn_to_the_body() {
        let mut whole = ball("whole", Vec3::ZERO, 1.0);
        let patch = Mesh { triangles: whole.triangles.split_off(200), name: "patch".into(), ..whole.clone() };
        assert_eq!(sort_meshes(&character(vec![whole, patch])), [Wear::Body; 2]);
    }

    #[test]
    fn nothing_is_made_of_a_character_without_triangles() {
        let empty = Mesh { weights: SparseWeights::default(), ..Mesh::default() };
        assert_eq!(sort_meshes(&character(vec![empty])), [Wear::Alone]);
    }
}
