//! What fuzzing began with, and what it found, read again: no panic, no hang, and what holds for any bytes holds.

#![allow(clippy::unwrap_used)] // what a test makes itself is there

mod lab;
mod maker;

#[path = "../../../fuzz/checks.rs"]
mod checks;

use maker::Maker;
use serde_json::json;
use std::path::{Path, PathBuf};

fn corpus(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target)
}

/// Seeds that are no character, but a container.
const NO_CHARACTER: [&str; 1] = ["seed_embedded.gltf"];

/// Every file is read or refused; a seed must be read, or fuzzing begins at nothing.
fn replay(target: &str, check: fn(&[u8]) -> bool) {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(corpus(target)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 3, "there are only {} files", files.len());
    for file in files {
        println!("{}", file.display());
        let name = file.file_name().unwrap().to_str().unwrap();
        let read = check(&std::fs::read(&file).unwrap());
        assert!(read || !name.starts_with("seed_") || NO_CHARACTER.contains(&name), "{name} is refused");
    }
}

#[test]
fn kept_gltf_files_are_read_or_refused() {
    replay("gltf", checks::gltf);
}

#[test]
fn kept_motions_are_read_or_refused() {
    replay("bvh", checks::bvh);
}

#[test]
fn kept_models_are_read_or_refused() {
    replay("osim", checks::osim);
}

#[test]
fn kept_musculatures_are_bound_or_refused() {
    replay("extension", checks::extension);
}

#[test]
fn kept_tracks_are_read_or_refused() {
    replay("trc", checks::trc);
}

#[test]
fn kept_tables_are_read_or_refused() {
    replay("sto", checks::sto);
}

#[test]
fn kept_columns_are_read_or_refused() {
    replay("csv", checks::csv);
}

#[test]
fn kept_recordings_are_read_or_refused() {
    replay("c3d", checks::c3d);
}

/// A text, a zero byte, and what its buffer holds.
fn apart(file: &Maker) -> Vec<u8> {
    let mut json = file.json.clone();
    json["buffers"][0]["byteLength"] = json!(file.bytes.len());
    [json.to_string().as_bytes(), b"\0", &file.bytes].concat()
}

const WALK: &str = "HIERARCHY
ROOT Hips
{ OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine { OFFSET 0 20 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT Head { OFFSET 0 40 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      End Site { OFFSET 0 10 0 } } }
  JOINT LeftUpLeg
  { OFFSET 10 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT LeftLeg
    { OFFSET 0 -45 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT LeftFoot
      { OFFSET 0 -45 0
        CHANNELS 3 Zrotation Xrotation Yrotation
        End Site { OFFSET 0 0 15 } } } }
  JOINT RightUpLeg
  { OFFSET -10 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT RightLeg
    { OFFSET 0 -45 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT RightFoot
      { OFFSET 0 -45 0
        CHANNELS 3 Zrotation Xrotation Yrotation
        End Site { OFFSET 0 0 15 } } } }
}
MOTION
Frames: 3
Frame Time: 0.0333
";

fn write(target: &str, name: &str, bytes: &[u8]) {
    std::fs::create_dir_all(corpus(target)).unwrap();
    std::fs::write(corpus(target).join(name), bytes).unwrap();
}

const TRACKS: &str = "PathFileType\t4\t(X/Y/Z)\twalk.trc
DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames
60.00\t60.00\t2\t2\tmm\t60.00\t1\t2
Frame#\tTime\theel\t\t\ttoe\t\t\t
\t\tX1\tY1\tZ1\tX2\tY2\tZ2

1\t0.000\t1000\t200\t-30\t4\t5\t6
2\t0.0167\t1001\t201\t-31\t\t\t
";

const ANGLES: &str = "Coordinates\nversion=1\nnRows=2\nnColumns=3\ninDegrees=yes\nendheader
time\tknee angle\thip\n 0.5\t 10.25\t-1e-3\n 0.75\t 11\tNaN\n";

#[test]
#[ignore = "writes the files that fuzzing begins with"]
fn write_seeds_of_measurements() {
    write("trc", "seed_gap", TRACKS.as_bytes());
    write("trc", "seed_crlf", TRACKS.replace('\n', "\r\n").replace("mm", "inches").as_bytes());
    write("trc", "seed_words", TRACKS.replace("-31\t\t\t\n", "-31\t1\t2\t3\n").replace('\t', " ").as_bytes());
    write("sto", "seed_angles", ANGLES.as_bytes());
    write("sto", "seed_simm", b"name a\ndatacolumns 1\ndatarows 2\nrange 0 1\nendheader\na\n1\n2\n");
    write("sto", "seed_vectors", b"DataType=Vec3\nversion=3\nendheader\ntime\tf\n0\t1,2,3\n1\t4,5,6\n");
    write("sto", "commas", b"time (ms),\"a,b\",c\n0,1,2\n5,,4\n");
    write("sto", "semicolons", b"a;time;c;\r\n0,5;1,5;2;\r\n5;2;4;\r\n");
    for (machine, name) in [(lab::Machine::Intel, "intel"), (lab::Machine::Dec, "dec"), (lab::Machine::Sgi, "sgi")] {
        for (scale, format) in [(-0.1, "floats"), (0.125, "integers")] {
            write("c3d", &format!("seed_{name}_{format}"), &lab::Maker::small(machine, scale).bytes());
        }
    }
    let stored = [20.0, -30.0, -700.0, 50.0, 100.0, -5.0, 7.0, 8.0];
    for (kind, n) in [(1, 6), (2, 6), (3, 8), (4, 6)] {
        let mut plate = lab::Maker::plate(kind, ["N", "Nmm"], [120.0, 200.0, -40.0], &stored[..n]);
        let matrix = (0..36).map(|i| if i % 7 == 0 { 2.0 } else { 0.01 * i as f32 }).collect();
        plate.set("FORCE_PLATFORM", "CAL_MATRIX", lab::Values::Floats(vec![6, 6, 1], matrix));
        write("c3d", &format!("seed_plate_{kind}"), &plate.bytes());
    }
}
/// A leg of two bodies in either version, and a muscle over every surface.
const OLD_LEG: &str = r#"<OpenSimDocument Version="30000"><Model name="leg"><BodySet><objects>
<Body name="ground"/><Body name="thigh"><mass>1</mass><inertia_xx>1</inertia_xx><Joint><BallJoint name="hip">
<parent_body>ground</parent_body><location_in_parent>0 1 0</location_in_parent><orientation_in_parent>0 0 0.1</orientation_in_parent>
<CoordinateSet><objects><Coordinate name="a"><range>-1 1</range></Coordinate></objects></CoordinateSet></BallJoint></Joint>
<WrapObjectSet><objects><WrapTorus name="w"><quadrant>all</quadrant><inner_radius>0.01</inner_radius>
<outer_radius>0.05</outer_radius></WrapTorus></objects></WrapObjectSet></Body></objects></BodySet>
<ForceSet><objects><Thelen2003Muscle name="m"><GeometryPath><PathPointSet><objects>
<PathPoint name="p"><body>ground</body><location>0.04 0.9 0.1</location></PathPoint>
<PathPoint name="q"><body>thigh</body><location>0.04 0 -0.1</location></PathPoint></objects></PathPointSet>
<PathWrapSet><objects><PathWrap><wrap_object>w</wrap_object></PathWrap></objects></PathWrapSet>
</GeometryPath></Thelen2003Muscle></objects></ForceSet></Model></OpenSimDocument>"#;

const NEW_LEG: &str = r#"<OpenSimDocument Version="40000"><Model name="leg"><Ground name="ground"><WrapObjectSet><objects>
<WrapSphere name="s"><radius>0.03</radius></WrapSphere><WrapCylinder name="c"><quadrant>-x</quadrant><radius>0.03</radius>
<length>1</length></WrapCylinder><WrapEllipsoid name="e"><dimensions>0.03 0.02 0.04</dimensions></WrapEllipsoid>
</objects></WrapObjectSet></Ground><BodySet><objects><Body name="b"><mass>1</mass></Body></objects></BodySet>
<JointSet><objects><CustomJoint name="j"><socket_parent_frame>f</socket_parent_frame><socket_child_frame>/bodyset/b</socket_child_frame>
<coordinates><Coordinate name="q"><range>-1 1</range></Coordinate><Coordinate name="r"/></coordinates><frames>
<PhysicalOffsetFrame name="f"><socket_parent>/ground</socket_parent><orientation>0 0.1 0</orientation></PhysicalOffsetFrame></frames>
<SpatialTransform><TransformAxis name="rotation1"><coordinates>q</coordinates><axis>0 0 1</axis><SimmSpline><x>-1 0 1</x><y>-1 0 2</y></SimmSpline></TransformAxis>
<TransformAxis name="translation1"><coordinates>r</coordinates><axis>1 0 0</axis><MultiplierFunction><function><PolynomialFunction>
<coefficients>1 2 0</coefficients></PolynomialFunction></function><scale>2</scale></MultiplierFunction></TransformAxis></SpatialTransform>
</CustomJoint></objects></JointSet><ConstraintSet><objects><CoordinateCouplerConstraint name="k"><coupled_coordinates_function>
<PiecewiseLinearFunction><x>0 1</x><y>0 0.1</y></PiecewiseLinearFunction></coupled_coordinates_function>
<independent_coordinate_names>q</independent_coordinate_names><dependent_coordinate_name>r</dependent_coordinate_name>
</CoordinateCouplerConstraint></objects></ConstraintSet><ForceSet><objects><Millard2012EquilibriumMuscle name="m"><GeometryPath>
<PathPointSet><objects><PathPoint name="p"><socket_parent_frame>/ground</socket_parent_frame><location>-0.1 0.01 0</location></PathPoint>
<ConditionalPathPoint name="v"><socket_parent_frame>/ground</socket_parent_frame><location>-0.1 0 0.02</location>
<socket_coordinate>/jointset/j/q</socket_coordinate><range>0 1</range></ConditionalPathPoint>
<MovingPathPoint name="t"><socket_parent_frame>/bodyset/b</socket_parent_frame><socket_x_coordinate>/jointset/j/q</socket_x_coordinate>
<x_location><LinearFunction><coefficients>0.1 0.1</coefficients></LinearFunction></x_location></MovingPathPoint></objects></PathPointSet>
<PathWrapSet><objects><PathWrap><wrap_object>s</wrap_object></PathWrap><PathWrap><wrap_object>c</wrap_object></PathWrap>
<PathWrap><wrap_object>e</wrap_object><method>axial</method><range>1 3</range></PathWrap></objects></PathWrapSet></GeometryPath>
<max_isometric_force>100</max_isometric_force></Millard2012EquilibriumMuscle></objects></ForceSet>
<MarkerSet><objects><Marker name="k"><socket_parent_frame>/bodyset/b</socket_parent_frame></Marker></objects></MarkerSet></Model></OpenSimDocument>"#;

#[test]
#[ignore = "writes the files that fuzzing begins with"]
fn write_seeds() {
    let muscle = Maker::arm_with_muscle();
    write("gltf", "seed_arm", &apart(&Maker::arm()));
    write("gltf", "seed_arm.glb", &Maker::arm().glb());
    write("gltf", "seed_morphs", &apart(&Maker::arm_with_morphs()));
    write("gltf", "seed_muscle", &apart(&muscle));
    let mut two = Maker::arm_with_morphs();
    two.push("nodes", json!({ "mesh": 0, "skin": 1, "weights": [0.25, 0.5] }));
    two.push("skins", json!({ "joints": [2, 1, 0] }));
    two.json["animations"][0]["samplers"][0]["interpolation"] = json!("STEP");
    write("gltf", "seed_two_skins", &apart(&two));
    write(
        "gltf",
        "seed_embedded.gltf",
        br#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":3,"uri":"data:;base64,AAAA"}]}"#,
    );
    let extension = &muscle.json["extensions"]["FUSIFORM_musculature"];
    write("extension", "seed_biceps", extension.to_string().replace("upper\",\"point", "lower\",\"point").as_bytes());
    let mut every = extension.clone();
    let muscle = fusiform::Muscle { name: "every_field".into(), ..Default::default() };
    every["muscles"] = json!([every["muscles"][0], muscle]);
    every["muscles"][1]["origin"] = json!({ "joint": "upper", "point": [0.0, 0.2, 0.1] });
    every["muscles"][1]["insertion"] = json!({ "joint": "lower", "point": [0.0, 0.2, 0.1] });
    every["muscles"][1]["path"]["held"] = json!(0.5);
    every["muscles"][1]["rings"] = json!(3);
    every["muscles"][1]["sectors"] = json!(3);
    every["muscles"][1]["sculpt"] = json!({ "factors": vec![1.0; 9] });
    every["physique"] = json!(fusiform::Physique::default());
    every["base"] = json!("dual_quaternion");
    every["normals"] = json!("angle");
    write("extension", "seed_every_field", every.to_string().as_bytes());
    let end = |joint: &str| json!({ "joint": joint, "point": [0.0, 0.002, 0.001] });
    let fewest = json!({ "name": "fewest", "origin": end("upper"), "insertion": end("lower") });
    let fewest = json!({ "version": 1, "metresPerUnit": 0.01, "muscles": [fewest] });
    write("extension", "seed_fewest_fields", fewest.to_string().as_bytes());
    let row = |k: i32| (0..27).map(|i| ((i * 7 + k * 13) % 31 - 15).to_string()).collect::<Vec<_>>().join(" ");
    write("bvh", "seed_walk", format!("{WALK}{}\n{}\n{}\n", row(0), row(1), row(2)).as_bytes());
    write("osim", "seed_old", OLD_LEG.as_bytes());
    write("osim", "seed_new", NEW_LEG.as_bytes());
    write("osim", "seed_empty", b"<OpenSimDocument Version=\"40000\"><Model/></OpenSimDocument>");
    write("bvh", "seed_still", WALK.replace("Frames: 3", "Frames: 0").as_bytes());
    write(
        "bvh",
        "seed_small",
        b"HIERARCHY\nROOT a\n{\nOFFSET 1 2 3\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 2\nFrame Time: 1\n1\n2\n",
    );
}
