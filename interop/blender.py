"""Blender plays a bake, and plays caches on its mesh; every vertex is held against the solver's own positions.

python blender.py BAKE.glb CLIP CACHE.pc2 CACHE.mdd FPS METRES_PER_UNIT TOLERANCE_MM [INPUT.glb]

With the input, which has morph targets of its own, those must be weighed as they were there. The solver knows nothing of
them: they are left out where vertices are compared.
"""

import os
import sys

import bpy
import numpy

from cache import millimetres, read_pc2


def imported(path, clip, fps):
    """The file's skinned meshes in its order, with the clip playing."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    # before importing: the importer turns seconds into frames with it
    bpy.context.scene.render.fps = fps
    bpy.ops.import_scene.gltf(filepath=path, merge_vertices=False)
    # the importer adds a shape to draw bones with; it has no armature
    meshes = [o for o in bpy.data.objects if o.type == "MESH" and any(m.type == "ARMATURE" for m in o.modifiers)]
    for owner in [o for o in bpy.data.objects] + [m.data.shape_keys for m in meshes if m.data.shape_keys]:
        play(owner, clip)
    return meshes


def play(owner, clip):
    """The clip's track alone."""
    data = owner.animation_data
    if data is None:
        return
    data.action = None
    for track in data.nla_tracks:
        track.mute = track.name != clip
        if track.name == clip:
            track.strips[0].frame_start = 0


def solved(meshes, frame):
    """World positions, in glTF's axes: Blender's z is up."""
    bpy.context.scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    rows = []
    for mesh in meshes:
        evaluated = mesh.evaluated_get(graph)
        points = numpy.empty(3 * len(evaluated.data.vertices), "f4")
        evaluated.data.vertices.foreach_get("co", points)
        matrix = numpy.array(evaluated.matrix_world)
        rows.append(points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])
    points = numpy.concatenate(rows)
    return numpy.stack([points[:, 0], points[:, 2], -points[:, 1]], -1)


def own_weights(meshes, n_own, frames):
    """How the file's own targets are weighed in some frames."""
    rows = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        rows.append([block.value for mesh in meshes for block in mesh.data.shape_keys.key_blocks[1 : 1 + n_own]])
    return numpy.array(rows)


def own_targets(path, clip, fps, frames):
    """Their weights as the input has them, and how many they are for each mesh."""
    inputs = imported(path, clip, fps)
    counts = {len(mesh.data.shape_keys.key_blocks) - 1 for mesh in inputs}
    assert len(counts) == 1, "its meshes have unequally many targets"
    n_own = counts.pop()
    return n_own, own_weights(inputs, n_own, frames)


def silence(meshes, n_own):
    for mesh in meshes:
        for block in mesh.data.shape_keys.key_blocks[1 : 1 + n_own]:
            block.mute = True


def compare(what, meshes, frames, metres, tolerance):
    """One line; whether it failed."""
    shown = numpy.stack([solved(meshes, frame) for frame in range(len(frames))])
    worst, rms = millimetres(shown, frames, metres)
    failed = not worst <= tolerance
    print(f"{'FAILED' if failed else 'ok    '} Blender {bpy.app.version_string}   {what}: {len(frames)} frames, "
          f"{frames.shape[1]} vertices; max {worst:.6f} mm, rms {rms:.6f} mm", flush=True)
    return failed


def cached(mesh, path):
    """The cache in the place of joints and shape keys, in the axes it was written in."""
    mesh.modifiers.clear()
    mesh.shape_key_clear()
    mesh.parent = None
    mesh.matrix_world = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    modifier = mesh.modifiers.new("cache", "MESH_CACHE")
    modifier.cache_format = "MDD" if path.endswith(".mdd") else "PC2"
    modifier.filepath = os.path.abspath(path)
    modifier.frame_start = 0
    # the pair that turns glTF's axes into Blender's: x, y, z to x, -z, y
    modifier.forward_axis, modifier.up_axis = "POS_Z", "NEG_Y"


def main(bake, clip, pc2, mdd, fps, metres, tolerance, source=None):
    # the last sample may lie between frames: it is left out
    frames = read_pc2(pc2)[:-1]
    fps, metres, tolerance = int(fps), float(metres), float(tolerance)
    name, failed = os.path.basename, False
    some = range(0, len(frames), 9)
    n_own, wanted = own_targets(source, clip, fps, some) if source else (0, None)
    meshes = imported(bake, clip, fps)
    if n_own:
        astray = abs(own_weights(meshes, n_own, some) - wanted).max()
        failed = not astray <= 1e-5 or not wanted.any()
        print(f"{'FAILED' if failed else 'ok    '} Blender {bpy.app.version_string}   {name(bake)} {clip}: "
              f"weights of its own {n_own} targets are {astray:.0e} off, at most {wanted.max():.2f}", flush=True)
        silence(meshes, n_own)
    failed |= compare(f"{name(bake)} {clip}", meshes, frames, metres, tolerance)
    if len(meshes) == 1:
        for path in (pc2, mdd):
            cached(meshes[0], path)
            failed |= compare(name(path), meshes, frames, metres, 1e-3)
    else:
        print(f"       a mesh cache plays one mesh, {name(bake)} has {len(meshes)}: only the file was compared")
    return failed


sys.exit(main(*sys.argv[1:]))
