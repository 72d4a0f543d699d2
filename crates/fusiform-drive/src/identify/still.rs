//! Still: the character whose muscles move but keep their shape, without tissue and springs: what bones alone do to the skin.

use super::{IdentifyError, Laws, Seen};
use crate::rigid::posed;
use fusiform::body::SkinFollow;
use fusiform::musculature::{Contraction, Dynamics, Layer, Profile, Sigmoids};
use fusiform::{BindError, Body, BodyState, Character, Detail, Mesh, Musculature, StepInput};
use fusiform_fit::{Surface, Wear};
use fusiform_motion::identify::Shape;
use glam::{Affine3A, Vec3};
use rayon::prelude::*;
use std::borrow::Borrow;

/// Frames that one state goes through: each is solved by itself, so that their number changes no bit.
const CHUNK: usize = 8;

/// One frame as a body is told of it.
pub(super) struct Moment {
    pose: Vec<Affine3A>,
    activation: Vec<f32>,
}

impl Moment {
    /// n_joint: where joints are, model space.
    pub fn pose(&self) -> &[Affine3A] {
        &self.pose
    }
}

/// The character whose muscles keep their shape.
pub(super) struct Still<'a> {
    pub character: &'a Character,
    /// Its muscles without rates, springs and tissue.
    pub musculature: Musculature,
    pub body: Body,
    /// Muscles that can be identified.
    pub muscles: Vec<usize>,
    /// n_vertex: what each takes from sections of muscles.
    pub follows: Vec<Vec<SkinFollow>>,
    /// m, n_muscle: bellies at rest.
    pub rest_bellies: Vec<f32>,
    skin: Vec<usize>, // meshes that markers may sit on
}

impl<'a> Still<'a> {
    pub fn new(character: &'a Character, musculature: &Musculature, wear: &[Wear]) -> Result<Self, IdentifyError> {
        let can_be = |m: &usize| law_of(musculature, *m).is_some();
        let muscles: Vec<usize> = (0..musculature.muscles.len()).filter(can_be).collect();
        if muscles.is_empty() {
            return Err(IdentifyError::NoMuscles);
        }
        if musculature.physique.bulge <= 0.0 {
            return Err(IdentifyError::NoBulge);
        }
        let mut still = musculature.clone();
        still.layers.retain(|layer| !matches!(layer, Layer::Tissue(_)));
        for muscle in &mut still.muscles {
            muscle.dynamics = Dynamics::None;
            if let Contraction::Identified { by_length, by_tension, .. } = &mut muscle.contraction {
                (*by_length, *by_tension) = (Sigmoids::default(), Sigmoids::default());
            }
        }
        let body = Body::bind(character, &still)?;
        let follows = body.skin_follows();
        if follows.iter().flatten().all(|follow| !muscles.contains(&follow.muscle)) {
            return Err(IdentifyError::NoMuscles);
        }
        let worn = |mesh: &usize| wear.get(*mesh).is_none_or(|wear| *wear == Wear::Body);
        let skin: Vec<usize> = (0..character.meshes.len()).filter(worn).collect();
        let rest_bellies = BodyState::new(&body).belly_lengths().to_vec();
        Ok(Self { character, musculature: still, body, muscles, follows, rest_bellies, skin })
    }

    /// Every frame as a body is told of it.
    pub fn moments(&self, seen: &Seen) -> Vec<Moment> {
        let mut played: Vec<Option<fusiform::body::PlayedActivation>> = vec![None; self.character.clips.len()];
        let moment = |&(clip, time): &(usize, f32)| {
            let of = &self.character.clips[clip];
            let curves = played[clip].get_or_insert_with(|| self.body.play(Some(&of.name), &[]));
            Moment { pose: posed(&self.character.skeleton, of, time), activation: curves.at(time).to_vec() }
        };
        seen.moments.iter().map(moment).collect()
    }

    /// Something of every moment of a body of these muscles, on all cores.
    pub fn each<M: Borrow<Moment> + Sync, T: Send>(
        &self,
        body: &Body,
        moments: &[M],
        look: impl Fn(usize, &BodyState) -> T + Sync,
    ) -> Vec<T> {
        let chunk = |(c, chunk): (usize, &[M])| {
            let mut state = BodyState::new(body);
            let one = |(i, moment): (usize, &M)| {
                let moment = moment.borrow();
                let mut input = StepInput::new(&moment.pose, 0.0);
                input.activation = &moment.activation;
                input.detail = Detail::POSITIONS;
                body.step(&mut state, &input);
                look(c * CHUNK + i, &state)
            };
            chunk.iter().enumerate().map(one).collect::<Vec<T>>()
        };
        moments.par_chunks(CHUNK).enumerate().flat_map_iter(chunk).collect()
    }

    /// The skin that markers may sit on, its vertices being there.
    pub fn surface(&self, positions: &[Vec3]) -> Option<Surface> {
        let posed = |&mesh: &usize| Mesh {
            positions: positions[self.body.vertices_of_mesh(mesh)].to_vec(),
            triangles: self.character.meshes[mesh].triangles.clone(),
            ..Mesh::default()
        };
        Surface::new(&self.skin.iter().map(posed).collect::<Vec<_>>())
    }

    /// Row among all vertices of a corner of one of the meshes of [`Still::surface`].
    pub fn vertex(&self, mesh: usize, corner: u32) -> usize {
        self.body.vertices_of_mesh(self.skin[mesh]).start + corner as usize
    }

    /// Vertices of that skin which a muscle moves that can be identified.
    pub fn followed(&self) -> Vec<usize> {
        let rows = self.skin.iter().flat_map(|&mesh| self.body.vertices_of_mesh(mesh));
        let moved = |v: &usize| self.follows[*v].iter().any(|follow| self.muscles.contains(&follow.muscle));
        rows.filter(moved).collect()
    }

    /// m, all vertices at bind.
    pub fn bind_positions(&self) -> Vec<Vec3> {
        self.character.meshes.iter().flat_map(|mesh| mesh.positions.iter().copied()).collect()
    }

    /// The shape at rest of a muscle, and whether its long axis is the second.
    pub fn rest(&self, muscle: usize) -> Option<(Shape, bool)> {
        law_of(&self.musculature, muscle).map(|(shape, flat)| (widened(shape), flat))
    }

    /// The body of the still muscles with those laws.
    pub fn body_with(&self, laws: &Laws) -> Result<Body, BindError> {
        self.body.rebind(self.character, &written(&self.musculature, laws))
    }
}

/// Muscles with those laws. A physique multiplies radii and rates, so they are divided by it.
pub(super) fn written(musculature: &Musculature, laws: &Laws) -> Musculature {
    let mut written = musculature.clone();
    let (bulge, size) = (f64::from(musculature.physique.bulge), f64::from(musculature.physique.size));
    for (muscle, known) in written.muscles.iter_mut().zip(laws) {
        let (Profile::Sigmoid { shape, .. }, Contraction::Identified { by_length, by_tension, .. }, Some(known)) =
            (&mut muscle.profile, &mut muscle.contraction, known)
        else {
            continue;
        };
        let thinner = if known.rest { size } else { 1.0 };
        if known.rest {
            *shape = narrowed(&known.law.rest, 1.0, thinner);
        }
        if known.by_length {
            *by_length = narrowed(&known.law.by_length, bulge, thinner);
        }
        if known.by_tension {
            *by_tension = narrowed(&known.law.by_tension, bulge, thinner);
        }
    }
    written
}

/// The shape at rest of a muscle that can be identified.
fn law_of(musculature: &Musculature, muscle: usize) -> Option<(&Sigmoids, bool)> {
    let muscle = &musculature.muscles[muscle];
    match (&muscle.profile, &muscle.contraction) {
        (Profile::Sigmoid { shape, flat }, Contraction::Identified { .. }) => Some((shape, *flat)),
        _ => None,
    }
}

fn widened(of: &Sigmoids) -> Shape {
    Shape { k: [of.origin, of.insertion].map(|k| k.map(f64::from)), eccentricity: f64::from(of.eccentricity) }
}

/// All numbers divided by `bulge`, and those that are metres by `size`, too.
fn narrowed(of: &Shape, bulge: f64, size: f64) -> Sigmoids {
    let half = |[k1, k2, k3, k4]: [f64; 4]| [k1, k2, k3 / size, k4 / size].map(|number| (number / bulge) as f32);
    let [origin, insertion] = of.k.map(half);
    Sigmoids { origin, insertion, eccentricity: (of.eccentricity / bulge) as f32 }
}

#[cfg(test)]
mod tests {
    use super::super::Known;
    use super::*;
    use fusiform::{Muscle, Physique};
    use fusiform_motion::identify::Law;

    #[test]
    fn what_a_physique_multiplies_again_is_what_was_found() {
        let shape = Sigmoids::spindle(0.02, 0.8);
        let muscle = Muscle {
            profile: Profile::Sigmoid { shape, flat: false },
            contraction: Contraction::presumed(&shape, 0.3, 0.2),
            ..Muscle::default()
        };
        let physique = Physique::BRUTE;
        let before = Musculature { muscles: vec![muscle], physique, ..Musculature::default() };
        let [rest, by_length, by_tension] = [
            Sigmoids::spindle(0.03, 0.6),
            Sigmoids { origin: [0.1, 0.2, -0.05, 0.01], insertion: [0.3, 0.1, -0.04, 0.02], eccentricity: 0.1 },
            Sigmoids { origin: [0.2, 0.1, 0.005, 0.001], insertion: [0.1, 0.4, 0.004, 0.002], eccentricity: -0.1 },
        ]
        .map(|of| widened(&of));
        let law = Law { rest_length: 0.3, rest, by_length, by_tension };
        for found_rest in [false, true] {
            let known = Known { law, rest: found_rest, by_length: true, by_tension: true };
            let after = written(&before, &vec![Some(known)]);
            let (Profile::Sigmoid { shape: now, .. }, Contraction::Identified { by_tension, .. }) =
                (&after.muscles[0].profile, &after.muscles[0].contraction)
            else {
                panic!("of another kind")
            };
            if !found_rest {
                assert_eq!(*now, shape, "kept");
                continue;
            }
            // the frame multiplies radii by the size, and what changes by the bulge
            let tense = Sigmoids::from_numbers(std::array::from_fn(|n| {
                now.numbers()[n] + physique.bulge * by_tension.numbers()[n]
            }));
            for share in [0.0, 0.2, 0.5, 0.8, 1.0] {
                let [[rest, _], [wanted, _]] =
                    [law.rest, law.at(law.rest_length, 1.0)].map(|shape| shape.semi_axes(f64::from(share)));
                assert!((f64::from(physique.size * now.radius(share)) - rest).abs() < 1e-6, "at rest, {share}");
                assert!((f64::from(physique.size * tense.radius(share)) - wanted).abs() < 1e-6, "tense, {share}");
            }
        }
    }
}
