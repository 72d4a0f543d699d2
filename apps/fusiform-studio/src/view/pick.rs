//! Pick: what is under the mouse.

use super::bellies::bellies;
use crate::model::Studio;
use fusiform::BodyState;
use glam::Vec3;

/// Skin thinner than this share of the height is cloth, and so is what lies as near behind it.
const CLOTH: f32 = 0.005;

/// Corners of a circle that looks round.
const CORNERS: u16 = 48;
/// Steps in which one looks for the surface from the circle to its middle.
const INWARD: u16 = 8;
/// And between two of these, for where it ends.
const HALVINGS: usize = 6;
/// Cells along either side of the square about the circle.
const CELLS: usize = 32;
/// What rounding may move a triangle by, radii of the circle.
const ROUNDING: f32 = 1e-3;

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

/// The skin a ray meets first of what is shown, as it is in that state: eye and direction.
#[must_use]
pub fn skin_at(studio: &Studio, state: &BodyState, ray: (Vec3, Vec3)) -> Option<SkinHit> {
    nearest(studio.shown_triangles(), state.positions(), ray)
}

/// The same among some triangles.
pub(super) fn nearest<'a>(
    triangles: impl Iterator<Item = &'a [u32; 3]>,
    places: &[Vec3],
    (eye, direction): (Vec3, Vec3),
) -> Option<SkinHit> {
    let mut nearest: Option<SkinHit> = None;
    for triangle in triangles {
        let corners = triangle.map(|v| v as usize);
        if let Some((far, shares)) = crossing(eye, direction, corners.map(|v| places[v]))
            && nearest.is_none_or(|hit| far < hit.far)
        {
            nearest = Some(SkinHit { corners, shares, place: eye + far * direction, far });
        }
    }
    nearest
}

/// The muscle a ray meets first, through the skin, and where: eye and direction. Where the skin hides muscles, only those on
/// the side that is looked at.
#[must_use]
pub fn muscle_at(studio: &Studio, (eye, direction): (Vec3, Vec3)) -> Option<(usize, Vec3)> {
    let reach = if studio.show.has_muscles() { f32::MAX } else { near_side(studio, eye, direction) };
    let mut nearest = (reach, None);
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

/// How far from the eye the near half of what a ray goes through first ends, m.
fn near_side(studio: &Studio, eye: Vec3, direction: Vec3) -> f32 {
    let places = studio.live.muscled().1.positions();
    let corners = |triangle: &[u32; 3]| triangle.map(|v| places[v as usize]);
    let goes_out = |[a, b, c]: [Vec3; 3]| (b - a).cross(c - a).dot(direction) > 0.0;
    let ways = studio.shown_triangles().map(corners);
    let ways = ways.filter_map(|of| Some((crossing(eye, direction, of)?.0, goes_out(of))));
    let mut ways: Vec<(f32, bool)> = ways.collect();
    ways.sort_by(|a, b| a.0.total_cmp(&b.0));
    let Some(&(enters, _)) = ways.first() else { return f32::MAX };
    let cloth = CLOTH * studio.project.character.height();
    let is_lining = |at: f32| ways.iter().any(|&(far, out)| !out && far > at && far < at + cloth);
    let leaves = ways.iter().find(|&&(far, out)| out && far > enters + cloth && !is_lining(far));
    leaves.map_or(f32::MAX, |&(leaves, _)| 0.5 * (enters + leaves)) // or there is a hole in it
}

/// A circle that lies on a surface: about a place, so far from it as the surface's plane there has it.
#[must_use]
pub fn circle_on<'a>(
    (places, triangles): (&[Vec3], impl IntoIterator<Item = &'a [u32; 3]>),
    (place, normal): (Vec3, Vec3),
    radius: f32,
) -> Vec<Vec3> {
    let normal = normal.try_normalize().unwrap_or(Vec3::Y);
    let (right, up) = normal.any_orthonormal_pair();
    let cells = Cells::new((places, triangles), place, [right, up, normal].map(|axis| axis / radius));
    circle(place, [right, up, normal], radius, |at, from| {
        cells.at(at).filter_map(|corners| crossing(from, -normal, corners)).map(|(far, _)| far).fold(f32::MAX, f32::min)
    })
}

/// The same for a surface of which `depth` says how far below a place it is: in the plane, radii, and in the model.
fn circle(
    place: Vec3,
    [right, up, normal]: [Vec3; 3],
    radius: f32,
    depth: impl Fn([f32; 2], Vec3) -> f32,
) -> Vec<Vec3> {
    let point = |k: u16| {
        let (sin, cos) = (std::f32::consts::TAU * f32::from(k) / f32::from(CORNERS)).sin_cos();
        let under = |share: f32| {
            let from = place + radius * (share * (cos * right + sin * up) + normal);
            let far = depth([share * cos, share * sin], from);
            Some(far).filter(|far| *far < 2.0 * radius).map(|far| from - far * normal)
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

/// The triangles of a surface that a circle may be on, by the cells of the circle's plane that they lie over.
struct Cells {
    last: Vec<u32>,                   // triangle put into each cell, from 1 on; 0 where there is none
    triangles: Vec<([Vec3; 3], u32)>, // and the one that was put there before it
}

impl Cells {
    /// About a place; across the plane and out of it by axes that are as long as the circle's radius is inverse.
    fn new<'a>(
        (places, triangles): (&[Vec3], impl IntoIterator<Item = &'a [u32; 3]>),
        place: Vec3,
        axes: [Vec3; 3],
    ) -> Self {
        let local = |p: &Vec3| Vec3::from(axes.map(|axis| axis.dot(*p - place)));
        let local: Vec<Vec3> = places.iter().map(local).collect();
        let mut cells = Self { last: vec![0; CELLS * CELLS], triangles: Vec::new() };
        for triangle in triangles {
            let [a, b, c] = triangle.map(|v| local[v as usize]);
            let [low, high] = [a.min(b).min(c) - ROUNDING, a.max(b).max(c) + ROUNDING];
            if low.max_element() <= 1.0 && high.min_element() >= -1.0 {
                let corners = triangle.map(|v| places[v as usize]);
                for y in cell(low.y)..=cell(high.y) {
                    for x in cell(low.x)..=cell(high.x) {
                        let last = &mut cells.last[y * CELLS + x];
                        cells.triangles.push((corners, *last));
                        *last = cells.triangles.len() as u32;
                    }
                }
            }
        }
        cells
    }

    /// All that may lie over a place of the plane, radii.
    fn at(&self, [x, y]: [f32; 2]) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        let of = |place: u32| self.triangles.get((place as usize).wrapping_sub(1));
        let first = of(self.last[cell(y) * CELLS + cell(x)]);
        std::iter::successors(first, move |(_, before)| of(*before)).map(|(corners, _)| *corners)
    }
}

/// Along either side, of a place in radii from the middle.
fn cell(at: f32) -> usize {
    (0.5 * (at + 1.0) * CELLS as f32).clamp(0.0, CELLS as f32 - 1.0) as usize
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
    fn a_circle_is_where_all_triangles_would_have_it() {
        let mesh = &fusiform_athlete::athlete_with(3_700, |_| {}).unwrap().character.meshes[0];
        let (places, triangles) = (&*mesh.positions, &*mesh.triangles);
        for (v, radius) in [(100, 0.05), (1500, 0.2), (3000, 0.54)] {
            let (place, normal) = (places[v], mesh.normals[v].try_normalize().unwrap());
            let (right, up) = normal.any_orthonormal_pair();
            let plain = circle(place, [right, up, normal], radius, |_, from| {
                let corners = triangles.iter().map(|t| t.map(|v| places[v as usize]));
                let far = corners.filter_map(|corners| crossing(from, -normal, corners)).map(|(far, _)| far);
                far.fold(f32::MAX, f32::min)
            });
            assert_eq!(circle_on((places, triangles), (place, mesh.normals[v]), radius), plain, "{v}");
            assert!(plain.iter().any(|p| p.distance(place) > 0.9 * radius), "{v}: some of it is on the skin");
        }
    }

    #[test]
    fn a_ray_meets_a_triangle_where_its_corners_say() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let (far, shares) = crossing(Vec3::new(0.25, 0.5, 2.0), Vec3::NEG_Z, corners).unwrap();
        assert!((far - 2.0).abs() < 1e-6 && (shares - Vec3::new(0.25, 0.25, 0.5)).length() < 1e-6, "{far} {shares}");
        assert!(crossing(Vec3::new(0.75, 0.5, 2.0), Vec3::NEG_Z, corners).is_none(), "beside it");
        assert!(crossing(Vec3::new(0.25, 0.5, -2.0), Vec3::NEG_Z, corners).is_none(), "behind the eye");
    }
}
