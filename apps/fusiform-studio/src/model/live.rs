//! Live: the character in motion, solved as a bake solves it.

mod baked;
mod pace;
mod rate;
mod replay;

use super::{Job, system};
use fusiform::body::PlayedActivation;
use fusiform::{BindError, Body, BodyState, Character, Musculature, Pose, StepInput};
use fusiform_bake::{comes_round, lap};
use glam::{Affine3A, Quat, Vec3};
use pace::Pace;
pub use replay::AsBaked;
use replay::Replay;
use std::sync::atomic::{AtomicU64, Ordering};

/// Longest time a frame may take to count as one, s: what comes after a stall is shown, not chased.
const LONGEST_FRAME: f32 = 0.1;

/// Motion nobody sees, m.
const LEAST_SEEN: f32 = 1e-5;

/// Frames without motion until something is at rest: what swings stands still for one or two where it turns.
const STILL_FRAMES: u32 = 20;

/// What is played, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Playing {
    /// Clip; none is the bind pose.
    pub clip: Option<usize>,
    /// Moment of it, s.
    pub time: f32,
    /// Whether time goes on.
    pub runs: bool,
    /// Whether it begins again at its end.
    pub loops: bool,
    /// Times as fast.
    pub speed: f32,
    /// Stepped exactly as a bake would step it, or as the display goes.
    pub baked: Option<AsBaked>,
    /// Frames a second, as the keys of the clip lie.
    made: f32,
}

impl Playing {
    /// Frames a second: those of the bake, or as the clip was made.
    #[must_use]
    pub fn rate(&self) -> f32 {
        self.baked.map_or(self.made, |how| f32::from(how.fps.max(1)))
    }
}

impl Default for Playing {
    fn default() -> Self {
        Self { clip: None, time: 0.0, runs: false, loops: true, speed: 1.0, baked: None, made: rate::USUAL }
    }
}

/// Bodies, states and the pose they are in.
#[derive(Debug)]
pub struct Live {
    /// What is played.
    pub playing: Playing,
    body: Body,
    state: BodyState,
    plain: (Body, BodyState),
    pose: Pose,
    model_from_joint: Vec<Affine3A>,
    turned: Vec<(usize, Quat)>,
    activation: PlayedActivation,
    levels: Vec<f32>,
    teleports: bool,
    world_from_model: Affine3A, // goes on with every lap of a clip that walks away
    finding: Option<Job<Option<Replay>>>,
    replay: Option<Replay>,
    pace: Pace,
    shared: f32,                 // of the time that passes, as far as it can be solved
    bound: u64,                  // of the body
    moment: u64,                 // of what was solved last
    plain_at: u64,               // and of what plain skinning shows
    seen: (Vec<Vec3>, Vec<f32>), // skin, lengths of muscles
    still: u32,                  // frames
}

fn plain_of(musculature: &Musculature) -> Musculature {
    Musculature { base: musculature.base, normals: musculature.normals, ..Musculature::plain() }
}

impl Live {
    /// At rest.
    ///
    /// # Errors
    /// When the document does not fit the character.
    pub fn new(character: &Character, musculature: &Musculature) -> Result<Self, BindError> {
        let body = Body::bind(character, musculature)?;
        let plain = Body::bind(character, &plain_of(musculature))?;
        let mut live = Self {
            playing: Playing::default(),
            state: BodyState::new(&body),
            plain: (plain.clone(), BodyState::new(&plain)),
            pose: Pose::rest(&character.skeleton),
            model_from_joint: character.skeleton.bind_matrices(),
            turned: Vec::new(),
            activation: body.play(None, &[]),
            levels: Vec::new(),
            teleports: true,
            world_from_model: Affine3A::IDENTITY,
            finding: None,
            replay: None,
            pace: Pace::default(),
            shared: 1.0,
            bound: another(),
            moment: another(),
            plain_at: 0,
            seen: Default::default(),
            still: 0,
            body,
        };
        live.state.keep_sections(&live.body);
        live.show(character, 0.0);
        Ok(live)
    }

    /// Go on with an edited document, and with how far each of its muscles is tensed by hand: only what changed is bound anew,
    /// and what swings swings on.
    ///
    /// # Errors
    /// When it does not fit the character; then nothing changes.
    pub fn rebind(
        &mut self,
        character: &Character,
        musculature: &Musculature,
        levels: Vec<f32>,
    ) -> Result<(), BindError> {
        let body = self.body.rebind(character, musculature)?;
        let plain = self.plain.0.rebind(character, &plain_of(musculature))?;
        self.state.adopt(&body);
        self.plain.1.adopt(&plain);
        (self.body, self.plain.0, self.bound) = (body, plain, another());
        if self.playing.clip.is_some_and(|clip| clip >= character.clips.len()) {
            self.carry_clip(None);
        }
        self.levels = levels;
        self.choose_activation(character);
        self.show(character, 0.0);
        self.forget_replay();
        Ok(())
    }

    /// The clip that is played is this one now that others came or went; where it went itself, the bind pose is shown.
    pub(super) fn carry_clip(&mut self, clip: Option<usize>) {
        if clip.is_none() && self.playing.clip.is_some() {
            self.playing = Playing { clip: None, time: 0.0, runs: false, ..self.playing };
            self.teleports = true;
        }
        self.playing.clip = clip;
    }

    /// Play another clip from its start, or none.
    pub fn choose(&mut self, character: &Character, clip: Option<usize>) {
        self.playing.clip = clip.filter(|&clip| clip < character.clips.len());
        self.playing.made = self.playing.clip.map_or(rate::USUAL, |clip| rate::rate(&character.clips[clip]));
        (self.playing.time, self.teleports) = (0.0, true);
        self.turned.clear();
        self.choose_activation(character);
        self.show(character, 0.0);
        self.forget_replay();
    }

    fn choose_activation(&mut self, character: &Character) {
        let name = self.playing.clip.map(|clip| &*character.clips[clip].name);
        self.activation = self.body.play(name, self.played_levels());
    }

    /// How far muscles are tensed by hand in what is played: a bake may do without.
    fn played_levels(&self) -> &[f32] {
        if self.playing.baked.is_none_or(|how| how.by_hand) { &self.levels } else { &[] }
    }

    /// Tense muscles by hand: a level for each, 0 to 1.
    pub fn tense(&mut self, character: &Character, levels: Vec<f32>) {
        self.levels = levels;
        self.choose_activation(character);
        self.forget_replay();
    }

    /// How far each muscle is tensed by hand; may be empty.
    #[must_use]
    pub fn levels(&self) -> &[f32] {
        &self.levels
    }

    /// Seconds the clip lasts; 0 without one.
    #[must_use]
    pub fn duration(&self, character: &Character) -> f32 {
        self.playing.clip.map_or(0.0, |clip| character.clips[clip].duration())
    }

    /// Show another moment; the flesh is carried there in one frame and settles as time goes on.
    pub fn seek(&mut self, character: &Character, time: f32) {
        let time = time.clamp(0.0, self.duration(character));
        let dt = (time - self.playing.time).clamp(0.0, LONGEST_FRAME);
        self.teleports |= time < self.playing.time || time - self.playing.time > LONGEST_FRAME;
        self.playing.time = time;
        self.still = 0;
        if !self.replay(character) {
            self.show(character, dt);
        }
    }

    /// Forget all motion.
    pub fn settle(&mut self, character: &Character) {
        self.teleports = true;
        self.turned.clear();
        self.show(character, 0.0);
        self.forget_replay();
    }

    /// Joints that are turned by hand, on top of the clip.
    #[must_use]
    pub fn turned(&self) -> &[(usize, Quat)] {
        &self.turned
    }

    /// Turn joints by hand, on top of the clip: where they are is known at once, the flesh follows as time goes on.
    pub fn pose(&mut self, character: &Character, turned: &[(usize, Quat)]) {
        if !turned.is_empty() {
            self.play_baked(character, None); // no bake knows of it
        }
        turned.clone_into(&mut self.turned);
        self.place_joints(character);
        self.still = 0;
    }

    /// Let `dt` seconds of the display's time pass; where solving cannot keep up with it, fewer.
    pub fn advance(&mut self, character: &Character, dt: f32) {
        if self.rests() {
            return;
        }
        let runs = self.playing.runs && self.playing.clip.is_some();
        let speed = if runs { self.playing.speed.clamp(0.0, 4.0) } else { 1.0 };
        let mut step = speed * dt.clamp(0.0, LONGEST_FRAME);
        let waits = self.body.has_tissue() && self.replay.is_none();
        self.shared = if waits { self.pace.share(step) } else { 1.0 };
        step *= self.shared;
        if runs {
            self.go_on(character, step);
        }
        self.find_replay(character);
        if !self.replay(character) {
            let begin = system::Instant::now();
            self.show(character, step);
            self.pace.took(step, begin.elapsed().as_secs_f32());
        }
    }

    /// How much slower than it should be flesh is shown, as it takes longer to solve than it lasts: 0.5 is half as fast.
    #[must_use]
    pub fn slowness(&self) -> Option<f32> {
        Some(self.shared).filter(|share| *share < 0.95)
    }

    /// Let that much of the clip pass, s.
    fn go_on(&mut self, character: &Character, step: f32) {
        let (duration, time) = (self.duration(character), self.playing.time + step);
        if time <= duration {
            self.playing.time = time;
        } else if self.playing.loops && duration > 0.0 {
            self.playing.time = time % duration;
            let (skeleton, clip) = (&character.skeleton, &character.clips[self.clip()]);
            if comes_round(skeleton, clip) {
                // the next lap goes on from where the body walked to: flesh sees no jump
                self.world_from_model *= lap(skeleton, clip, duration);
            } else {
                // what does not come round jumps: the flesh is put down, not thrown
                self.teleports = true;
            }
        } else {
            (self.playing.time, self.playing.runs) = (duration, false);
        }
    }

    /// Whether anything moves: asked once a frame, it says so until nothing has for some frames.
    pub fn is_moving(&mut self) -> bool {
        let behind = self.replay.as_ref().is_some_and(|replay| !self.shows(replay));
        if self.playing.runs || behind || (!self.rests() && self.has_moved()) {
            self.still = 0;
        } else {
            self.still = self.still.saturating_add(1);
        }
        self.still < STILL_FRAMES
    }

    /// Whether all there is to see is shown, and nothing of it has moved for some frames.
    fn rests(&self) -> bool {
        !self.playing.runs && self.still >= STILL_FRAMES && self.is_shown()
    }

    /// Whether the moment that is asked for is shown; what is not played as baked always shows it.
    fn is_shown(&self) -> bool {
        let is_baked = self.playing.baked.is_some() && self.playing.clip.is_some();
        !is_baked || self.replay.as_ref().is_some_and(|replay| self.shows(replay))
    }

    fn shows(&self, replay: &Replay) -> bool {
        replay.shown() == Some(replay.at(self.playing.time))
    }

    /// Another number whenever the body is bound, in any session.
    #[must_use]
    pub fn bound(&self) -> u64 {
        self.bound
    }

    /// Another number whenever something was solved, in any session.
    #[must_use]
    pub fn moment(&self) -> u64 {
        self.moment
    }

    /// Whether skin or muscles are elsewhere than when this was last asked.
    fn has_moved(&mut self) -> bool {
        let (skin, lengths) = (self.state.positions(), self.state.belly_lengths());
        let moves = |(a, b): (&Vec3, &Vec3)| (*a - *b).abs().max_element() > LEAST_SEEN;
        let stretches = |(a, b): (&f32, &f32)| (a - b).abs() > LEAST_SEEN;
        let (seen_skin, seen_lengths) = &mut self.seen;
        let moved = skin.len() != seen_skin.len()
            || lengths.len() != seen_lengths.len()
            || skin.iter().zip(&*seen_skin).any(moves)
            || lengths.iter().zip(&*seen_lengths).any(stretches);
        if moved {
            skin.clone_into(seen_skin);
            lengths.clone_into(seen_lengths);
        }
        moved
    }

    fn clip(&self) -> usize {
        self.playing.clip.unwrap_or(0)
    }

    /// Where joints are: as the clip has them at this moment, and turned by hand on top of it.
    fn place_joints(&mut self, character: &Character) {
        let skeleton = &character.skeleton;
        self.pose.reset(skeleton);
        if let Some(clip) = self.playing.clip {
            character.clips[clip].sample(self.playing.time, &mut self.pose);
        }
        for &(joint, turn) in &self.turned {
            let local = &mut self.pose.local[joint];
            local.rotation = (local.rotation * turn).normalize();
        }
        self.pose.to_model(skeleton, &mut self.model_from_joint);
    }

    fn show(&mut self, character: &Character, dt: f32) {
        self.place_joints(character);
        let mut input = StepInput::new(&self.model_from_joint, dt);
        input.teleport = std::mem::take(&mut self.teleports);
        if input.teleport {
            self.world_from_model = Affine3A::IDENTITY;
        }
        input.world_from_model = self.world_from_model;
        input.activation = self.activation.at(self.playing.time);
        solve(&self.body, &mut self.state, &input);
        self.moment = another();
    }

    /// Skin the same pose by joints alone.
    pub fn show_plain(&mut self) {
        if self.plain_at != self.moment {
            let (body, state) = &mut self.plain;
            body.step(state, &StepInput::new(&self.model_from_joint, 0.0));
            self.plain_at = self.moment;
        }
    }

    /// The body with muscles, and its state.
    #[must_use]
    pub fn muscled(&self) -> (&Body, &BodyState) {
        (&self.body, &self.state)
    }

    /// Plain skinning, as [`Live::show_plain`] left it.
    #[must_use]
    pub fn plain(&self) -> &BodyState {
        &self.plain.1
    }

    /// Where joints are.
    #[must_use]
    pub fn model_from_joint(&self) -> &[Affine3A] {
        &self.model_from_joint
    }
}

/// A frame; that of flesh, which takes long, on all cores.
fn solve(body: &Body, state: &mut BodyState, input: &StepInput) {
    if body.has_tissue() {
        system::in_pool(|| body.step(state, input));
    } else {
        body.step(state, input);
    }
}

/// A number that nothing else has.
fn another() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
