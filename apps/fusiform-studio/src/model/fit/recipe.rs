//! Recipe: what a fit is to do.

use crate::model::{Fault, system};
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

fn read(path: &Path) -> Result<Template, Fault> {
    let bytes = system::read(path).map_err(|error| Fault::unreadable(path, &error))?;
    let text = String::from_utf8_lossy(&bytes);
    Template::parse(&text).map_err(|error| {
        let message = error.to_string();
        let line = error.line_in(&text).filter(|_| !message.starts_with("line "));
        let message = line.map_or(message.clone(), |line| format!("line {line}: {message}"));
        Fault { file: path.display().to_string(), message, cure: "mend that line, and try again".into() }
    })
}
