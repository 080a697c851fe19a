"""Scores that contradict the description of their scorer: what would fit instead."""
from __future__ import annotations

from typing import Any, Dict, List, Sequence

from ._library import Stop, budget, c_text, ffi, lib, run, string, value
from ._result import Record
from ._scorer import Scorer


def _option(setting: str) -> str:
    """As the command line has it: a flag has no value."""
    name, text = setting.split("=", 1)
    return f"--{name}" if text == "yes" else f"without --{name}" if text == "no" else f"--{name} {text}"


def would_fit(scorer: Scorer, plan: Any, predictions: Sequence[Any], scores: Sequence[str], none: bool,
              verdict: Any = None) -> Dict[str, Any]:
    """Keys of the JSON: ``would_fit``, descriptions under which the scores would be explained, ``scores_note``. ``plan``: a handle,
    or NULL, where ``predictions`` has one source a score."""
    if not scores or lib.ll_scorer_count_numbers(scorer.handle) > 1:
        return {}
    stop = Stop()
    texts = [ffi.new("char[]", c_text(text, "scores")) for text in scores]
    request, out = value("ll_refit_request"), value("ll_refit", lib.ll_refit_clear)
    array, limits = ffi.new("char *[]", texts), budget(stop, None, None, None)
    sources = ffi.new("ll_predictions[]", [source[0] for source in predictions]) if predictions else ffi.NULL
    request.plan, request.predictions, request.count = plan, sources, len(texts)
    request.scores = ffi.cast("const char *const *", array)
    request.explained, request.budget = not none, limits
    request.verdict = ffi.NULL if verdict is None else verdict
    run(lib.ll_refit_find, out, scorer.handle, request, stop=stop, keep=(texts, array, sources, limits))
    found = {"would_fit": [_record(out, place) for place in range(out.fit_count)], "scores_note": string(out.note)}
    return found


def _record(out: Any, place: int) -> Record:
    fit = lib.ll_refit_get_fit(out, place)
    settings = string(fit.settings) or ""
    return Record(settings=settings, options=" ".join(map(_option, settings.split())), why=string(fit.why), proved=bool(fit.proved))


def words(fits: List[Record]) -> str:
    return "; ".join(f"{fit.options} would fit: {fit.why}" for fit in fits)
