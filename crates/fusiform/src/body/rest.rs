//! Rest: a muscle in the bind pose, from the document: what tables are made from, and what fitting and pictures need
//! before there is a body.

use super::contract::{cubics, printed_rest};
use super::ellipsoid::{RestEllipsoid, Spine};
use super::frame;
use super::lanes::LANES;
use super::loft::{LoftRing, LoftTable, Strands};
use super::path::{Bezier, Chord, Lengths};
use super::polyline::RestLine;
use super::sheet::{MOST_BELLIES, RestSheet};
use super::sigmoid;
use crate::character::Skeleton;
use crate::musculature::{Muscle, Path, Physique, Profile, Spacing};
use glam::{Affine3A, Mat3, Vec2, Vec3};

/// Share of the height below which a length has no direction: well above rounding, far below anything seen.
pub const SHORTEST: f32 = 1e-5;

/// Share of the height below which a muscle's length no longer counts: a ratio of two such lengths is rounding.
pub const SHORTEST_LENGTH: f32 = 1e-3;

/// Share of the height below which an ellipsoid is never thin: its inverse would be rounding.
const THINNEST: f32 = 1e-4;

/// Half-axes of a muscle's section at share `s` of its belly: along b (toward the up-vector) and along c.
pub fn half_axes(muscle: &Muscle, s: f32) -> Vec2 {
    profile_axes(&muscle.profile, s) * printed_rest(&muscle.contraction)
}

/// What a peak that is thicker by a metre adds to the section there, as a share of the section; of sigmoids their radius, m.
pub fn rise(profile: &Profile, s: f32) -> f32 {
    if let Profile::Sigmoid { shape, .. } = profile {
        return shape.radius(s);
    }
    let Some(cubics) = cubics(profile) else { return 0.0 };
    let radius = cubics.radius(s);
    // where the belly has run out, there is nothing to grow
    if radius > 1e-3 * cubics.peak { cubics.parts(s).x / radius } else { 0.0 }
}

fn profile_axes(profile: &Profile, s: f32) -> Vec2 {
    match *profile {
        // eq. 4: r = S sin(π s)^T, end rings exactly zero
        Profile::Sine { size, taper, aspect } => {
            let ends = s <= 0.0 || s >= 1.0;
            let sine = if ends { 0.0 } else { libm::sinf(std::f32::consts::PI * s).max(0.0) };
            let radius = size * libm::powf(sine, taper);
            Vec2::new(radius * aspect, radius)
        }
        Profile::Ellipsoid { width, height } => {
            let x = 2.0 * s - 1.0;
            Vec2::new(height, width) * (1.0 - x * x).max(0.0).sqrt()
        }
        Profile::TwoCubics { ellipse, .. } => {
            let radius = cubics(profile).map_or(0.0, |cubics| cubics.radius(s));
            Vec2::new(radius * ellipse, radius)
        }
        Profile::Sigmoid { shape, flat } => sigmoid::half_axes(&shape, flat, s),
    }
}

fn share(ring: usize, muscle: &Muscle) -> f32 {
    ring as f32 / f32::from(muscle.rings - 1)
}

/// Offsets of all belly points from their ring's centre, along its b and c, at rest.
fn point_offsets(muscle: &Muscle, physique: &Physique) -> Vec<Vec2> {
    let (rings, sectors) = (usize::from(muscle.rings), usize::from(muscle.sectors));
    let point = |i: usize| {
        let axes = half_axes(muscle, share(i / sectors, muscle)) * physique.size;
        let angle = std::f32::consts::TAU * (i % sectors) as f32 / sectors as f32;
        let factor = muscle.sculpt.as_ref().map_or(1.0, |sculpt| sculpt.factors[i]);
        Vec2::new(libm::cosf(angle), libm::sinf(angle)) * axes * factor
    };
    (0..rings * sectors).map(point).collect()
}

/// A muscle in the bind pose.
pub(crate) struct Rest {
    pub chord: Vec3,
    pub chord_b: Vec3,
    pub up: Vec3,
    pub offset: Vec3, // m, chord frame: the middle point of a curve
    pub even: bool,   // whether rings are spaced by arc length
    pub middle: Vec3, // m: half-way along the belly
    pub length: f32,  // m
    pub belly: f32,   // m
    pub rings: Vec<RestRing>,
    pub ellipsoid: RestEllipsoid,
    pub sheet: Option<Lofted>,
}

/// A sheet and its surface.
pub(crate) struct Lofted {
    pub sheet: RestSheet,
    turn: Mat3, // of the chord in the bind pose, as frames have it
    pub loft: LoftTable,
    bellies: Vec<Vec<RestSection>>,
    widths: Vec<f32>, // m, one a ring, between the first belly and the last
}

pub(crate) struct RestRing {
    pub s: f32,
    pub center: Vec3,
    pub tangent: Vec3,
    pub b: Vec3,
}

/// Where rings sit on a path: the point at each share of the belly, and a tangent there.
struct Course {
    places: Vec<(Vec3, Vec3)>,
    spine: Spine,
    length: f32,
    belly: f32,
}

impl Rest {
    pub fn new(skeleton: &Skeleton, muscle: &Muscle, physique: &Physique, height: f32) -> Self {
        let bind = |name: &str| skeleton.find(name).map_or(Affine3A::IDENTITY, |j| skeleton.joints[j].bind);
        let origin_bind = bind(&muscle.origin.joint);
        let origin = origin_bind.transform_point3(muscle.origin.point);
        let insertion = bind(&muscle.insertion.joint).transform_point3(muscle.insertion.point);
        let axes = Mat3::from(frame::turn_of(&origin_bind));
        let chord = frame::unit_or(insertion - origin, SHORTEST * height, axes.x_axis);
        let up = up_vector(muscle.up.map(|up| axes * up), chord, axes);
        let chord_b = frame::at_bind(chord, up, (chord, chord.any_orthonormal_vector()));
        let (offset, even) = match muscle.path {
            Path::Bezier { offset, spacing, .. } => (offset, spacing == Spacing::ArcLength),
            Path::Polyline { .. } => (Vec3::ZERO, false),
            Path::Sheet { .. } => (Vec3::ZERO, true),
        };
        let shares: Vec<f32> = (0..usize::from(muscle.rings)).map(|i| share(i, muscle)).collect();
        let shortest = SHORTEST_LENGTH * height;
        let sheet = RestSheet::new(skeleton, muscle, shortest);
        let course = match (RestLine::new(skeleton, muscle, shortest), &sheet) {
            (Some(rest), _) => along_line(&rest, &shares, shortest),
            (None, Some(sheet)) => {
                let curve = sheet.middle();
                let course = along_curve(&curve, (curve.origin, curve.insertion()), even, &shares, shortest);
                Course { length: sheet.length, belly: sheet.belly(), ..course }
            }
            (None, None) => {
                let chord_frame = Mat3::from_cols(chord, chord_b, chord.cross(chord_b));
                let curve = Bezier::new(origin, (origin + insertion) * 0.5 + chord_frame * offset, insertion);
                along_curve(&curve, (origin, insertion), even, &shares, shortest)
            }
        };
        let ring = |(&s, &(center, tangent)): (&f32, &(Vec3, Vec3))| {
            let tangent = frame::unit_or(tangent, SHORTEST * height, chord);
            RestRing { s, center, tangent, b: frame::at_bind(tangent, up, (chord, chord_b)) }
        };
        let rings: Vec<RestRing> = shares.iter().zip(&course.places).map(ring).collect();
        let mut section = half_axes(muscle, 0.5) * physique.size;
        // frames in the bind pose have this turn, not quite identity: planes through bellies that nearly touch would make
        // millimetres of the difference
        let turn = || {
            let chord = Chord { x: chord, b: chord_b, up, rule: muscle.frame };
            let joint_turn = frame::turn_of(&(origin_bind * origin_bind.inverse())).into();
            chord.turn_to(&chord.carried(&joint_turn, insertion - origin, SHORTEST * height))
        };
        let sheet = sheet.map(|sheet| {
            let lofted = Lofted::new(sheet, turn(), muscle, physique, &rings, SHORTEST * height);
            section.y += 0.5 * lofted.widths[lofted.widths.len() / 2];
            lofted
        });
        let carrier = skeleton.find(muscle.carrier.as_ref().unwrap_or(&muscle.origin.joint)).unwrap_or(0);
        let carrier_axes = frame::turn_of(&skeleton.joints[carrier].bind).into();
        let ellipsoid = RestEllipsoid::new(
            &course.spine,
            (chord, chord_b),
            up,
            section,
            (SHORTEST * height, THINNEST * height),
            (carrier, carrier_axes),
        );
        let (middle, Course { length, belly, .. }) = (course.spine.middle, course);
        Self { chord, chord_b, up, offset, even, middle, length, belly, rings, ellipsoid, sheet }
    }
}

impl Lofted {
    /// The surface of a sheet's bellies; `turn` is that of the chord in the bind pose.
    fn new(
        sheet: RestSheet,
        turn: Mat3,
        muscle: &Muscle,
        physique: &Physique,
        rings: &[RestRing],
        shortest: f32,
    ) -> Self {
        let ring = |ring: &RestRing| LoftRing {
            s: ring.s,
            half_axes: half_axes(muscle, ring.s) * physique.size,
            tangent: ring.tangent,
            b: ring.b,
        };
        let sculpt = muscle.sculpt.as_ref().map_or(&[][..], |sculpt| &sculpt.factors);
        let rings = rings.iter().map(ring).collect();
        let loft = LoftTable::new(at_bind(&sheet, &turn), rings, muscle.sectors.into(), sculpt, shortest);
        let (bellies, widths) = loft.sections(at_bind(&sheet, &turn));
        Self { sheet, turn, loft, bellies, widths }
    }
}

fn at_bind<'a>(sheet: &'a RestSheet, turn: &'a Mat3) -> Strands<'a> {
    let curves = sheet.bellies();
    Strands { curves, growth: &[Vec2::ONE; MOST_BELLIES][..curves.len()], jiggle: Vec3::ZERO, turn }
}

fn along_line(rest: &RestLine, shares: &[f32], shortest: f32) -> Course {
    let line = rest.line();
    let at = |u: f32| line.place(u).0;
    Course {
        places: shares.iter().map(|&s| line.place(s)).collect(),
        spine: Spine { start: at(0.0), middle: at(0.5), end: at(1.0) },
        length: line.length().max(shortest),
        belly: rest.belly,
    }
}

fn along_curve(curve: &Bezier, ends: (Vec3, Vec3), even: bool, shares: &[f32], shortest: f32) -> Course {
    let lengths = Lengths::new(|_| *curve);
    let even = f32::from(u8::from(even));
    let place = |&s: &f32| {
        let u = lengths.parameters(&[s; LANES], &[even; LANES])[0];
        (curve.point(u), curve.tangent(u))
    };
    let length = (ends.1 - ends.0).length().max(shortest);
    Course {
        places: shares.iter().map(place).collect(),
        spine: Spine { start: ends.0, middle: curve.point(0.5), end: ends.1 },
        length,
        belly: length,
    }
}

/// The wished up-vector, or the joint's y-axis; where it runs along the chord, the joint axis that does so least.
fn up_vector(wished: Option<Vec3>, chord: Vec3, axes: Mat3) -> Vec3 {
    let up = wished.unwrap_or(axes.y_axis).normalize_or(axes.y_axis);
    if chord.cross(up).length() >= 0.3 {
        return up;
    }
    let across = |axis: &Vec3| chord.cross(*axis).length();
    [axes.x_axis, axes.z_axis]
        .into_iter()
        .fold(axes.y_axis, |best, axis| if across(&axis) > across(&best) { axis } else { best })
}

/// The belly of one muscle in the bind pose: what fitting, growing a skin and pictures need before there is a body.
#[derive(Clone, Debug, PartialEq)]
pub struct RestBelly {
    /// One per ring, from origin to insertion.
    pub rings: Vec<RestSection>,
    /// rings x sectors, metres, model space, ring by ring.
    pub points: Vec<Vec3>,
    /// What each point grows from, metres, model space: its ring's centre; in a sheet its foot on the curve through the
    /// bellies' centres.
    pub feet: Vec<Vec3>,
    /// The cross-sections of every belly of a sheet, in order across it; nothing for other muscles.
    pub bellies: Vec<Vec<RestSection>>,
    /// From origin to insertion, metres: straight for a curve, along the path for a polyline.
    pub length: f32,
    /// Length of the belly between the tendons, metres; as long as the muscle where there are none.
    pub belly_length: f32,
    /// E at bind: takes the unit sphere to the ellipsoid the belly fills, x along it, y toward the up-vector; metres, model
    /// space. The sculpt grid is no part of it.
    pub ellipsoid: Affine3A,
}

/// One cross-section of a belly in the bind pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestSection {
    /// Metres, model space.
    pub center: Vec3,
    /// Unit tangent, from origin to insertion.
    pub a: Vec3,
    /// Unit, toward the up-vector.
    pub b: Vec3,
    /// a x b.
    pub c: Vec3,
    /// Half-axes along b and c, metres; of a ring of a sheet that of a belly and half the sheet's width.
    pub half_axes: Vec2,
}

impl RestBelly {
    /// The cross-section that point is on: its ring, or in a sheet that of the belly its foot is nearest to.
    #[must_use]
    pub fn section(&self, point: usize) -> &RestSection {
        let ring = point / (self.points.len() / self.rings.len());
        let away = |belly: &&Vec<RestSection>| belly[ring].center.distance_squared(self.feet[point]);
        let nearest = self.bellies.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
        nearest.map_or(&self.rings[ring], |belly| &belly[ring])
    }
}

/// The bellies of muscles in the bind pose of a skeleton, physique `athlete`.
///
/// # Errors
/// When the skeleton or a muscle is not sound; the error names it and its cure.
pub fn rest_bellies(skeleton: &Skeleton, muscles: &[Muscle]) -> Result<Vec<RestBelly>, super::BindError> {
    super::check::skeleton(skeleton)?;
    super::check::muscles(muscles, skeleton)?;
    let places = skeleton.joints.iter().map(|joint| Vec3::from(joint.bind.translation));
    let (low, high) = places.fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(p), high.max(p)));
    let height = Some((high - low).max_element()).filter(|&h| h > 0.0).unwrap_or(1.0);
    Ok(muscles.iter().map(|m| rest_belly(skeleton, m, &Physique::ATHLETE, height)).collect())
}

/// The belly of one muscle in the bind pose.
pub(super) fn rest_belly(skeleton: &Skeleton, muscle: &Muscle, physique: &Physique, height: f32) -> RestBelly {
    let mut rest = Rest::new(skeleton, muscle, physique, height);
    let sheet = rest.sheet.take();
    let section = |ring: &RestRing| RestSection {
        center: ring.center,
        a: ring.tangent,
        b: ring.b,
        c: ring.tangent.cross(ring.b),
        half_axes: half_axes(muscle, ring.s) * physique.size,
    };
    let mut rings: Vec<RestSection> = rest.rings.iter().map(section).collect();
    let of = |rings, points, feet, bellies| RestBelly {
        rings,
        points,
        feet,
        bellies,
        length: rest.length,
        belly_length: rest.belly,
        ellipsoid: rest.ellipsoid.model,
    };
    let sectors = usize::from(muscle.sectors);
    if let Some(Lofted { sheet, turn, loft, bellies, widths }) = sheet {
        rings.iter_mut().zip(widths).for_each(|(ring, width)| ring.half_axes.y += 0.5 * width);
        let (mut points, mut feet) = (vec![Vec3::ZERO; rings.len() * sectors], vec![Vec3::ZERO; rings.len() * sectors]);
        loft.points(at_bind(&sheet, &turn), |point| loft.sculpt(point), &mut points);
        loft.each_point(at_bind(&sheet, &turn), |i, foot, _| feet[i] = foot);
        return of(rings, points, feet, bellies);
    }
    let offsets = point_offsets(muscle, physique);
    let place = |(i, offset): (usize, &Vec2)| {
        let ring = rings[i / sectors];
        ring.center + ring.b * offset.x + ring.c * offset.y
    };
    let points: Vec<Vec3> = offsets.iter().enumerate().map(place).collect();
    let feet = (0..points.len()).map(|i| rings[i / sectors].center).collect();
    of(rings, points, feet, Vec::new())
}
