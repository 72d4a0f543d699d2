//! GPU: draws a scene into a texture of its own, which panels then show.
//!
//! A texture and not the window: the same code draws stills and tests, and no window needs a depth buffer. Buffers stay
//! from picture to picture; places and normals go into them from where the solver left them.

mod kept;
mod pipelines;
mod reading;
mod refused;
mod sections;
mod target;

use super::Camera;
use super::scene::{Likeness, Look, Scene, Slot};
use bytemuck::{Pod, Zeroable};
use kept::Kept;
pub use kept::Sent;
use pipelines::Pipelines;
pub use reading::Reading;
pub use refused::{Refused, fault as refusal};
use target::Target;

/// Samples a pixel.
const SAMPLES: u32 = 4;
const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Depths nearer than this are for what is drawn before everything else.
const FRONT: f32 = 0.1;

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Frame {
    clip_from_model: [f32; 16],
    eye: [f32; 4],
    key: [f32; 4],
}

/// Pipelines, buffers, and the picture as it was last drawn.
pub struct Gpu {
    pipelines: Pipelines,
    frame: wgpu::Buffer,
    bindings: wgpu::BindGroup,
    kept: [Kept; Slot::COUNT],
    sent: Sent,
    target: Option<Target>,
    drawn: Option<(Likeness, Camera, [f32; 3])>, // what its target shows
}

impl Gpu {
    /// On a device.
    #[must_use]
    pub fn new(device: &wgpu::Device) -> Self {
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
        let pipelines = Pipelines::new(device, &layout);
        Self { pipelines, frame, bindings, kept: Default::default(), sent: Sent::default(), target: None, drawn: None }
    }

    /// Send what of a scene its buffers do not have yet; [`Gpu::draw`] does so by itself.
    pub fn send(&mut self, gpu: (&wgpu::Device, &wgpu::Queue), scene: &Scene) {
        for (kept, surface) in self.kept.iter_mut().zip(scene.surfaces()) {
            if let Some(surface) = surface {
                kept.send(gpu, &self.pipelines.sections, surface, &mut self.sent);
            }
        }
    }

    /// How much was sent since the beginning.
    #[must_use]
    pub fn sent(&self) -> Sent {
        self.sent
    }

    /// Draw, unless it shows that already; the texture is another one only when its size is. The background's colour is as a
    /// screen wants it.
    pub fn draw(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        (camera, background): (&Camera, [f32; 3]),
        scene: &Scene,
        size: [u32; 2],
    ) -> (&wgpu::TextureView, bool) {
        let most = device.limits().max_texture_dimension_2d;
        let size = size.map(|n| n.clamp(1, most));
        let is_new = self.target.as_ref().is_none_or(|target| target.size != size);
        if is_new {
            self.target = Some(Target::new(device, size));
        }
        let wanted = (scene.likeness(), *camera, background);
        if is_new || self.drawn.as_ref() != Some(&wanted) {
            self.paint((device, queue), (camera, background), scene, size);
            self.drawn = Some(wanted);
        }
        let target = self.target.get_or_insert_with(|| Target::new(device, size));
        (&target.view, is_new)
    }

    fn paint(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        (camera, background): (&Camera, [f32; 3]),
        scene: &Scene,
        size: [u32; 2],
    ) {
        self.send((device, queue), scene);
        queue.write_buffer(&self.frame, 0, bytemuck::bytes_of(&Frame::new(camera, size)));
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if let Some(target) = &self.target {
            let mut pass = target.pass(&mut encoder, background);
            pass.set_bind_group(0, &self.bindings, &[]);
            self.draw_into(&mut pass, scene, size.map(|n| n as f32));
        }
        queue.submit([encoder.finish()]);
    }

    fn draw_into(&self, pass: &mut wgpu::RenderPass, scene: &Scene, [width, height]: [f32; 2]) {
        let Pipelines { solid, lines, veil, clear, edges, lofted, lofted_edges, .. } = &self.pipelines;
        let all = || self.kept.iter().zip(scene.surfaces()).filter_map(|(kept, of)| Some((kept, of.as_ref()?)));
        let each = |pass: &mut wgpu::RenderPass, pipelines: [&wgpu::RenderPipeline; 2], look: Look| {
            for (kept, surface) in all().filter(|(_, surface)| surface.look == look) {
                pass.set_pipeline(pipelines[usize::from(surface.corners.are_lofted())]);
                kept.draw(pass, &surface.corners, surface.indices.of.len(), false);
            }
        };
        pass.set_viewport(0.0, 0.0, width, height, FRONT, 1.0);
        each(pass, [solid, lofted], Look::Solid);
        each(pass, [lines; 2], Look::Lines);
        each(pass, [veil; 2], Look::Clear);
        each(pass, [clear; 2], Look::Clear);
        for (kept, surface) in all() {
            if let Some(of) = surface.edges {
                pass.set_pipeline([edges, lofted_edges][usize::from(surface.corners.are_lofted())]);
                kept.draw(pass, &surface.corners, of.of.len(), true);
            }
        }
        pass.set_viewport(0.0, 0.0, width, height, 0.0, FRONT);
        each(pass, [solid, lofted], Look::Front);
        each(pass, [veil; 2], Look::FrontClear);
        each(pass, [clear; 2], Look::FrontClear);
    }

    /// The picture as it was last drawn, on its way back; none where nothing was.
    #[must_use]
    pub fn read(&self, device: &wgpu::Device, queue: &wgpu::Queue) -> Option<Reading> {
        Some(self.target.as_ref()?.read(device, queue))
    }
}

impl Frame {
    fn new(camera: &Camera, size: [u32; 2]) -> Self {
        let [right, up] = camera.axes();
        let key = (camera.back() + 0.9 * up - 0.6 * right).normalize();
        Self {
            clip_from_model: camera.matrix(size[0] as f32 / size[1] as f32).to_cols_array(),
            eye: camera.eye().extend(1.0).to_array(),
            key: key.extend(0.0).to_array(),
        }
    }
}
