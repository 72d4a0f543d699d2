//! Recent: files that were opened or saved lately.

use super::any_path::AnyPath;
use super::{system, write_whole};
use std::path::{Path, PathBuf};

/// Files that are remembered.
const MOST: usize = 10;

/// Files that were opened or saved lately, the last one first.
#[derive(Clone, Debug, Default)]
pub struct Recent {
    file: Option<PathBuf>, // where they are written down; none remembers them only as long as the window is open
    paths: Vec<PathBuf>,
}

impl Recent {
    /// As written down in that folder; none remembers for now only.
    #[must_use]
    pub fn in_folder(folder: Option<&Path>) -> Self {
        let file = folder.map(|folder| folder.join("recent.json"));
        let paths = file.as_deref().map(read).unwrap_or_default();
        Self { file, paths }
    }

    /// The files, the last one first.
    #[must_use]
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// It was opened or saved just now.
    pub fn add(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.read_again();
        self.paths.retain(|other| *other != path);
        self.paths.insert(0, path);
        self.paths.truncate(MOST);
        self.write();
    }

    /// It is not wanted in the list.
    pub fn remove(&mut self, path: &Path) {
        self.read_again();
        self.paths.retain(|other| other != path);
        self.write();
    }

    /// Another window may have added some.
    fn read_again(&mut self) {
        if let Some(file) = &self.file {
            self.paths = read(file);
        }
    }

    fn write(&self) {
        let Some(file) = &self.file else { return };
        let paths: Vec<AnyPath> = self.paths.iter().cloned().map(AnyPath).collect();
        let Ok(text) = serde_json::to_vec_pretty(&paths) else { return };
        // a list that cannot be written is one that people can do without
        let _ = file.parent().map(system::make_folder);
        let _ = write_whole(file, &text);
    }
}

fn read(file: &Path) -> Vec<PathBuf> {
    let text = system::read(file).unwrap_or_default();
    let paths: Vec<AnyPath> = serde_json::from_slice(&text).unwrap_or_default();
    paths.into_iter().map(|AnyPath(path)| path).take(MOST).collect()
}
