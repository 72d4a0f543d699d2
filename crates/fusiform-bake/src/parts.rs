//! The parts of a character that a player moves one by one: each mesh node has its own targets and weights.

use crate::error::BakeError;
use crate::share::share;
use crate::take::{Moment, Take};
use crate::unskin::{check_skin, exported_weights, since_identity, skinned, unskin_frame};
use crate::watch::{Heard, Stopped};
use fusiform::{Character, Detail, SparseWeights};
use fusiform_files::gltf::Origin;
use glam::Vec3;
use std::ops::Range;

/// One part's skin as it is exported.
pub struct PartSkin {
    /// Its vertices, counted over all meshes of the character.
    pub vertices: Range<usize>,
    /// n_vertex: metres, model space, at bind.
    pub bind: Vec<Vec3>,
    /// Joint weights that players read.
    pub weights: SparseWeights,
}

impl PartSkin {
    /// The parts of a character, in the file's order.
    pub fn all(character: &Character, origin: &Origin, influences: usize) -> Vec<Self> {
        let mut first = 0;
        let part = |part: &fusiform_files::gltf::Part| {
            let (mut bind, mut all) = (Vec::new(), SparseWeights::default());
            for primitive in &part.primitives {
                let mesh = &character.meshes[primitive.mesh];
                bind.extend_from_slice(&mesh.positions);
                (0..mesh.weights.len()).for_each(|v| all.push_vertex(mesh.weights.of(v)));
            }
            let vertices = first..first + bind.len();
            first = vertices.end;
            Self { vertices, bind, weights: exported_weights(&all, influences) }
        };
        origin.parts.iter().map(part).collect()
    }
}

/// What joints alone leave over, in all frames of all takes: n_frame x n_vertex for each part.
pub struct Residuals {
    /// One for each part.
    pub parts: Vec<Vec<Vec3>>,
    /// Frames of each take.
    pub takes: Vec<Range<usize>>,
    /// Vertices and frames where joints fold the skin flat.
    pub damped: usize,
}

/// Share of the tolerance by which a straight line between two frames may miss what is midway, before that becomes a
/// frame of its own.
const BENT: f32 = 0.5;

/// Moments after which progress is told.
const BATCH: usize = 64;

impl Residuals {
    /// Play all takes from their start. Where straight lines between frames are not enough (a kick, a heel that strikes)
    /// takes get further frames, midway.
    pub fn new(
        skins: &[PartSkin],
        takes: &mut [Take],
        tolerance: f32,
        mut progress: impl FnMut(f32) -> Result<(), Stopped>,
    ) -> Result<Self, BakeError> {
        let n_frame: usize = takes.iter().map(|take| take.times().len()).sum();
        let room = |skin: &PartSkin| Vec::with_capacity(n_frame * skin.bind.len());
        let mut all = Self { parts: skins.iter().map(room).collect(), takes: Vec::new(), damped: 0 };
        let mut done = 0;
        for take in takes {
            skins.iter().try_for_each(|skin| check_skin(&skin.bind, &skin.weights, take.since_bind().len()))?;
            let first = all.takes.last().map_or(0, |last| last.end);
            let (keys, midways): (Vec<_>, Vec<_>) = take.moments().into_iter().partition(|moment| moment.is_key);
            let mut heard = |moments: &[Moment]| {
                done += moments.len();
                progress((0.5 * done as f32 / n_frame as f32).min(1.0))
            };
            for keys in keys.chunks(BATCH) {
                all.damped += all.push(skins, take, keys)?;
                heard(keys)?;
            }
            let mut is_bent = vec![false; midways.len()];
            for (i, midways) in midways.chunks(BATCH).enumerate() {
                let is_bent = &mut is_bent[i * BATCH..][..midways.len()];
                all.find_bent(skins, take, first + i * BATCH, midways, BENT * tolerance, is_bent);
                heard(midways)?;
            }
            let further = all.insert(skins, take, first, &midways, &is_bent, &mut || heard(&[]))?;
            all.takes.push(first..first + keys.len() + further.len());
            take.add_midway_frames(&further);
        }
        Ok(all)
    }

    /// The residuals of those moments, after all others; returns where joints fold the skin flat.
    fn push(&mut self, skins: &[PartSkin], take: &Take, moments: &[Moment]) -> Result<usize, BakeError> {
        let mut starts = Vec::new();
        for (rows, skin) in self.parts.iter_mut().zip(skins) {
            starts.push(rows.len());
            rows.resize(rows.len() + moments.len() * skin.bind.len(), Vec3::ZERO);
        }
        let of_part = |((rows, start), skin): ((_, usize), &PartSkin)| {
            let rows: &mut Vec<Vec3> = rows;
            rows[start..].chunks_exact_mut(skin.bind.len().max(1))
        };
        let mut rows: Vec<_> = self.parts.iter_mut().zip(starts).zip(skins).map(of_part).collect();
        let mut outcomes: Vec<Result<usize, BakeError>> = vec![Ok(0); moments.len()];
        let items = moments.iter().zip(&mut outcomes).map(|(moment, outcome)| {
            let of_moment: Vec<&mut [Vec3]> = rows.iter_mut().map(|rows| rows.next().unwrap_or_default()).collect();
            (moment, outcome, of_moment)
        });
        share(take, items, |take, (moment, outcome, rows)| {
            take.show(moment, Detail::POSITIONS);
            *outcome = skins.iter().zip(rows).try_fold(0, |damped, (skin, row)| {
                let solved = &take.state().positions()[skin.vertices.clone()];
                Ok(damped + unskin_frame(&skin.bind, &skin.weights, take.since_bind(), solved, row)?)
            });
        });
        outcomes.into_iter().sum()
    }

    /// Which of the moments midway between the frames from `first` on are farther than `allowed` from where a player
    /// shows them, who goes from frame to frame in straight lines.
    fn find_bent(
        &self,
        skins: &[PartSkin],
        take: &Take,
        first: usize,
        midways: &[Moment],
        allowed: f32,
        is_bent: &mut [bool],
    ) {
        share(take, midways.iter().zip(is_bent).zip(first..), |take, ((moment, is_bent), frame)| {
            take.show(moment, Detail::POSITIONS);
            *is_bent = self.parts.iter().zip(skins).any(|(rows, skin)| {
                let n = skin.bind.len();
                let (before, after) = rows[frame * n..(frame + 2) * n].split_at(n);
                let solved = &take.state().positions()[skin.vertices.clone()];
                (0..n).any(|v| {
                    let blend = since_identity(&skin.weights, v, take.since_bind());
                    let shown = skinned(&blend, skin.bind[v] + before[v].midpoint(after[v]));
                    shown.distance_squared(solved[v]) > allowed * allowed
                })
            });
        });
    }

    /// Make frames of the moments that are bent, each after the frame it follows; returns their times.
    fn insert(
        &mut self,
        skins: &[PartSkin],
        take: &Take,
        first: usize,
        midways: &[Moment],
        is_bent: &[bool],
        heard: Heard,
    ) -> Result<Vec<f32>, BakeError> {
        let bent: Vec<usize> = (0..midways.len()).filter(|&i| is_bent[i]).collect();
        let mut further = Self { parts: vec![Vec::new(); skins.len()], takes: Vec::new(), damped: 0 };
        for &i in &bent {
            further.push(skins, take, &midways[i..=i])?;
            heard()?;
        }
        for ((rows, further), skin) in self.parts.iter_mut().zip(&further.parts).zip(skins) {
            let n = skin.bind.len();
            let mut end = rows.len();
            rows.resize(end + further.len(), Vec3::ZERO);
            for (nth, &i) in bent.iter().enumerate().rev() {
                let start = (first + i + 1) * n;
                rows.copy_within(start..end, start + (nth + 1) * n);
                rows[start + nth * n..][..n].copy_from_slice(&further[nth * n..][..n]);
                end = start;
            }
        }
        Ok(bent.iter().map(|&i| midways[i].time).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::Body;
    use fusiform_athlete::{Athlete, athlete};
    use fusiform_files::gltf::{Gltf, Scene};

    #[test]
    fn further_frames_stand_where_their_moments_are_in_every_take() {
        let Athlete { character, musculature } = athlete(3_700).unwrap();
        let body = Body::bind(&character, &musculature).unwrap();
        let origin = Scene::read(&Gltf::from_character(&character)).unwrap().origin;
        let skins = PartSkin::all(&character, &origin, 4);
        let mut takes = [0, 3].map(|clip| Take::of(&body, &character, clip, &[], 10.0, Some(false)));
        let before: Vec<usize> = takes.iter().map(|take| take.times().len()).collect();
        let all = Residuals::new(&skins, &mut takes, 4e-3, |_| Ok(())).unwrap();
        let further: Vec<usize> = takes.iter().zip(&before).map(|(take, n)| take.times().len() - n).collect();
        assert!(further.iter().zip(&before).any(|(further, n)| *further > 1 && *further < n - 1), "{further:?}");
        let mut row = vec![Vec3::ZERO; skins[0].bind.len()];
        for (take, frames) in takes.iter_mut().zip(&all.takes) {
            assert_eq!(frames.len(), take.times().len());
            assert!(take.times().is_sorted());
            take.rewind();
            for frame in frames.clone() {
                take.advance(Detail::POSITIONS);
                let (skin, solved) = (&skins[0], take.state().positions());
                unskin_frame(&skin.bind, &skin.weights, take.since_bind(), solved, &mut row).unwrap();
                assert!(all.parts[0][frame * row.len()..][..row.len()] == row, "frame {frame}");
            }
        }
    }
}
