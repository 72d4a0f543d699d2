//! A laboratory's muscles in a character.

mod common;

use common::{athlete, osim, shared, walker};
use fusiform::body::rest_bellies;
use fusiform::musculature::{Path, Profile};
use fusiform::{Body, Character, Musculature};
use fusiform_drive::{RegisterError, Registered, SPECIFIC_TENSION, register};
use fusiform_fit::{FAT, Inside, Preset, Roles, Surface, Wear, sort_meshes};
use fusiform_motion::model::Model;
use fusiform_motion::path::{PathState, Paths};
use fusiform_motion::system::{Posture, System};
use glam::Vec3;

fn registered(model: &Model, character: &Character, preset: Preset) -> Registered {
    let roles = Roles::find(&character.skeleton).roles;
    let fat = FAT * character.height();
    register(model, character, &sort_meshes(character), &roles, preset, fat).expect("it has these parts")
}

/// Corners of a muscle's path in the bind pose.
fn corners(character: &Character, muscle: &fusiform::Muscle) -> Vec<Vec3> {
    let Path::Polyline { via, .. } = &muscle.path else { panic!("{} is no polyline", muscle.name) };
    let all = std::iter::once(&muscle.origin).chain(via).chain([&muscle.insertion]);
    let skeleton = &character.skeleton;
    all.map(|at| skeleton.joints[skeleton.find(&at.joint).expect("a joint")].bind.transform_point3(at.point)).collect()
}

/// What holds of every registration.
fn check(model: &Model, character: &Character, found: &Registered) {
    let n = found.muscles.len();
    assert_eq!((n, n), (found.strengths.len(), found.lengths.len()));
    assert_eq!(n + found.left_out.len(), model.muscles.len());
    let wear = sort_meshes(character);
    let body = character.meshes.iter().zip(&wear).filter(|(_, wear)| **wear == Wear::Body).map(|(mesh, _)| mesh);
    let surface = Surface::of_parts(body).expect("a skin");
    let inside = Inside::measure(&character.skeleton, &found.muscles, &surface).expect("they are sound");
    println!(
        "{}: {n} of {} muscles, {:.2} % inside, worst {:.1} mm",
        character.name,
        model.muscles.len(),
        100.0 * inside.fraction,
        1e3 * inside.worst()
    );
    assert!(inside.fraction > 0.95, "{}", inside.fraction);
    let bellies = rest_bellies(&character.skeleton, &found.muscles).expect("they are sound");
    assert!(bellies.iter().all(|belly| belly.points.iter().all(|p| p.is_finite())));
    // the model's own lengths, all scaled as one
    let system = System::new(model).expect("it runs");
    let (mut posture, mut state) = (Posture::default(), PathState::default());
    system.pose(&system.default, &mut posture);
    Paths::new(model, &system).expect("paths").pull(&system, &posture, &mut state);
    let left_in = |name: &String| !found.left_out.contains(name);
    let own = model.muscles.iter().zip(&state.length).filter(|(muscle, _)| left_in(&muscle.name));
    let mut ratios: Vec<f64> = own.zip(&found.lengths).map(|((_, own), here)| here / own).collect();
    ratios.sort_by(f64::total_cmp);
    let size = ratios[n / 2];
    println!("{size:.3} times the model, from {:.3} to {:.3}", ratios[0], ratios[n - 1]);
    assert!(ratios[0] > 0.7 * size && ratios[n - 1] < 1.3 * size);
    let (mut off, mut name) = (0.0_f64, "");
    for (muscle, wanted) in found.muscles.iter().zip(&found.lengths) {
        let path = corners(character, muscle);
        let length: f32 = path.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let own = (f64::from(length) / wanted - 1.0).abs();
        if own > off {
            (off, name) = (own, &muscle.name);
        }
    }
    println!("lengths within {:.1} % of the model's, scaled: {name}", 100.0 * off);
    assert!(off < 0.3, "{name} is {off} off");
    let layers = Preset::Pratscher.layers();
    let musculature = Musculature {
        muscles: found.muscles.clone(),
        layers,
        weights: found.weights.clone(),
        ..Musculature::default()
    };
    Body::bind(character, &musculature).expect("they move the skin");
    let weighed: usize = found.weights.iter().map(|mesh| mesh.index.len()).sum();
    assert!(weighed > 100, "{weighed} weights on the skin");
}

/// m: how far the left is from the mirror image of the right, at most over all muscles and on the mean.
fn asymmetry(character: &Character, found: &Registered) -> (f32, f32) {
    let mean = |muscle: &fusiform::Muscle| {
        let path = corners(character, muscle);
        [path[0], path[path.len() - 1]]
    };
    let mut all = Vec::new();
    for right in found.muscles.iter().filter(|muscle| muscle.name.ends_with(".r")) {
        let twin = format!("{}.l", right.name.trim_end_matches(".r"));
        let left = found.muscles.iter().find(|muscle| muscle.name == twin).expect("a twin");
        let flip = |p: Vec3| Vec3::new(-p.x, p.y, p.z);
        all.extend(mean(right).into_iter().zip(mean(left)).map(|(r, l)| flip(r).distance(l)));
    }
    (all.iter().copied().fold(0.0, f32::max), all.iter().sum::<f32>() / all.len() as f32)
}

#[test]
fn muscles_of_a_few_bones_lie_on_the_athletes_thighs() {
    let model = walker();
    for preset in Preset::ALL {
        let found = registered(&model, athlete(), preset);
        check(&model, athlete(), &found);
        assert_eq!(found.muscles[0].name, "osim_vastus.r");
        assert_eq!(found.strengths, [2000.0; 2]);
        assert!(asymmetry(athlete(), &found).0 < 0.01);
        let skeleton = &athlete().skeleton;
        let hip = Vec3::from(skeleton.joints[skeleton.find("upper_leg.r").expect("a hip")].bind.translation);
        let knee = Vec3::from(skeleton.joints[skeleton.find("lower_leg.r").expect("a knee")].bind.translation);
        let origin = corners(athlete(), &found.muscles[0])[0];
        // 0.15 m of 0.42 m down the thigh, before the bone
        let along = (origin - hip).dot(knee - hip) / (knee - hip).length_squared();
        assert!((along - 0.15 / 0.42).abs() < 0.03, "{along}");
        assert!(origin.z > hip.lerp(knee, along).z, "it lies in front");
        // V = F / σ l₀, l₀ to scale: π w h l m of an ellipsoid
        if let (Profile::Ellipsoid { width, height }, Path::Polyline { tendons, .. }) =
            (&found.muscles[0].profile, &found.muscles[0].path)
        {
            let path = corners(athlete(), &found.muscles[0]);
            let length: f32 = path.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            let volume = 2.0 / 3.0 * std::f32::consts::PI * width * height * (length - tendons[0] - tendons[1]);
            let scale = found.lengths[0] as f32 / 0.35; // 0.23 m on the thigh, 0.12 m over the knee
            let wanted = 2000.0 / SPECIFIC_TENSION as f32 * 0.09 * scale;
            assert!((volume / wanted - 1.0).abs() < 0.05, "{volume} for {wanted}");
        }
    }
}

#[test]
fn a_model_of_other_parts_is_turned_away() {
    let mut model = walker();
    for body in &mut model.bodies {
        body.name = format!("{}x", body.name.replace(['e', 'o', 'a', 'i'], ""));
    }
    for joint in &mut model.joints {
        for name in [&mut joint.parent, &mut joint.child] {
            if name != "ground" {
                *name = format!("{}x", name.replace(['e', 'o', 'a', 'i'], ""));
            }
        }
    }
    for point in model.muscles.iter_mut().flat_map(|muscle| &mut muscle.path) {
        point.body = format!("{}x", point.body.replace(['e', 'o', 'a', 'i'], ""));
    }
    let roles = Roles::find(&athlete().skeleton).roles;
    let error = register(&model, athlete(), &sort_meshes(athlete()), &roles, Preset::Lee, 0.004).expect_err("no part");
    println!("{error}");
    assert!(matches!(error, RegisterError::NothingInCommon { .. }));
}

#[test]
fn opensims_legs_fit_the_athlete_and_another_man() {
    let Some(model) = osim("opensim/gait2392/gait2392_thelen2003muscle.osim") else { return };
    let on_athlete = registered(&model, athlete(), Preset::Pratscher);
    println!("{:?}", on_athlete.warnings);
    check(&model, athlete(), &on_athlete);
    assert_eq!(on_athlete.muscles.len(), 92);
    let (worst, mean) = asymmetry(athlete(), &on_athlete);
    println!("left and right differ by {:.1} mm, {:.1} on the mean", 1e3 * worst, 1e3 * mean);
    assert!(worst < 0.02 && mean < 0.005);
    let strength: f64 = on_athlete.strengths.iter().sum();
    assert!((strength / model.muscles.iter().map(|muscle| muscle.max_force).sum::<f64>() - 1.0).abs() < 1e-9);

    let Some(bytes) = shared("gltf/human_male.glb") else { return };
    let file = fusiform_files::gltf::Gltf::read(&bytes, |_| Err("nothing is beside it".into())).expect("a file");
    let man = fusiform_files::gltf::Scene::read(&file).expect("a man").character;
    let on_man = registered(&model, &man, Preset::Ramos);
    println!("{:?}", on_man.warnings);
    check(&model, &man, &on_man);
    let (worst, mean) = asymmetry(&man, &on_man);
    println!("left and right differ by {:.1} mm, {:.1} on the mean", 1e3 * worst, 1e3 * mean);
    assert!(worst < 0.02 && mean < 0.01);
}

#[test]
fn opensims_arm_fits_the_right_arm() {
    let Some(model) = osim("opensim/arm26/arm26.osim") else { return };
    let found = registered(&model, athlete(), Preset::Lee);
    println!("{:?}", found.warnings);
    check(&model, athlete(), &found);
    assert_eq!(found.muscles.len(), 6);
    let place = |name: &str| {
        let skeleton = &athlete().skeleton;
        Vec3::from(skeleton.joints[skeleton.find(name).expect("a joint")].bind.translation)
    };
    let (shoulder, elbow) = (place("upper_arm.r"), place("lower_arm.r"));
    for muscle in &found.muscles {
        assert!(muscle.name.ends_with(".r"), "{}", muscle.name);
        assert_eq!(muscle.insertion.joint, "lower_arm.r");
        let end = *corners(athlete(), muscle).last().expect("an end");
        assert!(end.distance(elbow) < 0.25 * shoulder.distance(elbow), "{} ends {end}", muscle.name);
    }
    let before = |name: &str| {
        let muscle = found.muscles.iter().find(|muscle| muscle.name == name).expect("it is there");
        let path = corners(athlete(), muscle);
        path[path.len() / 2].z - shoulder.lerp(elbow, 0.5).z
    };
    assert!(before("osim_BIClong.r") > 0.0 && before("osim_TRIlat.r") < 0.0, "biceps in front, triceps behind");
}
