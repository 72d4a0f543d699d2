//! Left and right: which muscles are each other's mirror image, by where they lie.

use glam::Vec3;

/// Mirror images lie within this share of the body's height of each other.
pub(crate) const MIRRORED: f32 = 0.01;

/// Where a muscle lies, canonical model space.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// Origin, the middle of the belly, insertion.
    pub(crate) points: [Vec3; 3],
    /// Those of origin and insertion.
    pub(crate) joints: [usize; 2],
    /// What it runs over in between, with the joints that carry it.
    pub(crate) via: Vec<(usize, Vec3)>,
}

impl Line {
    /// The other side of the plane at `x`.
    fn mirrored(&self, x: f32) -> [Vec3; 3] {
        self.points.map(|point| point.with_x(2.0 * x - point.x))
    }

    /// How far the farthest of the three points is from its mirror image in the other, metres.
    pub(crate) fn unlike(&self, other: &Self, x: f32) -> f32 {
        let distances = self.points.iter().zip(other.mirrored(x)).map(|(a, b)| a.distance(b));
        distances.fold(0.0, f32::max)
    }

    /// How far the farthest of its points, via points included, is from the same point of the other, metres.
    pub(crate) fn farthest(&self, other: &Self) -> f32 {
        let points = self.points.iter().zip(&other.points);
        let via = self.via.iter().zip(&other.via).map(|((_, a), (_, b))| (a, b));
        points.chain(via).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
    }

    /// How far to the left of the plane at `x` it lies on the whole.
    pub(crate) fn leftness(&self, x: f32) -> f32 {
        self.points.iter().map(|point| point.x - x).sum()
    }
}

/// Each muscle's twin within `near` metres: itself for one on the middle plane, none for one that stands alone. The
/// nearest pairs are made first.
pub(crate) fn find(lines: &[Option<Line>], middle: f32, near: f32) -> Vec<Option<usize>> {
    let mut likely = Vec::new();
    for (i, a) in lines.iter().enumerate() {
        for (j, b) in lines.iter().enumerate().skip(i) {
            if let (Some(a), Some(b)) = (a, b) {
                likely.push((a.unlike(b, middle), i, j));
            }
        }
    }
    likely.retain(|(unlike, ..)| *unlike <= near);
    likely.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut twins = vec![None; lines.len()];
    for (_, i, j) in likely {
        if twins[i].is_none() && twins[j].is_none() {
            (twins[i], twins[j]) = (Some(j), Some(i));
        }
    }
    twins
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(x: f32, y: f32) -> Option<Line> {
        Some(Line {
            points: [Vec3::new(x, y, 0.0), Vec3::new(x, y + 0.1, 0.0), Vec3::new(x, y + 0.2, 0.0)],
            joints: [0, 0],
            via: Vec::new(),
        })
    }

    #[test]
    fn twins_are_found_by_where_they_lie_and_the_middle_is_its_own() {
        let lines = [line(0.3, 0.0), line(0.1, 1.0), None, line(-0.104, 0.0), line(0.5, 3.0), line(-0.1, 0.004)];
        // The plane is at 0.1: the first lies 0.2 to its left.
        assert_eq!(find(&lines, 0.1, 0.01), [Some(5), Some(1), None, None, None, Some(0)]);
    }
}
