"""scikit-learn's functions of counts and ranks, and SciPy's ks_2samp, lie inside the intervals of their metrics.

Random labels and predictions, and corners: one class only, empty predictions, classes that nobody has, ties everywhere,
nearly perfect ones; and small worlds as a whole (LL_TEST_MULTIPLIER=8: all of them). Where the real function raises or gives NaN, the library refuses, and the other way round."""
import itertools
import json
import os
import subprocess
import sys
import warnings

import numpy as np
from scipy.stats import ks_2samp
from sklearn import metrics as M

sys.dont_write_bytecode = True
from library import Refused, score, scorer  # noqa: E402
from vectors import MULTIPLIER, SEED, Count, generator  # noqa: E402

STEP = 1 if MULTIPLIER >= 8 else 7
COUNT = int(125 * MULTIPLIER)  # LL_TEST_MULTIPLIER=8: a thousand of each
warnings.filterwarnings("ignore")


def averaged(function, average):
    return lambda y, p, z: function(y, p, average=average, zero_division=z)


def of_one(function):
    return lambda y, p, z: function(y, p, zero_division=z)


def ks(y, p, _):
    if len(set(y)) < 2:
        raise ValueError
    return ks_2samp(p[y == 1], p[y == 0]).statistic


TWO = {
    "f1": of_one(M.f1_score),
    "fbeta:2": lambda y, p, z: M.fbeta_score(y, p, beta=2, zero_division=z),
    "fbeta:0.3": lambda y, p, z: M.fbeta_score(y, p, beta=0.3, zero_division=z),
    "jaccard": of_one(M.jaccard_score),
    "precision": of_one(M.precision_score),
    "recall": of_one(M.recall_score),
    "specificity": lambda y, p, z: M.recall_score(y, p, pos_label=0, zero_division=z),
    "youden": lambda y, p, z: M.balanced_accuracy_score(y, p, adjusted=True),
}
MANY = {
    "balanced-accuracy": lambda y, p, z: M.balanced_accuracy_score(y, p),
    "mcc": lambda y, p, z: M.matthews_corrcoef(y, p),
    "kappa": lambda y, p, z: M.cohen_kappa_score(y, p),
    "linear-kappa": lambda y, p, z: M.cohen_kappa_score(y, p, weights="linear"),
    "quadratic-kappa": lambda y, p, z: M.cohen_kappa_score(y, p, weights="quadratic"),
}
for average in ("macro", "micro", "weighted"):
    MANY[f"{average}-precision"] = averaged(M.precision_score, average)
    MANY[f"{average}-recall"] = averaged(M.recall_score, average)
    MANY[f"{average}-f1"] = averaged(M.f1_score, average)
    MANY[f"{average}-jaccard"] = averaged(M.jaccard_score, average)


def with_labels(function):
    """As a program that tells the classes: one that nobody has counts, too."""
    return lambda y, p, z, k: function(y, p, average="macro", labels=list(range(k)), zero_division=z)


TOLD = {
    "macro-precision-all": with_labels(M.precision_score),
    "macro-recall-all": with_labels(M.recall_score),
    "macro-f1-all": with_labels(M.f1_score),
    "macro-jaccard-all": with_labels(M.jaccard_score),
}
RANKS = {
    "auc": lambda y, p, _: M.roc_auc_score(y, p),
    "gini": lambda y, p, _: 2 * M.roc_auc_score(y, p) - 1,
    "average-precision": lambda y, p, _: M.average_precision_score(y, p),
    "ks": ks,
}
COLUMNS = {  # one a class
    "macro-auc": lambda y, p, _: M.roc_auc_score(y, p, multi_class="ovr", average="macro"),
}
PROFILES = {"f1": "f1", "jaccard": "jaccard", "precision": "precision", "recall": "recall",
            "balanced-accuracy": "balanced_accuracy", "mcc": "mcc", "kappa": "kappa", "auc": "roc_auc",
            "average-precision": "average_precision", "macro-auc": "roc_auc_ovr", "linear-kappa": "linear_kappa", "quadratic-kappa": "quadratic_kappa"}


SEVERAL = {"class-precision", "class-recall", "class-f1", "support", "cell", "confusion-matrix", "classification-report"}  # read in r-several.py


def forgotten():
    """Metrics of counts and ranks that are compared with nothing."""
    told = json.loads(subprocess.run([os.environ["LOSSLEAK"], "losses", "--json"], capture_output=True, check=True).stdout)["losses"]
    known = SEVERAL | {name.split(":")[0] for name in (*TWO, *MANY, *TOLD, *RANKS, *COLUMNS)}
    return [row["name"] for row in told if row["link"] in ("counts", "ranks") and row["name"].split(":")[0] not in known]


def make_labels(rng, i, n, k):
    """Shares from even to one class alone."""
    if i % 7 == 0:
        return np.full(n, rng.integers(k))
    return rng.choice(k, n, p=rng.dirichlet(np.full(k, rng.choice([0.05, 0.3, 3.0]))))


def make_guesses(rng, i, y, k):
    p = make_labels(rng, i // 7, len(y), k)
    return np.where(rng.random(len(y)) < rng.choice([0, 0.5, 0.99, 1]), y, p)


def make_numbers(rng, i, y):
    n = len(y)
    p = (rng.random(n), rng.integers(0, 3, n).astype(float), np.round(rng.normal(size=n) + y, 1), y + 0.0,
         rng.choice([-0.0, 0.0, 1e-45, 1e30, -1e30], n))[i % 5]
    return p.astype(np.float32).astype(float) if i % 3 == 0 else p


def make_columns(rng, i, y, k):
    """Rows that sum to 1, some not quite; ties, constant columns, all but perfect ones."""
    n = len(y)
    p = (rng.dirichlet(np.ones(k), n), rng.integers(0, 3, (n, k)) + 1.0, np.eye(k)[y] + rng.random((n, k)) * rng.choice([0, 0.1, 3]),
         np.ones((n, k)), np.where(rng.random((n, k)) < 0.5, 1.0, 1e-9))[i % 5]
    p = p / p.sum(axis=1, keepdims=True)
    if i % 3 == 0:
        p = np.round(p, int(rng.choice([3, 6, 7])))
    if i % 11 == 0:
        p[rng.integers(n)] *= 1 + rng.choice([-1, 1]) * rng.choice([0.9e-5, 1.1e-5, 1e-3])
    return p.astype(np.float32).astype(float) if i % 4 == 0 else p


def real_value(function, y, p, *told):
    """None where there is none."""
    try:
        value = float(function(y, p, *told))
    except (ValueError, ZeroDivisionError):
        return None
    return value if np.isfinite(value) else None


def make_all_labels(rng, i, n, k):
    """Mostly every class."""
    y = make_labels(rng, i, n, k)
    if n >= k and i % 5:
        y[rng.permutation(n)[:k]] = np.arange(k)
    return y


def ours_of(name, k, z):
    profile = f"sklearn/{PROFILES[name]}" if name in PROFILES else None
    settings = {} if profile else {"metric": name, "arithmetic": "fp64"}
    return scorer(profile, classes=k, zero_division=z, **settings)


def compare_one(count, function, ours, y, p, told, where):
    """1: neither has a number."""
    real = real_value(function, y, p, *told)
    try:
        interval = score(ours, y, p.astype(float))
    except Refused:
        interval = None
    if real is None or interval is None:
        assert real is None and interval is None, (count.name, where, y, p, real, interval)
        return 1
    count.check(interval, real, 4e-12, where)
    return 0


def compare(name, function, make, classes, label=make_labels):
    rng, count = generator(name), Count(name)
    for i in range(4 * COUNT):
        if count.vectors == COUNT:
            break
        n, k, z = int(rng.choice([1, 2, 3, 7, 30, 200] + [3000] * (i % 8 == 0))), classes(rng), int(rng.integers(2))
        y = label(rng, i, n, k)
        p = make(rng, i, y, k)
        compare_one(count, function, ours_of(name, k, z), y, p, (z, k) if name in TOLD else (z,), (i, n, k))
    return count.report(COUNT)


def small_worlds(classes, values):
    """Labels, predictions and zero_division of up to three rows: one class only, constant predictions, classes that labels, predictions
    or both do not show. Every one, or every seventh."""
    worlds = ((y, p, z) for n in (1, 2, 3) for y in itertools.product(range(classes), repeat=n)
              for p in itertools.product(values, repeat=n) for z in (0, 1))
    for y, p, z in itertools.islice(worlds, SEED % STEP, None, STEP):
        yield np.array(y), np.array(p), z


def compare_all(name, function, classes, values):
    count, none = Count(f"{name} of {classes} classes, few rows"), 0
    ours = [ours_of(name, classes, z) for z in (0, 1)]
    for y, p, z in small_worlds(classes, values):
        none += compare_one(count, function, ours[z], y, p, (z, classes) if name in TOLD else (z,), z)
    print(f"{none} have no number on either side")
    return count.report(5)


def compare_reports():
    """All numbers of a report that is told its classes."""
    count, classes = Count("classification-report"), [0, 1, 2]
    ours = [ours_of("classification-report", 3, z) for z in (0, 1)]
    for y, p, z in small_worlds(3, classes):
        r = M.classification_report(y, p, output_dict=True, labels=classes, zero_division=z)
        names = ("precision", "recall", "f1-score")
        real = [r[str(k)][name] for k in classes for name in (*names, "support")]
        real += [r["accuracy"] if "accuracy" in r else r["micro avg"]["precision"]]  # its name where a class is absent
        real += [r[average][name] for average in ("macro avg", "weighted avg") for name in names]
        parts = list(zip(*(text.split() for text in score(ours[z], y, p.astype(float)))))
        assert len(parts) == len(real)
        for i, part in enumerate(parts):
            count.check(part, real[i], 4e-12, (y, p, z, i))
    return count.report(500)


def main():
    good = not forgotten()
    print(f"not compared: {forgotten() or 'none'}")
    for name, function in TWO.items():
        good &= compare(name, function, make_guesses, lambda rng: 2)
    for name, function in MANY.items():
        good &= compare(name, function, make_guesses, lambda rng: int(rng.choice([2, 2, 3, 5, 9])))
    for name, function in TOLD.items():
        good &= compare(name, function, make_guesses, lambda rng: int(rng.choice([2, 3, 5, 9])))
    for name, function in {**TWO, **MANY, **TOLD}.items():
        for k in (2,) if name in TWO else (2, 3):
            good &= compare_all(name, function, k, range(k))
    good &= compare_reports()
    for name, function in RANKS.items():
        good &= compare_all(name, function, 2, (0.25, 0.5, 1.0))
    for name, function in RANKS.items():
        good &= compare(name, function, lambda rng, i, y, k: make_numbers(rng, i, y), lambda rng: 2)
    for name, function in COLUMNS.items():
        good &= compare(name, function, make_columns, lambda rng: int(rng.choice([3, 3, 4, 7, 20])), make_all_labels)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
