//! What a caller may rely on: equal bytes, framing, files that decode, errors instead of panics.

use fusiform_picture::{
    Camera, Cut, Lens, PAGE, Picture, PictureError, Quality, Scene, Surface, View, beside, color, gif, grid, legend,
    render, stack,
};
use glam::Vec3;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn sphere(center: Vec3, radius: f32, n: u32) -> Surface {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..=n {
        let t = i as f32 / n as f32 * std::f32::consts::PI;
        for j in 0..2 * n {
            let p = j as f32 / n as f32 * std::f32::consts::PI;
            positions.push(center + radius * Vec3::new(t.sin() * p.sin(), -t.cos(), t.sin() * p.cos()));
        }
    }
    for i in 0..n {
        for j in 0..2 * n {
            let [p, q, r, s] = [(i, j), (i, j + 1), (i + 1, j), (i + 1, j + 1)].map(|(i, j)| i * 2 * n + j % (2 * n));
            triangles.extend([[p, q, r], [q, s, r]]);
        }
    }
    Surface::new("sphere", positions, triangles)
}

fn scene() -> Scene {
    let inner = sphere(Vec3::ZERO, 0.7, 16).flesh();
    let mut outer = sphere(Vec3::ZERO, 1.0, 16).translucent(0.3);
    outer.cut = Some(Cut { point: Vec3::new(0.5, 0.0, 0.0), normal: Vec3::X });
    Scene { surfaces: vec![inner, outer], ground: Some(-1.0) }
}

fn camera() -> Camera {
    Camera::framing(Vec3::splat(-1.0), Vec3::splat(1.0), View::ThreeQuarter)
}

fn luma(picture: &Picture, x: u32, y: u32) -> f32 {
    let i = ((y * picture.width + x) * 3) as usize;
    picture.pixels[i..i + 3].iter().map(|c| f32::from(*c)).sum::<f32>() / 3.0
}

#[test]
fn one_thread_and_many_give_the_same_bytes() -> Outcome {
    let draw = |n| -> Result<Picture, Box<dyn std::error::Error>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build()?;
        Ok(pool.install(|| render(&scene(), &camera(), 97, 61, Quality::draft()))?)
    };
    let alone = draw(1)?;
    assert_eq!(alone, draw(2)?);
    assert_eq!(alone, draw(7)?);
    Ok(())
}

#[test]
fn scale_does_not_change_the_picture() -> Outcome {
    let draw = |scale: f32| {
        let mut scene = scene();
        scene.ground = Some(-scale);
        for surface in &mut scene.surfaces {
            surface.positions.iter_mut().for_each(|p| *p *= scale);
            surface.cut = surface.cut.map(|cut| Cut { point: cut.point * scale, ..cut });
        }
        let mut camera = camera();
        (camera.min, camera.max) = (camera.min * scale, camera.max * scale);
        render(&scene, &camera, 48, 48, Quality::draft())
    };
    let (metres, huge) = (draw(1.0)?, draw(1e4)?);
    let differing = metres.pixels.iter().zip(&huge.pixels).filter(|(a, b)| a.abs_diff(**b) > 3).count();
    // rounding moves a few edge samples; one pixel in a hundred is more than was ever seen
    assert!(differing < 48 * 48 * 3 / 100, "{differing} bytes differ");
    Ok(())
}

#[test]
fn framing_keeps_the_box_inside_the_picture_and_touches_the_margin() -> Outcome {
    let (min, max) = (Vec3::new(-0.4, 0.0, -0.2), Vec3::new(0.5, 1.8, 0.3));
    let mut views: Vec<View> = View::NAMES.iter().map(|name| name.parse()).collect::<Result<_, _>>()?;
    views.extend([View::Angles { azimuth: -130.0, elevation: -40.0 }, View::Angles { azimuth: 20.0, elevation: 80.0 }]);
    for view in views {
        for (width, height) in [(640, 960), (960, 640), (100, 900)] {
            for lens in [Lens::Perspective(30.0), Lens::Perspective(90.0), Lens::Parallel] {
                let camera = Camera { lens, margin: 0.0, ..Camera::framing(min, max, view) };
                let mut nearest = f32::INFINITY;
                for corner in 0..8 {
                    let pick = |bit: usize| if corner >> bit & 1 == 1 { max[bit] } else { min[bit] };
                    let at = camera.project(Vec3::new(pick(0), pick(1), pick(2)), width, height)?;
                    let [x, y] = at.ok_or("behind the camera")?;
                    let border = x.min(y).min(width as f32 - x).min(height as f32 - y);
                    assert!(border > -0.1, "{view} {width}x{height} {lens:?}: corner at {x},{y}");
                    nearest = nearest.min(border);
                }
                assert!(nearest < 0.1, "{view} {width}x{height} {lens:?}: {nearest} pixels are wasted");
            }
        }
    }
    Ok(())
}

#[test]
fn views_are_read_as_they_are_written() -> Outcome {
    for name in View::NAMES {
        assert_eq!(name.parse::<View>()?.to_string(), name);
    }
    assert_eq!(" 35 , -10 ".parse::<View>()?, View::Angles { azimuth: 35.0, elevation: -10.0 });
    assert_eq!("Three Quarter".parse::<View>()?, View::ThreeQuarter);
    for wrong in ["", "sideways", "1", "1,2,3", "NaN,0"] {
        assert!(wrong.parse::<View>().is_err(), "{wrong:?}");
    }
    Ok(())
}

#[test]
fn left_shows_the_left_side() -> Outcome {
    // a character's left is +X when it faces +Z; seen from there the front is at the picture's left
    let camera = Camera::framing(Vec3::splat(-1.0), Vec3::splat(1.0), View::Left);
    let nose = camera.project(Vec3::Z, 100, 100)?.ok_or("behind")?;
    assert!(nose[0] < 40.0, "{nose:?}");
    Ok(())
}

#[test]
fn png_decodes_to_the_same_pixels() -> Outcome {
    let picture = render(&scene(), &camera(), 40, 30, Quality::draft())?;
    let bytes = picture.png()?;
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info()?;
    let mut pixels = vec![0; reader.output_buffer_size().ok_or("too large")?];
    let info = reader.next_frame(&mut pixels)?;
    assert_eq!((info.width, info.height), (40, 30));
    assert_eq!(pixels, picture.pixels);
    Ok(())
}

#[test]
fn gif_decodes_to_every_frame_with_the_right_duration() -> Outcome {
    let mut frames = Vec::new();
    for i in 0..5 {
        let x = i as f32 * 0.1;
        let scene = Scene { surfaces: vec![sphere(Vec3::new(x, 0.0, 0.0), 1.0, 12)], ground: Some(-1.0) };
        frames.push(render(&scene, &camera(), 60, 40, Quality::draft())?);
    }
    frames.push(frames[4].clone());
    let bytes = gif(&frames, 30.0)?;
    let mut decoder = ::gif::DecodeOptions::new().read_info(&bytes[..])?;
    let palette: Vec<u8> = decoder.global_palette().ok_or("no palette")?.to_vec();
    let mut canvas = vec![0_u8; 60 * 40];
    let (mut n, mut delay, mut error) = (0, 0, 0.0);
    while let Some(frame) = decoder.read_next_frame()? {
        for (pixel, index) in canvas.iter_mut().zip(frame.buffer.iter()) {
            *pixel = if Some(*index) == frame.transparent { *pixel } else { *index };
        }
        for (pixel, index) in frames[n].pixels.chunks(3).zip(&canvas) {
            let shown = &palette[usize::from(*index) * 3..][..3];
            error += pixel.iter().zip(shown).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>();
        }
        delay += u32::from(frame.delay);
        n += 1;
    }
    assert_eq!((n, delay), (6, 20));
    let mean = error / (6.0 * 60.0 * 40.0 * 3.0);
    assert!(mean < 3.0, "colours are {mean} of 255 off on average");
    Ok(())
}

#[test]
fn a_sphere_looks_as_it_did() -> Outcome {
    let scene = Scene { surfaces: vec![sphere(Vec3::ZERO, 1.0, 24)], ground: None };
    let picture = render(&scene, &camera(), 64, 64, Quality::good())?;
    // mean brightness of 8 x 8 blocks along the diagonal from the upper left: backdrop, light, shade, backdrop
    let block = |k: u32| (0..64).map(|i| luma(&picture, k * 8 + i % 8, k * 8 + i / 8)).sum::<f32>() / 64.0;
    let seen: Vec<f32> = (0..8).map(block).collect();
    let kept = [237.1, 234.7, 201.2, 180.9, 130.6, 142.3, 207.9, 205.0];
    // 2 of 255: less than an eye notices, more than rounding on another machine
    let same = seen.iter().zip(kept).all(|(seen, kept)| (seen - kept).abs() < 2.0);
    assert!(same, "the sphere is {seen:.1?}, was {kept:?}");
    Ok(())
}

#[test]
fn veils_show_what_is_beneath_and_cuts_take_away() -> Outcome {
    let draw = |surfaces| render(&Scene { surfaces, ground: None }, &camera(), 32, 32, Quality::draft());
    let inner = || sphere(Vec3::ZERO, 0.6, 16).colored([0.02, 0.02, 0.02]);
    let outer = || sphere(Vec3::ZERO, 1.0, 16).colored([0.9, 0.9, 0.9]);
    let opaque = draw(vec![inner(), outer()])?;
    let veiled = draw(vec![inner(), outer().translucent(0.3)])?;
    let mut cut = outer();
    cut.cut = Some(Cut { point: Vec3::ZERO, normal: Vec3::new(1.0, 0.3, 1.0) });
    let open = draw(vec![inner(), cut])?;
    let middle = |picture: &Picture| luma(picture, 16, 16);
    assert!(middle(&veiled) < middle(&opaque) - 40.0);
    assert!(middle(&open) < middle(&veiled) - 20.0);
    Ok(())
}

#[test]
fn the_ground_is_dark_under_a_body_and_plain_far_away() -> Outcome {
    let with = render(&scene(), &camera(), 64, 64, Quality::draft())?;
    let without = render(&Scene { ground: None, ..scene() }, &camera(), 64, 64, Quality::draft())?;
    let darkest =
        (0..64 * 64).map(|i| luma(&without, i % 64, i / 64) - luma(&with, i % 64, i / 64)).fold(0.0, f32::max);
    assert!(darkest > 20.0, "the shadow is only {darkest} of 255 deep");
    assert_eq!(luma(&with, 0, 0), luma(&without, 0, 0));
    Ok(())
}

#[test]
fn sheets_have_the_size_of_their_parts() -> Outcome {
    let cell = Picture::filled(100, 50, [10, 20, 30]);
    let wide = beside(&[cell.clone(), cell.clone(), cell.clone()])?;
    assert!(wide.width > 300 && wide.height == 50);
    let labelled = cell.label("biceps")?;
    assert!(labelled.height > 50 && labelled.width == 100);
    assert!(labelled.pixels.chunks(3).any(|p| p[0] < 80 && p[1] > 35), "no ink in the caption");
    let sheet = grid(&[labelled.clone(), labelled.clone(), cell.clone()], 2)?.title("All of them, at length")?;
    assert!(sheet.width > 200 && sheet.height > 2 * 50);
    let strip = legend(100, color::heat, 0.0, 12.4, "mm");
    assert_eq!(stack(&[cell, strip.clone()])?.height, 50 + strip.height);
    assert_eq!(Picture::filled(2, 2, PAGE).label("")?.width, 2);
    Ok(())
}

#[test]
fn color_maps_run_between_their_ends() {
    let bright = |c: [f32; 3]| 0.2 * c[0] + 0.7 * c[1] + 0.1 * c[2];
    for i in 0..20 {
        let (a, b) = (i as f32 / 20.0, (i + 1) as f32 / 20.0);
        assert!(bright(color::heat(b)) > bright(color::heat(a)));
        assert!(bright(color::tension(b)) < bright(color::tension(a)));
    }
    assert_eq!(color::heat(f32::NAN), color::heat(0.0));
    assert_eq!(color::heat(7.0), color::heat(1.0));
}

fn refusal(scene: &Scene) -> String {
    match render(scene, &camera(), 8, 8, Quality::draft()) {
        Ok(_) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn refusal_of(change: impl FnOnce(&mut Surface)) -> String {
    let mut surface = sphere(Vec3::ZERO, 1.0, 4);
    change(&mut surface);
    refusal(&Scene::new(vec![surface]))
}

#[test]
fn bad_surfaces_are_refused_with_the_element_and_the_cure() {
    assert!(refusal(&Scene::default()).contains("add at least one surface"));
    assert!(refusal_of(|s| s.triangles.clear()).contains("\"sphere\" has no triangles"));
    assert!(refusal_of(|s| *s = Surface::new("empty", vec![], vec![])).contains("\"empty\""));
    assert!(refusal_of(|s| s.positions[7].y = f32::NAN).contains("position of vertex 7"));
    assert!(refusal_of(|s| s.normals[3].y = f32::INFINITY).contains("normal of vertex 3"));
    assert!(refusal_of(|s| s.colors = vec![[f32::NAN; 3]]).contains("colour of vertex 0"));
    assert!(refusal_of(|s| s.triangles[5][1] = 999).contains("triangle 5 uses vertex 999"));
    assert!(refusal_of(|s| s.normals.truncate(2)).contains("2 normals"));
    assert!(refusal_of(|s| s.colors = vec![[0.0; 3]; 2]).contains("2 colours"));
    assert!(refusal_of(|s| s.opacity = 1.5).contains("opacity is 1.5"));
    assert!(refusal_of(|s| s.opacity = f32::NAN).contains("opacity"));
    assert!(refusal_of(|s| s.cut = Some(Cut { point: Vec3::ZERO, normal: Vec3::ZERO })).contains("cut normal"));
    assert!(refusal(&Scene { ground: Some(f32::NAN), ..scene() }).contains("ground"));
}

#[test]
fn odd_but_sound_surfaces_are_drawn() {
    assert_eq!(refusal_of(|s| s.triangles.push([0, 0, 0])), "accepted");
    assert_eq!(refusal_of(|s| s.normals.fill(Vec3::ZERO)), "accepted");
    assert_eq!(refusal_of(|s| s.positions.fill(Vec3::ONE)), "accepted");
    assert_eq!(refusal_of(|s| s.cut = Some(Cut { point: Vec3::Y * -9.0, normal: Vec3::Y })), "accepted");
    assert_eq!(refusal_of(|s| s.positions.iter_mut().for_each(|p| *p *= 1e-9)), "accepted");
    assert_eq!(refusal_of(|s| s.positions.iter_mut().for_each(|p| *p *= 1e30)), "accepted");
}

#[test]
fn bad_sizes_cameras_and_files_are_refused() {
    let draw = |camera: Camera, width, height, quality| render(&scene(), &camera, width, height, quality);
    let draft = Quality::draft();
    assert!(matches!(draw(camera(), 0, 10, draft), Err(PictureError::Size { .. })));
    assert!(matches!(draw(camera(), 10, 1 << 20, draft), Err(PictureError::Size { .. })));
    let flat = Camera { max: camera().min, ..camera() };
    assert!(draw(flat, 8, 8, draft).is_err());
    assert!(draw(Camera { min: Vec3::NAN, ..camera() }, 8, 8, draft).is_err());
    assert!(draw(Camera { margin: 0.5, ..camera() }, 8, 8, draft).is_err());
    assert!(draw(Camera { lens: Lens::Perspective(0.0), ..camera() }, 8, 8, draft).is_err());
    assert!(draw(camera(), 8, 8, Quality { samples: 0, ..draft }).is_err());
    let cell = Picture::filled(4, 4, [0; 3]);
    assert!(Picture::filled(0, 4, [0; 3]).png().is_err());
    assert!(matches!(Picture { width: 5, ..cell.clone() }.png(), Err(PictureError::Buffer { .. })));
    assert!(gif(&[], 10.0).is_err());
    assert!(gif(std::slice::from_ref(&cell), 0.0).is_err());
    let other = Picture::filled(4, 5, [0; 3]);
    assert!(matches!(gif(&[cell, other], 9.0), Err(PictureError::FrameSize { frame: 1, .. })));
    assert!(beside(&[]).is_err());
}
