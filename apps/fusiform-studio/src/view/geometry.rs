//! Geometry: what is drawn, from the session as it is; made anew every frame.

use crate::model::{Show, Studio};
use bytemuck::{Pod, Zeroable};
use fusiform::body::belly_triangles;
use fusiform_picture::color::{self, distinct, heat, tension};
use glam::Vec3;

/// A corner as the shader sees it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Vertex {
    /// m, model space.
    pub place: [f32; 3],
    /// Length 1; 0 for lines, which have no light.
    pub normal: [f32; 3],
    /// Linear, opacity last.
    pub color: [f32; 4],
}

/// Corners and what they make.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Corners.
    pub vertices: Vec<Vertex>,
    /// Three for a triangle, two for a line.
    pub indices: Vec<u32>,
}

/// Everything of a picture, in the order in which it is drawn.
#[derive(Clone, Debug, Default)]
pub struct Geometry {
    /// Triangles one does not see through.
    pub solid: Batch,
    /// Lines.
    pub lines: Batch,
    /// Triangles one sees through.
    pub clear: Batch,
}

/// How much of a belly's length looks like tendon, at either end.
const TENDON: f32 = 0.12;
const CHOSEN: [f32; 3] = [0.95, 0.55, 0.08];
const GRID: [f32; 4] = [0.35, 0.35, 0.38, 0.5];
const BONE: [f32; 4] = [0.9, 0.88, 0.75, 1.0];
/// Metres from the middle of the grid to its edge.
const GRID_SIZE: i32 = 4;

/// What is drawn beside the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extras {
    /// Lines on the ground, 50 cm apart.
    pub grid: bool,
    /// Joints and what joins them.
    pub bones: bool,
    /// Edges of the skin.
    pub wireframe: bool,
    /// Plain skinning instead of muscles.
    pub plain: bool,
}

impl Default for Extras {
    fn default() -> Self {
        Self { grid: true, bones: false, wireframe: false, plain: false }
    }
}

impl Batch {
    fn clear(&mut self) {
        self.vertices.clear();
        self.indices.clear();
    }

    fn line(&mut self, from: Vec3, to: Vec3, color: [f32; 4]) {
        let first = self.vertices.len() as u32;
        let end = |place: Vec3| Vertex { place: place.into(), normal: [0.0; 3], color };
        self.vertices.extend([end(from), end(to)]);
        self.indices.extend([first, first + 1]);
    }

    fn surface(
        &mut self,
        (places, normals): (&[Vec3], &[Vec3]),
        triangles: &[[u32; 3]],
        color: impl Fn(usize) -> [f32; 4],
    ) {
        let first = self.vertices.len() as u32;
        let corners = places.iter().zip(normals).enumerate();
        self.vertices.extend(corners.map(|(v, (place, normal))| Vertex {
            place: place.to_array(),
            normal: normal.to_array(),
            color: color(v),
        }));
        self.indices.extend(triangles.iter().flatten().map(|corner| corner + first));
    }
}

fn opaque([r, g, b]: [f32; 3]) -> [f32; 4] {
    [r, g, b, 1.0]
}

impl Geometry {
    /// Of the session as it is.
    pub fn fill(&mut self, studio: &Studio, extras: Extras) {
        self.solid.clear();
        self.lines.clear();
        self.clear.clear();
        if extras.grid {
            self.grid();
        }
        if matches!(studio.show, Show::Muscles | Show::Both | Show::Tension) && !extras.plain {
            self.muscles(studio);
        }
        if !matches!(studio.show, Show::Muscles | Show::Tension) || extras.plain {
            self.skin(studio, extras);
        }
        if extras.bones {
            self.bones(studio);
        }
    }

    fn grid(&mut self) {
        let edge = GRID_SIZE as f32;
        for k in -2 * GRID_SIZE..=2 * GRID_SIZE {
            let at = 0.5 * k as f32;
            self.lines.line(Vec3::new(at, 0.0, -edge), Vec3::new(at, 0.0, edge), GRID);
            self.lines.line(Vec3::new(-edge, 0.0, at), Vec3::new(edge, 0.0, at), GRID);
        }
    }

    fn skin(&mut self, studio: &Studio, extras: Extras) {
        let (body, state) = studio.live.muscled();
        let state = if extras.plain { studio.live.plain() } else { state };
        let surface = (state.positions(), state.normals());
        match studio.show {
            Show::Both if !extras.plain => {
                let [r, g, b] = color::SKIN;
                self.clear.surface(surface, body.triangles(), |_| [r, g, b, 0.35]);
            }
            Show::Weights => {
                let weights = weights(studio);
                self.solid.surface(surface, body.triangles(), |v| opaque(heat(weights[v])));
            }
            Show::Regions => {
                let joints = heaviest(studio);
                self.solid.surface(surface, body.triangles(), |v| opaque(distinct(joints[v])));
            }
            _ => self.solid.surface(surface, body.triangles(), |_| opaque(color::SKIN)),
        }
        if extras.wireframe {
            for &[a, b, c] in body.triangles() {
                for (from, to) in [(a, b), (b, c), (c, a)].into_iter().filter(|(from, to)| from < to) {
                    let lifted = |v: u32| state.positions()[v as usize] + 4e-4 * state.normals()[v as usize];
                    self.lines.line(lifted(from), lifted(to), [0.02, 0.02, 0.02, 0.6]);
                }
            }
        }
    }

    fn muscles(&mut self, studio: &Studio) {
        for (m, places, triangles) in bellies(studio) {
            let normals = fusiform_picture::smooth_normals(&places, &triangles);
            let (show, is_chosen) = (studio.show, studio.chosen.contains(&m));
            let (n, tense) = (places.len(), studio.live.muscled().1.activations()[m]);
            self.solid.surface((&places, &normals), &triangles, |v| match (show, is_chosen) {
                (Show::Tension, _) => opaque(tension(tense)),
                (_, true) => opaque(CHOSEN),
                _ => opaque(belly_color(v as f32 / n as f32)),
            });
        }
    }

    fn bones(&mut self, studio: &Studio) {
        let joints = &studio.project.character.skeleton.joints;
        let at = |joint: usize| Vec3::from(studio.live.model_from_joint()[joint].translation);
        for (joint, of) in joints.iter().enumerate() {
            if let Some(parent) = of.parent {
                self.lines.line(at(parent), at(joint), BONE);
            }
        }
    }
}

/// From tendon to flesh to tendon.
fn belly_color(along: f32) -> [f32; 3] {
    let t = (1.0 - along.min(1.0 - along) / TENDON).clamp(0.0, 1.0);
    Vec3::from(color::MUSCLE).lerp(Vec3::from(color::TENDON), 0.75 * t * t * (3.0 - 2.0 * t)).into()
}

/// Every muscle that is shown: points and triangles.
pub(super) fn bellies(studio: &Studio) -> impl Iterator<Item = (usize, Vec<Vec3>, Vec<[u32; 3]>)> {
    let (body, state) = studio.live.muscled();
    (0..body.n_muscle()).filter(|m| !studio.hidden.contains(m)).map(move |m| {
        let muscle = &studio.muscles()[m];
        let mut places = vec![Vec3::ZERO; body.belly_size(m)];
        state.belly_points(body, m, &mut places);
        let triangles = belly_triangles(usize::from(muscle.rings), usize::from(muscle.sectors));
        (m, places, triangles)
    })
}

/// n_vertex: how much the chosen joint weighs on the skin, or the chosen muscles, all of them when none is chosen.
fn weights(studio: &Studio) -> Vec<f32> {
    let document = studio.document();
    let counts = |i: u16| match studio.joint {
        Some(joint) => usize::from(i) == joint,
        None => studio.chosen.is_empty() || studio.chosen.contains(&usize::from(i)),
    };
    let tables = if studio.joint.is_some() { &*document.joints } else { &document.musculature.weights };
    let mut all = Vec::new();
    for (mesh, of) in studio.project.character.meshes.iter().enumerate() {
        let weight =
            |v| tables.get(mesh).map_or(0.0, |table| table.of(v).filter(|(i, _)| counts(*i)).map(|(_, w)| w).sum());
        all.extend((0..of.positions.len()).map(weight));
    }
    all
}

/// n_vertex: the joint that carries each vertex most.
fn heaviest(studio: &Studio) -> Vec<usize> {
    let meshes = studio.project.character.meshes.iter();
    let of = meshes
        .flat_map(|mesh| (0..mesh.positions.len()).map(|v| mesh.weights.of(v).max_by(|a, b| a.1.total_cmp(&b.1))));
    of.map(|heaviest| heaviest.map_or(0, |(joint, _)| usize::from(joint))).collect()
}
