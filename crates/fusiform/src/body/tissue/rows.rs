//! Rows: eight particles at a time against all they are sprung to.
//!
//! ```text
//! A = M/h² + kernels of goals + Σ q qᵀ        q = √(k + c/h) x̂, + at one end of a spring, − at the other
//! (A p)ᵢ = Bᵢ pᵢ − Σⱼ q (q·pⱼ)                Bᵢ = dᵢ + Σⱼ q qᵀ, 3 x 3, which is all a bone adds
//! ```
//!
//! Every spring is in the rows of both its particles. That is twice the arithmetic of going over springs, but nothing is
//! written but one's own row: rows need no colours, threads share them, and the order of every sum is fixed. Rows of eight
//! particles are as long as the longest of them (sliced ELLPACK: Monakov, Lokhmotov, Avetisyan, 2010).

use super::{AS_POSED, slack};
use crate::body::lanes::{LANES, Lane, Lane3, for_each_instruction_set};

/// Rows of one part, the unit of work of a thread; never depends on how many threads there are.
pub(super) const PART: usize = 32;

/// Four numbers that are read at once; the last is not used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub(super) struct Four(pub [f32; 4]);

/// What is read of a particle when springs are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Near {
    /// Its posed point, m.
    pub posed: Four,
    /// u, from where springs are straightened, m.
    pub off: Four,
    /// What velocity counts from: u′ = (u − base)/h, m.
    pub base: Four,
    /// What acts on it besides springs, N.
    pub force: Four,
}

/// Constants of eight springs, one of each particle in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Eight {
    root: Lane, // √(k + c/h), of N/m
    drag: Lane, // what c/h is of that
}

/// Springs from all particles to others, or to bones.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rows {
    /// n_row + 1, of eights.
    start: Box<[u32]>,
    /// The other ends.
    other: Box<[[u32; LANES]]>,
    eights: Box<[Eight]>,
    /// m; [`AS_POSED`] where it is that of the posed points, and none at all where it is that everywhere.
    lengths: Box<[Lane]>,
}

/// What the solver works on, of the eight particles of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Row {
    /// What is still to be balanced, N.
    pub rest: Lane3,
    /// What has been found: the gain in u, m.
    pub gain: Lane3,
    /// The rest over B, m.
    pub step: Lane3,
    product: Lane3,     // A p
    block: [Lane; 6],   // B: xx, yy, zz, xy, xz, yz
    inverse: [Lane; 6], // of it
}

/// Some rows and their springs.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    /// At most [`PART`].
    pub rows: Vec<Row>,
    pulls: Vec<Lane3>, // q of every eight
    /// Of the last kernel: p·Ap and p·rest, or rest·step.
    pub sums: [f64; 2],
}

/// Constants of one spring.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Constants {
    /// k, N/m.
    pub stiffness: f32,
    /// c/h, N/m.
    pub drag: f32,
    /// m; [`AS_POSED`] where it is that of the posed points.
    pub length: f32,
}

impl Eight {
    fn set(&mut self, lane: usize, constants: Constants) {
        let whole = constants.stiffness + constants.drag;
        self.root[lane] = whole.sqrt();
        self.drag[lane] = if whole > 0.0 { constants.drag / whole } else { 0.0 };
    }
}

impl Rows {
    /// From the particle in each slot to others: `ends` has slot, other end and spring, `constants` those of a spring.
    pub fn new(
        n_row: usize,
        ends: impl Iterator<Item = (u32, u32, u32)>,
        constants: impl Fn(u32) -> Constants,
    ) -> Self {
        let mut lists: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n_row * LANES];
        ends.for_each(|(slot, other, spring)| lists[slot as usize].push((other, spring)));
        lists.iter_mut().for_each(|list| list.sort_unstable());
        let (mut start, mut other, mut eights, mut lengths) = (vec![0], Vec::new(), Vec::new(), Vec::new());
        for lists in lists.chunks(LANES) {
            for k in 0..lists.iter().map(Vec::len).max().unwrap_or(0) {
                // springs that are missing have no stiffness, and lead where the last one did
                let (mut eight, mut length, mut at) = (Eight::default(), [AS_POSED; LANES], [0; LANES]);
                for (l, list) in lists.iter().enumerate() {
                    at[l] = list.get(k).or(list.last()).map_or(0, |&(other, _)| other);
                    if let Some(&(_, spring)) = list.get(k) {
                        let constants = constants(spring);
                        eight.set(l, constants);
                        length[l] = constants.length;
                    }
                }
                other.push(at);
                eights.push(eight);
                lengths.push(length);
            }
            start.push(other.len() as u32);
        }
        if lengths.iter().flatten().all(|&length| length == AS_POSED) {
            lengths.clear();
        }
        Self { start: start.into(), other: other.into(), eights: eights.into(), lengths: lengths.into() }
    }

    fn of(&self, row: usize) -> std::ops::Range<usize> {
        self.start[row] as usize..self.start[row + 1] as usize
    }

    /// Room for what is solved.
    pub fn parts(&self) -> Vec<Part> {
        let rows: Vec<usize> = (0..self.start.len() - 1).collect();
        let part = |rows: &[usize]| Part {
            rows: vec![Row::default(); rows.len()],
            pulls: vec![Lane3::default(); rows.iter().map(|&row| self.of(row).len()).sum()],
            sums: [0.0; 2],
        };
        rows.chunks(PART).map(part).collect()
    }
}

/// One number for each lane.
#[inline(always)]
fn lanes(number: impl Fn(usize) -> f32) -> Lane {
    let mut lanes = Lane::default();
    for (l, lane) in lanes.iter_mut().enumerate() {
        *lane = number(l);
    }
    lanes
}

#[inline(always)]
fn gathered(points: impl Fn(usize) -> Four) -> Lane3 {
    let mut lanes = Lane3::default();
    for l in 0..LANES {
        let [x, y, z, _] = points(l).0;
        (lanes.x[l], lanes.y[l], lanes.z[l]) = (x, y, z);
    }
    lanes
}

#[inline(always)]
fn less(a: &Lane3, b: &Lane3) -> Lane3 {
    Lane3 { x: lanes(|l| a.x[l] - b.x[l]), y: lanes(|l| a.y[l] - b.y[l]), z: lanes(|l| a.z[l] - b.z[l]) }
}

#[inline(always)]
fn dot(a: &Lane3, b: &Lane3) -> Lane {
    lanes(|l| a.x[l] * b.x[l] + a.y[l] * b.y[l] + a.z[l] * b.z[l])
}

#[inline(always)]
fn times_each(s: &Lane, v: &Lane3) -> Lane3 {
    Lane3 { x: lanes(|l| s[l] * v.x[l]), y: lanes(|l| s[l] * v.y[l]), z: lanes(|l| s[l] * v.z[l]) }
}

/// a + s b.
#[inline(always)]
fn add(a: &mut Lane3, s: &Lane, b: &Lane3) {
    a.x = lanes(|l| a.x[l] + s[l] * b.x[l]);
    a.y = lanes(|l| a.y[l] + s[l] * b.y[l]);
    a.z = lanes(|l| a.z[l] + s[l] * b.z[l]);
}

/// A symmetric matrix times a vector.
#[inline(always)]
fn times(m: &[Lane; 6], v: &Lane3) -> Lane3 {
    Lane3 {
        x: lanes(|l| m[0][l] * v.x[l] + m[3][l] * v.y[l] + m[4][l] * v.z[l]),
        y: lanes(|l| m[3][l] * v.x[l] + m[1][l] * v.y[l] + m[5][l] * v.z[l]),
        z: lanes(|l| m[4][l] * v.x[l] + m[5][l] * v.y[l] + m[2][l] * v.z[l]),
    }
}

/// B + q qᵀ.
#[inline(always)]
fn stiffen(m: &mut [Lane; 6], q: &Lane3) {
    let pairs = [(&q.x, &q.x), (&q.y, &q.y), (&q.z, &q.z), (&q.x, &q.y), (&q.x, &q.z), (&q.y, &q.z)];
    for k in 0..6 {
        let (a, b) = pairs[k];
        m[k] = lanes(|l| m[k][l] + a[l] * b[l]);
    }
}

/// Of symmetric matrices that are positive: by cofactors, over the largest entry so that none over- or underflows.
#[inline(always)]
fn inverted(m: &[Lane; 6]) -> [Lane; 6] {
    let size = lanes(|l| 1.0 / (m[0][l] + m[1][l] + m[2][l]));
    let scaled = |k: usize| lanes(|l| m[k][l] * size[l]);
    let [a, b, c, d, e, f] = &[scaled(0), scaled(1), scaled(2), scaled(3), scaled(4), scaled(5)];
    let cofactors = [
        lanes(|l| b[l] * c[l] - f[l] * f[l]),
        lanes(|l| a[l] * c[l] - e[l] * e[l]),
        lanes(|l| a[l] * b[l] - d[l] * d[l]),
        lanes(|l| e[l] * f[l] - d[l] * c[l]),
        lanes(|l| d[l] * f[l] - e[l] * b[l]),
        lanes(|l| d[l] * e[l] - a[l] * f[l]),
    ];
    let determinant = lanes(|l| a[l] * cofactors[0][l] + d[l] * cofactors[3][l] + e[l] * cofactors[4][l]);
    let scale = lanes(|l| size[l] / determinant[l].max(1e-30));
    let mut inverse = cofactors;
    for (inverse, cofactor) in inverse.iter_mut().zip(&cofactors) {
        *inverse = lanes(|l| cofactor[l] * scale[l]);
    }
    inverse
}

/// Springs of eight particles at once: (k stretch + c rate) p̂, which pulls them to the other end, and q.
///
/// Along the way between the posed ends, whatever the ends do: linear, so that no motion, however large, turns a spring over
/// and makes energy. Against the spring that follows its ends it errs by the square of how far they go over its length.
#[inline(always)]
fn measured(rows: &Rows, k: usize, posed: &Lane3, off: &Lane3, since: &Lane3) -> (Lane3, Lane3) {
    let Eight { root, drag } = &rows.eights[k];
    let square = dot(posed, posed);
    // no force where there is no length (eq. 10 is 0/0 there)
    let per_length = lanes(|l| if square[l] > 1e-18 { 1.0 / square[l].sqrt() } else { 0.0 });
    let q = times_each(&lanes(|l| root[l] * per_length[l]), posed);
    // k u + c/h (u − base) = (k + c/h) (u − drag base)
    let (gone, from) = (dot(&q, off), dot(&q, since));
    let mut pull = lanes(|l| gone[l] - drag[l] * from[l]);
    if let Some(length) = rows.lengths.get(k) {
        pull = lanes(|l| {
            let slack = slack(square[l] * per_length[l], length[l]);
            pull[l] + root[l] * (1.0 - drag[l]) * slack
        });
    }
    (times_each(&pull, &q), q)
}

for_each_instruction_set! {
    /// Forces on the rows of a part from row `first` on, as they are, and A. `own` is what A has on its diagonal without
    /// springs.
    straighten = straighten_in_lanes(
        rows: &Rows, bones: &Rows, first: usize, own: &[Lane], near: &[Near], bone: &[Four], part: &mut Part,
    )
}

#[inline(always)]
fn straighten_in_lanes(
    rows: &Rows,
    bones: &Rows,
    first: usize,
    own: &[Lane],
    near: &[Near],
    bone: &[Four],
    part: &mut Part,
) {
    let base = rows.of(first).start;
    for (i, row) in part.rows.iter_mut().enumerate() {
        let at = first + i;
        let here = &near[at * LANES..(at + 1) * LANES];
        let (posed, off) = (gathered(|l| here[l].posed), gathered(|l| here[l].off));
        let (since, mut force) = (gathered(|l| here[l].base), gathered(|l| here[l].force));
        let zero = [0.0; LANES];
        let mut block = [own[at], own[at], own[at], zero, zero, zero];
        for k in rows.of(at) {
            let other = &rows.other[k];
            let apart = less(&gathered(|l| near[other[l] as usize].posed), &posed);
            let e = less(&gathered(|l| near[other[l] as usize].off), &off);
            let from = less(&gathered(|l| near[other[l] as usize].base), &since);
            let (pull, q) = measured(rows, k, &apart, &e, &from);
            add(&mut force, &[1.0; LANES], &pull);
            stiffen(&mut block, &q);
            part.pulls[k - base] = q;
        }
        for k in bones.of(at) {
            let other = &bones.other[k];
            let apart = less(&gathered(|l| bone[other[l] as usize]), &posed);
            let e = less(&Lane3::default(), &off);
            let from = less(&Lane3::default(), &since);
            let (pull, q) = measured(bones, k, &apart, &e, &from);
            add(&mut force, &[1.0; LANES], &pull);
            stiffen(&mut block, &q);
        }
        (row.rest, row.gain, row.block, row.inverse) = (force, Lane3::default(), block, inverted(&block));
    }
}

for_each_instruction_set! {
    /// A p for the rows of a part, p·Ap and p·rest.
    multiply = multiply_in_lanes(rows: &Rows, first: usize, p: &[Four], part: &mut Part)
}

#[inline(always)]
fn multiply_in_lanes(rows: &Rows, first: usize, p: &[Four], part: &mut Part) {
    let base = rows.of(first).start;
    let (mut curved, mut sloped) = ([0.0; LANES], [0.0; LANES]);
    for (i, row) in part.rows.iter_mut().enumerate() {
        let at = first + i;
        let here = &p[at * LANES..(at + 1) * LANES];
        let own = gathered(|l| here[l]);
        let mut product = times(&row.block, &own);
        let of = rows.of(at);
        let pulls = &part.pulls[of.start - base..of.end - base];
        for (q, other) in pulls.iter().zip(&rows.other[of]) {
            let there = gathered(|l| p[other[l] as usize]);
            let along = dot(q, &there);
            product.x = lanes(|l| product.x[l] - q.x[l] * along[l]);
            product.y = lanes(|l| product.y[l] - q.y[l] * along[l]);
            product.z = lanes(|l| product.z[l] - q.z[l] * along[l]);
        }
        let (a, b) = (dot(&own, &product), dot(&own, &row.rest));
        curved = lanes(|l| curved[l] + a[l]);
        sloped = lanes(|l| sloped[l] + b[l]);
        row.product = product;
    }
    part.sums = [total(&curved), total(&sloped)];
}

for_each_instruction_set! {
    /// Go by `by` times p, and what is left over B; rest·step.
    advance = advance_in_lanes(first: usize, by: f32, p: &[Four], part: &mut Part)
}

#[inline(always)]
fn advance_in_lanes(first: usize, by: f32, p: &[Four], part: &mut Part) {
    let mut sum = [0.0; LANES];
    for (i, row) in part.rows.iter_mut().enumerate() {
        let at = first + i;
        let here = &p[at * LANES..(at + 1) * LANES];
        let own = gathered(|l| here[l]);
        add(&mut row.gain, &[by; LANES], &own);
        add(&mut row.rest, &[-by; LANES], &row.product);
        row.step = times(&row.inverse, &row.rest);
        let slope = dot(&row.rest, &row.step);
        sum = lanes(|l| sum[l] + slope[l]);
    }
    part.sums[0] = total(&sum);
}

/// Always in the same order.
#[inline(always)]
fn total(lanes: &Lane) -> f64 {
    lanes.iter().map(|&x| f64::from(x)).sum()
}
