//! Layers: what muscles and bones do to the skin, in order.

use super::names;
use crate::model::{Action, Edit, Gesture, LAYER_CHOICES, LAYER_FIELDS, Part, Studio};
use crate::panels::icons::{Icon, icon};
use crate::panels::rows::Hand;
use egui::Ui;
use egui::collapsing_header::CollapsingState;
use fusiform::musculature::{Layer, ShellMode, Tissue};
use glam::Vec3;

type Kind = (&'static str, &'static str, fn() -> Layer);

const KINDS: [Kind; 6] = [
    ("Blend", "Skin follows the nearest belly vertices (Lee).", Layer::blend),
    ("Shells", "Ellipsoids push and drag the skin around them (Pratscher).", Layer::shells),
    ("Displace", "Skin moves away from a muscle's line as far as it has grown (Ramos).", Layer::displace),
    ("Wrap", "Skin hangs on the bellies' surfaces (Saam).", Layer::wrap),
    ("Slide", "Bones push the skin over them (Saam).", Layer::slide),
    ("Tissue", "Skin and bellies get mass: they jiggle, sag and give way (Murai). Always the last.", lively),
];

/// What lists of names are for.
const MUSCLES: &str = "Which of them move the skin here: all, or only some.";
const SLIDE: &str = "Which bones push the skin here: all, or only some.";
const TISSUE: &str = "Which bones the flesh hangs on: all, or only some.";

fn lively() -> Layer {
    Layer::Tissue(Tissue::lively())
}

fn kind(layer: &Layer) -> Kind {
    let i = match layer {
        Layer::Shells { .. } => 1,
        Layer::Displace { .. } => 2,
        Layer::Wrap { .. } => 3,
        Layer::Slide { .. } => 4,
        Layer::Tissue(_) => 5,
        _ => 0,
    };
    KINDS[i]
}

/// Draw; what is done goes into `actions`.
pub fn show(hand: &mut Hand, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    let layers = &studio.document().musculature.layers;
    ui.horizontal(|ui| {
        ui.heading("Layers");
        ui.menu_button("Add layer", |ui| {
            for (name, tip, make) in KINDS {
                let one_is_enough = name == "Tissue" && layers.iter().any(|layer| matches!(layer, Layer::Tissue(_)));
                if ui.add_enabled(!one_is_enough, egui::Button::new(name)).on_hover_text(tip).clicked() {
                    let all = layers.iter().cloned().chain([suiting(make(), hand.height)]).collect();
                    actions.push(Edit::Part(Part::Layers(all)).into());
                    ui.close();
                }
            }
        });
    });
    ui.weak("From top to bottom, each from what the one before left.");
    if layers.is_empty() {
        ui.weak("None: joints alone move the skin.");
    }
    let mut changed: Option<(Vec<Layer>, Option<Gesture>)> = None;
    for (i, layer) in layers.iter().enumerate() {
        ui.push_id(("layer", i), |ui| {
            let id = ui.make_persistent_id("open");
            let state = CollapsingState::load_with_default_open(ui.ctx(), id, true);
            let header = state.show_header(ui, |ui| {
                if let Some(all) = head(ui, layers, i) {
                    changed = Some((all, None));
                }
            });
            header.body_unindented(|ui| {
                if let Some((layer, gesture)) = show_layer(hand, ui, studio, layer) {
                    let mut all = layers.clone();
                    all[i] = layer;
                    changed = Some((all, gesture));
                }
            });
        });
        ui.separator();
    }
    if let Some((layers, gesture)) = changed {
        actions.push(Action::Edit(Edit::Part(Part::Layers(layers)), gesture));
    }
}

/// A new layer whose lengths are in proportion to a body of that height.
fn suiting(mut layer: Layer, height: f32) -> Layer {
    for field in LAYER_FIELDS.iter().map(|field| field.on_body(height)).filter(|field| field.unit == "m") {
        field.turn(&mut layer, field.default);
    }
    layer
}

/// Name, and what moves or removes it: the layers without it, or in another order.
fn head(ui: &mut Ui, layers: &[Layer], i: usize) -> Option<Vec<Layer>> {
    let (name, tip, _) = kind(&layers[i]);
    ui.strong(format!("{} {name}", i + 1)).on_hover_text(tip);
    let is_tissue = |i: usize| matches!(layers.get(i), Some(Layer::Tissue(_)));
    let mut changed = None;
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let mut all = layers.to_vec();
        let remove = icon(ui, Icon::Cross, true, &format!("Remove layer {}", i + 1));
        let can_sink = i + 1 < layers.len() && !is_tissue(i + 1);
        let down = icon(ui, Icon::Down, can_sink, &format!("Move layer {} down", i + 1));
        let up = icon(ui, Icon::Up, i > 0 && !is_tissue(i), &format!("Move layer {} up", i + 1));
        if remove.clicked() {
            all.remove(i);
        } else if down.clicked() {
            all.swap(i, i + 1);
        } else if up.clicked() {
            all.swap(i, i - 1);
        } else {
            return;
        }
        changed = Some(all);
    });
    changed
}

fn show_layer(hand: &mut Hand, ui: &mut Ui, studio: &Studio, layer: &Layer) -> Option<(Layer, Option<Gesture>)> {
    let skeleton = &studio.project.character.skeleton;
    let mut changed = hand.all(ui, (&LAYER_FIELDS, &LAYER_CHOICES), layer, skeleton);
    let document = &studio.document().musculature;
    let muscles: Vec<&str> = document.muscles.iter().map(|muscle| &*muscle.name).collect();
    let chosen: Vec<&str> = studio.chosen.iter().map(|&m| &*document.muscles[m].name).collect();
    let bones: Vec<&str> = document.bones.iter().map(|bone| &*bone.name).collect();
    let mut edited = layer.clone();
    if let Some(names) = edited.muscles_mut()
        && let Some(list) = names::show(ui, ("Muscles", MUSCLES), names, (&muscles, Some(&chosen[..])))
    {
        *names = list;
        changed = Some((edited.clone(), None));
    }
    let bones_tip = if matches!(edited, Layer::Slide { .. }) { SLIDE } else { TISSUE };
    if let Layer::Slide { bones: names, .. } | Layer::Tissue(Tissue { bones: names, .. }) = &mut edited
        && let Some(list) = names::show(ui, ("Bones", bones_tip), names, (&bones, None))
    {
        *names = list;
        changed = Some((edited.clone(), None));
    }
    if let Layer::Shells { mode: ShellMode::Trajectory { offsets, .. }, .. } = &mut edited
        && steps(ui, offsets)
    {
        changed = Some((edited, None));
    }
    changed
}

/// Steps of a trajectory come and go; whether they did.
fn steps(ui: &mut Ui, offsets: &mut Vec<Vec3>) -> bool {
    ui.horizontal(|ui| {
        let add = ui.add_enabled(offsets.len() < 16, egui::Button::new("Add step"));
        let remove = ui.add_enabled(!offsets.is_empty(), egui::Button::new("Remove step"));
        if add.on_hover_text("One more place the skin's way runs over").clicked() {
            offsets.push(offsets.last().copied().unwrap_or_default());
            return true;
        }
        remove.clicked() && offsets.pop().is_some()
    })
    .inner
}
