//! Residuals of all frames as few morph targets, with the largest error of any vertex in any frame under a tolerance.
//!
//! With `R` the n_frame x 3 n_vertex residuals, wanted are `W` (n_frame x K) and `T` (K x 3 n_vertex) with K small and
//! `max_fv |R_fv - (W T)_fv| <= tolerance`. Vertices that never leave the tolerance have no say in it and follow at the end
//! ([`spread`]). In three steps:
//!
//! 1. *Spectrum*: eigenvectors of the smaller of `R R^T` and `R^T R` give the factors of least squared error for every
//!    K at once (Eckart and Young 1936), and a floor of K: no factors of rank K have a largest error below the root of
//!    `(sum of the other eigenvalues) / (n_frame n_vertex)`.
//! 2. *Count*: the smallest K whose least-squares factors keep the tolerance ([`count`]).
//! 3. *Polish*: least squares wastes targets on what is inside the tolerance anyway. For fewer targets, Newton steps
//!    push only what sticks out of it back in ([`polish`]): first in a [`core`] of the data, then everywhere, and one
//!    target fewer ([`shrink`]) as long as that succeeds.

mod core;
mod count;
mod finish;
mod measure;
mod polish;
mod residual;
mod shrink;
mod spectrum;
mod spread;
mod system;

use crate::error::{BakeError, check_length};
use crate::watch::Stopped;
use core::Core;
use glam::Vec3;
use measure::measure;
use residual::Residual;
pub use residual::multiply_add;
use shrink::Shrink;
use spectrum::Spectrum;
use std::cell::{Cell, RefCell};
use std::ops::Range;

/// Share of the tolerance that the factors may use; the rest is for zeroing small entries of the targets.
const AIM: f32 = 0.985;

/// Frames whose residuals are all below this share of the tolerance are at rest: weight 0 to the bit.
const STILL: f32 = 0.01;

/// How often a core grows before its count is given up.
const ROUNDS: usize = 8;

/// How finely, and with how many targets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FactorSettings {
    /// Largest error allowed of any vertex in any frame, metres.
    pub tolerance: f32,
    /// No more targets than this, even if the tolerance is then not kept.
    pub max_targets: usize,
    /// Newton sweeps spent on each count of targets that least squares cannot do with; 0 for least squares alone.
    pub sweeps: usize,
}

impl Default for FactorSettings {
    /// Half a millimetre, 64 targets, 60 sweeps.
    fn default() -> Self {
        Self { tolerance: 0.5e-3, max_targets: 64, sweeps: 60 }
    }
}

/// Morph targets and their weights, and what they are worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Factors {
    /// How many targets.
    pub n_target: usize,
    /// n_target x n_vertex: how far each target moves each vertex, metres; exactly zero where it hardly does.
    pub targets: Vec<Vec3>,
    /// n_frame x n_target: between -1 and 1, between 0 and 1 for a target pushed one way only.
    pub weights: Vec<f32>,
    /// Largest error of any vertex in any frame, metres: measured on the targets and weights as they are here.
    pub max_error: f32,
    /// Root of the mean squared error over all vertices and frames, metres.
    pub rms_error: f32,
    /// Singular values of the residuals of vertices that leave the tolerance, largest first: what bounds the count.
    pub spectrum: Vec<f64>,
    /// How many targets least squares alone would have taken; `max_targets` if even those were not enough.
    pub least_squares: usize,
    /// No factors at all keep the tolerance with fewer targets than this.
    pub at_least: usize,
    /// One for each clip asked for.
    pub clips: Vec<ClipFactors>,
}

/// What the shared targets are worth in one clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipFactors {
    /// Targets that move some vertex by more than a hundredth of the tolerance somewhere in the clip.
    pub targets: usize,
    /// Largest error in the clip, metres.
    pub max_error: f32,
    /// Root of the mean squared error in the clip, metres.
    pub rms_error: f32,
}

/// Factors on the way: columns of `R` are its 3 n_vertex coordinates, so that `R ~ weights targets^T`.
#[derive(Clone)]
struct Draft {
    n_target: usize,
    weights: Vec<f32>, // n_frame x n_target
    targets: Vec<f32>, // n_column x n_target
}

impl Draft {
    /// The first `n` targets.
    fn first(&self, n: usize) -> Self {
        let cut = |rows: &[f32]| {
            let mut cut = Vec::with_capacity(rows.len() / self.n_target.max(1) * n);
            rows.chunks_exact(self.n_target.max(1)).for_each(|row| cut.extend_from_slice(&row[..n]));
            cut
        };
        Self { n_target: n, weights: cut(&self.weights), targets: cut(&self.targets) }
    }
}

/// Factor the n_frame x n_vertex `residual` of all clips, stacked, into shared targets. `clips` are ranges of frames to
/// be reported on; `progress` hears how far the work is, from 0 to 1. When even `max_targets` are not enough the best
/// found with them is returned: compare `max_error` with the tolerance.
///
/// # Errors
/// When the residual has no whole number of frames or is not finite, the tolerance is not above 0, a clip has frames that
/// are not there, or `progress` says to stop.
pub fn factor(
    residual: &[Vec3],
    n_vertex: usize,
    settings: &FactorSettings,
    clips: &[Range<usize>],
    mut progress: impl FnMut(f32) -> Result<(), Stopped>,
) -> Result<Factors, BakeError> {
    let whole = Residual::new(residual, n_vertex, STILL * settings.tolerance)?;
    check(&whole, settings, clips)?;
    let tolerance = settings.tolerance;
    let moving = whole.moving(AIM * tolerance);
    let residual = whole.of_vertices(&moving);
    let spectrum = Spectrum::of(&residual, tolerance)?;
    progress(0.2)?;

    let most = settings.max_targets.min(spectrum.rank());
    let at_least = spectrum.fewest(tolerance, residual.n_frame * moving.len()).min(most);
    let (all, least_squares) = spectrum.enough(&residual, at_least, most, AIM * tolerance);
    let upper = least_squares.unwrap_or(most);
    let mut best = all.first(upper);
    progress(0.4)?;

    if settings.sweeps > 0 && most > 0 {
        let search = Search {
            residual: &residual,
            all: &all,
            allowed: AIM * tolerance,
            sweeps: settings.sweeps,
            tries: Cell::new(0),
            progress: RefCell::new(&mut progress),
        };
        best = search.fewest(at_least, least_squares, best)?;
    }
    progress(0.9)?;
    let n_least_squares = least_squares.unwrap_or(settings.max_targets);
    let factors = finish::finish(&whole, spread::spread(&whole, best, &moving, AIM * tolerance), tolerance, clips);
    progress(1.0)?;
    Ok(Factors { spectrum: spectrum.singular_values(), least_squares: n_least_squares, at_least, ..factors })
}

fn check(residual: &Residual, settings: &FactorSettings, clips: &[Range<usize>]) -> Result<(), BakeError> {
    let FactorSettings { tolerance, .. } = *settings;
    if !(tolerance > 0.0 && tolerance.is_finite()) {
        return Err(BakeError::Setting { what: "the tolerance", value: tolerance, must: "above 0 metres" });
    }
    let n_frame = residual.n_frame;
    match clips.iter().position(|clip| clip.start > clip.end || clip.end > n_frame) {
        Some(clip) => {
            let Range { start, end } = clips[clip];
            Err(BakeError::ClipRange { clip, start, end, n_frame })
        }
        None => check_length("the residual", residual.values.len(), n_frame * residual.n_column),
    }
}

/// The search for fewer targets than least squares takes.
struct Search<'a> {
    residual: &'a Residual<'a>,
    all: &'a Draft,
    allowed: f32,
    sweeps: usize,
    tries: Cell<i32>,
    progress: RefCell<&'a mut dyn FnMut(f32) -> Result<(), Stopped>>,
}

/// A draft, and what polishing made of its part in a core.
struct Attempt {
    whole: Draft,
    polished: Draft,
}

impl Search<'_> {
    /// The draft of fewest targets found, or `best` when none has fewer; when not even all targets of least squares
    /// are enough, the nearest.
    fn fewest(&self, at_least: usize, least_squares: Option<usize>, best: Draft) -> Result<Draft, Stopped> {
        let most = least_squares.map_or(self.all.n_target, |n| n.saturating_sub(1));
        // without any target there is nothing to polish: least squares has already said whether none is enough
        let at_least = at_least.max(1);
        if most < at_least {
            return Ok(best);
        }
        // least squares takes more than enough, its floor is never reached: between them, nearer to the floor
        let guess = ((1.5 * (at_least * (most + 1)) as f32).sqrt() as usize).clamp(at_least, most);
        let core = Core::of(self.residual, &self.all.first(guess));
        let found = match self.descend(core, (at_least, guess, most))? {
            Some((core, few)) => self.everywhere(core, few, most)?,
            None => None,
        };
        Ok(match found {
            Some(draft) => draft,
            None if least_squares.is_some() => best,
            None => match self.polished(self.residual, self.all.clone())? {
                (draft, true) => draft,
                (nearest, false) => nearer(self.residual, best, nearest),
            },
        })
    }

    /// The next count is tried.
    fn next_try(&self) -> Result<(), Stopped> {
        self.tries.set(self.tries.get() + 1);
        self.go_on()
    }

    /// Still at it: nobody knows how many tries it takes.
    fn go_on(&self) -> Result<(), Stopped> {
        (self.progress.borrow_mut())(0.4 + 0.5 * (1.0 - 0.8f32.powi(self.tries.get())))
    }

    /// The fewest that do in a core. From a guess upwards as far as it takes, then one fewer at a time, each from where the
    /// one before has come.
    fn descend(
        &self,
        core: Core,
        (at_least, guess, most): (usize, usize, usize),
    ) -> Result<Option<(Core, Attempt)>, Stopped> {
        let (mut n, mut step, mut too_few) = (guess, 1, at_least - 1);
        let mut found = loop {
            self.next_try()?;
            let whole = self.all.first(n);
            match self.polished(&core.residual, core.of_draft(&whole))? {
                (polished, true) => break Attempt { whole, polished },
                _ if n == most => return Ok(None),
                _ => (too_few, n, step) = (n, most.min(n + step), 2 * step),
            }
        };
        while found.polished.n_target > too_few + 1 {
            self.next_try()?;
            match self.fewer(&core, &found)? {
                Some(fewer) => found = fewer,
                None => break,
            }
        }
        Ok(Some((core, found)))
    }

    /// The fewest that do everywhere: no fewer than do in the core, which takes in whatever sticks out of it. What one
    /// count taught it, the next need not learn.
    fn everywhere(&self, mut core: Core, few: Attempt, most: usize) -> Result<Option<Draft>, Stopped> {
        let fewest = few.polished.n_target;
        let (mut n, mut step) = (fewest, fewest.div_ceil(8));
        let mut next = Some(few);
        let mut found = loop {
            self.next_try()?;
            if let Some(attempt) = next
                && let Some(draft) = self.grown(&mut core, attempt)?
            {
                break draft;
            }
            if n == most {
                return Ok(None);
            }
            (n, step) = (most.min(n + step), 2 * step);
            let whole = self.all.first(n);
            let (polished, is_within) = self.polished(&core.residual, core.of_draft(&whole))?;
            next = is_within.then_some(Attempt { whole, polished });
        };
        while found.n_target > fewest {
            self.next_try()?;
            let attempt = Attempt { polished: core.of_draft(&found), whole: found.clone() };
            let Some(attempt) = self.fewer(&core, &attempt)? else { break };
            let Some(fewer) = self.grown(&mut core, attempt)? else { break };
            found = fewer;
        }
        Ok(Some(found))
    }

    /// What was polished in the core, in all of it that it takes to hold everywhere.
    fn grown(&self, core: &mut Core, Attempt { mut whole, mut polished }: Attempt) -> Result<Option<Draft>, Stopped> {
        for _ in 0..ROUNDS {
            whole = core.lift(self.residual, &whole, &polished);
            match core.grown(self.residual, &whole, self.allowed) {
                Some(grown) => *core = grown,
                None => return Ok(Some(whole)),
            }
            let (next, is_within) = self.polished(&core.residual, core.of_draft(&whole))?;
            if !is_within {
                break;
            }
            polished = next;
        }
        Ok(None)
    }

    /// The same with one target fewer, if that does in the core.
    fn fewer(&self, core: &Core, attempt: &Attempt) -> Result<Option<Attempt>, Stopped> {
        let Some(shrink) = Shrink::of(&attempt.polished) else { return Ok(None) };
        let (polished, is_within) = self.polished(&core.residual, shrink.apply(&attempt.polished))?;
        Ok(is_within.then(|| Attempt { whole: shrink.apply(&attempt.whole), polished }))
    }

    /// The draft as near to what is allowed as it came, and whether it is within.
    fn polished(&self, residual: &Residual, mut draft: Draft) -> Result<(Draft, bool), Stopped> {
        let is_within = polish::polish(residual, &mut draft, self.allowed, self.sweeps, &mut || self.go_on())?;
        Ok((draft, is_within))
    }
}

fn nearer(residual: &Residual, a: Draft, b: Draft) -> Draft {
    let (error_a, error_b) = (measure(residual, &a).max_error(), measure(residual, &b).max_error());
    if error_b < error_a { b } else { a }
}
