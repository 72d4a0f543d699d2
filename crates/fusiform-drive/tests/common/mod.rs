//! A person of a few bones, the athlete, and measurements from outside where they are.
#![allow(dead_code)] // every test binary uses its own part

use fusiform::{Character, Skeleton};
use fusiform_athlete::Athlete;
use fusiform_motion::function::Function;
use fusiform_motion::model::{Axis, Body, Coordinate, GROUND, Joint, Marker, Model, Muscle, PathPoint, Place};
use fusiform_motion::table::Table;
use glam::{Affine3A, DAffine3, DVec3, Vec3};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

pub static ATHLETE: LazyLock<Athlete> =
    LazyLock::new(|| fusiform_athlete::athlete_with(5000, |_| ()).expect("the athlete grows"));

/// A file of the shared data; nothing, said aloud, where it is not there.
pub fn shared(path: &str) -> Option<Vec<u8>> {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(path);
    let bytes = std::fs::read(&path).ok();
    if bytes.is_none() {
        _ = writeln!(std::io::stderr(), "SKIPPED: there is no {}", path.display());
    }
    bytes
}

pub fn osim(path: &str) -> Option<Model> {
    Some(fusiform_files::osim::read(&shared(path)?).expect("a model").model)
}

/// Where a joint is.
pub fn place(skeleton: &Skeleton, pose: &[Affine3A], name: &str) -> Vec3 {
    pose[skeleton.find(name).expect("a joint of that name")].translation.into()
}

/// Radians between the bones before and after a joint.
pub fn bend(skeleton: &Skeleton, pose: &[Affine3A], names: [&str; 3]) -> f32 {
    let [a, b, c] = names.map(|name| place(skeleton, pose, name));
    (b - a).angle_between(c - b)
}

pub fn athlete() -> &'static Character {
    &ATHLETE.character
}

fn pin(coordinate: &str) -> Vec<Axis> {
    vec![Axis { axis: DVec3::Z, coordinate: Some(coordinate.into()), function: Function::IDENTITY }]
}

/// Legs that swing under a pelvis that travels, x ahead, y up, z to the right; heels are bodies of their own.
pub fn walker() -> Model {
    let mut model = Model { name: "walker".into(), gravity: DVec3::new(0.0, -9.81, 0.0), ..Model::default() };
    let mut add = |name: &str, parent: &str, at: [f64; 3], rotations: Vec<Axis>, translations: Vec<Axis>| {
        model.bodies.push(Body { name: name.into(), mass: 5.0, ..Body::default() });
        model.joints.push(Joint {
            name: format!("{name}_joint"),
            parent: parent.into(),
            child: name.into(),
            frames: [DAffine3::from_translation(DVec3::from_array(at)), DAffine3::IDENTITY],
            rotations,
            translations,
        });
        let corner = [[0.05, -0.1, 0.03], [-0.04, -0.2, -0.03], [0.0, -0.05, 0.06]];
        for (i, at) in corner.into_iter().enumerate() {
            let location = DVec3::from_array(at);
            model.markers.push(Marker { name: format!("{name}.{i}"), body: name.into(), location });
        }
    };
    let shift = |axis: DVec3, name: &str| Axis { axis, coordinate: Some(name.into()), function: Function::IDENTITY };
    add("pelvis", GROUND, [0.0; 3], pin("tilt"), vec![shift(DVec3::X, "tx"), shift(DVec3::Y, "ty")]);
    add("torso", "pelvis", [-0.05, 0.1, 0.0], pin("lean"), Vec::new());
    for (side, z) in [("r", 0.09), ("l", -0.09)] {
        let of = |name: &str| format!("{name}_{side}");
        add(&of("femur"), "pelvis", [0.0, 0.0, z], pin(&of("hip")), Vec::new());
        add(&of("tibia"), &of("femur"), [0.0, -0.42, 0.0], pin(&of("knee")), Vec::new());
        add(&of("talus"), &of("tibia"), [0.0, -0.43, 0.0], pin(&of("ankle")), Vec::new());
        add(&of("calcn"), &of("talus"), [-0.05, -0.04, 0.0], Vec::new(), Vec::new());
        add(&of("toes"), &of("calcn"), [0.18, 0.0, 0.0], pin(&of("toe")), Vec::new());
    }
    let names =
        ["tilt", "tx", "ty", "lean", "hip_r", "knee_r", "ankle_r", "toe_r", "hip_l", "knee_l", "ankle_l", "toe_l"];
    for name in names {
        let default = if name == "ty" { 0.93 } else { 0.0 };
        let is_angle = !matches!(name, "tx" | "ty");
        model.coordinates.push(Coordinate {
            name: name.into(),
            is_angle,
            default,
            range: [-10.0, 10.0],
            ..Coordinate::default()
        });
    }
    for side in ["r", "l"] {
        let point = |body: &str, at: [f64; 3]| PathPoint {
            name: format!("{body}_{at:?}"),
            body: format!("{body}_{side}"),
            place: Place::Fixed(DVec3::from_array(at)),
        };
        let z = if side == "r" { 0.01 } else { -0.01 };
        model.muscles.push(Muscle {
            name: format!("vastus_{side}"),
            path: vec![
                point("femur", [0.03, -0.15, z]),
                point("femur", [0.04, -0.38, z]),
                point("tibia", [0.04, -0.08, z]),
            ],
            max_force: 2000.0,
            optimal_length: 0.09,
            tendon_length: 0.1,
            ..Muscle::default()
        });
    }
    model
}

/// Two seconds of steps, 60 frames a second, from 0.5 s on.
pub fn steps() -> Table {
    let names = ["tx", "hip_r", "hip_l", "knee_r", "knee_l"];
    let times: Vec<f64> = (0..120).map(|i| 0.5 + f64::from(i) / 60.0).collect();
    let row = |t: &f64| {
        let swing = (std::f64::consts::TAU * t).sin();
        [1.1 * t, 0.4 * swing, -0.4 * swing, -0.3 + 0.3 * swing, -0.3 - 0.3 * swing]
    };
    let values = times.iter().flat_map(row).collect();
    Table { names: names.map(Into::into).to_vec(), times, values }
}
