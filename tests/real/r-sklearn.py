"""scikit-learn's log_loss, brier_score_loss and accuracy_score lie inside the intervals of their profiles."""
import sys

import numpy as np
import sklearn
from sklearn.metrics import accuracy_score, brier_score_loss, log_loss

sys.dont_write_bytecode = True
from library import score, scorer  # noqa: E402
from vectors import MULTIPLIER, Count, generator, labels, pairwise_depth, probabilities, size, width  # noqa: E402

COUNT = int(800 * MULTIPLIER)


def log_loss_width(s, n):
    return width(s, n, pairwise_depth(n), per_term=4)


def binary(name, profile, options, arithmetic, dtype):
    """One column, labels 0 and 1."""
    rng, count = generator(name), Count(name)
    ours = scorer(profile, arithmetic=arithmetic)
    for i in range(COUNT):
        n = size(rng, i)
        p, y = probabilities(rng, n, i % 5).astype(dtype), labels(rng, n, 2)
        real = float(log_loss(y, p, labels=[0, 1], **options))
        count.check(score(ours, y, p), real, log_loss_width(real, n), (i, n))
    return count.report(COUNT)


def multiclass(name, profile, options, arithmetic, dtype):
    """A column a class, K = 2 to 1000; rows need not sum to 1."""
    rng, count = generator(name), Count(name)
    for i in range(COUNT):
        k = int(rng.choice([2, 3, 4, 7, 8, 9, 10, 16, 17, 127, 128, 129, 300, 1000])) if i % 4 == 0 else int(
            rng.integers(2, 30))
        n = min(size(rng, i, 8193), max(1, 60_000 // k))
        p = probabilities(rng, (n, k), i % 5)
        if i % 2:
            p = p / np.maximum(p.sum(axis=1, keepdims=True), 1e-300)
        p, y = np.clip(p, 0, 1).astype(dtype), labels(rng, n, k)
        real = float(log_loss(y, p, labels=range(k), **options))
        ours = scorer(profile, arithmetic=arithmetic, classes=k)
        count.check(score(ours, y, p), real, log_loss_width(real, n), (i, n, k))
    return count.report(COUNT)


def brier(name, arithmetic, dtype):
    rng, count = generator(name), Count(name)
    ours = scorer("sklearn/brier", arithmetic=arithmetic)
    for i in range(COUNT):
        n = size(rng, i)
        p, y = probabilities(rng, n, i % 5).astype(dtype), labels(rng, n, 2)
        real = float(brier_score_loss(y, p, pos_label=1))
        count.check(score(ours, y, p), real, width(real, n, pairwise_depth(n), enclosure=real), (i, n))
    return count.report(COUNT)


def accuracy(name):
    """A count and one division: the interval is one number, and its text less than an ulp wide."""
    rng, count = generator(name), Count(name)
    for i in range(COUNT):
        n, k = size(rng, i), int(rng.integers(2, 1001))
        y, guess = labels(rng, n, k), labels(rng, n, k)
        guess = np.where(rng.random(n) < rng.random(), y, guess)
        real = float(accuracy_score(y, guess))
        ours = scorer("sklearn/accuracy", classes=k)
        count.check(score(ours, y, guess.astype(np.float64)), real, np.spacing(real), (i, n, k))
    return count.report(COUNT)


def main():
    print(f"scikit-learn {sklearn.__version__}")
    old, auto = {"eps": 1e-15}, {}
    good = [
        binary("log_loss eps=1e-15", "sklearn-1.1/log_loss", old, "fp64", np.float64),
        binary("log_loss", "sklearn-1.2/log_loss", auto, "fp64", np.float64),
        binary("log_loss float32", "sklearn-1.2/log_loss", auto, "fp32", np.float32),
        multiclass("log_loss K eps=1e-15", "sklearn-1.1/log_loss", old, "fp64", np.float64),
        multiclass("log_loss K", "sklearn-1.2/log_loss", auto, "fp64", np.float64),
        multiclass("log_loss K float32", "sklearn-1.2/log_loss", auto, "fp32", np.float32),
        brier("brier_score_loss", "fp64", np.float64),
        brier("brier_score_loss float32", "fp32", np.float32),
        accuracy("accuracy_score"),
    ]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
