//! The program as people run it, for every test file.

#![allow(dead_code, reason = "every test file uses its own part of it")]
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use serde_json::Value;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The smallest athlete there is: tests are about the program, not the picture.
pub const SMALL: &str = "athlete:3700";

/// The program about to run in that folder, without colours and with nothing to read.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fusiform"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1").stdin(Stdio::null());
    command
}

/// What it did.
pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

/// Exit code and the document on stdout.
pub fn answer(folder: &Path, arguments: &[&str]) -> (Option<i32>, Value) {
    let output = run(folder, &[arguments, &["--json"]].concat());
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
}

/// A shared glTF file; nothing, said aloud, where it is not there.
pub fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/gltf").join(name);
    if !path.exists() {
        _ = writeln!(std::io::stderr(), "SKIPPED: there is no {}", path.display());
    }
    path.canonicalize().ok()
}
