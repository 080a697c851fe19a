"""scikit-learn's functions with sample_weight lie inside the intervals of their profiles: weights of many sizes, zeros,
all alike; and with the weights that compute_sample_weight("balanced", y) gives, class-weights balanced."""
import sys
import warnings

import numpy as np
from sklearn import metrics
from sklearn.utils.class_weight import compute_sample_weight

sys.dont_write_bytecode = True
from library import score, scorer  # noqa: E402
from vectors import MULTIPLIER, Count, generator, size  # noqa: E402

COUNT = int(300 * MULTIPLIER)
warnings.filterwarnings("ignore")
KINDS = {
    "log-loss": ("sklearn-1.2/log_loss", "share", lambda y, p, w: metrics.log_loss(y, p, sample_weight=w, labels=[0, 1])),
    "brier": ("sklearn/brier", "share", lambda y, p, w: metrics.brier_score_loss(y, p, sample_weight=w, pos_label=1)),
    "accuracy": ("sklearn/accuracy", "label", lambda y, p, w: metrics.accuracy_score(y, p, sample_weight=w)),
    "mse": ("sklearn/mse", "number", lambda y, p, w: metrics.mean_squared_error(y, p, sample_weight=w)),
    "mae": ("sklearn/mae", "number", lambda y, p, w: metrics.mean_absolute_error(y, p, sample_weight=w)),
}


def weights(rng, n, style):
    """Even, of many sizes, whole, half of them 0, all alike, one far heavier than the rest."""
    w = (lambda: rng.random(n), lambda: 10.0 ** rng.uniform(-12, 12, n), lambda: rng.integers(0, 5, n).astype(float),
         lambda: np.where(rng.random(n) < 0.5, 0.0, rng.random(n)), lambda: np.full(n, 0.1),
         lambda: np.where(np.arange(n) == n // 2, 1e15, rng.random(n)))[style]()
    return w if w.sum() > 0 else np.ones(n)


def predictions(rng, n, kind):
    if kind == "label":
        return rng.integers(0, 2, n).astype(float)
    return rng.normal(5, 4, n) if kind == "number" else np.clip(rng.choice([rng.random(n), rng.random(n).round(1)]), 0, 1)


def compare(name, profile, kind, real):
    rng, count = generator(name), Count(name)
    for i in range(COUNT):
        n = max(1, size(rng, i, 9000))
        y = rng.integers(0, 10 if kind == "number" else 2, n)
        p = predictions(rng, n, kind)
        balanced = kind != "number" and i % 4 == 0
        w = compute_sample_weight("balanced", y) if balanced else weights(rng, n, i % 6)
        settings = {"class-weights": "balanced"} if balanced else {"weights": ",".join(map(repr, map(float, w)))}
        settings |= {"targets": "0:9:1"} if kind == "number" else {"classes": "2"}
        ours = scorer(profile, rows=n, **settings)
        number = float(real(y, p, w))
        count.check(score(ours, y, p), number, 2e-14 * (abs(number) + 1), (i, n, balanced))
    return count.report(COUNT)


def main():
    good = [compare(name, *kind) for name, kind in KINDS.items()]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
