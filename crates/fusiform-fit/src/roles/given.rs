//! Roles that a person gives, in a file.
//!
//! ```
//! use fusiform::{Skeleton, Transform};
//! use fusiform_fit::{GivenRoles, Role, Roles, Side};
//!
//! let joints = ["bone_1", "bone_2"].map(|name| (name, None, Transform::IDENTITY));
//! let skeleton = Skeleton::from_rest(&joints);
//! let given = GivenRoles::parse(r#"
//! hips = "bone_1"
//! upper_arm.l = "bone_2"      # or "upper_arm.l" = "bone_2"
//! upper_arm.r = ""            # no joint plays it
//! "#)?;
//! let mut found = Roles::find(&skeleton);
//! found.apply(&given, &skeleton)?;
//! assert_eq!(found.roles.get(Role::UpperArm, Side::Left), Some(1));
//! # Ok::<(), fusiform_fit::GivenError>(())
//! ```

use super::{Found, How, Part, Role, Side, part, written};
use fusiform::Skeleton;
use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// How many joints a message names.
const NEAREST: usize = 3;

/// What a file of roles says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenRoles {
    /// A joint's name, or nothing where no joint is to play the role; and the line.
    joints: BTreeMap<Part, (String, usize)>,
}

/// Why a file of roles cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GivenError {
    /// Not TOML.
    #[error("the roles are no TOML: {message}")]
    Toml {
        /// What the parser says, with the line.
        message: String,
    },
    /// No such role.
    #[error("line {line}: there is no role '{key}'; roles are {}", role_list())]
    NoRole {
        /// Where.
        line: usize,
        /// As written.
        key: String,
    },
    /// Not the name of a joint.
    #[error("line {line}: {key} wants a joint's name in quotes, or \"\" for no joint")]
    NotAName {
        /// Where.
        line: usize,
        /// As written.
        key: String,
    },
    /// The skeleton lacks the joint.
    #[error("line {line}: there is no joint '{joint}' to be {role}; the nearest names are {nearest}")]
    NoJoint {
        /// Where.
        line: usize,
        /// The role it was to play.
        role: String,
        /// As written.
        joint: String,
        /// Joints whose names are spelled most alike.
        nearest: String,
    },
    /// One joint, two roles.
    #[error(
        "line {line}: '{joint}' is to be {role}, but line {other_line} makes it {other_role}; a joint plays one role"
    )]
    Twice {
        /// Where.
        line: usize,
        /// The joint.
        joint: String,
        /// Its second role.
        role: String,
        /// Where it got the first.
        other_line: usize,
        /// Its first role.
        other_role: String,
    },
    /// One role, two joints.
    #[error("line {line}: {role} was given in line {other_line} already")]
    Again {
        /// Where.
        line: usize,
        /// The role.
        role: String,
        /// Where it was given first.
        other_line: usize,
    },
}

impl GivenRoles {
    /// Read a file of roles: `upper_arm.l = "joint name"`, one a line.
    ///
    /// # Errors
    /// What is no TOML, no role, or no name; with its line.
    pub fn parse(text: &str) -> Result<Self, GivenError> {
        let line = |at: usize| 1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count();
        let table = DeTable::parse(text).map_err(|error| GivenError::Toml { message: error.to_string() })?;
        let mut given = Self::default();
        for (key, value) in table.get_ref() {
            let key_line = line(key.span().start);
            if let DeValue::Table(sides) = value.get_ref() {
                for (side, value) in sides {
                    let key = format!("{}.{}", key.get_ref(), side.get_ref());
                    given.add(key, value, line(side.span().start))?;
                }
            } else {
                given.add(key.get_ref().to_string(), value, key_line)?;
            }
        }
        Ok(given)
    }

    fn add(&mut self, key: String, value: &Spanned<DeValue>, line: usize) -> Result<(), GivenError> {
        let Some(part) = read_part(&key) else { return Err(GivenError::NoRole { line, key }) };
        let Some(joint) = value.get_ref().as_str() else { return Err(GivenError::NotAName { line, key }) };
        if let Some(&(_, other_line)) = self.joints.get(&part) {
            let (line, other_line) = (line.max(other_line), line.min(other_line));
            return Err(GivenError::Again { line, role: written(part), other_line });
        }
        self.joints.insert(part, (joint.to_owned(), line));
        Ok(())
    }
}

/// `upper_arm.l`, `hips`.
fn read_part(key: &str) -> Option<Part> {
    let (name, side) = match key.split_once('.') {
        Some((name, "l" | "left")) => (name, Some(Side::Left)),
        Some((name, "r" | "right")) => (name, Some(Side::Right)),
        Some(_) => return None,
        None => (key, None),
    };
    let role = Role::ALL.into_iter().find(|role| role.name() == name)?;
    (role.is_sided() == side.is_some()).then(|| part(role, side.unwrap_or(Side::Left)))
}

fn role_list() -> String {
    let name = |role: Role| if role.is_sided() { format!("{role}.l, {role}.r") } else { role.to_string() };
    Role::ALL.map(name).join(", ")
}

impl Found {
    /// Put what a person says over what was found. A joint that is given a role loses the one it was found to play.
    ///
    /// # Errors
    /// A joint the skeleton lacks, or one with two roles; nothing is changed then.
    pub fn apply(&mut self, given: &GivenRoles, skeleton: &Skeleton) -> Result<(), GivenError> {
        let mut joints: BTreeMap<usize, (Part, usize)> = BTreeMap::new();
        for (&part, (joint, line)) in given.joints.iter().filter(|(_, (joint, _))| !joint.is_empty()) {
            let (line, role) = (*line, written(part));
            let Some(index) = skeleton.find(joint) else {
                let nearest = nearest(skeleton, joint);
                return Err(GivenError::NoJoint { line, role, joint: joint.clone(), nearest });
            };
            if let Some((other, other_line)) = joints.insert(index, (part, line)) {
                let other_role = written(other);
                return Err(GivenError::Twice { line, joint: joint.clone(), role, other_line, other_role });
            }
        }
        let lost: Vec<Part> =
            self.roles.joints.iter().filter(|(_, joint)| joints.contains_key(joint)).map(|(&part, _)| part).collect();
        lost.into_iter().chain(given.joints.keys().copied()).for_each(|part| self.remove(part));
        for (joint, (part, _)) in joints {
            self.set(part, joint, How::Given, 1.0);
        }
        Ok(())
    }
}

impl Found {
    /// Give that role to a joint, or to none, as a person says; the side says nothing for the roles the body has once. A joint
    /// that is given a role loses the one it played.
    pub fn give(&mut self, role: Role, side: Side, joint: Option<usize>) {
        let part = part(role, side);
        let played = self.roles.joints.iter().filter(|(_, other)| Some(**other) == joint);
        let lost: Vec<Part> = played.map(|(&part, _)| part).collect();
        lost.into_iter().chain([part]).for_each(|part| self.remove(part));
        if let Some(joint) = joint {
            self.set(part, joint, How::Given, 1.0);
        }
    }
}

/// The joints whose names are spelled most alike, quoted.
fn nearest(skeleton: &Skeleton, name: &str) -> String {
    let wanted: Vec<char> = name.to_lowercase().chars().collect();
    let mut names: Vec<(usize, &str)> = skeleton
        .joints
        .iter()
        .map(|joint| (edits(&wanted, &joint.name.to_lowercase().chars().collect::<Vec<char>>()), joint.name.as_str()))
        .collect();
    names.sort_by_key(|&(edits, _)| edits);
    let quoted: Vec<String> = names.iter().take(NEAREST).map(|(_, name)| format!("'{name}'")).collect();
    quoted.join(", ")
}

/// Levenshtein's distance: letters to add, drop or change.
fn edits(one: &[char], other: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, letter) in one.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, other_letter) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != other_letter);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::Transform;

    fn skeleton() -> Skeleton {
        let joints = ["hips", "LeftArm", "bone_17", "bone_18"].map(|name| (name, None, Transform::IDENTITY));
        Skeleton::from_rest(&joints)
    }

    fn applied(text: &str) -> Result<Found, GivenError> {
        let skeleton = skeleton();
        let mut found = crate::Roles::find(&skeleton);
        found.apply(&GivenRoles::parse(text)?, &skeleton)?;
        Ok(found)
    }

    #[test]
    fn what_a_person_says_wins_in_either_spelling() {
        for text in ["upper_arm.l = 'bone_17'", "\"upper_arm.l\" = 'bone_17'", "[upper_arm]\nl = 'bone_17'"] {
            let found = applied(text).unwrap();
            assert_eq!(found.roles.get(Role::UpperArm, Side::Left), Some(2), "{text}");
            let evidence = found.evidence(Role::UpperArm, Side::Left).unwrap();
            assert_eq!((evidence.how, evidence.confidence), (How::Given, 1.0));
            assert_eq!(found.roles.get(Role::Hips, Side::Left), Some(0));
        }
    }

    #[test]
    fn an_empty_name_takes_the_role_away() {
        let found = applied("upper_arm.l = \"\"").unwrap();
        assert_eq!(found.roles.get(Role::UpperArm, Side::Left), None);
        assert_eq!(found.evidence(Role::UpperArm, Side::Left), None);
    }

    #[test]
    fn a_joint_that_is_given_a_role_loses_the_one_it_had() {
        let found = applied("lower_arm.l = 'LeftArm'").unwrap();
        assert_eq!(found.roles.get(Role::UpperArm, Side::Left), None);
        assert_eq!(found.roles.get(Role::LowerArm, Side::Left), Some(1));
    }

    #[test]
    fn mistakes_are_told_with_line_and_cure() {
        let message = |text: &str| applied(text).unwrap_err().to_string();
        assert!(message("hips = 'hips'\nupperarm.l = 'x'").starts_with("line 2: there is no role 'upperarm.l'; roles"));
        assert!(message("upper_arm = 'LeftArm'").contains("upper_arm.l, upper_arm.r"));
        assert!(message("\nhips = 3").starts_with("line 2: hips wants a joint's name"));
        let missing = message("# arms\nupper_arm.l = 'Leftarms'");
        assert!(missing.starts_with("line 2: there is no joint 'Leftarms' to be upper_arm.l"), "{missing}");
        assert!(missing.contains("nearest names are 'LeftArm'"), "{missing}");
        let twice = message("hips = 'bone_17'\nhead = 'bone_17'");
        assert!(twice.contains("a joint plays one role"), "{twice}");
        let again = message("upper_arm.l = 'bone_17'\n'upper_arm.l' = 'bone_18'");
        assert!(again.contains("line 2") && again.contains("line 1 already"), "{again}");
        assert!(message("hips = ").contains("no TOML"));
    }
}
