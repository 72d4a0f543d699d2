//! Printed: markers in the cylindrical coordinates of every muscle, frame by frame, for the fit as the paper has it.
//!
//! ```text
//! pose ─> pathway: origin, via points, insertion, less the tendons ─┐
//! state ─> axes of the rings, from which angles are counted ────────┴─ nearest markers of each segment ─> (r, θ, x)
//! ```
//!
//! Murai et al. 2016, section 3.2, between eq. 3 and eq. 4. The paper counts all of a muscle's length; here it is the belly's, because
//! the frame's sections lie along the belly. A muscle on a curve has no via points: its segments lie between its rings.

use super::sites::Placed;
use super::still::{Moment, Still};
use super::{FittedMuscle, IdentifyError, Seen};
use fusiform::body::{RestSection, rest_bellies};
use fusiform::musculature::Path;
use fusiform::{BodyState, Musculature};
use fusiform_motion::identify::{
    Distance, Law, Nearby, PaperMuscle, Ring, Sample, Settings, measure_paper, nearest, paper,
};
use glam::{Affine3A, DVec3, Vec3};

/// Markers that a segment takes in a frame: "a user-defined number" in the text, one in the sum of eq. 5. More of them lie around
/// the whole limb, in which no muscle is in the middle.
const NEAREST: usize = 1;
/// m: markers farther from a pathway lie over other flesh. Ours: the paper leaves out deep muscles instead.
const WITHIN: f64 = 0.06;

/// Where muscles run.
pub(super) struct Pathways(Vec<Pathway>);

struct Pathway {
    muscle: usize,
    /// Joints and points in them, m: origin, via points, insertion; nothing for a muscle on a curve.
    knots: Vec<(usize, Vec3)>,
    tendons: [f64; 2], // m, as the document has them
    sections: Vec<RestSection>,
    flat: bool,
    rest_length: f64, // m
}

/// What was seen of one muscle, in its own coordinates.
#[derive(Default)]
struct Course {
    length: Vec<f64>,
    tension: Vec<f64>,
    samples: Vec<Sample>,
    markers: Vec<usize>, // that were among the nearest once
}

impl Pathways {
    pub fn new(still: &Still) -> Result<Self, IdentifyError> {
        let Musculature { muscles, .. } = &still.musculature;
        let skeleton = &still.character.skeleton;
        let mut bellies = rest_bellies(skeleton, muscles)?;
        let pathway = |&muscle: &usize| {
            let of = &muscles[muscle];
            let (via, tendons) = match &of.path {
                Path::Polyline { via, tendons } => (Some(via), *tendons),
                _ => (None, [0.0; 2]),
            };
            let knots = via.into_iter().flat_map(|via| std::iter::once(&of.origin).chain(via).chain([&of.insertion]));
            Some(Pathway {
                muscle,
                knots: knots.map(|at| Some((skeleton.find(&at.joint)?, at.point))).collect::<Option<_>>()?,
                tendons: tendons.map(f64::from),
                sections: std::mem::take(&mut bellies[muscle].rings),
                flat: still.rest(muscle)?.1,
                rest_length: f64::from(still.rest_bellies[muscle]),
            })
        };
        Ok(Self(still.muscles.iter().filter_map(pathway).collect()))
    }

    /// All 27 numbers of every muscle, each on its own.
    pub fn fit(
        &self,
        still: &Still,
        (seen, moments, placed): (&Seen, &[Moment], &Placed),
        settings: &Settings,
    ) -> Result<Vec<FittedMuscle>, IdentifyError> {
        let courses = self.courses(still, seen, moments, placed);
        let muscles: Vec<PaperMuscle> = self.0.iter().zip(&courses).map(|(of, course)| of.told(course)).collect();
        let found = paper(&muscles, settings)?;
        let rows = self.0.iter().zip(courses).zip(found);
        Ok(rows
            .map(|((of, course), found)| FittedMuscle { muscle: of.muscle, markers: course.markers, found })
            .collect())
    }

    /// n_pathway: from markers to the muscle below them, with its deformation and without, on any motion.
    pub fn measure(
        &self,
        still: &Still,
        (seen, moments, placed): (&Seen, &[Moment], &Placed),
        laws: &[Law],
        fat: f64,
    ) -> Vec<[Distance; 2]> {
        let courses = self.courses(still, seen, moments, placed);
        let rows = self.0.iter().zip(&courses).zip(laws);
        rows.map(|((of, course), law)| measure_paper(&of.told(course), law, fat)).collect()
    }

    /// What was seen of every muscle.
    fn courses(&self, still: &Still, seen: &Seen, moments: &[Moment], placed: &Placed) -> Vec<Course> {
        // what is not on the skin tells nothing of what is below it
        let on_skin = |t: usize| -> Vec<DVec3> {
            let places = seen.frame(t).iter().zip(&placed.sites);
            places.map(|(place, site)| if site.is_some() { *place } else { DVec3::NAN }).collect()
        };
        let frames = still.each(&still.body, moments, |t, state| {
            let markers = on_skin(t);
            let of = |of: &Pathway| of.frame(still, state, moments[t].pose(), &markers);
            self.0.iter().map(of).collect::<Vec<_>>()
        });
        let mut courses: Vec<Course> = self.0.iter().map(|_| Course::default()).collect();
        for (t, frame) in frames.into_iter().enumerate() {
            for (course, (length, tension, near)) in courses.iter_mut().zip(frame) {
                course.length.push(length);
                course.tension.push(tension);
                course.samples.extend(near.iter().map(|near| near.sample(t)));
                course.markers.extend(near.iter().map(|near| near.marker));
            }
        }
        for course in &mut courses {
            course.markers.sort_unstable();
            course.markers.dedup();
        }
        courses
    }
}

impl Pathway {
    /// Length, tension, and the markers near it in a frame.
    fn frame(&self, still: &Still, state: &BodyState, pose: &[Affine3A], markers: &[DVec3]) -> (f64, f64, Vec<Nearby>) {
        let length = f64::from(state.belly_lengths()[self.muscle]);
        let rings = state.rings(&still.body, self.muscle);
        let last = (self.sections.len().max(2) - 1) as f64;
        let axes: Vec<Ring> = rings
            .iter()
            .zip(&self.sections)
            .enumerate()
            .map(|(i, (ring, at))| {
                let long = if self.flat { at.c } else { at.b };
                let axis = ring.carry(at.center + long) - ring.carry(at.center);
                Ring { share: i as f64 / last, axis: axis.as_dvec3() }
            })
            .collect();
        let path: Vec<DVec3> = match self.knots.is_empty() {
            true => rings.iter().zip(&self.sections).map(|(ring, at)| ring.carry(at.center).as_dvec3()).collect(),
            false => {
                let knots = self.knots.iter().map(|(joint, point)| pose[*joint].transform_point3(*point).as_dvec3());
                without_tendons(&knots.collect::<Vec<_>>(), self.tendons, length)
            }
        };
        let near = nearest(&path, &axes, markers, NEAREST, WITHIN);
        (length, f64::from(state.activations()[self.muscle]), near)
    }

    fn told<'a>(&self, course: &'a Course) -> PaperMuscle<'a> {
        PaperMuscle {
            rest_length: self.rest_length,
            start: None,
            length: &course.length,
            tension: &course.tension,
            // no tendons in the length of a belly
            belly_length: &[],
            samples: &course.samples,
        }
    }
}

/// The part of a path that is a belly of that length: what the path has more is the tendons', each by its share.
fn without_tendons(path: &[DVec3], tendons: [f64; 2], belly: f64) -> Vec<DVec3> {
    let along: Vec<f64> = std::iter::once(0.0)
        .chain(path.windows(2).scan(0.0, |walked, ends| {
            *walked += ends[0].distance(ends[1]);
            Some(*walked)
        }))
        .collect();
    let (total, both) = (along.last().copied().unwrap_or(0.0), tendons[0] + tendons[1]);
    if !(both > 0.0 && total > belly) {
        return path.to_vec();
    }
    let start = (total - belly) * tendons[0] / both;
    let at = |wanted: f64| {
        let i = along.partition_point(|walked| *walked <= wanted).clamp(1, path.len() - 1);
        let piece = along[i] - along[i - 1];
        path[i - 1].lerp(path[i], if piece > 0.0 { (wanted - along[i - 1]) / piece } else { 0.0 })
    };
    let between =
        path.iter().zip(&along).filter(|(_, walked)| (start..start + belly).contains(*walked) && **walked > start);
    std::iter::once(at(start)).chain(between.map(|(knot, _)| *knot)).chain([at(start + belly)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_loses_its_tendons_and_keeps_its_via_points() {
        let path = [0.0, 0.1, 0.2, 0.5].map(|x| DVec3::X * x);
        assert_eq!(without_tendons(&path, [0.0; 2], 0.5), path);
        let belly = without_tendons(&path, [0.05, 0.05], 0.1);
        let wanted = [0.2, 0.3].map(|x| DVec3::X * x);
        assert!(
            belly[0].distance(wanted[0]) < 1e-12 && belly[belly.len() - 1].distance(wanted[1]) < 1e-12,
            "{belly:?}"
        );
        let belly = without_tendons(&path, [0.05, 0.1], 0.35);
        assert_eq!((belly.len(), belly[1], belly[2]), (4, path[1], path[2]));
        assert!(belly[0].distance(DVec3::X * 0.05) < 1e-12 && belly[3].distance(DVec3::X * 0.4) < 1e-12);
    }
}
