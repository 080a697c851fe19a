"""Attacks of ten lines on scikit-learn's own functions, beside what the audit says of the same question: its certain labels and its
share are never below theirs. And what an audit says is read within a limit is read, certain and right, through the real function behind
an oracle. LL_TEST_LONG: more rows. LOSSLEAK names the program."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from sklearn import metrics

LONG = "LL_TEST_LONG" in os.environ
ORACLE = """
import sys
import numpy as np
from sklearn import metrics
y, score = np.loadtxt(sys.argv[1], dtype=int), getattr(metrics, sys.argv[2])
for line in sys.stdin:
    path = line.strip()
    p = np.load(path) if path.endswith(".npy") else np.loadtxt(path, delimiter=",", ndmin=2, skiprows=1)[:, 1:]
    p = p.squeeze()
    print(repr(float(score(y, p if sys.argv[2] == "log_loss" else p.astype(int)))), flush=True)
"""


def run(*arguments):
    done = subprocess.run([os.environ["LOSSLEAK"], *map(str, arguments), "--json"], capture_output=True, text=True, timeout=600, check=False)
    return json.loads(done.stdout)


def audited(metric, rows, queries, *more):
    found = run("audit", "--scorer", f"sklearn/{metric}", "--rows", rows, "--queries", queries, *more)
    certain = max(code["recovered_within_limit"] or 0 for code in found["codes"] if code["guarantee"] == "certified")
    return certain, found["share"], found["leaks"]


FAR = 1000.0  # beyond every target
# A score with the prediction 0 for a row, and with FAR: what that row's target is. Of |y| and FAR - y, of y^2 and (FAR - y)^2.
NUMBERS = {"mae": (metrics.mean_absolute_error, lambda base, moved, rows: (FAR - rows * (moved - base)) / 2),
           "rmse": (lambda y, p: metrics.mean_squared_error(y, p) ** 0.5,
                    lambda base, moved, rows: (FAR**2 - rows * (moved**2 - base**2)) / (2 * FAR))}


def row_by_row(score, solve, truth, queries):
    """A baseline, then one row after the other: how many targets are read."""
    p = np.zeros(len(truth))
    base, read = round(score(truth, p), 5), 0
    for i in range(queries - 1):
        p[i] = FAR
        read += round(solve(base, round(score(truth, p), 5), len(truth))) == truth[i]
        p[i] = 0
    return read


def random_designs(score, truth, queries, rng):
    """Random subsets of rows are said to be 1; the share that the pseudo-inverse gets right."""
    said = rng.integers(0, 2, (queries, len(truth)))
    scores = np.array([round(score(truth, row), 5) for row in said])
    found = np.linalg.pinv(said - 0.5) @ (scores - scores.mean())
    return float(np.mean((found > 0) == truth))


def test_numbers(rng):
    rows = 600 if LONG else 60
    queries = rows // 2
    truth = rng.integers(0, 101, rows)
    for metric, (score, solve) in NUMBERS.items():
        read = row_by_row(score, solve, truth, queries)
        certain, _, leaks = audited(metric, rows, queries, "--targets", "0:100:1", "--decimals", 5)
        print(f"{metric}: {rows} rows, {queries} submissions: ten lines read {read}, the audit {certain}", flush=True)
        assert leaks and certain >= read >= queries - 1, metric


def test_random_designs(rng):
    rows, queries = (2201, 200) if LONG else (400, 60)
    for name, score in (("f1", metrics.f1_score), ("accuracy", metrics.accuracy_score), ("mcc", metrics.matthews_corrcoef)):
        truth = rng.integers(0, 2, rows)
        share = random_designs(score, truth, queries, rng)
        _, best, leaks = audited(name, rows, queries, "--decimals", 5)
        print(f"{name}: {rows} rows, {queries} submissions: random designs {share:.1%}, the audit {best:.1%}", flush=True)
        assert leaks and best >= share - 3 * (0.25 / rows) ** 0.5, name


def test_within_a_limit(rng, folder):
    for name, metric, rows, queries in (("log_loss", "log_loss", 2000, 30), ("f1_score", "f1", 2201 if LONG else 700, 200 if LONG else 70)):
        truth = rng.integers(0, 2, rows)
        np.savetxt(f"{folder}/y", truth, fmt="%d")
        oracle = f"exec /usr/bin/python3 {folder}/oracle.py {folder}/y {name}"
        asked = ["--scorer", f"sklearn/{metric}", "--rows", rows, "--queries", queries]
        found = run("attack", *asked, "--oracle", oracle, "--oracle-mode", "stream", "--out", f"{folder}/out.csv")
        lines = [line.split(",") for line in open(f"{folder}/out.csv", encoding="ascii").read().split()[1:]]
        wrong = sum(int(label) != truth[int(row)] for row, label in lines if label)
        certain, _, _ = audited(metric, rows, queries)
        print(f"{name}: {rows} rows, {queries} submissions: the audit says {certain}, {found['certain']} are read, {wrong} wrong", flush=True)
        assert found["certain"] == certain == sum(bool(label) for _, label in lines) > 0 and wrong == 0, name


def main():
    rng = np.random.default_rng(int(os.environ.get("LL_TEST_SEED", "20261118")))
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/oracle.py", "w", encoding="ascii") as file:
            file.write(ORACLE)
        test_numbers(rng)
        test_random_designs(rng)
        test_within_a_limit(rng, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
