//! Pairs: two opposed muscles on every bone that carries flesh, for creatures of any kind, whatever their joints are called.
//!
//! ```text
//! regions ─> which bones are fleshy ─> which way each bends ─> ellipsoids of both halves ─> muscles from the bone's start
//!            to just beyond the joint at its end
//! ```
//!
//! Pratscher, Coleman, Laszlo, Singh: *Outside-In Anatomy Based Character Rigging*, 2005, section 3.2-3.3. The paper lets
//! people turn each partition plane and move each tendon; here the plane follows how the next joint bends until somebody
//! turns it, and tendons cross that joint, so that bending it shortens one muscle of a pair and stretches the other.

mod flesh;
mod muscle;
mod plane;
mod rig;
#[cfg(test)]
mod tests;

pub use flesh::{Flesh, PairBone};
pub use rig::rig_pairs;

use crate::bend::flexion;
use crate::conform::Toward;
use crate::ellipsoid::Spread;
use crate::mirror::mirrored;
use crate::regions::Regions;
use crate::segments::Segment;
use crate::{Preset, Surface};
use fusiform::{Character, Muscle};
use glam::Vec3;
use muscle::{Belly, Holds};

/// A fleshy bone's length and the mean distance of its skin, as shares of the height, and its skin as a share of all: as
/// much as the thinnest muscle anybody would see.
const LONG: f32 = 0.03;
const THICK: f32 = 0.008;
const LARGE: f32 = 0.004;
/// A half of a region has at least this share of its skin, or the plane goes through the skin's middle, not the bone's.
const HALF: f32 = 0.25;
/// Bones this near to each other's mirror image, as a share of the height, are twins; so near to the middle, their own.
const TWINS: f32 = 0.02;
/// Half the length of a line over the deviation of points spread evenly along it: √3.
const EVEN: f32 = 1.732;
/// An ellipsoid leaves this share of the bone free at its ends.
const ENDS: f32 = 0.04;
/// Skin farther beyond the bone's ends than this share of it is no part of its bellies: over a hip, say.
const ALONG: f32 = 0.15;
/// Half-axes across are at most this share of the half-length: on a short bone of a thick trunk a belly is no flat disc.
const ROUND: f32 = 1.4;
/// A belly thinner than this share of the height is a thread: its bone carries no flesh.
const THREAD: f32 = 0.0015;
/// What the names of the muscles of a pair end in.
const KINDS: [&str; 2] = [".flexor", ".extensor"];
/// An axis farther from the bone than this cosine is another's: the ellipsoid is laid along the bone.
const NEAR: f32 = 0.85;

/// A bone that carries flesh, and its region.
struct Fleshy {
    bone: Segment,
    /// The bone beyond its end joint.
    next: Segment,
    /// The joint that carries the origins: the bone's own, or the one above where no other pair crosses the joint between.
    origin: usize,
    /// Rows of the topology's points.
    points: Vec<usize>,
    /// Toward the flexor: unit, at right angles to the bone.
    normal: Vec3,
}

/// Pairs: flexor, extensor, flexor, ...
#[derive(Default)]
struct Pairs {
    muscles: Vec<Muscle>,
    /// The joint whose bone each lies on.
    groups: Vec<String>,
    toward: Vec<Toward>,
}

/// The bones that carry flesh, each with the plane that follows how its joint bends.
fn divided(character: &Character, regions: &Regions) -> Vec<Fleshy> {
    let mut fleshy = fleshy(character, regions);
    let bones: Vec<(Segment, Vec3)> = fleshy.iter().map(|own| (own.bone, own.next.along())).collect();
    for (own, normal) in fleshy.iter_mut().zip(flexion(character, &bones)) {
        own.normal = normal;
    }
    mirror_normals(&mut fleshy, TWINS * character.height());
    fleshy
}

/// What the muscles of each bone are called, but for which of the two they are.
fn names(character: &Character, fleshy: &[Fleshy]) -> Vec<String> {
    let joints = &character.skeleton.joints;
    let name = |own: &Fleshy| {
        let joint = &joints[own.bone.joint].name;
        let forks = fleshy.iter().filter(|other| other.bone.joint == own.bone.joint).count() > 1;
        let child = own.bone.child.map_or("", |child| joints[child].name.as_str());
        if forks { format!("{joint}-{child}") } else { joint.clone() }
    };
    fleshy.iter().map(name).collect()
}

/// An opposed pair on one bone, divided by a plane with that normal; nothing where a half carries no flesh.
fn place_pair(
    character: &Character,
    (own, name, normal): (&Fleshy, &str, Vec3),
    regions: &Regions,
    surface: &Surface,
    model: Preset,
) -> Option<Pairs> {
    let joint = &character.skeleton.joints[own.bone.joint].name;
    let cut = partition(own, normal, regions);
    let [Some(flexor), Some(extensor)] = [normal, -normal].map(|normal| half(own, regions, cut, normal)) else {
        return None;
    };
    if flexor.thinnest().min(extensor.thinnest()) < THREAD * character.height() {
        return None;
    }
    let mut pair = Pairs::default();
    for (belly, side, kind) in [(flexor, 1.0, KINDS[0]), (extensor, -1.0, KINDS[1])] {
        let normal = normal * side;
        let holds = Holds::new(own, (normal, side < 0.0), &belly, surface, model);
        let name = format!("{name}{kind}");
        pair.muscles.push(muscle::muscle(&character.skeleton, name, &own.bone, &holds, &belly, model));
        pair.groups.push(joint.clone());
        pair.toward.push(Toward::Plane(normal));
    }
    Some(pair)
}

/// The bones between two joints that have enough skin of their own; both of two twins, or neither.
fn fleshy(character: &Character, regions: &Regions) -> Vec<Fleshy> {
    let bones = &regions.segments.list;
    let height = character.height();
    let whole: f32 = regions.area.iter().sum();
    let mut points = vec![Vec::new(); bones.len()];
    for (point, bone) in regions.of_point.iter().enumerate() {
        let Some(bone) = *bone else { continue };
        let segment = &bones[bone];
        let beyond =
            (regions.topology.points[point] - segment.nearest(regions.topology.points[point])).dot(segment.along());
        if beyond.abs() < ALONG * segment.length() {
            points[bone].push(point);
        }
    }
    let is_fleshy = |bone: usize| {
        let own = || points[bone].iter().map(|&p| (regions.topology.points[p], regions.area[p]));
        let area: f32 = own().map(|(_, area)| area).sum();
        let off = |(p, area): (Vec3, f32)| (p - bones[bone].from).reject_from(bones[bone].along()).length() * area;
        let thick = own().map(off).sum::<f32>() / area.max(1e-20);
        bones[bone].length() > LONG * height && area > LARGE * whole && thick > THICK * height
    };
    let enough: Vec<bool> = (0..bones.len()).map(is_fleshy).collect();
    let twin_is = |bone: usize| twin(bones, bone, TWINS * height).is_some_and(|twin| enough[twin]);
    let next = |bone: usize| {
        let beyond = bones.iter().filter(|other| Some(other.joint) == bones[bone].child);
        let straight = |other: &Segment| other.along().dot(bones[bone].along());
        beyond.max_by(|a, b| straight(a).total_cmp(&straight(b))).copied()
    };
    let chosen = (0..bones.len()).filter(|&bone| bones[bone].child.is_some() && (enough[bone] || twin_is(bone)));
    let chosen: Vec<usize> = chosen.collect();
    let origin = |bone: usize| {
        let joint = bones[bone].joint;
        let crossed = chosen.iter().any(|&other| bones[other].child == Some(joint));
        regions.segments.parent[joint].filter(|_| !crossed).unwrap_or(joint)
    };
    let origins: Vec<usize> = chosen.iter().map(|&bone| origin(bone)).collect();
    let fleshy = chosen.into_iter().map(|bone| {
        let end = Segment {
            joint: bones[bone].child.unwrap_or(0),
            from: bones[bone].to,
            to: bones[bone].to * 2.0 - bones[bone].from,
            child: None,
        };
        (bone, next(bone).unwrap_or(end))
    });
    let fleshy = fleshy.zip(origins).map(|((i, next), origin)| Fleshy {
        bone: bones[i],
        next,
        origin,
        points: std::mem::take(&mut points[i]),
        normal: Vec3::Y,
    });
    fleshy.collect()
}

/// The bone that is this one's mirror image; itself in the middle.
fn twin(bones: &[Segment], bone: usize, near: f32) -> Option<usize> {
    let (from, to) = (mirrored(bones[bone].from), mirrored(bones[bone].to));
    let off = |other: &Segment| other.from.distance(from).max(other.to.distance(to));
    let best = (0..bones.len()).min_by(|&a, &b| off(&bones[a]).total_cmp(&off(&bones[b])));
    best.filter(|&best| off(&bones[best]) < near)
}

/// Twins bend alike: each takes the mean of its own plane and the mirror image of its twin's. In the middle a plane lies
/// across the body or along it.
fn mirror_normals(fleshy: &mut [Fleshy], near: f32) {
    let bones: Vec<Segment> = fleshy.iter().map(|own| own.bone).collect();
    let before: Vec<Vec3> = fleshy.iter().map(|own| own.normal).collect();
    for (i, own) in fleshy.iter_mut().enumerate() {
        let Some(twin) = twin(&bones, i, near) else { continue };
        let (along, other) = (own.bone.along(), mirrored(before[twin]));
        let sum = if twin == i && before[i].x.abs() > 0.7 {
            Vec3::X
        } else if before[i].dot(other) >= 0.0 {
            before[i] + other
        } else {
            // They disagree about the sign: the left one has it.
            let left = if own.bone.from.x + own.bone.to.x >= 0.0 { 1.0 } else { -1.0 };
            (before[i] - other) * left
        };
        own.normal = sum.reject_from_normalized(along).normalize_or(before[i]);
    }
}

/// A point of the plane between the two halves of a region.
fn partition(own: &Fleshy, normal: Vec3, regions: &Regions) -> Vec3 {
    let middle = own.bone.from.midpoint(own.bone.to);
    let area = |p: &usize| regions.area[*p];
    let whole: f32 = own.points.iter().map(area).sum();
    let above = own.points.iter().filter(|&&p| (regions.topology.points[p] - middle).dot(normal) >= 0.0);
    let share = above.map(area).sum::<f32>() / whole.max(1e-20);
    let mean =
        own.points.iter().map(|&p| regions.topology.points[p] * regions.area[p]).sum::<Vec3>() / whole.max(1e-20);
    if (HALF..=1.0 - HALF).contains(&share) { middle } else { mean }
}

/// The belly on one side of the plane; nothing without skin there.
fn half(own: &Fleshy, regions: &Regions, cut: Vec3, normal: Vec3) -> Option<Belly> {
    let points = &regions.topology.points;
    let own_side = own.points.iter().filter(|&&p| (points[p] - cut).dot(normal) >= 0.0);
    let spread = Spread::new(own_side.map(|&p| (points[p], regions.area[p])))?;
    Some(belly(&own.bone, normal, &spread))
}

/// The ellipsoid of half a region, its long axis between the bone's ends.
///
/// Half-lengths across are the paper's √λ: half a tube's skin then encloses it almost exactly, since the mean of a half lies
/// near the skin. Along the bone √λ would be 58 % of what the skin covers, hence √(3 λ).
fn belly(bone: &Segment, normal: Vec3, spread: &Spread) -> Belly {
    let along = bone.along();
    let axes = spread.axes();
    let nearest = |to: Vec3| move |a: &Vec3, b: &Vec3| a.dot(to).abs().total_cmp(&b.dot(to).abs());
    let long = axes.into_iter().max_by(nearest(along)).filter(|axis| axis.dot(along).abs() > NEAR).unwrap_or(along);
    let long = long * long.dot(along).signum();
    let across = axes.into_iter().map(|axis| axis.reject_from_normalized(long).normalize_or_zero());
    let up = across.max_by(nearest(normal)).unwrap_or(normal);
    let up = (up * up.dot(normal).signum())
        .normalize_or(normal.reject_from_normalized(long).normalize_or(long.any_orthonormal_vector()));
    // Its ends stay between the bone's, measured along the bone.
    let length = bone.length();
    let free = ENDS * length;
    let at = (spread.mean - bone.from).dot(along).clamp(0.25 * length, 0.75 * length);
    let center = spread.mean + along * (at - (spread.mean - bone.from).dot(along));
    let room = (at - free).min(length - free - at) / long.dot(along);
    let half = (EVEN * spread.deviation(long)).clamp(0.25 * room, room);
    Belly {
        ends: [center - long * half, center + long * half],
        up,
        height: spread.deviation(up).min(ROUND * half),
        width: spread.deviation(long.cross(up)).min(ROUND * half),
    }
}
