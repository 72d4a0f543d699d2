//! Hold: what the skin over a muscle does by its joints alone, ring by ring.
//!
//! A belly slides along the limb as it shortens, sinks into it where its straight path cuts the corner of a bent joint,
//! and turns with its own bones. Skin does little of that. So each ring knows where the joints of the skin that follows
//! it would carry it, H, and of its own motion since bind, T, the skin takes part in a share
//! ([`Follow`](crate::musculature::Follow)):
//!
//! ```text
//! d = p − H p₀                                       p the ring's centre now, without jiggle; p₀ at bind
//! d′ = d, its part along o times 1 outward and times `sink` inward, the rest times `slide`         o = H b₀
//! linear part  L = H + turn (T − H)                  centre  H p₀ + d′ + jiggle
//! ```
//!
//! Ours; with all shares at 1 it is Lee's layer to the letter. At rest H and T are the identity, whatever the shares.

use super::attach::{self, Rows};
use super::blend::Pull;
use super::lanes::{LANES, Lane};
use super::muscles::MuscleTable;
use glam::{Mat3, Vec3};

/// Joints that carry the skin over one muscle.
pub const JOINTS: usize = 3;

/// Which joints carry the skin over each ring.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct HoldTable {
    pub joint: Box<[[u16; JOINTS]]>,   // n_muscle
    pub weight: Box<[[Lane; JOINTS]]>, // n_block  of ring i of the eight muscles of a group; they sum to 1
    pub middle: Box<[[f32; JOINTS]]>,  // n_muscle  of the middle ring; they sum to 1, or to 0 where nothing follows
}

impl HoldTable {
    /// From what vertices take from the rings, in their order, each with the joints that carry its vertex.
    pub fn new<'a>(muscles: &MuscleTable, pulls: impl Iterator<Item = (Pull, &'a [(u16, f32)])>) -> Self {
        let mut rings: Vec<Vec<(u16, f32)>> = vec![Vec::new(); muscles.n_ring()];
        for (pull, weights) in pulls {
            for &(joint, weight) in weights {
                add(&mut rings[pull.ring as usize], joint, weight * pull.share);
            }
        }
        let joint: Vec<[u16; JOINTS]> = (0..muscles.len()).map(|m| carriers(muscles, m, &rings)).collect();
        let mut weight = vec![[[0.0; LANES]; JOINTS]; muscles.block.len()];
        let mut middle = vec![[0.0; JOINTS]; muscles.len()];
        for (g, group) in muscles.group.iter().enumerate() {
            for (lane, m) in (g * LANES..muscles.len()).take(LANES).enumerate() {
                let own = group.first_ring[lane] as usize..(group.first_ring[lane] + group.rings[lane]) as usize;
                let shares = shares(&joint[m], &rings[own.clone()]);
                if rings[own].iter().any(|ring| !ring.is_empty()) {
                    middle[m] = shares[shares.len() / 2];
                }
                for (i, shares) in shares.into_iter().enumerate() {
                    let block = &mut weight[group.first_block as usize + i];
                    (0..JOINTS).for_each(|k| block[k][lane] = shares[k]);
                }
            }
        }
        Self { joint: joint.into(), weight: weight.into(), middle: middle.into() }
    }
}

fn add(sums: &mut Vec<(u16, f32)>, joint: u16, weight: f32) {
    match sums.iter_mut().find(|sum| sum.0 == joint) {
        Some(sum) => sum.1 += weight,
        None => sums.push((joint, weight)),
    }
}

/// The joints that carry most of the skin over a muscle; its origin's where nothing follows it.
fn carriers(muscles: &MuscleTable, m: usize, rings: &[Vec<(u16, f32)>]) -> [u16; JOINTS] {
    let mut sums = vec![(muscles.origin_joint[m], 0.0)];
    for &(joint, weight) in rings[muscles.ring_start[m] as usize..muscles.ring_start[m + 1] as usize].iter().flatten() {
        add(&mut sums, joint, weight);
    }
    sums.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    std::array::from_fn(|k| sums.get(k).unwrap_or(&sums[0]).0)
}

/// Shares of the carriers in each ring, smoothed along the muscle; a ring that nothing follows has its neighbours'.
fn shares(joints: &[u16; JOINTS], rings: &[Vec<(u16, f32)>]) -> Vec<[f32; JOINTS]> {
    let of = |ring: &Vec<(u16, f32)>, k: usize| {
        let twin = joints[..k].contains(&joints[k]);
        if twin { 0.0 } else { ring.iter().find(|sum| sum.0 == joints[k]).map_or(0.0, |sum| sum.1) }
    };
    let raw: Vec<[f32; JOINTS]> = rings.iter().map(|ring| std::array::from_fn(|k| of(ring, k))).collect();
    let smooth = |i: usize| {
        let mut sum = [0.0; JOINTS];
        for (other, raw) in raw.iter().enumerate() {
            // a bell about two rings wide, with a tail that reaches the nearest ring that has anything
            let away = (other as f32 - i as f32) / 1.5;
            let bell = 1.0 / (1.0 + away * away * away * away) + 1e-6;
            (0..JOINTS).for_each(|k| sum[k] += raw[k] * bell);
        }
        let total: f32 = sum.iter().sum();
        if total > 0.0 { sum.map(|share| share / total) } else { [1.0, 0.0, 0.0] }
    };
    (0..rings.len()).map(smooth).collect()
}

/// The carriers' matrices of eight muscles, row element by row element.
pub type Carriers = [[Lane; 12]; JOINTS];

/// Put a muscle's carriers into that lane.
pub fn load(table: &HoldTable, m: usize, rows: &[Rows], lane: usize, carriers: &mut Carriers) {
    for (carrier, &joint) in carriers.iter_mut().zip(&table.joint[m]) {
        for (element, &value) in carrier.iter_mut().zip(&rows[usize::from(joint)]) {
            element[lane] = value;
        }
    }
}

/// Hold the middle of every curve over which skin lies: draw it from where the chord has it, p, to where the skin's
/// joints carry it, H p₀, by the share `held` of the path.
///
/// ```text
/// d = p − H p₀ without its part along the chord x         p = (P_org + 2 P_const + P_ins) / 4
/// e = 2 held a d      P_const′ = P_const − e / √(1 + |e|²/m²)      m = a l₀ min(1, l/l₀)²      a = max(0, (H x₀)·x)
/// ```
///
/// Never along the chord, never by more than m, and not at all where chord and skin have gone different ways, l the
/// chord's length: a middle that is drawn past the ends of a short chord would turn tangents back and twist the rings.
pub fn middles(
    muscles: &MuscleTable,
    table: &HoldTable,
    rows: &[Rows],
    (origin, insertion): (&[Vec3], &[Vec3]),
    chord_turn: &[Mat3],
    anchor: &mut [Vec3],
) {
    for m in 0..muscles.len() {
        let (held, shares) = (muscles.held[m], &table.middle[m]);
        if held == 0.0 || shares[0] == 0.0 {
            continue;
        }
        let by_joints = |p: Vec3| -> Vec3 {
            let carriers = table.joint[m].iter().zip(shares);
            carriers.map(|(&joint, &share)| attach::carry(&rows[usize::from(joint)], p) * share).sum()
        };
        let (bind, x0) = (muscles.bind_middle[m], muscles.chord[m]);
        let held_middle = by_joints(bind);
        let off = (anchor[m] + (origin[m] + insertion[m]) * 0.5) * 0.5 - held_middle;
        let x = chord_turn[m] * x0;
        let agree = (by_joints(bind + x0) - held_middle).dot(x).clamp(0.0, 1.0);
        let shortened = ((insertion[m] - origin[m]).length() / muscles.rest_length[m]).min(1.0);
        let pull = (off - x * x.dot(off)) * (2.0 * held * agree);
        let most = muscles.rest_length[m] * (shortened * shortened * agree).max(1e-6);
        anchor[m] -= pull * (1.0 / (1.0 + pull.length_squared() / (most * most)).sqrt());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::{Skeleton, Transform};
    use crate::musculature::{Attachment, Muscle, Path, Physique, Spacing};

    /// P_const, with that share held, of a muscle whose chord has moved up by `moved` while its skin has stayed.
    fn held_at(held: f32, moved: f32) -> f32 {
        let skeleton = Skeleton::from_rest(&[("bone", None, Transform::default())]);
        let at = |x: f32| Attachment { joint: "bone".into(), point: Vec3::X * x };
        let path = Path::Bezier { offset: Vec3::ZERO, spacing: Spacing::Parameter, held };
        let muscle = Muscle { origin: at(0.0), insertion: at(1.0), path, ..Muscle::default() };
        let muscles = MuscleTable::new(&skeleton, &[muscle], &Physique::ATHLETE, 1.0);
        let table = HoldTable { joint: [[0; JOINTS]].into(), middle: [[1.0, 0.0, 0.0]].into(), ..HoldTable::default() };
        let rows = [[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]];
        let up = Vec3::Y * moved;
        let mut anchor = [Vec3::X * 0.5 + up];
        middles(&muscles, &table, &rows, (&[up], &[Vec3::X + up]), &[Mat3::IDENTITY], &mut anchor);
        anchor[0].y
    }

    #[test]
    fn the_papers_middle_is_left_to_its_chord() {
        assert_eq!(held_at(0.0, 0.1), 0.1);
    }

    #[test]
    fn a_held_middle_stays_with_its_skin_and_gives_way_softly() {
        // all of it: half-way along the curve is then where it was, but for the soft limit
        assert!((0.5 * (held_at(1.0, 0.01) + 0.01)).abs() < 1e-5);
        assert!(held_at(1.0, 5.0) > 5.0 - 1.0);
        assert_eq!(held_at(1.0, 0.0), 0.0);
    }
}
