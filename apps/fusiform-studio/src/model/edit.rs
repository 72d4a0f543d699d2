//! Edit: what a person does to the document. Each is a function from one document to the next; whether the result is sound
//! is found by binding it, and what is not changes nothing.

mod fit;
mod mirror;
mod muscle;
mod paint;
mod part;
mod place;
mod pose;
mod sculpt;
mod shapes;
mod turn;
mod whole;

use super::{CHOICES, DIALS, Document, Fault, Fitted, Fitter, Live, Project, Twins, Wanted};
use fusiform::{Clip, Muscle, Physique};
use glam::Quat;
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) use muscle::keep_in_layers;
pub(super) use paint::changes;
pub use paint::{Of, Stroke};
pub use part::Part;
pub use place::{MOST_POINTS, Placing, Spot};
pub use pose::{ANGLES, angles, bone_axis, turn_from};
pub use sculpt::Carved;
pub use sculpt::keeps_to_its_side;
pub(super) use sculpt::onto_itself;
pub use shapes::{is_between_shapes, shape_seen};

/// What strokes do to the numbers of one vertex or one belly.
pub mod kernels {
    pub use super::paint::{LEAST, Row, pruned, set_joints, set_muscles, wanted, weight_in};
    pub use super::sculpt::{MOST, carve};
}

/// A change to the document.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Turn a dial of every chosen muscle.
    Dial(usize, f32),
    /// Turn a dial that there are several of: which, of every chosen muscle.
    Nth(usize, usize, f32),
    /// Take an option of a choice of every chosen muscle.
    Choose(usize, usize),
    /// A sculpted shape of every chosen muscle for the pose that is seen.
    AddShape,
    /// Without one of the shapes sculpted in poses.
    RemoveShape(usize),
    /// Turn joints by hand into the pose of one of the shapes of every chosen muscle, or of none as they are at bind.
    GoToShape(Option<usize>),
    /// Something of the whole body.
    Part(Part),
    /// Another build for the whole body.
    Physique(Physique),
    /// What the next fit is told of the body.
    Want(Wanted),
    /// Muscles that were fitted beside the window, in place of those there are.
    Fitted(Arc<Fitted>),
    /// Turn the plane that divides the flesh of a bone by so many degrees about it, or let it lie as it is found.
    TurnPlane(String, Option<f32>),
    /// The same while it is dragged: which skin its muscles move is found when it is let go.
    DragPlane(String, f32),
    /// Where muscles are, and what they are called.
    Place(Placing),
    /// Delete the chosen muscles.
    Delete,
    /// One more motion for the character.
    Motion(Clip),
    /// Without one of the motions that were added since the file was opened.
    RemoveMotion(usize),
    /// Another name for one of them.
    RenameMotion(usize, String),
    /// A part of a stroke over the skin.
    Paint(Stroke),
    /// Weights below that go to the others; those of these joints or muscles stay.
    Prune(Of, f32, Vec<u16>),
    /// A part of a stroke over a belly.
    Sculpt(Carved),
    /// Turn a joint by hand, on top of the clip: by so much about its own place, in model space.
    Turn(usize, Quat),
    /// Turn a joint by hand until it is turned so since bind, as its own axes see it.
    TurnTo(usize, Quat),
    /// Turn back a joint that was turned by hand, or all of them.
    Unturn(Option<usize>),
}

/// What an edit may look at.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The character, as the document has it.
    pub project: &'a Project,
    /// Its body, in the pose it is seen in.
    pub live: &'a Live,
    /// Muscles that are chosen.
    pub chosen: &'a BTreeSet<usize>,
    /// Meshes that are hidden: strokes leave them alone.
    pub hidden_meshes: &'a BTreeSet<usize>,
    /// Whether the other side follows.
    pub mirrored: bool,
    /// What fitting knows of the body.
    pub fit: &'a Fitter,
}

impl Seen<'_> {
    /// The chosen muscles, and their twins while the other side follows: each with whether it is a twin. Of a pair that is
    /// chosen the second is. A twin comes after the muscle that leads it.
    #[must_use]
    pub fn edited(&self, muscles: &[Muscle]) -> Vec<(usize, bool)> {
        let known = Twins::new(self.project, muscles);
        let leaders = leaders(self.project, muscles, self.chosen, self.mirrored);
        let twins = self.chosen.iter().filter(|_| self.mirrored).filter_map(|&m| known.of(m));
        let twins: BTreeSet<usize> = twins.filter(|m| !self.chosen.contains(m)).collect();
        let chosen = self.chosen.iter().map(|&m| (m, !leaders.contains(&m)));
        chosen.chain(twins.into_iter().map(|m| (m, true))).collect()
    }
}

/// The chosen muscles without those that follow another of them: while the other side follows, the first of a pair leads.
#[must_use]
pub fn leaders(project: &Project, muscles: &[Muscle], chosen: &BTreeSet<usize>, mirrored: bool) -> BTreeSet<usize> {
    let twins = Twins::new(project, muscles);
    let leads = |&m: &usize| twins.of(m).is_none_or(|other| other > m || !chosen.contains(&other));
    // one alone leads
    chosen.iter().copied().filter(|m| !mirrored || chosen.len() < 2 || leads(m)).collect()
}

/// What comes with an edited document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Done {
    /// What is chosen now, if not what was.
    pub chosen: Option<BTreeSet<usize>>,
    /// What had to be guessed.
    pub warnings: Vec<String>,
}

impl Edit {
    /// What undo calls it.
    #[must_use]
    pub fn label(&self) -> &str {
        match self {
            Self::Dial(dial, _) => DIALS.get(*dial).map_or("Dial", |dial| dial.label),
            Self::Nth(dial, ..) => DIALS.get(*dial).map_or("Dial", |dial| dial.label),
            Self::Choose(choice, _) => CHOICES.get(*choice).map_or("Choice", |choice| choice.label),
            Self::AddShape => "Add shape",
            Self::RemoveShape(_) => "Remove shape",
            Self::GoToShape(_) => "Go to pose",
            Self::Part(part) => part.label(),
            Self::Physique(_) => "Physique",
            Self::Want(_) => "Fit settings",
            Self::Fitted(fitted) => fitted.label,
            Self::TurnPlane(..) | Self::DragPlane(..) => "Turn plane",
            Self::Place(placing) => placing.label(),
            Self::Delete => "Delete",
            Self::Motion(_) => "Motion",
            Self::RemoveMotion(_) => "Remove motion",
            Self::RenameMotion(..) => "Rename motion",
            Self::Paint(_) => "Paint",
            Self::Prune(..) => "Prune",
            Self::Sculpt(_) => "Sculpt",
            Self::Turn(..) | Self::TurnTo(..) => "Pose",
            Self::Unturn(_) => "Unpose",
        }
    }

    /// Make it in the document.
    pub(super) fn make(&self, seen: Seen, document: &mut Document) -> Result<Done, Fault> {
        let muscles = &mut document.musculature;
        match self {
            Self::Dial(dial, value) => turn::dial(seen, (*dial, 0), *value, muscles),
            Self::Nth(dial, at, value) => turn::dial(seen, (*dial, *at), *value, muscles),
            Self::Choose(choice, option) => turn::choose(seen, *choice, *option, muscles),
            Self::AddShape => shapes::add(seen, muscles)?,
            Self::RemoveShape(at) => shapes::remove(seen, *at, muscles),
            Self::GoToShape(at) => document.turned = shapes::go_to(seen, *at, document.muscles()),
            Self::Part(part) => part.put(seen, muscles),
            Self::Place(placing) => return placing.make(seen, document),
            Self::Delete => return Ok(muscle::delete(seen, muscles)),
            Self::Physique(physique) => muscles.physique = *physique,
            Self::Want(wanted) if wanted.is_meant() => document.fitting.want(wanted.clone()),
            Self::Want(_) => {} // no number a hand can mean
            Self::Fitted(fitted) => return Ok(fit::take_over(fitted, document)),
            Self::TurnPlane(bone, degrees) => fit::turn_plane(seen, bone, *degrees, document)?,
            Self::DragPlane(bone, degrees) => _ = fit::slant_plane(seen, bone, Some(*degrees), document)?,
            Self::Motion(clip) => whole::add_motion(seen, clip, document),
            Self::RemoveMotion(at) => whole::remove_motion(*at, document),
            Self::RenameMotion(at, name) => whole::rename_motion(seen, *at, name, document)?,
            Self::Paint(stroke) => paint::paint(seen, stroke, document),
            Self::Prune(of, below, locked) => paint::prune(seen, *of, *below, locked, document),
            Self::Sculpt(carved) => sculpt::sculpt(seen, carved, muscles),
            Self::Turn(joint, by) => document.turned = pose::turned_by(seen, *joint, *by),
            Self::TurnTo(joint, turn) => document.turned = pose::turned_to(seen, *joint, *turn),
            Self::Unturn(which) => document.turned = pose::turned_back(seen, *which),
        }
        Ok(Done::default())
    }
}
