//! Torques: what every joint must do so that the body moves as it does (Newton and Euler, segment by segment).
//!
//! ```text
//! f = m (a − g)      h = d(Iω)/dt = Iα + ω × Iω                   of every segment, about its centre
//! F_j = Σ f − Σ f_ext      N_j = Σ (c × f + h) − Σ (p × f_ext) − o_j × F_j        over all that hangs on joint j
//! ```

use crate::masses::Segment;
use crate::rigid::Rigid;
use fusiform::Skeleton;
use glam::DVec3;

/// A force on a joint's segment, in model space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Push {
    /// Index of the joint.
    pub joint: usize,
    /// N.
    pub force: DVec3,
    /// m: where.
    pub point: DVec3,
    /// N m: besides.
    pub torque: DVec3,
}

/// Force and moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// N.
    pub force: DVec3,
    /// N m, about the origin of model space.
    pub moment: DVec3,
}

impl Load {
    fn add(&mut self, other: Self) {
        self.force += other.force;
        self.moment += other.moment;
    }

    /// N m, about a point.
    #[must_use]
    pub fn about(&self, point: DVec3) -> DVec3 {
        self.moment - point.cross(self.force)
    }
}

/// What it takes to move what hangs on each joint, all below it included; n_joint.
#[must_use]
pub fn loads(skeleton: &Skeleton, segments: &[Segment], now: &[Rigid], gravity: DVec3, pushes: &[Push]) -> Vec<Load> {
    let mut loads: Vec<Load> =
        segments.iter().enumerate().map(|(j, of)| own(skeleton, j, of, &now[j], gravity)).collect();
    for push in pushes {
        let moment = push.point.cross(push.force) + push.torque;
        loads[push.joint].add(Load { force: -push.force, moment: -moment });
    }
    // parents come before their children
    for joint in (0..loads.len()).rev() {
        if let Some(parent) = skeleton.joints[joint].parent {
            let load = loads[joint];
            loads[parent].add(load);
        }
    }
    loads
}

fn own(skeleton: &Skeleton, joint: usize, segment: &Segment, now: &Rigid, gravity: DVec3) -> Load {
    let arm = segment.center - skeleton.joints[joint].bind.translation.as_dvec3();
    let force = (now.point_acceleration(arm) - gravity) * segment.mass;
    let inertia = now.turn * segment.inertia * now.turn.transpose();
    let spun = inertia * now.spin_up + now.spin.cross(inertia * now.spin);
    Load { force, moment: now.point(arm).cross(force) + spun }
}
