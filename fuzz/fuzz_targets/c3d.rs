//! Any bytes as a recording of a laboratory.
#![no_main]

#[path = "../checks.rs"]
#[allow(dead_code, reason = "each target runs one check")]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    checks::c3d(data);
});
