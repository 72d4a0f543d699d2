//! Joint roles: which joint of a skeleton is the left forearm.
//!
//! ```text
//! names --words--> meaning, side, number --named--> roles by name --chains--> roles by count
//! bind pose ------structure, limbs----------------> roles by shape
//! all of them --judge--> Found: roles, how sure each is, warnings --apply(GivenRoles)--> what a person says
//! ```
//!
//! Names win where they speak, the tree's shape fills the rest. How sure a role is:
//!
//! | found by | confidence |
//! |---|---|
//! | a person, in a file of roles | 1.0 |
//! | its name, and the shape shows the same joint | 1.0 |
//! | its name, and the shape says nothing else | 0.9 |
//! | its place in a row of equal names, and the shape shows the same joint | 0.9 |
//! | its place in a row of equal names | 0.8 |
//! | the shape alone: hips, head, arms and legs | 0.7 |
//! | its name or count, but the shape shows a joint elsewhere, or four legs | 0.6 |
//! | the shape alone: vertebrae, neck, shoulders, toes, fingers | 0.5 |
//! | its name or count, but it does not hang where it should; or its left is the body's right | 0.4 |
//! | the shape alone, where nothing tells front from back: both sides may be swapped | 0.3 |

mod chains;
mod given;
mod judge;
mod limbs;
mod named;
mod structure;
mod tree;
mod words;

pub use given::{GivenError, GivenRoles};

use fusiform::Skeleton;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A part of the body that one joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The pelvis: parent of both legs and of the spine.
    Hips,
    /// The loins.
    Spine,
    /// The lower ribs.
    Chest,
    /// The upper ribs, between the shoulders.
    UpperChest,
    /// The neck's lowest joint.
    Neck,
    /// The skull.
    Head,
    /// Collar bone and shoulder blade.
    Shoulder,
    /// From the shoulder to the elbow.
    UpperArm,
    /// From the elbow to the wrist.
    LowerArm,
    /// From the wrist to the knuckles.
    Hand,
    /// All fingers but the thumb, by the middle one.
    Fingers,
    /// The thumb's first joint.
    Thumb,
    /// From the hip to the knee.
    UpperLeg,
    /// From the knee to the ankle.
    LowerLeg,
    /// From the ankle to the ball.
    Foot,
    /// From the ball on.
    Toes,
}

impl Role {
    /// Every role, from the hips outward.
    pub const ALL: [Self; 16] = [
        Self::Hips,
        Self::Spine,
        Self::Chest,
        Self::UpperChest,
        Self::Neck,
        Self::Head,
        Self::Shoulder,
        Self::UpperArm,
        Self::LowerArm,
        Self::Hand,
        Self::Fingers,
        Self::Thumb,
        Self::UpperLeg,
        Self::LowerLeg,
        Self::Foot,
        Self::Toes,
    ];

    /// Whether the body has one on each side.
    #[must_use]
    pub fn is_sided(self) -> bool {
        self >= Self::Shoulder
    }

    /// As templates and messages write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Hips => "hips",
            Self::Spine => "spine",
            Self::Chest => "chest",
            Self::UpperChest => "upper_chest",
            Self::Neck => "neck",
            Self::Head => "head",
            Self::Shoulder => "shoulder",
            Self::UpperArm => "upper_arm",
            Self::LowerArm => "lower_arm",
            Self::Hand => "hand",
            Self::Fingers => "fingers",
            Self::Thumb => "thumb",
            Self::UpperLeg => "upper_leg",
            Self::LowerLeg => "lower_leg",
            Self::Foot => "foot",
            Self::Toes => "toes",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The character's own left or right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// +X of a character that faces +Z.
    Left,
    /// -X.
    Right,
}

impl Side {
    /// Both, left first.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// What the names of this side's muscles end in.
    #[must_use]
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Left => ".l",
            Self::Right => ".r",
        }
    }

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// +1 on the left, -1 on the right: the sign of x.
    #[must_use]
    pub fn sign(self) -> f32 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }
}

/// A role, with its side where the body has two.
type Part = (Role, Option<Side>);

fn part(role: Role, side: Side) -> Part {
    (role, role.is_sided().then_some(side))
}

/// As people write it: `upper_arm.l`, `hips`.
fn written((role, side): Part) -> String {
    format!("{role}{}", side.map_or("", Side::suffix))
}

/// Which joint plays which role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    joints: BTreeMap<Part, usize>,
}

impl Roles {
    /// Roles by name and by shape, and how sure each is.
    #[must_use]
    pub fn find(skeleton: &Skeleton) -> Found {
        let labels = words::read(skeleton);
        let mut draft = named::name_all(skeleton, &labels);
        chains::count_all(skeleton, &labels, &mut draft);
        judge::judge(skeleton, &labels, draft, structure::find(skeleton, &labels))
    }

    /// The joint that plays that role; the side says nothing for the roles the body has once.
    #[must_use]
    pub fn get(&self, role: Role, side: Side) -> Option<usize> {
        self.joints.get(&part(role, side)).copied()
    }

    /// Whether enough of a human's limbs are known for a template of a human: hips, and six of arms and legs.
    #[must_use]
    pub fn is_humanoid(&self) -> bool {
        let limbs = [Role::UpperArm, Role::LowerArm, Role::UpperLeg, Role::LowerLeg];
        let found = limbs.iter().flat_map(|&role| Side::BOTH.map(|side| self.get(role, side))).flatten().count();
        self.get(Role::Hips, Side::Left).is_some() && found >= 6
    }

    /// Give that role to a joint; the side says nothing for the roles the body has once.
    pub fn set(&mut self, role: Role, side: Side, joint: usize) {
        self.joints.insert(part(role, side), joint);
    }

    /// The same with left and right exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let swapped = self.joints.iter().map(|(&(role, side), &joint)| ((role, side.map(Side::other)), joint));
        Self { joints: swapped.collect() }
    }

    /// Every role that some joint plays, with its side where it has one, from the hips outward.
    pub fn iter(&self) -> impl Iterator<Item = (Role, Option<Side>, usize)> + '_ {
        self.joints.iter().map(|(&(role, side), &joint)| (role, side, joint))
    }
}

/// What a role was found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// The joint's name.
    Named,
    /// The joint's place in a row of joints with one name.
    Counted,
    /// The shape of the tree of joints in the bind pose.
    Structure,
    /// A person.
    Given,
}

/// Why a joint has its role, and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// 0 ..= 1; the table at the head of this module says which is which.
    pub confidence: f32,
    /// What told it.
    pub how: How,
}

/// Roles, how sure each is, and what does not fit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Which joint plays which role.
    pub roles: Roles,
    /// What a person should look at.
    pub warnings: Vec<String>,
    evidence: BTreeMap<Part, Evidence>,
}

impl Found {
    /// Why some joint plays that role; the side says nothing for the roles the body has once.
    #[must_use]
    pub fn evidence(&self, role: Role, side: Side) -> Option<Evidence> {
        self.evidence.get(&part(role, side)).copied()
    }

    /// The joint's role and why; the first from the hips outward, should it play two.
    #[must_use]
    pub fn of_joint(&self, joint: usize) -> Option<(Role, Option<Side>, Evidence)> {
        let (role, side, _) = self.roles.iter().find(|&(_, _, other)| other == joint)?;
        Some((role, side, *self.evidence.get(&(role, side))?))
    }

    fn set(&mut self, part: Part, joint: usize, how: How, confidence: f32) {
        self.roles.joints.insert(part, joint);
        self.evidence.insert(part, Evidence { confidence, how });
    }

    fn remove(&mut self, part: Part) {
        self.roles.joints.remove(&part);
        self.evidence.remove(&part);
    }
}

/// Roles that are not judged yet.
#[derive(Clone, Debug, Default)]
struct Draft {
    joints: BTreeMap<Part, (usize, How)>,
}

impl Draft {
    fn get(&self, role: Role, side: Side) -> Option<usize> {
        self.joints.get(&part(role, side)).map(|&(joint, _)| joint)
    }

    fn how(&self, role: Role, side: Side) -> Option<How> {
        self.joints.get(&part(role, side)).map(|&(_, how)| how)
    }

    fn set(&mut self, role: Role, side: Side, joint: usize, how: How) {
        self.joints.insert(part(role, side), (joint, how));
    }

    fn remove(&mut self, role: Role, side: Side) {
        self.joints.remove(&part(role, side));
    }

    fn plays(&self, joint: usize) -> bool {
        self.joints.values().any(|&(other, _)| other == joint)
    }
}

#[cfg(test)]
mod tests;
