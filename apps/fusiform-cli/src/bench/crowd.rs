//! A hundred characters of one kind: what a frame of all of them takes, and what it takes with less detail far away.

use super::frame_loop::{OtherWork, Variant, medians};
use super::row::Row;
use super::subject::{Flesh, Subject};
use crate::failure::Failure;
use crate::ui::{Ui, grouped};
use fusiform::body::levels_within;
use fusiform::musculature::Level;
use fusiform::{Body, BodyState, Detail, StepInput};
use rayon::ThreadPool;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Instant;

/// Ramos' hundred characters.
const CHARACTERS: usize = 100;
/// Vertices of each.
const VERTICES: usize = 4_000;
/// Muscles of each: the poster's 14, and as many as a template of ours would have at least.
const MUSCLES: [usize; 2] = [14, 64];
/// Shares of what full detail takes that are given as budgets.
const BUDGETS: [f32; 3] = [0.75, 0.5, 0.25];

/// What a character far away may do with, best first.
const LEVELS: [(&str, Level); 5] = [
    ("full", Level::FULL),
    ("5 x 6 points a muscle", Level { rings: 5, sectors: 6, ..Level::FULL }),
    ("plain skinning", Level { layers: 0, ..Level::FULL }),
    ("plain, every 2nd frame", Level { layers: 0, every: 2, ..Level::FULL }),
    ("plain, every 4th frame", Level { layers: 0, every: 4, ..Level::FULL }),
];

/// A crowd of one body; each character is at another place in the clip.
struct Crowd<'a> {
    body: Body,
    states: Vec<BodyState>,
    subject: &'a Subject,
    every: usize,
}

impl<'a> Crowd<'a> {
    fn new(subject: &'a Subject, body: Body, characters: usize, every: usize) -> Self {
        let states = vec![BodyState::new(&body); characters];
        Self { body, states, subject, every }
    }

    /// One frame; of those that are solved every so many frames only some have their turn.
    fn step(&mut self, frame: usize) {
        let (every, subject, n) = (self.every, self.subject, self.states.len());
        let turn = frame % every;
        let chunk = n.div_ceil(every);
        let first = (turn * chunk).min(n);
        let states = &mut self.states[first..(first + chunk).min(n)];
        self.body.step_all(states, |i| input(subject, frame + 7 * (first + i), every));
    }
}

fn input(subject: &Subject, frame: usize, every: usize) -> StepInput<'_> {
    let mut input = StepInput::new(&subject.poses[frame % subject.poses.len()], every as f32 / 60.0);
    input.detail = Detail::default();
    input
}

/// All of it: a text for people, rows and levels for programs.
pub fn table(pools: &[ThreadPool], frames: usize, ui: &Ui, rows: &mut Vec<Row>) -> Result<(String, Value), Failure> {
    let subject = Subject::new(VERTICES, ui)?;
    let n = subject.character.vertex_count();
    let limit = stream_limit();
    let mut text = format!(
        "Crowd: {CHARACTERS} characters x {} vertices, positions and normals; copying runs at {limit:.1} GB/s here\n",
        grouped(n)
    );
    for muscles in MUSCLES {
        for (preset, flesh) in [("ramos", Flesh::ramos(muscles)), ("lee", Flesh::lee(muscles))] {
            one_kind(&subject, (preset, &flesh), pools, (frames, limit), ui, (&mut text, &mut *rows))?;
        }
    }
    let levels = levels(&subject, pools, frames, ui, &mut text)?;
    Ok((text, levels))
}

/// A crowd of one kind on each number of threads.
fn one_kind(
    subject: &Subject,
    (preset, flesh): (&'static str, &Flesh),
    pools: &[ThreadPool],
    (frames, limit): (usize, f64),
    ui: &Ui,
    (text, rows): (&mut String, &mut Vec<Row>),
) -> Result<(), Failure> {
    let n = subject.character.vertex_count();
    let mut plain = Crowd::new(subject, subject.body(&Flesh::NONE)?, CHARACTERS, 1);
    let mut crowd = Crowd::new(subject, subject.body(flesh)?, CHARACTERS, 1);
    for pool in pools {
        let bar = ui.progress("Measuring a crowd", frames);
        let (mut step_plain, mut step) = (|frame| plain.step(frame), |frame| crowd.step(frame));
        let mut variants: [Variant; 2] = [&mut step_plain, &mut step];
        let times = pool.install(|| medians(frames, &mut OtherWork::new(), &mut variants, || bar.inc(1)));
        let threads = pool.current_num_threads();
        let row = Row {
            table: "crowd",
            case: "a hundred characters",
            preset,
            muscles: flesh.muscles,
            vertices: n,
            characters: CHARACTERS,
            threads,
            frame_us: times[1],
            plain_us: times[0],
            glam_us: times[0],
            paper_fps: None,
        };
        // what every frame must write and normals must read again, whatever else stays in caches
        let moved = (CHARACTERS * n * (12 + 12 + 12)) as f64 / (times[1] * 1e3);
        let _ = writeln!(
            text,
            "  {:2} muscles ({preset:5}), {threads} thread(s): {:6.2} ms, {:5.0} frames a second, {:5.1} us a character, \
             {:.2} x plain; moves {moved:.1} GB/s, {:.0} % of copying",
            flesh.muscles,
            times[1] / 1e3,
            row.fps(),
            times[1] / CHARACTERS as f64,
            times[1] / times[0],
            100.0 * moved / limit,
        );
        rows.push(row);
    }
    Ok(())
}

/// What each level takes and how far off it is, and what budgets buy.
fn levels(
    subject: &Subject,
    pools: &[ThreadPool],
    frames: usize,
    ui: &Ui,
    text: &mut String,
) -> Result<Value, Failure> {
    let Some(pool) = pools.last() else { return Ok(Value::Null) };
    let bodies: Vec<Body> = LEVELS.iter().map(|(_, level)| subject.own_at(level)).collect::<Result<_, Failure>>()?;
    let every = |level: usize| LEVELS[level].1.every as usize;
    let crowd_of = |level: usize, characters| Crowd::new(subject, bodies[level].clone(), characters, every(level));
    let mut crowds: Vec<Crowd> = (0..LEVELS.len()).map(|level| crowd_of(level, CHARACTERS)).collect();
    let bar = ui.progress("Measuring levels of detail", frames);
    let mut steps: Vec<_> = crowds.iter_mut().map(|crowd| move |frame| crowd.step(frame)).collect();
    let mut variants: Vec<Variant> = steps.iter_mut().map(|step| step as Variant).collect();
    // the mean over the frames of a turn is what a budget has to pay; medians of single frames are close to it
    let times = pool.install(|| medians(frames, &mut OtherWork::new(), &mut variants, || bar.inc(1)));
    let cost: Vec<f32> = times.iter().map(|us| (us / CHARACTERS as f64) as f32).collect();
    let threads = pool.current_num_threads();
    let _ = writeln!(text, "  levels of detail, the athlete's own {} muscles, {threads} thread(s)", subject.n_own());
    let mut listed = Vec::new();
    let errors: Vec<[f32; 2]> = (0..LEVELS.len()).map(|level| error(subject, &bodies, level)).collect();
    for (((name, level), cost), [most, rms]) in LEVELS.iter().zip(&cost).zip(&errors) {
        let _ = writeln!(text, "    {name:26} {cost:6.1} us a character, {most:5.1} mm off at most, {rms:5.2} mm rms");
        listed.push(json!({
            "name": name, "level": level, "character_us": cost, "max_error_mm": most, "rms_error_mm": rms,
        }));
    }
    let full = times[0] as f32;
    for share in BUDGETS {
        let chosen = levels_within(share * full, &cost, CHARACTERS);
        let count = |level: usize| chosen.iter().filter(|&&of| of == level).count();
        let counts: Vec<usize> = (0..LEVELS.len()).map(count).collect();
        let mut mixed: Vec<Crowd> = (0..LEVELS.len()).map(|level| crowd_of(level, counts[level])).collect();
        let mut step = |frame| mixed.iter_mut().for_each(|crowd| crowd.step(frame));
        let took = pool.install(|| medians(frames, &mut OtherWork::new(), &mut [&mut step], || {}))[0];
        let rms = chosen.iter().map(|&level| errors[level][1]).sum::<f32>() / CHARACTERS as f32;
        let _ = writeln!(
            text,
            "    budget {:5.2} ms: {counts:?} characters at those levels, takes {:5.2} ms, {rms:.2} mm rms on average",
            share * full / 1e3,
            took / 1e3
        );
    }
    Ok(json!(listed))
}

/// Largest and root-mean-square distance of a level's skin from the full one's over two seconds, mm.
fn error(subject: &Subject, bodies: &[Body], level: usize) -> [f32; 2] {
    let (mut full, mut coarse) = (BodyState::new(&bodies[0]), BodyState::new(&bodies[level]));
    let every = LEVELS[level].1.every as usize;
    let (mut most, mut sum, mut count) = (0.0_f32, 0.0_f64, 0_usize);
    for frame in 0..subject.poses.len() {
        bodies[0].step(&mut full, &input(subject, frame, 1));
        if frame % every == 0 {
            bodies[level].step(&mut coarse, &input(subject, frame, every));
        }
        for (a, b) in full.positions().iter().zip(coarse.positions()) {
            let apart = a.distance(*b);
            (most, sum, count) = (most.max(apart), sum + f64::from(apart * apart), count + 1);
        }
    }
    [1e3 * most, (1e3 * (sum / count.max(1) as f64).sqrt()) as f32]
}

/// How fast memory is copied that no cache holds, GB/s read and written.
fn stream_limit() -> f64 {
    let (from, mut to) = (vec![1_u8; 64 << 20], vec![0_u8; 64 << 20]);
    let mut best = f64::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        to.copy_from_slice(std::hint::black_box(&from));
        std::hint::black_box(&to);
        best = best.min(start.elapsed().as_secs_f64());
    }
    2.0 * from.len() as f64 / best / 1e9
}
