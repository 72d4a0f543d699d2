use super::*;
use crate::body::Instructions;

const GRID: (usize, usize) = (9, 8);

/// A belly of 30 cm along x, 3 cm thick in the middle.
fn posed() -> Vec<Lane3> {
    let point = |k: usize| {
        let (s, angle) = ((k / GRID.1) as f32 / 8.0, (k % GRID.1) as f32 * std::f32::consts::FRAC_PI_4);
        let radius = 0.03 * (std::f32::consts::PI * s).sin();
        Vec3::new(0.3 * s, radius * angle.cos(), radius * angle.sin())
    };
    (0..GRID.0 * GRID.1).map(|k| Lane3::each(|_| point(k))).collect()
}

struct Belly {
    tissue: Tissue,
    particles: Vec<Particles>,
    rings: Vec<RingMotion>,
    work: Work,
    left: f32,
}

impl Belly {
    fn new(dynamics: &Dynamics) -> Self {
        let points = GRID.0 * GRID.1;
        let tissue = Tissue::new([dynamics; LANES], &Physique::ATHLETE, points, |_| 0.024).unwrap();
        let (particles, rings) = (vec![Particles::default(); points], vec![RingMotion::default(); GRID.0]);
        let mut belly = Self { tissue, particles, rings, work: Work::new(points), left: 0.0 };
        belly.step(0.0, Vec3::ZERO, true);
        belly
    }

    /// How far every particle is drawn from its posed point, the character having moved by that much.
    fn step(&mut self, dt: f32, moved: Vec3, settles: bool) -> Vec<Vec3> {
        let motion = Motion {
            to_world: Mat3::IDENTITY,
            to_model: Mat3::IDENTITY,
            moved: Lane3::each(|_| moved),
            gravity: Lane3::default(),
            last_dt: [dt; LANES],
            settles: [f32::from(u8::from(settles)); LANES],
        };
        let (mut points, beat) = (posed(), Beat::new(self.left, dt));
        swing(
            Instructions::BASELINE,
            &self.tissue,
            GRID,
            &beat,
            &motion,
            Memory { particles: &mut self.particles, rings: &mut self.rings },
            &mut points,
            &mut self.work,
        );
        self.left = beat.left;
        points.iter().zip(posed()).map(|(now, posed)| now.get(3) - posed.get(3)).collect()
    }

    fn ring(&mut self, ring: usize) -> &mut [Particles] {
        &mut self.particles[ring * GRID.1..(ring + 1) * GRID.1]
    }
}

#[test]
fn a_kick_at_one_end_arrives_later_at_the_other() {
    let mut belly = Belly::new(&Dynamics::soft_body());
    for particle in belly.ring(1) {
        particle.velocity = Lane3::each(|_| Vec3::Y * 0.5);
    }
    let run: Vec<Vec<Vec3>> = (0..120).map(|_| belly.step(TICK, Vec3::ZERO, false)).collect();
    let mean = |points: &[Vec3], ring: usize| points[ring * GRID.1..][..GRID.1].iter().map(|p| p.y).sum::<f32>() / 8.0;
    let arrival = |ring: usize| {
        let peak = run.iter().fold(0.0_f32, |m, points| m.max(mean(points, ring).abs()));
        assert!(peak > 1e-6, "nothing arrives at ring {ring}");
        run.iter().position(|points| mean(points, ring).abs() > 0.5 * peak).unwrap()
    };
    let arrivals: Vec<usize> = (1..8).map(arrival).collect();
    println!("ticks until half the peak, ring by ring: {arrivals:?}");
    assert!(arrivals.is_sorted() && arrivals[6] >= arrivals[0] + 6, "{arrivals:?}");
}

#[test]
fn no_legal_tissue_explodes_at_any_step() {
    for stiffness in [0.0, 40.0, 1e9] {
        for goal in [0.0, 800.0, 1e9] {
            for (mass, damping) in [(0.5, 0.2), (1e-6, 0.0), (1e-6, 1.0), (1e9, 0.0)] {
                for dt in [1e-4, 1.0 / 60.0, 1.0] {
                    let dynamics = Dynamics::SoftBody { stiffness, goal, mass, damping, gravity: 1.0, reach: 0.08 };
                    let mut belly = Belly::new(&dynamics);
                    for i in 0..8 {
                        let moved = if i < 3 { Vec3::new(0.5, -0.3, 0.2) } else { Vec3::ZERO };
                        let drawn = belly.step(dt, moved, false);
                        assert!(
                            drawn.iter().all(|d| d.is_finite() && d.length() < 0.0241),
                            "{dynamics:?} dt {dt}, frame {i}"
                        );
                    }
                    let bound = belly.particles.iter().all(|p| p.off.get(0).length() < 100.0);
                    assert!(bound, "{dynamics:?} dt {dt}");
                }
            }
        }
    }
}

#[test]
fn springs_between_neighbours_never_add_energy() {
    // held by neighbours alone, without damping: what they lose is the projection's
    let dynamics =
        Dynamics::SoftBody { stiffness: 200.0, goal: 0.0, mass: 0.5, damping: 0.0, gravity: 0.0, reach: 10.0 };
    let mut belly = Belly::new(&dynamics);
    for particle in belly.ring(4) {
        particle.velocity = Lane3::each(|_| Vec3::new(0.1, 0.3, 0.0));
    }
    let energy = |belly: &Belly| belly.particles.iter().map(|p| p.velocity.get(0).length_squared()).sum::<f32>();
    let first = energy(&belly);
    for _ in 0..480 {
        belly.step(TICK, Vec3::ZERO, false);
        assert!(energy(&belly) < 1.001 * first);
    }
}

#[test]
fn ticks_are_counted_over_frames_of_any_length() {
    let (mut left, mut ticks) = (0.0, 0);
    for _ in 0..144 {
        let beat = Beat::new(left, 1.0 / 144.0);
        (left, ticks) = (beat.left, ticks + beat.ticks);
    }
    assert!(ticks == 240 && left.abs() < 2.0 * SLACK, "{ticks} ticks, {left} s left");
    assert!(Beat::new(0.0, 1.0).skips && Beat::new(0.0, 1.0).ticks == MOST_TICKS);
    assert_eq!(Beat::new(0.003, 0.0).ticks, 0);
}

#[test]
fn even_motion_does_not_lag() {
    let mut belly = Belly::new(&Dynamics::soft_body());
    let mut drawn = Vec::new();
    for _ in 0..300 {
        drawn = belly.step(1.0 / 60.0, Vec3::X * 0.05, false);
    }
    assert!(drawn.iter().all(|d| d.length() < 1e-4), "three metres a second");
}
