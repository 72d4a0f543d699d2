//! A whole sitting in a real window, by mouse and keyboard: under Xvfb, with xdotool. Skips loudly where they are not there.

use fusiform_files::gltf::Gltf;
use fusiform_studio::model::Project;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Longest that anything may take; the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(300);
/// After so long it is tried again.
const AGAIN: Duration = Duration::from_secs(10);

/// A display nobody sees; gone with this.
struct Display {
    server: Child,
    name: String,
}

/// The studio on it; gone with this.
struct Sitting<'a> {
    display: &'a Display,
    studio: Child,
    watch: PathBuf,
}

/// Where what says that is, if it can be used: left, top, right, bottom.
fn place_of(seen: &Value, role: &str, label: &str) -> Option<[f64; 4]> {
    let fits = |of: &&Value| of["name"] == label && of["role"] == role && of["enabled"] == true;
    let found = seen["widgets"].as_array()?.iter().find(fits)?;
    let number = |i: usize| found["place"].get(i).and_then(Value::as_f64);
    Some([number(0)?, number(1)?, number(2)?, number(3)?])
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begin.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

impl Display {
    /// On a number that is free; none where there is no Xvfb.
    fn open(folder: &Path) -> Option<Self> {
        if !is_there("Xvfb") || !is_there("xdotool") {
            return None;
        }
        let number = folder.join("display");
        let file = std::fs::File::create(&number).ok()?;
        let mut server = Command::new("Xvfb");
        // keys that are held do not repeat: let go late, they would write twice
        server.args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-r"]);
        let server = server.stdout(file).stderr(Stdio::null()).spawn().ok()?;
        let name = wait_for("a display", || {
            let text = std::fs::read_to_string(&number).ok()?;
            text.trim().parse::<u32>().ok().map(|n| format!(":{n}"))
        });
        Some(Self { server, name })
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Drop for Sitting<'_> {
    fn drop(&mut self) {
        let _ = self.studio.kill();
        let _ = self.studio.wait();
    }
}

impl<'a> Sitting<'a> {
    /// Start the program on a file; none where there is nothing to draw with.
    fn begin(display: &'a Display, folder: &Path, file: &Path) -> Option<Self> {
        let watch = folder.join("watch.json");
        let _ = std::fs::remove_file(&watch);
        let mut studio = Command::new(env!("CARGO_BIN_EXE_fusiform-studio"));
        studio.arg(file).env("DISPLAY", &display.name).env_remove("WAYLAND_DISPLAY");
        studio.env("XDG_RUNTIME_DIR", folder).env("FUSIFORM_STATE_DIR", folder.join("state"));
        let errors = std::fs::File::create(folder.join("errors")).ok()?;
        let mut studio = studio.env("FUSIFORM_STUDIO_WATCH", &watch).stderr(errors).spawn().ok()?;
        let opened = wait_for("the window", || match studio.try_wait() {
            Ok(None) => watch.exists().then_some(true),
            _ => Some(false),
        });
        if !opened {
            eprintln!("{}", std::fs::read_to_string(folder.join("errors")).unwrap_or_default());
            return None;
        }
        let sitting = Self { display, studio, watch };
        sitting.until("the file", |session| session["document"].is_string());
        Some(sitting)
    }

    /// Do with mouse or keyboard.
    fn ask(&self, arguments: &[&str]) -> Option<String> {
        let told = Command::new("xdotool").args(arguments).env("DISPLAY", &self.display.name).output().ok()?;
        let text = String::from_utf8_lossy(&told.stdout).into_owned();
        (told.status.success() && (arguments[0] != "search" || !text.is_empty())).then_some(text)
    }

    fn seen(&self) -> Option<Value> {
        serde_json::from_str(&std::fs::read_to_string(&self.watch).ok()?).ok()
    }

    fn session(&self, key: &str) -> Value {
        self.seen().map_or(Value::Null, |seen| seen["window"]["session"][key].clone())
    }

    /// Whether the window becomes so in that time.
    fn becomes(&self, patience: Duration, is_so: impl Fn(&Value) -> bool) -> bool {
        let begin = Instant::now();
        while begin.elapsed() < patience {
            if self.seen().is_some_and(|seen| is_so(&seen)) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        false
    }

    /// Wait until the session is so.
    fn until(&self, what: &str, is_so: impl Fn(&Value) -> bool) {
        if !self.becomes(PATIENCE, |seen| is_so(&seen["window"]["session"])) {
            self.give_up(what);
        }
    }

    fn give_up(&self, what: &str) -> ! {
        self.look("sitting_waits");
        panic!("waited in vain for {what}: {:?}", self.seen().map(|seen| seen["window"]["session"].clone()));
    }

    /// Do it until the session is so: on a machine so busy that a frame takes a second, a click may pass for a press, and
    /// what is dragged for a click.
    fn until_done(&self, what: &str, act: impl Fn(), is_so: impl Fn(&Value) -> bool) {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            act();
            if self.becomes(AGAIN, |seen| is_so(&seen["window"]["session"])) {
                return;
            }
        }
        self.give_up(what);
    }

    /// Click until the window is so. What was clicked may be gone, or may not be clicked again, long before it is.
    fn click_until(&self, (role, label): (&str, &str), is_so: impl Fn(&Value) -> bool) {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            self.becomes(AGAIN, |seen| is_so(seen) || place_of(seen, role, label).is_some());
            let Some(seen) = self.seen() else { continue };
            if is_so(&seen) {
                return;
            }
            if let Some(place) = place_of(&seen, role, label) {
                self.click(place);
                self.becomes(AGAIN, &is_so);
            }
        }
        self.give_up(label);
    }

    /// Write it into what is for searching, until the list has a row of that name.
    fn search(&self, text: &str, row: &str) {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            self.click_until(("TextInput", "Search"), |seen| seen["focus"] == "Search");
            self.key("ctrl+a");
            self.write(text);
            if self.becomes(AGAIN, |seen| place_of(seen, "Button", row).is_some()) {
                return;
            }
        }
        self.give_up(row);
    }

    fn find(&self, role: &str, label: &str) -> [f64; 4] {
        if !self.becomes(PATIENCE, |seen| place_of(seen, role, label).is_some()) {
            self.look("sitting_waits");
        }
        let place = self.seen().as_ref().and_then(|seen| place_of(seen, role, label));
        place.unwrap_or_else(|| panic!("nothing says {label:?} in the window"))
    }

    fn go(&self, x: f64, y: f64) {
        self.ask(&["mousemove", &format!("{x:.0}"), &format!("{y:.0}"), "sleep", "0.3"]);
    }

    fn click(&self, [x0, y0, x1, y1]: [f64; 4]) {
        self.go(0.5 * (x0 + x1), 0.5 * (y0 + y1));
        self.ask(&["mousedown", "1", "sleep", "0.15", "mouseup", "1", "sleep", "0.3"]);
    }

    /// Press at one place, let go at another, with stops between.
    fn drag(&self, from: [f64; 2], to: [f64; 2]) {
        self.go(from[0], from[1]);
        self.ask(&["mousedown", "1", "sleep", "0.2"]);
        for step in 1..=5 {
            let at = |i: usize| format!("{:.0}", from[i] + (to[i] - from[i]) * f64::from(step) / 5.0);
            self.ask(&["mousemove", &at(0), &at(1), "sleep", "0.15"]);
        }
        self.ask(&["mouseup", "1", "sleep", "0.3"]);
    }

    /// Without a window manager nothing has the keyboard by itself.
    fn take_keyboard(&self) {
        let windows = wait_for("its window", || self.ask(&["search", "--onlyvisible", "--name", "fusiform studio"]));
        self.ask(&["windowfocus", "--sync", windows.lines().next().unwrap_or_default(), "sleep", "0.2"]);
    }

    fn key(&self, key: &str) {
        self.take_keyboard();
        let (held, key) = key.rsplit_once('+').map_or((None, key), |(held, key)| (Some(held), key));
        // pressed at once with the key, what is held may be heard of after it
        if let Some(held) = held {
            self.ask(&["keydown", held, "sleep", "0.1"]);
        }
        self.ask(&["key", key, "sleep", "0.1"]);
        if let Some(held) = held {
            self.ask(&["keyup", held, "sleep", "0.1"]);
        }
    }

    fn write(&self, text: &str) {
        self.take_keyboard();
        self.ask(&["type", "--delay", "60", text]);
    }

    /// Take back, or do again, until there is no more.
    fn all(&self, key: &str, left: &str) {
        while self.session(left).as_u64() > Some(0) {
            let before = self.session("revision");
            self.until_done(left, || self.key(key), |session| session["revision"] != before);
        }
    }

    /// A picture of the whole display to `$FUSIFORM_LOOK/NAME.png`; nothing where that is not set.
    fn look(&self, name: &str) {
        let Some(folder) = std::env::var_os("FUSIFORM_LOOK") else { return };
        let mut import = Command::new("import");
        import.args(["-window", "root"]).arg(Path::new(&folder).join(format!("{name}.png")));
        let _ = import.env("DISPLAY", &self.display.name).status();
    }
}

/// The athlete as somebody who has no muscles yet would bring it.
fn bare_athlete(path: &Path) {
    let athlete = fusiform_athlete::athlete_with(3_700, |_| {}).expect("it grows");
    let bytes = Gltf::from_character(&athlete.character).to_glb().expect("a small file");
    std::fs::write(path, bytes).expect("a temporary folder");
}

#[test]
fn a_whole_sitting_in_a_real_window_ends_in_the_file_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let Some(display) = Display::open(folder.path()) else {
        skipped!("a sitting in a real window: Xvfb or xdotool is not there");
        return;
    };
    let file = folder.path().join("hero.glb");
    bare_athlete(&file);
    let Some(sitting) = Sitting::begin(&display, folder.path(), &file) else {
        skipped!("a sitting in a real window: no window can be opened");
        return;
    };
    let first = sitting.session("document");
    sitting
        .click_until(("Button", "Give it muscles"), |seen| seen["window"]["session"]["n_muscle"].as_u64() > Some(60));
    sitting.search("biceps_brachii_long", "biceps_brachii_long.l");
    sitting.click_until(("Button", "biceps_brachii_long.l"), |seen| {
        seen["window"]["session"]["chosen"][0] == "biceps_brachii_long.l"
    });
    let before = sitting.session("document");
    sitting.find("Label", "biceps_brachii_long.l"); // the inspector has it
    let slide = || {
        let [x0, y0, _, y1] = sitting.find("Slider", "Bulge");
        sitting.drag([x0 + 30.0, 0.5 * (y0 + y1)], [x0 + 75.0, 0.5 * (y0 + y1)]);
    };
    let bulges = |session: &Value| session["document"] != before && session["undoes"] == "Bulge";
    sitting.until_done("another bulge", slide, bulges);
    sitting.look("sitting_bulge");
    sitting.until_done("the brush", || sitting.key("k"), |session| session["tool"] == "Paint");
    let [x0, y0, x1, y1] = sitting.find("Image", "View of the character");
    let place = |x: f64, y: f64| [x0 + x * (x1 - x0), y0 + y * (y1 - y0)];
    let along_the_arm = || sitting.drag(place(0.605, 0.325), place(0.635, 0.37));
    sitting.until_done("a stroke", along_the_arm, |session| session["undoes"] == "Paint");
    sitting.look("sitting_paints");
    sitting.click_until(("Button", "Play a clip"), |seen| seen["window"]["session"]["time"].as_f64() > Some(0.2));
    sitting.look("sitting_plays");
    let last = sitting.session("document");
    sitting.all("ctrl+z", "undo");
    assert_eq!(sitting.session("document"), first, "undoing all leads back");
    sitting.all("ctrl+y", "redo");
    assert_eq!(sitting.session("document"), last, "doing all again leads here");
    sitting.until_done("a saved file", || sitting.key("ctrl+s"), |session| session["is_unsaved"] == false);
    drop(sitting);
    let again = Sitting::begin(&display, folder.path(), &file).expect("the window opened before");
    assert_eq!(again.session("document"), last, "what was saved opens as it was");
    assert!(Project::open(&file).is_ok_and(|(_, muscles)| muscles.muscles.len() > 60));
}
