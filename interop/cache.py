"""A .pc2 as its header tells it, read without any code of ours."""

import struct

import numpy


def read_pc2(path):
    """n_frame x n_vertex x 3."""
    with open(path, "rb") as file:
        magic, version, n_vertex, start, step, n_frame = struct.unpack("<12siiffi", file.read(32))
        assert (magic, version, start, step) == (b"POINTCACHE2\0", 1, 0.0, 1.0), "it is no cache of ours"
        return numpy.fromfile(file, "<f4", n_frame * n_vertex * 3).reshape(n_frame, n_vertex, 3)


def millimetres(found, wanted, metres):
    """Largest distance and root mean square."""
    square = ((found.astype("f8") - wanted) ** 2).sum(-1) * (1e3 * metres) ** 2
    return square.max() ** 0.5, square.mean() ** 0.5
