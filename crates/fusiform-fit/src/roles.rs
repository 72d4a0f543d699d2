//! Joint roles: which joint of a skeleton is the left forearm.
//!
//! For now by name alone. A name is cut into lower-case words (`mixamorig:LeftForeArm` is `left fore arm`), the words
//! that say the side are taken out, numbers and rig prefixes dropped, and what is left is looked up in [`NAMES`]. Where one
//! word names a whole limb (`arm_joint_L_1`, `_2`, `_3`), the order in the tree tells the rest.

mod chains;

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

    /// +1 on the left, -1 on the right: the sign of x.
    #[must_use]
    pub fn sign(self) -> f32 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }
}

/// Which joint plays which role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    joints: BTreeMap<(Role, Option<Side>), usize>,
}

impl Roles {
    /// Roles of the joints whose names are known; the others have none.
    #[must_use]
    pub fn from_names(skeleton: &Skeleton) -> Self {
        let mut roles = Self::default();
        let mut rank_of = BTreeMap::new();
        let mut trunk = Vec::new();
        for (joint, name) in skeleton.joints.iter().map(|joint| joint.name.as_str()).enumerate() {
            let (word, side) = split(name);
            if side.is_none() && TRUNK.contains(&word.as_str()) {
                trunk.push(joint);
            }
            let Some((rank, &(_, role))) = NAMES.iter().enumerate().find(|(_, (known, _))| *known == word) else {
                continue;
            };
            if role.is_sided() != side.is_some() {
                continue;
            }
            // The earlier line of the table wins, then the joint nearer the root.
            let best = rank_of.entry((role, side)).or_insert(usize::MAX);
            if rank < *best {
                *best = rank;
                roles.joints.insert((role, side), joint);
            }
        }
        roles.name_chains(skeleton, &mut trunk);
        roles.name_trunk(&trunk);
        roles
    }

    /// Numbered vertebrae say only their order: the lowest is the spine, the highest carries the shoulders.
    fn name_trunk(&mut self, trunk: &[usize]) {
        let Some((&lowest, rest)) = trunk.split_first() else { return };
        self.joints.entry((Role::Spine, None)).or_insert(lowest);
        if self.get(Role::Chest, Side::Left).is_some() {
            return;
        }
        let Some((&highest, between)) = rest.split_last() else { return };
        let middle = between.get(between.len() / 2).copied();
        self.joints.insert((Role::Chest, None), middle.unwrap_or(highest));
        if middle.is_some() {
            self.joints.entry((Role::UpperChest, None)).or_insert(highest);
        }
    }

    /// The joint that plays that role; the side says nothing for the roles the body has once.
    #[must_use]
    pub fn get(&self, role: Role, side: Side) -> Option<usize> {
        self.joints.get(&(role, role.is_sided().then_some(side))).copied()
    }

    /// Give that role to a joint; the side says nothing for the roles the body has once.
    pub fn set(&mut self, role: Role, side: Side, joint: usize) {
        self.joints.insert((role, role.is_sided().then_some(side)), joint);
    }

    /// Every role that some joint plays, with its side where it has one, from the hips outward.
    pub fn iter(&self) -> impl Iterator<Item = (Role, Option<Side>, usize)> + '_ {
        self.joints.iter().map(|(&(role, side), &joint)| (role, side, joint))
    }
}

/// Joints of the trunk that rigs number from below instead of naming.
const TRUNK: [&str; 4] = ["lowerback", "spine", "abdomen", "torso"];

/// A joint's words, joined, and the role they mean. Where two joints of a skeleton fit one role, the earlier line wins.
const NAMES: [(&str, Role); 55] = [
    ("hips", Role::Hips),
    ("pelvis", Role::Hips),
    ("hip", Role::Hips),
    ("chest", Role::Chest),
    ("ribcage", Role::Chest),
    ("upperchest", Role::UpperChest),
    ("neck", Role::Neck),
    ("head", Role::Head),
    ("clavicle", Role::Shoulder),
    ("shoulder", Role::Shoulder),
    ("collar", Role::Shoulder),
    ("collarbone", Role::Shoulder),
    ("scapula", Role::Shoulder),
    ("upperarm", Role::UpperArm),
    ("uparm", Role::UpperArm),
    ("armupper", Role::UpperArm),
    ("arm", Role::UpperArm),
    ("lowerarm", Role::LowerArm),
    ("loarm", Role::LowerArm),
    ("armlower", Role::LowerArm),
    ("forearm", Role::LowerArm),
    ("elbow", Role::LowerArm),
    ("wrist", Role::Hand),
    ("hand", Role::Hand),
    ("middle", Role::Fingers),
    ("handmiddle", Role::Fingers),
    ("middleproximal", Role::Fingers),
    ("fmiddle", Role::Fingers),
    ("fingers", Role::Fingers),
    ("finger", Role::Fingers),
    ("fingerbase", Role::Fingers),
    ("index", Role::Fingers),
    ("handindex", Role::Fingers),
    ("indexproximal", Role::Fingers),
    ("thumb", Role::Thumb),
    ("handthumb", Role::Thumb),
    ("thumbproximal", Role::Thumb),
    ("thumbmetacarpal", Role::Thumb),
    ("upperleg", Role::UpperLeg),
    ("upleg", Role::UpperLeg),
    ("legupper", Role::UpperLeg),
    ("thigh", Role::UpperLeg),
    ("lowerleg", Role::LowerLeg),
    ("loleg", Role::LowerLeg),
    ("leglower", Role::LowerLeg),
    ("shin", Role::LowerLeg),
    ("calf", Role::LowerLeg),
    ("knee", Role::LowerLeg),
    ("leg", Role::LowerLeg),
    ("ankle", Role::Foot),
    ("foot", Role::Foot),
    ("toes", Role::Toes),
    ("toebase", Role::Toes),
    ("toe", Role::Toes),
    ("ball", Role::Toes),
];

/// Words that say which rig made the joint, not what it is.
const RIG_WORDS: [&str; 9] = ["mixamorig", "bip", "def", "j", "c", "rig", "jnt", "joint", "skeleton"];

/// What a joint's name means: its words without side, number and rig, joined; and its side.
fn split(name: &str) -> (String, Option<Side>) {
    let name = name.rsplit([':', '|', '/']).next().unwrap_or(name);
    let mut side = None;
    let mut meaning = String::new();
    for word in words(name) {
        match word.as_str() {
            "left" | "l" | "lft" => side = side.or(Some(Side::Left)),
            "right" | "r" | "rgt" => side = side.or(Some(Side::Right)),
            rig if RIG_WORDS.contains(&rig) => {}
            _ => meaning.push_str(&word),
        }
    }
    (meaning, side)
}

/// Lower-case words of a name in any spelling: `LThumb`, `upper_arm.l`, `LeftForeArm`, `spine_01`. Numbers are dropped.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (i, &letter) in letters.iter().enumerate() {
        let after_small = i > 0 && letters[i - 1].is_lowercase();
        let before_small = letters.get(i + 1).is_some_and(|next| next.is_lowercase());
        if !letter.is_alphabetic() || (letter.is_uppercase() && (after_small || before_small)) {
            words.push(String::new());
        }
        if let (true, Some(word)) = (letter.is_alphabetic(), words.last_mut()) {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    // `leftarm` and `armleft` without any separator
    words.iter().flat_map(|word| unglue(word)).collect()
}

/// A side glued to a word in small letters, as in `leftarm`, made a word of its own.
fn unglue(word: &str) -> Vec<String> {
    for side in ["left", "right"] {
        if let Some(rest) = word.strip_prefix(side).or_else(|| word.strip_suffix(side)) {
            return [side, rest].iter().filter(|part| !part.is_empty()).map(|part| (*part).to_owned()).collect();
        }
    }
    vec![word.to_owned()]
}

#[cfg(test)]
mod tests;
