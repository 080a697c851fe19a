"""identify and audits of callables that no table knows: what they are, what they are not taken for, and what is read through them."""
import functools
import json
import os
import pathlib
import sys

import numpy as np
import pytest
import sklearn.metrics
import torch
from sklearn.metrics import make_scorer

import lossleak as ll

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "identify"))
import metrics  # noqa: E402

LONG = os.environ.get("LL_TEST_LONG", "0") not in ("", "0")
SHORT = ("log-loss numpy 1e-7", "brier numpy", "accuracy loops", "f1 numpy", "mcc loops", "quadratic kappa numpy", "auc ranks", "rmse", "mae loops", "r2 numpy")


def metric_of(name):
    space = {}
    exec(metrics.METRICS[name].code, space)  # noqa: S102  the tests' own text
    return space["metric"]


@pytest.mark.parametrize("name", list(metrics.METRICS) if LONG else SHORT)
@pytest.mark.parametrize("decimals", [None, 4])
def test_metrics_of_the_table_are_recognised(name, decimals):
    row, function = metrics.METRICS[name], metric_of(name)
    shown = function if decimals is None else lambda y, p: round(float(function(y, p)), decimals)
    found = ll.identify(shown, classes=row.classes if row.classes > 2 else None, targets=row.targets or None)
    score = found.channels[0]
    assert score.fits and score.metric in row.names, (score.metric, score.evidence)
    assert (score.rounding or {}).get("decimals") == decimals and found.scorer is not None
    assert found.runs <= 300 and found.command_line and json.loads(found.to_json())["command"] == "identify"


def test_what_is_recognised_scores_the_same():
    """The description that is given scores other labels as the callable does."""
    def home(y, p):
        return round(float(np.mean(np.abs(np.asarray(y) - np.asarray(p)) ** 2)), 5)
    found = ll.identify(home)
    draw = np.random.default_rng(8)
    for rows in (7, 40):
        y, p = draw.integers(0, 2, rows), draw.random(rows)
        assert float(ll.score(y, p, found.scorer, **({"classes": 2})).score) == home(y, p)


def test_arguments_of_scikit_learn():
    count = functools.partial(sklearn.metrics.accuracy_score, normalize=False)
    audit = ll.audit(count, rows=50, queries=100, defences=False)
    assert audit.leaks is True and audit.recognised and audit.scorer.get("metric") in ("accuracy", "zero-one", "micro-f1")
    draw = np.random.default_rng(3)
    y, p = draw.integers(0, 2, 50), draw.integers(0, 2, 50)
    assert float(ll.score(y, p, audit.scorer).score) == count(y, p)
    scorer = make_scorer(sklearn.metrics.fbeta_score, beta=2)
    assert ll.identify(scorer).channels[0].metric in ("fbeta:2", "fbeta:2.0")


class Streaming:
    def __init__(self):
        self.right, self.rows = 0, 0

    def update(self, preds, target):
        self.right += int((np.asarray(preds) == np.asarray(target)).sum())
        self.rows += len(target)

    def compute(self):
        return self.right / self.rows


class Loaded:
    def compute(self, predictions=None, references=None):
        return {"accuracy": float(np.mean(np.asarray(predictions) == np.asarray(references)))}


@pytest.mark.parametrize("metric", [Streaming(), Loaded(), lambda y, p: float((torch.as_tensor(p) == torch.as_tensor(y)).double().mean())])
def test_objects(metric):
    found = ll.identify(metric)
    assert found.recognised and found.channels[0].metric == "accuracy" and found.input == "class", found


def test_words_are_classes():
    def accuracy(y_true, y_pred):
        assert set(y_true) <= {"cat", "dog", "owl"}
        return sum(a == b for a, b in zip(y_true, y_pred)) / len(y_true)
    found = ll.identify(accuracy, y_like=["dog", "cat", "owl", "cat"])
    assert found.classes == 3 and found.channels[0].metric in ("accuracy", "micro-f1")


def test_prints_are_channels():
    def talks(y, p):
        print("labels:", list(map(int, y)))
        return round(float(np.mean((y - p) ** 2)), 2)
    found = ll.identify(talks)
    assert not found.recognised and found.surprises and any(channel.name.startswith("stdout") and channel.depends_on_labels for channel in found.channels)


def test_failures_of_the_callable_are_said():
    with pytest.raises(ll.Error, match="fails"):
        ll.identify(lambda y, p: 1 / 0)
    with pytest.raises(ll.Error):
        ll.identify(lambda y, p: 0.5)
    with pytest.raises(ll.Error, match="description already"):
        ll.identify("log-loss")
    with pytest.raises(ll.Error, match="no rows"):
        ll.audit(lambda y, p: float(np.mean(y == p)))

    def interrupted(y, p):
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        ll.identify(interrupted)


def test_noise_is_seen():
    draw = np.random.default_rng(5)
    found = ll.identify(lambda y, p: float(np.mean(y == p)) + draw.normal(0, 0.02))
    score = found.channels[0]
    assert score.deterministic is False and 0.01 < score.noise.deviation < 0.03, score
