"""In an environment with the newest scikit-learn, torchmetrics and evaluate: which callables the Python package takes for what.

recognition.py FILE writes what was found as JSON. Exit 1 where a callable of NAMED is not taken for the profile beside it (None: refused, in
words), or where anything that is taken, of NAMED or of the packages' whole namespaces, gives a number outside the interval of its description."""
import functools
import json
import os
import sys
import warnings

sys.dont_write_bytecode = True
warnings.filterwarnings("ignore")
os.environ.update(HF_HUB_OFFLINE="1", HF_EVALUATE_OFFLINE="1", HF_HUB_DISABLE_PROGRESS_BARS="1")
import evaluate  # noqa: E402
import sklearn  # noqa: E402
import torch  # noqa: E402
import torchmetrics as tm  # noqa: E402
from sklearn import metrics as sk  # noqa: E402
from torchmetrics import functional as tf  # noqa: E402

import lossleak as ll  # noqa: E402
from lossleak._compare import compare  # noqa: E402
from lossleak._identity import find  # noqa: E402
from lossleak._known import _is_modelled, describe  # noqa: E402

HUB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hub")
SEEDS = range(100, 105)
partial, functions = functools.partial, tm.functional.classification

NAMED = {
    "sk.log_loss": "sklearn-1.9/log_loss",
    "sk.root_mean_squared_error": "sklearn/rmse",
    "sk.root_mean_squared_log_error": "sklearn/rmsle",
    "sk.mean_squared_error": "sklearn/mse",
    "sk.r2_score": "sklearn/r2",
    "sk.f1_score": "sklearn/f1",
    "sk.brier_score_loss": "sklearn/brier",
    "sk.roc_auc_score": "sklearn/roc_auc",
    "sk.get_scorer('neg_root_mean_squared_error')": "sklearn/rmse",
    "sk.get_scorer('neg_log_loss')": "sklearn-1.9/log_loss",
    "sk.d2_log_loss_score": None,
    "sk.d2_brier_score": None,
    "sk.d2_absolute_error_score": None,
    "sk.d2_pinball_score": None,
    "sk.class_likelihood_ratios": None,
    "partial(sk.brier_score_loss, scale_by_half=False)": None,
    "torch.nn.BCELoss()": "torch/bce",
    "torch.nn.CrossEntropyLoss(label_smoothing=0.1)": None,
    "tm.Accuracy(task='binary')": "torchmetrics/accuracy",
    "tm.Accuracy(task='multiclass', num_classes=3)": "torchmetrics/accuracy",
    "tm.Accuracy(task='multiclass', num_classes=3, average='macro')": None,
    "tm.F1Score(task='binary')": "torchmetrics/f1",
    "tm.Precision(task='binary')": "torchmetrics/precision",
    "tm.Recall(task='binary')": "torchmetrics/recall",
    "tm.Specificity(task='binary')": "torchmetrics/specificity",
    "tm.JaccardIndex(task='binary')": "torchmetrics/jaccard",
    "tm.HammingDistance(task='binary')": "torchmetrics/hamming_distance",
    "tm.MeanSquaredError()": "torchmetrics/mse",
    "tm.MeanSquaredError(squared=False)": "torchmetrics/mse",
    "tm.MeanAbsoluteError()": "torchmetrics/mae",
    "tm.MeanSquaredLogError()": "torchmetrics/msle",
    "functions.binary_f1_score": "torchmetrics/f1",
    "partial(tf.accuracy, task='binary')": "torchmetrics/accuracy",
    "partial(tf.accuracy, task='multiclass', num_classes=3)": None,
    "partial(functions.binary_accuracy, threshold=0.3)": None,
    "tm.classification.BinaryF1Score(zero_division=1)": None,
    "tm.MatthewsCorrCoef(task='binary')": None,
    "tm.AUROC(task='binary')": None,
    "tm.R2Score()": None,
    "tm.Accuracy(task='binary') + 1": None,
    "tm.MetricCollection([tm.MeanSquaredError()])": None,
    "type('Mine', (tm.MeanSquaredError,), {})()": None,
    "changed(tm.MeanSquaredError())": None,
    "hooked(tm.MeanSquaredError())": None,
    "evaluate.load(f'{HUB}/accuracy.py')": None,
    "evaluate.load(f'{HUB}/f1.py')": None,
}


def changed(metric):
    """An object of torchmetrics whose result is another one."""
    real = metric.compute
    metric.compute = lambda: 2 * real()
    return metric


def hooked(metric):
    metric.register_forward_hook(lambda module, given, output: output * 2)
    return metric


def everything():
    for module in (sk, tm, tm.classification, tm.regression, tf, tf.classification, tf.regression, torch.nn, torch.nn.functional):
        for name in sorted(dir(module)):
            thing = getattr(module, name)
            if callable(thing) and not name.startswith("_"):
                yield f"{module.__name__}.{name}", thing
    for name in sk.get_scorer_names():
        yield f"the scorer {name}", sk.get_scorer(name)


def taken_for(metric):
    """(profile or metric, "") or (None, the words of the refusal)."""
    for more in ({}, {"targets": "0:3:0.5"}):
        try:
            scorer = ll.Scorer(metric, **more)
            return scorer.get("scorer") or scorer.get("metric"), ""
        except ll.Error as error:
            words = str(error)
    return None, words


def check(name, metric, found):
    """What is wrong with a callable that was taken: the same comparison as in the package, with seeds that it does not use."""
    settings = describe(find(metric, _is_modelled))
    for seed in SEEDS:
        count, different = compare(find(metric, _is_modelled), settings, seed)
        if count < 3 or different:
            yield f"{name} was taken for {found}: {count} labellings, {different}"


def main():
    faults, named, whole = [], [], {"taken": 0, "refused": 0}
    for text, expected in NAMED.items():
        metric = eval(text, globals())
        found, words = taken_for(metric)
        faults += [f"{text}: {found} instead of {expected} {words}"] * (found != expected) + (list(check(text, metric, found)) if found else [])
        named.append((text, found, words))
    for name, thing in everything():
        found, words = taken_for(thing)
        whole["taken" if found else "refused"] += 1
        faults += list(check(name, thing, found)) if found else [f"{name} is refused without words"] * (len(words.split()) < 6)
    with open(sys.argv[1], "w") as file:
        json.dump({"named": named, "whole": whole, "versions": {"scikit-learn": sklearn.__version__, "PyTorch": torch.__version__, "torchmetrics": tm.__version__,
                                                                "evaluate": evaluate.__version__}}, file, indent=1)
    print("\n".join(faults) or f"{len(named)} callables, {sum(bool(found) for _, found, _ in named)} taken; {whole}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
