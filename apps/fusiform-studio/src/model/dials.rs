//! Dials: every number of a muscle that a slider moves, with what it does to the skin.

use fusiform::Muscle;
use fusiform::musculature::{Contraction, Dynamics, Path, Profile};

/// A number of a muscle. A muscle has it or not, by its kind of path, profile, contraction and dynamics.
#[derive(Clone, Copy, Debug)]
pub struct Dial {
    /// The heading it stands under.
    pub group: &'static str,
    /// As the inspector calls it.
    pub label: &'static str,
    /// What it is counted in; empty for a plain number.
    pub unit: &'static str,
    /// The slider goes from here,
    pub low: f32,
    /// to here.
    pub high: f32,
    /// What a new muscle has.
    pub default: f32,
    /// What it does to the skin.
    pub tip: &'static str,
    get: fn(&Muscle) -> Option<f32>,
    put: fn(&mut Muscle, f32),
}

impl Dial {
    /// The muscle's value, if it has such a number.
    #[must_use]
    pub fn of(&self, muscle: &Muscle) -> Option<f32> {
        (self.get)(muscle)
    }

    /// Turn it, within its ends; muscles that have no such number are left alone.
    pub fn turn(&self, muscle: &mut Muscle, value: f32) {
        if self.of(muscle).is_some() && value.is_finite() {
            (self.put)(muscle, value.clamp(self.low, self.high));
        }
    }
}

/// A number inside one variant of one of the muscle's choices, or one of two such numbers.
macro_rules! of {
    ($choice:ident, $variant:path, $field:ident) => {
        (
            |muscle| match &muscle.$choice {
                $variant { $field, .. } => Some(*$field),
                _ => None,
            },
            |muscle, value| {
                if let $variant { $field, .. } = &mut muscle.$choice {
                    *$field = value;
                }
            },
        )
    };
    ($choice:ident, $variant:path, $field:ident, $i:literal) => {
        (
            |muscle| match &muscle.$choice {
                $variant { $field, .. } => Some($field[$i]),
                _ => None,
            },
            |muscle, value| {
                if let $variant { $field, .. } = &mut muscle.$choice {
                    $field[$i] = value;
                }
            },
        )
    };
}

type Access = (fn(&Muscle) -> Option<f32>, fn(&mut Muscle, f32));

const fn dial(
    (group, label): (&'static str, &'static str),
    (low, high, default, unit): (f32, f32, f32, &'static str),
    (get, put): Access,
    tip: &'static str,
) -> Dial {
    Dial { group, label, unit, low, high, default, tip, get, put }
}

const SHAPE: &str = "Shape";
const PATH: &str = "Path";
const CONTRACTION: &str = "Contraction";
const JIGGLE: &str = "Jiggle";
const SKIN: &str = "Skin";

/// Every dial, in the order of the inspector.
pub const DIALS: &[Dial] = &[
    dial(
        (SHAPE, "Size"),
        (0.001, 0.2, 0.02, "m"),
        of!(profile, Profile::Sine, size),
        "Radius at mid-belly. A larger belly swells the skin further; rest stays as it is.",
    ),
    dial(
        (SHAPE, "Taper"),
        (0.2, 4.0, 1.0, ""),
        of!(profile, Profile::Sine, taper),
        "Draws the ends out into tendons: the skin swells over a shorter stretch.",
    ),
    dial(
        (SHAPE, "Aspect"),
        (0.1, 4.0, 1.0, ""),
        of!(profile, Profile::Sine, aspect),
        "Height over width of the section: a flat muscle spreads its swelling.",
    ),
    dial(
        (SHAPE, "Width"),
        (0.001, 0.2, 0.02, "m"),
        of!(profile, Profile::Ellipsoid, width),
        "Half-axis across the up-vector.",
    ),
    dial(
        (SHAPE, "Height"),
        (0.001, 0.2, 0.02, "m"),
        of!(profile, Profile::Ellipsoid, height),
        "Half-axis toward the up-vector: how far the belly stands out.",
    ),
    dial(
        (SHAPE, "Peak at"),
        (0.05, 0.95, 0.5, ""),
        of!(profile, Profile::TwoCubics, peak_at),
        "Where along the belly it is thickest: 0 origin, 1 insertion.",
    ),
    dial(
        (SHAPE, "Peak"),
        (0.001, 0.2, 0.02, "m"),
        of!(profile, Profile::TwoCubics, peak),
        "Radius at the thickest place.",
    ),
    dial(
        (SHAPE, "Origin radius"),
        (0.0, 0.1, 0.0, "m"),
        of!(profile, Profile::TwoCubics, ends, 0),
        "Radius where the belly begins.",
    ),
    dial(
        (SHAPE, "Insertion radius"),
        (0.0, 0.1, 0.0, "m"),
        of!(profile, Profile::TwoCubics, ends, 1),
        "Radius where the belly ends.",
    ),
    dial(
        (SHAPE, "Ellipse"),
        (0.1, 4.0, 1.0, ""),
        of!(profile, Profile::TwoCubics, ellipse),
        "Height over width of the section.",
    ),
    dial(
        (PATH, "Held"),
        (0.0, 1.0, 0.0, ""),
        of!(path, Path::Bezier, held),
        "How far the skin's joints hold the belly: at 0 it cuts the corner of a bent joint, at 1 it stays under its skin.",
    ),
    dial(
        (PATH, "Origin tendon"),
        (0.0, 0.3, 0.0, "m"),
        of!(path, Path::Polyline, tendons, 0),
        "Length of the tendon at the origin: the belly, and the swelling, begin after it.",
    ),
    dial(
        (PATH, "Insertion tendon"),
        (0.0, 0.3, 0.0, "m"),
        of!(path, Path::Polyline, tendons, 1),
        "Length of the tendon at the insertion.",
    ),
    dial(
        (CONTRACTION, "Bulge"),
        (0.0, 4.0, 1.0, ""),
        of!(contraction, Contraction::Bulge, bulge),
        "How far shortening swells the skin: 0 keeps the volume and no more.",
    ),
    dial(
        (CONTRACTION, "Stretch ratio"),
        (0.1, 8.0, 2.0, ""),
        of!(contraction, Contraction::Bulge, stretch_ratio),
        "How much less a stretch thins the belly than an equal shortening swells it.",
    ),
    dial(
        (CONTRACTION, "Flex"),
        (0.0, 2.0, 0.25, ""),
        of!(contraction, Contraction::Bulge, isometric),
        "How far the skin swells when the muscle is tensed and nothing moves.",
    ),
    dial(
        (CONTRACTION, "Tone"),
        (0.0, 1.0, 1.0, ""),
        of!(contraction, Contraction::Tone, tone),
        "1 keeps the belly's volume as it shortens, 0 its thickness: a body that is not fit swells less.",
    ),
    dial(
        (CONTRACTION, "Flex "),
        (0.0, 2.0, 0.25, ""),
        of!(contraction, Contraction::Tone, isometric),
        "How far the skin swells when the muscle is tensed and nothing moves.",
    ),
    dial(
        (CONTRACTION, "Kappa"),
        (0.0, 4.0, 0.25, ""),
        of!(contraction, Contraction::Cones, isometric),
        "How far full activation raises the section, and narrows it across.",
    ),
    dial(
        (CONTRACTION, "Ratio"),
        (0.05, 20.0, 2.56, ""),
        of!(contraction, Contraction::TensionRatio, ratio),
        "How many times height over width grows from relaxed to tense: a tensed muscle stands out.",
    ),
    dial(
        (CONTRACTION, "Tension"),
        (0.0, 1.0, 0.0, ""),
        of!(contraction, Contraction::TensionRatio, tension),
        "How flat the muscle is by itself: the stronger the creature, the lower.",
    ),
    dial(
        (JIGGLE, "Stiffness"),
        (0.0, 5000.0, 500.0, "N/m"),
        of!(dynamics, Dynamics::Spring, stiffness),
        "Stiffer flesh swings faster and less far.",
    ),
    dial(
        (JIGGLE, "Mass"),
        (0.01, 5.0, 0.5, "kg"),
        of!(dynamics, Dynamics::Spring, mass),
        "Heavier flesh swings slower and farther.",
    ),
    dial(
        (JIGGLE, "Damping"),
        (0.0, 1.0, 0.2, ""),
        of!(dynamics, Dynamics::Spring, damping),
        "Share of the swing lost in a sixtieth of a second: 0 swings on, 1 does not swing.",
    ),
    dial(
        (JIGGLE, "Reach"),
        (0.005, 0.5, 0.08, "of length"),
        of!(dynamics, Dynamics::Spring, reach),
        "Farthest the belly swings, as a share of its length.",
    ),
    dial(
        (JIGGLE, "Neighbours"),
        (0.0, 500.0, 40.0, "N/m"),
        of!(dynamics, Dynamics::SoftBody, stiffness),
        "Springs through the belly: stiffer carries waves faster.",
    ),
    dial(
        (JIGGLE, "Goal"),
        (0.0, 5000.0, 800.0, "N/m"),
        of!(dynamics, Dynamics::SoftBody, goal),
        "What holds the belly in its pose: stiffer swings faster.",
    ),
    dial(
        (JIGGLE, "Mass "),
        (0.01, 5.0, 0.5, "kg"),
        of!(dynamics, Dynamics::SoftBody, mass),
        "Heavier flesh swings slower and farther.",
    ),
    dial(
        (JIGGLE, "Damping "),
        (0.0, 1.0, 0.2, ""),
        of!(dynamics, Dynamics::SoftBody, damping),
        "Share of the swing lost in a sixtieth of a second.",
    ),
    dial(
        (JIGGLE, "Gravity"),
        (0.0, 10.0, 1.0, ""),
        of!(dynamics, Dynamics::SoftBody, gravity),
        "How far the belly sags when the limb is turned over.",
    ),
    dial(
        (JIGGLE, "Reach "),
        (0.005, 0.5, 0.08, "of length"),
        of!(dynamics, Dynamics::SoftBody, reach),
        "Farthest the belly swings, as a share of its length.",
    ),
    dial(
        (SKIN, "Slide"),
        (0.0, 1.0, 0.1, ""),
        (|m| Some(m.follow.slide), |m, v| m.follow.slide = v),
        "How far the skin goes along when the belly slides under it.",
    ),
    dial(
        (SKIN, "Sink"),
        (0.0, 1.0, 0.1, ""),
        (|m| Some(m.follow.sink), |m, v| m.follow.sink = v),
        "How far the skin sinks with a belly that cuts the corner of a bent joint.",
    ),
    dial(
        (SKIN, "Turn"),
        (0.0, 1.0, 0.1, ""),
        (|m| Some(m.follow.turn), |m, v| m.follow.turn = v),
        "How far the skin turns with a belly that turns against the limb.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::musculature::{Sigmoids, Volume};

    fn kinds() -> Vec<Muscle> {
        let muscle = Muscle::default;
        vec![
            muscle(),
            Muscle {
                profile: Profile::Ellipsoid { width: 0.02, height: 0.02 },
                contraction: Contraction::Tone { tone: 1.0, isometric: 0.25 },
                dynamics: Dynamics::soft_body(),
                path: Path::Polyline { via: vec![], tendons: [0.0; 2] },
                ..muscle()
            },
            Muscle {
                profile: Profile::TwoCubics {
                    peak_at: 0.5,
                    peak: 0.02,
                    ends: [0.0; 2],
                    slopes: [0.0; 2],
                    ellipse: 1.0,
                },
                contraction: Contraction::Cones { volume: Volume::Exact, isometric: 0.25 },
                ..muscle()
            },
            Muscle { contraction: Contraction::tension_ratio(), ..muscle() },
            Muscle { profile: Profile::Sigmoid { shape: Sigmoids::default(), flat: false }, ..muscle() },
        ]
    }

    #[test]
    fn every_dial_turns_what_it_reads_and_nothing_else() {
        for dial in DIALS {
            let kinds = kinds();
            let Some(before) = kinds.iter().find(|m| dial.of(m).is_some()) else { panic!("{}", dial.label) };
            let mut after = before.clone();
            let value = 0.5 * (dial.low + dial.high);
            dial.turn(&mut after, value);
            assert_eq!(dial.of(&after), Some(value), "{}", dial.label);
            let others = DIALS.iter().filter(|d| d.label != dial.label);
            assert!(others.into_iter().all(|d| d.of(&after) == d.of(before)), "{}", dial.label);
            dial.turn(&mut after, f32::NAN);
            dial.turn(&mut after, 1e9);
            assert_eq!(dial.of(&after), Some(dial.high), "{}", dial.label);
        }
    }

    #[test]
    fn defaults_are_those_of_a_new_muscle() {
        for dial in DIALS {
            let kinds = kinds();
            let value = kinds.iter().find_map(|m| dial.of(m));
            assert_eq!(value, Some(dial.default), "{}", dial.label);
        }
    }
}
