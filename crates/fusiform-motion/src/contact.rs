//! Ground reactions without force plates: what must push from outside, shared among the soles that rest on the ground.
//!
//! ```text
//! needed   F, T       the total of inverse dynamics without loads, about a point of the ground
//! contact  c ∈ 0…1    of each corner of a sole: low and slow
//! pushes   n ≥ 0      least over n   (Σ n − F_up)² + |Σ n x − (T → x)|² / ℓ²  +  ε Σ n² / c
//! ```
//!
//! Pushes at corners are never pulls, so that a sole's center of pressure lies within it, and within what of it still rests: at
//! push-off the toes. Where two feet rest, the load passes from one to the other with the center of pressure. Friction goes with
//! pushes, up to their share of them; what is left of the moment about the vertical twists the soles, up to what friction allows.
//! What pushes cannot explain is given back.
//!
//! After Ren, Jones, Howard: *Whole body inverse dynamics over a complete gait cycle based only on measured kinematics*, Journal
//! of Biomechanics 41, 2008, who share by a smooth function of time in double support; sharing by corners and weights is ours.

mod ground;

use crate::dense;
use crate::rnea::{Rnea, Wrench};
use crate::spatial::Effort;
use crate::system::Posture;
use glam::DVec3;
pub use ground::Ground;

/// ε: how much even pushes are preferred to exact ones, against a whole weight.
const EVEN: f64 = 1e-4;
/// ℓ, m: an error of one weight counts as much as a center of pressure off by this.
const LEVER: f64 = 0.3;
/// Corners in less contact than this do not push.
const NO_CONTACT: f64 = 1e-3;

/// What touches the ground: a rectangle under a foot, or under its toes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sole {
    /// Which body.
    pub body: usize,
    /// m, in the body's frame.
    pub corners: [DVec3; 4],
}

/// Room for the contacts of some soles.
#[derive(Clone, Debug, PartialEq)]
pub struct Contacts {
    /// Where it rests.
    pub ground: Ground,
    soles: Vec<Sole>,
    corner: Vec<Corner>,   // 4 n_sole
    pushing: Vec<usize>,   // those that push
    wrenches: Vec<Wrench>, // n_sole
    matrix: Vec<f64>,      // room for all corners squared
    push: Vec<f64>,        // room for all corners
}

/// A corner now.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Corner {
    /// m, in ground, on the ground.
    at: DVec3,
    contact: f64,
    /// N.
    push: f64,
    /// 1, and where it is along the ground over ℓ: what a push does.
    row: DVec3,
}

/// From 1 below the first to 0 above the second, with a level start and end.
fn fade(value: f64, [from, to]: [f64; 2]) -> f64 {
    let t = ((value - from) / (to - from).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    1.0 - t * t * (3.0 - 2.0 * t)
}

impl Contacts {
    /// Room for soles on a ground.
    #[must_use]
    pub fn new(ground: Ground, soles: &[Sole]) -> Self {
        let n = 4 * soles.len();
        Self {
            ground,
            corner: vec![Corner::default(); n],
            pushing: Vec::with_capacity(n),
            wrenches: soles.iter().map(|sole| Wrench { body: sole.body, ..Wrench::default() }).collect(),
            matrix: vec![0.0; n * n],
            push: vec![0.0; n],
            soles: soles.to_vec(),
        }
    }

    /// The loads on soles that [`Contacts::share`] found, in their order.
    #[must_use]
    pub fn wrenches(&self) -> &[Wrench] {
        &self.wrenches
    }

    /// How much a sole rests on the ground, 0 to 1: as its firmest corner.
    #[must_use]
    pub fn contact(&self, sole: usize) -> f64 {
        self.corner[4 * sole..4 * sole + 4].iter().fold(0.0, |most, c| c.contact.max(most))
    }

    /// Share what a motion needs among the soles. `rnea` has solved it, without loads on soles; what is returned, about ground's
    /// origin, is what no sole can give.
    pub fn share(&mut self, posture: &Posture, rnea: &Rnea) -> Effort {
        let (needed, up) = (rnea.total(), self.ground.up);
        self.touch(posture, rnea);
        let weights: f64 = self.corner.iter().map(|c| c.contact).sum();
        let middle = self.corner.iter().map(|c| c.at * c.contact).sum::<DVec3>() / weights.max(NO_CONTACT);
        let vertical = needed.force.dot(up).max(0.0);
        let moment = needed.torque - middle.cross(needed.force);
        self.spread(middle, vertical, if vertical > 0.0 { moment } else { DVec3::ZERO });
        self.friction(&needed);
        self.twist(&needed);
        let given = |w: &Wrench| Effort::through(w.point, w.force, w.torque);
        self.wrenches.iter().fold(needed, |left, wrench| left + -given(wrench))
    }

    fn touch(&mut self, posture: &Posture, rnea: &Rnea) {
        let Ground { up, height, velocity: of_ground, near, slow, .. } = self.ground;
        for (sole, corners) in self.soles.iter().zip(self.corner.chunks_exact_mut(4)) {
            let velocity = rnea.velocity(sole.body);
            for (corner, location) in corners.iter_mut().zip(sole.corners) {
                let at = posture.frames[sole.body].transform_point3(location);
                let above = at.dot(up) - height;
                corner.contact = fade(above, near) * fade((velocity.at(at) - of_ground).length(), slow);
                corner.at = at - above * up;
            }
        }
    }

    /// Pushes that make up a vertical force and its moment about a point of the ground.
    fn spread(&mut self, middle: DVec3, vertical: f64, moment: DVec3) {
        let (a, b) = self.ground.up.any_orthonormal_pair();
        // Σ (x × n up) = M  turned by the vertical is  Σ n x = up × M
        let place = self.ground.up.cross(moment) / LEVER;
        let wanted = DVec3::new(vertical, place.dot(a), place.dot(b));
        for corner in &mut self.corner {
            let from = (corner.at - middle) / LEVER;
            (corner.row, corner.push) = (DVec3::new(1.0, from.dot(a), from.dot(b)), 0.0);
        }
        self.pushing.clear();
        self.pushing.extend((0..self.corner.len()).filter(|&k| self.corner[k].contact > NO_CONTACT));
        // corners that would pull let go, the hardest first, until none does
        while !self.pushing.is_empty() {
            if !self.solve(wanted) {
                return;
            }
            let hardest = (0..self.pushing.len()).min_by(|&i, &j| self.push[i].total_cmp(&self.push[j]));
            match hardest.filter(|&i| self.push[i] < 0.0) {
                Some(i) => _ = self.pushing.remove(i),
                None => break,
            }
        }
        for (&k, &push) in self.pushing.iter().zip(&self.push) {
            self.corner[k].push = push;
        }
    }

    /// Least squares among those that push.
    fn solve(&mut self, wanted: DVec3) -> bool {
        let n = self.pushing.len();
        for (i, &k) in self.pushing.iter().enumerate() {
            let row = self.corner[k].row;
            for (j, &l) in self.pushing[..=i].iter().enumerate() {
                self.matrix[i * n + j] = row.dot(self.corner[l].row);
            }
            self.matrix[i * n + i] += EVEN / self.corner[k].contact;
            self.push[i] = row.dot(wanted);
        }
        let solvable = dense::factor(n, &mut self.matrix[..n * n]);
        if solvable {
            dense::substitute(n, &self.matrix[..n * n], &mut self.push[..n]);
        }
        solvable
    }

    /// Pushes of a sole at its center of pressure, with what friction adds to them.
    fn friction(&mut self, needed: &Effort) {
        let Ground { up, friction, .. } = self.ground;
        let total: f64 = self.corner.iter().map(|c| c.push).sum();
        let along = needed.force - needed.force.dot(up) * up;
        let slip = if total > 0.0 { (friction * total / along.length().max(1e-12)).min(1.0) } else { 0.0 };
        for (wrench, corners) in self.wrenches.iter_mut().zip(self.corner.chunks_exact(4)) {
            let push: f64 = corners.iter().map(|c| c.push).sum();
            let share = if total > 0.0 { push / total } else { 0.0 };
            let pressed: DVec3 = corners.iter().map(|c| c.at * c.push).sum();
            let middle = corners.iter().map(|c| c.at).sum::<DVec3>() / 4.0;
            wrench.point = if push > 0.0 { pressed / push } else { middle };
            wrench.force = push * up + share * slip * along;
        }
    }

    /// The moment about the vertical that is left, up to friction at a quarter of a sole's diagonal, as if evenly pressed.
    fn twist(&mut self, needed: &Effort) {
        let Ground { up, friction, .. } = self.ground;
        let given: DVec3 = self.wrenches.iter().map(|w| w.point.cross(w.force)).sum();
        let left = (needed.torque - given).dot(up);
        let total: f64 = self.wrenches.iter().map(|w| w.force.dot(up)).sum();
        for (wrench, sole) in self.wrenches.iter_mut().zip(&self.soles) {
            let push = wrench.force.dot(up);
            let share = if total > 0.0 { push / total } else { 0.0 };
            let most = friction * push * 0.25 * sole.corners[0].distance(sole.corners[2]);
            wrench.torque = (left * share).clamp(-most, most) * up;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::Function;
    use crate::model::{Axis, Body, Coordinate, GROUND, Joint, Model};
    use crate::system::System;
    use glam::{DAffine3, DMat3};
    use proptest::prelude::*;

    const MASS: f64 = 70.0;
    const G: f64 = 9.81;

    /// A box that floats, its center 1 m up, with soles 0.2 m to either side.
    struct Standing {
        system: System,
        contacts: Contacts,
    }

    impl Standing {
        fn new() -> Self {
            let names = ["rx", "ry", "rz", "tx", "ty", "tz"];
            let axis = |k: usize| Axis {
                axis: DVec3::AXES[k % 3],
                coordinate: Some(names[k].into()),
                function: Function::IDENTITY,
            };
            let model = Model {
                gravity: DVec3::new(0.0, -G, 0.0),
                bodies: vec![Body {
                    name: "box".into(),
                    mass: MASS,
                    center: DVec3::Y,
                    inertia: DMat3::from_diagonal(DVec3::new(5.0, 2.0, 5.0)),
                }],
                joints: vec![Joint {
                    name: "free".into(),
                    parent: GROUND.into(),
                    child: "box".into(),
                    frames: [DAffine3::IDENTITY; 2],
                    rotations: (0..3).map(axis).collect(),
                    translations: (3..6).map(axis).collect(),
                }],
                coordinates: names.map(|name| Coordinate { name: name.into(), ..Coordinate::default() }).into(),
                ..Model::default()
            };
            let corner = |side: f64, x: f64, z: f64| DVec3::new(x, 0.0, side + z);
            let sole = |side: f64| Sole {
                body: 1,
                corners: [(0.15, 0.05), (0.15, -0.05), (-0.1, -0.05), (-0.1, 0.05)].map(|(x, z)| corner(side, x, z)),
            };
            let system = System::new(&model).unwrap();
            Self { system, contacts: Contacts::new(Ground::default(), &[sole(0.2), sole(-0.2)]) }
        }

        fn share(&mut self, q: [f64; 6], speed: [f64; 6], acceleration: [f64; 6]) -> (Effort, Effort) {
            let (mut posture, mut rnea, mut out) = (Posture::default(), Rnea::new(&self.system), [0.0; 6]);
            self.system.pose(&q, &mut posture);
            rnea.solve(&self.system, &posture, [&speed, &acceleration], &[], &mut out);
            (rnea.total(), self.contacts.share(&posture, &rnea))
        }
    }

    #[test]
    fn who_stands_still_puts_half_the_weight_on_either_foot() {
        let mut standing = Standing::new();
        let (_, left) = standing.share([0.0; 6], [0.0; 6], [0.0; 6]);
        assert!(left.force.length() < 0.1 && left.torque.length() < 0.1, "{left:?}");
        for wrench in standing.contacts.wrenches() {
            assert!((wrench.force - DVec3::Y * MASS * G / 2.0).length() < 0.1, "{wrench:?}");
        }
    }

    #[test]
    fn who_speeds_up_forward_and_sideways_is_explained_by_friction_and_the_center_of_pressure() {
        let mut standing = Standing::new();
        let (needed, left) = standing.share([0.0; 6], [0.0; 6], [0.0, 0.0, 0.0, 0.5, 0.0, -1.0]);
        assert!(left.force.length() < 1e-3 * needed.force.length(), "{left:?}");
        assert!(left.torque.length() < 0.01 * MASS * G, "{left:?}");
        let [near, far] = standing.contacts.wrenches() else { panic!("two soles") };
        assert!(near.force.y > far.force.y * 1.5, "the load is on the side to push from: {near:?} {far:?}");
    }

    #[test]
    fn a_lifted_foot_gives_nothing_and_in_flight_nothing_is_given() {
        let mut standing = Standing::new();
        let (needed, left) = standing.share([0.0, 0.0, 0.0, 0.0, 0.5, 0.0], [0.0; 6], [0.0; 6]);
        assert_eq!(needed, left);
        assert!(standing.contacts.wrenches().iter().all(|w| w.force == DVec3::ZERO));

        standing.share([-0.4, 0.0, 0.0, 0.0, 0.08, 0.0], [0.0; 6], [0.0; 6]);
        let rests = [0, 1].map(|sole| standing.contacts.contact(sole));
        assert!(rests[0] == 0.0 && rests[1] > 0.9, "{rests:?}");
        assert_eq!(standing.contacts.wrenches()[0].force, DVec3::ZERO);
    }

    #[test]
    fn a_sliding_sole_does_not_rest_unless_the_ground_goes_along() {
        let mut standing = Standing::new();
        standing.share([0.0; 6], [0.0, 0.0, 0.0, 1.5, 0.0, 0.0], [0.0; 6]);
        assert_eq!(standing.contacts.contact(0), 0.0);
        standing.contacts.ground.velocity.x = 1.5;
        standing.share([0.0; 6], [0.0, 0.0, 0.0, 1.5, 0.0, 0.0], [0.0; 6]);
        assert_eq!(standing.contacts.contact(0), 1.0);
    }

    proptest! {
        #[test]
        fn soles_never_pull_and_the_center_of_pressure_stays_within_them(
            tilt in -0.1..0.1_f64,
            lift in -0.02..0.08_f64,
            gain in prop::array::uniform6(-8.0..8.0_f64),
        ) {
            let mut standing = Standing::new();
            let (needed, left) = standing.share([tilt, 0.0, 0.0, 0.0, lift, 0.0], [0.0; 6], gain);
            let Contacts { wrenches, soles, ground, .. } = &standing.contacts;
            let mut given = left;
            for (wrench, sole) in wrenches.iter().zip(soles) {
                prop_assert!(wrench.force.y >= 0.0);
                prop_assert!(wrench.force.with_y(0.0).length() <= ground.friction * wrench.force.y + 1e-9);
                let inside = |axis: usize, value: f64, slack: f64| {
                    let at = sole.corners.map(|c| c[axis]);
                    value >= at.iter().copied().fold(f64::MAX, f64::min) - slack
                        && value <= at.iter().copied().fold(f64::MIN, f64::max) + slack
                };
                // tilted soles are a little shorter seen from above
                prop_assert!(inside(0, wrench.point.x, 1e-9) && inside(2, wrench.point.z, 0.02), "{wrench:?}");
                given += Effort::through(wrench.point, wrench.force, wrench.torque);
            }
            prop_assert!((given.force - needed.force).length() < 1e-6);
            prop_assert!((given.torque - needed.torque).length() < 1e-6);
        }
    }
}
