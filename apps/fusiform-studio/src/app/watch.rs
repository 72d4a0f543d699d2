//! Watch: the window as another program sees it. What is where, and what the session knows, as one JSON document: tests of a
//! real window, and of the page in a browser, find what to click by what it says.

use super::App;
use egui::{Context, FullOutput, Id, accesskit};
use serde_json::{Value, json};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Tells whenever anything in the window has changed.
pub struct Watch {
    tell: Box<dyn FnMut(&str) + Send + Sync>,
    told: String,
}

/// Where the app leaves what the session knows for the watch.
fn session_id() -> Id {
    Id::unique("watched session")
}

impl Watch {
    /// Begin; `tell` gets the document, whole.
    pub fn begin(context: &Context, tell: impl FnMut(&str) + Send + Sync + 'static) {
        context.enable_accesskit();
        context.data_mut(|data| data.insert_temp(session_id(), Value::Null));
        context.add_plugin(Self { tell: Box::new(tell), told: String::new() });
    }
}

/// Leave what the session knows for the watch; nothing where nobody watches.
pub(super) fn leave(context: &Context, app: &App) {
    let Some(was) = context.data(|data| data.get_temp::<Value>(session_id())) else { return };
    let session = app.session.as_ref().map(|session| {
        let studio = &session.studio;
        let history = &studio.history;
        let revision = json!(history.revision());
        let document = match was.get("revision") == Some(&revision) {
            true => was["document"].clone(),
            false => json!(fingerprint(studio.document())),
        };
        let chosen: Vec<&str> = studio.chosen.iter().map(|&m| &*studio.muscles()[m].name).collect();
        json!({
            "document": document,
            "revision": revision,
            "undo": history.undo_label(),
            "redo": history.redo_label(),
            "unsaved": history.is_unsaved(),
            "muscles": studio.muscles().len(),
            "chosen": chosen,
            "clip": studio.live.playing.clip,
            "time": studio.live.playing.time,
            "tool": format!("{:?}", studio.tool),
            "show": format!("{:?}", studio.show),
        })
    });
    let mut known = session.unwrap_or(json!({}));
    known["fault"] = json!(app.fault().map(ToString::to_string));
    context.data_mut(|data| data.insert_temp(session_id(), known));
}

/// Tells two documents apart; the same in every run of one build.
fn fingerprint(document: &crate::model::Document) -> String {
    let mut hasher = DefaultHasher::new();
    format!("{document:?}").hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

impl egui::Plugin for Watch {
    fn debug_name(&self) -> &'static str {
        "watch"
    }

    fn output_hook(&mut self, context: &Context, output: &mut FullOutput) {
        let Some(update) = &output.platform_output.accesskit_update else { return };
        let label = |id: &accesskit::NodeId| {
            update.nodes.iter().find(|(of, _)| of == id).and_then(|(_, node)| node.label().or(node.value()))
        };
        let named = |node: &accesskit::Node| {
            let name = node.labelled_by().iter().find_map(label).or(node.label()).or(node.value());
            name.map(ToOwned::to_owned)
        };
        let widgets: Vec<Value> = update.nodes.iter().filter_map(|(_, node)| widget(node, named(node)?)).collect();
        let focus = update.nodes.iter().find(|(of, _)| *of == update.focus).and_then(|(_, node)| named(node));
        let session = context.data(|data| data.get_temp::<Value>(session_id()));
        let text = json!({ "session": session, "focus": focus, "widgets": widgets }).to_string();
        if text != self.told {
            (self.tell)(&text);
            self.told = text;
        }
    }
}

/// What says something, and where it is in the window.
fn widget(node: &accesskit::Node, label: String) -> Option<Value> {
    let bounds = node.bounds()?;
    Some(json!({
        "label": label,
        "role": format!("{:?}", node.role()),
        "value": node.numeric_value(),
        "enabled": !node.is_disabled(),
        "rect": [bounds.x0, bounds.y0, bounds.x1, bounds.y1],
    }))
}
