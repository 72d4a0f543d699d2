//! `FUSIFORM_musculature`: muscles in the root extension, their weights on the skin as attributes of its primitives.
//!
//! ```text
//! extensions.FUSIFORM_musculature = { version, metresPerUnit, muscles, bones, base, layers, physique, normals,
//!                                     activation }
//! primitive.attributes._MUSCLE_INDEX_n, _MUSCLE_WEIGHT_n     four muscles and their weights a vertex and set
//! ```
//!
//! Lengths are metres. `docs/FUSIFORM_musculature.schema.json` says all of it. A viewer that knows nothing of it shows an
//! ordinary skinned character.
//!
//! What changes the meaning of a muscle comes with a new version, so an unknown field in a muscle is a slip of the pen and
//! is refused. Beside the muscles anybody may keep notes: such fields are left alone, with a warning.

use super::edit::{F32, U16};
use super::{Gltf, Origin, Part};
use crate::FileError;
use fusiform::musculature::{Activation, Base, Bone, BoneShape, Layer, NormalWeighting};
use fusiform::{Muscle, Musculature, Physique, SparseWeights};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Name of the extension.
pub const EXTENSION: &str = "FUSIFORM_musculature";
/// What is written, and the newest that is read.
const VERSION: u32 = 1;
/// What the extension may hold, its own fields and glTF's.
const FIELDS: [&str; 11] = [
    "version",
    "metresPerUnit",
    "muscles",
    "bones",
    "base",
    "layers",
    "physique",
    "normals",
    "activation",
    "extras",
    "extensions",
];
const ATTRIBUTES: [&str; 2] = ["_MUSCLE_INDEX", "_MUSCLE_WEIGHT"];

/// The extension as it stands in the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Document {
    version: u32,
    pub metres_per_unit: f64,
    muscles: Vec<Muscle>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bones: Vec<Bone>,
    #[serde(default)]
    base: Base,
    #[serde(default)]
    layers: Vec<Layer>,
    #[serde(default)]
    physique: Physique,
    #[serde(default)]
    normals: NormalWeighting,
    #[serde(default, skip_serializing_if = "Activation::is_default")]
    activation: Activation,
}

/// The extension of a file, if it has one.
pub(crate) fn document(json: &Value, warnings: &mut Vec<String>) -> Result<Option<Document>, FileError> {
    let Some(value) = json.get("extensions").and_then(|extensions| extensions.get(EXTENSION)) else { return Ok(None) };
    match value.get("version").and_then(Value::as_u64) {
        Some(version) if version > u64::from(VERSION) => {
            return Err(FileError::new(EXTENSION, format!("it is version {version}; up to {VERSION} is read"))
                .cure("use a newer fusiform"));
        }
        _ => {}
    }
    let names = value.as_object().into_iter().flat_map(|fields| fields.keys());
    for name in names.filter(|name| !FIELDS.contains(&name.as_str())) {
        warnings.push(format!("{EXTENSION} has a field {name:?}, which means nothing here and is left alone"));
    }
    let document = serde_path_to_error::deserialize::<_, Document>(value);
    document.map(Some).map_err(|error| {
        FileError::new(format!("{EXTENSION}.{}", error.path()), error.inner().to_string())
            .cure("mend that field, or rig the character again")
    })
}

impl Document {
    /// The muscles with what they weigh on each mesh.
    pub fn with_weights(self, weights: Vec<SparseWeights>) -> Musculature {
        let Self { muscles, bones, base, layers, physique, normals, activation, .. } = self;
        Musculature { muscles, bones, base, layers, weights, physique, normals, activation }
    }
}

impl Gltf {
    /// Put these muscles into the file, in the place of those it has. Bones with a mesh that is no node's of this file have no
    /// name there and are left out. Where two nodes show one mesh, and muscles weigh otherwise on the second, it gets a copy.
    pub fn set_musculature(&mut self, origin: &Origin, musculature: &Musculature) {
        self.remove_musculature();
        let Musculature { muscles, bones, base, layers, physique, normals, activation, weights } = musculature.clone();
        let nameless = |bone: &Bone| matches!(&bone.shape, BoneShape::Mesh { node, .. } if node.is_empty());
        let bones: Vec<Bone> = bones.into_iter().filter(|bone| !nameless(bone)).collect();
        let metres_per_unit = origin.units.metres();
        let document =
            Document { version: VERSION, metres_per_unit, muscles, bones, base, layers, physique, normals, activation };
        self.json["extensions"][EXTENSION] = json!(document);
        self.use_extension(EXTENSION);
        let of = |part: &Part| part.primitives.iter().map(|of| weights.get(of.mesh)).collect::<Vec<_>>();
        let mut origin = origin.clone();
        self.separate(&mut origin, |one, other| of(one) != of(other));
        // what they still share is written once
        let mut written = Vec::new();
        for part in &origin.parts {
            for primitive in &part.primitives {
                let place = (part.mesh, primitive.index);
                if let Some(of_mesh) = weights.get(primitive.mesh).filter(|_| !written.contains(&place)) {
                    self.set_muscle_weights(place, of_mesh);
                    written.push(place);
                }
            }
        }
    }

    fn set_muscle_weights(&mut self, (mesh, primitive): (usize, usize), weights: &SparseWeights) {
        let most = (0..weights.len()).map(|v| weights.of(v).count()).max().unwrap_or(0);
        for set in 0..most.div_ceil(4).max(1) {
            let (index, weight) = weights.set_of_four(set);
            let target = Some(super::edit::ARRAY_BUFFER);
            let accessors =
                [self.append_accessor(&index, U16, "VEC4", target), self.append_accessor(&weight, F32, "VEC4", target)];
            let attributes = &mut self.json["meshes"][mesh]["primitives"][primitive]["attributes"];
            for (name, accessor) in ATTRIBUTES.iter().zip(accessors) {
                attributes[format!("{name}_{set}")] = json!(accessor);
            }
        }
    }

    /// Take all that is ours out of the file. Its bytes go too where they are the file's last, as we wrote them.
    pub fn remove_musculature(&mut self) {
        self.drop_extension(EXTENSION);
        let mut accessors = Vec::new();
        for mesh in self.json.get_mut("meshes").and_then(Value::as_array_mut).into_iter().flatten() {
            for primitive in mesh.get_mut("primitives").and_then(Value::as_array_mut).into_iter().flatten() {
                let Some(attributes) = primitive.get_mut("attributes").and_then(Value::as_object_mut) else { continue };
                attributes.retain(|name, accessor| {
                    let ours = ATTRIBUTES.iter().any(|ours| name.starts_with(ours));
                    accessors.extend(accessor.as_u64().filter(|_| ours));
                    !ours
                });
            }
        }
        accessors.sort_unstable();
        accessors.dedup();
        for accessor in accessors.into_iter().rev().filter_map(|accessor| usize::try_from(accessor).ok()) {
            if !self.is_used(accessor) {
                self.pop_accessor(accessor);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::character::Interpolation;
    use fusiform::musculature::{
        Along, Attachment, ClipActivation, Contraction, Driver, Dynamics, FrameRule, Influence, InfluenceTemplate,
        MuscleTrack, Path, PoseShape, Profile, Sculpt, ShellMode, Sigmoids, Signal, Tissue, TissueIntegrator,
        TissueRest, Volume, WrapFrame,
    };
    use glam::{Quat, Vec3};

    #[test]
    fn every_choice_on_every_dial_comes_back_from_a_file() {
        let via = vec![Attachment { joint: "knee".into(), point: Vec3::X }];
        let sculpt = Sculpt { factors: vec![1.25; 72] };
        let turns = [("knee".to_owned(), Quat::from_rotation_x(1.0))].into();
        let shapes = vec![PoseShape { turns, sculpt: sculpt.clone() }];
        let line = Muscle {
            name: "vastus".into(),
            path: Path::Polyline { via, tendons: [0.1, 0.2] },
            profile: Profile::Ellipsoid { width: 0.03, height: 0.04 },
            contraction: Contraction::PoseShapes { shapes, tone: 0.5, isometric: 0.1 },
            sculpt: Some(sculpt),
            carrier: Some("hips".into()),
            influence: Some(Influence { template: InfluenceTemplate::Facing, inner: 0.01, outer: 0.03 }),
            ..Muscle::default()
        };
        let knots = |joint: &str, n: usize| vec![Attachment { joint: joint.into(), point: Vec3::Y }; n];
        let sheet = |middle: usize| Muscle {
            path: Path::Sheet {
                origin: knots("hips", 3),
                middle: knots("hips", middle),
                insertion: knots("knee", 1),
                bellies: 5,
                tendons: [0.01, 0.02],
            },
            ..Muscle::default()
        };
        let tone = Muscle { contraction: Contraction::Tone { tone: 0.7, isometric: 0.2 }, ..Muscle::default() };
        let dynamics =
            Dynamics::SoftBody { stiffness: 50.0, goal: 700.0, mass: 0.4, damping: 0.3, gravity: 0.5, reach: 0.1 };
        let soft = Muscle { dynamics, ..Muscle::default() };
        let wrap = Layer::Wrap {
            muscles: vec!["vastus".to_owned()],
            shrink: 0.25,
            frame: WrapFrame::Full,
            slide: 0.5,
            sink: 0.25,
        };
        let shells = |mode| {
            let muscles = vec!["vastus".to_owned()];
            Layer::Shells { muscles, drop_off: 0.7, stickiness: 0.3, hardness: 0.2, weight: 0.9, mode }
        };
        let modes = [
            ShellMode::Basic { paper: true },
            ShellMode::Stretch { slippage: 2.0 },
            ShellMode::Trajectory { slippage: 0.5, offsets: vec![Vec3::new(0.1, 0.2, 0.3)] },
            ShellMode::Star { slippage: 1.5 },
        ];
        let slide = Layer::Slide { bones: vec!["patella".into()], max: 0.02, reach: 0.04, fat: 0.003 };
        let shapes = [
            BoneShape::Capsule { from: Vec3::X, to: Vec3::Y, radii: [0.1, 0.2] },
            BoneShape::Ellipsoid {
                center: Vec3::Z,
                turn: Quat::from_rotation_y(0.5),
                half_axes: Vec3::new(0.3, 0.2, 0.1),
            },
            BoneShape::Mesh { node: "femur".into(), positions: Vec::new(), triangles: Vec::new() },
        ];
        let bone = |shape| Bone { name: "patella".into(), joint: "knee".into(), shape };
        let bones: Vec<Bone> = shapes.map(bone).into();
        let cubics = Muscle {
            profile: Profile::TwoCubics {
                peak_at: 0.4,
                peak: 0.03,
                ends: [0.01, 0.02],
                slopes: [0.1, -0.2],
                ellipse: 1.5,
            },
            contraction: Contraction::Cones { volume: Volume::Cones, isometric: 0.5 },
            ..Muscle::default()
        };
        let tense = Contraction::TensionRatio { ratio: 3.0, tension: 0.25, paper: true };
        let tense = Muscle { contraction: tense, ..Muscle::default() };
        let displace = Layer::Displace { muscles: vec!["vastus".into()], fat: 0.002, along: Along::Up };
        let shape = Sigmoids::spindle(0.03, 0.7);
        let identified = Muscle {
            profile: Profile::Sigmoid { shape, flat: true },
            contraction: Contraction::Identified {
                by_length: shape.growing(-1.5),
                by_tension: shape.growing(0.2),
                strength: 900.0,
            },
            frame: FrameRule::Halves,
            ..Muscle::default()
        };
        let tissue = Layer::Tissue(Tissue {
            muscles: vec!["vastus".into()],
            bones: vec!["patella".into()],
            mass: 55.5,
            links: 12,
            muscularity: 0.75,
            rest: TissueRest::Bind,
            integrator: TissueIntegrator::Verlet,
            ..Tissue::default()
        });
        let muscles = vec![Muscle::default(), line, tone, sheet(0), sheet(2), soft, cubics, tense, identified];
        let layers: Vec<Layer> =
            [Layer::blend(), Layer::shells(), Layer::slide(), slide, wrap, Layer::displace(), displace]
                .into_iter()
                .chain(modes.map(shells))
                .chain([tissue])
                .collect();
        let driver = |signal| Driver { muscles: vec!["vastus".into()], signal, remap: vec![[-5.5, 0.1], [90.0, 0.7]] };
        let angle = |axis| Signal::JointAngle { joint: "knee".into(), axis };
        let signals = [angle(Some(Vec3::new(0.6, 0.0, -0.8))), angle(None), Signal::Shortening];
        let track = |interpolation| MuscleTrack {
            muscle: "vastus".into(),
            times: vec![0.1],
            values: vec![0.3; if interpolation == Interpolation::Cubic { 3 } else { 1 }],
            interpolation,
        };
        let tracks = [Interpolation::Step, Interpolation::Linear, Interpolation::Cubic].map(track).to_vec();
        let curves = vec![ClipActivation { clip: "squat".into(), tracks }];
        let activation = Activation { tension: 0.3, drivers: signals.map(driver).to_vec(), curves };
        let written = Document {
            version: VERSION,
            metres_per_unit: 1.0,
            muscles: muscles.clone(),
            bones: bones.clone(),
            base: Base::Linear,
            layers: layers.clone(),
            physique: Physique::default(),
            normals: NormalWeighting::Area,
            activation: activation.clone(),
        };
        let read = document(&json!({ "extensions": { EXTENSION: written } }), &mut Vec::new()).unwrap().unwrap();
        assert_eq!((read.muscles, read.layers), (muscles, layers));
        assert_eq!((read.bones, read.activation), (bones, activation));
    }

    #[test]
    fn keys_are_written_as_short_as_they_were_meant() {
        let times: Vec<f32> = (0..4).map(|frame| frame as f32 / 30.0).collect();
        let values = vec![0.1, 0.7, 1.0, 1e-9];
        let track = MuscleTrack { muscle: "m".into(), times, values, interpolation: Interpolation::Linear };
        let text = json!(track).to_string();
        assert!(text.contains(r#""times":[0.0,0.033333335,0.06666667,0.1]"#), "{text}");
        assert_eq!(serde_json::from_str::<MuscleTrack>(&text).unwrap(), track);
    }

    #[test]
    fn a_layer_needs_no_more_than_its_kind() {
        let layers = json!([{ "kind": "shells" }, { "kind": "wrap" }, { "kind": "tissue" }]);
        let root = json!({ "version": 1, "metresPerUnit": 1.0, "muscles": [], "layers": layers });
        let read = document(&json!({ "extensions": { EXTENSION: root } }), &mut Vec::new()).unwrap().unwrap();
        assert_eq!(read.layers, [Layer::shells(), Layer::wrap(), Layer::tissue()]);
    }
}
