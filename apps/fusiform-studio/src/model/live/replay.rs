//! Replay: a clip stepped exactly as a bake steps it, so that what is seen is what would be baked, to the bit.
//!
//! A bake begins where springs have settled, or where a loop has come round; that is found beside the window. From there on
//! frame follows frame at the bake's own rate, and none is left out: a display that is slower plays more slowly.

use crate::model::system::Instant;
use crate::model::{Fault, Job};
use fusiform::body::{PlayedActivation, Snapshot};
use fusiform::{Body, BodyState, Character, Detail, Pose, StepInput};
use fusiform_bake::{Start, Stopped, Take, comes_round, frame_parts};
use glam::Affine3A;
use std::time::Duration;

/// Frames from one that can be gone back to at once to the next, while there is room for all of these.
const MARK: usize = 8;
/// What they may take, bytes: beyond it every other one goes.
const ROOM: usize = 512 << 20;
/// What a snapshot keeps of a point of tissue or of a soft belly, and of a muscle's spring, bytes, at most.
const PER_POINT: usize = 150;
/// What frames may take of one of the display's: whoever scrubs far ahead sees it come, and the window stays awake.
const BUDGET: Duration = Duration::from_millis(40);
/// Seconds by which a moment may miss its frame.
const NEAR: f32 = 1e-4;

/// How a clip is baked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsBaked {
    /// Frames a second, 1 to 240.
    pub fps: u16,
    /// Whether it loops; where this says nothing, if it ends as it began.
    pub looped: Option<bool>,
    /// Whether muscles are as tense as they were set by hand, on top of their curves.
    pub by_hand: bool,
}

impl Default for AsBaked {
    fn default() -> Self {
        Self { fps: 30, looped: None, by_hand: false }
    }
}

/// What frames are solved with.
pub(super) struct Scene<'a> {
    pub body: &'a Body,
    pub state: &'a mut BodyState,
    pub character: &'a Character,
    pub clip: usize,
    pub activation: &'a mut PlayedActivation,
    pub pose: &'a mut Pose,
    pub model_from_joint: &'a mut [Affine3A],
}

/// A clip being replayed.
#[derive(Debug)]
pub(super) struct Replay {
    start: Start,
    times: Vec<f32>,
    looped: bool,
    marks: Vec<Snapshot>, // before every `step` frames
    step: usize,
    most: usize, // marks there is room for
    shown: Option<usize>,
}

/// How a take of a clip begins, on the calling thread.
pub(super) fn found(
    (body, character, clip): (&Body, &Character, usize),
    levels: &[f32],
    how: AsBaked,
    told: impl FnMut(f32) -> Result<(), Stopped>,
) -> Result<Replay, Stopped> {
    let (skeleton, clip) = (&character.skeleton, &character.clips[clip]);
    let looped = how.looped.unwrap_or_else(|| comes_round(skeleton, clip));
    let mut take = Take::new(body, skeleton, clip, levels, f32::from(how.fps.clamp(1, 240)), looped);
    take.find_start(told)?;
    let start = take.start();
    let marks = vec![start.springs.clone()];
    let most = (ROOM / size_of_mark(body)).max(2);
    Ok(Replay { times: take.times().to_vec(), looped, start, marks, step: MARK, most, shown: None })
}

/// What a snapshot of that body takes at most, bytes.
fn size_of_mark(body: &Body) -> usize {
    let bellies: usize = (0..body.n_muscle()).map(|m| body.belly_size(m)).sum();
    let skin = if body.has_tissue() { body.n_vertex() } else { 0 };
    PER_POINT * (1 + body.n_muscle() + bellies + skin)
}

/// The same beside the window; nothing when it was stopped.
pub(super) fn find(
    (body, character, clip): (&Body, &Character, usize),
    levels: &[f32],
    how: AsBaked,
) -> Job<Option<Replay>> {
    let few = Character {
        name: String::new(),
        skeleton: character.skeleton.clone(),
        meshes: Vec::new(),
        clips: vec![character.clips[clip].clone()],
    };
    let (body, levels) = (body.clone(), levels.to_vec());
    Job::begin("Run in", move |pace| -> Result<_, Fault> {
        let told = |done| pace.reach(done).map_err(|_| Stopped);
        Ok(found((&body, &few, 0), &levels, how, told).ok())
    })
}

impl Replay {
    /// Times of its frames, s.
    pub fn times(&self) -> &[f32] {
        &self.times
    }

    /// Whether it is taken as a loop.
    pub fn is_looped(&self) -> bool {
        self.looped
    }

    /// The frame that is shown.
    pub fn shown(&self) -> Option<usize> {
        self.shown
    }

    /// The frame that a player shows at that moment.
    pub fn at(&self, time: f32) -> usize {
        self.times.partition_point(|&frame| frame <= time + NEAR).saturating_sub(1)
    }

    /// Solve on to that frame, as far as one frame of the display allows; at least one frame is solved.
    pub fn go(&mut self, wanted: usize, scene: &mut Scene) {
        let begin = Instant::now();
        while self.shown != Some(wanted) {
            self.go_on(wanted, scene);
            if begin.elapsed() > BUDGET {
                break;
            }
        }
    }

    /// Solve all the way to that frame.
    pub fn show(&mut self, wanted: usize, scene: &mut Scene) {
        while self.shown != Some(wanted) {
            self.go_on(wanted, scene);
        }
    }

    /// Solve one frame on the way there.
    fn go_on(&mut self, wanted: usize, scene: &mut Scene) {
        let mark = (wanted / self.step).min(self.marks.len() - 1);
        let frame = match self.shown {
            Some(shown) if shown < wanted && mark * self.step <= shown + 1 => shown + 1,
            _ => {
                scene.state.restore(&self.marks[mark]);
                mark * self.step
            }
        };
        if frame == self.step * self.marks.len() {
            self.marks.push(scene.state.snapshot());
            self.thin();
        }
        let dt = frame.checked_sub(1).map_or(0.0, |before| self.times[frame] - self.times[before]);
        scene.solve(&self.start, self.times[frame], dt);
        self.shown = Some(frame);
    }

    /// Where there are more marks than there is room for, every other one goes: a long motion is gone back in more slowly.
    fn thin(&mut self) {
        if self.marks.len() > self.most {
            self.marks = std::mem::take(&mut self.marks).into_iter().step_by(2).collect();
            self.step *= 2;
        }
    }
}

impl Scene<'_> {
    fn solve(&mut self, start: &Start, time: f32, dt: f32) {
        let (skeleton, clip) = (&self.character.skeleton, &self.character.clips[self.clip]);
        for part in frame_parts(self.body, time, dt) {
            self.pose.reset(skeleton);
            clip.sample(part.time, self.pose);
            self.pose.to_model(skeleton, self.model_from_joint);
            let mut input = StepInput::new(self.model_from_joint, start.pace * part.dt);
            input.activation = self.activation.at(part.time);
            input.world_from_model = start.world_from_model;
            input.detail = if part.is_last { Detail::default() } else { Detail::MUSCLES };
            super::solve(self.body, self.state, &input);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Live, Project};

    #[test]
    fn a_long_motion_keeps_few_marks_and_is_gone_back_in_to_the_bit() {
        let (project, muscles) = Project::athlete(Some(3_700)).unwrap();
        let (character, how) = (&project.character, AsBaked { fps: 60, ..AsBaked::default() });
        let mut live = Live::new(character, &muscles).unwrap();
        let n = live.begin_baked(character, 0, how, |_| Ok(())).unwrap();
        live.replay.as_mut().unwrap().most = 3;
        let mut shown = |frame: usize| {
            live.show_baked(character, frame);
            let replay = live.replay.as_ref().unwrap();
            assert!(replay.marks.len() <= 3, "{} marks", replay.marks.len());
            (live.muscled().1.positions().to_vec(), live.replay.as_ref().unwrap().step)
        };
        let frames: Vec<_> = (0..n).map(|frame| shown(frame).0).collect();
        assert!(n > 6 * MARK, "{n} frames are few");
        for frame in [n - 1, 2, n / 2, n / 3, n / 3 + 1, 0, n - 2] {
            let (places, step) = shown(frame);
            assert!(places == frames[frame] && step > MARK, "frame {frame}, a mark every {step}");
        }
    }
}
