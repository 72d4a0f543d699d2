//! Output: files are written whole or not at all.

use super::{Fault, system};
use std::path::Path;
use std::time::Duration;

/// Pieces that a program which was killed left lying are taken away when they are this old: younger ones may be at
/// work.
pub(crate) const OLD: Duration = Duration::from_secs(3600);

/// Write a file; in a browser it leaves as a download.
///
/// # Errors
/// When the folder cannot be written to; the old file, if there is one, is untouched.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    system::write(path, bytes).map_err(|error| Fault::unwritable(path, &error))
}

/// Whether a file lies in that folder, or would.
pub(crate) fn lies_in(folder: &Path, path: &Path) -> bool {
    let place = |folder: &Path| folder.canonicalize().ok();
    place(folder) == place(folder_of(path))
}

/// The folder a file is in, or would be.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
