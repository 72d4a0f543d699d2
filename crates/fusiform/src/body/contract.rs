//! Contract: how a belly's section answers as the belly shortens, and as the muscle tenses.
//!
//! ```text
//! bulge    D  = (l₀ − l)/l₀,  over R when negative,  in [−1, 1]
//!          o′ = max(0.05, 1 + B sin(π/2 D)) √(l₀/l) (1 + iso τ) o        l length, l₀ at rest, τ activation
//! tone     o′ = (1 + tone (√(l₀/l) − 1)) (1 + iso τ) o
//! cones    V(r_p) l = V(r_p₀) l₀  solved for r_p;   o_b′ = o_b (1 + κτ 4u(1−u)),  o_c′ = o_c / (1 + κτ 4u(1−u))
//! tension  q  = g(τ − t_u/2) / g(−t_u/2),  g(x) = max(0.05, 1 + (k − 1) x);   o_b′ = √(q l₀/l) o_b,  o_c′ = √(l₀/(q l)) o_c
//! ```
//!
//! Bulge: Lee, Ashraf: *Simplified Muscle Dynamics for Appealing Real-Time Skin Deformation*, 2007, eq. 5-8 and
//! section 3.3. Tone: Pratscher, Coleman, Laszlo, Singh: *Outside-In Anatomy Based Character Rigging*, 2005, section 4.1.
//! Cones: Ramos, Larboulette: *Real-Time Anatomically Based Character Animation*, 2013, section 2. Tension: Saam, Macey,
//! Zhang: *Production Friendly Character Skinning*, section V-C, written as what it changes against rest: with W the axis
//! along b, t = (W_r/H_r) q and H = √(3v/(4π d t)) give just these factors. The floors and clamps are ours: no length makes
//! a belly vanish or burst. Murai's contraction has a file of its own, `sigmoid`; here it is what its middle does.

use super::cubics::Cubics;
use super::sigmoid::Identified;
use crate::musculature::{Contraction, Physique, Profile, Volume};
use glam::Vec2;

/// A length never counts for less than this share of rest.
pub const LENGTH_FLOOR: f32 = 0.05;

/// What a contraction makes of the sections of one belly: small enough to be sent to a GPU for every muscle and frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Growth {
    /// Factor on every section along b, toward the up-vector.
    pub b: f32,
    /// And along c, across.
    pub c: f32,
    /// How much thicker the thickest place of two cubics is than at rest, m; 0 for other profiles.
    pub peak: f32,
    /// κ τ: how far sections are stretched along b and narrowed along c at mid-belly.
    pub squeeze: f32,
}

impl Growth {
    /// As at rest.
    pub const NONE: Self = Self { b: 1.0, c: 1.0, peak: 0.0, squeeze: 0.0 };

    fn even(scale: f32) -> Self {
        Self { b: scale, c: scale, ..Self::NONE }
    }

    /// Factors on the half-axes of the section at share `s` of the belly; `rise` is what a thicker peak adds there.
    #[inline]
    pub fn at(&self, s: f32, rise: f32) -> Vec2 {
        let (thicker, squeeze) = (self.peak * rise, 1.0 + self.squeeze * (4.0 * s * (1.0 - s)));
        Vec2::new((self.b + thicker).max(0.0) * squeeze, (self.c + thicker).max(0.0) / squeeze)
    }
}

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
    /// Ramos'.
    Cones(Cones),
    /// Saam's.
    Tension {
        /// k.
        ratio: f32,
        /// t_u.
        tension: f32,
    },
    /// Murai's: every section by itself.
    Identified(Identified),
}

impl Answer {
    /// The document's choice on a body of that physique.
    pub fn new(contraction: &Contraction, profile: &Profile, physique: &Physique) -> Self {
        match *contraction {
            Contraction::Bulge { bulge, stretch_ratio, isometric } => {
                Self::Bulge(Bulge { bulge: bulge * physique.bulge, stretch: 1.0 / stretch_ratio, isometric })
            }
            Contraction::Tone { tone, isometric } | Contraction::PoseShapes { tone, isometric, .. } => {
                Self::Tone { tone: (tone * physique.bulge).min(1.0), isometric }
            }
            Contraction::Cones { volume, isometric } => {
                let isometric = isometric * physique.bulge;
                // a profile without a peak of its own keeps its volume as a whole
                cubics(profile).map_or(Self::Tone { tone: 1.0, isometric }, |cubics| {
                    Self::Cones(Cones::new(&cubics, volume, isometric))
                })
            }
            Contraction::TensionRatio { ratio, tension, .. } => {
                Self::Tension { ratio: 1.0 + (ratio - 1.0) * physique.bulge, tension }
            }
            // the door lets it in with its profile only
            Contraction::Identified { .. } => Identified::new(contraction, profile, physique.bulge)
                .map_or(Self::Tone { tone: 1.0, isometric: 0.0 }, Self::Identified),
        }
    }

    /// What becomes of the sections of a belly that is `rest` long at rest and `length` now.
    #[inline]
    pub fn growth(&self, rest: f32, length: f32, activation: f32) -> Growth {
        let length = length.max(LENGTH_FLOOR * rest);
        match self {
            Self::Bulge(bulge) => Growth::even(bulge.scale(rest, length, activation)),
            Self::Tone { tone, isometric } => {
                let full = (rest / length).sqrt();
                Growth::even((1.0 + tone * (full - 1.0)) * (1.0 + isometric * activation))
            }
            Self::Cones(cones) => Growth {
                peak: cones.peak(rest / length) - cones.rest,
                squeeze: cones.isometric * activation,
                ..Growth::NONE
            },
            Self::Tension { ratio, tension } => {
                let at_rest = ratio_at(*ratio, -0.5 * tension);
                let q = ratio_at(*ratio, activation - 0.5 * tension) / at_rest;
                let shorter = rest / length;
                Growth { b: (shorter * q).sqrt(), c: (shorter / q).sqrt(), ..Growth::NONE }
            }
            Self::Identified(of) => {
                let middle = of.middle(rest, length, activation);
                Growth { b: middle.x, c: middle.y, ..Growth::NONE }
            }
        }
    }
}

/// The profile's two cubics, if it is made of them.
pub fn cubics(profile: &Profile) -> Option<Cubics> {
    match *profile {
        Profile::TwoCubics { peak_at, peak, ends, slopes, .. } => Some(Cubics { peak_at, peak, ends, slopes }),
        _ => None,
    }
}

/// g(x).
fn ratio_at(ratio: f32, x: f32) -> f32 {
    (1.0 + (ratio - 1.0) * x).max(0.05)
}

/// What the printed tension does to the section at rest already: factors along b and c.
pub fn printed_rest(contraction: &Contraction) -> Vec2 {
    match *contraction {
        Contraction::TensionRatio { ratio, tension, paper: true } => {
            let root = ratio_at(ratio, -0.5 * tension).sqrt();
            Vec2::new(root, 1.0 / root)
        }
        _ => Vec2::ONE,
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
        let shortening = (rest - length) / rest;
        let shortening = if shortening < 0.0 { shortening * self.stretch } else { shortening };
        let sine = libm::sinf(std::f32::consts::FRAC_PI_2 * shortening.clamp(-1.0, 1.0));
        (1.0 + self.bulge * sine).max(0.05) * (rest / length).sqrt() * (1.0 + self.isometric * activation)
    }
}

/// Ramos' contraction of one muscle: V(r_p) = a r_p² + b r_p + c for every metre of belly; constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cones {
    square: [f32; 3],
    /// r_p as the quadratic gives it at rest, m.
    rest: f32,
    volume: f32,
    least: f32,
    isometric: f32,
}

impl Cones {
    fn new(cubics: &Cubics, volume: Volume, isometric: f32) -> Self {
        let square = match volume {
            Volume::Cones => cubics.cones(),
            Volume::Exact => cubics.square(),
        };
        let (peak, [a, b, c]) = (cubics.peak, square);
        let mut cones =
            Self { square, rest: peak, volume: (a * peak + b) * peak + c, least: LENGTH_FLOOR * peak, isometric };
        // its own rounding is part of rest
        cones.rest = cones.peak(1.0);
        cones
    }

    /// r_p of a belly that is so many times shorter: the larger root, or a floor where there is none.
    #[inline]
    fn peak(&self, shorter: f32) -> f32 {
        let [a, b, c] = self.square;
        let discriminant = b * b - 4.0 * a * (c - self.volume * shorter);
        if discriminant < 0.0 {
            return self.least;
        }
        ((discriminant.sqrt() - b) / (2.0 * a)).max(self.least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lee(bulge: f32, stretch: f32, isometric: f32) -> Answer {
        Answer::Bulge(Bulge { bulge, stretch, isometric })
    }

    fn ramos(volume: Volume) -> Answer {
        let (ends, slopes) = ([0.006, 0.002], [0.05, -0.03]);
        let profile = Profile::TwoCubics { peak_at: 0.4, peak: 0.03, ends, slopes, ellipse: 1.2 };
        Answer::new(&Contraction::Cones { volume, isometric: 0.5 }, &profile, &Physique::ATHLETE)
    }

    fn saam(tension: f32) -> Answer {
        Answer::Tension { ratio: 2.56, tension }
    }

    #[test]
    fn rest_length_keeps_the_section() {
        let all = [lee(3.0, 0.5, 0.25), Answer::Tone { tone: 0.7, isometric: 0.25 }, saam(0.0), saam(0.8)];
        for answer in all.into_iter().chain([Volume::Cones, Volume::Exact].map(ramos)) {
            assert_eq!(answer.growth(0.3, 0.3, 0.0), Growth::NONE);
        }
    }

    #[test]
    fn activation_alone_swells_the_section() {
        for answer in [lee(1.0, 0.5, 0.25), Answer::Tone { tone: 0.7, isometric: 0.25 }] {
            assert_eq!(answer.growth(0.3, 0.3, 1.0), Growth::even(1.25));
        }
    }

    #[test]
    fn with_its_length_fixed_tension_grows_one_axis_shrinks_the_other_and_keeps_the_area() {
        for (answer, s) in [(saam(0.3), 0.2), (ramos(Volume::Exact), 0.5), (ramos(Volume::Cones), 0.3)] {
            let mut last = Vec2::ONE;
            for tenth in 1..=10 {
                let now = answer.growth(0.3, 0.3, 0.1 * tenth as f32).at(s, 20.0);
                assert!(now.x > last.x && now.y < last.y, "{now} after {last}");
                assert!((now.x * now.y - 1.0).abs() < 1e-5);
                last = now;
            }
            assert!(last.x > 1.2, "it can be seen: {last}");
        }
    }

    #[test]
    fn a_body_without_tone_keeps_its_section() {
        assert_eq!(Answer::Tone { tone: 0.0, isometric: 0.25 }.growth(0.3, 0.1, 0.0), Growth::NONE);
    }

    #[test]
    fn the_printed_tension_is_there_at_rest_too() {
        let contraction = Contraction::TensionRatio { ratio: 2.56, tension: 1.0, paper: true };
        let rest = printed_rest(&contraction);
        // t = r (1 − t_f + 2.56 t_f) with t_f = −1/2
        assert!((rest.x / rest.y - 0.22).abs() < 1e-5 && (rest.x * rest.y - 1.0).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn without_bulge_and_with_full_tone_the_volume_is_kept(
            rest in 0.01_f32..2.0, ratio in 0.5_f32..1.5, tension in 0.0_f32..1.0, activation in 0.0_f32..1.0,
        ) {
            for answer in [lee(0.0, 1.0, 0.0), Answer::Tone { tone: 1.0, isometric: 0.0 }, saam(tension)] {
                let grown = answer.growth(rest, rest * ratio, activation).at(0.5, 0.0);
                prop_assert!((ratio * grown.x * grown.y - 1.0).abs() < 1e-5);
            }
        }

        #[test]
        fn any_length_gives_a_finite_section(
            length in 0.0_f32..1e3, bulge in 0.0_f32..100.0, tone in 0.0_f32..1.0, activation in 0.0_f32..1.0,
        ) {
            for answer in [lee(bulge, 2.0, 0.25), Answer::Tone { tone, isometric: 0.25 }, saam(tone), ramos(Volume::Cones)] {
                let grown = answer.growth(0.3, length, activation).at(0.5, 30.0);
                prop_assert!(grown.is_finite() && grown.min_element() > 0.0);
            }
        }
    }
}
