//! Grip: what of a muscle can be taken hold of, where it is now, and what moving it means.
//!
//! What is dragged is a place on a posed body, what is kept a number in the space of a joint: the joint's matrix of this very
//! frame leads from one to the other, so that grips work in any pose.

use super::Live;
use fusiform::musculature::{Attachment, Path, Spacing};
use fusiform::{Muscle, Skeleton};
use fusiform_fit::HELD;
use glam::{Affine3A, Mat3, Quat, Vec3};

/// The middle point of a curve stays between its ends, or rings would change their order: share of the chord.
const MOST_ALONG: f32 = 0.4;
/// Length of the arrow that shows the up-vector, as a share of the muscle's length.
const ARROW: f32 = 0.3;
/// Below this the up-vector runs along the chord, and another axis of the joint stands in for it.
const ALONG: f32 = 0.3;

/// Which curve of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Curve {
    /// Where its bellies begin.
    Origin,
    /// Where they pass half-way.
    Middle,
    /// Where they end.
    Insertion,
}

/// A part of a muscle that can be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grip {
    /// Where it begins.
    Origin,
    /// Where it ends.
    Insertion,
    /// A hinge of a polyline.
    Via(usize),
    /// A point of a sheet's curve.
    Sheet(Curve, usize),
    /// The bend of a curve.
    Bend,
    /// The up-vector.
    Up,
}

impl Grip {
    /// All that this muscle has.
    #[must_use]
    pub fn all(muscle: &Muscle) -> Vec<Self> {
        let mut grips = vec![Self::Origin];
        let on = |curve: Curve, points: &[Attachment]| (0..points.len()).map(move |k| Self::Sheet(curve, k));
        match &muscle.path {
            Path::Bezier { .. } => grips.push(Self::Bend),
            Path::Polyline { via, .. } => grips.extend((0..via.len()).map(Self::Via)),
            Path::Sheet { origin, middle, insertion, .. } => {
                grips.extend(on(Curve::Origin, origin));
                grips.extend(on(Curve::Middle, middle));
                grips.extend(on(Curve::Insertion, insertion));
            }
            _ => {}
        }
        grips.extend([Self::Insertion, Self::Up]);
        grips
    }

    /// What people call it.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Origin => "origin".into(),
            Self::Insertion => "insertion".into(),
            Self::Via(k) => format!("via point {}", k + 1),
            Self::Sheet(Curve::Origin, k) => format!("origin curve {}", k + 1),
            Self::Sheet(Curve::Middle, k) => format!("middle curve {}", k + 1),
            Self::Sheet(Curve::Insertion, k) => format!("insertion curve {}", k + 1),
            Self::Bend => "bend".into(),
            Self::Up => "up".into(),
        }
    }

    /// The point a joint carries, where it is one.
    #[must_use]
    pub fn attachment(self, muscle: &Muscle) -> Option<&Attachment> {
        match (self, &muscle.path) {
            (Self::Origin, _) => Some(&muscle.origin),
            (Self::Insertion, _) => Some(&muscle.insertion),
            (Self::Via(k), Path::Polyline { via, .. }) => via.get(k),
            (Self::Sheet(Curve::Origin, k), Path::Sheet { origin, .. }) => origin.get(k),
            (Self::Sheet(Curve::Middle, k), Path::Sheet { middle, .. }) => middle.get(k),
            (Self::Sheet(Curve::Insertion, k), Path::Sheet { insertion, .. }) => insertion.get(k),
            _ => None,
        }
    }

    pub(super) fn attachment_mut(self, muscle: &mut Muscle) -> Option<&mut Attachment> {
        match (self, &mut muscle.path) {
            (Self::Origin, _) => Some(&mut muscle.origin),
            (Self::Insertion, _) => Some(&mut muscle.insertion),
            (Self::Via(k), Path::Polyline { via, .. }) => via.get_mut(k),
            (Self::Sheet(Curve::Origin, k), Path::Sheet { origin, .. }) => origin.get_mut(k),
            (Self::Sheet(Curve::Middle, k), Path::Sheet { middle, .. }) => middle.get_mut(k),
            (Self::Sheet(Curve::Insertion, k), Path::Sheet { insertion, .. }) => insertion.get_mut(k),
            _ => None,
        }
    }

    /// What the document keeps of it: a point in its joint's space, which has units of its own; the bend from the chord's middle,
    /// m, in the chord's frame; the up-vector in the origin joint's space.
    #[must_use]
    pub fn value(self, muscle: &Muscle) -> Option<Vec3> {
        match (self, &muscle.path) {
            (Self::Bend, Path::Bezier { offset, .. }) => Some(*offset),
            (Self::Up, _) => Some(muscle.up.unwrap_or(Vec3::Y)),
            _ => self.attachment(muscle).map(|at| at.point),
        }
    }

    /// Where it is seen now, m, model space.
    #[must_use]
    pub fn place(self, skeleton: &Skeleton, live: &Live, m: usize, muscle: &Muscle) -> Option<Vec3> {
        match self {
            Self::Bend => middle(live, m).filter(|_| matches!(muscle.path, Path::Bezier { .. })),
            Self::Up => Some(middle(live, m)? + arrow(live, m) * frame_now(skeleton, live, muscle)?.y_axis),
            _ => {
                let at = self.attachment(muscle)?;
                Some(live.model_from_joint()[skeleton.find(&at.joint)?].transform_point3(at.point))
            }
        }
    }

    /// The value that brings it to where it is wanted, of a muscle as it was when it was seen at `from`; m, model space, now.
    #[must_use]
    pub fn moved(
        self,
        skeleton: &Skeleton,
        live: &Live,
        (m, muscle): (usize, &Muscle),
        [from, to]: [Vec3; 2],
    ) -> Option<Vec3> {
        let value = match self {
            Self::Bend => {
                // half-way along the curve goes half as far as its control point
                let offset = self.value(muscle)? + 2.0 * (frame_now(skeleton, live, muscle)?.transpose() * (to - from));
                between_ends(offset, *live.muscled().0.rest_lengths().get(m)?)
            }
            Self::Up => {
                let origin = skeleton.find(&muscle.origin.joint)?;
                let bind = frame_at_bind(skeleton, muscle)?;
                let since = frame_now(skeleton, live, muscle)? * bind.transpose();
                let up = (to - middle(live, m)?).try_normalize()?;
                turn_of(&skeleton.joints[origin].bind).transpose() * (since.transpose() * up)
            }
            _ => {
                let joint = skeleton.find(&self.attachment(muscle)?.joint)?;
                live.model_from_joint()[joint].inverse().transform_point3(to)
            }
        };
        value.is_finite().then_some(value)
    }
}

/// Half-way along the belly as it is now, m, model space.
#[must_use]
pub fn middle(live: &Live, m: usize) -> Option<Vec3> {
    let line = belly_line(live, m);
    line.get(line.len() / 2).copied()
}

/// The middle of every cross-section of a belly as it is now, m, model space.
#[must_use]
pub fn belly_line(live: &Live, m: usize) -> Vec<Vec3> {
    let (body, state) = live.muscled();
    if m >= body.n_muscle() {
        return Vec::new();
    }
    let mut feet = vec![Vec3::ZERO; body.belly_size(m)];
    state.belly_feet(body, m, &mut feet);
    let sectors = (feet.len() / state.rings(body, m).len().max(1)).max(1);
    feet.chunks(sectors).map(|ring| ring.iter().sum::<Vec3>() / ring.len() as f32).collect()
}

/// Length of the arrow of the up-vector, m.
#[must_use]
pub fn arrow(live: &Live, m: usize) -> f32 {
    live.muscled().0.rest_lengths().get(m).map_or(0.0, |length| ARROW * length)
}

/// How a joint is turned, without its scale, as the solver sees it.
pub(super) fn turn_of(matrix: &Affine3A) -> Mat3 {
    let m = Mat3::from(matrix.matrix3);
    let x = m.x_axis.normalize_or(Vec3::X);
    let y = m.y_axis.reject_from_normalized(x).normalize_or(x.any_orthonormal_vector());
    Mat3::from_cols(x, y, x.cross(y))
}

/// Where an attachment is at bind, m, model space; none where there is no such joint.
pub(super) fn at_bind(skeleton: &Skeleton, at: &Attachment) -> Option<Vec3> {
    Some(skeleton.joints[skeleton.find(&at.joint)?].bind.transform_point3(at.point))
}

/// Origin and insertion at bind, m, model space.
pub(super) fn ends_at_bind(skeleton: &Skeleton, muscle: &Muscle) -> Option<[Vec3; 2]> {
    Some([at_bind(skeleton, &muscle.origin)?, at_bind(skeleton, &muscle.insertion)?])
}

/// The up-vector at bind as the solver takes it, unit, model space: where the wished one runs along the chord, the joint's axis
/// that does so least.
pub(super) fn up_at_bind(skeleton: &Skeleton, muscle: &Muscle) -> Option<Vec3> {
    let [from, to] = ends_at_bind(skeleton, muscle)?;
    let axes = turn_of(&skeleton.joints[skeleton.find(&muscle.origin.joint)?].bind);
    let x = (to - from).normalize_or(axes.x_axis);
    let across = |axis: Vec3| x.cross(axis).length();
    let wished = muscle.up.map_or(axes.y_axis, |up| axes * up).normalize_or(axes.y_axis);
    if across(wished) >= ALONG {
        return Some(wished);
    }
    let others = [axes.x_axis, axes.z_axis].into_iter();
    Some(others.fold(axes.y_axis, |best, axis| if across(axis) > across(best) { axis } else { best }))
}

/// The chord's frame at bind, in which a curve's bend is counted: along the chord, toward the up-vector, across both.
pub(super) fn frame_at_bind(skeleton: &Skeleton, muscle: &Muscle) -> Option<Mat3> {
    let [from, to] = ends_at_bind(skeleton, muscle)?;
    let axes = turn_of(&skeleton.joints[skeleton.find(&muscle.origin.joint)?].bind);
    let x = (to - from).normalize_or(axes.x_axis);
    let y = up_at_bind(skeleton, muscle)?.reject_from_normalized(x).normalize_or(x.any_orthonormal_vector());
    Some(Mat3::from_cols(x, y, x.cross(y)))
}

/// Where a curve has its middle at bind, m, model space, and a line over one hinge has that: each becomes the other there.
pub(super) fn hinge_at_bind(skeleton: &Skeleton, muscle: &Muscle) -> Option<Vec3> {
    match &muscle.path {
        Path::Bezier { offset, .. } => {
            let [from, to] = ends_at_bind(skeleton, muscle)?;
            Some(from.midpoint(to) + 0.5 * (frame_at_bind(skeleton, muscle)? * *offset))
        }
        Path::Polyline { via, .. } if via.len() == 1 => at_bind(skeleton, &via[0]),
        _ => None,
    }
}

/// A curve whose middle is at that place, m, model space at bind; as a new one the skin's joints hold it.
pub(super) fn curve_through(skeleton: &Skeleton, muscle: &Muscle, middle: Vec3) -> Option<Path> {
    let [from, to] = ends_at_bind(skeleton, muscle)?;
    // half-way along the curve is half as far off the chord as its control point
    let offset = 2.0 * (frame_at_bind(skeleton, muscle)?.transpose() * (middle - from.midpoint(to)));
    Some(Path::Bezier { offset: between_ends(offset, from.distance(to)), spacing: Spacing::default(), held: HELD })
}

/// A bend with its middle point where it may be over a chord of that length, m.
fn between_ends(offset: Vec3, chord: f32) -> Vec3 {
    let most = MOST_ALONG * chord;
    offset.with_x(offset.x.clamp(-most, most))
}

/// The chord's frame as the pose has it: carried by the origin joint, and turned onto the chord.
#[must_use]
pub fn frame_now(skeleton: &Skeleton, live: &Live, muscle: &Muscle) -> Option<Mat3> {
    let find = |end: &Attachment| skeleton.find(&end.joint);
    let (origin, insertion) = (find(&muscle.origin)?, find(&muscle.insertion)?);
    let pose = live.model_from_joint();
    let carried = turn_of(&(pose[origin] * skeleton.joints[origin].bind.inverse())) * frame_at_bind(skeleton, muscle)?;
    let chord =
        pose[insertion].transform_point3(muscle.insertion.point) - pose[origin].transform_point3(muscle.origin.point);
    let turn = Quat::from_rotation_arc(carried.x_axis.normalize(), chord.normalize_or(carried.x_axis).normalize());
    Some(Mat3::from_quat(turn) * carried)
}
