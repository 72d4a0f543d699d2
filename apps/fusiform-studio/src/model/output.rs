//! Output: files are written whole or not at all.

use super::Fault;
use std::io::Write;
use std::path::Path;

/// Beside its place first, then renamed: whoever is killed in between leaves the old file as it was.
///
/// # Errors
/// When the folder cannot be written to; the old file, if there is one, is untouched.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let fault = |error: std::io::Error| Fault::unwritable(path, &error);
    let mut file = tempfile::Builder::new().prefix(".fusiform-").tempfile_in(folder).map_err(fault)?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(fault)?;
    if let Ok(old) = std::fs::metadata(path) {
        std::fs::set_permissions(file.path(), old.permissions()).map_err(fault)?;
    }
    file.persist(path).map_err(|error| Fault::unwritable(path, &error.error))?;
    Ok(())
}
