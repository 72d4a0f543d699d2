//! A person walks in a laboratory, and the athlete walks as they did.

mod common;

use common::{ATHLETE, athlete, bend, osim, place, shared, steps, walker};
use fusiform::Musculature;
use fusiform_drive::{
    DriveError, Given, Laboratory, LaboratoryError, MarkersError, MeasuredPushes, PlatesError, Push, Rigid, drive,
    in_radians, laboratory, markers_to_coordinates, posed, register,
};
use fusiform_fit::retarget::{Retargeted, Rig, retarget};
use fusiform_fit::{Motion, Preset, Role, Roles, Side, Template, Wear};
use fusiform_motion::capture::Capture;
use fusiform_motion::system::{Posture, System};
use fusiform_motion::table::Table;
use glam::{DQuat, DVec3, Vec3};

fn on_athlete(person: &Laboratory) -> Retargeted {
    let source = Rig { skeleton: &person.skeleton, roles: person.roles.clone() };
    retarget(&source, &person.clip, &Rig::by_names(&athlete().skeleton), None).expect("it can follow")
}

/// Where the markers of a moving model are.
fn captured(table: &Table) -> Capture {
    let model = walker();
    let system = System::new(&model).expect("it runs");
    let (mut posture, mut positions) = (Posture::default(), Vec::new());
    for i in 0..table.times.len() {
        let mut q = system.default.to_vec();
        for (name, value) in table.names.iter().zip(table.row(i)) {
            q[system.coordinate(name).expect("a coordinate")] = *value;
        }
        system.pose(&q, &mut posture);
        let at = |body: &str| posture.frames[system.body(body).expect("a body")];
        positions.extend(model.markers.iter().map(|marker| at(&marker.body).transform_point3(marker.location)));
    }
    let markers = model.markers.iter().map(|marker| marker.name.clone()).collect();
    Capture { rate: 60.0, times: table.times.clone(), markers, positions, up: Some(DVec3::Y), ..Capture::default() }
}

#[test]
fn a_model_becomes_a_skeleton_that_stands_as_it_does() {
    let person = laboratory(&walker(), &steps(), "steps").expect("a walk");
    assert_eq!(person.skeleton.joints.len(), 12);
    assert_eq!((person.start, person.mass), (0.5, 60.0));
    assert!((person.clip.duration() - 119.0 / 60.0).abs() < 1e-4);
    let rest = person.skeleton.bind_matrices();
    let foot = person.roles.get(Role::Foot, Side::Right).expect("a foot");
    assert_eq!(person.skeleton.joints[foot].name, "calcn_r");
    // the heel turns the foot, but it stands at the ankle
    assert!(place(&person.skeleton, &rest, "calcn_r").distance(Vec3::new(0.0, 0.08, 0.09)) < 1e-6);
    assert!(place(&person.skeleton, &rest, "toes_r").distance(Vec3::new(0.13, 0.04, 0.09)) < 1e-6);
    let pose = posed(&person.skeleton, &person.clip, 0.25);
    let swing = (std::f64::consts::TAU * 0.75).sin();
    let wanted = (0.3 - 0.3 * swing) as f32;
    assert!((bend(&person.skeleton, &pose, ["femur_r", "tibia_r", "calcn_r"]) - wanted).abs() < 1e-3);
    let names = &person.warnings[0];
    assert!(names.contains("ankle_r") && !names.contains("hip_r"), "{names}");
}

#[test]
fn the_athlete_walks_where_the_person_does() {
    let person = laboratory(&walker(), &steps(), "steps").expect("a walk");
    let made = on_athlete(&person);
    let skeleton = &athlete().skeleton;
    for time in [0.1, 0.4, 0.9, 1.3] {
        let (own, other) = (posed(&person.skeleton, &person.clip, time), posed(skeleton, &made.clip, time));
        for [side, suffix] in [["l", "l"], ["r", "r"]] {
            let of = |stem: &str| format!("{stem}_{side}");
            let legs = ["upper_leg", "lower_leg", "foot"].map(|stem| format!("{stem}.{suffix}"));
            let there = bend(skeleton, &other, [&legs[0], &legs[1], &legs[2]]);
            let here = bend(&person.skeleton, &own, [&of("femur"), &of("tibia"), &of("calcn")]);
            assert!((there - here).abs() < 0.05, "{time} s, {side}: {there} for {here}");
        }
    }
    let [begin, end] = [0.0, 1.0].map(|time| place(skeleton, &posed(skeleton, &made.clip, time), "hips"));
    let way = end - begin;
    assert!((way.z / (1.1 * made.scale) - 1.0).abs() < 0.05 && way.x.abs() < 0.05, "it goes {way}");
    assert!(made.turn.mul_vec3(Vec3::X).distance(Vec3::Z) < 1e-3, "ahead is ahead");
}

#[test]
fn markers_are_explained_however_the_laboratory_stands() {
    let mut capture = captured(&steps());
    let upright = markers_to_coordinates(&walker(), &capture, |_| 1.0).expect("all markers are there");
    assert!(upright.rms() < 1e-4, "{} m", upright.rms());
    assert!(upright.warnings.is_empty(), "{:?}", upright.warnings);
    let knee = upright.coordinates.column("knee_r").expect("a knee");
    let wanted = steps();
    assert!((upright.coordinates.row(30)[knee] - wanted.row(30)[3]).abs() < 1e-3);
    capture.turn(DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2));
    let lying = markers_to_coordinates(&walker(), &capture, |_| 1.0).expect("all markers are there");
    assert!((lying.coordinates.row(30)[knee] - wanted.row(30)[3]).abs() < 1e-3);
}

#[test]
fn what_is_missing_is_said_in_one_sentence() {
    let mut capture = captured(&steps());
    capture.markers[0] = "C7".into();
    let tracked = markers_to_coordinates(&walker(), &capture, |_| 1.0).expect("one marker less does no harm");
    assert!(tracked.warnings[0].contains("pelvis.0") && tracked.warnings[1].contains("C7"), "{:?}", tracked.warnings);
    capture.markers.iter_mut().for_each(|name| name.push('\''));
    let error = markers_to_coordinates(&walker(), &capture, |_| 1.0).expect_err("no name fits");
    println!("{error}");
    assert!(matches!(error, MarkersError::TooFew { common: 0, .. }));
    assert!(error.to_string().contains("pelvis.0, pelvis.1"));
    let other = Table { names: vec!["speed".into()], times: vec![0.0], values: vec![1.0] };
    let error = laboratory(&walker(), &other, "x").expect_err("nothing moves");
    assert!(matches!(error, LaboratoryError::NoCoordinate { .. }) && error.to_string().contains("speed"), "{error}");
}

#[test]
fn where_no_marker_is_seen_the_motion_goes_straight_on_and_it_is_said() {
    let (table, mut capture) = (steps(), captured(&steps()));
    let n = capture.markers.len();
    let gap = 52..57;
    capture.positions[gap.start * n..gap.end * n].fill(DVec3::NAN);
    let tracked = markers_to_coordinates(&walker(), &capture, |_| 1.0).expect("most frames are there");
    let knee = tracked.coordinates.column("knee_r").expect("a knee");
    let worst = gap.map(|i| (tracked.coordinates.row(i)[knee] - table.row(i)[3]).abs()).fold(0.0, f64::max);
    assert!(worst < 0.02, "{worst} radians off");
    assert!(tracked.warnings.iter().any(|warning| warning.contains("5 frames see no marker")), "{tracked:?}");
    capture.positions.fill(DVec3::NAN);
    assert_eq!(markers_to_coordinates(&walker(), &capture, |_| 1.0), Err(MarkersError::NothingSeen));
}

#[test]
fn a_capture_in_another_unit_than_it_says_is_turned_away() {
    for factor in [1000.0, 0.001] {
        let mut capture = captured(&steps());
        capture.positions.iter_mut().for_each(|place| *place *= factor);
        let error = markers_to_coordinates(&walker(), &capture, |_| 1.0).expect_err("no such person");
        assert!(matches!(error, MarkersError::OtherSize(size) if (size / factor - 1.0).abs() < 0.3), "{error}");
    }
}

#[test]
fn a_motion_of_one_moment_is_none() {
    let still = Table { names: vec!["tx".into()], times: vec![2.0; 3], values: vec![0.0; 3] };
    assert_eq!(laboratory(&walker(), &still, "x"), Err(LaboratoryError::NoTime(2.0)));
}

#[test]
fn degrees_are_turned_only_where_they_are_angles() {
    let table = Table {
        names: vec!["tx".into(), "/jointset/knee/knee_r/value".into()],
        times: vec![0.0],
        values: vec![180.0, 180.0],
    };
    assert_eq!(in_radians(&walker(), &table).values, [180.0, std::f64::consts::PI]);
}

#[test]
fn forces_act_under_the_foot_that_stands_on_the_plate() {
    let person = laboratory(&walker(), &steps(), "steps").expect("a walk");
    let (made, roles) = (on_athlete(&person), Roles::find(&athlete().skeleton).roles);
    // at 0.5 s of the clip, 1 s of the laboratory, under the left ball
    let pose = posed(&person.skeleton, &person.clip, 0.5);
    let ball = place(&person.skeleton, &pose, "toes_l").as_dvec3();
    let names = ["vx", "vy", "vz", "px", "py", "pz"].map(|name| format!("ground_force_{name}")).to_vec();
    let times: Vec<f64> = (0..30).map(|i| 0.9 + f64::from(i) * 0.01).collect();
    let values = times.iter().flat_map(|_| [70.0, 700.0, 0.0, ball.x, 0.0, ball.z]).collect();
    let mut forces = Table { names, times, values };
    let pushes = MeasuredPushes::new(&person, &forces, &made, &roles, 1.5).expect("a step");
    let now: Vec<Rigid> = posed(&athlete().skeleton, &made.clip, 0.5)
        .iter()
        .map(|at| Rigid { place: at.translation.as_dvec3(), ..Rigid::default() })
        .collect();
    assert!(pushes.at(0.2, &now).is_none() && pushes.at(0.9, &now).is_none(), "nobody measured then");
    assert!(!pushes.cover(2.0) && pushes.span()[0] > 0.39);
    let [Push { joint, force, point, .. }] = pushes.at(0.5, &now).expect("measured")[..] else {
        panic!("one foot stands")
    };
    assert_eq!(athlete().skeleton.joints[joint].name, "foot.l");
    assert!((force - DVec3::new(0.0, 1050.0, 105.0)).length() < 1e-3, "{force}");
    let toes = place(&athlete().skeleton, &posed(&athlete().skeleton, &made.clip, 0.5), "toes.l");
    assert!((point.as_vec3() - toes).with_y(0.0).length() < 0.06, "{point} for {toes}");
    let millimetres = Table { values: forces.values.iter().map(|v| 1e3 * v).collect(), ..forces.clone() };
    assert!(matches!(MeasuredPushes::new(&person, &millimetres, &made, &roles, 1.0), Err(PlatesError::FarAway(_))));
    forces.times.iter_mut().for_each(|time| *time += 100.0);
    assert!(matches!(MeasuredPushes::new(&person, &forces, &made, &roles, 1.0), Err(PlatesError::NoLoad)));
}

/// OpenSim's example: `subject01` walks over two plates.
#[test]
fn the_athlete_walks_as_opensims_subject_does() {
    let (Some(model), Some(markers), Some(forces)) = (
        osim("opensim/gait2354/subject01_simbody.osim"),
        shared("opensim/gait2354/subject01_walk1.trc"),
        shared("opensim/gait2354/subject01_walk1_grf.mot"),
    ) else {
        return;
    };
    let capture = fusiform_files::trc::read(&markers).expect("markers").capture;
    let forces = fusiform_files::sto::read(&forces).expect("forces").table;
    // as the tasks of its set-up: what lies on the trunk counts less
    let weight = |name: &str| match name {
        "R.Acromium" | "L.Acromium" => 0.5,
        "Top.Head" => 0.1,
        "R.ASIS" | "L.ASIS" | "V.Sacral" | "R.Heel" | "L.Heel" => 10.0,
        _ => 1.0,
    };
    let tracked = markers_to_coordinates(&model, &capture, weight).expect("markers in common");
    println!("{:.1} mm; {:?}", 1e3 * tracked.rms(), tracked.warnings);
    assert!(tracked.rms() < 0.03, "{}", tracked.rms());
    let person = laboratory(&model, &tracked.coordinates, "walk").expect("a walk");
    let made = on_athlete(&person);
    let (skeleton, roles) = (&athlete().skeleton, Roles::find(&athlete().skeleton).roles);

    // upright, ahead, on the floor, knees as bent as the person's
    let feet = ["toes.l", "toes.r"];
    let ball = feet.map(|foot| place(skeleton, &skeleton.bind_matrices(), foot).y);
    let (mut worst, mut lowest) = (0.0_f32, (f32::MAX, f32::MIN));
    let mut ranges = [(f32::MAX, f32::MIN); 2];
    for i in 0..100 {
        let time = i as f32 * 0.025;
        let (own, other) = (posed(&person.skeleton, &person.clip, time), posed(skeleton, &made.clip, time));
        let there = bend(skeleton, &other, ["upper_leg.r", "lower_leg.r", "foot.r"]);
        let here = bend(&person.skeleton, &own, ["femur_r", "tibia_r", "calcn_r"]);
        worst = worst.max((there - here).abs());
        for (range, angle) in ranges.iter_mut().zip([here, there]) {
            *range = (range.0.min(angle), range.1.max(angle));
        }
        let low = feet.iter().zip(ball).map(|(foot, rest)| place(skeleton, &other, foot).y - rest).fold(9.0, f32::min);
        lowest = (lowest.0.min(low), lowest.1.max(low));
        let [hips, head] = ["hips", "head"].map(|name| place(skeleton, &other, name));
        assert!((head - hips).normalize().y > 0.95, "it leans at {time} s");
    }
    let [own, other] = ranges.map(|(low, high)| (low.to_degrees(), high.to_degrees()));
    println!("knee {own:.0?} of the person, {other:.0?} of the athlete; lower ball {lowest:.3?} m over its rest");
    assert!(worst.to_degrees() < 5.0, "{} degrees", worst.to_degrees());
    assert!(lowest.0 > -0.02 && lowest.1 < 0.06, "{lowest:?}");
    // on a treadmill: the body stays, the foot that stands goes back
    let way = [0.0, 2.0].map(|time| place(skeleton, &posed(skeleton, &made.clip, time), "hips"));
    assert!((way[1] - way[0]).length() < 0.1, "{way:?}");

    let pushes = MeasuredPushes::new(&person, &forces, &made, &roles, 1.0).expect("steps");
    let [mut back, mut steps] = [0.0, 0.0];
    for i in 0..100 {
        let time = f64::from(i) * 0.02;
        let [now, next] = [time, time + 0.02].map(|time| posed(skeleton, &made.clip, time as f32));
        let rigid: Vec<Rigid> =
            now.iter().map(|at| Rigid { place: at.translation.as_dvec3(), ..Rigid::default() }).collect();
        for push in pushes.at(time, &rigid).into_iter().flatten().filter(|push| push.force.y > 400.0) {
            back -= next[push.joint].translation.z - now[push.joint].translation.z;
            steps += 0.02;
            let toes = if skeleton.joints[push.joint].name.ends_with(".l") { "toes.l" } else { "toes.r" };
            let [heel, ball] = [Vec3::from(now[push.joint].translation), place(skeleton, &now, toes)];
            let away = push.point.as_vec3() - heel.midpoint(ball);
            assert!(away.with_y(0.0).length() < 0.2, "at {time} s it acts {away} off the foot");
            assert!(push.point.y.abs() < 0.06, "at {time} s it acts {} m over the floor", push.point.y);
        }
    }
    println!("the treadmill runs at {:.2} m/s", back / steps);
    assert!((0.8..1.8).contains(&(back / steps)));
    let measured = |time: f64, now: &[Rigid]| pushes.at(time, now);
    let (template, wear) = (Template::humanoid(), vec![Wear::Body; athlete().meshes.len()]);
    let given = Given {
        mass: Some(person.mass),
        pushes: Some(&measured),
        stronger: false,
        ..Given::new(&wear, &roles, &template.ranges)
    };
    let musculature = &ATHLETE.musculature;
    let driven = drive(athlete(), musculature, &made.clip, &given, |_| ()).expect("it can be driven");
    let weight = 9.81 * person.mass;
    let mean = driven.ground_force.iter().sum::<f64>() / driven.ground_force.len() as f64;
    let most = driven.ground_force.iter().copied().fold(0.0, f64::max);
    println!(
        "{:.1} kg; floor {:.2} of the weight on the mean, {:.2} at most; {:.0} N unexplained",
        person.mass,
        mean / weight,
        most / weight,
        driven.unexplained
    );
    assert!((mean / weight - 1.0).abs() < 0.1 && most / weight < 1.5);
    assert!(driven.unexplained < 0.35 * weight, "{} N", driven.unexplained);
    let n = musculature.muscles.len();
    let peak = |m: usize| driven.activations.chunks(n).map(|row| row[m]).fold(0.0, f64::max);
    let mut peaks: Vec<(f64, &str)> = (0..n).map(|m| (peak(m), musculature.muscles[m].name.as_str())).collect();
    peaks.sort_by(|a, b| b.0.total_cmp(&a.0));
    let list: Vec<String> = peaks.iter().take(12).map(|(peak, name)| format!("{name} {peak:.2}")).collect();
    println!("{}", list.join(", "));
    let worst = |of: &[f64]| of.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    println!("torques up to {:.0} N m, reserves {:.0} N m", worst(&driven.torques), worst(&driven.reserves));
    let of = |name: &str| peaks.iter().find(|(_, own)| own.starts_with(name)).map_or(0.0, |(peak, _)| *peak);
    assert!(of("soleus").max(of("gastrocnemius")) > 0.2, "calves push off");
    assert!(of("biceps_brachii") < 0.2, "arms hang");

    // without plates, hips need nearly what they need with them
    let guessed = drive(athlete(), musculature, &made.clip, &Given { pushes: None, ..given }, |_| ());
    let guessed = guessed.expect("it can be driven");
    for (k, motion) in driven.motions.iter().enumerate() {
        let name = &skeleton.joints[motion.joint].name;
        if name.starts_with("upper_leg") && motion.motion == Motion::Flexion {
            let rows = driven.torques.iter().zip(&guessed.torques).skip(k).step_by(driven.motions.len());
            let off = (rows.map(|(a, b)| (a - b).powi(2)).sum::<f64>() / driven.times.len() as f64).sqrt();
            println!("{name}: flexion is {off:.0} N m (rms) off without plates");
            assert!(off < 30.0, "{name} is {off} N m off");
        }
    }

    // the same walk by the model's own muscles, as strong as it says
    let found = register(&model, athlete(), &wear, &roles, Preset::Pratscher, 0.004).expect("legs and a trunk");
    let own = Musculature { muscles: found.muscles, ..Musculature::default() };
    let given = Given { strengths: Some(&found.strengths), ..given };
    let driven = drive(athlete(), &own, &made.clip, &given, |_| ()).expect("it can be driven");
    assert_eq!(driven.strengths, found.strengths);
    let n = own.muscles.len();
    let peak = |m: usize| driven.activations.chunks(n).map(|row| row[m]).fold(0.0, f64::max);
    let mut peaks: Vec<(f64, &str)> = (0..n).map(|m| (peak(m), own.muscles[m].name.as_str())).collect();
    peaks.sort_by(|a, b| b.0.total_cmp(&a.0));
    let list: Vec<String> = peaks.iter().take(12).map(|(peak, name)| format!("{name} {peak:.2}")).collect();
    println!("the model's own {n}: {}", list.join(", "));
    println!("torques up to {:.0} N m, reserves {:.0} N m", worst(&driven.torques), worst(&driven.reserves));
    assert!(peaks.iter().take(16).any(|(_, name)| name.contains("soleus") || name.contains("gas")), "calves push off");
    let short = Given { strengths: Some(&[1.0]), ..given };
    assert!(matches!(drive(athlete(), &own, &made.clip, &short, |_| ()), Err(DriveError::Strengths { .. })));
}

#[test]
fn a_capture_of_other_markers_is_turned_away() {
    let (Some(model), Some(bytes)) =
        (osim("opensim/gait2354/subject01_simbody.osim"), shared("c3d/opensim_walking2.c3d"))
    else {
        return;
    };
    let capture = fusiform_files::c3d::read(&bytes).expect("a recording").capture;
    let error = markers_to_coordinates(&model, &capture, |_| 1.0).expect_err("other names").to_string();
    println!("{error}");
    assert!(error.contains("R.ASIS") && !error.contains('\n'));
}
