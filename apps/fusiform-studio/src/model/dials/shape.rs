//! How thick a muscle is along its line, at rest, and the grid of its belly.

use super::{Dial, GRID, SHAPE, convert, of};
use crate::model::field::{Choice, OFF_ON};
use fusiform::Muscle;
use fusiform::musculature::{Profile, Sculpt};

/// A radius at an end of two cubics, at most as thick as the peak.
macro_rules! end_radius {
    ($i:literal) => {
        (
            |m, _| if let Profile::TwoCubics { ends, .. } = m.profile { Some(ends[$i]) } else { None },
            |m, _, value| {
                if let Profile::TwoCubics { peak, ends, .. } = &mut m.profile {
                    ends[$i] = value.min(*peak);
                }
            },
        )
    };
}

pub(super) const DIALS: &[Dial] = &[
    Dial::new(
        (SHAPE, "Size"),
        (0.001, 0.2, 0.02, "m"),
        of!(profile, Profile::Sine, size),
        "Radius at mid-belly. A larger belly swells the skin further; rest stays as it is.",
    ),
    Dial::new(
        (SHAPE, "Taper"),
        (0.2, 4.0, 1.0, ""),
        of!(profile, Profile::Sine, taper),
        "Draws the ends out into tendons: the skin swells over a shorter stretch.",
    ),
    Dial::new(
        (SHAPE, "Aspect"),
        (0.1, 4.0, 1.0, ""),
        of!(profile, Profile::Sine, aspect),
        "Height over width of the section: a flat muscle spreads its swelling over more skin.",
    ),
    Dial::new(
        (SHAPE, "Width"),
        (0.001, 0.2, 0.02, "m"),
        of!(profile, Profile::Ellipsoid, width),
        "Half-axis across the up-vector: how much skin the belly lies under.",
    ),
    Dial::new(
        (SHAPE, "Height"),
        (0.001, 0.2, 0.02, "m"),
        of!(profile, Profile::Ellipsoid, height),
        "Half-axis toward the up-vector: how far the belly stands out as it swells.",
    ),
    Dial::new(
        (SHAPE, "Peak at"),
        (0.05, 0.95, 0.5, ""),
        of!(profile, Profile::TwoCubics, peak_at),
        "Where along the belly it is thickest, and the skin swells most: 0 origin, 1 insertion.",
    ),
    Dial::new(
        (SHAPE, "Peak"),
        (0.001, 0.2, 0.02, "m"),
        (
            |m, _| if let Profile::TwoCubics { peak, .. } = m.profile { Some(peak) } else { None },
            |m, _, value| {
                if let Profile::TwoCubics { peak, ends, .. } = &mut m.profile {
                    *peak = value;
                    ends.iter_mut().for_each(|end| *end = end.min(value)); // no end is thicker than the peak
                }
            },
        ),
        "Radius at the thickest place: a thicker peak pushes the skin further.",
    ),
    Dial::new(
        (SHAPE, "Origin radius"),
        (0.0, 0.1, 0.0, "m"),
        end_radius!(0),
        "Radius where the belly begins, at most that of the peak: a thick end swells the skin up to the tendon.",
    ),
    Dial::new(
        (SHAPE, "Insertion radius"),
        (0.0, 0.1, 0.0, "m"),
        end_radius!(1),
        "Radius where the belly ends, at most that of the peak: a thick end swells the skin up to the tendon.",
    ),
    Dial::new(
        (SHAPE, "Origin slope"),
        (-0.4, 0.4, 0.0, "m"),
        of!(profile, Profile::TwoCubics, slopes[0]),
        "How fast the radius grows at the origin, over the belly's whole length: steep ends make a full, sudden swelling.",
    ),
    Dial::new(
        (SHAPE, "Insertion slope"),
        (-0.4, 0.4, 0.0, "m"),
        of!(profile, Profile::TwoCubics, slopes[1]),
        "How fast the radius changes at the insertion, over the belly's whole length: negative falls toward the tendon.",
    ),
    Dial::new(
        (SHAPE, "Ellipse"),
        (0.1, 4.0, 1.0, ""),
        of!(profile, Profile::TwoCubics, ellipse),
        "Height over width of the section: a flat muscle spreads its swelling over more skin.",
    ),
    Dial::new((SHAPE, "Origin k1"), (-10.0, 10.0, 0.0, ""), of!(profile, Profile::Sigmoid, shape.origin[0]), ONSET),
    Dial::new((SHAPE, "Origin k2"), (0.0, 30.0, 0.0, ""), of!(profile, Profile::Sigmoid, shape.origin[1]), STEEP),
    Dial::new((SHAPE, "Origin k3"), (-0.2, 0.2, 0.0, "m"), of!(profile, Profile::Sigmoid, shape.origin[2]), RISE),
    Dial::new((SHAPE, "Origin k4"), (-0.2, 0.2, 0.0, "m"), of!(profile, Profile::Sigmoid, shape.origin[3]), BASE),
    Dial::new(
        (SHAPE, "Insertion k1"),
        (-10.0, 10.0, 0.0, ""),
        of!(profile, Profile::Sigmoid, shape.insertion[0]),
        ONSET,
    ),
    Dial::new((SHAPE, "Insertion k2"), (0.0, 30.0, 0.0, ""), of!(profile, Profile::Sigmoid, shape.insertion[1]), STEEP),
    Dial::new((SHAPE, "Insertion k3"), (-0.2, 0.2, 0.0, "m"), of!(profile, Profile::Sigmoid, shape.insertion[2]), RISE),
    Dial::new((SHAPE, "Insertion k4"), (-0.2, 0.2, 0.0, "m"), of!(profile, Profile::Sigmoid, shape.insertion[3]), BASE),
    Dial::new(
        (SHAPE, "Eccentricity"),
        (0.0, 0.99, 0.0, ""),
        of!(profile, Profile::Sigmoid, shape.eccentricity),
        "How flat the section is: 0 is round, near 1 a blade that swells the skin to one side.",
    ),
    Dial::new(
        (GRID, "Rings"),
        (3.0, 64.0, 9.0, ""),
        (|m, _| Some(f32::from(m.rings)), |m, _, value| regrid(m, value as u16, m.sectors)),
        "Cross-sections along the belly: more follow bends and sculpted shapes more finely, and cost time. Sculpts are kept.",
    )
    .counted(),
    Dial::new(
        (GRID, "Sectors"),
        (3.0, 64.0, 8.0, ""),
        (|m, _| Some(f32::from(m.sectors)), |m, _, value| regrid(m, m.rings, value as u16)),
        "Points around each cross-section: more follow sculpted shapes more finely, and cost time. Sculpts are kept.",
    )
    .counted(),
];

const ONSET: &str = "Where between this end and the middle the belly begins to thicken: larger is later, and the skin swells \
     nearer the middle.";
const STEEP: &str =
    "How steeply it thickens from this end to the middle: steep bellies have a shoulder under the skin.";
const RISE: &str = "How much thicker the middle is than this end: what stands out of the skin.";
const BASE: &str = "Radius before it thickens: what the tendon has.";

pub(super) const CHOICES: &[Choice<Muscle>] = &[
    Choice::new(
        (SHAPE, "Profile"),
        (
            &[
                ("Sine", "A spindle: swells the skin most at its middle (Lee)."),
                ("Ellipsoid", "A ball drawn along the belly: full up to its ends (Pratscher, Saam)."),
                ("Two cubics", "A peak anywhere, ends of any thickness (Ramos)."),
                ("Sigmoids", "Two halves that rise from their ends, as measured (Murai)."),
            ],
            0,
        ),
        (
            |m| match m.profile {
                Profile::Sine { .. } => Some(0),
                Profile::Ellipsoid { .. } => Some(1),
                Profile::TwoCubics { .. } => Some(2),
                Profile::Sigmoid { .. } => Some(3),
                _ => None,
            },
            |m, option, _| convert::profile(m, option),
        ),
        "How thick the muscle is along its line. The belly stays as wide and as high at its thickest.",
    ),
    Choice::new(
        (SHAPE, "Lies flat"),
        (OFF_ON, 0),
        (
            |m| if let Profile::Sigmoid { flat, .. } = m.profile { Some(usize::from(flat)) } else { None },
            |m, option, _| {
                if let Profile::Sigmoid { flat, .. } = &mut m.profile {
                    *flat = option == 1;
                }
            },
        ),
        "Whether the section is longer across than toward the up-vector: a flat belly swells less of the skin's height.",
    ),
];

/// Another grid: sculpted shapes are read off the old one where the new points lie.
fn regrid(muscle: &mut Muscle, rings: u16, sectors: u16) {
    let (from, to) = ([muscle.rings, muscle.sectors].map(usize::from), [rings, sectors].map(usize::from));
    (muscle.rings, muscle.sectors) = (rings, sectors);
    let shapes = convert::pose_shapes(&mut muscle.contraction).iter_mut().map(|shape| &mut shape.sculpt);
    muscle.sculpt.iter_mut().chain(shapes).for_each(|sculpt| resample(sculpt, from, to));
}

fn resample(sculpt: &mut Sculpt, [rings, sectors]: [usize; 2], [new_rings, new_sectors]: [usize; 2]) {
    if sculpt.factors.len() != rings * sectors || rings < 2 {
        return; // binding will say what is wrong with it
    }
    let at = |ring: usize, sector: usize| sculpt.factors[ring * sectors + sector % sectors];
    let mut factors = Vec::with_capacity(new_rings * new_sectors);
    for i in 0..new_rings * new_sectors {
        let along = (i / new_sectors * (rings - 1)) as f32 / (new_rings - 1) as f32;
        let around = (i % new_sectors * sectors) as f32 / new_sectors as f32;
        let (ring, sector) = ((along as usize).min(rings - 2), around as usize);
        let (u, v) = (along - ring as f32, around - sector as f32);
        let row = |ring: usize| at(ring, sector) * (1.0 - v) + at(ring, sector + 1) * v;
        factors.push(row(ring) * (1.0 - u) + row(ring + 1) * u);
    }
    sculpt.factors = factors;
}
