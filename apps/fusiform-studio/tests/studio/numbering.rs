//! What is chosen, hidden and tensed stays with its muscle, whatever comes, goes and is taken back.

use crate::arm;
use fusiform::Muscle;
use fusiform_studio::model::{Action, Edit, Look, Placing, Play, Project, Studio, Target};
use std::collections::BTreeSet;

/// The arm with four more muscles than its two.
pub fn with_four_more() -> Studio {
    let (project, mut muscles) = Project::from_bytes("arm.glb", &arm::glb()).unwrap();
    let one = muscles.muscles[0].clone();
    muscles.muscles.extend((1..=4).map(|k| Muscle { name: format!("muscle_{k}"), ..one.clone() }));
    Studio::new(project, muscles, None).unwrap()
}

fn names(studio: &Studio, of: &BTreeSet<usize>) -> Vec<String> {
    of.iter().map(|&m| studio.muscles()[m].name.clone()).collect()
}

fn tensed(studio: &Studio) -> Vec<(String, f32)> {
    let levels = studio.muscles().iter().map(|muscle| muscle.name.clone()).zip(studio.live.levels().iter().copied());
    levels.filter(|(_, level)| *level > 0.0).collect()
}

#[test]
fn what_is_hidden_and_tensed_stays_with_its_muscle_when_others_go_and_come_back() {
    let mut studio = with_four_more();
    studio.apply(Look::Select(Some(4), false));
    studio.apply(Play::Tense(0.7));
    studio.apply(Look::Hide(5, true));
    studio.apply(Look::Select(Some(2), false));
    let is_as_it_was = |studio: &Studio, when: &str| {
        assert_eq!(names(studio, &studio.hidden), ["muscle_4"], "{when}");
        assert_eq!(tensed(studio), [("muscle_3".to_owned(), 0.7)], "{when}");
    };
    studio.apply(Edit::Delete);
    is_as_it_was(&studio, "deleted");
    assert!(studio.chosen.is_empty());
    studio.apply(Action::Undo);
    is_as_it_was(&studio, "taken back");
    assert_eq!(names(&studio, &studio.chosen), ["muscle_1"]);
    studio.apply(Action::Redo);
    is_as_it_was(&studio, "done again");
    assert!(studio.chosen.is_empty());
    studio.apply(Placing::Rename(4, "other".into()));
    assert_eq!(names(&studio, &studio.hidden), ["other"], "under another name");
}

#[test]
fn a_muscle_that_says_its_side_since_it_was_mirrored_over_is_still_the_same_one() {
    let mut studio = with_four_more();
    studio.apply(Look::Select(Some(4), false));
    studio.apply(Play::Tense(0.7));
    studio.apply(Look::Hide(4, true));
    studio.apply(Look::Lock(Target::Muscle(4), true));
    studio.apply(Placing::MirrorOver);
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    assert_eq!(studio.muscles().last().unwrap().name, "muscle_3.r");
    for (name, step) in [("muscle_3.l", Action::Undo), ("muscle_3", Action::Redo), ("muscle_3.l", Action::Undo)] {
        assert_eq!(names(&studio, &studio.chosen), [name]);
        assert_eq!(names(&studio, &studio.hidden), [name]);
        assert_eq!(tensed(&studio), [(name.to_owned(), 0.7)]);
        assert_eq!(studio.locks.muscles, [name.to_owned()].into());
        studio.apply(step);
    }
}

#[test]
fn undo_and_redo_bring_back_what_was_chosen() {
    let mut studio = with_four_more();
    studio.apply(Look::Choose([0, 2].into()));
    studio.apply(Edit::Dial(0, 0.03));
    studio.apply(Look::Select(Some(5), false));
    studio.apply(Placing::Duplicate);
    assert_eq!(names(&studio, &studio.chosen), ["muscle_4_2"]);
    studio.apply(Look::Select(None, false));
    studio.apply(Action::Undo);
    assert_eq!(names(&studio, &studio.chosen), ["muscle_4"]);
    studio.apply(Action::Undo);
    assert_eq!(names(&studio, &studio.chosen), ["biceps.l", "muscle_1"]);
    studio.apply(Action::Redo);
    studio.apply(Action::Redo);
    assert_eq!(names(&studio, &studio.chosen), ["muscle_4_2"]);
}

#[test]
fn a_pair_that_is_chosen_is_still_chosen_when_it_is_copied() {
    let mut studio = with_four_more();
    studio.apply(Look::Choose([0, 1].into()));
    studio.apply(Placing::Duplicate);
    assert_eq!(names(&studio, &studio.chosen), ["biceps_2.l", "biceps_2.r"]);
}

#[test]
fn a_muscle_that_is_chosen_takes_the_place_of_a_joint() {
    let mut studio = with_four_more();
    for look in [Look::Choose([1].into()), Look::Select(Some(1), false)] {
        studio.apply(Look::Joint(Some(2)));
        assert_eq!(studio.painted(), Some(Target::Joint(2)));
        studio.apply(look);
        assert_eq!(studio.painted(), Some(Target::Muscle(1)));
        studio.apply(Look::Select(None, false));
    }
}

#[test]
fn a_hidden_muscle_that_is_deleted_comes_back_hidden() {
    let mut studio = with_four_more();
    studio.apply(Look::Hide(3, true));
    studio.apply(Look::Choose([2, 3].into()));
    studio.apply(Edit::Delete);
    assert!(studio.hidden.is_empty());
    studio.apply(Action::Undo);
    assert_eq!(names(&studio, &studio.hidden), ["muscle_2"]);
    studio.apply(Action::Redo);
    studio.apply(Look::Hide(0, true));
    studio.apply(Action::Undo);
    assert_eq!(names(&studio, &studio.hidden), ["biceps.l", "muscle_2"]);
    studio.apply(Action::Redo);
    studio.apply(Look::Unhide);
    studio.apply(Action::Undo);
    assert!(studio.hidden.is_empty(), "all were shown since");
}
