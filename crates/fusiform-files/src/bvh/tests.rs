use super::*;
use fusiform::Pose;
use fusiform::character::Keys;
use glam::{EulerRot, Quat, Vec3};
use proptest::prelude::*;

const SMALL: &str = "HIERARCHY
ROOT Hips
{
  OFFSET 0 90 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Left Arm:1
  {
    OFFSET 10.5 2e1 -3
    CHANNELS 3 Yrotation Xrotation Zrotation
    End Site
    {
      OFFSET 0 0 5
    }
  }
  JOINT Tail
  {
    OFFSET 0 0 -10
    CHANNELS 4 Zposition Xrotation Yrotation Xrotation
  }
}
MOTION
Frames: 2
Frame Time: 0.01
1 2 3 10 20 30 40 50 60 -11 5 6 7
4 5 6 -10 -20 -30 0 0 0 -12 0 0 0
";

fn small() -> Bvh {
    read(SMALL.as_bytes()).unwrap()
}

/// The error of the small file after one text was put in another's place; its cure must say something.
fn broken(from: &str, to: &str) -> BvhError {
    assert!(SMALL.contains(from));
    let error = read(SMALL.replacen(from, to, 1).as_bytes()).unwrap_err();
    assert!(error.cure().len() > 10, "{error} has no cure");
    error
}

#[test]
fn joints_channels_and_rows_come_out_as_written() {
    let bvh = small();
    let names: Vec<_> = bvh.joints.iter().map(|joint| (joint.name.as_str(), joint.parent)).collect();
    assert_eq!(names, [("Hips", None), ("Left Arm:1", Some(0)), ("Tail", Some(0))]);
    assert_eq!(bvh.joints[1].offset, [10.5, 20.0, -3.0]);
    assert_eq!(bvh.joints[1].end_site, Some([0.0, 0.0, 5.0]));
    use BvhChannel::{Position, Rotation};
    assert_eq!(bvh.joints[2].channels, [Position(2), Rotation(0), Rotation(1), Rotation(0)]);
    assert_eq!((bvh.channel_count(), bvh.frame_count(), bvh.frame_time), (13, 2, 0.01));
    assert_eq!(bvh.values[12..15], [7.0, 4.0, 5.0]);
    assert!(bvh.warnings.is_empty());
}

#[test]
fn every_spelling_reads_the_same() {
    let spellings = [
        SMALL.replace('\n', "\r\n"),
        SMALL.replace('\n', "\r"),
        SMALL.replace("  ", "\t"),
        SMALL.trim_end().to_owned(),
        SMALL.replace("\n{", " {"),
        SMALL.replace("\n\n", "\n").replace('\n', "\n \n"),
        SMALL.replace("Frames:", "FRAMES :").replace("Frame Time:", "frame time :"),
        SMALL.replace("Frames:", "Frames").replace("Frame Time:", "FrameTime:"),
        SMALL.replace("rotation", "ROTATION").replace("OFFSET", "Offset").replace("JOINT", "Joint"),
        SMALL.replace("End Site", "END SITE").replace("HIERARCHY", "Hierarchy").replace("MOTION", "motion"),
        SMALL.replace(" 40 50", "\n40 50"),
        format!("\u{feff}{SMALL}"),
    ];
    for text in spellings {
        assert_eq!(read(text.as_bytes()), Ok(small()), "{text}");
    }
}

#[test]
fn several_roots_are_read() {
    let second = "}\nROOT Prop\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nMOTION";
    let bvh = read(SMALL.replace("}\nMOTION", second).as_bytes()).unwrap();
    assert_eq!((bvh.joints.len(), bvh.joints[3].parent, bvh.frame_count()), (4, None, 2));
}

#[test]
fn a_frame_count_that_lies_gives_the_rows_that_are_there_and_a_warning() {
    for count in ["1", "3", "18446744073709551615"] {
        let bvh = read(SMALL.replace("Frames: 2", &format!("Frames: {count}")).as_bytes()).unwrap();
        assert_eq!(bvh.frame_count(), 2);
        assert!(bvh.warnings[0].contains(count), "{:?}", bvh.warnings);
    }
    let cut = read(&SMALL.as_bytes()[..SMALL.len() - 5]).unwrap();
    assert_eq!((cut.frame_count(), cut.warnings.len()), (1, 2), "{:?}", cut.warnings);
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    assert_eq!(
        broken("HIERARCHY", "; glTF"),
        BvhError::Unexpected { line: 1, found: "; glTF".into(), wanted: "HIERARCHY" }
    );
    assert_eq!(broken("0 90 0", "0 9,5 0"), BvhError::NotANumber { line: 4, found: "9,5".into() });
    assert_eq!(broken("-11", "nan"), BvhError::NotFinite { line: 24, found: "nan".into() });
    assert_eq!(broken("-11", "1e99"), BvhError::NotFinite { line: 24, found: "1e99".into() });
    assert!(matches!(broken("CHANNELS 4", "CHANNELS 5"), BvhError::ChannelCount { line: 18, named: 4, .. }));
    assert!(matches!(broken("Zposition Xrotation Y", "Zposition Wscale Y"), BvhError::UnknownChannel { line: 18, .. }));
    assert!(matches!(broken("    OFFSET 0 0 -10\n", ""), BvhError::NoOffset { line: 18, .. }));
    assert!(matches!(broken("0.01", "0"), BvhError::FrameTime { line: 23, .. }));
    assert!(matches!(broken("0.01", "-0.01"), BvhError::FrameTime { .. }));
    assert!(matches!(broken("OFFSET 0 90 0", "OFFSET 0 90"), BvhError::Unexpected { line: 4, .. }));
    let head = &SMALL[..SMALL.find("1 2 3").unwrap()];
    assert_eq!(read(head.as_bytes()), Err(BvhError::NoFrame { line: 24, announced: 2, channels: 13 }));
    assert!(matches!(read(b""), Err(BvhError::Truncated { line: 1, .. })));
    let head = &SMALL[..SMALL.find("Tail").unwrap() + 5];
    assert_eq!(read(head.as_bytes()), Err(BvhError::Truncated { line: 16, wanted: "{" }));
}

#[test]
fn a_hundred_thousand_joints_inside_each_other_overflow_nothing() {
    let mut text = String::from("HIERARCHY\nROOT a\n{OFFSET 0 0 0\nCHANNELS 1 Xrotation\n");
    text.push_str(&"JOINT a\n{OFFSET 0 1 0\n".repeat(100_000));
    text.push_str(&"}".repeat(100_001));
    text.push_str("MOTION\nFrames: 1\nFrame Time: 1\n5\n");
    let bvh = read(text.as_bytes()).unwrap();
    let (skeleton, clip) = bvh.skeleton_and_clip("deep", 1.0);
    assert_eq!((skeleton.joints.len(), clip.channels.len()), (100_001, 1));
}

#[test]
fn rotations_compose_in_the_files_order_and_lengths_are_metres() {
    let (skeleton, clip) = small().skeleton_and_clip("motion", 0.01);
    let mut pose = Pose::rest(&skeleton);
    clip.sample(0.0, &mut pose);
    assert!((pose.local[0].translation - Vec3::new(0.01, 0.02, 0.03)).length() < 1e-6);
    assert!((pose.local[2].translation - Vec3::new(0.0, 0.0, -0.11)).length() < 1e-6, "a position, on no root");
    let angle = f32::to_radians;
    let hips = Quat::from_euler(EulerRot::ZXY, angle(10.0), angle(20.0), angle(30.0));
    let arm = Quat::from_euler(EulerRot::YXZ, angle(40.0), angle(50.0), angle(60.0));
    let tail =
        Quat::from_rotation_x(angle(5.0)) * Quat::from_rotation_y(angle(6.0)) * Quat::from_rotation_x(angle(7.0));
    for (joint, wanted) in [hips, arm, tail].into_iter().enumerate() {
        assert!(pose.local[joint].rotation.dot(wanted).abs() > 0.999_999, "{joint}");
    }
    assert_eq!(skeleton.joints[3].name, "Left Arm:1_end");
    assert!((clip.duration() - 0.01).abs() < 1e-9);
}

#[test]
fn quaternions_take_the_short_way_from_frame_to_frame() {
    let mut bvh = small();
    bvh.values =
        (0..100).flat_map(|frame| [0.0, 0.0, 0.0, 20.0 * frame as f32, 0.0, 0.0].into_iter().chain([0.0; 7])).collect();
    let (_, clip) = bvh.skeleton_and_clip("spin", 1.0);
    let Keys::Rotation(track) = &clip.channels[1].keys else { panic!("the hips turn") };
    assert!(track.values.windows(2).all(|pair| pair[0].dot(pair[1]) > 0.98));
}

#[test]
fn joints_of_one_name_get_numbers() {
    let (skeleton, _) = read(SMALL.replace("Tail", "Hips").as_bytes()).unwrap().skeleton_and_clip("m", 1.0);
    assert_ne!(skeleton.joints[0].name, skeleton.joints[2].name);
    assert_eq!(skeleton.find("Hips"), Some(0));
}

#[test]
fn the_unit_is_guessed_from_the_size() {
    for (unit, tall) in [(1.0, 1.8), (0.01, 165.0), (0.001, 1750.0), (0.0254, 70.0)] {
        let end_site = Some([0.0, tall, 0.0]);
        let joints = vec![BvhJoint { offset: [0.0, 500.0, 0.0], end_site, ..BvhJoint::default() }];
        assert_eq!(Bvh { joints, ..Bvh::default() }.guess_unit(), unit);
    }
}

/// Read and convert; both must end without panic whatever the bytes.
fn survives(bytes: &[u8]) {
    if let Ok(bvh) = read(bytes) {
        let (skeleton, clip) = bvh.skeleton_and_clip("motion", bvh.guess_unit());
        assert!(clip.channels.iter().all(|channel| channel.joint < skeleton.joints.len()));
        assert!(bvh.values.len() <= bytes.len());
    }
}

#[test]
fn a_file_cut_anywhere_never_panics() {
    for length in 0..SMALL.len() {
        survives(&SMALL.as_bytes()[..length]);
    }
}

proptest! {
    #[test]
    fn damaged_bytes_never_panic(damage in prop::collection::vec((0..SMALL.len(), any::<u8>()), 1..12)) {
        let mut bytes = SMALL.as_bytes().to_vec();
        for (at, byte) in damage {
            bytes[at] = byte;
        }
        survives(&bytes);
    }

    #[test]
    fn shuffled_lines_never_panic(order in prop::collection::vec(0..28usize, 0..60)) {
        let lines: Vec<&str> = SMALL.lines().collect();
        let text: Vec<&str> = order.iter().filter_map(|&line| lines.get(line).copied()).collect();
        survives(format!("HIERARCHY\n{}", text.join("\n")).as_bytes());
    }
}
