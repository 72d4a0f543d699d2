//! Criterion benches of the frame's kernels: `cargo bench -p fusiform-benches`. See `benches/kernels.rs`.
