//! Paint: the brush goes over the skin, weights follow.

use super::pose::limb_at;
use super::stroke::{self, Way};
use crate::model::kernels::weight_in;
use crate::model::{Action, Dab, Look, Mode, Painting, Studio, Target};
use crate::panels::Over;
use crate::view::{SkinHit, circle_on};
use egui::{Color32, Pos2, Ui};
use glam::Vec3;

const CIRCLE: Color32 = Color32::from_rgb(255, 240, 200);
/// Others whose weights are shown beside the one that is painted.
const OTHERS: usize = 3;

/// The stroke that goes on.
#[derive(Clone, Debug, Default)]
pub struct Paint {
    stroke: Option<(Painting, Way)>,
}

impl Paint {
    /// Draw, and do; whether the mouse is taken.
    pub fn show(&mut self, ui: &Ui, over: Over, studio: &Studio, actions: &mut Vec<Action>) -> bool {
        let sizes = self.stroke.is_none() && stroke::sizes(ui, over, studio, actions);
        let hit = over.mouse().filter(|at| over.rect.contains(*at)).and_then(|at| over.skin(studio, at));
        if let Some(at) = over.response.interact_pointer_pos().filter(|_| over.response.clicked()) {
            choose(ui, over, studio, at, actions);
        }
        self.begin(ui, over, studio);
        if let Some((painting, way)) = &mut self.stroke {
            for at in stroke::moved(ui).into_iter().flat_map(|to| way.go(to)) {
                if let Some(hit) = over.skin(studio, at) {
                    painting.dab(studio, &dab_at(studio, &hit));
                }
            }
            actions.extend(painting.take(studio));
        }
        if let Some(hit) = hit {
            let (body, state) = studio.live.muscled();
            let dab = dab_at(studio, &hit);
            let surface = (state.positions(), body.triangles());
            let circle = circle_on(surface, (dab.place, dab.normal), studio.brush.radius);
            stroke::draw_circle(ui, over, &circle, CIRCLE);
            if let Some(at) = over.mouse() {
                tell(ui, over, studio, &hit, at);
            }
        }
        let taken = sizes || self.stroke.is_some();
        if !stroke::goes_on(ui) {
            self.stroke = None;
        }
        taken
    }

    fn begin(&mut self, ui: &Ui, over: Over, studio: &Studio) {
        let Some(at) = stroke::begins(ui, over).filter(|_| self.stroke.is_none()) else { return };
        let Some(hit) = over.skin(studio, at) else { return };
        let mode = if ui.input(|input| input.modifiers.shift) { Mode::Smooth } else { studio.brush.mode };
        if let Some(mut painting) = Painting::begin(studio, mode) {
            painting.dab(studio, &dab_at(studio, &hit));
            let radius = stroke::seen_radius(over, hit.place, studio.brush.radius);
            self.stroke = Some((painting, Way::new(at, radius)));
        }
    }
}

fn dab_at(studio: &Studio, hit: &SkinHit) -> Dab {
    let normals = studio.live.muscled().1.normals();
    let normal: Vec3 = hit.corners.iter().zip(hit.shares.to_array()).map(|(&v, share)| share * normals[v]).sum();
    Dab { place: hit.place, normal: normal.normalize_or_zero(), corners: hit.corners }
}

/// With ctrl a click chooses the joint of the limb under it; with shift, too, the muscle that weighs most there.
fn choose(ui: &Ui, over: Over, studio: &Studio, at: Pos2, actions: &mut Vec<Action>) {
    let modifiers = ui.input(|input| input.modifiers);
    if !modifiers.command {
        return;
    }
    if !modifiers.shift {
        let limb = limb_at(over, studio, at);
        return actions.extend(limb.map(|(joint, _)| Look::Joint(Some(joint)).into()));
    }
    let weights = over.skin(studio, at).map(|hit| weights_at(studio, &hit, Target::Muscle(0)));
    let heaviest = weights.and_then(|weights| weights.first().map(|&(muscle, _)| usize::from(muscle)));
    actions.extend(heaviest.map(|muscle| Look::Select(Some(muscle), false).into()));
}

/// What weighs on a place of the skin, largest first: joints or muscles, as the target is.
fn weights_at(studio: &Studio, hit: &SkinHit, target: Target) -> Vec<(u16, f32)> {
    let document = studio.document();
    let tables = match target {
        Target::Joint(_) => &*document.joints,
        Target::Muscle(_) => &document.musculature.weights,
    };
    let mut weights: Vec<(u16, f32)> = Vec::new();
    for (&corner, share) in hit.corners.iter().zip(hit.shares.to_array()) {
        let (mesh, vertex) = studio.project.skin().in_mesh(corner);
        for (index, weight) in tables.get(mesh).into_iter().flat_map(|table| table.of(vertex)) {
            match weights.iter_mut().find(|(i, _)| *i == index) {
                Some((_, sum)) => *sum += share * weight,
                None => weights.push((index, share * weight)),
            }
        }
    }
    weights.retain(|(_, weight)| *weight > 0.0);
    weights.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    weights
}

/// Numbers beside the mouse: what is painted, and the largest others.
fn tell(ui: &Ui, over: Over, studio: &Studio, hit: &SkinHit, at: Pos2) {
    let joints = &studio.project.character.skeleton.joints;
    let name = |index: u16, target: Target| match target {
        Target::Joint(_) => joints.get(usize::from(index)).map_or("", |joint| &*joint.name),
        Target::Muscle(_) => studio.muscles().get(usize::from(index)).map_or("", |muscle| &*muscle.name),
    };
    let lines: Vec<String> = match studio.painted() {
        None => vec!["ctrl-click a limb to paint its joint".into()],
        Some(target) => {
            let (Target::Joint(own) | Target::Muscle(own)) = target;
            let weights = weights_at(studio, hit, target);
            let own = own as u16;
            let others = weights.iter().filter(|(index, _)| *index != own).take(OTHERS);
            let line = |index: u16, weight: f32| format!("{} {weight:.3}", name(index, target));
            let first = line(own, weight_in(&weights, own));
            std::iter::once(first).chain(others.map(|&(index, weight)| line(index, weight))).collect()
        }
    };
    let area = egui::Area::new(ui.scope_id().with("weights")).interactable(false).constrain_to(over.rect);
    area.order(egui::Order::Tooltip).fixed_pos(at + egui::vec2(22.0, 14.0)).show(ui.ctx(), |ui| {
        egui::Frame::popup(ui.style()).show(ui, |ui| {
            for (i, line) in lines.into_iter().enumerate() {
                let text = if i == 0 { egui::RichText::new(line).strong() } else { egui::RichText::new(line).weak() };
                ui.add(egui::Label::new(text).selectable(false).extend());
            }
        });
    });
}
