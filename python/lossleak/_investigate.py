"""After an incident: which labels did the scores of many submissions determine, after which of them, and for whom?"""
from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Dict, List, Optional

import numpy as np

from ._arrays import Predictions, copy_of
from ._identify import listed
from ._library import Error, Stop, amount, budget, c_text, ffi, handle, lib, log, run, string, value
from ._result import Record, Result, fields
from ._scorer import Scorer
from ._settings import explicit
from ._submissions import Submission, read_file, submissions_of

if TYPE_CHECKING:
    from ._settings import Settings, Unpack

_A_CELL = 100  # bytes that a prediction takes, as the program counts


class Investigation(Result):
    """What :func:`investigate` found. ``determined``: a row, label, ``by`` and ``after`` for each label that every labelling has that explains
    the scores, if the scorer is as described; ``labels``: the same as an array, -1 where a row is open; ``accounts``: counts, ``suspicion`` and
    ``why``; ``timeline``: every submission in order. That no account is suspicious is no proof of anything."""

    command = "investigate"
    _frame = "timeline"
    _ends = ("scorer",)
    rows: int
    classes: int
    submissions: int
    verdict: str
    suspicious: int
    contradicted: Optional[str]
    complete: bool
    untold: Optional[str]
    determined: List[Record]
    accounts: List[Record]
    timeline: List[Record]
    source: Optional[str]
    labels: np.ndarray

    def _lines(self) -> List[str]:
        suspects = [f"{account.account}: {account.why}" for account in self.accounts if account.suspicion]
        seen = "; ".join(suspects) or "of no account, which is no proof"
        note = "" if self.complete else "; too many submissions and rows to combine all sums: more labels may be determined"
        return fields(("verdict", self.verdict + note), ("suspicion", seen), ("scorer", f"{self.scorer}; {self.rows} rows of {self.classes} classes"))


# ---- what was found ----

def _account(a: Any) -> Record:
    return Record(account=string(a.name), submissions=a.submissions, determined=a.determined, determined_with_others=a.shared, marks=a.marked,
                  suspicion=bool(a.is_suspicious), why=string(a.why))


def _moment(m: Any, accounts: List[Record]) -> Record:
    return Record(submission=string(m.name), account=accounts[m.account].account, time=string(m.time), score=string(m.score), determined_alone=m.alone,
                  determined_together=m.together, mark=string(m.mark), why=string(m.why), unlike_others=bool(m.is_weak))


def _determined(out: Any, labels: np.ndarray, accounts: List[Record], timeline: List[Record]) -> List[Record]:
    by = copy_of(out.by, "unsigned char", out.rows * out.account_count).reshape(out.rows, out.account_count)
    return [Record(row=row, label=int(labels[row]), by=[accounts[place].account for place in map(int, np.flatnonzero(by[row]))],
                   after=timeline[out.after[row]].submission) for row in map(int, np.flatnonzero(labels >= 0))]


def _data(out: Any, labels: np.ndarray) -> Dict[str, Any]:
    accounts = [_account(a) for a in listed(lib.ll_investigation_get_account, out, out.account_count)]
    timeline = [_moment(m, accounts) for m in listed(lib.ll_investigation_get_moment, out, out.moment_count)]
    return {"rows": out.rows, "classes": out.classes, "submissions": out.moment_count, "verdict": string(out.verdict), "suspicious": out.suspicious,
            "contradicted": None if out.contradicted < 0 else timeline[out.contradicted].submission, "complete": bool(out.is_complete),
            "untold": string(out.untold), "determined": _determined(out, labels, accounts, timeline), "accounts": accounts, "timeline": timeline}


# ---- the history ----

class _History:
    """The library's history, begun by the first submission, which says how many rows there are."""

    def __init__(self, scorer: Scorer, count: int, max_memory: Optional[float]):
        self.scorer, self.count, self.stop = scorer, count, Stop()
        self.max_memory = amount(max_memory, "max_memory")
        self.exact = scorer.get("arithmetic") not in ("fp64", "fp32")
        self.handle: Any = None

    def _begin(self, first: Predictions) -> None:
        needed = _A_CELL * self.count * first.rows * first.columns
        if 0 < self.max_memory < needed:
            raise Error(f"over budget: a history of {self.count} submissions of {first.rows} rows needs about {needed} bytes of memory, "
                        f"{self.max_memory:.0f} are allowed (max_memory)", "unable")
        self.scorer = self.scorer.with_size(first.rows, max(2, first.columns))
        self.handle = handle("ll_history", lib.ll_history_destroy, lib.ll_history_create, self.scorer.handle)

    def add(self, given: Submission) -> None:
        values = read_file(given.path, self.exact) if given.predictions is None else given.predictions
        source = Predictions(values, given.name, self.stop)
        if self.handle is None:
            self._begin(source)
        texts = [ffi.NULL if text is None else ffi.new("char[]", c_text(text, given.name))
                 for text in (given.name, given.account, given.time, given.score)]
        try:
            run(lib.ll_history_add, self.handle, source.handle, *texts, stop=self.stop, keep=(source, self.scorer))
        except Error as error:
            raise Error(f"{given.name}: {error}", error.status) from None


@explicit
def investigate(history: Any, metric: Any = None, *, scores: Any = None, account_names: Any = None, times: Any = None, max_memory: Optional[float] = None,
                max_seconds: Optional[float] = None, **settings: Unpack[Settings]) -> Investigation:
    """Which labels did the scores of many submissions determine, after which of them, for which account, and which look like parts of a design?

    ``history`` is a pandas.DataFrame or a list of dictionaries with the columns ``predictions`` (an array), ``score`` and, where they are known,
    ``account``, ``time`` and ``file`` (a name; without ``predictions``, the file that has them); or a list of arrays, with ``scores``,
    ``account_names`` and ``times`` beside it; or a folder of files with a list of them, ``scores.csv`` or the file that ``scores`` names; or that list. Give scores
    with every digit that was released, as text where digits would be lost, and None where one is not known. Submissions are put in the order of their times.

    >>> import lossleak as ll
    >>> found = ll.investigate([[1, 0, 1], [1, 1, 1]], "sklearn/accuracy", scores=["0.66667", "0.33333"], account_names=["anna", "anna"], decimals=5)
    >>> found.determined
    [{'row': 1, 'label': 0, 'by': ['anna'], 'after': 'submission 2'}]
    """
    started = time.monotonic()
    given, source = submissions_of(history, scores, account_names, times)
    kept = _History(Scorer(metric, **settings), len(given), max_memory)
    for submission in given:
        kept.add(submission)
    read = time.monotonic() - started
    out, limits = value("ll_investigation", lib.ll_investigation_clear), budget(kept.stop, max_memory, max_seconds, None)
    log.info("investigate %d submissions: %s", len(given), kept.scorer)
    run(lib.ll_history_investigate, kept.handle, out, limits, stop=kept.stop, keep=kept.scorer)
    labels = copy_of(out.labels, "int32_t", out.rows)
    seconds = Record(read=read, total=time.monotonic() - started)
    return Investigation({**_data(out, labels), "source": source, "seconds": seconds}, kept.scorer, labels=labels)
