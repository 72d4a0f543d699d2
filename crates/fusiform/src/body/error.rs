//! What can be wrong with a character or its muscles; all of it is found at bind, never later.

use thiserror::Error;

/// Why a body cannot be bound: the element, what is wrong with it, and ([`BindError::cure`]) how to mend it.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BindError {
    /// The skeleton has no joint.
    #[error("the skeleton has no joint")]
    NoJoints,
    /// The character has no mesh.
    #[error("the character has no skinned mesh")]
    NoMeshes,
    /// A mesh without vertices or triangles.
    #[error("mesh {mesh:?} has no {what}")]
    EmptyMesh {
        /// Name of the mesh.
        mesh: String,
        /// Vertices or triangles.
        what: &'static str,
    },
    /// A joint's parent does not come before it: out of order, missing, or a cycle.
    #[error("joint {joint:?} (number {index}) has parent number {parent}, which does not come before it")]
    ParentOrder {
        /// Name of the joint.
        joint: String,
        /// Its index.
        index: usize,
        /// Its parent's index.
        parent: usize,
    },
    /// Two elements share a name that others refer to.
    #[error("two {what} are named {name:?}")]
    DuplicateName {
        /// Joints or muscles.
        what: &'static str,
        /// The name they share.
        name: String,
    },
    /// A number that is NaN or infinite.
    #[error("{element} is not a finite number")]
    NotFinite {
        /// The element, as people would find it.
        element: String,
    },
    /// A bind matrix that cannot be inverted.
    #[error("joint {joint:?} has a bind matrix without an inverse")]
    SingularBind {
        /// Name of the joint.
        joint: String,
    },
    /// A table does not have as many rows as it must.
    #[error("{element} has {found} entries where {wanted} are needed")]
    Count {
        /// The table.
        element: String,
        /// How many it has.
        found: usize,
        /// How many it must have.
        wanted: usize,
    },
    /// An index that points past the end.
    #[error("{element} refers to {what} {index}, but there are {count}")]
    IndexOutOfRange {
        /// Who refers.
        element: String,
        /// To what.
        what: &'static str,
        /// The index.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// Joint weights of a vertex do not sum to one.
    #[error("vertex {vertex} of mesh {mesh:?} has joint weights that sum to {sum}")]
    WeightSum {
        /// Name of the mesh.
        mesh: String,
        /// Index of the vertex.
        vertex: usize,
        /// Their sum.
        sum: f32,
    },
    /// A value outside its legal range.
    #[error("{element} is {value}, which is outside {range}")]
    OutOfRange {
        /// The element and its field.
        element: String,
        /// The value.
        value: f32,
        /// The legal range.
        range: &'static str,
    },
    /// A muscle holds on to a joint that is not there.
    #[error("muscle {muscle:?} holds on to joint {joint:?}, which the skeleton does not have")]
    UnknownJoint {
        /// Name of the muscle.
        muscle: String,
        /// Name of the joint it wants.
        joint: String,
        /// The most similar name there is.
        similar: Option<String>,
    },
    /// A layer names a muscle that is not there.
    #[error("layer {layer} names muscle {muscle:?}, which the musculature does not have")]
    UnknownMuscle {
        /// Place of the layer in its list.
        layer: usize,
        /// Name of the muscle it wants.
        muscle: String,
        /// The most similar name there is.
        similar: Option<String>,
    },
    /// A bone hangs on a joint that is not there.
    #[error("bone {bone:?} hangs on joint {joint:?}, which the skeleton does not have")]
    UnknownBoneJoint {
        /// Name of the bone.
        bone: String,
        /// Name of the joint it wants.
        joint: String,
        /// The most similar name there is.
        similar: Option<String>,
    },
    /// A layer names a bone that is not there.
    #[error("layer {layer} names bone {bone:?}, which the musculature does not have")]
    UnknownBone {
        /// Place of the layer in its list.
        layer: usize,
        /// Name of the bone it wants.
        bone: String,
        /// The most similar name there is.
        similar: Option<String>,
    },
    /// A bone whose surface has no inside, or none that can be told from its outside.
    #[error("bone {bone:?} {fault}")]
    Bone {
        /// Name of the bone.
        bone: String,
        /// What is wrong with it.
        fault: String,
        /// How to mend it.
        cure: &'static str,
    },
    /// Something names a joint or a muscle that is not there.
    #[error("{element} names {what} {name:?}, which is not there")]
    UnknownName {
        /// Who names it.
        element: String,
        /// A joint or a muscle.
        what: &'static str,
        /// The name.
        name: String,
        /// The most similar name there is.
        similar: Option<String>,
    },
    /// Keys that do not ascend.
    #[error("{element} goes backwards: {after} follows {before}")]
    Backwards {
        /// The curve.
        element: String,
        /// A key.
        before: f32,
        /// The one after it, which is not beyond it.
        after: f32,
    },
    /// Two shapes of a muscle were sculpted in the same pose, or one in the bind pose.
    #[error("muscle {muscle:?} has two shapes for one pose: {first} and {second}")]
    SamePose {
        /// Name of the muscle.
        muscle: String,
        /// The bind pose, or which of the shapes.
        first: String,
        /// And which other.
        second: String,
    },
    /// A sheet that is none.
    #[error("muscle {muscle:?} is a sheet {fault}")]
    Sheet {
        /// Name of the muscle.
        muscle: String,
        /// What it lacks.
        fault: SheetFault,
    },
    /// A muscle with an identified contraction that has no sigmoids to apply it to.
    #[error("muscle {muscle:?} has an identified contraction, but its {} two sigmoids", if *is_sheet { "path is a sheet, not a line of" } else { "profile is not" })]
    NoSigmoid {
        /// Name of the muscle.
        muscle: String,
        /// Whether it is its path that does not fit.
        is_sheet: bool,
    },
    /// A layer of tissue that is not where it must be.
    #[error("layer {layer} is tissue, and {fault}")]
    Tissue {
        /// Place of the layer in its list.
        layer: usize,
        /// What is wrong.
        fault: String,
        /// How to mend it.
        cure: &'static str,
    },
}

/// What a sheet lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SheetFault {
    /// Neither curve has two points.
    #[error("whose origin and insertion curves have one point each")]
    OnePoint,
    /// All points of each curve lie on one spot.
    #[error("whose curves span no width: all their points lie on one spot")]
    NoSpan,
    /// Its profile has no radius.
    #[error("whose bellies have no width")]
    NoWidth,
}

impl BindError {
    /// What to do about it, in one sentence.
    #[must_use]
    pub fn cure(&self) -> String {
        match self {
            Self::NoJoints => "give the character a skeleton: a skin without joints cannot be posed".into(),
            Self::NoMeshes => "give the character at least one skinned mesh".into(),
            Self::EmptyMesh { .. } => "remove the mesh, or export it again with its geometry".into(),
            Self::ParentOrder { .. } => {
                "list every parent before its children; a joint cannot be its own ancestor".into()
            }
            Self::DuplicateName { .. } => "rename one of them: others refer to them by name".into(),
            Self::NotFinite { .. } => "export it again, or set it to a number".into(),
            Self::SingularBind { .. } => "give the joint a scale other than zero in the bind pose".into(),
            Self::Count { .. } => "give one entry for each, in the same order".into(),
            Self::IndexOutOfRange { .. } => "export it again: the index belongs to another list".into(),
            Self::WeightSum { .. } => "normalise the vertex's joint weights so that they sum to 1".into(),
            Self::OutOfRange { range, .. } => format!("choose a value in {range}"),
            Self::UnknownJoint { similar: Some(similar), .. } => format!("did you mean {similar:?}?"),
            Self::UnknownJoint { similar: None, .. } => "use the name of a joint of this skeleton".into(),
            Self::UnknownMuscle { similar: Some(similar), .. } => format!("did you mean {similar:?}?"),
            Self::UnknownMuscle { similar: None, .. } => "use the name of a muscle of this document".into(),
            Self::UnknownBoneJoint { similar: Some(similar), .. } => format!("did you mean {similar:?}?"),
            Self::UnknownBoneJoint { similar: None, .. } => "use the name of a joint of this skeleton".into(),
            Self::UnknownBone { similar: Some(similar), .. } => format!("did you mean {similar:?}?"),
            Self::UnknownBone { similar: None, .. } => "use the name of a bone of this document".into(),
            Self::Bone { cure, .. } => (*cure).into(),
            Self::UnknownName { similar: Some(similar), .. } => format!("did you mean {similar:?}?"),
            Self::UnknownName { what, .. } => format!("use the name of a {what} of this character"),
            Self::Backwards { .. } => "sort its keys, and give no two of them the same place".into(),
            Self::SamePose { .. } => {
                "remove one of them, or turn its joints further; the bind pose's shape is the muscle's own sculpt grid"
                    .into()
            }
            Self::Sheet { fault: SheetFault::OnePoint, .. } => {
                "give one of the curves a second point, or make the path a polyline: one belly needs no curves".into()
            }
            Self::Sheet { fault: SheetFault::NoSpan, .. } => "move the points of one of the curves apart".into(),
            Self::Sheet { fault: SheetFault::NoWidth, .. } => {
                "give its profile a size (sine) or a width and a height (ellipsoid) above 0".into()
            }
            Self::NoSigmoid { is_sheet: false, .. } => {
                "make its profile a sigmoid, or choose another contraction".into()
            }
            Self::NoSigmoid { is_sheet: true, .. } => {
                "make several muscles of it, one for each belly, with polylines for paths".into()
            }
            Self::Tissue { cure, .. } => (*cure).into(),
        }
    }
}

/// The name among `names` that is fewest edits away, if any is near enough to be a slip of the pen.
pub(super) fn most_similar<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    names
        .map(|name| (edits(wanted, name), name))
        .min()
        .filter(|&(distance, _)| distance <= wanted.len().max(3) / 3)
        .map(|(_, name)| name.to_owned())
}

/// Levenshtein distance, one row at a time.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &to) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_finds_the_joint_that_was_meant() {
        let names = ["root", "upper_arm.l", "lower_arm.l"];
        assert_eq!(most_similar("uper_arm.l", names.into_iter()), Some("upper_arm.l".into()));
        assert_eq!(most_similar("tail_07", names.into_iter()), None);
    }
}
