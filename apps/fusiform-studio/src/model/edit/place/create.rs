//! New muscles, and the skin that muscles move.

use super::Spot;
use super::names::{free_stem, other_side};
use super::twins::{mirrored, side_at};
use crate::model::fit::fat;
use crate::model::{Document, Done, Fault, Seen};
use fusiform::musculature::Layer;
use fusiform::{Muscle, Musculature};
use fusiform_fit::{join_weights, span};

pub fn create(seen: Seen, spots: &[Spot; 2], document: &mut Document) -> Result<Done, Fault> {
    let character = &seen.project.character;
    let told = |message: &str| Fault::told(&seen.project.name, message);
    let [Some(from), Some(to)] = spots.map(|spot| spot.hold(character)) else {
        return Err(told("a muscle begins and ends at the skin: click on it"));
    };
    // as the window of the fit says, or as the muscles beside it were fitted
    let fat = seen.fit.recipe.fat.unwrap_or_else(|| fat(seen.project, &document.fitting));
    let wear = seen.fit.recipe.wear(character);
    let made = span(character, &wear, [from, to], fat);
    let made = made.map_err(|error| told(&error.to_string()))?;
    let side = side_at(seen.project.plane.left(from.place.midpoint(to.place)), character.height());
    let muscles = &mut document.musculature;
    let stem = free_stem(muscles, "muscle", 1);
    let mut warnings = Vec::new();
    let made = Muscle { name: format!("{stem}{side}"), ..made };
    let mut new = vec![made.clone()];
    if seen.mirrored && !side.is_empty() {
        match mirrored(seen.project, &made, format!("{stem}{}", other_side(side))) {
            Ok(twin) => new.push(twin),
            Err(joint) => warnings.push(format!("joint {joint:?} has no twin: only one side was made")),
        }
    }
    let first = muscles.muscles.len();
    for muscle in new {
        let name = muscle.name.clone();
        muscles.muscles.push(muscle);
        take_part(muscles, &name);
    }
    let joining: Vec<usize> = (first..muscles.muscles.len()).collect();
    join_weights(character, &wear, muscles, &joining).map_err(|error| told(&error.to_string()))?;
    Ok(Done { chosen: Some([first].into()), warnings })
}

/// Weigh the chosen muscles, and their twins, on the skin over them.
pub fn weigh(seen: Seen, muscles: &mut Musculature) -> Result<Done, Fault> {
    let character = &seen.project.character;
    let joining: Vec<usize> = seen.edited(&muscles.muscles).into_iter().map(|(m, _)| m).collect();
    if !joining.is_empty() {
        let joined = join_weights(character, &seen.fit.recipe.wear(character), muscles, &joining);
        joined.map_err(|error| Fault::told(&seen.project.name, &error.to_string()))?;
    }
    Ok(Done::default())
}

/// Let some layer move the skin with the muscle of that name: one that takes all muscles does so already.
pub fn take_part(muscles: &mut Musculature, name: &str) {
    let takes_all = |layer: &Layer| match layer {
        Layer::Blend { .. } => true,
        Layer::Displace { muscles, .. } | Layer::Shells { muscles, .. } | Layer::Wrap { muscles, .. } => {
            muscles.is_empty() || muscles.iter().any(|other| other == name)
        }
        _ => false,
    };
    if muscles.layers.iter().any(takes_all) {
        return;
    }
    let moves = |layer: &&mut Layer| !matches!(layer, Layer::Tissue(_));
    let lists = muscles.layers.iter_mut().filter(moves).filter_map(Layer::muscles_mut);
    if lists.map(|list| list.push(name.to_owned())).count() == 0 {
        muscles.layers.insert(0, Layer::blend());
    }
}
