//! `fusiform rig`: give a skinned character its muscles.

use crate::failure::Failure;
use crate::output;
use crate::source::{Source, Subject};
use crate::ui::Ui;
use fusiform_fit::{FAT, Found, GivenRoles, Rigged, Role, Roles, Side, Stage, Template, Wear, rig, sort_around, sort_meshes};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Instant;

/// Give a skinned character its muscles
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  fusiform rig hero.glb -o hero_muscles.glb
  fusiform rig hero.glb -o hero_muscles.glb --physique brute --fat 6")]
pub struct Rig {
    /// A .glb or .gltf file with a skin
    #[arg(value_name = "IN")]
    input: Source,
    /// File to write: .glb, or .gltf with everything embedded
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// File that says which joint is what, as in `upper_arm.l = "joint name"`; it overrides what is found
    #[arg(long, value_name = "FILE")]
    roles: Option<PathBuf>,
    /// Mesh that is the body; may be repeated [default: the surface about the bones]
    #[arg(long, value_name = "MESH")]
    body: Vec<String>,
    /// Thickness of skin and fat over the muscles, in millimetres [default: 0.24 % of the height]
    #[arg(long, value_name = "MM")]
    fat: Option<f32>,
}

impl Rig {
    /// Recognise, place, conform, write, say.
    pub fn run(self, ui: &Ui) -> Result<(), Failure> {
        let start = Instant::now();
        output::check(&self.output)?;
        let mut subject = self.input.load(ui)?;
        let mut clock = Clock::start("read", start);
        clock.next("meshes");
        let wear = self.wear(&subject)?;
        clock.next("roles");
        let found = self.roles(&subject)?;
        let roles = &found.roles;
        let fat = self.fat.map_or(FAT * subject.character.height(), |mm| mm * 1e-3);
        let bar = ui.progress("Rigging", Stage::ALL.len());
        let rigged = rig(&subject.character, &wear, roles, &Template::humanoid(), fat, |stage| {
            clock.next(stage.name());
            bar.inc(1);
        });
        let rigged = rigged.map_err(|error| Failure::told(subject.file.clone(), &error))?;
        drop(bar);
        clock.next("write");
        subject.gltf.set_musculature(&subject.origin, &rigged.musculature);
        let bytes = if output::is_text(&self.output) { subject.gltf.to_gltf() } else { self.glb(&subject)? };
        output::write(&self.output, &bytes)?;
        let stages = clock.stop();
        self.report(&subject, &wear, &found, &rigged, &stages, start.elapsed().as_secs_f64(), ui)
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

    fn glb(&self, subject: &Subject) -> Result<Vec<u8>, Failure> {
        subject.gltf.to_glb().map_err(|error| Failure::file(&subject.file, &error))
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
        warnings.extend(found_roles.warnings.iter().cloned());
        warnings.extend(rigged.warnings.iter().cloned());
        let (found, missing) = found_and_missing(&found_roles.roles);
        for (mesh, wear) in subject.character.meshes.iter().zip(wear) {
            ui.say(format!("  {}: {}", mesh.name, wear.name()));
        }
        let document = json!({
            "muscles": rigged.musculature.muscles.len(),
            "seconds": seconds,
            "stages": stages.iter().map(|(name, s)| ((*name).to_owned(), json!(s))).collect::<serde_json::Map<_, _>>(),
            "roles_found": found,
            "roles_missing": missing,
            "meshes": subject.character.meshes.iter().zip(wear)
                .map(|(mesh, wear)| json!({ "name": mesh.name, "is": wear.name() })).collect::<Value>(),
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
