//! Sculpt: a stroke over a belly changes the factors on its profile.

use super::Seen;
use super::shapes::{image, shape_seen, shapes_of};
use crate::model::painting::lies_in_middle;
use crate::model::{Carve, Plane, Project, Studio, twin};
use fusiform::body::rest_bellies;
use fusiform::musculature::{Contraction, Sculpt};
use fusiform::{Muscle, Musculature, Skeleton};

/// Radii of the profile that a belly is pulled out to at most.
pub const MOST: f32 = 8.0;

/// A part of a stroke: what the brush did to a belly since the part before.
#[derive(Clone, Debug, PartialEq)]
pub struct Carved {
    /// Whose belly.
    pub muscle: usize,
    /// Its shape at bind, or one of those sculpted in poses.
    pub shape: Option<usize>,
    /// What is done to it.
    pub mode: Carve,
    /// One after the other: points of the belly, ring by ring, and how much of the work is done there, 0 to 1.
    pub passes: Vec<Vec<(u32, f32)>>,
}

/// One pass over the factors of a belly, ring by ring of so many sectors. A factor stays within 0 and [`MOST`]; what a
/// file has beyond may stay, but not grow.
pub fn carve(factors: &mut [f32], sectors: usize, mode: Carve, touched: &[(u32, f32)]) {
    let before = factors.to_vec();
    for &(point, amount) in touched {
        let (point, amount) = (point as usize, amount.clamp(0.0, 1.0));
        let Some(&now) = before.get(point).filter(|_| amount > 0.0) else { continue };
        factors[point] = match mode {
            Carve::Pull => (now + amount).min(MOST.max(now)),
            Carve::Press => (now - amount).max(0.0),
            Carve::Smooth => now + amount * (mean_around(&before, sectors, point) - now),
            Carve::Reset if amount == 1.0 => 1.0,
            Carve::Reset => now + amount * (1.0 - now),
        };
    }
}

/// The mean of the neighbours along the belly and around it.
fn mean_around(factors: &[f32], sectors: usize, point: usize) -> f32 {
    let (ring, sector) = (point / sectors, point % sectors);
    let at = |ring: usize, sector: usize| factors.get(ring * sectors + sector % sectors).copied();
    let along = [ring.checked_sub(1).and_then(|ring| at(ring, sector)), at(ring + 1, sector)];
    let around = [at(ring, sector + 1), at(ring, sector + sectors - 1)];
    let near: Vec<f32> = along.into_iter().chain(around).flatten().collect();
    near.iter().sum::<f32>() / near.len().max(1) as f32
}

pub fn sculpt(seen: Seen, carved: &Carved, document: &mut Musculature) {
    let muscles = &mut document.muscles;
    if carved.muscle >= muscles.len() {
        return;
    }
    let skeleton = &seen.project.character.skeleton;
    let other = twin(seen.project, muscles, carved.muscle).filter(|_| seen.mirrored).and_then(|other| {
        let pair = [muscles[carved.muscle].clone(), muscles[other].clone()];
        let shape = match carved.shape {
            Some(shape) => Some(image(seen.project, shapes_of(&pair[0]).get(shape)?, &pair[1])?),
            None => None,
        };
        Some((other, shape, mirror(pair, skeleton, &seen.project.plane)?))
    });
    for pass in &carved.passes {
        apply(&mut muscles[carved.muscle], carved.shape, carved.mode, pass);
        if let Some((other, shape, source)) = &other {
            let mut amount = vec![0.0; grid(&muscles[carved.muscle]).0];
            for &(point, share) in pass {
                amount.get_mut(point as usize).into_iter().for_each(|amount| *amount = share);
            }
            let mirrored: Vec<(u32, f32)> = (0..).zip(source.iter().map(|&point| amount[point])).collect();
            apply(&mut muscles[*other], *shape, carved.mode, &mirrored);
        }
    }
}

/// Why what is sculpted of a muscle stays on its side though the other side follows; none where it does not.
#[must_use]
pub fn keeps_to_its_side(studio: &Studio, m: usize) -> Option<String> {
    let (project, muscles) = (&studio.project, studio.muscles());
    let other = &muscles[twin(project, muscles, m)?];
    if grid(other) != grid(&muscles[m]) {
        return Some(format!("{} has other rings or sectors: strokes stay on this side", other.name));
    }
    let shape = shape_seen(&project.character.skeleton, &studio.live, &muscles[m])?;
    let has_none = image(project, &shapes_of(&muscles[m])[shape], other).is_none();
    has_none.then(|| format!("{} has no shape for this pose: strokes stay on this side", other.name))
}

/// Points of a belly, and how many there are around it.
fn grid(muscle: &Muscle) -> (usize, usize) {
    let (rings, sectors) = (usize::from(muscle.rings), usize::from(muscle.sectors));
    (rings * sectors, sectors)
}

fn apply(muscle: &mut Muscle, shape: Option<usize>, mode: Carve, touched: &[(u32, f32)]) {
    let (n, sectors) = grid(muscle);
    if let Some(shape) = shape {
        if let Contraction::PoseShapes { shapes, .. } = &mut muscle.contraction
            && let Some(shape) = shapes.get_mut(shape)
        {
            carve(&mut shape.sculpt.factors, sectors, mode, touched);
        }
        return;
    }
    let mut factors = muscle.sculpt.take().map_or_else(|| vec![1.0; n], |sculpt| sculpt.factors);
    carve(&mut factors, sectors, mode, touched);
    muscle.sculpt = factors.iter().any(|factor| *factor != 1.0).then_some(Sculpt { factors });
}

/// For each point of a belly that lies in the middle of the body the point that is its mirror image; none for one that
/// has a side, or for a shape of a pose that bends to one.
pub fn onto_itself(project: &Project, muscles: &[Muscle], m: usize, shape: Option<usize>) -> Option<Vec<usize>> {
    let muscle =
        muscles.get(m).filter(|muscle| twin(project, muscles, m).is_none() && lies_in_middle(project, muscle))?;
    let bends = shape.is_some_and(|at| {
        let own = shapes_of(muscle).get(at);
        own.and_then(|own| image(project, own, muscle)) != Some(at)
    });
    // no two muscles are called the same
    let pair = [muscle.clone(), Muscle { name: format!("{}'", muscle.name), ..muscle.clone() }];
    if bends { None } else { mirror(pair, &project.character.skeleton, &project.plane) }
}

/// For each point of the second belly the point of the first that is its mirror image: sectors run the other way round in a
/// mirror, from wherever the up-vectors lean. Found by which way of counting them brings all points together; none for
/// bellies of unlike rings and sectors.
fn mirror(pair: [Muscle; 2], skeleton: &Skeleton, plane: &Plane) -> Option<Vec<usize>> {
    let [(n, sectors), other] = [0, 1].map(|k| grid(&pair[k]));
    if (n, sectors) != other {
        return None;
    }
    // where they are without being sculpted: one side may be dented already
    let rests = rest_bellies(skeleton, &pair.map(|muscle| Muscle { sculpt: None, ..muscle })).ok()?;
    let ways = (0..sectors).flat_map(|first| [(first, sectors - 1), (first, 1)]);
    let source = |(first, step): (usize, usize), point: usize| {
        point - point % sectors + (first + step * (point % sectors)) % sectors
    };
    let image = |point: usize| plane.image(rests[0].points[point]);
    let apart = |way| (0..n).map(|point| rests[1].points[point].distance(image(source(way, point)))).sum::<f32>();
    let best = ways.min_by(|a, b| apart(*a).total_cmp(&apart(*b)))?;
    Some((0..n).map(|point| source(best, point)).collect())
}
