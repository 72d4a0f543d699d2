//! The window of the fit: muscles from the skin inward, for the whole body, for one region, for what is chosen.

mod planes;
mod roles;

use super::Chooser;
use super::place::Place;
use super::rows::{Hand, look_alike};
use crate::model::{Action, Anatomy, Edit, Fault, Fit, Kind, Recipe, Report, Studio, Wanted, preset_of, system};
use egui::{Button, ComboBox, DragValue, ProgressBar, RichText, Ui};
use fusiform_fit::{FAT, Preset};
use std::path::{Path, PathBuf};

/// What is typed into it, and the drag that goes on.
#[derive(Debug)]
pub struct FitPanel {
    template: String,
    place: Place,
    refused: Option<Fault>, // why no template can be saved there
    chooser: Option<Chooser>,
    turns: Option<planes::Drag>,
    hand: Hand, // fat that is dragged
}

impl Default for FitPanel {
    fn default() -> Self {
        let place = Place::new(Kind::TEMPLATE);
        Self { template: String::new(), place, refused: None, chooser: None, turns: None, hand: Hand::default() }
    }
}

impl FitPanel {
    /// Draw it where it is wanted; what is done goes into `actions`.
    pub fn show(&mut self, ui: &Ui, studio: &Studio, actions: &mut Vec<Action>) {
        if !studio.fit.shown {
            self.turns = None;
            return;
        }
        let mut open = true;
        let window = egui::Window::new("Fit").open(&mut open).default_size([290.0, 440.0]).vscroll(true);
        window.default_pos([245.0, 85.0]).show(ui.ctx(), |ui| {
            self.recipe(ui, studio, actions);
            run(ui, studio, actions);
            if let Some(report) = &studio.fit.report {
                told(ui, report);
            }
            ui.separator();
            roles::show(ui, studio, actions);
            ui.separator();
            planes::show(ui, &mut self.turns, studio, actions);
            ui.separator();
            chosen(ui, studio, actions);
            ui.separator();
            self.template(ui, studio, actions);
        });
        if !open {
            actions.push(Fit::Show(false).into());
        }
        if let Some(path) = Chooser::chosen(&mut self.chooser, ui.ctx()) {
            let anatomy = Anatomy::File(path);
            actions.push(Fit::Recipe(Recipe { anatomy, ..studio.fit.recipe.clone() }).into());
        }
    }

    fn choose(&mut self) {
        match system::HAS_FOLDERS {
            true => self.chooser = Some(Chooser::open(Kind::TEMPLATE)),
            false => system::choose(), // what is chosen there arrives as dropped files do
        }
    }

    fn recipe(&mut self, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
        let mut recipe = studio.fit.recipe.clone();
        self.anatomy(ui, &mut recipe);
        told_anatomy(ui, studio);
        let combo = ComboBox::from_label("Muscles after").selected_text(recipe.preset.name()).show_ui(ui, |ui| {
            for preset in Preset::ALL {
                ui.selectable_value(&mut recipe.preset, preset, preset.name()).on_hover_text(kind_of(preset));
            }
        });
        combo.response.on_hover_text(kind_of(recipe.preset));
        fat(ui, studio, &mut self.hand, actions);
        let meshes = &studio.project.character.meshes;
        let called = |mesh: usize| match meshes[mesh].name.trim() {
            "" => format!("mesh {}", mesh + 1),
            name => name.into(),
        };
        let body = recipe.body.filter(|&mesh| mesh < meshes.len());
        let tip =
            "The mesh muscles are fitted to and move; clothes over it follow it. Default: the surface about the bones.";
        let selected = body.map_or("as found".into(), called);
        let combo = ComboBox::from_label("Body").selected_text(selected).show_ui(ui, |ui| {
            ui.selectable_value(&mut recipe.body, None, "as found");
            for mesh in 0..meshes.len() {
                ui.selectable_value(&mut recipe.body, Some(mesh), called(mesh));
            }
        });
        combo.response.on_hover_text(tip);
        if recipe != studio.fit.recipe {
            actions.push(Fit::Recipe(recipe).into());
        }
    }

    fn anatomy(&mut self, ui: &mut Ui, recipe: &mut Recipe) {
        let name = match &recipe.anatomy {
            Anatomy::Found => "as found",
            Anatomy::Humanoid => "humanoid",
            Anatomy::Pairs => "pairs",
            Anatomy::File(_) => "a file",
        };
        // it may have been dropped on the window
        if let Anatomy::File(path) = &recipe.anatomy
            && path.as_path() != Path::new(self.template.trim())
        {
            self.template = path.display().to_string();
        }
        let file = Anatomy::File(PathBuf::from(self.template.trim()));
        let combo = ComboBox::from_label("Template").selected_text(name).show_ui(ui, |ui| {
            let choices = [
                (Anatomy::Found, "as found", "A human's muscles where the joints are a human's, else pairs"),
                (Anatomy::Humanoid, "humanoid", "Every muscle that shows on a lean athlete"),
                (Anatomy::Pairs, "pairs", "Two opposed muscles on every bone that carries flesh, of any creature"),
                (file, "a file", "Muscles by role of joint, as saved below"),
            ];
            for (anatomy, name, tip) in choices {
                ui.selectable_value(&mut recipe.anatomy, anatomy, name).on_hover_text(tip);
            }
        });
        combo.response.on_hover_text("Which muscles the body is given, in place of those it has");
        if let Anatomy::File(path) = &mut recipe.anatomy {
            ui.horizontal(|ui| {
                let label = ui.label("Template file");
                ui.add(path_field(&mut self.template)).labelled_by(label.id);
                if ui.button("Choose…").clicked() {
                    self.choose();
                }
                *path = PathBuf::from(self.template.trim());
            });
        }
    }

    fn template(&mut self, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
        ui.strong("Present muscles as a template");
        let tip = "Muscles by role of joint, without geometry: they fit any body whose joints are known";
        ui.spacing_mut().text_edit_width = 120.0;
        self.place.suggest(studio, ".toml");
        self.place.field(ui, studio, tip);
        let ready = !studio.is_fitting() && !studio.muscles().is_empty();
        let button = ui.add_enabled(ready, Button::new("Save template"));
        let wants = button.on_hover_text(tip).clicked();
        if self.place.ask(ui, studio) || wants {
            let free = self.place.is_free(studio);
            if let Ok(true) = free {
                actions.push(Fit::SaveTemplate(self.place.path()).into());
            }
            self.refused = free.err();
        }
        if let Some(fault) = &self.refused {
            ui.colored_label(ui.visuals().error_fg_color, fault.to_string());
        }
        if let Some(note) = &studio.fit.note {
            ui.weak(note);
        }
    }
}

/// Which muscles it will be, and why, where that is not plain.
fn told_anatomy(ui: &mut Ui, studio: &Studio) {
    let is_human = studio.fit.recipe.roles(&studio.fit.found).roles.is_humanoid();
    let words = match (&studio.fit.recipe.anatomy, is_human) {
        (Anatomy::Found, true) => "humanoid, since the joints are known as a human's",
        (Anatomy::Found, false) => "pairs, since the joints are not known as a human's",
        (Anatomy::Humanoid, false) => {
            "The joints are not known as a human's: say below which is which, or choose pairs, or muscles will be \
             missing."
        }
        _ => return,
    };
    ui.weak(words);
}

/// What muscles after somebody are like.
pub fn kind_of(preset: Preset) -> &'static str {
    match preset {
        Preset::Lee => {
            "Curves that bulge and jiggle; the skin is blended to the bellies under it. Quick, and right for most."
        }
        Preset::Ramos => "Tendons and a peak; the skin moves off the muscle's line as far as the muscle grows.",
        Preset::Saam => "Soft bellies and broad sheets; the skin wraps them and slides over bones.",
        Preset::Pratscher => {
            "Ellipsoids between tendons, as thick as the skin has room for; the skin is drawn along by shells."
        }
        Preset::Murai => "As measured on people; all of the skin is soft tissue with mass. It takes longest.",
    }
}

fn path_field(path: &mut String) -> egui::TextEdit<'_> {
    egui::TextEdit::singleline(path).hint_text("mine.toml").desired_width(120.0)
}

fn fat(ui: &mut Ui, studio: &Studio, hand: &mut Hand, actions: &mut Vec<Action>) {
    let by_height = FAT * studio.project.character.height();
    let wanted = studio.document().fitting.wanted();
    let was = 1e3 * wanted.fat.unwrap_or(by_height);
    let mut mm = was;
    let tip = format!(
        "Thickness of skin and fat over the muscles, mm: thinner lets them stand out. 0 to 100 mm, default {:.1} mm, \
         0.24 % of the height.",
        1e3 * by_height
    );
    let want = |fat, gesture| Action::Edit(Edit::Want(Wanted { fat, ..wanted.clone() }), gesture);
    ui.horizontal(|ui| {
        let label = ui.label("Fat");
        let value = DragValue::new(&mut mm)
            .range(0.0..=100.0)
            .clamp_existing_to_range(false)
            .speed(0.05)
            .suffix(" mm")
            .fixed_decimals(1);
        let response = ui.add(value.update_while_editing(false)).labelled_by(label.id).on_hover_text(tip);
        let gesture = hand.of(&response);
        if response.changed() && (gesture.is_some() || !look_alike(mm, was, 1)) {
            actions.push(want(Some(1e-3 * mm), gesture));
        }
        if wanted.fat.is_some() && ui.small_button("by height").clicked() {
            actions.push(want(None, None));
        }
    });
}

fn run(ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    match studio.fit.progress() {
        Some((label, share, stage)) => {
            ui.horizontal(|ui| {
                ui.add(ProgressBar::new(share).desired_width(200.0).text(format!("{label}: {stage}")));
                if ui.button("Stop").clicked() {
                    actions.push(Fit::Stop.into());
                }
            });
        }
        None => {
            let tip = "Fit muscles to the whole body, in place of those it has. Planes that were turned stay turned, and \
                       what is keyed for muscles that come again stays keyed.";
            let ready = studio.fit.recipe.anatomy != Anatomy::File(PathBuf::new());
            let button = ui.add_enabled(ready, Button::new(RichText::new("Run").strong()));
            if button.on_hover_text(tip).on_disabled_hover_text("Choose a template file first").clicked() {
                actions.push(Fit::Run.into());
            }
            if let Some(words) = other_preset(studio) {
                ui.colored_label(ui.visuals().warn_fg_color, words);
            }
        }
    }
}

/// What a run would make of muscles that are after somebody else.
fn other_preset(studio: &Studio) -> Option<String> {
    let (was, will) = (preset_of(&studio.document().fitting, studio.muscles())?, studio.fit.recipe.preset);
    let [was, will] = [was, will].map(Preset::name);
    (was != will).then(|| {
        format!("The muscles are after {was}. Run makes them {will}'s, with its layers: what only {was}'s have goes.")
    })
}

/// How the last run came out.
fn told(ui: &mut Ui, report: &Report) {
    ui.label(format!("{}: {} muscles in {:.1} s", report.made, report.muscles, report.seconds));
    let worst =
        if report.worst > 0.0 { format!(", the worst {:.1} mm out", 1e3 * report.worst) } else { String::new() };
    ui.label(format!("{:.1} % of the bellies inside the skin{worst}", 100.0 * report.inside));
    let list = |ui: &mut Ui, title: String, rows: &[String]| {
        if !rows.is_empty() {
            ui.collapsing(title, |ui| rows.iter().for_each(|row| _ = ui.weak(row)));
        }
    };
    list(ui, format!("{} roles found, {} missing", report.roles, report.missing.len()), &report.missing);
    let count =
        |rows: &[String], one: &str, more: &str| format!("{} {}", rows.len(), if rows.len() == 1 { one } else { more });
    list(ui, count(&report.left_out, "muscle left out", "muscles left out"), &report.left_out);
    list(ui, count(&report.warnings, "warning", "warnings"), &report.warnings);
}

/// What is done to the chosen muscles.
fn chosen(ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    ui.strong(match studio.chosen.len() {
        0 => "No muscle chosen".into(),
        1 => "1 muscle chosen".into(),
        n => format!("{n} muscles chosen"),
    });
    let ready = !studio.chosen.is_empty() && !studio.is_fitting();
    ui.horizontal(|ui| {
        let first = "Choose muscles first, in the view or in the list";
        let tip = "Shape their bellies to the skin where they lie now, and find anew which skin they move; other muscles and \
                   their weights stay as they are";
        if ui.add_enabled(ready, Button::new("Shape to the skin")).on_hover_text(tip).on_disabled_hover_text(first).clicked() {
            actions.push(Fit::Shape.into());
        }
        let tip = "Put them back to where the template has them; how they behave stays";
        if ui.add_enabled(ready, Button::new("Place again")).on_hover_text(tip).on_disabled_hover_text(first).clicked() {
            actions.push(Fit::PlaceAgain.into());
        }
    });
}
