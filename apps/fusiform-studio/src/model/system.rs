//! System: what is not the same on a computer and in a browser: files, the clock, other sessions, work beside the window.
//! Whatever of that the studio needs goes through here, so that everything else is the same in both.
//!
//! In a browser files lie in memory. What is dropped on the page arrives there, what is written leaves it as a download,
//! and what recovery keeps goes to the browser's own store.

#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(target_arch = "wasm32")]
mod web;

#[cfg(not(target_arch = "wasm32"))]
pub use native::{
    HAS_FOLDERS, Held, Instant, beside, choose, drawn, finish, hold, in_pool, is_held, list, make_folder, modified,
    now, place_beside, read, refused, remove, spawn, spawn_drawing, takes_drops, this_process, write,
};
#[cfg(target_arch = "wasm32")]
pub use web::{
    HAS_FOLDERS, Held, Instant, KEPT, arrive, beside, choose, drawn, finish, hold, in_pool, is_held, list, make_folder,
    modified, now, place_beside, put, read, refuse, refused, remove, set_processes, spawn, spawn_drawing, take_arrived,
    takes_drops, this_process, write,
};
