//! What skin, fat and bellies weigh and how they hang together: every number and choice of a layer of tissue. Defaults are
//! those of a new layer (`Tissue::lively`).

use crate::model::field::{Choice, Field};
use fusiform::musculature::{Layer, TissueIntegrator, TissueRest};

/// A number of a tissue.
macro_rules! tissue {
    ($field:ident) => {
        (
            |layer, _| if let Layer::Tissue(of) = layer { Some(of.$field) } else { None },
            |layer, _, value| {
                if let Layer::Tissue(of) = layer {
                    of.$field = value;
                }
            },
        )
    };
}

pub(super) const FIELDS: &[Field<Layer>] = &[
    Field::<Layer>::new(
        ("Tissue", "Mass"),
        (0.1, 500.0, 70.0, "kg"),
        tissue!(mass),
        "Of skin and bellies together: heavier flesh swings slower and farther.",
    ),
    Field::<Layer>::new(
        ("Tissue", "Skin springs"),
        (0.0, 1e6, 1e4, "N/m"),
        tissue!(skin),
        "Between neighbours on the skin: stiffer skin wrinkles less and carries waves faster.",
    ),
    Field::<Layer>::new(
        ("Tissue", "Belly springs"),
        (0.0, 1e7, 5e4, "N/m"),
        tissue!(belly),
        "Between neighbours on a belly: stiffer bellies swing as one.",
    ),
    Field::<Layer>::new(
        ("Tissue", "Goal springs"),
        (0.0, 1e4, 25.0, "N/m"),
        tissue!(goal),
        "From a belly to where the pose wants it: what swings. Softer flesh swings slower and farther.",
    ),
    Field::<Layer>::new(
        ("Tissue", "Anchor springs"),
        (0.0, 1e9, 1e4, "N/m x mm"),
        tissue!(anchor),
        "From the skin to bellies and bones below it, over their length: stiff where bone is near, so that shins do not shake.",
    ),
    Field::<Layer>::new(
        ("Tissue", "Damping"),
        (0.0, 1.0, 0.02, ""),
        tissue!(damping),
        "How soon skin and flesh come to rest after a step.",
    ),
    Field::<Layer>::new(
        ("Tissue", "Depth"),
        (0.0, 0.2, 0.02, "m"),
        tissue!(depth),
        "How far below the nearest belly or bone the skin still hangs on others.",
    ),
    Field::<Layer>::new(
        ("Tissue", "Links"),
        (0.0, 64.0, 8.0, ""),
        (
            |layer, _| if let Layer::Tissue(of) = layer { Some(f32::from(of.links)) } else { None },
            |layer, _, value| {
                if let Layer::Tissue(of) = layer {
                    of.links = value as u16;
                }
            },
        ),
        "How many points below it a skin vertex hangs on at most; 0 is all of them. Fewer are quicker.",
    )
    .counted(),
    Field::<Layer>::new(
        ("Tissue", "Muscularity"),
        (0.05, 4.0, 1.0, ""),
        tissue!(muscularity),
        "How thick bellies are for this layer: less leaves thicker, softer tissue over them.",
    ),
    Field::<Layer>::new(
        ("Tissue", "Gravity"),
        (0.0, 10.0, 1.0, ""),
        tissue!(gravity),
        "How far skin and flesh sag when a limb is turned over.",
    ),
    Field::<Layer>::new(
        ("Tissue", "Reach"),
        (0.001, 0.5, 0.08, "m"),
        tissue!(reach),
        "Farthest skin is ever drawn from where it would be without this layer.",
    ),
];

pub(super) const CHOICES: &[Choice<Layer>] = &[
    Choice::new(
        ("Tissue", "At rest"),
        (
            &[
                ("Posed", "Skin that nothing shakes is where the layers before left it."),
                ("Bind", "Springs keep their length of the bind pose and take the skin into a pose alone (Murai)."),
            ],
            0,
        ),
        (
            |layer| if let Layer::Tissue(of) = layer { Some(usize::from(of.rest == TissueRest::Bind)) } else { None },
            |layer, option, _| {
                if let Layer::Tissue(of) = layer {
                    of.rest = if option == 1 { TissueRest::Bind } else { TissueRest::Posed };
                }
            },
        ),
        "What springs are as long as when nothing pulls at them.",
    ),
    Choice::new(
        ("Tissue", "Integrator"),
        (
            &[
                ("Implicit", "True to what can be seen, whatever the stiffness."),
                ("Quick", "A fifth of the time: landings within a tenth."),
                ("Verlet", "As many steps as the stiffest spring asks for: the reference, slow."),
            ],
            1,
        ),
        (
            |layer| match layer {
                Layer::Tissue(of) => Some(match of.integrator {
                    TissueIntegrator::Implicit => 0,
                    TissueIntegrator::Quick => 1,
                    TissueIntegrator::Verlet => 2,
                }),
                _ => None,
            },
            |layer, option, _| {
                if let Layer::Tissue(of) = layer {
                    of.integrator =
                        [TissueIntegrator::Implicit, TissueIntegrator::Quick, TissueIntegrator::Verlet][option];
                }
            },
        ),
        "How skin is carried through time: how true, and how quick.",
    ),
];
