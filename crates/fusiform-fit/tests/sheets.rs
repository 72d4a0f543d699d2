//! The humanoid template's sheets on the athlete: closed, free of self-intersection and of one volume over all clips.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use fusiform::body::{Body, BodyState, Detail, StepInput, belly_triangles, rest_bellies};
use fusiform::musculature::{Contraction, Dynamics, Path};
use fusiform::{Character, Muscle, Musculature, Pose, SparseWeights};
use fusiform_athlete::athlete;
use fusiform_fit::{FAT, Inside, Placed, Roles, Surface, Template, Toward, Wear, conform, extract, gather_sheets};
use glam::Vec3;
use std::sync::LazyLock;

const SHEETS: [&str; 6] =
    ["pectoralis_major", "latissimus_dorsi", "trapezius", "deltoid", "external_oblique", "gluteus_maximus"];

/// Seconds between frames that are looked at.
const STEP: f32 = 0.1;

struct Subject {
    character: Character,
    muscles: Vec<Muscle>,
    surface: Surface,
}

/// The athlete with its template's sheets, conformed to its skin; they keep their volume and have no spring.
static ATHLETE: LazyLock<Subject> = LazyLock::new(|| {
    let fusiform_athlete::Athlete { character, musculature } = athlete(5_000).unwrap();
    let n = musculature.muscles.len();
    let mut placed = Placed {
        muscles: musculature.muscles,
        groups: vec![String::new(); n],
        superficial: vec![true; n],
        drawn: vec![false; n],
        ..Placed::default()
    };
    gather_sheets(&Template::humanoid(), &character.skeleton, &mut placed);
    for muscle in &mut placed.muscles {
        muscle.contraction = Contraction::Tone { tone: 1.0, isometric: 0.0 };
        muscle.dynamics = Dynamics::None;
    }
    let surface = Surface::new(character.meshes.iter()).unwrap();
    let toward = vec![Toward::Outward; placed.muscles.len()];
    conform(&character.skeleton, &mut placed.muscles, &toward, &surface, FAT * character.height()).unwrap();
    placed.muscles.retain(|muscle| matches!(muscle.path, Path::Sheet { .. }));
    Subject { character, muscles: placed.muscles, surface }
});

fn enclosed(points: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let corner = |v: u32| points[v as usize].as_dvec3();
    triangles.iter().map(|t| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))) / 6.0).sum()
}

/// Whether a piece of a line goes through the inside of a triangle.
fn pierces([p, q]: [Vec3; 2], [a, b, c]: [Vec3; 3]) -> bool {
    const NEAR: f32 = 1e-4;
    let normal = (b - a).cross(c - a);
    let area = normal.length();
    if area < 1e-10 {
        return false;
    }
    let (above, below) = ((p - a).dot(normal) / area, (q - a).dot(normal) / area);
    // closer than a micrometre is touching
    if above * below >= 0.0 || above.abs() < 1e-6 || below.abs() < 1e-6 {
        return false;
    }
    let at = p + (q - p) * (above / (above - below));
    let share = |u: Vec3, v: Vec3| (u - at).cross(v - at).dot(normal) / (area * area);
    [share(a, b), share(b, c), share(c, a)].into_iter().all(|share| share > NEAR)
}

/// Pairs of triangles that cross and share no corner.
fn crossings(points: &[Vec3], triangles: &[[u32; 3]]) -> usize {
    // corners on one spot are one: the ends of a sheet are flat
    let first = |p: &Vec3| points.iter().position(|other| other.distance_squared(*p) < 1e-10).unwrap();
    let spot: Vec<u32> = points.iter().map(|p| first(p) as u32).collect();
    let corners: Vec<[Vec3; 3]> = triangles.iter().map(|t| t.map(|v| points[v as usize])).collect();
    let welded: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(|v| spot[v as usize])).collect();
    let bounds: Vec<(Vec3, Vec3)> = corners.iter().map(|[a, b, c]| (a.min(*b).min(*c), a.max(*b).max(*c))).collect();
    let mut found = 0;
    for i in 0..triangles.len() {
        for j in i + 1..triangles.len() {
            let apart = bounds[i].0.cmpgt(bounds[j].1).any() || bounds[j].0.cmpgt(bounds[i].1).any();
            if apart || welded[i].iter().any(|v| welded[j].contains(v)) {
                continue;
            }
            let crosses = |s: &[Vec3; 3], t: &[Vec3; 3]| (0..3).any(|k| pierces([s[k], s[(k + 1) % 3]], *t));
            found += usize::from(crosses(&corners[i], &corners[j]) || crosses(&corners[j], &corners[i]));
        }
    }
    found
}

#[test]
fn crossing_triangles_are_found_and_touching_ones_are_not() {
    let flat = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let upright = [Vec3::new(0.2, 0.2, -0.5), Vec3::new(0.2, 0.2, 0.5), Vec3::new(2.0, 2.0, 0.0)];
    let triangles = [[0, 1, 2], [3, 4, 5]];
    assert_eq!(crossings(&[flat, upright].concat(), &triangles), 1);
    let beside = upright.map(|p| p + Vec3::X * 3.0);
    assert_eq!(crossings(&[flat, beside].concat(), &triangles), 0);
    assert_eq!(crossings(&[flat, [Vec3::ZERO, Vec3::X, Vec3::Z]].concat(), &triangles), 0);
}

#[test]
fn every_sheet_of_the_template_is_there_on_both_sides() {
    let names: Vec<&str> = ATHLETE.muscles.iter().map(|muscle| muscle.name.as_str()).collect();
    for sheet in SHEETS {
        for side in [".l", ".r"] {
            assert!(names.contains(&format!("{sheet}{side}").as_str()), "{sheet}{side} of {names:?}");
        }
    }
}

#[test]
fn sheets_lie_inside_the_skin_and_mirror() {
    let Subject { character, muscles, surface } = &*ATHLETE;
    let inside = Inside::measure(&character.skeleton, muscles, surface).unwrap();
    println!(
        "{:.2} % of the sheets' points are inside, the worst {:.1} mm out",
        100.0 * inside.fraction,
        1e3 * inside.worst()
    );
    assert!(inside.fraction > 0.97 && inside.worst() < 0.006, "{inside:?}");
    let bellies = rest_bellies(&character.skeleton, muscles).unwrap();
    for (m, muscle) in muscles.iter().enumerate() {
        let Some(stem) = muscle.name.strip_suffix(".l") else { continue };
        let twin = muscles.iter().position(|other| other.name == format!("{stem}.r")).unwrap();
        let sectors = usize::from(muscle.sectors);
        for (i, p) in bellies[m].points.iter().enumerate() {
            // seen in a mirror sectors go round the other way
            let (ring, sector) = (i / sectors, (sectors - i % sectors) % sectors);
            let other = bellies[twin].points[ring * sectors + sector];
            let off = p.distance(Vec3::new(-other.x, other.y, other.z));
            assert!(off < 2e-3, "point {i} of {stem} is {off} m from its twin");
        }
    }
}

#[test]
fn sheets_do_not_cross_themselves_and_keep_their_volume_over_all_clips() {
    let Subject { character, muscles, .. } = &*ATHLETE;
    let weights = character.meshes.iter().map(|mesh| {
        let mut none = SparseWeights::default();
        mesh.positions.iter().for_each(|_| none.push_vertex([]));
        none
    });
    let musculature = Musculature { muscles: muscles.clone(), weights: weights.collect(), ..Musculature::plain() };
    let body = Body::bind(character, &musculature).unwrap();
    let mut state = BodyState::new(&body);
    let surface = |state: &BodyState, m: usize| {
        let mut points = vec![Vec3::ZERO; body.belly_size(m)];
        state.belly_points(&body, m, &mut points);
        (points, belly_triangles(muscles[m].rings.into(), muscles[m].sectors.into()))
    };
    let mut lines = Vec::new();
    for m in 0..muscles.len() {
        let (points, triangles) = surface(&state, m);
        let at_rest = enclosed(&points, &triangles);
        assert!(at_rest > 1e-5, "{} encloses {at_rest} m3", muscles[m].name);
        let (mut crossed, mut drift, mut lengths) = ((0, String::new()), (0.0_f64, String::new()), [f32::MAX, 0.0]);
        for clip in &character.clips {
            for i in 0..=(clip.duration() / STEP) as usize {
                let time = i as f32 * STEP;
                let mut pose = Pose::rest(&character.skeleton);
                clip.sample(time, &mut pose);
                let pose = pose.model_matrices(&character.skeleton);
                let mut input = StepInput::new(&pose, STEP);
                input.detail = Detail::MUSCLES;
                body.step(&mut state, &input);
                let (points, triangles) = surface(&state, m);
                let at = format!("{} at {time:.1} s", clip.name);
                let off = enclosed(&points, &triangles) / at_rest - 1.0;
                let length = state.belly_lengths()[m] / body.rest_lengths()[m];
                lengths = [lengths[0].min(length), lengths[1].max(length)];
                if off.abs() > drift.0.abs() {
                    drift = (off, at.clone());
                }
                let found = crossings(&points, &triangles);
                if found > crossed.0 {
                    crossed = (found, at);
                }
            }
        }
        lines.push((muscles[m].name.clone(), at_rest, lengths, drift, crossed));
    }
    for (name, volume, lengths, drift, crossed) in &lines {
        println!(
            "{name:22} {:4.0} cm3, lengths {:.2} .. {:.2}, volume drifts {:+.1} % ({}), {} pairs cross ({})",
            volume * 1e6,
            lengths[0],
            lengths[1],
            drift.0 * 100.0,
            drift.1,
            crossed.0,
            crossed.1
        );
    }
    for (name, _, _, drift, crossed) in &lines {
        assert!(drift.0.abs() < 0.02, "{name} drifts by {} in {}", drift.0, drift.1);
        assert!(crossed.0 == 0, "{name} crosses itself by {} triangles in {}", crossed.0, crossed.1);
    }
}

#[test]
fn a_body_with_sheets_is_extracted_in_their_parts() {
    let Subject { character, muscles, .. } = &*ATHLETE;
    let mut muscles = muscles.clone();
    muscles.iter_mut().for_each(|muscle| {
        muscle.contraction = Contraction::default();
        muscle.dynamics = Dynamics::default();
    });
    let musculature = Musculature { muscles, ..Musculature::plain() };
    let roles = Roles::find(&character.skeleton).roles;
    let template = Template::humanoid();
    let extracted = extract(character, &musculature, &[Wear::Body], &roles, &template).unwrap();
    assert_eq!(extracted.template.sheets.len(), SHEETS.len(), "{:?}", extracted.warnings);
    for sheet in &extracted.template.sheets {
        let known = template.sheets.iter().find(|known| known.name == sheet.name).unwrap();
        assert_eq!(known.of, sheet.of);
        assert!(sheet.of.iter().all(|part| extracted.template.muscles.iter().any(|muscle| &muscle.name == part)));
    }
    // a part lies as near to where it was as any muscle does
    assert!(extracted.off < 0.02, "{} m, {:?}", extracted.off, extracted.off_muscle);
}
