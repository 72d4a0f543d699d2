//! Templates as people read them: TOML with a head that says what the numbers mean.

use crate::DriverTemplate;
use crate::template::{BonePlace, BoneTemplate, End, MuscleTemplate, Over, SheetTemplate, Spot, Template};
use crate::tune::{FIELDS, SHEET_FIELDS};
use std::fmt::Write as _;

/// What bone coordinates are; the fields' own meanings follow it.
const HEAD: &str = "\
# Muscles by joint role: no geometry, so they fit any body whose joints are known.
#
# origin, insertion   bone coordinates: t along the bone (0 its joint, 1 the next), angle in degrees about it, depth from
#                     the bone's axis (0) to the skin (1). The torso runs from midway between the hips to the neck.
#   angle, trunk      0 front, 90 the muscle's own side, 180 back
#   angle, arm        0 front (thumb side), 90 outside (back of the hand), 180 back, -90 inside (palm)
#   angle, leg        0 front, 90 outside, 180 back, -90 inside
#   angle, shoulder   0 front, 90 up, 180 back, -90 down
#   angle, foot       0 up, 90 outside, 180 down, -90 inside
#   carried_by        the joint that moves the place, when that is not the one it is measured on
# over                where the belly is thickest; its depth is that of the outer face
# via                 places it runs over on its way, where one bend is not enough; their depth is that of the outer face
# superficial         whether nothing but fat lies over it; where nothing is said, when over.depth is 0.9 or beyond
# mirrored            false: there is one in the body's middle, or only one on its left
# sheet               muscles that are one sheet of several bellies in presets that have such: `of` names them in order across
#                     it, `fan` the end at which all meet in one point, `middle` the end whose joints carry their middles,
#                     `bellies` how many there are, up to 16
# [[bone]]            bones that show: right under the skin and its fat, from one place to another; size is half the thickness
#                     as a share of the way from the axis to the skin, end_size that at the other end, width how much wider than
#                     thick a plate is
# [[driver]]          what tenses muscles as the body moves: a role's joint turning (motion: flexion, abduction or rotation, in
#                     degrees from the anatomical position; without it the whole angle since bind), or, without a role, the
#                     muscle's own shortening, as a share of its length
#   remap             points [degrees or share, activation 0 ..= 1] of its curve
#
";

impl Template {
    /// The template as a commented file that [`Template::parse`] reads back.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut text = String::from(HEAD);
        for field in FIELDS.iter().filter(|field| !field.name.contains('.')) {
            let _ = writeln!(text, "# {:<19} {}; {}", field.name, field.meaning, field.range());
        }
        let _ = writeln!(text, "\nname = {}", quoted(&self.name));
        if !self.description.is_empty() {
            let _ = writeln!(text, "description = {}", quoted(&self.description));
        }
        text += "\n[defaults]\n";
        for field in &FIELDS {
            if let Some(value) = field.shared(&self.defaults) {
                let _ = writeln!(text, "{} = {value}", field.name);
            }
        }
        for range in &self.ranges {
            let [low, high] = range.degrees;
            let _ = writeln!(
                text,
                "\n[[range]]\nrole = \"{}\"\nmotion = \"{}\"\ndegrees = [{low}, {high}]",
                range.role, range.motion
            );
        }
        if self.muscles.is_empty() {
            // An empty list must stand before the first table.
            text = text.replacen("\n[defaults]", "muscle = []\n\n[defaults]", 1);
        }
        self.muscles.iter().for_each(|muscle| write_muscle(&mut text, muscle));
        self.sheets.iter().for_each(|sheet| write_sheet(&mut text, sheet));
        self.bones.iter().for_each(|bone| write_bone(&mut text, bone));
        self.drivers.iter().for_each(|driver| write_driver(&mut text, driver));
        text
    }
}

fn write_muscle(text: &mut String, muscle: &MuscleTemplate) {
    let MuscleTemplate { name, group, mirrored, origin, insertion, over, via, superficial, .. } = muscle;
    let _ = writeln!(text, "\n[[muscle]]\nname = {}\ngroup = {}", quoted(name), quoted(group));
    if !mirrored {
        *text += "mirrored = false\n";
    }
    let _ = writeln!(text, "origin = {}", spot(origin));
    if let Some(Over { bone, t, angle, depth }) = over {
        let _ = writeln!(text, "over = {{ bone = \"{bone}\", t = {t}, angle = {angle}, depth = {depth} }}");
    }
    if !via.is_empty() {
        let places: Vec<String> = via.iter().map(|place| format!("    {},\n", spot(place))).collect();
        let _ = writeln!(text, "via = [\n{}]", places.concat());
    }
    let _ = writeln!(text, "insertion = {}", spot(insertion));
    for field in FIELDS.iter().filter(|field| !field.name.contains('.')) {
        if let Some(value) = field.own(muscle) {
            let _ = writeln!(text, "{} = {value}", field.name);
        }
    }
    if let Some(superficial) = superficial {
        let _ = writeln!(text, "superficial = {superficial}");
    }
}

fn write_sheet(text: &mut String, sheet: &SheetTemplate) {
    let of: Vec<String> = sheet.of.iter().map(|part| quoted(part)).collect();
    let _ = writeln!(text, "\n[[sheet]]\nname = {}\nof = [{}]", quoted(&sheet.name), of.join(", "));
    for (field, end) in [("fan", sheet.fan), ("middle", sheet.middle)] {
        if let Some(end) = end {
            let _ = writeln!(text, "{field} = \"{}\"", if end == End::Origin { "origin" } else { "insertion" });
        }
    }
    for field in &SHEET_FIELDS {
        if let Some(value) = field.of(sheet) {
            let _ = writeln!(text, "{} = {value}", field.name);
        }
    }
}

fn write_bone(text: &mut String, bone: &BoneTemplate) {
    let BoneTemplate { name, mirrored, from, to, size, end_size, width, carried_by } = bone;
    let _ = writeln!(text, "\n[[bone]]\nname = {}", quoted(name));
    if !mirrored {
        *text += "mirrored = false\n";
    }
    let place = |BonePlace { bone, t, angle }: &BonePlace| format!("{{ bone = \"{bone}\", t = {t}, angle = {angle} }}");
    let _ = writeln!(text, "from = {}", place(from));
    if let Some(to) = to {
        let _ = writeln!(text, "to = {}", place(to));
    }
    let _ = writeln!(text, "size = {size}");
    if let Some(end_size) = end_size {
        let _ = writeln!(text, "end_size = {end_size}");
    }
    if *width != 1.0 {
        let _ = writeln!(text, "width = {width}");
    }
    if let Some(role) = carried_by {
        let _ = writeln!(text, "carried_by = \"{role}\"");
    }
}

fn write_driver(text: &mut String, DriverTemplate { muscles, role, motion, remap }: &DriverTemplate) {
    let muscles: Vec<String> = muscles.iter().map(|name| quoted(name)).collect();
    let _ = writeln!(text, "\n[[driver]]\nmuscles = [{}]", muscles.join(", "));
    if let Some(role) = role {
        let _ = writeln!(text, "role = \"{role}\"");
    }
    if let Some(motion) = motion {
        let _ = writeln!(text, "motion = \"{motion}\"");
    }
    let points: Vec<String> = remap.iter().map(|[signal, level]| format!("[{signal}, {level}]")).collect();
    let _ = writeln!(text, "remap = [{}]", points.join(", "));
}

fn spot(Spot { bone, t, angle, depth, carried_by }: &Spot) -> String {
    let carried = carried_by.map_or(String::new(), |role| format!(", carried_by = \"{role}\""));
    format!("{{ bone = \"{bone}\", t = {t}, angle = {angle}, depth = {depth}{carried} }}")
}

/// As TOML quotes it.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back_the_same() {
        let mut template = Template::humanoid();
        template.muscles[0].superficial = Some(false);
        template.muscles[1].mirrored = false;
        let in_sheet = |name: &String| template.sheets.iter().any(|sheet| sheet.of.contains(name));
        let free = template.muscles.iter().position(|muscle| !in_sheet(&muscle.name)).unwrap();
        template.muscles[free].name = "a \"quoted\"\nname".into();
        let remap = vec![[-0.5, 0.25], [0.5, 1.0]];
        let shortening = DriverTemplate { muscles: vec!["*".into()], role: None, motion: None, remap };
        let (role, motion) = (Some(crate::Role::Foot), Some(crate::Motion::Flexion));
        template.drivers.push(DriverTemplate { role, ..shortening.clone() });
        template.drivers.push(DriverTemplate { role, motion, ..shortening.clone() });
        template.drivers.push(shortening);
        assert_eq!(Template::parse(&template.to_toml()).unwrap(), template);
        template.sheets[0].bellies = Some(7);
        assert_eq!(Template::parse(&template.to_toml()).unwrap(), template);
        template.sheets.clear();
        template.muscles.clear();
        assert_eq!(Template::parse(&template.to_toml()).unwrap(), template);
    }

    #[test]
    fn the_head_says_what_every_field_means() {
        let text = Template::humanoid().to_toml();
        for field in FIELDS.iter().filter(|field| !field.name.contains('.')) {
            assert!(text.contains(&format!("# {} ", field.name)), "{}", field.name);
        }
    }
}
