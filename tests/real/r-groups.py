"""scikit-learn's functions of all rows and of each region, behind an oracle: every label certain and right, in as many
submissions as the largest region alone takes, and in no fewer than the limit. Regions in any order. LL_TEST_LONG: all
of the functions, else two; and groups of MMLU's shape. LOSSLEAK names the program."""
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
y, groups = np.loadtxt(sys.argv[1], dtype=int), np.loadtxt(sys.argv[2], dtype=str)
names = list(dict.fromkeys(groups))
score = getattr(metrics, sys.argv[3])
for line in sys.stdin:
    path = line.strip()
    p = np.load(path) if path.endswith(".npy") else np.array([[float(x) for x in r[1:]] for r in list(csv.reader(open(path)))[1:]])
    p = p[:, 0] if p.ndim == 2 and p.shape[1] == 1 else p
    if sys.argv[3] == "log_loss":
        of = lambda rows: score(y[rows], p[rows], labels=[0, 1])
    elif sys.argv[3] == "roc_auc_score":
        of = lambda rows: score(y[rows], p[rows])
    else:
        of = lambda rows: score(y[rows], p[rows].astype(int))
    print(*(f"{of(rows):.5f}" for rows in [slice(None)] + [groups == name for name in names]), flush=True)
"""
CASES = [("log_loss", "sklearn-1.2/log_loss"), ("accuracy_score", "sklearn/accuracy"), ("f1_score", "sklearn/f1"),
         ("roc_auc_score", "sklearn/roc_auc")]
ROWS = 600


def run(*arguments):
    done = subprocess.run([os.environ["LOSSLEAK"], *arguments, "--json"], capture_output=True, text=True, timeout=600)
    return done, json.loads(done.stdout)


def attack(folder, truth, groups, real, profile):
    scorer = ["--scorer", profile, "--decimals", "5", "--groups", f"{folder}/groups"]
    oracle = f"exec /usr/bin/python3 {folder}/oracle.py {folder}/y {folder}/groups {real}"
    done, result = run("attack", *scorer, "--oracle", oracle, "--oracle-mode", "stream", "--out", f"{folder}/out.csv")
    assert done.returncode == 0, (real, done.stderr, result)
    labels = np.array([int(line.split(",")[1]) for line in open(f"{folder}/out.csv").read().split()[1:]])
    right = int((labels == truth).sum())
    largest = int(max((groups == name).sum() for name in set(groups)))
    alone = run("audit", "--scorer", profile, "--decimals", "5", "--rows", str(largest))[1]["best"]["queries"]
    audit = run("audit", *scorer)[1]
    print(f"{real}: {len(truth)} rows in {len(set(groups))} groups, {largest} in the largest: {result['queries']} submissions "
          f"({alone} for the largest alone), {result['certain']} certain, {right} right, no method in fewer than "
          f"{audit['bound']['min_queries']}", flush=True)
    assert result["certain"] == right == len(truth)
    assert audit["bound"]["min_queries"] <= result["queries"] == audit["best"]["queries"] == alone


SHAPE = """
import sys
import numpy as np
from sklearn.metrics import accuracy_score
y, groups = np.loadtxt(sys.argv[1], dtype=int), np.loadtxt(sys.argv[2], dtype=str)
rows = [np.flatnonzero(groups == name) for name in dict.fromkeys(groups)]
for line in sys.stdin:
    path = line.strip()
    p = np.load(path) if path.endswith(".npy") else np.loadtxt(path, delimiter=",", ndmin=2, skiprows=1)[:, 1:]
    p = p.squeeze().astype(int)
    print(*(f"{100 * accuracy_score(y[r], p[r]):.1f}" for r in [slice(None)] + rows), flush=True)
"""


def mmlu(folder, rng):
    """57 subjects of 100 to 1534 rows, 14,042 in all, four choices, percent with one decimal: all rows, also those of the largest subject,
    one of whose rows moves its score by less than a decimal. The audit says so of the same groups and as many submissions."""
    sizes = np.array([100] * 20 + [150] * 12 + [223] * 12 + [300] * 6 + [500] * 3 + [895] * 2 + [783] + [1534])
    sizes[0] += 14042 - sizes.sum()
    groups, truth = np.repeat([f"s{i}" for i in range(57)], sizes), rng.integers(0, 4, 14042)
    np.savetxt(f"{folder}/y", truth, fmt="%d")
    np.savetxt(f"{folder}/groups", groups, fmt="%s")
    with open(f"{folder}/shape.py", "w") as file:
        file.write(SHAPE)
    oracle = f"exec /usr/bin/python3 {folder}/shape.py {folder}/y {folder}/groups"
    _, result = run("attack", "--metric", "accuracy", "--transform", "percent", "--decimals", "1", "--classes", "4", "--groups", f"{folder}/groups",
                    "--oracle", oracle, "--oracle-mode", "stream", "--out", f"{folder}/out.csv")
    lines = [line.split(",") for line in open(f"{folder}/out.csv").read().split()[1:]]
    wrong = sum(int(label) != truth[int(row)] for row, label in lines if label)
    _, audit = run("audit", "--metric", "accuracy", "--transform", "percent", "--decimals", "1", "--classes", "4", "--groups", f"{folder}/groups",
                   "--queries", str(result["queries"]))
    print(f"accuracy_score of 57 groups: {result['certain']} of {len(truth)} labels certain, {wrong} wrong, in {result['queries']} submissions; "
          f"audit: {audit['best']['recovered_within_limit']} labels", flush=True)
    assert wrong == 0 and result["certain"] == len(truth) == audit["best"]["recovered_within_limit"]


def largest(rng, rows=1534):
    """The largest subject by hand, each question after the answer before: a score that only one number of right rows has says that
    number, and its neighbours have other scores. From there every row is read by itself, in at most three submissions."""
    from sklearn.metrics import accuracy_score
    truth, asked = rng.integers(0, 4, rows), 0
    texts = [f"{100 * right / rows:.1f}" for right in range(rows + 1)]

    def ask(p):
        nonlocal asked
        asked += 1
        return f"{100 * accuracy_score(truth, p):.1f}"

    base = rng.integers(0, 4, rows)
    while texts.count(ask(base)) > 1:
        base = rng.integers(0, 4, rows)
    right, found = texts.index(ask(base)), np.full(rows, -1)
    for row in range(rows):
        for other in set(range(4)) - {base[row]}:
            p = base.copy()
            p[row] = other
            move = texts.index(ask(p)) - right  # the first number with this score: below, here or above
            if move != 0:
                found[row] = other if move > 0 else base[row]
                break
    print(f"accuracy_score of {rows} rows in percent with one decimal: {int((found == truth).sum())} read row by row, "
          f"{int((found != truth).sum())} wrong, in {asked} submissions", flush=True)
    assert (found == truth).all()


def main():
    rng = np.random.default_rng(int(os.environ.get("LL_TEST_SEED", "20261116")))
    with tempfile.TemporaryDirectory() as folder:
        truth = rng.integers(0, 2, ROWS)
        groups = rng.choice(["north", "south", "west"], ROWS, p=[0.5, 0.3, 0.2])
        np.savetxt(f"{folder}/y", truth, fmt="%d")
        np.savetxt(f"{folder}/groups", groups, fmt="%s")
        with open(f"{folder}/oracle.py", "w") as file:
            file.write(ORACLE)
        for case in CASES if "LL_TEST_LONG" in os.environ else CASES[::2]:
            attack(folder, truth, groups, *case)
        if "LL_TEST_LONG" in os.environ:
            mmlu(folder, rng)
            largest(rng)
    return 0


if __name__ == "__main__":
    sys.exit(main())
