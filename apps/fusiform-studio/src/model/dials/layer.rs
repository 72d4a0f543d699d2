//! What muscles and bones do to the skin: every number and choice of a layer but tissue's.

use crate::model::field::{Choice, Field, OFF_ON};
use fusiform::musculature::{Along, Layer, ShellMode, WrapFrame};

/// A number inside a kind of layer.
macro_rules! in_layer {
    ($variant:path, $field:ident) => {
        (
            |layer, _| if let $variant { $field, .. } = layer { Some(*$field) } else { None },
            |layer, _, value| {
                if let $variant { $field, .. } = layer {
                    *$field = value;
                }
            },
        )
    };
}

/// A coordinate of the points that a trajectory leaves its straight line by.
macro_rules! off_line {
    ($axis:ident) => {
        (
            |layer, at| match layer {
                Layer::Shells { mode: ShellMode::Trajectory { offsets, .. }, .. } => offsets.get(at).map(|p| p.$axis),
                _ => None,
            },
            |layer, at, value| {
                if let Layer::Shells { mode: ShellMode::Trajectory { offsets, .. }, .. } = layer {
                    offsets[at].$axis = value;
                }
            },
        )
    };
}

const OFFSET: &str = "How far the skin's way leaves the straight line at this step, in lengths of that line.";

pub(super) const FIELDS: &[Field<Layer>] = &[
    Field::<Layer>::new(
        ("Blend", "Nearest"),
        (1.0, 16.0, 4.0, ""),
        (
            |layer, _| if let Layer::Blend { nearest } = layer { Some(f32::from(*nearest)) } else { None },
            |layer, _, value| {
                if let Layer::Blend { nearest } = layer {
                    *nearest = value as u8;
                }
            },
        ),
        "How many belly vertices a skin vertex follows: more smooth what the skin does over gaps between muscles.",
    )
    .counted(),
    Field::<Layer>::new(
        ("Shells", "Drop-off"),
        (0.01, 4.0, 1.0, "radii"),
        in_layer!(Layer::Shells, drop_off),
        "How far beyond a muscle its pull on the skin ends, in radii of its ellipsoid.",
    ),
    Field::<Layer>::new(
        ("Shells", "Stickiness"),
        (0.0, 1.0, 0.5, ""),
        in_layer!(Layer::Shells, stickiness),
        "How near the muscle skin is drawn: 1 to its surface, 0 to where its influence ends.",
    ),
    Field::<Layer>::new(
        ("Shells", "Hardness"),
        (0.0, 0.999, 0.5, ""),
        in_layer!(Layer::Shells, hardness),
        "Up to where the pull has its full strength: harder muscles have a sharper edge in the skin.",
    ),
    Field::<Layer>::new(
        ("Shells", "Weight"),
        (0.0, 1.0, 1.0, ""),
        in_layer!(Layer::Shells, weight),
        "Strength of the whole layer: 0 leaves the skin as it was.",
    ),
    Field::<Layer>::new(
        ("Shells", "Slippage"),
        (0.05, 20.0, 1.0, ""),
        (
            |layer, _| match layer {
                Layer::Shells {
                    mode:
                        ShellMode::Stretch { slippage }
                        | ShellMode::Trajectory { slippage, .. }
                        | ShellMode::Star { slippage },
                    ..
                } => Some(*slippage),
                _ => None,
            },
            |layer, _, value| {
                if let Layer::Shells {
                    mode:
                        ShellMode::Stretch { slippage }
                        | ShellMode::Trajectory { slippage, .. }
                        | ShellMode::Star { slippage },
                    ..
                } = layer
                {
                    *slippage = value;
                }
            },
        ),
        "Above 1 the skin slides over the muscle, below it clings.",
    ),
    Field::<Layer>::new(("Shells", "Way x"), (-2.0, 2.0, 0.0, ""), off_line!(x), OFFSET).several(steps),
    Field::<Layer>::new(("Shells", "Way y"), (-2.0, 2.0, 0.0, ""), off_line!(y), OFFSET).several(steps),
    Field::<Layer>::new(("Shells", "Way z"), (-2.0, 2.0, 0.0, ""), off_line!(z), OFFSET).several(steps),
    Field::<Layer>::new(
        ("Displace", "Fat"),
        (0.0, 0.05, 0.004, "m"),
        in_layer!(Layer::Displace, fat),
        "How near the skin may come to a muscle: what lies nearer at bind stays as near.",
    ),
    Field::<Layer>::new(
        ("Wrap", "Shrink"),
        (0.0, 1.0, 0.0, ""),
        in_layer!(Layer::Wrap, shrink),
        "How much of its distance from the belly the skin gives up for the belly's motion: at 1 it moves as the point \
         of the belly under it does.",
    ),
    Field::<Layer>::new(
        ("Wrap", "Slide along"),
        (0.0, 1.0, 1.0, ""),
        in_layer!(Layer::Wrap, slide),
        "How far the skin goes along when a belly slides under it: 1 tears skin between neighbours.",
    ),
    Field::<Layer>::new(
        ("Wrap", "Sink in"),
        (0.0, 1.0, 1.0, ""),
        in_layer!(Layer::Wrap, sink),
        "How far the skin sinks with a belly that sinks into the limb; what goes outward it always follows.",
    ),
    Field::<Layer>::new(
        ("Slide", "Farthest push"),
        (0.0, 0.1, 0.015, "m"),
        in_layer!(Layer::Slide, max),
        "Farthest a bone pushes the skin.",
    ),
    Field::<Layer>::new(
        ("Slide", "Reach of bones"),
        (0.001, 0.2, 0.02, "m"),
        in_layer!(Layer::Slide, reach),
        "How near a bone skin must lie at bind to feel it: from half of it on the push fades out.",
    ),
    Field::<Layer>::new(
        ("Slide", "Fat over bones"),
        (0.0, 0.05, 0.006, "m"),
        in_layer!(Layer::Slide, fat),
        "Thickness of skin and fat over bones: a bone comes that near before it shows.",
    ),
];

pub(super) const CHOICES: &[Choice<Layer>] = &[
    Choice::new(
        ("Shells", "Mode"),
        (
            &[
                ("Basic", "Skin is only drawn toward the muscle."),
                ("Stretch", "Skin goes along with the muscle, less the farther away it is."),
                ("Trajectory", "The same along a curve."),
                ("Star", "The same, swelling with sculpted shapes."),
            ],
            1,
        ),
        (
            |layer| match layer {
                Layer::Shells { mode, .. } => match mode {
                    ShellMode::Basic { .. } => Some(0),
                    ShellMode::Stretch { .. } => Some(1),
                    ShellMode::Trajectory { .. } => Some(2),
                    ShellMode::Star { .. } => Some(3),
                    _ => None,
                },
                _ => None,
            },
            |layer, option, _| {
                let Layer::Shells { mode, .. } = layer else { return };
                let slippage = match mode {
                    ShellMode::Stretch { slippage }
                    | ShellMode::Trajectory { slippage, .. }
                    | ShellMode::Star { slippage } => *slippage,
                    _ => 1.0,
                };
                *mode = match option {
                    0 => ShellMode::Basic { paper: false },
                    1 => ShellMode::Stretch { slippage },
                    2 => ShellMode::Trajectory { slippage, offsets: vec![glam::Vec3::ZERO; 1] },
                    _ => ShellMode::Star { slippage },
                };
            },
        ),
        "How skin goes along with a muscle's ellipsoid.",
    ),
    Choice::new(
        ("Shells", "As printed"),
        (OFF_ON, 0),
        (
            |layer| match layer {
                Layer::Shells { mode: ShellMode::Basic { paper }, .. } => Some(usize::from(*paper)),
                _ => None,
            },
            |layer, option, _| {
                if let Layer::Shells { mode: ShellMode::Basic { paper }, .. } = layer {
                    *paper = option == 1;
                }
            },
        ),
        "Draws skin to the muscle even at rest: the one setting that changes the artist's skin there.",
    ),
    Choice::new(
        ("Displace", "Along"),
        (&[("Radius", "Away from the muscle's line."), ("Up", "Toward the muscle's up-vector.")], 0),
        (
            |layer| {
                if let Layer::Displace { along, .. } = layer { Some(usize::from(*along == Along::Up)) } else { None }
            },
            |layer, option, _| {
                if let Layer::Displace { along, .. } = layer {
                    *along = if option == 1 { Along::Up } else { Along::Radius };
                }
            },
        ),
        "Which way a muscle that has grown moves the skin.",
    ),
    Choice::new(
        ("Wrap", "Turned by"),
        (&[("Normal", "The belly's normal alone."), ("Full frame", "Normal and tangent: skin follows twist too.")], 0),
        (
            |layer| {
                if let Layer::Wrap { frame, .. } = layer { Some(usize::from(*frame == WrapFrame::Full)) } else { None }
            },
            |layer, option, _| {
                if let Layer::Wrap { frame, .. } = layer {
                    *frame = if option == 1 { WrapFrame::Full } else { WrapFrame::Normal };
                }
            },
        ),
        "What of a belly's surface turns the skin that wraps it.",
    ),
];

/// Places that the skin's way runs over.
fn steps(layer: &Layer) -> usize {
    if let Layer::Shells { mode: ShellMode::Trajectory { offsets, .. }, .. } = layer { offsets.len() } else { 0 }
}
