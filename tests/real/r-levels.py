"""The Python that `defend` prints for a release by levels: taken from the report as it is, and run with real metrics.

Answers are those of the staircase, computed here; a metric that fails shows nothing; two processes on one store, killed in between, never show
an answer that the staircase does not allow, nor more answers than promised."""
import math
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np
from sklearn import metrics

program = os.environ["LOSSLEAK"]
passed = 0


def check(condition, what):
    global passed
    if not condition:
        print("failed:", what)
        sys.exit(1)
    passed += 1


def printed(*options):
    run = subprocess.run([program, "defend", "--rows", "3M", "--share", "50.3%", "--queries", "150", *options], capture_output=True, text=True, timeout=120)
    check(" in Python:\n\n" in run.stdout, f"{options}: code is printed {run.stderr}")
    code = run.stdout.split(" in Python:\n\n")[1]
    if len(options) > 2 or passed > 1:  # one check is enough
        return code
    lines = [line for line in run.stdout.splitlines() if line.startswith("check ") and "levels:" in line]
    check(subprocess.run(lines[0][5:].strip().replace("lossleak", program, 1), shell=True, capture_output=True, timeout=120).returncode == 0,
          f"{options}: the check of the first release passes")
    return code


def profit(labels, said):
    return float(np.mean(np.where(said == 1, np.where(labels == 1, 5, -1), 0)))


def rmse(labels, said):
    return float(np.sqrt(metrics.mean_squared_error(labels, said)))


def quadratic(labels, said):
    return metrics.cohen_kappa_score(labels, said, weights="quadratic")


rng = np.random.default_rng(1)
binary, grades = rng.integers(0, 2, 300), rng.integers(0, 5, 300)
label = lambda share: np.where(rng.random(300) < share, binary, 1 - binary)
cases = {  # the metric, its options, labels, a submission of some quality, the function where the code has a placeholder
    "log_loss": (metrics.log_loss, ["--metric", "zero-one", "--honest", "0.2:0.69"], binary, lambda q: np.clip(np.where(binary, q, 1 - q) + rng.normal(0, .1, 300), .01, .99), metrics.log_loss),
    "roc_auc_score": (metrics.roc_auc_score, ["--metric", "auc"], binary, lambda q: q * binary + rng.random(300), None),
    "f1_score": (metrics.f1_score, ["--metric", "f1"], binary, label, None),
    "quadratic kappa": (quadratic, ["--better", "higher", "--honest", "0:0.9"], grades, lambda q: np.where(rng.random(300) < q, grades, 2), quadratic),
    "RMSE": (rmse, ["--better", "lower", "--honest", "0.1:1.9"], grades, lambda q: grades + rng.normal(0, 2 * (1 - q), 300), rmse),
    "home-made": (profit, ["--better", "higher", "--honest", "1.5:2.5"], binary, label, profit),
}


def load(code, own):
    space = {}
    if own is not None:  # a host's own function takes the place of the import
        code = "\n".join(line for line in code.splitlines() if not line.endswith("number") and "sklearn" not in line).split("sampling  ")[0]
        space["metric"] = own
    exec(code.split("\nsampling  ")[0], space)
    return space


for name, (function, options, labels, submit, own) in cases.items():
    space = load(printed(*options), own)
    levels = space["LEVELS"]
    better = (lambda a, b: a >= b) if levels[-1] > levels[0] else (lambda a, b: a <= b)
    with tempfile.TemporaryDirectory() as folder:
        store, best = os.path.join(folder, "s"), 0
        for _ in range(11):
            said = submit(.5 + .5 * rng.random())
            score = function(labels, said)
            best = max([best] + [j for j, level in enumerate(levels) if j > 0 and better(score, level)])
            check(space["release"](labels, said, "a", store=store) == levels[best], f"{name}: level {best}")
        check(space["release"](labels, submit(.5)[:7], "b", store=store) == levels[0], f"{name}: what fails shows nothing")
        check(space["release"](labels, submit(.5)[:7], "a", store=store) == levels[best], f"{name}: nor for an account that has a best")
        space["ANSWERS"] = 13
        space["release"](labels, said, "a", store=store)
        try:
            space["release"](labels, said, "a", store=store)
            check(False, f"{name}: more answers than promised")
        except ValueError:
            check(True, "")

# Two processes on one store, killed now and then: every answer that was shown was stored, and none is better than its score allows.
code = printed("--metric", "accuracy").split("\nsampling  ")[0].replace("from sklearn.metrics import accuracy_score as metric", "metric = lambda labels, x: x")
worker = code + """
import random, sys
random.seed(int(sys.argv[1]))
while True:
    account, score = random.choice("ab"), random.random()
    try:
        print(account, score, release(None, score, account, store=sys.argv[2]), flush=True)
    except ValueError:
        print("end", flush=True)
        break
"""
with tempfile.TemporaryDirectory() as folder:
    path, store, seen, kills = pathlib.Path(folder) / "worker.py", os.path.join(folder, "s"), [], 0
    path.write_text(worker)
    space = load(code, lambda labels, x: x)
    random.seed(1)
    for turn in range(4):
        pair = [subprocess.Popen([sys.executable, str(path), str(2 * turn + i), store], stdout=subprocess.PIPE, text=True) for i in range(2)]
        seen += [line.split() for line in (process.stdout.readline() for process in pair) if len(line.split()) == 3]  # both are at work
        time.sleep(.05 * random.random())
        for process in pair:
            process.send_signal(signal.SIGKILL)
            kills += 1
        for process in pair:
            seen += [line.split() for line in process.communicate()[0].splitlines() if len(line.split()) == 3]
    for account in "ab":
        own = [(float(score), float(shown)) for name, score, shown in seen if name == account]
        check(len(own) <= 150 and len(own) > 0, f"{len(own)} answers of 150")
        for score, shown in own:
            check(shown in space["LEVELS"], "a level of the list")
            check(shown >= max([level for level in space["LEVELS"] if level <= score], default=space["LEVELS"][0]), "not below the own score's level")
        best = max(shown for _, shown in own)
        stored = space["sqlite3"].connect(store).execute("SELECT level, answers FROM best WHERE account = ?", (account,)).fetchone()
        check(space["LEVELS"][stored[0]] >= best and len(own) <= stored[1] <= 150, "what was shown was stored before, and counted")
        check(math.isclose(stored[1], len(own), abs_tol=2 * kills), "a kill loses at most the answer on its way")
print(f"{passed} checks passed, {len(seen)} answers of two processes, {kills} kills")
