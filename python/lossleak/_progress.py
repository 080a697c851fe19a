"""A bar by tqdm, where it is there."""
from __future__ import annotations

import sys
import warnings
from types import TracebackType
from typing import Any, Optional, Type


class Bar:
    """``shown`` None: on a terminal, after a second; without tqdm never."""

    def __init__(self, what: str, total: int, shown: Optional[bool]):
        self._bar: Any = None
        if shown is False or (shown is None and not sys.stderr.isatty()):
            return
        try:
            with warnings.catch_warnings():  # a notebook without widgets gets a bar of letters
                warnings.simplefilter("ignore")
                from tqdm.auto import tqdm
        except ImportError:
            return
        self._bar = tqdm(desc=what, total=total, delay=0 if shown else 1, leave=False)

    def advance(self, done: int) -> None:
        if self._bar is not None:
            self._bar.update(done - self._bar.n)

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        if self._bar is not None:
            self._bar.close()
