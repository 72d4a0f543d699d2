//! Bounding volume hierarchy: the nearest triangle on a ray, and whether there is any.
//!
//! Four boxes per node and four triangles per leaf, tested together with four-wide arithmetic.
//! Ours rather than parry's because most rays of a picture only ask *whether* something is in the
//! way: on a body of 20 000 triangles 270 ns against 1130 ns, and 64 ns against 127 ns for the
//! nearest hit, with equal answers. Built by binned surface area heuristic: Wald, *On fast
//! Construction of SAH-based Bounding Volume Hierarchies*, RT 2007. Expects coordinates near 1.

use glam::{Vec3, Vec4};

/// A ray stops here when nothing is in its way.
pub(crate) const FAR: f32 = 1e9;
const N_BIN: usize = 12;
/// Below this depth of recursion nodes are cut at the median, which bounds the stack.
const MAX_SAH_DEPTH: usize = 20;
const STACK: usize = 128;
const LEAF: u32 = 1 << 31;
const NONE: u32 = u32::MAX;

/// Nearest triangle on a ray.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hit {
    pub distance: f32,
    pub triangle: u32,
    /// Weights of the second and third corner.
    pub uv: [f32; 2],
}

#[derive(Debug, Clone, Copy)]
struct Node {
    /// `[axis][0 lower, 1 upper]` of four boxes.
    planes: [[Vec4; 2]; 3],
    child: [u32; 4],
}

#[derive(Debug, Clone, Copy)]
struct Leaf {
    corner: [Vec4; 3],
    edge1: [Vec4; 3],
    edge2: [Vec4; 3],
    triangle: [u32; 4],
}

/// Tree over triangles given by their corners.
#[derive(Debug, Default)]
pub(crate) struct Bvh {
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
}

/// A triangle on its way into the tree.
#[derive(Clone, Copy)]
struct Item {
    min: Vec3,
    max: Vec3,
    triangle: u32,
}

impl Bvh {
    pub fn new(corners: &[[Vec3; 3]]) -> Self {
        let item = |(triangle, [a, b, c]): (u32, &[Vec3; 3])| Item {
            min: a.min(*b).min(*c),
            max: a.max(*b).max(*c),
            triangle,
        };
        let mut items: Vec<Item> = (0..).zip(corners).map(item).collect();
        let mut bvh = Self::default();
        if !items.is_empty() {
            bvh.add_node(corners, &mut items, 0);
        }
        bvh
    }

    /// Nearest hit closer than `limit`.
    pub fn nearest(&self, origin: Vec3, direction: Vec3, limit: f32) -> Option<Hit> {
        let mut best: Option<Hit> = None;
        self.walk::<true>(origin, direction, limit, |hit| {
            best = Some(hit);
            Some(hit.distance)
        });
        best
    }

    /// Whether anything is closer than `limit`.
    pub fn blocked(&self, origin: Vec3, direction: Vec3, limit: f32) -> bool {
        let mut any = false;
        self.walk::<false>(origin, direction, limit, |_| {
            any = true;
            None
        });
        any
    }

    /// Calls `found` for hits in front of the current limit; it returns the new limit, or `None` to stop.
    #[inline]
    fn walk<const SORTED: bool>(
        &self,
        origin: Vec3,
        direction: Vec3,
        mut limit: f32,
        mut found: impl FnMut(Hit) -> Option<f32>,
    ) {
        if self.nodes.is_empty() {
            return;
        }
        let ray = Ray::new(origin, direction);
        let mut stack = [(0_u32, 0.0_f32); STACK];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let (child, enter) = stack[height];
            if enter > limit {
                continue;
            }
            if child & LEAF != 0 {
                if let Some(hit) = ray.leaf(&self.leaves[(child & !LEAF) as usize], limit) {
                    match found(hit) {
                        Some(nearer) => limit = nearer,
                        None => return,
                    }
                }
                continue;
            }
            let node = &self.nodes[child as usize];
            let (enter, mut mask) = ray.boxes(node, limit);
            let first = height;
            while mask != 0 {
                let i = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                let mut at = height;
                if SORTED {
                    // nearest on top of the stack
                    while at > first && stack[at - 1].1 < enter[i] {
                        stack[at] = stack[at - 1];
                        at -= 1;
                    }
                }
                stack[at] = (node.child[i], enter[i]);
                height += 1;
            }
        }
    }
}

struct Ray {
    origin: [Vec4; 3],
    direction: [Vec4; 3],
    inverse: [Vec4; 3],
    /// 1 where the ray runs backwards along the axis.
    sign: [usize; 3],
}

impl Ray {
    #[inline]
    fn new(origin: Vec3, direction: Vec3) -> Self {
        let axes = direction.to_array();
        // never zero: 0 · ∞ would be NaN in the slab test
        let safe = axes.map(|d| if d.abs() < 1e-15 { 1e-15_f32.copysign(d) } else { d });
        Self {
            origin: origin.to_array().map(Vec4::splat),
            direction: axes.map(Vec4::splat),
            inverse: safe.map(|d| Vec4::splat(1.0 / d)),
            sign: safe.map(|d| usize::from(d < 0.0)),
        }
    }

    /// Entry distances of the four boxes, and a bit for each that is hit.
    #[inline]
    fn boxes(&self, node: &Node, limit: f32) -> ([f32; 4], u32) {
        let slab = |axis: usize, side: usize| (node.planes[axis][side] - self.origin[axis]) * self.inverse[axis];
        let s = self.sign;
        let enter = slab(0, s[0]).max(slab(1, s[1])).max(slab(2, s[2])).max(Vec4::ZERO);
        let leave = slab(0, 1 - s[0]).min(slab(1, 1 - s[1])).min(slab(2, 1 - s[2]));
        // a hair wider, so that rounding never loses a triangle on the border of its box
        let leave = (leave * 1.000_001).min(Vec4::splat(limit));
        (enter.to_array(), enter.cmple(leave).bitmask())
    }

    /// Möller, Trumbore: *Fast, Minimum Storage Ray/Triangle Intersection*, 1997, four at a time.
    #[inline]
    fn leaf(&self, leaf: &Leaf, limit: f32) -> Option<Hit> {
        let p = cross(&self.direction, &leaf.edge2);
        let determinant = dot(&leaf.edge1, &p);
        let inverse = Vec4::ONE / determinant;
        let s = sub(&self.origin, &leaf.corner);
        let u = dot(&s, &p) * inverse;
        let q = cross(&s, &leaf.edge1);
        let v = dot(&self.direction, &q) * inverse;
        let t = dot(&leaf.edge2, &q) * inverse;
        // a hair outside still counts: no light leaks between neighbours. NaN compares false.
        let low = Vec4::splat(-1e-5);
        let inside = u.cmpge(low) & v.cmpge(low) & (u + v).cmple(Vec4::splat(1.0 + 1e-5));
        let mask = (inside & t.cmpgt(Vec4::ZERO) & t.cmplt(Vec4::splat(limit))).bitmask();
        let t = t.to_array();
        let lane = (0..4).filter(|i| mask >> i & 1 == 1).min_by(|&a, &b| t[a].total_cmp(&t[b]))?;
        Some(Hit { distance: t[lane], triangle: leaf.triangle[lane], uv: [u[lane], v[lane]] })
    }
}

type Wide = [Vec4; 3];
#[inline]
fn cross(a: &Wide, b: &Wide) -> Wide {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
#[inline]
fn dot(a: &Wide, b: &Wide) -> Vec4 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
#[inline]
fn sub(a: &Wide, b: &Wide) -> Wide {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

impl Bvh {
    /// Makes a node of up to four parts, then their nodes; returns its index.
    fn add_node(&mut self, corners: &[[Vec3; 3]], items: &mut [Item], depth: usize) -> u32 {
        let index = self.nodes.len();
        self.nodes.push(Node { planes: [[Vec4::INFINITY, Vec4::NEG_INFINITY]; 3], child: [NONE; 4] });
        let half = split(items, depth);
        let (left, right) = items.split_at_mut(half);
        let ends = [split(left, depth), half, half + split(right, depth), items.len()];
        let mut start = 0;
        for (lane, end) in ends.into_iter().enumerate() {
            let part = &mut items[start..end];
            start = end;
            let child = match part.len() {
                0 => continue,
                1..=4 => self.add_leaf(corners, part),
                _ => self.add_node(corners, part, depth + 1),
            };
            let (min, max) = around(part);
            self.nodes[index].child[lane] = child;
            for axis in 0..3 {
                self.nodes[index].planes[axis][0][lane] = min[axis];
                self.nodes[index].planes[axis][1][lane] = max[axis];
            }
        }
        index as u32
    }

    fn add_leaf(&mut self, corners: &[[Vec3; 3]], items: &[Item]) -> u32 {
        // unused lanes keep zero edges: their determinant is 0 and no comparison holds
        let zero = [Vec4::ZERO; 3];
        let mut leaf = Leaf { corner: zero, edge1: zero, edge2: zero, triangle: [NONE; 4] };
        for (lane, item) in items.iter().enumerate() {
            let [a, b, c] = corners[item.triangle as usize];
            leaf.triangle[lane] = item.triangle;
            for axis in 0..3 {
                leaf.corner[axis][lane] = a[axis];
                leaf.edge1[axis][lane] = b[axis] - a[axis];
                leaf.edge2[axis][lane] = c[axis] - a[axis];
            }
        }
        self.leaves.push(leaf);
        LEAF | (self.leaves.len() - 1) as u32
    }
}

type Box3 = (Vec3, Vec3);
const EMPTY: Box3 = (Vec3::INFINITY, Vec3::NEG_INFINITY);

fn around(items: &[Item]) -> Box3 {
    items.iter().fold(EMPTY, |b, item| (b.0.min(item.min), b.1.max(item.max)))
}

/// Orders the items so that the first part, whose length is returned, is one half of the cheapest cut.
fn split(items: &mut [Item], depth: usize) -> usize {
    let n = items.len();
    if n <= 4 {
        return n;
    }
    let center = |item: &Item| (item.min + item.max) * 0.5;
    let (low, high) = items.iter().map(center).fold(EMPTY, |b, c| (b.0.min(c), b.1.max(c)));
    let extent = high - low;
    let axis = extent.max_position();
    if depth < MAX_SAH_DEPTH && extent[axis] > 0.0 {
        let scale = N_BIN as f32 * 0.9999 / extent[axis];
        let bin = |item: &Item| (((center(item)[axis] - low[axis]) * scale) as usize).min(N_BIN - 1);
        let border = cheapest_border(items, bin);
        let mut middle = 0;
        for i in 0..n {
            if bin(&items[i]) < border {
                items.swap(i, middle);
                middle += 1;
            }
        }
        if middle > 0 && middle < n {
            return middle;
        }
    }
    items.select_nth_unstable_by(n / 2, |a, b| center(a)[axis].total_cmp(&center(b)[axis]));
    n / 2
}

/// The bin border with the least `area · leaves` summed over both sides.
fn cheapest_border(items: &[Item], bin: impl Fn(&Item) -> usize) -> usize {
    let mut bins = [(EMPTY, 0_usize); N_BIN];
    for item in items {
        let (b, n) = &mut bins[bin(item)];
        (*b, *n) = ((b.0.min(item.min), b.1.max(item.max)), *n + 1);
    }
    let cost = |bins: &[(Box3, usize)]| {
        let n: usize = bins.iter().map(|bin| bin.1).sum();
        let (min, max) = bins.iter().fold(EMPTY, |b, bin| (b.0.min(bin.0.0), b.1.max(bin.0.1)));
        let d = max - min;
        if n == 0 { 0.0 } else { (d.x * d.y + d.y * d.z + d.z * d.x) * n.div_ceil(4) as f32 }
    };
    let costs = (1..N_BIN).map(|i| (cost(&bins[..i]) + cost(&bins[i..]), i));
    costs.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(N_BIN / 2, |(_, i)| i)
}
