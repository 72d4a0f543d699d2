//! Pipelines: one for each way in which surfaces are drawn.

use super::{COLOR, DEPTH, SAMPLES, sections};

/// All of them.
pub(super) struct Pipelines {
    pub solid: wgpu::RenderPipeline,
    pub lines: wgpu::RenderPipeline,
    /// Of what one sees through: the depth of the nearest of it first, so that only that is seen.
    pub veil: wgpu::RenderPipeline,
    pub clear: wgpu::RenderPipeline,
    pub edges: wgpu::RenderPipeline,
    /// Solid, and edges, of corners in cross-sections.
    pub lofted: wgpu::RenderPipeline,
    pub lofted_edges: wgpu::RenderPipeline,
    /// Of the cross-sections.
    pub sections: wgpu::BindGroupLayout,
}

#[derive(Clone, Copy)]
struct Way {
    /// Names in the shader, of corners and of points.
    entries: [&'static str; 2],
    /// Whether corners are in cross-sections.
    lofted: bool,
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
    lofted: false,
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
        let sections = sections::layout(device);
        let layouts = [&[Some(bindings)][..], &[Some(bindings), Some(&sections)]].map(|bound| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: None,
                bind_group_layouts: bound,
                immediate_size: 0,
            })
        });
        let make = |way: Way| pipeline(device, &shader, &layouts[usize::from(way.lofted)], &way);
        let lines = Way { lines: true, blends: true, keeps_depth: false, ..SOLID };
        let clear = Way { entries: ["corner", "glass"], culls: true, blends: true, ..SOLID };
        let edges = Way { entries: ["edge_corner", "edge"], compare: wgpu::CompareFunction::LessEqual, ..lines };
        Self {
            lofted: make(Way { entries: ["lofted_corner", "point"], lofted: true, ..SOLID }),
            lofted_edges: make(Way { entries: ["lofted_edge_corner", "edge"], lofted: true, ..edges }),
            sections,
            solid: make(SOLID),
            edges: make(edges),
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
    // places, normals and colours lie apart: the first two change with every picture, colours seldom
    let placed: [&[wgpu::VertexAttribute]; 3] = [
        &wgpu::vertex_attr_array![0 => Float32x3],
        &wgpu::vertex_attr_array![1 => Float32x3],
        &wgpu::vertex_attr_array![2 => Float32x4],
    ];
    let lofted: [&[wgpu::VertexAttribute]; 2] = [
        &wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x2, 3 => Float32x2, 4 => Float32x2, 5 => Uint32x4],
        &wgpu::vertex_attr_array![2 => Float32x4],
    ];
    let attributes = if way.lofted { &lofted[..] } else { &placed[..] };
    let buffers: Vec<_> = attributes
        .iter()
        .map(|attributes| {
            Some(wgpu::VertexBufferLayout {
                array_stride: attributes.iter().map(|attribute| attribute.format.size()).sum(),
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes,
            })
        })
        .collect();
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
