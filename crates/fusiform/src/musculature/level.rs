//! Levels of detail: the same muscles with fewer rings, sectors and layers, for characters that are far away.

use super::{Contraction, Muscle, Musculature, Sculpt};
use serde::{Deserialize, Serialize};

/// How much of a character is worth solving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// Most cross-sections of a muscle, >= 3.
    pub rings: u16,
    /// Most points around a cross-section, >= 3.
    pub sectors: u16,
    /// How many of the layers run, from the first; 0 is plain skinning.
    pub layers: usize,
    /// Frames from one that is solved to the next, >= 1; in between the skin is left as it is. Whoever steps keeps to it.
    pub every: u32,
}

impl Level {
    /// Everything, in every frame.
    pub const FULL: Self = Self { rings: u16::MAX, sectors: u16::MAX, layers: usize::MAX, every: 1 };
}

impl Musculature {
    /// The same musculature with no more than that level asks for; sculpts keep their shape. Without a layer no muscle has
    /// anything to do, so none is left. Muscles with pose shapes keep their grids.
    #[must_use]
    pub fn at_level(&self, level: &Level) -> Self {
        let mut coarse = self.clone();
        coarse.layers.truncate(level.layers);
        if coarse.layers.is_empty() {
            return Self { base: self.base, normals: self.normals, ..Self::plain() };
        }
        let has_shapes = |muscle: &Muscle| matches!(muscle.contraction, Contraction::PoseShapes { .. });
        for muscle in coarse.muscles.iter_mut().filter(|muscle| !has_shapes(muscle)) {
            let to = (muscle.rings.min(level.rings.max(3)), muscle.sectors.min(level.sectors.max(3)));
            if let Some(sculpt) = &mut muscle.sculpt {
                *sculpt = resampled(sculpt, (muscle.rings, muscle.sectors), to);
            }
            (muscle.rings, muscle.sectors) = to;
        }
        coarse
    }
}

/// A grid of factors on another number of rings and sectors, between its neighbours.
fn resampled(sculpt: &Sculpt, from: (u16, u16), to: (u16, u16)) -> Sculpt {
    let (rings, sectors) = (usize::from(from.0), usize::from(from.1));
    if from == to || sculpt.factors.len() != rings * sectors {
        return sculpt.clone();
    }
    let at = |ring: usize, sector: usize| sculpt.factors[ring.min(rings - 1) * sectors + sector % sectors];
    let factor = |i: u16, j: u16| {
        let along = f32::from(i) * (rings - 1) as f32 / f32::from(to.0 - 1);
        let around = f32::from(j) * sectors as f32 / f32::from(to.1);
        let (ring, sector) = (along as usize, around as usize);
        let (s, t) = (along - ring as f32, around - sector as f32);
        let between = |ring: usize| at(ring, sector) * (1.0 - t) + at(ring, sector + 1) * t;
        between(ring) * (1.0 - s) + between(ring + 1) * s
    };
    let factors = (0..to.0).flat_map(|i| (0..to.1).map(move |j| (i, j))).map(|(i, j)| factor(i, j)).collect();
    Sculpt { factors }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::musculature::Layer;

    fn sculpted() -> Musculature {
        let factors = (0..9 * 8).map(|i| 1.0 + 0.1 * (i / 8) as f32).collect();
        let muscle = Muscle { sculpt: Some(Sculpt { factors }), ..Muscle::default() };
        Musculature { muscles: vec![muscle], layers: vec![Layer::blend(), Layer::displace()], ..Musculature::default() }
    }

    #[test]
    fn a_coarser_level_keeps_the_shape_of_a_sculpt() {
        let level = Level { rings: 5, sectors: 4, layers: 1, every: 1 };
        let coarse = sculpted().at_level(&level);
        let muscle = &coarse.muscles[0];
        assert_eq!((muscle.rings, muscle.sectors, coarse.layers.len()), (5, 4, 1));
        let factors = &muscle.sculpt.as_ref().unwrap().factors;
        assert_eq!(factors.len(), 20);
        assert!(
            (factors[0] - 1.0).abs() < 1e-6 && (factors[10] - 1.4).abs() < 1e-6 && (factors[19] - 1.8).abs() < 1e-6
        );
    }

    #[test]
    fn the_full_level_changes_nothing_and_the_last_leaves_plain_skinning() {
        assert_eq!(sculpted().at_level(&Level::FULL), sculpted());
        assert!(sculpted().at_level(&Level { layers: 0, ..Level::FULL }).muscles.is_empty());
    }
}
