//! Which channel speaks for which muscle, by their names.
//!
//! Names are taken apart into words: "EMG1 biceps R" is *biceps* on the right, as is `BIClong_r`, *bic long*. Words agree
//! when one begins with the other, three letters at least. Rather no channel than a wrong one: what is left over is said.

use super::EmgError;

/// Words about the measurement, not about the muscle.
const NOISE: &[&str] = &[
    "emg", "semg", "im", "sensor", "channel", "chan", "ch", "analog", "voltage", "volt", "raw", "muscle", "m", "head",
    "trigno", "delsys", "surface",
];

/// Words that tell parts of a muscle apart, so that a muscle may have one that a channel leaves out.
const PARTS: &[&str] = &[
    "long",
    "short",
    "lateral",
    "medial",
    "anterior",
    "posterior",
    "upper",
    "middle",
    "lower",
    "brachii",
    "clavicular",
    "sternal",
    "costal",
    "deep",
    "superficial",
];

/// Words that are written in several ways, and initials as laboratories use them (SENIAM's muscles).
const MEANINGS: &[(&str, &[&str])] = &[
    ("sup", &["upper"]),
    ("superior", &["upper"]),
    ("inf", &["lower"]),
    ("inferior", &["lower"]),
    ("mid", &["middle"]),
    ("lh", &["long"]),
    ("sh", &["short"]),
    ("bb", &["biceps", "brachii"]),
    ("tb", &["triceps", "brachii"]),
    ("bf", &["biceps", "femoris"]),
    ("rf", &["rectus", "femoris"]),
    ("vl", &["vastus", "lateral"]),
    ("vm", &["vastus", "medial"]),
    ("vi", &["vastus", "intermedius"]),
    ("ta", &["tibialis", "anterior"]),
    ("gm", &["gastrocnemius", "medial"]),
    ("mg", &["gastrocnemius", "medial"]),
    ("gl", &["gastrocnemius", "lateral"]),
    ("lg", &["gastrocnemius", "lateral"]),
    ("st", &["semitendinosus"]),
    ("sm", &["semimembranosus"]),
    ("gmax", &["gluteus", "maximus"]),
    ("gmed", &["gluteus", "medius"]),
    ("tfl", &["tensor", "fasciae", "latae"]),
    ("ra", &["rectus", "abdominis"]),
    ("eo", &["external", "oblique"]),
    ("es", &["erector", "spinae"]),
    ("ld", &["latissimus", "dorsi"]),
    ("lats", &["latissimus", "dorsi"]),
    ("scm", &["sternocleidomastoid"]),
];

/// Muscles that go by their first name alone: nobody says "biceps" and means the thigh.
const ARM_FIRST: &[&str] = &["biceps", "triceps"];

/// Why a channel speaks for no muscle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unused {
    /// No muscle has a name like it.
    Unknown,
    /// Muscles on both sides do, and it does not say which.
    BothSides,
    /// Its muscles have a channel that names them better.
    Taken,
}

impl std::fmt::Display for Unused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Unknown => "no muscle has a name like it",
            Self::BothSides => "it does not say which side it is on",
            Self::Taken => "its muscles have another channel",
        })
    }
}

/// Which channel speaks for which muscle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matched {
    /// n_muscle: a channel, which may speak for several.
    pub channel_of: Vec<Option<usize>>,
    /// Channels that speak for none, and why.
    pub unused: Vec<(usize, Unused)>,
}

/// How well a channel names a muscle; the more, the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Agreement {
    /// The channel is more particular than the muscle: so many words agree.
    Coarse(usize),
    /// Every word of the channel is the muscle's.
    Full(usize),
    /// The same name.
    Same,
    /// Somebody said so.
    Told,
}

/// Match channels to muscles: as `map` says (channel, muscle), then by name.
pub fn match_channels(channels: &[String], muscles: &[String], map: &[(String, String)]) -> Result<Matched, EmgError> {
    let mut best: Vec<Option<(Agreement, usize)>> = vec![None; muscles.len()];
    let mut told = vec![false; channels.len()];
    for (channel, muscle) in map {
        let unknown = || EmgError::Channel { name: channel.clone(), there: channels.to_vec() };
        let c = channels.iter().position(|name| name == channel).ok_or_else(unknown)?;
        let unknown = || EmgError::Muscle { name: muscle.clone(), channel: channel.clone(), there: muscles.to_vec() };
        let m = muscles.iter().position(|name| name == muscle).ok_or_else(unknown)?;
        best[m] = Some((Agreement::Told, c));
        told[c] = true;
    }
    let read: Vec<Name> = muscles.iter().map(|name| Name::read(name)).collect();
    let mut unused = Vec::new();
    for c in (0..channels.len()).filter(|&c| !told[c]) {
        match candidates(&channels[c], muscles, &read) {
            Err(why) => unused.push((c, why)),
            Ok((agreement, found)) => {
                for m in found {
                    if best[m].is_none_or(|(other, _)| other < agreement) {
                        best[m] = Some((agreement, c));
                    }
                }
            }
        }
    }
    let channel_of: Vec<Option<usize>> = best.into_iter().map(|best| best.map(|(_, c)| c)).collect();
    let silent = |c: &usize| !channel_of.contains(&Some(*c)) && unused.iter().all(|(other, _)| other != c);
    let taken: Vec<(usize, Unused)> = (0..channels.len()).filter(silent).map(|c| (c, Unused::Taken)).collect();
    unused.extend(taken);
    unused.sort_by_key(|(c, _)| *c);
    Ok(Matched { channel_of, unused })
}

/// The muscles a channel's name fits best.
fn candidates(channel: &str, muscles: &[String], read: &[Name]) -> Result<(Agreement, Vec<usize>), Unused> {
    let same: Vec<usize> = (0..muscles.len()).filter(|&m| muscles[m].eq_ignore_ascii_case(channel)).collect();
    if !same.is_empty() {
        return Ok((Agreement::Same, same));
    }
    let name = Name::read(channel);
    let agreements: Vec<Option<Agreement>> = read.iter().map(|muscle| name.agreement(muscle)).collect();
    let best = agreements.iter().flatten().max().copied().ok_or(Unused::Unknown)?;
    let mut found: Vec<usize> = (0..muscles.len()).filter(|&m| agreements[m] == Some(best)).collect();
    if let [word] = &name.words[..]
        && ARM_FIRST.iter().any(|first| agree(first, word))
        && found.iter().any(|&m| !read[m].has("femoris") && !read[m].has("surae"))
    {
        found.retain(|&m| !read[m].has("femoris") && !read[m].has("surae"));
    }
    let on = |side| found.iter().any(|&m| read[m].side == Some(side));
    if name.side.is_none() && on(Side::Left) && on(Side::Right) {
        return Err(Unused::BothSides);
    }
    Ok((best, found))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// A name taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    words: Vec<String>,
    side: Option<Side>,
}

impl Name {
    fn read(name: &str) -> Self {
        let (mut words, mut side) = (Vec::new(), None);
        for word in split(name) {
            match word.as_str() {
                "r" | "rt" | "right" => side = Some(Side::Right),
                "l" | "lt" | "left" => side = Some(Side::Left),
                noise if NOISE.contains(&noise) => {}
                short => match MEANINGS.iter().find(|(written, _)| *written == short) {
                    Some((_, meaning)) => words.extend(meaning.iter().map(|&word| word.to_owned())),
                    None => words.push(word),
                },
            }
        }
        Self { words, side }
    }

    fn has(&self, word: &str) -> bool {
        self.words.iter().any(|own| agree(own, word))
    }

    /// How well this, a channel's name, names a muscle.
    fn agreement(&self, muscle: &Self) -> Option<Agreement> {
        if self.words.is_empty() || (self.side.is_some() && muscle.side.is_some() && self.side != muscle.side) {
            return None;
        }
        let (known, unknown): (Vec<&String>, Vec<&String>) = self.words.iter().partition(|word| muscle.has(word));
        if unknown.is_empty() {
            return Some(Agreement::Full(known.len()));
        }
        // the muscle says less than the channel: "biceps" for "biceps brachii long"
        let is_part = |word: &&String| PARTS.iter().any(|part| agree(part, word));
        let mut extra = muscle.words.iter().filter(|word| !self.has(word)).peekable();
        let contradicts = extra.peek().is_some() && unknown.iter().any(|word| is_part(word) && *word != "brachii");
        let fits = muscle.has(&self.words[0]) && extra.all(|word| is_part(&word)) && !contradicts;
        let same_muscle = fits && unknown.iter().all(is_part);
        same_muscle.then_some(Agreement::Coarse(known.len()))
    }
}

/// Whether two words are one, or one is the other's beginning. "med" is medial, medius or middle.
fn agree(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    short == long || (short.len() >= 3 && long.starts_with(short)) || (short == "med" && long == "middle")
}

/// Lower-case words of a name: at signs, at digits, which go, and where capitals begin or end.
fn split(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let (mut words, mut word, mut capitals) = (Vec::new(), String::new(), 0);
    let mut end = |word: &mut String| {
        if !word.is_empty() {
            words.push(std::mem::take(word).to_lowercase());
        }
    };
    for (i, &letter) in letters.iter().enumerate() {
        if !letter.is_alphabetic() {
            end(&mut word);
            capitals = 0;
            continue;
        }
        let next_is_small = letters.get(i + 1).is_some_and(|next| next.is_lowercase());
        let begins = match letter.is_uppercase() {
            // bicepsRight; RBiceps, but not TRIlong or BIClong, where capitals are the word
            true => (capitals == 0 || (capitals == 1 && next_is_small)) && !word.is_empty(),
            false => capitals >= 3,
        };
        if begins || word.eq_ignore_ascii_case("emg") {
            end(&mut word);
            capitals = 0;
        }
        capitals = if letter.is_uppercase() { capitals + 1 } else { 0 };
        word.push(letter);
    }
    end(&mut word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    /// Muscles each channel speaks for, by name; only by name.
    fn spoken_for(channel: &str, muscles: &[&str]) -> Vec<String> {
        let matched = match_channels(&owned(&[channel]), &owned(muscles), &[]).unwrap();
        muscles.iter().zip(matched.channel_of).filter(|(_, of)| of.is_some()).map(|(m, _)| (*m).to_owned()).collect()
    }

    const BODY: &[&str] = &[
        "biceps_brachii_long.right",
        "biceps_brachii_short.right",
        "biceps_brachii_long.left",
        "biceps_femoris.right",
        "triceps_brachii_long.right",
        "triceps_brachii_lateral.right",
        "deltoid_anterior.right",
        "deltoid_middle.right",
        "deltoid_posterior.right",
        "trapezius_upper.right",
        "tibialis_anterior.right",
        "tibialis_anterior.left",
        "gastrocnemius_medial.right",
        "gastrocnemius_lateral.right",
        "rectus_abdominis_upper",
        "latissimus_dorsi.right",
    ];

    const ARM26: &[&str] = &["TRIlong", "TRIlat", "TRImed", "BIClong", "BICshort", "BRA"];

    #[test]
    fn names_come_apart_into_words() {
        assert_eq!(split("EMG1 biceps R"), ["emg", "biceps", "r"]);
        assert_eq!(split("TRIlong"), ["tri", "long"]);
        assert_eq!(split("RBicepsBrachii"), ["r", "biceps", "brachii"]);
        assert_eq!(split("Delt_ant.EMG12"), ["delt", "ant", "emg"]);
        assert_eq!(split("EMGBiceps"), ["emg", "biceps"]);
    }

    #[test]
    fn common_words_find_their_muscles() {
        assert_eq!(spoken_for("EMG1 biceps R", BODY), ["biceps_brachii_long.right", "biceps_brachii_short.right"]);
        assert_eq!(spoken_for("R Delt_ant.EMG1", BODY), ["deltoid_anterior.right"]);
        assert_eq!(spoken_for("Delt_med.EMG2", BODY), ["deltoid_middle.right"]);
        assert_eq!(spoken_for("Trap_sup.EMG6", BODY), ["trapezius_upper.right"]);
        assert_eq!(spoken_for("TA left", BODY), ["tibialis_anterior.left"]);
        assert_eq!(spoken_for("RT GASTROC MED", BODY), ["gastrocnemius_medial.right"]);
        assert_eq!(spoken_for("lat dorsi", BODY), ["latissimus_dorsi.right"]);
    }

    #[test]
    fn the_names_of_opensim_models_are_understood() {
        assert_eq!(spoken_for("Biceps.EMG4", ARM26), ["BIClong", "BICshort"]);
        assert_eq!(spoken_for("Triceps.EMG5", ARM26), ["TRIlong", "TRIlat", "TRImed"]);
        assert_eq!(spoken_for("triceps long head", ARM26), ["TRIlong"]);
        assert_eq!(spoken_for("biceps brachii", ARM26), ["BIClong", "BICshort"]);
        let legs = ["tib_ant_r", "tib_ant_l", "rect_fem_r", "med_gas_r", "lat_gas_r", "soleus_r", "vas_lat_r"];
        assert_eq!(spoken_for("Right Tibialis Anterior", &legs), ["tib_ant_r"]);
        assert_eq!(spoken_for("R rectus femoris", &legs), ["rect_fem_r"]);
        assert_eq!(spoken_for("gastrocnemius medialis r", &legs), ["med_gas_r"]);
        assert_eq!(spoken_for("VL", &legs), ["vas_lat_r"]);
    }

    #[test]
    fn a_wrong_muscle_is_worse_than_none() {
        assert_eq!(spoken_for("rectus femoris", &["rectus_abdominis"]), [""; 0]);
        assert_eq!(spoken_for("biceps femoris", &["biceps_brachii"]), [""; 0]);
        assert_eq!(spoken_for("Sensor 12.EMG12", BODY), [""; 0]);
        assert_eq!(spoken_for("triceps long", &["TRIlat"]), [""; 0]);
        assert_eq!(spoken_for("brachialis", &["biceps_brachii"]), [""; 0]);
    }

    #[test]
    fn channels_that_speak_for_nothing_say_why() {
        let channels = owned(&["biceps", "Voltage.1", "deltoid", "Delt_ant", "Delt_med", "Delt_post"]);
        let matched = match_channels(&channels, &owned(BODY), &[]).unwrap();
        assert_eq!(matched.unused, [(0, Unused::BothSides), (1, Unused::Unknown), (2, Unused::Taken)]);
    }

    #[test]
    fn what_was_told_counts_more_than_names() {
        let map = [("Voltage.1".to_owned(), "BRA".to_owned()), ("Voltage.1".to_owned(), "BIClong".to_owned())];
        let matched = match_channels(&owned(&["biceps", "Voltage.1"]), &owned(ARM26), &map).unwrap();
        assert_eq!(matched.channel_of, [None, None, None, Some(1), Some(0), Some(1)]);
        assert_eq!(matched.unused, []);
    }

    #[test]
    fn names_that_lead_nowhere_list_what_there_is() {
        let channels = owned(&["biceps", "triceps"]);
        let map = |channel: &str, muscle: &str| [(channel.to_owned(), muscle.to_owned())];
        let wrong = match_channels(&channels, &owned(ARM26), &map("bicep", "BRA")).unwrap_err();
        assert_eq!(wrong.to_string(), "there is no EMG channel \"bicep\"; name one of \"biceps\", \"triceps\"");
        let wrong = match_channels(&channels, &owned(&["BRA"]), &map("biceps", "BRB")).unwrap_err();
        assert_eq!(wrong.to_string(), "there is no muscle \"BRB\" for EMG channel \"biceps\"; name one of \"BRA\"");
    }
}
