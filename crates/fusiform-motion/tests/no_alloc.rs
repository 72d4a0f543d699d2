//! Frames of inverse kinematics and dynamics allocate nothing.

mod common;

use common::{Dice, random_tree};
use fusiform_motion::ik::Ik;
use fusiform_motion::model::Marker;
use fusiform_motion::rnea::{Rnea, Wrench};
use fusiform_motion::system::Posture;
use glam::DVec3;
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
fn a_frame_allocates_nothing() {
    let system = random_tree(7, 6).system();
    let (n, dice) = (system.n_coordinate(), &mut Dice(9));
    let on = |i: usize| Marker {
        name: format!("m{i}"),
        body: system.names[1 + i % (system.n_body() - 1)].clone(),
        location: DVec3::splat(0.1 * i as f64),
    };
    let markers: Vec<Marker> = (0..12).map(on).collect();
    let mut ik = Ik::new(&system, &markers).expect("markers on bodies");
    let (mut rnea, mut posture) = (Rnea::new(&system), Posture::default());
    let (mut q, mut torque) = (system.default.to_vec(), vec![0.0; n]);
    let (speed, gain) = (dice.vectors(n, 1.0), dice.vectors(n, 1.0));
    let targets: Vec<DVec3> = (0..12).map(|_| dice.vector(1.0)).collect();
    system.pose(&q, &mut posture);
    let wrench = [Wrench { body: 1, force: DVec3::Y, ..Wrench::default() }];

    let before = ALLOCATIONS.get();
    ik.hold(0, 0.1, 1.0);
    ik.weigh(3, 0.5);
    ik.place(&system, &targets, &mut q);
    ik.solve(&system, &targets, &mut q);
    system.pose(&q, &mut posture);
    rnea.solve(&system, &posture, [&speed, &gain], &wrench, &mut torque);
    assert_eq!(ALLOCATIONS.get(), before);
}
