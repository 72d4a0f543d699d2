//! From the document to what runs: which tables there are, and what each is made from.

use super::batch::{self, Uses};
use super::blend::{self, Bellies, BlendTable, Pull, SkinFollow};
use super::displace::{self, DisplaceTable};
use super::ellipsoid::RestEllipsoid;
use super::hold::HoldTable;
use super::lanes::WHOLE;
use super::muscles::MuscleTable;
use super::shells::{self, ShellTable};
use super::skin::SkinTable;
use super::slide::{self, SlideTable};
use super::surface::{self, SurfaceTable};
use super::wrap::{self, WrapTable};
use super::{Body, LayerTable};
use crate::SparseWeights;
use crate::character::{Character, Mesh};
use crate::musculature::{Layer, Musculature};
use glam::{Vec2, Vec3};

pub(super) fn muscle_table(character: &Character, musculature: &Musculature, height: f32) -> MuscleTable {
    MuscleTable::new(&character.skeleton, &musculature.muscles, &musculature.physique, height)
}

/// Whether skin tables made for one set of muscles serve the other.
pub(super) fn same_shape(a: &MuscleTable, b: &MuscleTable) -> bool {
    a.rest == b.rest && a.origin_joint == b.origin_joint
}

/// Joint weights that sum to one, without zeros, joints ascending.
fn joint_weights(mesh: &Mesh) -> impl Iterator<Item = Vec<(u16, f32)>> + '_ {
    (0..mesh.positions.len()).map(|v| {
        let mut of: Vec<(u16, f32)> = mesh.weights.of(v).filter(|&(_, w)| w > 0.0).collect();
        sum_twins(&mut of);
        let sum: f32 = of.iter().map(|&(_, w)| w).sum();
        of.iter_mut().for_each(|(_, w)| *w /= sum);
        of
    })
}

/// Sort by index, and add up what the same index has.
fn sum_twins(weights: &mut Vec<(u16, f32)>) {
    weights.sort_by_key(|w| w.0);
    weights.dedup_by(|next, kept| {
        next.0 == kept.0 && {
            kept.1 += next.1;
            true
        }
    });
}

/// All that is made from the skin's weights.
pub(super) struct SkinTables {
    pub skin: SkinTable,
    pub layers: Vec<LayerTable>,
    pub hold: HoldTable,
    pub offset_step: f32,
}

/// The skin's and the layers' tables, over one order of vertices that suits them all.
pub(super) fn skin_tables(
    character: &Character,
    musculature: &Musculature,
    (muscles, surfaces): (&MuscleTable, &SurfaceTable),
    slides: &[Vec<slide::Part>],
    height: f32,
) -> SkinTables {
    let positions: Vec<Vec3> = character.meshes.iter().flat_map(|mesh| mesh.positions.iter().copied()).collect();
    let weights: Vec<_> = character.meshes.iter().flat_map(joint_weights).collect();
    let pulls: Vec<Vec<Vec<Pull>>> =
        musculature.layers.iter().map(|layer| layer_pulls(layer, character, musculature, muscles, height)).collect();
    let listened: Vec<Vec<Vec<(u16, f32)>>> =
        musculature.layers.iter().map(|layer| listened_weights(layer, character, musculature)).collect();
    let felt = felt_bones(character, musculature, slides, &positions);
    let first = first_rows(slides);
    let uses: Vec<Uses> = (0..positions.len())
        .map(|v| {
            let mut rings: Vec<u32> = pulls.iter().flat_map(|layer| layer[v].iter().map(|p| p.ring)).collect();
            rings.sort_unstable();
            rings.dedup();
            // skin that wraps reads points of any belly, so it asks for no order
            let streamed =
                listened.iter().zip(&musculature.layers).filter(|(_, layer)| !matches!(layer, Layer::Wrap { .. }));
            let mut muscles: Vec<u16> = streamed.flat_map(|(layer, _)| layer[v].iter().map(|w| w.0)).collect();
            muscles.sort_unstable();
            muscles.dedup();
            let rows = felt.iter().zip(&first).filter(|(of, _)| !of.is_empty());
            let bones = rows.flat_map(|(of, first)| of[v].iter().map(|w| *first as u16 + w.0)).collect();
            Uses { muscles, rings, bones, joints: weights[v].iter().map(|w| w.0).collect() }
        })
        .collect();
    let order = batch::order(&uses);
    let step = blend::offset_step(&pulls);
    let table = |(i, layer): (usize, &Layer)| match *layer {
        Layer::Blend { .. } => Some(LayerTable::Blend(BlendTable::new(&order, &pulls[i], step))),
        Layer::Shells { .. } => Some(LayerTable::Shells(ShellTable::new(&order, layer, &listened[i]))),
        Layer::Displace { fat, along, .. } => {
            let parts = displace_parts(muscles, &positions);
            Some(LayerTable::Displace(DisplaceTable::new(&order, fat, along, &listened[i], parts)))
        }
        Layer::Wrap { shrink, frame, slide, sink, .. } => {
            let bellies = (&*muscles.rest, surfaces);
            let dials = (shrink, frame, [slide, sink]);
            Some(LayerTable::Wrap(WrapTable::new(&order, dials, &positions, &listened[i], bellies)))
        }
        Layer::Slide { max, fat, .. } => {
            Some(LayerTable::Slide(SlideTable::new(&order, &felt[i], slides[i].clone(), first[i], [max, fat])))
        }
        // it moves the whole skin at once, after all others
        Layer::Tissue(_) => None,
    };
    let layers = musculature.layers.iter().enumerate().filter_map(table).collect();
    let followed = |v: usize| {
        let by_muscles = listened.iter().flat_map(|of| &of[v]);
        let by_shells = by_muscles.map(|w| nearest_ring(muscles, positions[v], *w));
        pulls.iter().flat_map(|of| of[v].clone()).chain(by_shells).collect()
    };
    let all: Vec<Vec<Pull>> = (0..positions.len()).map(followed).collect();
    SkinTables {
        skin: SkinTable::new(&order, &positions, &weights),
        layers,
        hold: HoldTable::new(muscles, &all, &weights),
        offset_step: step * f32::from(WHOLE),
    }
}

impl Body {
    /// What every vertex of the character takes from cross-sections of muscles in its layers of blending.
    #[must_use]
    pub fn skin_follows(&self, character: &Character) -> Vec<Vec<SkinFollow>> {
        let mut follows = vec![Vec::new(); character.vertex_count()];
        for layer in &self.musculature.layers {
            let pulls = layer_pulls(layer, character, &self.musculature, &self.muscles, self.height);
            for (follows, pulls) in follows.iter_mut().zip(pulls) {
                follows.extend(pulls.into_iter().map(|pull| {
                    let muscle = self.muscles.ring_start.partition_point(|&start| start <= pull.ring) - 1;
                    let ring = (pull.ring - self.muscles.ring_start[muscle]) as usize;
                    SkinFollow { muscle, ring, offset: pull.offset }
                }));
            }
        }
        follows
    }
}

/// What every vertex takes from the rings in one layer.
fn layer_pulls(
    layer: &Layer,
    character: &Character,
    musculature: &Musculature,
    muscles: &MuscleTable,
    height: f32,
) -> Vec<Vec<Pull>> {
    let &Layer::Blend { nearest } = layer else { return vec![Vec::new(); character.vertex_count()] };
    let bellies = Bellies { bellies: &muscles.rest, ring_start: &muscles.ring_start };
    let mut pulls = Vec::with_capacity(character.vertex_count());
    for (i, mesh) in character.meshes.iter().enumerate() {
        match musculature.weights.get(i) {
            Some(weights) => {
                let skin_weight = musculature.physique.skin_weight;
                pulls.extend(bellies.pulls(&mesh.positions, weights, skin_weight, usize::from(nearest), height));
            }
            None => pulls.resize(pulls.len() + mesh.positions.len(), Vec::new()),
        }
    }
    pulls
}

/// The ring of a muscle that a vertex lies over, as if it followed it: which joints carry the skin there.
fn nearest_ring(muscles: &MuscleTable, at: Vec3, (muscle, share): (u16, f32)) -> Pull {
    let m = usize::from(muscle);
    let away = |i: &usize| muscles.rest[m].rings[*i].center.distance_squared(at);
    let nearest = (0..muscles.rest[m].rings.len()).min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(0);
    Pull { ring: muscles.ring_start[m] + nearest as u32, share, offset: Vec2::ZERO }
}

fn displace_parts<'a>(muscles: &'a MuscleTable, positions: &'a [Vec3]) -> displace::Parts<'a> {
    displace::Parts {
        sections: &muscles.section,
        records: muscles.ellipsoid.iter().map(RestEllipsoid::bind_record).collect(),
        positions,
    }
}

/// The muscles that every vertex listens to in one layer, ascending, and how much; together no more than 1 but for shells,
/// which come one after the other. Blending and bones have their own ways.
fn listened_weights(layer: &Layer, character: &Character, musculature: &Musculature) -> Vec<Vec<(u16, f32)>> {
    let skin_weight = musculature.physique.skin_weight;
    let (muscles, most) = match layer {
        Layer::Blend { .. } | Layer::Slide { .. } | Layer::Tissue(_) => {
            return vec![Vec::new(); character.vertex_count()];
        }
        Layer::Shells { muscles, weight, .. } => {
            return heaviest(muscles, character, musculature, (weight * skin_weight, 1.0), shells::MOST_MUSCLES);
        }
        Layer::Displace { muscles, .. } => (muscles, displace::MOST_MUSCLES),
        Layer::Wrap { muscles, .. } => (muscles, wrap::MOST_MUSCLES),
    };
    let mut weights = heaviest(muscles, character, musculature, (skin_weight, f32::MAX), most);
    for of in &mut weights {
        let sum: f32 = of.iter().map(|w| w.1).sum();
        of.iter_mut().for_each(|w| w.1 /= sum.max(1.0));
    }
    weights
}

/// Of the muscles of those names, at most `most` that weigh most on every vertex, ascending: W times a strength, up to a
/// limit.
fn heaviest(
    names: &[String],
    character: &Character,
    musculature: &Musculature,
    (strength, limit): (f32, f32),
    most: usize,
) -> Vec<Vec<(u16, f32)>> {
    let takes_part: Vec<bool> =
        (0..musculature.muscles.len()).map(|m| surface::takes_part(names, musculature, m)).collect();
    let of_vertex = |weights: &SparseWeights, v: usize| {
        let mut of: Vec<(u16, f32)> = weights.of(v).filter(|w| takes_part[usize::from(w.0)]).collect();
        sum_twins(&mut of);
        of.iter_mut().for_each(|w| w.1 = (w.1 * strength).min(limit));
        of.retain(|w| w.1 > 0.0);
        of.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        of.truncate(most);
        of.sort_by_key(|w| w.0);
        of
    };
    let mut all = Vec::with_capacity(character.vertex_count());
    for (i, mesh) in character.meshes.iter().enumerate() {
        let weights = musculature.weights.get(i);
        all.extend((0..mesh.positions.len()).map(|v| weights.map_or(Vec::new(), |weights| of_vertex(weights, v))));
    }
    all
}

/// Row of the first bone of every layer among those of all layers.
fn first_rows(slides: &[Vec<slide::Part>]) -> Vec<usize> {
    slides.iter().scan(0, |sum, parts| Some(std::mem::replace(sum, *sum + parts.len()))).collect()
}

/// The bones that every vertex feels in each layer, ascending, and how much; nothing for other layers.
fn felt_bones(
    character: &Character,
    musculature: &Musculature,
    slides: &[Vec<slide::Part>],
    positions: &[Vec3],
) -> Vec<Vec<Vec<(u16, f32)>>> {
    if slides.iter().all(Vec::is_empty) && !musculature.layers.iter().any(|l| matches!(l, Layer::Slide { .. })) {
        return vec![Vec::new(); musculature.layers.len()];
    }
    let facing = slide::facing(&character.meshes);
    let of_layer = |(layer, parts): (&Layer, &Vec<slide::Part>)| match layer {
        Layer::Slide { reach, .. } => {
            positions.iter().zip(&facing).map(|(at, facing)| slide::felt(parts, *at, *facing, *reach)).collect()
        }
        _ => Vec::new(),
    };
    musculature.layers.iter().zip(slides).map(of_layer).collect()
}
