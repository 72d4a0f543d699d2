//! What tenses the muscles that are being made: what the file said before, and what the command line adds.

use crate::failure::Failure;
use crate::names;
use crate::source::Subject;
use fusiform::Body;
use fusiform::musculature::{Activation, ClipActivation, Driver, Signal};
use fusiform_fit::{DriverTemplate, Motion, Rigged, Role, Roles, drivers};
use glam::Vec3;
use std::path::PathBuf;

/// Arguments about activation.
#[derive(Debug, clap::Args)]
pub struct Tense {
    /// Tension of every muscle, 0 to 1, on top of what else tenses it
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    tension: Option<f32>,
    /// Tense muscles as the body moves, as in 'biceps*=lower_arm.flexion:20->0,130->0.6': degrees of a role's joint from the
    /// anatomical position; JOINT or JOINT:x for the angle since bind of a joint by name, or about its own x, y or z; shortening
    /// for the share of its length that a muscle has lost; may be repeated
    #[arg(long, value_name = "GLOB=SIGNAL:IN->OUT,...")]
    driver: Vec<String>,
    /// JSON file of activation keyed to clips: [{ "clip", "tracks": [{ "muscle", "times", "values" }] }]; it replaces the
    /// keys that the file has for the same muscle and clip
    #[arg(long, value_name = "FILE")]
    curves: Option<PathBuf>,
}

impl Tense {
    /// What can be said before anything is read.
    pub fn parse(&self) -> Result<Vec<Wish>, Failure> {
        self.driver.iter().map(|text| Wish::parse(text)).collect()
    }

    /// Keep what the file's muscles were tensed by, then do as the command line says.
    pub fn apply(&self, wishes: &[Wish], subject: &Subject, roles: &Roles, rigged: &mut Rigged) -> Result<(), Failure> {
        if !subject.musculature.activation.is_default() {
            keep(&subject.musculature.activation, rigged);
        }
        for wish in wishes {
            let made = wish.make(subject, roles, rigged)?;
            rigged.musculature.activation.drivers.extend(made);
        }
        if let Some(tension) = self.tension {
            rigged.musculature.activation.tension = tension;
        }
        if let Some(path) = &self.curves {
            read_curves(path, &mut rigged.musculature.activation)?;
            let bound = Body::bind(&subject.character, &rigged.musculature);
            bound.map_err(|error| Failure::bind(&path.display().to_string(), &error))?;
        }
        rigged.warnings.extend(rigged.musculature.activation.warnings(&subject.character, &rigged.musculature));
        Ok(())
    }
}

/// What muscles that are still there were tensed by.
fn keep(before: &Activation, rigged: &mut Rigged) {
    let mut activation = before.clone();
    let gone = activation.retain_muscles(|name| rigged.musculature.find(name).is_some());
    let Activation { drivers, curves, .. } = &activation;
    rigged.warnings.push(format!("the {} drivers and curves of {} clips it had are kept", drivers.len(), curves.len()));
    if !gone.is_empty() {
        rigged.warnings.push(format!("what tensed {} went with those muscles", gone.join(", ")));
    }
    rigged.musculature.activation = activation;
}

fn read_curves(path: &std::path::Path, activation: &mut Activation) -> Result<(), Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::io(path, "the curves cannot be read", &error))?;
    let curves: Vec<ClipActivation> = serde_json::from_str(&text).map_err(|error| {
        Failure::input(path.display().to_string(), error.to_string())
            .cure("write it as in [{\"clip\": \"curl\", \"tracks\": [{\"muscle\": \"biceps.l\", \"times\": [0, 1], \"values\": [0, 1]}]}]")
    })?;
    for ClipActivation { clip, tracks } in curves {
        let known = activation.curves.iter().position(|curves| curves.clip == clip);
        let place = known.unwrap_or_else(|| {
            activation.curves.push(ClipActivation { clip, tracks: Vec::new() });
            activation.curves.len() - 1
        });
        let of_clip = &mut activation.curves[place].tracks;
        of_clip.retain(|old| tracks.iter().all(|new| new.muscle != old.muscle));
        of_clip.extend(tracks);
    }
    Ok(())
}

/// One `--driver`.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    text: String,
    pattern: String,
    from: From,
    remap: Vec<[f32; 2]>,
}

#[derive(Clone, Debug, PartialEq)]
enum From {
    /// A role's joint and the way it turns, or shortening.
    Body(Option<Role>, Option<Motion>),
    /// A joint by name, and an axis of its own.
    Joint(String, Option<Vec3>),
}

impl Wish {
    fn parse(text: &str) -> Result<Self, Failure> {
        let wrong = |message: String| {
            let cure = "write it as in --driver 'biceps*=lower_arm.flexion:20->0,130->0.6'";
            Failure::call(message).at(format!("--driver {text:?}")).cure(cure)
        };
        let (pattern, rest) = text.split_once('=').ok_or_else(|| wrong("there is no =".into()))?;
        // names of joints may have colons of their own
        let (signal, points) = rest.rsplit_once(':').ok_or_else(|| wrong("there is no : before the curve".into()))?;
        let point = |point: &str| {
            let number = |text: &str| text.trim().parse::<f32>().ok();
            let pair = point.split_once("->").and_then(|(from, to)| Some([number(from)?, number(to)?]));
            pair.ok_or_else(|| wrong(format!("{point:?} is no point IN->OUT of a curve")))
        };
        let remap = points.split(',').map(point).collect::<Result<Vec<_>, _>>()?;
        let (pattern, from) = (pattern.trim().to_owned(), From::parse(signal.trim()));
        let wish = Self { text: text.to_owned(), pattern, from, remap };
        match wish.template(None, None).fault() {
            Some(fault) => Err(wrong(format!("it {fault}"))),
            None => Ok(wish),
        }
    }

    fn template(&self, role: Option<Role>, motion: Option<Motion>) -> DriverTemplate {
        DriverTemplate { muscles: vec![self.pattern.clone()], role, motion, remap: self.remap.clone() }
    }

    /// The drivers it means on this body.
    fn make(&self, subject: &Subject, roles: &Roles, rigged: &Rigged) -> Result<Vec<Driver>, Failure> {
        let muscles = &rigged.musculature.muscles;
        let skeleton = &subject.character.skeleton;
        let at = |failure: Failure| failure.at(format!("--driver {:?}", self.text));
        match &self.from {
            From::Body(role, motion) => {
                let (made, lost) = drivers(&[self.template(*role, *motion)], skeleton, roles, muscles);
                let cure = "see fusiform inspect for the names of muscles and the roles of joints";
                match lost.is_empty() {
                    true => Ok(made),
                    false => Err(at(Failure::call("no such muscle, or no joint of this body turns so").cure(cure))),
                }
            }
            From::Joint(joint, axis) => {
                if skeleton.find(joint).is_none() {
                    let all: Vec<&str> = skeleton.joints.iter().map(|joint| joint.name.as_str()).collect();
                    return Err(names::unknown(&subject.file, "joint", joint, &all));
                }
                let all: Vec<&str> = muscles.iter().map(|muscle| muscle.name.as_str()).collect();
                let named: Vec<String> =
                    all.iter().filter(|name| names::fits(&self.pattern, name)).map(|&name| name.to_owned()).collect();
                if named.is_empty() {
                    return Err(names::unknown(&subject.file, "muscle", &self.pattern, &all));
                }
                let signal = Signal::JointAngle { joint: joint.clone(), axis: *axis };
                Ok(vec![Driver { muscles: named, signal, remap: self.remap.clone() }])
            }
        }
    }
}

impl From {
    fn parse(signal: &str) -> Self {
        if signal == "shortening" {
            return Self::Body(None, None);
        }
        let role = |name: &str| Role::ALL.into_iter().find(|role| role.name() == name);
        let motions = [Motion::Flexion, Motion::Abduction, Motion::Rotation];
        let turned = signal
            .rsplit_once('.')
            .and_then(|(of, motion)| Some((role(of)?, motions.into_iter().find(|known| known.to_string() == motion)?)));
        if let Some((role, motion)) = turned {
            return Self::Body(Some(role), Some(motion));
        }
        if let Some(role) = role(signal) {
            return Self::Body(Some(role), None);
        }
        let axes =
            [("x", Vec3::X), ("y", Vec3::Y), ("z", Vec3::Z), ("-x", -Vec3::X), ("-y", -Vec3::Y), ("-z", -Vec3::Z)];
        let about = signal.rsplit_once(':').and_then(|(joint, name)| {
            let (_, axis) = axes.into_iter().find(|(axis, _)| *axis == name)?;
            Some(Self::Joint(joint.to_owned(), Some(axis)))
        });
        about.unwrap_or_else(|| Self::Joint(signal.to_owned(), None))
    }
}

fn level(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(level) if (0.0..=1.0).contains(&level) => Ok(level),
        _ => Err("a tension is 0 to 1".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_is_read_as_people_write_it() {
        let from = |text: &str| Wish::parse(text).unwrap().from;
        assert_eq!(from("b*=shortening:0->0,0.3->1"), From::Body(None, None));
        assert_eq!(from("b*=lower_arm:0->0,90->1"), From::Body(Some(Role::LowerArm), None));
        let flexion = From::Body(Some(Role::LowerArm), Some(Motion::Flexion));
        assert_eq!(from("b* = lower_arm.flexion : 20->0, 90 -> 1"), flexion);
        let arm = "mixamorig:LeftForeArm";
        assert_eq!(from(&format!("b*={arm}:0->0,90->1")), From::Joint(arm.into(), None));
        assert_eq!(from(&format!("b*={arm}:-z:0->0,90->1")), From::Joint(arm.into(), Some(-Vec3::Z)));
        assert_eq!(Wish::parse("*=shortening:0->0,0.3->1").unwrap().remap, [[0.0, 0.0], [0.3, 1.0]]);
    }

    #[test]
    fn what_is_no_driver_is_answered_with_one_that_is() {
        for (text, why) in [
            ("biceps", "there is no ="),
            ("b=elbow", "there is no :"),
            ("b=elbow:0->0,x->1", "\"x->1\" is no point"),
            ("b=elbow:0->0", "1 points"),
            ("b=elbow:90->0,20->1", "20 follows 90"),
            ("b=elbow:0->0,90->1.5", "1.5"),
        ] {
            let failure = Wish::parse(text).unwrap_err();
            assert!(failure.to_string().contains(why), "{failure}");
        }
    }
}
