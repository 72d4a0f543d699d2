//! How long a frame takes with shells, with blending, wrapped, with soft bodies and without muscles: 20,000 vertices, 64 muscles, one thread, one run.
//!
//! `cargo run --release -p fusiform --example shells_time [-- part of a name ...]`

use fusiform::musculature::{Attachment, Contraction, Dynamics, Layer, Path, Profile, ShellMode, Volume};
use fusiform::{Body, BodyState, Character, Detail, Mesh, Muscle, Musculature, Pose, Skeleton, SparseWeights};
use fusiform::{StepInput, Transform};
use glam::{Affine3A, Quat, Vec3};
use std::time::Instant;

const JOINTS: usize = 16;
const AROUND: usize = 100;
const ROWS: usize = 200;
const LENGTH: f32 = 2.0;

/// A tube along y, a joint every few rows; each vertex has three joints and the two nearest of 64 muscles.
fn tube() -> (Character, Vec<Muscle>, SparseWeights) {
    let step = LENGTH / JOINTS as f32;
    let names: Vec<String> = (0..JOINTS).map(|j| format!("j{j}")).collect();
    let at = |j: usize| if j == 0 { Transform::IDENTITY } else { Transform::at(Vec3::Y * step) };
    let rows: Vec<_> = (0..JOINTS).map(|j| (names[j].as_str(), j.checked_sub(1), at(j))).collect();
    let skeleton = Skeleton::from_rest(&rows);
    let (mut mesh, mut weights) = (Mesh { name: "tube".into(), ..Mesh::default() }, SparseWeights::default());
    for i in 0..AROUND * ROWS {
        let (side, t) = ((i % AROUND) as f32 / AROUND as f32, (i / AROUND) as f32 / ROWS as f32);
        let angle = side * std::f32::consts::TAU;
        mesh.positions.push(Vec3::new(0.12 * angle.cos(), t * LENGTH, 0.12 * angle.sin()));
        let joint = ((t * JOINTS as f32) as usize).clamp(1, JOINTS - 2) as u16;
        mesh.weights.push_vertex([(joint - 1, 0.25), (joint, 0.5), (joint + 1, 0.25)]);
        let (ring, sector) = ((t * 15.0) as u16, side * 4.0);
        let (near, next) = ((sector as u16) % 4, (sector.round() as u16) % 4);
        let next = if next == near { (near + 3) % 4 } else { next };
        weights.push_vertex([(ring * 4 + near, 0.5), (ring * 4 + next, 0.5)]);
        if i / AROUND + 1 < ROWS {
            let across = i - i % AROUND + (i + 1) % AROUND;
            let corner = |v: usize| v as u32;
            mesh.triangles.push([corner(i), corner(i + AROUND), corner(across)]);
            mesh.triangles.push([corner(across), corner(i + AROUND), corner(across + AROUND)]);
        }
    }
    let muscle = |m: usize| {
        let (j, angle) = ((m / 4).min(JOINTS - 2), (m % 4) as f32 * std::f32::consts::FRAC_PI_2);
        let out = Vec3::new(angle.cos(), 0.0, angle.sin()) * 0.08;
        let end = |j: usize, y: f32| Attachment { joint: names[j].clone(), point: out + Vec3::Y * y };
        Muscle { name: format!("m{m}"), origin: end(j, 0.02), insertion: end(j + 1, 0.02), ..Muscle::default() }
    };
    let character = Character { name: "tube".into(), skeleton, meshes: vec![mesh], clips: Vec::new() };
    (character, (0..64).map(muscle).collect(), weights)
}

/// A muscle of Pratscher's.
fn outside_in(muscle: &Muscle) -> Muscle {
    let hinge = Attachment { point: muscle.origin.point + Vec3::Y * 0.08, ..muscle.origin.clone() };
    Muscle {
        path: Path::Polyline { via: vec![hinge], tendons: [0.01; 2] },
        profile: Profile::Ellipsoid { width: 0.02, height: 0.03 },
        contraction: Contraction::Tone { tone: 1.0, isometric: 0.25 },
        dynamics: Dynamics::None,
        ..muscle.clone()
    }
}

/// A muscle of Ramos'.
fn spindle(muscle: &Muscle) -> Muscle {
    let (ends, slopes) = ([0.002; 2], [0.04, -0.04]);
    Muscle {
        path: Path::Polyline { via: Vec::new(), tendons: [0.01; 2] },
        profile: Profile::TwoCubics { peak_at: 0.45, peak: 0.02, ends, slopes, ellipse: 1.2 },
        contraction: Contraction::Cones { volume: Volume::Exact, isometric: 0.25 },
        dynamics: Dynamics::None,
        ..muscle.clone()
    }
}

fn shells(mode: ShellMode) -> Layer {
    let muscles = Vec::new();
    Layer::Shells { muscles, drop_off: 1.0, stickiness: 0.5, hardness: 0.5, weight: 1.0, mode }
}

fn main() -> Result<(), fusiform::BindError> {
    let (character, lee, weights) = tube();
    let lines: Vec<Muscle> = lee.iter().map(outside_in).collect();
    let musculature = |muscles: &[Muscle], layers: Vec<Layer>| Musculature {
        muscles: muscles.to_vec(),
        layers,
        weights: vec![weights.clone()],
        ..Musculature::default()
    };
    let cubics: Vec<Muscle> = lee.iter().map(spindle).collect();
    let stretch = || shells(ShellMode::Stretch { slippage: 1.0 });
    let soft: Vec<Muscle> =
        lee.iter().map(|muscle| Muscle { dynamics: Dynamics::soft_body(), ..muscle.clone() }).collect();
    let subjects = [
        ("plain skinning", Musculature::plain()),
        ("curves, blend", musculature(&lee, vec![Layer::blend()])),
        ("polylines, blend", musculature(&lines, vec![Layer::blend()])),
        ("polylines, stretch", musculature(&lines, vec![stretch()])),
        ("polylines, stretch, slippage 2", musculature(&lines, vec![shells(ShellMode::Stretch { slippage: 2.0 })])),
        ("curves, stretch", musculature(&lee, vec![stretch()])),
        ("two cubics, displace", musculature(&cubics, vec![Layer::displace()])),
        ("polylines, blend and stretch", musculature(&lines, vec![Layer::blend(), stretch()])),
        ("curves, wrap", musculature(&lee, vec![Layer::wrap()])),
        ("soft bodies alone", musculature(&soft, Vec::new())),
        ("soft bodies, wrap", musculature(&soft, vec![Layer::wrap()])),
    ];
    let mut bodies = Vec::new();
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for (name, musculature) in &subjects {
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let body = Body::bind(&character, musculature)?;
        let state = BodyState::new(&body);
        bodies.push((*name, body, state, Vec::new()));
    }
    let poses: Vec<Vec<Affine3A>> = (0..64).map(|frame| pose(&character.skeleton, frame)).collect();
    for round in 0..200 {
        for (_, body, state, times) in &mut bodies {
            let start = Instant::now();
            for pose in &poses[round % 8 * 8..][..8] {
                let mut input = StepInput::new(pose, 1.0 / 60.0);
                input.detail = Detail::POSITIONS;
                body.step(state, &input);
            }
            times.push(start.elapsed().as_secs_f64() / 8.0);
        }
    }
    let sorted = |times: &[f64]| {
        let mut sorted = times.to_vec();
        sorted.sort_by(f64::total_cmp);
        (sorted[0] * 1e6, sorted[sorted.len() / 2] * 1e6)
    };
    let plain = sorted(&bodies[0].3).0;
    println!("{:<32} {:>10} {:>8} {:>9}   bits of the last frame", "", "fastest µs", "to plain", "median µs");
    for (name, _, state, times) in &bodies {
        let bits = state.positions().iter().flat_map(|p| p.to_array());
        let sum = bits.fold(0_u64, |sum, x| sum.rotate_left(5) ^ u64::from(x.to_bits()));
        let (fastest, median) = sorted(times);
        println!("{name:<32} {fastest:>10.1} {:>8.2} {median:>9.1}   {sum:016x}", fastest / plain);
    }
    Ok(())
}

fn pose(skeleton: &Skeleton, frame: usize) -> Vec<Affine3A> {
    let mut pose = Pose::rest(skeleton);
    for (j, local) in pose.local.iter_mut().enumerate() {
        local.rotation = Quat::from_rotation_x(0.15 * wave(frame as f32 * 0.1 + j as f32));
    }
    pose.model_matrices(skeleton)
}

/// A wave without a library: what is compared to the bit must not depend on one.
fn wave(x: f32) -> f32 {
    let x = x.rem_euclid(std::f32::consts::TAU) - std::f32::consts::PI;
    x * (1.0 - x.abs() / std::f32::consts::PI) * (4.0 / std::f32::consts::PI)
}
