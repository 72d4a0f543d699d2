//! Shells: ellipsoids push and drag the skin around them, one after the other.
//!
//! ```text
//! p_l = E⁻¹ p     r = |p_l|     f(x) = (1 − x²)²     in the ellipsoid's space its surface is at 1
//! β = f((r − (1 + h d)) / ((1 − h) d)),  1 below 1 + h d, 0 above 1 + d                  d drop-off, h hardness
//! δ = w β (1 + (1 − s) d + S − r)                      s stickiness, S what a star-shaped belly stands out
//! p_l′ = p_l + (δ − δ₀) p_l/r                          δ₀ the same at rest; 0 as printed
//! basic       p′ = E p_l′
//! stretch     p′ = E p_l′ + u (E2 p_l′ − E p_l′)       u = w α^l,  α = f((r − 1)/d), 1 below 1, 0 above 1 + d
//! trajectory  p′ = the same + |E2 0 − E 0| o(u)        o a curve that is 0 at both ends
//! ```
//!
//! Pratscher, Coleman, Laszlo, Singh: *Outside-In Anatomy Based Character Rigging*, 2005, section 4.2-4.3; δ is printed as a
//! position there and can only be meant as a way to go. δ₀ and the weight in u are ours: with them rest is the artist's
//! skin, and a vertex without weight stays where it is. E p_l is p, so the frame works with ways from p alone:
//!
//! ```text
//! p′ = p + k (p − E 0) + u ((E2 − E) p_l (1 + k))      k = (δ − δ₀)/r
//! ```

use super::attach::{Rows, rows_of};
use super::lanes::{LANES, Lane, Lane3, Shares, WHOLE, for_each_instruction_set};
use super::sewn::Seam;
use super::star::{self, CELLS};
use crate::musculature::{Layer, ShellMode};
use glam::{Affine3A, Mat3, Vec3};
use std::ops::Range;

/// A vertex never listens to more muscles than this, but to those that weigh most on it.
pub const MOST_MUSCLES: usize = 4;

/// Closer to the centre there is no direction to go.
const CENTER: f32 = 1e-6;

/// One muscle's ellipsoids in this frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shell {
    inverse: Rows,      // E⁻¹
    center: [f32; 3],   // E 0
    change: Rows,       // E2 − E
    sideways: [f32; 9], // |E2 0 − E 0| times the carrying bone's axes, row by row
}

impl Shell {
    /// From E, its inverse, E2, and the axes of the bone that carries E.
    pub fn new(rest: &Affine3A, inverse: &Affine3A, now: &Affine3A, axes: Mat3) -> Self {
        let change = Affine3A { matrix3: now.matrix3 - rest.matrix3, translation: now.translation - rest.translation };
        let s = (axes * change.translation.length()).transpose().to_cols_array();
        Self { inverse: rows_of(inverse), center: rest.translation.into(), change: rows_of(&change), sideways: s }
    }
}

/// How points come back from an ellipsoid's space.
#[derive(Clone, Debug, PartialEq)]
enum Back {
    Basic,
    Stretch {
        slippage: f32,
    },
    /// `knot` are the curve's points at even steps, both ends included, and `slope` what it gains in a step there.
    Trajectory {
        slippage: f32,
        knot: Box<[Vec3]>,
        slope: Box<[Vec3]>,
    },
}

/// The layer's constants, eight vertices at a time, in the order of the skin table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ShellTable {
    start: Box<[u32]>,     // n_batch + 1  rows of `muscle` and `weight`
    muscle: Box<[u16]>,    // n_entry      ascending within a batch
    weight: Box<[Shares]>, // n_entry     w wᵢ
    outer: f32,            // 1 + d
    hard: f32,             // 1 + h d
    per_band: f32,         // 1 / ((1 − h) d)
    per_drop_off: f32,     // 1 / d
    sticky: f32,           // 1 + (1 − s) d
    back: Back,
    pub star: bool,   // whether the sticky shell swells with the belly's shape
    keeps_rest: bool, // whether δ₀ is taken off
}

impl ShellTable {
    /// The table of a layer of shells; `weights` gives the muscles of a vertex, ascending, and w wᵢ.
    ///
    /// # Panics
    /// When it is a layer of another kind.
    pub fn new<'a>(order: &[u32], layer: &Layer, weights: impl Fn(u32) -> &'a [(u16, f32)]) -> Self {
        let Layer::Shells { drop_off, stickiness, hardness, mode, .. } = layer else { panic!("no layer of shells") };
        let (mut start, mut muscle, mut weight) = (vec![0], Vec::new(), Vec::new());
        for batch in order.chunks(LANES) {
            let mut muscles: Vec<u16> = batch.iter().flat_map(|&v| weights(v).iter().map(|w| w.0)).collect();
            muscles.sort_unstable();
            muscles.dedup();
            let share = |m: u16, v: u32| weights(v).iter().find(|w| w.0 == m).map_or(0.0, |w| w.1);
            let lanes = |&m: &u16| std::array::from_fn(|l| (share(m, batch[l]) * f32::from(WHOLE)).round() as u16);
            weight.extend(muscles.iter().map(lanes));
            muscle.extend(muscles);
            start.push(muscle.len() as u32);
        }
        Self {
            start: start.into(),
            muscle: muscle.into(),
            weight: weight.into(),
            outer: 1.0 + drop_off,
            hard: 1.0 + hardness * drop_off,
            per_band: 1.0 / ((1.0 - hardness) * drop_off),
            per_drop_off: 1.0 / drop_off,
            sticky: 1.0 + (1.0 - stickiness) * drop_off,
            back: Back::new(mode),
            star: matches!(mode, ShellMode::Star { .. }),
            keeps_rest: !matches!(mode, ShellMode::Basic { paper: true }),
        }
    }

    /// This one, but for the windows that were made anew.
    pub fn patched(&self, made: &Self, seam: &Seam) -> Self {
        Self {
            start: seam.starts(&self.start, &made.start),
            muscle: seam.rows((&self.start, &self.muscle), (&made.start, &made.muscle)),
            weight: seam.rows((&self.start, &self.weight), (&made.start, &made.weight)),
            ..made.clone()
        }
    }

    pub fn n_entry(&self) -> usize {
        self.muscle.len()
    }

    #[inline(always)]
    fn entries(&self, batch: usize) -> Range<usize> {
        self.start[batch] as usize..self.start[batch + 1] as usize
    }
}

impl Back {
    fn new(mode: &ShellMode) -> Self {
        match mode {
            ShellMode::Basic { .. } => Self::Basic,
            ShellMode::Stretch { slippage } | ShellMode::Star { slippage } => Self::Stretch { slippage: *slippage },
            ShellMode::Trajectory { slippage, offsets } => {
                let knot: Vec<Vec3> = [Vec3::ZERO].iter().chain(offsets).chain(&[Vec3::ZERO]).copied().collect();
                let last = knot.len() - 1;
                let slope = (0..=last).map(|i| {
                    let (before, after) = (i.saturating_sub(1), (i + 1).min(last));
                    (knot[after] - knot[before]) / (after - before) as f32
                });
                Self::Trajectory { slippage: *slippage, slope: slope.collect(), knot: knot.into() }
            }
        }
    }
}

/// o(u): a cubic through the knots, as steep at each as the line between its neighbours.
#[inline]
fn sideways(knot: &[Vec3], slope: &[Vec3], u: f32) -> Vec3 {
    let along = u.clamp(0.0, 1.0) * (knot.len() - 1) as f32;
    let i = (along as usize).min(knot.len() - 2);
    let t = along - i as f32;
    let (rest, square) = (1.0 - t, t * t);
    let near = (1.0 + 2.0 * t) * rest * rest;
    knot[i] * near + knot[i + 1] * (1.0 - near) + slope[i] * (t * rest * rest) - slope[i + 1] * (square * rest)
}

/// How far star-shaped bellies now stand out, for the muscles that have shapes.
#[derive(Clone, Copy)]
pub(crate) struct Bulges<'a> {
    /// n_muscle: row of `cells`, if it has shapes.
    pub of_muscle: &'a [Option<u32>],
    /// n_row x [`CELLS`].
    pub cells: &'a [f32],
}

impl<'a> Bulges<'a> {
    #[inline(always)]
    fn of(&self, muscle: u16) -> Option<&'a [f32]> {
        let row = *self.of_muscle.get(usize::from(muscle))?;
        row.map(|row| &self.cells[row as usize * CELLS..][..CELLS])
    }
}

for_each_instruction_set! {
    /// Deform those batches of skin; `rest` is δ₀ of every entry.
    apply = apply_in_lanes(
        table: &ShellTable, rest: &[Lane], batches: Range<usize>, shells: &[Shell], bulges: Bulges, skin: &mut [Lane3],
    )
}

#[inline(always)]
fn apply_in_lanes(
    table: &ShellTable,
    rest: &[Lane],
    batches: Range<usize>,
    shells: &[Shell],
    bulges: Bulges,
    skin: &mut [Lane3],
) {
    // the first muscle of every batch, then the second: the muscles of one batch wait for each other, batches do not
    let most = batches.clone().map(|batch| table.entries(batch).len()).max().unwrap_or(0);
    for i in 0..most {
        for (batch, skin) in batches.clone().zip(&mut *skin) {
            let Some(entry) = table.entries(batch).nth(i) else { continue };
            let shell = &shells[usize::from(table.muscle[entry])];
            let (local, r) = enter(shell, skin);
            let drawn = draw(table, entry, bulges, &local, &r);
            back(table, entry, shell, &rest[entry], (&local, &r, &drawn), skin);
        }
    }
}

/// δ₀ of those batches: what `apply` would see in the pose that shells and skin are in, to the bit.
pub(crate) fn record(
    table: &ShellTable,
    batches: Range<usize>,
    shells: &[Shell],
    bulges: Bulges,
    skin: &mut [Lane3],
    rest: &mut [Lane],
) {
    for (batch, skin) in batches.zip(skin) {
        for entry in table.entries(batch) {
            let shell = &shells[usize::from(table.muscle[entry])];
            let (local, r) = enter(shell, skin);
            let drawn = draw(table, entry, bulges, &local, &r);
            rest[entry] = if table.keeps_rest { drawn } else { Lane::default() };
            back(table, entry, shell, &rest[entry], (&local, &r, &drawn), skin);
        }
    }
}

/// One number for each lane: short loops of one quantity become a few vector instructions each.
#[inline(always)]
fn each(number: impl Fn(usize) -> f32) -> Lane {
    let mut lanes = Lane::default();
    for (l, lane) in lanes.iter_mut().enumerate() {
        *lane = number(l);
    }
    lanes
}

/// The linear part of those rows times a vector of each lane.
#[inline(always)]
fn linear(m: &Rows, v: &Lane3) -> Lane3 {
    Lane3 {
        x: each(|l| (m[0] * v.x[l] + m[1] * v.y[l]) + m[2] * v.z[l]),
        y: each(|l| (m[4] * v.x[l] + m[5] * v.y[l]) + m[6] * v.z[l]),
        z: each(|l| (m[8] * v.x[l] + m[9] * v.y[l]) + m[10] * v.z[l]),
    }
}

/// p_l and r.
#[inline(always)]
fn enter(shell: &Shell, p: &Lane3) -> (Lane3, Lane) {
    let m = &shell.inverse;
    let turned = linear(m, p);
    let local =
        Lane3 { x: each(|l| turned.x[l] + m[3]), y: each(|l| turned.y[l] + m[7]), z: each(|l| turned.z[l] + m[11]) };
    let square = each(|l| local.x[l] * local.x[l] + local.y[l] * local.y[l] + local.z[l] * local.z[l]);
    (local, each(|l| square[l].sqrt()))
}

/// w wᵢ.
#[inline(always)]
fn weight(table: &ShellTable, entry: usize) -> Lane {
    let shares = &table.weight[entry];
    each(|l| f32::from(shares[l]) * (1.0 / f32::from(WHOLE)))
}

/// f((r − from) / width): 1 below, and exactly 0 from the outer shell on.
#[inline(always)]
fn fall_off(r: &Lane, from: f32, per_width: f32, outer: f32) -> Lane {
    let beyond = each(|l| (r[l] - from) * per_width);
    let x = each(|l| if beyond[l] > 0.0 { beyond[l] } else { 0.0 });
    let x = each(|l| if x[l] < 1.0 { x[l] } else { 1.0 });
    let f = each(|l| (1.0 - x[l] * x[l]) * (1.0 - x[l] * x[l]));
    each(|l| if r[l] < outer { f[l] } else { 0.0 })
}

/// δ.
#[inline(always)]
fn draw(table: &ShellTable, entry: usize, bulges: Bulges, local: &Lane3, r: &Lane) -> Lane {
    let mut sticky = [table.sticky; LANES];
    if table.star {
        swell(table, entry, bulges, local, r, &mut sticky);
    }
    let (w, beta) = (weight(table, entry), fall_off(r, table.hard, table.per_band, table.outer));
    // no farther than the outer shell, so that nothing times a radius beyond all numbers is still nothing
    let inside = each(|l| if r[l] < table.outer { r[l] } else { table.outer });
    each(|l| w[l] * beta[l] * (sticky[l] - inside[l]))
}

/// Let the sticky shell stand out as far as the belly's shape does.
#[inline(never)]
fn swell(table: &ShellTable, entry: usize, bulges: Bulges, local: &Lane3, r: &Lane, sticky: &mut Lane) {
    let Some(cells) = bulges.of(table.muscle[entry]) else { return };
    for l in 0..LANES {
        if r[l] < table.outer {
            sticky[l] += star::toward(cells, local.get(l));
        }
    }
}

/// From the ellipsoid's space back into the model's.
#[inline(always)]
fn back(
    table: &ShellTable,
    entry: usize,
    shell: &Shell,
    rest: &Lane,
    (local, r, drawn): (&Lane3, &Lane, &Lane),
    p: &mut Lane3,
) {
    let way = each(|l| (drawn[l] - rest[l]) / if r[l] > CENTER { r[l] } else { CENTER });
    let k = each(|l| if r[l] > CENTER { way[l] } else { 0.0 });
    let (from, c) = (*p, &shell.center);
    p.x = each(|l| from.x[l] + k[l] * (from.x[l] - c[0]));
    p.y = each(|l| from.y[l] + k[l] * (from.y[l] - c[1]));
    p.z = each(|l| from.z[l] + k[l] * (from.z[l] - c[2]));
    let slippage = match &table.back {
        Back::Basic => return,
        Back::Stretch { slippage } | Back::Trajectory { slippage, .. } => *slippage,
    };
    let mut alpha = fall_off(r, 1.0, table.per_drop_off, table.outer);
    if slippage != 1.0 {
        slip(slippage, &mut alpha);
    }
    let w = weight(table, entry);
    let u = each(|l| w[l] * alpha[l]);
    let (change, t) = (linear(&shell.change, local), &shell.change);
    p.x = each(|l| p.x[l] + u[l] * (change.x[l] * (1.0 + k[l]) + t[3]));
    p.y = each(|l| p.y[l] + u[l] * (change.y[l] * (1.0 + k[l]) + t[7]));
    p.z = each(|l| p.z[l] + u[l] * (change.z[l] * (1.0 + k[l]) + t[11]));
    if let Back::Trajectory { knot, slope, .. } = &table.back {
        leave_the_line(shell, knot, slope, &u, p);
    }
}

/// α^l, which is 0 and 1 where α is.
#[inline(never)]
fn slip(slippage: f32, alpha: &mut Lane) {
    for alpha in alpha {
        if *alpha > 0.0 && *alpha < 1.0 {
            *alpha = libm::powf(*alpha, slippage);
        }
    }
}

/// |E2 0 − E 0| o(u).
#[inline(never)]
fn leave_the_line(shell: &Shell, knot: &[Vec3], slope: &[Vec3], u: &Lane, p: &mut Lane3) {
    let s = &shell.sideways;
    for l in 0..LANES {
        let o = sideways(knot, slope, u[l]);
        p.x[l] += s[0] * o.x + s[1] * o.y + s[2] * o.z;
        p.y[l] += s[3] * o.x + s[4] * o.y + s[5] * o.z;
        p.z[l] += s[6] * o.x + s[7] * o.y + s[8] * o.z;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_BULGES: Bulges = Bulges { of_muscle: &[], cells: &[] };

    fn table(mode: ShellMode) -> ShellTable {
        let layer =
            Layer::Shells { muscles: Vec::new(), drop_off: 0.8, stickiness: 0.25, hardness: 0.3, weight: 1.0, mode };
        ShellTable::new(&[0; LANES], &layer, |_| &[(0, 1.0)])
    }

    fn ellipsoids() -> (Affine3A, Affine3A) {
        let rest = Mat3::from_cols(Vec3::new(0.2, 0.1, 0.0), Vec3::new(-0.03, 0.06, 0.01), Vec3::new(0.0, 0.0, 0.05));
        let now = Mat3::from_cols(Vec3::new(0.15, 0.08, 0.0), Vec3::new(-0.04, 0.07, 0.0), Vec3::new(0.0, 0.01, 0.07));
        (
            Affine3A::from_mat3_translation(rest, Vec3::new(0.1, 0.2, 0.3)),
            Affine3A::from_mat3_translation(now, Vec3::new(0.13, 0.19, 0.32)),
        )
    }

    /// Where a point of the ellipsoid's space goes that had `rest` as its δ₀.
    fn deformed(table: &ShellTable, local: Vec3, rest: f32) -> Vec3 {
        let (carried, now) = ellipsoids();
        let shell = Shell::new(&carried, &carried.inverse(), &now, Mat3::IDENTITY);
        let mut skin = [Lane3::each(|_| carried.transform_point3(local))];
        apply(crate::body::Instructions::BASELINE, table, &[[rest; LANES]], 0..1, &[shell], NO_BULGES, &mut skin);
        skin[0].get(3)
    }

    /// δ at that radius, w = 1.
    fn drawn(table: &ShellTable, r: f32) -> f32 {
        draw(table, 0, NO_BULGES, &Lane3::default(), &[r; LANES])[0]
    }

    fn all_modes() -> Vec<ShellTable> {
        let offsets = vec![Vec3::new(0.3, 0.1, -0.2), Vec3::new(0.1, 0.4, 0.0)];
        let modes = [
            ShellMode::Basic { paper: false },
            ShellMode::Stretch { slippage: 1.0 },
            ShellMode::Stretch { slippage: 2.5 },
            ShellMode::Trajectory { slippage: 1.0, offsets },
            ShellMode::Star { slippage: 1.0 },
        ];
        modes.into_iter().map(table).collect()
    }

    #[test]
    fn shells_have_no_crease_at_either_radius() {
        let direction = Vec3::new(0.4, 0.7, -0.5).normalize();
        for table in all_modes() {
            for radius in [1.0, 1.0 + 0.3 * 0.8, 1.0 + 0.8] {
                let at = |r: f32| deformed(&table, direction * r, 0.02);
                let crease = |step: f32| {
                    let (before, after) = (at(radius) - at(radius - step), at(radius + step) - at(radius));
                    (after - before).length() / step
                };
                // where the slope jumps this stays, where it does not it goes down with the step
                assert!(crease(4e-3) < 0.02 && crease(1e-3) < 0.5 * crease(4e-3) + 1e-3, "{radius}: {}", crease(1e-3));
            }
        }
    }

    #[test]
    fn deep_inside_stretch_takes_one_ellipsoid_to_the_other() {
        let table = table(ShellMode::Stretch { slippage: 3.0 });
        for local in [Vec3::new(0.3, -0.2, 0.6), Vec3::ZERO, Vec3::new(0.0, 0.95, 0.1)] {
            let wanted = ellipsoids().1.transform_point3(local);
            let moved = deformed(&table, local, drawn(&table, local.length()));
            assert!(moved.distance(wanted) < 1e-6, "{local}: {moved}, wanted {wanted}");
        }
    }

    #[test]
    fn beyond_the_drop_off_nothing_moves() {
        for table in all_modes() {
            let far = Vec3::new(1.2, 1.2, 1.2);
            let (rest, _) = ellipsoids();
            assert_eq!(deformed(&table, far, 0.0), rest.transform_point3(far));
        }
    }

    #[test]
    fn a_trajectory_without_offsets_is_a_stretch() {
        let slippage = 0.6;
        let straight = table(ShellMode::Trajectory { slippage, offsets: vec![Vec3::ZERO; 3] });
        let stretch = table(ShellMode::Stretch { slippage });
        for r in [0.0_f32, 0.5, 1.1, 1.3, 1.7] {
            let local = Vec3::new(0.6, 0.0, 0.8) * r;
            assert_eq!(deformed(&straight, local, drawn(&stretch, r)), deformed(&stretch, local, drawn(&stretch, r)));
        }
    }

    #[test]
    fn a_trajectory_leaves_the_line_by_its_offset() {
        let offset = Vec3::new(0.5, -0.25, 1.0);
        let curved = table(ShellMode::Trajectory { slippage: 1.0, offsets: vec![offset] });
        let stretch = table(ShellMode::Stretch { slippage: 1.0 });
        // where α is one half: (1 − x²)² = 1/2
        let r = 1.0 + 0.8 * (1.0 - 0.5_f32.sqrt()).sqrt();
        let (local, rest) = (Vec3::Y * r, drawn(&stretch, r));
        let (e, e2) = ellipsoids();
        let way = (e2.translation - e.translation).length();
        let aside = deformed(&curved, local, rest) - deformed(&stretch, local, rest);
        assert!(aside.distance(offset * way) < 1e-4 * way, "{aside}");
        // and not at all at its ends
        for r in [0.3, 1.79999] {
            let aside = deformed(&curved, Vec3::Y * r, 0.0) - deformed(&stretch, Vec3::Y * r, 0.0);
            assert!(aside.length() < 1e-6);
        }
    }

    #[test]
    fn the_papers_basic_mode_puts_points_on_the_sticky_shell() {
        let table = table(ShellMode::Basic { paper: true });
        let (rest, _) = ellipsoids();
        for r in [0.2, 0.9, 1.2] {
            let local = Vec3::new(0.0, 0.6, 0.8);
            let moved = rest.inverse().transform_point3(deformed(&table, local * r, 0.0));
            assert!(moved.distance(local * (1.0 + 0.75 * 0.8)) < 1e-5, "{moved}");
        }
    }
}
