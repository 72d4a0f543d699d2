//! Work: what is done beside the window, on a copy of what there is.

use super::again::keeps_settings;
use super::report::Report;
use super::{Fitted, Recipe, behaves_as, fat};
use crate::model::{Document, Fault, Pace, Project, Studio, system, twin, write_whole};
use fusiform::{Muscle, Musculature};
use fusiform_fit::{Extracted, Flesh, Found, Preset, Rigged, Roles, Stage, Stopped, Template, Toward, extract};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// What came of it.
#[derive(Debug)]
pub enum Outcome {
    /// Muscles, and how a whole fit came out.
    Fitted(Box<Fitted>, Option<Report>),
    /// A file, and what there is to say of it.
    Saved(String),
}

/// What is worked on.
#[derive(Debug)]
pub struct Subject {
    project: Project,
    document: Document,
    recipe: Recipe,
    found: Found,
    chosen: BTreeSet<usize>,
    mirrored: bool,
    flesh: OnceCell<Arc<Flesh>>,
}

impl Subject {
    /// As it is now.
    pub fn of(studio: &Studio) -> Self {
        let (document, fit) = (studio.document().clone(), &studio.fit);
        Self {
            project: studio.project.clone(),
            recipe: fit.recipe.clone(),
            found: fit.recipe.roles(&fit.found),
            chosen: studio.chosen.clone(),
            mirrored: studio.mirrored,
            flesh: fit.fresh_flesh(&document).map(OnceCell::from).unwrap_or_default(),
            document,
        }
    }

    /// The chosen muscles, and those of the other side while that follows.
    fn chosen(&self, flesh: &Flesh) -> BTreeSet<usize> {
        let muscles = self.document.muscles();
        let of_pairs = |m: usize| {
            let (bone, is_flexor) = flesh.bone_of(&muscles[m].name)?;
            let name = &flesh.muscles_of(flesh.bones()[bone].twin?)[usize::from(!is_flexor)];
            muscles.iter().position(|muscle| muscle.name == *name)
        };
        let twins = self.chosen.iter().filter_map(|&m| twin(&self.project, muscles, m).or_else(|| of_pairs(m)));
        self.chosen.iter().copied().chain(twins.filter(|_| self.mirrored)).collect()
    }

    fn told(&self, error: impl ToString) -> Fault {
        Fault::told(&self.project.name, &error.to_string())
    }

    fn flesh(&self, pace: &Pace) -> Result<Arc<Flesh>, Fault> {
        if let Some(flesh) = self.flesh.get() {
            return Ok(flesh.clone());
        }
        let character = &self.project.character;
        let flesh = Flesh::heard(character, &self.recipe.wear(character), &mut |stage| heard(pace, stage));
        let flesh = flesh.map_err(|error| self.told(error))?;
        Ok(self.flesh.get_or_init(|| Arc::new(flesh)).clone())
    }

    /// Thickness of skin and fat, m: as the window of the fit says, or as the muscles were fitted.
    fn fat(&self) -> f32 {
        self.recipe.fat.unwrap_or_else(|| fat(&self.project, &self.document.fitting))
    }

    fn template(&self) -> Result<Option<Template>, Fault> {
        self.recipe.template(&self.found)
    }

    /// What tells of muscles by their names; a human's where there is no other, or its file is gone.
    fn like(&self) -> Template {
        self.template().ok().flatten().unwrap_or_else(Template::humanoid)
    }

    fn rig(&self, template: Option<&Template>, preset: Preset, fat: f32, pace: &Pace) -> Result<Rigged, Fault> {
        let hear = |stage| heard(pace, stage);
        let character = &self.project.character;
        let rigged = match template {
            Some(template) => {
                let wear = self.recipe.wear(character);
                fusiform_fit::rig(character, &wear, &self.found.roles, template, preset, fat, hear)
            }
            None => {
                let turned = &self.document.fitting.turned;
                self.flesh(pace)?.rig(|bone| turned.get(bone).copied(), preset, fat, hear)
            }
        };
        rigged.map_err(|error| self.told(error))
    }

    /// The document with some muscles changed, and their weights; all others' stay.
    fn fitted(&self, label: &'static str, changed: BTreeMap<usize, Muscle>, pace: &Pace) -> Result<Fitted, Fault> {
        heard(pace, Stage::Weights).map_err(|error| self.told(error))?;
        let Document { mut musculature, fitting, .. } = self.document.clone();
        let which: BTreeSet<usize> = changed.keys().copied().collect();
        changed.into_iter().for_each(|(m, muscle)| musculature.muscles[m] = muscle);
        let flesh = self.flesh(pace)?;
        let eased = eased_roles(&musculature, &which, &flesh, &self.found.roles);
        flesh.weigh(&mut musculature, &which, eased).map_err(|error| self.told(error))?;
        Ok(Fitted { label, musculature, fitting, chosen: None, warnings: Vec::new() })
    }

    fn nothing_chosen(&self) -> Option<Fault> {
        let cure = "choose them in the view or in the list".into();
        let told = Fault { file: self.project.name.clone(), message: "no muscle is chosen".into(), cure };
        self.chosen.is_empty().then_some(told)
    }
}

/// Tell which stage begins, and hear whether it is still wanted.
fn heard(pace: &Pace, stage: Stage) -> Result<(), Stopped> {
    let at = Stage::ALL.iter().position(|other| *other == stage).unwrap_or(0);
    pace.reach(at as f32 / Stage::ALL.len() as f32).map_err(|_| Stopped)
}

/// Roles by which muscles let go of most of their skin: those of a human with Pratscher's shells.
fn eased_roles<'a>(
    musculature: &Musculature,
    which: &BTreeSet<usize>,
    flesh: &Flesh,
    roles: &'a Roles,
) -> Option<&'a Roles> {
    let is_eased = |&m: &usize| {
        let muscle = &musculature.muscles[m];
        Preset::of(muscle) == Preset::Pratscher && flesh.bone_of(&muscle.name).is_none()
    };
    (roles.is_humanoid() && which.iter().any(is_eased)).then_some(roles)
}

/// Muscles for the whole body. How it is built stays, what is keyed for muscles that are still there, and planes that were
/// turned stay turned.
pub fn run(subject: &Subject, pace: &Pace) -> Result<Outcome, Fault> {
    let begin = system::Instant::now();
    let (recipe, template) = (&subject.recipe, subject.template()?);
    let fitting = recipe.noted(&subject.document.fitting, &subject.project.character);
    let fat = fat(&subject.project, &fitting);
    let mut rigged = subject.rig(template.as_ref(), recipe.preset, fat, pace)?;
    let name = template.as_ref().map_or("pairs", |template| &template.name);
    if rigged.musculature.muscles.is_empty() {
        let cure = "say in the window of the fit which joint is which, or choose the template pairs".into();
        let message = format!("no muscle of {name} can be placed: this body lacks their bones, or room for them");
        return Err(Fault { cure, ..subject.told(message) });
    }
    let made = std::mem::take(&mut rigged.musculature);
    rigged.musculature = keeps_settings(&subject.document, (&fitting, recipe.preset), made, &mut rigged.warnings);
    let mut report = Report::of(name, recipe.preset, &subject.found, &rigged, begin.elapsed().as_secs_f32());
    if template.is_none() {
        report.missing.clear(); // pairs need no roles
    }
    let Rigged { musculature, warnings, .. } = rigged;
    let fitted = Fitted { label: "Fit", musculature, fitting, chosen: Some(BTreeSet::new()), warnings };
    Ok(Outcome::Fitted(Box::new(fitted), Some(report)))
}

/// The chosen muscles shaped to the skin where they lie now.
pub fn shape(subject: &Subject, pace: &Pace) -> Result<Outcome, Fault> {
    if let Some(fault) = subject.nothing_chosen() {
        return Err(fault);
    }
    let (flesh, fitting) = (subject.flesh(pace)?, &subject.document.fitting);
    let (template, chosen) = (subject.like(), subject.chosen(&flesh));
    let mut muscles: Vec<Muscle> = chosen.iter().map(|&m| subject.document.muscles()[m].clone()).collect();
    let toward = |muscle: &Muscle| match flesh.bone_of(&muscle.name) {
        Some((bone, is_flexor)) => {
            flesh.toward(bone, fitting.turned.get(&flesh.bones()[bone].name).copied(), is_flexor)
        }
        None => template.toward(&muscle.name).unwrap_or(Toward::Outward),
    };
    let toward: Vec<Toward> = muscles.iter().map(toward).collect();
    let shaped = flesh.shape(&mut muscles, &toward, subject.fat());
    shaped.map_err(|error| subject.told(error))?;
    let changed = chosen.into_iter().zip(muscles).collect();
    Ok(Outcome::Fitted(Box::new(subject.fitted("Shape to the skin", changed, pace)?), None))
}

/// The chosen muscles where the template has them; how they behave stays.
pub fn place_again(subject: &Subject, pace: &Pace) -> Result<Outcome, Fault> {
    if let Some(fault) = subject.nothing_chosen() {
        return Err(fault);
    }
    let flesh = subject.flesh(pace)?;
    let (fitting, fat) = (&subject.document.fitting, subject.fat());
    let (mut changed, mut unknown) = (BTreeMap::new(), Vec::new());
    let mut rigged: Vec<(Preset, Rigged)> = Vec::new();
    for m in subject.chosen(&flesh) {
        let old = &subject.document.muscles()[m];
        let preset = Preset::of(old);
        let fresh = if let Some((bone, is_flexor)) = flesh.bone_of(&old.name) {
            let turned = fitting.turned.get(&flesh.bones()[bone].name).copied();
            let pair = flesh.pair(bone, turned, preset, fat).map_err(|error| subject.told(error))?;
            pair.map(|pair| pair[usize::from(!is_flexor)].clone())
        } else {
            if rigged.iter().all(|(of, _)| *of != preset) {
                rigged.push((preset, subject.rig(subject.template()?.as_ref(), preset, fat, pace)?));
            }
            let made = rigged.iter().find(|(of, _)| *of == preset).map(|(_, rigged)| &rigged.musculature);
            made.and_then(|made| Some(made.muscles[made.find(&old.name)?].clone()))
        };
        match fresh {
            Some(fresh) => _ = changed.insert(m, behaves_as(old, fresh)),
            None => unknown.push(old.name.clone()),
        }
    }
    if changed.is_empty() {
        let (file, message) = (subject.project.name.clone(), format!("no template has {}", unknown.join(", ")));
        return Err(Fault { file, message, cure: "choose another template in the window of the fit".into() });
    }
    let mut fitted = subject.fitted("Place again", changed, pace)?;
    if !unknown.is_empty() {
        fitted.warnings.push(format!("no template has {}: left where they are", unknown.join(", ")));
    }
    Ok(Outcome::Fitted(Box::new(fitted), None))
}

/// The present muscles as a template, as `fusiform template extract` writes it; read back before it is written.
pub fn save_template(subject: &Subject, path: &Path, pace: &Pace) -> Result<Outcome, Fault> {
    let (character, musculature) = (&subject.project.character, &subject.document.musculature);
    if musculature.muscles.is_empty() {
        return Err(Fault { cure: "fit some first".into(), ..subject.told("there are no muscles") });
    }
    let like = subject.like();
    let wear = subject.recipe.wear(character);
    let extracted = extract(character, musculature, &wear, &subject.found.roles, &like);
    let Extracted { template, of, off, off_muscle, warnings } = extracted.map_err(|error| subject.told(error))?;
    if template.muscles.is_empty() {
        let cure = "templates need joints that are known: say in the window of the fit which is which".into();
        return Err(Fault { cure, ..subject.told("none of its muscles can be said by roles of joints") });
    }
    let text = template.to_toml();
    Template::parse(&text).map_err(|error| subject.told(error))?;
    pace.reach(1.0).map_err(|_| subject.told(Stopped))?;
    write_whole(path, text.as_bytes())?;
    let (written, total) = (of.iter().flatten().count(), of.len());
    let worst = off_muscle.map_or(String::new(), |muscle| format!(" ({muscle})"));
    let mut note = format!(
        "{}: {written} of {total} muscles; placed again in the same body they lie at most {:.2} mm off{worst}",
        path.display(),
        1e3 * off
    );
    warnings.iter().for_each(|warning| note += &format!("\n{warning}"));
    Ok(Outcome::Saved(note))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Anatomy, Job};

    /// Work on the athlete that begins when it has been told to stop: how far it comes, and what it says.
    fn stopped(
        anatomy: Anatomy,
        work: impl FnOnce(&Subject, &Pace) -> Result<Outcome, Fault> + Send + 'static,
    ) -> (f32, Fault) {
        let (project, muscles) = Project::athlete(Some(3_700)).unwrap();
        let mut studio = Studio::new(project, muscles, None).unwrap();
        studio.chosen = [0].into();
        studio.fit.recipe.anatomy = anatomy;
        let subject = Subject::of(&studio);
        let mut job = Job::begin("Fit", move |pace| {
            while pace.reach(0.0).is_ok() {
                std::thread::yield_now();
            }
            work(&subject, pace)
        });
        job.stop();
        let outcome = loop {
            if let Some(outcome) = job.poll() {
                break outcome;
            }
        };
        (job.share(), outcome.unwrap_err())
    }

    #[test]
    fn what_is_stopped_ends_before_its_next_stage() {
        for anatomy in [Anatomy::Humanoid, Anatomy::Pairs] {
            for work in [run, shape, place_again] {
                let (share, fault) = stopped(anatomy.clone(), work);
                assert!(share < 1.0 / Stage::ALL.len() as f32 && fault.message.contains("stopped"), "{share} {fault}");
            }
        }
    }
}
