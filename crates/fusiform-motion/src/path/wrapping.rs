//! Which surfaces a path runs over: `OpenSim`'s rounds, each surface in turn with the path as the others left it.
//!
//! `OpenSim` stops when a round changes the length by less than half a millimetre; rounds go on here until the path is taut,
//! since only then are moment arms how lengths change.

use super::route::{Over, Route, Surface};
use super::{Node, On, Paths, length, part};
use crate::system::Posture;
use crate::wrap::{Contact, Way, wrap};
use glam::{DAffine3, DVec3};

/// Rounds over several surfaces; one surface needs one. Each brings a path ten times nearer to being taut, or more.
const ROUNDS: usize = 24;

/// m: a round that changes less is the last. Near its least a length hardly changes while the path still moves.
const SETTLED: f64 = 1e-14;

/// How the segment of a path that was looked at last stands to a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    Apart,
    Inside,
    Over,
}

/// A way over a surface, in the place of one segment of a path.
struct Detour {
    /// The segment's end in the path.
    before: usize,
    way: Way,
}

impl Paths {
    /// Put in where the path meets and leaves surfaces.
    pub(super) fn run_over_surfaces(&self, route: &Route, posture: &Posture, path: &mut Vec<Node>) {
        let n = route.over.len();
        let rounds = if n < 2 { n } else { ROUNDS };
        let (mut before, mut swapped) = (f64::INFINITY, false);
        for round in 0..rounds {
            let mut outcomes = [Outcome::Over; 2];
            for i in 0..n {
                let which = if swapped && i < 2 { 1 - i } else { i };
                let outcome = self.run_over(route, which, posture, path);
                if let Some(slot) = outcomes.get_mut(i) {
                    *slot = outcome;
                }
            }
            let now = length(path);
            if (now - before).abs() < SETTLED {
                break;
            }
            before = now;
            // where the first surface leaves the path inside the second, the second goes first
            if round == 0 && n > 1 && outcomes == [Outcome::Apart, Outcome::Inside] {
                swapped = true;
                take_off(path, 0);
            }
        }
    }

    /// One surface anew.
    fn run_over(&self, route: &Route, which: usize, posture: &Posture, path: &mut Vec<Node>) -> Outcome {
        take_off(path, which);
        let over = &route.over[which];
        let surface = &self.surfaces[over.surface];
        let (outcome, detour) = self.detour(over, posture, path);
        if let Some(Detour { before, way }) = detour {
            let on = |place, on| Node { place, body: surface.body, on };
            let meets = On::Meets { over: which, surface: over.surface, way };
            path.insert(before, on(way.arc.at(0.0), meets));
            path.insert(before + 1, on(way.arc.at(1.0), On::Leaves { over: which, surface: over.surface }));
        }
        outcome
    }

    /// The first segment that must run over a surface, or else the one that grows least by it.
    fn detour(&self, over: &Over, posture: &Posture, path: &[Node]) -> (Outcome, Option<Detour>) {
        let surface = &self.surfaces[over.surface];
        let mut outcome = Outcome::Apart;
        let Some(segments) = within(path, over).filter(|_| surface.active) else { return (outcome, None) };
        let frame = posture.frames[surface.body] * surface.frame;
        let to_surface = frame.inverse();
        let (mut best, mut least) = (None, f64::INFINITY);
        for i in segments {
            let (from, to) = (&path[i], &path[i + 1]);
            if on_one_surface(from, to) {
                continue;
            }
            let ends = [from, to].map(|node| to_surface.transform_point3(node.place));
            let contact = touch(surface, over, &frame, ends);
            outcome = match contact {
                Contact::None => Outcome::Apart,
                Contact::Inside => Outcome::Inside,
                Contact::May(_) | Contact::Must(_) => Outcome::Over,
            };
            let (Contact::May(way) | Contact::Must(way)) = contact else { continue };
            if matches!(contact, Contact::Must(_)) {
                return (outcome, Some(Detour { before: i + 1, way }));
            }
            let [meets, leaves] = [way.arc.at(0.0), way.arc.at(1.0)];
            let growth = from.place.distance(meets) + way.length + leaves.distance(to.place) - part(from, to).0;
            if growth < least {
                least = growth;
                best = Some(Detour { before: i + 1, way });
            }
        }
        (outcome, best)
    }
}

/// How a segment with these ends, in the surface's frame, runs over it; the way is in ground.
fn touch(surface: &Surface, over: &Over, frame: &DAffine3, [from, to]: [DVec3; 2]) -> Contact {
    let in_ground = |way: Way| Way { arc: way.arc.moved(frame), ..way };
    match wrap(&surface.shape, surface.side, over.method, from, to) {
        // what a broken posture makes of a surface must not spread
        Contact::May(way) | Contact::Must(way) if !way.length.is_finite() => Contact::None,
        Contact::May(way) => Contact::May(in_ground(way)),
        Contact::Must(way) => Contact::Must(in_ground(way)),
        none => none,
    }
}

/// Take out where the path meets and leaves a surface.
fn take_off(path: &mut Vec<Node>, which: usize) {
    path.retain(|node| !matches!(node.on, On::Meets { over, .. } | On::Leaves { over, .. } if over == which));
}

/// The segments between the first and the last point in range that count now.
fn within(path: &[Node], over: &Over) -> Option<std::ops::Range<usize>> {
    let in_range = |node: &Node| matches!(node.on, On::Point(point) if over.points.contains(&point));
    Some(path.iter().position(in_range)?..path.iter().rposition(in_range)?)
}

fn on_one_surface(from: &Node, to: &Node) -> bool {
    let surface = |node: &Node| match node.on {
        On::Meets { surface, .. } | On::Leaves { surface, .. } => Some(surface),
        On::Point(_) => None,
    };
    surface(from).is_some() && surface(from) == surface(to)
}
