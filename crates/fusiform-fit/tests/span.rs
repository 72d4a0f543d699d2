//! A muscle where somebody points, and the skin it takes from others.

use fusiform::body::rest_bellies;
use fusiform::{Character, Mesh, Muscle, Musculature, Skeleton, SparseWeights, Transform};
use fusiform_fit::{
    FAT, Hold, MAX_MUSCLES, MAX_TOTAL, RigError, Surface, join_weights, put_weights, sort_meshes, span,
};
use glam::Vec3;
use std::f32::consts::TAU;

const AROUND: u32 = 12;
const ROWS: u32 = 17;

/// Two bones of 40 cm along x in a tube of 6 cm.
fn limb() -> Character {
    let skeleton =
        Skeleton::from_rest(&[("upper", None, Transform::IDENTITY), ("lower", Some(0), Transform::at(Vec3::X * 0.4))]);
    let mut mesh = Mesh::default();
    for i in 0..ROWS * AROUND {
        let (along, angle) = ((i / AROUND) as f32 * 0.05, (i % AROUND) as f32 * TAU / AROUND as f32);
        mesh.positions.push(Vec3::new(along, 0.06 * angle.cos(), 0.06 * angle.sin()));
        mesh.weights.push_vertex([(u16::from(along > 0.4), 1.0)]);
        if i / AROUND + 1 < ROWS {
            let next = i - i % AROUND + (i + 1) % AROUND;
            mesh.triangles.extend([[i, next, i + AROUND], [next, next + AROUND, i + AROUND]]);
        }
    }
    Character { skeleton, meshes: vec![mesh], ..Character::default() }
}

fn on_top(joint: usize, x: f32) -> Hold {
    Hold { joint, place: Vec3::new(x, 0.06, 0.0) }
}

fn made(character: &Character) -> Muscle {
    let ends = [on_top(0, 0.1), on_top(1, 0.5)];
    span(character, &sort_meshes(character), ends, FAT * character.height()).expect("two places apart")
}

#[test]
fn a_muscle_lies_between_skin_and_bone_where_it_was_pointed_at() {
    let character = limb();
    let muscle = made(&character);
    assert_eq!((&*muscle.origin.joint, &*muscle.insertion.joint), ("upper", "lower"));
    let belly = rest_bellies(&character.skeleton, &[muscle]).unwrap().remove(0);
    let surface = Surface::new(&character.meshes).unwrap();
    assert!(belly.points.iter().all(|&p| surface.depth(p) > 0.0), "all of it is inside");
    let middle = &belly.rings[belly.rings.len() / 2];
    assert!(middle.b.y > 0.95 && middle.center.y > 0.02, "it lies on its own side: {middle:?}");
    assert!((0.01..0.04).contains(&middle.half_axes.x), "{middle:?}");
}

#[test]
fn one_place_spans_nothing_and_neither_do_joints_that_are_not_there() {
    let character = limb();
    let wear = sort_meshes(&character);
    assert_eq!(span(&character, &wear, [on_top(0, 0.1); 2], 0.002), Err(RigError::NoSpan));
    assert_eq!(span(&character, &wear, [on_top(0, 0.1), on_top(7, 0.5)], 0.002), Err(RigError::NoSpan));
    let bare = Character { meshes: Vec::new(), ..character };
    assert_eq!(span(&bare, &[], [on_top(0, 0.1), on_top(1, 0.5)], 0.002), Err(RigError::NoSkin));
}

/// The limb with a muscle of that weight on all of its skin, and one that has none yet.
fn with_other(weight: f32) -> (Character, Musculature) {
    let character = limb();
    let muscle = made(&character);
    let muscles = ["other", "new"].map(|name| Muscle { name: name.into(), ..muscle.clone() });
    let mut weights = SparseWeights::default();
    (0..ROWS * AROUND).for_each(|_| weights.push_vertex([(0, weight)]));
    let musculature = Musculature { muscles: muscles.into(), weights: vec![weights], ..Musculature::default() };
    (character, musculature)
}

#[test]
fn a_muscle_that_comes_takes_its_share_and_others_give_way_only_where_they_must() {
    for weight in [0.0, 0.05, 0.9, 1.0] {
        let (character, mut musculature) = with_other(weight);
        join_weights(&character, &sort_meshes(&character), &mut musculature, &[1]).unwrap();
        let weights = &musculature.weights[0];
        let of = |v: usize, m: u16| weights.of(v).filter(|(i, _)| *i == m).map(|(_, w)| w).sum::<f32>();
        let most = (0..weights.len()).map(|v| of(v, 1)).fold(0.0, f32::max);
        assert!(most > 0.3, "beside {weight} it has {most}");
        for v in 0..weights.len() {
            let (other, new) = (of(v, 0), of(v, 1));
            assert!(other + new <= weight.max(MAX_TOTAL) + 1e-5, "{other} and {new}");
            assert!(new > 0.0 || other == weight, "where it has nothing, nothing changes");
            assert!(other == weight || weight + new > MAX_TOTAL, "there was room: {other} and {new}");
        }
        let before = musculature.weights.clone();
        join_weights(&character, &sort_meshes(&character), &mut musculature, &[1]).unwrap();
        assert_eq!(musculature.weights, before, "weighed again, it has what it had");
    }
}

#[test]
fn no_vertex_has_more_muscles_than_it_may() {
    let (character, mut musculature) = with_other(0.2);
    let four = [(0, 0.2), (1, 0.05), (2, 0.3), (3, 0.1)];
    let mut weights = SparseWeights::default();
    (0..ROWS * AROUND).for_each(|_| weights.push_vertex(four));
    let muscle = musculature.muscles[0].clone();
    musculature.muscles = (0..5).map(|k| Muscle { name: format!("{k}"), ..muscle.clone() }).collect();
    musculature.weights = vec![weights];
    put_weights(&character, &mut musculature, &[4], |_, v| vec![(4, if v == 0 { 0.2 } else { 0.0 })]);
    let of = |v: usize| musculature.weights[0].of(v).collect::<Vec<_>>();
    assert_eq!(of(0).len(), MAX_MUSCLES);
    assert!(of(0).iter().all(|(m, _)| *m != 1), "the lightest gives way: {:?}", of(0));
    assert_eq!(of(1), four, "others are as they were, to the bit");
}
