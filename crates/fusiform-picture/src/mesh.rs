//! The scene made ready for tracing: cut, scaled to unit size, one list per kind of surface.

use crate::{
    Camera, Scene, Surface,
    bvh::{Bvh, Hit},
};
use glam::Vec3;

/// A corner of a triangle with all that is interpolated over it.
#[derive(Debug, Clone, Copy)]
struct Vertex {
    position: Vec3,
    normal: Vec3,
    color: Vec3,
}

#[derive(Debug, Clone, Copy)]
struct Triangle {
    corner: [Vertex; 3],
    surface: u32,
}

/// Opacity and shine of one surface.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Material {
    pub opacity: f32,
    pub gloss: f32,
}

/// All triangles of one kind, and the tree over them.
#[derive(Debug, Default)]
pub(crate) struct Mesh {
    triangles: Vec<Triangle>,
    materials: Vec<Material>,
    pub bvh: Bvh,
}

/// A point on a surface, ready to be lit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    /// Where rays towards the light start: on the smooth surface, not on the flat triangle.
    pub lifted: Vec3,
    /// Towards the viewer's side.
    pub normal: Vec3,
    pub color: Vec3,
    pub material: Material,
    pub distance: f32,
    /// The inner side of the surface is seen.
    pub inside: bool,
}

/// The scene in coordinates `(p − center) / scale`, so that every tolerance is a plain number.
#[derive(Debug)]
pub(crate) struct Stage {
    pub opaque: Mesh,
    pub veils: Mesh,
    pub ground: Option<f32>,
    pub center: Vec3,
    pub scale: f32,
}

impl Stage {
    /// Expects a scene that passed [`crate::surface::check`].
    ///
    /// The unit is the scene together with the framed box: it stays the same over an animation whose
    /// camera frames all of it, and so do the light and every pixel of what does not move.
    pub fn new(scene: &Scene, camera: &Camera) -> Self {
        let (min, max) = scene.bounds().unwrap_or((camera.min, camera.max));
        let (min, max) = (min.min(camera.min), max.max(camera.max));
        let center = (min + max) * 0.5;
        let scale = ((max - min).length() * 0.5).max(f32::MIN_POSITIVE);
        let mut stage = Self {
            opaque: Mesh::default(),
            veils: Mesh::default(),
            ground: scene.ground.map(|height| (height - center.y) / scale),
            center,
            scale,
        };
        for surface in &scene.surfaces {
            let mesh = if surface.opacity < 1.0 { &mut stage.veils } else { &mut stage.opaque };
            mesh.push(surface, |p| (p - center) / scale);
        }
        stage.opaque.grow();
        stage.veils.grow();
        stage
    }
}

impl Mesh {
    fn push(&mut self, surface: &Surface, place: impl Fn(Vec3) -> Vec3) {
        let index = self.materials.len() as u32;
        self.materials.push(Material { opacity: surface.opacity, gloss: surface.gloss });
        let cut = surface.cut.map(|cut| (place(cut.point), cut.normal.normalize()));
        for triangle in &surface.triangles {
            let corner = triangle.map(|i| {
                let i = i as usize;
                Vertex {
                    position: place(surface.positions[i]),
                    normal: surface.normals[i].normalize_or_zero(),
                    color: Vec3::from(surface.colors[if surface.colors.len() == 1 { 0 } else { i }]),
                }
            });
            match cut {
                None => self.triangles.push(Triangle { corner, surface: index }),
                Some((point, normal)) => {
                    let side = corner.map(|v| (v.position - point).dot(normal));
                    self.push_kept(&corner, side, index);
                }
            }
        }
    }

    /// Sutherland, Hodgman: keeps the part of a triangle whose signed distance is not positive.
    fn push_kept(&mut self, corner: &[Vertex; 3], side: [f32; 3], surface: u32) {
        let mut kept: Vec<Vertex> = Vec::with_capacity(4);
        for i in 0..3 {
            let j = (i + 1) % 3;
            if side[i] <= 0.0 {
                kept.push(corner[i]);
            }
            if (side[i] <= 0.0) != (side[j] <= 0.0) {
                let t = side[i] / (side[i] - side[j]);
                let (a, b) = (&corner[i], &corner[j]);
                kept.push(Vertex {
                    position: a.position.lerp(b.position, t),
                    normal: a.normal.lerp(b.normal, t),
                    color: a.color.lerp(b.color, t),
                });
            }
        }
        for i in 2..kept.len() {
            let corner = [kept[0], kept[i - 1], kept[i]];
            self.triangles.push(Triangle { corner, surface });
        }
    }

    fn grow(&mut self) {
        let corners: Vec<_> = self.triangles.iter().map(|t| t.corner.map(|v| v.position)).collect();
        self.bvh = Bvh::new(&corners);
    }

    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Everything about the point a ray met.
    pub fn point(&self, hit: &Hit, direction: Vec3) -> Point {
        let triangle = &self.triangles[hit.triangle as usize];
        let [a, b, c] = &triangle.corner;
        let [u, v] = hit.uv;
        let w = [1.0 - u - v, u, v];
        let position = a.position * w[0] + b.position * w[1] + c.position * w[2];
        let face = (b.position - a.position).cross(c.position - a.position).normalize_or_zero();
        let inside = face.dot(direction) > 0.0;
        let smooth = (a.normal * w[0] + b.normal * w[1] + c.normal * w[2]).normalize_or(face);
        // normals that disagree with the winding are turned to the side of the face
        let smooth = if smooth.dot(face) < 0.0 { -smooth } else { smooth };
        let turn = if inside { -1.0 } else { 1.0 };
        Point {
            lifted: lift(&triangle.corner, w, position, turn),
            normal: towards_viewer(smooth * turn, direction),
            color: a.color * w[0] + b.color * w[1] + c.color * w[2],
            material: self.materials[triangle.surface as usize],
            distance: hit.distance,
            inside,
        }
    }
}

/// Start of light rays on the surface the smooth normals suggest, which keeps the terminator clean.
///
/// Hanika: *Hacking the Shadow Terminator*, Ray Tracing Gems II, chapter 4.
fn lift(corner: &[Vertex; 3], weight: [f32; 3], position: Vec3, turn: f32) -> Vec3 {
    let mut lifted = position;
    for (vertex, w) in corner.iter().zip(weight) {
        let normal = vertex.normal * turn;
        let below = (position - vertex.position).dot(normal).min(0.0);
        lifted -= normal * (below * w);
    }
    lifted
}

/// A smooth normal that faces away at the outline is bent back just enough to be seen edge-on.
fn towards_viewer(normal: Vec3, direction: Vec3) -> Vec3 {
    let facing = -normal.dot(direction);
    if facing >= 0.0 { normal } else { (normal + direction * (facing * 1.01)).normalize_or(normal) }
}
