//! Drag: what is dragged, in the view or in a panel, is taken back by Escape while the mouse is down.

use crate::model::{Action, Gesture, History};
use egui::{Key, Ui};

/// The drag that goes on.
#[derive(Debug, Default)]
pub struct Drag {
    last: Option<Gesture>,
    /// Taken back: the rest of it does nothing.
    over: Option<Gesture>,
}

impl Drag {
    /// Take it back where Escape was pressed; whether it was, and tools shall let go.
    pub fn take_back(&mut self, ui: &Ui, history: &History, actions: &mut Vec<Action>) -> bool {
        self.last = actions.iter().rev().find_map(gesture).or(self.last);
        let (escapes, down) = ui.input(|input| (input.key_pressed(Key::Escape), input.pointer.any_down()));
        let escaped = self.last.filter(|last| escapes && down && self.over != Some(*last));
        self.over = escaped.or(self.over);
        actions.retain(|action| gesture(action).is_none_or(|of| self.over != Some(of)));
        if escaped.is_some() && history.before(escaped).is_some() {
            actions.push(Action::Undo);
        }
        if !down {
            (self.last, self.over) = (None, None);
        }
        escaped.is_some()
    }
}

fn gesture(action: &Action) -> Option<Gesture> {
    if let Action::Edit(_, gesture) = action { *gesture } else { None }
}
