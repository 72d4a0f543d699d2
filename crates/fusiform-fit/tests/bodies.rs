//! Real bodies, where they are: muscles lie in them, follow their sculpt, and mirror.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use fusiform::Character;
use fusiform::body::{RestBelly, belly_triangles, rest_bellies};
use fusiform_files::gltf::{Gltf, Scene};
use fusiform_fit::{FAT, Preset, Rigged, Roles, Surface, Template, Toward, Wear, rig, sort_meshes};
use glam::Vec3;
use std::io::Write as _;
use std::path::Path;

/// The adult bodies of the shared data: an average man, the same leaner and softer, an average woman.
const HUMANS: [&str; 4] = ["human_male", "human_male_maxmuscle", "human_male_minmuscle", "human_female"];

struct Rig {
    character: Character,
    rigged: Rigged,
    bellies: Vec<RestBelly>,
    surface: Surface,
}

/// A body of the shared data with its muscles; nothing, said aloud, where the data is not.
fn human(name: &str) -> Option<Rig> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/gltf").join(format!("{name}.glb"));
    let Ok(bytes) = std::fs::read(&path) else {
        _ = writeln!(std::io::stderr(), "SKIPPED: there is no {}", path.display());
        return None;
    };
    let gltf = Gltf::read(&bytes, |_| Err("nothing is beside it".into())).unwrap();
    let character = Scene::read(&gltf).unwrap().character;
    let wear = sort_meshes(&character);
    let roles = Roles::find(&character.skeleton).roles;
    let fat = FAT * character.height();
    let rigged = rig(&character, &wear, &roles, &Template::humanoid(), Preset::Lee, fat, |_| Ok(())).unwrap();
    let bellies = rest_bellies(&character.skeleton, &rigged.musculature.muscles).unwrap();
    let body = character.meshes.iter().zip(&wear).filter(|(_, wear)| **wear == Wear::Body);
    let surface = Surface::new(body.map(|(mesh, _)| mesh)).unwrap();
    Some(Rig { character, rigged, bellies, surface })
}

fn volume(belly: &RestBelly) -> f32 {
    let sectors = belly.points.len() / belly.rings.len();
    let corners = belly_triangles(belly.rings.len(), sectors).into_iter().map(|t| t.map(|i| belly.points[i as usize]));
    corners.map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
}

/// Metres from each vertex of the belly's outer half to the skin. Where it is thinner than a third of its thickest part it
/// is tendon, and belongs to neither half.
fn gaps(belly: &RestBelly, surface: &Surface) -> Vec<f32> {
    let sectors = belly.points.len() / belly.rings.len();
    let thickest = belly.rings.iter().map(|ring| ring.half_axes.max_element()).fold(0.0, f32::max);
    let fleshy = belly.rings.iter().enumerate().filter(|(_, ring)| ring.half_axes.max_element() > thickest / 3.0);
    let outer = fleshy.flat_map(|(i, ring)| {
        let points = &belly.points[i * sectors..(i + 1) * sectors];
        points.iter().filter(|p| (**p - ring.center).dot(ring.b) > 0.0)
    });
    outer.map(|&p| surface.depth(p)).collect()
}

fn median(mut values: Vec<f32>) -> f32 {
    values.sort_by(f32::total_cmp);
    values[values.len() / 2]
}

#[test]
fn every_belly_lies_in_its_body() {
    for name in HUMANS {
        let Some(Rig { rigged, .. }) = human(name) else { return };
        let (inside, worst) = (rigged.inside.fraction, rigged.inside.worst());
        println!("{name}: {} muscles, {inside} inside, worst {worst} m", rigged.musculature.muscles.len());
        assert!(rigged.musculature.muscles.len() >= 64 && inside >= 0.995 && worst <= 1e-3);
    }
}

#[test]
fn left_and_right_are_mirror_images() {
    for name in HUMANS {
        let Some(Rig { character, rigged, bellies, .. }) = human(name) else { return };
        let mirror = |p: Vec3| Vec3::new(-p.x, p.y, p.z);
        let muscles = &rigged.musculature.muscles;
        let mut worst = (0.0, "");
        for (muscle, belly) in muscles.iter().zip(&bellies) {
            let Some(stem) = muscle.name.strip_suffix(".l") else { continue };
            let twin = rigged.musculature.find(&format!("{stem}.r")).unwrap();
            let apart = belly.rings.iter().zip(&bellies[twin].rings).map(|(l, r)| mirror(l.center).distance(r.center));
            let apart = apart.fold(0.0, f32::max);
            if apart > worst.0 {
                worst = (apart, muscle.name.as_str());
            }
        }
        println!("{name}: {} differs most from its twin, by {:.2} mm", worst.1, worst.0 * 1e3);
        assert!(worst.0 < 0.01 * character.height());
    }
}

#[test]
fn superficial_bellies_lie_a_layer_of_fat_below_the_skin() {
    for name in HUMANS {
        let Some(Rig { rigged, bellies, surface, .. }) = human(name) else { return };
        let mut all = Vec::new();
        for ((muscle, belly), _) in rigged
            .musculature
            .muscles
            .iter()
            .zip(&bellies)
            .zip(&rigged.toward)
            .filter(|(_, toward)| **toward == Toward::Outward)
        {
            let gap = median(gaps(belly, &surface));
            println!("{name} {}: {:.2} mm", muscle.name, gap * 1e3);
            all.push((gap - rigged.fat).abs());
        }
        let beyond = all.iter().filter(|off| **off > 2e-3).count();
        let worst = all.iter().fold(0.0, |worst: f32, &off| worst.max(off));
        println!(
            "{name}: fat {:.2} mm; {beyond} of {} beyond 2 mm, worst {:.2} mm off, median {:.2} mm off",
            rigged.fat * 1e3,
            all.len(),
            worst * 1e3,
            median(all.clone()) * 1e3
        );
        // one teres major misses by 2.2 mm, one lower trapezius of the most muscular man by 3.6 mm
        assert!(beyond <= 2 && worst < 4e-3 && median(all) < 1e-3);
    }
}

#[test]
fn volumes_differ_where_the_sculpts_do() {
    let [Some(mean), Some(lean), Some(soft)] = [HUMANS[0], HUMANS[1], HUMANS[2]].map(human) else { return };
    println!("{:34} {:>8} {:>8} {:>8}  cm3", "muscle", "average", "lean", "soft");
    let mut moved = 0;
    for (m, muscle) in mean.rigged.musculature.muscles.iter().enumerate().filter(|(_, m)| !m.name.ends_with(".r")) {
        let [a, b, c] = [&mean, &lean, &soft].map(|body| volume(&body.bellies[m]) * 1e6);
        println!("{:34} {a:8.1} {b:8.1} {c:8.1}", muscle.name);
        moved += usize::from((b - a).abs() > 0.02 * a || (c - a).abs() > 0.02 * a);
    }
    println!("{moved} differ by more than 2 %");
    assert!(moved > 30);
}
