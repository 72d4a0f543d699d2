//! Frames on all cores, each frame on one: what a frame leaves stays in its core's cache until it is used.

use crate::take::Take;
use std::sync::{Mutex, PoisonError};

/// Let as many threads as the pool has take one item after the other, each with a take of its own to show moments.
/// Results must go where the item says, so that it does not matter who took it.
pub fn share<T: Send>(take: &Take, items: impl Iterator<Item = T> + Send, work: impl Fn(&mut Take, T) + Sync) {
    let items = Mutex::new(items);
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let take_all = || {
        let mut take = take.clone();
        while let Some(item) = next() {
            work(&mut take, item);
        }
    };
    match rayon::current_num_threads() {
        // there may be no other: a browser has but this one
        1 => take_all(),
        // these threads are of no pool: there the solver keeps to the thread that calls it
        n => std::thread::scope(|scope| (0..n).for_each(|_| _ = scope.spawn(take_all))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::{Body, Detail};
    use fusiform_athlete::{Athlete, athlete};
    use glam::Vec3;

    #[test]
    fn moments_shared_out_in_any_order_are_those_of_playing_through() {
        let Athlete { character, musculature } = athlete(3_700).unwrap();
        let body = Body::bind(&character, &musculature).unwrap();
        let clip = character.clips.iter().position(|clip| clip.name == "jump_landing").unwrap();
        let mut take = Take::of(&body, &character, clip, &[], 10.0, Some(false));
        let (n, moments) = (take.times().len(), take.moments());
        let keys: Vec<_> = moments.iter().filter(|moment| moment.is_key).collect();
        let mut shared: Vec<Vec<Vec3>> = vec![Vec::new(); n];
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        pool.install(|| {
            share(&take, keys.iter().zip(&mut shared).rev(), |take, (moment, skin)| {
                take.show(moment, Detail::POSITIONS);
                assert!(skin.is_empty(), "nobody takes an item twice");
                skin.extend_from_slice(take.state().positions());
            });
        });
        take.rewind();
        for (frame, shared) in shared.iter().enumerate() {
            take.advance(Detail::POSITIONS);
            assert!(shared[..] == *take.state().positions(), "frame {frame}");
        }
        assert!(shared[0] != shared[n / 2], "the case must move");
    }
}
