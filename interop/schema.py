"""The muscles of a .glb against their JSON schema; and damaged ones, so that the schema is known to refuse.

python schema.py SCHEMA.json RIGGED.glb
"""

import copy
import json
import os
import struct
import sys

from jsonschema import Draft202012Validator


def extension(path):
    with open(path, "rb") as file:
        assert file.read(4) == b"glTF"
        length, = struct.unpack("<8xI4x", file.read(16))
        return json.loads(file.read(length))["extensions"]["FUSIFORM_musculature"]


def damaged(document):
    """The document with one thing wrong, once for each thing."""
    def wrong(change):
        other = copy.deepcopy(document)
        change(other)
        return other

    yield wrong(lambda d: d.pop("version"))
    yield wrong(lambda d: d.update(metresPerUnit=0))
    yield wrong(lambda d: d["muscles"][0].update(rings=2))
    yield wrong(lambda d: d["muscles"][0].update(name=""))
    yield wrong(lambda d: d["muscles"][0].update(colour="red"))
    yield wrong(lambda d: d["muscles"][0]["origin"].update(point=[0, 0]))
    yield wrong(lambda d: d["muscles"][0]["profile"].update(kind="cube"))
    yield wrong(lambda d: d["muscles"][0]["contraction"].update(stretch_ratio=0))
    yield wrong(lambda d: d["muscles"][0]["dynamics"].update(damping=1.5))
    yield wrong(lambda d: d["layers"][0].update(nearest=17))
    yield wrong(lambda d: d.update(base="cubic"))
    yield wrong(lambda d: d.update(extras={"fitting": {"turned": {"arm": "half a turn"}}}))


def main(schema, path):
    with open(schema) as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    validator, document = Draft202012Validator(schema), extension(path)
    errors = list(validator.iter_errors(document))
    others = list(damaged(document))
    refused = sum(not validator.is_valid(other) for other in others)
    failed = bool(errors) or refused < len(others)
    print(f"{'FAILED' if failed else 'ok    '} jsonschema      {os.path.basename(path)}: {len(document['muscles'])} muscles, "
          f"{len(errors)} errors; {refused} of {len(others)} damaged ones refused")
    for error in errors[:10]:
        print(f"         {error.json_path}: {error.message[:200]}")
    return failed


sys.exit(main(*sys.argv[1:]))
