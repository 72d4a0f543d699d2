//! Pictures of the athlete: `look FOLDER [VERTICES] [CLIP TIME..]`.
//!
//! Without a clip the rest pose from four sides; with one, three sides of every time, by plain linear blend skinning.

use fusiform::body::{RestBelly, belly_triangles, rest_bellies};
use fusiform::{Character, Muscle, Pose};
use fusiform_athlete::Athlete;
use fusiform_picture::{Camera, Picture, Quality, Scene, Surface, View, render};
use glam::Vec3;
use std::error::Error;

/// What is looked at from near: name, low and high corner.
const CLOSE: [(&str, [f32; 3], [f32; 3]); 4] = [
    ("trunk", [-0.3, 0.95, -0.15], [0.3, 1.60, 0.15]),
    ("legs", [-0.2, 0.0, -0.15], [0.2, 1.02, 0.15]),
    ("head", [-0.1, 1.47, -0.1], [0.1, 1.82, 0.1]),
    ("arm", [0.25, 0.9, -0.1], [0.72, 1.45, 0.1]),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().ok_or("look FOLDER [VERTICES] [CLIP TIME..]")?;
    let vertices = arguments.get(1).map_or(Ok(20_000), |n| n.parse())?;
    std::fs::create_dir_all(folder)?;
    let start = std::time::Instant::now();
    let athlete = fusiform_athlete::athlete(vertices)?;
    let mesh = &athlete.character.meshes[0];
    println!(
        "{} vertices, {} triangles, Euler {} in {:.2?}",
        mesh.positions.len(),
        mesh.triangles.len(),
        mesh.positions.len() as i64 - mesh.triangles.len() as i64 / 2,
        start.elapsed()
    );
    match arguments.get(2) {
        None => {
            let box_ = (Vec3::new(-0.69, 0.0, -0.2), Vec3::new(0.69, 1.82, 0.2));
            let views = [View::Front, View::Left, View::Back, View::ThreeQuarter];
            let row = views.map(|view| shot(&athlete.character, &mesh.positions, view, box_, [760, 1000]));
            save(&format!("{folder}/rest.png"), &row)?;
            let row = views.map(|view| flesh(&athlete, view, box_, [760, 1000]));
            save(&format!("{folder}/muscles.png"), &row)?;
            for (name, low, high) in CLOSE {
                let box_ = (Vec3::from_array(low), Vec3::from_array(high));
                let views = [View::Front, View::ThreeQuarter, View::Left, View::ThreeQuarterBack];
                let row = views.map(|view| shot(&athlete.character, &mesh.positions, view, box_, [600, 800]));
                save(&format!("{folder}/{name}.png"), &row)?;
                let row =
                    [View::Front, View::ThreeQuarter, View::Back].map(|view| flesh(&athlete, view, box_, [600, 700]));
                save(&format!("{folder}/{name}_muscles.png"), &row)?;
            }
            Ok(())
        }
        Some(name) => {
            let clip = athlete.character.clip(name).ok_or("no such clip")?;
            let mut row = Vec::new();
            for time in &arguments[3..] {
                let mut pose = Pose::rest(&athlete.character.skeleton);
                clip.sample(time.parse()?, &mut pose);
                let skin = skinned(&athlete.character, &pose);
                let box_ = skin.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), &p| (low.min(p), high.max(p)));
                for view in [View::ThreeQuarter, View::Left] {
                    row.push(shot(&athlete.character, &skin, view, box_, [500, 700]));
                }
            }
            save(&format!("{folder}/{name}.png"), &row)
        }
    }
}

/// Linear blend skinning.
fn skinned(character: &Character, pose: &Pose) -> Vec<Vec3> {
    let matrices: Vec<_> = pose
        .model_matrices(&character.skeleton)
        .into_iter()
        .zip(&character.skeleton.joints)
        .map(|(model, joint)| model * joint.bind.inverse())
        .collect();
    let mesh = &character.meshes[0];
    let place =
        |(v, &p): (usize, &Vec3)| mesh.weights.of(v).map(|(j, w)| matrices[j as usize].transform_point3(p) * w).sum();
    mesh.positions.iter().enumerate().map(place).collect()
}

fn shot(character: &Character, skin: &[Vec3], view: View, (low, high): (Vec3, Vec3), [w, h]: [u32; 2]) -> Picture {
    let surface = Surface::new("skin", skin.to_vec(), character.meshes[0].triangles.clone());
    let mut scene = Scene::new(vec![surface]);
    scene.ground = Some(0.0);
    render(&scene, &Camera::framing(low, high, view), w, h, Quality::draft())
        .unwrap_or_else(|error| panic!("the athlete cannot be drawn: {error}"))
}

/// Bellies at rest under a veil of skin.
fn flesh(athlete: &Athlete, view: View, (low, high): (Vec3, Vec3), [w, h]: [u32; 2]) -> Picture {
    let muscles = &athlete.musculature.muscles;
    let bellies = rest_bellies(&athlete.character.skeleton, muscles).unwrap_or_default();
    let belly = |(muscle, belly): (&Muscle, RestBelly)| {
        let triangles = belly_triangles(usize::from(muscle.rings), usize::from(muscle.sectors));
        Surface::new(muscle.name.as_str(), belly.points, triangles).flesh()
    };
    let mut surfaces: Vec<Surface> = muscles.iter().zip(bellies).map(belly).collect();
    let mesh = &athlete.character.meshes[0];
    surfaces.push(Surface::new("skin", mesh.positions.clone(), mesh.triangles.clone()).translucent(0.25));
    render(&Scene::new(surfaces), &Camera::framing(low, high, view), w, h, Quality::draft())
        .unwrap_or_else(|error| panic!("the muscles cannot be drawn: {error}"))
}

fn save(path: &str, row: &[Picture]) -> Result<(), Box<dyn Error>> {
    let mut sheet = Picture::filled(row.iter().map(|p| p.width).sum(), row[0].height, [0; 3]);
    let line = sheet.width as usize * 3;
    let mut left = 0;
    for picture in row {
        let w = picture.width as usize * 3;
        for (y, pixels) in picture.pixels.chunks_exact(w).enumerate() {
            sheet.pixels[y * line + left..][..w].copy_from_slice(pixels);
        }
        left += w;
    }
    println!("{path}");
    Ok(std::fs::write(path, sheet.png()?)?)
}
