"""scikit-learn's weighted kappas behind an oracle, class counts not told: every grade certain and right, in no fewer
submissions than the limit. 1000 rows of 5 grades, 5 decimals; fewer rows, fewer decimals, grades that nobody has.
LOSSLEAK names the program."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

ORACLE = """
import csv, sys, warnings
import numpy as np
from sklearn.metrics import cohen_kappa_score
warnings.filterwarnings("ignore")
y = np.loadtxt(sys.argv[1], dtype=int)
for line in sys.stdin:
    path = line.strip()
    p = np.load(path) if path.endswith(".npy") else np.array([float(r[1]) for r in list(csv.reader(open(path)))[1:]])
    print(f"{cohen_kappa_score(y, p.reshape(-1).astype(int), weights=sys.argv[2]):.{sys.argv[3]}f}", flush=True)
"""
CASES = [  # kappa, rows, grades that there are, grades that are used, decimals, told
    ("quadratic", 1000, 5, [0, 1, 2, 3, 4], 5, False),
    ("linear", 300, 5, [0, 1, 2, 3, 4], 5, False),
    ("quadratic", 60, 6, [1, 2, 5], 5, False),
    ("linear", 60, 6, [1, 2, 5], 5, False),
    ("quadratic", 10, 5, [2, 3], 4, False),
    ("linear", 10, 4, [0, 3], 4, False),
    ("quadratic", 200, 4, [0, 1, 2, 3], 3, True),
]


def run(*arguments):
    done = subprocess.run([os.environ["LOSSLEAK"], *arguments, "--json"], capture_output=True, text=True, timeout=600)
    return done, json.loads(done.stdout)


def attack(folder, rng, kappa, rows, classes, used, decimals, told):
    shares = rng.dirichlet(np.full(len(used), 3.0))
    truth = rng.choice(used, rows, p=shares)
    np.savetxt(f"{folder}/y", truth, fmt="%d")
    scorer = ["--metric", f"{kappa}-kappa", "--arithmetic", "fp64", "--classes", str(classes), "--rows", str(rows),
              "--decimals", str(decimals)]
    if told:
        scorer += ["--counts", ",".join(str((truth == k).sum()) for k in range(classes))]
    oracle = f"exec /usr/bin/python3 {folder}/oracle.py {folder}/y {kappa} {decimals}"
    done, result = run("attack", *scorer, "--oracle", oracle, "--oracle-mode", "stream", "--out", f"{folder}/out.csv")
    assert done.returncode == 0, (kappa, rows, done.stderr, result)
    labels = np.array([int(line.split(",")[1]) for line in open(f"{folder}/out.csv").read().split()[1:]])
    right, bound = int((labels == truth).sum()), run("audit", *scorer)[1]["bound"]["min_queries"]
    print(f"{kappa} kappa: {rows} rows of {classes} grades, {decimals} decimals, counts {'' if told else 'not '}told: "
          f"{result['queries']} submissions, {result['certain']} certain, {right} right, no method in fewer than {bound}, "
          f"decode {result['seconds']['decode']:.2f} s", flush=True)
    assert result["certain"] == right == rows and bound <= result["queries"]


def main():
    rng = np.random.default_rng(int(os.environ.get("LL_TEST_SEED", "20261116")))
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/oracle.py", "w") as file:
            file.write(ORACLE)
        for case in CASES:
            attack(folder, rng, *case)
    return 0


if __name__ == "__main__":
    sys.exit(main())
