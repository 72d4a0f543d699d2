//! What runs: bind once, then one frame after another.
//!
//! ```text
//! pose ──> attach ──> path ──> spring ──> contract ──> belly ──┐
//!                                                              ├─> layers in order ──> normals ──> positions, normals
//! pose ──> skin (linear | dual quaternion) ────────────────────┘
//! ```

mod attach;
mod batch;
mod belly;
mod blend;
mod check;
mod contract;
mod error;
mod frame;
mod hold;
mod input;
mod lanes;
mod muscles;
mod normals;
mod path;
mod shapes;
mod skin;
mod spring;
mod star;
mod state;
mod tables;
mod threads;

use belly::RingPull;
pub use belly::{Ring, triangles as belly_triangles};
pub use error::BindError;
pub use input::{Detail, StepInput};
pub use lanes::Instructions;
pub use muscles::{RestBelly, RestSection, rest_bellies};
pub use state::{BodyState, Snapshot};

use crate::character::Character;
use crate::musculature::{Base, Integrator, Musculature};
use batch::WINDOW;
use blend::BlendTable;
use glam::{Affine3A, Mat3, Vec3, Vec4};
use hold::{Carriers, HoldTable};
use lanes::{LANES, Lane3};
use muscles::MuscleTable;
use normals::{Around, NormalTable};
use skin::{DualQuat, SkinTable, WideRows};
use spring::Exact;
use std::ops::Range;
use std::sync::Arc;
use tables::{SkinTables, muscle_table, same_shape, skin_tables};

/// Batches that go through all layers together: few, so that the memory of all layers streams side by side.
const BLOCK: usize = 8;

/// A character kind, ready to run: flat arrays, immutable, checked once. Share it: one body, many states.
#[derive(Clone, Debug)]
pub struct Body {
    joints: Arc<JointTable>,
    muscles: Arc<MuscleTable>,
    skin: Arc<SkinTable>,
    layers: Arc<[LayerTable]>,
    hold: Arc<HoldTable>,
    /// Step of the layers' offsets times [`WHOLE`](lanes::WHOLE), m.
    offset_step: f32,
    normals: Arc<NormalTable>,
    base: Base,
    height: f32,
    instructions: Instructions,
    /// What it was bound from, so that [`Body::rebind`] sees what changed.
    musculature: Arc<Musculature>,
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
        let SkinTables { skin, layers, hold, offset_step } = skin_tables(character, musculature, &muscles, height);
        Ok(Self {
            joints: Arc::new(joints),
            muscles: Arc::new(muscles),
            skin: Arc::new(skin),
            layers: layers.into(),
            hold: Arc::new(hold),
            offset_step,
            normals: Arc::new(NormalTable::new(&character.meshes, musculature.normals)),
            base: musculature.base,
            height,
            instructions: Instructions::best(),
            musculature: Arc::new(musculature.clone()),
        })
    }

    /// [`Body::bind`] for an edited musculature of the same character: the same bits, but only what changed is made
    /// anew, the rest is shared. An editor calls it while a slider moves.
    ///
    /// # Errors
    /// As [`Body::bind`].
    pub fn rebind(&self, character: &Character, musculature: &Musculature) -> Result<Self, BindError> {
        check::musculature(character, musculature)?;
        let old = &*self.musculature;
        let mut body = self.clone();
        if old.muscles != musculature.muscles || old.physique != musculature.physique {
            body.muscles = Arc::new(muscle_table(character, musculature, self.height));
        }
        if !same_shape(&self.muscles, &body.muscles)
            || old.layers != musculature.layers
            || old.weights != musculature.weights
            || old.physique.skin_weight != musculature.physique.skin_weight
        {
            let tables = skin_tables(character, musculature, &body.muscles, self.height);
            (body.skin, body.layers) = (Arc::new(tables.skin), tables.layers.into());
            (body.hold, body.offset_step) = (Arc::new(tables.hold), tables.offset_step);
        }
        if old.normals != musculature.normals {
            body.normals = Arc::new(NormalTable::new(&character.meshes, musculature.normals));
        }
        body.base = musculature.base;
        body.musculature = Arc::new(musculature.clone());
        Ok(body)
    }

    /// The frame: pose in, skin out. Allocates nothing, locks nothing; equal inputs give equal bits on any number of
    /// threads. Runs on the rayon pool it is called in, or on the calling thread outside any pool.
    ///
    /// # Panics
    /// When the pose or the activation has not one entry for each joint or muscle, or the state is of another body.
    pub fn step(&self, state: &mut BodyState, input: &StepInput) {
        assert_eq!(input.pose.len(), self.joints.len(), "the pose needs one matrix for each joint");
        assert_eq!(state.normals.len(), self.n_vertex(), "the state belongs to another body");
        assert_eq!(state.spring.len(), self.muscles.len(), "the state belongs to another body");
        attach::joints(input.pose, &self.joints.bind_from_model, &mut state.rows, &mut state.turn);
        self.step_muscles(state, input);
        if input.detail.skin {
            self.step_skin(state);
        }
        if input.detail.normals {
            self.step_normals(state);
        }
    }

    fn step_muscles(&self, state: &mut BodyState, input: &StepInput) {
        let muscles = &*self.muscles;
        attach::ends(muscles, input.pose, &mut state.origin, &mut state.insertion);
        self.activate(state, input.activation);
        path::anchors(muscles, &state.turn, &state.origin, &state.insertion, &mut state.anchor, &mut state.chord_turn);
        let ends = (&*state.origin, &*state.insertion);
        hold::middles(muscles, &self.hold, &state.rows, ends, &state.chord_turn, &mut state.anchor);
        self.step_springs(state, input);
        for group in 0..muscles.group.len() {
            let (curves, mut carriers) = (&mut state.curves[group], Carriers::default());
            for (lane, m) in (group * LANES..muscles.len()).take(LANES).enumerate() {
                let (origin, insertion) = (state.origin[m], state.insertion[m]);
                state.length[m] = (insertion - origin).length().max(muscles.shortest_length);
                let scale = muscles.answer[m].scale(muscles.rest_length[m], state.length[m], state.activation[m]);
                curves.set(lane, (origin, state.middle[m], insertion), &state.chord_turn[m], scale - 1.0);
                hold::load(&self.hold, m, &state.rows, lane, &mut carriers);
                curves.jiggle.set(lane, state.middle[m] - state.anchor[m]);
                curves.up.set(lane, state.turn[usize::from(muscles.origin_joint[m])] * muscles.up[m]);
            }
            let step = self.offset_step;
            belly::pulls(self.instructions, muscles, &self.hold, group, curves, &carriers, step, &mut state.pulls);
        }
    }

    fn activate(&self, state: &mut BodyState, activation: &[f32]) {
        if activation.is_empty() {
            state.activation.fill(0.0);
            return;
        }
        assert_eq!(activation.len(), self.muscles.len(), "activation needs one entry for each muscle");
        for (now, &wished) in state.activation.iter_mut().zip(activation) {
            *now = if wished.is_nan() { 0.0 } else { wished.clamp(0.0, 1.0) };
        }
    }

    /// Carry every spring over the frame, from its anchor to the curve's middle point.
    fn step_springs(&self, state: &mut BodyState, input: &StepInput) {
        let dt = input.dt.clamp(0.0, 1.0);
        if state.exact_for != dt {
            for (exact, oscillator) in state.exact.iter_mut().zip(&self.muscles.spring) {
                *exact = oscillator.map_or(Exact::default(), |o| Exact::new(o, dt));
            }
            state.exact_for = dt;
        }
        let to_world = Mat3::from(input.world_from_model.matrix3);
        let model_from_world = to_world.inverse();
        let height = self.height * to_world.x_axis.length().max(to_world.y_axis.length()).max(to_world.z_axis.length());
        for m in 0..self.muscles.len() {
            state.middle[m] = state.anchor[m];
            let Some(oscillator) = self.muscles.spring[m] else { continue };
            let spring = &mut state.spring[m];
            let anchor = input.world_from_model.transform_point3(state.anchor[m]);
            if !spring::settle(spring, anchor, dt, height, input.teleport) && dt > 0.0 {
                let velocity = (anchor - spring.anchor) / dt;
                spring.anchor = anchor;
                match self.muscles.integrator[m] {
                    Integrator::Exact => state.exact[m].step(spring, velocity),
                    Integrator::Verlet => spring::verlet(oscillator, spring, velocity, dt),
                }
            }
            let moved = spring::held(model_from_world * spring.displacement, self.muscles.reach[m]);
            state.middle[m] += if moved.is_finite() { moved } else { Vec3::ZERO };
        }
    }

    fn step_skin(&self, state: &mut BodyState) {
        if self.is_dual() {
            for ((dual, rows), turn) in state.dual.iter_mut().zip(&state.rows).zip(&state.turn) {
                *dual = DualQuat::new(rows, turn);
            }
        } else {
            skin::widen(&state.rows, &mut state.wide);
        }
        let BodyState { wide, dual, pulls, positions, .. } = state;
        let positions = &mut positions[..self.n_vertex()];
        let scratch = || ([Lane3::default(); BLOCK], [Vec4::ZERO; WINDOW]);
        threads::for_each_chunk(positions, WINDOW, scratch, |(lanes, seats), window, positions| {
            let first = window * WINDOW / LANES;
            let end = first + positions.len().div_ceil(LANES);
            for start in (first..end).step_by(BLOCK) {
                let batches = start..end.min(start + BLOCK);
                let skin = &mut lanes[..batches.len()];
                self.skin_batches(batches.clone(), wide, dual, pulls, skin);
                if self.skin.in_order[window] {
                    skin::write(self.instructions, skin, &mut positions[(start - first) * LANES..]);
                } else {
                    skin::seat(self.instructions, &self.skin.place[batches], skin, seats);
                }
            }
            if !self.skin.in_order[window] {
                skin::unseat(self.instructions, seats, positions);
            }
        });
    }

    /// Joints, then every layer, on a block of batches small enough to stay in the nearest cache.
    fn skin_batches(
        &self,
        batches: Range<usize>,
        wide: &[WideRows],
        dual: &[DualQuat],
        pulls: &[RingPull],
        skin: &mut [Lane3],
    ) {
        match self.base {
            Base::Linear => skin::linear(self.instructions, &self.skin, batches.clone(), wide, skin),
            Base::DualQuaternion => {
                skin::dual_quaternion(self.instructions, &self.skin, batches.clone(), dual, skin);
            }
        }
        let bind = &self.skin.bind[batches.clone()];
        for LayerTable::Blend(table) in &*self.layers {
            blend::apply(self.instructions, table, batches.clone(), bind, pulls, skin);
        }
    }

    fn step_normals(&self, state: &mut BodyState) {
        let BodyState { positions, normals, corner_normals, .. } = state;
        match &self.normals.around {
            Around::Walks(walks) => {
                let seats = || [Vec4::ZERO; WINDOW];
                threads::for_each_chunk(normals, WINDOW, seats, |seats, i, normals| {
                    normals::by_area(self.instructions, walks, i, positions, seats, normals);
                });
            }
            Around::Corners { start, corner } => {
                let (rows, none) = (3 * WINDOW, || ());
                threads::for_each_chunk(corner_normals, rows, none, |(), i, corners| {
                    normals::corners(&self.normals.triangles, i * rows, positions, corners);
                });
                threads::for_each_chunk(normals, WINDOW, none, |(), i, normals| {
                    normals::by_angle(start, corner, i * WINDOW, corner_normals, normals);
                });
            }
        }
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
        let rings: usize = self.layers.iter().map(|LayerTable::Blend(table)| table.ring.len()).sum();
        (self.skin.joint.len() as f32 / n_batch, rings as f32 / n_batch)
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
            && self.hold == other.hold
            && self.offset_step == other.offset_step
            && self.normals == other.normals
            && self.base == other.base
            && self.height == other.height
    }
}
