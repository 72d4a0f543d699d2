//! What must hold for any bytes at all. Run by the fuzz targets, and over the kept inputs by ordinary tests.

use fusiform::{Body, BodyState, Musculature, Pose, Skeleton, StepInput, Transform};
use fusiform_files::gltf::{Gltf, PartMorphs, Playback, Scene, WeightTrack};
use fusiform_files::osim::setup;
use fusiform_files::{FileError, Recording as Recorded, csv, sto};
use fusiform_fit::retarget::{Rig, retarget};
use fusiform_motion::emg::{EmgError, Recipe, Recording};
use fusiform_motion::path::{PathState, Paths};
use fusiform_motion::system::{Posture, System};
use fusiform_motion::table::Table;
use glam::Vec3;
use serde_json::{Value, json};

/// Larger characters are read, but not bound: that takes its time.
const SMALL: usize = 2000;

/// Spare bytes after a text's own, so that a view that grows a little still has some.
const SPARE: usize = 256;

/// A .glb or .gltf as it is; or a text, a zero byte, and what its buffer holds.
///
/// Says whether it was a character, whose muscles could be bound.
pub fn gltf(data: &[u8]) -> bool {
    let bytes = match data.iter().position(|&byte| byte == 0) {
        Some(at) if data.starts_with(b"{") => glb(&data[..at], &data[at + 1..]),
        _ => data.to_vec(),
    };
    let Some(file) = read(&bytes) else { return false };
    whole(&file);
    let Some((scene, body)) = understood(&file) else { return false };
    let muscles = scene.musculature.clone().unwrap_or_default();
    let mut ours = file.clone();
    ours.set_musculature(&scene.origin, &muscles);
    let again = Scene::read(&ours).expect("what we wrote we read");
    same_muscles(&scene, &again, &muscles);
    ours.remove_musculature();
    ours.mark_baked(1e-3, scene.origin.units);
    let plain = Scene::read(&ours).expect("without muscles it is still a character");
    assert!(plain.character == scene.character, "muscles came and went, and the character is another");
    morphed(file, &scene);
    if let Some(body) = &body {
        step(&scene, body);
    }
    body.is_some()
}

/// A motion, put on a small body. Says whether it was one.
pub fn bvh(data: &[u8]) -> bool {
    let read = match fusiform_files::bvh::read(data) {
        Ok(read) => read,
        Err(error) => {
            assert!(!error.to_string().is_empty() && !error.cure().is_empty());
            return false;
        }
    };
    let (skeleton, clip) = read.skeleton_and_clip("motion", read.guess_unit());
    let target = person();
    match retarget(&Rig::by_names(&skeleton), &clip, &Rig::by_names(&target), None) {
        Ok(done) => {
            let mut pose = Pose::rest(&target);
            for share in [0.0, 0.3, 1.0] {
                done.clip.sample(share * done.clip.duration(), &mut pose);
                assert!(pose.model_matrices(&target).iter().all(glam::Affine3A::is_finite), "a pose is not finite");
            }
        }
        Err(error) => assert!(!error.to_string().is_empty() && !error.cure().is_empty()),
    }
    true
}

/// A model, posed at its defaults and at both ends of its ranges. Says whether it was one.
pub fn osim(data: &[u8]) -> bool {
    // set-ups are the same XML
    for error in [setup::read_ik(data).err(), setup::read_loads(data).err()].into_iter().flatten() {
        assert!(!error.place.is_empty() && !error.message.is_empty() && !error.cure.is_empty());
    }
    let read = match fusiform_files::osim::read(data) {
        Ok(read) => read,
        Err(error) => {
            assert!(!error.place.is_empty() && !error.message.is_empty() && !error.cure.is_empty());
            return false;
        }
    };
    let system = System::new(&read.model).expect("what was read runs");
    let paths = Paths::new(&read.model, &system).expect("what was read runs");
    let (mut posture, mut state) = (Posture::default(), PathState::default());
    for end in [None, Some(0), Some(1)] {
        let value = |c: usize| end.map_or(system.default[c], |end: usize| system.range[c][end].clamp(-1e3, 1e3));
        let q: Vec<f64> = (0..system.n_coordinate()).map(value).collect();
        system.pose(&q, &mut posture);
        paths.pull(&system, &posture, &mut state);
        // sizes that only a hostile file has may overflow, but then everything stays in its place
        assert_eq!(state.length.len(), read.model.muscles.len());
        assert_eq!(state.arms.len(), read.model.muscles.len() * system.n_coordinate());
    }
    true
}

/// The musculature of a small arm, as JSON. Says whether it could be bound.
pub fn extension(data: &[u8]) -> bool {
    let Ok(value) = serde_json::from_slice::<Value>(data) else { return false };
    let mut file = arm();
    file.json["extensions"]["FUSIFORM_musculature"] = value;
    let Some((scene, Some(body))) = understood(&file) else { return false };
    step(&scene, &body);
    true
}

/// Tracks of markers as text. Says whether they were some.
pub fn trc(data: &[u8]) -> bool {
    recorded(fusiform_files::trc::read(data))
}

/// A recording of a laboratory. Says whether it was one.
pub fn c3d(data: &[u8]) -> bool {
    recorded(fusiform_files::c3d::read(data))
}

/// A table, under a header of OpenSim's or with commas. Says whether it was the first.
pub fn sto(data: &[u8]) -> bool {
    if let Some(read) = sound(csv::read(data, Some(100.0))) {
        again(&read.table);
    }
    let Some(read) = sound(sto::read(data)) else { return false };
    again(&read.table);
    true
}

/// Columns over time, taken for voltages of muscles. Says whether they were a table with a time column.
pub fn csv(data: &[u8]) -> bool {
    let Some(read) = sound(csv::read(data, None)) else { return false };
    again(&read.table);
    let told = |error: EmgError| assert!(error.to_string().contains("; "), "{error} has no cure");
    let Ok(recording) = Recording::from_table(&read.table).map_err(told) else { return true };
    let times: Vec<f64> = (0..4).map(|i| recording.start + 0.01 * f64::from(i)).collect();
    for rectify_first in [false, true] {
        let recipe = Recipe { rectify_first, ..Recipe::default() };
        if let Ok(activity) = recording.activity(&recipe, &times).map_err(told) {
            assert!(activity.values.iter().all(|a| a.is_finite() && *a >= 0.0), "{:?}", activity.values);
        }
    }
    true
}

/// A table says the same after it was written and read again.
fn again(table: &Table) {
    assert!(table.times.is_sorted() && table.times.iter().all(|time| time.is_finite()), "time goes back");
    let text = sto::write(table, "a table", true);
    let from_sto = sto::read(text.as_bytes()).expect("what we wrote we read").table;
    let from_csv = csv::read(csv::write(table).as_bytes(), None).expect("what we wrote we read").table;
    let bits = |table: &Table| -> Vec<u64> { table.values.iter().map(|v| (v + 0.0).to_bits() << 1).collect() };
    for other in [from_sto, from_csv] {
        assert_eq!((&other.times, other.names.len()), (&table.times, table.names.len()));
        assert!(bits(&other) == bits(table), "a number changed");
    }
}

/// Every array is as long as it should be, and no name is there twice.
fn recorded(read: Result<Recorded, FileError>) -> bool {
    let Some(Recorded { capture, .. }) = sound(read) else { return false };
    let n_frame = capture.times.len();
    assert_eq!(capture.positions.len(), n_frame * capture.markers.len());
    assert!(capture.positions.iter().all(|p| p.is_finite() || p.is_nan()), "a place is infinitely far");
    assert!(capture.times.is_sorted() && capture.times.iter().all(|time| time.is_finite()), "time goes back");
    for names in [&capture.markers, &capture.analog.names] {
        let distinct: std::collections::HashSet<_> = names.iter().collect();
        assert_eq!(distinct.len(), names.len(), "a name is there twice");
    }
    let n_sample = capture.analog.sample_count();
    assert_eq!(capture.analog.values.len(), n_sample * capture.analog.names.len());
    for plate in &capture.plates {
        for list in [&plate.force, &plate.moment, &plate.center_of_pressure, &plate.free_moment] {
            assert_eq!(list.len(), n_sample);
        }
    }
    let forces = capture.ground_forces(20.0);
    assert_eq!(forces.values.len(), forces.names.len() * forces.times.len());
    true
}

/// What was read, or nothing after an error that says enough.
fn sound<T>(read: Result<T, FileError>) -> Option<T> {
    read.map_err(|error| assert!(!error.place.is_empty() && !error.message.is_empty() && !error.cure.is_empty())).ok()
}

fn read(bytes: &[u8]) -> Option<Gltf> {
    sound(Gltf::read(bytes, |_| Err("nothing is beside it".into())))
}

/// A file says the same after it was written and read again.
fn whole(file: &Gltf) {
    let again = read(&file.to_glb().expect("it is small")).expect("what we wrote we read");
    let mut json = again.json.clone();
    json["buffers"] = file.json["buffers"].clone();
    if file.json.get("buffers").is_none() {
        json.as_object_mut().expect("a document").shift_remove("buffers");
    }
    assert!(json == file.json, "the document is another");
    assert!(again.bytes.starts_with(&file.bytes), "the bytes are others");
    let text = read(&file.to_gltf()).expect("what we wrote we read");
    assert!(text.bytes == file.bytes, "the embedded bytes are others");
}

fn understood(file: &Gltf) -> Option<(Scene, Option<Body>)> {
    let scene = match Scene::read(file) {
        Ok(scene) => scene,
        Err(error) => {
            assert!(!error.message.is_empty() && !error.cure.is_empty());
            return None;
        }
    };
    if scene.character.vertex_count() > SMALL {
        return Some((scene, None));
    }
    let bound = Body::bind(&scene.character, scene.musculature.as_ref().unwrap_or(&Musculature::plain()));
    if let Err(error) = &bound {
        assert!(!error.to_string().is_empty() && !error.cure().is_empty());
    }
    Some((scene, bound.ok()))
}

/// Frames of every clip, with muscles: finite, whatever the file said.
fn step(scene: &Scene, body: &Body) {
    let character = &scene.character;
    let mut state = BodyState::new(body);
    let mut pose = Pose::rest(&character.skeleton);
    let finite = |state: &BodyState| state.positions().iter().chain(state.normals()).all(|p| p.is_finite());
    body.step(&mut state, &StepInput::new(&pose.model_matrices(&character.skeleton), 0.0));
    assert!(finite(&state), "the rest pose is not finite");
    for clip in character.clips.iter().take(3) {
        for frame in 0..4 {
            clip.sample(0.3 * frame as f32 * clip.duration(), &mut pose);
            body.step(&mut state, &StepInput::new(&pose.model_matrices(&character.skeleton), 1.0 / 30.0));
            assert!(finite(&state), "a frame of {:?} is not finite", clip.name);
        }
    }
}

/// What a player shows before and after a target of ours that weighs nothing is the same.
fn morphed(mut file: Gltf, scene: &Scene) {
    let Ok(before) = Playback::read(&file, &scene.origin) else { return };
    let mut origin = scene.origin.clone();
    file.separate_meshes(&mut origin);
    for part in 0..origin.parts.len() {
        let n: usize = origin.parts[part].primitives.iter().map(|primitive| primitive.n_vertex).sum();
        let tracks =
            scene.character.clips.iter().take(1).map(|_| (0, WeightTrack::linear(vec![0.0, 1.0], vec![0.0; 2])));
        let tracks = tracks.collect();
        let morphs = PartMorphs { part, n_target: 1, positions: vec![Vec3::ONE; n], normals: Vec::new(), tracks };
        if file.add_morphs(&origin, &morphs).is_err() {
            return;
        }
    }
    let after = Playback::read(&file, &origin).expect("what we wrote we read");
    for (before, after) in before.parts.iter().zip(&after.parts) {
        assert_eq!(before.n_target() + 1, after.n_target());
        let (before, after) = (before.weights(Some(0), 0.0), after.weights(Some(0), 0.0));
        assert_eq!(before[..], after[..before.len()], "our target changed the weights of others");
    }
}

/// Muscles that were written say the same when read; where two nodes show one mesh the first decides.
fn same_muscles(before: &Scene, after: &Scene, wanted: &Musculature) {
    let read = after.musculature.as_ref().expect("there are muscles");
    assert!(read.muscles == wanted.muscles && read.layers == wanted.layers && read.physique == wanted.physique);
    assert!(after.character == before.character, "muscles changed the character");
}

/// A .glb of that text and those bytes, and a few more.
fn glb(text: &[u8], bytes: &[u8]) -> Vec<u8> {
    let text_len = text.len().next_multiple_of(4);
    let bin_len = (bytes.len() + SPARE).next_multiple_of(4);
    let mut file = b"glTF".to_vec();
    let words = [2, (28 + text_len + bin_len) as u32, text_len as u32, 0x4E4F_534A];
    file.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    file.extend(text);
    file.resize(20 + text_len, b' ');
    file.extend([bin_len as u32, 0x004E_4942].iter().flat_map(|word| word.to_le_bytes()));
    file.extend(bytes);
    file.resize(28 + text_len + bin_len, 0);
    file
}

/// An arm of two joints and twelve vertices, which all muscle weights lie on.
fn arm() -> Gltf {
    use fusiform::character::{Channel, Interpolation, Keys, Track};
    let bones = [("upper", None, Transform::IDENTITY), ("lower", Some(0), Transform::at(Vec3::Y))];
    let mut mesh = fusiform::Mesh { name: "arm".into(), ..Default::default() };
    for ring in 0..4 {
        for (x, z) in [(-0.2, -0.1), (0.2, -0.1), (0.0, 0.2)] {
            mesh.positions.push(Vec3::new(x, 0.6 * ring as f32, z));
            mesh.weights.push_vertex([(0, 1.0 - ring as f32 / 3.0), (1, ring as f32 / 3.0)]);
        }
    }
    for ring in 0..3_u32 {
        for k in 0..3 {
            let [a, b] = [3 * ring + k, 3 * ring + (k + 1) % 3];
            mesh.triangles.extend([[a, b, a + 3], [b, b + 3, a + 3]]);
        }
    }
    let turns = vec![glam::Quat::IDENTITY, glam::Quat::from_xyzw(0.6, 0.0, 0.0, 0.8)];
    let track = Track { times: vec![0.0, 1.0], values: turns, interpolation: Interpolation::Linear };
    let clip =
        fusiform::Clip { name: "bend".into(), channels: vec![Channel { joint: 1, keys: Keys::Rotation(track) }] };
    let character = fusiform::Character {
        name: "arm".into(),
        skeleton: Skeleton::from_rest(&bones),
        meshes: vec![mesh],
        clips: vec![clip],
    };
    let mut file = Gltf::from_character(&character);
    let scene = Scene::read(&file).expect("it was made here");
    let mut weights = fusiform::SparseWeights::default();
    (0..12).for_each(|_| weights.push_vertex([(0, 0.5)]));
    let muscles = Musculature { weights: vec![weights], ..Musculature::default() };
    file.set_musculature(&scene.origin, &muscles);
    file.json["extensions"] = json!({});
    file
}

/// A body of fifteen joints that motions are put on.
fn person() -> Skeleton {
    let at = |x: f32, y: f32, z: f32| Transform::at(Vec3::new(x, y, z));
    Skeleton::from_rest(&[
        ("hips", None, at(0.0, 1.0, 0.0)),
        ("spine", Some(0), at(0.0, 0.2, 0.0)),
        ("neck", Some(1), at(0.0, 0.3, 0.0)),
        ("head", Some(2), at(0.0, 0.1, 0.0)),
        ("upper_arm.l", Some(1), at(0.2, 0.25, 0.0)),
        ("lower_arm.l", Some(4), at(0.3, 0.0, 0.0)),
        ("hand.l", Some(5), at(0.25, 0.0, 0.0)),
        ("upper_arm.r", Some(1), at(-0.2, 0.25, 0.0)),
        ("lower_arm.r", Some(7), at(-0.3, 0.0, 0.0)),
        ("hand.r", Some(8), at(-0.25, 0.0, 0.0)),
        ("upper_leg.l", Some(0), at(0.1, 0.0, 0.0)),
        ("lower_leg.l", Some(10), at(0.0, -0.45, 0.0)),
        ("foot.l", Some(11), at(0.0, -0.45, 0.0)),
        ("toes.l", Some(12), at(0.0, -0.08, 0.15)),
        ("upper_leg.r", Some(0), at(-0.1, 0.0, 0.0)),
        ("lower_leg.r", Some(14), at(0.0, -0.45, 0.0)),
        ("foot.r", Some(15), at(0.0, -0.45, 0.0)),
        ("toes.r", Some(16), at(0.0, -0.08, 0.15)),
    ])
}
