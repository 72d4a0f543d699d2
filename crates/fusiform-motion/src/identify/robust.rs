//! Markers that lie: how much a residual counts, by its size against what is usual.
//!
//! ```text
//! squares  ρ = r²
//! Huber    ρ = r² up to c, 2 c |r| − c² beyond               c = 1.345 σ
//! Tukey    ρ = c²/3 (1 − (1 − r²/c²)³) up to c, c²/3 beyond  c = 4.685 σ
//! ```
//!
//! σ is 1.4826 times the median of |r| (Huber: *Robust Statistics*, 1981; the factors are those that lose 5 % where nothing
//! lies), and never below what markers are known to err by: data that is exact for most of the time would otherwise make a
//! liar of every frame in which a muscle moves.

/// How residuals count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Robust {
    /// All by their squares, as in the paper.
    Squares,
    /// Large ones by their size.
    Huber,
    /// Very large ones not at all; Huber's first, because this one finds its way only from nearby.
    #[default]
    Tukey,
}

/// A way to count, with its scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Loss {
    kind: Robust,
    turn: f64, // c, m
}

impl Loss {
    pub const SQUARES: Self = Self { kind: Robust::Squares, turn: 1.0 };

    /// From residual sizes (overwritten), of so many components each.
    pub fn of(kind: Robust, sizes: &mut [f64], components: usize, least: f64) -> Self {
        if sizes.is_empty() {
            return Self::SQUARES;
        }
        let middle = sizes.len() / 2;
        let median = *sizes.select_nth_unstable_by(middle, f64::total_cmp).1;
        // median of |r| of a normal distribution with deviation 1, in one dimension and in three
        let sigma = (median / if components == 1 { 0.6745 } else { 1.5382 }).max(least);
        let turn = match kind {
            Robust::Squares => 1.0,
            Robust::Huber => 1.345 * sigma,
            Robust::Tukey => 4.685 * sigma,
        };
        // three components together reach further than one
        Self { kind, turn: if components == 1 { turn } else { 1.6 * turn } }
    }

    /// ρ of a size.
    pub fn cost(&self, size: f64) -> f64 {
        match self.kind {
            Robust::Huber if size > self.turn => self.turn * (2.0 * size - self.turn),
            Robust::Tukey => {
                let left = (1.0 - (size / self.turn).powi(2)).max(0.0);
                self.turn * self.turn / 3.0 * (1.0 - left * left * left)
            }
            _ => size * size,
        }
    }

    /// ρ'/2r: the weight of its square in the normal equations.
    pub fn weight(&self, size: f64) -> f64 {
        match self.kind {
            Robust::Huber if size > self.turn => self.turn / size,
            Robust::Tukey => (1.0 - (size / self.turn).powi(2)).max(0.0).powi(2),
            _ => 1.0,
        }
    }

    /// Whether a residual counts for a tenth or less.
    pub fn rejects(&self, size: f64) -> bool {
        self.weight(size) <= 0.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weight_is_the_slope_of_the_cost() {
        for kind in [Robust::Squares, Robust::Huber, Robust::Tukey] {
            let loss = Loss::of(kind, &mut [0.001; 9], 1, 0.0);
            for size in [1e-5, 1e-3, 1.9e-3, 2.1e-3, 6e-3, 0.1] {
                let slope = (loss.cost(size + 1e-8) - loss.cost(size - 1e-8)) / 2e-8;
                assert!((slope - 2.0 * size * loss.weight(size)).abs() < 1e-8, "{kind:?} {size}");
            }
        }
    }
}
