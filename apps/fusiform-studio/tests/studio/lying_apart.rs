//! Files that lie apart: a buffer beside the file that names it, and unsaved work with no folder to lie in.

use crate::arm;
use crate::files::{arm_in, edit, look_at_disk, press, says, size_in, window};
use crate::window::{click, settled};
use egui::{Key, Modifiers, vec2};
use egui_kittest::Harness;
use fusiform_files::gltf::Gltf;
use fusiform_studio::app::{App, Begin};
use serde_json::{Value, json};

#[test]
fn a_buffer_that_someone_else_changed_is_noticed_though_the_file_that_names_it_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let mut gltf = Gltf::read(&arm::glb(), |_| Err("it holds everything".into())).unwrap();
    let text: Value = serde_json::from_slice(&gltf.to_gltf()).unwrap();
    let n = gltf.bytes.len();
    std::fs::write(place("arm buffer.bin"), &gltf.bytes).unwrap();
    gltf.json = text;
    gltf.json["buffers"] = json!([{ "byteLength": n, "uri": "arm%20buffer.bin" }]);
    std::fs::write(place("arm.gltf"), gltf.json.to_string()).unwrap();
    let mut window = window(Begin::File(place("arm.gltf")), folder.path());
    edit(&mut window, 0.033);
    look_at_disk(&mut window);
    assert!(!says(&window, "changed by someone else"));
    *gltf.bytes.last_mut().unwrap() ^= 1;
    std::fs::write(place("arm buffer.bin"), &gltf.bytes).unwrap();
    look_at_disk(&mut window);
    assert!(says(&window, "changed by someone else"));
    press(&mut window, Modifiers::COMMAND, Key::S);
    assert!(says(&window, "Replace the file?"));
    click(&mut window, "Cancel");
    click(&mut window, "Keep mine");
    look_at_disk(&mut window);
    assert!(!says(&window, "changed by someone else"));
    std::fs::write(place("arm buffer.bin"), b"once more").unwrap();
    look_at_disk(&mut window);
    assert!(says(&window, "changed by someone else"));
    click(&mut window, "Keep mine");
    press(&mut window, Modifiers::COMMAND, Key::S);
    std::fs::remove_file(place("arm buffer.bin")).unwrap();
    assert_eq!(size_in(&place("arm.gltf")), Some(0.033), "it holds everything from now on");
}

#[test]
fn where_unsaved_work_cannot_be_kept_people_are_told_also_once_a_file_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let begin = Begin::File(arm_in(folder.path(), "arm.glb"));
    let make = move |_: &mut eframe::CreationContext| {
        let mut app = App::new(None, &begin, None);
        app.tell_unkept();
        app
    };
    let mut window = Harness::builder().with_size(vec2(1280.0, 800.0)).allow_missing_glyphs().build_eframe(make);
    settled(&mut window);
    assert!(window.state().session().is_some() && says(&window, "FUSIFORM_STATE_DIR"));
    click(&mut window, "Dismiss");
    assert!(!says(&window, "FUSIFORM_STATE_DIR"));
}
