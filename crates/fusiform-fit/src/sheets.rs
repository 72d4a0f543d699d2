//! Sheets: muscles that a template describes part by part, gathered into one muscle of several bellies.
//!
//! ```text
//! parts, placed and seated ─> origin curve through their origins, middle curve through the middles of their lines,
//!                             insertion curve through their insertions ─> one sheet in place of its first part
//! ```

use crate::Placed;
use crate::line::{Line, chord_frame};
use crate::template::{End, SheetTemplate, Template};
use fusiform::musculature::{Attachment, Dynamics, Path, Profile, Spacing};
use fusiform::{Muscle, Skeleton};
use glam::Vec3;

/// Half the width of one belly, as a share of its part's: parts overlap their neighbours, bellies need only reach them.
const BELLY_WIDTH: f32 = 0.55;
/// Bellies that stand apart reach this share of the way to the next, so that they overlap.
const OVERLAP: f32 = 0.6;
/// Half the thickness of a sheet over that of its parts, which are thick at their middle only.
const THICKNESS: f32 = 0.65;

/// How far a part stays from its neighbour's line, as a share of the most it is away: where it would cross it, it ends.
const COMB: f32 = 0.15;
/// Places at which that is looked at.
const COMB_STEPS: u8 = 40;

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
    let parts: Option<Vec<Part>> =
        rows.iter().map(|&m| Part::new(skeleton, &placed.muscles[m], sheet.middle)).collect();
    let (Some(mut parts), [_, _, ..]) = (parts, &rows[..]) else { return };
    comb(sheet.fan, skeleton, &mut parts);
    meet(sheet.fan, skeleton, &mut parts);
    let superficial = rows.iter().any(|&m| placed.superficial[m]);
    let first = rows[0];
    placed.muscles[first] = lofted(sheet, suffix, skeleton, &parts);
    (placed.superficial[first], placed.drawn[first]) = (superficial, false);
    let kept: Vec<bool> = (0..placed.muscles.len()).map(|m| m == first || !rows.contains(&m)).collect();
    placed.keep(&kept);
}

/// A quadratic Bezier curve: what the bellies of a sheet run along.
struct Arc {
    curve: [Vec3; 3],
}

impl Arc {
    /// From one end of a line over its middle to the other.
    fn through(line: &Line) -> Self {
        let ([from, to], half_way) = (line.ends(), line.point(0.5));
        Self { curve: [from, half_way * 2.0 - from.midpoint(to), to] }
    }

    /// Its point at the parameter `u`.
    fn point(&self, u: f32) -> Vec3 {
        self.blossom(u, u)
    }

    /// Only the piece between two parameters.
    fn cut(&mut self, from: f32, to: f32) {
        self.curve = [self.blossom(from, from), self.blossom(from, to), self.blossom(to, to)];
    }

    fn blossom(&self, s: f32, t: f32) -> Vec3 {
        let [a, b, c] = self.curve;
        a * ((1.0 - s) * (1.0 - t)) + b * (s * (1.0 - t) + t * (1.0 - s)) + c * (s * t)
    }
}

/// A part, and where its line runs.
struct Part<'a> {
    muscle: &'a Muscle,
    carrier: &'a str,
    line: Arc,
    origin: Attachment,
    middle: Attachment,
    insertion: Attachment,
    size: f32,
    aspect: f32,
    taper: f32,
}

impl<'a> Part<'a> {
    fn new(skeleton: &Skeleton, muscle: &'a Muscle, carried: Option<End>) -> Option<Self> {
        let line = Arc::through(&Line::of(skeleton, muscle)?);
        let Profile::Sine { size, taper, aspect } = muscle.profile else { return None };
        let (origin, insertion) = (muscle.origin.clone(), muscle.insertion.clone());
        let carrier = match carried {
            Some(End::Origin) => &muscle.origin.joint,
            Some(End::Insertion) => &muscle.insertion.joint,
            None => muscle.carrier.as_ref().unwrap_or(&muscle.origin.joint),
        };
        let mut part = Self { muscle, carrier, line, middle: origin.clone(), origin, insertion, size, aspect, taper };
        part.lay(skeleton);
        Some(part)
    }

    /// Hang it where its line runs.
    fn lay(&mut self, skeleton: &Skeleton) {
        let on = |joint: &str, at: Vec3| attachment(skeleton, skeleton.find(joint).unwrap_or(0), at);
        self.origin = on(&self.muscle.origin.joint, self.line.point(0.0));
        self.middle = on(self.carrier, self.line.point(0.5));
        self.insertion = on(&self.muscle.insertion.joint, self.line.point(1.0));
    }
}

/// End parts before they cross the line of their neighbour toward the middle of the sheet: bellies lie side by side.
fn comb(fan: Option<End>, skeleton: &Skeleton, parts: &mut [Part]) {
    let middle = (parts.len() - 1) / 2;
    let inward = (0..middle).rev().map(|k| (k, k + 1)).chain((middle + 1..parts.len()).map(|k| (k, k - 1)));
    for (k, neighbour) in inward.collect::<Vec<_>>() {
        let shares = || (0..=COMB_STEPS).map(|i| f32::from(i) / f32::from(COMB_STEPS));
        let other: Vec<Vec3> = shares().map(|u| parts[neighbour].line.point(u)).collect();
        let from_other = |p: Vec3| {
            let nearest = other.iter().min_by(|a, b| a.distance_squared(p).total_cmp(&b.distance_squared(p)));
            p - *nearest.unwrap_or(&p)
        };
        let side = from_other(parts[k].line.point(0.5)).normalize_or_zero();
        let away: Vec<f32> = shares().map(|u| from_other(parts[k].line.point(u)).dot(side)).collect();
        let room = COMB * away.iter().fold(0.0_f32, |most, &away| most.max(away));
        let half = away.len() / 2;
        let last = away[half..].iter().position(|&away| away < room).map_or(away.len() - 1, |i| half + i);
        let first = away[..half].iter().rposition(|&away| away < room).unwrap_or(0);
        let share = |i: usize| i as f32 / f32::from(COMB_STEPS);
        let from = if fan == Some(End::Origin) { 0.0 } else { share(first) };
        let to = if fan == Some(End::Insertion) { 1.0 } else { share(last) };
        if to - from < 1.0 && to - from > 0.3 {
            parts[k].line.cut(from, to);
            parts[k].lay(skeleton);
        }
    }
}

/// Bring all parts together at the end where they meet; their middles go half the way with it.
fn meet(fan: Option<End>, skeleton: &Skeleton, parts: &mut [Part]) {
    let Some(end) = fan else { return };
    let k = if end == End::Origin { 0 } else { 2 };
    let (a, b) = ((parts.len() - 1) / 2, parts.len() / 2);
    let at = parts[a].line.curve[k].midpoint(parts[b].line.curve[k]);
    for part in parts {
        let step = at - part.line.curve[k];
        part.line.curve[1] += step * 0.5;
        part.line.curve[k] = at;
        part.lay(skeleton);
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
    let (origin, insertion) = (end(&middle.muscle.origin, 0.0), end(&middle.muscle.insertion, 1.0));
    let curve = |here: End, meet: &Attachment, of: fn(&Part) -> Attachment| -> Vec<Attachment> {
        if sheet.fan == Some(here) { vec![meet.clone()] } else { parts.iter().map(of).collect() }
    };
    Muscle {
        name: format!("{}{suffix}", sheet.name),
        path: Path::Sheet {
            origin: curve(End::Origin, &origin, |part| part.origin.clone()),
            middle: parts.iter().map(|part| part.middle.clone()).collect(),
            insertion: curve(End::Insertion, &insertion, |part| part.insertion.clone()),
            bellies,
            tendons: [0.0; 2],
        },
        origin,
        insertion,
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
/// have not one point for each part, or one for all.
pub(crate) fn parts(skeleton: &Skeleton, muscle: &Muscle, like: &Template) -> Option<Parts> {
    let Path::Sheet { origin, middle, insertion, bellies, .. } = &muscle.path else { return None };
    let n = origin.len().max(insertion.len());
    let fits = |curve: &[Attachment]| curve.len() == n || curve.len() == 1;
    if n < 2 || !fits(origin) || !fits(insertion) || !(middle.is_empty() || middle.len() == n) {
        return None;
    }
    let fan = match (origin.len(), insertion.len()) {
        (1, _) => Some(End::Origin),
        (_, 1) => Some(End::Insertion),
        _ => None,
    };
    let (origin_of, insertion_of) =
        (|i: usize| &origin[i.min(origin.len() - 1)], |i: usize| &insertion[i.min(insertion.len() - 1)]);
    let suffix = [".l", ".r"].into_iter().find(|suffix| muscle.name.ends_with(suffix)).unwrap_or("");
    let stem = muscle.name.strip_suffix(suffix).unwrap_or(&muscle.name);
    let known = like.sheets.iter().find(|sheet| sheet.name == stem && sheet.of.len() == n);
    let of: Vec<String> = known.map_or((1..=n).map(|i| format!("{stem}_{i}")).collect(), |sheet| sheet.of.clone());
    let bind = |end: &Attachment| Some(skeleton.joints[skeleton.find(&end.joint)?].bind);
    let at = |end: &Attachment| Some(bind(end)?.transform_point3(end.point));
    let up = bind(&muscle.origin)?.transform_vector3(muscle.up.unwrap_or(Vec3::Y));
    let part = |i: usize| {
        let (origin, insertion) = (origin_of(i), insertion_of(i));
        let ends = [at(origin)?, at(insertion)?];
        let half_way = ends[0].midpoint(ends[1]);
        let passes = if middle.is_empty() { half_way } else { at(&middle[i])? };
        // a quadratic Bezier passes midway between its middle control point and the chord's midpoint
        let offset = chord_frame(ends, up).transpose() * (passes - half_way) * 2.0;
        Some(Muscle {
            name: format!("{}{suffix}", of[i]),
            origin: origin.clone(),
            insertion: insertion.clone(),
            path: Path::Bezier { offset, spacing: Spacing::Parameter, held: 0.0 },
            profile: part_profile(&muscle.profile),
            up: Some(bind(origin)?.inverse().transform_vector3(up).normalize_or_zero()),
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
        fan,
        middle: None,
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
