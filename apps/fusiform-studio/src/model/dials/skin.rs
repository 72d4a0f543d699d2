//! How much the skin takes part, and the build of the whole body.

use super::{Dial, PhysiqueField, SKIN};
use crate::model::field::Choice;
use fusiform::Muscle;
use fusiform::musculature::{Influence, InfluenceTemplate};

pub(super) const DIALS: &[Dial] = &[
    Dial::new(
        (SKIN, "Slide"),
        (0.0, 1.0, 0.1, ""),
        (|m, _| Some(m.follow.slide), |m, _, v| m.follow.slide = v),
        "How far the skin goes along when the belly slides under it.",
    ),
    Dial::new(
        (SKIN, "Sink"),
        (0.0, 1.0, 0.1, ""),
        (|m, _| Some(m.follow.sink), |m, _, v| m.follow.sink = v),
        "How far the skin sinks with a belly that cuts the corner of a bent joint.",
    ),
    Dial::new(
        (SKIN, "Turn"),
        (0.0, 1.0, 0.1, ""),
        (|m, _| Some(m.follow.turn), |m, _, v| m.follow.turn = v),
        "How far the skin turns with a belly that turns against the limb.",
    ),
    Dial::new(
        (SKIN, "Inner distance"),
        (0.0, 0.1, 0.005, "m"),
        (
            |m, _| m.influence.map(|of| of.inner),
            |m, _, value| {
                if let Some(of) = &mut m.influence {
                    of.inner = value;
                    of.outer = of.outer.max(value + LEAST_FADE);
                }
            },
        ),
        "How far from the belly skin still follows it whole. Counts when the muscle finds its skin anew, under Attachments.",
    ),
    Dial::new(
        (SKIN, "Outer distance"),
        (0.001, 0.3, 0.05, "m"),
        (
            |m, _| m.influence.map(|of| of.outer),
            |m, _, value| {
                if let Some(of) = &mut m.influence {
                    of.outer = value.max(of.inner + LEAST_FADE);
                }
            },
        ),
        "How far from the belly skin no longer follows it, more than the inner distance; smooth in between. Counts when \
         the muscle finds its skin anew, under Attachments.",
    ),
];

/// Metres over which an influence fades at least.
const LEAST_FADE: f32 = 1e-3;

pub(super) const CHOICES: &[Choice<Muscle>] = &[Choice::new(
    (SKIN, "Influence"),
    (
        &[
            ("Painted", "By hand, or found by the shape of the body."),
            ("Belly", "By distance: whole over the middle, nothing over the ends (Ramos)."),
            ("Even", "By distance alone: the same from end to end."),
            ("Facing", "By distance, where the skin faces away from the belly."),
        ],
        0,
    ),
    (
        |m| {
            Some(m.influence.map_or(0, |of| match of.template {
                InfluenceTemplate::Belly => 1,
                InfluenceTemplate::Even => 2,
                InfluenceTemplate::Facing => 3,
            }))
        },
        |m, option, _| {
            let template = option.checked_sub(1).map(|i| InfluenceTemplate::ALL[i]);
            m.influence = template.map(|template| Influence { template, ..m.influence.unwrap_or_default() });
        },
    ),
    "Which skin the muscle moves: as it is painted, or by a shape. A shape counts when the \
     muscle finds its skin anew, under Attachments.",
)];

/// Every number of the physique.
pub const PHYSIQUE_FIELDS: &[PhysiqueField] = &[
    PhysiqueField::new(
        ("", "Size"),
        (0.05, 4.0, 1.0, "x"),
        (|p, _| Some(p.size), |p, _, v| p.size = v),
        "Times the radius of every belly: larger ones swell the skin further.",
    ),
    PhysiqueField::new(
        ("", "Bulge"),
        (0.05, 4.0, 1.0, "x"),
        (|p, _| Some(p.bulge), |p, _, v| p.bulge = v),
        "Times as far as shortening swells the skin.",
    ),
    PhysiqueField::new(
        ("", "Stiffness"),
        (0.05, 4.0, 1.0, "x"),
        (|p, _| Some(p.stiffness), |p, _, v| p.stiffness = v),
        "Times the stiffness of all springs: stiffer flesh swings faster and less far.",
    ),
    PhysiqueField::new(
        ("", "Damping"),
        (0.05, 4.0, 1.0, "x"),
        (|p, _| Some(p.damping), |p, _, v| p.damping = v),
        "Times as soon as flesh comes to rest.",
    ),
    PhysiqueField::new(
        ("", "Skin weight"),
        (0.05, 4.0, 1.0, "x"),
        (|p, _| Some(p.skin_weight), |p, _, v| p.skin_weight = v),
        "Times the weight of every muscle on the skin: how much muscles move it at all.",
    ),
];
