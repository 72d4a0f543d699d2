//! `fusiform rig`: give a skinned character its muscles.

mod paint;
mod tense;

use crate::anatomy::{self, Setting};
use crate::failure::Failure;
use crate::output;
use crate::pose_skin::PoseSkin;
use crate::source::{Source, Subject};
use crate::ui::Ui;
use fusiform::musculature::{Bone, Layer};
use fusiform::{Body, Musculature, Physique};
use fusiform_fit::{
    FAT, Found, GivenRoles, Preset, Rigged, Role, Roles, Side, Stage, Template, Wear, add_pose_shapes, bone_capsules,
    rig, rig_pairs, sort_around, sort_meshes,
};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Instant;

/// Give a skinned character its muscles
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  fusiform rig hero.glb -o hero_muscles.glb
  fusiform rig hero.glb -o hero_muscles.glb --physique brute --fat 6
  fusiform rig hero.glb -o hero_muscles.glb --preset pratscher --pose-skin curled.glb@curl:1.5
  fusiform rig bull.glb -o bull_muscles.glb --template pairs
  fusiform rig hero.glb -o hero_muscles.glb --set 'biceps*.bulge=1.4' --set physique.skin_weight=0.8
  fusiform rig hero.glb -o hero_muscles.glb --preset murai --set tissue.muscularity=0.75 --set tissue.goal=10
  fusiform rig hero.glb -o hero_muscles.glb --driver 'biceps*=lower_arm.flexion:20->0,130->0.6' --tension 0.1
  fusiform rig hero_muscles.glb -o hero_again.glb --keep-weights --influence 'soleus*=facing:5,30'
  fusiform rig hero.glb -o hero_muscles.glb --template mine.toml
  fusiform rig hero.glb -o hero_muscles.glb --slide --bone Scapula.L --bone Scapula.R")]
pub struct Rig {
    /// A .glb or .gltf file with a skin
    #[arg(value_name = "IN")]
    input: Source,
    /// File to write: .glb, or .gltf with everything embedded
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Whose muscles they are: lee (curves that bulge and jiggle), ramos (two cubics, displacement), saam (soft ellipsoids,
    /// wrap), pratscher (conformed ellipsoids, shells) or murai (sigmoids, tissue with mass)
    #[arg(long, value_name = "NAME", default_value = "lee", value_parser = preset)]
    preset: Preset,
    /// Muscles to give it: humanoid, pairs, or a .toml file [default: humanoid where its joints are known, else pairs]
    #[arg(long, value_name = "NAME|FILE")]
    template: Option<String>,
    /// Change the template's muscles, or the physique, first; may be repeated
    #[arg(long, value_name = "GLOB.FIELD=VALUE")]
    set: Vec<String>,
    /// File that says which joint is what, as in `upper_arm.l = "joint name"`; it overrides what is found
    #[arg(long, value_name = "FILE")]
    roles: Option<PathBuf>,
    /// Mesh that is the body; may be repeated [default: the surface about the bones]
    #[arg(long, value_name = "MESH")]
    body: Vec<String>,
    /// Skin sculpted in a pose, as in curled.glb@curl:1.5: the pose is the input's clip at that second, the skin is the file's;
    /// may be repeated
    #[arg(long, value_name = "FILE@CLIP:TIME")]
    pose_skin: Vec<PoseSkin>,
    /// How the body is built: athlete, brute, gaunt or jelly
    #[arg(long, value_name = "NAME", value_parser = physique)]
    physique: Option<Physique>,
    /// Thickness of skin and fat over the muscles, in millimetres [default: 0.24 % of the height]
    #[arg(long, value_name = "MM", value_parser = millimetres)]
    fat: Option<f32>,
    /// Let bones slide under the skin: a layer after those of the preset
    #[arg(long)]
    slide: bool,
    /// Node whose closed mesh is a bone of the joint above it; may be repeated
    #[arg(long, value_name = "NODE")]
    bone: Vec<String>,
    /// Give every bone of the skeleton a capsule that skin can slide over
    #[arg(long)]
    bone_capsules: bool,
    #[command(flatten)]
    tense: tense::Tense,
    #[command(flatten)]
    paint: paint::Paint,
}

impl Rig {
    /// Recognise, place, conform, write, say.
    pub fn run(self, ui: &Ui) -> Result<(), Failure> {
        let start = Instant::now();
        let settings: Vec<Setting> = self.set.iter().map(|text| Setting::parse(text)).collect::<Result<_, _>>()?;
        let (tensing, painting) = (self.tense.parse()?, self.paint.parse()?);
        let wanted =
            self.template.as_deref().filter(|name| *name != anatomy::PAIRS).map(anatomy::template).transpose()?;
        let mut subject = self.input.load_for(&self.output, ui)?;
        let bones = self.bones(&subject)?;
        let mut clock = Clock::start("read", start);
        clock.next("meshes");
        let wear = self.wear(&subject)?;
        clock.next("roles");
        let found = self.roles(&subject)?;
        let roles = &found.roles;
        let template = self.anatomy(wanted, roles, &settings, &mut subject.warnings)?;
        let fat = self.fat.map_or(FAT * subject.character.height(), |mm| mm * 1e-3);
        let bar = ui.progress("Rigging", Stage::ALL.len());
        let hear = |stage: Stage| {
            clock.next(stage.name());
            bar.inc(1);
            Ok(())
        };
        let rigged = match &template {
            Some(template) => rig(&subject.character, &wear, roles, template, self.preset, fat, hear),
            None => rig_pairs(&subject.character, &wear, self.preset, fat, hear),
        };
        let mut rigged = rigged.map_err(|error| Failure::told(subject.file.clone(), &error))?;
        drop(bar);
        if !self.pose_skin.is_empty() {
            clock.next("pose shapes");
            self.shape(&subject, &mut rigged)?;
        }
        self.add_bones(bones, &mut rigged);
        self.tense.apply(&tensing, &subject, roles, &mut rigged)?;
        self.paint.apply(&painting, &subject, &wear, &mut rigged)?;
        rigged.musculature.physique = self.physique.unwrap_or_default();
        settings.iter().try_for_each(|setting| setting.apply_to_body(&mut rigged.musculature))?;
        clock.next("write");
        subject.gltf.set_musculature(&subject.origin, &rigged.musculature);
        output::write(&self.output, &subject.bytes_for(&self.output)?)?;
        let stages = clock.stop();
        self.report(&subject, &wear, &found, &rigged, &stages, start.elapsed().as_secs_f64(), ui)
    }

    /// The template as it is to be used; none for pairs.
    fn anatomy(
        &self,
        wanted: Option<Template>,
        roles: &Roles,
        settings: &[Setting],
        warnings: &mut Vec<String>,
    ) -> Result<Option<Template>, Failure> {
        let template = match (wanted, &self.template) {
            (Some(template), _) => Some(template),
            (None, None) if roles.is_humanoid() => Some(Template::humanoid()),
            (None, None) => {
                let pairs = "its joints are not known as a human's: every bone that carries flesh gets an opposed pair";
                warnings.push(pairs.into());
                None
            }
            (None, Some(_)) => None,
        };
        let Some(mut template) = template else {
            return match settings.iter().find(|setting| setting.is_of_muscles()) {
                Some(_) => Err(Failure::call(
                    "--set cannot change muscles of pairs: they come from the skin, not from a \
                                              template",
                )
                .cure("set physique fields, as in --set physique.bulge=1.4")),
                None => Ok(None),
            };
        };
        settings.iter().try_for_each(|setting| setting.apply(&mut template))?;
        Ok(Some(template))
    }

    /// Roles by name and shape, and what the user says of them.
    fn roles(&self, subject: &Subject) -> Result<Found, Failure> {
        let mut found = Roles::find(&subject.character.skeleton);
        if let Some(path) = &self.roles {
            let text = std::fs::read_to_string(path)
                .map_err(|error| Failure::io(path, "the file of roles cannot be read", &error))?;
            let given = GivenRoles::parse(&text);
            let applied = given.and_then(|given| found.apply(&given, &subject.character.skeleton));
            applied.map_err(|error| Failure::told(path.display().to_string(), &error))?;
        }
        Ok(found)
    }

    /// Give the muscles the shapes of skins sculpted in poses.
    fn shape(&self, subject: &Subject, rigged: &mut Rigged) -> Result<(), Failure> {
        let skins = self.pose_skin.iter().map(|skin| skin.read(subject)).collect::<Result<Vec<_>, _>>()?;
        let Rigged { musculature, toward, fat, .. } = rigged;
        let shaped = add_pose_shapes(&subject.character, musculature, toward, &skins, *fat);
        let shaped = shaped.map_err(|error| Failure::told(subject.file.clone(), &error))?;
        if shaped == 0 {
            rigged.warnings.push("no muscle's joints turn in the poses of --pose-skin: they change nothing".into());
        }
        Ok(())
    }

    /// Bones beside the template's; whatever is wrong with them is said before anything else is done.
    fn bones(&self, subject: &Subject) -> Result<Vec<Bone>, Failure> {
        let mut bones = if self.bone_capsules { bone_capsules(&subject.character) } else { Vec::new() };
        for node in &self.bone {
            let bone = subject.gltf.bone_of_node(&subject.character.skeleton, &subject.origin, node);
            bones.push(bone.map_err(|error| Failure::file(&subject.file, &error))?);
        }
        let alone = Musculature { bones: bones.clone(), layers: vec![Layer::slide()], ..Musculature::plain() };
        if !bones.is_empty() {
            Body::bind(&subject.character, &alone).map_err(|error| Failure::bind(&subject.file, &error))?;
        }
        Ok(bones)
    }

    /// Put them to the template's, and lay the layer that uses them over the preset's.
    fn add_bones(&self, added: Vec<Bone>, rigged: &mut Rigged) {
        let Rigged { musculature, warnings, .. } = rigged;
        musculature.bones.retain(|bone| !added.iter().any(|other| other.name == bone.name));
        musculature.bones.extend(added);
        let slides = musculature.layers.iter().any(|layer| matches!(layer, Layer::Slide { .. }));
        if self.slide && !slides {
            // tissue comes last
            let end = musculature.layers.iter().position(|layer| matches!(layer, Layer::Tissue(_)));
            musculature.layers.insert(end.unwrap_or(musculature.layers.len()), Layer::slide());
        }
        if self.slide && musculature.bones.is_empty() {
            warnings.push("there are no bones for --slide: give it --bone or --bone-capsules".into());
        }
    }

    fn wear(&self, subject: &Subject) -> Result<Vec<Wear>, Failure> {
        if self.body.is_empty() {
            return Ok(sort_meshes(&subject.character));
        }
        let all: Vec<&str> = subject.character.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
        for wanted in &self.body {
            if !all.iter().any(|name| crate::names::fits(wanted, name)) {
                return Err(crate::names::unknown(&subject.file, "mesh", wanted, &all));
            }
        }
        let is_body = |name: &str| self.body.iter().any(|wanted| crate::names::fits(wanted, name));
        Ok(sort_around(&subject.character, |mesh| is_body(&mesh.name)))
    }

    #[expect(clippy::too_many_arguments, reason = "everything that is said at the end")]
    fn report(
        &self,
        subject: &Subject,
        wear: &[Wear],
        found_roles: &Found,
        rigged: &Rigged,
        stages: &[(&'static str, f64)],
        seconds: f64,
        ui: &Ui,
    ) -> Result<(), Failure> {
        let mut warnings = subject.warnings.clone();
        if !subject.musculature.muscles.is_empty() {
            let n = subject.musculature.muscles.len();
            warnings.push(format!("the {n} muscles it had are replaced"));
        }
        warnings.extend(found_roles.warnings.iter().cloned());
        warnings.extend(rigged.warnings.iter().cloned());
        let (found, missing) = found_and_missing(&found_roles.roles);
        for (mesh, wear) in subject.character.meshes.iter().zip(wear) {
            ui.say(format!("  {}: {}", mesh.name, wear.name()));
        }
        let document = json!({
            "muscles": rigged.musculature.muscles.len(),
            "bones": rigged.musculature.bones.len(),
            "seconds": seconds,
            "stages": stages.iter().map(|(name, s)| ((*name).to_owned(), json!(s))).collect::<serde_json::Map<_, _>>(),
            "roles_found": found,
            "roles_missing": missing,
            "meshes": subject.character.meshes.iter().zip(wear)
                .map(|(mesh, wear)| json!({ "name": mesh.name, "is": wear.name() })).collect::<Value>(),
            "drivers": rigged.musculature.activation.drivers.len(),
            "fat_mm": rigged.fat * 1e3,
            "inside_fraction": rigged.inside.fraction,
            "max_outside_mm": rigged.inside.worst() * 1e3,
            "warnings": warnings,
        });
        let people = format!(
            "{}: {} muscles in {seconds:.2} s; {:.2} % of belly vertices inside the skin, worst {:.2} mm outside\n",
            self.output.display(),
            rigged.musculature.muscles.len(),
            rigged.inside.fraction * 100.0,
            rigged.inside.worst() * 1e3
        );
        for warning in &warnings {
            ui.say(format!("warning: {warning}"));
        }
        ui.result(&document, Some(&people))
    }
}

/// Names of the roles that some joint plays, and of those that none does.
fn found_and_missing(roles: &Roles) -> (Vec<String>, Vec<String>) {
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for role in Role::ALL {
        let sides = if role.is_sided() { &Side::BOTH[..] } else { &Side::BOTH[..1] };
        for &side in sides {
            let name = format!("{role}{}", if role.is_sided() { side.suffix() } else { "" });
            if roles.get(role, side).is_some() { found.push(name) } else { missing.push(name) }
        }
    }
    (found, missing)
}

fn preset(name: &str) -> Result<Preset, String> {
    let names: Vec<&str> = Preset::ALL.iter().map(|preset| preset.name()).collect();
    Preset::named(name).ok_or_else(|| format!("it is none of the presets there are: {}", names.join(", ")))
}

fn physique(name: &str) -> Result<Physique, String> {
    Physique::named(name).ok_or_else(|| format!("it is none of {}", Physique::NAMES.join(", ")))
}

fn millimetres(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(thickness) if (0.0..=1000.0).contains(&thickness) => Ok(thickness),
        _ => Err("a thickness is 0 to 1000 mm".into()),
    }
}

/// How long each stage took.
struct Clock {
    stages: Vec<(&'static str, f64)>,
    current: &'static str,
    since: Instant,
}

impl Clock {
    fn start(first: &'static str, since: Instant) -> Self {
        Self { stages: Vec::new(), current: first, since }
    }

    fn next(&mut self, stage: &'static str) {
        self.stages.push((self.current, self.since.elapsed().as_secs_f64()));
        (self.current, self.since) = (stage, Instant::now());
    }

    fn stop(mut self) -> Vec<(&'static str, f64)> {
        self.next("");
        self.stages
    }
}
