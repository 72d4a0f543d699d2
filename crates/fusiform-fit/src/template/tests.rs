use super::*;

const ONE: &str = r#"name = "one"
[[muscle]]
name = "biceps"
group = "arm"
origin = { bone = "shoulder", t = 1, angle = 0, depth = 0.5 }
insertion = { bone = "lower_arm", t = 0.1, angle = 0, depth = 0.5 }
size = 0.1
"#;

fn message(text: &str) -> String {
    Template::parse(text).unwrap_err().to_string()
}

#[test]
fn a_muscle_needs_only_its_ends_and_its_size() {
    let template = Template::parse(ONE).unwrap();
    assert!(template.muscles[0].mirrored);
    assert_eq!(template.muscles[0].filled(&template.defaults), Defaults::default());
}

#[test]
fn a_template_survives_writing_and_reading() {
    let template = Template::humanoid();
    let text = toml::to_string(&template).unwrap();
    assert_eq!(Template::parse(&text).unwrap(), template);
}

#[test]
fn a_wrong_word_is_shown_with_its_place_and_muscle() {
    let found = message(&ONE.replace("size", "sise"));
    assert!(found.starts_with("line 7, column 1, muscle \"biceps\": unknown field `sise`"), "{found}");
    let found = message(&ONE.replace("lower_arm", "lowerarm"));
    assert!(found.starts_with("line 6, column") && found.contains("biceps") && found.contains("lower_arm"), "{found}");
}

#[test]
fn a_missing_field_names_its_muscle() {
    let found = message(&ONE.replace("size = 0.1\n", ""));
    assert!(found.contains("\"biceps\": missing field `size`"), "{found}");
}

#[test]
fn a_number_out_of_range_is_refused_with_the_range() {
    let found = message(&ONE.replace("depth = 0.5 }\nsize", "depth = 1.5 }\nsize"));
    assert_eq!(found, "muscle \"biceps\": insertion.depth is 1.5; it must be 0 ..= 1");
    let found = message(&format!("{ONE}damping = nan\n"));
    assert_eq!(found, "muscle \"biceps\": damping is NaN; it must be 0 ..= 1");
}

#[test]
fn a_name_may_be_there_only_once() {
    let twice = format!("{ONE}\n{}", &ONE[ONE.find("[[").unwrap()..]);
    assert!(message(&twice).contains("is there twice"));
}

#[test]
fn over_and_bow_exclude_each_other() {
    let both = format!("{ONE}bow = 0.1\nover = {{ bone = \"upper_arm\", t = 0.5, angle = 0 }}\n");
    assert!(message(&both).contains("both `over` and `bow`"));
}

const KNOB: &str = "[[bone]]\nname = \"patella\"\nfrom = { bone = \"lower_leg\", t = 0, angle = 0 }\nsize = 0.3\n";

#[test]
fn a_bone_needs_only_a_place_and_a_size() {
    let template = Template::parse(&format!("{ONE}{KNOB}")).unwrap();
    let bone = &template.bones[0];
    assert_eq!((bone.mirrored, bone.width, bone.to, bone.end_size), (true, 1.0, None, None));
}

#[test]
fn what_is_wrong_with_a_bone_names_the_bone_and_its_line() {
    let wide = format!("{ONE}{KNOB}width = 0.5\n");
    let error = Template::parse(&wide).unwrap_err();
    assert_eq!(error.to_string(), "bone \"patella\": width is 0.5; it must be 1 ..= 20");
    assert_eq!(error.line_in(&wide), Some(12));
    assert_eq!(
        message(&format!("{ONE}{KNOB}{KNOB}")),
        "bone \"patella\" is there twice; give one of them another name"
    );
    let found = message(&format!("{ONE}{}", KNOB.replace("size", "sise")));
    assert!(found.contains("sise") && !found.contains("biceps"), "{found}");
}
