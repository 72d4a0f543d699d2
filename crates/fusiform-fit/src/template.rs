//! Templates: the muscles of a kind of body, by joint role. Readable TOML, no geometry.
//!
//! ```
//! let template = fusiform_fit::Template::parse(r#"
//! name = "one arm"
//!
//! [[muscle]]
//! name = "biceps"
//! group = "arm"
//! origin = { bone = "shoulder", t = 1.0, angle = 10, depth = 0.5 }
//! over = { bone = "upper_arm", t = 0.6, angle = 0 }
//! insertion = { bone = "lower_arm", t = 0.12, angle = 0, depth = 0.4 }
//! size = 0.1
//! "#)?;
//! assert_eq!(template.muscles.len(), 1);
//! # Ok::<(), fusiform_fit::TemplateError>(())
//! ```

mod bone;

pub use bone::{BonePlace, BoneTemplate};

use crate::{DriverTemplate, JointRange, Role};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The muscles of a kind of body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Template {
    /// What people ask for it by.
    pub name: String,
    /// One line for lists of templates.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// What a muscle is that does not say otherwise.
    #[serde(default)]
    pub defaults: Defaults,
    /// How far the joints of such a body turn.
    #[serde(default, rename = "range", skip_serializing_if = "Vec::is_empty")]
    pub ranges: Vec<JointRange>,
    /// The muscles; those of a pair once.
    #[serde(rename = "muscle")]
    pub muscles: Vec<MuscleTemplate>,
    /// Which muscles are parts of one sheet, for presets whose muscles may have several bellies.
    #[serde(default, rename = "sheet", skip_serializing_if = "Vec::is_empty")]
    pub sheets: Vec<SheetTemplate>,
    /// Where bone shows; those of a pair once.
    #[serde(default, rename = "bone", skip_serializing_if = "Vec::is_empty")]
    pub bones: Vec<BoneTemplate>,
    /// What tenses them as the body moves.
    #[serde(default, rename = "driver", skip_serializing_if = "Vec::is_empty")]
    pub drivers: Vec<DriverTemplate>,
}

/// A sheet: muscles of the template that are the bellies of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SheetTemplate {
    /// Unique in the template; `.l` and `.r` are added where its parts are pairs.
    pub name: String,
    /// Names of its parts, in order across the sheet; two at least.
    pub of: Vec<String>,
    /// The end at which all bellies meet in one point, if they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fan: Option<End>,
    /// The end whose joints carry the middles of its parts; without it the joint over whose bone each part is thickest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub middle: Option<End>,
    /// How many bellies join its curves, at least as many as parts: up to 16. Without it, one more between every two parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bellies: Option<u8>,
    /// Cross-sections along it, ends included: 3 ..= 64; its parts' where it says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rings: Option<u16>,
    /// Points around each cross-section: 3 ..= 64.
    #[serde(default = "around_a_sheet")]
    pub sectors: u16,
}

/// An end of a muscle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Where it begins.
    Origin,
    /// Where it ends.
    Insertion,
}

impl SheetTemplate {
    /// How many bellies it has when so many of its parts are there.
    pub(crate) fn bellies(&self, parts: usize) -> u8 {
        self.bellies.unwrap_or((2 * parts - 1).min(16) as u8)
    }
}

/// Enough for both faces and two round ends.
fn around_a_sheet() -> u16 {
    24
}

/// What a muscle is that does not say otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Defaults {
    /// Thickness of the section (out of the body) over its width: below 1 is a sheet.
    pub aspect: f32,
    /// T of Lee eq. 4: 1 is a plain sine, larger draws the ends out into tendons.
    pub taper: f32,
    /// B of Lee eq. 5: 0 only keeps the volume, larger swells until it can be seen.
    pub bulge: f32,
    /// R of Lee eq. 6: how much less a stretch thins the belly than an equal shortening swells it.
    pub stretch_ratio: f32,
    /// Growth of the section at full activation without a change of length.
    pub isometric: f32,
    /// k of Saam V-C: how many times the ratio of the section's axes grows from relaxed to tensed; for that preset.
    pub tension_ratio: f32,
    /// Swings a second of the belly when it is left alone, Hz.
    pub frequency: f32,
    /// Share of the belly's velocity lost in 1/60 s, 0 ..= 1.
    pub damping: f32,
    /// Farthest the spring is drawn out, as a share of the rest length.
    pub reach: f32,
    /// How far the joints of the skin over the belly hold its middle, 0 ..= 1.
    pub held: f32,
    /// Cross-sections along the belly, ends included: 3 ..= 64.
    pub rings: u16,
    /// Points around each cross-section: 3 ..= 64.
    pub sectors: u16,
}

impl Default for Defaults {
    fn default() -> Self {
        Self {
            aspect: 1.0,
            taper: 1.0,
            bulge: 1.0,
            stretch_ratio: 2.0,
            isometric: 0.25,
            tension_ratio: 2.56,
            frequency: 5.0,
            damping: 0.2,
            reach: 0.08,
            held: 0.0,
            rings: 9,
            sectors: 8,
        }
    }
}

/// One muscle, or a pair of them, by role.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MuscleTemplate {
    /// Unique in the template; `.l` and `.r` are added to a pair.
    pub name: String,
    /// Region of the body, for colours and lists.
    pub group: String,
    /// Whether there is one on each side; a single one is described as if it were the left one.
    #[serde(default = "yes")]
    pub mirrored: bool,
    /// Where it begins, usually on the bone that moves less.
    pub origin: Spot,
    /// Where it ends, usually on the bone it moves.
    pub insertion: Spot,
    /// Where the thickest part of the belly lies, and so which way the section faces. Without it the belly lies
    /// midway between the attachments, `bow` away from the straight line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<Over>,
    /// Places it runs over on its way from origin to insertion, in order, where one bend is not enough: round the ribs. Their
    /// depth is that of the belly's outer face, as in [`Over::depth`]. With them its line is a polyline, and `over` says only
    /// which way the section faces and how thick it may be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<Spot>,
    /// Distance of the middle control point from the straight line, outward, as a fraction of the rest length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bow: Option<f32>,
    /// Whether nothing but fat lies over it, so that it takes the skin's shape; without it, when the outer face of `over`
    /// is at 0.9 or beyond. Where a template says it, it also says where the belly lies; else a superficial one is drawn out
    /// to the skin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superficial: Option<bool>,
    /// Half the width of the belly where it is thickest, as a fraction of the distance between its ends.
    pub size: f32,
    /// Overrides [`Defaults::aspect`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aspect: Option<f32>,
    /// Overrides [`Defaults::taper`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taper: Option<f32>,
    /// Overrides [`Defaults::bulge`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bulge: Option<f32>,
    /// Overrides [`Defaults::stretch_ratio`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stretch_ratio: Option<f32>,
    /// Overrides [`Defaults::isometric`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isometric: Option<f32>,
    /// Overrides [`Defaults::tension_ratio`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tension_ratio: Option<f32>,
    /// Overrides [`Defaults::frequency`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<f32>,
    /// Overrides [`Defaults::damping`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<f32>,
    /// Overrides [`Defaults::reach`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reach: Option<f32>,
    /// Overrides [`Defaults::held`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<f32>,
    /// Overrides [`Defaults::rings`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rings: Option<u16>,
    /// Overrides [`Defaults::sectors`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sectors: Option<u16>,
}

fn yes() -> bool {
    true
}

/// An attachment in bone coordinates, so that it lands inside any body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spot {
    /// The bone it is measured on.
    pub bone: Bone,
    /// Along the bone: 0 at its joint, 1 at the next; may go a little beyond.
    pub t: f32,
    /// Degrees about the bone from the body's front (from up, where the bone itself points to the front), positive
    /// to the muscle's own side; on an arm held out sideways positive is up.
    pub angle: f32,
    /// 0 on the bone's axis, 1 at the skin.
    pub depth: f32,
    /// The joint that moves it, when that is not the one it is measured on: the shoulder blade lies on the ribs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried_by: Option<Role>,
}

/// Where the belly is thickest, in bone coordinates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Over {
    /// The bone it is measured on.
    pub bone: Bone,
    /// Along the bone, as in [`Spot::t`].
    pub t: f32,
    /// Degrees about the bone, as in [`Spot::angle`].
    pub angle: f32,
    /// Where the belly's outer face lies, not its middle: 1 touches the skin from below.
    #[serde(default = "under_the_skin")]
    pub depth: f32,
}

/// Skin and a little fat lie over a superficial muscle.
fn under_the_skin() -> f32 {
    0.95
}

/// What bone coordinates are measured on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "BoneName", into = "BoneName")]
pub enum Bone {
    /// The trunk as one: t = 0 midway between the hip joints, 1 where the neck begins, along whatever joints this
    /// skeleton has between. Rigs divide the spine in one to five, so its own bones are no measure.
    Torso,
    /// From this role's joint to the next.
    Of(Role),
}

/// [`Bone`] as templates write it: one flat list of words.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TorsoName {
    Torso,
}

#[derive(Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "a bone: torso, hips, spine, chest, upper_chest, neck, head, shoulder, upper_arm, \
                               lower_arm, hand, fingers, thumb, upper_leg, lower_leg, foot or toes"
)]
enum BoneName {
    Torso(TorsoName),
    Of(Role),
}

impl From<BoneName> for Bone {
    fn from(name: BoneName) -> Self {
        match name {
            BoneName::Torso(TorsoName::Torso) => Self::Torso,
            BoneName::Of(role) => Self::Of(role),
        }
    }
}

impl From<Bone> for BoneName {
    fn from(bone: Bone) -> Self {
        match bone {
            Bone::Torso => Self::Torso(TorsoName::Torso),
            Bone::Of(role) => Self::Of(role),
        }
    }
}

impl fmt::Display for Bone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Torso => f.write_str("torso"),
            Self::Of(role) => role.fmt(f),
        }
    }
}

/// Why a template cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// Not TOML, or not this format.
    #[error("line {line}, column {column}{}: {message}", muscle.as_ref().map_or(String::new(), |m| format!(", muscle {m:?}")))]
    Syntax {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// The muscle being read, when it had given its name.
        muscle: Option<String>,
        /// What was found and what was expected.
        message: String,
    },
    /// A number outside its range.
    #[error("muscle {muscle:?}: {field} is {value}; it must be {range}")]
    Range {
        /// Which muscle, or `defaults`.
        muscle: String,
        /// Which field.
        field: String,
        /// What the template says.
        value: f32,
        /// What it may say.
        range: String,
    },
    /// Two muscles of one name.
    #[error("muscle {muscle:?} is there twice; give one of them another name")]
    Twice {
        /// The name.
        muscle: String,
    },
    /// A sheet of less than two muscles.
    #[error("sheet {sheet:?} has {parts} parts; name two muscles or more in `of`, in order across it")]
    Parts {
        /// Its name.
        sheet: String,
        /// How many it names.
        parts: usize,
    },
    /// A sheet of a muscle that is not there, or that is part of another.
    #[error("sheet {sheet:?} names {part:?}, which {why}")]
    Part {
        /// Its name.
        sheet: String,
        /// The muscle.
        part: String,
        /// What is wrong with it, and the cure.
        why: &'static str,
    },
    /// A number of a bone outside its range.
    #[error("bone {bone:?}: {field} is {value}; it must be {range}")]
    BoneRange {
        /// Which bone.
        bone: String,
        /// Which field.
        field: &'static str,
        /// What the template says.
        value: f32,
        /// What it may say.
        range: String,
    },
    /// Two bones of one name.
    #[error("bone {bone:?} is there twice; give one of them another name")]
    BoneTwice {
        /// The name.
        bone: String,
    },
    /// Two ways to bend one muscle.
    #[error("muscle {muscle:?} has both `over` and `bow`; `over` alone says where the belly lies, remove `bow`")]
    OverAndBow {
        /// The name.
        muscle: String,
    },
    /// A driver that cannot be used.
    #[error("driver {driver} {fault}")]
    Driver {
        /// Place in the list of drivers, counted from 0.
        driver: usize,
        /// What is wrong with it, and the cure.
        fault: String,
    },
    /// Two ways to lead one muscle.
    #[error("muscle {muscle:?} has both `via` and `bow`; `via` alone says where its line runs, remove `bow`")]
    ViaAndBow {
        /// The name.
        muscle: String,
    },
    /// Part of a place that the muscle does not have.
    #[error("muscle {muscle:?} has no `over`; write in a template where its belly lies, then change {field}")]
    NoOver {
        /// The name.
        muscle: String,
        /// Which part of it.
        field: String,
    },
}

impl TemplateError {
    /// The line of the template it is about, counted from 1: that of the field, or else of the muscle's name.
    #[must_use]
    pub fn line_in(&self, text: &str) -> Option<usize> {
        let (muscle, field) = match self {
            Self::Syntax { line, .. } => return Some(*line),
            Self::Driver { driver, .. } => {
                let heads = text.lines().enumerate().filter(|(_, line)| line.trim() == "[[driver]]");
                return heads.map(|(line, _)| line + 1).nth(*driver);
            }
            Self::Range { muscle, field, .. } | Self::NoOver { muscle, field } => (muscle, field.as_str()),
            Self::Twice { muscle } => (muscle, "name"),
            Self::Parts { sheet, .. } | Self::Part { sheet, .. } => (sheet, "of"),
            Self::BoneRange { bone, field, .. } => (bone, *field),
            Self::BoneTwice { bone } => (bone, "name"),
            Self::OverAndBow { muscle } | Self::ViaAndBow { muscle } => (muscle, "bow"),
        };
        let key =
            |line: &str| line.split_once('=').map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()));
        let lines: Vec<_> = text.lines().map(key).collect();
        let named = |line: &Option<(String, String)>| {
            line.as_ref().is_some_and(|(key, value)| key == "name" && value.trim_matches('"') == muscle)
        };
        let defaults = || text.lines().position(|line| line.trim() == "[defaults]");
        let name = if muscle == "defaults" { defaults() } else { lines.iter().rposition(named) }?;
        let field = field.split('.').next().unwrap_or(field);
        let table = text.lines().skip(name + 1).take_while(|line| !line.trim_start().starts_with('['));
        let found =
            table.zip(&lines[name + 1..]).position(|(_, line)| line.as_ref().is_some_and(|(key, _)| key == field));
        Some(found.map_or(name, |after| name + 1 + after) + 1)
    }
}

impl Template {
    /// Read a template and check every number in it.
    ///
    /// # Errors
    /// Where it is not this format (with line and column), or a number is out of its range.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let template: Self = toml::from_str(text).map_err(|error| located(&error, text))?;
        template.check()?;
        Ok(template)
    }

    /// The human body: every muscle that shows on a lean athlete.
    ///
    /// # Panics
    /// Never: a test reads it.
    #[must_use]
    #[expect(clippy::expect_used, reason = "part of the program; a test reads it")]
    pub fn humanoid() -> Self {
        Self::parse(include_str!("humanoid.toml")).expect("the built-in template reads")
    }
}

/// Where in the text the reader stopped, and in which muscle.
fn located(error: &toml::de::Error, text: &str) -> TemplateError {
    let at = error.span().map_or(0, |span| span.start.min(text.len()));
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    TemplateError::Syntax {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        muscle: muscle_around(text, at),
        message: error.message().to_owned(),
    }
}

/// Name in the `[[muscle]]` table that byte `at` falls in.
fn muscle_around(text: &str, at: usize) -> Option<String> {
    const HEAD: &str = "[[muscle]]";
    // A missing field is reported at the head itself.
    let start = text.get(..(at + HEAD.len()).min(text.len()))?.rfind("[[")?;
    let table = text[start..].strip_prefix(HEAD)?;
    let table = &table[..table.find("[[").unwrap_or(table.len())];
    let value = table.lines().find_map(|line| line.trim().strip_prefix("name")?.trim_start().strip_prefix('='))?;
    Some(value.trim().trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests;
