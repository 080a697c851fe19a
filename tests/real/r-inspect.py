"""Honest submissions, of trained models on scikit-learn's data sets, pass `inspect`; crafted ones are found, and so are crafted ones whose
log-odds were jittered by as much as `decode` bears.

LL_TEST_LONG=1: 200 models as they are and 200 treated as people treat them, every kind of plan at every jitter; else 32 and five kinds."""
import collections
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from sklearn import datasets
from sklearn.calibration import CalibratedClassifierCV
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (AdaBoostClassifier, BaggingClassifier, ExtraTreesClassifier, GradientBoostingClassifier,
                              HistGradientBoostingClassifier, RandomForestClassifier)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

program = os.environ["LOSSLEAK"]
warnings.filterwarnings("ignore")  # of models that did not converge
is_long = os.environ.get("LL_TEST_LONG", "0") not in ("", "0")
random = np.random.default_rng(20220328)


def inspect(path, options):
    run = subprocess.run([program, "inspect", str(path), *options, "--json"], capture_output=True, text=True, timeout=120)
    assert run.returncode in (0, 1), run.stderr
    answer = json.loads(run.stdout)
    assert (run.returncode == 1) == (answer["finding"] == "coded")
    return answer


# ---- honest ----

models = [
    lambda s: LogisticRegression(C=10.0 ** (s % 5 - 2), max_iter=300),
    lambda s: RandomForestClassifier(n_estimators=10 + 15 * (s % 3), random_state=s),
    lambda s: KNeighborsClassifier(n_neighbors=2 + s % 6),
    lambda s: GaussianNB(),
    lambda s: DecisionTreeClassifier(max_depth=1 + s % 6, random_state=s),
    lambda s: GradientBoostingClassifier(n_estimators=12, random_state=s),
    lambda s: AdaBoostClassifier(n_estimators=10, random_state=s),
    lambda s: SVC(probability=True, random_state=s),
    lambda s: CalibratedClassifierCV(RandomForestClassifier(n_estimators=20, random_state=s), method="isotonic", cv=2),
    lambda s: LogisticRegression(C=1e-6, max_iter=300),
    lambda s: MLPClassifier((20,), max_iter=60, random_state=s),
    lambda s: LinearDiscriminantAnalysis(),
    lambda s: BaggingClassifier(n_estimators=5, random_state=s),
    lambda s: ExtraTreesClassifier(n_estimators=20, random_state=s),
    lambda s: BernoulliNB(binarize=5.0),
    lambda s: HistGradientBoostingClassifier(max_iter=8, random_state=s),
]
sets = [datasets.load_breast_cancer, datasets.load_iris, datasets.load_wine, datasets.load_digits]
scorers = [["--scorer", "sklearn-1.2/log_loss"], ["--scorer", "kaggle/log_loss"],
           ["--scorer", "sklearn-1.5/log_loss", "--decimals", "4"], ["--scorer", "sklearn/brier"]]


def jitter(logs, size):
    """Noise of this standard deviation on the log-odds."""
    return logs + size * random.standard_normal(logs.shape) / np.sqrt(2)


def normalise(logs):
    p = np.exp(logs - logs.max(1, keepdims=True))
    return p / p.sum(1, keepdims=True)


def blur(p, i):
    with np.errstate(divide="ignore"):
        return normalise(jitter(np.log(p), 10.0 ** -(2 + i % 8)))


def hard(p):
    return np.clip(np.eye(p.shape[1])[p.argmax(1)], 0.02, 0.98)


# What people do to predictions before they send them.
treatments = [
    lambda p, i: np.round(p, 2 + i % 5),
    lambda p, i: np.clip(p, 0.01, 0.99),
    lambda p, i: np.clip(p, 1e-6, 1 - 1e-6),
    lambda p, i: p.astype(np.float32).astype(float),
    blur,
    lambda p, i: blur(np.clip(np.round(p, 2), 0.01, 0.99), i),
    lambda p, i: hard(p),
    lambda p, i: blur(hard(p), i),
]


def predict(i):
    x, y = sets[i % len(sets)](return_X_y=True)
    x, y = x[:800], y[:800]
    if i % len(sets) == 3 and i // 64 % 2:
        y = y % 2
    model = models[i // len(sets) % len(models)](i)
    train_x, test_x, train_y, _ = train_test_split(x, y, test_size=0.5, random_state=i, stratify=y)
    return type(model).__name__, model.fit(train_x, train_y).predict_proba(test_x)


def honest(folder, wanted):
    passed = 0
    tries = [(i, treated) for i in range(wanted) for treated in (False, True)]
    for i, treated in tries:
        name, p = predict(i)
        if treated:
            p = np.clip(treatments[i % len(treatments)](p, i), 0, None)
            p /= p.sum(1, keepdims=True)
        classes = p.shape[1]
        np.save(folder / "honest.npy", p[:, 1] if classes == 2 else p)
        answer = inspect(folder / "honest.npy", scorers[i // 3 % (4 if classes == 2 else 3)] + ["--classes", str(classes)])
        passed += answer["finding"] != "coded"
        if answer["finding"] == "coded":
            print(f"honest, but called coded: {i}, {name}, {'treated' if treated else 'as it is'}: {answer['why']}")
    print(f"honest: {passed} of {len(tries)} pass, {wanted} of them as the models gave them")
    return passed == len(tries)


# ---- coded ----

def kinds():
    """Code, rows, classes, options."""
    log_loss = ["--scorer", "sklearn-1.1/log_loss", "--decimals"]
    codes = ["powers", "radix", "icml21", "paper-multiclass", "sum-distinct", "detecting", "detecting:odd"]
    if not is_long:
        return [(code, 100, 2, log_loss + ["5"]) for code in ("powers", "sum-distinct", "detecting")] + [
            ("detecting", 100, 2, ["--scorer", "sklearn/brier", "--decimals", "5"]),
            ("prime-rows", 12, 2, ["--loss", "log-loss", "--clip", "none", "--noise", "bounded:1e-6"])]
    averages = log_loss + ["2", "--guarantee", "likely", "--queries"]
    return ([(code, rows, 2, log_loss + [d]) for rows in (100, 2201) for code in codes for d in "358"]
            + [(code, 200, 2, ["--scorer", "sklearn/brier", "--decimals", "5"]) for code in codes if code in codes[:2] + codes[4:6]]
            + [(code, 200, 3, log_loss + ["5"]) for code in ("radix", "paper-multiclass", "sum-distinct", "detecting")]
            + [("hadamard", 100, 2, averages + ["800"]), ("hadamard", 200, 3, averages + ["1600"])]
            + [(code, 12, 2, ["--loss", "log-loss", "--clip", "none", "--noise", "bounded:1e-6"]) for code in ("primes", "prime-rows", "powers")]
            + [("grades", 100, 5, ["--scorer", "sklearn/mse", "--targets", "0:4:1", "--decimals", "5"])])


def craft(folder, code, rows, classes, options):
    size = ["--rows", str(rows)] + ([] if "--targets" in options else ["--classes", str(classes)])
    subprocess.run([program, "craft", *size, *options, "--code", code, "--out", str(folder)], check=True, capture_output=True,
                   timeout=300)
    return [read(path) for path in sorted(folder.glob("query-*.csv"))]


def read(path):
    """Numbers may be hexadecimal."""
    rows = [line.split(",")[1:] for line in path.read_text().split()[1:]]
    return np.array([[float.fromhex(x) if "x" in x else float(x) for x in row] for row in rows])


def disturb(q, size, options):
    """The file with jitter: on the log-odds, or on numbers as they are. None where a double does not hold it."""
    if "--targets" in options:
        return q + size * random.standard_normal(q.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(q) if q.shape[1] > 1 else np.column_stack([np.log1p(-q[:, 0]), np.log(q[:, 0])])
    return normalise(jitter(logs, size)) if np.all(np.isfinite(logs)) else None


def score(p, labels, options):
    if "--targets" in options:
        return np.mean((p[:, 0] - labels) ** 2)
    if "sklearn/brier" in options:
        return np.mean((p[:, 1] - labels) ** 2)
    p = np.clip(p, 1e-15, 1 - 1e-15)
    return np.mean(-np.log(p[np.arange(len(labels)), labels] / p.sum(1)))


def is_decoded(folder, queries, labels, options, size):
    """Does `decode` still give every label, certain or not, from files jittered so?"""
    places = int(options[options.index("--decimals") + 1]) if "--decimals" in options else 15
    jittered = [disturb(q, size, options) for q in queries]
    if any(p is None for p in jittered):
        return False
    scores = "".join(f"{score(p, labels, options):.{places}f}\n" for p in jittered)
    out = folder / "labels.csv"
    out.unlink(missing_ok=True)
    run = subprocess.run([program, "decode", str(folder), "--scores", "-", "--out", str(out)], input=scores, capture_output=True,
                         text=True, timeout=300)
    return (run.returncode in (0, 4) and out.exists()
            and [line.split(",")[1] for line in out.read_text().split()[1:]] == [str(y) for y in labels])


def asked(q):
    """Rows that are asked about: not neutral."""
    p = q if q.shape[1] > 1 else np.column_stack([1 - q[:, 0], q[:, 0]])
    return int(np.sum(np.ptp(p, axis=1) > 1e-9))


def look(folder, q, size, kind):
    """1: found. The first query of grades is a constant, and said to be one."""
    code, _, classes, options = kind
    p = disturb(q, size, options) if size else q
    options = [x for x in options if x not in ("--guarantee", "likely")] + ([] if "--targets" in options else ["--classes", str(classes)])
    np.save(folder / "jittered.npy", p[:, 1] if q.shape[1] == 1 and p.shape[1] == 2 else p[:, 0] if p.shape[1] == 1 else p)
    answer = inspect(folder / "jittered.npy", options)
    if answer["finding"] == "none":
        print(f"coded, but not found: {code}, {len(q)} rows, {classes} classes, {options}, {asked(q)} rows asked, jitter {size:.2g}")
    return answer["finding"] != "none"


CONSTANT = "jittered constants"


def coded(folder):
    """Every kind at every jitter from 1e-9 to the largest up to which decoding gave every label, three times of three. A constant is no code:
    jittered it bears no mark, and is counted apart."""
    made, found = collections.Counter(), collections.Counter()
    steps = [10 ** (-k / 2) for k in range(18, -1, -1)]
    for number, kind in enumerate(kinds()):
        code, rows, classes, options = kind
        out = folder / f"{number}"
        queries = craft(out, code, rows, classes, options)
        labels = random.integers(classes, size=rows)
        bears = lambda size: all(is_decoded(out, queries, labels, options, size) for _ in range(3 if is_long else 1))
        sizes = list(itertools.takewhile(bears, steps))[::-1]
        most = max(sizes, default=0)
        for size in [0] + (sizes if is_long else sizes[:1] + sizes[3::4]):
            for k in random.permutation(len(queries))[:6 if is_long else 2]:
                if size == 0 and disturb(queries[k], 0, options) is None:
                    continue  # no double holds it: t-inspect looks at such
                sort = (CONSTANT if size > 0 and np.ptp(queries[k], axis=0).max() == 0 else
                        "remainders of 4 rows or fewer" if asked(queries[k]) < 5 else
                        "at a tenth of what decoding bears or less" if size <= most / 9.9 else "nearer to it")
                made[sort] += 1
                found[sort] += look(folder, queries[k], size, kind)
        print(f"{code}, {rows} rows, {classes} classes, {' '.join(options)}: decoded at jitters up to {most:.2g}", flush=True)
    for sort in made:
        print(f"coded, {sort}: {found[sort]} of {made[sort]} found")
    return all(found[sort] == made[sort] > 0 for sort in made if sort != CONSTANT) and len(made) > 1


with tempfile.TemporaryDirectory() as name:
    ok = [honest(pathlib.Path(name), 200 if is_long else 16), coded(pathlib.Path(name))]
sys.exit(not all(ok))
