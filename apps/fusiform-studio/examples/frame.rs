//! What a frame of the studio costs: `cargo run --release -p fusiform-studio --example frame [VERTICES]`.
//!
//! All numbers are of one run on one body: 80 muscles, so many vertices. The upload is what goes from the solver to the GPU's
//! buffers, submitted; drawing is left out, since software adapters draw on the same processor. Of all frames that one counts
//! which a fifth of them is quicker than: on a shared machine the rest tells of the neighbours.

use fusiform::musculature::{Layer, Tissue};
use fusiform::{Body, Character, Musculature, SparseWeights};
use fusiform_studio::app::{App, Begin};
use fusiform_studio::model::{Action, DIALS, Dab, Edit, Gesture, Look, Mode, Painting, Play, Project, Show, Studio};
use fusiform_studio::view::{Camera, Extras, Geometry, Gpu, Screen, circle_on};
use glam::Vec2;
use std::hint::black_box;
use std::time::Instant;

const VERTICES: usize = 20_000;
const MUSCLES: usize = 80;
const FRAMES: usize = 240;
const DT: f32 = 1.0 / 60.0;

fn main() {
    let vertices = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(VERTICES);
    let (project, muscles) = Project::athlete(Some(vertices)).expect("a legal count of vertices");
    let muscles = thinned(&muscles);
    println!("{} vertices, {} muscles", project.character.vertex_count(), muscles.muscles.len());
    let studio = Studio::new(project, muscles.clone(), None).expect("sound muscles");
    let file = studio.project.to_glb(studio.document()).expect("small enough for its format");
    circles(&studio);
    strokes(open(&file));
    solver_and_upload(studio);
    panels(&file);
    println!("a frame of a drag, one muscle and its twin");
    drag("  ", open(&file));
    let mut tissue = muscles;
    tissue.layers.push(Layer::Tissue(Tissue::lively()));
    let project = Project::from_bytes("athlete.glb", &file).expect("as it was written").0;
    drag("  with tissue: ", Studio::new(project, tissue, None).expect("sound muscles"));
}

/// Fewer muscles, spread over the whole body.
fn thinned(all: &Musculature) -> Musculature {
    let n = all.muscles.len();
    let kept: Vec<usize> = (0..MUSCLES.min(n)).map(|i| i * n / MUSCLES.min(n)).collect();
    let fewer = |weights: &SparseWeights| {
        let mut fewer = SparseWeights::default();
        for v in 0..weights.len() {
            let place = |m: u16| kept.binary_search(&usize::from(m)).ok().map(|m| m as u16);
            fewer.push_vertex(weights.of(v).filter_map(|(m, w)| Some((place(m)?, w))));
        }
        fewer
    };
    Musculature {
        muscles: kept.iter().map(|&m| all.muscles[m].clone()).collect(),
        weights: all.weights.iter().map(fewer).collect(),
        ..all.clone()
    }
}

fn open(glb: &[u8]) -> Studio {
    let (project, muscles) = Project::from_bytes("athlete.glb", glb).expect("as it was written");
    Studio::new(project, muscles, None).expect("sound muscles")
}

/// Milliseconds something takes.
fn timed(work: impl FnOnce()) -> f32 {
    let begin = Instant::now();
    work();
    1e3 * begin.elapsed().as_secs_f32()
}

fn fifth(mut times: Vec<f32>) -> f32 {
    times.sort_by(f32::total_cmp);
    times.get(times.len() / 5).copied().unwrap_or(f32::NAN)
}

/// What each part of a frame takes.
fn parts<const N: usize>(frames: usize, mut frame: impl FnMut() -> [f32; N]) -> [f32; N] {
    (0..frames / 10).for_each(|_| _ = frame());
    let times: Vec<[f32; N]> = (0..frames).map(|_| frame()).collect();
    std::array::from_fn(|i| fifth(times.iter().map(|of| of[i]).collect()))
}

fn adapter() -> Option<(wgpu::Device, wgpu::Queue, String)> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default())).ok()?;
    let limits = adapter.limits();
    let wanted = wgpu::DeviceDescriptor { required_limits: limits, ..wgpu::DeviceDescriptor::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&wanted)).ok()?;
    Some((device, queue, adapter.get_info().name))
}

/// What the circle of the brush costs in every frame in which the mouse is over the skin.
fn circles(studio: &Studio) {
    let (body, state) = studio.live.muscled();
    let (surface, height) = ((state.positions(), body.triangles()), studio.project.character.height());
    // of all over the body, those that cost most
    for share in [0.03, 0.3] {
        let circle = |v: usize| {
            timed(|| drop(black_box(circle_on(surface, (surface.0[v], state.normals()[v]), share * height))))
        };
        let most =
            (0..16).map(|k| fifth((0..20).map(|_| circle(k * surface.0.len() / 16)).collect())).fold(0.0, f32::max);
        println!("a circle of radius {share} of the height: {most:.3} ms at most");
    }
}

/// What it costs to put the brush down so many times in a frame, as a quick hand does: to find the skin, and to paint what
/// lies around it on both sides.
fn strokes(mut studio: Studio) {
    studio.apply(Look::Joint(Some(1)));
    let (state, (low, high)) = (studio.live.muscled().1, studio.project.bounds);
    let camera = Camera::framing(low, high);
    for n in [1, 16, 128] {
        let along = |k: u16| Vec2::new(0.5, 0.25 + 0.5 * f32::from(k) / f32::from(n));
        let found = || {
            let screen = Screen::new(&studio, state, &camera, 1.5);
            (0..n).filter_map(|k| screen.skin(along(k))).collect::<Vec<_>>()
        };
        let dabs = found().into_iter().map(|hit| {
            let normal = state.normals()[hit.vertex()];
            Dab { place: hit.place, normal, corners: hit.corners }
        });
        let dabs: Vec<Dab> = dabs.collect();
        let Some(mut painting) = Painting::begin(&studio, Mode::Add) else { return };
        let [finding, painted] = parts(FRAMES / 4, || {
            let finding = timed(|| drop(black_box(found())));
            [finding, timed(|| dabs.iter().for_each(|dab| painting.dab(&studio, state, dab)))]
        });
        println!("{n} dabs in a frame: {finding:.2} ms to find the skin, {painted:.2} ms to go over it");
    }
}

/// Frames with and without upload take turns, so that both see the same machine.
fn solver_and_upload(mut studio: Studio) {
    let Some((device, queue, name)) = adapter() else {
        println!("no graphics adapter: the upload is not measured");
        return;
    };
    println!("adapter: {name}");
    studio.apply(Play::Clip(Some(0)));
    studio.apply(Play::Run(true));
    let character = studio.project.character.clone();
    for (show, what) in [(Show::Skin, "skin"), (Show::Both, "x-ray")] {
        studio.apply(Look::Show(show));
        let (mut geometry, mut gpu) = (Geometry::default(), Gpu::new(&device));
        let [alone, solved, upload] = parts(FRAMES, || {
            let alone = timed(|| studio.live.advance(&character, DT));
            let solved = timed(|| studio.live.advance(&character, DT));
            let upload = timed(|| {
                gpu.send((&device, &queue), &geometry.fill(&studio, Extras::default()));
                queue.submit([]);
            });
            let _ = device.poll(wgpu::PollType::wait_indefinitely());
            [alone, solved, upload]
        });
        let ratio = (solved + upload) / alone;
        println!("{what}: solver {alone:.3} ms, solver + upload {:.3} ms, {ratio:.2} x", solved + upload);
    }
}

/// The whole window but the view's picture and the solver: panels, layout, tessellation.
fn panels(glb: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder for a file");
    let path = folder.path().join("athlete.glb");
    std::fs::write(&path, glb).expect("room for a file");
    let mut app = App::new(None, &Begin::File(path), None);
    let context = egui::Context::default();
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1280.0, 800.0));
    let mut time = 0.0;
    let mut frame = |app: &mut App| {
        time += f64::from(DT);
        let input = egui::RawInput { screen_rect: Some(screen), time: Some(time), ..egui::RawInput::default() };
        timed(|| {
            let mut output = context.run_ui(input, |ui| app.show(ui));
            output.textures_delta.clear(); // there is no GPU to send them to
            black_box(context.tessellate(output.shapes, output.pixels_per_point));
        })
    };
    while app.under_way().is_some() {
        frame(&mut app); // it is opened beside the window
    }
    let session = app.session_mut().expect("as it was written");
    session.studio.apply(Look::Select(Some(0), false));
    session.studio.apply(Play::Clip(Some(0)));
    session.studio.apply(Play::Run(true));
    let [panels] = parts(FRAMES, || [frame(&mut app) - app.session().map_or(0.0, |session| session.times()[0])]);
    println!("panels: {panels:.2} ms of processor a frame");
}

/// A dial is dragged: the edit as a whole, and what the library has in it.
fn drag(indent: &str, mut studio: Studio) {
    let named = |name: &str| DIALS.iter().position(|dial| dial.label.trim() == name);
    studio.apply(Look::Select(Some(MUSCLES / 4), false));
    for (name, from) in [("Bulge", 0.5_f32), ("Size", 0.02)] {
        let Some(dial) = named(name) else { continue };
        let gesture = Some(Gesture::begin());
        let mut value = from;
        let mut step = || {
            value += 1e-3 * from;
            Action::Edit(Edit::Dial(dial, value), gesture)
        };
        let [edit] = parts(20, || [timed(|| studio.apply(step()))]);
        let (character, before) = (&studio.project.character, studio.document().musculature.clone());
        let body = Body::bind(character, &before).expect("sound muscles");
        studio.apply(step());
        let (character, after) = (&studio.project.character, &studio.document().musculature);
        let [rebind] = parts(20, || [timed(|| drop(black_box(body.rebind(character, after))))]);
        println!("{indent}{name}: {edit:.2} ms, of which rebinding {rebind:.2} ms");
    }
    let (character, muscles) = (&studio.project.character, &studio.document().musculature);
    let body = Body::bind(character, muscles).expect("sound muscles");
    let painted = painted(character);
    let [rebind] = parts(10, || [timed(|| drop(black_box(body.rebind(&painted, muscles))))]);
    let [bind] = parts(5, || [timed(|| drop(black_box(Body::bind(character, muscles))))]);
    println!("{indent}rebinding after a stroke over 200 joint weights: {rebind:.2} ms; all of it anew {bind:.1} ms");
}

/// Some neighbouring vertices hang on another joint.
fn painted(character: &Character) -> Character {
    let mut painted = character.clone();
    let weights = &mut painted.meshes[0].weights;
    let before = std::mem::take(weights);
    let middle = before.len() / 4;
    for v in 0..before.len() {
        let own: Vec<(u16, f32)> = before.of(v).collect();
        weights.push_vertex(if v.abs_diff(middle) < 100 { vec![(1, 1.0)] } else { own });
    }
    painted
}
