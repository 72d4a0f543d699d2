//! Playback: what any player makes of a file: morph targets first, then joints, blended linearly.
//!
//! ```text
//! v = Σ wᵢ Mᵢ Bᵢ⁻¹ (v₀ + Σ aₖ tₖ)
//! ```
//!
//! glTF 2.0, 3.7.2.2 and 3.7.3. No muscle of ours is in it: a bake is measured against what this shows.

use super::accessor::Source;
use super::scene::typed;
use super::schema::Root;
use super::track::{WeightTrack, weight_track};
use super::{Gltf, Origin, Part};
use crate::FileError;
use fusiform::Character;
use glam::{Affine3A, Vec3, Vec3A};

/// A file's skins as a player shows them.
#[derive(Clone, Debug)]
pub struct Playback {
    /// One for each part of the file.
    pub parts: Vec<PartPlayback>,
}

/// One part: its targets, and how clips weigh them.
#[derive(Clone, Debug)]
pub struct PartPlayback {
    /// Its vertices, counted over all meshes of the character.
    pub vertices: std::ops::Range<usize>,
    /// n_target x n_vertex displacements, metres, model space at bind.
    pub targets: Vec<Vec3>,
    rest: Vec<f32>,                   // n_target  weights when no clip moves them
    tracks: Vec<Option<WeightTrack>>, // n_clip
}

impl Playback {
    /// Read the morph targets of a file's parts and the weights its clips give them.
    ///
    /// # Errors
    /// When a target or its animation contradicts the mesh.
    pub fn read(file: &Gltf, origin: &Origin) -> Result<Self, FileError> {
        let root = typed(&file.json)?;
        let source = Source::new(&root, &file.bytes);
        let mut first = 0;
        let mut parts = Vec::with_capacity(origin.parts.len());
        for part in &origin.parts {
            let read = PartPlayback::read(&source, part, first)?;
            first = read.vertices.end;
            parts.push(read);
        }
        Ok(Self { parts })
    }

    /// Whether any part has morph targets.
    #[must_use]
    pub fn has_targets(&self) -> bool {
        self.parts.iter().any(|part| part.n_target() > 0)
    }

    /// The bind positions of a character, moved by the morph targets' weights at that time of a clip.
    #[must_use]
    pub fn morphed(&self, character: &Character, clip: Option<usize>, time: f32) -> Vec<Vec3> {
        let mut positions: Vec<Vec3> = character.meshes.iter().flat_map(|mesh| mesh.positions.clone()).collect();
        for part in &self.parts {
            let weights = part.weights(clip, time);
            let n = part.vertices.len();
            for (target, weight) in part.targets.chunks(n.max(1)).zip(weights).filter(|(_, weight)| *weight != 0.0) {
                positions[part.vertices.clone()].iter_mut().zip(target).for_each(|(p, delta)| *p += *delta * weight);
            }
        }
        positions
    }
}

impl PartPlayback {
    fn read(source: &Source, part: &Part, first: usize) -> Result<Self, FileError> {
        let mesh = &source.root.meshes[part.mesh];
        let n_target = mesh.primitives.first().map_or(0, |primitive| primitive.targets.len());
        let n_vertex: usize = part.primitives.iter().map(|primitive| primitive.n_vertex).sum();
        let numbers = n_target.saturating_mul(n_vertex).saturating_mul(3);
        source.spend(|| format!("the morph targets of mesh {}", part.mesh), numbers)?;
        let mut targets = vec![Vec3::ZERO; n_target * n_vertex];
        let mut at = 0;
        for primitive in &part.primitives {
            let place = format!("primitive {} of mesh {}", primitive.index, part.mesh);
            let of_file = &mesh.primitives[primitive.index].targets;
            if of_file.len() != n_target {
                return Err(FileError::new(place, "its primitives differ in their number of morph targets"));
            }
            let n = primitive.n_vertex;
            for (k, target) in of_file.iter().enumerate() {
                let Some(&accessor) = target.get("POSITION") else { continue };
                let rows = source.floats(accessor, &[3])?.values;
                if rows.len() != 3 * n {
                    return Err(FileError::new(place, format!("morph target {k} has not one row for each vertex")));
                }
                let to_model = primitive.model_from_mesh.matrix3;
                let carried = |row: &[f32]| (to_model * Vec3::from_slice(row).as_dvec3()).as_vec3();
                let place = &mut targets[k * n_vertex + at..][..n];
                place.iter_mut().zip(rows.chunks_exact(3)).for_each(|(place, row)| *place = carried(row));
            }
            at += n;
        }
        let rest = rest_weights(source.root, part, n_target);
        let track = |clip: usize| weight_track(source, clip, part.node, n_target);
        let tracks = (0..source.root.animations.len()).map(|clip| track(clip).map(|found| Some(found?.1)));
        let tracks = tracks.collect::<Result<_, _>>()?;
        Ok(Self { vertices: first..first + n_vertex, targets, rest, tracks })
    }

    /// How many targets it has.
    #[must_use]
    pub fn n_target(&self) -> usize {
        self.rest.len()
    }

    /// The weights of its targets at that time of a clip, or at rest.
    #[must_use]
    pub fn weights(&self, clip: Option<usize>, time: f32) -> Vec<f32> {
        let mut weights = self.rest.clone();
        if let Some(track) = clip.and_then(|clip| self.tracks.get(clip)?.as_ref()) {
            track.sample(time, &mut weights);
        }
        weights
    }
}

/// Joints move these vertices of a mesh: linear blending, as engines do it. `since_bind` is M B⁻¹ of every joint.
pub fn skin(
    weights: &fusiform::SparseWeights,
    vertices: std::ops::Range<usize>,
    since_bind: &[Affine3A],
    points: &mut [Vec3],
) {
    for (v, point) in vertices.zip(points) {
        let at = Vec3A::from(*point);
        let mut sum = Vec3A::ZERO;
        for (joint, weight) in weights.of(v) {
            sum += since_bind[usize::from(joint)].transform_point3a(at) * weight;
        }
        *point = sum.into();
    }
}

fn rest_weights(root: &Root, part: &Part, n_target: usize) -> Vec<f32> {
    let of_node = root.nodes[part.node].weights.as_ref();
    let mut rest = of_node.or(root.meshes[part.mesh].weights.as_ref()).cloned().unwrap_or_default();
    rest.resize(n_target, 0.0);
    rest
}
