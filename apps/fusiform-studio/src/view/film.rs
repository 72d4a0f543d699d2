//! Film: a clip once through, solved as a bake solves it, drawn by the view's own code beside the window.

use super::Picture;
use super::still::{Easel, Sight};
use crate::model::{AsBaked, Fault, Pace, Project, Recipe, Show, Studio};
use fusiform::Musculature;
use fusiform_bake::Stopped;
use std::collections::BTreeSet;

/// Bytes of pictures that are held at once.
const MOST_BYTES: f64 = 1.5e9;
/// Shares of the progress: binding the copy, finding the start, drawing; the rest is writing.
const SHARES: [f32; 3] = [0.03, 0.15, 0.75];

/// The session as it was, to be played while the window goes on with it.
#[derive(Clone, Debug)]
pub struct Copied {
    project: Project,
    musculature: Musculature,
    levels: Vec<f32>,
    chosen: BTreeSet<usize>,
    hidden: BTreeSet<usize>,
    hidden_meshes: BTreeSet<usize>,
    joint: Option<usize>,
    show: Show,
    recipe: Recipe,
}

impl Copied {
    /// As it is now.
    #[must_use]
    pub fn of(studio: &Studio) -> Self {
        Self {
            project: studio.project.clone(),
            musculature: studio.document().musculature.clone(),
            levels: studio.live.levels().to_vec(),
            chosen: studio.chosen.clone(),
            hidden: studio.hidden.clone(),
            hidden_meshes: studio.hidden_meshes.clone(),
            joint: studio.joint,
            show: studio.show,
            recipe: studio.fit.recipe.clone(),
        }
    }

    fn open(self) -> Result<Studio, Fault> {
        let mut studio = Studio::new(self.project, self.musculature, None)?;
        (studio.chosen, studio.hidden, studio.joint, studio.show) = (self.chosen, self.hidden, self.joint, self.show);
        studio.hidden_meshes = self.hidden_meshes;
        if !self.levels.is_empty() {
            studio.live.tense(&studio.project.character, self.levels);
        }
        if studio.show == Show::Regions {
            studio.fit.recipe = self.recipe;
            studio.fit.flesh_now(&studio.project, studio.history.document())?;
        }
        Ok(studio)
    }
}

/// A GIF of a clip; nothing when it was stopped.
///
/// # Errors
/// When it is too large, or cannot be drawn.
pub async fn film(
    copied: Copied,
    mut easel: Easel,
    sight: &Sight,
    (clip, fps): (usize, u16),
    pace: &Pace,
) -> Result<Option<Vec<u8>>, Fault> {
    let told = |share: f32| pace.reach(share).map_err(|_| Stopped);
    let mut studio = copied.open()?;
    let how = AsBaked { fps, by_hand: true, ..AsBaked::default() }; // it is of the view
    let [bound, found, drawn] = SHARES;
    let finding = |done: f32| told(bound + (found - bound) * done);
    let Ok(n) = studio.live.begin_baked(&studio.project.character, clip, how, finding) else { return Ok(None) };
    check_size(&studio.project.name, n, sight.size)?;
    let mut frames: Vec<Picture> = Vec::with_capacity(n);
    for frame in 0..n {
        if told(found + (drawn - found) * frame as f32 / n as f32).is_err() {
            return Ok(None);
        }
        studio.live.show_baked(&studio.project.character, frame);
        frames.push(easel.draw(&mut studio, sight)?.develop().await?);
    }
    let writing = |done: f32| told(drawn + (1.0 - drawn) * done).is_ok();
    fusiform_picture::gif_while(&frames, f32::from(fps), writing)
        .map_err(|error| Fault::told(&studio.project.name, &error.to_string()))
}

fn check_size(name: &str, n_frame: usize, [width, height]: [u32; 2]) -> Result<(), Fault> {
    let bytes = 3.0 * n_frame as f64 * f64::from(width) * f64::from(height);
    if bytes <= MOST_BYTES {
        return Ok(());
    }
    Err(Fault {
        file: name.into(),
        message: format!("{n_frame} pictures of {width} x {height} take {:.1} GB", 1e-9 * bytes),
        cure: "use a smaller size, or fewer frames a second".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Look;

    #[test]
    fn what_is_hidden_is_hidden_in_a_film() {
        let (project, muscles) = Project::athlete(Some(3_700)).unwrap();
        let mut studio = Studio::new(project, muscles, None).unwrap();
        studio.apply(Look::Hide(3, true));
        studio.apply(Look::HideMesh(0, true));
        let copied = Copied::of(&studio).open().unwrap();
        assert!(copied.hidden.iter().eq([&3]) && copied.hidden_meshes.iter().eq([&0]));
    }
}
