//! .mdd, the point cache of Lightwave that Blender, Maya and Modo read too: every vertex in every frame, with times.
//!
//! ```text
//! big endian: i32 n_frame, i32 n_vertex, n_frame x f32 seconds, then n_frame x n_vertex x 3 f32
//! ```
//!
//! It knows no meshes: vertices have the order of the file they belong to.

use crate::FileError;
use crate::point_cache::{self, BigEndian};
use glam::Vec3;
use std::io::{self, Write};

const HEADER: usize = 8;

/// A cache as the file tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Mdd {
    /// Seconds of every frame.
    pub times: Vec<f32>,
    /// Vertices of a frame, at least 1.
    pub n_vertex: usize,
    /// Frame by frame, the file's units.
    pub positions: Vec<Vec3>,
}

/// Write frames of `n_vertex` positions, one for each of these times in seconds.
///
/// # Errors
/// When `out` refuses, there is more than the format can count, or times and frames are not equally many.
pub fn write(out: &mut impl Write, times: &[f32], n_vertex: usize, positions: &[Vec3]) -> io::Result<()> {
    let (n_vertex, n_frame) = point_cache::counts(n_vertex, positions.len())?;
    if n_frame as usize != times.len() {
        let message = format!("there are {n_frame} frames and {} times", times.len());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    out.write_all(&n_frame.to_be_bytes())?;
    out.write_all(&n_vertex.to_be_bytes())?;
    times.iter().try_for_each(|time| out.write_all(&time.to_be_bytes()))?;
    point_cache::write_points::<BigEndian>(out, positions)
}

/// Read a cache.
///
/// # Errors
/// When it ends early, or holds numbers that are not finite.
pub fn read(bytes: &[u8]) -> Result<Mdd, FileError> {
    let word = |at: usize| point_cache::word::<BigEndian>(bytes, at);
    let n_frame = point_cache::count("frames", word(0)?, 0)?;
    let n_vertex = point_cache::count("vertices", word(4)?, 1)?;
    // the whole is checked against the file's size before anything is made of it
    let first = n_frame.checked_mul(4).and_then(|times| times.checked_add(HEADER));
    let first = first.filter(|&first| first <= bytes.len()).ok_or_else(|| point_cache::ends_early("times".into()))?;
    let positions = point_cache::points::<BigEndian>(bytes, first, n_vertex, n_frame)?;
    let times = (0..n_frame).map(|frame| word(HEADER + 4 * frame).map(f32::from_bits));
    let times = times.collect::<Result<Vec<f32>, FileError>>()?;
    match times.iter().position(|time| !time.is_finite()) {
        Some(frame) => Err(FileError::new(format!("frame {frame}"), "its time is not finite")
            .cure("write the cache again, from finite times")),
        None => Ok(Mdd { times, n_vertex, positions }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_written_is_read_again_to_the_bit() {
        let positions = [Vec3::X, Vec3::new(0.1, -2.5e-8, 1e9), Vec3::Y, Vec3::ZERO];
        let mut bytes = Vec::new();
        write(&mut bytes, &[0.0, 1.0 / 30.0], 2, &positions).unwrap();
        assert_eq!(bytes[..8], [0, 0, 0, 2, 0, 0, 0, 2]);
        let cache = Mdd { times: vec![0.0, 1.0 / 30.0], n_vertex: 2, positions: positions.into() };
        assert_eq!(read(&bytes), Ok(cache));
        assert_eq!(read(&bytes[..bytes.len() - 1]).unwrap_err().place, "frame 1");
        bytes[8..12].copy_from_slice(&f32::INFINITY.to_be_bytes());
        assert_eq!(read(&bytes).unwrap_err().message, "its time is not finite");
    }

    #[test]
    fn frames_without_times_are_not_written() {
        assert!(write(&mut Vec::new(), &[0.0], 2, &[Vec3::X; 4]).is_err());
        assert!(write(&mut Vec::new(), &[0.0], 2, &[Vec3::X; 3]).is_err());
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(prop_oneof![Just(0_u8), any::<u8>()], 0..80)) {
            let _ = read(&bytes);
        }
    }
}
