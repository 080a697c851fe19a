"""Results: small objects with the keys of the command line's JSON as fields."""
from __future__ import annotations

import json
import math
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from . import _html
from ._library import Error
from ._scorer import Scorer

SCHEMA = 2
NAME = 10  # letters of the column of names


class Record(dict):
    """An object of JSON whose keys are fields, too.

    >>> import lossleak as ll
    >>> ll.audit("sklearn/brier", rows=20, decimals=2, queries=5, defences=False).bound.label_bits
    20
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self]


def number(x: float) -> Any:
    """Infinite and missing numbers are None: "no limit" and "none"."""
    if not math.isfinite(x):
        return None
    return int(x) if x == math.floor(x) and abs(x) < 9e15 else x


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value.item() if isinstance(value, np.generic) else value


class _Answer:
    """The first sentence of the text, where a result has no answer of its own."""

    def __get__(self, result: Optional["Result"], kind: Any = None) -> Any:
        return self if result is None else result._lines()[0][NAME:]


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return isinstance(one, np.ndarray) and isinstance(other, np.ndarray) and one.dtype == other.dtype and np.array_equal(one, other)
    return bool(one == other)


class Result:
    """``answer``, the first sentence; fields; :meth:`to_dict`, :meth:`to_json`, :meth:`to_frame`; three lines as text, a page in a notebook.
    Results can be copied, pickled and compared; how long something took does not count in a comparison."""

    command: str = ""
    answer: str = _Answer()  # type: ignore[assignment]
    proposals: List[Record] = []
    _frame: str = ""  # the field that is a table
    _ends: Tuple[str, ...] = ("scorer", "warning")  # of the keys that every result could have, those that this one has
    scorer: Scorer
    warning: Optional[str]

    def __init__(self, data: Dict[str, Any], scorer: Scorer, **more: Any):
        ends = {"scorer": scorer.to_dict(), "warning": scorer.warning or None}
        self._data = {"command": self.command, "schema": SCHEMA, **data, **{key: ends[key] for key in self._ends}}
        self.__dict__.update(data)
        self.scorer, self.warning = scorer, scorer.warning or None
        self.__dict__.update(more)

    def to_dict(self) -> Dict[str, Any]:
        """The object that ``lossleak COMMAND --json`` prints, less what only the program can know (names of files)."""
        return _plain(self._data)

    def to_json(self, indent: Optional[int] = 2) -> str:
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)

    def _rows(self, what: str) -> List[Dict[str, Any]]:
        rows = getattr(self, what, None) if what else [{key: part for key, part in self.to_dict().items() if not isinstance(part, (dict, list))}]
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            tables = [name for name, part in self.__dict__.items() if isinstance(part, list) and part and isinstance(part[0], dict)]
            raise Error(f"{what}: no table of this result; there are {', '.join(tables) or 'none'}")
        return rows

    def to_frame(self, what: Optional[str] = None) -> Any:
        """A pandas.DataFrame of one table of the result, by the name of its field; the main one where nothing is said."""
        try:
            import pandas
        except ImportError:
            raise Error("to_frame needs pandas, which is not installed; to_dict() has the same values", "system") from None
        return pandas.DataFrame(self._rows(self._frame if what is None else what))

    def _compared(self) -> Dict[str, Any]:
        return {key: part for key, part in self.__dict__.items() if key not in ("seconds", "_data", "warning")}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result) or type(self) is not type(other):
            return NotImplemented
        one, another = self._compared(), other._compared()
        return one.keys() == another.keys() and all(_same(part, another[key]) for key, part in one.items())

    def __hash__(self) -> int:
        return hash((self.command, self.answer))

    def _lines(self) -> List[str]:
        raise NotImplementedError

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        return _html.fields(type(self).__name__, self.answer, self._lines())


def fields(*pairs: Any) -> List[str]:
    """Name and value, as the command line has them."""
    return [f"{name:<{NAME}}{value}" for name, value in pairs]
