//! What went wrong, where, and how to mend it: for people on stderr, for programs as JSON.

use fusiform::BindError;
use fusiform_bake::BakeError;
use fusiform_files::FileError;
use fusiform_picture::PictureError;
use serde_json::{Value, json};
use std::fmt;
use std::path::Path;
use std::process::ExitCode;

/// Whose doing it was; decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The input cannot be used, or the output cannot be written.
    Input,
    /// The arguments do not go together.
    Call,
}

/// Why a command stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    kind: Kind,
    file: Option<String>,
    place: Option<String>,
    message: String,
    cure: Option<String>,
}

impl Failure {
    /// The input, or the place for the output, cannot be used.
    pub fn input(file: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind: Kind::Input, file: Some(file.into()), place: None, message: message.into(), cure: None }
    }

    /// The arguments do not go together.
    pub fn call(message: impl Into<String>) -> Self {
        Self { kind: Kind::Call, file: None, place: None, message: message.into(), cure: None }
    }

    /// What clap says of a command line: the message is its first paragraph, the cure its tip where it has one.
    pub fn misspoken(text: &str) -> Self {
        let paragraph = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (message, rest) = text.split_once("\n\n").unwrap_or((text, ""));
        let tip = rest.split("\n\n").find_map(|part| part.trim_start().strip_prefix("tip: "));
        Self::call(paragraph(message.trim_start_matches("error: ")))
            .at("command line")
            .cure(tip.map_or_else(|| "see fusiform --help".into(), paragraph))
    }

    /// The operating system refused something with that file.
    pub fn io(file: &Path, what: &str, error: &std::io::Error) -> Self {
        Self::input(file.display().to_string(), format!("{what}: {error}"))
    }

    /// A body that cannot be bound.
    pub fn bind(file: &str, error: &BindError) -> Self {
        Self::input(file, error.to_string()).cure(error.cure())
    }

    /// A file that cannot be used.
    pub fn file(file: &str, error: &FileError) -> Self {
        Self::input(file, &error.message).at(&error.place).cure(&error.cure)
    }

    /// Frames that cannot be baked.
    pub fn bake(file: &str, error: &BakeError) -> Self {
        match error {
            BakeError::Bind(error) => Self::bind(file, error),
            BakeError::File(error) => Self::file(file, error),
            error => Self::told(file, error),
        }
    }

    /// An error whose message carries its own cure after a semicolon, as those of our libraries do.
    pub fn told(file: impl Into<String>, error: &dyn std::error::Error) -> Self {
        let text = error.to_string();
        match text.split_once("; ") {
            Some((message, cure)) => Self::input(file, message).cure(cure),
            None => Self::input(file, text),
        }
    }

    /// Where in the file.
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// What to do about it.
    pub fn cure(mut self, cure: impl Into<String>) -> Self {
        self.cure = Some(cure.into());
        self
    }

    /// What to do about it, unless that is said already.
    pub fn or_cure(mut self, cure: impl Into<String>) -> Self {
        self.cure.get_or_insert_with(|| cure.into());
        self
    }

    /// As programs read it.
    pub fn json(&self) -> Value {
        let Self { file, place, message, cure, .. } = self;
        json!({ "error": { "file": file, "place": place, "message": message, "cure": cure } })
    }

    /// 1: the input cannot be used. 2: wrong call.
    pub fn exit_code(&self) -> ExitCode {
        match self.kind {
            Kind::Input => ExitCode::from(1),
            Kind::Call => ExitCode::from(2),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in [&self.file, &self.place].into_iter().flatten() {
            write!(f, "{part}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl miette::Diagnostic for Failure {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.cure.as_ref().map(|cure| Box::new(cure) as Box<dyn fmt::Display>)
    }
}

impl From<PictureError> for Failure {
    fn from(error: PictureError) -> Self {
        Self { file: None, ..Self::told("", &error) }.at("picture")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_file_place_message_and_cure() {
        let failure = Failure::input("hero.glb", "there is no such clip").at("clip \"bend\"").cure("use \"curl\"");
        assert_eq!(failure.to_string(), "hero.glb: clip \"bend\": there is no such clip");
        let error = &failure.json()["error"];
        assert_eq!(error["file"], "hero.glb");
        assert_eq!(error["place"], "clip \"bend\"");
        assert_eq!(error["cure"], "use \"curl\"");
    }

    #[test]
    fn all_that_clap_says_of_a_wrong_call_is_kept_on_one_line() {
        let text = "error: the following were not provided:\n  <IN>\n\n  tip: write\n  athlete\n\nUsage: fusiform";
        let failure = Failure::misspoken(text);
        assert_eq!(failure.message, "the following were not provided: <IN>");
        assert_eq!(failure.cure.as_deref(), Some("write athlete"));
        assert_eq!(Failure::misspoken("error: no").cure.as_deref(), Some("see fusiform --help"));
    }
}
