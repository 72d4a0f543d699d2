//! What of an artist's work on a muscle outlives its being fitted anew.

use crate::model::kernels::MOST;
use crate::model::{CHOICES, DIALS, Grip, Twin};
use fusiform::musculature::{Attachment, Sculpt};
use fusiform::{Character, Muscle, Skeleton};
use glam::{Affine3A, Quat, Vec3};

/// Dials of the belly's size differ by less than this share where nobody turned them.
const SAME: f32 = 1e-4;
/// Headings of what a fit finds: how thick a belly is, and how it runs.
const FITTED: [&str; 2] = ["Shape", "Path"];

/// The muscle where and as thick as it is now fitted, which behaves as it did.
#[must_use]
pub fn behaves_as(old: &Muscle, fitted: Muscle) -> Muscle {
    let fitted = gridded_as(old, fitted);
    Muscle {
        name: old.name.clone(),
        contraction: old.contraction.clone(),
        dynamics: old.dynamics.clone(),
        frame: old.frame,
        follow: old.follow,
        influence: old.influence,
        ..fitted
    }
}

/// With as many points as it had: shapes that were sculpted lie on them.
fn gridded_as(old: &Muscle, mut fitted: Muscle) -> Muscle {
    for dial in DIALS.iter().filter(|dial| dial.group == "Rings") {
        dial.of(old).into_iter().for_each(|value| dial.turn(&mut fitted, value));
    }
    fitted
}

/// With the kinds of profile and path that it had, and as many points.
fn built_as(old: &Muscle, fitted: Muscle, skeleton: &Skeleton) -> Muscle {
    let mut built = gridded_as(old, fitted);
    for choice in CHOICES.iter().filter(|choice| FITTED.contains(&choice.group)) {
        choice.of(old).into_iter().for_each(|option| choice.take(&mut built, option, skeleton));
    }
    built
}

/// The muscle as it is now fitted, with all that a hand changed since it was last fitted: sizes and sculpted shapes by as
/// much as they were changed, places moved as far, other numbers and choices as they were.
#[must_use]
pub fn keeps_changes(character: &Character, old: &Muscle, was_fitted: &Muscle, fitted: Muscle) -> Muscle {
    let skeleton = &character.skeleton;
    let was = built_as(old, was_fitted.clone(), skeleton);
    let fitted = built_as(old, fitted, skeleton);
    let mut kept = behaves_as(old, fitted.clone());
    // what follows from the belly's size follows it on
    if old.contraction == was.contraction {
        kept.contraction = fitted.contraction.clone();
    }
    if old.dynamics == was.dynamics {
        kept.dynamics = fitted.dynamics.clone();
    }
    turn_dials([old, &was], &mut kept, character.height());
    move_places(skeleton, [old, &was, &fitted], &mut kept);
    kept.sculpt = sculpted([&old.sculpt, &was.sculpt], fitted.sculpt);
    kept
}

/// Dials that were turned: lengths by as much as they were changed, other numbers to what they were.
fn turn_dials([old, was]: [&Muscle; 2], kept: &mut Muscle, height: f32) {
    // a direction is no three numbers: it is turned as a whole, with the places
    let numbers = DIALS.iter().filter(|dial| FITTED.contains(&dial.group) && dial.twin != Twin::Mirrored(Grip::Up));
    for dial in numbers.map(|dial| dial.on_body(height)) {
        let (Some(now), Some(was), Some(fits)) = (dial.of(old), dial.of(was), dial.of(kept)) else { continue };
        if (now - was).abs() <= SAME * was.abs() {
            continue;
        }
        let value = match dial.unit {
            "m" if dial.low < 0.0 => fits + (now - was),
            "m" if was > 0.0 => fits * now / was,
            _ => now,
        };
        dial.turn(kept, value);
    }
}

/// Ends, hinges and the up-vector that were moved, moved as far from where they are now fitted; with the belly as that is
/// turned about its bone.
fn move_places(skeleton: &Skeleton, [old, was, fitted]: [&Muscle; 3], kept: &mut Muscle) {
    let bind = |joint: &str| skeleton.find(joint).map_or(Affine3A::IDENTITY, |joint| skeleton.joints[joint].bind);
    let up = |muscle: &Muscle| bind(&muscle.origin.joint).transform_vector3(muscle.up?).try_normalize();
    let turn = up(was).zip(up(fitted)).filter(|(was, fitted)| was != fitted);
    let turn = turn.map_or(Quat::IDENTITY, |(was, fitted)| Quat::from_rotation_arc(was, fitted));
    let turned =
        |joint: &str, v: Vec3| bind(joint).inverse().transform_vector3(turn * bind(joint).transform_vector3(v));
    let moved = |old: &Attachment, was: &Attachment, fitted: &mut Attachment| {
        if old.joint != was.joint || was.joint != fitted.joint {
            fitted.clone_from(old);
        } else if old.point != was.point {
            fitted.point += turned(&old.joint, old.point - was.point);
        }
    };
    for grip in Grip::all(old) {
        let before = grip.attachment(old).zip(grip.attachment(was)).filter(|(old, was)| old != was);
        if let (Some((old, was)), Some(fitted)) = (before, grip.attachment_mut(kept)) {
            moved(old, was, fitted);
        }
    }
    if let (Some(own), true) = (old.up, old.up != was.up) {
        kept.up = Some(turned(&old.origin.joint, own));
    }
}

/// The shape it is now fitted with, pulled out and pressed in where a hand did that; none where a hand took it all away.
fn sculpted([old, was]: [&Option<Sculpt>; 2], fitted: Option<Sculpt>) -> Option<Sculpt> {
    if old == was {
        return fitted;
    }
    let old = &old.as_ref()?.factors;
    let plain = vec![1.0; old.len()];
    let was = was.as_ref().map_or(&plain, |was| &was.factors);
    let fits = fitted.as_ref().map_or(&plain, |fitted| &fitted.factors);
    if was.len() != old.len() || fits.len() != old.len() {
        return fitted; // binding will say what is wrong with the old one
    }
    let factor = |((&old, &was), &fits): ((&f32, &f32), &f32)| match was {
        _ if old == was => fits,
        was if was > 0.0 => (fits * old / was).min(MOST.max(old)),
        _ => old,
    };
    Some(Sculpt { factors: old.iter().zip(was).zip(fits).map(factor).collect() })
}
