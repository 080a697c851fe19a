"""Arrays and texts of every kind, for every function that takes them: what means the same gives the same, and all else is an Error that says
which argument is wrong. Nothing else is raised, and nothing is ignored."""
import decimal

import numpy as np
import pandas as pd
import pytest
import torch

import lossleak as ll

P = np.array([0.75, 0.25, 0.5, 0.875, 0.125, 0.375])  # every float holds them
Y = np.array([1, 0, 0, 1, 0, 1])
PLAN = ll.plan("sklearn/brier", rows=6, decimals=2)
SCORES = np.array([float(ll.score(Y, p, "sklearn/brier", decimals=2)) for p in PLAN])

# name: (a function of one array that must mean the same as the plain one, that array)
SLOTS = {
    "labels": (lambda y: ll.score(y, P, "sklearn/brier").score, Y),
    "labels of ranks": (lambda y: ll.score(y, P, "sklearn/roc_auc").score, Y),
    "labels of a curator": (lambda y: ll.Curator(y, "sklearn/accuracy", classes=2).labels.tolist(), Y),
    "targets": (lambda y: ll.score(y, P, "mse", targets="0:1:1").score, Y),
    "predictions": (lambda p: ll.score(Y, p, "sklearn/brier").score, P),
    "predictions of ranks": (lambda p: ll.score(Y, p, "sklearn/roc_auc").score, P),
    "predictions of numbers": (lambda p: ll.score(Y, p, "mse", targets="0:1:1", arithmetic="fp64").score, P),
    "predicted labels": (lambda p: ll.score(Y, p, "sklearn/f1").score, Y),
    "infer": (lambda p: ll.infer(p, "0.1484375", "sklearn/brier").labels.tolist(), P),
    "separate": (lambda p: ll.separate(p, "sklearn/brier").gap, P),
    "inspect": (lambda p: ll.inspect(p, "sklearn/brier").finding, P),
    "scores": (lambda s: PLAN.decode(s).labels.tolist(), SCORES),
    "an answer": (lambda s: ll.attack(iter_of(s), "sklearn/brier", rows=6, decimals=2).labels.tolist(), SCORES),
    "table": (lambda v: ll.separate_table(v).gap, np.array([0.0, 1.5, 2.25, 4.0])),
    "prior": (lambda v: ll.Scorer("squared", rows=6, prior=v).get("prior"), np.array([0.25, 0.75])),
    "counts": (lambda v: ll.Scorer("squared", rows=6, counts=v).get("counts"), np.array([2, 4])),
}
NUMBERS = {"scores", "an answer", "table"}  # one by one, each may be a text
SETTINGS = {"prior", "counts"}
LABELS = {"labels", "labels of ranks", "labels of a curator"}


def iter_of(scores):
    answers = iter(scores)
    return lambda predictions: next(answers)


def read_only(a):
    a = a.copy()
    a.flags.writeable = False
    return a


def masked(a, *places):
    mask = np.zeros(len(a), dtype=bool)
    mask[list(places)] = True
    return np.ma.array(a, mask=mask)


def holding(a, value):
    return [*a.tolist()[:1], value, *a.tolist()[2:]]


SAME = {
    "list": lambda a: a.tolist(), "tuple": lambda a: tuple(a.tolist()), "strided": lambda a: np.repeat(a, 3)[::3], "reversed": lambda a: a[::-1].copy()[::-1],
    "read-only": read_only, "big-endian": lambda a: a.astype(a.dtype.newbyteorder(">")), "objects": lambda a: a.astype(object),
    "no mask": masked, "series": pd.Series, "index": lambda a: pd.Series(a, index=range(len(a), 0, -1)), "memory": lambda a: memoryview(a),
    "nullable": lambda a: pd.Series(a, dtype="Int64" if a.dtype.kind == "i" else "Float64"), "float32": lambda a: a.astype(np.float32),
    "float16": lambda a: a.astype(np.float16), "long": lambda a: a.astype(np.longdouble), "numpy scalars": list,
}
SAME_LABELS = {"bool": lambda a: a.astype(bool), "int8": lambda a: a.astype(np.int8), "uint64": lambda a: a.astype(np.uint64), "column": lambda a: a[:, None],
               "tensor": torch.tensor, "nullable bools": lambda a: pd.Series(a.astype(bool), dtype="boolean"), "bools": lambda a: a.astype(bool).astype(object),
               "categories": lambda a: pd.Series(a).astype("category")}
WRONG = {
    "masked": lambda a: masked(a, 1), "all masked": lambda a: masked(a, *range(len(a))), "a masked value": lambda a: holding(a, np.ma.masked),
    "none": lambda a: holding(a, None), "nan": lambda a: holding(a.astype(float), np.nan), "inf": lambda a: holding(a.astype(float), np.inf),
    "missing": lambda a: pd.Series(holding(a, None), dtype="Int64" if a.dtype.kind == "i" else "Float64"), "NA": lambda a: holding(a, pd.NA),
    "NaT": lambda a: holding(a, pd.NaT), "complex": lambda a: a + 1j, "complex zero": lambda a: a.astype(complex),
    "dates": lambda a: a.astype("int64").astype("datetime64[ns]"), "spans": lambda a: a.astype("int64").astype("timedelta64[ns]"),
    "records": lambda a: np.array([(x,) for x in a], dtype=[("x", float)]), "scalar": lambda a: np.array(0.5), "cube": lambda a: a.reshape(1, 1, -1),
    "ragged": lambda a: holding(a, [0.25, 0.5]), "lists": lambda a: np.array([[x] for x in a] + [[]], dtype=object)[:-1], "dict": lambda a: {0: a},
    "set": lambda a: set(a.tolist()), "object": lambda a: object(), "half": lambda a: torch.tensor(a, dtype=torch.float64).to(torch.bfloat16),
    "sparse": lambda a: torch.tensor(a).to_sparse(), "mixed": lambda a: holding(a, "x"), "bytes": lambda a: holding(a, b"\xff"), "NUL": lambda a: holding(a, "0.5\0"),
    "function": lambda a: len, "huge": lambda a: holding(a, 10**400), "a float that lies": lambda a: holding(a, Lying()),
}

# Where something of WRONG is right after all: 10^400 is a number, a list of one number is an answer, and tensors are read number by number.
RIGHT = {(name, slot) for name in ("lists", "huge", "half", "sparse") for slot in NUMBERS}
WHOLE = {"scalar", "cube", "dict", "set", "object", "function", "half", "sparse", "records", "missing"}  # no list of answers


class Lying:
    def __float__(self):
        raise RuntimeError("no number here")


@pytest.mark.parametrize("slot", SLOTS)
def test_what_means_the_same(slot):
    function, plain = SLOTS[slot]
    expected = function(plain)
    labelled = slot in LABELS or slot == "targets"
    for name, change in {**SAME, **(SAME_LABELS if labelled else {})}.items():
        if name in ("float32", "float16") and slot in NUMBERS or name == "memory" and slot in SETTINGS:
            continue  # scores have digits that these do not hold
        if name in ("float32", "float16", "long", "nullable") and slot == "counts":
            continue
        assert function(change(plain)) == expected, name


@pytest.mark.parametrize("slot", SLOTS)
def test_what_is_wrong(slot):
    function, plain = SLOTS[slot]
    for name, change in WRONG.items():
        if (name, slot) in RIGHT or slot == "an answer" and name in WHOLE:
            continue
        given = change(plain)
        with pytest.raises((ll.Error, RuntimeError) if name == "a float that lies" else ll.Error) as refused:
            print(name, function(given))
        assert len(str(refused.value)) > 8, name


@pytest.mark.parametrize("slot", [slot for slot in SLOTS if slot not in NUMBERS | SETTINGS])
def test_what_is_wrong_of_arrays(slot):
    function, plain = SLOTS[slot]
    for given in (plain[:0], np.zeros((0, 3)), (x for x in plain), "0101", [], [[]], None):
        with pytest.raises(ll.Error, match="shape|not an array|values? of|rows|object"):
            function(given)


# ---- labels ----

@pytest.mark.parametrize("labels, place", [([0, 1, None], 2), (["a", None, "b"], 1), (["a", float("nan"), "b"], 1), ([1.0, float("nan"), 0.0], 1),
                                           (pd.Series(["a", "b", pd.NA], dtype="string"), 2), (pd.Series(["a", None, "b"]).astype("category"), 1)])
def test_a_missing_label_is_no_class(labels, place):
    with pytest.raises(ll.Error, match=rf"labels\[{place}\]"):
        ll.score(labels, [0, 1, 1], "sklearn/accuracy")


def test_labels_are_what_they_are():
    assert ll.Curator(np.array([10, 9, 10], dtype=object), "accuracy").names == [9, 10]
    assert ll.Curator([b"no", b"yes"], "accuracy").names == ["no", "yes"]
    assert ll.Curator(["a", "a\0"], "accuracy").labels.tolist() == [0, 1]
    for mixed in ([1, "1", "a"], [True, "True"], [b"a", "b"]):
        with pytest.raises(ll.Error, match="labels: values of the types"):
            ll.Curator(mixed, "accuracy")


def test_a_curator_keeps_its_labels():
    given = np.array([0, 1, 1, 0], dtype=np.int32)
    curator = ll.Curator(given, "sklearn/brier")
    before = curator.release([0.5, 0.25, 0.75, 1]).to_dict()
    given[:] = 1 - given
    assert curator.labels.tolist() == [0, 1, 1, 0] and curator.release([0.5, 0.25, 0.75, 1]).to_dict() == before
    with pytest.raises(ValueError, match="read-only"):
        curator.labels[0] = 1
    found = ll.attack(curator)
    assert found.accuracy == 1 and found.labels.flags.writeable


# ---- predictions ----

def test_predictions_keep_their_digits():
    for given in (np.array([2**53 + 1, 3, 4]), np.array([1, 2, 3], dtype=np.longdouble) / 3):
        with pytest.raises(ll.Error, match=r"predictions\[0\]: .* has more digits than a double"):
            ll.score([0, 1, 1], given, "sklearn/roc_auc")
    with pytest.raises(ll.Error, match="predictions: values of the types float, str"):
        ll.score([0, 1, 1], [0.1, "0.1", 0.2], "squared")


# ---- texts ----

TEXTS = [lambda t: ll.Scorer("log-loss", decimals="5" + t), lambda t: ll.Scorer("log-loss" + t), lambda t: ll.Scorer("sklearn/brier" + t),
         lambda t: ll.audit("log-loss", rows=5, noise="laplace:1" + t), lambda t: ll.dataset("titanic" + t), lambda t: ll.plan("log-loss", rows=5, code="auto" + t),
         lambda t: ll.infer(P, "0.1" + t, "sklearn/brier"), lambda t: PLAN.decode(["0.1" + t]), lambda t: ll.attack(lambda p: "0.1" + t, "sklearn/brier", rows=6),
         lambda t: ll.separate_table(["0", "1" + t]), lambda t: ll.separate_table([0, 1], noise="0.1" + t), lambda t: ll.score([0, 1], ["0.1", "0.2" + t], "squared"),
         lambda t: ll.Scorer("squared", groups=["a", "b" + t]), lambda t: ll.Scorer("squared", groups="a*2" + t), lambda t: ll.Scorer("squared", also=["f1" + t]),
         lambda t: ll.Scorer("mse", targets="0:1:1" + t), lambda t: ll.Scorer(None, **{"rows" + t: 5}), lambda t: ll.defend("log-loss" + t, rows=5, queries=2)]


@pytest.mark.parametrize("place", range(len(TEXTS)))
def test_no_text_is_cut(place):
    TEXTS[place]("") if place != 7 else None  # without it the call is right
    for end in ("\0", "\0x", "\ud800"):
        with pytest.raises(ll.Error):
            TEXTS[place](end)


REFUSED = [
    (lambda: ll.Scorer("squared", decimals=float("nan")), "decimals nan: not a finite number"),
    (lambda: ll.Scorer("squared", noise=float("inf")), "noise inf: not a finite number"),
    (lambda: ll.Scorer("squared", decimals=b"3"), "decimals: "),
    (lambda: ll.Scorer("squared", prior={0.3, 0.7}), "prior: "),
    (lambda: ll.Scorer("squared", prior=np.eye(2)), "prior: "),
    (lambda: ll.Scorer("squared", rows=3, groups=["a", "b,c", "d"]), "groups 'b,c': a name"),
    (lambda: ll.Scorer("squared", rows=3, groups=["a", "b*2"]), "groups 'b"),
    (lambda: ll.Scorer("squared", rows=3, groups=["a", None, "b"]), r"groups\[1\]: None"),
    (lambda: ll.infer(P, np.ma.masked, "sklearn/brier"), "masked is no score"),
    (lambda: ll.infer([P, P], np.ma.array([0.1, 0.2], mask=[0, 1]), "sklearn/brier"), "masked is no score"),
    (lambda: ll.infer(P, True, "sklearn/brier"), "True is no score"),
    (lambda: ll.infer(P, b"\xff", "sklearn/brier"), "scores"),
    (lambda: ll.attack(lambda p: {"score": 0.5, "rows": 6}, "sklearn/brier", rows=6), "is no score"),
    (lambda: ll.audit("accuracy", rows=4, max_seconds="x"), "max_seconds 'x': not a number"),
    (lambda: ll.audit("accuracy", rows=4, max_seconds=float("nan")), "max_seconds nan: out of range"),
    (lambda: ll.audit("accuracy", rows=4, max_memory=-1), "max_memory -1: out of range"),
    (lambda: ll.plan("sklearn/brier", rows=4, block=1.5), "block 1.5: not a whole number"),
    (lambda: ll.dataset("titanic", seed="x"), "seed 'x': not a whole number"),
]


@pytest.mark.parametrize("place", range(len(REFUSED)))
def test_what_is_refused(place):
    call, words = REFUSED[place]
    with pytest.raises(ll.Error, match=words):
        call()


def test_scores_keep_their_digits():
    exact = ll.score(Y, P.astype(str), "squared").score
    for given in (exact, exact.encode(), decimal.Decimal(exact), np.array(exact), np.str_(exact)):
        assert ll.infer(P, given, "squared").proof.residual == ll.infer(P, exact, "squared").proof.residual
    assert ll.Scorer("squared", rows=6, counts=[2, 4]).get("counts") == "2,4"


def test_groups_say_how_many_rows() -> None:
    by_name = ll.audit("accuracy", groups=["a"] * 30 + ["b"] * 10, queries=60, defences=False)
    assert by_name.rows == 40
    assert by_name.answer == ll.audit("accuracy", rows=40, groups="a*30,b*10", queries=60, defences=False).answer
    with pytest.raises(ll.Error, match="the groups are of 40 rows"):
        ll.audit("accuracy", groups="a*30,b*10", rows=20)
