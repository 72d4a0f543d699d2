//! Muscles from the skin inward: run beside the window, planes turned, regions fitted anew, templates saved and applied.

use crate::window::{
    Window, click, cut, drag, drawn, fitted as wait, look, on_arm, open, seen, studio, studio_mut, view, wait_for_fit,
};
use egui_kittest::kittest::Queryable;
use fusiform::musculature::Path;
use fusiform::{Body, Muscle, Musculature, Physique};
use fusiform_fit::{Preset, Role, Side};
use fusiform_studio::app::Begin;
use fusiform_studio::model::{
    Action, Anatomy, DIALS, Document, Edit, Fit, Grip, Look, Placing, Project, Recipe, Show, Studio, Tool,
};
use glam::{Quat, Vec3};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Until the body is cut into regions as it is.
fn wait_for_regions(window: &mut Window) {
    cut(studio_mut(window));
    window.run_steps(2);
}

pub fn fitted(studio: &mut Studio, anatomy: Anatomy, preset: Preset) {
    studio.apply(Fit::Recipe(Recipe { anatomy, preset, ..studio.fit.recipe.clone() }));
    studio.apply(Fit::Run);
    wait(studio);
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
}

pub fn arm() -> Studio {
    let (project, muscles) = Project::from_bytes("arm.glb", &crate::arm::glb()).expect("a sound file");
    Studio::new(project, muscles, None).expect("sound muscles")
}

pub fn athlete() -> Studio {
    let (project, muscles) = Project::athlete(Some(3_700)).expect("enough vertices");
    Studio::new(project, muscles, None).expect("sound muscles")
}

pub fn index(studio: &Studio, name: &str) -> usize {
    studio.document().musculature.find(name).unwrap_or_else(|| panic!("there is a {name}"))
}

/// Middle of a belly at bind.
fn middle(studio: &Studio, name: &str) -> Vec3 {
    let body = Body::bind(&studio.project.character, &studio.document().musculature).expect("sound muscles");
    body.rest_ellipsoid(index(studio, name)).translation.into()
}

/// Ends of an ellipsoid's long axis, in the space of its bone.
fn hinges(studio: &Studio, m: usize) -> [Vec3; 2] {
    let Path::Polyline { via, .. } = &studio.muscles()[m].path else { panic!("a line with tendons") };
    [via[0].point, via[1].point]
}

/// Every weight of the muscles that are not of those, mesh by mesh and vertex by vertex.
fn weights_but(musculature: &Musculature, of: &BTreeSet<usize>) -> Vec<Vec<(u16, u32)>> {
    let tables = musculature.weights.iter();
    let rows = tables.flat_map(|table| (0..table.len()).map(|v| table.of(v).collect::<Vec<_>>()));
    let others = rows.map(|row| {
        let mut row: Vec<(u16, u32)> =
            row.into_iter().filter(|(m, _)| !of.contains(&usize::from(*m))).map(|(m, w)| (m, w.to_bits())).collect();
        row.sort_unstable();
        row
    });
    others.collect()
}

fn assert_others_untouched(before: &Document, after: &Document, of: &BTreeSet<usize>) {
    for (m, (was, is)) in before.muscles().iter().zip(after.muscles()).enumerate() {
        assert!(of.contains(&m) || was == is, "{} was touched", was.name);
    }
    let [was, is] = [before, after].map(|document| weights_but(&document.musculature, of));
    assert!(was == is, "weights of other muscles were touched");
}

#[test]
fn a_fit_is_run_in_the_window_and_undo_takes_it_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let first = studio(&window).document().clone();
    click(&mut window, "Rig");
    click(&mut window, "Fit…");
    window.run_steps(2);
    click(&mut window, "Template");
    click(&mut window, "pairs");
    assert_eq!(studio(&window).fit.recipe.anatomy, Anatomy::Pairs);
    click(&mut window, "Run");
    wait_for_fit(&mut window);
    let names: Vec<&str> = studio(&window).muscles().iter().map(|muscle| &*muscle.name).collect();
    assert_eq!(names, ["upper.flexor", "upper.extensor"]);
    let report = studio(&window).fit.report.clone().expect("a report");
    // the arm is open at its ends, where the last rings lie
    assert!(report.muscles == 2 && report.inside > 0.9 && report.worst < 1e-4, "{report:?}");
    window.get_by_label_contains("of the bellies inside the skin");
    click(&mut window, "Undo");
    assert_eq!(studio(&window).document(), &first);
    click(&mut window, "Redo");
    assert_eq!(studio(&window).muscles().len(), 2);
}

#[test]
fn the_rig_menu_works_beside_the_window() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    click(&mut window, "Rig");
    click(&mut window, "pratscher");
    wait_for_fit(&mut window);
    let muscles = studio(&window).muscles();
    assert!(muscles.len() == 2 && muscles.iter().all(|muscle| Preset::of(muscle) == Preset::Pratscher));
    assert_eq!(studio(&window).history.undo_label(), Some("Fit"));
}

#[test]
fn muscles_that_were_changed_meanwhile_stay_as_they_are_and_that_is_told() {
    let mut studio = arm();
    studio.apply(Fit::Recipe(Recipe { anatomy: Anatomy::Pairs, ..Recipe::default() }));
    studio.apply(Fit::Run);
    studio.apply(Edit::Physique(Physique { size: 1.5, ..Physique::default() }));
    let changed = studio.document().clone();
    wait(&mut studio);
    assert_eq!(studio.document(), &changed);
    assert!(studio.fault.as_ref().is_some_and(|fault| fault.message.contains("changed")), "{:?}", studio.fault);
    studio.apply(Fit::Run);
    studio.apply(Fit::Stop);
    assert!(!studio.is_fitting());
    fitted_again(&mut studio);
    assert_eq!(studio.document().musculature.physique.size, 1.5, "how the body is built stays");
}

#[test]
fn a_body_that_was_posed_and_moved_meanwhile_gets_its_muscles_all_the_same() {
    let mut studio = arm();
    studio.apply(Fit::Recipe(Recipe { anatomy: Anatomy::Pairs, ..Recipe::default() }));
    studio.apply(Fit::Run);
    let bend = studio.project.character.clips[0].clone();
    studio.apply(Edit::Motion(bend));
    studio.apply(Edit::Turn(1, Quat::from_rotation_z(0.4)));
    wait(&mut studio);
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    let document = studio.document();
    assert_eq!((studio.history.undo_label(), document.motions.len(), document.turned.len()), (Some("Fit"), 1, 1));
    assert_eq!(studio.show, Show::Both, "muscles are seen when they are there");
}

fn fitted_again(studio: &mut Studio) {
    studio.fault = None;
    fitted(studio, Anatomy::Pairs, Preset::Lee);
    assert_eq!(studio.muscles().len(), 2);
}

#[test]
fn half_a_turn_of_its_plane_swaps_a_pair() {
    let mut studio = arm();
    fitted(&mut studio, Anatomy::Pairs, Preset::Pratscher);
    cut(&mut studio);
    // aside of the rows of vertices: one that lies in the plane belongs to either side
    studio.apply(Edit::TurnPlane("upper".into(), Some(10.0)));
    let before = ["upper.flexor", "upper.extensor"].map(|name| middle(&studio, name));
    let ends = [hinges(&studio, 0), hinges(&studio, 1)];
    studio.apply(Edit::TurnPlane("upper".into(), Some(190.0)));
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    assert_eq!(studio.document().fitting.turned["upper"], -170.0);
    let after = ["upper.flexor", "upper.extensor"].map(|name| middle(&studio, name));
    assert!(before[0].distance(before[1]) > 0.03, "they lie on opposite sides");
    // the halves of the skin are the same, so the ellipsoids' ends are but for rounding of the turn; an extensor's tendon is
    // led over the joint and a flexor's is not, which may draw its belly along by a few per cent of its thickness
    let hinges = [hinges(&studio, 0), hinges(&studio, 1)];
    for (own, other) in [(0, 1), (1, 0)] {
        assert!(before[own].distance(after[other]) < 1e-3, "{} {}", before[own], after[other]);
        for (was, is) in ends[own].iter().zip(&hinges[other]) {
            assert!(was.distance(*is) < 1e-5, "{was} {is}");
        }
    }
}

#[test]
fn turning_a_plane_changes_its_region_and_its_twin_and_nothing_else() {
    let mut studio = athlete();
    fitted(&mut studio, Anatomy::Pairs, Preset::Pratscher);
    let flesh = cut(&mut studio);
    let upper_arm = studio.fit.found.roles.get(Role::UpperArm, Side::Left).expect("an arm");
    let bone = flesh.bones().iter().position(|of| of.bone.joint == upper_arm).expect("flesh on it");
    let twin = flesh.bones()[bone].twin.unwrap();
    let names = [flesh.muscles_of(bone), flesh.muscles_of(twin)];
    let of: BTreeSet<usize> = names.iter().flatten().map(|name| index(&studio, name)).collect();
    let (before, name) = (studio.document().clone(), flesh.bones()[bone].name.clone());
    let degrees = flesh.bones()[bone].found + 40.0;
    studio.apply(Edit::TurnPlane(name.clone(), Some(degrees)));
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    let after = studio.document().clone();
    assert!(of.iter().all(|&m| before.muscles()[m] != after.muscles()[m]), "all four are fitted anew");
    assert_others_untouched(&before, &after, &of);
    let turned = &after.fitting.turned;
    assert_eq!(turned.len(), 2);
    assert!((turned[&name] + turned[&flesh.bones()[twin].name]).abs() < 1e-3, "{turned:?}");
    for (own, other) in names[0].iter().zip(&names[1]) {
        let (own, other) = (middle(&studio, own), middle(&studio, other));
        // the athlete is the same left and right but for its triangles
        assert!(own.distance(other * Vec3::new(-1.0, 1.0, 1.0)) < 0.01, "{own} {other}");
    }
    studio.apply(Edit::TurnPlane(name, None));
    assert!(studio.document().fitting.turned.is_empty());
    let back = studio.document().muscles();
    assert!(of.iter().all(|&m| back[m] == before.muscles()[m]), "as they were found");
    studio.apply(Action::Undo);
    studio.apply(Action::Undo);
    assert_eq!(studio.document(), &before);
}

#[test]
fn dials_that_were_turned_stay_turned_with_the_plane_and_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    let mut studio = arm();
    fitted(&mut studio, Anatomy::Pairs, Preset::Pratscher);
    cut(&mut studio);
    let dial = |label: &str| DIALS.iter().position(|dial| dial.label == label).unwrap();
    let of = |studio: &Studio, label: &str| DIALS[dial(label)].of(&studio.muscles()[0]).unwrap();
    studio.apply(Look::Select(Some(0), false));
    let [width, height] = ["Width", "Height"].map(|label| of(&studio, label));
    studio.apply(Edit::Dial(dial("Tone"), 0.3));
    studio.apply(Edit::Dial(dial("Width"), 1.5 * width));
    studio.apply(Edit::TurnPlane("upper".into(), Some(35.0)));
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    assert_eq!(of(&studio, "Tone"), 0.3);
    // a round arm: half of it is as wide whichever way it is cut, within how eight corners stand to the plane
    assert!((of(&studio, "Width") / width - 1.5).abs() < 0.15, "{} {width}", of(&studio, "Width"));
    assert!((of(&studio, "Height") / height - 1.0).abs() < 0.2, "{} {height}", of(&studio, "Height"));
    studio.save(&path).unwrap();
    let (project, muscles) = Project::open(&path).unwrap();
    let again = Studio::new(project, muscles, None).unwrap();
    assert_eq!(again.document().fitting, studio.document().fitting);
    assert_eq!(again.document().fitting.turned["upper"], 35.0);
    assert_eq!(again.document().musculature, studio.document().musculature);
}

#[test]
fn a_muscle_that_was_moved_is_shaped_to_the_skin_again_and_placed_again_and_no_other() {
    let mut studio = athlete();
    fitted(&mut studio, Anatomy::Humanoid, Preset::Lee);
    let m = index(&studio, "biceps_brachii_long.l");
    let twin = index(&studio, "biceps_brachii_long.r");
    let of: BTreeSet<usize> = [m, twin].into();
    let first = studio.document().clone();
    studio.apply(Look::Select(Some(m), false));
    let at = studio.muscles()[m].insertion.point;
    studio.apply(Placing::Grip(m, Grip::Insertion, at + Vec3::new(0.0, 0.01, 0.005)));
    let moved = studio.document().clone();
    studio.apply(Fit::Shape);
    wait(&mut studio);
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    let shaped = studio.document().clone();
    assert_others_untouched(&moved, &shaped, &of);
    let sculpt = |document: &Document, m: usize| document.muscles()[m].sculpt.clone();
    assert!(of.iter().all(|&m| sculpt(&shaped, m) != sculpt(&moved, m)), "both sides");
    assert_eq!(shaped.muscles()[m].insertion, moved.muscles()[m].insertion, "it lies where it was moved to");
    studio.apply(Fit::PlaceAgain);
    wait(&mut studio);
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    let back = studio.document();
    assert_others_untouched(&first, back, &of);
    assert_eq!(back.muscles(), first.muscles(), "where the template has it");
    for _ in 0..3 {
        studio.apply(Action::Undo);
    }
    assert_eq!(studio.document(), &first);
}

#[test]
fn a_template_that_was_saved_gives_the_same_muscles_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let mut studio = athlete();
    fitted(&mut studio, Anatomy::Humanoid, Preset::Lee);
    let first = studio.document().musculature.clone();
    studio.apply(Fit::SaveTemplate(path.clone()));
    wait(&mut studio);
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    assert!(studio.fit.note.as_ref().is_some_and(|note| note.contains("mm off")), "{:?}", studio.fit.note);
    fitted(&mut studio, Anatomy::File(path), Preset::Lee);
    let again = &studio.document().musculature;
    let names = |of: &Musculature| of.muscles.iter().map(|muscle| muscle.name.clone()).collect::<BTreeSet<_>>();
    assert_eq!(names(again), names(&first));
    let [was, is] = [&first, again].map(|of| Body::bind(&studio.project.character, of).unwrap());
    let place =
        |body: &Body, of: &Musculature, name: &str| Vec3::from(body.rest_ellipsoid(of.find(name).unwrap()).translation);
    for Muscle { name, .. } in &first.muscles {
        let off = place(&was, &first, name).distance(place(&is, again, name));
        // the file has three digits, and seating is free to press a line that lies at the fat once more
        assert!(off < 5e-3, "{name} lies {off} m off");
    }
}

#[test]
fn a_broken_template_is_told_with_its_line_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = arm();
    let first = studio.document().clone();
    let cases = [
        ("broken.toml", "name = \"x\"\n[[muscle]\n", "line 2, column"),
        (
            "range.toml",
            "name = \"x\"\n\n[defaults]\ndamping = 7\n\n[[muscle]]\nname = \"a\"\ngroup = \"g\"\norigin = { bone = \"shoulder\", t = 1.0, angle = 10, depth = 0.5 }\ninsertion = { bone = \"lower_arm\", t = 0.12, angle = 0, depth = 0.4 }\nsize = 0.1\n",
            "line 4",
        ),
        ("gone.toml", "", "check the path"),
    ];
    for (name, text, told) in cases {
        let path = folder.path().join(name);
        if !text.is_empty() {
            std::fs::write(&path, text).unwrap();
        }
        studio.fault = None;
        studio.apply(Fit::Recipe(Recipe { anatomy: Anatomy::File(path), ..Recipe::default() }));
        studio.apply(Fit::Run);
        wait(&mut studio);
        let fault = studio.fault.clone().expect(name).to_string();
        assert!(fault.contains(name) && fault.contains(told), "{fault}");
        assert_eq!(studio.document(), &first);
    }
    studio.fault = None;
    studio.apply(Fit::SaveTemplate("/no/such/folder/mine.toml".into()));
    wait(&mut studio);
    assert!(studio.fault.is_some() && studio.document() == &first);
}

#[test]
fn a_role_is_given_to_another_joint_before_it_is_run() {
    let mut studio = athlete();
    let joint = studio.fit.found.roles.get(Role::LowerArm, Side::Left).expect("a forearm");
    let mut recipe = Recipe { anatomy: Anatomy::Humanoid, ..Recipe::default() };
    recipe.given.insert((Role::LowerArm, Some(Side::Left)), None);
    assert_eq!(recipe.roles(&studio.fit.found).roles.get(Role::LowerArm, Side::Left), None);
    studio.apply(Fit::Recipe(recipe.clone()));
    studio.apply(Fit::Run);
    wait(&mut studio);
    let report = studio.fit.report.clone().expect("a report");
    assert!(report.missing.iter().any(|role| role == "lower_arm.l"), "{:?}", report.missing);
    assert!(report.left_out.iter().any(|muscle| muscle.starts_with("biceps_brachii_long.l")), "{:?}", report.left_out);
    recipe.given.insert((Role::LowerArm, Some(Side::Left)), Some(joint));
    assert_eq!(recipe.roles(&studio.fit.found).roles, studio.fit.found.roles);
}

#[test]
fn a_plane_is_turned_by_its_handle_in_the_view_in_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    fitted(studio_mut(&mut window), Anatomy::Pairs, Preset::Pratscher);
    studio_mut(&mut window).apply(Look::Tool(Tool::Cut));
    wait_for_regions(&mut window);
    let before = studio(&window).document().clone();
    let camera = window.state().session().unwrap().viewport.camera;
    // a click on the skin chooses its pair
    let arm = seen(&window, Vec3::new(0.0, 0.15, 0.0));
    window.hover_at(arm);
    window.run_steps(1);
    window.drag_at(arm);
    window.drop_at(arm);
    window.run_steps(2);
    assert_eq!(studio(&window).chosen.len(), 2);
    let flesh = studio(&window).fit.flesh().unwrap();
    let bone = &flesh.bones()[0];
    let handle = |degrees: f32| {
        let (middle, normal) = flesh.plane(0, degrees);
        middle + bone.bone.along().cross(normal) * (1.7 * bone.thick)
    };
    let (from, to) = (seen(&window, handle(bone.found)), seen(&window, handle(bone.found + 30.0)));
    drag(&mut window, from, to);
    let turned = studio(&window).document().fitting.turned.get("upper").copied().expect("it is turned");
    let off = (turned - bone.found - 30.0).rem_euclid(360.0);
    assert!(off.min(360.0 - off) < 2.0, "{turned} from {}", bone.found);
    assert_eq!(window.state().session().unwrap().viewport.camera, camera, "the camera stayed");
    click(&mut window, "Undo");
    assert_eq!(studio(&window).document(), &before, "a drag is one step");
}

#[test]
fn a_number_in_the_window_turns_the_plane() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let studio_now = studio_mut(&mut window);
    fitted(studio_now, Anatomy::Pairs, Preset::Pratscher);
    studio_now.apply(Look::Select(Some(0), false));
    studio_now.apply(Fit::Show(true));
    wait_for_regions(&mut window);
    let before = studio(&window).document().clone();
    let at = window.get_by_role_and_label(egui::Role::Slider, "Angle").rect();
    drag(&mut window, at.left_center() + egui::vec2(20.0, 0.0), at.left_center() + egui::vec2(60.0, 0.0));
    assert!(studio(&window).document().fitting.turned.contains_key("upper"));
    click(&mut window, "Undo");
    assert_eq!(studio(&window).document(), &before);
}

fn bull() -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/gltf/Quaternius_Bull.glb");
    let is_there = path.exists();
    if !is_there {
        skipped!("the bull: {} is not there", path.display());
    }
    is_there.then_some(path)
}

/// How many of twelve hues are seen in more than a few pixels of the view that have any.
fn hues(window: &mut Window) -> usize {
    let (picture, view) = (window.render().expect("a picture"), view(window));
    let is_seen = |x: u32, y: u32| view.contains(egui::pos2(x as f32, y as f32));
    let mut counts = [0; 12];
    for (_, _, pixel) in picture.enumerate_pixels().filter(|(x, y, _)| is_seen(*x, *y)) {
        let [r, g, b, _] = pixel.0;
        let hue = egui::ecolor::Hsva::from_srgb([r, g, b]);
        if hue.s > 0.3 && hue.v > 0.15 {
            counts[((12.0 * hue.h) as usize).min(11)] += 1;
        }
    }
    counts.into_iter().filter(|&count| count > 50).count()
}

/// How many pixels of the window are blue, as planes are.
fn blue(window: &mut Window) -> usize {
    let picture = window.render().expect("a picture");
    picture.pixels().filter(|pixel| pixel.0[2] > pixel.0[0].saturating_add(60)).count()
}

#[test]
fn the_window_of_the_fit_and_planes_and_regions_are_seen() {
    let Some(mut window) = drawn(Begin::Athlete(Some(3_700)), "the window of the fit") else { return };
    studio_mut(&mut window).apply(Fit::Show(true));
    studio_mut(&mut window).apply(Fit::Run);
    window.run_steps(3);
    window.get_by_label("Stop");
    look(&mut window, "fit_runs");
    wait_for_fit(&mut window);
    window.get_by_label_contains("of the bellies inside the skin");
    look(&mut window, "fit_done");
    studio_mut(&mut window).apply(Fit::Show(false));
    window.run_steps(2);
    let skin = hues(&mut window);
    studio_mut(&mut window).apply(Look::Show(Show::Regions));
    wait_for_regions(&mut window);
    let regions = hues(&mut window);
    assert!(regions > skin + 3, "every bone's skin has its own colour: {regions} hues, where the skin has {skin}");
    look(&mut window, "fit_regions");
    let Some(bull) = bull() else { return };
    let Some(mut window) = drawn(Begin::File(bull), "planes of the bull") else { return };
    fitted(studio_mut(&mut window), Anatomy::Pairs, Preset::Pratscher);
    studio_mut(&mut window).apply(Look::Show(Show::Both));
    studio_mut(&mut window).apply(Look::Tool(Tool::Cut));
    studio_mut(&mut window).apply(Fit::Show(true));
    wait_for_regions(&mut window);
    let flesh = studio(&window).fit.flesh().unwrap();
    let longest = (0..flesh.bones().len()).max_by(|&a, &b| flesh.bones()[a].thick.total_cmp(&flesh.bones()[b].thick));
    let names = flesh.muscles_of(longest.expect("it has flesh"));
    for name in &names {
        let m = index(studio(&window), name);
        studio_mut(&mut window).apply(Look::Select(Some(m), true));
    }
    window.run_steps(2);
    let with_plane = blue(&mut window);
    look(&mut window, "fit_bull_plane");
    studio_mut(&mut window).apply(Look::Tool(Tool::Select));
    window.run_steps(2);
    let without = blue(&mut window);
    assert!(with_plane > without + 500, "the plane is seen: {with_plane} blue pixels, {without} without it");
    studio_mut(&mut window).apply(Fit::Show(false));
    studio_mut(&mut window).apply(Look::Show(Show::Regions));
    window.run_steps(3);
    look(&mut window, "fit_bull_regions");
}

#[test]
fn a_window_on_the_athlete_fits_while_it_is_drawn() {
    let mut window = open(Begin::Athlete(Some(3_700)));
    click(&mut window, "Rig");
    click(&mut window, "lee");
    window.run_steps(2);
    assert!(studio(&window).is_fitting(), "the window goes on");
    window.get_by_label("Stop");
    wait_for_fit(&mut window);
    assert!(studio(&window).fault.is_none() && studio(&window).muscles().len() > 60);
}
