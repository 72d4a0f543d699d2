//! `fusiform bench`: the paper's tables, and ratios against plain skinning in the same run.

use crate::bench::crowd;
use crate::bench::frame_loop::{OtherWork, Variant, line, medians};
use crate::bench::glam_loop::GlamLoop;
use crate::bench::motion;
use crate::bench::paper;
use crate::bench::row::Row;
use crate::bench::subject::{Flesh, Subject};
use crate::bench::tissue;
use crate::failure::Failure;
use crate::ui::{Ui, grouped};
use fusiform::musculature::{Dynamics, Layer};
use fusiform::{Body, BodyState, Detail, Muscle, StepInput};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Measure the frame: the paper's tables, and ratios against plain skinning in the same run
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  fusiform bench --table ratios
  fusiform bench --table crowd
  fusiform bench --table motion --data models
  fusiform bench --table tissue
  fusiform bench --table 2 --json > table2.json

Times are medians over a frame loop that does 2 ms of other work between calls, so caches are as cold as in a
game. Machines differ and are noisy: trust the ratios.")]
pub struct Bench {
    /// Which table: Lee's muscle dynamics (1), Lee's skinning (2), ratios to plain skinning, Ramos' crowd, from motion to
    /// tension, Murai's tissue, or all of them
    #[arg(long, value_enum, default_value_t = Table::All)]
    table: Table,
    /// Frames a case is measured over [default: 300 for ratios and motion, 60 for other tables]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(3..=10_000))]
    frames: Option<u16>,
    /// Folder of OpenSim's gait2354 and gait2392, for the table motion; without it a generated body is measured alone
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Table {
    #[value(name = "1")]
    One,
    #[value(name = "2")]
    Two,
    Ratios,
    Crowd,
    Motion,
    Tissue,
    All,
}

impl Bench {
    /// Measure, then print.
    pub fn run(self, ui: &Ui) -> Result<(), Failure> {
        let all_threads = rayon::current_num_threads();
        let counts: &[usize] = if all_threads > 1 { &[1, all_threads] } else { &[1] };
        let wanted = |table| self.table == table || self.table == Table::All;
        let (mut rows, mut text) = (Vec::new(), String::new());
        let frames = |otherwise: usize| self.frames.map_or(otherwise, usize::from);
        if wanted(Table::Ratios) {
            let _ = writeln!(text, "{}", ratios(counts, frames(300), ui, &mut rows)?);
        }
        if wanted(Table::One) {
            let _ = writeln!(text, "{}", table_1(counts, frames(60), ui, &mut rows)?);
        }
        if wanted(Table::Two) {
            let _ = writeln!(text, "{}", table_2(counts, frames(60), ui, &mut rows)?);
        }
        let mut levels = Value::Null;
        if wanted(Table::Crowd) {
            let pools = counts.iter().map(|&threads| pool(threads)).collect::<Result<Vec<_>, _>>()?;
            let (crowd, measured) = crowd::table(&pools, frames(60), ui, &mut rows)?;
            let _ = writeln!(text, "{crowd}");
            levels = measured;
        }
        if wanted(Table::Tissue) {
            let pools = counts.iter().map(|&threads| pool(threads)).collect::<Result<Vec<_>, _>>()?;
            let _ = writeln!(text, "{}", tissue::table(&pools, frames(60), ui, &mut rows)?);
        }
        let mut rows: Vec<Value> = rows.iter().map(Row::json).collect();
        if wanted(Table::Motion) {
            let _ = writeln!(text, "{}", motion::table(self.data.as_deref(), frames(300), ui, &mut rows)?);
        }
        let machine = json!({
            "os": std::env::consts::OS,
            "arch": std::env::consts::ARCH,
            "cores": std::thread::available_parallelism().map_or(0, usize::from),
            "instructions": format!("{:?}", fusiform::body::Instructions::best()),
        });
        ui.result(&json!({ "machine": machine, "rows": rows, "levels": levels }), Some(&text))
    }
}

/// A line of the ratios.
struct Case {
    name: &'static str,
    preset: &'static str,
    flesh: Flesh,
    detail: Detail,
}

const LEE: Flesh = Flesh::lee(80);

/// What every number of vertices is measured with, after the glam loop.
const CASES: [Case; 3] = [
    Case { name: "plain blend", preset: "plain", flesh: Flesh::NONE, detail: Detail::POSITIONS },
    Case { name: "muscles", preset: "lee", flesh: LEE, detail: Detail::POSITIONS },
    Case { name: "muscles + normals", preset: "lee", flesh: LEE, detail: Detail::ALL },
];

/// And the fewest vertices also with each layer and kind of dynamics, on top of plain skinning.
const LAYERS: [Case; 5] = [
    layer("displace", "ramos", Flesh::ramos(80)),
    layer("wrap", "saam", Flesh { layers: || vec![Layer::wrap()], ..LEE }),
    layer("soft body alone", "saam", Flesh { layers: Vec::new, change: soften, ..LEE }),
    layer("soft body + wrap", "saam", Flesh { layers: || vec![Layer::wrap()], change: soften, ..LEE }),
    layer("plain + slide", "saam", Flesh { layers: || vec![Layer::slide()], ..Flesh::NONE }),
];

const fn layer(name: &'static str, preset: &'static str, flesh: Flesh) -> Case {
    Case { name, preset, flesh, detail: Detail::POSITIONS }
}

fn soften(muscle: &mut Muscle) {
    muscle.dynamics = Dynamics::soft_body();
}

/// A body in motion, stepped frame by frame.
struct Runner<'a> {
    body: Body,
    state: BodyState,
    subject: &'a Subject,
    detail: Detail,
}

impl<'a> Runner<'a> {
    fn new(subject: &'a Subject, flesh: &Flesh, detail: Detail) -> Result<Self, Failure> {
        let body = subject.body(flesh)?;
        Ok(Self { state: BodyState::new(&body), body, subject, detail })
    }

    fn step(&mut self, frame: usize) {
        let mut input = StepInput::new(&self.subject.poses[frame % self.subject.poses.len()], 1.0 / 60.0);
        input.detail = self.detail;
        self.body.step(&mut self.state, &input);
    }
}

fn pool(threads: usize) -> Result<rayon::ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::call(format!("the threads cannot be started: {error}")).cure("use fewer --threads"))
}

/// Medians of all runners after the glam loop, on that many threads.
fn measure(
    subject: &Subject,
    runners: &mut [Runner],
    threads: usize,
    frames: usize,
    ui: &Ui,
) -> Result<Vec<f64>, Failure> {
    let pool = pool(threads)?;
    let bar = ui.progress("Measuring", frames);
    let mut glam = GlamLoop::new(&subject.character);
    let mut run_glam = |frame: usize| glam.run(&subject.poses[frame % subject.poses.len()]);
    let mut steps: Vec<_> = runners.iter_mut().map(|runner| move |frame: usize| runner.step(frame)).collect();
    let mut variants: Vec<Variant> = vec![&mut run_glam];
    variants.extend(steps.iter_mut().map(|step| step as Variant));
    Ok(pool.install(|| medians(frames, &mut OtherWork::new(), &mut variants, || bar.inc(1))))
}

/// Plain, muscled and shaded frames against the glam loop, on one thread and on all.
fn ratios(counts: &[usize], frames: usize, ui: &Ui, rows: &mut Vec<Row>) -> Result<String, Failure> {
    let mut text = String::new();
    for vertices in [20_000, 100_000] {
        let subject = Subject::new(vertices, ui)?;
        let n = subject.character.vertex_count();
        let more = if vertices > 20_000 { &[][..] } else { &LAYERS };
        let cases: Vec<&Case> = CASES.iter().chain(more).collect();
        let runners: Result<Vec<_>, _> =
            cases.iter().map(|case| Runner::new(&subject, &case.flesh, case.detail)).collect();
        let mut runners = runners?;
        let (joints, rings) = runners[1].body.streams();
        let _ = writeln!(
            text,
            "one frame, {} vertices, 80 muscles x 72; eight vertices stream {joints:.1} joints and {rings:.1} rings",
            grouped(n)
        );
        let mut single = Vec::new();
        for &threads in counts {
            let frames = if vertices > 20_000 { frames.div_ceil(4) } else { frames };
            let times = measure(&subject, &mut runners, threads, frames, ui)?;
            text += &ratio_lines(&cases, &times, n, threads, rows);
            if single.is_empty() {
                single = times;
            } else {
                let gain: Vec<String> =
                    single.iter().zip(&times).skip(1).take(CASES.len()).map(|(a, b)| format!("{:.2}", a / b)).collect();
                let _ = writeln!(
                    text,
                    "    gain of {threads} threads: {} x (plain, muscles, with normals)",
                    gain.join(", ")
                );
            }
        }
    }
    Ok(text)
}

/// The cases of one measurement, a line and a row each.
fn ratio_lines(cases: &[&Case], times: &[f64], vertices: usize, threads: usize, rows: &mut Vec<Row>) -> String {
    let mut text = format!("  {threads} thread(s)                  median     each   to plain  to glam\n");
    let glam = ("glam loop, 3 joints", "plain", 0);
    let cases = std::iter::once(glam).chain(cases.iter().map(|case| (case.name, case.preset, case.flesh.muscles)));
    for ((case, preset, muscles), &frame_us) in cases.zip(times) {
        let (plain_us, glam_us) = (times[1], times[0]);
        let each = frame_us * 1e3 / vertices as f64;
        let (to_plain, to_glam) = (frame_us / plain_us, frame_us / glam_us);
        let _ = writeln!(text, "    {case:22} {frame_us:9.1} us {each:5.2} ns     {to_plain:5.2}    {to_glam:5.2}");
        let (table, paper_fps) = ("ratios", None);
        rows.push(Row {
            table,
            case,
            preset,
            muscles,
            vertices,
            characters: 1,
            threads,
            frame_us,
            plain_us,
            glam_us,
            paper_fps,
        });
    }
    text
}

/// Lee's table 1: muscles alone.
fn table_1(counts: &[usize], frames: usize, ui: &Ui, rows: &mut Vec<Row>) -> Result<String, Failure> {
    let subject = Subject::new(paper::VERTICES[3], ui)?;
    let mut runners = vec![Runner::new(&subject, &Flesh::NONE, Detail::POSITIONS)?];
    for (muscles, _) in paper::DYNAMICS {
        runners.push(Runner::new(&subject, &Flesh::lee(muscles), Detail::MUSCLES)?);
    }
    let mut text = String::from("Table 1: muscle dynamics without skin, frames a second\n");
    for &threads in counts {
        let times = measure(&subject, &mut runners, threads, frames, ui)?;
        let _ = writeln!(text, "  {threads} thread(s)\n    muscles      ours     paper     frame   to plain skin");
        let mut points = Vec::new();
        for ((muscles, paper_fps), &us) in paper::DYNAMICS.into_iter().zip(&times[2..]) {
            let row = Row {
                table: "1",
                case: "muscles alone",
                preset: "lee",
                muscles,
                vertices: 0,
                characters: 1,
                threads,
                frame_us: us,
                plain_us: times[1],
                glam_us: times[0],
                paper_fps: Some(paper_fps),
            };
            let ratio = us / times[1];
            let _ = writeln!(text, "    {muscles:7} {:9.0} {paper_fps:9.0} {us:6.1} us {ratio:10.2}", row.fps());
            points.push((muscles as f64, us));
            rows.push(row);
        }
        let (fixed, slope, fit) = line(&points);
        let _ = writeln!(text, "    {slope:.3} us a muscle + {fixed:.1} us, straight to {:.1} %", fit * 100.0);
    }
    Ok(text)
}

/// Lee's table 2: muscles and skin.
fn table_2(counts: &[usize], frames: usize, ui: &Ui, rows: &mut Vec<Row>) -> Result<String, Failure> {
    let mut cells = Vec::new();
    for (column, vertices) in paper::VERTICES.into_iter().enumerate() {
        let subject = Subject::new(vertices, ui)?;
        let lee = |muscles| Runner::new(&subject, &Flesh::lee(muscles), Detail::POSITIONS);
        let runners: Result<Vec<_>, _> = paper::SKINNING.iter().map(|&(muscles, _)| lee(muscles)).collect();
        let mut runners = runners?;
        for &threads in counts {
            let times = measure(&subject, &mut runners, threads, frames, ui)?;
            for ((muscles, fps), &us) in paper::SKINNING.into_iter().zip(&times[1..]) {
                cells.push(Row {
                    table: "2",
                    case: "muscles and skin",
                    preset: if muscles == 0 { "plain" } else { "lee" },
                    muscles,
                    vertices: subject.character.vertex_count(),
                    characters: 1,
                    threads,
                    frame_us: us,
                    plain_us: times[1],
                    glam_us: times[0],
                    paper_fps: Some(fps[column]),
                });
            }
        }
    }
    let text = table_2_text(counts, &cells);
    rows.extend(cells);
    Ok(text)
}

fn table_2_text(counts: &[usize], cells: &[Row]) -> String {
    let mut text = String::from("Table 2: muscles and skin, frames a second: ours (paper)\n");
    for &threads in counts {
        let of = |muscles: usize| cells.iter().filter(move |row| row.threads == threads && row.muscles == muscles);
        let _ = write!(text, "  {threads} thread(s)\n    muscles");
        for row in of(0) {
            let _ = write!(text, " {:>16}", grouped(row.vertices));
        }
        for (muscles, _) in paper::SKINNING {
            let _ = write!(text, "\n    {muscles:7}");
            for row in of(muscles) {
                let paper = format!("({:.0})", row.paper_fps.unwrap_or(0.0));
                let _ = write!(text, " {:>10.0} {paper:>5}", row.fps());
            }
        }
        let points: Vec<_> = of(80).map(|row| (row.vertices as f64, row.frame_us)).collect();
        let (fixed, slope, fit) = line(&points);
        let _ = writeln!(
            text,
            "\n    80 muscles: {:.2} ns a vertex + {fixed:.1} us, straight to {:.1} %",
            slope * 1e3,
            fit * 100.0
        );
    }
    text
}
