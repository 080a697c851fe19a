"""Curators: whoever holds labels and releases scores."""
from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, List, Optional, Sequence, Tuple

import numpy as np

from ._arrays import Predictions, labels_of, matched_by_ids, numbers_of_names, refuse_other_order, targets_of
from ._library import Error, Stop, c_text, ffi, handle, lib, run, string, value, whole
from ._result import Record, Result, fields
from ._scorer import Scorer
from ._settings import explicit

if TYPE_CHECKING:
    from ._settings import Settings, Unpack


class Score(Result):
    """A released score. ``score`` is its text, every digit of it; ``float(score)`` the number; ``interval`` where the real
    program's number must lie. Where an answer has several (``also=[...]``), ``numbers`` has each of them with its metric."""

    command = "score"
    score: str
    interval: Tuple[str, str]
    numbers: List[Record]
    rows: int
    classes: int
    counts: List[int]
    mapping: Optional[List[str]]

    def __float__(self) -> float:
        if len(self.numbers) > 1:
            raise Error(f"the answer has {len(self.numbers)} numbers, not one: see numbers")
        return float(self.score)

    def _lines(self) -> List[str]:
        low, high = self.interval
        return fields(("score", self.score), ("interval", f"[{low}, {high}]"), ("scorer", f"{self.scorer}; {self.rows} rows"))


def _counts(labels: np.ndarray, classes: int) -> List[int]:
    """Of each class; bincount would convert the labels first."""
    if classes > 2:
        return [int(count) for count in np.bincount(labels, minlength=classes)]
    ones = int(np.count_nonzero(labels))
    return [len(labels) - ones, ones]


class SimulatedCurator:
    """A simulation of a curator: it holds labels and answers predictions with scores, as a scorer says.

    It protects nobody: its noise is a function of the seed and repeats from run to run, it keeps no ledger, and whoever can call it
    can read its labels. To score real submissions, use :class:`Guard`.

    It is a callable of an array, so that :func:`attack` takes it as an oracle; then the attack runs in C alone.

    >>> import lossleak as ll
    >>> curator = ll.Curator([0, 1, 1], "sklearn/brier", decimals=3)
    >>> curator([0.5, 0.9, 0.2])
    0.3
    """

    @explicit
    def __init__(self, labels: Any, metric: Any = None, **settings: Unpack[Settings]):
        described = Scorer(metric, **settings)
        numbers = described.targets()
        held: Tuple[np.ndarray, int, Optional[Sequence[Any]]] = (
            targets_of(labels, "labels", numbers) if numbers else labels_of(labels, "labels", described.count("classes") or None))
        self.labels, classes, self.names = held
        self.labels = self.labels.copy()  # the caller's array may change, and the curator's labels do not
        self.labels.flags.writeable = False
        self.scorer = described.with_size(len(self.labels), classes)
        rows = self.scorer.count("rows")
        if rows != len(self.labels):
            raise Error(f"labels: {len(self.labels)} of them, but {rows} rows")
        self.handle = handle("ll_curator", lib.ll_curator_destroy, lib.ll_curator_create, self.scorer.handle,
                             ffi.from_buffer("int32_t[]", self.labels), len(self.labels))

    def release(self, predictions: Any) -> Score:
        """The score of predictions, with the interval of the real program; it counts as a query. Where the labels are words, predictions may
        be the same words."""
        stop = Stop()
        source = Predictions(numbers_of_names(predictions, self.names), "predictions", stop)
        out = value("ll_score", lib.ll_score_clear)
        run(lib.ll_curator_score, self.handle, out, source.handle, stop=stop, keep=source)
        classes = self.scorer.count("classes")
        texts = zip(*((string(text) or "").split() for text in (out.text, out.lower, out.upper)))
        numbers = [Record(metric=self.scorer.number(place), text=text, lower=low, upper=high) for place, (text, low, high) in enumerate(texts)]
        data = {"score": string(out.text), "interval": [string(out.lower), string(out.upper)], "numbers": numbers, "rows": len(self.labels),
                "classes": classes, "counts": _counts(self.labels, classes),
                "mapping": None if self.names is None else [str(name) for name in self.names]}
        return Score(data, self.scorer)

    def __call__(self, predictions: Any) -> Any:
        """The number; of several the text of the answer."""
        if (self.scorer.get("noise") or "none").split(":")[0] not in ("none", "bounded"):
            warnings.warn("lossleak.Curator is a simulation: its noise repeats from run to run and protects nobody; "
                          "lossleak guard scores real submissions", UserWarning, stacklevel=2)
        score = self.release(predictions)
        return score.score if len(score.numbers) > 1 else float(score)


Curator = SimulatedCurator  # its short name


@explicit
def score(labels: Any, predictions: Any, metric: Any = None, **settings: Unpack[Settings]) -> Score:
    """The score that labels and predictions get: the number that a simulated curator releases, and the interval where the real
    program's must lie. Where the labels are words, predictions may be the same words; two DataFrames with a column of ids of one name
    are matched by it.

    >>> import lossleak as ll
    >>> ll.score([0, 1, 1], [0.5, 0.9, 0.25], "sklearn/brier")
    score     0.27416666666666667
    interval  [0.27416666666666655, 0.2741666666666668]
    scorer    sklearn/brier: squared, fp64, pairwise sum; 3 rows
    """
    labels, predictions = matched_by_ids(labels, predictions)
    refuse_other_order(labels, predictions)
    return Curator(labels, metric, **settings).release(predictions)


def dataset(name: str, seed: int = 1) -> np.ndarray:
    """The labels of an embedded data set: its real class counts, in an order that the seed gives.

    >>> import lossleak as ll
    >>> len(ll.dataset("titanic"))
    2201
    """
    known = {string(info.name): info for info in
             (lib.ll_dataset_get_info(place) for place in range(lib.ll_dataset_count()))}
    rows = known[name].rows if name in known else 0
    labels = np.empty(rows, dtype=np.int32)
    error = ffi.new("ll_error *")
    if lib.ll_dataset_labels(ffi.from_buffer("int32_t[]", labels), rows, c_text(name, "dataset"), whole(seed, "seed"), error) != lib.LL_OK:
        raise Error(f"dataset {name}: {string(error.text)}")
    return labels
