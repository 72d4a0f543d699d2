//! What muscles do to the athlete's skin over all five clips, beside plain skinning: they swell, and tear nothing.

use fusiform::{Body, BodyState, Character, Clip, Detail, Musculature, Pose, StepInput};
use fusiform_athlete::{Athlete, athlete};
use glam::{Affine3A, DVec3, Mat3A, Vec3, Vec3A};
use std::collections::HashMap;
use std::sync::LazyLock;
use std::thread;

/// Vertices of the athlete that is measured.
const VERTICES: usize = 6_000;
/// Frames per second that are played, and how many of them go by between two that are measured.
const FPS: f32 = 60.0;
const EVERY: usize = 6;

/// Girths that are taken: bone, the next joint, how far along, and where a muscle of the group shows.
const GIRTHS: [(&str, &str, &str, f32); 3] = [
    ("biceps", "upper_arm", "lower_arm", 0.58),
    ("quads", "upper_leg", "lower_leg", 0.50),
    ("calf", "lower_leg", "foot", 0.27),
];

/// The worst of one clip, or the most.
#[derive(Clone, Debug, Default)]
struct Measured {
    clip: String,
    /// Most triangles at once whose normal points against where their joints carry it: plain, muscled.
    flipped: [usize; 2],
    /// Most flipped triangles more than plain skinning has at the same moment.
    flipped_more: usize,
    /// Mean over the clip of how far the volume is from that at bind, as a share: plain, muscled.
    volume: [f64; 2],
    /// Largest and mean distance of a vertex from plain skinning, metres.
    largest: f32,
    mean: f32,
    /// Where the largest is: seconds and the vertex at bind.
    at: (f32, Vec3),
    /// Largest growth over plain of each of [`GIRTHS`], as a share; left and right together.
    growth: [f32; GIRTHS.len()],
    /// How far the point of a belly that stands out most does so, metres, and whose it is.
    out: f32,
    of: String,
}

static MEASURED: LazyLock<Vec<Measured>> = LazyLock::new(|| {
    let athlete = athlete(VERTICES).expect("the range is allowed");
    let measured: Vec<Measured> = thread::scope(|scope| {
        let clips = athlete.character.clips.iter();
        let threads: Vec<_> = clips.map(|clip| scope.spawn(|| measure(&athlete, clip))).collect();
        threads.into_iter().map(|thread| thread.join().expect("it was measured")).collect()
    });
    for m in &measured {
        let girths = GIRTHS.iter().zip(m.growth).map(|(girth, growth)| format!("{} {:+.1} %", girth.0, 100.0 * growth));
        println!(
            "{:13} flipped {:?} ({} more), volume off {:.2} and {:.2} %, difference {:.1} mm at {:.2} s {:.2}, mean {:.2} mm; {}; {:.1} mm out: {}",
            m.clip,
            m.flipped,
            m.flipped_more,
            100.0 * m.volume[0],
            100.0 * m.volume[1],
            1e3 * m.largest,
            m.at.0,
            m.at.1,
            1e3 * m.mean,
            girths.collect::<Vec<_>>().join(", "),
            1e3 * m.out,
            m.of,
        );
    }
    measured
});

/// Play a clip with muscles and without, and measure.
fn measure(athlete: &Athlete, clip: &Clip) -> Measured {
    let Athlete { character, musculature } = athlete;
    let [with, without] =
        [musculature, &Musculature::plain()].map(|m| Body::bind(character, m).expect("the athlete is sound"));
    let (mut muscled, mut plain) = (BodyState::new(&with), BodyState::new(&without));
    let mesh = &character.meshes[0];
    let at_bind = volume(&mesh.positions, &mesh.triangles);
    let mut measured = Measured { clip: clip.name.clone(), ..Measured::default() };
    let mut pose = Pose::rest(&character.skeleton);
    let frames = (clip.duration() * FPS) as usize;
    for frame in 0..=frames {
        let time = frame as f32 / FPS;
        clip.sample(time, &mut pose);
        let matrices = pose.model_matrices(&character.skeleton);
        let wanted = frame % EVERY == 0;
        let mut input = StepInput::new(&matrices, 1.0 / FPS);
        input.teleport = frame == 0;
        input.detail = if wanted { Detail::default() } else { Detail::MUSCLES };
        with.step(&mut muscled, &input);
        if !wanted {
            continue;
        }
        without.step(&mut plain, &input);
        let skins = [plain.positions(), muscled.positions()];

        let [a, b] = flipped(character, &matrices, skins);
        measured.flipped = [measured.flipped[0].max(a), measured.flipped[1].max(b)];
        measured.flipped_more = measured.flipped_more.max(b.saturating_sub(a));
        let samples = (frames / EVERY + 1) as f32;
        for (sum, skin) in measured.volume.iter_mut().zip(skins) {
            *sum += (volume(skin, &mesh.triangles) / at_bind - 1.0).abs() / f64::from(samples);
        }
        for v in 0..mesh.positions.len() {
            let distance = skins[0][v].distance(skins[1][v]);
            measured.mean += distance / (samples * mesh.positions.len() as f32);
            if distance > measured.largest {
                (measured.largest, measured.at) = (distance, (time, mesh.positions[v]));
            }
        }
        for (growth, (_, bone, next, along)) in measured.growth.iter_mut().zip(GIRTHS) {
            let [a, b] = skins.map(|skin| girth(character, &matrices, skin, (bone, next, along)));
            *growth = growth.max(b / a - 1.0);
        }
        standing_out(musculature, &with, &muscled, &mut measured);
    }
    measured
}

fn corners<T: Copy>(values: &[T], triangle: [u32; 3]) -> [T; 3] {
    triangle.map(|v| values[v as usize])
}

fn volume(positions: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let six = |&triangle: &[u32; 3]| -> f64 {
        let [a, b, c] = corners(positions, triangle).map(|p: Vec3| DVec3::from(p));
        a.dot(b.cross(c))
    };
    triangles.iter().map(six).sum::<f64>() / 6.0
}

/// Triangles of each skin whose normal points against where the joints of their corners carry it.
fn flipped(character: &Character, pose: &[Affine3A], skins: [&[Vec3]; 2]) -> [usize; 2] {
    let mesh = &character.meshes[0];
    let joints = character.skeleton.joints.iter().zip(pose);
    let turns: Vec<Mat3A> = joints.map(|(joint, now)| (*now * joint.bind.inverse()).matrix3).collect();
    let turn_of = |v| mesh.weights.of(v).fold(Mat3A::ZERO, |sum, (j, weight)| sum + turns[usize::from(j)] * weight);
    let vertices: Vec<Mat3A> = (0..mesh.positions.len()).map(turn_of).collect();
    let normal = |positions: &[Vec3], triangle| -> Vec3A {
        let [a, b, c] = corners(positions, triangle);
        (b - a).cross(c - a).into()
    };
    let mut counts = [0; 2];
    for &triangle in &mesh.triangles {
        let turn = corners(&vertices, triangle).into_iter().fold(Mat3A::ZERO, |sum, turn| sum + turn);
        let expected = turn * normal(&mesh.positions, triangle);
        for (count, skin) in counts.iter_mut().zip(skins) {
            *count += usize::from(normal(skin, triangle).dot(expected) < 0.0);
        }
    }
    counts
}

/// Length of the cut across a bone through the skin that is mostly its own; left and right together, metres.
fn girth(character: &Character, pose: &[Affine3A], skin: &[Vec3], (bone, next, along): (&str, &str, f32)) -> f32 {
    let mesh = &character.meshes[0];
    let side = |side: &str| {
        let [from, to] = [bone, next].map(|name| character.skeleton.find(&format!("{name}.{side}")).expect(name));
        let [a, b] = [from, to].map(|joint| Vec3::from(pose[joint].translation));
        let own = |v: u32| mesh.weights.of(v as usize).any(|(j, weight)| usize::from(j) == from && weight > 0.5);
        let (point, normal) = (a.lerp(b, along), (b - a).normalize());
        let height = |p: Vec3| (p - point).dot(normal);
        let cut = |&triangle: &[u32; 3]| {
            let [a, b, c] = corners(skin, triangle);
            let ends: Vec<Vec3> = [(a, b), (b, c), (c, a)]
                .into_iter()
                .filter(|&(p, q)| (height(p) < 0.0) != (height(q) < 0.0))
                .map(|(p, q)| p.lerp(q, height(p) / (height(p) - height(q))))
                .collect();
            if let [p, q] = ends[..] { p.distance(q) } else { 0.0 }
        };
        mesh.triangles.iter().filter(|t| t.iter().all(|&v| own(v))).map(cut).sum::<f32>()
    };
    side("l") + side("r")
}

/// How far the bellies stand out: the point outside the skin that is highest over the plane of the skin's nearest vertex.
fn standing_out(musculature: &Musculature, body: &Body, state: &BodyState, measured: &mut Measured) {
    let cell = |p: Vec3| (p / 0.03).floor().as_ivec3();
    let mut cells: HashMap<glam::IVec3, Vec<u32>> = HashMap::new();
    state.positions().iter().enumerate().for_each(|(v, &p)| cells.entry(cell(p)).or_default().push(v as u32));
    let around: Vec<glam::IVec3> = (0..27).map(|i| glam::IVec3::new(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1)).collect();
    for (m, muscle) in musculature.muscles.iter().enumerate() {
        let mut points = vec![Vec3::ZERO; body.belly_size(m)];
        state.belly_points(body, m, &mut points);
        for &p in &points {
            let near = around.iter().filter_map(|&step| cells.get(&(cell(p) + step))).flatten();
            let away = |v: &u32| state.positions()[*v as usize].distance_squared(p);
            let Some(&nearest) = near.min_by(|a, b| away(a).total_cmp(&away(b))) else { continue };
            let height = (p - state.positions()[nearest as usize]).dot(state.normals()[nearest as usize]);
            if height > measured.out && !inside(body.triangles(), state.positions(), p) {
                (measured.out, measured.of) = (height, muscle.name.clone());
            }
        }
    }
}

/// Whether the skin winds around a point, by the solid angles of its triangles.
fn inside(triangles: &[[u32; 3]], skin: &[Vec3], p: Vec3) -> bool {
    let angle = |&triangle: &[u32; 3]| {
        let [a, b, c] = corners(skin, triangle).map(|corner| corner - p);
        let [x, y, z] = [a, b, c].map(Vec3::length);
        a.dot(b.cross(c)).atan2(x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y)
    };
    triangles.iter().map(angle).sum::<f32>() > std::f32::consts::PI
}

#[test]
fn muscles_turn_no_more_triangles_inside_out_than_plain_skinning() {
    // Elbows, armpits and groins fold either way; one triangle in a thousand may fold more.
    let slack = 12;
    for m in &*MEASURED {
        assert!(m.flipped[1] <= m.flipped[0] + slack, "{}: {:?}", m.clip, m.flipped);
    }
}

#[test]
fn muscles_keep_the_volume_better_than_plain_skinning_in_most_clips() {
    let better = MEASURED.iter().filter(|m| m.volume[1] < m.volume[0]).count();
    assert!(better >= 4, "{better} of {}", MEASURED.len());
}

#[test]
fn the_skin_stays_near_plain_skinning() {
    for m in &*MEASURED {
        assert!(m.largest < 0.060, "{}: {} m at {:?}", m.clip, m.largest, m.at);
        assert!((1e-4..3e-3).contains(&m.mean), "{}: {} m on average", m.clip, m.mean);
    }
}

#[test]
fn what_shortens_swells() {
    let growth = |clip: &str| MEASURED.iter().find(|m| m.clip == clip).expect(clip).growth;
    for (clip, girth, from, to) in
        [("curl", 0, 0.05, 0.20), ("flex", 0, 0.05, 0.20), ("jump_landing", 2, 0.03, 0.15), ("combo", 1, 0.01, 0.10)]
    {
        let grown = growth(clip)[girth];
        assert!((from..to).contains(&grown), "{clip}: {} grows by {grown}", GIRTHS[girth].0);
    }
}

#[test]
fn bellies_stay_near_the_skin() {
    for m in &*MEASURED {
        assert!(m.out < 0.030, "{}: {} stands {} m out", m.clip, m.of, m.out);
    }
}
