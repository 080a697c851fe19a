"""A callable beside its description: on random labels and predictions, degenerate ones among them, it must give a number of the interval where
the description says that it lies. What it computes is thereby tried out, not proved; what contradicts is refused, and the Error says where."""
from __future__ import annotations

import sys
import warnings
from fractions import Fraction
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

import numpy as np

from ._identity import ELSE, Found
from ._library import Error, string
from ._reports import numbers_of
from ._score import Curator, Score
from ._scorer import Scorer

TARGETS = "0:3:0.5"
TENSORS = ("torch", "torchmetrics")  # packages that are called with predictions and labels, as tensors

# What a model must be asked for, by what the predictions of the metric are.
ASKED = {"label": {"predict"}, "probability": {"predict_proba"}, "logit": {"decision_function"}, "target": {"predict"},
         "number": {"decision_function", "predict_proba"}}

# How a scorer is made that asks for it.
MADE = {"probability": "make_scorer({}, response_method='predict_proba'), before scikit-learn 1.4 needs_proba=True",
        "number": "make_scorer({}, response_method=('decision_function', 'predict_proba')), before scikit-learn 1.4 needs_threshold=True",
        "logit": "make_scorer({}, response_method='decision_function')"}

_compared: Dict[Any, str] = {}


class World(NamedTuple):
    labels: np.ndarray
    predictions: np.ndarray
    classes: int


# ---- worlds ----

def _labels(draw: Any, rows: int, classes: int) -> Iterator[np.ndarray]:
    """Any, and all of one class."""
    yield np.append(np.arange(classes), draw.integers(0, classes, rows - classes))
    yield draw.integers(0, classes, rows)
    yield np.full(rows, draw.integers(0, classes))


def _columns(draw: Any, kind: str, rows: int, classes: int, one: bool) -> Iterator[np.ndarray]:
    """Predictions for so many classes, in one column or one per class: any, with ties and at the ends of their range, and all alike."""
    if kind == "label":
        yield draw.integers(0, classes, rows)
        yield np.append(np.arange(classes), draw.integers(0, classes, rows - classes))
        yield np.full(rows, draw.integers(0, classes))
        return
    shape = (rows,) if one else (rows, classes)
    if kind == "logit":
        yield 3 * draw.standard_normal(shape)
        yield np.round(4 * draw.standard_normal(shape)) * 8
    elif one:
        yield draw.random(rows)
        yield draw.choice([0, 1, 0.5, 1e-3, 1 - 1e-9] if kind == "probability" else [-2, 0, 0.5, 3], rows)
        yield np.full(rows, 0.5)
    else:
        yield draw.dirichlet(np.ones(classes), rows)
        yield np.eye(classes)[draw.integers(0, classes, rows)] * 0.5 + 0.5 / classes


def _targets(draw: Any, rows: int) -> Iterator[World]:
    grid = np.arange(0, 3.5, 0.5)
    any_, alike = draw.choice(grid, rows), np.full(rows, draw.choice(grid))
    for truth in (any_, draw.choice(grid[1:], rows), alike):
        for predictions in (3 * draw.random(rows), draw.choice(grid, rows), truth.copy(), np.full(rows, 1.25)):
            yield World(truth, predictions, len(grid))


def worlds(form: "Form", seed: int = 1) -> Iterator[World]:
    draw = np.random.default_rng(seed)
    if form.kind == "target":
        yield from _targets(draw, 9)
    for classes in form.classes:
        for labels in _labels(draw, 11, classes):
            for predictions in _columns(draw, form.kind, 11, classes, classes == 2 and not form.every):
                yield World(labels, predictions, classes)


# ---- the callable ----

def model(kind: str, given: np.ndarray, classes: np.ndarray) -> Any:
    """What a scorer asks for predictions: one that answers with those that are given, as a model of scikit-learn does."""
    base: Any = sys.modules["sklearn.base"]
    number_ = kind == "target"

    class Model(base.RegressorMixin if number_ else base.ClassifierMixin, base.BaseEstimator):  # type: ignore[misc]
        classes_ = classes

        def predict(self, _rows: Any) -> np.ndarray:
            return given if kind in ("label", "target") else (given > 0.5).astype(int) if given.ndim == 1 else given.argmax(axis=1)

        def predict_proba(self, _rows: Any) -> np.ndarray:
            return given if given.ndim == 2 else np.stack([1 - given, given], axis=1)

        def decision_function(self, _rows: Any) -> np.ndarray:
            return given

        def __sklearn_is_fitted__(self) -> bool:
            return True

    if number_:
        del Model.predict_proba, Model.decision_function, Model.classes_
    return Model()


def tensor(values: np.ndarray, are_classes: bool) -> Any:
    """Classes are integers, all else is float32."""
    torch = sys.modules["torch"]
    return torch.as_tensor(values, dtype=torch.int64 if are_classes else torch.float32)


def _tensors(kind: str, world: World) -> Tuple[Any, Any]:
    """Predictions and labels; labels beside one column of numbers are float32, too."""
    return tensor(world.predictions, kind == "label"), tensor(world.labels, kind == "label" or world.predictions.ndim == 2)


def _call(found: Found, kind: str, world: World, one_hot: bool) -> Any:
    labels = np.eye(world.classes, dtype=int)[world.labels] if one_hot else world.labels
    if found.response is not None:
        return found.call(model(kind, world.predictions, np.arange(world.classes)), np.zeros((len(world.labels), 1)), labels)
    if found.package in TENSORS:
        return found.call(*_tensors(kind, world))
    return found.call(labels, world.predictions)


def answer(found: Found, kind: str, world: World, one_hot: bool) -> Tuple[Optional[List[Fraction]], str]:
    """The numbers that a callable gives; None where it gives none, and why."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            given = numbers_of(_call(found, kind, world, one_hot))
        flat = np.ravel(given.detach().numpy() if hasattr(given, "detach") else np.asarray(given, dtype=object))
        return [Fraction(x.item() if isinstance(x, np.generic) else x) for x in flat], ""
    except Exception as error:  # a refusal of its own kind; nan and infinity are no fractions
        return None, f"{type(error).__name__}: {error}".split("\n", 1)[0]


# ---- the description ----

class Form(NamedTuple):
    """What predictions are, for how many classes, whether each has a column, and settings that the description cannot do without."""
    kind: str
    classes: Tuple[int, ...] = ()
    every: bool = False
    more: Dict[str, str] = {}


def form_of(settings: Dict[str, str]) -> Form:
    from . import _known
    try:
        scorer = Scorer(dict(settings))
    except Error as error:
        if "targets" not in str(error):
            raise
        return Form("target", more={"targets": TARGETS})
    info = _known.metric_info(scorer.get("metric") or "")
    classes = {"2": (2,), "3 or more": (3,)}.get(string(info.classes) or "", (2, 3))
    return Form(string(info.input) or "", classes, scorer.get("columns") == "all")


def described(settings: Dict[str, str], form: Form, world: World) -> Tuple[bool, Optional[Score]]:
    """Is the description meant for such worlds, and the score of this one; None where it has none."""
    try:
        curator = Curator(world.labels, {**settings, **form.more}, **({} if form.more else {"classes": world.classes}))  # type: ignore[arg-type]
    except Error:
        return False, None
    try:
        return True, curator.release(world.predictions)
    except Error:
        return True, None


def _difference(given: List[Fraction], score: Optional[Score]) -> str:
    """How numbers differ from those described; "" where they do not."""
    if score is None:
        return "and by the description there is no number"
    outside = [number for number, x in zip(score.numbers, given) if not Fraction(number.lower) <= x <= Fraction(number.upper)]
    return f"and by the description {outside[0].metric} is within [{outside[0].lower}, {outside[0].upper}]" if outside else ""


def _shown(values: np.ndarray) -> str:
    return np.array2string(np.asarray(values), separator=", ", threshold=40).replace("\n", "")


def _compare(found: Found, settings: Dict[str, str], form: Form, one_hot: bool, seed: int) -> Tuple[int, str]:
    """In how many worlds numbers were compared, and what differs, or why there were none. A callable that fails, or leaves out classes that do
    not occur, contradicts nothing."""
    count, why = 0, ""
    for world in worlds(form, seed):
        given, failed = answer(found, form.kind, world, one_hot)
        meant, score = described(settings, form, world)
        if given is None or not meant or score is not None and len(given) != len(score.numbers):
            why = why or failed or f"{len(given or [])} numbers, not {len(score.numbers) if score else 1}"
            continue
        count += 1
        different = _difference(given, score)
        if different:
            return count, (f"{found.name} is not what \"{Scorer({**settings, **form.more})}\" describes: for labels {_shown(world.labels)} and "
                           f"predictions {_shown(world.predictions)} it gives {', '.join(str(float(x)) for x in given[:4])}, {different}")
    return count, "" if count else f"{found.name} gives no number for random labels and predictions ({why})"


def compare(found: Found, settings: Dict[str, str], seed: int = 1) -> Tuple[int, str]:
    """In how many worlds numbers were compared, and "" or what differs. Metrics of ranking take one column of labels per class."""
    form = form_of(settings)
    as_given = _compare(found, settings, form, False, seed)
    per_class = as_given if as_given[0] or form.kind == "target" else _compare(found, settings, form, True, seed)
    return per_class if per_class[0] else as_given


# ---- both ----

def _check_response(found: Found, settings: Dict[str, str]) -> str:
    kind = form_of(settings).kind
    if found.response is None or set(found.response) <= ASKED[kind]:
        return ""
    return (f"this scorer hands {found.name} what a model's {' or '.join(found.response)} gives, but its predictions are of the kind {kind}: "
            f"{MADE.get(kind, 'make_scorer({})').format(found.name)}")


def probed(found: Found, profile: Optional[str]) -> Error:
    """Why a module of Hugging Face's evaluate is not taken for a metric, and which profile describes what it gives."""
    about = f"metric: the code of the evaluate module {found.name} comes from a hub or a file, and what it does is not known"
    count, different = compare(found, {"scorer": profile}) if profile else (0, "")
    if count and not different:
        return Error(f"{about}; on {count} random labellings it gives what \"{profile}\" describes: where you know that it is that, say "
                     f"metric=\"{profile}\", and give the module's compute as the oracle")
    return Error(f"{about}{'; ' if different else ''}{different}; {ELSE}")


def compared(found: Found, settings: Dict[str, str]) -> Dict[str, str]:
    """The settings, if the callable gives what they describe; an Error that says what differs if not. A module of PyTorch may change, and is
    compared whenever it is given."""
    key = (found.function, found.response, found.sign, repr(found.arguments))
    if key not in _compared or found.package in TENSORS:
        _compared[key] = _check_response(found, settings) or compare(found, settings)[1]
    if _compared[key]:
        raise Error(f"metric: {_compared[key]}; {ELSE}")
    return settings
