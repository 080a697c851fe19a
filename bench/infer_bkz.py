"""Would another reduction need fewer scores? fplll's BKZ on the problems of bench/infer_curve.py (source noise, 12 decimals).

    /usr/bin/python3 bench/infer_bkz.py BLOCK[p] ROWS:SCORES...

With a p behind the block size the enumeration of blocks is pruned, by fplll's own strategies. Needs the program fplll (Debian:
fplll-tools); lossleak does not. The lattice is that of Coster et al. 1992 with the target as one row
more: a row of the reduced basis whose first entries are all 1 or -1 is a labelling. Prints a CSV: rows, scores, block, seconds of the
processor, found or not."""
import glob
import os
import resource
import subprocess
import sys

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "real"))
import training

SEED, SCORES, UNIT = 20220328, 160, 10.0**-12
STRATEGIES = glob.glob("/usr/share/libfplll*/strategies/default.json")  # where to prune


def basis(predictions, losses):
    """Scores in units of half their last decimal, times the rows: a labelling that fits is off by a few."""
    rows = len(predictions[0])
    scale = 1 / (rows * UNIT)
    zero = [-np.log1p(-p) for p in predictions]
    one = [-np.log(p) for p in predictions]
    lines = [[0] * i + [2] + [0] * (rows - i) + [round(float(b[i] - a[i]) * scale) for a, b in zip(zero, one)] for i in range(rows)]
    target = [round((loss * rows - float(a.sum())) * scale) for loss, a in zip(losses, zero)]
    return lines + [[1] * rows + [1] + target]


def reduce(matrix, block):
    text = "[" + "\n".join("[" + " ".join(map(str, line)) + "]" for line in matrix) + "]"
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    pruning = ["-s", STRATEGIES[0]] if block.endswith("p") else []
    for options in ["-a", "lll"], ["-a", "bkz", "-b", block.rstrip("p"), *pruning]:
        text = subprocess.run(["fplll", *options], input=text, capture_output=True, text=True, check=True).stdout
    lines = [[int(x) for x in line.strip("[] ").split()] for line in text.strip().split("\n") if line.strip("[] ")]
    return lines, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main(block, problems):
    for rows, count in problems:
        predictions, losses, truth = training.noise(rows, SCORES, torch.float64, SEED)
        lines, spent = reduce(basis(predictions[:count], [round(s, 12) for s in losses[:count]]), block)
        signs = [[x * line[rows] for x in line[:rows]] for line in lines if all(abs(x) == 1 for x in line[:rows + 1])]
        labels = [[(1 - x) // 2 for x in one] for one in signs]
        print(f"{rows},{count},{block},{spent:.2f},{'found' if truth in labels else 'no'}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], [tuple(map(int, arg.split(":"))) for arg in sys.argv[2:]])
