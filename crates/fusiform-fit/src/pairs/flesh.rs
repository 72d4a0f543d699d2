//! Flesh: a body cut into the regions of its bones, to fit pairs to all of it or to one bone, again and again.

use super::{Fleshy, KINDS, Pairs, TWINS, divided, names, partition, place_pair, twin};
use crate::conform::Toward;
use crate::even::even;
use crate::middle;
use crate::preset::presume;
use crate::regions::Regions;
use crate::rig::{STANDS_OUT, finish, leave_out};
use crate::seat::seat;
use crate::segments::Segment;
use crate::weights::weigh_again;
use crate::{Placed, Preset, RigError, Rigged, Roles, Stage, Stopped, Surface, Wear, conform};
use fusiform::body::BindError;
use fusiform::{Character, Muscle, Musculature};
use glam::Vec3;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fmt;

/// A body cut into the regions of its bones. Making it is what takes long about fitting one bone.
pub struct Flesh {
    character: Character, // its middle plane at x = 0, without clips
    aside: Vec3,          // from there to where it stands
    wear: Vec<Wear>,
    surface: Surface,
    regions: Regions,
    fleshy: Vec<Fleshy>,
    bones: Vec<PairBone>,
}

/// A bone whose flesh a plane divides between two opposed muscles.
#[derive(Clone, Debug, PartialEq)]
pub struct PairBone {
    /// What the names of its muscles begin with; `.flexor` and `.extensor` follow.
    pub name: String,
    /// Where it lies.
    pub bone: Segment,
    /// How far its plane is turned by itself, degrees, as [`Segment::turned`] has it.
    pub found: f32,
    /// Mean distance of its skin from it, metres.
    pub thick: f32,
    /// Its mirror image among all such bones; none in the middle.
    pub twin: Option<usize>,
}

impl fmt::Debug for Flesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Flesh").field("bones", &self.bones).finish_non_exhaustive()
    }
}

impl Flesh {
    /// Cut the body's skin; `wear` says what each mesh is.
    ///
    /// # Errors
    /// When there is no skin.
    pub fn new(character: &Character, wear: &[Wear]) -> Result<Self, RigError> {
        Self::heard(character, wear, &mut |_| Ok(()))
    }

    /// The same; `stage` hears what is done next, and says whether to go on.
    ///
    /// # Errors
    /// When there is no skin, and when it was stopped.
    pub fn heard(
        character: &Character,
        wear: &[Wear],
        stage: &mut dyn FnMut(Stage) -> Result<(), Stopped>,
    ) -> Result<Self, RigError> {
        stage(Stage::Surface)?;
        let mut centred = character.clone();
        let mut aside = Vec3::ZERO;
        if let Some(x) = middle::of_skin(character, wear) {
            middle::to_zero(&mut centred, x);
            let of = |character: &Character| character.skeleton.joints.first().map(|joint| joint.bind.translation);
            if let (Some(was), Some(is)) = (of(character), of(&centred)) {
                aside = (was - is).into();
            }
        }
        let body = centred.meshes.iter().zip(wear).filter(|(_, wear)| **wear == Wear::Body);
        let surface = Surface::of_parts(body.map(|(mesh, _)| mesh)).ok_or(RigError::NoSkin)?;
        stage(Stage::Regions)?;
        let regions = Regions::new(&centred, wear);
        let fleshy = divided(&centred, &regions);
        let bones = described(&centred, &fleshy, &regions, aside);
        centred.clips.clear();
        Ok(Self { character: centred, aside, wear: wear.to_vec(), surface, regions, fleshy, bones })
    }

    /// Every bone that carries flesh enough for a pair.
    #[must_use]
    pub fn bones(&self) -> &[PairBone] {
        &self.bones
    }

    /// The bone whose pair a muscle of that name is of, and whether it is the flexor.
    #[must_use]
    pub fn bone_of(&self, muscle: &str) -> Option<(usize, bool)> {
        let of = |kind: usize| {
            let name = muscle.strip_suffix(KINDS[kind])?;
            Some((self.bones.iter().position(|bone| bone.name == name)?, kind == 0))
        };
        of(0).or_else(|| of(1))
    }

    /// The names of the flexor and the extensor of a bone.
    #[must_use]
    pub fn muscles_of(&self, bone: usize) -> [String; 2] {
        KINDS.map(|kind| format!("{}{kind}", self.bones[bone].name))
    }

    /// A point of the plane of a bone that is turned so far, and the way from it to the flexor.
    #[must_use]
    pub fn plane(&self, bone: usize, degrees: f32) -> (Vec3, Vec3) {
        let normal = self.bones[bone].bone.turned(degrees);
        (partition(&self.fleshy[bone], normal, &self.regions) + self.aside, normal)
    }

    /// The region of every vertex, mesh by mesh, as rows of the bones returned with them; nothing off the body.
    #[must_use]
    pub fn regions(&self) -> (&[Segment], Vec<Vec<Option<usize>>>) {
        (&self.regions.segments.list, self.regions.of_vertices(&self.character, &self.wear))
    }

    /// The muscle bone that a region, a row of [`Flesh::regions`], belongs to.
    #[must_use]
    pub fn bone_of_region(&self, region: usize) -> Option<usize> {
        let region = self.regions.segments.list.get(region)?;
        self.fleshy.iter().position(|own| own.bone == *region)
    }

    /// What the bone of a region, likewise, is called: as its pair is, or as the joint that carries it.
    #[must_use]
    pub fn region_name(&self, region: usize) -> Option<&str> {
        let pair = self.bone_of_region(region).map(|bone| &*self.bones[bone].name);
        let joint = || Some(&*self.character.skeleton.joints[self.regions.segments.list.get(region)?.joint].name);
        pair.or_else(joint)
    }

    /// The pair on one bone, its plane turned by so many degrees or, without them, as it is found; shaped to the skin. Nothing
    /// where there is no flesh or no room for it.
    ///
    /// # Errors
    /// When a bind matrix is singular.
    pub fn pair(
        &self,
        bone: usize,
        degrees: Option<f32>,
        preset: Preset,
        fat: f32,
    ) -> Result<Option<[Muscle; 2]>, BindError> {
        let Some(mut pair) = self.placed(bone, degrees, preset) else { return Ok(None) };
        let skeleton = &self.character.skeleton;
        let seated = |muscle: &mut Muscle| seat(skeleton, &self.surface, fat, false, muscle);
        let lacking = pair.muscles.iter_mut().map(seated).fold(0.0, f32::max);
        if lacking > self.most_lacking(fat) {
            return Ok(None);
        }
        self.shape(&mut pair.muscles, &pair.toward, fat)?;
        presume(skeleton, &mut pair.muscles)?;
        Ok(pair.muscles.try_into().ok())
    }

    /// Which way a muscle of a pair grows toward the skin.
    #[must_use]
    pub fn toward(&self, bone: usize, degrees: Option<f32>, is_flexor: bool) -> Toward {
        let normal = self.normal(bone, degrees);
        Toward::Plane(if is_flexor { normal } else { -normal })
    }

    /// Shape muscles to the skin anew; one of `toward` for each.
    ///
    /// # Errors
    /// When a muscle is not sound; the error names it and its cure.
    pub fn shape(&self, muscles: &mut [Muscle], toward: &[Toward], fat: f32) -> Result<(), BindError> {
        conform(&self.character.skeleton, muscles, toward, &self.surface, fat)?;
        even(&self.character.skeleton, muscles)
    }

    /// Find anew which skin some muscles move, and leave the weights of all others as they are. `roles` are those of a human
    /// whose muscles have Pratscher's shells.
    ///
    /// # Errors
    /// When a muscle is not sound; the error names it and its cure.
    pub fn weigh(
        &self,
        musculature: &mut Musculature,
        which: &BTreeSet<usize>,
        roles: Option<&Roles>,
    ) -> Result<(), BindError> {
        weigh_again(&self.character, &self.wear, musculature, which, roles)
    }

    /// Pairs on all bones. `turned` says by how many degrees the plane of a bone of that name is turned, if it is; `stage`
    /// hears what is done next, and says whether to go on.
    ///
    /// # Errors
    /// When there is no bone with flesh between two joints, or a bind matrix is singular; when it was stopped.
    pub fn rig(
        &self,
        turned: impl Fn(&str) -> Option<f32>,
        preset: Preset,
        fat: f32,
        mut stage: impl FnMut(Stage) -> Result<(), Stopped>,
    ) -> Result<Rigged, RigError> {
        stage(Stage::Place)?;
        let mut pairs = Pairs::default();
        for bone in 0..self.bones.len() {
            if let Some(mut pair) = self.placed(bone, turned(&self.bones[bone].name), preset) {
                pairs.muscles.append(&mut pair.muscles);
                pairs.groups.append(&mut pair.groups);
                pairs.toward.append(&mut pair.toward);
            }
        }
        let Pairs { muscles, groups, toward } = pairs;
        if muscles.is_empty() {
            return Err(RigError::NoFlesh);
        }
        stage(Stage::Seat)?;
        let (superficial, drawn) = (vec![true; muscles.len()], vec![false; muscles.len()]);
        let mut placed = Placed { muscles, groups, superficial, drawn, ..Placed::default() };
        let (skeleton, surface) = (&self.character.skeleton, &self.surface);
        let seated = placed.muscles.par_iter_mut().map(|muscle| seat(skeleton, surface, fat, false, muscle));
        let mut lacking: Vec<f32> = seated.collect();
        // Where one muscle of a pair finds no room, its opponent would pull alone.
        lacking.chunks_exact_mut(2).for_each(|pair| pair.fill(pair[0].max(pair[1])));
        let most = self.most_lacking(fat);
        let fits = toward.into_iter().zip(&lacking).filter(|(_, lack)| **lack <= most);
        let toward: Vec<Toward> = fits.map(|(toward, _)| toward).collect();
        leave_out(&mut placed, &lacking, most);
        stage(Stage::Conform)?;
        conform(skeleton, &mut placed.muscles, &toward, surface, fat)?;
        finish(&self.character, &self.wear, preset, fat, surface, placed, toward, stage)
    }

    fn normal(&self, bone: usize, degrees: Option<f32>) -> Vec3 {
        degrees.map_or(self.fleshy[bone].normal, |degrees| self.bones[bone].bone.turned(degrees))
    }

    fn placed(&self, bone: usize, degrees: Option<f32>, preset: Preset) -> Option<Pairs> {
        let own = (&self.fleshy[bone], &*self.bones[bone].name, self.normal(bone, degrees));
        place_pair(&self.character, own, &self.regions, &self.surface, preset)
    }

    fn most_lacking(&self, fat: f32) -> f32 {
        fat + STANDS_OUT * self.character.height()
    }
}

/// Fleshy bones as people see them.
fn described(character: &Character, fleshy: &[Fleshy], regions: &Regions, aside: Vec3) -> Vec<PairBone> {
    let bones: Vec<Segment> = fleshy.iter().map(|own| own.bone).collect();
    let of = |(i, (own, name)): (usize, (&Fleshy, String))| {
        let off = |&point: &usize| (regions.topology.points[point] - own.bone.from).reject_from(own.bone.along());
        let area: f32 = own.points.iter().map(|&point| regions.area[point]).sum();
        let far: f32 = own.points.iter().map(|point| off(point).length() * regions.area[*point]).sum();
        PairBone {
            name,
            bone: Segment { from: own.bone.from + aside, to: own.bone.to + aside, ..own.bone },
            found: own.bone.turn_of(own.normal),
            thick: far / area.max(1e-20),
            twin: twin(&bones, i, TWINS * character.height()).filter(|&twin| twin != i),
        }
    };
    fleshy.iter().zip(names(character, fleshy)).enumerate().map(of).collect()
}
