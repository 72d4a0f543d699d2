//! `--activation`: how hard muscles are told to contract.

use crate::failure::Failure;
use crate::names;
use crate::source::Subject;
use std::str::FromStr;

/// One `--activation` argument: a level for all muscles, or for those whose names fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Activation {
    pattern: String,
    level: f32,
}

impl FromStr for Activation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (pattern, level) = text.split_once('=').unwrap_or(("*", text));
        match level.trim().parse::<f32>() {
            Ok(level) if (0.0..=1.0).contains(&level) => Ok(Self { pattern: pattern.trim().to_owned(), level }),
            _ => Err(format!("{level:?} is not a level from 0 to 1; write 0.5, or 'biceps*=1'")),
        }
    }
}

/// The level of every muscle; later arguments win, and empty means all relaxed.
pub fn levels(activations: &[Activation], subject: &Subject) -> Result<Vec<f32>, Failure> {
    if activations.is_empty() {
        return Ok(Vec::new());
    }
    let mut levels = vec![0.0; subject.musculature.muscles.len()];
    for activation in activations {
        for m in muscles_named(&activation.pattern, subject)? {
            levels[m] = activation.level;
        }
    }
    Ok(levels)
}

/// Indices of the muscles whose names fit the pattern; at least one.
pub fn muscles_named(pattern: &str, subject: &Subject) -> Result<Vec<usize>, Failure> {
    let names: Vec<&str> = subject.musculature.muscles.iter().map(|muscle| muscle.name.as_str()).collect();
    let found: Vec<usize> = (0..names.len()).filter(|&m| names::fits(pattern, names[m])).collect();
    if found.is_empty() && pattern != "*" {
        return Err(names::unknown(&subject.file, "muscle", pattern, &names));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_level_is_for_all_muscles() {
        assert_eq!("0.5".parse(), Ok(Activation { pattern: "*".into(), level: 0.5 }));
        assert_eq!("biceps*=1".parse(), Ok(Activation { pattern: "biceps*".into(), level: 1.0 }));
        assert!("2".parse::<Activation>().is_err() && "biceps".parse::<Activation>().is_err());
    }
}
