//! A take: a clip played through the solver at a fixed rate, from a start that any player can repeat.
//!
//! A clip that ends begins at rest: its first pose is held until springs have settled. A clip that loops is played lap
//! after lap until the flesh comes round to where it began, so that the last frame meets the first. Where the body
//! walks away in the course of a lap, the next lap goes on from there: the world moves under it, springs see no jump.

mod kept;
mod round;
mod split;

use crate::surroundings::Surroundings;
use crate::watch::Stopped;
use fusiform::body::{Impulse, PlayedActivation, Snapshot};
use fusiform::{Body, BodyState, Character, Clip, Detail, Pose, Skeleton, StepInput};
use glam::Affine3A;
use kept::Kept;
pub use round::{comes_round, lap};
pub use split::{FramePart, frame_parts, parts_of_frame};
use std::sync::Arc;

/// Seconds that the first pose of a clip is held before it starts.
pub const HELD: f32 = 0.25;
/// Laps after which a loop is taken as it is.
const MOST_LAPS: usize = 24;
/// Share of the height by which a lap may differ from the one before: 0.01 mm on a human.
const SAME_LAP: f32 = 5e-6;
/// The same with tissue: 0.045 mm. Rounding keeps flesh that is shaken by centimetres from coming nearer.
const SAME_LAP_OF_TISSUE: f32 = 2.5e-5;

/// A moment of a take and what it starts from: enough to solve it by itself, in any order.
pub struct Moment {
    /// Seconds.
    pub time: f32,
    /// Whether it is a frame; what is midway between frames is none.
    pub is_key: bool,
    skin: Skin,
}

/// Where the skin of a moment comes from.
enum Skin {
    /// A frame of `dt` seconds, after what was remembered before it.
    Solved { dt: f32, before: Box<Snapshot> },
    /// A row of what was solved already.
    Kept { row: usize, of: Arc<Kept> },
}

/// How a take begins: what a player needs to show the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// What every spring is like before the first frame.
    pub springs: Snapshot,
    /// Where the body stands then.
    pub world_from_model: Affine3A,
    /// What frame times are multiplied by for the solver ([`Body::lap_pace`]).
    pub pace: f32,
}

/// A clip being played.
#[derive(Clone)]
pub struct Take<'a> {
    body: &'a Body,
    skeleton: &'a Skeleton,
    clip: &'a Clip,
    activation: PlayedActivation,
    looped: bool,
    pace: f32,
    times: Vec<f32>,
    is_side: Vec<bool>, // n_frame  solved from the frame before it, and left out by the one after
    aside: Option<Snapshot>,
    kept: Option<Arc<Kept>>,
    pose: Pose,
    model_from_joint: Vec<Affine3A>,
    bind_from_model: Vec<Affine3A>,
    since_bind: Vec<Affine3A>,
    world_from_model: Affine3A,
    state: BodyState,
    frame: usize,
    start: Option<Start>,
    surroundings: Surroundings,
    impulses: Vec<Impulse>,
}

impl<'a> Take<'a> {
    /// A take of a character's clip; where `looped` says nothing, it loops if it ends as it began.
    #[must_use]
    pub fn of(
        body: &'a Body,
        character: &'a Character,
        clip: usize,
        activation: &[f32],
        fps: f32,
        looped: Option<bool>,
    ) -> Self {
        let (skeleton, clip) = (&character.skeleton, &character.clips[clip]);
        let looped = looped.unwrap_or_else(|| comes_round(skeleton, clip));
        Self::new(body, skeleton, clip, activation, fps, looped)
    }

    /// A take at `fps` frames a second. `activation` has a level for every muscle, or is empty; what the muscles' own curves
    /// say of the clip comes on top.
    #[must_use]
    pub fn new(
        body: &'a Body,
        skeleton: &'a Skeleton,
        clip: &'a Clip,
        activation: &[f32],
        fps: f32,
        looped: bool,
    ) -> Self {
        let bind = skeleton.bind_matrices();
        let mut take = Self {
            body,
            skeleton,
            clip,
            activation: body.play(Some(&clip.name), activation),
            looped,
            pace: if looped { body.lap_pace(clip.duration()) } else { 1.0 },
            is_side: Vec::new(),
            aside: None,
            kept: None,
            times: frame_times(clip.duration(), fps),
            pose: Pose::rest(skeleton),
            bind_from_model: bind.iter().map(Affine3A::inverse).collect(),
            since_bind: vec![Affine3A::IDENTITY; bind.len()],
            model_from_joint: bind,
            world_from_model: Affine3A::IDENTITY,
            state: BodyState::new(body),
            frame: 0,
            start: None,
            surroundings: Surroundings::default(),
            impulses: Vec::new(),
        };
        take.is_side = vec![false; take.times.len()];
        take
    }

    /// The same take among things that strike it or stand in its way.
    #[must_use]
    pub fn among(mut self, surroundings: &Surroundings) -> Self {
        if self.surroundings != *surroundings {
            self.surroundings.clone_from(surroundings);
            (self.frame, self.aside, self.start, self.kept) = (0, None, None, None);
            self.world_from_model = Affine3A::IDENTITY;
        }
        self
    }

    /// Whether it is taken as a loop.
    #[must_use]
    pub fn is_looped(&self) -> bool {
        self.looped
    }

    /// Times of its frames, seconds: the first is 0, the last the end of the clip.
    #[must_use]
    pub fn times(&self) -> &[f32] {
        &self.times
    }

    /// M B⁻¹ of every joint at the moment shown.
    #[must_use]
    pub fn since_bind(&self) -> &[Affine3A] {
        &self.since_bind
    }

    /// The solved skin at the moment shown.
    #[must_use]
    pub fn state(&self) -> &BodyState {
        &self.state
    }

    /// How it begins; found on the first call.
    #[must_use]
    pub fn start(&mut self) -> Start {
        if self.start.is_none() {
            // nobody stops it here
            let _ = self.find_start(|_| Ok(()));
        }
        self.start.clone().unwrap_or_else(|| self.here())
    }

    /// Find how it begins, watched: that of a loop of tissue takes many laps.
    ///
    /// # Errors
    /// When it is stopped; then it is found another time.
    pub fn find_start(&mut self, mut told: impl FnMut(f32) -> Result<(), Stopped>) -> Result<(), Stopped> {
        if self.start.is_some() {
            return Ok(());
        }
        self.world_from_model = Affine3A::IDENTITY;
        self.step(0.0, 0.0, true, Detail::MUSCLES);
        let frame = self.times.get(1).map_or(1.0 / 30.0, |second| *second);
        for _ in 0..(HELD / frame).ceil() as usize {
            told(0.0)?;
            self.step(0.0, frame, false, Detail::MUSCLES);
        }
        if self.looped && self.times.len() > 1 {
            self.run_in(told)?;
        }
        self.start = Some(self.here());
        Ok(())
    }

    /// What a player must know to go on from here.
    fn here(&self) -> Start {
        Start { springs: self.state.snapshot(), world_from_model: self.world_from_model, pace: self.pace }
    }

    /// To the first frame, every spring as it is there.
    pub fn rewind(&mut self) {
        let Start { springs, world_from_model, .. } = self.start();
        self.state.restore(&springs);
        (self.frame, self.aside, self.world_from_model) = (0, None, world_from_model);
    }

    /// Solve the next frame; the first call, or the first after a rewind, shows the first.
    pub fn advance(&mut self, detail: Detail) {
        if self.start.is_none() {
            self.rewind();
        }
        let (time, dt) = self.go_on();
        self.step(time, dt, false, detail);
    }

    /// Show every frame in its turn.
    pub fn each_frame(&mut self, detail: Detail, mut look: impl FnMut(&Self)) {
        if self.kept.is_some() {
            for moment in self.moments().iter().filter(|moment| moment.is_key) {
                self.show(moment, detail);
                look(self);
            }
            return;
        }
        self.rewind();
        for _ in 0..self.times.len() {
            self.advance(detail);
            look(self);
        }
    }

    /// Solve the moment midway between the frame shown and the next, show it and its time to `look`, and go back.
    /// There is none after the last frame, nor where a further frame already is.
    pub fn midway(&mut self, detail: Detail, look: impl FnOnce(&Self, f32)) {
        let Some((time, dt)) = self.next_midway() else { return };
        let before = self.state.snapshot();
        self.step(time, dt, false, detail);
        look(self, time);
        self.state.restore(&before);
    }

    /// All frames and what is midway between them, in the order of time. Of a take that keeps nothing, only muscles are
    /// played for it: skin is left to whoever shows a moment.
    pub fn moments(&mut self) -> Vec<Moment> {
        self.rewind();
        let mut moments = Vec::with_capacity(2 * self.times.len());
        for _ in 0..self.times.len() {
            let (time, dt) = self.go_on();
            let skin = self.skin(time, dt);
            if let Skin::Solved { .. } = skin {
                self.step(time, dt, false, Detail::MUSCLES);
            }
            moments.push(Moment { time, is_key: true, skin });
            let midway = self.next_midway();
            moments.extend(midway.map(|(time, dt)| Moment { time, is_key: false, skin: self.skin(time, dt) }));
        }
        moments
    }

    /// The skin of a moment that comes `dt` seconds after what is remembered now.
    fn skin(&self, time: f32, dt: f32) -> Skin {
        let kept = self.kept.as_ref().and_then(|of| Some((of.at(time)?, of)));
        match kept {
            Some((row, of)) => Skin::Kept { row, of: of.clone() },
            None => Skin::Solved { dt, before: Box::new(self.state.snapshot()) },
        }
    }

    /// Show that moment, whatever was shown before, on the calling thread if it is of no pool. Of a moment that was kept,
    /// only joints and skin are shown.
    pub fn show(&mut self, moment: &Moment, detail: Detail) {
        match &moment.skin {
            Skin::Solved { dt, before } => {
                self.state.restore(before);
                self.solve(moment.time, *dt, false, detail);
            }
            Skin::Kept { row, of } => {
                self.sample(moment.time);
                self.body.show_skin(&mut self.state, of.skin(*row), detail);
            }
        }
    }

    /// Solve all of it and keep the skin, where solving it again for every pass would cost more than memory: where there is
    /// tissue. What is shown from then on is the same to the bit.
    ///
    /// # Errors
    /// When it is stopped; then nothing is kept.
    pub fn keep(&mut self, mut told: impl FnMut(f32) -> Result<(), Stopped>) -> Result<(), Stopped> {
        if self.kept.is_some() || !self.body.has_tissue() {
            return Ok(());
        }
        self.find_start(|done| told(FINDING * done))?;
        self.rewind();
        let n_frame = self.times.len();
        let mut kept = Kept::with_room(2 * n_frame, self.body.n_vertex());
        let mut beside = self.clone();
        for frame in 0..n_frame {
            // the next frame does not depend on what is midway before it
            let midway = self.next_midway();
            let midway = midway.map(|(time, dt)| Moment { time, is_key: false, skin: self.skin(time, dt) });
            rayon::join(
                || self.advance(Detail::POSITIONS),
                || midway.iter().for_each(|midway| beside.show(midway, Detail::POSITIONS)),
            );
            midway.iter().for_each(|midway| kept.push(midway.time, beside.state.positions()));
            kept.push(self.times[frame], self.state.positions());
            told(FINDING + (1.0 - FINDING) * (frame + 1) as f32 / n_frame as f32)?;
        }
        self.kept = Some(Arc::new(kept));
        Ok(())
    }

    /// Go to where the next frame starts from; its time, and how long it takes.
    fn go_on(&mut self) -> (f32, f32) {
        if let Some(before) = self.aside.take() {
            self.state.restore(&before);
        }
        if self.is_side[self.frame] {
            self.aside = Some(self.state.snapshot());
        }
        let time = self.times[self.frame];
        let from = (0..self.frame).rev().find(|&frame| !self.is_side[frame]);
        let dt = from.map_or(0.0, |from| time - self.times[from]);
        self.frame += 1;
        (time, dt)
    }

    /// When it is midway between the frame shown and the next, and how long after it, if anything is to be seen there.
    fn next_midway(&self) -> Option<(f32, f32)> {
        let last = self.frame.checked_sub(1)?;
        if self.is_side[last] || *self.is_side.get(self.frame)? {
            return None;
        }
        let time = 0.5 * (self.times[last] + self.times[self.frame]);
        Some((time, time - self.times[last]))
    }

    /// Give it further frames at these moments, which lie midway between frames. They are shown in their turn, but the
    /// frames around them are what they were without.
    pub fn add_midway_frames(&mut self, moments: &[f32]) {
        for &time in moments {
            let at = self.times.partition_point(|&other| other < time);
            self.times.insert(at, time);
            self.is_side.insert(at, true);
        }
    }

    /// Play laps until one ends where it began, and go back to that beginning: its seam is what was measured. Where none does,
    /// the lap that came nearest.
    fn run_in(&mut self, mut told: impl FnMut(f32) -> Result<(), Stopped>) -> Result<(), Stopped> {
        let end = self.times[self.times.len() - 1];
        let (away, has_tissue) = (lap(self.skeleton, self.clip, end), self.body.has_tissue());
        let allowed = self.body_height() * if has_tissue { SAME_LAP_OF_TISSUE } else { SAME_LAP };
        self.step(0.0, 0.0, false, Detail::POSITIONS);
        let mut nearest: Option<(f32, Snapshot, Affine3A)> = None;
        for lap in 0..MOST_LAPS {
            let (springs, stands) = (self.state.snapshot(), self.world_from_model);
            let before = self.state.positions().to_vec();
            for frame in 1..self.times.len() {
                // nobody knows how many laps it takes: most come round early
                told(1.0 - 0.8_f32.powf(lap as f32 + frame as f32 / self.times.len() as f32))?;
                self.step(self.times[frame], self.times[frame] - self.times[frame - 1], false, Detail::MUSCLES);
            }
            self.world_from_model *= away;
            self.step(0.0, 0.0, false, Detail::POSITIONS);
            let places = before.iter().zip(self.state.positions());
            let seam = places.fold(0.0, |far: f32, (a, b)| far.max(a.distance(*b)));
            // few springs may all pass through rest by chance as the first lap ends; so many particles do not
            let counts = lap > 0 || has_tissue;
            if counts && nearest.as_ref().is_none_or(|(least, ..)| seam < *least) {
                nearest = Some((seam, springs, stands));
            }
            if counts && seam <= allowed {
                break;
            }
        }
        if let Some((_, springs, stands)) = nearest {
            self.state.restore(&springs);
            self.world_from_model = stands;
        }
        Ok(())
    }

    fn body_height(&self) -> f32 {
        let points = self.state.positions();
        let first = points.first().copied().unwrap_or_default();
        let (low, high) = points.iter().fold((first, first), |(low, high), p| (low.min(*p), high.max(*p)));
        (high - low).max_element()
    }

    fn sample(&mut self, time: f32) {
        self.pose.reset(self.skeleton);
        self.clip.sample(time, &mut self.pose);
        self.pose.to_model(self.skeleton, &mut self.model_from_joint);
        for ((since, now), bind) in self.since_bind.iter_mut().zip(&self.model_from_joint).zip(&self.bind_from_model) {
            *since = *now * *bind;
        }
    }

    fn step(&mut self, time: f32, dt: f32, teleport: bool, detail: Detail) {
        if detail.skin || self.body.has_tissue() {
            // inside the pool the solver shares a frame out among its threads
            rayon::scope(|_| self.solve(time, dt, teleport, detail));
        } else {
            self.solve(time, dt, teleport, detail);
        }
    }

    fn solve(&mut self, time: f32, dt: f32, teleport: bool, detail: Detail) {
        for part in frame_parts(self.body, time, dt) {
            let detail = if part.is_last { detail } else { Detail::MUSCLES };
            self.solve_part(part.time, part.dt, teleport, detail);
        }
    }

    fn solve_part(&mut self, time: f32, dt: f32, teleport: bool, detail: Detail) {
        self.sample(time);
        let mut input = StepInput::new(&self.model_from_joint, self.pace * dt);
        (input.activation, input.teleport, input.detail) = (self.activation.at(time), teleport, detail);
        input.world_from_model = self.world_from_model;
        let joints = &self.model_from_joint;
        self.surroundings.impulses((time, dt), joints, &self.world_from_model, &mut self.impulses);
        (input.impulses, input.contacts) = (&self.impulses, &self.surroundings.contacts);
        self.body.step(&mut self.state, &input);
    }
}

/// Share of solving a take that finding its start is, of all that is told of its progress.
pub const FINDING: f32 = 0.3;
/// Share of a bake with tissue that solving is, likewise.
const SOLVING: f32 = 0.7;

/// Find how takes begin, and let them keep their skin where that pays ([`Take::keep`]); returns the share of the whole
/// bake that this was.
pub fn keep(takes: &mut [Take], mut told: impl FnMut(f32) -> Result<(), Stopped>) -> Result<f32, Stopped> {
    let total = takes.len() as f32;
    let solving = if takes.iter().any(|take| take.body.has_tissue()) { SOLVING } else { 0.0 };
    for (i, take) in takes.iter_mut().enumerate() {
        let mut reached = |done: f32| told(solving * (i as f32 + done) / total);
        take.find_start(|done| reached(FINDING * done))?;
        take.keep(reached)?;
    }
    Ok(solving)
}

/// Every 1/fps from 0, and the end.
fn frame_times(duration: f32, fps: f32) -> Vec<f32> {
    let whole = (duration * fps + 1e-3) as usize;
    let mut times: Vec<f32> = (0..=whole).map(|frame| (frame as f32 / fps).min(duration)).collect();
    if duration - times[whole] > 0.01 / fps {
        times.push(duration);
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_reach_from_the_start_to_the_very_end() {
        assert_eq!(frame_times(0.0, 30.0), [0.0]);
        assert_eq!(frame_times(0.1, 20.0), [0.0, 0.05, 0.1]);
        assert_eq!(frame_times(0.12, 20.0), [0.0, 0.05, 0.1, 0.12]);
    }
}
