"""What every result can do: an answer, copies, comparisons, tables, pages; and signatures that name every setting."""
import copy
import inspect
import pickle
import subprocess
import sys

import numpy as np
import pytest

import lossleak as ll

P = np.array([0.9, 0.2, 0.6, 0.7])
Y = np.array([1, 0, 0, 1])
LOG_LOSS = dict(rows=40, decimals=4, queries=20, defences=False)


def _attack():
    return ll.attack(ll.Curator(np.tile(Y, 10), "sklearn/log_loss", decimals=5), "sklearn/log_loss", rows=40, decimals=5)


MAKERS = {
    "audit": lambda: ll.audit("sklearn/log_loss", **LOG_LOSS),
    "proposals": lambda: ll.audit("sklearn/accuracy", rows=400, queries=20, decimals=3),
    "targets": lambda: ll.audit("mae", rows=20, queries=5, targets="0:3:1", arithmetic="fp64", decimals=3, defences=False),
    "defend": lambda: ll.defend("sklearn/accuracy", rows=400, queries=5, share=0.6),
    "attack": _attack,
    "score": lambda: ll.score(Y, P, "sklearn/log_loss"),
    "infer": lambda: ll.infer(P, [ll.score(Y, P, "sklearn/log_loss").score], "sklearn/log_loss"),
    "separate": lambda: ll.separate(P, "sklearn/log_loss"),
    "inspect": lambda: ll.inspect(P, "sklearn/log_loss"),
}


@pytest.fixture(scope="module", params=MAKERS)
def result(request):
    return MAKERS[request.param](), MAKERS[request.param]


def test_answer_comes_first(result):
    found, _ = result
    assert isinstance(found.answer, str) and found.answer
    text = repr(found).splitlines()[0]
    assert text[10:] == found.answer
    page = found._repr_html_()
    first = page[page.index("<div"):]
    escaped = found.answer.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("'", "&#x27;").replace('"', "&quot;")
    assert isinstance(found, ll.Defence) or first.index(escaped) < 200
    assert isinstance(found.proposals, list)


def test_copies_and_pickles(result):
    found, make = result
    for again in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found)), make()):
        assert again == found and hash(again) == hash(found) and not again != found
        assert type(again) is type(found)
    assert pickle.loads(pickle.dumps(found)).to_dict() == found.to_dict()


def test_frames(result):
    pandas = pytest.importorskip("pandas")
    found, _ = result
    frame = found.to_frame()
    assert isinstance(frame, pandas.DataFrame) and (len(frame) > 0 or not getattr(found, "defences", True))
    with pytest.raises(ll.Error, match="no table of this result"):
        found.to_frame("nothing")


def test_results_differ():
    audit = MAKERS["audit"]()
    assert audit != ll.audit("sklearn/log_loss", **{**LOG_LOSS, "decimals": 3})
    assert audit != ll.audit("sklearn/log_loss", **{**LOG_LOSS, "queries": 21})
    assert audit != MAKERS["score"]() and audit != 3
    one, other = MAKERS["score"](), ll.score(1 - Y, P, "sklearn/log_loss")
    assert one != other
    attack = _attack()
    changed = copy.deepcopy(attack)
    changed.labels[0] = 1 - changed.labels[0]
    assert attack != changed


def test_frames_hold_what_the_fields_do():
    audit, attack, defence = MAKERS["proposals"](), _attack(), MAKERS["defend"]()
    assert audit.to_frame().kind.tolist() == [defence.kind for defence in audit.defences]
    assert audit.to_frame("codes").code.tolist() == [code.code for code in audit.codes]
    assert attack.to_frame().label.tolist() == np.tile(Y, 10).tolist()
    assert defence.to_frame().share.tolist() == [release.share for release in defence.releases]
    named = ll.Curator(["no", "yes", "yes"], "sklearn/log_loss", decimals=5)
    assert ll.attack(named, "sklearn/log_loss", rows=3, decimals=5).to_frame().label.tolist() == ["no", "yes", "yes"]


def test_a_scorer_of_another_process_is_the_same():
    sized = MAKERS["audit"]().scorer
    code = "import pickle, sys; s = pickle.load(sys.stdin.buffer); print(s); print(s.count('rows'), s.count('classes'))"
    told = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(sized), capture_output=True, check=True).stdout.decode()
    assert told.splitlines() == [str(sized), "40 2"]


# ---- keywords ----

@pytest.mark.parametrize("function", [ll.audit, ll.defend, ll.attack, ll.plan, ll.infer, ll.separate, ll.score, ll.inspect, ll.Scorer, ll.Curator])
def test_signatures_name_every_setting(function):
    parameters = inspect.signature(function).parameters
    missing = {name.replace("-", "_") for name in ll.settings_table()} - set(parameters)
    assert not missing
    assert all(parameter.kind is not parameter.VAR_KEYWORD for parameter in parameters.values())
    assert "int" in str(parameters["rows"].annotation) or "Count" in str(parameters["rows"].annotation)
    assert inspect.getdoc(function) and "``decimals``" in (inspect.getdoc(function) + (inspect.getdoc(getattr(function, "__init__", function)) or ""))


def test_docstrings_list_the_library_s_laws():
    first = ll.settings_table()["noise"].split(". ")[0]
    assert first.startswith("Noise") and "gaussian:SIGMA" in first
    assert f"``noise``: n{first[1:]}" in (inspect.getdoc(ll.audit) or "")


def test_no_names_of_c():
    public = {name for name in dir(ll) if not name.startswith("_")}
    assert public - set(ll.__all__) <= {"pytest"} and not public & {"lib", "ffi", "string"}


# ---- tables with names of rows ----

@pytest.mark.parametrize("name", ["id", "Id", "row", "row_id", "PassengerId", "Unnamed: 0"])
def test_frames_with_names_of_rows(name):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({name: range(1, 5), "p": P})
    with pytest.raises(ll.Error, match="looks like the names of rows"):
        ll.score(Y, frame, "sklearn/log_loss")
    assert ll.score(Y, frame.drop(columns=name), "sklearn/log_loss").score == ll.score(Y, P, "sklearn/log_loss").score


def test_two_frames_are_matched_by_their_ids():
    pandas = pytest.importorskip("pandas")
    labels, frame = pandas.DataFrame({"Id": list("abcd"), "y": Y}), pandas.DataFrame({"Id": list("abcd"), "p": P})
    expected = ll.score(Y, P, "sklearn/log_loss").score
    for order in ([0, 1, 2, 3], [2, 0, 3, 1]):
        assert ll.score(labels, frame.iloc[order], "sklearn/log_loss").score == expected
        assert ll.score(labels.iloc[order], frame, "sklearn/log_loss").score == expected
    with pytest.raises(ll.Error, match="labels: the Id 'd' is not in the predictions"):
        ll.score(labels, frame.assign(Id=list("abce")), "sklearn/log_loss")
    with pytest.raises(ll.Error, match="predictions: the id 'a' stands there twice"):
        ll.score(labels.rename(columns={"Id": "id"}), frame.assign(Id=list("aabc")).rename(columns={"Id": "id"}), "sklearn/log_loss")
    with pytest.raises(ll.Error, match="looks like the names of rows"):  # rows of two tables that are counted need not be the same
        ll.score(labels.rename(columns={"Id": "row"}), frame.rename(columns={"Id": "row"}), "sklearn/log_loss")


def test_words_as_predictions_are_the_classes_of_the_labels():
    pandas = pytest.importorskip("pandas")
    key, given, numbers = list("BDAC"), list("BDAA"), [1, 3, 0, 0]
    for metric in ("accuracy", "macro-f1"):
        expected = ll.score(key, numbers, metric).score
        for words in (given, np.array(given), np.array(given, dtype="S1"), pandas.Series(given), pandas.Series(given).astype("category"), [[word] for word in given]):
            assert ll.score(key, words, metric).score == expected
        assert ll.score(key, list("1300"), metric).score == expected
    assert ll.Curator(key, "accuracy")(given) == 0.75
    with pytest.raises(ll.Error, match=r"predictions\[1\]: 'E' is none of the classes of the labels: 'A', 'B', 'C', 'D'"):
        ll.score(key, list("BEAC"), "accuracy")
    with pytest.raises(ll.Error, match=r"predictions\[2\]: '0' is none"):
        ll.score(key, list("BD0A"), "accuracy")
    with pytest.raises(ll.Error, match="'B' is not a number|no number|not a number"):
        ll.score([1, 3, 0, 2], given, "accuracy", classes=4)


def test_an_index_in_another_order_is_refused():
    pandas = pytest.importorskip("pandas")
    labels = pandas.Series(Y, index=["a", "b", "c", "d"])
    predictions = pandas.Series(P, index=labels.index)
    shuffled = predictions.loc[["c", "a", "d", "b"]]
    with pytest.raises(ll.Error, match=r"predictions.loc\[labels.index\]"):
        ll.score(labels, shuffled, "sklearn/log_loss")
    for taken in (predictions, shuffled.loc[labels.index], predictions.reset_index(drop=True)):  # rows that are counted have no names
        assert ll.score(labels, taken, "sklearn/log_loss").score == ll.score(Y, P, "sklearn/log_loss").score


def test_a_mistyped_setting_has_a_guess():
    with pytest.raises(ll.Error, match="queris: no such setting; did you mean queries?"):
        ll.audit("log_loss", rows=10, queris=3)
    with pytest.raises(ll.Error, match="functools.partial binds an argument of the function itself"):
        ll.audit(pytest.importorskip("sklearn.metrics").f1_score, rows=10, average="macro")


def test_frames_without_names_of_rows_are_taken():
    pandas = pytest.importorskip("pandas")
    both = pandas.DataFrame({"no": 1 - P, "yes": P})
    assert ll.score(Y, both, "sklearn/log_loss").score == ll.score(Y, np.stack([1 - P, P], axis=1), "sklearn/log_loss").score


# ---- pages ----

def test_audit_report(tmp_path):
    path = tmp_path / "audit.html"
    found = ll.audit_report(path, "sklearn/accuracy", rows=400, queries=20, decimals=3)
    page = path.read_text()
    assert page.startswith("<!doctype html>") and "<title>lossleak: accuracy, 400 rows, 20" in page
    assert found == MAKERS["proposals"]() and found.answer in page and found.proposals
    assert all(proposal.cost in page for proposal in found.proposals) and "def release(" in page
    assert ll.audit_report(tmp_path / "again.html", found) is found
    assert (tmp_path / "again.html").read_text() == page
