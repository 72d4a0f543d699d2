//! Refused: what the graphics driver would not do for the window. Unheard, it would end the program.

use crate::model::Fault;
use std::sync::{Arc, Mutex, PoisonError};

/// What was refused last.
#[derive(Clone, Debug, Default)]
pub struct Refused(Arc<Mutex<Option<Fault>>>);

impl Refused {
    /// Of that device, from now on. In a build for tests a call that was wrong still ends the program: it is a defect.
    #[must_use]
    pub fn by(device: &wgpu::Device) -> Self {
        let refused = Self::default();
        let theirs = refused.clone();
        device.on_uncaptured_error(Arc::new(move |error| {
            let is_ours = matches!(error, wgpu::Error::Validation { .. });
            assert!(!(is_ours && cfg!(debug_assertions)), "{error}");
            theirs.put(fault("view", &error));
        }));
        refused
    }

    fn put(&self, fault: Fault) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault);
    }

    /// Told once.
    #[must_use]
    pub fn take(&self) -> Option<Fault> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// In words.
pub fn fault(what: &str, error: &wgpu::Error) -> Fault {
    let (message, cure) = match error {
        wgpu::Error::OutOfMemory { .. } => (
            "the graphics adapter has no memory left".to_owned(),
            "close other programs that draw, or use a smaller size",
        ),
        other => {
            let first = other.to_string().lines().next().unwrap_or_default().to_owned();
            (format!("the graphics driver refused to draw: {first}"), "save the work; another driver may do it")
        }
    };
    Fault { file: what.into(), message, cure: cure.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_told_once_and_in_words() {
        let refused = Refused::default();
        assert_eq!(refused.take(), None);
        let source = || Box::new(std::io::Error::other("none"));
        refused.put(fault("view", &wgpu::Error::OutOfMemory { source: source() }));
        assert!(refused.take().is_some_and(|fault| fault.to_string().contains("memory") && !fault.cure.is_empty()));
        assert_eq!(refused.take(), None);
        let description = "Validation Error\n\nCaused by: a buffer".to_owned();
        let told = fault("picture", &wgpu::Error::Validation { source: source(), description });
        assert_eq!(told.message, "the graphics driver refused to draw: Validation Error");
    }
}
