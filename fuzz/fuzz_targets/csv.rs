//! Any bytes as columns over time, and those as EMG.
#![no_main]

#[path = "../checks.rs"]
#[allow(dead_code, reason = "each target runs one check")]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    checks::csv(data);
});
