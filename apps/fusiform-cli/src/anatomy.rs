//! Templates by name or file, and what `--set` changes in them.

use crate::failure::Failure;
use crate::names;
use fusiform::Musculature;
use fusiform::musculature::{Layer, Physique, Tissue};
use fusiform_fit::{FIELDS, Field, SHEET_FIELDS, SheetField, Side, Template, TemplateError};
use std::path::Path;

/// The word for opposed pairs on every bone, which are measured on the skin and need no template.
pub const PAIRS: &str = "pairs";

/// Every built-in template, by the name people ask for it by.
pub fn built_in() -> [Template; 1] {
    [Template::humanoid()]
}

/// The built-in template of that name, or the one in that file.
pub fn template(wanted: &str) -> Result<Template, Failure> {
    let built_in = built_in();
    if let Some(template) = built_in.iter().find(|template| template.name == wanted) {
        return Ok(template.clone());
    }
    let path = Path::new(wanted);
    if !path.exists() && path.extension().is_none() {
        let all: Vec<&str> = built_in.iter().map(|template| template.name.as_str()).collect();
        if wanted == PAIRS {
            let cure = format!("`rig --template {PAIRS}` uses them; there is text for: {}", all.join(", "));
            let no_text = "pairs are measured on each skin: there is no template of them to read";
            return Err(Failure::call(no_text).at(format!("template {wanted:?}")).cure(cure));
        }
        let cure =
            format!("{}choose one of: {}; or give the name of a .toml file", meant(wanted, &all), all.join(", "));
        return Err(Failure::call("there is no such template").at(format!("template {wanted:?}")).cure(cure));
    }
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::io(path, "the template cannot be read", &error)
            .cure("check the path; `fusiform template list` says what is built in")
    })?;
    Template::parse(&text).map_err(|error| unusable(wanted, &text, &error))
}

/// File, line, muscle, what is wrong, and the cure where the message has one.
fn unusable(file: &str, text: &str, error: &TemplateError) -> Failure {
    let failure = Failure::told(file, error)
        .or_cure("mend the template there; `fusiform template show humanoid` is one that can be used");
    match (error, error.line_in(text)) {
        // Its message begins with the line.
        (TemplateError::Syntax { .. }, _) | (_, None) => failure,
        (_, Some(line)) => failure.at(format!("line {line}")),
    }
}

/// One `--set`: what is to be what.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    text: String,
    target: Target,
    value: f32,
}

#[derive(Clone, Debug, PartialEq)]
enum Target {
    /// A pattern of muscle names, and a field's name in the table of muscles' or of sheets' fields.
    Muscles(String, &'static str),
    /// A multiplier over the whole body.
    Physique(&'static str),
    /// What the tissue of the whole body is made of.
    Tissue(&'static str),
}

/// A number of the tissue.
struct TissueDial {
    name: &'static str,
    low: f32,
    high: f32,
    put: fn(&mut Tissue, f32),
}

/// What of a tissue can be set; the document says what each means.
static TISSUE: [TissueDial; 11] = [
    TissueDial { name: "mass", low: 1e-3, high: 1e6, put: |tissue, x| tissue.mass = x },
    TissueDial { name: "skin", low: 0.0, high: 1e9, put: |tissue, x| tissue.skin = x },
    TissueDial { name: "belly", low: 0.0, high: 1e9, put: |tissue, x| tissue.belly = x },
    TissueDial { name: "goal", low: 0.0, high: 1e9, put: |tissue, x| tissue.goal = x },
    TissueDial { name: "anchor", low: 0.0, high: 1e12, put: |tissue, x| tissue.anchor = x },
    TissueDial { name: "damping", low: 0.0, high: 10.0, put: |tissue, x| tissue.damping = x },
    TissueDial { name: "depth", low: 0.0, high: 1.0, put: |tissue, x| tissue.depth = x },
    TissueDial { name: "links", low: 0.0, high: 65535.0, put: |tissue, x| tissue.links = x.round() as u16 },
    TissueDial { name: "muscularity", low: 0.05, high: 4.0, put: |tissue, x| tissue.muscularity = x },
    TissueDial { name: "gravity", low: 0.0, high: 10.0, put: |tissue, x| tissue.gravity = x },
    TissueDial { name: "reach", low: 1e-4, high: 10.0, put: |tissue, x| tissue.reach = x },
];

type Dial = fn(&mut Physique) -> &mut f32;

/// The multipliers over the whole body.
const PHYSIQUE: [(&str, Dial); 5] = [
    ("size", |physique| &mut physique.size),
    ("bulge", |physique| &mut physique.bulge),
    ("stiffness", |physique| &mut physique.stiffness),
    ("damping", |physique| &mut physique.damping),
    ("skin_weight", |physique| &mut physique.skin_weight),
];

/// The most a multiplier may be.
const MOST: f32 = 10.0;

impl Setting {
    /// Whether it changes muscles, not the whole body.
    pub fn is_of_muscles(&self) -> bool {
        matches!(self.target, Target::Muscles(..))
    }

    /// Read `GLOB.FIELD=VALUE`, `physique.FIELD=VALUE` or `tissue.FIELD=VALUE`.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let wrong = |message: String| Failure::call(message).at(format!("--set {text:?}"));
        let example = "write it as in --set 'biceps*.bulge=1.4'";
        let Some((target, value)) = text.split_once('=') else {
            return Err(wrong("there is no =".into()).cure(example));
        };
        let (target, value) = (target.trim(), value.trim());
        let number = value.parse::<f32>().ok().filter(|number| number.is_finite());
        let number = number.ok_or_else(|| wrong(format!("{value:?} is not a number")).cure(example))?;
        if let Some(dial) = target.strip_prefix("physique.") {
            return Self::physique(text, dial, number);
        }
        if let Some(dial) = target.strip_prefix("tissue.") {
            return Self::tissue(text, dial, number);
        }
        let of_muscles = FIELDS.iter().map(|field| (field.name, field.low..=field.high, field.range()));
        let of_sheets = SHEET_FIELDS.iter().map(|field| (field.name, field.low..=field.high, field.range()));
        let known = of_muscles
            .chain(of_sheets)
            .filter_map(|field| Some((target.strip_suffix(field.0)?.strip_suffix('.')?, field)));
        // `origin.t` ends in no other field's name, but the longest is meant all the same.
        let Some((muscles, (name, allowed, range))) = known.max_by_key(|(_, field)| field.0.len()) else {
            return Err(unknown_field(text, target));
        };
        if !allowed.contains(&number) {
            return Err(wrong(format!("{name} is {number}")).cure(format!("it must be {range}")));
        }
        Ok(Self { text: text.to_owned(), target: Target::Muscles(muscles.to_owned(), name), value: number })
    }

    fn physique(text: &str, dial: &str, value: f32) -> Result<Self, Failure> {
        let wrong = |message: String| Failure::call(message).at(format!("--set {text:?}"));
        let Some((name, _)) = PHYSIQUE.iter().find(|(name, _)| *name == dial) else {
            let all = PHYSIQUE.map(|(name, _)| name);
            let cure = format!("{}the physique has: {}", meant(dial, &all), all.join(", "));
            return Err(wrong(format!("the physique has no {dial:?}")).cure(cure));
        };
        if !(0.0..=MOST).contains(&value) {
            return Err(wrong(format!("physique.{name} is {value}"))
                .cure(format!("it must be 0 ..= {MOST}, times what the anatomy has")));
        }
        Ok(Self { text: text.to_owned(), target: Target::Physique(name), value })
    }

    fn tissue(text: &str, name: &str, value: f32) -> Result<Self, Failure> {
        let wrong = |message: String| Failure::call(message).at(format!("--set {text:?}"));
        let Some(dial) = TISSUE.iter().find(|dial| dial.name == name) else {
            let all: Vec<&str> = TISSUE.iter().map(|dial| dial.name).collect();
            let cure = format!("{}the tissue has: {}", meant(name, &all), all.join(", "));
            return Err(wrong(format!("the tissue has no {name:?}")).cure(cure));
        };
        if !(dial.low..=dial.high).contains(&value) {
            let cure = format!("it must be {} ..= {}", dial.low, dial.high);
            return Err(wrong(format!("tissue.{name} is {value}")).cure(cure));
        }
        Ok(Self { text: text.to_owned(), target: Target::Tissue(dial.name), value })
    }

    /// Change every muscle and sheet of the template that the pattern names; a sheet's name stands for its parts too.
    pub fn apply(&self, template: &mut Template) -> Result<(), Failure> {
        let (Target::Muscles(pattern, name), value) = (&self.target, self.value) else { return Ok(()) };
        let wrong = |error: TemplateError| {
            let failure = |message: String| Failure::call(message).at(format!("--set {:?}", self.text));
            match error.to_string().split_once("; ") {
                Some((message, cure)) => failure(message.to_owned()).cure(cure),
                None => failure(error.to_string()),
            }
        };
        let sheets: Vec<usize> =
            (0..template.sheets.len()).filter(|&s| names::fits(pattern, &template.sheets[s].name)).collect();
        let is_part = |name: &String| sheets.iter().any(|&s| template.sheets[s].of.contains(name));
        let is_named = |name: &String| names::fits(pattern, name) || is_part(name);
        let muscles: Vec<usize> =
            (0..template.muscles.len()).filter(|&m| is_named(&template.muscles[m].name)).collect();
        let (of_muscle, of_sheet) = (Field::named(name), SheetField::named(name));
        if (of_muscle.is_none() || muscles.is_empty()) && (of_sheet.is_none() || sheets.is_empty()) {
            return Err(self.unknown_muscle(pattern, template, of_muscle.is_none()));
        }
        for (field, m) in of_muscle.into_iter().flat_map(|field| muscles.iter().map(move |&m| (field, m))) {
            template.set(m, field, value).map_err(wrong)?;
        }
        for (field, s) in of_sheet.into_iter().flat_map(|field| sheets.iter().map(move |&s| (field, s))) {
            template.set_sheet(s, field, value).map_err(wrong)?;
        }
        Ok(())
    }

    /// Change the physique or the tissue, if that is what it is about.
    pub fn apply_to_body(&self, body: &mut Musculature) -> Result<(), Failure> {
        match &self.target {
            Target::Muscles(..) => {}
            Target::Physique(name) => {
                let dials = PHYSIQUE.iter().filter(|(dial, _)| dial == name);
                dials.for_each(|(_, dial)| *dial(&mut body.physique) = self.value);
            }
            Target::Tissue(name) => {
                let Some(Layer::Tissue(tissue)) = body.layers.last_mut() else {
                    return Err(Failure::call("these muscles have no tissue")
                        .at(format!("--set {:?}", self.text))
                        .cure("add --preset murai"));
                };
                TISSUE.iter().filter(|dial| dial.name == *name).for_each(|dial| (dial.put)(tissue, self.value));
            }
        }
        Ok(())
    }

    fn unknown_muscle(&self, pattern: &str, template: &Template, only_sheets: bool) -> Failure {
        let what = if only_sheets { "sheet" } else { "muscle" };
        let failure = Failure::call(format!("no {what} is called {pattern:?}")).at(format!("--set {:?}", self.text));
        let bare = Side::BOTH.into_iter().find_map(|side| pattern.strip_suffix(side.suffix()));
        let sheets = template.sheets.iter().map(|sheet| sheet.name.as_str());
        let muscles = template.muscles.iter().map(|muscle| muscle.name.as_str()).filter(|_| !only_sheets);
        let names: Vec<&str> = muscles.chain(sheets).collect();
        match bare.filter(|bare| names.iter().any(|name| names::fits(bare, name))) {
            Some(bare) => failure.cure(format!("a template has both sides in one: write {bare:?}")),
            None => failure.cure(format!("the nearest are: {}", names::near(pattern, &names, 5).join(", "))),
        }
    }
}

/// The part that is no field, with those that are nearest to it.
fn unknown_field(text: &str, target: &str) -> Failure {
    let failure = |message: String| Failure::call(message).at(format!("--set {text:?}"));
    let only_sheets = SHEET_FIELDS.iter().map(|field| field.name).filter(|name| Field::named(name).is_none());
    let all: Vec<&str> = FIELDS.iter().map(|field| field.name).chain(only_sheets).collect();
    let Some((before, last)) = target.rsplit_once('.') else {
        return failure(format!("{target:?} names no field of a muscle"))
            .cure("write it as in --set 'biceps*.bulge=1.4'");
    };
    let place = ["origin", "insertion", "over"].into_iter().find(|place| before.ends_with(&format!(".{place}")));
    let wanted = place.map_or(last.to_owned(), |place| format!("{place}.{last}"));
    let near = names::near(&wanted, &all, 5).join(", ");
    failure(format!("a muscle has no field {wanted:?}"))
        .cure(format!("the nearest are: {near}; all are: {}", all.join(", ")))
}

fn meant(wanted: &str, names: &[&str]) -> String {
    names::nearest(wanted, names).map_or(String::new(), |name| format!("did you mean {name:?}? "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        let error = Setting::parse(text).and_then(|setting| setting.apply(&mut Template::humanoid())).unwrap_err();
        format!("{} / {}", error, error.json()["error"]["cure"].as_str().unwrap_or_default())
    }

    #[test]
    fn a_setting_changes_the_muscles_its_pattern_names() {
        let mut template = Template::humanoid();
        Setting::parse("biceps_brachii*.bulge=1.4").unwrap().apply(&mut template).unwrap();
        Setting::parse("soleus.origin.t = 0.2").unwrap().apply(&mut template).unwrap();
        let of = |name: &str| template.muscles.iter().find(|muscle| muscle.name == name).unwrap().clone();
        assert_eq!((of("biceps_brachii_long").bulge, of("biceps_brachii_short").bulge), (Some(1.4), Some(1.4)));
        assert_eq!((of("soleus").origin.t, of("biceps_femoris").bulge), (0.2, Some(1.6)));
    }

    #[test]
    fn the_name_of_a_sheet_stands_for_its_parts_and_for_its_bellies() {
        let mut template = Template::humanoid();
        Setting::parse("pectoralis_major.bulge=1.4").unwrap().apply(&mut template).unwrap();
        Setting::parse("pectoralis_major.bellies=7").unwrap().apply(&mut template).unwrap();
        Setting::parse("*.sectors=32").unwrap().apply(&mut template).unwrap();
        let parts = template.muscles.iter().filter(|muscle| muscle.name.starts_with("pectoralis_major_"));
        assert_eq!(parts.map(|part| (part.bulge, part.sectors)).collect::<Vec<_>>(), [(Some(1.4), Some(32)); 3]);
        let sheet = template.sheets.iter().find(|sheet| sheet.name == "pectoralis_major").unwrap();
        assert_eq!((sheet.bellies, sheet.sectors), (Some(7), 32));
        assert!(
            message("soleus.bellies=4").contains("no sheet is called \"soleus\""),
            "{}",
            message("soleus.bellies=4")
        );
        assert!(
            message("pectoralis_major.bellies=2").contains("3 ..= 16"),
            "{}",
            message("pectoralis_major.bellies=2")
        );
    }

    #[test]
    fn the_physique_is_set_beside_the_muscles() {
        let mut body = Musculature { layers: vec![Layer::tissue()], ..Musculature::default() };
        Setting::parse("physique.skin_weight=0.5").unwrap().apply_to_body(&mut body).unwrap();
        assert_eq!(body.physique, Physique { skin_weight: 0.5, ..Physique::default() });
        assert!(message("physique.skin_wait=1").contains("\"skin_weight\""));
        let thinner = Setting::parse("tissue.muscularity=0.75").unwrap();
        thinner.apply_to_body(&mut body).unwrap();
        assert_eq!(body.layers, [Layer::Tissue(Tissue { muscularity: 0.75, ..Tissue::default() })]);
        assert!(thinner.apply_to_body(&mut Musculature::default()).is_err());
        assert!(message("tissue.muscles=1").contains("\"mass\"") || message("tissue.mas=1").contains("\"mass\""));
        assert!(message("tissue.damping=11").contains("0 ..= 10"));
    }

    #[test]
    fn what_is_not_there_is_answered_with_the_nearest_names_and_what_is_too_much_with_the_range() {
        assert!(message("biceps*.buldge=1").contains("the nearest are: bulge,"), "{}", message("biceps*.buldge=1"));
        assert!(message("soleus.origin.dept=1").contains("the nearest are: origin.depth,"));
        assert!(message("bicep.bulge=1").contains("biceps_"), "{}", message("bicep.bulge=1"));
        assert!(message("soleus.l.bulge=1").contains("write \"soleus\""));
        assert!(message("*.damping=7").contains("it must be 0 ..= 1"));
        assert!(message("*.damping=much").contains("not a number"));
        assert!(message("damping").contains("there is no ="));
    }
}
