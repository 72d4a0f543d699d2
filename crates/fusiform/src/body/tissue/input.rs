//! Input: what a frame tells the tissue, and what acts on it besides its springs.

use glam::{DVec3, Vec3};

/// Where the posed points are at the end of a frame; world axes, from where the character stands then, m.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posed<'a> {
    /// Skin particles.
    pub skin: &'a [Vec3],
    /// Quasi-static bellies, all points one after the other.
    pub bellies: &'a [Vec3],
    /// One for each of [`Network::bones`](super::Network::bones).
    pub bones: &'a [Vec3],
}

/// A push: momentum given to the skin around a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Impulse {
    /// World axes, from where the character stands, m.
    pub place: Vec3,
    /// Nothing farther takes part, m.
    pub radius: f32,
    /// Of all skin together, N s.
    pub momentum: Vec3,
}

/// Ground or wall that skin cannot pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plane {
    /// Unit, away from what is solid.
    pub normal: Vec3,
    /// normal · place of its points, m, from where the character stands.
    pub offset: f32,
}

/// What happens over one frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'a> {
    /// Length, seconds; 0 poses without passing time.
    pub dt: f32,
    /// How far the character has moved since the last frame, m, world axes.
    pub moved: Vec3,
    /// Whether the tissue starts at rest: first frame, teleport.
    pub settles: bool,
    /// Where it is posed.
    pub posed: Posed<'a>,
    /// What gravity has changed since bind, one for each joint, m/s², world axes; those missing are nothing.
    pub gravity: &'a [Vec3],
    /// Pushes at the frame's start.
    pub impulses: &'a [Impulse],
    /// What is solid all through the frame.
    pub planes: &'a [Plane],
}

impl Impulse {
    /// Of a skin particle at a place: smooth, 0 at the radius and beyond.
    pub fn share(&self, place: Vec3) -> f32 {
        let ratio = (place.distance(self.place) / self.radius.max(1e-6)).min(1.0);
        let fall = 1.0 - ratio * ratio;
        fall * fall
    }

    /// What all that take part get by their shares, m/s:
    ///
    /// ```text
    /// Δvᵢ = J fᵢ / Σ mⱼ fⱼ          so that Σ mᵢ Δvᵢ = J
    /// ```
    ///
    /// `place(i)` and `mass[i]` are of the i-th of the skin. None where no skin is within the radius.
    pub fn velocity(&self, mass: &[f32], place: impl Fn(usize) -> Vec3) -> Option<DVec3> {
        let carried = |(i, &m): (usize, &f32)| f64::from(m) * f64::from(self.share(place(i)));
        let carried: f64 = mass.iter().enumerate().map(carried).sum();
        (carried > 0.0 && carried.is_finite()).then(|| self.momentum.as_dvec3() / carried)
    }
}

impl Plane {
    /// Push a particle out, and take from its velocity what goes further in: inelastic, without friction.
    #[inline(always)]
    pub fn stop(&self, posed: (Vec3, Vec3), off: &mut Vec3, rate: &mut Vec3) {
        let depth = self.offset - self.normal.dot(posed.0 + *off);
        if depth > 0.0 {
            *off += self.normal * depth;
            let into = self.normal.dot(posed.1 + *rate).min(0.0);
            *rate -= self.normal * into;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_momentum_of_an_impulse_is_exact(seed in 0_u32..1000, radius in 0.02_f32..0.5, x in -9.0_f32..9.0) {
            let noise = |i: usize| (((i as u32 * 7919 + seed * 104_729) % 1000) as f32) * 1e-3;
            let mass: Vec<f32> = (0..300).map(|i| 1e-3 + 0.01 * noise(i)).collect();
            let place = |i: usize| Vec3::new(0.3 * noise(i + 7), 0.3 * noise(i + 31), 0.0);
            let impulse = Impulse { place: place(5), radius, momentum: Vec3::new(x, -2.0, 0.5) };
            let velocity = impulse.velocity(&mass, place).unwrap();
            let given = |i: usize| (velocity * f64::from(impulse.share(place(i)))).as_vec3().as_dvec3() * f64::from(mass[i]);
            let given: DVec3 = (0..300).map(given).sum();
            prop_assert!((given - impulse.momentum.as_dvec3()).length() < 1e-5 * impulse.momentum.as_dvec3().length());
        }
    }

    #[test]
    fn skin_stops_dead_at_a_plane_and_slides_along_it() {
        let floor = Plane { normal: Vec3::Y, offset: 0.0 };
        let (mut off, mut rate) = (Vec3::new(0.0, -0.02, 0.0), Vec3::new(1.0, -3.0, 0.0));
        floor.stop((Vec3::new(0.0, 0.01, 0.0), Vec3::new(0.0, -1.0, 0.0)), &mut off, &mut rate);
        assert!((off.y + 0.01).abs() < 1e-7, "out");
        assert!(rate == Vec3::new(1.0, 1.0, 0.0), "as fast up as its posed point goes down: {rate}");
    }
}
