//! Files written whole or not at all.

use crate::failure::Failure;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary file there is at the moment, so that an interruption can take it away.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on Ctrl-C and `kill` take an unfinished output away before the program ends.
///
/// While a finished one is being renamed they wait: readers see the old file or the new one, and nothing beside it.
pub fn clean_up_when_interrupted() {
    let interrupted = || {
        unfinished().take().map(std::fs::remove_file);
        // what shells expect of a program that Ctrl-C has ended
        std::process::exit(130);
    };
    // without a handler the program ends all the same, only less tidily
    let _ = ctrlc::set_handler(interrupted);
}

/// Whether a file of that name can be written: asked before the work, not after it.
pub fn check(path: &Path) -> Result<(), Failure> {
    let wrong = |message: String| Failure::input(path.display().to_string(), message);
    let there = std::fs::metadata(path).ok();
    if there.as_ref().is_some_and(std::fs::Metadata::is_dir) {
        return Err(wrong("there is a folder of that name".into()).cure("give -o the name of a file"));
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(wrong(format!("there is no folder {}", folder.display()))
            .cure("create the folder first, or choose another place with -o"));
    }
    match there {
        Some(file) if file.permissions().readonly() => {
            Err(wrong("the file is write-protected".into()).cure("lift the protection, or choose another name with -o"))
        }
        Some(file) if !file.is_file() => Ok(()),
        _ => sibling(&target(path)).map(Sibling::discard).map_err(|error| refused(path, &error)),
    }
}

/// Write `bytes` to a temporary sibling of `path` and rename it: readers see the old file or the new one.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    check(path)?;
    let refused = |error: &std::io::Error| refused(path, error);
    // a pipe or a device is written to, never replaced
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return std::fs::write(path, bytes).map_err(|error| refused(&error));
    }
    let target = target(path);
    let mut sibling = sibling(&target).map_err(|error| refused(&error))?;
    let written = sibling.0.write_all(bytes).and_then(|()| sibling.0.as_file().sync_all());
    if let Err(error) = written {
        sibling.discard();
        return Err(refused(&error));
    }
    sibling.rename(&target).map_err(|error| refused(&error))
}

/// Create a folder for outputs, parents included.
pub fn create_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::io(folder, "the folder cannot be created", &error).cure("choose another place with -o")
    })
}

fn refused(path: &Path, error: &std::io::Error) -> Failure {
    Failure::io(path, "the file cannot be written", error).cure("choose another place with -o")
}

/// What is really written: a link stays a link, and what it points to is replaced or made.
fn target(path: &Path) -> PathBuf {
    let pointed = || std::fs::read_link(path).map(|to| folder_of(path).join(to));
    std::fs::canonicalize(path).or_else(|_| pointed()).unwrap_or_else(|_| path.to_owned())
}

/// The folder a file is in, or would be.
pub fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// A temporary file that an interruption takes away; there is one at a time.
struct Sibling(tempfile::NamedTempFile);

impl Sibling {
    /// Put it in the place of `target`. An interruption waits until that is done.
    fn rename(self, target: &Path) -> std::io::Result<()> {
        let mut unfinished = unfinished();
        *unfinished = None;
        self.0.persist(target).map(drop).map_err(|error| error.error)
    }

    /// Take it away.
    fn discard(self) {
        let mut unfinished = unfinished();
        *unfinished = None;
        drop(self.0);
    }
}

/// A temporary file beside that one, with the rights any new file has.
fn sibling(path: &Path) -> std::io::Result<Sibling> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".fusiform-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    // the kind alone: the whole error names the temporary file, which means nothing to people
    let mut unfinished = unfinished();
    let file = builder.tempfile_in(folder_of(path)).map_err(|error| std::io::Error::from(error.kind()))?;
    *unfinished = Some(file.path().to_owned());
    Ok(Sibling(file))
}

pub fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gltf"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write(&path, b"first, and longer").unwrap();
        write(&path, b"second").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"second");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_write_protected_file_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, b"kept").unwrap();
        let mut rights = std::fs::metadata(&path).unwrap().permissions();
        rights.set_readonly(true);
        std::fs::set_permissions(&path, rights).unwrap();
        assert!(write(&path, b"x").is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"kept");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_even_when_it_points_to_nothing_yet() {
        let folder = tempfile::tempdir().unwrap();
        let (link, file) = (folder.path().join("link.txt"), folder.path().join("file.txt"));
        std::os::unix::fs::symlink("file.txt", &link).unwrap();
        write(&link, b"made").unwrap();
        write(&link, b"replaced").unwrap();
        assert!(link.is_symlink() && !file.is_symlink());
        assert_eq!(std::fs::read(&file).unwrap(), b"replaced");
    }

    #[test]
    fn a_folder_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write(folder.path(), b"x").is_err());
        assert!(folder.path().is_dir());
    }
}
