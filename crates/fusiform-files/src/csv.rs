//! Tables as comma-separated values: a row of names, rows of numbers, one column the time.
//!
//! Read in the spellings that spreadsheets and laboratories write: parted by comma, semicolon or tab, names in quotation
//! marks, decimal commas between semicolons, remarks after `#`.

use crate::FileError;
use crate::text::{self, Line};
use fusiform_motion::table::Table;
use std::fmt::Write as _;

/// A table, and what was mended while reading it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Csv {
    /// The columns.
    pub table: Table,
    /// What was mended.
    pub warnings: Vec<String>,
}

/// Read a table. Where no column is the time, rows are `1 / rate` apart and begin at 0.
///
/// # Errors
/// When there is neither time nor rate, a row is too short or too long, or a number is not one; the error names the line.
pub fn read(bytes: &[u8], rate: Option<f64>) -> Result<Csv, FileError> {
    let text = text::decode(bytes);
    let mut lines = text::lines(&text).filter(|line| !line.text.trim_start().starts_with('#'));
    let head = lines.next().ok_or_else(|| {
        FileError::new("line 1", "the file is empty").cure("give a file with a row of names and rows of numbers")
    })?;
    let parted = parted_by(head.text);
    let names: Vec<String> = cells(head.text, parted).into_iter().map(|name| name.into_owned()).collect();
    if names.iter().all(|name| name.parse::<f64>().is_ok()) {
        let error = head.error("the first row holds numbers, not names");
        return Err(error.cure("write a first row that names every column"));
    }
    let time = names.iter().enumerate().find_map(|(i, name)| Some((i, seconds_in(name)?)));
    let step = match (time, rate.filter(|rate| rate.is_finite() && *rate > 0.0)) {
        (None, None) => {
            let error = head.error("no column is named time");
            return Err(error.cure("name the column of times time, or say how many rows there are in a second"));
        }
        (_, rate) => rate.map_or(0.0, f64::recip),
    };
    let mut warnings = Vec::new();
    let mut table = rows(lines, &names, parted, time, step)?;
    for (i, name) in table.names.iter_mut().enumerate().filter(|(_, name)| name.is_empty()) {
        *name = format!("column {}", i + 1);
    }
    text::distinct(&mut table.names, "columns", &mut warnings);
    Ok(Csv { table, warnings })
}

fn rows<'a>(
    lines: impl Iterator<Item = Line<'a>>,
    names: &[String],
    parted: char,
    time: Option<(usize, f64)>,
    step: f64,
) -> Result<Table, FileError> {
    let kept = |i: &usize| time.is_none_or(|(time, _)| time != *i);
    let mut table = Table { names: names.to_vec(), ..Table::default() };
    if let Some((time, _)) = time {
        table.names.remove(time);
    }
    let mut before = None;
    for (row, line) in lines.enumerate() {
        let mut cells = cells(line.text, parted);
        // Spreadsheets write a separator after the last cell, too.
        while cells.len() > names.len() && cells.last().is_some_and(|cell| cell.is_empty()) {
            cells.pop();
        }
        if cells.len() != names.len() {
            let error = line.error(format!("the row has {} cells, but there are {} names", cells.len(), names.len()));
            return Err(error.cure("give every row a cell for every name; leave it empty where nothing was measured"));
        }
        if parted == ';' {
            cells.iter_mut().filter(|cell| cell.contains(',')).for_each(|cell| *cell = cell.replace(',', ".").into());
        }
        if let Some((time, second)) = time {
            let own = line.time(&cells[time], before)?;
            before = Some(own);
            table.times.push(own * second);
        } else {
            table.times.push(row as f64 * step);
        }
        for i in (0..names.len()).filter(kept) {
            table.values.push(line.number(&names[i], &cells[i])?);
        }
    }
    Ok(table)
}

/// Seconds in the unit of a time column; none if it is no time column.
fn seconds_in(name: &str) -> Option<f64> {
    let plain: String = name.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase();
    match plain.as_str() {
        "time" | "t" | "times" | "ts" | "timesec" | "timeseconds" | "seconds" | "timestamp" => Some(1.0),
        "timems" | "tms" | "timemilliseconds" | "milliseconds" => Some(1e-3),
        _ => None,
    }
}

/// What stands most often between the names.
fn parted_by(head: &str) -> char {
    // Every other part stands in quotation marks.
    let count = |c: char| head.split('"').step_by(2).map(|part| part.matches(c).count()).sum::<usize>();
    [',', '\t', ';'].into_iter().max_by_key(|c| count(*c)).filter(|c| count(*c) > 0).unwrap_or(',')
}

/// Cells of a line; one in quotation marks may hold the separator, and a doubled mark stands for one.
fn cells(line: &str, parted: char) -> Vec<std::borrow::Cow<'_, str>> {
    if !line.contains('"') {
        return line.split(parted).map(|cell| cell.trim().into()).collect();
    }
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => cell.extend(characters.next()),
            '"' => quoted = !quoted,
            c if c == parted && !quoted => cells.push(std::mem::take(&mut cell).trim().to_owned().into()),
            c => cell.push(c),
        }
    }
    cells.push(cell.trim().to_owned().into());
    cells
}

/// The table with its times first; names are put in quotation marks where they need them, missing numbers are empty.
#[must_use]
pub fn write(table: &Table) -> String {
    let mut text = String::from("time");
    for name in &table.names {
        let name = name.replace(['\n', '\r'], " ");
        let plain = !name.contains([',', '"', ';', '\t', '#']);
        let _ = if plain { write!(text, ",{name}") } else { write!(text, ",\"{}\"", name.replace('"', "\"\"")) };
    }
    for (i, time) in table.times.iter().enumerate() {
        let _ = write!(text, "\n{time}");
        for value in table.row(i) {
            let _ = if value.is_nan() { write!(text, ",") } else { write!(text, ",{value}") };
        }
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        read(text.as_bytes(), None).unwrap().table
    }

    #[test]
    fn the_time_is_found_wherever_it_stands() {
        let read = table("knee,Time (s),hip\n1,0.5,2\n3,0.75,4\n");
        assert_eq!(read.names, ["knee", "hip"]);
        assert_eq!(read.times, [0.5, 0.75]);
        assert_eq!(read.row(1), [3.0, 4.0]);
        assert_eq!(table("time [ms],a\n500,1\n1500,1").times, [0.5, 1.5]);
    }

    #[test]
    fn spreadsheets_are_read_as_they_write() {
        let read = table("\u{feff}# made somewhere\r\ntime;\"knee; left\";b;\r\n0,5;1,25;;\r\n");
        assert_eq!(read.names, ["knee; left", "b", "column 3"]);
        assert_eq!(read.times, [0.5]);
        assert!(read.values[0] == 1.25 && read.values[1].is_nan());
    }

    #[test]
    fn without_times_a_rate_gives_them() {
        let read = |rate| read(b"a,b\n1,2\n3,4\n", rate);
        assert_eq!(read(Some(50.0)).unwrap().table.times, [0.0, 0.02]);
        assert!(read(None).unwrap_err().cure.contains("rows there are in a second"));
        assert!(read(Some(0.0)).is_err());
    }

    #[test]
    fn what_cannot_be_meant_is_refused_where_it_stands() {
        let refused = |text: &str| read(text.as_bytes(), None).unwrap_err();
        assert!(refused("").message.contains("empty"));
        assert!(refused("1,2\n3,4").cure.contains("names"));
        assert!(refused("time,a\n0,1\n1").message.contains("1 cells"));
        assert!(refused("time,a\n0,one").place.contains("line 2, column \"a\""));
        assert!(refused("time,a\n1,1\n0,1").message.contains("after"));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let names = ["a", "b, \"c\"", "#d"].map(String::from).to_vec();
        let mut before = Table { names, times: vec![0.1, 0.2], values: vec![1.0, -2.5e-7, 3.0, 4.0, 5.0, 1.0 / 3.0] };
        assert_eq!(table(&write(&before)), before);
        before.values[2] = f64::NAN;
        assert!(table(&write(&before)).values[2].is_nan());
    }
}
