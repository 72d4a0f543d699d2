//! Opposite: the skin on the other side of the body, where a mirror would show it. Body has its opposite on body alone, clothes
//! on clothes: a sword beside the right hand is no mirror image of the left one.

use super::Plane;
use fusiform::Character;
use fusiform_fit::{Nearest, Surface, Wear};
use glam::Vec3;
use std::cell::OnceCell;

/// Farther from its mirror image than this share of the height skin has no opposite.
const NEAR: f32 = 0.02;

/// The skin of a character by what its meshes are to the muscles.
pub struct Opposite<'a> {
    character: &'a Character,
    plane: &'a Plane,
    wear: &'a [Wear],
    near: f32,
    alike: [OnceCell<Option<Alike>>; 3], // by what they are; found when they are first asked for
}

/// Meshes that are the same to the muscles, as one surface.
struct Alike {
    surface: Surface,
    /// Of each its place among all meshes.
    meshes: Vec<usize>,
}

impl<'a> Opposite<'a> {
    /// Of a character whose meshes are that, on both sides of its middle plane.
    pub fn new(character: &'a Character, plane: &'a Plane, wear: &'a [Wear]) -> Self {
        Self { character, plane, wear, near: NEAR * character.height(), alike: Default::default() }
    }

    /// The skin that lies where a mirror would show a place of that mesh, if there is some.
    pub fn of(&self, mesh: usize, place: Vec3) -> Option<Nearest> {
        let (wear, image) = (*self.wear.get(mesh)?, self.plane.image(place));
        let Alike { surface, meshes } = self.alike[wear as usize].get_or_init(|| self.all_that_are(wear)).as_ref()?;
        let found = surface.nearest(image);
        (found.point.distance(image) <= self.near).then(|| Nearest { mesh: meshes[found.mesh], ..found })
    }

    fn all_that_are(&self, wear: Wear) -> Option<Alike> {
        let meshes: Vec<usize> = (0..self.wear.len()).filter(|&mesh| self.wear[mesh] == wear).collect();
        let surface = Surface::new(meshes.iter().map(|&mesh| &self.character.meshes[mesh]))?;
        Some(Alike { surface, meshes })
    }
}
