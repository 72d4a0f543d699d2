//! Figure 4: an arm held still while biceps and triceps pull against each other.

use super::motion::Smooth;
use crate::failure::Failure;
use crate::measure::across_belly;
use crate::section::Skin;
use crate::source::Subject;
use fusiform::{Body, BodyState, Detail, StepInput};

/// Frames a second.
const RATE: f32 = 60.0;
/// Seconds.
const LENGTH: f32 = 4.0;

/// What was measured over time.
pub struct CoContraction {
    /// Activation of biceps and of triceps: seconds, 0 ..= 1.
    pub activation: [Vec<[f64; 2]>; 2],
    /// Girth of the upper arm across the biceps' middle: seconds, cm.
    pub girth: Vec<[f64; 2]>,
}

/// Two bursts, the second with the triceps a little later: as an envelope of EMG would look.
fn burst(time: f32, late: f32) -> f32 {
    let bump = |middle: f32, wide: f32| {
        let x = ((time - middle - late) / wide).clamp(-1.0, 1.0);
        (1.0 - x * x) * (1.0 - x * x)
    };
    (0.55 * bump(1.0, 0.6) + 0.95 * bump(2.7, 0.9)).min(1.0)
}

/// Hold the pose of that moment and tense the left arm.
pub fn co_contract(subject: &Subject, motion: &Smooth, moment: f32) -> Result<CoContraction, Failure> {
    let Subject { character, musculature, .. } = subject;
    let body = Body::bind(character, musculature).map_err(|error| Failure::bind(&subject.file, &error))?;
    let mut state = BodyState::new(&body);
    let mut pose = character.skeleton.bind_matrices();
    motion.at(moment, &mut pose);
    let is = |m: usize, stems: &[&str]| {
        let name = &musculature.muscles[m].name;
        name.ends_with(".l") && stems.iter().any(|stem| name.starts_with(stem))
    };
    let biceps = musculature.find("biceps_brachii_long.l");
    let biceps = biceps.ok_or_else(|| Failure::input(&subject.file, "it has no muscle \"biceps_brachii_long.l\""))?;
    let skin = Skin::new(character, body.triangles());
    let mut found = CoContraction { activation: [Vec::new(), Vec::new()], girth: Vec::new() };
    let mut plane = None;
    for frame in 0..=(LENGTH * RATE) as usize {
        let time = frame as f32 / RATE;
        let levels = [burst(time, 0.0), burst(time, 0.08)];
        let level = |m: usize| match () {
            () if is(m, &["biceps", "brachialis"]) => levels[0],
            () if is(m, &["triceps"]) => levels[1],
            () => 0.0,
        };
        let activation: Vec<f32> = (0..musculature.muscles.len()).map(level).collect();
        let mut input = StepInput::new(&pose, if frame == 0 { 0.0 } else { 1.0 / RATE });
        (input.activation, input.teleport, input.detail) = (&activation, frame == 0, Detail::POSITIONS);
        rayon::scope(|_| body.step(&mut state, &input));
        let sectors = usize::from(musculature.muscles[biceps].sectors);
        // always across the same place, where a tape would lie
        let plane = plane.get_or_insert_with(|| across_belly(&body, &state, biceps, sectors));
        let girth = skin.girth(state.positions(), plane).map_or(f64::NAN, |metres| f64::from(metres) * 100.0);
        let time = f64::from(time);
        for (curve, level) in found.activation.iter_mut().zip(levels) {
            curve.push([time, f64::from(level)]);
        }
        found.girth.push([time, girth]);
    }
    Ok(found)
}

impl CoContraction {
    /// Least and greatest girth, cm.
    pub fn range(&self) -> [f64; 2] {
        let girths = self.girth.iter().map(|point| point[1]).filter(|cm| cm.is_finite());
        girths.fold([f64::INFINITY, 0.0], |[low, high], cm| [low.min(cm), high.max(cm)])
    }
}
