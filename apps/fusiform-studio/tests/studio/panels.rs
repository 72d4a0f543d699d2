//! Panels without a window: found by what they say, clicked, and held against the document.

use crate::window::{click, drag, on_arm, settled, studio};
use eframe::App as _;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use fusiform_studio::app::{App, Begin};
use fusiform_studio::model::DIALS;

fn bulge(app: &App) -> f32 {
    let session = app.session().expect("a file is open");
    let dial = DIALS.iter().find(|dial| dial.label == "Bulge").expect("there is one");
    dial.of(&session.studio.muscles()[0]).expect("it has one")
}

#[test]
fn choosing_a_muscle_and_turning_a_dial_edits_the_document_and_undo_takes_it_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let before = bulge(window.state());
    click(&mut window, "biceps.l");
    assert_eq!(studio(&window).chosen.iter().copied().collect::<Vec<_>>(), [0]);
    let slider = window.get_by_role_and_label(egui::Role::Slider, "Bulge");
    let at = slider.rect();
    let (from, to) = (at.left_center() + egui::vec2(20.0, 0.0), at.left_center() + egui::vec2(80.0, 0.0));
    drag(&mut window, from, to);
    let turned = bulge(window.state());
    assert!(turned != before, "{before} is still {turned}");
    click(&mut window, "Undo");
    assert_eq!(bulge(window.state()), before, "a drag is one step");
    click(&mut window, "Redo");
    assert_eq!(bulge(window.state()), turned);
    click(&mut window, "File");
    click(&mut window, "Save");
    let (_, muscles) = fusiform_studio::model::Project::open(&folder.path().join("arm.glb")).unwrap();
    assert_eq!(muscles, studio(&window).document().musculature);
}

#[test]
fn playing_moves_time_and_the_skin() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let skin = |app: &App| app.session().unwrap().studio.live.muscled().1.positions().to_vec();
    let rest = skin(window.state());
    click(&mut window, "Clip");
    window.get_by_label("bend").click();
    window.run_steps(12);
    let session = window.state().session().unwrap();
    let playing = &session.studio.live.playing;
    assert!(playing.runs && playing.time > 0.0, "{playing:?}");
    assert!(skin(window.state()) != rest);
    click(&mut window, "Pause");
    assert!(!studio(&window).live.playing.runs);
}

#[test]
fn an_empty_start_offers_the_athlete_and_a_bad_file_is_told() {
    let path = std::path::PathBuf::from("no/such.glb");
    let builder = Harness::builder().with_size(egui::vec2(800.0, 600.0));
    let mut window = builder.build_eframe(move |_| App::new(None, &Begin::File(path), None));
    settled(&mut window);
    assert!(window.state().fault().is_some_and(|fault| fault.to_string().contains("no/such.glb")));
    window.get_by_label("Open the athlete");
    click(&mut window, "Dismiss");
    assert!(window.state().fault().is_none());
    window.state_mut().on_exit();
}
