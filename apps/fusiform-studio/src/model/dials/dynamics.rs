//! How a muscle lags behind its bones and jiggles.

use super::{Dial, JIGGLE, convert, of};
use crate::model::field::Choice;
use fusiform::Muscle;
use fusiform::musculature::{Dynamics, Integrator};

pub(super) const DIALS: &[Dial] = &[
    Dial::new(
        (JIGGLE, "Stiffness"),
        (0.0, 5000.0, 500.0, "N/m"),
        of!(dynamics, Dynamics::Spring, stiffness),
        "Stiffer flesh swings faster and less far.",
    ),
    Dial::new(
        (JIGGLE, "Neighbours"),
        (0.0, 500.0, 40.0, "N/m"),
        of!(dynamics, Dynamics::SoftBody, stiffness),
        "Springs through the belly: stiffer carries waves under the skin faster.",
    ),
    Dial::new(
        (JIGGLE, "Goal"),
        (0.0, 5000.0, 800.0, "N/m"),
        of!(dynamics, Dynamics::SoftBody, goal),
        "What holds the belly in its pose: stiffer flesh swings faster and less far.",
    ),
    Dial::new(
        (JIGGLE, "Mass"),
        (0.01, 5.0, 0.5, "kg"),
        of!(dynamics, Dynamics::Spring | Dynamics::SoftBody, mass),
        "Heavier flesh swings slower and farther.",
    ),
    Dial::new(
        (JIGGLE, "Damping"),
        (0.0, 1.0, 0.2, ""),
        of!(dynamics, Dynamics::Spring | Dynamics::SoftBody, damping),
        "Share of its speed that flesh loses in a sixtieth of a second: at 0 it swings on, at 1 only stiff, light flesh swings.",
    ),
    Dial::new(
        (JIGGLE, "Gravity"),
        (0.0, 10.0, 1.0, ""),
        of!(dynamics, Dynamics::SoftBody, gravity),
        "How far the belly, and the skin with it, sags when the limb is turned over.",
    ),
    Dial::new(
        (JIGGLE, "Reach"),
        (0.005, 0.5, 0.08, "of its length"),
        of!(dynamics, Dynamics::Spring | Dynamics::SoftBody, reach),
        "Farthest the belly swings, as a share of its length: what holds the skin back in a fast kick.",
    ),
];

pub(super) const CHOICES: &[Choice<Muscle>] = &[
    Choice::new(
        (JIGGLE, "Kind of jiggle"),
        (
            &[
                ("None", "The belly follows the pose at once."),
                ("Spring", "One spring swings the belly's middle (Lee)."),
                ("Soft body", "Waves run through the belly, and it sags (Saam)."),
            ],
            1,
        ),
        (
            |m| match m.dynamics {
                Dynamics::None => Some(0),
                Dynamics::Spring { .. } => Some(1),
                Dynamics::SoftBody { .. } => Some(2),
                _ => None,
            },
            |m, option, _| convert::dynamics(&mut m.dynamics, option),
        ),
        "What swings the flesh beside the pose. It stays as heavy, and swings as often.",
    ),
    Choice::new(
        (JIGGLE, "Integrator"),
        (
            &[
                ("Exact", "The oscillator's own solution: the same at any frame rate."),
                ("Verlet", "The paper's, in steps of a sixtieth of a second (Lee)."),
            ],
            0,
        ),
        (
            |m| {
                if let Dynamics::Spring { integrator, .. } = m.dynamics {
                    Some(usize::from(integrator == Integrator::Verlet))
                } else {
                    None
                }
            },
            |m, option, _| {
                if let Dynamics::Spring { integrator, .. } = &mut m.dynamics {
                    *integrator = if option == 1 { Integrator::Verlet } else { Integrator::Exact };
                }
            },
        ),
        "How the swing is carried from frame to frame.",
    ),
];
