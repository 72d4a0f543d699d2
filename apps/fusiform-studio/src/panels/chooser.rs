//! The chooser: a file or a place for one, in the window itself, since not every system has a dialog for it.
//!
//! ```text
//! chooser: Option<Chooser>                                       kept by whoever asks
//!
//! self.chooser = Some(Chooser::open(Kind::TEMPLATE));            a file that is there
//! self.chooser = Some(Chooser::save(Kind::PICTURE, "hero.png")); a place for one: folder and name to begin with;
//!                                                                an ending is added, and replacing is asked about
//! .in_folder(folder)                                             another folder to begin in
//!
//! if let Some(path) = Chooser::chosen(&mut self.chooser, ui.ctx()) { … }     every frame, at the end of it;
//!                                                                the chooser is gone once something is chosen or not
//! ```
//!
//! [`Chooser::show`] is the same with a word about what was not chosen. Folders that were chosen from lately are offered
//! to every chooser of the window.

mod draw;

use crate::model::system::{self, Instant};
use crate::model::{Entry, Fault, Folder, Kind, home};
use egui::{Context, Id, Key, Modifiers};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Recent folders that are offered.
const MOST_FOLDERS: usize = 8;
/// How often it is seen whether something came or went.
const FRESH: Duration = Duration::from_secs(1);

/// A file is chosen, or a place for one.
#[derive(Debug)]
pub struct Chooser {
    kind: Kind,
    title: String,
    saves: bool,
    begin: Option<PathBuf>,
    folder: Option<Folder>, // none before it is first shown
    seen: Instant,
    typed: String,
    wanted: String, // what was typed to be searched for, in small letters: a row that is clicked widens no list
    marked: Option<usize>, // of the folder's entries
    all: bool,
    hidden: bool,
    replaces: Option<PathBuf>,
    new_folder: Option<String>,
    fault: Option<Fault>,
    wants_focus: bool,
    wants_sight: bool, // what is marked may be out of sight
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// This file, or this place.
    Path(PathBuf),
    /// Nothing.
    Cancelled,
}

impl Chooser {
    /// Choose a file that is there.
    #[must_use]
    pub fn open(kind: Kind) -> Self {
        let title = format!("Open a {}", kind.name);
        Self::new(kind, title, false)
    }

    /// Choose a place to save to. The folder of what is suggested is where it begins, if it has one.
    #[must_use]
    pub fn save(kind: Kind, suggested: impl AsRef<Path>) -> Self {
        let suggested = suggested.as_ref();
        let mut made = Self::new(kind, format!("Save the {}", kind.name), true);
        made.typed = suggested.file_name().unwrap_or_default().to_string_lossy().into_owned();
        made.begin = suggested.parent().filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_owned);
        made
    }

    fn new(kind: Kind, title: String, saves: bool) -> Self {
        Self {
            kind,
            title,
            saves,
            begin: None,
            folder: None,
            seen: Instant::now(),
            typed: String::new(),
            wanted: String::new(),
            marked: None,
            all: false,
            hidden: false,
            replaces: None,
            new_folder: None,
            fault: None,
            wants_focus: true,
            wants_sight: false,
        }
    }

    /// Begin in that folder.
    #[must_use]
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.begin = Some(folder.into());
        self
    }

    /// Show what is asked for, if anything is; once something is chosen, that. It is gone once it has been answered.
    pub fn chosen(asked: &mut Option<Self>, context: &Context) -> Option<PathBuf> {
        let choice = asked.as_mut()?.show(context)?;
        *asked = None;
        match choice {
            Choice::Path(path) => Some(path),
            Choice::Cancelled => None,
        }
    }

    /// Offer a folder to every chooser of this window.
    pub fn remember(context: &Context, folder: &Path) {
        let mut folders = recent(context).to_vec();
        folders.retain(|other| other != folder);
        folders.insert(0, folder.to_owned());
        folders.truncate(MOST_FOLDERS);
        context.data_mut(|data| data.insert_temp(Id::unique("recent folders"), Arc::<[PathBuf]>::from(folders)));
    }

    /// Offer the folders of these files, where none have been chosen from yet.
    pub fn offer(context: &Context, files: &[PathBuf]) {
        if recent(context).is_empty() {
            let folders = files.iter().rev().filter_map(|file| file.parent()).filter(|folder| folder.is_dir());
            folders.for_each(|folder| Self::remember(context, folder));
        }
    }

    /// Draw it over everything else; what came of it, once something did.
    pub fn show(&mut self, context: &Context) -> Option<Choice> {
        if !system::HAS_FOLDERS && self.saves {
            return Some(Choice::Path(self.kind.named(PathBuf::from(&self.typed)))); // it leaves as a download
        }
        self.refresh(context);
        let mut choice = if self.replaces.is_none() { self.keys(context) } else { None };
        let shown = egui::Modal::new(Id::unique("chooser")).show(context, |ui| {
            let size = ui.ctx().content_rect().size();
            ui.set_width((size.x - 80.0).clamp(280.0, 720.0));
            ui.heading(&self.title);
            self.bar(ui, context);
            let height = (size.y - 280.0).clamp(80.0, 340.0);
            let listed = self.body(ui, context, height);
            listed.or(self.name(ui))
        });
        choice = choice.or(shown.inner);
        let escapes = || context.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
        if choice.is_none() && shown.is_top_modal && !shown.any_popup_open && escapes() {
            // out of the question first, then out of it all
            choice = if self.replaces.take().is_some() || self.new_folder.take().is_some() {
                None
            } else {
                Some(Choice::Cancelled)
            };
        }
        if let (Some(Choice::Path(_)), Some(folder)) = (&choice, &self.folder) {
            Self::remember(context, &folder.path);
        }
        choice
    }

    /// Read the folder that it begins in, or again the one it shows when something came or went.
    fn refresh(&mut self, context: &Context) {
        if let Some(folder) = &self.folder {
            if self.seen.elapsed() > FRESH && folder.is_stale() {
                let (path, marked) = (folder.path.clone(), self.marked.map(|at| folder.entries[at].path.clone()));
                let wanted = self.wanted.clone();
                self.go(&path);
                self.wanted = wanted;
                let entries = self.folder.iter().flat_map(|folder| &folder.entries);
                self.marked = entries.enumerate().find(|(_, of)| Some(&of.path) == marked.as_ref()).map(|(at, _)| at);
            }
            return;
        }
        let lately = recent(context).first().cloned();
        let here = std::env::current_dir().unwrap_or_default();
        for folder in [self.begin.clone(), lately, home(), Some(here), Some("/".into())].into_iter().flatten() {
            self.go(&folder);
            if self.folder.is_some() {
                return;
            }
        }
    }

    /// Show another folder; one that cannot be read is told, and the old one stays.
    fn go(&mut self, path: &Path) {
        match Folder::read(path) {
            Ok(folder) => {
                (self.folder, self.marked, self.seen) = (Some(folder), None, Instant::now());
                (self.fault, self.wants_focus, self.wants_sight) = (None, true, true);
                if self.typed.trim().to_lowercase() != self.wanted {
                    self.wanted.clear(); // nobody sees any more what was searched for
                }
            }
            Err(fault) => self.fault = Some(fault),
        }
    }

    fn go_up(&mut self) {
        let up = self.folder.as_ref().and_then(|folder| folder.path.parent()).map(Path::to_owned);
        if let Some(up) = up {
            self.go(&up);
        }
    }

    /// What is typed is searched for: a path is not, nor the name of a new file.
    fn search(&mut self) {
        let searches = !self.saves && !self.typed.contains(['/', '\\', '~']);
        self.wanted = if searches { self.typed.trim().to_lowercase() } else { String::new() };
    }

    /// Entries that are shown.
    fn rows(&self) -> Vec<usize> {
        let Some(folder) = &self.folder else { return Vec::new() };
        let is_shown = |entry: &Entry| {
            (entry.is_folder || self.all || self.kind.has(&entry.path))
                && (self.hidden || !entry.is_hidden())
                && entry.label.to_lowercase().contains(&self.wanted)
        };
        (0..folder.entries.len()).filter(|&at| is_shown(&folder.entries[at])).collect()
    }

    /// Arrows mark, return takes, alt and up leads to the folder above.
    fn keys(&mut self, context: &Context) -> Option<Choice> {
        let focused = context.memory(|memory| memory.focused());
        if focused.is_some_and(|id| id != name_id()) {
            return None; // a button, or the name of a new folder
        }
        let pressed = |modifiers, key| context.input_mut(|input| input.consume_key(modifiers, key));
        if pressed(Modifiers::ALT, Key::ArrowUp) {
            self.go_up();
        }
        let rows = self.rows();
        let step =
            i32::from(pressed(Modifiers::NONE, Key::ArrowDown)) - i32::from(pressed(Modifiers::NONE, Key::ArrowUp));
        if step != 0 && !rows.is_empty() {
            let at = rows.iter().position(|row| Some(*row) == self.marked);
            let next = at.map_or(0, |at| (at as i32 + step).clamp(0, rows.len() as i32 - 1) as usize);
            self.mark(rows[next]);
            self.wants_sight = true;
        }
        if pressed(Modifiers::NONE, Key::Enter) { self.take() } else { None }
    }

    fn mark(&mut self, at: usize) {
        let Some(entry) = self.folder.as_ref().and_then(|folder| folder.entries.get(at)) else { return };
        self.marked = Some(at);
        if !entry.is_folder {
            self.typed.clone_from(&entry.label);
        }
    }

    /// Go into the folder that is meant, or choose the file.
    fn take(&mut self) -> Option<Choice> {
        self.fault = None;
        let folder = self.folder.as_ref()?;
        // by its entry where there is one: not every name can be typed
        let path = match self.marked.and_then(|at| folder.entries.get(at)) {
            Some(entry) => entry.path.clone(),
            None if self.typed.trim().is_empty() => return None,
            None => folder.resolve(&self.typed),
        };
        if path.is_dir() {
            self.go(&path);
            if !self.saves {
                self.typed.clear();
                self.wanted.clear();
            }
            return None;
        }
        if self.saves { self.take_place(path) } else { self.take_file(path) }
    }

    fn take_file(&mut self, path: PathBuf) -> Option<Choice> {
        if path.exists() {
            return Some(Choice::Path(path));
        }
        let cure = "choose one that is listed, or mend the name".into();
        self.fault = Some(Fault { file: path.display().to_string(), message: "it is not there".into(), cure });
        None
    }

    fn take_place(&mut self, path: PathBuf) -> Option<Choice> {
        let path = self.kind.named(path);
        if path.is_dir() {
            let cure = "choose another name".into();
            self.fault = Some(Fault { file: path.display().to_string(), message: "it is a folder".into(), cure });
        } else if path.exists() {
            self.replaces = Some(path);
        } else if path.parent().is_some_and(|folder| !folder.is_dir()) {
            let message = "there is no such folder".into();
            let cure = "make it with New folder, or choose another".into();
            self.fault = Some(Fault { file: path.display().to_string(), message, cure });
        } else {
            return Some(Choice::Path(path));
        }
        None
    }
}

fn name_id() -> Id {
    Id::unique("chooser name")
}

fn recent(context: &Context) -> Arc<[PathBuf]> {
    context.data(|data| data.get_temp(Id::unique("recent folders"))).unwrap_or_else(|| Arc::from([]))
}
