"""The wall holds: titanic through files only, and a curator that shares nothing with the program.

craft writes predictions as text; score, a process of its own, knows labels and predictions alone; decode reads its score. Every
label must be certain and right under the largest noise of either sign. A curator written here, with its own reading of numbers
and its own formula in mpmath, must give the same score. One stored entry changed by hand must take the proof away, and must never
give a wrong label that is called certain. LOSSLEAK names the program.
"""
import fractions
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import mpmath as mp

PROGRAM = os.environ["LOSSLEAK"]
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
REAL = os.path.join(ROOT, "..", "shared", "data", "titanic.labels")
SEED = int(os.environ.get("LL_TEST_SEED", "1912"))
PRECISION = 200  # bits behind the point of a score without noise
COUNTS = (1490, 711)

passed = failed = 0
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)


def check(name, good, detail=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"FAIL {name} {detail}")


def run(*arguments):
    done = subprocess.run([PROGRAM, *arguments, "--json"], capture_output=True, text=True, timeout=300)
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


def read_labels(folder):
    """The real ones where they are at hand, else labels with the real counts in an order of our own."""
    if os.path.exists(REAL):
        with open(REAL) as file:
            labels = [int(line) for line in file]
    else:
        labels = [0] * COUNTS[0] + [1] * COUNTS[1]
        random.Random(SEED).shuffle(labels)
    path = os.path.join(folder, "labels")
    with open(path, "w") as file:
        file.writelines(f"{label}\n" for label in labels)
    return path, labels


# ---- a curator of our own: numbers are integers times powers of two and ten, however large the exponents

NUMBER = re.compile(r"(0x)?([0-9a-f]+)(?:\.([0-9a-f]*))?(?:[pe]([-+]?[0-9]+))?$", re.ASCII)
DECIMAL = re.compile(r"([0-9]+)(?:\.([0-9]*))?(?:e([-+]?[0-9]+))?$", re.ASCII)


def read_number(text):
    """(mantissa, twos, tens): mantissa * 2^twos * 10^tens"""
    if text.startswith("0x"):
        _, whole, fraction, exponent = NUMBER.match(text).groups()
        fraction = fraction or ""
        return int(whole + fraction, 16), int(exponent or 0) - 4 * len(fraction), 0
    whole, fraction, exponent = DECIMAL.match(text).groups()
    fraction = fraction or ""
    return int(whole + fraction), 0, int(exponent or 0) - len(fraction)


def logarithm(number):
    mantissa, twos, tens = number
    return mp.log(mantissa) + twos * mp.log(2) + tens * mp.log(10)


def log_of_rest(number):
    """ln(1 - p)"""
    mantissa, twos, tens = number
    size = mantissa.bit_length() + twos + (tens * 3322) // 1000  # p < 2^(size + 1)
    if size < -2 * mp.mp.prec:
        return mp.mpf(0) if size < -10 * mp.mp.prec else -mp.mpf(mantissa) * mp.mpf(2) ** twos * mp.mpf(10) ** tens
    return mp.log1p(-mp.mpf(mantissa) * mp.mpf(2) ** twos * mp.mpf(10) ** tens)


def read_predictions(path):
    with open(path) as file:
        lines = file.read().split("\n")
    assert lines[0] == "row,p" and lines[-1] == ""
    rows = [line.split(",") for line in lines[1:-1]]
    assert [int(row) for row, _ in rows] == list(range(len(rows)))
    return [text for _, text in rows]


def own_score(texts, labels):
    """Mean log-loss, right to 2^-PRECISION and more, and how many bits its whole part has."""
    numbers = [read_number(text) for text in texts]
    largest = max(abs(twos) + 4 * abs(tens) + mantissa.bit_length() for mantissa, twos, tens in numbers)
    mp.mp.prec = largest.bit_length() + PRECISION + 80
    mantissas, twos, tens, rests = 1, 0, 0, []
    for number, label in zip(numbers, labels):
        if label:
            mantissas, twos, tens = mantissas * number[0], twos + number[1], tens + number[2]
        else:
            rests.append(log_of_rest(number))
    return -(logarithm((mantissas, twos, tens)) + mp.fsum(rests)) / len(labels)


# ---- the way of the files

def score(folder, labels, *noise):
    path = os.path.join(folder, "query-0001.csv")
    status, answer, message = run("score", "--labels", labels, "--predictions", path, "--arithmetic", "exact", *noise)
    assert status == 0, message
    return answer["score"]


def decode(folder, score_text, out=None):
    path = folder + ".scores"
    with open(path, "w") as file:
        file.write(score_text + "\n")
    return run("decode", folder, "--scores", path, *(["--out", out] if out else []))


def read_out(path):
    with open(path) as file:
        lines = file.read().split("\n")
    assert lines[0] == "row,label"
    return [int(line.split(",")[1]) if line.split(",")[1] else None for line in lines[1:-1]]


def never_wrong(status, answer, out, truth):
    """No label that is called certain may be wrong, and not all of them may be."""
    if status == 2:
        return True
    labels = read_out(out)
    given = [(a, b) for a, b in zip(labels, truth) if a is not None]
    return status == 4 and len(given) == answer["certain"] < len(truth) and all(a == b for a, b in given)


def change(folder, target, row, text):
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(folder, target)
    path = os.path.join(target, "query-0001.csv")
    with open(path) as file:
        lines = file.read().split("\n")
    lines[row + 1] = f"{row},{text(lines[row + 1].split(',')[1])}"
    with open(path, "w") as file:
        file.write("\n".join(lines))


def change_exponent(old, factor):
    front, exponent = old.split("p")
    return f"{front}p{int(int(exponent) * factor)}"


# Each of them moves the score by more than the noise, whatever the label of the row is.
CHANGES = {
    "a half": lambda old: "0.5",
    "a quarter": lambda old: "0.25",
    "almost one": lambda old: "0x0.ffffffffffffffp0",
    "its root": lambda old: change_exponent(old, fractions.Fraction(1, 2)),
    "its square": lambda old: change_exponent(old, 2),
    "one per cent off in its exponent": lambda old: change_exponent(old, fractions.Fraction(99, 100)),
    "of almost no size": lambda old: "1e-" + "9" * 900,
}


def nudge(old):
    """1 + 2^-40 or so times it: far less than the noise."""
    front, exponent = old.split("p")
    return f"{front}{'' if '.' in front else '.0000000000'}1p{exponent}"


def test_noise(code, folder, path, labels):
    for sign in "plus", "minus":
        text = score(folder, path, "--noise", f"bounded:1,{sign}")
        out = os.path.join(os.path.dirname(folder), "out.csv")
        status, answer, message = decode(folder, text, out)
        name = f"{code}, noise {sign}"
        check(name, status == 0, message)
        check(f"{name}: certain", answer and answer["certain"] == len(labels) == answer["recovered"])
        check(f"{name}: verdict", answer and answer["certificate"]["verdict"] == "unique", answer)
        check(f"{name}: right", read_out(out) == labels)


def test_own_curator(code, folder, path, labels):
    text = score(folder, path, "--precision", str(PRECISION))
    mine = own_score(read_predictions(os.path.join(folder, "query-0001.csv")), labels)
    error = abs(mp.mpf(text) - mine)
    check(f"{code}: the same score", error <= mp.ldexp(1, 1 - PRECISION), f"off by {mp.nstr(error, 5)}")
    check(f"{code}: a score with a whole part of many digits", len(text.split(".")[0]) > 600)
    status, answer, message = decode(folder, mp.nstr(mine, int(mp.mp.prec * 0.30103), strip_zeros=False,
                                                     min_fixed=-mp.inf, max_fixed=mp.inf))
    check(f"{code}: decode reads it", status == 0 and answer["certain"] == len(labels), message)


def test_changes(code, folder, path, labels):
    text = score(folder, path, "--noise", "bounded:1,plus")
    changed, out = folder + "-changed", folder + "-changed.csv"
    generator = random.Random(SEED)
    for name, edit in CHANGES.items():
        row = generator.randrange(len(labels) // 2, len(labels))
        change(folder, changed, row, edit)
        status, answer, message = decode(changed, text, out)
        check(f"{code}, row {row} is {name}", never_wrong(status, answer, out, labels), f"exit {status} {message}")
    # A change smaller than the noise may pass, but then every label is right.
    change(folder, changed, len(labels) - 1, nudge)
    status, answer, message = decode(changed, text, out)
    check(f"{code}, a nudge", status in (0, 4) and all(a in (None, b) for a, b in zip(read_out(out), labels)), message)


def main():
    with tempfile.TemporaryDirectory() as work:
        path, labels = read_labels(work)
        for code in "powers", "primes:c=sqrt":
            folder = os.path.join(work, code.replace(":", "-"))
            status, answer, message = run("craft", "--rows", str(len(labels)), "--code", code, "--arithmetic", "exact", "--noise", "bounded:1",
                                          "--out", folder)
            check(f"{code}: craft", status == 0 and answer["queries"] == 1, message)
            check(f"{code}: its files", sorted(os.listdir(folder)) == ["plan.json", "query-0001.csv"])
            test_noise(code, folder, path, labels)
            test_own_curator(code, folder, path, labels)
            test_changes(code, folder, path, labels)
    print(f"{passed} passed, {failed} failed (seed {SEED})")
    return failed or not passed


sys.exit(1 if main() else 0)
