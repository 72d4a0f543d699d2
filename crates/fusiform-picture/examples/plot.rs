//! Angles, torques and activations of a made-up stride.
//!
//! `cargo run --release -p fusiform-picture --example plot -- OUT.png|OUT.svg`

use fusiform_picture::plot::{Line, Panel, Plot};
use std::{error::Error, f64::consts::TAU};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: plot OUT.png | OUT.svg")?;
    let plot = Plot { title: "Walking, right leg, 1.2 m/s".into(), panels: vec![angles(), torques(), activations()] };
    let bytes = if path.ends_with(".svg") { plot.to_svg().into_bytes() } else { plot.to_png(1200, 860)? };
    Ok(std::fs::write(path, bytes)?)
}

/// A line through a function of the stride, which takes 1.1 s.
fn line(name: &str, value: impl Fn(f64) -> f64) -> Line {
    let points = (0..=132).map(|i| f64::from(i) / 120.0).map(|time| [time, value(time / 1.1)]).collect();
    Line { name: name.into(), points }
}

fn panel(title: &str, unit: &str, lines: Vec<Line>) -> Panel {
    Panel { title: title.into(), unit: unit.into(), lines }
}

/// A bump of height 1 about a part of the stride.
fn bump(stride: f64, middle: f64, width: f64) -> f64 {
    let off = (stride - middle + 0.5).rem_euclid(1.0) - 0.5;
    (-(off / width).powi(2)).exp()
}

fn angles() -> Panel {
    let knee = line("knee_angle_r", |s| -5.0 - 15.0 * bump(s, 0.15, 0.1) - 58.0 * bump(s, 0.72, 0.12));
    let mut ankle = line("ankle_angle_r", |s| 8.0 * bump(s, 0.4, 0.15) - 20.0 * bump(s, 0.63, 0.07));
    ankle.points[30..36].iter_mut().for_each(|point| point[1] = f64::NAN); // a gap
    let hip = line("hip_flexion_r", |s| 8.0 + 22.0 * (TAU * (s + 0.08)).cos());
    panel("Angles", "deg", vec![hip, knee, ankle])
}

fn torques() -> Panel {
    let hip = line("hip_flexion_r", |s| -45.0 * bump(s, 0.1, 0.12) + 50.0 * bump(s, 0.52, 0.12));
    let knee = line("knee_angle_r", |s| 35.0 * bump(s, 0.15, 0.07) - 18.0 * bump(s, 0.4, 0.1));
    let ankle = line("ankle_angle_r", |s| -112.0 * bump(s, 0.48, 0.11));
    panel("Torques", "N m", vec![hip, knee, ankle])
}

fn activations() -> Panel {
    let names = [
        "gluteus maximus",
        "iliopsoas",
        "rectus femoris",
        "vastus lateralis",
        "biceps femoris",
        "semitendinosus",
        "gastrocnemius medialis",
        "soleus",
        "tibialis anterior",
    ];
    let muscle = |(i, name): (usize, &&str)| {
        let phase = i as f64 / 9.0;
        line(name, move |s| 3.0 + (30.0 + 6.0 * i as f64) * bump(s, phase, 0.09))
    };
    panel("Activations", "%", names.iter().enumerate().map(muscle).collect())
}
