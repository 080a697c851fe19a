"""One question, however it is put: the name of a metric, the function itself and the profile, in Python and on the command line."""
import inspect
import os

import pytest
import sklearn.metrics

import lossleak as ll
from lossleak._known import describe, profiles
from lossleak._identity import find

NUMERIC = {"targets": "0:9:1"}
FUNCTIONS = {name: function for name, function in inspect.getmembers(sklearn.metrics, inspect.isfunction)
             if name.endswith(("_score", "_loss", "_error", "_corrcoef"))}


def described(function):
    """The profile of a function as it stands, without arguments; None where it has none."""
    try:
        return describe(find(function, lambda *_: True)).get("scorer")
    except ll.Error:
        return None


CASES = sorted((name, described(function)) for name, function in FUNCTIONS.items() if described(function))
ROWS = {"log_loss": 600}
SHORT = ("log_loss", "f1_score")


def settings_of(profile):
    """A population that the profile takes: two classes, more, or numbers."""
    for more in ({}, {"classes": 3}, NUMERIC):
        try:
            ll.Scorer(profile, rows=30, **more)
            return more
        except ll.Error:
            continue
    raise AssertionError(profile)


APART = {"scorer", "proposals", "defences", "html", "warning"}  # the check commands name the scorer as it was named


def answers(found):
    return {key: value for key, value in found.items() if key not in APART}


def test_every_function_with_a_profile_is_here():
    """A profile of scikit-learn that no function stands for is a function with arguments."""
    newest = {profile.split("/")[1] for profile in profiles() if profile.startswith("sklearn")}
    assert newest - {profile.split("/")[1] for _, profile in CASES} <= {
        "quadratic_kappa", "linear_kappa", "roc_auc_ovr", "rmse", "rmsle", "top_k_accuracy"}


@pytest.mark.parametrize("name, profile", CASES, ids=[name for name, _ in CASES])
def test_function_and_name(name, profile):
    asked = dict(rows=ROWS.get(name, 30), decimals=5, queries=20, **settings_of(profile))
    by_function, by_name, by_profile = (ll.audit(how, defences=False, **asked).to_dict() for how in (FUNCTIONS[name], name, profile))
    assert answers(by_function) == answers(by_name) == answers(by_profile)


@pytest.mark.parametrize("name, profile", CASES if "LL_TEST_LONG" in os.environ else [one for one in CASES if one[0] in SHORT], ids=str)
def test_command_line(command, name, profile):
    """The same with defences, whose search is what takes time."""
    asked = dict(rows=30, decimals=3, queries=4, **settings_of(profile))
    by_name = ll.audit(name, **asked).to_dict()
    by_metric = command("audit", metric=name, **asked)
    by_profile = command("audit", scorer=profile, **asked)
    assert answers(by_name) == answers(by_metric) == answers(by_profile)
    assert by_metric["defences"] == by_profile["defences"]
