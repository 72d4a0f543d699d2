//! What those see who look from outside.

use crate::window::{click, on_arm};
use fusiform_studio::model::{Action, DIALS, Edit, Look, Play, Watch};

#[test]
fn a_session_is_watched_through_choice_edit_undo_and_clip() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let first = window.state().watch().session.expect("a file is open");
    assert_eq!((&*first.name, first.undo, first.redo, first.is_unsaved), ("arm", 0, 0, false));
    assert!(first.n_muscle > 0 && first.n_vertex > 0 && first.chosen.is_empty() && first.clip.is_none());
    click(&mut window, "biceps.l");
    let studio = &mut window.state_mut().session_mut().unwrap().studio;
    let bulge = DIALS.iter().position(|dial| dial.label == "Bulge").unwrap();
    studio.apply(Edit::Dial(bulge, 1.25));
    studio.apply(Play::Clip(Some(0)));
    let edited = Watch::of(studio);
    assert_eq!((edited.undo, edited.is_unsaved, &*edited.chosen), (1, true, &["biceps.l".to_owned()][..]));
    assert_eq!(edited.clip.as_deref(), Some("bend"));
    assert_ne!(edited.document, first.document);
    studio.apply(Action::Undo);
    studio.apply(Look::Select(None, false));
    let undone = Watch::of(studio);
    assert_eq!(
        (&undone.document, undone.undo, undone.redo),
        (&first.document, 0, 1),
        "the same document reads the same"
    );
}

#[test]
fn a_window_tells_its_fault_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let studio = &mut window.state_mut().session_mut().unwrap().studio;
    studio.add_motion(std::path::Path::new("no/such.bvh"));
    let seen = serde_json::to_value(window.state().watch()).unwrap();
    assert!(seen["fault"].as_str().is_some_and(|fault| fault.contains("no/such.bvh")), "{seen}");
    assert_eq!(seen["left_behind"].as_array().map(Vec::len), Some(0));
}
