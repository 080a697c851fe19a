"""Which callables are recognised: everything that scikit-learn, PyTorch and SciPy hold is taken for what it is, or refused in words."""
import functools
import inspect
import os
import re

import numpy as np
import pytest
import scipy.stats
import sklearn.metrics
import torch

import lossleak as ll
from lossleak._compare import compare
from lossleak._identity import find
from lossleak._known import _is_modelled, describe

SEED = int(os.environ.get("LL_TEST_SEED", "7"))
SEEDS = range(SEED, SEED + (40 if os.environ.get("LL_TEST_LONG", "0") not in ("", "0") else 2))


def everything():
    """All that the packages hold themselves: a list by hand would forget what it does not know."""
    for module in (sklearn.metrics, torch.nn, torch.nn.functional, scipy.stats):
        for name in sorted(dir(module)):
            thing = getattr(module, name)
            if callable(thing) and not name.startswith("_"):
                yield f"{module.__name__}.{name}", thing
    for name in sklearn.metrics.get_scorer_names():
        yield f"the scorer {name}", sklearn.metrics.get_scorer(name)


def scorer_of(metric):
    """A Scorer, or the words of the refusal."""
    try:
        return ll.Scorer(metric)
    except ll.Error as refused:
        if "needs numeric targets" in str(refused):
            return ll.Scorer(metric, targets="0:3:0.5")
        return str(refused)


def test_whatever_the_packages_hold():
    taken, refused = {}, {}
    for name, thing in everything():
        found = scorer_of(thing)
        (refused if isinstance(found, str) else taken)[name] = thing, found
    for name, (_, words) in refused.items():
        assert words.startswith("metric") and len(words.split()) > 8 and words[-1].isalpha() or words.endswith(")"), (name, words)
    for name, (thing, _) in taken.items():
        settings = describe(find(thing, _is_modelled))
        for seed in SEEDS:
            count, different = compare(find(thing, _is_modelled), settings, seed)
            assert count >= 3 and not different, (name, seed, different)
    assert len(taken) > 50, sorted(taken)
    assert {"sklearn.metrics.log_loss", "sklearn.metrics.roc_auc_score", "sklearn.metrics.f1_score", "sklearn.metrics.confusion_matrix",
            "sklearn.metrics.classification_report", "torch.nn.MSELoss", "torch.nn.L1Loss", "the scorer neg_log_loss"} <= set(taken)
    assert {"sklearn.metrics.auc", "sklearn.metrics.median_absolute_error", "torch.nn.NLLLoss", "torch.nn.Linear", "the scorer roc_auc_ovo"} <= set(refused), sorted(refused)


def test_recognised_functions_give_what_is_scored():
    """The same without the package's own comparison: 40 rows, the function called by hand."""
    draw = np.random.default_rng(SEED)
    y, p, compared = draw.integers(0, 2, 40), draw.random(40), 0
    for name in dir(sklearn.metrics):
        function = getattr(sklearn.metrics, name)
        found = scorer_of(function)
        if isinstance(found, str) or found.targets() or "top-k" in str(found) or name in ("ndcg_score", "label_ranking_average_precision_score"):
            continue
        labelled = name not in ("log_loss", "brier_score_loss", "roc_auc_score", "average_precision_score", "hinge_loss")
        given = np.round(p).astype(int) if labelled else p
        scored, real = ll.score(y, given, function), function(y, given)
        if not isinstance(real, (str, np.ndarray)):
            assert float(scored.interval[0]) <= real <= float(scored.interval[1]), name
            compared += 1
    assert compared >= 12


# ---- what only looks like a metric ----

class Masked:
    """A callable with somebody else's name."""
    __name__, __module__ = "log_loss", "sklearn.metrics"

    def __call__(self, y, p):
        return float(np.mean(np.abs(y - p)))


class Derived(functools.partial):
    def __call__(self, *arguments, **keywords):
        return 0.0


class Hinge(torch.nn.MSELoss):
    pass


def hooked():
    loss = torch.nn.MSELoss()
    loss.register_forward_hook(lambda module, given, output: output * 2)
    return loss


def patched():
    loss = torch.nn.BCELoss()
    loss.forward = lambda p, y: torch.mean((p - y) ** 2)
    return loss


def derived_scorer():
    real = type(sklearn.metrics.get_scorer("accuracy"))
    return type("_PredictScorer", (real,), {"__call__": lambda self, *rest: 0.5})(sklearn.metrics.accuracy_score, 1, {})


def asking(function, response):
    """make_scorer as scikit-learn has it since 1.4, and before."""
    if "response_method" in inspect.signature(make_scorer).parameters:
        return make_scorer(function, response_method=response)
    return make_scorer(function, needs_proba=response == "predict_proba", needs_threshold=response == ("decision_function", "predict_proba"))


Y = [0, 1, 1]
log_loss, make_scorer, partial = sklearn.metrics.log_loss, sklearn.metrics.make_scorer, functools.partial
REFUSED = [
    (lambda: functools.wraps(log_loss)(lambda y, p: 0.0), "called log_loss, but it is not sklearn.metrics.log_loss itself"),
    (lambda: functools.wraps(log_loss)(lambda *rest, **more: log_loss(*rest, **more)), "is not sklearn.metrics.log_loss itself"),
    (Masked, "is not sklearn.metrics.log_loss itself"),
    (lambda: Derived(log_loss), "is not a known metric"),
    (lambda: lambda y, p: log_loss(y, p), "is not a known metric"),
    (lambda: partial(log_loss, Y), "y_true of log_loss is given already"),
    (lambda: partial(log_loss, Y, Y), "y_true and y_pred of log_loss are given already"),
    (lambda: partial(log_loss, y_pred=Y), "y_pred of log_loss is given already"),
    (lambda: partial(log_loss, colour=1), "log_loss cannot be called like this"),
    (lambda: partial(log_loss, sample_weight=[1, 2, 3]), "log_loss with sample_weight"),
    (lambda: partial(torch.nn.functional.mse_loss, reduction="sum"), "mse_loss with reduction='sum'"),
    (lambda: partial(sklearn.metrics.get_scorer("accuracy")), "is not a known metric"),
    (lambda: sklearn.metrics.auc, "auc is not what \"auc"),
    (lambda: sklearn.metrics.fbeta_score, "fbeta_score needs beta"),
    (lambda: sklearn.metrics.hinge_loss, "hinge_loss is not what"),
    (lambda: partial(sklearn.metrics.confusion_matrix, normalize="all"), "confusion_matrix with normalize='all'"),
    (lambda: partial(sklearn.metrics.f1_score, pos_label=0), "pos_label=0 is not described"),
    (lambda: make_scorer(log_loss), "hands log_loss what a model's predict gives, but its predictions are of the kind probability"),
    (lambda: make_scorer(sklearn.metrics.brier_score_loss), "of the kind probability"),
    (lambda: make_scorer(sklearn.metrics.roc_auc_score), "of the kind number"),
    (lambda: asking(log_loss, ("decision_function", "predict_proba")), "of the kind probability"),
    (lambda: asking(sklearn.metrics.accuracy_score, "predict_proba"), "of the kind label"),
    (lambda: asking(sklearn.metrics.mean_squared_error, "predict_proba"), "of the kind target"),
    (lambda: asking(functools.wraps(log_loss)(lambda y, p: 0.0), "predict_proba"), "is not sklearn.metrics.log_loss itself"),
    (derived_scorer, "is not a known metric"),
    (lambda: Hinge(), "is not a known metric"),
    (hooked, "MSELoss is not what"),
    (patched, "BCELoss is not what"),
    (lambda: torch.nn.MSELoss(reduction="none"), "MSELoss with reduction='none'"),
    (lambda: scipy.stats.pearsonr, "is not a known metric"),
    (lambda: np.mean, "is not a known metric"),
    (lambda: 5, "is not a known metric"),
]


@pytest.mark.parametrize("place", range(len(REFUSED)))
def test_what_only_looks_like_a_metric(place):
    make, words = REFUSED[place]
    with pytest.raises(ll.Error, match=re.escape(words)):
        ll.Scorer(make(), targets="0:3:0.5")


def test_a_package_that_is_not_what_it_was(monkeypatch):
    """The package holds this very object, and still it computes something else: by then only a comparison tells."""
    real = sklearn.metrics.f1_score

    @functools.wraps(real)
    def f1_score(y_true, y_pred, *, average="binary"):
        return real(y_true, y_pred) ** 2

    monkeypatch.setattr(sklearn.metrics, "f1_score", f1_score)
    with pytest.raises(ll.Error, match=r"f1_score is not what \"sklearn/f1.*for labels \[.*it gives 0\.\d+, and by the description f1 is within"):
        ll.Scorer(f1_score)


def test_newer_functions_are_known_or_refused():
    """Those that some versions have and others do not."""
    roots = {"root_mean_squared_error": "sklearn/rmse", "root_mean_squared_log_error": "sklearn/rmsle"}
    there = [name for name in roots if hasattr(sklearn.metrics, name)]
    assert [scorer_of(getattr(sklearn.metrics, name)).get("scorer") for name in there] == [roots[name] for name in there]
    shares = [name for name in dir(sklearn.metrics) if name.startswith("d2_")]
    assert len(shares) >= 3 and all("not modelled" in scorer_of(getattr(sklearn.metrics, name)) for name in shares)


def test_a_dictionary_of_one_number_is_an_answer():
    y = np.random.default_rng(4).integers(0, 2, 30)
    found = ll.attack(lambda p: {"accuracy": sklearn.metrics.accuracy_score(y, p)}, sklearn.metrics.accuracy_score, rows=30)
    assert found.certain == 30 and np.array_equal(found.labels, y)


# ---- arguments ----

def test_what_versions_change(monkeypatch):
    """From 1.7 on brier_score_loss rounds otherwise than its profile says: labels are certain only with room for that."""
    found = find(sklearn.metrics.brier_score_loss, _is_modelled)
    for version, noise in (("1.6.1", None), ("1.7.0", "bounded:1e-15"), ("1.10.0", "bounded:1e-15")):
        monkeypatch.setattr(sklearn, "__version__", version)
        assert describe(found).get("noise") == noise


def test_arguments_by_place_count():
    """Functions that take them by place: what is given there is given."""
    assert ll.Scorer(partial(torch.nn.functional.mse_loss, reduction="mean"), targets="0:1:1").get("arithmetic") == "fp32"
    assert ll.Scorer(partial(partial(sklearn.metrics.fbeta_score, beta=2), zero_division=1)).get("metric") == "fbeta:2"
    assert ll.Scorer(partial(sklearn.metrics.mean_pinball_loss, alpha=0.25), targets="0:3:1").get("metric") == "quantile:0.25"
    assert ll.Scorer(partial(sklearn.metrics.r2_score, force_finite=False), targets="0:3:1").get("undefined") == "fails"
    assert ll.Scorer(asking(log_loss, "predict_proba")).get("metric") == "log-loss"
    assert ll.Scorer(asking(sklearn.metrics.roc_auc_score, ("decision_function", "predict_proba"))).get("metric") == "auc"
    assert ll.Scorer(make_scorer(sklearn.metrics.fbeta_score, beta=2, greater_is_better=False)).get("transform") == "negate"


def test_reports_have_their_digits():
    report, y = sklearn.metrics.classification_report, np.random.default_rng(3).integers(0, 2, 30)
    assert ll.Scorer(report).get("decimals") == "2" and ll.Scorer(partial(report, digits=4)).get("decimals") == "4"
    assert ll.Scorer(partial(report, output_dict=True)).get("decimals") == "none"
    for metric in (report, partial(report, output_dict=True)):  # the report itself is an answer
        found = ll.attack(lambda p: metric(y, p), metric, rows=30)
        assert found.certain == 30 and np.array_equal(found.labels, y)


@pytest.mark.parametrize("shape", [dict(digits=4), dict(output_dict=True)])
def test_reports_that_are_told_a_class_that_nobody_has(shape):
    """They call the accuracy a micro average, and count the class in their means."""
    y, p = np.array([0, 1, 1, 0]), np.array([0, 1, 0, 0])
    answer = sklearn.metrics.classification_report(y, p, labels=[0, 1, 2], zero_division=0, **shape)
    decimals = str(shape["digits"]) if "digits" in shape else "none"
    found = ll.infer([p.astype(float)], [answer], metric="classification-report", arithmetic="fp64", classes=3, decimals=decimals)
    assert found.certificate.verdict != "none"
    assert all(label in (-1, truth) for label, truth in zip(found.labels, y))
