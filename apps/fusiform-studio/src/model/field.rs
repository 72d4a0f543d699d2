//! Fields: every number and every choice that a person can turn, whatever it is a part of, with what it does to the skin.

use super::Grip;
use fusiform::Skeleton;

/// The height that the ends of sliders are for, m.
const PERSON: f32 = 1.8;

/// What the other side gets of a number that is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Twin {
    /// The same.
    Same,
    /// All of what it is a coordinate of, as a mirror shows it.
    Mirrored(Grip),
    /// The same, of the shape for the pose that a mirror shows.
    Shape,
}

/// A number of a `T`. A `T` has it or not, by its kind; where it stands for a list, it has it several times.
#[derive(Debug)]
pub struct Field<T: 'static> {
    /// The heading it stands under.
    pub group: &'static str,
    /// As the inspector calls it.
    pub label: &'static str,
    /// What it is counted in; empty for a plain number.
    pub unit: &'static str,
    /// It may be set from here,
    pub low: f32,
    /// to here.
    pub high: f32,
    /// What a new one has.
    pub default: f32,
    /// What it does to the skin.
    pub tip: &'static str,
    /// Whether it is counted, not measured.
    pub whole: bool,
    /// What of it the other side gets.
    pub twin: Twin,
    /// Whether there may be several of it.
    pub many: bool,
    /// How far of that the slider goes: less on a small body, where so large a length would be of no use.
    reach: f32,
    len: fn(&T) -> usize,
    get: fn(&T, usize) -> Option<f32>,
    put: fn(&mut T, usize, f32),
}

impl<T> Clone for Field<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Field<T> {}

/// How a number is read and written; the second argument is which of several.
pub type Access<T> = (fn(&T, usize) -> Option<f32>, fn(&mut T, usize, f32));

impl<T> Field<T> {
    /// Heading and label; slider, default and unit; how it is read and written; what it does to the skin.
    pub const fn new(
        (group, label): (&'static str, &'static str),
        (low, high, default, unit): (f32, f32, f32, &'static str),
        (get, put): Access<T>,
        tip: &'static str,
    ) -> Self {
        let (whole, many, len): (_, _, fn(&T) -> usize) = (false, false, |_| 1);
        let (twin, reach) = (Twin::Same, 1.0);
        Self { group, label, unit, low, high, default, tip, whole, twin, many, reach, len, get, put }
    }

    /// That is counted.
    pub(super) const fn counted(self) -> Self {
        Self { whole: true, ..self }
    }

    /// That is a coordinate of something which the other side has as a mirror shows it.
    pub(super) const fn mirrored(self, grip: Grip) -> Self {
        Self { twin: Twin::Mirrored(grip), ..self }
    }

    /// That each of the shapes sculpted in poses has.
    pub(super) const fn of_shapes(self) -> Self {
        Self { twin: Twin::Shape, ..self }
    }

    /// That there may be several of: as many as the list is long that they stand in.
    pub(super) const fn several(self, len: fn(&T) -> usize) -> Self {
        Self { many: true, len, ..self }
    }

    /// The same for a body of that height, m: lengths reach as much farther as it is taller than a person, begin as much
    /// nearer to nothing as it is smaller; by default, and by the slider, they are in proportion.
    #[must_use]
    pub fn on_body(self, height: f32) -> Self {
        let share = if self.unit == "m" && height > 0.0 { height / PERSON } else { 1.0 };
        let times = share.max(1.0);
        let low = self.low.min(if self.low < 0.0 { times } else { share } * self.low);
        Self { low, high: times * self.high, default: share * self.default, reach: share.min(1.0), ..self }
    }

    /// The ends of its slider: within those it may be set to.
    #[must_use]
    pub fn slider(&self) -> [f32; 2] {
        // what begins near nothing does so in proportion already
        [if self.low < 0.0 { self.reach * self.low } else { self.low }, self.reach * self.high]
    }

    /// Its value, if there is such a number; of several the first.
    #[must_use]
    pub fn of(&self, thing: &T) -> Option<f32> {
        self.nth(thing, 0)
    }

    /// Its value, one of several.
    #[must_use]
    pub fn nth(&self, thing: &T, at: usize) -> Option<f32> {
        if at > 0 && !self.many { None } else { (self.get)(thing, at) }
    }

    /// How many such numbers there may be: some of a list have none.
    #[must_use]
    pub fn count(&self, thing: &T) -> usize {
        (self.len)(thing)
    }

    /// Turn it, within its ends; what has no such number is left alone.
    pub fn turn(&self, thing: &mut T, value: f32) {
        self.turn_nth(thing, 0, value);
    }

    /// Turn one of several.
    pub fn turn_nth(&self, thing: &mut T, at: usize, value: f32) {
        if self.nth(thing, at).is_some() && value.is_finite() {
            let value = value.clamp(self.low, self.high);
            (self.put)(thing, at, if self.whole { value.round() } else { value });
        }
    }

    /// As the inspector calls one of several.
    #[must_use]
    pub fn name(&self, at: usize) -> String {
        if self.many { format!("{} {}", self.label, at + 1) } else { self.label.into() }
    }
}

/// A choice of a `T` between a few.
#[derive(Debug)]
pub struct Choice<T: 'static> {
    /// The heading it stands under.
    pub group: &'static str,
    /// As the inspector calls it.
    pub label: &'static str,
    /// What there is to choose from: as people call it, and what it does to the skin.
    pub options: &'static [(&'static str, &'static str)],
    /// What a new one has.
    pub default: usize,
    /// What it decides.
    pub tip: &'static str,
    get: fn(&T) -> Option<usize>,
    put: fn(&mut T, usize, &Skeleton),
}

impl<T> Clone for Choice<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Choice<T> {}

/// The two options of a switch.
pub(super) const OFF_ON: &[(&str, &str)] = &[("Off", ""), ("On", "")];

/// How an option is read and written.
type Taking<T> = (fn(&T) -> Option<usize>, fn(&mut T, usize, &Skeleton));

impl<T> Choice<T> {
    /// Heading and label; options and the default among them; how it is read and written; what it decides.
    pub const fn new(
        (group, label): (&'static str, &'static str),
        (options, default): (&'static [(&'static str, &'static str)], usize),
        (get, put): Taking<T>,
        tip: &'static str,
    ) -> Self {
        Self { group, label, options, default, tip, get, put }
    }

    /// Which option it has, if there is such a choice.
    #[must_use]
    pub fn of(&self, thing: &T) -> Option<usize> {
        (self.get)(thing)
    }

    /// Take another option; what has no such choice, or has it already, is left alone.
    pub fn take(&self, thing: &mut T, option: usize, skeleton: &Skeleton) {
        if option < self.options.len() && self.of(thing).is_some_and(|now| now != option) {
            (self.put)(thing, option, skeleton);
        }
    }

    /// Whether it is on or off.
    #[must_use]
    pub fn is_switch(&self) -> bool {
        self.options == OFF_ON
    }
}
