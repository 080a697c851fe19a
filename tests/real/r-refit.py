"""Scorers that are not what was said: real scikit-learn numbers, released in another way than described.

Queries are crafted for one description, scored by the real function under another, and decoded. The report must name the part
that is wrong in at least nine cases of ten, and no label that is wrong may be called certain, in any of them. Honest predictions are
treated the same way (infer), and two oracles are asked through a pipe. As many true descriptions must not be doubted. Every case with
LL_TEST_LONG=1, else every second one. LOSSLEAK names the program."""
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.metrics import accuracy_score, brier_score_loss, log_loss

PROGRAM = os.path.abspath(os.environ["LOSSLEAK"])
SEED = int(os.environ.get("LL_TEST_SEED", "31337"))
generator = np.random.default_rng(SEED)
ROWS = 228
LABELS = generator.integers(0, 2, ROWS)
LOG_LOSS, BRIER, ACCURACY = "--scorer sklearn-1.2/log_loss", "--scorer sklearn/brier", "--scorer sklearn/accuracy"
STEP = 1 if os.environ.get("LL_TEST_LONG", "0") not in ("", "0") else 2
passed = failed = 0


def check(name, good, detail=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"FAIL {name} {detail}")


# ---- scorers: an array of predictions becomes a number

def real_log_loss(p, eps="auto", rows=ROWS, one=False):
    p = p[:rows, -1] if one or p.shape[1] == 1 else p[:rows]
    return log_loss(LABELS[:rows], p, eps=eps, labels=[0, 1])


def single_log_loss(p):
    return log_loss(LABELS, p.astype(np.float32), labels=[0, 1])


def brier(p):
    return brier_score_loss(LABELS, p[:, -1])


def accuracy(p):
    return accuracy_score(LABELS, p[:, -1].astype(int))


# ---- releases: a number becomes a text

def rounded(decimals, steps=lambda x: x):
    return lambda x: f"{steps(x):.{decimals}f}"


def whole(steps=lambda x: x):
    return lambda x: repr(float(steps(x)))


def cut(decimals):
    return lambda x: f"{math.floor(x * 10 ** decimals) / 10 ** decimals:.{decimals}f}"


def percent(x):
    return 100 * x


def negated(x):
    return -x


def cached(scores):
    return [scores[i % 3] for i in range(len(scores))]


def best_so_far(scores):
    return [min(scores[:i + 1], key=float) for i in range(len(scores))]


# description, what the scorer does, what must be named
CASES = [
    ("more digits", f"{LOG_LOSS} --decimals 5", real_log_loss, rounded(8), "--decimals 8"),
    ("more digits, Brier", f"{BRIER} --decimals 4", brier, rounded(6), "--decimals 6"),
    ("fewer digits", f"{LOG_LOSS} --decimals 5", real_log_loss, rounded(3), "--decimals 3"),
    ("rounded, not said", LOG_LOSS, real_log_loss, rounded(6), "--decimals 6"),
    ("fewer, accuracy", ACCURACY, accuracy, rounded(2), "--decimals 2"),
    ("cut", f"{LOG_LOSS} --decimals 4", real_log_loss, cut(4), "--truncate"),
    ("percent", f"{LOG_LOSS} --decimals 5", real_log_loss, rounded(5, percent), "--transform percent"),
    ("percent of fewer decimals", f"{LOG_LOSS} --decimals 4", real_log_loss, rounded(2, percent), "--transform percent"),
    ("percent, accuracy", ACCURACY, accuracy, whole(percent), "--transform percent"),
    ("no percent", f"{LOG_LOSS} --decimals 5 --transform percent", real_log_loss, rounded(5), "--transform identity"),
    ("negated", f"{LOG_LOSS} --decimals 5", real_log_loss, rounded(5, negated), "--transform negate"),
    ("not negated", f"{LOG_LOSS} --decimals 3 --transform negate", real_log_loss, rounded(3), "--transform identity"),
    ("negated, whole", LOG_LOSS, real_log_loss, whole(negated), "--transform negate"),
    ("root", f"{BRIER} --decimals 5", brier, rounded(5, math.sqrt), "--transform root"),
    ("clip 1e-3", f"{LOG_LOSS} --decimals 5", lambda p: real_log_loss(p, 1e-3), rounded(5), "--clip 1e-3"),
    ("clip 1e-7", f"{LOG_LOSS} --decimals 2", lambda p: real_log_loss(p, 1e-7), rounded(2), "--clip 1e-7"),
    ("clip 1e-3, whole", LOG_LOSS, lambda p: real_log_loss(p, 1e-3), whole(), "--clip 1e-3"),
    ("single precision", LOG_LOSS, single_log_loss, whole(), "--arithmetic fp32"),
    ("one row less", f"{LOG_LOSS} --decimals 2", lambda p: real_log_loss(p, rows=ROWS - 1), rounded(2), f"--rows {ROWS - 1}"),
    ("fewer rows", f"{LOG_LOSS} --decimals 5", lambda p: real_log_loss(p, rows=200), rounded(5), "--rows 200"),
    ("an earlier answer", f"{LOG_LOSS} --decimals 2", real_log_loss, (rounded(2), cached), "earlier answer"),
    ("the best so far", f"{LOG_LOSS} --decimals 2", real_log_loss, (rounded(2), best_so_far), "best one so far"),
]

TRUE = [(f"{LOG_LOSS} --decimals {d}", real_log_loss, rounded(d)) for d in (1, 2, 3, 5, 8)] + [
    (LOG_LOSS, real_log_loss, whole()), (BRIER, brier, whole()), (ACCURACY, accuracy, whole()),
    (f"{ACCURACY} --transform percent --decimals 1", accuracy, rounded(1, percent)),
    (f"{LOG_LOSS} --columns 1 --decimals 3", lambda p: real_log_loss(p, one=True), rounded(3))]


def lossleak(*arguments):
    done = subprocess.run([PROGRAM, *arguments, "--json"], capture_output=True, text=True, timeout=300)
    return json.loads(done.stdout)


def decode(folder, said, scorer, release):
    """The object that decode prints, and how many labels it calls certain that are wrong."""
    release, history = release if isinstance(release, tuple) else (release, lambda scores: scores)
    plan, out = os.path.join(folder, "plan"), os.path.join(folder, "labels.csv")
    crafted = lossleak("craft", *said.split(), "--rows", str(ROWS), "--out", plan)
    files = sorted(name for name in os.listdir(plan) if name.startswith("query"))
    scores = [release(scorer(np.genfromtxt(os.path.join(plan, name), delimiter=",", skip_header=1)[:, 1:])) for name in files]
    with open(os.path.join(folder, "scores"), "w") as file:
        file.writelines(f"{score}\n" for score in history(scores))
    found = lossleak("decode", plan, "--scores", os.path.join(folder, "scores"), "--out", out)
    assert "plan.json" in os.listdir(plan), crafted
    return found, count_wrong(out, found)


def count_wrong(out, found):
    if found.get("certain", 0) == 0:
        return 0
    rows = np.genfromtxt(out, delimiter=",", skip_header=1)
    given = ~np.isnan(rows[:, 1])
    return int(np.sum(rows[given, 1].astype(int) != LABELS[rows[given, 0].astype(int)]))


def words(found):
    if "error" in found:
        return found["error"]["text"]
    return "; ".join(fit["options"] for fit in found["would_fit"]) + " " + (found["scores_note"] or "")


def test_cases():
    named = 0
    for name, said, scorer, release, wanted in CASES[::STEP]:
        with tempfile.TemporaryDirectory() as folder:
            found, wrong = decode(folder, said, scorer, release)
        check(f"{name}: wrong labels called certain", wrong == 0, wrong)
        named += wanted in words(found)
        if wanted not in words(found):
            print(f"{name}: {wanted} is not named: {words(found)}")
    print(f"{named} of {len(CASES[::STEP])} named")
    check("named", named >= math.ceil(0.9 * len(CASES[::STEP])), named)


def test_true():
    for said, scorer, release in TRUE[::STEP]:
        with tempfile.TemporaryDirectory() as folder:
            found, wrong = decode(folder, said, scorer, release)
        check(f"{said}: all certain", found.get("certain") == ROWS and wrong == 0, found)
        check(f"{said}: not doubted", words(found).strip() == "", words(found))


# ---- honest predictions

def test_honest():
    rows, cases = 24, [(rounded(12, negated), "--transform negate"), (rounded(12, percent), "--transform percent"), (rounded(9), "--decimals 9")]
    y = LABELS[:rows]
    p = np.round(np.clip(0.5 + (y - 0.5) * generator.random(rows) * 1.4 - 0.1 + 0.2 * generator.random(rows), 0.01, 0.99), 6)
    with tempfile.TemporaryDirectory() as folder:
        np.save(os.path.join(folder, "p.npy"), p)
        for release, wanted in cases:
            found = lossleak("infer", "-p", os.path.join(folder, "p.npy"), "--score", release(log_loss(y, p)), *LOG_LOSS.split(),
                             "--decimals", "12")
            check(f"infer: {wanted}", wanted in words(found), found)
            check("infer: nothing is certain", found.get("certain", 0) == 0, found)


# ---- through a pipe

def test_oracle():
    code = "import sys, numpy as np; y = np.loadtxt(sys.argv[1]); p = np.genfromtxt(sys.stdin, delimiter=',', skip_header=1)[:, -1]; "
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(os.path.join(folder, "y"), LABELS, fmt="%d")
        for shown, wanted in (("100 * np.mean(y == p)", "--transform percent"), ("-np.mean(y == p)", "--transform negate")):
            oracle = f'/usr/bin/python3 -c "{code}print({shown})" {folder}/y'
            found = lossleak("attack", *ACCURACY.split(), "--rows", str(ROWS), "--oracle", oracle)
            check(f"oracle: {wanted}", wanted in words(found), found)


test_cases()
test_true()
test_honest()
test_oracle()
print(f"seed {SEED}: {passed} passed, {failed} failed")
sys.exit(failed > 0)
