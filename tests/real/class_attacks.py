"""Attacks through an oracle on scikit-learn's metrics of classes, one number an answer: every label certain and right, in
no fewer submissions than the limit. LOSSLEAK names the program."""
import json
import os
import subprocess
import tempfile

import numpy as np

ORACLE = """
import csv, sys, warnings
import numpy as np
from sklearn import metrics
warnings.filterwarnings("ignore")
y = np.loadtxt(sys.argv[1], dtype=int)
name, _, how = sys.argv[2].partition(":")
how = dict([how.split("=")]) if how else {}
for line in sys.stdin:
    path = line.strip()
    p = np.load(path) if path.endswith(".npy") else np.array([float(r[1]) for r in list(csv.reader(open(path)))[1:]])
    print(f"{getattr(metrics, name)(y, p.reshape(-1).astype(int), **how):.{sys.argv[3]}f}", flush=True)
"""


def run(*arguments):
    done = subprocess.run([os.environ["LOSSLEAK"], *arguments, "--json"], capture_output=True, text=True, timeout=600)
    return done, json.loads(done.stdout)


def attack(folder, rng, is_bounded, metric, real, rows, classes, used, decimals, told, ordered):
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
    if is_bounded(metric, rows):
        bound = run("audit", *scorer)[1]["bound"]["min_queries"]
        assert 0 < bound
    print(f"{metric}: {rows} rows of {classes} classes ({', '.join(str((truth == k).sum()) for k in range(classes))}), "
          f"{decimals} decimals, counts {'' if told else 'not '}told: {result['queries']} submissions, "
          f"{result['certain']} certain, {right} right, no method in fewer than {bound or '-'}, "
          f"decode {result['seconds']['decode']:.2f} s", flush=True)
    assert result["certain"] == right == rows and bound <= result["queries"]


def attack_part(folder, rng, metric, real, rows, classes, limit, least):
    """Within a limit: at least so many labels certain, none of them wrong, and no more submissions."""
    truth = rng.choice(classes, rows)
    np.savetxt(f"{folder}/y", truth, fmt="%d")
    done, result = run("attack", "--metric", metric, "--classes", str(classes), "--rows", str(rows), "--decimals", "5",
                       "--queries", str(limit), "--oracle", f"exec /usr/bin/python3 {folder}/oracle.py {folder}/y {real} 5",
                       "--oracle-mode", "stream", "--out", f"{folder}/out.csv")
    assert done.returncode in (0, 4), (metric, rows, done.stderr, result)
    labels = [line.split(",")[1] for line in open(f"{folder}/out.csv").read().split()[1:]]
    read = [i for i, label in enumerate(labels) if label not in ("", "-1")]
    wrong = sum(int(labels[i]) != truth[i] for i in read)
    print(f"{metric}: {rows} rows of {classes} classes, at most {limit} submissions: {result['certain']} certain, {wrong} wrong",
          flush=True)
    assert wrong == 0 and len(read) == result["certain"] >= least


def attack_parts(cases):
    """Cases: metric, scikit-learn's, rows, classes, submissions, labels that are certain at least."""
    rng = np.random.default_rng(int(os.environ.get("LL_TEST_SEED", "20261118")))
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/oracle.py", "w") as file:
            file.write(ORACLE)
        for case in cases:
            attack_part(folder, rng, *case)


def attack_all(cases, is_bounded):
    """Cases: metric, scikit-learn's (name:parameter=value), rows, classes that there are, classes that are used, decimals,
    are the counts told, are the rows in the order of their classes. is_bounded(metric, rows): look at the limit too."""
    rng = np.random.default_rng(int(os.environ.get("LL_TEST_SEED", "20261116")))
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/oracle.py", "w") as file:
            file.write(ORACLE)
        for case in cases:
            attack(folder, rng, is_bounded, *case)
