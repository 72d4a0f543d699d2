//! The lines up to `endheader`.

use crate::FileError;
use crate::text::{Line, quoted};
use fusiform_motion::table::Table;

/// What a header tells.
#[derive(Default)]
pub(super) struct Header {
    pub(super) name: String,
    pub(super) in_degrees: Option<bool>,
    /// First and last time, s.
    pub(super) range: Option<[f64; 2]>,
    /// `DataType=Vec3` and its like.
    pub(super) several_in_a_cell: bool,
    rows: Option<usize>,
    columns: Option<usize>,
}

/// Read up to and with `endheader`. Lines that mean nothing here are passed over: they are remarks.
pub(super) fn read<'a>(lines: &mut impl Iterator<Item = Line<'a>>) -> Result<Header, FileError> {
    let mut header = Header::default();
    for (i, line) in lines.enumerate() {
        let text = line.text.trim();
        if text.eq_ignore_ascii_case("endheader") {
            return Ok(header);
        }
        if i == 0 && !text.contains('=') {
            header.name = text.strip_prefix("name ").unwrap_or(text).trim().to_owned();
        } else {
            header.take(line, text)?;
        }
    }
    let error = FileError::new("the header", "there is no line endheader");
    Err(error.cure("give a .sto or .mot file, or write endheader before the line of column names"))
}

impl Header {
    fn take(&mut self, line: Line, text: &str) -> Result<(), FileError> {
        let (key, value) = text.split_once('=').or_else(|| text.split_once(char::is_whitespace)).unwrap_or((text, ""));
        let value = value.trim();
        match key.trim().to_ascii_lowercase().as_str() {
            "nrows" | "datarows" => self.rows = Some(count(line, value)?),
            "ncolumns" | "datacolumns" => self.columns = Some(count(line, value)?),
            "indegrees" => self.in_degrees = Some(yes_or_no(line, value)?),
            // What files said before there was inDegrees.
            "angles" if value.starts_with("are in degrees") => self.in_degrees = self.in_degrees.or(Some(true)),
            "datatype" => self.several_in_a_cell = !value.eq_ignore_ascii_case("double"),
            "range" => self.range = range(value),
            _ => {}
        }
        Ok(())
    }

    /// Says where the table is not what was announced.
    pub(super) fn compare(&self, table: &Table, warnings: &mut Vec<String>) {
        let found = table.times.len();
        if let Some(rows) = self.rows.filter(|rows| *rows != found) {
            warnings.push(format!("nRows={rows} is announced and {found} rows are there: those are used"));
        }
        // SIMM's range goes without a time column, and vectors count once.
        let found = table.names.len() + 1;
        let as_announced = |columns: &usize| *columns == found || *columns + 1 == found && self.range.is_some();
        if let Some(columns) = self.columns.filter(|columns| !as_announced(columns) && !self.several_in_a_cell) {
            warnings.push(format!("nColumns={columns} is announced and {found} columns are there: those are used"));
        }
        if self.in_degrees.is_none() {
            warnings.push("the header has no inDegrees: angles are taken as radians".into());
        }
    }
}

fn count(line: Line, value: &str) -> Result<usize, FileError> {
    value.parse().map_err(|_| line.error(format!("{:?} is no count", quoted(value))).cure("write a whole number there"))
}

fn yes_or_no(line: Line, value: &str) -> Result<bool, FileError> {
    match value.to_ascii_lowercase().as_str() {
        "yes" | "y" | "true" | "1" => Ok(true),
        "no" | "n" | "false" | "0" => Ok(false),
        _ => {
            let error = line.error(format!("inDegrees is {:?}", quoted(value)));
            Err(error.cure("write inDegrees=yes or inDegrees=no"))
        }
    }
}

/// Two times, the later one last.
fn range(value: &str) -> Option<[f64; 2]> {
    let mut times = value.split_ascii_whitespace().map(str::parse::<f64>);
    let (first, last) = (times.next()?.ok()?, times.next()?.ok()?);
    (first <= last && (last - first).is_finite()).then_some([first, last])
}
