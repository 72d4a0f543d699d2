//! Frames: bodies, ground, and what is fixed on them at an offset; found by the path of a component.

use super::SAVE_AGAIN;
use super::xml::Element;
use crate::FileError;
use fusiform_motion::model::GROUND;
use glam::{DAffine3, DMat3, DVec3};
use std::collections::HashMap;

/// Where something is on a body.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Frame {
    /// A body's name, or [`GROUND`].
    pub(super) body: String,
    /// From the frame to the body's.
    pub(super) place: DAffine3,
}

/// All frames of a model, by their paths, as "/bodyset/femur_r" and "/jointset/knee_r/femur_r_offset".
pub(super) struct Frames(HashMap<String, Frame>);

impl Frames {
    pub(super) fn read(model: &Element) -> Result<Self, FileError> {
        let on = |body: &str| Frame { body: body.to_owned(), place: DAffine3::IDENTITY };
        let mut frames = HashMap::from([(format!("/{GROUND}"), on(GROUND))]);
        for body in model.objects("BodySet").map(|body| body.name()) {
            let path = if body == GROUND { format!("/{GROUND}") } else { format!("/bodyset/{body}") };
            frames.insert(path, on(body));
        }
        let mut found = Self(frames);
        let offsets = model.descendants().filter(|element| element.kind() == "PhysicalOffsetFrame");
        let offsets: Vec<Element> = offsets.collect();
        let by_path: HashMap<String, Element> = offsets.iter().map(|element| (path(element), *element)).collect();
        for element in &offsets {
            found.add(element, &by_path)?;
        }
        Ok(found)
    }

    /// Add a frame at an offset, after those that it sits on.
    fn add(&mut self, element: &Element, offsets: &HashMap<String, Element>) -> Result<(), FileError> {
        let mut chain = vec![*element];
        while let Some(below) = chain.last().and_then(|last| self.sits_on_later(last, offsets)) {
            if chain.len() > offsets.len() {
                return Err(element
                    .error("frames sit on one another in a circle")
                    .cure("let one of them sit on a body"));
            }
            chain.push(below);
        }
        for element in chain.iter().rev() {
            let parent = self.of(element, &PARENT)?;
            let own = placed(element, "translation", "orientation")?;
            let frame = Frame { body: parent.body.clone(), place: parent.place * own };
            self.0.insert(path(element), frame);
        }
        Ok(())
    }

    /// The frame below one, when it is at an offset, too, and not yet added.
    fn sits_on_later<'a>(&self, element: &Element, offsets: &HashMap<String, Element<'a>>) -> Option<Element<'a>> {
        let written = PARENT.iter().find_map(|tag| element.text(tag))?;
        let paths = candidates(written, &path(element));
        if paths.iter().any(|path| self.0.contains_key(path)) {
            return None;
        }
        paths.iter().find_map(|path| offsets.get(path)).copied()
    }

    /// The frame that an element names, in the first of these children that is there.
    pub(super) fn of(&self, element: &Element, tags: &[&str]) -> Result<&Frame, FileError> {
        let written = tags.iter().find_map(|tag| element.text(tag));
        let written = written.ok_or_else(|| {
            element.error(format!("it has no <{}>: nothing says where it belongs", tags[0])).cure(SAVE_AGAIN)
        })?;
        self.named(written, &path(element)).ok_or_else(|| {
            let error = element.error(format!("it belongs to {written:?}, which the file does not hold"));
            error.cure("name a body or frame of the model there")
        })
    }

    /// The frame that an element is.
    pub(super) fn at(&self, element: &Element) -> Option<&Frame> {
        self.named(&path(element), "")
    }

    /// By its path from the model or from another component; or, as old files have it, by its name alone.
    fn named(&self, written: &str, from: &str) -> Option<&Frame> {
        let name = written.rsplit('/').next()?;
        candidates(written, from).iter().find_map(|path| self.0.get(path)).or_else(|| self.only(name))
    }

    /// The one frame with that name.
    fn only(&self, name: &str) -> Option<&Frame> {
        let mut same = self.0.iter().filter(|(path, _)| path.rsplit('/').next() == Some(name));
        let (_, frame) = same.next()?;
        same.next().is_none().then_some(frame)
    }
}

/// Where markers and path points say what they are on: version 4, its first drafts, and before.
pub(super) const PARENT_FRAME: [&str; 3] = ["socket_parent_frame", "socket_parent_frame_connectee_name", "body"];

/// Where a frame at an offset says what it sits on.
const PARENT: [&str; 2] = ["socket_parent", "socket_parent_connectee_name"];

/// The paths that a name in a file may mean, seen from a component.
fn candidates(written: &str, from: &str) -> [String; 3] {
    let whole = if written.starts_with('/') { written.to_owned() } else { format!("{from}/{written}") };
    let mut steps = Vec::new();
    for step in whole.split('/').filter(|step| !step.is_empty() && *step != ".") {
        match step {
            ".." => drop(steps.pop()),
            step => steps.push(step),
        }
    }
    let name = written.rsplit('/').next().unwrap_or_default();
    [format!("/{}", steps.join("/")), format!("/bodyset/{name}"), format!("/{name}")]
}

/// An element's path as a component.
fn path(element: &Element) -> String {
    let mut steps = Vec::new();
    for above in std::iter::once(*element).chain(element.ancestors()).take_while(|above| above.kind() != "Model") {
        match above.kind() {
            "Ground" => steps.push(GROUND.to_owned()),
            kind if kind.ends_with("Set") => steps.push(kind.to_ascii_lowercase()),
            _ if !above.name().is_empty() => steps.push(above.name().to_owned()),
            _ => {}
        }
    }
    steps.push(String::new());
    steps.reverse();
    steps.join("/")
}

/// A shift, and angles about x, then y, then z as turned.
pub(super) fn placed(element: &Element, shift: &str, angles: &str) -> Result<DAffine3, FileError> {
    let angles = element.vector(angles, DVec3::ZERO)?;
    let turn = DMat3::from_rotation_x(angles.x) * DMat3::from_rotation_y(angles.y) * DMat3::from_rotation_z(angles.z);
    Ok(DAffine3::from_mat3_translation(turn, element.vector(shift, DVec3::ZERO)?))
}
