//! Bellies in the frame: sections, then points where the pose has them, then where soft tissue takes them, then normals.

use super::belly::{self, Paths, Section};
use super::lanes::{LANES, Lane3};
use super::soft::{self, Beat, Memory, Motion, Particles, RingMotion, Tissue, Work};
use super::surface::{self, Group, Record, SurfaceTable};
use super::{Body, BodyState, StepInput, spring, wrap};
use glam::{Affine3A, Mat3, Vec2, Vec3};

/// A change of gravity below this share of it is rounding: a body at rest stays there.
const GRAVITY_FLOOR: f32 = 1e-5;

/// What soft bellies remember between frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SoftState {
    pub particles: Vec<Particles>, // n_particle  group by group
    pub rings: Vec<RingMotion>,    // n_soft_ring  likewise
    pub stood: Vec<Lane3>,         // n_group     where the character stood after the last frame, m, world space
    pub left: f32,                 // seconds since the last tick
    layout: Vec<Layout>,           // n_group     whose they are
}

/// The muscles of a group, and their rings and sectors.
type Layout = ([u16; LANES], usize, usize);

impl SoftState {
    pub fn new(table: &SurfaceTable) -> Self {
        let soft = || table.group.iter().filter(|group| group.tissue.is_some());
        Self {
            particles: vec![Particles::default(); table.n_particle],
            rings: vec![RingMotion::default(); table.n_soft_ring],
            stood: vec![Lane3::default(); soft().count()],
            left: 0.0,
            layout: soft().map(|group| (group.muscle, group.rings, group.sectors)).collect(),
        }
    }

    /// Forget all motion.
    pub fn reset(&mut self) {
        self.particles.fill(Particles::default());
        self.rings.fill(RingMotion::default());
        self.stood.fill(Lane3::default());
        self.left = 0.0;
    }

    /// Whether the other is of the same bellies.
    pub fn fits(&self, other: &Self) -> bool {
        self.layout == other.layout
    }

    /// Become the other, which is of the same bellies.
    pub fn restore(&mut self, other: &Self) {
        self.particles.copy_from_slice(&other.particles);
        self.rings.copy_from_slice(&other.rings);
        self.stood.copy_from_slice(&other.stood);
        self.left = other.left;
    }
}

/// The surfaces of bellies in this frame, and scratch to make them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surfaces {
    sections: Vec<Section>,   // n_ring, or none where nobody needs them
    pub records: Vec<Record>, // n_record
    points: Vec<Lane3>,       // as many as the largest belly has
    work: Work,
    pub ring_shift: Vec<Vec3>, // n_ring    m, model space: how far soft tissue takes each ring; or none
    pub belly_shift: Vec<Vec3>, // n_muscle  and the belly on the whole
}

impl Surfaces {
    pub fn new(body: &Body) -> Self {
        let (table, muscles) = (&*body.surfaces, &*body.muscles);
        let some = |yes: bool, n: usize| if yes { n } else { 0 };
        Self {
            sections: vec![Section::default(); some(!table.group.is_empty(), muscles.n_ring())],
            records: vec![Record::default(); table.n_record + some(table.n_record > 0, wrap::REACH)],
            points: vec![Lane3::default(); table.most_points],
            work: Work::new(some(table.has_soft(), table.most_points)),
            ring_shift: vec![Vec3::ZERO; some(table.has_soft(), muscles.n_ring())],
            belly_shift: vec![Vec3::ZERO; muscles.len()],
        }
    }
}

impl Body {
    /// Surfaces of all bellies that need one: soft ones always, the others for skin that wraps them or hangs on them.
    pub(super) fn step_surfaces(&self, state: &mut BodyState, input: &StepInput) {
        let (table, wrapped) = (&*self.surfaces, input.detail.skin && self.surfaces.shown);
        if !wrapped && !table.has_soft() {
            return;
        }
        let mut surfaces = std::mem::take(&mut state.surfaces);
        for group in (0..self.muscles.group.len()).filter(|&group| table.needs_sections[group]) {
            let paths = Paths { curves: &state.curves[group], lines: &state.lines };
            belly::sections(self.instructions, &self.muscles, group, paths, &mut surfaces.sections);
        }
        let beat = Beat::new(state.soft.left, input.dt.clamp(0.0, 1.0));
        for (g, group) in table.group.iter().enumerate() {
            if group.tissue.is_none() && !wrapped {
                break; // soft ones come first
            }
            let Surfaces { sections, points, .. } = &mut surfaces;
            self.pose_points(state, group, sections, &mut points[..group.n_point()]);
            if let Some(tissue) = &group.tissue {
                self.swing(state, input, &beat, (g, group, tissue), &mut surfaces);
            }
            let Surfaces { sections, records, points, .. } = &mut surfaces;
            let (first, shortest) = (&*table.first, self.muscles.shortest);
            let points = &points[..group.n_point()];
            surface::records(self.instructions, &self.muscles, group, first, sections, points, shortest, records);
        }
        if beat.dt > 0.0 {
            state.soft.left = beat.left;
        }
        state.surfaces = surfaces;
    }

    /// The points of eight bellies where the pose has them: the one place that knows how a belly is made.
    fn pose_points(&self, state: &BodyState, group: &Group, sections: &[Section], points: &mut [Lane3]) {
        let muscles = &*self.muscles;
        let offsets = &self.surfaces.offset[group.first_row..][..group.n_point()];
        surface::points(self.instructions, muscles, group, offsets, sections, points);
        for (l, m) in group.muscle[..group.count].iter().map(|&m| usize::from(m)).enumerate() {
            if muscles.sheet.of[m].is_some() {
                state.each_sheet_point(muscles, m, |i, point| points[i].set(l, point));
                continue;
            }
            let Some(row) = muscles.shapes_of[m] else { continue };
            let shapes = &muscles.shapes[row as usize];
            let weights = &state.shape_weight[shapes.first..][..shapes.len()];
            for (i, point) in points.iter_mut().enumerate() {
                let (ring, sector) = (i / group.sectors, i % group.sectors);
                let section = &sections[muscles.ring_start[m] as usize + ring];
                let angle = std::f32::consts::TAU * sector as f32 / group.sectors as f32;
                let around = Vec2::new(libm::cosf(angle), libm::sinf(angle)) * muscles.rest[m].rings[ring].half_axes;
                let offset = around * shapes.factor(weights, i);
                point.set(l, section.center + section.b * offset.x + section.c * offset.y);
            }
        }
    }

    /// Carry eight soft bellies over the frame, and tell the rings how far they went.
    fn swing(
        &self,
        state: &mut BodyState,
        input: &StepInput,
        beat: &Beat,
        (g, group, tissue): (usize, &Group, &Tissue),
        surfaces: &mut Surfaces,
    ) {
        let motion = self.motion(state, input, g, group, tissue);
        let memory = Memory {
            particles: &mut state.soft.particles[group.first_particle..][..group.n_point()],
            rings: &mut state.soft.rings[group.first_ring..][..group.rings],
        };
        let (grid, points) = ((group.rings, group.sectors), &mut surfaces.points[..group.n_point()]);
        soft::swing(self.instructions, tissue, grid, beat, &motion, memory, points, &mut surfaces.work);
        for (l, m) in group.muscle[..group.count].iter().map(|&m| usize::from(m)).enumerate() {
            let rings = &mut surfaces.ring_shift[self.muscles.ring_start[m] as usize..][..group.rings];
            rings.iter_mut().zip(&surfaces.work.shift).for_each(|(ring, shift)| *ring = shift.get(l));
            surfaces.belly_shift[m] = rings.iter().sum::<Vec3>() / (group.rings - 2) as f32;
        }
    }

    /// What eight soft bellies are told of this frame, and which of them start at rest.
    fn motion(&self, state: &mut BodyState, input: &StepInput, g: usize, group: &Group, tissue: &Tissue) -> Motion {
        let (dt, to_world) = (input.dt.clamp(0.0, 1.0), Mat3::from(input.world_from_model.matrix3));
        let scale = scale_of(&input.world_from_model);
        let stands = Vec3::from(input.world_from_model.translation);
        let upright = Mat3::from(super::frame::turn_of(&input.world_from_model));
        let mut motion = Motion {
            to_world,
            to_model: to_world.inverse(),
            moved: Lane3::default(),
            gravity: Lane3::default(),
            last_dt: [dt; LANES],
            settles: [0.0; LANES],
        };
        for l in 0..LANES {
            let m = usize::from(group.muscle[l]);
            // spare lanes hold the first muscle once more; it has been asked already
            let own = l < group.count;
            let spring = &mut state.spring[m];
            let anchor = input.world_from_model.transform_point3(state.anchor[m]);
            motion.last_dt[l] = spring.last_step;
            let settles = own && spring::settle(spring, anchor, dt, self.height * scale, input.teleport);
            let stood = state.soft.stood[g].get(l);
            if settles || !own {
                motion.settles[l] = 1.0;
                motion.last_dt[l] = dt;
                state.soft.stood[g].set(l, stands);
                continue;
            }
            motion.moved.set(l, stands - stood);
            let turn = upright * state.turn[self.muscles.ellipsoid[m].carrier];
            motion.gravity.set(l, changed(input.gravity, turn) * (tissue.gravity[l] * scale));
            if dt > 0.0 {
                (spring.anchor, spring.last_step) = (anchor, dt);
                state.soft.stood[g].set(l, stands);
            }
        }
        motion
    }
}

/// How large the world counts a metre of the character.
pub(super) fn scale_of(world_from_model: &Affine3A) -> f32 {
    let columns = world_from_model.matrix3;
    columns.x_axis.length().max(columns.y_axis.length()).max(columns.z_axis.length()).max(f32::MIN_POSITIVE)
}

/// What of gravity is new to a limb that has turned so since bind, world axes.
pub(super) fn changed(gravity: Vec3, turn: Mat3) -> Vec3 {
    let new = gravity - turn * gravity;
    if new.length_squared() > GRAVITY_FLOOR * GRAVITY_FLOOR * gravity.length_squared() { new } else { Vec3::ZERO }
}
