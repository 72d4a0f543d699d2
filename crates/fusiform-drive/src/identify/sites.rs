//! Sites: where on the skin each marker sits.
//!
//! In some evenly spaced frames, the nearest point of the posed skin is taken back to where its triangle is at bind. The
//! median of those is a place near the skin at bind, and the nearest point of it the site: a limb that passes another, a label that
//! was swapped for a while, do not move it.

use super::still::{Moment, Still};
use super::{FARTHEST, IdentifyError, Seen};
use fusiform::Body;
use fusiform_fit::{Nearest, Surface};
use glam::{DMat3, DVec3, Vec3};
use rayon::prelude::*;

/// Rounds of the median; it has settled to a hundredth of a millimetre long before.
const ROUNDS: usize = 30;
/// m: nearer points weigh as if they were so far.
const NEAREST: f64 = 1e-5;

/// A place on the skin: three rows of the character's vertices, and their shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Site {
    /// Rows of vertices, all meshes one after the other.
    pub corners: [usize; 3],
    /// Their shares in it.
    pub shares: [f64; 3],
}

impl Site {
    /// Just a vertex.
    pub(super) fn vertex(v: usize) -> Self {
        Self { corners: [v; 3], shares: [1.0, 0.0, 0.0] }
    }

    /// Where it is on a skin.
    #[must_use]
    pub fn on(&self, positions: &[Vec3]) -> DVec3 {
        self.corners.iter().zip(self.shares).map(|(&v, share)| positions[v].as_dvec3() * share).sum()
    }

    /// Where a marker is whose middle is so far above it.
    pub(super) fn above(&self, positions: &[Vec3], radius: f64) -> DVec3 {
        let [a, b, c] = self.corners.map(|v| positions[v].as_dvec3());
        self.on(positions) + (b - a).cross(c - a).normalize_or_zero() * radius
    }

    /// Two axes along the skin and its normal; nothing of the kind for a vertex.
    pub(super) fn axes(&self, positions: &[Vec3]) -> DMat3 {
        let [a, b, c] = self.corners.map(|v| positions[v].as_dvec3());
        let (along, normal) = ((b - a).normalize_or_zero(), (b - a).cross(c - a).normalize_or_zero());
        DMat3::from_cols(along, normal.cross(along), normal)
    }

    fn nearest(still: &Still, near: &Nearest) -> Self {
        Self { corners: near.corners.map(|c| still.vertex(near.mesh, c)), shares: near.shares.map(f64::from) }
    }
}

/// Markers on the skin.
#[derive(Clone, Debug, Default)]
pub(super) struct Placed {
    /// n_marker; nothing for those that are left out.
    pub sites: Vec<Option<Site>>,
    /// n_marker, m: from their sites, half of the time; NaN for those that were never seen.
    pub off: Vec<f64>,
}

impl Placed {
    /// # Errors
    /// When most markers are far from any one place of the skin.
    pub fn believe(&self, seen: &Seen) -> Result<(), IdentifyError> {
        let off: Vec<f64> = self.off.iter().copied().filter(|off| off.is_finite()).collect();
        let far = off.iter().filter(|off| **off > FARTHEST).count();
        if off.is_empty() {
            return Err(IdentifyError::Nothing);
        }
        if 2 * far > off.len() {
            let mean_cm = 100.0 * off.iter().sum::<f64>() / off.len() as f64;
            return Err(IdentifyError::Elsewhere { far, all: seen.names.len(), mean_cm });
        }
        Ok(())
    }

    /// The sites of markers of those names among others.
    pub fn named(&self, names: &[String], others: &[String]) -> Self {
        let row = |other: &String| names.iter().position(|name| name == other);
        Self {
            sites: others.iter().map(|other| row(other).and_then(|j| self.sites[j])).collect(),
            off: others.iter().map(|other| row(other).map_or(f64::NAN, |j| self.off[j])).collect(),
        }
    }
}

/// Where on the skin of that body markers sit, or how far they are from where they are known to; nothing without a skin.
pub(super) fn find(
    still: &Still,
    body: &Body,
    (seen, moments, sampled): (&Seen, &[Moment], &[usize]),
    known: Option<Vec<Option<Site>>>,
    radius: f64,
) -> Option<Placed> {
    let bind = still.bind_positions();
    let at_bind = still.surface(&bind)?;
    let chosen: Vec<&Moment> = sampled.iter().map(|&i| &moments[i]).collect();
    let posed = still.each(body, &chosen, |_, state| state.positions().to_vec());
    let sites: Vec<Option<Site>> = match known {
        Some(sites) => sites,
        None => {
            let frames: Vec<Vec<Option<DVec3>>> =
                posed.par_iter().zip(sampled).map(|(skin, &i)| taken_back(still, skin, &bind, seen.frame(i))).collect();
            let site = |j: usize| {
                let points: Vec<DVec3> = frames.iter().filter_map(|row| row[j]).collect();
                let near = at_bind.nearest(median(&points)?.as_vec3());
                Some(Site::nearest(still, &near))
            };
            (0..seen.names.len()).into_par_iter().map(site).collect()
        }
    };
    let off = |(j, site): (usize, &Option<Site>)| {
        let away = |(skin, &i): (&Vec<Vec3>, &usize)| {
            site.map(|site| site.above(skin, radius).distance(seen.frame(i)[j])).filter(|away| away.is_finite())
        };
        middle(posed.iter().zip(sampled).filter_map(away).collect()).unwrap_or(f64::NAN)
    };
    let off: Vec<f64> = sites.iter().enumerate().map(off).collect();
    let near = sites.into_iter().zip(&off).map(|(site, off)| site.filter(|_| *off <= FARTHEST)).collect();
    Some(Placed { sites: near, off })
}

/// The nearest points of a skin to markers, where their triangles are at bind.
fn taken_back(still: &Still, skin: &[Vec3], bind: &[Vec3], markers: &[DVec3]) -> Vec<Option<DVec3>> {
    let surface: Option<Surface> = still.surface(skin);
    let back = |marker: &DVec3| {
        let near = surface.as_ref().filter(|_| marker.is_finite())?.nearest(marker.as_vec3());
        Some(Site::nearest(still, &near).on(bind))
    };
    markers.iter().map(back).collect()
}

/// The point of least summed distance (Weiszfeld).
fn median(points: &[DVec3]) -> Option<DVec3> {
    if points.is_empty() {
        return None;
    }
    let mut at = points.iter().sum::<DVec3>() / points.len() as f64;
    for _ in 0..ROUNDS {
        let weight = |p: &DVec3| 1.0 / p.distance(at).max(NEAREST);
        let total: f64 = points.iter().map(weight).sum();
        at = points.iter().map(|p| *p * (weight(p) / total)).sum();
    }
    Some(at)
}

/// The middle one.
pub(super) fn middle(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_points_elsewhere_do_not_move_a_median() {
        let near = |i: usize| DVec3::new(0.5, 0.001 * (i % 3) as f64, 0.0);
        let points: Vec<DVec3> = (0..20).map(|i| if i < 6 { DVec3::splat(3.0) } else { near(i) }).collect();
        assert!(median(&points).unwrap().distance(DVec3::new(0.5, 0.001, 0.0)) < 2e-3);
        assert_eq!(median(&[]), None);
    }
}
