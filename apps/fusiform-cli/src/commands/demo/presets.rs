//! The same motions with plain skinning and with each paper's muscles, side by side and in numbers.

use super::{FPS, look};
use crate::commands::picture::find_clip;
use crate::draw::{Panel, Set, Size};
use crate::failure::Failure;
use crate::measure::Comparison;
use crate::play::Player;
use crate::scene::Show;
use crate::source::Subject;
use fusiform_fit::{FAT, Preset, Roles, Template, rig, sort_meshes};
use fusiform_picture::{Picture, Quality, View, grid, stack};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A clip, whose girth says most about it, and from where it is best seen.
struct Motion {
    clip: &'static str,
    muscle: &'static str,
    view: View,
}

const MOTIONS: [Motion; 3] = [
    Motion { clip: "curl", muscle: "biceps_brachii_long.l", view: View::Front },
    Motion { clip: "squat", muscle: "vastus_lateralis.l", view: View::ThreeQuarter },
    Motion { clip: "jump_landing", muscle: "soleus.l", view: View::ThreeQuarter },
];

/// Pictures of one comparison: plain skinning and every preset for each motion.
pub const PICTURES: usize = MOTIONS.len() * (Preset::ALL.len() + 1);

/// What was measured of one preset in one motion, at its moment.
struct Measured {
    clip: &'static str,
    preset: &'static str,
    muscle: &'static str,
    seconds: f32,
    girth_cm: Option<[f32; 2]>,
    comparison: Comparison,
    frame_us: f64,
}

/// The comparison: a picture, a page that shows it with the numbers, and the numbers.
pub struct Page {
    /// All motions and presets.
    pub picture: Picture,
    /// A page that shows a picture of that name.
    pub html: String,
    /// For `--json`.
    pub rows: Value,
}

/// Rig the subject once for every preset and play it.
pub fn compare(subject: &Subject, pixels: u32, picture: &str, bar: &ProgressBar) -> Result<Page, Failure> {
    let subjects = Preset::ALL.into_iter().map(|preset| rigged(subject, preset)).collect::<Result<Vec<_>, _>>()?;
    let (mut cells, mut measured) = (Vec::new(), Vec::new());
    for motion in &MOTIONS {
        // the moment at which the first preset has moved the skin farthest serves them all
        let mut seconds = None;
        for (preset, subject) in Preset::ALL.into_iter().zip(&subjects) {
            let mut player = Player::new(subject, Some(find_clip(subject, motion.clip)?), Vec::new(), FPS)?;
            let at = *seconds.get_or_insert_with(|| player.peak().0);
            let mut times = player.frame_times();
            times.sort_unstable();
            let frame_us = times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e6);
            let shot = |panel: Panel, name: &str, player: &mut Player| -> Result<Picture, Failure> {
                let look = look(vec![panel], motion.view, Size::High(pixels), Quality::good());
                let picture = Set::survey(&look, player, &[at])?.strip(player)?;
                bar.inc(1);
                Ok(stack(&[picture.clone(), super::caption(name, picture.width, picture.width)?])?)
            };
            if preset == Preset::ALL[0] {
                cells.push(shot(Panel::Plain, "plain skinning", &mut player)?);
            }
            cells.push(shot(Panel::Muscled(Show::Skin), preset.name(), &mut player)?);
            let comparison = Comparison::new(&player);
            let girth_cm = comparison.girth_cm.iter().find(|(name, _)| name == motion.muscle).map(|(_, cm)| *cm);
            let (clip, muscle, preset) = (motion.clip, motion.muscle, preset.name());
            measured.push(Measured { clip, preset, muscle, seconds: at, girth_cm, comparison, frame_us });
        }
    }
    let picture_of_all = grid(&cells, Preset::ALL.len() + 1)?;
    let rows = measured.iter().map(json_row).collect();
    Ok(Page { picture: picture_of_all, html: html(&measured, picture), rows })
}

/// The subject with that preset's muscles, from the template.
fn rigged(subject: &Subject, preset: Preset) -> Result<Subject, Failure> {
    let character = &subject.character;
    let roles = Roles::find(&character.skeleton).roles;
    let fat = FAT * character.height();
    let rigged = rig(character, &sort_meshes(character), &roles, &Template::humanoid(), preset, fat, |_| Ok(()))
        .map_err(|error| Failure::told(subject.file.clone(), &error))?;
    Ok(Subject { musculature: rigged.musculature, ..subject.clone() })
}

fn json_row(row: &Measured) -> Value {
    let Comparison { max_mm, mean_mm, flipped, volume_change, .. } = &row.comparison;
    json!({
        "clip": row.clip, "preset": row.preset, "seconds": row.seconds, "muscle": row.muscle, "girth_cm": row.girth_cm,
        "volume_change": volume_change, "flipped_triangles": flipped, "frame_us": row.frame_us,
        "max_difference_mm": max_mm, "mean_difference_mm": mean_mm,
    })
}

fn html(measured: &[Measured], picture: &str) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>fusiform: presets compared</title>\n\
         <style>body{{font-family:sans-serif;max-width:90em;margin:2em auto}}td,th{{padding:.2em .8em;text-align:right}}\
         td:first-child,th:first-child,td:nth-child(2),th:nth-child(2){{text-align:left}}img{{width:100%}}</style>\n\
         <h1>One body, five papers</h1>\n<p>Each row is one moment of a clip: plain skinning, then the muscles of Lee, Ramos, \
         Saam, Pratscher and Murai from one template.</p>\n<img src=\"{picture}\" alt=\"the presets side by side\">\n<table>\n\
         <tr><th>clip</th><th>preset</th><th>moment</th><th>girth, plain</th><th>girth</th><th>volume, plain</th>\
         <th>volume</th><th>flipped, plain</th><th>flipped</th><th>farthest from plain</th><th>frame</th></tr>\n"
    );
    for row in measured {
        let [plain_girth, girth] =
            row.girth_cm.map_or([String::new(), String::new()], |cm| cm.map(|cm| format!("{cm:.2} cm")));
        let Comparison { max_mm, flipped, volume_change, .. } = &row.comparison;
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{:.2} s</td><td>{plain_girth}</td><td>{girth}</td><td>{:+.2} %</td>\
             <td>{:+.2} %</td><td>{}</td><td>{}</td><td>{max_mm:.1} mm</td><td>{:.0} us</td></tr>",
            row.clip.replace('_', " "),
            row.preset,
            row.seconds,
            100.0 * volume_change[0],
            100.0 * volume_change[1],
            flipped[0],
            flipped[1],
            row.frame_us,
        );
    }
    let muscles: Vec<String> =
        MOTIONS.iter().map(|motion| format!("{} at {}", motion.clip.replace('_', " "), motion.muscle)).collect();
    let _ = writeln!(
        page,
        "</table>\n<p>Girths are cut across a muscle at mid-belly: {}. Volume is that of the whole skin against rest; flipped \
         are triangles that are inside out; a frame is the median of the whole clip, from pose to normals.</p>\n</html>",
        muscles.join(", ")
    );
    page
}
