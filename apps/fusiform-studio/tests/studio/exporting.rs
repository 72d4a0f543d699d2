//! What goes out: a bake with its report, a picture and a GIF of the view; and playing as baked.

use crate::arm;
use crate::window::{Window, click, drawn, look, on_arm, open, studio, studio_mut};
use egui_kittest::kittest::Queryable;
use fusiform::{Body, Detail};
use fusiform_bake::Take;
use fusiform_files::gltf::{Gltf, Playback, Scene};
use fusiform_studio::app::Begin;
use fusiform_studio::model::{AsBaked, BakeInto, BakeOrder, BakeReport, Job, Play, Project, Show, Studio};
use fusiform_studio::view::{ClearPicture, Easel, Picture, Sight};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn session(glb: &[u8]) -> Studio {
    let (project, muscles) = Project::from_bytes("arm.glb", glb).expect("a sound file");
    Studio::new(project, muscles, None).expect("sound muscles")
}

fn order(path: PathBuf) -> BakeOrder {
    BakeOrder {
        path,
        clips: vec![0],
        fps: 30,
        tolerance: 0.5,
        max_targets: 64,
        into: BakeInto::Morphs,
        helpers: 8,
        looped: None,
        activation: Vec::new(),
    }
}

fn run(order: &BakeOrder, studio: &Studio) -> BakeReport {
    let (order, project, document) = (order.clone(), studio.project.clone(), studio.document().clone());
    let mut job = Job::begin("Bake", move |pace| order.run(&project, &document, pace));
    loop {
        if let Some(done) = job.poll() {
            return done.expect("a sound arm").expect("nobody stops it");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Frames until the window says that.
fn wait(window: &mut Window, words: &str) {
    let begin = Instant::now();
    while window.query_by_label_contains(words).is_none() {
        assert!(begin.elapsed() < Duration::from_secs(120), "it never says {words:?}");
        window.run_steps(1);
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn write_to(window: &mut Window, path: &Path) {
    let field = window.get_by_role_and_label(egui::Role::TextInput, "Write to");
    field.focus();
    window.run_steps(1);
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    window.run_steps(1);
    window.get_by_role_and_label(egui::Role::TextInput, "Write to").type_text(&path.display().to_string());
    window.run_steps(2);
}

fn open_out(window: &mut Window, entry: &str) {
    click(window, "Out");
    click(window, entry);
}

fn files(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<String> = names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// How many targets a baked file has, and the largest of their weights in its first clip.
fn played(path: &Path) -> (usize, f32) {
    let bytes = std::fs::read(path).expect("it was written");
    let file = Gltf::read(&bytes, |_| Err("a bake holds everything".into())).expect("a sound file");
    let Scene { character, musculature, origin, .. } = Scene::read(&file).expect("a sound file");
    assert!(origin.baked && musculature.is_none(), "muscles are baked into it");
    let playback = Playback::read(&file, &origin).expect("a sound file");
    let middle = 0.5 * character.clips[0].duration();
    let most = playback.parts[0].weights(Some(0), middle).into_iter().fold(0.0, f32::max);
    (playback.parts[0].n_target(), most)
}

#[test]
fn the_arm_is_baked_from_the_window_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    open_out(&mut window, "Bake…");
    click(&mut window, "Bake");
    wait(&mut window, "arm_baked.glb written");
    let (targets, weight) = played(&folder.path().join("arm_baked.glb"));
    assert!(targets > 0 && weight > 0.0, "{targets} targets, weight {weight}");
    for head in ["frames", "max mm", "rms mm", "between mm"] {
        window.get_by_label(head);
    }
    window.get_by_label_contains("a cache of every vertex and frame takes");
    assert_eq!(files(folder.path()), ["arm.glb", "arm_baked.glb"], "and nothing else");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let rights = |name: &str| folder.path().join(name).metadata().unwrap().permissions().mode();
        assert_eq!(rights("arm_baked.glb"), rights("arm.glb"), "whoever may read other files may read this one");
    }
    // what was just written is written again without a question
    click(&mut window, "Bake");
    assert!(window.query_by_label("Replace it").is_none());
}

#[test]
fn every_format_is_within_the_tolerance_or_says_how_to_get_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = session(&arm::glb());
    // unsaved work is baked too
    studio.apply(Play::Clip(Some(0)));
    for name in ["a.glb", "a.gltf", "a.pc2", "a.mdd", "a.usda"] {
        let report = run(&order(folder.path().join(name)), &studio);
        let row = &report.clips[0];
        assert!(1e3 * row.error.max <= 0.5 && row.frames >= 31 && row.looped, "{name}: {row:?}");
        assert_eq!(report.bytes, folder.path().join(name).metadata().unwrap().len());
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    }
    let joints =
        BakeOrder { into: BakeInto::Joints, helpers: 1, tolerance: 0.01, ..order(folder.path().join("j.glb")) };
    let report = run(&joints, &studio);
    assert!(report.warnings.iter().any(|warning| warning.contains("more than 1 helper joints")), "{report:?}");
    assert!(report.clips[0].targets == 1 && report.word == "helper joints");
}

#[test]
fn what_is_baked_is_the_copy_that_was_taken_whatever_is_edited_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    open_out(&mut window, "Bake…");
    click(&mut window, "Bake");
    studio_mut(&mut window).apply(fusiform_studio::model::Look::Select(Some(0), false));
    studio_mut(&mut window).apply(fusiform_studio::model::Edit::Delete);
    wait(&mut window, "arm_baked.glb written");
    assert!(studio(&window).muscles().is_empty());
    assert!(played(&folder.path().join("arm_baked.glb")).0 > 0, "it had muscles when it began");
}

#[test]
fn a_bake_that_is_cancelled_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    std::fs::write(&path, arm::fleshy_glb()).unwrap();
    let mut window = open(Begin::File(path));
    open_out(&mut window, "Bake…");
    window.get_by_label("Bake").click();
    window.run_steps(2);
    window.get_by_label("Cancel").click();
    window.run_steps(1);
    let begin = Instant::now();
    wait(&mut window, "Stopped. Nothing was written.");
    assert!(begin.elapsed() < Duration::from_secs(10), "it took {:?}", begin.elapsed());
    assert_eq!(files(folder.path()), ["arm.glb"]);
    window.get_by_label("Bake");
}

#[test]
fn a_bake_stopped_at_the_very_end_writes_nothing_either() {
    let folder = tempfile::tempdir().unwrap();
    let (order, studio) = (order(folder.path().join("a.glb")), session(&arm::glb()));
    let (project, document) = (studio.project.clone(), studio.document().clone());
    let mut job = Job::begin("Bake", move |pace| {
        while pace.reach(0.0).is_ok() {
            std::thread::yield_now();
        }
        order.run(&project, &document, pace)
    });
    job.stop();
    let done = loop {
        if let Some(done) = job.poll() {
            break done;
        }
    };
    assert_eq!(done, Ok(None));
    assert!(files(folder.path()).is_empty());
}

#[test]
fn a_place_that_cannot_be_written_to_is_told_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    open_out(&mut window, "Bake…");
    write_to(&mut window, &folder.path().join("no/such/place.glb"));
    click(&mut window, "Bake");
    window.get_by_label_contains("there is no folder");
    write_to(&mut window, &folder.path().join("arm.fbx"));
    click(&mut window, "Bake");
    window.get_by_label_contains("use .glb, .gltf, .pc2, .mdd, .usda");
    write_to(&mut window, &folder.path().join("arm_baked.glb"));
    click(&mut window, "bend"); // no longer chosen
    click(&mut window, "Bake");
    window.get_by_label_contains("no clip is chosen");
    assert_eq!(files(folder.path()), ["arm.glb"]);
}

#[test]
fn the_rigged_file_that_is_open_is_never_replaced_without_a_question() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let (path, before) = (folder.path().join("arm.glb"), arm::glb());
    open_out(&mut window, "Bake…");
    write_to(&mut window, &path);
    click(&mut window, "Bake");
    window.get_by_label_contains("the rigged file that is open");
    click(&mut window, "Keep it");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    click(&mut window, "Bake");
    click(&mut window, "Replace it");
    wait(&mut window, "arm.glb written");
    assert!(played(&path).0 > 0);
}

/// Play as baked until that frame is shown.
fn show_frame(studio: &mut Studio, time: f32, frame: usize) {
    studio.apply(Play::Seek(time));
    let begin = Instant::now();
    while studio.live.baked_frame().is_none_or(|(shown, _)| shown != frame) {
        studio.live.advance(&studio.project.character, 1.0 / 60.0);
        std::thread::sleep(Duration::from_millis(1));
        assert!(begin.elapsed() < Duration::from_secs(60), "frame {frame} is never shown");
    }
}

#[test]
fn as_baked_is_what_a_bake_takes_to_the_bit() {
    for (glb, looped, fps) in [(arm::glb(), None, 30), (arm::glb(), Some(false), 24), (arm::fleshy_glb(), None, 30)] {
        let mut studio = session(&glb);
        studio.apply(Play::Tense(0.3));
        studio.apply(Play::Clip(Some(0)));
        studio.apply(Play::Baked(Some(AsBaked { fps, looped })));
        let character = studio.project.character.clone();
        let body = Body::bind(&character, &studio.document().musculature).unwrap();
        let levels = vec![0.3; 2];
        let mut take = Take::of(&body, &character, 0, &levels, f32::from(fps), looped);
        let times = take.times().to_vec();
        let mut frames = Vec::new();
        for (frame, &time) in times.iter().enumerate() {
            take.advance(Detail::default());
            show_frame(&mut studio, time, frame);
            let state = studio.live.muscled().1;
            assert!(state.positions() == take.state().positions(), "frame {frame}");
            assert!(state.normals() == take.state().normals(), "frame {frame}");
            frames.push(state.positions().to_vec());
        }
        assert!(frames[0] != frames[frames.len() / 2], "the case must move");
        assert_eq!(body.has_tissue(), take.start().pace != 1.0, "flesh is paced to whole ticks");
        // back, and on from there
        for frame in [20, 3, 4, 17, 0, frames.len() - 1] {
            show_frame(&mut studio, times[frame], frame);
            assert!(studio.live.muscled().1.positions() == frames[frame], "back at frame {frame}");
        }
        if body.has_tissue() {
            continue; // its loop takes long to come round, and edits are no other there
        }
        // an edit is seen as it would be baked, too
        studio.apply(fusiform_studio::model::Look::Select(Some(0), false));
        studio.apply(fusiform_studio::model::Edit::Dial(0, 0.033));
        let body = Body::bind(&character, &studio.document().musculature).unwrap();
        let mut take = Take::of(&body, &character, 0, &levels, f32::from(fps), looped);
        (0..=5).for_each(|_| take.advance(Detail::default()));
        show_frame(&mut studio, times[5], 5);
        assert!(studio.live.muscled().1.positions() == take.state().positions(), "after an edit");
    }
}

#[test]
fn playing_as_baked_leaves_no_frame_out_and_a_hand_ends_it() {
    let mut studio = session(&arm::glb());
    studio.apply(Play::Clip(Some(0)));
    studio.apply(Play::Baked(Some(AsBaked::default())));
    show_frame(&mut studio, 0.0, 0);
    studio.apply(Play::Run(true));
    let mut seen = vec![0];
    for _ in 0..100 {
        studio.live.advance(&studio.project.character, 1.0 / 60.0);
        let (frame, of) = studio.live.baked_frame().expect("as baked");
        assert_eq!(of, 31);
        if seen.last() != Some(&frame) {
            seen.push(frame);
        }
    }
    let follows = |pair: &[usize]| pair[1] == pair[0] + 1 || (pair[0] >= 29 && pair[1] <= 1);
    assert!(seen.len() > 40 && seen.windows(2).all(follows), "{seen:?}");
    studio.apply(Play::Turn(1, glam::Quat::from_rotation_x(0.3)));
    studio.live.advance(&studio.project.character, 1.0 / 60.0);
    assert!(studio.live.playing.baked.is_none() && studio.live.baked_frame().is_none());
}

#[test]
fn the_switch_in_the_timeline_plays_as_baked() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    studio_mut(&mut window).apply(Play::Clip(Some(0)));
    click(&mut window, "As baked");
    wait(&mut window, "of 31");
    assert_eq!(studio(&window).live.playing.baked, Some(AsBaked::default()));
    click(&mut window, "As baked");
    assert_eq!(studio(&window).live.playing.baked, None);
}

fn arm_file(folder: &Path) -> Begin {
    let path = folder.join("arm.glb");
    std::fs::write(&path, arm::glb()).expect("a temporary folder");
    Begin::File(path)
}

/// Width and height in the head of a PNG.
fn png_size(bytes: &[u8]) -> [u32; 2] {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes")))
}

fn easel(window: &Window) -> (Easel, Sight, Picture) {
    let state = window.state().render_state().expect("a window with pictures");
    let viewport = &window.state().session().expect("a file is open").viewport;
    let picture = viewport.picture(state).expect("it was drawn");
    (Easel::new(&state.device, &state.queue), viewport.sight().expect("it was drawn"), picture)
}

#[test]
fn a_picture_is_what_the_view_shows() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut window) = drawn(arm_file(folder.path()), "a picture of the view") else { return };
    studio_mut(&mut window).apply(Play::Clip(Some(0)));
    studio_mut(&mut window).apply(Play::Seek(0.4));
    studio_mut(&mut window).apply(fusiform_studio::model::Look::Show(Show::Both));
    studio_mut(&mut window).apply(Play::Settle);
    window.run_steps(3);
    open_out(&mut window, "Picture…");
    let (mut easel, sight, view) = easel(&window);
    let still = easel.draw(studio_mut(&mut window), &sight).unwrap();
    assert!(still == view, "the same pixels");
    assert!(still.pixels.chunks_exact(3).any(|pixel| pixel != &still.pixels[..3]), "not blank");
    click(&mut window, "Write picture");
    wait(&mut window, "B written");
    let written = std::fs::read(folder.path().join("arm.png")).unwrap();
    assert_eq!(png_size(&written), sight.size);
    let now = easel.draw(studio_mut(&mut window), &sight).unwrap();
    assert!(written == now.png().unwrap(), "the same bytes");
    click(&mut window, "2 x");
    click(&mut window, "See-through background");
    look(&mut window, "picture_window");
    click(&mut window, "Write picture");
    window.run_steps(2);
    wait(&mut window, "B written");
    let written = std::fs::read(folder.path().join("arm.png")).unwrap();
    assert_eq!(png_size(&written), sight.size.map(|n| 2 * n));
    assert_eq!(written[25], 6, "colours and opacity");
    keep(folder.path(), "arm.png", "picture_written.png");
}

/// What was written, to be looked at.
fn keep(folder: &Path, name: &str, to: &str) {
    if let Some(look) = std::env::var_os("FUSIFORM_LOOK") {
        std::fs::copy(folder.join(name), Path::new(&look).join(to)).expect("a folder to write to");
    }
}

#[test]
fn a_see_through_picture_before_its_background_is_the_view() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut window) = drawn(arm_file(folder.path()), "a see-through picture") else { return };
    studio_mut(&mut window).apply(fusiform_studio::model::Look::Show(Show::Both));
    window.run_steps(3);
    let (mut easel, sight, view) = easel(&window);
    let ClearPicture { picture, opacity } = easel.draw_clear(studio_mut(&mut window), &sight).unwrap();
    assert_eq!(opacity.len(), (sight.size[0] * sight.size[1]) as usize);
    assert!(opacity.contains(&0) && opacity.contains(&255) && opacity.iter().any(|a| (1..255).contains(a)));
    let background = sight.background.map(|c| (255.0 * c).round());
    let mut farthest = 0.0_f32;
    for (i, (pixel, seen)) in picture.pixels.chunks_exact(3).zip(view.pixels.chunks_exact(3)).enumerate() {
        let a = f32::from(opacity[i]) / 255.0;
        for c in 0..3 {
            let over = a * f32::from(pixel[c]) + (1.0 - a) * background[c];
            farthest = farthest.max((over - f32::from(seen[c])).abs());
        }
    }
    assert!(farthest <= 3.0, "{farthest} of 255");
}

#[test]
fn a_split_view_is_split_in_its_picture() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut window) = drawn(arm_file(folder.path()), "a split picture") else { return };
    studio_mut(&mut window).apply(fusiform_studio::model::Look::Show(Show::Muscles));
    window.run_steps(2);
    let (mut easel, sight, muscles) = easel(&window);
    let mut of = |split| easel.draw(studio_mut(&mut window), &Sight { split, ..sight }).unwrap();
    let (split, plain) = (of(Some(0.5)), of(Some(0.0)));
    let (width, half) = (3 * sight.size[0] as usize, 3 * (sight.size[0] as usize).div_ceil(2));
    for row in 0..sight.size[1] as usize {
        let part = |picture: &Picture, from: usize, to: usize| picture.pixels[row * width..][from..to].to_vec();
        assert!(part(&split, 0, half - 3) == part(&muscles, 0, half - 3), "muscles on the left");
        assert!(part(&split, half, width) == part(&plain, half, width), "plain skinning on the right");
    }
    assert!(plain != muscles);
}

/// Data of every picture of a GIF, in order.
fn gif_frames(bytes: &[u8]) -> Vec<Vec<u8>> {
    assert_eq!(&bytes[..6], b"GIF89a");
    let table = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
    let mut at = 13 + table(bytes[10]);
    let blocks = |at: &mut usize| {
        let mut data = Vec::new();
        while bytes[*at] != 0 {
            let n = usize::from(bytes[*at]);
            data.extend_from_slice(&bytes[*at + 1..][..n]);
            *at += n + 1;
        }
        *at += 1;
        data
    };
    let mut frames = Vec::new();
    loop {
        match bytes[at] {
            0x21 => {
                at += 2;
                blocks(&mut at);
            }
            0x2c => {
                at += 10 + table(bytes[at + 9]) + 1;
                frames.push(blocks(&mut at));
            }
            0x3b => return frames,
            other => panic!("{other:#x} is no block of a GIF"),
        }
    }
}

#[test]
fn a_gif_shows_the_clip_once_through_and_can_be_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut window) = drawn(arm_file(folder.path()), "a GIF of the view") else { return };
    open_out(&mut window, "GIF…");
    window.get_by_label_contains("Choose a clip in the timeline");
    studio_mut(&mut window).apply(Play::Clip(Some(0)));
    window.run_steps(2);
    window.get_by_label("Write GIF").click();
    window.run_steps(2);
    window.get_by_label("Cancel").click();
    window.run_steps(1);
    wait(&mut window, "Stopped. Nothing was written.");
    assert_eq!(files(folder.path()), ["arm.glb"]);
    click(&mut window, "Write GIF");
    wait(&mut window, "B written");
    look(&mut window, "gif_window");
    let gif = std::fs::read(folder.path().join("arm.gif")).unwrap();
    let sight = easel(&window).1;
    let size = [6, 8].map(|at| u32::from(u16::from_le_bytes([gif[at], gif[at + 1]])));
    assert_eq!(size, sight.size.map(|n| (n as f32 * 0.5).round() as u32));
    let frames = gif_frames(&gif);
    assert_eq!(frames.len(), 25, "a second at 25 frames, and a loop does not show its first frame twice");
    assert!(frames.windows(2).all(|pair| pair[0] != pair[1]), "they differ");
    keep(folder.path(), "arm.gif", "gif_written.gif");
}

#[test]
fn the_bake_window_looks_as_it_should() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut window) = drawn(arm_file(folder.path()), "the bake window") else { return };
    open_out(&mut window, "Bake…");
    look(&mut window, "bake_window");
    click(&mut window, "Bake");
    wait(&mut window, "written");
    look(&mut window, "bake_report");
    click(&mut window, "As baked");
    studio_mut(&mut window).apply(Play::Clip(Some(0)));
    wait(&mut window, "of 31");
    look(&mut window, "as_baked");
}

#[test]
fn a_large_bake_is_watched_and_stops_soon() {
    let folder = tempfile::tempdir().unwrap();
    let begin = Begin::Athlete(Some(3_700));
    let mut window = drawn(begin.clone(), "a look at a large bake").unwrap_or_else(|| open(begin));
    open_out(&mut window, "Bake…");
    write_to(&mut window, &folder.path().join("athlete.glb"));
    click(&mut window, "Bake");
    window.run_steps(20);
    look(&mut window, "bake_progress");
    let begin = Instant::now();
    click(&mut window, "Cancel");
    wait(&mut window, "Stopped. Nothing was written.");
    println!("stopped after {:?}", begin.elapsed());
    assert!(begin.elapsed() < Duration::from_secs(10), "it took {:?}", begin.elapsed());
    assert!(files(folder.path()).is_empty());
}
