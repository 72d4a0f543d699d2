//! Widgets: what people see and touch, told to whoever drives the window from outside.

use egui::accesskit::{Node, NodeId, TreeUpdate};
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

/// Those of a frame, and the name of the one that has the keyboard.
pub(crate) fn seen(update: &TreeUpdate) -> (Vec<Widget>, Option<String>) {
    let nodes: HashMap<NodeId, &Node> = update.nodes.iter().map(|(id, node)| (*id, node)).collect();
    let widgets = update.nodes.iter().filter_map(|(_, node)| widget(node, &nodes)).collect();
    (widgets, nodes.get(&update.focus).and_then(|node| named(node, &nodes)))
}

/// What a widget is called: by itself, or by the labels beside it.
fn named(node: &Node, nodes: &HashMap<NodeId, &Node>) -> Option<String> {
    let said = |node: &Node| node.label().or(node.value()).map(str::to_owned);
    let labels = node.labelled_by().iter().filter_map(|id| said(nodes.get(id)?));
    node.label().map(str::to_owned).or_else(|| labels.reduce(|a, b| a + " " + &b)).or_else(|| said(node))
}

fn widget(node: &Node, nodes: &HashMap<NodeId, &Node>) -> Option<Widget> {
    let place = node.bounds()?;
    Some(Widget {
        role: format!("{:?}", node.role()),
        name: named(node, nodes)?,
        value: node.value().map(str::to_owned).or_else(|| node.numeric_value().map(|value| value.to_string())),
        enabled: !node.is_disabled(),
        place: [place.x0, place.y0, place.x1, place.y1],
    })
}
