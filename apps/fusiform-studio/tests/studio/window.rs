//! The window in a test: found by what it says, clicked, dragged, and looked at.

use crate::arm;
use egui::{DroppedFile, Pos2, Rect, Shape, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use fusiform_fit::{Flesh, Preset, Template};
use fusiform_studio::app::{App, Begin};
use fusiform_studio::model::{Fit, Recipe, Studio};
use glam::Vec3;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A window of the studio.
pub type Window = Harness<'static, App>;

/// On the arm, in a file of that folder. Needs no graphics adapter, and shows no picture.
pub fn on_arm(folder: &Path) -> Window {
    on(folder, &arm::glb())
}

/// Likewise on the file of those bytes.
pub fn on(folder: &Path, bytes: &[u8]) -> Window {
    let path = folder.join("arm.glb");
    std::fs::write(&path, bytes).expect("a temporary folder");
    open(Begin::File(path))
}

/// On anything.
pub fn open(begin: Begin) -> Window {
    let builder = Harness::builder().with_size(vec2(1280.0, 800.0));
    let mut window = builder.build_eframe(move |context| App::new(context.wgpu_render_state.clone(), &begin, None));
    settled(&mut window);
    window
}

/// With pictures; none, and says so loudly, where there is no graphics adapter.
pub fn drawn(begin: Begin, what: &str) -> Option<Window> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    if pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default())).is_err() {
        skipped!("{what}: there is no graphics adapter");
        return None;
    }
    let builder = Harness::builder().with_size(vec2(1280.0, 800.0)).wgpu();
    let mut window = builder.build_eframe(move |context| App::new(context.wgpu_render_state.clone(), &begin, None));
    settled(&mut window);
    Some(window)
}

/// Write the window as it is to `$FUSIFORM_LOOK/NAME.png`; nothing where that is not set.
pub fn look<S>(window: &mut Harness<'static, S>, name: &str) {
    let Some(folder) = std::env::var_os("FUSIFORM_LOOK") else { return };
    let picture = window.render().expect("a window with pictures");
    picture.save(Path::new(&folder).join(format!("{name}.png"))).expect("a folder to write to");
}

/// The session.
pub fn studio(window: &Window) -> &Studio {
    &window.state().session().expect("a file is open").studio
}

/// The session, to work on.
pub fn studio_mut(window: &mut Window) -> &mut Studio {
    &mut window.state_mut().session_mut().expect("a file is open").studio
}

/// Where the view is in the window.
pub fn view(window: &Window) -> Rect {
    window.get_by_label("View of the character").rect()
}

/// Where a point of the model is in the window.
pub fn seen(window: &Window, point: Vec3) -> Pos2 {
    let rect = view(window);
    let camera = window.state().session().expect("a file is open").viewport.camera;
    let at = camera.project(point, rect.aspect_ratio()).expect("before the eye");
    rect.lerp_inside(vec2(at.x, at.y))
}

/// All that is drawn in the window, with what of the window it is seen in.
pub fn shapes(window: &Window) -> Vec<(Rect, Shape)> {
    fn put(clip: Rect, shape: &Shape, into: &mut Vec<(Rect, Shape)>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| put(clip, shape, into)),
            Shape::Noop => {}
            shape => into.push((clip, shape.clone())),
        }
    }
    let mut all = Vec::new();
    window.output().shapes.iter().for_each(|of| put(of.clip_rect, &of.shape, &mut all));
    all
}

/// What is written in the window, where, and what of the window that is seen in.
pub fn written(window: &Window) -> Vec<(String, Rect, Rect)> {
    let of = |(clip, shape): (Rect, Shape)| match shape {
        Shape::Text(text) => {
            Some((text.galley.text().to_owned(), text.galley.rect.translate(text.pos.to_vec2()), clip))
        }
        _ => None,
    };
    shapes(window).into_iter().filter_map(of).collect()
}

/// Words over the view, but for those that stand there instead of a picture.
pub fn words(window: &Window) -> Vec<(String, Rect)> {
    let view = view(window);
    let is_over = |(text, rect, clip): &(String, Rect, Rect)| {
        view.contains_rect(*clip) && clip.intersects(*rect) && text != "no graphics adapter"
    };
    written(window).into_iter().filter(is_over).map(|(text, rect, _)| (text, rect)).collect()
}

/// Press, move in steps, let go.
pub fn drag(window: &mut Window, from: Pos2, to: Pos2) {
    pull(window, from, to);
    window.drop_at(to);
    window.run_steps(2);
}

/// Press and move in steps, without letting go.
pub fn pull(window: &mut Window, from: Pos2, to: Pos2) {
    window.hover_at(from);
    window.run_steps(1);
    window.drag_at(from);
    window.run_steps(1);
    for step in 1..=8 {
        window.hover_at(from + (to - from) * (step as f32 / 8.0));
        window.run_steps(1);
    }
}

/// Press and let go at once: what is held for longer is no click.
pub fn press(window: &mut Window, at: Pos2) {
    window.hover_at(at);
    window.run_steps(1);
    window.drag_at(at);
    window.run_steps(1);
    window.drop_at(at);
    window.run_steps(2);
}

/// Click what says that; files that are opened or saved then are waited for.
pub fn click(window: &mut Window, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(2);
    settled(window);
}

/// Until nothing is being opened or saved.
pub fn settled(window: &mut Window) {
    let begin = Instant::now();
    // one that is open waits for the answer to a question
    while window.state().under_way().is_some() && !window.state().is_asking() {
        std::thread::sleep(Duration::from_millis(2));
        window.run_steps(2);
        assert!(begin.elapsed() < PATIENCE, "it does not come to an end");
    }
    window.run_steps(2); // what came of it is seen
}

/// Until what is fitted beside the window is done.
pub fn wait_for_fit(window: &mut Window) {
    fitted(studio_mut(window));
    window.run_steps(2);
}

/// The same without a window.
pub fn fitted(studio: &mut Studio) {
    let begin = Instant::now();
    while studio.is_fitting() {
        studio.look_after();
        std::thread::sleep(Duration::from_millis(5));
        assert!(begin.elapsed() < PATIENCE, "it does not come to an end");
    }
}

/// The body cut into regions as it is now, as the window of the fit has it cut.
pub fn cut(studio: &mut Studio) -> Arc<Flesh> {
    let (begin, shown) = (Instant::now(), studio.fit.shown);
    studio.apply(Fit::Show(true));
    let flesh = loop {
        studio.look_after();
        if let Some(flesh) = studio.fit.fresh_flesh(studio.document()) {
            break flesh;
        }
        std::thread::sleep(Duration::from_millis(5));
        assert!(begin.elapsed() < PATIENCE, "it does not come to an end");
    };
    studio.apply(Fit::Show(shown));
    flesh
}

/// Give it muscles after somebody, as the menu does.
pub fn rig(studio: &mut Studio, preset: Preset) {
    studio.apply(Fit::Recipe(Recipe { preset, ..Recipe::default() }));
    studio.apply(Fit::Run);
    fitted(studio);
}

/// How long anything may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(300);

#[derive(Debug)]
struct Dropped(PathBuf);

impl DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

/// A file is dropped on it.
pub fn drop_on(window: &mut Window, path: &Path) {
    drop_all_on(window, &[path]);
}

/// Files are dropped on it together.
pub fn drop_all_on(window: &mut Window, paths: &[&Path]) {
    begin_drop(window, paths);
    window.run_steps(2);
    settled(window);
}

/// The same without waiting for what comes of it.
pub fn begin_drop(window: &mut Window, paths: &[&Path]) {
    for path in paths {
        window.input_mut().dropped_files.push(Arc::new(Dropped(path.to_path_buf())));
    }
    window.run_steps(1);
}

/// A template of few muscles, in a file.
pub fn template_in(folder: &Path) -> PathBuf {
    let mut template = Template::humanoid();
    template.name = "arms".into();
    template.muscles.retain(|muscle| muscle.name.contains("brachii"));
    template.sheets.clear();
    assert!(template.muscles.len() < 8);
    let path = folder.join("arms.toml");
    std::fs::write(&path, template.to_toml()).expect("a temporary folder");
    path
}
