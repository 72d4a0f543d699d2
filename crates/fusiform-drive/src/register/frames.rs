//! Frames of parts: where a point on a bone of the model lies on the same bone of the character.

use super::flesh::Corner;
use crate::parts::{Part, Parts};
use fusiform::Skeleton;
use fusiform_fit::{Facing, Role, Roles, Side};
use fusiform_motion::system::Posture;
use glam::{DVec3, Mat3, Vec3};

/// Frames of every part that both have.
pub(super) struct Frames {
    maps: Vec<Option<Map>>, // n_body
}

/// From a body's points to the character's.
#[derive(Clone)]
struct Map {
    part: Part,
    own: Frame,
    other: Frame,
    /// Along the frame's axes.
    scale: Vec3,
    /// Joints that may carry points, with their height along the frame's first axis; the highest below a point does.
    joints: Vec<(usize, f32)>,
}

/// Columns: along the part, the way it faces, across both.
#[derive(Clone, Copy)]
struct Frame {
    origin: Vec3,
    axes: Mat3,
}

impl Frame {
    fn new(origin: Vec3, along: Vec3, faces: Vec3) -> Option<Self> {
        let along = along.try_normalize()?;
        let faces = faces.reject_from_normalized(along).try_normalize()?;
        Some(Self { origin, axes: Mat3::from_cols(along, faces, along.cross(faces)) })
    }
}

impl Map {
    fn carry(&self, place: Vec3) -> Vec3 {
        let local = self.own.axes.transpose() * (place - self.own.origin);
        self.other.origin + self.other.axes * (local * self.scale)
    }
}

/// One of the two bodies by its parts.
struct View<'a> {
    place: &'a dyn Fn(Part) -> Option<Vec3>,
    /// Up and front of a part: the model's bones have their own, the character's that of the whole.
    axes: &'a dyn Fn(Part) -> [Vec3; 2],
}

impl View<'_> {
    /// Begin and way to the next joint.
    fn bone(&self, (role, side): Part) -> Option<[Vec3; 2]> {
        let next = match role {
            Role::UpperLeg => Role::LowerLeg,
            Role::LowerLeg => Role::Foot,
            Role::Foot => Role::Toes,
            Role::UpperArm => Role::LowerArm,
            Role::LowerArm => Role::Hand,
            _ => return None,
        };
        let from = (self.place)((role, side))?;
        let way = (self.place)((next, side))? - from;
        (way.length() > 1e-4).then_some([from, way])
    }

    fn middle(&self, role: Role) -> Option<Vec3> {
        Some((self.place)((role, Side::Left))?.midpoint((self.place)((role, Side::Right))?))
    }

    fn apart(&self, role: Role) -> Option<f32> {
        Some((self.place)((role, Side::Left))?.distance((self.place)((role, Side::Right))?))
    }

    /// Along a limb: to the next joint; where there is none, as its bone hangs or its foot goes.
    fn frame(&self, part: Part) -> Option<Frame> {
        let [up, front] = (self.axes)(part);
        let origin = (self.place)(part)?;
        let bone = self.bone(part).map(|[_, way]| way);
        match part.0 {
            Role::Foot | Role::Toes => Frame::new(origin, bone.unwrap_or(front), up),
            Role::UpperLeg | Role::LowerLeg | Role::UpperArm | Role::LowerArm | Role::Hand => {
                Frame::new(origin, bone.unwrap_or(-up), front)
            }
            _ => Frame::new(origin, up, front),
        }
    }
}

impl Frames {
    /// Of a model in a posture and a character in its bind pose; none where nobody knows which way the character faces.
    pub(super) fn new(parts: &Parts, posture: &Posture, skeleton: &Skeleton, roles: &Roles) -> Option<Self> {
        let facing = Facing::find(skeleton, roles)?;
        let roles = if facing.mirrored { &roles.mirrored() } else { roles };
        let at = |joint: usize| Vec3::from(skeleton.joints[joint].bind.translation);
        let bone_axes = |part: Part| {
            let frame = parts.last(part).map_or(glam::DMat3::IDENTITY, |body| posture.frames[body].matrix3);
            [frame.y_axis.as_vec3(), frame.x_axis.as_vec3()]
        };
        let own = View { place: &|part| parts.place(posture, part), axes: &bone_axes };
        let place = |(role, side): Part| roles.get(role, side).map(at);
        let other = View { place: &place, axes: &|_| [facing.up, facing.front] };
        let joints = |wanted: &[Role], side: Side| -> Vec<usize> {
            wanted.iter().filter_map(|&role| roles.get(role, side)).collect()
        };
        let both = Both { own, other };
        let map = |body: usize| -> Option<Map> {
            let map = match parts.part(body) {
                Some(part) => both.map(part),
                // what carries arms and has no name: the trunk of a model that has no more of it
                None => Side::BOTH.into_iter().find_map(|side| both.about_shoulder((Role::Shoulder, side))),
            };
            let mut map = map?;
            let (role, side) = map.part;
            let carriers = match role {
                Role::Chest | Role::Spine => joints(&[Role::Spine, Role::Chest, Role::UpperChest], side),
                Role::Shoulder => {
                    let any = [Role::Shoulder, Role::UpperChest, Role::Chest, Role::Spine];
                    joints(&any, side).into_iter().take(1).collect()
                }
                role => joints(&[role], side),
            };
            let height = |joint: usize| (at(joint) - map.other.origin).dot(map.other.axes.x_axis);
            map.joints = carriers.into_iter().map(|joint| (joint, height(joint))).collect();
            (!map.joints.is_empty()).then_some(map)
        };
        Some(Self { maps: (0..posture.frames.len()).map(map).collect() })
    }

    /// Whether a body has a place in the character.
    pub(super) fn knows(&self, body: usize) -> bool {
        self.maps[body].is_some()
    }

    /// The side of a body's part, where it has one.
    pub(super) fn side(&self, body: usize) -> Option<Side> {
        let (role, side) = self.maps[body].as_ref()?.part;
        role.is_sided().then_some(side)
    }

    /// Where a place on a body, in ground, is on the character.
    pub(super) fn carry(&self, body: usize, place: DVec3) -> Option<Corner> {
        let map = self.maps[body].as_ref()?;
        let place = map.carry(place.as_vec3());
        let height = (place - map.other.origin).dot(map.other.axes.x_axis);
        let below = map.joints.iter().rev().find(|&&(_, at)| at <= height);
        Some(Corner { joint: below.unwrap_or(&map.joints[0]).0, place })
    }
}

/// The model and the character.
struct Both<'a> {
    own: View<'a>,
    other: View<'a>,
}

impl Both<'_> {
    /// Longer there than here.
    fn ratio(&self, of: impl Fn(&View) -> Option<f32>) -> Option<f32> {
        Some(of(&self.other)? / of(&self.own)?).filter(|ratio| ratio.is_finite() && *ratio > 0.0)
    }

    fn bones(&self, bones: &[Role], sides: &[Side]) -> Option<f32> {
        let length = |view: &View| {
            let one = |part: Part| Some(view.bone(part)?[1].length());
            let all: Option<Vec<f32>> =
                sides.iter().flat_map(|&side| bones.iter().map(move |&role| one((role, side)))).collect();
            all.map(|all| all.into_iter().sum())
        };
        self.ratio(length)
    }

    /// Of the whole: by the legs, or by an arm.
    fn size(&self) -> f32 {
        let legs = self.bones(&[Role::UpperLeg, Role::LowerLeg], &Side::BOTH);
        let arm = || Side::BOTH.into_iter().find_map(|side| self.bones(&[Role::UpperArm], &[side]));
        legs.or_else(arm).unwrap_or(1.0)
    }

    fn map(&self, part: Part) -> Option<Map> {
        let (role, side) = part;
        match role {
            Role::Hips => self.hips(),
            Role::Chest | Role::Spine => self.trunk(part),
            Role::Shoulder => self.about_shoulder(part),
            _ => {
                let before = match role {
                    Role::Toes => vec![Role::Foot],
                    Role::LowerArm => vec![Role::UpperArm],
                    Role::Hand => vec![Role::UpperArm],
                    _ => vec![Role::UpperLeg, Role::LowerLeg],
                };
                let (own, mut other) = (self.own.frame(part)?, self.other.frame(part)?);
                if role == Role::Toes {
                    // toes go on as the foot does: some rigs bend them, and few say where they end
                    let [up, front] = (self.other.axes)(part);
                    other = Frame::new(other.origin, front, up)?;
                }
                let scale = self.bones(&[role], &[side]).or_else(|| self.bones(&before, &[side]));
                let scale = Vec3::splat(scale.unwrap_or_else(|| self.size()));
                Some(Map { part, own, other, scale, joints: Vec::new() })
            }
        }
    }

    /// From the middle between the hip joints: as much wider as they are farther apart.
    fn hips(&self) -> Option<Map> {
        let part = (Role::Hips, Side::Left);
        let frame = |view: &View| {
            let [up, front] = (view.axes)(part);
            Frame::new(view.middle(Role::UpperLeg)?, up, front)
        };
        let size = self.size();
        let wider = self.ratio(|view| view.apart(Role::UpperLeg)).unwrap_or(size);
        let (own, other) = (frame(&self.own)?, frame(&self.other)?);
        Some(Map { part, own, other, scale: Vec3::new(size, size, wider), joints: Vec::new() })
    }

    /// On from where the hips carry its joint; without hips about a shoulder.
    fn trunk(&self, part: Part) -> Option<Map> {
        let Some(hips) = self.hips() else {
            return Side::BOTH.into_iter().find_map(|side| self.about_shoulder((Role::Shoulder, side)));
        };
        let [up, front] = (self.own.axes)(part);
        let own = Frame::new((self.own.place)(part)?, up, front)?;
        let other = Frame { origin: hips.carry(own.origin), ..hips.other };
        let top = |view: &View| view.middle(Role::UpperArm).or_else(|| (view.place)((Role::Neck, Side::Left)));
        let height = |top: Vec3, frame: &Frame| (top - frame.origin).dot(frame.axes.x_axis);
        let taller = top(&self.own).zip(top(&self.other)).map(|(a, b)| height(b, &other) / height(a, &own));
        let size = hips.scale.x;
        let scale = Vec3::new(taller.filter(|ratio| (0.3..3.0).contains(ratio)).unwrap_or(size), size, hips.scale.z);
        Some(Map { part, own, other, scale, joints: Vec::new() })
    }

    /// What an arm hangs on, from where it does.
    fn about_shoulder(&self, part: Part) -> Option<Map> {
        let side = part.1;
        let arm = (Role::UpperArm, side);
        let frame = |view: &View, axes: [Vec3; 2]| Frame::new((view.place)(arm)?, axes[0], axes[1]);
        // a model's ground has the axes of its laboratory: y up, x ahead
        let own = frame(&self.own, [Vec3::Y, Vec3::X])?;
        let other = frame(&self.other, (self.other.axes)(arm))?;
        let scale = Vec3::splat(self.bones(&[Role::UpperArm], &[side]).unwrap_or_else(|| self.size()));
        Some(Map { part, own, other, scale, joints: Vec::new() })
    }
}
