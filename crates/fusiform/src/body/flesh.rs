//! Flesh: the tissue of a character, from its document, and carried over its frames.
//!
//! In  the skin as the layers before left it, the surfaces of bellies, the joints.
//! Out the same skin, moved by what the tissue under it does.
//!
//! Everything the tissue knows is in metres along the world's axes, counted from where the character stands: it does not
//! matter how large the world counts a metre, nor how far from its origin the character is.

mod welded;

use super::bellies::changed;
use super::spring::{self, SpringState};
use super::threads::Spread;
use super::tissue::{
    BellyGrid, Constants, Frame, Geometry, Impulse, Integrator, Lengths, Network, Plane, Posed, State, Tissue, Work,
    verlet_steps_a_tick,
};
use super::{BindError, Body, BodyState, StepInput, attach, frame, surface, tissue};
use crate::character::Character;
use crate::musculature::{self, Layer, Musculature, TissueIntegrator, TissueRest};
use glam::{Mat3, Vec3};
use std::ops::Range;
use welded::Welded;

/// More sub-steps a tick than this are refused: a second would take minutes.
const MOST_VERLET_STEPS: u32 = 20_000;
/// So many contacts count in a frame, and so many impulses.
const MOST_AT_ONCE: usize = 16;
/// A vertex that no tissue moves.
const NONE: u32 = u32::MAX;

/// The tissue of a character; constants.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FleshTable {
    tissue: Tissue,
    particle_of: Box<[u32]>, // n_vertex    the particle it follows, or NONE
    vertex_of: Box<[u32]>,   // n_skin      where its particle is posed
    belly: Box<[Belly]>,     // the bellies that take part, as muscles go
    at_bind: BelliesAtBind,
    n_belly_point: usize,     // of all of them
    bone: Box<[(u16, Vec3)]>, // n_bone      joint, and place at bind, m, model space
    gravity: f32,
    muscularity: f32,
}

/// A belly that takes part.
#[derive(Clone, Debug, PartialEq)]
struct Belly {
    muscle: usize,
    points: Range<usize>, // of all bellies' points
    sectors: usize,
}

/// What the flesh of one character remembers between frames.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FleshState {
    state: State,
    stood: Vec3,       // m, world space
    root: SpringState, // what notices that a character was put somewhere else
}

/// Scratch of a frame.
#[derive(Clone, Debug)]
pub(crate) struct FleshWork {
    work: Work,
    skin: Vec<Vec3>,    // n_skin
    bellies: Vec<Vec3>, // n_belly_point
    feet: Vec<Vec3>,    // of the largest belly
    bones: Vec<Vec3>,   // n_bone
    gravity: Vec<Vec3>, // n_joint
    to_world: Mat3,     // of the last frame
}

impl FleshTable {
    /// Of a document that has such a layer and passed its check.
    ///
    /// # Errors
    /// When the chosen integrator would take too many steps.
    pub fn new(character: &Character, musculature: &Musculature, body: &Body) -> Result<Option<Self>, BindError> {
        let Some((layer, Layer::Tissue(of))) = musculature.layers.iter().enumerate().next_back() else {
            return Ok(None);
        };
        let skin = Welded::new(character, musculature);
        let bellies = bellies_of(musculature, body, of);
        let at_bind = BelliesAtBind::new(body, bellies.iter().map(|belly| belly.muscle), of.muscularity);
        let grid = |belly: &Belly| {
            let joint = body.muscles.ellipsoid[belly.muscle].carrier as u16;
            let (points, full) = (&at_bind.points[belly.points.clone()], &at_bind.full[belly.points.clone()]);
            BellyGrid { rings: points.len() / belly.sectors, sectors: belly.sectors, points, full, joint }
        };
        let grids: Vec<BellyGrid> = bellies.iter().map(grid).collect();
        let bones = bones_of(character, musculature, of);
        let places: Vec<Vec3> = bones.iter().map(|bone| bone.1).collect();
        let geometry = Geometry {
            skin: &skin.places,
            normals: &face_normals(&skin.places, &skin.triangles),
            triangles: &skin.triangles,
            joints: &skin.joints,
            bellies: &grids,
            bones: &places,
        };
        let network = Network::new(&geometry, &constants(of, musculature));
        let bone = network.bones.iter().map(|&b| bones[b as usize]).collect();
        let integrator = integrator(layer, of, &network)?;
        let lengths = match of.rest {
            TissueRest::Posed => Lengths::Posed,
            TissueRest::Bind => Lengths::Bind,
        };
        Ok(Some(Self {
            tissue: Tissue::new(network, lengths, integrator, of.reach),
            particle_of: skin.particle_of.into(),
            vertex_of: skin.vertex_of.into(),
            n_belly_point: bellies.last().map_or(0, |last| last.points.end),
            belly: bellies.into(),
            at_bind,
            bone,
            gravity: of.gravity,
            muscularity: of.muscularity,
        }))
    }

    /// Whether an edited body, whose tissue is not there yet, has the same bellies in the bind pose.
    pub fn hangs_on_bellies_of(&self, body: &Body) -> bool {
        let muscles = self.belly.iter().map(|belly| belly.muscle);
        self.at_bind == BelliesAtBind::new(body, muscles, self.muscularity)
    }

    /// Whether muscle `m` takes part.
    pub fn has_belly(&self, m: usize) -> bool {
        self.belly_of(m).is_some()
    }

    fn belly_of(&self, m: usize) -> Option<&Belly> {
        Some(&self.belly[self.belly.binary_search_by_key(&m, |belly| belly.muscle).ok()?])
    }
}

/// Masses and springs under a skin, at bind.
#[derive(Clone, Debug, PartialEq)]
pub struct TissueNetwork {
    /// Of all points, metres, model space: those that have mass first, then those on bones.
    pub places: Vec<Vec3>,
    /// Of those that have any, kg.
    pub masses: Vec<f32>,
    /// Between points.
    pub springs: Vec<TissueSpring>,
    /// Skin particles with neither belly nor bone below them: they are held where they are posed.
    pub lone: usize,
}

/// A spring of a [`TissueNetwork`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TissueSpring {
    /// Points it is between.
    pub ends: [u32; 2],
    /// N/m.
    pub stiffness: f32,
    /// At bind, metres.
    pub length: f32,
}

fn constants(of: &musculature::Tissue, musculature: &Musculature) -> Constants {
    let physique = musculature.physique;
    Constants {
        skin: of.skin,
        muscle: of.belly,
        // less muscle holds less: thinner bellies alone would also be lighter, and swing no farther
        goal: of.goal * physique.stiffness * of.muscularity * of.muscularity,
        link: of.anchor,
        damping: of.damping * physique.damping,
        offset: of.depth,
        links: if of.links == 0 { usize::MAX } else { usize::from(of.links) },
        mass: of.mass,
        ..Constants::default()
    }
}

fn integrator(layer: usize, of: &musculature::Tissue, network: &Network) -> Result<Integrator, BindError> {
    match of.integrator {
        TissueIntegrator::Implicit => Ok(Integrator::PRECISE),
        TissueIntegrator::Quick => Ok(Integrator::QUICK),
        TissueIntegrator::Verlet => {
            let steps = verlet_steps_a_tick(network);
            if steps <= MOST_VERLET_STEPS {
                return Ok(Integrator::Verlet { steps });
            }
            let fault = format!("verlet would need {steps} steps for every 1/240 s, which no one waits for");
            Err(BindError::Tissue { layer, fault, cure: "lower its stiffness, raise its mass, or choose implicit" })
        }
    }
}

fn bellies_of(musculature: &Musculature, body: &Body, of: &musculature::Tissue) -> Vec<Belly> {
    let mut first = 0;
    let takes_part = |m: &usize| surface::takes_part(&of.muscles, musculature, *m);
    let belly = |muscle: usize| {
        let rest = &body.muscles.rest[muscle];
        let points = first..first + rest.points.len();
        first = points.end;
        Belly { muscle, points, sectors: rest.points.len() / rest.rings.len() }
    };
    (0..body.muscles.len()).filter(takes_part).map(belly).collect()
}

/// Points of bellies as a frame makes them in the bind pose: a network of places that frames miss, by however little, would
/// not rest there.
#[derive(Clone, Debug, PartialEq)]
struct BelliesAtBind {
    full: Box<[Vec3]>,   // n_belly_point  m, model space
    points: Box<[Vec3]>, // n_belly_point  as thick as the tissue is told
}

impl BelliesAtBind {
    /// Of a body whose tissue is not there yet.
    fn new(body: &Body, muscles: impl Iterator<Item = usize>, muscularity: f32) -> Self {
        let state = muscles_at_bind(body);
        let (mut full, mut points) = (Vec::new(), Vec::new());
        for m in muscles {
            let first = full.len();
            full.resize(first + body.belly_size(m), Vec3::ZERO);
            state.record_points(body, m, &mut full[first..]);
            let mut feet = vec![Vec3::ZERO; full.len() - first];
            state.belly_feet(body, m, &mut feet);
            points.extend(full[first..].iter().zip(&feet).map(|(&p, &foot)| as_thick(p, foot, muscularity)));
        }
        Self { full: full.into(), points: points.into() }
    }
}

/// A state whose muscles and surfaces of bellies are in the bind pose, and whose skin is not solved: nothing here looks at it.
fn muscles_at_bind(body: &Body) -> BodyState {
    let mut state = BodyState::room(body);
    let input = StepInput::new(&body.joints.bind, 0.0);
    attach::joints(input.pose, &body.joints.bind_from_model, &mut state.rows, &mut state.turn);
    body.step_muscles(&mut state, &input);
    state
}

fn as_thick(point: Vec3, foot: Vec3, muscularity: f32) -> Vec3 {
    if muscularity == 1.0 { point } else { foot + (point - foot) * muscularity }
}

/// Outward normals of vertices, by the areas of the faces around them.
fn face_normals(places: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; places.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| places[v as usize]);
        let area = (b - a).cross(c - a);
        triangle.iter().for_each(|&v| normals[v as usize] += area);
    }
    normals.iter_mut().for_each(|n| *n = n.normalize_or_zero());
    normals
}

/// The vertices of bones that take part: joint, and place at bind.
fn bones_of(character: &Character, musculature: &Musculature, of: &musculature::Tissue) -> Vec<(u16, Vec3)> {
    let takes_part = |name: &String| of.bones.is_empty() || of.bones.contains(name);
    let mut points = Vec::new();
    for bone in musculature.bones.iter().filter(|bone| takes_part(&bone.name)) {
        let Some(joint) = character.skeleton.find(&bone.joint) else { continue };
        let bind = character.skeleton.joints[joint].bind;
        let (places, _) = bone.shape.surface();
        points.extend(places.into_iter().map(|p| (joint as u16, bind.transform_point3(p))));
    }
    points
}

impl FleshState {
    pub fn new(table: &FleshTable) -> Self {
        Self { state: State::new(&table.tissue), stood: Vec3::ZERO, root: SpringState::default() }
    }

    /// Forget all motion: the next frame starts at rest.
    pub fn reset(&mut self) {
        self.root = SpringState::default();
    }

    /// Become the other, which is of the same network.
    pub fn restore(&mut self, other: &Self) {
        self.state.restore(&other.state);
        (self.stood, self.root) = (other.stood, other.root);
    }

    /// Go on as the other, of an edited body; where that has other points, begin at rest.
    pub fn adopt(&mut self, other: &Self) {
        if self.state.adopt(&other.state) {
            (self.stood, self.root) = (other.stood, other.root);
        }
    }
}

impl FleshWork {
    pub fn new(table: &FleshTable, n_joint: usize) -> Self {
        let largest = table.belly.iter().map(|belly| belly.points.len()).max().unwrap_or(0);
        Self {
            work: Work::new(&table.tissue),
            skin: vec![Vec3::ZERO; table.vertex_of.len()],
            bellies: vec![Vec3::ZERO; table.n_belly_point],
            feet: vec![Vec3::ZERO; largest],
            bones: vec![Vec3::ZERO; table.bone.len()],
            gravity: vec![Vec3::ZERO; n_joint],
            to_world: Mat3::IDENTITY,
        }
    }
}

impl Body {
    /// Let the tissue take the posed skin along.
    pub(super) fn step_flesh(&self, spread: Spread, state: &mut BodyState, input: &StepInput) {
        let (Some(table), Some(mut flesh), Some(mut work)) = (&self.flesh, state.flesh.take(), state.flesh_work.take())
        else {
            return;
        };
        self.pose_flesh(table, state, input, &mut work);
        let world = &input.world_from_model;
        let (turn, dt) = (work.to_world, input.dt.clamp(0.0, 1.0));
        let scale = super::bellies::scale_of(world);
        let stands = Vec3::from(world.translation);
        let root = world.transform_point3(Vec3::from(input.pose[0].translation));
        let settles = spring::settle(&mut flesh.root, root, dt, self.height * scale, input.teleport);
        if dt > 0.0 {
            flesh.root.anchor = root;
        }
        let moved = if settles { Vec3::ZERO } else { (stands - flesh.stood) / scale };
        flesh.stood = stands;
        let mut planes = [Plane { normal: Vec3::Y, offset: f32::MIN }; MOST_AT_ONCE];
        let n_plane = fill(&mut planes, input.contacts.iter().filter_map(|contact| contact.plane(stands, scale)));
        let mut pushes = [Impulse { place: Vec3::ZERO, radius: 0.0, momentum: Vec3::ZERO }; MOST_AT_ONCE];
        let n_push = fill(&mut pushes, input.impulses.iter().filter_map(|impulse| impulse.push(stands, scale)));
        let frame = Frame {
            dt,
            moved,
            settles,
            posed: Posed { skin: &work.skin, bellies: &work.bellies, bones: &work.bones },
            gravity: &work.gravity,
            impulses: &pushes[..n_push],
            planes: &planes[..n_plane],
        };
        table.tissue.step(&mut flesh.state, &frame, &mut work.work, self.instructions, spread);
        let to_model = turn.transpose();
        for (position, &particle) in state.positions.iter_mut().zip(&table.particle_of) {
            if particle != NONE {
                *position += to_model * table.tissue.skin_offset(&flesh.state, particle as usize);
            }
        }
        (state.flesh, state.flesh_work) = (Some(flesh), Some(work));
    }

    /// Where skin, bellies and bones are posed, and what gravity has changed for every joint.
    fn pose_flesh(&self, table: &FleshTable, state: &BodyState, input: &StepInput, work: &mut FleshWork) {
        let turn = Mat3::from(frame::turn_of(&input.world_from_model));
        work.to_world = turn;
        for (place, &vertex) in work.skin.iter_mut().zip(&table.vertex_of) {
            *place = turn * state.positions[vertex as usize];
        }
        for belly in &table.belly {
            let points = &mut work.bellies[belly.points.clone()];
            state.record_points(self, belly.muscle, points);
            if table.muscularity != 1.0 {
                let feet = &mut work.feet[..points.len()];
                state.belly_feet(self, belly.muscle, feet);
                points.iter_mut().zip(feet).for_each(|(p, foot)| *p = as_thick(*p, *foot, table.muscularity));
            }
            points.iter_mut().for_each(|p| *p = turn * *p);
        }
        for (place, (joint, at_bind)) in work.bones.iter_mut().zip(&table.bone) {
            *place = turn * attach::carry(&state.rows[usize::from(*joint)], *at_bind);
        }
        for (gravity, of_joint) in work.gravity.iter_mut().zip(&state.turn) {
            *gravity = changed(input.gravity, turn * *of_joint) * table.gravity;
        }
    }

    /// The tissue of this body at bind, if it has any: for looking at and for measuring.
    #[must_use]
    pub fn tissue(&self) -> Option<TissueNetwork> {
        let network = &self.flesh.as_ref()?.tissue.network;
        let spring = |of: &tissue::Spring| TissueSpring { ends: of.ends, stiffness: of.stiffness, length: of.length };
        Some(TissueNetwork {
            places: network.at_bind.to_vec(),
            masses: network.mass.to_vec(),
            springs: network.springs.iter().map(spring).collect(),
            lone: network.lone,
        })
    }
}

/// As many as there is room for; returns how many.
fn fill<T>(room: &mut [T], items: impl Iterator<Item = T>) -> usize {
    room.iter_mut().zip(items).map(|(place, item)| *place = item).count()
}

impl BodyState {
    /// Take the points of a belly that takes part in the tissue from where they are posed to where they swing.
    pub(super) fn swing_belly(&self, body: &Body, m: usize, points: &mut [Vec3]) {
        let (Some(table), Some(flesh), Some(work)) = (&body.flesh, &self.flesh, &self.flesh_work) else { return };
        let Some(belly) = table.belly_of(m) else { return };
        let to_model = work.to_world.transpose();
        for (point, row) in points.iter_mut().zip(belly.points.clone()) {
            *point += to_model * table.tissue.belly_offset(&flesh.state, row);
        }
    }
}
