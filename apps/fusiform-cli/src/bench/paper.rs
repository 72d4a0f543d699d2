//! What Lee and Ashraf measured in 2007 on one 2.6 GHz core.
//!
//! Lee, Ashraf: *Simplified Muscle Dynamics for Appealing Real-Time Skin Deformation*, tables 1 and 2.

/// Table 1: muscles, and frames a second of their dynamics without skin.
pub const DYNAMICS: [(usize, f64); 10] = [
    (20, 267.0),
    (40, 157.0),
    (60, 111.0),
    (80, 85.0),
    (100, 70.0),
    (120, 59.0),
    (140, 50.0),
    (160, 44.0),
    (180, 39.0),
    (200, 35.0),
];

/// Columns of table 2: vertices.
pub const VERTICES: [usize; 4] = [5_000, 10_000, 15_000, 20_000];

/// Table 2: muscles, and frames a second with skin for each column.
pub const SKINNING: [(usize, [f64; 4]); 9] = [
    (0, [146.0, 105.0, 68.0, 58.0]),
    (10, [92.0, 53.0, 35.0, 29.0]),
    (20, [81.0, 48.0, 32.0, 27.0]),
    (30, [73.0, 43.0, 30.0, 25.0]),
    (40, [67.0, 41.0, 28.0, 24.0]),
    (50, [62.0, 38.0, 27.0, 23.0]),
    (60, [59.0, 36.0, 26.0, 22.0]),
    (70, [57.0, 34.0, 25.0, 21.0]),
    (80, [55.0, 33.0, 24.0, 20.0]),
];
