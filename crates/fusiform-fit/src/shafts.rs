//! Shafts: from every joint to the next, as thick as the flesh about it allows; for skeletons of which nothing is known.

use fusiform::musculature::{Bone, BoneShape};
use fusiform::{Character, SparseWeights};
use glam::{Affine3A, Vec3};

/// Radius of a shaft over the mean distance of its skin.
const SHAFT: f32 = 0.26;
/// The same for joints without children, which end in a skull, fingertips or toes.
const TIP: f32 = 0.72;
/// Longest share of its length that a shaft is thick.
const THICKEST: f32 = 0.2;

/// From a joint to a child, or to the end of its skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shaft {
    /// The joint it begins at and moves with.
    pub joint: usize,
    /// Where it ends, in the joint's space at bind.
    pub end: Vec3,
    /// In the joint's space.
    pub radius: f32,
    /// Whether it ends with the skin and not at another joint.
    pub is_tip: bool,
}

/// A shaft for every joint that moves skin, to each of its children, or to the end of its skin.
#[must_use]
pub fn shafts(character: &Character) -> Vec<Shaft> {
    let joints = &character.skeleton.joints;
    let skins = skins(character);
    let mut shafts = Vec::new();
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
            let radius = if is_tip { TIP * thick } else { (SHAFT * thick).min(THICKEST * length) };
            if length > 1e-6 && radius > 0.0 {
                shafts.push(Shaft { joint: j, end, radius, is_tip });
            }
        }
    }
    shafts
}

/// A capsule along every bone of a skeleton, between its joints: what skin can slide over where no template knows better.
#[must_use]
pub fn bone_capsules(character: &Character) -> Vec<Bone> {
    let joints = &character.skeleton.joints;
    let mut bones: Vec<Bone> = Vec::new();
    for Shaft { joint, end, radius, .. } in shafts(character).into_iter().filter(|shaft| !shaft.is_tip) {
        let name = &joints[joint].name;
        let taken = bones.iter().filter(|bone| bone.joint == *name).count();
        let shape = BoneShape::Capsule { from: Vec3::ZERO, to: end, radii: [radius; 2] };
        let own = if taken == 0 { name.clone() } else { format!("{name}_{}", taken + 1) };
        bones.push(Bone { name: own, joint: name.clone(), shape });
    }
    // another joint may bear the name that was made up
    let mut seen = std::collections::BTreeSet::new();
    bones.retain(|bone| seen.insert(bone.name.clone()));
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
