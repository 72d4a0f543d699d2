//! Files that break a rule are refused where they break it; legal ones stand as the glTF formula says.

#![allow(clippy::unwrap_used)] // what a test makes itself is there

mod maker;

use fusiform::{Body, Pose};
use fusiform_files::FileError;
use fusiform_files::gltf::{Gltf, PartMorphs, Playback, Scene, WeightTrack, skin};
use glam::{DMat4, DQuat, DVec3, DVec4, Vec3};
use maker::*;
use serde_json::{Value, json};

fn read(bytes: &[u8]) -> Result<Scene, FileError> {
    Scene::read(&Gltf::read(bytes, |_| Err("nothing is beside it".into()))?)
}

fn bent(bend: impl FnOnce(&mut Maker)) -> Maker {
    let mut file = Maker::arm();
    bend(&mut file);
    file
}

/// Refused, with these words in place or message.
#[track_caller]
fn refused(words: &str, bend: impl FnOnce(&mut Maker)) {
    let error = read(&bent(bend).glb()).expect_err(words);
    assert!(error.to_string().contains(words), "{error} says nothing of {words}");
    assert!(!error.cure.is_empty());
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    let whole = Maker::arm().glb();
    for part in 0..16 {
        assert!(read(&whole[..whole.len() * part / 16]).is_err(), "{part}/16");
    }
    read(&whole).unwrap();
}

#[test]
fn numbers_that_lie_are_refused_where_they_stand() {
    for (key, value) in
        [("count", json!(9)), ("count", json!(u64::MAX)), ("byteOffset", json!(4)), ("componentType", json!(7))]
    {
        refused("accessor 0", |file| file.json["accessors"][POSITION][key] = value);
    }
    refused("accessor 0", |file| file.json["bufferViews"][0]["byteStride"] = json!(4));
    refused("buffer view 0", |file| file.json["bufferViews"][0]["byteLength"] = json!(u64::MAX));
    refused("buffer 0", |file| file.json["buffers"][0]["byteLength"] = json!(1_u64 << 40));
    refused("buffer 1", |file| file.json["bufferViews"][0]["buffer"] = json!(1));
    refused("accessors[0]", |file| file.json["accessors"][0]["count"] = json!(-1));
    refused("sparse index", |file| {
        let (indices, values) = (file.view(&u16s(&[8])), file.view(&f32s(&[0.0; 3])));
        file.json["accessors"][POSITION]["sparse"] = json!({ "count": 1,
            "indices": { "bufferView": indices, "componentType": U16 }, "values": { "bufferView": values } });
    });
}

#[test]
fn trees_and_skins_that_cannot_be_are_refused() {
    refused("two parents", |file| file.json["nodes"][2]["children"] = json!([1]));
    refused("own ancestor", |file| {
        file.json["nodes"][0]["children"] = json!([]);
        file.json["nodes"][2]["children"] = json!([1]);
    });
    refused("has child 9", |file| file.json["nodes"][2]["children"] = json!([9]));
    refused("skin 0: joint 9", |file| file.json["skins"][0]["joints"] = json!([0, 1, 9]));
    refused("twice", |file| file.json["skins"][0]["joints"] = json!([0, 1, 1]));
    refused("3 inverse bind", |file| file.json["skins"][0]["joints"] = json!([0, 1, 2, 3]));
    refused("no inverse", |file| (0..3).for_each(|k| file.set_f32(IBM, 4 + k, 0.0)));
    refused("skin 7", |file| file.json["nodes"][3]["skin"] = json!(7));
    refused("mesh 7", |file| file.json["nodes"][3]["mesh"] = json!(7));
    refused("none of them has a skin", |file| file.json["nodes"][3]["skin"] = Value::Null);
    refused("sheared", |file| {
        file.json["nodes"][2] = json!({ "matrix": [1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] });
    });
    refused("length", |file| file.json["nodes"][2]["rotation"] = json!([0, 0, 0, 0]));
}

#[test]
fn numbers_that_are_none_are_refused() {
    for accessor in [POSITION, NORMAL, WEIGHTS, IBM, TIMES, TURNS, PLACES] {
        for bad in [f32::NAN, f32::INFINITY] {
            refused(&format!("accessor {accessor}: row 0"), |file| file.set_f32(accessor, 0, bad));
        }
    }
    refused("do not ascend", |file| file.set_f32(TIMES, 0, 2.0));
    refused("negative weight", |file| file.set_f32(WEIGHTS, 0, -0.5));
    refused("refers to joint 200", |file| file.replace(JOINTS, &[200; 4 * N_VERTEX], U8, "VEC4"));
    refused("refers to vertex 8", |file| file.replace(INDICES, &u16s(&[0, 1, 8]), U16, "SCALAR"));
}

#[test]
fn shapes_that_are_none_are_refused() {
    refused("meshes[0]", |file| file.json["meshes"][0] = json!(["arm", [], []]));
    refused("channels[0]", |file| file.json["animations"][0]["channels"][0] = json!([0, { "path": "rotation" }]));
    refused("extensions", |file| file.json["extensions"] = json!([]));
    refused("version 3", |file| file.json["asset"]["version"] = json!("3.0"));
    refused("version 2; up to 1", |file| file.json["extensions"] = json!({ "FUSIFORM_musculature": { "version": 2 } }));
    refused("KHR_draco", |file| file.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]));
    refused("not base64", |file| file.json["buffers"][0]["uri"] = json!("data:;base64,???"));
    for uri in ["none.bin", "http://host/a.bin"] {
        refused(uri, |file| file.json["buffers"][0]["uri"] = json!(uri));
    }
    let deep = [b"[".repeat(1 << 16), b"]".repeat(1 << 16)].concat();
    assert!(read(&glb(&deep, &[])).unwrap_err().message.contains("recursion limit"));
}

#[test]
fn a_small_file_that_claims_much_is_refused() {
    refused("more numbers than", |file| {
        let primitive = file.json["meshes"][0]["primitives"][0].clone();
        file.json["accessors"]
            .as_array_mut()
            .unwrap()
            .push(json!({ "componentType": F32, "count": 65536, "type": "VEC3" }));
        let mut large = primitive;
        large["attributes"] = json!({ "POSITION": 9, "NORMAL": 9, "JOINTS_0": JOINTS, "WEIGHTS_0": WEIGHTS });
        large["indices"] = json!(9);
        large["mode"] = json!(0);
        file.json["accessors"]
            .as_array_mut()
            .unwrap()
            .push(json!({ "componentType": U8, "count": 65536, "type": "SCALAR" }));
        large["indices"] = json!(10);
        file.json["meshes"][0]["primitives"] = json!(vec![large; 1000]);
    });
}

#[test]
fn muscles_that_cannot_be_are_refused_at_bind() {
    type Bend = fn(&mut Maker);
    let bends: [(&str, Bend); 3] = [
        ("two muscles", |file| {
            let muscles = &mut file.json["extensions"]["FUSIFORM_musculature"]["muscles"];
            *muscles = json!([muscles[0], muscles[0]]);
        }),
        ("muscle 0, but there are 0", |file| {
            file.json["extensions"]["FUSIFORM_musculature"]["muscles"] = json!([]);
        }),
        ("joint \"tail\"", |file| {
            file.json["extensions"]["FUSIFORM_musculature"]["muscles"][0]["origin"]["joint"] = json!("tail");
        }),
    ];
    for (words, bend) in bends {
        let mut file = Maker::arm_with_muscle();
        bend(&mut file);
        let scene = read(&file.glb()).unwrap();
        let error = Body::bind(&scene.character, &scene.musculature.unwrap()).map(drop).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

/// Rows of an accessor in double precision, straight from the file.
fn rows(file: &Maker, accessor: usize) -> Vec<Vec<f64>> {
    let doc = &file.json["accessors"][accessor];
    let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
    let view = &file.json["bufferViews"][number(&doc["bufferView"])];
    let width = ["SCALAR", "VEC2", "VEC3", "VEC4"].iter().position(|kind| doc["type"] == *kind).map_or(16, |at| at + 1);
    let component = number(&doc["componentType"]) as u32;
    let size = if component == U8 {
        1
    } else if component == U16 || component == 5122 {
        2
    } else {
        4
    };
    let stride = view["byteStride"].as_u64().map_or(size * width, |stride| stride as usize);
    let share = |most: f64| if doc["normalized"] == true { most } else { 1.0 };
    let start = number(&view["byteOffset"]) + number(&doc["byteOffset"]);
    let value = |row: usize, k: usize| {
        let b = &file.bytes[start + row * stride + k * size..];
        match component {
            U8 => f64::from(b[0]) / share(255.0),
            U16 => f64::from(u16::from_le_bytes([b[0], b[1]])) / share(65535.0),
            5122 => f64::from(i16::from_le_bytes([b[0], b[1]])) / share(32767.0),
            U32 => f64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])),
            _ => f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
        }
    };
    (0..number(&doc["count"])).map(|row| (0..width).map(|k| value(row, k)).collect()).collect()
}

/// glTF 2.0, 3.7.3: where the vertices of a node's first primitive stand at rest, but for a turn of one node.
fn posed(file: &Maker, shown: usize, turned: Option<(usize, DQuat)>) -> Vec<DVec3> {
    let nodes = file.json["nodes"].as_array().unwrap();
    let list = |value: &Value| -> Vec<f64> { value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect() };
    let local = |i: usize| {
        let node = &nodes[i];
        if let Some(matrix) = node.get("matrix") {
            return DMat4::from_cols_slice(&list(matrix));
        }
        let vector = |key: &str, default: DVec3| node.get(key).map_or(default, |v| DVec3::from_slice(&list(v)));
        let own = node.get("rotation").map_or(DQuat::IDENTITY, |v| DQuat::from_slice(&list(v)));
        let turn = turned.filter(|(node, _)| *node == i).map_or(own, |(_, turn)| turn);
        DMat4::from_scale_rotation_translation(vector("scale", DVec3::ONE), turn, vector("translation", DVec3::ZERO))
    };
    let parent = |i: usize| nodes.iter().position(|n| n["children"].as_array().is_some_and(|c| c.contains(&json!(i))));
    let world = |i: usize| {
        let mut matrix = local(i);
        let mut at = parent(i);
        while let Some(above) = at {
            matrix = local(above) * matrix;
            at = parent(above);
        }
        matrix
    };
    let index = |value: &Value| value.as_u64().unwrap() as usize;
    let skin = &file.json["skins"][index(&nodes[shown]["skin"])];
    let inverse = skin.get("inverseBindMatrices").map(|accessor| rows(file, index(accessor)));
    let joint: Vec<DMat4> = skin["joints"]
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
        .map(|(k, node)| {
            world(index(node)) * inverse.as_ref().map_or(DMat4::IDENTITY, |rows| DMat4::from_cols_slice(&rows[k]))
        })
        .collect();
    let attributes = &file.json["meshes"][index(&nodes[shown]["mesh"])]["primitives"][0]["attributes"];
    let positions = rows(file, index(&attributes["POSITION"]));
    (0..positions.len())
        .map(|v| {
            let (mut sum, mut total) = (DVec4::ZERO, 0.0);
            for set in 0..2 {
                let Some(accessor) = attributes.get(format!("JOINTS_{set}")) else { continue };
                let weights = &rows(file, index(&attributes[format!("WEIGHTS_{set}")]))[v];
                for (j, w) in rows(file, index(accessor))[v].iter().zip(weights) {
                    sum += joint[*j as usize] * DVec3::from_slice(&positions[v]).extend(1.0) * *w;
                    total += w;
                }
            }
            sum.truncate() / total
        })
        .collect()
}

/// The file's skins, at rest and at the end of its clip (which turns node 2 by the second key), as the formula has them.
#[track_caller]
fn legal(bend: impl FnOnce(&mut Maker)) {
    let mut file = bent(|_| {});
    file.json["animations"][0]["channels"].as_array_mut().unwrap().truncate(1);
    bend(&mut file);
    let scene = read(&file.glb()).unwrap();
    let character = &scene.character;
    for clip in [None, character.clips.first()] {
        let mut pose = Pose::rest(&character.skeleton);
        clip.into_iter().for_each(|clip| clip.sample(1.0, &mut pose));
        let turned = clip.map(|_| (2, DQuat::from_xyzw(f64::from(0.6_f32), 0.0, 0.0, f64::from(0.8_f32)).normalize()));
        let since_bind: Vec<_> = pose
            .model_matrices(&character.skeleton)
            .iter()
            .zip(&character.skeleton.joints)
            .map(|(now, joint)| *now * joint.bind.inverse())
            .collect();
        for part in &scene.origin.parts {
            let mesh = &character.meshes[part.primitives[0].mesh];
            let mut found = mesh.positions.clone();
            skin(&mesh.weights, 0..found.len(), &since_bind, &mut found);
            let wanted = posed(&file, part.node, turned);
            for (found, wanted) in found.iter().zip(wanted) {
                assert!((found.as_dvec3() - wanted * scene.origin.units.metres()).length() < 2e-5, "{found} {wanted}");
            }
        }
    }
}

#[test]
fn legal_files_stand_as_the_formula_says() {
    legal(|_| {});
    legal(|file| file.json["skins"][0] = json!({ "joints": [0, 1, 2] }));
    legal(|file| file.json["animations"][0]["samplers"][0]["interpolation"] = json!("STEP"));
    legal(|file| file.replace(INDICES, &u32s(&[0, 1, 2]), U32, "SCALAR"));
    legal(|file| file.replace(INDICES, &[0, 1, 2], U8, "SCALAR"));
    for mode in [4, 5, 6] {
        legal(|file| file.json["meshes"][0]["primitives"][0]["mode"] = json!(mode));
    }
    legal(|file| {
        file.replace(WEIGHTS, &[128, 127, 0, 0].repeat(N_VERTEX), U8, "VEC4");
        file.json["accessors"][WEIGHTS]["normalized"] = json!(true);
    });
    legal(|file| {
        file.replace(WEIGHTS, &u16s(&[40000, 25535, 0, 0].repeat(N_VERTEX)), U16, "VEC4");
        file.json["accessors"][WEIGHTS]["normalized"] = json!(true);
    });
    // a second set, with sums that are not one
    legal(|file| {
        let (joints, weights) =
            (file.accessor(&[2; 4 * N_VERTEX], U8, "VEC4"), file.accessor(&f32s(&[0.1; 4 * N_VERTEX]), F32, "VEC4"));
        file.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_1"] = json!(joints);
        file.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_1"] = json!(weights);
    });
    // quantised positions, eight bytes apart
    legal(|file| {
        let rows: Vec<u16> = (0..N_VERTEX as u16).flat_map(|v| [v % 2, v / 2 * 500, 3, 0]).collect();
        let view = file.view(&u16s(&rows));
        file.json["bufferViews"][view]["byteStride"] = json!(8);
        file.json["accessors"][POSITION] =
            json!({ "bufferView": view, "componentType": 5122, "count": N_VERTEX, "type": "VEC3" });
    });
    // a node as a matrix, and a mesh under a node whose transform does not count
    legal(|file| {
        file.json["nodes"][0] =
            json!({ "children": [1, 3], "matrix": [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 0.5, 1, 0, 1] });
        file.json["nodes"][3]["scale"] = json!([3, 3, 3]);
    });
    // centimetres
    legal(|file| file.json["nodes"][0]["scale"] = json!([100, 100, 100]));
    // two skins bound in other poses, on a mesh that two nodes show; unnamed, in several scenes
    legal(|file| {
        file.push("skins", json!({ "joints": [2, 1, 0] }));
        file.push("nodes", json!({ "mesh": 0, "skin": 1 }));
        file.push("scenes", json!({ "nodes": [4] }));
        (0..4).for_each(|node| drop(file.json["nodes"][node].as_object_mut().unwrap().remove("name")));
    });
    legal(|file| (0..3).for_each(|node| file.json["nodes"][node]["name"] = json!("same")));
}

/// The arm's clip as cubic keys: the first sampler with as many rows as two keys need, and `more`.
fn cubic(file: &mut Maker, more: isize) {
    let turn = [0.0, 0.0, 0.0, 0.0, 0.6, 0.0, 0.0, 0.8, 0.0, 0.0, 0.0, 0.0].repeat(3);
    let rows = 6_usize.checked_add_signed(more).unwrap();
    file.replace(TURNS, &f32s(&turn[..4 * rows]), F32, "VEC4");
    file.json["animations"][0]["samplers"][0]["interpolation"] = json!("CUBICSPLINE");
}

#[test]
fn cubic_keys_need_three_rows_each() {
    legal(|file| cubic(file, 0));
    for more in [-6, -4, -1, 1, 3] {
        refused("channel 0 of clip \"bend\": it has", |file| cubic(file, more));
    }
    // likewise for the weights of two morph targets, which are read where they are played
    let mut file = Maker::arm_with_morphs();
    for (n_weight, fits) in [(12, true), (4, false), (11, false), (13, false)] {
        let weights = file.accessor(&f32s(&vec![0.5; n_weight]), F32, "SCALAR");
        file.json["animations"][0]["samplers"][2] =
            json!({ "input": TIMES, "output": weights, "interpolation": "CUBICSPLINE" });
        let gltf = Gltf::read(&file.glb(), |_| Err("nothing is beside it".into())).unwrap();
        let played = Playback::read(&gltf, &Scene::read(&gltf).unwrap().origin);
        assert_eq!(played.is_ok(), fits, "{n_weight} weights");
    }
}

#[test]
fn points_and_lines_are_kept_and_left_alone() {
    for mode in 0..4 {
        let mut file = Maker::arm();
        let skin = file.json["meshes"][0]["primitives"][0].clone();
        let mut lines = skin.clone();
        lines["mode"] = json!(mode);
        // before the skin, so that nobody can count on the skin being first
        file.json["meshes"][0]["primitives"] = json!([lines, skin]);
        let mut gltf = Gltf::read(&file.glb(), |_| Err("nothing is beside it".into())).unwrap();
        let Scene { character, origin, warnings, .. } = Scene::read(&gltf).unwrap();
        assert!(warnings.iter().any(|warning| warning.contains("no triangle")), "{warnings:?}");
        assert_eq!((character.vertex_count(), origin.parts[0].primitives[0].index), (N_VERTEX, 1));
        // targets of ours are zeros there: all primitives of a mesh have equally many
        let tracks = vec![(0, WeightTrack::linear(vec![0.0, 1.0], vec![0.0, 1.0]))];
        let positions = vec![Vec3::X; N_VERTEX];
        let morphs = PartMorphs { part: 0, n_target: 1, positions, normals: Vec::new(), tracks };
        gltf.add_morphs(&origin, &morphs).unwrap();
        let primitives = &gltf.json["meshes"][0]["primitives"];
        assert_eq!((&primitives[0]["mode"], &primitives[0]["attributes"]), (&json!(mode), &lines["attributes"]));
        let target = |primitive: usize| {
            let accessor = primitives[primitive]["targets"][0]["POSITION"].as_u64().unwrap() as usize;
            gltf.json["accessors"][accessor].clone()
        };
        assert_eq!((&target(0)["max"], &target(1)["max"]), (&json!([0.0, 0.0, 0.0]), &json!([1.0, 0.0, 0.0])));
        refused("none of them has a skin", |file| file.json["meshes"][0]["primitives"][0]["mode"] = json!(mode));
    }
}

#[test]
fn lengths_of_a_container_that_lie_are_refused() {
    let whole = Maker::arm().glb();
    let json = u32::from_le_bytes(whole[12..16].try_into().unwrap());
    let bin_at = 20 + json as usize;
    let bin = u32::from_le_bytes(whole[bin_at..bin_at + 4].try_into().unwrap());
    let with = |at: usize, word: u32| {
        let mut bytes = whole.clone();
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        read(&bytes)
    };
    let total = whole.len() as u32;
    for length in [0, 11, 12, 20, total - 1, total + 1, u32::MAX] {
        assert_eq!(with(8, length).unwrap_err().place, "container", "the whole of {length}");
    }
    // up to the end of the JSON alone, the buffer is missing
    assert_eq!(with(8, 20 + json).unwrap_err().place, "buffer 0");
    for length in [0, 4, json - 4, json + 4, total, u32::MAX] {
        assert!(with(12, length).is_err(), "JSON of {length}");
    }
    for length in [0, 4, bin - 4, bin + 4, u32::MAX] {
        assert!(with(bin_at, length).is_err(), "binary of {length}");
    }
    assert_eq!(with(16, 0).unwrap_err().message, "it has no JSON");
    // junk after the end that it tells is not its own
    read(&[&whole[..], b"junk!"].concat()).unwrap();
}

#[test]
fn vertices_that_no_joint_holds_go_to_the_skins_first_joint_and_are_told() {
    let file = bent(|file| (0..4 * N_VERTEX).for_each(|k| file.set_f32(WEIGHTS, k, 0.0)));
    let scene = read(&file.glb()).unwrap();
    assert!(scene.warnings.iter().any(|warning| warning.contains("no joint holds 8 vertices")), "{:?}", scene.warnings);
    let weights = &scene.character.meshes[0].weights;
    assert!((0..N_VERTEX).all(|v| weights.of(v).eq([(0, 1.0)])));
    assert!(scene.character.meshes[0].positions.iter().all(|p| p.is_finite()));
}

#[test]
fn notes_beside_the_muscles_are_left_alone_and_slips_within_them_are_refused() {
    let mut file = Maker::arm_with_muscle();
    let plain = read(&file.glb()).unwrap();
    file.json["extensions"]["FUSIFORM_musculature"]["author"] = json!({ "name": "somebody" });
    file.json["extensions"]["FUSIFORM_musculature"]["extras"] = json!([1, 2]);
    let noted = read(&file.glb()).unwrap();
    assert_eq!(noted.musculature, plain.musculature);
    assert_eq!(noted.warnings.len(), plain.warnings.len() + 1, "{:?}", noted.warnings);
    assert!(noted.warnings.iter().any(|warning| warning.contains("\"author\"")), "{:?}", noted.warnings);
    for (place, slip) in [
        ("muscles[0].profil", "/muscles/0/profil"),
        ("muscles[0].origin.pont", "/muscles/0/origin/pont"),
        ("muscles[0].dynamics", "/muscles/0/dynamics/mas"),
        ("layers[0]", "/layers/0/neares"),
    ] {
        let mut file = Maker::arm_with_muscle();
        let (parent, name) = slip.rsplit_once('/').unwrap();
        let parent = format!("/extensions/FUSIFORM_musculature{parent}");
        file.json.pointer_mut(&parent).unwrap()[name] = json!(1.0);
        let error = read(&file.glb()).unwrap_err();
        assert!(error.place.ends_with(place) && error.message.contains(name), "{error}");
    }
}

#[test]
fn a_byte_order_mark_is_read_over() {
    let mut json = Maker::arm().json;
    json["buffers"][0]["byteLength"] = json!(Maker::arm().bytes.len());
    let text = [b"\xef\xbb\xbf", json.to_string().as_bytes()].concat();
    read(&glb(&text, &Maker::arm().bytes)).unwrap();
}
