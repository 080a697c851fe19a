"""scikit-learn's averages over classes behind an oracle, one number an answer, class counts not told: every label certain
and right, in no fewer submissions than the limit. Balanced accuracy of five classes, 300 and 1000 rows; macro and weighted
averages; kappa; rows in the order of their classes, a class of three rows, a class that nobody has, counts that are told.
LL_TEST_LONG: all of that; else three of the cases. LOSSLEAK names the program."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

ORACLE = """
import csv, sys, warnings
import numpy as np
from sklearn import metrics
warnings.filterwarnings("ignore")
y = np.loadtxt(sys.argv[1], dtype=int)
name, _, average = sys.argv[2].partition(":")
how = {"average": average} if average else {}
for line in sys.stdin:
    path = line.strip()
    p = np.load(path) if path.endswith(".npy") else np.array([float(r[1]) for r in list(csv.reader(open(path)))[1:]])
    print(f"{getattr(metrics, name)(y, p.reshape(-1).astype(int), **how):.{sys.argv[3]}f}", flush=True)
"""
LONG = "LL_TEST_LONG" in os.environ
CASES = [  # metric, scikit-learn's, rows, classes that there are, classes that are used, decimals, told, in order
    ("balanced-accuracy", "balanced_accuracy_score", 300, 5, range(5), 5, False, False),
    ("balanced-accuracy", "balanced_accuracy_score", 1000, 5, range(5), 5, False, False),
    ("balanced-accuracy", "balanced_accuracy_score", 100, 3, range(3), 4, False, True),
    ("balanced-accuracy", "balanced_accuracy_score", 60, 6, [1, 2, 5], 5, False, False),
    ("balanced-accuracy", "balanced_accuracy_score", 60, 10, range(10), 5, True, False),
    ("macro-f1", "f1_score:macro", 300, 3, range(3), 5, False, False),
    ("macro-f1", "f1_score:macro", 1000, 3, range(3), 5, False, False),
    ("macro-precision", "precision_score:macro", 60, 4, range(4), 5, False, False),
    ("macro-recall", "recall_score:macro", 60, 4, [0, 1, 3], 5, False, False),
    ("macro-jaccard", "jaccard_score:macro", 60, 3, range(3), 4, False, True),
    ("weighted-f1", "f1_score:weighted", 60, 4, range(4), 5, False, False),
    ("weighted-precision", "precision_score:weighted", 60, 4, range(4), 5, False, False),
    ("weighted-jaccard", "jaccard_score:weighted", 60, 4, range(4), 5, False, False),
    ("kappa", "cohen_kappa_score", 300, 5, range(5), 5, False, False),
]


def run(*arguments):
    done = subprocess.run([os.environ["LOSSLEAK"], *arguments, "--json"], capture_output=True, text=True, timeout=600)
    return done, json.loads(done.stdout)


def attack(folder, rng, metric, real, rows, classes, used, decimals, told, ordered):
    truth = rng.choice(list(used), rows, p=rng.dirichlet(np.full(len(used), 3.0)))
    if ordered:
        truth = np.sort(truth)
        truth[:3] = used[0]
    np.savetxt(f"{folder}/y", truth, fmt="%d")
    scorer = ["--metric", metric, "--arithmetic", "fp64", "--classes", str(classes), "--rows", str(rows),
              "--decimals", str(decimals)]
    if told:
        scorer += ["--counts", ",".join(str((truth == k).sum()) for k in range(classes))]
    oracle = f"exec /usr/bin/python3 {folder}/oracle.py {folder}/y {real} {decimals}"
    done, result = run("attack", *scorer, "--oracle", oracle, "--oracle-mode", "stream", "--out", f"{folder}/out.csv")
    assert done.returncode == 0, (metric, rows, done.stderr, result)
    labels = np.array([int(line.split(",")[1]) for line in open(f"{folder}/out.csv").read().split()[1:]])
    right, bound = int((labels == truth).sum()), 0
    if LONG or rows == 300 and metric.startswith("balanced"):
        bound = run("audit", *scorer)[1]["bound"]["min_queries"]
        assert 0 < bound
    print(f"{metric}: {rows} rows of {classes} classes ({', '.join(str((truth == k).sum()) for k in range(classes))}), "
          f"{decimals} decimals, counts {'' if told else 'not '}told: {result['queries']} submissions, "
          f"{result['certain']} certain, {right} right, no method in fewer than {bound or '-'}, "
          f"decode {result['seconds']['decode']:.2f} s", flush=True)
    assert result["certain"] == right == rows and bound <= result["queries"]


def main():
    rng = np.random.default_rng(int(os.environ.get("LL_TEST_SEED", "20261116")))
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/oracle.py", "w") as file:
            file.write(ORACLE)
        for case in CASES if LONG else [CASES[0], CASES[3], CASES[9]]:
            attack(folder, rng, *case)
    return 0


if __name__ == "__main__":
    sys.exit(main())
