//! Parts of the document that belong to the whole body.

use super::{Seen, mirror};
use fusiform::Musculature;
use fusiform::musculature::{Base, Bone, ClipActivation, Driver, Layer, MuscleTrack, NormalWeighting};

/// A part of the document, as it shall be.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// How joints move the skin before any muscle does.
    Base(Base),
    /// How faces share their normals with vertices.
    Normals(NormalWeighting),
    /// What muscles then do to the skin, in order; tissue is put last.
    Layers(Vec<Layer>),
    /// One of the bones under the skin.
    Bone(usize, Bone),
    /// What is added to the tension of every muscle.
    Tension(f32),
    /// One more that tenses muscles as the body moves.
    AddDriver(Driver),
    /// One of them.
    Driver(usize, Driver),
    /// All but this one.
    RemoveDriver(usize),
    /// Keys of some muscles in the clip of that name; a muscle without keys has no track.
    Keys(String, Vec<MuscleTrack>),
}

impl Part {
    /// What undo calls it.
    pub(super) fn label(&self) -> &str {
        match self {
            Self::Base(_) => "Skinning",
            Self::Normals(_) => "Normals",
            Self::Layers(_) => "Layers",
            Self::Bone(..) => "Bone",
            Self::Tension(_) => "Tension",
            Self::AddDriver(_) => "Add driver",
            Self::Driver(..) => "Driver",
            Self::RemoveDriver(_) => "Remove driver",
            Self::Keys(..) => "Keys",
        }
    }

    pub(super) fn put(&self, seen: Seen, muscles: &mut Musculature) {
        let drivers = &mut muscles.activation.drivers;
        match self {
            Self::Base(base) => muscles.base = *base,
            Self::Normals(normals) => muscles.normals = *normals,
            Self::Layers(layers) => {
                muscles.layers.clone_from(layers);
                muscles.layers.sort_by_key(|layer| matches!(layer, Layer::Tissue(_)));
            }
            Self::Bone(i, bone) => mirror::put_bone(seen, *i, bone, &mut muscles.bones),
            Self::Tension(tension) => muscles.activation.tension = *tension,
            Self::AddDriver(driver) => mirror::add_driver(seen, driver, &muscles.muscles, drivers),
            Self::Driver(i, driver) => mirror::put_driver(seen, *i, driver, &muscles.muscles, drivers),
            Self::RemoveDriver(i) => mirror::remove_driver(seen, *i, &muscles.muscles, drivers),
            Self::Keys(clip, tracks) => {
                let twins = mirror::keys(seen, clip, tracks, muscles);
                put_keys(clip, tracks, &mut muscles.activation.curves);
                put_keys(clip, &twins, &mut muscles.activation.curves);
            }
        }
    }
}

fn put_keys(clip: &str, tracks: &[MuscleTrack], curves: &mut Vec<ClipActivation>) {
    let at = curves.iter().position(|of| of.clip == clip).unwrap_or_else(|| {
        curves.push(ClipActivation { clip: clip.into(), tracks: Vec::new() });
        curves.len() - 1
    });
    let of_clip = &mut curves[at].tracks;
    for track in tracks {
        match of_clip.iter_mut().find(|of| of.muscle == track.muscle) {
            Some(of) => of.clone_from(track),
            None => of_clip.push(track.clone()),
        }
    }
    of_clip.retain(|track| !track.times.is_empty());
    if of_clip.is_empty() {
        curves.remove(at);
    }
}
