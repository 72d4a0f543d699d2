//! One anatomy, many bodies: multipliers over all muscles.

use serde::{Deserialize, Serialize};

/// Multipliers over the whole body (Lee, Test C). Rest stays the artist's skin whatever they are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Physique {
    /// On belly radii; larger bellies swell further.
    pub size: f32,
    /// On the bulge multiplier B, and on tone, which stays within 1.
    pub bulge: f32,
    /// On spring stiffness.
    pub stiffness: f32,
    /// On spring damping (gamma, per second).
    pub damping: f32,
    /// On every muscle's weight on the skin; the sum at a vertex still stays below 1.
    pub skin_weight: f32,
}

impl Physique {
    /// Names of the presets, as [`Physique::named`] knows them.
    pub const NAMES: [&str; 4] = ["athlete", "brute", "gaunt", "jelly"];

    /// As the anatomy was made.
    pub const ATHLETE: Self = Self { size: 1.0, bulge: 1.0, stiffness: 1.0, damping: 1.0, skin_weight: 1.0 };
    /// Huge bellies that swell hard and hardly shake.
    pub const BRUTE: Self = Self { size: 1.35, bulge: 1.8, stiffness: 1.6, damping: 1.3, skin_weight: 1.25 };
    /// Thin, stringy, dry.
    pub const GAUNT: Self = Self { size: 0.6, bulge: 0.6, stiffness: 2.5, damping: 1.5, skin_weight: 0.8 };
    /// Everything wobbles.
    pub const JELLY: Self = Self { size: 1.1, bulge: 0.7, stiffness: 0.25, damping: 0.25, skin_weight: 1.3 };

    /// The preset of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "athlete" => Some(Self::ATHLETE),
            "brute" => Some(Self::BRUTE),
            "gaunt" => Some(Self::GAUNT),
            "jelly" => Some(Self::JELLY),
            _ => None,
        }
    }
}

impl Default for Physique {
    fn default() -> Self {
        Self::ATHLETE
    }
}
