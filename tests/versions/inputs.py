"""Labels and predictions, random and degenerate, for one kind of scorer each: (settings, labels, predictions, truth).

The settings go with the profile, the labels and predictions to the library, truth and predictions to the real function."""
import sys

import numpy as np

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/real")
from vectors import labels, probabilities  # noqa: E402

GRIDS = [("0:9:1", np.arange(10.0)), ("1:5:0.5", np.arange(1, 5.5, 0.5)), ("10:1000:10", np.arange(10.0, 1001, 10))]
CORNERS = [0.0, -0.0, 1e-30, 1.0, -1.0, 17.0, -17.0, 36.7, -36.8, 88.0, -88.8, 104.0, -104.0, 700.0, -700.0, 1e4, -1e4]


def rows(rng, i):
    return int(rng.integers(1, 10)) if i % 3 == 0 else int(rng.choice([129, 1000, 8193])) if i % 20 == 4 else int(rng.integers(1, 300))


def shares(rng, i, n, k):
    """Labels from even shares to one class alone."""
    if i % 7 == 0:
        return np.full(n, rng.integers(k))
    return rng.choice(k, n, p=rng.dirichlet(np.full(k, rng.choice([0.05, 0.3, 3.0]))))


def probability(dtype):
    def make(rng, i):
        n = rows(rng, i)
        y = labels(rng, n, 2)
        return {}, y, probabilities(rng, n, i % 5).astype(dtype), y
    return make


def no_1e_15(rng, i):
    """LightGBM takes 1e-15 for the 1e-15f just above it (the page says so): no such prediction."""
    settings, y, p, truth = probability(np.float64)(rng, i)
    return settings, y, np.where(np.abs(p / 1e-15 - 1) < 1e-8, 2e-15, p), truth


def rows_of_probabilities(dtype, normalised):
    """A column per class; rows that sum to 1, or not."""
    def make(rng, i):
        n, k = rows(rng, i), int(rng.choice([2, 3, 4, 7, 10, 17, 30]))
        p = probabilities(rng, (n, k), i % 5)
        if normalised or i % 2:
            p = p / np.maximum(p.sum(axis=1, keepdims=True), 1e-300)
        y = labels(rng, n, k)
        return {"classes": k}, y, np.clip(p, 0, 1).astype(dtype), y
    return make


def guesses(most):
    """Predicted classes; classes that nobody has or predicts, perfect ones, one class alone."""
    def make(rng, i):
        n, k = int(rng.choice([1, 2, 3, 7, 30, 200, 3000])), int(rng.integers(2, most + 1))
        y = shares(rng, i, n, k)
        p = np.where(rng.random(n) < rng.choice([0, 0.5, 0.99, 1]), y, shares(rng, i // 7, n, k))
        return {"classes": k}, y, p.astype(float), y
    return make


def numbers(dtype):
    """Numbers to sort by: all different, many ties, signed zeros and sizes, perfect ones."""
    def make(rng, i):
        n = rows(rng, i)
        y = shares(rng, i, n, 2)
        p = (rng.random(n), rng.integers(0, 3, n).astype(float), np.round(rng.normal(size=n) + y, 1), y + 0.0,
             rng.choice([-0.0, 0.0, 1e-30, 1e30, -1e30], n))[i % 5]
        return {}, y, p.astype(dtype), y
    return make


def logits(dtype, columns=False):
    def make(rng, i):
        n, k = rows(rng, i), int(rng.integers(2, 12)) if columns else 2
        shape = (n, k) if columns else n
        x = (rng.normal(size=shape) * 3, rng.choice(CORNERS, shape), np.full(shape, rng.choice(CORNERS)))[i % 3]
        y = labels(rng, n, k)
        return {"classes": k}, y, x.astype(dtype), y
    return make


def class_scores(rng, i):
    """A score per class, ties among them; three classes or more."""
    n, k = min(rows(rng, i), 1000), int(rng.integers(3, 12))
    p = (rng.random((n, k)), rng.integers(0, 3, (n, k)).astype(float), np.full((n, k), 0.5))[i % 3]
    y = labels(rng, n, k)
    return {"classes": k}, y, p, y


def simplex(rng, i):
    """Rows that sum to 1 and mostly every class, for areas of each class against the rest."""
    n, k = int(rng.choice([3, 7, 30, 200])), int(rng.choice([3, 4, 7]))
    y = shares(rng, i, n, k)
    if n >= k and i % 5:
        y[rng.permutation(n)[:k]] = np.arange(k)
    p = (rng.dirichlet(np.ones(k), n), rng.integers(0, 3, (n, k)) + 1.0, np.ones((n, k)))[i % 3]
    return {"classes": k}, y, p / p.sum(axis=1, keepdims=True), y


def targets(dtype, constant):
    """Numeric targets of a grid; predictions near them, on them, of many sizes, all equal. constant: one time in 7 one target alone."""
    def make(rng, i):
        n = rows(rng, i)
        text, grid = GRIDS[i % 3]
        k = shares(rng, i if constant else i % 6 + 1, n, len(grid))
        if not constant and n > 1:
            k[:2] = 0, 1
        p = (rng.normal(np.mean(grid), np.ptp(grid), n), grid[k], np.where(rng.random(n) < 0.5, rng.choice(grid, n), rng.random(n)),
             10.0 ** rng.uniform(-3, 4, n), np.full(n, rng.choice(grid)))[i % 5]
        return {"targets": text}, k, np.abs(p).astype(dtype), grid[k]
    return make
