//! Bones slide under the athlete's skin: the point of the elbow shows when the arm bends.

use fusiform::musculature::{Bone, Layer};
use fusiform::{Body, BodyState, Character, Mesh, Musculature, Pose, StepInput};
use fusiform_athlete::athlete;
use fusiform_fit::Surface;
use glam::{Affine3A, Vec3};

const MAX: f32 = 0.025;

/// A bone in its joint's space.
fn surface(bone: &Bone) -> Surface {
    let (positions, triangles) = bone.shape.surface();
    Surface::new([&Mesh { positions, triangles, ..Mesh::default() }]).expect("a bone has triangles")
}

/// Where the joints are at a moment of a clip.
fn posed(character: &Character, clip: &str, time: f32) -> Vec<Affine3A> {
    let mut pose = Pose::rest(&character.skeleton);
    character.clip(clip).expect("the athlete has it").sample(time, &mut pose);
    pose.model_matrices(&character.skeleton)
}

fn skin(character: &Character, musculature: &Musculature, pose: &[Affine3A]) -> Vec<Vec3> {
    let body = Body::bind(character, musculature).expect("the athlete binds");
    let mut state = BodyState::new(&body);
    body.step(&mut state, &StepInput::new(pose, 0.0));
    state.positions().to_vec()
}

/// The moment of a clip at which that joint is turned most from its rest.
fn most_bent(character: &Character, clip: &str, joint: usize) -> f32 {
    let duration = character.clip(clip).expect("the athlete has it").duration();
    let turned = |time: f32| {
        let mut pose = Pose::rest(&character.skeleton);
        let rest = pose.local[joint].rotation;
        character.clip(clip).expect("the athlete has it").sample(time, &mut pose);
        pose.local[joint].rotation.angle_between(rest)
    };
    let times = (0..=60).map(|i| duration * i as f32 / 60.0);
    times.max_by(|a, b| turned(*a).total_cmp(&turned(*b))).expect("sixty of them")
}

struct Contact {
    /// Clearance to be kept, and as it is by plain skinning and with the layer; metres.
    rest: f32,
    plain: f32,
    slid: f32,
    /// Nearest point of the bone, in its joint's space, with the layer and at rest.
    travelled: f32,
    pushed: f32,
}

/// Thickness of skin and fat that bones keep off, metres.
const FAT: f32 = 0.006;

/// Skin within 10 mm of the bone at rest, half of the layer's reach, in that pose.
fn contacts(name: &str, clip: &str) -> Vec<Contact> {
    let made = athlete(20_000).expect("the range is allowed");
    let character = &made.character;
    let bone = made.musculature.bones.iter().find(|bone| bone.name == name).expect("the template has it");
    let joint = character.skeleton.find(&bone.joint).expect("it hangs there");
    let pose = posed(character, clip, most_bent(character, clip, joint));
    let layers = vec![Layer::Slide { bones: Vec::new(), max: MAX, reach: 0.02, fat: FAT }];
    let sliding = Musculature { bones: made.musculature.bones.clone(), layers, ..Musculature::plain() };
    let (plain, slid) = (skin(character, &Musculature::plain(), &pose), skin(character, &sliding, &pose));
    let surface = surface(bone);
    let bind = character.skeleton.joints[joint].bind.inverse();
    let now = pose[joint].inverse();
    let rows = character.meshes[0].positions.iter().zip(plain.iter().zip(&slid));
    let contact = |(rest, (plain, slid)): (&Vec3, (&Vec3, &Vec3))| {
        let pushed = plain.distance(*slid);
        let [rest, plain, slid] =
            [bind.transform_point3(*rest), now.transform_point3(*plain), now.transform_point3(*slid)];
        let travelled = surface.nearest(rest).point.distance(surface.nearest(slid).point);
        let [rest, plain, slid] = [rest, plain, slid].map(|p| -surface.depth(p));
        Contact { rest, plain, slid, travelled, pushed }
    };
    let near = rows.map(contact).filter(|contact| contact.rest < 0.010);
    near.map(|contact| Contact { rest: contact.rest.min(FAT), ..contact }).collect()
}

#[test]
fn the_point_of_the_elbow_shows_and_the_skin_moves_over_it() {
    for (bone, clip) in [("olecranon.l", "curl"), ("patella.r", "squat")] {
        let contacts = contacts(bone, clip);
        let sunk = contacts.iter().map(|c| c.rest - c.plain).fold(0.0_f32, f32::max);
        let left = contacts.iter().map(|c| c.rest - c.slid).fold(0.0_f32, f32::max);
        let travelled =
            contacts.iter().filter(|c| c.slid < c.rest + 0.002).map(|c| c.travelled).fold(0.0_f32, f32::max);
        let pushed = contacts.iter().map(|c| c.pushed).fold(0.0_f32, f32::max);
        println!(
            "{bone}: {} vertices; plain skin sinks {:.1} mm, slid {:.1} mm; travels {:.1} mm, pushed {:.1} mm",
            contacts.len(),
            sunk * 1e3,
            left * 1e3,
            travelled * 1e3,
            pushed * 1e3
        );
        assert!(contacts.len() >= 8, "{bone}: {} vertices lie over it", contacts.len());
        assert!(sunk > 0.002, "{bone}: plain skinning sinks into it by {sunk}");
        assert!(left < 0.002, "{bone}: the skin is {left} nearer than at rest");
        assert!(travelled > 0.002, "{bone}: the skin travels {travelled} over it");
        assert!(pushed <= MAX + 1e-6, "{bone}: pushed by {pushed}");
    }
}

#[test]
fn every_bone_lies_right_under_the_skin() {
    let made = athlete(8_000).expect("the range is allowed");
    let skin = Surface::new(&made.character.meshes).expect("it has a skin");
    let skeleton = &made.character.skeleton;
    assert_eq!(made.musculature.bones.len(), 18);
    for bone in &made.musculature.bones {
        let bind = skeleton.joints[skeleton.find(&bone.joint).expect("it hangs there")].bind;
        let (positions, triangles) = bone.shape.surface();
        let along = (0..=8).map(|i| i as f32 / 8.0);
        let edges = triangles.iter().map(|t| [t[0], t[1]].map(|v| bind.transform_point3(positions[v as usize])));
        let depths: Vec<f32> =
            edges.flat_map(|[a, b]| along.clone().map(move |t| a.lerp(b, t))).map(|p| skin.depth(p)).collect();
        let (least, most) = depths.iter().fold((f32::MAX, f32::MIN), |(l, m), d| (l.min(*d), m.max(*d)));
        println!("{:18} {:6.1} .. {:5.1} mm deep", bone.name, least * 1e3, most * 1e3);
        assert!((0.0005..0.006).contains(&least), "{} is {least} m under the skin", bone.name);
    }
}
