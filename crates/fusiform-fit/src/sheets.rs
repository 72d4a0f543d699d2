//! Sheets: muscles that a template describes part by part, gathered into one muscle of several bellies.
//!
//! ```text
//! parts, placed and seated ─> origin curve through their origins, middle curve through the middles of their lines,
//!                             insertion curve through their insertions ─> one sheet in place of its first part
//! ```

use crate::Placed;
use crate::line::{Line, chord_frame};
use crate::template::{SheetTemplate, Template};
use fusiform::musculature::{Attachment, Dynamics, Path, Profile, Spacing};
use fusiform::{Muscle, Skeleton};
use glam::Vec3;

/// Half the width of one belly, as a share of its part's: parts overlap their neighbours, bellies need only reach them.
const BELLY_WIDTH: f32 = 0.55;
/// Bellies that stand apart reach this share of the way to the next, so that they overlap.
const OVERLAP: f32 = 0.6;
/// Half the thickness of a sheet over that of its parts, which are thick at their middle only.
const THICKNESS: f32 = 0.8;

/// Gather the parts of every sheet of the template into one muscle. Parts must have been placed, and lie where they are to
/// lie; a sheet of which less than two parts are there stays as it is.
pub fn gather_sheets(template: &Template, skeleton: &Skeleton, placed: &mut Placed) {
    for sheet in &template.sheets {
        for suffix in ["", ".l", ".r"] {
            gather(sheet, suffix, skeleton, placed);
        }
    }
}

fn gather(sheet: &SheetTemplate, suffix: &str, skeleton: &Skeleton, placed: &mut Placed) {
    let find = |part: &String| {
        let name = format!("{part}{suffix}");
        placed.muscles.iter().position(|muscle| muscle.name == name)
    };
    let rows: Vec<usize> = sheet.of.iter().filter_map(find).collect();
    let parts: Option<Vec<Part>> = rows.iter().map(|&m| Part::new(skeleton, &placed.muscles[m])).collect();
    let (Some(parts), [_, _, ..]) = (parts, &rows[..]) else { return };
    let superficial = rows.iter().any(|&m| placed.superficial[m]);
    let first = rows[0];
    placed.muscles[first] = lofted(sheet, suffix, skeleton, &parts);
    (placed.superficial[first], placed.drawn[first]) = (superficial, false);
    let kept: Vec<bool> = (0..placed.muscles.len()).map(|m| m == first || !rows.contains(&m)).collect();
    placed.keep(&kept);
}

/// A part, and where its line runs.
struct Part<'a> {
    muscle: &'a Muscle,
    line: Line,
    middle: Attachment,
    size: f32,
    aspect: f32,
    taper: f32,
}

impl<'a> Part<'a> {
    fn new(skeleton: &Skeleton, muscle: &'a Muscle) -> Option<Self> {
        let line = Line::of(skeleton, muscle)?;
        let Profile::Sine { size, taper, aspect } = muscle.profile else { return None };
        let carrier = muscle.carrier.as_ref().unwrap_or(&muscle.origin.joint);
        let middle = attachment(skeleton, skeleton.find(carrier)?, line.point(0.5));
        Some(Self { muscle, line, middle, size, aspect, taper })
    }
}

fn attachment(skeleton: &Skeleton, joint: usize, at: Vec3) -> Attachment {
    let joint = &skeleton.joints[joint];
    Attachment { joint: joint.name.clone(), point: joint.bind.inverse().transform_point3(at) }
}

fn lofted(sheet: &SheetTemplate, suffix: &str, skeleton: &Skeleton, parts: &[Part]) -> Muscle {
    let n = parts.len() as f32;
    let mean = |of: fn(&Part) -> f32| parts.iter().map(of).sum::<f32>() / n;
    let bellies = sheet.bellies(parts.len());
    // half-way across: a part's own end, or midway between two parts
    let middle = &parts[(parts.len() - 1) / 2];
    let other = &parts[parts.len() / 2];
    let end = |end: &Attachment, u: f32| {
        let at = middle.line.point(u).midpoint(other.line.point(u));
        attachment(skeleton, skeleton.find(&end.joint).unwrap_or(0), at)
    };
    let apart: f32 = parts.windows(2).map(|pair| pair[0].line.point(0.5).distance(pair[1].line.point(0.5))).sum();
    let gap = apart / (f32::from(bellies) - 1.0).max(1.0);
    let size = (BELLY_WIDTH * mean(|part| part.size)).max(OVERLAP * gap);
    let height = THICKNESS * mean(|part| part.size * part.aspect);
    let curve = |of: fn(&Muscle) -> &Attachment| parts.iter().map(|part| of(part.muscle).clone()).collect();
    Muscle {
        name: format!("{}{suffix}", sheet.name),
        origin: end(&middle.muscle.origin, 0.0),
        insertion: end(&middle.muscle.insertion, 1.0),
        path: Path::Sheet {
            origin: curve(|muscle| &muscle.origin),
            middle: parts.iter().map(|part| part.middle.clone()).collect(),
            insertion: curve(|muscle| &muscle.insertion),
            bellies,
            tendons: [0.0; 2],
        },
        profile: Profile::Sine { size, taper: mean(|part| part.taper), aspect: height / size.max(1e-9) },
        dynamics: together(parts),
        rings: sheet.rings.unwrap_or(middle.muscle.rings),
        sectors: sheet.sectors,
        sculpt: None,
        ..middle.muscle.clone()
    }
}

/// The spring of all parts side by side: their masses and stiffnesses add up.
fn together(parts: &[Part]) -> Dynamics {
    let mut sum = parts[(parts.len() - 1) / 2].muscle.dynamics.clone();
    if let Dynamics::Spring { stiffness, mass, .. } = &mut sum {
        let springs = parts.iter().filter_map(|part| match part.muscle.dynamics {
            Dynamics::Spring { stiffness, mass, .. } => Some((stiffness, mass)),
            _ => None,
        });
        (*stiffness, *mass) = springs.fold((0.0, 0.0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
    }
    sum
}

/// A sheet in its parts again, as templates describe it.
pub(crate) struct Parts {
    /// One muscle for each point of its curves.
    pub(crate) muscles: Vec<Muscle>,
    /// What gathers them.
    pub(crate) sheet: SheetTemplate,
}

/// The parts of a muscle that is a sheet; `like` knows their names. Nothing of other muscles, and of sheets whose curves
/// have not one point for each part.
pub(crate) fn parts(skeleton: &Skeleton, muscle: &Muscle, like: &Template) -> Option<Parts> {
    let Path::Sheet { origin, middle, insertion, bellies, .. } = &muscle.path else { return None };
    let n = origin.len();
    if n < 2 || insertion.len() != n || !(middle.is_empty() || middle.len() == n) {
        return None;
    }
    let suffix = [".l", ".r"].into_iter().find(|suffix| muscle.name.ends_with(suffix)).unwrap_or("");
    let stem = muscle.name.strip_suffix(suffix).unwrap_or(&muscle.name);
    let known = like.sheets.iter().find(|sheet| sheet.name == stem && sheet.of.len() == n);
    let of: Vec<String> = known.map_or((1..=n).map(|i| format!("{stem}_{i}")).collect(), |sheet| sheet.of.clone());
    let bind = |end: &Attachment| Some(skeleton.joints[skeleton.find(&end.joint)?].bind);
    let at = |end: &Attachment| Some(bind(end)?.transform_point3(end.point));
    let up = bind(&muscle.origin)?.transform_vector3(muscle.up.unwrap_or(Vec3::Y));
    let part = |i: usize| {
        let ends = [at(&origin[i])?, at(&insertion[i])?];
        let half_way = ends[0].midpoint(ends[1]);
        let passes = if middle.is_empty() { half_way } else { at(&middle[i])? };
        // a quadratic Bezier passes midway between its middle control point and the chord's midpoint
        let offset = chord_frame(ends, up).transpose() * (passes - half_way) * 2.0;
        Some(Muscle {
            name: format!("{}{suffix}", of[i]),
            origin: origin[i].clone(),
            insertion: insertion[i].clone(),
            path: Path::Bezier { offset, spacing: Spacing::Parameter, held: 0.0 },
            profile: part_profile(&muscle.profile),
            up: Some(bind(&origin[i])?.inverse().transform_vector3(up).normalize_or_zero()),
            carrier: middle.get(i).map(|middle| middle.joint.clone()),
            sectors: Muscle::default().sectors,
            sculpt: None,
            ..muscle.clone()
        })
    };
    let muscles = (0..n).map(part).collect::<Option<Vec<Muscle>>>()?;
    let sheet = SheetTemplate {
        name: stem.to_owned(),
        of,
        bellies: Some((*bellies).max(n as u8)),
        rings: None,
        sectors: muscle.sectors,
    };
    Some(Parts { muscles, sheet })
}

/// That of a part whose belly has this one.
fn part_profile(profile: &Profile) -> Profile {
    match *profile {
        Profile::Sine { size, taper, aspect } => {
            Profile::Sine { size: size / BELLY_WIDTH, taper, aspect: aspect * BELLY_WIDTH / THICKNESS }
        }
        ref other => other.clone(),
    }
}
