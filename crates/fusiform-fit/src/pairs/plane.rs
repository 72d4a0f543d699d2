//! Partition planes as numbers: how far each is turned about its bone.
//!
//! 0 has the flexor on the upper side of a bone that lies, in front of one that stands, whatever clips and skin say; so an
//! angle means the same tomorrow. Twins have opposite angles.

use crate::segments::Segment;
use glam::{Quat, Vec3};

/// A bone stands where its direction is as much up as this.
const STANDS: f32 = 0.7;

impl Segment {
    /// The way from a plane along this bone to its flexor, turned by so many degrees about the bone: unit.
    #[must_use]
    pub fn turned(&self, degrees: f32) -> Vec3 {
        Quat::from_axis_angle(self.axis(), degrees.to_radians()) * self.front()
    }

    /// By how many degrees a plane is turned whose flexor lies that way: above -180, up to 180.
    #[must_use]
    pub fn turn_of(&self, normal: Vec3) -> f32 {
        let (axis, front) = (self.axis(), self.front());
        axis.dot(front.cross(normal)).atan2(front.dot(normal)).to_degrees()
    }

    fn axis(&self) -> Vec3 {
        self.along().try_normalize().unwrap_or(Vec3::Y)
    }

    fn front(&self) -> Vec3 {
        let axis = self.axis();
        let up = if axis.y.abs() < STANDS { Vec3::Y } else { Vec3::Z };
        up.reject_from_normalized(axis).normalize_or(axis.any_orthonormal_vector())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mirror::mirrored;

    fn bone(to: Vec3) -> Segment {
        Segment { joint: 0, child: None, from: Vec3::ZERO, to }
    }

    #[test]
    fn an_angle_comes_back_from_its_plane_and_is_opposite_on_the_other_side() {
        for to in [Vec3::new(0.3, 0.1, 0.05), Vec3::new(0.02, -0.4, 0.1), Vec3::new(0.0, 0.0, 0.2)] {
            let (own, other) = (bone(to), bone(mirrored(to)));
            for degrees in [-170.0, -90.0, -1.0, 0.0, 35.5, 120.0, 180.0] {
                let normal = own.turned(degrees);
                assert!(normal.dot(own.along()).abs() < 1e-6 && (normal.length() - 1.0).abs() < 1e-6);
                let back = (own.turn_of(normal) - degrees).rem_euclid(360.0);
                assert!(back.min(360.0 - back) < 1e-3, "{degrees} came back {back} off");
                assert!(other.turned(-degrees).distance(mirrored(normal)) < 1e-6, "{to} {degrees}");
            }
        }
    }
}
