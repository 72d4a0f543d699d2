//! Pose shapes: skins sculpted in several poses give every muscle a shape in each of them.
//!
//! In a pose the bellies lie where the solver puts them; there they are conformed to the skin that was sculpted for that
//! pose, as at bind, and what that makes of each becomes a sample of its [`Contraction::PoseShapes`].
//!
//! Pratscher, Coleman, Laszlo, Singh: *Outside-In Anatomy Based Character Rigging*, 2005, section 4.1.

use crate::conform::factors;
use crate::{Surface, Toward};
use fusiform::body::{BindError, RestBelly, RestSection, Ring, rest_bellies};
use fusiform::musculature::{Contraction, Layer, PoseShape, Sculpt, ShellMode};
use fusiform::{Body, BodyState, Character, Muscle, Musculature, Skeleton, StepInput};
use glam::{Affine3A, Quat};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// A joint turned by less than this, radians, is as at bind.
const TURNED: f32 = 0.02;

/// A skin in a pose.
pub struct PosedSkin {
    /// `model_from_joint` of every joint.
    pub pose: Vec<Affine3A>,
    /// The skin that was sculpted there, model space.
    pub surface: Surface,
}

/// Give every muscle whose joints turn in one of the poses a shape there; returns how many got one.
///
/// Shells then go by the bellies' own shape ([`ShellMode::Star`]).
///
/// # Errors
/// When the musculature is not sound, or two poses are the same to a muscle.
pub fn add_pose_shapes(
    character: &Character,
    musculature: &mut Musculature,
    toward: &[Toward],
    skins: &[PosedSkin],
    fat: f32,
) -> Result<usize, BindError> {
    let skeleton = &character.skeleton;
    let bellies = rest_bellies(skeleton, &musculature.muscles)?;
    // shapes are measured on bellies that do not swell by themselves
    let mut still = musculature.clone();
    still.muscles.iter_mut().for_each(|m| m.contraction = Contraction::Tone { tone: 0.0, isometric: 0.0 });
    let body = Body::bind(character, &still)?;
    let mut shapes: Vec<Vec<PoseShape>> = vec![Vec::new(); musculature.muscles.len()];
    for skin in skins {
        let mut state = BodyState::new(&body);
        body.step(&mut state, &StepInput::new(&skin.pose, 0.0));
        let of_pose: Vec<Option<PoseShape>> = (0..shapes.len())
            .into_par_iter()
            .map(|m| {
                let turns = turns(skeleton, &still.muscles[m], &skin.pose);
                let posed = posed(&body, &state, m, &bellies[m]);
                (!turns.is_empty()).then(|| {
                    let grown = factors(&posed, toward[m], &skin.surface, fat);
                    let at_bind = still.muscles[m].sculpt.as_ref().map(|sculpt| &sculpt.factors);
                    let factor = |i: usize| grown[i] * at_bind.map_or(1.0, |factors| factors[i]);
                    PoseShape { turns, sculpt: Sculpt { factors: (0..grown.len()).map(factor).collect() } }
                })
            })
            .collect();
        for (shapes, shape) in shapes.iter_mut().zip(of_pose) {
            shapes.extend(shape);
        }
    }
    let mut shaped = 0;
    for (muscle, shapes) in musculature.muscles.iter_mut().zip(shapes).filter(|(_, shapes)| !shapes.is_empty()) {
        muscle.contraction = Contraction::PoseShapes { shapes, tone: 0.0, isometric: isometric(&muscle.contraction) };
        shaped += 1;
    }
    for layer in &mut musculature.layers {
        if let Layer::Shells { mode, .. } = layer
            && let ShellMode::Stretch { slippage } = *mode
        {
            *mode = ShellMode::Star { slippage };
        }
    }
    Ok(shaped)
}

fn isometric(contraction: &Contraction) -> f32 {
    match contraction {
        Contraction::Bulge { isometric, .. }
        | Contraction::Tone { isometric, .. }
        | Contraction::PoseShapes { isometric, .. } => *isometric,
        _ => 0.25,
    }
}

/// A belly as it lies in the state's pose.
fn posed(body: &Body, state: &BodyState, m: usize, rest: &RestBelly) -> RestBelly {
    let mut points = rest.points.clone();
    state.belly_points(body, m, &mut points);
    let mut feet = rest.feet.clone();
    state.belly_feet(body, m, &mut feet);
    let rings = state.rings(body, m);
    let carried = |rest: &[RestSection]| -> Vec<RestSection> {
        let carry = |(ring, rest): (&Ring, &RestSection)| RestSection {
            center: ring.carry(rest.center),
            a: ring.turn(rest.a),
            b: ring.turn(rest.b),
            c: ring.turn(rest.c),
            half_axes: rest.half_axes,
        };
        rings.iter().zip(rest).map(carry).collect()
    };
    let bellies = rest.bellies.iter().map(|belly| carried(belly)).collect();
    RestBelly { rings: carried(&rest.rings), points, feet, bellies, ..rest.clone() }
}

/// How the joints between a muscle's ends are turned since bind, relative to their parents.
fn turns(skeleton: &Skeleton, muscle: &Muscle, pose: &[Affine3A]) -> BTreeMap<String, Quat> {
    let rotation = |m: &Affine3A| m.to_scale_rotation_translation().1;
    let local = |joint: usize, of: &dyn Fn(usize) -> Affine3A| {
        let own = rotation(&of(joint));
        skeleton.joints[joint].parent.map_or(own, |parent| rotation(&of(parent)).inverse() * own)
    };
    let turn = |joint: usize| {
        let bind = local(joint, &|j| skeleton.joints[j].bind);
        (bind.inverse() * local(joint, &|j| pose[j])).normalize()
    };
    let spanned = spanned(skeleton, muscle).into_iter().map(|joint| (joint, turn(joint)));
    let turned = spanned.filter(|(_, turn)| turn.angle_between(Quat::IDENTITY) > TURNED);
    turned.map(|(joint, turn)| (skeleton.joints[joint].name.clone(), turn)).collect()
}

/// The joints whose turning moves one end of the muscle against the other.
fn spanned(skeleton: &Skeleton, muscle: &Muscle) -> Vec<usize> {
    let up = |name: &str| {
        let mut chain: Vec<usize> = skeleton.find(name).into_iter().collect();
        while let Some(parent) = chain.last().and_then(|&joint| skeleton.joints[joint].parent) {
            chain.push(parent);
        }
        chain
    };
    let [from, to] = [up(&muscle.origin.joint), up(&muscle.insertion.joint)];
    let only = |own: &[usize], other: &[usize]| own.iter().copied().filter(|j| !other.contains(j)).collect::<Vec<_>>();
    [only(&from, &to), only(&to, &from)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Preset, Roles, Template, Wear, rig};
    use fusiform::{Mesh, Transform};
    use glam::Vec3;

    /// An arm of two round bones along x, closed at its ends.
    fn arm() -> Character {
        let joints = [
            ("root", None, Transform::IDENTITY),
            ("upper", Some(0), Transform::at(Vec3::X * 0.02)),
            ("lower", Some(1), Transform::at(Vec3::X * 0.28)),
        ];
        let mut mesh = Mesh { name: "skin".into(), ..Mesh::default() };
        const ALONG: u32 = 60;
        const AROUND: u32 = 24;
        for i in 0..=ALONG {
            let x = -0.05 + 0.65 * i as f32 / ALONG as f32;
            let radius = if i == 0 || i == ALONG { 0.0 } else { 0.05 };
            for j in 0..AROUND {
                let (sin, cos) = (j as f32 / AROUND as f32 * std::f32::consts::TAU).sin_cos();
                mesh.positions.push(Vec3::new(x, radius * cos, radius * sin));
                let lower = ((x - 0.25) / 0.1).clamp(0.0, 1.0);
                mesh.weights.push_vertex([(1, 1.0 - lower), (2, lower)]);
                let [a, b] = [j, (j + 1) % AROUND].map(|j| i * AROUND + j);
                if i < ALONG {
                    mesh.triangles.extend([[a, a + AROUND, b], [b, a + AROUND, b + AROUND]]);
                }
            }
        }
        Character { name: "arm".into(), skeleton: Skeleton::from_rest(&joints), meshes: vec![mesh], clips: Vec::new() }
    }

    fn biceps() -> Template {
        Template::parse(
            r#"
            name = "arm"
            [[muscle]]
            name = "biceps"
            group = "arm"
            mirrored = false
            origin = { bone = "upper_arm", t = 0.1, angle = 0, depth = 0.3 }
            over = { bone = "upper_arm", t = 0.5, angle = 0, depth = 0.95 }
            insertion = { bone = "lower_arm", t = 0.2, angle = 0, depth = 0.3 }
            size = 0.06
            "#,
        )
        .unwrap()
    }

    #[test]
    fn a_belly_takes_the_shape_of_the_skin_sculpted_in_its_pose() {
        let character = arm();
        let mut roles = Roles::default();
        roles.set(crate::Role::UpperArm, crate::Side::Left, 1);
        roles.set(crate::Role::LowerArm, crate::Side::Left, 2);
        let fat = 0.003;
        for preset in Preset::ALL {
            let mut rigged = rig(&character, &[Wear::Body], &roles, &biceps(), preset, fat, |_| Ok(())).unwrap();
            let mut pose = character.skeleton.bind_matrices();
            pose[2] *= Affine3A::from_rotation_y(-1.0);
            // the skin in that pose, swollen by 8 mm over the belly
            let body = Body::bind(&character, &Musculature::plain()).unwrap();
            let mut state = BodyState::new(&body);
            body.step(&mut state, &StepInput::new(&pose, 0.0));
            let swollen = state.positions().iter().map(|p| {
                let over = (1.0 - ((p.x - 0.16) / 0.14).powi(2)).max(0.0) * (p.z / 0.05).max(0.0);
                *p + Vec3::Z * (0.008 * over)
            });
            let mesh = Mesh { positions: swollen.collect(), ..character.meshes[0].clone() };
            let skin = PosedSkin { pose: pose.clone(), surface: Surface::new([&mesh]).unwrap() };
            let musculature = &mut rigged.musculature;
            assert_eq!(add_pose_shapes(&character, musculature, &rigged.toward, &[skin], fat).unwrap(), 1);
            let body = Body::bind(&character, musculature).unwrap();
            let mut state = BodyState::new(&body);
            body.step(&mut state, &StepInput::new(&character.skeleton.bind_matrices(), 0.0));
            for (p, bind) in state.positions().iter().zip(&character.meshes[0].positions) {
                assert!(p.distance(*bind) < 1e-5, "{preset:?}: rest is the artist's skin");
            }
            let mut points = vec![Vec3::ZERO; body.belly_size(0)];
            body.step(&mut state, &StepInput::new(&pose, 0.0));
            state.belly_points(&body, 0, &mut points);
            let highest = points.iter().fold(Vec3::ZERO, |high, p| if p.z > high.z { *p } else { high });
            let gap = Surface::new([&mesh]).unwrap().depth(highest);
            assert!((gap - fat).abs() < 0.0015, "{preset:?}: {gap} m of fat where {fat} was asked for");
            assert!(highest.z > 0.05, "{preset:?}: the belly has grown with the sculpt, to {}", highest.z);
        }
    }
}
