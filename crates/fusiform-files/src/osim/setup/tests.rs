use super::super::read;
use super::*;
use fusiform_motion::capture::Capture;
use fusiform_motion::model::Model;
use fusiform_motion::system::System;
use fusiform_motion::table::Table;
use glam::DVec3;
use proptest::prelude::*;

const ARM: &str = r#"<OpenSimDocument Version="40000"><Model name="arm"><BodySet><objects>
<Body name="upper"><mass>2</mass></Body></objects></BodySet><JointSet><objects><PinJoint name="shoulder">
<socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/upper</socket_child_frame>
<coordinates><Coordinate name="swing"><range>-3 3</range></Coordinate></coordinates></PinJoint></objects></JointSet>
<MarkerSet><objects><Marker name="elbow"><socket_parent_frame>/bodyset/upper</socket_parent_frame>
<location>0 -0.3 0</location></Marker><Marker name="wrist"><socket_parent_frame>/bodyset/upper</socket_parent_frame>
<location>0 -0.6 0</location></Marker></objects></MarkerSet></Model></OpenSimDocument>"#;

const IK: &str = r#"<OpenSimDocument Version="40000"><InverseKinematicsTool name="arm">
<model_file> arm.osim </model_file><marker_file>wave.trc</marker_file><coordinate_file>Unassigned</coordinate_file>
<IKTaskSet><objects>
<IKMarkerTask name="elbow"><apply>true</apply><weight>2</weight></IKMarkerTask>
<IKMarkerTask name="wrist"><weight>0.5</weight></IKMarkerTask>
<IKMarkerTask name="nose"><apply>false</apply></IKMarkerTask>
<IKCoordinateTask name="swing"><weight>1e-9</weight><value_type>manual_value</value_type><value>0.5</value></IKCoordinateTask>
</objects></IKTaskSet><time_range>0 Inf</time_range></InverseKinematicsTool></OpenSimDocument>"#;

const LOADS: &str = r#"<OpenSimDocument Version="40000"><ExternalLoads name="plates"><objects>
<ExternalForce name="hand"><applied_to_body>/bodyset/upper</applied_to_body>
<force_expressed_in_body>/ground</force_expressed_in_body><point_expressed_in_body>ground</point_expressed_in_body>
<force_identifier>f_v</force_identifier><point_identifier>f_p</point_identifier><torque_identifier/></ExternalForce>
<ExternalForce name="off"><appliesForce>false</appliesForce></ExternalForce>
</objects><datafile> push.mot </datafile></ExternalLoads></OpenSimDocument>"#;

fn arm() -> (Model, System) {
    let model = read(ARM.as_bytes()).unwrap().model;
    let system = System::new(&model).unwrap();
    (model, system)
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// A set-up with one text in another's place, bound to the arm and to markers.
fn bound(from: &str, to: &str, recorded: &[&str]) -> Result<Tracking, FileError> {
    assert!(IK.contains(from), "there is no {from}");
    let (model, system) = arm();
    read_ik(IK.replacen(from, to, 1).as_bytes())?.bind(&model, &system, &names(recorded))
}

/// Loads with one text in another's place, bound to the arm and to columns.
fn pushed(from: &str, to: &str, columns: &[&str]) -> Result<(usize, [usize; 3]), FileError> {
    assert!(LOADS.contains(from), "there is no {from}");
    let table = Table { names: names(columns), ..Table::default() };
    let loads = read_loads(LOADS.replacen(from, to, 1).as_bytes())?;
    loads.bind(&arm().1, &table).map(|bound| (bound[0].body, bound[0].point))
}

const COLUMNS: [&str; 6] = ["f_vx", "f_vy", "f_vz", "f_px", "f_py", "f_pz"];

#[test]
fn a_set_up_tells_files_times_and_weights() {
    let setup = read_ik(IK.as_bytes()).unwrap();
    assert_eq!((setup.model_file.as_deref(), setup.marker_file.as_deref()), (Some("arm.osim"), Some("wave.trc")));
    assert_eq!((setup.coordinate_file, setup.time_range), (None, [0.0, f64::INFINITY]));
    let weights: Vec<_> = setup.markers.iter().map(|task| (task.name.as_str(), task.weight)).collect();
    assert_eq!(weights, [("elbow", 2.0), ("wrist", 0.5)]);
    assert_eq!((setup.coordinates[0].name.as_str(), setup.coordinates[0].target), ("swing", Target::Value(0.5)));
}

#[test]
fn a_set_of_tasks_alone_is_a_set_up_too() {
    let start = IK.find("<IKTaskSet>").unwrap();
    let end = IK.find("<time_range>").unwrap();
    let setup = read_ik(format!("<OpenSimDocument>{}</OpenSimDocument>", &IK[start..end]).as_bytes()).unwrap();
    assert_eq!((setup.markers.len(), setup.model_file), (2, None));
    assert_eq!(read_ik(&IK.as_bytes()[start..end]).unwrap().markers, setup.markers);
}

#[test]
fn a_bound_set_up_follows_its_markers() {
    let (_, system) = arm();
    let mut tracking = bound("", "", &["wrist", "head", "elbow"]).unwrap();
    assert_eq!((tracking.columns.as_slice(), tracking.warnings.len()), (&[2, 0][..], 0));
    let at = |angle: f64, length: f64| DVec3::new(angle.sin(), -angle.cos(), 0.0) * length;
    let frame = |angle: f64| [at(angle, 0.6), DVec3::ONE, at(angle, 0.3)];
    let capture = Capture {
        rate: 10.0,
        times: vec![-0.1, 0.0, 0.1],
        markers: names(&["wrist", "head", "elbow"]),
        positions: [frame(0.0), frame(0.3), frame(0.4)].concat(),
        ..Capture::default()
    };
    let (angles, solved) = tracking.track(&system, &capture, None).unwrap();
    assert_eq!(angles.times, [0.0, 0.1], "frames before the set-up's time are left out");
    assert!((angles.values[0] - 0.3).abs() < 1e-5 && (angles.values[1] - 0.4).abs() < 1e-5, "{angles:?}");
    assert!(solved.iter().all(|frame| frame.rms < 1e-5 && frame.n_seen == 2));
}

#[test]
fn a_coordinate_is_held_at_values_of_a_file() {
    let (_, system) = arm();
    let task = "<weight>1e-9</weight><value_type>manual_value";
    let mut tracking = bound(task, "<weight>1e9</weight><value_type>from_file", &["elbow"]).unwrap();
    let capture = Capture {
        rate: 1.0,
        times: vec![0.0, 1.0],
        markers: names(&["elbow"]),
        positions: vec![DVec3::NEG_Y * 0.3; 2],
        ..Capture::default()
    };
    let held = Table { names: names(&["swing"]), times: vec![0.0, 1.0], values: vec![0.2, 0.7] };
    let (angles, _) = tracking.track(&system, &capture, Some(&held)).unwrap();
    assert!((angles.values[0] - 0.2).abs() < 1e-5 && (angles.values[1] - 0.7).abs() < 1e-5, "{angles:?}");
    let error = tracking.track(&system, &capture, None).unwrap_err();
    assert_eq!(error.message, "\"swing\" is to be held at values of a file, and there is no such column");
}

#[test]
fn markers_the_trial_does_not_have_are_told() {
    let some = bound("", "", &["elbow"]).unwrap();
    assert_eq!(some.warnings, ["1 tasks name markers that the recording does not have: \"wrist\"."]);
    let unknown = bound("name=\"wrist\"", "name=\"knee\"", &["elbow", "knee"]).unwrap();
    assert_eq!(unknown.warnings, ["1 tasks name markers that the model does not have: \"knee\"."]);
    let none = bound("", "", &["LASI", "RASI"]).unwrap_err();
    assert_eq!(none.to_string(), "<IKTaskSet>: it names \"elbow\", \"wrist\", and the recording has none of them");
}

#[test]
fn a_set_up_that_cannot_be_meant_says_why() {
    let error = |from: &str, to: &str| bound(from, to, &["elbow"]).unwrap_err();
    assert!(error("name=\"swing\"", "name=\"sway\"").to_string().ends_with("the model has no coordinate \"sway\""));
    assert!(error("<weight>2", "<weight>-2").message.contains("<weight> is -2"));
    assert!(error("<weight>2", "<weight>much").message.contains("much"));
    assert!(error("manual_value", "guess").message.contains("guess"));
    assert!(error("<time_range>0 Inf", "<time_range>3 1").message.contains("before it begins"));
    assert!(error("<time_range>0 Inf", "<time_range>3").message.contains("1 numbers where 2"));
    assert!(error("IKMarkerTask name=\"elbow\"", "IKTask name=\"elbow\"").message.contains("not XML"));
    assert!(read_ik(ARM.as_bytes()).unwrap_err().message.contains("no <InverseKinematicsTool>"));
    assert!(read_ik(b"").unwrap_err().message.contains("not XML"));
    let empty = "<IKTaskSet><objects/></IKTaskSet>";
    let (model, system) = arm();
    let error = read_ik(empty.as_bytes()).unwrap().bind(&model, &system, &[]).unwrap_err();
    assert!(error.message.contains("nothing to follow"));
}

#[test]
fn loads_find_their_body_and_columns() {
    let loads = read_loads(LOADS.as_bytes()).unwrap();
    assert_eq!((loads.data_file.as_deref(), loads.loads.len()), (Some("push.mot"), 1));
    assert_eq!(pushed("", "", &COLUMNS).unwrap(), (1, [3, 4, 5]));
}

#[test]
fn loads_that_cannot_be_meant_say_why() {
    let error = |from: &str, to: &str| pushed(from, to, &COLUMNS).unwrap_err();
    let unknown = error("/bodyset/upper", "calcn_r");
    let place = "line 2, <ExternalForce name=\"hand\">";
    assert_eq!(unknown.to_string(), format!("{place}: it pushes \"calcn_r\", which the model does not have"));
    assert_eq!(unknown.cure, "name a body of the model in <applied_to_body>: \"upper\"");
    let columns = error("f_p<", "f_q<");
    assert_eq!(columns.to_string(), format!("{place}: the data file has no column \"f_qx\""));
    assert!(columns.cure.contains("\"f_vx\""), "{columns:?}");
    assert!(error("<torque_identifier/>", "<torque_identifier>t_</torque_identifier>").message.contains("t_x"));
    assert!(error("/ground</force", "upper</force").message.contains("only ground"));
    assert!(error("<point_identifier>f_p", "<point_identifier>").message.contains("no <point_identifier>"));
    assert!(error("<applied_to_body>/bodyset/upper", "<applied_to_body>").message.contains("no <applied_to_body>"));
    assert!(read_loads(IK.as_bytes()).unwrap_err().message.contains("no <ExternalLoads>"));
}

proptest! {
    /// A file with bytes changed, cut or doubled is read or refused, never a panic.
    #[test]
    fn damaged_files_get_an_answer(at in 0..LOADS.len() - 41, with in prop::collection::vec(any::<u8>(), 0..4), cut in 0..40_usize, ik: bool) {
        let mut bytes = if ik { IK } else { LOADS }.as_bytes().to_vec();
        bytes.splice(at..at + cut, with);
        let (model, system) = arm();
        let error = if ik {
            read_ik(&bytes).and_then(|setup| setup.bind(&model, &system, &names(&["elbow", "wrist"])).map(drop)).err()
        } else {
            let table = Table { names: names(&COLUMNS), ..Table::default() };
            read_loads(&bytes).and_then(|loads| loads.bind(&system, &table).map(drop)).err()
        };
        if let Some(error) = error {
            prop_assert!(!error.place.is_empty() && !error.message.is_empty() && !error.cure.is_empty());
        }
    }
}
