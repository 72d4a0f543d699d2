//! `--pose-skin`: skins that were sculpted in moments of clips; every vertex is a marker that sits on itself.

use super::Given;
use crate::failure::Failure;
use crate::names;
use crate::pose_skin::PoseSkin;
use crate::source::Subject;
use fusiform::Mesh;
use fusiform_drive::identify::{Seen, followed_vertices};
use fusiform_fit::Wear;
use glam::{DVec3, Vec3};

/// Vertices that are looked at, evenly chosen.
const MOST: usize = 3000;

/// Sculpted skins as frames; those of the clip `held_out` are not fitted.
pub fn given(skins: &[PoseSkin], held_out: Option<&str>, subject: &Subject, wear: &[Wear]) -> Result<Given, Failure> {
    let vertices = followed_vertices(&subject.character, &subject.musculature, wear, MOST)
        .map_err(|error| super::failure(&error, subject, &subject.file))?;
    let names: Vec<String> = vertices.iter().map(|v| format!("vertex {v}")).collect();
    let mut taken = [(); 2].map(|()| Seen { names: names.clone(), ..Seen::default() });
    for skin in skins {
        let moment = skin.moment(subject)?;
        let positions = matched(skin, &skin.meshes(subject)?, subject, wear)?;
        let seen = &mut taken[usize::from(held_out == Some(skin.clip()))];
        seen.moments.push(moment);
        seen.positions.extend(vertices.iter().map(|&v| positions[v]));
    }
    let [training, held] = taken;
    if let Some(wanted) = held_out {
        let clips: Vec<&str> = skins.iter().map(PoseSkin::clip).collect();
        if held.moments.is_empty() {
            return Err(names::unknown(&subject.file, "clip among those of --pose-skin", wanted, &clips));
        }
        if training.moments.is_empty() {
            return Err(Failure::call("all sculpted skins are of the clip that is held out")
                .at("--held-out")
                .cure("give a --pose-skin of another clip"));
        }
    }
    let file = skins.first().map_or_else(String::new, PoseSkin::name);
    let held_out_name = held_out.unwrap_or_default().to_owned();
    let held_out = (!held.moments.is_empty()).then_some(held);
    Ok(Given { file, training, held_out, vertices: Some(vertices), names: ["sculpted skins".into(), held_out_name] })
}

/// n_vertex of the character: where the sculpted skin has it; NaN on meshes that are not the body.
fn matched(skin: &PoseSkin, sculpted: &[Mesh], subject: &Subject, wear: &[Wear]) -> Result<Vec<DVec3>, Failure> {
    let own = &subject.character.meshes;
    let mut positions = Vec::new();
    for (i, mesh) in own.iter().enumerate() {
        let n = mesh.positions.len();
        if wear.get(i).is_some_and(|wear| *wear != Wear::Body) {
            positions.extend(std::iter::repeat_n(DVec3::NAN, n));
            continue;
        }
        let in_place = sculpted.get(i).filter(|other| other.positions.len() == n);
        let Some(found) = in_place.or_else(|| sculpted.iter().find(|other| other.positions.len() == n)) else {
            let counts: Vec<String> = sculpted.iter().map(|mesh| mesh.positions.len().to_string()).collect();
            return Err(Failure::input(
                skin.name(),
                format!("no mesh of it has the {n} vertices of {:?}: they have {}", mesh.name, counts.join(", ")),
            )
            .cure("sculpt the character's own skin, and add, remove and reorder no vertex"));
        };
        positions.extend(found.positions.iter().map(|p: &Vec3| p.as_dvec3()));
    }
    Ok(positions)
}
