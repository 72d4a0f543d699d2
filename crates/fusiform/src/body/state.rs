//! What changes: every buffer of one character on screen, sized once.

use super::attach::Rows;
use super::belly::{self, Curves, Paths, Ring, RingPull};
use super::ellipsoid::Spine;
use super::lanes::LANES;
use super::muscles::MuscleTable;
use super::polyline::Lines;
use super::shells::Shell;
use super::skin::{DualQuat, WideRows};
use super::slide::BoneFrame;
use super::spring::{Exact, SpringState};
use super::star::CELLS;
use super::{Body, StepInput};
use glam::{Affine3A, Mat3, Vec3, Vec3A};

/// One instance of a [`Body`]: springs, rings, skin. Many states share one body.
#[derive(Clone, Debug)]
pub struct BodyState {
    pub(super) rows: Vec<Rows>,          // n_joint   M B⁻¹
    pub(super) wide: Vec<WideRows>,      // n_joint, or none with dual quaternions
    pub(super) turn: Vec<Mat3>,          // n_joint   the rotation in it
    pub(super) dual: Vec<DualQuat>,      // n_joint, or none with a linear base
    pub(super) origin: Vec<Vec3>,        // n_muscle  m, model space
    pub(super) insertion: Vec<Vec3>,     // n_muscle  m, model space
    pub(super) anchor: Vec<Vec3>,        // n_muscle  m, model space: where the pose wants the middle point
    pub(super) middle: Vec<Vec3>,        // n_muscle  m, model space
    pub(super) chord_turn: Vec<Mat3>,    // n_muscle  rotation of the chord since bind
    pub(super) spring: Vec<SpringState>, // n_muscle
    pub(super) exact: Vec<Exact>,        // n_muscle  coefficients for frames of `exact_for` seconds
    pub(super) exact_for: f32,
    pub(super) activation: Vec<f32>,       // n_muscle  0 ..= 1
    pub(super) length: Vec<f32>,           // n_muscle  m
    pub(super) belly: Vec<f32>,            // n_muscle  m, without tendons
    pub(super) scale: Vec<f32>,            // n_muscle  size of the section over that at rest
    pub(super) lines: Lines,               // those muscles that are polylines
    pub(super) shape_weight: Vec<f32>,     // n_shape   of pose shapes, muscle by muscle
    pub(super) bulges: Vec<f32>,           // n_muscle with pose shapes x CELLS
    pub(super) shells: Vec<Shell>,         // n_muscle
    pub(super) slides: Vec<BoneFrame>,     // n_slide   bones of all layers of slide
    pub(super) pulls: Vec<RingPull>,       // n_ring
    pub(super) curves: Vec<Curves>,        // n_group  eight muscles each
    pub(super) positions: Vec<Vec3>, // n_vertex + 1  m, model space; the last is there to be loaded, not to be used
    pub(super) normals: Vec<Vec3>,   // n_vertex  unit
    pub(super) corner_normals: Vec<Vec3A>, // n_corner  scratch of normals by angle
}

/// All that a state remembers between frames; small, and exact to the bit.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    spring: Vec<SpringState>,
}

impl BodyState {
    /// Room for one instance of `body`, at rest in the bind pose.
    #[must_use]
    pub fn new(body: &Body) -> Self {
        let (joints, muscles) = (body.joints.len(), body.muscles.len());
        let mut state = Self {
            rows: vec![Rows::default(); joints],
            wide: vec![WideRows::default(); if body.is_dual() { 0 } else { joints }],
            turn: vec![Mat3::IDENTITY; joints],
            dual: vec![DualQuat::default(); if body.is_dual() { joints } else { 0 }],
            origin: vec![Vec3::ZERO; muscles],
            insertion: vec![Vec3::ZERO; muscles],
            anchor: vec![Vec3::ZERO; muscles],
            middle: vec![Vec3::ZERO; muscles],
            chord_turn: vec![Mat3::IDENTITY; muscles],
            spring: vec![SpringState::default(); muscles],
            exact: vec![Exact::default(); muscles],
            exact_for: 0.0,
            activation: vec![0.0; muscles],
            length: vec![0.0; muscles],
            belly: vec![0.0; muscles],
            scale: vec![1.0; muscles],
            lines: Lines::new(&body.muscles.polyline),
            shape_weight: vec![0.0; body.muscles.n_shape()],
            bulges: vec![0.0; body.muscles.shapes.len() * CELLS],
            shells: vec![Shell::default(); if body.has_shells() { muscles } else { 0 }],
            slides: vec![BoneFrame::default(); body.n_slide()],
            pulls: vec![RingPull::default(); body.muscles.n_ring()],
            curves: vec![Curves::default(); body.muscles.group.len()],
            positions: vec![Vec3::ZERO; body.n_vertex() + 1],
            normals: vec![Vec3::ZERO; body.n_vertex()],
            corner_normals: vec![Vec3A::ZERO; body.normals.n_corner()],
        };
        state.reset(body);
        state
    }

    /// Back to the bind pose, all springs at rest; the next frame starts from there.
    pub fn reset(&mut self, body: &Body) {
        self.spring.fill(SpringState::default());
        body.step(self, &StepInput::new(&body.joints.bind, 0.0));
        self.spring.fill(SpringState::default());
    }

    /// Solved vertices of all meshes, one mesh after the other as the character lists them; metres, model space.
    #[must_use]
    pub fn positions(&self) -> &[Vec3] {
        &self.positions[..self.normals.len()]
    }

    /// Their normals, unit length; what the last step with [`Detail::normals`](super::Detail) left.
    #[must_use]
    pub fn normals(&self) -> &[Vec3] {
        &self.normals
    }

    /// Length of every muscle, metres: straight from origin to insertion for a curve, along the path for a polyline.
    #[must_use]
    pub fn lengths(&self) -> &[f32] {
        &self.length
    }

    /// Activation of every muscle as the last step used it, 0 ..= 1.
    #[must_use]
    pub fn activations(&self) -> &[f32] {
        &self.activation
    }

    /// The cross-sections of muscle `m`, from origin to insertion; made when asked for. Their swell is the contraction's
    /// alone, without pose shapes.
    #[must_use]
    pub fn rings(&self, body: &Body, m: usize) -> Vec<Ring> {
        belly::rings_of(&body.muscles, m, self.paths(m)).collect()
    }

    /// The belly surface of muscle `m`: rings x sectors points, ring by ring, metres, model space.
    pub fn belly_points(&self, body: &Body, m: usize, points: &mut [Vec3]) {
        let muscles = &*body.muscles;
        let Some(row) = muscles.shapes_of[m] else { return belly::points(muscles, m, self.paths(m), points) };
        let shapes = &muscles.shapes[row as usize];
        let weights = &self.shape_weight[shapes.first..][..shapes.len()];
        belly::shaped_points(muscles, m, self.paths(m), |point| shapes.factor(weights, point), points);
    }

    fn paths(&self, m: usize) -> Paths<'_> {
        Paths { curves: &self.curves[m / LANES], lines: &self.lines }
    }

    /// E2 of muscle `m`: takes the unit sphere to the ellipsoid its belly fills now; x along the belly, y toward the
    /// up-vector; metres, model space.
    #[must_use]
    pub fn ellipsoid(&self, body: &Body, m: usize) -> Affine3A {
        self.ellipsoid_of(&body.muscles, m)
    }

    /// E of muscle `m`: the ellipsoid of its belly at rest, where its bone carries it now.
    #[must_use]
    pub fn carried_ellipsoid(&self, body: &Body, m: usize) -> Affine3A {
        let rest = &body.muscles.ellipsoid[m];
        rest.carried(&self.rows[rest.carrier], &self.turn[rest.carrier]).0
    }

    pub(super) fn ellipsoid_of(&self, muscles: &MuscleTable, m: usize) -> Affine3A {
        let jiggle = self.middle[m] - self.anchor[m];
        let spine = match muscles.group[m / LANES].line[m % LANES] {
            Some(line) => {
                let line = self.lines.line(&muscles.polyline, line as usize, jiggle);
                Spine { start: line.place(0.0).0, middle: line.place(0.5).0, end: line.place(1.0).0 }
            }
            None => {
                let (start, end) = (self.origin[m], self.insertion[m]);
                Spine { start, middle: (start + end) * 0.25 + self.middle[m] * 0.5, end }
            }
        };
        let up = self.turn[usize::from(muscles.origin_joint[m])] * muscles.up[m];
        muscles.ellipsoid[m].now(&spine, &self.chord_turn[m], muscles.rule[m], up, self.scale[m])
    }

    /// Length of every belly between its tendons, metres.
    #[must_use]
    pub fn belly_lengths(&self) -> &[f32] {
        &self.belly
    }

    /// What has to be kept to come back to this moment.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { spring: self.spring.clone() }
    }

    /// Come back to a moment: the steps that follow give the same bits as they gave after it.
    ///
    /// # Panics
    /// When the snapshot is of another body.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.spring.copy_from_slice(&snapshot.spring);
    }

    /// Go on with an edited body: keeps the motion where muscles are still the same in number and order.
    pub fn adopt(&mut self, body: &Body) {
        let spring = std::mem::take(&mut self.spring);
        *self = Self::new(body);
        if spring.len() == self.spring.len() {
            self.spring = spring;
        }
    }
}
