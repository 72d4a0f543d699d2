//! What tenses muscles and which skin they move, through the command line: set, written, read, kept, refused.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};

/// Exit code and the document on stdout.
fn answer(folder: &Path, arguments: &[&str]) -> (Option<i32>, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fusiform"));
    let output = command.args(arguments).arg("--json").current_dir(folder).env("NO_COLOR", "1");
    let output = output.stdin(Stdio::null()).output().unwrap();
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
}

fn done(folder: &Path, arguments: &[&str]) -> Value {
    let (code, answer) = answer(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}: {answer}");
    answer
}

fn curves(folder: &Path, times: &[f32]) {
    let values = vec![0.5; times.len()];
    let track = |muscle: &str| json!({ "muscle": muscle, "times": times, "values": values });
    let curves = json!([{ "clip": "curl", "tracks": [track("soleus.l"), track("wing.l")] }]);
    std::fs::write(folder.join("curves.json"), curves.to_string()).unwrap();
}

#[test]
fn what_tenses_muscles_is_written_told_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    curves(folder, &[0.0, 0.5]);
    let drivers = ["--driver", "triceps*=lower_arm.flexion:40->0,90->0.5", "--driver", "soleus*=foot.l:z:0->0,20->1"];
    let rig = ["rig", "athlete:3700", "-o", "a.glb", "--tension", "0.125", "--curves", "curves.json"];
    let report = done(folder, &[&rig[..], &drivers].concat());
    assert!(report["warnings"].to_string().contains("wing.l"), "{}", report["warnings"]);
    let told = done(folder, &["inspect", "a.glb"])["activation"].clone();
    assert_eq!(told["tension"], 0.125);
    let (mut own, mut all) = (Vec::new(), told["drivers"].as_array().unwrap().clone());
    own.extend(all.split_off(all.len() - 3));
    assert_eq!(
        own[0]["muscles"],
        json!(["triceps_brachii_long.l", "triceps_brachii_lateral.l", "triceps_brachii_medial.l"])
    );
    assert_eq!(
        (&own[0]["signal"]["joint"], &own[1]["signal"]["joint"]),
        (&json!("lower_arm.l"), &json!("lower_arm.r"))
    );
    assert_eq!(
        (&own[2]["muscles"], &own[2]["signal"]["axis"]),
        (&json!(["soleus.l", "soleus.r"]), &json!([0.0, 0.0, 1.0]))
    );
    assert_eq!(told["curves"][0]["tracks"][0]["times"], json!([0.0, 0.5]));

    // again with the same muscles: everything stays; without the calf, what tensed it goes
    let again = done(folder, &["rig", "a.glb", "-o", "b.glb"]);
    assert!(again["warnings"].to_string().contains("are kept"), "{}", again["warnings"]);
    let mut kept = told.clone();
    kept["curves"][0]["tracks"].as_array_mut().unwrap().retain(|track| track["muscle"] != "wing.l");
    assert_eq!(done(folder, &["inspect", "b.glb"])["activation"], kept);
    let template = done(folder, &["template", "extract", "b.glb", "-o", "b.toml"]);
    assert!(template["warnings"].to_string().contains("cannot say its joint or its axis"), "{template}");
    let text = std::fs::read_to_string(folder.join("b.toml")).unwrap();
    assert!(text.contains("role = \"lower_arm\"\nmotion = \"flexion\"\nremap = [[40, 0], [90, 0.5]]"), "{text}");
    let cut = text.find("[[muscle]]\nname = \"soleus\"").unwrap();
    let next = cut + 1 + text[cut + 1..].find("[[").unwrap();
    std::fs::write(folder.join("c.toml"), format!("{}{}", &text[..cut], &text[next..])).unwrap();
    done(folder, &["rig", "b.glb", "-o", "c.glb", "--template", "c.toml"]);
    let without = done(folder, &["inspect", "c.glb"])["activation"].clone();
    assert_eq!(without["curves"], json!([]));
    assert_eq!(without["drivers"].as_array().unwrap().len(), told["drivers"].as_array().unwrap().len() - 1);
}

#[test]
fn curves_that_go_backwards_and_drivers_of_nothing_are_refused_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let rig = ["rig", "athlete:3700", "-o", "a.glb"];
    let refused = |more: &[&str], why: &str| {
        let (code, answer) = answer(folder, &[&rig[..], more].concat());
        let error = answer["error"].to_string();
        assert!(code != Some(0) && error.contains(why), "{more:?}: {error}");
        assert!(!folder.join("a.glb").exists(), "nothing is written");
    };
    curves(folder, &[0.5, 0.25]);
    refused(&["--curves", "curves.json"], "goes backwards: 0.25 follows 0.5");
    std::fs::write(folder.join("curves.json"), "{").unwrap();
    refused(&["--curves", "curves.json"], "expected a sequence");
    refused(&["--curves", "nowhere.json"], "cannot be read");
    refused(&["--driver", "biceps*=elbow:0->0,90->1"], "there is no such joint");
    refused(&["--driver", "wing*=lower_arm.l:0->0,90->1"], "there is no such muscle");
    refused(&["--driver", "wing*=lower_arm:0->0,90->1"], "no such muscle");
    refused(&["--driver", "*=lower_arm.abduction:0->0,90->1"], "turns so");
    refused(&["--driver", "*=lower_arm:0->0"], "1 points");
    refused(&["--tension", "2"], "0 to 1");
    refused(&["--influence", "wing*=even"], "there is no such muscle");
    refused(&["--influence", "biceps*=near"], "none of belly");
}

/// How much each muscle weighs on the whole skin, by name.
fn weight_of(folder: &Path, file: &str) -> std::collections::BTreeMap<String, f32> {
    use fusiform_files::gltf::{Gltf, Scene, read_beside};
    let bytes = std::fs::read(folder.join(file)).unwrap();
    let scene = Scene::read(&Gltf::read(&bytes, read_beside(folder)).unwrap()).unwrap();
    let musculature = scene.musculature.unwrap();
    let mut sums: std::collections::BTreeMap<String, f32> = Default::default();
    for weights in &musculature.weights {
        for (m, weight) in weights.index.iter().zip(&weights.weight) {
            *sums.entry(musculature.muscles[usize::from(*m)].name.clone()).or_default() += weight;
        }
    }
    sums
}

#[test]
fn an_influence_weights_the_skin_about_a_muscle_and_painted_weights_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    done(folder, &["rig", "athlete:3700", "-o", "plain.glb"]);
    done(folder, &["rig", "athlete:3700", "-o", "even.glb", "--influence", "biceps_brachii*=even:10,60"]);
    done(folder, &["rig", "athlete:3700", "-o", "belly.glb", "--influence", "biceps_brachii*=belly:10,60"]);
    let [plain, even, belly] = ["plain.glb", "even.glb", "belly.glb"].map(|file| weight_of(folder, file));
    let name = "biceps_brachii_long.l";
    assert!(
        even[name] > 1.2 * belly[name] && even[name] > 1.2 * plain[name],
        "{} {} {}",
        even[name],
        belly[name],
        plain[name]
    );
    assert!((even["soleus.l"] - plain["soleus.l"]).abs() < 1e-2 * plain["soleus.l"], "others stay as they were");
    let told = done(folder, &["inspect", "even.glb", "--muscle", name]);
    let rows = told["muscle"][0]["parameters"].as_array().unwrap();
    let outer = rows.iter().find(|row| row["name"] == "influence.outer").unwrap();
    assert!((outer["value"].as_f64().unwrap() - 0.06).abs() < 1e-6, "{outer}");

    // what stands for a brush here: other weights than a fresh rig makes
    let report = done(folder, &["rig", "even.glb", "-o", "kept.glb", "--keep-weights"]);
    assert!(report["warnings"].to_string().contains("keep the weights they had"), "{}", report["warnings"]);
    assert_eq!(weight_of(folder, "kept.glb"), even);
    done(folder, &["rig", "even.glb", "-o", "fresh.glb"]);
    assert_eq!(weight_of(folder, "fresh.glb"), plain);
}
