//! Under the skin: the bones that it slides over, and that hold its flesh, where their joints have them. One sees through
//! them, so that joints are seen, too.

use super::geometry::{CHOSEN, Extras};
use super::scene::{Corners, Look, Stamp, Stamped, Surface};
use crate::model::Studio;
use fusiform::musculature::Bone;
use fusiform_picture::smooth_normals;
use glam::Vec3;

/// Linear; not that of joints.
const COLOR: [f32; 3] = [0.16, 0.45, 0.72];
/// How little one sees through them, and through the one that is marked.
const OPACITY: f32 = 0.8;
const MARKED: f32 = 1.0;

/// What is kept of the bones that are shown.
#[derive(Debug, Default)]
pub(super) struct UnderSkin {
    known: Option<(Known, Stamp)>,
    bones: Vec<(usize, usize)>, // joint, points
    own: Vec<(Vec3, Vec3)>,     // places and normals in the space of their joint
    places: Vec<Vec3>,
    normals: Vec<Vec3>,
    indices: Vec<u32>,
    colors: Vec<[f32; 4]>,
}

/// What they were made from.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    revision: u64,
    all: bool,
    marked: Option<usize>,
}

impl UnderSkin {
    pub fn surface(&mut self, studio: &Studio, extras: Extras) -> Surface<'_> {
        let wanted = Known { revision: studio.history.revision(), all: extras.bones, marked: extras.marked_bone };
        let stamp = match &self.known {
            Some((known, stamp)) if *known == wanted => *stamp,
            _ => {
                self.make(studio, wanted);
                self.known.insert((wanted, Stamp::new())).1
            }
        };
        self.pose(studio);
        Surface {
            look: Look::FrontClear,
            corners: Corners::Placed { places: &self.places, normals: &self.normals, stays: None },
            colors: Stamped { of: &self.colors, stamp },
            indices: Stamped { of: &self.indices, stamp },
            edges: None,
        }
    }

    fn make(&mut self, studio: &Studio, wanted: Known) {
        self.bones.clear();
        self.own.clear();
        self.indices.clear();
        self.colors.clear();
        let bones = studio.document().musculature.bones.iter().enumerate();
        for (i, bone) in bones.filter(|(i, _)| wanted.all || wanted.marked == Some(*i)) {
            let Some(joint) = studio.project.character.skeleton.find(&bone.joint) else { continue };
            let ([r, g, b], opacity) = if wanted.marked == Some(i) { (CHOSEN, MARKED) } else { (COLOR, OPACITY) };
            self.put(joint, bone, [r, g, b, opacity]);
        }
    }

    fn put(&mut self, joint: usize, bone: &Bone, color: [f32; 4]) {
        let (first, (places, triangles)) = (self.own.len() as u32, bone.shape.surface());
        let normals = smooth_normals(&places, &triangles);
        self.bones.push((joint, places.len()));
        self.colors.resize(self.own.len() + places.len(), color);
        self.own.extend(places.into_iter().zip(normals));
        self.indices.extend(triangles.iter().flatten().map(|corner| first + corner));
    }

    fn pose(&mut self, studio: &Studio) {
        self.places.clear();
        self.normals.clear();
        let mut rest = &self.own[..];
        for &(joint, n) in &self.bones {
            let (own, others) = rest.split_at(n);
            rest = others;
            let model_from_joint = studio.live.model_from_joint()[joint];
            // at right angles to what is scaled unevenly, too
            let turn = model_from_joint.matrix3.inverse().transpose();
            self.places.extend(own.iter().map(|(place, _)| model_from_joint.transform_point3(*place)));
            self.normals.extend(own.iter().map(|(_, normal)| (turn * *normal).normalize_or_zero()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Edit, Project};
    use fusiform::musculature::BoneShape;
    use glam::Quat;

    fn studio() -> Studio {
        let (project, mut muscles) = Project::athlete(Some(3_700)).unwrap();
        let shape = BoneShape::Capsule { from: Vec3::ZERO, to: Vec3::Y * 0.1, radii: [0.02; 2] };
        let bone = |joint: &str| Bone { name: joint.into(), joint: joint.into(), shape: shape.clone() };
        muscles.bones = vec![bone("upper_leg.l"), bone("upper_leg.r")];
        Studio::new(project, muscles, None).unwrap()
    }

    #[test]
    fn bones_are_drawn_where_their_joints_have_them_and_the_one_at_hand_is_marked() {
        let mut studio = studio();
        let joint = studio.project.character.skeleton.find("upper_leg.l").unwrap();
        let local = studio.document().musculature.bones[0].shape.surface().0;
        let n = local.len();
        let mut kept = UnderSkin::default();
        let all = Extras { bones: true, ..Extras::default() };
        for turn in [Quat::IDENTITY, Quat::from_rotation_x(0.9)] {
            studio.apply(Edit::Turn(joint, turn));
            let model_from_joint = studio.live.model_from_joint()[joint];
            let surface = kept.surface(&studio, all);
            let Corners::Placed { places, normals, .. } = surface.corners else { panic!() };
            assert_eq!((places.len(), surface.colors.of.len()), (2 * n, 2 * n));
            for (place, own) in places.iter().zip(&local) {
                assert!(place.distance(model_from_joint.transform_point3(*own)) < 1e-6);
            }
            assert!(normals.iter().all(|normal| (normal.length() - 1.0).abs() < 1e-4));
        }
        let marked = Extras { marked_bone: Some(1), ..Extras::default() };
        let one = kept.surface(&studio, marked);
        let [r, g, b] = CHOSEN;
        assert!(one.colors.of.len() == n && one.colors.of.iter().all(|color| *color == [r, g, b, MARKED]));
        let both = kept.surface(&studio, Extras { bones: true, ..marked });
        assert!(both.colors.of[0] != both.colors.of[n], "and stands out of the others");
        let none = Extras { marked_bone: Some(7), ..Extras::default() };
        assert!(kept.surface(&studio, none).indices.of.is_empty(), "one that is gone is not drawn");
    }
}
