//! Star: the radius of a star-shaped belly in every direction from its ellipsoid's centre.
//!
//! A straight belly in the space of its ellipsoid has ring i at x = 2sᵢ − 1, its points at the radius g(sᵢ) o_ij around
//! the axis, g the profile over its middle, o the sculpt grid. S(direction) is how far the outermost hit of a ray from
//! the centre lies: 1 everywhere on a plain ellipsoid.
//!
//! Pratscher, Coleman, Laszlo, Singh: *Outside-In Anatomy Based Character Rigging*, 2005, section 4.3.2. Directions are
//! sampled evenly in x and in the diamond angle around it, so that the frame finds its cell without an arc function.

use glam::Vec3;

/// Samples along the axis, poles included.
const ALONG: usize = 17;
/// Samples around it; a multiple of four, so that every corner of the diamond is one.
const AROUND: usize = 16;
/// Radii of one shape.
pub const CELLS: usize = ALONG * AROUND;

/// S in all sampled directions; `ring_radius` is g for every ring, `factors` the grid, ring by ring.
pub fn radii(ring_radius: &[f32], factors: &[f32]) -> Vec<f32> {
    let cell = |i: usize| {
        let x = 2.0 * (i / AROUND) as f32 / (ALONG - 1) as f32 - 1.0;
        furthest(ring_radius, factors, x, angle((i % AROUND) as f32 * (4.0 / AROUND as f32)))
    };
    (0..CELLS).map(cell).collect()
}

/// The angle, radians, whose diamond angle is `t` in 0 ..= 4: on the square |y| + |z| = 1.
fn angle(t: f32) -> f32 {
    let y = 1.0 - (2.0 - (t - 2.0).abs());
    let z = if t <= 2.0 { 1.0 - (t - 1.0).abs() } else { (t - 3.0).abs() - 1.0 };
    libm::atan2f(z, y).rem_euclid(std::f32::consts::TAU)
}

/// The outermost hit of the ray toward `x` along the axis and `angle` around it with the belly's meridian there; 0 where
/// it misses.
fn furthest(ring_radius: &[f32], factors: &[f32], x: f32, angle: f32) -> f32 {
    let (rings, sectors) = (ring_radius.len(), factors.len() / ring_radius.len());
    let sector = angle / std::f32::consts::TAU * sectors as f32;
    let (first, share) = (sector as usize % sectors, sector.fract());
    let point = |i: usize| {
        let row = &factors[i * sectors..][..sectors];
        let factor = row[first] + (row[(first + 1) % sectors] - row[first]) * share;
        [2.0 * i as f32 / (rings - 1) as f32 - 1.0, ring_radius[i] * factor]
    };
    let out = [x, (1.0 - x * x).max(0.0).sqrt()];
    let mut furthest = 0.0_f32;
    for i in 0..rings - 1 {
        let ([ax, ay], [bx, by]) = (point(i), point(i + 1));
        // how far both ends of the piece lie to the side of the ray
        let (a, b) = (ax * out[1] - ay * out[0], bx * out[1] - by * out[0]);
        if a * b > 0.0 || a == b {
            continue;
        }
        let t = a / (a - b);
        furthest = furthest.max((ax + (bx - ax) * t) * out[0] + (ay + (by - ay) * t) * out[1]);
    }
    furthest
}

/// What `cells` hold in the direction of `p`, between its four neighbours.
#[inline]
pub fn toward(cells: &[f32], p: Vec3) -> f32 {
    let x = p.x / p.length().max(1e-20);
    let along = ((x + 1.0) * (0.5 * (ALONG - 1) as f32)).clamp(0.0, (ALONG - 1) as f32);
    let t = p.y / (p.y.abs() + p.z.abs()).max(1e-20);
    let around = (if p.z >= 0.0 { 1.0 - t } else { 3.0 + t }).clamp(0.0, 4.0) * (AROUND as f32 / 4.0);
    let (i, j) = ((along as usize).min(ALONG - 2), around as usize % AROUND);
    let (u, v) = (along - i as f32, around.fract());
    let row = |i: usize| {
        let row = &cells[i * AROUND..][..AROUND];
        row[j] + (row[(j + 1) % AROUND] - row[j]) * v
    };
    let low = row(i);
    low + (row(i + 1) - low) * u
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ellipsoid(rings: usize) -> Vec<f32> {
        let x = |i: usize| 2.0 * i as f32 / (rings - 1) as f32 - 1.0;
        (0..rings).map(|i| (1.0 - x(i) * x(i)).max(0.0).sqrt()).collect()
    }

    #[test]
    fn a_plain_ellipsoid_is_the_unit_sphere() {
        let cells = radii(&ellipsoid(65), &vec![1.0; 65 * 16]);
        for p in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::new(0.3, -0.2, 0.9), Vec3::new(-0.8, -0.5, -0.1)] {
            assert!((toward(&cells, p) - 1.0).abs() < 0.01, "{p}: {}", toward(&cells, p));
        }
    }

    #[test]
    fn a_bump_is_found_in_its_own_direction() {
        let (rings, sectors) = (33, 16);
        for (sector, direction) in [(0, Vec3::Y), (4, Vec3::Z), (8, Vec3::NEG_Y), (12, Vec3::NEG_Z)] {
            let mut factors = vec![1.0; rings * sectors];
            (0..rings).for_each(|ring| factors[ring * sectors + sector] = 1.5);
            let cells = radii(&ellipsoid(rings), &factors);
            assert!((toward(&cells, direction) - 1.5).abs() < 0.01);
            assert!((toward(&cells, -direction) - 1.0).abs() < 0.01);
        }
    }

    #[test]
    fn radii_change_without_a_jump_all_around() {
        let factors: Vec<f32> = (0..17 * 8).map(|i| 1.0 + 0.1 * (i % 8) as f32).collect();
        let cells = radii(&ellipsoid(17), &factors);
        let at = |i: i32| {
            let angle = i as f32 * 0.001;
            toward(&cells, Vec3::new(0.2, angle.cos(), angle.sin()))
        };
        assert!((0..6300).all(|i| (at(i + 1) - at(i)).abs() < 0.01));
    }
}
