//! `--model`, `--markers`, `--forces`: a laboratory's model, the motion it measured, and what its plates felt.

use crate::failure::Failure;
use crate::source::Subject;
use crate::ui::Ui;
use fusiform::SparseWeights;
use fusiform_drive::{
    Laboratory, LaboratoryError, MarkersError, MeasuredPushes, Residual, SPECIFIC_TENSION, Tracked, in_radians,
    laboratory, markers_to_coordinates, register, strengths,
};
use fusiform_files::{c3d, osim, sto, trc};
use fusiform_fit::retarget::{Retargeted, Rig, retarget};
use fusiform_fit::{FAT, MAX_TOTAL, Preset, Roles, Wear};
use fusiform_motion::capture::Capture;
use fusiform_motion::model::Model;
use fusiform_motion::table::Table;
use serde_json::{Value, json};
use std::path::Path;

/// N: plates that feel less feel nothing.
const NOTHING: f64 = 20.0;
/// Markers that people are told of.
const FARTHEST: usize = 5;

/// Read an .osim file; what it holds and is not read becomes warnings.
pub fn model(path: &Path, warnings: &mut Vec<String>) -> Result<Model, Failure> {
    let read = osim::read(&bytes(path, "the model")?).map_err(|error| Failure::file(&shown(path), &error))?;
    warnings.extend(read.warnings);
    Ok(read.model)
}

/// How much markers count: as a set-up says, or all the same.
pub struct Weights(Option<osim::setup::IkSetup>);

impl Weights {
    /// Of that set-up.
    pub fn read(setup: Option<&Path>) -> Result<Self, Failure> {
        let read = |path: &Path| {
            let setup = osim::setup::read_ik(&bytes(path, "the set-up")?);
            setup.map_err(|error| Failure::file(&shown(path), &error))
        };
        setup.map(read).transpose().map(Self)
    }

    fn of(&self, name: &str) -> f64 {
        let Some(setup) = &self.0 else { return 1.0 };
        setup.markers.iter().find(|task| task.name == name).map_or(0.0, |task| task.weight)
    }
}

/// A motion that was measured, on the character.
pub struct Measured {
    /// The clip it became.
    pub clip: usize,
    laboratory: Laboratory,
    made: Retargeted,
    plates: Option<Table>,
    residuals: Vec<Residual>,
}

impl Measured {
    /// From markers (.trc, .c3d) or from coordinates (.mot, .sto) of that model, put on the character as one more clip.
    pub fn put_on(
        (path, weights): (&Path, &Weights),
        (model_path, model): (&Path, &Model),
        subject: &mut Subject,
        roles: &Roles,
        ui: &Ui,
    ) -> Result<Self, Failure> {
        let file = shown(path);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (coordinates, plates, residuals) = match ending(path).as_str() {
            "mot" | "sto" => {
                let read = sto::read(&bytes(path, "the motion")?).map_err(|error| Failure::file(&file, &error))?;
                subject.warnings.extend(read.warnings);
                (if read.in_degrees { in_radians(model, &read.table) } else { read.table }, None, Vec::new())
            }
            _ => {
                let capture = capture(path, &mut subject.warnings)?;
                let tracked = markers_to_coordinates(model, &capture, |name| weights.of(name));
                let tracked = tracked.map_err(|error| match error {
                    MarkersError::Model(_) | MarkersError::NoMarkers => Failure::told(shown(model_path), &error),
                    error => Failure::told(file.clone(), &error),
                })?;
                tell(&tracked, ui);
                subject.warnings.extend(tracked.warnings);
                let plates = (!capture.plates.is_empty()).then(|| capture.ground_forces(NOTHING));
                (tracked.coordinates, plates, tracked.residuals)
            }
        };
        let laboratory = laboratory(model, &coordinates, &stem).map_err(|error| match error {
            LaboratoryError::Model(_) | LaboratoryError::NoPart(_) => Failure::told(shown(model_path), &error),
            error => Failure::told(file.clone(), &error),
        })?;
        subject.warnings.extend(laboratory.warnings.iter().cloned());
        let source = Rig { skeleton: &laboratory.skeleton, roles: laboratory.roles.clone() };
        let target = Rig { skeleton: &subject.character.skeleton, roles: roles.clone() };
        let made = retarget(&source, &laboratory.clip, &target, None).map_err(|error| {
            Failure::input(file, error.to_string()).at(format!("motion on {}", subject.file)).cure(error.cure())
        })?;
        subject.warnings.extend(made.warnings.iter().cloned());
        let mut clip = made.clip.clone();
        while subject.character.clips.iter().any(|other| other.name == clip.name) {
            clip.name.push('\'');
        }
        let index = subject.gltf.append_clip(&clip, &subject.origin.node_of_joint, subject.origin.units);
        subject.character.clips.push(clip);
        Ok(Self { clip: index, laboratory, made, plates, residuals })
    }

    /// s: the laboratory's time when the clip begins.
    pub fn start(&self) -> f64 {
        self.laboratory.start + f64::from(self.made.start)
    }

    /// kg: what the person weighs, as the model has it.
    pub fn mass(&self) -> Option<f64> {
        Some(self.laboratory.mass).filter(|mass| *mass > 0.0)
    }

    /// How far markers were from where the model has them, mm: root of the mean square, and at most.
    pub fn residuals(&self) -> Value {
        let of = |of: &Residual| (of.marker.clone(), json!({ "rms_mm": 1e3 * of.rms, "max_mm": 1e3 * of.worst }));
        Value::Object(self.residuals.iter().map(of).collect())
    }

    /// Whether the recording has force plates.
    pub fn has_plates(&self) -> bool {
        self.plates.is_some()
    }

    /// What plates felt under the person, under the character of that mass; nothing where none were read.
    pub fn pushes(&self, forces: Option<&Path>, roles: &Roles, mass: f64) -> Result<Option<MeasuredPushes>, Failure> {
        let told = forces.map(|path| {
            let read = sto::read(&bytes(path, "the forces")?).map_err(|error| Failure::file(&shown(path), &error))?;
            Ok::<_, Failure>(read.table)
        });
        let Some(table) = told.transpose()?.or_else(|| self.plates.clone()) else { return Ok(None) };
        let weight = self.mass().map_or(1.0, |own| mass / own);
        let file = forces.map_or_else(|| "the plates".into(), shown);
        let pushes = MeasuredPushes::new(&self.laboratory, &table, &self.made, roles, weight);
        pushes.map(Some).map_err(|error| Failure::told(file, &error))
    }
}

/// How far markers are from where the model has them, the farthest by name.
fn tell(tracked: &Tracked, ui: &Ui) {
    let mut residuals: Vec<&Residual> = tracked.residuals.iter().collect();
    residuals.sort_by(|a, b| b.rms.total_cmp(&a.rms));
    let of = |of: &&Residual| format!("{} {:.1}", of.marker, 1e3 * of.rms);
    let farthest: Vec<String> = residuals.iter().take(FARTHEST).map(of).collect();
    let rms = 1e3 * tracked.rms();
    ui.say(format!("  markers are {rms:.1} mm (rms) from where the model has them; {}", farthest.join(", ")));
}

/// Which muscles are to carry the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Muscles {
    /// The character's own and the model's
    #[default]
    Both,
    /// The character's own; the model only moves
    Own,
    /// The model's, in place of the character's own
    Model,
}

/// Put the model's muscles into the character; returns how strong every muscle is then, N.
pub fn add_muscles(
    model: &Model,
    which: Muscles,
    subject: &mut Subject,
    (wear, roles): (&[Wear], &Roles),
    ui: &Ui,
) -> Result<Option<Vec<f64>>, Failure> {
    if which == Muscles::Own {
        return Ok(None);
    }
    let fat = FAT * subject.character.height();
    let made = register(model, &subject.character, wear, roles, Preset::Ramos, fat);
    let made = made.map_err(|error| Failure::told(subject.file.clone(), &error))?;
    ui.say(format!("  {} of the model's {} muscles have a place here", made.muscles.len(), model.muscles.len()));
    subject.warnings.extend(made.warnings);
    let musculature = &mut subject.musculature;
    // those of an earlier time make room for these
    let stays = |name: &str| which == Muscles::Both && !made.muscles.iter().any(|muscle| muscle.name == name);
    let kept: Vec<bool> = musculature.muscles.iter().map(|muscle| stays(&muscle.name)).collect();
    keep(&kept, musculature);
    let own = strengths(&subject.character, musculature, SPECIFIC_TENSION);
    let own = own.map_err(|error| Failure::told(subject.file.clone(), &error))?;
    let first = musculature.muscles.len() as u16;
    musculature.weights.resize_with(subject.character.meshes.len(), SparseWeights::default);
    for ((mesh, own), added) in subject.character.meshes.iter().zip(&mut musculature.weights).zip(&made.weights) {
        *own = together(mesh.positions.len(), own, added, first);
    }
    musculature.muscles.extend(made.muscles);
    if musculature.layers.is_empty() {
        musculature.layers = Preset::Ramos.layers();
    }
    Ok(Some(own.into_iter().chain(made.strengths).collect()))
}

/// Take muscles away, and what weighs by them.
fn keep(kept: &[bool], musculature: &mut fusiform::Musculature) {
    let mut row = 0;
    let new: Vec<Option<u16>> = kept
        .iter()
        .map(|&kept| {
            kept.then(|| {
                row += 1;
                row - 1
            })
        })
        .collect();
    for weights in &mut musculature.weights {
        let mut left = SparseWeights::default();
        for v in 0..weights.len() {
            left.push_vertex(weights.of(v).filter_map(|(m, w)| Some((new[usize::from(m)]?, w))));
        }
        *weights = left;
    }
    let mut each = kept.iter();
    musculature.muscles.retain(|_| each.next().copied().unwrap_or(false));
    let names: Vec<String> = musculature.muscles.iter().map(|muscle| muscle.name.clone()).collect();
    musculature.activation.retain_muscles(|name| names.iter().any(|own| own == name));
}

/// Both weights on every vertex, no more than a skin bears.
fn together(n_vertex: usize, own: &SparseWeights, added: &SparseWeights, first: u16) -> SparseWeights {
    let mut both = SparseWeights::default();
    for v in 0..n_vertex {
        let of = |weights: &SparseWeights| if v < weights.len() { weights.of(v).collect() } else { Vec::new() };
        let mut all: Vec<(u16, f32)> = of(own);
        all.extend(of(added).into_iter().map(|(m, w)| (m + first, w)));
        let total: f32 = all.iter().map(|(_, w)| w).sum();
        let share = if total > MAX_TOTAL { MAX_TOTAL / total } else { 1.0 };
        both.push_vertex(all.into_iter().map(|(m, w)| (m, w * share)));
    }
    both
}

fn capture(path: &Path, warnings: &mut Vec<String>) -> Result<Capture, Failure> {
    let (file, bytes) = (shown(path), bytes(path, "the markers")?);
    let read = match ending(path).as_str() {
        "trc" => trc::read(&bytes),
        "c3d" => c3d::read(&bytes),
        _ => {
            return Err(Failure::input(
                file,
                "markers are read from .trc and .c3d files, coordinates from .mot and .sto",
            )
            .cure("convert it to one of them"));
        }
    };
    let mut read = read.map_err(|error| Failure::file(&file, &error))?;
    warnings.extend(read.warnings);
    read.capture.stand_on_y();
    Ok(read.capture)
}

fn bytes(path: &Path, what: &str) -> Result<Vec<u8>, Failure> {
    std::fs::read(path)
        .map_err(|error| Failure::io(path, &format!("{what} cannot be read"), &error).cure("check the path"))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}
