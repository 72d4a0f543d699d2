//! Flesh: a muscle along a path, inside the skin.

use fusiform::musculature::{Attachment, Contraction, Dynamics, Path, Profile, Sigmoids, Volume};
use fusiform::{Muscle, Skeleton};
use fusiform_fit::{Preset, Surface};
use glam::Vec3;
use std::f32::consts::{PI, TAU};

/// kg/m³.
const DENSITY: f32 = 1060.0;
/// Hz: how fast a belly swings.
const SWINGS: f32 = 5.0;
/// Height of a belly's section over its width.
const ASPECT: f32 = 0.75;
/// Width of a belly over its length: fibres of stouter ones lie aslant, one behind the other, and the belly is longer.
const STOUTEST: f32 = 0.28;
/// Most of a path that is belly.
const MOST_BELLY: f32 = 0.9;
/// Of what the belly leaves of the path, what is at the origin; the long tendons are at the other end.
const TENDON_AT_ORIGIN: f32 = 1.0 / 3.0;
/// Share of a belly's half-height that must find room between its line and the fat.
const ROOM: f32 = 0.5;
/// m: how far apart places along a path are looked at, and what depth may lack.
const STEP: f32 = 0.015;
const LACKING: f32 = 1e-3;
/// Tries to bring a place below the skin.
const TRIES: usize = 12;
/// Corners between origin and insertion.
const MOST_CORNERS: usize = 16;

/// A place that a joint carries, model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    pub(super) joint: usize,
    pub(super) place: Vec3,
}

/// What muscles are made of, and where.
pub(super) struct Flesh<'a> {
    pub(super) skeleton: &'a Skeleton,
    pub(super) surface: &'a Surface,
    pub(super) preset: Preset,
    pub(super) fat: f32,
}

/// How long a path is.
pub(super) fn length(corners: &[Corner]) -> f32 {
    corners.windows(2).map(|pair| pair[0].place.distance(pair[1].place)).sum()
}

/// A belly on its path: where it begins and ends, m along it, and its half-axes.
struct Belly {
    from: f32,
    to: f32,
    width: f32,
    height: f32,
}

impl Belly {
    /// Half its height at that place, m along the path.
    fn thickness(&self, along: f32) -> f32 {
        let u = (along - self.from) / (self.to - self.from).max(1e-6);
        self.height * (4.0 * u * (1.0 - u)).max(0.0).sqrt()
    }
}

impl Flesh<'_> {
    /// Bring every corner below skin and fat; how many stood out of the skin.
    pub(super) fn draw_inside(&self, corners: &mut [Corner]) -> usize {
        let out = corners.iter().filter(|corner| self.surface.depth(corner.place) < 0.0).count();
        corners.iter_mut().for_each(|corner| corner.place = self.inward(corner.place, self.fat));
        out
    }

    /// The place, or the nearest way in from it that lies so deep; as deep as it can be where the body is thin.
    fn inward(&self, place: Vec3, depth: f32) -> Vec3 {
        let (mut best, mut at) = ((f32::NEG_INFINITY, place), place);
        for _ in 0..TRIES {
            let now = self.surface.depth(at);
            if now > best.0 {
                best = (now, at);
            }
            if now >= depth {
                break;
            }
            let away = (at - self.surface.nearest(at).point).normalize_or_zero();
            at += away * if now < 0.0 { now - depth } else { (depth - now) * 1.05 };
        }
        best.1
    }

    /// A muscle of that volume, m³, over those corners; its belly is as long as its fibres, m, or longer.
    pub(super) fn muscle(&self, name: String, mut corners: Vec<Corner>, fibre: f32, volume: f32) -> Muscle {
        thin_out(&mut corners);
        let mut belly = self.belly(length(&corners), fibre, volume);
        self.seat(&mut corners, &belly);
        belly = self.belly(length(&corners), fibre, volume);
        let whole = length(&corners);
        let middle = at(&corners, 0.5 * (belly.from + belly.to));
        let out = self.surface.nearest(middle.place).point - middle.place;
        let out = if self.surface.contains(middle.place) { out } else { -out };
        let (origin, insertion) = (corners[0], corners[corners.len() - 1]);
        let bind = |corner: &Corner| self.skeleton.joints[corner.joint].bind.inverse();
        let attach = |corner: &Corner| Attachment {
            joint: self.skeleton.joints[corner.joint].name.clone(),
            point: bind(corner).transform_point3(corner.place),
        };
        let up = bind(&origin).transform_vector3(out).try_normalize();
        Muscle {
            name,
            origin: attach(&origin),
            insertion: attach(&insertion),
            path: Path::Polyline {
                via: corners[1..corners.len() - 1].iter().map(attach).collect(),
                tendons: [belly.from, whole - belly.to],
            },
            profile: self.profile(&belly),
            contraction: self.contraction(&belly),
            dynamics: self.dynamics(volume),
            up,
            rings: 11,
            carrier: Some(self.skeleton.joints[middle.joint].name.clone()),
            ..Muscle::default()
        }
    }

    /// V = π w h m l with m the mean square of the profile.
    fn belly(&self, whole: f32, fibre: f32, volume: f32) -> Belly {
        let fullness = fullness(self.preset);
        let (width_over_radius, height_over_radius) = ((1.0 / ASPECT).sqrt(), ASPECT.sqrt());
        // l at which 2 r = STOUTEST l
        let slender = (4.0 * volume / (PI * fullness * STOUTEST * STOUTEST)).cbrt();
        let long = fibre.max(slender).clamp(0.05 * whole, MOST_BELLY * whole);
        let radius = (volume / (PI * fullness * long)).sqrt();
        let from = TENDON_AT_ORIGIN * (whole - long);
        Belly { from, to: from + long, width: radius * width_over_radius, height: radius * height_over_radius }
    }

    /// Give the line corners where it lies too near the skin, until it leaves room for the belly.
    fn seat(&self, corners: &mut Vec<Corner>, belly: &Belly) {
        let ends = corners.len() - 1;
        let mut gone = 0.0;
        for k in 0..=ends {
            let before = corners[k].place;
            let need = self.fat + ROOM * belly.thickness(gone);
            if k > 0 && k < ends {
                corners[k].place = self.inward(before, need);
            }
            gone += corners.get(k + 1).map_or(0.0, |next| next.place.distance(before));
        }
        while corners.len() < MOST_CORNERS + 2 {
            let Some((k, place)) = self.shallowest(corners, belly) else { break };
            let nearer = place.distance(corners[k].place) < place.distance(corners[k + 1].place);
            let joint = if nearer { corners[k].joint } else { corners[k + 1].joint };
            corners.insert(k + 1, Corner { joint, place });
        }
    }

    /// The place of the line that lacks most depth, brought below the skin, and the corner before it.
    fn shallowest(&self, corners: &[Corner], belly: &Belly) -> Option<(usize, Vec3)> {
        let (mut worst, mut gone) = (None, 0.0);
        let mut most = 2.0 * LACKING;
        for (k, pair) in corners.windows(2).enumerate() {
            let (from, to) = (pair[0].place, pair[1].place);
            let long = from.distance(to);
            let n = (long / STEP).floor() as usize;
            for i in 1..n {
                let (place, along) = (from.lerp(to, i as f32 / n as f32), gone + long * i as f32 / n as f32);
                let need = self.fat + ROOM * belly.thickness(along);
                let lack = need - self.surface.depth(place);
                if lack > most {
                    let inside = self.inward(place, need);
                    if inside.distance(place) > LACKING {
                        (worst, most) = (Some((k, inside)), lack);
                    }
                }
            }
            gone += long;
        }
        worst
    }

    fn profile(&self, belly: &Belly) -> Profile {
        let &Belly { width, height, .. } = belly;
        match self.preset {
            Preset::Lee => Profile::Sine { size: width, taper: 1.0, aspect: height / width },
            Preset::Ramos => Profile::TwoCubics {
                peak_at: 0.5,
                peak: width,
                ends: [END * width; 2],
                slopes: [SLOPE * width, -SLOPE * width],
                ellipse: height / width,
            },
            Preset::Saam | Preset::Pratscher => Profile::Ellipsoid { width, height },
            Preset::Murai => Profile::Sigmoid { shape: spindle(belly), flat: width > height },
        }
    }

    fn contraction(&self, belly: &Belly) -> Contraction {
        match self.preset {
            Preset::Lee => Contraction::default(),
            Preset::Ramos => Contraction::Cones { volume: Volume::Exact, isometric: 0.25 },
            Preset::Saam => Contraction::tension_ratio(),
            Preset::Pratscher => Contraction::Tone { tone: 1.0, isometric: 0.25 },
            Preset::Murai => Contraction::presumed(&spindle(belly), belly.to - belly.from, 0.25),
        }
    }

    /// As heavy as the muscle is.
    fn dynamics(&self, volume: f32) -> Dynamics {
        let heavy = DENSITY * volume;
        let stiff = heavy * (TAU * SWINGS) * (TAU * SWINGS);
        let (mut spring, mut soft) = (Dynamics::default(), Dynamics::soft_body());
        if let Dynamics::Spring { stiffness, mass, .. } = &mut spring {
            (*stiffness, *mass) = (stiff, heavy);
        }
        if let Dynamics::SoftBody { stiffness, goal, mass, .. } = &mut soft {
            (*stiffness, *goal, *mass) = (*stiffness * heavy / *mass, stiff, heavy);
        }
        match self.preset {
            Preset::Lee => spring,
            Preset::Saam => soft,
            Preset::Ramos | Preset::Pratscher | Preset::Murai => Dynamics::None,
        }
    }
}

fn spindle(&Belly { width, height, .. }: &Belly) -> Sigmoids {
    Sigmoids::spindle(width.max(height), width.min(height) / width.max(height))
}

/// Radius of two cubics at the ends, and how it grows there, over that at the middle; as the fitted ones.
const END: f32 = 0.1;
const SLOPE: f32 = 2.0;

/// Mean square of a profile that is 1 at its thickest.
fn fullness(preset: Preset) -> f32 {
    const STEPS: u8 = 64;
    let middle = |i: u8| (f32::from(i) + 0.5) / f32::from(STEPS);
    let mean = |square: &dyn Fn(u8) -> f32| (0..STEPS).map(square).sum::<f32>() / f32::from(STEPS);
    match preset {
        Preset::Lee => 0.5,
        Preset::Saam | Preset::Pratscher => 2.0 / 3.0,
        Preset::Ramos => {
            let square = |i: u8| {
                let t = middle(i);
                let (t2, t3) = (t * t, t * t * t);
                let slope = 0.5 * SLOPE * (t3 - 2.0 * t2 + t);
                (END * (2.0 * t3 - 3.0 * t2 + 1.0) + slope + 3.0 * t2 - 2.0 * t3).powi(2)
            };
            mean(&square)
        }
        Preset::Murai => mean(&|i: u8| Sigmoids::spindle(1.0, 1.0).radius(middle(i)).powi(2)),
    }
}

/// The place so many metres along a path, with the joint of the nearer corner.
fn at(corners: &[Corner], along: f32) -> Corner {
    let mut gone = 0.0;
    for pair in corners.windows(2) {
        let long = pair[0].place.distance(pair[1].place);
        if gone + long >= along && long > 0.0 {
            let share = (along - gone) / long;
            let joint = if share < 0.5 { pair[0].joint } else { pair[1].joint };
            return Corner { joint, place: pair[0].place.lerp(pair[1].place, share) };
        }
        gone += long;
    }
    corners[corners.len() - 1]
}

/// Leave out the corners that bend a path least, until there is room for more of them.
fn thin_out(corners: &mut Vec<Corner>) {
    const KEPT: usize = 10;
    while corners.len() > KEPT {
        let bends = |k: &usize| {
            let [a, b, c] = [corners[k - 1].place, corners[*k].place, corners[k + 1].place];
            a.distance(b) + b.distance(c) - a.distance(c)
        };
        let least = (1..corners.len() - 1).min_by(|a, b| bends(a).total_cmp(&bends(b)));
        let Some(least) = least else { break };
        corners.remove(least);
    }
}
