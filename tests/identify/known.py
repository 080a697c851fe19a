"""80 scripts whose metric the table has: each row is a name, an interface, a metric, a reader, and how the score is shown."""
from typing import Any, Dict, List, Optional, Tuple

from metrics import METRICS, Metric
from shapes import READERS, SHOWN, Case, codabench, evalai, function, pair

PAIR: List[Tuple[str, str, str, str]] = [
    # name, metric, reader, shown
    ("p01", "log-loss sklearn", "pandas", "round5"),
    ("p02", "log-loss sklearn eps", "dict", "format6"),
    ("p03", "log-loss numpy 1e-15", "numpy", "print"),
    ("p04", "log-loss numpy 1e-7", "numpy", "json6"),
    ("p05", "log-loss loops 1e-6", "dict", "decimal4"),
    ("p06", "log-loss loops 0.01", "lines", "format4"),
    ("p07", "bce torch", "dict", "print"),
    ("p08", "log-loss numpy 3", "numpy", "log"),
    ("p09", "brier sklearn", "pandas", "json4"),
    ("p10", "brier numpy", "npy", "repr"),
    ("p11", "brier loops 3", "lines", "format6"),
    ("p12", "accuracy sklearn", "dict-int", "print"),
    ("p13", "accuracy numpy", "npy-labels", "percent2"),
    ("p14", "accuracy loops", "words", "format3"),
    ("p15", "accuracy threshold", "ids", "round4"),
    ("p16", "accuracy argmax", "numpy", "json-lines"),
    ("p17", "errors", "by-id-labels", "stderr"),
    ("p18", "f1 sklearn", "pandas", "json4"),
    ("p19", "f1 numpy", "json-labels", "csv"),
    ("p20", "f1 loops", "dict-int", "decimal6"),
    ("p21", "f2 sklearn", "numpy", "significant5"),
    ("p22", "macro-f1 loops", "dict-int", "round4"),
    ("p23", "weighted-f1", "pandas", "format4"),
    ("p24", "precision loops", "json-lines-labels", "format3"),
    ("p25", "specificity", "numpy", "table"),
    ("p26", "balanced accuracy loops", "lines", "percent1"),
    ("p27", "mcc loops", "dict-int", "json"),
    ("p28", "quadratic kappa numpy", "numpy", "round5"),
    ("p29", "iou numpy", "npy-labels", "numpy3"),
    ("p30", "auc loops", "columns", "round5"),
    ("p31", "auc ranks", "numpy", "format6"),
    ("p32", "average precision", "json", "round4"),
    ("p33", "rmse", "numpy-numbers", "format4"),
    ("p34", "mae loops", "lines", "format6"),
    ("p35", "rmsle", "lines", "json-lines"),
    ("p36", "r2 numpy", "pandas-numbers", "log"),
    ("p37", "pearson numpy", "numpy-numbers", "print"),
    ("p38", "pinball", "lines", "decimal4"),
    ("p39", "mrr", "lines", "round5"),
    ("p40", "hinge", "by-id", "format6"),
]

# name, metric, reader, key, value
EVALAI: List[Tuple[str, str, str, str, str, Optional[int]]] = [
    ("e01", "accuracy sklearn", "dict-int", "Accuracy", "float(score)", None),
    ("e02", "macro-f1", "dict-int", "Macro F1", "round(float(score), 4)", 4),
    ("e03", "log-loss numpy 1e-15", "by-id", "Log loss", "round(float(score), 5)", 5),
    ("e04", "auc sklearn", "json", "AUC", "float(score)", None),
    ("e05", "mcc sklearn", "pandas", "MCC", "float('%.3f' % score)", 3),
    ("e06", "mae", "numpy-numbers", "MAE", "float(score)", None),
    ("e07", "spearman", "pandas-numbers", "Spearman", "round(float(score), 6)", 6),
    ("e08", "recall", "words", "Recall", "round(100 * float(score), 2)", 2),
    ("e09", "log-loss negated", "ids", "Score", "float(score)", None),
    ("e10", "top-2", "numpy", "Top-2", "round(float(score), 4)", 4),
    ("e11", "jaccard", "npy-labels", "IoU", "float(score)", None),
    ("e12", "balanced accuracy", "json-lines-labels", "BA", "round(float(score), 3)", 3),
    ("e13", "mape", "lines", "MAPE", "float(score)", None),
    ("e14", "ks", "columns", "KS", "round(float(score), 4)", 4),
]

CODABENCH: List[Tuple[str, str, str, str, str, Optional[int], bool, bool]] = [
    # name, metric, reader, key, value, decimals, text file, fixed paths
    ("c01", "accuracy threshold", "dict", "accuracy", "float(score)", None, False, False),
    ("c02", "f1 numpy", "numpy", "f1", "round(float(score), 4)", 4, False, True),
    ("c03", "log-loss loops 1e-6", "lines", "logloss", "round(score, 6)", 6, False, False),
    ("c04", "auc ranks", "ids", "auc", "'%.5f' % score", 5, True, False),
    ("c05", "mse", "numpy-numbers", "mse", "float(score)", None, False, False),
    ("c06", "r2", "pandas-numbers", "r2", "round(float(score), 4)", 4, True, True),
    ("c07", "kappa", "dict-int", "kappa", "float(score)", None, False, False),
    ("c08", "mean iou", "npy-labels", "miou", "round(float(score), 5)", 5, False, False),
    ("c09", "brier numpy", "json-lines", "brier", "'%.4f' % score", 4, True, False),
    ("c10", "youden", "words", "J", "round(float(score), 3)", 3, False, False),
    ("c11", "ndcg@3", "numpy", "ndcg", "round(float(score), 6)", 6, False, False),
    ("c12", "macro auc", "pandas", "auc_ovr", "float(score)", None, False, False),
    ("c13", "huber", "lines", "huber", "round(float(score), 4)", 4, False, True),
]

FUNCTIONS: List[Tuple[str, str, str, Optional[int]]] = [
    # name, metric, value, decimals
    ("f01", "log-loss sklearn 3", "score", None),
    ("f02", "log-loss floor 1e-10", "round(float(score), 6)", 6),
    ("f03", "bce logits torch", "score", None),
    ("f04", "cross-entropy torch", "score", None),
    ("f05", "accuracy torch", "{'accuracy': round(score, 4)}", 4),
    ("f06", "f0.5 loops", "round(score, 5)", 5),
    ("f07", "micro-f1", "score", None),
    ("f08", "macro-precision", "round(score, 4)", 4),
    ("f09", "quadratic kappa", "float(score)", None),
    ("f10", "gini", "round(score, 5)", 5),
    ("f11", "explained variance", "score", None),
    ("f12", "pearson", "round(float(score), 4)", 4),
    ("f13", "map@2", "'%.5f' % score", 5),
]


def _options(metric: Metric) -> List[str]:
    return ["--targets", metric.targets] if metric.targets else ["--classes", str(metric.classes)] if metric.classes != 2 else []


def _transform(code: str, name: str) -> str:
    """What was done to the number after the metric."""
    return "percent" if "100 * " in code else "negate" if name == "log-loss negated" else "identity"


def _case(name: str, interface: str, metric: str, made: Any, decimals: Optional[int], digits: Optional[int], shown: str) -> Case:
    row, (files, program, options) = METRICS[metric], made
    truth: Dict[str, Any] = {"metrics": list(row.names), "decimals": decimals, "digits": digits, "clip": row.clip, "transform": _transform(shown, metric)}
    return Case(name, interface, files, program, options + _options(row), {"kind": "known", "what": metric, **truth, "leaks": []})


def cases() -> List[Case]:
    made = [_case(name, "pair", metric, pair(READERS[reader], METRICS[metric].code, SHOWN[shown][0]), SHOWN[shown][1], SHOWN[shown][2], SHOWN[shown][0])
            for name, metric, reader, shown in PAIR]
    made += [_case(name, "evalai", metric, evalai(READERS[reader], METRICS[metric].code, key, value), decimals, None, value)
             for name, metric, reader, key, value, decimals in EVALAI]
    made += [_case(name, "codabench", metric, codabench(READERS[reader], METRICS[metric].code, key, value, "", text, fixed), decimals, None, value)
             for name, metric, reader, key, value, decimals, text, fixed in CODABENCH]
    made += [_case(name, "python", metric, function(METRICS[metric].code, value), decimals, None, value) for name, metric, value, decimals in FUNCTIONS]
    return made
