//! Place: the ends, hinges, bend and up-vector of chosen muscles, dragged in the view.

use crate::model::{Action, Edit, Gesture, Grip, Look, Placing, Studio, arrow, frame_now, middle};
use crate::panels::Over;
use crate::panels::marks::{self, dot, hint, label};
use egui::{Color32, Key, Pos2, Ui};
use fusiform::Muscle;
use glam::{Quat, Vec3};
use std::f32::consts::TAU;

/// Points of the window within which a handle is taken.
const NEAR: f32 = 10.0;
/// How much slower handles go with shift.
const FINE: f32 = 0.1;
/// Ways an up-vector may point, and what a turn away from where it is costs, points of the window a radian.
const WAYS: u16 = 360;
const STAY: f32 = 4.0;

/// The handle in hand.
#[derive(Clone, Debug, Default)]
pub struct Place {
    held: Option<Held>,
}

#[derive(Clone, Debug)]
struct Held {
    m: usize,
    grip: Grip,
    gesture: Gesture,
    /// The muscle as it was taken.
    muscle: Box<Muscle>,
    /// Where the handle was then, m, model space.
    from: Vec3,
    /// Where it is wanted in the window: as the mouse goes, slower with shift.
    at: Pos2,
    mouse: Pos2,
}

/// A handle as it is seen.
struct Handle {
    m: usize,
    grip: Grip,
    place: Vec3,
    at: Pos2,
}

impl Place {
    /// Draw, and do; whether the mouse is taken.
    pub fn show(&mut self, ui: &Ui, over: Over, studio: &Studio, actions: &mut Vec<Action>) -> bool {
        let handles = handles(over, studio);
        if let Some((at, handle)) = over.taken(ui).and_then(|at| Some((at, nearest(&handles, at)?))) {
            self.held = Some(Held {
                m: handle.m,
                grip: handle.grip,
                gesture: Gesture::begin(),
                muscle: Box::new(studio.muscles()[handle.m].clone()),
                from: handle.place,
                at: handle.at,
                mouse: at,
            });
        }
        if !over.response.dragged() {
            self.held = None;
        }
        if let Some(at) = over.clicked(ui)
            && nearest(&handles, at).is_none()
            && let Some((m, _)) = over.muscle(studio, at)
        {
            let beside = ui.input(|input| input.modifiers.command || input.modifiers.shift);
            actions.push(Look::Select(Some(m), beside).into());
        }
        let wanted = self.held.as_mut().and_then(|held| held.drag(ui, over, studio, actions));
        self.draw(ui, over, studio, &handles, wanted);
        self.held.is_some()
    }

    fn draw(&self, ui: &Ui, over: Over, studio: &Studio, handles: &[Handle], wanted: Option<Vec3>) {
        for &m in studio.chosen.iter().filter(|&&m| m < studio.muscles().len()) {
            up_vector(ui, over, studio, m);
        }
        let hovered = over.mouse().filter(|_| self.held.is_none()).and_then(|at| nearest(handles, at));
        let mut told = None;
        for handle in handles {
            let held = self.held.as_ref().is_some_and(|held| held.m == handle.m && held.grip == handle.grip);
            let hot = held || hovered.is_some_and(|other| std::ptr::eq(other, handle));
            let at = wanted.filter(|_| held).and_then(|place| over.at(place)).unwrap_or(handle.at);
            dot(ui, over, at, color(handle.grip), hot);
            if hot {
                told = Some((handle, at));
            }
        }
        if let Some((handle, at)) = told {
            label(ui, over, at, &name(&studio.muscles()[handle.m], handle.grip), color(handle.grip));
        }
        hint(
            ui,
            over,
            match studio.chosen.is_empty() {
                true => "Click a muscle to take hold of it",
                false => "Drag a handle; hold X, Y or Z to go along that axis, Shift to go slowly",
            },
        );
    }
}

impl Held {
    /// Go where the mouse goes; where the handle then is, m, model space.
    fn drag(&mut self, ui: &Ui, over: Over, studio: &Studio, actions: &mut Vec<Action>) -> Option<Vec3> {
        let mouse = over.mouse()?;
        let (fine, axis) = ui.input(|input| {
            let axes = [(Key::X, Vec3::X), (Key::Y, Vec3::Y), (Key::Z, Vec3::Z)];
            (input.modifiers.shift, axes.into_iter().find(|(key, _)| input.key_down(*key)).map(|(_, axis)| axis))
        });
        self.at += (mouse - self.mouse) * if fine { FINE } else { 1.0 };
        self.mouse = mouse;
        let muscle = studio.muscles().get(self.m)?;
        let (skeleton, live) = (&studio.project.character.skeleton, &studio.live);
        let to = match (self.grip, axis) {
            (Grip::Up, _) => turned(over, studio, self.m, self.at)?,
            (_, Some(axis)) => along(over, self.from, axis, self.at),
            (_, None) => over.beside(self.from, self.at),
        };
        let value = self.grip.moved(skeleton, live, (self.m, &self.muscle), [self.from, to])?;
        if self.grip.value(muscle) != Some(value) {
            let edit = Edit::Place(Placing::Grip(self.m, self.grip, value));
            actions.push(Action::Edit(edit, Some(self.gesture)));
        }
        Some(to)
    }
}

/// The place on a line through a point that a ray through the window passes nearest to; the point itself where the line leads
/// straight into the picture.
fn along(over: Over, from: Vec3, axis: Vec3, at: Pos2) -> Vec3 {
    let (eye, direction) = over.ray(at);
    let across = axis.reject_from_normalized(direction);
    let size = across.length_squared();
    if size < 1e-3 { from } else { from + axis * ((eye - from).dot(across) / size) }
}

/// The tip of the up-vector's arrow, turned about the muscle until it is seen nearest to that place.
fn turned(over: Over, studio: &Studio, m: usize, at: Pos2) -> Option<Vec3> {
    let (skeleton, live) = (&studio.project.character.skeleton, &studio.live);
    let frame = frame_now(skeleton, live, &studio.muscles()[m])?;
    let (foot, length) = (middle(live, m)?, arrow(live, m));
    let ways = (0..WAYS).map(|k| {
        let angle = TAU * (f32::from(k) / f32::from(WAYS) - 0.5);
        let tip = foot + length * (Quat::from_axis_angle(frame.x_axis.normalize(), angle) * frame.y_axis);
        let away = over.at(tip).map_or(f32::MAX, |seen| seen.distance(at) + STAY * angle.abs());
        (away, tip)
    });
    ways.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, tip)| tip)
}

fn handles(over: Over, studio: &Studio) -> Vec<Handle> {
    let (skeleton, muscles) = (&studio.project.character.skeleton, studio.muscles());
    let of = |&m: &usize| {
        let muscle = muscles.get(m)?;
        let seen = Grip::all(muscle).into_iter().filter_map(move |grip| {
            let place = grip.place(skeleton, &studio.live, m, muscle)?;
            Some(Handle { m, grip, place, at: over.at(place)? })
        });
        Some(seen)
    };
    studio.chosen.iter().filter_map(of).flatten().collect()
}

fn nearest(handles: &[Handle], at: Pos2) -> Option<&Handle> {
    let near = handles.iter().filter(|handle| handle.at.distance(at) <= NEAR);
    near.min_by(|a, b| a.at.distance(at).total_cmp(&b.at.distance(at)))
}

/// The arrow of a muscle's up-vector.
fn up_vector(ui: &Ui, over: Over, studio: &Studio, m: usize) {
    let tip = Grip::Up.place(&studio.project.character.skeleton, &studio.live, m, &studio.muscles()[m]);
    if let (Some(foot), Some(tip)) = (middle(&studio.live, m).and_then(|p| over.at(p)), tip.and_then(|p| over.at(p))) {
        marks::line(&ui.painter().with_clip_rect(over.rect), &[foot, tip], 2.0, color(Grip::Up));
    }
}

fn color(grip: Grip) -> Color32 {
    match grip {
        Grip::Origin => Color32::from_rgb(120, 220, 130),
        Grip::Insertion => Color32::from_rgb(250, 150, 110),
        Grip::Via(_) | Grip::Sheet(..) => Color32::from_rgb(130, 180, 250),
        Grip::Bend => Color32::from_rgb(250, 210, 90),
        Grip::Up => Color32::from_rgb(110, 220, 230),
    }
}

fn name(muscle: &Muscle, grip: Grip) -> String {
    let on = grip.attachment(muscle).map(|at| format!(" on {}", at.joint));
    format!("{}: {}{}", muscle.name, grip.name(), on.unwrap_or_default())
}
