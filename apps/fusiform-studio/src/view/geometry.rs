//! Geometry: what is drawn, from the session as it is.
//!
//! What changes with every frame is taken from the session where it lies; what does not, colours and who is joined to whom,
//! is made when it changes and kept.

use super::bellies::Bellies;
use super::bones::Bones;
use super::grid::Grid;
use super::scene::{Corners, Look, Scene, Slot, Stamp, Stamped, Surface};
use super::under_skin::UnderSkin;
use crate::model::{Show, Studio};
use fusiform_picture::color::{self, distinct, heat};
use std::collections::BTreeSet;

/// Of what is chosen, linear.
pub(super) const CHOSEN: [f32; 3] = [0.95, 0.55, 0.08];

/// What is drawn beside the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extras {
    /// Lines on the ground, as far apart as suits the body.
    pub grid: bool,
    /// Joints and what joins them, and the bones that skin slides over, before everything else.
    pub bones: bool,
    /// One of those bones, in the colour of what is chosen, whether the others are shown or not.
    pub marked_bone: Option<usize>,
    /// Edges of the skin, or of muscles where they are shown without it.
    pub wireframe: bool,
    /// Plain skinning instead of muscles.
    pub plain: bool,
}

impl Default for Extras {
    fn default() -> Self {
        Self { grid: true, bones: false, marked_bone: None, wireframe: false, plain: false }
    }
}

/// What is kept between pictures of one session. Pictures that take turns, as both sides of a split do, each need one of
/// their own, or it would be made anew every time.
///
/// ```no_run
/// # fn picture(studio: &fusiform_studio::model::Studio, device: &wgpu::Device, queue: &wgpu::Queue) {
/// use fusiform_studio::view::{Camera, Extras, Geometry, Gpu};
/// let (mut geometry, mut gpu) = (Geometry::default(), Gpu::new(device));
/// let camera = Camera::framing(glam::Vec3::splat(-1.0), glam::Vec3::splat(1.0));
/// let scene = geometry.fill(studio, Extras::default());
/// gpu.draw((device, queue), (&camera, [0.2; 3]), &scene, [640, 480]);
/// let reading = gpu.read(device, queue); // comes back when the GPU has got so far
/// # }
/// ```
#[derive(Debug, Default)]
pub struct Geometry {
    grid: Grid,
    muscles: Bellies,
    skin: Skin,
    bones: Bones,
    under_skin: UnderSkin,
}

impl Geometry {
    /// The session as it is.
    pub fn fill<'a>(&'a mut self, studio: &'a Studio, extras: Extras) -> Scene<'a> {
        let mut scene = Scene::at(studio.live.moment());
        if extras.grid {
            scene.put(Slot::Grid, self.grid.surface(studio.project.bounds));
        }
        let skinned = studio.show.has_skin() || extras.plain;
        if studio.show.has_muscles() && !extras.plain {
            let [lofted, placed] = self.muscles.surfaces(studio, extras.wireframe && !skinned);
            scene.put(Slot::Muscles, lofted);
            scene.put(Slot::OtherMuscles, placed);
        }
        if skinned {
            scene.put(Slot::Skin, self.skin.surface(studio, extras));
        }
        if extras.bones {
            scene.put(Slot::Bones, self.bones.surface(studio));
        }
        if extras.bones || extras.marked_bone.is_some() {
            scene.put(Slot::UnderSkin, self.under_skin.surface(studio, extras));
        }
        scene
    }
}

/// What is kept of the skin.
#[derive(Debug, Default)]
struct Skin {
    topology: Option<Topology>,
    triangles: Option<(Vec<[u32; 3]>, Stamp)>,
    edges: Option<(Vec<u32>, Stamp)>,
    painted: Option<(Painted, Stamp)>,
    colors: Vec<[f32; 4]>,
}

/// Tells which triangles there are.
#[derive(Clone, Debug, PartialEq)]
struct Topology {
    address: usize, // where the body has them
    n: usize,
    hidden_meshes: BTreeSet<usize>,
}

/// What the skin's colours show.
#[derive(Clone, Debug, PartialEq)]
enum Painted {
    Plain { n: usize },
    Clear { n: usize },
    Weights { revision: u64, joint: Option<usize>, chosen: BTreeSet<usize> },
    Regions { n: usize, cuts: u64 },
}

impl Skin {
    fn surface<'a>(&'a mut self, studio: &'a Studio, extras: Extras) -> Surface<'a> {
        let (body, state) = studio.live.muscled();
        let state = if extras.plain { studio.live.plain() } else { state };
        let (address, n) = (body.triangles().as_ptr().addr(), body.triangles().len());
        let topology = Some(Topology { address, n, hidden_meshes: studio.hidden_meshes.clone() });
        if self.topology != topology {
            (self.topology, self.triangles, self.edges) = (topology, None, None);
        }
        let colors = self.paint(studio, extras);
        let shown = || (studio.shown_triangles().copied().collect(), Stamp::new());
        let (triangles, stamp) = self.triangles.get_or_insert_with(shown);
        if extras.wireframe && self.edges.is_none() {
            self.edges = Some((edges(triangles), Stamp::new()));
        }
        let is_clear = studio.show == Show::Both && !extras.plain;
        Surface {
            look: if is_clear { Look::Clear } else { Look::Solid },
            corners: Corners::Placed { places: state.positions(), normals: state.normals(), stays: None },
            colors: Stamped { of: &self.colors, stamp: colors },
            indices: Stamped { of: bytemuck::cast_slice(triangles), stamp: *stamp },
            edges: self.edges.as_ref().filter(|_| extras.wireframe).map(|(of, stamp)| Stamped { of, stamp: *stamp }),
        }
    }

    /// Colours, as they are or anew.
    fn paint(&mut self, studio: &Studio, extras: Extras) -> Stamp {
        let (n, revision) = (studio.live.muscled().0.n_vertex(), studio.history.revision());
        let wanted = match studio.show {
            Show::Weights => Painted::Weights { revision, joint: studio.joint, chosen: studio.chosen.clone() },
            Show::Regions => Painted::Regions { n, cuts: studio.fit.cuts() },
            Show::Both if !extras.plain => Painted::Clear { n },
            _ => Painted::Plain { n },
        };
        if let Some((painted, stamp)) = &self.painted
            && *painted == wanted
        {
            return *stamp;
        }
        let [r, g, b] = color::SKIN;
        let colors: Vec<[f32; 4]> = match &wanted {
            Painted::Plain { n } => vec![[r, g, b, 1.0]; *n],
            Painted::Clear { n } => vec![[r, g, b, 0.35]; *n],
            Painted::Weights { .. } => weights(studio).into_iter().map(|w| opaque(heat(w))).collect(),
            Painted::Regions { n, .. } => {
                let regions = studio.fit.regions().unwrap_or_default();
                let region = |v: usize| regions.get(v).copied().flatten();
                (0..*n).map(|v| opaque(region(v).map_or(color::SKIN, distinct))).collect()
            }
        };
        // most edits leave weights alone
        let before = self.painted.as_ref().map(|painted| painted.1).filter(|_| self.colors == colors);
        let stamp = before.unwrap_or_else(Stamp::new);
        (self.colors, self.painted) = (colors, Some((wanted, stamp)));
        stamp
    }
}

/// Linear colour one does not see through.
pub(super) fn opaque([r, g, b]: [f32; 3]) -> [f32; 4] {
    [r, g, b, 1.0]
}

/// Every edge once, two corners each.
pub(super) fn edges(triangles: &[[u32; 3]]) -> Vec<u32> {
    let all = triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
    let mut edges: Vec<[u32; 2]> = all.map(|(from, to)| [from.min(to), from.max(to)]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges.into_flattened()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edge_is_drawn_once_those_at_the_rim_too() {
        assert_eq!(edges(&[[0, 1, 2], [2, 1, 3]]), [0, 1, 0, 2, 1, 2, 1, 3, 2, 3]);
    }
}
