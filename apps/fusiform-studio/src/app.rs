//! App: the window, frame by frame.

mod drag;
mod files;
mod graphics;
mod incoming;
mod session;
mod settings;
mod under_way;
mod watch;
mod widgets;

use crate::model::{Fault, Project, Recent, Recovered, Recovery, Watch, system};
use crate::panels::keys::{self, Command};
use crate::panels::{Wish, bars, start};
use crate::view::Refused;
use eframe::egui_wgpu::RenderState;
use egui::{Context, SurrenderFocusOn, Ui};
use files::Pending;
use serde::Serialize;
use settings::Settings;
use std::path::PathBuf;
use std::time::Duration;
use under_way::{UnderWay, With};

pub use graphics::graphics;
pub use session::Session;
pub use watch::Watcher;
#[cfg(target_arch = "wasm32")]
pub(crate) use watch::watched;
#[cfg(target_arch = "wasm32")]
pub(crate) use widgets::{Widget, seen};

/// What to begin with.
#[derive(Clone, Debug, Default)]
pub enum Begin {
    /// Nothing: the window offers what there is.
    #[default]
    Empty,
    /// The built-in character, with so many vertices.
    Athlete(Option<usize>),
    /// A file.
    File(PathBuf),
}

/// What a window is at.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Seen {
    /// The open session.
    pub session: Option<Watch>,
    /// What the window says is wrong.
    pub fault: Option<String>,
    /// Names of what it offers to bring back.
    pub left_behind: Vec<String>,
    /// What is being opened or saved.
    pub under_way: Option<String>,
    /// What solving and all of the last frame took, ms.
    pub times: [f32; 2],
}

/// The window.
pub struct App {
    session: Option<Session>,
    recovery: Option<Recovery>,
    left_behind: Vec<Recovered>,
    fault: Option<Fault>,
    unkept: Option<Fault>, // told once more with the first file: opening one takes away what is told
    state: Option<RenderState>,
    refused: Option<Refused>,
    recent: Recent,
    settings: Settings,
    pending: Pending,
    under_way: UnderWay,
    heard: [usize; 2], // of the warnings of the file, and of edits
    dressed: bool,
    help: bool, // the list of keys, while nothing is open
}

impl App {
    /// Begin. A character is opened beside the window, which says so until it is there.
    #[must_use]
    pub fn new(state: Option<RenderState>, begin: &Begin, recovery: Option<Recovery>) -> Self {
        let left_behind = recovery.as_ref().map(Recovery::left_behind).unwrap_or_default();
        let folder = recovery.as_ref().filter(|_| system::HAS_FOLDERS).map(Recovery::folder);
        let recent = Recent::in_folder(folder);
        let settings = Settings::in_folder(recovery.as_ref().map(Recovery::folder));
        let (pending, under_way) = (Pending::default(), UnderWay::default());
        let refused = state.as_ref().map(|state| Refused::by(&state.device));
        let mut app = Self {
            session: None,
            recovery,
            left_behind,
            fault: None,
            unkept: None,
            state,
            refused,
            recent,
            settings,
            pending,
            under_way,
            heard: [0; 2],
            dressed: false,
            help: false,
        };
        match begin {
            Begin::Empty => {}
            Begin::Athlete(vertices) => {
                let vertices = *vertices;
                app.begin("the athlete", move || Project::athlete(vertices), With::default());
            }
            Begin::File(path) => app.open_file(path.clone(), With::default()),
        }
        app
    }

    /// There is nowhere to keep unsaved work, which people should know before they have any.
    pub fn tell_unkept(&mut self) {
        self.unkept = Some(Fault {
            file: "the studio".into(),
            message: "unsaved work is not kept: this system names no folder for it".into(),
            cure: "save often, or set HOME or FUSIFORM_STATE_DIR to a folder that can be written to".into(),
        });
        self.fault.clone_from(&self.unkept);
    }

    /// The open session.
    #[must_use]
    pub fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// The open session, to work on.
    pub fn session_mut(&mut self) -> Option<&mut Session> {
        self.session.as_mut()
    }

    /// What it draws with; none where there is no graphics adapter.
    #[must_use]
    pub fn render_state(&self) -> Option<&RenderState> {
        self.state.as_ref()
    }

    /// What is wrong, if anything.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref().or(self.session.as_ref().and_then(|session| session.studio.fault.as_ref()))
    }

    /// What the window is at, for those who look from outside.
    #[must_use]
    pub fn watch(&self) -> Seen {
        self.watch_after(None)
    }

    /// Likewise, with what was seen last, so that a document that is still the same is not read again.
    fn watch_after(&self, last: Option<&Watch>) -> Seen {
        Seen {
            session: self.session.as_ref().map(|session| Watch::after(&session.studio, last)),
            fault: self.fault().map(ToString::to_string),
            left_behind: self.left_behind.iter().map(|recovered| recovered.name.clone()).collect(),
            under_way: self.under_way().map(ToOwned::to_owned),
            times: self.session.as_ref().map(Session::times).unwrap_or_default(),
        }
    }

    fn take_dropped(&mut self, ui: &Ui) {
        let dropped = incoming::incoming(ui);
        if self.is_asking() {
            return; // one thing at a time
        }
        self.take_files(dropped);
    }

    /// Nothing is open.
    fn start(&mut self, ui: &mut Ui, wishes: &mut Vec<Wish>) {
        let pressed = keys::pressed(ui);
        self.help ^= pressed.contains(&Command::Help);
        wishes.extend(pressed.into_iter().filter_map(Wish::of).filter(Wish::needs_no_file));
        egui::Panel::top("menus").show(ui, |ui| start::menus(ui, &self.recent, &mut self.help, wishes));
        egui::CentralPanel::default().show(ui, |ui| {
            if self.under_way.opens() {
                return; // nothing is offered that would be gone a moment later
            }
            start::show(ui, &self.recent, &self.left_behind, self.pending.template(), wishes);
        });
    }

    /// What has happened to files, and what there is to say of them.
    fn bars(&mut self, ui: &mut Ui, wishes: &mut Vec<Wish>) {
        let on_disk = self.look_at_disk();
        if let Some(session) = &self.session {
            bars::left_behind(ui, &self.left_behind, wishes);
            bars::on_disk(ui, &session.studio.project.file_name(), on_disk, wishes);
            let told = [&session.studio.project.warnings, &session.studio.guessed];
            let new = |i: usize| told[i].get(self.heard[i]..).unwrap_or_default();
            if bars::warnings(ui, &[new(0), new(1)].concat()) {
                self.heard = told.map(Vec::len);
            }
        }
    }

    /// Whatever was wrong is no longer of interest.
    fn forget_fault(&mut self) {
        self.fault = None;
        if let Some(session) = &mut self.session {
            session.studio.fault = None;
        }
    }

    fn tell(&mut self, ui: &mut Ui) {
        let of_session = self.session.as_mut().map(|session| &mut session.studio.fault);
        let told = [Some(&mut self.fault), of_session].into_iter().flatten().filter(|fault| fault.is_some());
        bars::faults(ui, told.collect());
    }
}

impl App {
    /// A frame of the whole window.
    pub fn show(&mut self, ui: &mut Ui) {
        let mut wishes = Vec::new();
        if !std::mem::replace(&mut self.dressed, true) {
            dress(ui.ctx());
            self.settings.dress(ui.ctx());
        }
        self.take_dropped(ui);
        self.fault = self.refused.as_ref().and_then(Refused::take).or(self.fault.take());
        self.tell(ui);
        self.bars(ui, &mut wishes);
        match &mut self.session {
            Some(session) => session.show(ui, self.state.as_ref(), &self.recent, &mut wishes),
            None => self.start(ui, &mut wishes),
        }
        wishes.into_iter().for_each(|wish| self.wish(wish, ui.ctx()));
        self.ask(ui.ctx());
        self.tend(ui.ctx());
        if !self.is_asking() {
            bars::hovering(ui.ctx());
        }
        self.settings.heed(ui.ctx(), self.session.as_ref().map(|session| session.viewport.mouse));
        watch::leave(ui.ctx(), self);
    }
}

/// How everything looks that no theme says.
fn dress(context: &Context) {
    // beside what is scrolled and not over it: a bar that grows under the mouse would take the clicks of what is below
    context.all_styles_mut(|style| style.spacing.scroll.floating_allocated_width = style.spacing.scroll.bar_width);
    // what is typed counts as soon as the mouse goes down elsewhere: at the end of a click its field may be gone, and a drag
    // in the view is no click
    context.options_mut(|options| options.input_options.surrender_focus_on = SurrenderFocusOn::Presses);
}

impl eframe::App for App {
    /// What goes on where nobody looks, in a window that is minimised or covered, too: unsaved work is looked after, and what
    /// is asked before it closes is asked.
    fn logic(&mut self, context: &Context, _frame: &mut eframe::Frame) {
        if let Some(session) = &mut self.session {
            session.studio.look_after();
        }
        self.hold_window(context);
        self.name_window(context);
        // the file is looked at, too, when nothing moves
        context.request_repaint_after(Duration::from_millis(500));
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
    }

    #[cfg(target_arch = "wasm32")]
    fn as_any_mut(&mut self) -> Option<&mut dyn std::any::Any> {
        Some(self) // the page around it looks at it
    }

    fn on_exit(&mut self) {
        let nobody_asked = self.is_unsaved() && !self.leaves();
        if let Some(session) = &mut self.session {
            if nobody_asked { session.studio.leave() } else { session.studio.close() }
        }
    }
}
