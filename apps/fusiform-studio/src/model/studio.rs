//! Studio: one session. Everything a person can do is an [`Action`]; panels only make actions, so that what they do can be
//! tested, recorded and undone without them.

use super::{DIALS, Fault, Gesture, History, Live, Project, Recovery, write_whole};
use fusiform::musculature::Attachment;
use fusiform::{Muscle, Musculature, Physique};
use fusiform_fit::{FAT, Preset, Rigged, Roles, Template, rig_pairs, sort_meshes};
use glam::{Quat, Vec3};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Instant, SystemTime};

/// What the view shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// The skin alone.
    #[default]
    Skin,
    /// The muscles alone.
    Muscles,
    /// Muscles under a skin one sees through.
    Both,
    /// How much the chosen muscles weigh on the skin.
    Weights,
    /// Muscles by how tense they are.
    Tension,
    /// The skin of each joint in its own colour.
    Regions,
}

impl Show {
    /// All of them, with what people call them.
    pub const ALL: [(Self, &str); 6] = [
        (Self::Skin, "Skin"),
        (Self::Muscles, "Muscles"),
        (Self::Both, "X-ray"),
        (Self::Weights, "Weights"),
        (Self::Tension, "Tension"),
        (Self::Regions, "Regions"),
    ];
}

/// Which end of a muscle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Where it begins.
    Origin,
    /// Where it ends.
    Insertion,
}

/// A joint turned by hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Which.
    pub joint: usize,
    /// By how much, in its own axes.
    pub by: Quat,
}

/// What a person does.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Choose a muscle, beside those that are chosen or instead of them; none chooses nothing.
    Select(Option<usize>, bool),
    /// Turn a dial of every chosen muscle.
    Dial(usize, f32, Option<Gesture>),
    /// Move an end of every chosen muscle, m, model space at bind.
    Move(End, Vec3, Option<Gesture>),
    /// Another build for the whole body.
    Physique(Physique, Option<Gesture>),
    /// Give the character muscles, in place of those it has.
    Rig(Preset),
    /// A new muscle between two joints, through the middle of both bones.
    Create(usize, usize),
    /// Delete the chosen muscles.
    Delete,
    /// Do to the other side whatever is done to one.
    Mirrored(bool),
    /// Take back.
    Undo,
    /// Do again.
    Redo,
    /// Play a clip, or none.
    Clip(Option<usize>),
    /// Whether time goes on.
    Run(bool),
    /// Whether clips begin again at their end.
    Loop(bool),
    /// Times as fast.
    Speed(f32),
    /// Another moment, s.
    Seek(f32),
    /// So many frames of 1/30 s on, or back.
    Frames(i32),
    /// Turn a joint.
    Turn(Turn),
    /// Forget all motion, and joints turned by hand.
    Settle,
    /// Tense the chosen muscles, all of them when none is chosen; 0 to 1.
    Tense(f32),
    /// Show something else.
    Show(Show),
    /// Leave a muscle out of the picture, or not.
    Hide(usize, bool),
    /// Show only the chosen muscles.
    Solo,
    /// Show all muscles.
    Unhide,
}

/// A session.
#[derive(Debug)]
pub struct Studio {
    /// The file.
    pub project: Project,
    /// The document and how it came about.
    pub history: History,
    /// The character in motion.
    pub live: Live,
    /// Muscles that are chosen.
    pub chosen: BTreeSet<usize>,
    /// Muscles that are left out of the picture.
    pub hidden: BTreeSet<usize>,
    /// What the view shows.
    pub show: Show,
    /// Whether the other side follows.
    pub mirrored: bool,
    /// What to tell people, if anything.
    pub fault: Option<Fault>,
    recovery: Option<Recovery>,
    kept: (u64, Instant), // revision that is safe, and when that was looked after
    on_disk: Option<SystemTime>,
}

impl Studio {
    /// Begin with a file.
    ///
    /// # Errors
    /// When its muscles do not fit it.
    pub fn new(project: Project, musculature: Musculature, recovery: Option<Recovery>) -> Result<Self, Fault> {
        let bound = Live::new(&project.character, &musculature);
        let live = bound.map_err(|error| Fault::told(&project.name, &error.to_string()))?;
        let on_disk = project.path.as_deref().and_then(modified);
        Ok(Self {
            project,
            history: History::new(musculature),
            live,
            chosen: BTreeSet::new(),
            hidden: BTreeSet::new(),
            show: Show::default(),
            mirrored: true,
            fault: None,
            recovery,
            kept: (0, Instant::now()),
            on_disk,
        })
    }

    /// The document.
    #[must_use]
    pub fn document(&self) -> &Musculature {
        self.history.document()
    }

    /// Do it. What cannot be done changes nothing and is told in [`Studio::fault`].
    pub fn apply(&mut self, action: Action) {
        match action {
            Action::Select(muscle, beside) => self.select(muscle, beside),
            Action::Dial(dial, value, gesture) => self.turn_dial(dial, value, gesture),
            Action::Move(end, by, gesture) => self.move_end(end, by, gesture),
            Action::Physique(physique, gesture) => {
                let document = Musculature { physique, ..self.document().clone() };
                self.commit("Physique", gesture, document);
            }
            Action::Rig(preset) => self.rig(preset),
            Action::Create(from, to) => self.create(from, to),
            Action::Delete => self.delete(),
            Action::Mirrored(mirrored) => self.mirrored = mirrored,
            Action::Undo => {
                self.history.undo();
                self.follow();
            }
            Action::Redo => {
                self.history.redo();
                self.follow();
            }
            Action::Tense(level) => self.tense(level),
            Action::Show(show) => self.show = show,
            Action::Hide(muscle, true) if muscle < self.document().muscles.len() => _ = self.hidden.insert(muscle),
            Action::Hide(muscle, _) => _ = self.hidden.remove(&muscle),
            Action::Solo => {
                let all = 0..self.document().muscles.len();
                self.hidden = all.filter(|m| !self.chosen.is_empty() && !self.chosen.contains(m)).collect();
            }
            Action::Unhide => self.hidden.clear(),
            played => self.play(played),
        }
    }

    fn play(&mut self, action: Action) {
        let (character, live) = (&self.project.character, &mut self.live);
        match action {
            Action::Clip(clip) => live.choose(character, clip),
            Action::Run(runs) => {
                let ended = live.playing.time >= live.duration(character);
                if runs && ended && live.playing.clip.is_some() {
                    live.seek(character, 0.0);
                }
                live.playing.runs = runs && live.playing.clip.is_some();
            }
            Action::Loop(loops) => live.playing.loops = loops,
            Action::Speed(speed) if speed.is_finite() => live.playing.speed = speed.clamp(0.05, 4.0),
            Action::Seek(time) if time.is_finite() => live.seek(character, time),
            Action::Frames(frames) => live.seek(character, live.playing.time + frames as f32 / 30.0),
            Action::Turn(Turn { joint, by }) if joint < character.skeleton.joints.len() && by.is_finite() => {
                live.turn(joint, by);
            }
            Action::Settle => live.settle(character),
            _ => {}
        }
    }

    fn select(&mut self, muscle: Option<usize>, beside: bool) {
        if !beside {
            self.chosen.clear();
        }
        if let Some(muscle) = muscle.filter(|&m| m < self.document().muscles.len())
            && !self.chosen.insert(muscle)
        {
            self.chosen.remove(&muscle);
        }
    }

    /// The chosen ones, and their twins while the other side follows.
    #[must_use]
    pub fn edited(&self) -> BTreeSet<usize> {
        let muscles = &self.document().muscles;
        let twins = self.chosen.iter().filter(|_| self.mirrored).filter_map(|&m| twin(muscles, m));
        self.chosen.iter().copied().chain(twins).collect()
    }

    fn turn_dial(&mut self, dial: usize, value: f32, gesture: Option<Gesture>) {
        let Some(dial) = DIALS.get(dial) else { return };
        let mut document = self.document().clone();
        self.edited().into_iter().for_each(|m| dial.turn(&mut document.muscles[m], value));
        self.commit(dial.label.trim(), gesture, document);
    }

    fn move_end(&mut self, end: End, by: Vec3, gesture: Option<Gesture>) {
        let mut document = self.document().clone();
        for m in self.edited() {
            let is_twin = !self.chosen.contains(&m);
            let by = if is_twin { Vec3::new(-by.x, by.y, by.z) } else { by };
            let muscle = &mut document.muscles[m];
            let place = if end == End::Origin { &mut muscle.origin } else { &mut muscle.insertion };
            let Some(joint) = self.project.character.skeleton.find(&place.joint) else { continue };
            place.point += self.project.character.skeleton.joints[joint].bind.inverse().transform_vector3(by);
        }
        self.commit(if end == End::Origin { "Move origin" } else { "Move insertion" }, gesture, document);
    }

    /// As `fusiform rig` does: a human's muscles where its joints are known as a human's, opposed pairs where they are not.
    fn rig(&mut self, preset: Preset) {
        let character = &self.project.character;
        let (wear, roles) = (sort_meshes(character), Roles::find(&character.skeleton).roles);
        let fat = FAT * character.height();
        let rigged = match roles.is_humanoid() {
            true => fusiform_fit::rig(character, &wear, &roles, &Template::humanoid(), preset, fat, |_| {}),
            false => rig_pairs(character, &wear, preset, fat, |_| {}),
        };
        match rigged {
            Ok(Rigged { musculature, warnings, .. }) => {
                if self.commit("Rig", None, musculature) {
                    self.project.warnings.extend(warnings);
                    (self.chosen, self.hidden) = (BTreeSet::new(), BTreeSet::new());
                }
            }
            Err(error) => self.fault = Some(Fault::told(&self.project.name, &error.to_string())),
        }
    }

    fn create(&mut self, from: usize, to: usize) {
        let joints = &self.project.character.skeleton.joints;
        let (Some(a), Some(b)) = (joints.get(from), joints.get(to)) else { return };
        let mut document = self.document().clone();
        let name = (1..).map(|k| format!("muscle_{k}")).find(|name| document.find(name).is_none());
        let at = |joint: &str| Attachment { joint: joint.into(), point: Vec3::ZERO };
        document.muscles.push(Muscle {
            name: name.unwrap_or_default(),
            origin: at(&a.name),
            insertion: at(&b.name),
            ..Muscle::default()
        });
        let made = document.muscles.len() - 1;
        if self.commit("New muscle", None, document) {
            self.chosen = [made].into();
        }
    }

    fn delete(&mut self) {
        let gone = self.edited();
        if gone.is_empty() {
            return;
        }
        let document = without(self.document(), &gone);
        if self.commit("Delete", None, document) {
            self.chosen.clear();
        }
    }

    fn tense(&mut self, level: f32) {
        if !level.is_finite() {
            return;
        }
        let n = self.document().muscles.len();
        let mut levels = self.live.levels().to_vec();
        levels.resize(n, 0.0);
        let all = self.chosen.is_empty();
        levels.iter_mut().enumerate().filter(|(m, _)| all || self.chosen.contains(m)).for_each(|(_, l)| {
            *l = level.clamp(0.0, 1.0);
        });
        self.live.tense(&self.project.character, levels);
    }

    /// Whether the document fits the character; if not, nothing has changed.
    fn commit(&mut self, label: &str, gesture: Option<Gesture>, document: Musculature) -> bool {
        if let Err(error) = self.live.rebind(&self.project.character, &document) {
            self.fault = Some(Fault::told(&self.project.name, &error.to_string()));
            return false;
        }
        self.history.commit(label, gesture, document);
        self.trim();
        true
    }

    /// The live body as the document is now.
    fn follow(&mut self) {
        let document = self.history.document();
        if let Err(error) = self.live.rebind(&self.project.character, document) {
            self.fault = Some(Fault::told(&self.project.name, &error.to_string()));
        }
        self.trim();
    }

    /// Muscles that are gone are neither chosen nor hidden.
    fn trim(&mut self) {
        let n = self.document().muscles.len();
        self.chosen.retain(|&m| m < n);
        self.hidden.retain(|&m| m < n);
    }

    /// Put a captured motion on the character and play it; what cannot be is told in [`Studio::fault`].
    pub fn add_motion(&mut self, path: &Path) {
        match self.project.add_motion(path) {
            Ok(clip) => {
                self.apply(Action::Clip(Some(clip)));
                self.apply(Action::Run(true));
            }
            Err(fault) => self.fault = Some(fault),
        }
    }

    /// Save to where it came from, or elsewhere.
    ///
    /// # Errors
    /// When it cannot be written; the old file is untouched.
    pub fn save(&mut self, path: &Path) -> Result<(), Fault> {
        write_whole(path, &self.project.to_glb(self.document())?)?;
        self.project.path = Some(path.to_owned());
        self.on_disk = modified(path);
        self.history.mark_saved();
        self.kept.0 = self.history.revision();
        if let Some(recovery) = &self.recovery {
            recovery.forget();
        }
        Ok(())
    }

    /// Whether someone else wrote the file since it was opened or saved.
    #[must_use]
    pub fn changed_on_disk(&self) -> bool {
        let now = self.project.path.as_deref().and_then(modified);
        now.is_some() && now != self.on_disk
    }

    /// Keep unsaved work where a crash does not reach it; called every frame, writes at most every second.
    pub fn look_after(&mut self) {
        let (revision, when) = self.kept;
        if revision != self.history.revision() && when.elapsed() >= super::recovery::EVERY {
            self.keep();
        }
    }

    /// Keep it now, edited or not: what came back after a crash is in no file yet.
    pub fn keep(&mut self) {
        let Some(recovery) = &self.recovery else { return };
        let kept = self.project.to_glb(self.history.document());
        let kept = kept.and_then(|glb| recovery.keep(&self.project.name, self.project.path.as_deref(), &glb));
        if let Err(fault) = kept {
            self.fault = Some(fault);
        }
        self.kept = (self.history.revision(), Instant::now());
    }

    /// The session ends well.
    pub fn close(&self) {
        if let Some(recovery) = &self.recovery {
            recovery.forget();
        }
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}

/// The muscle of that name on the other side.
fn twin(muscles: &[Muscle], m: usize) -> Option<usize> {
    let name = &*muscles[m].name;
    let (stem, side) = name.rsplit_once('.')?;
    let other = match side {
        "l" => "r",
        "r" => "l",
        _ => return None,
    };
    muscles.iter().position(|muscle| muscle.name.rsplit_once('.') == Some((stem, other)))
}

/// The document without some of its muscles: nothing refers to them any more.
fn without(document: &Musculature, gone: &BTreeSet<usize>) -> Musculature {
    let mut document = document.clone();
    let mut next = 0;
    let place: Vec<Option<u16>> = (0..document.muscles.len())
        .map(|m| {
            let stays = !gone.contains(&m);
            next += u16::from(stays);
            stays.then(|| next - 1)
        })
        .collect();
    let names: BTreeSet<String> = gone.iter().map(|&m| document.muscles[m].name.clone()).collect();
    document.muscles.retain(|muscle| !names.contains(&muscle.name));
    for weights in &mut document.weights {
        let mut kept = fusiform::SparseWeights::default();
        for v in 0..weights.len() {
            kept.push_vertex(weights.of(v).filter_map(|(m, w)| Some((place[usize::from(m)]?, w))).collect::<Vec<_>>());
        }
        *weights = kept;
    }
    // a list without a name in it stands for all muscles: what was for those that are gone goes with them
    let lists = |list: &mut Vec<String>| {
        let was_all = list.is_empty();
        list.retain(|name| !names.contains(name));
        was_all || !list.is_empty()
    };
    document.activation.drivers.retain_mut(|driver| lists(&mut driver.muscles));
    document.layers.retain_mut(|layer| layer.muscles_mut().is_none_or(lists));
    for curves in &mut document.activation.curves {
        curves.tracks.retain(|track| !names.contains(&track.muscle));
    }
    document
}
