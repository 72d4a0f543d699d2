//! From file units and Euler angles to a skeleton in metres and a clip of quaternions.

use super::{Bvh, BvhChannel, BvhJoint};
use fusiform::character::{Channel, Interpolation, Keys, Track};
use fusiform::{Clip, Skeleton, Transform};
use glam::{Quat, Vec3};
use std::collections::HashSet;

/// Metres in the units that files come in: metre, foot, CMU's 1/0.45 inch, inch, centimetre, millimetre.
const UNITS: [f32; 6] = [1.0, 0.3048, 0.0254 / 0.45, 0.0254, 0.01, 0.001];

/// How tall a grown person is, metres; with the arms spread as wide as tall.
const PERSON: f32 = 1.7;

impl Bvh {
    /// The unit that makes this skeleton most nearly as large as a person: metres in one unit of the file.
    #[must_use]
    pub fn guess_unit(&self) -> f32 {
        let (mut low, mut high) = (Vec3::ZERO, Vec3::ZERO);
        let mut places: Vec<Vec3> = Vec::with_capacity(self.joints.len());
        for joint in &self.joints {
            let offset = Vec3::from(joint.offset);
            // A root's offset says where it stood, not how large it is.
            let at = joint.parent.map_or(Vec3::ZERO, |parent| places[parent] + offset);
            for point in [at, at + joint.end_site.map_or(Vec3::ZERO, Vec3::from)] {
                (low, high) = (low.min(point), high.max(point));
            }
            places.push(at);
        }
        let size = (high - low).max_element();
        let misfit = |unit: &f32| if size > 0.0 { libm::logf(size * unit / PERSON).abs() } else { 0.0 };
        UNITS.into_iter().min_by(|a, b| misfit(a).total_cmp(&misfit(b))).unwrap_or(1.0)
    }

    /// The skeleton, every length times `unit` (metres in one unit of the file), and its motion as a clip of that name.
    ///
    /// End sites become joints of their own, named after their parent with `_end`: they say how long the last bones are. A
    /// name that is there twice gets a number.
    #[must_use]
    pub fn skeleton_and_clip(&self, clip_name: &str, unit: f32) -> (Skeleton, Clip) {
        let mut names = Names::default();
        let mut rows: Vec<(String, Option<usize>, Transform)> = Vec::new();
        let mut ends = Vec::new();
        for (index, joint) in self.joints.iter().enumerate() {
            let name = if joint.name.is_empty() { format!("joint {index}") } else { joint.name.clone() };
            rows.push((names.unique(name), joint.parent, Transform::at(Vec3::from(joint.offset) * unit)));
            ends.extend(joint.end_site.map(|end| (index, Vec3::from(end) * unit)));
        }
        for (parent, end) in ends {
            let name = names.unique(format!("{}_end", rows[parent].0));
            rows.push((name, Some(parent), Transform::at(end)));
        }
        let rows: Vec<_> = rows.iter().map(|(name, parent, rest)| (name.as_str(), *parent, *rest)).collect();
        (Skeleton::from_rest(&rows), self.clip(clip_name, unit))
    }

    fn clip(&self, name: &str, unit: f32) -> Clip {
        let times: Vec<f32> =
            (0..self.frame_count()).map(|frame| (frame as f64 * f64::from(self.frame_time)) as f32).collect();
        let mut clip = Clip { name: name.to_owned(), channels: Vec::new() };
        let channels = self.channel_count().max(1);
        let mut first = 0;
        for (index, joint) in self.joints.iter().enumerate() {
            let rows = self.values.chunks_exact(channels).map(|row| &row[first..]);
            let moves = |kind: fn(&BvhChannel) -> bool| joint.channels.iter().any(kind) && !times.is_empty();
            if moves(|channel| matches!(channel, BvhChannel::Position(_))) {
                let values = rows.clone().map(|row| place(joint, row) * unit).collect();
                let track = Track { times: times.clone(), values, interpolation: Interpolation::Linear };
                clip.channels.push(Channel { joint: index, keys: Keys::Translation(track) });
            }
            if moves(|channel| matches!(channel, BvhChannel::Rotation(_))) {
                let values = shortest_way(rows.map(|row| turn(joint, row)));
                let track = Track { times: times.clone(), values, interpolation: Interpolation::Linear };
                clip.channels.push(Channel { joint: index, keys: Keys::Rotation(track) });
            }
            first += joint.channels.len();
        }
        clip
    }
}

/// Where the joint is, file units. A position takes the place of the offset: files with positions on every joint repeat
/// the offset in them.
fn place(joint: &BvhJoint, row: &[f32]) -> Vec3 {
    let mut place = joint.offset;
    for (channel, value) in joint.channels.iter().zip(row) {
        if let BvhChannel::Position(axis) = channel {
            place[usize::from(*axis)] = *value;
        }
    }
    place.into()
}

/// The rotations in the file's order: `Zrotation Yrotation Xrotation` is Z * Y * X.
fn turn(joint: &BvhJoint, row: &[f32]) -> Quat {
    let mut turn = Quat::IDENTITY;
    for (channel, degrees) in joint.channels.iter().zip(row) {
        if let BvhChannel::Rotation(axis) = channel {
            let half = f64::from(*degrees).to_radians() * 0.5;
            let mut xyzw = [0.0, 0.0, 0.0, libm::cos(half) as f32];
            xyzw[usize::from(*axis)] = libm::sin(half) as f32;
            turn *= Quat::from_array(xyzw);
        }
    }
    turn.normalize()
}

/// Of the two quaternions of every rotation the one nearer to that of the frame before.
fn shortest_way(turns: impl Iterator<Item = Quat>) -> Vec<Quat> {
    let mut before = Quat::IDENTITY;
    let nearer = |turn: Quat| {
        before = if before.dot(turn) < 0.0 { -turn } else { turn };
        before
    };
    turns.map(nearer).collect()
}

/// Names that have been given.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    /// The name, or the name with a number that nobody has yet.
    fn unique(&mut self, name: String) -> String {
        let mut free = name.clone();
        // Starting from how many there are keeps a file of equal names from counting up anew for each.
        let mut number = if self.0.contains(&name) { self.0.len() } else { 0 };
        while self.0.contains(&free) {
            number += 1;
            free = format!("{name}_{number}");
        }
        self.0.insert(free.clone());
        free
    }
}
