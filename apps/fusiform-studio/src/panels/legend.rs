//! Legend: what the colours of the skin and of muscles mean, in a corner of the view.

use super::Over;
use super::marks::{MARGIN, PAD, frame};
use crate::model::{Show, Studio};
use egui::{Align2, Color32, FontId, Mesh, Rect, Ui, Vec2, pos2, vec2};
use fusiform_picture::color::{bytes_from_linear, heat, tension};

/// Points along the bar, and across it; in a narrow view it is half as long as that is wide.
const BAR: Vec2 = vec2(130.0, 8.0);
/// Pieces of the bar, each from one colour to the next.
const PIECES: u16 = 32;
/// Muscles that are told by name.
const NAMED: usize = 3;

/// Draw; nothing where colours are those of skin and flesh.
pub fn show(ui: &Ui, over: Over, studio: &Studio) {
    match studio.show {
        Show::Weights => draw(ui, over, &format!("Weights of {}", whose(studio)), Some(heat)),
        Show::Tension => draw(ui, over, "Tension", Some(tension)),
        Show::Regions => draw(ui, over, &region(over, studio), None),
        Show::Skin | Show::Muscles | Show::Both => {}
    }
}

/// Whose weights are shown: those of a joint, of muscles, or of all.
fn whose(studio: &Studio) -> String {
    if let Some(joint) = studio.joint.and_then(|joint| studio.project.character.skeleton.joints.get(joint)) {
        return joint.name.clone();
    }
    let chosen = studio.chosen.iter().filter_map(|&m| studio.muscles().get(m));
    let names: Vec<&str> = chosen.map(|muscle| &*muscle.name).collect();
    match &names[..] {
        [] => "all muscles".into(),
        names if names.len() <= NAMED => names.join(", "),
        names => format!("{} and {} more", names[..NAMED - 1].join(", "), names.len() + 1 - NAMED),
    }
}

/// The bone whose skin is under the mouse.
fn region(over: Over, studio: &Studio) -> String {
    let (Some(flesh), Some(regions)) = (studio.fit.flesh(), studio.fit.regions()) else {
        let cut = if studio.fit.is_uncut(studio.document()) { "cannot be" } else { "is being" };
        return format!("The body {cut} cut into regions");
    };
    let Some(hit) = over.mouse().and_then(|at| over.skin(studio, at)) else {
        return "Point at the skin: whose it is".into();
    };
    let region = regions.get(hit.vertex()).copied().flatten();
    region.and_then(|region| flesh.region_name(region)).unwrap_or("Skin of no bone").to_owned()
}

/// Words, and below them what each colour from 0 to 1 is.
fn draw(ui: &Ui, over: Over, words: &str, colors: Option<fn(f32) -> [f32; 3]>) {
    let painter = ui.painter().with_clip_rect(over.rect);
    let (font, small) = (FontId::proportional(13.0), FontId::proportional(11.0));
    let (room, length) = (over.rect.width() - 2.0 * (MARGIN + PAD.x), BAR.x.min(0.5 * over.rect.width()));
    let text = painter.layout(words.to_owned(), font, Color32::WHITE, room.clamp(1.0, 2.0 * BAR.x));
    let below = if colors.is_some() { vec2(length, 4.0 + BAR.y + 14.0) } else { Vec2::ZERO };
    let size = vec2(text.size().x.max(below.x), text.size().y + below.y);
    let corner = over.rect.left_bottom() + vec2(MARGIN + PAD.x, -MARGIN - PAD.y);
    let rect = frame(&painter, over.rect, Align2::LEFT_BOTTOM.anchor_size(corner, size));
    let bar = Rect::from_min_size(rect.min + vec2(0.0, text.size().y + 4.0), vec2(length, BAR.y));
    painter.galley(rect.min, text, Color32::WHITE);
    let Some(colors) = colors else { return };
    painter.add(ramp(bar, colors));
    painter.text(bar.left_bottom(), Align2::LEFT_TOP, "0", small.clone(), Color32::WHITE);
    painter.text(bar.right_bottom(), Align2::RIGHT_TOP, "1", small, Color32::WHITE);
}

/// A bar from the colour of 0 to that of 1.
fn ramp(bar: Rect, colors: fn(f32) -> [f32; 3]) -> Mesh {
    let mut mesh = Mesh::default();
    for k in 0..=PIECES {
        let share = f32::from(k) / f32::from(PIECES);
        let (x, [r, g, b]) = (bar.left() + share * bar.width(), bytes_from_linear(colors(share)));
        let color = Color32::from_rgb(r, g, b);
        let first = mesh.vertices.len() as u32;
        mesh.colored_vertex(pos2(x, bar.top()), color);
        mesh.colored_vertex(pos2(x, bar.bottom()), color);
        if k < PIECES {
            mesh.add_triangle(first, first + 1, first + 2);
            mesh.add_triangle(first + 1, first + 3, first + 2);
        }
    }
    mesh
}
