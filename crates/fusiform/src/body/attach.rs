//! Attach: what the pose does to joints and to the ends of muscles.
//!
//! In  the pose (`model_from_joint`), bind matrices, attachment points in joint space.
//! Out M B⁻¹ of every joint, its turn since bind, origin and insertion of every muscle in model space.

use super::frame;
use super::muscles::MuscleTable;
use glam::{Affine3A, Mat3, Vec3};

/// A joint's matrix since bind, row by row: what skinning streams.
pub type Rows = [f32; 12];

/// The rows of a matrix.
#[inline(always)]
pub fn rows_of(m: &Affine3A) -> Rows {
    let (x, y, z, t) = (m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis, m.translation);
    [x.x, y.x, z.x, t.x, x.y, y.y, z.y, t.y, x.z, y.z, z.z, t.z]
}

/// The matrix of those rows.
pub fn matrix_of(m: &Rows) -> Affine3A {
    Affine3A::from_cols_array(&[m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10], m[3], m[7], m[11]])
}

/// Where those rows take a point.
#[inline(always)]
pub fn carry(m: &Rows, p: Vec3) -> Vec3 {
    Vec3::new(
        m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3],
        m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7],
        m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11],
    )
}

/// M B⁻¹ of every joint as rows, and the rotation in it.
pub fn joints(pose: &[Affine3A], bind_from_model: &[Affine3A], rows: &mut [Rows], turn: &mut [Mat3]) {
    let n = pose.len();
    let (bind_from_model, rows, turn) = (&bind_from_model[..n], &mut rows[..n], &mut turn[..n]);
    for j in 0..n {
        let m = pose[j] * bind_from_model[j];
        rows[j] = rows_of(&m);
        turn[j] = frame::turn_of(&m).into();
    }
}

/// Both ends of every muscle, metres, model space.
pub fn ends(muscles: &MuscleTable, pose: &[Affine3A], origin: &mut [Vec3], insertion: &mut [Vec3]) {
    for m in 0..muscles.len() {
        origin[m] = pose[usize::from(muscles.origin_joint[m])].transform_point3(muscles.origin[m]);
        insertion[m] = pose[usize::from(muscles.insertion_joint[m])].transform_point3(muscles.insertion[m]);
    }
}
