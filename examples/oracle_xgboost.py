"""A curator over XGBoost's eval_metric logloss, for `lossleak attack --oracle` in mode stream.

The predictions are the margins of a model without trees, whose link is the identity.

    printf '0\n1\n1\n0\n1\n' >labels.txt
    build/lossleak attack --rows 5 --scorer xgboost/logloss --oracle-mode stream \
        --oracle '/usr/bin/python3 examples/oracle_xgboost.py labels.txt'
"""
import sys

import numpy as np
import xgboost

labels = np.loadtxt(sys.argv[1], dtype=int, ndmin=1)
data = xgboost.DMatrix(np.zeros((len(labels), 1)), label=labels)
settings = {"objective": "reg:squarederror", "eval_metric": "logloss", "base_score": 0, "nthread": 1}
model = xgboost.Booster(settings, [data])

for path in sys.stdin:
    data.set_base_margin(np.loadtxt(path.rstrip("\n"), delimiter=",", skiprows=1, ndmin=2)[:, 1].astype(np.float32))
    print(model.eval(data).rsplit(":", 1)[1], flush=True)  # "[0]	eval-logloss:0.69314718055994529"
