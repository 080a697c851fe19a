"""Several numbers of one answer, from scikit-learn behind --oracle: a report, a confusion matrix, recalls of five classes. Every label must be
certain and right, in so many submissions; all sizes with LL_TEST_LONG=1. LOSSLEAK names the program."""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

PROGRAM = os.environ["LOSSLEAK"]
PYTHON = sys.executable
LONG = os.environ.get("LL_TEST_LONG", "0") not in ("", "0")

SCORER = r"""
import sys
import numpy as np
from sklearn.metrics import accuracy_score, classification_report, confusion_matrix, recall_score
kind, digits, file = sys.argv[1], int(sys.argv[2]), sys.argv[3]
y = np.loadtxt(file, dtype=int)
classes = list(range(int(y.max()) + 1))
for line in sys.stdin:
    p = np.loadtxt(line.strip(), delimiter=",", skiprows=1)[:, 1].astype(int)
    if kind == "matrix":
        print(*confusion_matrix(y, p, labels=classes).ravel(), flush=True)
    elif kind == "recalls":
        print(*recall_score(y, p, average=None, labels=classes, zero_division=0), flush=True)
    else:
        r = classification_report(y, p, output_dict=True, labels=classes, zero_division=0)
        parts = [r[str(k)][name] for k in classes for name in ("precision", "recall", "f1-score", "support")]
        parts += [accuracy_score(y, p)] + [r[a][name] for a in ("macro avg", "weighted avg") for name in ("precision", "recall", "f1-score")]
        print(*(str(int(x)) if i < 4 * len(classes) and i % 4 == 3 else f"{x:.{digits}f}" if digits else repr(float(x))
                for i, x in enumerate(parts)), flush=True)
"""


def attack(folder, labels, kind, digits, *options):
    (folder / "scorer.py").write_text(SCORER)
    (folder / "y").write_text("\n".join(map(str, labels)))
    command = f"{PYTHON} {folder}/scorer.py {kind} {digits} {folder}/y"
    out = subprocess.run([PROGRAM, "attack", "--oracle", command, "--oracle-mode", "stream", "--rows", str(len(labels)), "--classes",
                          str(max(labels) + 1), "--arithmetic", "fp64", "--out", str(folder / "found.csv"), "--json", *options],
                         capture_output=True, text=True)
    report = json.loads(out.stdout)
    assert out.returncode == 0, (out.returncode, report, out.stderr)
    assert report["certificate"]["verdict"] == "unique" and report["certain"] == len(labels), report
    found = [int(line.split(",")[1]) for line in (folder / "found.csv").read_text().split()[1:]]
    assert found == list(labels), "a label is wrong"
    print(kind, digits, options, len(labels), "rows:", report["code"], report["queries"], "submissions")
    return report["queries"]


def main():
    from sklearn.datasets import load_digits
    random.seed(18)
    titanic = [1] * 711 + [0] * 1490
    random.shuffle(titanic)
    five = random.choices(range(5), [5, 3, 2, 2, 1], k=1000)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if LONG:
            assert attack(folder, titanic, "matrix", 0, "--metric", "confusion_matrix") == 498
            assert attack(folder, titanic, "report", 4, "--metric", "classification_report", "--decimals", "4") == 498
        assert attack(folder, titanic[:400], "report", 2, "--metric", "classification_report", "--decimals", "2") <= 200
        assert attack(folder, load_digits().target.tolist(), "matrix", 0, "--metric", "confusion_matrix") == 68
        recalls = [part for k in range(1, 5) for part in ("--also", f"class-recall:{k}")]
        rows, submissions = (1000, 336) if LONG else (200, 96)
        assert attack(folder, five[:rows], "recalls", 0, "--metric", "class-recall:0", *recalls) == submissions


main()
