//! Sections: cross-sections in a texture, where every corner finds its own; WebGL2 lets corners read nothing else so large.

use fusiform::body::Section;

/// A row of the texture has so many sections, of three texels each: as the shader counts.
const ROW: usize = 128;
const TEXELS: u32 = 3;
const SECTION_BYTES: u32 = TEXELS * 16;

/// What is bound for those who read it.
#[must_use]
pub(super) fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = wgpu::BindGroupLayoutEntry {
        binding: 0,
        visibility: wgpu::ShaderStages::VERTEX,
        ty: wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: false },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        },
        count: None,
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("sections"), entries: &[entry] })
}

/// The texture, which grows when it must, and what is sent to it.
#[derive(Debug, Default)]
pub(super) struct Sections {
    texture: Option<(wgpu::Texture, wgpu::BindGroup)>,
    texels: Vec<[f32; 4]>,
}

impl Sections {
    /// Returns how many bytes were sent.
    pub fn send(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        layout: &wgpu::BindGroupLayout,
        sections: &[Section],
    ) -> usize {
        let rows = sections.len().div_ceil(ROW);
        self.texels.clear();
        self.texels.extend(sections.iter().flat_map(|of| [of.center, of.b, of.c].map(|v| v.extend(0.0).to_array())));
        self.texels.resize(rows * ROW * TEXELS as usize, [0.0; 4]);
        let size = wgpu::Extent3d { width: ROW as u32 * TEXELS, height: rows as u32, depth_or_array_layers: 1 };
        if self.texture.as_ref().is_none_or(|(texture, _)| texture.height() < size.height) {
            self.texture = Some(room(device, layout, size));
        }
        let bytes: &[u8] = bytemuck::cast_slice(&self.texels);
        if let Some((texture, _)) = &self.texture {
            let rows = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(ROW as u32 * SECTION_BYTES),
                rows_per_image: None,
            };
            queue.write_texture(texture.as_image_copy(), bytes, rows, size);
        }
        bytes.len()
    }

    pub fn bindings(&self) -> Option<&wgpu::BindGroup> {
        self.texture.as_ref().map(|(_, bindings)| bindings)
    }
}

fn room(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    size: wgpu::Extent3d,
) -> (wgpu::Texture, wgpu::BindGroup) {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("sections"),
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba32Float,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("sections"),
        layout,
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) }],
    });
    (texture, bindings)
}
