//! Folder: what is in one, for people to choose from.

use super::{Fault, system};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

/// Files of one kind, known by their endings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// What people call one of them.
    pub name: &'static str,
    /// Without the dot, in small letters; the first is added to names that have none of them.
    pub endings: &'static [&'static str],
}

impl Kind {
    /// Characters.
    pub const CHARACTER: Self = Self { name: "character", endings: &["glb", "gltf"] };
    /// Captured motions.
    pub const MOTION: Self = Self { name: "motion", endings: &["bvh"] };
    /// Templates of muscles.
    pub const TEMPLATE: Self = Self { name: "template", endings: &["toml"] };
    /// Pictures.
    pub const PICTURE: Self = Self { name: "picture", endings: &["png"] };
    /// Moving pictures.
    pub const ANIMATION: Self = Self { name: "animation", endings: &["gif"] };
    /// What muscles are baked into.
    pub const BAKED: Self = Self { name: "bake", endings: &["glb", "gltf", "pc2", "mdd", "usda"] };

    /// Whether a file is of this kind by its name.
    #[must_use]
    pub fn has(&self, path: &Path) -> bool {
        let is = |of: &std::ffi::OsStr| self.endings.iter().any(|ending| of.eq_ignore_ascii_case(ending));
        path.extension().is_some_and(is)
    }

    /// The path with an ending of this kind, added where it has none.
    #[must_use]
    pub fn named(&self, path: PathBuf) -> PathBuf {
        match self.endings.first() {
            Some(ending) if !self.has(&path) => {
                let mut name = path.into_os_string();
                name.push(".");
                name.push(ending);
                name.into()
            }
            _ => path,
        }
    }

    /// Its endings as people write them: `.glb, .gltf`.
    #[must_use]
    pub fn told(&self) -> String {
        self.endings.iter().map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(", ")
    }
}

/// A folder as it was when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// Where it is; absolute.
    pub path: PathBuf,
    /// What is in it: folders first, by name.
    pub entries: Vec<Entry>,
    modified: Option<SystemTime>,
}

/// A file or folder in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it is.
    pub path: PathBuf,
    /// Its name as it can be shown: not every name is text.
    pub label: String,
    /// Whether it is a folder, or a link to one.
    pub is_folder: bool,
    /// Bytes.
    pub length: u64,
}

impl Folder {
    /// Read it.
    ///
    /// # Errors
    /// When it is no folder, or may not be read.
    pub fn read(path: &Path) -> Result<Self, Fault> {
        let path = tidy(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
        let fault = |error: std::io::Error| Fault {
            file: path.display().to_string(),
            message: error.to_string(),
            cure: "choose a folder that is there and that you may read".into(),
        };
        let read = std::fs::read_dir(&path).map_err(fault)?;
        let mut entries: Vec<Entry> = read.flatten().map(|entry| Entry::of(&entry.path())).collect();
        let order = |entry: &Entry| (!entry.is_folder, entry.label.to_lowercase(), entry.path.clone());
        entries.sort_by_cached_key(order);
        let modified = system::modified(&path);
        Ok(Self { path, entries, modified })
    }

    /// Whether something came or went since it was read.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        system::modified(&self.path) != self.modified
    }

    /// What a typed name or path means here: `~` is home, and what is not absolute is in this folder.
    #[must_use]
    pub fn resolve(&self, typed: &str) -> PathBuf {
        let typed = typed.trim();
        if typed == "~" {
            return home().unwrap_or_else(|| self.path.clone());
        }
        match (typed.strip_prefix("~/"), home()) {
            (Some(rest), Some(home)) => tidy(&home.join(rest)),
            _ => tidy(&self.path.join(typed)),
        }
    }
}

impl Entry {
    fn of(path: &Path) -> Self {
        let label = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let about = path.metadata().ok();
        let is_folder = about.as_ref().is_some_and(std::fs::Metadata::is_dir);
        Self { path: path.to_owned(), label, is_folder, length: about.map_or(0, |about| about.len()) }
    }

    /// Whether people usually do not want to see it.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        self.label.starts_with('.')
    }
}

/// Where this user's files are.
#[must_use]
pub fn home() -> Option<PathBuf> {
    let of = |name: &str| std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    of("HOME").or_else(|| of("USERPROFILE"))
}

/// Without `.` and `..`, as the names say; links are not followed.
fn tidy(path: &Path) -> PathBuf {
    let mut tidied = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = tidied.pop(),
            part => tidied.push(part),
        }
    }
    tidied
}
