//! Frames on all cores, each frame on one: what a frame leaves stays in its core's cache until it is used.

use crate::take::Take;
use std::sync::{Mutex, PoisonError};

/// Let as many threads as the pool has take one item after the other, each with a take of its own to show moments.
/// Results must go where the item says, so that it does not matter who took it.
pub fn share<T: Send>(take: &Take, items: impl Iterator<Item = T> + Send, work: impl Fn(&mut Take, T) + Sync) {
    let items = Mutex::new(items);
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    // these threads are of no pool: there the solver keeps to the thread that calls it
    std::thread::scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|| {
                let mut take = take.clone();
                while let Some(item) = next() {
                    work(&mut take, item);
                }
            });
        }
    });
}
