//! A frame of muscle forces allocates nothing.

use fusiform_motion::tension::{Problem, Settings, Tension};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    // of this thread only: the test runner allocates on its own whenever it likes
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged; counting touches no memory of the caller's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|n| n.set(n.get() + 1));
        // SAFETY: the caller's own promise
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's own promise
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn a_frame_of_muscle_forces_allocates_nothing() {
    let (n_muscle, n_dof) = (30, 7);
    let arms: Vec<f64> = (0..n_muscle * n_dof).map(|k| 0.05 * (k as f64 * 1.7).sin()).collect();
    let strength: Vec<f64> = (0..n_muscle).map(|i| 200.0 + 30.0 * i as f64).collect();
    let emg: Vec<Option<f64>> = (0..n_muscle).map(|i| (i % 3 == 0).then_some(0.3)).collect();
    let mut tension = Tension::new(n_muscle, n_dof, Settings::default()).unwrap();
    let before = ALLOCATIONS.get();
    let mut steps = 0;
    for frame in 0..50 {
        // from nothing to more than muscles can
        let torque: [f64; 7] = std::array::from_fn(|j| 12.0 * frame as f64 * (j as f64).cos());
        let problem =
            Problem { moment_arms: &arms, strength: &strength, torque: &torque, emg: &emg, reserve_unit: &[] };
        steps += tension.solve(&problem).unwrap().steps;
    }
    assert!(steps > 50);
    assert_eq!(ALLOCATIONS.get(), before);
}
