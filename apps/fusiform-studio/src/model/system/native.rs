//! A computer.

use crate::model::output::{OLD, folder_of};
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub use fusiform_files::gltf::{place_beside, read_beside as beside};
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
    tidy(folder_of(path));
    // the kind alone: the whole error names the temporary file, which means nothing to people
    let mut file = temporary(folder_of(path)).map_err(|error| io::Error::from(error.kind()))?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_all())?;
    if let Some(old) = old {
        std::fs::set_permissions(file.path(), old.permissions())?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// What begins the name of a file that is still being written.
const BEGUN: &str = ".fusiform-";

/// Whoever was killed while writing left a file that nobody needs.
fn tidy(folder: &Path) {
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_prefix(BEGUN));
        // as `tempfile` draws names: somebody may call a file of his own so
        name.is_some_and(|drawn| drawn.len() == 6 && drawn.bytes().all(|letter| letter.is_ascii_alphanumeric()))
    };
    let is_old = |path: &PathBuf| {
        let age = modified(path).and_then(|when| now().duration_since(when).ok());
        age.is_some_and(|age| age > OLD)
    };
    list(folder).iter().filter(|path| is_ours(path) && is_old(path)).for_each(|path| remove(path));
}

/// With the rights that any new file has.
fn temporary(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(BEGUN);
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
    // a program that is just being started has all that this one holds for a moment, also what was let go meanwhile
    (0..10).all(|i| {
        std::thread::sleep(Duration::from_millis(if i > 0 { 5 } else { 0 }));
        matches!(file.try_lock(), Err(TryLockError::WouldBlock))
    })
}

/// Now.
#[must_use]
pub fn now() -> SystemTime {
    SystemTime::now()
}

/// Files are chosen in the window.
pub fn choose() {}

/// Work that waits for the graphics adapter, on a thread of its own.
pub fn spawn_drawing(work: impl AsyncFnOnce() + Send + 'static) {
    std::thread::spawn(|| pollster::block_on(work()));
}

/// Wait until the graphics adapter has done all it was told; where it is lost, whoever waits is told.
pub fn finish(device: &wgpu::Device) {
    let _ = device.poll(wgpu::PollType::wait_indefinitely());
}

/// Draw: what came of it, or why the graphics adapter would not.
///
/// # Errors
/// What it refused first.
pub fn drawn<T>(device: &wgpu::Device, draw: impl FnOnce() -> T) -> Result<T, wgpu::Error> {
    use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
    let scopes = [Validation, Internal, OutOfMemory].map(|filter| device.push_error_scope(filter));
    let drawn = draw();
    let mut refused = None;
    // the innermost first; a texture there was no memory for makes calls with it wrong, too
    for scope in scopes.into_iter().rev() {
        refused = refused.or(pollster::block_on(scope.pop()));
    }
    refused.map_or(Ok(drawn), Err)
}

/// Work beside the window, on a thread of its own.
pub fn spawn(work: impl FnOnce() + Send + 'static) {
    std::thread::spawn(work);
}

/// Whether files can be dropped on the window: under Wayland nobody hears of them.
#[must_use]
pub fn takes_drops() -> bool {
    std::env::var_os("WAYLAND_DISPLAY").is_none_or(|name| name.is_empty())
}

/// Work that is shared out among all cores, as far as it can be.
pub fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    rayon::scope(|_| work())
}

/// What a store that answers late has not taken: a disk says so at once.
#[must_use]
pub fn refused() -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_save_left_lying_goes_with_a_later_one_once_it_is_old_and_nothing_else_does() {
        let folder = tempfile::tempdir().unwrap();
        let lay = |name: &str, age: Duration| {
            let path = folder.path().join(name);
            std::fs::write(&path, "half").unwrap();
            File::options().write(true).open(&path).unwrap().set_modified(now() - age).unwrap();
            path
        };
        let old = lay(".fusiform-aB3xYz", 2 * OLD);
        let kept = [
            lay(".fusiform-young1", OLD / 2),
            lay(".fusiform-settings", 2 * OLD),
            lay(".fusiform-a.toml", 2 * OLD),
            lay("fusiform-aB3xYz", 2 * OLD),
        ];
        write(&folder.path().join("hero.glb"), b"whole").unwrap();
        assert!(!old.exists());
        assert!(kept.iter().all(|path| path.exists()), "{kept:?}");
    }
}
