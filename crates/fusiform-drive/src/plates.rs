//! Plates: forces that were measured under a person, under a character that moves as the person did.
//!
//! ```text
//! f' = w C f      τ' = w s C τ      p' = ankle' + s C (p − ankle)      C, s turn and scale of the retarget, w of the weights
//! ```
//!
//! What is assumed: a plate carries one foot from the moment it is loaded until it is empty, the one whose ball is nearer to
//! where the force acts; the force acts as far from the character's ankle as it did from the person's, to scale, since feet
//! that were retargeted stand a little beside where scaled steps would put them; and the force grows with the weight alone.

use crate::laboratory::{Laboratory, listed};
use crate::rigid::{Rigid, posed};
use crate::torque::Push;
use fusiform_fit::retarget::Retargeted;
use fusiform_fit::{Role, Roles, Side};
use fusiform_motion::table::Table;
use glam::{Affine3A, DQuat, DVec3};

/// N, along up: a plate that bears less is empty.
const LOADED: f64 = 20.0;
/// s: a plate that is loaded for less time is not.
const SHORTEST: f64 = 0.03;
/// s: how much earlier than the motion a measurement may end, or later begin.
const EDGE: f64 = 0.02;
/// m: no foot stands on a force that acts farther away.
const FAR_AWAY: f64 = 2.0;

/// Forces under a character's feet over time.
#[derive(Clone, Debug)]
pub struct MeasuredPushes {
    forces: Table,
    steps: Vec<Step>,
    laboratory: Laboratory,
    feet: [[usize; 2]; 2], // side: of the laboratory's skeleton, of the character's
    turn: DQuat,
    scale: f64,
    weight: f64,
    start: f64, // s: the measurement's time at the character's time 0
}

/// A foot on a plate.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    plate: Plate,
    from: f64,
    to: f64,
    side: usize, // 0 is left
    away: f64,   // m: how far the ball of that foot is from the force, on the mean
}

/// The columns of a plate, x first: force, place, torque.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Plate {
    force: [usize; 3],
    place: [usize; 3],
    torque: Option<[usize; 3]>,
}

/// Why forces cannot be put under a character.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlatesError {
    /// No column that is a force.
    #[error(
        "its columns are {0}, and none of them a force and its place; name them ground_force_vx, ground_force_px and so on"
    )]
    NoForce(String),
    /// Nobody to stand.
    #[error("{0} has no feet to put forces under; name the joints of its feet")]
    NoFeet(&'static str),
    /// Another unit, or another recording.
    #[error("its forces act {0:.0} m from the feet; give places in metres, of the same recording")]
    FarAway(f64),
    /// Nothing is loaded while the motion lasts.
    #[error("no plate bears anything while the motion lasts; give the forces of the same recording")]
    NoLoad,
}

impl MeasuredPushes {
    /// Forces over the laboratory's time (`ground_force_vx`, `ground_force_px`, `ground_torque_x` and so on, with the numbers
    /// of plates before or within; y up, as [`fusiform_motion::capture::Capture::ground_forces`] has them once it stands on
    /// y), under a character that follows the laboratory. `weight` is what one newton becomes: the character's mass over
    /// [`Laboratory::mass`], or 1 where the character is driven with the person's mass.
    ///
    /// # Errors
    /// When the table has no forces, none while the motion lasts, or either has no feet.
    pub fn new(
        laboratory: &Laboratory,
        forces: &Table,
        made: &Retargeted,
        roles: &Roles,
        weight: f64,
    ) -> Result<Self, PlatesError> {
        let plates = plates(forces);
        if plates.is_empty() {
            return Err(PlatesError::NoForce(listed(forces.names.iter())));
        }
        let feet = |roles: &Roles, of: &'static str| -> Result<[usize; 2], PlatesError> {
            let foot = |side| roles.get(Role::Foot, side).ok_or(PlatesError::NoFeet(of));
            Ok([foot(Side::Left)?, foot(Side::Right)?])
        };
        let (own, others) = (feet(&laboratory.roles, "the model")?, feet(roles, "the character")?);
        let mut pushes = Self {
            forces: forces.clone(),
            steps: Vec::new(),
            laboratory: laboratory.clone(),
            feet: [[own[0], others[0]], [own[1], others[1]]],
            turn: made.turn.as_dquat(),
            scale: f64::from(made.scale),
            weight,
            start: laboratory.start + f64::from(made.start),
        };
        pushes.steps = plates.into_iter().flat_map(|plate| pushes.steps_on(plate)).collect();
        let nearest = pushes.steps.iter().map(|step| step.away).fold(f64::INFINITY, f64::min);
        match pushes.steps.is_empty() {
            true => Err(PlatesError::NoLoad),
            false if nearest > FAR_AWAY => Err(PlatesError::FarAway(nearest)),
            false => Ok(pushes),
        }
    }

    /// What pushes the character's feet at a time of its clip; `None` before the measurement begins and after it ends.
    #[must_use]
    pub fn at(&self, time: f64, now: &[Rigid]) -> Option<Vec<Push>> {
        let [from, to] = self.span();
        // half a frame of a camera: plates end with the last sample, motions with the last frame
        if time < from - EDGE || time > to + EDGE {
            return None;
        }
        let time = time + self.start;
        let mut row = vec![0.0; self.forces.names.len()];
        self.forces.at(time, &mut row);
        let pose = self.pose(time);
        let steps = self.steps.iter().filter(|step| (step.from..=step.to).contains(&time));
        let push = |step: &Step| {
            let [own, joint] = self.feet[step.side];
            let (force, place) = (vector(&row, step.plate.force), vector(&row, step.plate.place));
            let torque = step.plate.torque.map_or(DVec3::ZERO, |columns| vector(&row, columns));
            let arm = place - pose[own].translation.as_dvec3();
            Push {
                joint,
                force: self.turn * force * self.weight,
                point: now[joint].place + self.turn * arm * self.scale,
                torque: self.turn * torque * (self.weight * self.scale),
            }
        };
        Some(steps.map(push).filter(|push| push.force.is_finite() && push.point.is_finite()).collect())
    }

    /// From when to when forces are known, in the time of the character's clip, s.
    #[must_use]
    pub fn span(&self) -> [f64; 2] {
        let ends = [self.forces.times.first(), self.forces.times.last()];
        ends.map(|time| time.copied().unwrap_or(0.0) - self.start)
    }

    /// Whether forces are known all the time while the clip lasts.
    #[must_use]
    pub fn cover(&self, duration: f64) -> bool {
        let [from, to] = self.span();
        from <= EDGE && to >= duration - EDGE
    }

    /// The laboratory's joints at its time.
    fn pose(&self, time: f64) -> Vec<Affine3A> {
        posed(&self.laboratory.skeleton, &self.laboratory.clip, (time - self.laboratory.start) as f32)
    }

    /// Every time that a foot stands on a plate, and which foot.
    fn steps_on(&self, plate: Plate) -> Vec<Step> {
        let loaded = |i: usize| vector(self.forces.row(i), plate.force).y > LOADED;
        let lasts = f64::from(self.laboratory.clip.duration()) + self.laboratory.start;
        let rows: Vec<usize> = (0..self.forces.times.len())
            .filter(|&i| loaded(i) && (self.laboratory.start..=lasts).contains(&self.forces.times[i]))
            .collect();
        let runs = rows.chunk_by(|a, b| a + 1 == *b);
        let step = |run: &[usize]| {
            let [from, to] = [run[0], run[run.len() - 1]].map(|i| self.forces.times[i]);
            let apart = [0, 1].map(|side| self.apart(plate, run, side));
            let side = usize::from(apart[1] < apart[0]);
            (to - from >= SHORTEST).then_some(Step { plate, from, to, side, away: apart[side] })
        };
        runs.filter_map(step).collect()
    }

    /// How far the ball of a foot is from where forces act, m; the larger the force, the more it counts.
    fn apart(&self, plate: Plate, rows: &[usize], side: usize) -> f64 {
        let roles = &self.laboratory.roles;
        let ball = roles.get(Role::Toes, Side::BOTH[side]).unwrap_or(self.feet[side][0]);
        let (mut sum, mut whole) = (0.0, 0.0);
        for &i in rows {
            let (row, at) = (self.forces.row(i), self.pose(self.forces.times[i])[ball].translation.as_dvec3());
            let away = (vector(row, plate.place) - at).with_y(0.0).length();
            let force = vector(row, plate.force).y;
            if away.is_finite() {
                sum += away * force;
                whole += force;
            }
        }
        if whole > 0.0 { sum / whole } else { f64::INFINITY }
    }
}

fn vector(row: &[f64], columns: [usize; 3]) -> DVec3 {
    DVec3::from_array(columns.map(|column| row[column]))
}

/// All plates that a table has columns of.
fn plates(table: &Table) -> Vec<Plate> {
    let three = |stem: &str| {
        let [x, y, z] = ["x", "y", "z"].map(|axis| table.column(&format!("{stem}{axis}")));
        Some([x?, y?, z?])
    };
    let plate = |name: &String| {
        let stem = name.strip_suffix("vx")?;
        let (force, place) = (three(&format!("{stem}v"))?, three(&format!("{stem}p"))?);
        let torque = stem.contains("force").then(|| three(&stem.replace("force", "torque"))).flatten();
        Some(Plate { force, place, torque })
    };
    table.names.iter().filter_map(plate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plates_are_found_under_every_numbering() {
        let names = |stems: &[&str]| -> Vec<String> {
            let of = |stem: &&str| {
                let torque = stem.replace("force", "torque");
                let three = |stem: &str, kind: &str| ["x", "y", "z"].map(|axis| format!("{stem}{kind}{axis}"));
                [three(stem, "v"), three(stem, "p"), three(&torque, "")].concat()
            };
            stems.iter().flat_map(of).collect()
        };
        let names = names(&["ground_force_", "1_ground_force_", "ground_force_2_", "l_ground_force_"]);
        let found = plates(&Table { names, ..Table::default() });
        assert_eq!(found.len(), 4);
        assert!(found.iter().all(|plate| plate.torque.is_some()));
        assert_eq!((found[1].force, found[1].place), ([9, 10, 11], [12, 13, 14]));
        assert!(plates(&Table { names: vec!["knee_angle_r".into()], ..Table::default() }).is_empty());
    }
}
