//! Write the athlete with its muscles as a .glb: `cargo run --release -p fusiform-athlete --example rigged -- 6000 OUT.glb`.

use fusiform_files::gltf::{Gltf, Scene};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [vertices, output] = arguments.as_slice() else { return Err("give a count of vertices and OUT.glb".into()) };
    let athlete = fusiform_athlete::athlete_with(vertices.parse()?, |_| {})?;
    let mut file = Gltf::from_character(&athlete.character);
    let origin = Scene::read(&file)?.origin;
    file.set_musculature(&origin, &athlete.musculature);
    Ok(std::fs::write(output, file.to_glb()?)?)
}
