//! Parts: which body of a laboratory's model is which part of a person, told by its name.
//!
//! Names are those of the bones, in any spelling of the sides: `femur_r`, `r_humerus`, `ThighLeft`. A name that holds several
//! words counts by the first: `r_ulna_radius_hand` is a forearm.

use fusiform_fit::{Role, Side};
use fusiform_motion::model::{GROUND, Model};
use fusiform_motion::system::{Posture, System};
use glam::{DVec3, Vec3};

/// Words of a body's name.
const WORDS: [(&str, Role); 41] = [
    ("pelvis", Role::Hips),
    ("sacrum", Role::Hips),
    ("hips", Role::Hips),
    ("femur", Role::UpperLeg),
    ("thigh", Role::UpperLeg),
    ("upperleg", Role::UpperLeg),
    ("tibia", Role::LowerLeg),
    ("shank", Role::LowerLeg),
    ("shin", Role::LowerLeg),
    ("calf", Role::LowerLeg),
    ("lowerleg", Role::LowerLeg),
    ("fibula", Role::LowerLeg),
    ("talus", Role::Foot),
    ("calcn", Role::Foot),
    ("calcaneus", Role::Foot),
    ("hindfoot", Role::Foot),
    ("foot", Role::Foot),
    ("forefoot", Role::Toes),
    ("toe", Role::Toes),
    ("lumbar", Role::Spine),
    ("abdomen", Role::Spine),
    ("spine", Role::Spine),
    ("torso", Role::Chest),
    ("trunk", Role::Chest),
    ("thorax", Role::Chest),
    ("thoracic", Role::Chest),
    ("ribs", Role::Chest),
    ("chest", Role::Chest),
    ("neck", Role::Neck),
    ("cervical", Role::Neck),
    ("head", Role::Head),
    ("skull", Role::Head),
    ("clavicle", Role::Shoulder),
    ("scapula", Role::Shoulder),
    ("humerus", Role::UpperArm),
    ("upperarm", Role::UpperArm),
    ("ulna", Role::LowerArm),
    ("radius", Role::LowerArm),
    ("forearm", Role::LowerArm),
    ("lowerarm", Role::LowerArm),
    ("hand", Role::Hand),
];

/// A bone that rides along on another: it has the part, but neither begins nor turns it.
const RIDERS: [(&str, Role); 1] = [("patella", Role::LowerLeg)];

/// A part of a person; the side says nothing for those it has once.
pub(crate) type Part = (Role, Side);

/// Which body is which part.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parts {
    /// n_body, ground first: its part, if it is one.
    of_body: Vec<Option<Part>>,
    /// n_body: whether it only rides along.
    rides: Vec<bool>,
    /// n_body: where the body's joint sits on it, m.
    joint: Vec<DVec3>,
}

impl Parts {
    /// By the names of a model's bodies; a body without a word, welded to one that has a part, belongs to it.
    pub(crate) fn of(model: &Model, system: &System) -> Self {
        let n = system.n_body();
        let (mut of_body, mut rides, mut joint) = (vec![None; n], vec![false; n], vec![DVec3::ZERO; n]);
        for body in 1..n {
            let name = &system.names[body];
            let of = model.joints.iter().find(|joint| joint.child == *name);
            joint[body] = of.map_or(DVec3::ZERO, |joint| joint.frames[1].translation);
            let rider = named(name, &RIDERS);
            rides[body] = rider.is_some();
            of_body[body] = rider.or_else(|| named(name, &WORDS));
            if of_body[body].is_none() && system.axes_of(body).is_empty() && system.parent[body] != 0 {
                (of_body[body], rides[body]) = (of_body[system.parent[body]], true);
            }
        }
        Self { of_body, rides, joint }
    }

    /// The part of a body.
    pub(crate) fn part(&self, body: usize) -> Option<Part> {
        self.of_body.get(body).copied().flatten()
    }

    /// Bodies of a part, from the trunk outward.
    fn bodies(&self, part: Part) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (0..self.of_body.len()).filter(move |&body| self.of_body[body] == Some(part) && !self.rides[body])
    }

    /// The body whose joint begins a part: of talus and heel the talus.
    pub(crate) fn first(&self, part: Part) -> Option<usize> {
        self.bodies(part).next()
    }

    /// The body that turns with all of it: of talus and heel the heel.
    pub(crate) fn last(&self, part: Part) -> Option<usize> {
        self.bodies(part).next_back()
    }

    /// Every part that some body is.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Part> + '_ {
        let all = Role::ALL.into_iter().flat_map(|role| Side::BOTH.map(|side| (role, side)));
        all.filter(|part| self.first(*part).is_some())
    }

    /// Where the joint of a body is, m.
    pub(crate) fn joint_place(&self, posture: &Posture, body: usize) -> DVec3 {
        posture.frames[body].transform_point3(self.joint[body])
    }

    /// Where a part begins, m.
    pub(crate) fn place(&self, posture: &Posture, part: Part) -> Option<Vec3> {
        Some(self.joint_place(posture, self.first(part)?).as_vec3())
    }
}

/// The part that a name tells by its first word of those; a limb without a side is the right one, as laboratories model it.
fn named(name: &str, words: &[(&str, Role)]) -> Option<Part> {
    if name == GROUND {
        return None;
    }
    let mut side = None;
    let mut whole = String::new();
    for word in split(name) {
        match word.as_str() {
            "r" | "right" | "rt" => side = Some(Side::Right),
            "l" | "left" | "lt" => side = Some(Side::Left),
            _ => whole.push_str(&word),
        }
    }
    let found = words.iter().filter_map(|&(word, role)| Some((whole.find(word)?, word, role)));
    let (at, _, role) = found.min_by_key(|&(at, word, _)| (at, usize::MAX - word.len()))?;
    let glued = || match (at, whole.as_bytes().first()) {
        (1, Some(b'r')) => Some(Side::Right),
        (1, Some(b'l')) => Some(Side::Left),
        _ => None,
    };
    let side = if role.is_sided() { side.or_else(glued).unwrap_or(Side::Right) } else { Side::Left };
    Some((role, side))
}

/// Words of a name, in lower case: cut where letters, digits and signs change, and before a capital.
fn split(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in name.chars() {
        let kind = |c: char| (c.is_alphabetic(), c.is_ascii_digit());
        if kind(c) != kind(before) || (c.is_uppercase() && before.is_lowercase()) {
            words.push(String::new());
        }
        if let (Some(word), true) = (words.last_mut(), c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_known_in_every_spelling() {
        let known = [
            ("pelvis", Role::Hips, Side::Left),
            ("femur_r", Role::UpperLeg, Side::Right),
            ("ThighLeft", Role::UpperLeg, Side::Left),
            ("shankR", Role::LowerLeg, Side::Right),
            ("lfemur", Role::UpperLeg, Side::Left),
            ("talus_l", Role::Foot, Side::Left),
            ("calcn_l", Role::Foot, Side::Left),
            ("toes_r", Role::Toes, Side::Right),
            ("forefoot.l", Role::Toes, Side::Left),
            ("lumbar5", Role::Spine, Side::Left),
            ("torso", Role::Chest, Side::Left),
            ("head_neck", Role::Head, Side::Left),
            ("scapula", Role::Shoulder, Side::Right),
            ("r_humerus", Role::UpperArm, Side::Right),
            ("r_ulna_radius_hand", Role::LowerArm, Side::Right),
            ("left_upper_arm", Role::UpperArm, Side::Left),
            ("hand_l", Role::Hand, Side::Left),
        ];
        for (name, role, side) in known {
            assert_eq!(named(name, &WORDS), Some((role, side)), "{name}");
        }
        assert_eq!(named("ground", &WORDS), None);
        assert_eq!(named("base", &WORDS), None);
        assert_eq!(named("patella_r", &WORDS), None);
    }
}
