//! A forearm that is held still by a biceps and a triceps: without EMG only one of them pulls, with EMG both do, and the torque
//! is balanced either way.

use fusiform_motion::emg::{Recipe, Recording, match_channels};
use fusiform_motion::model::Muscle;
use fusiform_motion::strength::strength;
use fusiform_motion::tension::{Problem, Settings, Tension};

const MASS: f64 = 1.5; // kg, of forearm and hand
const REACH: f64 = 0.16; // m, from the elbow to their center
const GRAVITY: f64 = 9.81;
const ARMS: [f64; 2] = [0.035, -0.022]; // m: biceps flexes, triceps extends
const PATHS: [f64; 2] = [0.36, 0.30]; // m

fn muscles() -> [Muscle; 2] {
    let muscle = |name: &str, max_force, optimal_length, tendon_length, pennation| Muscle {
        name: name.to_owned(),
        max_force,
        optimal_length,
        tendon_length,
        pennation,
        ..Muscle::default()
    };
    [muscle("biceps", 1000.0, 0.12, 0.25, 0.0), muscle("triceps", 1500.0, 0.11, 0.18, 0.2)]
}

/// Two channels of a buzz, as strong as given.
fn recording(strong: [f64; 2]) -> Recording {
    let buzz = |k: usize| strong.map(|s| s * (0.9 * k as f64 + 0.7 * (1.3 * k as f64).sin()).sin());
    let samples: Vec<[f64; 2]> = (0..3000).map(buzz).collect();
    let column = |c: usize| samples.iter().map(|row| row[c]).collect();
    Recording {
        rate: 1000.0,
        start: 0.0,
        names: vec!["EMG1 Biceps R".to_owned(), "EMG2 Triceps R".to_owned()],
        samples: vec![column(0), column(1)],
    }
}

#[test]
fn a_forearm_held_still_is_balanced_and_emg_tells_that_both_muscles_pull() {
    let muscles = muscles();
    let strong = [0, 1].map(|i| strength(&muscles[i], PATHS[i]));
    let torque = [MASS * GRAVITY * REACH]; // level
    let mut tension = Tension::new(2, 1, Settings::default()).unwrap();
    let problem = Problem { moment_arms: &ARMS, strength: &strong, torque: &torque, emg: &[], reserve_unit: &[] };

    let solved = tension.solve(&problem).unwrap();
    assert!((solved.force[0] - torque[0] / ARMS[0]).abs() < 1e-9, "{solved:?}");
    assert_eq!(solved.force[1], 0.0);

    let times: Vec<f64> = (0..240).map(|frame| f64::from(frame) / 100.0).collect();
    let maximum = vec![("EMG1 Biceps R".to_owned(), 1.0), ("EMG2 Triceps R".to_owned(), 1.0)];
    let recipe = Recipe { maximum, ..Recipe::default() };
    let recorded = recording([0.8, 0.6]);
    let activity = recorded.activity(&recipe, &times).unwrap();
    let matched = match_channels(&recorded.names, &muscles.map(|m| m.name), &[]).unwrap();
    assert_eq!(matched.channel_of, [Some(0), Some(1)]);

    let mut emg = [None; 2];
    for frame in 0..times.len() {
        activity.of_muscles(frame, &matched.channel_of, &mut emg);
        let solved = tension.solve(&Problem { emg: &emg, ..problem }).unwrap();
        assert!(solved.force.iter().all(|force| *force > 100.0), "{solved:?} {emg:?}");
        let made = ARMS[0] * solved.force[0] + ARMS[1] * solved.force[1];
        assert!((made - torque[0]).abs() < 1e-9 && solved.reserve[0].abs() < 1e-9, "{solved:?}");
    }
}
