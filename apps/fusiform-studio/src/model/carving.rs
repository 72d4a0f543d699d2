//! Carving: a stroke over a belly as it goes on, on the belly as it is seen. As strong as [`Painting`](super::Painting).

use super::edit::{Carved, onto_itself};
use super::painting::Done;
use super::{Action, Brush, Carve, Edit, Falloff, Gesture, Studio, facing, is_between_shapes, shape_seen};
use fusiform::body::belly_triangles;
use glam::Vec3;

/// A stroke over a belly.
#[derive(Clone, Debug)]
pub struct Carving {
    gesture: Gesture,
    muscle: usize,
    name: String,
    shape: Option<usize>,
    mode: Carve,
    images: Option<Vec<usize>>, // of the points of a belly that is mirrored onto itself
    done: Done,
    passes: Vec<Vec<(u32, f32)>>,
}

/// A belly as it is seen: points, normals, triangles.
#[must_use]
pub fn belly(studio: &Studio, m: usize) -> (Vec<Vec3>, Vec<Vec3>, Vec<[u32; 3]>) {
    let (body, state) = studio.live.muscled();
    let mut places = vec![Vec3::ZERO; body.belly_size(m)];
    state.belly_points(body, m, &mut places);
    let muscle = &studio.muscles()[m];
    let triangles = belly_triangles(usize::from(muscle.rings), usize::from(muscle.sectors));
    let normals = fusiform_picture::smooth_normals(&places, &triangles);
    (places, normals, triangles)
}

/// Why a belly cannot be sculpted as it is seen, where something keeps it from being so.
#[must_use]
pub fn carving_hindrance(studio: &Studio, m: usize) -> Option<String> {
    let muscle = studio.muscles().get(m)?;
    let between = is_between_shapes(&studio.project.character.skeleton, &studio.live, muscle);
    between.then(|| format!("{} is in the pose of none of its shapes: go to one, or to bind", muscle.name))
}

impl Carving {
    /// Begin, on the shape that the muscle has in the pose that is seen; none where there is no such muscle, or no such shape.
    #[must_use]
    pub fn begin(studio: &Studio, muscle: usize, mode: Carve) -> Option<Self> {
        let of = studio.muscles().get(muscle).filter(|_| carving_hindrance(studio, muscle).is_none())?;
        let n = usize::from(of.rings) * usize::from(of.sectors);
        let shape = shape_seen(&studio.project.character.skeleton, &studio.live, of);
        let images = studio.mirrored.then(|| onto_itself(&studio.project, studio.muscles(), muscle, shape)).flatten();
        let (gesture, name, done) = (Gesture::begin(), of.name.clone(), Done::new(n));
        Some(Self { gesture, muscle, name, shape, mode, images, done, passes: Vec::new() })
    }

    /// Whose belly.
    #[must_use]
    pub fn muscle(&self) -> usize {
        self.muscle
    }

    /// Put the brush down at a place on the belly, m, model space. Does nothing once the muscle is gone or another.
    pub fn dab(&mut self, studio: &Studio, place: Vec3) {
        if studio.muscles().get(self.muscle).is_none_or(|muscle| muscle.name != self.name) || !place.is_finite() {
            return;
        }
        let Brush { radius, strength, falloff, .. } = studio.brush;
        let (places, normals, _) = belly(studio, self.muscle);
        let normal = normal_at(&places, &normals, place);
        let share = |(p, n): (&Vec3, &Vec3)| {
            let (near, faces) = (falloff.at(p.distance(place) / radius), facing(normal, *n));
            strength * near * if falloff == Falloff::Constant { faces.ceil() } else { faces }
        };
        let mut shares: Vec<f32> = places.iter().zip(&normals).map(share).collect();
        if let Some(images) = self.images.as_ref().filter(|images| images.len() == shares.len()) {
            shares = images.iter().zip(&shares).map(|(&image, share)| share.max(shares[image])).collect();
        }
        let touched = (0..).zip(shares).filter(|(_, share)| *share > 0.0);
        match self.mode {
            Carve::Smooth => self.passes.push(touched.collect()),
            _ => touched.for_each(|(point, share)| self.done.reach(point, share)),
        }
    }

    /// What was carved since it was last asked, as a part of one step.
    pub fn take(&mut self) -> Option<Action> {
        let mut passes = std::mem::take(&mut self.passes);
        passes.push(self.done.take(self.mode == Carve::Reset, |_| true));
        passes.retain(|pass| !pass.is_empty());
        let carved = Carved { muscle: self.muscle, shape: self.shape, mode: self.mode, passes };
        (!carved.passes.is_empty()).then_some(Action::Edit(Edit::Sculpt(carved), Some(self.gesture)))
    }
}

/// Out of a belly at the point nearest to a place.
#[must_use]
pub fn normal_at(places: &[Vec3], normals: &[Vec3], place: Vec3) -> Vec3 {
    let away = |p: &Vec3| p.distance_squared(place);
    let nearest = places.iter().zip(normals).min_by(|a, b| away(a.0).total_cmp(&away(b.0)));
    nearest.map_or(Vec3::ZERO, |(_, normal)| *normal)
}
