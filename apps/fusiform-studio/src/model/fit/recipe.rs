//! Recipe: what a fit is to do.

use super::report::{every_role, written};
use crate::model::{Fault, Fitting, system};
use fusiform::Character;
use fusiform_fit::{Found, Preset, Role, Side, Template, Wear, sort_around, sort_meshes};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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
    /// As the muscles of a character were fitted.
    #[must_use]
    pub fn of(fitting: &Fitting, character: &Character) -> Self {
        let said = every_role().filter_map(|(role, side)| {
            let joint = fitting.roles.get(&written(role, side))?.as_deref();
            let found = joint.and_then(|name| character.skeleton.find(name));
            (joint.is_none() || found.is_some()).then_some(((role, role.is_sided().then_some(side)), found))
        });
        let body = fitting.body.as_deref().and_then(|name| mesh_called(character, name));
        Self { fat: fitting.fat, body, given: said.collect(), ..Self::default() }
    }

    /// What of it is kept with the muscles, in names that mean the same when the file is opened again.
    #[must_use]
    pub fn noted(&self, fitting: &Fitting, character: &Character) -> Fitting {
        let joint = |joint: usize| character.skeleton.joints.get(joint).map(|joint| joint.name.clone());
        let given = self.given.iter();
        let roles = given.map(|(&(role, side), &of)| (written(role, side.unwrap_or(Side::Left)), of.and_then(joint)));
        let body = self.body.and_then(|body| Some((body, character.meshes.get(body)?.name.clone())));
        // of meshes of one name the first is meant
        let body = body.filter(|(body, name)| mesh_called(character, name) == Some(*body)).map(|(_, name)| name);
        Fitting { fat: self.fat, roles: roles.collect(), body, ..fitting.clone() }
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
