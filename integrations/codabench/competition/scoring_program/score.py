import json
import os

import pandas as pd
from sklearn.metrics import log_loss, roc_auc_score

INPUT, OUTPUT = "/app/input", "/app/output"

truth = pd.read_csv(os.path.join(INPUT, "ref", "truth.csv"))
answer = pd.read_csv(os.path.join(INPUT, "res", "predictions.csv"))
both = truth.merge(answer, on="patient")

scores = {"auc": roc_auc_score(both.readmitted, both.probability), "log_loss": log_loss(both.readmitted, both.probability)}
print(scores)
with open(os.path.join(OUTPUT, "scores.json"), "w") as file:
    json.dump(scores, file)

both["error"] = (both.readmitted - both.probability).abs()
worst = both.sort_values("error", ascending=False).head(5)
with open(os.path.join(OUTPUT, "detailed_results.html"), "w") as file:
    file.write("<h1>Your five worst patients</h1>" + worst.to_html())
