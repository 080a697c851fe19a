"""Any callable that scores, behind one form: labels and predictions in, what it shows out.

A callable is a function of labels and predictions, a scorer of scikit-learn, an object with ``update`` and ``compute``, or one whose
``compute`` takes ``predictions`` and ``references``. What it computes is not asked here.
"""
from __future__ import annotations

import contextlib
import copy
import functools
import inspect
import io
import sys
import warnings
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple

import numpy as np

from ._compare import TENSORS, model, tensor
from ._identity import is_module, scorer_kind
from ._library import Error

# Names of a first parameter that takes predictions; elsewhere labels come first, as in scikit-learn.
PREDICTIONS = {"pred", "preds", "prediction", "predictions", "y_pred", "y_prob", "y_proba", "y_score", "y_hat", "yhat", "input", "inputs", "output",
               "outputs", "logits", "probs", "probas", "probabilities", "scores", "submission"}

class Given(NamedTuple):
    """One run: labels, and a submission, which need not have as many rows. `kind` is what its predictions are: "class", "number" or
    "target" (labels are numbers, too)."""
    labels: np.ndarray
    predictions: np.ndarray
    kind: str
    classes: np.ndarray


Call = Callable[[Given], Any]


class Shown(NamedTuple):
    """What one call shows: texts by the name of their channel, or why it failed."""
    channels: Dict[str, str]
    failure: Optional[str] = None


# ---- what kind of callable it is ----

def _parameters(function: Any) -> List[inspect.Parameter]:
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


def _ordered(function: Any) -> Callable[[Any, Any], Any]:
    """The function with labels first, whichever order its parameters have; by keyword where it takes nothing by position."""
    parameters = [parameter for parameter in _parameters(function) if parameter.kind is not parameter.VAR_KEYWORD][:2]
    names = [parameter.name for parameter in parameters]
    swapped = bool(names) and names[0].lower() in PREDICTIONS
    if len(names) == 2 and all(parameter.kind is parameter.KEYWORD_ONLY for parameter in parameters):
        first, second = reversed(names) if swapped else names
        return lambda labels, predictions: function(**{first: labels, second: predictions})
    return (lambda labels, predictions: function(predictions, labels)) if swapped else function


def _fresh(metric: Any) -> Any:
    """An object that has seen nothing: what it was called with before must not count."""
    made = metric() if isinstance(metric, type) else copy.deepcopy(metric)
    if hasattr(made, "reset"):
        made.reset()
    return made


def _of_updates(metric: Any) -> Callable[[Any, Any], Any]:
    def call(labels: Any, predictions: Any) -> Any:
        fresh = _fresh(metric)
        _ordered(fresh.update)(labels, predictions)
        return fresh.compute()
    return call


def _of_references(metric: Any) -> Callable[[Any, Any], Any]:
    compute = metric if inspect.isroutine(metric) else _fresh(metric).compute if isinstance(metric, type) else metric.compute
    return lambda labels, predictions: compute(predictions=predictions, references=labels)


def _of_scorer(scorer: Any) -> Call:
    """A scorer of scikit-learn, which asks a model for predictions: the model answers with those of the run."""
    def call(given: Given) -> Any:
        kind = {"class": "label"}.get(given.kind, given.kind)
        return scorer(model(kind, given.predictions, given.classes), np.zeros((len(given.labels), 1)), given.labels)
    return call


def _is_scorer(metric: Any) -> bool:
    """Is it called with a model, rows and labels?"""
    return [parameter.name for parameter in _parameters(metric)][:2] == ["estimator", "X"] or scorer_kind(metric) is not None


def _takes_references(metric: Any) -> bool:
    compute = metric if inspect.isroutine(metric) else getattr(metric, "compute", None)
    names = {parameter.name for parameter in _parameters(compute)} if compute else set()
    evaluate = sys.modules.get("evaluate")
    return {"predictions", "references"} <= names or evaluate is not None and isinstance(metric, getattr(evaluate, "EvaluationModule", ()))


def _package(metric: Any) -> str:
    inner = metric.func if isinstance(metric, functools.partial) else metric
    return (getattr(inner, "__module__", None) or type(inner).__module__ or "").split(".")[0]


# ---- what it takes ----

def _as_tensors(call: Callable[[Any, Any], Any]) -> Call:
    def with_tensors(given: Given) -> Any:
        labels = tensor(given.labels, given.kind == "class" or given.predictions.ndim == 2)
        return call(labels, tensor(given.predictions, given.kind == "class"))
    return with_tensors


def _as_arrays(call: Callable[[Any, Any], Any]) -> Call:
    return lambda given: call(given.labels.copy(), given.predictions.copy())


def _as_lists(call: Callable[[Any, Any], Any]) -> Call:
    return lambda given: call(given.labels.tolist(), given.predictions.tolist())


def calls(metric: Any) -> List[Call]:
    """The ways to call it, the likeliest first; which one it takes is tried out."""
    if _is_scorer(metric):
        return [_of_scorer(metric)]
    if _takes_references(metric):
        return [_as_lists(_of_references(metric)), _as_arrays(_of_references(metric))]
    updates = callable(getattr(metric, "update", None)) and callable(getattr(metric, "compute", None))
    if not updates and not callable(metric):
        raise Error(f"metric: {type(metric).__name__} cannot be called, has no update and compute, and no compute of predictions and references")
    call = _of_updates(metric) if updates else _ordered(metric.forward if is_module(metric) and not isinstance(metric, type) else metric)
    if is_module(metric) and not updates:  # hooks belong to what it does, so it is the module that is called
        call = lambda labels, predictions: metric(predictions, labels)  # noqa: E731
    ways = [_as_arrays(call), _as_lists(call)]
    tensors = [_as_tensors(call)] if "torch" in sys.modules else []
    return tensors + ways if is_module(metric) or _package(metric) in TENSORS else ways + tensors


# ---- what it shows ----

def _number(value: Any) -> str:
    """Every digit of a number; what is none is a text as it stands."""
    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    if isinstance(value, np.ndarray) and value.ndim == 0 or isinstance(value, np.generic):
        value = value.item()
    return repr(value) if isinstance(value, (bool, float)) else str(value)


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple, set)) or getattr(value, "ndim", 0) > 0:
        for part in value:
            yield from _flat(part)
    else:
        yield value


def texts(value: Any, name: str = "value") -> Dict[str, str]:
    """Channels of what a callable returns: one per key of a dictionary, one per value of a list of few."""
    if isinstance(value, Mapping):
        made: Dict[str, str] = {}
        for key, part in value.items():
            made.update(texts(part, f"{name}:{key}"))
        return made
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return texts(dict(zip(value._fields, value)), name)
    return {name: " ".join(map(_number, _flat(value)))}


class Scored:
    """A callable as a program that stays up. The first way of calling it that gives an answer is kept."""

    def __init__(self, metric: Any):
        self.ways = calls(metric)
        self.name = getattr(metric, "__name__", None) or type(metric).__name__
        self.kept: Optional[Call] = None

    def _one(self, way: Call, given: Given) -> Shown:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                shown, failure = texts(way(given)), None
            except (Exception, SystemExit) as error:  # a refusal of its own kind
                shown, failure = {}, f"{type(error).__name__}: {error}"
        printed = {name: text for name, text in (("stdout", out.getvalue()), ("stderr", err.getvalue())) if text}
        return Shown({**shown, **printed}, failure)

    def __call__(self, given: Given) -> Shown:
        if self.kept is not None:
            return self._one(self.kept, given)
        first: Optional[Shown] = None
        for way in self.ways:
            shown = self._one(way, given)
            if shown.failure is None:
                self.kept = way
                return shown
            first = first or shown
        assert first is not None
        return first
