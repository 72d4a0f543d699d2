//! Paint: the brush goes over the skin, weights follow.

use super::pose::limb_at;
use super::stroke::{self, CIRCLE, Going, Press};
use crate::model::kernels::weight_in;
use crate::model::{Action, Dab, Look, Mode, Painting, Studio, Target, hindrance};
use crate::panels::Over;
use crate::view::{SkinHit, circle_on};
use egui::{Pos2, Ui};
use fusiform::BodyState;
use glam::Vec3;

/// Others whose weights are shown beside the one that is painted.
const OTHERS: usize = 3;

/// The stroke that goes on.
#[derive(Clone, Debug, Default)]
pub struct Paint {
    stroke: Going<Painting>,
}

impl Paint {
    /// Draw, and do; whether the mouse is taken.
    pub fn show(&mut self, ui: &Ui, over: Over, studio: &Studio, actions: &mut Vec<Action>) -> bool {
        let sizes = !self.stroke.is_on() && stroke::sizes(ui, over, studio, actions);
        let skin = over.skins(studio);
        let hit = over.mouse().filter(|at| over.rect.contains(*at)).and_then(&skin);
        if let Some(at) = over.clicked(ui) {
            choose(ui, over, studio, at, actions);
        }
        let dab = |painting: &mut Painting, at: Pos2| {
            if let Some(hit) = skin(at) {
                let body = over.body(studio, at);
                painting.dab(studio, body, &dab_at(body, &hit));
            }
        };
        let take = |painting: &mut Painting| actions.extend(painting.take(studio));
        let taken = self.stroke.follow(ui, over, studio, |press| begin((over, &skin), studio, press), (dab, take));
        if let (Some(hit), Some(at)) = (hit, over.mouse()) {
            let body = over.body(studio, at);
            let dab = dab_at(body, &hit);
            let surface = (body.positions(), studio.shown_triangles());
            let circle = circle_on(surface, (dab.place, dab.normal), studio.brush.radius);
            stroke::draw_circle(ui, over, &circle, CIRCLE);
            tell(ui, over, studio, &hit, at);
        }
        taken || sizes
    }
}

/// A stroke from that place of the window on, and where on the skin that is.
fn begin(
    (over, skin): (Over, impl Fn(Pos2) -> Option<SkinHit>),
    studio: &Studio,
    press: Press,
) -> Option<(Painting, Vec3)> {
    let (hit, body) = (skin(press.at)?, over.body(studio, press.at));
    let mut painting = Painting::begin(studio, mode(studio, press.smooths, press.inverts))?;
    painting.dab(studio, body, &dab_at(body, &hit));
    Some((painting, hit.place))
}

/// What a stroke does.
fn mode(studio: &Studio, smooths: bool, inverts: bool) -> Mode {
    match studio.brush.mode {
        _ if smooths => Mode::Smooth,
        mode if inverts => mode.inverse(),
        mode => mode,
    }
}

fn dab_at(body: &BodyState, hit: &SkinHit) -> Dab {
    let normals = body.normals();
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

/// Beside the mouse: why nothing can be painted, if so; numbers of what is painted, and of the largest others.
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
            let held = ui.input(|input| input.modifiers);
            let hindered = hindrance(studio, mode(studio, held.shift, held.command), hit.vertex());
            hindered.into_iter().chain([first]).chain(others.map(|&(index, weight)| line(index, weight))).collect()
        }
    };
    stroke::say(ui, over, at, lines);
}
