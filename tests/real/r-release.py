"""The Python that an attack report ends with: taken from the report as it is, run, and checked.

Its noise has the law it claims, its sum is exact, a label moves it by no more than it allows for, and the attack fails
against it."""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

program = os.environ["LOSSLEAK"]
options = ["--scorer", "kaggle/log_loss", "--queries", "10"]
run = subprocess.run([program, "attack", "--dataset", "titanic", *options, "--json"], capture_output=True, text=True,
                     timeout=120)
code = json.loads(run.stdout)["python"]
text = subprocess.run([program, "attack", "--dataset", "titanic", *options], capture_output=True, text=True, timeout=120)
assert text.stdout.endswith("\n" + code), "the text report ends with the same lines"
space = {}
exec(code, space)
passed = 0


def check(condition, what):
    global passed
    if not condition:
        print("failed:", what)
        sys.exit(1)
    passed += 1


# chance(a, b): exp(-a/b)
for a, b in [(0, 1), (1, 1), (1, 3), (5, 7)]:
    n = 20000
    hits = sum(space["chance"](a, b) for _ in range(n))
    p = math.exp(-a / b)
    check(abs(hits - n * p) <= 5 * math.sqrt(n * p * (1 - p)) + 1e-9, f"chance({a}, {b})")

# laplace(t): P(n) = (1 - q) / (1 + q) q^|n|, q = exp(-1/t)
for scale in [1, 3, 10]:
    n, q = 20000, math.exp(-1 / scale)
    draws = [space["laplace"](scale) for _ in range(n)]
    for value in range(-3, 4):
        p = (1 - q) / (1 + q) * q ** abs(value)
        check(abs(draws.count(value) - n * p) <= 5 * math.sqrt(n * p * (1 - p)), f"laplace({scale}) = {value}")
    check(abs(sum(draws)) <= 5 * math.sqrt(2 * n) * (scale + 1), f"laplace({scale}) has mean 0")

# release: without noise the exact mean of clipped losses, in any order
quiet = dict(space)
exec(code.replace("total += laplace(", "total += 0 * len(repr("). replace("epsilon))", "epsilon)))"), quiet)
losses = [0.1 * i for i in range(100)]
most = quiet["release"].__defaults__[0]
wanted = sum(min(x, most) for x in losses) / 100
check(abs(quiet["release"](losses, decimals=9) - wanted) < 1e-5, "the mean of clipped losses")
check(quiet["release"](losses, decimals=9) == quiet["release"](losses[::-1], decimals=9), "in any order")
unit = 2**20
change = round(unit * most) - 0
check(change <= unit * most + 1, "one label moves the sum by no more than the noise is made for")
check(quiet["release"]([1e9, -5.0], decimals=6) == round(most / 2, 6), "losses are clipped on both sides")

# every transform, and metrics that take labels: what is printed gives what scikit-learn does, but for the noise
import sklearn.metrics as real

truth = [i * 7919 % 13 < 6 for i in range(200)]
given = [0.02 + 0.96 * (i * 31 % 97) / 97 for i in range(200)]
hard = [p > 0.5 for p in given]
logs = [-math.log(p if y else 1 - p) for y, p in zip(truth, given)]
squares = [(y - p) ** 2 for y, p in zip(truth, given)]
right = [float(y == h) for y, h in zip(truth, hard)]
wrong = [1 - x for x in right]
log_loss, accuracy = real.log_loss(truth, given), real.accuracy_score(truth, hard)
for arguments, losses, wanted in [
        (["--scorer", "sklearn-1.2/log_loss"], logs, log_loss),
        (["--scorer", "sklearn-1.2/log_loss", "--transform", "negate"], logs, -log_loss),
        (["--scorer", "sklearn-1.2/log_loss", "--transform", "percent"], logs, 100 * log_loss),
        (["--scorer", "sklearn/brier"], squares, real.brier_score_loss(truth, given)),
        (["--scorer", "sklearn/accuracy"], right, accuracy),
        (["--scorer", "sklearn/accuracy", "--transform", "percent"], right, 100 * accuracy),
        (["--loss", "zero-one"], wrong, real.zero_one_loss(truth, hard)),
        (["--loss", "lp:2"], wrong, math.sqrt(real.zero_one_loss(truth, hard, normalize=False)))]:
    run = subprocess.run([program, "attack", "--dataset", "titanic", "--queries", "3", "--json", *arguments],
                         capture_output=True, text=True, timeout=120)
    printed = json.loads(run.stdout)["python"]
    space_of = {}
    exec(printed.replace("total += laplace(", "total += 0 * len(repr(").replace("epsilon))", "epsilon)))"), space_of)
    got = space_of["release"](losses, decimals=12)
    check(abs(got - wanted) < 1e-3 * abs(wanted), f"{arguments}: {got}, scikit-learn says {wanted}")

# the attack against a scorer that uses it: behind a pipe, as a real one
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    labels = [i * 7919 % 13 < 6 for i in range(200)]
    (folder / "labels").write_text("\n".join(str(int(x)) for x in labels) + "\n")
    (folder / "scorer.py").write_text(code + """
import csv, math, sys
truth = [int(line) for line in open(sys.argv[1])]
rows = list(csv.reader(sys.stdin))
header, rows = rows[0], rows[1:]
def loss(row, label):
    p = [float(x) for x in row[1:]]
    q = p[label] if len(p) > 1 else (p[0] if label else 1 - p[0])
    return -math.log(min(max(q, 0.01), 0.99))
print(release([loss(row, label) for row, label in zip(rows, truth)], epsilon=1, answers=10, decimals=9))
""")
    oracle = f"/usr/bin/python3 {folder}/scorer.py {folder}/labels"
    run = subprocess.run([program, "attack", "--oracle", oracle, "--rows", "200", "--scorer", "sklearn-1.1/log_loss",
                          "--clip", "0.01", "--decimals", "5", "--queries", "10", "--json", "--out",
                          str(folder / "out.csv")], capture_output=True, text=True, timeout=300)
    check(run.returncode == 4, "the certified attack does not get through: " + run.stderr)
    answer = json.loads(run.stdout)
    check(answer["certificate"]["verdict"] == "none" or answer["certain"] == 0, "nothing is proved")
print(f"{passed} passed, 0 failed")
