//! Sides: left and right, as names say it and as bodies stand.

use super::grip::ends_at_bind;
use super::{Plane, Project};
use fusiform::{Muscle, Skeleton};
use glam::Vec3;
use std::cell::OnceCell;
use std::ops::Range;

/// As people write them. A single letter counts only where it stands alone.
const SIDES: [(&str, &str); 5] = [("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT"), ("l", "r"), ("L", "R")];

/// Within this share of the height of the middle plane a muscle has no side.
pub const MIDDLE: f32 = 0.006;

/// Mirror images of joints lie within this share of the skeleton's size of each other, those of muscles' ends of the body's
/// height.
const NEAR: f32 = 0.02;

/// A place where a name says its side.
struct Mark {
    at: Range<usize>,
    is_left: bool,
    other: &'static str,
}

/// From the end of the name to its start.
fn marks(name: &str) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    for (left, right) in SIDES {
        for (side, other, is_left) in [(left, right, true), (right, left, false)] {
            let found = name.match_indices(side).map(|(at, side)| at..at + side.len());
            let stands = found.filter(|at| side.len() > 1 || stands_alone(name, at));
            marks.extend(stands.map(|at| Mark { at, is_left, other }));
        }
    }
    marks.sort_by_key(|mark| std::cmp::Reverse(mark.at.start));
    marks
}

fn stands_alone(name: &str, at: &Range<usize>) -> bool {
    let around = [name[..at.start].chars().next_back(), name[at.end..].chars().next()];
    around.into_iter().flatten().all(|letter| !letter.is_alphanumeric())
}

/// What a thing of that name may be called on the other side: with one of its marks the other way, the last one first, or
/// with all of them.
#[must_use]
pub fn other_names(name: &str) -> Vec<String> {
    let marks = marks(name);
    let turned = |marks: &[Mark]| {
        let mut other = name.to_owned();
        marks.iter().for_each(|mark| other.replace_range(mark.at.clone(), mark.other));
        other
    };
    let mut names: Vec<String> = (0..marks.len()).map(|k| turned(&marks[k..=k])).collect();
    if marks.len() > 1 {
        names.push(turned(&marks));
    }
    names
}

/// A name that says no side, and whether it said the left one; none where it said neither.
#[must_use]
pub fn without_side(name: &str) -> Option<(String, bool)> {
    let Mark { at, is_left, .. } = marks(name).into_iter().next()?;
    let (before, after) = (&name[..at.start], &name[at.end..]);
    let sets_off = |c: char| !c.is_alphanumeric();
    // where it is set off on both sides, or at an end, one dot or dash goes with it
    let ends = after.is_empty() || after.starts_with(sets_off);
    let before = before.strip_suffix(sets_off).filter(|_| ends).unwrap_or(before);
    let after = after.strip_prefix(sets_off).filter(|_| before.is_empty()).unwrap_or(after);
    Some((format!("{before}{after}"), is_left))
}

/// The muscle of that name on the other side. Two are each other's twins, or neither is: a name with several marks may lead to
/// one that has its own other side.
#[must_use]
pub fn twin_by_name(muscles: &[Muscle], m: usize) -> Option<usize> {
    let find = |name: &String| muscles.iter().position(|muscle| muscle.name == *name);
    let other = |m: usize| other_names(&muscles[m].name).iter().find_map(find);
    other(m).filter(|&found| other(found) == Some(m))
}

/// The muscle on the other side of the middle plane: by its name, or else, where that says no side, by where it is at bind.
#[must_use]
pub fn twin(project: &Project, muscles: &[Muscle], m: usize) -> Option<usize> {
    Twins::new(project, muscles).of(m)
}

/// Twins of many muscles: where they are is found once.
#[derive(Debug)]
pub struct Twins<'a> {
    project: &'a Project,
    muscles: &'a [Muscle],
    placed: OnceCell<Placed>,
}

/// Where muscles begin and end at bind whose names say no side, and how far from there a mirror image may be, m.
#[derive(Debug)]
struct Placed {
    ends: Vec<Option<[Vec3; 2]>>,
    near: f32,
}

impl<'a> Twins<'a> {
    /// Of these muscles.
    #[must_use]
    pub fn new(project: &'a Project, muscles: &'a [Muscle]) -> Self {
        Self { project, muscles, placed: OnceCell::new() }
    }

    /// The twin of one.
    #[must_use]
    pub fn of(&self, m: usize) -> Option<usize> {
        twin_by_name(self.muscles, m).or_else(|| {
            let found = self.nearest_image(m)?;
            let back = self.nearest_image(found)?;
            // copies lie where what they are copies of does: the first is the first one's twin
            let rank = self.alike(back).position(|other| other == m)?;
            // one in the middle lies nearest to its own image
            self.alike(found).nth(rank).filter(|_| back != found)
        })
    }

    fn placed(&self) -> &Placed {
        self.placed.get_or_init(|| {
            let (skeleton, (low, high)) = (&self.project.character.skeleton, self.project.bounds);
            let says_none = |muscle: &&Muscle| marks(&muscle.name).is_empty();
            let ends = |muscle| Some(muscle).filter(says_none).and_then(|of| ends_at_bind(skeleton, of));
            Placed { ends: self.muscles.iter().map(ends).collect(), near: NEAR * (high - low).max_element() }
        })
    }

    /// Those that lie where one does.
    fn alike(&self, of: usize) -> impl Iterator<Item = usize> {
        let (ends, bends) = (&self.placed().ends, |i: usize| opposed(&self.muscles[i].name));
        (0..ends.len()).filter(move |&i| ends[i] == ends[of] && bends(i) == bends(of))
    }

    /// The muscle that lies nearest to the mirror image of one; none where none is near.
    fn nearest_image(&self, m: usize) -> Option<usize> {
        let Placed { ends, near } = self.placed();
        let wanted = ends.get(m).copied().flatten()?.map(|end| self.project.plane.image(end));
        let apart = |of: &[Vec3; 2]| of[0].distance(wanted[0]).max(of[1].distance(wanted[1]));
        let all = ends.iter().enumerate().filter_map(|(i, of)| Some((i, apart(of.as_ref()?))));
        let bends = |i: usize| opposed(&self.muscles[i].name);
        let all = all.filter(|(i, _)| bends(*i) == bends(m));
        all.filter(|(_, apart)| apart <= near).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i)
    }
}

/// Whether a muscle of an opposed pair bends or straightens: the two lie on either side of their bone, not of the body.
fn opposed(name: &str) -> Option<bool> {
    name.ends_with("flexor").then_some(true).or(name.ends_with("extensor").then_some(false))
}

/// The joint on the other side of the middle plane at bind: by name, or else by where it is; the same one for a joint in the
/// middle.
#[must_use]
pub fn twin_joint(skeleton: &Skeleton, plane: &Plane, joint: usize) -> Option<usize> {
    let named = other_names(&skeleton.joints.get(joint)?.name).iter().find_map(|name| skeleton.find(name));
    named.or_else(|| {
        let at = |joint: usize| Vec3::from(skeleton.joints[joint].bind.translation);
        let all = 0..skeleton.joints.len();
        let (low, high) =
            all.clone().fold((Vec3::MAX, Vec3::MIN), |(low, high), joint| (low.min(at(joint)), high.max(at(joint))));
        let wanted = plane.image(at(joint));
        let nearer = |best: usize, other: usize| {
            if at(other).distance(wanted) < at(best).distance(wanted) { other } else { best }
        };
        let nearest = all.fold(joint, nearer);
        (at(nearest).distance(wanted) <= NEAR * (high - low).max_element()).then_some(nearest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_sides_as_people_write_them() {
        for (left, right, neither) in [
            ("upper_arm.l", "upper_arm.r", "upper_arm"),
            ("LeftForeArm", "RightForeArm", "ForeArm"),
            ("mixamorig:LeftArm", "mixamorig:RightArm", "mixamorig:Arm"),
            ("thigh_L", "thigh_R", "thigh"),
            ("Bip01 L Calf", "Bip01 R Calf", "Bip01 Calf"),
            ("l_toe_2", "r_toe_2", "toe_2"),
            ("forearm.l.flexor", "forearm.r.flexor", "forearm.flexor"),
            ("LeftArm.extensor", "RightArm.extensor", "Arm.extensor"),
        ] {
            assert_eq!(other_names(left), [right]);
            assert_eq!(other_names(right), [left]);
            assert_eq!(without_side(left), Some((neither.into(), true)));
            assert_eq!(without_side(right), Some((neither.into(), false)));
        }
        assert!(other_names("spine_01").is_empty());
        assert!(other_names("pelvis").is_empty(), "letters inside words are no side");
        assert_eq!(other_names("l_hand.l"), ["l_hand.r", "r_hand.l", "r_hand.r"]);
    }

    #[test]
    fn muscles_of_a_pair_have_twins() {
        let names = ["arm.l.flexor", "arm.l.extensor", "arm.r.flexor", "arm.r.extensor", "neck.flexor"];
        let muscles: Vec<Muscle> = names.map(|name| Muscle { name: name.into(), ..Muscle::default() }).into();
        let twins: Vec<Option<usize>> = (0..names.len()).map(|m| twin_by_name(&muscles, m)).collect();
        assert_eq!(twins, [Some(2), Some(3), Some(0), Some(1), None]);
    }

    #[test]
    fn a_twin_is_the_twin_of_its_twin() {
        let names = ["r_hand.l", "r_hand.r", "l_hand.l", "l_foot.r"];
        let muscles: Vec<Muscle> = names.map(|name| Muscle { name: name.into(), ..Muscle::default() }).into();
        let twins: Vec<Option<usize>> = (0..names.len()).map(|m| twin_by_name(&muscles, m)).collect();
        assert_eq!(twins, [Some(1), Some(0), None, None]);
    }
}
