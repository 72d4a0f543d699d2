//! Threads: the same fixed chunks, on one thread or on the pool the caller is in.

/// Call `work(scratch, i, chunk)` for every chunk of `size` rows. Inside a rayon pool of several threads they share the
/// chunks; anywhere else this is a plain loop. Chunks do not depend on how many threads there are, so neither do results,
/// as long as `work` reads nothing from the scratch that it did not put there for the same chunk.
///
/// Splitting work inside a pool allocates nothing; entering a pool from outside does, which is why that is left to
/// the caller.
pub fn for_each_chunk<T: Send, S>(
    rows: &mut [T],
    size: usize,
    scratch: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize, &mut [T]) + Sync + Send,
) {
    #[cfg(feature = "threads")]
    if rows.len() > size && rayon::current_thread_index().is_some() && rayon::current_num_threads() > 1 {
        use rayon::prelude::*;
        rows.par_chunks_mut(size).enumerate().for_each_init(scratch, |scratch, (i, chunk)| work(scratch, i, chunk));
        return;
    }
    let mut scratch = scratch();
    rows.chunks_mut(size).enumerate().for_each(|(i, chunk)| work(&mut scratch, i, chunk));
}
