//! Motions and loads of rigid bodies as six numbers, all about ground's origin, so that they add without being moved.
//!
//! Featherstone: *Rigid Body Dynamics Algorithms*, 2008, chapter 2; there "spatial vectors".

use crate::system::PosedAxis;
use glam::DVec3;
use std::ops::{Add, AddAssign, Mul, Neg};

/// A rigid motion: a velocity, or an acceleration that forgets how its point moves on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// rad/s.
    pub angular: DVec3,
    /// m/s, of what passes through ground's origin.
    pub linear: DVec3,
}

/// A force and a torque on a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// N m, about ground's origin.
    pub torque: DVec3,
    /// N.
    pub force: DVec3,
}

impl Twist {
    /// Along an axis as it lies now, one radian or metre per second.
    #[must_use]
    pub fn along(axis: &PosedAxis) -> Self {
        if axis.turns {
            Self { angular: axis.axis, linear: axis.through.cross(axis.axis) }
        } else {
            Self { angular: DVec3::ZERO, linear: axis.axis }
        }
    }

    /// Of a point that moves along.
    #[must_use]
    pub fn at(&self, point: DVec3) -> DVec3 {
        self.linear + self.angular.cross(point)
    }

    /// How fast another motion changes when this one carries it.
    #[must_use]
    pub fn carries(&self, other: &Self) -> Self {
        Self {
            angular: self.angular.cross(other.angular),
            linear: self.angular.cross(other.linear) + self.linear.cross(other.angular),
        }
    }

    /// W, of a load on a body that moves so.
    #[must_use]
    pub fn power(&self, effort: &Effort) -> f64 {
        self.angular.dot(effort.torque) + self.linear.dot(effort.force)
    }
}

impl Effort {
    /// A force through a point, and a torque.
    #[must_use]
    pub fn through(point: DVec3, force: DVec3, torque: DVec3) -> Self {
        Self { torque: torque + point.cross(force), force }
    }
}

impl Add for Twist {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { angular: self.angular + other.angular, linear: self.linear + other.linear }
    }
}

impl AddAssign for Twist {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<f64> for Twist {
    type Output = Self;
    fn mul(self, by: f64) -> Self {
        Self { angular: self.angular * by, linear: self.linear * by }
    }
}

impl Add for Effort {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { torque: self.torque + other.torque, force: self.force + other.force }
    }
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for Effort {
    type Output = Self;
    fn neg(self) -> Self {
        Self { torque: -self.torque, force: -self.force }
    }
}
