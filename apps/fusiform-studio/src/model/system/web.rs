//! A browser. The functions of the page are in `web/page.js`.

use crate::model::Kind;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use wasm_bindgen::prelude::*;
use web_time::web::SystemTimeExt as _;

pub use web_time::Instant;

/// Whether there are folders to look into and to choose from: the browser asks by itself where a download goes.
pub const HAS_FOLDERS: bool = false;

/// The folder that outlives the page.
pub const KEPT: &str = "/kept";

#[wasm_bindgen(js_namespace = fusiformPage)]
extern "C" {
    fn download(name: &str, bytes: &[u8]);
    fn keep(name: &str, bytes: &[u8]);
    fn forget(name: &str);
    fn later(work: JsValue);
    /// Let people choose files; they arrive as dropped ones do.
    pub fn choose();
}

#[wasm_bindgen]
extern "C" {
    /// A name as it was before it was put into a URI.
    #[wasm_bindgen(js_name = decodeURIComponent, catch)]
    fn decoded(uri: &str) -> Result<String, JsValue>;
}

struct File {
    bytes: Result<Vec<u8>, String>,
    when: SystemTime,
}

#[derive(Default)]
struct Browser {
    files: BTreeMap<PathBuf, File>,
    arrived: Vec<PathBuf>,
    refused: Option<String>,
    process: u32,
    running: BTreeSet<u32>,
}

thread_local! {
    static BROWSER: RefCell<Browser> = RefCell::default();
}

fn with<R>(work: impl FnOnce(&mut Browser) -> R) -> R {
    BROWSER.with_borrow_mut(work)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// All of a file.
///
/// # Errors
/// When it has not arrived, or the browser did not give it.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    with(|browser| match browser.files.get(path).map(|file| &file.bytes) {
        Some(Ok(bytes)) => Ok(bytes.clone()),
        Some(Err(message)) => Err(io::Error::other(message.clone())),
        None => Err(io::Error::new(io::ErrorKind::NotFound, "a browser reads only what is dropped on it")),
    })
}

/// A reader for files that a .gltf names: those that were dropped with it, wherever they lay.
pub fn beside(_folder: &Path) -> impl Fn(&str) -> Result<Vec<u8>, String> + use<> {
    |uri| {
        let name = name_of(Path::new(&decoded(uri).unwrap_or_else(|_| uri.into())));
        read(Path::new(&name)).map_err(|_| format!("{name} was not dropped with it"))
    }
}

/// What was dropped lies nowhere that could be looked at again.
///
/// # Errors
/// Always.
pub fn place_beside(_folder: &Path, uri: &str) -> Result<PathBuf, String> {
    Err(format!("{uri} was dropped"))
}

/// Into the browser's own store where it belongs there, else as a download.
///
/// # Errors
/// Never: what the store does not take is told later, by [`refused`].
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if !path.starts_with(KEPT) {
        download(&name_of(path), bytes);
        return Ok(());
    }
    keep(&name_of(path), bytes);
    let file = File { bytes: Ok(bytes.to_vec()), when: now() };
    with(|browser| browser.files.insert(path.to_owned(), file));
    Ok(())
}

/// Folders need not be made.
///
/// # Errors
/// Never.
pub fn make_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Files of a folder.
#[must_use]
pub fn list(folder: &Path) -> Vec<PathBuf> {
    with(|browser| browser.files.keys().filter(|path| path.parent() == Some(folder)).cloned().collect())
}

/// When a file was last kept; nobody else writes to what was dropped or downloaded.
#[must_use]
pub fn modified(path: &Path) -> Option<SystemTime> {
    let when = with(|browser| browser.files.get(path).map(|file| file.when));
    when.filter(|_| path.starts_with(KEPT))
}

/// Take a file away.
pub fn remove(path: &Path) {
    if with(|browser| browser.files.remove(path)).is_some() && path.starts_with(KEPT) {
        forget(&name_of(path));
    }
}

/// The number of this page among those that are open.
#[must_use]
pub fn this_process() -> u32 {
    with(|browser| browser.process)
}

/// A page is known by its number: it holds nothing else.
#[derive(Debug)]
pub struct Held;

/// Nothing is to be done.
///
/// # Errors
/// Never.
pub fn hold(_path: &Path) -> io::Result<Option<Held>> {
    Ok(Some(Held))
}

/// Whether a page of that number was open when this one began.
#[must_use]
pub fn is_held(_path: &Path, process: u32) -> bool {
    with(|browser| browser.running.contains(&process))
}

/// Now.
#[must_use]
pub fn now() -> SystemTime {
    web_time::SystemTime::now().to_std()
}

/// Work when the next frame has been drawn: a page has one thread, and stands still meanwhile.
pub fn spawn(work: impl FnOnce() + 'static) {
    later(Closure::<dyn FnMut()>::once_into_js(work));
}

/// Work that waits for the graphics adapter, between frames; it begins after the next one.
pub fn spawn_drawing(work: impl AsyncFnOnce() + 'static) {
    spawn(move || wasm_bindgen_futures::spawn_local(async move { work().await }));
}

/// A page may not wait for what the adapter says of it: the window is told.
///
/// # Errors
/// None here.
pub fn drawn<T>(_device: &wgpu::Device, draw: impl FnOnce() -> T) -> Result<T, wgpu::Error> {
    Ok(draw())
}

/// A page may not wait: what is asked for comes after one of the next frames.
pub fn finish(_device: &wgpu::Device) {}

/// What the store kept from earlier pages; `when` is in seconds since 1970.
pub fn put(name: &str, bytes: Vec<u8>, when: f64) {
    let when = Duration::try_from_secs_f64(when).unwrap_or_default();
    let file = File { bytes: Ok(bytes), when: SystemTime::UNIX_EPOCH + when };
    with(|browser| browser.files.insert(Path::new(KEPT).join(name), file));
}

/// This page and others that are open, by number.
pub fn set_processes(this: u32, others: &[u32]) {
    with(|browser| (browser.process, browser.running) = (this, others.iter().copied().collect()));
}

/// The store took nothing, and why; none once it takes it again.
pub fn refuse(message: Option<String>) {
    with(|browser| browser.refused = message);
}

/// Why the store took nothing the last time, if it did not.
#[must_use]
pub fn refused() -> Option<String> {
    with(|browser| browser.refused.clone())
}

/// Files were dropped or chosen together. Those that arrived before are gone, but for templates: they are read when a
/// character is fitted.
pub fn arrive(files: Vec<(String, Result<Vec<u8>, String>)>) {
    let opens = |path: &Path| [Kind::CHARACTER, Kind::MOTION, Kind::TEMPLATE].iter().any(|kind| kind.has(path));
    with(|browser| {
        browser.files.retain(|path, _| path.starts_with(KEPT) || Kind::TEMPLATE.has(path));
        let paths: Vec<_> = files.iter().map(|(name, _)| PathBuf::from(name)).collect();
        // buffers and pictures are read when what they belong to is
        let any = paths.iter().any(|path| opens(path));
        browser.arrived.extend(paths.iter().filter(|path| !any || opens(path)).cloned());
        let when = SystemTime::UNIX_EPOCH;
        browser.files.extend(paths.into_iter().zip(files).map(|(path, (_, bytes))| (path, File { bytes, when })));
    });
}

/// What arrived since this was last asked.
#[must_use]
pub fn take_arrived() -> Vec<PathBuf> {
    with(|browser| std::mem::take(&mut browser.arrived))
}

/// Whether files can be dropped on the page.
#[must_use]
pub fn takes_drops() -> bool {
    true
}

/// Work that would be shared out among cores: a page has one thread.
pub fn in_pool<R>(work: impl FnOnce() -> R) -> R {
    work()
}
