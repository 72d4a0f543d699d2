//! Any bytes as tracks of markers.
#![no_main]

#[path = "../checks.rs"]
#[allow(dead_code, reason = "each target runs one check")]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    checks::trc(data);
});
