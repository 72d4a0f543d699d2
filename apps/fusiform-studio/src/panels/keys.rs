//! Keys: every shortcut of a command, once. The same table is listened to, shown in menus and tips, and listed in a window, with
//! what keys and buttons do in one place alone.

mod list;

use super::Wish;
use crate::model::{Tool, system};
use egui::{Atom, Checkbox, Context, Event, Key, KeyboardShortcut, Modifiers, RichText, Ui};
pub use list::list;

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
    /// Leave what is chosen out of the picture.
    Hide,
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

    /// Whether it is done again and again while its key is held: steps are, what is on or off would flicker.
    fn goes_on(self) -> bool {
        let steps = [Self::Undo, Self::Redo, Self::Back, Self::On];
        let brush = [Self::Smaller, Self::Larger, Self::Weaker, Self::Stronger];
        steps.contains(&self) || brush.contains(&self)
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
    /// What shift makes of the key on many keyboards.
    shifted: Option<Key>,
}

const fn key(command: Command, modifiers: Modifiers, key: Key, words: &'static str) -> Shortcut {
    Shortcut { command, words, modifiers, key, shifted: None }
}

impl Shortcut {
    const fn or(self, shifted: Key) -> Self {
        Self { shifted: Some(shifted), ..self }
    }

    /// Whether it was pressed in this frame; nobody else hears of it then.
    fn take(&self, input: &mut egui::InputState) -> bool {
        // `consume_key` lets keys pass with more of shift and alt than is asked for
        let exact = input.modifiers.shift == self.modifiers.shift && input.modifiers.alt == self.modifiers.alt;
        let goes_on = self.command.goes_on();
        [Some(self.key), self.shifted].into_iter().flatten().any(|key| {
            let is_meant = |event: &Event| match event {
                Event::Key { key: pressed, pressed: true, repeat, .. } => *pressed == key && (goes_on || !repeat),
                _ => false,
            };
            let is_meant = input.events.iter().any(is_meant);
            exact && input.consume_key(self.modifiers, key) && is_meant
        })
    }

    fn written(&self, context: &Context) -> String {
        signs(context, &KeyboardShortcut::new(self.modifiers, self.key))
    }
}

/// How a shortcut is written on this system, its key by the sign that is on it.
fn signs(context: &Context, of: &KeyboardShortcut) -> String {
    let (text, key) = (context.format_shortcut(of), of.logical_key);
    match text.strip_suffix(key.name()) {
        Some(modifiers) => modifiers.to_owned() + key.symbol_or_name(),
        None => text,
    }
}

const NONE: Modifiers = Modifiers::NONE;
const COMMAND: Modifiers = Modifiers::COMMAND;
const SHIFT: Modifiers = Modifiers::SHIFT;
const ALT: Modifiers = Modifiers::ALT;
const BOTH: Modifiers = COMMAND.plus(SHIFT);

/// Every shortcut, those of one command together. Of two on one key the one with more modifiers stands first: it would else
/// never be heard.
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
    key(Command::Bones, SHIFT, Key::B, "Joints, and bones under the skin"),
    key(Command::Wireframe, SHIFT, Key::W, "Wireframe"),
    key(Command::Solo, SHIFT, Key::H, "Show only the chosen muscles"),
    key(Command::Unhide, ALT, Key::H, "Show all muscles"),
    key(Command::Hide, NONE, Key::H, "Hide the chosen muscles"),
    key(Command::Tool(Tool::Select), NONE, Key::Q, "Tool: choose muscles"),
    key(Command::Tool(Tool::Pose), NONE, Key::E, "Tool: turn joints"),
    key(Command::Tool(Tool::Create), NONE, Key::C, "Tool: make muscles"),
    key(Command::Tool(Tool::Place), NONE, Key::W, "Tool: place muscles"),
    key(Command::Tool(Tool::Paint), NONE, Key::K, "Tool: paint weights"),
    key(Command::Tool(Tool::Sculpt), NONE, Key::L, "Tool: sculpt bellies"),
    key(Command::Tool(Tool::Cut), NONE, Key::T, "Tool: turn planes between opposed muscles"),
    key(Command::Smaller, NONE, Key::OpenBracket, "Smaller brush"),
    key(Command::Larger, NONE, Key::CloseBracket, "Larger brush"),
    key(Command::Weaker, SHIFT, Key::OpenBracket, "Weaker brush").or(Key::OpenCurlyBracket),
    key(Command::Stronger, SHIFT, Key::CloseBracket, "Stronger brush").or(Key::CloseCurlyBracket),
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
    let hit = |of: &&Shortcut| ui.input_mut(|input| of.take(input));
    let is_heard = |of: &&Shortcut| of.command.is_here() && (!types || Wish::of(of.command).is_some());
    KEYS.iter().filter(is_heard).filter(hit).map(|of| of.command).collect()
}

/// How a command's key is written on this system; empty where it has none.
#[must_use]
pub fn written(ui: &Ui, command: Command) -> String {
    KEYS.iter().find(|of| of.command == command).map_or(String::new(), |of| of.written(ui.ctx()))
}

/// What a command does, as the list has it.
#[must_use]
pub fn words(command: Command) -> &'static str {
    KEYS.iter().find(|of| of.command == command).map_or("", |of| of.words)
}

/// The same with its key, for a tip.
#[must_use]
pub fn about(ui: &Ui, command: Command) -> String {
    tip(ui, words(command), command)
}

/// A tip in other words that names the command's key.
#[must_use]
pub fn tip(ui: &Ui, words: &str, command: Command) -> String {
    format!("{words} ({})", written(ui, command))
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

/// What a menu turns on or off, with its key; whether it was clicked.
pub fn tick(ui: &mut Ui, words: &str, command: Command, mut on: bool) -> bool {
    let key = RichText::new(written(ui, command)).weak();
    let response = ui.add(Checkbox::new(&mut on, (words, Atom::grow(), key)));
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, on, words));
    response.clicked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_commands_are_on_one_key_and_none_hides_another() {
        for (i, a) in KEYS.iter().enumerate() {
            for b in &KEYS[i + 1..] {
                assert!(a.key != b.key || a.modifiers != b.modifiers, "{} and {}", a.words, b.words);
                let exact = a.modifiers.shift == b.modifiers.shift && a.modifiers.alt == b.modifiers.alt;
                let hidden = a.key == b.key && b.modifiers.contains(a.modifiers) && exact;
                assert!(!hidden || a.modifiers == NONE, "{} is never heard", b.words);
            }
        }
    }
}
