//! A calf: a tube of skin around one belly behind and a bone in front.

use super::super::*;
use std::f32::consts::TAU;

pub struct Calf {
    pub skin: Vec<Vec3>,
    normals: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    pub belly: Vec<Vec3>,
    full: Vec<Vec3>,
    grid: (usize, usize),
    pub bones: Vec<Vec3>,
}

/// Where bellies are in a section, how thick they are, and where the bone is; m.
struct Section {
    bellies: Vec<Vec3>,
    radius: f32,
    muscularity: f32,
    bone: Vec3,
}

fn around(sector: usize, sectors: usize) -> Vec3 {
    let angle = TAU * sector as f32 / sectors as f32;
    Vec3::new(angle.cos(), 0.0, angle.sin())
}

impl Calf {
    /// 40 cm long, 11 cm thick, of `rings` x `sectors` skin and `grid` belly vertices, the belly 6 cm.
    pub fn new(skin: (usize, usize), grid: (usize, usize)) -> Self {
        let bellies = vec![Vec3::X * -0.018];
        Self::of(skin, grid, &Section { bellies, radius: 0.03, muscularity: 1.0, bone: Vec3::X * 0.033 })
    }

    /// An upper arm rather: five bellies around the bone, `thick` times 3.8 cm.
    pub fn arm(skin: (usize, usize), grid: (usize, usize), thick: f32) -> Self {
        let bellies = (0..5).map(|k| 0.031 * around(k, 5)).collect();
        Self::of(skin, grid, &Section { bellies, radius: 0.019, muscularity: thick, bone: Vec3::ZERO })
    }

    fn of((rings, sectors): (usize, usize), grid: (usize, usize), section: &Section) -> Self {
        let mut calf = Self {
            skin: Vec::new(),
            normals: Vec::new(),
            triangles: Vec::new(),
            belly: Vec::new(),
            full: Vec::new(),
            grid,
            bones: Vec::new(),
        };
        for (ring, sector) in (0..rings).flat_map(|r| (0..sectors).map(move |s| (r, s))) {
            let out = around(sector, sectors);
            calf.skin.push(0.055 * out + Vec3::Y * (0.4 * ring as f32 / (rings - 1) as f32));
            calf.normals.push(out);
            if ring + 1 < rings {
                let at = |r: usize, s: usize| (r * sectors + s % sectors) as u32;
                let (p, q) = (at(ring, sector), at(ring, sector + 1));
                let (r, s) = (at(ring + 1, sector), at(ring + 1, sector + 1));
                calf.triangles.extend([[p, q, s], [p, s, r]]);
            }
        }
        for middle in &section.bellies {
            for (ring, sector) in (0..grid.0).flat_map(|r| (0..grid.1).map(move |s| (r, s))) {
                let along = ring as f32 / (grid.0 - 1) as f32;
                let radius = section.radius * (4.0 * along * (1.0 - along)).sqrt();
                let (centre, out) = (*middle + Vec3::Y * (0.05 + 0.3 * along), radius * around(sector, grid.1));
                calf.full.push(centre + out);
                calf.belly.push(centre + section.muscularity * out);
            }
        }
        for (ring, sector) in (0..30).flat_map(|r| (0..8).map(move |s| (r, s))) {
            calf.bones.push(0.012 * around(sector, 8) + section.bone + Vec3::Y * (0.4 * ring as f32 / 29.0));
        }
        calf
    }

    /// Of about two thousand vertices.
    pub fn full() -> Self {
        Self::new((40, 36), (24, 20))
    }

    /// Of about two hundred.
    pub fn small() -> Self {
        Self::new((12, 12), (9, 8))
    }

    pub fn network(&self, constants: &Constants) -> Network {
        let (rings, sectors) = self.grid;
        let belly = |(points, full)| BellyGrid { rings, sectors, points, full, joint: 0 };
        let n = rings * sectors;
        let bellies: Vec<BellyGrid> = self.belly.chunks(n).zip(self.full.chunks(n)).map(belly).collect();
        let geometry = Geometry {
            skin: &self.skin,
            normals: &self.normals,
            triangles: &self.triangles,
            joints: &vec![0; self.skin.len()],
            bellies: &bellies,
            bones: &self.bones,
        };
        // 4 g a vertex
        let mass = 0.004 * (self.skin.len() + self.belly.len()) as f32;
        Network::new(&geometry, &Constants { mass, ..*constants })
    }
}

/// A calf that is carried about.
pub struct Run {
    pub tissue: Tissue,
    pub state: State,
    work: Work,
    pub skin: Vec<Vec3>,
    pub belly: Vec<Vec3>,
    pub bones: Vec<Vec3>,
    pub instructions: Instructions,
    pub spread: Spread,
    pub gravity: Vec<Vec3>,
    pub planes: Vec<Plane>,
}

impl Run {
    pub fn new(calf: &Calf, network: Network, lengths: Lengths, integrator: Integrator) -> Self {
        let bones = network.bones.iter().map(|&b| calf.bones[b as usize]).collect();
        let tissue = Tissue::new(network, lengths, integrator, 0.1);
        let (state, work) = (State::new(&tissue), Work::new(&tissue));
        let mut run = Self {
            tissue,
            state,
            work,
            skin: calf.skin.clone(),
            belly: calf.belly.clone(),
            bones,
            instructions: Instructions::BASELINE,
            spread: Spread::OneThread,
            gravity: Vec::new(),
            planes: Vec::new(),
        };
        run.frame(0.0, Vec3::ZERO, &[]);
        run
    }

    /// One frame, the character having moved, and hit by impulses.
    pub fn frame(&mut self, dt: f32, moved: Vec3, impulses: &[Impulse]) {
        let frame = Frame {
            dt,
            moved,
            settles: false,
            posed: Posed { skin: &self.skin, bellies: &self.belly, bones: &self.bones },
            gravity: &self.gravity,
            impulses,
            planes: &self.planes,
        };
        self.tissue.step(&mut self.state, &frame, &mut self.work, self.instructions, self.spread);
    }

    pub fn skin_offsets(&self) -> Vec<Vec3> {
        (0..self.skin.len()).map(|i| self.tissue.skin_offset(&self.state, i)).collect()
    }

    /// Kinetic and elastic, J, the posed points standing still.
    pub fn energy(&self) -> f64 {
        let (state, tissue) = (&self.state, &self.tissue);
        let place = |i: usize| state.track[i].place.as_dvec3() + state.particles[i].off.as_dvec3();
        let mut energy = 0.0;
        for (i, &mass) in tissue.mass.iter().enumerate() {
            energy += 0.5 * f64::from(mass) * state.particles[i].rate.as_dvec3().length_squared();
            energy += 0.5 * f64::from(tissue.goal[i].stiffness) * state.particles[i].off.as_dvec3().length_squared();
        }
        for spring in &tissue.springs {
            let [a, b] = spring.ends.map(|e| e as usize);
            let posed = (state.track[a].place.as_dvec3() - state.track[b].place.as_dvec3()).length();
            let rest = if spring.length.is_nan() { posed } else { f64::from(spring.length) };
            energy += 0.5 * f64::from(spring.stiffness) * ((place(a) - place(b)).length() - rest).powi(2);
        }
        energy
    }
}
