//! Brush: how painting and sculpting are set, and what is kept from them.

use fusiform::Muscle;
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
    /// What takes back what it does; itself where there is no such mode.
    #[must_use]
    pub fn inverse(self) -> Self {
        match self {
            Self::Add => Self::Subtract,
            Self::Subtract => Self::Add,
            Self::Smooth | Self::Replace => self,
        }
    }

    /// All of them, with what people call them and what they do.
    pub const ALL: [(Self, &str, &str); 4] = [
        (Self::Add, "Add", "The skin follows it more: a stroke adds the strength (hold ctrl to erase)"),
        (Self::Subtract, "Erase", "The skin follows it less: a stroke takes the strength away (hold ctrl to add)"),
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
    /// Nearer to the profile, without any shape on top of it.
    Reset,
}

impl Carve {
    /// What takes back what it does; itself where there is no such mode.
    #[must_use]
    pub fn inverse(self) -> Self {
        match self {
            Self::Pull => Self::Press,
            Self::Press => Self::Pull,
            Self::Smooth | Self::Reset => self,
        }
    }

    /// All of them, with what people call them and what they do.
    pub const ALL: [(Self, &str, &str); 4] = [
        (
            Self::Pull,
            "Pull out",
            "The belly thickens, the skin over it rises: by the strength, in radii of the belly (hold ctrl to press)",
        ),
        (
            Self::Press,
            "Press in",
            "The belly thins, the skin over it sinks: by the strength, in radii of the belly (hold ctrl to pull)",
        ),
        (Self::Smooth, "Even out", "Dents and bumps of the belly go (hold shift)"),
        (
            Self::Reset,
            "Back to profile",
            "Its plain profile again: what was sculpted goes, and so does the shape that was fitted to the skin",
        ),
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

impl Locks {
    /// Go with muscles that are called something else now; those that are gone may come back.
    pub(super) fn follow(&mut self, [before, after]: [&[Muscle]; 2], places: &[Option<usize>]) {
        let now = |name: &String| {
            let place = before.iter().position(|muscle| muscle.name == *name).and_then(|m| *places.get(m)?);
            place.map_or_else(|| name.clone(), |place| after[place].name.clone())
        };
        self.muscles = self.muscles.iter().map(now).collect();
    }
}
