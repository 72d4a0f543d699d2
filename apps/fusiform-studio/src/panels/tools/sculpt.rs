//! Sculpt: the brush goes over a belly, its shape and the skin follow.

use super::stroke::{self, Way};
use crate::model::{Action, Carve, Carving, Look, Studio, belly, normal_at};
use crate::panels::Over;
use crate::view::circle_on;
use egui::{Color32, Ui};

const CIRCLE: Color32 = Color32::from_rgb(255, 240, 200);
const OTHER: Color32 = Color32::from_gray(160);

/// The stroke that goes on.
#[derive(Clone, Debug, Default)]
pub struct Sculpt {
    stroke: Option<(Carving, Way)>,
}

impl Sculpt {
    /// Draw, and do; whether the mouse is taken.
    pub fn show(&mut self, ui: &Ui, over: Over, studio: &Studio, actions: &mut Vec<Action>) -> bool {
        let sizes = self.stroke.is_none() && stroke::sizes(ui, over, studio, actions);
        let hit = over.mouse().filter(|at| over.rect.contains(*at)).and_then(|at| over.muscle(studio, at));
        if over.response.clicked()
            && let Some((m, _)) = hit.filter(|(m, _)| !studio.chosen.contains(m))
        {
            let beside = ui.input(|input| input.modifiers.command || input.modifiers.shift);
            actions.push(Look::Select(Some(m), beside).into());
        }
        self.begin(ui, over, studio);
        if let Some((carving, way)) = &mut self.stroke {
            for at in stroke::moved(ui).into_iter().flat_map(|to| way.go(to)) {
                // another belly may pass before this one: it is left alone
                if let Some((_, place)) = over.muscle(studio, at).filter(|(m, _)| *m == carving.muscle()) {
                    carving.dab(studio, place);
                }
            }
            actions.extend(carving.take());
        }
        if let Some((m, place)) = hit {
            let (places, normals, triangles) = belly(studio, m);
            let normal = normal_at(&places, &normals, place);
            let circle = circle_on((&places, &triangles), (place, normal), studio.brush.radius);
            let color = if studio.chosen.contains(&m) { CIRCLE } else { OTHER };
            stroke::draw_circle(ui, over, &circle, color);
        }
        let taken = sizes || self.stroke.is_some();
        if !stroke::goes_on(ui) {
            self.stroke = None;
        }
        taken
    }

    fn begin(&mut self, ui: &Ui, over: Over, studio: &Studio) {
        let Some(at) = stroke::begins(ui, over).filter(|_| self.stroke.is_none()) else { return };
        let Some((m, place)) = over.muscle(studio, at).filter(|(m, _)| studio.chosen.contains(m)) else { return };
        let mode = if ui.input(|input| input.modifiers.shift) { Carve::Smooth } else { studio.brush.carve };
        if let Some(mut carving) = Carving::begin(studio, m, mode) {
            carving.dab(studio, place);
            let radius = stroke::seen_radius(over, place, studio.brush.radius);
            self.stroke = Some((carving, Way::new(at, radius)));
        }
    }
}
