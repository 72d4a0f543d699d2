//! What runs: bind once, then one frame after another.
//!
//! ```text
//! pose ──> attach ──> path | polyline | sheet ──> drive, spring ──> contract, shapes ──> belly | ellipsoid ──┐
//!                           (surface ──> soft)   blend, shells, displace, wrap, slide in order <──┤
//! pose ──> skin (linear | dual quaternion) ───────────────────────────────────────────────────────┘  ──> normals ──> positions
//! ```

mod attach;
mod batch;
mod bellies;
mod belly;
mod blend;
mod bones;
mod check;
mod contract;
mod crowd;
mod cubics;
mod displace;
mod drive;
mod ellipsoid;
mod error;
mod field;
mod flesh;
mod frame;
mod hold;
mod input;
mod lanes;
mod loft;
mod muscles;
mod normals;
mod path;
mod polyline;
mod rebind;
mod rest;
mod sections;
mod sewn;
mod shapes;
mod sheet;
mod shells;
mod sigmoid;
mod skin;
mod slide;
mod soft;
mod spring;
mod star;
mod state;
mod step;
mod surface;
mod tables;
mod threads;
mod tissue;
mod turned;
mod wrap;

pub use belly::{Ring, Section, triangles as belly_triangles};
pub use blend::SkinFollow;
pub use contract::Growth;
pub use crowd::levels_within;
pub use displace::MuscleRecord;
pub use drive::PlayedActivation;
pub use error::{BindError, SheetFault};
pub use flesh::{TissueNetwork, TissueSpring};
pub use input::{Contact, Detail, Impulse, StepInput};
pub use lanes::Instructions;
pub use rest::{RestBelly, RestSection, rest_bellies};
pub use state::{BodyState, Snapshot};

use crate::SparseWeights;
use crate::character::Character;
use crate::musculature::{Base, Musculature};
use blend::BlendTable;
use displace::DisplaceTable;
use drive::DriveTable;
use flesh::FleshTable;
use glam::{Affine3A, Vec3};
use hold::HoldTable;
use lanes::Lane;
use muscles::MuscleTable;
use normals::NormalTable;
use sewn::{Sewing, Sewn};
use shells::ShellTable;
use skin::SkinTable;
use slide::SlideTable;
use std::ops::Range;
use std::sync::Arc;
use surface::SurfaceTable;
use tables::{SkinTables, muscle_table, skin_tables};
use threads::Spread;
use wrap::{WrapRest, WrapTable};

/// A character kind, ready to run: flat arrays, immutable, checked once. Share it: one body, many states.
#[derive(Clone, Debug)]
pub struct Body {
    joints: Arc<JointTable>,
    muscles: Arc<MuscleTable>,
    skin: Arc<SkinTable>,
    layers: Arc<[LayerTable]>,
    /// What every layer of shells draws at rest, how far from bones one of slide finds the skin; nothing for others.
    rest_draw: Arc<[Box<[Lane]>]>,
    /// What every layer that wraps finds at rest; nothing for others.
    rest_wrap: Arc<[WrapRest]>,
    surfaces: Arc<SurfaceTable>,
    /// Where there is tissue.
    flesh: Option<Arc<FleshTable>>,
    hold: Arc<HoldTable>,
    /// Step of the layers' offsets times [`WHOLE`](lanes::WHOLE), m.
    offset_step: f32,
    normals: Arc<NormalTable>,
    drive: Arc<DriveTable>,
    base: Base,
    height: f32,
    instructions: Instructions,
    /// What it was bound from, so that [`Body::rebind`] sees what changed.
    musculature: Arc<Musculature>,
    /// Likewise, of every mesh.
    joint_weights: Arc<[SparseWeights]>,
    /// What every vertex takes from joints, muscles and bones: what the skin's tables are made from.
    sewn: Arc<Sewn>,
}

#[derive(Clone, Debug, PartialEq)]
struct JointTable {
    bind: Box<[Affine3A]>,            // n_joint  model_from_joint at bind
    bind_from_model: Box<[Affine3A]>, // n_joint  its inverse
    vertex_start: Box<[u32]>,         // n_mesh + 1
}

impl JointTable {
    fn len(&self) -> usize {
        self.bind.len()
    }
}

/// Constants of one layer.
#[derive(Clone, Debug, PartialEq)]
enum LayerTable {
    Blend(BlendTable),
    Shells(ShellTable),
    Displace(DisplaceTable),
    Wrap(WrapTable),
    Slide(SlideTable),
}

impl Body {
    /// Check everything once and lay it out for the frame.
    ///
    /// # Errors
    /// When anything in the character or its muscles is not sound; the error names the element and its cure.
    pub fn bind(character: &Character, musculature: &Musculature) -> Result<Self, BindError> {
        check::character(character)?;
        check::musculature(character, musculature)?;
        let height = Some(character.height()).filter(|&h| h > 0.0).unwrap_or(1.0);
        let bind: Box<[_]> = character.skeleton.bind_matrices().into();
        let ends = character.meshes.iter().scan(0, |sum, mesh| {
            *sum += mesh.positions.len() as u32;
            Some(*sum)
        });
        let joints = JointTable {
            bind_from_model: bind.iter().map(Affine3A::inverse).collect(),
            bind,
            vertex_start: std::iter::once(0).chain(ends).collect(),
        };
        let muscles = muscle_table(character, musculature, height);
        let surfaces = SurfaceTable::new(musculature, &muscles);
        let slides = slide::parts(&character.skeleton, musculature, None)?;
        let sewing = Sewing::new(character, musculature, &muscles, &slides, height);
        let SkinTables { sewn, skin, layers, hold, offset_step } =
            skin_tables((character, musculature), &sewing, (&muscles, &surfaces), &slides, None);
        let mut body = Self {
            joints: Arc::new(joints),
            sewn: Arc::new(sewn),
            joint_weights: character.meshes.iter().map(|mesh| mesh.weights.clone()).collect(),
            muscles: Arc::new(muscles),
            skin: Arc::new(skin),
            layers: layers.into(),
            rest_draw: Arc::new([]),
            rest_wrap: Arc::new([]),
            surfaces: Arc::new(surfaces),
            flesh: None,
            hold: Arc::new(hold),
            offset_step,
            normals: Arc::new(NormalTable::new(&character.meshes, musculature.normals)),
            drive: Arc::default(),
            base: musculature.base,
            height,
            instructions: Instructions::best(),
            musculature: Arc::new(musculature.clone()),
        };
        body.record_rest();
        body.bind_drive(&character.skeleton, musculature);
        body.flesh = FleshTable::new(character, musculature, &body)?.map(Arc::new);
        Ok(body)
    }

    /// The frame: pose in, skin out. Allocates nothing, locks nothing; equal inputs give equal bits on any number of
    /// threads. Runs on the rayon pool it is called in, or on the calling thread outside any pool.
    ///
    /// # Panics
    /// When the pose or the activation has not one entry for each joint or muscle, or the state is of another body.
    pub fn step(&self, state: &mut BodyState, input: &StepInput) {
        self.step_on(Spread::Pool, state, input);
    }

    fn step_on(&self, spread: Spread, state: &mut BodyState, input: &StepInput) {
        assert_eq!(input.pose.len(), self.joints.len(), "the pose needs one matrix for each joint");
        assert_eq!(state.normals.len(), self.n_vertex(), "the state belongs to another body");
        assert_eq!(state.spring.len(), self.muscles.len(), "the state belongs to another body");
        let mut input = *input;
        // tissue swings about the skin
        input.detail.skin |= self.has_tissue();
        let input = &input;
        attach::joints(input.pose, &self.joints.bind_from_model, &mut state.rows, &mut state.turn);
        self.step_muscles(state, input);
        if input.detail.skin {
            self.step_skin(spread, state, input);
        }
        if input.detail.normals {
            self.step_normals(spread, state);
        }
    }

    /// Show a skin that an earlier frame left, and its normals if they are asked for, without solving it again. What the
    /// state remembers between frames is not touched.
    ///
    /// # Panics
    /// When the skin or the state is of another body.
    pub fn show_skin(&self, state: &mut BodyState, positions: &[Vec3], detail: Detail) {
        assert_eq!(state.normals.len(), self.n_vertex(), "the state belongs to another body");
        state.positions[..self.n_vertex()].copy_from_slice(positions);
        if detail.normals {
            self.step_normals(Spread::Pool, state);
        }
    }

    /// Whether its skin has mass, so that every frame solves it, however little detail is asked for.
    #[must_use]
    pub fn has_tissue(&self) -> bool {
        self.flesh.is_some()
    }

    /// What to multiply the frame times of a loop of so many seconds by, so that tissue comes round: it is ticked, and a lap
    /// that is no whole number of ticks would never end where it began. 1 without tissue; nearer to it the longer the lap,
    /// within 0.2 % from a second on.
    #[must_use]
    pub fn lap_pace(&self, seconds: f32) -> f32 {
        let ticks = f64::from(seconds) / f64::from(soft::TICK);
        let pace = ticks.round().max(1.0) / ticks;
        // what rounding makes of times does not count
        let is_whole = (pace - 1.0).abs() < 1e-7;
        if is_whole || !self.has_tissue() || seconds <= 0.0 { 1.0 } else { pace as f32 }
    }

    /// How many vertices all meshes have together.
    #[must_use]
    pub fn n_vertex(&self) -> usize {
        self.joints.vertex_start.last().map_or(0, |&n| n as usize)
    }

    /// How many muscles it has.
    #[must_use]
    pub fn n_muscle(&self) -> usize {
        self.muscles.len()
    }

    /// How many joints a pose must have.
    #[must_use]
    pub fn n_joint(&self) -> usize {
        self.joints.len()
    }

    /// Which rows of positions and normals belong to that mesh.
    #[must_use]
    pub fn vertices_of_mesh(&self, mesh: usize) -> Range<usize> {
        self.joints.vertex_start[mesh] as usize..self.joints.vertex_start[mesh + 1] as usize
    }

    /// Triangles of all meshes over the rows of positions.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.normals.triangles
    }

    /// Rest length of every muscle, metres.
    #[must_use]
    pub fn rest_lengths(&self) -> &[f32] {
        &self.muscles.rest_length
    }

    /// How many points the belly of muscle `m` has.
    #[must_use]
    pub fn belly_size(&self, m: usize) -> usize {
        self.muscles.rest[m].points.len()
    }

    /// The same body on other instructions: slower or faster, never different. For tests and benches.
    #[must_use]
    pub fn with_instructions(mut self, instructions: Instructions) -> Self {
        self.instructions = instructions;
        self
    }

    /// How many joints and rings an average batch of eight vertices streams: what bounds the skin's speed.
    #[must_use]
    pub fn streams(&self) -> (f32, f32) {
        let n_batch = self.skin.bind.len().max(1) as f32;
        let rings = |layer: &LayerTable| if let LayerTable::Blend(table) = layer { table.ring.len() } else { 0 };
        let rings: usize = self.layers.iter().map(rings).sum();
        (self.skin.joint.len() as f32 / n_batch, rings as f32 / n_batch)
    }

    /// E of muscle `m` at bind, metres, model space: takes the unit sphere to the ellipsoid its belly fills.
    #[must_use]
    pub fn rest_ellipsoid(&self, m: usize) -> Affine3A {
        self.muscles.rest[m].ellipsoid
    }

    fn has_shells(&self) -> bool {
        self.layers.iter().any(|layer| matches!(layer, LayerTable::Shells(_)))
    }

    fn has_displacement(&self) -> bool {
        self.layers.iter().any(|layer| matches!(layer, LayerTable::Displace(_)))
    }

    fn n_slide(&self) -> usize {
        let parts = |layer: &LayerTable| if let LayerTable::Slide(table) = layer { table.parts.len() } else { 0 };
        self.layers.iter().map(parts).sum()
    }

    fn follows_rings(&self) -> bool {
        self.layers.iter().any(|layer| matches!(layer, LayerTable::Blend(_)))
    }

    fn is_dual(&self) -> bool {
        self.base == Base::DualQuaternion
    }
}

/// Equal to the bit in all that the frame reads.
impl PartialEq for Body {
    fn eq(&self, other: &Self) -> bool {
        self.joints == other.joints
            && self.muscles == other.muscles
            && self.skin == other.skin
            && self.layers == other.layers
            && self.rest_draw == other.rest_draw
            && self.rest_wrap == other.rest_wrap
            && self.surfaces == other.surfaces
            && self.flesh == other.flesh
            && self.hold == other.hold
            && self.offset_step == other.offset_step
            && self.normals == other.normals
            && self.drive == other.drive
            && self.base == other.base
            && self.height == other.height
    }
}
