"""scikit-learn's top_k_accuracy_score, NumPy's stable argsort, ndcg_score, label ranking and hinge_loss lie inside the intervals of their metrics."""
import sys

import numpy as np
import sklearn
from sklearn import metrics

sys.dont_write_bytecode = True
from library import score, scorer  # noqa: E402
from vectors import MULTIPLIER, Count, generator, labels, pairwise_depth, size, width  # noqa: E402

COUNT = int(100 * MULTIPLIER)


def scores(rng, shape, style):
    """Distinct, few values (ties), all equal, signed zeros and sizes."""
    if style == 0:
        return rng.random(shape)
    if style == 1:
        return rng.integers(0, 3, shape).astype(float)
    if style == 2:
        return np.full(shape, 0.5)
    return rng.choice([0.0, -0.0, 1e-300, -1e300, 1e300, 0.1, 0.30000000000000004, 0.3], shape)


def ranks(name, profile, real, per_term, cuts, **settings):
    """real(y, p, cut, classes); K = 3 to 20."""
    rng, count = generator(name), Count(name)
    for i in range(COUNT):
        n, k = min(size(rng, i, 9_000), 2_000), int(rng.integers(3, 21))
        cut = int(rng.integers(1, k))
        y, p = labels(rng, n, k), scores(rng, (n, k), i % 4)
        value = float(real(y, p, cut, k))
        ours = scorer(profile, classes=k, metric=cuts.format(cut=cut), **settings)
        bound = width(value, n, n if settings else pairwise_depth(n), per_term=per_term, enclosure=per_term)
        count.check(score(ours, y, p), value, bound + 1e-300, (i, n, k, cut))
    return count.report(COUNT)


def hinge(name):
    rng, count = generator(name), Count(name)
    for i in range(COUNT):
        n = size(rng, i, 9_000)
        n = max(n, 2)
        y, x = rng.integers(2, size=n), rng.normal(0, 10.0 ** rng.uniform(-3, 6), n)
        y[:2] = 0, 1  # one class alone is -1 there, whichever it is
        x = np.where(rng.random(n) < 0.2, rng.choice([0.0, 1.0, -1.0, 1e308 / n, 2.0 ** -53], n), x)
        value = float(metrics.hinge_loss(y, x, labels=[0, 1]))
        count.check(score(scorer(metric="hinge", arithmetic="fp64", sum="pairwise"), y, x), value,
                    width(value, n, pairwise_depth(n), per_term=2, enclosure=0) + 1e-300, (i, n))
    return count.report(COUNT)


def one_hot(y, k):
    return np.eye(k)[y]


def main():
    print(f"scikit-learn {sklearn.__version__}")
    m = metrics
    good = [
        ranks("top_k_accuracy_score", "sklearn/top_k_accuracy",
              lambda y, p, c, k: m.top_k_accuracy_score(y, p, k=c, labels=range(k)), 4, "top-k:{cut}"),
        ranks("argsort(-scores)", "sklearn/top_k_accuracy",
              lambda y, p, c, k: (np.argsort(-p, axis=1, kind="stable")[:, :c] == y[:, None]).any(axis=1).mean(), 4, "top-k-first:{cut}"),
        ranks("ndcg_score", "sklearn/ndcg", lambda y, p, c, k: m.ndcg_score(one_hot(y, k), p, k=c), 500, "ndcg:{cut}"),
        ranks("ndcg_score of all", "sklearn/ndcg", lambda y, p, c, k: m.ndcg_score(one_hot(y, k), p), 500, "ndcg:1048576"),
        ranks("label ranking", "sklearn/top_k_accuracy",
              lambda y, p, c, k: m.label_ranking_average_precision_score(one_hot(y, k), p), 4, "mrr", sum="naive"),
        hinge("hinge_loss"),
    ]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
