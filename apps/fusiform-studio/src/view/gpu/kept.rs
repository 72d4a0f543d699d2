//! Kept: the buffers of one surface on the GPU, and what was last sent to them.

use super::sections::Sections;
use crate::view::scene::{Corners, Stamp, Stamped, Surface};
use bytemuck::Pod;

/// How much was sent since the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Times places and normals were, or sections.
    pub places: usize,
    /// Times corners of sections were.
    pub corners: usize,
    /// Times colours were.
    pub colors: usize,
    /// Times triangles, lines or edges were.
    pub indices: usize,
    /// Bytes in all.
    pub bytes: usize,
}

/// A buffer that grows when it must.
#[derive(Debug, Default)]
struct Room {
    buffer: Option<wgpu::Buffer>,
}

impl Room {
    fn all(&self) -> Option<wgpu::BufferSlice<'_>> {
        self.buffer.as_ref().map(|buffer| buffer.slice(..))
    }

    /// Parts one behind the other; once for all, since each time costs as much as some thousand bytes.
    fn send<const N: usize>(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        usage: wgpu::BufferUsages,
        parts: [&[u8]; N],
    ) {
        let size = parts.iter().map(|part| part.len() as u64).sum();
        if self.buffer.as_ref().is_none_or(|buffer| buffer.size() < size) {
            self.buffer = Some(device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("kept"),
                size,
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
        }
        let room = self.buffer.as_ref().zip(wgpu::BufferSize::new(size));
        let Some(mut room) = room.and_then(|(buffer, size)| queue.write_buffer_with(buffer, 0, size)) else { return };
        let mut at = 0;
        for part in parts {
            room.slice(at..at + part.len()).copy_from_slice(part);
            at += part.len();
        }
    }
}

/// What is sent when its stamp is another.
#[derive(Debug, Default)]
struct Stays {
    room: Room,
    stamp: Option<Stamp>,
}

impl Stays {
    /// How many bytes were sent, if any.
    fn send<T: Pod>(
        &mut self,
        gpu: (&wgpu::Device, &wgpu::Queue),
        usage: wgpu::BufferUsages,
        of: Stamped<T>,
    ) -> Option<usize> {
        if self.stamp == Some(of.stamp) {
            return None;
        }
        self.room.send(gpu, usage, [bytemuck::cast_slice(of.of)]);
        self.stamp = Some(of.stamp);
        Some(size_of_val(of.of))
    }
}

/// The buffers of one surface.
#[derive(Debug, Default)]
pub(super) struct Kept {
    places: Room, // and normals behind them
    stays: Option<Stamp>,
    corners: Stays,
    sections: Sections,
    colors: Stays,
    indices: Stays,
    edges: Stays,
}

const VERTEX: wgpu::BufferUsages = wgpu::BufferUsages::VERTEX;
const INDEX: wgpu::BufferUsages = wgpu::BufferUsages::INDEX;

impl Kept {
    /// Send what the buffers do not have yet.
    pub fn send(
        &mut self,
        gpu: (&wgpu::Device, &wgpu::Queue),
        layout: &wgpu::BindGroupLayout,
        surface: &Surface,
        sent: &mut Sent,
    ) {
        match surface.corners {
            Corners::Placed { places, normals, stays } => {
                if stays.is_none() || self.stays != stays {
                    self.places.send(gpu, VERTEX, [bytemuck::cast_slice(places), bytemuck::cast_slice(normals)]);
                    self.stays = stays;
                    sent.places += 1;
                    sent.bytes += size_of_val(places) + size_of_val(normals);
                }
            }
            Corners::Lofted { corners, sections } => {
                sent.places += 1;
                sent.bytes += self.sections.send(gpu, layout, sections);
                count(self.corners.send(gpu, VERTEX, corners), &mut sent.corners, &mut sent.bytes);
            }
        }
        count(self.colors.send(gpu, VERTEX, surface.colors), &mut sent.colors, &mut sent.bytes);
        count(self.indices.send(gpu, INDEX, surface.indices), &mut sent.indices, &mut sent.bytes);
        if let Some(edges) = surface.edges {
            count(self.edges.send(gpu, INDEX, edges), &mut sent.indices, &mut sent.bytes);
        }
    }

    /// Draw so many of its triangles or lines, or of its edges.
    pub fn draw(&self, pass: &mut wgpu::RenderPass, corners: &Corners, n: usize, edges: bool) {
        let slots = match corners {
            Corners::Placed { places, .. } => {
                let (all, normals) = (self.places.buffer.as_ref(), size_of_val(*places) as u64);
                let [places, normals] = [all.map(|all| all.slice(..normals)), all.map(|all| all.slice(normals..))];
                [places, normals, self.colors.room.all()]
            }
            Corners::Lofted { .. } => {
                pass.set_bind_group(1, self.sections.bindings(), &[]);
                [self.corners.room.all(), self.colors.room.all(), None]
            }
        };
        for (slot, room) in (0..).zip(slots) {
            if let Some(room) = room {
                pass.set_vertex_buffer(slot, room);
            }
        }
        let Some(indices) = (if edges { &self.edges } else { &self.indices }).room.all() else { return };
        pass.set_index_buffer(indices, wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..n as u32, 0, 0..1);
    }
}

/// One more was sent, if it was.
fn count(bytes: Option<usize>, times: &mut usize, all: &mut usize) {
    if let Some(bytes) = bytes {
        *times += 1;
        *all += bytes;
    }
}
