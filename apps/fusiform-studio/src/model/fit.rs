//! Fit: muscles from the skin inward. Long work goes on beside the window and is one step when it is done.

mod again;
mod keep;
mod recipe;
mod report;
mod work;

use super::{Action, Document, Edit, Fault, Fitting, Gesture, Job, Project, Show, Studio};
use fusiform::{Clip, Musculature, SparseWeights};
use fusiform_fit::{FAT, Flesh, Found, Roles, Stage, Wear};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

pub use keep::{behaves_as, keeps_changes};
pub use recipe::{Anatomy, Recipe, preset_of};
pub use report::{Report, every_role, written as written_role};
use work::{Outcome, Subject};

/// Planes are turned with all that follows while they are dragged where that takes no longer than this, s.
const QUICK: f32 = 0.05;

/// What a person does about fitting. What comes of it is an [`Edit`], made when the work is done.
#[derive(Clone, Debug, PartialEq)]
pub enum Fit {
    /// Show the window, or close it.
    Show(bool),
    /// What the next run is to do; what of it is said of the body is an edit.
    Recipe(Recipe),
    /// Fit muscles to the whole body, in place of those it has.
    Run,
    /// Shape the chosen muscles to the skin where they lie now.
    Shape,
    /// Put the chosen muscles back to where the template has them.
    PlaceAgain,
    /// Write the present muscles as a template.
    SaveTemplate(PathBuf),
    /// Never mind.
    Stop,
}

/// What came of fitting: muscles in the place of those there are.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// What undo calls it.
    pub label: &'static str,
    /// The muscles.
    pub musculature: Musculature,
    /// How they were fitted.
    pub fitting: Fitting,
    /// What is chosen now, if not what was.
    pub chosen: Option<BTreeSet<usize>>,
    /// What had to be guessed.
    pub warnings: Vec<String>,
}

/// All about fitting that is not in the document.
#[derive(Debug)]
pub struct Fitter {
    /// Whether its window is shown.
    pub shown: bool,
    /// What the next run is to do.
    pub recipe: Recipe,
    /// Which joint is what, as it is found without anybody's help.
    pub found: Found,
    /// How the last run came out.
    pub report: Option<Report>,
    /// What the last template that was saved is like.
    pub note: Option<String>,
    running: Option<Running>,
    flesh: Option<Cut>,
    cutting: Option<(Job<Cut>, Key)>,
    uncut: Option<Key>,                 // what could not be cut: told once
    cuts: u64,                          // how often it was cut
    took: Cell<f32>,                    // s, of the last turn of a plane
    dragged: Option<(String, Gesture)>, // a bone whose plane is dragged, before the skin its muscles move is found
}

/// What is being done beside the window.
#[derive(Debug)]
struct Running {
    job: Job<Outcome>,
    of: Document, // as it was when that began
    writes: bool,
}

impl Running {
    /// Whether what comes of it may take the place of what there is: poses and motions are not its own.
    fn fits(&self, now: &Document) -> bool {
        let Document { musculature, joints, fitting, motions: _, turned: _ } = now;
        // what is chosen for the next fit is no muscle yet
        let is_fitted = |of: &Fitting| Fitting { next: None, ..of.clone() };
        let fitting_is_same = is_fitted(fitting) == is_fitted(&self.of.fitting);
        fitting_is_same && (musculature, joints) == (&self.of.musculature, &self.of.joints)
    }
}

/// What a body was cut by: another body is cut anew.
#[derive(Clone, Debug)]
struct Key {
    joints: Arc<Vec<SparseWeights>>,
    motions: Arc<Vec<Clip>>,
    body: Option<usize>,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        let shares = Arc::ptr_eq(&self.joints, &other.joints) && Arc::ptr_eq(&self.motions, &other.motions);
        shares && self.body == other.body
    }
}

/// A body that is cut into regions.
#[derive(Clone, Debug)]
struct Cut {
    key: Key,
    flesh: Arc<Flesh>,
    regions: Arc<Vec<Option<usize>>>,
}

impl Cut {
    fn new(key: Key, character: &fusiform::Character, wear: &[Wear], name: &str) -> Result<Self, Fault> {
        let flesh = Flesh::new(character, wear).map_err(|error| Fault::told(name, &error.to_string()))?;
        let regions = flesh.regions().1.concat();
        Ok(Self { key, flesh: Arc::new(flesh), regions: Arc::new(regions) })
    }
}

impl Fitter {
    /// For a character.
    #[must_use]
    pub fn new(project: &Project, document: &Document) -> Self {
        Self {
            shown: false,
            recipe: Recipe::of(&document.fitting, project, document.muscles()),
            found: Roles::find(&project.character.skeleton),
            report: None,
            note: None,
            running: None,
            flesh: None,
            cutting: None,
            uncut: None,
            cuts: 0,
            took: Cell::new(0.0),
            dragged: None,
        }
    }

    /// What is being done, how much of it is done, and which stage that is.
    #[must_use]
    pub fn progress(&self) -> Option<(&str, f32, &'static str)> {
        let job = &self.running.as_ref()?.job;
        let stage = (job.share() * Stage::ALL.len() as f32) as usize;
        Some((&job.label, job.share(), Stage::ALL[stage.min(Stage::ALL.len() - 1)].name()))
    }

    /// Whether a file is being written.
    #[must_use]
    pub fn writes(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.writes)
    }

    /// Whether planes are turned as quickly as they are dragged.
    #[must_use]
    pub fn is_quick(&self) -> bool {
        self.took.get() < QUICK
    }

    /// How long the last turn of a plane took, s.
    pub fn took(&self, seconds: f32) {
        self.took.set(seconds);
    }

    /// Whether the body as it is now cannot be cut into regions.
    #[must_use]
    pub fn is_uncut(&self, document: &Document) -> bool {
        self.uncut.as_ref() == Some(&self.key(document))
    }

    /// The body cut into regions, if that is done: perhaps not with the last stroke of a brush.
    #[must_use]
    pub fn flesh(&self) -> Option<Arc<Flesh>> {
        Some(self.flesh.as_ref()?.flesh.clone())
    }

    /// Tells whether the body is still cut as it was when it was seen.
    #[must_use]
    pub fn cuts(&self) -> u64 {
        self.cuts
    }

    /// n_vertex: the region of each, likewise.
    #[must_use]
    pub fn regions(&self) -> Option<Arc<Vec<Option<usize>>>> {
        Some(self.flesh.as_ref()?.regions.clone())
    }

    /// The body cut into regions as it is now; none while that is being done.
    #[must_use]
    pub fn fresh_flesh(&self, document: &Document) -> Option<Arc<Flesh>> {
        let (cut, key) = (self.flesh.as_ref()?, self.key(document));
        (cut.key == key).then(|| cut.flesh.clone())
    }

    /// The same, however long cutting it takes: for work beside the window.
    ///
    /// # Errors
    /// When there is no skin.
    pub fn flesh_now(&mut self, project: &Project, document: &Document) -> Result<Arc<Flesh>, Fault> {
        if let Some(flesh) = self.fresh_flesh(document) {
            return Ok(flesh);
        }
        let (key, wear) = (self.key(document), self.recipe.wear(&project.character));
        let cut = Cut::new(key, &project.character, &wear, &project.name)?;
        let flesh = cut.flesh.clone();
        self.keep(cut);
        Ok(flesh)
    }

    fn keep(&mut self, cut: Cut) {
        (self.flesh, self.cuts) = (Some(cut), self.cuts + 1);
    }

    fn key(&self, document: &Document) -> Key {
        let (joints, motions) = (document.joints.clone(), document.motions.clone());
        Key { joints, motions, body: self.recipe.body }
    }

    /// Cut the body beside the window where it is not cut as it is now, once at a time; why it cannot be, once.
    fn cut(&mut self, project: &Project, document: &Document) -> Option<Fault> {
        let mut fault = None;
        if let Some((job, _)) = &mut self.cutting {
            match job.poll()? {
                Ok(cut) => self.keep(cut),
                Err(told) => fault = Some(told),
            }
            let done = self.cutting.take();
            self.uncut = done.filter(|_| fault.is_some()).map(|(_, key)| key);
        }
        let key = self.key(document);
        let is_cut = self.flesh.as_ref().is_some_and(|cut| cut.key == key);
        if !is_cut && self.uncut.as_ref() != Some(&key) {
            let (character, recipe, name, of) =
                (project.character.clone(), self.recipe.clone(), project.name.clone(), key.clone());
            let work = move |_: &_| Cut::new(of, &character, &recipe.wear(&character), &name);
            self.cutting = Some((Job::begin("Regions", work), key));
        }
        fault
    }
}

/// Thickness of skin and fat, m: as it was chosen, or by the body's height.
#[must_use]
pub fn fat(project: &Project, fitting: &Fitting) -> f32 {
    fitting.fat.unwrap_or(FAT * project.character.height())
}

impl Studio {
    pub(super) fn do_fit(&mut self, fit: Fit) {
        match fit {
            Fit::Show(shown) => self.fit.shown = shown,
            Fit::Recipe(recipe) => {
                let wanted = recipe.named(&self.project.character);
                if wanted.is_meant() {
                    self.fit.recipe = recipe;
                    self.edit(&Edit::Want(wanted), None);
                }
            }
            Fit::Run => self.begin("Fit", false, work::run),
            Fit::Shape => self.begin("Shape to the skin", false, work::shape),
            Fit::PlaceAgain => self.begin("Place again", false, work::place_again),
            Fit::SaveTemplate(path) => {
                self.begin("Template", true, move |subject, pace| work::save_template(subject, &path, pace));
            }
            Fit::Stop => self.fit.running = None,
        }
    }

    /// What was dragged is finished before anything else is done; a plane that is dragged now is noted.
    pub(super) fn go_on_dragging(&mut self, action: &Action) {
        let now = match action {
            Action::Edit(Edit::DragPlane(bone, _) | Edit::TurnPlane(bone, _), Some(gesture)) => {
                Some((bone.clone(), *gesture))
            }
            _ => None,
        };
        if now != self.fit.dragged {
            self.finish_dragging();
        }
        let is_dragged = matches!(action, Action::Edit(Edit::DragPlane(..), _));
        self.fit.dragged = now.filter(|_| is_dragged);
    }

    /// Find which skin the muscles move whose plane was dragged, where the drag went without: however it ended.
    pub(super) fn finish_dragging(&mut self) {
        let Some((bone, gesture)) = self.fit.dragged.take() else { return };
        // a drag that came to nothing has no step
        if self.history.before(Some(gesture)).is_some() {
            let degrees = self.document().fitting.turned.get(&bone).copied();
            self.edit(&Edit::TurnPlane(bone, degrees), Some(gesture));
        }
    }

    /// Whether something is being fitted.
    #[must_use]
    pub fn is_fitting(&self) -> bool {
        self.fit.running.is_some()
    }

    fn begin(
        &mut self,
        label: &'static str,
        writes: bool,
        work: impl FnOnce(&Subject, &super::Pace) -> Result<Outcome, Fault> + Send + 'static,
    ) {
        if self.is_fitting() {
            self.fault = Some(Fault::told(label, "something else is being fitted: wait for it, or stop it"));
            return;
        }
        let (subject, of) = (Subject::of(self), self.document().clone());
        let job = Job::begin(label, move |pace| work(&subject, pace));
        self.fit.running = Some(Running { job, of, writes });
    }

    fn shows_regions(&self) -> bool {
        self.fit.shown || self.tool == super::Tool::Cut || self.show == Show::Regions
    }

    /// Whether somebody waits for the body to be cut into regions.
    #[must_use]
    pub fn is_cutting(&self) -> bool {
        self.shows_regions() && self.fit.cutting.is_some()
    }

    /// Take over what is done beside the window.
    pub(super) fn tend_fit(&mut self) {
        if self.shows_regions() {
            self.fault = self.fit.cut(&self.project, self.history.document()).or(self.fault.take());
        }
        let Some(done) = self.fit.running.as_mut().and_then(|running| running.job.poll()) else { return };
        let Some(ran) = self.fit.running.take() else { return };
        match done {
            Err(fault) => self.fault = Some(fault),
            Ok(Outcome::Saved(note)) => self.fit.note = Some(note),
            Ok(Outcome::Fitted(..)) if !ran.fits(self.document()) => {
                let message = "the muscles were changed while they were fitted, and are left as they are now";
                let (file, cure) = (self.project.name.clone(), "fit them again".into());
                self.fault = Some(Fault { file, message: message.into(), cure });
            }
            Ok(Outcome::Fitted(mut fitted, report)) => {
                let is_whole = report.is_some();
                let [wanted, then] = [self.document(), &ran.of].map(|of| of.fitting.wanted());
                if wanted != then {
                    fitted.fitting.want(wanted); // chosen meanwhile
                }
                self.fit.report = report.or(self.fit.report.take());
                self.apply(Edit::Fitted(Arc::from(fitted)));
                // muscles that came under a skin one does not see through would be nowhere
                if is_whole && self.show == Show::Skin {
                    self.show = Show::Both;
                }
            }
        }
    }
}
