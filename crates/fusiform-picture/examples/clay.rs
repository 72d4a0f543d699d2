//! A body of smooth lumps, as clay, as muscles under translucent skin, and cut open.
//!
//! `cargo run --release -p fusiform-picture --example clay -- OUT.png`

use fusiform_picture::{Camera, Cut, Quality, Scene, Surface, View, render};
use glam::{Quat, Vec3};
use std::{error::Error, time::Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: clay OUT.png")?;
    let mode = std::env::args().nth(2).unwrap_or_default();
    let skin = body(1.0, 42);
    let muscles = body(0.8, 30).flesh();
    let (min, max) = skin.bounds().ok_or("no body")?;
    let ground = Some(min.y);
    let mut surfaces = match mode.as_str() {
        "both" => vec![skin.clone().translucent(0.25), muscles],
        "muscles" => vec![muscles],
        "cut" => {
            let mut skin = skin.clone();
            skin.cut = Some(Cut { point: (min + max) * 0.5, normal: Vec3::Z });
            vec![skin, muscles]
        }
        _ => vec![skin.clone()],
    };
    let n: usize = surfaces.iter().map(|s| s.triangles.len()).sum();
    let scene = Scene { surfaces: std::mem::take(&mut surfaces), ground };
    let view: View = std::env::args().nth(3).unwrap_or_default().parse().unwrap_or_default();
    let camera = Camera::framing(min, max, view);
    for (name, w, h, quality) in
        [("draft 320x480", 320, 480, Quality::draft()), ("good 640x960", 640, 960, Quality::good())]
    {
        let start = Instant::now();
        let picture = render(&scene, &camera, w, h, quality)?;
        println!("{name}, {n} triangles: {:.3} s", start.elapsed().as_secs_f64());
        std::fs::write(&path, picture.png()?)?;
    }
    Ok(())
}

/// Torso, head and limbs as one list of ellipsoids, each `n` rings by `2 n` segments around 0.8 n.
fn body(girth: f32, n: u32) -> Surface {
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
            (v(0.36 * s, 1.12, 0.0), v(0.42 * s, 0.88, 0.12), 0.042),
            (v(0.43 * s, 0.86, 0.13), v(0.44 * s, 0.78, 0.17), 0.035),
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
            let [p, q, r, s] = [i * segments + j, i * segments + k, (i + 1) * segments + j, (i + 1) * segments + k]
                .map(|x| x + first);
            triangles.extend([[p, r, q], [q, r, s]]);
        }
    }
}
