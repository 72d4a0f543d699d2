//! Recipe: what a fit is to do.

use super::report::{every_role, written};
use crate::model::{Fault, Fitting, Project, Wanted, system};
use fusiform::{Character, Muscle};
use fusiform_fit::{Found, Preset, Role, Side, Template, Wear, sort_around, sort_meshes};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const HUMANOID: &str = "humanoid";
const PAIRS: &str = "pairs";

/// Which muscles a body is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Anatomy {
    /// A human's where its joints are known as a human's, opposed pairs where they are not.
    #[default]
    Found,
    /// A human's.
    Humanoid,
    /// Two opposed muscles on every bone that carries flesh.
    Pairs,
    /// Those of a template in a file.
    File(PathBuf),
}

impl Anatomy {
    /// Where the muscles lie: as it is kept with them, or as their names tell.
    fn of(fitting: &Fitting, project: &Project, muscles: &[Muscle]) -> Self {
        let beside = || project.path.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        let is_pair = |muscle: &Muscle| muscle.name.ends_with(".flexor") || muscle.name.ends_with(".extensor");
        match fitting.template.as_deref() {
            Some(HUMANOID) => Self::Humanoid,
            Some(PAIRS) => Self::Pairs,
            Some(file) => Self::File(beside().join(file)),
            None if !muscles.is_empty() && muscles.iter().all(is_pair) => Self::Pairs,
            None => Self::Found,
        }
    }

    /// As it is kept with the muscles: a file by its name alone, since whoever gets them has other folders.
    fn noted(&self) -> Option<String> {
        match self {
            Self::Found => None,
            Self::Humanoid => Some(HUMANOID.into()),
            Self::Pairs => Some(PAIRS.into()),
            Self::File(path) => path.file_name().and_then(|name| name.to_str()).map(Into::into),
        }
    }

    /// Whether it can be used.
    ///
    /// # Errors
    /// When its file cannot be read, or is no template: with line and column.
    pub fn check(&self) -> Result<(), Fault> {
        match self {
            Self::File(path) => read(path).map(drop),
            Self::Found | Self::Humanoid | Self::Pairs => Ok(()),
        }
    }
}

/// What a fit is to do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recipe {
    /// Which muscles.
    pub anatomy: Anatomy,
    /// Whose muscles.
    pub preset: Preset,
    /// Thickness of skin and fat over them, m; by the body's height where nothing is said.
    pub fat: Option<f32>,
    /// The mesh that is the body; the surface about the bones where nothing is said.
    pub body: Option<usize>,
    /// Roles a person gave: to a joint, or to none.
    pub given: BTreeMap<(Role, Option<Side>), Option<usize>>,
}

impl Recipe {
    /// As the next fit of a character with these muscles is told; whose they are and where they lie, it is to be like the
    /// last.
    #[must_use]
    pub fn of(fitting: &Fitting, project: &Project, muscles: &[Muscle]) -> Self {
        let (anatomy, preset) =
            (Anatomy::of(fitting, project, muscles), preset_of(fitting, muscles).unwrap_or_default());
        Self { anatomy, preset, ..Self::wanted(&fitting.wanted(), &project.character) }
    }

    /// What of it is in names.
    fn wanted(fitting: &Wanted, character: &Character) -> Self {
        let said = every_role().filter_map(|(role, side)| {
            let joint = fitting.roles.get(&written(role, side))?.as_deref();
            let found = joint.and_then(|name| character.skeleton.find(name));
            (joint.is_none() || found.is_some()).then_some(((role, role.is_sided().then_some(side)), found))
        });
        let body = fitting.body.as_deref().and_then(|name| mesh_called(character, name));
        Self { fat: fitting.fat, body, given: said.collect(), ..Self::default() }
    }

    /// Follow what was edited, redone or taken back.
    pub fn follow(&mut self, [before, now]: [&Fitting; 2], project: &Project, muscles: &[Muscle]) {
        let (told, is, wanted) = (Self::of(now, project, muscles), self.named(&project.character), now.wanted());
        let Self { anatomy, preset, fat, body, given } = self;
        *fat = wanted.fat;
        // a mesh without a name of its own is in no document
        if is.body != wanted.body {
            *body = told.body;
        }
        if is.roles != wanted.roles {
            *given = told.given;
        }
        // what is chosen in the window and was not run yet stays
        if before.template != now.template && anatomy.noted() != now.template {
            *anatomy = told.anatomy;
        }
        if before.preset != now.preset && now.preset.as_deref() != Some(preset.name()) {
            *preset = told.preset;
        }
    }

    /// The muscles there are, once it has been run; what is told of them stays.
    #[must_use]
    pub fn noted(&self, fitting: &Fitting, character: &Character) -> Fitting {
        let Wanted { fat, roles, body } = self.named(character);
        let (template, preset) = (self.anatomy.noted(), Some(self.preset.name().into()));
        Fitting { fat, roles, body, template, preset, next: None, ..fitting.clone() }
    }

    /// What of it is an edit, in names that mean the same when the file is opened again.
    #[must_use]
    pub fn named(&self, character: &Character) -> Wanted {
        let joint = |joint: usize| character.skeleton.joints.get(joint).map(|joint| joint.name.clone());
        let given = self.given.iter();
        let roles = given.map(|(&(role, side), &of)| (written(role, side.unwrap_or(Side::Left)), of.and_then(joint)));
        let body = self.body.and_then(|body| Some((body, character.meshes.get(body)?.name.clone())));
        // of meshes of one name the first is meant
        let body = body.filter(|(body, name)| mesh_called(character, name) == Some(*body)).map(|(_, name)| name);
        Wanted { fat: self.fat, roles: roles.collect(), body }
    }

    /// What each mesh is.
    #[must_use]
    pub fn wear(&self, character: &Character) -> Vec<Wear> {
        match self.body.and_then(|body| character.meshes.get(body)) {
            Some(body) => sort_around(character, |mesh| std::ptr::eq(mesh, body)),
            None => sort_meshes(character),
        }
    }

    /// What is found, and over it what a person says.
    #[must_use]
    pub fn roles(&self, found: &Found) -> Found {
        let mut found = found.clone();
        for (&(role, side), &joint) in &self.given {
            found.give(role, side.unwrap_or(Side::Left), joint);
        }
        found
    }

    /// The template; none for pairs.
    ///
    /// # Errors
    /// When its file cannot be read, or is no template: with line and column.
    pub fn template(&self, found: &Found) -> Result<Option<Template>, Fault> {
        match &self.anatomy {
            Anatomy::Found => Ok(self.roles(found).roles.is_humanoid().then(Template::humanoid)),
            Anatomy::Humanoid => Ok(Some(Template::humanoid())),
            Anatomy::Pairs => Ok(None),
            Anatomy::File(path) => read(path).map(Some),
        }
    }
}

/// Whose muscles they are: as it is kept with them while any is, or else as most of them tell; none where there are none.
#[must_use]
pub fn preset_of(fitting: &Fitting, muscles: &[Muscle]) -> Option<Preset> {
    let count = |preset: &Preset| muscles.iter().filter(|muscle| Preset::of(muscle) == *preset).count();
    let noted = fitting.preset.as_deref().and_then(Preset::named).filter(|preset| count(preset) > 0);
    let most = || Preset::ALL.into_iter().filter(|preset| count(preset) > 0).max_by_key(count);
    noted.or_else(most)
}

fn mesh_called(character: &Character, name: &str) -> Option<usize> {
    character.meshes.iter().position(|mesh| mesh.name == name)
}

fn read(path: &Path) -> Result<Template, Fault> {
    if path.as_os_str().is_empty() {
        let cure = "choose one in the window of the fit, or another template".into();
        return Err(Fault { cure, ..Fault::told("Template file", "no file is named") });
    }
    let bytes = system::read(path).map_err(|error| Fault::unreadable(path, &error))?;
    let text = String::from_utf8_lossy(&bytes);
    Template::parse(&text).map_err(|error| {
        let message = error.to_string();
        let line = error.line_in(&text).filter(|_| !message.starts_with("line "));
        let message = line.map_or(message.clone(), |line| format!("line {line}: {message}"));
        let cure =
            if message.starts_with("line ") { "mend that line, and try again" } else { "mend it, and try again" };
        Fault { file: path.display().to_string(), message, cure: cure.into() }
    })
}
