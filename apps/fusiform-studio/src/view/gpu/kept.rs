//! Kept: the buffers of one surface on the GPU, and what was last sent to them.

use crate::view::scene::{Stamp, Surface};
use bytemuck::Pod;

/// How much was sent since the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Times places and normals were.
    pub places: usize,
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
    fn send<T: Pod>(&mut self, (device, queue): (&wgpu::Device, &wgpu::Queue), usage: wgpu::BufferUsages, of: &[T]) {
        let bytes: &[u8] = bytemuck::cast_slice(of);
        let size = bytes.len() as u64;
        if self.buffer.as_ref().is_none_or(|buffer| buffer.size() < size) {
            self.buffer = Some(device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("kept"),
                size,
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
        }
        if let Some(buffer) = &self.buffer {
            queue.write_buffer(buffer, 0, bytes);
        }
    }
}

/// The buffers of one surface.
#[derive(Debug, Default)]
pub(super) struct Kept {
    places: Room,
    normals: Room,
    colors: Room,
    indices: Room,
    edges: Room,
    stays: Option<Stamp>,
    painted: Option<Stamp>,
    joined: Option<Stamp>,
    edged: Option<Stamp>,
}

impl Kept {
    /// Send what the buffers do not have yet.
    pub fn send(&mut self, gpu: (&wgpu::Device, &wgpu::Queue), surface: &Surface, sent: &mut Sent) {
        let (vertex, index) = (wgpu::BufferUsages::VERTEX, wgpu::BufferUsages::INDEX);
        if surface.stays.is_none() || self.stays != surface.stays {
            self.places.send(gpu, vertex, surface.places);
            self.normals.send(gpu, vertex, surface.normals);
            self.stays = surface.stays;
            sent.places += 1;
            sent.bytes += size_of_val(surface.places) + size_of_val(surface.normals);
        }
        if self.painted != Some(surface.colors.stamp) {
            self.colors.send(gpu, vertex, surface.colors.of);
            self.painted = Some(surface.colors.stamp);
            sent.colors += 1;
            sent.bytes += size_of_val(surface.colors.of);
        }
        if self.joined != Some(surface.indices.stamp) {
            self.indices.send(gpu, index, surface.indices.of);
            self.joined = Some(surface.indices.stamp);
            sent.indices += 1;
            sent.bytes += size_of_val(surface.indices.of);
        }
        if let Some(edges) = surface.edges
            && self.edged != Some(edges.stamp)
        {
            self.edges.send(gpu, index, edges.of);
            self.edged = Some(edges.stamp);
            sent.indices += 1;
            sent.bytes += size_of_val(edges.of);
        }
    }

    /// Draw so many of its triangles or lines, or of its edges.
    pub fn draw(&self, pass: &mut wgpu::RenderPass, n: usize, edges: bool) {
        let indices = if edges { &self.edges } else { &self.indices };
        let rooms = [&self.places, &self.normals, &self.colors, indices].map(|room| room.buffer.as_ref());
        let [Some(places), Some(normals), Some(colors), Some(indices)] = rooms else { return };
        for (slot, buffer) in (0..).zip([places, normals, colors]) {
            pass.set_vertex_buffer(slot, buffer.slice(..));
        }
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..n as u32, 0, 0..1);
    }
}
