//! A question: asked over everything else, until it is answered.

use egui::{Context, Id, Key, Modifiers};

/// A question with its answers; the last is what escape means.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// What it is about.
    pub title: &'a str,
    /// What happens, in a sentence.
    pub text: &'a str,
    /// What can be answered.
    pub answers: &'a [&'a str],
    /// The answer that return gives: none that loses anything.
    pub usual: usize,
}

impl Question<'_> {
    /// Draw it; the answer, once there is one.
    #[must_use]
    pub fn show(&self, context: &Context) -> Option<usize> {
        let modal = egui::Modal::new(Id::unique(("question", self.title)));
        let shown = modal.show(context, |ui| {
            ui.set_max_width(420.0);
            ui.heading(self.title);
            ui.label(self.text);
            ui.add_space(8.0);
            let mut answer = None;
            // whatever had the keyboard before it was asked has it no more
            let is_seen = context.memory(|memory| memory.areas().visible_last_frame(&ui.layer_id()));
            let takes_keys = !is_seen || context.memory(|memory| memory.focused().is_none());
            ui.horizontal(|ui| {
                for (i, words) in self.answers.iter().enumerate() {
                    let button = ui.button(*words);
                    if i == self.usual && takes_keys {
                        button.request_focus();
                    }
                    if button.clicked() {
                        answer = Some(i);
                    }
                }
            });
            answer
        });
        let escapes = || context.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
        let escaped = shown.is_top_modal && escapes();
        shown.inner.or(escaped.then(|| self.answers.len().saturating_sub(1)))
    }
}
