//! Layers, checked: what they name is there, and their numbers are legal.

use super::{FARTHEST, in_range};
use crate::body::error::{BindError, most_similar};
use crate::musculature::{Layer, Musculature, ShellMode, Tissue};
use glam::Vec3;

/// Check all layers of a musculature.
pub(super) fn layers(musculature: &Musculature) -> Result<(), BindError> {
    for (i, layer) in musculature.layers.iter().enumerate() {
        match layer {
            Layer::Blend { nearest } => {
                let element = || format!("the nearest count of layer {i} (blend)");
                in_range(f32::from(*nearest), 1.0, 16.0, "1 ..= 16", element)?;
            }
            Layer::Shells { .. } => shells(i, layer, musculature)?,
            Layer::Displace { muscles, fat, .. } => {
                known_muscles(i, muscles, musculature)?;
                in_range(*fat, 0.0, FARTHEST, "0 ..= 1e6", || format!("fat of layer {i} (displace)"))?;
            }
            Layer::Wrap { muscles, shrink, slide, sink, .. } => {
                known_muscles(i, muscles, musculature)?;
                for (share, what) in [(shrink, "shrink"), (slide, "slide"), (sink, "sink")] {
                    in_range(*share, 0.0, 1.0, "0 ..= 1", || format!("{what} of layer {i} (wrap)"))?;
                }
            }
            Layer::Slide { .. } => slide(i, layer, musculature)?,
            Layer::Tissue(of) => tissue(i, of, musculature)?,
        }
    }
    Ok(())
}

/// The muscles that layer `i` names are there.
fn known_muscles(i: usize, names: &[String], musculature: &Musculature) -> Result<(), BindError> {
    let Some(name) = names.iter().find(|name| musculature.find(name).is_none()) else { return Ok(()) };
    let similar = most_similar(name, musculature.muscles.iter().map(|m| m.name.as_str()));
    Err(BindError::UnknownMuscle { layer: i, muscle: name.clone(), similar })
}

/// The bones that layer `i` names are there.
fn known_bones(i: usize, names: &[String], musculature: &Musculature) -> Result<(), BindError> {
    let known = |name: &str| musculature.bones.iter().any(|bone| bone.name == name);
    let Some(name) = names.iter().find(|name| !known(name)) else { return Ok(()) };
    let similar = most_similar(name, musculature.bones.iter().map(|bone| bone.name.as_str()));
    Err(BindError::UnknownBone { layer: i, bone: name.clone(), similar })
}

/// Legal values of a layer of slide.
fn slide(i: usize, layer: &Layer, musculature: &Musculature) -> Result<(), BindError> {
    let Layer::Slide { bones, max, reach, fat } = layer else { return Ok(()) };
    known_bones(i, bones, musculature)?;
    in_range(*max, 0.0, 10.0, "0 ..= 10", || format!("max of layer {i} (slide)"))?;
    in_range(*fat, 0.0, 1.0, "0 ..= 1", || format!("fat of layer {i} (slide)"))?;
    in_range(*reach, 1e-4, 1.0, "0.0001 ..= 1", || format!("reach of layer {i} (slide)"))
}

/// Legal values of a layer of shells.
fn shells(i: usize, layer: &Layer, musculature: &Musculature) -> Result<(), BindError> {
    let Layer::Shells { muscles, drop_off, stickiness, hardness, weight, mode } = layer else { return Ok(()) };
    let field = |field: &'static str| move || format!("{field} of layer {i} (shells)");
    known_muscles(i, muscles, musculature)?;
    in_range(*drop_off, 1e-4, 10.0, "0.0001 ..= 10", field("drop_off"))?;
    in_range(*stickiness, 0.0, 1.0, "0 ..= 1", field("stickiness"))?;
    in_range(*hardness, 0.0, 0.999, "0 ..= 0.999", field("hardness"))?;
    in_range(*weight, 0.0, 1.0, "0 ..= 1", field("weight"))?;
    match mode {
        ShellMode::Basic { .. } => Ok(()),
        ShellMode::Stretch { slippage } | ShellMode::Star { slippage } => {
            in_range(*slippage, 0.05, 20.0, "0.05 ..= 20", field("slippage"))
        }
        ShellMode::Trajectory { slippage, offsets } => {
            in_range(*slippage, 0.05, 20.0, "0.05 ..= 20", field("slippage"))?;
            in_range(offsets.len() as f32, 0.0, 16.0, "0 ..= 16", field("the number of offsets"))?;
            let mut numbers = offsets.iter().flat_map(Vec3::to_array);
            numbers.try_for_each(|x| in_range(x, -10.0, 10.0, "-10 ..= 10", field("an offset")))
        }
    }
}

/// Legal values of a layer of tissue, and that it is the last.
fn tissue(i: usize, of: &Tissue, musculature: &Musculature) -> Result<(), BindError> {
    if i + 1 < musculature.layers.len() {
        let fault = "other layers come after it".into();
        return Err(BindError::Tissue { layer: i, fault, cure: "move it to the end of the layers; one is enough" });
    }
    known_muscles(i, &of.muscles, musculature)?;
    known_bones(i, &of.bones, musculature)?;
    let check = |what: &'static str, value: f32, low: f32, high: f32, range: &'static str| {
        in_range(value, low, high, range, || format!("{what} of layer {i} (tissue)"))
    };
    check("mass", of.mass, 1e-3, 1e6, "0.001 ..= 1e6")?;
    check("skin", of.skin, 0.0, 1e9, "0 ..= 1e9")?;
    check("belly", of.belly, 0.0, 1e9, "0 ..= 1e9")?;
    check("goal", of.goal, 0.0, 1e9, "0 ..= 1e9")?;
    check("anchor", of.anchor, 0.0, 1e12, "0 ..= 1e12")?;
    check("damping", of.damping, 0.0, 10.0, "0 ..= 10")?;
    check("depth", of.depth, 0.0, 1.0, "0 ..= 1")?;
    check("muscularity", of.muscularity, 0.05, 4.0, "0.05 ..= 4")?;
    check("gravity", of.gravity, 0.0, 10.0, "0 ..= 10")?;
    check("reach", of.reach, 1e-4, 10.0, "0.0001 ..= 10")
}
