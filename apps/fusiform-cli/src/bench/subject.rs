//! What is measured: the athlete in motion, made as heavy as the paper's: three joints and four belly vertices for
//! every skin vertex, 72 vertices for every muscle.

use crate::failure::Failure;
use crate::source::Source;
use crate::ui::Ui;
use fusiform::body::{RestBelly, rest_bellies};
use fusiform::musculature::{Bone, Contraction, Dynamics, Layer, Level, Path, Profile, Volume};
use fusiform::{Body, Character, Muscle, Musculature, Pose, Skeleton, SparseWeights};
use glam::{Affine3A, Vec3};

/// Weight of each of the two nearest muscles on a skin vertex.
const MUSCLE_WEIGHT: f32 = 0.5;
/// Weight given to joints a vertex would not have by itself.
const EXTRA_JOINT: f32 = 0.05;
/// Frames of motion, repeated.
const FRAMES: usize = 120;

/// What is measured on a subject.
#[derive(Clone, Copy)]
pub struct Flesh {
    /// How many muscles it has.
    pub muscles: usize,
    /// How they reach the skin.
    pub layers: fn() -> Vec<Layer>,
    /// What the template's muscles become.
    pub change: fn(&mut Muscle),
}

impl Flesh {
    /// Plain skinning.
    pub const NONE: Self = Self { muscles: 0, layers: Vec::new, change: |_| {} };

    /// So many muscles as Lee has them.
    pub const fn lee(muscles: usize) -> Self {
        Self { muscles, layers: || vec![Layer::blend()], change: |_| {} }
    }

    /// So many as Ramos has them.
    pub const fn ramos(muscles: usize) -> Self {
        Self { muscles, layers: || vec![Layer::displace()], change: spindle }
    }
}

/// An athlete of one resolution, ready to be bound with any number of muscles.
pub struct Subject {
    file: String,
    /// Every vertex has three joints.
    pub character: Character,
    muscles: Vec<Muscle>,
    bones: Vec<Bone>,
    own: (Character, Musculature),
    /// Poses of a clip, sixty a second.
    pub poses: Vec<Vec<Affine3A>>,
}

impl Subject {
    /// The athlete with about so many vertices.
    pub fn new(vertices: usize, ui: &Ui) -> Result<Self, Failure> {
        let source = Source::Athlete(vertices).load(ui)?;
        let own = (source.character.clone(), source.musculature.clone());
        let mut character = source.character;
        for mesh in &mut character.meshes {
            mesh.weights = three_joints(&mesh.weights, &character.skeleton);
        }
        let mut muscles = source.musculature.muscles;
        muscles.iter_mut().for_each(|muscle| (muscle.rings, muscle.sectors, muscle.sculpt) = (9, 8, None));
        let (bones, poses) = (source.musculature.bones, poses(&character));
        Ok(Self { file: source.file, character, muscles, bones, own, poses })
    }

    /// How many muscles the athlete has of its own.
    pub fn n_own(&self) -> usize {
        self.own.1.muscles.len()
    }

    /// The athlete as it is, with its own muscles and weights, with less detail.
    pub fn own_at(&self, level: &Level) -> Result<Body, Failure> {
        let (character, musculature) = &self.own;
        Body::bind(character, &musculature.at_level(level)).map_err(|error| Failure::bind(&self.file, &error))
    }

    /// The body with muscles spread over the whole of it; past the template's own they are doubled.
    pub fn body(&self, flesh: &Flesh) -> Result<Body, Failure> {
        let (bind_failure, n) = (|error| Failure::bind(&self.file, &error), flesh.muscles);
        let pick = |i: usize| {
            let place = if n <= self.muscles.len() { i * self.muscles.len() / n } else { i % self.muscles.len() };
            let mut muscle = self.muscles[place].clone();
            muscle.name = format!("{} {i}", muscle.name);
            (flesh.change)(&mut muscle);
            muscle
        };
        let muscles: Vec<Muscle> = (0..n).map(pick).collect();
        let bellies = rest_bellies(&self.character.skeleton, &muscles).map_err(bind_failure)?;
        let weights = self.character.meshes.iter().map(|mesh| two_nearest(&mesh.positions, &bellies)).collect();
        let (layers, bones) = ((flesh.layers)(), self.bones.clone());
        let musculature = Musculature { muscles, layers, weights, bones, ..Musculature::default() };
        Body::bind(&self.character, &musculature).map_err(bind_failure)
    }
}

/// Ramos' muscle in the place of Lee's: a straight line with tendons, two cubics that keep their volume.
fn spindle(muscle: &mut Muscle) {
    let Profile::Sine { size, aspect, .. } = muscle.profile else { return };
    let (ends, slopes) = ([0.1 * size; 2], [2.0 * size, -2.0 * size]);
    muscle.path = Path::Polyline { via: Vec::new(), tendons: [0.02; 2] };
    muscle.profile = Profile::TwoCubics { peak_at: 0.45, peak: size, ends, slopes, ellipse: aspect };
    muscle.contraction = Contraction::Cones { volume: Volume::Exact, isometric: 0.25 };
    muscle.dynamics = Dynamics::None;
}

/// The three heaviest joints of every vertex; parents and children fill in where it has fewer.
fn three_joints(weights: &SparseWeights, skeleton: &Skeleton) -> SparseWeights {
    let mut three = SparseWeights::default();
    for v in 0..weights.len() {
        let mut of: Vec<(u16, f32)> = weights.of(v).collect();
        of.sort_by(|a, b| b.1.total_cmp(&a.1));
        of.truncate(3);
        let relatives = (0..skeleton.joints.len()).filter(|&j| {
            let parent = |j: usize| skeleton.joints[j].parent;
            of.iter().any(|&(own, _)| parent(j) == Some(usize::from(own)) || parent(usize::from(own)) == Some(j))
        });
        let others = (0..skeleton.joints.len()).map(|j| j as u16);
        for joint in relatives.map(|j| j as u16).chain(others).collect::<Vec<_>>() {
            if of.len() < 3 && of.iter().all(|&(own, _)| own != joint) {
                of.push((joint, EXTRA_JOINT));
            }
        }
        let sum: f32 = of.iter().map(|w| w.1).sum();
        three.push_vertex(of.into_iter().map(|(joint, w)| (joint, w / sum)));
    }
    three
}

/// Every vertex follows the two muscles whose bellies are nearest to it.
fn two_nearest(positions: &[Vec3], bellies: &[RestBelly]) -> SparseWeights {
    let mut weights = SparseWeights::default();
    for p in positions {
        let away = |belly: &RestBelly| {
            belly.rings.iter().fold(f32::INFINITY, |d, ring| d.min(ring.center.distance(*p) - ring.half_axes.x))
        };
        let mut nearest: Vec<(f32, u16)> = bellies.iter().map(away).zip(0..).collect();
        nearest.sort_by(|a, b| a.0.total_cmp(&b.0));
        weights.push_vertex(nearest.iter().take(2).map(|&(_, m)| (m, MUSCLE_WEIGHT)));
    }
    weights
}

/// The liveliest clip, sampled sixty times a second.
fn poses(character: &Character) -> Vec<Vec<Affine3A>> {
    let clip = character.clip("combo").or(character.clips.first());
    let mut pose = Pose::rest(&character.skeleton);
    let at = |frame: usize| {
        if let Some(clip) = clip {
            clip.sample(frame as f32 / 60.0, &mut pose);
        }
        pose.model_matrices(&character.skeleton)
    };
    (0..FRAMES).map(at).collect()
}
