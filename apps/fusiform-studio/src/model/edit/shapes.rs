//! Shapes sculpted in poses: one more for the pose that is seen, one less.

use super::Seen;
use crate::model::Fault;
use fusiform::musculature::{Contraction, Path, PoseShape, Sculpt};
use fusiform::{Muscle, Musculature, Skeleton};
use glam::{Affine3A, Quat};
use std::collections::{BTreeMap, BTreeSet};

/// A joint turned by less than this, radians, is as at bind.
const TURNED: f32 = 0.02;

/// A shape for the pose that is seen, of every chosen muscle that has shapes and whose joints are turned: as at bind until
/// it is sculpted.
pub fn add(seen: Seen, muscles: &mut Musculature) -> Result<(), Fault> {
    let skeleton = &seen.project.character.skeleton;
    let mut added = false;
    for (m, _) in seen.edited(&muscles.muscles) {
        let muscle = &mut muscles.muscles[m];
        let turns = turns(skeleton, muscle, seen.live.model_from_joint());
        let n = usize::from(muscle.rings) * usize::from(muscle.sectors);
        let sculpt = muscle.sculpt.clone().unwrap_or(Sculpt { factors: vec![1.0; n] });
        if let Contraction::PoseShapes { shapes, .. } = &mut muscle.contraction
            && !turns.is_empty()
        {
            shapes.push(PoseShape { turns, sculpt });
            added = true;
        }
    }
    let cure = "bend a joint of the muscle with the Pose tool, or play a clip, first";
    let still = || Fault {
        file: seen.project.name.clone(),
        message: "no joint of the muscle is turned: its shape in this pose is the one at bind".into(),
        cure: cure.into(),
    };
    added.then_some(()).ok_or_else(still)
}

/// Without one of its shapes; a muscle that has no other keeps its tone.
pub fn remove(seen: Seen, at: usize, muscles: &mut Musculature) {
    for (m, _) in seen.edited(&muscles.muscles) {
        let contraction = &mut muscles.muscles[m].contraction;
        let Contraction::PoseShapes { shapes, tone, isometric } = contraction else { continue };
        if at < shapes.len() {
            shapes.remove(at);
        }
        if shapes.is_empty() {
            *contraction = Contraction::Tone { tone: *tone, isometric: *isometric };
        }
    }
}

/// How joints between those that carry the muscle are turned since bind.
fn turns(skeleton: &Skeleton, muscle: &Muscle, model_from_joint: &[Affine3A]) -> BTreeMap<String, Quat> {
    let via: &[_] = if let Path::Polyline { via, .. } = &muscle.path { via } else { &[] };
    let carriers = [&muscle.origin, &muscle.insertion].into_iter().chain(via);
    let chains: Vec<BTreeSet<usize>> =
        carriers.filter_map(|end| skeleton.find(&end.joint)).map(|joint| chain(skeleton, joint)).collect();
    let all: BTreeSet<usize> = chains.iter().flatten().copied().collect();
    let between = all.into_iter().filter(|joint| !chains.iter().all(|chain| chain.contains(joint)));
    let turned = between.filter_map(|joint| {
        let of = &skeleton.joints[joint];
        let parent = of.parent?;
        let local = |parent: &Affine3A, joint: &Affine3A| (parent.inverse() * *joint).to_scale_rotation_translation().1;
        let bind = local(&skeleton.joints[parent].bind, &of.bind);
        let turn = (bind.inverse() * local(&model_from_joint[parent], &model_from_joint[joint])).normalize();
        (turn.is_finite() && turn.angle_between(Quat::IDENTITY) > TURNED).then(|| (of.name.clone(), turn))
    });
    turned.collect()
}

/// A joint and all above it.
fn chain(skeleton: &Skeleton, joint: usize) -> BTreeSet<usize> {
    std::iter::successors(Some(joint), |&joint| skeleton.joints[joint].parent).collect()
}
