//! Presets: which paper's dials the muscles get.
//!
//! A template says where muscles lie and how thick they are; a preset says what they are made of.

use crate::line::Line;
use crate::{Role, Roles, Side, Template};
use fusiform::body::{BindError, rest_bellies};
use fusiform::musculature::{
    Attachment, Contraction, Dynamics, FrameRule, Layer, Path, Profile, ShellMode, Sigmoids, Tissue, Volume, WrapFrame,
};
use fusiform::{Muscle, Musculature, Skeleton};
use glam::Vec3;

/// Share of its thickest part below which a sine is tendon.
const TENDON: f32 = 0.3;
/// The most a section is stretched one way and narrowed the other.
const MOST_SQUEEZE: f32 = 4.0;
/// What skin that wraps takes part in of a belly's sliding along the limb and sinking into it: on a whole body little, or it
/// tears between neighbours and shrinks where straight bellies cut the corners of bent joints.
const WRAP_SLIDE: f32 = 0.15;
const WRAP_SINK: f32 = 0.25;
/// A line whose middle leaves its chord by more than this share of it is bent.
const BENT: f32 = 0.04;
/// Where along the line a hinge stands between the end of a tendon and the middle.
const HINGES: [f32; 2] = [0.25, 0.75];
/// How far beyond its ends a bone still carries a hinge, as a share of its length.
const BEYOND: f32 = 0.1;
/// Shells: where influence ends, in half-axes beyond the muscle, and how much skin slides over it.
const DROP_OFF: f32 = 1.6;
const SLIPPAGE: f32 = 1.0;

/// Share of their weight on the skin that muscles between trunk and limb keep.
const EASED: f32 = 0.3;

/// Whose muscles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preset {
    /// Curves that bulge, with a spring; skin blended to the nearest belly vertices (Lee, Ashraf 2007).
    #[default]
    Lee,
    /// Two cubics on a line with tendons, bulging one way as they tense; skin moved away from the line as far as they grow
    /// (Ramos, Larboulette 2013).
    Ramos,
    /// Soft ellipsoids whose axes trade places as they tense, sheets of several bellies; skin wrapped round them and sliding
    /// over bones (Saam, Macey, Zhang).
    Saam,
    /// Ellipsoids between tendons that keep their length, conformed; skin drawn along by shells (Pratscher et al. 2005).
    Pratscher,
    /// Two sigmoids over via points whose numbers answer length and tension, as measured or as presumed; skin blended to them,
    /// and all of it soft tissue with mass (Murai et al. 2016).
    Murai,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Self; 5] = [Self::Lee, Self::Ramos, Self::Saam, Self::Pratscher, Self::Murai];

    /// As people ask for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lee => "lee",
            Self::Ramos => "ramos",
            Self::Saam => "saam",
            Self::Pratscher => "pratscher",
            Self::Murai => "murai",
        }
    }

    /// The preset of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }

    /// Whose kind of muscle it is, as far as its section tells.
    #[must_use]
    pub fn of(muscle: &Muscle) -> Self {
        match (&muscle.profile, &muscle.contraction) {
            (Profile::TwoCubics { .. }, _) => Self::Ramos,
            (Profile::Sigmoid { .. }, _) => Self::Murai,
            (Profile::Ellipsoid { .. }, Contraction::TensionRatio { .. }) => Self::Saam,
            (Profile::Ellipsoid { .. }, _) => Self::Pratscher,
            _ => Self::Lee,
        }
    }

    /// How its muscles reach the skin.
    #[must_use]
    pub fn layers(self) -> Vec<Layer> {
        match self {
            Self::Lee => vec![Layer::blend()],
            Self::Ramos => vec![Layer::displace()],
            Self::Saam => {
                let (muscles, frame) = (Vec::new(), WrapFrame::Normal);
                vec![Layer::Wrap { muscles, shrink: 0.0, frame, slide: WRAP_SLIDE, sink: WRAP_SINK }, Layer::slide()]
            }
            Self::Pratscher => vec![Layer::Shells {
                muscles: Vec::new(),
                drop_off: DROP_OFF,
                stickiness: 0.5,
                hardness: 0.5,
                weight: 1.0,
                mode: ShellMode::Stretch { slippage: SLIPPAGE },
            }],
            Self::Murai => vec![Layer::blend(), Layer::Tissue(Tissue::lively())],
        }
    }

    /// Whether its skin hangs on bones below it.
    pub(crate) fn has_tissue(self) -> bool {
        self == Self::Murai
    }

    /// Whether its muscles may have several bellies.
    pub(crate) fn has_sheets(self) -> bool {
        self == Self::Saam
    }

    /// Whether its muscles take the sculpted shape into their profile.
    pub(crate) fn takes_in_sculpts(self) -> bool {
        matches!(self, Self::Ramos | Self::Pratscher)
    }

    /// What the template says of these muscles that only some presets listen to.
    pub(crate) fn listen(self, template: &Template, muscles: &mut [Muscle]) {
        for muscle in muscles {
            let Contraction::TensionRatio { ratio, .. } = &mut muscle.contraction else { continue };
            let stem = muscle.name.strip_suffix(".l").or(muscle.name.strip_suffix(".r")).unwrap_or(&muscle.name);
            let sheet = template.sheets.iter().find(|sheet| sheet.name == stem).and_then(|sheet| sheet.of.first());
            let name = sheet.map_or(stem, String::as_str);
            let described = template.muscles.iter().find(|muscle| muscle.name == name);
            *ratio =
                described.map_or(template.defaults.tension_ratio, |of| of.filled(&template.defaults).tension_ratio);
        }
    }

    /// Turn its dials on a muscle that was placed with Lee's.
    pub(crate) fn turn_dials(self, skeleton: &Skeleton, muscle: &mut Muscle) {
        match self {
            Self::Lee => {}
            Self::Ramos => ramos(skeleton, muscle),
            Self::Saam => saam(skeleton, muscle),
            Self::Pratscher => pratscher(skeleton, muscle),
            Self::Murai => murai(skeleton, muscle),
        }
    }
}

/// A straight line, or two pieces where the line is bent, with what was thin of the sine for tendons; nothing for sheets.
fn with_tendons(skeleton: &Skeleton, muscle: &Muscle, taper: f32) -> Option<Path> {
    let line = Line::of(skeleton, muscle).filter(|_| !matches!(muscle.path, Path::Sheet { .. }))?;
    let ([origin, insertion], middle) = (line.ends(), line.point(0.5));
    let bent = middle.distance(origin.midpoint(insertion)) > BENT * origin.distance(insertion);
    let via = if bent { vec![hinge_on(skeleton, muscle, middle)] } else { Vec::new() };
    let length = origin.distance(middle) + middle.distance(insertion);
    let tendon = length * TENDON.powf(1.0 / taper).asin() / std::f32::consts::PI;
    Some(Path::Polyline { via, tendons: [tendon; 2] })
}

/// A spindle of that width and height at its thickest.
pub(crate) fn two_cubics(width: f32, height: f32) -> Profile {
    let (ends, slopes) = ([0.1 * width; 2], [2.0 * width, -2.0 * width]);
    Profile::TwoCubics { peak_at: 0.5, peak: width, ends, slopes, ellipse: height / width.max(1e-9) }
}

/// Two cubics between tendons.
fn ramos(skeleton: &Skeleton, muscle: &mut Muscle) {
    let Profile::Sine { size, taper, aspect } = muscle.profile else { return };
    let Some(path) = with_tendons(skeleton, muscle, taper) else { return };
    muscle.path = path;
    muscle.profile = two_cubics(size, size * aspect);
    muscle.contraction =
        Contraction::Cones { volume: Volume::Exact, isometric: isometric(&muscle.contraction).min(MOST_SQUEEZE) };
    muscle.dynamics = Dynamics::None;
}

/// A soft ellipsoid, or a sheet of such.
fn saam(skeleton: &Skeleton, muscle: &mut Muscle) {
    let Profile::Sine { size, taper, aspect } = muscle.profile else { return };
    if let Some(path) = with_tendons(skeleton, muscle, taper) {
        muscle.path = path;
    }
    muscle.profile = Profile::Ellipsoid { width: size, height: size * aspect };
    muscle.contraction = Contraction::tension_ratio();
    muscle.dynamics = softened(&muscle.dynamics);
}

/// Soft tissue as heavy as the spring's mass, that swings as often.
fn softened(dynamics: &Dynamics) -> Dynamics {
    let mut soft = Dynamics::soft_body();
    if let (
        Dynamics::SoftBody { stiffness, goal, mass, damping, reach, .. },
        &Dynamics::Spring { stiffness: spring, mass: of_spring, damping: damped, reach: far, .. },
    ) = (&mut soft, dynamics)
    {
        *stiffness *= of_spring / *mass;
        (*goal, *mass, *damping, *reach) = (spring, of_spring, damped, far);
    }
    soft
}

fn isometric(contraction: &Contraction) -> f32 {
    match *contraction {
        Contraction::Bulge { isometric, .. } => isometric,
        _ => 0.25,
    }
}

/// Two sigmoids on a line of four straight pieces, without tendons.
fn murai(skeleton: &Skeleton, muscle: &mut Muscle) {
    let Some(line) = Line::of(skeleton, muscle) else { return };
    let Profile::Sine { size, aspect, .. } = muscle.profile else { return };
    let via = hinges(&line).map(|hinge| hinge_on(skeleton, muscle, hinge));
    muscle.path = Path::Polyline { via: via.into(), tendons: [0.0; 2] };
    let isometric = isometric(&muscle.contraction);
    (muscle.profile, muscle.contraction) = sigmoid(size, size * aspect, isometric);
    muscle.dynamics = Dynamics::None;
    muscle.frame = FrameRule::Halves;
}

/// A spindle of that width and height at its thickest, which full tension makes `isometric` times thicker; how it answers
/// length is [presumed](presume) once its length is known.
pub(crate) fn sigmoid(width: f32, height: f32, isometric: f32) -> (Profile, Contraction) {
    let (long, short) = (width.max(height), width.min(height));
    let shape = Sigmoids::spindle(long, short / long.max(1e-9));
    (Profile::Sigmoid { shape, flat: width > height }, Contraction::presumed(&shape, f32::INFINITY, isometric))
}

/// Let bellies of which nothing was measured keep their volume as they shorten a little.
///
/// # Errors
/// When a muscle is not sound; the error names it and its cure.
pub(crate) fn presume(skeleton: &Skeleton, muscles: &mut [Muscle]) -> Result<(), BindError> {
    for (belly, muscle) in rest_bellies(skeleton, muscles)?.iter().zip(muscles) {
        let (Profile::Sigmoid { shape, .. }, Contraction::Identified { by_length, .. }) =
            (&muscle.profile, &mut muscle.contraction)
        else {
            continue;
        };
        let length: f32 = belly.rings.windows(2).map(|pair| pair[0].center.distance(pair[1].center)).sum();
        if let Contraction::Identified { by_length: presumed, .. } = Contraction::presumed(shape, length, 0.0) {
            *by_length = presumed;
        }
    }
    Ok(())
}

/// Where a line of four straight pieces bends.
fn hinges(line: &Line) -> [Vec3; 3] {
    [HINGES[0], 0.5, HINGES[1]].map(|u| line.point(u))
}

/// An ellipsoid on a line of four straight pieces; its tendons are what was thin of the sine.
fn pratscher(skeleton: &Skeleton, muscle: &mut Muscle) {
    let Some(line) = Line::of(skeleton, muscle) else { return };
    let Profile::Sine { size, taper, aspect } = muscle.profile else { return };
    let hinges = hinges(&line);
    let via = hinges.map(|hinge| hinge_on(skeleton, muscle, hinge));
    let [origin, insertion] = line.ends();
    let points = [origin, hinges[0], hinges[1], hinges[2], insertion];
    let length: f32 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let tendon = length * TENDON.powf(1.0 / taper).asin() / std::f32::consts::PI;
    let isometric = isometric(&muscle.contraction);
    muscle.path = Path::Polyline { via: via.into(), tendons: [tendon; 2] };
    muscle.profile = Profile::Ellipsoid { width: size, height: size * aspect };
    muscle.contraction = Contraction::Tone { tone: 1.0, isometric };
    muscle.dynamics = Dynamics::None;
}

/// Let go of most of the skin over muscles of the trunk that pull on a limb: the shell of a pectoral is carried by the chest,
/// its belly goes half the way with a raised arm, and all the skin between would be drawn along. A thigh raised to the chest
/// does the same to what comes from the pelvis, and a raised arm to a deltoid.
pub(crate) fn ease(musculature: &mut Musculature, skeleton: &Skeleton, roles: &Roles) {
    let limbs = Role::ALL.into_iter().filter(|role| role.is_sided() && *role != Role::Shoulder);
    let limbs: Vec<usize> = limbs.flat_map(|role| Side::BOTH.map(|side| roles.get(role, side))).flatten().collect();
    let on_limb = |name: &String| skeleton.find(name).is_some_and(|joint| limbs.contains(&joint));
    let hips = roles.get(Role::Hips, Side::Left);
    let on_upper_arm = |name: &String| {
        let joint = skeleton.find(name);
        joint.is_some() && Side::BOTH.iter().any(|&side| roles.get(Role::UpperArm, side) == joint)
    };
    let from_hips = |name: &String| skeleton.find(name).is_some_and(|joint| Some(joint) == hips);
    let pulls_on_limb = |muscle: &Muscle| {
        let ends = [&muscle.origin.joint, &muscle.insertion.joint];
        let carried_by_trunk = muscle.carrier.as_ref().is_some_and(|joint| !on_limb(joint));
        let ends_at_shoulder = ends.into_iter().any(on_upper_arm) && !ends.into_iter().all(on_limb);
        let on_limb = ends.into_iter().any(on_limb);
        on_limb && (carried_by_trunk || ends_at_shoulder || ends.into_iter().any(from_hips))
    };
    let eased: Vec<bool> = musculature.muscles.iter().map(pulls_on_limb).collect();
    for weights in &mut musculature.weights {
        for (muscle, weight) in weights.index.iter().zip(&mut weights.weight) {
            if eased[usize::from(*muscle)] {
                *weight *= EASED;
            }
        }
    }
}

/// A hinge, carried by the bone the belly lies along where it stands beside it, else by the end it is nearer to.
fn hinge_on(skeleton: &Skeleton, muscle: &Muscle, hinge: Vec3) -> Attachment {
    let at = |joint: usize| Vec3::from(skeleton.joints[joint].bind.translation);
    let find = |name: &str| skeleton.find(name).unwrap_or(0);
    let (origin, insertion) = (find(&muscle.origin.joint), find(&muscle.insertion.joint));
    let carrier = muscle.carrier.as_deref().map_or(origin, find);
    let beside = |child: usize| {
        let bone = at(child) - at(carrier);
        let t = (hinge - at(carrier)).dot(bone) / bone.length_squared().max(1e-12);
        (-BEYOND..=1.0 + BEYOND).contains(&t)
    };
    let mut children = (0..skeleton.joints.len()).filter(|&joint| skeleton.joints[joint].parent == Some(carrier));
    let nearer = if hinge.distance(at(origin)) < hinge.distance(at(insertion)) { origin } else { insertion };
    let joint = if children.any(beside) { carrier } else { nearer };
    let joint = &skeleton.joints[joint];
    Attachment { joint: joint.name.clone(), point: joint.bind.inverse().transform_point3(hinge) }
}

/// Take what conforming did on the whole into two cubics and into the ellipsoids' own half-axes: shells know nothing of the
/// sculpt, and a muscle grows by its profile.
///
/// # Errors
/// When a muscle is not sound; the error names it and its cure.
pub(crate) fn take_in_sculpts(skeleton: &Skeleton, muscles: &mut [Muscle]) -> Result<(), BindError> {
    for (belly, muscle) in rest_bellies(skeleton, muscles)?.iter().zip(muscles) {
        if let Profile::TwoCubics { .. } = muscle.profile {
            (muscle.profile, muscle.sculpt) = (belly.two_cubics(), None);
        }
        let Profile::Ellipsoid { width, height } = &mut muscle.profile else { continue };
        let (rings, sectors) = (belly.rings.len(), belly.points.len() / belly.rings.len());
        let mut reach = [(0.0_f32, 0.0_f32); 2];
        for i in rings / 4..rings - rings / 4 {
            let ring = &belly.rings[i];
            for p in &belly.points[i * sectors..(i + 1) * sectors] {
                let from = *p - ring.center;
                for (sum, axis, half) in [(0, ring.b, ring.half_axes.x), (1, ring.c, ring.half_axes.y)] {
                    // a point of the ellipse has (cos, sin) of its half-axes: least squares for the half-axis
                    let share = from.dot(axis) / half.max(1e-9);
                    reach[sum].0 += share.abs();
                    reach[sum].1 += 1.0;
                }
            }
        }
        // the mean of |cos| around a circle
        let scale = reach.map(|(sum, n)| sum / n.max(1.0) / std::f32::consts::FRAC_2_PI);
        (*height, *width) = (*height * scale[0].max(0.2), *width * scale[1].max(0.2));
        muscle.sculpt = None;
    }
    Ok(())
}
