"""The metrics of the scripts, as people write them: scikit-learn, NumPy by hand, PyTorch, plain loops. Each defines metric(y, p)."""
from typing import Dict, NamedTuple, Optional, Tuple


class Metric(NamedTuple):
    code: str
    names: Tuple[str, ...]          # what lossleak may call it; any of them is right
    clip: Optional[str] = None      # the number at which probabilities are clipped
    classes: int = 2
    targets: str = ""               # a grid, for numbers in place of classes
    predictions: str = "probability"


def sklearn(call: str, *names: str, **more: object) -> Metric:
    function = call.split("(")[0]
    return Metric(f"from sklearn.metrics import {function}\n\ndef metric(y, p):\n    return {call}\n", names, **more)


def body(text: str, *names: str, **more: object) -> Metric:
    """A function body, and imports before it after a line `--`."""
    imports, _, lines = text.rpartition("--\n")
    return Metric(imports + "\ndef metric(y, p):\n" + "".join("    " + line + "\n" for line in lines.strip("\n").split("\n")), names, **more)


GRID = "0:5:1"

METRICS: Dict[str, Metric] = {
    # ---- losses of probabilities ----
    "log-loss sklearn": sklearn("log_loss(y, p)", "log-loss", clip="auto"),
    "log-loss sklearn eps": sklearn("log_loss(y, p, eps=1e-15)", "log-loss", clip="1e-15"),
    "log-loss numpy 1e-15": body("""import numpy as np
--
p = np.clip(np.asarray(p, float), 1e-15, 1 - 1e-15)
y = np.asarray(y)
return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))
""", "log-loss", clip="1e-15"),
    "log-loss numpy 1e-7": body("""import numpy as np
--
p = np.minimum(np.maximum(np.asarray(p, float), 1e-7), 1 - 1e-7)
losses = np.where(np.asarray(y) == 1, -np.log(p), -np.log1p(-p))
return losses.sum() / len(losses)
""", "log-loss", clip="1e-7"),
    "log-loss loops 1e-6": body("""import math
--
total = 0.0
for label, prob in zip(y, p):
    prob = min(max(prob, 1e-6), 1 - 1e-6)
    total -= math.log(prob) if label == 1 else math.log(1 - prob)
return total / len(y)
""", "log-loss", clip="1e-6"),
    "log-loss loops 0.01": body("""from math import log
--
def one(label, prob):
    prob = 0.01 if prob < 0.01 else 0.99 if prob > 0.99 else prob
    return -log(prob if label else 1 - prob)
return sum(one(label, prob) for label, prob in zip(y, p)) / len(y)
""", "log-loss", clip="0.01"),
    "log-loss floor 1e-10": body("""import numpy as np
--
y, p = np.asarray(y), np.asarray(p, float)
return -(y * np.log(np.maximum(p, 1e-10)) + (1 - y) * np.log(np.maximum(1 - p, 1e-10))).mean()
""", "log-loss", clip="1e-10"),
    "log-loss negated": body("""import numpy as np
--
p = np.clip(np.asarray(p, float), 1e-12, 1 - 1e-12)
return np.mean([np.log(b) if a == 1 else np.log(1 - b) for a, b in zip(y, p)])
""", "log-loss", clip="1e-12"),
    "bce torch": body("""import torch
--
loss = torch.nn.BCELoss()
return loss(torch.tensor([float(v) for v in p]), torch.tensor([float(v) for v in y])).item()
""", "log-loss", "bce", clip="100"),
    "bce logits torch": body("""import torch
import torch.nn.functional as F
--
return float(F.binary_cross_entropy_with_logits(torch.as_tensor(p, dtype=torch.float32), torch.as_tensor(y, dtype=torch.float32)))
""", "sigmoid-ce"),
    "cross-entropy torch": body("""import torch
--
with torch.no_grad():
    return torch.nn.CrossEntropyLoss()(torch.as_tensor(p, dtype=torch.float32), torch.as_tensor(y, dtype=torch.int64)).item()
""", "softmax-ce", classes=3, predictions="columns"),
    "log-loss sklearn 3": sklearn("log_loss(y, p, labels=[0, 1, 2])", "log-loss", clip="auto", classes=3, predictions="columns"),
    "log-loss numpy 3": body("""import numpy as np
--
p = np.clip(np.asarray(p, float), 1e-15, 1 - 1e-15)
p = p / p.sum(axis=1, keepdims=True)
return -np.log(p[np.arange(len(y)), np.asarray(y, int)]).mean()
""", "log-loss", clip="1e-15", classes=3, predictions="columns"),
    "brier sklearn": sklearn("brier_score_loss(y, p)", "squared"),
    "brier numpy": body("""import numpy as np
--
return ((np.asarray(p, float) - np.asarray(y)) ** 2).mean()
""", "squared", "mse"),
    "brier loops 3": body("""
total = 0
for label, row in zip(y, p):
    total += sum((value - (k == label)) ** 2 for k, value in enumerate(row))
return total / len(y)
""", "squared", classes=3, predictions="columns"),
    # ---- counts ----
    "accuracy sklearn": sklearn("accuracy_score(y, p)", "accuracy", predictions="label"),
    "accuracy numpy": body("""import numpy as np
--
return np.mean(np.asarray(y) == np.asarray(p))
""", "accuracy", predictions="label"),
    "accuracy loops": body("""
right = 0
for a, b in zip(y, p):
    if a == b:
        right += 1
return right / len(y)
""", "accuracy", predictions="label"),
    "accuracy threshold": body("""
return sum((prob >= 0.5) == (label == 1) for label, prob in zip(y, p)) / len(y)
""", "accuracy"),
    "accuracy argmax": body("""import numpy as np
--
return float((np.argmax(np.asarray(p), axis=1) == np.asarray(y)).mean())
""", "accuracy", classes=3, predictions="columns"),
    "accuracy torch": body("""import torch
--
return (torch.as_tensor(p, dtype=torch.float64).round().long() == torch.as_tensor(y).long()).double().mean().item()
""", "accuracy", predictions="label"),
    "errors": body("""
return sum(a != b for a, b in zip(y, p)) / len(y)
""", "zero-one", "accuracy", predictions="label"),
    "f1 sklearn": sklearn("f1_score(y, p, zero_division=0)", "f1", "class-f1:1", predictions="label"),
    "f1 numpy": body("""import numpy as np
--
y, p = np.asarray(y) == 1, np.asarray(p) == 1
tp, fp, fn = (y & p).sum(), (~y & p).sum(), (y & ~p).sum()
return 2 * tp / (2 * tp + fp + fn) if tp else 0.0
""", "f1", "class-f1:1", predictions="label"),
    "f1 loops": body("""
tp = sum(a == 1 and b == 1 for a, b in zip(y, p))
predicted, positive = sum(b == 1 for b in p), sum(a == 1 for a in y)
if tp == 0:
    return 0.0
precision, recall = tp / predicted, tp / positive
return 2 * precision * recall / (precision + recall)
""", "f1", "class-f1:1", predictions="label"),
    "f2 sklearn": sklearn("fbeta_score(y, p, beta=2, zero_division=0)", "fbeta:2", predictions="label"),
    "f0.5 loops": body("""
tp = sum(1 for a, b in zip(y, p) if a == 1 == b)
fp = sum(1 for a, b in zip(y, p) if b == 1 != a)
fn = sum(1 for a, b in zip(y, p) if a == 1 != b)
below = 1.25 * tp + 0.25 * fn + fp
return 1.25 * tp / below if below else 0.0
""", "fbeta:0.5", predictions="label"),
    "macro-f1": sklearn("f1_score(y, p, average='macro', zero_division=0)", "macro-f1", classes=3, predictions="label"),
    "macro-f1 loops": body("""
values = []
for k in (0, 1, 2):
    tp = sum(a == k and b == k for a, b in zip(y, p))
    wrong = sum((a == k) != (b == k) for a, b in zip(y, p))
    values.append(2 * tp / (2 * tp + wrong) if tp else 0.0)
return sum(values) / 3
""", "macro-f1-all", "macro-f1", classes=3, predictions="label"),
    "weighted-f1": sklearn("f1_score(y, p, average='weighted', zero_division=0)", "weighted-f1", classes=3, predictions="label"),
    "micro-f1": sklearn("f1_score(y, p, average='micro')", "micro-f1", "accuracy", "micro-precision", "micro-recall", "weighted-recall", classes=3, predictions="label"),
    "precision": sklearn("precision_score(y, p, zero_division=0)", "precision", "class-precision:1", predictions="label"),
    "precision loops": body("""
chosen = [a for a, b in zip(y, p) if b == 1]
return sum(chosen) / len(chosen) if chosen else 0
""", "precision", "class-precision:1", predictions="label"),
    "recall": sklearn("recall_score(y, p, zero_division=0)", "recall", "class-recall:1", predictions="label"),
    "macro-precision": sklearn("precision_score(y, p, average='macro', zero_division=0)", "macro-precision", classes=3, predictions="label"),
    "specificity": body("""import numpy as np
--
y, p = np.asarray(y), np.asarray(p)
negatives = y == 0
return (p[negatives] == 0).mean() if negatives.any() else 0.0
""", "specificity", "class-recall:0", predictions="label"),
    "balanced accuracy": sklearn("balanced_accuracy_score(y, p)", "balanced-accuracy", "macro-recall", predictions="label"),
    "balanced accuracy loops": body("""
shares = []
for k in sorted(set(y)):
    rows = [i for i in range(len(y)) if y[i] == k]
    shares.append(sum(p[i] == k for i in rows) / len(rows))
return sum(shares) / len(shares)
""", "balanced-accuracy", "macro-recall", classes=3, predictions="label"),
    "youden": body("""import numpy as np
--
y, p = np.asarray(y), np.asarray(p)
return (p[y == 1] == 1).sum() / max((y == 1).sum(), 1) - (p[y == 0] == 1).sum() / max((y == 0).sum(), 1)
""", "youden", predictions="label"),
    "mcc sklearn": sklearn("matthews_corrcoef(y, p)", "mcc", predictions="label"),
    "mcc loops": body("""import math
--
tp = sum(a == 1 and b == 1 for a, b in zip(y, p)); tn = sum(a == 0 and b == 0 for a, b in zip(y, p))
fp = sum(a == 0 and b == 1 for a, b in zip(y, p)); fn = sum(a == 1 and b == 0 for a, b in zip(y, p))
below = math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
return (tp * tn - fp * fn) / below if below else 0.0
""", "mcc", predictions="label"),
    "kappa": sklearn("cohen_kappa_score(y, p)", "kappa", predictions="label"),
    "quadratic kappa": sklearn("cohen_kappa_score(y, p, weights='quadratic')", "quadratic-kappa", classes=4, predictions="label"),
    "quadratic kappa numpy": body("""import numpy as np
--
K = 4
y, p = np.asarray(y, int), np.asarray(p, int)
seen = np.zeros((K, K))
np.add.at(seen, (y, p), 1)
weights = np.subtract.outer(np.arange(K), np.arange(K)) ** 2
chance = np.outer(seen.sum(1), seen.sum(0)) / len(y)
return 1 - (weights * seen).sum() / (weights * chance).sum()
""", "quadratic-kappa", classes=4, predictions="label"),
    "jaccard": sklearn("jaccard_score(y, p, zero_division=0)", "jaccard", predictions="label"),
    "iou numpy": body("""import numpy as np
--
y, p = np.asarray(y).astype(bool), np.asarray(p).astype(bool)
union = np.logical_or(y, p).sum()
return np.logical_and(y, p).sum() / union if union else 1.0
""", "jaccard", predictions="label"),
    "mean iou": sklearn("jaccard_score(y, p, average='macro', zero_division=0)", "macro-jaccard", classes=3, predictions="label"),
    # ---- ranks ----
    "auc sklearn": sklearn("roc_auc_score(y, p)", "auc", predictions="number"),
    "auc loops": body("""
wins = pairs = 0
for a, b in zip(y, p):
    for c, d in zip(y, p):
        if a == 1 and c == 0:
            pairs += 1
            wins += 1 if b > d else 0.5 if b == d else 0
return wins / pairs if pairs else 0.5
""", "auc", predictions="number"),
    "auc ranks": body("""import numpy as np
from scipy.stats import rankdata
--
y, ranks = np.asarray(y) == 1, rankdata(p)
positives, negatives = y.sum(), (~y).sum()
if positives == 0 or negatives == 0:
    return 0.5
return (ranks[y].sum() - positives * (positives + 1) / 2) / (positives * negatives)
""", "auc", predictions="number"),
    "gini": body("""from sklearn.metrics import roc_auc_score
--
return 2 * roc_auc_score(y, p) - 1
""", "gini", predictions="number"),
    "average precision": sklearn("average_precision_score(y, p)", "average-precision", predictions="number"),
    "ks": body("""import numpy as np
from scipy.stats import ks_2samp
--
y, p = np.asarray(y), np.asarray(p)
return ks_2samp(p[y == 1], p[y == 0]).statistic
""", "ks", predictions="number"),
    "macro auc": sklearn("roc_auc_score(y, p, multi_class='ovr', labels=[0, 1, 2])", "macro-auc", classes=3, predictions="columns"),
    # ---- numeric targets ----
    "mse": sklearn("mean_squared_error(y, p)", "mse", targets=GRID),
    "mse torch": body("""import torch
--
return torch.nn.functional.mse_loss(torch.tensor([float(v) for v in p]), torch.tensor([float(v) for v in y])).item()
""", "mse", targets=GRID),
    "rmse": body("""import numpy as np
--
return np.sqrt(np.mean((np.asarray(y, float) - np.asarray(p, float)) ** 2))
""", "rmse", "mse", targets=GRID),
    "mae": sklearn("mean_absolute_error(y, p)", "mae", targets=GRID),
    "mae loops": body("""
return sum(abs(a - b) for a, b in zip(y, p)) / len(y)
""", "mae", targets=GRID),
    "mape": sklearn("mean_absolute_percentage_error(y, p)", "mape", targets="1:6:1"),
    "msle": sklearn("mean_squared_log_error(y, p)", "msle", targets=GRID),
    "rmsle": body("""import math
--
return math.sqrt(sum((math.log1p(a) - math.log1p(max(b, 0))) ** 2 for a, b in zip(y, p)) / len(y))
""", "rmsle", "msle", targets=GRID),
    "r2": sklearn("r2_score(y, p)", "r2", targets=GRID),
    "r2 numpy": body("""import numpy as np
--
y, p = np.asarray(y, float), np.asarray(p, float)
spread = ((y - y.mean()) ** 2).sum()
return 1 - ((y - p) ** 2).sum() / spread if spread else 0.0
""", "r2", targets=GRID),
    "explained variance": sklearn("explained_variance_score(y, p)", "explained-variance", targets=GRID),
    "pearson": body("""from scipy.stats import pearsonr
--
return pearsonr(y, p)[0]
""", "pearson", targets=GRID),
    "pearson numpy": body("""import numpy as np
--
return np.corrcoef(np.asarray(y, float), np.asarray(p, float))[0, 1]
""", "pearson", targets=GRID),
    "spearman": body("""from scipy.stats import spearmanr
--
return spearmanr(y, p).correlation
""", "spearman", targets=GRID),
    "pinball": body("""
q = 0.9
return sum(max(q * (a - b), (q - 1) * (a - b)) for a, b in zip(y, p)) / len(y)
""", "quantile:0.9", targets=GRID),
    "huber": body("""import numpy as np
--
e = np.abs(np.asarray(y, float) - np.asarray(p, float))
return np.where(e <= 1, 0.5 * e ** 2, e - 0.5).mean()
""", "huber:1", targets=GRID),
    # ---- gains ----
    "top-2": sklearn("top_k_accuracy_score(y, p, k=2, labels=[0, 1, 2, 3])", "top-k:2", classes=4, predictions="columns"),
    "mrr": body("""
total = 0.0
for label, row in zip(y, p):
    order = sorted(range(len(row)), key=lambda k: -row[k])
    total += 1 / (1 + order.index(int(label)))
return total / len(y)
""", "mrr", "map-first:4", "map-first:5", "map-first:10", classes=4, predictions="columns"),
    "map@2": body("""import numpy as np
--
p, total = np.asarray(p), 0.0
for label, row in zip(y, p):
    best = list(np.argsort(-row, kind="stable")[:2])
    total += 1 / (1 + best.index(int(label))) if int(label) in best else 0.0
return total / len(y)
""", "map:2", "map-first:2", classes=4, predictions="columns"),
    "ndcg@3": body("""import numpy as np
from sklearn.metrics import ndcg_score
--
return ndcg_score(np.eye(4)[np.asarray(y, int)], np.asarray(p), k=3)
""", "ndcg:3", classes=4, predictions="columns"),
    "hinge": body("""
return sum(max(0.0, 1 - (1 if label == 1 else -1) * value) for label, value in zip(y, p)) / len(y)
""", "hinge", predictions="number"),
}
