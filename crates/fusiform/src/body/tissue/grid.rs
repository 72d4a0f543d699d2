//! Point grid: which points lie near a place, by cells of even size.

use glam::{IVec3, Vec3};

/// The grid never has more cells than this many for each point: far-off points make cells larger, not more.
const MOST_CELLS: usize = 64;

/// Points sorted into cells.
pub(crate) struct PointGrid<'a> {
    points: &'a [Vec3],
    low: Vec3,
    per_cell: f32, // cells a metre
    size: IVec3,
    start: Vec<u32>, // n_cell + 1
    rows: Vec<u32>,  // n_point, cell by cell
}

impl<'a> PointGrid<'a> {
    /// Of cells about as large as `cell`, m.
    pub fn new(points: &'a [Vec3], cell: f32) -> Self {
        let low = points.iter().copied().reduce(Vec3::min).unwrap_or_default();
        let span = points.iter().copied().reduce(Vec3::max).unwrap_or_default() - low;
        let mut cell = cell.max(1e-6);
        let size = |cell: f32| (span / cell).floor().clamp(Vec3::ZERO, Vec3::splat(1e4)).as_ivec3() + IVec3::ONE;
        let count = |size: IVec3| size.x as usize * size.y as usize * size.z as usize;
        while count(size(cell)) > MOST_CELLS * points.len().max(64) {
            cell *= 1.5;
        }
        let mut grid = Self {
            points,
            low,
            per_cell: 1.0 / cell,
            size: size(cell),
            start: Vec::new(),
            rows: vec![0; points.len()],
        };
        grid.start = vec![0; count(grid.size) + 1];
        for point in points {
            let cell = grid.index(grid.cell(*point));
            grid.start[cell + 1] += 1;
        }
        for i in 1..grid.start.len() {
            grid.start[i] += grid.start[i - 1];
        }
        let mut next = grid.start.clone();
        for (i, point) in points.iter().enumerate() {
            let cell = grid.index(grid.cell(*point));
            grid.rows[next[cell] as usize] = i as u32;
            next[cell] += 1;
        }
        grid
    }

    fn cell(&self, place: Vec3) -> IVec3 {
        let cell = ((place - self.low) * self.per_cell).floor().clamp(Vec3::splat(-2e4), Vec3::splat(2e4)).as_ivec3();
        cell.clamp(IVec3::ZERO, self.size - IVec3::ONE)
    }

    fn index(&self, cell: IVec3) -> usize {
        (cell.z as usize * self.size.y as usize + cell.y as usize) * self.size.x as usize + cell.x as usize
    }

    /// Call `visit(point, distance)` for every point no farther than `radius`.
    pub fn within(&self, place: Vec3, radius: f32, mut visit: impl FnMut(u32, f32)) {
        let (low, high) = (self.cell(place - radius), self.cell(place + radius));
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                // cells along x follow one another
                let row = |x: i32| self.index(IVec3::new(x, y, z));
                let of = self.start[row(low.x)] as usize..self.start[row(high.x) + 1] as usize;
                for &point in &self.rows[of] {
                    let distance = self.points[point as usize].distance(place);
                    if distance <= radius {
                        visit(point, distance);
                    }
                }
            }
        }
    }

    /// Distance to the nearest point that is taken and no farther than `farthest`.
    pub fn nearest(&self, place: Vec3, farthest: f32, take: impl Fn(u32) -> bool) -> Option<f32> {
        let mut radius = (1.0 / self.per_cell).min(farthest);
        loop {
            let mut nearest = None;
            self.within(place, radius, |point, distance| {
                if nearest.is_none_or(|n| distance < n) && take(point) {
                    nearest = Some(distance);
                }
            });
            let is_whole = radius >= farthest || farthest.is_nan();
            if nearest.is_some() || is_whole {
                return nearest;
            }
            radius = (2.0 * radius).min(farthest);
        }
    }
}
