"""LabelInf on one core: labellings a second against the 4e9 that are asked for, and against two NumPy enumerations of
the same problem.

    /usr/bin/python3 bench/search.py PROGRAM FOLDER

PROGRAM is b-search. The weights are those of log-loss at predictions drawn at random. Fails where the answers differ
from each other or from the labels that were drawn."""

import os
import subprocess
import sys
import time

import numpy as np

SMALL, LARGE, SEED, TOLERANCE = 24, 32, 1, 1e-12
WANTED = 4e9


def problem(rows, path):
    random = np.random.default_rng(SEED)
    p = random.uniform(0.01, 0.99, rows)
    weights = np.log1p(-p) - np.log(p)
    labels = random.integers(0, 2, rows)
    target = float(labels @ weights)
    with open(path, "w") as file:
        file.write("\n".join(float(x).hex() for x in [*weights, target]) + "\n")
    return weights, target, int(sum(int(bit) << i for i, bit in enumerate(labels)))


def ours(program, path, runs):
    spent, count, best = subprocess.check_output([program, path, str(TOLERANCE), str(runs)], text=True).split()
    return float(spent), int(count), int(best)


def by_doubling(weights, target):
    """All sums in one array, doubled once a row: the fastest way that NumPy has."""
    sums = np.zeros(1)
    for weight in weights:
        sums = np.concatenate((sums, sums + weight))
    return int(np.argmin(np.abs(sums - target)))


def by_bits(weights, target):
    """The bits of every number, times the weights: the way it is usually written, in pieces that fit the cache."""
    place = np.arange(len(weights))
    best = (np.inf, 0)
    for first in range(0, 1 << len(weights), 1 << 14):
        number = np.arange(first, first + (1 << 14))
        distance = np.abs((number[:, None] >> place & 1) @ weights - target)
        at = int(np.argmin(distance))
        best = min(best, (distance[at], first + at))
    return best[1]


def main(program, folder):
    path = os.path.join(folder, "weights.txt")
    weights, target, truth = problem(SMALL, path)
    for name, function, rounds in ("doubled sums", by_doubling, 5), ("bits times weights", by_bits, 1):
        best, other = float("inf"), float("inf")
        for _ in range(rounds):
            spent, count, found = ours(program, path, 20)
            best = min(best, spent)
            start = time.process_time()
            theirs = function(weights, target)
            other = min(other, time.process_time() - start)
            if found != truth or theirs != truth or count != 1:
                sys.exit(f"search.py: {truth} was drawn, lossleak found {found} ({count} fit), NumPy {theirs}")
        print(f"LabelInf,2^{SMALL} labellings,{best:.4g},NumPy {name},{other:.4g},{best / other:.3g}")
    _, _, truth = problem(LARGE, path)
    spent, _, found = ours(program, path, 3)
    if found != truth:
        sys.exit(f"search.py: {truth} was drawn, lossleak found {found}")
    wanted = 2**LARGE / WANTED
    print(f"LabelInf,2^{LARGE} labellings,{spent:.4g},{WANTED:.0e} labellings a second,{wanted:.4g},{spent / wanted:.3g}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
