//! One mesh that two nodes show, each with a skin of its own: two meshes of the character.

#![allow(clippy::unwrap_used)] // what a test makes itself is there

mod maker;

use fusiform::SparseWeights;
use fusiform_files::gltf::{Gltf, Scene};
use maker::*;
use serde_json::json;

fn shown_twice() -> Gltf {
    let mut file = Maker::arm_with_muscle();
    let skin = file.push("skins", json!({ "joints": [2, 1, 0] }));
    let node = file.push("nodes", json!({ "mesh": 0, "skin": skin }));
    file.json["scenes"][0]["nodes"].as_array_mut().unwrap().push(json!(node));
    Gltf::read(&file.glb(), |_| Err("nothing is beside it".into())).unwrap()
}

/// The one muscle weighs that on every vertex.
fn all(weight: f32) -> SparseWeights {
    let mut weights = SparseWeights::default();
    (0..N_VERTEX).for_each(|_| weights.push_vertex([(0, weight)]));
    weights
}

#[test]
fn muscles_weigh_on_each_as_they_were_given() {
    for (given, n_mesh) in [([0.25, 0.75], 2), ([0.5, 0.5], 1)] {
        let mut gltf = shown_twice();
        let Scene { character, musculature, origin, .. } = Scene::read(&gltf).unwrap();
        let mut musculature = musculature.unwrap();
        musculature.weights = given.map(all).to_vec();
        gltf.set_musculature(&origin, &musculature);
        assert_eq!(gltf.json["meshes"].as_array().unwrap().len(), n_mesh, "a copy only where it is needed");
        let again = Scene::read(&Gltf::read(&gltf.to_glb().unwrap(), |_| Err(String::new())).unwrap()).unwrap();
        assert_eq!(again.musculature.as_ref(), Some(&musculature));
        let places = |of: &fusiform::Character| of.meshes.iter().map(|mesh| mesh.positions.clone()).collect::<Vec<_>>();
        assert_eq!(places(&again.character), places(&character));
    }
}
