"""Scorers by name, as functions of scikit-learn, as modules of PyTorch; attacked as they are."""
import functools

import numpy as np
import pytest
import sklearn.metrics
import torch

import lossleak as ll


def settings_of(metric):
    scorer = ll.Scorer(metric)
    return scorer.get("scorer"), scorer.get("metric"), scorer.get("transform")


def test_functions_and_scorers_of_sklearn():
    log_loss = ("sklearn-1.2/log_loss", "log-loss", "identity")  # the tests run with 1.2.1
    assert settings_of(sklearn.metrics.log_loss) == settings_of("sklearn-1.2/log_loss") == log_loss
    assert settings_of(sklearn.metrics.brier_score_loss)[0] == "sklearn/brier"
    assert settings_of(sklearn.metrics.accuracy_score)[0] == "sklearn/accuracy"
    assert settings_of(sklearn.metrics.get_scorer("neg_log_loss")) == (*log_loss[:2], "negate")
    assert settings_of(sklearn.metrics.make_scorer(sklearn.metrics.brier_score_loss, needs_proba=True))[2] == "identity"
    assert ll.Scorer(functools.partial(sklearn.metrics.log_loss, eps=1e-15)).get("clip") == "1e-15"
    assert float(ll.score([0, 1], [0.1, 0.9], "neg_log_loss")) == -float(ll.score([0, 1], [0.1, 0.9], "log_loss")) < 0


def test_modules_of_torch():
    assert settings_of(torch.nn.BCELoss())[0] == "torch/bce" == settings_of(torch.nn.functional.binary_cross_entropy)[0]
    assert settings_of(torch.nn.BCEWithLogitsLoss())[0] == "torch/bce_logits"
    assert settings_of(torch.nn.CrossEntropyLoss())[0] == "torch/cross_entropy" == settings_of(torch.nn.CrossEntropyLoss)[0]
    with pytest.raises(ll.Error, match="BCELoss with reduction='sum'"):
        ll.Scorer(torch.nn.BCELoss(reduction="sum"))
    with pytest.raises(ll.Error, match="BCEWithLogitsLoss with pos_weight"):
        ll.Scorer(torch.nn.BCEWithLogitsLoss(pos_weight=torch.ones(1)))


def test_what_no_table_knows():
    with pytest.raises(ll.Error, match="is not a known metric"):
        ll.Scorer(lambda y, p: 0, rows=5)
    with pytest.raises(ll.Error, match="is not a known metric.*made-up labels"):
        ll.audit(lambda y, p: 0, rows=5)
    with pytest.raises(ll.Error, match="log_loss with normalize=False"):
        ll.Scorer(functools.partial(sklearn.metrics.log_loss, normalize=False), rows=5)
    with pytest.raises(ll.Error, match="colour: no such setting; there are scorer, metric"):
        ll.audit("log-loss", rows=5, colour="red")


def test_every_metric_and_profile_of_the_library_has_a_scorer():
    def scorer(name):
        try:
            return ll.Scorer(name)
        except ll.Error as refused:
            assert "needs numeric targets" in str(refused)
            return ll.Scorer(name, targets="0:9:1")

    for profile in ll.profiles():
        assert scorer(profile).get("scorer") == profile
    for metric in ll.metrics():
        if ":" not in metric:
            assert scorer(metric).get("metric") == metric


SCORED = ["f1_score", "matthews_corrcoef", "cohen_kappa_score", "balanced_accuracy_score", "jaccard_score", "precision_score",
          "recall_score", "accuracy_score", "roc_auc_score", "average_precision_score", "brier_score_loss", "log_loss"]


@pytest.mark.parametrize("name", SCORED)
def test_functions_of_sklearn_are_scored_as_they_do(name):
    generator = np.random.default_rng(7)
    function = getattr(sklearn.metrics, name)
    y, p = generator.integers(0, 2, 60), generator.random(60)
    if SCORED.index(name) < SCORED.index("roc_auc_score"):
        p = (p > 0.5).astype(int)
    scored = ll.score(y, p, function)
    assert float(scored.interval[0]) <= function(y, p) <= float(scored.interval[1])


ARGUMENTS = [("f1_score", {"average": "macro"}), ("jaccard_score", {"average": "macro"}), ("f1_score", {"zero_division": 1}),
             ("fbeta_score", {"beta": 2}), ("cohen_kappa_score", {"weights": "quadratic"}), ("recall_score", {"average": "weighted"})]


@pytest.mark.parametrize("name, arguments", ARGUMENTS, ids=str)
def test_arguments_of_functions_count(name, arguments):
    generator = np.random.default_rng(8)
    y, p = generator.integers(0, 2, 60), generator.integers(0, 2, 60)
    function = functools.partial(getattr(sklearn.metrics, name), **arguments)
    for truth, predicted in ((y, p), (y * 0, p * 0)):
        if name == "cohen_kappa_score" and not predicted.any():
            continue  # 0/0 there is no number
        scored = ll.score(truth, predicted, function, classes=2)
        assert float(scored.interval[0]) <= function(truth, predicted) <= float(scored.interval[1]), (name, arguments)


def test_arguments_that_are_not_described():
    for name, arguments in (("jaccard_score", {"average": None}), ("roc_auc_score", {"average": "micro"}),
                            ("roc_auc_score", {"multi_class": "ovo"}), ("roc_auc_score", {"multi_class": "ovr", "average": "weighted"}), ("f1_score", {"labels": [1]}),
                            ("balanced_accuracy_score", {"adjusted": True}), ("accuracy_score", {"sample_weight": [1, 2]})):
        with pytest.raises(ll.Error):
            ll.Scorer(functools.partial(getattr(sklearn.metrics, name), **arguments))


def labels(rows, classes=2):
    return np.random.default_rng(rows).integers(0, classes, rows)


def test_one_vs_rest_auc_gives_its_labels():
    metric, secret = sklearn.metrics.get_scorer("roc_auc_ovr"), labels(40, 3)
    real = functools.partial(sklearn.metrics.roc_auc_score, multi_class="ovr")
    assert ll.Scorer(metric).get("scorer") == ll.Scorer(real).get("scorer") == "sklearn/roc_auc_ovr"
    p = np.random.default_rng(9).dirichlet(np.ones(3), 40)
    scored = ll.score(secret, p, metric)
    assert float(scored.interval[0]) <= real(secret, p) <= float(scored.interval[1])
    found = ll.attack(lambda p: round(real(secret, p), 5), metric, rows=40, classes=3, decimals=5)
    assert found.certain == 40 and np.array_equal(found.labels, secret)
    with pytest.raises(ll.Error, match="3 classes or more"):
        ll.audit(metric, rows=40, classes=2, decimals=5)


@pytest.mark.parametrize("metric, decimals, rows", [(sklearn.metrics.log_loss, 5, 2201), (sklearn.metrics.log_loss, None, 300),
                                                    (sklearn.metrics.brier_score_loss, 6, 200),
                                                    (sklearn.metrics.accuracy_score, None, 60),
                                                    (sklearn.metrics.roc_auc_score, 5, 80), (sklearn.metrics.f1_score, 5, 80)])
def test_real_functions_give_their_labels(command, metric, decimals, rows):
    secret = labels(rows)
    asked = []

    def oracle(p):
        asked.append(p)
        score = metric(secret, p)
        return score if decimals is None else round(score, decimals)

    found = ll.attack(oracle, metric, rows=rows, decimals=decimals)
    assert found.certain == rows and np.array_equal(found.labels, secret) and found.proof.verdict == "unique"
    assert found.queries == len(asked) == len(ll.plan(metric, rows=rows, decimals=decimals))
    assert rows != 2201 or found.queries == 143
    labelled = metric in (sklearn.metrics.accuracy_score, sklearn.metrics.f1_score)
    assert len(asked[0]) == rows and asked[0].dtype == (np.int64 if labelled else np.float64)
    told = command("attack", labels=secret, scorer=ll.Scorer(metric).get("scorer"), **({"decimals": decimals} if decimals else {}))
    assert told["queries"] == found.queries and told["certain"] == rows


def test_modules_of_torch_give_their_labels():
    for loss, classes in ((torch.nn.BCELoss(), 2), (torch.nn.BCEWithLogitsLoss(), 2), (torch.nn.CrossEntropyLoss(), 3)):
        secret = labels(40, classes)
        y = torch.from_numpy(secret) if classes == 3 else torch.from_numpy(secret).float()
        found = ll.attack(lambda p: loss(torch.from_numpy(p), y), loss, rows=40, classes=classes)
        assert found.certain == 40 and np.array_equal(found.labels, secret), loss


def test_numeric_targets():
    secret = np.random.default_rng(4).integers(0, 7, 30) / 2
    for metric in (sklearn.metrics.mean_squared_error, sklearn.metrics.mean_absolute_error):
        found = ll.attack(lambda p: metric(secret, p), metric, rows=30, targets="0:3:0.5")
        assert found.certain == 30 and [float(found.names[label]) for label in found.labels] == secret.tolist()
        assert float(ll.score(secret, np.full(30, 1.25), metric, targets="0:3:0.5")) == pytest.approx(metric(secret, np.full(30, 1.25)))
    with pytest.raises(ll.Error, match=r"labels\[1\]: 0.7 is none of the targets"):
        ll.score([0.5, 0.7], [1, 1], "mse", targets="0:3:0.5")


def test_a_function_of_ones_own():
    secret = labels(50)

    def mine(p):
        return f"{np.mean((secret - p) ** 2):.4f}"

    found = ll.attack(mine, "squared", rows=50, decimals=4)
    assert found.certain == 50 and np.array_equal(found.labels, secret)


def test_an_answer_that_contradicts_the_description_is_told(caplog):
    secret = labels(50)
    found = ll.attack(lambda p: np.mean(np.abs(secret - p)), "sklearn-1.2/log_loss", rows=50)
    assert found.proof.verdict == "none" and found.certain == 0 and "is not what was described" in repr(found)
    assert "no labelling explains the scores" in caplog.text
