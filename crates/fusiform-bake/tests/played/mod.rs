//! The athlete's clips, played at 30 frames a second: what a bake starts from.

#![allow(dead_code)] // each user takes a part

use fusiform::{Body, BodyState, Detail, Pose, SparseWeights, StepInput};
use fusiform_athlete::{Athlete, athlete};
use fusiform_bake::{exported_weights, unskin};
use glam::{Affine3A, Vec3};
use std::ops::Range;

const FPS: f32 = 30.0;

/// Frames the first pose is held, so that a clip starts from rest.
const HELD: usize = 8;

pub struct Played {
    pub bind: Vec<Vec3>,
    pub weights: SparseWeights,
    pub clips: Vec<(String, Range<usize>)>,
    pub since_bind: Vec<Affine3A>, // n_frame x n_joint
    pub solved: Vec<Vec3>,         // n_frame x n_vertex
    pub n_joint: usize,
}

impl Played {
    pub fn n_frame(&self) -> usize {
        self.solved.len() / self.bind.len()
    }

    pub fn joints_of(&self, frame: usize) -> &[Affine3A] {
        &self.since_bind[frame * self.n_joint..(frame + 1) * self.n_joint]
    }

    pub fn skin_of(&self, frame: usize) -> &[Vec3] {
        &self.solved[frame * self.bind.len()..(frame + 1) * self.bind.len()]
    }

    /// Residuals of all frames, and how many vertex-frames were damped.
    pub fn residual(&self) -> (Vec<Vec3>, usize) {
        let mut residual = vec![Vec3::ZERO; self.solved.len()];
        let mut damped = 0;
        for (frame, residual) in residual.chunks_exact_mut(self.bind.len()).enumerate() {
            let (joints, skin) = (self.joints_of(frame), self.skin_of(frame));
            damped += unskin(&self.bind, &self.weights, joints, skin, residual).expect("a sound frame");
        }
        (residual, damped)
    }
}

/// Play all clips of an athlete, every `stride`-th frame kept.
pub fn play(vertices: usize, influences: usize, stride: usize) -> Played {
    play_of(&athlete(vertices).expect("a legal count"), influences, stride)
}

/// The same for an athlete changed beforehand.
pub fn play_of(athlete: &Athlete, influences: usize, stride: usize) -> Played {
    let (character, skeleton) = (&athlete.character, &athlete.character.skeleton);
    let body = Body::bind(character, &athlete.musculature).expect("the athlete is sound");
    let mesh = &character.meshes[0];
    let mut played = Played {
        bind: mesh.positions.clone(),
        weights: exported_weights(&mesh.weights, influences),
        clips: Vec::new(),
        since_bind: Vec::new(),
        solved: Vec::new(),
        n_joint: body.n_joint(),
    };
    let from_bind: Vec<Affine3A> = skeleton.bind_matrices().iter().map(Affine3A::inverse).collect();
    let mut matrices = skeleton.bind_matrices();
    for clip in &character.clips {
        let mut state = BodyState::new(&body);
        let start = played.n_frame();
        let last = (clip.duration() * FPS + 1e-3) as usize;
        for step in 0..=HELD + last {
            let frame = step.saturating_sub(HELD);
            let mut pose = Pose::rest(skeleton);
            clip.sample(frame as f32 / FPS, &mut pose);
            pose.to_model(skeleton, &mut matrices);
            let mut input = StepInput::new(&matrices, if step == 0 { 0.0 } else { 1.0 / FPS });
            (input.teleport, input.detail) = (step == 0, Detail::POSITIONS);
            body.step(&mut state, &input);
            if step >= HELD && frame % stride == 0 {
                played.since_bind.extend(matrices.iter().zip(&from_bind).map(|(now, from)| *now * *from));
                played.solved.extend_from_slice(state.positions());
            }
        }
        played.clips.push((clip.name.clone(), start..played.n_frame()));
    }
    played
}
