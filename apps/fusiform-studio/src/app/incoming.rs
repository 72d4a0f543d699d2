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
