//! What tenses the muscles of a file, as people read it.

use super::columns;
use fusiform::musculature::{Activation, Driver, Signal};

/// Muscles that are named in one row; `--json` has them all.
const MOST_NAMES: usize = 6;

/// Tension, drivers and curves; nothing where there is none.
pub fn table(activation: &Activation) -> String {
    let mut text = String::new();
    if activation.tension > 0.0 {
        text += &format!("tension: {} of every muscle\n", activation.tension);
    }
    if !activation.drivers.is_empty() {
        let row = |driver: &Driver| {
            let points: Vec<String> =
                driver.remap.iter().map(|[from, to]| format!("{}->{}", number(*from), number(*to))).collect();
            [signal(&driver.signal), points.join(", "), muscles(&driver.muscles)]
        };
        let rows = activation.drivers.iter().map(row);
        text += &columns(["driver", "curve", "muscles"], rows, [false; 3]);
    }
    let tracks = activation.curves.iter().flat_map(|clip| clip.tracks.iter().map(|track| (&clip.clip, track)));
    let rows: Vec<[String; 4]> = tracks
        .map(|(clip, track)| {
            let seconds = track.times.last().copied().unwrap_or(0.0);
            [clip.clone(), track.muscle.clone(), track.times.len().to_string(), format!("{seconds:.2}")]
        })
        .collect();
    if !rows.is_empty() {
        let head = ["activation of clip", "muscle", "keys", "to second"];
        text += &columns(head, rows.into_iter(), [false, false, true, true]);
    }
    text
}

fn signal(signal: &Signal) -> String {
    match signal {
        Signal::JointAngle { joint, axis: None } => format!("angle of {joint}, degrees"),
        Signal::JointAngle { joint, axis: Some(axis) } => {
            format!("angle of {joint} about {:.2} {:.2} {:.2}, degrees", axis.x, axis.y, axis.z)
        }
        _ => "shortening".into(),
    }
}

fn muscles(names: &[String]) -> String {
    match names.len() {
        0 => "all".into(),
        n if n > MOST_NAMES => format!("{} and {} more", names[..MOST_NAMES].join(", "), n - MOST_NAMES),
        _ => names.join(", "),
    }
}

/// Two digits after the point, without zeros that say nothing.
fn number(x: f32) -> String {
    format!("{x:.2}").trim_end_matches('0').trim_end_matches('.').to_owned()
}
