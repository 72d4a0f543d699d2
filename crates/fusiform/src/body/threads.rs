//! Threads: the same fixed chunks, on one thread or on the pool the caller is in.

/// Who shares the chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// The threads of the pool the caller is in, if it is in one.
    Pool,
    /// The calling thread alone: it is one of many that do the same.
    OneThread,
}

/// Call `work(scratch, i, chunk)` for every chunk of `size` rows. Inside a rayon pool of several threads they share the
/// chunks; anywhere else this is a plain loop. Chunks do not depend on how many threads there are, so neither do results,
/// as long as `work` reads nothing from the scratch that it did not put there for the same chunk.
///
/// Splitting work inside a pool allocates nothing; entering a pool from outside does, which is why that is left to
/// the caller.
pub fn for_each_chunk<T: Send, S>(
    spread: Spread,
    rows: &mut [T],
    size: usize,
    scratch: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize, &mut [T]) + Sync + Send,
) {
    #[cfg(feature = "threads")]
    if spread == Spread::Pool
        && rows.len() > size
        && rayon::current_thread_index().is_some()
        && rayon::current_num_threads() > 1
    {
        use rayon::prelude::*;
        rows.par_chunks_mut(size).enumerate().for_each_init(scratch, |scratch, (i, chunk)| work(scratch, i, chunk));
        return;
    }
    #[cfg(not(feature = "threads"))]
    let _ = spread;
    let mut scratch = scratch();
    rows.chunks_mut(size).enumerate().for_each(|(i, chunk)| work(&mut scratch, i, chunk));
}
