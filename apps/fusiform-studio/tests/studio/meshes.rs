//! Meshes that are hidden are neither seen nor worked on.

use crate::painting::strike;
use crate::wearing::{opened, sleeve, weighs};
use crate::window::{Window, click, drag, on_arm, press, seen, studio, studio_mut, view};
use egui::Modifiers;
use egui_kittest::kittest::Queryable;
use fusiform::Mesh;
use fusiform_studio::model::{Brush, Look, Mode, Show, Studio, Tool, flood, prune};
use fusiform_studio::view::{muscle_at, skin_at};
use glam::Vec3;
use std::path::Path;

/// The arm in its sleeve, a muscle of it in hand to be painted.
fn dressed(folder: &Path) -> Window {
    let mut window = on_arm(folder);
    *studio_mut(&mut window) = to_paint(vec![sleeve()]);
    window.run_steps(2);
    window
}

fn to_paint(more: Vec<Mesh>) -> Studio {
    let mut studio = opened(more);
    studio.apply(Look::Mirrored(false));
    studio.apply(Look::Tool(Tool::Paint));
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Look::Brush(Brush { radius: 0.09, strength: 0.5, ..studio.brush }));
    studio
}

fn both(studio: &Studio) -> [f32; 2] {
    [0, 1].map(|mesh| weighs(studio, mesh))
}

#[test]
fn a_stroke_goes_to_the_skin_under_a_mesh_that_is_hidden_and_to_the_mesh_itself_once_it_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = dressed(folder.path());
    let before = both(studio(&window));
    let [from, to] = [0.2, 0.45].map(|y| seen(&window, Vec3::new(0.0, y, 0.0)));
    click(&mut window, "Show mesh sleeve");
    assert!(studio(&window).hidden_meshes.iter().eq([&1]));
    drag(&mut window, from, to);
    let under = both(studio(&window));
    assert!(under[0] > before[0] + 0.1 && under[1] == before[1], "{before:?} to {under:?}");
    click(&mut window, "Undo");
    assert_eq!(studio(&window).hidden_meshes.len(), 1, "hiding is no edit");
    click(&mut window, "Show mesh sleeve");
    drag(&mut window, from, to);
    let over = both(studio(&window));
    assert!(over[1] > before[1] + 0.1 && over[0] == before[0], "{before:?} to {over:?}");
}

#[test]
fn a_muscle_is_put_on_the_mesh_that_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    for (hides, expected) in [(true, 0.05), (false, 0.055)] {
        let mut window = dressed(folder.path());
        studio_mut(&mut window).apply(Look::HideMesh(1, hides));
        studio_mut(&mut window).apply(Look::Tool(Tool::Create));
        window.run_steps(2);
        let (rect, camera) = (view(&window), window.state().session().unwrap().viewport.camera);
        let at = (seen(&window, Vec3::Y * 0.2) - rect.min) / rect.size();
        let ray = camera.ray(glam::Vec2::new(at.x, at.y), rect.aspect_ratio());
        let now = studio(&window);
        let hit = skin_at(now, now.live.muscled().1, ray).unwrap();
        let out = hit.place.with_y(0.0).length();
        assert!((out - expected).abs() < 0.1 * 0.05, "{out} m where {expected} is seen");
        for y in [0.1, 0.45] {
            let at = seen(&window, Vec3::new(0.0, y, 0.0));
            press(&mut window, at);
        }
        assert!(studio(&window).muscles().len() > 2, "{:?}", studio(&window).fault);
    }
}

#[test]
fn what_is_done_at_once_and_what_a_mirror_shows_leave_hidden_meshes_alone() {
    let mut studio = to_paint(vec![sleeve()]);
    let before = both(&studio);
    studio.apply(Look::HideMesh(1, true));
    studio.apply(flood(&studio).expect("a muscle is chosen"));
    let flooded = both(&studio);
    assert!(flooded[0] > before[0] && flooded[1] == before[1], "{before:?} to {flooded:?}");
    studio.apply(Look::HideMesh(0, true));
    studio.apply(Look::HideMesh(1, false));
    studio.apply(flood(&studio).expect("a muscle is chosen"));
    studio.apply(Look::HideMesh(1, true));
    studio.apply(Look::HideMesh(0, false));
    let all = both(&studio);
    assert!(all[1] > before[1]);
    studio.apply(prune(&studio, 0.9).expect("a muscle is chosen"));
    let pruned = both(&studio);
    assert!(pruned[0] < all[0] && pruned[1] == all[1], "{all:?} to {pruned:?}");
    // the image of a stroke on the left of the arm, which lies on its right, is not painted on what is hidden
    studio.apply(Look::Mirrored(true));
    studio.apply(Look::HideMesh(0, true));
    studio.apply(Look::HideMesh(1, false));
    strike(&mut studio, Mode::Add, &[73 + 3 * 8]);
    let mirrored = both(&studio);
    assert!(mirrored[1] > pruned[1] && mirrored[0] == pruned[0], "{pruned:?} to {mirrored:?}");
}

/// The lower half of the arm's skin once more, in the other half's place: they meet where that begins.
fn halves() -> Studio {
    let mut mesh = sleeve();
    mesh.positions.iter_mut().for_each(|p| *p = *p / Vec3::new(1.1, 1.0, 1.1) + Vec3::Y * 0.6);
    to_paint(vec![mesh])
}

#[test]
fn a_seam_between_what_is_shown_and_what_is_hidden_does_not_tear() {
    let mut studio = halves();
    studio.apply(Look::HideMesh(1, true));
    studio.apply(Look::Brush(Brush { strength: 1.0, value: 0.7, ..studio.brush }));
    strike(&mut studio, Mode::Replace, &[64]);
    let weight = |mesh: usize, v: usize| {
        let of = studio.document().musculature.weights[mesh].of(v);
        of.filter(|(m, _)| *m == 0).map(|(_, weight)| weight).sum::<f32>()
    };
    assert_eq!(weight(0, 64), weight(1, 0), "one place");
    assert!((weight(1, 0) - 0.7).abs() < 1e-3 && (8..72).all(|v| weight(1, v) == 0.0), "and nothing beyond it");
}

#[test]
fn a_click_on_a_muscle_does_not_go_to_the_skin_of_a_hidden_mesh() {
    let mut studio = to_paint(vec![sleeve()]);
    studio.apply(Look::Show(Show::Skin));
    // from the right: the left muscle lies on the far side of the body
    let ray = (Vec3::new(-2.0, 0.2, 0.0), Vec3::X);
    assert_eq!(muscle_at(&studio, ray).map(|(m, _)| m), Some(1));
    for mesh in [0, 1] {
        studio.apply(Look::HideMesh(mesh, true));
    }
    assert_eq!(muscle_at(&studio, ray).map(|(m, _)| m), Some(1), "without any skin the nearest");
}

#[test]
fn meshes_are_listed_where_there_are_several_and_an_alt_click_shows_one_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    assert!(window.query_by_label("Show mesh skin").is_none(), "one is no choice");
    *studio_mut(&mut window) = opened(vec![sleeve(), Mesh { name: "cuff".into(), ..sleeve() }]);
    window.run_steps(2);
    let hidden = |window: &Window| studio(window).hidden_meshes.iter().copied().collect::<Vec<_>>();
    let alone = |window: &mut Window, label: &str| {
        window.get_by_label(label).click_modifiers(Modifiers::ALT);
        window.run_steps(2);
    };
    alone(&mut window, "Show mesh sleeve");
    assert_eq!(hidden(&window), [0, 2]);
    alone(&mut window, "Show mesh skin");
    assert_eq!(hidden(&window), [1, 2], "another");
    alone(&mut window, "Show mesh skin");
    assert!(hidden(&window).is_empty(), "all again");
    click(&mut window, "Meshes (3)");
    window.run_steps(30);
    assert!(window.query_by_label("Show mesh skin").is_none(), "folded");
}

#[test]
fn a_mesh_that_is_not_there_is_not_hidden() {
    let mut studio = opened(Vec::new());
    studio.apply(Look::HideMesh(1, true));
    assert!(studio.hidden_meshes.is_empty());
}
