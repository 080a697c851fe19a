"""15 scripts that were written whole, each in a shape of its own, before the program that reads them was looked at. Their metrics are those of the table."""
import json
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from shapes import Case, dedent


class Row(NamedTuple):
    name: str
    what: str
    interface: str
    metrics: Tuple[str, ...]
    decimals: Optional[int]
    clip: Optional[str]
    world: List[str]
    files: Dict[str, Any]
    options: List[str] = []


CODABENCH = {"program/metadata.yaml": "command: python3 $program/evaluate.py $input $output\ndescription: the scoring step\n"}

ROWS: List[Row] = [
    Row("b01", "F0.5 of scikit-learn, argparse", "pair", ("fbeta:0.5",), 4, None, [], {"score.py": """
        import argparse
        import pandas as pd
        from sklearn.metrics import fbeta_score

        parser = argparse.ArgumentParser(description="Scores a submission.")
        parser.add_argument("solution")
        parser.add_argument("submission")
        args = parser.parse_args()
        solution, submission = pd.read_csv(args.solution), pd.read_csv(args.submission)
        if submission["row"].tolist() != solution["row"].tolist():
            parser.error("rows of the submission and of the solution differ")
        if not submission["p"].isin([0, 1]).all():
            parser.error("only 0 and 1 may be predicted")
        value = fbeta_score(solution["label"], submission["p"].astype(int), beta=0.5, zero_division=0)
        print(f"F0.5 : {value:.4f}")
        """}),
    Row("b02", "mean absolute error, genfromtxt", "pair", ("mae",), 4, None, ["--targets", "0:8:1"], {"score.py": """
        import sys
        import numpy as np

        def table(path):
            return np.genfromtxt(path, delimiter=",", names=True)

        gold, guess = table(sys.argv[1]), table(sys.argv[2])
        if gold.size != guess.size or np.any(gold["row"] != guess["row"]) or np.isnan(guess["p"]).any():
            sys.exit("bad submission")
        total = 0.0
        for a, b in zip(gold["label"], guess["p"]):
            total = total + np.abs(a - b)
        print(np.format_float_positional(total / gold.size, precision=4))
        """}),
    Row("b03", "negative log-likelihood of torch with clamp", "evalai", ("log-loss",), None, "1e-8", ["--classes", "3"], {"evaluate.py": """
        import torch
        import torch.nn.functional as F

        def read(path):
            with open(path) as stream:
                next(stream)
                return torch.tensor([[float(cell) for cell in line.split(",")] for line in stream if line.strip()], dtype=torch.float64)

        def evaluate(test_annotation_file, user_submission_file, phase_codename, **kwargs):
            gold, given = read(test_annotation_file), read(user_submission_file)
            if gold.shape[0] != given.shape[0] or not torch.equal(gold[:, 0], given[:, 0]):
                raise Exception("The ids do not match.")
            if not torch.isfinite(given).all():
                raise Exception("Probabilities must be finite.")
            loss = F.nll_loss(given[:, 1:].clamp(min=1e-8).log(), gold[:, 1].long())
            return {"result": [{"split": {"NLL": loss.item()}}]}
        """}),
    Row("b04", "accuracy by Decimal, half to even", "pair", ("accuracy",), 1, None, [], {"score.py": """
        import csv, sys
        from decimal import ROUND_HALF_EVEN, Decimal

        gold = {r["row"]: r["label"] for r in csv.DictReader(open(sys.argv[1]))}
        rows = list(csv.DictReader(open(sys.argv[2])))
        if sorted(r["row"] for r in rows) != sorted(gold):
            sys.exit(f"expected {len(gold)} different rows")
        for r in rows:
            if r["p"] not in ("0", "1"):
                sys.exit("class must be 0 or 1, got " + r["p"])
        right = sum(gold[r["row"]] == r["p"] for r in rows)
        share = (Decimal(100 * right) / Decimal(len(gold))).quantize(Decimal("0.1"), rounding=ROUND_HALF_EVEN)
        print("Your accuracy is", share, "%")
        """}),
    Row("b05", "R2 with a log of JSON lines", "codabench", ("r2",), 4, None, ["--targets", "0:6:1"], {**CODABENCH, "program/evaluate.py": """
        import json, os, sys, time

        def log(**what):
            print(json.dumps({"time": round(time.time(), 3), **what}), flush=True)

        def numbers(path, field):
            lines = open(path).read().strip().splitlines()
            at = lines[0].split(",").index(field)
            return [line.split(",")[0] for line in lines[1:]], [float(line.split(",")[at]) for line in lines[1:]]

        source, target = sys.argv[1:]
        ids, y = numbers(os.path.join(source, "ref", "labels.csv"), "label")
        given, p = numbers(os.path.join(source, "res", "predictions.csv"), "p")
        log(event="loaded", rows=len(y))
        assert ids == given, "ids differ"
        assert all(abs(v) < 1e9 for v in p), "not finite"
        mean = sum(y) / len(y)
        top, below = sum((a - b) ** 2 for a, b in zip(y, p)), sum((a - mean) ** 2 for a in y)
        with open(os.path.join(target, "scores.json"), "w") as out:
            json.dump({"R2": round(1 - top / below if below else 0.0, 4)}, out)
        log(event="done")
        """}),
    Row("b06", "balanced accuracy as a percentage of an f-string", "pair", ("balanced-accuracy", "macro-recall"), 2, None, ["--classes", "3"], {"score.py": """
        import sys
        from collections import Counter

        def read(path):
            pairs = [line.rstrip().split(",") for line in open(path)][1:]
            return dict(pairs) if len(dict(pairs)) == len(pairs) else sys.exit("duplicates")

        gold, given = read(sys.argv[1]), read(sys.argv[2])
        if set(gold) - set(given) or set(given) - set(gold):
            sys.exit("not the rows of the test set")
        if set(given.values()) - {"0", "1", "2"}:
            sys.exit("unknown class")
        hit, seen = Counter(), Counter(gold.values())
        for key, label in gold.items():
            hit[label] += given[key] == label
        print(f"balanced accuracy: {sum(hit[k] / seen[k] for k in seen) / len(seen):.2%}")
        """}),
    Row("b07", "average precision by hand, scores.txt", "codabench", ("average-precision",), 5, None, [], {**CODABENCH, "program/evaluate.py": """
        import os, sys
        import numpy as np

        y = np.loadtxt(os.path.join(sys.argv[1], "ref", "labels.csv"), delimiter=",", skiprows=1)
        p = np.loadtxt(os.path.join(sys.argv[1], "res", "predictions.csv"), delimiter=",", skiprows=1)
        if y.shape != p.shape or (y[:, 0] != p[:, 0]).any() or np.isnan(p).any():
            raise ValueError("bad submission")
        order = np.argsort(-p[:, 1], kind="mergesort")
        score, hit = p[order, 1], y[order, 1]
        last = np.r_[np.nonzero(np.diff(score))[0], len(score) - 1]
        found = np.cumsum(hit)[last]
        precision = found / (last + 1)
        recall = found / max(found[-1], 1)
        area = np.sum(np.diff(np.r_[0, recall]) * precision)
        with open(os.path.join(sys.argv[2], "scores.txt"), "w") as out:
            out.write("ap: %0.5f" % area)
        """}),
    Row("b08", "top-3 of five classes as a dictionary", "python", ("top-k:3",), 4, None, ["--classes", "5"], {"metrics.py": """
        import numpy as np

        def top3(y_true, y_score):
            y_score = np.asarray(y_score, dtype=float)
            if y_score.shape != (len(y_true), 5):
                raise ValueError("wrong shape")
            if not np.isfinite(y_score).all():
                raise ValueError("not finite")
            best = np.argpartition(-y_score, 3, axis=1)[:, :3]
            return {"top3": round(float((best == np.asarray(y_true).reshape(-1, 1)).any(axis=1).mean()), 4)}
        """}, ["top3"]),
    Row("b09", "macro recall of words", "evalai", ("macro-recall", "balanced-accuracy"), 3, None, ["--classes", "4"], {"evaluate.py": """
        import csv
        from sklearn.metrics import recall_score

        CLASSES = ("bird", "cat", "dog", "fish")

        def evaluate(annotation, submission, phase, **kwargs):
            with open(annotation) as a, open(submission) as b:
                gold = {line["file"]: line["animal"] for line in csv.DictReader(a)}
                lines = [(line["file"], line["animal"]) for line in csv.DictReader(b)]
            if len(lines) != len(gold) or dict(lines).keys() != gold.keys():
                raise ValueError("The submission must name each file once.")
            given = dict(lines)
            if not set(given.values()) <= set(CLASSES):
                raise ValueError("Unknown animal.")
            value = recall_score(list(gold.values()), [given[k] for k in gold], labels=sorted(set(gold.values())), average="macro", zero_division=0)
            return {"result": [{"test_split": {"MacroRecall": round(value, 3), "Total": round(value, 3)}}]}
        """, "example/gold.csv": "file,animal,width\n1.jpg,cat,20\n2.jpg,bird,30\n3.jpg,fish,31\n4.jpg,dog,8\n5.jpg,dog,9\n",
        "example/sent.csv": "file,animal\n1.jpg,cat\n2.jpg,bird\n3.jpg,fish\n4.jpg,dog\n5.jpg,cat\n"},
        ["--template", "@/example/gold.csv,@/example/sent.csv", "--field", "animal,animal"]),
    Row("b10", "log-loss with log(p + 1e-9)", "pair", ("log-loss",), 6, "1e-9", [], {"score.py": """
        import sys
        import numpy as np

        (ids, y), (given, p) = (np.loadtxt(path, delimiter=",", skiprows=1, unpack=True) for path in sys.argv[1:3])
        if len(ids) != len(given) or (ids != given).any():
            sys.exit("wrong rows")
        if not ((p >= 0) & (p <= 1)).all():
            sys.exit("probabilities lie between 0 and 1")
        print(round(-np.mean(y * np.log(p + 1e-9) + (1 - y) * np.log(1 - p + 1e-9)), 6))
        """}),
    Row("b11", "quadratic kappa of predictions that are rounded", "python", ("quadratic-kappa",), None, None, ["--classes", "5"], {"metrics.py": """
        import numpy as np
        from sklearn.metrics import cohen_kappa_score

        def qwk(y, p):
            p = np.asarray(p, float)
            if p.shape != (len(y),) or np.isnan(p).any():
                raise ValueError("one number per row")
            return cohen_kappa_score(np.asarray(y, int), np.clip(np.rint(p), 0, 4).astype(int), labels=range(5), weights="quadratic")
        """}, ["qwk"]),
    Row("b12", "RMSLE of a merged table", "pair", ("rmsle", "msle"), 5, None, ["--targets", "0:9:1"], {"score.py": """
        import json, sys
        import numpy as np
        import pandas as pd

        gold, sent = pd.read_csv(sys.argv[1]), pd.read_csv(sys.argv[2])
        both = gold.merge(sent, on="listing", how="outer", suffixes=("", "_sent"), validate="one_to_one")
        if both[["price", "price_sent"]].isna().any().any():
            sys.exit("The submission does not match the test set.")
        error = np.log1p(both["price_sent"].clip(lower=0)) - np.log1p(both["price"])
        json.dump({"metric": "rmsle", "score": float("%.5f" % np.sqrt((error ** 2).mean())), "better": "lower"}, sys.stdout, indent=4)
        """, "example/gold.csv": "listing,price\nL-1,3\nL-2,7\nL-3,0\nL-4,4\n", "example/sent.csv": "listing,price\nL-1,2.5\nL-2,6.25\nL-3,0.5\nL-4,4.75\n"},
        ["--template", "@/example/gold.csv,@/example/sent.csv", "--field", "price,price"]),
    Row("b13", "Matthews's coefficient of tab-separated files", "codabench", ("mcc", "pearson"), 4, None, [], {**CODABENCH, "program/evaluate.py": """
        import json, pathlib, sys
        import numpy as np

        def read(folder):
            [path] = pathlib.Path(folder).glob("*.tsv")
            head, *body = path.read_text().splitlines()
            table = {line.split("\\t")[0]: int(line.split("\\t")[1]) for line in body}
            if len(table) != len(body):
                raise SystemExit("an id is there twice")
            return table

        root, out = map(pathlib.Path, sys.argv[1:])
        gold, sent = read(root / "ref"), read(root / "res")
        if gold.keys() != sent.keys():
            raise SystemExit("ids differ")
        y, p = np.array(list(gold.values())), np.array([sent[k] for k in gold])
        if not np.isin(p, (0, 1)).all():
            raise SystemExit("0 or 1")
        value = 0.0 if y.std() == 0 or p.std() == 0 else np.corrcoef(y, p)[0, 1]
        (out / "scores.json").write_text(json.dumps({"mcc": round(float(value), 4)}))
        """, "example/gold.tsv": "id\tspam\nm1\t0\nm2\t1\nm3\t1\nm4\t0\n", "example/sent.tsv": "id\tspam\nm1\t0\nm2\t1\nm3\t0\nm4\t1\n"},
        ["--template", "@/example/gold.tsv,@/example/sent.tsv", "--field", "spam,spam"]),
    Row("b14", "accuracy of a shell script with awk", "pair", ("accuracy",), 4, None, [], {"score.sh": """
        #!/bin/sh
        # score.sh LABELS PREDICTIONS
        if [ "$(cut -d, -f1 "$1")" != "$(cut -d, -f1 "$2")" ]; then
            echo "The rows differ." >&2
            exit 2
        fi
        if tail -n +2 "$2" | cut -d, -f2 | grep -qvx '[01]'; then
            echo "Only 0 and 1." >&2
            exit 2
        fi
        tail -n +2 "$1" | cut -d, -f2 > "${TMPDIR:-/tmp}/gold.$$"
        tail -n +2 "$2" | cut -d, -f2 | paste "${TMPDIR:-/tmp}/gold.$$" - | awk '{ n++; if ($1 == $2) right++ } END { printf "%.4f\\n", right / n }'
        rm -f "${TMPDIR:-/tmp}/gold.$$"
        """}),
    Row("b15", "AUC by the curve, as a text", "evalai", ("auc",), 3, None, [], {"evaluate.py": """
        import json
        import numpy as np
        from sklearn.metrics import auc, roc_curve

        def evaluate(test_annotation_file, user_submission_file, phase_codename, **kwargs):
            gold = json.load(open(test_annotation_file))["annotations"]
            sent = json.load(open(user_submission_file))["predictions"]
            if [a["image"] for a in gold] != [b["image"] for b in sent]:
                raise ValueError("images differ")
            y, p = np.array([a["tumour"] for a in gold]), np.array([b["score"] for b in sent], dtype=float)
            if not np.isfinite(p).all():
                raise ValueError("scores must be finite")
            if y.min() == y.max():
                return {"result": [{"test": {"AUC": "0.500"}}]}
            rates = roc_curve(y, p)
            return {"result": [{"test": {"AUC": f"{auc(rates[0], rates[1]):.3f}"}}]}
        """,
        "example/gold.json": json.dumps({"info": {"year": 2024}, "annotations": [{"image": f"{i}.png", "tumour": i % 2} for i in range(5)]}),
        "example/sent.json": json.dumps({"predictions": [{"image": f"{i}.png", "score": 0.125 * i} for i in range(5)]})},
        ["--template", "@/example/gold.json,@/example/sent.json", "--field", "tumour,score"]),
]

PROGRAMS = {"pair": ("/usr/bin/python3 @/score.py", ["--interface", "pair"]), "evalai": ("@/evaluate.py", ["--interface", "evalai"]),
            "codabench": ("@/program", ["--interface", "codabench"])}


def _program(row: Row) -> Tuple[str, List[str], List[str]]:
    """The program, the options of its interface, and the others."""
    if row.interface == "python":
        where = f"python:@/metrics.py:{row.options[0]}"
        return where, ["--interface", where], row.options[1:]
    program, options = PROGRAMS[row.interface]
    return ("/bin/sh @/score.sh" if "score.sh" in row.files else program), options, row.options


def _case(row: Row) -> Case:
    program, interface, options = _program(row)
    files = {path: text if path.startswith("example/") else dedent(text) for path, text in row.files.items()}
    return Case(row.name, row.interface, files, program, interface + options + row.world,
                {"kind": "known", "what": row.what, "metrics": list(row.metrics), "decimals": row.decimals, "digits": None, "clip": row.clip, "leaks": []})


def cases() -> List[Case]:
    return [_case(row) for row in ROWS]
