//! What acts on the flesh from outside while a clip plays: blows on body parts, ground and walls.

use fusiform::body::{Contact, Impulse};
use glam::{Affine3A, Vec3};

/// Blows and contacts; only tissue feels them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surroundings {
    /// At their times.
    pub blows: Vec<Blow>,
    /// All the time.
    pub contacts: Vec<Contact>,
}

/// A blow on the skin of a body part, at a moment of the clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blow {
    /// Seconds.
    pub time: f32,
    /// The joint that carries the part.
    pub joint: usize,
    /// Its middle, in the joint's space, metres.
    pub at: Vec3,
    /// Skin farther from it takes no part, metres.
    pub radius: f32,
    /// N s, model space.
    pub momentum: Vec3,
}

impl Surroundings {
    /// The blows of a frame of `dt` seconds that ends at `time`, where the joints are then.
    pub fn impulses(
        &self,
        (time, dt): (f32, f32),
        model_from_joint: &[Affine3A],
        world_from_model: &Affine3A,
        impulses: &mut Vec<Impulse>,
    ) {
        impulses.clear();
        impulses.extend(self.blows.iter().filter(|blow| blow.time <= time && blow.time > time - dt).map(|blow| {
            let place = world_from_model.transform_point3(model_from_joint[blow.joint].transform_point3(blow.at));
            let momentum = world_from_model.transform_vector3(blow.momentum);
            Impulse { place, radius: blow.radius, momentum }
        }));
    }
}
