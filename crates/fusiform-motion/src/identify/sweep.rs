//! Muscles under one skin: each is fitted to what the others leave, again and again.
//!
//! Block Gauss and Seidel. Muscles that share a marker get different colours; those of one colour do not touch each other and are
//! fitted side by side, one colour after the other. Who comes when depends on the muscles alone, so threads change no bit.

use super::descend::Fit;
use super::normal::Numbers;
use super::rules::Rules;
use super::shape::Law;
use super::skin::{Followers, SkinMuscle, SkinProblem};
use super::{
    Distance, Identified, IdentifyError, Settings, Told, check_course, check_settings, identified, law_of, legal,
};
use glam::DVec3;
use rayon::prelude::*;

/// Sweeps that are always made: by Huber, then twice with what is usual known better.
const LEAST_SWEEPS: usize = 3;
/// A sweep that brings the mean distance down by less is the last.
const WORTH: f64 = 2e-4;

/// Muscles found under one skin.
#[derive(Clone, Debug, PartialEq)]
pub struct SkinIdentified {
    /// As in the problem.
    pub muscles: Vec<Identified>,
    /// Over all markers that follow any muscle, each once.
    pub with: Distance,
    /// The same for the skin that bones alone carry.
    pub without: Distance,
    /// Sweeps made.
    pub sweeps: usize,
}

/// The numbers of all muscles, from markers they share.
pub fn skin(problem: &SkinProblem<'_>, settings: &Settings) -> Result<SkinIdentified, IdentifyError> {
    check_settings(settings)?;
    check(problem)?;
    let mut left = problem.moved.to_vec();
    let rules: Vec<Rules> = problem.muscles.iter().map(|muscle| rules(muscle, settings)).collect();
    let mut fits: Vec<Fit> = rules.iter().map(Fit::start).collect();
    let first: Vec<Vec<DVec3>> =
        problem.muscles.par_iter().zip(&fits).map(|(muscle, fit)| moved(problem, muscle, &fit.numbers)).collect();
    for (muscle, moved) in problem.muscles.iter().zip(&first) {
        each_marker(problem, muscle, |at, own| left[at] -= moved[own]);
    }
    drop(first);
    let (colours, mut sweeps) = (colours(problem), 0);
    let followed = followed(problem);
    let mut before = f64::INFINITY;
    while sweeps < settings.sweeps.max(1) {
        for colour in &colours {
            let refit = |&m: &usize| refit(problem, &problem.muscles[m], &rules[m], fits[m], &left, settings);
            let fitted: Vec<(Fit, Vec<DVec3>)> = colour.par_iter().map(refit).collect();
            for (&m, (fit, now)) in colour.iter().zip(fitted) {
                fits[m] = fit;
                each_marker(problem, &problem.muscles[m], |at, own| left[at] = now[own]);
            }
        }
        sweeps += 1;
        let now = distance(problem, &followed, &left).mean_mm;
        if sweeps >= LEAST_SWEEPS && before - now <= WORTH * before {
            break;
        }
        before = now;
    }
    Ok(SkinIdentified {
        muscles: (0..fits.len())
            .into_par_iter()
            .map(|m| tell(problem, &problem.muscles[m], &rules[m], &fits[m], &left))
            .collect(),
        with: distance(problem, &followed, &left),
        without: distance(problem, &followed, problem.moved),
        sweeps,
    })
}

/// Distances of markers under laws that are known, on any motion: with deformation, and without.
pub fn measure_skin(problem: &SkinProblem<'_>, laws: &[Law]) -> Result<[Distance; 2], IdentifyError> {
    check(problem)?;
    let (found, wanted) = (laws.len(), problem.muscles.len());
    if found != wanted {
        return Err(IdentifyError::Length { muscle: found.min(wanted), what: "the list of laws", found, wanted });
    }
    let mut left = problem.moved.to_vec();
    for (muscle, law) in problem.muscles.iter().zip(laws) {
        let moved = muscle.displacements(problem.n_frame, |t, s| law.growth(muscle.length[t], muscle.tension[t], s));
        each_marker(problem, muscle, |at, own| left[at] -= moved[own]);
    }
    let followed = followed(problem);
    // what is seen with deformation and without must be the same sightings
    let both: Vec<DVec3> = problem.moved.iter().zip(&left).map(|(y, l)| if l.is_finite() { *y } else { *l }).collect();
    Ok([distance(problem, &followed, &left), distance(problem, &followed, &both)])
}

fn check(problem: &SkinProblem<'_>) -> Result<(), IdentifyError> {
    let (found, wanted) = (problem.moved.len(), problem.n_frame * problem.n_marker);
    if found != wanted {
        return Err(IdentifyError::Length { muscle: 0, what: "what markers moved by", found, wanted });
    }
    for (i, muscle) in problem.muscles.iter().enumerate() {
        check_course(i, &muscle.course(), problem.n_frame)?;
        muscle.check(i, problem.n_frame, problem.n_marker)?;
    }
    Ok(())
}

fn rules(muscle: &SkinMuscle<'_>, settings: &Settings) -> Rules {
    let mut rest = muscle.rest.to_nine();
    legal::rest(&mut rest);
    Rules::new(&muscle.course(), &rest, true, settings)
}

/// n_frame x n: what a muscle moves its markers by.
fn moved(problem: &SkinProblem<'_>, muscle: &SkinMuscle<'_>, numbers: &Numbers) -> Vec<DVec3> {
    let law = law_of(numbers, muscle.rest_length);
    muscle.displacements(problem.n_frame, |t, share| law.growth(muscle.length[t], muscle.tension[t], share))
}

/// Every marker of a muscle in every frame: where it is among all, and among the muscle's own.
fn each_marker(problem: &SkinProblem<'_>, muscle: &SkinMuscle<'_>, mut each: impl FnMut(usize, usize)) {
    let n = muscle.markers.len();
    for t in 0..problem.n_frame {
        for (j, &marker) in muscle.markers.iter().enumerate() {
            each(t * problem.n_marker + marker, t * n + j);
        }
    }
}

/// A muscle on what the others leave, and what it leaves of its markers.
fn refit(
    problem: &SkinProblem<'_>,
    muscle: &SkinMuscle<'_>,
    rules: &Rules,
    mut fit: Fit,
    left: &[DVec3],
    settings: &Settings,
) -> (Fit, Vec<DVec3>) {
    let mut wanted = moved(problem, muscle, &fit.numbers);
    each_marker(problem, muscle, |at, own| wanted[own] += left[at]);
    let mut data = Followers::new(muscle, &wanted);
    if settings.free_rest {
        fit.improve::<18, _>(&mut data, rules, settings);
    } else {
        fit.improve::<9, _>(&mut data, rules, settings);
    }
    let now = moved(problem, muscle, &fit.numbers);
    let rest = wanted.iter().zip(&now).map(|(wanted, now)| *wanted - *now).collect();
    (fit, rest)
}

/// Muscles by colour: each takes the first that none of those it shares a marker with has taken before it.
fn colours(problem: &SkinProblem<'_>) -> Vec<Vec<usize>> {
    let mut over: Vec<Vec<usize>> = vec![Vec::new(); problem.n_marker];
    for (m, muscle) in problem.muscles.iter().enumerate() {
        muscle.markers.iter().for_each(|&marker| over[marker].push(m));
    }
    let mut colour_of = vec![usize::MAX; problem.muscles.len()];
    let mut colours: Vec<Vec<usize>> = Vec::new();
    for (m, muscle) in problem.muscles.iter().enumerate() {
        let neighbours = || muscle.markers.iter().flat_map(|&marker| &over[marker]).map(|&other| colour_of[other]);
        let colour = (0..).find(|&colour| neighbours().all(|taken| taken != colour)).unwrap_or(colours.len());
        colour_of[m] = colour;
        if colour == colours.len() {
            colours.push(Vec::new());
        }
        colours[colour].push(m);
    }
    colours
}

/// n_marker: whether any muscle moves it.
fn followed(problem: &SkinProblem<'_>) -> Vec<bool> {
    let mut followed = vec![false; problem.n_marker];
    problem.muscles.iter().flat_map(|muscle| muscle.markers).for_each(|&marker| followed[marker] = true);
    followed
}

fn distance(problem: &SkinProblem<'_>, followed: &[bool], left: &[DVec3]) -> Distance {
    let rows = left.chunks_exact(problem.n_marker.max(1));
    let seen = rows.flat_map(|row| row.iter().zip(followed).filter(|(_, followed)| **followed));
    Distance::of(&seen.map(|(left, _)| left.length()).filter(|size| size.is_finite()).collect::<Vec<_>>())
}

fn tell(problem: &SkinProblem<'_>, muscle: &SkinMuscle<'_>, rules: &Rules, fit: &Fit, left: &[DVec3]) -> Identified {
    let n = muscle.markers.len().max(1);
    let (mut with, mut without, mut frames) = (Vec::new(), Vec::new(), vec![false; problem.n_frame]);
    each_marker(problem, muscle, |at, own| {
        if left[at].is_finite() && rules.frames[own / n].is_some() {
            with.push(left[at].length());
            without.push(problem.moved[at].length());
            frames[own / n] = true;
        }
    });
    let told = Told {
        rejected: with.iter().filter(|size| fit.loss.rejects(**size)).count(),
        with: Distance::of(&with),
        without: Distance::of(&without),
        frames: frames.iter().filter(|seen| **seen).count(),
        iterations: fit.iterations,
        settled: fit.settled,
    };
    identified(&fit.numbers, muscle.rest_length, rules, told)
}
