//! Baking: solved frames into what any player knows.
//!
//! Pure arrays in, pure arrays out; files are somebody else's. A bake goes one of two ways:
//!
//! ```text
//!                      ┌─> unskin ──> factor ──> morph targets, weights per frame
//! solved skin, pose ───┤
//!                      └─> decompose ──> helper joints, their turns per frame, new vertex weights
//! ```
//!
//! | step | what it does | equation |
//! |---|---|---|
//! | [`exported_weights`] | the few influences a player reads, summing to 1 | |
//! | [`unskin`] | a solved frame back to bind space, less the bind skin | `r = (sum_i w_i S_i)^-1 x - v` |
//! | [`factor`] | all frames' residuals as few targets under a tolerance | `max |r_fv - sum_k W_fk T_kv| <= tolerance` |
//! | [`decompose`] | rigid helper joints instead of targets | `x_fv ~ sum_j w_vj S_j v + sum_h w_vh S_p(h) L_h v` |
//!
//! Same input, same bits, on any number of threads: chunks and the order of sums are fixed, and the matrix library
//! runs on the thread that calls it.
//!
//! ```
//! use fusiform_bake::{FactorSettings, factor};
//! use glam::Vec3;
//!
//! // three frames of two vertices: one bulge, growing
//! let bulge = [Vec3::Y * 0.02, Vec3::Z * 0.01];
//! let residual: Vec<Vec3> = [0.0, 0.5, 1.0].iter().flat_map(|&w| bulge.map(|r| r * w)).collect();
//! let settings = FactorSettings { tolerance: 1e-4, ..FactorSettings::default() };
//! let factors = factor(&residual, 2, &settings, &[], |_| Ok(()))?;
//! assert_eq!(factors.n_target, 1);
//! assert_eq!(factors.weights[0], 0.0, "rest stays exact");
//! # Ok::<(), fusiform_bake::BakeError>(())
//! ```

mod cache;
mod check;
mod error;
mod factor;
mod frames;
mod helpers;
mod joints;
mod morphs;
mod normals;
mod one_way;
mod parts;
mod share;
mod size;
mod small;
mod surroundings;
mod take;
mod unskin;
mod watch;

pub use cache::{Cache, read_cache_back, write_cache};
pub use check::ClipError;
pub use error::BakeError;
pub use factor::{ClipFactors, FactorSettings, Factors, factor};
pub use frames::{FrameSettings, Frames, solve_frames};
pub use helpers::bake_joints;
pub use joints::{Decomposition, JointSettings, Sequence, SweepError, decompose};
pub use morphs::{BakeSettings, Baked, BakedClip, INFLUENCES, Rigged, bake_morphs};
pub use size::{Shortfall, check_size, shortfall};
pub use surroundings::{Blow, Surroundings};
pub use take::{FramePart, HELD, Start, Take, comes_round, frame_parts, lap, parts_of_frame};
pub use unskin::{exported_weights, unskin};
pub use watch::Stopped;
