"""scikit-learn's r2_score and explained_variance_score, SciPy's pearsonr and spearmanr lie inside the intervals of their
profiles: numbers of a grid, any predictions, ties, nearly constant ones. So do r2_score and explained_variance_score of targets
that are all the same, in every small world too; where the real function gives NaN or fails, the library refuses."""
import itertools
import sys
import warnings

import numpy as np
import scipy.stats
from sklearn import metrics

sys.dont_write_bytecode = True
from library import Refused, score, scorer  # noqa: E402
from vectors import MULTIPLIER, Count, generator, size  # noqa: E402

COUNT = int(500 * MULTIPLIER)
warnings.filterwarnings("ignore")
GRIDS = [("0:9:1", np.arange(10.0)), ("0:1:1", np.array([0.0, 1.0])), ("1:5:0.5", 1 + np.arange(9) / 2),
         ("0:0.9:0.1", np.array([float(f"0.{k}") for k in range(10)])), ("10:1000:10", 10.0 * np.arange(1, 101)),
         ("-3:3:1.5", np.array([-3, -1.5, 0, 1.5, 3])), ("100000:100004:1", 1e5 + np.arange(5.0))]
KINDS = {
    "r2": ("sklearn/r2", metrics.r2_score, False),
    "explained-variance": ("sklearn/explained_variance", metrics.explained_variance_score, False),
    "pearson": ("scipy/pearsonr", lambda y, p: scipy.stats.pearsonr(p, y)[0], True),
    "spearman": ("scipy/spearmanr", lambda y, p: scipy.stats.spearmanr(p, y)[0], True),
}


def predictions(rng, n, style, y, targets):
    """Near the targets, on them, many ties, spread over many sizes, nearly perfect, all the same, far away."""
    return (lambda: rng.normal(targets.mean(), np.ptp(targets), n), lambda: rng.choice(targets, n),
            lambda: rng.integers(0, 3, n).astype(float), lambda: 10.0 ** rng.uniform(-6, 6, n) * rng.choice([-1, 1], n),
            lambda: y + rng.choice([0, 1e-9, 0.1], n), lambda: np.full(n, rng.choice([0.0, 0.1, 7.0])), lambda: -y * 3,
            lambda: 1e7 + rng.random(n), lambda: np.where(rng.random(n) < 0.9, 0.0, -0.0) + (np.arange(n) == 0))[style]()


def scale(name, y, p):
    """How much larger than the number its parts are: what rounding errors grow with."""
    y_scale = np.abs(y).mean() / y.std()
    if name in ("pearson", "spearman"):
        return 12 if name == "spearman" else 1 + y_scale + np.abs(p).mean() / p.std()
    return (1 + ((y - p) ** 2).mean() / y.var()) * (1 + y_scale) * (1 + np.abs(y - p).max() / y.std() * 0.01)


def real_value(real, y, p):
    """None: there is no number."""
    try:
        value = float(real(y, p))
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def compare(name, profile, real, needs_spread):
    rng, count, none = generator(name), Count(name), 0
    for i in range(3 * COUNT):
        if count.vectors == COUNT:
            break
        text, targets = GRIDS[i % len(GRIDS)]
        n = max(1, size(rng, i, 9000))
        k = np.full(n, rng.integers(len(targets))) if i % 11 == 0 else rng.integers(0, len(targets), n)
        y = targets[k]
        p = predictions(rng, n, i % 9, y, targets)
        ours = scorer(profile, targets=text)
        flat = len(set(k)) == 1 or (needs_spread and len(set(p + 0.0)) == 1)
        value = real_value(real, y, p)
        try:
            interval = score(ours, k, p)
        except Refused as why:
            assert value is None, (name, i, n, text, why)
            none += 1
            continue
        assert value is not None, (name, i)
        count.check(interval, value, 1e300 if flat else 2e-16 * (10 * n + 200) * scale(name, y, p), (i, n, text))
    assert none > 10 or not needs_spread
    return count.report(COUNT)


def degenerate(name, profile, real, _needs_spread):
    """Every labelling of up to three rows of a few grids, and predictions that are right, all the same, or neither."""
    count, tight = Count(name + " degenerate"), 0
    for text, targets in GRIDS[1:2] + GRIDS[3:4] + GRIDS[5:]:
        few, ours = targets[:3], scorer(profile, targets=text)
        for n in range(1, 4):
            guesses = [few[0], few[-1], 0.1, 1e-170]
            for k in itertools.product(range(len(few)), repeat=n):
                for p in itertools.product(guesses, repeat=n):
                    value = real_value(real, few[list(k)], np.array(p))
                    try:
                        interval = score(ours, np.array(k), np.array(p))
                    except Refused:
                        assert value is None, (name, text, k, p, value)
                        continue
                    assert value is not None, (name, text, k, p)
                    count.check(interval, value, 1e300, (text, k, p))
                    tight += len(set(k)) == 1 and interval[1] == interval[2]
    assert tight > 200 or name in ("pearson", "spearman"), tight
    return count.report(1000)


def clipped():
    rng, count = generator("clip-targets"), Count("r2 clipped")
    for i in range(50):
        text, targets = GRIDS[i % 4]
        k = np.concatenate([[0, 1], rng.integers(0, len(targets), 40)])
        p = rng.normal(0, 30, 42)
        real = metrics.r2_score(targets[k], np.clip(p, targets[0], targets[-1]))
        count.check(score(scorer("sklearn/r2", targets=text, clip_targets="yes"), k, p), real, 1e-11, (i, text))
    return count.report(50)


def main():
    good = [compare(name, *kind) for name, kind in KINDS.items()] + [degenerate(name, *kind) for name, kind in KINDS.items()] + [clipped()]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
