//! Told: what to know about what was found, in sentences with a few names each.

use super::sightings::Mended;
use super::still::Still;
use super::{FARTHEST, FEW_FRAMES, Fitted, FittedMuscle, HeldOut, Seen};
use fusiform_motion::identify::Warning;

/// Names that a sentence lists before it counts the others.
const NAMED: usize = 5;
/// Share of a muscle's sightings beyond which it is told that they were not believed.
const MANY: f64 = 0.05;
/// Share of the frames beyond which it is told that a marker was not seen in them.
const OFTEN: f64 = 0.1;

pub(super) struct Told<'a> {
    pub still: &'a Still<'a>,
    pub seen: &'a Seen,
    pub mended: &'a Mended,
    pub fitted: &'a Fitted,
}

impl Told<'_> {
    pub fn warnings(&self, held_out: Option<&HeldOut>) -> Vec<String> {
        let mut warnings = Vec::new();
        self.left_alone(&mut warnings);
        self.markers(&mut warnings);
        mended(self.mended, self.seen, "", &mut warnings);
        self.muscles(&mut warnings);
        if let Some(of) = held_out {
            mended(&of.mended, &of.seen, "in what was held out, ", &mut warnings);
        }
        warnings
    }

    fn name(&self, muscle: usize) -> &str {
        &self.still.musculature.muscles[muscle].name
    }

    fn left_alone(&self, warnings: &mut Vec<String>) {
        let others = (0..self.still.musculature.muscles.len()).filter(|m| !self.still.muscles.contains(m));
        let others: Vec<&str> = others.map(|m| self.name(m)).collect();
        if !others.is_empty() {
            warnings.push(format!("of another kind than can be identified, and left alone: {}", listed(&others)));
        }
    }

    fn markers(&self, warnings: &mut Vec<String>) {
        let named = |which: &dyn Fn(f64) -> bool| -> Vec<&str> {
            self.seen
                .names
                .iter()
                .zip(&self.fitted.placed.off)
                .filter(|(_, off)| which(**off))
                .map(|(name, _)| &**name)
                .collect()
        };
        let (far, never) = (named(&|off| off > FARTHEST), named(&f64::is_nan));
        if !far.is_empty() {
            let cm = 100.0 * FARTHEST;
            warnings
                .push(format!("markers more than {cm:.0} cm from any place of the skin, left out: {}", listed(&far)));
        }
        if !never.is_empty() {
            warnings.push(format!("markers that are never seen, or hardly ever, left out: {}", listed(&never)));
        }
        let vanish = self.vanishing();
        if !vanish.is_empty() {
            let vanish: Vec<&str> = vanish.iter().map(|text| &**text).collect();
            warnings.push(format!("markers that are not seen part of the time: {}", listed(&vanish)));
        }
    }

    /// Markers that were used but often not seen, and in which share of the frames; the worst first.
    fn vanishing(&self) -> Vec<String> {
        let n = self.seen.moments.len();
        let unseen = |j: usize| {
            let frames = (0..n).filter(|&t| !self.seen.frame(t)[j].is_finite()).count();
            // what was dropped was seen, and is told with what was dropped
            let dropped = self.mended.wild.iter().find(|(marker, _)| *marker == j).map_or(0, |(_, count)| *count);
            (frames - dropped.min(frames)) as f64 / n.max(1) as f64
        };
        let used = self.fitted.placed.sites.iter().enumerate().filter(|(_, site)| site.is_some());
        let mut often: Vec<(usize, f64)> =
            used.map(|(j, _)| (j, unseen(j))).filter(|(_, share)| *share > OFTEN).collect();
        often.sort_by(|a, b| b.1.total_cmp(&a.1));
        often.iter().map(|(j, share)| format!("{} ({:.0} %)", self.seen.names[*j], 100.0 * share)).collect()
    }

    fn muscles(&self, warnings: &mut Vec<String>) {
        let frames = self.seen.moments.len();
        let few = frames < FEW_FRAMES;
        let which = |holds: &dyn Fn(&Warning, usize) -> bool| -> Vec<&str> {
            let told = |of: &&FittedMuscle| of.found.warnings.iter().any(|w| holds(w, of.found.with.sightings));
            self.fitted.muscles.iter().filter(told).map(|of| self.name(of.muscle)).collect()
        };
        let presumed = "what they do not tell is presumed, as in a muscle that keeps its volume";
        let too_few = match few {
            true => format!("{frames} frames for the {FEW_FRAMES} numbers of a muscle: {presumed}"),
            false => format!(
                "markers are seen in less than {FEW_FRAMES} frames over these muscles, of as many numbers: {presumed}"
            ),
        };
        let sentences: [(&str, Vec<&str>); 5] = [
            ("no marker is near these muscles, which stay as they were", which(&|w, _| *w == Warning::NoMarkerNear)),
            (&too_few, which(&|w, _| matches!(w, Warning::TooFewFrames { .. }))),
            (
                "the motion does not tell what tension does to these muscles, which hardly change theirs",
                which(&|w, seen| *w == Warning::TensionNeverChanges && seen > 0 && !few),
            ),
            (
                "the motion does not tell what length does to these muscles, which hardly change theirs",
                which(&|w, seen| *w == Warning::LengthNeverChanges && seen > 0 && !few),
            ),
            (
                "more than a twentieth of what was seen of these muscles was not believed",
                which(
                    &|w, seen| matches!(w, Warning::OutliersRejected { sightings } if *sightings as f64 > MANY * seen as f64),
                ),
            ),
        ];
        for (sentence, names) in sentences.iter().filter(|(_, names)| !names.is_empty()) {
            warnings.push(format!("{sentence}: {}", listed(names)));
        }
    }
}

/// What was mended of a recording; `part` says of which.
fn mended(of: &Mended, seen: &Seen, part: &str, warnings: &mut Vec<String>) {
    for ([a, b], frames) in of.swaps.iter().take(NAMED) {
        let [a, b] = [a, b].map(|j| &seen.names[*j]);
        let time = |t: &usize| seen.moments[*t].1;
        let when = match (&frames[..], frames.iter().map(time).fold(0.0, f32::max)) {
            ([one], _) => format!("at {:.2} s", time(one)),
            (all, last) => format!("in {} frames between {:.2} s and {last:.2} s", all.len(), time(&all[0])),
        };
        warnings.push(format!("{part}markers {a} and {b} trade places {when}: swapped back"));
    }
    if of.swaps.len() > NAMED {
        warnings.push(format!("{part}{} more pairs of markers trade places: swapped back", of.swaps.len() - NAMED));
    }
    let wild: usize = of.wild.iter().map(|(_, count)| count).sum();
    if wild > 0 {
        let names: Vec<&str> = of.wild.iter().map(|(j, _)| &*seen.names[*j]).collect();
        warnings
            .push(format!("{part}{wild} sightings that cannot be of their markers were dropped: {}", listed(&names)));
    }
}

/// A few names, and how many more there are.
fn listed(names: &[&str]) -> String {
    match names.len().saturating_sub(NAMED) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names[..NAMED].join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_names_are_listed_and_the_others_counted() {
        assert_eq!(listed(&["a", "b"]), "a, b");
        assert_eq!(listed(&["a", "b", "c", "d", "e", "f", "g"]), "a, b, c, d, e and 2 more");
    }
}
