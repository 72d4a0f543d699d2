//! What can be tuned on a template's muscle: one table of fields for checking, for `--set`, and for telling people.

use crate::template::{Defaults, MuscleTemplate, SheetTemplate, Template, TemplateError};

/// A number of a template's muscle: its name, what it may be, what it means.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// As templates write it; parts of places with a dot, as in `origin.t`.
    pub name: &'static str,
    /// What it is counted in; empty for a plain number.
    pub unit: &'static str,
    /// The least it may be.
    pub low: f32,
    /// The most it may be.
    pub high: f32,
    /// What it means.
    pub meaning: &'static str,
    /// What a muscle has that does not say; only of fields that have no entry in [`Defaults`].
    stated: Option<f32>,
    own: fn(&MuscleTemplate) -> Option<f32>,
    /// Whether it could be set: a muscle without `over` has no part of it.
    put: fn(&mut MuscleTemplate, f32) -> bool,
    shared: Option<Shared>,
}

/// The field in [`Defaults`].
#[derive(Clone, Copy, Debug)]
struct Shared {
    get: fn(&Defaults) -> f32,
    put: fn(&mut Defaults, f32),
    /// Leave the muscle without a value of its own.
    clear: fn(&mut MuscleTemplate),
}

impl Field {
    /// The field of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        FIELDS.iter().find(|field| field.name == name)
    }

    /// What it may be, as messages write it.
    #[must_use]
    pub fn range(&self) -> String {
        let space = if self.unit.is_empty() { "" } else { " " };
        format!("{} ..= {}{space}{}", self.low, self.high, self.unit)
    }

    /// What a muscle has that does not say, in a template that does not say either; none where every muscle must say.
    #[must_use]
    pub fn default(&self) -> Option<f32> {
        self.shared(&Defaults::default()).or(self.stated)
    }

    /// The muscle's value, or the template's where it has none of its own.
    #[must_use]
    pub fn of(&self, muscle: &MuscleTemplate, defaults: &Defaults) -> Option<f32> {
        self.own(muscle).or_else(|| self.shared(defaults))
    }

    /// What the muscle says itself.
    pub(crate) fn own(&self, muscle: &MuscleTemplate) -> Option<f32> {
        (self.own)(muscle)
    }

    /// What the template says for all its muscles; none of fields that are each muscle's own.
    #[must_use]
    pub fn shared(&self, defaults: &Defaults) -> Option<f32> {
        self.shared.map(|shared| (shared.get)(defaults))
    }

    pub(crate) fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    pub(crate) fn share(&self, defaults: &mut Defaults, value: f32) {
        if let Some(shared) = self.shared {
            (shared.put)(defaults, value);
        }
    }

    pub(crate) fn clear(&self, muscle: &mut MuscleTemplate) {
        if let Some(shared) = self.shared {
            (shared.clear)(muscle);
        }
    }

    pub(crate) fn put(&self, muscle: &mut MuscleTemplate, value: f32) -> bool {
        (self.put)(muscle, value)
    }
}

impl Template {
    /// Set a field of one muscle, by its place in [`Template::muscles`].
    ///
    /// # Errors
    /// When the value is out of the field's range, or the muscle has no such part.
    ///
    /// # Panics
    /// When there is no such muscle.
    pub fn set(&mut self, muscle: usize, field: &Field, value: f32) -> Result<(), TemplateError> {
        let muscle = &mut self.muscles[muscle];
        if !(field.put)(muscle, value) {
            return Err(TemplateError::NoOver { muscle: muscle.name.clone(), field: field.name.to_owned() });
        }
        self.check()
    }

    /// Set a field of one sheet, by its place in [`Template::sheets`].
    ///
    /// # Errors
    /// When the value is out of the field's range.
    ///
    /// # Panics
    /// When there is no such sheet.
    pub fn set_sheet(&mut self, sheet: usize, field: &SheetField, value: f32) -> Result<(), TemplateError> {
        (field.put)(&mut self.sheets[sheet], value);
        self.check()
    }
}

/// A number of a sheet itself; all others are its parts'.
#[derive(Clone, Copy, Debug)]
pub struct SheetField {
    /// As templates write it.
    pub name: &'static str,
    /// The least it may be; of bellies, as many as there are parts.
    pub low: f32,
    /// The most it may be.
    pub high: f32,
    /// What it means.
    pub meaning: &'static str,
    get: fn(&SheetTemplate) -> Option<f32>,
    put: fn(&mut SheetTemplate, f32),
}

/// Every number of a sheet itself.
pub const SHEET_FIELDS: [SheetField; 3] = [
    SheetField {
        name: "bellies",
        low: 2.0,
        high: 16.0,
        meaning: "how many bellies join the sheet's curves; at least as many as it has parts",
        get: |sheet| sheet.bellies.map(f32::from),
        put: |sheet, value| sheet.bellies = Some(value.round() as u8),
    },
    SheetField {
        name: "rings",
        low: 3.0,
        high: 64.0,
        meaning: "cross-sections along the sheet, ends included",
        get: |sheet| sheet.rings.map(f32::from),
        put: |sheet, value| sheet.rings = Some(Number::of(value)),
    },
    SheetField {
        name: "sectors",
        low: 3.0,
        high: 64.0,
        meaning: "points around each cross-section of the sheet",
        get: |sheet| Some(f32::from(sheet.sectors)),
        put: |sheet, value| sheet.sectors = Number::of(value),
    },
];

impl SheetField {
    /// The field of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        SHEET_FIELDS.iter().find(|field| field.name == name)
    }

    /// What the sheet says; none where it leaves it to its parts.
    #[must_use]
    pub fn of(&self, sheet: &SheetTemplate) -> Option<f32> {
        (self.get)(sheet)
    }

    /// What it may be, as messages write it.
    #[must_use]
    pub fn range(&self) -> String {
        format!("{} ..= {}", self.low, self.high)
    }
}

/// A field that the muscle has or the template's defaults give.
macro_rules! shared {
    ($name:ident, $unit:literal, $low:literal, $high:literal, $meaning:literal) => {
        Field {
            name: stringify!($name),
            unit: $unit,
            low: $low,
            high: $high,
            meaning: $meaning,
            stated: None,
            own: |muscle| muscle.$name.map(f32::from),
            put: |muscle, value| {
                muscle.$name = Some(Number::of(value));
                true
            },
            shared: Some(Shared {
                get: |defaults| f32::from(defaults.$name),
                put: |defaults, value| defaults.$name = Number::of(value),
                clear: |muscle| muscle.$name = None,
            }),
        }
    };
}

/// A part of `origin` or `insertion`, which every muscle has.
macro_rules! place {
    ($name:literal, $place:ident . $part:ident, $unit:literal, $low:literal, $high:literal, $meaning:literal) => {
        Field {
            name: $name,
            unit: $unit,
            low: $low,
            high: $high,
            meaning: $meaning,
            stated: None,
            own: |muscle| Some(muscle.$place.$part),
            put: |muscle, value| {
                muscle.$place.$part = value;
                true
            },
            shared: None,
        }
    };
}

/// A part of `over`, which a muscle may not have.
macro_rules! over {
    ($name:literal, $part:ident, $unit:literal, $low:literal, $high:literal, $stated:expr, $meaning:literal) => {
        Field {
            name: $name,
            unit: $unit,
            low: $low,
            high: $high,
            meaning: $meaning,
            stated: $stated,
            own: |muscle| muscle.over.as_ref().map(|over| over.$part),
            put: |muscle, value| muscle.over.as_mut().map(|over| over.$part = value).is_some(),
            shared: None,
        }
    };
}

/// The kinds of number a template has.
trait Number {
    fn of(value: f32) -> Self;
}

impl Number for f32 {
    fn of(value: f32) -> Self {
        value
    }
}

impl Number for u16 {
    fn of(value: f32) -> Self {
        value.round() as Self
    }
}

/// Every number of a template's muscle.
pub const FIELDS: [Field; 23] = [
    place!("origin.t", origin.t, "", -2.0, 3.0, "where it begins, along the bone: 0 its joint, 1 the next"),
    place!(
        "origin.angle",
        origin.angle,
        "degrees",
        -360.0,
        360.0,
        "about the bone, from the body's front to its own side"
    ),
    place!("origin.depth", origin.depth, "", 0.0, 1.0, "0 on the bone's axis, 1 at the skin"),
    place!("insertion.t", insertion.t, "", -2.0, 3.0, "where it ends, along the bone: 0 its joint, 1 the next"),
    place!(
        "insertion.angle",
        insertion.angle,
        "degrees",
        -360.0,
        360.0,
        "about the bone, from the body's front to its own side"
    ),
    place!("insertion.depth", insertion.depth, "", 0.0, 1.0, "0 on the bone's axis, 1 at the skin"),
    over!("over.t", t, "", -2.0, 3.0, None, "where the belly is thickest, along the bone"),
    over!("over.angle", angle, "degrees", -360.0, 360.0, None, "where the belly is thickest, about the bone"),
    over!("over.depth", depth, "", 0.0, 1.0, Some(0.95), "where the belly's outer face lies: 1 touches the skin"),
    Field {
        name: "bow",
        unit: "",
        low: -1.0,
        high: 1.0,
        meaning: "without over: how far the belly bends outward, over the distance between its ends",
        stated: Some(0.0),
        own: |muscle| muscle.bow,
        put: |muscle, value| {
            muscle.bow = Some(value);
            true
        },
        shared: None,
    },
    Field {
        name: "size",
        unit: "",
        low: 0.001,
        high: 1.0,
        meaning: "half the width of the belly, over the distance between its ends",
        stated: None,
        own: |muscle| Some(muscle.size),
        put: |muscle, value| {
            muscle.size = value;
            true
        },
        shared: None,
    },
    shared!(aspect, "", 0.05, 20.0, "thickness over width of the section: below 1 is a sheet"),
    shared!(taper, "", 0.1, 10.0, "1 is a plain sine, larger draws the ends out into tendons"),
    shared!(bulge, "", 0.0, 10.0, "0 only keeps the volume, larger swells until it can be seen"),
    shared!(stretch_ratio, "", 0.1, 100.0, "how much less a stretch thins it than an equal shortening swells it"),
    shared!(isometric, "", 0.0, 10.0, "growth of the section at full activation without a change of length"),
    shared!(tension_ratio, "", 0.05, 20.0, "saam: how many times the ratio of the section's axes grows as it tenses"),
    shared!(frequency, "Hz", 0.1, 100.0, "swings a second of the belly when it is left alone"),
    shared!(damping, "", 0.0, 1.0, "share of the belly's velocity lost in 1/60 s"),
    shared!(reach, "", 0.001, 1000.0, "farthest the spring is drawn out, over the rest length"),
    shared!(held, "", 0.0, 1.0, "how far the joints of the skin over the belly hold its middle"),
    shared!(rings, "", 3.0, 64.0, "cross-sections along the belly, ends included"),
    shared!(sectors, "", 3.0, 64.0, "points around each cross-section"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_set_and_read_back() {
        let mut template = Template::humanoid();
        for field in FIELDS.iter().filter(|field| field.name != "bow") {
            let value = if field.high > 10.0 { field.low.max(4.0) } else { 0.5 * (field.low + field.high) };
            template.set(0, field, value).unwrap();
            assert_eq!(field.of(&template.muscles[0], &template.defaults), Some(value), "{}", field.name);
        }
    }

    #[test]
    fn every_field_of_a_sheet_is_set_and_read_back() {
        let mut template = Template::humanoid();
        for field in &SHEET_FIELDS {
            template.set_sheet(0, field, 12.0).unwrap();
            assert_eq!(field.of(&template.sheets[0]), Some(12.0), "{}", field.name);
        }
        let error = template.set_sheet(0, SheetField::named("bellies").unwrap(), 2.0).unwrap_err();
        assert!(error.to_string().contains("bellies is 2; it must be 3 ..= 16"), "{error}");
    }

    #[test]
    fn a_value_out_of_range_is_refused_with_the_range() {
        let error = Template::humanoid().set(0, Field::named("damping").unwrap(), 2.0).unwrap_err();
        assert!(error.to_string().contains("damping is 2; it must be 0 ..= 1"), "{error}");
    }

    #[test]
    fn what_all_muscles_share_has_a_default_and_what_each_must_say_has_none() {
        for field in &FIELDS {
            let must_say = field.name.starts_with("origin") || field.name.starts_with("insertion");
            let must_say = must_say || matches!(field.name, "size" | "over.t" | "over.angle");
            assert_eq!(field.default().is_none(), must_say, "{}", field.name);
        }
    }
}
