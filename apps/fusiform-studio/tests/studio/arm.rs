//! An arm of few vertices with a muscle on either side: enough to edit, quick to solve.

use fusiform::character::{Channel, Interpolation, Keys, Track};
use fusiform::musculature::{Attachment, Bone, BoneShape, Layer, Tissue};
use fusiform::{Character, Clip, Mesh, Muscle, Musculature, Skeleton, SparseWeights, Transform};
use fusiform_files::gltf::{Gltf, Scene};
use glam::{Affine3A, Quat, Vec3};
use std::f32::consts::TAU;

const AROUND: u32 = 8;
const ROWS: u32 = 9;

/// The bytes of a rigged file.
pub fn glb() -> Vec<u8> {
    written(&arm())
}

/// The same with flesh that swings, and a clip of no whole number of the solver's ticks, nor of frames.
pub fn fleshy_glb() -> Vec<u8> {
    let (mut character, mut musculature) = arm();
    if let Keys::Rotation(turn) = &mut character.clips[0].channels[0].keys {
        turn.times.iter_mut().for_each(|time| *time *= 0.713);
    }
    let shape = BoneShape::Capsule { from: Vec3::ZERO, to: Vec3::Y * 0.25, radii: [0.015; 2] };
    let bone = |joint: &str| Bone { name: joint.into(), joint: joint.into(), shape: shape.clone() };
    musculature.layers.push(Layer::Tissue(Tissue { mass: 3.0, ..Tissue::lively() }));
    musculature.bones = vec![bone("upper"), bone("lower")];
    written(&(character, musculature))
}

/// The same as programs that count in centimetres write it: joints are scaled, and what they carry is in their units.
pub fn in_centimetres() -> (Character, Musculature) {
    let (mut character, mut musculature) = arm();
    for joint in &mut character.skeleton.joints {
        joint.bind *= Affine3A::from_scale(Vec3::splat(0.01));
        joint.rest.translation *= 100.0;
    }
    character.skeleton.joints[0].rest.scale = Vec3::splat(0.01);
    for muscle in &mut musculature.muscles {
        muscle.origin.point *= 100.0;
        muscle.insertion.point *= 100.0;
    }
    let shape = BoneShape::Capsule { from: Vec3::ZERO, to: Vec3::Y * 25.0, radii: [1.5; 2] };
    musculature.bones = vec![Bone { name: "shaft".into(), joint: "upper".into(), shape }];
    (character, musculature)
}

/// The bytes of a file of those.
pub fn written((character, musculature): &(Character, Musculature)) -> Vec<u8> {
    let mut gltf = Gltf::from_character(character);
    let origin = Scene::read(&gltf).expect("a sound file").origin;
    gltf.set_musculature(&origin, musculature);
    gltf.to_glb().expect("a small file")
}

/// As it is before it is in a file.
pub fn arm() -> (Character, Musculature) {
    let skeleton = Skeleton::from_rest(&[
        ("upper", None, Transform::IDENTITY),
        ("lower", Some(0), Transform::at(Vec3::Y * 0.3)),
        ("hand", Some(1), Transform::at(Vec3::Y * 0.3)),
    ]);
    let mut mesh = Mesh { name: "skin".into(), ..Mesh::default() };
    let mut weights = SparseWeights::default();
    for i in 0..AROUND * ROWS {
        let (angle, along) = ((i % AROUND) as f32 * TAU / AROUND as f32, 0.6 * (i / AROUND) as f32 / (ROWS - 1) as f32);
        mesh.positions.push(Vec3::new(0.05 * angle.cos(), along, 0.05 * angle.sin()));
        mesh.normals.push(Vec3::new(angle.cos(), 0.0, angle.sin()));
        let lower = (10.0 * along - 2.5).clamp(0.0, 1.0);
        mesh.weights.push_vertex([(0, 1.0 - lower), (1, lower)]);
        weights.push_vertex([(u16::from(angle.cos() < 0.0), 0.5)]);
        if i / AROUND + 1 < ROWS {
            let next = i - i % AROUND + (i + 1) % AROUND;
            mesh.triangles.extend([[i, i + AROUND, next], [next, i + AROUND, next + AROUND]]);
        }
    }
    let muscle = |name: &str, x: f32| {
        let end = |joint: &str, y: f32| Attachment { joint: joint.into(), point: Vec3::new(x, y, 0.0) };
        Muscle { name: name.into(), origin: end("upper", 0.05), insertion: end("lower", 0.08), ..Muscle::default() }
    };
    let musculature = Musculature {
        muscles: vec![muscle("biceps.l", 0.025), muscle("biceps.r", -0.025)],
        layers: vec![Layer::blend()],
        weights: vec![weights],
        ..Musculature::default()
    };
    let values = [0.0, 1.8, 0.0].map(Quat::from_rotation_z).to_vec();
    let turn = Track { times: vec![0.0, 0.5, 1.0], values, interpolation: Interpolation::Linear };
    let bend = Clip { name: "bend".into(), channels: vec![Channel { joint: 1, keys: Keys::Rotation(turn) }] };
    (Character { name: "arm".into(), skeleton, meshes: vec![mesh], clips: vec![bend] }, musculature)
}
