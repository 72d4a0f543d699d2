//! Measuring the frame as a game would meet it: other work between calls, variants interleaved, medians and ratios.

pub mod crowd;
pub mod frame_loop;
pub mod glam_loop;
pub mod motion;
pub mod paper;
pub mod row;
pub mod subject;
pub mod tissue;
