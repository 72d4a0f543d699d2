//! Unsaved work lies where a crash does not reach it, and only what nobody works on is offered.

use crate::arm;
use crate::window::PATIENCE;
use fusiform_files::gltf::Gltf;
use fusiform_studio::model::{Action, Edit, Look, Project, Recent, Recovered, Recovery, Studio};
use serde::Deserialize as _;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

fn edited(recovery: &Recovery, path: &Path) -> Studio {
    std::fs::write(path, arm::glb()).unwrap();
    let (project, muscles) = Project::open(path).unwrap();
    let mut studio = Studio::new(project, muscles, Some(recovery.clone())).unwrap();
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Edit::Dial(0, 0.033));
    studio
}

/// Frames go by until all is kept.
fn wait(studio: &mut Studio) {
    let begin = Instant::now();
    while !studio.is_kept() {
        studio.look_after();
        std::thread::sleep(Duration::from_millis(5));
        assert!(begin.elapsed() < PATIENCE, "nothing was kept");
    }
}

fn back(recovery: &Recovery, found: &Recovered) -> Studio {
    let (project, muscles) = Project::bring_back(found).unwrap();
    let mut studio = Studio::new(project, muscles, Some(recovery.clone())).unwrap();
    studio.take_over(found.clone());
    studio
}

fn files(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.to_string_lossy().into_owned()).collect()
}

#[test]
fn what_a_session_leaves_behind_is_offered_once_it_is_gone_and_not_before() {
    let folder = tempfile::tempdir().unwrap();
    let (state, path) = (folder.path().join("deep/state"), folder.path().join("arm.glb"));
    let recovery = Recovery::in_folder(state.clone());
    let mut studio = edited(&recovery, &path);
    wait(&mut studio);
    assert!(recovery.left_behind().is_empty(), "its session lives");
    let document = studio.document().clone();
    drop(studio); // as a crash would
    let found = recovery.left_behind();
    assert_eq!((found.len(), &*found[0].name, found[0].path.as_deref()), (1, "arm", Some(&*path)));
    assert!(SystemTime::now().duration_since(found[0].when).unwrap_or_default() < Duration::from_secs(60));
    let mut studio = back(&recovery, &found[0]);
    assert!(studio.document() == &document && studio.history.is_unsaved());
    wait(&mut studio);
    assert!(!found[0].work.exists(), "it is this session's now");
    assert!(recovery.left_behind().is_empty());
    studio.save(&path).unwrap();
    wait(&mut studio);
    let stays = |name: &String| name.ends_with(".lock") || name.ends_with(".base"); // for what is edited next
    assert!(files(&state).iter().all(stays), "{:?}", files(&state));
    studio.close();
    assert!(files(&state).is_empty(), "{:?}", files(&state));
}

/// A file with that many bytes in it that the studio has no use for, as pictures are.
fn with_ballast(glb: &[u8], n: usize) -> Vec<u8> {
    let mut gltf = Gltf::read(glb, |_| Err("it holds everything".into())).unwrap();
    gltf.bytes.resize(gltf.bytes.len().next_multiple_of(4), 0);
    let view = json!({ "buffer": 0, "byteOffset": gltf.bytes.len(), "byteLength": n });
    gltf.json["bufferViews"].as_array_mut().unwrap().push(view);
    gltf.bytes.extend((0..n).map(|i| i as u8));
    gltf.to_glb().unwrap()
}

#[test]
fn of_a_large_file_only_what_differs_is_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let (state, path) = (folder.path().join("state"), folder.path().join("large.glb"));
    let recovery = Recovery::in_folder(state.clone());
    std::fs::write(&path, with_ballast(&arm::glb(), 3_000_000)).unwrap();
    let (project, muscles) = Project::open(&path).unwrap();
    let mut studio = Studio::new(project, muscles, Some(recovery.clone())).unwrap();
    studio.apply(Look::Select(Some(0), false));
    let kept = |ending: &str| {
        let of = files(&state).into_iter().find(|name| name.ends_with(ending)).unwrap();
        state.join(of).metadata().unwrap()
    };
    let mut written = Vec::new();
    for size in [0.033, 0.044] {
        studio.apply(Edit::Dial(0, size));
        wait(&mut studio);
        written.push(kept(".base").modified().unwrap());
        assert!(kept(".base").len() > 3_000_000 && kept(".work").len() < 100_000, "{} bytes", kept(".work").len());
    }
    assert_eq!(written[0], written[1], "it is written once");
    let document = studio.document().clone();
    drop(studio);
    let found = recovery.left_behind();
    let (project, muscles) = Project::bring_back(&found[0]).unwrap();
    assert!(Studio::new(project, muscles, None).unwrap().document() == &document);
    std::fs::write(found[0].work.with_extension("base"), "cut off").unwrap();
    let fault = Project::bring_back(&found[0]).unwrap_err().to_string();
    assert!(fault.contains("what was kept of large is damaged") && fault.contains("discard it"), "{fault}");
    found[0].discard();
    assert!(files(&state).is_empty(), "{:?}", files(&state));
}

#[test]
fn work_without_its_base_is_not_offered_and_goes_once_it_is_old() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let recovery = Recovery::in_folder(state.clone());
    let mut studio = edited(&recovery, &folder.path().join("arm.glb"));
    wait(&mut studio);
    drop(studio);
    let found = recovery.left_behind();
    std::fs::remove_file(found[0].work.with_extension("base")).unwrap();
    std::fs::write(state.join("session-7-1.json"), "{").unwrap();
    assert!(recovery.left_behind().is_empty() && files(&state).len() == 4, "{:?}", files(&state));
    let long_ago = SystemTime::now() - Duration::from_secs(7200);
    for name in files(&state) {
        std::fs::File::options().write(true).open(state.join(name)).unwrap().set_modified(long_ago).unwrap();
    }
    // notes first, then what belongs to them
    assert!(recovery.left_behind().is_empty() && recovery.left_behind().is_empty());
    assert!(files(&state).is_empty(), "{:?}", files(&state));
}

#[test]
fn a_base_that_somebody_took_away_is_written_again_and_one_that_is_there_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let (state, path) = (folder.path().join("state"), folder.path().join("arm.glb"));
    let recovery = Recovery::in_folder(state.clone());
    let mut studio = edited(&recovery, &path);
    wait(&mut studio);
    let base = || files(&state).into_iter().find(|name| name.ends_with(".base")).map(|name| state.join(name));
    let written = base().unwrap().metadata().unwrap().modified().unwrap();
    studio.save(&path).unwrap();
    wait(&mut studio);
    studio.apply(Edit::Dial(0, 0.044));
    wait(&mut studio);
    assert_eq!(base().unwrap().metadata().unwrap().modified().unwrap(), written, "it is there after a save, too");
    std::fs::remove_file(base().unwrap()).unwrap();
    studio.apply(Edit::Dial(0, 0.055));
    wait(&mut studio);
    let document = studio.document().clone();
    drop(studio);
    let found = recovery.left_behind();
    assert!(back(&recovery, &found[0]).document() == &document);
}

#[test]
fn undone_to_what_the_file_has_there_is_nothing_to_bring_back() {
    let folder = tempfile::tempdir().unwrap();
    let recovery = Recovery::in_folder(folder.path().join("state"));
    let mut studio = edited(&recovery, &folder.path().join("arm.glb"));
    wait(&mut studio);
    studio.apply(Action::Undo);
    wait(&mut studio);
    drop(studio);
    assert!(recovery.left_behind().is_empty());
}

#[test]
fn a_window_that_goes_unasked_leaves_its_work_and_one_that_is_closed_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let recovery = Recovery::in_folder(folder.path().join("state"));
    let mut studio = edited(&recovery, &folder.path().join("arm.glb"));
    studio.leave();
    drop(studio);
    let found = recovery.left_behind();
    assert_eq!(found.len(), 1);
    // closed before it is kept here: nobody wants it
    let mut studio = back(&recovery, &found[0]);
    studio.close();
    assert!(recovery.left_behind().is_empty() && !found[0].work.exists());
}

#[test]
fn work_that_comes_back_knows_when_its_file_has_changed_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let (recovery, path) = (Recovery::in_folder(folder.path().join("state")), folder.path().join("arm.glb"));
    let mut studio = edited(&recovery, &path);
    studio.leave();
    drop(studio);
    assert!(!back(&recovery, &recovery.left_behind()[0]).changed_on_disk());
    std::fs::write(&path, b"somebody else").unwrap();
    assert!(back(&recovery, &recovery.left_behind()[0]).changed_on_disk());
}

#[test]
fn a_folder_that_cannot_be_written_to_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("state"), "a file").unwrap();
    let recovery = Recovery::in_folder(folder.path().join("state"));
    let mut studio = edited(&recovery, &folder.path().join("arm.glb"));
    let (mut told, begin) = (Vec::new(), Instant::now());
    let mut first = None;
    // as long as it takes, and a second more
    while first.is_none_or(|first: Instant| first.elapsed() < Duration::from_secs(1)) {
        assert!(begin.elapsed() < PATIENCE, "nothing was told");
        studio.look_after();
        first = first.or_else(|| studio.fault.is_some().then(Instant::now));
        told.extend(studio.fault.take().map(|fault| fault.to_string()));
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(told.len(), 1, "{told:?}");
    for word in ["unsaved work is not kept", "save often", "make room", "FUSIFORM_STATE_DIR"] {
        assert!(told[0].contains(word), "{}", told[0]);
    }
    std::fs::remove_file(folder.path().join("state")).unwrap();
    wait(&mut studio);
}

#[test]
fn a_folder_that_was_taken_away_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let recovery = Recovery::in_folder(state.clone());
    let mut studio = edited(&recovery, &folder.path().join("arm.glb"));
    wait(&mut studio);
    std::fs::remove_dir_all(&state).unwrap();
    studio.apply(Edit::Dial(0, 0.044));
    wait(&mut studio);
    let document = studio.document().clone();
    assert!(studio.fault.is_none() && recovery.left_behind().is_empty(), "{:?}", studio.fault);
    drop(studio);
    let found = recovery.left_behind();
    assert_eq!(found.len(), 1);
    assert!(back(&recovery, &found[0]).document() == &document);
}

#[test]
fn work_that_goes_on_while_it_is_saved_elsewhere_comes_back_to_where_it_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let recovery = Recovery::in_folder(folder.path().join("state"));
    let mut studio = edited(&recovery, &folder.path().join("arm.glb"));
    let elsewhere = folder.path().join("hero.glb");
    let saving = studio.begin_saving(&elsewhere);
    studio.apply(Edit::Dial(0, 0.044));
    wait(&mut studio);
    studio.end_saving(saving.write().unwrap());
    wait(&mut studio);
    drop(studio);
    let found = recovery.left_behind();
    assert_eq!((&*found[0].name, found[0].path.as_deref()), ("hero", Some(&*elsewhere)));
    let mut studio = back(&recovery, &found[0]);
    assert!(!studio.changed_on_disk(), "it knows what was written there");
}

/// The JSON of a .gltf or .glb.
fn json_in(path: &Path) -> Value {
    let bytes = std::fs::read(path).unwrap();
    let text = if bytes.starts_with(b"{") { &*bytes } else { &bytes[20..] };
    Value::deserialize(&mut serde_json::Deserializer::from_slice(text)).unwrap()
}

#[test]
fn pictures_that_came_along_once_are_in_every_later_save_though_their_folder_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second, third] = ["first", "second", "third"].map(|name| folder.path().join(name));
    [&first, &second, &third].iter().for_each(|folder| std::fs::create_dir(folder).unwrap());
    let text = Gltf::read(&arm::glb(), |_| Err("it holds everything".into())).unwrap().to_gltf();
    let mut json: Value = serde_json::from_slice(&text).unwrap();
    json["images"] = json!([{ "uri": "skin.png" }]);
    std::fs::write(first.join("arm.gltf"), json.to_string()).unwrap();
    std::fs::write(first.join("skin.png"), b"\x89PNG, more or less").unwrap();
    let (project, muscles) = Project::open(&first.join("arm.gltf")).unwrap();
    let mut studio = Studio::new(project, muscles, None).unwrap();
    studio.save(&second.join("arm.glb")).unwrap();
    std::fs::remove_dir_all(&first).unwrap();
    for path in [second.join("arm.glb"), third.join("arm.gltf")] {
        studio.save(&path).unwrap();
        let json = json_in(&path);
        assert!(json["images"][0]["bufferView"].is_u64(), "{}: {}", path.display(), json["images"]);
        assert_eq!(json["images"].as_array().unwrap().len(), 1);
        assert!(studio.project.warnings.is_empty(), "{:?}", studio.project.warnings);
    }
}

#[test]
fn rubbish_in_the_folder_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("session-1.json", "{");
    write("session-2.json", r#"{"name":"a","path":null,"beside":null,"stamp":null}"#);
    write("session-3.glb", "glTF");
    write("recent.json", r#"[7, "#);
    assert!(Recovery::in_folder(folder.path().into()).left_behind().is_empty());
    assert!(Recent::in_folder(Some(folder.path())).paths().is_empty());
}

#[test]
fn looking_after_unsaved_work_does_not_hold_up_a_frame() {
    let folder = tempfile::tempdir().unwrap();
    let recovery = Recovery::in_folder(folder.path().join("state"));
    let (project, muscles) = Project::athlete(Some(12_000)).unwrap();
    let mut studio = Studio::new(project, muscles, Some(recovery)).unwrap();
    studio.apply(Look::Select(Some(0), false));
    // the frame that hands the work over, at its best: the machine may be busy
    let (mut frame, mut whole) = (Duration::MAX, Duration::MAX);
    for size in 0..8 {
        studio.apply(Edit::Dial(0, 0.03 + 1e-3 * size as f32));
        let begin = Instant::now();
        studio.look_after();
        frame = frame.min(begin.elapsed());
        wait(&mut studio);
        let begin = Instant::now();
        studio.project.to_glb(studio.document()).unwrap();
        whole = whole.min(begin.elapsed());
        std::thread::sleep(Duration::from_millis(500)); // the next is handed over at once
    }
    println!("a frame waits {frame:?}; making the file alone takes {whole:?}");
    // of eight the quickest, and of the file's own time where the whole machine is slow
    assert!(frame < Duration::from_millis(4).max(whole / 8), "{frame:?} of {whole:?}");
    studio.close();
}

#[test]
fn files_that_were_open_lately_are_remembered_ten_at_most() {
    let folder = tempfile::tempdir().unwrap();
    let mut recent = Recent::in_folder(Some(folder.path()));
    let mut other = Recent::in_folder(Some(folder.path()));
    other.add(Path::new("/elsewhere.glb"));
    (0..12).for_each(|k| recent.add(&folder.path().join(format!("{k}.glb"))));
    recent.add(&folder.path().join("5.glb"));
    let read = Recent::in_folder(Some(folder.path()));
    assert_eq!(read.paths(), recent.paths());
    assert_eq!(read.paths().len(), 10);
    assert_eq!(read.paths()[0], folder.path().join("5.glb"));
    recent.remove(&folder.path().join("5.glb"));
    assert_eq!(Recent::in_folder(Some(folder.path())).paths().len(), 9);
    other.add(Path::new("/elsewhere.glb"));
    recent.remove(&folder.path().join("6.glb"));
    let read = Recent::in_folder(Some(folder.path()));
    assert_eq!((read.paths().len(), &*read.paths()[0]), (9, Path::new("/elsewhere.glb")), "what came meanwhile stays");
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_come_back_as_they_were() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(std::ffi::OsStr::from_bytes(b"h\xe9ro.glb"));
    let recovery = Recovery::in_folder(folder.path().join("state"));
    let mut studio = edited(&recovery, &path);
    studio.leave();
    drop(studio);
    let found = recovery.left_behind();
    assert_eq!(found[0].path.as_deref(), Some(&*path));
    let mut studio = back(&recovery, &found[0]);
    studio.save(&path).unwrap();
    let mut recent = Recent::in_folder(Some(folder.path()));
    recent.add(&path);
    assert_eq!(Recent::in_folder(Some(folder.path())).paths(), [path]);
}
