//! Graphics: what is asked of the adapter.

use eframe::egui_wgpu::{WgpuConfiguration, WgpuSetup};
use std::sync::Arc;

/// Textures as large as windows may be, or as the adapter has them: it is not refused for want of larger ones.
const LARGEST: u32 = 8192;

/// What eframe asks for by itself, but for what older adapters do not have.
#[must_use]
pub fn graphics() -> WgpuConfiguration {
    let mut options = WgpuConfiguration::default();
    if let WgpuSetup::CreateNew(setup) = &mut options.wgpu_setup {
        let usual = setup.device_descriptor.clone();
        setup.device_descriptor = Arc::new(move |adapter| {
            let mut wanted = usual(adapter);
            wanted.required_limits.max_texture_dimension_2d = LARGEST.min(adapter.limits().max_texture_dimension_2d);
            wanted
        });
    }
    options
}
