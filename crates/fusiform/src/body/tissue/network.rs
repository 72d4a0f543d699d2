//! Network: which masses and springs a character's tissue is made of, found once, at bind.
//!
//! ```text
//! mᵢ = M Aᵢ / ΣA                         Aᵢ  a third of the triangles around vertex i; M all of the tissue
//! kᵢⱼ = K (aᵢ + aⱼ)/2    skin-skin, muscle-muscle           a = A / mean A of skin, or of bellies
//! kᵢ  = K aᵢ             dynamic to quasi-static belly, the same vertex
//! kᵢⱼ = K / max(|xᵢⱼ|, 1 mm)   skin-muscle, skin-bone       |xᵢⱼ| in mm
//! cᵢⱼ = √(kᵢⱼ · 1 kg) / 50
//! ```
//!
//! Murai, Hong, Yamane, Hodgins: *Dynamic Skin Deformation Simulation Using Musculoskeletal Model and Soft Tissue
//! Dynamics*, 2016, section 3.3 and Table 1. Skin is linked to what lies in the hemisphere below it, against its normal,
//! within r + 2 cm. The paper takes r to the nearest vertex of any muscle or bone; here it is the nearest **inside the
//! hemisphere**: beside a belly that pokes through the skin, the other would leave nothing to link to. Ours, too: skin that
//! finds nothing within [`Constants::farthest`] is held at its posed place as dynamic bellies are.

use super::grid::PointGrid;
use crate::body::belly::triangles as belly_triangles;
use glam::Vec3;

/// Vertices with less surface than this share of the mean count as having it: belly ends are points, and a spring on
/// next to no mass would need next to no step.
const LEAST_AREA: f32 = 0.1;
/// A ring of a belly no wider than this is one particle, radius in m: the belly ends in a point.
const TIP: f32 = 1e-3;
/// Links are never taken for shorter, mm.
const SHORTEST_LINK: f32 = 1.0;

/// What the tissue is made of; Table 1 by default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Constants {
    /// K_ss, skin to skin, N/m at a vertex of mean area.
    pub skin: f32,
    /// K_mm, muscle to muscle, likewise.
    pub muscle: f32,
    /// K_dqm, dynamic to quasi-static muscle, likewise.
    pub goal: f32,
    /// K_smb, skin to muscle and skin to bone, N/m times mm of length.
    pub link: f32,
    /// Damping of a spring over the root of its stiffness, √kg.
    pub damping: f32,
    /// How much deeper than the nearest point links reach, m.
    pub offset: f32,
    /// How far the nearest point may be, m.
    pub farthest: f32,
    /// At most so many links a skin vertex, nearest first, together as stiff as all: `usize::MAX` is the paper's.
    pub links: usize,
    /// Of all tissue, kg.
    pub mass: f32,
}

impl Default for Constants {
    fn default() -> Self {
        Self {
            skin: 1e4,
            muscle: 1e5,
            goal: 1e2,
            link: 1e7,
            damping: 1.0 / 50.0,
            offset: 0.02,
            farthest: 0.1,
            links: usize::MAX,
            mass: 30.0,
        }
    }
}

impl Constants {
    fn damping_of(&self, stiffness: f32) -> f32 {
        stiffness.max(0.0).sqrt() * self.damping
    }

    /// Of a vertex with that share of the mean area.
    fn goal_of(&self, share: f32) -> Goal {
        let stiffness = self.goal * share;
        Goal { stiffness, damping: self.damping_of(stiffness) }
    }
}

/// One belly at bind: rings x sectors points, already as thick as the character's muscularity makes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BellyGrid<'a> {
    /// Along the belly.
    pub rings: usize,
    /// Around it.
    pub sectors: usize,
    /// Ring by ring, m.
    pub points: &'a [Vec3],
    /// The same at muscularity 1: these say what skin is linked to. A thinner belly is farther below its skin and its links
    /// are softer; looked for anew, there would be more of them, since their reach grows with the distance.
    pub full: &'a [Vec3],
    /// The joint that carries it: whose gravity it feels.
    pub joint: u16,
}

/// What a network is made from, at bind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Geometry<'a> {
    /// Skin particles, welded: one for each place, m.
    pub skin: &'a [Vec3],
    /// Outward, one for each particle.
    pub normals: &'a [Vec3],
    /// Over skin particles.
    pub triangles: &'a [[u32; 3]],
    /// The joint that carries each particle most: whose gravity it feels.
    pub joints: &'a [u16],
    /// In the order in which frames give their points.
    pub bellies: &'a [BellyGrid<'a>],
    /// Points on bones, m.
    pub bones: &'a [Vec3],
}

/// Between which kinds of points a spring is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Between {
    /// Two skin vertices.
    Skin,
    /// Two vertices of one belly.
    Muscle,
    /// Skin and a belly.
    SkinAndMuscle,
    /// Skin and a bone.
    SkinAndBone,
}

/// A spring and damper between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spring {
    /// Points: skin first, then bellies, then [`Network::bones`].
    pub ends: [u32; 2],
    /// k, N/m.
    pub stiffness: f32,
    /// c, N s/m.
    pub damping: f32,
    /// At bind, m.
    pub length: f32,
    /// What kinds of points.
    pub between: Between,
}

/// What holds one particle at its posed place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Goal {
    /// k, N/m.
    pub stiffness: f32,
    /// c, N s/m.
    pub damping: f32,
}

/// Masses and springs. Points are numbered skin first, then bellies one after the other, then bones.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Network {
    /// How many points are skin.
    pub n_skin: usize,
    /// How many are on bellies.
    pub n_muscle: usize,
    /// n_muscle: the belly point each stands for, of all bellies' points one after the other.
    pub point_of: Box<[u32]>,
    /// One for each belly point: the belly particle that carries it, from 0.
    pub particle_of: Box<[u32]>,
    /// Which of the given bone points hold skin, in the order in which frames give them.
    pub bones: Box<[u32]>,
    /// n_free, kg.
    pub mass: Box<[f32]>,
    /// n_free; stiffness 0 where nothing but springs holds the particle.
    pub goal: Box<[Goal]>,
    /// Sorted by what they are between.
    pub springs: Box<[Spring]>,
    /// How many skin particles found no muscle and no bone below them.
    pub lone: usize,
    /// All points at bind, m.
    pub at_bind: Box<[Vec3]>,
    /// n_free: the joint whose gravity each feels.
    pub joint: Box<[u16]>,
    /// How much deeper than the nearest point links reach, m.
    pub offset: f32,
}

impl Network {
    /// Skin and belly particles: what moves.
    pub fn n_free(&self) -> usize {
        self.n_skin + self.n_muscle
    }

    /// Of the tissue around `geometry`.
    pub fn new(geometry: &Geometry, constants: &Constants) -> Self {
        let n_skin = geometry.skin.len();
        let (particle_of, point_of) = belly_particles(geometry.bellies);
        let belly_points: Vec<Vec3> = geometry.bellies.iter().flat_map(|belly| belly.points).copied().collect();
        let muscle: Vec<Vec3> = point_of.iter().map(|&p| belly_points[p as usize]).collect();
        let muscle_triangles = triangles_of(geometry.bellies, &particle_of);
        let areas = [areas(geometry.skin, geometry.triangles), areas(&muscle, &muscle_triangles)];
        let shares = [shares(&areas[0]), shares(&areas[1])];
        let full: Vec<Vec3> = geometry.bellies.iter().flat_map(|belly| belly.full).copied().collect();
        let full: Vec<Vec3> = point_of.iter().map(|&p| full[p as usize]).collect();
        let links = links(geometry, &muscle, &full, constants);

        let (used, row) = used_bones(&links, muscle.len(), geometry.bones.len());
        let places = geometry.skin.iter().chain(&muscle).copied();
        let at_bind: Box<[Vec3]> = places.chain(used.iter().map(|&b| geometry.bones[b as usize])).collect();
        let mut springs = Vec::new();
        let kinds = [
            (geometry.triangles, 0, constants.skin, Between::Skin),
            (&muscle_triangles, n_skin, constants.muscle, Between::Muscle),
        ];
        for ((triangles, first, k, between), share) in kinds.into_iter().zip(&shares) {
            let edge = |[a, b]: [u32; 2]| {
                let stiffness = k * 0.5 * (share[a as usize] + share[b as usize]);
                let ends = [a + first as u32, b + first as u32];
                let length = at_bind[ends[0] as usize].distance(at_bind[ends[1] as usize]);
                Spring { ends, stiffness, damping: constants.damping_of(stiffness), length, between }
            };
            springs.extend(edges(triangles).into_iter().map(edge));
        }
        springs.extend(links.iter().map(|link| link.spring(n_skin, muscle.len(), &row, constants)));
        springs.sort_by_key(|s| s.between as u8);

        let belly_joints: Vec<u16> = geometry.bellies.iter().flat_map(|b| b.points.iter().map(|_| b.joint)).collect();
        let muscle_joints = point_of.iter().map(|&p| belly_joints[p as usize]);
        let joint = geometry.joints.iter().copied().chain(muscle_joints).collect();
        let mut is_anchored = vec![false; n_skin];
        links.iter().for_each(|link| is_anchored[link.skin as usize] = true);
        let skin = shares[0].iter().zip(&is_anchored);
        let skin =
            skin.map(|(&share, &is_anchored)| if is_anchored { Goal::default() } else { constants.goal_of(share) });
        let goal: Box<[Goal]> = skin.chain(shares[1].iter().map(|&share| constants.goal_of(share))).collect();
        Self {
            n_skin,
            n_muscle: muscle.len(),
            point_of: point_of.into(),
            particle_of: particle_of.into(),
            bones: used.into(),
            mass: masses(&areas, constants.mass),
            goal,
            springs: springs.into(),
            lone: is_anchored.iter().filter(|is_anchored| !**is_anchored).count(),
            at_bind,
            joint,
            offset: constants.offset,
        }
    }

    #[cfg(test)]
    /// How many springs there are of a kind.
    pub fn count(&self, between: Between) -> usize {
        self.springs.iter().filter(|s| s.between == between).count()
    }
}

/// Which particle carries each belly point, and which point each particle stands for: one another's, but for tips.
fn belly_particles(bellies: &[BellyGrid]) -> (Vec<u32>, Vec<u32>) {
    let (mut particle_of, mut point_of) = (Vec::new(), Vec::new());
    for ring in bellies.iter().flat_map(|belly| belly.points.chunks(belly.sectors.max(1))) {
        let middle = ring.iter().sum::<Vec3>() / ring.len() as f32;
        let is_tip = ring.iter().all(|p| p.distance(middle) <= TIP);
        for sector in 0..ring.len() {
            if sector == 0 || !is_tip {
                point_of.push(particle_of.len() as u32);
            }
            particle_of.push(point_of.len() as u32 - 1);
        }
    }
    (particle_of, point_of)
}

/// Triangles of all bellies, over their particles.
fn triangles_of(bellies: &[BellyGrid], particle_of: &[u32]) -> Vec<[u32; 3]> {
    let mut first = 0;
    let mut all = Vec::new();
    for belly in bellies {
        let triangles = belly_triangles(belly.rings, belly.sectors).into_iter();
        all.extend(triangles.map(|t| t.map(|v| particle_of[(v + first) as usize])));
        first += belly.points.len() as u32;
    }
    all
}

/// A third of the triangles around each point, m².
fn areas(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<f64> {
    let mut areas = vec![0.0; points.len()];
    for &[a, b, c] in triangles {
        let [p, q, r] = [a, b, c].map(|v| points[v as usize].as_dvec3());
        let third = (q - p).cross(r - p).length() / 6.0;
        for v in [a, b, c] {
            areas[v as usize] += third;
        }
    }
    let least = f64::from(LEAST_AREA) * mean(&areas);
    areas.iter().map(|a| a.max(least)).collect()
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

/// Over their mean; 1 where there is no surface at all.
fn shares(areas: &[f64]) -> Vec<f32> {
    let mean = mean(areas);
    areas.iter().map(|a| if mean > 0.0 { (a / mean) as f32 } else { 1.0 }).collect()
}

/// Of skin and bellies, by area; alike where there is none.
fn masses(areas: &[Vec<f64>; 2], total: f32) -> Box<[f32]> {
    let all = || areas[0].iter().chain(&areas[1]).copied();
    let sum: f64 = all().sum();
    let even = 1.0 / all().count().max(1) as f64;
    all().map(|a| (f64::from(total) * if sum > 0.0 { a / sum } else { even }) as f32).collect()
}

/// Edges of triangles, each once, ascending.
fn edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut edges: Vec<[u32; 2]> = sides.filter(|[a, b]| a != b).map(|[a, b]| [a.min(b), a.max(b)]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// From a skin vertex to what lies below it.
struct Link {
    skin: u32,
    to: u32, // muscle points, then bone points
    stiffness: f32,
    length: f32,
}

impl Link {
    /// Between points; `row` is where each bone is kept.
    fn spring(&self, n_skin: usize, n_muscle: usize, row: &[u32], constants: &Constants) -> Spring {
        let &Self { skin, to, stiffness, length } = self;
        let (to, between) = match to as usize {
            muscle if muscle < n_muscle => (n_skin + muscle, Between::SkinAndMuscle),
            bone => (n_skin + n_muscle + row[bone - n_muscle] as usize, Between::SkinAndBone),
        };
        Spring { ends: [skin, to as u32], stiffness, damping: constants.damping_of(stiffness), length, between }
    }
}

fn links(geometry: &Geometry, muscle: &[Vec3], full: &[Vec3], constants: &Constants) -> Vec<Link> {
    let ends: Vec<Vec3> = muscle.iter().chain(geometry.bones).copied().collect();
    let anchors: Vec<Vec3> = full.iter().chain(geometry.bones).copied().collect();
    let grid = PointGrid::new(&anchors, constants.offset.max(1e-3));
    let mut links = Vec::new();
    let mut found: Vec<(f32, u32)> = Vec::new();
    for (skin, (&place, &normal)) in geometry.skin.iter().zip(geometry.normals).enumerate() {
        let below = |to: u32| normal.dot(anchors[to as usize] - place) <= 0.0;
        let Some(nearest) = grid.nearest(place, constants.farthest, below) else { continue };
        found.clear();
        grid.within(place, nearest + constants.offset, |to, distance| {
            if below(to) {
                found.push((distance, to));
            }
        });
        let length = |to: u32| ends[to as usize].distance(place);
        let k = |to: u32| constants.link / (1e3 * length(to)).max(SHORTEST_LINK);
        let sum = |found: &[(f32, u32)]| found.iter().map(|&(_, to)| f64::from(k(to))).sum::<f64>();
        let whole = sum(&found);
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found.truncate(constants.links.max(1));
        let kept = sum(&found);
        let gain = if kept > 0.0 { (whole / kept) as f32 } else { 1.0 };
        let link = |&(_, to): &(f32, u32)| Link { skin: skin as u32, to, stiffness: gain * k(to), length: length(to) };
        links.extend(found.iter().map(link));
    }
    links
}

/// Bones that a link ends at, and the row each is kept in.
fn used_bones(links: &[Link], n_muscle: usize, n_bone: usize) -> (Vec<u32>, Vec<u32>) {
    let mut row = vec![u32::MAX; n_bone];
    for link in links.iter().filter(|link| link.to as usize >= n_muscle) {
        row[link.to as usize - n_muscle] = 0;
    }
    let used: Vec<u32> = (0..n_bone as u32).filter(|&b| row[b as usize] == 0).collect();
    for (i, &b) in used.iter().enumerate() {
        row[b as usize] = i as u32;
    }
    (used, row)
}
