//! What the GPU draws, where there is one.

use crate::arm;
use fusiform::musculature::{Bone, BoneShape, Contraction, PoseShape, Sculpt};
use fusiform_studio::model::{Edit, Look, Play, Project, Show, Studio, system};
use fusiform_studio::view::{Camera, Extras, Geometry, Gpu, Picture};
use glam::{Quat, Vec3};

const SIZE: [u32; 2] = [160, 160];
const BACKGROUND: [f32; 3] = [0.0, 0.0, 1.0];

fn adapter() -> Option<(wgpu::Device, wgpu::Queue)> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()));
    let Ok(adapter) = adapter else {
        skipped!("pictures of the studio: there is no graphics adapter");
        return None;
    };
    let limits = adapter.limits();
    let wanted = wgpu::DeviceDescriptor { required_limits: limits, ..wgpu::DeviceDescriptor::default() };
    pollster::block_on(adapter.request_device(&wanted)).ok()
}

fn studio() -> Studio {
    let (project, muscles) = Project::from_bytes("arm.glb", &arm::glb()).expect("a sound file");
    Studio::new(project, muscles, None).expect("sound muscles")
}

const BARE: Extras = Extras { grid: false, bones: false, marked_bone: None, wireframe: false, plain: false };

fn drawn(studio: &Studio, gpu: &(wgpu::Device, wgpu::Queue)) -> Picture {
    drawn_with(studio, BARE, gpu)
}

fn drawn_with(studio: &Studio, extras: Extras, (device, queue): &(wgpu::Device, wgpu::Queue)) -> Picture {
    let camera = Camera::framing(Vec3::new(-0.1, 0.0, -0.1), Vec3::new(0.1, 0.6, 0.1));
    let mut geometry = Geometry::default();
    let scene = geometry.fill(studio, extras);
    let mut gpu = Gpu::new(device);
    gpu.draw((device, queue), (&camera, BACKGROUND), &scene, SIZE);
    pollster::block_on(gpu.read(device, queue).expect("what was drawn").picture()).expect("it came back")
}

fn pixel(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
    let at = 3 * (y * picture.width + x) as usize;
    [picture.pixels[at], picture.pixels[at + 1], picture.pixels[at + 2]]
}

/// How many pixels are not background.
fn covered(picture: &Picture) -> usize {
    picture.pixels.chunks_exact(3).filter(|p| *p != [0, 0, 255]).count()
}

#[test]
fn what_the_driver_refuses_is_told_and_ends_nothing() {
    let Some(gpu) = adapter() else { return };
    let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::MAP_WRITE; // not to be had at once
    let wrong = wgpu::BufferDescriptor { label: None, size: 4, usage, mapped_at_creation: false };
    assert!(system::drawn(&gpu.0, || gpu.0.create_buffer(&wrong)).is_err());
    assert!(system::drawn(&gpu.0, || covered(&drawn(&studio(), &gpu))).is_ok_and(|covered| covered > 100));
}

#[test]
fn skin_and_muscles_are_drawn_where_they_are() {
    let Some(gpu) = adapter() else { return };
    let mut studio = studio();
    let skin = drawn(&studio, &gpu);
    assert_eq!(pixel(&skin, 1, 1), [0, 0, 255], "beside it there is nothing");
    let [r, g, b] = pixel(&skin, SIZE[0] / 2, SIZE[1] / 2);
    assert!(r > g && g > b, "skin in the middle: {r} {g} {b}");
    studio.apply(Look::Show(Show::Muscles));
    let muscles = drawn(&studio, &gpu);
    let (all, some) = (covered(&skin), covered(&muscles));
    assert!(some > 50 && 2 * some < all, "two muscles cover {some} of the {all} pixels of the skin");
    studio.apply(Look::Solo);
    studio.apply(Look::Hide(0, true));
    studio.apply(Look::Hide(1, true));
    assert_eq!(covered(&drawn(&studio, &gpu)), 0, "what is hidden is not there");
}

#[test]
fn nothing_of_a_hidden_mesh_is_drawn() {
    let Some(gpu) = adapter() else { return };
    let mut studio = studio();
    studio.apply(Look::HideMesh(0, true));
    for extras in [BARE, Extras { wireframe: true, ..BARE }, Extras { plain: true, ..BARE }] {
        for show in [Show::Skin, Show::Weights, Show::Regions] {
            studio.apply(Look::Show(show));
            assert_eq!(covered(&drawn_with(&studio, extras, &gpu)), 0, "{show:?} {extras:?}");
        }
    }
    let mut kept = Geometry::default();
    let shown = |studio: &Studio, kept: &mut Geometry| {
        let mut device = Gpu::new(&gpu.0);
        device.send((&gpu.0, &gpu.1), &kept.fill(studio, BARE));
        device.sent().indices
    };
    assert_eq!(shown(&studio, &mut kept), 0);
    studio.apply(Look::HideMesh(0, false));
    assert_eq!(shown(&studio, &mut kept), 1, "it comes back into the same picture");
}

#[test]
fn one_sees_muscles_through_the_skin() {
    let Some(gpu) = adapter() else { return };
    let mut studio = studio();
    let skin = drawn(&studio, &gpu);
    studio.apply(Look::Show(Show::Both));
    let both = drawn(&studio, &gpu);
    let differ = skin.pixels.iter().zip(&both.pixels).filter(|(a, b)| a != b).count();
    assert!(differ > 1000, "only {differ} bytes differ");
    assert!(covered(&both).abs_diff(covered(&skin)) < covered(&skin) / 50, "the outline is the same");
}

/// How many pixels are another colour.
fn differing(a: &Picture, b: &Picture) -> usize {
    a.pixels.chunks_exact(3).zip(b.pixels.chunks_exact(3)).filter(|(a, b)| a != b).count()
}

#[test]
fn edges_and_bones_are_drawn_over_the_skin() {
    let Some(gpu) = adapter() else { return };
    let mut studio = studio();
    let skin = drawn(&studio, &gpu);
    let wired = drawn_with(&studio, Extras { wireframe: true, ..BARE }, &gpu);
    let darker = |i: usize| wired.pixels[3 * i] < skin.pixels[3 * i];
    let n = (0..wired.pixels.len() / 3).filter(|&i| darker(i)).count();
    assert!(n > covered(&skin) / 20, "edges darken only {n} pixels");
    assert!(covered(&wired).abs_diff(covered(&skin)) < covered(&skin) / 6, "edges lie on the skin");
    let boned = drawn_with(&studio, Extras { bones: true, ..BARE }, &gpu);
    assert!(differing(&skin, &boned) > 100, "bones are seen through the skin");
    studio.apply(Look::Joint(Some(1)));
    let chosen = drawn_with(&studio, Extras { bones: true, ..BARE }, &gpu);
    let n = differing(&boned, &chosen);
    assert!(n > 50 && n < differing(&skin, &boned), "one of the bones is marked: {n} pixels");
}

#[test]
fn bones_under_the_skin_are_seen_through_it_and_joints_through_them() {
    let Some(gpu) = adapter() else { return };
    let (project, mut muscles) = Project::from_bytes("arm.glb", &arm::glb()).expect("a sound file");
    let bones = Extras { bones: true, ..BARE };
    let joints = drawn_with(&studio(), bones, &gpu);
    let shape = BoneShape::Capsule { from: Vec3::ZERO, to: Vec3::Y * 0.25, radii: [0.03; 2] };
    muscles.bones = vec![Bone { name: "shaft".into(), joint: "lower".into(), shape }];
    let studio = Studio::new(project, muscles, None).expect("sound muscles");
    let both = drawn_with(&studio, bones, &gpu);
    let n = differing(&joints, &both);
    assert!(n > 200 && covered(&both) == covered(&joints), "only {n} pixels differ");
    let marked = drawn_with(&studio, Extras { marked_bone: Some(0), ..BARE }, &gpu);
    assert!(differing(&drawn(&studio, &gpu), &marked) > 200, "one is marked though the others are not shown");
    assert_ne!(drawn_with(&studio, Extras { marked_bone: Some(0), ..bones }, &gpu).pixels, marked.pixels);
}

#[test]
fn edges_of_muscles_are_drawn_where_they_are_shown_without_skin() {
    let Some(gpu) = adapter() else { return };
    let mut studio = studio();
    let wired = Extras { wireframe: true, ..BARE };
    for show in [Show::Muscles, Show::Tension] {
        studio.apply(Look::Show(show));
        let (bare, wired) = (drawn(&studio, &gpu), drawn_with(&studio, wired, &gpu));
        let darker = |i: usize| wired.pixels[3 * i] < bare.pixels[3 * i];
        let n = (0..bare.pixels.len() / 3).filter(|&i| darker(i)).count();
        assert!(n > covered(&bare) / 20, "{show:?}: edges darken only {n} of {} pixels", covered(&bare));
    }
}

#[test]
fn plain_skinning_is_drawn_without_what_muscles_do() {
    let Some(gpu) = adapter() else { return };
    let mut studio = studio();
    studio.apply(Play::Clip(Some(0)));
    studio.apply(Play::Seek(0.5));
    studio.live.show_plain();
    let plain = Extras { plain: true, ..BARE };
    let (with, without) = (drawn(&studio, &gpu), drawn_with(&studio, plain, &gpu));
    assert!(differing(&with, &without) > 50, "bent, the skin follows its muscles");
    studio.apply(Look::Show(Show::Both));
    assert!(drawn_with(&studio, plain, &gpu) == without, "no muscle shows through plain skinning");
}

#[test]
fn only_places_and_normals_are_sent_with_every_picture() {
    let Some((device, queue)) = adapter() else { return };
    let mut studio = studio();
    studio.apply(Look::Show(Show::Both));
    let extras = Extras { grid: true, wireframe: true, ..BARE };
    let (mut geometry, mut gpu) = (Geometry::default(), Gpu::new(&device));
    let mut sent = |studio: &Studio| {
        let before = gpu.sent();
        gpu.send((&device, &queue), &geometry.fill(studio, extras));
        let after = gpu.sent();
        [after.places - before.places, after.colors - before.colors, after.indices - before.indices]
    };
    assert_eq!(sent(&studio), [3, 3, 4], "the grid, muscles and skin, its edges too");
    studio.apply(Play::Clip(Some(0)));
    studio.apply(Play::Seek(0.5));
    assert_eq!(sent(&studio), [2, 0, 0], "what moves");
    studio.apply(Look::Select(Some(0), false));
    assert_eq!(sent(&studio), [2, 1, 0], "the chosen muscle has another colour");
    studio.apply(Edit::Dial(0, 0.033));
    assert_eq!(sent(&studio), [2, 0, 0], "what is edited has the colours it had");
    studio.apply(Look::Hide(0, true));
    assert_eq!(sent(&studio), [2, 1, 1], "a muscle less");
    studio.apply(Look::Show(Show::Weights));
    assert_eq!(sent(&studio), [1, 1, 0], "weights have colours of their own");
    studio.apply(Edit::Dial(0, 0.031));
    assert_eq!(sent(&studio), [1, 0, 0], "and a dial does not change them");
}

#[test]
fn of_bellies_that_move_only_cross_sections_are_sent() {
    let Some((device, queue)) = adapter() else { return };
    let (project, muscles) = Project::athlete(Some(3_700)).expect("a legal count");
    let mut studio = Studio::new(project, muscles, None).expect("sound muscles");
    studio.apply(Look::Show(Show::Muscles));
    studio.apply(Play::Clip(Some(0)));
    let (mut geometry, mut gpu) = (Geometry::default(), Gpu::new(&device));
    let mut sent = |studio: &Studio| {
        let before = gpu.sent();
        gpu.send((&device, &queue), &geometry.fill(studio, BARE));
        let after = gpu.sent();
        [after.corners - before.corners, after.bytes - before.bytes]
    };
    sent(&studio);
    studio.apply(Play::Seek(0.5));
    let [corners, bytes] = sent(&studio);
    let points: usize = studio.muscles().iter().map(|m| usize::from(m.rings) * usize::from(m.sectors)).sum();
    assert_eq!(corners, 0, "what lies in cross-sections stays");
    assert!(bytes < 8 * points, "{bytes} bytes of {points} points: places and normals would be 24 each");
    studio.apply(Look::Select(Some(3), false));
    studio.apply(Edit::Dial(0, 0.033));
    assert_eq!(sent(&studio)[0], 1, "a belly of another shape lies otherwise in them");
}

#[test]
fn bellies_look_alike_however_they_are_sent() {
    let Some(gpu) = adapter() else { return };
    let (character, mut musculature) = arm::arm();
    let muscle = &mut musculature.muscles[0];
    let pose = PoseShape {
        turns: [("lower".to_owned(), Quat::from_rotation_z(1.0))].into(),
        sculpt: Sculpt { factors: vec![1.0; usize::from(muscle.rings) * usize::from(muscle.sectors)] },
    };
    // as it is without it, but it may not be
    let (tone, isometric) = (1.0, 0.25);
    muscle.contraction = Contraction::Tone { tone, isometric };
    let [lofted, placed] =
        [None, Some(Contraction::PoseShapes { shapes: vec![pose], tone, isometric })].map(|shaped| {
            let mut musculature = musculature.clone();
            if let Some(shaped) = shaped {
                musculature.muscles[0].contraction = shaped;
            }
            let file = arm::written(&(character.clone(), musculature));
            let (project, muscles) = Project::from_bytes("arm.glb", &file).expect("a sound file");
            let mut studio = Studio::new(project, muscles, None).expect("sound muscles");
            let (body, _) = studio.live.muscled();
            let is_plain = matches!(studio.muscles()[0].contraction, Contraction::Tone { .. });
            assert_eq!(body.has_sections_only(0), is_plain, "so it is sent");
            assert!(body.has_sections_only(1));
            studio.apply(Look::Show(Show::Muscles));
            studio.apply(Play::Clip(Some(0)));
            studio.apply(Play::Seek(0.4));
            [Extras { wireframe: true, ..BARE }, BARE].map(|extras| drawn_with(&studio, extras, &gpu))
        });
    for (lofted, placed) in lofted.iter().zip(&placed) {
        let differ = lofted.pixels.iter().zip(&placed.pixels).filter(|(a, b)| a.abs_diff(**b) > 8).count();
        // samples of an outline that rounding moves across it
        assert!(differ < covered(lofted) / 100, "{differ} bytes differ, of {} pixels", covered(lofted));
        assert!(covered(lofted) > 300, "only {} pixels are muscle", covered(lofted));
    }
}

#[test]
fn every_way_of_showing_the_athlete_is_a_picture_of_its_own() {
    let Some((device, queue)) = adapter() else { return };
    let (project, muscles) = Project::athlete(Some(3_700)).expect("a legal count");
    let mut studio = Studio::new(project, muscles, None).expect("sound muscles");
    studio.apply(Play::Clip(studio.project.character.clips.iter().position(|clip| clip.name == "combo")));
    studio.apply(Play::Seek(0.6));
    studio.apply(Play::Tense(0.6));
    studio.apply(Look::Select(Some(3), false));
    let character = studio.project.character.clone();
    studio.live.advance(&character, 1.0 / 60.0);
    let (low, high) = character.bounds();
    let mut camera = Camera::framing(low, high);
    camera.orbit(glam::Vec2::new(0.02, 0.0));
    let (mut geometry, mut gpu) = (Geometry::default(), Gpu::new(&device));
    let plain = Extras::default();
    let with = [("wireframe", Extras { wireframe: true, ..plain }), ("bones", Extras { bones: true, ..plain })];
    let ways = Show::ALL.map(|(show, name, _)| (show, name, plain)).into_iter();
    let mut pictures: Vec<(&str, Picture)> = Vec::new();
    for (show, name, extras) in ways.chain(with.map(|(name, extras)| (Show::Skin, name, extras))) {
        studio.apply(Look::Show(show));
        while show == Show::Regions && studio.fit.regions().is_none() {
            studio.look_after(); // the body is cut beside the window
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let scene = geometry.fill(&studio, extras);
        gpu.draw((&device, &queue), (&camera, [0.19, 0.195, 0.21]), &scene, [640, 800]);
        let picture =
            pollster::block_on(gpu.read(&device, &queue).expect("what was drawn").picture()).expect("it came back");
        if let Some(folder) = std::env::var_os("FUSIFORM_LOOK") {
            let file = std::path::Path::new(&folder).join(format!("athlete_{name}.png"));
            std::fs::write(file, picture.png().expect("small enough")).expect("a folder to write to");
        }
        for (other, before) in &pictures {
            assert!(differing(before, &picture) > 500, "{name} looks like {other}");
        }
        pictures.push((name, picture));
    }
}
