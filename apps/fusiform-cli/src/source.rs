//! What a command reads: the built-in athlete, or a file.

use crate::failure::Failure;
use crate::output;
use crate::ui::Ui;
use fusiform::{Character, Musculature};
use fusiform_athlete::VERTICES;
use fusiform_files::gltf::{Gltf, Origin, Scene, read_beside};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Vertices of the athlete when nobody asks for another count.
pub const ATHLETE_VERTICES: usize = 20_000;

/// An input argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The built-in character with about so many vertices.
    Athlete(usize),
    /// A file.
    File(PathBuf),
}

/// A character to work on, and what people call it.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The input argument as it was given.
    pub file: String,
    /// Skeleton, skin, clips.
    pub character: Character,
    /// Its muscles; none, and no layer, where the file has none.
    pub musculature: Musculature,
    /// The file it is in; the built-in character is in one that was made for it.
    pub gltf: Gltf,
    /// Where in that file.
    pub origin: Origin,
    /// What was mended or left alone while reading.
    pub warnings: Vec<String>,
}

impl Subject {
    /// What is to be written to a file of that name: glTF as text, or all of it as one binary file.
    pub fn bytes_for(&self, output: &Path) -> Result<Vec<u8>, Failure> {
        match output::is_text(output) {
            true => Ok(self.gltf.to_gltf()),
            false => self.gltf.to_glb().map_err(|error| Failure::file(&self.file, &error)),
        }
    }

    /// Images beside a .gltf come along when it is written into another folder.
    fn bring_images(&mut self, input: &Source, output: &Path) {
        let Source::File(path) = input else { return };
        let folder = |path: &Path| output::folder_of(path).canonicalize().ok();
        if folder(path) != folder(output) {
            let lost = self.gltf.embed_images(read_beside(&output::folder_of(path)));
            self.warnings.extend(lost);
        }
    }
}

impl FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("the name is empty; write the name of a file, or athlete for the built-in character".into());
        }
        let Some(rest) = text.strip_prefix("athlete") else { return Ok(Self::File(text.into())) };
        match rest.strip_prefix(':') {
            Some(count) => count.parse().map(Self::Athlete).map_err(|_| {
                format!("{count:?} is not a count of vertices from {} to {}", VERTICES.start(), VERTICES.end())
            }),
            None if rest.is_empty() => Ok(Self::Athlete(ATHLETE_VERTICES)),
            None => Ok(Self::File(text.into())),
        }
    }
}

impl Source {
    /// Read or make a character that is to be written to `output`: refused when that cannot be, or when muscles are baked into
    /// it already.
    pub fn load_for(&self, output: &Path, ui: &Ui) -> Result<Subject, Failure> {
        output::check(output)?;
        let mut subject = self.load(ui)?;
        if subject.origin.baked {
            return Err(Failure::input(&subject.file, "muscles are already baked into it")
                .at("asset.extras.fusiform")
                .cure("use the file it was baked from"));
        }
        subject.bring_images(self, output);
        Ok(subject)
    }

    /// Read or make the character.
    pub fn load(&self, ui: &Ui) -> Result<Subject, Failure> {
        match self {
            Self::Athlete(vertices) => self.athlete(*vertices, ui),
            Self::File(path) => self.file(path),
        }
    }

    /// The athlete is put into a file in memory and read from there, so that it is to the bit what its file would be.
    fn athlete(&self, vertices: usize, ui: &Ui) -> Result<Subject, Failure> {
        const STEPS: f32 = 100.0;
        let bar = ui.progress("Growing", STEPS as usize);
        let made = fusiform_athlete::athlete_with(vertices, |done| bar.set_position((done * STEPS) as u64));
        let athlete = made.map_err(|error| Failure::told(self.to_string(), &error))?;
        let mut gltf = Gltf::from_character(&athlete.character);
        let scene = Scene::read(&gltf).map_err(|error| Failure::file(&self.to_string(), &error))?;
        gltf.set_musculature(&scene.origin, &athlete.musculature);
        self.subject("athlete", gltf)
    }

    fn file(&self, path: &Path) -> Result<Subject, Failure> {
        let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
        let beside = read_beside(path.parent().unwrap_or(Path::new(".")));
        let gltf = Gltf::read(&bytes, beside).map_err(|error| Failure::file(&self.to_string(), &error))?;
        self.subject(&path.file_stem().unwrap_or_default().to_string_lossy(), gltf)
    }

    fn subject(&self, name: &str, gltf: Gltf) -> Result<Subject, Failure> {
        let Scene { mut character, musculature, origin, warnings } =
            Scene::read(&gltf).map_err(|error| Failure::file(&self.to_string(), &error))?;
        character.name = name.to_owned();
        let musculature = musculature.unwrap_or_default();
        Ok(Subject { file: self.to_string(), character, musculature, gltf, origin, warnings })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Athlete(ATHLETE_VERTICES) => f.write_str("athlete"),
            Self::Athlete(vertices) => write!(f, "athlete:{vertices}"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    match path.is_dir() {
        true => Failure::input(path.display().to_string(), "this is a folder")
            .cure("give the name of a file in it, or write `athlete` for the built-in character"),
        false => Failure::io(path, "the file cannot be read", error)
            .cure("check the path, or write `athlete` for the built-in character"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_athlete_is_the_built_in_character_and_anything_else_a_file() {
        assert_eq!("athlete".parse(), Ok(Source::Athlete(ATHLETE_VERTICES)));
        assert_eq!("athlete:5000".parse(), Ok(Source::Athlete(5000)));
        assert_eq!("athlete.glb".parse(), Ok(Source::File("athlete.glb".into())));
        assert_eq!("./athlete".parse(), Ok(Source::File("./athlete".into())));
        for nothing in ["", "athlete:", "athlete:many", "athlete:-1", "athlete:999999999999999999999"] {
            assert!(nothing.parse::<Source>().is_err(), "{nothing}");
        }
    }
}
