//! Bones in pictures: those that skin slides over, and stand-ins that nothing computes with, so that muscles hang on
//! something.

use fusiform::body::belly_triangles;
use fusiform::{Character, Musculature, Skeleton};
use fusiform_fit::{Shaft, shafts};
use fusiform_picture::{Surface, color};
use glam::{Affine3A, Vec3};

const RINGS: usize = 13;
const SECTORS: usize = 12;

/// All bones as one surface in the given pose; nothing for a skeleton of a single joint.
pub fn surface(character: &Character, model_from_joint: &[Affine3A]) -> Option<Surface> {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for bone in shafts(character) {
        let first = positions.len() as u32;
        let model = &model_from_joint[bone.joint];
        positions.extend(lathe(&bone).into_iter().map(|p| model.transform_point3(p)));
        triangles.extend(belly_triangles(RINGS, SECTORS).into_iter().map(|t| t.map(|i| i + first)));
    }
    (!triangles.is_empty()).then(|| Surface::new("bones", positions, triangles).colored(color::BONE))
}

/// The bones that skin slides over, as they are in the given pose; nothing where there are none.
pub fn under_skin(musculature: &Musculature, skeleton: &Skeleton, model_from_joint: &[Affine3A]) -> Option<Surface> {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for bone in &musculature.bones {
        let Some(joint) = skeleton.find(&bone.joint) else { continue };
        let (first, (own, corners)) = (positions.len() as u32, bone.shape.surface());
        positions.extend(own.into_iter().map(|p| model_from_joint[joint].transform_point3(p)));
        triangles.extend(corners.into_iter().map(|t| t.map(|i| i + first)));
    }
    (!triangles.is_empty()).then(|| Surface::new("bones", positions, triangles).colored(color::BONE))
}

/// Rings about the line from the joint to the bone's end: a shaft with heads, or an egg at a tip.
fn lathe(bone: &Shaft) -> Vec<Vec3> {
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
