#!/usr/bin/python3
"""Make tests/vectors/npy/: small arrays of every dtype, byte order, memory order and header version, written by NumPy.

Entry (r, c) is (10 r + c) % 2 for bools, 10 r + c for unsigned and 10 r + c - 5 for signed integers (times 1000 from 4 bytes on),
(10 r + c) / 8 - 1 for floats; t-npy.c knows the same rule. Files called bad-* must be refused.
"""
import os
import sys

import numpy as np

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "npy")
os.makedirs(folder, exist_ok=True)


def save(name, array, version=None):
    with open(os.path.join(folder, name + ".npy"), "wb") as file:
        np.lib.format.write_array(file, array, version=version, allow_pickle=True)


def entries(kind, size, rows, columns):
    base = 10 * np.arange(rows)[:, None] + np.arange(columns)[None, :]
    if kind == "b":
        return base % 2
    if kind == "f":
        return base / 8 - 1
    return (base - (5 if kind == "i" else 0)) * (1000 if size >= 4 else 1)


for code in "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8".split():
    for order in "<>" if code[1] != "1" else "|":
        dtype = np.dtype(order + code)
        wide = entries(code[0], int(code[1]), 4, 3).astype(dtype)
        long = entries(code[0], int(code[1]), 5, 1).astype(dtype)
        end = {"<": "little", ">": "big", "|": "one"}[order]
        save(f"{code}-{end}-1d", long[:, 0])
        save(f"{code}-{end}-c", wide)
        save(f"{code}-{end}-fortran", np.asfortranarray(wide))

doubles = entries("f", 8, 4, 3).astype("<f8")
save("f8-version2", doubles, (2, 0))
save("f8-version3", doubles, (3, 0))
save("f8-column", doubles[:, :1])
save("f2-corners", np.array([0, 1, 0x3FF, 0x400, 0x7BFF, 0x8000, 0x8001, 0xFBFF], "<u2").view("<f2"))
save("labels-float", np.array([0.0, 2.0, 1.0, 2.0]))

save("bad-object", np.array([1, "a", None], dtype=object))
save("bad-complex", np.array([1j, 2]))
save("bad-text", np.array(["yes", "no"]))
save("bad-date", np.array(["2020-01-01"], dtype="M8[D]"))
save("bad-structured", np.array([(1, 2.0)], dtype=[("a", "<i4"), ("b", "<f8")]))
save("bad-scalar", np.array(0.5))
save("bad-cube", np.zeros((2, 2, 2)))
save("bad-empty", np.zeros((0, 3)))
save("bad-long-double", np.zeros(2, dtype=np.longdouble))
save("bad-nan", np.array([0.5, np.nan, 0.25]))
save("bad-infinite", np.array([[0.5, 1], [0.5, -np.inf]], dtype=np.float32))
sys.stdout.write(f"{len(os.listdir(folder))} files\n")
