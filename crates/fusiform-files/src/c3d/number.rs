//! Numbers as three kinds of machines wrote them.

/// Whose numbers these are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Machine {
    /// Little end first.
    Intel,
    /// Little end first; floats are those of a VAX.
    Dec,
    /// Big end first, of SGI and other MIPS machines.
    Sgi,
}

impl Machine {
    /// Two bytes as a count.
    pub(super) fn unsigned(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Intel | Self::Dec => u16::from_le_bytes(bytes),
            Self::Sgi => u16::from_be_bytes(bytes),
        }
    }

    /// Two bytes as a number.
    pub(super) fn signed(self, bytes: [u8; 2]) -> i16 {
        self.unsigned(bytes).cast_signed()
    }

    /// Four bytes as a number.
    pub(super) fn float(self, bytes: [u8; 4]) -> f64 {
        match self {
            Self::Intel => f32::from_le_bytes(bytes).into(),
            Self::Dec => vax(bytes),
            Self::Sgi => f32::from_be_bytes(bytes).into(),
        }
    }

    /// The count at a place, 0 beyond the end.
    pub(super) fn count_at(self, bytes: &[u8], at: usize) -> usize {
        bytes.get(at..at + 2).and_then(|two| two.try_into().ok()).map_or(0, |two| usize::from(self.unsigned(two)))
    }

    /// The float at a place, 0 beyond the end.
    pub(super) fn float_at(self, bytes: &[u8], at: usize) -> f64 {
        bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map_or(0.0, |four| self.float(four))
    }
}

/// A VAX's F_floating: two words, the first with sign, eight bits of exponent and the upper bits of the fraction.
///
/// ```text
/// (-1)^s · (1 + f / 2²³) · 2^(e - 129);   e = 0 is 0, or no number if s is set
/// ```
///
/// *VAX Architecture Reference Manual* (Digital Equipment Corporation, 1987), F_floating; there with a hidden 0.1 (binary)
/// and an exponent of e - 128.
fn vax(bytes: [u8; 4]) -> f64 {
    let [low, high] = [u16::from_le_bytes([bytes[0], bytes[1]]), u16::from_le_bytes([bytes[2], bytes[3]])];
    let (negative, exponent) = (low & 0x8000 != 0, (low >> 7) & 0xff);
    if exponent == 0 {
        return if negative { f64::NAN } else { 0.0 };
    }
    let fraction = (u32::from(low & 0x7f) << 16) | u32::from(high);
    let size = 1.0 + f64::from(fraction) / f64::from(1 << 23);
    // Exact: powers of two as bits of an f64, whose exponents are from 1 - 1023.
    let power = f64::from_bits((u64::from(exponent) + 1023 - 129) << 52);
    if negative { -size * power } else { size * power }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_of_a_vax_are_understood() {
        assert_eq!(Machine::Dec.float([0x80, 0x40, 0, 0]), 1.0);
        assert_eq!(Machine::Dec.float([0x80, 0xc0, 0, 0]), -1.0);
        assert_eq!(Machine::Dec.float([0x60, 0x41, 0, 0]), 3.5);
        assert_eq!(Machine::Dec.float([0; 4]), 0.0);
        assert!(Machine::Dec.float([0, 0x80, 0, 0]).is_nan());
        assert!((Machine::Dec.float([0x49, 0x41, 0xdb, 0x0f]) - f64::from(std::f32::consts::PI)).abs() < 1e-6);
    }

    #[test]
    fn bytes_stand_either_way_round() {
        assert_eq!(Machine::Intel.signed([0xfe, 0xff]), -2);
        assert_eq!(Machine::Sgi.signed([0xff, 0xfe]), -2);
        assert_eq!(Machine::Sgi.float([0x3f, 0x80, 0, 0]), 1.0);
        assert_eq!(Machine::Intel.float_at(&[0, 0, 0x80], 0), 0.0);
    }
}
