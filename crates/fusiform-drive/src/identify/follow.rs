//! Follow: which markers follow which muscle, and by how much in every frame, as the fit is told.
//!
//! Skin goes along the axes of a cross-section as far as the section grows, times what each vertex takes from it; a marker
//! between three vertices takes their mix. A section that is longer across has its axes swapped: a fit knows the long one as b.

use super::sites::Site;
use super::still::{Moment, Still};
use fusiform::BodyState;
use fusiform_motion::identify::{Shape, SkinMuscle};
use glam::{DMat3, DVec2, DVec3};
use std::collections::BTreeMap;
use std::ops::Range;

/// m for each unit of growth: a marker that a section moves by less does not follow it.
const HARDLY: f64 = 1e-4;

/// What follows one muscle.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub muscle: usize,
    /// n: markers.
    pub markers: Vec<usize>,
    start: Vec<usize>,  // n + 1
    ring: Vec<usize>,   // n_follow
    offset: Vec<DVec2>, // n_follow, m for each unit of growth along the section's own b and c
    rest: Shape,
    flat: bool,
    rest_length: f64,
    ring_share: Vec<f64>,
}

/// What follows each muscle that can be identified.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    pub of: Vec<Row>,
}

/// One frame of the still body as the fit needs it.
pub(super) struct Posed {
    /// n_marker, m: where markers would be; NaN for those without a site.
    pub places: Vec<DVec3>,
    /// n_marker: axes of their sites.
    pub axes: Vec<DMat3>,
    /// n_row, m.
    pub lengths: Vec<f64>,
    /// n_row.
    pub tensions: Vec<f64>,
    /// n_follow of all rows, m for each unit of growth along the long and the short axis.
    pub gains: Vec<[DVec3; 2]>,
}

/// The same, muscle by muscle.
pub(super) struct Columns(Vec<Column>);

struct Column {
    length: Vec<f64>,
    tension: Vec<f64>,
    along_b: Vec<DVec3>,
    along_c: Vec<DVec3>,
}

impl Rows {
    pub fn new(still: &Still, sites: &[Option<Site>]) -> Self {
        let mut taken: Vec<BTreeMap<(usize, usize), DVec2>> = vec![BTreeMap::new(); still.musculature.muscles.len()];
        for (j, site) in sites.iter().enumerate().filter_map(|(j, site)| Some((j, site.as_ref()?))) {
            for (&vertex, share) in site.corners.iter().zip(site.shares) {
                for follow in &still.follows[vertex] {
                    *taken[follow.muscle].entry((j, follow.ring)).or_default() += follow.offset.as_dvec2() * share;
                }
            }
        }
        let row = |&muscle: &usize| Row::new(still, muscle, &taken[muscle]);
        Self { of: still.muscles.iter().filter_map(row).collect() }
    }

    /// Every frame of the still body.
    pub fn posed(&self, still: &Still, moments: &[Moment], sites: &[Option<Site>], radius: f64) -> Vec<Posed> {
        still.each(&still.body, moments, |_, state| Posed {
            places: places(sites, state, radius),
            axes: sites.iter().map(|site| site.map_or(DMat3::ZERO, |site| site.axes(state.positions()))).collect(),
            lengths: self.of.iter().map(|row| f64::from(state.belly_lengths()[row.muscle])).collect(),
            tensions: self.of.iter().map(|row| f64::from(state.activations()[row.muscle])).collect(),
            gains: self.of.iter().flat_map(|row| row.gains(still, state)).collect(),
        })
    }

    /// n_marker: rows that each follows, and where its gains are among those of a frame.
    pub fn following(&self, n_marker: usize) -> Vec<Vec<(usize, Range<usize>)>> {
        let (mut following, mut first) = (vec![Vec::new(); n_marker], 0);
        for (r, row) in self.of.iter().enumerate() {
            for (i, &marker) in row.markers.iter().enumerate() {
                following[marker].push((r, first + row.start[i]..first + row.start[i + 1]));
            }
            first += row.ring.len();
        }
        following
    }

    /// The same, muscle by muscle.
    pub fn columns(&self, posed: &[Posed]) -> Columns {
        let mut first = 0;
        let column = |(r, row): (usize, &Row)| {
            let own = first..first + row.ring.len();
            first = own.end;
            let gains = |axis: usize| {
                let of_frame = |frame: &'_ Posed| frame.gains[own.clone()].iter().map(|g| g[axis]).collect::<Vec<_>>();
                posed.iter().flat_map(of_frame).collect()
            };
            Column {
                length: posed.iter().map(|frame| frame.lengths[r]).collect(),
                tension: posed.iter().map(|frame| frame.tensions[r]).collect(),
                along_b: gains(0),
                along_c: gains(1),
            }
        };
        Columns(self.of.iter().enumerate().map(column).collect())
    }
}

impl Row {
    fn new(still: &Still, muscle: usize, taken: &BTreeMap<(usize, usize), DVec2>) -> Option<Self> {
        let (rest, flat) = still.rest(muscle)?;
        let rings = usize::from(still.musculature.muscles[muscle].rings);
        let mut row = Self {
            muscle,
            markers: Vec::new(),
            start: vec![0],
            ring: Vec::new(),
            offset: Vec::new(),
            rest,
            flat,
            rest_length: f64::from(still.rest_bellies[muscle]),
            ring_share: (0..rings).map(|i| i as f64 / (rings - 1) as f64).collect(),
        };
        for (&(marker, ring), &offset) in taken.iter().filter(|(_, offset)| offset.length() > HARDLY) {
            if row.markers.last() != Some(&marker) {
                row.markers.push(marker);
                row.start.push(row.ring.len());
            }
            row.ring.push(ring);
            row.offset.push(offset);
            if let Some(end) = row.start.last_mut() {
                *end = row.ring.len();
            }
        }
        Some(row)
    }

    /// By which share of its rest a belly of that length is longer.
    pub fn longer(&self, length: f64) -> f64 {
        (length - self.rest_length) / self.rest_length
    }

    /// n_follow, m: B and C in a frame.
    fn gains<'a>(&'a self, still: &Still, state: &BodyState) -> impl Iterator<Item = [DVec3; 2]> + use<'a> {
        let axes: Vec<[DVec3; 2]> = (0..self.ring_share.len())
            .map(|ring| state.skin_axes(&still.body, self.muscle, ring).map(|axis| axis.as_dvec3()))
            .collect();
        self.ring.iter().zip(&self.offset).map(move |(&ring, offset)| {
            let [b, c] = axes[ring];
            let [along_b, along_c] = [b * offset.x, c * offset.y];
            if self.flat { [along_c, along_b] } else { [along_b, along_c] }
        })
    }
}

impl Columns {
    /// What the fit is told.
    pub fn muscles<'a>(&'a self, rows: &'a Rows) -> Vec<SkinMuscle<'a>> {
        let muscle = |(row, column): (&'a Row, &'a Column)| SkinMuscle {
            rest_length: row.rest_length,
            rest: row.rest,
            length: &column.length,
            tension: &column.tension,
            // no tendons in the length of a belly
            belly_length: &[],
            ring_share: &row.ring_share,
            markers: &row.markers,
            start: &row.start,
            ring: &row.ring,
            along_b: &column.along_b,
            along_c: &column.along_c,
        };
        rows.of.iter().zip(&self.0).map(muscle).collect()
    }
}

/// n_marker, m: where markers would be on the skin of a state; NaN for those without a site.
pub(super) fn places(sites: &[Option<Site>], state: &BodyState, radius: f64) -> Vec<DVec3> {
    sites.iter().map(|site| site.map_or(DVec3::NAN, |site| site.above(state.positions(), radius))).collect()
}
