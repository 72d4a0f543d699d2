//! The negative dual of the tension problem and its minimum: the equations are at the head of [`super`].

use crate::dense::{self, dot};

/// Newton steps before giving up. A frame that follows another takes two or three; where reserves take over there is
/// little curvature, the way leads from corner to corner as in a linear program, and takes about a step per coordinate.
const MOST_STEPS: usize = 500;

/// What a torque may be off, relative to all that muscles, reserves and the torque itself amount to: thousands of times
/// what rounding leaves.
const TOLERANCE: f64 = 1e-12;

/// Off by more than this, relative to the same, is not a solution.
const SETTLED: f64 = 1e-10;

/// Added to the curvature, relative to its largest possible value: large against rounding, small against anything else.
/// Where every muscle of a coordinate is at a bound there is no other curvature, and the line search finds how far to go.
const LEAST_CURVATURE: f64 = 1e-12;

/// A step ends where the slope along it has fallen to this part of what it was.
const LINE_TOLERANCE: f64 = 1e-3;

#[derive(Clone, Debug)]
pub(super) struct Dual {
    least: f64,
    price: f64,
    arm: Box<[f64]>,         // n_muscle x n_dof  b, N m at full activation
    span: Box<[[usize; 2]]>, // n_muscle  first and past last coordinate with an arm
    weight: Box<[f64]>,      // n_muscle  1 + w
    wish: Box<[f64]>,        // n_muscle  w e
    along: Box<[f64]>,       // n_muscle  b·λ
    along_step: Box<[f64]>,  // n_muscle  b·direction
    torque: Box<[f64]>,      // n_dof  τ
    unit: Box<[f64]>,        // n_dof  u
    all: Box<[f64]>,         // n_dof  c, N m: all that acts on the coordinate, or could
    curvature: Box<[f64]>,   // n_dof  diagonal of ∇²G if nothing were at a bound
    gradient: Box<[f64]>,    // n_dof  ∇G
    direction: Box<[f64]>,   // n_dof
    counted: Box<[bool]>,    // n_muscle  whether it is in the Hessian
    hessian: Box<[f64]>,     // n_dof x n_dof  muscles' part of ∇²G, lower triangle
    factor: Box<[f64]>,      // n_dof x n_dof  all of ∇²G, factored
    floor: Box<[f64]>,       // n_dof  least pivots
    /// n_dof: λ, kept from frame to frame.
    pub multiplier: Box<[f64]>,
    /// n_muscle: a(λ).
    pub activation: Box<[f64]>,
}

impl Dual {
    pub fn new(n_muscle: usize, n_dof: usize, least: f64, price: f64) -> Self {
        let (muscles, dofs) = (|| vec![0.0; n_muscle].into(), || vec![0.0; n_dof].into());
        Self {
            least,
            price,
            arm: vec![0.0; n_muscle * n_dof].into(),
            span: vec![[0, 0]; n_muscle].into(),
            weight: muscles(),
            wish: muscles(),
            along: muscles(),
            along_step: muscles(),
            torque: dofs(),
            unit: dofs(),
            all: dofs(),
            curvature: dofs(),
            gradient: dofs(),
            direction: dofs(),
            counted: vec![false; n_muscle].into(),
            hessian: vec![0.0; n_dof * n_dof].into(),
            factor: vec![0.0; n_dof * n_dof].into(),
            floor: dofs(),
            multiplier: dofs(),
            activation: muscles(),
        }
    }

    pub fn set_muscle(&mut self, i: usize, arms: &[f64], strength: f64, weight: f64, emg: f64) {
        let n_dof = arms.len();
        for (arm, of_force) in self.arm[i * n_dof..(i + 1) * n_dof].iter_mut().zip(arms) {
            *arm = of_force * strength;
        }
        let reaches = |arm: &f64| *arm != 0.0 && strength != 0.0;
        let first = arms.iter().position(reaches).unwrap_or(0);
        self.span[i] = [first, arms.iter().rposition(reaches).map_or(first, |last| last + 1)];
        self.weight[i] = 1.0 + weight;
        self.wish[i] = weight * emg;
    }

    pub fn set_dof(&mut self, j: usize, torque: f64, unit: f64) {
        self.torque[j] = torque;
        self.unit[j] = unit;
    }

    /// Move λ to the minimum: how many steps it took, and whether it is one.
    pub fn minimise(&mut self) -> (usize, bool) {
        self.measure();
        self.release_lone_reserves();
        self.look_along();
        self.evaluate();
        let mut steps = 0;
        let mut off = self.off();
        while off > TOLERANCE && steps < MOST_STEPS {
            let slope = self.point();
            let Some(length) = self.line_search(slope) else { break };
            self.go(length);
            self.evaluate();
            steps += 1;
            let before = std::mem::replace(&mut off, self.off());
            // as good as rounding allows
            if off < SETTLED && off > 0.5 * before {
                break;
            }
        }
        (steps, off <= SETTLED)
    }

    /// Begin a frame: how large everything about each coordinate is.
    fn measure(&mut self) {
        self.hessian.fill(0.0);
        self.counted.fill(false);
        for (j, all) in self.all.iter_mut().enumerate() {
            *all = self.unit[j] + self.torque[j].abs();
        }
        self.curvature.fill(0.0);
        let n_dof = self.torque.len();
        for (i, &[first, end]) in self.span.iter().enumerate() {
            let half = 0.5 / self.weight[i];
            for j in first..end {
                let arm = self.arm[i * n_dof + j];
                self.all[j] += arm.abs();
                self.curvature[j] += half * arm * arm;
            }
        }
        for j in 0..n_dof {
            self.curvature[j] += self.of_reserve(j);
        }
    }

    /// Coordinates that no muscle moves need no search: s(λ) = τ.
    fn release_lone_reserves(&mut self) {
        for (j, unit) in self.unit.iter().enumerate() {
            let torque = self.torque[j];
            if self.all[j] == unit + torque.abs() {
                let beyond = if torque == 0.0 { 0.0 } else { torque.signum() + torque / self.all[j] };
                self.multiplier[j] = self.price / unit * beyond;
            }
        }
    }

    /// b·λ.
    fn look_along(&mut self) {
        let n_dof = self.torque.len();
        for (i, &[first, end]) in self.span.iter().enumerate() {
            self.along[i] = dot(&self.arm[i * n_dof + first..i * n_dof + end], &self.multiplier[first..end]);
        }
    }

    /// Go along the direction. b·λ goes by itself: where reserves are dear, λ is so large that b·λ of muscles between their
    /// bounds, which is about 1, would drown in rounding.
    fn go(&mut self, length: f64) {
        add(&mut self.multiplier, &self.direction, length);
        add(&mut self.along, &self.along_step, length);
    }

    /// a(λ) and ∇G(λ).
    fn evaluate(&mut self) {
        let n_dof = self.torque.len();
        for j in 0..n_dof {
            self.gradient[j] = self.reserve(j, self.multiplier[j]) - self.torque[j];
        }
        for (i, &[first, end]) in self.span.iter().enumerate() {
            let arms = &self.arm[i * n_dof + first..i * n_dof + end];
            self.activation[i] = self.unclamped(i, self.along[i]).clamp(self.least, 1.0);
            add(&mut self.gradient[first..end], arms, self.activation[i]);
        }
    }

    /// The largest torque that is off, relative to all that acts there.
    fn off(&self) -> f64 {
        self.gradient.iter().zip(&self.all).fold(0.0, |most, (off, all)| f64::max(most, off.abs() / all))
    }

    fn unclamped(&self, i: usize, along: f64) -> f64 {
        (self.wish[i] + 0.5 * along) / self.weight[i]
    }

    fn is_free(&self, i: usize, along: f64) -> bool {
        let activation = self.unclamped(i, along);
        activation > self.least && activation < 1.0
    }

    fn reserve(&self, j: usize, multiplier: f64) -> f64 {
        let beyond = (multiplier.abs() * self.unit[j] / self.price - 1.0).max(0.0);
        self.all[j] * beyond.copysign(multiplier)
    }

    fn is_reserved(&self, j: usize, multiplier: f64) -> bool {
        multiplier.abs() * self.unit[j] > self.price
    }

    /// What a reserve that is in use adds to ∇²G.
    fn of_reserve(&self, j: usize) -> f64 {
        self.all[j] * self.unit[j] / self.price
    }

    /// Newton's direction; returns the slope of G along it.
    fn point(&mut self) -> f64 {
        let n_dof = self.torque.len();
        self.follow_free_muscles();
        self.factor.copy_from_slice(&self.hessian);
        for j in 0..n_dof {
            self.floor[j] = LEAST_CURVATURE * self.curvature[j];
            let reserved = self.is_reserved(j, self.multiplier[j]);
            let of_reserve = if reserved { self.of_reserve(j) } else { 0.0 };
            self.factor[j * n_dof + j] += of_reserve + self.floor[j];
            self.direction[j] = -self.gradient[j];
        }
        dense::factor_above(&mut self.factor, &self.floor);
        dense::substitute(self.floor.len(), &self.factor, &mut self.direction);
        for (i, &[first, end]) in self.span.iter().enumerate() {
            let arms = &self.arm[i * n_dof + first..i * n_dof + end];
            self.along_step[i] = dot(arms, &self.direction[first..end]);
        }
        dot(&self.gradient, &self.direction)
    }

    /// Bring the muscles' part of ∇²G up to date: few muscles reach or leave a bound from one step to the next.
    fn follow_free_muscles(&mut self) {
        let n_dof = self.torque.len();
        for (i, &[first, end]) in self.span.iter().enumerate() {
            let free = self.is_free(i, self.along[i]);
            if free == self.counted[i] {
                continue;
            }
            self.counted[i] = free;
            let arms = &self.arm[i * n_dof..(i + 1) * n_dof];
            let half = if free { 0.5 } else { -0.5 } / self.weight[i];
            for j in (first..end).filter(|&j| arms[j] != 0.0) {
                add(&mut self.hessian[j * n_dof + first..=j * n_dof + j], &arms[first..=j], half * arms[j]);
            }
        }
    }

    /// Where along the direction G is least: the root of its slope, which rises piecewise linearly, by Newton's method
    /// inside a bracket. None when the direction does not lead down, which only rounding can do.
    fn line_search(&self, slope_at_0: f64) -> Option<f64> {
        if slope_at_0.is_nan() || slope_at_0 >= 0.0 {
            return None;
        }
        let (mut low, mut high, mut length) = (0.0, f64::INFINITY, 1.0);
        for _ in 0..MOST_STEPS {
            let (slope, rise) = self.slope_at(length);
            if slope.abs() <= LINE_TOLERANCE * -slope_at_0 {
                break;
            }
            if slope < 0.0 {
                low = length;
            } else {
                high = length;
            }
            let newton = length - slope / rise;
            length = match high {
                f64::INFINITY if newton.is_finite() => newton.clamp(1.1 * low, 64.0 * low),
                f64::INFINITY => 64.0 * low,
                _ if newton > low && newton < high => newton,
                _ => 0.5 * (low + high),
            };
        }
        (length.is_finite() && length > 0.0).then_some(length)
    }

    /// The slope of G along the direction, and how it rises, `length` steps ahead.
    fn slope_at(&self, length: f64) -> (f64, f64) {
        let (mut slope, mut rise) = (0.0, 0.0);
        for (i, step) in self.along_step.iter().enumerate() {
            let activation = self.unclamped(i, self.along[i] + length * step);
            slope += step * activation.clamp(self.least, 1.0);
            if activation > self.least && activation < 1.0 {
                rise += step * step * 0.5 / self.weight[i];
            }
        }
        for (j, step) in self.direction.iter().enumerate() {
            let multiplier = self.multiplier[j] + length * step;
            slope += step * (self.reserve(j, multiplier) - self.torque[j]);
            if self.is_reserved(j, multiplier) {
                rise += step * step * self.of_reserve(j);
            }
        }
        (slope, rise)
    }
}

/// `to += from · times`.
fn add(to: &mut [f64], from: &[f64], times: f64) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += from * times;
    }
}
