//! What tenses muscles as the body moves: every number and choice of a driver.

use crate::model::field::{Choice, Field};
use fusiform::musculature::{Driver, Signal};
use glam::Vec3;

/// A coordinate of the axis a joint is turned about.
macro_rules! axis {
    ($i:literal) => {
        (
            |driver, _| match &driver.signal {
                Signal::JointAngle { axis: Some(axis), .. } => Some(axis[$i]),
                _ => None,
            },
            |driver, _, value| {
                if let Signal::JointAngle { axis: Some(axis), .. } = &mut driver.signal {
                    turn_axis(axis, $i, value);
                }
            },
        )
    };
}

const AXIS: &str =
    "The axis in the joint's space that the angle is counted about, the right hand's way; kept of unit length.";

/// So little of an axis changes neither its length, in single precision, nor the angle about it.
const TRACE: f32 = 1e-4;

/// Signals of neighbouring points are at least that far apart.
const APART: f32 = 1e-3;

/// Every number of a driver.
pub const DRIVER_FIELDS: &[Field<Driver>] = &[
    Field::<Driver>::new(("", "Axis x"), (-1.0, 1.0, 0.0, ""), axis!(0), AXIS),
    Field::<Driver>::new(("", "Axis y"), (-1.0, 1.0, 0.0, ""), axis!(1), AXIS),
    Field::<Driver>::new(("", "Axis z"), (-1.0, 1.0, 1.0, ""), axis!(2), AXIS),
    Field::<Driver>::new(
        ("", "Angle at"),
        (-180.0, 180.0, 0.0, "°"),
        (|driver, at| listens(driver, true).then(|| signal(driver, at)).flatten(), shift),
        "The angle of the joint at which muscles are that tense; straight lines between points.",
    )
    .several(points),
    Field::<Driver>::new(
        ("", "Shortening at"),
        (-1.0, 1.0, 0.0, ""),
        (|driver, at| listens(driver, false).then(|| signal(driver, at)).flatten(), shift),
        "The share by which a muscle is shorter than at rest at which it is that tense; straight lines between points.",
    )
    .several(points),
    Field::<Driver>::new(
        ("", "Tension at"),
        (0.0, 1.0, 0.0, ""),
        (|driver, at| driver.remap.get(at).map(|point| point[1]), |driver, at, value| driver.remap[at][1] = value),
        "How tense muscles are there: 0 leaves the skin relaxed, 1 flexes it fully.",
    )
    .several(points),
];

/// Every choice of a driver but its joint and its muscles.
pub const DRIVER_CHOICES: &[Choice<Driver>] = &[
    Choice::new(
        ("", "Listens to"),
        (
            &[
                ("Joint angle", "How far a joint has turned since bind, degrees."),
                ("Shortening", "How much shorter each muscle is than at rest, as a share."),
            ],
            1,
        ),
        (
            |driver| match driver.signal {
                Signal::JointAngle { .. } => Some(0),
                Signal::Shortening => Some(1),
                _ => None,
            },
            |driver, option, skeleton| {
                let joint = skeleton.joints.first().map(|joint| joint.name.clone()).unwrap_or_default();
                (driver.signal, driver.remap) = match option {
                    0 => (Signal::JointAngle { joint, axis: None }, vec![[0.0, 0.0], [90.0, 1.0]]),
                    _ => (Signal::Shortening, vec![[0.0, 0.0], [0.3, 1.0]]),
                };
            },
        ),
        "What tenses the muscles, and flexes the skin, as the body moves.",
    ),
    Choice::new(
        ("", "Counted"),
        (
            &[
                ("Whole angle", "However the joint is turned, 0 to 180 degrees."),
                ("About an axis", "The turn about one axis, -180 to 180 degrees."),
            ],
            0,
        ),
        (
            |driver| match &driver.signal {
                Signal::JointAngle { axis, .. } => Some(usize::from(axis.is_some())),
                _ => None,
            },
            |driver, option, _| {
                if let Signal::JointAngle { axis, .. } = &mut driver.signal {
                    *axis = (option == 1).then_some(Vec3::Z);
                }
            },
        ),
        "Whether a bend one way tenses the muscles, or any turn.",
    ),
];

/// Give an axis one of its coordinates: the other two grow or shrink until it is of unit length, as they lie to each other;
/// not to nothing, or they would have forgotten that when it is turned back.
fn turn_axis(axis: &mut Vec3, i: usize, value: f32) {
    let mut others = *axis;
    others[i] = 0.0;
    let left = (1.0 - value * value).max(0.0).sqrt();
    let mut next = Vec3::ZERO;
    next[(i + 1) % 3] = left;
    *axis = others.try_normalize().map_or(next, |others| others * left.max(TRACE));
    axis[i] = value;
}

fn points(driver: &Driver) -> usize {
    driver.remap.len()
}

fn listens(driver: &Driver, to_joint: bool) -> bool {
    matches!(driver.signal, Signal::JointAngle { .. }) == to_joint
}

fn signal(driver: &Driver, at: usize) -> Option<f32> {
    driver.remap.get(at).map(|point| point[0])
}

/// Move a point of the curve between its neighbours: beyond them it would run backwards.
fn shift(driver: &mut Driver, at: usize, value: f32) {
    let low = at.checked_sub(1).map_or(f32::MIN, |before| driver.remap[before][0] + APART);
    let high = driver.remap.get(at + 1).map_or(f32::MAX, |after| after[0] - APART);
    if low <= high {
        driver.remap[at][0] = value.clamp(low, high);
    }
}
