"""20 metrics that no table has, and three scorers that are not what they seem: noise, significant digits, and a secret half of the rows."""
from typing import Any, Dict, List, Tuple

from metrics import GRID
from shapes import READERS, Case, codabench, dedent, evalai, function, pair

# name, what, reader, options, code
METRICS: List[Tuple[str, str, str, List[str], str]] = [
    ("h01", "a matrix of costs", "dict-int", ["--classes", "3"], """
        COST = [[0, 1, 5], [2, 0, 1], [9, 3, 0]]

        def metric(y, p):
            return sum(COST[a][b] for a, b in zip(y, p)) / len(y)
        """),
    ("h02", "the concordance of survival times, a third of them censored", "lines", ["--targets", "1:9:1"], """
        def metric(y, p):
            right = pairs = 0
            for i in range(len(y)):
                for j in range(len(y)):
                    if y[i] < y[j] and i % 3:
                        pairs += 1
                        right += 1 if p[i] > p[j] else 0.5 if p[i] == p[j] else 0
            return right / pairs if pairs else 0.5
        """),
    ("h03", "word errors of sentences of six tokens", "dict-int", ["--classes", "4"], """
        def distance(a, b):
            line = list(range(len(b) + 1))
            for i, x in enumerate(a, 1):
                before, line[0] = line[0], i
                for j, z in enumerate(b, 1):
                    before, line[j] = line[j], min(line[j] + 1, line[j - 1] + 1, before + (x != z))
            return line[-1]

        def metric(y, p):
            parts = range(0, len(y), 6)
            return sum(distance(y[i:i + 6], p[i:i + 6]) for i in parts) / len(y)
        """),
    ("h04", "a loss that counts what is missed seven times", "dict", [], """
        def metric(y, p):
            return sum(7 * (1 - b) ** 2 if a else b ** 2 for a, b in zip(y, p)) / len(y)
        """),
    ("h05", "average precision with a smoothed precision", "dict", [], """
        def metric(y, p):
            order = sorted(range(len(y)), key=lambda i: (-p[i], i))
            found, total = 0, 0.0
            for place, i in enumerate(order, 1):
                found += y[i]
                total += y[i] * (found + 1) / (place + 5)
            return total / max(sum(y), 1)
        """),
    ("h06", "the profit of what is predicted above 0.3", "dict", [], """
        def metric(y, p):
            return sum(12.5 if a else -4.75 for a, b in zip(y, p) if b > 0.3) / len(y)
        """),
    ("h07", "focal loss", "numpy", [], """
        import numpy as np

        def metric(y, p):
            right = np.clip(np.where(y == 1, p, 1 - p), 1e-6, 1)
            return np.mean(-(1 - right) ** 2 * np.log(right))
        """),
    ("h08", "Tversky's index", "dict-int", [], """
        def metric(y, p):
            tp = sum(a and b for a, b in zip(y, p))
            fp, fn = sum(b and not a for a, b in zip(y, p)), sum(a and not b for a, b in zip(y, p))
            return (tp + 1) / (tp + 0.3 * fp + 0.7 * fn + 1)
        """),
    ("h09", "the geometric mean of the recalls", "dict-int", [], """
        def metric(y, p):
            product = 1.0
            for k in (0, 1):
                rows = [b for a, b in zip(y, p) if a == k]
                product *= (sum(b == k for b in rows) + 0.5) / (len(rows) + 1)
            return product ** 0.5
        """),
    ("h10", "the lift of the first tenth", "dict", [], """
        def metric(y, p):
            order = sorted(range(len(y)), key=lambda i: (-p[i], i))
            best = order[:max(len(y) // 10, 1)]
            return (sum(y[i] for i in best) / len(best) + 0.01) / (sum(y) / len(y) + 0.01)
        """),
    ("h11", "expected calibration error in five bins", "dict", [], """
        def metric(y, p):
            total = 0.0
            for k in range(5):
                rows = [i for i in range(len(y)) if min(int(p[i] * 5), 4) == k]
                total += abs(sum(y[i] - p[i] for i in rows))
            return total / len(y)
        """),
    ("h12", "logarithm of the hyperbolic cosine", "lines", ["--targets", GRID], """
        import math

        def metric(y, p):
            return sum(math.log(math.cosh(min(abs(a - b), 50))) for a, b in zip(y, p)) / len(y)
        """),
    ("h13", "the median absolute error", "numpy-numbers", ["--targets", GRID], """
        import numpy as np

        def metric(y, p):
            return np.median(np.abs(y - p))
        """),
    ("h14", "symmetric mean percentage error", "lines", ["--targets", GRID], """
        def metric(y, p):
            return 200 * sum(abs(a - b) / (abs(a) + abs(b) + 1) for a, b in zip(y, p)) / len(y)
        """),
    ("h15", "weights that grow with the row", "dict-int", [], """
        def metric(y, p):
            return sum((i + 1) * (a == b) for i, (a, b) in enumerate(zip(y, p))) / sum(range(1, len(y) + 1))
        """),
    ("h16", "classes in a tree", "dict-int", ["--classes", "4"], """
        def metric(y, p):
            return sum(0 if a == b else 0.25 if a // 2 == b // 2 else 1 for a, b in zip(y, p)) / len(y)
        """),
    ("h17", "a part of the ROC curve", "dict", [], """
        from sklearn.metrics import roc_auc_score

        def metric(y, p):
            return roc_auc_score(y, p, max_fpr=0.3) if 0 < sum(y) < len(y) else 0.5
        """),
    ("h18", "the mean of accuracy and F1", "dict-int", [], """
        def metric(y, p):
            tp = sum(a == b == 1 for a, b in zip(y, p))
            wrong = sum(a != b for a, b in zip(y, p))
            return (1 - wrong / len(y) + (2 * tp / (2 * tp + wrong) if tp else 0.0)) / 2
        """),
    ("h19", "sessions that are right as a whole", "dict-int", [], """
        def metric(y, p):
            parts = range(0, len(y), 3)
            return sum(y[i:i + 3] == p[i:i + 3] for i in parts) / len(parts)
        """),
    ("h20", "a penalty for the largest error", "lines", ["--targets", GRID], """
        def metric(y, p):
            errors = [abs(a - b) for a, b in zip(y, p)]
            return sum(errors) / len(errors) + 0.1 * max(errors)
        """),
]

SPECIAL: List[Tuple[str, str, str, str, str]] = [
    ("s01", "Gaussian noise", "dict-int", "print(score)", """
        import random

        def metric(y, p):
            return sum(a == b for a, b in zip(y, p)) / len(y) + random.SystemRandom().gauss(0, 0.02)
        """),
    ("s02", "three significant digits", "dict", "print('%.3g' % score)", """
        def metric(y, p):
            return sum((a - b) ** 2 for a, b in zip(y, p)) / len(y)
        """),
    ("s03", "a secret half of the rows", "dict-int", "print('%.4f' % score)", """
        import hashlib

        def metric(y, p):
            public = [i for i in range(len(y)) if hashlib.sha256(b"salt%d" % i).digest()[0] % 2]
            return sum(y[i] == p[i] for i in public) / len(public)
        """),
]

SHOWN = ["print('%.5f' % score)", "print(score)", "print(round(float(score), 4))", "import json\nprint(json.dumps({'score': round(float(score), 4)}))"]


def _made(place: int, reader: str, code: str) -> Tuple[str, Any]:
    """Every fourth is EvalAI's, Codabench's or a function."""
    turn = place % 5
    if turn == 1:
        return "evalai", evalai(READERS[reader], code, "Score", "round(float(score), 4)")
    if turn == 3:
        return "codabench", codabench(READERS[reader], code, value="round(float(score), 5)")
    return "pair", pair(READERS[reader], code, SHOWN[place % len(SHOWN)])


def cases() -> List[Case]:
    made = []
    for place, (name, what, reader, options, code) in enumerate(METRICS):
        interface, (files, program, own) = _made(place, reader, code)
        made.append(Case(name, interface, files, program, own + options, {"kind": "homemade", "what": what, "leaks": []}))
    for name, what, reader, shown, code in SPECIAL:
        files, program, own = pair(READERS[reader], code, shown)
        truth: Dict[str, Any] = {"kind": "special", "what": what, "leaks": []}
        made.append(Case(name, "pair", files, program, own, truth))
    return made
