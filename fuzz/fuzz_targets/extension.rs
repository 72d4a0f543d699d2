//! Any JSON as the musculature of a small arm.
#![no_main]

#[path = "../checks.rs"]
#[allow(dead_code, reason = "each target runs one check")]
mod checks;
#[path = "../mutate.rs"]
mod mutate;

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::document(data, size, max_size, seed)
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    checks::extension(data);
});
