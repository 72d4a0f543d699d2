//! What stays as muscles are fitted again: dials, shapes, roles, the body, and files that people did not say may go.

use crate::fitting::{arm, athlete, fitted, index};
use crate::window::{
    PATIENCE, Window, click, cut, fitted as wait, on_arm, open, press, pull, seen, studio, studio_mut, wait_for_fit,
};
use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable;
use fusiform::musculature::{Contraction, PoseShape, Sculpt};
use fusiform_fit::{Preset, Role, Side};
use fusiform_studio::app::Begin;
use fusiform_studio::model::{
    Action, Anatomy, Document, Edit, Fit, Fitting, Gesture, Look, Play, Project, Recipe, Studio, Tool,
};
use glam::{Quat, Vec3};
use std::path::Path;
use std::time::{Duration, Instant};

#[test]
fn rings_and_sectors_and_shapes_on_them_stay_with_a_turned_plane_and_when_placed_again() {
    let mut studio = arm();
    fitted(&mut studio, Anatomy::Pairs, Preset::Pratscher);
    let mut muscles = studio.document().musculature.clone();
    let turns = [("lower".to_owned(), Quat::from_rotation_x(0.8))].into();
    let shapes = vec![PoseShape { turns, sculpt: Sculpt { factors: vec![1.1; 21 * 9] } }];
    let contraction = Contraction::PoseShapes { shapes, tone: 1.0, isometric: 0.25 };
    (muscles.muscles[0].rings, muscles.muscles[0].sectors) = (21, 9);
    (muscles.muscles[0].sculpt, muscles.muscles[0].contraction) = (None, contraction.clone());
    let mut studio = Studio::new(studio.project, muscles, None).unwrap();
    cut(&mut studio);
    studio.apply(Look::Select(Some(0), false));
    let kept = |studio: &Studio| {
        let now = &studio.muscles()[0];
        assert!(studio.fault.is_none(), "{:?}", studio.fault);
        assert_eq!((now.rings, now.sectors, &now.contraction), (21, 9, &contraction));
    };
    kept(&studio);
    studio.apply(Edit::TurnPlane("upper".into(), Some(35.0)));
    kept(&studio);
    studio.apply(Fit::PlaceAgain);
    wait(&mut studio);
    kept(&studio);
}

#[test]
fn the_fat_of_the_window_counts_when_muscles_are_shaped_and_placed_again() {
    let mut studio = athlete();
    fitted(&mut studio, Anatomy::Pairs, Preset::Pratscher);
    studio.apply(Look::Select(Some(0), false));
    let first = studio.document().clone();
    for fit in [Fit::Shape, Fit::PlaceAgain] {
        let [thin, thick] = [0.001, 0.02].map(|fat| {
            studio.apply(Fit::Recipe(Recipe { fat: Some(fat), ..studio.fit.recipe.clone() }));
            studio.apply(fit.clone());
            wait(&mut studio);
            assert!(studio.fault.is_none(), "{:?}", studio.fault);
            studio.document().muscles()[0].clone()
        });
        assert!(thin != thick, "{fit:?}");
    }
    let now = Fitting { next: None, ..studio.document().fitting.clone() };
    assert_eq!(now, first.fitting, "how the whole body was fitted is as it was");
}

#[test]
fn muscles_of_both_sides_are_shaped_before_the_body_was_ever_cut() {
    let mut studio = athlete();
    fitted(&mut studio, Anatomy::Pairs, Preset::Pratscher);
    let flesh = cut(&mut studio);
    let (bone, twin) = flesh.bones().iter().enumerate().find_map(|(bone, of)| Some((bone, of.twin?))).unwrap();
    let [own, other] = [bone, twin].map(|bone| index(&studio, &flesh.muscles_of(bone)[0]));
    let (project, muscles) = (studio.project.clone(), studio.document().musculature.clone());
    let mut studio = Studio::new(project, muscles, None).unwrap();
    studio.apply(Fit::Recipe(Recipe { anatomy: Anatomy::Pairs, fat: Some(0.02), ..Recipe::default() }));
    studio.apply(Look::Select(Some(own), false));
    let before = studio.document().clone();
    studio.apply(Fit::Shape);
    wait(&mut studio);
    let changed = |m: usize| studio.muscles()[m] != before.muscles()[m];
    assert!(changed(own) && changed(other), "{:?}", studio.fault);
}

#[test]
fn planes_wait_until_the_body_is_cut_as_it_is() {
    let mut studio = arm();
    fitted(&mut studio, Anatomy::Pairs, Preset::Pratscher);
    let before = studio.document().clone();
    studio.apply(Edit::TurnPlane("upper".into(), Some(35.0)));
    assert!(studio.fault.take().is_some_and(|fault| fault.message.contains("being cut")));
    assert_eq!(studio.document(), &before);
    let first = cut(&mut studio);
    // the same motions are the same body, and others are not, however many they are
    let bend = studio.project.character.clips[0].clone();
    studio.apply(Edit::Motion(bend));
    assert!(studio.fit.fresh_flesh(studio.document()).is_none());
    let second = cut(&mut studio);
    assert!(!std::sync::Arc::ptr_eq(&first, &second));
    studio.apply(Play::Settle);
    assert!(studio.fit.fresh_flesh(studio.document()).is_some());
}

#[test]
fn a_window_at_rest_goes_on_being_drawn_until_the_body_is_cut() {
    let mut studio = arm();
    assert!(!studio.is_at_work());
    studio.apply(Look::Tool(Tool::Cut));
    studio.look_after();
    assert!(studio.is_at_work(), "nothing else would take over what is cut");
    cut(&mut studio);
    assert!(!studio.is_at_work());
}

#[test]
fn a_body_that_cannot_be_cut_is_told_of_once() {
    let mut studio = arm();
    studio.project.character.meshes.clear();
    studio.apply(Fit::Show(true));
    let (mut told, begin) = (0, Instant::now());
    while told == 0 || begin.elapsed() < Duration::from_millis(300) {
        studio.look_after();
        told += u32::from(studio.fault.take().is_some());
        std::thread::sleep(Duration::from_millis(5));
        assert!(begin.elapsed() < PATIENCE, "nothing is told");
    }
    assert_eq!(told, 1);
}

/// Fitted with a role given by hand, and a body.
fn given(studio: &mut Studio) -> Recipe {
    let hand = studio.fit.found.roles.get(Role::Hand, Side::Left).expect("a hand");
    let mut recipe = Recipe { anatomy: Anatomy::Humanoid, body: Some(0), fat: Some(0.004), ..Recipe::default() };
    recipe.given.insert((Role::LowerArm, Some(Side::Left)), None);
    recipe.given.insert((Role::Hand, Some(Side::Left)), Some(hand));
    studio.apply(Fit::Recipe(recipe.clone()));
    studio.apply(Fit::Run);
    wait(studio);
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    recipe
}

#[test]
fn roles_that_people_gave_and_the_body_come_back_with_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hero.glb");
    let mut studio = athlete();
    let recipe = given(&mut studio);
    studio.save(&path).unwrap();
    let (project, muscles) = Project::open(&path).unwrap();
    assert!(project.warnings.is_empty(), "{:?}", project.warnings);
    let again = Studio::new(project, muscles, None).unwrap();
    let Recipe { fat, body, given, .. } = &again.fit.recipe;
    assert_eq!((fat, body, given), (&recipe.fat, &recipe.body, &recipe.given));
    studio.apply(Action::Undo);
    let Recipe { fat, body, given, .. } = &studio.fit.recipe;
    assert_eq!(
        (fat, body, given),
        (&recipe.fat, &recipe.body, &recipe.given),
        "they were said before the muscles came"
    );
    studio.apply(Action::Undo);
    assert_eq!(studio.document().fitting, Fitting::default());
}

#[test]
fn a_template_replaces_a_file_only_when_people_say_so_and_none_is_written_once_it_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.toml");
    std::fs::write(&path, "mine").unwrap();
    let mut window = on_arm(folder.path());
    studio_mut(&mut window).apply(Fit::Show(true));
    cut(studio_mut(&mut window)); // what comes of it moves the rows below
    window.run_steps(3);
    click(&mut window, "Save template");
    assert!(window.query_by_label_contains("a file of that name").is_some(), "it is beside the file that is open");
    click(&mut window, "Keep it");
    wait_for_fit(&mut window);
    assert_eq!(std::fs::read(&path).unwrap(), b"mine");
    click(&mut window, "Save template");
    click(&mut window, "Replace it");
    wait_for_fit(&mut window);
    let fault = studio_mut(&mut window).fault.take();
    assert!(fault.is_some() || std::fs::read(&path).unwrap() != b"mine", "it was asked for");
    let mut studio = athlete();
    let stopped = folder.path().join("stopped.toml");
    studio.apply(Fit::SaveTemplate(stopped.clone()));
    studio.apply(Fit::Stop);
    studio.apply(Fit::SaveTemplate(folder.path().join("other.toml")));
    wait(&mut studio);
    std::thread::sleep(Duration::from_millis(300));
    assert!(!stopped.exists() && folder.path().join("other.toml").exists(), "{:?}", studio.fault);
}

#[test]
fn a_template_that_is_being_written_is_asked_about_before_its_character_goes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let mut window = open(Begin::Athlete(Some(3_700)));
    studio_mut(&mut window).apply(Fit::SaveTemplate(path.clone()));
    click(&mut window, "File");
    click(&mut window, "Close file");
    assert!(window.query_by_label("Stop writing?").is_some() && window.state().session().is_some());
    click(&mut window, "Cancel");
    wait_for_fit(&mut window);
    assert!(path.exists(), "{:?}", studio(&window).fault);
    click(&mut window, "File");
    click(&mut window, "Close file");
    assert!(window.state().session().is_none(), "nothing is asked");
}

pub fn with_plane(folder: &Path) -> Window {
    let mut window = on_arm(folder);
    let studio = studio_mut(&mut window);
    fitted(studio, Anatomy::Pairs, Preset::Pratscher);
    studio.apply(Look::Choose([0, 1].into()));
    studio.apply(Look::Tool(Tool::Cut));
    cut(studio);
    window.run_steps(2);
    window
}

#[test]
fn a_handle_that_is_clicked_and_not_dragged_chooses_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = with_plane(folder.path());
    let flesh = studio(&window).fit.flesh().unwrap();
    let bone = &flesh.bones()[0];
    let (middle, normal) = flesh.plane(0, bone.found);
    let at = seen(&window, middle + bone.bone.along().cross(normal) * (1.7 * bone.thick));
    press(&mut window, at);
    assert_eq!(studio(&window).chosen.len(), 2);
    let aside = seen(&window, middle + Vec3::Y * 5.0 * bone.thick + Vec3::X * 5.0 * bone.thick);
    press(&mut window, aside);
    assert!(studio(&window).chosen.is_empty(), "beside the body nothing is");
}

/// The two handles of the plane of the arm's upper bone when it is turned so far.
fn handles(window: &Window, degrees: f32) -> [Pos2; 2] {
    let flesh = studio(window).fit.flesh().unwrap();
    let bone = &flesh.bones()[0];
    let (middle, normal) = flesh.plane(0, degrees);
    let across = bone.bone.along().cross(normal) * (1.7 * bone.thick);
    [middle + across, middle - across].map(|place| seen(window, place))
}

/// Take the handle of the plane on a slow machine, and move it on by some degrees, without letting go.
fn take_plane(window: &mut Window, by: f32) {
    studio_mut(window).fit.took(1.0);
    let found = studio(window).fit.flesh().unwrap().bones()[0].found;
    let [from, to] = [found, found + by].map(|degrees| handles(window, degrees)[0]);
    pull(window, from, to);
}

/// The document as it is when the plane is turned at once to where it now lies.
fn turned_at_once(before: &Document, now: &Studio) -> Document {
    let mut studio = Studio::new(now.project.clone(), before.musculature.clone(), None).unwrap();
    cut(&mut studio);
    studio.apply(Edit::TurnPlane("upper".into(), Some(now.document().fitting.turned["upper"])));
    studio.document().clone()
}

fn assert_turned(studio: &Studio, before: &Document) {
    let (now, wanted) = (studio.document(), turned_at_once(before, studio));
    assert!(now.musculature.weights != before.musculature.weights, "other skin is theirs");
    assert!(now.muscles() == wanted.muscles() && now.musculature.weights == wanted.musculature.weights);
}

#[test]
fn skin_is_found_for_a_plane_that_was_dragged_whatever_is_done_next() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = arm();
    fitted(&mut studio, Anatomy::Pairs, Preset::Pratscher);
    cut(&mut studio);
    let before = studio.document().clone();
    let drag = |studio: &mut Studio| {
        let gesture = Some(Gesture::begin());
        for degrees in [10.0, 60.0, 25.0] {
            studio.apply(Action::Edit(Edit::DragPlane("upper".into(), degrees), gesture));
        }
        assert_eq!(studio.document().musculature.weights, before.musculature.weights, "not while it is dragged");
    };
    let ends: [Action; 3] = [Look::Tool(Tool::Select).into(), Look::Select(None, false).into(), Play::Settle.into()];
    for end in ends {
        drag(&mut studio);
        studio.apply(end);
        assert_turned(&studio, &before);
        studio.apply(Action::Undo);
        assert_eq!(studio.document(), &before, "one step");
    }
    drag(&mut studio);
    studio.apply(Action::Undo);
    assert_eq!(studio.document(), &before);
    studio.apply(Action::Redo);
    assert_turned(&studio, &before);
    studio.apply(Action::Undo);
    drag(&mut studio);
    studio.save(&folder.path().join("arm.glb")).unwrap();
    assert_turned(&studio, &before);
}

#[test]
fn a_plane_is_let_go_by_another_tool_and_stays_in_hand_when_nothing_is_chosen_any_more() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = with_plane(folder.path());
    let before = studio(&window).document().clone();
    take_plane(&mut window, 30.0);
    assert_eq!(studio(&window).document().musculature.weights, before.musculature.weights);
    window.key_press(Key::Q);
    window.run_steps(2);
    assert_turned(studio(&window), &before);
    let to = handles(&window, 0.0)[0];
    window.drop_at(to);
    window.run_steps(2);
    click(&mut window, "Undo");
    assert_eq!(studio(&window).document(), &before, "one step");
    studio_mut(&mut window).apply(Look::Tool(Tool::Cut));
    window.run_steps(2);
    take_plane(&mut window, 20.0);
    window.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::A);
    window.run_steps(2);
    assert!(studio(&window).chosen.is_empty());
    let first = studio(&window).document().fitting.turned["upper"];
    let found = studio(&window).fit.flesh().unwrap().bones()[0].found;
    let to = handles(&window, found + 45.0)[0];
    window.hover_at(to);
    window.run_steps(1);
    window.drop_at(to);
    window.run_steps(2);
    assert!((studio(&window).document().fitting.turned["upper"] - first).abs() > 10.0, "it went on");
    assert_turned(studio(&window), &before);
}

#[test]
fn a_slider_of_a_plane_that_is_left_while_it_is_dragged_turns_nothing_later() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = with_plane(folder.path());
    studio_mut(&mut window).apply(Look::Tool(Tool::Select));
    studio_mut(&mut window).apply(Fit::Show(true));
    window.run_steps(3);
    let before = studio(&window).document().clone();
    let at = window.get_by_role_and_label(egui::Role::Slider, "Angle").rect().left_center() + vec2(20.0, 0.0);
    window.hover_at(at);
    window.run_steps(1);
    window.drag_at(at);
    window.run_steps(1);
    window.hover_at(at + vec2(40.0, 0.0));
    window.run_steps(2);
    assert!(studio(&window).document() != &before, "it is dragged");
    window.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::A);
    window.run_steps(2);
    window.drop_at(at + vec2(40.0, 0.0));
    window.run_steps(2);
    click(&mut window, "Undo");
    assert_eq!(studio(&window).document(), &before);
    studio_mut(&mut window).apply(Look::Choose([0, 1].into()));
    window.run_steps(3);
    assert_eq!(studio(&window).document(), &before, "what was dragged then is no number for now");
}

#[test]
fn skin_without_a_pair_leaves_what_is_chosen_and_the_window_says_what_planes_divide() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let studio_now = studio_mut(&mut window);
    studio_now.apply(Look::Choose([0].into()));
    studio_now.apply(Look::Tool(Tool::Cut));
    cut(studio_now);
    window.run_steps(2);
    let arm = seen(&window, Vec3::new(0.0, 0.15, 0.0));
    press(&mut window, arm);
    assert_eq!(studio(&window).chosen, [0].into());
    studio_mut(&mut window).apply(Fit::Show(true));
    window.run_steps(3);
    window.get_by_label_contains("no muscle here is of one");
    fitted(studio_mut(&mut window), Anatomy::Pairs, Preset::Lee);
    cut(studio_mut(&mut window));
    window.run_steps(3);
    window.get_by_label_contains("Click the skin of a pair");
}
