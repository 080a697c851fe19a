"""Which settings describe a metric: a name, a function of scikit-learn, a scorer, a module of PyTorch.

The library's own tables of profiles and metrics decide what there is: what they gain is known here at once. The tables below
only say what functions are called there, and what their arguments change.
"""
from __future__ import annotations

import functools
import importlib
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from ._library import Error, ffi, lib, quick, rows_of, string

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
}

# Where functions come from: the package, and what its profiles begin with.
PACKAGES = (("sklearn", "sklearn"), ("torch", "torch"))


def _plain(_value: Any) -> Settings:
    return {}


def _average(name: str) -> Callable[[Any], Settings]:
    return lambda value: {} if value == "binary" else {"scorer": "", "metric": f"{value}-{name}", "arithmetic": "fp64"}


def _only(default: str) -> Callable[[Any], Settings]:
    def check(value: Any) -> Settings:
        if value != default:
            raise Error(f"metric: average={value!r} is not described; describe it by name and settings")
        return {}
    return check


def _classes(value: Any) -> Settings:
    """multi_class of roc_auc_score."""
    if value not in ("raise", "ovr"):
        raise Error(f"metric: multi_class={value!r} is not described, which does not make it safe; 'ovr' is")
    return {} if value == "raise" else {"scorer": "sklearn/roc_auc_ovr"}


# (function, or "" for any; argument): the settings that a value of it stands for. None as a value is always the default.
ARGUMENTS: Dict[Tuple[str, str], Callable[[Any], Settings]] = {
    ("log_loss", "labels"): _plain,
    ("", "zero_division"): lambda value: {} if value == "warn" else {"zero-division": f"{value:g}"},
    ("log_loss", "eps"): lambda eps: {} if eps == "auto" else {"clip": repr(float(eps))},
    ("mean_squared_error", "squared"): lambda squared: {} if squared else {"transform": "root"},
    ("cohen_kappa_score", "weights"): lambda w: {"scorer": "", "metric": f"{w}-kappa", "arithmetic": "fp64"},
    ("fbeta_score", "beta"): lambda beta: {"scorer": "", "metric": f"fbeta:{beta}", "arithmetic": "fp64"},
    ("top_k_accuracy_score", "k"): lambda k: {"scorer": "", "metric": f"top-k:{k}", "arithmetic": "fp64"},
    ("roc_auc_score", "average"): _only("macro"),
    ("roc_auc_score", "multi_class"): _classes,
    ("average_precision_score", "average"): _only("macro"),
    ("fbeta_score", "average"): _only("binary"),
    ("jaccard_score", "average"): _average("jaccard"),
    ("f1_score", "average"): _average("f1"),
    ("precision_score", "average"): _average("precision"),
    ("recall_score", "average"): _average("recall"),
}

# Values that change nothing.
DEFAULTS: Dict[str, Any] = {"normalize": True, "pos_label": 1, "reduction": "mean", "size_average": None, "reduce": None,
                            "label_smoothing": 0.0, "ignore_index": -100, "multi_class": "raise",
                            "adjusted": False}


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


def metric_input(name: str) -> str:
    """"probability", "logit", "label", ...: what the predictions of a metric are."""
    inputs = {(string(info.name) or "").split(":")[0]: string(info.input) or "" for info in
              rows_of(lib.ll_metric_count, lib.ll_metric_get_info)}
    spellings = (spelling for called in _names_of(name.split(":")[0]) for spelling in (called, called.replace("_", "-")))
    return next((inputs[spelling] for spelling in spellings if spelling in inputs), "")


def _takes(metric: str) -> bool:
    out = ffi.new("ll_scorer **")
    quick(lib.ll_scorer_create, out)
    taken = lib.ll_scorer_set(out[0], b"metric", metric.encode(), ffi.NULL) == lib.LL_OK
    lib.ll_scorer_destroy(out[0])
    return taken


def _spelling(name: str) -> Optional[str]:
    """How the library spells a metric: as it is called, with - for _, without the ending that functions have."""
    spellings = (spelling for called in _names_of(name) for spelling in (called, called.replace("_", "-")))
    return next(filter(_takes, spellings), None)


def by_name(name: str) -> Settings:
    """A profile, or a metric; a name that nobody knows is left to the library to refuse. neg_log_loss and its like are the names of
    scorers of scikit-learn."""
    if name in profiles():
        return {"scorer": name}
    if _takes(name) or not name.startswith("neg_") or _spelling(name[4:]) is None:
        return {"metric": _spelling(name) or name}
    return _negated(by_name(name[4:]))


def _version(text: str) -> Tuple[int, ...]:
    return tuple(int(part) for part in text.split(".")[:2] if part.isdigit())


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


def _of_function(package: str, prefix: str, name: str, arguments: Mapping[str, Any]) -> Settings:
    version = _version(getattr(importlib.import_module(package), "__version__", "0"))
    profile = _find_profile(prefix, _names_of(name), version)
    settings: Settings = {"scorer": profile} if profile else {}
    for argument, value in arguments.items():
        if (value is None and argument != "average") or (argument in DEFAULTS and value == DEFAULTS[argument] and (name, argument) not in ARGUMENTS):
            continue
        change = ARGUMENTS.get((name, argument)) or ARGUMENTS.get(("", argument))
        if change is None:
            raise Error(f"metric: {name} with {argument}={value!r} is not described; describe it by name and settings")
        settings.update(change(value))
    settings = {key: text for key, text in settings.items() if text != ""}
    if "scorer" in settings or "metric" in settings:
        return settings
    return {"metric": _spelling(name) or name, "arithmetic": "fp64", **settings}


def _torch_arguments(module: Any) -> Dict[str, Any]:
    return {name: getattr(module, name) for name in ("reduction", "weight", "pos_weight", "label_smoothing", "ignore_index")
            if getattr(module, name, None) is not None}


def of(metric: Any) -> Settings:
    """The settings of whatever a caller calls a metric."""
    if isinstance(metric, str):
        return by_name(metric)
    if isinstance(metric, functools.partial):
        return _with_arguments(metric.func, metric.keywords)
    if hasattr(metric, "_score_func") and hasattr(metric, "_sign"):  # what make_scorer and get_scorer give
        settings = _with_arguments(metric._score_func, getattr(metric, "_kwargs", {}))
        return settings if metric._sign > 0 else _negated(settings)
    return _with_arguments(metric, {})


def _negated(settings: Settings) -> Settings:
    before = settings.get("transform")
    return {**settings, "transform": f"{before},negate" if before else "negate"}


def _with_arguments(metric: Any, arguments: Mapping[str, Any]) -> Settings:
    kind = metric if hasattr(metric, "__name__") else type(metric)
    module, name = getattr(kind, "__module__", "") or "", getattr(kind, "__name__", "")
    for package, prefix in PACKAGES:
        if module.split(".")[0] == package:
            return _of_function(package, prefix, name, {**_torch_arguments(metric), **arguments}
                                if hasattr(metric, "reduction") else arguments)
    raise Error(f"metric: {metric!r} is none that the tables know; say what it computes by a name "
                "(lossleak.profiles(), lossleak.metrics()) and settings, and give the callable as the oracle")
