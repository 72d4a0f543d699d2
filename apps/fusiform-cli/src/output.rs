//! Files written whole or not at all.

use crate::failure::Failure;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Whether a file of that name could be written at all: asked before the work, not after it.
pub fn check(path: &Path) -> Result<(), Failure> {
    let wrong = |message: String| Failure::input(path.display().to_string(), message);
    if path.is_dir() {
        return Err(wrong("there is a folder of that name".into()).cure("give -o the name of a file"));
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(wrong(format!("there is no folder {}", folder.display()))
            .cure("create the folder first, or choose another place with -o"));
    }
    Ok(())
}

/// Write `bytes` to a temporary sibling of `path` and rename it: readers see the old file or the new one.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    check(path)?;
    let refused = |error: &std::io::Error| Failure::io(path, "the file cannot be written", error);
    // a pipe or a device is written to, never replaced
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return std::fs::write(path, bytes).map_err(|error| refused(&error));
    }
    // a link stays a link: what it points to is replaced
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut file = sibling(&folder_of(&target)).map_err(|error| refused(&error))?;
    file.write_all(bytes).map_err(|error| refused(&error))?;
    file.persist(&target).map_err(|error| refused(&error.error))?;
    Ok(())
}

/// Create a folder for outputs, parents included.
pub fn create_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::io(folder, "the folder cannot be created", &error).cure("choose another place with -o")
    })
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// A temporary file with the rights any new file has.
fn sibling(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".fusiform-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
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
    fn a_folder_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write(folder.path(), b"x").is_err());
        assert!(folder.path().is_dir());
    }
}
