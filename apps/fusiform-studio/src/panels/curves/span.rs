//! Span: the part of time that is seen.

/// Nobody looks nearer, s.
const SHORTEST: f32 = 0.02;

/// From one moment to another, s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub from: f32,
    pub to: f32,
}

impl Span {
    /// All of a clip; of one that is no longer than a moment, too.
    pub fn whole(end: f32) -> Self {
        Self { from: 0.0, to: end.max(1e-3) }
    }

    pub fn length(self) -> f32 {
        self.to - self.from
    }

    /// So many times as long, about a moment that stays where it is seen.
    pub fn scaled(self, times: f32, about: f32) -> Self {
        let times = times.max(SHORTEST / self.length());
        Self { from: about + times * (self.from - about), to: about + times * (self.to - about) }
    }

    pub fn moved(self, by: f32) -> Self {
        Self { from: self.from + by, to: self.to + by }
    }

    /// As long, but within another.
    pub fn within(self, all: Self) -> Self {
        let length = self.length().min(all.length());
        let from = self.from.clamp(all.from, all.to - length);
        Self { from, to: from + length }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_is_scaled_about_stays_where_it_is_seen() {
        let share = |span: Span, time: f32| (time - span.from) / span.length();
        let all = Span { from: 1.0, to: 5.0 };
        for times in [0.5, 0.9, 1.7] {
            let scaled = all.scaled(times, 2.0);
            assert!((scaled.length() / all.length() - times).abs() < 1e-5, "{scaled:?}");
            assert!((share(scaled, 2.0) - share(all, 2.0)).abs() < 1e-5, "{scaled:?}");
        }
    }

    #[test]
    fn however_it_is_moved_and_scaled_it_is_a_part_of_the_clip() {
        for end in [0.0, 0.005, 1.0, 600.0] {
            let all = Span::whole(end);
            let mut span = all;
            for step in 0..400 {
                let times = [0.5, 1.3, 0.01, 90.0][step % 4];
                let moved = span.scaled(times, end * (step % 7) as f32 / 6.0).moved(end * ((step % 5) as f32 - 2.0));
                span = moved.within(all);
                assert!(span.length() >= 0.99 * SHORTEST.min(all.length()), "{end}: {span:?}");
                assert!(span.from >= 0.0 && span.to <= all.to * (1.0 + 1e-6), "{end}: {span:?}");
            }
        }
    }
}
