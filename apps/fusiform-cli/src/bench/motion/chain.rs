//! The stages of a frame, one after the other, each timed.

use fusiform_motion::dynamics::Load;
use fusiform_motion::ik::Ik;
use fusiform_motion::model::{Model, Muscle};
use fusiform_motion::path::{PathState, Paths};
use fusiform_motion::rnea::{Rnea, Wrench};
use fusiform_motion::strength::strength;
use fusiform_motion::system::{Posture, System};
use fusiform_motion::tension::{Problem, Settings, Tension, TensionError};
use fusiform_motion::trajectory::Trajectory;
use glam::DVec3;
use std::time::Instant;

/// What is timed, in this order.
pub const STAGES: [&str; 4] = ["inverse kinematics", "inverse dynamics", "moment arms", "tension"];

/// A recorded motion of a model, and all that is needed to find the tensions of a frame.
///
/// Angles are found anew in every frame. Torques come from the whole motion's angles, filtered and splined beforehand, because
/// accelerations need the frames to come.
pub struct Chain<'a> {
    /// What it is called.
    pub name: String,
    pub bones: System,
    pub ik: Ik,
    pub times: Vec<f64>,
    /// n_time x n_marker, m.
    pub targets: Vec<DVec3>,
    pub trajectory: Trajectory,
    pub loads: Vec<Load<'a>>,
    flesh: Flesh,
    q: Vec<f64>,
    speed: Vec<f64>,
    acceleration: Vec<f64>,
    torque: Vec<f64>,
    posture: Posture,
    rnea: Rnea,
    wrenches: Vec<Wrench>,
    row: Vec<f64>,
    tracked: Vec<f64>,
    frames: usize,
    iterations: usize,
}

/// Muscles, and the coordinates that they turn.
pub struct Flesh {
    system: System,
    paths: Paths,
    muscles: Vec<Muscle>,
    turned: Vec<usize>,
    tension: Tension,
    posture: Posture,
    state: PathState,
    arms: Vec<f64>,
    strength: Vec<f64>,
    torque: Vec<f64>,
    steps: usize,
    reserve: f64,
}

impl Flesh {
    /// The muscles of a model that is read and runs, turning all coordinates but some.
    pub fn new(model: Model, system: System, paths: Paths, held: impl Fn(&str) -> bool) -> Result<Self, TensionError> {
        let turned: Vec<usize> = (0..system.n_coordinate()).filter(|&c| !held(&system.coordinates[c])).collect();
        let (n_muscle, n_turned) = (model.muscles.len(), turned.len());
        Ok(Self {
            system,
            paths,
            muscles: model.muscles,
            tension: Tension::new(n_muscle, n_turned, Settings::default())?,
            turned,
            posture: Posture::default(),
            state: PathState::default(),
            arms: vec![0.0; n_muscle * n_turned],
            strength: vec![0.0; n_muscle],
            torque: vec![0.0; n_turned],
            steps: 0,
            reserve: 0.0,
        })
    }

    fn pull(&mut self, q: &[f64]) {
        self.system.pose(q, &mut self.posture);
        self.paths.pull(&self.system, &self.posture, &mut self.state);
    }

    fn tense(&mut self, torques: &[f64]) {
        let all = self.state.arms.chunks_exact(self.system.n_coordinate());
        let kept = all.flat_map(|arms| self.turned.iter().map(|&c| arms[c]));
        self.arms.iter_mut().zip(kept).for_each(|(own, arm)| *own = arm);
        for ((own, muscle), length) in self.strength.iter_mut().zip(&self.muscles).zip(&self.state.length) {
            *own = strength(muscle, *length);
        }
        self.torque.iter_mut().zip(&self.turned).for_each(|(own, &c)| *own = torques[c]);
        let Self { arms, strength, torque, .. } = self;
        let problem = Problem { moment_arms: arms, strength, torque, emg: &[], reserve_unit: &[] };
        // models were checked: a frame without an answer would show as one without steps
        if let Ok(solved) = self.tension.solve(&problem) {
            self.steps += solved.steps;
            self.reserve = solved.reserve.iter().fold(self.reserve, |most, left| most.max(left.abs()));
        }
    }
}

impl<'a> Chain<'a> {
    /// A motion whose angles in time are known; flesh may be of another model with the same coordinates.
    pub fn new(
        name: &str,
        (bones, ik): (System, Ik),
        (times, targets): (Vec<f64>, Vec<DVec3>),
        (trajectory, loads): (Trajectory, Vec<Load<'a>>),
        flesh: Flesh,
    ) -> Self {
        let zeros = || vec![0.0; bones.n_coordinate()];
        let n_column = loads.iter().map(|load| load.table.names.len()).max().unwrap_or(0);
        let mut chain = Self {
            name: name.to_owned(),
            ik,
            times,
            targets,
            trajectory,
            flesh,
            q: zeros(),
            speed: zeros(),
            acceleration: zeros(),
            torque: zeros(),
            posture: Posture::default(),
            rnea: Rnea::new(&bones),
            wrenches: vec![Wrench::default(); loads.len()],
            row: vec![0.0; n_column],
            tracked: bones.default.to_vec(),
            frames: 0,
            iterations: 0,
            loads,
            bones,
        };
        let n_marker = chain.ik.residuals().len();
        chain.ik.place(&chain.bones, &chain.targets[..n_marker], &mut chain.tracked);
        chain
    }

    /// Markers, coordinates, muscles.
    pub fn counts(&self) -> (usize, usize, usize) {
        (self.ik.residuals().len(), self.bones.n_coordinate(), self.flesh.muscles.len())
    }

    /// Mean iterations of inverse kinematics and mean steps of tension so far, and the largest torque left, N m.
    pub fn effort(&self) -> (f64, f64, f64) {
        let frames = self.frames.max(1) as f64;
        (self.iterations as f64 / frames, self.flesh.steps as f64 / frames, self.flesh.reserve)
    }

    /// One frame, forth and back through the motion so that it never jumps; us of every stage.
    pub fn step(&mut self, frame: usize) -> [f64; STAGES.len()] {
        let n = self.times.len();
        let turn = frame % (2 * n - 2).max(1);
        let row = if turn < n { turn } else { 2 * n - 2 - turn };
        let start = Instant::now();
        self.follow(row);
        let followed = Instant::now();
        self.load(self.times[row]);
        let loaded = Instant::now();
        self.flesh.pull(&self.q);
        let pulled = Instant::now();
        self.flesh.tense(&self.torque);
        let tensed = Instant::now();
        self.frames += 1;
        let us = |from: Instant, to: Instant| (to - from).as_secs_f64() * 1e6;
        [us(start, followed), us(followed, loaded), us(loaded, pulled), us(pulled, tensed)]
    }

    fn follow(&mut self, row: usize) {
        let n = self.ik.residuals().len();
        let solved = self.ik.solve(&self.bones, &self.targets[row * n..(row + 1) * n], &mut self.tracked);
        self.iterations += solved.iterations;
    }

    fn load(&mut self, time: f64) {
        self.trajectory.at(time, [&mut self.q, &mut self.speed, &mut self.acceleration]);
        self.bones.pose(&self.q, &mut self.posture);
        for (wrench, load) in self.wrenches.iter_mut().zip(&self.loads) {
            *wrench = load.at(time, &mut self.row[..load.table.names.len()]);
        }
        let rates = [&self.speed[..], &self.acceleration[..]];
        self.rnea.solve(&self.bones, &self.posture, rates, &self.wrenches, &mut self.torque);
    }
}
