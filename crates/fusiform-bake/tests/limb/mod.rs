//! A limb of few vertices with tissue, swinging: flesh that a debug build solves in seconds.

use fusiform::character::{Channel, Interpolation, Keys, Track};
use fusiform::musculature::{Attachment, Bone, BoneShape, Layer, Tissue};
use fusiform::{Character, Clip, Mesh, Muscle, Musculature, Skeleton, SparseWeights, Transform};
use glam::{Quat, Vec3};
use std::f32::consts::TAU;

/// Seconds of its clip: no whole number of the solver's ticks, nor of frames.
pub const LAP: f32 = 0.71;

const AROUND: u32 = 8;
const ROWS: u32 = 10;
const MUSCLES: u32 = 2;

/// A tube about two joints that swings and is shaken, and comes round without a corner.
pub fn limb() -> (Character, Musculature) {
    let knee = Transform::at(Vec3::Y * 0.5);
    let skeleton = Skeleton::from_rest(&[("upper", None, Transform::IDENTITY), ("lower", Some(0), knee)]);
    let mut mesh = Mesh { name: "tube".into(), ..Mesh::default() };
    let mut weights = SparseWeights::default();
    for i in 0..AROUND * ROWS {
        let (angle, along) = ((i % AROUND) as f32 * TAU / AROUND as f32, (i / AROUND) as f32 / (ROWS - 1) as f32);
        mesh.positions.push(Vec3::new(0.1 * angle.cos(), along, 0.1 * angle.sin()));
        mesh.normals.push(Vec3::new(angle.cos(), 0.0, angle.sin()));
        let lower = (4.0 * along - 1.5).clamp(0.0, 1.0);
        mesh.weights.push_vertex([(0, 1.0 - lower), (1, lower)]);
        weights.push_vertex([((i % AROUND * MUSCLES / AROUND) as u16, 0.6)]);
        if i / AROUND + 1 < ROWS {
            let next = i - i % AROUND + (i + 1) % AROUND;
            mesh.triangles.extend([[i, i + AROUND, next], [next, i + AROUND, next + AROUND]]);
        }
    }
    let shape = BoneShape::Capsule { from: Vec3::ZERO, to: Vec3::Y * 0.4, radii: [0.02; 2] };
    let bone = |joint: &str| Bone { name: joint.into(), joint: joint.into(), shape: shape.clone() };
    let musculature = Musculature {
        muscles: (0..MUSCLES).map(muscle).collect(),
        layers: vec![Layer::blend(), Layer::Tissue(Tissue { mass: 6.0, damping: 0.08, ..Tissue::lively() })],
        bones: vec![bone("upper"), bone("lower")],
        weights: vec![weights],
        ..Musculature::default()
    };
    (Character { name: "limb".into(), skeleton, meshes: vec![mesh], clips: vec![shaken()] }, musculature)
}

fn muscle(m: u32) -> Muscle {
    let angle = (m as f32 + 0.5) * TAU / MUSCLES as f32;
    let out = Vec3::new(angle.cos(), 0.0, angle.sin()) * 0.06;
    let end = |joint: &str, y: f32| Attachment { joint: joint.into(), point: out + Vec3::Y * y };
    Muscle { name: format!("m{m}"), origin: end("upper", 0.1), insertion: end("lower", 0.4), ..Muscle::default() }
}

fn shaken() -> Clip {
    const KEYS: usize = 96;
    let times: Vec<f32> = (0..=KEYS).map(|key| LAP * key as f32 / KEYS as f32).collect();
    let phases = (0..=KEYS).map(|key| TAU * (key % KEYS) as f32 / KEYS as f32);
    let places = phases.clone().map(|a| Vec3::new(0.0, 0.04 * (2.0 * a).sin(), 0.02 * a.cos())).collect();
    let turns = phases.map(|a| Quat::from_rotation_x(0.5 * a.sin())).collect();
    let interpolation = Interpolation::Linear;
    let place = Keys::Translation(Track { times: times.clone(), values: places, interpolation });
    let turn = Keys::Rotation(Track { times, values: turns, interpolation });
    Clip { name: "shaken".into(), channels: vec![Channel { joint: 0, keys: place }, Channel { joint: 1, keys: turn }] }
}
