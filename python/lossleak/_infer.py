"""Honest predictions: which labels explain their scores, how far apart are scores, does a submission look built?"""
from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Union

import numpy as np

from ._arrays import Predictions, as_array, copy_of
from ._library import Error, Stop, budget, c_text, check, ffi, handle, lib, listed, log, run, string, value
from ._plan import certificate_of, condition, score_text, verdict_data
from ._refit import would_fit
from ._result import Record, Result, fields, number
from ._scorer import Scorer
from ._settings import explicit

if TYPE_CHECKING:
    from ._settings import Settings, Unpack

_METHODS = {"auto": lib.LL_METHOD_AUTO, "exhaustive": lib.LL_METHOD_EXHAUSTIVE, "meet": lib.LL_METHOD_MEET,
            "lattice": lib.LL_METHOD_LATTICE, "linear": lib.LL_METHOD_LINEAR, "states": lib.LL_METHOD_STATES}
_METHOD_NAMES = {method: name for name, method in _METHODS.items()}


# ---- infer ----

class Inference(Result):
    """What :func:`infer` found. ``labels``: an array, -1 where a row is open; ``count``: how many labellings fit (None: not
    known); ``spurious``: how many wrong ones would be expected to."""

    command = "infer"
    labels: np.ndarray
    method: str
    queries: int
    rows: int
    classes: int
    recovered: int
    certain: int
    guarantee: Optional[str]
    count: Union[int, str, None]
    spurious: Union[float, str]
    spurious_log2: float
    probability: Optional[float]
    certificate: Record
    proof: Record
    labellings: List[List[int]]

    def _lines(self) -> List[str]:
        sure = ("every one certain" if self.certain == self.rows else f"{self.certain} certain") + condition(self)
        kind = "likely" if self.guarantee == "likely" else sure
        found = "no labelling explains the scores" if self.proof.verdict == "none" else f"{self.recovered} of {self.rows} labels, {kind}"
        fit = "not known how many" if self.count is None else self.count
        return fields(("recovered", found),
                      ("method", f"{self.method}: {self.queries} scores of {self.rows} rows; labellings that fit: {fit}, wrong ones "
                                 f"expected: 2^{self.spurious_log2:.0f}"),
                      ("scorer", self.scorer))


def _spurious(bits: float) -> Union[float, str]:
    return 2.0 ** bits if -1000 < bits < 1000 else f"2^{bits:.1f}"


def _count(text: Optional[str]) -> Union[int, str, None]:
    return int(text) if text and len(text) <= 15 else text


def _inference_data(i: Any, seconds: Record, scorer: Scorer) -> Dict[str, Any]:
    v = i.verdict
    data = verdict_data(v, scorer)
    guarantee = "likely" if i.is_likely else "certified" if i.count != ffi.NULL or v.certain > 0 else None
    certificate = certificate_of(v)
    certificate.pop("explains")
    certificate["gap"] = None
    if i.is_likely:
        certificate["verdict"] = "likely"
    kept = copy_of(i.labellings, "int32_t", i.kept * v.rows).reshape(i.kept, v.rows) if i.kept else np.empty((0, v.rows))
    return {"method": _METHOD_NAMES[i.method], "queries": v.queries, "rows": v.rows, "classes": v.classes, **data,
            "certain": v.certain, "guarantee": guarantee, "count": _count(string(i.count)), "count_is_bound": bool(i.is_most),
            "spurious": _spurious(i.spurious_bits), "spurious_log2": i.spurious_bits,
            "probability": None if v.kind == lib.LL_NONE else i.probability, "certificate": certificate,
            "labellings": kept.tolist(), "score_bits": i.score_bits, "seconds": seconds}


def _sets(predictions: Any, scores: Any, several: bool) -> "tuple[List[Any], List[Any]]":
    """One set and its score, which may be several numbers, or as many sets as scores."""
    if isinstance(scores, (str, bytes)) or np.ndim(scores) == 0 or (several and np.ndim(scores) == 1 and np.ndim(predictions) == 1):
        return [predictions], [scores]
    scores, sets = listed(scores, "scores"), listed(predictions, "predictions")
    if len(scores) == 1 and len(sets) != 1:
        return [predictions], scores
    if len(sets) != len(scores):
        raise Error(f"{len(sets)} predictions but {len(scores)} scores: every one needs its score")
    return sets, scores


@explicit
def infer(predictions: Any, scores: Any, metric: Any = None, *, method: str = "auto", max_memory: Optional[float] = None,
          max_seconds: Optional[float] = None, threads: Optional[int] = None, **settings: Unpack[Settings]) -> Inference:
    """The labels behind the scores of predictions that nobody designed: an honest model's, or those of one model after every epoch.

    ``predictions`` is an array and ``scores`` its score, or there are as many arrays as scores. Give scores with every digit that
    was released, and say how they were rounded (``decimals``, ``digits``). Several numbers of one model (``also=["f1", ...]``) are
    the list of them, or their text with blanks between.

    >>> import lossleak as ll
    >>> p = [0.91, 0.13, 0.47, 0.74]
    >>> score = ll.score([1, 0, 1, 1], p, "sklearn-1.2/log_loss")
    >>> ll.infer(p, score.score, "sklearn-1.2/log_loss").labels
    array([1, 0, 1, 1], dtype=int32)
    """
    if method not in _METHODS:
        raise Error(f"method {method}: no such method; accepted: {'|'.join(_METHODS)}")
    sets, answers = _sets(predictions, scores, "also" in settings)
    stop, started = Stop(), time.monotonic()
    sources = [Predictions(values, f"predictions[{place}]" if len(sets) > 1 else "predictions", stop)
               for place, values in enumerate(sets)]
    scorer = Scorer(metric, **settings).with_size(sources[0].rows, max(2, sources[0].columns))
    evidence = handle("ll_evidence", lib.ll_evidence_destroy, lib.ll_evidence_create, scorer.handle)
    texts = [score_text(answer, f"scores[{place}]") for place, answer in enumerate(answers)]
    for source, answer in zip(sources, texts):
        text = ffi.new("char[]", c_text(answer, "scores"))
        run(lib.ll_evidence_add, evidence, source.handle, text, stop=stop, keep=(source, scorer))
    read = time.monotonic() - started
    out, limits = value("ll_inference", lib.ll_inference_clear), budget(stop, max_memory, max_seconds, threads)
    log.info("infer from %d scores of %d rows: %s", len(sources), sources[0].rows, scorer)
    run(lib.ll_evidence_infer, evidence, out, _METHODS[method], limits, stop=stop, keep=(sources, scorer))
    total = time.monotonic() - started
    data = _inference_data(out, Record(read=read, decode=total - read, total=total), scorer)
    if out.verdict.kind == lib.LL_NONE:
        data.update(would_fit(scorer, ffi.NULL, [source.handle for source in sources], texts, True))
    labels = data.pop("labels")
    return Inference(data, scorer, labels=labels, proof=data["certificate"])


# ---- separate ----

class Separation(Result):
    """How far apart are the scores of any two labellings? ``gap`` and ``largest_noise`` are texts of any length; ``proved`` says
    whether the gap is that of all pairs; ``witness`` is a pair that has it."""

    command = "separate"
    rows: int
    gap: str
    largest_noise: str
    proved: bool
    interval: List[str]
    witness: np.ndarray
    scores: List[str]
    separable: Optional[bool]
    threshold: str
    method: str
    bounds: Record
    different: Optional[int]
    step: Optional[str]
    bits: Optional[Record]

    def _lines(self) -> List[str]:
        answer = {True: "yes", False: "no", None: "not known"}[self.separable]
        return fields(("gap", f"{self.gap}{' (proved)' if self.proved else ' of the witness pair'}; within [{', '.join(self.interval)}]"),
                      ("separable", f"{answer}: the gap must be {self.threshold}; below noise {self.largest_noise} labels can be told"),
                      ("scorer", f"{self.scorer}; {self.rows} rows, {self.method}"))


def _below(b: Any, rows: int) -> Optional[Record]:
    if b.bits == 0:
        return None
    shown = 1 if b.overflows else 2
    return Record(bits=b.bits, why="not finite" if b.overflows else "too close",
                  witness=copy_of(b.witness, "int32_t", shown * rows).reshape(shown, rows).tolist(),
                  score=None if b.overflows else string(b.score))


def _bits_data(b: Any, rows: int) -> Record:
    return Record(fraction=b.fraction or None, exponent=b.exponent or None, phi=b.phi or None,
                  first_fraction=b.first_fraction or None, sweep=b.sweep, needed=_finite(b.needed), paper_phi=_finite(b.paper_phi),
                  below_fraction=_below(b.fraction_below, rows), below_exponent=_below(b.exponent_below, rows),
                  below_phi=_below(b.phi_below, rows))


def _finite(x: float) -> Optional[float]:
    return x if math.isfinite(x) else None


def _separation_data(s: Any) -> Dict[str, Any]:
    witness = copy_of(s.witness, "int32_t", 2 * s.rows).reshape(2, s.rows)
    bounds = Record(range=string(s.range.text), pigeonhole=string(s.pigeonhole.text), monotone=string(s.monotone.text),
                    bounded_monotone=string(s.bounded_monotone.text), label_bits=s.label_bits, score_bits=_finite(s.score_bits))
    return {"gap": string(s.gap.text), "largest_noise": string(s.largest_noise.text), "proved": bool(s.proved),
            "interval": [string(s.lower.text), string(s.upper.text)], "witness": witness, "scores": [string(s.scores[0].text), string(s.scores[1].text)],
            "separable": {lib.LL_TRUE: True, lib.LL_FALSE: False}.get(s.separable), "threshold": string(s.threshold),
            "method": string(s.method), "searched": s.searched, "rows": s.rows, "classes": s.classes, "bounds": bounds,
            "different": int(s.different) or None, "step": string(s.step.text)}


@explicit
def separate(predictions: Any, metric: Any = None, *, bits: bool = False, max_memory: Optional[float] = None,
             max_seconds: Optional[float] = None, threads: Optional[int] = None, **settings: Unpack[Settings]) -> Separation:
    """How far apart are the scores of any two labellings of these predictions, and so which noise still lets labels through?
    ``bits``: also the smallest float formats that keep labellings apart.

    >>> import lossleak as ll
    >>> ll.separate(["0.9", "0.2", "0.55"], "squared", arithmetic="exact").gap
    '0.033333333333333333'
    """
    stop = Stop()
    source = Predictions(predictions, "predictions", stop)
    scorer = Scorer(metric, **settings)
    limits = budget(stop, max_memory, max_seconds, threads)
    out = value("ll_separation", lib.ll_separation_clear)
    run(lib.ll_separate, out, scorer.handle, source.handle, limits, stop=stop, keep=source)
    data = _separation_data(out)
    if bits:
        sizes = value("ll_separation_bits", lib.ll_separation_bits_clear)
        run(lib.ll_separate_bits, sizes, scorer.handle, source.handle, limits, stop=stop, keep=source)
        data["bits"] = _bits_data(sizes, source.rows)
    return Separation(data, scorer, **({} if bits else {"bits": None}))


class TableSeparation(Result):
    """How far apart are the values of a set function?"""

    command = "separate"
    _ends = ()
    gap: str
    largest_noise: str
    separable: bool
    monotone: bool
    witness: List[List[int]]
    bounds: Record

    def _lines(self) -> List[str]:
        return fields(("gap", f"{self.gap}, of {self.witness[0]} and {self.witness[1]}"),
                      ("separable", "yes" if self.separable else "no"), ("monotone", "yes" if self.monotone else "no"))


def _members(bits: int) -> List[int]:
    return [place for place in range(32) if bits >> place & 1]


def _pair(sets: Any) -> List[List[int]]:
    return [_members(sets[0]), _members(sets[1])]


def separate_table(values: Sequence[Any], *, noise: Optional[str] = None, max_memory: Optional[float] = None,
                   max_seconds: Optional[float] = None) -> TableSeparation:
    """The same of a set function on N elements, as the table of its 2^N values (numbers, or text of any length): bit i of the place
    is element i. ``noise``: the bound on a value's noise.

    >>> import lossleak as ll
    >>> ll.separate_table([0, 1, 2, 3]).gap
    '1'
    """
    values = listed(values, "values")
    block = ffi.gc(ffi.new("ll_block *"), lib.ll_block_clear)
    lib.ll_block_init(block)
    exacts = lib.ll_block_reserve_exacts(block, len(values), 1)
    for place, given in enumerate(values):
        text = c_text(score_text(given, f"values[{place}]"), f"values[{place}]")
        if lib.ll_exact_read(exacts, place, text, len(text)) != lib.LL_OK:
            raise Error(f"values[{place}]: {given!r} is no number")
    stop, out = Stop(), value("ll_table_separation", lib.ll_table_separation_clear)
    bound = ffi.new("char[]", c_text(str(noise), "noise")) if noise is not None else ffi.NULL
    run(lib.ll_separate_table, out, exacts, len(values), bound, budget(stop, max_memory, max_seconds, None), stop=stop,
        keep=(block, bound))
    monotone = bool(out.monotone)
    data = {"gap": string(out.gap.text), "largest_noise": string(out.largest_noise.text), "proved": True,
            "interval": [string(out.gap.text)] * 2, "witness": _pair(out.witness), "separable": bool(out.separable),
            "elements": out.elements, "monotone": monotone, "decreasing": None if monotone else _pair(out.decreasing),
            "marginal": string(out.marginal.text), "marginal_sets": _pair(out.marginal_sets),
            "bounds": Record(range=string(out.range.text), pigeonhole=string(out.pigeonhole.text),
                             bounded_monotone=string(out.bounded_monotone.text))}
    return TableSeparation(data, Scorer())


# ---- inspect ----

_FINDINGS = {lib.LL_FINDING_NONE: "none", lib.LL_FINDING_CONSTANT: "constant", lib.LL_FINDING_CODED: "coded"}


class Inspection(Result):
    """Does a submission look built to read labels (``finding``: ``"none"``, ``"constant"`` or ``"coded"``), and how many ``bits``
    could its score give away?"""

    command = "inspect"
    _ends = ("scorer",)
    finding: str
    why: str
    bits: Optional[float]
    mark: str
    rows: int
    classes: int
    blind_score: Optional[float]
    constant_score: Optional[float]
    worse_than_constant: Optional[float]

    def _lines(self) -> List[str]:
        shown = "no limit" if self.bits is None else f"{self.bits:.1f} at most"
        return fields(("finding", f"{self.finding}: {self.why}"),
                      ("bits", f"{shown}, of the {self.rows * math.log2(self.classes):.0f} that {self.rows} labels have"),
                      ("scorer", self.scorer))


def _bound(bits: float) -> Optional[float]:
    return None if math.isinf(bits) else bits


def _figure(x: float) -> Optional[float]:
    return x if math.isfinite(x) else None


@explicit
def inspect(predictions: Any, metric: Any = None, *, max_memory: Optional[float] = None, max_seconds: Optional[float] = None,
            threads: Optional[int] = None, **settings: Unpack[Settings]) -> Inspection:
    """Do predictions look built to read labels, and how much could their score give away?

    >>> import lossleak as ll
    >>> ll.inspect(ll.plan("sklearn-1.2/log_loss", rows=100)[0], "sklearn-1.2/log_loss").finding
    'coded'
    """
    stop = Stop()
    source = Predictions(predictions, "predictions", stop)
    scorer = Scorer(metric, **settings)
    out = value("ll_inspection", lib.ll_inspection_clear)
    run(lib.ll_inspect_predictions, out, scorer.handle, source.handle, budget(stop, max_memory, max_seconds, threads), stop=stop,
        keep=source)
    data = {"finding": _FINDINGS[out.finding], "why": string(out.why), "bits": _bound(out.bits), "mark": string(out.mark),
            "unit": out.unit if out.unit > 0 else None, "label_bits": _bound(out.label_bits), "value_bits": _bound(out.value_bits),
            "spread_bits": _bound(out.spread_bits), "rows": out.rows, "classes": out.classes, "neutral": out.neutral,
            "different": out.different, "blind_score": _figure(out.blind_score), "blind_spread": _figure(out.blind_spread),
            "constant_score": _figure(out.constant_score), "worse_than_constant": _figure(out.worse_than_constant)}
    return Inspection(data, scorer)
