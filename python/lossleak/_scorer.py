"""A scorer: settings by the names of the command line, resolved by the library."""
from __future__ import annotations

import difflib
import functools
import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Set, Union

import numpy as np

from . import _known
from ._arrays import as_array
from ._library import Error, c_text, ffi, handle, lib, log, quick, rows_of, string
from ._settings import explicit, meanings

if TYPE_CHECKING:
    from ._settings import Settings, Unpack

Setting = Union[str, int, float, bool, Sequence[float], Sequence[str], None]

# How a setting's value stands in JSON; texts unless said otherwise. As the command line's.
_KEYS = {"scorer": "profile", "metric": "loss"}
_COUNTS = {"rows", "classes", "precision", "decimals", "digits", "queries", "improvements", "own-levels", "accounts", "per-day", "days", "teams"}
_ABSENT = {"clip": "none", "sum-arithmetic": "same", "loss-arithmetic": "same", "decimals": "none", "digits": "none"}


def settings_table() -> Dict[str, str]:
    """The settings of a scorer and what they mean; in Python, ``-`` is ``_``.

    >>> import lossleak as ll
    >>> ll.settings_table()["rows"]
    'Rows (default: as many as there are labels)'
    """
    return dict(meanings())


def _number(value: Any, name: str) -> str:
    if isinstance(value, (float, np.floating)):
        if not np.isfinite(value):
            raise Error(f"{name} {value}: not a finite number")
        number = float(value)
        return repr(number) if number != int(number) or abs(number) > 2**53 else str(int(number))
    return str(value)


def _text(value: Any, name: str) -> str:
    """A setting as the library reads it: flags, numbers, several of them, or the text itself."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (str, int, float, np.integer, np.floating, os.PathLike)):
        return _number(value, name)
    array = as_array(value, name)
    if array.ndim == 1 and array.size and array.dtype.kind in "iufO":
        return ",".join(_number(part, name) for part in array.tolist())
    if array.ndim == 0 and array.dtype.kind in "iuf":
        return _number(array.item(), name)
    raise Error(f"{name}: {type(value).__name__} is no setting; accepted: a number, a text, or a list of them")


def _items(value: Any, _name: str) -> str:
    """Further numbers: names with their options, functions of a package, or several of them."""
    items = value if isinstance(value, (list, tuple)) else [value]
    return ";".join(item if isinstance(item, str) else _item(_known.of(item)) for item in items)


def _groups(value: Any, name: str) -> str:
    """The group of every row: a text NAME*COUNT,... or the names, row by row."""
    if isinstance(value, str):
        return value
    names = [str(part) for part in as_array(value, name).ravel().tolist()]
    wrong = next((part for part in names if "," in part or "*" in part or part != part.strip() or not part), None)
    if wrong is not None:
        raise Error(f"{name} {wrong!r}: a name that is empty, begins or ends with a blank, or has a comma or an asterisk")
    return ",".join(names)


def _count_groups(text: str) -> int:
    return len({item.split("*")[0] for item in text.split(",")})


def _count_rows(text: str) -> str:
    """How many rows a list of groups is of; empty where the library will refuse the list."""
    counts = [(item.split("*") + ["1"])[1] for item in text.split(",")]
    return str(sum(map(int, counts))) if all(count.isdecimal() for count in counts) else ""


def _item(settings: Mapping[str, str]) -> str:
    options = {name: text for name, text in settings.items() if name not in ("scorer", "metric")}
    name = settings.get("scorer") or settings["metric"]
    return name + (":" + ",".join(f"{option}={text}" for option, text in options.items()) if options else "")


@functools.lru_cache(maxsize=None)
def _flags() -> Set[str]:
    return {string(info.name) or "" for info in rows_of(lib.ll_setting_count, lib.ll_setting_get_info) if not string(info.values)}


def _typed(name: str, text: Optional[str]) -> Any:
    if name in _flags():
        return text == "yes"
    if text is None or text == _ABSENT.get(name):
        return None
    if name in _COUNTS:
        return int(text)
    if name == "prior":
        return [float(share) for share in text.split(",")]
    if name == "also":
        return text.split(";")
    if name == "seed":
        return int(text) if int(text) <= 2**53 else text
    return float(text) if name == "log-ulps" else text


class Targets(Sequence[str]):
    """The numbers of a grid as text, each made where it is asked for: there may be 10^8 of them."""

    def __init__(self, grid: Optional[str]):
        self._made = handle("ll_scorer", lib.ll_scorer_destroy, lib.ll_scorer_create)
        if grid is not None:
            quick(lib.ll_scorer_set, self._made, b"targets", c_text(grid, "targets"))
        self._count = lib.ll_scorer_count_targets(self._made) if grid is not None else 0

    def __len__(self) -> int:
        return int(self._count)

    def __getitem__(self, label: Any) -> Any:
        if isinstance(label, slice):
            return [self[place] for place in range(*label.indices(len(self)))]
        if not -len(self) <= label < len(self):
            raise IndexError(label)
        text = ffi.new("char[]", 512)
        quick(lib.ll_scorer_write_target, self._made, text, 512, int(label) % len(self))
        return string(text) or ""

    def __reduce__(self) -> Any:
        return Targets, (string(lib.ll_scorer_get(self._made, b"targets")) if self._count else None,)


class Scorer:
    """What is released, and how it is computed: a metric in some arithmetic, its release, and the rows behind it.

    ``metric`` is the name of a profile (``"sklearn-1.2/log_loss"``) or of a metric (``"log-loss"``), a metric function or
    scorer of scikit-learn, a loss of PyTorch, or another Scorer. The keywords are the settings of the command line, ``_`` for
    ``-``; :func:`settings_table` lists them. Every function of the package takes the same, so that a Scorer is only needed to
    use one description twice.

    >>> import lossleak as ll
    >>> ll.Scorer("sklearn-1.2/log_loss", rows=100, decimals=5)
    Scorer(sklearn-1.2/log_loss: log-loss, clip-renormalise auto, fp64, pairwise sum, rounded to 5 decimals)
    """

    @explicit
    def __init__(self, metric: Any = None, **settings: Unpack[Settings]):
        known = meanings()
        given: Dict[str, Any] = dict(settings)
        self._texts: Dict[str, str] = {"seed": "1"}
        self._missing: Dict[str, str] = {}
        if isinstance(metric, Scorer):
            self._texts.update(metric._texts)
        elif isinstance(metric, Mapping):
            given = {**metric, **given}
        elif metric is not None:
            self._texts.update(_known.of(metric))
        for name, value in given.items():
            name = "metric" if name == "loss" else name.replace("_", "-")
            if name not in known:
                near = difflib.get_close_matches(name, known, 1, 0.75)
                there = f"did you mean {near[0]}?" if near else "there are " + ", ".join(known)
                bound = "; functools.partial binds an argument of the function itself" if callable(metric) and not near else ""
                raise Error(f"{name}: no such setting; {there}{bound}".replace("-", "_"))
            if value is None:
                continue
            listed = {"also": _items, "groups": _groups}.get(name, _text)
            self._texts.update(_known.of(value) if name == "metric" else {name: listed(value, name.replace('-', '_'))})
        rows = _count_rows(self._texts["groups"]) if "groups" in self._texts else ""
        if rows:
            self._texts.setdefault("rows", rows)
        self.warning = ""
        self.handle = self.resolve()

    def resolve(self, rows: int = 0, classes: int = 0, **more: str) -> Any:
        """The library's handle; rows and classes count where they are not set, and so does `more`."""
        made = handle("ll_scorer", lib.ll_scorer_destroy, lib.ll_scorer_create)
        numbers = self.targets()
        classes = len(numbers) if numbers else classes
        missing = {"rows": str(rows) if rows else "", "classes": str(classes) if classes else "", **more}
        for name, text in self._texts.items():
            quick(lib.ll_scorer_set, made, name.encode(), c_text(text, name))
        self._missing = {name: text for name, text in missing.items() if text}
        for name, text in self._missing.items():
            if text and name not in self._texts:
                quick(lib.ll_scorer_set, made, name.encode(), c_text(text, name))
        warning = ffi.new("ll_error *")
        quick(lib.ll_scorer_resolve, made, warning)
        if string(warning.text) and not self.warning:
            self.warning = string(warning.text) or ""
            log.warning("%s", self.warning)
        return made

    def targets(self) -> "Targets":
        """The numbers that labels are, as text; none where labels are classes."""
        return Targets(self._texts.get("targets"))

    def vary(self, **changes: Optional[str]) -> "Scorer":
        """The same with some settings replaced; None takes one back."""
        made = Scorer(None)
        changed: Dict[str, Optional[str]] = {name.replace("_", "-"): text for name, text in changes.items()}
        kept: Dict[str, Optional[str]] = dict(self._texts)
        kept.update(changed)
        made._texts = {name: text for name, text in kept.items() if text is not None}
        made.handle = made.resolve()
        return made

    def has(self, name: str) -> bool:
        return name in self._texts

    def get(self, name: str) -> Optional[str]:
        """The value that counts: set, the profile's, or the default."""
        return string(lib.ll_scorer_get(self.handle, name.replace("_", "-").encode()))

    def number(self, place: int) -> str:
        """The metric of one number of an answer."""
        return string(lib.ll_scorer_get(lib.ll_scorer_get_number(self.handle, place), b"metric")) or ""

    def count(self, name: str) -> int:
        return int(lib.ll_scorer_get_count(self.handle, name.encode()))

    def with_size(self, rows: int = 0, classes: int = 0, **more: str) -> "Scorer":
        """The same, resolved for so many rows and classes where it does not say itself."""
        made = Scorer.__new__(Scorer)
        made._texts, made.warning = dict(self._texts), self.warning
        made.handle = made.resolve(rows, classes, **more)
        return made

    def __getstate__(self) -> Dict[str, Any]:
        """Settings as texts: a copy, in another process too, resolves them again."""
        return {"texts": self._texts, "missing": self._missing, "warning": self.warning}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self._texts, self.warning = dict(state["texts"]), state["warning"]
        self.handle = self.resolve(**state["missing"])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scorer) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.get("metric"), self.get("rows"), self.get("decimals")))

    def to_dict(self) -> Dict[str, Any]:
        """The settings in force, as they stand in the JSON of every result."""
        return {_KEYS.get(name, name.replace("-", "_")): _typed(name, self.get(name)) for name in meanings()}

    def __str__(self) -> str:
        return _words(self)

    def __repr__(self) -> str:
        return f"Scorer({self})"


def _unless(scorer: Scorer, name: str, word: str) -> Optional[str]:
    text = scorer.get(name)
    return None if text == word else text


def _computation(s: Scorer) -> list:
    parts = [s.get("metric"), _unless(s, "transform", "identity")]
    if _unless(s, "clip-mode", "none"):
        parts.append(f"{s.get('clip-mode')} {s.get('clip')}")
    parts.append(s.get("arithmetic"))
    if s.get("arithmetic") == "exact":
        return parts
    loss, total = _unless(s, "loss-arithmetic", "same"), _unless(s, "sum-arithmetic", "same")
    parts.append(f"loss in {loss}" if loss and loss != "rows" else None)
    parts.append(f"{s.get('sum')} sum" + (f" in {total}" if total and total != s.get("arithmetic") else ""))
    return parts


def _release(s: Scorer) -> list:
    how = "cut" if s.get("truncate") == "yes" else "rounded"
    parts = [f"{how} to {_unless(s, unit, 'none')} {unit}" for unit in ("decimals", "digits") if _unless(s, unit, "none")]
    noise, queries = _unless(s, "noise", "none"), s.count("queries")
    return [*parts, f"noise {noise}" if noise else None, _unless(s, "release", "plain"),
            f"also {s.get('also')}" if s.get("also") else None,
            f"of all rows and of each of {_count_groups(s.get('groups') or '')} groups" if s.get("groups") else None,
            f"at most {queries} submission{'' if queries == 1 else 's'}" if queries else None]


def _words(s: Scorer) -> str:
    profile = s.get("scorer")
    return (f"{profile}: " if profile else "") + ", ".join(part for part in _computation(s) + _release(s) if part)
