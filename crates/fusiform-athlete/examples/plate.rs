//! The athlete as a plate of an anatomy atlas: `plate FILE.svg`.
//!
//! Three figures: the skin at rest, the muscles at the height of the `flex` clip, the muscles at rest from behind.
//! A figure is sampled on a fine grid; every tone of it is a set of samples, and the outline of the set is a path. So
//! what hides what is settled sample by sample, and the plate is text that says the same every time.

use fusiform::body::belly_triangles;
use fusiform::{Body, BodyState, Pose, StepInput};
use fusiform_athlete::Athlete;
use fusiform_picture::smooth_normals;
use glam::{IVec2, Vec2, Vec3, vec2, vec3};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Units of the plate in a metre, and samples of a figure in a unit.
const SCALE: f32 = 260.0;
const FINE: f32 = 2.5;
/// A figure: width and height in units, where its floor is, and its samples across and down.
const PANEL: Vec2 = vec2(380.0, 510.0);
const FLOOR: f32 = 494.0;
const WIDTH: usize = (PANEL.x * FINE) as usize;
const HEIGHT: usize = (PANEL.y * FINE) as usize;
/// Where light comes from, seen by the viewer.
const LIGHT: Vec3 = vec3(-0.45, 0.62, 0.64);
/// Outlines may be so far off, in units.
const TOLERANCE: f32 = 0.16;
/// A muscle this much shorter than at rest is as red as it gets.
const FULL_SHORTENING: f32 = 0.3;
/// When the double biceps of `flex` is squeezed, in seconds.
const SQUEEZED: f32 = 1.8;
/// Flesh this deep under the skin, in metres, is behind something: it belongs to the other side of the body.
const DEEP: f32 = 0.075;

/// Tones: the shares of light from which they are used, the darkest and the lightest in sRGB.
type Tones<'a> = (&'a [f32], Vec3, Vec3);
const SKIN: Tones = (&[-1.0, 0.3, 0.5, 0.66, 0.8, 0.91], vec3(158.0, 102.0, 74.0), vec3(254.0, 228.0, 198.0));
/// The same body where it only stands around the muscles.
const GHOST: Tones = (&[-1.0, 0.45, 0.72], vec3(227.0, 217.0, 203.0), vec3(243.0, 237.0, 227.0));
/// Muscle from relaxed to shortened.
const RELAXED: Vec3 = vec3(247.0, 184.0, 170.0);
const SHORT: Vec3 = vec3(188.0, 12.0, 24.0);
const SHINE: Vec3 = vec3(243.0, 228.0, 212.0);
const INK: Vec3 = vec3(74.0, 26.0, 28.0);

/// What is seen at a sample.
#[derive(Clone, Copy)]
struct Sample {
    depth: f32,
    part: usize,
    light: f32,
}

/// A figure on its grid; nothing where no part was drawn.
struct Shot {
    from_behind: bool,
    samples: Vec<Option<Sample>>,
}

impl Shot {
    fn new(from_behind: bool) -> Self {
        Self { from_behind, samples: vec![None; WIDTH * HEIGHT] }
    }

    /// Draw a part over what is behind it.
    fn draw(&mut self, part: usize, points: &[Vec3], normals: &[Vec3], triangles: &[[u32; 3]]) {
        let floor = vec2(PANEL.x * 0.5, FLOOR) * FINE;
        // right and up as the viewer has them, and toward the viewer
        let side = if self.from_behind { vec3(-1.0, 1.0, -1.0) } else { Vec3::ONE };
        let seen: Vec<Vec3> = points.iter().map(|&p| p * side).collect();
        let at: Vec<Vec2> = seen.iter().map(|p| floor + vec2(p.x, -p.y) * SCALE * FINE).collect();
        // darker where a surface turns away: rims read as drawn lines
        let lit = |n: Vec3| 0.62 * n.dot(LIGHT.normalize()).max(0.0) + 0.38 * n.z.max(0.0).sqrt();
        let light: Vec<f32> = normals.iter().map(|&n| lit(n * side)).collect();
        for corners in triangles.iter().map(|t| t.map(|i| i as usize)) {
            let [a, b, c] = corners.map(|i| at[i]);
            let area = (b - a).perp_dot(c - a);
            let (low, high) = (a.min(b).min(c).ceil().max(Vec2::ZERO), a.max(b).max(c));
            for y in low.y as usize..(high.y.max(-1.0) + 1.0).min(HEIGHT as f32) as usize {
                for x in low.x as usize..(high.x.max(-1.0) + 1.0).min(WIDTH as f32) as usize {
                    let p = vec2(x as f32, y as f32);
                    let share = [(b, c), (c, a), (a, b)].map(|(from, to)| (from - p).perp_dot(to - p) / area);
                    // also false for a triangle without area
                    if !share.iter().all(|&part| part >= 0.0) {
                        continue;
                    }
                    let mix = |of: &dyn Fn(usize) -> f32| (0..3).map(|i| of(corners[i]) * share[i]).sum::<f32>();
                    let depth = mix(&|i| seen[i].z);
                    let sample = &mut self.samples[y * WIDTH + x];
                    if sample.is_none_or(|there| there.depth < depth) {
                        *sample = Some(Sample { depth, part, light: mix(&|i| light[i]) });
                    }
                }
            }
        }
    }

    /// The outline of all samples that are `in_set`, rounded so many times, as data of an SVG path.
    fn outline(&self, rounds: usize, in_set: impl Fn(&Sample) -> bool) -> String {
        let inside = |sample: &Option<Sample>| if sample.as_ref().is_some_and(&in_set) { 1.0 } else { 0.0 };
        let mut field: Vec<f32> = self.samples.iter().map(inside).collect();
        for stride in [1, WIDTH].repeat(rounds) {
            let before = field.clone();
            for i in WIDTH..field.len() - WIDTH {
                field[i] = (before[i - stride] + before[i] + before[i + stride]) / 3.0;
            }
        }
        // what is shorter around than this is a speck
        loops(&field).iter().filter(|points| points.len() > 24).map(|points| path(points)).collect()
    }
}

/// Closed curves along which the field is one half, by marching squares; in units.
fn loops(field: &[f32]) -> Vec<Vec<Vec2>> {
    let corner = |i: usize, k: usize| i + [0, 1, WIDTH + 1, WIDTH][k % 4];
    let mut next = BTreeMap::new();
    for i in 0..field.len() - WIDTH - 1 {
        let inside: [bool; 4] = std::array::from_fn(|k| field[corner(i, k)] > 0.5);
        // an edge is its two ends, the smaller first: the same name in both squares that share it
        let edge = |k: usize| (corner(i, k).min(corner(i, k + 1)), corner(i, k).max(corner(i, k + 1)));
        for enters in (0..4).filter(|&k| !inside[k] && inside[(k + 1) % 4]) {
            let leaves = (enters + 1..enters + 4).find(|&k| !inside[(k + 1) % 4]).unwrap_or(enters);
            next.insert(edge(enters), edge(leaves));
        }
    }
    let place = |i: usize| vec2((i % WIDTH) as f32, (i / WIDTH) as f32);
    let crossing = |(a, b): (usize, usize)| place(a).lerp(place(b), (0.5 - field[a]) / (field[b] - field[a])) / FINE;
    let mut loops = Vec::new();
    while let Some((start, mut edge)) = next.pop_first() {
        let mut points = vec![crossing(start)];
        while let Some(after) = next.remove(&edge) {
            points.push(crossing(edge));
            edge = after;
        }
        loops.push(points);
    }
    loops
}

/// Keep what a line from the first point to the last misses by more than [`TOLERANCE`], by Douglas and Peucker.
fn simplify(points: &[Vec2], kept: &mut Vec<Vec2>) {
    let (a, line) = (points[0], points[points.len() - 1] - points[0]);
    let share = |p: Vec2| ((p - a).dot(line) / line.length_squared().max(1e-9)).clamp(0.0, 1.0);
    let off = |i: usize| points[i].distance(a + line * share(points[i]));
    match (1..points.len() - 1).max_by(|&i, &j| off(i).total_cmp(&off(j))) {
        Some(far) if off(far) > TOLERANCE => {
            simplify(&points[..=far], kept);
            simplify(&points[far..], kept);
        }
        _ => kept.push(a),
    }
}

/// A closed path, simplified and in tenths of a unit, each point told from the one before.
fn path(points: &[Vec2]) -> String {
    let (mut kept, mut text, mut last) = (Vec::new(), String::new(), IVec2::ZERO);
    simplify(points, &mut kept);
    for (i, &point) in kept.iter().enumerate() {
        let at = (point * 10.0).round().as_ivec2();
        let [x, y] = (at - last).to_array().map(|tenths| f64::from(tenths) / 10.0);
        let _ = write!(text, "{}{x} {y}", if i == 0 { "M" } else { "l" });
        last = at;
    }
    text + "z"
}

fn rgb(color: Vec3) -> String {
    let [r, g, b] = color.to_array().map(|c| c.round().clamp(0.0, 255.0) as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Tones over each other, each lit more than the one before; the first is edged.
fn fill(svg: &mut String, (from, dark, light): Tones, edge: f32, outline: impl Fn(f32) -> String) {
    let ink = format!(" stroke=\"{}\" stroke-width=\"{edge}\"", rgb(dark.lerp(INK, 0.6)));
    for (i, &share) in from.iter().enumerate() {
        let color = rgb(dark.lerp(light, i as f32 / (from.len() - 1) as f32));
        let edge = if i == 0 { ink.as_str() } else { "" };
        let _ = writeln!(svg, "<path fill=\"{color}\"{edge} d=\"{}\"/>", outline(share));
    }
}

/// The skin, seen on its own or around the muscles.
fn skin(body: &Body, state: &BodyState, from_behind: bool, tones: Tones) -> (Shot, String) {
    let (mut shot, mut svg) = (Shot::new(from_behind), String::new());
    shot.draw(0, state.positions(), state.normals(), body.triangles());
    fill(&mut svg, tones, 0.9, |from| shot.outline(if from < 0.0 { 2 } else { 9 }, |s| s.light > from));
    (shot, svg)
}

/// Bellies inside the body's outline, each as red as it is short.
fn muscles(athlete: &Athlete, body: &Body, state: &BodyState, from_behind: bool) -> String {
    let (around, mut svg) = skin(body, state, from_behind, GHOST);
    let mut shot = Shot::new(from_behind);
    for (m, muscle) in athlete.musculature.muscles.iter().enumerate() {
        let mut points = vec![Vec3::ZERO; body.belly_size(m)];
        state.belly_points(body, m, &mut points);
        let triangles = belly_triangles(muscle.rings.into(), muscle.sectors.into());
        shot.draw(m, &points, &smooth_normals(&points, &triangles), &triangles);
    }
    for (sample, cover) in shot.samples.iter_mut().zip(&around.samples) {
        *sample = sample.filter(|s| cover.is_some_and(|cover| cover.depth - s.depth < DEEP));
    }
    for m in 0..body.n_muscle() {
        let shortening = (1.0 - state.lengths()[m] / body.rest_lengths()[m]) / FULL_SHORTENING;
        let flesh = RELAXED.lerp(SHORT, shortening.clamp(0.0, 1.0).sqrt());
        let tones: Tones = (&[-1.0, 0.55, 0.84], flesh.lerp(INK, 0.26), flesh.lerp(SHINE, 0.3));
        if shot.samples.iter().flatten().any(|s| s.part == m) {
            fill(&mut svg, tones, 0.55, |from| shot.outline(2, |s| s.part == m && s.light > from));
        }
    }
    svg
}

/// The athlete as `flex` has moved it by the time its double biceps is squeezed.
fn flexed(athlete: &Athlete, body: &Body) -> Option<BodyState> {
    let (skeleton, clip) = (&athlete.character.skeleton, athlete.character.clip("flex")?);
    let (mut state, mut pose) = (BodyState::new(body), Pose::rest(skeleton));
    for frame in 0..=(SQUEEZED * 60.0) as usize {
        clip.sample(frame as f32 / 60.0, &mut pose);
        body.step(&mut state, &StepInput::new(&pose.model_matrices(skeleton), 1.0 / 60.0));
    }
    Some(state)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("plate FILE.svg")?;
    let athlete = fusiform_athlete::athlete(20_000)?;
    let body = Body::bind(&athlete.character, &athlete.musculature)?;
    let (rest, flexed) = (BodyState::new(&body), flexed(&athlete, &body).ok_or("there is no clip called flex")?);
    let figures = [
        ("the skin", skin(&body, &rest, false, SKIN).1),
        ("a double biceps: redder is shorter", muscles(&athlete, &body, &flexed, false)),
        ("the muscles at rest, from behind", muscles(&athlete, &body, &rest, true)),
    ];
    let (width, height) = (PANEL.x * 3.0, PANEL.y + 44.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" fill-rule=\"evenodd\" \
         stroke-linejoin=\"round\">\n<title>The built-in athlete: skin, muscles in a double biceps, muscles from \
         behind</title>\n<rect width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"#faf6ee\"/>\n"
    );
    for (i, (caption, figure)) in figures.into_iter().enumerate() {
        let (left, middle, under) = (PANEL.x * i as f32, PANEL.x * 0.5, PANEL.y + 14.0);
        let _ = writeln!(
            svg,
            "<g transform=\"translate({left})\">\n{figure}<text x=\"{middle}\" y=\"{under}\" text-anchor=\"middle\" \
             font-family=\"Georgia,serif\" font-style=\"italic\" font-size=\"15\" fill=\"#5d4a3e\">{caption}</text>\n</g>"
        );
    }
    Ok(std::fs::write(&file, svg + "</svg>\n")?)
}
