//! Every parameter of the muscles that a pattern names.

use super::columns;
use crate::failure::Failure;
use crate::names;
use crate::source::Subject;
use fusiform::Muscle;
use fusiform::musculature::{Attachment, Contraction, Dynamics, InfluenceTemplate, Path, Profile, Sigmoids};
use fusiform_fit::{Extracted, FIELDS, Roles, SheetField, Template, extract, shared_values, sort_meshes};
use serde_json::{Value, json};

/// A parameter as it is reported.
struct Row {
    name: String,
    value: f32,
    unit: &'static str,
    range: String,
    default: Option<f32>,
    /// The muscle's name in its template: `--set NAME.FIELD` changes it. None of what only follows from other parameters.
    set: Option<String>,
    meaning: &'static str,
}

/// A muscle with all its parameters.
pub struct Parameters {
    muscle: String,
    rows: Vec<Row>,
}

/// The parameters of every muscle that the pattern names.
pub fn parameters(subject: &Subject, pattern: &str) -> Result<Vec<Parameters>, Failure> {
    let muscles = &subject.musculature.muscles;
    let named: Vec<usize> = (0..muscles.len()).filter(|&m| names::fits(pattern, &muscles[m].name)).collect();
    if named.is_empty() {
        let all: Vec<&str> = muscles.iter().map(|muscle| muscle.name.as_str()).collect();
        return Err(names::unknown(&subject.file, "muscle", pattern, &all));
    }
    let character = &subject.character;
    let (roles, wear) = (Roles::find(&character.skeleton).roles, sort_meshes(character));
    // A body whose places cannot be measured still has all the other parameters.
    let extracted = extract(character, &subject.musculature, &wear, &roles, &Template::humanoid()).ok();
    Ok(named.into_iter().map(|m| of(&muscles[m], m, extracted.as_ref())).collect())
}

fn of(muscle: &Muscle, m: usize, extracted: Option<&Extracted>) -> Parameters {
    let template = extracted.and_then(|it| Some((&it.template.muscles[it.of[m]?], &it.template.defaults)));
    let values = shared_values(muscle);
    let mut rows = Vec::new();
    for field in &FIELDS {
        let measured = template.and_then(|(muscle, defaults)| field.of(muscle, defaults));
        // What the file says itself goes before what was measured and rounded.
        let Some(value) = field.shared(&values).or(measured) else { continue };
        let stem = template.map_or(&muscle.name, |(template, _)| &template.name);
        rows.push(Row {
            name: field.name.into(),
            value,
            unit: field.unit,
            range: field.range(),
            default: field.default(),
            set: Some(format!("{stem}.{}", field.name)),
            meaning: field.meaning,
        });
    }
    rows.extend(of_sheet(muscle));
    rows.extend(derived(muscle));
    Parameters { muscle: muscle.name.clone(), rows }
}

/// What only sheets have.
fn of_sheet(muscle: &Muscle) -> Vec<Row> {
    let Path::Sheet { origin, middle, insertion, bellies, tendons } = &muscle.path else { return Vec::new() };
    let row = |name: &str, value: f32, unit, range: &str, default, meaning| Row {
        name: name.into(),
        value,
        unit,
        range: range.into(),
        default,
        set: None,
        meaning,
    };
    let points = |curve: &[Attachment]| curve.len() as f32;
    let stem = [".l", ".r"].into_iter().find_map(|side| muscle.name.strip_suffix(side)).unwrap_or(&muscle.name);
    let known = SheetField::named("bellies").map_or("", |field| field.meaning);
    let settable = Row {
        set: Some(format!("{stem}.bellies")),
        ..row("bellies", f32::from(*bellies), "", "1 ..= 16", Some(3.0), known)
    };
    let tendon = "length of every belly's tendon, which it keeps";
    vec![
        settable,
        row("path.origin", points(origin), "points", "1 ..= 16", None, "of the curve the bellies begin on"),
        row("path.middle", points(middle), "points", "0 ..= 16", Some(0.0), "of the curve they pass half-way"),
        row("path.insertion", points(insertion), "points", "1 ..= 16", None, "of the curve they end on"),
        row("path.tendons.origin", tendons[0], "m", ">= 0", Some(0.0), tendon),
        row("path.tendons.insertion", tendons[1], "m", ">= 0", Some(0.0), tendon),
    ]
}

/// The 27 numbers of two sigmoids, and what the last of them counts for.
fn sigmoids(muscle: &Muscle) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut list = |of: &str, shape: &Sigmoids, meaning: &'static str| {
        let names = ["k1", "k2", "k3", "k4"];
        let halves = [("origin", shape.origin), ("insertion", shape.insertion)];
        let numbers = halves.into_iter().flat_map(|(half, k)| {
            names.into_iter().zip(k).enumerate().map(move |(i, (name, k))| (format!("{half}.{name}"), k, i >= 2))
        });
        for (name, value, is_length) in numbers.chain([("eccentricity".to_owned(), shape.eccentricity, false)]) {
            let unit = if is_length { "m" } else { "" };
            let range = String::new();
            rows.push(Row { name: format!("{of}.{name}"), value, unit, range, default: None, set: None, meaning });
        }
    };
    if let Profile::Sigmoid { shape, .. } = &muscle.profile {
        list(
            "profile.shape",
            shape,
            "of the sigmoid k3 / (1 + exp(k1 - k2 x)) + k4, x = 0 at the end, 1 at the middle",
        );
    }
    if let Contraction::Identified { by_length, by_tension, .. } = &muscle.contraction {
        list("contraction.by_length", by_length, "its change for each metre that the belly is longer than at rest");
        list("contraction.by_tension", by_tension, "its change from relaxed to fully tense");
    }
    rows
}

/// What follows from the others when a character is rigged, or is the same for all muscles of a preset.
fn derived(muscle: &Muscle) -> Vec<Row> {
    let row = |name: &str, value, unit, range: &str, default, meaning| Row {
        name: name.into(),
        value,
        unit,
        range: range.into(),
        default,
        set: None,
        meaning,
    };
    let mut rows = Vec::new();
    if let Profile::Sine { size, .. } = muscle.profile {
        rows.push(row("profile.size", size, "m", "> 0", None, "half the width of the belly; follows from size"));
    }
    if let Profile::Ellipsoid { width, height } = muscle.profile {
        rows.push(row("profile.width", width, "m", ">= 0", None, "half-axis across the up-vector"));
        rows.push(row("profile.height", height, "m", ">= 0", None, "half-axis toward the up-vector"));
    }
    if let Profile::TwoCubics { peak_at, peak, ends, slopes, ellipse } = muscle.profile {
        rows.push(row(
            "profile.peak_at",
            peak_at,
            "",
            "0.05 ..= 0.95",
            Some(0.5),
            "where along the belly it is thickest",
        ));
        rows.push(row("profile.peak", peak, "m", "> 0", None, "radius there; follows from size and the skin over it"));
        rows.push(row("profile.ends.origin", ends[0], "m", "0 ..= peak", Some(0.0), "radius at the origin"));
        rows.push(row("profile.ends.insertion", ends[1], "m", "0 ..= peak", Some(0.0), "radius at the insertion"));
        rows.push(row("profile.slopes.origin", slopes[0], "m", "", Some(0.0), "how fast it thickens at the origin"));
        rows.push(row(
            "profile.slopes.insertion",
            slopes[1],
            "m",
            "",
            Some(0.0),
            "how fast it thickens at the insertion",
        ));
        rows.push(row(
            "profile.ellipse",
            ellipse,
            "",
            "0.01 ..= 100",
            Some(1.0),
            "height of the section over its width",
        ));
    }
    rows.extend(sigmoids(muscle));
    if let Path::Polyline { tendons, .. } = &muscle.path {
        let meaning = "of the tendon, which keeps it";
        rows.push(row("path.tendons.origin", tendons[0], "m", ">= 0", Some(0.0), meaning));
        rows.push(row("path.tendons.insertion", tendons[1], "m", ">= 0", Some(0.0), meaning));
    }
    if let Contraction::TensionRatio { tension, .. } = muscle.contraction {
        rows.push(row("contraction.tension", tension, "", "0 ..= 1", Some(0.0), "how flat the muscle is by itself"));
    }
    if let Dynamics::Spring { stiffness, mass, .. } = muscle.dynamics {
        rows.push(row(
            "dynamics.stiffness",
            stiffness,
            "N/m",
            ">= 0",
            None,
            "of the spring; follows from frequency and mass",
        ));
        rows.push(row("dynamics.mass", mass, "kg", "> 0", None, "of the belly; follows from its volume"));
    }
    if let Some(influence) = muscle.influence {
        let usual = fusiform::musculature::Influence::default();
        let meaning = match influence.template {
            InfluenceTemplate::Belly => {
                "template belly: weighs as the belly is thick, whole up to inner, none from outer on"
            }
            InfluenceTemplate::Even => {
                "template even: weighs the same from end to end, whole up to inner, none from outer on"
            }
            InfluenceTemplate::Facing => {
                "template facing: weighs where skin looks away, whole up to inner, none from outer on"
            }
        };
        rows.push(row("influence.inner", influence.inner, "m", "0 ..= 1e6", Some(usual.inner), meaning));
        rows.push(row("influence.outer", influence.outer, "m", "> inner", Some(usual.outer), meaning));
    }
    if let Dynamics::SoftBody { stiffness, goal, mass, gravity, .. } = muscle.dynamics {
        let meaning = "of each spring between neighbours; follows from mass and the number of vertices";
        rows.push(row("dynamics.stiffness", stiffness, "N/m", ">= 0", Some(40.0), meaning));
        let meaning = "of all springs to the posed belly; follows from frequency and mass";
        rows.push(row("dynamics.goal", goal, "N/m", ">= 0", Some(800.0), meaning));
        rows.push(row("dynamics.mass", mass, "kg", "> 0", Some(0.5), "of the belly; follows from its volume"));
        rows.push(row("dynamics.gravity", gravity, "", "0 ..= 10", Some(1.0), "share of gravity that the belly feels"));
    }
    let (follow, usual) = (muscle.follow, fusiform::musculature::Follow::default());
    let meaning = "how far the skin follows this part of the belly's motion";
    rows.push(row("follow.slide", follow.slide, "", "0 ..= 1", Some(usual.slide), meaning));
    rows.push(row("follow.sink", follow.sink, "", "0 ..= 1", Some(usual.sink), meaning));
    rows.push(row("follow.turn", follow.turn, "", "0 ..= 1", Some(usual.turn), meaning));
    rows
}

impl Parameters {
    /// As people read it.
    pub fn table(&self) -> String {
        let rows = self.rows.iter().map(|row| {
            let default = row.default.map_or("-".into(), |default| default.to_string());
            let set = if row.set.is_some() { "yes" } else { "-" };
            [
                row.name.clone(),
                number(row.value),
                row.unit.into(),
                row.range.clone(),
                default,
                set.into(),
                row.meaning.into(),
            ]
        });
        let head = ["parameter", "value", "unit", "range", "default", "--set", "meaning"];
        let right = [false, true, false, false, true, false, false];
        let example = self.rows.iter().find(|row| row.name == "bulge").and_then(|row| row.set.as_ref());
        let example =
            example.map_or(String::new(), |set| format!("  change with: fusiform rig ... --set '{set}=VALUE'\n"));
        format!("\n{}{}{example}", self.muscle, columns(head, rows, right))
    }

    /// As programs read it.
    pub fn json(&self) -> Value {
        let row = |row: &Row| {
            let Row { name, value, unit, range, default, set, meaning } = row;
            json!({
                "name": name, "value": value, "unit": unit, "range": range, "default": default, "set": set, "meaning": meaning,
            })
        };
        json!({ "name": self.muscle, "parameters": self.rows.iter().map(row).collect::<Value>() })
    }
}

/// Four digits that say something.
fn number(value: f32) -> String {
    let digits = 4 - (value.abs().max(1e-3).log10().floor() as i32 + 1).clamp(0, 4);
    let text = format!("{value:.*}", usize::try_from(digits).unwrap_or(0));
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
