//! Row: the influences of one vertex, when some of them are to weigh something else and the others make room.
//!
//! Plain slices in and out, in double precision between. Joint weights come out in steps of 2^-24, which single precision
//! adds up without rounding: they sum to one exactly, in any order, and a file gives them back to the bit.

use crate::model::Mode;
use fusiform_fit::{MAX_MUSCLES, MAX_TOTAL};

/// (joint or muscle, weight) of one vertex.
pub type Row = Vec<(u16, f32)>;

/// Weights below this are none: files take them for rounding.
pub const LEAST: f64 = 4e-6;
const STEPS: f64 = (1_u32 << 24) as f64;

/// What a stroke wants a weight to be, where it does `amount` of its work, 0 to 1.
#[must_use]
pub fn wanted(mode: Mode, now: f32, mean: f32, value: f32, amount: f32) -> f32 {
    let amount = amount.clamp(0.0, 1.0);
    match mode {
        Mode::Add => (now + amount).min(1.0),
        Mode::Subtract => (now - amount).max(0.0),
        Mode::Smooth => now + amount * (mean - now),
        Mode::Replace if amount == 1.0 => value,
        Mode::Replace => now + amount * (value - now),
    }
}

/// What a row is made of.
struct Parts {
    held: Vec<(u16, f64)>,
    wanted: Vec<(u16, f64)>,
    others: Vec<(u16, f64)>,
}

impl Parts {
    /// Of a row, and of what is wanted of those that are not locked.
    fn of(row: &[(u16, f32)], wanted: &[(u16, f32)], locked: impl Fn(u16) -> bool) -> Self {
        let now = |i: u16| weight_in(row, i);
        let wanted: Vec<(u16, f64)> = wanted
            .iter()
            .filter(|(i, _)| !locked(*i))
            .map(|&(i, w)| (i, if w.is_finite() { f64::from(w).clamp(0.0, 1.0) } else { f64::from(now(i)) }))
            .collect();
        let is_wanted = |i: u16| wanted.iter().any(|(of, _)| *of == i);
        let wide = |&(i, w): &(u16, f32)| (i, f64::from(w));
        let held = row.iter().filter(|(i, _)| locked(*i)).map(wide).collect();
        let others = row.iter().filter(|(i, w)| !locked(*i) && !is_wanted(*i) && *w > 0.0).map(wide).collect();
        Self { held, wanted, others }
    }

    /// Whether nothing is wanted that is not so.
    fn is_so(&self, row: &[(u16, f32)]) -> bool {
        self.wanted.iter().all(|&(i, w)| (w - f64::from(weight_in(row, i))).abs() < 0.5 / STEPS)
    }

    /// Wanted weights fit into that much; those that are next to nothing are nothing.
    fn fit(&mut self, room: f64) {
        let total = sum(&self.wanted);
        if total > room {
            scale(&mut self.wanted, room / total);
        }
        self.wanted.iter_mut().filter(|(_, w)| *w < LEAST).for_each(|(_, w)| *w = 0.0);
    }

    /// How many others may stay beside what is locked and wanted.
    fn slots(&self, most: usize) -> usize {
        most.saturating_sub(self.held.len() + self.wanted.iter().filter(|(_, w)| *w > 0.0).count())
    }

    /// At most so many all together: what is new drives out the least of the others, where it weighs as much as that would
    /// beside it. Where it does not it stays out: a trace of it would cost far more. A last other that is needed stays.
    fn admit(
        &mut self,
        row: &[(u16, f32)],
        most: usize,
        share: impl Fn(&Self) -> f64,
        is_needed: impl Fn(&Self) -> bool,
    ) {
        while self.others.len() > self.slots(most) {
            let least = self.others.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
            let (share, is_needed) = (share(self), self.others.len() == 1 && is_needed(self));
            let new = self.wanted.iter_mut().filter(|(i, w)| *w > 0.0 && weight_in(row, *i) == 0.0);
            let (Some(new), Some(least)) = (new.min_by(|a, b| a.1.total_cmp(&b.1)), least) else { return };
            if is_needed || new.1 < share * least.1 {
                new.1 = 0.0;
            } else {
                self.others.retain(|(i, _)| *i != least.0);
            }
        }
    }

    /// What others have to share where these weigh so much all together.
    fn rest(&self, room: f64) -> f64 {
        room - sum(&self.wanted)
    }

    /// Only so many others stay, the largest.
    fn keep_largest(&mut self, slots: usize) {
        self.others.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        self.others.truncate(slots);
    }

    /// Into the row: what was there keeps its place, what is new comes after.
    fn put(self, row: &mut Row) {
        let now: Row = self.held.iter().chain(&self.wanted).chain(&self.others).map(|&(i, w)| (i, w as f32)).collect();
        let mut new: Row = now.iter().copied().filter(|(i, _)| !row.iter().any(|(of, _)| of == i)).collect();
        new.sort_unstable_by_key(|(i, _)| *i);
        let mut known = Vec::new();
        row.retain_mut(|(i, w)| {
            let again = known.contains(i); // some files name a joint twice
            known.push(*i);
            *w = weight_in(&now, *i);
            !again && *w > 0.0
        });
        row.extend(new.into_iter().filter(|(_, w)| *w > 0.0));
    }
}

/// What an influence weighs in a row.
#[must_use]
pub fn weight_in(row: &[(u16, f32)], index: u16) -> f32 {
    row.iter().filter(|(i, _)| *i == index).map(|(_, w)| w).sum()
}

fn sum(of: &[(u16, f64)]) -> f64 {
    of.iter().map(|(_, w)| w).sum()
}

fn scale(of: &mut [(u16, f64)], by: f64) {
    of.iter_mut().for_each(|(_, w)| *w *= by);
}

/// Give joints the weights that are wanted; the others share the rest as they did, and all sum to one. At most `most` a
/// vertex: one that would weigh less than any there does not come. Where there is no other, `otherwise` says who takes
/// the rest; where nobody may, nothing changes.
pub fn set_joints(
    row: &mut Row,
    wanted: &[(u16, f32)],
    locked: impl Fn(u16) -> bool,
    most: usize,
    otherwise: impl FnOnce() -> Row,
) {
    let mut parts = Parts::of(row, wanted, &locked);
    if parts.is_so(row) {
        return;
    }
    let room = (1.0 - sum(&parts.held)).max(0.0);
    parts.fit(room);
    if parts.rest(room) >= LEAST && sum(&parts.others) < LEAST {
        let is_free = |i: u16| !locked(i) && !wanted.iter().any(|(of, _)| *of == i);
        parts.others = otherwise().into_iter().filter(|(i, _)| is_free(*i)).map(|(i, w)| (i, f64::from(w))).collect();
        if parts.slots(most) == 0 && !parts.others.is_empty() {
            return; // locked ones leave no place for another
        }
        parts.keep_largest(parts.slots(most));
    }
    let share = |parts: &Parts| parts.rest(room) / sum(&parts.others);
    parts.admit(row, most, share, |parts| parts.rest(room) >= LEAST);
    if parts.is_so(row) {
        return;
    }
    let mut rest = parts.rest(room);
    if rest < LEAST {
        parts.others.clear();
    }
    if parts.others.is_empty() && rest > 0.0 {
        // nobody takes the rest: those that were wanted keep it
        let total = sum(&parts.wanted);
        if total <= 0.0 {
            return;
        }
        scale(&mut parts.wanted, room / total);
        rest = 0.0;
    }
    for _ in 0..2 {
        let total = sum(&parts.others);
        scale(&mut parts.others, if total > 0.0 { rest / total } else { 0.0 });
        let largest = parts.others.iter().map(|(_, w)| *w).fold(0.0, f64::max);
        parts.others.retain(|(_, w)| *w >= LEAST || *w == largest);
    }
    make_whole(&mut parts);
    parts.put(row);
}

/// What is wanted where weights below a bound go to the others, which share them as they weigh. The largest stays, unless
/// all may go.
#[must_use]
pub fn pruned(row: &[(u16, f32)], below: f32, locked: impl Fn(u16) -> bool, all_may_go: bool) -> Row {
    let free = || row.iter().copied().filter(|(i, _)| !locked(*i));
    let largest = free().max_by(|a, b| a.1.total_cmp(&b.1)).filter(|_| !all_may_go).map(|(i, _)| i);
    let (small, large): (Row, Row) = free().partition(|(i, w)| *w < below && Some(*i) != largest);
    let total = |of: &Row| of.iter().map(|(_, w)| f64::from(*w)).sum::<f64>();
    let grow = 1.0 + total(&small) / total(&large);
    if small.is_empty() {
        return Row::new();
    }
    let grown = large.into_iter().map(|(i, w)| (i, (f64::from(w) * grow) as f32));
    small.iter().map(|&(i, _)| (i, 0.0)).chain(grown).collect()
}

/// Steps of 2^-24, and what that leaves of one for the largest that may take it.
fn make_whole(parts: &mut Parts) {
    let free = parts.wanted.iter_mut().chain(&mut parts.others);
    free.for_each(|(_, w)| *w = (*w * STEPS).round() / STEPS);
    let missing = 1.0 - sum(&parts.held) - sum(&parts.wanted) - sum(&parts.others);
    let takers = if parts.others.is_empty() { &mut parts.wanted } else { &mut parts.others };
    if let Some((_, w)) = takers.iter_mut().max_by(|a, b| a.1.total_cmp(&b.1)) {
        *w = (*w + missing).max(0.0);
    }
}

/// Give muscles the weights that are wanted. Others keep theirs as long as all together leave the joints their part
/// ([`MAX_TOTAL`]), and shrink alike where they do not; at most [`MAX_MUSCLES`] a vertex. What comes weighs at least as
/// much as what goes for it, so that all together never weigh less. What a file has beyond may stay, but not grow.
pub fn set_muscles(row: &mut Row, wanted: &[(u16, f32)], locked: impl Fn(u16) -> bool) {
    let mut parts = Parts::of(row, wanted, locked);
    let before: f64 = row.iter().map(|(_, w)| f64::from(*w)).sum();
    let room = (before.clamp(f64::from(MAX_TOTAL), 1.0) - sum(&parts.held)).max(0.0);
    if parts.is_so(row) {
        return;
    }
    parts.fit(room);
    let share = |parts: &Parts| (parts.rest(room).max(0.0) / sum(&parts.others)).min(1.0);
    parts.admit(row, MAX_MUSCLES.max(row.len()), share, |_| false);
    if parts.is_so(row) {
        return;
    }
    let (rest, total) = (parts.rest(room), sum(&parts.others));
    if total > rest {
        scale(&mut parts.others, rest.max(0.0) / total);
        parts.others.retain(|(_, w)| *w >= LEAST);
    }
    parts.put(row);
}
