//! The window on a desktop.

use fusiform_studio::app::{App, Begin, Watcher, graphics};
use fusiform_studio::model::Recovery;
use std::ffi::{OsStr, OsString};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

const HELP: &str = "The interactive window: place, shape, paint, play, export

Usage: fusiform-studio [FILE]

Arguments:
  [FILE]  A .glb or .gltf file, `athlete`, or `athlete:VERTICES`; without it the window offers what there is";

fn begin(argument: Option<&OsStr>) -> Result<Begin, String> {
    let Some(argument) = argument else { return Ok(Begin::Empty) };
    // not every name of a file is text
    let Some(text) = argument.to_str() else { return Ok(Begin::File(argument.into())) };
    match text.strip_prefix("athlete") {
        Some("") => Ok(Begin::Athlete(None)),
        Some(rest) if rest.starts_with(':') => {
            let count = rest[1..].parse().map_err(|_| format!("{:?} is not a count of vertices", &rest[1..]))?;
            Ok(Begin::Athlete(Some(count)))
        }
        _ if text.starts_with('-') => Err(format!("there is no option {text}")),
        _ => Ok(Begin::File(text.into())),
    }
}

pub fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let begin = match begin(arguments.first().map(OsString::as_os_str)) {
        Ok(begin) if arguments.len() < 2 => begin,
        Ok(_) => return wrong("it takes one file"),
        Err(message) => return wrong(&message),
    };
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default().with_inner_size([1280.0, 800.0]).with_drag_and_drop(true),
        renderer: eframe::Renderer::Wgpu,
        wgpu_options: graphics(),
        ..eframe::NativeOptions::default()
    };
    let recovery = Recovery::of_this_user();
    let made: eframe::AppCreator<'static> = Box::new(move |context| {
        OPEN.store(true, Ordering::Relaxed);
        if let Some(path) = std::env::var_os("FUSIFORM_STUDIO_WATCH").map(PathBuf::from) {
            // nobody to tell where it cannot be written
            Watcher::begin(&context.egui_ctx, move |text| _ = replace(&path, text));
        }
        let is_kept = recovery.is_some();
        let mut app = App::new(context.wgpu_render_state.clone(), &begin, recovery);
        if !is_kept {
            app.tell_unkept();
        }
        Ok(Box::new(app))
    });
    hush();
    match catch_unwind(AssertUnwindSafe(|| eframe::run_native("fusiform studio", options, made))) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => no_window(&error.to_string()),
        Err(panic) if OPEN.load(Ordering::Relaxed) => resume_unwind(panic),
        Err(panic) => no_window(panic.downcast_ref::<String>().map_or("a library is missing", |why| why)),
    }
}

/// Whole for whoever reads it meanwhile; it need not outlive the machine, and frames do not wait for a disk.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let new = path.with_extension("new");
    std::fs::write(&new, text)?;
    std::fs::rename(new, path)
}

/// Whether there is a window.
static OPEN: AtomicBool = AtomicBool::new(false);

/// Until there is a window a panic means that a library is not there (xkbcommon-dl ends so): that is told in our words.
fn hush() {
    let usual = take_hook();
    set_hook(Box::new(move |panic| {
        if OPEN.load(Ordering::Relaxed) {
            usual(panic);
        }
    }));
}

fn no_window(why: &str) -> ExitCode {
    // before the reason itself stands where in its own source somebody found it
    eprintln!("error: no window can be opened: {}", why.rsplit(": ").next().unwrap_or(why));
    eprintln!(
        "cure: it needs a display and a graphics driver; on Debian and Ubuntu: apt install libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0 mesa-vulkan-drivers"
    );
    ExitCode::FAILURE
}

fn wrong(message: &str) -> ExitCode {
    eprintln!("error: {message}\n\n{HELP}");
    ExitCode::from(2)
}
