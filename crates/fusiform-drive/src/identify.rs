//! Identify: markers on the skin of a character that moves, to how each muscle's shape answers its length and tension.
//!
//! ```text
//! clip, activation ─> still: the skin whose muscles keep their shape ─┬─> sites: where on it each marker sits
//! markers ─> sightings: swapped labels back, wild ones gone ─┬────────┴─> rows ─> fit ─> rates of every muscle
//!                                                            │            └─<── sites on the skin that was found, once more
//!                                                            └─> printed: in each muscle's coordinates ─> fit ─> rates and rest
//! rates ─> measured: from each marker to the nearest point of the skin, with deformation and without
//! ```
//!
//! Murai, Hong, Yamane, Hodgins: *Dynamic Skin Deformation Simulation Using Musculoskeletal Model and Soft Tissue Dynamics*,
//! 2016, sections 3.2 and 4.1. The fit itself is [`fusiform_motion::identify`]; here are the character and its skin. What is
//! measured is measured on the skin as the frame makes it, in single precision, without tissue.

mod follow;
mod measured;
mod offsets;
mod printed;
mod sightings;
mod sites;
mod still;
mod told;

pub use fusiform_motion::identify::Distance;
pub use measured::Errors;
pub use sites::Site;

use follow::{Posed, Row, Rows};
use fusiform::{BindError, Character, Musculature};
use fusiform_fit::Wear;
use fusiform_motion::capture::Capture;
use fusiform_motion::identify::{
    Identified, IdentifyError as KernelError, Law, N_LAW, Settings, SkinProblem, Warning, skin,
};
use glam::DVec3;
use printed::Pathways;
use sites::{Placed, find};
use still::{Moment, Still, written};

/// m: markers farther than this from any one place of the skin, half of the time, are on something else.
pub const FARTHEST: f64 = 0.06;
/// Frames that a fit looks at, evenly spaced, and as many to measure on.
const MOST_FRAMES: usize = 400;
/// Frames that tell where on the skin markers sit.
const SITE_FRAMES: usize = 40;
/// Frames below which none is held out of the same take.
const LEAST_SPLIT: usize = 8;
/// Frames below which a fit leans on what is presumed: as many as a muscle has numbers.
const FEW_FRAMES: usize = N_LAW;

/// Where markers were seen, moment by moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// n_frame: clips of the character, and seconds in them.
    pub moments: Vec<(usize, f32)>,
    /// n_marker.
    pub names: Vec<String>,
    /// n_frame x n_marker, m, model space, y up; NaN where a marker was not seen.
    pub positions: Vec<DVec3>,
}

impl Seen {
    /// A capture over a clip that begins with it, `offset` seconds in; frames outside the clip are left out.
    #[must_use]
    pub fn during(character: &Character, clip: usize, capture: &Capture, offset: f64) -> Self {
        let (end, start) = (f64::from(character.clips[clip].duration()), capture.times.first().copied().unwrap_or(0.0));
        let mut seen = Self { names: capture.markers.clone(), ..Self::default() };
        for (i, time) in capture.times.iter().enumerate() {
            let time = time - start + offset;
            if (-1e-6..=end + 1e-6).contains(&time) {
                seen.moments.push((clip, time.clamp(0.0, end) as f32));
                seen.positions.extend_from_slice(capture.frame(i));
            }
        }
        seen
    }

    /// Where all markers are in one frame.
    #[must_use]
    pub fn frame(&self, i: usize) -> &[DVec3] {
        let n = self.names.len();
        &self.positions[i * n..(i + 1) * n]
    }

    /// Those frames alone.
    fn frames(&self, rows: &[usize]) -> Self {
        Self {
            moments: rows.iter().map(|&i| self.moments[i]).collect(),
            names: self.names.clone(),
            positions: rows.iter().flat_map(|&i| self.frame(i)).copied().collect(),
        }
    }

    /// What is fitted and what is held out of one take: its last quarter; nothing of a short one.
    #[must_use]
    pub fn split(&self) -> (Self, Option<Self>) {
        let n = self.moments.len();
        if n < LEAST_SPLIT {
            return (self.clone(), None);
        }
        let rows: Vec<usize> = (0..n).collect();
        let (fitted, held) = rows.split_at(n - n / 4);
        (self.frames(fitted), Some(self.frames(held)))
    }

    /// Evenly spaced, at most so many.
    fn thinned(&self, most: usize) -> Self {
        self.frames(&evenly(self.moments.len(), most))
    }
}

/// Rows of `n`, evenly spaced, at most `most` of them, the first and the last among them.
fn evenly(n: usize, most: usize) -> Vec<usize> {
    if n <= most {
        return (0..n).collect();
    }
    (0..most).map(|i| i * (n - 1) / (most - 1).max(1)).collect()
}

/// How muscles are to be identified.
#[derive(Clone, Debug)]
pub struct How<'a> {
    /// Which meshes are the body.
    pub wear: &'a [Wear],
    /// m: how far above the skin the middle of a marker is.
    pub marker_radius: f64,
    /// n_marker, rows of the character's vertices, where markers are known to be just these; found otherwise.
    pub vertices: Option<&'a [usize]>,
    /// Whether each marker may always be off by something of its own, where the body is not quite the person's.
    pub offsets: bool,
    /// How markers and muscles belong together.
    pub kernel: Kernel,
    /// Of the fit.
    pub settings: Settings,
}

/// How markers and muscles belong together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kernel {
    /// Markers sit on an artist's skin, each place of which follows some muscles: how shapes change is found, what they are
    /// at rest is kept ([`fusiform_motion::identify::skin`]).
    #[default]
    Skin,
    /// Markers lie on the muscles themselves, under fat of one thickness: all 27 numbers of each are found
    /// ([`fusiform_motion::identify::paper`]).
    AsPrinted,
}

impl<'a> How<'a> {
    /// Markers without thickness, somewhere on the body.
    #[must_use]
    pub fn new(wear: &'a [Wear]) -> Self {
        let (kernel, settings) = (Kernel::Skin, Settings::default());
        Self { wear, marker_radius: 0.0, vertices: None, offsets: false, kernel, settings }
    }

    /// The same, as the paper prints it.
    #[must_use]
    pub fn as_printed(wear: &'a [Wear]) -> Self {
        Self { kernel: Kernel::AsPrinted, settings: Settings::as_printed(), ..Self::new(wear) }
    }

    /// m: how far a marker's middle is above the muscle below it, where it lies on one.
    fn above_muscle(&self) -> f64 {
        self.settings.fat + self.marker_radius
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The character's, with the rates of its muscles.
    pub musculature: Musculature,
    /// Those that were identified.
    pub muscles: Vec<FoundMuscle>,
    /// n_marker: where on the skin each sits; nothing for those that were left out.
    pub sites: Vec<Option<Site>>,
    /// On the motion that was fitted.
    pub training: Errors,
    /// On the one that was not.
    pub held_out: Option<Errors>,
    /// What to know about it, in sentences.
    pub warnings: Vec<String>,
}

/// A muscle that was identified. Distances are those of the markers that follow it.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundMuscle {
    /// Row among the musculature's.
    pub muscle: usize,
    /// Markers that follow it.
    pub markers: Vec<usize>,
    /// On the motion that was fitted: with its deformation and without.
    pub training: [Distance; 2],
    /// On the one that was not.
    pub held_out: Option<[Distance; 2]>,
    /// Standard deviation of its volume, as a share of the mean.
    pub volume_spread: f64,
    /// Δr of eq. 6, where it was identified as printed.
    pub surface: Option<ToSurface>,
}

/// From markers to the surface of the muscle they lie on, less the fat between: each with its deformation and without.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ToSurface {
    /// On the motion that was fitted.
    pub training: [Distance; 2],
    /// On the one that was not.
    pub held_out: Option<[Distance; 2]>,
}

impl Found {
    /// From markers to all muscles they lie on, where these were identified as printed.
    #[must_use]
    pub fn surface(&self) -> Option<ToSurface> {
        let all: Vec<ToSurface> = self.muscles.iter().filter_map(|of| of.surface).collect();
        let together = |of: &dyn Fn(&ToSurface) -> Option<[Distance; 2]>| {
            let all: Vec<[Distance; 2]> = all.iter().filter_map(of).collect();
            [0, 1].map(|which| Distance::together(&all.iter().map(|of| of[which]).collect::<Vec<_>>()))
        };
        let held_out = all.iter().any(|of| of.held_out.is_some());
        (!all.is_empty()).then(|| ToSurface {
            training: together(&|of| Some(of.training)),
            held_out: held_out.then(|| together(&|of| of.held_out)),
        })
    }
}

/// Why muscles cannot be identified.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum IdentifyError {
    /// None of the kind.
    #[error("none of its muscles has a shape that could be identified; make them with `fusiform rig --preset murai`")]
    NoMuscles,
    /// A physique that lets nothing swell.
    #[error(
        "its physique has a bulge of 0, so that no muscle can change; give it one above 0 with `fusiform rig --physique`"
    )]
    NoBulge,
    /// No skin to sit on.
    #[error("its body has no triangles that markers could sit on; give it a skin of triangles")]
    NoSkin,
    /// Nothing was seen.
    #[error("no marker is seen while the clip lasts; check the times of the recording, or shift it with --time-offset")]
    Nothing,
    /// Markers of something else.
    #[error(
        "{far} of {all} markers stay with no place of the skin: they are {mean_cm:.0} cm from it on average; is it the same clip, in the same units, and does it begin when the recording does (--time-offset)?"
    )]
    Elsewhere {
        /// Markers that were left out.
        far: usize,
        /// Of so many.
        all: usize,
        /// Of all markers from their best places, cm.
        mean_cm: f64,
    },
    /// A marker for every vertex is needed.
    #[error("{vertices} places are given for {markers} markers; give one for each")]
    Vertices {
        /// Places.
        vertices: usize,
        /// Markers.
        markers: usize,
    },
    /// Muscles that cannot be bound.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// Numbers that cannot be fitted.
    #[error(transparent)]
    Fit(#[from] KernelError),
}

/// Find how the shapes of muscles answer; `progress` hears the share that is done.
///
/// # Errors
/// When there is nothing to identify, or markers and motion do not belong together.
pub fn identify(
    character: &Character,
    musculature: &Musculature,
    training: &Seen,
    held_out: Option<&Seen>,
    how: &How,
    progress: impl Fn(f32) + Sync,
) -> Result<Found, IdentifyError> {
    let still = Still::new(character, musculature, how.wear)?;
    let mut training = training.thinned(MOST_FRAMES);
    if training.positions.iter().all(|p| !p.is_finite()) {
        return Err(IdentifyError::Nothing);
    }
    let moments = still.moments(&training);
    let placed = place(&still, &still.body, &training, &moments, how)?;
    placed.believe(&training)?;
    progress(0.1);
    let mended = sightings::mend(&still, &moments, &placed, how.marker_radius, &mut training);
    progress(0.15);
    let pathways = match how.kernel {
        Kernel::Skin => None,
        Kernel::AsPrinted => Some(Pathways::new(&still)?),
    };
    let fitted = match &pathways {
        None => fit_skin(&still, &training, &moments, placed, how, || progress(0.4))?,
        Some(pathways) => fit_printed(pathways, &still, &training, &moments, placed, how)?,
    };
    progress(0.65);

    let laws = fitted.laws(musculature.muscles.len());
    let body = still.body_with(&laws)?;
    let measure = |seen: &Seen, moments: &[Moment]| measured::errors(&still, &body, seen, moments, how.marker_radius);
    let training_errors = measure(&training, &moments);
    progress(0.8);
    let held_out = held_out.map(|seen| {
        let mut seen = seen.thinned(MOST_FRAMES);
        let (moments, placed) = (still.moments(&seen), fitted.placed.named(&training.names, &seen.names));
        let mended = sightings::mend(&still, &moments, &placed, how.marker_radius, &mut seen);
        let surfaces = pathways.as_ref().map(|pathways| {
            pathways.measure(&still, (&seen, &moments, &placed), &fitted.found_laws(), how.above_muscle())
        });
        HeldOut { errors: measure(&seen, &moments), seen, mended, surfaces }
    });
    progress(1.0);
    let told = told::Told { still: &still, seen: &training, mended: &mended, fitted: &fitted };
    Ok(Found {
        musculature: written(musculature, &laws),
        muscles: muscles(&fitted, &training_errors, held_out.as_ref(), how.kernel),
        warnings: told.warnings(held_out.as_ref()),
        sites: fitted.placed.sites,
        training: training_errors,
        held_out: held_out.map(|of| of.errors),
    })
}

/// What was held out, once it has been measured.
struct HeldOut {
    seen: Seen,
    mended: sightings::Mended,
    errors: Errors,
    /// By muscle that was fitted: from markers to its surface, where that was asked for.
    surfaces: Option<Vec<[Distance; 2]>>,
}

/// Markers on the skin, and the muscles that explain them.
struct Fitted {
    placed: Placed,
    muscles: Vec<FittedMuscle>,
    /// Whether the shape at rest was found, too.
    rest: bool,
}

/// A muscle that was fitted to the markers that follow it.
struct FittedMuscle {
    muscle: usize,
    markers: Vec<usize>,
    found: Identified,
}

impl Fitted {
    /// By muscle of the musculature; nothing for those that no marker saw, which stay as they were.
    fn laws(&self, n_muscle: usize) -> Laws {
        let mut laws = vec![None; n_muscle];
        for FittedMuscle { muscle, found, .. } in self.muscles.iter().filter(|of| of.found.with.sightings > 0) {
            let told = |unless: Warning| !found.warnings.contains(&unless);
            laws[*muscle] = Some(Known {
                law: found.law,
                rest: self.rest,
                // rates of a shape at rest that is no more would mean something else
                by_length: self.rest || told(Warning::LengthNeverChanges),
                by_tension: self.rest || told(Warning::TensionNeverChanges),
            });
        }
        laws
    }

    fn found_laws(&self) -> Vec<Law> {
        self.muscles.iter().map(|of| of.found.law).collect()
    }
}

/// Vertices of the body's skin that muscles move which can be identified, evenly chosen, at most so many.
///
/// # Errors
/// When no muscle can be identified.
pub fn followed_vertices(
    character: &Character,
    musculature: &Musculature,
    wear: &[Wear],
    most: usize,
) -> Result<Vec<usize>, IdentifyError> {
    let still = Still::new(character, musculature, wear)?;
    let all = still.followed();
    Ok(evenly(all.len(), most).into_iter().map(|i| all[i]).collect())
}

/// Where on a skin markers sit: where that is known, or over some frames.
fn place(
    still: &Still,
    body: &fusiform::Body,
    seen: &Seen,
    moments: &[Moment],
    how: &How,
) -> Result<Placed, IdentifyError> {
    let sampled = evenly(moments.len(), SITE_FRAMES);
    let known = match how.vertices {
        Some(vertices) if vertices.len() != seen.names.len() => {
            return Err(IdentifyError::Vertices { vertices: vertices.len(), markers: seen.names.len() });
        }
        Some(vertices) => Some(vertices.iter().map(|&v| Some(Site::vertex(v))).collect()),
        None => None,
    };
    find(still, body, (seen, moments, &sampled), known, how.marker_radius).ok_or(IdentifyError::NoSkin)
}

/// The numbers of all muscles by the skin that follows them; `half_way` hears when half of it is done.
fn fit_skin(
    still: &Still,
    seen: &Seen,
    moments: &[Moment],
    placed: Placed,
    how: &How,
    half_way: impl Fn(),
) -> Result<Fitted, IdentifyError> {
    let fitted = fit(still, seen, moments, placed, how)?;
    half_way();
    if how.vertices.is_some() {
        return Ok(fitted);
    }
    // swelling moves skin sideways, too: sites once more, on the skin that was found
    let body = still.body_with(&fitted.laws(still.musculature.muscles.len()))?;
    fit(still, seen, moments, place(still, &body, seen, moments, how)?, how)
}

/// The numbers of all muscles by the markers that lie on them.
fn fit_printed(
    pathways: &Pathways,
    still: &Still,
    seen: &Seen,
    moments: &[Moment],
    placed: Placed,
    how: &How,
) -> Result<Fitted, IdentifyError> {
    let settings = Settings { fat: how.above_muscle(), ..how.settings };
    let muscles = pathways.fit(still, (seen, moments, &placed), &settings)?;
    Ok(Fitted { placed, muscles, rest: true })
}

/// The numbers of all muscles from what markers moved by, beyond the still skin.
fn fit(still: &Still, seen: &Seen, moments: &[Moment], placed: Placed, how: &How) -> Result<Fitted, IdentifyError> {
    let rows = Rows::new(still, &placed.sites);
    let posed = rows.posed(still, moments, &placed.sites, how.marker_radius);
    let n = seen.names.len();
    let offsets = match how.offsets && how.vertices.is_none() {
        true => offsets::find(&rows, &posed, seen),
        false => vec![DVec3::ZERO; n],
    };
    let off = |posed: &Posed, j: usize| posed.places[j] + posed.axes[j] * offsets[j];
    let of_frame =
        |(t, posed): (usize, &Posed)| (0..n).map(|j| seen.frame(t)[j] - off(posed, j)).collect::<Vec<DVec3>>();
    let moved: Vec<DVec3> = posed.iter().enumerate().flat_map(of_frame).collect();
    let columns = rows.columns(&posed);
    drop(posed); // as large as the columns
    let muscles = columns.muscles(&rows);
    let problem = SkinProblem { n_frame: moments.len(), n_marker: n, moved: &moved, muscles: &muscles };
    let found = skin(&problem, &how.settings)?.muscles;
    let muscle = |(row, found): (Row, Identified)| FittedMuscle { muscle: row.muscle, markers: row.markers, found };
    Ok(Fitted { placed, muscles: rows.of.into_iter().zip(found).map(muscle).collect(), rest: false })
}

fn muscles(fitted: &Fitted, training: &Errors, held_out: Option<&HeldOut>, kernel: Kernel) -> Vec<FoundMuscle> {
    let muscle = |(i, FittedMuscle { muscle, markers, found }): (usize, &FittedMuscle)| FoundMuscle {
        muscle: *muscle,
        markers: markers.clone(),
        training: training.over(|j| markers.contains(&j)),
        held_out: held_out.map(|of| {
            let names: Vec<&String> = markers.iter().map(|&j| &training.names[j]).collect();
            of.errors.over(|j| names.contains(&&of.errors.names[j]))
        }),
        volume_spread: found.volume_spread,
        surface: (kernel == Kernel::AsPrinted).then(|| ToSurface {
            training: [found.with, found.without],
            held_out: held_out.and_then(|of| Some(of.surfaces.as_ref()?[i])),
        }),
    };
    fitted.muscles.iter().enumerate().map(muscle).collect()
}

/// What a motion told of one muscle.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    law: Law,
    /// Whether it told the shape at rest, what length does, and what tension does: what it did not tell stays as it was.
    rest: bool,
    by_length: bool,
    by_tension: bool,
}

/// By muscle of the musculature; nothing for those of other kinds and those that no marker saw.
type Laws = Vec<Option<Known>>;
