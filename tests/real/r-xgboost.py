"""XGBoost's eval_metric logloss, error and auc lie inside the intervals of their profiles.

The probabilities themselves are its predictions: base_margin with the identity link (reg:squarederror) and no trees. The
evaluation's text has 17 decimals, so it names the double up to 1e-17. Two threads sum one vector of five.
"""
import sys

import numpy as np
import xgboost

sys.dont_write_bytecode = True
from library import score, scorer  # noqa: E402
from vectors import MULTIPLIER, U32, Count, generator, labels, probabilities, size, width  # noqa: E402

COUNT = int(1000 * MULTIPLIER)


def make_booster(threads, shape, metric="logloss"):
    return xgboost.Booster({"objective": "reg:squarederror", "eval_metric": metric, "base_score": 0,
                            "nthread": threads}, [shape])


def real_value(booster, p, y):
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
        real = real_value(boosters[i % 10 in (3, 7)], p, y)
        count.check(score(ours, y, p), real, width(real, n, n - 1, 8, term_unit=U32), (i, n), slack=1e-17)
    good = count.report(COUNT)
    good &= compare("error", shape, lambda rng, n, i: rng.integers(0, 2, n).astype(np.float32))
    good &= compare("auc", shape, lambda rng, n, i: numbers(rng, n, i))
    good &= all(ranked(metric, cut, shape) for metric in ("map", "ndcg") for cut in (None, 2))
    return 0 if good else 1


def ranked(metric, cut, shape):
    """Groups of one relevant item each: scores all different, of a few values, or all the same."""
    name = f"{metric}@{cut}" if cut else metric
    rng, count, booster = generator(name), Count(name), make_booster(1, shape, name)
    for i in range(COUNT // 4):
        n, k = max(1, min(size(rng, i), 1000)), int(rng.integers(3, 9))
        y = rng.integers(0, k, n)
        p = (rng.random((n, k)), rng.integers(0, 3, (n, k)), np.zeros((n, k)))[i % 3].astype(np.float32)
        data = xgboost.DMatrix(np.zeros((n * k, 1)), label=(np.arange(k) == y[:, None]).ravel().astype(float), nthread=1)
        data.set_base_margin(p.ravel())
        data.set_group([k] * n)
        ours = scorer(f"xgboost/{metric}", classes=k, metric=f"{metric}-first:{cut}" if cut else None)
        count.check(score(ours, y, p), float(booster.eval(data).rsplit(":", 1)[1]), 4e-12, (i, n, k), slack=1e-17)
    return count.report(COUNT // 4)


def numbers(rng, n, style):
    """Distinct, many ties, signed zeros and sizes."""
    return (rng.random(n), rng.integers(0, 4, n), rng.choice([-0.0, 0.0, 1e-30, 1e30, -1e30, 0.5], n))[style % 3].astype(np.float32)


def compare(metric, shape, make):
    rng, count = generator(metric), Count(metric)
    booster, ours = make_booster(1, shape, metric), scorer(f"xgboost/{metric}")
    for i in range(COUNT // 2):
        n = max(2, min(size(rng, i), 5000))
        y = labels(rng, n, 2)
        y[:2] = [0, 1]  # one class alone has no AUC
        p = make(rng, n, i)
        count.check(score(ours, y, p), real_value(booster, p, y), 4e-12, (i, n), slack=1e-15)
    return count.report(COUNT // 2)


if __name__ == "__main__":
    sys.exit(main())
