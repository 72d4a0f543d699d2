//! Contract: how much a belly's section grows as the belly shortens, and as the muscle tenses.
//!
//! ```text
//! bulge  D  = (l₀ − l)/l₀,  over R when negative,  in [−1, 1]
//!        o′ = max(0.05, 1 + B sin(π/2 D)) √(l₀/l) (1 + iso τ) o        l length, l₀ at rest, τ activation
//! tone   o′ = (1 + tone (√(l₀/l) − 1)) (1 + iso τ) o
//! ```
//!
//! Bulge: Lee, Ashraf: *Simplified Muscle Dynamics for Appealing Real-Time Skin Deformation*, 2007, eq. 5-8 and
//! section 3.3. Tone: Pratscher, Coleman, Laszlo, Singh: *Outside-In Anatomy Based Character Rigging*, 2005, section 4.1.
//! The floors and the clamp are ours: no length makes a belly vanish or burst.

use crate::musculature::{Contraction, Physique};

/// A length never counts for less than this share of rest.
pub const LENGTH_FLOOR: f32 = 0.05;

/// How the section of one muscle answers; constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    /// Lee's.
    Bulge(Bulge),
    /// Pratscher's.
    Tone {
        /// 0 ..= 1.
        tone: f32,
        /// iso.
        isometric: f32,
    },
}

impl Answer {
    /// The document's choice on a body of that physique.
    pub fn new(contraction: &Contraction, physique: &Physique) -> Self {
        match *contraction {
            Contraction::Bulge { bulge, stretch_ratio, isometric } => {
                Self::Bulge(Bulge { bulge: bulge * physique.bulge, stretch: 1.0 / stretch_ratio, isometric })
            }
            Contraction::Tone { tone, isometric } | Contraction::PoseShapes { tone, isometric, .. } => {
                Self::Tone { tone: (tone * physique.bulge).min(1.0), isometric }
            }
        }
    }

    /// Size of the section over its size at rest.
    #[inline]
    pub fn scale(&self, rest: f32, length: f32, activation: f32) -> f32 {
        match self {
            Self::Bulge(bulge) => bulge.scale(rest, length, activation),
            Self::Tone { tone, isometric } => {
                let full = (rest / length.max(LENGTH_FLOOR * rest)).sqrt();
                (1.0 + tone * (full - 1.0)) * (1.0 + isometric * activation)
            }
        }
    }
}

/// Lee's contraction of one muscle; constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bulge {
    /// B, times the physique's.
    pub bulge: f32,
    /// 1 / R.
    pub stretch: f32,
    /// iso.
    pub isometric: f32,
}

impl Bulge {
    #[inline]
    fn scale(&self, rest: f32, length: f32, activation: f32) -> f32 {
        let length = length.max(LENGTH_FLOOR * rest);
        let shortening = (rest - length) / rest;
        let shortening = if shortening < 0.0 { shortening * self.stretch } else { shortening };
        let sine = libm::sinf(std::f32::consts::FRAC_PI_2 * shortening.clamp(-1.0, 1.0));
        (1.0 + self.bulge * sine).max(0.05) * (rest / length).sqrt() * (1.0 + self.isometric * activation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rest_length_keeps_the_section() {
        assert_eq!(Bulge { bulge: 3.0, stretch: 0.5, isometric: 0.25 }.scale(0.3, 0.3, 0.0), 1.0);
        assert_eq!(Answer::Tone { tone: 0.7, isometric: 0.25 }.scale(0.3, 0.3, 0.0), 1.0);
    }

    #[test]
    fn activation_alone_swells_the_section() {
        assert_eq!(Bulge { bulge: 1.0, stretch: 0.5, isometric: 0.25 }.scale(0.3, 0.3, 1.0), 1.25);
        assert_eq!(Answer::Tone { tone: 0.7, isometric: 0.25 }.scale(0.3, 0.3, 1.0), 1.25);
    }

    #[test]
    fn a_body_without_tone_keeps_its_section() {
        assert_eq!(Answer::Tone { tone: 0.0, isometric: 0.25 }.scale(0.3, 0.1, 0.0), 1.0);
    }

    proptest! {
        #[test]
        fn without_bulge_and_with_full_tone_the_volume_is_kept(rest in 0.01_f32..2.0, ratio in 0.5_f32..1.5) {
            let bulge = Answer::Bulge(Bulge { bulge: 0.0, stretch: 1.0, isometric: 0.0 });
            for answer in [bulge, Answer::Tone { tone: 1.0, isometric: 0.0 }] {
                let scale = answer.scale(rest, rest * ratio, 0.0);
                prop_assert!((ratio * scale * scale - 1.0).abs() < 1e-5);
            }
        }

        #[test]
        fn any_length_gives_a_finite_positive_section(length in 0.0_f32..1e3, bulge in 0.0_f32..100.0, tone in 0.0_f32..1.0) {
            for answer in [
                Answer::Bulge(Bulge { bulge, stretch: 2.0, isometric: 0.25 }),
                Answer::Tone { tone, isometric: 0.25 },
            ] {
                let scale = answer.scale(0.3, length, 1.0);
                prop_assert!(scale.is_finite() && scale > 0.0);
            }
        }
    }
}
