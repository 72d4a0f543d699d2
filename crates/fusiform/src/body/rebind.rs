//! Rebind: an edited document on a body that is there, so that an editor can follow a slider.
//!
//! What changed is found by comparing with what the body was bound from. Each part is made anew only when something it
//! depends on did:
//!
//! ```text
//! muscles, physique ──> muscle table ──> surfaces ──┐
//! weights of joints, of muscles, layers, bones ─────┴─> skin, layers, hold (window by window) ──> rest
//! tissue: its layer, bellies, bones, who carries the skin         drive: activation, muscles
//! ```

use super::check;
use super::flesh::FleshTable;
use super::normals::NormalTable;
use super::sewn::Sewing;
use super::slide;
use super::surface::SurfaceTable;
use super::tables::{Before, muscle_table, reshaped, same_names, skin_tables};
use super::{BindError, Body};
use crate::SparseWeights;
use crate::character::Character;
use crate::musculature::{Layer, Musculature};
use std::sync::Arc;

impl Body {
    /// [`Body::bind`] for an edited musculature of the same character, or other joint weights: the same bits, but only what
    /// changed is made anew, the rest is shared. An editor calls it while a slider moves or a brush paints.
    ///
    /// # Errors
    /// As [`Body::bind`].
    pub fn rebind(&self, character: &Character, musculature: &Musculature) -> Result<Self, BindError> {
        let sizes = character.meshes.iter().map(|mesh| mesh.weights.len());
        if !sizes.eq(self.joint_weights.iter().map(SparseWeights::len)) {
            return Ok(Self::bind(character, musculature)?.with_instructions(self.instructions));
        }
        let reweighted = !character.meshes.iter().map(|mesh| &mesh.weights).eq(self.joint_weights.iter());
        if reweighted {
            check::character(character)?;
        }
        check::musculature(character, musculature)?;
        let old = &*self.musculature;
        let mut body = self.clone();
        body.flesh = None; // rest, and what tissue hangs on, is found without it
        body.base = musculature.base;
        if reweighted {
            body.joint_weights = character.meshes.iter().map(|mesh| mesh.weights.clone()).collect();
        }
        if *old != *musculature {
            body.musculature = Arc::new(musculature.clone());
        }
        if old.muscles != musculature.muscles || old.physique != musculature.physique {
            body.muscles = Arc::new(muscle_table(character, musculature, self.height));
        }
        let same_muscles = Arc::ptr_eq(&self.muscles, &body.muscles);
        if !same_muscles || old.layers != musculature.layers {
            body.surfaces = Arc::new(SurfaceTable::new(musculature, &body.muscles));
        }
        let resewn = self.sew_again(character, musculature, reweighted, &mut body)?;
        if old.normals != musculature.normals {
            body.normals = Arc::new(NormalTable::new(&character.meshes, musculature.normals));
        }
        body.drive = Arc::default();
        if resewn || !same_muscles || old.base != body.base || !Arc::ptr_eq(&self.surfaces, &body.surfaces) {
            body.record_rest();
        }
        body.bind_drive(&character.skeleton, musculature);
        body.flesh = match &self.flesh {
            Some(flesh) if self.has_flesh_of(character, musculature, reweighted, &body) => Some(flesh.clone()),
            _ => FleshTable::new(character, musculature, &body)?.map(Arc::new),
        };
        Ok(body)
    }

    /// Skin, layers and hold of the edited body, where anything they are made from is another; whether it is.
    fn sew_again(
        &self,
        character: &Character,
        musculature: &Musculature,
        reweighted: bool,
        body: &mut Self,
    ) -> Result<bool, BindError> {
        let old = &*self.musculature;
        let reshaped = reshaped((old, &self.muscles), (musculature, &body.muscles));
        let same_layers = old.layers == musculature.layers
            && old.bones == musculature.bones
            && old.weights.len() == musculature.weights.len()
            && old.physique.skin_weight == musculature.physique.skin_weight
            && self.surfaces.same_layout(&body.surfaces);
        let reshaped = reshaped.filter(|_| same_layers);
        let same = reshaped.as_ref().is_some_and(|reshaped| !reshaped.contains(&true));
        if same && !reweighted && old.weights == musculature.weights {
            return Ok(false);
        }
        let slides = slide::parts(&character.skeleton, musculature, Some((old, &self.layers)))?;
        let sewing = Sewing::new(character, musculature, &body.muscles, &slides, self.height);
        let before = reshaped.map(|reshaped| Before {
            sewn: &self.sewn,
            skin: &self.skin,
            layers: &self.layers,
            offset_step: self.offset_step,
            touched: sewing.touched(&self.joint_weights, &old.weights, &reshaped),
        });
        let bellies = (&*body.muscles, &*body.surfaces);
        let tables = skin_tables((character, musculature), &sewing, bellies, &slides, before);
        body.sewn = Arc::new(tables.sewn);
        (body.skin, body.layers) = (Arc::new(tables.skin), tables.layers.into());
        (body.hold, body.offset_step) = (Arc::new(tables.hold), tables.offset_step);
        Ok(true)
    }

    /// Whether the tissue of this body is also that of the edited one.
    fn has_flesh_of(&self, character: &Character, musculature: &Musculature, reweighted: bool, edited: &Self) -> bool {
        let old = &*self.musculature;
        let tissue = |of: &Musculature| of.layers.last().filter(|layer| matches!(layer, Layer::Tissue(_))).cloned();
        let is_flesh = |of: &Musculature| of.weights.iter().map(|w| w.index.is_empty()).collect::<Vec<_>>();
        let springs = |of: &Musculature| (of.physique.stiffness, of.physique.damping);
        tissue(old) == tissue(musculature)
            && is_flesh(old) == is_flesh(musculature)
            && same_names(old, musculature)
            && springs(old) == springs(musculature)
            && old.bones == musculature.bones
            && self.muscles.rest == edited.muscles.rest
            && self.flesh.as_ref().is_some_and(|flesh| flesh.hangs_on_bellies_of(edited))
            && self.muscles.ellipsoid == edited.muscles.ellipsoid
            && (!reweighted || same_carriers(&self.joint_weights, character))
    }
}

/// Whether the same joint carries each vertex most.
fn same_carriers(before: &[SparseWeights], character: &Character) -> bool {
    let mut meshes = before.iter().zip(&character.meshes);
    meshes.all(|(before, mesh)| (0..before.len()).all(|v| before.heaviest(v) == mesh.weights.heaviest(v)))
}
