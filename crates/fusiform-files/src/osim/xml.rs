//! Elements of the file: by tag, with the values that `<defaults>` gives to those that do not say, and errors that know
//! their line.

use crate::FileError;
use glam::DVec3;
use roxmltree::{Document, Node, ParsingOptions};

/// How much of a text a message quotes.
const QUOTED: usize = 40;

/// The bytes as text.
pub(super) fn text(bytes: &[u8]) -> Result<&str, FileError> {
    str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
        FileError::new(format!("line {line}"), "there are bytes that are no UTF-8 text").cure("save the file as UTF-8")
    })
}

/// A parsed file.
pub(super) struct Xml<'a>(Document<'a>);

impl<'a> Xml<'a> {
    pub(super) fn parse(text: &'a str) -> Result<Self, FileError> {
        // one node takes at least one byte of the file
        let nodes_limit = u32::try_from(text.len() + 16).unwrap_or(u32::MAX);
        let options = ParsingOptions { allow_dtd: false, nodes_limit, ..ParsingOptions::default() };
        match Document::parse_with_options(text, options) {
            Ok(document) => match too_deep(&document) {
                Some(line) => {
                    let error = FileError::new(format!("line {line}"), "elements lie too deep in elements");
                    Err(error.cure("give an OpenSim model: its elements lie about twenty deep"))
                }
                None => Ok(Self(document)),
            },
            Err(error) => {
                let place = format!("line {}", error.pos().row);
                let error = FileError::new(place, format!("the text is not XML: {error}"));
                Err(error.cure("copy or download the file again, or mend the tags there"))
            }
        }
    }

    pub(super) fn root(&self) -> Element<'_> {
        let node = self.0.root_element();
        let named =
            |node: Node<'_, '_>, tag: &str| node.children().find(|child| child.has_tag_name(tag)).map(|n| n.id());
        let model = named(node, "Model").and_then(|id| self.0.get_node(id));
        let defaults = model.and_then(|model| named(model, "defaults")).and_then(|id| self.0.get_node(id));
        Element { node, defaults }
    }
}

/// Elements within elements; models have about twenty. Paths of components grow with it.
const DEEPEST: usize = 200;

/// The line of an element that lies too deep.
fn too_deep(document: &Document) -> Option<u32> {
    let (mut node, mut depth) = (document.root(), 0);
    loop {
        if depth > DEEPEST {
            return Some(document.text_pos_at(node.range().start).row);
        }
        if let Some(child) = node.first_child() {
            (node, depth) = (child, depth + 1);
            continue;
        }
        while node.next_sibling().is_none() {
            (node, depth) = (node.parent()?, depth - 1);
        }
        node = node.next_sibling()?;
    }
}

/// An element.
#[derive(Clone, Copy)]
pub(super) struct Element<'a> {
    node: Node<'a, 'a>,
    /// What elements of a kind say that do not say it themselves.
    defaults: Option<Node<'a, 'a>>,
}

impl<'a> Element<'a> {
    /// Its tag.
    pub(super) fn kind(&self) -> &'a str {
        self.node.tag_name().name()
    }

    pub(super) fn name(&self) -> &'a str {
        self.attribute("name").unwrap_or_default()
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&'a str> {
        self.node.attribute(name)
    }

    /// That something is wrong with it.
    pub(super) fn error(&self, message: impl Into<String>) -> FileError {
        FileError::new(self.place(), message)
    }

    /// As its author would find it.
    pub(super) fn place(&self) -> String {
        let line = self.node.document().text_pos_at(self.node.range().start).row;
        match self.name() {
            "" => format!("line {line}, <{}>", self.kind()),
            name => format!("line {line}, <{} name={name:?}>", self.kind()),
        }
    }

    pub(super) fn children(self) -> impl Iterator<Item = Element<'a>> {
        let defaults = self.defaults;
        self.node.children().filter(Node::is_element).map(move |node| Element { node, defaults })
    }

    /// Everything below it.
    pub(super) fn descendants(self) -> impl Iterator<Item = Element<'a>> {
        let defaults = self.defaults;
        self.node.descendants().filter(Node::is_element).map(move |node| Element { node, defaults })
    }

    /// The elements it lies in, from the inside out.
    pub(super) fn ancestors(self) -> impl Iterator<Item = Element<'a>> {
        let defaults = self.defaults;
        self.node.ancestors().skip(1).filter(Node::is_element).map(move |node| Element { node, defaults })
    }

    /// The first child with that tag; its own, or else that of the default for its kind.
    pub(super) fn child(self, tag: &str) -> Option<Element<'a>> {
        self.children().find(|child| child.kind() == tag).or_else(|| {
            let kind = self.kind();
            let of_kind = self.defaults?.children().find(|node| node.has_tag_name(kind))?;
            let node = of_kind.children().find(|node| node.has_tag_name(tag))?;
            Some(Element { node, defaults: None })
        })
    }

    /// The members of a set.
    pub(super) fn objects(self, set: &str) -> impl Iterator<Item = Element<'a>> + use<'a> {
        let objects = self.child(set).and_then(|set| set.child("objects"));
        objects.into_iter().flat_map(Element::children)
    }

    /// A child's text; none where it is empty.
    pub(super) fn text(self, tag: &str) -> Option<&'a str> {
        self.child(tag)?.node.text().map(str::trim).filter(|text| !text.is_empty())
    }

    /// The numbers of a child, as many as there are; none where it is not there.
    pub(super) fn numbers(&self, tag: &str) -> Result<Option<Vec<f64>>, FileError> {
        let Some(text) = self.text(tag) else { return Ok(None) };
        let words = text.split(|c: char| c.is_whitespace() || "(),".contains(c)).filter(|word| !word.is_empty());
        words.map(|word| self.parsed(tag, word)).collect::<Result<_, _>>().map(Some)
    }

    fn parsed(&self, tag: &str, word: &str) -> Result<f64, FileError> {
        let value: Option<f64> = word.parse().ok().filter(|value: &f64| !value.is_nan());
        let endless_allowed = tag == "range" || tag == "time_range";
        value.filter(|value| value.is_finite() || endless_allowed).ok_or_else(|| {
            let found: String = word.chars().take(QUOTED).collect();
            let error = self.error(format!("its <{tag}> holds {found:?}, which is not a usable number"));
            error.cure("write numbers with a decimal point, and blanks between them")
        })
    }

    /// Just so many numbers.
    fn exactly<const N: usize>(&self, tag: &str) -> Result<Option<[f64; N]>, FileError> {
        let Some(numbers) = self.numbers(tag)? else { return Ok(None) };
        let count = numbers.len();
        numbers.try_into().map(Some).map_err(|_| {
            let error = self.error(format!("its <{tag}> holds {count} numbers where {N} should be"));
            error.cure(format!("write {N} numbers there"))
        })
    }

    pub(super) fn number(&self, tag: &str, default: f64) -> Result<f64, FileError> {
        Ok(self.exactly::<1>(tag)?.map_or(default, |[number]| number))
    }

    pub(super) fn pair(&self, tag: &str) -> Result<Option<[f64; 2]>, FileError> {
        self.exactly(tag)
    }

    pub(super) fn six(&self, tag: &str) -> Result<Option<[f64; 6]>, FileError> {
        self.exactly(tag)
    }

    pub(super) fn vector(&self, tag: &str, default: DVec3) -> Result<DVec3, FileError> {
        Ok(self.exactly::<3>(tag)?.map_or(default, DVec3::from))
    }

    pub(super) fn flag(&self, tag: &str, default: bool) -> Result<bool, FileError> {
        match self.text(tag) {
            None => Ok(default),
            Some(text) if text.eq_ignore_ascii_case("true") || text == "1" => Ok(true),
            Some(text) if text.eq_ignore_ascii_case("false") || text == "0" => Ok(false),
            Some(text) => {
                let found: String = text.chars().take(QUOTED).collect();
                let error = self.error(format!("its <{tag}> is {found:?}, neither true nor false"));
                Err(error.cure("write true or false there"))
            }
        }
    }
}
