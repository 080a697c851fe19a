"""investigate: the package and the program say the same of one history, however it is given."""
import datetime
import gzip
import json
import pathlib

import jsonschema
import numpy as np
import pandas
import pytest

import lossleak as ll

SCHEMA = json.loads((pathlib.Path(__file__).resolve().parents[2] / "docs/schema/investigate.json").read_text())
SETTINGS = dict(scorer="sklearn/accuracy", decimals=5)
FIRST, SECOND = [1, 0, 1], [1, 1, 1]  # the scores of these differ by the label of row 1


def labels(rows):
    return np.array([(i * i + i % 7) % 3 == 0 for i in range(rows)], dtype=np.int32)


def design(rows=40, **settings):
    """The submissions of a plan, made by two accounts in turn, as records in their order."""
    curator = ll.Curator(labels(rows), **(settings or SETTINGS))
    plan = ll.plan(rows=rows, **(settings or SETTINGS))
    return [{"file": f"q{place:03}.csv", "predictions": query, "score": curator.release(query).score, "account": f"team{place % 2}", "time": f"{place:03}"}
            for place, query in enumerate(plan)]


def write(folder, records, name="scores.csv"):
    for record in records:
        lines = [",".join(map(str, np.atleast_1d(row).tolist())) for row in np.asarray(record["predictions"])]
        head = ",".join(f"p{k}" for k in range(lines[0].count(",") + 1))
        (folder / record["file"]).write_text("\n".join([f"row,{head}", *(f"{place},{line}" for place, line in enumerate(lines))]) + "\n")
    listed = [",".join(record[key] for key in ("account", "time", "score", "file")) for record in records]
    (folder / name).write_text("\n".join(["account,time,score,file", *listed]) + "\n")


def same(found, theirs):
    ours = found.to_dict()
    jsonschema.Draft202012Validator(SCHEMA).validate(ours)
    assert set(ours) == set(theirs) and set(ours["seconds"]) == set(theirs["seconds"])
    for key in set(theirs) - {"seconds", "source"}:
        assert ours[key] == theirs[key], key


KINDS = [SETTINGS, dict(scorer="sklearn-1.2/log_loss", decimals=5), dict(scorer="sklearn/accuracy", decimals=5, classes=3), dict(metric="log-loss", arithmetic="exact", noise="bounded:0.1")]


@pytest.mark.parametrize("settings", KINDS, ids=str)
def test_the_program_says_the_same(command, tmp_path, settings):
    records = design(24, **settings)
    write(tmp_path, records)
    theirs = command("investigate", tmp_path, **settings)
    same(ll.investigate(str(tmp_path), **settings), theirs)
    same(ll.investigate(tmp_path / "scores.csv", **settings), theirs)
    same(ll.investigate(records, **settings), theirs)
    assert ll.investigate(str(tmp_path), **settings).source == theirs["source"] == str(tmp_path)


def test_a_design_is_read_and_named():
    records = design(80)
    found = ll.investigate(records, **SETTINGS)
    assert len(found.determined) == 80 and np.array_equal(found.labels, labels(80))
    assert found.suspicious >= 1 and any(account.suspicion and account.why for account in found.accounts)
    assert found.answer == found.verdict and "80 of 80 labels" in found.answer
    assert len(found.timeline) == found.submissions == len(records) and found.timeline[-1].determined_together == 80
    assert len(repr(found).split("\n")) == 3 and json.loads(found.to_json()) == found.to_dict() and "<table>" in found._repr_html_()
    assert len(found.to_frame()) == len(records) and len(found.to_frame("accounts")) == 2


def test_every_form_is_the_same_history():
    records = design()
    found = ll.investigate(records, **SETTINGS)
    assert ll.investigate(pandas.DataFrame(records), **SETTINGS) == found
    renamed = [{"submission": r["file"], "predictions": r["predictions"], "public_score": r["score"], "Team": r["account"], "date": r["time"]} for r in records]
    assert ll.investigate(renamed, **SETTINGS) == found
    arrays = ll.investigate([r["predictions"] for r in records], scores=[r["score"] for r in records], account_names=[r["account"] for r in records], **SETTINGS)
    assert np.array_equal(arrays.labels, found.labels) and arrays.accounts == found.accounts and arrays.timeline[0].submission == "submission 1"
    assert ll.investigate(records[::-1], **SETTINGS) == found  # times have the order


def test_files(command, tmp_path):
    """.npy, gzip'd, and texts whose digits count."""
    np.save(tmp_path / "a.npy", np.array(FIRST))
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(b"1\n1\n1\n"))
    (tmp_path / "other.csv").write_text("file,score\na.npy,0.66667\nb.csv.gz,0.33333\n")
    found = ll.investigate(tmp_path, scores=tmp_path / "other.csv", **SETTINGS)
    same(found, command("investigate", tmp_path, scores=tmp_path / "other.csv", **SETTINGS))
    assert [(part.row, part.label, part.after) for part in found.determined] == [(1, 0, "b.csv.gz")] and found.accounts[0].account == "-"


TIMES = [([10, 9], "submission 1"), (["10", "9"], "submission 1"), (["b", "a"], "submission 1"), (["2026-01-01", "2026-01-02"], "submission 2"),
         ([datetime.datetime(2026, 1, 1, 12), datetime.datetime(2026, 1, 1, 11, 59, 59, 5)], "submission 1"),
         (list(pandas.to_datetime(["2026-01-01T10:00+05:00", "2026-01-01T09:00Z"])), "submission 2")]


@pytest.mark.parametrize("times, after", TIMES, ids=str)
def test_times_have_an_order(times, after):
    found = ll.investigate([FIRST, SECOND], scores=["0.66667", "0.33333"], times=times, **SETTINGS)
    assert found.determined[0].after == after and found.timeline[-1].submission == after


@pytest.mark.parametrize("missing", [None, float("nan"), pandas.NA, ""], ids=repr)
def test_a_score_may_be_missing(missing):
    found = ll.investigate([{"predictions": FIRST, "score": 0.66667}, {"predictions": SECOND, "score": missing}], **SETTINGS)
    assert found.determined == [] and found.timeline[1].score is None and found.suspicious == 0


def test_contradictions_and_noise_determine_nothing():
    found = ll.investigate([FIRST, SECOND], scores=["1", "0"], **SETTINGS)
    assert found.contradicted == "submission 2" and found.determined == [] and (found.labels == -1).all()
    noisy = ll.investigate([FIRST, SECOND], scores=[0.6, 0.3], metric="accuracy", arithmetic="fp64", noise="gaussian:0.1")
    assert noisy.untold and noisy.determined == []


REFUSED = [
    (dict(history=[]), "no submission"),
    (dict(history=[FIRST, SECOND], scores=[1]), "2 predictions but 1 scores"),
    (dict(history=[FIRST]), "no column 'score'"),
    (dict(history=[{"score": 1}]), "no column 'predictions'"),
    (dict(history=[{"predictions": FIRST, "score": "much"}]), "the score 'much' is no number"),
    (dict(history=[{"predictions": FIRST, "score": 1, "team": "a", "user": "b"}]), "two columns for the account"),
    (dict(history=[{"predictions": FIRST, "score": 1}, {"predictions": FIRST}]), r"history\[1\]: no 'score'"),
    (dict(history=[{"predictions": FIRST, "score": 1}], scores=[1]), "records have them"),
    (dict(history=[FIRST, SECOND], scores=[1, 1], times=[1, None]), "some have none"),
    (dict(history=[FIRST, [1, 0]], scores=[1, 1]), "submission 2: 2 rows of predictions, but there are 3"),
    (dict(history=[[0.5, float("nan"), 1]], scores=[1]), "submission 1"),
    (dict(history="no/such/folder"), "no/such/folder"),
    (dict(history=[FIRST] * 9, scores=[1] * 9, max_memory=100), "over budget"),
]


@pytest.mark.parametrize("place", range(len(REFUSED)))
def test_what_is_refused(place):
    question, text = REFUSED[place]
    with pytest.raises(ll.Error, match=text):
        ll.investigate(**question, **SETTINGS)


FILES = ["row,p\n1,1\n0,0\n2,1\n", "imageid,p\n0,1\n1,0\n2,1\n", "row,p1,p0\n0,1,0\n1,0,1\n2,1,0\n", "row,p\n0,1\n1,\n2,1\n", "row,p\n0,1\n1,nan\n2,1\n", "0,1\n1,0\n2,1\n",
         "id\n1\n0\n1\n", "", "1\n0x\n1\n", "row,p\n0,1\n1,1_0\n2,1\n", "row,p\n0,1\n1\n2,1\n"]


@pytest.mark.parametrize("text", FILES, ids=repr)
def test_files_that_the_program_refuses(command, tmp_path, text):
    (tmp_path / "a.csv").write_text(text)
    (tmp_path / "scores.csv").write_text("file,score\na.csv,0.66667\n")
    assert "error" in command("investigate", tmp_path, **SETTINGS)
    with pytest.raises(ll.Error, match="a.csv"):
        ll.investigate(tmp_path, **SETTINGS)


TAKEN = ["p\n1\n0\n1\n", "PassengerId,Survived\n892,1\n893,0\n894,1\n", ",x\na,1\nb,0\nc,1\n", "1\n0\n1\n", "row,p\n0, 1\n1,+0.0\n2,0x1p0\n\n"]


@pytest.mark.parametrize("text", TAKEN, ids=repr)
def test_files_that_the_program_takes(command, tmp_path, text):
    (tmp_path / "a.csv").write_text(text)
    (tmp_path / "b.csv").write_text("row,p\n0,1\n1,1\n2,1\n")
    (tmp_path / "scores.csv").write_text("file,score\na.csv,0.66667\nb.csv,0.33333\n")
    found = ll.investigate(tmp_path, **SETTINGS)
    same(found, command("investigate", tmp_path, **SETTINGS))
    assert [(part.row, part.label) for part in found.determined] == [(1, 0)]
