//! Threads: the same fixed chunks, on one thread or on the pool the caller is in.

/// Call `work(i, chunk)` for every chunk of `size` rows. Inside a rayon pool of several threads they share the chunks;
/// anywhere else this is a plain loop. Chunks do not depend on how many threads there are, so neither do results.
///
/// Splitting work inside a pool allocates nothing; entering a pool from outside does, which is why that is left to
/// the caller.
pub fn for_each_chunk<T: Send>(rows: &mut [T], size: usize, work: impl Fn(usize, &mut [T]) + Sync) {
    #[cfg(feature = "threads")]
    if rows.len() > size && rayon::current_thread_index().is_some() && rayon::current_num_threads() > 1 {
        use rayon::prelude::*;
        rows.par_chunks_mut(size).enumerate().for_each(|(i, chunk)| work(i, chunk));
        return;
    }
    rows.chunks_mut(size).enumerate().for_each(|(i, chunk)| work(i, chunk));
}
