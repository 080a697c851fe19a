"""Metrics that scikit-learn has no function for, against their formulas written out in NumPy: SMAPE and the focal loss lie
inside the intervals of the description."""
import sys

import numpy as np

sys.dont_write_bytecode = True
from library import score, scorer  # noqa: E402
from vectors import MULTIPLIER, Count, generator, pairwise_depth, size  # noqa: E402

COUNT = int(300 * MULTIPLIER)
GRIDS = [("0:9:1", np.arange(10.0)), ("-3:3:1.5", np.array([-3, -1.5, 0.0, 1.5, 3])), ("10:1000:10", np.arange(1.0, 101) * 10)]
CORNERS = [0.0, 1.0, 0.1, 1e-300, 5e-324, 2.0 ** -53, 1e15, 1e100, 3.0, 9.5]


def smape(y, x):
    with np.errstate(invalid="ignore"):
        terms = 2 * np.abs(y - x) / (np.abs(y) + np.abs(x))
    return np.mean(np.where(np.isnan(terms), 0, terms))


def check_smape():
    rng, count = generator("smape"), Count("smape")
    for i in range(COUNT):
        text, targets = GRIDS[i % len(GRIDS)]
        n = size(rng, i, 9_000)
        k = rng.integers(0, len(targets), n).astype(np.int32)
        near, corner = rng.normal(np.mean(targets), np.ptp(targets), n), rng.choice(CORNERS, n) * rng.choice([-1, 1], n)
        x = np.where(rng.random(n) < 0.5, near, corner)
        value = float(smape(targets[k], x))
        count.check(score(scorer(metric="smape", targets=text), k, x), value, 1e-14 * (pairwise_depth(n) + 4), (i, n, text))
    return count.report(COUNT)


def focal(y, p, gamma):
    right = np.where(y == 1, p, 1 - p)
    return np.mean(-(1 - right) ** gamma * np.log(right))


def check_focal():
    rng, count = generator("focal"), Count("focal")
    for i in range(COUNT):
        gamma = [2, 0.5, 1, 3.7, 5][i % 5]
        n = size(rng, i, 9_000)
        y = rng.integers(0, 2, n).astype(np.int32)
        p = np.clip(rng.random(n) ** rng.choice([1, 5, 40], n), 1e-15, 1 - 2.0 ** -53)
        value = float(focal(y, p, gamma))
        count.check(score(scorer(metric=f"focal:{gamma}"), y, p), value, 1e-13 * (pairwise_depth(n) + 8) * max(value, 1), (i, n, gamma))
    return count.report(COUNT)


if __name__ == "__main__":
    sys.exit(0 if all([check_smape(), check_focal()]) else 1)
