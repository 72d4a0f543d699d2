//! `--report`: what was found as tables, errors over time, and pictures.

use super::pictures;
use crate::failure::Failure;
use crate::source::Subject;
use fusiform_drive::identify::{Distance, Errors, Found, ToSurface};
use fusiform_picture::plot::{Line, Panel, Plot};
use std::fmt::Write as _;

/// Pixels of the plot.
const WIDTH: u32 = 1200;
const PANEL_HEIGHT: u32 = 300;

/// Every file of the report by its name.
pub fn files(
    subject: &Subject,
    names: &[String; 2],
    kernel: &str,
    found: &Found,
) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let plot = plot(subject, names, found);
    let height = PANEL_HEIGHT * plot.panels.len() as u32 + 60;
    let mut files = vec![
        ("report.md".to_owned(), markdown(subject, names, kernel, found).into_bytes()),
        ("errors.csv".to_owned(), csv(subject, found).into_bytes()),
        ("error.svg".to_owned(), plot.to_svg().into_bytes()),
        ("error.png".to_owned(), plot.to_png(WIDTH, height)?),
    ];
    for (name, picture) in pictures::pictures(subject, found)? {
        files.push((name.to_owned(), picture.png()?));
    }
    Ok(files)
}

/// As the paper prints it: mean and standard deviation of the distance from marker to skin, mm.
pub fn table(names: &[String; 2], found: &Found) -> String {
    let mut text =
        format!("{:<44} {:>16} {:>16}\n", "from marker to skin, mean ± SD, mm", "with deformation", "without");
    for (name, errors) in rows(names, found) {
        let [with, without] = errors.all().map(|of| spread(&of));
        let _ = writeln!(text, "  {name:<42} {with:>16} {without:>16}");
    }
    let surfaces = surfaces(names, found);
    if !surfaces.is_empty() {
        let _ = writeln!(text, "{:<44} {:>16} {:>16}", "from marker to muscle (eq. 6)", "with deformation", "without");
    }
    for (name, both) in surfaces {
        let [with, without] = both.map(|of| spread(&of));
        let _ = writeln!(text, "  {name:<42} {with:>16} {without:>16}");
    }
    text
}

/// The same motions, from markers to the muscles they lie on; nothing where they were not taken to lie on any.
fn surfaces(names: &[String; 2], found: &Found) -> Vec<(String, [Distance; 2])> {
    let Some(ToSurface { training, held_out }) = found.surface() else { return Vec::new() };
    let motions = rows(names, found).into_iter().map(|(name, _)| name);
    motions.zip(std::iter::once(training).chain(held_out)).collect()
}

/// The motions that were measured, and what people call them.
fn rows<'a>(names: &[String; 2], found: &'a Found) -> Vec<(String, &'a Errors)> {
    let fitted = (format!("{} (fitted)", names[0]), &found.training);
    let held_out = found.held_out.as_ref().map(|errors| (format!("{} (held out)", names[1]), errors));
    std::iter::once(fitted).chain(held_out).collect()
}

fn spread(of: &Distance) -> String {
    if of.sightings == 0 { "nothing seen".into() } else { format!("{:.2} ± {:.2}", of.mean_mm, of.sd_mm) }
}

fn markdown(subject: &Subject, names: &[String; 2], kernel: &str, found: &Found) -> String {
    let markers = found.sites.iter().flatten().count();
    let mut text = format!(
        "# Muscles of {} identified\n\n{} muscles, {markers} markers; {kernel}. Distances are from each marker to the nearest point of the \
         skin, mean ± SD, mm, without soft tissue.\n\n| motion | frames | with deformation | without |\n|---|---|---|---|\n",
        subject.character.name,
        found.muscles.len()
    );
    for (name, errors) in rows(names, found) {
        let [with, without] = errors.all().map(|of| spread(&of));
        let _ = writeln!(text, "| {name} | {} | {with} | {without} |", errors.moments.len());
    }
    for (name, both) in surfaces(names, found) {
        let [with, without] = both.map(|of| spread(&of));
        let _ = writeln!(text, "| {name}, from marker to muscle (eq. 6) | | {with} | {without} |");
    }
    text.push_str("\n![error over time](error.png)\n\n![with deformation](with.png)\n\n![without](without.png)\n");
    text.push_str("\n## Muscles\n\nOver the markers that follow each.\n\n");
    text.push_str("| muscle | markers | with | without | held out, with | held out, without | volume ± |\n");
    text.push_str("|---|---|---|---|---|---|---|\n");
    for of in &found.muscles {
        let name = &subject.musculature.muscles[of.muscle].name;
        let [with, without] = of.training.map(|of| spread(&of));
        let [held_with, held_without] =
            of.held_out.map_or([String::new(), String::new()], |of| of.map(|of| spread(&of)));
        let (markers, volume) = (of.markers.len(), 100.0 * of.volume_spread);
        let _ = writeln!(
            text,
            "| {name} | {markers} | {with} | {without} | {held_with} | {held_without} | {volume:.1} % |"
        );
    }
    if !subject.warnings.is_empty() {
        text.push_str("\n## To know\n\n");
        subject.warnings.iter().for_each(|warning| _ = writeln!(text, "- {warning}"));
    }
    text
}

/// Every sighting: motion, clip, time, marker, and how far it is from the skin, mm.
fn csv(subject: &Subject, found: &Found) -> String {
    let mut text = String::from("part,clip,time,marker,with_mm,without_mm\n");
    let parts = [("fitted", Some(&found.training)), ("held out", found.held_out.as_ref())];
    for (part, errors) in parts.into_iter().filter_map(|(part, errors)| Some((part, errors?))) {
        let n = errors.names.len();
        for (i, (with, without)) in errors.with.iter().zip(&errors.without).enumerate() {
            let ((clip, time), marker) = (errors.moments[i / n], quoted(&errors.names[i % n]));
            if with.is_finite() {
                let clip = quoted(&subject.character.clips[clip].name);
                let _ = writeln!(text, "{part},{clip},{time},{marker},{:.4},{:.4}", 1e3 * with, 1e3 * without);
            }
        }
    }
    text
}

/// A cell; in quotation marks where it needs them.
fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

fn plot(subject: &Subject, names: &[String; 2], found: &Found) -> Plot {
    let panel = |(name, errors): (String, &Errors)| {
        let mut order: Vec<usize> = (0..errors.moments.len()).collect();
        // sculpted skins come as they were named, and a plot's times ascend
        order.sort_by(|&a, &b| errors.moments[a].1.total_cmp(&errors.moments[b].1));
        let seen = || order.iter().filter(|&&t| errors.frame(t)[0].sightings > 0);
        let line = |name: &str, which: usize| Line {
            name: name.into(),
            points: seen().map(|&t| [f64::from(errors.moments[t].1), errors.frame(t)[which].mean_mm]).collect(),
        };
        Panel { title: name, unit: "mm".into(), lines: vec![line("with deformation", 0), line("without", 1)] }
    };
    let title = format!("{}: from marker to skin", subject.character.name);
    Plot { title, panels: rows(names, found).into_iter().map(panel).collect() }
}
