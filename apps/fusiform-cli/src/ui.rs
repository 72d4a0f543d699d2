//! How the program speaks: words and progress on stderr, results on stdout.

use crate::failure::Failure;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use serde_json::Value;
use std::io::{ErrorKind, IsTerminal as _, Write as _};
use std::path::Path;

/// What people and programs hear of a command.
#[derive(Clone, Copy, Debug)]
pub struct Ui {
    json: bool,
    quiet: bool,
}

impl Ui {
    /// `json`: one document on stdout and nothing else there. `quiet`: nothing on stderr but failures.
    pub fn new(json: bool, quiet: bool) -> Self {
        Self { json, quiet }
    }

    /// A line for people.
    pub fn say(&self, text: impl AsRef<str>) {
        if !self.quiet {
            whisper(text.as_ref());
        }
    }

    /// A bar of `n` steps; there only when stderr is a terminal, and gone when dropped.
    pub fn progress(&self, what: &'static str, n: usize) -> ProgressBar {
        let seen = !self.quiet && std::io::stderr().is_terminal();
        let target = if seen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template("{msg:12} {wide_bar:.cyan/dim} {percent:>3} %  {eta:>4}");
        ProgressBar::with_draw_target(Some(n as u64), target)
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
            .with_message(what)
            .with_finish(ProgressFinish::AndClear)
    }

    /// The result: the document for programs with `--json`, otherwise what `people` says, if anything.
    pub fn result(&self, document: &Value, people: Option<&str>) -> Result<(), Failure> {
        if self.json {
            return print(&format!("{document:#}\n"));
        }
        people.map_or(Ok(()), print)
    }

    /// Why the command stopped; heard even when quiet.
    pub fn failure(&self, failure: &Failure) {
        if self.json {
            // nobody is left to tell when stdout is gone too
            let _ = print(&format!("{:#}\n", failure.json()));
        } else {
            whisper(&format!("{:?}", miette::Report::new(failure.clone())));
        }
    }
}

/// To stderr; a closed stderr is nobody's failure.
fn whisper(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// To stdout; a reader that has seen enough is no failure.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::io(Path::new("stdout"), "the result cannot be written", &error)
                .cure("send it to a place that has room"))
        }
        _ => Ok(()),
    }
}

/// A count as people read it: 20,480.
pub fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A size in bytes as people read it.
pub fn bytes(n: u64) -> String {
    match n {
        0..1_000 => format!("{n} B"),
        1_000..1_000_000 => format!("{:.0} kB", n as f64 / 1e3),
        _ => format!("{:.1} MB", n as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_in_threes() {
        assert_eq!([0, 999, 1_000, 20_480, 1_234_567].map(grouped), ["0", "999", "1,000", "20,480", "1,234,567"]);
    }

    #[test]
    fn sizes_have_the_unit_that_suits_them() {
        assert_eq!([12, 51_200, 3_400_000].map(bytes), ["12 B", "51 kB", "3.4 MB"]);
    }
}
