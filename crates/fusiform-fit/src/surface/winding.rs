//! How often the skin winds about a point: 1 inside a closed skin, 0 outside, and between where it has holes.
//!
//! ```text
//! w(p) = 1/4π Σ solid angle of each triangle from p         far from a cluster: Σ area normal · (c − p) / 4π |c − p|³
//! ```
//!
//! Jacobson, Kavan, Sorkine-Hornung: *Robust Inside-Outside Segmentation Using Generalized Winding Numbers*, 2013; the
//! cluster's dipole from Barill, Dickson, Schmidt, Levin, Jacobson: *Fast Winding Numbers for Soups and Clouds*, 2018.

use glam::Vec3;
use std::f32::consts::PI;

/// Triangles of a leaf are taken one by one.
const LEAF: usize = 8;
/// A cluster is far when this many of its radii away; 2 keeps the error below 1 % of a turn on bodies.
const FAR: f32 = 2.0;

/// A tree of clusters over triangles.
pub(super) struct Winding {
    nodes: Vec<Node>,
    /// Corners, leaf by leaf.
    triangles: Vec<[Vec3; 3]>,
    /// -1 for a skin whose faces look inward.
    sign: f32,
}

#[derive(Clone, Copy, Default)]
struct Node {
    /// Mean of the triangles by area.
    center: Vec3,
    /// Farthest corner from it.
    radius: f32,
    /// Sum of area normals.
    dipole: Vec3,
    /// Its triangles.
    first: u32,
    count: u32,
    /// The second child; the first follows its parent. 0 for a leaf.
    second: u32,
}

impl Winding {
    pub(super) fn new(triangles: &[[Vec3; 3]]) -> Self {
        let volume: f32 = triangles.iter().map(|[a, b, c]| a.dot(b.cross(*c))).sum();
        let mut winding = Self { nodes: Vec::new(), triangles: triangles.to_vec(), sign: volume.signum() };
        if !triangles.is_empty() {
            winding.grow(0, triangles.len());
        }
        winding
    }

    /// A node over those triangles, halved across their longest extent.
    fn grow(&mut self, first: usize, count: usize) {
        let at = self.nodes.len();
        self.nodes.push(cluster(&self.triangles[first..first + count], first));
        if count <= LEAF {
            return;
        }
        let own = &mut self.triangles[first..first + count];
        let middle = |t: &[Vec3; 3]| t[0] + t[1] + t[2];
        let (low, high) = own.iter().map(middle).fold((Vec3::MAX, Vec3::MIN), |(l, h), p| (l.min(p), h.max(p)));
        let axis = (high - low).max_position();
        own.select_nth_unstable_by(count / 2, |a, b| middle(a)[axis].total_cmp(&middle(b)[axis]));
        self.grow(first, count / 2);
        self.nodes[at].second = self.nodes.len() as u32;
        self.grow(first + count / 2, count - count / 2);
    }

    /// w(p), positive inside whichever way the faces look.
    pub(super) fn around(&self, p: Vec3) -> f32 {
        if self.nodes.is_empty() { 0.0 } else { self.sign * self.sum(0, p) / (4.0 * PI) }
    }

    fn sum(&self, at: usize, p: Vec3) -> f32 {
        let node = &self.nodes[at];
        let away = node.center - p;
        let distance = away.length();
        if distance > FAR * node.radius {
            return node.dipole.dot(away) / (distance * distance * distance);
        }
        if node.second == 0 {
            let own = node.first as usize..(node.first + node.count) as usize;
            return self.triangles[own].iter().map(|triangle| solid_angle(triangle, p)).sum();
        }
        self.sum(at + 1, p) + self.sum(node.second as usize, p)
    }
}

fn cluster(triangles: &[[Vec3; 3]], first: usize) -> Node {
    let (mut center, mut area, mut dipole) = (Vec3::ZERO, 0.0, Vec3::ZERO);
    for [a, b, c] in triangles {
        let normal = (b - a).cross(c - a) * 0.5;
        let own = normal.length().max(1e-20);
        center += (*a + *b + *c) * (own / 3.0);
        area += own;
        dipole += normal;
    }
    center /= area;
    let radius = triangles.iter().flatten().map(|p| p.distance(center)).fold(0.0, f32::max);
    Node { center, radius, dipole, first: first as u32, count: triangles.len() as u32, second: 0 }
}

/// Van Oosterom, Strackee: *The Solid Angle of a Plane Triangle*, 1983.
fn solid_angle(triangle: &[Vec3; 3], p: Vec3) -> f32 {
    let [a, b, c] = triangle.map(|corner| corner - p);
    let [la, lb, lc] = [a, b, c].map(Vec3::length);
    let over = a.dot(b.cross(c));
    let under = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * over.atan2(under)
}
