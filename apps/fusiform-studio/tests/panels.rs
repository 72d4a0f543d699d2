//! Panels without a window: found by what they say, clicked, and held against the document.

mod arm;

use eframe::App as _;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use fusiform_studio::app::{App, Begin};
use fusiform_studio::model::DIALS;

fn window(folder: &std::path::Path) -> Harness<'static, App> {
    let path = folder.join("arm.glb");
    std::fs::write(&path, arm::glb()).expect("a temporary folder");
    let builder = Harness::builder().with_size(egui::vec2(1280.0, 800.0));
    let mut harness =
        builder.build_eframe(move |context| App::new(context.wgpu_render_state.clone(), &Begin::File(path), None));
    harness.run_steps(2);
    harness
}

fn bulge(app: &App) -> f32 {
    let session = app.session().expect("a file is open");
    let dial = DIALS.iter().find(|dial| dial.label == "Bulge").expect("there is one");
    dial.of(&session.studio.document().muscles[0]).expect("it has one")
}

#[test]
fn choosing_a_muscle_and_turning_a_dial_edits_the_document_and_undo_takes_it_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(folder.path());
    let before = bulge(window.state());
    window.get_by_label("biceps.l").click();
    window.run_steps(2);
    assert_eq!(window.state().session().unwrap().studio.chosen.iter().copied().collect::<Vec<_>>(), [0]);
    let slider = window.get_by_role_and_label(egui::Role::Slider, "Bulge");
    let at = slider.rect();
    let (from, to) = (at.left_center() + egui::vec2(20.0, 0.0), at.left_center() + egui::vec2(80.0, 0.0));
    window.drag_at(from);
    window.run_steps(1);
    window.hover_at(to);
    window.run_steps(1);
    window.drop_at(to);
    window.run_steps(2);
    let turned = bulge(window.state());
    assert!(turned != before, "{before} is still {turned}");
    window.get_by_label("Undo").click();
    window.run_steps(2);
    assert_eq!(bulge(window.state()), before, "a drag is one step");
    window.get_by_label("Redo").click();
    window.run_steps(2);
    assert_eq!(bulge(window.state()), turned);
    window.get_by_label("Save").click();
    window.run_steps(2);
    let (_, muscles) = fusiform_studio::model::Project::open(&folder.path().join("arm.glb")).unwrap();
    assert_eq!(&muscles, window.state().session().unwrap().studio.document());
}

#[test]
fn playing_moves_time_and_the_skin() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(folder.path());
    let skin = |app: &App| app.session().unwrap().studio.live.muscled().1.positions().to_vec();
    let rest = skin(window.state());
    window.get_by_label("Clip").click();
    window.run_steps(2);
    window.get_by_label("bend").click();
    window.run_steps(12);
    let session = window.state().session().unwrap();
    let playing = &session.studio.live.playing;
    assert!(playing.runs && playing.time > 0.0, "{playing:?}");
    assert!(skin(window.state()) != rest);
    window.get_by_label("Pause").click();
    window.run_steps(2);
    assert!(!window.state().session().unwrap().studio.live.playing.runs);
}

#[test]
fn an_empty_start_offers_the_athlete_and_a_bad_file_is_told() {
    let path = std::path::PathBuf::from("no/such.glb");
    let builder = Harness::builder().with_size(egui::vec2(800.0, 600.0));
    let mut window = builder.build_eframe(move |_| App::new(None, &Begin::File(path), None));
    window.run_steps(2);
    assert!(window.state().fault().is_some_and(|fault| fault.to_string().contains("no/such.glb")));
    window.get_by_label("Open the athlete");
    window.get_by_label("Dismiss").click();
    window.run_steps(2);
    assert!(window.state().fault().is_none());
    window.state_mut().on_exit();
}
