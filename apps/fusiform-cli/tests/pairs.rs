//! Pairs on real files, where they are: a bull, and skins too simple for muscles.

mod common;

use common::{answer, run, shared};

#[test]
fn a_bull_without_human_joints_gets_opposed_pairs_inside_its_skin() {
    let Some(bull) = shared("Quaternius_Bull.glb") else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (code, report) = answer(folder, &["rig", bull.to_str().unwrap(), "-o", "bull.glb"]);
    assert_eq!(code, Some(0), "{report}");
    assert!(report["muscles"].as_u64().unwrap() >= 24, "{report}");
    assert_eq!(report["inside_fraction"], 1.0);
    assert!(report["warnings"][0].as_str().unwrap().contains("opposed pair"), "{report}");
    let (_, inside) = answer(folder, &["inspect", "bull.glb"]);
    let names: Vec<&str> = inside["muscles"].as_array().unwrap().iter().map(|m| m["name"].as_str().unwrap()).collect();
    for bone in ["FrontUpperLeg.L", "FrontUpperLeg.R", "BackUpperLeg.L", "BackUpperLeg.R", "Torso", "Neck3"] {
        for kind in ["flexor", "extensor"] {
            assert!(names.contains(&format!("{bone}.{kind}").as_str()), "{bone}.{kind} of {names:?}");
        }
    }
    for show in ["regions", "ellipsoids"] {
        let shown = run(folder, &["picture", "bull.glb", "-o", "look.png", "--show", show, "--size", "160x120"]);
        assert!(shown.status.success(), "{show}: {}", String::from_utf8_lossy(&shown.stderr));
    }
}

#[test]
fn regions_are_shown_of_a_file_without_muscles_and_ellipsoids_are_refused() {
    let Some(bull) = shared("Quaternius_Bull.glb") else { return };
    let folder = tempfile::tempdir().unwrap();
    let show = |what: &str| {
        let bull = bull.to_str().unwrap();
        answer(folder.path(), &["picture", bull, "-o", "look.png", "--show", what, "--size", "160x120"]).0
    };
    assert_eq!((show("regions"), show("ellipsoids")), (Some(0), Some(1)));
}

#[test]
fn a_figure_with_vertices_at_its_joints_only_gets_a_pair_on_every_limb() {
    let Some(figure) = shared("RiggedFigure.glb") else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let rig = ["rig", figure.to_str().unwrap(), "-o", "figure.glb", "--template", "pairs"];
    let (code, report) = answer(folder, &rig);
    assert_eq!((code, report["inside_fraction"].as_f64()), (Some(0), Some(1.0)), "{report}");
    let (_, seen) = answer(folder, &["inspect", "figure.glb"]);
    let names: Vec<&str> = seen["muscles"].as_array().unwrap().iter().map(|m| m["name"].as_str().unwrap()).collect();
    for limb in ["arm_joint_L_1", "arm_joint_L_2", "arm_joint_R_1", "arm_joint_R_2"] {
        for bone in [limb.to_owned(), limb.replace("arm", "leg")] {
            for kind in ["flexor", "extensor"] {
                assert!(names.contains(&format!("{bone}.{kind}").as_str()), "{bone}.{kind} of {names:?}");
            }
        }
    }
}

#[test]
fn simple_skins_are_rigged_or_refused_in_a_sentence() {
    for name in ["RiggedSimple.glb", "SimpleSkin.gltf"] {
        let Some(file) = shared(name) else { continue };
        let folder = tempfile::tempdir().unwrap();
        let (code, report) =
            answer(folder.path(), &["rig", file.to_str().unwrap(), "-o", "out.glb", "--template", "pairs"]);
        match code {
            Some(0) => {
                let none = report["muscles"] == 0 && report["warnings"].as_array().unwrap().is_empty();
                assert!(!none && report["inside_fraction"] == 1.0, "{report}");
            }
            _ => assert!(code == Some(1) && report["error"]["message"].as_str().unwrap().len() > 20, "{report}"),
        }
    }
}
