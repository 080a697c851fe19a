"""scikit-learn's regression metrics lie inside the intervals of their profiles: numbers of a grid, any predictions."""
import sys

import numpy as np
import sklearn
from sklearn import metrics

sys.dont_write_bytecode = True
from library import score, scorer  # noqa: E402
from vectors import MULTIPLIER, Count, generator, labels, pairwise_depth, size, width  # noqa: E402

COUNT = int(500 * MULTIPLIER)
GRIDS = [("0:9:1", [float(k) for k in range(10)]),
         ("0:1:1", [0.0, 1.0]),
         ("1:5:0.5", [1 + k / 2 for k in range(9)]),
         ("0:0.9:0.1", [float(f"0.{k}") for k in range(10)]),
         ("10:1000:10", [10.0 * (k + 1) for k in range(100)])]
BELOW = [("-3:3:1.5", [-3, -1.5, 0.0, 1.5, 3]), ("-1e6:1e6:5e5", [-1e6, -5e5, 0.0, 5e5, 1e6])]
TINY = 1e-160  # the root of a subnormal
CORNERS = [0.0, 1.0, 0.1, 5e-324, 1e-300, 2.0 ** -53, 1e8, 1e15, 1e100, 3.0, 0.30000000000000004, 1e-9, 9.5]


def predictions(rng, n, style, targets):
    """Near the targets, on them, corners, spread over many sizes, all equal."""
    if style == 0:
        return rng.normal(np.mean(targets), np.ptp(targets), n)
    if style == 1:
        return rng.choice(CORNERS, n)
    if style == 2:
        return np.where(rng.random(n) < 0.5, rng.choice(targets, n), rng.random(n))
    if style == 3:
        return 10.0 ** rng.uniform(-10, 12, n)
    return np.full(n, rng.choice(CORNERS))


def check(name, profile, real, per_term, positive=False, **settings):
    rng, count = generator(name), Count(name)
    grids = GRIDS if positive else GRIDS + BELOW
    for i in range(COUNT):
        text, targets = grids[i % len(grids)]
        n = size(rng, i, 20_000)
        k = labels(rng, n, len(targets))
        y, p = np.array(targets)[k], predictions(rng, n, i % 5, targets)
        p = np.abs(p) if positive else p * rng.choice([-1, 1], n)
        value = float(real(y, p))
        ours = scorer(profile, targets=text, **settings)
        count.check(score(ours, k, p), value, width(value, n, pairwise_depth(n), per_term=per_term, enclosure=0) + TINY,
                    (i, n, text))
    return count.report(COUNT)


def check_log(name, profile, root):
    """Logarithms that nearly cancel: inside the interval is what counts, and its width is that of the logarithms."""
    rng, count = generator(name), Count(name)
    for i in range(COUNT):
        text, targets = GRIDS[i % len(GRIDS)]
        n = size(rng, i, 20_000)
        k = labels(rng, n, len(targets))
        y, p = np.array(targets)[k], np.abs(predictions(rng, n, i % 5, targets))
        value = float(metrics.mean_squared_log_error(y, p, squared=not root))
        most = max(np.log1p(np.max(p)), np.log1p(np.max(y)))
        count.check(score(scorer(profile, targets=text), k, p), value,
                    1e-14 * (pairwise_depth(n) + 1) * (most + 1) ** 2 if not root else 1e-6 * (most + 1), (i, n, text))
    return count.report(COUNT)


def main():
    print(f"scikit-learn {sklearn.__version__}")
    m = metrics
    good = [
        check("mean_squared_error", "sklearn/mse", m.mean_squared_error, 4),
        check("mean_squared_error root", "sklearn/rmse", lambda y, p: m.mean_squared_error(y, p, squared=False), 6),
        check("mean_absolute_error", "sklearn/mae", m.mean_absolute_error, 2),
        check("mean_absolute_percentage_error", "sklearn/mape", m.mean_absolute_percentage_error, 3),
        check("mean_pinball_loss", "sklearn/mae", lambda y, p: m.mean_pinball_loss(y, p, alpha=0.9), 14,
              metric="quantile:0.9"),
        clipped(),
        check_log("mean_squared_log_error", "sklearn/msle", False),
        check_log("mean_squared_log_error root", "sklearn/rmsle", True),
    ]
    return 0 if all(good) else 1


def clipped():
    """Predictions held to the range of the targets."""
    rng, count = generator("clip-targets"), Count("clip-targets")
    for i in range(COUNT):
        text, targets = (GRIDS + BELOW)[i % 7]
        n = size(rng, i, 9_000)
        k = labels(rng, n, len(targets))
        y, p = np.array(targets)[k], predictions(rng, n, i % 5, targets) * rng.choice([-1, 1], n)
        value = float(metrics.mean_squared_error(y, np.clip(p, targets[0], targets[-1])))
        ours = scorer("sklearn/mse", targets=text, clip_targets="yes")
        count.check(score(ours, k, p), value, width(value, n, pairwise_depth(n), per_term=4, enclosure=0) + TINY,
                    (i, n, text))
    return count.report(COUNT)


if __name__ == "__main__":
    sys.exit(main())
