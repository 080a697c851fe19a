"""Plans: predictions that make a scorer give its labels away, and the way back from its scores."""
from __future__ import annotations

import decimal
import time
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Sequence, Union

import numpy as np

from . import _known
from ._arrays import copy_of, read
from ._library import Error, Stop, amount, budget, c_text, check, ffi, handle, lib, listed, log, owned, run, string, value, whole
from ._progress import Bar
from ._refit import would_fit, words
from ._reports import numbers_of
from ._result import Record, Result, fields, number
from ._score import Curator
from ._scorer import Scorer
from ._settings import explicit

if TYPE_CHECKING:
    from ._settings import Settings, Unpack

_KINDS = {lib.LL_UNIQUE: "unique", lib.LL_AMBIGUOUS: "ambiguous", lib.LL_NONE: "none"}
_GUARANTEES = {"certified": lib.LL_CERTIFIED, "likely": lib.LL_LIKELY}
_OPEN_LISTED = 100

Oracle = Callable[[np.ndarray], Any]


def condition(found: Any) -> str:
    """Behind the word certain: where scores would hardly contradict a wrong description, and what numeric targets are supposed to be."""
    parts = (["the description is right"] if found.conditional else []) + ([found.premise] if found.premise else [])
    return " if " + " and ".join(parts) if parts else ""


class Decoding(Result):
    """Labels behind scores. ``labels``: an array, -1 where a row is open; ``certain``: how many rows are proved; ``proof``: the
    certificate, with its verdict ``"unique"``, ``"ambiguous"`` or ``"none"`` (the scorer is not what was said). Of a score over a part of
    the rows that is not told (``public=...``), ``absent``: the rows that are proved not to be scored, whose label is -1, too."""

    command = "decode"
    _frame = "labels"
    labels: np.ndarray
    absent: Optional[np.ndarray]
    certain: int
    recovered: int
    queries: int
    rows: int
    classes: int
    code: str
    guarantee: str
    probability: Optional[float]
    wrong_description_chance: Optional[float]
    conditional: bool
    premise: Optional[str]
    open: List[Record]
    certificate: Record
    proof: Record
    plan: Record
    score_bits: float
    seconds: Record
    would_fit: List[Record]

    def _words(self) -> str:
        if self.proof.verdict == "none":
            instead = words(getattr(self, "would_fit", []))
            return "none: no labelling explains the scores; the scorer is not what was described" + (f" ({instead})" if instead else "")
        if self.guarantee == "likely":
            return f"{self.recovered} of {self.rows} labels, likely: all right with probability at least {self.probability:.9g}"
        open_rows = self.rows - self.certain
        if self.absent is not None:
            return f"{self.certain - len(self.absent)} rows public, with the label, and {len(self.absent)} absent, certain{condition(self)}; {open_rows} open"
        return f"{self.certain} of {self.rows} labels, " + (f"certain{condition(self)}; {open_rows} open" if open_rows else f"every one certain{condition(self)}")

    def _rows(self, what: str) -> List[Dict[str, Any]]:
        """Row by row: its label, None where it is open."""
        if what != "labels":
            return super()._rows(what)
        names = getattr(self, "names", None)
        labels: Any = self.labels.tolist()
        return [{"row": row, "label": None if label < 0 else names[label] if names else label} for row, label in enumerate(labels)]

    def _lines(self) -> List[str]:
        return fields(("recovered", self._words() + getattr(self, "_right", "")),
                      ("code", f"{self.code}: {self.queries} {'query' if self.queries == 1 else 'queries'}, {self.score_bits:.0f} bits of score in all; proof "
                               f"{self.proof.verdict}" + (f", gap {self.proof.gap}, noise {self.proof.noise}" if self.proof.gap else "")),
                      ("scorer", self.scorer))


class Attack(Decoding):
    """What :func:`attack` read. As :class:`Decoding`; with ``accuracy`` where the truth is at hand (a :class:`Curator`)."""

    command = "attack"
    accuracy: Optional[float]

    @property
    def _right(self) -> str:
        accuracy = getattr(self, "accuracy", None)
        return "" if accuracy is None else f"; accuracy {accuracy:.6g}"


def _open_rows(v: Any, labels: np.ndarray) -> List[Record]:
    rows = np.flatnonzero(labels < 0)[:_OPEN_LISTED]
    if v.candidates == ffi.NULL:  # of a long grid the ends of what is possible
        return [Record(row=int(row), candidates=[], lowest=v.lowest[int(row)], highest=v.highest[int(row)]) for row in rows]
    candidates = copy_of(v.candidates, "unsigned char", v.rows * v.classes).reshape(v.rows, v.classes)
    return [Record(row=int(row), candidates=["absent" if v.absent and k == v.absent else k for k in map(int, np.flatnonzero(candidates[row]))])
            for row in rows]


def verdict_data(v: Any, scorer: Scorer) -> Dict[str, Any]:
    """What attack, decode and infer say alike of a verdict."""
    grid = scorer.get("targets")
    labels = copy_of(v.labels, "int32_t", v.rows)
    none = v.kind == lib.LL_NONE
    recovered = int(np.count_nonzero(labels >= 0))
    data = {"labels": labels, "recovered": recovered, "open": [] if none else _open_rows(v, labels),
            "open_count": v.rows - recovered, "wrong_description_chance": None if none else number(v.wrong_description),
            "conditional": bool(lib.ll_verdict_is_conditional(v)),
            "premise": f"every target is on the grid {grid}{', or else less than a step off' if v.holds_between else ''}" if grid and v.certain > 0 else None}
    if v.absent > 0:  # the score is over a part of the rows: those that are not scored have no label
        absent = int(np.count_nonzero(labels == v.absent))
        data["public"] = Record(labelled=recovered - absent, absent=absent, open=v.rows - recovered)
        data["absent_rows"] = np.flatnonzero(labels == v.absent)
        labels[labels == v.absent] = -1
    return data


def certificate_of(v: Any) -> Record:
    return Record(verdict=_KINDS[v.kind], gap=string(v.gap.text), noise=string(v.noise.text), rounding=string(v.rounding.text),
                  residual=string(v.residual.text), explains=string(v.explains.text))


class Plan:
    """Predictions for a scorer, query by query: ``len(plan)`` of them, ``plan[i]`` the array of one; :meth:`decode` makes labels of
    the scores that they got. For a scorer that no callable can reach, a web form for one.

    >>> import lossleak as ll
    >>> curator = ll.Curator([0, 1, 1, 0, 1], "sklearn-1.2/log_loss")
    >>> plan = ll.plan("sklearn-1.2/log_loss", rows=5)
    >>> plan.decode([curator(predictions) for predictions in plan]).labels
    array([0, 1, 1, 0, 1], dtype=int32)
    """

    def __init__(self, scorer: Scorer, code: str, block: int, guarantee: str, failure: float, limits: Any, stop: Stop):
        if guarantee not in _GUARANTEES:
            raise Error(f"guarantee {guarantee}: it is certified or likely")
        request = value("ll_plan_request")
        name = ffi.new("char[]", c_text(code, "code"))
        request.code, request.block, request.failure = name, whole(block, "block"), amount(failure, "failure")
        request.guarantee, request.budget = _GUARANTEES[guarantee], limits
        out = ffi.new("ll_plan **")
        started = time.monotonic()
        run(lib.ll_plan_create, out, scorer.handle, request, stop=stop, keep=(name, limits))
        self.seconds = time.monotonic() - started
        self.scorer, self.handle = scorer, owned(out[0], lib.ll_plan_destroy, scorer.handle)
        self._info = ffi.new("ll_plan_info *")
        lib.ll_plan_get_info(self.handle, self._info, ffi.sizeof("ll_plan_info"))
        self.code, self.queries = string(self._info.code) or "", int(self._info.queries)
        self.dtype = _dtype(scorer)

    @property
    def info(self) -> Record:
        """Block, queries, writer, entries, digest, ...: as in the JSON of an attack."""
        i = self._info
        digest = ffi.new("char[]", 80)
        lib.ll_plan_digest(self.handle, digest, 80)
        return Record(block=i.block, queries=i.queries, writer=string(i.writer),
                      entries="exact" if i.entries == lib.LL_ENTRIES_EXACT else "double", unit_bits=i.unit_bits,
                      digest=string(digest), repeats=i.repeats, share=i.share, failure=i.failure)

    def __len__(self) -> int:
        limit = self.scorer.count("queries")
        return min(limit, self.queries) if limit else self.queries

    def _predictions(self, query: int) -> Any:
        out = ffi.new("ll_predictions *")
        error = ffi.new("ll_error *")
        check(lib.ll_plan_predictions(self.handle, out, query, error), error)
        return out

    def __getitem__(self, query: int) -> np.ndarray:
        if not -len(self) <= query < len(self):
            raise IndexError(f"query {query} of {len(self)}")
        return read(self._predictions(query % len(self)), self.dtype)

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self[query] for query in range(len(self)))

    def __repr__(self) -> str:
        return "\n".join(fields(("plan", f"{self.code}: {len(self)} queries"), ("scorer", self.scorer),
                                ("rows", f"{self._info.rows} of {self._info.classes} classes, {self._info.block} a query")))

    def decode(self, scores: Sequence[Any]) -> Decoding:
        """What scores tell, in the order of queries, numbers or text; as many as there are."""
        started = time.monotonic()
        decoder = handle("ll_decoder", lib.ll_decoder_destroy, lib.ll_decoder_create, self.handle)
        scores = listed(scores, "scores")
        if len(scores) > len(self):
            raise Error(f"scores: {len(scores)} of them, but the plan has {len(self)} queries")
        error = ffi.new("ll_error *")
        texts = [score_text(answer, f"scores[{query}]") for query, answer in enumerate(scores)]
        for query, text in enumerate(texts):
            stored, watched = self._predictions(query), ffi.new("ll_predictions *")
            check(lib.ll_decoder_watch(decoder, watched, stored, query, error), error)
            check(lib.ll_decoder_score(decoder, c_text(text, f"scores[{query}]"), error), error)
        out = value("ll_verdict", lib.ll_verdict_clear)
        check(lib.ll_decoder_verdict(decoder, out, error), error)
        took = time.monotonic() - started
        return self.result(Decoding, out, Record(plan=self.seconds, decode=took, total=self.seconds + took), texts=texts)

    def result(self, kind: Any, v: Any, seconds: Record, truth: Optional[np.ndarray] = None, names: Any = None,
               texts: Sequence[str] = ()) -> Any:
        data = verdict_data(v, self.scorer)
        labels, none = data.pop("labels"), v.kind == lib.LL_NONE
        absent = data.pop("absent_rows", None)
        likely = v.guarantee == lib.LL_LIKELY
        known: Dict[str, Any] = {"code": self.code, "queries": v.queries, "rows": v.rows, "classes": v.classes - (v.absent > 0),
                                 "certain": v.certain, "guarantee": "likely" if likely else "certified", **data}
        if truth is not None:
            given = labels >= 0
            known["accuracy"] = float(np.mean(labels[given] == truth[given])) if given.any() else None
        shares = None
        if v.shares != ffi.NULL:
            shares = copy_of(v.shares, "double", v.rows * v.classes).reshape(v.rows, v.classes)
            known["expected_share"] = float(np.cumsum(np.where(labels >= 0, shares[np.arange(v.rows), labels], 0))[-1] / v.rows)  # in order, as the program
        known.update(probability=None if none else v.probability, certificate=certificate_of(v),
                     score_bits=self._info.score_bits * v.queries / self.queries, seconds=seconds, plan=self.info)
        known.update(would_fit(self.scorer, self.handle, (), texts, none, v))
        if none:
            log.warning("no labelling explains the scores: the scorer is not what was described (%s)%s", self.scorer,
                        "".join("; " + words([fit]) for fit in known.get("would_fit", [])))
        return kind(known, self.scorer, labels=labels, absent=absent, proof=known["certificate"], probabilities=shares,
                    names=names or self.scorer.targets() or None)


def _dtype(scorer: Scorer) -> Any:
    """What the oracle's array holds: labels, or numbers of the scorer's own arithmetic."""
    if _known.metric_input(scorer.get("metric") or "") == "label":
        return np.int64
    return np.float32 if scorer.get("arithmetic") == "fp32" else np.float64


@explicit
def plan(metric: Any = None, *, code: str = "auto", block: int = 0, guarantee: str = "certified", failure: float = 0,
         max_memory: Optional[float] = None, max_seconds: Optional[float] = None, threads: Optional[int] = None,
         **settings: Unpack[Settings]) -> Plan:
    """Plan predictions that make a scorer give its labels away. ``rows`` must be among the settings; arithmetic is fp64 unless it
    is said, or a profile's.

    >>> import lossleak as ll
    >>> len(ll.plan("sklearn-1.2/log_loss", rows=2201, decimals=5))
    143
    """
    described = Scorer(metric, **settings)
    if described.count("rows") == 0:
        raise Error("no rows: give rows=N, as many as the scorer has labels")
    scorer = described.with_size(0, 2, **_floating(described))
    stop = Stop()
    return Plan(scorer, code, block, guarantee, failure, budget(stop, max_memory, max_seconds, threads), stop)


def _floating(described: Scorer) -> Dict[str, str]:
    """A callable of an array computes in floats, unless it is said what else it does."""
    return {} if described.has("scorer") or described.has("arithmetic") else {"arithmetic": "fp64"}


# ---- oracles ----

def _stripped(text: Union[str, bytes], name: str) -> str:
    try:
        text = text.decode() if isinstance(text, bytes) else text
    except UnicodeDecodeError as error:
        raise Error(f"{name}: {error}", "system") from None
    c_text(text, name)
    return text.strip()


def _flat(answer: Any) -> Iterator[Any]:
    """The numbers of an array or of lists, masked ones as such."""
    for part in answer:
        if isinstance(part, (list, tuple)) or getattr(part, "ndim", 0) > 0:
            yield from _flat(part)
        else:
            yield part


def score_text(answer: Any, name: str) -> str:
    """Every digit of a score: text as it is, numbers as the shortest text that reads back equal."""
    answer = numbers_of(answer)
    if isinstance(answer, (str, bytes)):
        return _stripped(answer, name)
    if isinstance(answer, (list, tuple)) or getattr(answer, "ndim", 0) > 0:
        return " ".join(score_text(number, name) for number in _flat(answer))
    if answer is np.ma.masked or isinstance(answer, (bool, np.bool_, np.datetime64, np.timedelta64)):
        raise Error(f"{name}: {answer!r} is no score; a number or its text is asked for", "system")
    if isinstance(answer, (decimal.Decimal, np.longdouble)):
        return _stripped(str(answer), name)
    if hasattr(answer, "item"):
        answer = answer.item()
    if isinstance(answer, (str, bytes)):
        return _stripped(answer, name)
    try:
        if isinstance(answer, int):
            return str(answer)
        number = float(answer)
    except (TypeError, ValueError, OverflowError):
        raise Error(f"{name}: {answer!r} is no score; a number or its text is asked for", "system") from None
    if number != number or number in (float("inf"), float("-inf")):
        raise Error(f"{name}: {number} is no score: it is not finite", "system")
    return repr(number)


class _Asked:
    """A callable behind the C interface of oracles."""

    def __init__(self, oracle: Oracle, plan_: Plan, bar: Bar):
        self.oracle, self.dtype, self.bar = oracle, plan_.dtype, bar
        self.seconds, self.failure = 0.0, None
        self.texts: List[str] = []

    def ask(self, predictions: Any, query: int) -> bytes:
        array = read(predictions, self.dtype)
        started = time.monotonic()
        text = score_text(self.oracle(array), f"the oracle's answer to query {query + 1}")
        self.seconds += time.monotonic() - started
        log.debug("query %d: %s", query + 1, text)
        self.texts.append(text)
        self.bar.advance(query + 1)
        return c_text(text, f"the oracle's answer to query {query + 1}")


@ffi.def_extern(name="lossleak_ask", error=lib.LL_SYSTEM)
def _ask(self: Any, score: Any, predictions: Any, query: int, _error: Any) -> int:
    asked = ffi.from_handle(self)
    try:
        score[0] = lib.lossleak_text(asked.ask(predictions, query))
    except BaseException as failure:  # it is raised again where the attack was called
        asked.failure = failure
        return lib.LL_SYSTEM
    return lib.LL_OK


def _ask_callable(plan_: Plan, oracle: Oracle, limits: Any, out: Any, bar: Bar) -> "tuple[float, List[str]]":
    """In this thread: the callable may belong to it, and Ctrl-C comes by way of it."""
    asked = _Asked(oracle, plan_, bar)
    self = ffi.new_handle(asked)
    made = ffi.new("ll_oracle *", {"self": self, "ask": lib.lossleak_ask})
    error = ffi.new("ll_error *")
    status = lib.ll_attack_run(plan_.handle, out, made, limits, error)
    if asked.failure is not None:
        raise asked.failure
    check(status, error)
    return asked.seconds, asked.texts


@explicit
def attack(oracle: Union[Oracle, Curator], metric: Any = None, *, code: str = "auto", block: int = 0,
           guarantee: str = "certified", failure: float = 0, progress: Optional[bool] = None,
           max_memory: Optional[float] = None, max_seconds: Optional[float] = None, threads: Optional[int] = None,
           **settings: Unpack[Settings]) -> Attack:
    """Read the labels behind a scorer from its scores alone, and prove them.

    ``oracle`` is any callable of an array of predictions, (rows,) or (rows, classes), that returns the score: a number, or its text; of several
    numbers (``also=[...]``, ``"confusion-matrix"``) a list, an array or the text of all.
    ``metric`` and ``settings`` say what it computes and how its answers are rounded, as for :class:`Scorer`; the proof holds as far
    as that is true, and an answer that no labelling explains is told. The array has the scorer's own type: float64, float32 where it
    computes in that, integers where predictions are labels. Or ``oracle`` is a :class:`Curator`, which knows its scorer.
    ``progress``: a bar by tqdm; None, the default: on a terminal, where tqdm is there.

    >>> import lossleak as ll
    >>> secret = ll.dataset("titanic")[:200]
    >>> curator = ll.Curator(secret, "sklearn-1.2/log_loss", decimals=5)
    >>> found = ll.attack(curator, "sklearn-1.2/log_loss", rows=200, decimals=5)
    >>> found.certain, found.queries, bool((found.labels == secret).all())
    (200, 12, True)
    """
    simulated = oracle if isinstance(oracle, Curator) else None
    if simulated is None and not callable(oracle):
        raise Error(f"oracle: {type(oracle).__name__} is not callable; a function of an array of predictions is asked for")
    if simulated is not None and metric is None and not settings:
        scorer = simulated.scorer
    else:
        described = Scorer(metric, **settings)
        rows = len(simulated.labels) if simulated is not None else 0
        if not rows and described.count("rows") == 0:
            raise Error("no rows: give rows=N, as many as the scorer has labels")
        scorer = described.with_size(rows, simulated.scorer.count("classes") if simulated is not None else 2,
                                     **({} if simulated is not None else _floating(described)))
    stop, started = Stop(), time.monotonic()
    limits = budget(stop, max_memory, max_seconds, threads)
    plan_ = Plan(scorer, code, block, guarantee, failure, limits, stop)
    out = value("ll_verdict", lib.ll_verdict_clear)
    log.info("attack on %s: %s, %d queries", scorer, plan_.code, len(plan_))
    with Bar("attack", len(plan_), progress) as bar:
        if simulated is None:
            asked, texts = _ask_callable(plan_, oracle, limits, out, bar)
        else:
            asked, texts = _ask_curator(plan_, simulated, limits, out, stop), []
    total = time.monotonic() - started
    seconds = Record(plan=plan_.seconds, decode=total - plan_.seconds - asked, total=total, query=asked)
    truth, names = (simulated.labels, simulated.names) if simulated is not None else (None, None)
    return plan_.result(Attack, out, seconds, truth, names, texts)


def _ask_curator(plan_: Plan, curator: Curator, limits: Any, out: Any, stop: Stop) -> float:
    made = ffi.new("ll_oracle *", lib.ll_curator_oracle(curator.handle))
    started = time.monotonic()
    run(lib.ll_attack_run, plan_.handle, out, made, limits, stop=stop, keep=(plan_, curator))
    return time.monotonic() - started
