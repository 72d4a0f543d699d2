//! Web: the studio on a page. What is exported here is called by `web/page.js`.

use crate::app::{App, Begin, Widget, graphics, seen, watched};
use crate::model::{Recovery, system};
use eframe::{WebOptions, WebRunner};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

thread_local! {
    static RUNNER: RefCell<Option<(WebRunner, egui::Context)>> = const { RefCell::new(None) };
}

fn with_app<R>(work: impl FnOnce(&mut App) -> R) -> Option<R> {
    let runner = RUNNER.with_borrow(|runner| runner.as_ref().map(|(runner, _)| runner.clone()))?;
    let mut app = runner.app_mut::<App>()?;
    Some(work(&mut app))
}

fn context() -> Option<egui::Context> {
    RUNNER.with_borrow(|runner| runner.as_ref().map(|(_, context)| context.clone()))
}

/// Begin on a canvas: with the athlete, or with the offer to bring back what an earlier page left behind.
///
/// # Errors
/// When the browser has no graphics for us.
#[wasm_bindgen]
pub async fn start(canvas: JsValue, process: u32, others: Vec<u32>) -> Result<(), JsValue> {
    system::set_processes(process, &others);
    let recovery = Recovery::in_folder(system::KEPT.into());
    let begin = if recovery.left_behind().is_empty() { Begin::Athlete(None) } else { Begin::Empty };
    let runner = WebRunner::new();
    let kept = runner.clone();
    let make: eframe::AppCreator<'static> = Box::new(move |made| {
        made.egui_ctx.add_plugin(Widgets::default());
        RUNNER.set(Some((kept, made.egui_ctx.clone())));
        Ok(Box::new(App::new(made.wgpu_render_state.clone(), &begin, Some(recovery))))
    });
    let options = WebOptions { wgpu_options: graphics(), ..WebOptions::default() };
    runner.start(canvas.dyn_into()?, options, make).await
}

/// A file that an earlier page kept, seconds since 1970; called before [`start`].
#[wasm_bindgen]
pub fn put(name: &str, bytes: Vec<u8>, when: f64) {
    system::put(name, bytes, when);
}

/// One of the files that people chose; `is_last` when all are there.
#[wasm_bindgen]
pub fn choose(name: String, bytes: Vec<u8>, is_last: bool) {
    thread_local! {
        static CHOSEN: RefCell<Vec<(String, Result<Vec<u8>, String>)>> = const { RefCell::new(Vec::new()) };
    }
    CHOSEN.with_borrow_mut(|chosen| chosen.push((name, Ok(bytes))));
    if is_last {
        system::arrive(CHOSEN.take());
        if let Some(context) = context() {
            context.request_repaint();
        }
    }
}

/// The browser's store takes nothing, and why; none once it takes it again.
#[wasm_bindgen]
pub fn refuse(message: Option<String>) {
    system::refuse(message);
}

/// Whether there is work that is in no file.
#[wasm_bindgen]
pub fn is_unsaved() -> bool {
    with_app(|app| app.session().is_some_and(|session| session.studio.history.is_unsaved())).unwrap_or(false)
}

/// Why the studio stopped, if it did.
#[wasm_bindgen]
pub fn stopped() -> Option<String> {
    RUNNER.with_borrow(|runner| Some(runner.as_ref()?.0.panic_summary()?.message()))
}

/// What the window is at, as JSON.
#[wasm_bindgen]
pub fn state() -> Option<String> {
    serde_json::to_string(&with_app(|app| app.watch())?).ok()
}

/// What can be seen and touched, as JSON: role, name, value and place, in points of the page. Asked for the first time,
/// it begins to be gathered: none then.
#[wasm_bindgen]
pub fn widgets() -> Option<String> {
    let context = context()?;
    watched(&context);
    context.with_plugin(|widgets: &mut Widgets| serde_json::to_string(&widgets.seen).ok())?
}

/// Those of the last frame; none until somebody asks.
#[derive(Default)]
struct Widgets {
    seen: Vec<Widget>,
}

impl egui::Plugin for Widgets {
    fn debug_name(&self) -> &'static str {
        "widgets"
    }

    fn output_hook(&mut self, _context: &egui::Context, output: &mut egui::FullOutput) {
        if let Some(update) = output.platform_output.accesskit_update.take() {
            self.seen = seen(&update).0;
        }
    }
}
