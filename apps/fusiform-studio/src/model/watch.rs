//! Watch: what a session is at, for those who look from outside: the page around it in a browser, tests.

use super::{Document, Studio};
use serde::Serialize;
use std::fmt::{self, Write};

/// What a session is at.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Watch {
    /// What people call it.
    pub name: String,
    /// The same for the same document, whatever led to it.
    pub document: String,
    /// Counts up with whatever happens to the document.
    pub revision: u64,
    /// How many muscles it has.
    pub n_muscle: usize,
    /// How many vertices its skin has.
    pub n_vertex: usize,
    /// Names of the muscles that are chosen.
    pub chosen: Vec<String>,
    /// Steps that can be taken back.
    pub undo: usize,
    /// Steps that can be done again.
    pub redo: usize,
    /// Whether there is something that is in no file.
    pub is_unsaved: bool,
    /// Whether all of that is where a crash does not reach it.
    pub is_kept: bool,
    /// The clip that is played.
    pub clip: Option<String>,
    /// Moment of it, s.
    pub time: f32,
    /// Whether time goes on.
    pub runs: bool,
    /// What is in hand.
    pub tool: String,
    /// What the view shows.
    pub show: String,
    /// What undo would take back.
    pub undoes: Option<String>,
    /// What is wrong, if anything.
    pub fault: Option<String>,
}

impl Watch {
    /// As it is now.
    #[must_use]
    pub fn of(studio: &Studio) -> Self {
        Self::after(studio, None)
    }

    /// As it is now, with what was seen of the same session before: a document that is still the same is not read again.
    #[must_use]
    pub fn after(studio: &Studio, last: Option<&Self>) -> Self {
        let revision = studio.history.revision();
        let last = last.filter(|last| last.revision == revision && last.name == studio.project.name);
        let (undo, redo) = studio.history.steps();
        let (character, playing) = (&studio.project.character, &studio.live.playing);
        Self {
            name: studio.project.name.clone(),
            document: last.map_or_else(|| format!("{:016x}", digest(studio.document())), |last| last.document.clone()),
            revision,
            n_muscle: studio.muscles().len(),
            n_vertex: studio.live.muscled().1.positions().len(),
            chosen: studio.chosen.iter().map(|&m| studio.muscles()[m].name.to_string()).collect(),
            undo,
            redo,
            is_unsaved: studio.history.is_unsaved(),
            is_kept: studio.is_kept(),
            clip: playing.clip.map(|clip| character.clips[clip].name.to_string()),
            time: playing.time,
            runs: playing.runs,
            tool: format!("{:?}", studio.tool),
            show: format!("{:?}", studio.show),
            undoes: studio.history.undo_label().map(ToOwned::to_owned),
            fault: studio.fault.as_ref().map(ToString::to_string),
        }
    }
}

/// 64 bits of all that the document says (Fowler, Noll, Vo: FNV-1a).
struct Digest(u64);

impl Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = text.bytes().fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Ok(())
    }
}

fn digest(document: &Document) -> u64 {
    let mut digest = Digest(0xcbf2_9ce4_8422_2325);
    // all fields are there, numbers to the last bit
    let _ = write!(digest, "{document:?}");
    digest.0
}
