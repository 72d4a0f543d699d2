//! Pictures of a laboratory's motion and muscles on the athlete, or on another character:
//! `laboratory FOLDER MODEL.osim [CHARACTER.glb] [MARKERS.trc TIME..]`.

use fusiform::body::{belly_triangles, rest_bellies};
use fusiform::{Character, Clip, Muscle};
use fusiform_drive::{laboratory, markers_to_coordinates, posed, register};
use fusiform_files::gltf::{Gltf, Scene as Scene3d};
use fusiform_files::{osim, trc};
use fusiform_fit::retarget::{Rig, retarget};
use fusiform_fit::{FAT, Preset, Roles, sort_meshes};
use fusiform_picture::{Camera, Picture, Quality, Scene, Surface, View, beside, render};
use glam::Vec3;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let other = arguments.iter().position(|argument| argument.ends_with(".glb")).map(|i| arguments.remove(i));
    let [folder, model, ..] = &arguments[..] else {
        return Err("laboratory FOLDER MODEL.osim [CHARACTER.glb] [MARKERS.trc TIME..]".into());
    };
    std::fs::create_dir_all(folder)?;
    let model = osim::read(&std::fs::read(model)?)?.model;
    let character = match other {
        Some(file) => {
            Scene3d::read(&Gltf::read(&std::fs::read(file)?, |_| Err("nothing is beside it".into()))?)?.character
        }
        None => fusiform_athlete::athlete_with(12_000, |_| ())?.character,
    };
    let roles = Roles::find(&character.skeleton).roles;
    if let Some(markers) = arguments.get(2) {
        let tracked = markers_to_coordinates(&model, &trc::read(&std::fs::read(markers)?)?.capture, |_| 1.0)?;
        println!("{:.1} mm between markers; {:?}", 1e3 * tracked.rms(), tracked.warnings);
        let person = laboratory(&model, &tracked.coordinates, "laboratory")?;
        let source = Rig { skeleton: &person.skeleton, roles: person.roles.clone() };
        let made = retarget(&source, &person.clip, &Rig::by_names(&character.skeleton), None)?;
        println!("scale {:.3}; {:?}", made.scale, made.warnings);
        let mut row = Vec::new();
        for time in &arguments[3..] {
            let skin = skinned(&character, &made.clip, time.parse()?);
            row.push(skin_shot(&character, skin.clone(), View::Left)?);
            row.push(skin_shot(&character, skin, View::Front)?);
        }
        std::fs::write(format!("{folder}/walk.png"), beside(&row)?.png()?)?;
        return Ok(());
    }
    let registered =
        register(&model, &character, &sort_meshes(&character), &roles, Preset::Pratscher, FAT * character.height())?;
    println!("{} muscles; {:?}", registered.muscles.len(), registered.warnings);
    let views = [View::Front, View::Left, View::Back, View::ThreeQuarter];
    let row: Result<Vec<Picture>, _> =
        views.into_iter().map(|view| flesh_shot(&character, &registered.muscles, view)).collect();
    std::fs::write(format!("{folder}/muscles.png"), beside(&row?)?.png()?)?;
    Ok(())
}

/// Linear blend skinning of the first mesh.
fn skinned(character: &Character, clip: &Clip, time: f32) -> Vec<Vec3> {
    let pose = posed(&character.skeleton, clip, time);
    let joints = character.skeleton.joints.iter();
    let matrices: Vec<_> = pose.into_iter().zip(joints).map(|(now, joint)| now * joint.bind.inverse()).collect();
    let mesh = &character.meshes[0];
    let place = |(v, &p): (usize, &Vec3)| {
        mesh.weights.of(v).map(|(j, w)| matrices[usize::from(j)].transform_point3(p) * w).sum()
    };
    mesh.positions.iter().enumerate().map(place).collect()
}

fn skin_shot(character: &Character, skin: Vec<Vec3>, view: View) -> Result<Picture, Box<dyn Error>> {
    let (low, high) = skin.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), &p| (low.min(p), high.max(p)));
    let mut scene = Scene::new(vec![Surface::new("skin", skin, character.meshes[0].triangles.clone())]);
    scene.ground = Some(0.0);
    Ok(render(&scene, &Camera::framing(low, high, view), 400, 700, Quality::draft())?)
}

/// Bellies at rest under a veil of skin.
fn flesh_shot(character: &Character, muscles: &[Muscle], view: View) -> Result<Picture, Box<dyn Error>> {
    let bellies = rest_bellies(&character.skeleton, muscles)?;
    let belly = |(muscle, belly): (&Muscle, fusiform::body::RestBelly)| {
        let triangles = belly_triangles(usize::from(muscle.rings), usize::from(muscle.sectors));
        Surface::new(muscle.name.as_str(), belly.points, triangles).flesh()
    };
    let mut surfaces: Vec<Surface> = muscles.iter().zip(bellies).map(belly).collect();
    let mesh = &character.meshes[0];
    surfaces.push(Surface::new("skin", mesh.positions.clone(), mesh.triangles.clone()).translucent(0.25));
    let (low, high) = character.bounds();
    Ok(render(&Scene::new(surfaces), &Camera::framing(low, high, view), 600, 900, Quality::draft())?)
}
