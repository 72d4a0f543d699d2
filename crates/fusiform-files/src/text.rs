//! What text files of measurements have in common: numbered lines, cells between tabs or blanks, numbers, names.

use crate::FileError;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// How much of a cell a message quotes.
const QUOTED: usize = 40;

/// How many equal names are told one by one.
const TOLD: usize = 5;

/// What helps when the end or the middle of a text is damaged.
pub(crate) const EXPORT_TEXT: &str = "export the file again from the program that recorded it";

/// A line that is not empty, and where it stands.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    /// Without line end and blanks after it.
    pub(crate) text: &'a str,
    /// Counted from 1.
    pub(crate) number: usize,
}

/// The bytes as text: without a byte order mark, and with replacement characters for what is no UTF-8.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
}

/// Lines that are not empty; CR LF ends one line, and so does a CR alone in files without any LF.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let end = if text.contains('\n') { '\n' } else { '\r' };
    let numbered = text.split(end).enumerate();
    numbered.map(|(i, text)| Line { text: text.trim_end(), number: i + 1 }).filter(|line| !line.text.is_empty())
}

impl<'a> Line<'a> {
    /// Words between blanks.
    pub(crate) fn words(self) -> impl Iterator<Item = &'a str> {
        self.text.split_ascii_whitespace()
    }

    /// Cells between tabs, blanks around them off; an empty one counts, but at the end.
    pub(crate) fn cells(self) -> impl Iterator<Item = &'a str> {
        self.text.split('\t').map(str::trim)
    }

    /// Exactly so many cells: words if there are so many, else what stands between tabs.
    pub(crate) fn exactly(self, n: usize) -> Option<Vec<&'a str>> {
        let words: Vec<&str> = self.words().take(n + 1).collect();
        if words.len() == n {
            return Some(words);
        }
        // Blanks at the end are gone, so empty cells there are, too.
        let mut cells: Vec<&str> = self.cells().take(n + 1).collect();
        let tabs = self.text.contains('\t') && cells.len() <= n && words.len() <= cells.len();
        let only_the_end_is_empty = cells.len() == words.len() && cells.len() < n;
        if tabs && !only_the_end_is_empty {
            cells.resize(n, "");
            return Some(cells);
        }
        None
    }

    /// An error in this line.
    pub(crate) fn error(self, message: impl Into<String>) -> FileError {
        FileError::new(format!("line {}", self.number), message).cure(EXPORT_TEXT)
    }

    /// The number in the cell of a column; NaN where it is empty or says so.
    pub(crate) fn number(self, column: &str, cell: &str) -> Result<f64, FileError> {
        let cell = cell.trim();
        // How C runtimes of Windows wrote numbers that are none.
        if cell.is_empty() || cell.contains("#IND") || cell.contains("#QNAN") {
            return Ok(f64::NAN);
        }
        let place = || format!("line {}, column {:?}", self.number, quoted(column));
        let wrong =
            |what: &str, cure: &str| Err(FileError::new(place(), format!("{:?} {what}", quoted(cell))).cure(cure));
        match cell.parse::<f64>() {
            Ok(value) if value.is_infinite() => {
                wrong("is no finite number", "leave the cell empty or write NaN where nothing was measured")
            }
            Ok(value) => Ok(value),
            Err(_) if cell.contains(',') => wrong("is not a number", "write decimals with a point, not a comma"),
            Err(_) => wrong("is not a number", "put a number there, or NaN where nothing was measured"),
        }
    }

    /// The time in a cell, not before the time of the row above.
    pub(crate) fn time(self, cell: &str, before: Option<f64>) -> Result<f64, FileError> {
        let time = self.number("time", cell)?;
        if !time.is_finite() {
            return Err(self.error("the time is missing").cure("give every row its time in seconds"));
        }
        match before.filter(|before| time < *before) {
            None => Ok(time),
            Some(before) => Err(self
                .error(format!("the time {time} s comes after {before} s"))
                .cure("sort the rows by time, and keep one recording in a file")),
        }
    }
}

/// Names made distinct, with a word about those that were not.
pub(crate) fn distinct(names: &mut [String], what: &str, warnings: &mut Vec<String>) {
    let mut taken: HashSet<String> = names.iter().cloned().collect();
    let mut seen = HashSet::new();
    // Where the search for a free number goes on, so that a thousand equal names take no million tries.
    let mut next = HashMap::new();
    let mut changed = 0;
    for name in names {
        if seen.insert(name.clone()) {
            continue;
        }
        let number = next.entry(name.clone()).or_insert(2_usize);
        let free = loop {
            let candidate = format!("{name}_{number}");
            *number += 1;
            if taken.insert(candidate.clone()) {
                break candidate;
            }
        };
        changed += 1;
        if changed <= TOLD {
            warnings.push(format!("there are several {what} {:?}: one is now {:?}", quoted(name), quoted(&free)));
        }
        seen.insert(free.clone());
        *name = free;
    }
    if changed > TOLD {
        warnings.push(format!("{} more {what} had the name of another and got numbers, too", changed - TOLD));
    }
}

/// The beginning of what was found, short enough for a message.
pub(crate) fn quoted(text: &str) -> String {
    text.chars().take(QUOTED).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_writers_end_them() {
        for text in ["a\n\nb", "a\r\n\r\nb\r\n", "a\r\rb"] {
            let found: Vec<_> = lines(text).map(|line| (line.text, line.number)).collect();
            assert_eq!(found, [("a", 1), ("b", 3)], "{text:?}");
        }
    }

    #[test]
    fn cells_are_counted_whichever_way_they_are_parted() {
        let exactly = |text, n| Line { text, number: 1 }.exactly(n);
        assert_eq!(exactly("1 2\t 3", 3).unwrap(), ["1", "2", "3"]);
        assert_eq!(exactly("1\t\t3", 3).unwrap(), ["1", "", "3"]);
        assert_eq!(exactly("1\t\t3", 4).unwrap(), ["1", "", "3", ""]);
        assert_eq!(exactly("1\t2", 3), None, "cut short");
        assert_eq!(exactly("1\t2\t3\t4", 3), None);
    }

    #[test]
    fn equal_names_get_numbers() {
        let mut names = ["a", "b", "a", "a_2", "a"].map(String::from);
        let mut warnings = Vec::new();
        distinct(&mut names, "columns", &mut warnings);
        assert_eq!(names, ["a", "b", "a_3", "a_2", "a_4"]);
        assert_eq!(warnings.len(), 2);
    }
}
