//! What a muscle is, beside where it lies, as a template says it.

use crate::template::{Defaults, MuscleTemplate};
use crate::tune::FIELDS;
use fusiform::Muscle;
use fusiform::musculature::{Contraction, Dynamics, Follow, FrameRule, Path, Profile};
use std::collections::BTreeMap;

/// The values of the muscle that templates share among muscles; the usual ones where it has another kind of profile,
/// contraction or dynamics.
#[must_use]
pub fn shared_values(muscle: &Muscle) -> Defaults {
    let mut values = Defaults { rings: muscle.rings, sectors: muscle.sectors, ..Defaults::default() };
    if let Path::Bezier { held, .. } = muscle.path {
        values.held = held;
    }
    if let Profile::Sine { taper, aspect, .. } = muscle.profile {
        (values.taper, values.aspect) = (taper, aspect);
    }
    if let Contraction::Bulge { bulge, stretch_ratio, isometric } = muscle.contraction {
        (values.bulge, values.stretch_ratio, values.isometric) = (bulge, stretch_ratio, isometric);
    }
    match muscle.contraction {
        Contraction::Cones { isometric, .. } | Contraction::Tone { isometric, .. } => values.isometric = isometric,
        Contraction::TensionRatio { ratio, .. } => values.tension_ratio = ratio,
        _ => {}
    }
    if let Dynamics::Spring { stiffness, mass, damping, reach, .. } = muscle.dynamics {
        values.frequency = (stiffness / mass).sqrt() / std::f32::consts::TAU;
        (values.damping, values.reach) = (damping, reach);
    }
    if let Dynamics::SoftBody { goal, mass, damping, reach, .. } = muscle.dynamics {
        values.frequency = (goal / mass).sqrt() / std::f32::consts::TAU;
        (values.damping, values.reach) = (damping, reach);
    }
    values
}

/// Half the width of the belly, metres.
pub(super) fn radius(muscle: &Muscle) -> Option<f32> {
    match muscle.profile {
        Profile::Sine { size, .. } => Some(size),
        _ => None,
    }
}

/// The value most muscles have becomes the template's; only the others keep their own.
pub(super) fn most_common(muscles: &mut [MuscleTemplate]) -> Defaults {
    let mut defaults = Defaults::default();
    for field in FIELDS.iter().filter(|field| field.is_shared()) {
        let mut count: BTreeMap<u32, usize> = BTreeMap::new();
        for value in muscles.iter().filter_map(|muscle| field.own(muscle)) {
            *count.entry(value.to_bits()).or_default() += 1;
        }
        let Some((&bits, _)) = count.iter().max_by_key(|&(_, n)| n) else { continue };
        field.share(&mut defaults, f32::from_bits(bits));
        for muscle in muscles.iter_mut().filter(|muscle| field.own(muscle) == Some(f32::from_bits(bits))) {
            field.clear(muscle);
        }
    }
    defaults
}

/// What templates cannot say of these muscles.
pub(super) fn unsaid(muscles: &[Muscle]) -> Vec<String> {
    type Lost = (&'static str, fn(&Muscle) -> bool);
    let lost: [Lost; 5] = [
        ("another profile than a sine", |muscle| !matches!(muscle.profile, Profile::Sine { .. })),
        ("another contraction than a bulge", |muscle| !matches!(muscle.contraction, Contraction::Bulge { .. })),
        ("no spring of its own", |muscle| !matches!(muscle.dynamics, Dynamics::Spring { .. })),
        ("its own way of carrying the skin", |muscle| muscle.follow != Follow::default()),
        ("Lee's ring frames", |muscle| muscle.frame != FrameRule::default()),
    ];
    let names = |has: fn(&Muscle) -> bool| muscles.iter().filter(move |muscle| has(muscle)).count();
    let found = lost.into_iter().map(|(what, has)| (names(has), what)).filter(|(n, _)| *n > 0);
    found.map(|(n, what)| format!("{n} of {} muscles have {what}, which templates cannot say", muscles.len())).collect()
}
