"""Audits of callables that no table knows: what they release is found out, described where a description fits, and attacked as it is where none does."""
from __future__ import annotations

from typing import Any, Dict, List, Optional, Union

from . import _html
from ._identify import Found, Identification, found_of, listed
from ._library import Error, Stop, budget, ffi, lib, log, string, value
from ._result import SCHEMA, Record, Result, fields, number
from ._scorer import Scorer

MEASURED_ROWS, MEASURED_RUNS, MOST_RUNS = 200, 50, 400


class ProgramAudit(Result):
    """An audit of a callable that is not recognised: what attacks that need no description read of made-up labels. ``leaks`` is True or
    ``"unknown"``, never False: that nothing was read is no proof."""

    command = "audit"
    _frame = "tried"
    recognised: bool
    leaks: Union[bool, str]
    proved: bool
    answer: str
    verdict: str
    share: float
    guess: float
    target_share: float
    rows: int
    classes: int
    queries: Optional[int]
    measured: Record
    tried: List[Record]
    identification: Identification
    channels: List[Record]
    surprises: List[Record]

    def __init__(self, data: Dict[str, Any], identification: Identification):
        self._data = {"command": self.command, "schema": SCHEMA, **data, "identification": {**identification.to_dict(), "measured": data["measured"]}}
        self.__dict__.update(data)
        self.identification, self.scorer, self.warning = identification, None, None  # type: ignore[assignment]
        self.channels, self.surprises = identification.channels, identification.surprises

    def _lines(self) -> List[str]:
        surprises = [("surprise", surprise.text) for surprise in self.surprises]
        return fields(*surprises, ("answer", self.answer), ("verdict", self.verdict),
                      ("leaks", "yes" if self.leaks is True else "not known"), ("measured", self.measured.evidence))

    def _repr_html_(self) -> str:
        return _html.page(_html.verdict(self.answer, self.leaks, False),
                          *(f"<p>{_html.text(surprise.text)}</p>" for surprise in self.surprises),
                          _html.facts((("labels right, measured", f"{100 * self.share:.1f} %"), ("by guessing", f"{100 * self.guess:.1f} %"),
                                       ("hidden rows", self.rows), ("submissions answered", self.queries))),
                          f"<p>{_html.text(self.verdict)}</p>")


def _sizes(rows: int, queries: int) -> "tuple[int, int]":
    """Rows and runs that are tried: what attacks read depends on submissions per row (docs/proofs/designs.md), so both shrink alike."""
    measured = min(rows, MEASURED_ROWS)
    runs = round(queries * measured / rows) if queries else MEASURED_RUNS
    return measured, min(max(runs, 1), MOST_RUNS)


def attacked(found: Found, rows: int, queries: int, seed: int, max_seconds: Optional[float]) -> Any:
    """What attacks without a description read, on labels that are made up."""
    request, out = value("ll_program_attack_request"), value("ll_program_attack_result", lib.ll_program_attack_result_clear)
    limits = budget(Stop(), None, max_seconds, None)
    request.rows, request.runs = _sizes(rows, queries)
    request.seed = seed
    request.budget = limits if max_seconds else ffi.NULL
    found.program.call(lib.ll_program_attack, out, found.program.handle, found.out, request)
    return out


def _tried(out: Any) -> List[Record]:
    return [Record(attack=string(t.attack), channel=string(t.channel), runs=t.runs, read=t.read, share=number(t.share), error=number(t.error))
            for t in listed(lib.ll_program_attack_get_tried, out, out.tried_count)]


def is_bad(identification: Identification) -> bool:
    """Is there a channel beside the score that gives labels away by itself?"""
    return any(surprise.kind in ("row-labels", "chosen-rows") for surprise in identification.surprises)


def _words(share: float, guess: float, target: float, leaks: Any, out: Any) -> str:
    measured = f"{100 * share:.1f}% of {out.rows} made-up labels in {out.runs} submissions, where guessing gets {100 * guess:.1f}%"
    if leaks is True:
        return f"Attacks that know nothing of this scorer read {measured}."
    return f"Attacks that know nothing of this scorer read {measured}. That is no proof: what better ones get is not known."


def unrecognised(found: Found, identification: Identification, rows: int, queries: int, target_share: Optional[float],
                 max_seconds: Optional[float]) -> ProgramAudit:
    out = attacked(found, rows, queries, 0, max_seconds)
    tried = _tried(out)
    best = tried[0] if tried else Record(share=out.guess, error=0.0)
    target = target_share or min(out.guess + 0.05, 1.0)
    share = max(best.share or 0.0, out.guess)
    leaks: Union[bool, str] = True if is_bad(identification) or share - 2 * (best.error or 0) > target else "unknown"
    first = [surprise.text for surprise in identification.surprises]
    words = _words(share, out.guess, target, leaks, out)
    data = {"recognised": False, "leaks": leaks, "proved": False, "answer": first[0] if first else words, "verdict": words, "share": share,
            "guess": out.guess, "target_share": target, "rows": rows, "classes": out.classes, "queries": queries or None,
            "measured": Record(rows=out.rows, runs=out.runs, guess=number(out.guess), tried=tried, bits_per_answer=number(out.bits_per_answer),
                               max_share=number(out.max_share), evidence=string(out.evidence)), "tried": tried}
    return ProgramAudit(data, identification)


def probe(metric: Any, refused: Error, settings: Dict[str, Any], y_like: Any, target_share: Optional[float],
          max_seconds: Optional[float]) -> "tuple[Optional[Scorer], Union[Identification, ProgramAudit]]":
    """The description of a callable and the identification behind it, or the audit of one that has no description. `refused`: why the tables
    do not know it; it is the answer where the callable cannot be run, either."""
    count = Scorer(None, **{name: settings[name] for name in ("rows", "queries", "per_day", "days", "teams") if settings.get(name) is not None})
    rows, queries = count.count("rows"), count.count("queries")
    if not rows:
        raise Error("no rows: give rows=N, as many as the score is computed from")
    try:
        found = found_of(metric, rows, settings.get("classes"), settings.get("targets"), y_like, None, None, None)
    except Error as failed:
        raise Error(f"{refused}; and called with made-up labels: {failed}", failed.status) from None
    identification = found.result()
    log.info("%s", identification.answer)
    if not identification.recognised or identification.scorer is None:
        return None, unrecognised(found, identification, rows, queries, target_share, max_seconds)
    own = {name.replace("-", "_"): text for name, text in {**identification.identified, **found.world()}.items()}
    return Scorer({**own, **{name: given for name, given in settings.items() if given is not None}}), identification
