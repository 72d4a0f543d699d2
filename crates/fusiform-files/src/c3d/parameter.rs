//! The parameter section: groups, and in them named arrays of texts or numbers.

use super::number::Machine;
use crate::text::{self, quoted};

/// No recording has so many frames or points; their bytes can be counted on every machine.
const MAX_COUNT: f64 = (1 << 26) as f64;

/// All parameters, their bytes where they lie in the file.
pub(super) struct Parameters<'a> {
    machine: Machine,
    /// Number and name in capitals.
    groups: Vec<(u8, String)>,
    records: Vec<Record<'a>>,
}

struct Record<'a> {
    group: u8,
    /// In capitals.
    name: String,
    kind: Kind,
    /// The first runs fastest, as in Fortran.
    dimensions: &'a [u8],
    data: &'a [u8],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Byte,
    Integer,
    Float,
}

impl Kind {
    fn bytes(self) -> usize {
        match self {
            Self::Text | Self::Byte => 1,
            Self::Integer => 2,
            Self::Float => 4,
        }
    }
}

impl<'a> Parameters<'a> {
    /// Reads record after record; where one is damaged the rest is left out, with a warning.
    pub(super) fn read(section: &'a [u8], machine: Machine, warnings: &mut Vec<String>) -> Self {
        let mut parameters = Self { machine, groups: Vec::new(), records: Vec::new() };
        let mut rest = section;
        // A record begins with the length of its name, negative when it is locked; 0 is the end.
        while let [length, group, after @ ..] = rest {
            let (length, group) = (usize::from(length.cast_signed().unsigned_abs()), group.cast_signed());
            let Some((name, after)) = after.split_at_checked(length).filter(|_| length > 0) else { break };
            let next = machine.count_at(after, 0);
            let Some(body) = after.get(2..) else { break };
            let name = latin_text(name).trim().to_ascii_uppercase();
            if group < 0 {
                let number = group.unsigned_abs();
                if parameters.groups.iter().all(|(own, _)| *own != number) {
                    parameters.groups.push((number, name));
                }
            } else if let Some(record) = record(body, group.unsigned_abs(), &name) {
                parameters.records.push(record);
            } else {
                warnings.push(format!("parameter {:?} is damaged: it is left out", quoted(&name)));
            }
            // Counted from where it stands; 0 ends the list, and 1 would lead back into it.
            match after.get(next..) {
                Some(after) if next >= 2 => rest = after,
                _ => break,
            }
        }
        parameters
    }

    fn find(&self, group: &str, name: &str) -> Option<&Record<'a>> {
        let of_group = |number: u8| self.groups.iter().any(|(own, called)| *own == number && called == group);
        self.records.iter().find(|record| record.name == name && of_group(record.group))
    }

    /// One array and those that go on where 255 entries were not enough: LABELS, LABELS2, LABELS3.
    fn series(&self, group: &str, name: &str) -> impl Iterator<Item = &Record<'a>> {
        let first = self.find(group, name);
        let more = (2..=99).map_while(move |i| self.find(group, &format!("{name}{i}")));
        first.into_iter().chain(more)
    }

    /// An array of texts, blanks after them off.
    pub(super) fn texts(&self, group: &str, name: &str) -> Vec<String> {
        let records = self.series(group, name).filter(|record| record.kind == Kind::Text);
        let texts = records.flat_map(|record| {
            let length = record.dimensions.first().map_or(record.data.len(), |length| usize::from(*length));
            record.data.chunks(length.max(1)).map(|text| latin_text(text).trim_matches([' ', '\0']).to_owned())
        });
        texts.collect()
    }

    /// An array of numbers, integers with their sign.
    pub(super) fn numbers(&self, group: &str, name: &str) -> Vec<f64> {
        self.series(group, name).flat_map(|record| record.numbers(self.machine, true)).collect()
    }

    /// An array of counts, which go up to 65535 where the guide's own tables say integer.
    pub(super) fn counts(&self, group: &str, name: &str) -> Vec<f64> {
        self.series(group, name).flat_map(|record| record.numbers(self.machine, false)).collect()
    }

    /// The first count of an array; none where it is missing or no count that could be meant.
    pub(super) fn count(&self, group: &str, name: &str) -> Option<usize> {
        self.counts(group, name).first().filter(|n| (0.0..MAX_COUNT).contains(*n)).map(|n| *n as usize)
    }

    /// How many entries there are in one column of an array.
    pub(super) fn rows(&self, group: &str, name: &str) -> usize {
        self.find(group, name).and_then(|record| record.dimensions.first()).map_or(0, |n| usize::from(*n))
    }

    /// As many names as there are things; empty ones and those left out get numbers.
    pub(super) fn names(&self, group: &str, n: usize, what: &str, warnings: &mut Vec<String>) -> Vec<String> {
        let mut names = self.texts(group, "LABELS");
        if names.len() < n {
            warnings.push(format!("{group}:LABELS has {} names for {n}: the others get numbers", names.len()));
        }
        names.resize(n, String::new());
        for (i, name) in names.iter_mut().enumerate().filter(|(_, name)| name.is_empty()) {
            *name = format!("{what} {}", i + 1);
        }
        text::distinct(&mut names, &format!("{what}s"), warnings);
        names
    }
}

/// Type, dimensions, data; none where the data would lie beyond the end.
fn record<'a>(body: &'a [u8], group: u8, name: &str) -> Option<Record<'a>> {
    let [kind, n_dimension, after @ ..] = body else { return None };
    let kind = match kind.cast_signed() {
        -1 => Kind::Text,
        0 | 1 => Kind::Byte,
        2 => Kind::Integer,
        4 => Kind::Float,
        _ => return None,
    };
    let (dimensions, after) = after.split_at_checked(usize::from(*n_dimension))?;
    let n = dimensions.iter().try_fold(kind.bytes(), |n, dimension| n.checked_mul(usize::from(*dimension)))?;
    Some(Record { group, name: name.to_owned(), kind, dimensions, data: after.get(..n)? })
}

impl Record<'_> {
    fn numbers(&self, machine: Machine, signs: bool) -> Vec<f64> {
        let entries = self.data.chunks_exact(self.kind.bytes());
        let value = |bytes: &[u8]| match (self.kind, bytes) {
            (Kind::Byte | Kind::Text, [byte]) => f64::from(*byte),
            (Kind::Integer, [a, b]) if signs => f64::from(machine.signed([*a, *b])),
            (Kind::Integer, [a, b]) => f64::from(machine.unsigned([*a, *b])),
            (_, bytes) => machine.float_at(bytes, 0),
        };
        entries.map(value).collect()
    }
}

/// UTF-8 if it is, else what Windows wrote in western countries.
fn latin_text(bytes: &[u8]) -> String {
    str::from_utf8(bytes).map_or_else(|_| bytes.iter().map(|&byte| char::from(byte)).collect(), str::to_owned)
}
