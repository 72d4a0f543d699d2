//! What the panels look like: written as pictures where somebody asks for them with `FUSIFORM_LOOK`.

use crate::window::{click, drawn, look, studio, studio_mut};
use fusiform_fit::Preset;
use fusiform_studio::app::Begin;
use fusiform_studio::model::keys::{add_key, no_keys};
use fusiform_studio::model::{Edit, Look, Part, Play, Show};

#[test]
fn every_tab_is_drawn_dark_and_light() {
    if std::env::var_os("FUSIFORM_LOOK").is_none() {
        return; // nobody looks
    }
    let Some(mut window) = drawn(Begin::Athlete(Some(3_700)), "pictures of the panels") else { return };
    studio_mut(&mut window).apply(Look::Show(Show::Both));
    for (theme, name) in [(egui::Theme::Dark, "dark"), (egui::Theme::Light, "light")] {
        window.ctx.set_theme(theme);
        for preset in [Preset::Lee, Preset::Murai, Preset::Saam] {
            studio_mut(&mut window).apply(Edit::Rig(preset));
            let muscles = studio(&window).muscles();
            let biceps = muscles.iter().position(|muscle| muscle.name.starts_with("biceps"));
            studio_mut(&mut window).apply(Look::Select(biceps, false));
            for tab in ["Muscle", "Body", "Skin", "Activation"] {
                click(&mut window, &format!("{tab} tab"));
                window.run_steps(3);
                look(&mut window, &format!("{name}_{}_{tab}", preset.name()));
            }
            click(&mut window, "Muscle tab");
        }
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
    look(&mut window, "light_curves");
    window.ctx.set_theme(egui::Theme::Dark);
    window.run_steps(3);
    look(&mut window, "dark_curves");
}
