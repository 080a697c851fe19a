"""Parts of scoring scripts: how files are read, how a score is shown, and what a platform wants around them.

A script is a reader (`load(labels, predictions)` returns two sequences), a metric (`metric(y, p)` returns a number), a way to show it, and an
interface. Readers check that a submission has exactly the rows of the test set, unless their name says what they do instead.
"""
import io
import json
import textwrap
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

Files = Dict[str, Any]  # path: text or bytes


class Reader(NamedTuple):
    """`load`, and one example of each file where they are not the plain CSV files of the interface `pair`."""
    code: str
    examples: Optional[Tuple[str, Any, str, Any]] = None  # name and content of the labels, of the predictions
    fields: str = ""


class Case(NamedTuple):
    name: str
    interface: str
    files: Files
    program: str
    options: List[str]
    truth: Dict[str, Any]


def dedent(text: str) -> str:
    return textwrap.dedent(text).strip("\n") + "\n"


# ---- readers ----

SAME = 'raise SystemExit("The submission must have exactly the rows of the test set.")'


def _dictionary(convert: str) -> str:
    return f"""
        import csv

        def _column(path, field):
            with open(path, newline="") as file:
                return {{line["row"]: line[field] for line in csv.DictReader(file)}}

        def load(labels, predictions):
            truth, given = _column(labels, "label"), _column(predictions, "p")
            if truth.keys() != given.keys():
                {SAME}
            return [int(truth[row]) for row in truth], [{convert}(given[row]) for row in truth]
        """


def _numpy(kind: str) -> str:
    return f"""
        import numpy as np

        def load(labels, predictions):
            truth = np.loadtxt(labels, delimiter=",", skiprows=1, ndmin=2)
            given = np.loadtxt(predictions, delimiter=",", skiprows=1, ndmin=2)
            if truth.shape[0] != given.shape[0] or (truth[:, 0] != given[:, 0]).any():
                {SAME}
            if not np.isfinite(given).all():
                raise SystemExit("Predictions must be finite numbers.")
            return truth[:, 1].astype({kind}), given[:, 1] if given.shape[1] == 2 else given[:, 1:]
        """


def _pandas(kind: str) -> str:
    return f"""
        import pandas as pd

        def load(labels, predictions):
            truth = pd.read_csv(labels).set_index("row")
            given = pd.read_csv(predictions).set_index("row")
            if given.index.has_duplicates or set(truth.index) != set(given.index):
                {SAME}
            given = given.loc[truth.index]
            if given.isna().any().any():
                raise SystemExit("The submission has empty cells.")
            values = given.to_numpy()
            return truth["label"].to_numpy().astype({kind}), values[:, 0] if values.shape[1] == 1 else values
        """


LINES = f"""
    def _read(path):
        with open(path) as file:
            lines = file.read().split()[1:]
        return [[float(cell) for cell in line.split(",")] for line in lines]

    def load(labels, predictions):
        truth, given = _read(labels), _read(predictions)
        if [line[0] for line in truth] != [line[0] for line in given]:
            {SAME}
        if any(cell != cell for line in given for cell in line):
            raise SystemExit("NaN is no prediction.")
        return [line[1] for line in truth], [line[1] if len(line) == 2 else line[1:] for line in given]
    """

IDS = f"""
    import csv

    def load(labels, predictions):
        with open(labels) as file:
            truth = {{line["image_id"]: int(line["category"]) for line in csv.DictReader(file)}}
        with open(predictions) as file:
            given = {{line["image_id"]: float(line["probability"]) for line in csv.DictReader(file)}}
        missing = sorted(set(truth) ^ set(given))
        if missing:
            raise ValueError(f"{{len(missing)}} ids are missing or unknown")
        return [truth[i] for i in truth], [given[i] for i in truth]
    """

WORDS = f"""
    import csv

    CLASSES = ["healthy", "ill"]

    def load(labels, predictions):
        with open(labels) as file:
            truth = {{line["patient"]: CLASSES.index(line["diagnosis"]) for line in csv.DictReader(file)}}
        with open(predictions) as file:
            given = {{line["patient"]: line["diagnosis"] for line in csv.DictReader(file)}}
        if truth.keys() != given.keys():
            {SAME}
        bad = [word for word in given.values() if word not in CLASSES]
        if bad:
            raise SystemExit("%r is no class; the classes are %s." % (bad[0], ", ".join(CLASSES)))
        return [truth[i] for i in truth], [CLASSES.index(given[i]) for i in truth]
    """

JSON_LIST = """
    import json

    def load(labels, predictions):
        with open(labels) as file:
            truth = {item["id"]: item["label"] for item in json.load(file)}
        with open(predictions) as file:
            given = {item["id"]: item["prediction"] for item in json.load(file)}
        if set(truth) != set(given):
            raise ValueError("expected %d predictions with the ids of the test set" % len(truth))
        keys = sorted(truth)
        return [truth[key] for key in keys], [given[key] for key in keys]
    """

JSON_BY_ID = """
    import json

    def load(labels, predictions):
        truth, given = json.load(open(labels)), json.load(open(predictions))
        assert truth.keys() == given.keys(), "wrong ids"
        return [truth[key] for key in truth], [given[key] for key in truth]
    """

JSON_LINES = """
    import json

    def load(labels, predictions):
        truth = [json.loads(line) for line in open(labels)]
        given = [json.loads(line) for line in open(predictions)]
        if [item["uid"] for item in truth] != [item["uid"] for item in given]:
            raise ValueError("the lines of the submission must be those of the test set, in their order")
        if not all(isinstance(item["answer"], (int, float)) and abs(item["answer"]) < 1e6 for item in given):
            raise ValueError("answers must be numbers")
        return [item["gold"] for item in truth], [item["answer"] for item in given]
    """

NPY = """
    import numpy as np

    def load(labels, predictions):
        truth, given = np.load(labels), np.load(predictions)
        if len(truth) != len(given):
            raise ValueError("shape %s, expected %d rows" % (given.shape, len(truth)))
        return truth, given
    """

COLUMNS = f"""
    def load(labels, predictions):
        truth = dict(line.split() for line in open(labels) if line.strip())
        given = dict(line.split() for line in open(predictions) if line.strip())
        if list(truth) != list(given):
            {SAME}
        return [int(value) for value in truth.values()], [float(value) for value in given.values()]
    """


def npy(values: Any, kind: str) -> bytes:
    import numpy as np
    out = io.BytesIO()
    np.save(out, np.array(values, dtype=kind))
    return out.getvalue()


def _json_lines(items: List[Any]) -> str:
    return "".join(json.dumps(item) + "\n" for item in items)


def _names(count: int) -> List[str]:
    return [f"a{place:03d}" for place in range(count)]


def readers() -> Dict[str, Reader]:
    bits, shares = [0, 1, 1, 0], [0.25, 0.5, 0.75, 0.125]
    ids = _names(4)
    return {
        "dict": Reader(_dictionary("float")), "dict-int": Reader(_dictionary("int")), "numpy": Reader(_numpy("int")),
        "numpy-numbers": Reader(_numpy("float")), "pandas": Reader(_pandas("int")), "pandas-numbers": Reader(_pandas("float")),
        "lines": Reader(LINES),
        "ids": Reader(IDS, ("truth.csv", "image_id,category\n" + "".join(f"{i}.png,{b}\n" for i, b in zip(ids, bits)),
                            "submission.csv", "image_id,probability\n" + "".join(f"{i}.png,{s}\n" for i, s in zip(ids, shares))),
                      "category,probability"),
        "words": Reader(WORDS, ("truth.csv", "patient,age,diagnosis\nP1,40,ill\nP2,51,healthy\nP3,33,healthy\nP4,60,ill\n",
                                "submission.csv", "patient,diagnosis\nP1,ill\nP2,healthy\nP3,ill\nP4,ill\n"), "diagnosis,diagnosis"),
        "json": Reader(JSON_LIST, ("truth.json", json.dumps([{"id": i, "label": b} for i, b in zip(ids, bits)]),
                                   "submission.json", json.dumps([{"id": i, "prediction": s} for i, s in zip(ids, shares)])), "label,prediction"),
        "json-labels": Reader(JSON_LIST, ("truth.json", json.dumps([{"id": i, "label": b} for i, b in zip(ids, bits)]),
                                          "submission.json", json.dumps([{"id": i, "prediction": b} for i, b in zip(ids, [1, 1, 0, 0])])),
                              "label,prediction"),
        "by-id": Reader(JSON_BY_ID, ("truth.json", json.dumps(dict(zip(ids, bits))), "submission.json", json.dumps(dict(zip(ids, shares))))),
        "by-id-labels": Reader(JSON_BY_ID, ("truth.json", json.dumps(dict(zip(ids, bits))), "submission.json", json.dumps(dict(zip(ids, [1, 1, 0, 0]))))),
        "json-lines": Reader(JSON_LINES, ("gold.jsonl", _json_lines([{"uid": i, "gold": b, "topic": "x"} for i, b in zip(ids, bits)]),
                                          "answers.jsonl", _json_lines([{"uid": i, "answer": s} for i, s in zip(ids, shares)])), "gold,answer"),
        "json-lines-labels": Reader(JSON_LINES, ("gold.jsonl", _json_lines([{"uid": i, "gold": b} for i, b in zip(ids, bits)]),
                                                 "answers.jsonl", _json_lines([{"uid": i, "answer": b} for i, b in zip(ids, [1, 1, 0, 0])])),
                                    "gold,answer"),
        "npy": Reader(NPY, ("labels.npy", npy(bits, "i8"), "predictions.npy", npy(shares, "f8"))),
        "npy-labels": Reader(NPY, ("labels.npy", npy(bits, "i8"), "predictions.npy", npy([1, 1, 0, 0], "i8"))),
        "columns": Reader(COLUMNS, ("truth.txt", "".join(f"{i} {b}\n" for i, b in zip(ids, bits)),
                                    "answer.txt", "".join(f"{i} {s}\n" for i, s in zip(ids, shares)))),
    }


READERS = readers()

# ---- how a number is shown: code that uses `score`, and the decimals or significant digits that are left of it ----

SHOWN: Dict[str, Tuple[str, Optional[int], Optional[int]]] = {
    "print": ("print(score)", None, None),
    "repr": ("print(repr(float(score)))", None, None),
    "round5": ("print(round(float(score), 5))", 5, None),
    "round4": ("print('Score:', round(float(score), 4))", 4, None),
    "format6": ("print(f'{score:.6f}')", 6, None),
    "format4": ("print(f'score = {score:.4f}')", 4, None),
    "format3": ("print('{:.3f}'.format(score))", 3, None),
    "format2": ("print('Final score: {:.2f}'.format(score))", 2, None),
    "percent2": ("print('%.2f%%' % (100 * score))", 2, None),
    "percent1": ("print(f'Result: {100 * score:.1f} %')", 1, None),
    "decimal4": ("from decimal import Decimal\nprint(Decimal(float(score)).quantize(Decimal('0.0001')))", 4, None),
    "decimal6": ("import decimal\nprint(decimal.Decimal(repr(float(score))).quantize(decimal.Decimal('1e-6'), rounding=decimal.ROUND_HALF_UP))", 6, None),
    "significant3": ("print('%.3g' % score)", None, 3),
    "significant5": ("print(f'{score:.5g}')", None, 5),
    "json": ("import json\nprint(json.dumps({'score': float(score)}))", None, None),
    "json4": ("import json, sys\njson.dump({'status': 'ok', 'score': round(float(score), 4)}, sys.stdout, indent=2)", 4, None),
    "json6": ("import json\nprint(json.dumps({'rows': len(y), 'metrics': {'value': round(float(score), 6)}}))", 6, None),
    "json-lines": ("import json\nprint(json.dumps({'event': 'read', 'rows': len(y)}))\nprint(json.dumps({'event': 'score', 'value': round(float(score), 5)}))", 5, None),
    "log": ("import logging, sys\nlogging.basicConfig(stream=sys.stdout, format='%(asctime)s %(levelname)s %(message)s', level=logging.INFO)\n"
            "logging.info('scored %d rows', len(y))\nlogging.info('metric = %.5f', score)", 5, None),
    "stderr": ("import sys\nprint('done', file=sys.stderr)\nsys.stdout.write('%.4f\\n' % score)", 4, None),
    "numpy3": ("import numpy as np\nprint(np.round(float(score), 3))", 3, None),
    "csv": ("print('metric,value')\nprint('private,%.5f' % score)", 5, None),
    "table": ("print('+----------+----------+')\nprint('| metric   | %8.4f |' % score)\nprint('+----------+----------+')", 4, None),
}

# ---- interfaces ----


def _indent(text: str, by: int = 4) -> str:
    return textwrap.indent(text, " " * by)


def _metric(code: str) -> str:
    return dedent(code)


def _template(reader: Reader, files: Files) -> List[str]:
    if reader.examples is None:
        return []
    labels, first, predictions, second = reader.examples
    files[f"example/{labels}"], files[f"example/{predictions}"] = first, second
    return ["--template", f"@/example/{labels},@/example/{predictions}", *(["--field", reader.fields] if reader.fields else [])]


def pair(reader: Reader, metric: str, shown: str) -> Tuple[Files, str, List[str]]:
    """A script that is called with the two files and prints."""
    text = ("import sys\n" + dedent(reader.code) + "\n\n" + _metric(metric) +
            "\n\nif __name__ == '__main__':\n    y, p = load(sys.argv[1], sys.argv[2])\n    score = metric(y, p)\n" + _indent(shown) + "\n")
    files: Files = {"score.py": text}
    return files, "/usr/bin/python3 @/score.py", ["--interface", "pair", *_template(reader, files)]


def evalai(reader: Reader, metric: str, key: str = "Score", value: str = "float(score)", more: str = "") -> Tuple[Files, str, List[str]]:
    """EvalAI: evaluate() returns the numbers of the leaderboard."""
    text = (dedent(reader.code) + "\n\n" + _metric(metric) + dedent(f"""

def evaluate(test_annotation_file, user_submission_file, phase_codename, **kwargs):
    print("Starting evaluation.....")
    y, p = load(test_annotation_file, user_submission_file)
    score = metric(y, p)
    output = {{}}
    if phase_codename in ("dev", "test"):
        output["result"] = [{{f"{{phase_codename}}_split": {{"{key}": {value}}}}}]
        output["submission_result"] = output["result"][0]
    print("Completed evaluation for phase", phase_codename)
""") + _indent(more) + "    return output\n")
    files: Files = {"evaluate.py": text}
    return files, "@/evaluate.py", ["--interface", "evalai", "--phase", "test", *_template(reader, files)]


def codabench(reader: Reader, metric: str, key: str = "score", value: str = "float(score)", more: str = "", text_file: bool = False,
              fixed: bool = False) -> Tuple[Files, str, List[str]]:
    """Codabench: a folder with metadata.yaml; the program reads input/ref and input/res and writes output/scores.json or scores.txt."""
    labels, predictions = (reader.examples[0], reader.examples[2]) if reader.examples else ("labels.csv", "predictions.csv")
    folders = "'/app/input', '/app/output'" if fixed else "sys.argv[1], sys.argv[2]"
    write = (f"    with open(os.path.join(output_dir, 'scores.txt'), 'w') as file:\n        file.write('{key}: %s\\n' % ({value},))\n" if text_file else
             f"    with open(os.path.join(output_dir, 'scores.json'), 'w') as file:\n        json.dump({{'{key}': {value}, 'duration': 12.5}}, file)\n")
    text = ("import json\nimport os\nimport sys\n" + dedent(reader.code) + "\n\n" + _metric(metric) +
            f"\n\ndef main():\n    input_dir, output_dir = {folders}\n"
            f"    y, p = load(os.path.join(input_dir, 'ref', '{labels}'), os.path.join(input_dir, 'res', '{predictions}'))\n"
            "    score = metric(y, p)\n" + write + _indent(more) + "\n\nmain()\n")
    command = "python3 score.py" if fixed else "python3 $program/score.py $input $output"
    files: Files = {"program/score.py": text, "program/metadata.yaml": f"command: {command}\n"}
    return files, "@/program", ["--interface", "codabench", *_template(reader, files)]


def function(metric: str, value: str = "score") -> Tuple[Files, str, List[str]]:
    """python:FILE:FUNCTION: a function of two arrays."""
    text = _metric(metric) + ("\n\ndef evaluate_predictions(y, p):\n    if len(y) != len(p):\n        raise ValueError(f'{len(y)} predictions are needed')\n"
                              "    if any(v != v for row in p for v in (row if hasattr(row, '__len__') else [row])):\n        raise ValueError('NaN is no prediction')\n"
                              f"    score = metric(y, p)\n    return {value}\n")
    return {"metrics.py": text}, "python:@/metrics.py:evaluate_predictions", ["--interface", "python:@/metrics.py:evaluate_predictions"]
