"""What does a scorer give away, what can no attack exceed, and what would stop it?"""
from __future__ import annotations

import datetime
import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Union, cast

from . import _html, _known, _plot
from ._identify import Identification
from ._library import Error, Stop, budget, ffi, lib, log, run, string, value
from ._probe import ProgramAudit, is_bad, probe
from ._result import Record, Result, fields, number
from ._scorer import Scorer
from ._settings import explicit

if TYPE_CHECKING:
    from ._settings import Settings, Unpack

_REGIMES = {lib.LL_REGIME_ONE_QUERY: "one-query", lib.LL_REGIME_EXACT: "exact", lib.LL_REGIME_STATISTICAL: "statistical",
            lib.LL_REGIME_BOUNDED: "bounded"}
_TRUTHS: Dict[int, Union[bool, str]] = {lib.LL_TRUE: True, lib.LL_FALSE: False, lib.LL_UNKNOWN: "unknown"}


class Audit(Result):
    """What :func:`audit` found. ``leaks`` is True, False or ``"unknown"``; ``proved`` says whether the limit that no method
    passes is itself below the target."""

    command = "audit"
    _frame = "defences"
    regime: str
    best: Optional[Record]
    codes: List[Record]
    bound: Record
    defences: List[Record]
    leaks: Union[bool, str]
    verdict: str
    proved: bool
    failures: Optional[Record]
    several: Optional[Record]
    tried: List[Record]
    rows: int
    classes: int
    queries: Optional[int]
    share: float
    guess: float
    advantage: float
    target_share: float
    average_share: float
    sampling_error: Optional[float]
    honest_range: Optional[float]
    answer: str
    noise: Optional[str]
    proposals: List[Record]
    assumes: Record
    secrecy: Optional[Record]
    recognised: bool
    identification: Optional[Identification]

    def leak_word(self) -> str:
        """"yes", "no, proved", "no known attack" or "not known"."""
        if self.leaks is True:
            return "yes"
        return "no, proved" if self.proved else "not known" if self.leaks == "unknown" else "no known attack"

    def _lines(self) -> List[str]:
        best = f"{self.best.code}: {self.best.queries} submissions for all" if self.best else "no code applies"
        return fields(("answer", self.answer),
                      ("leaks", f"{self.leak_word()}; best attack {100 * self.share:.1f} % of the labels ({best}), proved limit "
                                f"{100 * self.bound.max_share_within_limit:.1f} %, guessing {100 * self.guess:.1f} %"),
                      ("scorer", f"{self.scorer}; {self.rows} rows of {self.classes} classes"))

    def to_html(self) -> str:
        """A whole page with the answer, what to do, the figures behind it, and the release as Python."""
        title = f"lossleak: {self.scorer.get('metric')}, {self.rows} rows, {datetime.date.today().isoformat()}"
        python = next((p.python for p in self.proposals if p.python), None)
        return _html.document(title, f"<h1>{_html.text(title)}</h1>" + self._repr_html_() +
                              (f"<h3>The first release to do, in Python</h3><pre>{_html.text(python)}</pre>" if python else ""))

    def plot(self, what: str = "labels", ax: Any = None) -> Any:
        """A picture by Matplotlib: ``"labels"`` (labels against submissions, with the bound), ``"decimals"`` (labels a submission
        against decimals shown) or ``"defences"`` (what is left, against what it costs). Returns the axes."""
        return _plot.audit(self, what, ax)

    def _repr_html_(self) -> str:
        percent = "{:.1f} %".format
        codes = [[c.code, c.why] if c.queries is None else
                 [c.code, c.labels_per_query, c.queries, c.recovered_within_limit, c.guarantee] for c in self.codes]
        best = next((place for place, code in enumerate(self.codes) if code is self.best), None)
        return _html.page(
            _html.verdict(self.answer, self.leaks, self.proved),
            _html.steps("What to do", [f"{p.text} {p.cost}" for p in self.proposals]),
            _html.facts((("leaks", self.leak_word()), ("labels right, best attack", percent(100 * self.share)),
                         ("by guessing", percent(100 * self.guess)),
                         ("no method gets more than", percent(100 * self.bound.max_share_within_limit)),
                         ("hidden rows", self.rows), ("submissions answered", self.queries))),
            f"<p>{_html.text(str(self.scorer))}; all that follows holds as far as this description does.</p>",
            _html.table("What attacks do", "Every code that lossleak knows, planned for this scorer; the best is bold",
                        ("code", "labels a submission", "submissions for all", "labels within the limit", "guarantee"), codes, best),
            _html.table("What no attack can do", f"Proved for every attack, known or not: for {self.bound.assumptions}",
                        ("", "any method", "submissions fixed beforehand"),
                        (("bits that one answer tells, at most", self.bound.bits_per_query,
                          self.bound.bits_per_query_nonadaptive),
                         ("submissions for all labels, at least", self.bound.min_queries, self.bound.min_queries_nonadaptive))),
            _html.table("What would stop it, and what that costs",
                        f"Settings that keep the best attack at {100 * self.target_share:.1f} % of the labels",
                        ("defence", "setting", "best attack", "proved limit", "over sampling error", "verified"),
                        [(d.kind, setting_words(d), percent(100 * d.share), percent(100 * d.bound),
                          "-" if d.noise_over_sampling_error is None else d.noise_over_sampling_error,
                          "yes" if d.verified else "no") for d in self.defences]))


def setting_words(defence: Record) -> str:
    unit = unit_of(defence)
    setting = defence[unit]
    return "none" if setting is None else f"{unit} {setting:.4g}"


def unit_of(defence: Record) -> str:
    """The key that holds the setting: the second one."""
    return list(defence)[1]


def _choice(c: Any) -> Record:
    code = string(c.code)
    if c.status != lib.LL_OK:
        return Record(code=code, labels_per_query=None, queries=None, recovered_within_limit=0, guarantee="none",
                      why=string(c.why))
    return Record(code=code, labels_per_query=c.labels_per_query, queries=c.queries, recovered_within_limit=c.recovered,
                  guarantee="certified" if c.guarantee == lib.LL_CERTIFIED else "likely", block=c.block,
                  score_bits=number(c.score_bits))


def bound_of(b: Any) -> Record:
    return Record(bits_per_query=number(b.bits_per_query), bits_per_query_nonadaptive=number(b.bits_per_query_fixed),
                  label_bits=number(b.label_bits), min_queries=number(b.min_queries),
                  min_queries_nonadaptive=number(b.min_queries_fixed), max_share_within_limit=b.max_share,
                  epsilon=number(b.epsilon), delta=number(b.delta), private_share=b.private_share, reach=number(b.reach),
                  sensitivity=number(b.sensitivity))


def _tried(tried: Any, count: int) -> List[Record]:
    return [Record(attack=string(t.attack), runs=t.runs, share=t.share, error=t.error) for t in tried[0:count]]


def defence_of(d: Any) -> Record:
    unit = string(d.unit) or "setting"
    made = Record({"kind": string(d.kind), unit: number(d.setting)})
    made.update(epsilon=number(d.epsilon), verified=bool(d.verified and d.setting == d.setting),
                noise_over_sampling_error=number(d.noise_over_sampling_error), delta=number(d.delta),
                priced_for_queries=number(d.queries), share=d.share, bound=d.bound, error=number(d.error),
                distance=number(d.distance), note=string(d.note), tried=_tried(d.tried, d.tried_count), proved=bool(d.proved))
    if d.scale > 0 and unit != "scale":
        made["scale"] = number(d.scale)
    return made


def defences_of(a: Any) -> List[Any]:
    return [lib.ll_audit_get_defence(a, place)[0] for place in range(a.defence_count)]


def _failures(a: Any) -> Optional[Record]:
    """What submissions that fail give away, where they are not counted."""
    text = string(a.failures)
    if not text:
        return None
    return Record(tell_labels=_TRUTHS[a.failures_tell], uncounted=number(a.failed_submissions), counted=number(a.counted_submissions), text=text)



def _several(a: Any) -> Optional[Record]:
    """What several numbers of one answer tell together, and which to stop showing first."""
    if a.numbers < 2:
        return None
    stop = string(a.stop_first) or None
    return Record(numbers=a.numbers, sum_bits=number(a.sum_bits), stop_first=stop, queries_without=number(a.queries_without) if stop else None,
                  min_queries_without=number(a.min_queries_without) if stop else None, alone=string(a.alone) or None, text=string(a.several) or "")


def proposals_of(a: Any) -> List[Any]:
    """All that the library proposes, best first."""
    return [lib.ll_audit_get_proposal(a, place)[0] for place in range(a.proposal_count)]


def _proposal(a: Any, p: Any) -> Record:
    return Record(kind=string(defences_of(a)[p.defence].kind), text=f"{string(p.change)} {string(p.effect)}", cost=string(p.cost), proved=bool(p.proved),
                  check=string(p.check), python=string(p.python) or None, notice=string(p.notice), no_python=string(p.no_python) or None)


def _secrecy(s: Any) -> Optional[Record]:
    """What hiding the public split is worth."""
    if s == ffi.NULL:
        return None
    return Record(rows=s.rows, public=s.scored, known_queries=number(s.known), hidden_queries=number(s.hidden), unsized_queries=number(s.unsized),
                  known_min_queries=number(s.known_bound), hidden_min_queries=number(s.hidden_bound), state_bits=number(s.state_bits),
                  factor=number(s.hidden / s.known), verdict=string(s.text))


def _data(a: Any) -> Dict[str, Any]:
    codes = [_choice(lib.ll_audit_get_choice(a, place)) for place in range(a.choice_count)]
    bound = bound_of(a.bound)
    bound["assumptions"] = string(a.assumptions)
    return {"regime": _REGIMES[a.regime], "best": codes[a.best] if a.best >= 0 else None, "codes": codes, "bound": bound,
            "defences": [defence_of(d) for d in defences_of(a)],
            "leaks": _TRUTHS[a.leaks], "verdict": string(a.verdict), "proved": bool(a.proved), "failures": _failures(a), "several": _several(a),
            "tried": _tried(a.tried, a.tried_count), "rows": a.rows, "classes": a.classes, "queries": number(a.queries),
            "share": a.share, "guess": a.guess, "advantage": a.share - a.guess, "target_share": a.target_share,
            "average_share": a.average_share, "sampling_error": number(a.sampling_error), "honest_range": number(a.honest_range),
            "answer": string(a.answer), "noise": string(a.noise) or None,
            "proposals": [_proposal(a, p) for p in proposals_of(a) if p.recommended],
            "assumes": Record(arithmetic=string(a.assumed_arithmetic), prior=string(a.assumed_prior), text=string(a.assumptions)),
            "secrecy": _secrecy(a.split), "recognised": True}


def within(name: str, given: Optional[float], most: float, accepted: str) -> float:
    if given is None:
        return 0.0
    if not 0 < given <= most:
        raise Error(f"{name} {given}: out of range; accepted: {accepted}")
    return float(given)


def sized(described: Scorer) -> Scorer:
    """With two classes where nothing is said, not even by a prior."""
    if described.count("rows") == 0:
        raise Error("no rows: give rows=N, as many as the score is computed from")
    return described.with_size(0, 0 if described.get("prior") else 2)


def run_audit(scorer: Scorer, wishes: Dict[str, Any], max_memory: Optional[float], max_seconds: Optional[float],
              threads: Optional[int]) -> Any:
    """The library's audit; `wishes` are fields of its request."""
    stop = Stop()
    request, limits = value("ll_audit_request"), budget(stop, max_memory, max_seconds, threads)
    request.budget, request.seed = limits, int(scorer.get("seed") or 0)
    request.combinations = 1  # as the program asks for
    for name, wish in wishes.items():
        setattr(request, name, wish)
    out = value("ll_audit", lib.ll_audit_clear)
    log.info("audit of %s", scorer)
    run(lib.ll_audit_run, out, scorer.handle, request, stop=stop, keep=limits)
    return out


def _refusal(metric: Any) -> Optional[Error]:
    """Why the tables do not know a callable; None where they do, or where it is a description."""
    if metric is None or isinstance(metric, (str, Scorer, Mapping)):
        return None
    try:
        _known.of(metric)
    except Error as refused:
        return refused
    return None


def _with_identification(data: Dict[str, Any], found: Identification) -> Dict[str, Any]:
    """What was found beside the score comes first."""
    first = [surprise.text for surprise in found.surprises]
    more = {"answer": " ".join([*first[:1], data["answer"]]), "leaks": True if is_bad(found) else data["leaks"],
            "proved": data["proved"] and not first}
    return {**data, **(more if first else {})}


@explicit
def audit(metric: Any = None, *, target_share: Optional[float] = None, epsilon: Optional[float] = None,
          delta: Optional[float] = None, defences: bool = True, y_like: Any = None, max_memory: Optional[float] = None,
          max_seconds: Optional[float] = None, threads: Optional[int] = None, **settings: Unpack[Settings]) -> Union[Audit, ProgramAudit]:
    """What does a scorer give away, what can no attack exceed, and what would stop it? No labels are needed.

    ``metric`` and ``settings`` describe the scorer as for :class:`Scorer`; ``rows`` must be among them. ``queries`` is all that
    anybody can ask: tries a day x days x accounts. ``target_share`` is the share of right labels that an attack may reach (default:
    5 points above guessing). ``defences=False`` leaves out what would stop it, which takes most of the time.

    A callable that the tables do not know is called with made-up labels (:func:`identify`; ``y_like`` is an example of its labels). Where
    a description fits, that is audited; where none does, the callable is attacked as it is, and the result is a :class:`ProgramAudit`.

    >>> import lossleak as ll
    >>> audit = ll.audit("sklearn-1.2/log_loss", rows=2201, decimals=5, queries=200, defences=False)
    >>> audit.leaks, audit.best.code, audit.best.queries
    (True, 'detecting', 143)
    """
    refused = _refusal(metric)
    found: Optional[Identification] = None
    if refused is not None:
        described, probed = probe(metric, refused, dict(settings), y_like, target_share, max_seconds)
        if isinstance(probed, ProgramAudit):
            return probed
        found = probed
        scorer = sized(cast(Scorer, described))
    else:
        scorer = sized(Scorer(metric, **settings))
    wishes = {"without_defences": not defences, "combinations": 1,
              "target_share": within("target_share", target_share, 1, "a share above 0, up to 1"),
              "epsilon": within("epsilon", epsilon, 700, "a number above 0, up to 700"),
              "delta": within("delta", delta, 0.5, "a number above 0, up to 0.5")}
    data = _data(run_audit(scorer, wishes, max_memory, max_seconds, threads))
    return Audit(data if found is None else _with_identification(data, found), scorer, identification=found)


def audit_report(path: Union[str, "os.PathLike[str]"], metric: Any = None, **options: Any) -> Union[Audit, ProgramAudit]:
    """Audit a scorer, and write a page about it to a file: the answer first, then what to do, then the figures. The arguments after ``path`` are
    those of :func:`audit`, whose result is returned; it may be given in place of ``metric``.

    >>> import lossleak as ll, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = ll.audit_report(os.path.join(folder, "audit.html"), "sklearn/accuracy", rows=100, decimals=2, queries=5)
    ...     os.listdir(folder)
    ['audit.html']
    """
    found = metric if isinstance(metric, (Audit, ProgramAudit)) else audit(metric, **options)
    page = found.to_html() if isinstance(found, Audit) else _html.document("lossleak: an audit", found._repr_html_())
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)
    return found
