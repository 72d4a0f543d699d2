//! Drivers by role: what tenses muscles as the body moves, on any body, and back from a body to roles.
//!
//! ```text
//! role, motion ─> axis in the joint's own space, and the angle the bind pose has already ─> driver of the document
//! ```

use crate::pattern::fits;
use crate::ranges::Hinges;
use crate::{Motion, Role, Roles, Side};
use fusiform::musculature::{Driver, Signal};
use fusiform::{Muscle, Skeleton};
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Most points of a curve.
const MOST_POINTS: usize = 64;

/// Axes whose cosine is larger are one motion.
const SAME_AXIS: f32 = 0.999;

/// What tenses muscles, by role.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DriverTemplate {
    /// Names of the muscles it tenses, as the template writes them; `*` stands for any text.
    pub muscles: Vec<String>,
    /// The joint whose angle it listens to, on the muscle's own side; without it, how much shorter each muscle is than at
    /// rest, as a share of its length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// Which way the joint turns: degrees then count from the anatomical position, as in ranges. Without it the whole angle
    /// since bind, whichever way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
    /// Points (degrees or share, activation) of its curve, 2 ..= 64, the first ascending, the second 0 ..= 1. What it says of
    /// the bind pose is taken off it, so that a body is relaxed as it was modelled.
    pub remap: Vec<[f32; 2]>,
}

impl DriverTemplate {
    /// What is wrong with it, if anything is.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let numbers = || self.remap.iter().flatten();
        if self.muscles.is_empty() {
            return Some("names no muscle; write muscles = [\"*\"] for all of them".into());
        }
        if self.motion.is_some() && self.role.is_none() {
            return Some("has a motion, but no role whose joint makes it; name the role".into());
        }
        if !(2..=MOST_POINTS).contains(&self.remap.len()) {
            return Some(format!("has a remap of {} points; give it 2 to {MOST_POINTS}", self.remap.len()));
        }
        if let Some(x) = numbers().find(|x| !x.is_finite()) {
            return Some(format!("has {x} in its remap; write a number"));
        }
        if let Some(pair) = self.remap.windows(2).find(|pair| pair[1][0] <= pair[0][0]) {
            let ([before, _], [after, _]) = (pair[0], pair[1]);
            return Some(format!("has a remap that goes backwards: {after} follows {before}; sort its points"));
        }
        let level = self.remap.iter().map(|point| point[1]).find(|level| !(0.0..=1.0).contains(level));
        level.map(|level| format!("has an activation of {level}; it must be 0 ..= 1"))
    }
}

/// The drivers of a body, and what of them does nothing on it. Roles are those that the muscles were placed by.
#[must_use]
pub fn drivers(
    templates: &[DriverTemplate],
    skeleton: &Skeleton,
    roles: &Roles,
    muscles: &[Muscle],
) -> (Vec<Driver>, Vec<String>) {
    let (mut made, mut warnings) = (Vec::new(), Vec::new());
    let hinges = Hinges::new(skeleton, roles);
    for (i, template) in templates.iter().enumerate() {
        let before = made.len();
        let sided = template.role.is_some_and(Role::is_sided);
        for side in if sided { &[Some(Side::Left), Some(Side::Right)][..] } else { &[None] } {
            let names = named(template, *side, muscles);
            if names.is_empty() {
                continue;
            }
            let (signal, bound) = match template.role {
                None => (Some(Signal::Shortening), 0.0),
                Some(role) => {
                    let found = hinges.signal(role, template.motion, side.unwrap_or(Side::Left));
                    found.map_or((None, 0.0), |(signal, bound)| (Some(signal), bound))
                }
            };
            let Some(signal) = signal else { continue };
            let names = if names.len() == muscles.len() { Vec::new() } else { names };
            made.push(Driver { muscles: names, signal, remap: since_bind(&template.remap, bound) });
        }
        if made.len() == before {
            let muscles = template.muscles.join(", ");
            warnings.push(format!("driver {i} ({muscles}) finds no such muscle or joint on this body: left out"));
        }
    }
    (made, warnings)
}

/// A curve over degrees from the anatomical position as one over degrees from the bind pose. What it says of the bind pose is
/// taken off it: a body that is bound with bent elbows is modelled relaxed, and its skin at rest stays the artist's.
fn since_bind(points: &[[f32; 2]], bound: f32) -> Vec<[f32; 2]> {
    let mut points: Vec<[f32; 2]> = points.iter().map(|&[signal, level]| [signal - bound, level]).collect();
    let after = points.partition_point(|point| point[0] <= 0.0).clamp(1, points.len() - 1);
    let ([x0, y0], [x1, y1]) = (points[after - 1], points[after]);
    let at_bind = y0 + (y1 - y0) * ((0.0 - x0) / (x1 - x0)).clamp(0.0, 1.0);
    if at_bind > 0.0 {
        points.iter_mut().for_each(|point| point[1] = (point[1] - at_bind).max(0.0));
        if x0 < 0.0 && x1 > 0.0 && points.len() < MOST_POINTS {
            points.insert(after, [0.0, 0.0]);
        }
    }
    points
}

/// Names of the muscles of that side, or of all, that the template means. One in the middle goes with the left.
fn named(template: &DriverTemplate, side: Option<Side>, muscles: &[Muscle]) -> Vec<String> {
    let means = |name: &str| {
        let own = Side::BOTH.into_iter().find(|side| name.ends_with(side.suffix()));
        let stem = own.and_then(|own| name.strip_suffix(own.suffix())).unwrap_or(name);
        side.is_none_or(|side| own.unwrap_or(Side::Left) == side)
            && template.muscles.iter().any(|pattern| fits(pattern, stem) || fits(pattern, name))
    };
    muscles.iter().map(|muscle| &muscle.name).filter(|name| means(name)).cloned().collect()
}

/// The drivers of a body by role, those of both sides once, and what templates cannot say of them.
pub(crate) fn by_role(drivers: &[Driver], skeleton: &Skeleton, roles: &Roles) -> (Vec<DriverTemplate>, Vec<String>) {
    let (mut made, mut warnings): (Vec<DriverTemplate>, Vec<String>) = (Vec::new(), Vec::new());
    let hinges = Hinges::new(skeleton, roles);
    for (i, driver) in drivers.iter().enumerate() {
        let found = match &driver.signal {
            Signal::Shortening => Some((None, None, 0.0)),
            Signal::JointAngle { joint, axis } => skeleton.find(joint).and_then(|joint| {
                let (role, side, _) = roles.iter().find(|(_, _, other)| *other == joint)?;
                let Some(axis) = axis else { return Some((Some(role), None, 0.0)) };
                let (motion, bound) = hinges.motion(role, side.unwrap_or(Side::Left), *axis)?;
                Some((Some(role), Some(motion), bound))
            }),
            _ => None,
        };
        let Some((role, motion, bound)) = found else {
            warnings.push(format!("driver {i}: templates cannot say its joint or its axis: left out"));
            continue;
        };
        let sided = role.is_some_and(Role::is_sided);
        let stem = |name: &String| {
            let bare = Side::BOTH.into_iter().find_map(|side| name.strip_suffix(side.suffix()));
            bare.filter(|_| sided || role.is_none()).unwrap_or(name).to_owned()
        };
        let mut muscles: Vec<String> = driver.muscles.iter().map(stem).collect();
        muscles.dedup();
        if muscles.is_empty() {
            muscles.push("*".into());
        }
        // what was shifted by the bind pose's own angle comes back to the tenth of a degree it was written in
        let point = |&[signal, level]: &[f32; 2]| match role {
            Some(_) => [((signal + bound) * 10.0).round() / 10.0, level],
            None => [signal, level],
        };
        let template = DriverTemplate { muscles, role, motion, remap: driver.remap.iter().map(point).collect() };
        if !made.contains(&template) && template.fault().is_none() {
            made.push(template);
        }
    }
    (made, warnings)
}

impl Hinges<'_> {
    /// The signal of a role's joint, and the angle that the bind pose has already, degrees.
    fn signal(&self, role: Role, motion: Option<Motion>, side: Side) -> Option<(Signal, f32)> {
        let (joint, axis, bound) = match motion {
            None => (self.joint(role, side)?, None, 0.0),
            Some(motion) => {
                let (joint, axis, bound) = self.axis_in_joint(role, motion, side)?;
                (joint, Some(axis), bound)
            }
        };
        Some((Signal::JointAngle { joint: joint.to_owned(), axis }, bound))
    }

    /// The motion about that axis of the joint, and the angle that the bind pose has already, degrees.
    fn motion(&self, role: Role, side: Side, axis: Vec3) -> Option<(Motion, f32)> {
        [Motion::Flexion, Motion::Abduction, Motion::Rotation].into_iter().find_map(|motion| {
            let (_, own, bound) = self.axis_in_joint(role, motion, side)?;
            (own.dot(axis.normalize_or_zero()) > SAME_AXIS).then_some((motion, bound))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Template, place, test_body};
    use fusiform::{Body, BodyState, Character, Mesh, Musculature, StepInput};
    use glam::{Affine3A, Quat};

    fn elbow() -> DriverTemplate {
        DriverTemplate {
            muscles: vec!["biceps*".into(), "brachialis".into()],
            role: Some(Role::LowerArm),
            motion: Some(Motion::Flexion),
            remap: vec![[40.0, 0.0], [140.0, 1.0]],
        }
    }

    #[test]
    fn an_elbow_tenses_the_biceps_of_its_own_side_by_degrees_from_straight() {
        let skeleton = test_body::skeleton();
        let roles = Roles::find(&skeleton).roles;
        let muscles = place(&Template::humanoid(), &skeleton, &roles, &test_body::skin).unwrap().muscles;
        let (drivers, warnings) = drivers(&[elbow()], &skeleton, &roles, &muscles);
        assert!(warnings.is_empty() && drivers.len() == 2, "{warnings:?}");
        let (templates, _) = by_role(&drivers, &skeleton, &roles);
        assert_eq!(templates.len(), 1, "both sides are one");
        assert_eq!((templates[0].motion, &templates[0].remap), (Some(Motion::Flexion), &elbow().remap));

        let mut mesh = Mesh { name: "skin".into(), triangles: vec![[0, 1, 2]], ..Mesh::default() };
        for x in [0.0, 0.1, 0.2] {
            mesh.positions.push(Vec3::new(x, 1.0, x * x));
            mesh.weights.push_vertex([(0, 1.0)]);
        }
        let character = Character { skeleton, meshes: vec![mesh], ..Character::default() };
        let activation = fusiform::musculature::Activation { drivers, ..Default::default() };
        let musculature = Musculature { muscles, activation, ..Musculature::default() };
        let body = Body::bind(&character, &musculature).unwrap();
        let mut state = BodyState::new(&body);
        let skeleton = &character.skeleton;
        let [upper, lower, hand] = ["upper_arm.l", "lower_arm.l", "hand.l"].map(|name| skeleton.find(name).unwrap());
        let mut pose = skeleton.bind_matrices();
        let place = |pose: &[Affine3A], joint: usize| Vec3::from(pose[joint].translation);
        let before = place(&pose, hand) - place(&pose, lower);
        let arm = place(&pose, lower) - place(&pose, upper);
        // bend the forearm to the front until it stands at right angles to the upper arm
        let axis = arm.cross(Vec3::Z).normalize();
        let turn = Quat::from_axis_angle(axis, std::f32::consts::FRAC_PI_2 - arm.angle_between(before));
        let about = Affine3A::from_translation(place(&pose, lower))
            * Affine3A::from_quat(turn)
            * Affine3A::from_translation(-place(&pose, lower));
        pose[lower] = about * pose[lower];
        body.step(&mut state, &StepInput::new(&pose, 0.0));
        let level = |name: &str| state.activations()[musculature.find(name).unwrap()];
        // half-way from 40 to 140 degrees; the forearm is a few degrees out of the plane of bending
        assert!((level("biceps_brachii_long.l") - 0.5).abs() < 0.05, "{}", level("biceps_brachii_long.l"));
        assert_eq!((level("biceps_brachii_long.r"), level("triceps_brachii_lateral.l")), (0.0, 0.0));
    }

    #[test]
    fn a_body_is_relaxed_as_it_was_bound() {
        let points = [[0.0, 0.0], [100.0, 1.0]];
        assert_eq!(since_bind(&points, 0.0), points);
        assert_eq!(since_bind(&points, -20.0), [[20.0, 0.0], [120.0, 1.0]]);
        assert_eq!(since_bind(&points, 25.0), [[-25.0, 0.0], [0.0, 0.0], [75.0, 0.75]]);
        assert_eq!(since_bind(&points, 100.0), [[-100.0, 0.0], [0.0, 0.0]]);
        assert_eq!(since_bind(&points, 120.0), [[-120.0, 0.0], [-20.0, 0.0]]);
    }

    #[test]
    fn what_a_body_lacks_is_said() {
        let skeleton = test_body::skeleton();
        let roles = Roles::find(&skeleton).roles;
        let wings = DriverTemplate { muscles: vec!["wing*".into()], ..elbow() };
        let (made, warnings) = drivers(&[wings], &skeleton, &roles, &[]);
        assert!(made.is_empty() && warnings[0].contains("wing*"), "{warnings:?}");
    }

    #[test]
    fn a_driver_that_cannot_be_used_says_why() {
        let fault = |change: &dyn Fn(&mut DriverTemplate)| {
            let mut driver = elbow();
            change(&mut driver);
            driver.fault().unwrap_or_default()
        };
        assert_eq!(elbow().fault(), None);
        assert!(fault(&|driver| driver.remap.truncate(1)).contains("1 points"));
        assert!(fault(&|driver| driver.remap[1][0] = 40.0).contains("40 follows 40"));
        assert!(fault(&|driver| driver.remap[0][1] = -0.5).contains("-0.5"));
        assert!(fault(&|driver| driver.remap[0][0] = f32::NAN).contains("NaN"));
        assert!(fault(&|driver| driver.role = None).contains("no role"));
        assert!(fault(&|driver| driver.muscles.clear()).contains("names no muscle"));
    }
}
