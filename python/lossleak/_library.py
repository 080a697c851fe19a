"""The C library: errors as exceptions, strings, and calls that Ctrl-C ends."""
from __future__ import annotations

import logging
import operator
import os
import queue
import threading
from typing import Any, Callable, Iterator, List, Optional

from ._lossleak import ffi, lib

log = logging.getLogger("lossleak")

_STATUS = {lib.LL_DOMAIN: "domain", lib.LL_UNABLE: "unable", lib.LL_MEMORY: "memory", lib.LL_SYSTEM: "system"}


class Error(ValueError):
    """What the library refuses, in its own words.

    ``status`` is ``"domain"`` (there is no such value, or the input is bad), ``"unable"`` (not within precision or budget),
    ``"memory"`` or ``"system"``.

    >>> import lossleak as ll
    >>> ll.audit(metric="log-loss", rows=10, decimals="many")
    Traceback (most recent call last):
    ...
    lossleak.Error: decimals many: not a whole number; accepted: a whole number from 0 to 1000000
    """

    def __init__(self, text: str, status: str = "domain"):
        super().__init__(text)
        self.status = status


Error.__module__ = "lossleak"


def string(text: Any) -> Optional[str]:
    return None if text == ffi.NULL else ffi.string(text).decode("utf-8", "replace")


def c_text(text: Any, name: str) -> bytes:
    """A text for the library. There it would end at its first NUL, so that what follows would not count: such texts are refused."""
    if not isinstance(text, str):
        raise Error(f"{name}: {type(text).__name__} is no text")
    if "\0" in text:
        raise Error(f"{name} {text!r}: a NUL character, which no text may have")
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise Error(f"{name} {text!r}: half a character, which no text may have") from None


def amount(given: Any, name: str) -> float:
    """A number of at least 0; None is 0, which means the default."""
    try:
        number = float(given or 0)
    except (TypeError, ValueError):
        raise Error(f"{name} {given!r}: not a number") from None
    if not 0 <= number < float("inf"):
        raise Error(f"{name} {given!r}: out of range; accepted: a number of at least 0")
    return number


def whole(given: Any, name: str) -> int:
    try:
        return operator.index(given)
    except TypeError:
        raise Error(f"{name} {given!r}: not a whole number") from None


def listed(values: Any, name: str) -> List[Any]:
    """What is given one by one."""
    if isinstance(values, (dict, set, frozenset)) or not hasattr(values, "__iter__") or getattr(values, "ndim", 1) == 0:
        raise Error(f"{name}: {type(values).__name__} is no list")
    return list(values)


def rows_of(count: Callable[[], int], get: Callable[[int], Any]) -> Iterator[Any]:
    """A table of the library."""
    return (get(index) for index in range(count()))


def check(status: int, error: Any) -> None:
    if status != lib.LL_OK:
        raise Error(string(error.text) or "out of memory", _STATUS.get(status, "domain"))


def quick(function: Callable[..., int], *arguments: Any) -> None:
    """A call that ends at once; its error comes last."""
    error = ffi.new("ll_error *")
    check(function(*arguments, error), error)


class Stop:
    """A flag that long calls look at."""

    def __init__(self) -> None:
        self.flag = ffi.new("int *")

    def set(self) -> None:
        self.flag[0] = 1


class _Worker:
    """A thread that does one job after another. There is one, not one a call: FLINT keeps memory for every thread that it saw."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self._jobs: "queue.SimpleQueue[Callable[[], None]]" = queue.SimpleQueue()
        threading.Thread(target=self._work, name="lossleak", daemon=True).start()

    def _work(self) -> None:
        while True:
            self._jobs.get()()

    def do(self, job: Callable[[], int]) -> "queue.SimpleQueue[int]":
        """Where the answer will be."""
        answers: "queue.SimpleQueue[int]" = queue.SimpleQueue()
        self._jobs.put(lambda: answers.put(job()))
        return answers


_worker: Optional[_Worker] = None


def run(function: Callable[..., int], *arguments: Any, stop: Stop, keep: Any = None) -> None:
    """A call that may last. The GIL is free meanwhile. In the main thread, the only one that gets signals, another thread does the
    work, so that Ctrl-C is heard: then the flag is set, and where the call does not look at it, it ends by itself later;
    whatever it uses stays alive as long, so `arguments` and `keep` must hold all of it."""
    global _worker
    error = ffi.new("ll_error *")

    def work(_kept: Any = keep) -> int:
        return function(*arguments, error)

    if threading.current_thread() is not threading.main_thread():
        check(work(), error)
        return
    worker, _worker = _worker, None  # nobody else's while it works, and not used again where it was left at work
    if worker is None or worker.process != os.getpid():
        worker = _Worker()
    answers = worker.do(work)
    try:
        status = answers.get()
    except BaseException:
        stop.set()
        raise
    _worker = worker
    check(status, error)


def budget(stop: Stop, max_memory: Optional[float], max_seconds: Optional[float], threads: Optional[int],
           progress: Any = ffi.NULL) -> Any:
    made = ffi.new("ll_budget *")
    lib.lossleak_budget(made, amount(max_memory, "max_memory"), amount(max_seconds, "max_seconds"), int(amount(threads, "threads")), stop.flag,
                        progress)
    return made


def value(kind: str, clear: Optional[Callable[[Any], None]] = None) -> Any:
    """A struct of the library, initialised; cleared when nobody uses it any more."""
    made = ffi.new(f"{kind} *")
    lib.ll_value_init(made, ffi.sizeof(kind))
    return ffi.gc(made, clear) if clear else made


def owned(pointer: Any, destroy: Callable[[Any], None], *needs: Any) -> Any:
    """A handle that is destroyed when nobody uses it any more, and before what it needs."""
    return ffi.gc(pointer, lambda dying, _needs=needs: destroy(dying))


def handle(kind: str, destroy: Callable[[Any], None], create: Callable[..., int], *arguments: Any) -> Any:
    """A new handle; it needs what it was made of."""
    out = ffi.new(f"{kind} **")
    quick(create, out, *arguments)
    return owned(out[0], destroy, *arguments)
