//! Pieces: a character as it is kept. The bytes of the file it came from are written once, for they may be many; what differs
//! from them, again and again.
//!
//! ```text
//! base   the bytes of the file's buffer
//! work   length of the head, length of what is shared with the base, both u64; the head; what comes after what is shared
//! ```
//! A .glb is the head, which has its document, and then its buffer. Muscles, weights and motions are appended to that, so all
//! but the end of it is the file's own.

/// Bytes before the head.
const LENGTHS: usize = 16;

/// What of a .glb is not in the base.
pub fn parted(glb: &[u8], base: &[u8]) -> Vec<u8> {
    let (head, buffer) = glb.split_at(buffer_start(glb).min(glb.len()));
    let n_shared = shared(buffer, base);
    let lengths = [head.len(), n_shared].map(|n| (n as u64).to_le_bytes());
    [lengths.as_flattened(), head, &buffer[n_shared..]].concat()
}

/// The .glb again; none where one of both is not what was written.
pub fn joined(work: &[u8], base: &[u8]) -> Option<Vec<u8>> {
    let (lengths, rest) = work.split_first_chunk::<LENGTHS>()?;
    let length = |at: usize| usize::try_from(u64::from_le_bytes(lengths[at..at + 8].try_into().ok()?)).ok();
    let (head, tail) = rest.split_at_checked(length(0)?)?;
    Some([head, base.get(..length(8)?)?, tail].concat())
}

/// Where the buffer begins: after the header, the chunk of the document and the header of its own chunk.
fn buffer_start(glb: &[u8]) -> usize {
    let length = glb.get(12..16).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes);
    length.map_or(glb.len(), |length| (length as usize).saturating_add(28))
}

/// How many bytes are alike from the start on.
fn shared(a: &[u8], b: &[u8]) -> usize {
    const BLOCK: usize = 4096; // compared at once
    let alike = a.chunks(BLOCK).zip(b.chunks(BLOCK)).take_while(|(a, b)| a == b).map(|(a, _)| a.len()).sum::<usize>();
    alike + a[alike..].iter().zip(&b[alike..]).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_file_that_grew_at_its_end_is_its_head_and_its_end() {
        let base: Vec<u8> = (0..100_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let glb = |json: &[u8], buffer: &[u8]| {
            let lengths = [12 + 8 + json.len() + 8 + buffer.len(), json.len(), 0].map(|n| (n as u32).to_le_bytes());
            [b"glTF\x02\0\0\0", lengths.as_flattened(), json, b"lengBIN\0", buffer].concat()
        };
        let grown = glb(b"{\"a\":1}", &[&base[..], b"muscles"].concat());
        let work = parted(&grown, &base);
        assert!(work.len() < 100, "{} bytes", work.len());
        assert_eq!(joined(&work, &base), Some(grown));
        // also where what is shared ends within a block
        let mut cut = base[..70_001].to_vec();
        cut.push(!base[70_001]);
        let cut = glb(b"{}", &cut);
        let part = parted(&cut, &base);
        assert!(part.len() < 100, "{} bytes", part.len());
        assert_eq!(joined(&part, &base), Some(cut));
        assert_eq!(joined(&work, &base[1..]), None, "another base");
        assert_eq!(joined(&work[..20], &base), None, "cut off");
    }

    proptest! {
        #[test]
        fn whatever_is_parted_is_joined_again(
            glb in prop::collection::vec(0_u8..3, 0..80), base in prop::collection::vec(0_u8..2, 0..9000), cut in 0_usize..9000
        ) {
            for glb in [glb.clone(), [&glb[..], &base[..cut.min(base.len())]].concat()] {
                prop_assert_eq!(joined(&parted(&glb, &base), &base), Some(glb));
            }
        }

        #[test]
        fn what_nobody_wrote_is_refused_without_harm(
            work in prop::collection::vec(any::<u8>(), 0..64), base in prop::collection::vec(any::<u8>(), 0..64)
        ) {
            joined(&work, &base);
        }
    }
}
