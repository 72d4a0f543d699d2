//! GPU: draws geometry into a texture of its own, which panels then show.
//!
//! A texture and not the window: the same code draws stills and tests, and no window needs a depth buffer.

use super::geometry::{Batch, Geometry, Vertex};
use super::{Camera, Picture};
use bytemuck::{Pod, Zeroable};
use wgpu::util::DeviceExt;

/// Samples a pixel.
const SAMPLES: u32 = 4;
const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Frame {
    clip_from_model: [f32; 16],
    eye: [f32; 4],
    key: [f32; 4],
}

/// Pipelines, and the picture as it was last drawn.
pub struct Gpu {
    solid: wgpu::RenderPipeline,
    clear: wgpu::RenderPipeline,
    lines: wgpu::RenderPipeline,
    frame: wgpu::Buffer,
    bindings: wgpu::BindGroup,
    target: Option<Target>,
}

struct Target {
    size: [u32; 2],
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    samples: wgpu::TextureView,
    depth: wgpu::TextureView,
}

impl Gpu {
    /// On a device.
    #[must_use]
    pub fn new(device: &wgpu::Device) -> Self {
        let shader = device.create_shader_module(wgpu::include_wgsl!("shader.wgsl"));
        let entry = wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let layout = device
            .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("frame"), entries: &[entry] });
        let frame = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<Frame>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("frame"),
            layout: &layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: frame.as_entire_binding() }],
        });
        let pipeline = |kind| pipeline(device, &shader, &layout, kind);
        let (solid, clear, lines) = (pipeline(Kind::Solid), pipeline(Kind::Clear), pipeline(Kind::Lines));
        Self { solid, clear, lines, frame, bindings, target: None }
    }

    /// Draw; the texture is another one only when its size is.
    pub fn draw(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        (camera, background): (&Camera, [f32; 3]),
        geometry: &Geometry,
        size: [u32; 2],
    ) -> (&wgpu::TextureView, bool) {
        let most = device.limits().max_texture_dimension_2d;
        let size = size.map(|n| n.clamp(1, most));
        let is_new = self.target.as_ref().is_none_or(|target| target.size != size);
        if is_new {
            self.target = Some(Target::new(device, size));
        }
        let aspect = size[0] as f32 / size[1] as f32;
        let [right, up] = camera.axes();
        let key = (camera.back() + 0.9 * up - 0.6 * right).normalize();
        let frame = Frame {
            clip_from_model: camera.matrix(aspect).to_cols_array(),
            eye: camera.eye().extend(1.0).to_array(),
            key: key.extend(0.0).to_array(),
        };
        queue.write_buffer(&self.frame, 0, bytemuck::bytes_of(&frame));
        let batches = [
            (&self.solid, buffers(device, &geometry.solid)),
            (&self.lines, buffers(device, &geometry.lines)),
            (&self.clear, buffers(device, &geometry.clear)),
        ];
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if let Some(target) = &self.target {
            let mut pass = target.pass(&mut encoder, background);
            pass.set_bind_group(0, &self.bindings, &[]);
            for (pipeline, (vertices, indices, n)) in batches.iter().filter_map(|(p, b)| Some((p, b.as_ref()?))) {
                pass.set_pipeline(pipeline);
                pass.set_vertex_buffer(0, vertices.slice(..));
                pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
                pass.draw_indexed(0..*n, 0, 0..1);
            }
        }
        queue.submit([encoder.finish()]);
        let target = self.target.get_or_insert_with(|| Target::new(device, size));
        (&target.view, is_new)
    }

    /// The picture as it was last drawn, read back.
    #[must_use]
    pub fn read(&self, device: &wgpu::Device, queue: &wgpu::Queue) -> Option<Picture> {
        let target = self.target.as_ref()?;
        let [width, height] = target.size;
        let row = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: u64::from(row) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_texture_to_buffer(
            target.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None },
            },
            target.texture.size(),
        );
        queue.submit([encoder.finish()]);
        buffer.slice(..).map_async(wgpu::MapMode::Read, |_| {});
        device.poll(wgpu::PollType::wait_indefinitely()).ok()?;
        let bytes = buffer.slice(..).get_mapped_range().ok()?;
        let rows = bytes.chunks_exact(row as usize);
        let rgb = rows.flat_map(|row| row[..4 * width as usize].chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]));
        Some(Picture { width, height, pixels: rgb.collect() })
    }
}

impl Target {
    fn new(device: &wgpu::Device, size: [u32; 2]) -> Self {
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

    fn pass<'a>(&self, encoder: &'a mut wgpu::CommandEncoder, [r, g, b]: [f32; 3]) -> wgpu::RenderPass<'a> {
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
}

fn buffers(device: &wgpu::Device, batch: &Batch) -> Option<(wgpu::Buffer, wgpu::Buffer, u32)> {
    if batch.indices.is_empty() {
        return None;
    }
    let make = |contents: &[u8], usage| {
        device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: Some("batch"), contents, usage })
    };
    let vertices = make(bytemuck::cast_slice(&batch.vertices), wgpu::BufferUsages::VERTEX);
    let indices = make(bytemuck::cast_slice(&batch.indices), wgpu::BufferUsages::INDEX);
    Some((vertices, indices, batch.indices.len() as u32))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Solid,
    Clear,
    Lines,
}

fn pipeline(
    device: &wgpu::Device,
    shader: &wgpu::ShaderModule,
    layout: &wgpu::BindGroupLayout,
    kind: Kind,
) -> wgpu::RenderPipeline {
    let attributes = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x4];
    let corners = wgpu::VertexBufferLayout {
        array_stride: size_of::<Vertex>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &attributes,
    };
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    let lines = kind == Kind::Lines;
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: shader,
            entry_point: Some("corner"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[Some(corners)],
        },
        primitive: wgpu::PrimitiveState {
            topology: if lines { wgpu::PrimitiveTopology::LineList } else { wgpu::PrimitiveTopology::TriangleList },
            // what one sees through is seen once
            cull_mode: (kind == Kind::Clear).then_some(wgpu::Face::Back),
            ..wgpu::PrimitiveState::default()
        },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Less),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState { count: SAMPLES, ..wgpu::MultisampleState::default() },
        fragment: Some(wgpu::FragmentState {
            module: shader,
            entry_point: Some("point"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(wgpu::ColorTargetState {
                format: COLOR,
                blend: (kind != Kind::Solid).then_some(wgpu::BlendState::ALPHA_BLENDING),
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}
