//! Painting: a stroke of the brush as it goes on, on the skin as it is seen.
//!
//! A stroke does at any place as much as the brush did there at its strongest: strength times falloff, however slowly or
//! often it goes over it and however many frames that takes. To do more, strike again. Only smoothing goes on with the
//! distance: a quarter of the radius is one pass.

use super::edit::{Of, Stroke};
use super::{Action, Brush, Dab, Document, Edit, Gesture, Mode, Project, Studio, Target, twin};
use std::collections::BTreeSet;

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
    /// that is left.
    pub(super) fn take(&mut self, leads: bool) -> Vec<(u32, f32)> {
        let fresh = std::mem::take(&mut self.fresh);
        fresh.into_iter().map(|place| (place, self.step(place as usize, leads))).collect()
    }

    fn step(&mut self, place: usize, leads: bool) -> f32 {
        let (from, to) = (self.sent[place], self.done[place]);
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
    of: Of,
    mode: Mode,
    targets: Vec<u16>,
    mirrors_itself: bool,
    done: [Done; 2],
    passes: Vec<Vec<(u32, [f32; 2])>>,
}

impl Painting {
    /// Begin; none where nothing is chosen to be painted.
    #[must_use]
    pub fn begin(studio: &Studio, mode: Mode) -> Option<Self> {
        let target = studio.painted()?;
        let other = other_side(&studio.project, studio.document(), target).filter(|_| studio.mirrored);
        let number = |target: Target| match target {
            Target::Joint(i) | Target::Muscle(i) => u16::try_from(i).ok(),
        };
        let twin = other.filter(|other| *other != target);
        let targets = std::iter::once(target).chain(twin).map(number).collect::<Option<Vec<u16>>>()?;
        let n = studio.project.skin().len();
        Some(Self {
            gesture: Gesture::begin(),
            of: if matches!(target, Target::Joint(_)) { Of::Joints } else { Of::Muscles },
            mode,
            targets,
            mirrors_itself: other == Some(target),
            done: [Done::new(n), Done::new(n)],
            passes: Vec::new(),
        })
    }

    /// Put the brush down.
    pub fn dab(&mut self, studio: &Studio, dab: &Dab) {
        let Brush { radius, strength, falloff, .. } = studio.brush;
        let (skin, state) = (studio.project.skin(), studio.live.muscled().1);
        let near = skin.reach((state.positions(), state.normals()), dab, radius, falloff);
        let two = self.targets.len() > 1;
        let far = match two || self.mirrors_itself {
            true => skin.mirrored(&studio.project.character.meshes, &near),
            false => Vec::new(),
        };
        let sides = near.into_iter().map(|at| (0, at)).chain(far.into_iter().map(|at| (usize::from(two), at)));
        if self.mode == Mode::Smooth {
            let mut pass = std::collections::BTreeMap::<u32, [f32; 2]>::new();
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
        let mut pass = std::collections::BTreeMap::<u32, [f32; 2]>::new();
        for (side, done) in self.done.iter_mut().enumerate() {
            for (point, amount) in done.take(self.mode == Mode::Replace) {
                pass.entry(point).or_default()[side] = amount;
            }
        }
        if !pass.is_empty() {
            passes.push(pass.into_iter().collect());
        }
        let (value, targets) = (studio.brush.value, self.targets.clone());
        let stroke = Stroke { of: self.of, mode: self.mode, value, targets, locked: locked(studio, self.of), passes };
        (!stroke.passes.is_empty()).then_some(Action::Edit(Edit::Paint(stroke), Some(self.gesture)))
    }
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

/// Within this share of the height of the middle, or of its mirror image.
const NEAR: f32 = 0.01;

/// What is painted on the other side of the plane x = 0 at bind: the twin by name, or else by place; itself for what lies
/// in the middle; none for what has no other side.
#[must_use]
pub fn other_side(project: &Project, document: &Document, target: Target) -> Option<Target> {
    let (skeleton, near) = (&project.character.skeleton, NEAR * project.character.height());
    match target {
        Target::Muscle(m) => {
            let muscle = document.muscles().get(m)?;
            let in_middle = [&muscle.origin, &muscle.insertion].into_iter().all(|end| {
                let joint = skeleton.find(&end.joint);
                joint.is_some_and(|joint| skeleton.joints[joint].bind.transform_point3(end.point).x.abs() < near)
            });
            twin(document.muscles(), m).or(in_middle.then_some(m)).map(Target::Muscle)
        }
        Target::Joint(j) => {
            let place = |joint: usize| glam::Vec3::from(skeleton.joints[joint].bind.translation);
            let named = other_names(&skeleton.joints.get(j)?.name).find_map(|name| skeleton.find(&name));
            if let Some(joint) = named {
                return Some(Target::Joint(joint));
            }
            let image = place(j).with_x(-place(j).x);
            if place(j).x.abs() < near {
                return Some(Target::Joint(j));
            }
            let away = |joint: &usize| place(*joint).distance(image);
            let nearest = (0..skeleton.joints.len()).min_by(|a, b| away(a).total_cmp(&away(b)));
            nearest.filter(|joint| away(joint) < near).map(Target::Joint)
        }
    }
}

/// What a joint of that name may be called on the other side.
fn other_names(name: &str) -> impl Iterator<Item = String> {
    const WORDS: [(&str, &str); 3] = [("Left", "Right"), ("left", "right"), ("LEFT", "RIGHT")];
    const LETTERS: [(char, char); 2] = [('l', 'r'), ('L', 'R')];
    let mut names = Vec::new();
    for (left, right) in WORDS {
        names.extend([(left, right), (right, left)].map(|(from, to)| name.replacen(from, to, 1)));
    }
    let parts: Vec<(usize, char)> = name.char_indices().collect();
    for (k, &(at, letter)) in parts.iter().enumerate() {
        let alone = |k: Option<usize>| k.and_then(|k| parts.get(k)).is_none_or(|(_, c)| !c.is_alphanumeric());
        if !alone(k.checked_sub(1)) || !alone(k.checked_add(1)) {
            continue;
        }
        for (l, r) in LETTERS {
            if let Some(to) = [(l, r), (r, l)].into_iter().find(|(from, _)| *from == letter).map(|(_, to)| to) {
                names.push(format!("{}{to}{}", &name[..at], &name[at + letter.len_utf8()..]));
            }
        }
    }
    let name = name.to_owned();
    names.into_iter().filter(move |other| *other != name)
}
