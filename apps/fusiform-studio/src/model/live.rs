//! Live: the character in motion, solved as a bake solves it.

mod baked;
mod replay;

use super::Job;
use fusiform::body::PlayedActivation;
use fusiform::{BindError, Body, BodyState, Character, Musculature, Pose, StepInput};
use glam::{Affine3A, Quat};
pub use replay::AsBaked;
use replay::Replay;

/// Longest time a frame may take to count as one, s: what comes after a stall is shown, not chased.
const LONGEST_FRAME: f32 = 0.1;

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
}

impl Default for Playing {
    fn default() -> Self {
        Self { clip: None, time: 0.0, runs: false, loops: true, speed: 1.0, baked: None }
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
    finding: Option<Job<Option<Replay>>>,
    replay: Option<Replay>,
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
            finding: None,
            replay: None,
            body,
        };
        live.show(character, 0.0);
        Ok(live)
    }

    /// Go on with an edited document: only what changed is bound anew, and what swings swings on.
    ///
    /// # Errors
    /// When it does not fit the character; then nothing changes.
    pub fn rebind(&mut self, character: &Character, musculature: &Musculature) -> Result<(), BindError> {
        let body = self.body.rebind(character, musculature)?;
        let plain = self.plain.0.rebind(character, &plain_of(musculature))?;
        self.state.adopt(&body);
        self.plain.1.adopt(&plain);
        (self.body, self.plain.0) = (body, plain);
        if self.playing.clip.is_some_and(|clip| clip >= character.clips.len()) {
            self.playing = Playing { clip: None, time: 0.0, runs: false, ..self.playing };
        }
        self.levels.resize(musculature.muscles.len(), 0.0);
        self.choose_activation(character);
        self.show(character, 0.0);
        self.forget_replay();
        Ok(())
    }

    /// Play another clip from its start, or none.
    pub fn choose(&mut self, character: &Character, clip: Option<usize>) {
        self.playing.clip = clip.filter(|&clip| clip < character.clips.len());
        (self.playing.time, self.teleports) = (0.0, true);
        self.turned.clear();
        self.choose_activation(character);
        self.show(character, 0.0);
        self.forget_replay();
    }

    fn choose_activation(&mut self, character: &Character) {
        let name = self.playing.clip.map(|clip| &*character.clips[clip].name);
        self.activation = self.body.play(name, &self.levels);
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

    /// Turn a joint by hand, on top of the clip: in model space, about its own place.
    pub fn turn(&mut self, joint: usize, by: Quat) {
        // no bake knows of it
        self.play_baked(None);
        // q R = P L (R^-1 q R), so what stands behind the joint's own rotation L is q as its axes see it
        let (_, model_from_joint, _) = self.model_from_joint[joint].to_scale_rotation_translation();
        let by = (model_from_joint.inverse() * by * model_from_joint).normalize();
        if !by.is_finite() {
            return; // no turn, or a joint that is flat
        }
        match self.turned.iter_mut().find(|(of, _)| *of == joint) {
            Some((_, turn)) => *turn = (*turn * by).normalize(),
            None => self.turned.push((joint, by)),
        }
    }

    /// Let `dt` seconds of the display's time pass.
    pub fn advance(&mut self, character: &Character, dt: f32) {
        let dt = dt.clamp(0.0, LONGEST_FRAME);
        let mut step = dt;
        if self.playing.runs && self.playing.clip.is_some() {
            let (duration, speed) = (self.duration(character), self.playing.speed.clamp(0.0, 4.0));
            let time = self.playing.time + speed * dt;
            step = speed * dt;
            if time <= duration {
                self.playing.time = time;
            } else if self.playing.loops && duration > 0.0 {
                self.playing.time = time % duration;
                // clips that do not come round jump: the flesh is put down, not thrown
                self.teleports |= !fusiform_bake::comes_round(&character.skeleton, &character.clips[self.clip()]);
            } else {
                (self.playing.time, self.playing.runs) = (duration, false);
            }
        }
        self.find_replay(character);
        if !self.replay(character) {
            self.show(character, step);
        }
    }

    fn clip(&self) -> usize {
        self.playing.clip.unwrap_or(0)
    }

    fn show(&mut self, character: &Character, dt: f32) {
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
        let mut input = StepInput::new(&self.model_from_joint, dt);
        input.teleport = std::mem::take(&mut self.teleports);
        input.activation = self.activation.at(self.playing.time);
        self.body.step(&mut self.state, &input);
    }

    /// Skin the same pose by joints alone.
    pub fn show_plain(&mut self) {
        let (body, state) = &mut self.plain;
        body.step(state, &StepInput::new(&self.model_from_joint, 0.0));
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
