//! Spring: the one mass that makes a muscle lag and jiggle.
//!
//! ```text
//! x″ + γ x′ + ω² (x − x_const) = 0        ω² = k/m,  γ = 60 f
//! ```
//!
//! Lee, Ashraf: *Simplified Muscle Dynamics for Appealing Real-Time Skin Deformation*, 2007, eq. 9-12: `f` is the share
//! of velocity lost in 1/60 s. The state is kept in world axes and relative to the anchor, so that a character far from
//! the origin jiggles as finely as one at it.

use glam::Vec3;

/// A frame that moves the anchor further than this many heights, and faster than [`TELEPORT_SPEED`], is a teleport.
const TELEPORT_DISTANCE: f32 = 2.0;
/// Heights per second.
const TELEPORT_SPEED: f32 = 100.0;
/// A sub-step of `verlet` is never longer: the paper's own step.
const LONGEST_STEP: f32 = 1.0 / 60.0;
/// `verlet` never takes more sub-steps a frame; a spring too stiff for that many is softened.
const MOST_STEPS: u32 = 256;

/// What one spring remembers between frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpringState {
    /// From the anchor to the mass, metres, world axes.
    pub displacement: Vec3,
    /// Of the mass, m/s, world axes.
    pub velocity: Vec3,
    /// The anchor after the last frame, metres, world space.
    pub anchor: Vec3,
    /// Mean velocity of the anchor over the last frame, m/s, world axes.
    pub anchor_velocity: Vec3,
    /// Its acceleration at the start of the last frame, m/s².
    pub anchor_acceleration: Vec3,
    /// Length of the last frame (`exact`) or sub-step (`verlet`), seconds; 0 before the first frame.
    pub last_step: f32,
    /// Whether a frame has been seen.
    pub started: bool,
}

/// ω² and γ of one spring, per second squared and per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oscillator {
    /// k / m.
    pub stiffness: f32,
    /// 60 f, times the physique's damping.
    pub damping: f32,
}

/// The damped oscillator's own solution over one frame: state after = coefficients x state before.
///
/// With d the displacement and x′ the velocity; over the frame of length h the anchor moves at mean velocity w and
/// acceleration g, which the two frames before tell. A straight line between frames would cost 2 % of the peak at
/// 60 frames a second and 8 % at 30; this costs 0.1 % and 1 %.
///
/// ```text
/// d(h)  = C d + S x′ + (r − h) w + (∫r − h r/2) g        C, S   homogeneous solutions, C(0) = S′(0) = 1
/// x′(h) = C′ d + S′ x′ + r′ w + (r − h r′/2) g           r      answer to an anchor that sets off at unit speed
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Exact {
    h: f32,
    /// Of d, x′, w and g in the displacement.
    place: [f32; 4],
    /// Of the same in the velocity.
    rate: [f32; 4],
}

impl Exact {
    /// Coefficients of a frame of `h` seconds; f64 inside, because small frames cancel.
    #[must_use]
    pub fn new(oscillator: Oscillator, h: f32) -> Self {
        let step = h;
        let (h, w2, gamma) = (f64::from(h), f64::from(oscillator.stiffness), f64::from(oscillator.damping));
        let half = 0.5 * gamma;
        let (s, s_rate) = homogeneous(half, w2 - half * half, h);
        // integrating the equation once: r′ = ω² ∫S = 1 − S′ − γ S, and r′ + γ r + ω² (∫r − h²/2) = 0
        let strong = w2 * h * h > 1e-6;
        let s_integral = if strong { (1.0 - s_rate - gamma * s) / w2 } else { slow_integral(gamma, h) };
        let (r, r_rate) = (h - s - gamma * s_integral, w2 * s_integral);
        let r_integral = if strong { 0.5 * h * h - (r_rate + gamma * r) / w2 } else { 0.0 };
        let place = [1.0 - r_rate, s, r - h, r_integral - 0.5 * h * r];
        let rate = [-w2 * s, s_rate, r_rate, r - 0.5 * h * r_rate];
        Self { h: step, place: place.map(|x| x as f32), rate: rate.map(|x| x as f32) }
    }

    /// Carry the spring over the frame these coefficients were made for.
    #[inline]
    pub fn step(&self, state: &mut SpringState, anchor_velocity: Vec3) {
        let (d, v, w) = (state.displacement, state.velocity, anchor_velocity);
        let both = self.h + state.last_step;
        let at_start = (w - state.anchor_velocity) * (2.0 / both);
        let g = at_start + (at_start - state.anchor_acceleration) * (self.h / both);
        let mix = |k: [f32; 4]| d * k[0] + v * k[1] + w * k[2] + g * k[3];
        (state.displacement, state.velocity) = (mix(self.place), mix(self.rate));
        (state.anchor_velocity, state.anchor_acceleration, state.last_step) = (w, at_start, self.h);
    }
}

/// The damped oscillator's own solution over one step under a constant force: what soft bodies are carried by between the
/// pulls of their neighbours.
///
/// ```text
/// d(h)  = (1 − ω² ∫S) d + S d′ + ∫S f
/// d′(h) = −ω² S d + S′ d′ + S f
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Forced {
    /// Of d, d′ and f in the displacement.
    pub place: [f32; 3],
    /// Of the same in the velocity.
    pub rate: [f32; 3],
}

impl Forced {
    /// Coefficients of a step of `h` seconds.
    #[must_use]
    pub fn new(oscillator: Oscillator, h: f32) -> Self {
        let (h, w2, gamma) = (f64::from(h), f64::from(oscillator.stiffness), f64::from(oscillator.damping));
        let half = 0.5 * gamma;
        let (s, s_rate) = homogeneous(half, w2 - half * half, h);
        let s_integral = if w2 * h * h > 1e-6 { (1.0 - s_rate - gamma * s) / w2 } else { slow_integral(gamma, h) };
        let (place, rate) = ([1.0 - w2 * s_integral, s, s_integral], [-w2 * s, s_rate, s]);
        Self { place: place.map(|x| x as f32), rate: rate.map(|x| x as f32) }
    }
}

/// S(h) and S′(h) of y″ + 2α y′ + (α² + q) y = 0: sines for q > 0, their series near q = 0, exponentials below.
fn homogeneous(alpha: f64, q: f64, h: f64) -> (f64, f64) {
    let decay = libm::exp(-alpha * h);
    let z2 = q * h * h;
    if z2.abs() < 1e-4 {
        let (sine, cosine) = (h * (1.0 - z2 / 6.0 + z2 * z2 / 120.0), 1.0 - z2 / 2.0 + z2 * z2 / 24.0);
        (decay * sine, decay * (cosine - alpha * sine))
    } else if q > 0.0 {
        let beta = libm::sqrt(q);
        let (sine, cosine) = (libm::sin(beta * h) / beta, libm::cos(beta * h));
        (decay * sine, decay * (cosine - alpha * sine))
    } else {
        // e^{−αh} sinh(βh) as two decays: neither overflows, since β ≤ α wherever stiffness is not negative
        let beta = libm::sqrt(-q);
        let (slow, fast) = (libm::exp((beta - alpha) * h), libm::exp(-(beta + alpha) * h));
        let (sine, cosine) = (0.5 * (slow - fast) / beta, 0.5 * (slow + fast));
        (sine, cosine - alpha * sine)
    }
}

/// ∫S of a spring too weak to matter over one frame: drag alone.
fn slow_integral(gamma: f64, h: f64) -> f64 {
    let x = gamma * h;
    if x < 1e-3 {
        return h * h * (0.5 - x / 6.0);
    }
    (x + libm::expm1(-x)) / (gamma * gamma)
}

/// Set the spring down at its anchor when it starts, when it is told to, or when the anchor jumped; true if it did.
#[inline]
pub fn settle(state: &mut SpringState, anchor: Vec3, dt: f32, height: f32, teleport: bool) -> bool {
    let moved = (anchor - state.anchor).length();
    let jumped = moved > TELEPORT_DISTANCE * height && moved > TELEPORT_SPEED * height * dt;
    let sound = state.displacement.is_finite() && state.velocity.is_finite() && moved.is_finite();
    let settled = teleport || jumped || !state.started || !sound;
    if settled {
        *state = SpringState { anchor, last_step: dt, started: true, ..SpringState::default() };
    }
    settled
}

/// A displacement held within `reach`: itself while small, never longer, its direction kept.
#[inline]
pub fn held(displacement: Vec3, reach: f32) -> Vec3 {
    let ratio = displacement.length() / reach;
    displacement * (1.0 / (1.0 + ratio * ratio).sqrt())
}

/// The paper's damped Verlet (eq. 12), generalised to steps of varying length.
///
/// ```text
/// x(t+h) = x + (1 − γh)(x − x_prev) h/h_prev − ω² (x − x_const) h (h + h_prev)/2
/// ```
///
/// At h = h_prev = 1/60 s this is eq. 12 to the letter. Sub-steps keep ωh < 1 and γh ≤ 1; the anchor moves in a
/// straight line over the frame.
pub fn verlet(oscillator: Oscillator, state: &mut SpringState, anchor_velocity: Vec3, dt: f32) {
    let fastest = oscillator.stiffness.sqrt().max(oscillator.damping) * 1.01;
    let steps = (dt / LONGEST_STEP).ceil().max((dt * fastest).ceil()).clamp(1.0, MOST_STEPS as f32);
    let h = dt / steps;
    let stiffness = oscillator.stiffness.min(0.98 / (h * h));
    let keep = (1.0 - oscillator.damping * h).max(0.0);
    for _ in 0..steps as u32 {
        let last = state.last_step.min(2.0 * h); // a long last step must not kick a short one out of stability
        let moved = state.velocity * (keep * h) - state.displacement * (stiffness * h * (h + last) * 0.5);
        state.displacement += moved - anchor_velocity * h;
        state.velocity = moved / h;
        state.last_step = h;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An anchor that swings out and back by 30 cm in 0.7 s, as a limb does: metres at `t` seconds.
    fn anchor(t: f64) -> f64 {
        if t < 0.7 { 0.3 * (t / 0.7 * std::f64::consts::PI).sin().powi(4) } else { 0.0 }
    }

    /// The reference: eq. 12 in f64 at 1/100000 s; displacement from the anchor, every 1/`fps` s for 2 s.
    fn reference(oscillator: Oscillator, fps: usize) -> Vec<f64> {
        let h = 1e-5;
        let (w2, gamma) = (f64::from(oscillator.stiffness), f64::from(oscillator.damping));
        let (mut x, mut before) = (0.0, 0.0);
        let mut out = Vec::new();
        for i in 0..200_000_usize {
            let next = x + (1.0 - gamma * h) * (x - before) - w2 * (x - anchor(i as f64 * h)) * h * h;
            (before, x) = (x, next);
            if (i + 1) * fps / 100_000 > i * fps / 100_000 {
                out.push(x - anchor((i + 1) as f64 * h));
            }
        }
        out
    }

    fn simulated(fps: usize, mut step: impl FnMut(&mut SpringState, Vec3, f32)) -> Vec<f64> {
        let dt = 1.0 / fps as f64;
        let mut state = SpringState { started: true, last_step: dt as f32, ..SpringState::default() };
        let run = (1..=2 * fps).map(|i| {
            let velocity = (anchor(i as f64 * dt) - anchor((i - 1) as f64 * dt)) / dt;
            step(&mut state, Vec3::X * velocity as f32, dt as f32);
            f64::from(state.displacement.x)
        });
        run.collect()
    }

    fn worst(a: &[f64], b: &[f64]) -> f64 {
        let peak = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        a.iter().zip(b).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs())) / peak
    }

    const JIGGLY: Oscillator = Oscillator { stiffness: 1000.0, damping: 6.0 };

    #[test]
    fn exact_agrees_with_the_papers_verlet_at_a_hundred_thousand_steps_a_second() {
        for oscillator in [
            JIGGLY,
            Oscillator { stiffness: 400.0, damping: 40.0 },
            Oscillator { stiffness: 900.0, damping: 60.0 },
            Oscillator { stiffness: 100.0, damping: 55.0 },
        ] {
            let exact = Exact::new(oscillator, 1.0 / 1000.0);
            let error = worst(&reference(oscillator, 1000), &simulated(1000, |s, v, _| exact.step(s, v)));
            println!("{oscillator:?}: exact against verlet at 1e-5 s: {:.4} % of the peak", 100.0 * error);
            assert!(error < 1e-3, "{oscillator:?}: {error}");
        }
    }

    #[test]
    fn thirty_sixty_and_a_hundred_and_forty_four_frames_a_second_jiggle_alike() {
        for fps in [30, 60, 144] {
            let exact = Exact::new(JIGGLY, 1.0 / fps as f32);
            let error = worst(&reference(JIGGLY, fps), &simulated(fps, |s, v, _| exact.step(s, v)));
            println!("{fps} fps: {:.3} % of the peak", 100.0 * error);
            assert!(error < 0.01, "{fps} fps: {error}");
        }
    }

    #[test]
    fn verlet_at_a_sixtieth_is_equation_12() {
        let (w2, f, h) = (500.0_f64, 0.1, 1.0 / 60.0);
        let oscillator = Oscillator { stiffness: w2 as f32, damping: 60.0 * f as f32 };
        let mut state = SpringState { displacement: Vec3::X * 0.1, last_step: h as f32, ..SpringState::default() };
        let (mut x, mut before) = (0.1, 0.1);
        for _ in 0..60 {
            let next = -w2 * x * h * h - (1.0 - f) * before + (2.0 - f) * x;
            (before, x) = (x, next);
            // 22.4 rad/s x 1/60 s is below one, so there is a single sub-step
            verlet(oscillator, &mut state, Vec3::ZERO, h as f32);
            assert!((f64::from(state.displacement.x) - x).abs() < 1e-4);
        }
    }

    #[test]
    fn verlet_and_exact_agree_as_the_step_shrinks() {
        let exact = Exact::new(JIGGLY, 1e-4);
        let error = worst(
            &simulated(10_000, |s, v, _| exact.step(s, v)),
            &simulated(10_000, |s, v, h| verlet(JIGGLY, s, v, h)),
        );
        assert!(error < 0.01, "{error}");
    }

    #[test]
    fn no_legal_spring_explodes_at_any_step() {
        for stiffness in [0.0, 1e-9, 1.0, 1e4, 1e15] {
            for damping in [0.0, 1e-6, 1.0, 60.0, 6000.0] {
                for dt in [1e-4, 1.0 / 60.0, 0.3, 1.0] {
                    let oscillator = Oscillator { stiffness, damping };
                    let exact = Exact::new(oscillator, dt);
                    let start = SpringState { displacement: Vec3::ONE, velocity: Vec3::X, ..SpringState::default() };
                    let (mut a, mut b) = (start, start);
                    for i in 0..200 {
                        let velocity = if i < 3 { Vec3::splat(2.0) } else { Vec3::ZERO };
                        exact.step(&mut a, velocity);
                        verlet(oscillator, &mut b, velocity, dt);
                    }
                    for (name, state) in [("exact", a), ("verlet", b)] {
                        assert!(
                            state.displacement.is_finite() && state.displacement.length() < 1e4,
                            "{name} {oscillator:?} dt {dt}: {state:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn without_stiffness_it_is_drag_alone() {
        let exact = Exact::new(Oscillator { stiffness: 0.0, damping: 2.0 }, 0.5);
        let mut state = SpringState { velocity: Vec3::X, ..SpringState::default() };
        exact.step(&mut state, Vec3::ZERO);
        assert!((state.displacement.x - (1.0 - (-1.0_f32).exp()) / 2.0).abs() < 1e-6);
        assert!((state.velocity.x - (-1.0_f32).exp()).abs() < 1e-6);
    }

    #[test]
    fn a_spring_gives_way_softly_and_never_past_its_reach() {
        assert!((held(Vec3::X * 1e-3, 0.1).x - 1e-3).abs() < 1e-6);
        assert!((held(Vec3::X * 0.1, 0.1).x - 0.0707).abs() < 1e-4);
        assert!(held(Vec3::splat(1e18), 0.1).length() < 0.1001);
    }

    #[test]
    fn a_jump_of_the_anchor_sets_the_spring_down() {
        let mut state = SpringState { displacement: Vec3::X, started: true, ..SpringState::default() };
        assert!(!settle(&mut state, Vec3::X * 3.0, 1.0, 1.8, false), "3 m in a second is a run");
        assert!(settle(&mut state, Vec3::X * 30.0, 1.0 / 60.0, 1.8, false), "30 m in a frame is not");
        assert_eq!(state.displacement, Vec3::ZERO);
    }
}
