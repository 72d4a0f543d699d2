//! Long work that is watched: it tells how far it has come, and hears whether it is still wanted.

use thiserror::Error;

/// Nobody wants the work any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("it was stopped before it was done; start it again")]
pub struct Stopped;

/// What is told between two tellings of progress: nothing new, only whether to go on.
pub type Heard<'a> = &'a mut dyn FnMut() -> Result<(), Stopped>;

/// Tell shares that stay between 0 and 1 and never go back, whatever rounding makes of them.
pub fn rising(mut told: impl FnMut(f32) -> Result<(), Stopped>) -> impl FnMut(f32) -> Result<(), Stopped> {
    let mut reached = 0.0_f32;
    move |done| {
        reached = reached.max(done.clamp(0.0, 1.0));
        told(reached)
    }
}
