//! Pipelines: one for each way in which surfaces are drawn.

use super::{COLOR, DEPTH, SAMPLES};

/// All of them.
pub(super) struct Pipelines {
    pub solid: wgpu::RenderPipeline,
    pub lines: wgpu::RenderPipeline,
    /// Of what one sees through: the depth of the nearest of it first, so that only that is seen.
    pub veil: wgpu::RenderPipeline,
    pub clear: wgpu::RenderPipeline,
    pub edges: wgpu::RenderPipeline,
}

struct Way {
    /// Names in the shader, of corners and of points.
    entries: [&'static str; 2],
    lines: bool,
    /// Whether what faces away is left out.
    culls: bool,
    writes: wgpu::ColorWrites,
    blends: bool,
    keeps_depth: bool,
    compare: wgpu::CompareFunction,
}

const SOLID: Way = Way {
    entries: ["corner", "point"],
    lines: false,
    culls: false,
    writes: wgpu::ColorWrites::ALL,
    blends: false,
    keeps_depth: true,
    compare: wgpu::CompareFunction::Less,
};

impl Pipelines {
    pub fn new(device: &wgpu::Device, bindings: &wgpu::BindGroupLayout) -> Self {
        let shader = device.create_shader_module(wgpu::include_wgsl!("../shader.wgsl"));
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(bindings)],
            immediate_size: 0,
        });
        let make = |way: Way| pipeline(device, &shader, &layout, &way);
        let lines = Way { lines: true, blends: true, keeps_depth: false, ..SOLID };
        let clear = Way { entries: ["corner", "glass"], culls: true, blends: true, ..SOLID };
        Self {
            solid: make(SOLID),
            edges: make(Way { entries: ["edge_corner", "edge"], compare: wgpu::CompareFunction::LessEqual, ..lines }),
            lines: make(lines),
            veil: make(Way { culls: true, writes: wgpu::ColorWrites::empty(), ..SOLID }),
            clear: make(Way { keeps_depth: false, compare: wgpu::CompareFunction::LessEqual, ..clear }),
        }
    }
}

fn pipeline(
    device: &wgpu::Device,
    shader: &wgpu::ShaderModule,
    layout: &wgpu::PipelineLayout,
    way: &Way,
) -> wgpu::RenderPipeline {
    let attributes = [
        wgpu::vertex_attr_array![0 => Float32x3],
        wgpu::vertex_attr_array![1 => Float32x3],
        wgpu::vertex_attr_array![2 => Float32x4],
    ];
    // places, normals and colours lie apart: the first two change with every picture, colours seldom
    let buffers = [0, 1, 2].map(|i| {
        Some(wgpu::VertexBufferLayout {
            array_stride: attributes[i][0].format.size(),
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &attributes[i],
        })
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module: shader,
            entry_point: Some(way.entries[0]),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &buffers,
        },
        primitive: wgpu::PrimitiveState {
            topology: if way.lines { wgpu::PrimitiveTopology::LineList } else { wgpu::PrimitiveTopology::TriangleList },
            cull_mode: way.culls.then_some(wgpu::Face::Back),
            ..wgpu::PrimitiveState::default()
        },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(way.keeps_depth),
            depth_compare: Some(way.compare),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState { count: SAMPLES, ..wgpu::MultisampleState::default() },
        fragment: Some(wgpu::FragmentState {
            module: shader,
            entry_point: Some(way.entries[1]),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(wgpu::ColorTargetState {
                format: COLOR,
                blend: way.blends.then_some(wgpu::BlendState::ALPHA_BLENDING),
                write_mask: way.writes,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}
