use super::*;
use proptest::prelude::*;

const WALK: &str = "PathFileType\t4\t(X/Y/Z)\twalk.trc
DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames
60.00\t60.00\t  2\t2\tmm\t60.00\t1\t2
Frame#\tTime\tR heel\t\t\ttoe\t\t\t
\t\tX1\tY1\tZ1\tX2\tY2\tZ2

1\t0.000\t1000\t200\t-30\t4\t5\t6
2\t0.0167\t1001\t201\t-31\t\t\t
";

fn read_text(text: &str) -> Recording {
    read(text.as_bytes()).unwrap()
}

fn refused(from: &str, to: &str) -> FileError {
    assert!(WALK.contains(from));
    let error = read(WALK.replacen(from, to, 1).as_bytes()).unwrap_err();
    assert!(error.cure.len() > 10, "{error}");
    error
}

#[test]
fn markers_come_out_in_metres_and_gaps_as_nan() {
    let Recording { capture, warnings } = read_text(WALK);
    assert_eq!(capture.markers, ["R heel", "toe"]);
    assert_eq!((capture.rate, capture.times.as_slice()), (60.0, [0.0, 0.0167].as_slice()));
    assert!((capture.frame(0)[0] - DVec3::new(1.0, 0.2, -0.03)).length() < 1e-12);
    assert!(capture.frame(1)[1].is_nan());
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn line_ends_tabs_and_units_of_every_writer_are_read() {
    let plain = read_text(WALK).capture;
    let same = |text: String| {
        let capture = read_text(&text).capture;
        assert_eq!(format!("{:?}", capture.positions), format!("{:?}", plain.positions), "{text:?}");
        assert_eq!(capture.markers, plain.markers);
    };
    same(WALK.replace('\n', "\r\n"));
    same(WALK.replace('\n', "\t\n"));
    same(WALK.replace("\t\t\t\n", "\n"));
    same(WALK.replace("-31\t\t\t\n", "-31\tNaN\tnan\t\n"));
    same(WALK.replace("Time\tR heel\t\t\ttoe", "Time\t\tR heel\t\ttoe"));
    same(WALK.replace("\n\n", "\n"));
    for (unit, metres) in [("m", 1.0), ("cm", 0.01), ("inches", 0.0254), ("MM", 0.001)] {
        let capture = read_text(&WALK.replace("\tmm\t", &format!("\t{unit}\t"))).capture;
        assert!((capture.frame(0)[0].x - 1000.0 * metres).abs() < 1e-9, "{unit}");
    }
}

#[test]
fn what_does_not_agree_is_said() {
    let warning = |from: &str, to: &str| {
        assert!(WALK.contains(from));
        let read = read_text(&WALK.replacen(from, to, 1));
        (read.warnings.join("; "), read.capture)
    };
    assert!(warning("60.00\t  2\t", "60.00\t  9\t").0.contains("NumFrames is 9"));
    assert!(warning("  2\t2\tmm", "  2\t3\tmm").0.contains("NumMarkers is 3"));
    assert!(warning("\ttoe\t", "\tR heel\t").1.markers == ["R heel", "R heel_2"]);
    assert!(warning("\tZ2\n", "\tZ2\tX3\tY3\tZ3\n").1.markers == ["R heel", "toe", "marker 3"]);
    let (text, capture) = warning("0.0167", "0.1");
    assert!(text.contains("DataRate is 60") && (capture.rate - 10.0).abs() < 1e-9, "{text}");
    let (text, capture) = warning("1001\t201\t-31", "0\t0.0\t0");
    assert!(text.contains("0 0 0") && capture.frame(1)[0].is_nan(), "{text}");
    let (text, _) = warning("Units", "Unity");
    assert!(text.contains("millimetres"));
}

#[test]
fn what_cannot_be_meant_is_refused_where_it_stands() {
    assert!(refused("PathFileType", "Path").place.contains("line 1"));
    assert!(refused("\tmm\t", "\tmiles\t").message.contains("miles"));
    assert!(refused("Frame#", "1").message.contains("marker names"));
    assert!(refused("1001", "x").place.contains("line 8, column \"R heel\""));
    assert!(refused("1001", "inf").message.contains("finite"));
    assert!(refused("1\t0.000", "1\t7").message.contains("after 7"));
    assert!(refused("\t6\n", "\t6\t7\n").message.contains("more than 8"));
    for part in 0..8 {
        let cut = &WALK[..WALK.len() * part / 16];
        assert!(read(cut.as_bytes()).is_err() || part > 5, "{part}/16");
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "[a-z0-9.\t\n \r-]{0,200}", from in 0..240_usize) {
        let _ = read(text.as_bytes());
        let at = from.min(WALK.len());
        let _ = read(format!("{}{text}{}", &WALK[..at], &WALK[at..]).as_bytes());
    }
}
