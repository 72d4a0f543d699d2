//! Report: how a fit came out.

use fusiform_fit::{Found, Preset, Rigged, Role, Side};

/// How a fit came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The template's name, and whose muscles they are.
    pub made: String,
    /// How many muscles there are.
    pub muscles: usize,
    /// How many roles some joint plays,
    pub roles: usize,
    /// and those that none plays.
    pub missing: Vec<String>,
    /// Share of the bellies' vertices inside the skin, 0 to 1.
    pub inside: f32,
    /// How far the worst of them stands out of it, m.
    pub worst: f32,
    /// Muscles whose bones are missing.
    pub left_out: Vec<String>,
    /// What had to be guessed.
    pub warnings: Vec<String>,
    /// How long it took, s.
    pub seconds: f32,
}

impl Report {
    /// Of muscles that were just fitted.
    #[must_use]
    pub fn of(template: &str, preset: Preset, found: &Found, rigged: &Rigged, seconds: f32) -> Self {
        let all: Vec<(Role, Side)> = every_role().collect();
        let missing = all.iter().filter(|(role, side)| found.roles.get(*role, *side).is_none());
        let left_out = rigged.left_out.iter().map(|of| format!("{}, for want of its {}", of.muscle, of.missing));
        Self {
            made: format!("{template}, {}", preset.name()),
            muscles: rigged.musculature.muscles.len(),
            roles: found.roles.iter().count(),
            missing: missing.map(|&(role, side)| written(role, side)).collect(),
            inside: rigged.inside.fraction,
            worst: rigged.inside.worst(),
            left_out: left_out.collect(),
            warnings: rigged.warnings.clone(),
            seconds,
        }
    }
}

/// Every role, on both sides where there are two, from the hips outward.
pub fn every_role() -> impl Iterator<Item = (Role, Side)> {
    let sides = |role: Role| if role.is_sided() { &Side::BOTH[..] } else { &Side::BOTH[..1] };
    Role::ALL.into_iter().flat_map(move |role| sides(role).iter().map(move |&side| (role, side)))
}

/// `upper_arm.l`, `hips`.
#[must_use]
pub fn written(role: Role, side: Side) -> String {
    format!("{role}{}", if role.is_sided() { side.suffix() } else { "" })
}
