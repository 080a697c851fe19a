"""Callables of any kind behind one form: what is called, in which order, with which arrays, and what it shows. No library is asked."""
import functools

import numpy as np
import pytest
import sklearn.metrics
import torch
from sklearn.metrics import make_scorer

import lossleak as ll
from lossleak._callable import Given, Scored, texts

Y, P = np.array([0, 1, 1, 0, 1, 0]), np.array([0.1, 0.8, 0.3, 0.4, 0.9, 0.6])


def shown(metric, predictions=P, kind="number", labels=Y, classes=2):
    return Scored(metric)(Given(labels, predictions, kind, np.arange(classes)))


def value(metric, *arguments, **keywords):
    answer = shown(metric, *arguments, **keywords)
    assert answer.failure is None, answer
    return float(answer.channels["value"])


def test_functions_get_labels_first_unless_their_names_say_otherwise():
    def labels_first(y_true, y_pred):
        return float(y_true @ (y_true - y_pred))

    def predictions_first(preds, target):
        return labels_first(target, preds)

    def by_keyword(*, y_pred, y_true):
        return labels_first(y_true, y_pred)

    expected = labels_first(Y, P)
    assert value(labels_first) == value(predictions_first) == value(by_keyword) == expected
    assert value(lambda a, b: labels_first(a, b)) == expected
    assert value(functools.partial(lambda scale, y, p: scale * labels_first(y, p), 2)) == 2 * expected


def test_scorers_of_scikit_learn():
    assert value(make_scorer(sklearn.metrics.mean_squared_error, greater_is_better=False), kind="target", labels=Y.astype(float)) == \
        -sklearn.metrics.mean_squared_error(Y, P)
    labels = (P > 0.5).astype(int)
    assert value(make_scorer(sklearn.metrics.accuracy_score, normalize=False), labels, "class") == sklearn.metrics.accuracy_score(Y, labels, normalize=False)
    assert value(sklearn.metrics.get_scorer("roc_auc")) == sklearn.metrics.roc_auc_score(Y, P)
    assert value(sklearn.metrics.get_scorer("neg_log_loss")) == pytest.approx(-sklearn.metrics.log_loss(Y, P))


class Mean:
    """As torchmetrics has them: what was seen is kept."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.total, self.count = 0.0, 0

    def update(self, preds, target):
        self.total += float(((preds - target) ** 2).sum())
        self.count += len(target)

    def compute(self):
        return self.total / self.count


class TorchMean(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = []

    def update(self, preds, target):
        self.seen.append((preds - target).abs().mean())

    def compute(self):
        return torch.stack(self.seen).mean()


@pytest.mark.parametrize("metric", [Mean(), Mean])
def test_objects_with_update_and_compute_start_anew(metric):
    scored = Scored(metric)
    given = Given(Y, P, "number", np.arange(2))
    assert scored(given) == scored(given) and float(scored(given).channels["value"]) == pytest.approx(((P - Y) ** 2).mean())
    assert not isinstance(metric, Mean) or metric.count == 0


def test_modules_get_tensors():
    assert value(TorchMean()) == pytest.approx(np.abs(P - Y).mean(), rel=1e-6)
    assert value(torch.nn.MSELoss(reduction="sum")) == pytest.approx(((P - Y) ** 2).sum(), rel=1e-6)
    assert value(torch.nn.functional.binary_cross_entropy) == pytest.approx(sklearn.metrics.log_loss(Y, P), rel=1e-6)
    columns = np.random.default_rng(1).standard_normal((6, 3))
    labels = np.array([0, 1, 2, 0, 1, 2])
    assert value(torch.nn.CrossEntropyLoss(), columns, labels=labels, classes=3) == pytest.approx(
        float(torch.nn.functional.cross_entropy(torch.tensor(columns), torch.tensor(labels))), rel=1e-5)
    assert value(lambda y, p: torch.mean((torch.as_tensor(p) - torch.as_tensor(y)) ** 2)) == pytest.approx(((P - Y) ** 2).mean())
    assert value(lambda y, p: (p - y).abs().mean().item()) == pytest.approx(np.abs(P - Y).mean(), rel=1e-6)  # tensors are tried where arrays fail


class Loaded:
    """As a module of Hugging Face's evaluate."""

    def compute(self, predictions=None, references=None):
        assert isinstance(predictions, list)
        return {"accuracy": sum(a == b for a, b in zip(predictions, references)) / len(references), "rows": len(references)}


def test_compute_of_predictions_and_references():
    labels = (P > 0.5).astype(int)
    answer = shown(Loaded(), labels, "class")
    assert answer.failure is None and answer.channels == {"value:accuracy": repr((labels == Y).mean().item()), "value:rows": "6"}
    assert shown(Loaded().compute, labels, "class") == answer


def test_what_is_shown():
    assert texts({"a": {"b": np.float64(0.1)}, "c": [1, np.int64(2)]}) == {"value:a:b": "0.1", "value:c": "1 2"}
    assert texts(torch.tensor(0.25)) == {"value": "0.25"} and texts("0.1000") == {"value": "0.1000"} and texts(None) == {"value": "None"}
    assert texts(np.float32(0.1)) == {"value": repr(float(np.float32(0.1)))}

    def talks(y, p):
        print("labels", y.tolist())
        return 0.5
    assert shown(talks).channels == {"value": "0.5", "stdout": f"labels {Y.tolist()}\n"}


def test_failures_are_answers():
    def fails(y, p):
        raise KeyError("row 3 has label %d" % y[3])
    assert shown(fails).failure == "KeyError: 'row 3 has label 0'" and not shown(fails).channels
    assert shown(lambda y, p: 1 / 0).failure.startswith("ZeroDivisionError")
    with pytest.raises(ll.Error, match="cannot be called"):
        Scored(3)


def test_what_is_called_cannot_change_the_labels():
    def spoils(y, p):
        y[:] = 0
        return float(p.sum())
    given = Given(Y.copy(), P.copy(), "number", np.arange(2))
    Scored(spoils)(given)
    assert np.array_equal(given.labels, Y)
