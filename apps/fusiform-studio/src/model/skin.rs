//! Skin: all meshes as one surface, whatever they are cut into, as a brush goes over it. Vertices at one place are one
//! point; a stroke treats them alike, or seams would tear.

use super::opposite::Opposite;
use super::{Falloff, Project, Recipe};
use fusiform::Character;
use fusiform_fit::Wear;
use glam::Vec3;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

/// Vertices nearer than this share of the height are at one place: what rounding leaves of equal places.
const SAME: f32 = 2e-6;
/// A point's mirror image is another point when that is within this share of the height.
const TWIN: f32 = 1e-4;
/// The brush fades where skin turns away from where it is put down: nothing at right angles, all from here on (cosine).
const FACING: f32 = 0.35;

/// Welded vertices, and who is next to whom.
#[derive(Debug)]
pub struct Skin {
    point_of: Vec<u32>,
    start: Vec<u32>,
    vertices: Vec<u32>,
    edges_start: Vec<u32>,
    edges: Vec<u32>,
    places: Vec<Vec3>, // n_point, at bind
    first_vertex: Vec<usize>,
    joints_of_mesh: Vec<Vec<u16>>,
    height: f32,
    twins: Mutex<Option<Twins>>,
}

/// The places of the skin that are the points' mirror images, as long as the same mesh is said to be the body.
#[derive(Clone, Debug)]
struct Twins {
    body: Option<usize>,
    of: Arc<Images>,
}

/// Where the image of each point lies, and of each point whose images it has a share in.
#[derive(Debug)]
struct Images {
    of: Vec<Shares>,
    start: Vec<u32>,
    whose: Vec<u32>,
}

impl Images {
    fn new(of: Vec<Shares>) -> Self {
        let shares = |(point, shares): (usize, &Shares)| shares.map(|(of, share)| (of, share, point as u32));
        let all = of.iter().enumerate().flat_map(shares).filter(|(_, share, _)| *share != 0.0);
        let (start, whose) = table(of.len(), all.map(|(of, _, point)| (of, point)).collect());
        Self { of, start, whose }
    }
}

/// Points and their shares in a place; nothing where there is none.
type Shares = [(u32, f32); 3];

/// Where a brush is put down on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dab {
    /// m, model space, on the skin as it is posed.
    pub place: Vec3,
    /// Out of the skin there.
    pub normal: Vec3,
    /// Vertices of the triangle it is on.
    pub corners: [usize; 3],
}

impl Skin {
    /// Of a character at bind; with the joints that each mesh may hang on.
    #[must_use]
    pub fn new(character: &Character, joints_of_mesh: Vec<Vec<u16>>) -> Self {
        let height = Some(character.height()).filter(|h| *h > 0.0).unwrap_or(1.0);
        let mut near = Near::new(SAME * height);
        let (mut places, mut point_of, mut first_vertex) = (Vec::new(), Vec::new(), vec![0]);
        for mesh in &character.meshes {
            for &place in &mesh.positions {
                let known = near.find(place, &places);
                point_of.push(known.unwrap_or_else(|| {
                    near.put(place, places.len() as u32);
                    places.push(place);
                    places.len() as u32 - 1
                }));
            }
            first_vertex.push(point_of.len());
        }
        let of_point = point_of.iter().enumerate().map(|(v, &point)| (point, v as u32)).collect();
        let (start, vertices) = table(places.len(), of_point);
        let meshes = character.meshes.iter().zip(&first_vertex);
        let corners = meshes.flat_map(|(mesh, &first)| {
            mesh.triangles.iter().map(move |corners| corners.map(|corner| first + corner as usize))
        });
        let sides = corners.flat_map(|corners| {
            let [a, b, c] = corners.map(|v| point_of[v]);
            [(a, b), (b, a), (b, c), (c, b), (c, a), (a, c)]
        });
        let (edges_start, edges) = table(places.len(), sides.filter(|(from, to)| from != to).collect());
        let twins = Mutex::new(None);
        Self { point_of, start, vertices, edges_start, edges, places, first_vertex, joints_of_mesh, height, twins }
    }

    /// How many points there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The point of a vertex, counted through all meshes.
    #[must_use]
    pub fn point_of(&self, vertex: usize) -> u32 {
        self.point_of[vertex]
    }

    /// All vertices of a point.
    #[must_use]
    pub fn vertices(&self, point: u32) -> &[u32] {
        row(&self.start, &self.vertices, point)
    }

    /// Points an edge leads to.
    #[must_use]
    pub fn around(&self, point: u32) -> &[u32] {
        row(&self.edges_start, &self.edges, point)
    }

    /// The mesh of a vertex, and its number there.
    #[must_use]
    pub fn in_mesh(&self, vertex: usize) -> (usize, usize) {
        let mesh = self.first_vertex.partition_point(|&first| first <= vertex).saturating_sub(1);
        (mesh, vertex - self.first_vertex[mesh])
    }

    /// Whether any mesh of a point is shown. A seam between one that is and one that is not is both's, or it would tear.
    #[must_use]
    pub fn is_shown(&self, point: u32, hidden_meshes: &BTreeSet<usize>) -> bool {
        let is_shown = |&vertex: &u32| !hidden_meshes.contains(&self.in_mesh(vertex as usize).0);
        hidden_meshes.is_empty() || self.vertices(point).iter().any(is_shown)
    }

    /// Whether a joint may hold a point: the skins of all its meshes must know it, or the file could not say so.
    #[must_use]
    pub fn may_hold(&self, point: u32, joint: u16) -> bool {
        self.vertices(point).iter().all(|&vertex| self.knows(self.in_mesh(vertex as usize).0, joint))
    }

    /// Whether the skin of a mesh knows a joint.
    #[must_use]
    pub fn knows(&self, mesh: usize, joint: u16) -> bool {
        self.joints_of_mesh.get(mesh).is_some_and(|joints| joints.binary_search(&joint).is_ok())
    }

    /// Points under a brush and how much it does there, 0 to 1: those that edges join to the place within its radius, and
    /// that face as the skin there does, so that it does not go through a thin limb. Of the skin as it is posed.
    #[must_use]
    pub fn reach(
        &self,
        (places, normals): (&[Vec3], &[Vec3]),
        dab: &Dab,
        radius: f32,
        falloff: Falloff,
    ) -> Vec<(u32, f32)> {
        if dab.corners.iter().any(|&v| v >= self.point_of.len()) || !(dab.place.is_finite() && radius > 0.0) {
            return Vec::new();
        }
        let mut seen: HashMap<u32, ()> = HashMap::new();
        let mut open: VecDeque<u32> = dab.corners.iter().map(|&v| self.point_of[v]).collect();
        let mut found = Vec::new();
        while let Some(point) = open.pop_front() {
            if seen.insert(point, ()).is_some() {
                continue;
            }
            let vertices = self.vertices(point);
            let share = places[vertices[0] as usize].distance(dab.place) / radius;
            let normal: Vec3 = vertices.iter().map(|&v| normals[v as usize]).sum();
            let facing = facing(dab.normal, normal.normalize_or_zero());
            if share >= 1.0 || facing <= 0.0 {
                continue;
            }
            found.push((point, falloff.at(share) * if falloff == Falloff::Constant { 1.0 } else { facing }));
            open.extend(self.around(point));
        }
        found.sort_unstable_by_key(|&(point, _)| point);
        found
    }

    /// The same on the other side of the middle plane at bind.
    #[must_use]
    pub fn mirrored(&self, project: &Project, recipe: &Recipe, touched: &[(u32, f32)]) -> Vec<(u32, f32)> {
        let images = self.twins(project, recipe);
        let amounts: HashMap<u32, f32> = touched.iter().copied().collect();
        let amount = |&(point, share): &(u32, f32)| share * amounts.get(&point).copied().unwrap_or(0.0);
        // most of the skin is far from what a brush touches
        let mut near: Vec<u32> =
            amounts.keys().flat_map(|&point| row(&images.start, &images.whose, point)).copied().collect();
        near.sort_unstable();
        near.dedup();
        let shares = near.into_iter().map(|point| (point, images.of[point as usize].iter().map(amount).sum::<f32>()));
        shares.filter(|(_, share)| *share > 0.0).collect()
    }

    /// Each point's mirror image; found when it is first asked for, and when another mesh is said to be the body.
    fn twins(&self, project: &Project, recipe: &Recipe) -> Arc<Images> {
        let mut known = self.twins.lock().unwrap_or_else(PoisonError::into_inner);
        let twins = known.take().filter(|twins| twins.body == recipe.body).unwrap_or_else(|| {
            let wear = recipe.wear(&project.character);
            Twins { body: recipe.body, of: Arc::new(Images::new(self.find_twins(project, &wear))) }
        });
        known.insert(twins).of.clone()
    }

    fn find_twins(&self, project: &Project, wear: &[Wear]) -> Vec<Shares> {
        let mesh = |point: usize| self.in_mesh(self.vertices(point as u32)[0] as usize).0;
        let mut near = [(); 3].map(|()| Near::new(TWIN * self.height)); // by what a mesh is
        for (point, &place) in self.places.iter().enumerate() {
            near[wear[mesh(point)] as usize].put(place, point as u32);
        }
        let opposite = Opposite::new(&project.character, &project.plane, wear);
        let twin = |(point, &place): (usize, &Vec3)| {
            let of = mesh(point);
            if let Some(twin) = near[wear[of] as usize].find(project.plane.image(place), &self.places) {
                return [(twin, 1.0), (twin, 0.0), (twin, 0.0)];
            }
            // a skin that is not the same left and right: between its points
            let Some(nearest) = opposite.of(of, place) else { return [(0, 0.0); 3] };
            let corner = |k: usize| {
                let vertex = self.first_vertex[nearest.mesh] + nearest.corners[k] as usize;
                (self.point_of.get(vertex).copied().unwrap_or(0), nearest.shares[k])
            };
            [corner(0), corner(1), corner(2)]
        };
        self.places.iter().enumerate().map(twin).collect()
    }
}

/// How much of a brush that is put down on skin facing one way works on skin facing another, 0 to 1.
#[must_use]
pub fn facing(normal: Vec3, other: Vec3) -> f32 {
    if normal == Vec3::ZERO || other == Vec3::ZERO {
        return 1.0; // skin of no area faces nowhere
    }
    let t = (normal.dot(other) / FACING).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Places by the cell of space they are in.
struct Near {
    within: f32,
    cells: HashMap<[i64; 3], Vec<u32>>,
}

impl Near {
    fn new(within: f32) -> Self {
        Self { within: within.max(f32::MIN_POSITIVE), cells: HashMap::new() }
    }

    fn cell(&self, place: Vec3) -> [i64; 3] {
        (place / (4.0 * self.within)).floor().to_array().map(|x| x as i64)
    }

    fn put(&mut self, place: Vec3, point: u32) {
        self.cells.entry(self.cell(place)).or_default().push(point);
    }

    /// The nearest of all that were put, if there is one within reach.
    fn find(&self, place: Vec3, places: &[Vec3]) -> Option<u32> {
        let reach = Vec3::splat(self.within);
        let [low, high] = [self.cell(place - reach), self.cell(place + reach)];
        let mut nearest = (self.within, None);
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    for &point in self.cells.get(&[x, y, z]).into_iter().flatten() {
                        let away = places[point as usize].distance(place);
                        if away <= nearest.0 {
                            nearest = (away, Some(point));
                        }
                    }
                }
            }
        }
        nearest.1
    }
}

/// Pairs as rows of a table of n: where each row starts, and what is in it, each once, ascending.
fn table(n: usize, mut pairs: Vec<(u32, u32)>) -> (Vec<u32>, Vec<u32>) {
    pairs.sort_unstable();
    pairs.dedup();
    let mut start = vec![0; n + 1];
    pairs.iter().for_each(|&(row, _)| start[row as usize + 1] += 1);
    for i in 0..n {
        start[i + 1] += start[i];
    }
    (start, pairs.into_iter().map(|(_, what)| what).collect())
}

fn row<'a>(start: &[u32], of: &'a [u32], row: u32) -> &'a [u32] {
    &of[start[row as usize] as usize..start[row as usize + 1] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_mirrored_is_what_every_point_has_of_its_image() {
        let (project, _) = Project::athlete(Some(3_700)).unwrap();
        let (skin, recipe) = (project.skin(), Recipe::default());
        let touched: Vec<(u32, f32)> = (0..200).map(|k| (7 * k, 0.1 + 0.004 * k as f32)).collect();
        let mut amount = vec![0.0; skin.len()];
        touched.iter().for_each(|&(point, share)| amount[point as usize] = share);
        let images = skin.twins(&project, &recipe);
        let of = |shares: &Shares| shares.iter().map(|&(point, share)| share * amount[point as usize]).sum::<f32>();
        let all = (0..).zip(images.of.iter().map(of)).filter(|(_, share)| *share > 0.0);
        let expected: Vec<(u32, f32)> = all.collect();
        assert!(expected.len() > 150, "{}", expected.len());
        assert_eq!(skin.mirrored(&project, &recipe, &touched), expected);
    }
}
