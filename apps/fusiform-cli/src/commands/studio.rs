//! `fusiform studio`: starts the interactive window, which is a program of its own.

use crate::failure::Failure;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

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
    input: Option<OsString>,
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
        let status =
            self.command(&program).status().map_err(|error| Failure::io(&program, "it cannot be started", &error))?;
        match status.success() {
            true => Ok(()),
            false => Err(Failure::input(PROGRAM, format!("it ended with {status}"))),
        }
    }

    /// What it is given goes on as it is: the window has an athlete of its own, and not every name of a file is text.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.args(&self.input);
        command
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

    #[test]
    fn what_it_is_given_goes_on_to_the_window_as_it_is() {
        let mut given: Vec<OsString> = ["athlete", "athlete:20000", "hero.glb"].map(Into::into).to_vec();
        #[cfg(unix)]
        given.push(std::os::unix::ffi::OsStringExt::from_vec(b"h\xe9ro.glb".to_vec()));
        for input in given {
            let command = Studio { input: Some(input.clone()) }.command(Path::new(PROGRAM));
            assert_eq!(command.get_args().collect::<Vec<_>>(), [&*input]);
        }
        assert_eq!(Studio { input: None }.command(Path::new(PROGRAM)).get_args().count(), 0);
    }
}
