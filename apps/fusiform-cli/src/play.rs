//! Playing a clip: the muscled body frame after frame, plain skinning beside it where it is asked for.

use crate::failure::Failure;
use crate::measure;
use crate::source::Subject;
use fusiform::body::{Impulse, PlayedActivation};
use fusiform::{Body, BodyState, Character, Clip, Detail, Musculature, Pose, StepInput};
use fusiform_bake::{HELD, Start, Surroundings, Take, comes_round, parts_of_frame};
use fusiform_files::gltf::{Playback, skin};
use fusiform_picture::smooth_normals;
use glam::{Affine3A, Vec3};
use std::time::{Duration, Instant};

/// A character in motion. Two players of one subject that seek the same times show the same bits.
pub struct Player<'a> {
    /// What is played.
    pub subject: &'a Subject,
    clip: Option<&'a Clip>,
    activation: PlayedActivation,
    fps: f32,
    time: f32,
    pose: Pose,
    model_from_joint: Vec<Affine3A>,
    start: Option<Start>,
    muscled: (Body, BodyState),
    plain: (Body, BodyState),
    baked: Option<Baked>,
    surroundings: Surroundings,
    impulses: Vec<Impulse>,
}

/// What a file's own morph targets make of its skin; they take the place of muscles.
struct Baked {
    playback: Playback,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl<'a> Player<'a> {
    /// A player at the start of the clip, or in the rest pose without one. `activation` has a level for every muscle,
    /// or is empty; what the muscles' own curves say of the clip comes on top.
    pub fn new(subject: &'a Subject, clip: Option<&'a Clip>, activation: Vec<f32>, fps: f32) -> Result<Self, Failure> {
        Self::among(subject, clip, activation, fps, Surroundings::default())
    }

    /// The same among things that strike it or stand in its way.
    pub fn among(
        subject: &'a Subject,
        clip: Option<&'a Clip>,
        activation: Vec<f32>,
        fps: f32,
        surroundings: Surroundings,
    ) -> Result<Self, Failure> {
        let Subject { character, musculature, .. } = subject;
        let bound = |musculature: &Musculature| -> Result<(Body, BodyState), Failure> {
            let body = Body::bind(character, musculature).map_err(|error| Failure::bind(&subject.file, &error))?;
            let state = BodyState::new(&body);
            Ok((body, state))
        };
        let plain = Musculature { base: musculature.base, normals: musculature.normals, ..Musculature::plain() };
        let muscled = bound(musculature)?;
        let start = clip.map(|clip| {
            let looped = comes_round(&character.skeleton, clip);
            let take = Take::new(&muscled.0, &character.skeleton, clip, &activation, fps, looped);
            take.among(&surroundings).start()
        });
        let mut player = Self {
            start,
            subject,
            clip,
            activation: muscled.0.play(clip.map(|clip| &*clip.name), &activation),
            fps,
            time: 0.0,
            pose: Pose::rest(&character.skeleton),
            model_from_joint: character.skeleton.bind_matrices(),
            muscled,
            plain: bound(&plain)?,
            baked: baked(subject)?,
            surroundings,
            impulses: Vec::new(),
        };
        player.restart();
        Ok(player)
    }

    /// Whether the file has activation keyed to the clip.
    pub fn is_keyed(&self) -> bool {
        let name = self.clip.map(|clip| &*clip.name);
        self.subject.musculature.activation.curves.iter().any(|curves| Some(&*curves.clip) == name)
    }

    /// Back to the start: as a bake begins the clip, or at rest without one.
    pub fn restart(&mut self) {
        self.time = 0.0;
        if let Some(start) = &self.start {
            self.muscled.1.restore(&start.springs);
        } else {
            self.step(0.0, true, Detail::MUSCLES);
            for _ in 0..(HELD * self.fps).ceil() as usize {
                self.step(1.0 / self.fps, false, Detail::MUSCLES);
            }
        }
        self.show(0.0, Detail::default());
    }

    /// Play on to that time, and solve the skin there; an earlier time plays again from the start.
    pub fn seek(&mut self, time: f32, detail: Detail) {
        if time < self.time {
            self.restart();
        }
        // frame by frame as a bake does, to the bit
        let mut frame = (self.time * self.fps + 1e-3) as usize + 1;
        while (frame as f32 / self.fps) < time - 1e-5 {
            let now = frame as f32 / self.fps;
            let dt = now - self.time;
            self.time = now;
            self.step(dt, false, Detail::MUSCLES);
            frame += 1;
        }
        let rest = time - self.time;
        self.time = time;
        self.show(rest, detail);
    }

    /// Show each of these ascending times in turn.
    pub fn play(&mut self, times: &[f32], detail: Detail, mut each: impl FnMut(&Self, f32)) {
        self.restart();
        for &time in times {
            self.seek(time, detail);
            each(self, time);
        }
    }

    /// The frame of the clip whose skin is farthest from plain skinning, and that distance in metres.
    pub fn peak(&mut self) -> (f32, f32) {
        let mut peak = (0.0, 0.0);
        self.play(&self.frames(), Detail::POSITIONS, |player, time| {
            let greatest = player.difference().into_iter().fold(0.0, f32::max);
            if greatest > peak.1 {
                peak = (time, greatest);
            }
        });
        peak
    }

    /// Wall time of every whole frame of the clip, from pose to normals.
    pub fn frame_times(&mut self) -> Vec<Duration> {
        self.restart();
        let frames = (self.duration() * self.fps) as usize;
        (1..=frames)
            .map(|frame| {
                self.time = frame as f32 / self.fps;
                self.sample(self.time);
                let start = Instant::now();
                self.advance(self.time, 1.0 / self.fps, false, Detail::default());
                start.elapsed()
            })
            .collect()
    }

    /// Solve both skins where the player is.
    fn show(&mut self, dt: f32, detail: Detail) {
        self.step(dt, false, detail);
        let (body, state) = &mut self.plain;
        let mut input = StepInput::new(&self.model_from_joint, 0.0);
        input.detail = detail;
        body.step(state, &input);
        if detail.skin {
            self.play_baked();
        }
    }

    fn play_baked(&mut self) {
        let Some(baked) = &mut self.baked else { return };
        let character = &self.subject.character;
        let clip = self.clip.and_then(|clip| character.clips.iter().position(|other| std::ptr::eq(other, clip)));
        baked.positions = baked.playback.morphed(character, clip, self.time);
        let joints = self.model_from_joint.iter().zip(&character.skeleton.joints);
        let since_bind: Vec<Affine3A> = joints.map(|(now, joint)| *now * joint.bind.inverse()).collect();
        let mut first = 0;
        for mesh in &character.meshes {
            let n = mesh.positions.len();
            skin(&mesh.weights, 0..n, &since_bind, &mut baked.positions[first..first + n]);
            first += n;
        }
        baked.normals = smooth_normals(&baked.positions, self.muscled.0.triangles());
    }

    /// To where the player is, from `dt` seconds before, in parts as a bake has them.
    fn step(&mut self, dt: f32, teleport: bool, detail: Detail) {
        let parts = parts_of_frame(&self.muscled.0, dt);
        let part = dt / parts as f32;
        for left in (0..parts).rev() {
            let time = self.time - left as f32 * part;
            self.sample(time);
            self.advance(time, part, teleport, if left > 0 { Detail::MUSCLES } else { detail });
        }
    }

    fn sample(&mut self, time: f32) {
        let skeleton = &self.subject.character.skeleton;
        self.pose.reset(skeleton);
        if let Some(clip) = self.clip {
            clip.sample(time, &mut self.pose);
        }
        self.pose.to_model(skeleton, &mut self.model_from_joint);
    }

    fn advance(&mut self, time: f32, dt: f32, teleport: bool, detail: Detail) {
        let (body, state) = &mut self.muscled;
        let mut input = StepInput::new(&self.model_from_joint, dt);
        (input.activation, input.teleport, input.detail) = (self.activation.at(time), teleport, detail);
        if let Some(start) = &self.start {
            (input.world_from_model, input.dt) = (start.world_from_model, start.pace * dt);
        }
        let world_from_model = input.world_from_model;
        let joints = &self.model_from_joint;
        self.surroundings.impulses((time, dt), joints, &world_from_model, &mut self.impulses);
        (input.impulses, input.contacts) = (&self.impulses, &self.surroundings.contacts);
        body.step(state, &input);
    }

    /// Seconds the clip lasts; 0 without one.
    pub fn duration(&self) -> f32 {
        self.clip.map_or(0.0, Clip::duration)
    }

    /// Times of all frames of the clip, first and last included.
    pub fn frames(&self) -> Vec<f32> {
        let n = (self.duration() * self.fps + 1e-3) as usize;
        (0..=n).map(|frame| frame as f32 / self.fps).collect()
    }

    /// Frames per second.
    pub fn fps(&self) -> f32 {
        self.fps
    }

    /// What is played.
    pub fn character(&self) -> &'a Character {
        &self.subject.character
    }

    /// `model_from_joint` of every joint.
    pub fn model_from_joint(&self) -> &[Affine3A] {
        &self.model_from_joint
    }

    /// The body with muscles and its state.
    pub fn muscled(&self) -> (&Body, &BodyState) {
        (&self.muscled.0, &self.muscled.1)
    }

    /// Plain skinning of the same pose.
    pub fn plain(&self) -> &BodyState {
        &self.plain.1
    }

    /// The skin that is shown, and its normals: moved by muscles, or by what was baked into the file.
    pub fn skin(&self) -> (&[Vec3], &[Vec3]) {
        let state = &self.muscled.1;
        self.baked.as_ref().map_or((state.positions(), state.normals()), |baked| (&baked.positions, &baked.normals))
    }

    /// How far each skin vertex is from where plain skinning has it, metres.
    pub fn difference(&self) -> Vec<f32> {
        measure::distances(self.plain().positions(), self.skin().0)
    }

    /// Where the skin of both is at the time sought.
    pub fn skins(&self) -> [&[Vec3]; 2] {
        [self.plain.1.positions(), self.skin().0]
    }
}

fn baked(subject: &Subject) -> Result<Option<Baked>, Failure> {
    if !subject.musculature.muscles.is_empty() {
        return Ok(None);
    }
    let read = Playback::read(&subject.gltf, &subject.origin);
    let playback = read.map_err(|error| Failure::file(&subject.file, &error))?;
    Ok(playback.has_targets().then_some(Baked { playback, positions: Vec::new(), normals: Vec::new() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::ui::Ui;
    use fusiform::character::Interpolation;
    use fusiform::musculature::{Activation, ClipActivation, Driver, MuscleTrack, Signal};

    #[test]
    fn drivers_and_keyed_curves_are_shown_as_they_are_baked_to_the_bit() {
        let mut subject = Source::Athlete(3_700).load(&Ui::new(false, true)).unwrap();
        let track = |muscle: &str, times: &[f32], values: &[f32], interpolation| MuscleTrack {
            muscle: muscle.into(),
            times: times.to_vec(),
            values: values.to_vec(),
            interpolation,
        };
        let tracks = vec![
            track("biceps_brachii_long.l", &[0.0, 0.33, 1.0], &[0.0, 0.9, 0.2], Interpolation::Linear),
            track("soleus.r", &[0.1, 0.9], &[0.0, 0.1, 0.0, 0.0, 0.8, 0.0], Interpolation::Cubic),
        ];
        let elbow = Signal::JointAngle { joint: "lower_arm.l".into(), axis: None };
        let remap = vec![[0.0, 0.0], [120.0, 0.5]];
        let drivers =
            [elbow, Signal::Shortening].map(|signal| Driver { muscles: vec![], signal, remap: remap.clone() });
        let curves = vec![ClipActivation { clip: "curl".into(), tracks }];
        subject.musculature.activation = Activation { tension: 0.05, drivers: drivers.into(), curves };
        let clip = subject.character.clips.iter().position(|clip| clip.name == "curl").unwrap();
        let levels = vec![0.1; subject.musculature.muscles.len()];
        let played = |levels: &[f32]| {
            let clip = Some(&subject.character.clips[clip]);
            Player::new(&subject, clip, levels.to_vec(), 30.0).unwrap()
        };
        let (mut player, body) = (played(&levels), Body::bind(&subject.character, &subject.musculature).unwrap());
        let mut take = Take::of(&body, &subject.character, clip, &levels, 30.0, None);
        let biceps = subject.musculature.find("biceps_brachii_long.l").unwrap();
        for frame in 0..14 {
            take.advance(Detail::POSITIONS);
            player.seek(take.times()[frame], Detail::POSITIONS);
            assert!(player.skin().0 == take.state().positions(), "frame {frame}");
            assert_eq!(player.muscled().1.activations(), take.state().activations(), "frame {frame}");
            // constant level, tension, and the keys' straight line
            let told = 0.15 + 0.9 * (take.times()[frame] / 0.33).min(1.0);
            assert!(take.state().activations()[biceps] >= told.min(1.0) - 0.05, "frame {frame}");
        }
        // what is told on the command line comes on top of the file's own
        let mut alone = played(&[]);
        alone.seek(take.times()[5], Detail::MUSCLES);
        player.seek(take.times()[5], Detail::MUSCLES);
        let pairs = alone.muscled().1.activations().iter().zip(player.muscled().1.activations());
        assert!(pairs.clone().all(|(without, with)| ((without + 0.1).min(1.0) - with).abs() < 1e-5));
    }

    #[test]
    fn a_loop_is_shown_as_it_is_baked_to_the_bit() {
        let subject = Source::Athlete(3_700).load(&Ui::new(false, true)).unwrap();
        let clip = subject.character.clips.iter().position(|clip| clip.name == "combo").unwrap();
        let mut player = Player::new(&subject, Some(&subject.character.clips[clip]), Vec::new(), 30.0).unwrap();
        let body = Body::bind(&subject.character, &subject.musculature).unwrap();
        let mut take = Take::of(&body, &subject.character, clip, &[], 30.0, None);
        assert!(take.is_looped(), "the case must be a loop");
        for frame in 0..20 {
            take.advance(Detail::POSITIONS);
            if frame % 5 == 0 || frame > 17 {
                player.seek(take.times()[frame], Detail::POSITIONS);
                assert!(player.skin().0 == take.state().positions(), "frame {frame}");
            }
        }
    }
}
