"""Which function a callable is: by the object itself, never by its name. What wraps a function may compute anything, and its name is copied
by `functools.wraps`; so a function is scikit-learn's only if scikit-learn holds this very object."""
from __future__ import annotations

import functools
import inspect
import sys
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Tuple

from ._library import Error

# Where functions and classes are looked for: the package, which profiles begin with, and the module that holds them.
MODULES = (("sklearn", "sklearn.metrics"), ("torch", "torch.nn.functional"), ("torch", "torch.nn"),
           ("torchmetrics", "torchmetrics.functional.classification"), ("torchmetrics", "torchmetrics.functional.regression"),
           ("torchmetrics", "torchmetrics.classification"), ("torchmetrics", "torchmetrics.regression"))

# What a scorer of scikit-learn calls of a model, by its class; a class of all (since 1.4) keeps it as an attribute.
RESPONSES: Dict[str, Optional[Tuple[str, ...]]] = {
    "_PredictScorer": ("predict",), "_ProbaScorer": ("predict_proba",), "_ThresholdScorer": ("decision_function", "predict_proba"), "_Scorer": None}

Modelled = Callable[[str, str], bool]

ELSE = ("say what it computes by a name (lossleak.profiles(), lossleak.metrics()) and settings, and give the callable as the oracle")


class Found(NamedTuple):
    """A function of a package: its arguments after labels and predictions, their defaults, and what is called, which may be a scorer."""
    package: str
    name: str
    arguments: Dict[str, Any]
    defaults: Dict[str, Any]
    function: Any
    call: Callable[..., Any]
    response: Optional[Tuple[str, ...]] = None
    sign: int = 1


def same(value: Any, default: Any) -> bool:
    """Is an argument its default? Arrays are no defaults."""
    if value is default:
        return True
    return isinstance(value, (str, int, float)) and type(value) is type(default) and value == default


def _holder(thing: Any, is_modelled: Modelled) -> Tuple[str, str]:
    """(package, name) where a module of MODULES holds this very object, and what it computes is modelled."""
    name: Any = getattr(thing, "__name__", None)
    for package, module in MODULES if isinstance(name, str) else ():
        if getattr(sys.modules.get(module), name, None) is not thing:
            continue
        if not is_modelled(package, name):
            raise Error(f"metric: {module}.{name} is not modelled, which does not make it safe; {ELSE}")
        return package, name
    raise _unknown(thing)


def _unknown(metric: Any) -> Error:
    name = getattr(metric, "__name__", None)
    real = next((f"{module}.{name}" for _, module in MODULES if isinstance(name, str) and callable(getattr(sys.modules.get(module), name, None))), None)
    if real is not None:
        return Error(f"metric: {metric!r} is called {name}, but it is not {real} itself, and what it does is not known; {ELSE}")
    return Error(f"metric: {metric!r} is not a known metric; {ELSE}")


def _parameters(function: Any, name: str) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        raise Error(f"metric: the arguments of {name} are not known; {ELSE}") from None


def _bound(function: Any, name: str, values: Tuple[Any, ...], keywords: Mapping[str, Any]) -> "Tuple[Dict[str, Any], Dict[str, Any]]":
    """All arguments after the first two, by name, and their defaults; what is given by place is given by name, too."""
    parameters = _parameters(function, name)
    first = list(parameters)[:2]
    try:
        given = inspect.signature(function).bind_partial(*values, **keywords).arguments
    except TypeError as error:
        raise Error(f"metric: {name} cannot be called like this: {error}") from None
    taken = [argument for argument in first if argument in given]
    if taken:
        raise Error(f"metric: {' and '.join(taken)} of {name} {'is' if len(taken) == 1 else 'are'} given already, so that it is no function of "
                    f"labels and predictions; {ELSE}")
    defaults = {key: parameter.default for key, parameter in list(parameters.items())[2:]
                if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)}
    missing = [key for key, default in defaults.items() if default is inspect.Parameter.empty and key not in given]
    if missing:
        raise Error(f"metric: {name} needs {missing[0]}: give functools.partial({name}, {missing[0]}=...)")
    return {**defaults, **given}, defaults


def _of_function(metric: Any, values: Tuple[Any, ...], keywords: Mapping[str, Any], call: Any, is_modelled: Modelled) -> Found:
    package, name = _holder(metric, is_modelled)
    arguments, defaults = _bound(metric, name, values, keywords)
    return Found(package, name, arguments, defaults, metric, call)


def _made(kind: Any, name: str) -> Any:
    """A module as it is by default."""
    try:
        return kind()
    except (TypeError, ValueError) as error:
        raise Error(f"metric: {name} cannot be made without arguments ({error}): give an object, {name}(...)") from None


def _is_as_made(metric: Any) -> bool:
    """Does an object of torchmetrics run the methods of its class? It holds them wrapped, and copies of it always have those of the class."""
    wrapped = (getattr(vars(metric).get(name), "__wrapped__", None) for name in ("update", "compute"))
    own = all(getattr(method, "__func__", None) is getattr(type(metric), name) for name, method in zip(("update", "compute"), wrapped))
    return own and "forward" not in vars(metric) and not metric._forward_hooks and not metric._forward_pre_hooks


def _on_a_copy(metric: Any) -> Callable[..., Any]:
    """Objects of torchmetrics add what they are called with to what they have seen: a copy that has seen nothing is called instead."""
    if not _is_as_made(metric):
        raise Error(f"metric: the methods of this {type(metric).__name__} are not those of its class, and what they do is not known; {ELSE}")

    def call(predictions: Any, labels: Any) -> Any:
        fresh = metric.clone()
        fresh.reset()
        fresh.update(predictions, labels)
        return fresh.compute()
    return call


def _of_module(metric: Any, is_modelled: Modelled) -> Found:
    """A loss of PyTorch, a metric of torchmetrics, or the class of either for one as it is by default."""
    kind = metric if isinstance(metric, type) else type(metric)
    package, name = _holder(kind, is_modelled)
    parameters = {key: parameter for key, parameter in _parameters(kind, name).items() if key not in ("size_average", "reduce")}
    made = _made(kind, name) if isinstance(metric, type) else metric
    return Found(package, name, {key: getattr(made, key) for key in parameters if hasattr(made, key)},
                 {key: parameter.default for key, parameter in parameters.items()}, kind, _on_a_copy(made) if hasattr(made, "compute") else made)


def scorer_kind(metric: Any) -> Optional[str]:
    """The class of scorer that this is, not one that is derived from it."""
    module = sys.modules.get("sklearn.metrics._scorer")
    return next((name for name in RESPONSES if module is not None and getattr(module, name, None) is type(metric)), None)


def _of_scorer(metric: Any, kind: str, is_modelled: Modelled) -> Found:
    """What make_scorer and get_scorer give."""
    usual: Any = "predict"
    response: Any = RESPONSES[kind] or getattr(metric, "_response_method", usual)
    within = _of_function(metric._score_func, (), metric._kwargs, metric, is_modelled)
    return within._replace(response=(response,) if isinstance(response, str) else tuple(response), sign=metric._sign)


def is_module(metric: Any) -> bool:
    torch = sys.modules.get("torch.nn")
    return torch is not None and (isinstance(metric, torch.Module) or isinstance(metric, type) and issubclass(metric, torch.Module))


def _is_hub_module(metric: Any) -> bool:
    """A module of Hugging Face's evaluate: its code is a script that was loaded from a hub or a file."""
    evaluate = sys.modules.get("evaluate")
    return evaluate is not None and isinstance(metric, getattr(evaluate, "EvaluationModule", ()))


def _of_hub_module(metric: Any) -> Found:
    return Found("evaluate", str(metric.name), {}, {}, metric, lambda labels, predictions: metric.compute(references=labels, predictions=predictions))


def find(metric: Any, is_modelled: Modelled) -> Found:
    """The function that a callable is, with its arguments; an Error in words where it is none that a package holds."""
    if _is_hub_module(metric):
        return _of_hub_module(metric)
    kind = scorer_kind(metric)
    if kind is not None:
        return _of_scorer(metric, kind, is_modelled)
    if type(metric) is functools.partial:
        return _of_function(metric.func, metric.args, metric.keywords, metric, is_modelled)
    return _of_module(metric, is_modelled) if is_module(metric) else _of_function(metric, (), {}, metric, is_modelled)
