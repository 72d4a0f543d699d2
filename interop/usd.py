"""Pixar's USD opens a .usda: its points are held against the solver's own, and all its validators run.

python usd.py CLIP.usda CACHE.pc2 FPS
"""

import os
import sys

import numpy
from pxr import Usd, UsdGeom, UsdValidation

from cache import millimetres, read_pc2


def main(path, pc2, fps):
    frames = read_pc2(pc2)
    stage = Usd.Stage.Open(path)
    assert stage.GetDefaultPrim(), "there is no default prim"
    assert UsdGeom.GetStageUpAxis(stage) == "Y" and stage.GetTimeCodesPerSecond() == float(fps)
    metres = UsdGeom.GetStageMetersPerUnit(stage)
    meshes = [UsdGeom.Mesh(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)]
    codes = meshes[0].GetPointsAttr().GetTimeSamples()
    assert len(codes) == len(frames), f"{len(codes)} samples, {len(frames)} frames"
    assert codes[:-1] == list(range(len(frames) - 1)), "frames do not lie on whole time codes"
    assert codes[-1] == stage.GetEndTimeCode()
    points = numpy.stack([numpy.concatenate([mesh.GetPointsAttr().Get(code) for mesh in meshes]) for code in codes])
    worst, rms = millimetres(points, frames, metres)
    lengths = numpy.linalg.norm(numpy.array(meshes[0].GetNormalsAttr().Get(codes[0])), axis=1)
    assert abs(lengths - 1).max() < 1e-3, "normals are not of unit length"
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    complaints = UsdValidation.ValidationContext(validators).Validate(stage)
    failed = not worst <= 1e-6 or bool(complaints)
    print(f"{'FAILED' if failed else 'ok    '} USD {'.'.join(map(str, Usd.GetVersion()))}     {os.path.basename(path)}: "
          f"{len(meshes)} meshes, {len(codes)} samples; max {worst:.6f} mm, rms {rms:.6f} mm; "
          f"{len(validators)} validators, {len(complaints)} complaints")
    for complaint in complaints[:20]:
        print(f"         {complaint.GetName()}: {complaint.GetMessage()}")
    return failed


sys.exit(main(*sys.argv[1:]))
