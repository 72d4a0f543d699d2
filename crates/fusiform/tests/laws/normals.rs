//! Normals after all layers are those that anybody would compute from the positions, face by face.

use crate::random::{frame, subject};
use fusiform::musculature::NormalWeighting;
use fusiform::{Body, BodyState, StepInput};
use glam::{DVec3, Vec3};
use proptest::prelude::*;

/// Below this sine of its corner, and this length of its edges, m, rounding of positions turns a face.
const SLIVER: f64 = 0.1;
const SHORT: f64 = 0.02;

/// What lies around a vertex.
#[derive(Clone, Copy)]
struct Around {
    sum: DVec3,
    lengths: f64,
    slivers: bool,
}

fn brute_force(positions: &[Vec3], triangles: &[[u32; 3]], by: NormalWeighting) -> Vec<Around> {
    let mut sums = vec![Around { sum: DVec3::ZERO, lengths: 0.0, slivers: false }; positions.len()];
    for face in triangles {
        let [a, b, c] = face.map(|v| positions[v as usize].as_dvec3());
        for (at, p, q, r) in [(face[0], a, b, c), (face[1], b, c, a), (face[2], c, a, b)] {
            let twice_area = (q - p).cross(r - p);
            let term = match by {
                NormalWeighting::Area => twice_area,
                NormalWeighting::Angle => twice_area.normalize_or_zero() * (q - p).angle_between(r - p),
            };
            let (u, v) = ((q - p).length(), (r - p).length());
            let around = &mut sums[at as usize];
            around.sum += term;
            around.lengths += term.length();
            around.slivers |= u.min(v) < SHORT || twice_area.length() < SLIVER * u * v;
        }
    }
    sums
}

proptest! {
    #![proptest_config(crate::random::cases(150))]

    #[test]
    fn normals_are_those_of_the_faces_around_a_vertex(mut subject in subject(), frame in frame(), shift in 0_u32..1000) {
        // no two vertices in one place: split vertices share their normal, and then one sum is not the whole of it
        for mesh in &mut subject.character.meshes {
            let step = Vec3::new(1.7e-3, -1.1e-3, 0.9e-3);
            for (v, p) in mesh.positions.iter_mut().enumerate() {
                *p += step * ((v as u32 * 37 + shift) % 101) as f32;
            }
            mesh.normals.clear();
        }
        let body = Body::bind(&subject.character, &subject.musculature).unwrap();
        let mut state = BodyState::new(&body);
        body.step(&mut state, &StepInput::new(&frame.pose(&subject.character.skeleton), frame.dt));
        let sums = brute_force(state.positions(), body.triangles(), subject.musculature.normals);
        let places: std::collections::HashMap<_, usize> = subject.character.meshes.iter().flat_map(|m| &m.positions)
            .fold(std::collections::HashMap::new(), |mut seen, p| {
                *seen.entry(p.to_array().map(f32::to_bits)).or_default() += 1;
                seen
            });
        let bind = subject.character.meshes.iter().flat_map(|m| &m.positions);
        for (v, (Around { sum, lengths, slivers }, at)) in sums.into_iter().zip(bind).enumerate() {
            // faces that cancel out leave rounding, and what is rounded is a position of some metres in f32
            let steady = sum.length() > 0.2 * lengths && state.positions()[v].length() < 3.0;
            if steady && !slivers && places[&at.to_array().map(f32::to_bits)] == 1 {
                let off = state.normals()[v].as_dvec3().distance(sum.normalize());
                prop_assert!(off < 1e-5, "normal {v} is {off} off");
            }
        }
    }
}
