//! Studio: one session. Everything a person can do is an [`Action`].

use super::{
    Action, Brush, Document, Done, Edit, Fault, Fitter, Gesture, History, Keeper, Live, Locks, Look, OnDisk, Play,
    Project, Recovered, Recovery, Seen, Show, Stamp, Target, Tool, write_whole,
};
use fusiform::{Muscle, Musculature};
use std::collections::BTreeSet;
use std::path::Path;

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
    /// What to tell people, if anything.
    pub fault: Option<Fault>,
    keeper: Option<Keeper>,
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
            fit: Fitter::new(&project, &document.fitting),
            brush: Brush::new(project.character.height()),
            locks: Locks::default(),
            project,
            history: History::new(document),
            live,
            chosen: BTreeSet::new(),
            joint: None,
            hidden: BTreeSet::new(),
            show: Show::default(),
            tool: Tool::default(),
            mirrored: true,
            fault: None,
            keeper: recovery.as_ref().map(Keeper::new),
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

    /// What is painted: the joint, or else the one muscle that is chosen.
    #[must_use]
    pub fn painted(&self) -> Option<Target> {
        let muscle = self.chosen.first().filter(|_| self.chosen.len() == 1).map(|&m| Target::Muscle(m));
        self.joint.map(Target::Joint).or(muscle)
    }

    /// Do it. What cannot be done changes nothing and is told in [`Studio::fault`].
    pub fn apply(&mut self, action: impl Into<Action>) {
        match action.into() {
            Action::Edit(edit, gesture) => self.edit(&edit, gesture),
            Action::Undo => self.travel(History::undo),
            Action::Redo => self.travel(History::redo),
            Action::Play(play) => self.play(play),
            Action::Look(look) => self.look(look),
            Action::Fit(fit) => self.do_fit(fit),
        }
    }

    fn edit(&mut self, edit: &Edit, gesture: Option<Gesture>) {
        let Self { project, live, chosen, fit, .. } = &*self;
        let seen = Seen { project, live, chosen, mirrored: self.mirrored, fit };
        let mut document = self.document().clone();
        match edit.make(seen, &mut document) {
            Ok(Done { chosen, warnings }) => {
                if self.commit(edit.label(), gesture, document) {
                    self.chosen = chosen.unwrap_or_else(|| std::mem::take(&mut self.chosen));
                    self.project.warnings.extend(warnings);
                    self.trim();
                }
            }
            Err(fault) => self.fault = Some(fault),
        }
    }

    /// Whether the document is sound; if not, nothing has changed.
    fn commit(&mut self, label: &str, gesture: Option<Gesture>, document: Document) -> bool {
        if let Err(fault) = follow(&mut self.project, &mut self.live, self.history.document(), &document) {
            self.fault = Some(fault);
            return false;
        }
        self.history.commit(label, gesture, document);
        true
    }

    fn travel(&mut self, step: fn(&mut History) -> bool) {
        let before = self.document().clone();
        if step(&mut self.history) {
            let followed = follow(&mut self.project, &mut self.live, &before, self.history.document());
            self.fault = followed.err().or(self.fault.take());
            self.trim();
        }
    }

    /// Muscles that are gone are neither chosen nor hidden.
    fn trim(&mut self) {
        let n = self.muscles().len();
        self.chosen.retain(|&m| m < n);
        self.hidden.retain(|&m| m < n);
    }

    fn play(&mut self, play: Play) {
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
                let rate = live.playing.baked.map_or(30.0, |how| f32::from(how.fps.max(1)));
                live.seek(character, live.playing.time + frames as f32 / rate);
            }
            Play::Baked(how) => live.play_baked(how),
            Play::Turn(joint, by) if joint < character.skeleton.joints.len() && by.is_finite() => {
                live.turn(joint, by);
            }
            Play::Settle => live.settle(character),
            Play::Tense(level) if level.is_finite() => self.tense(level.clamp(0.0, 1.0)),
            Play::Speed(_) | Play::Seek(_) | Play::Turn(..) | Play::Tense(_) => {} // no number a hand can mean
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
            Look::Choose(muscles) => self.chosen = muscles.into_iter().filter(|&m| m < n).collect(),
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
            Look::Unhide => self.hidden.clear(),
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

    fn select(&mut self, muscle: Option<usize>, beside: bool) {
        if !beside {
            self.chosen.clear();
        }
        // the brush goes on with what was chosen last
        if muscle.is_some() && self.tool == Tool::Paint {
            self.joint = None;
        }
        if let Some(muscle) = muscle
            && !self.chosen.insert(muscle)
        {
            self.chosen.remove(&muscle);
        }
    }

    /// Put a captured motion on the character and play it; what cannot be is told in [`Studio::fault`].
    pub fn add_motion(&mut self, path: &Path) {
        match self.project.read_motion(path) {
            Ok((clip, warnings)) => {
                self.apply(Edit::Motion(clip));
                self.project.warnings.extend(warnings);
                self.apply(Play::Clip(self.project.character.clips.len().checked_sub(1)));
                self.apply(Play::Run(true));
            }
            Err(fault) => self.fault = Some(fault),
        }
    }

    /// Save to where it came from, or elsewhere.
    ///
    /// # Errors
    /// When it cannot be written; the old file is untouched.
    pub fn save(&mut self, path: &Path) -> Result<(), Fault> {
        let bytes = self.project.packed_for(self.history.document(), path)?;
        write_whole(path, &bytes)?;
        self.project.moved_to(path, &bytes);
        self.history.mark_saved();
        self.look_after();
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
        let read = self.project.path.as_deref().map(Stamp::read);
        // what cannot be read will be replaced all the same
        self.project.stamp = read.and_then(Result::ok).map(|(_, stamp)| stamp);
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

    /// Whether all unsaved work is where a crash does not reach it.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        let state = (self.history.revision(), self.history.is_unsaved());
        self.keeper.as_ref().is_some_and(|keeper| keeper.has(state))
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

/// The character and the live body as the next document has them; where that is not sound, as they were.
fn follow(project: &mut Project, live: &mut Live, before: &Document, after: &Document) -> Result<(), Fault> {
    project.wear(before, after);
    let bound = live.rebind(&project.character, &after.musculature);
    bound.map_err(|error| {
        project.wear(after, before);
        Fault::unbound(&project.name, &error)
    })
}
