"""A curator over scikit-learn's log_loss, for `lossleak attack --oracle`, in both modes.

    printf '0\n1\n1\n0\n1\n' >labels.txt
    build/lossleak attack --rows 5 --scorer sklearn-1.2/log_loss --oracle-mode stream \
        --oracle '/usr/bin/python3 examples/oracle_sklearn.py labels.txt'
"""
import os
import sys

import numpy as np
from sklearn.metrics import log_loss

labels = np.loadtxt(sys.argv[1], dtype=int)
classes = range(int(os.environ["LOSSLEAK_CLASSES"]))


def score(file):
    table = np.load(file) if str(file).endswith(".npy") else np.loadtxt(file, delimiter=",", ndmin=2, skiprows=1)[:, 1:]
    return repr(float(log_loss(labels, table.squeeze(), labels=classes)))


first = sys.stdin.readline()
if first.startswith("row,"):  # mode each: the predictions themselves
    print(score([first, *sys.stdin]))
else:  # mode stream: a path a line, and an answer to each before the next one comes
    while first:
        print(score(first.rstrip("\n")), flush=True)
        first = sys.stdin.readline()
