//! What changes: every buffer of one character on screen, sized once.

use super::attach::{self, Rows};
use super::bellies::{SoftState, Surfaces};
use super::belly::{self, Curves, Paths, Ring, RingPull, Section};
use super::contract::Growth;
use super::displace::{self, MuscleRecord};
use super::ellipsoid::Spine;
use super::flesh::{FleshState, FleshWork};
use super::lanes::LANES;
use super::loft::Strands;
use super::muscles::MuscleTable;
use super::polyline::Lines;
use super::sheet::Sheets;
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
    pub(super) activation: Vec<f32>,            // n_muscle  0 ..= 1
    pub(super) length: Vec<f32>,                // n_muscle  m
    pub(super) belly: Vec<f32>,                 // n_muscle  m, without tendons
    pub(super) growth: Vec<Growth>,             // n_muscle  what the sections have grown by
    pub(super) lines: Lines,                    // those muscles that are polylines
    pub(super) sheets: Sheets,                  // those muscles that are sheets
    pub(super) shape_weight: Vec<f32>,          // n_shape   of pose shapes, muscle by muscle
    pub(super) bulges: Vec<f32>,                // n_muscle with pose shapes x CELLS
    pub(super) shells: Vec<Shell>,              // n_muscle
    pub(super) displacing: Vec<displace::Line>, // n_muscle, or none where nothing is displaced
    pub(super) slides: Vec<BoneFrame>,          // n_slide   bones of all layers of slide
    pub(super) soft: SoftState,                 // those muscles that have soft bodies
    pub(super) surfaces: Surfaces,              // of the bellies that need one
    pub(super) flesh: Option<FleshState>,       // where there is tissue
    pub(super) flesh_work: Option<FleshWork>,   // its scratch
    pub(super) pulls: Vec<RingPull>,            // n_ring
    pub(super) sections: Option<Vec<Section>>,  // n_ring   where somebody wants to see them
    pub(super) curves: Vec<Curves>,             // n_group  eight muscles each
    pub(super) positions: Vec<Vec3>, // n_vertex + 1  m, model space; the last is there to be loaded, not to be used
    pub(super) normals: Vec<Vec3>,   // n_vertex  unit
    pub(super) corner_normals: Vec<Vec3A>, // n_corner  scratch of normals by angle
}

/// All that a state remembers between frames; small, and exact to the bit.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    spring: Vec<SpringState>,
    soft: SoftState,
    flesh: Option<FleshState>,
}

impl BodyState {
    /// Room for one instance of `body`, at rest in the bind pose.
    #[must_use]
    pub fn new(body: &Body) -> Self {
        let mut state = Self::room(body);
        state.reset(body);
        state
    }

    /// Every buffer, nothing solved.
    pub(super) fn room(body: &Body) -> Self {
        let (joints, muscles) = (body.joints.len(), body.muscles.len());
        Self {
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
            growth: vec![Growth::NONE; muscles],
            lines: Lines::new(&body.muscles.polyline),
            sheets: Sheets::new(&body.muscles.sheet),
            shape_weight: vec![0.0; body.muscles.n_shape()],
            bulges: vec![0.0; body.muscles.shapes.len() * CELLS],
            displacing: vec![displace::Line::default(); if body.has_displacement() { muscles } else { 0 }],
            shells: vec![Shell::default(); if body.has_shells() { muscles } else { 0 }],
            soft: SoftState::new(&body.surfaces),
            surfaces: Surfaces::new(body),
            flesh: body.flesh.as_deref().map(FleshState::new),
            flesh_work: body.flesh.as_deref().map(|table| FleshWork::new(table, joints)),
            slides: vec![BoneFrame::default(); body.n_slide()],
            pulls: vec![RingPull::default(); body.muscles.n_ring()],
            sections: None,
            curves: vec![Curves::default(); body.muscles.group.len()],
            positions: vec![Vec3::ZERO; body.n_vertex() + 1],
            normals: vec![Vec3::ZERO; body.n_vertex()],
            corner_normals: vec![Vec3A::ZERO; body.normals.n_corner()],
        }
    }

    /// Back to the bind pose, all springs at rest; the next frame starts from there.
    pub fn reset(&mut self, body: &Body) {
        self.forget();
        body.step(self, &StepInput::new(&body.joints.bind, 0.0));
        self.forget();
    }

    /// All motion: the next frame starts at rest.
    fn forget(&mut self) {
        self.spring.fill(SpringState::default());
        self.soft.reset();
        self.flesh.iter_mut().for_each(FleshState::reset);
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

    /// Length of every muscle, metres: straight from origin to insertion for a curve, along the path for a polyline and
    /// for the middle line of a sheet.
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
    /// alone, without pose shapes; they are where the pose has them, without what a soft body adds.
    #[must_use]
    pub fn rings(&self, body: &Body, m: usize) -> Vec<Ring> {
        belly::rings_of(&body.muscles, m, self.paths(m)).collect()
    }

    /// Which way skin that follows cross-section `ring` of muscle `m` goes as the section grows along b and along c, in this
    /// frame; model space, of about unit length.
    #[must_use]
    pub fn skin_axes(&self, body: &Body, m: usize, ring: usize) -> [Vec3; 2] {
        let since_bind = &self.pulls[body.muscles.ring_start[m] as usize + ring].since_bind;
        let section = &body.muscles.rest[m].rings[ring];
        [section.b, section.c].map(|axis| attach::carry(since_bind, axis) - attach::carry(since_bind, Vec3::ZERO))
    }

    /// The belly surface of muscle `m`: rings x sectors points, ring by ring, metres, model space. Allocates nothing.
    ///
    /// # Panics
    /// When `points` has less than [`Body::belly_size`] rows.
    pub fn belly_points(&self, body: &Body, m: usize, points: &mut [Vec3]) {
        self.bellies_points(body, [(m, points)]);
    }

    /// The same of several muscles, each once: neighbours go through together, which is quicker than one by one. Allocates nothing.
    ///
    /// # Panics
    /// When one of them has less room than [`Body::belly_size`] rows.
    pub fn bellies_points<'a>(&self, body: &Body, bellies: impl IntoIterator<Item = (usize, &'a mut [Vec3])>) {
        let mut bellies = bellies.into_iter().peekable();
        while let Some(&(m, _)) = bellies.peek() {
            let group = m / LANES;
            let mut plain: [Option<&mut [Vec3]>; LANES] = [const { None }; LANES];
            while let Some((m, points)) = bellies.next_if(|(m, _)| m / LANES == group) {
                if self.own_points(body, m, points) {
                    self.swing_belly(body, m, points);
                } else {
                    plain[m % LANES] = Some(points);
                }
            }
            if plain.iter().any(Option::is_some) {
                belly::points(body.instructions, &body.muscles, group, self.paths(m), &mut plain);
            }
            for (lane, points) in plain.into_iter().enumerate() {
                points.into_iter().for_each(|points| self.swing_belly(body, group * LANES + lane, points));
            }
        }
    }

    /// The points of a belly that is not made from its rings alone, without what tissue adds; whether it is such a belly.
    fn own_points(&self, body: &Body, m: usize, points: &mut [Vec3]) -> bool {
        let muscles = &*body.muscles;
        if body.surfaces.soft[m].is_some() {
            self.record_points(body, m, points);
        } else if muscles.sheet.of[m].is_some() {
            self.each_sheet_point(muscles, m, |i, point| points[i] = point);
        } else if let Some(row) = muscles.shapes_of[m] {
            let shapes = &muscles.shapes[row as usize];
            let weights = &self.shape_weight[shapes.first..][..shapes.len()];
            belly::shaped_points(muscles, m, self.paths(m), |point| shapes.factor(weights, point), points);
        } else {
            return false;
        }
        true
    }

    /// The lofted points of a muscle that is a sheet, where the pose has them, ring by ring.
    pub(super) fn each_sheet_point(&self, muscles: &MuscleTable, m: usize, mut put: impl FnMut(usize, Vec3)) {
        let Some(row) = muscles.sheet.of[m].map(|row| row as usize) else { return };
        let loft = &muscles.sheet.loft[row];
        let shaped = muscles.shapes_of[m].map(|row| &muscles.shapes[row as usize]);
        let shaped = shaped.map(|shapes| (shapes, &self.shape_weight[shapes.first..][..shapes.len()]));
        let factor = |point: usize| match shaped {
            Some((shapes, weights)) => shapes.factor(weights, point),
            None => loft.sculpt(point),
        };
        loft.each_point(self.strands(muscles, m, row), |i, foot, offset| put(i, foot + offset * factor(i)));
    }

    /// What each point of [`BodyState::belly_points`] grows from: its ring's centre, or its foot between the bellies of a
    /// sheet; metres, model space.
    pub fn belly_feet(&self, body: &Body, m: usize, feet: &mut [Vec3]) {
        let muscles = &*body.muscles;
        match muscles.sheet.of[m] {
            Some(row) => {
                let strands = self.strands(muscles, m, row as usize);
                muscles.sheet.loft[row as usize].each_point(strands, |i, foot, _| feet[i] = foot);
            }
            None => {
                let rest = &muscles.rest[m];
                let sectors = rest.points.len() / rest.rings.len();
                let rings = belly::rings_of(muscles, m, self.paths(m)).zip(&rest.rings);
                feet.chunks_mut(sectors).zip(rings).for_each(|(feet, (ring, at))| feet.fill(ring.carry(at.center)));
            }
        }
    }

    /// The bellies of sheet `row`, which is muscle `m`, as they run now.
    fn strands<'a>(&'a self, muscles: &'a MuscleTable, m: usize, row: usize) -> Strands<'a> {
        let (curves, growth) = self.sheets.bellies(&muscles.sheet, row);
        Strands { curves, growth, jiggle: self.middle[m] - self.anchor[m], turn: &self.chord_turn[m] }
    }

    /// The points of a belly that has a surface in the frame.
    pub(super) fn record_points(&self, body: &Body, m: usize, points: &mut [Vec3]) {
        let (rings, first) = (body.muscles.rest[m].rings.len(), body.surfaces.first[m].unwrap_or(0) as usize);
        let sectors = points.len() / rings;
        let rows = self.surfaces.records[first..].chunks(sectors + 1);
        for (points, records) in points.chunks_mut(sectors).zip(rows) {
            points.iter_mut().zip(records).for_each(|(point, record)| *point = record.point());
        }
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
        let up = self.turn[usize::from(muscles.origin_joint[m])] * muscles.up[m];
        let grown = self.growth[m].at(0.5, muscles.middle_rise[m]);
        let spine = self.spine_of(muscles, m);
        muscles.ellipsoid[m].now(&spine, &self.chord_turn[m], muscles.rule[m], up, grown)
    }

    /// All that layers need to know of muscle `m`, in 64 bytes: what a GPU is sent for every frame.
    #[must_use]
    pub fn record(&self, body: &Body, m: usize) -> MuscleRecord {
        self.record_of(&body.muscles, m)
    }

    pub(super) fn record_of(&self, muscles: &MuscleTable, m: usize) -> MuscleRecord {
        let up = self.turn[usize::from(muscles.origin_joint[m])] * muscles.up[m];
        let spine = self.spine_of(muscles, m);
        muscles.ellipsoid[m].record(&spine, &self.chord_turn[m], muscles.rule[m], up, self.growth[m])
    }

    /// Both ends of a belly and its middle.
    fn spine_of(&self, muscles: &MuscleTable, m: usize) -> Spine {
        let jiggle = self.middle[m] - self.anchor[m];
        let spine = match muscles.group[m / LANES].line[m % LANES] {
            Some(line) => {
                let line = self.lines.line(&muscles.polyline, line as usize, jiggle);
                Spine { start: line.place(0.0).0, middle: line.place(0.5).0, end: line.place(1.0).0 }
            }
            None => {
                let (start, end) = self.curve_ends(muscles, m);
                Spine { start, middle: (start + end) * 0.25 + self.middle[m] * 0.5, end }
            }
        };
        // soft tissue takes the whole belly along
        let shift = self.surfaces.belly_shift[m];
        Spine { start: spine.start + shift, middle: spine.middle + shift, end: spine.end + shift }
    }

    /// Where the curve begins and ends that the rings of muscle `m` sit on.
    pub(super) fn curve_ends(&self, muscles: &MuscleTable, m: usize) -> (Vec3, Vec3) {
        match muscles.sheet.of[m] {
            Some(row) => {
                let belly = self.sheets.middle(&muscles.sheet, row as usize);
                (belly.origin, belly.insertion())
            }
            None => (self.origin[m], self.insertion[m]),
        }
    }

    /// Length of every belly between its tendons, metres.
    #[must_use]
    pub fn belly_lengths(&self) -> &[f32] {
        &self.belly
    }

    /// What has to be kept to come back to this moment.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { spring: self.spring.clone(), soft: self.soft.clone(), flesh: self.flesh.clone() }
    }

    /// Come back to a moment: the steps that follow give the same bits as they gave after it.
    ///
    /// # Panics
    /// When the snapshot is of another body.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.spring.copy_from_slice(&snapshot.spring);
        self.soft.restore(&snapshot.soft);
        assert_eq!(self.flesh.is_some(), snapshot.flesh.is_some(), "the snapshot belongs to another body");
        self.flesh.iter_mut().zip(&snapshot.flesh).for_each(|(flesh, then)| flesh.restore(then));
    }

    /// Go on with an edited body: keeps the motion where muscles are still the same in number and order. The skin is what it
    /// was until the next step.
    pub fn adopt(&mut self, body: &Body) {
        let (spring, soft) = (std::mem::take(&mut self.spring), std::mem::take(&mut self.soft));
        let flesh = self.flesh.take();
        let skin = (std::mem::take(&mut self.positions), std::mem::take(&mut self.normals));
        let keeps_sections = self.sections.is_some();
        *self = Self::room(body);
        if keeps_sections {
            self.keep_sections(body);
        }
        if skin.1.len() == self.normals.len() {
            (self.positions, self.normals) = skin;
        } else {
            self.reset(body);
        }
        if let (Some(before), Some(flesh)) = (flesh, &mut self.flesh) {
            flesh.adopt(&before);
        }
        if spring.len() == self.spring.len() {
            self.spring = spring;
        }
        if soft.fits(&self.soft) {
            self.soft = soft;
        } else {
            let soft = self.spring.iter_mut().zip(&body.surfaces.soft).filter(|(_, soft)| soft.is_some());
            soft.for_each(|(spring, _)| *spring = SpringState::default());
        }
    }
}
