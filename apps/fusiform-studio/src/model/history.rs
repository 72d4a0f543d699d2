//! History: the document as it is, and every change that led to it.

use super::{Change, Document};
use std::collections::BTreeSet;
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
    /// Likewise of what is being written.
    saving: Option<usize>,
    /// Counts up with whatever happens to the document.
    revision: u64,
}

#[derive(Clone, Debug)]
struct Step {
    label: String,
    gesture: Option<Gesture>,
    change: Change,
    /// Muscles that were chosen before it, and after it.
    chosen: [BTreeSet<usize>; 2],
}

impl History {
    /// A document that is as its file has it.
    #[must_use]
    pub fn new(document: Document) -> Self {
        Self { document, past: Vec::new(), future: Vec::new(), saved: Some(0), saving: None, revision: 0 }
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

    /// The document as it was before a drag that goes on; none where it has changed nothing yet.
    #[must_use]
    pub fn before(&self, gesture: Option<Gesture>) -> Option<Document> {
        let step = self.past.last().filter(|step| gesture.is_some() && step.gesture == gesture)?;
        let mut before = self.document.clone();
        step.change.undo(&mut before);
        Some(before)
    }

    /// Make the document this one, with the muscles that were chosen before and are chosen now. What was undone before can no
    /// longer be redone.
    pub fn commit(
        &mut self,
        label: &str,
        gesture: Option<Gesture>,
        document: Document,
        mut chosen: [BTreeSet<usize>; 2],
    ) {
        let before = self.before(gesture);
        let goes_on = before.is_some();
        let change = Change::between(before.as_ref().unwrap_or(&self.document), &document);
        if change.is_empty() && !goes_on {
            return;
        }
        // where a file's steps go with what can no longer be redone, it is as good as what is left of them if that is saved
        let kept = self.past.len() - usize::from(goes_on);
        let left = |at: usize| (at <= kept || !self.differ(kept, at)).then_some(at.min(kept));
        (self.saved, self.saving) = (self.saved.and_then(left), self.saving.and_then(left));
        if let Some(begun) = self.past.pop_if(|_| goes_on) {
            let [before, _] = begun.chosen;
            chosen[0] = before;
        }
        if !change.is_empty() {
            self.past.push(Step { label: label.into(), gesture, change, chosen });
        }
        self.future.clear();
        self.document = document;
        self.revision += 1;
    }

    /// Take a step back: which muscles were chosen then; none where there was nothing to take back.
    pub fn undo(&mut self) -> Option<BTreeSet<usize>> {
        let step = self.past.pop()?;
        step.change.undo(&mut self.document);
        let chosen = step.chosen[0].clone();
        self.future.push(step);
        self.revision += 1;
        Some(chosen)
    }

    /// Do a step again: which muscles were chosen after it; none where there was nothing to do again.
    pub fn redo(&mut self) -> Option<BTreeSet<usize>> {
        let mut step = self.future.pop()?;
        step.change.redo(&mut self.document);
        step.gesture = None; // what is dragged from here on is another step
        let chosen = step.chosen[1].clone();
        self.past.push(step);
        self.revision += 1;
        Some(chosen)
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

    /// The document as it is now is being written.
    pub fn begin_saving(&mut self) {
        self.saving = Some(self.past.len());
        // a drag that goes on is another step, or undo would lead past what was saved
        if let Some(step) = self.past.last_mut() {
            step.gesture = None;
        }
    }

    /// What was being written is in its file now.
    pub fn mark_saved(&mut self) {
        self.saved = self.saving.take();
    }

    /// It is not in its file, whatever is undone: it came back after a crash.
    pub fn mark_unsaved(&mut self) {
        self.saved = None;
    }

    /// Whether the file has something else.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        self.saved.is_none_or(|saved| self.differ(saved, self.past.len()))
    }

    /// Whether files of the document after so many steps and after so many others are unlike.
    fn differ(&self, a: usize, b: usize) -> bool {
        let all = self.past.iter().chain(self.future.iter().rev());
        all.skip(a.min(b)).take(a.abs_diff(b)).any(|step| step.change.is_saved())
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

    fn commit(history: &mut History, gesture: Option<Gesture>, size: f32) {
        history.commit("size", gesture, sized(size), Default::default());
    }

    #[test]
    fn a_drag_is_one_step_and_one_that_ends_where_it_began_is_none() {
        let mut history = History::new(sized(1.0));
        let [first, second] = [Some(Gesture::begin()), Some(Gesture::begin())];
        for size in [1.1, 1.2, 1.3] {
            commit(&mut history, first, size);
        }
        assert!(history.undo().is_some() && history.undo().is_none());
        assert_eq!(history.document(), &sized(1.0));
        assert!(history.redo().is_some() && history.redo().is_none());
        for size in [1.4, 1.3] {
            commit(&mut history, second, size);
        }
        assert!(history.undo().is_some() && history.undo().is_none(), "only the first drag is left");
    }

    #[test]
    fn a_step_knows_what_was_chosen_before_a_drag_and_after_it() {
        let mut history = History::new(sized(1.0));
        let drag = Some(Gesture::begin());
        for (size, chosen) in [(2.0, [[0].into(), [1].into()]), (3.0, [[1].into(), [2].into()])] {
            history.commit("size", drag, sized(size), chosen);
        }
        assert_eq!(history.before(drag).as_ref(), Some(&sized(1.0)));
        assert_eq!(history.undo(), Some([0].into()));
        assert_eq!(history.redo(), Some([2].into()));
        assert_eq!(history.before(drag), None, "what is redone is no drag that goes on");
    }

    #[test]
    fn what_is_saved_is_known_across_undo_and_lost_when_it_can_no_longer_be_reached() {
        let mut history = History::new(sized(1.0));
        assert!(!history.is_unsaved());
        commit(&mut history, None, 2.0);
        assert!(history.is_unsaved());
        history.begin_saving();
        history.mark_saved();
        history.undo();
        assert!(history.is_unsaved());
        history.redo();
        assert!(!history.is_unsaved());
        history.undo();
        commit(&mut history, None, 3.0);
        assert!(history.is_unsaved());
        history.undo();
        assert!(history.is_unsaved(), "the saved one was on a branch that is gone");
    }

    #[test]
    fn what_is_edited_while_it_is_written_is_unsaved_until_it_is_undone() {
        let mut history = History::new(sized(1.0));
        let drag = Some(Gesture::begin());
        commit(&mut history, drag, 2.0);
        history.begin_saving();
        commit(&mut history, drag, 3.0);
        history.mark_saved();
        assert!(history.is_unsaved());
        assert!(history.undo().is_some() && !history.is_unsaved(), "as it was written");
        history.begin_saving();
        assert!(history.undo().is_some());
        commit(&mut history, None, 4.0);
        history.mark_saved();
        assert!(
            history.is_unsaved() && history.undo().is_some() && history.is_unsaved(),
            "nothing leads back to what was written"
        );
    }

    #[test]
    fn a_pose_is_undone_and_is_nothing_to_save() {
        let mut history = History::new(sized(1.0));
        let posed = |size: f32| Document { turned: vec![(0, glam::Quat::from_rotation_x(1.0))], ..sized(size) };
        history.commit("pose", None, posed(1.0), Default::default());
        assert!(!history.is_unsaved());
        history.commit("size", None, posed(2.0), Default::default());
        assert!(history.is_unsaved());
        history.begin_saving();
        history.mark_saved();
        history.commit("pose", None, sized(2.0), Default::default());
        assert!(!history.is_unsaved());
        for unsaved in [false, true, true] {
            assert!(history.undo().is_some());
            assert_eq!(history.is_unsaved(), unsaved);
        }
        assert_eq!(history.document(), &sized(1.0));
    }

    #[test]
    fn a_pose_that_can_no_longer_be_redone_takes_nothing_saved_with_it() {
        let mut history = History::new(sized(1.0));
        let posed = |size: f32, angle: f32| {
            let turned = vec![(0, glam::Quat::from_rotation_x(angle))];
            Document { turned, ..sized(size) }
        };
        commit(&mut history, None, 2.0);
        history.commit("pose", None, posed(2.0, 1.0), Default::default());
        history.begin_saving();
        history.undo();
        let drag = Some(Gesture::begin());
        for angle in [0.5, 0.7] {
            history.commit("pose", drag, posed(2.0, angle), Default::default());
        }
        history.mark_saved();
        assert!(!history.is_unsaved(), "another pose");
        history.undo();
        assert!(!history.is_unsaved());
        history.commit("size", None, sized(3.0), Default::default());
        assert!(history.is_unsaved());
        history.undo();
        assert!(!history.is_unsaved(), "as it was written");
        history.undo();
        history.commit("pose", None, posed(1.0, 0.5), Default::default());
        assert!(history.is_unsaved(), "the size that was saved is gone");
    }

    proptest! {
        #[test]
        fn undoing_all_brings_back_the_first_document_and_redoing_all_the_last(
            edits in prop::collection::vec((0_u8..6, prop::option::of(0_u64..3)), 0..40)
        ) {
            let mut history = History::new(sized(1.0));
            for (size, gesture) in edits {
                commit(&mut history, gesture.map(Gesture), 1.0 + f32::from(size));
            }
            let last = history.document().clone();
            while history.undo().is_some() {}
            prop_assert_eq!(history.document(), &sized(1.0));
            prop_assert!(!history.is_unsaved());
            while history.redo().is_some() {}
            prop_assert_eq!(history.document(), &last);
        }
    }
}
