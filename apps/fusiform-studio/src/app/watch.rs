//! Watch: the window as another program sees it: what it is at, and what is where, as one JSON document. Tests of a real
//! window find what to click by what it says.

use super::{App, Seen};
use crate::app::widgets::{Widget, seen};
use egui::{Context, FullOutput, Id, Plugin};
use serde::Serialize;
use std::sync::Arc;

/// From pressing to letting go, s; people who hold for longer mean something else, programs do not.
const LONGEST_CLICK: f64 = 60.0;

/// Tells whenever anything in the window has changed.
pub struct Watcher {
    tell: Box<dyn FnMut(&str) + Send + Sync>,
    told: String,
}

#[derive(Serialize)]
struct Told<'a> {
    window: Option<&'a Seen>,
    /// Name of what has the keyboard.
    focus: Option<String>,
    widgets: Vec<Widget>,
}

/// Where the app leaves what it is at for the watcher.
fn left() -> Id {
    Id::unique("what the window is at")
}

type Left = Option<Arc<Seen>>;

impl Watcher {
    /// Begin; `tell` gets the document, whole.
    pub fn begin(context: &Context, tell: impl FnMut(&str) + Send + Sync + 'static) {
        watched(context);
        context.data_mut(|data| data.insert_temp(left(), Left::None));
        context.add_plugin(Self { tell: Box::new(tell), told: String::new() });
    }
}

/// Widgets are told of, and a press in a frame that takes seconds is still a click: whoever watches touches what was there.
pub(crate) fn watched(context: &Context) {
    context.enable_accesskit();
    context.options_mut(|options| options.input_options.max_click_duration = LONGEST_CLICK);
}

/// Leave what the window is at for the watcher; nothing where nobody watches.
pub(super) fn leave(context: &Context, app: &App) {
    if let Some(was) = context.data(|data| data.get_temp::<Left>(left())) {
        let last = was.as_ref().and_then(|seen| seen.session.as_ref());
        context.data_mut(|data| data.insert_temp(left(), Some(Arc::new(app.watch_after(last)))));
    }
}

impl Plugin for Watcher {
    fn debug_name(&self) -> &'static str {
        "watcher"
    }

    fn output_hook(&mut self, context: &Context, output: &mut FullOutput) {
        let Some(update) = &output.platform_output.accesskit_update else { return };
        let window = context.data(|data| data.get_temp::<Left>(left())).flatten();
        let (widgets, focus) = seen(update);
        let told = Told { window: window.as_deref(), focus, widgets };
        let text = serde_json::to_string(&told).unwrap_or_default();
        if text != self.told {
            (self.tell)(&text);
            self.told = text;
        }
    }
}
