"""What OpenSim computes for a whole trial: angles that explain markers, and the forces that explain the angles."""

import tempfile
from pathlib import Path

import opensim


def table(file):
    """Columns of a .sto or .mot file by name, and whether its angles are degrees."""
    lines = Path(file).read_text().splitlines()
    start = lines.index("endheader") + 1
    in_degrees = any(line.replace(" ", "").lower() == "indegrees=yes" for line in lines[:start])
    rows = [[float(word) for word in line.split()] for line in lines[start + 1 :] if line.strip()]
    return dict(zip(lines[start].split(), map(list, zip(*rows)))), in_degrees


def kinematics(setup, accuracy, folder):
    """Marker inverse kinematics by a set-up file: angles, and how far markers are off, both as files."""
    tool = opensim.InverseKinematicsTool(str(setup))
    model = opensim.Model(str(setup.with_name(tool.get_model_file().strip())))
    tool.setModel(model)
    tool.setMarkerDataFileName(str(setup.with_name(tool.getMarkerDataFileName().strip())))
    tool.setName("trial")
    tool.setResultsDir(str(folder))
    tool.setOutputMotionFileName(str(folder / "angles.mot"))
    tool.set_report_errors(True)
    tool.set_accuracy(accuracy)
    if not tool.run():
        raise RuntimeError(f"{setup}: OpenSim found no angles")
    return folder / "angles.mot", folder / "trial_ik_marker_errors.sto"


def dynamics(model, angles, loads, cutoff, times, folder):
    """Inverse dynamics of angles under loads, filtered at some Hz, as a file."""
    tool = opensim.InverseDynamicsTool()
    tool.setModelFileName(str(model))
    tool.setCoordinatesFileName(str(angles))
    tool.setExternalLoadsFileName(str(loads))
    tool.setLowpassCutoffFrequency(cutoff)
    tool.setStartTime(times[0])
    tool.setEndTime(times[-1])
    muscles = opensim.ArrayStr()
    muscles.append("Muscles")
    tool.setExcludedForces(muscles)
    tool.setResultsDir(str(folder))
    tool.setOutputGenForceFileName("forces.sto")
    if not tool.run():
        raise RuntimeError(f"{loads}: OpenSim found no forces")
    return folder / "forces.sto"


def trial(setup, loads, cutoff, accuracy):
    """All of it. Inverse kinematics stops at an accuracy; OpenSim's own of 1e-5 leaves the trunk a tenth of a degree open."""
    setup, loads = Path(setup).resolve(), Path(loads).resolve()
    model = setup.with_name(opensim.InverseKinematicsTool(str(setup)).get_model_file().strip())
    with tempfile.TemporaryDirectory() as folder:
        angles, errors = kinematics(setup, accuracy, Path(folder))
        columns, in_degrees = table(angles)
        times = columns.pop("time")
        forces, _ = table(dynamics(model, angles, loads, cutoff, times, Path(folder)))
        rms = table(errors)[0]["marker_error_RMS"]
    return {
        "model_file": str(model),
        "setup_file": str(setup),
        "loads_file": str(loads),
        "cutoff": cutoff,
        "accuracy": accuracy,
        "times": times,
        "in_degrees": in_degrees,
        "coordinates": columns,
        "marker_rms": rms,
        "force_times": forces.pop("time"),
        "forces": forces,
    }
