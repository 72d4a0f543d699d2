//! `fusiform template`: which templates there are, what one says, and a rigged character as a new one.

use crate::anatomy::{self, PAIRS};
use crate::failure::Failure;
use crate::output;
use crate::source::Source;
use crate::ui::Ui;
use fusiform_fit::{Extracted, Roles, Side, Template as Muscles, extract, sort_meshes};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Muscles by joint role: list the built-in templates, show one, or make one from a rigged character
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  fusiform template list
  fusiform template show humanoid > mine.toml
  fusiform template extract hero_muscles.glb -o hero.toml
  fusiform rig other.glb -o other_muscles.glb --template hero.toml")]
pub struct Template {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Which templates are built in
    List,
    /// Print a template as TOML
    Show {
        /// A built-in template, or a .toml file
        #[arg(value_name = "NAME|FILE")]
        name: String,
    },
    /// Write the muscles of a rigged character as a template
    Extract {
        /// A rigged .glb or .gltf file, or `athlete`
        #[arg(value_name = "IN")]
        input: Source,
        /// File to write
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
        /// Template that knows groups and bones of muscles by name
        #[arg(long, value_name = "NAME|FILE", default_value = "humanoid")]
        like: String,
    },
}

impl Template {
    /// List, show, or extract.
    pub fn run(self, ui: &Ui) -> Result<(), Failure> {
        match self.what {
            What::List => list(ui),
            What::Show { name } => show(&name, ui),
            What::Extract { input, output, like } => write_extracted(&input, &output, &like, ui),
        }
    }
}

fn list(ui: &Ui) -> Result<(), Failure> {
    let all = anatomy::built_in();
    let row = |template: &Muscles| {
        let Muscles { name, description, .. } = template;
        json!({ "name": name, "muscles": count(template), "description": description })
    };
    let line = |template: &Muscles| {
        format!("{:<12} {:>4} muscles  {}\n", template.name, count(template), template.description)
    };
    let pairs = "Two opposed muscles on every bone that carries flesh, of any creature; measured on its skin";
    let rows = all.iter().map(row).chain([json!({ "name": PAIRS, "muscles": null, "description": pairs })]);
    let document = json!({ "templates": rows.collect::<Value>() });
    let lines = all.iter().map(line).chain([format!("{PAIRS:<12} {:>4} a bone   {pairs}\n", 2)]);
    ui.result(&document, Some(&lines.collect::<String>()))
}

/// Both of a pair count.
fn count(template: &Muscles) -> usize {
    template.muscles.iter().map(|muscle| if muscle.mirrored { Side::BOTH.len() } else { 1 }).sum()
}

fn show(name: &str, ui: &Ui) -> Result<(), Failure> {
    let template = anatomy::template(name)?;
    let text = template.to_toml();
    ui.result(&json!({ "name": template.name, "muscles": count(&template), "toml": text }), Some(&text))
}

fn write_extracted(input: &Source, path: &Path, like: &str, ui: &Ui) -> Result<(), Failure> {
    output::check(path)?;
    let like = anatomy::template(like)?;
    let subject = input.load(ui)?;
    if subject.musculature.muscles.is_empty() {
        return Err(Failure::input(subject.file, "there are no muscles").cure("give it some first: fusiform rig"));
    }
    let found = Roles::find(&subject.character.skeleton);
    let wear = sort_meshes(&subject.character);
    let extracted = extract(&subject.character, &subject.musculature, &wear, &found.roles, &like);
    let Extracted { template, of, off, off_muscle, warnings } =
        extracted.map_err(|error| Failure::told(subject.file.clone(), &error))?;
    output::write(path, template.to_toml().as_bytes())?;
    let warnings: Vec<&String> = subject.warnings.iter().chain(&found.warnings).chain(&warnings).collect();
    warnings.iter().for_each(|warning| ui.say(format!("warning: {warning}")));
    let (written, total) = (of.iter().filter(|of| of.is_some()).count(), of.len());
    let document = json!({
        "file": path.display().to_string(),
        "muscles": written,
        "left_out": total - written,
        "pairs": template.muscles.iter().filter(|muscle| muscle.mirrored).count(),
        "max_off_mm": off * 1e3,
        "max_off_muscle": off_muscle,
        "warnings": warnings,
    });
    let worst = off_muscle.map_or(String::new(), |muscle| format!(" ({muscle})"));
    let people = format!(
        "{}: {written} of {total} muscles; placed again in the same body they lie at most {:.2} mm off{worst}\n",
        path.display(),
        off * 1e3,
    );
    ui.result(&document, Some(&people))
}
