//! What a joint's name says: its words, its side, its number, and whether it is a joint of the body at all.

use super::Side;
use super::named::is_body_word;
use fusiform::Skeleton;
use std::collections::BTreeMap;

/// A joint's name, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Label {
    /// Its words without side, number and rig, joined: `mixamorig:LeftForeArm` means `forearm`.
    pub(super) meaning: String,
    pub(super) side: Option<Side>,
    /// The digits after its first word, as they are written: of `finger2-1.L`, "21".
    pub(super) digits: String,
    /// A control, a twist, an end, hair, cloth: moved with the body, no part of it.
    pub(super) helper: bool,
    /// Blender's `ORG-`: a copy of the joint that its `DEF-` twin moves.
    pub(super) copy: bool,
}

/// Words that say which rig made the joint, not what it is.
const RIG_WORDS: [&str; 12] =
    ["mixamorig", "bip", "biped", "def", "j", "c", "x", "rig", "jnt", "joint", "skeleton", "armature"];

/// A joint with one of these words is no part of the body that a role could mean.
const HELPER_WORDS: [&str; 44] = [
    "ik",
    "fk",
    "mch",
    "ctrl",
    "control",
    "controller",
    "pole",
    "target",
    "twist",
    "roll",
    "end",
    "nub",
    "tip",
    "top",
    "effector",
    "helper",
    "tweak",
    "slot",
    "socket",
    "weapon",
    "prop",
    "attach",
    "corrective",
    "sec",
    "adj",
    "eye",
    "eyes",
    "jaw",
    "hair",
    "skirt",
    "cloth",
    "cape",
    "coat",
    "dress",
    "breast",
    "bust",
    "pectoral",
    "tail",
    "ear",
    "wing",
    "tongue",
    "teeth",
    "ponytail",
    "share",
];

/// Every joint's name, read.
pub(super) fn read(skeleton: &Skeleton) -> Vec<Label> {
    let mut words: Vec<Vec<String>> = skeleton.joints.iter().map(|joint| words(own_name(&joint.name))).collect();
    drop_common_prefix(&mut words);
    let digits = skeleton.joints.iter().map(|joint| digits(own_name(&joint.name)));
    words.iter().zip(digits).map(|(words, digits)| label(words, digits)).collect()
}

/// Without name space and path: `Armature|mixamorig:Hips` is `Hips`.
fn own_name(name: &str) -> &str {
    name.rsplit([':', '|', '/']).next().unwrap_or(name)
}

fn label(words: &[String], digits: String) -> Label {
    let mut label = Label { digits, ..Label::default() };
    for word in words {
        match side_of(word) {
            Some(side) => label.side = label.side.or(Some(side)),
            None if RIG_WORDS.contains(&word.as_str()) => {}
            None if word == "org" => label.copy = true,
            None => {
                label.helper |= HELPER_WORDS.contains(&word.as_str());
                label.meaning.push_str(word);
            }
        }
    }
    if label.side.is_none() && !is_body_word(&label.meaning) {
        unglue_letter(&mut label);
    }
    label
}

fn side_of(word: &str) -> Option<Side> {
    match word {
        "left" | "l" | "lft" | "lt" => Some(Side::Left),
        "right" | "r" | "rgt" | "rt" => Some(Side::Right),
        _ => None,
    }
}

/// `rhand` and `upperarml`: a letter for the side glued to a word that is known without it.
fn unglue_letter(label: &mut Label) {
    for (letter, side) in [('l', Side::Left), ('r', Side::Right)] {
        let ends = [label.meaning.strip_prefix(letter), label.meaning.strip_suffix(letter)];
        let known = ends.into_iter().flatten().find(|rest| is_body_word(rest)).map(str::to_owned);
        if let Some(rest) = known {
            label.meaning = rest;
            label.side = Some(side);
            return;
        }
    }
}

/// Take away the first word of names while most of them share it (`CC_Base_L_Thigh`); a part of the body stays.
fn drop_common_prefix(names: &mut [Vec<String>]) {
    const FEWEST: usize = 6;
    loop {
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        for first in names.iter().filter_map(|words| words.first()) {
            *count.entry(first).or_default() += 1;
        }
        let Some((word, times)) = count.into_iter().max_by_key(|&(_, times)| times) else { return };
        let telling = is_body_word(word) || side_of(word).is_some() || HELPER_WORDS.contains(&word) || word == "org";
        if times < FEWEST || times * 2 <= names.len() || telling {
            return;
        }
        let word = word.to_owned();
        for words in names.iter_mut().filter(|words| words.first() == Some(&word)) {
            words.remove(0);
        }
    }
}

/// The digits after the first letter and a rig's own number (`Bip01`), joined.
fn digits(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let own =
        lower.strip_prefix("bip").map_or(lower.as_str(), |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    own.chars().skip_while(|letter| !letter.is_alphabetic()).filter(char::is_ascii_digit).collect()
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
    words.iter().flat_map(|word| unglue_word(word)).collect()
}

/// A side glued to a word in small letters, as in `leftarm`, made a word of its own.
fn unglue_word(word: &str) -> Vec<String> {
    for side in ["left", "right"] {
        if let Some(rest) = word.strip_prefix(side).or_else(|| word.strip_suffix(side)) {
            return [side, rest].iter().filter(|part| !part.is_empty()).map(|part| (*part).to_owned()).collect();
        }
    }
    vec![word.to_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::Transform;

    fn read_one(name: &str) -> Label {
        read(&Skeleton::from_rest(&[(name, None, Transform::IDENTITY)])).remove(0)
    }

    #[test]
    fn a_side_is_read_in_every_spelling() {
        for name in [
            "L_Arm",
            "Arm_L",
            "arm.L",
            "arm-L",
            "Arm (L)",
            "LeftArm",
            "leftArm",
            "leftarm",
            "arm_lft",
            "lArm",
            "Arm_l",
            "Arm.Left",
            "Left arm",
            "armL",
            "arml",
            "larm",
            "arm.l.001",
            "Bip01 L Arm",
            "lt_arm",
        ] {
            let label = read_one(name);
            assert_eq!((label.meaning.as_str(), label.side), ("arm", Some(Side::Left)), "{name}");
        }
        assert_eq!(read_one("lowerarm").side, None);
        assert_eq!(read_one("rForearmBend").side, Some(Side::Right));
    }

    #[test]
    fn a_word_most_names_begin_with_is_the_rigs_and_no_part_of_the_body() {
        let names =
            ["Hip", "Waist", "L_Thigh", "R_Thigh", "L_Calf", "R_Calf", "Head"].map(|it| format!("CC_Base_{it}"));
        let joints: Vec<_> = names.iter().map(|name| (name.as_str(), None, Transform::IDENTITY)).collect();
        let meanings: Vec<String> = read(&Skeleton::from_rest(&joints)).into_iter().map(|it| it.meaning).collect();
        assert_eq!(meanings, ["hip", "waist", "thigh", "thigh", "calf", "calf", "head"]);
    }

    #[test]
    fn digits_leave_out_the_rigs_own() {
        assert_eq!(read_one("Bip01 L Finger02").digits, "02");
        assert_eq!(read_one("finger2-1.L").digits, "21");
        assert_eq!(read_one("DEF-spine.006").digits, "006");
    }

    #[test]
    fn controls_hair_and_ends_are_helpers() {
        for name in ["ik_foot_l", "kneeIK.l", "upperarm_twist_01_l", "J_Sec_Hair1_01", "HeadTop_End", "MCH-spine"] {
            assert!(read_one(name).helper, "{name}");
        }
        assert!(!read_one("mixamorig:LeftForeArm").helper);
    }
}
