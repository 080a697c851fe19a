"""Audits of callables that no table has: they are attacked as they are, on labels that are made up."""
import functools
import json

import numpy as np
import pytest
import sklearn.metrics

import lossleak as ll

HOMEMADE = {
    "costs": lambda y, p: float(np.mean(np.where(y == 1, 7 * (1 - p) ** 2, p ** 2))),
    "profit": lambda y, p: float(np.where(p > 0.3, np.where(y == 1, 12.5, -4.75), 0).mean()),
    "part of the ROC curve": functools.partial(sklearn.metrics.roc_auc_score, max_fpr=0.3),
}


@pytest.mark.parametrize("name", list(HOMEMADE))
def test_what_no_table_has_is_attacked_as_it_is(name):
    audit = ll.audit(HOMEMADE[name], rows=60, queries=60)
    assert isinstance(audit, ll.ProgramAudit) and audit.recognised is False and not audit.proved and audit.leaks is not False
    assert audit.leaks is True and audit.share > 0.6 and audit.tried and audit.answer and json.loads(audit.to_json())["recognised"] is False


def test_weights_of_rows():
    weights = np.random.default_rng(3).random(30)
    weighted = ll.audit(functools.partial(sklearn.metrics.accuracy_score, sample_weight=weights), rows=30, queries=60)
    assert weighted.leaks is True


def test_prints_come_first():
    def talks(y, p):
        print("labels:", list(map(int, y)))
        return round(float(np.mean((y - p) ** 2)), 2)
    audit = ll.audit(talks, rows=40, queries=3)
    assert audit.leaks is True and audit.surprises and audit.answer == audit.surprises[0].text
