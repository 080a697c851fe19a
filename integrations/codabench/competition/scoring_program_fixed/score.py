import json
import math
import os
import sys

import pandas as pd
from sklearn.metrics import roc_auc_score

INPUT, OUTPUT = "/app/input", "/app/output"

truth = pd.read_csv(os.path.join(INPUT, "ref", "truth.csv")).set_index("patient")
answer = pd.read_csv(os.path.join(INPUT, "res", "predictions.csv"), dtype={"patient": str})

# Everything about the submission is checked before a label is looked at, and no message depends on one.
if list(answer.columns) != ["patient", "probability"] or sorted(answer.patient) != sorted(truth.index):
    sys.exit("A submission has the columns patient and probability, and one row for every patient of the test set.")
values = pd.to_numeric(answer.set_index("patient").probability, errors="coerce").loc[truth.index]
if not all(math.isfinite(value) for value in values):
    sys.exit("Probabilities are finite numbers.")

if truth.readmitted.nunique() < 2:
    score = 0.5
else:
    score = roc_auc_score(truth.readmitted, values)
with open(os.path.join(OUTPUT, "scores.json"), "w") as file:
    json.dump({"auc": round(score, 3)}, file)
