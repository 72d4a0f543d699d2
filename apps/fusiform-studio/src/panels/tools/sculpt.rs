//! Sculpt: the brush goes over a belly, its shape and the skin follow.

use super::stroke::{self, CIRCLE, Going, Press};
use crate::model::{Action, Carve, Carving, Look, Studio, belly, carving_hindrance, normal_at};
use crate::panels::Over;
use crate::view::circle_on;
use egui::{Color32, Pos2, Ui};
use glam::Vec3;

const OTHER: Color32 = Color32::from_gray(160);

/// The stroke that goes on.
#[derive(Clone, Debug, Default)]
pub struct Sculpt {
    stroke: Going<Carving>,
}

impl Sculpt {
    /// Draw, and do; whether the mouse is taken.
    pub fn show(&mut self, ui: &Ui, over: Over, studio: &Studio, actions: &mut Vec<Action>) -> bool {
        let sizes = !self.stroke.is_on() && stroke::sizes(ui, over, studio, actions);
        let hit = over.mouse().filter(|at| over.rect.contains(*at)).and_then(|at| over.muscle(studio, at));
        if over.clicked(ui).is_some()
            && let Some((m, _)) = hit.filter(|(m, _)| !studio.chosen.contains(m))
        {
            let beside = ui.input(|input| input.modifiers.command || input.modifiers.shift);
            actions.push(Look::Select(Some(m), beside).into());
        }
        let dab = |carving: &mut Carving, at: Pos2| {
            // another belly may pass before this one: it is left alone
            if let Some((_, place)) = over.muscle(studio, at).filter(|(m, _)| *m == carving.muscle()) {
                carving.dab(studio, place);
            }
        };
        let take = |carving: &mut Carving| actions.extend(carving.take());
        let taken = self.stroke.follow(ui, over, studio, |press| begin(over, studio, press), (dab, take));
        if let Some((m, place)) = hit {
            let (places, normals, triangles) = belly(studio, m);
            let normal = normal_at(&places, &normals, place);
            let circle = circle_on((&places, &triangles), (place, normal), studio.brush.radius);
            let color = if studio.chosen.contains(&m) { CIRCLE } else { OTHER };
            stroke::draw_circle(ui, over, &circle, color);
            let hindrance = carving_hindrance(studio, m).filter(|_| studio.chosen.contains(&m));
            if let (Some(why), Some(at)) = (hindrance, over.mouse()) {
                stroke::say(ui, over, at, vec![why]);
            }
        }
        taken || sizes
    }
}

/// A stroke from that place of the window on, and where on a chosen belly that is.
fn begin(over: Over, studio: &Studio, press: Press) -> Option<(Carving, Vec3)> {
    let (m, place) = over.muscle(studio, press.at).filter(|(m, _)| studio.chosen.contains(m))?;
    let mode = match studio.brush.carve {
        _ if press.smooths => Carve::Smooth,
        mode if press.inverts => mode.inverse(),
        mode => mode,
    };
    let mut carving = Carving::begin(studio, m, mode)?;
    carving.dab(studio, place);
    Some((carving, place))
}
