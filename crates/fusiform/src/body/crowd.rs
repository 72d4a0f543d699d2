//! Crowds: one body, many states, all cores.
//!
//! A character is one unit of work: what a body is made of stays in the caches of the core that goes from one character
//! to the next, and no two threads ever wait for each other inside one.

use super::threads::{self, Spread};
use super::{Body, BodyState, StepInput};

impl Body {
    /// One frame of many characters of this kind, `input(i)` for state `i`. They share the rayon pool this is called in;
    /// outside any pool they take turns. Allocates nothing, and gives the bits that [`Body::step`] gives one by one.
    ///
    /// # Panics
    /// As [`Body::step`].
    pub fn step_all<'a>(&self, states: &mut [BodyState], input: impl Fn(usize) -> StepInput<'a> + Sync + Send) {
        threads::for_each_chunk(
            Spread::Pool,
            states,
            1,
            || (),
            |(), i, states| states.iter_mut().for_each(|state| self.step_on(Spread::OneThread, state, &input(i))),
        );
    }
}

/// Which level of detail each of so many characters gets, so that all of them together take no longer than `budget`:
/// the first are the nearest and get the best that is left for them. `cost` is what one character takes at each level,
/// best first, in the unit of the budget; levels that cost more than the one before are never worth it.
///
/// Where even the last level is too much for all of them, all get that.
///
/// ```
/// let levels = fusiform::body::levels_within(10.0, &[3.0, 1.0, 0.5], 6);
/// assert_eq!(levels, [0, 0, 1, 1, 1, 1]);
/// ```
#[must_use]
pub fn levels_within(budget: f32, cost: &[f32], characters: usize) -> Vec<usize> {
    let last = cost.len().saturating_sub(1);
    let cheapest = (0..cost.len()).min_by(|&a, &b| cost[a].total_cmp(&cost[b]).then(b.cmp(&a))).unwrap_or(last);
    let mut levels = vec![cheapest; characters];
    // raise all to each better level in turn, nearest first, as long as there is budget: many a little before few a lot
    let mut left = budget - cost.get(cheapest).copied().unwrap_or(0.0) * characters as f32;
    for better in (0..cheapest).rev() {
        for level in &mut levels {
            let more = cost[better] - cost[*level];
            if more <= left {
                (*level, left) = (better, left - more);
            }
        }
    }
    levels
}
