//! Read a .glb or .gltf and write it unchanged as a .glb: `cargo run -p fusiform-files --example copy -- IN OUT.glb`.
//!
//! A validator that finds more in OUT than in IN has found a fault of ours.

use fusiform_files::gltf::{Gltf, read_beside};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output] = arguments.as_slice() else { return Err("give IN and OUT.glb".into()) };
    let beside = read_beside(Path::new(input).parent().unwrap_or(Path::new(".")));
    let file = Gltf::read(&std::fs::read(input)?, beside)?;
    Ok(std::fs::write(output, file.to_glb()?)?)
}
