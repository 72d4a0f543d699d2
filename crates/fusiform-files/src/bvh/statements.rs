//! The text cut into statements: a line, a brace, or the part of a line up to a brace; none is empty.

use super::BvhError;
use std::borrow::Cow;

/// How much of a statement a message quotes.
const QUOTED: usize = 40;

/// Walks the file once, counting lines.
pub(super) struct Statements<'a> {
    rest: &'a [u8],
    line: usize,
}

/// One statement and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Statement<'a> {
    bytes: &'a [u8],
    /// Counted from 1.
    pub(super) line: usize,
}

impl<'a> Statements<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), line: 1 }
    }

    /// The next statement, or that the file ends before `wanted`.
    pub(super) fn require(&mut self, wanted: &'static str) -> Result<Statement<'a>, BvhError> {
        self.next().ok_or(BvhError::Truncated { line: self.line, wanted })
    }

    /// The line that is read next.
    pub(super) fn line(&self) -> usize {
        self.line
    }
}

impl<'a> Iterator for Statements<'a> {
    type Item = Statement<'a>;

    fn next(&mut self) -> Option<Statement<'a>> {
        while let Some(&first) = self.rest.first() {
            let line = self.line;
            let end = match first {
                b'{' | b'}' => 1,
                _ => self.rest.iter().position(|byte| b"\n\r{}".contains(byte)).unwrap_or(self.rest.len()),
            };
            let (bytes, rest) = self.rest.split_at(end);
            self.rest = rest;
            // CR LF is one line end, and so is a CR alone.
            if let Some(after) = rest.strip_prefix(b"\r\n").or(rest.strip_prefix(b"\n")).or(rest.strip_prefix(b"\r")) {
                self.rest = after;
                self.line += 1;
            }
            let bytes = bytes.trim_ascii();
            if !bytes.is_empty() {
                return Some(Statement { bytes, line });
            }
        }
        None
    }
}

impl<'a> Statement<'a> {
    /// The words between blanks.
    pub(super) fn words(self) -> impl Iterator<Item = &'a [u8]> {
        self.bytes.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
    }

    /// Whether it is this brace.
    pub(super) fn is(self, brace: u8) -> bool {
        self.bytes == [brace]
    }

    /// What follows the keyword, when the statement begins with it as a word of its own; case says nothing.
    pub(super) fn after(self, keyword: &str) -> Option<Statement<'a>> {
        let (head, tail) = self.bytes.split_at_checked(keyword.len())?;
        let own_word = tail.first().is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b':');
        let tail = tail.trim_ascii();
        let bytes = tail.strip_prefix(b":").unwrap_or(tail).trim_ascii();
        (own_word && head.eq_ignore_ascii_case(keyword.as_bytes())).then_some(Self { bytes, line: self.line })
    }

    /// As text; bytes that are no UTF-8 become replacement characters.
    pub(super) fn text(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.bytes)
    }

    /// That something else was wanted here.
    pub(super) fn unexpected(self, wanted: &'static str) -> BvhError {
        BvhError::Unexpected { line: self.line, found: quoted(self.bytes), wanted }
    }

    /// A finite number.
    pub(super) fn number(self, word: &[u8]) -> Result<f32, BvhError> {
        let line = self.line;
        let number: Option<f32> = str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        let number = number.ok_or_else(|| BvhError::NotANumber { line, found: quoted(word) })?;
        if number.is_finite() { Ok(number) } else { Err(BvhError::NotFinite { line, found: quoted(word) }) }
    }

    /// A count.
    pub(super) fn count(self, wanted: &'static str) -> Result<usize, BvhError> {
        self.words()
            .next()
            .and_then(|word| str::from_utf8(word).ok()?.parse().ok())
            .ok_or_else(|| self.unexpected(wanted))
    }
}

/// The beginning of what was found, short enough for a message.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * QUOTED)]);
    text.chars().take(QUOTED).collect()
}
