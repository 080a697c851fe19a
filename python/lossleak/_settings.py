"""The settings of a scorer as keywords: their types, and signatures that show them."""
from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Sequence, TypedDict, TypeVar, Union

from ._library import lib, rows_of, string

if TYPE_CHECKING:
    from typing_extensions import Unpack as Unpack  # for type checkers; nothing is needed at run time

Count = Union[int, str]  # 20000 or "20k"
Number = Union[float, str]  # 0.4, "40%" or "1e-5"
Numbers = Union[str, Sequence[float]]


class Settings(TypedDict, total=False):
    """Every setting of the command line beside the metric, ``_`` for ``-``; :func:`lossleak.settings_table` says what each means."""

    rows: Count
    classes: Count
    decimals: Count
    queries: Count
    targets: str
    prior: Numbers
    counts: Numbers
    noise: str
    release: str
    public: Number
    also: Any
    arithmetic: str
    per_day: Count
    days: Count
    teams: Count
    accounts: Count
    honest: str
    scorer: Any
    transform: str
    columns: Count
    clip: Number
    clip_mode: str
    clip_targets: bool
    sum: str
    sum_arithmetic: str
    loss_arithmetic: str
    log_ulps: Number
    precision: Count
    digits: Count
    truncate: bool
    seed: Count
    zero_division: Number
    failures: str
    weights: Any
    class_weights: Any
    groups: Any
    undefined: Number
    threshold: Number
    start: Number
    improvements: Count
    scope: str
    own_levels: Count


# What the docstring of a function lists: the settings that most people need.
_FIRST = {
    "rows": "rows of the hidden test set",
    "classes": "classes of the labels; 2 where nothing says more",
    "decimals": "the score is rounded to so many decimals; all digits where it is left out",
    "queries": "submissions that are answered in all: tries a day x days x accounts",
    "targets": "labels are numbers: \"LO:HI:STEP\"",
    "prior": "shares of the classes, where they are known",
    "counts": "rows of every class, where they are public",
    "noise": "",  # the library's first sentence, which lists its laws
    "release": "\"levels:BASE:BEST:COUNT\" shows a score only where it beats the best so far",
    "public": "the score is over a hidden part of the rows: a share or a count",
    "also": "further numbers of each answer",
    "arithmetic": "\"fp64\", \"fp32\", \"exact\", ...",
}

Function = TypeVar("Function", bound=Callable[..., Any])


def _parameters(own: List[inspect.Parameter]) -> List[inspect.Parameter]:
    taken = {parameter.name for parameter in own}
    kinds = {name: getattr(kind, "__forward_arg__", kind) for name, kind in Settings.__annotations__.items()}
    return [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=f"Optional[{kind}]")
            for name, kind in kinds.items() if name not in taken]


@functools.lru_cache(maxsize=None)
def meanings() -> Dict[str, str]:
    """The settings and what they mean, as the library's table says it."""
    return {string(info.name) or "": string(info.meaning) or "" for info in rows_of(lib.ll_setting_count, lib.ll_setting_get_info)}


def _sentence(name: str) -> str:
    text = meanings()[name].split(". ")[0]
    return text[:1].lower() + text[1:]


def explicit(function: Function) -> Function:
    """The function with every setting as a keyword of its signature, for help(), completion and notebooks."""
    signature = inspect.signature(function)
    own = [parameter for parameter in signature.parameters.values() if parameter.kind is not parameter.VAR_KEYWORD]
    function.__signature__ = signature.replace(parameters=own + _parameters(own))  # type: ignore[attr-defined]
    taken = {parameter.name for parameter in own}
    lines = "".join(f"\n    ``{name}``: {text or _sentence(name)}" for name, text in _FIRST.items() if name not in taken)
    listed = f"Settings, all optional unless said otherwise (:func:`settings_table` has the others):\n{lines}\n    "
    function.__doc__ = f"{function.__doc__.rstrip()}\n\n    {listed}" if function.__doc__ else listed
    return function
