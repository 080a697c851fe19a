"""Pictures by Matplotlib. Every point is asked of the library: plans are counted, bounds computed for a changed scorer."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

import numpy as np

from ._library import Error, ffi, lib, quick, rows_of, string, value

if TYPE_CHECKING:
    from ._audit import Audit

_STEPS = 28


def limit_share(scorer: Any, queries: float) -> float:
    """What no method can exceed with so many queries."""
    bound = ffi.new("ll_audit_bound *")
    quick(lambda error: lib.ll_audit_limit(bound, scorer.handle, queries, ffi.sizeof("ll_audit_bound"), error))
    return bound.max_share


def _limit_bits(scorer: Any) -> Tuple[float, float]:
    """Labels that one answer tells at most: by any method, and where all queries are fixed beforehand."""
    bound = ffi.new("ll_audit_bound *")
    quick(lambda error: lib.ll_audit_limit(bound, scorer.handle, 1, ffi.sizeof("ll_audit_bound"), error))
    rows = scorer.count("rows")
    a_label = bound.label_bits / rows
    return min(rows, bound.bits_per_query / a_label), min(rows, bound.bits_per_query_fixed / a_label)


def count_queries(scorer: Any, code: str, rows: np.ndarray) -> Optional[np.ndarray]:
    """What a code takes for the labels of so many rows; None where it does not serve."""
    asked = np.ascontiguousarray(rows, dtype=np.int64)
    queries = np.empty_like(asked)
    request, name = value("ll_plan_request"), ffi.new("char[]", code.encode())
    request.code = name
    status = lib.ll_plan_count(ffi.from_buffer("long[]", queries), ffi.from_buffer("long[]", asked), len(asked), scorer.handle,
                               request, ffi.NULL)
    return queries if status == lib.LL_OK else None


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise Error("plot: Matplotlib is not installed", "system") from None
    return plt.subplots(figsize=(7, 4.2), layout="constrained")[1]


def audit(audit_: "Audit", what: str, ax: Any) -> Any:
    kinds = {"labels": _labels, "decimals": _decimals, "defences": _defences}
    if what not in kinds:
        raise Error(f"plot {what}: no such picture; there are {', '.join(kinds)}")
    ax = _axes(ax)
    kinds[what](audit_, ax)
    return ax


# As on the page of `audit`: a code has one colour in every picture, and green is what is proved.
_COLOURS = ("#0072b2", "#d55e00", "#cc79a7", "#b58900", "#56b4e9", "#7f7f7f", "#8c564b", "#e31a1c", "#6a51a3", "#e69f00")
_PROVED = "#009e73"


def _colour(code: str) -> str:
    names = [string(info.name) for info in rows_of(lib.ll_code_count, lib.ll_code_get_info)]
    return _COLOURS[(names.index(code) if code in names else 0) % len(_COLOURS)]


def _different(audit_: "Audit") -> List[str]:
    """Codes that do just as another does are drawn once, and those that prove nothing not at all."""
    proved = {string(info.name) for info in rows_of(lib.ll_code_count, lib.ll_code_get_info)
              if string(info.guarantee) == "proved"}
    seen: Dict[Tuple[int, int], str] = {}
    for code in audit_.codes:
        if code.queries is not None and code.code in proved:
            seen.setdefault((code.queries, code.block), code.code)
    return list(seen.values())


def _labels(a: "Audit", ax: Any) -> None:
    rows = np.unique(np.rint(np.power(float(a.rows), np.linspace(0, 1, _STEPS))).astype(np.int64))
    most = max(10, a.queries or 1)
    for code in _different(a):
        queries = count_queries(a.scorer, code, rows)
        if queries is not None:
            ax.plot(queries, 100 * (rows + (a.rows - rows) * a.guess) / a.rows, label=code, color=_colour(code))
            most = max(most, int(queries.max()))
    points = np.geomspace(1, most, 2 * _STEPS)
    shares = [100 * limit_share(a.scorer, q) for q in points]
    ax.plot(points, shares, "--", color=_PROVED, label="no method gets more")
    ax.fill_between(points, shares, 101, color="0.5", alpha=0.25, linewidth=0)
    if a.queries:
        ax.axvline(a.queries, color="0.5", linewidth=1, linestyle=":", label="submissions answered")
    ax.set(xscale="log", xlabel="submissions", ylabel="labels right, percent", title="Labels against submissions",
           ylim=(10 * math.floor(10 * a.guess), 101))
    ax.legend(fontsize="small")


def _decimals(a: "Audit", ax: Any) -> None:
    places = range(13)
    best = a.best.code if a.best else None
    points = []
    for decimals in places:
        scorer = a.scorer.vary(decimals=str(decimals), digits=None, truncate=None)
        queries = count_queries(scorer, best, np.array([a.rows])) if best else None
        points.append((*_limit_bits(scorer), math.nan if queries is None else a.rows / queries[0]))
    any_method, fixed, reached = zip(*points)
    ax.plot(places, any_method, "--", color=_PROVED, label="no method gets more")
    ax.plot(places, fixed, color="0.4", label="nor a fixed set of submissions")
    ax.plot(places, reached, "o-", color=_colour(best or ""), label=best or "no code applies")
    ax.set(xlabel="decimals", ylabel="labels a submission", title="Labels a submission, against decimals shown", ylim=(0, None))
    ax.legend(fontsize="small")


def _defences(a: "Audit", ax: Any) -> None:
    priced = [d for d in a.defences if d.noise_over_sampling_error]
    for defence in priced:
        line, = ax.plot(defence.noise_over_sampling_error, 100 * defence.share, "o", label=f"{defence.kind}: best attack")
        ax.plot(defence.noise_over_sampling_error, 100 * defence.bound, "v", color=line.get_color(),
                label=f"{defence.kind}: proved limit")
    ax.axhline(100 * a.target_share, color="0.3", linewidth=1, linestyle=":", label="target")
    ax.axvline(1, color="0.7", linewidth=1)
    ax.set(xscale="log", xlabel="noise, in sampling errors of the score", ylabel="labels right, percent",
           title="Defences and their cost", ylim=(10 * math.floor(10 * a.guess), 101))
    ax.legend(fontsize="small")
