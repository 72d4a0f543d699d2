//! Bones of somebody's own: meshes of nodes that hang, rigid, below a joint. A file's muscles name the node and do not
//! hold its mesh twice.

use super::accessor::Source;
use super::nodes::{Tree, node_place};
use super::scene::typed;
use super::schema::Root;
use super::{Gltf, Origin, primitive};
use crate::FileError;
use fusiform::Skeleton;
use fusiform::musculature::{Bone, BoneShape};
use glam::{DAffine3, Vec3};

/// Vertices and triangles.
type Surface = (Vec<Vec3>, Vec<[u32; 3]>);

impl Gltf {
    /// The mesh of the node of that name as a bone of the nearest joint above it.
    ///
    /// # Errors
    /// When there is no such node, it has no mesh or moves with a skin, or no joint is above it.
    pub fn bone_of_node(&self, skeleton: &Skeleton, origin: &Origin, name: &str) -> Result<Bone, FileError> {
        let root = typed(&self.json)?;
        let tree = Tree::new(&root)?;
        let node = find(&root, name)?;
        let above = std::iter::successors(Some(node), |&node| tree.parent[node]);
        let joint = above.into_iter().find_map(|node| origin.node_of_joint.iter().position(|&other| other == node));
        let joint = joint.ok_or_else(|| {
            FileError::new(node_place(&root, node), "no joint is above it, so nothing carries it as a bone")
                .cure("hang it below a joint of the skeleton, and export again")
        })?;
        let space = tree.world[origin.node_of_joint[joint]];
        let source = Source::new(&root, &self.bytes);
        let (positions, triangles) = surface(&source, &tree, node, space, origin.units.metres())?;
        let shape = BoneShape::Mesh { node: name.into(), positions, triangles };
        Ok(Bone { name: name.into(), joint: skeleton.joints[joint].name.clone(), shape })
    }
}

/// Give bones that name a node its mesh. One whose joint is not there stays empty: binding says what is wrong with it.
pub(crate) fn fill(
    bones: &mut [Bone],
    source: &Source,
    tree: &Tree,
    (skeleton, node_of_joint): (&Skeleton, &[usize]),
    metres: f64,
) -> Result<(), FileError> {
    for bone in bones {
        let BoneShape::Mesh { node, positions, triangles } = &mut bone.shape else { continue };
        let Some(joint) = skeleton.find(&bone.joint) else { continue };
        let found = find(source.root, node)?;
        (*positions, *triangles) = surface(source, tree, found, tree.world[node_of_joint[joint]], metres)?;
    }
    Ok(())
}

/// The node of that name that has a mesh.
fn find(root: &Root, name: &str) -> Result<usize, FileError> {
    let named = |node: &usize| root.nodes[*node].name.as_deref() == Some(name);
    let all = (0..root.nodes.len()).filter(named);
    let node = all.min_by_key(|&node| root.nodes[node].mesh.is_none());
    let place = format!("bone {name:?}");
    let Some(node) = node else {
        return Err(FileError::new(place, "the file has no node of that name")
            .cure("use the name of a node that has a mesh, as the program shows it that made the file"));
    };
    if root.nodes[node].mesh.is_none() {
        return Err(FileError::new(place, "its node has no mesh").cure("name the node that has the bone's mesh"));
    }
    if root.nodes[node].skin.is_some() {
        return Err(FileError::new(place, "its node moves with a skin, but a bone is rigid")
            .cure("hang the mesh below a joint without a skin, and export again"));
    }
    Ok(node)
}

/// The mesh of a node in the space of the node `space` places, metres.
fn surface(source: &Source, tree: &Tree, node: usize, space: DAffine3, metres: f64) -> Result<Surface, FileError> {
    let local = space.inverse() * tree.world[node];
    let place = node_place(source.root, node);
    if !local.is_finite() {
        return Err(
            FileError::new(place, "a joint above it has no size").cure("give the joint a scale other than zero")
        );
    }
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    let mesh = source.root.nodes[node].mesh.and_then(|mesh| source.root.meshes.get(mesh));
    for primitive in mesh.iter().flat_map(|mesh| &mesh.primitives) {
        let Some((own, corners)) = primitive::shape(source, primitive, &place)? else { continue };
        let first = positions.len() as u32;
        positions.extend(own.iter().map(|p| (local.transform_point3(p.as_dvec3()) * metres).as_vec3()));
        triangles.extend(corners.iter().map(|corners| corners.map(|corner| first + corner)));
    }
    if local.matrix3.determinant() < 0.0 {
        triangles.iter_mut().for_each(|t: &mut [u32; 3]| t.swap(1, 2));
    }
    Ok((positions, triangles))
}
