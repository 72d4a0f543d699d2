//! .usda, USD as text: one mesh prim for every mesh of a character, its points and normals sampled over time.
//!
//! ```text
//! #usda 1.0 ( defaultPrim, metersPerUnit, upAxis = "Y", timeCodesPerSecond, ... )
//! def Xform "name" { def Mesh "mesh" { faces, extent.timeSamples, points.timeSamples, normals.timeSamples } ... }
//! ```
//!
//! A time code is a frame. Numbers have as many digits as bring the same f32 back, and no more.

use crate::FileError;
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

/// A motion as a file tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Usda {
    /// Metres a unit of the positions.
    pub metres_per_unit: f64,
    /// Frames a second.
    pub fps: f64,
    /// n_frame: frames since the start, whole but perhaps for the last.
    pub codes: Vec<f64>,
    /// Names of its meshes, and how many vertices each has.
    pub meshes: Vec<(String, usize)>,
    /// n_frame x n_vertex of all meshes.
    pub positions: Vec<Vec3>,
}

/// Read a file that [`write()`] has written. USD can say much more in many more ways: what others wrote is refused.
///
/// # Errors
/// When it was not written here, ends early, or holds numbers that are not finite.
pub fn read(text: &str) -> Result<Usda, FileError> {
    let head = text.split_once("\ndef ").map(|(head, _)| head).filter(|head| head.starts_with("#usda 1.0\n"));
    let head = head.ok_or_else(|| foreign("header", "it does not begin as a .usda of fusiform does"))?;
    let metres_per_unit = number_in_head(head, "metersPerUnit")?;
    let fps = number_in_head(head, "timeCodesPerSecond")?;
    // names hold no braces, so those there are close each other
    if text.matches('{').count() != text.matches('}').count() {
        return Err(FileError::new("end", "the file ends early").cure("copy it again, or write the cache again"));
    }
    let (mut meshes, mut samples, mut codes) = (Vec::new(), Vec::new(), None);
    for mesh in text.split("\n    def Mesh \"").skip(1) {
        let name = mesh.split('"').next().unwrap_or_default();
        let (times, points) = point_samples(name, mesh)?;
        if codes.get_or_insert_with(|| times.clone()) != &times {
            return Err(foreign(format!("mesh {name:?}"), "it is sampled at other times than the first"));
        }
        meshes.push((name.to_owned(), points.first().map_or(0, Vec::len)));
        samples.push(points);
    }
    let codes = codes.ok_or_else(|| foreign("meshes", "there is no mesh with points that change over time"))?;
    let frame = |frame: usize| samples.iter().flat_map(move |points: &Vec<Vec<Vec3>>| points[frame].iter().copied());
    let positions = (0..codes.len()).flat_map(frame).collect();
    Ok(Usda { metres_per_unit, fps, codes, meshes, positions })
}

fn foreign(place: impl Into<String>, message: &str) -> FileError {
    FileError::new(place, message).cure("give a .usda that `fusiform bake` wrote; others are read by other programs")
}

fn number_in_head(head: &str, name: &str) -> Result<f64, FileError> {
    let told = head.lines().find_map(|line| line.trim().strip_prefix(name)?.trim().strip_prefix('='));
    let number = told.and_then(|number| number.trim().parse().ok()).filter(|n: &f64| n.is_finite() && *n > 0.0);
    number.ok_or_else(|| foreign(name, "it is not told, or is not a number above zero"))
}

/// Time codes of a mesh, and its points at each.
fn point_samples(name: &str, mesh: &str) -> Result<(Vec<f64>, Vec<Vec<Vec3>>), FileError> {
    let place = |frame: usize| format!("mesh {name:?}, frame {frame}");
    let rows = mesh.split_once("point3f[] points.timeSamples = {\n").map(|(_, rows)| rows);
    let rows = rows.ok_or_else(|| foreign(format!("mesh {name:?}"), "its points do not change over time"))?;
    let (mut codes, mut frames): (Vec<f64>, Vec<Vec<Vec3>>) = (Vec::new(), Vec::new());
    for (frame, row) in rows.lines().take_while(|line| line.trim() != "}").enumerate() {
        let (code, points) = row.split_once(": ").ok_or_else(|| foreign(place(frame), "it has no time code"))?;
        let code = code.trim().parse().ok().filter(|code: &f64| code.is_finite());
        codes.push(code.ok_or_else(|| foreign(place(frame), "its time code is not a number"))?);
        let points = vectors(points).ok_or_else(|| foreign(place(frame), "not all of it are finite points"))?;
        if frames.first().is_some_and(|first| first.len() != points.len()) {
            return Err(foreign(place(frame), "it has not as many points as the first frame"));
        }
        frames.push(points);
    }
    Ok((codes, frames))
}

/// `[(x, y, z), ...],` as points; nothing when a number is missing or not finite.
fn vectors(row: &str) -> Option<Vec<Vec3>> {
    let numbers = row.split(|c: char| "()[], ".contains(c)).filter(|number| !number.is_empty());
    let numbers = numbers.map(|number| number.parse().ok().filter(|x: &f32| x.is_finite()));
    let numbers: Vec<f32> = numbers.collect::<Option<_>>()?;
    numbers.len().is_multiple_of(3).then(|| numbers.chunks_exact(3).map(Vec3::from_slice).collect())
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
        let meshes = vec![("a".into(), 3), ("b".into(), 3)];
        let told =
            Usda { metres_per_unit: 0.01, fps: 30.0, codes: vec![0.0, 1.0], meshes, positions: positions.clone() };
        assert_eq!(read(&text), Ok(told));
        assert!(text.contains("endTimeCode = 1\n"), "{text}");
        let few = Animation { positions: &positions[1..], ..animation };
        assert!(write(&mut Vec::new(), &few).is_err());
    }

    #[test]
    fn what_is_cut_off_bent_or_foreign_is_refused_with_a_sentence() {
        let animation = Animation {
            name: "one",
            metres_per_unit: 1.0,
            fps: 30.0,
            times: &[0.0, 1.0 / 30.0],
            meshes: vec![mesh("a")],
            positions: &[Vec3::X; 6],
            normals: &[Vec3::Z; 6],
        };
        let whole = text(&animation);
        for length in 0..whole.len() - 1 {
            let error = read(&whole[..length]).unwrap_err();
            assert!(!error.message.is_empty() && !error.cure.is_empty(), "{length}");
        }
        for (from, to, place) in [
            ("#usda", "#USDA", "header"),
            ("metersPerUnit = 1", "metersPerUnit = 0", "metersPerUnit"),
            ("timeCodesPerSecond = 30", "timeCodesPerSecond = NaN", "timeCodesPerSecond"),
            ("point3f[] points.timeSamples", "point3f[] points", "mesh \"a\""),
            ("def Mesh", "def Cube", "meshes"),
            (
                "points.timeSamples = {\n            0: [(1, 0, 0), ",
                "points.timeSamples = {\n            0: [(inf, 0, 0), ",
                "mesh \"a\", frame 0",
            ),
            (
                "points.timeSamples = {\n            0: [(1, 0, 0), ",
                "points.timeSamples = {\n            0: [",
                "mesh \"a\", frame 1",
            ),
        ] {
            assert!(whole.contains(from), "{from}");
            assert_eq!(read(&whole.replacen(from, to, 1)).unwrap_err().place, place);
        }
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
