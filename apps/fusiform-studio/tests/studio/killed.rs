//! Killed while editing and saving: the file that was saved last opens, and at most two seconds of edits are lost.
//! `KILLS=200 cargo test -p fusiform-studio --test studio killed` is the long run.

use crate::arm;
use fusiform_studio::model::{DIALS, Edit, Look, Project, Recovery, Studio};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Where the child works, told by the parent.
const FOLDER: &str = "FUSIFORM_KILLED_IN";
const MOST_LOST: Duration = Duration::from_secs(2);

/// The size that the k-th edit gives the muscle, and back.
fn size_of_edit(edit: u32) -> f32 {
    0.01 + edit as f32 * 1e-6
}

fn edit_of_size(size: f32) -> u32 {
    ((size - 0.01) * 1e6).round() as u32
}

/// What the parent kills: edits as fast as it can, keeps, saves now and then, and writes down when it made which edit.
#[test]
fn child_that_edits() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let folder = Path::new(&folder);
    let (project, muscles) = Project::open(&folder.join("arm.glb")).expect("a sound file");
    let mut studio =
        Studio::new(project, muscles, Some(Recovery::in_folder(folder.join("state")))).expect("sound muscles");
    let mut log = std::fs::File::create(folder.join("log")).expect("a temporary folder");
    studio.apply(Look::Select(Some(0), false));
    let begin = Instant::now();
    for edit in 1.. {
        studio.apply(Edit::Dial(0, size_of_edit(edit)));
        // one call, so that a line is there or is not
        log.write_all(format!("{edit} {}\n", begin.elapsed().as_millis()).as_bytes()).expect("room for a log");
        studio.look_after();
        if edit % 500 == 0 {
            studio.save(&folder.join("arm.glb")).expect("room for a file");
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn size_in(path: &Path) -> u32 {
    let (_, muscles) = Project::open(path).unwrap_or_else(|fault| panic!("{fault}"));
    DIALS[0].of(&muscles.muscles[0]).map_or(0, edit_of_size)
}

/// Milliseconds between the last edit and the last that is still there.
fn lost_after(folder: &Path) -> u64 {
    let log = std::fs::read_to_string(folder.join("log")).unwrap_or_default();
    let lines = log.lines().filter_map(|line| line.split_once(' '));
    let times: Vec<(u32, u64)> = lines.filter_map(|(edit, ms)| Some((edit.parse().ok()?, ms.parse().ok()?))).collect();
    let saved = size_in(&folder.join("arm.glb"));
    let recovered = Recovery::in_folder(folder.join("state")).left_behind();
    let kept = recovered.iter().map(|of| size_in(&of.glb)).chain([saved]).max().unwrap_or(0);
    let Some(&(_, last)) = times.last() else { return 0 };
    let when = times.iter().find(|(edit, _)| *edit >= kept).map_or(last, |(_, ms)| *ms);
    last - if kept == 0 { 0 } else { when }
}

#[test]
fn killed_at_any_moment_it_loses_two_seconds_at_most_and_no_file() {
    let kills = std::env::var("KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(12);
    let mut worst = 0;
    for kill in 0..kills {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("arm.glb"), arm::glb()).unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "killed::child_that_edits"]).env(FOLDER, folder.path());
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // from before the first edit to a few seconds on, never twice the same
        std::thread::sleep(Duration::from_millis(200 + (kill * 7919) % 3100));
        child.kill().unwrap();
        child.wait().unwrap();
        let lost = lost_after(folder.path());
        assert!(u128::from(lost) <= MOST_LOST.as_millis(), "kill {kill}: {lost} ms of edits are gone");
        worst = worst.max(lost);
    }
    println!("{kills} kills: at most {worst} ms of edits lost");
}
