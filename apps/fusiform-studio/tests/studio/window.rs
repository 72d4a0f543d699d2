//! The window in a test: found by what it says, clicked, dragged, and looked at.

use crate::arm;
use egui::{Pos2, Rect, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use fusiform_studio::app::{App, Begin};
use fusiform_studio::model::Studio;
use glam::Vec3;
use std::path::Path;

/// A window of the studio.
pub type Window = Harness<'static, App>;

/// On the arm, in a file of that folder. Needs no graphics adapter, and shows no picture.
pub fn on_arm(folder: &Path) -> Window {
    let path = folder.join("arm.glb");
    std::fs::write(&path, arm::glb()).expect("a temporary folder");
    open(Begin::File(path))
}

/// On anything.
pub fn open(begin: Begin) -> Window {
    let builder = Harness::builder().with_size(vec2(1280.0, 800.0));
    let mut window = builder.build_eframe(move |context| App::new(context.wgpu_render_state.clone(), &begin, None));
    window.run_steps(2);
    window
}

/// With pictures; none, and says so loudly, where there is no graphics adapter.
pub fn drawn(begin: Begin, what: &str) -> Option<Window> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    if pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default())).is_err() {
        eprintln!("\nSKIPPED {what}: there is no graphics adapter\n");
        return None;
    }
    let builder = Harness::builder().with_size(vec2(1280.0, 800.0)).wgpu();
    let mut window = builder.build_eframe(move |context| App::new(context.wgpu_render_state.clone(), &begin, None));
    window.run_steps(2);
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

/// Press, move in steps, let go.
pub fn drag(window: &mut Window, from: Pos2, to: Pos2) {
    window.hover_at(from);
    window.run_steps(1);
    window.drag_at(from);
    window.run_steps(1);
    for step in 1..=8 {
        window.hover_at(from + (to - from) * (step as f32 / 8.0));
        window.run_steps(1);
    }
    window.drop_at(to);
    window.run_steps(2);
}

/// Click what says that.
pub fn click(window: &mut Window, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(2);
}

/// Until what is fitted beside the window is done.
pub fn wait_for_fit(window: &mut Window) {
    let begin = std::time::Instant::now();
    while studio(window).is_fitting() {
        window.run_steps(1);
        std::thread::sleep(std::time::Duration::from_millis(5));
        assert!(begin.elapsed().as_secs() < 300, "it does not come to an end");
    }
    window.run_steps(2);
}
