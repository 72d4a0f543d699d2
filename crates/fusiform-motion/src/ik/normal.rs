//! The normal equations of markers: JᵀWJ and JᵀWr, assembled as a mass matrix is.
//!
//! ```text
//! JᵀWJ_cd = Σᵢ wᵢ (s_c at xᵢ) · (s_d at xᵢ) = s_c · M s_d      M the spatial inertia of point masses wᵢ at xᵢ
//! ```
//!
//! so that the composite-rigid-body algorithm (Featherstone, *Rigid Body Dynamics Algorithms*, 2008, section 6.2) gives it: a
//! frame costs as much with four markers as with four hundred.

use crate::spatial::{Effort, Twist};
use crate::system::{Posture, System};
use glam::{DMat3, DVec3};

/// Room for the normal equations of a system.
#[derive(Clone, Debug)]
pub(super) struct Normal {
    /// n_unknown: the coordinate of each.
    pub unknowns: Vec<usize>,
    /// n_unknown: whether it turns anything.
    pub turns: Vec<bool>,
    /// n_unknown × n_unknown, of which the lower half counts.
    pub matrix: Vec<f64>,
    /// n_unknown: JᵀWr.
    pub gradient: Vec<f64>,
    leader: Vec<Option<usize>>, // n_coordinate: the unknown that moves it
    follow: Vec<f64>,           // n_coordinate: how far, per unit of its leader
    start: Vec<usize>,          // n_body + 1: first of its moving axes
    axis: Vec<(usize, usize)>,  // n_moving: axis, unknown
    twist: Vec<Twist>,          // n_moving: per unit of its unknown
    points: Vec<Points>,        // n_body: those on it and on all it carries
    pull: Vec<Effort>,          // n_body: Σ w r through x
}

/// Weighted points as if they were masses, about ground's origin.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Points {
    weight: f64,
    first: DVec3,  // Σ w x
    second: DMat3, // Σ w (|x|² − x xᵀ)
}

impl Points {
    const NONE: Self = Self { weight: 0.0, first: DVec3::ZERO, second: DMat3::ZERO };

    fn apply(&self, twist: &Twist) -> Effort {
        Effort {
            force: self.weight * twist.linear + twist.angular.cross(self.first),
            torque: self.first.cross(twist.linear) + self.second * twist.angular,
        }
    }
}

impl Normal {
    pub fn new(system: &System) -> Self {
        let n = system.n_coordinate();
        let unknowns: Vec<usize> = (0..n).filter(|&c| system.free[c]).collect();
        let mut leader: Vec<Option<usize>> = (0..n).map(|c| unknowns.iter().position(|&u| u == c)).collect();
        for (dependent, independent, _) in system.couplings() {
            leader[*dependent] = leader[*independent];
        }
        let mut posture = Posture::default();
        system.pose(&system.default, &mut posture);
        let (mut start, mut axis) = (vec![0, 0], Vec::new());
        for body in 1..system.n_body() {
            let unknown_of = |i: usize| posture.axes[i].coordinate.and_then(|c| leader[c]);
            axis.extend(system.axes_of(body).filter_map(|i| unknown_of(i).map(|u| (i, u))));
            start.push(axis.len());
        }
        let mut turns = vec![false; unknowns.len()];
        for (i, u) in &axis {
            turns[*u] |= posture.axes[*i].turns;
        }
        Self {
            matrix: vec![0.0; unknowns.len() * unknowns.len()],
            gradient: vec![0.0; unknowns.len()],
            unknowns,
            turns,
            leader,
            follow: vec![1.0; n],
            start,
            twist: vec![Twist::default(); axis.len()],
            axis,
            points: vec![Points::NONE; system.n_body()],
            pull: vec![Effort::default(); system.n_body()],
        }
    }

    /// Begin anew at a posture.
    pub fn clear(&mut self, system: &System, posture: &Posture) {
        self.matrix.fill(0.0);
        self.gradient.fill(0.0);
        self.points.fill(Points::NONE);
        self.pull.fill(Effort::default());
        self.follow.fill(1.0);
        for (dependent, independent, function) in system.couplings() {
            self.follow[*dependent] = self.follow[*independent] * function.at(posture.q[*independent]).first;
        }
        for ((i, _), twist) in self.axis.iter().zip(&mut self.twist) {
            let axis = &posture.axes[*i];
            let follow = axis.coordinate.map_or(0.0, |c| self.follow[c]);
            *twist = Twist::along(axis) * (axis.jet.first * follow);
        }
    }

    /// A point on a body, its error and its weight.
    pub fn add_point(&mut self, body: usize, at: DVec3, error: DVec3, weight: f64) {
        let points = &mut self.points[body];
        let outer = DMat3::from_cols(at * at.x, at * at.y, at * at.z);
        points.weight += weight;
        points.first += weight * at;
        points.second += (DMat3::from_diagonal(DVec3::splat(at.length_squared())) - outer) * weight;
        self.pull[body] += Effort::through(at, weight * error, DVec3::ZERO);
    }

    /// All points into the equations.
    pub fn assemble(&mut self, system: &System) {
        let n = self.unknowns.len();
        for body in (1..system.n_body()).rev() {
            let (points, pull, own) = (self.points[body], self.pull[body], self.start[body]..self.start[body + 1]);
            let parent = system.parent[body];
            for i in own.clone().filter(|_| points.weight > 0.0) {
                let (twist, u) = (self.twist[i], self.axis[i].1);
                self.gradient[u] += twist.power(&pull);
                let effort = points.apply(&twist);
                self.matrix[u * n + u] += twist.power(&effort);
                self.pair(u, &effort, i + 1..own.end);
                let mut above = parent;
                while above != 0 {
                    self.pair(u, &effort, self.start[above]..self.start[above + 1]);
                    above = system.parent[above];
                }
            }
            let whole = &mut self.points[parent];
            whole.weight += points.weight;
            whole.first += points.first;
            whole.second += points.second;
            self.pull[parent] += pull;
        }
    }

    /// One axis against others, each pair once: both halves of it where they share an unknown.
    fn pair(&mut self, u: usize, effort: &Effort, others: std::ops::Range<usize>) {
        let n = self.unknowns.len();
        for j in others {
            let (other, product) = (self.axis[j].1, self.twist[j].power(effort));
            let (row, column) = (u.max(other), u.min(other));
            self.matrix[row * n + column] += if u == other { 2.0 * product } else { product };
        }
    }

    /// A coordinate's error and weight, for its leader if it follows one.
    pub fn add_coordinate(&mut self, coordinate: usize, error: f64, weight: f64) {
        if let Some(u) = self.leader[coordinate] {
            let follow = self.follow[coordinate];
            self.gradient[u] += weight * follow * error;
            self.matrix[u * self.unknowns.len() + u] += weight * follow * follow;
        }
    }

    /// An unknown's own error and weight.
    pub fn add_unknown(&mut self, u: usize, error: f64, weight: f64) {
        self.gradient[u] += weight * error;
        self.matrix[u * self.unknowns.len() + u] += weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::Function;
    use crate::model::{Axis, Body, Coordinate, Coupling, GROUND, Joint, Model};
    use glam::{DAffine3, Vec3Swizzles as _};

    /// Two bodies: coordinate a turns and shifts the first, b turns the second and leads c, which shifts it.
    fn system() -> System {
        let body = |name: &str| Body { name: name.into(), ..Body::default() };
        let axis = |axis: DVec3, c: &str, powers: &[f64]| Axis {
            axis,
            coordinate: Some(c.into()),
            function: Function::Polynomial(powers.to_vec()),
        };
        let joint = |parent: &str, child: &str, rotations, translations| Joint {
            name: child.into(),
            parent: parent.into(),
            child: child.into(),
            frames: [DAffine3::from_translation(DVec3::new(0.1, 0.3, -0.2)); 2],
            rotations,
            translations,
        };
        let model = Model {
            bodies: vec![body("one"), body("two")],
            joints: vec![
                joint(
                    GROUND,
                    "one",
                    vec![axis(DVec3::Z, "a", &[1.0, 0.0])],
                    vec![axis(DVec3::X, "a", &[0.3, 0.1, 0.0])],
                ),
                joint("one", "two", vec![axis(DVec3::Y, "b", &[1.0, 0.0])], vec![axis(DVec3::Z, "c", &[0.5, 0.0])]),
            ],
            coordinates: ["a", "b", "c"].map(|name| Coordinate { name: name.into(), ..Coordinate::default() }).into(),
            couplings: vec![Coupling {
                dependent: "c".into(),
                independent: "b".into(),
                function: Function::Polynomial(vec![0.7, 0.2, 0.0]),
            }],
            ..Model::default()
        };
        System::new(&model).unwrap()
    }

    #[test]
    fn equations_are_those_of_the_points_own_jacobians() {
        let system = system();
        let (mut posture, mut normal) = (Posture::default(), Normal::new(&system));
        system.pose(&[0.4, -0.6, 0.0], &mut posture);
        normal.clear(&system, &posture);
        let (mut matrix, mut gradient) = ([[0.0; 2]; 2], [0.0; 2]);
        let points = [(1, DVec3::new(0.3, 0.1, 0.2), 0.5), (2, DVec3::new(-0.2, 0.4, 0.1), 0.3), (2, DVec3::ONE, 0.2)];
        for (body, location, weight) in points {
            let (at, error) = (posture.frames[body].transform_point3(location), location.zxy() * 0.1);
            normal.add_point(body, at, error, weight);
            let mut columns = [DVec3::ZERO; 3];
            system.add_point_jacobian(&posture, body, at, 1.0, &mut columns);
            let columns = [columns[0], columns[1] + columns[2] * (1.4 * -0.6 + 0.2)];
            for i in 0..2 {
                gradient[i] += weight * columns[i].dot(error);
                for j in 0..2 {
                    matrix[i][j] += weight * columns[i].dot(columns[j]);
                }
            }
        }
        normal.assemble(&system);
        let close = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-12, "{found} is not {wanted}");
        assert_eq!(normal.unknowns, [0, 1]);
        close(normal.matrix[0], matrix[0][0]);
        close(normal.matrix[2], matrix[1][0]);
        close(normal.matrix[3], matrix[1][1]);
        close(normal.gradient[0], gradient[0]);
        close(normal.gradient[1], gradient[1]);
    }
}
