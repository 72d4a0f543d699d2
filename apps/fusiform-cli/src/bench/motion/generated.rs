//! A body of 44 coordinates and 300 muscles, made by dice that fall the same way everywhere.
//!
//! A pelvis that moves freely, a trunk, and six limbs of three segments: a ball, a hinge and a joint of two axes each. Muscles
//! run round every joint, some past two, some by a point between, every third over a cylinder. Nothing stands on a ground.

use super::chain::{Chain, Flesh};
use crate::failure::Failure;
use fusiform_motion::function::Function;
use fusiform_motion::ik::Ik;
use fusiform_motion::model::{
    Axis, Body, Coordinate, GROUND, Joint, Marker, Model, Muscle, PathPoint, PathWrap, Place, Wrap, WrapShape,
};
use fusiform_motion::path::Paths;
use fusiform_motion::system::{Posture, System};
use fusiform_motion::table::Table;
use fusiform_motion::trajectory::{LowPass, Trajectory};
use glam::{DAffine3, DMat3, DVec3};

const MUSCLES: usize = 300;
const LIMBS: usize = 6;
const MARKERS_A_BODY: usize = 3;
/// Of a limb's joints, from the body outward.
const TURNS: [usize; 3] = [3, 1, 2];
/// m.
const SEGMENT: f64 = 0.3;
/// Frames, at 60 a second.
const FRAMES: usize = 120;

/// Numbers that look random and are the same everywhere.
struct Dice(u64);

impl Dice {
    fn within(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Each part up to a size.
    fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.within(-size, size), self.within(-size, size), self.within(-size, size))
    }
}

/// A point beside the y axis.
fn around(angle: f64, radius: f64, y: f64) -> DVec3 {
    let (sin, cos) = angle.sin_cos();
    DVec3::new(radius * cos, y, radius * sin)
}

/// The body in motion, ready to be measured.
pub fn chain() -> Result<Chain<'static>, Failure> {
    let dice = &mut Dice(7);
    let model = body(dice);
    let told = |error: &dyn std::error::Error| Failure::told("the generated model", error);
    let system = System::new(&model).map_err(|error| told(&error))?;
    let paths = Paths::new(&model, &system).map_err(|error| told(&error))?;
    let angles = swing(&system, dice);
    let trajectory = Trajectory::new(&system, &angles, Some(LowPass::default())).map_err(|error| told(&error))?;
    let targets = seen(&model, &system, &angles, dice);
    let ik = Ik::new(&system, &model.markers).map_err(|error| told(&error))?;
    let flesh =
        Flesh::new(model, system.clone(), paths, |name| name.starts_with("pelvis")).map_err(|error| told(&error))?;
    Ok(Chain::new("a generated body", (system, ik), (angles.times, targets), (trajectory, Vec::new()), flesh))
}

fn body(dice: &mut Dice) -> Model {
    let mut model = Model { gravity: DVec3::new(0.0, -9.81, 0.0), ..Model::default() };
    add_segment(&mut model, GROUND, "pelvis", DVec3::ZERO, 3, dice);
    let shifts = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate();
    let shifts =
        shifts.map(|(i, axis)| along(&mut model.coordinates, format!("pelvis_shift{i}"), axis, false)).collect();
    model.joints[0].translations = shifts;
    add_segment(&mut model, "pelvis", "trunk", DVec3::Y * 0.1, 2, dice);
    for limb in 0..LIMBS {
        let mut parent = if limb < 2 { "pelvis" } else { "trunk" }.to_owned();
        let mut from = around(2.4 * limb as f64, 0.15, if limb < 2 { -0.1 } else { 0.3 });
        for (segment, turns) in TURNS.into_iter().enumerate() {
            let name = format!("limb{limb}_{segment}");
            add_segment(&mut model, &parent, &name, from, turns, dice);
            (parent, from) = (name, DVec3::NEG_Y * SEGMENT);
        }
    }
    let n_joint = model.joints.len() - 1;
    for i in 0..MUSCLES {
        let muscle = muscle(&mut model, 1 + i % n_joint, i, dice);
        model.muscles.push(muscle);
    }
    model
}

fn along(coordinates: &mut Vec<Coordinate>, name: String, axis: DVec3, is_angle: bool) -> Axis {
    coordinates.push(Coordinate { name: name.clone(), is_angle, range: [-2.0, 2.0], ..Coordinate::default() });
    Axis { axis, coordinate: Some(name), function: Function::IDENTITY }
}

/// A rod that hangs from its joint, with markers on it.
fn add_segment(model: &mut Model, parent: &str, name: &str, from: DVec3, turns: usize, dice: &mut Dice) {
    let mass = dice.within(1.0, 8.0);
    let inertia = DMat3::from_diagonal(DVec3::new(1.0, 0.2, 1.0) * mass * SEGMENT * SEGMENT / 12.0);
    let center = DVec3::NEG_Y * (0.5 * SEGMENT);
    model.bodies.push(Body { name: name.to_owned(), mass, center, inertia });
    let axes = [DVec3::Z, DVec3::X, DVec3::Y].into_iter().take(turns).enumerate();
    let rotations =
        axes.map(|(i, axis)| along(&mut model.coordinates, format!("{name}_turn{i}"), axis, true)).collect();
    model.joints.push(Joint {
        name: name.to_owned(),
        parent: parent.to_owned(),
        child: name.to_owned(),
        frames: [DAffine3::from_translation(from), DAffine3::IDENTITY],
        rotations,
        translations: Vec::new(),
    });
    for i in 0..MARKERS_A_BODY {
        let location = center + dice.vector(0.15);
        model.markers.push(Marker { name: format!("{name}_{i}"), body: name.to_owned(), location });
    }
}

/// A muscle past a joint: from the parent, or from what the parent hangs on, to the child.
fn muscle(model: &mut Model, joint: usize, i: usize, dice: &mut Dice) -> Muscle {
    let (parent, child) = (model.joints[joint].parent.clone(), model.joints[joint].child.clone());
    let at = model.joints[joint].frames[0].translation;
    let above = model.joints.iter().find(|other| other.child == parent && other.parent != GROUND);
    let (above, above_at) = above.map_or((None, DVec3::ZERO), |a| (Some(a.parent.clone()), a.frames[0].translation));
    let point = |name: &str, body: &str, place: DVec3| PathPoint {
        name: name.to_owned(),
        body: body.to_owned(),
        place: Place::Fixed(place),
    };
    // evenly round the joint, by the golden angle, so that no side of it is bare
    let nth = i / (model.joints.len() - 1);
    let beside = around(2.4 * nth as f64 + dice.within(-0.2, 0.2), 0.03 + 0.005 * (i % 5) as f64, 0.09);
    let origin = match above {
        Some(body) if i % 4 == 3 => point("origin", &body, above_at + DVec3::new(beside.x, 0.05, beside.z)),
        _ => point("origin", &parent, at + beside),
    };
    // further round the bone than its origin, so that it twists the bone as well
    let round = DMat3::from_rotation_y(dice.within(0.5, 1.8) * if nth.is_multiple_of(2) { 1.0 } else { -1.0 }) * beside;
    let insertion = point("insertion", &child, DVec3::new(0.8 * round.x, -0.06, 0.8 * round.z));
    let mut path = vec![origin, insertion];
    if i % 2 == 1 {
        path.insert(1, point("between", &parent, at + DVec3::new(beside.x, 0.04, beside.z)));
    }
    let wraps = if i.is_multiple_of(3) { vec![cylinder(model, &parent, at)] } else { Vec::new() };
    let at_rest = |point: &PathPoint| match point.place {
        Place::Fixed(place) => at_rest(model, &point.body) + place,
        _ => DVec3::ZERO,
    };
    let length: f64 = path.windows(2).map(|pair| at_rest(&pair[0]).distance(at_rest(&pair[1]))).sum();
    Muscle {
        name: format!("muscle{i}"),
        path,
        wraps,
        max_force: dice.within(500.0, 2000.0),
        optimal_length: 0.4 * length,
        tendon_length: 0.6 * length,
        pennation: dice.within(0.0, 0.4),
    }
}

/// m: where a body is before anything turns.
fn at_rest(model: &Model, body: &str) -> DVec3 {
    let joint = model.joints.iter().find(|joint| joint.child == body);
    joint.map_or(DVec3::ZERO, |joint| at_rest(model, &joint.parent) + joint.frames[0].translation)
}

/// The cylinder along the first axis of a joint, one for all muscles there.
fn cylinder(model: &mut Model, parent: &str, at: DVec3) -> PathWrap {
    let name = format!("{parent} {at}");
    if !model.wraps.iter().any(|wrap| wrap.name == name) {
        model.wraps.push(Wrap {
            name: name.clone(),
            body: parent.to_owned(),
            frame: DAffine3::from_translation(at),
            shape: WrapShape::Cylinder { radius: 0.025, length: 0.2 },
            side: None,
            active: true,
        });
    }
    PathWrap { wrap: name, ..PathWrap::default() }
}

/// Every coordinate a sine of its own.
fn swing(system: &System, dice: &mut Dice) -> Table {
    let waves: Vec<[f64; 3]> = system
        .coordinates
        .iter()
        .map(|name| {
            let size = if name.contains("shift") { 0.05 } else { 0.3 };
            [dice.within(0.3, 1.0) * size, dice.within(0.5, 1.2), dice.within(0.0, 6.0)]
        })
        .collect();
    let times: Vec<f64> = (0..FRAMES).map(|i| i as f64 / 60.0).collect();
    let value = |time: f64, [size, rate, phase]: [f64; 3]| size * (std::f64::consts::TAU * rate * time + phase).sin();
    let values = times.iter().flat_map(|&time| waves.iter().map(move |&wave| value(time, wave))).collect();
    Table { names: system.coordinates.to_vec(), times, values }
}

/// Markers as cameras would see them: 3 mm off, each way.
fn seen(model: &Model, system: &System, angles: &Table, dice: &mut Dice) -> Vec<DVec3> {
    let mut posture = Posture::default();
    let mut targets = Vec::with_capacity(angles.times.len() * model.markers.len());
    for row in 0..angles.times.len() {
        system.pose(angles.row(row), &mut posture);
        for marker in &model.markers {
            let body = system.body(&marker.body).unwrap_or(0);
            targets.push(posture.frames[body].transform_point3(marker.location) + dice.vector(0.003));
        }
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generated_body_has_300_muscles_that_carry_its_torques() {
        let mut chain = chain().unwrap();
        assert_eq!(chain.counts(), (60, 44, 300));
        for frame in 0..FRAMES {
            chain.step(frame);
        }
        let (iterations, steps, reserve) = chain.effort();
        assert!(iterations >= 1.0 && steps >= 1.0, "{iterations} {steps}");
        assert!(reserve < 1e-6, "{reserve} N m");
    }
}
