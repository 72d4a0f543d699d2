//! Numbers: what an accessor says, checked against the bytes that are there.

use super::schema::{Accessor, Root};
use crate::FileError;
use std::cell::Cell;

/// The typed document and the bytes its accessors look into.
pub(crate) struct Source<'a> {
    pub root: &'a Root,
    pub bytes: &'a [u8],
    left: Cell<usize>, // numbers that may still be read
}

/// Many primitives may share an accessor, and rows without bytes are zeros: numbers that may be read of a file of that
/// many bytes, all in all, so that memory stays a small multiple of its size.
fn most_numbers(bytes: usize) -> usize {
    bytes.saturating_mul(16).saturating_add(1 << 22)
}

/// Rows of numbers, one after the other.
pub(crate) struct Rows {
    pub width: usize,
    pub values: Vec<f32>,
}

/// How a component is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn new(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// One number; integers stand for -1 ..= 1 or 0 ..= 1 when normalised.
    fn number(self, bytes: &[u8], normalized: bool) -> f32 {
        let (value, most) = match self {
            Self::F32 => return f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            Self::I8 => (f64::from(bytes[0] as i8), 127.0),
            Self::U8 => (f64::from(bytes[0]), 255.0),
            Self::I16 => (f64::from(i16::from_le_bytes([bytes[0], bytes[1]])), 32767.0),
            Self::U16 => (f64::from(u16::from_le_bytes([bytes[0], bytes[1]])), 65535.0),
            Self::U32 => (f64::from(self.integer(bytes)), f64::from(u32::MAX)),
        };
        if normalized { (value / most).max(-1.0) as f32 } else { value as f32 }
    }

    fn integer(self, bytes: &[u8]) -> u32 {
        match self {
            Self::U8 => u32::from(bytes[0]),
            Self::U16 => u32::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            Self::U32 => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            Self::I8 | Self::I16 | Self::F32 => self.number(bytes, false).max(0.0) as u32,
        }
    }
}

fn width(kind: &str) -> Option<usize> {
    Some(match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => return None,
    })
}

/// Where rows of `row` bytes lie: one after the other, or `stride` bytes apart.
struct Table<'a> {
    bytes: &'a [u8],
    stride: usize,
    row: usize,
}

impl<'a> Table<'a> {
    fn row(&self, i: usize) -> &'a [u8] {
        &self.bytes[i * self.stride..i * self.stride + self.row]
    }
}

impl<'a> Source<'a> {
    pub fn new(root: &'a Root, bytes: &'a [u8]) -> Self {
        Self { root, bytes, left: Cell::new(most_numbers(bytes.len())) }
    }

    /// Take that many numbers off what the file may still claim.
    pub fn spend(&self, place: impl FnOnce() -> String, numbers: usize) -> Result<(), FileError> {
        let Some(left) = self.left.get().checked_sub(numbers) else {
            let message = format!("with it the file claims more numbers than {} bytes can mean", self.bytes.len());
            return Err(FileError::new(place(), message));
        };
        self.left.set(left);
        Ok(())
    }

    /// Floats of an accessor of that many numbers a row; integers are normalised where the file says so.
    pub fn floats(&self, index: usize, wanted: &[usize]) -> Result<Rows, FileError> {
        let (accessor, component, width) = self.accessor(index)?;
        let place = || format!("accessor {index}");
        if !wanted.contains(&width) {
            return Err(FileError::new(place(), format!("it holds {} where another kind is needed", accessor.kind)));
        }
        let mut values = Vec::new();
        self.each(index, accessor, component, width, |row, bytes| {
            values.resize(values.len().max((row + 1) * width), 0.0);
            for (k, value) in values[row * width..][..width].iter_mut().enumerate() {
                *value = component.number(&bytes[k * component.size()..], accessor.normalized);
            }
        })?;
        values.resize(accessor.count * width, 0.0);
        match values.iter().position(|value| !value.is_finite()) {
            Some(at) => Err(FileError::new(place(), format!("row {} is not a finite number", at / width))),
            None => Ok(Rows { width, values }),
        }
    }

    /// Non-negative integers of an accessor.
    pub fn integers(&self, index: usize, wanted: usize) -> Result<Vec<u32>, FileError> {
        let (accessor, component, width) = self.accessor(index)?;
        if width != wanted {
            return Err(FileError::new(
                format!("accessor {index}"),
                format!("it holds {} where another kind is needed", accessor.kind),
            ));
        }
        let mut values = Vec::new();
        self.each(index, accessor, component, width, |row, bytes| {
            values.resize(values.len().max((row + 1) * width), 0);
            for (k, value) in values[row * width..][..width].iter_mut().enumerate() {
                *value = component.integer(&bytes[k * component.size()..]);
            }
        })?;
        values.resize(accessor.count * width, 0);
        Ok(values)
    }

    fn accessor(&self, index: usize) -> Result<(&Accessor, Component, usize), FileError> {
        let place = || format!("accessor {index}");
        let accessor = self.root.accessors.get(index).ok_or_else(|| {
            FileError::new(place(), format!("it is referred to, but there are {}", self.root.accessors.len()))
        })?;
        let component = Component::new(accessor.component_type)
            .ok_or_else(|| FileError::new(place(), format!("component type {} is unknown", accessor.component_type)))?;
        let width = width(&accessor.kind)
            .ok_or_else(|| FileError::new(place(), format!("type {:?} is unknown", accessor.kind)))?;
        // rows without bytes are zeros; a count that no file of this size could mean is a lie
        let most = self.bytes.len().max(1 << 16);
        if accessor.count > most {
            return Err(FileError::new(
                place(),
                format!("it claims {} rows, more than the file has bytes", accessor.count),
            ));
        }
        self.spend(place, accessor.count.saturating_mul(width))?;
        Ok((accessor, component, width))
    }

    /// Hand over the bytes of every row that has some, then of every row that a sparse accessor replaces.
    fn each(
        &self,
        index: usize,
        accessor: &Accessor,
        component: Component,
        width: usize,
        mut take: impl FnMut(usize, &[u8]),
    ) -> Result<(), FileError> {
        let place = format!("accessor {index}");
        let row = width * component.size();
        if let Some(view) = accessor.buffer_view {
            let table = self.table(&place, view, accessor.byte_offset, accessor.count, row)?;
            (0..accessor.count).for_each(|i| take(i, table.row(i)));
        }
        let Some(sparse) = &accessor.sparse else { return Ok(()) };
        let kind = Component::new(sparse.indices.component_type)
            .filter(|kind| matches!(kind, Component::U8 | Component::U16 | Component::U32))
            .ok_or_else(|| FileError::new(&place, "its sparse indices are of an unknown type"))?;
        let indices =
            self.table(&place, sparse.indices.buffer_view, sparse.indices.byte_offset, sparse.count, kind.size())?;
        let values = self.table(&place, sparse.values.buffer_view, sparse.values.byte_offset, sparse.count, row)?;
        for i in 0..sparse.count {
            let at = kind.integer(indices.row(i)) as usize;
            if at >= accessor.count {
                return Err(FileError::new(
                    &place,
                    format!("a sparse index is {at}, but there are {} rows", accessor.count),
                ));
            }
            take(at, values.row(i));
        }
        Ok(())
    }

    /// `count` rows of `row` bytes in a view, all of them inside the view and the view inside the file.
    fn table(&self, place: &str, view: usize, offset: usize, count: usize, row: usize) -> Result<Table<'_>, FileError> {
        let place = || format!("{place}, buffer view {view}");
        let found = self.root.buffer_views.get(view).ok_or_else(|| {
            FileError::new(place(), format!("it is referred to, but there are {}", self.root.buffer_views.len()))
        })?;
        let end = found.byte_offset.checked_add(found.byte_length);
        let bytes = end
            .and_then(|end| self.bytes.get(found.byte_offset..end))
            .ok_or_else(|| FileError::new(place(), format!("it ends beyond the file's {} bytes", self.bytes.len())))?;
        let stride = found.byte_stride.unwrap_or(row);
        let last = count.checked_sub(1).map_or(Some(0), |last| last.checked_mul(stride)?.checked_add(row));
        let fits = last.and_then(|last| last.checked_add(offset)).is_some_and(|end| end <= bytes.len());
        if !fits || stride < row {
            return Err(FileError::new(place(), format!("{count} rows of {row} bytes do not fit into it")));
        }
        Ok(Table { bytes: &bytes[offset..], stride, row })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(json: &str) -> Root {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn a_sparse_accessor_replaces_the_rows_it_names() {
        let root = root(
            r#"{"bufferViews": [{"byteLength": 4}, {"byteOffset": 4, "byteLength": 1}, {"byteOffset": 5, "byteLength": 1}],
                "accessors": [{"bufferView": 0, "componentType": 5121, "count": 4, "type": "SCALAR", "sparse": {"count": 1,
                    "indices": {"bufferView": 1, "componentType": 5121}, "values": {"bufferView": 2}}}]}"#,
        );
        let source = Source::new(&root, &[1, 2, 3, 4, 2, 9]);
        assert_eq!(source.floats(0, &[1]).unwrap().values, [1.0, 2.0, 9.0, 4.0]);
    }

    #[test]
    fn normalised_integers_are_shares() {
        let root = root(
            r#"{"bufferViews": [{"byteLength": 3}],
                "accessors": [{"bufferView": 0, "componentType": 5120, "normalized": true, "count": 3, "type": "SCALAR"}]}"#,
        );
        let source = Source::new(&root, &[127, 0, 128]);
        assert_eq!(source.floats(0, &[1]).unwrap().values, [1.0, 0.0, -1.0]);
    }

    #[test]
    fn rows_that_end_beyond_their_view_are_refused() {
        for (count, stride, offset) in [(5, 1, 0), (4, 2, 0), (4, 1, 1), (usize::MAX, 8, 0), (4, usize::MAX, 0)] {
            let text = format!(
                r#"{{"bufferViews": [{{"byteLength": 4, "byteStride": {stride}}}],
                    "accessors": [{{"bufferView": 0, "byteOffset": {offset}, "componentType": 5121, "count": {count}, "type": "SCALAR"}}]}}"#
            );
            let root = root(&text);
            let source = Source::new(&root, &[1, 2, 3, 4]);
            assert!(source.floats(0, &[1]).is_err(), "{count} {stride} {offset}");
        }
    }
}
