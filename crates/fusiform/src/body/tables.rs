//! From the document to what runs: which tables there are, and what each is made from.

use super::blend::{self, BlendTable, Pull, SkinFollow};
use super::displace::{self, DisplaceTable};
use super::ellipsoid::RestEllipsoid;
use super::hold::HoldTable;
use super::lanes::{LANES, WHOLE};
use super::muscles::MuscleTable;
use super::sewn::{Seam, Sewing, Sewn};
use super::shells::ShellTable;
use super::skin::SkinTable;
use super::slide::{self, SlideTable};
use super::surface::SurfaceTable;
use super::wrap::WrapTable;
use super::{Body, LayerTable};
use crate::character::Character;
use crate::musculature::{Layer, Musculature};
use glam::{Vec2, Vec3};

pub(super) fn muscle_table(character: &Character, musculature: &Musculature, height: f32) -> MuscleTable {
    MuscleTable::new(&character.skeleton, &musculature.muscles, &musculature.physique, height)
}

/// Whether muscles are the same by name, and in the same order: layers ask for them by name.
pub(super) fn same_names(a: &Musculature, b: &Musculature) -> bool {
    a.muscles.iter().map(|muscle| &muscle.name).eq(b.muscles.iter().map(|muscle| &muscle.name))
}

/// Which muscles the skin's tables cannot be shared of; none where the two are not even alike in number, names and rings.
pub(super) fn reshaped(
    (before, old): (&Musculature, &MuscleTable),
    (after, new): (&Musculature, &MuscleTable),
) -> Option<Vec<bool>> {
    let alike = old.ring_start == new.ring_start && same_names(before, after);
    let differs = |m: usize| {
        old.rest[m] != new.rest[m]
            || old.origin_joint[m] != new.origin_joint[m]
            || old.ellipsoid[m] != new.ellipsoid[m]
            || old.section[m] != new.section[m]
    };
    alike.then(|| (0..new.len()).map(differs).collect())
}

/// All that is made from the skin's weights.
pub(super) struct SkinTables {
    pub sewn: Sewn,
    pub skin: SkinTable,
    pub layers: Vec<LayerTable>,
    pub hold: HoldTable,
    pub offset_step: f32,
}

/// What there was before an edit, and which vertices it touches.
pub(super) struct Before<'a> {
    pub sewn: &'a Sewn,
    pub skin: &'a SkinTable,
    pub layers: &'a [LayerTable],
    pub offset_step: f32,
    pub touched: Vec<bool>,
}

/// The skin's and the layers' tables, over one order of vertices that suits them all; what an edit does not touch is
/// taken over from before.
pub(super) fn skin_tables(
    (character, musculature): (&Character, &Musculature),
    sewing: &Sewing,
    bellies: (&MuscleTable, &SurfaceTable),
    slides: &[Vec<slide::Part>],
    before: Option<Before>,
) -> SkinTables {
    let positions: Vec<Vec3> = character.meshes.iter().flat_map(|mesh| mesh.positions.iter().copied()).collect();
    let (sewn, anew) = match &before {
        Some(before) => sewing.again(before.sewn, &before.touched),
        None => {
            let sewn = sewing.all();
            let n_window = sewn.n_window();
            (sewn, vec![true; n_window])
        }
    };
    let everywhere = vec![true; anew.len()];
    let step = blend::offset_step(sewn.largest_offset());
    let offset_step = step * f32::from(WHOLE);
    let order = sewn.order(&anew);
    let seam = Seam::new(&anew, positions.len().div_ceil(LANES));
    let table = |(i, layer): (usize, &Layer)| {
        let old = before.as_ref().and_then(|before| before.layers.get(i));
        // all of them count in one step, all displacement in another
        let same_step = before.as_ref().is_some_and(|before| before.offset_step == offset_step);
        let shares = !matches!(layer, Layer::Blend { .. }) || same_step;
        match old.filter(|_| shares && !matches!(layer, Layer::Displace { .. })) {
            Some(old) => {
                let made = layer_table((i, layer), &order, (sewing, &sewn), &positions, bellies, slides, step)?;
                Some(old.patched(made, &seam))
            }
            None => {
                let order = sewn.order(&everywhere);
                layer_table((i, layer), &order, (sewing, &sewn), &positions, bellies, slides, step)
            }
        }
    };
    let layers = musculature.layers.iter().enumerate().filter_map(table).collect();
    let skin = SkinTable::new(&order, &positions, |v| sewn.joints(v as usize));
    let skin = match &before {
        Some(before) => before.skin.patched(&skin, &seam),
        None => skin,
    };
    let hold = hold_table(bellies.0, &sewn, musculature.layers.len(), &positions);
    SkinTables { skin, layers, hold, offset_step, sewn }
}

fn layer_table(
    (i, layer): (usize, &Layer),
    order: &[u32],
    (sewing, sewn): (&Sewing, &Sewn),
    positions: &[Vec3],
    (muscles, surfaces): (&MuscleTable, &SurfaceTable),
    slides: &[Vec<slide::Part>],
    step: f32,
) -> Option<LayerTable> {
    let listened = |v: u32| sewn.listened(i, v as usize);
    Some(match *layer {
        Layer::Blend { .. } => LayerTable::Blend(BlendTable::new(order, |v| sewn.pulls(i, v as usize), step)),
        Layer::Shells { .. } => LayerTable::Shells(ShellTable::new(order, layer, listened)),
        Layer::Displace { fat, along, .. } => {
            let parts = displace_parts(muscles, positions);
            LayerTable::Displace(DisplaceTable::new(order, (fat, along), listened, parts))
        }
        Layer::Wrap { shrink, frame, slide, sink, .. } => {
            let bellies = (&*muscles.rest, surfaces);
            let dials = (shrink, frame, [slide, sink]);
            LayerTable::Wrap(WrapTable::new(order, dials, positions, listened, bellies))
        }
        Layer::Slide { max, fat, .. } => {
            let felt = |v: u32| sewn.felt(i, v as usize);
            LayerTable::Slide(SlideTable::new(order, felt, slides[i].clone(), sewing.first_bone(i), [max, fat]))
        }
        // it moves the whole skin at once, after all others
        Layer::Tissue(_) => return None,
    })
}

impl LayerTable {
    /// This one, but for the windows that were made anew.
    fn patched(&self, made: Self, seam: &Seam) -> Self {
        match (self, made) {
            (Self::Blend(old), Self::Blend(made)) => Self::Blend(old.patched(&made, seam)),
            (Self::Shells(old), Self::Shells(made)) => Self::Shells(old.patched(&made, seam)),
            (Self::Wrap(old), Self::Wrap(made)) => Self::Wrap(old.patched(&made, seam)),
            (Self::Slide(old), Self::Slide(made)) => Self::Slide(old.patched(&made, seam)),
            (_, made) => made,
        }
    }
}

fn hold_table(muscles: &MuscleTable, sewn: &Sewn, n_layer: usize, positions: &[Vec3]) -> HoldTable {
    let followed = |(v, &at): (usize, &Vec3)| {
        let pulls = (0..n_layer).flat_map(move |layer| sewn.pulls(layer, v)).copied();
        let listened = (0..n_layer).flat_map(move |layer| sewn.listened(layer, v));
        let by_shells = listened.map(move |w| nearest_ring(muscles, at, *w));
        pulls.chain(by_shells).map(move |pull| (pull, sewn.joints(v)))
    };
    HoldTable::new(muscles, positions.iter().enumerate().flat_map(followed))
}

impl Body {
    /// What every vertex of the character takes from cross-sections of muscles in its layers of blending.
    #[must_use]
    pub fn skin_follows(&self) -> Vec<Vec<SkinFollow>> {
        let follow = |pull: &Pull| {
            let muscle = self.muscles.ring_start.partition_point(|&start| start <= pull.ring) - 1;
            let ring = (pull.ring - self.muscles.ring_start[muscle]) as usize;
            SkinFollow { muscle, ring, offset: pull.offset }
        };
        let layers = 0..self.musculature.layers.len();
        let of_vertex = |v: usize| layers.clone().flat_map(|layer| self.sewn.pulls(layer, v)).map(follow).collect();
        (0..self.n_vertex()).map(of_vertex).collect()
    }
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
