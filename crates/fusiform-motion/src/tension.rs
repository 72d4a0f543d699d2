//! Tension: the muscle forces that explain the torques of one frame, with as little effort as they allow.
//!
//! Muscles are many and torques few, so effort decides (Crowninshield, Brand: *A physiologically based criterion of muscle
//! force prediction in locomotion*, J. Biomech. 14, 1981), and measured activity where there is some, which alone tells of
//! antagonists that pull against each other (Murai et al.: *Dynamic Skin Deformation Simulation Using Musculoskeletal Model
//! and Soft Tissue Dynamics*, section 3.1):
//!
//! ```text
//! minimise    Σᵢ aᵢ² + Σᵢ wᵢ (aᵢ − eᵢ)² + Σⱼ p/uⱼ ( |sⱼ| + sⱼ²/2cⱼ )        a activation, f = a f_max force
//! such that   Σᵢ bᵢⱼ aᵢ + sⱼ = τⱼ,   least ≤ aᵢ ≤ 1                         bᵢⱼ = Rᵢⱼ f_maxᵢ, N m
//! ```
//!
//! w is 0 for muscles without EMG e. The reserve s is the slack of last resort. Its cost has a corner at 0, unlike the
//! usual square: with a square alone every torque would leak into it a little, while behind the corner it is exactly 0
//! wherever muscles can carry the torque at less than p per uⱼ, and takes over where they cannot, or only by absurd effort
//! (a large p would otherwise pull with all might on a moment arm of a micrometre). The square makes the answer unique; with
//! cⱼ = uⱼ + |τⱼ| + Σᵢ |bᵢⱼ|, more than any reserve, it keeps λ below 2p/u, and with it what a muscle does for a torque.
//!
//! The multipliers λ of the torques, one per degree of freedom, are the only unknowns. At given λ, everything else is known:
//!
//! ```text
//! aᵢ(λ) = clamp( (wᵢ eᵢ + ½ bᵢ·λ) / (1 + wᵢ), least, 1 )        sⱼ(λ) = cⱼ sign(λⱼ) max(|λⱼ| uⱼ/p − 1, 0)
//! ∇G(λ) = Σᵢ bᵢ aᵢ(λ) + s(λ) − τ                                ∇²G(λ) = Σ over unclamped i: bᵢ bᵢᵀ / 2(1 + wᵢ)
//!                                                                        + diag(cⱼ uⱼ/p where sⱼ ≠ 0)
//! ```
//!
//! G, the negative dual, is convex, piecewise quadratic and grows in every direction: Newton's method with an exact line
//! search finds its minimum in finitely many steps (Sun: *On piecewise quadratic Newton and trust region problems*,
//! Math. Programming 76, 1997), each a Cholesky factorisation of n_dof x n_dof. λ of the frame before is the start.
//! Nothing is allocated after [`Tension::new`].

mod dual;

use dual::Dual;

/// What the solution should be like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// No muscle rests below this activation; 0 or more, below 1.
    pub least_activation: f64,
    /// w: how much a deviation from EMG counts against effort. A muscle on its own settles at w/(1 + w) of its EMG.
    pub emg_weight: f64,
    /// p: muscles carry a torque as long as one more [`Problem::reserve_unit`] of it costs less effort than this; the
    /// whole effort of n muscles at full force is n.
    pub reserve_price: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { least_activation: 0.0, emg_weight: 10.0, reserve_price: 100.0 }
    }
}

/// One frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Problem<'a> {
    /// n_muscle x n_dof, m: torque about a coordinate per newton of a muscle, −∂length/∂coordinate.
    pub moment_arms: &'a [f64],
    /// n_muscle, N: what each muscle can pull with in this frame; 0 for a muscle that cannot.
    pub strength: &'a [f64],
    /// n_dof, N m (N for a coordinate that is a length).
    pub torque: &'a [f64],
    /// n_muscle, 1 is all a muscle can do; or empty when nothing was measured.
    pub emg: &'a [Option<f64>],
    /// n_dof, N m: how strong a reserve is, which makes it cheap; or empty for 1 everywhere.
    pub reserve_unit: &'a [f64],
}

/// What explains the frame. Slices are good until the next frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solved<'a> {
    /// n_muscle, 0 ..= 1.
    pub activation: &'a [f64],
    /// n_muscle, N.
    pub force: &'a [f64],
    /// n_dof, N m: the torque that muscles do not make, exactly `torque − Rᵀ force`.
    pub reserve: &'a [f64],
    /// n_dof, per N m: λ, what a little more torque would cost.
    pub multiplier: &'a [f64],
    /// Newton steps taken.
    pub steps: usize,
    /// Whether the effort is the least; otherwise the forces are legal and the reserve is true, but effort was wasted.
    pub settled: bool,
}

/// A frame that cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TensionError {
    /// An array of another length.
    #[error("{what} has {found} numbers where {wanted} are needed")]
    Length {
        /// Which array.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length it must have.
        wanted: usize,
    },
    /// A moment arm that is none.
    #[error("the moment arm of muscle {muscle} about coordinate {dof} is not a finite number; look at its path")]
    MomentArm {
        /// Row.
        muscle: usize,
        /// Column.
        dof: usize,
    },
    /// Anything else that is not a number that makes sense.
    #[error("{what} {index} is not {wanted}")]
    Number {
        /// "the torque of coordinate", "the strength of muscle".
        what: &'static str,
        /// Which one.
        index: usize,
        /// "a finite number".
        wanted: &'static str,
    },
    /// Settings that make no sense.
    #[error("the {0}")]
    Settings(&'static str),
}

/// The solver: all that it needs from frame to frame.
#[derive(Clone, Debug)]
pub struct Tension {
    settings: Settings,
    dual: Dual,
    force: Box<[f64]>,   // n_muscle
    reserve: Box<[f64]>, // n_dof
}

impl Tension {
    /// For frames of so many muscles and coordinates.
    pub fn new(n_muscle: usize, n_dof: usize, settings: Settings) -> Result<Self, TensionError> {
        let Settings { least_activation, emg_weight, reserve_price } = settings;
        if !(0.0..1.0).contains(&least_activation) {
            return Err(TensionError::Settings("least activation must be at least 0 and below 1"));
        }
        if !(emg_weight.is_finite() && emg_weight >= 0.0) {
            return Err(TensionError::Settings("weight of EMG must be a finite number, 0 or more"));
        }
        if !(reserve_price.is_finite() && reserve_price > 0.0) {
            return Err(TensionError::Settings("price of reserves must be a finite number above 0"));
        }
        let dual = Dual::new(n_muscle, n_dof, least_activation, reserve_price);
        Ok(Self { settings, dual, force: vec![0.0; n_muscle].into(), reserve: vec![0.0; n_dof].into() })
    }

    /// Forget the frame before, as at a cut between two motions.
    pub fn reset(&mut self) {
        self.dual.multiplier.fill(0.0);
    }

    /// The forces of a frame. What was solved before only makes it faster.
    pub fn solve(&mut self, problem: &Problem) -> Result<Solved<'_>, TensionError> {
        check(problem, self.force.len(), self.reserve.len())?;
        self.load(problem);
        let (steps, settled) = self.dual.minimise();
        let n_dof = self.reserve.len();
        self.reserve.copy_from_slice(problem.torque);
        for (i, activation) in self.dual.activation.iter().enumerate() {
            self.force[i] = activation * problem.strength[i];
            let arms = &problem.moment_arms[i * n_dof..(i + 1) * n_dof];
            for (reserve, arm) in self.reserve.iter_mut().zip(arms) {
                *reserve -= arm * self.force[i];
            }
        }
        let Dual { activation, multiplier, .. } = &self.dual;
        Ok(Solved { activation, force: &self.force, reserve: &self.reserve, multiplier, steps, settled })
    }

    fn load(&mut self, problem: &Problem) {
        let n_dof = self.reserve.len();
        for (i, &strength) in problem.strength.iter().enumerate() {
            let emg = problem.emg.get(i).copied().flatten();
            let weight = if emg.is_some() { self.settings.emg_weight } else { 0.0 };
            let arms = &problem.moment_arms[i * n_dof..(i + 1) * n_dof];
            self.dual.set_muscle(i, arms, strength, weight, emg.unwrap_or(0.0));
        }
        for (j, &torque) in problem.torque.iter().enumerate() {
            self.dual.set_dof(j, torque, problem.reserve_unit.get(j).copied().unwrap_or(1.0));
        }
    }
}

fn check(problem: &Problem, n_muscle: usize, n_dof: usize) -> Result<(), TensionError> {
    let Problem { moment_arms, strength, torque, emg, reserve_unit } = problem;
    let length = |what, found, wanted| {
        if found == wanted { Ok(()) } else { Err(TensionError::Length { what, found, wanted }) }
    };
    length("the matrix of moment arms", moment_arms.len(), n_muscle * n_dof)?;
    length("the list of strengths", strength.len(), n_muscle)?;
    length("the list of torques", torque.len(), n_dof)?;
    length("the list of EMG values", emg.len(), if emg.is_empty() { 0 } else { n_muscle })?;
    length("the list of reserves", reserve_unit.len(), if reserve_unit.is_empty() { 0 } else { n_dof })?;
    if let Some(at) = moment_arms.iter().position(|arm| !arm.is_finite()) {
        return Err(TensionError::MomentArm { muscle: at / n_dof, dof: at % n_dof });
    }
    let number = |what, bad: Option<usize>, wanted| match bad {
        Some(index) => Err(TensionError::Number { what, index, wanted }),
        None => Ok(()),
    };
    let weak = strength.iter().position(|f| !(f.is_finite() && *f >= 0.0));
    number("the strength of muscle", weak, "a finite number, 0 or more")?;
    number("the torque of coordinate", torque.iter().position(|t| !t.is_finite()), "a finite number")?;
    let wild = emg.iter().position(|e| e.is_some_and(|e| !e.is_finite()));
    number("the EMG of muscle", wild, "a finite number")?;
    let useless = reserve_unit.iter().position(|u| !(u.is_finite() && *u > 0.0));
    number("the reserve of coordinate", useless, "a finite number above 0")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_frame<'a>(moment_arms: &'a [f64], strength: &'a [f64], torque: &'a [f64]) -> Problem<'a> {
        Problem { moment_arms, strength, torque, emg: &[], reserve_unit: &[] }
    }

    #[test]
    fn equal_muscles_share_a_torque_equally() {
        let mut tension = Tension::new(2, 1, Settings::default()).unwrap();
        let solved = tension.solve(&one_frame(&[0.04, 0.04], &[500.0, 500.0], &[10.0])).unwrap();
        assert!(solved.force.iter().all(|f| (f - 125.0).abs() < 1e-9), "{solved:?}");
        assert!(solved.reserve[0].abs() < 1e-12 && solved.settled);
    }

    #[test]
    fn a_coordinate_no_muscle_moves_is_left_to_its_reserve() {
        let mut tension = Tension::new(1, 2, Settings::default()).unwrap();
        let solved = tension.solve(&one_frame(&[0.05, 0.0], &[1000.0], &[20.0, -300.0])).unwrap();
        assert!((solved.activation[0] - 0.4).abs() < 1e-12);
        assert!(solved.reserve[0].abs() < 1e-9);
        assert_eq!(solved.reserve[1], -300.0);
    }

    #[test]
    fn reserves_take_what_muscles_cannot() {
        let mut tension = Tension::new(2, 1, Settings::default()).unwrap();
        let solved = tension.solve(&one_frame(&[0.05, -0.05], &[1000.0, 1000.0], &[80.0])).unwrap();
        assert_eq!(solved.activation, [1.0, 0.0]);
        assert!((solved.reserve[0] - 30.0).abs() < 1e-9);
    }

    #[test]
    fn a_moment_arm_of_a_micrometre_is_not_pulled_with_all_might() {
        let mut tension = Tension::new(1, 1, Settings::default()).unwrap();
        let solved = tension.solve(&one_frame(&[1e-6], &[1000.0], &[5.0])).unwrap();
        assert!(solved.activation[0] < 0.1, "{solved:?}");
        assert!((solved.reserve[0] - 5.0).abs() < 1e-3);
    }

    #[test]
    fn a_muscle_without_strength_pulls_nothing() {
        let mut tension = Tension::new(2, 1, Settings::default()).unwrap();
        let solved = tension.solve(&one_frame(&[0.05, 0.05], &[0.0, 1000.0], &[25.0])).unwrap();
        assert_eq!(solved.force[0], 0.0);
        assert!((solved.force[1] - 500.0).abs() < 1e-9);
    }

    #[test]
    fn no_muscles_and_no_coordinates_are_no_problem() {
        let mut none = Tension::new(0, 0, Settings::default()).unwrap();
        assert!(none.solve(&one_frame(&[], &[], &[])).unwrap().settled);
        let mut bare = Tension::new(0, 1, Settings::default()).unwrap();
        assert_eq!(bare.solve(&one_frame(&[], &[], &[7.0])).unwrap().reserve, [7.0]);
        let mut idle = Tension::new(1, 0, Settings::default()).unwrap();
        assert_eq!(idle.solve(&one_frame(&[], &[100.0], &[])).unwrap().force, [0.0]);
    }

    #[test]
    fn muscles_rest_at_the_least_activation() {
        let settings = Settings { least_activation: 0.02, ..Settings::default() };
        let mut tension = Tension::new(2, 1, settings).unwrap();
        let solved = tension.solve(&one_frame(&[0.05, -0.05], &[1000.0, 1000.0], &[10.0])).unwrap();
        assert!((solved.activation[0] - 0.22).abs() < 1e-12 && solved.activation[1] == 0.02);
    }

    #[test]
    fn what_is_not_a_number_is_named() {
        let mut tension = Tension::new(2, 2, Settings::default()).unwrap();
        let good = ([0.05, 0.0, 0.0, 0.05], [1000.0, 900.0], [1.0, 2.0]);
        let mut say = |arms: [f64; 4], strength: [f64; 2], torque: [f64; 2], emg: &[Option<f64>], unit: &[f64]| {
            let problem = Problem { moment_arms: &arms, strength: &strength, torque: &torque, emg, reserve_unit: unit };
            tension.solve(&problem).map(|_| ()).unwrap_err().to_string()
        };
        let (arms, strength, torque) = good;
        let nan = f64::NAN;
        assert_eq!(
            say([0.05, 0.0, nan, 0.05], strength, torque, &[], &[]),
            "the moment arm of muscle 1 about coordinate 0 is not a finite number; look at its path"
        );
        assert_eq!(
            say(arms, [1.0, -1.0], torque, &[], &[]),
            "the strength of muscle 1 is not a finite number, 0 or more"
        );
        assert_eq!(say(arms, strength, [nan, 0.0], &[], &[]), "the torque of coordinate 0 is not a finite number");
        assert_eq!(say(arms, strength, torque, &[None, Some(nan)], &[]), "the EMG of muscle 1 is not a finite number");
        assert_eq!(
            say(arms, strength, torque, &[], &[1.0, 0.0]),
            "the reserve of coordinate 1 is not a finite number above 0"
        );
        assert_eq!(
            say(arms, strength, torque, &[None], &[]),
            "the list of EMG values has 1 numbers where 2 are needed"
        );
    }

    #[test]
    fn settings_that_make_no_sense_are_refused() {
        for settings in [
            Settings { least_activation: 1.0, ..Settings::default() },
            Settings { emg_weight: f64::NAN, ..Settings::default() },
            Settings { reserve_price: -1.0, ..Settings::default() },
        ] {
            assert!(matches!(Tension::new(1, 1, settings), Err(TensionError::Settings(_))), "{settings:?}");
        }
    }
}
