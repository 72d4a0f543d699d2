"""What OpenSim computes for models: body frames, muscle lengths, moment arms; and for trials: angles, forces.

usage: reference.py OUT.json MODEL.osim ... [MODEL.osim=MOTION.mot:ROWS ...] [SETUP_IK.xml=LOADS.xml:HZ ...]

Models are posed at random within their ranges, always the same ones; with a motion, at ROWS of its rows. One model with every
wrapping surface is made here, beside OUT. Every pose is computed on a model just loaded: OpenSim's wrapping remembers. A trial is a set-up of
marker inverse kinematics, then inverse dynamics under loads with angles filtered at HZ.
"""

import json
import random
import sys
from pathlib import Path

import opensim
from trial import trial

POSES = 8
ACCURACIES = [1e-5, 1e-9]  # of inverse kinematics: what OpenSim takes by itself, and what leaves nothing open
STEP = 1e-5  # rad or m, for the check of OpenSim's moment arms against its lengths
DOUBT = 8e-5  # m: where both disagree by more, the arm is listed as unreliable
SLACK = 1e-3  # m: by more, and the path is not taut, so that its length is not to be relied on either


def coordinates(model):
    coordinate_set = model.getCoordinateSet()
    return [coordinate_set.get(i) for i in range(coordinate_set.getSize())]


def seek_tangents(model):
    """Over a single cylinder OpenSim leaves its first guess of tangents; with a second surface, though inactive, it does not."""
    off = opensim.WrapSphere()
    off.setName("inactive_sphere")
    off.set_active(False)
    off.set_radius(0.01)
    model.updGround().addWrapObject(off)
    model.finalizeConnections()
    for muscle in muscles(model):
        path = opensim.GeometryPath.safeDownCast(muscle.updPath())
        if path.getWrapSet().getSize() == 1:
            path.addPathWrap(off)
    model.finalizeConnections()


def load(file, values):
    model = opensim.Model(str(file))
    seek_tangents(model)
    state = model.initSystem()
    for coordinate in coordinates(model):
        if coordinate.getName() in values and not coordinate.getLocked(state):
            coordinate.setValue(state, values[coordinate.getName()], False)
    model.assemble(state)
    model.realizePosition(state)
    return model, state


def free(model, state):
    return [c for c in coordinates(model) if not c.isConstrained(state)]


def comparable(coordinate):
    """Whether OpenSim's speed of a coordinate is its rate: balls and free joints turn at angular velocities instead."""
    turns = coordinate.getMotionType() == opensim.Coordinate.Rotational
    return not (turns and coordinate.getJoint().getConcreteClassName() in ["BallJoint", "FreeJoint"])


def muscles(model):
    muscle_set = model.getMuscles()
    return [muscle_set.get(i) for i in range(muscle_set.getSize())]


def iterated(muscle):
    """Whether it runs over surfaces that OpenSim seeks tangents on only until they are good enough."""
    wraps = opensim.GeometryPath.safeDownCast(muscle.getPath()).getWrapSet()
    kinds = [wraps.get(i).getWrapObject().getConcreteClassName() for i in range(wraps.getSize())]
    return "WrapCylinder" in kinds or "WrapTorus" in kinds


def lengths(file, values):
    model, state = load(file, values)
    return {muscle.getName(): muscle.getLength(state) for muscle in muscles(model)}


def doubtful(file, values, name, own):
    """Muscles whose arm about a coordinate is not how their length changes."""
    before = lengths(file, {**values, name: values[name] - STEP})
    after = lengths(file, {**values, name: values[name] + STEP})
    slopes = {muscle: (before[muscle] - after[muscle]) / (2 * STEP) for muscle in own}
    return [[muscle, name, arm, slopes[muscle]] for muscle, arm in own.items() if abs(arm - slopes[muscle]) > DOUBT]


def pose(file, values, check):
    model, state = load(file, values)
    values = {c.getName(): c.getValue(state) for c in coordinates(model)}
    bodies = {}
    for i in range(model.getBodySet().getSize()):
        body = model.getBodySet().get(i)
        transform = body.getTransformInGround(state)
        rotation, origin = transform.R(), transform.p()
        bodies[body.getName()] = {
            "p": [origin.get(k) for k in range(3)],
            "R": [[rotation.get(j, k) for k in range(3)] for j in range(3)],
        }
    left_out = [c.getName() for c in free(model, state) if not comparable(c)]
    out = {"coordinates": values, "bodies": bodies, "moment_arm_unreliable": [], "coordinates_left_out": left_out}
    out["muscles"] = {m.getName(): {"length": m.getLength(state), "moment_arms": {}} for m in muscles(model)}
    for coordinate in filter(comparable, free(model, state)):
        name = coordinate.getName()
        own = {m.getName(): m.computeMomentArm(state, coordinate) for m in muscles(model)}
        for muscle, arm in own.items():
            out["muscles"][muscle]["moment_arms"][name] = arm
        if check:
            rough = {m.getName(): own[m.getName()] for m in muscles(model) if iterated(m)}
            out["moment_arm_unreliable"] += doubtful(file, values, name, rough)
    out["length_unreliable"] = [entry[0] for entry in out["moment_arm_unreliable"] if abs(entry[2] - entry[3]) > SLACK]
    return out


def random_values(file, dice):
    model = opensim.Model(str(file))
    state = model.initSystem()
    return {c.getName(): dice.uniform(c.getRangeMin(), c.getRangeMax()) for c in free(model, state)}


def motion_values(motion, count):
    lines = Path(motion).read_text().splitlines()
    start = lines.index("endheader") + 1
    in_degrees = any(line.replace(" ", "").lower() == "indegrees=yes" for line in lines[:start])
    names = lines[start].split()
    rows = [[float(word) for word in line.split()] for line in lines[start + 1 :] if line.strip()]
    return in_degrees, names, [rows[i * (len(rows) - 1) // (count - 1)] for i in range(count)]


def rows(file, motion, count):
    model = opensim.Model(str(file))
    model.initSystem()
    turns = {c.getName(): c.getMotionType() == opensim.Coordinate.Rotational for c in coordinates(model)}
    in_degrees, names, picked = motion_values(motion, count)
    for row in picked:
        scale = lambda name: 3.141592653589793 / 180 if in_degrees and turns[name] else 1.0
        yield {name: value * scale(name) for name, value in zip(names, row) if name in turns}


WRAPS = {
    "cylinder": "<WrapCylinder name='{name}'>{common}<radius>0.03</radius><length>0.3</length></WrapCylinder>",
    "sphere": "<WrapSphere name='{name}'>{common}<radius>0.035</radius></WrapSphere>",
    "ellipsoid": "<WrapEllipsoid name='{name}'>{common}<dimensions>0.05 0.03 0.025</dimensions></WrapEllipsoid>",
    "torus": "<WrapTorus name='{name}'>{common}<inner_radius>0.01</inner_radius><outer_radius>0.05</outer_radius></WrapTorus>",
}

WRAPPED = """<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="40000"><Model name="wraps">
<Ground name="ground"><WrapObjectSet><objects>{wraps}</objects></WrapObjectSet></Ground>
<BodySet><objects><Body name="hand"><mass>1</mass><mass_center>0 0 0</mass_center><inertia>1 1 1 0 0 0</inertia></Body></objects></BodySet>
<JointSet><objects><CustomJoint name="joint"><socket_parent_frame>/ground</socket_parent_frame>
<socket_child_frame>/bodyset/hand</socket_child_frame><coordinates>
<Coordinate name="rx"><range>-0.6 0.6</range></Coordinate><Coordinate name="ry"><range>-0.6 0.6</range></Coordinate>
<Coordinate name="rz"><range>-0.6 0.6</range></Coordinate><Coordinate name="tx"><range>-0.03 0.03</range></Coordinate>
<Coordinate name="ty"><range>-0.03 0.03</range></Coordinate><Coordinate name="tz"><range>-0.03 0.03</range></Coordinate>
</coordinates><SpatialTransform>{axes}</SpatialTransform></CustomJoint></objects></JointSet>
<ForceSet><objects>{muscles}</objects></ForceSet></Model></OpenSimDocument>
"""

AXIS = """<TransformAxis name="{name}"><coordinates>{coordinate}</coordinates><axis>{axis}</axis>
<LinearFunction name="function"><coefficients>1 0</coefficients></LinearFunction></TransformAxis>
"""

MUSCLE = """<Thelen2003Muscle name="{name}"><GeometryPath name="path"><PathPointSet><objects>
<PathPoint name="p"><socket_parent_frame>/ground</socket_parent_frame><location>{start}</location></PathPoint>
<PathPoint name="q"><socket_parent_frame>/bodyset/hand</socket_parent_frame><location>{end}</location></PathPoint>
</objects></PathPointSet><PathWrapSet><objects>
<PathWrap name="over"><wrap_object>{wrap}</wrap_object><method>{method}</method><range>-1 -1</range></PathWrap>
</objects></PathWrapSet></GeometryPath></Thelen2003Muscle>
"""


def wrapped_model(file):
    """One muscle for every surface, side and method."""
    wraps, all_muscles, ends = [], [], random.Random(7)
    for kind, text in WRAPS.items():
        for side in ["all", "x", "-y", "z"]:
            for method in ["hybrid", "midpoint", "axial"] if kind == "ellipsoid" else ["hybrid"]:
                name = f"{kind}_{side.replace('-', 'minus_')}_{method}"
                common = f"<xyz_body_rotation>0.2 -0.3 0.4</xyz_body_rotation><quadrant>{side}</quadrant>"
                wraps.append(text.format(name=name, common=common))
                start = f"{-0.1 + ends.uniform(-0.02, 0.02)} {ends.uniform(-0.02, 0.02)} {ends.uniform(-0.06, 0.0)}"
                end = f"{0.1 + ends.uniform(-0.02, 0.02)} {ends.uniform(-0.02, 0.02)} {ends.uniform(0.0, 0.06)}"
                all_muscles.append(MUSCLE.format(name=name, wrap=name, method=method, start=start, end=end))
    names = ["rotation1 rx", "rotation2 ry", "rotation3 rz", "translation1 tx", "translation2 ty", "translation3 tz"]
    directions = ["1 0 0", "0 1 0", "0 0 1"]
    axes = "".join(
        AXIS.format(name=name.split()[0], coordinate=name.split()[1], axis=directions[i % 3])
        for i, name in enumerate(names)
    )
    file.write_text(WRAPPED.format(axes=axes, wraps="\n".join(wraps), muscles="\n".join(all_muscles)))
    return file


def main():
    opensim.Logger.setLevelString("Off")
    opensim.Logger.removeFileSink()
    out = Path(sys.argv[1])
    models, trials = {}, {}
    for argument in [*sys.argv[2:], str(wrapped_model(out.with_name("wraps.osim")))]:
        file, _, motion = argument.partition("=")
        file = Path(file).resolve()
        if file.suffix == ".xml":
            loads, _, cutoff = motion.rpartition(":")
            trials[file.stem] = [trial(file, loads, float(cutoff), accuracy) for accuracy in ACCURACIES]
            print(f"{file.stem}: {len(trials[file.stem][0]['times'])} frames")
            continue
        if motion:
            name, _, count = motion.rpartition(":")
            poses = [pose(file, values, False) for values in rows(file, name, int(count))]
        else:
            dice = random.Random(3)
            count = 3 * POSES if file.stem == "wraps" else POSES
            poses = [pose(file, {}, True)] + [pose(file, random_values(file, dice), True) for _ in range(count)]
        models[file.stem] = {"model_file": str(file), "poses": poses}
        print(f"{file.stem}: {len(poses)} poses")
    out.write_text(json.dumps({"generator": f"OpenSim {opensim.GetVersion()}", "models": models, "trials": trials}))


main()
