//! Segments: the bones of any skeleton, as straight lines between the joints that carry skin.
//!
//! Only skin tells which joints are part of a body: controls, poles and empty roots carry none and are passed over. A foot
//! that hangs on its control instead of its leg is sewn to the leg by the skin both carry.

use fusiform::{Mesh, Skeleton};
use glam::Vec3;

/// A joint whose weights over the whole skin add up to less carries none.
const CARRIES: f32 = 0.5;
/// Skin that two joints must share, in vertices, to be sewn together.
const SEWN: f32 = 0.25;
/// Shorter segments, as a share of the height, have no direction.
const SHORTEST: f32 = 1e-3;
/// A joint this near to a sibling's segment, as a share of its length, lies inside that bone and only twists it.
const TWIST: f32 = 0.08;

/// A bone: from a joint to the next one that carries skin, or to the tip of the joint's own skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Index of the joint that carries it.
    pub joint: usize,
    /// The joint at its end; nothing at a tip.
    pub child: Option<usize>,
    /// Metres, model space, in the bind pose.
    pub from: Vec3,
    /// Metres, model space, in the bind pose.
    pub to: Vec3,
}

impl Segment {
    /// Metres.
    #[must_use]
    pub fn length(&self) -> f32 {
        self.from.distance(self.to)
    }

    /// Unit; zero where there is no length.
    #[must_use]
    pub fn along(&self) -> Vec3 {
        (self.to - self.from).normalize_or_zero()
    }

    /// The point of the segment nearest to `p`.
    #[must_use]
    pub fn nearest(&self, p: Vec3) -> Vec3 {
        let step = self.to - self.from;
        let t = (p - self.from).dot(step) / step.length_squared().max(1e-20);
        self.from + step * t.clamp(0.0, 1.0)
    }
}

/// All bones of a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Segments {
    /// Joints ascending, and the children of each ascending.
    pub list: Vec<Segment>,
    /// n_joint: the nearest joint above that carries skin.
    pub parent: Vec<Option<usize>>,
}

impl Segments {
    /// The bones in that skin.
    pub fn new(skeleton: &Skeleton, skin: &Mesh, height: f32) -> Self {
        let carried = Carried::new(skeleton, skin);
        let parent = parents(skeleton, skin, &carried);
        let at = |joint: usize| Vec3::from(skeleton.joints[joint].bind.translation);
        let mut children = vec![Vec::new(); parent.len()];
        for (child, parent) in parent.iter().enumerate() {
            parent.iter().for_each(|&parent| children[parent].push(child));
        }
        let mut list = Vec::new();
        for joint in (0..parent.len()).filter(|&joint| carried.skin[joint] >= CARRIES) {
            let segment = |child: usize| Segment { joint, child: Some(child), from: at(joint), to: at(child) };
            let all: Vec<Segment> = children[joint].iter().map(|&child| segment(child)).collect();
            let twists = |own: &Segment| {
                let is_leaf = own.child.is_some_and(|child| children[child].is_empty());
                is_leaf && all.iter().any(|other| lies_inside(own.to, other))
            };
            list.extend(all.iter().filter(|own| own.length() > SHORTEST * height && !twists(own)));
            let beside = |parent: usize| children[parent].iter().filter(move |&&other| other != joint);
            let is_twist = parent[joint].is_some_and(|parent| {
                let own = |&other: &usize| Segment { joint: parent, child: None, from: at(parent), to: at(other) };
                beside(parent).any(|other| lies_inside(at(joint), &own(other)))
            });
            if all.is_empty() && !is_twist {
                let to = at(joint) + tip(carried.mean(joint) - at(joint), parent[joint].map(|p| at(joint) - at(p)));
                let stub = Segment { joint, child: None, from: at(joint), to };
                list.extend((stub.length() > SHORTEST * height).then_some(stub));
            }
        }
        Self { list, parent }
    }
}

/// Whether the point lies along the segment, away from both its ends.
fn lies_inside(point: Vec3, segment: &Segment) -> bool {
    let (step, length) = (segment.to - segment.from, segment.length());
    let t = (point - segment.from).dot(step) / step.length_squared().max(1e-20);
    (0.05..0.95).contains(&t) && point.distance(segment.nearest(point)) < TWIST * length
}

/// From a last joint to the end of its skin: as far beyond the skin's mean as that is away. Without skin beyond it, on in the
/// direction of the bone before.
fn tip(to_mean: Vec3, before: Option<Vec3>) -> Vec3 {
    let before = before.unwrap_or_default();
    if to_mean.length() > 0.1 * before.length() { to_mean * 2.0 } else { before * 0.35 }
}

/// How much skin each joint carries, in vertices, and where.
struct Carried {
    skin: Vec<f32>,
    sum: Vec<Vec3>,
}

impl Carried {
    fn new(skeleton: &Skeleton, mesh: &Mesh) -> Self {
        let n_joint = skeleton.joints.len();
        let (mut skin, mut sum) = (vec![0.0; n_joint], vec![Vec3::ZERO; n_joint]);
        for (vertex, position) in mesh.positions.iter().enumerate().take(mesh.weights.len()) {
            for (joint, weight) in mesh.weights.of(vertex).filter(|(joint, _)| usize::from(*joint) < n_joint) {
                skin[usize::from(joint)] += weight;
                sum[usize::from(joint)] += *position * weight;
            }
        }
        Self { skin, sum }
    }

    fn mean(&self, joint: usize) -> Vec3 {
        self.sum[joint] / self.skin[joint].max(1e-9)
    }
}

/// The next joint up that carries skin; roots beside the largest are sewn to the joint they share most skin with.
fn parents(skeleton: &Skeleton, skin: &Mesh, carried: &Carried) -> Vec<Option<usize>> {
    let carries = |joint: usize| carried.skin[joint] >= CARRIES;
    let up = |joint: usize| std::iter::successors(skeleton.joints[joint].parent, |&j| skeleton.joints[j].parent);
    let n_joint = skeleton.joints.len();
    let mut parent: Vec<Option<usize>> =
        (0..n_joint).map(|joint| if carries(joint) { up(joint).find(|&j| carries(j)) } else { None }).collect();
    let root = |parent: &[Option<usize>], joint| {
        std::iter::successors(Some(joint), |&joint: &usize| parent[joint]).last().unwrap_or(joint)
    };
    let mut size = vec![0.0; n_joint];
    (0..n_joint).for_each(|joint| size[root(&parent, joint)] += carried.skin[joint]);
    let largest = (0..n_joint).max_by(|&a, &b| size[a].total_cmp(&size[b]).then(b.cmp(&a)));
    let orphans = (0..n_joint).filter(|&joint| carries(joint) && parent[joint].is_none() && Some(joint) != largest);
    for orphan in orphans.collect::<Vec<_>>() {
        let shared = shared_skin(skin, orphan, n_joint);
        let other_tree = |&joint: &usize| carries(joint) && root(&parent, joint) != orphan && shared[joint] > SEWN;
        let best = (0..n_joint).filter(other_tree).max_by(|&a, &b| shared[a].total_cmp(&shared[b]).then(b.cmp(&a)));
        parent[orphan] = best;
    }
    parent
}

/// How much skin each joint carries together with that one.
fn shared_skin(skin: &Mesh, joint: usize, n_joint: usize) -> Vec<f32> {
    let mut shared = vec![0.0; n_joint];
    for vertex in 0..skin.weights.len() {
        let Some((_, own)) = skin.weights.of(vertex).find(|&(other, _)| usize::from(other) == joint) else { continue };
        for (other, weight) in skin.weights.of(vertex).filter(|(other, _)| usize::from(*other) < n_joint) {
            shared[usize::from(other)] += weight.min(own);
        }
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::{SparseWeights, Transform};

    /// A leg along x, one unit a bone; skin around every joint named in `skinned`, shared where two are named.
    fn body(joints: &[(&str, Option<usize>, Vec3)], skinned: &[&[u16]]) -> (Skeleton, Mesh) {
        let joints: Vec<_> = joints.iter().map(|&(name, parent, at)| (name, parent, Transform::at(at))).collect();
        let skeleton = Skeleton::from_rest(&joints);
        let (mut positions, mut weights) = (Vec::new(), SparseWeights::default());
        for owners in skinned {
            let at = owners.iter().map(|&j| Vec3::from(skeleton.joints[usize::from(j)].bind.translation)).sum::<Vec3>();
            for i in 0..4 {
                positions.push(at / owners.len() as f32 + Vec3::new(0.3, (i & 1) as f32, (i >> 1) as f32));
                weights.push_vertex(owners.iter().map(|&joint| (joint, 1.0 / owners.len() as f32)));
            }
        }
        (skeleton, Mesh { positions, weights, ..Mesh::default() })
    }

    fn ends(skeleton: &Skeleton, mesh: &Mesh) -> Vec<(usize, Option<usize>)> {
        Segments::new(skeleton, mesh, 1.0).list.iter().map(|segment| (segment.joint, segment.child)).collect()
    }

    #[test]
    fn poles_carry_no_skin_and_a_foot_on_its_control_is_sewn_to_the_leg() {
        let (skeleton, mesh) = body(
            &[
                ("root", None, Vec3::ZERO),
                ("thigh", Some(0), Vec3::ZERO),
                ("shin", Some(1), Vec3::X),
                ("ik foot", Some(0), Vec3::X * 2.0),
                ("pole", Some(1), Vec3::Y * 9.0),
            ],
            &[&[1], &[1], &[1, 2], &[2], &[2, 3], &[3]],
        );
        assert_eq!(ends(&skeleton, &mesh), [(1, Some(2)), (2, Some(3)), (3, None)]);
    }

    #[test]
    fn a_twist_joint_is_no_bone_and_neither_is_one_of_no_length() {
        let (skeleton, mesh) = body(
            &[
                ("arm", None, Vec3::ZERO),
                ("twist", Some(0), Vec3::X * 0.5),
                ("elbow", Some(0), Vec3::X),
                ("same place", Some(2), Vec3::ZERO),
                ("hand", Some(3), Vec3::X),
            ],
            &[&[0], &[1], &[2], &[3], &[4]],
        );
        assert_eq!(ends(&skeleton, &mesh), [(0, Some(2)), (3, Some(4)), (4, None)]);
    }
}
