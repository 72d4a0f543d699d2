//! What painting leaves behind: weights that stay legal, seams that hold, and files that have it all to the bit.

use crate::arm;
use crate::painting::{AROUND, dab, strike};
use fusiform::{Mesh, SparseWeights};
use fusiform_files::gltf::{Gltf, Scene};
use fusiform_studio::model::kernels::{Row, pruned, set_joints, set_muscles, wanted, weight_in};
use fusiform_studio::model::{Brush, Document, Look, Mode, Painting, Project, Studio};
use proptest::prelude::*;
use std::path::Path;

/// Rows as eight-bit files have them, joints apart.
fn row() -> impl Strategy<Value = Row> {
    prop::collection::btree_map(0_u16..9, 1_u8..=255, 1..5).prop_map(|of| {
        let sum: f64 = of.values().map(|w| f64::from(*w)).sum();
        of.into_iter().map(|(i, w)| (i, (f64::from(w) / sum) as f32)).collect()
    })
}

fn total(row: &[(u16, f32)]) -> f32 {
    row.iter().map(|(_, w)| w).sum()
}

proptest! {
    #[test]
    fn joint_weights_sum_to_one_exactly_and_stay_legal(
        before in row(), wants in prop::collection::btree_map(0_u16..9, 0.0_f32..=1.0, 1..3), other in 9_u16..12,
    ) {
        let (before_row, wants) = (before, wants.into_iter().collect::<Row>());
        let mut row = before_row.clone();
        set_joints(&mut row, &wants, |_| false, 4, || vec![(other, 1.0)]);
        // what is no part of a full row comes only if it weighs as much as the least of those it finds there
        let sum = total(&wants);
        let fitted = |want: f32| if sum > 1.0 { want / sum } else { want };
        let full = before_row.len() + wants.len() > 4;
        let stays_out = |i: u16| full && weight_in(&before_row, i) == 0.0 && weight_in(&row, i) == 0.0;
        if row != before_row {
            prop_assert_eq!(total(&row), 1.0);
            prop_assert_eq!(row.iter().rev().map(|(_, w)| w).sum::<f32>(), 1.0, "in any order");
        }
        prop_assert!(row.len() <= 4 && row.iter().all(|(_, w)| (2e-6..=1.0).contains(w)), "{:?}", row);
        let out = wants.iter().filter(|(i, _)| stays_out(*i));
        for (i, want) in out.clone() {
            let others = row.iter().filter(|(other, _)| weight_in(&wants, *other) == 0.0).map(|(_, w)| *w);
            let least = others.fold(1.0, f32::min);
            prop_assert!(fitted(*want) <= least + 1e-6, "{i} of {want} is to come for {least}: {:?}", row);
        }
        for (i, want) in wants.iter().filter(|(i, _)| !stays_out(*i)) {
            prop_assert!((weight_in(&row, *i) - fitted(*want)).abs() < 1e-5, "{i} is to be {want}: {:?}", row);
        }
    }

    #[test]
    fn locked_joints_keep_their_weight_to_the_bit(before in row(), lock in 0_usize..4, target in 0_u16..9, want in 0.0_f32..=1.0) {
        let (locked, held) = before[lock % before.len()];
        let mut row = before.clone();
        set_joints(&mut row, &[(target, want)], |i| i == locked, 4, Row::new);
        prop_assert_eq!(weight_in(&row, locked), held);
        prop_assert!((total(&row) - 1.0).abs() < 3e-7, "{:?} from {:?}", row, before);
        prop_assert!(row.len() <= 4 && row.iter().all(|(_, w)| *w >= 0.0));
    }

    #[test]
    fn muscle_weights_leave_the_joints_their_part(
        before in row(), scale in 0.0_f32..0.9, lock in 0_u16..9, target in 0_u16..9, want in 0.0_f32..=1.0,
    ) {
        let before: Row = before.into_iter().map(|(i, w)| (i, w * scale)).filter(|(_, w)| *w > 1e-5).collect();
        let mut row = before.clone();
        set_muscles(&mut row, &[(target, want)], |i| i == lock);
        prop_assert!(total(&row) < 0.9 + 1e-5 && row.len() <= 4, "{:?}", row);
        prop_assert_eq!(weight_in(&row, lock), weight_in(&before, lock));
        for (i, w) in row.iter().filter(|(i, _)| *i != target) {
            prop_assert!(*w <= weight_in(&before, *i), "others never grow");
        }
        let least = before.iter().map(|(_, w)| *w).fold(1.0, f32::min);
        let stays_out = before.len() == 4 && weight_in(&before, target) == 0.0 && want < least + 1e-6;
        if target != lock && row.iter().all(|(i, _)| *i != lock) && !(stays_out && row == before) {
            prop_assert!((weight_in(&row, target) - want.min(0.9)).abs() < 1e-5, "{:?}", row);
            let less = weight_in(&before, target) - weight_in(&row, target);
            prop_assert!(total(&row) > total(&before) - less.max(0.0) - 1e-5, "{:?} lose weight in {:?}", before, row);
        }
    }

    #[test]
    fn pruning_leaves_the_sum_and_what_is_locked(before in row(), lock in 0_u16..9, below in 0.0_f32..0.3) {
        let is_locked = |i: u16| i == lock;
        let mut row = before.clone();
        set_joints(&mut row, &pruned(&before, below, is_locked, false), is_locked, before.len(), Row::new);
        prop_assert!((total(&row) - 1.0).abs() < 3e-7, "{:?}", row);
        prop_assert_eq!(weight_in(&row, lock), weight_in(&before, lock));
        let free: Vec<f32> = row.iter().filter(|(i, _)| *i != lock).map(|(_, w)| *w).collect();
        prop_assert!(free.len() <= 1 || free.iter().all(|w| *w >= below), "{:?} below {below}", row);
        let muscles: Row = before.iter().map(|(i, w)| (*i, 0.8 * w)).collect();
        let mut row = muscles.clone();
        set_muscles(&mut row, &pruned(&muscles, below, is_locked, true), is_locked);
        let stays = muscles.iter().any(|(i, w)| *i != lock && *w >= below);
        prop_assert!(!stays || (total(&row) - total(&muscles)).abs() < 1e-6, "{:?} from {:?}", row, muscles);
        prop_assert!(row.iter().all(|(i, w)| *i == lock || *w >= below), "{:?}", row);
    }

    #[test]
    fn smoothing_never_overshoots_and_replacing_reaches_its_value(
        now in 0.0_f32..=1.0, mean in 0.0_f32..=1.0, value in 0.0_f32..=1.0, amount in 0.0_f32..=1.0,
    ) {
        let smooth = wanted(Mode::Smooth, now, mean, value, amount);
        prop_assert!(smooth >= now.min(mean) - 1e-7 && smooth <= now.max(mean) + 1e-7);
        prop_assert_eq!(wanted(Mode::Replace, now, mean, value, 1.0), value);
        for mode in [Mode::Add, Mode::Subtract, Mode::Replace] {
            prop_assert!((0.0..=1.0).contains(&wanted(mode, now, mean, value, amount)));
        }
    }
}

#[test]
fn a_trace_of_another_does_not_drive_out_what_weighs_much() {
    let full: Row = vec![(0, 0.26), (1, 0.25), (2, 0.25), (3, 0.24)];
    let joints = |want: f32| {
        let mut row = full.clone();
        set_joints(&mut row, &[(5, want)], |_| false, 4, Row::new);
        row
    };
    assert_eq!(joints(0.002), full);
    assert_eq!(joints(0.18), full, "0.24 would be 0.197 beside it");
    assert_eq!((weight_in(&joints(0.3), 5), weight_in(&joints(0.3), 3)), (0.3, 0.0));
    let muscles: Row = full.iter().map(|(i, w)| (*i, 0.8 * w)).collect();
    let painted = |want: f32| {
        let mut row = muscles.clone();
        set_muscles(&mut row, &[(5, want)], |_| false);
        row
    };
    assert_eq!(painted(0.002), muscles);
    assert!((total(&painted(0.2)) - total(&muscles) - 0.2 + 0.192).abs() < 1e-6, "together they weigh no less");
}

#[test]
fn what_is_too_little_at_first_comes_as_soon_as_the_stroke_does_enough() {
    let painted = |strengths: &[f32]| {
        let (project, musculature) = Project::from_bytes("five.glb", &five_joints()).unwrap();
        let mut studio = Studio::new(project, musculature, None).unwrap();
        studio.apply(Look::Joint(Some(4)));
        let mut painting = Painting::begin(&studio, Mode::Add).unwrap();
        for &strength in strengths {
            studio.apply(Look::Brush(Brush { radius: 0.1, strength, ..studio.brush }));
            painting.dab(&studio, studio.live.muscled().1, &dab(&studio, 30));
            let action = painting.take(&studio);
            action.into_iter().for_each(|action| studio.apply(action));
        }
        studio.document().joints[0].clone()
    };
    let (at_once, slowly) = (painted(&[0.4]), painted(&[0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4]));
    let came = |v: usize| at_once.of(v).any(|(joint, _)| joint == 4);
    let n = at_once.len();
    assert!((0..n).filter(|&v| came(v)).count() > 2 && !(0..n).all(came));
    for v in 0..n {
        let [a, b]: [Row; 2] = [&at_once, &slowly].map(|of| of.of(v).collect());
        let apart = (0..5).map(|joint| (weight_in(&a, joint) - weight_in(&b, joint)).abs()).fold(0.0, f32::max);
        assert!(apart < 1e-5, "vertex {v}: {a:?} and {b:?}");
    }
}

/// An arm that hangs on five joints, four at every vertex: all that its file has room for.
fn five_joints() -> Vec<u8> {
    let mut character = Scene::read(&Gltf::read(&arm::glb(), |_| Err(String::new())).unwrap()).unwrap().character;
    for k in 3..5 {
        let mut joint = character.skeleton.joints[2].clone();
        (joint.name, joint.parent) = (format!("twist_{k}"), Some(1));
        character.skeleton.joints.push(joint);
    }
    let mesh = &mut character.meshes[0];
    mesh.weights = SparseWeights::default();
    (0..mesh.positions.len()).for_each(|_| mesh.weights.push_vertex([(0, 0.375), (1, 0.25), (2, 0.1875), (3, 0.1875)]));
    Gltf::from_character(&character).to_glb().unwrap()
}

#[test]
fn a_seam_between_meshes_is_painted_alike_on_both_sides_and_saved() {
    let scene = Scene::read(&Gltf::read(&arm::glb(), |_| Err(String::new())).unwrap()).unwrap();
    let mut character = scene.character;
    let whole = character.meshes.remove(0);
    // cut between the fifth row and the sixth
    let part = |rows: std::ops::Range<usize>| {
        let (first, end) = (rows.start * AROUND, rows.end * AROUND);
        let mut mesh = Mesh { name: format!("{first}"), ..Mesh::default() };
        mesh.positions = whole.positions[first..end].to_vec();
        mesh.normals = whole.normals[first..end].to_vec();
        (first..end).for_each(|v| mesh.weights.push_vertex(whole.weights.of(v)));
        let inside = |t: &&[u32; 3]| t.iter().all(|v| (first..end).contains(&(*v as usize)));
        mesh.triangles = whole.triangles.iter().filter(inside).map(|t| t.map(|v| v - first as u32)).collect();
        mesh
    };
    character.meshes = vec![part(0..5), part(4..9)];
    let glb = Gltf::from_character(&character).to_glb().unwrap();
    let (project, musculature) = Project::from_bytes("cut.glb", &glb).unwrap();
    let mut studio = Studio::new(project, musculature, None).unwrap();
    let untouched = studio.project.to_glb(studio.document()).unwrap();
    assert_eq!(untouched, glb, "what nobody touched keeps its bytes");
    studio.apply(Look::Joint(Some(2)));
    studio.apply(Look::Brush(Brush { radius: 0.1, strength: 0.7, ..studio.brush }));
    strike(&mut studio, Mode::Add, &[4 * AROUND, 4 * AROUND + 1]);
    strike(&mut studio, Mode::Smooth, &[4 * AROUND + 1]);
    let joints = &studio.document().joints;
    let mut painted = 0;
    for k in 0..AROUND {
        let [above, below] = [joints[0].of(4 * AROUND + k), joints[1].of(k)].map(|of| of.collect::<Row>());
        assert_eq!(above, below, "vertex {k} of the seam");
        painted += usize::from(weight_in(&above, 2) > 0.1);
    }
    assert!(
        painted >= 2
            && (0..joints[1].len()).any(|v| v >= AROUND && weight_in(&joints[1].of(v).collect::<Row>(), 2) > 0.0)
    );
    let (reopened, musculature) =
        Project::from_bytes("cut.glb", &studio.project.to_glb(studio.document()).unwrap()).unwrap();
    assert_eq!(&Document::new(&reopened.character, musculature), studio.document());
}

/// Paint a few strokes on any character, and what comes back from its file.
fn saved_and_opened(name: &str, glb: &[u8]) {
    let (project, musculature) = Project::from_bytes(name, glb).unwrap();
    let mut studio = Studio::new(project, musculature, None).unwrap();
    let untouched = studio.project.to_glb(studio.document()).unwrap();
    let as_read = Gltf::read(glb, |_| Err(String::new())).unwrap().to_glb().unwrap();
    assert_eq!(untouched, as_read, "{name}: what nobody touched keeps its bytes");
    let n_vertex = studio.project.character.vertex_count();
    let held = |studio: &Studio, v: usize| {
        let (mesh, vertex) = studio.project.skin().in_mesh(v);
        studio.document().joints[mesh]
            .of(vertex)
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(joint, _)| usize::from(joint))
    };
    let radius = 0.06 * studio.project.character.height();
    for (k, mode) in [Mode::Add, Mode::Smooth, Mode::Replace, Mode::Subtract].into_iter().enumerate() {
        let used: Vec<usize> = studio.live.muscled().0.triangles().iter().flatten().map(|v| *v as usize).collect();
        let vertex = used[(k + 1) * used.len() / 6];
        studio.apply(Look::Joint(held(&studio, vertex)));
        studio.apply(Look::Brush(Brush { radius, strength: 0.37, value: 0.3, ..studio.brush }));
        strike(&mut studio, mode, &[vertex]);
        assert!(studio.fault.is_none(), "{name}: {:?}", studio.fault);
    }
    let glb = studio.project.to_glb(studio.document()).unwrap();
    let (reopened, musculature) = Project::from_bytes(name, &glb).unwrap();
    let document = Document::new(&reopened.character, musculature);
    assert!(studio.history.undo_label().is_some(), "{name}: something was painted");
    let differ = |a: &SparseWeights, b: &SparseWeights| (0..a.len()).filter(|&v| !a.of(v).eq(b.of(v))).count();
    let pairs = document.joints.iter().zip(studio.document().joints.iter());
    let rows: usize = pairs.map(|(a, b)| differ(a, b)).sum();
    assert_eq!(rows, 0, "{name}: rows of {n_vertex} that came back as others");
    assert!(&document == studio.document(), "{name} comes back as it was");
    // once more, from the file: it does not grow with every session
    let mut again = Studio::new(reopened, document.musculature, None).unwrap();
    again.apply(Look::Joint(held(&again, 0)));
    let vertex = again.live.muscled().0.triangles()[0][0] as usize;
    strike(&mut again, Mode::Add, &[vertex]);
    let larger = again.project.to_glb(again.document()).unwrap().len().saturating_sub(glb.len());
    assert!(larger < 4096, "{name}: {larger} bytes more");
}

/// An arm that hangs on seven joints, six at every vertex: two sets of four in its file.
fn seven_joints() -> Vec<u8> {
    let mut character = Scene::read(&Gltf::read(&arm::glb(), |_| Err(String::new())).unwrap()).unwrap().character;
    for k in 3..7 {
        let mut joint = character.skeleton.joints[2].clone();
        (joint.name, joint.parent) = (format!("twist_{k}"), Some(1));
        character.skeleton.joints.push(joint);
    }
    let mesh = &mut character.meshes[0];
    mesh.weights = SparseWeights::default();
    for v in 0..mesh.positions.len() as u16 {
        let shares: Vec<f64> = (0..6).map(|k| f64::from(1 + (v * 7 + k * 5) % 11)).collect();
        let sum: f64 = shares.iter().sum();
        mesh.weights.push_vertex((0..6).map(|k| ((v + k) % 7, (shares[usize::from(k)] / sum) as f32)));
    }
    Gltf::from_character(&character).to_glb().unwrap()
}

/// The same file with its weights in eight bits, as exporters write them to save room.
fn in_eight_bits(glb: &[u8]) -> Vec<u8> {
    let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    let bin = 20 + word(12) + 8;
    let mut json: serde_json::Value = serde_json::from_slice(&glb[20..20 + word(12)]).unwrap();
    let mut bytes = glb[bin..bin + word(bin - 8)].to_vec();
    for set in 0..2 {
        let name = format!("WEIGHTS_{set}");
        let accessor = json["meshes"][0]["primitives"][0]["attributes"][&name].as_u64().unwrap() as usize;
        let view = json["accessors"][accessor]["bufferView"].as_u64().unwrap() as usize;
        let [from, len] =
            ["byteOffset", "byteLength"].map(|key| json["bufferViews"][view][key].as_u64().unwrap_or(0) as usize);
        let floats = bytes[from..from + len].chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap()));
        let small: Vec<u8> = floats.map(|w| (255.0 * w).round() as u8).collect();
        bytes.splice(from..from + small.len(), small.iter().copied());
        json["bufferViews"][view]["byteLength"] = small.len().into();
        json["accessors"][accessor]["componentType"] = 5121.into();
        json["accessors"][accessor]["normalized"] = true.into();
    }
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut made = glb[..8].to_vec();
    let chunks = [(text, 0x4E4F_534A_u32), (bytes, 0x004E_4942)];
    let total: usize = 12 + chunks.iter().map(|(of, _)| 8 + of.len()).sum::<usize>();
    made.extend((total as u32).to_le_bytes());
    for (of, kind) in chunks {
        made.extend((of.len() as u32).to_le_bytes().into_iter().chain(kind.to_le_bytes()).chain(of));
    }
    made
}

#[test]
fn what_was_painted_comes_back_from_the_file_to_the_bit() {
    saved_and_opened("arm.glb", &arm::glb());
    saved_and_opened("seven_joints.glb", &seven_joints());
    saved_and_opened("eight_bits.glb", &in_eight_bits(&seven_joints()));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/gltf");
    for name in [
        "human_male.glb",
        "KayKit_Knight.glb",
        "CesiumMan.glb",
        "Quaternius_Bull.glb",
        "VALID_White_M_1_Casual_plain.glb",
    ] {
        match std::fs::read(folder.join(name)) {
            Ok(glb) => saved_and_opened(name, &glb),
            Err(_) => skipped!("{name}: it is not there"),
        }
    }
}
