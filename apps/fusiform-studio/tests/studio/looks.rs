//! What the panels look like: nothing in them is cut off; and pictures of them where `FUSIFORM_LOOK` names a folder.

use crate::mousing::scroll;
use crate::window::{Window, click, drawn, look, open, rig, studio, studio_mut, view};
use egui::{Modifiers, MouseWheelUnit};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use fusiform_fit::Preset;
use fusiform_studio::app::Begin;
use fusiform_studio::model::keys::{add_key, no_keys};
use fusiform_studio::model::{Edit, Look, Part, Play, Show};

/// Tabs, and something that each has whatever muscles are like.
const TABS: [(&str, &str); 4] =
    [("Muscle", "Attachments"), ("Body", "Whole body"), ("Skin", "Layers"), ("Activation", "By hand")];

/// Nothing that has a name sticks out of the window to either side, or out of its panel into the view.
fn assert_nothing_is_cut_off(window: &Window, what: &str) {
    let (all, view) = (window.ctx.content_rect(), view(window));
    let nodes = window.root().children_recursive();
    for node in nodes.filter(|node| node.accesskit_node().raw_bounds().is_some()) {
        let (named, rect) = (node.accesskit_node().label(), node.rect());
        // what a panel is sized with lies on both sides of where it ends
        let named = named.filter(|name| name != "Resize panel" && rect.is_positive());
        let Some(name) = named else { continue };
        let is_inside = rect.left() >= all.left() - 1.0 && rect.right() <= all.right() + 1.0;
        assert!(is_inside, "{what}: {name} is cut off at the window's side: {rect}");
        let is_beside = rect.top() < view.bottom() && rect.bottom() > view.top();
        let crosses = |x: f32| is_beside && rect.left() < x - 1.0 && rect.right() > x + 1.0;
        assert!(!crosses(view.left()) && !crosses(view.right()), "{what}: {name} reaches into the view: {rect}");
    }
}

#[test]
fn nothing_in_any_tab_is_cut_off() {
    let begin = Begin::Athlete(Some(3_700));
    let pictures = std::env::var_os("FUSIFORM_LOOK").and_then(|_| drawn(begin.clone(), "pictures of the panels"));
    let has_pictures = pictures.is_some();
    let mut window = pictures.unwrap_or_else(|| open(begin));
    let shot = |window: &mut Window, name: &str| {
        for (theme, named) in [(egui::Theme::Dark, "dark"), (egui::Theme::Light, "light")] {
            if has_pictures {
                window.ctx.set_theme(theme);
                window.run_steps(3);
                look(window, &format!("{named}_{name}"));
            }
        }
    };
    studio_mut(&mut window).apply(Look::Show(Show::Both));
    for preset in [Preset::Lee, Preset::Murai, Preset::Saam] {
        rig(studio_mut(&mut window), preset);
        let muscles = studio(&window).muscles();
        let biceps = muscles.iter().position(|muscle| muscle.name.starts_with("biceps"));
        studio_mut(&mut window).apply(Look::Select(biceps, false));
        for (tab, label) in TABS {
            click(&mut window, &format!("{tab} tab"));
            window.run_steps(3);
            assert_nothing_is_cut_off(&window, &format!("{} {tab}", preset.name()));
            assert!(window.query_all_by_label(label).next().is_some(), "{} {tab}: no {label}", preset.name());
            shot(&mut window, &format!("{}_{tab}", preset.name()));
        }
        click(&mut window, "Muscle tab");
    }
    let clip = studio(&window).project.character.clips.iter().position(|clip| clip.name.contains("curl")).unwrap_or(0);
    let studio = studio_mut(&mut window);
    studio.apply(Play::Clip(Some(clip)));
    studio.apply(Look::Choose((0..4).collect()));
    let name = studio.project.character.clips[clip].name.clone();
    let tracks = [0, 2].map(|m: usize| {
        let mut track = no_keys(&studio.muscles()[m].name);
        for i in 0..5 {
            add_key(&mut track, 0.3 * i as f32, ((i * 3 + m) % 5) as f32 / 4.0);
        }
        track
    });
    studio.apply(Edit::Part(Part::Keys(name, tracks.into())));
    studio.apply(Play::Seek(0.4));
    click(&mut window, "Curves");
    window.run_steps(3);
    assert_nothing_is_cut_off(&window, "curves");
    shot(&mut window, "curves");
    let plot = window.get_by_label("Activation curves").rect().center();
    scroll(&mut window, plot, MouseWheelUnit::Line, egui::vec2(0.0, 4.0), Modifiers::NONE);
    assert_nothing_is_cut_off(&window, "curves from nearer");
    shot(&mut window, "curves_nearer");
}
