"""Results: small objects with the keys of the command line's JSON as fields."""
from __future__ import annotations

import json
import math
from typing import Any, Dict, List, Optional

import numpy as np

from . import _html
from ._scorer import Scorer

SCHEMA = 2


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


class Result:
    """Fields, :meth:`to_dict`, :meth:`to_json`; three lines as text, a page in a notebook."""

    command: str = ""
    _ends = ("scorer", "warning")  # of the keys that every result could have, those that this one has
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

    def _lines(self) -> List[str]:
        raise NotImplementedError

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        return _html.fields(type(self).__name__, self._lines())


def fields(*pairs: Any) -> List[str]:
    """Name and value, as the command line has them."""
    return [f"{name:<10}{value}" for name, value in pairs]
