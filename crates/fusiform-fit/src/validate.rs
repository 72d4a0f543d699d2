//! What the numbers of a template may be.

use crate::template::{Defaults, MuscleTemplate, Template, TemplateError};
use std::collections::BTreeSet;

impl Template {
    /// Refuse numbers that no body can use; [`Template::parse`] has called it.
    ///
    /// # Errors
    /// The first number out of its range, or a name that is there twice.
    pub fn check(&self) -> Result<(), TemplateError> {
        check_defaults("defaults", &self.defaults)?;
        let mut names = BTreeSet::new();
        for muscle in &self.muscles {
            if !names.insert(muscle.name.as_str()) {
                return Err(TemplateError::Twice { muscle: muscle.name.clone() });
            }
            if muscle.over.is_some() && muscle.bow.is_some() {
                return Err(TemplateError::OverAndBow { muscle: muscle.name.clone() });
            }
            check_defaults(&muscle.name, &muscle.filled(&self.defaults))?;
            check_places(muscle)?;
        }
        Ok(())
    }
}

impl MuscleTemplate {
    /// This muscle's own values, and the file's where it has none.
    #[must_use]
    pub fn filled(&self, defaults: &Defaults) -> Defaults {
        Defaults {
            aspect: self.aspect.unwrap_or(defaults.aspect),
            taper: self.taper.unwrap_or(defaults.taper),
            bulge: self.bulge.unwrap_or(defaults.bulge),
            stretch_ratio: self.stretch_ratio.unwrap_or(defaults.stretch_ratio),
            isometric: self.isometric.unwrap_or(defaults.isometric),
            frequency: self.frequency.unwrap_or(defaults.frequency),
            damping: self.damping.unwrap_or(defaults.damping),
            reach: self.reach.unwrap_or(defaults.reach),
            held: self.held.unwrap_or(defaults.held),
            rings: self.rings.unwrap_or(defaults.rings),
            sectors: self.sectors.unwrap_or(defaults.sectors),
        }
    }
}

fn check_defaults(muscle: &str, d: &Defaults) -> Result<(), TemplateError> {
    within(muscle, "aspect", d.aspect, 0.05, 20.0, "0.05 ..= 20")?;
    within(muscle, "taper", d.taper, 0.1, 10.0, "0.1 ..= 10")?;
    within(muscle, "bulge", d.bulge, 0.0, 10.0, "0 ..= 10")?;
    within(muscle, "stretch_ratio", d.stretch_ratio, 0.1, 100.0, "0.1 ..= 100")?;
    within(muscle, "isometric", d.isometric, 0.0, 10.0, "0 ..= 10")?;
    within(muscle, "frequency", d.frequency, 0.1, 100.0, "0.1 ..= 100 Hz")?;
    within(muscle, "damping", d.damping, 0.0, 1.0, "0 ..= 1")?;
    within(muscle, "reach", d.reach, 1e-3, 1e3, "0.001 ..= 1000")?;
    within(muscle, "held", d.held, 0.0, 1.0, "0 ..= 1")?;
    within(muscle, "rings", f32::from(d.rings), 3.0, 64.0, "3 ..= 64")?;
    within(muscle, "sectors", f32::from(d.sectors), 3.0, 64.0, "3 ..= 64")
}

fn check_places(muscle: &MuscleTemplate) -> Result<(), TemplateError> {
    let name = &muscle.name;
    let mut places = Vec::from([("origin", muscle.origin.t, muscle.origin.angle, muscle.origin.depth)]);
    places.push(("insertion", muscle.insertion.t, muscle.insertion.angle, muscle.insertion.depth));
    places.extend(muscle.over.iter().map(|over| ("over", over.t, over.angle, over.depth)));
    for (place, t, angle, depth) in places {
        within(name, &format!("{place}.t"), t, -2.0, 3.0, "-2 ..= 3")?;
        within(name, &format!("{place}.angle"), angle, -360.0, 360.0, "-360 ..= 360 degrees")?;
        within(name, &format!("{place}.depth"), depth, 0.0, 1.0, "0 ..= 1")?;
    }
    within(name, "bow", muscle.bow.unwrap_or(0.0), -1.0, 1.0, "-1 ..= 1")?;
    within(name, "size", muscle.size, 0.001, 1.0, "0.001 ..= 1")
}

fn within(
    muscle: &str,
    field: &str,
    value: f32,
    low: f32,
    high: f32,
    range: &'static str,
) -> Result<(), TemplateError> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(TemplateError::Range { muscle: muscle.to_owned(), field: field.to_owned(), value, range })
}
