//! Cut: the plane that divides a bone's flesh between two opposed muscles is turned by a handle.

use crate::model::{Action, Edit, Gesture, Look, Studio};
use crate::panels::Over;
use egui::{Color32, Pos2, Shape, Stroke, Ui};
use fusiform_fit::Flesh;
use glam::{Affine3A, Vec3};
use std::sync::Arc;

const PLANE: Color32 = Color32::from_rgb(90, 170, 250);
/// Where the plane ends beyond the skin, as shares of the region's thickness and of the bone's length.
const BROAD: f32 = 1.7;
const LONG: f32 = 0.55;
/// How near to a handle a press takes it, points.
const NEAR: f32 = 12.0;
/// A drag is looked for this far about where the handle was, degrees, in steps of so many.
const ABOUT: i32 = 60;
const STEP: f32 = 0.5;

/// The plane in hand.
#[derive(Clone, Debug, Default)]
pub struct Cut {
    held: Option<Held>,
}

#[derive(Clone, Debug)]
struct Held {
    bone: usize,
    degrees: f32,
    /// Which of the two handles: +1 or -1.
    side: f32,
    moved: bool,
    gesture: Gesture,
}

/// The bone whose pair is chosen, among those that are cut.
#[must_use]
pub fn chosen_bone(studio: &Studio) -> Option<(Arc<Flesh>, usize)> {
    let flesh = studio.fit.flesh()?;
    let bone = studio.chosen.iter().find_map(|&m| flesh.bone_of(&studio.muscles().get(m)?.name))?.0;
    Some((flesh, bone))
}

/// A plane as it is seen: its middle, along the bone, across it in the plane, toward the flexor; all but the last half as long
/// as it is.
struct Seen {
    middle: Vec3,
    along: Vec3,
    across: Vec3,
    toward: Vec3,
}

impl Seen {
    fn of(studio: &Studio, flesh: &Flesh, bone: usize, degrees: f32) -> Self {
        let (of, (middle, normal)) = (&flesh.bones()[bone], flesh.plane(bone, degrees));
        let joint = of.bone.joint;
        // at bind the bone is where it was cut; the pose carries it along
        let bind = studio.project.character.skeleton.joints.get(joint).map_or(Affine3A::IDENTITY, |joint| joint.bind);
        let posed = studio.live.model_from_joint().get(joint).map_or(bind, |posed| *posed) * bind.inverse();
        let turn = |v: Vec3| posed.transform_vector3(v);
        Self {
            middle: posed.transform_point3(middle),
            along: turn(of.bone.along() * (LONG * of.bone.length())),
            across: turn(of.bone.along().cross(normal) * (BROAD * of.thick)),
            toward: turn(normal * (BROAD * of.thick)),
        }
    }

    fn handle(&self, side: f32) -> Vec3 {
        self.middle + self.across * side
    }
}

impl Cut {
    /// Draw, and do; whether the mouse is taken.
    pub fn show(&mut self, ui: &Ui, over: Over, studio: &Studio, actions: &mut Vec<Action>) -> bool {
        if let Some((flesh, bone)) = chosen_bone(studio) {
            let turned = studio.document().fitting.turned.get(&flesh.bones()[bone].name).copied();
            let degrees = turned.unwrap_or(flesh.bones()[bone].found);
            self.hold(ui, over, studio, (&flesh, bone, degrees));
            self.turn(over, studio, &flesh, actions);
            let degrees = self.held.as_ref().map_or(degrees, |held| held.degrees);
            draw(ui, over, studio, (&flesh, bone, degrees), self.held.is_some());
        } else {
            self.held = None;
        }
        if over.response.clicked()
            && let Some(at) = over.response.interact_pointer_pos()
        {
            choose(over, studio, at, actions);
        }
        self.held.is_some()
    }

    /// Take the handle that is pressed on.
    fn hold(&mut self, ui: &Ui, over: Over, studio: &Studio, (flesh, bone, degrees): (&Flesh, usize, f32)) {
        let Some(at) = over.taken(ui) else { return };
        let plane = Seen::of(studio, flesh, bone, degrees);
        let far = |side: f32| over.at(plane.handle(side)).map_or(f32::MAX, |handle| handle.distance(at));
        let side = if far(1.0) <= far(-1.0) { 1.0 } else { -1.0 };
        self.held = (far(side) <= NEAR).then(|| Held { bone, degrees, side, moved: false, gesture: Gesture::begin() });
    }

    /// Turn what is held to where its handle is seen nearest to the mouse.
    fn turn(&mut self, over: Over, studio: &Studio, flesh: &Flesh, actions: &mut Vec<Action>) {
        let Some(held) = &mut self.held else { return };
        let (name, gesture) = (flesh.bones()[held.bone].name.clone(), held.gesture);
        let edit = |degrees: f32| Action::Edit(Edit::TurnPlane(name.clone(), Some(degrees)), Some(gesture));
        if !over.response.dragged() {
            // where finding the skin they move takes long, that is done now
            let undone = Some(held.degrees).filter(|_| held.moved && !studio.fit.is_quick());
            actions.extend(undone.map(edit));
            self.held = None;
            return;
        }
        let Some(at) = over.mouse() else { return };
        let steps = (ABOUT as f32 / STEP) as i32;
        let turned = (-steps..=steps).map(|step| held.degrees + STEP * step as f32);
        let far = |degrees: &f32| {
            let handle = over.at(Seen::of(studio, flesh, held.bone, *degrees).handle(held.side));
            // of two that are seen in one place, the one that is turned to less
            handle.map_or(f32::MAX, |handle| handle.distance(at) + 0.01 * (degrees - held.degrees).abs())
        };
        let Some(degrees) = turned.min_by(|a, b| far(a).total_cmp(&far(b))) else { return };
        if degrees != held.degrees {
            (held.degrees, held.moved) = (degrees, true);
            let drag = Edit::DragPlane(name.clone(), degrees);
            let quick = studio.fit.is_quick();
            actions.push(if quick { edit(degrees) } else { Action::Edit(drag, Some(gesture)) });
        }
    }
}

/// Choose the pair of the region under the mouse.
fn choose(over: Over, studio: &Studio, at: Pos2, actions: &mut Vec<Action>) {
    let (Some(flesh), Some(regions)) = (studio.fit.flesh(), studio.fit.regions()) else { return };
    let hit = over.skin(studio, at);
    let region = hit.and_then(|hit| regions.get(hit.vertex()).copied().flatten());
    let names = region.and_then(|region| flesh.bone_of_region(region)).map(|bone| flesh.muscles_of(bone));
    actions.push(Look::Select(None, false).into());
    for m in names.iter().flatten().filter_map(|name| studio.document().musculature.find(name)) {
        actions.push(Look::Select(Some(m), true).into());
    }
}

/// The plane one sees through, its handles, and on which side the flexor lies.
fn draw(ui: &Ui, over: Over, studio: &Studio, (flesh, bone, degrees): (&Flesh, usize, f32), held: bool) {
    let Seen { middle, along, across, toward } = &Seen::of(studio, flesh, bone, degrees);
    let painter = ui.painter().with_clip_rect(over.rect);
    let corners = [*along + *across, *along - *across, -*along - *across, *across - *along];
    let corners: Option<Vec<Pos2>> = corners.into_iter().map(|corner| over.at(*middle + corner)).collect();
    let stroke = Stroke::new(1.5, PLANE);
    if let Some(corners) = corners {
        painter.add(Shape::convex_polygon(corners, PLANE.gamma_multiply(0.25), stroke));
    }
    if let [Some(from), Some(to)] = [*middle - *along, *middle + *along].map(|end| over.at(end)) {
        painter.line_segment([from, to], Stroke::new(1.0, PLANE));
    }
    for handle in [*middle + *across, *middle - *across].into_iter().filter_map(|handle| over.at(handle)) {
        let fill = if held { PLANE } else { PLANE.gamma_multiply(0.5) };
        painter.circle(handle, 6.0, fill, Stroke::new(2.0, Color32::WHITE));
    }
    let font = egui::FontId::proportional(13.0);
    for (way, kind) in [(*toward, "flexor"), (-*toward, "extensor")] {
        if let [Some(from), Some(to)] = [*middle, *middle + way].map(|end| over.at(end)) {
            painter.line_segment([from, to], Stroke::new(1.0, PLANE.gamma_multiply(0.6)));
            painter.text(to, egui::Align2::CENTER_CENTER, kind, font.clone(), Color32::WHITE);
        }
    }
    if let Some(at) = over.at(*middle + *along) {
        let text = format!("{} {degrees:.0}°", flesh.bones()[bone].name);
        painter.text(at + egui::vec2(10.0, -10.0), egui::Align2::LEFT_BOTTOM, text, font, PLANE);
    }
}
