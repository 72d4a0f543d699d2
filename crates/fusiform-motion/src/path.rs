//! Where muscles run, how long they are, and how they turn joints.
//!
//! ```text
//! R = −∂l/∂q = Σ over straight parts  u · (∂a/∂q − ∂b/∂q)      from a to b, u its direction
//! ```
//!
//! A part that lies on a surface moves with it, and a geodesic's length changes only through its ends, so only straight parts
//! count. Which surfaces a path runs over is decided as `OpenSim`'s `GeometryPath` does. No history: each posture is answered
//! as if it were the first.
//!
//! In  [`Posture`]. Out [`PathState`]; allocates on the first call only.

mod route;
#[cfg(test)]
mod tests;
mod wrapping;

use crate::model::Model;
use crate::system::{ModelError, Posture, System};
use crate::wrap::Way;
use glam::DVec3;
use route::{Route, Station, Surface};

/// The paths of all muscles of a model, checked once.
#[derive(Clone, Debug, PartialEq)]
pub struct Paths {
    routes: Box<[Route]>,
    surfaces: Box<[Surface]>,
}

/// Paths as they run in one posture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathState {
    /// n_muscle: m.
    pub length: Vec<f64>,
    /// n_muscle × n_coordinate: moment arms, m (without unit for translations); what hangs on coordinates that follow others
    /// is with those that lead.
    pub arms: Vec<f64>,
    nodes: Vec<Node>,
    node_end: Vec<usize>, // n_muscle: where its nodes end
    path: Vec<Node>,      // of the muscle at hand
}

/// A place where a path bends: one of its points, or where it meets or leaves a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    /// In ground, m.
    place: DVec3,
    body: usize,
    on: On,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum On {
    /// Index into the route's points.
    Point(usize),
    /// Where the path meets a surface, which of the route's, and how it goes on, in ground.
    Meets { over: usize, surface: usize, way: Way },
    /// Where it leaves it.
    Leaves { over: usize, surface: usize },
}

impl Paths {
    /// Check the muscles of a model and lay them out.
    pub fn new(model: &Model, system: &System) -> Result<Self, ModelError> {
        let surfaces: Result<_, _> = model.wraps.iter().map(|wrap| Surface::new(wrap, system)).collect();
        let routes: Result<_, _> = model.muscles.iter().map(|muscle| Route::new(muscle, model, system)).collect();
        Ok(Self { routes: routes?, surfaces: surfaces? })
    }

    /// How many muscles.
    #[must_use]
    pub fn n_muscle(&self) -> usize {
        self.routes.len()
    }

    /// Lengths and moment arms of all muscles in a posture of the same system.
    pub fn pull(&self, system: &System, posture: &Posture, out: &mut PathState) {
        let n_coordinate = system.n_coordinate();
        out.make_room(self);
        out.arms.resize(self.routes.len() * n_coordinate, 0.0);
        out.arms.fill(0.0);
        for (m, route) in self.routes.iter().enumerate() {
            out.path.clear();
            route.place_points(posture, &mut out.path);
            self.run_over_surfaces(route, posture, &mut out.path);
            let arms = &mut out.arms[m * n_coordinate..][..n_coordinate];
            out.length.push(length(&out.path));
            for pair in out.path.windows(2) {
                add_arms(system, posture, route, [&pair[0], &pair[1]], arms);
            }
            system.gather(&posture.q, arms);
            out.nodes.extend_from_slice(&out.path);
            out.node_end.push(out.nodes.len());
        }
    }
}

impl PathState {
    /// The most that any posture needs, so that no later one allocates.
    fn make_room(&mut self, paths: &Paths) {
        self.length.clear();
        self.nodes.clear();
        self.node_end.clear();
        let needs = |route: &Route| route.points.len() + 2 * route.over.len();
        self.length.reserve(paths.routes.len());
        self.node_end.reserve(paths.routes.len());
        self.nodes.reserve(paths.routes.iter().map(needs).sum());
        self.path.clear();
        self.path.reserve(paths.routes.iter().map(needs).max().unwrap_or(0));
    }

    /// A muscle's line in ground, from origin to insertion, surfaces in steps of about `step` metres: added to `out`.
    pub fn line(&self, muscle: usize, step: f64, out: &mut Vec<DVec3>) {
        self.walk(muscle, step, |_, place| out.push(place));
    }

    /// The same as [`PathState::line`], each place with the index of the body that carries it.
    pub fn carried_line(&self, muscle: usize, step: f64, out: &mut Vec<(usize, DVec3)>) {
        self.walk(muscle, step, |body, place| out.push((body, place)));
    }

    fn walk(&self, muscle: usize, step: f64, mut each: impl FnMut(usize, DVec3)) {
        let start = muscle.checked_sub(1).map_or(0, |before| self.node_end[before]);
        for node in &self.nodes[start..self.node_end[muscle]] {
            each(node.body, node.place);
            if let On::Meets { way, .. } = node.on {
                let n = (way.length / step).ceil().clamp(1.0, 1000.0) as usize;
                (1..n).for_each(|i| each(node.body, way.arc.at(i as f64 / n as f64)));
            }
        }
    }
}

/// How long a part of a path is, and whether it is straight.
fn part(from: &Node, to: &Node) -> (f64, bool) {
    match (from.on, to.on) {
        (On::Meets { over, way, .. }, On::Leaves { over: left, .. }) if over == left => (way.length, false),
        _ => (from.place.distance(to.place), true),
    }
}

fn length(path: &[Node]) -> f64 {
    path.windows(2).map(|pair| part(&pair[0], &pair[1]).0).sum()
}

/// What one part of a path adds to −∂l/∂q.
fn add_arms(system: &System, posture: &Posture, route: &Route, [from, to]: [&Node; 2], arms: &mut [f64]) {
    if !part(from, to).1 {
        return;
    }
    let Some(direction) = (to.place - from.place).try_normalize() else { return };
    for (node, along) in [(from, direction), (to, -direction)] {
        // two points of one body keep their distance, whatever moves it
        if from.body != to.body {
            for axis in system.axes_above(node.body).map(|i| &posture.axes[i]) {
                if let Some(c) = axis.coordinate {
                    arms[c] += along.dot(axis.moves(node.place));
                }
            }
        }
        let On::Point(point) = node.on else { continue };
        if let Station::Moving(axes) = &route.points[point].station {
            let turn = posture.frames[node.body].matrix3;
            for (k, (coordinate, function)) in axes.iter().enumerate() {
                if let Some(c) = *coordinate {
                    arms[c] += along.dot(turn.col(k)) * function.at(posture.q[c]).first;
                }
            }
        }
    }
}
