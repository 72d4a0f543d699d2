//! Output: files are written whole or not at all.

use super::Fault;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Beside its place first, then renamed: whoever is killed in between leaves the old file as it was. A link stays a link,
/// and what is write-protected stays as it is.
///
/// # Errors
/// When the folder cannot be written to; the old file, if there is one, is untouched.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    write(&target(path), bytes).map_err(|error| Fault::unwritable(path, &error))
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = std::fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| old.permissions().readonly()) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is write-protected"));
    }
    // the kind alone: the whole error names the temporary file, which means nothing to people
    let mut file = temporary(folder_of(path)).map_err(|error| io::Error::from(error.kind()))?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_all())?;
    if let Some(old) = old {
        std::fs::set_permissions(file.path(), old.permissions())?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// With the rights that any new file has.
fn temporary(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".fusiform-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// What is really written: what a link points to is replaced or made.
fn target(path: &Path) -> PathBuf {
    let pointed = || std::fs::read_link(path).map(|to| folder_of(path).join(to));
    std::fs::canonicalize(path).or_else(|_| pointed()).unwrap_or_else(|_| path.to_owned())
}

/// The folder a file is in, or would be.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
