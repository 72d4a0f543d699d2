//! What a glTF file means here: a character, its muscles, and where in the file each part of them came from.

use super::accessor::Source;
use super::nodes::Tree;
use super::primitive::Raw;
use super::schema::{self, Root};
use super::skin::{self, Skeletons};
use super::{Gltf, Units, animation, bones, musculature};
use crate::FileError;
use fusiform::{Character, Mesh, Musculature, SparseWeights};
use glam::{DAffine3, DVec3};
use serde_json::Value;
use std::collections::HashMap;

/// A file, understood. All lengths are metres, whatever the file's units.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Skeleton, skinned meshes, clips.
    pub character: Character,
    /// The muscles that the file carries, if any.
    pub musculature: Option<Musculature>,
    /// Where in the file it came from.
    pub origin: Origin,
    /// What was mended or left alone, in words.
    pub warnings: Vec<String>,
}

/// Where in a file a character came from: what is needed to write it back there.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// The file's node of every joint.
    pub node_of_joint: Vec<usize>,
    /// The nodes that show a skinned mesh.
    pub parts: Vec<Part>,
    /// How long a unit of the file is.
    pub units: Units,
    /// Whether muscles were baked into the file's morph targets or joints.
    pub baked: bool,
}

/// A node that shows a skinned mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The node.
    pub node: usize,
    /// Its mesh in the file.
    pub mesh: usize,
    /// Its skin in the file.
    pub skin: usize,
    /// The character's joint for each joint of the skin.
    pub joints: Vec<u16>,
    /// What of the mesh is skin; each is a mesh of the character.
    pub primitives: Vec<Primitive>,
}

/// A primitive of a part.
#[derive(Clone, Debug, PartialEq)]
pub struct Primitive {
    /// Its place in the file's mesh.
    pub index: usize,
    /// Its place in the character's meshes.
    pub mesh: usize,
    /// How many vertices it has.
    pub n_vertex: usize,
    /// From the numbers in the file to metres in model space.
    pub model_from_mesh: DAffine3,
}

impl Scene {
    /// Understand a file.
    ///
    /// # Errors
    /// When it has no skinned mesh, needs an extension that is not read, or contradicts itself.
    pub fn read(file: &Gltf) -> Result<Self, FileError> {
        let root = typed(&file.json)?;
        let tree = Tree::new(&root)?;
        let source = Source::new(&root, &file.bytes);
        let mut warnings = Vec::new();
        let found = parts(&source, &mut warnings)?;
        if found.is_empty() {
            return Err(FileError::new("meshes", "none of them has a skin: there are no joints that move it")
                .cure("rig the character first, or export it with its skeleton"));
        }
        let skins = used_skins(&source, &tree, &found)?;
        let mut document = musculature::document(&file.json, &mut warnings)?;
        let extent = extent(&found, &skins);
        let mark = &file.json["asset"]["extras"]["fusiform"];
        let of_muscles = document.as_ref().map(|document| document.metres_per_unit);
        let told = of_muscles.or_else(|| mark["metres_per_unit"].as_f64());
        let units = told.and_then(Units::of_metres).unwrap_or(Units::guess(extent));
        let skeletons = skin::skeletons(&root, &tree, &skins, units.metres())?;
        scales(&skeletons, &mut warnings);
        if let Some(document) = &mut document {
            let joints = (&skeletons.skeleton, &*skeletons.node_of_joint);
            bones::fill(&mut document.bones, &source, &tree, joints, units.metres())?;
        }
        let joint_of_node: HashMap<usize, usize> =
            skeletons.node_of_joint.iter().enumerate().rev().map(|(joint, &node)| (node, joint)).collect();
        let clips = animation::clips(&source, &joint_of_node, units.metres() as f32)?;
        let (parts, meshes, muscle_weights) = build(&root, found, &skeletons)?;
        let Skeletons { skeleton, node_of_joint, .. } = skeletons;
        let character = Character { name: String::new(), skeleton, meshes, clips };
        let musculature = document.map(|document| document.with_weights(muscle_weights));
        warnings.extend(musculature.iter().flat_map(|of| of.activation.warnings(&character, of)));
        Ok(Self {
            character,
            musculature,
            origin: Origin { node_of_joint, parts, units, baked: mark["baked"] == Value::Bool(true) },
            warnings,
        })
    }
}

/// The parts of a document that have a meaning here.
pub(crate) fn typed(json: &Value) -> Result<Root, FileError> {
    let root = serde_path_to_error::deserialize::<_, Root>(json);
    root.map_err(|error| FileError::new(error.path().to_string(), error.inner().to_string()))
}

/// A part with its primitives as the file has them.
type Found = (Part, Vec<(usize, Raw)>);

fn parts(source: &Source, warnings: &mut Vec<String>) -> Result<Vec<Found>, FileError> {
    let mut found = Vec::new();
    for (node, doc) in source.root.nodes.iter().enumerate() {
        let (Some(mesh), Some(skin)) = (doc.mesh, doc.skin) else { continue };
        let primitives = &source.root.meshes.get(mesh).ok_or_else(|| {
            let message = format!("it shows mesh {mesh}, but there are {}", source.root.meshes.len());
            FileError::new(super::nodes::node_place(source.root, node), message)
        })?;
        let mut raws = Vec::new();
        for (index, primitive) in primitives.primitives.iter().enumerate() {
            let place = format!("primitive {index} of mesh {:?}", mesh_name(source.root, node, mesh));
            if let Some(raw) = Raw::read(source, primitive, &place, warnings)? {
                raws.push((index, raw));
            }
        }
        if !raws.is_empty() {
            found.push((Part { node, mesh, skin, joints: Vec::new(), primitives: Vec::new() }, raws));
        }
    }
    Ok(found)
}

/// Skins in the order in which parts use them, with what binds them.
fn used_skins(
    source: &Source,
    tree: &Tree,
    found: &[Found],
) -> Result<Vec<(usize, Vec<DAffine3>, DAffine3)>, FileError> {
    let mut skins: Vec<(usize, Vec<DAffine3>, DAffine3)> = Vec::new();
    let mut raws_of: HashMap<usize, Vec<&Raw>> = HashMap::new();
    for (part, raws) in found {
        raws_of.entry(part.skin).or_default().extend(raws.iter().map(|(_, raw)| raw));
    }
    for (part, _) in found {
        let Some(raws) = raws_of.remove(&part.skin) else { continue };
        let inverse = skin::inverse_binds(source, part.skin)?;
        let guess = skin::where_it_rests(&source.root.skins[part.skin], &inverse, tree, &raws);
        skins.push((part.skin, inverse, guess));
    }
    Ok(skins)
}

/// Largest extent of all that is skin, in the file's units.
fn extent(found: &[Found], skins: &[(usize, Vec<DAffine3>, DAffine3)]) -> f64 {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let rests: HashMap<usize, &DAffine3> = skins.iter().map(|(skin, _, at)| (*skin, at)).collect();
    for (part, raws) in found {
        let Some(at) = rests.get(&part.skin) else { continue };
        for p in raws.iter().flat_map(|(_, raw)| &raw.positions) {
            let p = at.transform_point3(p.as_dvec3());
            (low, high) = (low.min(p), high.max(p));
        }
    }
    (high - low).max_element().max(0.0)
}

/// Parts, the character's meshes, and which muscles weigh on each.
type Built = (Vec<Part>, Vec<Mesh>, Vec<SparseWeights>);

fn build(root: &Root, found: Vec<Found>, skeletons: &Skeletons) -> Result<Built, FileError> {
    let (mut parts, mut meshes, mut muscles) = (Vec::new(), Vec::new(), Vec::new());
    for (mut part, raws) in found {
        let bound = &skeletons.skins[&part.skin];
        part.joints.clone_from(&bound.joint);
        let several = raws.len() > 1;
        for (index, mut raw) in raws {
            let mut name = mesh_name(root, part.node, part.mesh);
            if several {
                name += &format!("/{index}");
            }
            for joint in &mut raw.joints.index {
                *joint = *bound.joint.get(usize::from(*joint)).ok_or_else(|| {
                    let message = format!("a vertex refers to joint {joint}, but the skin has {}", bound.joint.len());
                    FileError::new(format!("mesh {name:?}"), message)
                })?;
            }
            let (positions, normals) = skin::in_model(&raw, bound);
            let (mesh, n_vertex, model_from_mesh) = (meshes.len(), positions.len(), bound.model_from_mesh);
            part.primitives.push(Primitive { index, mesh, n_vertex, model_from_mesh });
            meshes.push(Mesh { name, positions, normals, triangles: raw.triangles, weights: raw.joints });
            muscles.push(raw.muscles);
        }
        parts.push(part);
    }
    Ok((parts, meshes, muscles))
}

fn mesh_name(root: &Root, node: usize, mesh: usize) -> String {
    let of_node = root.nodes[node].name.as_deref();
    let of_mesh = root.meshes.get(mesh).and_then(|mesh: &schema::Mesh| mesh.name.as_deref());
    of_node.or(of_mesh).map_or_else(|| format!("mesh_{mesh}"), str::to_owned)
}

/// Say which joints are scaled unevenly: muscles on them are sheared with them.
fn scales(skeletons: &Skeletons, warnings: &mut Vec<String>) {
    let uneven = |joint: &&fusiform::Joint| {
        let scale = joint.rest.scale.abs();
        scale.max_element() > 1.01 * scale.min_element()
    };
    let names: Vec<&str> =
        skeletons.skeleton.joints.iter().filter(uneven).map(|joint| joint.name.as_str()).take(4).collect();
    if !names.is_empty() {
        warnings.push(format!("joints are scaled unevenly, and shear what they carry: {}", names.join(", ")));
    }
}
