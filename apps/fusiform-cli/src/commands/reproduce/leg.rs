//! Figure 6: a landing, seen from the shank. What the skin of calf and shin does with and without dynamics.

use super::motion::Smooth;
use crate::failure::Failure;
use crate::source::Subject;
use fusiform::musculature::{Layer, Tissue};
use fusiform::{Body, BodyState, Detail, Musculature, StepInput};
use fusiform_motion::filter::Filter;
use glam::{Affine3A, Vec3};
use indicatif::ProgressBar;

/// Samples a second.
pub const RATE: f32 = 240.0;
/// Seconds the first pose is held.
const HELD: f32 = 0.5;
/// Markers, as in the paper.
const MARKERS: usize = 16;

/// Which skin of the shank.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Behind, over gastrocnemius and soleus.
    Calf,
    /// In front, over the tibia.
    Shin,
}

/// The mean of the markers in the shank's frame since the start, mm, along the body's axes at bind: x to the left, y along
/// the shank, z to the front.
pub struct Trajectory {
    /// Seconds.
    pub times: Vec<f64>,
    /// One for each time.
    pub places: Vec<[f64; 3]>,
}

/// What swings: how far, how fast, for how long.
#[derive(Clone, Copy, Debug, Default)]
pub struct Jiggle {
    /// Largest distance from where the skin would be without dynamics, mm.
    pub peak: f64,
    /// Of the strongest part, Hz.
    pub frequency: f64,
    /// Seconds from the peak until less than 1/e of it comes back.
    pub decay: f64,
}

/// The skin vertices over one side of the left shank, the softest third of its length.
pub fn markers(subject: &Subject, side: Side) -> Result<Vec<usize>, Failure> {
    let skeleton = &subject.character.skeleton;
    let find = |name: &str| {
        skeleton.find(name).ok_or_else(|| Failure::input(&subject.file, format!("it has no joint {name:?}")))
    };
    let (shank, foot) = (find("lower_leg.l")?, find("foot.l")?);
    let [from, to] = [shank, foot].map(|joint| Vec3::from(skeleton.joints[joint].bind.translation));
    let mesh = &subject.character.meshes[0];
    let way = if side == Side::Calf { -Vec3::Z } else { Vec3::Z };
    let middle = from.lerp(to, 0.33);
    let mut found: Vec<(f32, usize)> = (0..mesh.positions.len())
        .filter(|&v| mesh.normals[v].dot(way) > 0.7)
        .filter(|&v| mesh.weights.of(v).any(|(joint, w)| usize::from(joint) == shank && w > 0.8))
        .map(|v| ((mesh.positions[v] - middle).reject_from_normalized(way).length(), v))
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(found.into_iter().take(MARKERS).map(|(_, v)| v).collect())
}

/// The subject's muscles with another tissue, or with none.
pub fn with_tissue(musculature: &Musculature, change: impl Fn(&mut Tissue)) -> Musculature {
    let mut changed = musculature.clone();
    for layer in &mut changed.layers {
        if let Layer::Tissue(tissue) = layer {
            change(tissue);
        }
    }
    changed
}

/// The same without it: skin follows muscles at once.
pub fn without_tissue(musculature: &Musculature) -> Musculature {
    let mut still = musculature.clone();
    still.layers.retain(|layer| !matches!(layer, Layer::Tissue(_)));
    still
}

/// Play the landing and follow markers.
pub fn follow(
    subject: &Subject,
    musculature: &Musculature,
    motion: &Smooth,
    groups: &[&[usize]],
    bar: &ProgressBar,
) -> Result<Vec<Trajectory>, Failure> {
    let skeleton = &subject.character.skeleton;
    let body = Body::bind(&subject.character, musculature).map_err(|error| Failure::bind(&subject.file, &error))?;
    let mut state = BodyState::new(&body);
    let shank = skeleton.find("lower_leg.l").unwrap_or(0);
    let bind_from_shank = skeleton.joints[shank].bind;
    let mut pose = skeleton.bind_matrices();
    let frames = ((HELD + motion.duration()) * RATE) as usize;
    let mut found: Vec<Trajectory> =
        groups.iter().map(|_| Trajectory { times: Vec::new(), places: Vec::new() }).collect();
    for frame in 0..frames {
        let time = frame as f32 / RATE - HELD;
        motion.at(time.max(0.0), &mut pose);
        let mut input = StepInput::new(&pose, if frame == 0 { 0.0 } else { 1.0 / RATE });
        (input.teleport, input.detail) = (frame == 0, Detail::POSITIONS);
        rayon::scope(|_| body.step(&mut state, &input));
        let to_bind: Affine3A = bind_from_shank * pose[shank].inverse();
        for (trajectory, markers) in found.iter_mut().zip(groups) {
            let sum: Vec3 = markers.iter().map(|&v| to_bind.transform_point3(state.positions()[v])).sum();
            let mean = sum / markers.len().max(1) as f32 * 1e3;
            trajectory.times.push(f64::from(time));
            trajectory.places.push(mean.to_array().map(f64::from));
        }
        bar.inc(1);
    }
    for trajectory in &mut found {
        let start = trajectory.places[0];
        trajectory.places.iter_mut().for_each(|place| (0..3).for_each(|k| place[k] -= start[k]));
    }
    Ok(found)
}

/// How many frames [`follow`] plays.
pub fn frames(motion: &Smooth) -> usize {
    ((HELD + motion.duration()) * RATE) as usize
}

impl Trajectory {
    /// One coordinate over time.
    pub fn line(&self, axis: usize) -> Vec<[f64; 2]> {
        self.times.iter().zip(&self.places).map(|(t, place)| [*t, place[axis]]).collect()
    }

    /// What of it is faster than the cut-off, Hz; filtered both ways.
    pub fn high_passed(&self, axis: usize, cutoff: f64) -> Vec<[f64; 2]> {
        let mut signal: Vec<f64> = self.places.iter().map(|place| place[axis]).collect();
        if let Ok(filter) = Filter::high_pass(2, cutoff, f64::from(RATE)) {
            filter.zero_phase(&mut signal, 60, &mut Vec::new());
        }
        self.times.iter().zip(signal).map(|(t, x)| [*t, x]).collect()
    }

    /// How it swings about the other.
    pub fn jiggle(&self, still: &Self) -> Jiggle {
        let off: Vec<[f64; 3]> =
            self.places.iter().zip(&still.places).map(|(a, b)| std::array::from_fn(|k| a[k] - b[k])).collect();
        let size = |d: &[f64; 3]| d.iter().map(|x| x * x).sum::<f64>().sqrt();
        let Some((at, peak)) = off.iter().map(size).enumerate().max_by(|a, b| a.1.total_cmp(&b.1)) else {
            return Jiggle::default();
        };
        // along the way it went at the peak
        let way: [f64; 3] = std::array::from_fn(|k| off[at][k] / peak.max(1e-12));
        let along: Vec<f64> = off.iter().map(|d| (0..3).map(|k| d[k] * way[k]).sum()).collect();
        let last = along.iter().rposition(|x| x.abs() > peak / std::f64::consts::E).unwrap_or(at);
        let after = &along[at..(at + RATE as usize / 2).min(along.len())];
        Jiggle { peak, frequency: strongest(after), decay: (last.max(at) - at) as f64 / f64::from(RATE) }
    }
}

/// The strongest frequency of a signal between 2 and 100 Hz, in steps of a quarter.
fn strongest(signal: &[f64]) -> f64 {
    let mean = signal.iter().sum::<f64>() / signal.len().max(1) as f64;
    let n = signal.len() as f64;
    let power = |frequency: f64| {
        let (mut c, mut s) = (0.0, 0.0);
        for (i, x) in signal.iter().enumerate() {
            let window = 0.5 + 0.5 * (std::f64::consts::PI * i as f64 / n).cos();
            let angle = std::f64::consts::TAU * frequency * i as f64 / f64::from(RATE);
            (c, s) = (c + (x - mean) * window * angle.cos(), s + (x - mean) * window * angle.sin());
        }
        c * c + s * s
    };
    let steps = (8..400).map(|i| 0.25 * f64::from(i));
    steps.max_by(|a, b| power(*a).total_cmp(&power(*b))).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damped_swing_is_read_off_as_it_was_made() {
        let times: Vec<f64> = (0..480).map(|i| f64::from(i) / f64::from(RATE)).collect();
        let swing = |t: &f64| if *t < 0.5 { 0.0 } else { (-(t - 0.5) / 0.1).exp() * ((t - 0.5) * 150.0).cos() * 3.0 };
        let places = times.iter().map(|t| [0.0, swing(t), 1.0]).collect();
        let still = Trajectory { times: times.clone(), places: vec![[0.0, 0.0, 1.0]; times.len()] };
        let jiggle = Trajectory { times, places }.jiggle(&still);
        assert!((jiggle.peak - 3.0).abs() < 0.01, "{jiggle:?}");
        assert!((jiggle.frequency - 150.0 / std::f64::consts::TAU).abs() < 1.0, "{jiggle:?}");
        assert!((jiggle.decay - 0.1).abs() < 0.025, "{jiggle:?}");
    }
}
