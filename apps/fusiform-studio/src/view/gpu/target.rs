//! Target: the texture a picture is drawn into, and read back from.

use super::reading::Reading;
use super::{COLOR, DEPTH, SAMPLES};

pub(super) struct Target {
    pub size: [u32; 2],
    pub view: wgpu::TextureView,
    texture: wgpu::Texture,
    samples: wgpu::TextureView,
    depth: wgpu::TextureView,
}

impl Target {
    pub fn new(device: &wgpu::Device, size: [u32; 2]) -> Self {
        let texture = |format, samples, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some("view"),
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            })
        };
        let drawn = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let view = |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
        let shown = texture(COLOR, 1, drawn | wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC);
        Self {
            size,
            view: view(&shown),
            samples: view(&texture(COLOR, SAMPLES, drawn)),
            depth: view(&texture(DEPTH, SAMPLES, drawn)),
            texture: shown,
        }
    }

    pub fn pass<'a>(&self, encoder: &'a mut wgpu::CommandEncoder, [r, g, b]: [f32; 3]) -> wgpu::RenderPass<'a> {
        let background = wgpu::Color { r: r.into(), g: g.into(), b: b.into(), a: 1.0 };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("view"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.samples,
                depth_slice: None,
                resolve_target: Some(&self.view),
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(background), store: wgpu::StoreOp::Discard },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Discard }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        })
    }

    pub fn read(&self, device: &wgpu::Device, queue: &wgpu::Queue) -> Reading {
        Reading::begin(device, queue, &self.texture)
    }
}
