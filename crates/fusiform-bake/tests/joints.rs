//! Helper joints: better than plain skinning, at rest in the bind pose, the same bits on any number of threads.

mod played;

use fusiform_bake::{BakeError, Decomposition, JointSettings, Sequence, decompose};
use glam::{Affine3A, Vec3};
use played::Played;

fn sequence(played: &Played) -> Sequence<'_> {
    Sequence {
        bind: &played.bind,
        weights: &played.weights,
        n_joint: played.n_joint,
        since_bind: &played.since_bind,
        solved: &played.solved,
    }
}

/// Largest and root mean square error, found through the public matrices alone.
fn errors(played: &Played, found: &Decomposition) -> (f32, f32) {
    let (mut max, mut sum) = (0.0f32, 0.0f64);
    for frame in 0..played.n_frame() {
        let joints = played.joints_of(frame);
        let helper = |h: usize| found.since_bind(frame, h, &joints[usize::from(found.parents[h])]);
        let all: Vec<Affine3A> = joints.iter().copied().chain((0..found.parents.len()).map(helper)).collect();
        for (v, (bind, solved)) in played.bind.iter().zip(played.skin_of(frame)).enumerate() {
            let there: Vec3 = found.weights.of(v).map(|(j, w)| all[usize::from(j)].transform_point3(*bind) * w).sum();
            max = max.max(there.distance(*solved));
            sum += f64::from(there.distance_squared(*solved));
        }
    }
    (max, (sum / played.solved.len() as f64).sqrt() as f32)
}

#[test]
fn helpers_halve_what_plain_skinning_leaves_and_report_it_truly() {
    let played = played::play(3_700, 8, 8);
    let settings = JointSettings { helpers: 24, max_influences: 4, sweeps: 14 };
    let mut heard = Vec::new();
    let told = |done| {
        heard.push(done);
        Ok(())
    };
    let found = decompose(&sequence(&played), &settings, told).expect("sound");
    let (first, last) = (found.errors[0], found.errors[found.errors.len() - 1]);
    assert!(last.rms < 0.5 * first.rms, "{last:?} after {first:?}");
    assert!(last.max < first.max, "{last:?} after {first:?}");
    let (max, rms) = errors(&played, &found);
    assert!((max - last.max).abs() < 1e-5 && (rms - last.rms).abs() < 1e-5, "{max} {rms} {last:?}");
    assert!(heard.is_sorted() && heard.last() == Some(&1.0), "{heard:?}");
    for v in 0..found.weights.len() {
        let sum: f32 = found.weights.of(v).map(|(_, w)| w).sum();
        assert!((sum - 1.0).abs() < 1e-5 && found.weights.of(v).all(|(_, w)| w >= 0.0), "vertex {v}");
        assert!(found.weights.of(v).count() <= 4, "vertex {v}");
    }
}

#[test]
fn a_helper_node_under_its_parent_gives_the_same_matrix() {
    let played = played::play(3_700, 4, 30);
    let found = decompose(&sequence(&played), &JointSettings { helpers: 4, ..JointSettings::default() }, |_| Ok(()))
        .expect("sound");
    let bind = Affine3A::from_rotation_translation(glam::Quat::from_rotation_z(0.7), Vec3::new(0.3, 1.2, 0.0));
    for frame in [0, played.n_frame() - 1] {
        for h in 0..found.parents.len() {
            let parent = played.joints_of(frame)[usize::from(found.parents[h])];
            let (turn, place) = found.local(frame, h, &bind);
            let node = parent * bind * Affine3A::from_rotation_translation(turn, place);
            let node_bind = bind * Affine3A::from_translation(found.rest(h, &bind));
            let expected = found.since_bind(frame, h, &parent);
            assert!((node * node_bind.inverse()).abs_diff_eq(expected, 1e-5), "helper {h}, frame {frame}");
        }
    }
}

#[test]
fn in_the_bind_pose_helpers_are_at_rest_to_the_bit() {
    let mut played = played::play(3_700, 4, 30);
    played.since_bind.extend(vec![Affine3A::IDENTITY; played.n_joint]);
    let bind = played.bind.clone();
    played.solved.extend(bind);
    let found = decompose(&sequence(&played), &JointSettings { helpers: 8, ..JointSettings::default() }, |_| Ok(()))
        .expect("sound");
    let (n, last) = (found.parents.len(), played.n_frame() - 1);
    assert_eq!(n, 8);
    assert!(found.turns[last * n..].iter().all(|&turn| turn == glam::Quat::IDENTITY));
    assert!(found.shifts[last * n..].iter().all(|&shift| shift == Vec3::ZERO));
}

#[test]
fn what_is_not_finite_is_refused() {
    let mut played = played::play(3_700, 4, 60);
    played.solved[5].x = f32::INFINITY;
    let found = decompose(&sequence(&played), &JointSettings::default(), |_| Ok(()));
    assert!(matches!(found, Err(BakeError::NotFinite { frame: 0, vertex: 5, .. })), "{found:?}");
}

#[test]
fn one_thread_and_two_give_the_same_bits() {
    let played = played::play(3_700, 4, 25);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            decompose(&sequence(&played), &JointSettings { helpers: 6, ..JointSettings::default() }, |_| Ok(()))
        })
    };
    assert_eq!(on(1).expect("sound"), on(2).expect("sound"));
}
