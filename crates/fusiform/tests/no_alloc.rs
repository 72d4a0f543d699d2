//! A frame allocates nothing, alone or in a pool, and one body serves many states.

use fusiform::body::{Contact, Impulse};
use fusiform::musculature::{
    Activation, Attachment, Bone, BoneShape, Contraction, Driver, Dynamics, Layer, Path, PoseShape, Sculpt, ShellMode,
    Signal, Tissue, WrapFrame,
};
use fusiform::{Body, BodyState, Character, Mesh, Muscle, Musculature, Skeleton, SparseWeights, StepInput, Transform};
use glam::{Affine3A, Quat, Vec3};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    // the test runner allocates on its own whenever it likes
    static IS_COUNTED: Cell<bool> = const { Cell::new(false) };
}

// SAFETY: every call goes to the system's allocator unchanged; counting touches no memory of the caller's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if IS_COUNTED.get() {
            ALLOCATIONS.fetch_add(1, Ordering::SeqCst);
        }
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

/// A tube of ten thousand vertices about two joints, with eight muscles along it.
fn tube() -> (Character, Musculature) {
    let skeleton =
        Skeleton::from_rest(&[("upper", None, Transform::IDENTITY), ("lower", Some(0), Transform::at(Vec3::Y * 0.5))]);
    let (around, rows) = (50_u32, 200_u32);
    let mut mesh = Mesh { name: "tube".into(), ..Mesh::default() };
    let mut weights = SparseWeights::default();
    for i in 0..around * rows {
        let (angle, t) =
            ((i % around) as f32 * std::f32::consts::TAU / around as f32, (i / around) as f32 / rows as f32);
        mesh.positions.push(Vec3::new(0.1 * angle.cos(), t, 0.1 * angle.sin()));
        mesh.weights.push_vertex([(0, 1.0 - t), (1, t)]);
        weights.push_vertex([((i % around * 8 / around) as u16, 0.6)]);
        if i / around + 1 < rows {
            let next = i - i % around + (i + 1) % around;
            mesh.triangles.extend([[i, i + around, next], [next, i + around, next + around]]);
        }
    }
    let muscle = |m: usize| {
        let angle = m as f32 * std::f32::consts::TAU / 8.0;
        let out = Vec3::new(angle.cos(), 0.0, angle.sin()) * 0.07;
        let end = |joint: &str, y: f32| Attachment { joint: joint.into(), point: out + Vec3::Y * y };
        let mut muscle = Muscle {
            name: format!("m{m}"),
            origin: end("upper", 0.1),
            insertion: end("lower", 0.4),
            ..Muscle::default()
        };
        if m.is_multiple_of(2) {
            muscle.path = Path::Polyline { via: vec![end("lower", 0.0)], tendons: [0.05, 0.02] };
        }
        if m == 3 {
            let middle = vec![end("upper", 0.3)];
            let fan = vec![end("upper", 0.1), end("upper", 0.2), end("upper", 0.25)];
            let (insertion, tendons) = (vec![end("lower", 0.4)], [0.02, 0.01]);
            muscle.path = Path::Sheet { origin: fan, middle, insertion, bellies: 10, tendons };
        }
        if m % 4 < 2 {
            let turns = [("lower".to_owned(), Quat::from_rotation_x(1.0))].into();
            let shapes = vec![PoseShape { turns, sculpt: Sculpt { factors: vec![1.3; 72] } }];
            muscle.contraction = Contraction::PoseShapes { shapes, tone: 0.5, isometric: 0.0 };
        }
        if m % 3 < 2 {
            muscle.dynamics = Dynamics::soft_body();
        }
        muscle
    };
    let Layer::Shells { muscles, drop_off, stickiness, hardness, weight, .. } = Layer::shells() else { unreachable!() };
    let mode = ShellMode::Star { slippage: 0.7 };
    let star = Layer::Shells { muscles, drop_off, stickiness, hardness, weight, mode };
    let shape = BoneShape::Capsule { from: Vec3::Z * 0.07, to: Vec3::new(0.0, 0.3, 0.07), radii: [0.02; 2] };
    let shaft = Bone { name: "shaft".into(), joint: "lower".into(), shape };
    let shrunk = Layer::Wrap { muscles: Vec::new(), shrink: 0.4, frame: WrapFrame::Full, slide: 0.3, sink: 0.1 };
    let character = Character { name: "tube".into(), skeleton, meshes: vec![mesh], clips: Vec::new() };
    let muscles = (0..8).map(muscle).collect();
    (
        character,
        Musculature {
            muscles,
            layers: vec![
                Layer::blend(),
                Layer::shells(),
                star,
                Layer::wrap(),
                shrunk,
                Layer::displace(),
                Layer::slide(),
                Layer::Tissue(Tissue { links: 2, ..Tissue::lively() }),
            ],
            bones: vec![shaft],
            weights: vec![weights],
            activation: Activation { tension: 0.1, drivers: drivers(), ..Activation::default() },
            ..Musculature::default()
        },
    )
}

fn drivers() -> Vec<Driver> {
    let angle = Signal::JointAngle { joint: "lower".into(), axis: Some(Vec3::X) };
    let driver = |signal, at| Driver { muscles: Vec::new(), signal, remap: vec![[0.0, 0.0], [at, 0.5]] };
    vec![driver(angle, 60.0), driver(Signal::Shortening, 0.2)]
}

/// How many allocations a hundred frames of a hundred states make.
fn allocations(body: &Body, states: &mut [BodyState]) -> usize {
    let mut points = [Vec3::ZERO; 72];
    let impulses = [Impulse { place: Vec3::Y * 0.2, radius: 0.3, momentum: Vec3::X }];
    let contacts = [Contact { normal: Vec3::Z, place: Vec3::Z * -0.05 }];
    let before = ALLOCATIONS.load(Ordering::SeqCst);
    for frame in 0..100 {
        let bend = Quat::from_rotation_x((frame as f32 * 0.1).sin());
        let pose = [Affine3A::IDENTITY, Affine3A::from_rotation_translation(bend, Vec3::Y * 0.5)];
        let state = &mut states[frame];
        // changing frame times make new spring coefficients: they too must fit what is there
        let mut input = StepInput::new(&pose, 1.0 / (60.0 + (frame % 3) as f32));
        (input.impulses, input.contacts) = (&impulses, &contacts);
        body.step(state, &input);
        (0..body.n_muscle()).for_each(|m| state.belly_points(body, m, &mut points));
    }
    ALLOCATIONS.load(Ordering::SeqCst) - before
}

#[test]
fn a_frame_allocates_nothing() {
    IS_COUNTED.set(true);
    let (character, musculature) = tube();
    let body = Arc::new(Body::bind(&character, &musculature).unwrap());
    let mut states: Vec<BodyState> = (0..100).map(|_| BodyState::new(&body)).collect();
    assert_eq!(allocations(&body, &mut states), 0, "on one thread");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.broadcast(|_| IS_COUNTED.set(true));
    let inside = pool.install(|| {
        allocations(&body, &mut states); // workers set up their queues once
        allocations(&body, &mut states)
    });
    assert_eq!(inside, 0, "inside a pool of two");
    assert_ne!(states[40].positions(), states[80].positions(), "every state has its own motion");
}
