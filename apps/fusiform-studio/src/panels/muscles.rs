//! The list of muscles: search, choose, hide; twins share a line.

use super::icons::{Icon, icon};
use crate::model::{Action, Look, Studio, twin};
use egui::{Align, Button, Color32, Layout, Rgba, Sense, Ui, vec2};
use fusiform::Muscle;
use fusiform_picture::color::tension;
use std::collections::BTreeSet;

/// What is typed into the search, and how the list lies open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Muscles {
    search: String,
    unfolded: BTreeSet<String>,
    /// The muscle from which a range is chosen.
    anchor: Option<usize>,
    frames: bool,
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
        ui.horizontal(|ui| {
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
        if lines.is_empty() {
            ui.weak(if muscles.is_empty() { "none yet: Rig gives it some" } else { "no muscle is called so" });
        }
        let height = ui.spacing().interact_size.y;
        egui::ScrollArea::vertical().auto_shrink(false).show_rows(ui, height, lines.len(), |ui, rows| {
            for line in rows {
                ui.push_id(&lines[line].name, |ui| self.line(ui, studio, (&lines, line), actions));
            }
        });
    }

    /// What is found, twins together.
    fn lines(&self, muscles: &[Muscle]) -> Vec<Line> {
        let wanted = self.search.to_lowercase();
        let mut lines = Vec::new();
        for (m, muscle) in muscles.iter().enumerate() {
            let found = |m: usize| muscles[m].name.to_lowercase().contains(&wanted);
            let side = |m: usize, is_side| Line { name: muscles[m].name.clone(), muscles: vec![m], is_side };
            let pair = twin(muscles, m).filter(|&other| found(m) && found(other));
            match (pair, muscle.name.rsplit_once('.')) {
                (Some(other), Some((stem, _))) if m < other => {
                    let (left, right) = if muscle.name.ends_with(".l") { (m, other) } else { (other, m) };
                    lines.push(Line { name: stem.to_owned(), muscles: vec![left, right], is_side: false });
                    if self.unfolded.contains(stem) {
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
            eye(ui, studio, line, actions);
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
                    let chosen = line.muscles.iter().all(|m| studio.chosen.contains(m));
                    let width = ui.available_width();
                    let button = Button::selectable(chosen, &*line.name).truncate().min_size(vec2(width, 0.0));
                    let response = ui.add(button.right_text(""));
                    self.clicked(ui, &response, studio, (&line.name, &line.muscles), (lines, i), actions);
                });
            });
        });
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
        if !response.clicked() {
            return;
        }
        let modifiers = ui.input(|input| input.modifiers);
        let anchor = self.anchor.and_then(|m| lines.iter().position(|line| line.muscles.contains(&m)));
        let mut now: BTreeSet<usize> = of.iter().copied().collect();
        match anchor {
            Some(anchor) if modifiers.shift => {
                let range = anchor.min(i)..=anchor.max(i);
                now = lines[range].iter().flat_map(|line| line.muscles.iter().copied()).collect();
            }
            _ => self.anchor = of.first().copied(),
        }
        if modifiers.command {
            let all_chosen = now.is_subset(&studio.chosen);
            now = if all_chosen { &studio.chosen - &now } else { &studio.chosen | &now };
        }
        actions.push(Look::Choose(now).into());
    }
}

fn eye(ui: &mut Ui, studio: &Studio, line: &Line, actions: &mut Vec<Action>) {
    let mut shown = line.muscles.iter().any(|m| !studio.hidden.contains(m));
    let eye = ui.checkbox(&mut shown, "");
    let words = format!("Show {}", line.name);
    eye.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, shown, &words));
    if eye.on_hover_text("In the picture or not").changed() {
        actions.extend(line.muscles.iter().map(|&m| Look::Hide(m, !shown).into()));
    }
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
