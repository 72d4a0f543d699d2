//! How well bellies lie in a body: what share of their vertices is inside the skin, and how far the worst stands out.

use crate::Surface;
use fusiform::Skeleton;
use fusiform::body::{BindError, rest_bellies};
use rayon::prelude::*;

/// Bellies against the skin in the bind pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inside {
    /// Share of all belly vertices inside the skin.
    pub fraction: f32,
    /// How far each muscle's worst vertex stands out of the skin, metres; 0 where all are inside.
    pub outside: Vec<f32>,
}

impl Inside {
    /// Measure those muscles.
    ///
    /// # Errors
    /// When a muscle is not sound; the error names it and its cure.
    pub fn measure(
        skeleton: &Skeleton,
        muscles: &[fusiform::Muscle],
        surface: &Surface,
    ) -> Result<Self, BindError> {
        let bellies = rest_bellies(skeleton, muscles)?;
        let counts: Vec<(usize, f32)> = bellies
            .par_iter()
            .map(|belly| {
                let out = belly.points.iter().filter(|&&p| !surface.contains(p)).map(|&p| surface.distance(p));
                out.fold((0, 0.0), |(n, worst), distance| (n + 1, f32::max(worst, distance)))
            })
            .collect();
        let all: usize = bellies.iter().map(|belly| belly.points.len()).sum();
        let out: usize = counts.iter().map(|(n, _)| n).sum();
        let outside = counts.into_iter().map(|(_, worst)| worst).collect();
        Ok(Self { fraction: 1.0 - out as f32 / all.max(1) as f32, outside })
    }

    /// How far the worst vertex of all stands out, metres.
    #[must_use]
    pub fn worst(&self) -> f32 {
        self.outside.iter().fold(0.0, |worst, &out| worst.max(out))
    }
}
