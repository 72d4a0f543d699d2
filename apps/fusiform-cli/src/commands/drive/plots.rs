//! `--plots`: what was found, drawn over time and as numbers.

use crate::failure::Failure;
use crate::output;
use crate::source::Subject;
use fusiform_drive::Driven;
use fusiform_files::{csv, sto};
use fusiform_motion::table::Table;
use fusiform_picture::plot::{Line, Panel, Plot};
use std::path::Path;

/// Lines that a panel shows at most: the largest of them.
const LINES: usize = 8;
/// Lines nearer to each other than this share of their largest value are one.
const SAME_LINE: f64 = 0.05;
/// Characters after which a line's name takes no further one in.
const LONGEST_NAME: usize = 24;
/// Pixels of a plot.
const WIDTH: u32 = 1200;
const PANEL_HEIGHT: u32 = 300;

/// Write angles, torques, tensions and activations as .png, .svg, .sto and .csv.
pub fn write(folder: &Path, subject: &Subject, clip: &str, driven: &Driven) -> Result<(), Failure> {
    output::create_folder(folder)?;
    let joint = |j: usize| &subject.character.skeleton.joints[j].name;
    let motions = driven.motions.iter().map(|motion| format!("{} {}", joint(motion.joint), motion.motion)).collect();
    let muscles = subject.musculature.muscles.iter().map(|muscle| muscle.name.clone()).collect();
    let table =
        |names: &Vec<String>, values: Vec<f64>| Table { names: names.clone(), times: driven.times.clone(), values };
    let angles = table(&motions, driven.angles.iter().map(|angle| angle.to_degrees()).collect());
    let (torques, reserves) = (table(&motions, driven.torques.clone()), table(&motions, driven.reserves.clone()));
    let activations = table(&muscles, driven.activations.clone());
    let n = driven.strengths.len().max(1);
    let pulled = driven.activations.iter().enumerate().map(|(i, a)| a * driven.strengths[i % n]).collect();
    let tensions = table(&muscles, pulled);
    let percent = Table { values: activations.values.iter().map(|a| 100.0 * a).collect(), ..activations.clone() };
    let ground = Table {
        names: vec!["ground_force_up".into()],
        times: driven.times.clone(),
        values: driven.ground_force.clone(),
    };
    let drawn = [
        ("angles", vec![panel("Angles since bind", "deg", &angles)]),
        ("torques", vec![panel("Torques", "N m", &torques), panel("Left by muscles", "N m", &reserves)]),
        ("tensions", vec![panel("Tensions", "N", &tensions)]),
        ("activations", vec![panel("Activation", "%", &percent), panel("Ground force", "N", &ground)]),
    ];
    for (name, panels) in drawn {
        let height = PANEL_HEIGHT * panels.len() as u32 + 60;
        let plot = Plot { title: format!("{}: {clip}", subject.character.name), panels };
        let png = plot.to_png(WIDTH, height).map_err(|error| Failure::told(folder.display().to_string(), &error))?;
        output::write(&folder.join(format!("{name}.png")), &png)?;
        output::write(&folder.join(format!("{name}.svg")), plot.to_svg().as_bytes())?;
    }
    let kept = [
        ("angles", &angles),
        ("torques", &torques),
        ("reserves", &reserves),
        ("tensions", &tensions),
        ("activations", &activations),
        ("ground", &ground),
    ];
    for (name, table) in kept {
        let in_degrees = name == "angles";
        let words = Table { names: table.names.iter().map(|name| name.replace(' ', "_")).collect(), ..table.clone() };
        output::write(&folder.join(format!("{name}.sto")), sto::write(&words, name, in_degrees).as_bytes())?;
        output::write(&folder.join(format!("{name}.csv")), csv::write(&words).as_bytes())?;
    }
    Ok(())
}

/// The largest lines of a table, largest first; those that coincide, as left and right often do, are drawn once.
fn panel(title: &str, unit: &str, table: &Table) -> Panel {
    let n = table.names.len();
    let column = |c: usize| table.values.iter().skip(c).step_by(n.max(1)).copied().collect::<Vec<f64>>();
    let largest = |values: &[f64]| values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    let mut columns: Vec<(String, Vec<f64>)> = (0..n).map(|c| (table.names[c].clone(), column(c))).collect();
    columns.sort_by(|a, b| largest(&b.1).total_cmp(&largest(&a.1)));
    let mut drawn: Vec<(String, Vec<f64>)> = Vec::new();
    for (name, values) in columns {
        let apart = |other: &[f64]| values.iter().zip(other).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        let full = drawn.len() == LINES;
        let twin = drawn.iter_mut().find(|(_, other)| apart(other) < SAME_LINE * largest(other));
        match twin {
            Some((names, _)) if without_side(names) == without_side(&name) => *names = without_side(&name) + ", both",
            Some((names, _)) if names.len() < LONGEST_NAME => *names = format!("{names}, {name}"),
            Some(_) => {}
            None if full => break,
            None => drawn.push((name, values)),
        }
    }
    let points = |values: Vec<f64>| table.times.iter().zip(values).map(|(&time, value)| [time, value]).collect();
    let line = |(name, values)| Line { name, points: points(values) };
    Panel { title: title.into(), unit: unit.into(), lines: drawn.into_iter().map(line).collect() }
}

/// `foot.l flexion` is `foot flexion`.
fn without_side(name: &str) -> String {
    let (word, rest) = name.split_at(name.find(' ').unwrap_or(name.len()));
    let stem = word.strip_suffix(".l").or(word.strip_suffix(".r")).unwrap_or(word);
    format!("{stem}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins_that_do_the_same_are_one_line() {
        let names = ["soleus.l", "soleus.r", "vastus.l", "vastus.r"].map(Into::into).to_vec();
        let table = Table { names, times: vec![0.0, 1.0], values: vec![1.0, 1.01, 5.0, 2.0, 3.0, 3.0, 5.0, 4.0] };
        let panel = panel("Tensions", "N", &table);
        let drawn: Vec<&str> = panel.lines.iter().map(|line| &*line.name).collect();
        assert_eq!(drawn, ["vastus.l", "vastus.r", "soleus, both"]);
    }
}
