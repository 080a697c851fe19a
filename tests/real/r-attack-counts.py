"""scikit-learn's F1, Jaccard, Matthews, kappa, balanced accuracy, AUC and average precision behind an oracle, five decimals,
positives not told: every label certain and right; and the one-vs-rest AUC of three classes; then some
with sample_weight, 120 rows, one row a submission. 2201 rows (of three classes 1000) with
LL_TEST_MULTIPLIER=4 or more, else 300. Arguments: of these only. LOSSLEAK names the program."""
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
more = {"sample_weight": np.loadtxt(sys.argv[4])} if len(sys.argv) > 4 else {}
f = getattr(metrics, sys.argv[2])
for line in sys.stdin:
    path = line.strip()
    p = np.load(path) if path.endswith(".npy") else np.array([[float(x) for x in r[1:]] for r in list(csv.reader(open(path)))[1:]])
    if sys.argv[3] == "columns":
        score = f(y, p, multi_class="ovr", average="macro")
    else:
        score = f(y, p.reshape(-1) if sys.argv[3] == "order" else p.reshape(-1).astype(int), **more)
    print(f"{score:.5f}", flush=True)
"""
SCORERS = {"f1": "f1_score", "jaccard": "jaccard_score", "mcc": "matthews_corrcoef", "kappa": "cohen_kappa_score",
           "balanced_accuracy": "balanced_accuracy_score", "roc_auc": "roc_auc_score",
           "average_precision": "average_precision_score", "recall": "recall_score", "roc_auc_ovr": "roc_auc_score"}
WAYS = {"roc_auc": "order", "average_precision": "order", "roc_auc_ovr": "columns"}  # others read labels
WEIGHTED = ("f1", "jaccard", "mcc", "kappa", "balanced_accuracy", "recall")
MULTIPLIER = float(os.environ.get("LL_TEST_MULTIPLIER", "1"))
ROWS = 2201 if MULTIPLIER >= 4 else 300
QUERIES = 500 if MULTIPLIER >= 4 else 96
RANKED = {"roc_auc": 270 if MULTIPLIER >= 4 else 60, "roc_auc_ovr": 300 if MULTIPLIER >= 4 else 120}  # asked by the order of the rows


def attack(folder, profile, function, truth, weights=""):
    np.savetxt(f"{folder}/y", truth, fmt="%d")
    command = f"exec /usr/bin/python3 {folder}/oracle.py {folder}/y {function} {WAYS.get(profile, 'labels')} {weights}"
    done = subprocess.run([os.environ["LOSSLEAK"], "attack", "--json", "--scorer", f"sklearn/{profile}", "--decimals", "5",
                           *(["--weights", weights] if weights else []), "--rows", str(len(truth)), "--classes", str(max(truth) + 1), "--oracle", command, "--oracle-mode", "stream", "--out",
                           f"{folder}/out.csv"], capture_output=True, text=True, timeout=600)
    result = json.loads(done.stdout)
    assert done.returncode == 0, (profile, done.stderr, result)
    labels = np.array([int(line.split(",")[1]) for line in open(f"{folder}/out.csv").read().split()[1:]])
    return result, labels


def main():
    rng = np.random.default_rng(int(os.environ.get("LL_TEST_SEED", "20220328")))
    two = (rng.random(ROWS) < 0.32).astype(int)
    three = rng.choice(3, min(ROWS, 1000), p=[0.5, 0.37, 0.13])
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/oracle.py", "w") as file:
            file.write(ORACLE)
        for profile, function in SCORERS.items():
            if len(sys.argv) > 1 and profile not in sys.argv[1:]:
                continue
            truth = three if WAYS.get(profile) == "columns" else two
            result, labels = attack(folder, profile, function, truth)
            right = int((labels == truth).sum())
            print(f"{profile}: {len(truth)} rows, {np.bincount(truth)[1:]} of the classes above 0, {result['queries']} submissions, "
                  f"{result['certain']} certain, {right} right, decode {result['seconds']['decode']:.2f} s")
            assert result["certain"] == right == len(truth) and result["queries"] <= RANKED.get(profile, QUERIES), profile
        some, weights = two[:120], f"{folder}/w"
        np.savetxt(weights, 0.2 + rng.random(len(some)), fmt="%.17g")
        for profile in WEIGHTED:
            if len(sys.argv) > 1 and profile not in sys.argv[1:]:
                continue
            result, labels = attack(folder, profile, SCORERS[profile], some, weights)
            right = int((labels == some).sum())
            print(f"{profile} with sample_weight: {len(some)} rows, {result['queries']} submissions, {result['certain']} certain, {right} right")
            assert result["certain"] == right == len(some) == result["queries"] - 1, profile
    return 0


if __name__ == "__main__":
    sys.exit(main())
