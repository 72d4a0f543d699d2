//! The window on a desktop.

use fusiform_studio::app::{App, Begin, Watcher};
use fusiform_studio::model::{Recovery, write_whole};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::ExitCode;

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
        ..eframe::NativeOptions::default()
    };
    let recovery = Recovery::of_this_user();
    let run = eframe::run_native(
        "fusiform studio",
        options,
        Box::new(move |context| {
            if let Some(path) = std::env::var_os("FUSIFORM_STUDIO_WATCH").map(PathBuf::from) {
                // nobody to tell where it cannot be written
                Watcher::begin(&context.egui_ctx, move |text| _ = write_whole(&path, text.as_bytes()));
            }
            Ok(Box::new(App::new(context.wgpu_render_state.clone(), &begin, recovery)))
        }),
    );
    match run {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // before the reason itself stands where in its own source somebody found it
            let error = error.to_string();
            eprintln!("error: no window can be opened: {}", error.rsplit(": ").next().unwrap_or(&error));
            eprintln!(
                "cure: it needs a display and a graphics driver; on Debian and Ubuntu: apt install libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0 mesa-vulkan-drivers"
            );
            ExitCode::FAILURE
        }
    }
}

fn wrong(message: &str) -> ExitCode {
    eprintln!("error: {message}\n\n{HELP}");
    ExitCode::from(2)
}
