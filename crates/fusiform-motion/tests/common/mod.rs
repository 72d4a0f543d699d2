//! Random models, and their mechanics worked out another way: bodies are clouds of point masses.
#![allow(dead_code)] // every test binary uses its own part

use fusiform_motion::function::{Function, Spline};
use fusiform_motion::model::{Axis, Body, Coordinate, Coupling, GROUND, Joint, Model};
use fusiform_motion::system::{Posture, System};
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// Numbers that look random and are the same everywhere.
pub struct Dice(pub u64);

impl Dice {
    /// 0 ..= 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub fn below(&mut self, n: usize) -> usize {
        ((self.unit() * n as f64) as usize).min(n - 1)
    }

    pub fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.within(-size, size), self.within(-size, size), self.within(-size, size))
    }

    pub fn vectors(&mut self, n: usize, size: f64) -> Vec<f64> {
        (0..n).map(|_| self.within(-size, size)).collect()
    }

    pub fn frame(&mut self) -> DAffine3 {
        let axis = (self.vector(1.0) + DVec3::Z * 1e-3).normalize();
        DAffine3::from_rotation_translation(DQuat::from_axis_angle(axis, self.within(-3.0, 3.0)), self.vector(0.3))
    }
}

/// A model, and the point masses that each of its bodies is made of, ground first.
pub struct Cloud {
    pub model: Model,
    pub points: Vec<Vec<(f64, DVec3)>>,
}

fn random_function(dice: &mut Dice) -> Function {
    match dice.below(4) {
        0 => Function::IDENTITY,
        1 => Function::Polynomial(dice.vectors(4, 0.5)),
        2 => {
            // knots lie where no test goes: differences across one are not those of a smooth function
            let y = dice.vectors(5, 1.0);
            Function::Spline(Spline::natural(&[-3.0, -1.5, 1.5, 2.2, 3.0], &y).expect("knots that ascend"))
        }
        _ => Function::Times(-0.7, Box::new(Function::Linear { slope: 1.3, intercept: 0.2 })),
    }
}

/// A body made of point masses.
pub fn body_of_points(name: String, points: &[(f64, DVec3)]) -> Body {
    let mass: f64 = points.iter().map(|(m, _)| m).sum();
    let center = points.iter().map(|(m, x)| *m * *x).sum::<DVec3>() / mass;
    let mut inertia = DMat3::ZERO;
    for (m, x) in points {
        let r = *x - center;
        let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
        inertia += (DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer) * *m;
    }
    Body { name, mass, center, inertia }
}

/// A random tree: every joint has some turns and shifts, functions of its own and of others' coordinates.
pub fn random_tree(seed: u64, n_body: usize) -> Cloud {
    let dice = &mut Dice(seed.wrapping_mul(77_777) + 5);
    let n_coordinate = n_body * 2 + 1;
    let name = |c: usize| format!("q{c}");
    let mut model = Model { gravity: dice.vector(10.0), ..Model::default() };
    let coordinate = |c: usize| Coordinate { name: name(c), range: [-1.0, 1.0], ..Coordinate::default() };
    model.coordinates = (0..n_coordinate).map(coordinate).collect();
    let mut points = vec![Vec::new()];
    for b in 0..n_body {
        let cloud: Vec<(f64, DVec3)> = (0..5).map(|_| (dice.within(0.1, 1.0), dice.vector(0.4))).collect();
        model.bodies.push(body_of_points(format!("b{b}"), &cloud));
        points.push(cloud);
        let mut axes = |n: usize, shifts: bool| {
            let one = |k: usize| {
                let own = (b * 2 + k) % n_coordinate;
                let any = if dice.unit() < 0.7 { own } else { dice.below(n_coordinate) };
                let coordinate = (dice.unit() < 0.9).then(|| name(any));
                let scaled = Function::Times(0.2, Box::new(random_function(dice)));
                let function = if shifts { scaled } else { random_function(dice) };
                Axis { axis: (dice.vector(1.0) + DVec3::X * 1e-3).normalize(), coordinate, function }
            };
            (0..n).map(one).collect::<Vec<_>>()
        };
        let (rotations, translations) = (axes(1 + (b + seed as usize) % 3, false), axes(b % 3, true));
        let parent = if b == 0 { GROUND.to_owned() } else { format!("b{}", dice.below(b)) };
        let frames = [dice.frame(), dice.frame()];
        model.joints.push(Joint {
            name: format!("j{b}"),
            parent,
            child: format!("b{b}"),
            frames,
            rotations,
            translations,
        });
    }
    let last = n_coordinate - 1;
    let function = Function::Polynomial(vec![0.3, -0.4, 0.1]);
    model.couplings.push(Coupling { dependent: name(last), independent: name(0), function });
    Cloud { model, points }
}

impl Cloud {
    pub fn system(&self) -> System {
        System::new(&self.model).expect("a model that runs")
    }

    fn each_point(&self, system: &System, posture: &Posture, mut f: impl FnMut(usize, f64, DVec3)) {
        for (b, of_body) in self.points.iter().enumerate().skip(1) {
            let body = system.body(&self.model.bodies[b - 1].name).expect("a body of the model");
            for (mass, x) in of_body {
                f(body, *mass, posture.frames[body].transform_point3(*x));
            }
        }
    }

    /// Kinetic and potential energy, and the momentum ∂T/∂q̇ of every free coordinate.
    pub fn energy(&self, system: &System, q: &[f64], speed: &[f64]) -> (f64, f64, Vec<f64>) {
        let mut posture = Posture::default();
        system.pose(q, &mut posture);
        let (mut full, mut unused) = (speed.to_vec(), vec![0.0; speed.len()]);
        fusiform_motion::rnea::couple_rates(system, &posture.q, &mut full, &mut unused);
        let (mut kinetic, mut potential, mut momentum) = (0.0, 0.0, vec![0.0; q.len()]);
        self.each_point(system, &posture, |body, mass, x| {
            let mut columns = vec![DVec3::ZERO; q.len()];
            system.add_point_jacobian(&posture, body, x, 1.0, &mut columns);
            let v: DVec3 = columns.iter().zip(&full).map(|(c, s)| *c * *s).sum();
            kinetic += 0.5 * mass * v.length_squared();
            potential -= mass * system.gravity.dot(x);
            for (p, column) in momentum.iter_mut().zip(&columns) {
                *p += mass * v.dot(*column);
            }
        });
        system.gather(&posture.q, &mut momentum);
        (kinetic, potential, momentum)
    }
}

/// First derivative by differences of fourth order.
pub fn derivative(h: f64, f: impl Fn(f64) -> f64) -> f64 {
    (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)
}
