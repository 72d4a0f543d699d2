//! Plane: the middle of a body, where its left and right meet, wherever it stands and whichever way it faces.

use super::sides::{other_names, without_side};
use fusiform::{Character, Skeleton};
use glam::Vec3;

/// Bodies whose left is within this of an axis (cosine of its angle, about a degree) were made to stand along it; a skeleton
/// may be a little askew.
const ALONG: f32 = 0.9998;
/// And those whose middle is within this share of their height of 0 were made to stand there.
const MEANT: f32 = 0.005;

/// The middle plane of a body at bind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Toward its left, of unit length.
    normal: Vec3,
    /// How far along the normal it lies, m.
    at: f32,
}

impl Plane {
    /// Between joints that are left and right by name; x = 0, with the left at positive x, where none are.
    #[must_use]
    pub fn of(character: &Character) -> Self {
        let pairs = pairs(&character.skeleton);
        let apart: Vec3 = pairs.iter().map(|[left, right]| *left - *right).sum();
        let Some(found) = apart.try_normalize() else { return Self { normal: Vec3::X, at: 0.0 } };
        let axes = [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z];
        let normal = axes.into_iter().find(|axis| axis.dot(found) > ALONG).unwrap_or(found);
        let middle = pairs.iter().map(|[left, right]| 0.5 * (*left + *right).dot(normal)).sum::<f32>();
        let at = middle / pairs.len() as f32;
        Self { normal, at: if at.abs() <= MEANT * character.height() { 0.0 } else { at } }
    }

    /// The mirror image of a place, m, model space at bind.
    #[must_use]
    pub fn image(&self, place: Vec3) -> Vec3 {
        place - 2.0 * self.left(place) * self.normal
    }

    /// The mirror image of a direction.
    #[must_use]
    pub fn way(&self, way: Vec3) -> Vec3 {
        way - 2.0 * way.dot(self.normal) * self.normal
    }

    /// How far a place lies on the left of it, m; negative on the right.
    #[must_use]
    pub fn left(&self, place: Vec3) -> f32 {
        place.dot(self.normal) - self.at
    }
}

/// Where joints are that are left and right by name, left first; those that are the same place tell nothing.
fn pairs(skeleton: &Skeleton) -> Vec<[Vec3; 2]> {
    let at = |joint: usize| Vec3::from(skeleton.joints[joint].bind.translation);
    let pair = |left: usize| {
        let name = &skeleton.joints[left].name;
        without_side(name).filter(|(_, is_left)| *is_left)?;
        let right = other_names(name).iter().find_map(|other| skeleton.find(other))?;
        Some([at(left), at(right)]).filter(|[left, right]| left.is_finite() && right.is_finite() && left != right)
    };
    (0..skeleton.joints.len()).filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform_athlete::athlete_with;
    use glam::{Affine3A, Quat};

    fn moved(by: Affine3A) -> Character {
        let mut character = athlete_with(3_700, |_| {}).unwrap().character;
        character.skeleton.joints.iter_mut().for_each(|joint| joint.bind = by * joint.bind);
        character.meshes.iter_mut().flat_map(|mesh| &mut mesh.positions).for_each(|p| *p = by.transform_point3(*p));
        character
    }

    #[test]
    fn a_body_that_stands_at_the_origin_has_its_middle_at_zero() {
        let plane = Plane::of(&moved(Affine3A::IDENTITY));
        assert_eq!(plane, Plane { normal: Vec3::X, at: 0.0 });
        assert_eq!(plane.image(Vec3::new(0.3, 1.0, 0.2)), Vec3::new(-0.3, 1.0, 0.2));
    }

    #[test]
    fn the_middle_goes_where_the_body_goes() {
        for by in [
            Affine3A::from_translation(Vec3::new(1.0, 0.0, 0.3)),
            Affine3A::from_rotation_y(1.0),
            Affine3A::from_rotation_y(std::f32::consts::FRAC_PI_2),
            Affine3A::from_rotation_translation(Quat::from_rotation_y(-2.0), Vec3::new(-2.0, 0.5, 3.0)),
        ] {
            let plane = Plane::of(&moved(by));
            for place in [Vec3::new(0.4, 1.2, 0.1), Vec3::new(-0.1, 0.3, -0.2), Vec3::new(0.0, 1.0, 0.1)] {
                let image = plane.image(by.transform_point3(place));
                let wanted = by.transform_point3(place.with_x(-place.x));
                assert!(image.distance(wanted) < 1e-4, "{by:?}: {image} for {wanted}");
                assert!((plane.left(by.transform_point3(place)) - place.x).abs() < 1e-4);
            }
            let way = plane.way(by.transform_vector3(Vec3::new(1.0, 2.0, 3.0)));
            assert!(way.distance(by.transform_vector3(Vec3::new(-1.0, 2.0, 3.0))) < 1e-4);
        }
    }
}
