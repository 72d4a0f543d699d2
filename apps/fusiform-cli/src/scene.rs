//! From a character in motion to surfaces that can be drawn.

use crate::bones;
use crate::play::Player;
use fusiform::BodyState;
use fusiform::body::{MuscleRecord, belly_triangles};
use fusiform_fit::{regions, sort_meshes};
use fusiform_picture::{Surface, color, smooth_normals};
use glam::Vec3;

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Show {
    /// The skin as clay
    Skin,
    /// The muscles without skin
    Muscles,
    /// The muscles under a translucent skin
    Both,
    /// How much the muscles weigh on the skin, as a heat map
    Weights,
    /// The muscles, coloured by how contracted they are
    Tension,
    /// How far the skin has slid along the muscle that weighs most on it, as a heat map
    Sliding,
    /// The skin of each bone in its own colour
    Regions,
    /// The ellipsoids of the muscles at rest, under a translucent skin
    Ellipsoids,
    /// The bones that skin slides over, and the muscles between them, under a translucent skin
    Bones,
}

/// A muscle this much shorter than at rest is coloured as fully contracted.
const FULL_SHORTENING: f32 = 0.3;
/// Skin that has slid this far, m, along its muscle has the last colour.
const FULL_SLIDE: f32 = 0.03;
/// Share of the belly at each end that is coloured as tendon.
const TENDON_SHARE: f32 = 0.22;

impl Show {
    /// What its colours mean: the map, the values at its ends, their unit.
    pub fn legend(self) -> Option<Legend> {
        match self {
            Self::Weights => Some(Legend { map: color::heat, max: 1.0, unit: "weight" }),
            Self::Tension => Some(Legend { map: color::tension, max: 1.0, unit: "" }),
            Self::Sliding => Some(Legend { map: color::heat, max: FULL_SLIDE * 1000.0, unit: "mm" }),
            Self::Skin | Self::Muscles | Self::Both | Self::Regions | Self::Ellipsoids | Self::Bones => None,
        }
    }

    /// The surfaces of the muscled body where the player is; `muscles` are those whose weights are shown.
    pub fn surfaces(self, player: &Player, muscles: &[usize]) -> Vec<Surface> {
        match self {
            Self::Skin => vec![skin(player)],
            Self::Muscles => flesh(player).map_or(Vec::new(), |flesh| on_bones(player, flesh)),
            Self::Both => {
                let flesh = flesh(player).map_or(Vec::new(), |flesh| on_bones(player, flesh));
                [skin(player).translucent(0.28)].into_iter().chain(flesh).collect()
            }
            Self::Weights => vec![colored(skin(player), &weights(player, muscles), 1.0)],
            Self::Tension => tense(player).map_or(Vec::new(), |flesh| on_bones(player, flesh)),
            Self::Sliding => vec![colored(skin(player), &slid(player), FULL_SLIDE)],
            Self::Regions => vec![region_skin(player)],
            Self::Ellipsoids => {
                let veil = skin(player).translucent(0.28);
                ellipsoids(player).map_or(Vec::new(), |ellipsoids| vec![veil, ellipsoids])
            }
            Self::Bones => {
                let (character, pose) = (player.character(), player.model_from_joint());
                let bones = bones::under_skin(&player.subject.musculature, &character.skeleton, pose);
                let with = |bones| [Some(skin(player).translucent(0.28)), Some(bones), flesh(player)];
                bones.map_or(Vec::new(), |bones| with(bones).into_iter().flatten().collect())
            }
        }
    }
}

/// What colours mean.
#[derive(Clone, Copy, Debug)]
pub struct Legend {
    /// From 0..1 to linear RGB.
    pub map: fn(f32) -> [f32; 3],
    /// The value of the last colour; the first is 0.
    pub max: f32,
    /// Written after it.
    pub unit: &'static str,
}

/// Muscles and what they hang on.
fn on_bones(player: &Player, flesh: Surface) -> Vec<Surface> {
    let bones = bones::surface(player.character(), player.model_from_joint());
    [Some(flesh), bones].into_iter().flatten().collect()
}

/// The skin by plain skinning.
pub fn plain_skin(player: &Player) -> Surface {
    let (body, _) = player.muscled();
    surface("skin", player.plain().positions(), player.plain().normals(), body.triangles())
}

/// The muscled skin, coloured by its distance from plain skinning, up to `scale` metres.
pub fn difference(player: &Player, scale: f32) -> Surface {
    colored(skin(player), &player.difference(), scale)
}

fn skin(player: &Player) -> Surface {
    let (positions, normals) = player.skin();
    surface("skin", positions, normals, player.muscled().0.triangles())
}

fn surface(name: &str, positions: &[Vec3], normals: &[Vec3], triangles: &[[u32; 3]]) -> Surface {
    Surface {
        name: name.into(),
        positions: positions.to_vec(),
        normals: normals.to_vec(),
        triangles: triangles.to_vec(),
        colors: vec![color::SKIN],
        opacity: 1.0,
        gloss: 0.0,
        cut: None,
    }
}

fn colored(mut surface: Surface, values: &[f32], scale: f32) -> Surface {
    surface.colors = values.iter().map(|value| color::heat(value / scale)).collect();
    surface
}

/// Sum of the weights of these muscles on every vertex.
fn weights(player: &Player, muscles: &[usize]) -> Vec<f32> {
    let mut chosen = vec![false; player.subject.musculature.muscles.len()];
    muscles.iter().for_each(|&m| chosen[m] = true);
    let mut weights = Vec::new();
    for (i, mesh) in player.character().meshes.iter().enumerate() {
        let of_mesh = player.subject.musculature.weights.get(i);
        weights.extend((0..mesh.positions.len()).map(|v| {
            let of = |weights: &fusiform::SparseWeights| {
                weights.of(v).filter(|&(m, _)| chosen[usize::from(m)]).map(|(_, w)| w).sum()
            };
            of_mesh.map_or(0.0, of)
        }));
    }
    weights
}

/// How far every vertex has slid along the belly that weighs most on it since bind, m; 0 where none does.
fn slid(player: &Player) -> Vec<f32> {
    let (body, state) = player.muscled();
    let rest = BodyState::new(body);
    let records: Vec<_> = (0..body.n_muscle()).map(|m| [rest.record(body, m), state.record(body, m)]).collect();
    let along = |record: &MuscleRecord, p: Vec3| {
        (p - record.start).dot(record.chord) / record.chord.length_squared().max(1e-12)
    };
    let (mut slid, mut first) = (Vec::new(), 0);
    for (i, mesh) in player.character().meshes.iter().enumerate() {
        let weights = player.subject.musculature.weights.get(i);
        slid.extend((0..mesh.positions.len()).map(|v| {
            let heaviest = weights.and_then(|of| of.of(v).max_by(|a, b| a.1.total_cmp(&b.1)));
            heaviest.filter(|of| of.1 > 0.0).map_or(0.0, |(m, weight)| {
                let [then, now] = &records[usize::from(m)];
                let from = along(then, rest.positions()[first + v]);
                let to = along(now, player.skin().0[first + v]);
                // beyond its ends there is nothing to slide on
                let on_it = (0.0..=1.0).contains(&from) && (0.0..=1.0).contains(&to);
                if on_it { (to - from).abs() * now.chord.length() * weight.min(1.0) } else { 0.0 }
            })
        }));
        first += mesh.positions.len();
    }
    slid
}

/// The skin, each triangle in the colour of the bone that most of its corners belong to; clay off the body.
fn region_skin(player: &Player) -> Surface {
    let (_, of_mesh) = regions(player.character(), &sort_meshes(player.character()));
    let of_vertex: Vec<Option<usize>> = of_mesh.into_iter().flatten().collect();
    let whole = skin(player);
    let corners: Vec<usize> = whole.triangles.iter().flatten().map(|&corner| corner as usize).collect();
    let color_of = |[a, b, c]: [usize; 3]| {
        let [a, b, c] = [of_vertex[a], of_vertex[b], of_vertex[c]];
        (if b == c { b } else { a }).map_or(color::SKIN, color::distinct)
    };
    // Corners are split, or colours would run into each other.
    Surface {
        positions: corners.iter().map(|&corner| whole.positions[corner]).collect(),
        normals: corners.iter().map(|&corner| whole.normals[corner]).collect(),
        triangles: (0..whole.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect(),
        colors: corners.chunks_exact(3).flat_map(|t| [color_of([t[0], t[1], t[2]]); 3]).collect(),
        ..whole
    }
}

/// E of every muscle where its bone has it now, each in its own colour; nothing without a muscle.
fn ellipsoids(player: &Player) -> Option<Surface> {
    let (body, state) = player.muscled();
    let (mut positions, mut triangles, mut colors) = (Vec::new(), Vec::new(), Vec::new());
    let sphere = unit_sphere();
    for m in 0..body.n_muscle() {
        let ellipsoid = state.carried_ellipsoid(body, m);
        let first = positions.len() as u32;
        positions.extend(sphere.iter().map(|&p| ellipsoid.transform_point3(p)));
        triangles.extend(belly_triangles(SPHERE[0], SPHERE[1]).into_iter().map(|t| t.map(|i| i + first)));
        colors.extend(sphere.iter().map(|_| color::distinct(m)));
    }
    let normals = smooth_normals(&positions, &triangles);
    let surface = Surface { colors, gloss: 0.35, ..surface("ellipsoids", &positions, &normals, &triangles) };
    (!surface.triangles.is_empty()).then_some(surface)
}

/// Rings and sectors of a drawn ellipsoid.
const SPHERE: [usize; 2] = [17, 24];

/// Points of the unit sphere, ring by ring along x.
fn unit_sphere() -> Vec<Vec3> {
    let point = |i: usize| {
        let polar = std::f32::consts::PI * (i / SPHERE[1]) as f32 / (SPHERE[0] - 1) as f32;
        let around = std::f32::consts::TAU * (i % SPHERE[1]) as f32 / SPHERE[1] as f32;
        Vec3::new(-polar.cos(), polar.sin() * around.cos(), polar.sin() * around.sin())
    };
    (0..SPHERE[0] * SPHERE[1]).map(point).collect()
}

/// All bellies as one surface of muscle with tendons at its ends; nothing without a muscle.
fn flesh(player: &Player) -> Option<Surface> {
    let tendon = |s: f32| {
        let t = (1.0 - s.min(1.0 - s) / TENDON_SHARE).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    };
    bellies(player, 0.75, |_, s| {
        let (muscle, ends) = (Vec3::from(color::MUSCLE), Vec3::from(color::TENDON));
        muscle.lerp(ends, 0.75 * tendon(s)).into()
    })
}

/// All bellies, coloured by contraction.
fn tense(player: &Player) -> Option<Surface> {
    let contracted = contraction(player);
    bellies(player, 0.35, |m, _| color::tension(contracted[m]))
}

/// How contracted every muscle is: 0 relaxed at its rest length or longer, 1 fully active or [`FULL_SHORTENING`]. Where
/// activation is keyed to the clip, as `drive` does, it alone tells.
fn contraction(player: &Player) -> Vec<f32> {
    let (body, state) = player.muscled();
    if player.is_keyed() {
        return state.activations().to_vec();
    }
    let of = |m: usize| {
        let shortening = 1.0 - state.lengths()[m] / body.rest_lengths()[m];
        (shortening / FULL_SHORTENING).clamp(0.0, 1.0).max(state.activations()[m])
    };
    (0..body.n_muscle()).map(of).collect()
}

/// All bellies as one surface; `paint` gets the muscle and the share of its length from origin to insertion.
fn bellies(player: &Player, gloss: f32, paint: impl Fn(usize, f32) -> [f32; 3]) -> Option<Surface> {
    let (body, state) = player.muscled();
    let (mut positions, mut triangles, mut colors) = (Vec::new(), Vec::new(), Vec::new());
    for (m, muscle) in player.subject.musculature.muscles.iter().enumerate() {
        let (rings, sectors) = (usize::from(muscle.rings), usize::from(muscle.sectors));
        let first = positions.len();
        positions.resize(first + body.belly_size(m), Vec3::ZERO);
        state.belly_points(body, m, &mut positions[first..]);
        triangles.extend(belly_triangles(rings, sectors).into_iter().map(|t| t.map(|i| i + first as u32)));
        colors.extend((0..rings * sectors).map(|i| paint(m, (i / sectors) as f32 / (rings - 1) as f32)));
    }
    let normals = smooth_normals(&positions, &triangles);
    let surface = Surface { colors, gloss, ..surface("muscles", &positions, &normals, &triangles) };
    (!surface.triangles.is_empty()).then_some(surface)
}
