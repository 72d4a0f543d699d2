use super::*;
use proptest::prelude::*;
use std::f64::consts::{FRAC_PI_2, PI};

const CYLINDER: WrapShape = WrapShape::Cylinder { radius: 0.03, length: 1.0 };
const SPHERE: WrapShape = WrapShape::Sphere { radius: 0.03 };
const ELLIPSOID: WrapShape = WrapShape::Ellipsoid { radii: DVec3::new(0.05, 0.03, 0.02) };
const TORUS: WrapShape = WrapShape::Torus { inner: 0.01, outer: 0.05 };

fn run(shape: &WrapShape, side: Option<Side>, from: DVec3, to: DVec3) -> Option<Way> {
    match wrap(shape, side, WrapMethod::Hybrid, from, to) {
        Contact::May(way) | Contact::Must(way) => Some(way),
        Contact::None | Contact::Inside => None,
    }
}

fn side(axis: usize, sign: f64) -> Option<Side> {
    Some(Side { axis, sign })
}

fn total(way: &Way, from: DVec3, to: DVec3) -> f64 {
    from.distance(way.arc.at(0.0)) + way.length + way.arc.at(1.0).distance(to)
}

/// The outward normal at a point of the surface, and how far from it the point is, in sizes.
fn normal(shape: &WrapShape, point: DVec3) -> (DVec3, f64) {
    match *shape {
        WrapShape::Cylinder { radius, .. } => {
            (point.truncate().normalize().extend(0.0), point.truncate().length() / radius - 1.0)
        }
        WrapShape::Sphere { radius } => (point.normalize(), point.length() / radius - 1.0),
        WrapShape::Ellipsoid { radii } => ((point / (radii * radii)).normalize(), (point / radii).length() - 1.0),
        WrapShape::Torus { inner, outer } => {
            let middle = point.truncate().normalize().extend(0.0) * outer;
            ((point - middle).normalize(), (point - middle).length() / inner - 1.0)
        }
    }
}

/// A way lies on its surface, is as long as it says, and goes on without a kink into both straight parts.
fn taut(shape: &WrapShape, way: &Way, from: DVec3, to: DVec3) -> Result<(), TestCaseError> {
    const N: usize = 2000;
    let point = |i: usize| way.arc.at(i as f64 / N as f64);
    for i in 0..=N {
        prop_assert!(normal(shape, point(i)).1.abs() < 1e-9, "not on the surface");
    }
    let walked: f64 = (0..N).map(|i| point(i).distance(point(i + 1))).sum();
    prop_assert!((walked - way.length).abs() < 1e-6 * (walked + 1e-3), "{walked} m walked, {} m said", way.length);
    for (end, touch, inward) in
        [(from, way.arc.at(0.0), way.arc.at(1e-6)), (to, way.arc.at(1.0), way.arc.at(1.0 - 1e-6))]
    {
        let Some(straight) = (touch - end).try_normalize() else { continue };
        prop_assert!(straight.dot(normal(shape, touch).0).abs() < 1e-6, "not tangent");
        if way.length > 1e-5 {
            prop_assert!(straight.dot((inward - touch).normalize()) > 1.0 - 1e-5, "a kink");
        }
    }
    Ok(())
}

/// A string through a way's points, pulled taut outside the surface.
fn pulled(shape: &WrapShape, way: &Way, from: DVec3, to: DVec3) -> f64 {
    const N: usize = 40;
    let out = |point: DVec3| {
        let (normal, off) = normal(shape, point);
        match *shape {
            WrapShape::Cylinder { radius, .. } | WrapShape::Sphere { radius } => point - normal * off.min(0.0) * radius,
            WrapShape::Ellipsoid { radii } if off < 0.0 => closest::on_ellipsoid(radii, point),
            _ => point,
        }
    };
    let mut string: Vec<DVec3> = [from].into_iter().collect();
    string.extend((0..=N).map(|i| out(way.arc.at(i as f64 / N as f64))));
    string.push(to);
    for _ in 0..3000 {
        for i in 1..string.len() - 1 {
            string[i] = out(string[i - 1].midpoint(string[i + 1]));
        }
    }
    string.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

#[test]
fn a_quarter_around_a_cylinder_is_as_long_as_geometry_says() {
    // tangents of length r from (r, −r) to (r, 0) and from (0, r) to (−r, r), and a quarter between
    let r = 0.03;
    let way = run(&CYLINDER, side(0, 1.0), DVec3::new(r, -r, 0.0), DVec3::new(-r, r, 0.0)).unwrap();
    assert!((way.length - r * FRAC_PI_2).abs() < 1e-12);
    assert!((way.arc.at(0.0) - DVec3::X * r).length() < 1e-12);
    assert!((way.arc.at(1.0) - DVec3::Y * r).length() < 1e-12);
}

#[test]
fn a_helix_rises_evenly() {
    let r = 0.03;
    let way = run(&CYLINDER, side(0, 1.0), DVec3::new(r, -r, 0.0), DVec3::new(-r, r, 0.1)).unwrap();
    let flat = r * (2.0 + FRAC_PI_2);
    assert!((way.arc.at(0.0).z - 0.1 * r / flat).abs() < 1e-12);
    assert!((total(&way, DVec3::new(r, -r, 0.0), DVec3::new(-r, r, 0.1)) - flat.hypot(0.1)).abs() < 1e-12);
}

#[test]
fn half_around_a_sphere_is_the_same_by_either_side() {
    let (from, to) = (DVec3::new(-0.1, 1e-6, 0.0), DVec3::new(0.1, 1e-6, 0.0));
    let angle = PI - 2.0 * (0.03_f64 / 0.1).acos();
    for sign in [1.0, -1.0] {
        let way = run(&SPHERE, side(1, sign), from, to).unwrap();
        assert!((way.length - 0.03 * angle).abs() < 1e-6);
        assert!(way.arc.at(0.5).y * sign > 0.0);
    }
}

#[test]
fn a_line_through_the_center_of_a_sphere_finds_a_way() {
    let way = run(&SPHERE, None, DVec3::new(-0.1, 0.0, 0.0), DVec3::new(0.1, 0.0, 0.0)).unwrap();
    assert!((way.length - 0.03 * (PI - 2.0 * (0.03_f64 / 0.1).acos())).abs() < 1e-12);
}

#[test]
fn a_torus_holds_a_line_inside_its_hole() {
    // the tube's section is a circle of 10 mm about x = 50 mm; the line passes it at 45 mm
    let (from, to) = (DVec3::new(0.045, 0.0, -0.1), DVec3::new(0.045, 0.0, 0.1));
    let way = run(&TORUS, None, from, to).unwrap();
    let d = 0.005_f64.hypot(0.1);
    let angle = 2.0 * 0.1_f64.atan2(0.005) - 2.0 * (0.01 / d).acos();
    let expected = 0.01 * angle + 2.0 * (d * d - 1e-4).sqrt();
    assert!((total(&way, from, to) - expected).abs() < 1e-9);
    assert!((way.arc.at(0.5) - DVec3::X * 0.04).length() < 1e-9);
    assert_eq!(run(&TORUS, None, DVec3::new(0.01, 0.0, -0.1), DVec3::new(0.01, 0.0, 0.1)), None);
}

#[test]
fn lines_that_pass_by_or_end_inside_are_left_alone() {
    for shape in [CYLINDER, SPHERE, ELLIPSOID] {
        let by = wrap(&shape, None, WrapMethod::Hybrid, DVec3::new(-0.1, 0.09, 0.0), DVec3::new(0.1, 0.09, 0.01));
        assert_eq!(by, Contact::None, "{shape:?}");
        let inside = wrap(&shape, None, WrapMethod::Hybrid, DVec3::new(0.01, 0.0, 0.0), DVec3::new(0.1, 0.09, 0.01));
        assert_eq!(inside, Contact::Inside, "{shape:?}");
    }
}

#[test]
fn a_cylinder_ends() {
    let short = WrapShape::Cylinder { radius: 0.03, length: 0.1 };
    let at = |z: f64| run(&short, None, DVec3::new(-0.1, 0.001, z), DVec3::new(0.1, 0.001, z));
    assert!(at(0.04).is_some() && at(0.06).is_none());
}

#[test]
fn the_side_decides_which_way_around() {
    let (from, to) = (DVec3::new(-0.1, 0.01, 0.01), DVec3::new(0.1, 0.01, 0.0));
    for shape in [CYLINDER, SPHERE, ELLIPSOID] {
        for sign in [1.0, -1.0] {
            let way = run(&shape, side(1, sign), from, to).unwrap();
            assert!(way.arc.at(0.5).y * sign > 0.0, "{shape:?} {sign}");
        }
    }
}

#[test]
fn an_ellipsoid_of_three_equal_radii_is_a_sphere() {
    let round = WrapShape::Ellipsoid { radii: DVec3::splat(0.03) };
    let (from, to) = (DVec3::new(-0.1, 0.01, 0.02), DVec3::new(0.08, 0.005, -0.01));
    let sphere = run(&SPHERE, None, from, to).unwrap();
    for method in [WrapMethod::Hybrid, WrapMethod::Midpoint] {
        let Contact::Must(way) = wrap(&round, None, method, from, to) else { panic!("it passes through") };
        assert!((way.length - sphere.length).abs() < 1e-9, "{method:?}");
        assert!((way.arc.at(0.3) - sphere.arc.at(0.3)).length() < 1e-9, "{method:?}");
    }
}

#[test]
fn no_string_is_shorter() {
    let (from, to) = (DVec3::new(-0.1, 0.01, 0.02), DVec3::new(0.08, 0.005, -0.01));
    for (shape, slack) in [(CYLINDER, 3e-5), (SPHERE, 3e-5), (ELLIPSOID, 5e-4)] {
        let way = run(&shape, None, from, to).unwrap();
        let (ours, string) = (total(&way, from, to), pulled(&shape, &way, from, to));
        // chords of a string are a little shorter than the arc; OpenSim's plane is not quite the shortest way
        assert!(ours - string < slack && string - ours < 1e-7, "{shape:?}: {ours} m, a string {string} m");
    }
}

fn ends() -> impl Strategy<Value = (DVec3, DVec3)> {
    let near = |x: f64| (x - 0.05..x + 0.05, -0.06..0.06, -0.06..0.06);
    (near(-0.1), near(0.1)).prop_map(|(a, b)| (DVec3::new(a.0, a.1, a.2), DVec3::new(b.0, b.1, b.2)))
}

fn any_side() -> impl Strategy<Value = Option<Side>> {
    prop::option::of((0..3_usize, prop::bool::ANY))
        .prop_map(|side| side.map(|(axis, plus)| Side { axis, sign: if plus { 1.0 } else { -1.0 } }))
}

proptest! {
    #[test]
    fn ways_are_taut((from, to) in ends(), side in any_side()) {
        for shape in [CYLINDER, SPHERE, ELLIPSOID] {
            if let Some(way) = run(&shape, side, from, to) {
                taut(&shape, &way, from, to)?;
            }
        }
    }

    /// A geodesic's length changes only through its ends, along the straight parts.
    #[test]
    fn length_grows_as_ends_are_pulled((from, to) in ends(), side in any_side(), pull in prop::array::uniform3(-1.0..1.0_f64)) {
        let h = 1e-7;
        for shape in [CYLINDER, SPHERE] {
            let step = DVec3::from(pull) * h;
            let [Some(less), Some(way), Some(more)] = [-step, DVec3::ZERO, step].map(|step| run(&shape, side, from + step, to))
            else { continue };
            let slope = (total(&more, from + step, to) - total(&less, from - step, to)) / (2.0 * h);
            let expected = (from - way.arc.at(0.0)).normalize().dot(DVec3::from(pull));
            // not where the way jumps to the other side, nor where it just begins to touch
            let steady = less.arc.at(0.5).distance(more.arc.at(0.5)) < 1e-4 && way.length > 1e-3;
            prop_assert!(!steady || (slope - expected).abs() < 1e-5, "{shape:?}: {slope} for {expected}");
        }
    }

    #[test]
    fn nothing_is_ever_not_a_number(
        (from, to) in ends(), side in any_side(), flat in prop::bool::ANY, same in prop::bool::ANY,
    ) {
        let from = if flat { DVec3::new(from.x, 0.0, 0.0) } else { from };
        let to = if same { from } else { to };
        for shape in [CYLINDER, SPHERE, ELLIPSOID, TORUS] {
            for method in [WrapMethod::Hybrid, WrapMethod::Midpoint, WrapMethod::Axial] {
                if let Contact::May(way) | Contact::Must(way) = wrap(&shape, side, method, from, to) {
                    prop_assert!(way.length.is_finite() && way.arc.at(0.5).is_finite(), "{shape:?}");
                }
            }
        }
    }
}
