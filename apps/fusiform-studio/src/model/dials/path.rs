//! The line a muscle follows, and how its rings keep from twisting on it.

use super::{Dial, GRID, PATH, convert, of};
use crate::model::Grip;
use crate::model::field::Choice;
use fusiform::Muscle;
use fusiform::musculature::{FrameRule, Path, Spacing};
use glam::Vec3;

/// A coordinate of the up-vector, where the muscle has one of its own.
macro_rules! up {
    ($axis:ident) => {
        (|m, _| m.up.map(|up| up.$axis), |m, _, value| m.up.iter_mut().for_each(|up| up.$axis = value))
    };
}

pub(super) const DIALS: &[Dial] = &[
    Dial::new(
        (PATH, "Offset along"),
        (-0.3, 0.3, 0.0, "m"),
        of!(path, Path::Bezier, offset.x),
        "Shifts the curve's middle toward the insertion: the belly's bend, and the skin over it, move along the limb.",
    )
    .mirrored(Grip::Bend),
    Dial::new(
        (PATH, "Offset up"),
        (-0.3, 0.3, 0.0, "m"),
        of!(path, Path::Bezier, offset.y),
        "Bends the curve toward the up-vector: the belly comes nearer the skin, which then follows it more.",
    )
    .mirrored(Grip::Bend),
    Dial::new(
        (PATH, "Offset across"),
        (-0.3, 0.3, 0.0, "m"),
        of!(path, Path::Bezier, offset.z),
        "Bends the curve sideways: the swelling moves round the limb. The other side bends the other way.",
    )
    .mirrored(Grip::Bend),
    Dial::new(
        (PATH, "Held"),
        (0.0, 1.0, 0.0, ""),
        of!(path, Path::Bezier, held),
        "How far the skin's joints hold the belly: at 0 it cuts the corner of a bent joint, at 1 it stays under its skin.",
    ),
    Dial::new(
        (PATH, "Origin tendon"),
        (0.0, 0.3, 0.0, "m"),
        of!(path, Path::Polyline | Path::Sheet, tendons[0]),
        "Length of the tendon at the origin: the belly, and the swelling of the skin, begin after it.",
    ),
    Dial::new(
        (PATH, "Insertion tendon"),
        (0.0, 0.3, 0.0, "m"),
        of!(path, Path::Polyline | Path::Sheet, tendons[1]),
        "Length of the tendon at the insertion: the belly, and the swelling of the skin, end before it.",
    ),
    Dial::new(
        (PATH, "Bellies"),
        (1.0, 16.0, 3.0, ""),
        (
            |m, _| if let Path::Sheet { bellies, .. } = m.path { Some(f32::from(bellies)) } else { None },
            |m, _, value| {
                if let Path::Sheet { bellies, .. } = &mut m.path {
                    *bellies = value as u8;
                }
            },
        ),
        "How many bellies lie side by side: more make a smoother sheet under the skin.",
    )
    .counted(),
    Dial::new((PATH, "Up-vector x"), (-1.0, 1.0, 0.0, ""), up!(x), UP).mirrored(Grip::Up),
    Dial::new((PATH, "Up-vector y"), (-1.0, 1.0, 1.0, ""), up!(y), UP).mirrored(Grip::Up),
    Dial::new((PATH, "Up-vector z"), (-1.0, 1.0, 0.0, ""), up!(z), UP).mirrored(Grip::Up),
];

const UP: &str = "Which way the section's height points, in the origin joint's axes: a flat or tensed muscle stands out of the \
     skin that way.";

pub(super) const CHOICES: &[Choice<Muscle>] = &[
    Choice::new(
        (PATH, "Kind of path"),
        (
            &[
                ("Curve", "A curve that a spring may swing (Lee)."),
                ("Polyline", "Straight pieces with tendons that keep their length (Pratscher, Murai)."),
                ("Sheet", "Several bellies side by side: broad, flat muscles (Saam)."),
            ],
            0,
        ),
        (
            |m| match m.path {
                Path::Bezier { .. } => Some(0),
                Path::Polyline { .. } => Some(1),
                Path::Sheet { .. } => Some(2),
                _ => None,
            },
            |m, option, skeleton| convert::path(m, option, skeleton),
        ),
        "The line from origin to insertion. It keeps running through the same middle, and the belly stays as large.",
    ),
    Choice::new(
        (PATH, "Ring spacing"),
        (
            &[
                ("Even", "Equal distances along the curve."),
                ("Parameter", "Equal steps of the curve's parameter, closer where it bends (Lee)."),
            ],
            0,
        ),
        (
            |m| {
                if let Path::Bezier { spacing, .. } = m.path {
                    Some(usize::from(spacing == Spacing::Parameter))
                } else {
                    None
                }
            },
            |m, option, _| {
                if let Path::Bezier { spacing, .. } = &mut m.path {
                    *spacing = if option == 1 { Spacing::Parameter } else { Spacing::ArcLength };
                }
            },
        ),
        "Where along the curve the rings sit that the skin follows.",
    ),
    Choice::new(
        (PATH, "Up-vector"),
        (&[("Joint's y", "The origin joint's own y-axis."), ("Own", "A direction of its own.")], 0),
        (|m| Some(usize::from(m.up.is_some())), |m, option, _| m.up = (option == 1).then_some(Vec3::Y)),
        "Which way the section's height points, and a tensed muscle stands out of the skin.",
    ),
    Choice::new(
        (GRID, "Frame"),
        (
            &[
                ("Carried", "The frame at bind, carried by the origin joint: twists least."),
                ("Lee", "Two cross products in every frame: may twist the skin where the muscle passes its up-vector."),
                ("Halves", "Each half carried by a bone of its own (Murai)."),
            ],
            0,
        ),
        (
            |m| {
                Some(match m.frame {
                    FrameRule::Carried => 0,
                    FrameRule::Lee => 1,
                    FrameRule::Halves => 2,
                })
            },
            |m, option, _| m.frame = [FrameRule::Carried, FrameRule::Lee, FrameRule::Halves][option],
        ),
        "How rings keep from twisting as the muscle turns: twisted rings wring the skin over them.",
    ),
];
