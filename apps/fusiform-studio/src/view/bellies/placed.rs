//! Placed: bellies whose points are told one by one, as what is more than its cross-sections needs.

use super::Belly;
use crate::view::scene::Corners;
use fusiform::{Body, BodyState};
use glam::Vec3;

/// What is kept of them.
#[derive(Debug, Default)]
pub(super) struct Placed {
    places: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl Placed {
    /// Where they are now, and how they face the light.
    pub fn pose(&mut self, (body, state): (&Body, &BodyState), shown: &[Belly]) -> Corners<'_> {
        let n = shown.iter().map(|belly| belly.n_point()).sum();
        self.places.resize(n, Vec3::ZERO);
        self.normals.resize(n, Vec3::ZERO);
        let mut rest = &mut self.places[..];
        let rooms = shown.iter().map(|belly| {
            let (room, after) = std::mem::take(&mut rest).split_at_mut(belly.n_point());
            rest = after;
            (belly.muscle, room)
        });
        state.bellies_points(body, rooms);
        let (mut places, mut normals) = (&self.places[..], &mut self.normals[..]);
        for belly in shown {
            let (of, others) = places.split_at(belly.n_point());
            let (room, after) = normals.split_at_mut(belly.n_point());
            facing(of, belly.sectors.into(), room);
            (places, normals) = (others, after);
        }
        Corners::Placed { places: &self.places, normals: &self.normals, stays: None }
    }
}

/// Normals of one belly, ring by ring: across what leads around it and what leads along it. Its ends, which may be points,
/// have nothing around them and take their neighbours'.
fn facing(places: &[Vec3], sectors: usize, normals: &mut [Vec3]) {
    let last = (places.len() / sectors).saturating_sub(1);
    for (i, normals) in normals.chunks_exact_mut(sectors).enumerate() {
        let ring = |i: usize| &places[i * sectors..][..sectors];
        let (before, after) = (ring(i.saturating_sub(1)), ring((i + 1).min(last)));
        let around = ring(i.max(1).min(last.saturating_sub(1)));
        let (mut left, mut here) = (around[sectors - 1], around[0]);
        for j in 0..sectors {
            let right = around[if j + 1 < sectors { j + 1 } else { 0 }];
            normals[j] = (right - left).cross(after[j] - before[j]).normalize_or_zero();
            (left, here) = (here, right);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::body::belly_triangles;
    use std::f32::consts::TAU;

    #[test]
    fn a_belly_faces_outward_at_its_pointed_ends_too() {
        let (rings, sectors) = (9, 8);
        let angle = |j: usize| TAU * j as f32 / sectors as f32;
        let out = |j: usize| Vec3::new(0.0, angle(j).cos(), angle(j).sin());
        let radius = |i: usize| (0.5 * TAU * i as f32 / (rings - 1) as f32).sin();
        let points = (0..rings).flat_map(|i| (0..sectors).map(move |j| (i, j)));
        let places: Vec<Vec3> = points.clone().map(|(i, j)| Vec3::X * i as f32 + out(j) * radius(i)).collect();
        let mut normals = vec![Vec3::ZERO; places.len()];
        facing(&places, sectors, &mut normals);
        for ((i, j), normal) in points.zip(&normals) {
            assert!((normal.length() - 1.0).abs() < 1e-4 && normal.dot(out(j)) > 0.5, "{i} {j} {normal}");
        }
        let triangles = belly_triangles(rings, sectors);
        let area = |&[a, b, c]: &[u32; 3]| {
            let [a, b, c] = [a, b, c].map(|corner| places[corner as usize]);
            (b - a).cross(c - a)
        };
        let with_sides = triangles.iter().filter(|triangle| area(triangle).length() > 1e-3);
        assert!(with_sides.clone().count() > 100);
        assert!(with_sides.clone().all(|t| area(t).dot(normals[t[0] as usize]) > 0.0));
    }
}
