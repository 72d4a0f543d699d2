//! Fits: what work beside the window found, and planes that are turned.

use super::{Done, Seen};
use crate::model::fit::{Fitted, fat, keeps_changes};
use crate::model::{Document, Fault, system};
use fusiform::{Character, Musculature};
use fusiform_fit::{Flesh, Preset};
use std::collections::BTreeSet;
use std::sync::Arc;

pub fn take_over(fitted: &Fitted, document: &mut Document) -> Done {
    document.musculature = fitted.musculature.clone();
    document.fitting = fitted.fitting.clone();
    Done { chosen: fitted.chosen.clone(), warnings: fitted.warnings.clone() }
}

/// Turn the plane between two opposed muscles, or let it lie as it is found, and fit these two anew; on the other side
/// likewise, while that follows.
pub fn turn_plane(seen: Seen, bone: &str, degrees: Option<f32>, document: &mut Document) -> Result<(), Fault> {
    let begin = system::Instant::now();
    let which = slant_plane(seen, bone, degrees, document)?;
    if !which.is_empty() {
        let weighed = flesh_of(seen, document)?.weigh(&mut document.musculature, &which, None);
        weighed.map_err(|error| Fault::told(&seen.project.name, &error.to_string()))?;
        seen.fit.took(begin.elapsed().as_secs_f32());
    }
    Ok(())
}

/// The same, but for which skin they move; which muscles they are.
pub fn slant_plane(
    seen: Seen,
    bone: &str,
    degrees: Option<f32>,
    document: &mut Document,
) -> Result<BTreeSet<usize>, Fault> {
    if degrees.is_some_and(|degrees| !degrees.is_finite()) {
        return Ok(BTreeSet::new()); // no number a hand can mean
    }
    let told = |message: String| Fault::told(&seen.project.name, &message);
    let flesh = flesh_of(seen, document)?;
    let Some(bone) = flesh.bones().iter().position(|other| other.name == bone) else {
        return Err(told(format!("{bone} carries no flesh that a plane could divide")));
    };
    let mut planes = vec![(bone, degrees)];
    if let Some(twin) = flesh.bones()[bone].twin.filter(|_| seen.mirrored) {
        planes.push((twin, degrees.map(|degrees| -degrees)));
    }
    let (character, fat) = (&seen.project.character, fat(seen.project, &document.fitting));
    let mut which = BTreeSet::new();
    for (bone, degrees) in planes {
        let degrees = degrees.map(within_a_turn);
        let name = &flesh.bones()[bone].name;
        let was = document.fitting.turned.get(name).copied();
        let refitted = refit((character, &flesh), (bone, was, degrees), fat, &mut document.musculature);
        which.extend(refitted.map_err(told)?);
        match degrees {
            Some(degrees) => _ = document.fitting.turned.insert(name.clone(), degrees),
            None => _ = document.fitting.turned.remove(name),
        }
    }
    Ok(which)
}

/// The body as it is cut; cutting it takes long, and is not waited for.
fn flesh_of(seen: Seen, document: &Document) -> Result<Arc<Flesh>, Fault> {
    let (file, message) = (seen.project.name.clone(), "the body is being cut into regions".into());
    let cure = "turn the plane when the window of the fit shows it".into();
    seen.fit.fresh_flesh(document).ok_or(Fault { file, message, cure })
}

/// Above -180 up to 180 degrees.
fn within_a_turn(degrees: f32) -> f32 {
    let turned = degrees.rem_euclid(360.0);
    if turned > 180.0 { turned - 360.0 } else { turned }
}

/// The muscles of one bone where they now lie; which they are.
fn refit(
    (character, flesh): (&Character, &Flesh),
    (bone, was, degrees): (usize, Option<f32>, Option<f32>),
    fat: f32,
    muscles: &mut Musculature,
) -> Result<Vec<usize>, String> {
    let rows = flesh.muscles_of(bone).map(|name| muscles.find(&name));
    let Some(first) = rows.iter().flatten().next() else { return Ok(Vec::new()) };
    let preset = Preset::of(&muscles.muscles[*first]);
    let pair = |degrees| flesh.pair(bone, degrees, preset, fat).map_err(|error| error.to_string());
    let Some(fitted) = pair(degrees)? else {
        return Err(format!("{}: there is no room for two muscles when its plane lies so", flesh.bones()[bone].name));
    };
    let was_fitted = pair(was)?.unwrap_or_else(|| fitted.clone());
    let kinds = rows.into_iter().zip(was_fitted.iter().zip(fitted));
    let present = kinds.filter_map(|(row, (was, now))| Some((row?, was, now)));
    let turned = present.map(|(row, was, now)| {
        let muscle = &mut muscles.muscles[row];
        *muscle = keeps_changes(character, muscle, was, now);
        row
    });
    Ok(turned.collect())
}
