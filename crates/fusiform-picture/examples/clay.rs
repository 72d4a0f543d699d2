//! A body of smooth lumps, as clay, as muscles under translucent skin, and cut open.
//!
//! `cargo run --release -p fusiform-picture --example clay -- OUT.png [VIEW [QUALITY]]` or `-- OUT.gif`

use fusiform_picture::{Camera, Cut, Quality, Scene, Surface, View, color, gif, grid, legend, render, stack};
use glam::{Quat, Vec3};
use std::{error::Error, time::Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: clay OUT.png [VIEW [QUALITY]] | clay OUT.gif")?;
    let view: View = std::env::args().nth(2).as_deref().unwrap_or("three-quarter").parse()?;
    let quality = match std::env::args().nth(3).as_deref() {
        Some("draft") => Quality::draft(),
        Some("fine") => Quality::fine(),
        _ => Quality::good(),
    };
    let skin = body(1.0, 36, 0.0);
    let (min, max) = skin.bounds().ok_or("no body")?;
    let camera = Camera::framing(min, max, view);
    if path.ends_with(".gif") {
        return Ok(std::fs::write(path, animation(&camera, min.y)?)?);
    }
    let mut pictures = Vec::new();
    for (name, surfaces) in shows(&skin, (min + max) * 0.5) {
        let n: usize = surfaces.iter().map(|s| s.triangles.len()).sum();
        let scene = Scene { surfaces, ground: Some(min.y) };
        let start = Instant::now();
        let picture = render(&scene, &camera, 640, 960, quality)?;
        println!("{name}, 640x960, {n} triangles: {:.3} s", start.elapsed().as_secs_f64());
        let picture = match name {
            "heat" => stack(&[picture, legend(640, color::heat, 0.0, 12.4, "mm")])?,
            "tension" => stack(&[picture, legend(640, color::tension, 0.0, 1.0, "")])?,
            _ => picture,
        };
        pictures.push(picture.label(name)?);
    }
    let sheet = grid(&pictures, 3)?.title("fusiform-picture: clay, flesh, veil, cut, value")?;
    Ok(std::fs::write(path, sheet.png()?)?)
}

/// The ways of showing a body, each with its name.
fn shows(skin: &Surface, middle: Vec3) -> Vec<(&'static str, Vec<Surface>)> {
    let muscles = body(0.86, 30, 0.0).flesh();
    let mut half = skin.clone();
    half.cut = Some(Cut { point: middle, normal: Vec3::X });
    let by_height = |map: fn(f32) -> [f32; 3], surface: &Surface| {
        let mut surface = surface.clone();
        surface.colors = surface.positions.iter().map(|p| map(p.y / 1.75)).collect();
        surface
    };
    vec![
        ("skin", vec![skin.clone()]),
        ("muscles", vec![muscles.clone()]),
        ("both", vec![skin.clone().translucent(0.3), muscles.clone()]),
        ("cut", vec![half, muscles.clone()]),
        ("heat", vec![by_height(color::heat, skin)]),
        ("tension", vec![by_height(color::tension, &muscles)]),
    ]
}

fn animation(camera: &Camera, ground: f32) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut frames = Vec::new();
    let start = Instant::now();
    for i in 0..20 {
        let lift = (i as f32 / 20.0 * std::f32::consts::TAU).sin() * 0.12;
        let scene = Scene { surfaces: vec![body(1.0, 36, lift)], ground: Some(ground) };
        frames.push(render(&scene, camera, 320, 480, Quality::draft())?);
    }
    let rendered = start.elapsed().as_secs_f64();
    let bytes = gif(&frames, 20.0)?;
    let total = start.elapsed().as_secs_f64();
    println!("20 frames 320x480: {:.3} s each, GIF {:.3} s, {} bytes", rendered / 20.0, total - rendered, bytes.len());
    Ok(bytes)
}

/// Torso, head and limbs as ellipsoids of `n / 2` rings; `lift` raises the hands.
fn body(girth: f32, n: u32, lift: f32) -> Surface {
    let v = Vec3::new;
    let mut lumps = vec![
        (v(0.0, 1.30, 0.0), v(0.0, 1.02, 0.0), 0.165),
        (v(0.0, 1.05, 0.0), v(0.0, 0.92, 0.0), 0.145),
        (v(0.0, 1.68, 0.02), v(0.0, 1.60, 0.03), 0.095),
        (v(0.0, 1.56, 0.0), v(0.0, 1.40, 0.0), 0.055),
    ];
    for s in [-1.0, 1.0] {
        lumps.extend([
            (v(0.10 * s, 0.90, 0.0), v(0.11 * s, 0.50, 0.01), 0.085),
            (v(0.11 * s, 0.50, 0.0), v(0.12 * s, 0.10, -0.02), 0.060),
            (v(0.12 * s, 0.05, 0.10), v(0.12 * s, 0.045, -0.03), 0.042),
            (v(0.20 * s, 1.38, 0.0), v(0.16 * s, 1.34, 0.0), 0.075),
            (v(0.21 * s, 1.38, 0.0), v(0.36 * s, 1.12, 0.0), 0.055),
            (v(0.36 * s, 1.12, 0.0), v(0.42 * s, 0.88 + lift, 0.12), 0.042),
            (v(0.43 * s, 0.86 + lift, 0.13), v(0.44 * s, 0.78 + lift, 0.17), 0.035),
            (v(0.08 * s, 1.30, 0.09), v(0.09 * s, 1.25, 0.10), 0.08),
        ]);
    }
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for (a, b, radius) in lumps {
        capsule(a, b, radius * girth, n, &mut positions, &mut triangles);
    }
    Surface::new("body", positions, triangles)
}

fn capsule(a: Vec3, b: Vec3, radius: f32, n: u32, positions: &mut Vec<Vec3>, triangles: &mut Vec<[u32; 3]>) {
    let turn = Quat::from_rotation_arc(Vec3::Y, (b - a).normalize());
    let (center, half) = ((a + b) * 0.5, (b - a).length() * 0.5 + radius);
    let (first, rings, segments) = (positions.len() as u32, n / 2, n * 4 / 5);
    for i in 0..=rings {
        let t = i as f32 / rings as f32 * std::f32::consts::PI;
        for j in 0..segments {
            let p = j as f32 / segments as f32 * std::f32::consts::TAU;
            let unit = Vec3::new(t.sin() * p.cos() * radius, -t.cos() * half, t.sin() * p.sin() * radius);
            positions.push(center + turn * unit);
        }
    }
    for i in 0..rings {
        for j in 0..segments {
            let k = (j + 1) % segments;
            let [p, q, r, s] =
                [i * segments + j, i * segments + k, (i + 1) * segments + j, (i + 1) * segments + k].map(|x| x + first);
            triangles.extend([[p, r, q], [q, r, s]]);
        }
    }
}
