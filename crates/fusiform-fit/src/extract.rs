//! Extracting: from a rigged body back to a template, so that its muscles can be edited and put on other bodies.
//!
//! ```text
//! muscles ─> lines in model space ─> twins ─> bone coordinates, the inverse of placing ─> template
//! ```
//!
//! A muscle says which joints carry it but not which bones it was measured on, nor its group. A template it is like
//! gives both for muscles it knows by name; the others are measured on the bone of the joint that carries them.

mod bones;
mod measure;
mod values;

#[cfg(test)]
pub(crate) use bones::measured as measured_bones;
pub use values::shared_values;

use crate::drivers::by_role;
use crate::line;
use crate::middle;
use crate::rig::upright;
use crate::sheets::{self, Parts};
use crate::template::{MuscleTemplate, SheetTemplate, Template};
use crate::twins::{self, Line, MIRRORED};
use crate::{FitError, RigError, Roles, Side, Surface, Wear, place};
use fusiform::musculature::{Attachment, Path};
use fusiform::{Character, Muscle, Musculature, Skeleton};
use glam::Vec3;
use measure::Measurer;

/// A body's muscles as a template.
#[derive(Clone, Debug)]
pub struct Extracted {
    /// The muscles, those of a pair once.
    pub template: Template,
    /// Where each muscle of the document is in the template.
    pub of: Vec<Option<usize>>,
    /// Farthest that an end or the middle of a muscle lies from where the template places it in this same body, metres.
    pub off: f32,
    /// The muscle it is.
    pub off_muscle: Option<String>,
    /// What was left out, and what templates cannot say.
    pub warnings: Vec<String>,
}

/// Measure the muscles in bone coordinates. `like` knows groups and bones of muscles by name.
///
/// # Errors
/// When there is no skin, or roles do not belong to the skeleton.
pub fn extract(
    character: &Character,
    musculature: &Musculature,
    wear: &[Wear],
    roles: &Roles,
    like: &Template,
) -> Result<Extracted, RigError> {
    let joints = character.skeleton.joints.len();
    if let Some((role, _, joint)) = roles.iter().find(|&(_, _, joint)| joint >= joints) {
        return Err(FitError::NoSuchJoint { role, joint, joints }.into());
    }
    let (character, roles, mut warnings) = upright(character, roles);
    let (skeleton, height) = (&character.skeleton, character.height());
    let body = character.meshes.iter().zip(wear).filter(|(_, wear)| **wear == Wear::Body);
    let surface = Surface::of_parts(body.map(|(mesh, _)| mesh)).ok_or(RigError::NoSkin)?;
    let skin = |from, way| surface.hit(from, way);

    let (muscles, whole, gathered) = in_parts(skeleton, &musculature.muscles, like);
    let muscles = &muscles[..];
    let lines: Vec<Option<Line>> = muscles.iter().map(|muscle| line_of(skeleton, muscle)).collect();
    let middle = middle::of_joints(skeleton, &roles).unwrap_or(0.0);
    let mut twins = twins::find(&lines, middle, MIRRORED * height);
    warnings.extend(twins_by_name(muscles, &lines, middle, &mut twins));

    let mut of = vec![None; muscles.len()];
    let mut written: Vec<MuscleTemplate> = Vec::new();
    for (m, muscle) in muscles.iter().enumerate() {
        let Some(line) = &lines[m] else {
            warnings.push(format!("{}: templates cannot say its joints or its path: left out", muscle.name));
            continue;
        };
        let twin = twins[m].filter(|&twin| twin != m);
        if twin.is_some_and(|twin| lines[twin].as_ref().is_some_and(|it| it.leftness(middle) > line.leftness(middle))) {
            continue;
        }
        let name = stem(&muscle.name, twin.is_some());
        let known = like.muscles.iter().find(|other| other.name == name);
        let mut measurer = Measurer::new(skeleton, &roles, &skin, height);
        match measurer.muscle(muscle, line, known) {
            Err(why) => warnings.push(format!("{}: {why}: left out", muscle.name)),
            Ok(measured) => {
                [Some(m), twin].into_iter().flatten().for_each(|m| of[m] = Some(written.len()));
                let name = unused(name, &written);
                written.push(MuscleTemplate { name, mirrored: twin.is_some(), ..measured });
            }
        }
        warnings.extend(measurer.warnings.iter().map(|warning| format!("{}: {warning}", muscle.name)));
    }
    warnings.extend(values::unsaid(muscles));
    let defaults = values::most_common(&mut written);
    let name = if character.name.is_empty() { "extracted".into() } else { character.name.clone() };
    let description = format!("The muscles of {name}");
    let (drivers, unsaid) = by_role(&musculature.activation.drivers, skeleton, &roles);
    warnings.extend(unsaid);
    let is_written = |part: &String| written.iter().any(|muscle| &muscle.name == part);
    let sheets = gathered.into_iter().filter(|sheet| sheet.of.iter().all(is_written)).collect();
    let bones = bones::measured(skeleton, &musculature.bones, &roles, &skin, like, &mut warnings);
    let ranges = like.ranges.clone();
    let template = Template { name, description, defaults, ranges, muscles: written, sheets, bones, drivers };
    template.check()?;
    let (off, off_muscle) = again(&template, skeleton, &roles, &skin, &lines, &of)?;
    let of = whole.into_iter().map(|m| of[m?]).collect();
    Ok(Extracted { template, of, off, off_muscle: off_muscle.map(|m| muscles[m].name.clone()), warnings })
}

/// The muscles with every sheet in its parts, where each muscle of the document is among them, and what gathers the parts
/// again. A sheet is nowhere: it is several.
fn in_parts(
    skeleton: &Skeleton,
    muscles: &[Muscle],
    like: &Template,
) -> (Vec<Muscle>, Vec<Option<usize>>, Vec<SheetTemplate>) {
    let (mut all, mut whole, mut gathered) = (Vec::new(), Vec::new(), Vec::<SheetTemplate>::new());
    for muscle in muscles {
        match sheets::parts(skeleton, muscle, like) {
            Some(Parts { muscles, sheet }) => {
                whole.push(None);
                all.extend(muscles);
                // twins are written once
                if gathered.iter().all(|other| other.name != sheet.name) {
                    gathered.push(sheet);
                }
            }
            None => {
                whole.push(Some(all.len()));
                all.push(muscle.clone());
            }
        }
    }
    (all, whole, gathered)
}

/// Where the muscle lies; none when a joint is missing or its path is of another kind.
fn line_of(skeleton: &Skeleton, muscle: &Muscle) -> Option<Line> {
    let joints = [skeleton.find(&muscle.origin.joint)?, skeleton.find(&muscle.insertion.joint)?];
    let carried: &[Attachment] = match &muscle.path {
        Path::Bezier { .. } => &[],
        Path::Polyline { via, tendons: [0.0, 0.0] } => via,
        _ => return None,
    };
    let found = line::Line::of(skeleton, muscle)?;
    let [from, to] = found.ends();
    let via =
        carried.iter().zip(&found.points[1..]).filter_map(|(at, &point)| Some((skeleton.find(&at.joint)?, point)));
    let finite = found.points.iter().all(|point| point.is_finite());
    finite.then(|| Line { points: [from, found.point(0.5), to], joints, via: via.collect() })
}

/// A body whose bind pose is not the same on both sides has twins that are no mirror images: names tell them.
fn twins_by_name(muscles: &[Muscle], lines: &[Option<Line>], middle: f32, twins: &mut [Option<usize>]) -> Vec<String> {
    let mut warnings = Vec::new();
    for m in 0..muscles.len() {
        let Some(stem) = muscles[m].name.strip_suffix(Side::Left.suffix()) else { continue };
        let right = format!("{stem}{}", Side::Right.suffix());
        let Some(other) = muscles.iter().position(|muscle| muscle.name == right) else { continue };
        let (Some(a), Some(b), None, None) = (&lines[m], &lines[other], twins[m], twins[other]) else { continue };
        (twins[m], twins[other]) = (Some(other), Some(m));
        let mm = 1e3 * a.unlike(b, middle);
        warnings
            .push(format!("{stem}: left and right are {mm:.0} mm from being mirror images: the left one is written"));
    }
    warnings
}

/// What a template calls it: a pair's name has no side.
fn stem(name: &str, paired: bool) -> String {
    let bare = Side::BOTH.into_iter().find_map(|side| name.strip_suffix(side.suffix()));
    bare.filter(|bare| paired && !bare.is_empty()).unwrap_or(name).to_owned()
}

/// The name, or the name with the first number that no muscle has yet.
fn unused(name: String, written: &[MuscleTemplate]) -> String {
    let taken = |name: &str| written.iter().any(|muscle| muscle.name == name);
    if !taken(&name) {
        return name;
    }
    (2..).map(|n| format!("{name}_{n}")).find(|name| !taken(name)).unwrap_or(name)
}

/// Place the template in the body it came from: how far the worst muscle lies from where it was, and which it is. Only
/// the left one of a pair was measured.
fn again(
    template: &Template,
    skeleton: &Skeleton,
    roles: &Roles,
    skin: &dyn Fn(Vec3, Vec3) -> Option<f32>,
    lines: &[Option<Line>],
    of: &[Option<usize>],
) -> Result<(f32, Option<usize>), RigError> {
    let placed = place(template, skeleton, roles, skin)?;
    let mut worst = (0.0, None);
    for (i, muscle) in template.muscles.iter().enumerate() {
        let suffix = if muscle.mirrored { Side::Left.suffix() } else { "" };
        let name = format!("{}{suffix}", muscle.name);
        let back = placed.muscles.iter().find(|placed| placed.name == name).and_then(|back| line_of(skeleton, back));
        let was = (0..lines.len()).filter(|&m| of[m] == Some(i));
        let was = was
            .filter_map(|m| Some((m, lines[m].as_ref()?)))
            .max_by(|a, b| a.1.leftness(0.0).total_cmp(&b.1.leftness(0.0)));
        let (Some((m, was)), Some(back)) = (was, back) else { continue };
        let off = was.farthest(&back);
        if off > worst.0 {
            worst = (off, Some(m));
        }
    }
    Ok(worst)
}

#[cfg(test)]
mod tests;
