//! `fusiform inspect`: what is in a file.

mod activation;
mod cache;
mod laboratory;
mod muscle;

use crate::failure::Failure;
use crate::measure::{rounded, volume};
use crate::motion::Motion;
use crate::section::Skin;
use crate::source::{Source, Subject};
use crate::ui::{Ui, grouped};
use fusiform::body::belly_triangles;
use fusiform::musculature::{Bone, BoneShape, Contraction, Path, Profile};
use fusiform::{Body, BodyState, Clip, Muscle, Skeleton};
use fusiform_bake::Cache as Kind;
use fusiform_fit::{Found, Role, Roles, Side};
use glam::Vec3;
use serde_json::{Value, json};

/// Say what is in a character: joints and their roles, clips, muscles, bones, warnings; or in a motion, a cache or a
/// laboratory's file
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  fusiform inspect athlete
  fusiform inspect athlete --json | jq '.muscles[].name'
  fusiform inspect athlete --muscle 'biceps*'
  fusiform inspect curl.pc2
  fusiform inspect subject.osim
  fusiform inspect walk.c3d")]
pub struct Inspect {
    /// A .glb, .gltf or .bvh file, a cache (.pc2, .mdd, .usda), a laboratory's file (.osim, .trc, .c3d, .mot, .sto, .csv),
    /// `athlete`, or `athlete:VERTICES`
    #[arg(value_name = "IN")]
    input: Source,
    /// Say every parameter of the muscles of that name too; `*` stands for any text
    #[arg(long, value_name = "NAME")]
    muscle: Option<String>,
}

impl Inspect {
    /// Read it, look at it, say it.
    pub fn run(self, ui: &Ui) -> Result<(), Failure> {
        if let Source::File(path) = &self.input {
            if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bvh")) {
                return inspect_motion(path, ui);
            }
            if let Some(kind) = Kind::of(path) {
                return cache::inspect(kind, path, ui);
            }
            if let Some(kind) = laboratory::Kind::of(path) {
                return laboratory::inspect(kind, path, ui);
            }
        }
        let subject = self.input.load(ui)?;
        let report = Report::new(&subject)?;
        let mut document = report.json(&subject);
        let Some(pattern) = &self.muscle else { return ui.result(&document, Some(&report.table(&subject))) };
        let parameters = muscle::parameters(&subject, pattern)?;
        document["muscle"] = parameters.iter().map(muscle::Parameters::json).collect();
        let text: String = parameters.iter().map(muscle::Parameters::table).collect();
        ui.result(&document, Some(text.trim_start()))
    }
}

/// A captured motion has joints and a clip, but no skin.
fn inspect_motion(path: &std::path::Path, ui: &Ui) -> Result<(), Failure> {
    let Motion { skeleton, clip, unit, mut warnings } = Motion::read(path)?;
    let file = path.display().to_string();
    let roles = Roles::find(&skeleton);
    warnings.extend_from_slice(&roles.warnings);
    let places: Vec<Vec3> = skeleton.joints.iter().map(|joint| joint.bind.translation.into()).collect();
    let (low, high) = places.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(*p), high.max(*p)));
    let height = (high.y - low.y).max(0.0);
    let mut text = format!("{file}: a motion of joints {height:.2} m high, {unit:.4} m a unit\n");
    text += &joint_table(&skeleton, &roles);
    text += &clip_table(std::slice::from_ref(&clip));
    warnings.iter().for_each(|warning| text += &format!("warning: {warning}\n"));
    let document = json!({
        "file": file,
        "units": format!("{unit} m"),
        "height_m": rounded(height, 1e4),
        "up": "+Y",
        "meshes": [],
        "joints": joints_json(&skeleton, &roles),
        "clips": clips_json(std::slice::from_ref(&clip)),
        "muscles": [],
        "bones": [],
        "layers": [],
        "warnings": warnings,
    });
    ui.result(&document, Some(&text))
}

fn joints_json(skeleton: &Skeleton, roles: &Found) -> Vec<Value> {
    let joint = |(i, joint): (usize, &fusiform::Joint)| {
        let role = roles.of_joint(i);
        json!({
            "name": joint.name,
            "parent": joint.parent.map(|parent| &skeleton.joints[parent].name),
            "role": role.map(|(role, ..)| role.name()),
            "side": role.and_then(|(_, side, _)| side).map(side_name),
            "confidence": role.map_or(0.0, |(.., evidence)| rounded(evidence.confidence, 1e2)),
        })
    };
    skeleton.joints.iter().enumerate().map(joint).collect()
}

fn clips_json(clips: &[Clip]) -> Vec<Value> {
    let clip =
        |clip: &Clip| json!({ "name": clip.name, "seconds": rounded(clip.duration(), 1e4), "frames": frames(clip) });
    clips.iter().map(clip).collect()
}

fn joint_table(skeleton: &Skeleton, roles: &Found) -> String {
    let joints = skeleton.joints.iter().enumerate().map(|(i, joint)| {
        let parent = joint.parent.map_or("-", |parent| &skeleton.joints[parent].name);
        let (role, sure) = match roles.of_joint(i) {
            Some((role, Some(side), it)) => (format!("{role}, {}", side_name(side)), format!("{:.1}", it.confidence)),
            Some((role, None, it)) => (role.to_string(), format!("{:.1}", it.confidence)),
            None => ("-".into(), String::new()),
        };
        [joint.name.clone(), parent.to_owned(), role, sure]
    });
    columns(["joint", "parent", "role", "sure"], joints, [false, false, false, true])
}

fn clip_table(clips: &[Clip]) -> String {
    let clips =
        clips.iter().map(|clip| [clip.name.clone(), format!("{:.2}", clip.duration()), frames(clip).to_string()]);
    columns(["clip", "seconds", "frames"], clips, [false, true, true])
}

/// A muscle as it is reported.
struct MuscleRow<'a> {
    muscle: &'a Muscle,
    rest_length: f32,
    volume_cm3: f64,
}

struct Report<'a> {
    roles: Found,
    muscles: Vec<MuscleRow<'a>>,
    warnings: Vec<String>,
}

impl<'a> Report<'a> {
    fn new(subject: &'a Subject) -> Result<Self, Failure> {
        let Subject { file, character, musculature, .. } = subject;
        let body = Body::bind(character, musculature).map_err(|error| Failure::bind(file, &error))?;
        let state = BodyState::new(&body);
        let row = |(m, muscle): (usize, &'a Muscle)| {
            let mut points = vec![Vec3::ZERO; body.belly_size(m)];
            state.belly_points(&body, m, &mut points);
            let triangles = belly_triangles(usize::from(muscle.rings), usize::from(muscle.sectors));
            MuscleRow { muscle, rest_length: body.rest_lengths()[m], volume_cm3: volume(&points, &triangles) * 1e6 }
        };
        let roles = Roles::find(&character.skeleton);
        Ok(Self {
            warnings: warnings(subject, &roles, &body),
            roles,
            muscles: musculature.muscles.iter().enumerate().map(row).collect(),
        })
    }

    fn json(&self, subject: &Subject) -> Value {
        let Subject { file, character, musculature, .. } = subject;
        let mesh = |mesh: &fusiform::Mesh| {
            let influences = (0..mesh.weights.len()).map(|v| mesh.weights.of(v).filter(|&(_, w)| w > 0.0).count());
            json!({
                "name": mesh.name,
                "vertices": mesh.positions.len(),
                "triangles": mesh.triangles.len(),
                "max_influences": influences.max().unwrap_or(0),
            })
        };
        json!({
            "file": file,
            "units": subject.origin.units.to_string(),
            "height_m": rounded(height(subject), 1e4),
            "up": "+Y",
            "meshes": character.meshes.iter().map(mesh).collect::<Vec<_>>(),
            "joints": joints_json(&character.skeleton, &self.roles),
            "clips": clips_json(&character.clips),
            "muscles": self.muscles.iter().map(MuscleRow::json).collect::<Vec<_>>(),
            "bones": musculature.bones.iter().map(bone_json).collect::<Vec<_>>(),
            "base": musculature.base,
            "layers": musculature.layers,
            "activation": musculature.activation,
            "warnings": self.warnings,
        })
    }

    fn table(&self, subject: &Subject) -> String {
        let Subject { file, character, musculature, .. } = subject;
        let mut text = format!("{file}: {:.2} m high, +Y up, lengths in {}\n", height(subject), subject.origin.units);
        for mesh in &character.meshes {
            let (vertices, triangles) = (grouped(mesh.positions.len()), grouped(mesh.triangles.len()));
            text += &format!("  mesh {}: {vertices} vertices, {triangles} triangles\n", mesh.name);
        }
        text += &joint_table(&character.skeleton, &self.roles);
        text += &clip_table(&character.clips);
        let muscles = self.muscles.iter().map(|row| {
            let Muscle { name, origin, insertion, .. } = row.muscle;
            let (length, volume) = (format!("{:.1}", row.rest_length * 100.0), format!("{:.0}", row.volume_cm3));
            [name.clone(), origin.joint.clone(), insertion.joint.clone(), length, volume]
        });
        let head = ["muscle", "origin", "insertion", "length cm", "volume cm3"];
        text += &columns(head, muscles, [false, false, false, true, true]);
        let bones = musculature.bones.iter().map(|bone| {
            let of_shape = match &bone.shape {
                BoneShape::Mesh { node, .. } => format!("node {node}"),
                shape => word(shape),
            };
            [bone.name.clone(), bone.joint.clone(), of_shape]
        });
        if !musculature.bones.is_empty() {
            text += &columns(["bone", "joint", "shape"], bones, [false; 3]);
        }
        text += &format!("\nlayers: {} over {}\n", layer_names(musculature), word(&musculature.base));
        text += &activation::table(&musculature.activation);
        self.warnings.iter().for_each(|warning| text += &format!("warning: {warning}\n"));
        text
    }
}

impl MuscleRow<'_> {
    fn json(&self) -> Value {
        let Self { muscle, rest_length, volume_cm3 } = self;
        let side = Side::BOTH.into_iter().find(|side| muscle.name.ends_with(side.suffix()));
        json!({
            "name": muscle.name,
            "preset": preset(muscle),
            "origin": muscle.origin.joint,
            "insertion": muscle.insertion.joint,
            "rest_length_m": rounded(*rest_length, 1e5),
            "volume_cm3": (volume_cm3 * 1e3).round() / 1e3,
            "side": side.map(side_name),
        })
    }
}

/// A bone, without the vertices of its mesh.
fn bone_json(bone: &Bone) -> Value {
    let side = Side::BOTH.into_iter().find(|side| bone.name.ends_with(side.suffix()));
    json!({ "name": bone.name, "joint": bone.joint, "shape": bone.shape, "side": side.map(side_name) })
}

/// The paper whose choices on the dials the muscle has.
fn preset(muscle: &Muscle) -> &'static str {
    match (&muscle.path, &muscle.profile, &muscle.contraction) {
        (Path::Bezier { .. } | Path::Polyline { .. }, Profile::Sine { .. }, Contraction::Bulge { .. }) => "lee",
        (
            Path::Polyline { .. },
            Profile::Ellipsoid { .. },
            Contraction::Tone { .. } | Contraction::PoseShapes { .. },
        ) => "pratscher",
        (_, Profile::TwoCubics { .. }, Contraction::Cones { .. }) => "ramos",
        (_, Profile::Ellipsoid { .. }, Contraction::TensionRatio { .. }) => "saam",
        (_, Profile::Sigmoid { .. }, Contraction::Identified { .. }) => "murai",
        _ => "custom",
    }
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

fn height(subject: &Subject) -> f32 {
    let (low, high) = subject.character.bounds();
    high.y - low.y
}

/// Keys of the busiest channel.
fn frames(clip: &Clip) -> usize {
    clip.channels.iter().map(|channel| channel.keys.times().len()).max().unwrap_or(0)
}

fn layer_names(musculature: &fusiform::Musculature) -> String {
    let names: Vec<String> = musculature.layers.iter().map(word).collect();
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

/// What documents call it.
fn word(choice: &impl serde::Serialize) -> String {
    let value = json!(choice);
    let word = value.get("kind").unwrap_or(&value);
    word.as_str().unwrap_or_default().replace('_', " ")
}

fn warnings(subject: &Subject, found: &Found, body: &Body) -> Vec<String> {
    let mut warnings = subject.warnings.clone();
    warnings.extend_from_slice(&found.warnings);
    let missing = |side: Side| Role::ALL.into_iter().filter(move |&role| found.roles.get(role, side).is_none());
    let mut absent: Vec<String> = missing(Side::Left).map(|role| role.to_string()).collect();
    absent.extend(missing(Side::Right).filter(|role| role.is_sided()).map(|role| format!("{role} (right)")));
    if !absent.is_empty() {
        warnings.push(format!("no joint plays these roles: {}", absent.join(", ")));
    }
    if subject.musculature.muscles.is_empty() {
        warnings.push("there are no muscles".into());
    }
    if subject.character.clips.is_empty() {
        warnings.push("there are no clips".into());
    }
    match Skin::new(&subject.character, body.triangles()).open_edges() {
        0 => {}
        n => warnings.push(format!("the skin is open along {n} edges: volumes are approximate")),
    }
    warnings
}

/// Rows under a head, columns as wide as their widest entry.
fn columns<const N: usize>(head: [&str; N], rows: impl Iterator<Item = [String; N]>, right: [bool; N]) -> String {
    let rows: Vec<[String; N]> = std::iter::once(head.map(str::to_owned)).chain(rows).collect();
    let width: [usize; N] = std::array::from_fn(|c| rows.iter().map(|row| row[c].chars().count()).max().unwrap_or(0));
    let line = |row: &[String; N]| {
        let cell = |c: usize| match right[c] {
            true => format!("{:>1$}", row[c], width[c]),
            false => format!("{:<1$}", row[c], width[c]),
        };
        let line: Vec<String> = (0..N).map(cell).collect();
        format!("  {}\n", line.join("  ").trim_end())
    };
    format!("\n{}", rows.iter().map(line).collect::<String>())
}
