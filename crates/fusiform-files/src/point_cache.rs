//! What .pc2 and .mdd share: counts, and rows of vertices in one order of bytes or the other.

use crate::FileError;
use glam::Vec3;
use std::io::{self, Write};

/// An order of bytes.
pub trait Endian {
    fn word(bytes: [u8; 4]) -> u32;
    fn bytes(word: u32) -> [u8; 4];
}

/// Lowest byte first.
pub struct LittleEndian;
/// Highest byte first.
pub struct BigEndian;

impl Endian for LittleEndian {
    fn word(bytes: [u8; 4]) -> u32 {
        u32::from_le_bytes(bytes)
    }
    fn bytes(word: u32) -> [u8; 4] {
        word.to_le_bytes()
    }
}

impl Endian for BigEndian {
    fn word(bytes: [u8; 4]) -> u32 {
        u32::from_be_bytes(bytes)
    }
    fn bytes(word: u32) -> [u8; 4] {
        word.to_be_bytes()
    }
}

/// Vertices and frames as the formats count them.
pub fn counts(n_vertex: usize, n_position: usize) -> io::Result<(i32, i32)> {
    let wrong = |message: String| io::Error::new(io::ErrorKind::InvalidInput, message);
    if n_vertex == 0 || !n_position.is_multiple_of(n_vertex) {
        return Err(wrong(format!("{n_position} positions are no whole frames of {n_vertex} vertices")));
    }
    let count = |n: usize| i32::try_from(n).map_err(|_| wrong(format!("{n} is more than the format can count")));
    Ok((count(n_vertex)?, count(n_position / n_vertex)?))
}

/// Positions, a piece at a time.
pub fn write_points<E: Endian>(out: &mut impl Write, positions: &[Vec3]) -> io::Result<()> {
    let mut bytes = Vec::new();
    for piece in positions.chunks(4096) {
        bytes.clear();
        piece.iter().for_each(|p| p.to_array().iter().for_each(|x| bytes.extend(E::bytes(x.to_bits()))));
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// The four bytes at a place.
pub fn word<E: Endian>(bytes: &[u8], at: usize) -> Result<u32, FileError> {
    let four = bytes.get(at..at.saturating_add(4)).and_then(|four| four.try_into().ok());
    four.map(E::word).ok_or_else(|| ends_early("header".into()))
}

/// A count that the header tells: signed in the file, never negative in earnest.
pub fn count(what: &str, word: u32, least: i32) -> Result<usize, FileError> {
    let told = word as i32;
    let count = usize::try_from(told).ok().filter(|_| told >= least);
    count.ok_or_else(|| {
        FileError::new("header", format!("it says that it has {told} {what}")).cure("write the cache again")
    })
}

/// Frames of vertices from a place on. Nothing is made before the file is known to be long enough.
pub fn points<E: Endian>(bytes: &[u8], first: usize, n_vertex: usize, n_frame: usize) -> Result<Vec<Vec3>, FileError> {
    let body = bytes.get(first..).ok_or_else(|| ends_early("header".into()))?;
    let frame = n_vertex.saturating_mul(12);
    let length = frame.saturating_mul(n_frame);
    let Some(body) = body.get(..length) else { return Err(ends_early(format!("frame {}", body.len() / frame))) };
    let float = |four: &[u8]| f32::from_bits(E::word([four[0], four[1], four[2], four[3]]));
    let point = |p: &[u8]| Vec3::new(float(&p[0..4]), float(&p[4..8]), float(&p[8..12]));
    let positions: Vec<Vec3> = body.chunks_exact(12).map(point).collect();
    match positions.iter().position(|p| !p.is_finite()) {
        Some(at) => {
            let place = format!("frame {}, vertex {}", at / n_vertex, at % n_vertex);
            Err(FileError::new(place, "its position is not finite").cure("write the cache again, from a finite motion"))
        }
        None => Ok(positions),
    }
}

/// The file is shorter than it says.
pub fn ends_early(place: String) -> FileError {
    FileError::new(place, "the file ends early").cure("copy it again, or write the cache again")
}
