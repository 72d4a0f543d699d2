//! A body whose muscles are known, and recordings of markers on it in every format that `fusiform identify` reads.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use crate::common::{SMALL, run};
use crate::lab::{Machine, Maker, Values, integer};
use fusiform::character::Interpolation;
use fusiform::musculature::{ClipActivation, Contraction, Layer, MuscleTrack, Sigmoids};
use fusiform::{Body, BodyState, Character, Musculature, Pose, StepInput};
use fusiform_files::gltf::{Gltf, Scene, read_beside};
use glam::Vec3;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::LazyLock;

/// Frames of a recording, and of a second.
pub const FRAMES: usize = 36;
pub const RATE: f32 = 15.0;

/// A folder with `rigged.glb`, muscles after Murai that work during every clip, and recordings of a body whose muscles
/// swell twice as much as is presumed.
pub struct World {
    folder: tempfile::TempDir,
    pub character: Character,
    truth: Musculature,
    /// Vertices that carry markers.
    pub markers: Vec<usize>,
}

pub static WORLD: LazyLock<World> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let rig = ["rig", SMALL, "-o", "rigged.glb", "--preset", "murai", "--quiet"];
    assert!(run(folder.path(), &rig).status.success());
    let path = folder.path().join("rigged.glb");
    let mut gltf = Gltf::read(&std::fs::read(&path).unwrap(), read_beside(folder.path())).unwrap();
    let Scene { character, musculature, origin, .. } = Scene::read(&gltf).unwrap();
    let mut musculature = musculature.unwrap();
    musculature.activation.drivers.clear();
    musculature.activation.curves = character.clips.iter().map(|clip| tension(&clip.name, &musculature)).collect();
    gltf.set_musculature(&origin, &musculature);
    std::fs::write(&path, gltf.to_glb().unwrap()).unwrap();
    let mut truth = musculature;
    truth.layers.retain(|layer| !matches!(layer, Layer::Tissue(_)));
    for muscle in &mut truth.muscles {
        if let Contraction::Identified { by_length, by_tension, .. } = &mut muscle.contraction {
            let times = |of: &Sigmoids, factor: f32| Sigmoids::from_numbers(of.numbers().map(|k| k * factor));
            (*by_length, *by_tension) = (times(by_length, 2.0), times(by_tension, 2.0));
        }
    }
    let follows = Body::bind(&character, &truth).unwrap().skin_follows();
    let moved = |v: &usize| follows[*v].iter().map(|follow| follow.offset.length()).sum::<f32>() > 0.003;
    let markers = (0..character.vertex_count()).filter(moved).step_by(9).collect();
    World { folder, character, truth, markers }
});

/// Every muscle tenses and eases at its own pace.
fn tension(clip: &str, musculature: &Musculature) -> ClipActivation {
    let track = |(m, muscle): (usize, &fusiform::Muscle)| MuscleTrack {
        muscle: muscle.name.clone(),
        times: (0..60).map(|i| 0.1 * i as f32).collect(),
        values: (0..60).map(|i| 0.5 + 0.5 * (0.1 * i as f32 * (1.0 + (m % 7) as f32) + m as f32).sin()).collect(),
        interpolation: Interpolation::Linear,
    };
    ClipActivation { clip: clip.into(), tracks: musculature.muscles.iter().enumerate().map(track).collect() }
}

impl World {
    /// The skin of the truth in a moment of a clip.
    pub fn skin(&self, clip: &str, time: f32) -> Vec<Vec3> {
        self.state(clip, time).positions().to_vec()
    }

    fn state(&self, clip: &str, time: f32) -> BodyState {
        let body = Body::bind(&self.character, &self.truth).unwrap();
        let mut pose = Pose::rest(&self.character.skeleton);
        self.character.clip(clip).unwrap().sample(time, &mut pose);
        let pose = pose.model_matrices(&self.character.skeleton);
        let mut played = body.play(Some(clip), &[]);
        let mut input = StepInput::new(&pose, 0.0);
        input.activation = played.at(time);
        let mut state = BodyState::new(&body);
        body.step(&mut state, &input);
        state
    }

    /// Every frame's places of the markers, mm: on the skin, or with their middles so far above it.
    pub fn places(&self, clip: &str, markers: &[usize], frames: usize, above: f32) -> Vec<Vec<Vec3>> {
        let frame = |t: usize| {
            let state = self.state(clip, t as f32 / RATE);
            markers.iter().map(|&v| state.positions()[v] * 1e3 + state.normals()[v] * above).collect()
        };
        (0..frames).map(frame).collect()
    }

    /// Write a recording as its name says, in millimetres; NaN is not seen.
    pub fn write(&self, name: &str, markers: &[usize], places: &[Vec<Vec3>]) {
        let names: Vec<String> = markers.iter().map(|v| format!("m{v}")).collect();
        let bytes = match name.rsplit('.').next() {
            Some("trc") => trc(&names, places).into_bytes(),
            Some("c3d") => c3d(&names, places),
            _ => csv(&names, places).into_bytes(),
        };
        std::fs::write(self.folder.path().join(name), bytes).unwrap();
    }

    pub fn record(&self, name: &str, clip: &str, frames: usize) {
        self.write(name, &self.markers, &self.places(clip, &self.markers, frames, 0.0));
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Three cells of a place, empty where it was not seen.
fn cells(place: Vec3, between: char) -> String {
    let cell = |x: f32| if x.is_nan() { String::new() } else { format!("{x:.4}") };
    format!("{between}{}{between}{}{between}{}", cell(place.x), cell(place.y), cell(place.z))
}

fn csv(names: &[String], places: &[Vec<Vec3>]) -> String {
    let mut text = String::from("time");
    names.iter().for_each(|name| _ = write!(text, ",{name}.x,{name}.y,{name}.z"));
    for (t, row) in places.iter().enumerate() {
        _ = write!(text, "\n{}", t as f32 / RATE);
        row.iter().for_each(|place| text += &cells(*place, ','));
    }
    text + "\n"
}

fn trc(names: &[String], places: &[Vec<Vec3>]) -> String {
    let (n, frames) = (names.len(), places.len());
    let mut text = format!(
        "PathFileType\t4\t(X/Y/Z)\tmarkers.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n\
         {RATE}\t{RATE}\t{frames}\t{n}\tmm\nFrame#\tTime"
    );
    names.iter().for_each(|name| _ = write!(text, "\t{name}\t\t"));
    text += "\n\t";
    (1..=n).for_each(|i| _ = write!(text, "\tX{i}\tY{i}\tZ{i}"));
    text += "\n";
    for (t, row) in places.iter().enumerate() {
        _ = write!(text, "\n{}\t{}", t + 1, t as f32 / RATE);
        row.iter().for_each(|place| text += &cells(*place, '\t'));
    }
    text + "\n"
}

/// As a laboratory has it: floats, and z is up.
fn c3d(names: &[String], places: &[Vec<Vec3>]) -> Vec<u8> {
    // what is not seen has a negative residual
    let point = |p: &Vec3| if p.is_nan() { [0.0, 0.0, 0.0, -1.0] } else { [p.x, -p.z, p.y, 0.0] };
    let mut maker = Maker::small(Machine::Intel, -1.0);
    (maker.rate, maker.channels) = (RATE, 0);
    maker.points = places.iter().map(|row| row.iter().map(point).collect()).collect();
    maker.analog = vec![Vec::new(); places.len()];
    maker.parameters.retain(|(group, ..)| *group == "POINT");
    maker.set("POINT", "USED", integer(names.len() as i32));
    maker.set("POINT", "FRAMES", integer(places.len() as i32));
    maker.set("POINT", "RATE", Values::Floats(vec![], vec![RATE]));
    let (first, rest) = names.split_at(names.len().min(255));
    maker.set("POINT", "LABELS", Values::Texts(8, first.to_vec()));
    if !rest.is_empty() {
        maker.set("POINT", "LABELS2", Values::Texts(8, rest.to_vec()));
    }
    maker.bytes()
}
