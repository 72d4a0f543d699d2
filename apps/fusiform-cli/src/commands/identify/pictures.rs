//! The body at bind from front and back, coloured by how far markers are from its skin.

use crate::failure::Failure;
use crate::framing::Framing;
use crate::source::Subject;
use fusiform_drive::identify::{Errors, Found};
use fusiform_picture::{Picture, Quality, Scene, Surface, View, beside, color, legend, render, stack};
use glam::Vec3;
use rayon::prelude::*;

/// Pixels of one view.
const HEIGHT: u32 = 720;
/// m: how far the colour of a marker spreads, as the standard deviation of its weight, and where it ends.
const SPREAD: f32 = 0.025;
const REACH: f32 = 0.08;
/// Skin that no marker is near.
const UNSEEN: [f32; 3] = [0.35, 0.35, 0.35];
/// Share of the markers whose errors the colours hold; beyond it all have the last.
const SHOWN: f32 = 0.98;

/// With deformation and without, on one scale.
pub fn pictures(subject: &Subject, found: &Found) -> Result<Vec<(&'static str, Picture)>, Failure> {
    let vertices: Vec<Vec3> = subject.character.meshes.iter().flat_map(|mesh| mesh.positions.iter().copied()).collect();
    let sites: Vec<Option<Vec3>> =
        found.sites.iter().map(|site| site.map(|site| site.on(&vertices).as_vec3())).collect();
    let means = |with: bool| mean_of_markers(&found.training, with);
    let scale = scale(&means(false));
    [("with.png", "with deformation", true), ("without.png", "without deformation", false)]
        .into_iter()
        .map(|(file, title, with)| {
            let marked: Vec<(Vec3, f32)> =
                sites.iter().zip(means(with)).filter_map(|(site, mean)| Some(((*site)?, mean?))).collect();
            let colors = colors(&vertices, &marked, scale);
            Ok((file, drawn(subject, &vertices, colors, scale)?.title(title)?))
        })
        .collect()
}

/// n_marker, mm; nothing for those that were not seen.
fn mean_of_markers(errors: &Errors, with: bool) -> Vec<Option<f32>> {
    let n = errors.names.len();
    let rows = if with { &errors.with } else { &errors.without };
    let mean = |j: usize| {
        let seen: Vec<f64> = rows.iter().skip(j).step_by(n).copied().filter(|error| error.is_finite()).collect();
        (!seen.is_empty()).then(|| (1e3 * seen.iter().sum::<f64>() / seen.len() as f64) as f32)
    };
    (0..n).map(mean).collect()
}

/// mm: a round number that holds nearly all.
fn scale(means: &[Option<f32>]) -> f32 {
    let mut seen: Vec<f32> = means.iter().flatten().copied().collect();
    seen.sort_by(f32::total_cmp);
    let most = seen.get((SHOWN * seen.len() as f32) as usize).or(seen.last()).copied().unwrap_or(1.0);
    most.ceil().max(1.0)
}

/// Every vertex in the colour of the markers near it.
fn colors(vertices: &[Vec3], marked: &[(Vec3, f32)], scale: f32) -> Vec<[f32; 3]> {
    let color = |at: &Vec3| {
        let near = marked.iter().filter(|(site, _)| site.distance_squared(*at) < REACH * REACH);
        let (sum, weight) = near.fold((0.0, 0.0), |(sum, all), (site, error)| {
            let weight = (-0.5 * site.distance_squared(*at) / (SPREAD * SPREAD)).exp();
            (sum + weight * error, all + weight)
        });
        if weight > 0.0 { color::heat(sum / weight / scale) } else { UNSEEN }
    };
    vertices.par_iter().map(color).collect()
}

fn drawn(subject: &Subject, vertices: &[Vec3], colors: Vec<[f32; 3]>, scale: f32) -> Result<Picture, Failure> {
    let mut triangles = Vec::new();
    let mut first = 0;
    for mesh in &subject.character.meshes {
        triangles.extend(mesh.triangles.iter().map(|rows| rows.map(|row| row + first)));
        first += mesh.positions.len() as u32;
    }
    let skin = Surface { colors, ..Surface::new("skin", vertices.to_vec(), triangles) };
    let ground = subject.character.bounds().0.y;
    let scene = Scene { surfaces: vec![skin], ground: Some(ground) };
    let view = |view: View| -> Result<Picture, Failure> {
        let mut framing = Framing::new(view);
        framing.add(vertices);
        framing.ground(ground);
        let size = [(HEIGHT as f32 * framing.shape()? * 0.5).round() as u32 * 2, HEIGHT];
        Ok(render(&scene, &framing.camera(size)?, size[0], size[1], Quality::good())?)
    };
    let both = beside(&[view(View::Front)?, view(View::Back)?])?;
    let bar = legend(both.width, color::heat, 0.0, scale, "mm");
    Ok(stack(&[both, bar])?)
}
