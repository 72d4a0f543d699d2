//! A computer.

use crate::model::output::folder_of;
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub use fusiform_files::gltf::read_beside as beside;
pub use std::time::Instant;

/// Whether there are folders to look into and to choose from.
pub const HAS_FOLDERS: bool = true;

/// All of a file.
///
/// # Errors
/// When it is not there, or may not be read.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    std::fs::read(path)
}

/// All of a file, or nothing: beside its place first, then renamed, so that whoever is killed in between leaves the old
/// file as it was. A link stays a link, and what is write-protected stays as it is.
///
/// # Errors
/// When the folder cannot be written to; the old file, if there is one, is untouched.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = &target(path);
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

/// A folder, and those above it.
///
/// # Errors
/// When one of them cannot be made.
pub fn make_folder(path: &Path) -> io::Result<()> {
    std::fs::create_dir_all(path)
}

/// Files of a folder; none where it is not there.
#[must_use]
pub fn list(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// When a file was last written, if it is there.
#[must_use]
pub fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}

/// Take a file away; what is not there need not go.
pub fn remove(path: &Path) {
    let _ = std::fs::remove_file(path);
}

/// The number of this program among those that run.
#[must_use]
pub fn this_process() -> u32 {
    std::process::id()
}

/// Held as long as it is there, and by one session only.
#[derive(Debug)]
pub struct Held {
    _file: File,
}

/// Make a file and hold it, so that others see that this session lives; none where the system has no locks.
///
/// # Errors
/// When the file cannot be made, or is already there.
pub fn hold(path: &Path) -> io::Result<Option<Held>> {
    let file = File::create_new(path)?;
    for _ in 0..20 {
        if file.try_lock().is_ok() {
            return Ok(Some(Held { _file: file }));
        }
        // another window that begins now may have it in hand for a moment, to see whether anybody holds it
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(None)
}

/// Whether a session that lives holds it; where locks cannot be asked for, none does.
#[must_use]
pub fn is_held(path: &Path, _process: u32) -> bool {
    let Ok(file) = File::open(path) else { return false };
    matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Now.
#[must_use]
pub fn now() -> SystemTime {
    SystemTime::now()
}

/// Files are chosen in the window.
pub fn choose() {}

/// Work beside the window, on a thread of its own.
pub fn spawn(work: impl FnOnce() + Send + 'static) {
    std::thread::spawn(work);
}
