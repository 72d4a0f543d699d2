//! Action: everything a person can do. Panels only make actions, so that what they do can be tested, recorded and undone
//! without them.

use super::{AsBaked, Brush, Edit, Fit, Gesture, Target};
use std::collections::BTreeSet;

/// What a person does.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Change the document; edits of one gesture are one step.
    Edit(Edit, Option<Gesture>),
    /// Take back.
    Undo,
    /// Do again.
    Redo,
    /// Move time, or the pose.
    Play(Play),
    /// Look at something else.
    Look(Look),
    /// Fit muscles to the skin.
    Fit(Fit),
}

impl From<Edit> for Action {
    /// A step of its own.
    fn from(edit: Edit) -> Self {
        Self::Edit(edit, None)
    }
}

impl From<Play> for Action {
    fn from(play: Play) -> Self {
        Self::Play(play)
    }
}

impl From<Look> for Action {
    fn from(look: Look) -> Self {
        Self::Look(look)
    }
}

impl From<Fit> for Action {
    fn from(fit: Fit) -> Self {
        Self::Fit(fit)
    }
}

/// What moves time, or the pose; nothing of it is in the file.
#[derive(Clone, Debug, PartialEq)]
pub enum Play {
    /// Play a clip, or none.
    Clip(Option<usize>),
    /// Whether time goes on.
    Run(bool),
    /// Whether clips begin again at their end.
    Loop(bool),
    /// Times as fast.
    Speed(f32),
    /// Step clips exactly as a bake would, or as the display goes.
    Baked(Option<AsBaked>),
    /// Another moment, s.
    Seek(f32),
    /// So many frames of the clip, or of the bake, on or back.
    Frames(i32),
    /// Forget all motion, and joints turned by hand.
    Settle,
    /// Tense the chosen muscles, all of them when none is chosen; 0 to 1.
    Tense(f32),
}

/// What is looked at, and how.
#[derive(Clone, Debug, PartialEq)]
pub enum Look {
    /// Choose a muscle, beside those that are chosen or instead of them; none chooses nothing.
    Select(Option<usize>, bool),
    /// Choose exactly these muscles.
    Choose(BTreeSet<usize>),
    /// Choose a joint to paint or to turn, or none.
    Joint(Option<usize>),
    /// Do to the other side whatever is done to one.
    Mirrored(bool),
    /// Show something else.
    Show(Show),
    /// Leave a muscle out of the picture, or not.
    Hide(usize, bool),
    /// Show only the chosen muscles.
    Solo,
    /// Show all muscles.
    Unhide,
    /// Leave a mesh alone, out of the picture and under no hand, or not.
    HideMesh(usize, bool),
    /// Take another tool in hand.
    Tool(Tool),
    /// Paint and sculpt with another brush.
    Brush(Brush),
    /// Keep the weights of a joint or muscle as they are, or not.
    Lock(Target, bool),
}

/// What the view shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// The skin alone.
    #[default]
    Skin,
    /// The muscles alone.
    Muscles,
    /// Muscles under a skin one sees through.
    Both,
    /// How much the chosen muscles, or the chosen joint, weigh on the skin.
    Weights,
    /// Muscles by how tense they are.
    Tension,
    /// The skin of each bone in its own colour.
    Regions,
}

impl Show {
    /// All of them, with what people call them and what is seen.
    pub const ALL: [(Self, &str, &str); 6] = [
        (Self::Skin, "Skin", "The skin alone, as muscles move it"),
        (Self::Muscles, "Muscles", "The muscles alone"),
        (Self::Both, "X-ray", "Muscles under a skin one sees through"),
        (Self::Weights, "Weights", "How much the skin follows the chosen muscles, or the chosen joint"),
        (Self::Tension, "Tension", "The muscles alone, by how tense they are"),
        (Self::Regions, "Regions", "The skin of each bone in a colour of its own, as the fit divides it"),
    ];

    /// Whether muscles are seen.
    #[must_use]
    pub fn has_muscles(self) -> bool {
        matches!(self, Self::Muscles | Self::Both | Self::Tension)
    }

    /// Whether the skin is seen.
    #[must_use]
    pub fn has_skin(self) -> bool {
        !matches!(self, Self::Muscles | Self::Tension)
    }
}

/// What the left button does in the view. A drag that begins where the tool has nothing to take turns the camera.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tool {
    /// Choose muscles.
    #[default]
    Select,
    /// Turn joints.
    Pose,
    /// Make muscles.
    Create,
    /// Move muscles.
    Place,
    /// Paint weights.
    Paint,
    /// Shape bellies.
    Sculpt,
    /// Turn partition planes.
    Cut,
}

impl Tool {
    /// All of them, with what people call them and what they do.
    pub const ALL: [(Self, &str, &str); 7] = [
        (Self::Select, "Select", "Click a muscle to choose it, with shift or ctrl beside others"),
        (
            Self::Pose,
            "Pose",
            "Drag a limb: its joint turns, with shift about its own length; with Mirror the other side follows",
        ),
        (
            Self::Create,
            "Create",
            "Click where a muscle begins on the skin, then where it ends: it is made between the two",
        ),
        (
            Self::Place,
            "Place",
            "Drag the ends, hinges, bend or up-vector of the chosen muscles; the skin follows at once",
        ),
        (
            Self::Paint,
            "Paint",
            "Paint how much the skin follows a joint or a muscle; ctrl-click a limb to choose its joint",
        ),
        (Self::Sculpt, "Sculpt", "Pull out or press in the belly of a chosen muscle, and the skin over it"),
        (
            Self::Cut,
            "Plane",
            "Turn the plane that divides a bone's flesh between two opposed muscles: click the skin, drag the handle",
        ),
    ];
}
