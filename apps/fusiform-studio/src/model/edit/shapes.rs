//! Shapes sculpted in poses: one more for the pose that is seen, one less, and back into the pose of one.

use super::Seen;
use super::place::mirrored_turns;
use super::pose::{self, turn_now};
use crate::model::{Fault, Live, Project, twin};
use fusiform::musculature::{Contraction, Path, PoseShape, Sculpt};
use fusiform::{Muscle, Musculature, Skeleton};
use glam::Quat;
use std::collections::{BTreeMap, BTreeSet};

/// A joint turned by less than this, radians, is as at bind.
const TURNED: f32 = 0.02;

/// Poses whose joints are turned alike within this, radians, are one to whoever sculpts: two degrees.
const SAME_POSE: f32 = 0.035;

/// How joints are turned since bind, by their names.
type Turns = BTreeMap<String, Quat>;

/// The shapes sculpted in poses; none for other contractions.
pub fn shapes_of(muscle: &Muscle) -> &[PoseShape] {
    if let Contraction::PoseShapes { shapes, .. } = &muscle.contraction { shapes } else { &[] }
}

/// A shape for the pose that is seen, of every chosen muscle that has shapes and whose joints are turned: as at bind until
/// it is sculpted. A twin gets one for the pose as a mirror shows it.
pub fn add(seen: Seen, muscles: &mut Musculature) -> Result<(), Fault> {
    let mut added = false;
    for (m, is_twin) in seen.edited(&muscles.muscles) {
        let turns = turns_of(seen, &muscles.muscles, (m, is_twin));
        let muscle = &mut muscles.muscles[m];
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

/// The first shape of a muscle that had none is for the pose that is seen, where its joints are turned; that of a twin is the
/// image of what the muscle that leads it has.
pub fn begin(seen: Seen, muscles: &mut [Muscle], (m, is_twin): (usize, bool)) {
    let skeleton = &seen.project.character.skeleton;
    let turns = match twin(seen.project, muscles, m).filter(|_| is_twin) {
        Some(leader) => {
            let first = shapes_of(&muscles[leader]).first();
            first.and_then(|shape| mirrored_turns(seen.project, &shape.turns).ok()).unwrap_or_default()
        }
        None => turns(skeleton, &muscles[m], seen.live),
    };
    if let Contraction::PoseShapes { shapes, .. } = &mut muscles[m].contraction
        && let [first] = &mut **shapes
        && !turns.is_empty()
    {
        first.turns = turns;
    }
}

/// Without one of its shapes; a twin without its mirror image. A muscle that has no other keeps its tone.
pub fn remove(seen: Seen, at: usize, muscles: &mut Musculature) {
    let edited = seen.edited(&muscles.muscles).into_iter();
    let gone: Vec<_> = edited.filter_map(|of| Some((of.0, meant(seen.project, &muscles.muscles, of, at)?))).collect();
    for (m, at) in gone {
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

/// Which shape of an edited muscle is meant by one of those that are shown: of a twin its mirror image, if there is one.
pub fn meant(project: &Project, muscles: &[Muscle], (m, is_twin): (usize, bool), at: usize) -> Option<usize> {
    if !is_twin {
        return Some(at);
    }
    image(project, shapes_of(&muscles[twin(project, muscles, m)?]).get(at)?, &muscles[m])
}

/// Which shape of a muscle is the mirror image of one of its twin's.
pub fn image(project: &Project, shape: &PoseShape, muscle: &Muscle) -> Option<usize> {
    let turns = mirrored_turns(project, &shape.turns).ok()?;
    let is_image = |other: &PoseShape| {
        other.turns.keys().eq(turns.keys()) && other.turns.values().zip(turns.values()).all(are_alike)
    };
    shapes_of(muscle).iter().position(is_image)
}

fn are_alike((a, b): (&Quat, &Quat)) -> bool {
    a.normalize().angle_between(b.normalize()) < SAME_POSE
}

/// How joints are turned by hand for the chosen muscles to be in the pose of one of their shapes; as at bind where none is
/// said. Joints that no shape of theirs is for stay as they are.
pub fn go_to(seen: Seen, at: Option<usize>, muscles: &[Muscle]) -> Vec<(usize, Quat)> {
    let (skeleton, live) = (&seen.project.character.skeleton, seen.live);
    let mut turned = live.turned().to_vec();
    for (m, _) in seen.edited(muscles).into_iter().filter(|(_, is_twin)| !is_twin) {
        let shape = at.map(|at| shapes_of(&muscles[m]).get(at));
        if shape == Some(None) {
            continue; // it has fewer
        }
        for name in joints_of(&muscles[m]) {
            let wanted = shape.flatten().and_then(|shape| shape.turns.get(name)).copied().unwrap_or(Quat::IDENTITY);
            let Some(joint) = skeleton.find(name) else { continue };
            pose::put(skeleton, live, (joint, wanted), &mut turned);
        }
    }
    turned
}

/// Whether a muscle that has shapes is in the pose of none of them, nor as at bind: what is sculpted then is not seen.
pub fn is_between_shapes(skeleton: &Skeleton, live: &Live, muscle: &Muscle) -> bool {
    let is_turned = |name: &String| {
        let turn = skeleton.find(name).and_then(|joint| turn_now(skeleton, live, joint));
        turn.is_some_and(|turn| !are_alike((&turn, &Quat::IDENTITY)))
    };
    shape_seen(skeleton, live, muscle).is_none() && joints_of(muscle).into_iter().any(is_turned)
}

/// The joints that its shapes are for.
fn joints_of(muscle: &Muscle) -> BTreeSet<&String> {
    shapes_of(muscle).iter().flat_map(|shape| shape.turns.keys()).collect()
}

/// The shape that was sculpted for the pose that is seen, if there is one.
pub fn shape_seen(skeleton: &Skeleton, live: &Live, muscle: &Muscle) -> Option<usize> {
    let (shapes, joints) = (shapes_of(muscle), joints_of(muscle));
    let now: Vec<Quat> =
        joints.iter().map(|name| turn_now(skeleton, live, skeleton.find(name)?)).collect::<Option<_>>()?;
    let is_seen = |shape: &PoseShape| {
        let turns = joints.iter().map(|joint| shape.turns.get(*joint).copied().unwrap_or(Quat::IDENTITY));
        turns.zip(&now).all(|(turn, now)| are_alike((&turn, now)))
    };
    shapes.iter().position(is_seen)
}

/// How the joints of a muscle are turned in the pose that is seen; those of a twin as a mirror shows them.
fn turns_of(seen: Seen, muscles: &[Muscle], (m, is_twin): (usize, bool)) -> Turns {
    let skeleton = &seen.project.character.skeleton;
    let leader = twin(seen.project, muscles, m).filter(|_| is_twin);
    let turned = turns(skeleton, &muscles[leader.unwrap_or(m)], seen.live);
    if leader.is_some() { mirrored_turns(seen.project, &turned).unwrap_or_default() } else { turned }
}

/// How joints between those that carry the muscle are turned since bind.
fn turns(skeleton: &Skeleton, muscle: &Muscle, live: &Live) -> Turns {
    let via: &[_] = if let Path::Polyline { via, .. } = &muscle.path { via } else { &[] };
    let carriers = [&muscle.origin, &muscle.insertion].into_iter().chain(via);
    let chains: Vec<BTreeSet<usize>> =
        carriers.filter_map(|end| skeleton.find(&end.joint)).map(|joint| chain(skeleton, joint)).collect();
    let all: BTreeSet<usize> = chains.iter().flatten().copied().collect();
    let between = all.into_iter().filter(|joint| !chains.iter().all(|chain| chain.contains(joint)));
    let turned = between.filter_map(|joint| {
        let turn = turn_now(skeleton, live, joint)?;
        (turn.angle_between(Quat::IDENTITY) > TURNED).then(|| (skeleton.joints[joint].name.clone(), turn))
    });
    turned.collect()
}

/// A joint and all above it.
fn chain(skeleton: &Skeleton, joint: usize) -> BTreeSet<usize> {
    std::iter::successors(Some(joint), |&joint| skeleton.joints[joint].parent).collect()
}
