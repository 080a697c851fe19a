"""The Python that we print, attacked: whether a submission is refused, with which words, and how large the noise is must not depend on
labels, and the noise must be as large as the theorem asks for what is really computed.

Every metric of the library's table, two or three classes, transforms drawn at random (LL_TEST_SEED; LL_TEST_LONG: all of them and every
hostile value). The code runs on a few rows, under all their labellings; its noise is replaced by an object that writes down the size asked
for and the integer that it is added to."""
import decimal
import fractions
import itertools
import json
import os
import random
import re
import subprocess
import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")  # a masked value says that it becomes nan
program = os.environ["LOSSLEAK"]
is_long = os.environ.get("LL_TEST_LONG", "0") not in ("", "0")
seed = int(os.environ.get("LL_TEST_SEED", "1"))
draw = random.Random(seed)
PARAMETERS = {"ALPHA": "3", "EXPR": "x^2", "P": "1.5", "B": "2", "C": "1", "M": "1", "Q": "0.3", "D": "1", "K": "2", "GAMMA": "2"}
TRANSFORMS = ["identity", "negate", "percent", "root", "root,percent", "percent,negate"]
passed, refused, codes = 0, 0, {}


def check(condition, what):
    global passed
    if not condition:
        print(f"failed (LL_TEST_SEED={seed}):", what)
        sys.exit(1)
    passed += 1


# ---- the code ----

def ask(*arguments, text=""):
    run = subprocess.run([program, *arguments, "--json"], input=text, capture_output=True, text=True, timeout=120)
    return json.loads(run.stdout)


def printed(metric, classes, transform, rows=200):
    """What is printed for that many rows; None where the metric has no such classes or transform."""
    labels = "".join(f"{i * 7 % classes}\n" for i in range(rows))
    for more in ([], ["--targets", f"0:{classes - 1}:1"]):
        answer = ask("attack", "--labels", "-", "--metric", metric, "--transform", transform, "--arithmetic", "fp64", "--queries", "5", *more,
                     text=labels)
        if "error" not in answer:
            return answer["python"]
    return None


def collect():
    # One size of noise for steps that differ; at 200 rows it would hide every difference, and is not proposed.
    yield "accuracy of 3 classes, root", printed("accuracy", 3, "root", 2000), 3, 2000
    for loss in ask("losses")["losses"]:
        stem, _, parameter = loss["name"].partition(":")
        name = stem + (":" + PARAMETERS[parameter] if parameter else "")
        sizes = {"2": [2], "2 or more": [2, 3], "3 or more": [3]}[loss["classes"]]
        product = [(size, transform) for size in sizes for transform in TRANSFORMS]
        for size, transform in product if is_long else [(draw.choice(sizes), "identity"), draw.choice(product)]:
            code = printed(name, size, transform)
            if code:
                yield f"{name} of {size} classes, {transform}", code, size, 200


class Noise:
    """Stands for noise: it writes down what it is added to."""

    def __init__(self, variance):
        self.variance, self.number = variance, None

    def __radd__(self, number):
        self.number = number
        return 0


def without_imports(code):
    """A host's own functions are not there."""
    return "\n".join(line for line in code.splitlines() if "your_metric" not in line) + "\n"


def runner(code):
    """(submission, labels) -> ("gave", variance, integer) or ("raised", what)"""
    space, drawn = {}, []
    exec(without_imports(code), space)

    def gaussian(variance):
        drawn.append(Noise(variance))
        return drawn[-1]

    space["gaussian"] = gaussian

    def run(submission, labels):
        drawn.clear()
        try:
            space["noisy"](submission, list(labels))
        except Exception as error:  # whatever it is
            return "raised", f"{type(error).__name__}: {error}"
        return "gave", drawn[0].variance, drawn[0].number

    return run, space["noisy"].__defaults__[0]


# ---- submissions ----

class Changing:
    """Another number whenever it is looked at."""

    def __init__(self):
        self.looks = itertools.count()

    def __float__(self):
        return float(next(self.looks) % 2)

    __int__ = __index__ = lambda self: next(self.looks) % 2
    __bool__ = lambda self: next(self.looks) % 2 == 1


class Liar(float):
    """A number that compares as it likes."""
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = lambda self, other: True
    __hash__ = float.__hash__
    __bool__ = lambda self: False
    __mul__ = __rmul__ = __add__ = __radd__ = __sub__ = __rsub__ = lambda self, other: 1e9


VALUES = [float("nan"), float("inf"), -float("inf"), -1e-12, 1e-12, -0.0, 0.5, -1, 2, 3, 1e9, 1e30, 1e300, 1e308, -1e308, 5e-324, 2**70, 10**400, "0.5",
          "1", "x", "nan", "", b"1", None, True, 1 + 0j, decimal.Decimal("0.5"), decimal.Decimal("sNaN"), fractions.Fraction(1, 3),
          np.float16(0.1), np.float32("nan"), np.longdouble(1e-12) if np.finfo(np.longdouble).bits > 64 else 0.1, np.uint8(1), np.ma.masked,
          np.array(1.0), np.array([1.0]), np.array([0.1, 0.2]), np.datetime64("2020-01-01"), [0.5], {}, object(), Changing, Liar(0.5), Liar(-1)]


def fresh(value):
    return value() if isinstance(value, type) else value


def base(kind, rows, classes):
    """An honest submission: losses, classes or numbers."""
    if kind == "losses":
        return [[draw.choice([0, 0.25, 1, draw.random(), 3 * draw.random()]) for _ in range(classes)] for _ in range(rows)]
    if kind == "said":
        return [draw.randrange(classes) for _ in range(rows)]
    return [draw.choice([0.1, 0.5, draw.random()]) for _ in range(rows)]


def with_value(given, row, value):
    """One number is replaced: of a table in one column or in all of a row."""
    made = [list(x) if isinstance(x, list) else x for x in given]
    if isinstance(made[row], list):
        for column in draw.choice([range(len(made[row])), [draw.randrange(len(made[row]))]]):
            made[row][column] = value
    else:
        made[row] = value
    return made


def masked(given):
    mask = np.zeros(np.shape(given), dtype=bool)
    mask.flat[draw.randrange(mask.size)] = True
    return np.ma.array(given, mask=mask)


def ragged(given, row, width):
    """A row of another length; of one-dimensional submissions the row is a list."""
    return [x if i != row else (list(x) * 3 if isinstance(x, list) else [x] * 3)[:width] for i, x in enumerate(given)]


SHAPES = [lambda g: g, lambda g: np.array(g), lambda g: np.array(g, dtype=object), lambda g: np.array(g, dtype=">f8"), lambda g: np.array(g, dtype="f4"),
          lambda g: np.asfortranarray(g)[::1], masked, lambda g: np.ma.array(g, mask=True), lambda g: np.matrix(g), lambda g: g[:-1], lambda g: g + g[:1],
          lambda g: [], lambda g: None, lambda g: 5, lambda g: "01" * 20, lambda g: b"\x00\x01\x00\x01", lambda g: [[x] for x in g], lambda g: [g],
          lambda g: (x for x in g), lambda g: dict(enumerate(g)), lambda g: set(map(str, g)), lambda g: tuple(g), lambda g: np.array(g).T,
          lambda g: np.array(0.5), lambda g: np.zeros(0), lambda g: ragged(g, 1, 0), lambda g: ragged(g, 1, 1), lambda g: ragged(g, 0, 3), lambda g: ragged(g, -1, 2)]


def far(given):
    """Sums so large that floats would round what one label adds."""
    large = 2.0 ** draw.randrange(50, 99)
    return [[large] * len(x) if i == 0 and isinstance(x, list) else x if isinstance(x, list) else x + large for i, x in enumerate(given)]


def hostile(kind, rows, classes):
    made = [(repr(value)[:40], lambda value=value: with_value(base(kind, rows, classes), draw.randrange(rows), fresh(value))) for value in VALUES]
    made += [(f"shape {place}", lambda change=change: change(base(kind, rows, classes))) for place, change in enumerate(SHAPES)]
    made += [("far", lambda: far(base(kind, rows, classes)))] * 3
    return made if is_long else draw.sample(made, 20) + [(f"{made[3][0]}", made[3][1]), (made[0][0], made[0][1]), made[-1]]


# ---- the attack ----

def neighbours(labels, classes):
    for row in range(len(labels)):
        yield row, [labels[:row] + (k,) + labels[row + 1:] for k in range(classes) if k != labels[row]]


def check_spread(found, classes, size, follows, what):
    """The inequality of docs/proofs/proportional.md for the integers that noise is added to."""
    most = {}
    for labels, (_, variance, number) in found.items():
        moved = [max((abs(number - found[other][2]) for other in others if other in found), default=0) for _, others in neighbours(labels, classes)]
        most = {row: max(most.get(row, 0), x) for row, x in enumerate(moved)}
        if follows:
            check(sum(x * x for x in moved) <= 4 * variance / size**2, f"{what}: noise for {labels}")
    if not follows:
        check(len({variance for _, variance, _ in found.values()}) == 1, f"{what}: one size of noise")
        check(sum(x * x for x in most.values()) <= 4 * variance / size**2, f"{what}: noise")


def check_fixed(found, classes, limit, what):
    for labels, (_, _, number) in found.items():
        for _, others in neighbours(labels, classes):
            check(all(abs(number - found[other][2]) <= limit for other in others), f"{what}: a label moves more than the noise is for")
    check(len({variance for _, variance, _ in found.values()}) == 1, f"{what}: one size of noise")


def attack(name, code, classes, described):
    global refused
    rows = 5 if classes == 2 else 4
    head = code.split("def noisy(")[1]
    kind, fixed = head.split(",")[0], "sigma=" in head
    honest = runner(code)[0](base(kind, described, classes), [i * 7 % classes for i in range(described)])
    check(honest[0] == "gave" or fixed and kind == "losses", f"{name}: an honest submission is refused: {honest}")
    if fixed:  # of so few rows every label moves too much: as many as it was described for
        code = code.replace("// n", f"// {described}")
    run, size = runner(code)
    worlds = list(itertools.product(range(classes), repeat=rows))
    if kind == "predictions":  # AUC: of one class there is none, and the answer says so
        worlds = [y for y in worlds if 0 < sum(y) < rows]
    for words, make in hostile(kind, rows, classes):
        what, state = f"{name}: {words}", draw.getstate()
        found = {}
        for labels in worlds:
            draw.setstate(state)  # the same submission, new: some can be read once only
            found[labels] = run(make(), labels)
        if any(x[0] == "raised" for x in found.values()):
            check(len(set(found.values())) == 1, f"{what}: labels decide what is said: {set(found.values())}")
            refused += 1
        elif fixed:
            limit = float(re.search(r"> unit \* (\S+)", code)[1])
            check_fixed(found, classes, limit * 2**40 * (1 + 1e-6) + 3, what)
        else:
            check_spread(found, classes, size, kind == "predictions" or "guessed" in head, what)


def read_by_exceptions(code):
    """600 labels through what is refused: row by row, one submission each, as somebody did."""
    run, _ = runner(code)
    labels = [int(i * 7919 % 13 < 6) for i in range(600)]
    told = {run([0] * i + [-1e-12] + [0] * (599 - i), labels) for i in range(600)}
    check(run([0.5] + [0] * 599, labels)[0] == "raised", "half a class")
    check(len(told) == 1, f"a value below 0 tells {len(told)} things of 600 labels: {told}")


for name, code, classes, described in collect():
    codes[name] = code
    attack(name, code, classes, described)
check(len(codes) >= 30, f"{len(codes)} codes were attacked")
check(len({code.split("def noisy(")[1].split(",")[0] for code in codes.values()}) == 3, "losses, classes and numbers")
check({"c", "sigma"} == {code.split("def noisy(")[1].split(", ")[2].split("=")[0] for code in codes.values()}, "both laws")
read_by_exceptions(printed("f1", 2, "identity"))
for several in (["--also", "accuracy"], ["--groups", "a*100,b*100"], ["--class-weights", "1,2", "--counts", "100,100"]):
    told = ask("attack", "--labels", "-", "--metric", "squared", "--arithmetic", "fp64", "--queries", "5", *several,
               text="".join(f"{i % 2}\n" for i in range(200)))
    check(told["python"] == "", f"{several}: code for another number than this")
print(f"{len(codes)} codes, {refused} submissions refused; {passed} passed, 0 failed")
