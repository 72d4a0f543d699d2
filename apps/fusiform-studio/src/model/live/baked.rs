//! Playing as baked: when the live body is stepped by its [`Replay`](super::replay), and what is told of it.

use super::Live;
use super::replay::{self, AsBaked, Scene};
use fusiform::Character;
use fusiform_bake::Stopped;

/// A moment is that of a frame within this share of one.
const NEAR: f32 = 1e-3;
/// What is left after the last whole frame is one of its own, as a bake has it, where it is no less of one than this.
const SHORTEST: f32 = 0.01;

impl Live {
    /// Step clips as a bake steps them, or as the display goes.
    pub fn play_baked(&mut self, character: &Character, how: Option<AsBaked>) {
        if self.playing.baked != how {
            if let Some(seen) = self.replay.as_ref().and_then(|replay| replay.times().get(replay.shown()?)) {
                self.playing.time = *seen; // what is done to the pose that is seen is done to that one
            }
            self.playing.baked = how;
            self.turned.clear();
            self.choose_activation(character);
            self.forget_replay();
        }
    }

    /// Something is another than it was: the start has to be found anew.
    pub(super) fn forget_replay(&mut self) {
        // what a replay leaves stands where its lap began, which may be elsewhere
        self.teleports |= self.replay.is_some();
        (self.finding, self.replay) = (None, None);
        self.still = 0;
    }

    /// Find how a bake begins, beside the window.
    pub(super) fn find_replay(&mut self, character: &Character) {
        if let Some(found) = self.finding.as_mut().and_then(super::Job::poll) {
            self.finding = None;
            // it was not stopped, or it would have been forgotten
            self.replay = found.ok().flatten();
        }
        if let (Some(how), Some(clip), None, None) =
            (self.playing.baked, self.playing.clip, &self.finding, &self.replay)
        {
            self.finding = Some(replay::find((&self.body, character, clip), self.played_levels(), how));
        }
    }

    /// Show the frame that a baked file would show; false where it is not yet known how that begins.
    pub(super) fn replay(&mut self, character: &Character) -> bool {
        let Some(mut replay) = self.replay.take() else { return false };
        let (wanted, before) = (replay.at(self.playing.time), replay.shown());
        if let Some(mut scene) = self.scene(character) {
            replay.go(wanted, &mut scene);
        }
        if replay.shown() != before {
            self.moment = super::another();
        }
        // no frame is left out: what takes longer is played more slowly
        if let Some(shown) = replay.shown().filter(|&shown| self.playing.runs && shown != wanted) {
            self.playing.time = replay.times()[shown];
        }
        self.teleports = true; // whenever it is stepped otherwise again
        self.replay = Some(replay);
        true
    }

    fn scene<'a>(&'a mut self, character: &'a Character) -> Option<Scene<'a>> {
        Some(Scene {
            clip: self.playing.clip?,
            body: &self.body,
            state: &mut self.state,
            character,
            activation: &mut self.activation,
            pose: &mut self.pose,
            model_from_joint: &mut self.model_from_joint,
        })
    }

    /// While a loop comes round before it can be played as baked: how far that is, 0 to 1.
    #[must_use]
    pub fn running_in(&self) -> Option<f32> {
        self.finding.as_ref().map(super::Job::share)
    }

    /// The frame of the bake that is shown, and how many there are; none while it is not played as baked.
    #[must_use]
    pub fn baked_frame(&self) -> Option<(usize, usize)> {
        let replay = self.replay.as_ref()?;
        Some((replay.shown()?, replay.times().len()))
    }

    /// The frame that is shown and how many there are: those of the bake, or as many a second.
    #[must_use]
    pub fn frame(&self, character: &Character) -> (usize, usize) {
        let frames = |time: f32| (time * self.playing.rate() + NEAR) as usize;
        let duration = self.duration(character);
        let whole = frames(duration);
        // the last may be a short one
        let last = whole + usize::from(duration * self.playing.rate() - whole as f32 > SHORTEST);
        let shown = if self.playing.time >= duration { last } else { frames(self.playing.time) };
        self.baked_frame().unwrap_or((shown, last + 1))
    }

    /// The moment of the frame so many after the one that is wanted, s; none while it is not played as baked.
    pub(in crate::model) fn baked_time_after(&self, frames: i32) -> Option<f32> {
        let replay = self.replay.as_ref()?;
        let last = replay.times().len().saturating_sub(1);
        let wanted = replay.at(self.playing.time).saturating_add_signed(frames as isize).min(last);
        replay.times().get(wanted).copied()
    }

    /// Play a clip as baked from now on, on the calling thread: how many frames there are to [`Live::show_baked`]. A loop ends
    /// before it would show its first frame again.
    ///
    /// # Errors
    /// When `told`, which hears how far its start is found, says to stop.
    pub fn begin_baked(
        &mut self,
        character: &Character,
        clip: usize,
        how: AsBaked,
        told: impl FnMut(f32) -> Result<(), Stopped>,
    ) -> Result<usize, Stopped> {
        self.playing.baked = Some(how);
        self.choose(character, Some(clip));
        let replay = replay::found((&self.body, character, clip), self.played_levels(), how, told)?;
        let n = replay.times().len();
        let n = if replay.is_looped() && n > 1 { n - 1 } else { n };
        self.replay = Some(replay);
        Ok(n)
    }

    /// Show that frame of what is played as baked, however long it takes; the last where there are fewer.
    pub fn show_baked(&mut self, character: &Character, frame: usize) {
        let Some(mut replay) = self.replay.take() else { return };
        let frame = frame.min(replay.times().len().saturating_sub(1));
        if let Some(mut scene) = self.scene(character) {
            replay.show(frame, &mut scene);
        }
        self.moment = super::another();
        self.playing.time = replay.times()[frame];
        self.replay = Some(replay);
    }
}
