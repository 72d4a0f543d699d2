//! Stand-ins for bones, so that muscles hang on something in a picture. Nothing computes with them.

use fusiform::body::belly_triangles;
use fusiform::{Character, SparseWeights};
use fusiform_picture::{Surface, color};
use glam::{Affine3A, Vec3};

const RINGS: usize = 13;
const SECTORS: usize = 12;
/// Radius of a bone over the mean distance of its skin.
const SHAFT: f32 = 0.26;
/// The same for joints without children, which end in a skull, fingertips or toes.
const TIP: f32 = 0.72;

/// A bone from a joint to a child, or to the end of its skin.
struct Bone {
    joint: usize,
    /// In the joint's space at bind.
    end: Vec3,
    /// Metres.
    radius: f32,
    is_tip: bool,
}

/// All bones as one surface in the given pose; nothing for a skeleton of a single joint.
pub fn surface(character: &Character, model_from_joint: &[Affine3A]) -> Option<Surface> {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for bone in bones(character) {
        let first = positions.len() as u32;
        let model = &model_from_joint[bone.joint];
        positions.extend(lathe(&bone).into_iter().map(|p| model.transform_point3(p)));
        triangles.extend(belly_triangles(RINGS, SECTORS).into_iter().map(|t| t.map(|i| i + first)));
    }
    (!triangles.is_empty()).then(|| Surface::new("bones", positions, triangles).colored(color::BONE))
}

fn bones(character: &Character) -> Vec<Bone> {
    let joints = &character.skeleton.joints;
    let skins = skins(character);
    let mut bones = Vec::new();
    for (j, joint) in joints.iter().enumerate() {
        let skin = &skins[j];
        if skin.is_empty() {
            continue;
        }
        let children: Vec<&fusiform::Joint> = joints.iter().filter(|child| child.parent == Some(j)).collect();
        let tip = 2.0 * skin.iter().sum::<Vec3>() / skin.len() as f32;
        let ends = children.iter().map(|child| joint.bind.inverse().transform_point3(child.bind.translation.into()));
        let is_tip = children.is_empty();
        for end in ends.chain(is_tip.then_some(tip)) {
            let length = end.length();
            let axis = end / length.max(1e-6);
            let thick = skin.iter().map(|p| p.reject_from_normalized(axis).length()).sum::<f32>() / skin.len() as f32;
            let radius = if is_tip { TIP * thick } else { (SHAFT * thick).min(0.2 * length) };
            if length > 1e-6 && radius > 0.0 {
                bones.push(Bone { joint: j, end, radius, is_tip });
            }
        }
    }
    bones
}

/// The skin that each joint moves most, in its space at bind.
fn skins(character: &Character) -> Vec<Vec<Vec3>> {
    let joints = &character.skeleton.joints;
    let joint_from_model: Vec<Affine3A> = joints.iter().map(|joint| joint.bind.inverse()).collect();
    let mut skins = vec![Vec::new(); joints.len()];
    let most = |weights: &SparseWeights, v: usize| weights.of(v).max_by(|a, b| a.1.total_cmp(&b.1));
    for mesh in &character.meshes {
        for (v, &position) in mesh.positions.iter().enumerate() {
            if let Some((joint, _)) = most(&mesh.weights, v) {
                let joint = usize::from(joint);
                skins[joint].push(joint_from_model[joint].transform_point3(position));
            }
        }
    }
    skins
}

/// Rings about the line from the joint to the bone's end: a shaft with heads, or an egg at a tip.
fn lathe(bone: &Bone) -> Vec<Vec3> {
    let (x, y) = (bone.end / bone.end.length()).any_orthonormal_pair();
    let profile = |s: f32| {
        let t = 2.0 * s - 1.0;
        let cap = (1.0 - t.powi(if bone.is_tip { 2 } else { 10 })).max(0.0).sqrt();
        if bone.is_tip { cap } else { cap * (0.5 + 0.5 * t.powi(4)) }
    };
    let point = |i: usize| {
        // rings lie closer where the ends close
        let s = 0.5 - 0.5 * (std::f32::consts::PI * (i / SECTORS) as f32 / (RINGS - 1) as f32).cos();
        let (sin, cos) = (std::f32::consts::TAU * (i % SECTORS) as f32 / SECTORS as f32).sin_cos();
        bone.end * s + (x * cos + y * sin) * (bone.radius * profile(s))
    };
    (0..RINGS * SECTORS).map(point).collect()
}
