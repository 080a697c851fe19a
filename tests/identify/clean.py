"""20 scripts that show nothing of the labels but the score: what else they print varies from run to run, or with the submission alone."""
from typing import Any, List

from metrics import METRICS
from shapes import READERS, Case, codabench, dedent, evalai, function, pair

ACCURACY, BRIER, THRESHOLD = METRICS["accuracy loops"].code, METRICS["brier numpy"].code, METRICS["accuracy threshold"].code
GUARDED = METRICS["f1 loops"].code

# What is shown beside a score of 3 decimals.
BESIDE = [
    ("a time stamp", "import time\nprint(time.strftime('%Y-%m-%d %H:%M:%S'))"),
    ("a random id of the run", "import uuid\nprint('run', uuid.uuid4())"),
    ("the number of rows", "print(f'{len(y)} rows scored')"),
    ("the mean of the predictions", "print('mean prediction', sum(p) / len(p))"),
    ("a histogram of the submission", "import collections\nprint(sorted(collections.Counter(round(v, 1) for v in p).items()))"),
    ("a progress bar", "for share in (25, 50, 75, 100):\n    print('\\r%d%%' % share, end='', file=sys.stderr)\nprint(file=sys.stderr)"),
    ("a warning about the submission", "import warnings\nwarnings.warn('%d predictions are exactly 0.5' % sum(v == 0.5 for v in p))"),
    ("the time that it took", "import time\nprint('took %.6f s' % time.perf_counter())"),
    ("the address of an object", "print(object())"),
    ("a digest of the submission", "import hashlib\nprint(hashlib.sha256(open(sys.argv[2], 'rb').read()).hexdigest())"),
    ("the process and the host", "import os, socket\nprint(os.getpid(), socket.gethostname())"),
    ("the submission again", "print([float(v) for v in p])"),
    ("versions", "import platform\nprint('Python', platform.python_version(), sys.argv[0])"),
]


def _clean(name: str, interface: str, made: Any, what: str) -> Case:
    files, program, options = made
    return Case(name, interface, files, program, options, {"kind": "clean", "what": what, "leaks": []})


PAGE = dedent("""
    with open(os.path.join(output_dir, "detailed_results.html"), "w") as file:
        file.write("<html><p>Thank you. %d rows were scored; the largest prediction is %g.</p></html>" % (len(p), max(p)))
    """)

ECHO = dedent("""
    import csv
    with open(os.path.join(output_dir, "received.csv"), "w", newline="") as file:
        csv.writer(file).writerows(enumerate(p))
    """)


def cases() -> List[Case]:
    plain, whole = READERS["dict"], READERS["dict-int"]
    made = [_clean(f"n{place:02d}", "pair", pair(READERS["numpy"] if place % 3 == 0 else plain, BRIER if place % 2 else THRESHOLD,
                                                 f"{code}\nprint('score: %.3f' % score)"), what)
            for place, (what, code) in enumerate(BESIDE, 1)]
    return made + [
        _clean("n14", "pair", pair(whole, GUARDED, "print('%.4f' % score)"), "F1 that guards 0/0"),
        _clean("n15", "evalai", evalai(whole, ACCURACY, "Accuracy", "round(score, 3)", "import random\nprint('job', random.random())\n"), "a random number"),
        _clean("n16", "evalai", evalai(READERS["by-id"], BRIER, "Brier", "float(score)", "output['submission_metadata'] = {'rows': len(p), 'received': p[:5]}\n"),
               "what was received"),
        _clean("n17", "codabench", codabench(plain, THRESHOLD, value="round(score, 3)", more=PAGE), "a page about the submission"),
        _clean("n18", "codabench", codabench(plain, BRIER, value="round(float(score), 4)", more=ECHO), "a copy of the submission"),
        _clean("n19", "codabench", codabench(READERS["words"], ACCURACY, value="round(score, 2)", more="print('ok', os.getpid())\n"), "a process id"),
        _clean("n20", "python", function(METRICS["mcc loops"].code, "round(score, 4)"), "nothing"),
    ]
