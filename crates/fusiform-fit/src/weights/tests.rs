use super::*;
use crate::{Roles, Template, place, test_body};
use fusiform::Skeleton;
use glam::Vec3;

/// The test body with its left upper arm's and both thighs' skin as meshes.
fn body() -> (Character, Vec<Muscle>) {
    let skeleton = test_body::skeleton();
    let placed = place(&Template::humanoid(), &skeleton, &Roles::find(&skeleton).roles, &test_body::skin).unwrap();
    let meshes = [("upper_arm.l", "lower_arm.l"), ("upper_leg.l", "lower_leg.l"), ("upper_leg.r", "lower_leg.r")]
        .map(|(joint, next)| tube(&skeleton, joint, next));
    (Character { skeleton, meshes: meshes.into(), ..Character::default() }, placed.muscles)
}

const RINGS: u32 = 60;
const SECTORS: u32 = 48;

/// Skin around one bone, all on its joint; the seam's vertices are there twice.
fn tube(skeleton: &Skeleton, joint: &str, next: &str) -> Mesh {
    let [joint, next] = [joint, next].map(|name| skeleton.find(name).unwrap());
    let [from, to] = [joint, next].map(|joint| Vec3::from(skeleton.joints[joint].bind.translation));
    let along = (to - from).normalize();
    let front = Vec3::Z.reject_from_normalized(along).normalize();
    let mut mesh = Mesh::default();
    for ring in 0..RINGS {
        let center = from.lerp(to, (ring as f32 + 0.5) / RINGS as f32);
        for sector in 0..=SECTORS {
            let angle = std::f32::consts::TAU * (sector % SECTORS) as f32 / SECTORS as f32;
            let direction = front * angle.cos() + along.cross(front) * angle.sin();
            // Where this limb runs into the body, the skin would be the body's.
            let distance = test_body::skin(center, direction).unwrap().min(0.11);
            mesh.positions.push(center + direction * distance);
            mesh.weights.push_vertex([(joint as u16, 1.0)]);
        }
    }
    let row = SECTORS + 1;
    for i in (0..(RINGS - 1) * row).filter(|i| i % row != SECTORS) {
        mesh.triangles.extend([[i, i + row, i + 1], [i + 1, i + row, i + row + 1]]);
    }
    mesh
}

/// The muscle's largest weight on a mesh, and where.
fn largest(weights: &SparseWeights, muscle: usize) -> (f32, usize) {
    let all = (0..weights.len()).flat_map(|v| weights.of(v).map(move |(m, w)| (usize::from(m), w, v)));
    all.filter(|(m, ..)| *m == muscle).fold((0.0, 0), |best, (_, w, v)| if w > best.0 { (w, v) } else { best })
}

#[test]
fn weights_stay_within_their_bounds() {
    let (character, muscles) = body();
    let weights = influence(&character, &vec![Wear::Body; character.meshes.len()], &muscles).unwrap();
    for (mesh, weights) in character.meshes.iter().zip(&weights) {
        assert_eq!(weights.len(), mesh.positions.len());
        for vertex in 0..weights.len() {
            let of: Vec<_> = weights.of(vertex).collect();
            assert!(of.len() <= MAX_MUSCLES);
            assert!(of.iter().all(|&(muscle, weight)| weight > 0.0 && usize::from(muscle) < muscles.len()));
            assert!(of.iter().map(|(_, weight)| weight).sum::<f32>() <= MAX_TOTAL + 1e-5);
        }
    }
}

#[test]
fn the_skin_over_a_belly_follows_it() {
    let (character, muscles) = body();
    let weights = influence(&character, &vec![Wear::Body; character.meshes.len()], &muscles).unwrap();
    // Less the more joints a muscle spans.
    let expected = [(0, "biceps_brachii_long.l", 0.35), (1, "vastus_lateralis.l", 0.5), (2, "rectus_femoris.r", 0.2)];
    for (mesh, name, least) in expected {
        let muscle = muscles.iter().position(|muscle| muscle.name == name).unwrap();
        assert!(largest(&weights[mesh], muscle).0 > least, "{name}: {:?}", largest(&weights[mesh], muscle));
    }
}

#[test]
fn no_muscle_grabs_the_other_leg() {
    let (character, muscles) = body();
    let weights = influence(&character, &vec![Wear::Body; character.meshes.len()], &muscles).unwrap();
    for (mesh, other) in [(1, ".r"), (2, ".l")] {
        for (i, muscle) in muscles.iter().enumerate().filter(|(_, muscle)| muscle.name.ends_with(other)) {
            assert!(largest(&weights[mesh], i).0 == 0.0, "{} moves the other leg", muscle.name);
        }
    }
}

#[test]
fn weights_change_gently_from_vertex_to_vertex() {
    let (character, muscles) = body();
    let weights = influence(&character, &vec![Wear::Body; character.meshes.len()], &muscles).unwrap();
    for (mesh, weights) in character.meshes.iter().zip(&weights) {
        // Nearer the body these tubes are no skin: their rays pass into the trunk.
        let free = mesh.triangles.iter().filter(|triangle| triangle[0] > RINGS / 3 * (SECTORS + 1));
        for &[a, b, _] in free {
            let length = mesh.positions[a as usize].distance(mesh.positions[b as usize]);
            let [a, b] = [a, b].map(|v| weights.of(v as usize).collect::<Vec<_>>());
            for (muscle, weight) in &a {
                let there = b.iter().find(|(other, _)| other == muscle).map_or(0.0, |(_, weight)| *weight);
                // From nothing to all of it in no less than 2.5 cm.
                let slope = (weight - there).abs() / length;
                assert!(slope < 40.0, "{} changes by {slope} per metre", muscles[usize::from(*muscle)].name);
            }
        }
    }
}

#[test]
fn both_vertices_of_a_seam_weigh_the_same() {
    let (character, muscles) = body();
    let weights = influence(&character, &vec![Wear::Body; character.meshes.len()], &muscles).unwrap();
    for row in 0..RINGS {
        let first = (row * (SECTORS + 1)) as usize;
        let [a, b] = [first, first + SECTORS as usize].map(|v| weights[0].of(v).collect::<Vec<_>>());
        assert_eq!(a, b);
    }
}

#[test]
fn ranks_may_change_without_a_jump() {
    let almost = |last: [f32; 2]| settle(vec![(0, 0.9), (1, 0.7), (2, 0.5), (3, last[0]), (4, last[1])]);
    let [before, after] = [almost([0.4001, 0.4]), almost([0.4, 0.4001])];
    for ((m, a), (n, b)) in before.iter().zip(&after).take(3) {
        assert!(m == n && (a - b).abs() < 1e-3);
    }
    // The last place goes from one muscle to the other, and weighs little.
    assert!(before[3].0 == 3 && after[3].0 == 4 && before[3].1 < 0.1);
}
