//! Files that break a rule are refused where they break it; legal ones stand as the glTF formula says.

#![allow(clippy::unwrap_used)] // what a test makes itself is there

mod maker;

use fusiform::{Body, Pose};
use fusiform_files::FileError;
use fusiform_files::gltf::{Gltf, Scene, skin};
use glam::{DMat4, DQuat, DVec3, DVec4};
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
fn a_file_beside_is_read_by_its_decoded_name_and_never_from_elsewhere() {
    let folder = std::env::temp_dir().join(format!("fusiform-beside-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("in")).unwrap();
    std::fs::write(folder.join("in/a b.bin"), b"x").unwrap();
    std::fs::write(folder.join("secret"), b"y").unwrap();
    let inside = folder.join("in");
    let beside = fusiform_files::gltf::read_beside(&inside);
    assert_eq!(beside("a%20b.bin").unwrap(), b"x");
    for elsewhere in ["../secret", "%2e%2e/secret", "/dev/null", "http://host/a", "."] {
        assert!(beside(elsewhere).is_err(), "{elsewhere}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
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

#[test]
fn a_byte_order_mark_is_read_over() {
    let mut json = Maker::arm().json;
    json["buffers"][0]["byteLength"] = json!(Maker::arm().bytes.len());
    let text = [b"\xef\xbb\xbf", json.to_string().as_bytes()].concat();
    read(&glb(&text, &Maker::arm().bytes)).unwrap();
}

#[test]
fn images_beside_a_file_can_be_brought_along_and_those_that_are_not_there_are_told() {
    let bytes = br#"{"asset": {"version": "2.0"}, "images": [{"uri": "skin.png"}, {"uri": "gone.jpg"}]}"#;
    let mut file = Gltf::read(bytes, |_| Err("no buffers".into())).unwrap();
    let beside = |uri: &str| if uri == "skin.png" { Ok(vec![1, 2, 3]) } else { Err("it is not there".into()) };
    let lost = file.embed_images(beside);
    assert!(lost.len() == 1 && lost[0].contains("gone.jpg"), "{lost:?}");
    assert_eq!((&file.json["images"][0]["mimeType"], &file.bytes[..]), (&"image/png".into(), &[1, 2, 3][..]));
    assert_eq!(file.json["images"][1]["uri"], "gone.jpg");
}
