"""Which release keeps a promise, and what does it cost?"""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Dict, List, Optional

from . import _html
from ._audit import defence_of, defences_of, proposals_of, run_audit, setting_words, sized, within
from ._library import Error, string
from ._result import Record, Result, fields, number
from ._scorer import Scorer
from ._settings import explicit

if TYPE_CHECKING:
    from ._settings import Settings, Unpack


def _price(release: Record) -> str:
    ratio = release.noise_over_sampling_error
    return "a cost that is not known in sampling errors" if ratio is None else f"{ratio:.3g} sampling errors"


class Defence(Result):
    """What :func:`defend` found: ``releases``, those with a proof first, the cheapest on top. The ``settings`` of one, beside those of the
    scorer, describe a scorer that keeps the promise; its ``python`` is ``release(labels, predictions, account)`` as text, ready to be copied
    (``None``: ``no_python`` says why), and ``notice`` says what participants notice of it."""

    command = "defend"
    _frame = "releases"
    _ends = ("scorer",)
    releases: List[Record]
    target_share: float
    guess: float
    share_now: float
    sampling_error: Optional[float]
    verdict: str

    def _lines(self) -> List[str]:
        proved = [release for release in self.releases if release.proved]
        best = proved[0] if proved else self.releases[0] if self.releases else None
        words = "none was found" if best is None else (
            f"{best.kind}: {' '.join(f'{name}={text}' for name, text in best.settings.items())}, best attack {100 * best.share:.1f} %, "
            f"{'proved' if best.proved else 'not proved'} limit {100 * best.bound:.1f} %, {_price(best)}")
        notice = [] if best is None else [("notice", best.notice)]
        return fields(("release", words), *notice,
                      ("promise", f"at most {100 * self.target_share:.1f} % of the labels; now {100 * self.share_now:.1f} %, guessing "
                                  f"{100 * self.guess:.1f} %; {len(self.releases)} releases, {len(proved)} of them with a proof"),
                      ("scorer", self.scorer))

    def _repr_html_(self) -> str:
        percent = "{:.1f} %".format
        return _html.page(_html.table(
            "What keeps the promise, and what it costs",
            f"At most {100 * self.target_share:.1f} % of the labels; those with a proof first, the cheapest on top",
            ("release", "setting", "best attack", "proved limit", "over sampling error", "proved"),
            [(r.kind, setting_words(r), percent(100 * r.share), percent(100 * r.bound),
              "-" if r.noise_over_sampling_error is None else r.noise_over_sampling_error,
              "yes" if r.proved else "no") for r in self.releases]))


def _settings_of(text: str) -> Dict[str, str]:
    return dict(part.split("=", 1) for part in text.split())


def _releases(out: Any, most: float) -> List[Record]:
    made = []
    defences = defences_of(out)
    for p in proposals_of(out):
        d = defences[p.defence]
        if d.noise_over_sampling_error > most:
            continue
        made.append(defence_of(d))
        made[-1]["settings"] = Record(_settings_of(string(d.settings) or ""))
        made[-1]["change"] = string(p.change)
        made[-1]["notice"] = string(p.notice)
        made[-1]["python"] = string(p.python) or None
        made[-1]["no_python"] = string(p.no_python) or None
        made[-1]["check"] = string(p.check)
    return made


@explicit
def defend(metric: Any = None, *, share: Optional[float] = None, bits: Optional[float] = None, cost: Optional[float] = None,
           max_memory: Optional[float] = None, max_seconds: Optional[float] = None, threads: Optional[int] = None,
           **settings: Unpack[Settings]) -> Defence:
    """Which release keeps any attack below a share of the labels, and what does it cost?

    ``share``: nobody gets more than this share of the labels right (default: 5 points above guessing); or ``bits``: all answers together
    tell at most so many bits. ``cost``: only releases whose noise is at most so many sampling errors. The rest describes the scorer, as for
    :func:`audit`; ``rows`` and ``queries`` must be among it.

    >>> import lossleak as ll
    >>> found = ll.defend("sklearn/accuracy", rows=4000, queries=5, share=0.6)
    >>> found.releases[0].proved
    True
    """
    described = Scorer(metric, **settings)
    scorer = sized(described)
    if described.count("queries") == 0 and described.count("per-day") == 0:
        raise Error("no limit: give queries=T, all answers that you mean to give: tries x days x accounts")
    if share is not None and bits is not None:
        raise Error("share and bits are two ways to say one promise: give one of them")
    wishes = {"target_share": within("share", share, 1, "a share above 0, up to 1"),
              "target_bits": within("bits", bits, 1e15, "a number above 0")}
    most = within("cost", cost, 1e15, "a number above 0") or math.inf
    out = run_audit(scorer, wishes, max_memory, max_seconds, threads)
    data = {"releases": _releases(out, most), "target_share": out.target_share, "guess": out.guess, "rows": out.rows,
            "classes": out.classes, "share_now": out.share, "metric_known": True,
            "sampling_error": number(out.sampling_error), "verdict": string(out.verdict)}
    return Defence(data, scorer)
