//! .usda, USD as text: one mesh prim for every mesh of a character, its points and normals sampled over time.
//!
//! ```text
//! #usda 1.0 ( defaultPrim, metersPerUnit, upAxis = "Y", timeCodesPerSecond, ... )
//! def Xform "name" { def Mesh "mesh" { faces, extent.timeSamples, points.timeSamples, normals.timeSamples } ... }
//! ```
//!
//! A time code is a frame. Numbers have as many digits as bring the same f32 back, and no more.

use glam::Vec3;
use std::collections::HashSet;
use std::io::{self, Write};
use std::ops::Range;

/// A motion to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Animation<'a> {
    /// Name of the whole; any text, made a valid name on the way.
    pub name: &'a str,
    /// Metres a unit of the positions.
    pub metres_per_unit: f64,
    /// Frames a second.
    pub fps: f32,
    /// n_frame: seconds.
    pub times: &'a [f32],
    /// Its meshes: their vertices follow each other in every frame.
    pub meshes: Vec<MeshFaces<'a>>,
    /// n_frame x n_vertex of all meshes.
    pub positions: &'a [Vec3],
    /// As many, of unit length.
    pub normals: &'a [Vec3],
}

/// A mesh without its points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshFaces<'a> {
    /// Any text.
    pub name: &'a str,
    /// How many vertices it has.
    pub n_vertex: usize,
    /// Counter-clockwise from outside.
    pub triangles: &'a [[u32; 3]],
}

/// Write it.
///
/// # Errors
/// When `out` refuses, or frames and meshes do not fit each other.
pub fn write(out: &mut impl Write, animation: &Animation) -> io::Result<()> {
    let n_vertex: usize = animation.meshes.iter().map(|mesh| mesh.n_vertex).sum();
    let expected = animation.times.len() * n_vertex;
    if animation.positions.len() != expected || animation.normals.len() != expected {
        let message =
            format!("{n_vertex} vertices in {} frames need as many points and normals", animation.times.len());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    let root = identifier(animation.name, "character");
    let codes: Vec<f64> = animation.times.iter().map(|&time| time_code(time, animation.fps)).collect();
    head(out, animation, &root, codes.last().copied().unwrap_or(0.0))?;
    writeln!(out, "\ndef Xform \"{root}\" (\n    kind = \"component\"\n)\n{{")?;
    let (mut taken, mut first) = (HashSet::new(), 0);
    for mesh in &animation.meshes {
        let name = unique(identifier(mesh.name, "mesh"), &mut taken);
        let frames = Frames { animation, codes: &codes, n_vertex, mesh: first..first + mesh.n_vertex };
        first = frames.mesh.end;
        write_mesh(out, &name, mesh, &frames)?;
    }
    writeln!(out, "}}")
}

fn head(out: &mut impl Write, animation: &Animation, root: &str, end: f64) -> io::Result<()> {
    let Animation { metres_per_unit, fps, .. } = animation;
    writeln!(out, "#usda 1.0\n(")?;
    writeln!(out, "    defaultPrim = \"{root}\"")?;
    writeln!(out, "    doc = \"fusiform {}\"", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "    endTimeCode = {end}")?;
    writeln!(out, "    framesPerSecond = {fps}")?;
    writeln!(out, "    metersPerUnit = {metres_per_unit}")?;
    writeln!(out, "    startTimeCode = 0")?;
    writeln!(out, "    timeCodesPerSecond = {fps}")?;
    writeln!(out, "    upAxis = \"Y\"\n)")
}

/// One mesh's share of every frame.
struct Frames<'a> {
    animation: &'a Animation<'a>,
    codes: &'a [f64],
    n_vertex: usize,
    mesh: Range<usize>,
}

impl<'a> Frames<'a> {
    fn of(&self, rows: &'a [Vec3]) -> impl Iterator<Item = (f64, &'a [Vec3])> {
        let mesh = self.mesh.clone();
        self.codes.iter().copied().zip(rows.chunks(self.n_vertex.max(1)).map(move |row| &row[mesh.clone()]))
    }
}

fn write_mesh(out: &mut impl Write, name: &str, mesh: &MeshFaces, frames: &Frames) -> io::Result<()> {
    writeln!(out, "    def Mesh \"{name}\"\n    {{")?;
    writeln!(out, "        uniform token orientation = \"rightHanded\"")?;
    writeln!(out, "        uniform token subdivisionScheme = \"none\"")?;
    write!(out, "        int[] faceVertexCounts = ")?;
    list(out, mesh.triangles, |out, _| write!(out, "3"))?;
    write!(out, "\n        int[] faceVertexIndices = ")?;
    list(out, mesh.triangles, |out, [a, b, c]| write!(out, "{a}, {b}, {c}"))?;
    writeln!(out, "\n        float3[] extent.timeSamples = {{")?;
    for (code, points) in frames.of(frames.animation.positions) {
        write!(out, "            {code}: ")?;
        list(out, &extent(points), vector)?;
        writeln!(out, ",")?;
    }
    writeln!(out, "        }}\n        point3f[] points.timeSamples = {{")?;
    samples(out, frames.of(frames.animation.positions))?;
    writeln!(out, "        normal3f[] normals (\n            interpolation = \"vertex\"\n        )")?;
    writeln!(out, "        normal3f[] normals.timeSamples = {{")?;
    samples(out, frames.of(frames.animation.normals))?;
    writeln!(out, "    }}")
}

fn samples<'a>(out: &mut impl Write, frames: impl Iterator<Item = (f64, &'a [Vec3])>) -> io::Result<()> {
    for (code, row) in frames {
        write!(out, "            {code}: ")?;
        list(out, row, vector)?;
        writeln!(out, ",")?;
    }
    writeln!(out, "        }}")
}

fn list<T, W: Write>(out: &mut W, items: &[T], item: impl Fn(&mut W, &T) -> io::Result<()>) -> io::Result<()> {
    write!(out, "[")?;
    for (i, value) in items.iter().enumerate() {
        if i > 0 {
            write!(out, ", ")?;
        }
        item(out, value)?;
    }
    write!(out, "]")
}

/// Rust writes the shortest text that reads back as the same f32.
fn vector(out: &mut impl Write, v: &Vec3) -> io::Result<()> {
    write!(out, "({}, {}, {})", v.x, v.y, v.z)
}

fn extent(points: &[Vec3]) -> [Vec3; 2] {
    let first = points.first().copied().unwrap_or_default();
    points.iter().fold([first; 2], |[low, high], p| [low.min(*p), high.max(*p)])
}

/// Frames lie on whole codes; what rounding to f32 seconds has moved is moved back.
fn time_code(time: f32, fps: f32) -> f64 {
    (f64::from(time) * f64::from(fps) * 1e4).round() / 1e4
}

/// Letters, digits and underscores, no digit first: what every version of USD takes for a name.
fn identifier(name: &str, otherwise: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    match plain.chars().next() {
        None => otherwise.into(),
        Some(first) if first.is_ascii_digit() => format!("_{plain}"),
        Some(_) => plain,
    }
}

fn unique(name: String, taken: &mut HashSet<String>) -> String {
    let mut numbered = (1..).map(|n| format!("{name}_{n}"));
    let mut candidate = name.clone();
    while !taken.insert(candidate.clone()) {
        candidate = numbered.next().unwrap_or_default();
    }
    candidate
}

/// The points of a file that [`write()`] has written, all meshes of a frame one after the other: to hold them against what
/// they were. Other people's files are none of its business; of them it gives nothing, or part.
#[must_use]
pub fn points(text: &str) -> Vec<Vec3> {
    let samples = text.split("point3f[] points.timeSamples = {\n").skip(1).map(|mesh| {
        let rows = mesh.lines().take_while(|line| line.trim() != "}");
        rows.map(|row| row.split_once(": ").map_or_else(Vec::new, |(_, row)| vectors(row))).collect()
    });
    let meshes: Vec<Vec<Vec<Vec3>>> = samples.collect();
    let n_frame = meshes.iter().map(Vec::len).min().unwrap_or(0);
    (0..n_frame).flat_map(|frame| meshes.iter().flat_map(move |mesh| mesh[frame].iter().copied())).collect()
}

fn vectors(row: &str) -> Vec<Vec3> {
    let numbers = row.split(|c: char| "()[], ".contains(c)).filter_map(|number| number.parse().ok());
    numbers.collect::<Vec<f32>>().chunks_exact(3).map(Vec3::from_slice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: [[u32; 3]; 1] = [[0, 1, 2]];

    fn mesh(name: &str) -> MeshFaces<'_> {
        MeshFaces { name, n_vertex: 3, triangles: &TRIANGLE }
    }

    fn text(animation: &Animation) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes, animation).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn points_are_read_again_to_the_bit() {
        let corner = |i: usize| Vec3::new(1.0 / (i as f32 + 3.0), -1e-9 * i as f32, 1e7 + i as f32);
        let positions: Vec<Vec3> = (0..12).map(corner).collect();
        let animation = Animation {
            name: "two",
            metres_per_unit: 0.01,
            fps: 30.0,
            times: &[0.0, 1.0 / 30.0],
            meshes: vec![mesh("a"), mesh("b")],
            positions: &positions,
            normals: &[Vec3::Z; 12],
        };
        let text = text(&animation);
        assert_eq!(points(&text), positions);
        assert!(text.contains("metersPerUnit = 0.01\n") && text.contains("endTimeCode = 1\n"), "{text}");
        let few = Animation { positions: &positions[1..], ..animation };
        assert!(write(&mut Vec::new(), &few).is_err());
    }

    #[test]
    fn names_are_made_valid_and_told_apart() {
        let animation = Animation {
            name: "",
            metres_per_unit: 1.0,
            fps: 24.0,
            times: &[],
            meshes: vec![mesh("skin/0"), mesh("skin 0"), mesh("skin_0_1"), mesh("2nd"), mesh("Kopf\"ü"), mesh("")],
            positions: &[],
            normals: &[],
        };
        let text = text(&animation);
        let names: Vec<&str> = text.lines().filter_map(|line| line.trim().strip_prefix("def Mesh ")).collect();
        let expected = ["skin_0", "skin_0_1", "skin_0_1_1", "_2nd", "Kopf__", "mesh"];
        assert_eq!(names, expected.map(|name| format!("{name:?}")));
        assert!(text.contains("defaultPrim = \"character\""), "{text}");
    }
}
