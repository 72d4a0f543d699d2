//! `fusiform-studio [FILE.glb]`: opens the window. In a browser the page opens it: see `web`.

#[cfg(not(target_arch = "wasm32"))]
mod desktop;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    desktop::main()
}

#[cfg(target_arch = "wasm32")]
fn main() {
    // what the page calls is in the library, which would not be linked if nothing here spoke of it
    let _ = fusiform_studio::web::start;
}
