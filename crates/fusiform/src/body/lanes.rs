//! Eight of a kind: the unit every hot loop works in, and the choice of instructions it is compiled for.
//!
//! Kernels are plain loops over `[f32; 8]`. The compiler turns them into vector code; compiled once more with AVX2
//! they run up to twice as fast and give the same bits, because Rust never fuses a multiplication with an addition.

use glam::Vec3;

/// How many vertices or rings go through a kernel together.
pub const LANES: usize = 8;

/// One number for each of eight.
pub type Lane = [f32; LANES];

/// One share for each of eight, in steps of 1/[`WHOLE`]: half the memory of floats, and memory bounds the skin.
pub type Shares = [u16; LANES];

/// The share that is everything.
pub const WHOLE: u16 = u16::MAX;

/// Non-negative shares in steps of 1/[`WHOLE`]; those that sum to one do so exactly afterwards.
///
/// Rounded down, then what is missing from the rounded sum goes to those that lost most.
pub fn quantise(shares: &[f32]) -> Vec<u16> {
    let whole = f32::from(WHOLE);
    let exact: Vec<f64> = shares.iter().map(|&s| f64::from(s.clamp(0.0, 1.0) * whole)).collect();
    let mut steps: Vec<u16> = exact.iter().map(|e| *e as u16).collect();
    let wanted = (exact.iter().sum::<f64>() + 0.5).min(f64::from(whole)) as i64;
    let mut missing = wanted - steps.iter().map(|&s| i64::from(s)).sum::<i64>();
    let mut by_loss: Vec<usize> = (0..steps.len()).collect();
    let loss = |i: usize| exact[i] - exact[i].floor();
    by_loss.sort_by(|&a, &b| loss(b).total_cmp(&loss(a)).then(a.cmp(&b)));
    for i in by_loss {
        if missing > 0 && steps[i] < WHOLE {
            steps[i] += 1;
            missing -= 1;
        }
    }
    steps
}

/// One vector for each of eight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct Lane3 {
    /// First components.
    pub x: Lane,
    /// Second components.
    pub y: Lane,
    /// Third components.
    pub z: Lane,
}

impl Lane3 {
    /// One vector for each lane.
    #[inline(always)]
    pub fn each(vector: impl Fn(usize) -> Vec3) -> Self {
        let mut lanes = Self::default();
        for lane in 0..LANES {
            lanes.set(lane, vector(lane));
        }
        lanes
    }

    /// The vector in that lane.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> Vec3 {
        Vec3::new(self.x[lane], self.y[lane], self.z[lane])
    }

    /// Put a vector into that lane.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, v: Vec3) {
        (self.x[lane], self.y[lane], self.z[lane]) = (v.x, v.y, v.z);
    }
}

/// Which instructions the kernels use; every choice gives the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instructions(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Instructions {
    /// What every processor of this kind has (SSE2, NEON, wasm).
    pub const BASELINE: Self = Self(Set::Baseline);

    /// The best this processor has.
    #[must_use]
    pub fn best() -> Self {
        Self::available().last().copied().unwrap_or(Self::BASELINE)
    }

    /// All this processor has, plainest first.
    #[must_use]
    pub fn available() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return vec![Self::BASELINE, Self(Set::Avx2)];
        }
        vec![Self::BASELINE]
    }

    pub(super) fn set(self) -> Set {
        self.0
    }
}

/// Compile a kernel (an `#[inline(always)]` function) once for each instruction set and choose when called.
macro_rules! for_each_instruction_set {
    ($(#[$meta:meta])* $name:ident = $kernel:ident($($arg:ident: $ty:ty),* $(,)?)) => {
        $(#[$meta])*
        #[allow(unsafe_code, clippy::too_many_arguments)]
        pub(crate) fn $name(instructions: $crate::body::lanes::Instructions, $($arg: $ty),*) {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            fn avx2($($arg: $ty),*) {
                $kernel($($arg),*);
            }
            match instructions.set() {
                $crate::body::lanes::Set::Baseline => $kernel($($arg),*),
                // SAFETY: `Instructions` says AVX2 only after the processor did.
                #[cfg(target_arch = "x86_64")]
                $crate::body::lanes::Set::Avx2 => unsafe { avx2($($arg),*) },
            }
        }
    };
}
pub(super) use for_each_instruction_set;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn shares_that_sum_to_one_do_so_exactly_after_packing(raw in prop::collection::vec(0.0_f32..1.0, 1..9)) {
            let sum: f32 = raw.iter().sum();
            prop_assume!(sum > 0.01);
            let shares: Vec<f32> = raw.iter().map(|s| s / sum).collect();
            let packed = quantise(&shares);
            prop_assert_eq!(packed.iter().map(|&s| u32::from(s)).sum::<u32>(), u32::from(WHOLE));
            for (share, packed) in shares.iter().zip(packed) {
                prop_assert!((share - f32::from(packed) / f32::from(WHOLE)).abs() < 1.1 / f32::from(WHOLE));
            }
        }
    }
}
