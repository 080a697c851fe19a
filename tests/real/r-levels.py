"""The Python that `defend` prints: taken from the report as it is, and run with real metrics. Whatever the defence, it is
release(labels, predictions, account).

By levels, answers are those of the staircase, computed here; a metric that fails shows nothing; two processes on one store, killed in between,
never show an answer that the staircase does not allow, nor more answers than promised. LL_TEST_LONG: 100 kills."""
import json
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


def releases(*options):
    run = subprocess.run([program, "defend", *options, "--json"], capture_output=True, text=True, timeout=120)
    return json.loads(run.stdout)["releases"]


def printed(*options):
    options = ["--rows", "3M", "--share", "50.3%", "--queries", "150", *options]
    found = next(found for found in releases(*options) if "levels:" in found["settings"].get("release", ""))
    if passed == 0:  # one check and one text are enough
        done = subprocess.run(found["check"].replace("lossleak", program, 1), shell=True, capture_output=True, timeout=120)
        check(done.returncode == 0, f"{options}: the check of the first release passes")
    return found["python"]


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
        code = "\n".join(line for line in code.splitlines() if not line.endswith("number") and "sklearn" not in line)
        space["metric"] = own
    exec(code, space)
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

# Every other defence: the same call, the answers counted, and close to the score where it is noise.
def signature(space):
    return space["release"].__code__.co_varnames[:space["release"].__code__.co_argcount]


def ask(space, labels, said, times, store, accounts=("a",)):
    """All answers; one more of an account is refused."""
    check(signature(space) == ("labels", "predictions", "account", "store"), "one signature")
    space["ANSWERS"] = times
    shown = [space["release"](labels, said, account, store=store) for account in accounts for _ in range(times)]
    try:
        space["release"](labels, said, accounts[0], store=store)
        check(False, "more answers than promised")
    except ValueError:
        check(True, "")
    return shown


chances = np.clip(np.where(binary, .7, .3) + rng.normal(0, .1, 300), .06, .94)
others = {  # options, labels, a submission, its score
    "log-loss": (["--scorer", "kaggle/log_loss"], binary, chances, metrics.log_loss(binary, chances)),
    "log-loss of classes": (["--metric", "log-loss", "--classes", "3", "--clip", "0.01"], grades % 3, np.repeat([[.2, .3, .5]], 300, 0), None),
    "Brier": (["--scorer", "sklearn/brier"], binary, chances, metrics.brier_score_loss(binary, chances)),
    "accuracy": (["--scorer", "sklearn/accuracy"], binary, np.round(chances), metrics.accuracy_score(binary, np.round(chances))),
    "AUC": (["--scorer", "sklearn/roc_auc"], binary, chances, metrics.roc_auc_score(binary, chances)),
    "F1": (["--scorer", "sklearn/f1"], binary, np.round(chances), metrics.f1_score(binary, np.round(chances))),
    "RMSE": (["--metric", "rmse", "--targets", "0:4:1", "--clip-targets"], grades, np.clip(grades + 1, 0, 4), None),
}
kinds = set()
is_long = os.environ.get("LL_TEST_LONG", "0") not in ("", "0")
drawn = random.Random(int(os.environ.get("LL_TEST_SEED", "1")))
for name, (options, labels, said, wanted) in others.items() if is_long else drawn.sample(list(others.items()), 2):
    for found in releases(*options, "--rows", "300", "--queries", "10", "--share", "0.75"):
        if found["python"] is None:
            check(found["no_python"].startswith("There is no Python for "), f"{name}: why there is no code for {found['settings']}")
            continue
        check(found["no_python"] is None and found["notice"].endswith("."), f"{name}: {found['notice']}")
        space = {"rmse": rmse}
        exec(found["python"].replace("from your_metric import metric", "metric = rmse  #"), space)
        with tempfile.TemporaryDirectory() as folder:
            shown = ask(space, labels, said, 50 if "noise" in found["settings"] else 8, os.path.join(folder, "s"))  # noise is rounded, too
        kinds |= set(found["settings"]) - {"clip-mode"}
        if wanted is not None and "release" not in found["settings"]:
            check(abs(np.mean(shown) - wanted) <= 4 * found["error"] + .01, f"{name}, {found['settings']}: {np.mean(shown)} for {wanted}")
        check(("noise" in found["settings"]) == (len(set(shown)) > 1), f"{name}, {found['settings']}: noise is drawn anew, and nothing else is")
check(not is_long or kinds >= {"release", "noise", "clip", "decimals", "queries"}, f"defences of every kind, not only {kinds}")

# A staircase for each group, and one for each account beside the records.
with tempfile.TemporaryDirectory() as folder:
    names = np.where(np.arange(300) % 3 == 0, "answers", "far south")
    path = os.path.join(folder, "groups of rows")
    pathlib.Path(path).write_text("\n".join(names) + "\n")
    first = next(found for found in releases("--scorer", "sklearn/accuracy", "--groups", path, "--queries", "10", "--share", "0.8") if "release" in found["settings"])
    done = subprocess.run(first["check"].replace("lossleak", program, 1), shell=True, capture_output=True, timeout=120)
    check("groups of rows" in first["check"] and done.returncode == 0, f"the check of groups: {first['check']} {done.stderr}")
    space, best = {}, {}
    exec(first["python"], space)
    for account in "abab":
        said = label(.5 + .4 * rng.random())
        shown = space["release"](binary, said, account, store=os.path.join(folder, "s"))
        for part, rows in {None: names != "", "answers": names == "answers", "far south": names == "far south"}.items():
            score = metrics.accuracy_score(binary[rows], said[rows])
            best[account, part] = max([best.get((account, part), space["LEVELS"][0])] + [level for level in space["LEVELS"] if score >= level])
            check(shown[part] == best[account, part], f"group {part}: {shown}")
    first = next(found for found in releases("--scorer", "sklearn/accuracy", "--rows", "10k", "--queries", "150", "--accounts", "10", "--share", "60%")
                 if "own-levels" in found["settings"])
    space, record, own = {}, 0, {}
    exec(first["python"], space)
    check(space["ANSWERS"] == 150 and len(space["OWN"]) == 1 + int(first["settings"]["own-levels"]) and space["OWN"][0] == .5 < space["OWN"][-1] < 1, "own levels")
    for account in "abcabc":
        said = label(.5 + .5 * rng.random())
        score = metrics.accuracy_score(binary, said)
        record = max([record] + [level for level in space["LEVELS"] if score >= level])
        own[account] = max([own.get(account, .5)] + [level for level in space["OWN"] if score >= level])
        check(space["release"](binary, said, account, store=os.path.join(folder, "o")) == (max(record, .5), own[account]), "a record beside an own level")

options = ["--metric", "f1", "--rows", "300", "--share", "75%", "--queries", "10"]
text = subprocess.run([program, "defend", *options], capture_output=True, text=True, timeout=120).stdout
check(text.endswith("Release 1 in Python:\n\n" + releases(*options)[0]["python"]), "the text ends with the code of the first release")
check("to do " in text.split("Releases with a proof")[0] and "notice " in text.split("Releases with a proof")[0], "what to do and what is noticed comes first")

# Two processes on one store, killed now and then: every answer that was shown was stored, and none is better than its score allows.
code = printed("--metric", "accuracy").replace("from sklearn.metrics import accuracy_score as metric", "metric = lambda labels, x: x")
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
    worker_answers = 5000 if is_long else 150
    path.write_text(worker.replace("ANSWERS = 150 ", f"ANSWERS = {worker_answers} "))
    for turn in range(50 if is_long else 4):
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
        check(0 < len(own) <= worker_answers, f"{len(own)} answers")
        for score, shown in own:
            check(shown in space["LEVELS"], "a level of the list")
            check(shown >= max([level for level in space["LEVELS"] if level <= score], default=space["LEVELS"][0]), "not below the own score's level")
        best = max(shown for _, shown in own)
        kept = dict(space["sqlite3"].connect(store).execute("SELECT name, number FROM kept").fetchall())
        stored = kept[repr(("best", account))], kept[repr(("answers", account))]
        check(space["LEVELS"][stored[0]] >= best and len(own) <= stored[1] <= worker_answers, "what was shown was stored before, and counted")
        check(math.isclose(stored[1], len(own), abs_tol=2 * kills), "a kill loses at most the answer on its way")
print(f"{passed} checks passed, {len(seen)} answers of two processes, {kills} kills")
