//! Cut: the plane that divides a bone's flesh between two opposed muscles is turned by a handle.

use crate::model::{Action, Edit, Gesture, Look, Studio};
use crate::panels::Over;
use crate::panels::marks::{self, at_end, hint};
use egui::{Color32, Pos2, Shape, Stroke, Ui};
use fusiform_fit::Flesh;
use glam::{Affine3A, Vec3};
use std::collections::BTreeSet;
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
    /// The bone's name: the body may be cut anew meanwhile.
    bone: String,
    degrees: f32,
    /// Which of the two handles: +1 or -1.
    side: f32,
    moved: bool,
    gesture: Gesture,
}

/// Why no plane can be turned, and what to do about it.
#[must_use]
pub fn why_no_plane(studio: &Studio) -> &'static str {
    let document = studio.document();
    match studio.fit.fresh_flesh(document) {
        None if studio.fit.is_uncut(document) => "The body cannot be cut into regions, so it has no planes.",
        None => "The body is being cut into regions.",
        Some(flesh) if studio.muscles().iter().any(|muscle| flesh.bone_of(&muscle.name).is_some()) => {
            "Click the skin of a pair, or choose one of its muscles, to turn the plane between the two."
        }
        Some(_) => "Planes divide opposed pairs, and no muscle here is of one: Rig > Fit…, template \"pairs\".",
    }
}

/// The bone whose pair is chosen, once the body is cut as it is now.
#[must_use]
pub fn chosen_bone(studio: &Studio) -> Option<(Arc<Flesh>, usize)> {
    let flesh = studio.fit.fresh_flesh(studio.document())?;
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
        let clicked = over.clicked(ui);
        let Some((flesh, bone)) = self.in_hand(studio).or_else(|| chosen_bone(studio)) else {
            self.held = None;
            hint(ui, over, why_no_plane(studio));
            clicked.into_iter().for_each(|at| choose(over, studio, at, actions));
            return false;
        };
        let (name, found) = (&flesh.bones()[bone].name, flesh.bones()[bone].found);
        let degrees = studio.document().fitting.turned.get(name).copied().unwrap_or(found);
        let plane = Seen::of(studio, &flesh, bone, degrees);
        // a handle that is pressed and not dragged chooses nothing else
        clicked.filter(|at| near(over, &plane, *at).is_none()).into_iter().for_each(|at| {
            choose(over, studio, at, actions);
        });
        if let Some(side) = over.taken(ui).and_then(|at| near(over, &plane, at)) {
            let (bone, gesture) = (name.clone(), Gesture::begin());
            self.held = Some(Held { bone, degrees, side, moved: false, gesture });
        }
        self.turn(over, studio, (&flesh, bone), actions);
        let degrees = self.held.as_ref().map_or(degrees, |held| held.degrees);
        draw(ui, over, studio, (&flesh, bone, degrees), self.held.is_some());
        self.held.is_some()
    }

    /// The bone whose plane is held: it stays in hand whatever is chosen meanwhile.
    fn in_hand(&self, studio: &Studio) -> Option<(Arc<Flesh>, usize)> {
        let (held, flesh) = (self.held.as_ref()?, studio.fit.fresh_flesh(studio.document())?);
        let bone = flesh.bones().iter().position(|bone| bone.name == held.bone)?;
        Some((flesh, bone))
    }

    /// Turn what is held to where its handle is seen nearest to the mouse; what is no longer there is let go.
    fn turn(&mut self, over: Over, studio: &Studio, (flesh, bone): (&Flesh, usize), actions: &mut Vec<Action>) {
        self.held.take_if(|held| held.bone != flesh.bones()[bone].name);
        let Some(held) = &mut self.held else { return };
        let (name, gesture) = (held.bone.clone(), held.gesture);
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
            let handle = over.at(Seen::of(studio, flesh, bone, *degrees).handle(held.side));
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

/// The handle at that place: +1 or -1.
fn near(over: Over, plane: &Seen, at: Pos2) -> Option<f32> {
    let far = |side: f32| over.at(plane.handle(side)).map_or(f32::MAX, |handle| handle.distance(at));
    let side = if far(1.0) <= far(-1.0) { 1.0 } else { -1.0 };
    (far(side) <= NEAR).then_some(side)
}

/// Choose the pair of the region under the mouse; nothing beside the body. Skin without a pair leaves what is chosen.
fn choose(over: Over, studio: &Studio, at: Pos2, actions: &mut Vec<Action>) {
    let Some(hit) = over.skin(studio, at) else { return actions.push(Look::Choose(BTreeSet::new()).into()) };
    let (Some(flesh), Some(regions)) = (studio.fit.flesh(), studio.fit.regions()) else { return };
    let region = regions.get(hit.vertex()).copied().flatten();
    let names = region.and_then(|region| flesh.bone_of_region(region)).map(|bone| flesh.muscles_of(bone));
    let muscles = names.iter().flatten().filter_map(|name| studio.document().musculature.find(name));
    let pair: BTreeSet<usize> = muscles.collect();
    if !pair.is_empty() {
        actions.push(Look::Choose(pair).into());
    }
}

/// The plane one sees through, its handles, and on which side the flexor lies.
fn draw(ui: &Ui, over: Over, studio: &Studio, (flesh, bone, degrees): (&Flesh, usize, f32), held: bool) {
    let Seen { middle, along, across, toward } = &Seen::of(studio, flesh, bone, degrees);
    let painter = ui.painter().with_clip_rect(over.rect);
    let corners = [*along + *across, *along - *across, -*along - *across, *across - *along];
    let corners: Option<Vec<Pos2>> = corners.into_iter().map(|corner| over.at(*middle + corner)).collect();
    if let Some(corners) = corners {
        painter.add(Shape::convex_polygon(corners.clone(), PLANE.gamma_multiply(0.25), Stroke::NONE));
        for stroke in marks::strokes(1.5, PLANE) {
            painter.add(Shape::closed_line(corners.clone(), stroke));
        }
    }
    if let [Some(from), Some(to)] = [*middle - *along, *middle].map(|end| over.at(end)) {
        marks::line(&painter, &[from, to], 1.0, PLANE);
    }
    let turned = format!("{} {degrees:.0}°", flesh.bones()[bone].name);
    for (way, words, color) in
        [(*toward, "flexor", Color32::WHITE), (-*toward, "extensor", Color32::WHITE), (*along, &*turned, PLANE)]
    {
        if let [Some(from), Some(to)] = [*middle, *middle + way].map(|end| over.at(end)) {
            marks::line(&painter, &[from, to], 1.0, PLANE);
            at_end(ui, over, [from, to], words, color);
        }
    }
    for handle in [*middle + *across, *middle - *across].into_iter().filter_map(|handle| over.at(handle)) {
        let fill = if held { PLANE } else { PLANE.gamma_multiply(0.5) };
        painter.circle_filled(handle, 6.0, fill);
        for stroke in marks::strokes(2.0, Color32::WHITE) {
            painter.circle_stroke(handle, 6.0, stroke);
        }
    }
}
