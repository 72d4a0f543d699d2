//! Painting: a stroke of the brush as it goes on, on the skin as it is seen.
//!
//! A stroke does at any place as much as the brush did there at its strongest: strength times falloff, however slowly or
//! often it goes over it and however many frames that takes. To do more, strike again. Only smoothing goes on with the
//! distance: a quarter of the radius is one pass.

use super::edit::{Of, Stroke, changes};
use super::grip::ends_at_bind;
use super::kernels::{Row, weight_in};
use super::sides::{MIDDLE, twin_joint};
use super::{Action, Brush, Dab, Document, Edit, Gesture, Mode, Project, Studio, Target, twin};
use fusiform::{BodyState, Muscle, SparseWeights};
use std::collections::{BTreeMap, BTreeSet};

/// How much of a stroke's work is done at each place, and how much of that is in the document already.
#[derive(Clone, Debug, Default)]
pub(super) struct Done {
    done: Vec<f32>,
    sent: Vec<f32>,
    fresh: BTreeSet<u32>,
}

impl Done {
    pub(super) fn new(n: usize) -> Self {
        Self { done: vec![0.0; n], sent: vec![0.0; n], fresh: BTreeSet::new() }
    }

    pub(super) fn reach(&mut self, place: u32, share: f32) {
        if self.done.get(place as usize).is_some_and(|done| share > *done) {
            self.done[place as usize] = share;
            self.fresh.insert(place);
        }
    }

    /// What was done since it was last asked: for what adds up the difference, for what leads somewhere the share of the way
    /// that is left; all of it where nothing of what was sent has come.
    pub(super) fn take(&mut self, leads: bool, came: impl Fn(u32) -> bool) -> Vec<(u32, f32)> {
        let fresh = std::mem::take(&mut self.fresh);
        fresh.into_iter().map(|place| (place, self.step(place as usize, leads, came(place)))).collect()
    }

    fn step(&mut self, place: usize, leads: bool, came: bool) -> f32 {
        let (from, to) = (if came { self.sent[place] } else { 0.0 }, self.done[place]);
        self.sent[place] = to;
        match leads {
            true if to >= 1.0 => 1.0,
            true => (to - from) / (1.0 - from),
            false => to - from,
        }
    }
}

/// A stroke over the skin.
#[derive(Clone, Debug)]
pub struct Painting {
    gesture: Gesture,
    stroke: Stroke,
    names: Vec<String>, // of muscles that are painted
    mirrors_itself: bool,
    done: [Done; 2],
    passes: Vec<Vec<(u32, [f32; 2])>>,
}

impl Painting {
    /// Begin; none where nothing is chosen to be painted.
    #[must_use]
    pub fn begin(studio: &Studio, mode: Mode) -> Option<Self> {
        let (stroke, mirrors_itself) = planned(studio, mode)?;
        let n = studio.project.skin().len();
        Some(Self {
            gesture: Gesture::begin(),
            names: names(studio, &stroke),
            stroke,
            mirrors_itself,
            done: [Done::new(n), Done::new(n)],
            passes: Vec::new(),
        })
    }

    /// Put the brush down on the skin as that body has it. Does nothing once what is painted is gone or another.
    pub fn dab(&mut self, studio: &Studio, body: &BodyState, dab: &Dab) {
        if self.names != names(studio, &self.stroke) {
            return;
        }
        let Brush { radius, strength, falloff, .. } = studio.brush;
        let (skin, project) = (studio.project.skin(), &studio.project);
        let near = skin.reach((body.positions(), body.normals()), dab, radius, falloff);
        let two = self.stroke.targets.len() > 1;
        let far = match two || self.mirrors_itself {
            true => skin.mirrored(project, &studio.fit.recipe, &near),
            false => Vec::new(),
        };
        let sides = near.into_iter().map(|at| (0, at)).chain(far.into_iter().map(|at| (usize::from(two), at)));
        if self.stroke.mode == Mode::Smooth {
            let mut pass = BTreeMap::<u32, [f32; 2]>::new();
            for (side, (point, share)) in sides {
                let amount = &mut pass.entry(point).or_default()[side];
                *amount = amount.max(strength * share);
            }
            return self.passes.push(pass.into_iter().collect());
        }
        for (side, (point, share)) in sides {
            self.done[side].reach(point, strength * share);
        }
    }

    /// What was painted since it was last asked, as a part of one step.
    pub fn take(&mut self, studio: &Studio) -> Option<Action> {
        let mut passes = std::mem::take(&mut self.passes);
        let mut pass = BTreeMap::<u32, [f32; 2]>::new();
        for (side, done) in self.done.iter_mut().enumerate() {
            // where a weight is still too small to come beside others, it is wanted as a whole
            let target = self.stroke.targets.get(side).copied();
            let came = |point| target.is_some_and(|target| weighs(studio, &self.stroke, point, target));
            for (point, amount) in done.take(self.stroke.mode == Mode::Replace, came) {
                pass.entry(point).or_default()[side] = amount;
            }
        }
        if !pass.is_empty() {
            passes.push(pass.into_iter().collect());
        }
        let stroke = Stroke { passes, ..self.stroke.clone() };
        (!stroke.passes.is_empty()).then_some(Action::Edit(Edit::Paint(stroke), Some(self.gesture)))
    }
}

/// What the brush does, once over everything that is shown, in one step; none where nothing is chosen to be painted.
#[must_use]
pub fn flood(studio: &Studio) -> Option<Action> {
    let (stroke, _) = planned(studio, studio.brush.mode)?;
    let pass = (0..studio.project.skin().len() as u32).map(|point| (point, [studio.brush.strength; 2])).collect();
    Some(Edit::Paint(Stroke { passes: vec![pass], ..stroke }).into())
}

/// Weights below a bound to the others, on what is shown: those of joints or those of muscles, as the one that is painted.
#[must_use]
pub fn prune(studio: &Studio, below: f32) -> Option<Action> {
    let (stroke, _) = planned(studio, studio.brush.mode)?;
    Some(Edit::Prune(stroke.of, below, stroke.locked).into())
}

/// A stroke as it is chosen, before it has gone anywhere; and whether it mirrors what it paints onto itself.
fn planned(studio: &Studio, mode: Mode) -> Option<(Stroke, bool)> {
    let target = studio.painted()?;
    let other = other_side(&studio.project, studio.document(), target).filter(|_| studio.mirrored);
    let number = |target: Target| match target {
        Target::Joint(i) | Target::Muscle(i) => u16::try_from(i).ok(),
    };
    let twin = other.filter(|other| *other != target);
    let targets = std::iter::once(target).chain(twin).map(number).collect::<Option<Vec<u16>>>()?;
    let of = if matches!(target, Target::Joint(_)) { Of::Joints } else { Of::Muscles };
    let (value, locked) = (studio.brush.value, locked(studio, of));
    Some((Stroke { of, mode, value, targets, locked, passes: Vec::new() }, other == Some(target)))
}

/// What the muscles are called that are painted; joints stay who they are.
fn names(studio: &Studio, stroke: &Stroke) -> Vec<String> {
    let muscles = stroke.targets.iter().filter(|_| stroke.of == Of::Muscles);
    muscles.filter_map(|&m| Some(studio.muscles().get(usize::from(m))?.name.clone())).collect()
}

fn locked(studio: &Studio, of: Of) -> Vec<u16> {
    let number = |i: usize| u16::try_from(i).ok();
    match of {
        Of::Joints => studio.locks.joints.iter().filter_map(|&joint| number(joint)).collect(),
        Of::Muscles => {
            let muscles = studio.muscles().iter().enumerate();
            muscles.filter(|(_, m)| studio.locks.muscles.contains(&m.name)).filter_map(|(m, _)| number(m)).collect()
        }
    }
}

/// What weighs on a vertex: joints or muscles, as the stroke is.
fn row(studio: &Studio, of: Of, vertex: usize) -> Row {
    let document = studio.document();
    let tables: &[SparseWeights] = if of == Of::Joints { &document.joints } else { &document.musculature.weights };
    let (mesh, vertex) = studio.project.skin().in_mesh(vertex);
    tables.get(mesh).filter(|of| vertex < of.len()).map_or(Row::new(), |of| of.of(vertex).collect())
}

/// Whether a target weighs anything at a point.
fn weighs(studio: &Studio, stroke: &Stroke, point: u32, target: u16) -> bool {
    let vertices = studio.project.skin().vertices(point).iter();
    vertices.map(|&vertex| row(studio, stroke.of, vertex as usize)).any(|row| weight_in(&row, target) > 0.0)
}

/// Why a stroke would change nothing at a vertex, where something keeps it from doing so.
#[must_use]
pub fn hindrance(studio: &Studio, mode: Mode, vertex: usize) -> Option<String> {
    let (stroke, _) = planned(studio, mode)?;
    let (skin, point) = (studio.project.skin(), studio.project.skin().point_of(vertex));
    let (joints, &target) = (&studio.project.character.skeleton.joints, stroke.targets.first()?);
    let name = match stroke.of {
        Of::Joints => &*joints.get(usize::from(target))?.name,
        Of::Muscles => &*studio.muscles().get(usize::from(target))?.name,
    };
    if stroke.locked.contains(&target) {
        return Some(format!("{name} is locked"));
    }
    if stroke.of == Of::Joints && !skin.may_hold(point, target) {
        let mesh = &studio.project.character.meshes[skin.in_mesh(vertex).0].name;
        return Some(format!("the mesh {mesh} does not hang on {name}"));
    }
    let (row, strength) = (row(studio, stroke.of, vertex), studio.brush.strength);
    let leaves_all = |mode: Mode, value: f32, amount: f32| {
        let (targets, passes) = (vec![target], vec![vec![(point, [amount, 0.0])]]);
        let tried = Stroke { mode, value, targets, passes, ..stroke.clone() };
        changes(&studio.project, &tried, studio.document(), |_| true).is_empty()
    };
    let now = weight_in(&row, target);
    let ends: &[f32] = match mode {
        Mode::Add => &[1.0],
        Mode::Subtract => &[0.0],
        Mode::Replace => &[stroke.value],
        Mode::Smooth => &[0.0, 1.0],
    };
    if ends.iter().all(|&end| end != now && leaves_all(Mode::Replace, end, 1.0)) {
        let is_held = row.iter().any(|(i, _)| *i != target && stroke.locked.contains(i));
        return match stroke.of {
            Of::Joints if is_held => Some("locked joints hold it, and no other can give or take".into()),
            Of::Joints => Some(format!("no unlocked joint can take what {name} lets go")),
            Of::Muscles => is_held.then(|| "locked muscles leave no room".into()),
        };
    }
    let is_small = now == 0.0 && strength > 0.0 && matches!(mode, Mode::Add | Mode::Replace);
    let stays_out = is_small && ends != [0.0] && leaves_all(mode, stroke.value, strength);
    stays_out.then(|| format!("{} others hold it, each by more than this stroke gives", row.len()))
}

/// Whether a muscle lies in the middle of the body at bind, and has no side.
pub(super) fn lies_in_middle(project: &Project, muscle: &Muscle) -> bool {
    let near = MIDDLE * project.character.height();
    let ends = ends_at_bind(&project.character.skeleton, muscle);
    ends.is_some_and(|ends| ends.into_iter().all(|end| project.plane.left(end).abs() < near))
}

/// What is painted on the other side of the middle plane at bind: the twin; itself for what lies in the middle; none for
/// what has no other side.
#[must_use]
pub fn other_side(project: &Project, document: &Document, target: Target) -> Option<Target> {
    match target {
        Target::Muscle(m) => {
            let in_middle = lies_in_middle(project, document.muscles().get(m)?);
            twin(project, document.muscles(), m).or(in_middle.then_some(m)).map(Target::Muscle)
        }
        Target::Joint(j) => twin_joint(&project.character.skeleton, &project.plane, j).map(Target::Joint),
    }
}
