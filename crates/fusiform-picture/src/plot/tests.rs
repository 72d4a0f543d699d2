use super::layout::{Mark, marks};
use super::*;

fn wave(name: &str, n: usize, shift: f64, size: f64) -> Line {
    let points = (0..n).map(|i| i as f64 / n as f64).map(|t| [t, size * (6.0 * t + shift).sin()]).collect();
    Line { name: name.into(), points }
}

fn panel(title: &str, unit: &str, lines: Vec<Line>) -> Panel {
    Panel { title: title.into(), unit: unit.into(), lines }
}

fn gait() -> Plot {
    let angles = vec![wave("hip flexion", 80, 0.0, 30.0), wave("knee angle", 80, 1.0, 60.0)];
    let tensions = (0..16).map(|i| wave(&format!("muscle {i}"), 80, 0.3 * i as f64, 40.0)).collect();
    Plot {
        title: "Walking <1.2 m/s> & more".into(),
        panels: vec![panel("Angles", "deg", angles), panel("Activations", "%", tensions)],
    }
}

/// Boxes of all texts, left, top, right, bottom.
fn text_boxes(plot: &Plot, width: f32, height: f32) -> Vec<(String, [f32; 4])> {
    let boxed = |mark| match mark {
        Mark::Text { text, x, y, size, anchor, .. } => {
            let long = crate::font::width(&text, size);
            let left = x - long * [0.0, 0.5, 1.0][anchor as usize];
            Some((text, [left, y + 0.1 * size, left + long, y + 0.9 * size]))
        }
        Mark::Stroke { .. } => None,
    };
    marks(plot, width, height).into_iter().filter_map(boxed).collect()
}

#[test]
fn no_text_lies_on_another_or_outside() {
    for (width, height) in [(960.0, 520.0), (1600.0, 900.0), (700.0, 480.0)] {
        let boxes = text_boxes(&gait(), width, height);
        for (i, (text, a)) in boxes.iter().enumerate() {
            assert!(a[0] >= 0.0 && a[1] >= 0.0 && a[2] <= width && a[3] <= height, "{text:?} is outside: {a:?}");
            for (other, b) in &boxes[i + 1..] {
                let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                assert!(apart, "{text:?} {a:?} lies on {other:?} {b:?} at {width}x{height}");
            }
        }
    }
}

#[test]
fn an_svg_is_well_formed_and_keeps_its_text() {
    let svg = gait().to_svg();
    assert!(svg.contains("Walking &lt;1.2 m/s&gt; &amp; more"));
    assert!(svg.contains(">Angles (deg)<") && svg.contains(">time (s)<") && svg.contains(">knee angle<"));
    assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
    assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"));
}

#[test]
fn lines_break_where_values_are_missing() {
    let mut line = wave("gap", 30, 0.0, 1.0);
    line.points[10][1] = f64::NAN;
    let plot = |line| Plot { title: String::new(), panels: vec![panel("a", "", vec![line])] };
    let strokes = |plot: &Plot| {
        marks(plot, 900.0, 300.0).iter().filter(|m| matches!(m, Mark::Stroke { width, .. } if *width > 1.2)).count()
    };
    assert_eq!(strokes(&plot(line)), strokes(&plot(wave("gap", 30, 0.0, 1.0))) + 1);
}

#[test]
fn a_long_signal_keeps_its_peaks_in_few_points() {
    let mut line = wave("emg", 200_000, 0.0, 1.0);
    line.points[77_777][1] = 9.0;
    let plot = Plot { title: String::new(), panels: vec![panel("EMG", "V", vec![line])] };
    let svg = plot.to_svg();
    assert!(svg.len() < 200_000, "{} bytes", svg.len());
    let top = marks(&plot, 900.0, 300.0).into_iter().filter_map(|mark| match mark {
        Mark::Stroke { points, width, .. } if width > 1.2 => points.into_iter().map(|p| p[1]).min_by(f32::total_cmp),
        _ => None,
    });
    let top = top.min_by(f32::total_cmp).unwrap();
    assert!(top < 80.0, "the peak is at {top}");
}

#[test]
fn every_pixel_of_a_picture_is_the_same_each_time_and_lines_show() {
    let plot = gait();
    let picture = plot.picture(640, 400).unwrap();
    assert_eq!(picture, plot.picture(640, 400).unwrap());
    let blue = picture.pixels.chunks(3).filter(|p| p[2] > p[0].saturating_add(80)).count();
    assert!(blue > 300, "{blue} pixels of the first line");
}

#[test]
fn whatever_is_plotted_nothing_panics() {
    let odd = [f64::NAN, f64::INFINITY, -1e300, 1e300, 0.0, -0.0, 1e-300];
    let points = odd.iter().flat_map(|x| odd.iter().map(move |y| [*x, *y])).collect();
    let lines = vec![Line { name: "\u{1}odd\u{1F600}".repeat(30), points }, Line::default()];
    let plot = Plot { title: "t".repeat(500), panels: vec![Panel::default(), panel("x", "y", lines)] };
    for (width, height) in [(1, 1), (20, 300), (300, 20), (400, 300)] {
        plot.to_png(width, height).unwrap();
    }
    assert!(plot.to_svg().len() > 100 && Plot::default().to_svg().len() > 100);
    assert!(Plot::default().to_png(0, 10).is_err());
}
