//! Studio: one session. Everything a person can do is an [`Action`].

use super::motion::{Captured, read_motion};
use super::renumber::{carried, carried_levels, places_after};
use super::{
    Action, Brush, Document, Done, Edit, Fault, Fitter, Fitting, Gesture, History, Keeper, Live, Locks, Look, OnDisk,
    Play, Project, Recovered, Recovery, Saved, Saving, Seen, Show, Target, Tool, leaders,
};
use fusiform::{Muscle, Musculature};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// A session.
#[derive(Debug)]
pub struct Studio {
    /// The file, and the character as the document has it.
    pub project: Project,
    /// The document and how it came about.
    pub history: History,
    /// The character in motion.
    pub live: Live,
    /// Muscles that are chosen.
    pub chosen: BTreeSet<usize>,
    /// The joint that is painted or turned.
    pub joint: Option<usize>,
    /// Muscles that are left out of the picture.
    pub hidden: BTreeSet<usize>,
    /// Meshes that are left out of it, and that nothing is done to in the view.
    pub hidden_meshes: BTreeSet<usize>,
    /// What the view shows.
    pub show: Show,
    /// What is in hand.
    pub tool: Tool,
    /// Whether the other side follows.
    pub mirrored: bool,
    /// What is painted and sculpted with.
    pub brush: Brush,
    /// What painting leaves alone.
    pub locks: Locks,
    /// What is known and done about fitting.
    pub fit: Fitter,
    /// What edits had to guess: told once, and no part of the file.
    pub guessed: Vec<String>,
    /// What to tell people, if anything.
    pub fault: Option<Fault>,
    keeper: Option<Keeper>,
    /// Names of muscles that were hidden when they went: they come back so.
    gone_hidden: BTreeSet<String>,
}

impl Studio {
    /// Begin with a file.
    ///
    /// # Errors
    /// When its muscles do not fit it.
    pub fn new(project: Project, musculature: Musculature, recovery: Option<Recovery>) -> Result<Self, Fault> {
        let bound = Live::new(&project.character, &musculature);
        let live = bound.map_err(|error| Fault::unbound(&project.name, &error))?;
        let mut document = Document::new(&project.character, musculature);
        document.fitting = project.fitting.clone();
        Ok(Self {
            fit: Fitter::new(&project, &document),
            brush: Brush::new(project.character.height()),
            locks: Locks::default(),
            project,
            history: History::new(document),
            live,
            chosen: BTreeSet::new(),
            joint: None,
            hidden: BTreeSet::new(),
            hidden_meshes: BTreeSet::new(),
            show: Show::default(),
            tool: Tool::default(),
            mirrored: true,
            guessed: Vec::new(),
            fault: None,
            keeper: recovery.as_ref().map(Keeper::new),
            gone_hidden: BTreeSet::new(),
        })
    }

    /// The document.
    #[must_use]
    pub fn document(&self) -> &Document {
        self.history.document()
    }

    /// Its muscles.
    #[must_use]
    pub fn muscles(&self) -> &[Muscle] {
        self.document().muscles()
    }

    /// The one muscle that is chosen; of a pair, while the other side follows, the one that leads it.
    #[must_use]
    pub fn leader(&self) -> Option<usize> {
        let leaders = leaders(&self.project, self.muscles(), &self.chosen, self.mirrored);
        leaders.first().copied().filter(|_| leaders.len() == 1)
    }

    /// Triangles of the meshes that are shown, over the rows of positions.
    pub fn shown_triangles(&self) -> impl Iterator<Item = &[u32; 3]> {
        let mut rest = self.live.muscled().0.triangles();
        let lengths = self.project.character.meshes.iter().map(|mesh| mesh.triangles.len());
        let of_meshes = lengths.map(move |n| {
            let (own, others) = rest.split_at(n);
            rest = others;
            own
        });
        let shown = of_meshes.enumerate().filter(|(mesh, _)| !self.hidden_meshes.contains(mesh));
        shown.flat_map(|(_, own)| own)
    }

    /// What is painted: the joint, or else the one muscle that is chosen, or that leads the pair that is.
    #[must_use]
    pub fn painted(&self) -> Option<Target> {
        self.joint.map(Target::Joint).or(self.leader().map(Target::Muscle))
    }

    /// Do it. What cannot be done changes nothing and is told in [`Studio::fault`].
    pub fn apply(&mut self, action: impl Into<Action>) {
        let action = action.into();
        self.go_on_dragging(&action);
        match action {
            Action::Edit(edit, gesture) => self.edit(&edit, gesture),
            Action::Undo => self.travel(History::undo),
            Action::Redo => self.travel(History::redo),
            Action::Play(play) => self.play(play),
            Action::Look(look) => self.look(look),
            Action::Fit(fit) => self.do_fit(fit),
        }
    }

    pub(super) fn edit(&mut self, edit: &Edit, gesture: Option<Gesture>) {
        let Self { project, live, chosen, hidden_meshes, fit, .. } = &*self;
        let seen = Seen { project, live, chosen, hidden_meshes, mirrored: self.mirrored, fit };
        let mut document = self.start_of(edit, gesture);
        match edit.make(seen, &mut document) {
            Ok(done) => self.commit(edit.label(), gesture, document, done),
            Err(fault) => self.fault = Some(fault),
        }
    }

    /// What an edit begins with: a dial that is dragged with what was there before, so that the way there does not matter.
    fn start_of(&self, edit: &Edit, gesture: Option<Gesture>) -> Document {
        let is_dial = matches!(edit, Edit::Dial(..) | Edit::Nth(..) | Edit::TurnPlane(..) | Edit::DragPlane(..));
        let goes_on = is_dial && self.history.undo_label() == Some(edit.label());
        let is_same = |of: &Document| of.muscles().iter().map(|m| &m.name).eq(self.muscles().iter().map(|m| &m.name));
        let before = self.history.before(gesture.filter(|_| goes_on)).filter(is_same);
        before.unwrap_or_else(|| self.document().clone())
    }

    /// Make the document this one; where it is not sound, nothing changes.
    fn commit(&mut self, label: &str, gesture: Option<Gesture>, document: Document, done: Done) {
        let before = self.history.document();
        let places = places_after(before.muscles(), document.muscles());
        if let Err(fault) = follow(&mut self.project, &mut self.live, [before, &document], &places) {
            self.fault = Some(fault);
            return;
        }
        if done.chosen.as_ref().is_some_and(|chosen| !chosen.is_empty()) {
            self.joint = None;
        }
        let n = document.muscles().len();
        let chosen = done.chosen.unwrap_or_else(|| carried(&self.chosen, &places));
        let chosen: BTreeSet<usize> = chosen.into_iter().filter(|&m| m < n).collect();
        let was = std::mem::replace(&mut self.chosen, chosen.clone());
        carry_hidden((&mut self.hidden, &mut self.gone_hidden), before.muscles(), &places);
        self.locks.follow([before.muscles(), document.muscles()], &places);
        let fitting = before.fitting.clone();
        self.history.commit(label, gesture, document, [was, chosen]);
        self.follow_fitting(&fitting);
        self.guessed.extend(done.warnings);
    }

    fn travel(&mut self, step: fn(&mut History) -> Option<BTreeSet<usize>>) {
        let before = self.document().clone();
        let Some(chosen) = step(&mut self.history) else { return };
        let after = self.history.document();
        let places = places_after(before.muscles(), after.muscles());
        let followed = follow(&mut self.project, &mut self.live, [&before, after], &places);
        self.fault = followed.err().or(self.fault.take());
        carry_hidden((&mut self.hidden, &mut self.gone_hidden), before.muscles(), &places);
        self.locks.follow([before.muscles(), after.muscles()], &places);
        let came_back = (0..after.muscles().len()).filter(|m| !places.contains(&Some(*m)));
        self.hidden.extend(came_back.filter(|&m| self.gone_hidden.remove(&after.muscles()[m].name)));
        self.chosen = chosen;
        self.follow_fitting(&before.fitting);
    }

    /// The window of the fit shows what the document says.
    fn follow_fitting(&mut self, before: &Fitting) {
        let now = self.history.document();
        if *before != now.fitting {
            self.fit.recipe.follow([before, &now.fitting], &self.project, now.muscles());
        }
    }

    fn play(&mut self, play: Play) {
        if matches!(play, Play::Clip(_) | Play::Settle | Play::Baked(Some(_))) {
            self.edit(&Edit::Unturn(None), None); // a pose by hand goes with it, and comes back by undo
        }
        let (character, live) = (&self.project.character, &mut self.live);
        match play {
            Play::Clip(clip) => live.choose(character, clip),
            Play::Run(runs) => {
                let ended = live.playing.time >= live.duration(character);
                if runs && ended && live.playing.clip.is_some() {
                    live.seek(character, 0.0);
                }
                live.playing.runs = runs && live.playing.clip.is_some();
            }
            Play::Loop(loops) => live.playing.loops = loops,
            Play::Speed(speed) if speed.is_finite() => live.playing.speed = speed.clamp(0.05, 4.0),
            Play::Seek(time) if time.is_finite() => live.seek(character, time),
            Play::Frames(frames) => {
                let rate = live.playing.rate();
                live.playing.runs = false;
                // the last frame of a bake may be a short one
                let time = live.baked_time_after(frames).unwrap_or(live.playing.time + frames as f32 / rate);
                live.seek(character, time);
            }
            Play::Baked(how) => live.play_baked(character, how),
            Play::Settle => live.settle(character),
            Play::Tense(level) if level.is_finite() => self.tense(level.clamp(0.0, 1.0)),
            Play::Speed(_) | Play::Seek(_) | Play::Tense(_) => {} // no number a hand can mean
        }
    }

    fn tense(&mut self, level: f32) {
        let mut levels = self.live.levels().to_vec();
        levels.resize(self.muscles().len(), 0.0);
        let all = self.chosen.is_empty();
        levels.iter_mut().enumerate().filter(|(m, _)| all || self.chosen.contains(m)).for_each(|(_, l)| *l = level);
        self.live.tense(&self.project.character, levels);
    }

    fn look(&mut self, look: Look) {
        let n = self.muscles().len();
        match look {
            Look::Select(muscle, beside) => self.select(muscle.filter(|&m| m < n), beside),
            Look::Choose(muscles) => self.choose(muscles.into_iter().filter(|&m| m < n).collect()),
            Look::Joint(joint) => {
                self.joint = joint.filter(|&joint| joint < self.project.character.skeleton.joints.len());
            }
            Look::Mirrored(mirrored) => self.mirrored = mirrored,
            Look::Show(show) => self.show = show,
            Look::Hide(muscle, true) if muscle < n => _ = self.hidden.insert(muscle),
            Look::Hide(muscle, _) => _ = self.hidden.remove(&muscle),
            Look::Solo => {
                self.hidden = (0..n).filter(|m| !self.chosen.is_empty() && !self.chosen.contains(m)).collect();
            }
            Look::Unhide => {
                self.hidden.clear();
                self.gone_hidden.clear();
            }
            Look::HideMesh(mesh, true) if mesh < self.project.character.meshes.len() => {
                self.hidden_meshes.insert(mesh);
            }
            Look::HideMesh(mesh, _) => _ = self.hidden_meshes.remove(&mesh),
            Look::Tool(tool) => self.take(tool),
            Look::Brush(brush) => {
                self.brush = brush.within(self.project.character.height()).unwrap_or(self.brush);
            }
            Look::Lock(target, locks) => self.lock(target, locks),
        }
    }

    /// What a tool works on is shown as it comes to hand.
    fn take(&mut self, tool: Tool) {
        self.tool = tool;
        match (tool, self.show) {
            (Tool::Paint, _) => self.show = Show::Weights,
            (Tool::Sculpt, Show::Skin | Show::Weights | Show::Regions) => self.show = Show::Both,
            _ => {}
        }
    }

    fn lock(&mut self, target: Target, locks: bool) {
        let n_joint = self.project.character.skeleton.joints.len();
        match target {
            Target::Joint(joint) if locks && joint < n_joint => _ = self.locks.joints.insert(joint),
            Target::Joint(joint) => _ = self.locks.joints.remove(&joint),
            Target::Muscle(m) => {
                let Some(name) = self.muscles().get(m).map(|muscle| muscle.name.clone()) else { return };
                _ = if locks { self.locks.muscles.insert(name) } else { self.locks.muscles.remove(&name) };
            }
        }
    }

    /// What was chosen last is painted and shown: a muscle takes the place of a joint.
    fn choose(&mut self, muscles: BTreeSet<usize>) {
        if !muscles.is_empty() {
            self.joint = None;
        }
        self.chosen = muscles;
    }

    fn select(&mut self, muscle: Option<usize>, beside: bool) {
        let mut chosen = if beside { self.chosen.clone() } else { BTreeSet::new() };
        if let Some(muscle) = muscle
            && !chosen.insert(muscle)
        {
            chosen.remove(&muscle);
        }
        self.choose(chosen);
    }

    /// What reads a captured motion for the character as its joints are known now, beside the window.
    pub fn motion_reader(&self, path: &Path) -> impl FnOnce() -> Result<Captured, Fault> + Send + use<> {
        let (skeleton, roles) = (self.project.character.skeleton.clone(), self.fit.recipe.roles(&self.fit.found).roles);
        let path = path.to_owned();
        move || read_motion(&path, &skeleton, roles)
    }

    /// Put a captured motion on the character and play it; what cannot be is told in [`Studio::fault`].
    pub fn take_motion(&mut self, read: Result<Captured, Fault>) {
        match read {
            Ok((clip, warnings)) => {
                self.apply(Edit::Motion(clip));
                self.guessed.extend(warnings);
                self.apply(Play::Clip(self.project.character.clips.len().checked_sub(1)));
                self.apply(Play::Run(true));
            }
            Err(fault) => self.fault = Some(fault),
        }
    }

    /// Both, and wait for it.
    pub fn add_motion(&mut self, path: &Path) {
        let read = self.motion_reader(path)();
        self.take_motion(read);
    }

    /// The document as it is now on its way into a file: it is written when and where the caller likes.
    pub fn begin_saving(&mut self, path: &Path) -> Saving {
        self.finish_dragging();
        self.history.begin_saving();
        self.project.saving(self.history.document(), path)
    }

    /// It is written: what was edited since is in no file yet.
    pub fn end_saving(&mut self, saved: Saved) {
        self.project.moved_to(saved);
        self.history.mark_saved();
        self.look_after();
    }

    /// Save to where it came from, or elsewhere, and wait for that.
    ///
    /// # Errors
    /// When it cannot be written; the old file is untouched.
    pub fn save(&mut self, path: &Path) -> Result<(), Fault> {
        let saved = self.begin_saving(path).write()?;
        self.end_saving(saved);
        Ok(())
    }

    /// What has become of the file since it was opened or saved.
    pub fn on_disk(&mut self) -> OnDisk {
        let Project { path: Some(path), stamp: Some(stamp), .. } = &mut self.project else { return OnDisk::Same };
        stamp.look(path)
    }

    /// Whether someone else wrote the file since it was opened or saved.
    pub fn changed_on_disk(&mut self) -> bool {
        self.on_disk() == OnDisk::Changed
    }

    /// What someone else wrote is known, and is to be replaced by what is here.
    pub fn keep_mine(&mut self) {
        let (path, stamp) = (self.project.path.as_deref(), self.project.stamp.as_ref());
        // what cannot be read will be replaced all the same
        self.project.stamp = path.zip(stamp).and_then(|(path, stamp)| stamp.again(path).ok());
        self.history.mark_unsaved();
    }

    /// What a crash left behind is worked on here: it is in no file yet.
    pub fn take_over(&mut self, recovered: Recovered) {
        self.history.mark_unsaved();
        if let Some(keeper) = &mut self.keeper {
            keeper.take_over(recovered);
        }
        self.look_after();
    }

    /// Take over what was done beside the window, and keep unsaved work where a crash does not reach it; called every
    /// frame, waits for nothing.
    pub fn look_after(&mut self) {
        self.tend_fit();
        let state = (self.history.revision(), self.history.is_unsaved());
        let Some(keeper) = &mut self.keeper else { return };
        if let Some(fault) = keeper.look_after(&self.project, self.history.document(), state) {
            self.fault = Some(fault);
        }
    }

    /// Whether something goes on beside the window that has to be taken over when it is done.
    #[must_use]
    pub fn is_at_work(&self) -> bool {
        let is_kept = self.keeper.is_none() || self.is_kept();
        self.is_fitting() || self.is_cutting() || self.live.running_in().is_some() || !is_kept
    }

    /// Whether all unsaved work is where a crash does not reach it.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        let state = (self.history.revision(), self.history.is_unsaved());
        self.keeper.as_ref().is_some_and(|keeper| keeper.has(&self.project, state))
    }

    /// The window goes without anybody having been asked: unsaved work stays to be brought back.
    pub fn leave(&mut self) {
        let state = (self.history.revision(), self.history.is_unsaved());
        if let Some(keeper) = &mut self.keeper {
            keeper.finish(&self.project, self.history.document(), state);
        }
    }

    /// The session ends well, and nothing unsaved in it is wanted.
    pub fn close(&mut self) {
        if let Some(mut keeper) = self.keeper.take() {
            keeper.close();
        }
    }
}

/// Follow hidden muscles to their places, and remember the names of those that go.
fn carry_hidden(
    (hidden, gone): (&mut BTreeSet<usize>, &mut BTreeSet<String>),
    before: &[Muscle],
    places: &[Option<usize>],
) {
    let goes = hidden.iter().filter(|&&m| places.get(m) == Some(&None));
    gone.extend(goes.map(|&m| before[m].name.clone()));
    *hidden = carried(hidden, places);
}

/// The character and the live body as the next document has them, its muscles as tense as they were; where that is not
/// sound, as they were.
fn follow(
    project: &mut Project,
    live: &mut Live,
    [before, after]: [&Document; 2],
    places: &[Option<usize>],
) -> Result<(), Fault> {
    project.wear(before, after);
    let playing = live.playing.clone();
    live.carry_clip(project.carried_clip([before, after], playing.clip));
    let is_same = Arc::ptr_eq(&before.joints, &after.joints)
        && Arc::ptr_eq(&before.motions, &after.motions)
        && before.musculature == after.musculature;
    if !is_same {
        let levels = carried_levels(live.levels(), places, after.muscles().len());
        let bound = live.rebind(&project.character, &after.musculature, levels);
        bound.map_err(|error| {
            project.wear(after, before);
            live.playing = playing;
            Fault::unbound(&project.name, &error)
        })?;
    }
    if before.turned != after.turned {
        live.pose(&project.character, &after.turned);
    }
    Ok(())
}
