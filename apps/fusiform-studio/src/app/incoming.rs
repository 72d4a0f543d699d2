//! Incoming: files that people drop on the window, or choose.

use egui::Ui;
use std::path::PathBuf;

/// Files that have come since the last frame.
#[cfg(not(target_arch = "wasm32"))]
pub fn incoming(ui: &Ui) -> Vec<PathBuf> {
    ui.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect())
}

/// Files that have come since the last frame: a browser hands them over some frames after they were dropped.
#[cfg(target_arch = "wasm32")]
pub fn incoming(ui: &Ui) -> Vec<PathBuf> {
    use crate::model::system;
    let dropped = ui.input(|input| input.raw.dropped_files.clone());
    if !dropped.is_empty() {
        let context = ui.ctx().clone();
        wasm_bindgen_futures::spawn_local(async move {
            let mut files = Vec::new();
            for file in dropped {
                files.push((file.path().display().to_string(), file.bytes_async().await));
            }
            system::arrive(files);
            context.request_repaint();
        });
    }
    system::take_arrived()
}

/// A button that lets people choose a file, where the system has a way to.
pub fn choose(ui: &mut Ui) {
    #[cfg(target_arch = "wasm32")]
    if ui.button("Open").on_hover_text("Choose a .glb, a .gltf with the files beside it, or a .bvh").clicked() {
        crate::model::system::choose();
    }
    #[cfg(not(target_arch = "wasm32"))]
    let _ = ui;
}
