//! Killed while editing and saving: the file that was saved last opens, and at most two seconds of edits are lost.
//! `KILLS=200 cargo test -p fusiform-studio --test studio killed` is the long run.

use crate::arm;
use fusiform::Musculature;
use fusiform_studio::model::{DIALS, Edit, Fault, Look, Mode, Of, Project, Recovery, Stroke, Studio};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// Where the child works, told by the parent.
const FOLDER: &str = "FUSIFORM_KILLED_IN";
const MOST_LOST: Duration = Duration::from_secs(2);

/// The size of a muscle and the weight of a joint that the k-th edit gives, both more than the file begins with.
const SIZE: (f32, f32) = (0.04, 1e-6);
const WEIGHT: (f32, f32) = (0.6, 1e-5);
/// The vertex that is painted, halfway along the arm, and the joint.
const PAINTED: (u32, u16) = (36, 1);
/// Every so many edits a motion is added.
const MOTION: u32 = 100;

fn value_of(edit: u32, (first, step): (f32, f32)) -> f32 {
    first + edit as f32 * step
}

/// Back again; 0 for what no edit made.
fn edit_of(value: f32, (first, step): (f32, f32)) -> u32 {
    ((value - first) / step).round().max(0.0) as u32
}

/// What the parent kills: edits muscles, joint weights and motions as fast as it can, keeps, saves now and then, and writes
/// down when it made which edit.
#[test]
fn child_that_edits() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let folder = Path::new(&folder);
    let (project, muscles) = Project::open(&folder.join("arm.glb")).expect("a sound file");
    let mut studio =
        Studio::new(project, muscles, Some(Recovery::in_folder(folder.join("state")))).expect("sound muscles");
    let mut log = std::fs::File::create(folder.join("log")).expect("a temporary folder");
    let bend = studio.project.character.clips[0].clone();
    studio.apply(Look::Select(Some(0), false));
    let begin = Instant::now();
    for edit in 1.. {
        studio.apply(Edit::Dial(0, value_of(edit, SIZE)));
        studio.look_after();
        let (value, targets) = (value_of(edit, WEIGHT), vec![PAINTED.1]);
        let passes = vec![vec![(PAINTED.0, [1.0, 1.0])]];
        let stroke = Stroke { of: Of::Joints, mode: Mode::Replace, value, targets, locked: vec![], passes };
        studio.apply(Edit::Paint(stroke));
        if edit % MOTION == 0 {
            studio.apply(Edit::Motion(bend.clone()));
        }
        assert!(studio.fault.is_none(), "{:?}", studio.fault);
        // one call, so that a line is there or is not
        log.write_all(format!("{edit} {}\n", begin.elapsed().as_millis()).as_bytes()).expect("room for a log");
        studio.look_after();
        if edit % 500 == 0 {
            studio.save(&folder.join("arm.glb")).expect("room for a file");
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The last edit that is whole in a file, or in what was kept.
fn edit_in(opened: Result<(Project, Musculature), Fault>) -> u32 {
    let (project, muscles) = opened.unwrap_or_else(|fault| panic!("{fault}"));
    let sized = edit_of(DIALS[0].of(&muscles.muscles[0]).expect("it has a size"), SIZE);
    let mut weights = project.character.meshes[0].weights.of(PAINTED.0 as usize);
    let weight = weights.find(|(joint, _)| *joint == PAINTED.1).map_or(0.0, |(_, weight)| weight);
    let painted = edit_of(weight, WEIGHT);
    let motions = project.character.clips.len() as u32 - 1;
    // a document is kept as it was at one moment: no edit is there without those before it
    assert!(painted == sized || painted + 1 == sized, "painted {painted} times and sized {sized} times");
    assert!((painted.saturating_sub(1) / MOTION..=painted / MOTION).contains(&motions), "{motions} after {painted}");
    painted
}

/// Milliseconds between the last edit and the last that is still there.
fn lost_after(folder: &Path) -> u64 {
    let log = std::fs::read_to_string(folder.join("log")).unwrap_or_default();
    let lines = log.lines().filter_map(|line| line.split_once(' '));
    let times: Vec<(u32, u64)> = lines.filter_map(|(edit, ms)| Some((edit.parse().ok()?, ms.parse().ok()?))).collect();
    let saved = edit_in(Project::open(&folder.join("arm.glb")));
    let recovered = Recovery::in_folder(folder.join("state")).left_behind();
    let kept = recovered.iter().map(|of| edit_in(Project::bring_back(of))).chain([saved]).max().unwrap_or(0);
    let Some(&(_, last)) = times.last() else { return 0 };
    let when = times.iter().find(|(edit, _)| *edit >= kept).map_or(last, |(_, ms)| *ms);
    last - if kept == 0 { 0 } else { when }
}

/// Half a file that somebody killed left lying is taken away by a later save, once it is old.
fn tidied_by_a_later_save(folder: &Path) {
    let begun = || -> Vec<PathBuf> {
        let all = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        all.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(".fusiform-")).collect()
    };
    let long_ago = SystemTime::now() - Duration::from_secs(7200);
    for path in begun() {
        std::fs::File::options().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
    }
    let path = folder.join("arm.glb");
    let (project, muscles) = Project::open(&path).unwrap();
    Studio::new(project, muscles, None).unwrap().save(&path).unwrap();
    assert!(begun().is_empty(), "{:?}", begun());
}

/// How long a disk that keeps up takes for one small file, at most.
const STALL: Duration = Duration::from_millis(400);

/// The longest that the disk takes for a small file, again and again until that has passed.
fn slowest_write(folder: &Path, moment: Duration) -> Duration {
    let (begin, mut slowest) = (Instant::now(), Duration::ZERO);
    while begin.elapsed() < moment {
        let one = Instant::now();
        let mut file = std::fs::File::create(folder.join("probe")).unwrap();
        file.write_all(b"as slow as the disk is").and_then(|()| file.sync_all()).unwrap();
        slowest = slowest.max(one.elapsed());
        std::thread::sleep(Duration::from_millis(20).min(moment.saturating_sub(begin.elapsed())));
    }
    slowest
}

/// Milliseconds of edits, and how long the disk took at worst meanwhile.
fn lost_by_killing_after(moment: Duration) -> (u64, Duration) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("arm.glb"), arm::glb()).unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "killed::child_that_edits"]).env(FOLDER, folder.path());
    let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let slowest = slowest_write(folder.path(), moment);
    child.kill().unwrap();
    child.wait().unwrap();
    let lost = lost_after(folder.path());
    tidied_by_a_later_save(folder.path());
    (lost, slowest)
}

#[test]
fn killed_at_any_moment_it_loses_two_seconds_at_most_and_no_file() {
    let kills = std::env::var("KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(12);
    let mut worst = 0;
    for kill in 0..kills {
        // from before the first edit to a few seconds on, never twice the same
        let moment = Duration::from_millis(200 + (kill * 7919) % 3100);
        let (mut lost, mut slowest) = lost_by_killing_after(moment);
        for _ in 0..2 {
            // a disk that something else keeps busy says nothing of us
            if u128::from(lost) > MOST_LOST.as_millis() && slowest > STALL {
                (lost, slowest) = lost_by_killing_after(moment);
            }
        }
        assert!(u128::from(lost) <= MOST_LOST.as_millis(), "kill {kill}: {lost} ms of edits are gone");
        worst = worst.max(lost);
    }
    println!("{kills} kills: at most {worst} ms of edits lost");
}
