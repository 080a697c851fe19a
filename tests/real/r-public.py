"""scikit-learn's log_loss, Brier score, accuracy, F1, Jaccard and Matthews over a part of the rows that the attacker is not told, five decimals,
behind an oracle; the size of the part told and not told. Every public label and every absence must be certain and right,
within so many submissions. Full sizes with LL_TEST_LONG=1. LOSSLEAK names the program."""
import csv
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

ORACLE = """
import csv, sys
import numpy as np
from sklearn import metrics
y, part = np.loadtxt(sys.argv[1], dtype=int), np.loadtxt(sys.argv[2], dtype=int) == 1
def score(p):
    if sys.argv[3] == "log_loss":
        return metrics.log_loss(y[part], p[part], labels=[0, 1], eps=1e-15)
    if sys.argv[3] == "brier_score_loss":
        return metrics.brier_score_loss(y[part], p[part][:, -1])
    options = {"zero_division": 0} if sys.argv[3] in ("f1_score", "jaccard_score", "precision_score") else {}
    return getattr(metrics, sys.argv[3])(y[part], p[part][:, -1].astype(int), **options)
for line in sys.stdin:
    path = line.strip()
    p = np.load(path) if path.endswith(".npy") else np.array([[float(x) for x in r[1:]] for r in list(csv.reader(open(path)))[1:]])
    print(f"{score(p.reshape(len(y), -1)):.5f}", flush=True)
"""
LONG = os.environ.get("LL_TEST_LONG") == "1"
LOG_LOSS = ["--scorer", "sklearn-1.1/log_loss"]  # its eps is 1e-15
# function, scorer, rows, public rows, submissions at most
CASES = [("log_loss", LOG_LOSS, 200, 60, 24), ("accuracy_score", ["--scorer", "sklearn/accuracy"], 60, 20, 60),
         ("brier_score_loss", ["--scorer", "sklearn/brier"], 60, 20, 60),
         ("f1_score", ["--scorer", "sklearn/f1"], 300, 100, 301), ("matthews_corrcoef", ["--scorer", "sklearn/mcc"], 60, 20, 61)]
if LONG:
    CASES = [("log_loss", LOG_LOSS, 1000, 300, 124), ("log_loss", LOG_LOSS, 3000, 600, 374),
             ("accuracy_score", ["--scorer", "sklearn/accuracy"], 300, 100, 150),
             ("brier_score_loss", ["--scorer", "sklearn/brier"], 300, 100, 150)]
    CASES += [(function, ["--scorer", "sklearn/" + name], 300, 100, 301) for function, name in
              [("f1_score", "f1"), ("jaccard_score", "jaccard"), ("precision_score", "precision"), ("matthews_corrcoef", "mcc"),
               ("cohen_kappa_score", "kappa"), ("balanced_accuracy_score", "balanced_accuracy")]]


def attack(folder, function, options, rows, public):
    command = f"exec /usr/bin/python3 {folder}/oracle.py {folder}/y {folder}/part {function}"
    done = subprocess.run([os.environ["LOSSLEAK"], "attack", "--json", *options, "--decimals", "5", "--rows", str(rows),
                           "--public", public, "--oracle", command, "--oracle-mode", "stream", "--oracle-timeout", "600", "--out",
                           f"{folder}/out.csv"], capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0, (function, public, done.stderr, done.stdout)
    with open(f"{folder}/out.csv") as file:
        table = list(csv.DictReader(file))
    states = [int(row["label"]) if row["public"] == "yes" else -1 if row["public"] == "no" else None for row in table]
    return json.loads(done.stdout), states


def fixed_bound(rows, public, share):
    """Submissions that any fixed set needs, at least: docs/proofs/public.md, log-loss clipped at 1e-15, five decimals."""
    q = min(0.5, public / rows)
    bits = (math.lgamma(rows + 1) - math.lgamma(public + 1) - math.lgamma(rows - public + 1)) / math.log(2)
    bits += public * -(share * math.log2(share) + (1 - share) * math.log2(1 - share))
    spread = math.sqrt(rows * q * (1 - q)) * -math.log(1e-15) / (public * 1e-5)
    return bits / (0.5 * math.log2(2 * math.pi * math.e * ((spread + 0.5) ** 2 + 1 / 12)))


def main():
    rng = np.random.default_rng(int(os.environ.get("LL_TEST_SEED", "20220328")))
    for function, options, rows, public, most in CASES:
        truth = (rng.random(rows) < 0.4).astype(int)
        part = np.zeros(rows, dtype=int)
        part[rng.permutation(rows)[:public]] = 1
        with tempfile.TemporaryDirectory() as folder:
            np.savetxt(f"{folder}/y", truth, fmt="%d")
            np.savetxt(f"{folder}/part", part, fmt="%d")
            with open(f"{folder}/oracle.py", "w") as file:
                file.write(ORACLE)
            wanted = [int(y) if s else -1 for y, s in zip(truth, part)]
            for told in (str(public), "unknown"):
                result, states = attack(folder, function, options, rows, told)
                found = result["public"]
                bound = fixed_bound(rows, public, 0.4)
                times = f", {result['queries'] / bound:.2f} times the bound" if function == "log_loss" else ""
                print(f"{function}: {rows} rows, {public} public, told {told}: {result['queries']} submissions{times}, "
                      f"{found}, {result['seconds']['total']:.1f} s", flush=True)
                assert states == wanted, (function, told)
                assert found == {"labelled": public, "absent": rows - public, "open": 0} and result["certain"] == rows
                assert result["queries"] <= most, (function, told)
    return 0


if __name__ == "__main__":
    sys.exit(main())
