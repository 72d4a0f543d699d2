//! The list of muscles: search, choose, hide; twins share a line.

use super::attachments::mirroring;
use super::icons::{Icon, icon};
use super::keys::{self, Command};
use crate::model::{Action, Edit, Look, Placing, Studio, twin_by_name, without_side};
use egui::{Align, Button, Color32, Key, Layout, Modifiers, Popup, Rect, Rgba, Sense, TextEdit, TextStyle, Ui, vec2};
use fusiform::Muscle;
use fusiform_picture::color::tension;
use std::collections::BTreeSet;

/// What is typed into the search, and how the list lies open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Muscles {
    search: String,
    unfolded: BTreeSet<String>,
    /// The name of the muscle from which a range is chosen.
    anchor: Option<String>,
    frames: bool,
    renamed: Option<Renamed>,
    /// What was chosen when the list was last drawn.
    seen: BTreeSet<usize>,
}

/// A name that is typed in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Renamed {
    name: String,
    typed: String,
    /// Whether the field was not drawn yet.
    is_new: bool,
}

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    name: String,
    /// One muscle, or left and right.
    muscles: Vec<usize>,
    /// Whether it is one side of the pair above it.
    is_side: bool,
}

impl Line {
    fn is_pair(&self) -> bool {
        self.muscles.len() == 2
    }
}

impl Muscles {
    /// Whether a muscle was clicked twice, to be looked at; asks only once.
    pub fn take_frames(&mut self) -> bool {
        std::mem::take(&mut self.frames)
    }

    /// Draw; what is done goes into `actions`.
    pub fn show(&mut self, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
        let muscles = studio.muscles();
        ui.heading(format!("Muscles ({})", muscles.len()));
        ui.horizontal(|ui| {
            let label = ui.label("Search");
            ui.text_edit_singleline(&mut self.search).labelled_by(label.id);
        });
        ui.horizontal_wrapped(|ui| {
            if ui.button("Solo").on_hover_text("Show only the chosen muscles").clicked() {
                actions.push(Look::Solo.into());
            }
            if ui.button("Show all").clicked() {
                actions.push(Look::Unhide.into());
            }
            let mut mirrored = studio.mirrored;
            let tip = "Do to the other side whatever is done to one";
            if ui.checkbox(&mut mirrored, "Mirror").on_hover_text(tip).changed() {
                actions.push(Look::Mirrored(mirrored).into());
            }
        });
        ui.separator();
        let lines = self.lines(muscles);
        self.keys(ui, studio, &lines, actions);
        let picked = self.picked(studio, &lines);
        if lines.is_empty() {
            ui.weak(if muscles.is_empty() { "none yet: Rig gives it some" } else { "no muscle is called so" });
        }
        let height = ui.spacing().interact_size.y;
        egui::ScrollArea::vertical().auto_shrink(false).show_rows(ui, height, lines.len(), |ui, rows| {
            if let Some(i) = picked {
                let step = height + ui.spacing().item_spacing.y;
                let top = ui.max_rect().top() + (i as f32 - rows.start as f32) * step;
                ui.scroll_to_rect(Rect::from_x_y_ranges(ui.max_rect().x_range(), top..=top + height), None);
            }
            for line in rows {
                ui.push_id(&lines[line].name, |ui| self.line(ui, studio, (&lines, line), actions));
            }
        });
    }

    /// The arrows go up and down the list, and F2 gives another name, while nothing else listens to keys.
    fn keys(&mut self, ui: &Ui, studio: &Studio, lines: &[Line], actions: &mut Vec<Action>) {
        let is_taken = ui.memory(|memory| memory.focused().is_some() || memory.top_modal_layer().is_some());
        if is_taken || Popup::is_any_open(ui.ctx()) || lines.is_empty() {
            return;
        }
        let [up, down, renames] = ui.input_mut(|input| {
            [Key::ArrowUp, Key::ArrowDown, Key::F2].map(|key| input.consume_key(Modifiers::NONE, key))
        });
        if renames && let Some(m) = studio.leader() {
            self.rename(studio, m);
        }
        if up == down {
            return;
        }
        let next = match line_of(lines, &studio.chosen) {
            Some(now) if down => (now + 1).min(lines.len() - 1),
            Some(now) => now.saturating_sub(1),
            None if down => 0,
            None => lines.len() - 1,
        };
        self.anchor = lines[next].muscles.first().map(|&m| studio.muscles()[m].name.clone());
        actions.push(Look::Choose(lines[next].muscles.iter().copied().collect()).into());
    }

    /// The line of what was chosen since the list was last drawn, one muscle or a pair.
    fn picked(&mut self, studio: &Studio, lines: &[Line]) -> Option<usize> {
        let fresh = &studio.chosen - &self.seen;
        self.seen.clone_from(&studio.chosen);
        line_of(lines, &fresh).filter(|_| fresh.len() <= 2)
    }

    fn rename(&mut self, studio: &Studio, m: usize) {
        let name = studio.muscles()[m].name.clone();
        self.renamed = Some(Renamed { typed: name.clone(), name, is_new: true });
    }

    /// What is found, twins together.
    fn lines(&self, muscles: &[Muscle]) -> Vec<Line> {
        let wanted = self.search.to_lowercase();
        let mut lines = Vec::new();
        for (m, muscle) in muscles.iter().enumerate() {
            let found = |m: usize| muscles[m].name.to_lowercase().contains(&wanted);
            let side = |m: usize, is_side| Line { name: muscles[m].name.clone(), muscles: vec![m], is_side };
            let pair = twin_by_name(muscles, m).filter(|&other| found(m) && found(other));
            match (pair, without_side(&muscle.name)) {
                (Some(other), Some((stem, is_left))) if m < other => {
                    let (left, right) = if is_left { (m, other) } else { (other, m) };
                    let is_open = self.unfolded.contains(&stem);
                    lines.push(Line { name: stem, muscles: vec![left, right], is_side: false });
                    if is_open {
                        lines.extend([side(left, true), side(right, true)]);
                    }
                }
                (Some(_), _) => {} // in the line of its twin
                (None, _) if found(m) => lines.push(side(m, false)),
                (None, _) => {}
            }
        }
        lines
    }

    fn line(&mut self, ui: &mut Ui, studio: &Studio, (lines, i): (&[Line], usize), actions: &mut Vec<Action>) {
        let line = &lines[i];
        ui.horizontal(|ui| {
            let spacing = ui.spacing_mut();
            (spacing.item_spacing.x, spacing.icon_spacing, spacing.button_padding.x) = (2.0, 0.0, 4.0);
            self.fold(ui, line);
            let is_shown = line.muscles.iter().any(|m| !studio.hidden.contains(m));
            if let Some(shows) = eye(ui, &line.name, is_shown, "In the picture or not") {
                actions.extend(line.muscles.iter().map(|&m| Look::Hide(m, !shows).into()));
            }
            dot(ui, studio, line);
            let open = self.unfolded.contains(&line.name);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if line.is_pair() && !open {
                    for (m, side) in line.muscles.iter().zip(["L", "R"]).rev() {
                        let of = [*m];
                        let button = Button::selectable(studio.chosen.contains(m), side).small();
                        let response = ui.add(button.min_size(vec2(18.0, 0.0)));
                        self.clicked(ui, &response, studio, (&studio.muscles()[*m].name, &of), (lines, i), actions);
                    }
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    if let Some(m) = self.renamed_in(studio, line, open) {
                        return self.field(ui, m, actions);
                    }
                    let chosen = line.muscles.iter().all(|m| studio.chosen.contains(m));
                    let width = ui.available_width();
                    let seen = elided(ui, &line.name, width - 2.0 * ui.spacing().button_padding.x);
                    let is_whole = seen == line.name;
                    let button = Button::selectable(chosen, seen).truncate().min_size(vec2(width, 0.0));
                    let mut response = ui.add(button.right_text(""));
                    if !is_whole {
                        response = response.on_hover_text(&line.name);
                    }
                    self.clicked(ui, &response, studio, (&line.name, &line.muscles), (lines, i), actions);
                });
            });
        });
    }

    /// The muscle of a line whose name is typed.
    fn renamed_in(&self, studio: &Studio, line: &Line, open: bool) -> Option<usize> {
        let name = &self.renamed.as_ref()?.name;
        let own = line.muscles.iter().copied().find(|&m| studio.muscles()[m].name == *name);
        own.filter(|_| !(line.is_pair() && open))
    }

    /// Type a name: it is given when the field is left, but not by Escape.
    fn field(&mut self, ui: &mut Ui, m: usize, actions: &mut Vec<Action>) {
        let Some(renamed) = &mut self.renamed else { return };
        let field = ui.add(TextEdit::singleline(&mut renamed.typed).desired_width(ui.available_width()));
        if std::mem::take(&mut renamed.is_new) {
            field.request_focus();
        } else if !field.has_focus() {
            let escaped = ui.input(|input| input.key_pressed(Key::Escape));
            if let Some(Renamed { typed, .. }) = self.renamed.take().filter(|of| !escaped && of.typed.trim() != of.name)
            {
                actions.push(Placing::Rename(m, typed).into());
            }
        }
    }

    /// What opens a pair, or the space it would take.
    fn fold(&mut self, ui: &mut Ui, line: &Line) {
        let open = self.unfolded.contains(&line.name);
        if !line.is_pair() {
            ui.allocate_space(vec2(if line.is_side { 30.0 } else { 18.0 }, 1.0));
            return;
        }
        let response = icon(ui, if open { Icon::Down } else { Icon::Right }, true, &format!("Sides of {}", line.name));
        if response.on_hover_text("Left and right on lines of their own").clicked() && !self.unfolded.remove(&line.name)
        {
            self.unfolded.insert(line.name.clone());
        }
    }

    /// Choose what is clicked: instead of what is chosen, with ctrl beside it, with shift all from the last click on; twice
    /// looks at it.
    fn clicked(
        &mut self,
        ui: &Ui,
        response: &egui::Response,
        studio: &Studio,
        (name, of): (&str, &[usize]),
        (lines, i): (&[Line], usize),
        actions: &mut Vec<Action>,
    ) {
        let chosen = of.iter().all(|m| studio.chosen.contains(m));
        response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, chosen, name));
        self.frames |= response.double_clicked() || response.triple_clicked();
        if response.secondary_clicked() && !chosen {
            actions.push(Look::Choose(of.iter().copied().collect()).into());
        }
        response.context_menu(|ui| self.menu(ui, studio, of, actions));
        if !response.clicked() {
            return;
        }
        let modifiers = ui.input(|input| input.modifiers);
        let muscles = studio.muscles();
        let is_anchor = |m: &usize| self.anchor.as_ref() == Some(&muscles[*m].name);
        let anchor = lines.iter().position(|line| line.muscles.iter().any(is_anchor));
        let mut now: BTreeSet<usize> = of.iter().copied().collect();
        match anchor {
            Some(anchor) if modifiers.shift => {
                let range = anchor.min(i)..=anchor.max(i);
                let side = without_side(&muscles[of[0]].name).filter(|_| of.len() == 1 && lines[i].is_pair());
                // from a letter of a pair the range goes on along its side
                let is_of_side = |m: &usize| match (&side, without_side(&muscles[*m].name)) {
                    (Some((_, is_left)), Some((_, other))) => *is_left == other,
                    _ => true,
                };
                now = lines[range].iter().flat_map(|line| line.muscles.iter().copied()).filter(is_of_side).collect();
            }
            _ => self.anchor = of.first().map(|&m| muscles[m].name.clone()),
        }
        if modifiers.command {
            let all_chosen = now.is_subset(&studio.chosen);
            now = if all_chosen { &studio.chosen - &now } else { &studio.chosen | &now };
        }
        actions.push(Look::Choose(now).into());
    }

    /// What can be done with what is chosen, at the mouse.
    fn menu(&mut self, ui: &mut Ui, studio: &Studio, of: &[usize], actions: &mut Vec<Action>) {
        ui.set_min_width(110.0);
        if ui.button("Frame").on_hover_text(keys::tip(ui, "Look at it", Command::Frame)).clicked() {
            self.frames = true;
        }
        if ui.button("Rename").on_hover_text("Give it another name (F2)").clicked()
            && let Some(&m) = of.first()
        {
            self.rename(studio, m);
        }
        let hide = |&m: &usize| Look::Hide(m, true).into();
        let entries: [(&str, Vec<Action>); 3] = [
            ("Duplicate", vec![Placing::Duplicate.into()]),
            ("Hide", studio.chosen.iter().map(hide).collect()),
            ("Solo", vec![Look::Solo.into()]),
        ];
        let mirroring = mirroring(studio).into_iter().map(|(name, action, _)| (name, vec![action]));
        let delete = ("Delete", vec![Edit::Delete.into()]);
        for (name, done) in entries.into_iter().chain(mirroring).chain([delete]) {
            if ui.button(name).clicked() {
                actions.extend(done);
            }
        }
    }
}

/// The line that is these muscles, or else the first that has any of them.
fn line_of(lines: &[Line], muscles: &BTreeSet<usize>) -> Option<usize> {
    let is_them = |line: &Line| line.muscles.iter().collect::<BTreeSet<_>>().into_iter().eq(muscles);
    let has_any = |line: &Line| line.muscles.iter().any(|m| muscles.contains(m));
    lines.iter().position(is_them).or_else(|| lines.iter().position(has_any))
}

/// A name without as much of its middle as there is no room for: neighbours differ at their ends.
fn elided(ui: &Ui, name: &str, room: f32) -> String {
    let font = TextStyle::Button.resolve(ui.style());
    let letters: Vec<char> = name.chars().collect();
    let width = |fonts: &mut egui::epaint::text::FontsView| {
        let mut of = |letter: char| fonts.glyph_width(&font, letter);
        (letters.iter().map(|letter| of(*letter)).collect::<Vec<f32>>(), of('…'))
    };
    let (widths, dots) = ui.fonts_mut(width);
    if widths.iter().sum::<f32>() <= room {
        return name.to_owned();
    }
    let parts = |n: usize| [0..n.div_ceil(2), letters.len() - n / 2..letters.len()];
    let wide = |n: usize| parts(n).into_iter().flat_map(|part| &widths[part]).sum::<f32>() + dots;
    let Some(n) = (0..letters.len()).rev().find(|&n| wide(n) <= room) else { return String::new() };
    let [head, tail] = parts(n).map(|part| letters[part].iter().collect::<String>());
    format!("{head}…{tail}")
}

/// Whether something of that name is shown: what was made of it.
pub(super) fn eye(ui: &mut Ui, name: &str, mut shown: bool, tip: &str) -> Option<bool> {
    let eye = ui.checkbox(&mut shown, "");
    let words = format!("Show {name}");
    eye.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, shown, &words));
    eye.on_hover_text(tip).changed().then_some(shown)
}

/// How tense the tenser of both is, in the colours of the view.
fn dot(ui: &mut Ui, studio: &Studio, line: &Line) {
    let levels = studio.live.muscled().1.activations();
    let level = line.muscles.iter().filter_map(|&m| levels.get(m)).fold(0.0_f32, |a, b| a.max(*b));
    let (rect, response) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
    let [r, g, b] = tension(level);
    let edge = egui::Stroke::new(1.0, ui.visuals().weak_text_color());
    ui.painter().circle(rect.center(), 4.0, Color32::from(Rgba::from_rgb(r, g, b)), edge);
    response.on_hover_text(format!("{:.0} % tense", 100.0 * level));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_whose_names_are_too_long_are_told_apart() {
        let mut output = egui::Context::default().run_ui(egui::RawInput::default(), |ui| {
            let [upper, lower] = ["upper", "lower"].map(|end| elided(ui, &format!("serratus_anterior_{end}"), 110.0));
            assert!(upper != lower && upper.starts_with("serr") && upper.ends_with("upper"), "{upper}, {lower}");
            assert_eq!((elided(ui, "soleus", 110.0), elided(ui, "soleus", 1.0)), ("soleus".into(), String::new()));
        });
        output.textures_delta.clear(); // nothing draws it
    }
}
