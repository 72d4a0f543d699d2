//! The line of a muscle in the bind pose: fitting moves its points, then lays the muscle along it.

use fusiform::musculature::{Attachment, Path, Profile};
use fusiform::{Muscle, Skeleton};
use glam::{Affine3A, Mat3, Vec3};

/// A muscle's line in model space.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The three control points of a curve, or the corners of a polyline; from origin to insertion.
    pub(crate) points: Vec<Vec3>,
    /// Out of the body; unit length.
    pub(crate) up: Vec3,
    /// Where the joints are that carry origin, via points and insertion.
    binds: Vec<Affine3A>,
    curved: bool,
}

impl Line {
    /// The muscle's line; nothing where one of its joints is not there.
    pub(crate) fn of(skeleton: &Skeleton, muscle: &Muscle) -> Option<Self> {
        let via: &[Attachment] = if let Path::Polyline { via, .. } = &muscle.path { via } else { &[] };
        let held = || std::iter::once(&muscle.origin).chain(via).chain([&muscle.insertion]);
        let bind = |at: &Attachment| skeleton.find(&at.joint).map(|joint| skeleton.joints[joint].bind);
        let binds: Vec<Affine3A> = held().map(bind).collect::<Option<_>>()?;
        let mut points: Vec<Vec3> = held().zip(&binds).map(|(at, bind)| bind.transform_point3(at.point)).collect();
        let up = muscle.up.map_or(Vec3::Y, |up| binds[0].transform_vector3(up).normalize_or(Vec3::Y));
        let curved = if let Path::Bezier { offset, .. } = muscle.path {
            let ends = [points[0], points[1]];
            points.insert(1, ends[0].midpoint(ends[1]) + chord_frame(ends, up) * offset);
            true
        } else {
            false
        };
        Some(Self { points, up, binds, curved })
    }

    /// Whether it is a curve, whose middle point lies off it.
    pub(crate) fn is_curve(&self) -> bool {
        self.curved
    }

    /// Origin and insertion.
    pub(crate) fn ends(&self) -> [Vec3; 2] {
        [self.points[0], self.points[self.points.len() - 1]]
    }

    /// Its point at the share `u`: of a curve's parameter, of a polyline's length.
    pub(crate) fn point(&self, u: f32) -> Vec3 {
        self.points.iter().zip(self.shares(u)).map(|(&point, share)| point * share).sum()
    }

    /// How much each of its points has in the place at `u`.
    pub(crate) fn shares(&self, u: f32) -> Vec<f32> {
        if self.curved {
            return vec![(1.0 - u) * (1.0 - u), 2.0 * u * (1.0 - u), u * u];
        }
        let corners = corner_shares(&self.points);
        let piece = corners[1..corners.len() - 1].partition_point(|&end| end <= u);
        let within = (u - corners[piece]) / (corners[piece + 1] - corners[piece]).max(f32::MIN_POSITIVE);
        let mut shares = vec![0.0; self.points.len()];
        shares[piece + 1] = within.clamp(0.0, 1.0);
        shares[piece] = 1.0 - shares[piece + 1];
        shares
    }

    /// Lay the muscle along it.
    pub(crate) fn lay(&self, muscle: &mut Muscle) {
        let [origin, insertion] = self.ends();
        let inside = |k: usize, point: Vec3| self.binds[k].inverse().transform_point3(point);
        muscle.origin.point = inside(0, origin);
        muscle.insertion.point = inside(self.binds.len() - 1, insertion);
        match &mut muscle.path {
            Path::Bezier { offset, .. } => {
                let frame = chord_frame([origin, insertion], self.up);
                *offset = frame.transpose() * (self.points[1] - origin.midpoint(insertion));
            }
            Path::Polyline { via, .. } => {
                for (k, at) in (1..).zip(via) {
                    at.point = inside(k, self.points[k]);
                }
            }
            _ => {}
        }
    }
}

/// At which share of a polyline's length each of its corners lies.
pub(crate) fn corner_shares(points: &[Vec3]) -> Vec<f32> {
    let mut gone = 0.0;
    let steps = points.windows(2).map(|pair| {
        gone += pair[0].distance(pair[1]);
        gone
    });
    let along: Vec<f32> = std::iter::once(0.0).chain(steps).collect();
    along.iter().map(|at| at / gone.max(f32::MIN_POSITIVE)).collect()
}

/// Half the belly's thickness at that share of its length, metres.
pub(crate) fn thickness(profile: &Profile, u: f32) -> f32 {
    match *profile {
        Profile::Sine { size, taper, aspect } => size * aspect * (std::f32::consts::PI * u).sin().max(0.0).powf(taper),
        Profile::Ellipsoid { height, .. } => height * (4.0 * u * (1.0 - u)).max(0.0).sqrt(),
        _ => 0.0,
    }
}

/// Columns: along the chord, toward the up-vector, across both.
pub(crate) fn chord_frame([from, to]: [Vec3; 2], up: Vec3) -> Mat3 {
    let x = (to - from).normalize_or(Vec3::X);
    let y = up.reject_from_normalized(x).normalize_or(x.any_orthonormal_vector());
    Mat3::from_cols(x, y, x.cross(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_count_by_the_length_before_them() {
        let points = vec![Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y * 3.0];
        assert_eq!(corner_shares(&points), [0.0, 0.25, 1.0]);
        let line = Line { points, up: Vec3::Z, binds: Vec::new(), curved: false };
        assert!(line.point(0.5).distance(Vec3::new(1.0, 1.0, 0.0)) < 1e-6);
        assert_eq!(line.shares(1.0), [0.0, 0.0, 1.0]);
    }
}
