//! Reading: a picture on its way back from the GPU. In a browser nobody may stand and wait for it, so it is a future.

use crate::model::system;
use crate::view::Picture;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};

/// A picture that was drawn and comes back when the GPU has got so far; what is drawn meanwhile does not change it.
pub struct Reading {
    device: wgpu::Device,
    buffer: wgpu::Buffer,
    size: [u32; 2],
    arrived: Arc<Mutex<Arrived>>,
}

#[derive(Default)]
struct Arrived {
    whole: Option<bool>,
    waiting: Option<Waker>,
}

impl Reading {
    pub(super) fn begin(device: &wgpu::Device, queue: &wgpu::Queue, texture: &wgpu::Texture) -> Self {
        let size = [texture.width(), texture.height()];
        let row = row_bytes(size[0]);
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: u64::from(row) * u64::from(size[1]),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None },
            },
            texture.size(),
        );
        queue.submit([encoder.finish()]);
        let arrived = Arc::new(Mutex::new(Arrived::default()));
        let theirs = arrived.clone();
        buffer.slice(..).map_async(wgpu::MapMode::Read, move |mapped| {
            let mut arrived = theirs.lock().unwrap_or_else(PoisonError::into_inner);
            arrived.whole = Some(mapped.is_ok());
            if let Some(waker) = arrived.waiting.take() {
                waker.wake();
            }
        });
        Self { device: device.clone(), buffer, size, arrived }
    }

    /// The picture; none where the adapter was lost on the way.
    pub async fn picture(self) -> Option<Picture> {
        system::finish(&self.device);
        let whole = poll_fn(|context| {
            let mut arrived = self.arrived.lock().unwrap_or_else(PoisonError::into_inner);
            arrived.waiting = Some(context.waker().clone());
            arrived.whole.map_or(Poll::Pending, Poll::Ready)
        });
        if !whole.await {
            return None;
        }
        let [width, height] = self.size;
        let bytes = self.buffer.slice(..).get_mapped_range().ok()?;
        let rows = bytes.chunks_exact(row_bytes(width) as usize);
        let rgb = rows.flat_map(|row| row[..4 * width as usize].chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]));
        Some(Picture { width, height, pixels: rgb.collect() })
    }
}

/// Bytes from one row of a picture to the next.
fn row_bytes(width: u32) -> u32 {
    (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}
