//! The whole athlete, from a vertex count.

use crate::envelope::Envelope;
use crate::skin::Skin;
use crate::{clips, grow, muscles, order, polygonise, pose, remesh, skeleton, weights};
use fusiform::{Character, Mesh, Musculature};
use glam::Vec3;
use rayon::prelude::*;
use std::ops::RangeInclusive;

/// How many vertices may be asked for.
pub const VERTICES: RangeInclusive<usize> = 3_700..=100_000;

/// A character with its muscles.
#[derive(Clone, Debug, PartialEq)]
pub struct Athlete {
    /// Skeleton, one closed skin, five clips.
    pub character: Character,
    /// The humanoid template's muscles, laid into this body.
    pub musculature: Musculature,
}

/// Why there is no athlete.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AthleteError {
    /// Too coarse for a hand, or too fine to be worth it.
    #[error("the athlete has {} to {} vertices, not {asked}", VERTICES.start(), VERTICES.end())]
    Vertices {
        /// What was asked for.
        asked: usize,
    },
    /// The template cannot be laid into this body: a fault of the crate, never of the caller.
    #[error(transparent)]
    Fit(#[from] fusiform_fit::FitError),
    /// A laid muscle is not sound: a fault of the crate, never of the caller.
    #[error(transparent)]
    Bind(#[from] fusiform::BindError),
}

/// The athlete with about so many vertices.
///
/// # Errors
/// When the count is outside [`VERTICES`].
pub fn athlete(vertices: usize) -> Result<Athlete, AthleteError> {
    athlete_with(vertices, |_| {})
}

/// [`athlete`], telling how far it is from 0 to 1.
///
/// # Errors
/// When the count is outside [`VERTICES`].
pub fn athlete_with(vertices: usize, mut progress: impl FnMut(f32)) -> Result<Athlete, AthleteError> {
    if !VERTICES.contains(&vertices) {
        return Err(AthleteError::Vertices { asked: vertices });
    }
    let skeleton = skeleton();
    let envelope = Envelope::new();
    let placed = muscles::lay(&skeleton, &envelope)?;
    let skin = Skin::new(&envelope, &skeleton, &placed.muscles)?;
    let field = |p: Vec3| skin.distance(p);
    let half = grow::grow(&field, vertices, |done| progress(0.9 * done));
    let (positions, triangles) = polygonise::mirrored(&half);
    let twins = pose::twins(&skeleton);
    let weights = weights::joint_weights(&skeleton, &envelope, &twins, &positions);
    let (positions, triangles, weights) = order::by_region(positions, triangles, &weights);
    let normals = positions.par_iter().map(|&p| remesh::gradient(&field, p).normalize_or_zero()).collect();
    let clips = clips::clips(&skeleton);
    let mesh = Mesh { name: "skin".into(), positions, normals, triangles, weights };
    let character = Character { name: "athlete".into(), skeleton, meshes: vec![mesh], clips };
    progress(1.0);
    Ok(Athlete { character, musculature: Musculature { muscles: placed.muscles, ..Musculature::plain() } })
}

#[cfg(test)]
mod scratch {
    #[test]
    fn poke() {
        let sk = crate::skeleton();
        let env = crate::envelope::Envelope::new();
        let placed = crate::muscles::lay(&sk, &env).unwrap();
        let skin = crate::skin::Skin::new(&env, &sk, &placed.muscles).unwrap();
        let b = fusiform::body::rest_bellies(&sk, &placed.muscles).unwrap();
        for (m, b) in placed.muscles.iter().zip(&b) {
            if m.name.ends_with(".r") { continue; }
            let (i, w) = b.points.iter().enumerate().map(|(i, &p)| (i, env.distance(p))).max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
            let s = b.points.iter().map(|&p| skin.distance(p)).fold(-1.0, f32::max);
            if w > -0.001 { println!("{:40} ring {:2}/{} outside flesh {:6.1} mm  skin {:6.1}  at {:.3}", m.name, i / m.sectors as usize, m.rings, w * 1e3, s * 1e3, b.points[i]); }
        }
    }
}

#[cfg(test)]
mod scratch2 {
    use std::collections::HashMap;
    #[test]
    fn topo() {
        let a = crate::athlete(8000).unwrap();
        let m = &a.character.meshes[0];
        let mut edges: HashMap<(u32, u32), u32> = HashMap::new();
        for t in &m.triangles { for k in 0..3 { let (u, v) = (t[k], t[(k + 1) % 3]); *edges.entry((u.min(v), u.max(v))).or_default() += 1; } }
        let mut by = [0; 8];
        for (e, &c) in &edges { by[c.min(7) as usize] += 1; if c != 2 { println!("edge {c} faces at {:.3}", m.positions[e.0 as usize]); } }
        println!("edge faces {by:?} V {} E {} F {}", m.positions.len(), edges.len(), m.triangles.len());
        let mut parent: Vec<u32> = (0..m.positions.len() as u32).collect();
        fn find(p: &mut Vec<u32>, mut x: u32) -> u32 { while p[x as usize] != x { p[x as usize] = p[p[x as usize] as usize]; x = p[x as usize]; } x }
        for t in &m.triangles { let a = find(&mut parent, t[0]); for &v in &t[1..] { let b = find(&mut parent, v); parent[b as usize] = a; } }
        let mut comps: HashMap<u32, (i64, glam::Vec3, glam::Vec3)> = HashMap::new();
        for v in 0..m.positions.len() as u32 { let r = find(&mut parent, v); let e = comps.entry(r).or_insert((0, glam::Vec3::MAX, glam::Vec3::MIN)); e.0 += 1; e.1 = e.1.min(m.positions[v as usize]); e.2 = e.2.max(m.positions[v as usize]); }
        for (r, c) in comps.clone() {
            let f = m.triangles.iter().filter(|t| find(&mut parent, t[0]) == r).count() as i64;
            println!("component {} vertices, chi {}, {:.3} .. {:.3}", c.0, c.0 - f / 2, c.1, c.2);
        }
        // small closed loops through thin places: slices by y
        for iy in 0..180 { let y = iy as f32 * 0.01 + 0.005;
            let mut p2: HashMap<(u32,u32),(u32,u32)> = HashMap::new();
            fn f2(p: &mut HashMap<(u32,u32),(u32,u32)>, x: (u32,u32)) -> (u32,u32) { let mut x = x; loop { let q = *p.entry(x).or_insert(x); if q == x { return x; } x = q; } }
            for t in &m.triangles { let mut cut = vec![]; for k in 0..3 { let (u, v) = (t[k], t[(k+1)%3]); if (m.positions[u as usize].y < y) != (m.positions[v as usize].y < y) { cut.push((u.min(v), u.max(v))); } }
                if cut.len() == 2 { let a = f2(&mut p2, cut[0]); let b = f2(&mut p2, cut[1]); p2.insert(a, b); } }
            let keys: Vec<_> = p2.keys().copied().collect(); let mut roots: Vec<_> = keys.into_iter().map(|k| f2(&mut p2, k)).collect(); roots.sort(); roots.dedup();
            print!("{y:.3}:{} ", roots.len());
        }
        println!();
    }
}
