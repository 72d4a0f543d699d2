//! Templates on real human bodies, where they are: from body to body and back, and over the range of every joint.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use fusiform::body::Detail;
use fusiform::musculature::Dynamics;
use fusiform::{Body, BodyState, Character, Muscle, Musculature, StepInput};
use fusiform_files::gltf::{Gltf, Scene, read_beside};
use fusiform_fit::{
    Extracted, FAT, MuscleTemplate, Preset, Rigged, Roles, Spot, Surface, Template, Wear, extract, place, range_poses,
    rig, sort_meshes,
};
use std::io::Write as _;
use std::path::Path;

/// One of the shared characters; none, said aloud, where it is not there.
fn human(name: &str) -> Option<Character> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/gltf").join(name);
    let Ok(bytes) = std::fs::read(&path) else {
        _ = writeln!(std::io::stderr(), "SKIPPED: there is no {}", path.display());
        return None;
    };
    let gltf = Gltf::read(&bytes, read_beside(path.parent().unwrap())).unwrap();
    Some(Scene::read(&gltf).unwrap().character)
}

/// A body with what rigging needs to know of it.
struct Subject {
    character: Character,
    wear: Vec<Wear>,
    roles: Roles,
}

impl Subject {
    fn new(character: Character) -> Self {
        Self { wear: sort_meshes(&character), roles: Roles::find(&character.skeleton).roles, character }
    }

    fn rig(&self, template: &Template) -> Rigged {
        let fat = FAT * self.character.height();
        rig(&self.character, &self.wear, &self.roles, template, Preset::Lee, fat, |_| Ok(())).unwrap()
    }

    fn extract(&self, musculature: &Musculature, like: &Template) -> Extracted {
        extract(&self.character, musculature, &self.wear, &self.roles, like).unwrap()
    }
}

/// How unlike two templates of the same muscles are.
#[derive(Default)]
struct Unlike {
    rows: Vec<(String, f32)>,
}

impl Unlike {
    fn between(a: &Template, b: &Template) -> [Self; 4] {
        let mut unlike: [Self; 4] = Default::default();
        for m in &a.muscles {
            let Some(n) = b.muscles.iter().find(|n| n.name == m.name) else { continue };
            let places = |it: &MuscleTemplate| {
                let over = it.over.clone().unwrap();
                let over = Spot { bone: over.bone, t: over.t, angle: over.angle, depth: over.depth, carried_by: None };
                [("origin", it.origin.clone()), ("over", over), ("insertion", it.insertion.clone())]
            };
            for ((place, x), (_, y)) in places(m).into_iter().zip(places(n)) {
                let name = format!("{} {place}", m.name);
                if x.bone != y.bone {
                    eprintln!("  {name}: measured on {} and on {}", x.bone, y.bone);
                    unlike[0].rows.push((name, f32::INFINITY));
                    continue;
                }
                unlike[0].rows.push((name.clone(), (x.t - y.t).abs()));
                unlike[1].rows.push((name.clone(), ((x.angle - y.angle + 540.0).rem_euclid(360.0) - 180.0).abs()));
                unlike[2].rows.push((name, (x.depth - y.depth).abs()));
            }
            unlike[3].rows.push((m.name.clone(), (n.size / m.size - 1.0).abs()));
        }
        unlike.iter_mut().for_each(|it| it.rows.sort_by(|a, b| b.1.total_cmp(&a.1)));
        unlike
    }

    /// How many ends, and how many in all, are beyond the tolerance, said with the worst of them.
    fn beyond(&self, what: &str, tolerance: f32) -> [usize; 2] {
        let beyond = self.rows.iter().filter(|row| row.1 > tolerance);
        let ends = beyond.clone().filter(|row| row.0.ends_with("origin") || row.0.ends_with("insertion")).count();
        let beyond = beyond.count();
        let median = self.rows.get(self.rows.len() / 2).map_or(0.0, |row| row.1);
        let worst: Vec<String> = self.rows.iter().take(8).map(|(name, value)| format!("{name} {value:.3}")).collect();
        eprintln!(
            "  {what}: median {median:.4}, {beyond} of {} beyond {tolerance}; {}",
            self.rows.len(),
            worst.join(", ")
        );
        [ends, beyond]
    }
}

/// How many ends, how many places and sizes in all, and out of how many, are beyond t 0.02, angle 3 degrees, depth 0.05,
/// size 5 %; the worst are said.
fn beyond_tolerance(title: &str, a: &Template, b: &Template) -> [usize; 3] {
    eprintln!("{title}:");
    let named = [("t", 0.02), ("angle", 3.0), ("depth", 0.05), ("size", 0.05)];
    Unlike::between(a, b).iter().zip(named).fold([0; 3], |[ends, all, of], (unlike, (what, tolerance))| {
        let beyond = unlike.beyond(what, tolerance);
        [ends + beyond[0], all + beyond[1], of + unlike.rows.len()]
    })
}

#[test]
fn a_template_goes_from_body_to_body_and_back() {
    let (Some(male), Some(female)) = (human("human_male.glb"), human("human_female.glb")) else { return };
    let (male, female) = (Subject::new(male), Subject::new(female));
    let like = Template::humanoid();
    let first = male.extract(&male.rig(&like).musculature, &like);
    eprintln!("male: {:.2} mm off ({:?}), {:?}", 1e3 * first.off, first.off_muscle, first.warnings);
    assert_eq!(first.template.muscles.len(), like.muscles.len());
    assert!(first.off < 3e-3, "placed in the same body it lies where it was");

    // Ends are measured exactly as they were placed; a belly may be made thinner by the fill limit, and kept from its ends.
    let surface = Surface::new(&female.character.meshes).unwrap();
    let skin = |from, way| surface.hit(from, way);
    let placed = place(&first.template, &female.character.skeleton, &female.roles, &skin).unwrap();
    let placed = Musculature { muscles: placed.muscles, ..Musculature::default() };
    let unseated = female.extract(&placed, &first.template).template;
    let [ends, beyond, all] = beyond_tolerance("placed in the other body", &first.template, &unseated);
    assert!(ends == 0 && beyond * 50 <= all, "{ends} ends, {beyond} of {all}");

    // Rigging again finds every muscle inside already; twins that are made mirror images move a few a little.
    let again = male.extract(&male.rig(&first.template).musculature, &first.template).template;
    let [ends, beyond, all] = beyond_tolerance("rigged again in the same body", &first.template, &again);
    assert!(ends <= 6 && beyond * 50 <= all, "{ends} ends, {beyond} of {all}");

    // The other body's flesh lies elsewhere: some muscles are pressed into it, and measured where they are then.
    let second = female.extract(&female.rig(&first.template).musculature, &first.template).template;
    let [_, beyond, all] = beyond_tolerance("rigged in the other body", &first.template, &second);
    assert!(beyond * 50 <= 3 * all, "{beyond} of {all}");
}

/// Muscles that jiggle nothing: lengths are then the pose's alone.
fn still(mut musculature: Musculature) -> Musculature {
    musculature.muscles.iter_mut().for_each(|muscle: &mut Muscle| muscle.dynamics = Dynamics::None);
    musculature
}

#[test]
fn muscles_keep_half_to_one_and_a_half_of_their_length_over_the_range_of_every_joint() {
    let template = Template::humanoid();
    for name in ["human_male.glb", "human_female.glb", "human_male_maxmuscle.glb", "human_male_minmuscle.glb"] {
        let Some(human) = human(name) else { continue };
        let subject = Subject::new(human);
        let musculature = still(subject.rig(&template).musculature);
        let body = Body::bind(&subject.character, &musculature).unwrap();
        let mut state = BodyState::new(&body);
        let n = musculature.muscles.len();
        let (mut least, mut most) = (vec![(1.0_f32, String::new()); n], vec![(1.0_f32, String::new()); n]);
        let poses =
            range_poses(&subject.character.skeleton, &subject.roles, &template.ranges, &subject.character.clips, 9);
        for it in &poses {
            state.reset(&body);
            let matrices = it.pose.model_matrices(&subject.character.skeleton);
            let mut input = StepInput::new(&matrices, 0.0);
            input.detail = Detail::MUSCLES;
            body.step(&mut state, &input);
            for m in 0..n {
                let ratio = state.lengths()[m] / body.rest_lengths()[m];
                if ratio < least[m].0 {
                    least[m] = (ratio, format!("{} {:.0}", it.what, it.degrees));
                }
                if ratio > most[m].0 {
                    most[m] = (ratio, format!("{} {:.0}", it.what, it.degrees));
                }
            }
        }
        let out: Vec<usize> = (0..n).filter(|&m| least[m].0 < 0.5 || most[m].0 > 1.5).collect();
        eprintln!("{name}: {n} muscles, {} poses, {} muscles out of 0.5 ..= 1.5", poses.len(), out.len());
        for m in 0..n {
            if musculature.muscles[m].name.ends_with(".l") && (least[m].0 < 0.6 || most[m].0 > 1.4) {
                eprintln!(
                    "  {:32} {:.2} at {:28} {:.2} at {}",
                    musculature.muscles[m].name, least[m].0, least[m].1, most[m].0, most[m].1
                );
            }
        }
        let out: Vec<_> = out.iter().map(|&m| (&musculature.muscles[m].name, &least[m], &most[m])).collect();
        assert!(out.is_empty(), "{name}: {out:?}");
    }
}
