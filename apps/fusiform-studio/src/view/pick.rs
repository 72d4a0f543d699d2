//! Pick: what is under the mouse.

use super::bellies::bellies;
use crate::model::Studio;
use glam::Vec3;

/// Corners of a circle that looks round.
const CORNERS: u16 = 48;
/// Steps in which one looks for the surface from the circle to its middle.
const INWARD: u16 = 8;
/// And between two of these, for where it ends.
const HALVINGS: usize = 6;

/// A place on the skin as it is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinHit {
    /// Corners of its triangle, among the vertices of all meshes.
    pub corners: [usize; 3],
    /// Their shares in the place; they sum to one.
    pub shares: Vec3,
    /// m, model space.
    pub place: Vec3,
    /// How far from the eye, m.
    pub far: f32,
}

impl SkinHit {
    /// The corner it is nearest to.
    #[must_use]
    pub fn vertex(&self) -> usize {
        self.corners[self.shares.max_position()]
    }
}

/// The skin a ray meets first, as it is posed and swollen now.
#[must_use]
pub fn skin_at(studio: &Studio, eye: Vec3, direction: Vec3) -> Option<SkinHit> {
    let (body, state) = studio.live.muscled();
    let places = state.positions();
    let mut nearest: Option<SkinHit> = None;
    for triangle in body.triangles() {
        let corners = triangle.map(|v| v as usize);
        if let Some((far, shares)) = crossing(eye, direction, corners.map(|v| places[v]))
            && nearest.is_none_or(|hit| far < hit.far)
        {
            nearest = Some(SkinHit { corners, shares, place: eye + far * direction, far });
        }
    }
    nearest
}

/// The muscle a ray meets first, through the skin, and where.
#[must_use]
pub fn muscle_at(studio: &Studio, eye: Vec3, direction: Vec3) -> Option<(usize, Vec3)> {
    let mut nearest = (f32::MAX, None);
    for (m, places, triangles) in bellies(studio) {
        for triangle in triangles {
            if let Some((far, _)) = crossing(eye, direction, triangle.map(|v| places[v as usize]))
                && far < nearest.0
            {
                nearest = (far, Some((m, eye + far * direction)));
            }
        }
    }
    nearest.1
}

/// A circle that lies on a surface: about a place, so far from it as the surface's plane there has it.
#[must_use]
pub fn circle_on((places, triangles): (&[Vec3], &[[u32; 3]]), (place, normal): (Vec3, Vec3), radius: f32) -> Vec<Vec3> {
    let normal = normal.try_normalize().unwrap_or(Vec3::Y);
    let near = |corners: &[Vec3; 3]| {
        let [low, high] = [corners[0].min(corners[1]).min(corners[2]), corners[0].max(corners[1]).max(corners[2])];
        place.clamp(low, high).distance_squared(place) < 4.0 * radius * radius
    };
    let local: Vec<[Vec3; 3]> = triangles.iter().map(|t| t.map(|v| places[v as usize])).filter(near).collect();
    let (right, up) = normal.any_orthonormal_pair();
    let point = |k: u16| {
        let (sin, cos) = (std::f32::consts::TAU * f32::from(k) / f32::from(CORNERS)).sin_cos();
        let under = |share: f32| {
            let from = place + radius * (share * (cos * right + sin * up) + normal);
            let far = local.iter().filter_map(|corners| crossing(from, -normal, *corners)).map(|(far, _)| far);
            Some(far.fold(f32::MAX, f32::min)).filter(|far| *far < 2.0 * radius).map(|far| from - far * normal)
        };
        // where the surface ends or turns away before, so does the circle
        let found = (0..=INWARD).find_map(|k| Some((k, under(1.0 - f32::from(k) / f32::from(INWARD))?)));
        let Some((k @ 1.., mut nearest)) = found else { return found.map_or(place, |(_, point)| point) };
        let [mut inside, mut outside] = [k, k - 1].map(|k| 1.0 - f32::from(k) / f32::from(INWARD));
        for _ in 0..HALVINGS {
            let between = 0.5 * (inside + outside);
            match under(between) {
                Some(point) => (inside, nearest) = (between, point),
                None => outside = between,
            }
        }
        nearest
    };
    (0..CORNERS).map(point).collect()
}

/// How far along a ray a triangle is, and its corners' shares there (Möller, Trumbore: *Fast, minimum storage ray/triangle
/// intersection*, 1997).
fn crossing(eye: Vec3, direction: Vec3, [a, b, c]: [Vec3; 3]) -> Option<(f32, Vec3)> {
    let (ab, ac) = (b - a, c - a);
    let across = direction.cross(ac);
    let size = ab.dot(across);
    if size.abs() < 1e-12 {
        return None;
    }
    let from = (eye - a) / size;
    let (second, third) = (from.dot(across), direction.dot(from.cross(ab)));
    let far = ac.dot(from.cross(ab));
    let shares = Vec3::new(1.0 - second - third, second, third);
    (shares.min_element() >= 0.0 && far > 0.0).then_some((far, shares))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_meets_a_triangle_where_its_corners_say() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let (far, shares) = crossing(Vec3::new(0.25, 0.5, 2.0), Vec3::NEG_Z, corners).unwrap();
        assert!((far - 2.0).abs() < 1e-6 && (shares - Vec3::new(0.25, 0.25, 0.5)).length() < 1e-6, "{far} {shares}");
        assert!(crossing(Vec3::new(0.75, 0.5, 2.0), Vec3::NEG_Z, corners).is_none(), "beside it");
        assert!(crossing(Vec3::new(0.25, 0.5, -2.0), Vec3::NEG_Z, corners).is_none(), "behind the eye");
    }
}
