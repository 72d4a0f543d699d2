//! .pc2, the point cache of 3ds Max that Blender, Maya and Houdini read too: every vertex in every frame.
//!
//! ```text
//! little endian: "POINTCACHE2\0", i32 1, i32 n_vertex, f32 first frame, f32 frames a sample, i32 n_frame
//!                then n_frame x n_vertex x 3 f32
//! ```
//!
//! It knows no seconds and no meshes: a frame is a frame of whoever plays it, and vertices have the order of the file
//! they belong to.

use crate::FileError;
use crate::point_cache::{self, LittleEndian};
use glam::Vec3;
use std::io::{self, Write};

const MAGIC: &[u8; 12] = b"POINTCACHE2\0";
const HEADER: usize = 32;

/// A cache as the file tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Pc2 {
    /// Frame of the first sample.
    pub start: f32,
    /// Frames from one sample to the next.
    pub step: f32,
    /// Vertices of a sample, at least 1.
    pub n_vertex: usize,
    /// Sample by sample, the file's units.
    pub positions: Vec<Vec3>,
}

/// Write samples of `n_vertex` positions, one a frame from frame 0.
///
/// # Errors
/// When `out` refuses, or there is more than the format can count.
pub fn write(out: &mut impl Write, n_vertex: usize, positions: &[Vec3]) -> io::Result<()> {
    let (n_vertex, n_frame) = point_cache::counts(n_vertex, positions.len())?;
    out.write_all(MAGIC)?;
    out.write_all(&1_i32.to_le_bytes())?;
    out.write_all(&n_vertex.to_le_bytes())?;
    out.write_all(&0_f32.to_le_bytes())?;
    out.write_all(&1_f32.to_le_bytes())?;
    out.write_all(&n_frame.to_le_bytes())?;
    point_cache::write_points::<LittleEndian>(out, positions)
}

/// Read a cache.
///
/// # Errors
/// When it is no .pc2, ends early, or holds numbers that are not finite.
pub fn read(bytes: &[u8]) -> Result<Pc2, FileError> {
    if !bytes.starts_with(MAGIC) {
        return Err(FileError::new("header", "it does not begin as a .pc2 does").cure("give a point cache, version 2"));
    }
    let word = |at: usize| point_cache::word::<LittleEndian>(bytes, at);
    let float = |at: usize| word(at).map(f32::from_bits);
    let (start, step) = (float(20)?, float(24)?);
    if !start.is_finite() || !step.is_finite() || step <= 0.0 {
        return Err(FileError::new("header", format!("it begins at frame {start} and goes on by {step}"))
            .cure("frames must be finite and go forward: write the cache again"));
    }
    let n_vertex = point_cache::count("vertices", word(16)?, 1)?;
    let n_frame = point_cache::count("frames", word(28)?, 0)?;
    let positions = point_cache::points::<LittleEndian>(bytes, HEADER, n_vertex, n_frame)?;
    Ok(Pc2 { start, step, n_vertex, positions })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(n_vertex: usize, positions: &[Vec3]) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&mut bytes, n_vertex, positions).unwrap();
        bytes
    }

    #[test]
    fn what_is_written_is_read_again_to_the_bit() {
        let positions = [Vec3::X, Vec3::new(0.1, -2.5e-8, 1e9), Vec3::Y, Vec3::ZERO];
        let bytes = written(2, &positions);
        assert_eq!(bytes.len(), HEADER + 48);
        let cache = Pc2 { start: 0.0, step: 1.0, n_vertex: 2, positions: positions.into() };
        assert_eq!(read(&bytes), Ok(cache));
    }

    #[test]
    fn a_damaged_cache_is_refused_with_a_sentence() {
        let bytes = written(2, &[Vec3::X; 4]);
        assert_eq!(read(&bytes[..HEADER + 47]).unwrap_err().place, "frame 1");
        let damaged = |at: usize, with: [u8; 4]| {
            let mut bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&with);
            read(&bytes).unwrap_err()
        };
        assert_eq!(damaged(16, 0_i32.to_le_bytes()).message, "it says that it has 0 vertices");
        assert_eq!(damaged(28, (-1_i32).to_le_bytes()).message, "it says that it has -1 frames");
        assert_eq!(damaged(HEADER + 36, f32::NAN.to_le_bytes()).place, "frame 1, vertex 1");
        assert_eq!(damaged(24, 0_f32.to_le_bytes()).place, "header");
        assert_eq!(read(b"POINTCACHE1\0").unwrap_err().place, "header");
    }

    proptest! {
        #[test]
        fn no_bytes_panic(rest in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = read(&[&MAGIC[..], &rest].concat());
        }
    }
}
