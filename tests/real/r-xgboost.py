"""XGBoost's eval_metric logloss lies inside the interval of its profile.

The probabilities themselves are its predictions: base_margin with the identity link (reg:squarederror) and no trees. The
evaluation's text has 17 decimals, so it names the double up to 1e-17. Two threads sum one vector of five.
"""
import sys

import numpy as np
import xgboost

sys.dont_write_bytecode = True
from library import score, scorer  # noqa: E402
from vectors import MULTIPLIER, U32, Count, generator, labels, probabilities, size, width  # noqa: E402

COUNT = int(2000 * MULTIPLIER)


def make_booster(threads, shape):
    return xgboost.Booster({"objective": "reg:squarederror", "eval_metric": "logloss", "base_score": 0,
                            "nthread": threads}, [shape])


def real_logloss(booster, p, y):
    data = xgboost.DMatrix(np.zeros((len(p), 1)), label=y, nthread=1)
    data.set_base_margin(p)
    return float(booster.eval(data).rsplit(":", 1)[1])


def main():
    print(f"XGBoost {xgboost.__version__}")
    name = "logloss"
    rng, count = generator(name), Count(name)
    shape = xgboost.DMatrix(np.zeros((1, 1)), label=[0])  # kept alive: a booster learns its one feature from it
    boosters = [make_booster(threads, shape) for threads in (1, 2)]
    ours = scorer("xgboost/logloss")
    for i in range(COUNT):
        n = size(rng, i)
        p, y = probabilities(rng, n, i % 5).astype(np.float32), labels(rng, n, 2)
        real = real_logloss(boosters[i % 10 in (3, 7)], p, y)
        count.check(score(ours, y, p), real, width(real, n, n - 1, 8, term_unit=U32), (i, n), slack=1e-17)
    return 0 if count.report(COUNT) else 1


if __name__ == "__main__":
    sys.exit(main())
