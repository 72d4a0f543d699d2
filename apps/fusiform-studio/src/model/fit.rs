//! Fit: muscles from the skin inward. Long work goes on beside the window and is one step when it is done.

mod keep;
mod recipe;
mod report;
mod work;

use super::{Document, Edit, Fault, Fitting, Job, Project, Studio};
use fusiform::{Musculature, SparseWeights};
use fusiform_fit::{FAT, Flesh, Found, Roles, Stage, Wear};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

pub use keep::{behaves_as, keeps_dials};
pub use recipe::{Anatomy, Recipe};
pub use report::{Report, every_role, written as written_role};
pub use work::rig_now;
use work::{Outcome, Subject};

/// Planes are turned with all that follows while they are dragged where that takes no longer than this, s.
const QUICK: f32 = 0.05;

/// What a person does about fitting. What comes of it is an [`Edit`], made when the work is done.
#[derive(Clone, Debug, PartialEq)]
pub enum Fit {
    /// Show the window, or close it.
    Show(bool),
    /// What the next run is to do.
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
    running: Option<(Job<Outcome>, u64)>, // and the revision it began with
    flesh: RefCell<Option<Cut>>,
    cutting: Option<(Job<Cut>, Key)>,
    cuts: Cell<u64>, // how often it was cut
    took: Cell<f32>, // s, of the last turn of a plane
}

/// What a body was cut by: another body is cut anew.
#[derive(Clone, Debug)]
struct Key {
    joints: Arc<Vec<SparseWeights>>,
    body: Option<usize>,
    clips: usize,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.joints, &other.joints) && (self.body, self.clips) == (other.body, other.clips)
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
    pub fn new(project: &Project, fitting: &Fitting) -> Self {
        Self {
            shown: false,
            recipe: Recipe { fat: fitting.fat, ..Recipe::default() },
            found: Roles::find(&project.character.skeleton),
            report: None,
            note: None,
            running: None,
            flesh: RefCell::new(None),
            cutting: None,
            cuts: Cell::new(0),
            took: Cell::new(0.0),
        }
    }

    /// What is being done, how much of it is done, and which stage that is.
    #[must_use]
    pub fn progress(&self) -> Option<(&str, f32, &'static str)> {
        let (job, _) = self.running.as_ref()?;
        let stage = (job.share() * Stage::ALL.len() as f32) as usize;
        Some((&job.label, job.share(), Stage::ALL[stage.min(Stage::ALL.len() - 1)].name()))
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

    /// The body cut into regions, if that is done: perhaps not with the last stroke of a brush.
    #[must_use]
    pub fn flesh(&self) -> Option<Arc<Flesh>> {
        Some(self.flesh.borrow().as_ref()?.flesh.clone())
    }

    /// Tells whether the body is still cut as it was when it was seen.
    #[must_use]
    pub fn cuts(&self) -> u64 {
        self.cuts.get()
    }

    /// n_vertex: the region of each, likewise.
    #[must_use]
    pub fn regions(&self) -> Option<Arc<Vec<Option<usize>>>> {
        Some(self.flesh.borrow().as_ref()?.regions.clone())
    }

    /// The body cut into regions as it is now, however long that takes.
    ///
    /// # Errors
    /// When there is no skin.
    pub fn flesh_now(&self, project: &Project, document: &Document) -> Result<Arc<Flesh>, Fault> {
        let key = self.key(project, document);
        if let Some(cut) = self.flesh.borrow().as_ref().filter(|cut| cut.key == key) {
            return Ok(cut.flesh.clone());
        }
        let cut = Cut::new(key, &project.character, &self.recipe.wear(&project.character), &project.name)?;
        let flesh = cut.flesh.clone();
        self.keep(cut);
        Ok(flesh)
    }

    fn keep(&self, cut: Cut) {
        *self.flesh.borrow_mut() = Some(cut);
        self.cuts.set(self.cuts.get() + 1);
    }

    fn key(&self, project: &Project, document: &Document) -> Key {
        Key { joints: document.joints.clone(), body: self.recipe.body, clips: project.character.clips.len() }
    }

    /// Cut the body beside the window where it is not cut as it is now.
    fn cut(&mut self, project: &Project, document: &Document, fault: &mut Option<Fault>) {
        if let Some(done) = self.cutting.as_mut().and_then(|(job, _)| job.poll()) {
            let began = self.cutting.take();
            match done {
                Ok(cut) => self.keep(cut),
                Err(told) => {
                    // asked once: the same body has no more skin in the next frame
                    self.cutting = began;
                    *fault = Some(told);
                }
            }
        }
        let key = self.key(project, document);
        let is_cut = self.flesh.get_mut().as_ref().is_some_and(|cut| cut.key == key);
        if is_cut || self.cutting.as_ref().is_some_and(|(_, of)| *of == key) {
            return;
        }
        let (character, recipe, name, of) =
            (project.character.clone(), self.recipe.clone(), project.name.clone(), key.clone());
        let work = move |_: &_| Cut::new(of, &character, &recipe.wear(&character), &name);
        self.cutting = Some((Job::begin("Regions", work), key));
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
            Fit::Recipe(recipe) => self.fit.recipe = recipe,
            Fit::Run => self.begin("Fit", work::run),
            Fit::Shape => self.begin("Shape to the skin", work::shape),
            Fit::PlaceAgain => self.begin("Place again", work::place_again),
            Fit::SaveTemplate(path) => {
                self.begin("Template", move |subject, _| work::save_template(subject, &path));
            }
            Fit::Stop => self.fit.running = None,
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
        work: impl FnOnce(&Subject, &super::Pace) -> Result<Outcome, Fault> + Send + 'static,
    ) {
        if self.is_fitting() {
            self.fault = Some(Fault::told(label, "something else is being fitted: wait for it, or stop it"));
            return;
        }
        let subject = Subject::of(self);
        let job = Job::begin(label, move |pace| work(&subject, pace));
        self.fit.running = Some((job, self.history.revision()));
    }

    /// Take over what is done beside the window.
    pub(super) fn tend_fit(&mut self) {
        if self.fit.shown || self.tool == super::Tool::Cut || self.show == super::Show::Regions {
            self.fit.cut(&self.project, self.history.document(), &mut self.fault);
        }
        let Some((job, began)) = &mut self.fit.running else { return };
        let (Some(done), began) = (job.poll(), *began) else { return };
        self.fit.running = None;
        match done {
            Err(fault) => self.fault = Some(fault),
            Ok(Outcome::Saved(note)) => self.fit.note = Some(note),
            Ok(Outcome::Fitted(..)) if began != self.history.revision() => {
                let message = "the muscles were changed while they were fitted, and are left as they are now";
                let (file, cure) = (self.project.name.clone(), "fit them again".into());
                self.fault = Some(Fault { file, message: message.into(), cure });
            }
            Ok(Outcome::Fitted(fitted, report)) => {
                self.fit.report = report.or(self.fit.report.take());
                self.apply(Edit::Fitted(Arc::from(fitted)));
            }
        }
    }
}
