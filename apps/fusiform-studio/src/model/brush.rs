//! Brush: how painting and sculpting are set, and what is kept from them.

use std::collections::BTreeSet;

/// What a stroke does to weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// More of it, by the strength.
    #[default]
    Add,
    /// Less of it, by the strength.
    Subtract,
    /// Nearer to the mean of its neighbours.
    Smooth,
    /// Nearer to one value.
    Replace,
}

impl Mode {
    /// All of them, with what people call them and what they do.
    pub const ALL: [(Self, &str, &str); 4] = [
        (Self::Add, "Add", "The skin follows it more: a stroke adds the strength"),
        (Self::Subtract, "Erase", "The skin follows it less: a stroke takes the strength away"),
        (
            Self::Smooth,
            "Smooth",
            "Creases in the skin even out: weights go to the mean of their neighbours (hold shift)",
        ),
        (Self::Replace, "Replace", "The skin follows it by the value: at strength 1 one stroke reaches it"),
    ];
}

/// What a stroke does to a belly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carve {
    /// Out, by the strength as a share of the belly's radius.
    #[default]
    Pull,
    /// In, likewise.
    Press,
    /// Nearer to the mean of its neighbours.
    Smooth,
    /// Nearer to the profile as it is without sculpting.
    Reset,
}

impl Carve {
    /// All of them, with what people call them and what they do.
    pub const ALL: [(Self, &str, &str); 4] = [
        (
            Self::Pull,
            "Pull out",
            "The belly thickens, and the skin over it rises: by the strength, in radii of the belly",
        ),
        (
            Self::Press,
            "Press in",
            "The belly thins, and the skin over it sinks: by the strength, in radii of the belly",
        ),
        (Self::Smooth, "Even out", "Dents and bumps of the belly go (hold shift)"),
        (Self::Reset, "Back to profile", "The belly goes back to its profile, as it was before sculpting"),
    ];
}

/// How the brush fades from its middle to its edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Falloff {
    /// Round at the middle and at the edge.
    #[default]
    Smooth,
    /// By the distance.
    Linear,
    /// Not at all.
    Constant,
    /// A peak in the middle.
    Sharp,
}

impl Falloff {
    /// All of them, with what people call them.
    pub const ALL: [(Self, &str); 4] =
        [(Self::Smooth, "Soft"), (Self::Linear, "Linear"), (Self::Constant, "Constant"), (Self::Sharp, "Sharp")];

    /// How much of the strength is left at a share of the radius; 1 in the middle, nothing beyond the edge.
    #[must_use]
    pub fn at(self, share: f32) -> f32 {
        if !(0.0..1.0).contains(&share) {
            return 0.0;
        }
        let left = 1.0 - share;
        match self {
            Self::Smooth => left * left * (3.0 - 2.0 * left),
            Self::Linear => left,
            Self::Constant => 1.0,
            Self::Sharp => left * left,
        }
    }
}

/// How painting and sculpting are set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brush {
    /// What painting does.
    pub mode: Mode,
    /// What sculpting does.
    pub carve: Carve,
    /// m, over the skin as it is seen.
    pub radius: f32,
    /// 0 to 1: the most that one stroke does at any place.
    pub strength: f32,
    /// From the middle to the edge.
    pub falloff: Falloff,
    /// What [`Mode::Replace`] paints, 0 to 1.
    pub value: f32,
}

impl Brush {
    /// Smallest and largest radius, in heights of the character.
    pub const RADII: [f32; 2] = [0.001, 0.3];

    /// For a character of that height.
    #[must_use]
    pub fn new(height: f32) -> Self {
        let radius = 0.03 * height.max(1e-3);
        Self { mode: Mode::Add, carve: Carve::Pull, radius, strength: 0.25, falloff: Falloff::Smooth, value: 1.0 }
    }

    /// The same within what is allowed for a character of that height; none where a number is none.
    #[must_use]
    pub fn within(self, height: f32) -> Option<Self> {
        let Self { radius, strength, value, .. } = self;
        let [low, high] = Self::RADII.map(|share| share * height.max(1e-3));
        (radius.is_finite() && strength.is_finite() && value.is_finite()).then(|| Self {
            radius: radius.clamp(low, high),
            strength: strength.clamp(0.0, 1.0),
            value: value.clamp(0.0, 1.0),
            ..self
        })
    }
}

/// Whose weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A joint's.
    Joint(usize),
    /// A muscle's.
    Muscle(usize),
}

/// Joints and muscles whose weights no stroke changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locks {
    /// Joints.
    pub joints: BTreeSet<usize>,
    /// Muscles by name: their numbers change as others go.
    pub muscles: BTreeSet<String>,
}
