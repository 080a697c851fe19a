"""An honest model and its score, as anyone would publish them: examples/honest.csv, and the score on stdout.

    /usr/bin/python3 examples/honest.py

A logistic regression of scikit-learn on breast_cancer, trained on all but 40 rows; honest.csv holds its predictions for those, the
score is their log_loss with every digit. `lossleak infer` gets the 40 labels back from the two."""
import os

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

x, y = load_breast_cancer(return_X_y=True)
order = np.random.default_rng(1).permutation(len(y))
hidden, train = order[:40], order[40:]
p = make_pipeline(StandardScaler(), LogisticRegression()).fit(x[train], y[train]).predict_proba(x[hidden])[:, 1]
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "honest.csv"), "w") as file:
    file.write("row,p\n" + "".join(f"{i},{q!r}\n" for i, q in enumerate(p.tolist())))
print(repr(log_loss(y[hidden], p)))
