"""Which settings describe a metric: a name, a function of scikit-learn, a scorer, a module of PyTorch, a metric of torchmetrics.

The library's own tables of profiles and metrics decide what there is: what they gain is known here at once. The tables below
only say what functions are called there, and what their arguments change. What a callable is, is for `_identity` to say; whether it computes
what these settings describe is tried out by `_compare`.
"""
from __future__ import annotations

import sys
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from ._identity import Found, find, same
from ._library import Error, c_text, ffi, lib, quick, rows_of, string

Settings = Dict[str, str]

# Functions whose name, without _score, _loss or _error, is not that of a profile; by module and name.
CALLED = {
    "brier_score_loss": "brier",
    "balanced_accuracy_score": "balanced_accuracy",
    "matthews_corrcoef": "mcc",
    "cohen_kappa_score": "kappa",
    "zero_one_loss": "zero_one",
    "mean_squared_error": "mse",
    "root_mean_squared_error": "rmse",
    "mean_absolute_error": "mae",
    "mean_absolute_percentage_error": "mape",
    "mean_squared_log_error": "msle",
    "root_mean_squared_log_error": "rmsle",
    "top_k_accuracy_score": "top_k",
    "BCELoss": "bce",
    "BCEWithLogitsLoss": "bce_logits",
    "CrossEntropyLoss": "cross_entropy",
    "MSELoss": "mse",
    "L1Loss": "mae",
    "binary_cross_entropy": "bce",
    "binary_cross_entropy_with_logits": "bce_logits",
    "mse_loss": "mse",
    "l1_loss": "mae",
    "MeanSquaredError": "mse",
    "MeanAbsoluteError": "mae",
    "MeanSquaredLogError": "msle",
    "MulticlassAccuracy": "accuracy",
    "multiclass_accuracy": "accuracy",
    **{f"Binary{name}": called for name, called in (
        ("Accuracy", "accuracy"), ("F1Score", "f1"), ("Precision", "precision"), ("Recall", "recall"), ("Specificity", "specificity"),
        ("JaccardIndex", "jaccard"), ("HammingDistance", "hamming_distance"))},
    **{f"binary_{name}": called for name, called in (
        ("accuracy", "accuracy"), ("f1_score", "f1"), ("precision", "precision"), ("recall", "recall"), ("specificity", "specificity"),
        ("jaccard_index", "jaccard"), ("hamming_distance", "hamming_distance"))},
}

# Which profile a module of Hugging Face's evaluate may be: its name says so, and nothing else does.
HUB = {"accuracy": "sklearn/accuracy", "f1": "sklearn/f1", "precision": "sklearn/precision", "recall": "sklearn/recall",
       "matthews_correlation": "sklearn/mcc", "brier_score": "sklearn/brier", "roc_auc": "sklearn/roc_auc", "mse": "sklearn/mse",
       "mae": "sklearn/mae", "mape": "sklearn/mape", "r_squared": "sklearn/r2", "pearsonr": "scipy/pearsonr", "spearmanr": "scipy/spearmanr"}

# What functions of a package compute in where no profile says it: numbers of NumPy, tensors of PyTorch's own type. A package that is not
# named here has profiles only.
ARITHMETIC: Dict[str, Settings] = {"sklearn": {"arithmetic": "fp64", "sum": "pairwise"}, "torch": {"arithmetic": "fp32", "sum": "cascade"}}


def _plain(_value: Any) -> Settings:
    return {}


def _metric(name: str) -> Settings:
    """A metric in place of the profile that goes with the name of the function."""
    return {"scorer": "", "metric": name, **ARITHMETIC["sklearn"]}


def _average(name: str) -> Callable[[Any], Settings]:
    def settings(value: Any) -> Settings:
        if value not in ("macro", "micro", "weighted"):
            raise Error(f"metric: average={value!r} is not described, which does not make it safe; binary, macro, micro and weighted are")
        return _metric(f"{value}-{name}")
    return settings


def _none(value: Any) -> Settings:
    """pos_label of averages over classes: there is none."""
    if value is not None:
        raise Error(f"metric: pos_label={value!r} is not described; class 1 is the positive one")
    return {}


def _classes(value: Any) -> Settings:
    """multi_class of roc_auc_score."""
    if value != "ovr":
        raise Error(f"metric: multi_class={value!r} is not described, which does not make it safe; 'ovr' is")
    return {"scorer": "sklearn/roc_auc_ovr"}


def _root(squared: Any) -> Settings:
    return {} if squared else {"transform": "root"}


def _micro(value: Any) -> Settings:
    """average of the accuracy of many classes: over all rows alike."""
    if value != "micro":
        raise Error(f"metric: average={value!r} of torchmetrics is not described, which does not make it safe; 'micro' is")
    return {}


def _two(value: Any) -> Settings:
    """task of torchmetrics' functions that are for any."""
    if value != "binary":
        raise Error(f"metric: task={value!r} is not described, which does not make it safe; 'binary' is")
    return {}


Arguments = Dict[Tuple[str, str], Callable[[Any], Settings]]

# (function, or "" for any; argument): the settings that a value other than the function's own default stands for.
SKLEARN: Arguments = {
    ("log_loss", "labels"): _plain,
    ("", "pos_label"): _none,
    ("", "zero_division"): lambda value: {"zero-division": f"{value:g}"},
    ("log_loss", "eps"): lambda eps: {} if eps == "auto" else {"clip": repr(float(eps))},
    ("mean_squared_error", "squared"): _root,
    ("mean_squared_log_error", "squared"): _root,
    ("", "force_finite"): lambda finite: {} if finite else {"undefined": "fails"},
    ("cohen_kappa_score", "weights"): lambda w: _metric(f"{w}-kappa"),
    ("fbeta_score", "beta"): lambda beta: _metric(f"fbeta:{beta}"),
    ("mean_pinball_loss", "alpha"): lambda alpha: _metric(f"quantile:{alpha}"),
    ("top_k_accuracy_score", "k"): lambda k: _metric(f"top-k:{k}"),
    ("roc_auc_score", "multi_class"): _classes,
    ("jaccard_score", "average"): _average("jaccard"),
    ("f1_score", "average"): _average("f1"),
    ("precision_score", "average"): _average("precision"),
    ("recall_score", "average"): _average("recall"),
    ("classification_report", "digits"): lambda digits: {"decimals": str(digits)},
    ("classification_report", "output_dict"): lambda numbers: {"decimals": "none"} if numbers else {},
}

TORCHMETRICS: Arguments = {
    ("", "task"): _two,
    ("", "validate_args"): _plain,
    ("", "num_classes"): _plain,
    ("MulticlassAccuracy", "average"): _micro,
    ("multiclass_accuracy", "average"): _micro,
    ("MeanSquaredError", "squared"): _root,
    ("mean_squared_error", "squared"): _root,
}

ARGUMENTS: Dict[str, Arguments] = {"sklearn": SKLEARN, "torch": {}, "torchmetrics": TORCHMETRICS}

# Arguments that count even where they are the function's own default: the report is a text of so many digits.
ALWAYS = {("classification_report", "digits"), ("mean_pinball_loss", "alpha"),
          ("MulticlassAccuracy", "average"), ("multiclass_accuracy", "average")}


def profiles() -> List[str]:
    """The names of the real scorers that the library describes.

    >>> import lossleak as ll
    >>> "sklearn-1.2/log_loss" in ll.profiles()
    True
    """
    return [string(info.name) or "" for info in rows_of(lib.ll_profile_count, lib.ll_profile_get_info)]


def metrics() -> List[str]:
    """The names of the metrics that the library knows; capitals stand for a parameter.

    >>> import lossleak as ll
    >>> "log-loss" in ll.metrics()
    True
    """
    return [string(info.name) or "" for info in rows_of(lib.ll_metric_count, lib.ll_metric_get_info)]


def metric_info(name: str) -> Any:
    """The library's row of a metric; None where there is none."""
    rows = {(string(info.name) or "").split(":")[0]: info for info in rows_of(lib.ll_metric_count, lib.ll_metric_get_info)}
    spellings = (spelling for called in _names_of(name.split(":")[0]) for spelling in (called, called.replace("_", "-")))
    return next((rows[spelling] for spelling in spellings if spelling in rows), None)


def metric_input(name: str) -> str:
    """"probability", "logit", "label", ...: what the predictions of a metric are."""
    info = metric_info(name)
    return "" if info is None else string(info.input) or ""


def _is_modelled(package: str, name: str) -> bool:
    """Is there a profile or a metric for a function, or an argument that makes one?"""
    return bool(_find_profile(package, _names_of(name), (10**6,)) or package in ARITHMETIC and _spelling(name)
                or any(function == name for function, _ in ARGUMENTS[package]))


def _takes(metric: str) -> bool:
    out = ffi.new("ll_scorer **")
    quick(lib.ll_scorer_create, out)
    taken = lib.ll_scorer_set(out[0], b"metric", c_text(metric, "metric"), ffi.NULL) == lib.LL_OK
    lib.ll_scorer_destroy(out[0])
    return taken


def _spelling(name: str) -> Optional[str]:
    """How the library spells a metric: as it is called, with - for _, without the ending that functions have."""
    spellings = (spelling for called in _names_of(name) for spelling in (called, called.replace("_", "-")))
    return next((spelling for spelling in spellings if _takes(spelling)), None)


def by_name(name: str) -> Settings:
    """A profile, or a metric; a name that nobody knows is left to the library to refuse. neg_log_loss and its like are the names of
    scorers of scikit-learn."""
    if name in profiles() or "/" in name and ":" not in name:  # sklearn/log_loss is the newest of its profiles
        return {"scorer": name}
    if _takes(name) or not name.startswith("neg_") or _spelling(name[4:]) is None:
        return {"metric": _spelling(name) or name}
    return _negated(by_name(name[4:]))


def _version(text: str) -> Tuple[int, ...]:
    return tuple(int(part) for part in text.split(".")[:2] if part.isdigit())


# What a function does from a version on that its profile does not describe. brier_score_loss is half the sum of two
# squares then, one of them of 1 - p, rounded: not 1e-15 from the mean of squares (docs/scorers.md).
LATER: Dict[str, Tuple[Tuple[int, ...], Settings]] = {"brier_score_loss": ((1, 7), {"noise": "bounded:1e-15"})}


def _find_profile(prefix: str, names: List[str], version: Tuple[int, ...]) -> Optional[str]:
    """Of sklearn-1.1/log_loss, sklearn-1.2/log_loss, ... the last that is not newer than the package."""
    best: Optional[Tuple[Tuple[int, ...], str]] = None
    for profile in profiles():
        package, _, what = profile.partition("/")
        begins, _, since = package.partition("-")
        if begins == prefix and what in names and _version(since) <= version:
            best = max(best or ((), ""), (_version(since), profile))
    # Older than all of them: the oldest.
    older = [profile for profile in profiles() if profile.split("/")[0].split("-")[0] == prefix and profile.split("/")[1] in names]
    return best[1] if best else older[0] if older else None


def _names_of(name: str) -> List[str]:
    short = name
    for ending in ("_score", "_loss", "_error"):
        short = short[:-len(ending)] if short.endswith(ending) else short
    return [CALLED.get(name, name), name, short]


def _argument(found: Found, name: str, value: Any) -> Settings:
    key = (found.name, name)
    if key not in ALWAYS and name in found.defaults and same(value, found.defaults[name]):
        return {}
    table = ARGUMENTS[found.package]
    change = table.get(key) or table.get(("", name))
    if change is None:
        raise Error(f"metric: {found.name} with {name}={value!r} is not described; describe it by name and settings")
    return change(value)


def describe(found: Found) -> Settings:
    """The settings of a function, as far as its name and its arguments tell."""
    version = _version(getattr(sys.modules[found.package], "__version__", "0"))
    profile = _find_profile(found.package, _names_of(found.name), version)
    settings: Settings = {"scorer": profile} if profile else {}
    since, change = LATER.get(found.name, ((), {}))
    settings.update(change if version >= since else {})
    for name, value in found.arguments.items():
        settings.update(_argument(found, name, value))
    settings = {key: text for key, text in settings.items() if text != ""}
    if not profile and "scorer" not in settings and "metric" not in settings:
        settings = {"metric": _spelling(found.name) or found.name, **ARITHMETIC[found.package], **settings}
    return settings if found.sign > 0 else _negated(settings)


def of(metric: Any) -> Settings:
    """The settings of whatever a caller calls a metric; a callable is compared with what they say."""
    if isinstance(metric, str):
        return by_name(metric)
    from ._compare import compared, probed  # they score, and so need all that is built on this module
    found = find(metric, _is_modelled)
    if found.package not in ARGUMENTS:
        raise probed(found, HUB.get(found.name))
    return compared(found, describe(found))


def _negated(settings: Settings) -> Settings:
    before = settings.get("transform")
    return {**settings, "transform": f"{before},negate" if before else "negate"}
