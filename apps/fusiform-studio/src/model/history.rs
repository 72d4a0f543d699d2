//! History: the document as it is, and every change that led to it.

use super::{Change, Document};
use std::sync::atomic::{AtomicU64, Ordering};

/// Changes with the same mark follow one another as one: a drag is one step, however many frames it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gesture(u64);

impl Gesture {
    /// One that nothing else is part of.
    #[must_use]
    pub fn begin() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// What can be undone and redone.
#[derive(Clone, Debug)]
pub struct History {
    document: Document,
    past: Vec<Step>,
    future: Vec<Step>,
    /// How many steps the saved file has; none when no number of undos leads back to it.
    saved: Option<usize>,
    /// Counts up with whatever happens to the document.
    revision: u64,
}

#[derive(Clone, Debug)]
struct Step {
    label: String,
    gesture: Option<Gesture>,
    change: Change,
}

impl History {
    /// A document that is as its file has it.
    #[must_use]
    pub fn new(document: Document) -> Self {
        Self { document, past: Vec::new(), future: Vec::new(), saved: Some(0), revision: 0 }
    }

    /// The document as it is.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Tells whether the document is still the one that was seen: it never comes back.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Make the document this one. What was undone before can no longer be redone.
    pub fn commit(&mut self, label: &str, gesture: Option<Gesture>, document: Document) {
        let goes_on = gesture.is_some() && self.past.last().is_some_and(|step| step.gesture == gesture);
        let change = if goes_on {
            let mut before = self.document.clone();
            self.past[self.past.len() - 1].change.undo(&mut before);
            Change::between(&before, &document)
        } else {
            Change::between(&self.document, &document)
        };
        if change.is_empty() && !goes_on {
            return;
        }
        if self.saved.is_some_and(|saved| saved > self.past.len() || (goes_on && saved == self.past.len())) {
            self.saved = None;
        }
        if goes_on {
            self.past.pop();
        }
        if !change.is_empty() {
            self.past.push(Step { label: label.into(), gesture, change });
        }
        self.future.clear();
        self.document = document;
        self.revision += 1;
    }

    /// Whether there was anything to take back.
    pub fn undo(&mut self) -> bool {
        let Some(step) = self.past.pop() else { return false };
        step.change.undo(&mut self.document);
        self.future.push(step);
        self.revision += 1;
        true
    }

    /// Whether there was anything to do again.
    pub fn redo(&mut self) -> bool {
        let Some(mut step) = self.future.pop() else { return false };
        step.change.redo(&mut self.document);
        step.gesture = None; // what is dragged from here on is another step
        self.past.push(step);
        self.revision += 1;
        true
    }

    /// What undo would take back.
    #[must_use]
    pub fn undo_label(&self) -> Option<&str> {
        self.past.last().map(|step| &*step.label)
    }

    /// What redo would do again.
    #[must_use]
    pub fn redo_label(&self) -> Option<&str> {
        self.future.last().map(|step| &*step.label)
    }

    /// How many steps can be taken back, and how many done again.
    #[must_use]
    pub fn steps(&self) -> (usize, usize) {
        (self.past.len(), self.future.len())
    }

    /// The document is in its file now.
    pub fn mark_saved(&mut self) {
        self.saved = Some(self.past.len());
        // a drag that goes on is another step, or undo would lead past what was saved
        if let Some(step) = self.past.last_mut() {
            step.gesture = None;
        }
    }

    /// It is not in its file, whatever is undone: it came back after a crash.
    pub fn mark_unsaved(&mut self) {
        self.saved = None;
    }

    /// Whether the file has something else.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        self.saved != Some(self.past.len())
    }

    /// About how much memory all steps hold, bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.past.iter().chain(&self.future).map(|step| step.change.size()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::{Musculature, Physique};
    use proptest::prelude::*;

    fn sized(size: f32) -> Document {
        let musculature = Musculature { physique: Physique { size, ..Physique::default() }, ..Musculature::default() };
        Document { musculature, ..Document::default() }
    }

    #[test]
    fn a_drag_is_one_step_and_one_that_ends_where_it_began_is_none() {
        let mut history = History::new(sized(1.0));
        let [first, second] = [Some(Gesture::begin()), Some(Gesture::begin())];
        for size in [1.1, 1.2, 1.3] {
            history.commit("size", first, sized(size));
        }
        assert!(history.undo() && !history.undo());
        assert_eq!(history.document(), &sized(1.0));
        assert!(history.redo() && !history.redo());
        for size in [1.4, 1.3] {
            history.commit("size", second, sized(size));
        }
        assert!(history.undo() && !history.undo(), "only the first drag is left");
    }

    #[test]
    fn what_is_saved_is_known_across_undo_and_lost_when_it_can_no_longer_be_reached() {
        let mut history = History::new(sized(1.0));
        assert!(!history.is_unsaved());
        history.commit("size", None, sized(2.0));
        assert!(history.is_unsaved());
        history.mark_saved();
        history.undo();
        assert!(history.is_unsaved());
        history.redo();
        assert!(!history.is_unsaved());
        history.undo();
        history.commit("size", None, sized(3.0));
        assert!(history.is_unsaved());
        history.undo();
        assert!(history.is_unsaved(), "the saved one was on a branch that is gone");
    }

    proptest! {
        #[test]
        fn undoing_all_brings_back_the_first_document_and_redoing_all_the_last(
            edits in prop::collection::vec((0_u8..6, prop::option::of(0_u64..3)), 0..40)
        ) {
            let mut history = History::new(sized(1.0));
            for (size, gesture) in edits {
                history.commit("size", gesture.map(Gesture), sized(1.0 + f32::from(size)));
            }
            let last = history.document().clone();
            while history.undo() {}
            prop_assert_eq!(history.document(), &sized(1.0));
            prop_assert!(!history.is_unsaved());
            while history.redo() {}
            prop_assert_eq!(history.document(), &last);
        }
    }
}
