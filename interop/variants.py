"""The athlete's rigged file as other exporters would write it: the same body, to be baked and played.

python variants.py ATHLETE.glb parts|morphs OUT.glb

parts: centimetres, z up, under an armature that turns and scales them back to metres; two meshes, the first of two
       primitives, each with a skin of its own order.
morphs: centimetres throughout, with two morph targets of its own that the first clip animates.
"""

import json
import struct
import sys

import numpy

F32, U16 = 5126, 5123
WIDTH = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}
TYPE = {F32: "<f4", U16: "<u2"}
# -90 degrees around x: z up to y up
TURN = numpy.array([-(0.5**0.5), 0.0, 0.0, 0.5**0.5])


class Glb:
    """The JSON and the one buffer of a .glb, both to be changed."""

    def __init__(self, path):
        with open(path, "rb") as file:
            magic, _, _, length, _ = struct.unpack("<4s4I", file.read(20))
            assert magic == b"glTF"
            self.json = json.loads(file.read(length))
            self.bytes = bytearray(file.read()[8:])

    def write(self, path):
        self.json["buffers"] = [{"byteLength": len(self.bytes)}]
        text = json.dumps(self.json).encode()
        text += b" " * (-len(text) % 4)
        self.bytes += bytes(-len(self.bytes) % 4)
        with open(path, "wb") as file:
            file.write(struct.pack("<4s4I", b"glTF", 2, 28 + len(text) + len(self.bytes), len(text), 0x4E4F534A))
            file.write(text + struct.pack("<2I", len(self.bytes), 0x004E4942) + self.bytes)

    def rows(self, accessor):
        """A view into the buffer: what is written into it is written into the file."""
        accessor = self.json["accessors"][accessor]
        start = self.json["bufferViews"][accessor["bufferView"]]["byteOffset"] + accessor.get("byteOffset", 0)
        width = WIDTH[accessor["type"]]
        flat = numpy.frombuffer(self.bytes, TYPE[accessor["componentType"]], accessor["count"] * width, start)
        return flat.reshape(-1, width)

    def append(self, rows, like, bounds=False):
        """A new accessor of the type of another; returns its place."""
        like = self.json["accessors"][like]
        rows = numpy.ascontiguousarray(rows, TYPE[like["componentType"]])
        self.bytes = bytearray(self.bytes) + bytes(-len(self.bytes) % 4)
        views, accessors = self.json["bufferViews"], self.json["accessors"]
        views.append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": rows.nbytes})
        self.bytes += rows.tobytes()
        accessor = {key: like[key] for key in ("componentType", "type")}
        accessors.append(accessor | {"bufferView": len(views) - 1, "count": len(rows)})
        if bounds:
            accessors[-1] |= {"min": rows.min(0).tolist(), "max": rows.max(0).tolist()}
        return len(accessors) - 1


def product(a, b):
    """Of two rotations, x y z w; b may be many."""
    av, aw, bv, bw = a[:3], a[3], b[..., :3], b[..., 3:]
    return numpy.concatenate([aw * bv + bw * av + numpy.cross(av, bv), aw * bw - (bv * av).sum(-1, keepdims=True)], -1)


def turned_back(vectors):
    """Into the space that TURN turns: y up to z up."""
    return numpy.stack([vectors[..., 0], -vectors[..., 2], vectors[..., 1]], -1)


def centimetres(glb, turn):
    """All lengths a hundred times as large, and z up if that is asked for."""
    doc = glb.json
    back = turned_back if turn else lambda vectors: vectors
    undo = TURN * [-1, -1, -1, 1]
    turned = (lambda turns: product(undo, turns)) if turn else lambda turns: turns
    roots = set(doc["scenes"][0]["nodes"])
    for i, node in enumerate(doc["nodes"]):
        if "translation" in node:
            place, rotation = 100 * numpy.array(node["translation"]), numpy.array(node["rotation"])
            node["translation"] = (back(place) if i in roots else place).tolist()
            node["rotation"] = (turned(rotation) if i in roots else rotation).tolist()
    for animation in doc["animations"]:
        for channel in animation["channels"]:
            rows = glb.rows(animation["samplers"][channel["sampler"]]["output"])
            is_root = channel["target"]["node"] in roots
            if channel["target"]["path"] == "translation":
                rows[:] = back(100 * rows) if is_root else 100 * rows
            elif is_root:
                rows[:] = turned(rows)
    attributes = doc["meshes"][0]["primitives"][0]["attributes"]
    positions = glb.rows(attributes["POSITION"])
    positions[:] = back(100 * positions)
    doc["accessors"][attributes["POSITION"]] |= {"min": positions.min(0).tolist(), "max": positions.max(0).tolist()}
    normals = glb.rows(attributes["NORMAL"])
    normals[:] = back(normals)
    # columns: the first three are what the mesh's axes become, the last is a length
    inverse = glb.rows(doc["skins"][0]["inverseBindMatrices"]).reshape(-1, 4, 4)
    if turn:
        x, y, z = (inverse[:, k].copy() for k in range(3))
        inverse[:, 0], inverse[:, 1], inverse[:, 2] = x, -z, y
    inverse[:, 3, :3] *= 100


def parts(glb):
    """One skin in three primitives, two meshes and two skins under one armature."""
    doc = glb.json
    attributes, indices = (doc["meshes"][0]["primitives"][0][key] for key in ("attributes", "indices"))
    corners = glb.rows(indices).reshape(-1, 3)
    middle = glb.rows(attributes["POSITION"])[corners[:, 0]]
    label = numpy.where(middle[:, 0] > 0.2, 2, numpy.where(middle[:, 1] < 0.95, 1, 0))
    centimetres(glb, turn=True)
    for muscle in doc["extensions"]["FUSIFORM_musculature"]["muscles"]:
        for end in ("origin", "insertion"):
            # a joint's space has the armature's scale
            muscle[end]["point"] = [100 * x for x in muscle[end]["point"]]
    n_joint = len(doc["skins"][0]["joints"])
    primitives = []
    for part in range(3):
        used, triangles = numpy.unique(corners[label == part], return_inverse=True)
        rows = {name: glb.rows(accessor)[used] for name, accessor in attributes.items()}
        if part == 2:
            rows["JOINTS_0"] = numpy.where(rows["WEIGHTS_0"] > 0, n_joint - 1 - rows["JOINTS_0"], 0)
        own = {name: glb.append(rows[name], accessor, name == "POSITION") for name, accessor in attributes.items()}
        primitives.append({"attributes": own, "indices": glb.append(triangles.reshape(-1, 1), indices)})
    inverse = doc["skins"][0]["inverseBindMatrices"]
    reverse = glb.append(glb.rows(inverse)[::-1], inverse)
    doc["skins"].append({"inverseBindMatrices": reverse, "joints": doc["skins"][0]["joints"][::-1]})
    doc["meshes"] = [{"name": "body", "primitives": primitives[:2]}, {"name": "left arm", "primitives": primitives[2:]}]
    shown = doc["scenes"][0]["nodes"].pop()
    doc["nodes"][shown] = {"name": "part 1", "mesh": 0, "skin": 0}
    doc["nodes"].append({"name": "part 2", "mesh": 1, "skin": 1})
    children = doc["scenes"][0]["nodes"] + [shown, shown + 1]
    doc["nodes"].append({"name": "Armature", "rotation": TURN.tolist(), "scale": [0.01] * 3, "children": children})
    doc["scenes"][0]["nodes"] = [shown + 2]


def morphs(glb):
    """Two bulges that have nothing to do with muscles, one waxing while the other wanes."""
    doc = glb.json
    centimetres(glb, turn=False)
    doc["extensions"]["FUSIFORM_musculature"]["metresPerUnit"] = 0.01
    mesh = doc["meshes"][0]
    primitive = mesh["primitives"][0]
    position, normal = (primitive["attributes"][name] for name in ("POSITION", "NORMAL"))
    primitive["targets"] = []
    for height in (120, 60):
        bump = 3 * numpy.exp(-(((glb.rows(position)[:, 1:2] - height) / 10) ** 2)) * glb.rows(normal)
        primitive["targets"].append({"POSITION": glb.append(bump, position, True)})
    mesh |= {"weights": [0.25, 0.0], "extras": {"targetNames": ["chest", "thighs"]}}
    animation = doc["animations"][0]
    times = animation["samplers"][0]["input"]
    end = float(glb.rows(times)[-1, 0])
    keys = glb.append([[0.0], [end / 3], [end]], times, True)
    weights = glb.append([[0.0], [0.5], [1.0], [0.0], [0.2], [1.0]], times)
    animation["samplers"].append({"input": keys, "output": weights, "interpolation": "LINEAR"})
    node = doc["scenes"][0]["nodes"][-1]
    animation["channels"].append({"sampler": len(animation["samplers"]) - 1, "target": {"node": node, "path": "weights"}})


def main(path, kind, output):
    glb = Glb(path)
    {"parts": parts, "morphs": morphs}[kind](glb)
    glb.write(output)


sys.exit(main(*sys.argv[1:]))
