//! A computer.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

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
/// file as it was.
///
/// # Errors
/// When the folder cannot be written to; the old file, if there is one, is untouched.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".fusiform-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // those of any new file: temporary ones are for their owner's eyes alone
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_all())?;
    if let Ok(old) = std::fs::metadata(path) {
        std::fs::set_permissions(file.path(), old.permissions())?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
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

/// Whether a process of that number is there; where that cannot be told, it is taken for gone.
#[must_use]
pub fn is_running(process: u32) -> bool {
    Path::new("/proc").join(process.to_string()).join("stat").exists()
}

/// Work beside the window, on a thread of its own.
pub fn spawn(work: impl FnOnce() + Send + 'static) {
    std::thread::spawn(work);
}
