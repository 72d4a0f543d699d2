//! Meshes as they stand in a file, skinned or not: a skin that was sculpted in a pose.

use super::accessor::Source;
use super::nodes::Tree;
use super::scene::typed;
use super::{Gltf, Scene, primitive};
use crate::FileError;
use fusiform::Mesh;

impl Gltf {
    /// All meshes of the file where they stand, metres: in the bind pose where the file has a skin, else as its nodes place
    /// them, one unit being so many metres.
    ///
    /// # Errors
    /// When the file contradicts itself.
    pub fn still_meshes(&self, metres_per_unit: f64) -> Result<Vec<Mesh>, FileError> {
        let root = typed(&self.json)?;
        if root.nodes.iter().any(|node| node.skin.is_some() && node.mesh.is_some()) {
            return Scene::read(self).map(|scene| scene.character.meshes);
        }
        let tree = Tree::new(&root)?;
        let source = Source::new(&root, &self.bytes);
        let mut meshes = Vec::new();
        for (node, mesh) in root.nodes.iter().enumerate().filter_map(|(i, node)| Some((i, node.mesh?))) {
            let Some(found) = root.meshes.get(mesh) else { continue };
            for (index, of_mesh) in found.primitives.iter().enumerate() {
                let place = format!("primitive {index} of mesh {mesh}");
                let Some((positions, triangles)) = primitive::shape(&source, of_mesh, &place)? else { continue };
                let placed =
                    |p: &glam::Vec3| (tree.world[node].transform_point3(p.as_dvec3()) * metres_per_unit).as_vec3();
                let positions = positions.iter().map(placed).collect();
                meshes.push(Mesh { name: place, positions, triangles, ..Mesh::default() });
            }
        }
        Ok(meshes)
    }
}
