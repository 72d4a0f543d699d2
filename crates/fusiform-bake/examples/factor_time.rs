//! Time and peak memory of factoring 300 frames of 20,000 vertices, rank 50 and noise:
//! `cargo run --release -p fusiform-bake --example factor_time`. A number of sweeps may follow.

use fusiform_bake::{FactorSettings, factor};
use glam::Vec3;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, counting.
struct Counting;

// SAFETY: every call is the system allocator's own.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

const FRAMES: usize = 300;
const VERTICES: usize = 20_000;
const RANK: usize = 50;

fn main() {
    let sweeps = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut state = 88_172_645_463_325_252u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    let shapes: Vec<Vec3> = (0..RANK * VERTICES).map(|_| 0.01 * Vec3::new(next(), next(), next())).collect();
    let mut residual = vec![Vec3::ZERO; FRAMES * VERTICES];
    for frame in residual.chunks_exact_mut(VERTICES) {
        for shape in shapes.chunks_exact(VERTICES) {
            let weight = next();
            frame.iter_mut().zip(shape).for_each(|(r, s)| *r += weight * *s);
        }
        frame.iter_mut().for_each(|r| *r += 1e-4 * Vec3::new(next(), next(), next()));
    }
    drop(shapes);
    let matrix = size_of_val(&residual[..]);
    let settings = FactorSettings { tolerance: 0.5e-3, max_targets: 64, sweeps };
    for _ in 0..5 {
        PEAK.store(NOW.load(Relaxed), Relaxed);
        let start = Instant::now();
        let factors = factor(&residual, VERTICES, &settings, &[], |_| Ok(())).expect("sound residuals");
        println!(
            "{:.3} s, {} targets, max {:.3} mm, peak {:.2} x the matrix, the matrix itself among it",
            start.elapsed().as_secs_f64(),
            factors.n_target,
            1e3 * factors.max_error,
            PEAK.load(Relaxed) as f64 / matrix as f64,
        );
    }
}
