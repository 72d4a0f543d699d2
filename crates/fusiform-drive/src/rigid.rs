//! Rigid motion: how every joint of a character moves in the course of a clip, smooth enough to be differentiated.
//!
//! ```text
//! clip ─> model_from_joint at even times ─> place and turn since bind ─> low-pass both ways ─> quintics
//! ω = 2 Im(q̇ q*) / |q|²        α = ( 2 Im(q̈ q*) − 2 (q·q̇) ω ) / |q|²
//! ```
//!
//! Turns are taken as quaternions of the whole joint, not as angles about its axes: no pose is singular.

use fusiform::{Clip, Pose, Skeleton};
use fusiform_motion::filter::{Filter, FilterError};
use fusiform_motion::function::Jet;
use fusiform_motion::spline::{Knots, Quintic};
use fusiform_motion::trajectory::LowPass;
use glam::{Affine3A, DMat3, DQuat, DVec3, Quat};

/// One joint at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rigid {
    /// m, model space.
    pub place: DVec3,
    /// m/s.
    pub velocity: DVec3,
    /// m/s².
    pub acceleration: DVec3,
    /// Since bind, in model space.
    pub turn: DMat3,
    /// rad/s.
    pub spin: DVec3,
    /// rad/s².
    pub spin_up: DVec3,
}

impl Rigid {
    /// Where a point is that hangs on the joint, `arm` from it in the bind pose.
    #[must_use]
    pub fn point(&self, arm: DVec3) -> DVec3 {
        self.place + self.turn * arm
    }

    /// How fast that point moves.
    #[must_use]
    pub fn point_velocity(&self, arm: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(self.turn * arm)
    }

    /// How that point is accelerated.
    #[must_use]
    pub fn point_acceleration(&self, arm: DVec3) -> DVec3 {
        let arm = self.turn * arm;
        self.acceleration + self.spin_up.cross(arm) + self.spin.cross(self.spin.cross(arm))
    }
}

/// The course of one joint: place, then turn.
struct Course([Quintic; 7]);

/// A clip's course.
pub struct RigidMotion {
    courses: Vec<Course>,
    /// s.
    pub times: Vec<f64>,
}

impl RigidMotion {
    /// Of a clip, sampled at a rate, Hz; nothing where there are no times.
    ///
    /// # Errors
    /// When there is no such filter at that rate.
    pub fn new(
        skeleton: &Skeleton,
        clip: &Clip,
        rate: f64,
        low_pass: Option<LowPass>,
    ) -> Result<Option<Self>, FilterError> {
        let n = (f64::from(clip.duration()) * rate).round() as usize + 1;
        let times: Vec<f64> = (0..n).map(|i| i as f64 / rate).collect();
        let Some(knots) = Knots::new(&times) else { return Ok(None) };
        let poses: Vec<Vec<Affine3A>> = times.iter().map(|&time| posed(skeleton, clip, time as f32)).collect();
        let filter = low_pass.filter(|_| n > 3).map(|of| Filter::low_pass(of.order, of.cutoff, rate));
        let filter = filter.transpose()?;
        let mut scratch = Vec::new();
        let course = |joint: usize| {
            let mut columns = columns(skeleton, &poses, joint);
            for column in &mut columns {
                if let Some(filter) = &filter {
                    filter.zero_phase(column, n / 2, &mut scratch);
                }
            }
            Course(columns.map(|column| knots.through(&column)))
        };
        Ok(Some(Self { courses: (0..skeleton.joints.len()).map(course).collect(), times }))
    }

    /// Every joint at a moment.
    #[must_use]
    pub fn at(&self, time: f64) -> Vec<Rigid> {
        self.courses.iter().map(|course| course.at(time)).collect()
    }
}

/// Where the clip has the joints, m.
#[must_use]
pub fn posed(skeleton: &Skeleton, clip: &Clip, time: f32) -> Vec<Affine3A> {
    let mut pose = Pose::rest(skeleton);
    clip.sample(time, &mut pose);
    pose.model_matrices(skeleton)
}

/// Place and quaternion since bind of a joint in every pose; signs go on from pose to pose.
fn columns(skeleton: &Skeleton, poses: &[Vec<Affine3A>], joint: usize) -> [Vec<f64>; 7] {
    let from_bind = skeleton.joints[joint].bind.inverse();
    let mut columns: [Vec<f64>; 7] = Default::default();
    let mut before = Quat::IDENTITY;
    for pose in poses {
        let (_, turn, _) = (pose[joint] * from_bind).to_scale_rotation_translation();
        let turn = if turn.dot(before) < 0.0 { -turn } else { turn };
        before = turn;
        let place = pose[joint].translation;
        let row = [place.x, place.y, place.z, turn.x, turn.y, turn.z, turn.w];
        columns.iter_mut().zip(row).for_each(|(column, value)| column.push(f64::from(value)));
    }
    columns
}

impl Course {
    fn at(&self, time: f64) -> Rigid {
        let jets: [Jet; 7] = std::array::from_fn(|i| self.0[i].at(time));
        let place = |of: fn(&Jet) -> f64| DVec3::new(of(&jets[0]), of(&jets[1]), of(&jets[2]));
        let turn = |of: fn(&Jet) -> f64| DQuat::from_xyzw(of(&jets[3]), of(&jets[4]), of(&jets[5]), of(&jets[6]));
        let (q, first, second) = (turn(|jet| jet.value), turn(|jet| jet.first), turn(|jet| jet.second));
        let square = q.length_squared().max(1e-12);
        let spin = imaginary(first, q) * (2.0 / square);
        Rigid {
            place: place(|jet| jet.value),
            velocity: place(|jet| jet.first),
            acceleration: place(|jet| jet.second),
            turn: DMat3::from_quat(q.normalize()),
            spin,
            spin_up: (imaginary(second, q) * 2.0 - spin * (2.0 * q.dot(first))) / square,
        }
    }
}

/// Im(a b*).
fn imaginary(a: DQuat, b: DQuat) -> DVec3 {
    let (u, v) = (DVec3::new(a.x, a.y, a.z), DVec3::new(b.x, b.y, b.z));
    u * b.w - v * a.w - u.cross(v)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::character::{Channel, Interpolation, Keys, Track};
    use fusiform::{Character, Transform};
    use glam::Vec3;

    /// A joint that turns about z at a steady pace, 0.5 m off the axis.
    fn wheel(pace: f32) -> (Character, Clip) {
        let skeleton =
            Skeleton::from_rest(&[("hub", None, Transform::IDENTITY), ("rim", Some(0), Transform::at(Vec3::X * 0.5))]);
        let times: Vec<f32> = (0..=200).map(|i| i as f32 * 0.01).collect();
        let values = times.iter().map(|t| Quat::from_rotation_z(pace * t)).collect();
        let keys = Keys::Rotation(Track { times, values, interpolation: Interpolation::Linear });
        let clip = Clip { name: "turn".into(), channels: vec![Channel { joint: 0, keys }] };
        (Character { name: "wheel".into(), skeleton, ..Character::default() }, clip)
    }

    #[test]
    fn what_turns_steadily_is_drawn_to_the_axis() {
        let (character, clip) = wheel(3.0);
        let motion = RigidMotion::new(&character.skeleton, &clip, 100.0, None).unwrap().unwrap();
        let rim = motion.at(1.0)[1];
        assert!((rim.spin - DVec3::Z * 3.0).length() < 1e-3, "{}", rim.spin);
        assert!(rim.spin_up.length() < 0.02, "{}", rim.spin_up);
        assert!((rim.acceleration + rim.place * 9.0).length() < 0.02, "{}", rim.acceleration);
        let tip = rim.point_acceleration(DVec3::X * 0.2);
        assert!((tip + rim.point(DVec3::X * 0.2) * 9.0).length() < 0.03, "{tip}");
    }
}
