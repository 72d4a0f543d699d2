//! A clip as it is: every vertex in every frame, for caches. What a cache shows between frames, where players draw
//! straight lines, is held against the solver on the way.

use crate::error::BakeError;
use crate::surroundings::Surroundings;
use crate::take::{FINDING, Take};
use crate::watch::{Stopped, rising};
use fusiform::{Body, Character, Detail, Musculature};
use glam::Vec3;

/// How to play.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameSettings {
    /// Frames a second.
    pub fps: f32,
    /// Whether the clip loops; where this says nothing, if it ends as it began.
    pub looped: Option<bool>,
    /// A level for every muscle, or empty.
    pub activation: Vec<f32>,
    /// What strikes the flesh, and what stands in its way.
    pub surroundings: Surroundings,
}

/// A clip, solved.
#[derive(Clone, Debug, PartialEq)]
pub struct Frames {
    /// n_frame: seconds.
    pub times: Vec<f32>,
    /// Vertices of a frame, all meshes of the character one after the other.
    pub n_vertex: usize,
    /// n_frame x n_vertex: metres, model space.
    pub positions: Vec<Vec3>,
    /// n_frame x n_vertex: unit length.
    pub normals: Vec<Vec3>,
    /// Whether it was taken as a loop.
    pub looped: bool,
    /// Largest error midway between frames of a player that draws straight lines, metres.
    pub between: f32,
}

/// Play a clip and keep all of it.
///
/// # Errors
/// When the body cannot be bound, a frame is not finite, or it is stopped by what `told`, which hears how far it has come,
/// gives back.
pub fn solve_frames(
    character: &Character,
    musculature: &Musculature,
    clip: usize,
    settings: &FrameSettings,
    told: impl FnMut(f32) -> Result<(), Stopped>,
) -> Result<Frames, BakeError> {
    let (mut told, body) = (rising(told), Body::bind(character, musculature)?);
    let FrameSettings { fps, looped, activation, surroundings } = settings;
    let mut take = Take::of(&body, character, clip, activation, *fps, *looped).among(surroundings);
    let finding = if body.has_tissue() { FINDING } else { 0.0 };
    take.find_start(|done| told(finding * done))?;
    let (times, n_vertex) = (take.times().to_vec(), character.vertex_count());
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    let (mut midway, mut between) = (Vec::new(), 0.0_f32);
    for frame in 0..times.len() {
        take.advance(Detail::default());
        let solved = take.state().positions();
        if let Some(vertex) = solved.iter().position(|p| !p.is_finite()) {
            return Err(BakeError::NotFinite { what: "position", frame, vertex });
        }
        between = between.max(farthest_from_lines(&positions, solved, &midway));
        positions.extend_from_slice(solved);
        normals.extend_from_slice(take.state().normals());
        take.midway(Detail::POSITIONS, |take, _| {
            midway.clear();
            midway.extend_from_slice(take.state().positions());
        });
        told(finding + (1.0 - finding) * (frame + 1) as f32 / times.len() as f32)?;
    }
    Ok(Frames { times, n_vertex, positions, normals, looped: take.is_looped(), between })
}

/// How far the solved middle is from that of the straight line between the last frame known and this one.
fn farthest_from_lines(before: &[Vec3], now: &[Vec3], midway: &[Vec3]) -> f32 {
    let last = &before[before.len().saturating_sub(now.len())..];
    let off = last.iter().zip(now).zip(midway).map(|((a, b), middle)| a.midpoint(*b).distance(*middle));
    off.fold(0.0, f32::max)
}
