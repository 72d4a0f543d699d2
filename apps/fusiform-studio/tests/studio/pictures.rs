//! What the GPU draws, where there is one.

use crate::arm;
use fusiform_studio::model::{Look, Project, Show, Studio};
use fusiform_studio::view::{Camera, Extras, Geometry, Gpu, Picture};
use glam::Vec3;

const SIZE: [u32; 2] = [160, 160];
const BACKGROUND: [f32; 3] = [0.0, 0.0, 1.0];

fn adapter() -> Option<(wgpu::Device, wgpu::Queue)> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()));
    let Ok(adapter) = adapter else {
        eprintln!("\nSKIPPED pictures of the studio: there is no graphics adapter\n");
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

fn drawn(studio: &Studio, (device, queue): &(wgpu::Device, wgpu::Queue)) -> Picture {
    let camera = Camera::framing(Vec3::new(-0.1, 0.0, -0.1), Vec3::new(0.1, 0.6, 0.1));
    let mut geometry = Geometry::default();
    geometry.fill(studio, Extras { grid: false, ..Extras::default() });
    let mut gpu = Gpu::new(device);
    gpu.draw((device, queue), (&camera, BACKGROUND), &geometry, SIZE);
    gpu.read(device, queue).expect("what was drawn")
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
