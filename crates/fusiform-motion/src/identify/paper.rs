//! Markers on the muscle itself, under fat: eq. 5-6 of Murai et al. 2016.
//!
//! ```text
//! Δr = r̂ − (R(x̂, φ̂, t) + r_f)        R the polar radius of the section, see Shape::polar_radius
//! ```

use super::descend::{Data, Fit, sizes};
use super::normal::{Local, N_LAW, Numbers};
use super::robust::Loss;
use super::rules::{Course, Rules};
use super::shape::{ECCENTRICITY, Law, N_SHAPE, Nine, Shape, radius_by, rise, toward};
use super::{Distance, Identified, IdentifyError, Settings, Told, check_course, check_settings, identified, legal};
use rayon::prelude::*;

/// m: markers further from a muscle than this belong to nobody.
const FURTHEST: f64 = 1e3;
/// Descents of one muscle: by Huber, then with what is usual known better.
const PASSES: usize = 3;

/// A marker in a muscle's own coordinates, in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Which frame.
    pub frame: usize,
    /// 0 from the origin to the centre, 1 from the insertion.
    pub part: usize,
    /// 0 at the end of the part, 1 at the centre.
    pub x: f64,
    /// rad, from the axis b toward c.
    pub phi: f64,
    /// m, from the path.
    pub radius: f64,
}

impl Sample {
    /// Whether it can be on a muscle at all.
    fn is_sound(&self) -> bool {
        self.part < 2 && (0.0..=1.0).contains(&self.x) && self.phi.is_finite() && self.radius.abs() < FURTHEST
    }
}

/// A muscle, and the markers near it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaperMuscle<'a> {
    /// m.
    pub rest_length: f64,
    /// A shape to start from; otherwise one is guessed from the markers.
    pub start: Option<Shape>,
    /// n_frame, m.
    pub length: &'a [f64],
    /// n_frame, 0 … 1.
    pub tension: &'a [f64],
    /// n_frame, m: what the belly has of the length, for its volume; empty for all of it.
    pub belly_length: &'a [f64],
    /// In any order. Those with a number that is none are left out.
    pub samples: &'a [Sample],
}

impl PaperMuscle<'_> {
    fn course(&self) -> Course<'_> {
        Course {
            rest_length: self.rest_length,
            length: self.length,
            tension: self.tension,
            belly_length: self.belly_length,
        }
    }
}

/// A sample as the kernel wants it.
#[derive(Clone, Copy, Debug)]
struct Seen {
    part: usize,
    x: f64,
    cos2: f64,
    wanted: f64, // m, without fat
}

/// Samples frame by frame.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    start: Vec<usize>, // n_frame + 1
    seen: Vec<Seen>,
}

impl Samples {
    pub fn new(samples: &[Sample], frames: &[Option<[f64; 2]>], fat: f64) -> Self {
        let good = |s: &&Sample| frames.get(s.frame).is_some_and(Option::is_some) && s.is_sound();
        let mut start = vec![0; frames.len() + 1];
        samples.iter().filter(good).for_each(|s| start[s.frame + 1] += 1);
        (0..frames.len()).for_each(|t| start[t + 1] += start[t]);
        let mut order: Vec<&Sample> = samples.iter().filter(good).collect();
        order.sort_by_key(|s| s.frame);
        let seen = |s: &Sample| Seen { part: s.part, x: s.x, cos2: s.phi.cos().powi(2), wanted: s.radius - fat };
        Self { start, seen: order.into_iter().map(seen).collect() }
    }

    fn n_frame_seen(&self) -> usize {
        self.start.windows(2).filter(|w| w[1] > w[0]).count()
    }

    /// Ends of the tendons' radius, and in the middle what most markers are away.
    pub fn guess(&self, tendon: f64) -> Nine {
        let mut shape = [3.0, 6.0, 0.0, 0.0, 3.0, 6.0, 0.0, 0.0, 0.5];
        for part in 0..2 {
            let within = |from: f64| -> Vec<f64> {
                self.seen.iter().filter(|s| s.part == part && s.x >= from).map(|s| s.wanted).collect()
            };
            let mut radii = within(0.6);
            if radii.is_empty() {
                radii = within(0.0);
            }
            let middle = radii.len() / 2;
            let median = (!radii.is_empty()).then(|| *radii.select_nth_unstable_by(middle, f64::total_cmp).1);
            let widest = median.unwrap_or(2.0 * tendon).clamp(1.2 * tendon, 0.5_f64.max(1.2 * tendon)).max(2e-3);
            let k = &mut shape[4 * part..4 * part + 4];
            let [end, centre] = [0.0, 1.0].map(|x| rise(&[3.0, 6.0, 0.0, 0.0], x));
            k[2] = (widest - tendon) / (centre - end);
            k[3] = tendon - k[2] * end;
        }
        shape
    }
}

impl Data<N_SHAPE> for Samples {
    const COMPONENTS: usize = 1;

    fn sizes(&mut self, frame: usize, shape: &Nine, _: &[f64], mut each: impl FnMut(f64)) {
        for s in &self.seen[self.start[frame]..self.start[frame + 1]] {
            let (k, _) = radius_by(&shape[4 * s.part..4 * s.part + 4], s.x);
            each((k * toward(shape[ECCENTRICITY], s.cos2).0 - s.wanted).abs());
        }
    }

    fn linearise(&mut self, frame: usize, shape: &Nine, _: &[f64], loss: &Loss, local: &mut Local<N_SHAPE>) {
        for s in &self.seen[self.start[frame]..self.start[frame + 1]] {
            let (k, by_k) = radius_by(&shape[4 * s.part..4 * s.part + 4], s.x);
            let (share, by_e) = toward(shape[ECCENTRICITY], s.cos2);
            let residual = k * share - s.wanted;
            let mut by = [0.0; N_SHAPE];
            (0..4).for_each(|n| by[4 * s.part + n] = share * by_k[n]);
            by[ECCENTRICITY] = k * by_e;
            local.add(&by, residual, loss.weight(residual.abs()));
        }
    }
}

/// All 27 numbers of each muscle, each on its own.
pub fn paper(muscles: &[PaperMuscle<'_>], settings: &Settings) -> Result<Vec<Identified>, IdentifyError> {
    check_settings(settings)?;
    for (i, muscle) in muscles.iter().enumerate() {
        check_course(i, &muscle.course(), muscle.length.len())?;
        if muscle.start.is_some_and(|shape| !shape.is_finite()) {
            return Err(IdentifyError::Number { muscle: i, what: "the shape to start from", wanted: "must be finite" });
        }
    }
    Ok(muscles.par_iter().map(|muscle| one(muscle, settings)).collect())
}

fn one(muscle: &PaperMuscle<'_>, settings: &Settings) -> Identified {
    let mut data = Samples::new(muscle.samples, &muscle.course().frames(), settings.fat);
    let mut start = muscle.start.map_or_else(|| data.guess(settings.tendon_radius), Shape::to_nine);
    legal::rest(&mut start);
    let rules = Rules::new(&muscle.course(), &start, false, settings);
    let mut fit = Fit::start(&rules);
    for pass in 0..PASSES {
        fit.improve(&mut data, &rules, settings);
        if pass > 0 && fit.settled && fit.gain < 1e-4 {
            break;
        }
    }
    let found = sizes(&mut data, &rules, &fit.numbers);
    let told = Told {
        with: Distance::of(&found),
        without: Distance::of(&sizes(&mut data, &rules, &still(&fit.numbers))),
        frames: data.n_frame_seen(),
        rejected: found.iter().filter(|size| fit.loss.rejects(**size)).count(),
        iterations: fit.iterations,
        settled: fit.settled,
    };
    identified(&fit.numbers, muscle.rest_length, &rules, told)
}

/// The law of a muscle that keeps its shape at rest.
fn still(numbers: &Numbers) -> Numbers {
    std::array::from_fn(|i| if i < N_LAW - N_SHAPE { 0.0 } else { numbers[i] })
}

/// Distances of markers from a muscle whose law is known, on any motion: with deformation, and without.
#[must_use]
pub fn measure_paper(muscle: &PaperMuscle<'_>, law: &Law, fat: f64) -> [Distance; 2] {
    let (mut with, mut without) = (Vec::new(), Vec::new());
    let frames = muscle.course().frames();
    let rest = law.at(law.rest_length, 0.0);
    for s in muscle.samples.iter().filter(|s| frames.get(s.frame).is_some_and(Option::is_some) && s.is_sound()) {
        let shape = law.at(muscle.length[s.frame], muscle.tension[s.frame]);
        let away = |shape: &Shape| (s.radius - fat - shape.polar_radius(s.part, s.x, s.phi)).abs();
        with.push(away(&shape));
        without.push(away(&rest));
    }
    [Distance::of(&with), Distance::of(&without)]
}
