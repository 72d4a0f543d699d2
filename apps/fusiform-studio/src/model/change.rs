//! Change: what one edit did to the document, and how it is taken back.
//!
//! Only what differs is kept, before and after: a slider costs a muscle, a stroke of the brush the vertices it touched. So
//! undo goes back as far as memory reaches, and to the bit.

use fusiform::musculature::{Activation, Base, Bone, Layer, Muscle, NormalWeighting, Physique};
use fusiform::{Musculature, SparseWeights};

/// From one document to the next and back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    muscles: Option<Swap<Vec<Muscle>>>,
    muscle: Vec<(usize, Swap<Muscle>)>,
    bones: Option<Swap<Vec<Bone>>>,
    layers: Option<Swap<Vec<Layer>>>,
    weights: Option<Swap<Vec<SparseWeights>>>,
    rows: Vec<Rows>,
    rest: Option<Swap<Rest>>,
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
        if way == Way::Forth { self.after.clone() } else { self.before.clone() }
    }
}

fn swap<T: PartialEq + Clone>(before: &T, after: &T) -> Option<Swap<T>> {
    (before != after).then(|| Swap { before: before.clone(), after: after.clone() })
}

impl Rest {
    fn of(document: &Musculature) -> Self {
        let Musculature { base, physique, normals, activation, .. } = document.clone();
        Self { base, physique, normals, activation }
    }
}

impl Change {
    /// What leads from one document to the other.
    #[must_use]
    pub fn between(before: &Musculature, after: &Musculature) -> Self {
        let mut change = Self {
            bones: swap(&before.bones, &after.bones),
            layers: swap(&before.layers, &after.layers),
            rest: swap(&Rest::of(before), &Rest::of(after)),
            ..Self::default()
        };
        if before.muscles.len() == after.muscles.len() {
            let pairs = before.muscles.iter().zip(&after.muscles).enumerate();
            change.muscle = pairs.filter_map(|(i, (a, b))| Some((i, swap(a, b)?))).collect();
        } else {
            change.muscles = swap(&before.muscles, &after.muscles);
        }
        let lengths = |document: &Musculature| document.weights.iter().map(SparseWeights::len).collect::<Vec<_>>();
        if lengths(before) == lengths(after) {
            let pairs = before.weights.iter().zip(&after.weights).enumerate();
            change.rows = pairs.filter_map(|(mesh, (a, b))| Rows::between(mesh, a, b)).collect();
        } else {
            change.weights = swap(&before.weights, &after.weights);
        }
        change
    }

    /// Whether nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Do it again.
    pub fn redo(&self, document: &mut Musculature) {
        self.go(document, Way::Forth);
    }

    /// Take it back.
    pub fn undo(&self, document: &mut Musculature) {
        self.go(document, Way::Back);
    }

    fn go(&self, document: &mut Musculature, way: Way) {
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
        if let Some(weights) = &self.weights {
            document.weights = weights.to(way);
        }
        for rows in &self.rows {
            rows.put(&mut document.weights[rows.mesh], way);
        }
        if let Some(rest) = &self.rest {
            let Rest { base, physique, normals, activation } = rest.to(way);
            (document.base, document.physique, document.normals) = (base, physique, normals);
            document.activation = activation;
        }
    }

    /// About how much memory it holds, bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        let muscle = size_of::<Muscle>() + 256;
        let muscles = self.muscle.len() * 2 + self.muscles.as_ref().map_or(0, |s| s.before.len() + s.after.len());
        let weights = |w: &SparseWeights| 4 * w.start.len() + 6 * w.index.len();
        let rows: usize = self.rows.iter().map(|rows| weights(&rows.swap.before) + weights(&rows.swap.after)).sum();
        let whole = self.weights.iter().flat_map(|s| s.before.iter().chain(&s.after)).map(weights).sum::<usize>();
        size_of::<Self>() + muscles * muscle + rows + whole
    }
}

impl Rows {
    fn between(mesh: usize, before: &SparseWeights, after: &SparseWeights) -> Option<Self> {
        let differs = |v: &usize| !before.of(*v).eq(after.of(*v));
        let first = (0..before.len()).find(differs)?;
        let last = (0..before.len()).rev().find(differs)?;
        let swap = Swap { before: part(before, first, last + 1), after: part(after, first, last + 1) };
        Some(Self { mesh, first, swap })
    }

    fn put(&self, weights: &mut SparseWeights, way: Way) {
        let rows = self.swap.to(way);
        let (first, last) = (self.first, self.first + rows.len());
        let (from, to) = (weights.start[first] as usize, weights.start[last] as usize);
        let (was, is) = ((to - from) as u32, rows.index.len() as u32);
        weights.index.splice(from..to, rows.index);
        weights.weight.splice(from..to, rows.weight);
        for (v, start) in rows.start.iter().enumerate() {
            weights.start[first + v] = from as u32 + start;
        }
        weights.start[last + 1..].iter_mut().for_each(|start| *start = *start - was + is);
    }
}

fn part(weights: &SparseWeights, first: usize, last: usize) -> SparseWeights {
    let mut part = SparseWeights::default();
    (first..last).for_each(|v| part.push_vertex(weights.of(v)));
    part
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn weights() -> impl Strategy<Value = SparseWeights> {
        let vertex = prop::collection::btree_map(0_u16..4, 1_u8..9, 0..3);
        prop::collection::vec(vertex, 6).prop_map(|vertices| {
            let mut weights = SparseWeights::default();
            for of in vertices {
                weights.push_vertex(of.into_iter().map(|(i, w)| (i, f32::from(w) / 8.0)));
            }
            weights
        })
    }

    fn document() -> impl Strategy<Value = Musculature> {
        let muscle = (0_u8..4, 3_u16..6).prop_map(|(name, rings)| Muscle {
            name: format!("m{name}"),
            rings,
            ..Muscle::default()
        });
        let muscles = prop::collection::vec(muscle, 0..4);
        (muscles, prop::collection::vec(weights(), 0..3), 0.5_f32..2.0, any::<bool>()).prop_map(
            |(muscles, weights, size, blends)| Musculature {
                muscles,
                weights,
                physique: Physique { size, ..Physique::default() },
                layers: if blends { vec![Layer::blend()] } else { vec![] },
                ..Musculature::default()
            },
        )
    }

    proptest! {
        #[test]
        fn any_change_goes_forth_and_back_to_the_bit(before in document(), after in document()) {
            let change = Change::between(&before, &after);
            prop_assert_eq!(change.is_empty(), before == after);
            let mut now = before.clone();
            change.redo(&mut now);
            prop_assert_eq!(&now, &after);
            change.undo(&mut now);
            prop_assert_eq!(&now, &before);
        }
    }
}
