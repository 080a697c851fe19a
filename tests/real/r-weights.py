"""scikit-learn's functions with sample_weight lie inside the intervals of their profiles: weights of many sizes, zeros,
all alike; and with the weights that compute_sample_weight("balanced", y) gives, class-weights balanced. Means of terms,
and metrics of counts of two to five classes."""
import os
import sys
import warnings

import numpy as np
from sklearn import metrics
from sklearn.utils.class_weight import compute_sample_weight

sys.dont_write_bytecode = True
from library import Refused, score, scorer  # noqa: E402
from vectors import MULTIPLIER, Count, generator, size  # noqa: E402

COUNT = int((300 if os.environ.get("LL_TEST_LONG") else 100) * MULTIPLIER)
warnings.filterwarnings("ignore")
KINDS = {
    "log-loss": ("sklearn-1.2/log_loss", "share", lambda y, p, w: metrics.log_loss(y, p, sample_weight=w, labels=[0, 1])),
    "brier": ("sklearn/brier", "share", lambda y, p, w: metrics.brier_score_loss(y, p, sample_weight=w, pos_label=1)),
    "accuracy": ("sklearn/accuracy", "label", lambda y, p, w: metrics.accuracy_score(y, p, sample_weight=w)),
    "mse": ("sklearn/mse", "number", lambda y, p, w: metrics.mean_squared_error(y, p, sample_weight=w)),
    "mae": ("sklearn/mae", "number", lambda y, p, w: metrics.mean_absolute_error(y, p, sample_weight=w)),
}




def average(of, how, **more):
    return lambda y, p, w: of(y, p, sample_weight=w, average=how, zero_division=0, **more)


COUNTS = {  # metric, classes, function; a profile where there is one
    "f1": (2, average(metrics.f1_score, "binary")),
    "fbeta:2": (2, average(metrics.fbeta_score, "binary", beta=2)),
    "precision": (2, average(metrics.precision_score, "binary")),
    "recall": (2, average(metrics.recall_score, "binary")),
    "specificity": (2, average(metrics.recall_score, "binary", pos_label=0)),
    "jaccard": (2, average(metrics.jaccard_score, "binary")),
    "balanced-accuracy": (5, lambda y, p, w: metrics.balanced_accuracy_score(y, p, sample_weight=w)),
    "youden": (4, lambda y, p, w: metrics.balanced_accuracy_score(y, p, sample_weight=w, adjusted=True)),
    "mcc": (5, lambda y, p, w: metrics.matthews_corrcoef(y, p, sample_weight=w)),
    "kappa": (5, lambda y, p, w: metrics.cohen_kappa_score(y, p, sample_weight=w)),
    "linear-kappa": (5, lambda y, p, w: metrics.cohen_kappa_score(y, p, sample_weight=w, weights="linear")),
    "quadratic-kappa": (5, lambda y, p, w: metrics.cohen_kappa_score(y, p, sample_weight=w, weights="quadratic")),
} | {f"{how}-{name}": (5, average(of, how)) for how in ("macro", "micro", "weighted") for name, of in
     (("precision", metrics.precision_score), ("recall", metrics.recall_score), ("f1", metrics.f1_score),
      ("jaccard", metrics.jaccard_score))}


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


def labels(rng, n, classes, style):
    """Even, one class alone, nearly one class."""
    y = rng.integers(0, classes, n)
    return y if style > 1 else np.full(n, y[0]) if style == 0 else np.where(rng.random(n) < 0.1, y, y[0])


def compare_counts(metric, most, real):
    """Where the interval is wide, weights differ so much that rounding decides; refused ones are those, or 0/0."""
    rng, count, refused = generator(metric), Count(metric), 0
    for i in range(COUNT):
        n, classes = max(1, size(rng, i, 9000)), int(rng.integers(2, most + 1))
        y, p = labels(rng, n, classes, rng.integers(0, 12)), labels(rng, n, classes, rng.integers(0, 12))
        p = np.where(rng.random(n) < rng.choice([0, 0.3, 1]), y, p)
        balanced = i % 4 == 0
        w = compute_sample_weight("balanced", y) if balanced else weights(rng, n, i % 6)
        settings = {"class-weights": "balanced"} if balanced else {"weights": ",".join(map(repr, map(float, w)))}
        ours = scorer(metric=metric, arithmetic="fp64", rows=n, classes=str(classes), **settings)
        number = float(real(y, p, w))
        try:
            found = score(ours, y, p.astype(float))
        except Refused as why:
            few = "one class" in str(why)
            assert few or "rounding leaves nothing" in str(why), why
            assert few or metric == "mcc", why
            assert "mcc" in metric or np.isnan(number) or len(np.unique(y[w > 0])) < 2, (i, number)
            refused += 1
            continue
        if metric == "mcc" and np.isnan(number):  # of one class: 0 less 0, over the root of a rounding below 0
            assert float(found[0]) == 0, (i, found)
            refused += 1
            continue
        width = 2e-13 if metric != "mcc" else 1e-9 if balanced or i % 6 in (0, 2, 4) else 1e3
        count.check(found, number, width, (i, n, classes, balanced))
    print(f"{metric}: {refused} of {COUNT} have no number")
    return count.report(COUNT - refused) and refused < COUNT / 4


def main():
    good = [compare(name, *kind) for name, kind in KINDS.items()]
    good += [compare_counts(name, *kind) for name, kind in COUNTS.items()]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
