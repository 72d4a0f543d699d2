//! Eight of a kind: the unit every hot loop works in, and the choice of instructions it is compiled for.
//!
//! Kernels are plain loops over `[f32; 8]`. The compiler turns them into vector code; compiled once more with AVX2
//! they run up to twice as fast and give the same bits, because Rust never fuses a multiplication with an addition.

use glam::Vec3;

/// How many vertices or rings go through a kernel together.
pub const LANES: usize = 8;

/// One number for each of eight.
pub type Lane = [f32; LANES];

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
