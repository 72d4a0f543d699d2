//! Told: what to know about what was found, in sentences with a few names each.

use super::sightings::Mended;
use super::still::Still;
use super::{FARTHEST, FEW_FRAMES, Fitted, Seen};
use fusiform_motion::identify::Warning;

/// Names that a sentence lists before it counts the others.
const NAMED: usize = 5;
/// Share of a muscle's sightings beyond which it is told that they were not believed.
const MANY: f64 = 0.05;

pub(super) struct Told<'a> {
    pub still: &'a Still<'a>,
    pub seen: &'a Seen,
    pub mended: &'a Mended,
    pub fitted: &'a Fitted,
}

pub(super) fn warnings(of: &Told) -> Vec<String> {
    let mut warnings = Vec::new();
    of.left_alone(&mut warnings);
    of.markers(&mut warnings);
    of.mended(&mut warnings);
    of.muscles(&mut warnings);
    warnings
}

impl Told<'_> {
    fn name(&self, muscle: usize) -> &str {
        &self.still.musculature.muscles[muscle].name
    }

    fn left_alone(&self, warnings: &mut Vec<String>) {
        let others = (0..self.still.musculature.muscles.len()).filter(|m| !self.still.muscles.contains(m));
        let others: Vec<&str> = others.map(|m| self.name(m)).collect();
        if !others.is_empty() {
            warnings.push(format!("of another kind than can be identified, and left alone: {}", listed(&others)));
        }
        let few = self.seen.moments.len();
        if few < FEW_FRAMES {
            warnings.push(format!(
                "{few} frames for the {FEW_FRAMES} numbers of a muscle: what they do not tell is presumed, as in a muscle that keeps its volume"
            ));
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
    }

    fn mended(&self, warnings: &mut Vec<String>) {
        for ([a, b], frames) in self.mended.swaps.iter().take(NAMED) {
            let [a, b] = [a, b].map(|j| &self.seen.names[*j]);
            let time = |t: &usize| self.seen.moments[*t].1;
            let when = match (&frames[..], frames.iter().map(time).fold(0.0, f32::max)) {
                ([one], _) => format!("at {:.2} s", time(one)),
                (all, last) => format!("in {} frames between {:.2} s and {last:.2} s", all.len(), time(&all[0])),
            };
            warnings.push(format!("markers {a} and {b} trade places {when}: swapped back"));
        }
        if self.mended.swaps.len() > NAMED {
            warnings
                .push(format!("{} more pairs of markers trade places: swapped back", self.mended.swaps.len() - NAMED));
        }
        let wild: usize = self.mended.wild.iter().map(|(_, count)| count).sum();
        if wild > 0 {
            let names: Vec<&str> = self.mended.wild.iter().map(|(j, _)| &*self.seen.names[*j]).collect();
            warnings.push(format!("{wild} sightings that cannot be of their markers were dropped: {}", listed(&names)));
        }
    }

    fn muscles(&self, warnings: &mut Vec<String>) {
        let few = self.seen.moments.len() < FEW_FRAMES;
        let which = |holds: &dyn Fn(&Warning, usize) -> bool| -> Vec<&str> {
            let rows = self.fitted.rows.of.iter().zip(&self.fitted.found.muscles);
            let told = rows.filter(|(_, found)| found.warnings.iter().any(|w| holds(w, found.with.sightings)));
            told.map(|(row, _)| self.name(row.muscle)).collect()
        };
        let sentences: [(&str, Vec<&str>); 4] = [
            ("no marker is near these muscles, which stay as they were", which(&|w, _| *w == Warning::NoMarkerNear)),
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
