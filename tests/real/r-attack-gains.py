"""scikit-learn's ndcg_score, label_ranking_average_precision_score and top_k_accuracy_score behind an oracle, five
decimals: every label certain and right, in no fewer submissions than the limit. LOSSLEAK names the program."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

ORACLE = """
import csv, sys
import numpy as np
from sklearn import metrics
y, classes = np.loadtxt(sys.argv[1], dtype=int), int(sys.argv[3])
hot = np.eye(classes)[y]
for line in sys.stdin:
    path = line.strip()
    p = np.load(path) if path.endswith(".npy") else np.array([[float(x) for x in r[1:]] for r in list(csv.reader(open(path)))[1:]])
    print(f"{eval(sys.argv[2]):.5f}", flush=True)
"""
CASES = [("ndcg:3", 4, "metrics.ndcg_score(hot, p, k=3)"),
         ("ndcg:100", 6, "metrics.ndcg_score(hot, p)"),
         ("mrr", 5, "metrics.label_ranking_average_precision_score(hot, p)"),
         ("top-k:4", 5, "metrics.top_k_accuracy_score(y, p, k=4, labels=range(classes))"),
         ("top-k:1", 3, "metrics.top_k_accuracy_score(y, p, k=1, labels=range(classes))")]
ROWS = 150 if os.environ.get("LL_TEST_LONG") else 80


def run(*arguments):
    done = subprocess.run([os.environ["LOSSLEAK"], *arguments, "--json"], capture_output=True, text=True, timeout=600)
    return done, json.loads(done.stdout)


def main():
    rng = np.random.default_rng(int(os.environ.get("LL_TEST_SEED", "20261116")))
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/oracle.py", "w") as file:
            file.write(ORACLE)
        for metric, classes, formula in CASES:
            truth = rng.integers(0, classes, ROWS)
            np.savetxt(f"{folder}/y", truth, fmt="%d")
            scorer = ["--metric", metric, "--arithmetic", "fp64", "--classes", str(classes), "--rows", str(ROWS), "--decimals", "5"]
            oracle = f"exec /usr/bin/python3 {folder}/oracle.py {folder}/y '{formula}' {classes}"
            done, result = run("attack", *scorer, "--oracle", oracle, "--oracle-mode", "stream", "--out", f"{folder}/out.csv")
            assert done.returncode == 0, (metric, done.stderr, result)
            labels = np.array([int(line.split(",")[1]) for line in open(f"{folder}/out.csv").read().split()[1:]])
            right, audit = int((labels == truth).sum()), run("audit", *scorer)[1] if metric == "mrr" else None
            bound = audit["bound"]["min_queries"] if audit else 1
            print(f"{metric}: {ROWS} rows of {classes} classes: {result['queries']} submissions, {result['certain']} certain, "
                  f"{right} right" + (f", no method in fewer than {bound}" if audit else ""), flush=True)
            assert result["certain"] == right == ROWS and bound <= result["queries"] and (audit is None or audit["leaks"] is True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
