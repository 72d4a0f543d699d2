//! `.sto` and `.mot`, the tables of `OpenSim` and, before it, of SIMM.
//!
//! ```text
//! bytes --read--> Sto { Table, in_degrees } --write--> text
//! ```
//!
//! A header of `key=value` lines (or `key value`, as SIMM wrote them) up to `endheader`, a line of names, rows. What is
//! there counts, not what the header announces; where both differ a warning says so.

mod header;
#[cfg(test)]
mod tests;

use crate::FileError;
use crate::text::{self, Line};
use fusiform_motion::model::Model;
use fusiform_motion::table::Table;
use header::Header;
use std::fmt::Write as _;

/// A table as the file has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sto {
    /// What the first line calls it.
    pub name: String,
    /// Whether rotations are degrees, not radians. Nothing in the file says which columns are rotations.
    pub in_degrees: bool,
    /// The columns.
    pub table: Table,
    /// What was mended while reading.
    pub warnings: Vec<String>,
}

impl Sto {
    /// The columns with a model's angles in radians, whatever the file has.
    #[must_use]
    pub fn in_radians(&self, model: &Model) -> Table {
        let mut table = self.table.clone();
        let is_angle = |name: &String| model.coordinates.iter().any(|own| own.is_angle && own.name == *name);
        let turns: Vec<bool> = table.names.iter().map(|name| self.in_degrees && is_angle(name)).collect();
        for row in table.values.chunks_exact_mut(turns.len().max(1)) {
            row.iter_mut().zip(&turns).filter(|(_, turns)| **turns).for_each(|(value, _)| *value = value.to_radians());
        }
        table
    }
}

/// Read a table.
///
/// # Errors
/// When there is no header, no time, or a number is not one; the error names the line.
pub fn read(bytes: &[u8]) -> Result<Sto, FileError> {
    let text = text::decode(bytes);
    let mut lines = text::lines(&text);
    let header = header::read(&mut lines)?;
    let labels = lines.next().ok_or_else(|| {
        FileError::new("after endheader", "there is no line of column names").cure("copy or download the file again")
    })?;
    let mut warnings = Vec::new();
    let rows: Vec<Line> = lines.collect();
    let names = names_in(labels, rows.first());
    let mut table = if is_time(&names[0]) {
        with_times(&names[1..], &rows, header.several_in_a_cell, &mut warnings)?
    } else {
        over_range(names, &rows, labels, &header, &mut warnings)?
    };
    header.compare(&table, &mut warnings);
    text::distinct(&mut table.names, "columns", &mut warnings);
    Ok(Sto { name: header.name, in_degrees: header.in_degrees.unwrap_or(false), table, warnings })
}

/// The names of the columns: between tabs they may hold blanks, unless a row has as many numbers as there are words.
fn names_in(labels: Line, row: Option<&Line>) -> Vec<String> {
    let cells: Vec<&str> = labels.cells().filter(|cell| !cell.is_empty()).collect();
    let words: Vec<&str> = labels.words().collect();
    let by_words = row.is_some_and(|row| row.words().count() == words.len());
    let names = if cells.len() > 1 && !by_words { cells } else { words };
    names.into_iter().map(one_line).collect()
}

/// Words with one blank between: tabs part columns.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_time(name: &str) -> bool {
    name.eq_ignore_ascii_case("time")
}

/// Rows that begin with their time.
fn with_times(
    names: &[String],
    rows: &[Line],
    several_in_a_cell: bool,
    warnings: &mut Vec<String>,
) -> Result<Table, FileError> {
    let mut table = Table { names: names.to_vec(), ..Table::default() };
    let mut parts = None;
    for (i, row) in rows.iter().enumerate() {
        let Some(cells) = row.exactly(1 + names.len()) else {
            short_row(*row, 1 + names.len(), i + 1 == rows.len(), warnings)?;
            break;
        };
        table.times.push(row.time(cells[0], table.times.last().copied())?);
        for (name, cell) in names.iter().zip(&cells[1..]) {
            if several_in_a_cell {
                several(*row, name, cell, &mut parts, &mut table.values)?;
            } else {
                table.values.push(row.number(name, cell)?);
            }
        }
    }
    if let Some(parts) = parts.filter(|_| several_in_a_cell) {
        table.names = names.iter().flat_map(|name| (1..=parts).map(move |i| format!("{name}_{i}"))).collect();
    }
    Ok(table)
}

/// Vectors in a cell, `1,2,3`, all of as many parts as the first.
fn several(
    row: Line,
    name: &str,
    cell: &str,
    parts: &mut Option<usize>,
    values: &mut Vec<f64>,
) -> Result<(), FileError> {
    let before = values.len();
    for part in cell.split(',') {
        values.push(row.number(name, part)?);
    }
    let found = values.len() - before;
    if *parts.get_or_insert(found) == found {
        return Ok(());
    }
    Err(row.error(format!(
        "{:?} has {found} parts in column {:?}, unlike the first",
        text::quoted(cell),
        text::quoted(name)
    )))
}

/// SIMM left the times out where they are even, and gave their range.
fn over_range(
    names: Vec<String>,
    rows: &[Line],
    labels: Line,
    header: &Header,
    warnings: &mut Vec<String>,
) -> Result<Table, FileError> {
    let Some([first, last]) = header.range else {
        let found = format!("the first column is {:?}, not time, and there is no range", text::quoted(&names[0]));
        return Err(labels.error(found).cure("name the first column time, or write range FIRST LAST into the header"));
    };
    let mut table = Table { names, ..Table::default() };
    for (i, row) in rows.iter().enumerate() {
        let Some(cells) = row.exactly(table.names.len()) else {
            short_row(*row, table.names.len(), i + 1 == rows.len(), warnings)?;
            break;
        };
        for (name, cell) in table.names.iter().zip(cells) {
            table.values.push(row.number(name, cell)?);
        }
        table.times.push(0.0);
    }
    let step = (last - first) / (table.times.len().max(2) - 1) as f64;
    table.times.iter_mut().enumerate().for_each(|(i, time)| *time = first + step * i as f64);
    warnings.push(format!("there is no time column: rows are spread evenly from {first} s to {last} s"));
    Ok(table)
}

/// A row that does not fit is an error, but for the last one, which a writer that was stopped leaves behind.
fn short_row(row: Line, wanted: usize, last: bool, warnings: &mut Vec<String>) -> Result<(), FileError> {
    let found = row.words().count();
    if last && found < wanted {
        warnings.push(format!("the last row has {found} of {wanted} numbers: left out"));
        return Ok(());
    }
    let error = row.error(format!("the row has {found} numbers, but {wanted} columns are named"));
    Err(error.cure("give every row a number for every name, and every column a name"))
}

/// A table as `OpenSim` reads it.
#[must_use]
pub fn write(table: &Table, name: &str, in_degrees: bool) -> String {
    // Nothing in it may look like a line of the header.
    let name = one_line(name).replace('=', " ").replace("endheader", "header");
    let degrees = if in_degrees { "yes" } else { "no" };
    let (n_row, n_column) = (table.times.len(), table.names.len() + 1);
    let mut text =
        format!("{name}\nversion=1\nnRows={n_row}\nnColumns={n_column}\ninDegrees={degrees}\nendheader\ntime");
    for name in &table.names {
        let _ = write!(text, "\t{}", one_line(name));
    }
    for (i, time) in table.times.iter().enumerate() {
        let _ = write!(text, "\n{time}");
        for value in table.row(i) {
            let _ = write!(text, "\t{value}");
        }
    }
    text + "\n"
}
