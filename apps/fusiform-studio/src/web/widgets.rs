//! Widgets: what people see and touch, told to whoever drives the page from outside.

use egui::accesskit::{Node, NodeId};
use serde::Serialize;
use std::collections::HashMap;

/// One of them.
#[derive(Serialize)]
pub struct Widget {
    role: String,
    name: String,
    value: Option<String>,
    enabled: bool,
    place: [f64; 4], // left, top, right, bottom
}

/// Those of the last frame; none until somebody asks.
#[derive(Default)]
pub struct Widgets {
    pub seen: Vec<Widget>,
}

impl egui::Plugin for Widgets {
    fn debug_name(&self) -> &'static str {
        "widgets"
    }

    fn output_hook(&mut self, _context: &egui::Context, output: &mut egui::FullOutput) {
        if let Some(update) = output.platform_output.accesskit_update.take() {
            let nodes: HashMap<NodeId, &Node> = update.nodes.iter().map(|(id, node)| (*id, node)).collect();
            self.seen = update.nodes.iter().filter_map(|(_, node)| widget(node, &nodes)).collect();
        }
    }
}

fn widget(node: &Node, nodes: &HashMap<NodeId, &Node>) -> Option<Widget> {
    let place = node.bounds()?;
    let said = |node: &Node| node.label().or(node.value()).map(str::to_owned);
    let labels = node.labelled_by().iter().filter_map(|id| said(nodes.get(id)?));
    let name = node.label().map(str::to_owned).or_else(|| labels.reduce(|a, b| a + " " + &b));
    Some(Widget {
        role: format!("{:?}", node.role()),
        name: name.or_else(|| said(node))?,
        value: node.value().map(str::to_owned).or_else(|| node.numeric_value().map(|value| value.to_string())),
        enabled: !node.is_disabled(),
        place: [place.x0, place.y0, place.x1, place.y1],
    })
}
