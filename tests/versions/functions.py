"""The table of real functions: which profile describes which function of which versions of a package, and with which inputs.

A row is (profile, package, versions, function, inputs, settings). versions is a pair (from, below) or None for all. A package
that is not installed has no rows. The setting off, which the library does not get, says by how much a function is known to
leave the interval: such a row is a difference that the page names. rows(modules) gives those of the environment it runs in."""
import importlib
import math
import os
import re

import inputs as I
import numpy as np

os.environ.setdefault("KERAS_BACKEND", "numpy")
f32, f64 = np.float32, np.float64
PACKAGES = {"scikit-learn": "sklearn", "SciPy": "scipy", "PyTorch": "torch", "XGBoost": "xgboost", "LightGBM": "lightgbm",
            "CatBoost": "catboost", "Keras": "keras", "torchmetrics": "torchmetrics", "evaluate": "evaluate"}


def version(text):
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


# ---- scikit-learn and SciPy

def sk(name, **options):
    def call(y, p):
        from sklearn import metrics
        return getattr(metrics, name)(y, p, **options)
    return call


def log_loss(y, p):
    from sklearn import metrics
    return metrics.log_loss(y, p, labels=range(p.shape[1] if p.ndim == 2 else 2))


def old_log_loss(y, p):
    from sklearn import metrics
    return metrics.log_loss(y, p, labels=range(p.shape[1] if p.ndim == 2 else 2), eps=1e-15)


def brier(y, p):
    from sklearn import metrics
    return metrics.brier_score_loss(y, p, pos_label=1)


def rooted(new, old):
    """root_mean_squared_error of 1.4 and later, mean_squared_error(squared=False) before."""
    def call(y, p):
        from sklearn import metrics
        return getattr(metrics, new)(y, p) if hasattr(metrics, new) else getattr(metrics, old)(y, p, squared=False)
    return call


def top_two(y, p):
    from sklearn import metrics
    return metrics.top_k_accuracy_score(y, p, k=2, labels=range(p.shape[1]))


def ndcg(y, p):
    from sklearn import metrics
    return metrics.ndcg_score(np.eye(p.shape[1])[y], p)


def stats(name):
    def call(y, p):
        from scipy import stats as module
        return getattr(module, name)(y, p)[0]
    return call


# ---- PyTorch, Keras

def torch_loss(name, kind):
    def call(y, p):
        import torch
        return getattr(torch.nn, name)()(torch.from_numpy(p), torch.from_numpy(y.astype(kind))).item()
    return call


def keras_loss(name):
    def call(y, p):
        import keras
        return float(np.asarray(getattr(keras.losses, name)()(y.astype(f32).reshape(len(y), -1), p.reshape(len(p), -1))))
    return call


def tm_classes(name, **options):
    def call(y, p):
        import torch
        import torchmetrics
        given = torch.from_numpy(p.astype(np.int64)), torch.from_numpy(y.astype(np.int64))
        return tm_score(getattr(torchmetrics.classification, name)(**options), given)
    return call


def tm_targets(name, **options):
    def call(y, p):
        import torch
        import torchmetrics
        return tm_score(getattr(torchmetrics.regression, name)(**options), (torch.from_numpy(p), torch.from_numpy(y.astype(f32))))
    return call


def tm_score(metric, given):
    """What an object of torchmetrics gives after updates of at most 100 rows."""
    for first in range(0, len(given[0]), 100):
        metric.update(*(part[first:first + 100] for part in given))
    return metric.compute().item()


# ---- boosters: a model without trees, whose margins are the predictions

BOOSTERS = {}


def xgb(metric):
    def call(y, p):
        import xgboost
        shape = xgboost.DMatrix(np.zeros((1, 1)), label=[0])
        booster = BOOSTERS.setdefault(metric, xgboost.Booster({"objective": "reg:squarederror", "eval_metric": metric, "base_score": 0,
                                                              "nthread": 1}, [shape]))
        k = p.shape[1] if p.ndim == 2 else 1
        truth = y if k == 1 else (np.arange(k) == y[:, None]).ravel()
        data = xgboost.DMatrix(np.zeros((len(p) * k, 1)), label=truth.astype(float), nthread=1)
        data.set_base_margin(p.ravel())
        if k > 1:
            data.set_group([k] * len(p))
        return float(booster.eval(data).rsplit(":", 1)[1])
    return call


def lgb(metric):
    def call(y, p):
        import lightgbm
        options = {"objective": "none", "metric": metric, "num_threads": 1, "verbose": -1, "min_data_in_leaf": 1, "min_data_in_bin": 1}
        data = lightgbm.Dataset(np.arange(len(y), dtype=float)[:, None], label=y, init_score=p, params=options)
        return lightgbm.Booster(options, data).eval_train()[0][2]
    return call


def cat(metric):
    def call(y, p):
        from catboost.utils import eval_metric
        return eval_metric(y.astype(float), p, metric, thread_count=1)[0]
    return call


SK, XGB, LGB, CAT, TM = "scikit-learn", "XGBoost", "LightGBM", "CatBoost", "torchmetrics"
fp32 = {"arithmetic": "fp32"}
TABLE = [
    ("sklearn-1.1/log_loss", SK, ("1.2", "1.5"), old_log_loss, I.probability(f64), {}),
    ("sklearn-1.1/log_loss", SK, ("1.2", "1.5"), old_log_loss, I.rows_of_probabilities(f64, False), {}),
    ("sklearn-1.2/log_loss", SK, ("1.2", "1.5"), log_loss, I.probability(f64), {}),
    ("sklearn-1.2/log_loss", SK, ("1.2", "1.5"), log_loss, I.probability(f32), fp32),
    ("sklearn-1.2/log_loss", SK, ("1.2", "1.5"), log_loss, I.rows_of_probabilities(f64, False), {}),
    ("sklearn-1.2/log_loss", SK, ("1.2", "1.5"), log_loss, I.rows_of_probabilities(f32, False), fp32),
    ("sklearn-1.5/log_loss", SK, ("1.5", "1.9"), log_loss, I.probability(f64), {}),
    ("sklearn-1.5/log_loss", SK, ("1.5", "1.9"), log_loss, I.probability(f32), fp32),
    ("sklearn-1.5/log_loss", SK, ("1.5", "1.9"), log_loss, I.rows_of_probabilities(f64, False), {}),
    ("sklearn-1.5/log_loss", SK, ("1.5", "1.9"), log_loss, I.rows_of_probabilities(f32, False), fp32),
    ("sklearn-1.9/log_loss", SK, ("1.9", "9"), log_loss, I.probability(f64), {}),
    ("sklearn-1.9/log_loss", SK, ("1.9", "9"), log_loss, I.probability(f32), fp32),
    ("sklearn-1.9/log_loss", SK, ("1.9", "9"), log_loss, I.rows_of_probabilities(f64, False), {}),
    ("sklearn-1.9/log_loss", SK, ("1.9", "9"), log_loss, I.rows_of_probabilities(f32, False), fp32),
    ("sklearn/brier", SK, ("1.2", "1.7"), brier, I.probability(f64), {}),
    ("sklearn/brier", SK, ("1.2", "1.7"), brier, I.probability(f32), fp32),
    ("sklearn/brier", SK, ("1.7", "9"), brier, I.probability(f64), {"off": 2.0 ** -53}),
    ("sklearn/brier", SK, ("1.7", "9"), brier, I.probability(f32), {"off": 2.0 ** -23, **fp32}),
    ("sklearn/accuracy", SK, None, sk("accuracy_score"), I.guesses(9), {}),
    ("sklearn/f1", SK, None, sk("f1_score"), I.guesses(2), {}),
    ("sklearn/jaccard", SK, None, sk("jaccard_score"), I.guesses(2), {}),
    ("sklearn/precision", SK, None, sk("precision_score"), I.guesses(2), {}),
    ("sklearn/recall", SK, None, sk("recall_score"), I.guesses(2), {}),
    ("sklearn/balanced_accuracy", SK, None, sk("balanced_accuracy_score"), I.guesses(9), {}),
    ("sklearn/mcc", SK, None, sk("matthews_corrcoef"), I.guesses(9), {}),
    ("sklearn/kappa", SK, None, sk("cohen_kappa_score"), I.guesses(9), {}),
    ("sklearn/quadratic_kappa", SK, None, sk("cohen_kappa_score", weights="quadratic"), I.guesses(9), {}),
    ("sklearn/linear_kappa", SK, None, sk("cohen_kappa_score", weights="linear"), I.guesses(9), {}),
    ("sklearn/roc_auc", SK, None, sk("roc_auc_score"), I.numbers(f64), {}),
    ("sklearn/roc_auc_ovr", SK, None, sk("roc_auc_score", multi_class="ovr", average="macro"), I.simplex, {}),
    ("sklearn/average_precision", SK, None, sk("average_precision_score"), I.numbers(f64), {}),
    ("sklearn/mse", SK, None, sk("mean_squared_error"), I.targets(f64, True), {}),
    ("sklearn/rmse", SK, None, rooted("root_mean_squared_error", "mean_squared_error"), I.targets(f64, True), {}),
    ("sklearn/mae", SK, None, sk("mean_absolute_error"), I.targets(f64, True), {}),
    ("sklearn/mape", SK, None, sk("mean_absolute_percentage_error"), I.targets(f64, True), {}),
    ("sklearn/msle", SK, None, sk("mean_squared_log_error"), I.targets(f64, True), {}),
    ("sklearn/rmsle", SK, None, rooted("root_mean_squared_log_error", "mean_squared_log_error"), I.targets(f64, True), {}),
    ("sklearn/r2", SK, None, sk("r2_score"), I.targets(f64, True), {}),
    ("sklearn/explained_variance", SK, None, sk("explained_variance_score"), I.targets(f64, True), {}),
    ("sklearn/top_k_accuracy", SK, None, top_two, I.class_scores, {}),
    ("sklearn/ndcg", SK, None, ndcg, I.class_scores, {}),
    ("scipy/pearsonr", "SciPy", None, stats("pearsonr"), I.targets(f64, True), {}),
    ("scipy/spearmanr", "SciPy", None, stats("spearmanr"), I.targets(f64, True), {}),
    ("torch/bce", "PyTorch", None, torch_loss("BCELoss", f32), I.probability(f32), {}),
    ("torch/bce_logits", "PyTorch", None, torch_loss("BCEWithLogitsLoss", f32), I.logits(f32), {}),
    ("torch/cross_entropy", "PyTorch", None, torch_loss("CrossEntropyLoss", np.int64), I.logits(f32, True), {}),
    ("torch/mse", "PyTorch", None, torch_loss("MSELoss", f32), I.targets(f32, True), {}),
    ("torch/mae", "PyTorch", None, torch_loss("L1Loss", f32), I.targets(f32, True), {}),
    ("torchmetrics/accuracy", TM, None, tm_classes("BinaryAccuracy"), I.guesses(2), {}),
    ("torchmetrics/accuracy", TM, None, tm_classes("MulticlassAccuracy", num_classes=9, average="micro"), I.guesses(9), {}),
    ("torchmetrics/hamming_distance", TM, None, tm_classes("BinaryHammingDistance"), I.guesses(2), {}),
    ("torchmetrics/f1", TM, None, tm_classes("BinaryF1Score"), I.guesses(2), {}),
    ("torchmetrics/precision", TM, None, tm_classes("BinaryPrecision"), I.guesses(2), {}),
    ("torchmetrics/recall", TM, None, tm_classes("BinaryRecall"), I.guesses(2), {}),
    ("torchmetrics/specificity", TM, None, tm_classes("BinarySpecificity"), I.guesses(2), {}),
    ("torchmetrics/jaccard", TM, None, tm_classes("BinaryJaccardIndex"), I.guesses(2), {}),
    ("torchmetrics/mse", TM, None, tm_targets("MeanSquaredError"), I.targets(f32, True), {}),
    ("torchmetrics/mse", TM, None, tm_targets("MeanSquaredError", squared=False), I.targets(f32, True), {"transform": "root"}),
    ("torchmetrics/mae", TM, None, tm_targets("MeanAbsoluteError"), I.targets(f32, True), {}),
    ("torchmetrics/msle", TM, None, tm_targets("MeanSquaredLogError"), I.targets(f32, True), {}),
    ("keras3/bce", "Keras", ("3", "4"), keras_loss("BinaryCrossentropy"), I.probability(f32), {}),
    ("xgboost/logloss", XGB, None, xgb("logloss"), I.probability(f32), {}),
    ("xgboost/error", XGB, None, xgb("error"), I.guesses(2), {}),
    ("xgboost/auc", XGB, None, xgb("auc"), I.numbers(f32), {}),
    ("xgboost/map", XGB, None, xgb("map"), I.class_scores, {}),
    ("xgboost/ndcg", XGB, None, xgb("ndcg"), I.class_scores, {}),
    ("lightgbm/binary_logloss", LGB, None, lgb("binary_logloss"), I.no_1e_15, {}),
    ("lightgbm/auc", LGB, None, lgb("auc"), I.numbers(f64), {}),
    ("catboost/logloss", CAT, None, cat("Logloss"), I.logits(f64), {}),
    ("catboost/rmse", CAT, None, cat("RMSE"), I.targets(f64, True), {}),
    ("catboost/auc", CAT, None, cat("AUC"), I.numbers(f64), {}),
]


def installed():
    """{package: version} of this environment."""
    found = {}
    for package, module in PACKAGES.items():
        try:
            found[package] = importlib.import_module(module).__version__.split("+")[0]
        except ImportError:
            continue
    return found


def rows(found):
    """The rows that this environment can run."""
    def fits(package, span):
        return package in found and (span is None or version(span[0]) <= version(found[package]) < version(span[1]))
    return [row for row in TABLE if fits(row[1], row[2])]


def value(function, y, p):
    """The real score; None where it is refused or no number."""
    try:
        score = float(function(y, p))
    except Exception:  # noqa: BLE001, each package refuses in its own way
        return None
    return score if math.isfinite(score) else None
