//! What goes out: a picture and a GIF of the view.

use crate::exporting::{arm_file, files, open_out, wait};
use crate::window::{Window, click, drawn, look, studio_mut};
use egui_kittest::kittest::Queryable;
use fusiform_studio::model::{Look, Play, Show};
use fusiform_studio::view::{ClearPicture, Easel, Picture, Sight};
use pollster::block_on;
use std::path::Path;

/// Width and height in the head of a PNG.
fn png_size(bytes: &[u8]) -> [u32; 2] {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes")))
}

fn easel(window: &Window) -> (Easel, Sight, Picture) {
    let state = window.state().render_state().expect("a window with pictures");
    let viewport = &window.state().session().expect("a file is open").viewport;
    let picture = block_on(viewport.picture(state).expect("it was drawn").picture()).expect("it came back");
    (Easel::new(&state.device, &state.queue), viewport.sight().expect("it was drawn"), picture)
}

#[test]
fn a_picture_is_what_the_view_shows() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut window) = drawn(arm_file(folder.path()), "a picture of the view") else { return };
    studio_mut(&mut window).apply(Play::Clip(Some(0)));
    studio_mut(&mut window).apply(Play::Seek(0.4));
    studio_mut(&mut window).apply(Look::Show(Show::Both));
    studio_mut(&mut window).apply(Play::Settle);
    window.run_steps(3);
    open_out(&mut window, "Picture…");
    let (mut easel, sight, view) = easel(&window);
    let still = block_on(easel.draw(studio_mut(&mut window), &sight).unwrap().develop()).unwrap();
    assert!(still == view, "the same pixels");
    assert!(still.pixels.chunks_exact(3).any(|pixel| pixel != &still.pixels[..3]), "not blank");
    click(&mut window, "Write picture");
    wait(&mut window, "B written");
    let written = std::fs::read(folder.path().join("arm.png")).unwrap();
    assert_eq!(png_size(&written), sight.size);
    let now = block_on(easel.draw(studio_mut(&mut window), &sight).unwrap().develop()).unwrap();
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
    studio_mut(&mut window).apply(Look::Show(Show::Both));
    window.run_steps(3);
    let (mut easel, sight, view) = easel(&window);
    let clear = easel.draw_clear(studio_mut(&mut window), &sight).unwrap();
    let ClearPicture { picture, opacity } = block_on(clear.develop()).unwrap();
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
    studio_mut(&mut window).apply(Look::Show(Show::Muscles));
    window.run_steps(2);
    let (mut easel, sight, muscles) = easel(&window);
    let mut of = |split| {
        let drawn = easel.draw(studio_mut(&mut window), &Sight { split, ..sight }).unwrap();
        block_on(drawn.develop()).unwrap()
    };
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
