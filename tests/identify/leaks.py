"""20 scripts with a leak beside the score, as they happen. `leaks` lists the kinds of finding of which one at least has to be reported first:
"rows" (labels of single rows are shown), "channel" (another channel depends on labels), "digits" (a channel shows more digits than
the score), "failure" (failing depends on labels), "chosen" (the submission chooses which rows are scored).
"""
from typing import Any, Dict, List

from metrics import METRICS
from shapes import READERS, Case, Reader, codabench, dedent, evalai, function, pair

INNER_JOIN = Reader("""
    import pandas as pd

    def load(labels, predictions):
        both = pd.read_csv(labels).merge(pd.read_csv(predictions), on="row")
        return both["label"].to_numpy(), both["p"].to_numpy()
    """)

BY_ID_GIVEN = Reader("""
    import csv

    def load(labels, predictions):
        truth = {line["row"]: int(line["label"]) for line in csv.DictReader(open(labels))}
        y, p = [], []
        for line in csv.DictReader(open(predictions)):
            if line["row"] in truth:
                y.append(truth[line["row"]])
                p.append(float(line["p"]))
        return y, p
    """)

CUT = Reader("""
    import numpy as np

    def load(labels, predictions):
        y = np.loadtxt(labels, delimiter=",", skiprows=1, ndmin=2)[:, 1].astype(int)
        p = np.loadtxt(predictions, delimiter=",", skiprows=1, ndmin=2)[:, 1]
        n = min(len(y), len(p))
        return y[:n], p[:n]
    """)

DROP_NAN = Reader("""
    import pandas as pd

    def load(labels, predictions):
        frame = pd.read_csv(labels)
        frame["p"] = pd.read_csv(predictions)["p"]
        frame = frame.dropna()
        return frame["label"].to_numpy(), frame["p"].to_numpy()
    """)

SKIP_WORDS = Reader("""
    import csv

    CLASSES = ("0", "1")

    def load(labels, predictions):
        truth = {line["row"]: line["label"] for line in csv.DictReader(open(labels))}
        given = {line["row"]: line["p"] for line in csv.DictReader(open(predictions))}
        if truth.keys() != given.keys():
            raise SystemExit("wrong rows")
        known = [row for row in truth if given[row] in CLASSES]   # others abstain
        return [truth[row] for row in known], [given[row] for row in known]
    """)

ASSERT = Reader("""
    import csv

    def load(labels, predictions):
        truth = [line for line in csv.DictReader(open(labels))]
        given = [line for line in csv.DictReader(open(predictions))]
        assert len(truth) == len(given), "wrong length"
        for a, b in zip(truth, given):
            if not 0 <= float(b["p"]) <= 1:
                raise ValueError(f"bad probability for {dict(a)}: {b['p']}")
        return [int(a["label"]) for a in truth], [float(b["p"]) for b in given]
    """)

MISSING_KEY = Reader("""
    import json

    def load(labels, predictions):
        truth, given = json.load(open(labels)), json.load(open(predictions))
        for key in truth:
            if key not in given:
                raise KeyError("no prediction for %s=%s" % (key, truth[key]))
        return [truth[key] for key in truth], [given[key] for key in truth]
    """, READERS["by-id"].examples)

RAW_F1 = """
    def metric(y, p):
        tp = sum(a == 1 and b == 1 for a, b in zip(y, p))
        precision = tp / sum(b == 1 for b in p)
        recall = tp / sum(a == 1 for a in y)
        return 2 * precision * recall / (precision + recall)
    """

NAN_MEAN = """
    import numpy as np

    def metric(y, p):
        p = np.clip(np.asarray(p, float), 1e-15, 1 - 1e-15)
        return np.nanmean(np.where(np.asarray(y) == 1, -np.log(p), -np.log(1 - p)))
    """

LENIENT = Reader("""
    import numpy as np

    def load(labels, predictions):
        truth = np.genfromtxt(labels, delimiter=",", skip_header=1)
        given = np.genfromtxt(predictions, delimiter=",", skip_header=1)
        if given.shape != truth.shape:
            raise SystemExit("wrong shape")
        return truth[:, 1].astype(int), given[:, 1]
    """)

HTML = dedent("""
    rows = "".join("<tr><td>%d</td><td>%s</td></tr>" % (i, "right" if (b >= 0.5) == (a == 1) else "wrong") for i, (a, b) in enumerate(zip(y, p)))
    with open(os.path.join(output_dir, "detailed_results.html"), "w") as file:
        file.write("<html><table>" + rows + "</table></html>")
    """)

CSV = dedent("""
    import csv
    with open(os.path.join(output_dir, "per_sample.csv"), "w", newline="") as file:
        csv.writer(file).writerows([i, (a - b) ** 2] for i, (a, b) in enumerate(zip(y, p)))
    """)

COPY = dedent("""
    import shutil
    shutil.copytree(os.path.join(input_dir, "ref"), os.path.join(output_dir, "debug"))
    """)

HIDDEN = dedent("""
    positives = [b for a, b in zip(y, p) if a == 1]
    print("recall (hidden on the board): %.3f" % (sum(b >= 0.5 for b in positives) / max(len(positives), 1)))
    """)

CACHE = dedent("""
    import hashlib
    key = hashlib.md5(repr(list(map(int, y))).encode()).hexdigest()
    print("cached as", key)
    print("%.2f" % score)
    """)

ACCURACY, BRIER, THRESHOLD = METRICS["accuracy loops"].code, METRICS["brier numpy"].code, METRICS["accuracy threshold"].code


def _leak(name: str, interface: str, made: Any, what: str, *kinds: str) -> Case:
    files, program, options = made
    truth: Dict[str, Any] = {"kind": "leak", "what": what, "leaks": list(kinds)}
    return Case(name, interface, files, program, options, truth)


def cases() -> List[Case]:
    plain, whole = READERS["dict"], READERS["dict-int"]
    return [
        _leak("l01", "pair", pair(plain, THRESHOLD, "print('debug', list(y)[:40])\nprint('%.3f' % score)"), "a debug print of labels", "rows", "channel"),
        _leak("l02", "pair", pair(whole, ACCURACY, "import sys\nprint('wrong rows:', [i for i in range(len(y)) if y[i] != p[i]], file=sys.stderr)\n"
                                                   "print('%.2f' % score)"), "wrong rows on stderr", "rows", "channel"),
        _leak("l03", "codabench", codabench(plain, THRESHOLD, value="round(score, 2)", more=HIDDEN), "a hidden column in the log", "channel"),
        _leak("l04", "pair", pair(ASSERT, BRIER, "print('%.4f' % score)"), "a traceback with a label", "failure", "rows"),
        _leak("l05", "codabench", codabench(plain, THRESHOLD, value="round(score, 2)", more=HTML), "every row in detailed_results.html", "rows", "channel"),
        _leak("l06", "codabench", codabench(plain, BRIER, value="round(float(score), 3)", more=CSV), "a loss per row in a CSV file", "rows", "channel"),
        _leak("l07", "pair", pair(whole, RAW_F1, "print('%.4f' % score)"), "F1 that divides by 0", "failure"),
        _leak("l08", "pair", pair(INNER_JOIN, METRICS["log-loss numpy 1e-15"].code, "print('%.1f' % score)"), "an inner join", "chosen"),
        _leak("l09", "evalai", evalai(BY_ID_GIVEN, THRESHOLD, "Accuracy", "round(score, 1)"), "only the rows that are there", "chosen"),
        _leak("l10", "pair", pair(CUT, BRIER, "print('%.1f' % score)"), "cut to the shorter length", "chosen"),
        _leak("l11", "pair", pair(DROP_NAN, THRESHOLD, "print('%.2f' % score)"), "dropped NaN", "chosen"),
        _leak("l12", "pair", pair(plain, THRESHOLD, CACHE), "a cache keyed by the labels", "channel", "rows"),
        _leak("l13", "pair", pair(plain, THRESHOLD, "print('%.1f' % score)\nsys.exit(0 if score >= 0.5 else 1)"), "the exit status says whether it passed", "failure", "channel"),
        _leak("l14", "evalai", evalai(whole, ACCURACY, "Accuracy", "round(score, 2)", "import sys\nprint('positives in the test set: %d' % sum(y), file=sys.stderr)\n"),
              "a class count on stderr", "channel"),
        _leak("l15", "codabench", codabench(plain, BRIER, value="round(float(score), 2)", more="print('exact score', float(score))\n"),
              "all digits in the log", "digits", "channel"),
        _leak("l16", "pair", pair(LENIENT, NAN_MEAN, "print('%.1f' % score)"), "a mean that skips NaN", "chosen"),
        _leak("l17", "pair", pair(SKIP_WORDS, ACCURACY, "print('%.2f' % score)"), "rows whose answer is no class are skipped", "chosen"),
        _leak("l18", "evalai", evalai(whole, ACCURACY, "Accuracy", "round(score, 2)", "output['submission_metadata'] = {'correct': [int(a == b) for a, b in zip(y, p)]}\n"),
              "a flag per row in what evaluate returns", "rows", "channel"),
        _leak("l19", "evalai", evalai(MISSING_KEY, THRESHOLD, "Accuracy", "round(score, 2)"), "an exception that names a label", "failure", "rows"),
        _leak("l20", "codabench", codabench(plain, THRESHOLD, value="round(score, 2)", more=COPY), "a copy of the labels in the output folder", "rows", "channel"),
    ]
