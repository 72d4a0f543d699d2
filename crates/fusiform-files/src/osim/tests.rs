use super::*;
use fusiform_motion::function::{Function, Spline};
use fusiform_motion::model::{GROUND, Place, Side, WrapMethod, WrapShape};
use glam::DMat3;
use proptest::prelude::*;

const OLD: &str = include_str!("../../../../interop/opensim/old.osim");
const NEW: &str = include_str!("../../../../interop/opensim/joints.osim");

fn good(text: &str) -> Osim {
    read(text.as_bytes()).unwrap()
}

/// The error of a file after one text was put in another's place; its place and cure must say something.
fn broken(file: &str, from: &str, to: &str) -> FileError {
    assert!(file.contains(from), "there is no {from}");
    let error = read(file.replacen(from, to, 1).as_bytes()).unwrap_err();
    assert!(error.place.starts_with("line ") && error.cure.len() > 10, "{error:?}");
    error
}

#[test]
fn joints_inside_bodies_become_the_same_as_joints_in_a_set() {
    let Osim { model, version, warnings } = good(OLD);
    assert_eq!((model.name.as_str(), version, warnings), ("old", 30_000, vec![]));
    assert_eq!(model.bodies.iter().map(|b| b.name.as_str()).collect::<Vec<_>>(), ["upper", "lower"]);
    let [shoulder, elbow] = &model.joints[..] else { panic!("{:?}", model.joints) };
    assert_eq!((shoulder.parent.as_str(), shoulder.child.as_str()), (GROUND, "upper"));
    assert_eq!(shoulder.frames[0].translation, DVec3::new(0.1, 0.5, 0.0));
    assert_eq!(shoulder.frames[1].matrix3, DMat3::from_rotation_z(0.1));
    assert_eq!(shoulder.rotations[2].function, Function::Constant(0.05));
    let spline = Spline::simm(&[-1.0, -0.5, 0.5, 1.0], &[0.0, 0.01, -0.01, 0.02]).unwrap();
    assert_eq!(shoulder.translations[0].function, Function::Spline(spline));
    assert_eq!(elbow.rotations.len(), 1);
    assert_eq!(elbow.rotations[0].axis, DVec3::Z);
}

#[test]
fn masses_and_coordinates_come_out_as_written() {
    let Osim { model, .. } = good(OLD);
    let upper = &model.bodies[0];
    assert_eq!((upper.mass, upper.center), (2.0, DVec3::new(0.0, -0.15, 0.0)));
    assert_eq!(upper.inertia.col(1), DVec3::new(0.0001, 0.003, 0.0));
    let free = &good(NEW).model.bodies[0];
    assert_eq!(free.inertia.col(2), DVec3::new(0.02, 0.03, 0.25));
    let swing = &model.coordinates[0];
    assert_eq!((swing.name.as_str(), swing.is_angle, swing.default, swing.range), ("swing", true, 0.2, [-1.5, 1.5]));
    let planar: Vec<_> = good(NEW).model.coordinates.into_iter().filter(|c| c.name.starts_with("planar")).collect();
    assert_eq!(planar.iter().map(|c| c.is_angle).collect::<Vec<_>>(), [true, false, false]);
}

#[test]
fn muscles_take_what_they_do_not_say_from_the_defaults() {
    let Osim { model, .. } = good(OLD);
    let [extensor, flexor] = &model.muscles[..] else { panic!("{:?}", model.muscles) };
    assert_eq!((extensor.max_force, extensor.optimal_length, extensor.pennation), (321.0, 0.1, 0.2));
    assert_eq!((flexor.max_force, flexor.tendon_length), (400.0, 0.2));
    let Place::Conditional { coordinate, range, .. } = &extensor.path[1].place else { panic!("not conditional") };
    assert_eq!((coordinate.as_str(), *range), ("bend", [0.8, 3.0]));
    let Place::Moving([x, y, _]) = &flexor.path[2].place else { panic!("not moving") };
    assert_eq!((x.0.as_deref(), &y.0, &y.1), (Some("bend"), &None, &Function::Constant(-0.05)));
}

#[test]
fn wraps_keep_shape_side_and_body() {
    let Osim { model, .. } = good(OLD);
    let [ball, bar, off] = &model.wraps[..] else { panic!("{:?}", model.wraps) };
    assert_eq!((ball.body.as_str(), ball.shape, ball.side), (GROUND, WrapShape::Sphere { radius: 0.03 }, None));
    assert_eq!(bar.shape, WrapShape::Cylinder { radius: 0.02, length: 0.2 });
    assert_eq!((bar.body.as_str(), bar.side), ("lower", Some(Side { axis: 0, sign: -1.0 })));
    assert!(bar.active && !off.active);
    let over = &model.muscles[0].wraps[0];
    assert_eq!((over.wrap.as_str(), over.range, over.method), ("elbow_cylinder", [None, None], WrapMethod::Hybrid));
    let ranged = good(&OLD.replacen("<range>-1 -1</range>", "<range>1 2</range>", 1)).model;
    assert_eq!(ranged.muscles[0].wraps[0].range, [Some(0), Some(1)]);
}

#[test]
fn frames_on_frames_lead_to_their_body() {
    let Osim { model, .. } = good(NEW);
    let gimbal = model.joints.iter().find(|joint| joint.child == "gimbal").unwrap();
    assert_eq!(gimbal.parent, "ball");
    let ledge = DMat3::from_rotation_x(0.3);
    let edge = DVec3::new(0.0, -0.1, 0.02) + ledge * DVec3::new(0.05, 0.0, 0.0);
    assert!((gimbal.frames[0].translation - edge).length() < 1e-12);
    assert!(gimbal.frames[0].matrix3.abs_diff_eq(ledge * DMat3::from_rotation_y(0.5), 1e-12));
    // a path point on a frame is moved to the body
    let Place::Fixed(at) = model.muscles[0].path[1].place else { panic!("not fixed") };
    assert!((at - (DVec3::new(0.0, -0.1, 0.02) + ledge * DVec3::new(0.04, 0.0, 0.01))).length() < 1e-12);
}

#[test]
fn what_is_not_read_is_named() {
    let extra = "<Ligament name=\"acl\"><GeometryPath/></Ligament><CoordinateActuator name=\"motor\"/>\
                 <Thelen2003Muscle name=\"asleep\"><appliesForce>false</appliesForce></Thelen2003Muscle>";
    let sets = "<ContactGeometrySet><objects><ContactSphere name=\"heel\"/></objects></ContactGeometrySet>\
                <ConstraintSet><objects><WeldConstraint name=\"glue\"/></objects></ConstraintSet>";
    let text = OLD.replacen("<Thelen2003Muscle name=\"ext", &format!("{extra}<Thelen2003Muscle name=\"ext"), 1);
    let warnings = good(&text.replacen("<MarkerSet>", &format!("{sets}<MarkerSet>"), 1)).warnings.join("\n");
    for name in ["acl", "motor", "asleep", "heel", "glue", "Ligament", "WeldConstraint"] {
        assert!(warnings.contains(name), "{name} is not in {warnings}");
    }
    assert!(warnings.lines().all(|line| line.ends_with('.')), "{warnings}");
}

#[test]
fn couplings_scale_and_switch_off() {
    let coupling = &good(NEW).model.couplings[0];
    assert_eq!((coupling.dependent.as_str(), coupling.independent.as_str()), ("follow", "lead"));
    assert!(good(&NEW.replace("<isEnforced>true", "<isEnforced>false")).model.couplings.is_empty());
    let scaled = NEW.replace("<isEnforced>true</isEnforced>", "<scale_factor>2</scale_factor>");
    assert!(matches!(good(&scaled).model.couplings[0].function, Function::Times(factor, _) if factor == 2.0));
}

#[test]
fn errors_name_line_element_and_cure() {
    let error = broken(OLD, "<mass>2</mass>", "<mass>two</mass>");
    assert!(error.place.contains("Body") && error.place.contains("upper") && error.message.contains("two"), "{error}");
    let error = broken(OLD, "<location>0 0.02 0</location>", "<location>0 0.02</location>");
    assert!(error.place.contains("shoulder") && error.message.contains("2 numbers where 3"), "{error}");
    let error = broken(OLD, "<wrap_object>elbow_cylinder", "<wrap_object>nowhere");
    assert!(error.message.contains("nowhere") && error.place.contains("PathWrap"), "{error}");
    let error = broken(OLD, "<body>lower</body>", "<body>tail</body>");
    assert!(error.message.contains("tail"), "{error}");
    let error = broken(OLD, "<coordinate>bend", "<coordinate>bow");
    assert!(error.message.contains("bow"), "{error}");
    let error = broken(OLD, "<coordinates>twist", "<coordinates>bend");
    assert!(error.message.contains("no coordinate of its joint"), "{error}");
    let error = broken(OLD, "<quadrant>-x", "<quadrant>left");
    assert!(error.cure.contains("-x"), "{error:?}");
    let error = broken(OLD, "<x>-1 -0.5", "<x>-1 -1");
    assert!(error.message.contains("ascend"), "{error}");
    let error = broken(OLD, "<radius>0.02", "<radius>-0.02");
    assert!(error.message.contains("-0.02"), "{error}");
    let error = broken(OLD, "<parent_body>upper", "<parent_body>lower");
    assert!(error.message.contains("lower"), "{error}");
    let error = broken(NEW, "WeldJoint name=\"h\"", "EllipsoidJoint name=\"h\"");
    assert!(error.place.contains("EllipsoidJoint") || error.message.contains("not XML"), "{error}");
    let error = broken(NEW, "<socket_parent>/bodyset/pin", "<socket_parent>/bodyset/pan");
    assert!(error.message.contains("/bodyset/pan"), "{error}");
}

#[test]
fn unknown_joints_are_refused_by_name() {
    let text = NEW.replace("<WeldJoint", "<EllipsoidJoint").replace("</WeldJoint", "</EllipsoidJoint");
    let error = read(text.as_bytes()).unwrap_err();
    assert!(error.place.contains("\"h\"") && error.message.contains("EllipsoidJoint"), "{error}");
    assert!(error.cure.contains("CustomJoint"));
}

#[test]
fn files_that_are_no_models_are_refused_with_a_sentence() {
    let sentence = |text: &str| read(text.as_bytes()).unwrap_err();
    assert!(sentence("").message.contains("not XML"));
    assert!(sentence("<a/>").message.contains("OpenSimDocument"));
    assert!(sentence("<OpenSimDocument Version=\"40000\"/>").message.contains("no <Model>"));
    assert!(sentence("<OpenSimDocument Version=\"x\"><Model/></OpenSimDocument>").message.contains("Version"));
    assert!(sentence("<OpenSimDocument Version=\"1\"><Model/></OpenSimDocument>").message.contains("older"));
    assert!(read(b"\xff\xfe").unwrap_err().cure.contains("UTF-8"));
    assert_eq!(good("<OpenSimDocument Version=\"40000\"><Model/></OpenSimDocument>").model.bodies.len(), 0);
}

#[test]
fn frames_in_a_circle_are_refused() {
    let circle = "<components><PhysicalOffsetFrame name=\"a\"><socket_parent>/b</socket_parent></PhysicalOffsetFrame>\
                  <PhysicalOffsetFrame name=\"b\"><socket_parent>/a</socket_parent></PhysicalOffsetFrame></components>";
    let text = format!("<OpenSimDocument Version=\"40000\"><Model name=\"m\">{circle}</Model></OpenSimDocument>");
    assert!(read(text.as_bytes()).unwrap_err().message.contains("circle"));
}

#[test]
fn a_long_chain_of_frames_is_read_at_once() {
    let frame = |i: usize| {
        format!(
            "<PhysicalOffsetFrame name=\"f{i}\"><socket_parent>/f{}</socket_parent><translation>1 0 0</translation></PhysicalOffsetFrame>",
            i + 1
        )
    };
    let chain: String = (0..3000).map(frame).collect();
    let last = "<PhysicalOffsetFrame name=\"f3000\"><socket_parent>/ground</socket_parent></PhysicalOffsetFrame>";
    let marker = "<MarkerSet><objects><Marker name=\"far\"><socket_parent_frame>/f0</socket_parent_frame></Marker></objects></MarkerSet>";
    let text = format!(
        "<OpenSimDocument Version=\"40000\"><Model name=\"m\"><components>{chain}{last}</components>{marker}</Model></OpenSimDocument>"
    );
    assert_eq!(good(&text).model.markers[0].location, DVec3::new(3000.0, 0.0, 0.0));
}

#[test]
fn elements_too_deep_are_refused() {
    for depth in [300, 100_000] {
        let text = format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
        assert!(read(text.as_bytes()).is_err());
    }
}

#[test]
fn a_smoothing_spline_is_read_as_one_that_passes_its_points() {
    let spline = "<GCVSpline><half_order>3</half_order><x>-1 0 1</x><y>0 1 0</y></GCVSpline>";
    let text = OLD.replacen("<Constant><value>0.05</value></Constant>", spline, 1);
    let Osim { model, warnings, .. } = good(&text);
    assert!(warnings[0].contains("rotation3"), "{warnings:?}");
    assert!((model.joints[0].rotations[2].function.at(0.0).value - 1.0).abs() < 1e-12);
}

#[test]
fn functions_too_deep_are_refused() {
    let deep = format!(
        "{}<Constant/>{}",
        "<MultiplierFunction><function>".repeat(40),
        "</function></MultiplierFunction>".repeat(40)
    );
    let error = broken(OLD, "<Constant><value>0.05</value></Constant>", &deep);
    assert!(error.message.contains("deep"), "{error}");
}

proptest! {
    /// A file with bytes changed, cut or doubled is read or refused, never a panic.
    #[test]
    fn damaged_files_get_an_answer(at in 0..OLD.len(), with in prop::collection::vec(any::<u8>(), 0..4), cut in 0..40_usize, new: bool) {
        let mut bytes = if new { NEW } else { OLD }.as_bytes().to_vec();
        let at = at.min(bytes.len() - 41);
        bytes.splice(at..at + cut, with);
        if let Err(error) = read(&bytes) {
            prop_assert!(!error.place.is_empty() && !error.message.is_empty() && !error.cure.is_empty());
        }
    }
}
