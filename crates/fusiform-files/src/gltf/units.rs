//! Units: how long a unit of the file is. glTF says a metre; exporters often mean a centimetre.

use std::fmt;

/// How long a unit of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// As glTF says.
    Metres,
    /// A human is about 180 high.
    Centimetres,
    /// A human is about 1,800 high.
    Millimetres,
}

impl Units {
    /// The unit in which a character of that largest extent is a creature and no building.
    #[must_use]
    pub fn guess(extent: f64) -> Self {
        match extent {
            30.0..500.0 => Self::Centimetres,
            500.0.. => Self::Millimetres,
            _ => Self::Metres,
        }
    }

    /// The unit that is so many metres.
    #[must_use]
    pub fn of_metres(metres: f64) -> Option<Self> {
        [Self::Metres, Self::Centimetres, Self::Millimetres].into_iter().find(|units| units.metres() == metres)
    }

    /// Metres a unit.
    #[must_use]
    pub fn metres(self) -> f64 {
        match self {
            Self::Metres => 1.0,
            Self::Centimetres => 0.01,
            Self::Millimetres => 0.001,
        }
    }
}

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Metres => "m",
            Self::Centimetres => "cm",
            Self::Millimetres => "mm",
        })
    }
}
