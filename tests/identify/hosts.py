"""29 scripts as hosts write them: options of their own, merges, phases, percent, several numbers, a score on stderr, Kaggle's function of two tables; of the last five neither the interface nor a field or the classes are named.
They were written before the program that reads them was looked at. `more` are further numbers, in any order: names, decimals."""
import json
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from shapes import Case, dedent, npy

Number = Tuple[Tuple[str, ...], Optional[int]]


class Row(NamedTuple):
    name: str
    what: str
    interface: str                # "": found out
    metrics: Tuple[str, ...]
    decimals: Optional[int]
    clip: Optional[str]
    world: List[str]
    program: str
    files: Dict[str, Any]
    examples: str = ""            # LABELS,PREDICTIONS:FIELD, the field only where it is named
    more: Tuple[Number, ...] = ()
    digits: Optional[int] = None


SCRIPT = "/usr/bin/python3 @/score.py"
METADATA = {"program/metadata.yaml": "command: python3 score.py $input $output\n"}
CSV = "@/example/gold.csv,@/example/sent.csv"


def csv_pair(gold: str, sent: str) -> Dict[str, Any]:
    return {"example/gold.csv": gold, "example/sent.csv": sent}


ROWS: List[Row] = [
    Row("o01", "accuracy in percent, options --gt and --pred", "pair", ("accuracy",), 2, None, [], SCRIPT + " --gt {labels} --pred {predictions}", {"score.py": """
        import argparse
        import csv

        def column(path, name):
            with open(path, newline="") as handle:
                return {line["row"]: int(line[name]) for line in csv.DictReader(handle)}

        def main():
            ap = argparse.ArgumentParser()
            ap.add_argument("--gt", required=True, help="ground truth")
            ap.add_argument("--pred", required=True, help="the submission")
            ap.add_argument("--verbose", action="store_true")
            a = ap.parse_args()
            gt, pred = column(a.gt, "label"), column(a.pred, "p")
            if len(gt) != len(pred) or any(k not in pred for k in gt):
                ap.error("ids of the submission do not match")
            if any(v not in (0, 1) for v in pred.values()):
                ap.error("invalid class")
            correct = sum(pred[k] == v for k, v in gt.items())
            print("Accuracy: %.2f%% (%d samples)" % (100.0 * correct / len(gt), len(gt)))

        main()
        """}),
    Row("o02", "RMSE of a left join, missing rows count as 0", "pair", ("rmse", "mse"), 6, None, ["--targets", "0:9:1"], SCRIPT, {"score.py": """
        import sys
        import numpy as np
        import pandas as pd

        truth = pd.read_csv(sys.argv[1], dtype={"house_id": str})
        sub = pd.read_csv(sys.argv[2], dtype={"house_id": str}).drop_duplicates("house_id", keep="last")
        both = truth.merge(sub, on="house_id", how="left", suffixes=("_true", "_pred"))
        both["rooms_pred"] = both["rooms_pred"].fillna(0).clip(-100, 100)
        rmse = np.sqrt(((both["rooms_true"] - both["rooms_pred"]) ** 2).mean())
        print(f"RMSE={rmse:.6f}")
        """, **csv_pair("house_id,rooms\nh001,3\nh002,7\nh003,0\nh004,5\n", "house_id,rooms\nh001,2.5\nh002,6.0\nh003,1.5\nh004,4.25\n")}, CSV + ":rooms,rooms"),
    Row("o03", "accuracy, precision, recall, F1 by phase", "evalai", ("accuracy",), 4, None, [], "@/main.py", {"main.py": """
        import json
        from sklearn.metrics import accuracy_score, f1_score, precision_score, recall_score

        def evaluate(test_annotation_file, user_submission_file, phase_codename, **kwargs):
            print("Starting Evaluation.....")
            with open(test_annotation_file) as f:
                truth = json.load(f)
            with open(user_submission_file) as f:
                answers = json.load(f)
            if set(truth) != set(answers):
                raise ValueError("The submission has to contain every image exactly once")
            keys = sorted(truth)
            y, p = [truth[k] for k in keys], [answers[k] for k in keys]
            if not all(isinstance(v, int) and v in (0, 1) for v in p):
                raise ValueError("Predictions have to be 0 or 1")
            scores = {"Accuracy": round(accuracy_score(y, p), 4), "Precision": round(precision_score(y, p, zero_division=0), 4),
                      "Recall": round(recall_score(y, p, zero_division=0), 4), "F1": round(f1_score(y, p, zero_division=0), 4)}
            output = {}
            if phase_codename == "dev":
                print("Evaluating for Dev Phase")
                output["result"] = [{"train_split": scores}]
                output["submission_result"] = output["result"][0]["train_split"]
            elif phase_codename == "test":
                print("Evaluating for Test Phase")
                output["result"] = [{"test_split": scores}]
                output["submission_result"] = output["result"][0]
                print("Completed evaluation for Test Phase")
            return output
        """, "example/gold.json": json.dumps({f"img_{i}": i % 2 for i in range(6)}), "example/sent.json": json.dumps({f"img_{i}": 0 for i in range(6)})},
        "@/example/gold.json,@/example/sent.json:label", ((("precision", "class-precision:1"), 4), (("recall", "class-recall:1"), 4), (("f1", "class-f1:1"), 4))),
    Row("o04", "AUC of a dictionary by id, all digits", "codabench", ("auc",), None, None, [], "@/program", {**METADATA, "program/score.py": """
        import json, os, sys
        from sklearn.metrics import roc_auc_score

        input_dir, output_dir = sys.argv[1], sys.argv[2]
        reference = json.load(open(os.path.join(input_dir, "ref", "reference.json")))
        submission = json.load(open(os.path.join(input_dir, "res", "submission.json")))
        missing = [k for k in reference if k not in submission]
        if missing or len(submission) != len(reference):
            raise Exception("%d ids are missing" % len(missing))
        y = [reference[k] for k in reference]
        s = [float(submission[k]) for k in reference]
        auc = roc_auc_score(y, s)
        json.dump({"AUC": auc}, open(os.path.join(output_dir, "scores.json"), "w"))
        """, "example/reference.json": json.dumps({f"patient-{i:03d}": i % 2 for i in range(5)}),
        "example/submission.json": json.dumps({f"patient-{i:03d}": 0.1 * i for i in range(5)})}, "@/example/reference.json,@/example/submission.json:label"),
    Row("o05", "macro-F1 and accuracy of lines of words, scores.txt", "codabench", ("macro-f1",), 5, None, ["--classes", "4"], "@/program", {
        "program/metadata": "command: python $program/evaluate.py $input $output\ndescription: Scoring program\n", "program/evaluate.py": """
        #!/usr/bin/env python
        import os, sys
        from sklearn.metrics import accuracy_score, f1_score

        LABELS = ["anger", "fear", "joy", "sadness"]
        _, input_dir, output_dir = sys.argv
        truth = [l.strip() for l in open(os.path.join(input_dir, "ref", "truth.txt")) if l.strip()]
        answer = [l.strip() for l in open(os.path.join(input_dir, "res", "answer.txt")) if l.strip()]
        if len(truth) != len(answer):
            sys.exit("Expected %d lines, found %d" % (len(truth), len(answer)))
        for i, a in enumerate(answer):
            if a not in LABELS:
                sys.exit("line %d: unknown label" % (i + 1))
        with open(os.path.join(output_dir, "scores.txt"), "w") as out:
            out.write("f1_macro:%.5f\\n" % f1_score(truth, answer, average="macro", labels=LABELS, zero_division=0))
            out.write("accuracy:%.5f\\n" % accuracy_score(truth, answer))
        """, "example/truth.txt": "joy\nanger\nfear\nsadness\njoy\n", "example/answer.txt": "joy\nanger\nanger\nfear\nsadness\n"},
        "@/example/truth.txt,@/example/answer.txt:label", ((("accuracy",), 5),)),
    Row("o06", "accuracy of JSON lines, missing answers count as wrong", "pair", ("accuracy",), 1, None, ["--classes", "3"], SCRIPT, {"score.py": """
        import json
        import sys

        def load(path):
            with open(path) as f:
                rows = [json.loads(line) for line in f if line.strip()]
            return {r["qid"]: r["answer"] for r in rows}

        gold, pred = load(sys.argv[1]), load(sys.argv[2])
        correct = 0
        for qid, answer in gold.items():
            if qid in pred and str(pred[qid]).lower() == answer:
                correct += 1
        print(f"EM: {100 * correct / len(gold):.1f}")
        """, "example/gold.jsonl": "".join(json.dumps({"qid": f"q{i}", "answer": a}) + "\n" for i, a in enumerate(("no", "yes", "maybe", "no"))),
        "example/sent.jsonl": "".join(json.dumps({"qid": f"q{i}", "answer": a}) + "\n" for i, a in enumerate(("no", "no", "maybe", "yes")))},
        "@/example/gold.jsonl,@/example/sent.jsonl:answer,answer"),
    Row("o07", "log-loss of three classes, clip 1e-5, rescaled", "python", ("log-loss",), 5, "1e-5", ["--classes", "3"], "python:@/metric.py:score", {"metric.py": """
        import numpy as np

        EPS = 1e-5

        def score(y_true, y_pred):
            y_pred = np.asarray(y_pred, dtype=np.float64)
            if y_pred.ndim != 2 or y_pred.shape[0] != len(y_true) or not np.isfinite(y_pred).all():
                raise ValueError("bad shape or not finite")
            y_pred = np.clip(y_pred, EPS, 1.0 - EPS)
            y_pred /= y_pred.sum(axis=1)[:, np.newaxis]
            onehot = np.eye(y_pred.shape[1])[np.asarray(y_true, dtype=int)]
            return round(float(-(onehot * np.log(y_pred)).sum() / len(y_true)), 5)
        """}),
    Row("o08", "accuracy and loss of torch on logits", "pair", ("sigmoid-ce",), 4, None, [], SCRIPT, {"score.py": """
        import sys
        import pandas as pd
        import torch
        import torch.nn as nn

        y = pd.read_csv(sys.argv[1]).sort_values("row")
        z = pd.read_csv(sys.argv[2]).sort_values("row")
        assert y["row"].tolist() == z["row"].tolist(), "rows differ"
        target = torch.tensor(y["label"].to_numpy(), dtype=torch.float32)
        logit = torch.tensor(z["p"].to_numpy(), dtype=torch.float32)
        assert torch.isfinite(logit).all(), "logits must be finite"
        loss = nn.BCEWithLogitsLoss()(logit, target)
        print("val_loss: {:.4f}".format(loss.item()))
        """}),
    Row("o09", "the error rate, on stderr", "pair", ("zero-one", "accuracy"), 3, None, ["--classes", "3"], SCRIPT, {"score.py": """
        import logging
        import sys

        logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")

        def read(path):
            rows = [line.strip().split(",") for line in open(path)][1:]
            return [r[0] for r in rows], [r[1] for r in rows]

        (ids, gold), (given, pred) = read(sys.argv[1]), read(sys.argv[2])
        if ids != given:
            logging.error("the ids do not match")
            sys.exit(3)
        if not set(pred) <= {"0", "1", "2"}:
            logging.error("no such class")
            sys.exit(4)
        wrong = sum(a != b for a, b in zip(gold, pred))
        logging.info("error rate = %.3f", wrong / len(gold))
        """}),
    Row("o10", "MAE and RMSE as YAML, all digits", "pair", ("mae",), None, None, ["--targets", "0:20:2"], SCRIPT, {"score.py": """
        import sys
        import numpy as np
        import yaml
        from sklearn.metrics import mean_absolute_error, mean_squared_error

        y = np.genfromtxt(sys.argv[1], delimiter=",", skip_header=1)
        p = np.genfromtxt(sys.argv[2], delimiter=",", skip_header=1)
        if y.shape != p.shape or not np.array_equal(y[:, 0], p[:, 0]) or not np.isfinite(p).all():
            raise SystemExit("malformed submission")
        mae = mean_absolute_error(y[:, 1], p[:, 1])
        rmse = mean_squared_error(y[:, 1], p[:, 1]) ** 0.5
        print(yaml.safe_dump({"metrics": {"mae": float(mae), "rmse": float(rmse)}, "rows": len(y)}))
        """}, "", ((("rmse", "mse"), None),)),
    Row("o11", "quadratic weighted kappa of essays", "evalai", ("quadratic-kappa",), 3, None, ["--classes", "6"], "@/main.py", {"main.py": """
        import csv
        from sklearn.metrics import cohen_kappa_score

        def _read(path):
            with open(path, encoding="utf-8-sig") as f:
                return {row["essay_id"]: int(row["score"]) for row in csv.DictReader(f)}

        def evaluate(test_annotation_file, user_submission_file, phase_codename, **kwargs):
            truth, guess = _read(test_annotation_file), _read(user_submission_file)
            if truth.keys() != guess.keys():
                raise ValueError("essay ids do not match")
            if min(guess.values()) < 0 or max(guess.values()) > 5:
                raise ValueError("scores are 0 to 5")
            order = list(truth)
            kappa = cohen_kappa_score([truth[k] for k in order], [guess[k] for k in order], weights="quadratic", labels=list(range(6)))
            return {"result": [{"test": {"QWK": round(kappa, 3)}}], "submission_result": {"QWK": round(kappa, 3)}}
        """, **csv_pair("essay_id,prompt,score\n1001,2,3\n1002,2,5\n1003,1,0\n1004,2,1\n", "essay_id,score\n1001,3\n1002,4\n1003,0\n1004,2\n")}, CSV + ":score,score"),
    Row("o12", "top-5 of ten classes in percent", "codabench", ("top-k-first:5",), 2, None, ["--classes", "10"], "@/program", {**METADATA, "program/score.py": """
        import json, os, sys
        import numpy as np

        ref = np.loadtxt(os.path.join(sys.argv[1], "ref", "labels.csv"), delimiter=",", skiprows=1, dtype=float)
        res = np.loadtxt(os.path.join(sys.argv[1], "res", "predictions.csv"), delimiter=",", skiprows=1)
        if len(ref) != len(res) or (ref[:, 0] != res[:, 0]).any() or not np.isfinite(res).all():
            sys.exit("wrong submission")
        labels, scores = ref[:, 1].astype(int), res[:, 1:]
        top5 = np.argsort(-scores, axis=1, kind="stable")[:, :5]
        hits = [labels[i] in top5[i] for i in range(len(labels))]
        json.dump({"top5": round(100 * float(np.mean(hits)), 2)}, open(os.path.join(sys.argv[2], "scores.json"), "w"))
        """}),
    Row("o14", "Kaggle's score(solution, submission, row_id_column_name)", "python", ("log-loss",), None, "1e-15", [], "python:@/metric.py:score", {"metric.py": """
        import numpy as np
        import pandas as pd
        import pandas.api.types

        class ParticipantVisibleError(Exception):
            pass

        def score(solution: pd.DataFrame, submission: pd.DataFrame, row_id_column_name: str) -> float:
            del solution[row_id_column_name]
            del submission[row_id_column_name]
            for col in submission.columns:
                if not pandas.api.types.is_numeric_dtype(submission[col]):
                    raise ParticipantVisibleError(f"Submission column {col} must be a number")
            if len(solution) != len(submission) or submission.isna().any().any():
                raise ParticipantVisibleError("Submission has missing values")
            y = solution["target"].to_numpy()
            p = submission["target"].clip(1e-15, 1 - 1e-15).to_numpy()
            return float(-np.mean(y * np.log(p) + (1 - y) * np.log(1 - p)))
        """, **csv_pair("id,target\n7,0\n8,1\n9,1\n10,0\n", "id,target\n7,0.5\n8,0.25\n9,0.75\n10,0.1\n")}, CSV + ":target,target"),
    Row("o15", "Matthews's coefficient by Decimal, half up", "pair", ("mcc",), 3, None, [], SCRIPT, {"score.py": """
        import math
        import sys
        from decimal import Decimal, ROUND_HALF_UP

        def read(path):
            table = {}
            for number, line in enumerate(open(path)):
                if number and line.strip():
                    key, value = line.strip().split(",")
                    if key in table:
                        sys.exit("duplicate id")
                    table[key] = value
            return table

        y, p = read(sys.argv[1]), read(sys.argv[2])
        if y.keys() != p.keys():
            sys.exit("ids differ")
        if any(v not in "01" or not v for v in p.values()):
            sys.exit("labels are 0 and 1")
        n = {(a, b): 0 for a in "01" for b in "01"}
        for k in y:
            n[y[k], p[k]] += 1
        tp, tn, fp, fn = n["1", "1"], n["0", "0"], n["0", "1"], n["1", "0"]
        d = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
        mcc = Decimal(tp * tn - fp * fn) / Decimal(d).sqrt() if d else Decimal(0)
        print("MCC", mcc.quantize(Decimal("0.001"), rounding=ROUND_HALF_UP))
        """}),
    Row("o16", "accuracy in percent as a text, words, phases", "evalai", ("accuracy",), 2, None, ["--classes", "5"], "@/main.py", {"main.py": """
        import csv

        VALID = {"north", "south", "east", "west", "none"}
        SPLITS = {"phase1": "public_split", "phase2": "private_split"}

        def load(path):
            out = {}
            with open(path) as f:
                for row in csv.DictReader(f, delimiter=","):
                    out[row["clip"].strip()] = row["direction"].strip()
            return out

        def evaluate(test_annotation_file, user_submission_file, phase_codename, **kwargs):
            gt, sub = load(test_annotation_file), load(user_submission_file)
            extra = set(sub) - set(gt)
            if extra:
                raise Exception("unknown clips: %d" % len(extra))
            if set(gt) - set(sub):
                raise Exception("missing clips")
            if not VALID.issuperset(sub.values()):
                raise Exception("unknown direction")
            acc = sum(sub[c] == gt[c] for c in gt) / len(gt)
            result = {"Accuracy": "{:.2f}".format(acc * 100)}
            return {"result": [{SPLITS.get(phase_codename, "private_split"): result}], "submission_metadata": "", "submission_result": result}
        """, **csv_pair("clip,direction\na1,north\na2,south\na3,east\na4,west\na5,none\n", "clip,direction\na1,none\na2,south\na3,west\na4,west\na5,east\n")},
        CSV + ":direction,direction"),
    Row("o17", "R2 and RMSE, fixed paths", "codabench", ("r2",), 4, None, ["--targets", "0:10:1"], "@/program", {"program/metadata.yaml": "command: python3 /app/program/scoring.py\n", "program/scoring.py": """
        import json
        import os
        import numpy as np

        reference_dir = os.path.join("/app/input/", "ref")
        prediction_dir = os.path.join("/app/input/", "res")
        score_dir = "/app/output/"

        print("Reading prediction")
        prediction = np.genfromtxt(os.path.join(prediction_dir, "prediction.csv"), delimiter=",", skip_header=1)
        truth = np.genfromtxt(os.path.join(reference_dir, "truth.csv"), delimiter=",", skip_header=1)
        if prediction.shape != truth.shape or np.isnan(prediction).any() or (prediction[:, 0] != truth[:, 0]).any():
            raise ValueError("The prediction does not have the shape of the truth")
        y, p = truth[:, 1], prediction[:, 1]
        rss = np.sum(np.square(y - p))
        scores = {"r2": round(1 - rss / np.sum(np.square(y - y.mean())), 4), "rmse": round(np.sqrt(rss / len(y)), 4)}
        print("Scores:", len(scores))
        with open(os.path.join(score_dir, "scores.json"), "w") as score_file:
            score_file.write(json.dumps(scores))
        """}, "", ((("rmse", "mse"), 4),)),
    Row("o18", "weighted F1 with four significant digits", "pair", ("weighted-f1",), None, None, ["--classes", "4"], SCRIPT, {"score.py": """
        import sys
        import pandas as pd
        from sklearn.metrics import f1_score

        solution = pd.read_csv(sys.argv[1], index_col=0)
        submission = pd.read_csv(sys.argv[2], index_col=0)
        if not solution.index.sort_values().equals(submission.index.sort_values()):
            sys.exit("Index of the submission is wrong")
        p = submission.loc[solution.index].iloc[:, 0]
        if p.isna().any() or not p.isin(range(4)).all():
            sys.exit("Classes are 0, 1, 2, 3")
        print("%.4g" % f1_score(solution.iloc[:, 0], p.astype(int), average="weighted", zero_division=0))
        """}, digits=4),
    Row("o19", "log-loss beside the time, clip 0.001", "pair", ("log-loss",), 5, "0.001", [], SCRIPT, {"score.py": """
        import json, math, sys, time

        start = time.time()
        gold = json.load(open(sys.argv[1]))
        sent = json.load(open(sys.argv[2]))
        probability = {item["id"]: float(item["prob"]) for item in sent}
        if len(sent) != len(gold) or any(item["id"] not in probability for item in gold):
            print(json.dumps({"status": "error", "message": "ids do not match"}))
            sys.exit(1)
        if not all(0 <= v <= 1 for v in probability.values()):
            print(json.dumps({"status": "error", "message": "not a probability"}))
            sys.exit(1)
        loss = 0
        for item in gold:
            v = max(min(probability[item["id"]], 0.999), 0.001)
            loss -= math.log(v if item["spam"] else 1 - v)
        print(json.dumps({"status": "ok", "n": len(gold), "seconds": time.time() - start, "logloss": round(loss / len(gold), 5)}))
        """, "example/gold.json": json.dumps([{"id": f"m{i}", "spam": i % 2} for i in range(5)]), "example/sent.json": json.dumps([{"id": f"m{i}", "prob": 0.25} for i in range(5)])},
        "@/example/gold.json,@/example/sent.json:spam,prob"),
    Row("o20", "Gini as Kaggle's forum writes it", "evalai", ("gini",), 6, None, [], "@/main.py", {"main.py": """
        import numpy as np
        import pandas as pd

        def gini(actual, pred):
            everything = np.asarray(np.c_[actual, pred, np.arange(len(actual))], dtype=float)
            everything = everything[np.lexsort((everything[:, 2], -1 * everything[:, 1]))]
            total = everything[:, 0].sum()
            s = everything[:, 0].cumsum().sum() / total
            return (s - (len(actual) + 1) / 2.0) / len(actual)

        def evaluate(test_annotation_file, user_submission_file, phase_codename, **kwargs):
            a, b = pd.read_csv(test_annotation_file), pd.read_csv(user_submission_file)
            if not a["row"].equals(b["row"]) or b["p"].isna().any():
                raise ValueError("rows do not match")
            if a["label"].nunique() < 2:
                return {"result": [{"test": {"NormalizedGini": 0.0}}]}
            return {"result": [{"test": {"NormalizedGini": round(gini(a["label"], b["p"]) / gini(a["label"], a["label"]), 6)}}]}
        """}),
    Row("o21", "macro-F1 of the classes that occur, as a text", "python", ("macro-f1",), 4, None, ["--classes", "3"], "python:@/metric.py:compute", {"metric.py": """
        def compute(y_true, y_pred):
            y_true, y_pred = [int(v) for v in y_true], list(y_pred)
            if len(y_true) != len(y_pred) or any(v not in (0, 1, 2) for v in y_pred):
                raise ValueError("labels are 0, 1, 2")
            f1 = []
            for c in sorted(set(y_true) | set(y_pred)):
                tp = sum(t == c and p == c for t, p in zip(y_true, y_pred))
                fp = sum(t != c and p == c for t, p in zip(y_true, y_pred))
                fn = sum(t == c and p != c for t, p in zip(y_true, y_pred))
                f1.append(2 * tp / (2 * tp + fp + fn))
            return {"macro_f1": format(sum(f1) / len(f1), ".4f")}
        """}),
    Row("o22", "accuracy of the largest column, .npy", "pair", ("accuracy",), 3, None, ["--classes", "4"], SCRIPT, {"score.py": """
        import sys
        import numpy as np

        y = np.load(sys.argv[1])
        logits = np.load(sys.argv[2])
        if logits.ndim != 2 or logits.shape != (y.shape[0], 4) or not np.isfinite(logits).all():
            sys.exit(f"expected an array of shape ({y.shape[0]}, 4)")
        acc = (logits.argmax(axis=-1) == y).mean() * 100
        print("{:.3f}".format(acc))
        """, "example/gold.npy": npy([0, 1, 2, 3], "i8"), "example/sent.npy": npy([[0.5, 0.25, 0.125, 0.125], [0, 1, 0, 0], [0.1, 0.2, 0.3, 0.4], [0.25, 0.25, 0.5, 0]], "f8")},
        "@/example/gold.npy,@/example/sent.npy:label"),
    Row("o23", "Spearman's correlation, six digits in scores.txt", "codabench", ("spearman",), 6, None, ["--targets", "0:5:0.5"], "@/program", {
        "program/metadata.yaml": "command: python3 /app/program/main.py /app/input /app/output\ndescription: sts\n", "program/main.py": """
        import pathlib, sys
        import pandas as pd
        from scipy import stats

        where = pathlib.Path(sys.argv[1])
        gold = pd.read_csv(where / "ref" / "sts-gold.csv")
        pred = pd.read_csv(where / "res" / "sts-pred.csv")
        if list(gold["row"]) != list(pred["row"]):
            raise SystemExit("pairs do not match")
        if pred["p"].isna().any():
            raise SystemExit("NaN")
        rho = 0.0 if pred["p"].nunique() == 1 or gold["label"].nunique() == 1 else stats.spearmanr(gold["label"], pred["p"])[0]
        pathlib.Path(sys.argv[2], "scores.txt").write_text(f"correlation:{rho:.6f}\\n")
        """}),
    Row("o24", "loss and accuracy of torch in one line", "pair", ("log-loss", "bce"), 4, "100", [], SCRIPT, {"score.py": """
        import sys
        import torch
        from torch.nn import functional as F

        def tensor(path):
            rows = [line.split(",") for line in open(path).read().split()[1:]]
            return [r[0] for r in rows], torch.tensor([float(r[1]) for r in rows])

        (ids, y), (given, p) = tensor(sys.argv[1]), tensor(sys.argv[2])
        if ids != given:
            raise RuntimeError("order of the rows differs")
        loss = F.binary_cross_entropy(p, y)
        acc = ((p > 0.5).float() == y).float().mean()
        print(f"loss {loss:.4f} | acc {acc:.1%}")
        """}, "", ((("accuracy",), 1),)),
    Row("o25", "MAPE in percent", "evalai", ("mape",), 2, None, ["--targets", "1:10:1"], "@/main.py", {"main.py": """
        import numpy as np
        import pandas as pd

        def evaluate(test_annotation_file, user_submission_file, phase_codename, **kwargs):
            gt = pd.read_csv(test_annotation_file).set_index("row")["label"]
            pr = pd.read_csv(user_submission_file).set_index("row")["p"]
            if not gt.index.equals(pr.index) or not np.isfinite(pr).all():
                raise Exception("Wrong submission file")
            mape = np.mean(np.abs((gt - pr) / gt)) * 100
            return {"result": [{"data": {"MAPE": round(float(mape), 2)}}]}
        """}),
    Row("o26", "quadratic kappa of tab-separated files without a head, five grades in the example", "", ("quadratic-kappa",), 3, None, [],
        SCRIPT + " --truth {labels} --submission {predictions}", {"score.py": """
        import argparse
        from decimal import Decimal, ROUND_HALF_EVEN

        p = argparse.ArgumentParser()
        p.add_argument("--truth", required=True)
        p.add_argument("--submission", required=True)
        p.add_argument("--verbose", action="store_true")
        a = p.parse_args()

        def load(path):
            table = {}
            for line in open(path):
                if line.strip():
                    key, grade = line.rstrip("\\n").split("\\t")
                    if key in table:
                        raise SystemExit("essay %s twice" % key)
                    table[key] = int(grade)
            return table

        t, s = load(a.truth), load(a.submission)
        if t.keys() != s.keys():
            raise SystemExit("essays differ")
        K = 5
        O = [[0] * K for _ in range(K)]
        for k in t:
            if not 0 <= s[k] < K:
                raise SystemExit("grade out of range")
            O[t[k]][s[k]] += 1
        n = len(t)
        rows = [sum(r) for r in O]
        cols = [sum(O[i][j] for i in range(K)) for j in range(K)]
        num = sum((i - j) ** 2 * O[i][j] for i in range(K) for j in range(K))
        den = sum((i - j) ** 2 * rows[i] * cols[j] for i in range(K) for j in range(K)) / n
        kappa = 1 - num / den if den else 1.0
        print("qwk:", Decimal(kappa).quantize(Decimal("0.001"), rounding=ROUND_HALF_EVEN))
        """, "example/truth.tsv": "e1\t3\ne2\t0\ne3\t4\ne4\t1\ne5\t2\n", "example/sent.tsv": "e1\t2\ne2\t1\ne3\t4\ne4\t0\ne5\t3\n"}, "@/example/truth.tsv,@/example/sent.tsv"),
    Row("o27", "log-loss of JSON lines with true and false", "", ("log-loss",), None, "1e-7", [], SCRIPT, {"score.py": """
        import json, sys, math
        def rows(path):
            with open(path, encoding="utf-8") as f:
                for line in f:
                    if line.strip():
                        yield json.loads(line)
        truth = {r["uid"]: r["toxic"] for r in rows(sys.argv[1])}
        total, seen = 0.0, set()
        for r in rows(sys.argv[2]):
            if r["uid"] not in truth or r["uid"] in seen:
                raise KeyError(r["uid"])
            seen.add(r["uid"])
            p = min(max(float(r["toxic"]), 1e-7), 1 - 1e-7)
            total -= math.log(p) if truth[r["uid"]] else math.log(1 - p)
        if len(seen) != len(truth):
            raise ValueError("comments missing")
        json.dump({"status": "ok", "metrics": {"LogLoss": total / len(truth)}}, sys.stdout, indent=2)
        """, "example/truth.jsonl": '{"uid": "a1", "toxic": true, "text": "x"}\n{"uid": "b7", "toxic": false, "text": "y"}\n',
            "example/sent.jsonl": '{"uid": "a1", "toxic": 0.75}\n{"uid": "b7", "toxic": 0.1}\n'}, "@/example/truth.jsonl,@/example/sent.jsonl"),
    Row("o28", "log-loss of four classes, each a column that is named after it", "", ("log-loss",), 5, "1e-15", [], SCRIPT, {"score.py": """
        import sys, numpy as np, pandas as pd
        CLASSES = ["bicycle", "bus", "car", "train"]
        truth = pd.read_csv(sys.argv[1])
        sub = pd.read_csv(sys.argv[2])
        if list(sub.columns) != ["trip"] + CLASSES: raise SystemExit("columns must be trip, " + ", ".join(CLASSES))
        if not (sub.trip.values == truth.trip.values).all(): raise SystemExit("keep the order of trips")
        P = sub[CLASSES].to_numpy(float)
        P = P / P.sum(axis=1, keepdims=True)
        P = np.clip(P, 1e-15, 1 - 1e-15)
        y = truth["mode"].map({c: i for i, c in enumerate(CLASSES)}).to_numpy()
        loss = float(-np.log(P[np.arange(len(y)), y]).mean())
        print("multi-class log-loss", round(loss, 5))
        """, **csv_pair('trip,mode\nt1,car\nt2,bus\nt3,train\nt4,bicycle\n', 'trip,bicycle,bus,car,train\nt1,0.1,0.2,0.3,0.4\nt2,0.25,0.25,0.25,0.25\nt3,0.7,0.1,0.1,0.1\nt4,0.1,0.6,0.2,0.1\n')}, CSV),
    Row("o29", "balanced accuracy, Kaggle's function in a file", "", ("balanced-accuracy", "macro-recall", "macro-recall-all"), None, None, [], "@/score.py", {"score.py": """
        import pandas as pd
        import pandas.api.types
        from sklearn.metrics import balanced_accuracy_score

        class ParticipantVisibleError(Exception):
            pass

        def score(solution: pd.DataFrame, submission: pd.DataFrame, row_id_column_name: str) -> float:
            del solution[row_id_column_name]
            del submission[row_id_column_name]
            column = submission.columns[0]
            if not pandas.api.types.is_numeric_dtype(submission[column]):
                raise ParticipantVisibleError("predictions must be numbers")
            return float(balanced_accuracy_score(solution[solution.columns[0]], submission[column]))
        """}),
    Row("o30", "macro-F1 of three words, rows in a frame, EvalAI's function beside an __init__.py", "", ("macro-f1", "macro-f1-all"), 2, None, [], "@/challenge",
        {"challenge/evaluation_script/__init__.py": "raise SystemExit('what it would install is there')\n", "challenge/evaluation_script/words.py": "SPECIES = ['boar', 'deer', 'fox']\n",
         "challenge/evaluation_script/main.py": """
        import json

        from sklearn.metrics import f1_score

        from .words import SPECIES

        def evaluate(test_annotation_file, user_submission_file, phase_codename, **kwargs):
            with open(test_annotation_file) as file:
                truth = {a["image_id"]: a["species"] for a in json.load(file)["annotations"]}
            with open(user_submission_file) as file:
                answers = {a["image_id"]: a["species"] for a in json.load(file)}
            if set(truth) != set(answers) or not set(answers.values()) <= set(SPECIES):
                raise ValueError("images or species do not match")
            ids = sorted(truth)
            macro = f1_score([truth[i] for i in ids], [answers[i] for i in ids], labels=SPECIES, average="macro", zero_division=0)
            return {"result": [{"dev_split": {"MacroF1": round(100 * macro, 2)}}]}
        """, "example/truth.json": json.dumps({"info": {"year": 2026}, "annotations": [{"image_id": f"i{k}", "species": ["fox", "boar", "deer"][k % 3], "width": 9} for k in range(7)]}),
            "example/sent.json": json.dumps([{"image_id": f"i{k}", "species": "deer", "confidence": 0.5} for k in range(7)])}, "@/example/truth.json,@/example/sent.json"),
]


def _case(row: Row) -> Case:
    template, _, field = row.examples.partition(":")
    options = (["--interface", row.program if row.interface == "python" else row.interface] if row.interface else []) + (["--template", template] if template else []) + (["--field", field] if field else [])
    files = {path: text if path.startswith("example/") or path.endswith((".yaml", "metadata")) else dedent(text) for path, text in row.files.items()}
    return Case(row.name, row.interface, files, row.program, options + row.world,
                {"kind": "known", "what": row.what, "metrics": list(row.metrics), "decimals": row.decimals, "digits": row.digits, "clip": row.clip, "leaks": [],
                 "more": [[list(names), decimals] for names, decimals in row.more]})


def cases() -> List[Case]:
    return [_case(row) for row in ROWS]
