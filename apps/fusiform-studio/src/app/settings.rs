//! Settings: how somebody likes the window, whatever is open in it, from one start of the program to the next.

use crate::model::{system, write_whole};
use crate::panels::Mouse;
use egui::{Context, ThemePreference};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Sizes that can be worked with.
const ZOOM: [f32; 2] = [0.5, 4.0];

/// What is liked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Likes {
    mouse: Mouse,
    /// Dark, light, or as the system has it.
    dark: Option<bool>,
    /// Size of everything; none is that of the system.
    zoom: Option<f32>,
}

/// What is liked, and where that is written down.
#[derive(Debug, Default)]
pub(super) struct Settings {
    file: Option<PathBuf>, // none remembers only as long as the window is open
    likes: Likes,
}

impl Settings {
    /// As written down in that folder; what cannot be read is as nobody had chosen anything.
    pub fn in_folder(folder: Option<&Path>) -> Self {
        let file = folder.map(|folder| folder.join("settings.json"));
        let text = file.as_deref().and_then(|file| system::read(file).ok()).unwrap_or_default();
        Self { likes: serde_json::from_slice(&text).unwrap_or_default(), file }
    }

    /// Whose mouse.
    pub fn mouse(&self) -> Mouse {
        self.likes.mouse
    }

    /// The window as it is liked.
    pub fn dress(&self, context: &Context) {
        context.set_theme(match self.likes.dark {
            Some(true) => ThemePreference::Dark,
            Some(false) => ThemePreference::Light,
            None => ThemePreference::System,
        });
        if let Some(zoom) = self.likes.zoom.filter(|zoom| zoom.is_finite()) {
            context.set_zoom_factor(zoom.clamp(ZOOM[0], ZOOM[1]));
        }
    }

    /// Remember how the window is liked now.
    pub fn heed(&mut self, context: &Context, mouse: Option<Mouse>) {
        let zoom = context.zoom_factor();
        let likes = Likes {
            mouse: mouse.unwrap_or(self.likes.mouse),
            dark: match context.options(|options| options.theme_preference) {
                ThemePreference::Dark => Some(true),
                ThemePreference::Light => Some(false),
                ThemePreference::System => None,
            },
            zoom: self.likes.zoom.or(Some(1.0).filter(|usual| zoom != *usual)).map(|_| zoom),
        };
        if likes != self.likes {
            self.likes = likes;
            self.write();
        }
    }

    fn write(&self) {
        let (Some(file), Ok(text)) = (&self.file, serde_json::to_vec_pretty(&self.likes)) else { return };
        // one can do without
        let _ = file.parent().map(system::make_folder);
        let _ = write_whole(file, &text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_chosen_is_there_at_the_next_start() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = Settings::in_folder(Some(folder.path()));
        let context = Context::default();
        first.dress(&context);
        first.heed(&context, None);
        assert!(!folder.path().join("settings.json").exists(), "nobody chose anything");
        context.set_theme(ThemePreference::Light);
        first.heed(&context, Some(Mouse::Blender));
        let again = Settings::in_folder(Some(folder.path()));
        assert_eq!((again.mouse(), again.likes), (Mouse::Blender, first.likes));
        let context = Context::default();
        again.dress(&context);
        assert_eq!(context.options(|options| options.theme_preference), ThemePreference::Light);
    }

    #[test]
    fn settings_that_cannot_be_read_are_none() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["", "{", "[1]", r#"{"mouse":"Trackball"}"#, r#"{"zoom":1e99}"#] {
            std::fs::write(folder.path().join("settings.json"), text).unwrap();
            Settings::in_folder(Some(folder.path())).dress(&Context::default());
        }
    }
}
