//! Where the hips go, so that the feet stand on the ground as they did.

use super::anatomy::Anatomy;
use super::play::Played;
use fusiform::{Pose, Skeleton};
use glam::{Affine3A, Quat, Vec3};

/// A sole is on the ground in at least this share of the frames; lower ones are a capture's noise.
const ON_THE_GROUND: f32 = 0.25;

/// The same where the way leads up or down: what is lower is its beginning or end, not noise.
const FOOT_OF_THE_HILL: f32 = 0.02;

/// Soles this near to the ground stand on it, at first and when its slope is better known; over the length of a leg.
const NEAR: [f32; 3] = [0.1, 0.05, 0.05];

/// Captured floors tilt by a degree or so. A slope beyond this is a hill or a stair, and stays.
const TILTED: f32 = 0.05;

/// Feet that keep within this of one place, over the length of a leg, tell no slope.
const ONE_PLACE: f32 = 0.3;

/// What proportions do to the height of the feet is smoothed over so many seconds to either side: the foot that is
/// lowest changes from one frame to the next, the hips must not.
const SMOOTHED: f32 = 0.05;

/// The target's hips in its parent's space, one per frame.
///
/// Over the ground the middle between the hip joints travels as the source's does, to scale, from where the target stands.
/// In height the lowest sole is as far above the target's ground as it was above the source's, to scale, and never below.
pub(super) fn place_hips(
    played: &Played,
    from: &Anatomy,
    skeleton: &Skeleton,
    to: &Anatomy,
    turned: &[Quat],
    scale: f32,
    fps: f32,
) -> Vec<Vec3> {
    // Both bodies seen along (left, up, front), in the target's metres.
    let (from_model, to_model) = (from.body.inverse(), to.body.inverse());
    let mut wanted: Vec<Vec3> = Vec::with_capacity(played.frames());
    let mut soles: Vec<Vec3> = Vec::with_capacity(played.frames());
    for frame in 0..played.frames() {
        let [left, right] = from.thighs.map(|thigh| played.place(frame, thigh));
        wanted.push(from_model * (0.5 * scale * (left + right)));
        soles.push(lowest(from, played.matrices(frame)) * scale);
    }
    let source_ground = Ground::under(&soles, to.leg);

    let mut pose = Pose::rest(skeleton);
    let mut model = pose.model_matrices(skeleton);
    let target_ground = lowest(to, &model).y;
    let stands = to_model * (0.5 * (to.place[to.thighs[0]] + to.place[to.thighs[1]]));
    let start = wanted.first().map_or(Vec3::ZERO, |&first| (stands - first).with_y(0.0));
    let into_parent = skeleton.joints[to.hips].parent.map_or(Affine3A::IDENTITY, |parent| model[parent].inverse());

    let mut hips: Vec<Vec3> = Vec::with_capacity(wanted.len());
    let mut lift: Vec<f32> = Vec::with_capacity(wanted.len());
    for (frame, turns) in turned.chunks_exact(skeleton.joints.len()).enumerate() {
        for (local, &turn) in pose.local.iter_mut().zip(turns) {
            local.rotation = turn;
        }
        pose.to_model(skeleton, &mut model);
        let middle = 0.5 * Vec3::from(model[to.thighs[0]].translation + model[to.thighs[1]].translation);
        let shift = wanted[frame] + start - to_model * middle;
        let above = source_ground.height_of(soles[frame]).max(0.0);
        hips.push(Vec3::from(model[to.hips].translation) + to.body * shift);
        lift.push(target_ground + above - (lowest(to, &model).y + shift.y));
    }
    let lift = smoothed(&lift, (SMOOTHED * fps).round() as usize);
    hips.iter().zip(lift).map(|(&at, lift)| into_parent.transform_point3(at + to.up() * lift)).collect()
}

/// The lowest point of both soles, along (left, up, front).
fn lowest(body: &Anatomy, model: &[Affine3A]) -> Vec3 {
    let along_body = body.body.inverse();
    let points = body.soles.iter().map(|&(joint, point)| along_body * model[joint].transform_point3(point));
    points.min_by(|a, b| a.y.total_cmp(&b.y)).unwrap_or(Vec3::ZERO)
}

/// A floor: y = height + slope . (x, z).
pub(super) struct Ground {
    height: f32,
    slope: [f32; 2],
}

impl Ground {
    /// The floor under the lowest soles of all frames, level or nearly so.
    pub(super) fn under(soles: &[Vec3], leg: f32) -> Self {
        let level = |slope: [f32; 2], part: f32| Self { height: share(soles, slope, part), slope };
        let is_hill = |slope: [f32; 2]| slope[0].hypot(slope[1]) > TILTED;
        if is_hill(slope(soles.iter().copied(), leg)) {
            return level([0.0; 2], FOOT_OF_THE_HILL);
        }
        let mut ground = level([0.0; 2], ON_THE_GROUND);
        for near in NEAR {
            let standing = soles.iter().copied().filter(|&sole| ground.height_of(sole).abs() < near * leg);
            ground = level(slope(standing, leg), ON_THE_GROUND);
        }
        if is_hill(ground.slope) { level([0.0; 2], ON_THE_GROUND) } else { ground }
    }

    pub(super) fn height_of(&self, point: Vec3) -> f32 {
        point.y - self.height - self.slope[0] * point.x - self.slope[1] * point.z
    }
}

/// Least squares slope of a plane through the points. Damped: with all points in one place there is none.
fn slope(points: impl Iterator<Item = Vec3> + Clone, leg: f32) -> [f32; 2] {
    let n = points.clone().count().max(1) as f32;
    let mean = points.clone().sum::<Vec3>() / n;
    let damping = (ONE_PLACE * leg) * (ONE_PLACE * leg);
    let (mut xx, mut xz, mut zz, mut xy, mut zy) = (damping, 0.0, damping, 0.0, 0.0);
    for d in points.map(|point| point - mean) {
        xx += d.x * d.x / n;
        xz += d.x * d.z / n;
        zz += d.z * d.z / n;
        xy += d.x * d.y / n;
        zy += d.z * d.y / n;
    }
    let det = xx * zz - xz * xz;
    if det > 0.0 { [(xy * zz - zy * xz) / det, (zy * xx - xy * xz) / det] } else { [0.0; 2] }
}

/// The height at the origin that this part of the soles lie below, seen along the slope.
fn share(soles: &[Vec3], slope: [f32; 2], part: f32) -> f32 {
    let through_origin = Ground { height: 0.0, slope };
    let mut sorted: Vec<f32> = soles.iter().map(|&sole| through_origin.height_of(sole)).collect();
    sorted.sort_by(f32::total_cmp);
    sorted.get((sorted.len() as f32 * part) as usize).copied().unwrap_or(0.0)
}

/// Two running means, each over `radius` values to either side: together a triangle.
fn smoothed(values: &[f32], radius: usize) -> Vec<f32> {
    let mean = |values: &[f32]| -> Vec<f32> {
        let around = |i: usize| &values[i.saturating_sub(radius)..(i + radius + 1).min(values.len())];
        (0..values.len()).map(|i| around(i).iter().sum::<f32>() / around(i).len() as f32).collect()
    };
    mean(&mean(values))
}
