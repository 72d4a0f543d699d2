//! Placing: a template's muscles in one body.

mod bones;

pub use bones::{Under, place_bones};

use crate::bones::{Axis, Ray};
use crate::line::{corner_shares, thickness};
use crate::template::{Bone, Defaults, MuscleTemplate, Over, Spot, Template};
use crate::{Role, Roles, Side};
use fusiform::musculature::{Attachment, Contraction, Dynamics, Integrator, Path, Profile, Spacing};
use fusiform::{Muscle, Skeleton};
use glam::Vec3;
use std::collections::BTreeMap;

/// Muscle tissue, kg/m3.
const DENSITY: f32 = 1060.0;

/// A belly takes up at most this share of the way from the bone to its own outer face, so that it leaves room for the bone
/// and for the muscle on the other side, however thin the limb.
const MAX_FILL: f32 = 0.62;

/// A muscle whose outer face is to lie this near the skin has nothing but fat over it.
const SUPERFICIAL: f32 = 0.9;

/// Rays around a bone that say how far its skin is on the whole.
const AROUND: u8 = 12;

/// Skin farther than this many times the usual way around the bone belongs to another part of the body: from the upper arm
/// inward a ray may run on through the chest. The trunk is wide and flat, limbs are round.
const FARTHEST_TRUNK: f32 = 2.2;
const FARTHEST_LIMB: f32 = 1.6;

/// The thickest part stays this share of the muscle's length away from both ends: the curve's middle control point
/// then lies between the ends and the rings stay in order.
const MIN_SHARE: f32 = 0.27;

/// Steps in which the corners of a polyline are brought below its outer face.
const CORNER_STEPS: usize = 4;

/// A body's muscles, and what could not be done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placed {
    /// In the template's order, left before right.
    pub muscles: Vec<Muscle>,
    /// The region each muscle belongs to; one per muscle.
    pub groups: Vec<String>,
    /// Whether each muscle lies right under the skin and its fat; one per muscle.
    pub superficial: Vec<bool>,
    /// Whether each muscle's line may be drawn out to the skin: not where a template was measured on a body, and so says
    /// where it lies.
    pub drawn: Vec<bool>,
    /// Muscles whose bones this skeleton lacks.
    pub left_out: Vec<LeftOut>,
    /// Where the body had to be guessed.
    pub warnings: Vec<String>,
}

impl Placed {
    /// Keep the muscles for which that is true; one entry for each.
    pub(crate) fn keep(&mut self, kept: &[bool]) {
        let next = |i: &mut usize| std::mem::replace(i, *i + 1);
        let (mut a, mut b, mut c, mut d) = (0, 0, 0, 0);
        self.muscles.retain(|_| kept[next(&mut a)]);
        self.groups.retain(|_| kept[next(&mut b)]);
        self.superficial.retain(|_| kept[next(&mut c)]);
        self.drawn.retain(|_| kept[next(&mut d)]);
    }
}

/// A muscle that was left out, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its name, side included.
    pub muscle: String,
    /// The role that no joint plays.
    pub missing: Role,
}

/// Why no muscle can be placed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// A role points past the end of the skeleton.
    #[error(
        "role {role} is given to joint {joint}, but the skeleton has only {joints} joints; find the roles of this skeleton again"
    )]
    NoSuchJoint {
        /// The role.
        role: Role,
        /// The joint it was given to.
        joint: usize,
        /// How many there are.
        joints: usize,
    },
    /// The two ends of a muscle fall on one point.
    #[error(
        "muscle {muscle:?} has no length: origin and insertion both lie at {at}; move one of them along its bone, or see whether a bone of this skeleton has no length"
    )]
    NoLength {
        /// Its name, side included.
        muscle: String,
        /// Model space, metres.
        at: Vec3,
    },
    /// The skin query or a bind matrix gave something that is not a number.
    #[error(
        "muscle {muscle:?} cannot be placed: a bind matrix of its joints is singular or not finite; mend the skin's inverse bind matrices"
    )]
    NotFinite {
        /// Its name, side included.
        muscle: String,
    },
}

/// Put every muscle of the template whose bones the skeleton has into this body.
///
/// `skin(point on a bone's axis, unit direction)` is the distance to the skin, metres, model space, bind pose; where it
/// finds none the usual proportions of an athlete stand in, and a warning says so. `|_, _| None` places an athlete's
/// muscles on a bare skeleton.
///
/// # Errors
/// When roles and skeleton do not belong together, a muscle would have no length, or a bind matrix is singular.
pub fn place(
    template: &Template,
    skeleton: &Skeleton,
    roles: &Roles,
    skin: &dyn Fn(Vec3, Vec3) -> Option<f32>,
) -> Result<Placed, FitError> {
    let joints = skeleton.joints.len();
    if let Some((role, _, joint)) = roles.iter().find(|&(_, _, joint)| joint >= joints) {
        return Err(FitError::NoSuchJoint { role, joint, joints });
    }
    let mut placed = Placed::default();
    let mut guessed = Vec::new();
    for description in &template.muscles {
        let sides = if description.mirrored { &Side::BOTH[..] } else { &Side::BOTH[..1] };
        for &side in sides {
            let suffix = if description.mirrored { side.suffix() } else { "" };
            let name = format!("{}{suffix}", description.name);
            let mut fitter = Fitter::new(skeleton, roles, side, skin);
            match fitter.anchors(description) {
                Err(missing) => placed.left_out.push(LeftOut { muscle: name, missing }),
                Ok(anchors) => {
                    let values = description.filled(&template.defaults);
                    let shape = anchors.shape(&name, description, &values)?;
                    placed.muscles.push(anchors.muscle(name.clone(), &shape, &values, skeleton)?);
                    placed.groups.push(description.group.clone());
                    placed.superficial.push(description.is_superficial());
                    placed.drawn.push(description.superficial.is_none() && description.is_superficial());
                    guessed.extend(fitter.missed.then_some(name));
                }
            }
        }
    }
    placed.warnings.extend(no_skin(&guessed, placed.muscles.len()));
    Ok(placed)
}

/// One line about all muscles that were placed by proportions alone.
fn no_skin(guessed: &[String], total: usize) -> Option<String> {
    let names = if guessed.len() == total { String::new() } else { format!(" ({})", guessed.join(", ")) };
    let n = guessed.len();
    (n > 0).then(|| format!("no skin found near {n} of {total} muscles{names}: placed by an athlete's proportions"))
}

/// One side of one body while muscles are placed in it, or their places measured.
pub(crate) struct Fitter<'a> {
    skeleton: &'a Skeleton,
    roles: &'a Roles,
    side: Side,
    skin: &'a dyn Fn(Vec3, Vec3) -> Option<f32>,
    axes: BTreeMap<Bone, Axis>,
    /// Metres beyond which skin is another part's, by bone and the bits of t.
    farthest: BTreeMap<(Bone, u32), f32>,
    /// Whether a distance had to be guessed.
    missed: bool,
}

/// A ray out of the body, and how far the skin is along it.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    pub(crate) ray: Ray,
    /// Metres.
    pub(crate) distance: f32,
}

impl MuscleTemplate {
    /// Whether nothing but fat lies over it.
    pub(crate) fn is_superficial(&self) -> bool {
        self.superficial.unwrap_or_else(|| self.over.as_ref().is_some_and(|over| over.depth >= SUPERFICIAL))
    }
}

impl Reach {
    fn point(&self, depth: f32) -> Vec3 {
        self.ray.from + self.ray.direction * (depth * self.distance)
    }
}

impl<'a> Fitter<'a> {
    pub(crate) fn new(
        skeleton: &'a Skeleton,
        roles: &'a Roles,
        side: Side,
        skin: &'a dyn Fn(Vec3, Vec3) -> Option<f32>,
    ) -> Self {
        let (axes, farthest) = (BTreeMap::new(), BTreeMap::new());
        Self { skeleton, roles, side, skin, axes, farthest, missed: false }
    }

    /// The bone in this body, or the role whose joint it lacks.
    pub(crate) fn axis(&mut self, bone: Bone) -> Result<&Axis, Role> {
        if !self.axes.contains_key(&bone) {
            self.axes.insert(bone, Axis::new(bone, self.side, self.skeleton, self.roles)?);
        }
        Ok(&self.axes[&bone])
    }

    /// Where bone coordinates begin in this body, which way they go, and how far the skin is.
    pub(crate) fn reach(&mut self, bone: Bone, t: f32, angle: f32) -> Result<Reach, Role> {
        self.axis(bone)?;
        let mut ray = self.axes[&bone].ray(t, angle);
        if bone == Bone::Torso {
            ray.from += self.to_middle(self.axes[&bone].ray(t, 0.0));
        }
        let found = self.distance(ray.from, ray.direction);
        self.missed |= found.is_none();
        let farthest = self.farthest(bone, t, ray.from);
        let distance = found.unwrap_or(ray.usual).min(farthest).min(self.to_middle_plane(bone, &ray));
        Ok(Reach { ray, distance })
    }

    /// Metres beyond which skin met from this place of the bone is another part's.
    fn farthest(&mut self, bone: Bone, t: f32, from: Vec3) -> f32 {
        if let Some(&known) = self.farthest.get(&(bone, t.to_bits())) {
            return known;
        }
        let axis = &self.axes[&bone];
        let ways = (0..AROUND).map(|i| axis.ray(t, f32::from(i) * (360.0 / f32::from(AROUND))).direction);
        let mut found: Vec<f32> = ways.filter_map(|way| self.distance(from, way)).collect();
        found.sort_by(f32::total_cmp);
        let times = if bone == Bone::Torso { FARTHEST_TRUNK } else { FARTHEST_LIMB };
        let farthest = found.get(found.len() / 2).map_or(f32::INFINITY, |median| times * median);
        self.farthest.insert((bone, t.to_bits()), farthest);
        farthest
    }

    /// Some rigs run the spine through the middle of the trunk, others along the back: angles count from the middle.
    fn to_middle(&self, front: Ray) -> Vec3 {
        let [ahead, behind] = [front.direction, -front.direction].map(|way| self.distance(front.from, way));
        ahead.zip(behind).map_or(Vec3::ZERO, |(ahead, behind)| front.direction * ((ahead - behind) * 0.5))
    }

    /// Distance to the skin, when there is any that way.
    fn distance(&self, from: Vec3, direction: Vec3) -> Option<f32> {
        (self.skin)(from, direction).filter(|distance| distance.is_finite() && *distance > 0.0)
    }

    /// Where thighs touch, a ray may pass into the other leg: a limb's skin never lies beyond the middle plane.
    fn to_middle_plane(&self, bone: Bone, ray: &Ray) -> f32 {
        let sided = matches!(bone, Bone::Of(role) if role.is_sided());
        let [from, toward] = [ray.from.x, ray.direction.x].map(|x| x * self.side.sign());
        if sided && from > 0.0 && toward < 0.0 { -from / toward } else { f32::INFINITY }
    }

    fn spot(&mut self, spot: &Spot) -> Result<(Vec3, Reach), Role> {
        let mut reach = self.reach(spot.bone, spot.t, spot.angle)?;
        if let Some(joint) = spot.carried_by.and_then(|role| self.roles.get(role, self.side)) {
            reach.ray.joint = joint;
        }
        Ok((reach.point(spot.depth), reach))
    }

    fn anchors(&mut self, description: &MuscleTemplate) -> Result<Anchors, Role> {
        let (origin, from) = self.spot(&description.origin)?;
        let (insertion, to) = self.spot(&description.insertion)?;
        let over = match &description.over {
            Some(Over { bone, t, angle, depth }) => Some((self.reach(*bone, *t, *angle)?, *depth)),
            None => None,
        };
        // One direction must do for all sections: a sheet that wraps around its bone faces the mean of where it begins,
        // where it is thickest (twice) and where it ends.
        let ends = [(&description.origin, from), (&description.insertion, to)];
        let wrapped =
            ends.iter().filter(|(spot, _)| description.over.as_ref().is_none_or(|over| over.bone == spot.bone));
        let out = wrapped.map(|(_, end)| end.ray.direction).sum::<Vec3>();
        let out = over.map_or(out, |(reach, _): (Reach, f32)| out + 2.0 * reach.ray.direction);
        let carrier = over.map_or(from.ray.joint, |(reach, _)| reach.ray.joint);
        let via =
            description.via.iter().map(|spot| Ok((self.spot(spot)?.1, spot.depth))).collect::<Result<_, Role>>()?;
        Ok(Anchors { origin, insertion, via, joints: [from.ray.joint, to.ray.joint], carrier, out, over })
    }
}

/// How a muscle lies between its ends.
struct Shape {
    /// Unit, at right angles to the chord, out of the body.
    up: Vec3,
    /// Middle control point from the chord's midpoint, in the chord's frame.
    offset: Vec3,
    /// Half the width of the thickest section, metres.
    size: f32,
}

/// Where a muscle lies, model space.
struct Anchors {
    origin: Vec3,
    insertion: Vec3,
    /// What it runs over, with the depth of the belly's outer face there.
    via: Vec<(Reach, f32)>,
    joints: [usize; 2],
    /// The joint that moves the place where it is thickest.
    carrier: usize,
    /// Out of the body; any length.
    out: Vec3,
    over: Option<(Reach, f32)>,
}

impl Anchors {
    fn shape(&self, name: &str, description: &MuscleTemplate, values: &Defaults) -> Result<Shape, FitError> {
        let chord = self.insertion - self.origin;
        let length = chord.length();
        if length < 1e-6 {
            return Err(FitError::NoLength { muscle: name.to_owned(), at: self.origin });
        }
        let along = chord / length;
        let up = self.out.reject_from_normalized(along).normalize_or(along.any_orthonormal_vector());
        let size = description.size * length;
        let Some((reach, depth)) = self.over else {
            let offset = Vec3::Y * (description.bow.unwrap_or(0.0) * length);
            return Ok(Shape { up, offset, size });
        };
        let size = size.min(MAX_FILL * depth * reach.distance / values.aspect);
        let middle = reach.point(depth) - reach.ray.direction * (size * values.aspect);
        let from_start = middle - self.origin;
        let share = (from_start.dot(along) / length).clamp(MIN_SHARE, 1.0 - MIN_SHARE);
        let to_middle = Vec3::new((share - 0.5) * length, from_start.dot(up), from_start.dot(along.cross(up)));
        // A quadratic Bezier passes midway between its middle control point and the chord's midpoint.
        Ok(Shape { up, offset: 2.0 * to_middle, size })
    }

    /// Origin, what it runs over, insertion: the belly's outer face lies over its line by as much as it is thick there.
    fn corners(&self, profile: &Profile) -> Vec<Vec3> {
        let along = |via: &dyn Fn(usize) -> Vec3| -> Vec<Vec3> {
            std::iter::once(self.origin).chain((0..self.via.len()).map(via)).chain([self.insertion]).collect()
        };
        let mut corners = along(&|k| self.via[k].0.point(self.via[k].1));
        // how thick it is there depends on where the corners lie, and that little on how thick it is
        for _ in 0..CORNER_STEPS {
            let shares = corner_shares(&corners);
            corners = along(&|k| {
                let (reach, depth) = &self.via[k];
                reach.point(*depth) - reach.ray.direction * thickness(profile, shares[k + 1])
            });
        }
        corners
    }

    fn muscle(&self, name: String, shape: &Shape, values: &Defaults, skeleton: &Skeleton) -> Result<Muscle, FitError> {
        let [origin_joint, insertion_joint] = self.joints.map(|joint| &skeleton.joints[joint]);
        let attach = |joint: &fusiform::Joint, point| Attachment {
            joint: joint.name.clone(),
            point: joint.bind.inverse().transform_point3(point),
        };
        let profile = Profile::Sine { size: shape.size, taper: values.taper, aspect: values.aspect };
        let corners = self.corners(&profile);
        let length: f32 = corners.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let via = self.via.iter().zip(&corners[1..]);
        let via: Vec<Attachment> =
            via.map(|((reach, _), &corner)| attach(&skeleton.joints[reach.ray.joint], corner)).collect();
        let path = if via.is_empty() {
            // Rings by parameter: the thickest one is then the one at the middle of the curve, which `over` places.
            Path::Bezier { offset: shape.offset, spacing: Spacing::Parameter, held: values.held }
        } else {
            Path::Polyline { via, tendons: [0.0; 2] }
        };
        let muscle = Muscle {
            origin: attach(origin_joint, self.origin),
            insertion: attach(insertion_joint, self.insertion),
            up: Some(origin_joint.bind.inverse().transform_vector3(shape.up).normalize_or_zero()),
            path,
            profile,
            contraction: Contraction::Bulge {
                bulge: values.bulge,
                stretch_ratio: values.stretch_ratio,
                isometric: values.isometric,
            },
            dynamics: spring(values, shape.size, length),
            rings: values.rings,
            sectors: values.sectors,
            carrier: Some(skeleton.joints[self.carrier].name.clone()),
            name,
            ..Muscle::default()
        };
        let finite = corners.iter().chain([&muscle.origin.point, &muscle.insertion.point, &shape.offset]);
        let finite = finite.into_iter().all(|p| p.is_finite());
        let turned = muscle.up.is_some_and(|up| up.length_squared() > 0.5);
        if finite && turned { Ok(muscle) } else { Err(FitError::NotFinite { muscle: muscle.name }) }
    }
}

/// The spring that swings at the asked frequency, with the mass of the belly.
///
/// ```text
/// V = pi S^2 aspect l Integral_0^1 sin(pi s)^2T ds      m = 1060 kg/m3 V      k = m (2 pi f)^2
/// ```
pub(crate) fn spring(values: &Defaults, size: f32, length: f32) -> Dynamics {
    const STEPS: u8 = 64;
    let square = |i: u8| {
        let s = (f32::from(i) + 0.5) / f32::from(STEPS);
        (std::f32::consts::PI * s).sin().powf(2.0 * values.taper)
    };
    let mean = (0..STEPS).map(square).sum::<f32>() / f32::from(STEPS);
    let volume = std::f32::consts::PI * size * size * values.aspect * length * mean;
    let mass = DENSITY * volume;
    let omega = std::f32::consts::TAU * values.frequency;
    Dynamics::Spring {
        mass,
        stiffness: mass * omega * omega,
        damping: values.damping,
        integrator: Integrator::default(),
        reach: values.reach,
    }
}

#[cfg(test)]
mod tests;
