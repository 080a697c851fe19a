"""What the way through Python costs: ll.score of a million rows against the C program's scoring of the same files and scikit-learn, and
an attack on a callable that costs nothing against the same attack in C. Alternating; each time is the least of several, of processor time.

    PYTHONPATH=PACKAGE /usr/bin/python3 bench/python.py PROGRAMS FOLDER
"""
import subprocess
import sys
import time

import numpy as np
from sklearn.metrics import log_loss

import lossleak as ll

ROWS, ROUNDS, SEED = 1_000_000, 5, 1
PROFILE, HIDDEN, DECIMALS = "sklearn-1.2/log_loss", 2201, 5


def seconds(function):
    start = time.process_time()
    value = function()
    return time.process_time() - start, value


def scores(programs, folder):
    random = np.random.default_rng(SEED)
    p = random.uniform(1e-3, 1 - 1e-3, ROWS)
    y = (random.random(ROWS) < p).astype(np.int64)
    paths = f"{folder}/python-labels.npy", f"{folder}/python-predictions.npy"
    np.save(paths[0], y)
    np.save(paths[1], p)
    best = {"ours": float("inf"), "lossleak score in C": float("inf"), "sklearn log_loss": float("inf")}
    for _ in range(ROUNDS):
        spent, score = seconds(lambda: ll.score(y, p, PROFILE))
        best["ours"] = min(best["ours"], spent)
        spent, text, *_ = subprocess.check_output([f"{programs}/b-score-native", *paths], text=True).split()
        if text != score.score:
            sys.exit(f"python.py: {score.score} in Python, {text} in C")
        best["lossleak score in C"] = min(best["lossleak score in C"], float(spent))
        best["sklearn log_loss"] = min(best["sklearn log_loss"], seconds(lambda: log_loss(y, p))[0])
    ours = best.pop("ours")
    for name, other in best.items():
        print(f"ll.score in Python,{ROWS},{ours:.4g},{name},{other:.4g},{ours / other:.3g}", flush=True)


def attacks(programs):
    secret = ll.dataset("titanic")
    noted = []
    ll.attack(lambda p: noted.append(f"{log_loss(secret, p):.{DECIMALS}f}") or noted[-1], PROFILE, rows=HIDDEN, decimals=DECIMALS)
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        answers = iter(noted)
        spent, found = seconds(lambda: ll.attack(lambda p: next(answers), PROFILE, rows=HIDDEN, decimals=DECIMALS))
        if found.certain != HIDDEN or not np.array_equal(found.labels, secret):
            sys.exit("python.py: not every label is right and certain")
        best[0] = min(best[0], spent)
        in_c = subprocess.run([f"{programs}/b-replay", PROFILE, str(HIDDEN), str(DECIMALS)], input="\n".join(noted), text=True,
                              capture_output=True, check=True)
        best[1] = min(best[1], float(in_c.stdout))
    print(f"ll.attack on a free callable,{HIDDEN},{best[0]:.4g},the same attack in C,{best[1]:.4g},{best[0] / best[1]:.3g}", flush=True)


if __name__ == "__main__":
    scores(sys.argv[1], sys.argv[2])
    attacks(sys.argv[1])
