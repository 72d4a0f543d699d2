//! `fusiform studio`: starts the interactive window, which is a program of its own.

use crate::failure::Failure;
use crate::source::Source;
use std::path::{Path, PathBuf};

/// The window's program.
const PROGRAM: &str = "fusiform-studio";

/// Open the interactive window: place, shape, play, save
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  fusiform studio
  fusiform studio athlete
  fusiform studio hero.glb

The window is a program of its own, fusiform-studio, looked for beside this one and on PATH.")]
pub struct Studio {
    /// A .glb or .gltf file, `athlete`, or `athlete:VERTICES`; without it the window offers what there is
    #[arg(value_name = "FILE")]
    input: Option<Source>,
}

impl Studio {
    /// Find the program, start it, and wait for it.
    pub fn run(self) -> Result<(), Failure> {
        let beside = std::env::current_exe().ok().and_then(|path| Some(path.parent()?.to_owned()));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let Some(program) = find(beside.into_iter().chain(std::env::split_paths(&path))) else {
            return Err(Failure::input(PROGRAM, "the window's program is neither beside this one nor on PATH")
                .cure("build it with `cargo build --release -p fusiform-studio`"));
        };
        let mut command = std::process::Command::new(&program);
        command.args(self.input.iter().map(ToString::to_string));
        let status = command.status().map_err(|error| Failure::io(&program, "it cannot be started", &error))?;
        match status.success() {
            true => Ok(()),
            false => Err(Failure::input(PROGRAM, format!("it ended with {status}"))),
        }
    }
}

fn find(folders: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    folders.map(|folder| folder.join(&name)).find(|path: &PathBuf| Path::is_file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_folder_that_has_the_program_counts() {
        let [empty, full] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let program = full.path().join(format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX));
        std::fs::write(&program, "").unwrap();
        let folders = || [empty.path(), full.path()].map(Path::to_owned).into_iter();
        assert_eq!(find(folders()), Some(program));
        assert_eq!(find(folders().take(1)), None);
    }
}
