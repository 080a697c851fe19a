"""Scorers that read one probability a row, behind --oracle: scikit-learn's log_loss and brier_score_loss, and XGBoost's logloss.

With every number of decimals from 1 to 8, every label must be certain and right wherever it is where two columns are read (a scorer that makes
1-p of p loses its digits near 1, and the plan has to know). LL_TEST_LONG: all decimals, 228 and 2201 rows, and the table is printed; else a
few of them. docs/results/columns.md has the table. LOSSLEAK names the program."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

PROGRAM = os.path.abspath(os.environ["LOSSLEAK"])
SEED = int(os.environ.get("LL_TEST_SEED", "31337"))
LONG = bool(os.environ.get("LL_TEST_LONG"))
generator = np.random.default_rng(SEED)
passed = failed = 0

# name: options, how many columns the oracle reads
SCORERS = {
    "two": ("--scorer sklearn-1.2/log_loss --columns all", "log_loss(y, p, labels=[0, 1])"),
    "one": ("--scorer sklearn-1.2/log_loss --columns 1", "log_loss(y, p[:, 0], labels=[0, 1])"),
    "one 1e-15": ("--scorer sklearn-1.1/log_loss --columns 1", "log_loss(y, p[:, 0], eps=1e-15, labels=[0, 1])"),
    "brier": ("--scorer sklearn/brier", "brier_score_loss(y, p[:, 0])"),
    "xgboost": ("--scorer xgboost/logloss", "xgboost_logloss(p[:, 0])"),
}

ORACLE = """
import sys, numpy as np
y, decimals = np.loadtxt(sys.argv[1], dtype=int), int(sys.argv[2])
if "xgboost" in sys.argv[3]:
    import xgboost
    data = xgboost.DMatrix(np.zeros((len(y), 1)), label=y, nthread=1)
    model = xgboost.Booster({"objective": "reg:squarederror", "eval_metric": "logloss", "base_score": 0, "nthread": 1}, [data])
    def xgboost_logloss(p):
        data.set_base_margin(p.astype(np.float32))
        return float(model.eval_set([(data, "d")]).split(":")[-1])
else:
    from sklearn.metrics import brier_score_loss, log_loss
for line in sys.stdin:
    p = np.genfromtxt(line.strip(), delimiter=",", skip_header=1)[:, 1:]
    print(f"{eval(sys.argv[3]):.{decimals}f}", flush=True)
"""


def check(name, good, detail=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"FAIL {name} {detail}")


def attack(folder, labels, name, decimals):
    """(labels that are certain, those of them that are wrong, queries)"""
    options, formula = SCORERS[name]
    out = os.path.join(folder, "out.csv")
    oracle = f"exec /usr/bin/python3 {folder}/oracle.py {folder}/labels {decimals} '{formula}'"
    done = subprocess.run([PROGRAM, "attack", *options.split(), "--rows", str(len(labels)), "--decimals", str(decimals), "--oracle", oracle,
                           "--oracle-mode", "stream", "--oracle-timeout", "600", "--out", out, "--json"],
                          capture_output=True, text=True, timeout=1800)
    found = json.loads(done.stdout)
    if "error" in found:
        return 0, 0, found["error"]["text"]
    rows = np.genfromtxt(out, delimiter=",", skip_header=1)
    given = ~np.isnan(rows[:, 1])
    return found["certain"], int(np.sum(rows[given, 1].astype(int) != labels[given])), found["queries"]


def test_size(rows, decimals):
    labels = generator.integers(0, 2, rows)
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(os.path.join(folder, "labels"), labels, fmt="%d")
        with open(os.path.join(folder, "oracle.py"), "w") as file:
            file.write(ORACLE)
        for places in decimals:
            got = {name: attack(folder, labels, name, places) for name in SCORERS if LONG or name != "one 1e-15"}
            print(f"| {rows} | {places} | " + " | ".join(f"{g[0]} in {g[2]}" if g[0] else "no plan" for g in got.values()) + " |", flush=True)
            for name, (certain, wrong, told) in got.items():
                check(f"{name}, {rows} rows, {places} decimals: right", wrong == 0, wrong)
                # one label moves a Brier score by 1/rows at most: where that is less than a unit of the last decimal, no plan is made
                too_fine = name == "brier" and rows > 10 ** places
                check(f"{name}, {rows} rows, {places} decimals: certain", certain == rows or too_fine or got["two"][0] < rows, f"{certain} {told}")


for size in (228, 2201) if LONG else (60,):
    test_size(size, range(1, 9) if LONG else (1, 3))
print(f"seed {SEED}: {passed} passed, {failed} failed")
sys.exit(failed > 0)
