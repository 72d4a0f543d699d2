//! What is drawn: triangle surfaces, and the scene that holds them.

use crate::{PictureError, color};
use glam::Vec3;

/// A triangle surface to draw. It need not be closed; both sides of a triangle are visible.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    /// For error messages only.
    pub name: String,
    /// One per vertex, any unit, +Y up.
    pub positions: Vec<Vec3>,
    /// One per vertex, any length; a zero vector means the normal of the triangle.
    pub normals: Vec<Vec3>,
    /// Vertex indices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Linear RGB, one per vertex, or a single one for the whole surface.
    pub colors: Vec<[f32; 3]>,
    /// 1 is opaque. Below 1 the surface is a veil that shows what lies beneath and thickens
    /// towards its outline, so that the form still reads.
    pub opacity: f32,
    /// 0 is matte clay, 1 is wet flesh.
    pub gloss: f32,
    /// Nothing on the outer side of this plane is drawn.
    pub cut: Option<Cut>,
}

/// A plane that takes away the side its normal points to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cut {
    /// Any point of the plane.
    pub point: Vec3,
    /// Towards what is taken away; any length.
    pub normal: Vec3,
}

/// Everything in one picture.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    /// Opaque and translucent surfaces, in any order.
    pub surfaces: Vec<Surface>,
    /// Height (y) of an invisible floor that receives soft shadows.
    pub ground: Option<f32>,
}

impl Surface {
    /// An opaque matte surface of clay colour, with smooth normals computed from the triangles.
    #[must_use]
    pub fn new(name: impl Into<String>, positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        let normals = smooth_normals(&positions, &triangles);
        Self {
            name: name.into(),
            positions,
            normals,
            triangles,
            colors: vec![color::SKIN],
            opacity: 1.0,
            gloss: 0.0,
            cut: None,
        }
    }

    /// The same surface in one colour (linear RGB).
    #[must_use]
    pub fn colored(mut self, color: [f32; 3]) -> Self {
        self.colors = vec![color];
        self
    }

    /// The same surface as moist muscle: its colour and its shine.
    #[must_use]
    pub fn flesh(mut self) -> Self {
        self.colors = vec![color::MUSCLE];
        self.gloss = 0.75;
        self
    }

    /// The same surface as a veil over what lies beneath.
    #[must_use]
    pub fn translucent(mut self, opacity: f32) -> Self {
        self.opacity = opacity;
        self
    }

    /// Smallest box around all vertices, as `(min, max)`; `None` without vertices.
    #[must_use]
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        bounds(self.positions.iter().copied())
    }
}

impl Scene {
    /// A scene without floor.
    #[must_use]
    pub fn new(surfaces: Vec<Surface>) -> Self {
        Self { surfaces, ground: None }
    }

    /// Smallest box around all surfaces, as `(min, max)`; `None` when there is nothing.
    #[must_use]
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        bounds(self.surfaces.iter().flat_map(|surface| surface.positions.iter().copied()))
    }
}

fn bounds(mut points: impl Iterator<Item = Vec3>) -> Option<(Vec3, Vec3)> {
    let first = points.next()?;
    Some(points.fold((first, first), |(min, max), p| (min.min(p), max.max(p))))
}

/// Normals per vertex, averaged over the triangles around it, weighted by their area.
///
/// Triangles with indices out of range are passed over; [`render`](crate::render) reports them.
#[must_use]
pub fn smooth_normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for triangle in triangles {
        let corner = triangle.map(|i| i as usize);
        let [Some(&a), Some(&b), Some(&c)] = corner.map(|i| positions.get(i)) else {
            continue;
        };
        let area_normal = (b - a).cross(c - a);
        for i in corner {
            normals[i] += area_normal;
        }
    }
    for normal in &mut normals {
        *normal = normal.normalize_or_zero();
    }
    normals
}

/// The checks at the door: after them no later stage can fail on the scene.
pub(crate) fn check(scene: &Scene) -> Result<(), PictureError> {
    if scene.surfaces.is_empty() {
        return Err(PictureError::EmptyScene);
    }
    if let Some(height) = scene.ground.filter(|height| !height.is_finite()) {
        return Err(setting("the scene", "the ground height", height, "a finite number"));
    }
    scene.surfaces.iter().try_for_each(check_surface)
}

fn check_surface(surface: &Surface) -> Result<(), PictureError> {
    let name = || surface.name.clone();
    let n_vertex = surface.positions.len();
    if surface.triangles.is_empty() {
        return Err(PictureError::NoTriangles { surface: name() });
    }
    if surface.normals.len() != n_vertex {
        return Err(PictureError::Length {
            surface: name(),
            what: "normals",
            found: surface.normals.len(),
            n_vertex,
            expected: "one per vertex",
        });
    }
    if surface.colors.len() != n_vertex && surface.colors.len() != 1 {
        return Err(PictureError::Length {
            surface: name(),
            what: "colours",
            found: surface.colors.len(),
            n_vertex,
            expected: "one per vertex, or a single one",
        });
    }
    for (triangle, corners) in surface.triangles.iter().enumerate() {
        if let Some(&index) = corners.iter().find(|&&i| i as usize >= n_vertex) {
            return Err(PictureError::Index { surface: name(), triangle, index, n_vertex });
        }
    }
    check_finite(surface)?;
    check_settings(surface)
}

fn check_finite(surface: &Surface) -> Result<(), PictureError> {
    let bad_vector = |list: &[Vec3]| list.iter().position(|v| !v.is_finite());
    let bad_color = || surface.colors.iter().position(|c| !Vec3::from(*c).is_finite());
    let found = [
        ("position", bad_vector(&surface.positions)),
        ("normal", bad_vector(&surface.normals)),
        ("colour", bad_color()),
    ];
    for (what, vertex) in found {
        if let Some(vertex) = vertex {
            return Err(PictureError::NotFinite { surface: surface.name.clone(), what, vertex });
        }
    }
    Ok(())
}

fn check_settings(surface: &Surface) -> Result<(), PictureError> {
    let place = format!("surface \"{}\"", surface.name);
    for (what, value) in [("opacity", surface.opacity), ("gloss", surface.gloss)] {
        if !(0.0..=1.0).contains(&value) {
            return Err(setting(&place, what, value, "between 0 and 1"));
        }
    }
    if let Some(cut) = surface.cut {
        let length = cut.normal.length();
        if !(length > 0.0 && length.is_finite() && cut.point.is_finite()) {
            return Err(setting(&place, "the length of the cut normal", length, "finite and above 0"));
        }
    }
    Ok(())
}

/// Short way to write [`PictureError::Setting`].
pub(crate) fn setting(place: &str, what: &'static str, value: f32, range: &'static str) -> PictureError {
    PictureError::Setting { place: place.to_owned(), what, value, range }
}
