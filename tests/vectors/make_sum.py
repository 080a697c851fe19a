#!/usr/bin/python3
"""Make sum.txt: sums by NumPy and by math.fsum of terms that a few lines of C can make again.

Term i of n is made from z = splitmix64(2^32 * n + i), so that no term is stored:
    double  (z >> 11) - 2^52  times  2^((z mod 2^11) mod 40 - 72)
    float   (z >> 40) - 2^23  times  2^((z mod 2^11) mod 20 - 33)

Lines: `n  numpy.sum of doubles  numpy.sum of floats  math.fsum of doubles`, in hexadecimal, and a line
`all FIRST LAST HASH`: HASH runs over the bits of numpy.sum, double then float, of all those n:
h = (h xor bits) * 0x9E3779B97F4A7C15 mod 2^64.

The order is that of NumPy before 2.3 (pieces of 8192), and the script refuses a later one."""
import math
import os
import sys

import numpy as np

MASK = 2**64 - 1
LISTED = list(range(0, 20)) + [63, 64, 65, 127, 128, 129, 135, 136, 137, 143, 144, 145, 255, 256, 257, 1000, 1999,
                               2201, 7687, 8191, 8192, 8193, 8200, 8320, 8321, 16383, 16384, 16385, 20001, 25000,
                               70000, 100000, 131072, 250007]
LAST = 2000


def splitmix64(start, n):
    with np.errstate(over="ignore"):
        z = np.uint64(start) + np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def doubles(n):
    z = splitmix64(n << 32, n)
    mantissa = (z >> np.uint64(11)).astype(np.int64) - 2**52
    return np.ldexp(mantissa.astype(np.float64), ((z & np.uint64(2047)) % np.uint64(40)).astype(int) - 72)


def floats(n):
    z = splitmix64(n << 32, n)
    mantissa = (z >> np.uint64(40)).astype(np.int64) - 2**23
    return np.ldexp(mantissa.astype(np.float32), ((z & np.uint64(2047)) % np.uint64(20)).astype(int) - 33)


def mix(h, bits):
    return ((h ^ int(bits)) * 0x9E3779B97F4A7C15) & MASK


def main():
    if tuple(map(int, np.__version__.split(".")[:2])) >= (2, 3):
        sys.exit("this NumPy sums arrays in one piece")
    lines = ["# made by make_sum.py with NumPy " + np.__version__]
    for n in LISTED:
        x, y = doubles(n), floats(n)
        assert y.dtype == np.float32
        lines.append(f"{n} {float(np.sum(x)).hex()} {float(np.sum(y)).hex()} {math.fsum(x).hex()}")
    h = 0
    for n in range(LAST + 1):
        h = mix(h, np.sum(doubles(n)).view(np.uint64))
        h = mix(h, np.sum(floats(n)).view(np.uint32))
    lines.append(f"all 0 {LAST} {h:016x}")
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "sum.txt"), "w") as out:
        out.write("\n".join(lines) + "\n")


main()
