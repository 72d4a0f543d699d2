//! Twins: where a body is the same left and right, so are its muscles.
//!
//! Seating looks at single triangles, and a skin that is symmetric to the eye is seldom so to its triangles. Twins that came
//! out nearly as mirror images are made so: each takes the mean of its own line and its twin's mirrored one. A body that
//! differs left and right keeps its muscles apart.

use crate::line::Line;
use fusiform::{Muscle, Skeleton};
use glam::Vec3;

/// Lines farther apart than this share of the height are meant to differ.
const SAME: f32 = 0.02;

/// Make twins mirror images where they nearly are; the body stands upright and its middle plane is x = 0.
pub(crate) fn mirror(skeleton: &Skeleton, height: f32, muscles: &mut [Muscle]) {
    for left in 0..muscles.len() {
        let Some(stem) = muscles[left].name.strip_suffix(".l") else { continue };
        let twin = format!("{stem}.r");
        let Some(right) = muscles.iter().position(|muscle| muscle.name == twin) else { continue };
        let lines = [left, right].map(|m| Line::of(skeleton, &muscles[m]));
        let [Some(mut of_left), Some(mut of_right)] = lines else { continue };
        let pairs = || of_left.points.iter().zip(&of_right.points);
        if of_left.points.len() != of_right.points.len()
            || pairs().any(|(l, r)| l.distance(mirrored(*r)) > SAME * height)
        {
            continue;
        }
        let means: Vec<Vec3> = pairs().map(|(l, r)| l.midpoint(mirrored(*r))).collect();
        of_right.points = means.iter().map(|&mean| mirrored(mean)).collect();
        of_left.points = means;
        of_left.lay(&mut muscles[left]);
        of_right.lay(&mut muscles[right]);
    }
}

/// Left for right.
pub(crate) fn mirrored(p: Vec3) -> Vec3 {
    Vec3::new(-p.x, p.y, p.z)
}
