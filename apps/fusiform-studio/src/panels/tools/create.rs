//! Create: two clicks on the skin make a muscle.

use crate::model::{Action, Look, Placing, Show, Spot, Studio};
use crate::panels::Over;
use crate::panels::marks::{dot, hint, label, strokes};
use egui::{Color32, Key, Pos2, Shape, Ui};
use fusiform::BodyState;

const BEGIN: Color32 = Color32::from_rgb(120, 220, 130);
const END: Color32 = Color32::from_rgb(250, 150, 110);

/// Where the muscle begins, once that is known.
#[derive(Clone, Debug, Default)]
pub struct Create {
    origin: Option<Spot>,
}

impl Create {
    /// Draw, and do; never takes the mouse, so that drags turn the camera.
    pub fn show(&mut self, ui: &Ui, over: Over, studio: &Studio, actions: &mut Vec<Action>) -> bool {
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            self.origin = None;
        }
        let gone = |spot: &Spot| spot.corners.iter().any(|&v| v >= studio.live.muscled().0.n_vertex());
        self.origin = self.origin.filter(|spot| !gone(spot));
        let pointed = over.mouse().filter(|_| !over.response.dragged()).and_then(|at| spot_at(over, studio, at));
        if let Some(spot) = over.clicked(ui).and_then(|at| spot_at(over, studio, at)) {
            match self.origin.take() {
                None => self.origin = Some(spot),
                Some(origin) => {
                    actions.push(Placing::Create([origin, spot]).into());
                    if studio.show == Show::Skin {
                        // what was made is to be seen
                        actions.push(Look::Show(Show::Both).into());
                    }
                }
            }
        }
        self.draw(ui, over, studio, pointed);
        false
    }

    fn draw(&self, ui: &Ui, over: Over, studio: &Studio, pointed: Option<Spot>) {
        let at = |spot: &Spot| seen(over, studio, spot);
        let begin = self.origin.as_ref().and_then(at);
        let end = pointed.as_ref().and_then(at);
        if let (Some(begin), Some(end)) = (begin, end) {
            for stroke in strokes(2.0, END) {
                ui.painter().with_clip_rect(over.rect).extend(Shape::dashed_line(&[begin, end], stroke, 6.0, 4.0));
            }
        }
        if let Some(begin) = begin {
            dot(ui, over, begin, BEGIN, true);
        }
        if let (Some(end), Some(spot)) = (end, &pointed) {
            let color = if begin.is_some() { END } else { BEGIN };
            dot(ui, over, end, color, false);
            label(ui, over, end, &carrier(studio, spot), color);
        }
        let words = match (begin, studio.mirrored) {
            (None, _) => "Click where the muscle begins, its origin",
            (Some(_), false) => "Click where it ends, its insertion; Esc begins anew",
            (Some(_), true) => "Click where it ends, its insertion: the other side gets one too; Esc begins anew",
        };
        hint(ui, over, words);
    }
}

fn spot_at(over: Over, studio: &Studio, at: Pos2) -> Option<Spot> {
    over.skin(studio, at).map(|hit| Spot { corners: hit.corners, shares: hit.shares })
}

/// Where in the window it is seen now.
fn seen(over: Over, studio: &Studio, spot: &Spot) -> Option<Pos2> {
    let on = |body: &BodyState| -> Option<Pos2> {
        let places = body.positions();
        over.at(spot.corners.iter().zip(spot.shares.to_array()).map(|(&v, share)| places[v] * share).sum())
    };
    // which side of the split it is on takes knowing about where it is
    on(over.body(studio, on(studio.live.muscled().1)?))
}

/// What the joint is called that would carry it.
fn carrier(studio: &Studio, spot: &Spot) -> String {
    let character = &studio.project.character;
    let joint = spot.carrier(character).map(|joint| character.skeleton.joints[joint].name.clone());
    joint.unwrap_or_default()
}
