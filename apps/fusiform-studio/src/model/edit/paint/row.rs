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
    /// None where nothing is to change.
    fn of(row: &[(u16, f32)], wanted: &[(u16, f32)], locked: impl Fn(u16) -> bool) -> Option<Self> {
        let now = |i: u16| weight_in(row, i);
        let wanted: Vec<(u16, f64)> = wanted
            .iter()
            .filter(|(i, _)| !locked(*i))
            .map(|&(i, w)| (i, if w.is_finite() { f64::from(w).clamp(0.0, 1.0) } else { f64::from(now(i)) }))
            .collect();
        let is_wanted = |i: u16| wanted.iter().any(|(of, _)| *of == i);
        if wanted.iter().all(|&(i, w)| (w - f64::from(now(i))).abs() < 0.5 / STEPS) {
            return None;
        }
        let wide = |&(i, w): &(u16, f32)| (i, f64::from(w));
        let held = row.iter().filter(|(i, _)| locked(*i)).map(wide).collect();
        let others = row.iter().filter(|(i, w)| !locked(*i) && !is_wanted(*i) && *w > 0.0).map(wide).collect();
        Some(Self { held, wanted, others })
    }

    /// Wanted weights fit into that much; those that are next to nothing are nothing.
    fn fit(&mut self, room: f64) {
        let total = sum(&self.wanted);
        if total > room {
            scale(&mut self.wanted, room / total);
        }
        self.wanted.iter_mut().filter(|(_, w)| *w < LEAST).for_each(|(_, w)| *w = 0.0);
    }

    /// How many others may stay beside what is locked and wanted; none where not even these may.
    fn slots(&self, most: usize) -> Option<usize> {
        most.checked_sub(self.held.len() + self.wanted.iter().filter(|(_, w)| *w > 0.0).count())
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
/// vertex. Where there is no other, `otherwise` says who takes the rest; where nobody may, nothing changes.
pub fn set_joints(
    row: &mut Row,
    wanted: &[(u16, f32)],
    locked: impl Fn(u16) -> bool,
    most: usize,
    otherwise: impl FnOnce() -> Row,
) {
    let Some(mut parts) = Parts::of(row, wanted, &locked) else { return };
    let room = (1.0 - sum(&parts.held)).max(0.0);
    parts.fit(room);
    let mut rest = room - sum(&parts.wanted);
    if rest >= LEAST && sum(&parts.others) < LEAST {
        let is_free = |i: u16| !locked(i) && !wanted.iter().any(|(of, _)| *of == i);
        parts.others = otherwise().into_iter().filter(|(i, _)| is_free(*i)).map(|(i, w)| (i, f64::from(w))).collect();
    }
    let Some(slots) = parts.slots(most) else { return };
    if slots == 0 && rest >= LEAST && !parts.others.is_empty() {
        return; // locked ones leave no place for another
    }
    parts.keep_largest(if rest < LEAST { 0 } else { slots });
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
/// ([`MAX_TOTAL`]), and shrink alike where they do not; at most [`MAX_MUSCLES`] a vertex. What a file has beyond may stay,
/// but not grow.
pub fn set_muscles(row: &mut Row, wanted: &[(u16, f32)], locked: impl Fn(u16) -> bool) {
    let Some(mut parts) = Parts::of(row, wanted, locked) else { return };
    let before: f64 = row.iter().map(|(_, w)| f64::from(*w)).sum();
    let room = (before.clamp(f64::from(MAX_TOTAL), 1.0) - sum(&parts.held)).max(0.0);
    parts.fit(room);
    let Some(slots) = parts.slots(MAX_MUSCLES.max(row.len())) else { return };
    parts.keep_largest(slots);
    let (rest, total) = (room - sum(&parts.wanted), sum(&parts.others));
    if total > rest {
        scale(&mut parts.others, rest.max(0.0) / total);
        parts.others.retain(|(_, w)| *w >= LEAST);
    }
    parts.put(row);
}
