//! What the numbers of a template may be.

use crate::template::{Defaults, MuscleTemplate, SheetTemplate, Template, TemplateError};
use crate::tune::{FIELDS, Field, SHEET_FIELDS};
use crate::{JointRange, MOST_DEGREES};
use std::collections::BTreeSet;

/// Places on the way that the library takes.
const MOST_VIA: usize = 16;

impl Template {
    /// Refuse numbers that no body can use; [`Template::parse`] has called it.
    ///
    /// # Errors
    /// The first number out of its range, or a name that is there twice.
    pub fn check(&self) -> Result<(), TemplateError> {
        check_defaults(&self.defaults)?;
        let mut names = BTreeSet::new();
        for muscle in &self.muscles {
            if !names.insert(muscle.name.as_str()) {
                return Err(TemplateError::Twice { muscle: muscle.name.clone() });
            }
            if muscle.over.is_some() && muscle.bow.is_some() {
                return Err(TemplateError::OverAndBow { muscle: muscle.name.clone() });
            }
            if !muscle.via.is_empty() && muscle.bow.is_some() {
                return Err(TemplateError::ViaAndBow { muscle: muscle.name.clone() });
            }
            check_muscle(muscle, &self.defaults)?;
            check_via(muscle)?;
        }
        self.check_sheets(names)?;
        self.check_bones()?;
        self.ranges.iter().try_for_each(check_range)?;
        let mut faults = self.drivers.iter().enumerate();
        match faults.find_map(|(driver, of)| Some(TemplateError::Driver { driver, fault: of.fault()? })) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn check_sheets<'a>(&'a self, mut names: BTreeSet<&'a str>) -> Result<(), TemplateError> {
        let mut taken = BTreeSet::new();
        for sheet in &self.sheets {
            let SheetTemplate { name, of, .. } = sheet;
            if !names.insert(name) {
                return Err(TemplateError::Twice { muscle: name.clone() });
            }
            if of.len() < 2 {
                return Err(TemplateError::Parts { sheet: name.clone(), parts: of.len() });
            }
            for part in of {
                let refuse = |why| Err(TemplateError::Part { sheet: name.clone(), part: part.clone(), why });
                if !self.muscles.iter().any(|muscle| &muscle.name == part) {
                    return refuse("the template does not have; write the name of a muscle as the template has it");
                }
                if !taken.insert(part.as_str()) {
                    return refuse("is part of a sheet already; remove it from one of them");
                }
            }
            for field in &SHEET_FIELDS {
                let low = if field.name == "bellies" { of.len() as f32 } else { field.low };
                let Some(value) = field.of(sheet).filter(|value| !(low..=field.high).contains(value)) else { continue };
                let (field, range) = (field.name.to_owned(), format!("{low} ..= {}", field.high));
                return Err(TemplateError::Range { muscle: name.clone(), field, value, range });
            }
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
            tension_ratio: self.tension_ratio.unwrap_or(defaults.tension_ratio),
            frequency: self.frequency.unwrap_or(defaults.frequency),
            damping: self.damping.unwrap_or(defaults.damping),
            reach: self.reach.unwrap_or(defaults.reach),
            held: self.held.unwrap_or(defaults.held),
            rings: self.rings.unwrap_or(defaults.rings),
            sectors: self.sectors.unwrap_or(defaults.sectors),
        }
    }
}

/// The values that all muscles share, by the same table as the muscles' own.
fn check_defaults(defaults: &Defaults) -> Result<(), TemplateError> {
    FIELDS
        .iter()
        .filter_map(|field| Some((field, field.shared(defaults)?)))
        .try_for_each(|(field, value)| within("defaults", field, value))
}

fn check_muscle(muscle: &MuscleTemplate, defaults: &Defaults) -> Result<(), TemplateError> {
    FIELDS
        .iter()
        .filter_map(|field| Some((field, field.of(muscle, defaults)?)))
        .try_for_each(|(field, value)| within(&muscle.name, field, value))
}

/// Places on the way may be what ends may be.
fn check_via(muscle: &MuscleTemplate) -> Result<(), TemplateError> {
    let refused = |field: &str, value: f32, range: String| {
        Err(TemplateError::Range { muscle: muscle.name.clone(), field: field.to_owned(), value, range })
    };
    if muscle.via.len() > MOST_VIA {
        return refused("via", muscle.via.len() as f32, format!("at most {MOST_VIA} places"));
    }
    for spot in &muscle.via {
        for (part, value) in [("t", spot.t), ("angle", spot.angle), ("depth", spot.depth)] {
            let Some(of_end) = Field::named(&format!("origin.{part}")) else { continue };
            if !(of_end.low..=of_end.high).contains(&value) {
                return refused(&format!("via.{part}"), value, of_end.range());
            }
        }
    }
    Ok(())
}

fn within(muscle: &str, field: &Field, value: f32) -> Result<(), TemplateError> {
    if (field.low..=field.high).contains(&value) {
        return Ok(());
    }
    Err(TemplateError::Range { muscle: muscle.to_owned(), field: field.name.to_owned(), value, range: field.range() })
}

/// A joint turns by at most half a turn either way, and never from more to less.
fn check_range(range: &JointRange) -> Result<(), TemplateError> {
    let [low, high] = range.degrees;
    let allowed = -MOST_DEGREES..=MOST_DEGREES;
    if allowed.contains(&low) && allowed.contains(&high) && low <= high {
        return Ok(());
    }
    let value = if allowed.contains(&low) { high } else { low };
    let what = format!("degrees of {} {}", range.role, range.motion);
    let range = format!("-{MOST_DEGREES} ..= {MOST_DEGREES}, the least first");
    Err(TemplateError::Range { muscle: "range".into(), field: what, value, range })
}
