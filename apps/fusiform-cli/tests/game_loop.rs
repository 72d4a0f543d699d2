//! The example that game developers copy: it runs, allocates nothing in its loop, and rolls back to the bit.

#[path = "../examples/game_loop.rs"]
#[allow(dead_code)]
mod game_loop;

use fusiform_files::gltf::{Gltf, Scene};
use game_loop::{Game, load};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    // of this thread only: the test runner allocates on its own whenever it likes
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged; counting touches no memory of the caller's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|n| n.set(n.get() + 1));
        // SAFETY: the caller's own promise
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's own promise
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn a_game_loads_a_rigged_file_and_steps_many_of_it_without_allocating() {
    let athlete = fusiform_athlete::athlete(3_700).unwrap();
    let mut file = Gltf::from_character(&athlete.character);
    let origin = Scene::read(&file).unwrap().origin;
    file.set_musculature(&origin, &athlete.musculature);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hero_muscles.glb");
    std::fs::write(&path, file.to_glb().unwrap()).unwrap();

    let (character, musculature) = load(&path).unwrap();
    let mut game = Game::new(&character, &musculature, 3).unwrap();
    for _ in 0..5 {
        game.frame();
    }
    let saved = game.save();
    let before = ALLOCATIONS.get();
    for _ in 0..10 {
        game.frame();
    }
    assert_eq!(ALLOCATIONS.get() - before, 0, "a frame of the game allocates nothing");
    let bits = |game: &Game| -> Vec<u32> {
        let (positions, normals) = game.vertices(2);
        positions.iter().chain(normals).flat_map(|v| v.to_array()).map(f32::to_bits).collect()
    };
    let first = bits(&game);
    assert_eq!(game.vertices(0).0.len(), character.vertex_count());
    assert_ne!(game.vertices(0).0, game.vertices(1).0, "each is at its own place in the clip");
    game.restore(&saved);
    for _ in 0..10 {
        game.frame();
    }
    assert_eq!(bits(&game), first, "rolled back and played again");
    let plain = folder.path().join("plain.glb");
    std::fs::write(&plain, Gltf::from_character(&character).to_glb().unwrap()).unwrap();
    assert!(load(&plain).unwrap_err().to_string().contains("fusiform rig"), "a file without muscles says what to do");
}
