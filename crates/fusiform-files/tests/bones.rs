//! Bones by the name of a node: their meshes are read from the file that the muscles are in.

#![allow(clippy::unwrap_used)] // what a test makes itself is there

mod maker;

use fusiform::Body;
use fusiform::musculature::{Bone, BoneShape, Layer};
use fusiform_files::FileError;
use fusiform_files::gltf::{Gltf, Scene};
use glam::Vec3;
use maker::*;
use serde_json::json;

/// A tetrahedron of that size about its own origin, every face with corners of its own, hung below node 2 (`lower`).
fn with_bone(n_face: usize) -> Maker {
    let mut file = Maker::arm_with_muscle();
    let corner = [[1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0]];
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let positions: Vec<f32> = faces[..n_face].iter().flatten().flat_map(|&c: &usize| corner[c]).collect();
    let position = file.accessor(&f32s(&positions), F32, "VEC3");
    let mesh = file.push("meshes", json!({ "primitives": [{ "attributes": { "POSITION": position } }] }));
    let node = json!({ "name": "Ulna", "mesh": mesh, "translation": [0.0, 0.3, 0.1], "scale": [0.02, 0.02, 0.02] });
    let node = file.push("nodes", node);
    file.json["nodes"][2]["children"] = json!([node]);
    file
}

fn gltf(file: &Maker) -> Gltf {
    Gltf::read(&file.glb(), |_| Err("nothing is beside it".into())).unwrap()
}

fn bone(file: &Maker, name: &str) -> Result<Bone, FileError> {
    let gltf = gltf(file);
    let scene = Scene::read(&gltf).unwrap();
    gltf.bone_of_node(&scene.character.skeleton, &scene.origin, name)
}

#[test]
fn the_mesh_of_a_node_is_a_bone_of_the_joint_above_it() {
    let Bone { name, joint, shape } = bone(&with_bone(4), "Ulna").unwrap();
    assert_eq!((name.as_str(), joint.as_str()), ("Ulna", "lower"));
    let BoneShape::Mesh { node, positions, triangles } = shape else { panic!("{shape:?}") };
    assert_eq!((node.as_str(), positions.len(), triangles.len()), ("Ulna", 12, 4));
    assert!(positions[0].distance(Vec3::new(0.02, 0.32, 0.12)) < 1e-6, "{}", positions[0]);
}

#[test]
fn a_bone_comes_back_from_a_file_that_only_names_it() {
    let mut gltf = gltf(&with_bone(4));
    let Scene { character, musculature, origin, .. } = Scene::read(&gltf).unwrap();
    let mut musculature = musculature.unwrap();
    musculature.bones.push(gltf.bone_of_node(&character.skeleton, &origin, "Ulna").unwrap());
    musculature.layers.push(Layer::slide());
    gltf.set_musculature(&origin, &musculature);
    let text = String::from_utf8(gltf.to_gltf()).unwrap();
    let written: serde_json::Value = serde_json::from_str(&text).unwrap();
    let shape = &written["extensions"]["FUSIFORM_musculature"]["bones"][0]["shape"];
    assert_eq!(*shape, json!({ "kind": "mesh", "node": "Ulna" }));
    let again = Scene::read(&Gltf::read(&gltf.to_glb().unwrap(), |_| Err(String::new())).unwrap()).unwrap();
    assert_eq!(again.musculature.as_ref(), Some(&musculature));
    Body::bind(&again.character, &musculature).unwrap();
}

#[test]
fn a_node_that_is_no_bone_is_refused_by_name() {
    let refused = |file: &Maker, name: &str, words: &str| {
        let error = bone(file, name).unwrap_err();
        assert!(error.to_string().contains(name) && error.to_string().contains(words), "{error}");
        assert!(!error.cure.is_empty());
    };
    refused(&with_bone(4), "Ulnar", "no node of that name");
    refused(&with_bone(4), "lower", "no mesh");
    refused(&with_bone(4), "skin", "moves with a skin");
    let mut loose = with_bone(4);
    loose.json["nodes"][2].as_object_mut().unwrap().remove("children");
    refused(&loose, "Ulna", "no joint is above it");
}

#[test]
fn a_bone_with_a_hole_is_refused_when_it_is_bound() {
    let file = with_bone(3);
    let Scene { character, musculature, .. } = Scene::read(&gltf(&file)).unwrap();
    let mut musculature = musculature.unwrap();
    musculature.bones.push(bone(&file, "Ulna").unwrap());
    let error = Body::bind(&character, &musculature).unwrap_err();
    assert!(error.to_string().contains("\"Ulna\" is not closed: 3 of its edges"), "{error}");
}
