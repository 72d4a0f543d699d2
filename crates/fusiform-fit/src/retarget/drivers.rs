//! Which source joints turn which target joint, and the turns themselves.

use super::anatomy::{Anatomy, Chain};
use super::play::Played;
use super::{Rig, elbows};
use crate::{Role, Side};
use fusiform::Skeleton;
use glam::{Quat, Vec3};

/// Limbs from the body outward. A shoulder only follows what changes from rest: collar bones lie differently in every rig.
const ARM: [Role; 4] = [Role::Shoulder, Role::UpperArm, Role::LowerArm, Role::Hand];
const LEG: [Role; 4] = [Role::UpperLeg, Role::LowerLeg, Role::Foot, Role::Toes];

/// How one target joint gets its turn: between two source joints, after its bone was laid along the source's.
pub(super) struct Driver {
    /// Of the target.
    pub(super) joint: usize,
    /// Of the source; the same twice for a limb.
    from: [usize; 2],
    /// How much of the second.
    share: f32,
    /// Q: lays the target's bone at rest along the source's at rest.
    align: Quat,
}

/// The drivers of all joints that both bodies have, parents before children.
pub(super) fn drivers(source: &Rig, from: &Anatomy, played: &Played, target: &Rig, to: &Anatomy) -> Vec<Driver> {
    let mut drivers = Vec::new();
    shared_out(&from.trunk, &to.trunk, 0, &mut drivers);
    shared_out(&from.neck, &to.neck, 1, &mut drivers);
    let target_from_source = to.body * from.body.inverse();
    for side in Side::BOTH {
        for limb in [ARM, LEG] {
            // The arm down to the wrist is also turned about itself, until the elbows bend about one axis. The hand is not:
            // its palm looks where the source's does.
            let (mut align, mut hinged) = (Quat::IDENTITY, Quat::IDENTITY);
            for role in limb {
                let bones = (from.direction(source, role, side), to.direction(target, role, side));
                if let (Some(wanted), Some(own)) = bones {
                    // On from the bone before, so that a hinge unbends about its own axis.
                    let wanted = target_from_source * wanted;
                    align = arc(align * own, wanted) * align;
                    hinged = arc(hinged * own, wanted) * hinged;
                }
                if role == Role::UpperArm {
                    let wanted = elbows::source_hinge(source, from, side, played).map(|axis| target_from_source * axis);
                    hinged = about_itself(hinged, elbows::target_hinge(target, to, side), wanted) * hinged;
                }
                if let (Some(a), Some(joint)) = (source.roles.get(role, side), target.roles.get(role, side)) {
                    let bends = matches!(role, Role::UpperArm | Role::LowerArm);
                    drivers.push(Driver { joint, from: [a, a], share: 0.0, align: if bends { hinged } else { align } });
                }
            }
        }
    }
    // A joint that is both the trunk's and a limb's has been given its turn by the trunk.
    drivers.sort_by_key(|driver| driver.joint);
    drivers.dedup_by_key(|driver| driver.joint);
    drivers
}

/// Every joint of the target's chain, from `first` on, follows the place in the source's chain where it sits itself, so the
/// whole bend is the same however many joints share it.
fn shared_out(source: &Chain, target: &Chain, first: usize, drivers: &mut Vec<Driver>) {
    for (&joint, &knot) in target.joints.iter().zip(&target.knots).skip(first) {
        let (a, b, share) = source.around(knot);
        drivers.push(Driver { joint, from: [a, b], share, align: Quat::IDENTITY });
    }
}

/// The turn of an arm about itself that brings its elbow's axis to the wanted one. Axes more than a right angle apart are not
/// believed: no elbow bends backward.
fn about_itself(align: Quat, own: Option<Vec3>, wanted: Option<Vec3>) -> Quat {
    match (own.map(|axis| align * axis), wanted) {
        (Some(own), Some(wanted)) if own.dot(wanted) > 0.0 => arc(own, wanted),
        _ => Quat::IDENTITY,
    }
}

/// The shortest rotation from one unit direction to another, from half-angle vectors alone: no angle functions, same bits
/// everywhere.
fn arc(from: Vec3, to: Vec3) -> Quat {
    let half = from + to;
    if half.length_squared() < 1e-8 {
        let axis = from.any_orthonormal_vector();
        return Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
    }
    let half = half.normalize();
    let axis = from.cross(half);
    Quat::from_xyzw(axis.x, axis.y, axis.z, from.dot(half)).normalize()
}

/// Local turns of all target joints in all frames, n_frame * n_joint.
pub(super) fn turn(
    drivers: &[Driver],
    played: &Played,
    from: &Anatomy,
    skeleton: &Skeleton,
    to: &Anatomy,
) -> Vec<Quat> {
    let n = skeleton.joints.len();
    let target_from_source = to.body * from.body.inverse();
    let mut local = Vec::with_capacity(played.frames() * n);
    let mut model = vec![Quat::IDENTITY; n];
    for frame in 0..played.frames() {
        let now = played.turns(frame);
        let change =
            |joint: usize| target_from_source * now[joint] * from.turn[joint].inverse() * target_from_source.inverse();
        let mut drivers = drivers.iter().peekable();
        for (index, joint) in skeleton.joints.iter().enumerate() {
            let above = joint.parent.map_or(Quat::IDENTITY, |parent| model[parent]);
            model[index] = match drivers.next_if(|driver| driver.joint == index) {
                Some(driver) => {
                    between(change(driver.from[0]), change(driver.from[1]), driver.share)
                        * driver.align
                        * to.turn[index]
                }
                None => above * joint.rest.rotation,
            }
            .normalize();
            local.push((above.inverse() * model[index]).normalize());
        }
    }
    local
}

/// Between two rotations that are not far apart: a straight line, put back to unit length.
fn between(a: Quat, b: Quat, share: f32) -> Quat {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    (a * (1.0 - share) + b * share).normalize()
}
