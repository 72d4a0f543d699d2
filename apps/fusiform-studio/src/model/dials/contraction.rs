//! How the section answers length and activation.

use super::{CONTRACTION, Dial, RATES_GROUP, convert, of};
use crate::model::field::{Choice, OFF_ON};
use fusiform::Muscle;
use fusiform::musculature::{Contraction, PoseShape, Volume};
use glam::{Quat, Vec3};

pub(super) const DIALS: &[Dial] = &[
    Dial::new(
        (CONTRACTION, "Bulge"),
        (0.0, 4.0, 1.0, ""),
        of!(contraction, Contraction::Bulge, bulge),
        "How far shortening swells the skin: 0 keeps the volume and no more.",
    ),
    Dial::new(
        (CONTRACTION, "Stretch ratio"),
        (0.1, 8.0, 2.0, ""),
        of!(contraction, Contraction::Bulge, stretch_ratio),
        "How much less a stretch thins the belly than an equal shortening swells it: larger keeps stretched skin full.",
    ),
    Dial::new(
        (CONTRACTION, "Tone"),
        (0.0, 1.0, 1.0, ""),
        of!(contraction, Contraction::Tone, tone),
        "1 keeps the belly's volume as it shortens, 0 its thickness: the skin of a body that is not fit swells less.",
    ),
    Dial::new(
        (CONTRACTION, "Tone over shapes"),
        (0.0, 1.0, 0.0, ""),
        of!(contraction, Contraction::PoseShapes, tone),
        "How far the belly keeps its volume on top of its sculpted shapes: 0 leaves the skin to the shapes.",
    ),
    Dial::new(
        (CONTRACTION, "Flex"),
        (0.0, 2.0, 0.25, ""),
        of!(contraction, Contraction::Bulge | Contraction::Tone | Contraction::PoseShapes, isometric),
        "How far the skin swells when the muscle is tensed and nothing moves.",
    ),
    Dial::new(
        (CONTRACTION, "Kappa"),
        (0.0, 4.0, 0.25, ""),
        of!(contraction, Contraction::Cones, isometric),
        "How far full activation raises the section toward the skin, and narrows it across.",
    ),
    Dial::new(
        (CONTRACTION, "Ratio"),
        (0.05, 20.0, 2.56, ""),
        of!(contraction, Contraction::TensionRatio, ratio),
        "How many times height over width grows from relaxed to tense: a tensed muscle stands out of the skin.",
    ),
    Dial::new(
        (CONTRACTION, "Tension"),
        (0.0, 1.0, 0.0, ""),
        of!(contraction, Contraction::TensionRatio, tension),
        "How flat the muscle is by itself: the stronger the creature, the lower, and the more is left to swell.",
    ),
    Dial::new(
        (CONTRACTION, "Strength"),
        (0.0, 20_000.0, 0.0, "N"),
        of!(contraction, Contraction::Identified, strength),
        "The tension that counts as full, 0 where it is not known: told to who converts measured rates. It moves no skin.",
    ),
    Dial::new(
        (CONTRACTION, "Depth of shape"),
        (0.001, 4.0, 0.1, ""),
        (|m, at| depth(shape(&m.contraction, at)?), |m, at, value| deepen(m, at, value)),
        "The farthest this sculpted shape leaves the profile, as a share of it: deeper shapes push the skin further in \
         their pose. The whole shape goes along. What is not sculpted yet has no depth.",
    )
    .several(shapes)
    .of_shapes(),
    Dial::new(
        (CONTRACTION, "Angle of shape"),
        (1.0, 180.0, 90.0, "°"),
        (|m, at| Some(largest_turn(shape(&m.contraction, at)?)?.to_degrees()), |m, at, value| bend(m, at, value)),
        "How far the joint that is turned most is turned in the pose of this sculpted shape: the skin has it from there on, \
         and less before. Other joints of the pose go along.",
    )
    .several(shapes)
    .of_shapes(),
];

/// A rate of Murai's belly: of one of the nine numbers of its shape, by length or by tension.
macro_rules! rate {
    ($label:literal, $by:ident.$end:ident[$i:literal], $range:expr, $unit:literal, $tip:expr) => {
        Dial::new(
            (RATES_GROUP, $label),
            (-$range, $range, 0.0, $unit),
            of!(contraction, Contraction::Identified, $by.$end[$i]),
            $tip,
        )
    };
    ($label:literal, $by:ident.$part:ident, $range:expr, $unit:literal, $tip:expr) => {
        Dial::new(
            (RATES_GROUP, $label),
            (-$range, $range, 0.0, $unit),
            of!(contraction, Contraction::Identified, $by.$part),
            $tip,
        )
    };
}

const LONGER: &str = "How fast this number of the shape changes with the belly's length, for each metre: negative rates of k3 \
     and k4 make skin swell as the muscle shortens.";
const TENSE: &str = "How far this number of the shape changes from relaxed to fully tense: positive k3 and k4 make the skin \
     swell when the muscle is tensed.";

pub(super) const RATES: &[Dial] = &[
    rate!("Origin k1 per m", by_length.origin[0], 50.0, "/m", LONGER),
    rate!("Origin k2 per m", by_length.origin[1], 50.0, "/m", LONGER),
    rate!("Origin k3 per m", by_length.origin[2], 2.0, "", LONGER),
    rate!("Origin k4 per m", by_length.origin[3], 2.0, "", LONGER),
    rate!("Insertion k1 per m", by_length.insertion[0], 50.0, "/m", LONGER),
    rate!("Insertion k2 per m", by_length.insertion[1], 50.0, "/m", LONGER),
    rate!("Insertion k3 per m", by_length.insertion[2], 2.0, "", LONGER),
    rate!("Insertion k4 per m", by_length.insertion[3], 2.0, "", LONGER),
    rate!("Eccentricity per m", by_length.eccentricity, 10.0, "/m", LONGER),
    rate!("Origin k1 tense", by_tension.origin[0], 10.0, "", TENSE),
    rate!("Origin k2 tense", by_tension.origin[1], 10.0, "", TENSE),
    rate!("Origin k3 tense", by_tension.origin[2], 0.1, "m", TENSE),
    rate!("Origin k4 tense", by_tension.origin[3], 0.1, "m", TENSE),
    rate!("Insertion k1 tense", by_tension.insertion[0], 10.0, "", TENSE),
    rate!("Insertion k2 tense", by_tension.insertion[1], 10.0, "", TENSE),
    rate!("Insertion k3 tense", by_tension.insertion[2], 0.1, "m", TENSE),
    rate!("Insertion k4 tense", by_tension.insertion[3], 0.1, "m", TENSE),
    rate!("Eccentricity tense", by_tension.eccentricity, 1.0, "", TENSE),
];

pub(super) const CHOICES: &[Choice<Muscle>] = &[
    Choice::new(
        (CONTRACTION, "Kind of contraction"),
        (
            &[
                ("Bulge", "Keeps its volume, exaggerated until it can be seen (Lee)."),
                ("Tone", "Keeps its volume as far as the body is fit (Pratscher)."),
                (
                    "Pose shapes",
                    "Shapes sculpted in several poses (Pratscher); begins with the pose that is seen, at bind with a right angle.",
                ),
                ("Cones", "The thickest place answers, the ends stay (Ramos)."),
                ("Tension ratio", "Tense muscles stand out and narrow (Saam)."),
                ("Identified", "Every number of the shape answers length and tension, as measured (Murai)."),
            ],
            0,
        ),
        (
            |m| match m.contraction {
                Contraction::Bulge { .. } => Some(0),
                Contraction::Tone { .. } => Some(1),
                Contraction::PoseShapes { .. } => Some(2),
                Contraction::Cones { .. } => Some(3),
                Contraction::TensionRatio { .. } => Some(4),
                Contraction::Identified { .. } => Some(5),
                _ => None,
            },
            |m, option, skeleton| convert::contraction(m, option, skeleton),
        ),
        "What the belly, and the skin over it, does as the muscle shortens, stretches or tenses.",
    ),
    Choice::new(
        (CONTRACTION, "Volume of"),
        (&[("Two cones", "An estimate, as printed (Ramos)."), ("The profile", "Exactly what the belly encloses.")], 1),
        (
            |m| {
                if let Contraction::Cones { volume, .. } = m.contraction {
                    Some(usize::from(volume == Volume::Exact))
                } else {
                    None
                }
            },
            |m, option, _| {
                if let Contraction::Cones { volume, .. } = &mut m.contraction {
                    *volume = if option == 1 { Volume::Exact } else { Volume::Cones };
                }
            },
        ),
        "Whose volume stays as the muscle shortens: how much the skin swells for it.",
    ),
    Choice::new(
        (CONTRACTION, "As printed"),
        (OFF_ON, 0),
        (
            |m| {
                if let Contraction::TensionRatio { paper, .. } = m.contraction {
                    Some(usize::from(paper))
                } else {
                    None
                }
            },
            |m, option, _| {
                if let Contraction::TensionRatio { paper, .. } = &mut m.contraction {
                    *paper = option == 1;
                }
            },
        ),
        "As the paper has it, the muscle's own tension changes its section, and the fit of the skin, at rest too.",
    ),
];

fn shape(contraction: &Contraction, at: usize) -> Option<&PoseShape> {
    if let Contraction::PoseShapes { shapes, .. } = contraction { shapes.get(at) } else { None }
}

fn shapes(muscle: &Muscle) -> usize {
    if let Contraction::PoseShapes { shapes, .. } = &muscle.contraction { shapes.len() } else { 0 }
}

/// The farthest a shape leaves the profile, as a share of it; none where it is the profile, and has nothing to deepen.
fn depth(shape: &PoseShape) -> Option<f32> {
    let depth = shape.sculpt.factors.iter().fold(0.0, |farthest, factor| (factor - 1.0).abs().max(farthest));
    Some(depth).filter(|depth| *depth > 0.0)
}

fn deepen(muscle: &mut Muscle, at: usize, value: f32) {
    let Some(shape) = convert::pose_shapes(&mut muscle.contraction).get_mut(at) else { return };
    let Some(now) = depth(shape) else { return };
    // no factor falls below nothing, where the shape would be lost
    let deepest = shape.sculpt.factors.iter().fold(0.0_f32, |deepest, factor| deepest.max(1.0 - factor));
    let share = (value / now).min(if deepest > 0.0 { 0.999 / deepest } else { f32::INFINITY });
    shape.sculpt.factors.iter_mut().for_each(|factor| *factor = 1.0 + (*factor - 1.0) * share);
}

/// Axis and angle of a turn, radians, the short way round: a quaternion and its opposite are the same turn.
fn short_way(turn: Quat) -> (Vec3, f32) {
    (if turn.w < 0.0 { -turn } else { turn }).normalize().to_axis_angle()
}

/// How far the joint of a pose is turned that is turned most, radians; none where none is.
fn largest_turn(shape: &PoseShape) -> Option<f32> {
    let angles = shape.turns.values().map(|turn| short_way(*turn).1);
    angles.reduce(f32::max).filter(|angle| *angle > 0.0)
}

/// Turn all joints of a pose farther, or less far, until the one that is turned most is turned by so much.
fn bend(muscle: &mut Muscle, at: usize, degrees: f32) {
    let Some(shape) = convert::pose_shapes(&mut muscle.contraction).get_mut(at) else { return };
    let Some(now) = largest_turn(shape) else { return };
    for turn in shape.turns.values_mut() {
        let (axis, angle) = short_way(*turn);
        *turn = Quat::from_axis_angle(axis, angle * degrees.to_radians() / now);
    }
}
