//! Rigs that call a whole limb by one word and count its joints: the tree says which is which, numbers do not (some count
//! from the hand).

use super::{Role, Roles, Side, split};
use fusiform::Skeleton;

impl Roles {
    /// Name what only its place in a row of equal names tells; `trunk` loses the joint that turns out to be the hips.
    pub(super) fn name_chains(&mut self, skeleton: &Skeleton, trunk: &mut Vec<usize>) {
        for side in Side::BOTH {
            let arm = row(skeleton, "arm", Some(side));
            let leg = row(skeleton, "leg", Some(side));
            let arm_roles = [Role::Shoulder, Role::UpperArm, Role::LowerArm, Role::Hand];
            if self.get(Role::LowerArm, side).is_none() && arm.len() >= 3 {
                self.give(&arm_roles[arm_roles.len().saturating_sub(arm.len())..], side, &arm);
            }
            if self.get(Role::UpperLeg, side).is_none() && leg.len() >= 3 {
                self.give(&[Role::UpperLeg, Role::LowerLeg, Role::Foot, Role::Toes], side, &leg);
            }
        }
        let neck = row(skeleton, "neck", None);
        if self.get(Role::Head, Side::Left).is_none() && neck.len() >= 2 {
            self.set(Role::Head, Side::Left, neck[neck.len() - 1]);
        }
        self.name_hips(skeleton, trunk);
    }

    /// Without a name for the hips, the lowest joint of a counted trunk is it when both legs hang there.
    fn name_hips(&mut self, skeleton: &Skeleton, trunk: &mut Vec<usize>) {
        let legs = Side::BOTH.map(|side| self.get(Role::UpperLeg, side).and_then(|leg| skeleton.joints[leg].parent));
        let Some(&lowest) = trunk.first() else { return };
        if self.get(Role::Hips, Side::Left).is_none() && legs == [Some(lowest); 2] {
            self.set(Role::Hips, Side::Left, lowest);
            trunk.remove(0);
        }
    }

    fn give(&mut self, roles: &[Role], side: Side, joints: &[usize]) {
        for (&role, &joint) in roles.iter().zip(joints) {
            self.set(role, side, joint);
        }
    }
}

/// The joints of that name, each hanging on the one before, from the first such joint on.
fn row(skeleton: &Skeleton, word: &str, side: Option<Side>) -> Vec<usize> {
    let mut row: Vec<usize> = Vec::new();
    for (joint, it) in skeleton.joints.iter().enumerate() {
        let follows = row.is_empty() || it.parent == row.last().copied();
        if follows && split(&it.name) == (word.to_owned(), side) {
            row.push(joint);
        }
    }
    row
}
