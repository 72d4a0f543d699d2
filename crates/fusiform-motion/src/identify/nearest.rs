//! Markers in a muscle's cylindrical coordinates: along its path, around it, away from it (Murai et al. 2016, above eq. 4).
//!
//! A muscle's segments lie between neighbouring points of its path; each takes the markers nearest to it, so that a segment with
//! many markers around does not take those of another.

use super::Sample;
use super::shape::part_of;
use glam::DVec3;

/// The axis from which angles about a path are counted, at a place on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ring {
    /// Share of the path, 0 at the origin, 1 at the insertion.
    pub share: f64,
    /// b. Need not be at a right angle to the path, nor of length 1.
    pub axis: DVec3,
}

/// A marker near a muscle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearby {
    /// Which marker.
    pub marker: usize,
    /// Which segment of the path.
    pub segment: usize,
    /// Share of the path, 0 at the origin, 1 at the insertion.
    pub share: f64,
    /// rad, from b toward c = a x b, a along the path.
    pub phi: f64,
    /// m, from the path.
    pub radius: f64,
}

impl Nearby {
    /// As [`super::paper()`] wants it.
    #[must_use]
    pub fn sample(&self, frame: usize) -> Sample {
        let (part, x) = part_of(self.share);
        Sample { frame, part, x, phi: self.phi, radius: self.radius }
    }
}

/// In one frame, for each segment of a path its `count` nearest markers, none further than `within` (m); nearest first.
///
/// `rings` in order of their share. A marker beyond an end of the path, one on the path, and one that was not seen (NaN) have no
/// coordinates. A marker belongs to the segment it is nearest to.
#[must_use]
pub fn nearest(path: &[DVec3], rings: &[Ring], markers: &[DVec3], count: usize, within: f64) -> Vec<Nearby> {
    let n_segment = path.len().saturating_sub(1);
    let length: f64 = path.windows(2).map(|w| w[0].distance(w[1])).sum();
    if !(length > 0.0 && length.is_finite()) {
        return Vec::new();
    }
    let mut of_segment: Vec<Vec<Nearby>> = vec![Vec::new(); n_segment];
    for (marker, &place) in markers.iter().enumerate().filter(|(_, place)| place.is_finite()) {
        if let Some(near) = locate(path, length, rings, place, within) {
            of_segment[near.segment].push(Nearby { marker, ..near });
        }
    }
    for near in &mut of_segment {
        near.sort_by(|a, b| a.radius.total_cmp(&b.radius).then(a.marker.cmp(&b.marker)));
        near.truncate(count);
    }
    of_segment.concat()
}

/// A place in the coordinates of a path, if it is near enough.
fn locate(path: &[DVec3], length: f64, rings: &[Ring], place: DVec3, within: f64) -> Option<Nearby> {
    let (mut least, mut walked) = (f64::INFINITY, 0.0);
    let mut best = None; // segment, along it, share of the path, away from it, whether beyond an end
    for (segment, ends) in path.windows(2).enumerate() {
        let (along, from) = (ends[1] - ends[0], place - ends[0]);
        let long = along.length();
        if long > 0.0 {
            let t = from.dot(along) / (long * long);
            // by length, not by number: the first and last segments may have none
            let beyond = (walked <= 0.0 && t < 0.0) || (walked + long >= length && t > 1.0);
            let t = t.clamp(0.0, 1.0);
            let out = from - along * t;
            if out.length_squared() < least {
                least = out.length_squared();
                best = Some((segment, along / long, (walked + t * long) / length, out, beyond));
            }
        }
        walked += long;
    }
    // nearest to an end from beyond it: nobody's, but no other segment's either
    let (segment, along, share, out, _) = best.filter(|(.., out, beyond)| !beyond && out.length() <= within)?;
    let share = share.clamp(0.0, 1.0);
    let phi = around(rings, share, along, out)?;
    Some(Nearby { marker: 0, segment, share, phi, radius: out.length() })
}

/// rad, of a direction away from a path, from the ring's axis; none where either vanishes.
fn around(rings: &[Ring], share: f64, along: DVec3, out: DVec3) -> Option<f64> {
    let after = rings.iter().position(|ring| ring.share >= share).unwrap_or(rings.len());
    let (last, next) = (rings.get(after.saturating_sub(1))?, rings.get(after.min(rings.len() - 1))?);
    let gap = next.share - last.share;
    let t = if gap > 0.0 { ((share - last.share) / gap).clamp(0.0, 1.0) } else { 0.0 };
    let axis = last.axis.lerp(next.axis, t);
    let b = axis.reject_from_normalized(along).try_normalize()?;
    let (y, z) = (out.dot(b), out.dot(along.cross(b)));
    (y.hypot(z) > 1e-9).then(|| z.atan2(y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    const PATH: [DVec3; 3] = [DVec3::ZERO, DVec3::new(0.1, 0.0, 0.0), DVec3::new(0.1, 0.3, 0.0)];
    const RINGS: [Ring; 2] = [Ring { share: 0.0, axis: DVec3::Z }, Ring { share: 1.0, axis: DVec3::Z }];

    #[test]
    fn a_marker_has_the_coordinates_it_was_put_at() {
        let markers = [DVec3::new(0.04, 0.0, 0.02), DVec3::new(0.13, 0.2, 0.0)];
        let found = nearest(&PATH, &RINGS, &markers, 3, 1.0);
        assert_eq!((found.len(), found[0].segment, found[1].segment), (2, 0, 1));
        assert!((found[0].share - 0.1).abs() < 1e-12 && found[0].phi.abs() < 1e-12);
        assert!((found[0].radius - 0.02).abs() < 1e-12 && (found[1].radius - 0.03).abs() < 1e-12);
        // along y, b = z: c = y x z = x
        assert!((found[1].share - 0.75).abs() < 1e-12 && (found[1].phi - FRAC_PI_2).abs() < 1e-12);
        let sample = found[1].sample(7);
        assert_eq!((sample.frame, sample.part), (7, 1));
        assert!((sample.x - 0.5).abs() < 1e-12);
    }

    #[test]
    fn each_segment_has_its_nearest_and_markers_without_coordinates_have_no_segment() {
        let markers = [
            DVec3::new(-0.01, 0.0, 0.02), // before the origin
            DVec3::new(0.05, 0.0, 0.03),
            DVec3::new(0.05, 0.0, 0.02),
            DVec3::NAN,
            DVec3::new(0.02, 0.0, 0.0), // on the path
            DVec3::new(0.1, 0.1, 0.9),  // too far
        ];
        let found = nearest(&PATH, &RINGS, &markers, 1, 0.5);
        assert_eq!(found.iter().map(|near| near.marker).collect::<Vec<_>>(), [2]);
        let doubled = [PATH[0], PATH[0], PATH[1], PATH[2], PATH[2]];
        let found = nearest(&doubled, &RINGS, &markers, 1, 0.5);
        assert_eq!(found.iter().map(|near| near.marker).collect::<Vec<_>>(), [2], "ends that are there twice");
        assert!(nearest(&PATH[..1], &RINGS, &markers, 1, 0.5).is_empty());
        assert!(nearest(&PATH, &[], &markers, 1, 0.5).is_empty());
        assert!(nearest(&[DVec3::ZERO; 3], &RINGS, &markers, 1, 0.5).is_empty());
    }
}
