//! What of an artist's work on a muscle outlives its being fitted anew.

use crate::model::DIALS;
use fusiform::Muscle;

/// Dials of the belly's size differ by less than this share where nobody turned them.
const SAME: f32 = 1e-4;

/// The muscle where and as thick as it is now fitted, which behaves as it did.
#[must_use]
pub fn behaves_as(old: &Muscle, fitted: Muscle) -> Muscle {
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

/// The muscle as it is now fitted, with every dial turned that was turned since it was last fitted: sizes by as much as they
/// were changed, other numbers to what they were.
#[must_use]
pub fn keeps_dials(old: &Muscle, was_fitted: &Muscle, fitted: Muscle) -> Muscle {
    let mut kept = behaves_as(old, fitted.clone());
    // what follows from the belly's size follows it on
    if old.contraction == was_fitted.contraction {
        kept.contraction = fitted.contraction;
    }
    if old.dynamics == was_fitted.dynamics {
        kept.dynamics = fitted.dynamics;
    }
    if std::mem::discriminant(&old.profile) != std::mem::discriminant(&was_fitted.profile) {
        kept.profile = old.profile.clone();
        return kept;
    }
    for dial in DIALS.iter().filter(|dial| dial.group == "Shape") {
        let (Some(now), Some(was), Some(fits)) = (dial.of(old), dial.of(was_fitted), dial.of(&kept)) else { continue };
        if (now - was).abs() <= SAME * was.abs() {
            continue;
        }
        let is_size = dial.unit == "m" && was > 0.0;
        dial.turn(&mut kept, if is_size { fits * now / was } else { now });
    }
    kept
}
