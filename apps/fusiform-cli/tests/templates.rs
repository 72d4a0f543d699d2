//! Templates end to end: listed, shown, extracted, put on again, and tuned.

mod common;

use common::{SMALL, answer};

#[test]
fn a_template_is_extracted_put_on_again_and_tuned() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (code, list) = answer(folder, &["template", "list"]);
    assert_eq!((code, list["templates"][0]["name"].as_str()), (Some(0), Some("humanoid")));
    assert_eq!(list["templates"][1]["name"], "pairs");
    let (code, refused) = answer(folder, &["template", "show", "pairs"]);
    assert!(
        code == Some(2) && refused["error"]["cure"].as_str().unwrap().contains("rig --template pairs"),
        "{refused}"
    );
    let (code, extracted) = answer(folder, &["template", "extract", SMALL, "-o", "mine.toml"]);
    assert_eq!((code, extracted["left_out"].as_u64()), (Some(0), Some(0)), "{extracted}");
    let put_on = ["rig", SMALL, "-o", "again.glb", "--template", "mine.toml", "--set", "soleus.bulge=1.75"];
    let (code, rigged) = answer(folder, &put_on);
    assert_eq!(code, Some(0), "{rigged}");
    assert_eq!(rigged["muscles"], list["templates"][0]["muscles"]);
    let (code, inspected) = answer(folder, &["inspect", "again.glb", "--muscle", "soleus.l"]);
    assert_eq!(code, Some(0), "{inspected}");
    let rows = inspected["muscle"][0]["parameters"].as_array().unwrap();
    let bulge = rows.iter().find(|row| row["name"] == "bulge").unwrap();
    assert_eq!((bulge["value"].as_f64(), bulge["set"].as_str()), (Some(1.75), Some("soleus.bulge")));
}

#[test]
fn a_wrong_template_or_setting_is_refused_with_its_place_and_cure() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (_, shown) = answer(folder, &["template", "show", "humanoid"]);
    let text = shown["toml"].as_str().unwrap().replacen("\nsize = ", "\nsize = 7", 1);
    std::fs::write(folder.join("bad.toml"), text).unwrap();
    let (code, report) = answer(folder, &["rig", SMALL, "-o", "out.glb", "--template", "bad.toml"]);
    let error = &report["error"];
    assert_eq!((code, error["file"].as_str()), (Some(1), Some("bad.toml")), "{error}");
    assert!(error["place"].as_str().unwrap().starts_with("line "), "{error}");
    assert!(error["message"].as_str().unwrap().contains("sternocleidomastoid"), "{error}");
    for wrong in ["soleus.buldge=1", "solius.bulge=1", "soleus.bulge=99"] {
        let (code, report) = answer(folder, &["rig", SMALL, "-o", "out.glb", "--set", wrong]);
        assert_eq!(code, Some(2), "{report}");
        assert!(report["error"]["cure"].as_str().unwrap().contains(' '), "{report}");
    }
    assert!(!folder.join("out.glb").exists());
}
