"""The same question to the package and to the program: the same answer, field by field."""
import os

import numpy as np
import pytest

import lossleak as ll

# What only the program knows, times, and texts that it writes itself.
PROGRAM = {"html", "file", "labels", "dataset", "predictions", "matched_by_id", "seconds", "decoder", "defence", "check", "python", "table"}


def compare(ours, theirs, path=""):
    if isinstance(theirs, dict):
        apart = set() if path else PROGRAM
        assert set(ours) - apart == set(theirs) - apart, f"{path}: keys differ"
        for key in set(theirs) - apart:
            compare(ours[key], theirs[key], f"{path}.{key}")
    elif isinstance(theirs, list):
        assert len(ours) == len(theirs), path
        for place, (one, other) in enumerate(zip(ours, theirs)):
            compare(one, other, f"{path}[{place}]")
    else:
        assert ours == theirs, path


AUDITS = [dict(scorer="sklearn/accuracy", rows=40, queries=10, prior="0.7,0.3"),
          dict(scorer="sklearn/accuracy", rows=4000, queries=20, target_share=0.6, epsilon=0.5)]
# Defences for few rows are attacked for a minute.
LONG = [dict(scorer="sklearn-1.2/log_loss", rows=60, decimals=4, queries=20), dict(metric="log-loss", rows=30, target_share=0.8),
        dict(scorer="sklearn/brier", rows=50, noise="laplace:0.05", queries=30),
        dict(metric="log-loss", rows=30, arithmetic="fp64", clip="1e-7", clip_mode="clip", classes=3)]


@pytest.mark.parametrize("settings", AUDITS + (LONG if "LL_TEST_LONG" in os.environ else []), ids=str)
def test_audit(command, settings):
    compare(ll.audit(**settings).to_dict(), command("audit", **settings))


@pytest.mark.parametrize("settings", [dict(share=0.6), dict(bits=50, cost=20)], ids=str)
def test_defend(command, settings):
    described = dict(scorer="sklearn/accuracy", rows=4000, queries=5)
    theirs = command("defend", **described, **settings)
    assert all(release["check"].startswith("lossleak ") for release in theirs["releases"])
    compare(ll.defend(**described, **settings).to_dict(), theirs)


ATTACKS = [dict(scorer="sklearn-1.2/log_loss", decimals=5), dict(metric="log-loss", clip="none", noise="bounded:0.5,plus"),
           dict(scorer="sklearn/accuracy"), dict(scorer="torch/bce", decimals=4, queries=3),
           dict(scorer="sklearn-1.2/log_loss", code="hadamard", guarantee="likely", noise="gaussian:0.001"),
           dict(scorer="sklearn-1.2/log_loss", decimals=5, code="radix", block=7)]


@pytest.mark.parametrize("settings", ATTACKS, ids=str)
def test_attack_on_a_curator(command, settings):
    labels = np.random.default_rng(5).integers(0, 2, 90)
    plan = {key: settings[key] for key in ("code", "guarantee", "block") if key in settings}
    scorer = {key: value for key, value in settings.items() if key not in plan}
    found = ll.attack(ll.Curator(labels, **scorer), **plan, **scorer)
    compare(found.to_dict(), command("attack", labels=labels, **settings))
    assert found.guarantee == "likely" or np.all((found.labels == labels) | (found.labels < 0))


def test_score(command):
    labels, p = np.array([0, 1, 1, 0, 1]), np.array([0.1, 0.8, 0.75, 0.5, 0.3])
    for settings in (dict(scorer="sklearn-1.2/log_loss"), dict(metric="squared"), dict(scorer="sklearn/brier", decimals=3),
                     dict(scorer="torch/bce"), dict(metric="log-loss", arithmetic="fp16"), dict(metric="log-loss", noise="laplace:1")):
        compare(ll.score(labels, p, **settings).to_dict(), command("score", labels=labels, predictions=p, **settings))
    three = np.array([[0.5, 0.25, 0.25], [0.1, 0.1, 0.8], [0.3, 0.4, 0.3]], dtype=np.float32)
    settings = dict(scorer="sklearn-1.2/log_loss", arithmetic="fp32")
    compare(ll.score(["b", "c", "a"], three, **settings).to_dict() | {"mapping": None},
            command("score", labels=np.array([1, 2, 0]), predictions=three, **settings))


def test_infer(command):
    generator = np.random.default_rng(3)
    labels = generator.integers(0, 2, 24)
    sets = [np.clip(0.5 + (labels - 0.5) * generator.random(24), 0.01, 0.99) for _ in range(2)]
    for method in ("auto", "meet", "lattice"):
        for decimals in (None, 7):
            settings = dict(scorer="sklearn-1.2/log_loss", **({"decimals": decimals} if decimals else {}))
            scores = [ll.score(labels, p, **settings).score for p in sets]
            found = ll.infer(sets, scores, method=method, **settings)
            compare(found.to_dict(), command("infer", predictions=sets, score=scores, method=method, **settings))
            assert np.all((found.labels == labels) | (found.labels < 0)) or found.guarantee == "likely"


def test_infer_several(command):
    p, truth = np.array([0.9, 0.8, 0.7, 0.55, 0.45, 0.4, 0.3, 0.2, 0.1, 0.05]), np.array([1, 1, 0, 1, 1, 0, 0, 0, 0, 0])
    settings = dict(metric="auc", arithmetic="fp64", decimals=4)
    found = ll.infer(p, ["0.9167", "0.7500", "0.8000"], also=["f1", "accuracy"], **settings)
    shown = command("infer", predictions=p, score="0.9167 0.7500 0.8000", also=["f1", "accuracy"], **settings)
    compare(found.to_dict(), shown)
    assert found.count == 2 and found.method == "states"
    assert np.all((found.labels == truth) | (found.labels < 0)) and found.certain == 6


def test_separate(command):
    p = np.array([0.9, 0.2, 0.6, 0.35])
    for settings in (dict(metric="squared"), dict(scorer="sklearn-1.2/log_loss", noise="bounded:1e-3"),
                     dict(metric="log-loss", decimals=2), dict(metric="log-loss", bits=True),
                     dict(scorer="sklearn/roc_auc", counts="2,2")):
        compare(ll.separate(p, **settings).to_dict(), command("separate", predictions=p, **settings))


def test_separate_table(command, tmp_path):
    values = [0, 1.5, 2.25, 4]
    (tmp_path / "table").write_text("".join(f"{v}\n" for v in values))
    compare(ll.separate_table(values, noise="0.1").to_dict(), command("separate", table=tmp_path / "table", noise="bounded:0.1"))


def test_inspect(command, tmp_path):
    honest = np.random.default_rng(1).random(50)
    for p in (honest, ll.plan("sklearn-1.2/log_loss", rows=50)[0], np.full(50, 0.5)):
        path = tmp_path / "submission.npy"
        np.save(path, p)
        compare(ll.inspect(p, "sklearn-1.2/log_loss").to_dict(), command("inspect", path, scorer="sklearn-1.2/log_loss"))


def test_decode(command, tmp_path):
    labels = np.random.default_rng(2).integers(0, 2, 60)
    curator = ll.Curator(labels, "sklearn-1.2/log_loss", decimals=5)
    plan = ll.plan("sklearn-1.2/log_loss", rows=60, decimals=5)
    scores = [curator(p) for p in plan]
    command("craft", scorer="sklearn-1.2/log_loss", rows=60, decimals=5, out=tmp_path / "plan")
    (tmp_path / "scores").write_text("".join(f"{score}\n" for score in scores))
    found = plan.decode(scores)
    compare(found.to_dict(), command("decode", tmp_path / "plan", scores=tmp_path / "scores"))
    assert np.array_equal(found.labels, labels)


def test_the_same_refusals(command):
    for settings in (dict(metric="no-such", rows=5), dict(rows=5, decimals="x"), dict(scorer="nobody/nothing", rows=5),
                     dict(rows=5, noise="bounded:-1"), dict(metric="log-loss")):
        with pytest.raises(ll.Error) as refused:
            ll.audit(**settings)
        told = command("audit", **settings)["error"]["text"].replace("--rows N", "rows=N")
        assert told.removeprefix("--") == str(refused.value)
