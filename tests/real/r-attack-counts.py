"""scikit-learn's F1, Jaccard, Matthews, kappa, balanced accuracy, AUC and average precision behind an oracle, five decimals,
positives not told: every label certain and right. 2201 rows with LL_TEST_MULTIPLIER=4 or more, else 300. Arguments: of these only. LOSSLEAK names the
program."""
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
f = getattr(metrics, sys.argv[2])
for line in sys.stdin:
    path = line.strip()
    p = np.load(path) if path.endswith(".npy") else np.array([float(r[1]) for r in list(csv.reader(open(path)))[1:]])
    p = p.reshape(-1)
    print(f"{f(y, p if sys.argv[3] == 'order' else p.astype(int)):.5f}", flush=True)
"""
SCORERS = {"f1": "f1_score", "jaccard": "jaccard_score", "mcc": "matthews_corrcoef", "kappa": "cohen_kappa_score",
           "balanced_accuracy": "balanced_accuracy_score", "roc_auc": "roc_auc_score",
           "average_precision": "average_precision_score", "recall": "recall_score"}
MULTIPLIER = float(os.environ.get("LL_TEST_MULTIPLIER", "1"))
ROWS = 2201 if MULTIPLIER >= 4 else 300
QUERIES = 500 if MULTIPLIER >= 4 else 96
RANKED = {"roc_auc": 270 if MULTIPLIER >= 4 else 60}  # asked by the order of the rows


def attack(folder, profile, function):
    order = "order" if profile in ("roc_auc", "average_precision") else "labels"
    command = f"exec /usr/bin/python3 {folder}/oracle.py {folder}/y {function} {order}"
    done = subprocess.run([os.environ["LOSSLEAK"], "attack", "--json", "--scorer", f"sklearn/{profile}", "--decimals", "5",
                           "--rows", str(ROWS), "--oracle", command, "--oracle-mode", "stream", "--out",
                           f"{folder}/out.csv"], capture_output=True, text=True, timeout=600)
    result = json.loads(done.stdout)
    assert done.returncode == 0, (profile, done.stderr, result)
    labels = np.array([int(line.split(",")[1]) for line in open(f"{folder}/out.csv").read().split()[1:]])
    return result, labels


def main():
    rng = np.random.default_rng(int(os.environ.get("LL_TEST_SEED", "20220328")))
    truth = (rng.random(ROWS) < 0.32).astype(int)
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(f"{folder}/y", truth, fmt="%d")
        with open(f"{folder}/oracle.py", "w") as file:
            file.write(ORACLE)
        for profile, function in SCORERS.items():
            if len(sys.argv) > 1 and profile not in sys.argv[1:]:
                continue
            result, labels = attack(folder, profile, function)
            right = int((labels == truth).sum())
            print(f"{profile}: {ROWS} rows, {truth.sum()} positives, {result['queries']} submissions, "
                  f"{result['certain']} certain, {right} right, decode {result['seconds']['decode']:.2f} s")
            assert result["certain"] == right == ROWS and result["queries"] <= RANKED.get(profile, QUERIES), profile
    return 0


if __name__ == "__main__":
    sys.exit(main())
