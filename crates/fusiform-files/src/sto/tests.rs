use super::*;
use proptest::prelude::*;

const ANGLES: &str = "Coordinates
version=1
nRows=2
nColumns=3
inDegrees=yes

Units are S.I. units (second, meters, Newtons, ...)

endheader
time\tknee angle\thip
 0.5\t 10.25\t-1e-3
 0.75\t 11\tNaN
";

fn read_text(text: &str) -> Sto {
    read(text.as_bytes()).unwrap()
}

fn refused(text: &str) -> FileError {
    let error = read(text.as_bytes()).unwrap_err();
    assert!(error.cure.len() > 10, "{error}");
    error
}

#[test]
fn header_names_and_rows_come_out_as_written() {
    let sto = read_text(ANGLES);
    assert_eq!((sto.name.as_str(), sto.in_degrees), ("Coordinates", true));
    assert_eq!(sto.table.names, ["knee angle", "hip"]);
    assert_eq!(sto.table.times, [0.5, 0.75]);
    assert_eq!(sto.table.row(0), [10.25, -1e-3]);
    assert!(sto.table.values[3].is_nan());
    assert!(sto.warnings.is_empty(), "{:?}", sto.warnings);
    assert!(read_text(&ANGLES.replace('\n', "\r\n")).table.row(0) == sto.table.row(0));
}

#[test]
fn headers_of_every_age_are_read() {
    let three = "inDegrees=no\nDataType=double\nversion=3\nOpenSimVersion=4.1\nendheader\ntime\ta\n0\t1\n";
    assert!(read_text(three).warnings.is_empty());
    let two = "first\nversion=2\nnRows=1\nnColumns=2\ninDegrees=no\nendheader\ntime a\n0 1\n";
    assert_eq!(read_text(two).table.row(0), [1.0]);
    let simm = "name walk\ndatacolumns 2\ndatarows 2\notherdata 1\nrange 0 1\nendheader\n time a\n 0 1\n 1 2\n";
    let simm = read_text(simm);
    assert_eq!((simm.name.as_str(), simm.in_degrees), ("walk", false));
    assert!(simm.warnings[0].contains("inDegrees"), "{:?}", simm.warnings);
    let remark = "old\nnRows=0\nAngles are in degrees.\nendheader\ntime\ta\n";
    assert!(read_text(remark).in_degrees);
}

#[test]
fn simm_motions_without_times_are_spread_over_their_range() {
    let sto = read_text("name walk\ndatacolumns 2\ndatarows 3\nrange 1.0 2.0\nendheader\na b\n1 2\n3 4\n5 6\n");
    assert_eq!(sto.table.times, [1.0, 1.5, 2.0]);
    assert_eq!(sto.table.row(2), [5.0, 6.0]);
    assert!(sto.warnings[0].contains("evenly"));
}

#[test]
fn vectors_in_a_cell_become_columns() {
    let text = "DataType=Vec3\ninDegrees=no\nendheader\ntime\tf\tp\n0\t1,2,3\t4,5,6\n1\t7,8,9\t0,0,nan\n";
    let sto = read_text(text);
    assert_eq!(sto.table.names, ["f_1", "f_2", "f_3", "p_1", "p_2", "p_3"]);
    assert_eq!(sto.table.row(0), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert!(refused(&text.replace("7,8,9", "7,8")).message.contains("parts"));
}

#[test]
fn what_is_announced_and_not_there_is_said() {
    let sto = read_text(&ANGLES.replace("nRows=2", "nRows=5").replace("nColumns=3", "nColumns=4"));
    assert!(sto.warnings[0].contains("nRows=5") && sto.warnings[0].contains('2'), "{:?}", sto.warnings);
    assert!(sto.warnings[1].contains("nColumns=4"));
    let cut = read_text(ANGLES.strip_suffix("\tNaN\n").unwrap());
    assert_eq!(cut.table.times.len(), 1);
    assert!(cut.warnings[0].contains("last row"));
    let twice = read_text(&ANGLES.replace("\thip", "\tknee angle"));
    assert_eq!(twice.table.names, ["knee angle", "knee angle_2"]);
}

#[test]
fn what_cannot_be_meant_is_refused_where_it_stands() {
    assert!(refused(&ANGLES.replace("endheader", "end")).message.contains("endheader"));
    assert!(refused(&ANGLES.replace("time\t", "x\t")).message.contains("time"));
    assert!(refused(&ANGLES.replace("inDegrees=yes", "inDegrees=maybe")).place.contains("line 5"));
    assert!(refused(&ANGLES.replace("nRows=2", "nRows=two")).place.contains("line 3"));
    assert!(refused(&ANGLES.replace("10.25", "10,25")).cure.contains("comma"));
    assert!(refused(&ANGLES.replace("10.25", "1e999")).place.contains("knee angle"));
    assert!(refused(&ANGLES.replace("0.75", "0.25")).message.contains("after 0.5"));
    assert!(refused(&ANGLES.replace("-1e-3", "1\t2\t3")).message.contains("columns are named"));
    assert!(refused(&ANGLES.replace("0.75\t", "nan\t")).message.contains("time"));
    assert!(refused("").message.contains("endheader"));
    assert!(refused("a\nendheader\n").message.contains("names"));
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(rows in proptest::collection::vec((0.0..1e3_f64, any::<f32>()), 0..9), degrees: bool) {
        let mut time = 0.0;
        let mut table = Table { names: vec!["a".into(), "b c".into()], ..Table::default() };
        for (step, value) in rows {
            time += step;
            table.times.push(time);
            let value = f64::from(value);
            table.values.extend([if value.is_finite() { value } else { 0.0 }, step]);
        }
        let sto = read(write(&table, "a name", degrees).as_bytes()).unwrap();
        prop_assert_eq!(sto.table, table);
        prop_assert_eq!((sto.name.as_str(), sto.in_degrees, sto.warnings.len()), ("a name", degrees, 0));
    }

    #[test]
    fn no_text_makes_it_panic(text in "[a-z0-9.,=\t\n \r-]{0,200}") {
        let _ = read(text.as_bytes());
        let _ = read(format!("x\nendheader\ntime\ta\n{text}").as_bytes());
    }
}
