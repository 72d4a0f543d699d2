//! `--blow` and `--ground`: what strikes the flesh of a character, and what stands in its way.

use crate::failure::Failure;
use crate::names;
use crate::source::Subject;
use fusiform::body::Contact;
use fusiform::musculature::Layer;
use fusiform_bake::{Blow, Surroundings};
use glam::Vec3;
use std::str::FromStr;

/// Radius of a blow, as a share of the height: a fist's reach.
const RADIUS: f32 = 0.05;

/// What acts on the flesh from outside; only tissue feels it.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Around {
    /// Blow on the skin of a body part, as in 'lower_leg.l@1.2=0,0,3': joint, second, and momentum in N s along x, y, z; may
    /// be repeated
    #[arg(long, value_name = "JOINT@TIME=X,Y,Z", allow_hyphen_values = true)]
    blow: Vec<Struck>,
    /// Height of a ground that flesh cannot pass, in metres [default: none; 0 where no number is given]
    #[arg(long, value_name = "HEIGHT", num_args = 0..=1, default_missing_value = "0", allow_negative_numbers = true)]
    ground: Option<f32>,
}

/// One `--blow` argument.
#[derive(Clone, Debug, PartialEq)]
struct Struck {
    joint: String,
    time: f32,
    momentum: Vec3,
}

impl FromStr for Struck {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("{text:?} is no blow; write 'lower_leg.l@1.2=0,0,3': a joint, a second, and N s along x, y, z");
        let (part, momentum) = text.rsplit_once('=').ok_or_else(wrong)?;
        let (joint, time) = part.rsplit_once('@').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<f32>().ok().filter(|x| x.is_finite());
        let time = number(time).filter(|time| *time >= 0.0).ok_or_else(wrong)?;
        let parts: Vec<f32> = momentum.split(',').map(number).collect::<Option<_>>().ok_or_else(wrong)?;
        let &[x, y, z] = &parts[..] else { return Err(wrong()) };
        Ok(Self { joint: joint.trim().to_owned(), time, momentum: Vec3::new(x, y, z) })
    }
}

impl Around {
    /// What it means for that character.
    pub fn surroundings(&self, subject: &Subject) -> Result<Surroundings, Failure> {
        let blows = self.blow.iter().map(|blow| blow.on(subject)).collect::<Result<Vec<_>, _>>()?;
        let contact = self.ground.map(|height| Contact { normal: Vec3::Y, place: Vec3::Y * height });
        let acts = !blows.is_empty() || contact.is_some();
        if acts && !subject.musculature.layers.iter().any(|layer| matches!(layer, Layer::Tissue(_))) {
            return Err(Failure::input(&subject.file, "it has no tissue that could feel a blow or the ground")
                .cure("give it muscles with fusiform rig --preset murai"));
        }
        Ok(Surroundings { blows, contacts: contact.into_iter().collect() })
    }
}

impl Struck {
    /// On the middle of the part between the joint and the next.
    fn on(&self, subject: &Subject) -> Result<Blow, Failure> {
        let joints = &subject.character.skeleton.joints;
        let Some(joint) = subject.character.skeleton.find(&self.joint) else {
            let all: Vec<&str> = joints.iter().map(|joint| joint.name.as_str()).collect();
            return Err(names::unknown(&subject.file, "joint", &self.joint, &all));
        };
        let child = joints.iter().find(|child| child.parent == Some(joint));
        let end = child.map_or(Vec3::ZERO, |child| child.bind.translation.into());
        let at = child.map_or(Vec3::ZERO, |_| joints[joint].bind.inverse().transform_point3(end) * 0.5);
        // flesh lies around the bone
        let radius = RADIUS * subject.character.height() + self.depth(subject, joint, at);
        Ok(Blow { time: self.time, joint, at, radius, momentum: self.momentum })
    }

    /// How far the nearest skin is from there, metres.
    fn depth(&self, subject: &Subject, joint: usize, at: Vec3) -> f32 {
        let place = subject.character.skeleton.joints[joint].bind.transform_point3(at);
        let skin = subject.character.meshes.iter().flat_map(|mesh| &mesh.positions);
        let nearest = skin.map(|p| p.distance(place)).fold(f32::INFINITY, f32::min);
        if nearest.is_finite() { nearest } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blow_names_a_joint_a_second_and_a_momentum() {
        let wanted = Struck { joint: "mixamorig:LeftLeg".into(), time: 1.5, momentum: Vec3::new(0.0, -2.0, 3.5) };
        assert_eq!("mixamorig:LeftLeg@1.5=0,-2,3.5".parse(), Ok(wanted));
        for wrong in ["leg", "leg@1", "leg=1,2,3", "leg@-1=1,2,3", "leg@1=1,2", "leg@1=a,b,c", "leg@inf=1,2,3"] {
            assert!(wrong.parse::<Struck>().is_err(), "{wrong}");
        }
    }
}
