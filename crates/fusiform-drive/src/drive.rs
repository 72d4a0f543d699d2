//! Drive: a clip's motion to the tensions of the character's own muscles.
//!
//! ```text
//! skin ─> masses ┐
//! clip ─> rigid motion ─> ground ─> torques ─┐
//!   └─> poses ─> moment arms ────────────────┴─> tension ─> activation of every muscle in every frame
//! ```

use crate::arms::Arms;
use crate::ground::{Ground, Pushed};
use crate::masses::{Segment, segments};
use crate::rigid::{Rigid, RigidMotion, posed};
use crate::torque::{Load, Push, loads};
use fusiform::{BindError, BodyState, Character, Clip, Musculature, Skeleton};
use fusiform_fit::{Facing, JointMotion, JointRange, Motion, Role, Roles, Surface, Wear, joint_motions};
use fusiform_motion::tension::{Problem, Settings, Tension, TensionError};
use fusiform_motion::trajectory::LowPass;
use glam::{Affine3A, DVec3, Quat, Vec3};
use rayon::prelude::*;

/// N/m²: what a muscle pulls with per section of its belly. Rajagopal et al.: *Full-Body Musculoskeletal Model for
/// Muscle-Driven Simulation of Human Gait*, IEEE Trans. Biomed. Eng. 63, 2016. Half of it, which others measured, leaves a
/// rig too weak for a squat: its bellies stand for the deep muscles that it does not have.
pub const SPECIFIC_TENSION: f64 = 6e5;
/// m/s².
const GRAVITY: f64 = 9.81;
/// N m: motions that all muscles together could hardly turn are left to bones and ligaments.
const LEAST_TORQUE: f64 = 3.0;
/// Share of the torques, root of the mean square, that muscles may leave.
const TOO_WEAK: f64 = 0.1;
/// Muscles are not taken for stronger to leave less than this less.
const HARDLY_WORSE: f64 = 1.2;
/// They are never taken for more than so many times as strong.
const STRONGEST: f64 = 1024.0;
/// Frames that are solved one after the other, each from where the one before was.
const CHUNK: usize = 64;

/// What pushes a body, by time and by where its joints are then; `None` when nobody measured it.
pub type Pushes<'a> = dyn Fn(f64, &[Rigid]) -> Option<Vec<Push>> + Sync + 'a;

/// What is known beside the motion.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// Which meshes are the body.
    pub wear: &'a [Wear],
    /// Which joint is which.
    pub roles: &'a Roles,
    /// The ways in which joints turn, by role.
    pub ranges: &'a [JointRange],
    /// kg, of the whole body; from its volume without it.
    pub mass: Option<f64>,
    /// Joints whose segments carry so many kg more.
    pub carried: &'a [(usize, f64)],
    /// N/m².
    pub specific_tension: f64,
    /// N, n_muscle: what muscles can pull with, where that is known; by the sections of their bellies without it.
    pub strengths: Option<&'a [f64]>,
    /// Frames a second.
    pub rate: f64,
    /// What is taken for noise in the motion.
    pub low_pass: Option<LowPass>,
    /// What pushes the body, by time; told from the feet without it, and at times it says nothing of.
    pub pushes: Option<&'a Pushes<'a>>,
    /// What muscles were measured to do, by time, n_muscle.
    pub emg: Option<&'a (dyn Fn(f64) -> Vec<Option<f64>> + Sync)>,
    /// How the forces are chosen.
    pub settings: Settings,
    /// Whether muscles that are too weak for the motion are taken for stronger, all alike.
    pub stronger: bool,
}

impl<'a> Given<'a> {
    /// Nothing but the body: sixty frames a second, no faster motion than 6 Hz.
    #[must_use]
    pub fn new(wear: &'a [Wear], roles: &'a Roles, ranges: &'a [JointRange]) -> Self {
        Self {
            wear,
            roles,
            ranges,
            mass: None,
            carried: &[],
            specific_tension: SPECIFIC_TENSION,
            strengths: None,
            rate: 60.0,
            low_pass: Some(LowPass::default()),
            pushes: None,
            emg: None,
            settings: Settings::default(),
            stronger: true,
        }
    }
}

/// What explains the motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Driven {
    /// s.
    pub times: Vec<f64>,
    /// The motions whose torques muscles make.
    pub motions: Vec<JointMotion>,
    /// n_time x n_motion, radians since bind.
    pub angles: Vec<f64>,
    /// n_time x n_motion, N m.
    pub torques: Vec<f64>,
    /// n_time x n_motion, N m: what muscles could not make of them.
    pub reserves: Vec<f64>,
    /// n_time x n_muscle, 0 ..= 1.
    pub activations: Vec<f64>,
    /// n_muscle, N.
    pub strengths: Vec<f64>,
    /// How many times what their sections, or their model, say.
    pub stronger: f64,
    /// kg, n_joint: what hangs on each joint itself.
    pub masses: Vec<f64>,
    /// n_time, N: along up, what pushes from below.
    pub ground_force: Vec<f64>,
    /// N: force that nothing under the body explains, root of its mean square.
    pub unexplained: f64,
    /// Share of the frames in which something touches the floor.
    pub touching: f64,
}

/// Why a motion cannot be explained.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// Nothing to pull.
    #[error("it has no muscles; give it some with `fusiform rig`")]
    NoMuscles,
    /// Strengths of other muscles.
    #[error("{known} strengths are given for {muscles} muscles; give one for each")]
    Strengths {
        /// How many are given.
        known: usize,
        /// How many there are.
        muscles: usize,
    },
    /// Nothing to weigh.
    #[error("its skin encloses nothing that could be weighed; give the mass of a body with a closed skin")]
    NoMass,
    /// No motion.
    #[error("clip {0:?} does not last; choose another")]
    NoMotion(String),
    /// A filter that there is not.
    #[error(
        "a cut-off of {cutoff} Hz cannot be told from {rate} frames a second; solve more frames, or take slower motion for noise"
    )]
    CutOff {
        /// Hz.
        cutoff: f64,
        /// Frames a second.
        rate: f64,
    },
    /// No joint turns that a muscle crosses.
    #[error("no muscle crosses a joint that turns; rig it with muscles that reach over its joints")]
    NoJoint,
    /// Muscles that cannot be bound.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// Forces that cannot be found.
    #[error(transparent)]
    Tension(#[from] TensionError),
}

/// What a frame asks.
struct Moment {
    angles: Vec<f64>,
    torques: Vec<f64>,
    arms: Vec<f64>, // n_muscle x n_motion
    emg: Vec<Option<f64>>,
}

/// What muscles answer.
struct Effort {
    reserves: Vec<f64>,
    activations: Vec<f64>,
}

/// Find the tensions that explain a clip; `progress` hears the share that is done.
pub fn drive(
    character: &Character,
    musculature: &Musculature,
    clip: &Clip,
    given: &Given,
    progress: impl Fn(f32) + Sync,
) -> Result<Driven, DriveError> {
    let skeleton = &character.skeleton;
    if musculature.muscles.is_empty() {
        return Err(DriveError::NoMuscles);
    }
    let mut parts = segments(character, given.wear, given.roles, given.mass);
    given.carried.iter().for_each(|&(joint, mass)| parts[joint] = parts[joint].carrying(mass));
    let mass: f64 = parts.iter().map(|part| part.mass).sum();
    if mass <= 0.0 {
        return Err(DriveError::NoMass);
    }
    let cutoff = given.low_pass.map_or(0.0, |of| of.cutoff);
    let rigid = RigidMotion::new(skeleton, clip, given.rate, given.low_pass);
    let rigid = rigid.map_err(|_| DriveError::CutOff { cutoff, rate: given.rate })?;
    let rigid = rigid.filter(|rigid| rigid.times.len() > 1).ok_or_else(|| DriveError::NoMotion(clip.name.clone()))?;
    let up = Facing::find(skeleton, given.roles).map_or(Vec3::Y, |facing| facing.up);
    let strengths = match given.strengths {
        Some(known) if known.len() == musculature.muscles.len() => known.to_vec(),
        Some(known) => return Err(DriveError::Strengths { known: known.len(), muscles: musculature.muscles.len() }),
        None => strengths(character, musculature, given.specific_tension)?,
    };
    let body = character.meshes.iter().zip(given.wear).filter(|(_, wear)| **wear == Wear::Body).map(|(mesh, _)| mesh);
    let skin = Surface::new(body);
    let motions = motions(character, musculature, given, &strengths, skin.as_ref())?;
    let whole = Whole { skeleton, parts: &parts, gravity: up.as_dvec3() * -GRAVITY, mass };
    let pushed = whole.pushed(character, given, up, &rigid);
    let arms = Arms::new(character, musculature, &motions, skin.as_ref())?;
    let all: Vec<usize> = (0..rigid.times.len()).collect();
    let moment = |state: &mut BodyState, i: usize| {
        let time = rigid.times[i];
        let pose = posed(skeleton, clip, time as f32);
        let loads = loads(skeleton, &parts, &rigid.at(time), whole.gravity, &pushed[i].pushes);
        let mut rows = vec![0.0; arms.n_muscle() * motions.len()];
        arms.measure(state, &pose, &motions, &mut rows);
        Moment {
            angles: motions.iter().map(|motion| angle(skeleton, motion, &pose)).collect(),
            torques: motions.iter().map(|motion| torque(motion, &pose, &loads)).collect(),
            arms: rows,
            emg: given.emg.map_or(Vec::new(), |emg| emg(time)),
        }
    };
    let moments: Vec<Moment> = all
        .par_chunks(CHUNK)
        .flat_map_iter(|chunk| {
            let mut state = arms.state();
            let measured: Vec<Moment> = chunk.iter().map(|&i| moment(&mut state, i)).collect();
            progress(chunk[chunk.len() - 1] as f32 / all.len() as f32);
            measured
        })
        .collect();
    let (efforts, stronger) = efforts(&moments, &strengths, given)?;
    let rms = |of: &dyn Fn(&Pushed) -> f64| (pushed.iter().map(of).sum::<f64>() / all.len() as f64).sqrt();
    Ok(Driven {
        angles: moments.iter().flat_map(|moment| moment.angles.clone()).collect(),
        torques: moments.iter().flat_map(|moment| moment.torques.clone()).collect(),
        reserves: efforts.iter().flat_map(|effort| effort.reserves.clone()).collect(),
        activations: efforts.iter().flat_map(|effort| effort.activations.clone()).collect(),
        strengths: strengths.iter().map(|strength| strength * stronger).collect(),
        stronger,
        masses: parts.iter().map(|part| part.mass).collect(),
        ground_force: pushed.iter().map(|frame| lift(&frame.pushes, up.as_dvec3())).collect(),
        unexplained: rms(&|frame| frame.left.force.length_squared()),
        touching: pushed.iter().filter(|frame| frame.touches).count() as f64 / all.len() as f64,
        times: rigid.times,
        motions,
    })
}

/// What muscles have to do in every frame, and how many times as strong as they are they had to be for it.
fn efforts(moments: &[Moment], strengths: &[f64], given: &Given) -> Result<(Vec<Effort>, f64), DriveError> {
    let with = |factor: f64| -> Result<Vec<Effort>, DriveError> {
        let strengths: Vec<f64> = strengths.iter().map(|strength| strength * factor).collect();
        let solved: Vec<Vec<Effort>> = moments
            .par_chunks(CHUNK)
            .map(|chunk| one_after_the_other(chunk, &strengths, given))
            .collect::<Result<_, _>>()?;
        Ok(solved.into_iter().flatten().collect())
    };
    let square = |rows: &[f64]| rows.iter().map(|x| x * x).sum::<f64>();
    let whole: f64 = moments.iter().map(|moment| square(&moment.torques)).sum();
    let left = |efforts: &[Effort]| {
        (efforts.iter().map(|effort| square(&effort.reserves)).sum::<f64>() / whole.max(f64::MIN_POSITIVE)).sqrt()
    };
    let (mut tried, mut factor) = (vec![(1.0, with(1.0)?)], 1.0);
    while given.stronger && left(&tried[tried.len() - 1].1) > TOO_WEAK && factor < STRONGEST {
        factor *= 2.0;
        tried.push((factor, with(factor)?));
    }
    // beyond some strength, what is left is pulled by no muscle: the least that does nearly as well
    let best = tried.iter().map(|(_, efforts)| left(efforts)).fold(f64::INFINITY, f64::min).max(TOO_WEAK);
    let chosen = tried.into_iter().find(|(_, efforts)| left(efforts) <= HARDLY_WORSE * best);
    Ok(chosen.map_or((Vec::new(), 1.0), |(factor, efforts)| (efforts, factor)))
}

fn one_after_the_other(moments: &[Moment], strengths: &[f64], given: &Given) -> Result<Vec<Effort>, DriveError> {
    let n_motion = moments.first().map_or(0, |moment| moment.torques.len());
    let mut tension = Tension::new(strengths.len(), n_motion, given.settings)?;
    let mut solve = |moment: &Moment| {
        let Moment { torques, arms, emg, .. } = moment;
        let problem = Problem { moment_arms: arms, strength: strengths, torque: torques, emg, reserve_unit: &[] };
        let solved = tension.solve(&problem)?;
        Ok(Effort { reserves: solved.reserve.to_vec(), activations: solved.activation.to_vec() })
    };
    moments.iter().map(&mut solve).collect()
}

fn lift(pushes: &[Push], up: DVec3) -> f64 {
    pushes.iter().map(|push| push.force.dot(up)).sum()
}

/// The body as one.
struct Whole<'a> {
    skeleton: &'a Skeleton,
    parts: &'a [Segment],
    gravity: DVec3,
    mass: f64,
}

impl Whole<'_> {
    /// What pushes the body in every frame.
    fn pushed(&self, character: &Character, given: &Given, up: Vec3, rigid: &RigidMotion) -> Vec<Pushed> {
        let told = |time: f64, now: &[Rigid]| given.pushes.and_then(|pushes| pushes(time, now));
        let mut ground = Ground::new(character, given.wear, given.roles, up, rigid);
        let frame = |&time: &f64| {
            let now = rigid.at(time);
            let none = |pushes: Vec<Push>| Pushed { touches: !pushes.is_empty(), pushes, left: Load::default() };
            if let Some(pushes) = told(time, &now) {
                let left = self.total(&now, &pushes);
                return Pushed { left, ..none(pushes) };
            }
            let whole = self.total(&now, &[]);
            let pushed =
                ground.as_mut().and_then(|ground| ground.push(&now, &whole, self.center(&now), self.mass * GRAVITY));
            pushed.unwrap_or_else(|| Pushed { left: whole, ..none(Vec::new()) })
        };
        rigid.times.iter().map(frame).collect()
    }

    /// What moves the whole body, less what pushes it.
    fn total(&self, now: &[Rigid], pushes: &[Push]) -> Load {
        let loads = loads(self.skeleton, self.parts, now, self.gravity, pushes);
        let roots = (0..loads.len()).filter(|&joint| self.skeleton.joints[joint].parent.is_none());
        roots.fold(Load::default(), |sum, root| Load {
            force: sum.force + loads[root].force,
            moment: sum.moment + loads[root].moment,
        })
    }

    fn center(&self, now: &[Rigid]) -> DVec3 {
        let of = |(joint, part): (usize, &Segment)| {
            let arm = part.center - self.skeleton.joints[joint].bind.translation.as_dvec3();
            now[joint].point(arm) * part.mass
        };
        self.parts.iter().enumerate().map(of).sum::<DVec3>() / self.mass
    }
}

/// N: what every muscle can pull with, by the widest section of its belly at rest, `tension` N/m² of it.
pub fn strengths(character: &Character, musculature: &Musculature, tension: f64) -> Result<Vec<f64>, DriveError> {
    let bellies = fusiform::body::rest_bellies(&character.skeleton, &musculature.muscles)?;
    let area = |ring: &[Vec3]| {
        let middle = ring.iter().sum::<Vec3>() / ring.len() as f32;
        let next = |j: usize| ring[(j + 1) % ring.len()] - middle;
        let twice: Vec3 = (0..ring.len()).map(|j| (ring[j] - middle).cross(next(j))).sum();
        f64::from(twice.length()) * 0.5
    };
    Ok(bellies
        .iter()
        .map(|belly| {
            let sectors = belly.points.len() / belly.rings.len().max(1);
            tension * belly.points.chunks(sectors.max(1)).map(area).fold(0.0, f64::max)
        })
        .collect())
}

/// The motions that muscles can make: by role, or every way of a joint that plays none, where they are strong enough.
fn motions(
    character: &Character,
    musculature: &Musculature,
    given: &Given,
    strengths: &[f64],
    skin: Option<&Surface>,
) -> Result<Vec<JointMotion>, DriveError> {
    let skeleton = &character.skeleton;
    let mut motions = joint_motions(skeleton, given.roles, given.ranges);
    // About the length of a limb's bone, ligaments and the shape of joints hold, and paths that were made for flesh say least.
    let limbs = [Role::UpperArm, Role::LowerArm, Role::Hand, Role::UpperLeg, Role::LowerLeg, Role::Foot, Role::Toes];
    let is_limb = |joint: usize| given.roles.iter().any(|(role, _, of)| of == joint && limbs.contains(&role));
    motions.retain(|motion| motion.motion != Motion::Rotation || !is_limb(motion.joint));
    // a body without roles turns every joint every way; on a human's, what has no range is carried by ribs and ligaments
    if motions.is_empty() {
        let ways = [(Vec3::X, Motion::Flexion), (Vec3::Z, Motion::Abduction), (Vec3::Y, Motion::Rotation)];
        let hangs = (0..skeleton.joints.len()).filter(|&joint| skeleton.joints[joint].parent.is_some());
        motions = hangs.flat_map(|joint| ways.map(|(axis, motion)| JointMotion { joint, axis, motion })).collect();
    }
    let arms = Arms::new(character, musculature, &motions, skin)?;
    let mut rows = vec![0.0; arms.n_muscle() * motions.len()];
    arms.measure(&mut arms.state(), &skeleton.bind_matrices(), &motions, &mut rows);
    let reach = |k: usize| -> f64 {
        strengths.iter().enumerate().map(|(m, strength)| strength * rows[m * motions.len() + k].abs()).sum()
    };
    let strong: Vec<bool> = (0..motions.len()).map(|k| reach(k) > LEAST_TORQUE).collect();
    let mut keep = strong.iter();
    motions.retain(|_| keep.next().copied().unwrap_or(false));
    if motions.is_empty() { Err(DriveError::NoJoint) } else { Ok(motions) }
}

/// N m about the motion's axis.
fn torque(motion: &JointMotion, pose: &[Affine3A], loads: &[Load]) -> f64 {
    let at = &pose[motion.joint];
    let axis = at.transform_vector3(motion.axis).normalize_or_zero().as_dvec3();
    loads[motion.joint].about(at.translation.as_dvec3()).dot(axis)
}

/// Radians since bind about the motion's axis, against the parent: the twist of the turn.
fn angle(skeleton: &Skeleton, motion: &JointMotion, pose: &[Affine3A]) -> f64 {
    let joint = &skeleton.joints[motion.joint];
    let since = |j: usize| (pose[j] * skeleton.joints[j].bind.inverse()).to_scale_rotation_translation().1;
    let parent = joint.parent.map_or(Quat::IDENTITY, since);
    let axis = joint.bind.transform_vector3(motion.axis).normalize_or(Vec3::X);
    let turn = parent.inverse() * since(motion.joint);
    let turn = if turn.w < 0.0 { -turn } else { turn };
    2.0 * f64::from(Vec3::new(turn.x, turn.y, turn.z).dot(axis)).atan2(f64::from(turn.w))
}
