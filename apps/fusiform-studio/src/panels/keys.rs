//! Keys: every shortcut, once. The same table is listened to, shown in menus, and listed in the window.

use super::Wish;
use crate::model::{Tool, system};
use egui::{Key, KeyboardShortcut, Modifiers, Ui};

/// What a key or a menu entry does that is more than one action, or needs the session to say which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// Take back.
    Undo,
    /// Do again.
    Redo,
    /// Open a file.
    Open,
    /// Close the window.
    Quit,
    /// Save where it came from.
    Save,
    /// Save elsewhere.
    SaveAs,
    /// Delete what is chosen.
    Delete,
    /// Choose every muscle.
    SelectAll,
    /// Choose nothing.
    SelectNone,
    /// Go on, or stop.
    Play,
    /// One frame back.
    Back,
    /// One frame on.
    On,
    /// To the start of the clip.
    Start,
    /// Forget all motion.
    Settle,
    /// Turn the joint back that was turned last.
    ResetJoint,
    /// Look at what is chosen.
    Frame,
    /// Look from the front,
    Front,
    /// from the left of the character,
    Side,
    /// from above,
    Top,
    /// from behind,
    Behind,
    /// from the right of the character,
    OtherSide,
    /// from below.
    Below,
    /// Show the n-th of [`Show::ALL`](crate::model::Show::ALL).
    Show(usize),
    /// Take it in hand.
    Tool(Tool),
    /// Muscles beside plain skinning, or not.
    Split,
    /// Bones, or not.
    Bones,
    /// Edges, or not.
    Wireframe,
    /// A smaller brush.
    Smaller,
    /// A larger brush.
    Larger,
    /// A weaker brush.
    Weaker,
    /// A stronger brush.
    Stronger,
    /// Show only what is chosen.
    Solo,
    /// Show all muscles.
    Unhide,
    /// List the keys.
    Help,
}

impl Command {
    /// Whether there is such a thing here: a page is no window that closes, and a download has no place to choose.
    #[must_use]
    pub fn is_here(self) -> bool {
        system::HAS_FOLDERS || !matches!(self, Self::Quit | Self::SaveAs)
    }
}

/// A key and what it does.
#[derive(Clone, Copy, Debug)]
pub struct Shortcut {
    /// What it does.
    pub command: Command,
    /// In words.
    pub words: &'static str,
    modifiers: Modifiers,
    key: Key,
}

const fn key(command: Command, modifiers: Modifiers, key: Key, words: &'static str) -> Shortcut {
    Shortcut { command, words, modifiers, key }
}

const NONE: Modifiers = Modifiers::NONE;
const COMMAND: Modifiers = Modifiers::COMMAND;
const SHIFT: Modifiers = Modifiers::SHIFT;
const BOTH: Modifiers = COMMAND.plus(SHIFT);

/// Every shortcut. Of two on one key the one with more modifiers stands first: it would else never be heard.
pub const KEYS: &[Shortcut] = &[
    key(Command::Redo, BOTH, Key::Z, "Redo"),
    key(Command::Redo, COMMAND, Key::Y, "Redo"),
    key(Command::Undo, COMMAND, Key::Z, "Undo"),
    key(Command::Open, COMMAND, Key::O, "Open a file"),
    key(Command::Quit, COMMAND, Key::Q, "Close the window"),
    key(Command::SaveAs, BOTH, Key::S, "Save as"),
    key(Command::Save, COMMAND, Key::S, "Save"),
    key(Command::SelectNone, BOTH, Key::A, "Choose nothing"),
    key(Command::SelectAll, COMMAND, Key::A, "Choose every muscle"),
    key(Command::Delete, NONE, Key::Delete, "Delete the chosen muscles"),
    key(Command::Play, NONE, Key::Space, "Play or pause"),
    key(Command::Back, NONE, Key::Comma, "One frame back"),
    key(Command::On, NONE, Key::Period, "One frame on"),
    key(Command::Start, NONE, Key::Home, "To the start of the clip"),
    key(Command::ResetJoint, SHIFT, Key::R, "Turn the joint back that was turned last"),
    key(Command::Settle, NONE, Key::R, "Forget all motion, and joints turned by hand"),
    key(Command::Frame, NONE, Key::F, "Look at what is chosen, or at everything"),
    key(Command::Front, SHIFT, Key::F, "Look from the front"),
    key(Command::Side, SHIFT, Key::S, "Look from the side"),
    key(Command::Top, SHIFT, Key::T, "Look from above"),
    key(Command::Show(0), NONE, Key::Num1, "Show the skin"),
    key(Command::Show(1), NONE, Key::Num2, "Show the muscles"),
    key(Command::Show(2), NONE, Key::Num3, "Show muscles through the skin"),
    key(Command::Show(3), NONE, Key::Num4, "Show weights"),
    key(Command::Show(4), NONE, Key::Num5, "Show tension"),
    key(Command::Show(5), NONE, Key::Num6, "Show regions"),
    key(Command::Split, NONE, Key::P, "Muscles beside plain skinning"),
    key(Command::Bones, SHIFT, Key::B, "Bones"),
    key(Command::Wireframe, SHIFT, Key::W, "Wireframe"),
    key(Command::Solo, SHIFT, Key::H, "Show only the chosen muscles"),
    key(Command::Unhide, NONE, Key::H, "Show all muscles"),
    key(Command::Tool(Tool::Select), NONE, Key::Q, "Tool: choose muscles"),
    key(Command::Tool(Tool::Pose), NONE, Key::E, "Tool: turn joints"),
    key(Command::Tool(Tool::Create), NONE, Key::C, "Tool: make muscles"),
    key(Command::Tool(Tool::Place), NONE, Key::W, "Tool: place muscles"),
    key(Command::Tool(Tool::Paint), NONE, Key::K, "Tool: paint weights"),
    key(Command::Tool(Tool::Sculpt), NONE, Key::L, "Tool: sculpt bellies"),
    key(Command::Tool(Tool::Cut), NONE, Key::T, "Tool: turn planes between opposed muscles"),
    key(Command::Smaller, NONE, Key::OpenBracket, "Smaller brush"),
    key(Command::Larger, NONE, Key::CloseBracket, "Larger brush"),
    // on many keyboards shift makes other signs of these
    key(Command::Weaker, SHIFT, Key::OpenBracket, "Weaker brush"),
    key(Command::Weaker, SHIFT, Key::OpenCurlyBracket, "Weaker brush"),
    key(Command::Stronger, SHIFT, Key::CloseBracket, "Stronger brush"),
    key(Command::Stronger, SHIFT, Key::CloseCurlyBracket, "Stronger brush"),
    key(Command::Help, NONE, Key::F1, "This list"),
];

/// What was pressed in this frame; nothing but what is meant for files while somebody types, and nothing at all while
/// something is asked.
#[must_use]
pub fn pressed(ui: &Ui) -> Vec<Command> {
    if ui.ctx().memory(|memory| memory.top_modal_layer().is_some()) {
        return Vec::new();
    }
    let types = ui.ctx().egui_wants_keyboard_input();
    let hit = |of: &&Shortcut| {
        ui.input_mut(|input| {
            // `consume_shortcut` lets keys without modifiers pass with shift
            let exact = input.modifiers.shift == of.modifiers.shift && !input.modifiers.alt;
            exact && input.consume_shortcut(&KeyboardShortcut::new(of.modifiers, of.key))
        })
    };
    let is_heard = |of: &&Shortcut| of.command.is_here() && (!types || Wish::of(of.command).is_some());
    KEYS.iter().filter(is_heard).filter(hit).map(|of| of.command).collect()
}

/// How a command's key is written on this system; empty where it has none.
#[must_use]
pub fn written(ui: &Ui, command: Command) -> String {
    let of = KEYS.iter().find(|of| of.command == command);
    of.map_or(String::new(), |of| ui.ctx().format_shortcut(&KeyboardShortcut::new(of.modifiers, of.key)))
}

/// A button of a menu with its key; whether it was clicked.
pub fn entry(ui: &mut Ui, words: &str, command: Command, is_there: bool) -> bool {
    let button = egui::Button::new(words).shortcut_text(written(ui, command));
    let response = ui.add_enabled(is_there, button);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, is_there, words));
    let clicked = response.clicked();
    if clicked {
        ui.close();
    }
    clicked
}

/// All of them, in a window that can be closed.
pub fn list(ui: &Ui, open: &mut bool) {
    egui::Window::new("Keyboard shortcuts").open(open).default_width(380.0).show(ui.ctx(), |ui| {
        egui::ScrollArea::vertical().max_height(0.7 * ui.ctx().content_rect().height()).show(ui, |ui| {
            egui::Grid::new("keys").num_columns(2).striped(true).spacing([24.0, 4.0]).show(ui, |ui| {
                for of in KEYS.iter().filter(|of| of.command.is_here()) {
                    ui.monospace(ui.ctx().format_shortcut(&KeyboardShortcut::new(of.modifiers, of.key)));
                    ui.label(of.words);
                    ui.end_row();
                }
            });
            ui.separator();
            ui.weak("Brush: hold B and drag to size it, shift to smooth, ctrl to do the opposite.");
            ui.weak("Paint: ctrl-click a limb for its joint, ctrl+shift-click for the muscle that weighs most there.");
            ui.weak("Escape takes back what is dragged, while the button is down.");
            ui.weak("List of muscles: arrows go up and down, F2 gives another name, a right click has more.");
            ui.weak("Maya mouse: drag turns, middle shifts, right zooms; alt with left always turns.");
            ui.weak("Blender mouse: middle turns, shift with middle shifts, ctrl with middle zooms.");
            ui.weak("Wheel and pinch: nearer to what is under the mouse; two fingers with shift shift the view.");
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_commands_are_on_one_key_and_none_hides_another() {
        for (i, a) in KEYS.iter().enumerate() {
            for b in &KEYS[i + 1..] {
                assert!(a.key != b.key || a.modifiers != b.modifiers, "{} and {}", a.words, b.words);
                let hidden =
                    a.key == b.key && b.modifiers.contains(a.modifiers) && a.modifiers.shift == b.modifiers.shift;
                assert!(!hidden || a.modifiers == NONE, "{} is never heard", b.words);
            }
        }
    }
}
