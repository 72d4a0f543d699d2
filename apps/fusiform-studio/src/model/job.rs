//! Job: long work beside the window, which can be watched and stopped.

use super::{Fault, system};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// Work that is under way; dropped, it is stopped.
#[derive(Debug)]
pub struct Job<T> {
    /// What people call it.
    pub label: String,
    pace: Pace,
    result: Receiver<Result<T, Fault>>,
}

/// How far work has come, and whether it is still wanted.
#[derive(Clone, Debug, Default)]
pub struct Pace(Arc<(AtomicU32, AtomicBool)>);

/// Nobody wants it any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl Pace {
    /// So much of it is done, 0 to 1.
    ///
    /// # Errors
    /// When it is to stop.
    pub fn reach(&self, share: f32) -> Result<(), Stopped> {
        self.0.0.store(share.to_bits(), Ordering::Relaxed);
        if self.0.1.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }
}

impl<T: Send + 'static> Job<T> {
    /// Begin, beside the window: see [`system::spawn`].
    #[must_use]
    pub fn begin(label: &str, work: impl FnOnce(&Pace) -> Result<T, Fault> + Send + 'static) -> Self {
        let (pace, (sender, result)) = (Pace::default(), channel());
        let theirs = pace.clone();
        system::spawn(move || {
            // nobody listens any more where the job was dropped
            let _ = sender.send(work(&theirs));
        });
        Self { label: label.into(), pace, result }
    }

    /// Begin what waits for the graphics adapter: see [`system::spawn_drawing`].
    #[must_use]
    pub fn draw(label: &str, work: impl AsyncFnOnce(Pace) -> Result<T, Fault> + Send + 'static) -> Self {
        let (pace, (sender, result)) = (Pace::default(), channel());
        let theirs = pace.clone();
        system::spawn_drawing(async move || {
            let _ = sender.send(work(theirs).await);
        });
        Self { label: label.into(), pace, result }
    }

    /// What came of it, once; none while it goes on.
    pub fn poll(&mut self) -> Option<Result<T, Fault>> {
        match self.result.try_recv() {
            Ok(result) => Some(result),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                Some(Err(Fault::told(&self.label, "it stopped by itself, which is a defect of this program")))
            }
        }
    }
}

impl<T> Job<T> {
    /// Wait until it has come to its end and let go of all it had in hand. A page has one thread, on which it would never come.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(self) {
        let _ = self.result.recv();
    }

    /// How much of it is done, 0 to 1.
    #[must_use]
    pub fn share(&self) -> f32 {
        f32::from_bits(self.pace.0.0.load(Ordering::Relaxed))
    }

    /// Ask it to stop.
    pub fn stop(&self) {
        self.pace.0.1.store(true, Ordering::Relaxed);
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_watched_stopped_and_waited_for() {
        let mut job = Job::begin("count", |pace| {
            let mut n = 0;
            while pace.reach(0.5).is_ok() {
                n += 1;
                std::thread::yield_now();
            }
            Ok(n)
        });
        while job.share() < 0.5 {
            std::thread::yield_now();
        }
        assert!(job.poll().is_none());
        job.stop();
        let counted = loop {
            if let Some(result) = job.poll() {
                break result;
            }
        };
        assert!(counted.is_ok_and(|n: u64| n > 0));
    }
}
