//! Change: what one edit did to the document, and how it is taken back.
//!
//! Only what differs is kept, before and after: a slider costs a muscle, a stroke of the brush the vertices it touched. So
//! undo goes back as far as memory reaches, and to the bit.

use super::{Document, Fitting};
use fusiform::musculature::{Activation, Base, Bone, Layer, Muscle, NormalWeighting, Physique};
use fusiform::{Clip, Musculature, SparseWeights};
use glam::Quat;
use std::sync::Arc;

/// Vertices between two that differ that are kept all the same, since a run has a cost of its own.
const GAP: usize = 4;

/// From one document to the next and back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    muscles: Option<Swap<Vec<Muscle>>>,
    muscle: Vec<(usize, Swap<Muscle>)>,
    bones: Option<Swap<Vec<Bone>>>,
    layers: Option<Swap<Vec<Layer>>>,
    weights: Weights,
    rest: Option<Swap<Rest>>,
    joints: Weights,
    motions: Option<Swap<Arc<Vec<Clip>>>>,
    fitting: Option<Swap<Fitting>>,
    turned: Option<Swap<Vec<(usize, Quat)>>>,
}

#[derive(Clone, Debug, PartialEq)]
struct Swap<T> {
    before: T,
    after: T,
}

/// What is small.
#[derive(Clone, Debug, PartialEq)]
struct Rest {
    base: Base,
    physique: Physique,
    normals: NormalWeighting,
    activation: Activation,
}

/// What differs in the weights of all meshes.
#[derive(Clone, Debug, Default, PartialEq)]
struct Weights {
    /// Meshes of another number or size.
    whole: Option<Swap<Vec<SparseWeights>>>,
    rows: Vec<Rows>,
}

/// Neighbouring vertices of one mesh.
#[derive(Clone, Debug, PartialEq)]
struct Rows {
    mesh: usize,
    first: usize,
    swap: Swap<SparseWeights>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Back,
    Forth,
}

impl<T: Clone> Swap<T> {
    fn to(&self, way: Way) -> T {
        self.seen(way).clone()
    }
}

impl<T> Swap<T> {
    fn seen(&self, way: Way) -> &T {
        if way == Way::Forth { &self.after } else { &self.before }
    }
}

fn swap<T: PartialEq + Clone>(before: &T, after: &T) -> Option<Swap<T>> {
    (before != after).then(|| Swap { before: before.clone(), after: after.clone() })
}

impl Rest {
    fn of(document: &Musculature) -> Self {
        let Musculature { base, physique, normals, activation, .. } = document;
        Self { base: *base, physique: *physique, normals: *normals, activation: activation.clone() }
    }
}

impl Change {
    /// What leads from one document to the other.
    #[must_use]
    pub fn between(before: &Document, after: &Document) -> Self {
        let mut change = Self::default();
        if !Arc::ptr_eq(&before.joints, &after.joints) {
            change.joints = Weights::between(&before.joints, &after.joints);
        }
        if !Arc::ptr_eq(&before.motions, &after.motions) {
            change.motions = swap(&before.motions, &after.motions);
        }
        change.fitting = swap(&before.fitting, &after.fitting);
        change.turned = swap(&before.turned, &after.turned);
        let (before, after) = (&before.musculature, &after.musculature);
        change.bones = swap(&before.bones, &after.bones);
        change.layers = swap(&before.layers, &after.layers);
        change.rest = swap(&Rest::of(before), &Rest::of(after));
        change.weights = Weights::between(&before.weights, &after.weights);
        if before.muscles.len() == after.muscles.len() {
            let pairs = before.muscles.iter().zip(&after.muscles).enumerate();
            change.muscle = pairs.filter_map(|(i, (a, b))| Some((i, swap(a, b)?))).collect();
        } else {
            change.muscles = swap(&before.muscles, &after.muscles);
        }
        change
    }

    /// Whether nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it changes what is saved.
    #[must_use]
    pub fn is_saved(&self) -> bool {
        *self != Self { turned: self.turned.clone(), ..Self::default() }
    }

    /// Do it again.
    pub fn redo(&self, document: &mut Document) {
        self.go(document, Way::Forth);
    }

    /// Take it back.
    pub fn undo(&self, document: &mut Document) {
        self.go(document, Way::Back);
    }

    fn go(&self, document: &mut Document, way: Way) {
        if self.joints != Weights::default() {
            self.joints.put(Arc::make_mut(&mut document.joints), way);
        }
        if let Some(motions) = &self.motions {
            document.motions = motions.to(way);
        }
        if let Some(fitting) = &self.fitting {
            document.fitting = fitting.to(way);
        }
        if let Some(turned) = &self.turned {
            document.turned = turned.to(way);
        }
        let document = &mut document.musculature;
        self.weights.put(&mut document.weights, way);
        if let Some(muscles) = &self.muscles {
            document.muscles = muscles.to(way);
        }
        for (i, swap) in &self.muscle {
            document.muscles[*i] = swap.to(way);
        }
        if let Some(bones) = &self.bones {
            document.bones = bones.to(way);
        }
        if let Some(layers) = &self.layers {
            document.layers = layers.to(way);
        }
        if let Some(rest) = &self.rest {
            let Rest { base, physique, normals, activation } = rest.to(way);
            (document.base, document.physique, document.normals) = (base, physique, normals);
            document.activation = activation;
        }
    }
}

impl Weights {
    fn between(before: &[SparseWeights], after: &[SparseWeights]) -> Self {
        if !before.iter().map(SparseWeights::len).eq(after.iter().map(SparseWeights::len)) {
            return Self { whole: swap(&before.to_vec(), &after.to_vec()), rows: Vec::new() };
        }
        let pairs = before.iter().zip(after).enumerate();
        Self { whole: None, rows: pairs.flat_map(|(mesh, (a, b))| Rows::between(mesh, a, b)).collect() }
    }

    fn put(&self, weights: &mut Vec<SparseWeights>, way: Way) {
        if let Some(whole) = &self.whole {
            *weights = whole.to(way);
        }
        for of_mesh in self.rows.chunk_by(|a, b| a.mesh == b.mesh) {
            let old = &weights[of_mesh[0].mesh];
            let mut made = SparseWeights::default();
            for Rows { first, swap, .. } in of_mesh {
                (made.len()..*first).for_each(|v| made.push_vertex(old.of(v)));
                let rows = swap.seen(way);
                (0..rows.len()).for_each(|v| made.push_vertex(rows.of(v)));
            }
            (made.len()..old.len()).for_each(|v| made.push_vertex(old.of(v)));
            weights[of_mesh[0].mesh] = made;
        }
    }
}

impl Rows {
    fn between(mesh: usize, before: &SparseWeights, after: &SparseWeights) -> Vec<Self> {
        // most edits touch no weight: tables are sooner compared as a whole than vertex by vertex
        if before == after {
            return Vec::new();
        }
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for v in (0..before.len()).filter(|&v| !before.of(v).eq(after.of(v))) {
            match runs.last_mut() {
                Some((_, end)) if v <= *end + GAP => *end = v + 1,
                _ => runs.push((v, v + 1)),
            }
        }
        let rows = |(first, end)| Self {
            mesh,
            first,
            swap: Swap { before: part(before, first, end), after: part(after, first, end) },
        };
        runs.into_iter().map(rows).collect()
    }
}

fn part(weights: &SparseWeights, first: usize, end: usize) -> SparseWeights {
    let mut part = SparseWeights::default();
    (first..end).for_each(|v| part.push_vertex(weights.of(v)));
    part
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn weights() -> impl Strategy<Value = SparseWeights> {
        let vertex = prop::collection::btree_map(0_u16..4, 1_u8..9, 0..3);
        prop::collection::vec(vertex, 16).prop_map(|vertices| {
            let mut weights = SparseWeights::default();
            for of in vertices {
                weights.push_vertex(of.into_iter().map(|(i, w)| (i, f32::from(w) / 8.0)));
            }
            weights
        })
    }

    fn document() -> impl Strategy<Value = Document> {
        let muscle = (0_u8..4, 3_u16..6).prop_map(|(name, rings)| Muscle {
            name: format!("m{name}"),
            rings,
            ..Muscle::default()
        });
        let muscles = prop::collection::vec(muscle, 0..4);
        let meshes = || prop::collection::vec(weights(), 0..3);
        (muscles, meshes(), meshes(), 0.5_f32..2.0, any::<bool>()).prop_map(
            |(muscles, weights, joints, size, blends)| {
                let musculature = Musculature {
                    muscles,
                    weights,
                    physique: Physique { size, ..Physique::default() },
                    layers: if blends { vec![Layer::blend()] } else { vec![] },
                    ..Musculature::default()
                };
                let clip = Clip { name: "walk".into(), channels: Vec::new() };
                let motions = if blends { vec![clip] } else { vec![] };
                let fitting = Fitting { fat: blends.then_some(size), ..Fitting::default() };
                let turned = if blends { vec![(1, Quat::from_rotation_x(size))] } else { vec![] };
                Document { musculature, joints: Arc::new(joints), motions: Arc::new(motions), fitting, turned }
            },
        )
    }

    proptest! {
        #[test]
        fn any_change_goes_forth_and_back_to_the_bit(before in document(), after in document()) {
            let change = Change::between(&before, &after);
            prop_assert_eq!(change.is_empty(), before == after);
            let posed = Document { turned: after.turned.clone(), ..before.clone() };
            prop_assert_eq!(change.is_saved(), posed != after);
            let mut now = before.clone();
            change.redo(&mut now);
            prop_assert_eq!(&now, &after);
            change.undo(&mut now);
            prop_assert_eq!(&now, &before);
        }
    }
}
