"""fp64 log-loss, AUC, F1 and Matthews's coefficient of a million binary rows: lossleak from .npy files against scikit-learn (of log-loss
NumPy, too) on the same arrays in memory. Alternating; each time is the least of several, of processor time as in bench.h.

    /usr/bin/python3 bench/native.py PROGRAM FOLDER

PROGRAM is b-score-native, FOLDER gets the two files. Fails where the scores do not agree."""

import subprocess
import sys
import time

import numpy as np
from sklearn.metrics import f1_score, log_loss, matthews_corrcoef, roc_auc_score

ROWS, ROUNDS, SEED = 1_000_000, 6, 1


def seconds(function, runs):
    best = float("inf")
    for _ in range(runs):
        start = time.process_time()
        value = function()
        best = min(best, time.process_time() - start)
    return best, value


def main(program, folder):
    random = np.random.default_rng(SEED)
    p = random.uniform(1e-3, 1 - 1e-3, ROWS)
    y = (random.random(ROWS) < p).astype(np.int64)
    y_float = y.astype(np.float64)
    paths = folder + "/labels.npy", folder + "/predictions.npy"
    np.save(paths[0], y)
    np.save(paths[1], p)
    # The plain expression in the forms people write it; labels as floats save NumPy a conversion.
    others = {
        "sklearn log_loss": (1, lambda: log_loss(y, p)),
        "NumPy log1p int labels": (3, lambda: -np.mean(y * np.log(p) + (1 - y) * np.log1p(-p))),
        "NumPy log1p": (3, lambda: -np.mean(y_float * np.log(p) + (1 - y_float) * np.log1p(-p))),
        "NumPy log": (3, lambda: -np.mean(y_float * np.log(p) + (1 - y_float) * np.log(1 - p))),
    }
    best = dict.fromkeys(others, float("inf"))
    ours, memory = float("inf"), 0.0
    for _ in range(ROUNDS):
        spent, score, lower, upper, beyond = subprocess.check_output([program, *paths], text=True).split()
        ours, memory = min(ours, float(spent)), max(memory, float(beyond))
        for name, (runs, function) in others.items():
            spent, value = seconds(function, runs)
            best[name] = min(best[name], spent)
            if name == "sklearn log_loss" and not float(lower) <= value <= float(upper):
                sys.exit(f"native.py: {name} says {value!r}, outside [{lower}, {upper}]")
            if abs(value - float(score)) > 1e-13:
                sys.exit(f"native.py: {name} says {value!r}, lossleak {score}")
    for name, other in best.items():
        print(f"fp64 log-loss from .npy,{ROWS},{ours:.4g},{name},{other:.4g},{ours / other:.3g}")
    print(f"native.py: peak {memory:.0f} MB beyond the files", file=sys.stderr)


def compare(program, paths, thing, profile, name, function):
    """One metric of counts or ranks, turn and turn about."""
    ours = other = float("inf")
    for _ in range(ROUNDS):
        spent, score, lower, upper, _ = subprocess.check_output([program, *paths, profile], text=True).split()
        ours = min(ours, float(spent))
        spent, value = seconds(function, 1)
        other = min(other, spent)
        if not float(lower) <= value <= float(upper):
            sys.exit(f"native.py: {name} says {value!r}, outside [{lower}, {upper}] around {score}")
    print(f"{thing} from .npy,{ROWS},{ours:.4g},{name},{other:.4g},{ours / other:.3g}")


def others(program, folder):
    random = np.random.default_rng(SEED)
    p = random.uniform(0, 1, ROWS)
    y = (random.random(ROWS) < p).astype(np.int64)
    guess = (p > 0.5).astype(np.int64)
    labels, scores, guesses = folder + "/labels.npy", folder + "/scores.npy", folder + "/guesses.npy"
    np.save(labels, y)
    np.save(scores, p)
    np.save(guesses, guess)
    compare(program, (labels, scores), "AUC", "sklearn/roc_auc", "sklearn roc_auc_score", lambda: roc_auc_score(y, p))
    compare(program, (labels, guesses), "F1", "sklearn/f1", "sklearn f1_score", lambda: f1_score(y, guess))
    compare(program, (labels, guesses), "MCC", "sklearn/mcc", "sklearn matthews_corrcoef", lambda: matthews_corrcoef(y, guess))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
    others(sys.argv[1], sys.argv[2])
