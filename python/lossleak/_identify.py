"""What does a callable release that scores predictions? It is run on labels that are made up, by the library, and what it answers is compared."""
from __future__ import annotations

from typing import Any, Dict, List, Optional, Union

import numpy as np

from . import _known
from ._callable import Given, Scored
from ._library import Error, Stop, amount, budget, c_text, check, ffi, lib, log, string, value, whole
from ._result import SCHEMA, Record, Result, fields, number
from ._scorer import Scorer, Setting

_TRUTHS: Dict[int, Union[bool, str]] = {lib.LL_TRUE: True, lib.LL_FALSE: False, lib.LL_UNKNOWN: "unknown"}


class Identification(Result):
    """What :func:`identify` found. ``recognised``: every number that depends on labels is what ``scorer`` describes, as far as it was compared, and
    nothing else depends on them. ``channels``: what the callable shows, the score first; ``surprises``: what should be read first;
    ``scorer``: the description, None where there is none."""

    command = "identify"
    _frame = "channels"
    recognised: bool
    channels: List[Record]
    forms: List[Record]
    surprises: List[Record]
    failures: Record
    time: Record
    identified: Dict[str, str]
    command_line: str
    summary: str
    input: str
    rows: int
    classes: Optional[int]
    runs: int
    seconds: float

    def __init__(self, data: Dict[str, Any], scorer: Optional[Scorer]):
        self._data = {"command": self.command, "schema": SCHEMA, **data, "scorer": None if scorer is None else scorer.to_dict()}
        self.__dict__.update(data)
        self.scorer, self.warning = scorer, None if scorer is None else scorer.warning or None  # type: ignore[assignment]
        self.answer = self.surprises[0].text if self.surprises else self.summary

    def _lines(self) -> List[str]:
        surprises = [("surprise", surprise.text) for surprise in self.surprises]
        found = [(channel.name, channel.evidence) for channel in self.channels if channel.depends_on_labels is not False]
        return fields(*surprises, ("program", self.summary), *found, ("scorer", self.scorer or "not recognised"),
                      ("runs", f"{self.runs} on {self.rows} made-up labels"))


# ---- labels ----

def _is_number(names: np.ndarray) -> bool:
    return names.dtype.kind in "iuf"


def _grid(names: np.ndarray) -> str:
    """The grid of numbers that examples of labels lie on."""
    step = float(np.diff(names).min())
    if not step > 0 or (names[-1] - names[0]) / step > 1000:
        raise Error("y_like: numbers without a grid; give targets=\"LO:HI:STEP\"")
    return f"{float(names[0]):.12g}:{float(names[-1]):.12g}:{step:.12g}"


class Labels:
    """What labels are: classes 0, 1, ... or those of an example, or numbers of a grid."""

    def __init__(self, classes: Optional[int], targets: Optional[str], y_like: Any):
        self.names: Optional[np.ndarray] = None
        self.classes, self.targets = whole(classes or 0, "classes"), targets
        if y_like is None:
            return
        names = np.unique(np.asarray(y_like))
        if names.size < 2:
            raise Error("y_like: at least two different labels are needed")
        if targets is None and _is_number(names) and (names.dtype.kind == "f" and (names % 1).any() or names.size > 20):
            self.targets = _grid(names)
        elif targets is None:
            self.names, self.classes = names, names.size

    def of(self, values: np.ndarray, are_classes: bool) -> np.ndarray:
        """As the callable gets them."""
        if not are_classes:
            return values
        places = values.astype(np.int64)
        return places if self.names is None else self.names[np.clip(places, 0, len(self.names) - 1)]

    def all(self, count: int) -> np.ndarray:
        return np.arange(count) if self.names is None else self.names


# ---- runs ----

def _copied(pointer: Any, count: int, kind: str = "double") -> np.ndarray:
    return np.frombuffer(ffi.buffer(ffi.cast(f"{kind} *", pointer), count * ffi.sizeof(kind)), dtype=np.dtype("f8" if kind == "double" else "i8")).copy() \
        if count else np.empty(0)


def _with_words(predictions: np.ndarray, run: Any) -> np.ndarray:
    """Rows that say something else than numbers do so in an array of objects."""
    words = [string(run.words[row]) for row in range(run.sent)] if run.words != ffi.NULL else []
    if not any(word is not None for word in words):
        return predictions
    mixed = predictions.astype(object)
    for row, word in enumerate(words):
        if word is not None:
            mixed[row] = word or None
    return mixed


def given(run: Any, labels: Labels, hidden: Optional[np.ndarray] = None) -> Given:
    """A run of the library as arrays. `hidden`: the labels where the run has none of its own."""
    truth = hidden if run.labels == ffi.NULL else _copied(run.labels, run.rows)
    assert truth is not None
    entries = _copied(run.entries, run.sent * run.columns)
    kind = "target" if run.classes == 0 else "class" if run.is_class else "number"
    predictions = entries.reshape(run.sent, run.columns) if run.columns > 1 else entries
    if run.is_class and not np.isnan(entries).any():
        predictions = labels.of(entries, True)
    return Given(labels.of(truth, run.classes > 0), _with_words(predictions, run), kind, labels.all(run.classes))


class _Program:
    """A callable behind the C interface of programs. It runs in the thread that called; Ctrl-C comes by way of it."""

    def __init__(self, scored: Scored, labels: Labels):
        self.scored, self.labels = scored, labels
        self.failure: Optional[BaseException] = None
        self.hidden: Optional[np.ndarray] = None  # labels where a run has none
        self.self = ffi.new_handle(self)
        self.handle = ffi.new("ll_program *", {"self": self.self, "run": lib.lossleak_run})

    def answer(self, reply: Any, run: Any, error: Any) -> None:
        shown = self.scored(given(run, self.labels, self.hidden))
        for channel, text in shown.channels.items():
            check(lib.ll_reply_add(reply, _safe(channel), _safe(text), error), error)
        if shown.failure is not None:
            check(lib.ll_reply_fail(reply, _safe(shown.failure), error), error)

    def call(self, function: Any, *arguments: Any) -> None:
        error = ffi.new("ll_error *")
        status = function(*arguments, error)
        if self.failure is not None:
            raise self.failure
        check(status, error)


def _safe(text: str) -> bytes:
    """A text of a callable: whatever it shows, without what no C text may have."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace")


@ffi.def_extern(name="lossleak_run", error=lib.LL_SYSTEM)
def _run(self: Any, replies: Any, runs: Any, count: int, error: Any) -> int:
    program = ffi.from_handle(self)
    try:
        for place in range(count):
            program.answer(replies[place], runs[place], error)
    except BaseException as failure:  # it is raised again where the library was called
        program.failure = failure
        return lib.LL_SYSTEM
    return lib.LL_OK


# ---- results ----

def listed(get: Any, out: Any, count: int) -> List[Any]:
    """The elements of a list of the library."""
    return [get(out, place)[0] for place in range(count)]


def _pairs(settings: str) -> Dict[str, str]:
    """Settings by name; one that is given again, as further numbers are, has its values joined as the library reads them."""
    found: Dict[str, str] = {}
    for pair in settings.split():
        name, text = pair.split("=", 1)
        found[name] = f"{found[name]};{text}" if name in found else text
    return found


def _rounding(settings: Dict[str, str]) -> Optional[Record]:
    found = Record({key: int(settings[key]) for key in ("decimals", "digits") if key in settings})
    return found or None


def _noise(c: Any) -> Optional[Record]:
    return None if c.noise == ffi.NULL else Record(law=string(c.noise), deviation=number(c.noise_size))


def _channel(c: Any) -> Record:
    settings = _pairs(string(c.settings) or "")
    return Record(name=string(c.name), depends_on_labels=_TRUTHS[c.depends_on_labels], is_number=bool(c.is_number), tells_rows=bool(c.tells_rows),
                  deterministic=_TRUTHS[c.is_deterministic], metric=string(c.metric), profile=string(c.profile), rounding=_rounding(settings),
                  clip=settings.get("clip"), clip_mode=settings.get("clip-mode"), arithmetic=settings.get("arithmetic"), transform=settings.get("transform"),
                  noise=_noise(c), settings=string(c.settings), also_fits=string(c.also_fits), compared=c.compared, evidence=string(c.evidence),
                  fits=bool(c.recognised), described=bool(c.is_described))


def _form(f: Any) -> Record:
    return Record(name=string(f.name), accepted=_TRUTHS[f.accepted], failure_depends_on_labels=_TRUTHS[f.failure_depends], reads_row=bool(f.reads_row),
                  evidence=string(f.evidence))


def _data(out: Any) -> Dict[str, Any]:
    return {"recognised": bool(out.recognised),
            "surprises": [Record(kind=string(s.kind), channel=string(s.channel), text=string(s.text))
                          for s in listed(lib.ll_identification_get_surprise, out, out.surprise_count)],
            "channels": [_channel(c) for c in listed(lib.ll_identification_get_channel, out, out.channel_count)],
            "forms": [_form(f) for f in listed(lib.ll_identification_get_form, out, out.form_count)],
            "failures": Record(depend_on_labels=_TRUTHS[out.failure_depends], evidence=string(out.failures)),
            "time": Record(depends_on_labels=_TRUTHS[out.time_depends], difference=number(out.time_difference), chance=number(out.time_chance),
                           evidence=string(out.time_evidence)),
            "identified": _pairs(string(out.settings) or ""), "command_line": string(out.command_line) or "", "summary": string(out.summary),
            "input": string(out.input), "rows": out.rows, "classes": out.classes or None, "runs": out.runs, "seconds": out.seconds}


# ---- identify ----

def _hint(metric: Any) -> Optional[str]:
    """The profile or metric that the tables take a callable for; it is checked as any other."""
    try:
        settings = _known.of(metric)
    except Error:
        return None
    return settings.get("scorer") or settings.get("metric")


class Found:
    """An identification with the program that it is of, for attacks."""

    def __init__(self, metric: Any, labels: Labels, rows: Optional[int], runs: Optional[int], seed: Optional[int], max_seconds: Optional[float]):
        self.program = _Program(Scored(metric), labels)
        self.labels, self.out = labels, value("ll_identification", lib.ll_identification_clear)
        self._limits = budget(Stop(), None, max_seconds, None)
        request, kept = value("ll_identify_request"), []
        for name, text in (("targets", labels.targets), ("hint", _hint(metric))):
            if text is not None:
                kept.append(ffi.new("char[]", c_text(text, name)))
                setattr(request, name, kept[-1])
        request.classes, request.rows, request.runs = labels.classes, whole(rows or 0, "rows"), whole(runs or 0, "runs")
        request.seed = whole(seed or 0, "seed")
        request.budget = self._limits if max_seconds else ffi.NULL
        log.info("identify %s", self.program.scored.name)
        self.program.call(lib.ll_identify, self.out, self.program.handle, request)

    def result(self) -> Identification:
        data = _data(self.out)
        return Identification(data, Scorer({**data["identified"], **self.world()}) if data["identified"] else None)

    def world(self) -> Dict[str, str]:
        """What the caller said of labels, as settings."""
        if self.labels.targets is not None:
            return {"targets": self.labels.targets}
        return {"classes": str(self.labels.classes)} if self.labels.classes else {}


MOST_ROWS = 128  # each row takes a run of its own, and there are 300


def found_of(metric: Any, rows: Optional[int], classes: Optional[int], targets: Optional[str], y_like: Any, runs: Optional[int], seed: Optional[int],
             max_seconds: Optional[float]) -> Found:
    """Where few rows are given, as many are made up, so that sums that are not divided by their number are seen as what they are."""
    amount(max_seconds, "max_seconds")
    if isinstance(metric, (str, Scorer)):
        raise Error(f"identify: {metric!r} is a description already; a callable is asked for")
    return Found(metric, Labels(classes, targets, y_like), rows if rows and rows <= MOST_ROWS else None, runs, seed, max_seconds)


def identify(metric: Any, *, rows: Optional[int] = None, classes: Optional[int] = None, targets: Optional[str] = None, y_like: Any = None,
             runs: Optional[int] = None, seed: Optional[int] = None, max_seconds: Optional[float] = None) -> Identification:
    """What does a callable release? It is called with labels and predictions that are made up, at most ``runs`` times (default: 300).

    ``metric`` is a function of labels and predictions, a scorer of scikit-learn, an object with ``update`` and ``compute``, or one whose ``compute``
    takes ``predictions`` and ``references``. ``classes`` or ``targets="LO:HI:STEP"`` say what labels are, or ``y_like``, an array of
    some: words become the classes. ``rows``: how many labels are made up, up to 128; with more, or without it, a few dozen are.

    >>> import lossleak as ll
    >>> found = ll.identify(lambda y, p: round(float(((y - p) ** 2).mean()), 4))
    >>> found.recognised, found.channels[0].metric, found.channels[0].rounding
    (True, 'squared', {'decimals': 4})
    """
    return found_of(metric, rows, classes, targets, y_like, runs, seed, max_seconds).result()
