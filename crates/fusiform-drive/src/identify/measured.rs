//! Measured: from every marker to the nearest point of the skin, as the frame makes it, with deformation and without.

use super::still::{Moment, Still};
use super::{Distance, Seen};
use fusiform::Body;

/// Distances of markers from the nearest point of the skin, in every frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Errors {
    /// n_frame: clips of the character, and seconds in them.
    pub moments: Vec<(usize, f32)>,
    /// n_marker.
    pub names: Vec<String>,
    /// n_frame x n_marker, m: with the muscles that were found; NaN where a marker was not seen.
    pub with: Vec<f64>,
    /// The same with muscles that keep their shape.
    pub without: Vec<f64>,
}

impl Errors {
    /// With deformation and without, over those markers.
    #[must_use]
    pub fn over(&self, marker: impl Fn(usize) -> bool) -> [Distance; 2] {
        let n = self.names.len();
        let chosen: Vec<bool> = (0..n).map(marker).collect();
        [&self.with, &self.without].map(|errors| {
            let of = errors.iter().enumerate().filter(|(i, error)| chosen[i % n] && error.is_finite());
            Distance::of(&of.map(|(_, error)| *error).collect::<Vec<f64>>())
        })
    }

    /// Over all markers.
    #[must_use]
    pub fn all(&self) -> [Distance; 2] {
        self.over(|_| true)
    }

    /// Over all markers of one frame.
    #[must_use]
    pub fn frame(&self, t: usize) -> [Distance; 2] {
        let n = self.names.len();
        [&self.with, &self.without].map(|errors| {
            let seen = errors[t * n..(t + 1) * n].iter().copied().filter(|error| error.is_finite());
            Distance::of(&seen.collect::<Vec<f64>>())
        })
    }
}

/// On the skin of `body`, and on that of the still one.
pub(super) fn errors(still: &Still, body: &Body, seen: &Seen, moments: &[Moment], radius: f64) -> Errors {
    let on = |body: &Body| {
        let rows = still.each(body, moments, |t, state| {
            let skin = still.surface(state.positions());
            let away = |marker: &glam::DVec3| match &skin {
                Some(skin) if marker.is_finite() => {
                    let away = skin.nearest(marker.as_vec3()).point.as_dvec3().distance(*marker);
                    // below the skin it is farther from where it should be, not nearer
                    let below = radius > 0.0 && skin.contains(marker.as_vec3());
                    if below { away + radius } else { (away - radius).abs() }
                }
                _ => f64::NAN,
            };
            seen.frame(t).iter().map(away).collect::<Vec<f64>>()
        });
        rows.concat()
    };
    Errors { moments: seen.moments.clone(), names: seen.names.clone(), with: on(body), without: on(&still.body) }
}
