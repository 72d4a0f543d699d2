//! The list of keys: what commands are on, and what keys and buttons do in one place alone.

use super::{KEYS, Shortcut, signs};
use crate::panels::place::CORNER;
use egui::gui_zoom::kb_shortcuts::{ZOOM_IN, ZOOM_OUT, ZOOM_RESET};
use egui::{Context, Grid, ScrollArea, Ui, Window};

/// Where, and what does what there; who listens to it says so in its own words, too.
const ELSEWHERE: &[(&str, &[(&str, &str)])] = &[
    ("While something is dragged", &[("Esc", "Take it back")]),
    (
        "In the list of muscles",
        &[
            ("Up, Down", "Choose the line above or below"),
            ("Shift+click", "Choose all from the last click on"),
            ("Ctrl+click", "Choose it beside the others"),
            ("Double click", "Look at it"),
            ("F2", "Give it another name"),
            ("Right click", "More that can be done with it"),
        ],
    ),
    ("While joints are turned", &[("Shift held", "Twist the limb about its own length")]),
    ("While muscles are made", &[("Esc", "Begin the muscle anew")]),
    ("While muscles are placed", &[("X, Y, Z held", "Drag along that axis"), ("Shift held", "Drag slowly")]),
    (
        "While a brush is in hand",
        &[
            ("B held, drag", "Size the brush"),
            ("Shift held", "Smooth"),
            ("Ctrl held", "Do the opposite"),
            ("Ctrl+click", "Paint the joint of the limb"),
            ("Ctrl+Shift+click", "Paint the muscle that weighs most there"),
        ],
    ),
    (
        "In the curves",
        &[
            ("Double click", "Key the active muscle"),
            ("Drag", "Move a key, or time beside keys"),
            ("Right click", "Delete a key"),
            ("Delete", "Delete the picked key, never a muscle"),
            ("Wheel, pinch", "Look nearer, or from farther away"),
            ("Middle drag, Shift+wheel", "Go along in time"),
        ],
    ),
    (
        "In the view, mouse as in Maya",
        &[
            ("Drag", "Turn the view, where the tool takes nothing"),
            ("Alt+drag", "Turn it, whatever is under the mouse"),
            ("Middle drag", "Shift it"),
            ("Right drag", "Zoom"),
        ],
    ),
    (
        "In the view, mouse as in Blender",
        &[("Middle drag", "Turn the view"), ("Shift+middle drag", "Shift it"), ("Ctrl+middle drag", "Zoom")],
    ),
    (
        "In the view, any mouse",
        &[("Wheel, pinch", "Nearer to what is under the mouse, or farther"), ("Shift+two fingers", "Shift the view")],
    ),
];

/// So wide that all rows of all grids are in line, points.
const KEYS_WIDTH: f32 = 190.0;

/// All of them, in a window that can be closed.
pub fn list(ui: &Ui, open: &mut bool) {
    let high = 0.7 * ui.ctx().content_rect().height();
    let window = Window::new("Keyboard shortcuts").open(open).default_pos(CORNER).default_size([420.0, high]);
    window.show(ui.ctx(), |ui| {
        ScrollArea::vertical().max_height(high).show(ui, |ui| {
            rows(ui, "keys", commands(ui.ctx()));
            for &(place, of) in ELSEWHERE {
                ui.separator();
                ui.strong(place);
                rows(ui, place, of.iter().map(|&(keys, words)| (keys.to_owned(), words)));
            }
            ui.separator();
            ui.strong("Size of everything");
            let sizes = [(ZOOM_IN, "Larger"), (ZOOM_OUT, "Smaller"), (ZOOM_RESET, "As it was")];
            rows(ui, "sizes", sizes.map(|(of, words)| (signs(ui.ctx(), &of), words)));
        });
    });
}

/// What keys every command is on, and what it does.
fn commands(context: &Context) -> Vec<(String, &'static str)> {
    let of_one = KEYS.chunk_by(|a, b| a.command == b.command).filter(|of| of[0].command.is_here());
    let keys = |of: &[Shortcut]| of.iter().map(|of| of.written(context)).collect::<Vec<_>>().join(" or ");
    of_one.map(|of| (keys(of), of[0].words)).collect()
}

fn rows(ui: &mut Ui, salt: &str, of: impl IntoIterator<Item = (String, &'static str)>) {
    Grid::new(salt).num_columns(2).min_col_width(KEYS_WIDTH).striped(true).spacing([24.0, 4.0]).show(ui, |ui| {
        for (keys, words) in of {
            ui.monospace(keys);
            ui.label(words);
            ui.end_row();
        }
    });
}
