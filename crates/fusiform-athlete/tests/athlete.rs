//! What the athlete promises, checked on the coarsest one.

use fusiform::{Pose, Skeleton};
use fusiform_athlete::{Athlete, AthleteError, VERTICES, athlete};
use glam::{Vec3, Vec3A};
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

static COARSE: LazyLock<Athlete> = LazyLock::new(|| athlete(*VERTICES.start()).expect("the range is allowed"));

fn positions() -> &'static [Vec3] {
    &COARSE.character.meshes[0].positions
}

fn triangles() -> &'static [[u32; 3]] {
    &COARSE.character.meshes[0].triangles
}

fn corners(triangle: [u32; 3]) -> [Vec3; 3] {
    triangle.map(|v| positions()[v as usize])
}

#[test]
fn a_wish_outside_the_range_is_refused_with_the_range() {
    let error = athlete(100).unwrap_err();
    assert_eq!(error, AthleteError::Vertices { asked: 100 });
    assert!(error.to_string().contains("3700 to 100000"), "{error}");
}

#[test]
fn the_vertex_count_is_within_5_percent_of_the_wish() {
    let wish = *VERTICES.start() as f32;
    assert!((positions().len() as f32 / wish - 1.0).abs() < 0.05, "{} vertices", positions().len());
}

#[test]
fn the_same_wish_gives_the_same_bits() {
    assert!(athlete(*VERTICES.start()).unwrap() == *COARSE);
}

#[test]
fn the_skin_is_one_closed_surface_without_handles() {
    let mut faces: BTreeMap<(u32, u32), [u32; 2]> = BTreeMap::new();
    for t in triangles() {
        for (u, v) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
            faces.entry((u.min(v), u.max(v))).or_default()[usize::from(u < v)] += 1;
        }
    }
    assert!(faces.values().all(|count| *count == [1, 1]), "an edge has not exactly one face on either side");
    let euler = positions().len() as i64 - faces.len() as i64 + triangles().len() as i64;
    assert_eq!(euler, 2);
}

#[test]
fn every_triangle_looks_outward_and_is_fat_enough() {
    let mut volume = 0.0;
    let mut smallest = f32::INFINITY;
    for &t in triangles() {
        let [a, b, c] = corners(t);
        volume += a.dot(b.cross(c)) / 6.0;
        for (p, q, r) in [(a, b, c), (b, c, a), (c, a, b)] {
            smallest = smallest.min((q - p).angle_between(r - p).to_degrees());
        }
    }
    assert!((0.055..0.085).contains(&volume), "{volume} m3 of a man of 1.80 m");
    assert!(smallest > 20.0, "{smallest} degrees");
}

#[test]
fn the_left_half_mirrors_the_right() {
    let key = |p: Vec3| (p * 1e4).round().to_array().map(|x| x as i64);
    let mut cells: HashMap<[i64; 3], Vec<Vec3>> = HashMap::new();
    positions().iter().for_each(|&p| cells.entry(key(p)).or_default().push(p));
    for &p in positions() {
        let twin = Vec3::new(-p.x, p.y, p.z);
        let near = cells.get(&key(twin)).is_some_and(|cell| cell.iter().any(|q| q.distance(twin) < 1e-5));
        assert!(near, "{p} has no twin");
    }
}

#[test]
fn it_stands_on_the_floor_and_is_180_cm_tall() {
    let (low, high) = COARSE.character.bounds();
    assert!(low.y.abs() < 2e-3, "soles at {} m", low.y);
    assert!((high.y - 1.80).abs() < 5e-3, "{} m tall", high.y);
}

#[test]
fn joint_weights_sum_to_one_over_at_most_four_joints() {
    let weights = &COARSE.character.meshes[0].weights;
    for v in 0..positions().len() {
        let row: Vec<_> = weights.of(v).collect();
        assert!((1..=4).contains(&row.len()));
        assert!((row.iter().map(|entry| entry.1).sum::<f32>() - 1.0).abs() < 1e-5);
    }
}

#[test]
fn no_joint_of_one_side_moves_the_other() {
    let (skeleton, weights) = (&COARSE.character.skeleton, &COARSE.character.meshes[0].weights);
    for (v, p) in positions().iter().enumerate() {
        for (joint, _) in weights.of(v) {
            let name = &skeleton.joints[joint as usize].name;
            let wrong = (name.ends_with(".l") && p.x < 0.0) || (name.ends_with(".r") && p.x > 0.0);
            assert!(!wrong, "{name} moves {p}");
        }
    }
}

#[test]
fn nearly_every_muscle_has_skin_to_move() {
    let muscles = &COARSE.musculature.muscles;
    let mut moved = vec![false; muscles.len()];
    COARSE.musculature.weights[0].index.iter().for_each(|&m| moved[usize::from(m)] = true);
    let idle: Vec<_> = muscles.iter().zip(moved).filter(|(_, moved)| !moved).map(|(muscle, _)| &muscle.name).collect();
    assert!(idle.len() * 10 < muscles.len(), "without skin: {idle:?}");
}

/// `model_from_joint` places of a clip at a time.
fn places(skeleton: &Skeleton, clip: &str, time: f32) -> Vec<Vec3A> {
    let mut pose = Pose::rest(skeleton);
    COARSE.character.clip(clip).expect(clip).sample(time, &mut pose);
    pose.model_matrices(skeleton).iter().map(|matrix| matrix.translation).collect()
}

#[test]
fn feet_stay_planted_where_they_should() {
    let skeleton = &COARSE.character.skeleton;
    let feet = ["foot.l", "toes.l", "foot.r", "toes.r"].map(|name| skeleton.find(name).unwrap());
    for (clip, from, to) in [
        ("curl", 0.0, 3.3),
        ("flex", 0.0, 3.3),
        ("squat", 0.0, 2.6),
        ("jump_landing", 0.0, 0.6),
        ("jump_landing", 1.7, 2.8),
    ] {
        let start = places(skeleton, clip, 0.0);
        for step in 0..=40 {
            let now = places(skeleton, clip, from + (to - from) * step as f32 / 40.0);
            for foot in feet {
                let slid = (now[foot] - start[foot]).length();
                assert!(slid < 5e-3, "{clip}: a foot slides {slid} m");
            }
        }
    }
}

#[test]
fn the_jump_is_ballistic() {
    let skeleton = &COARSE.character.skeleton;
    let toes = skeleton.find("toes.l").unwrap();
    let height = |t: f32| places(skeleton, "jump_landing", t)[toes].y;
    let highest = (0..200).map(|i| height(i as f32 * 0.014)).fold(0.0, f32::max);
    assert!((0.25..0.55).contains(&highest), "jumps {highest} m");
}
