#!/usr/bin/python3
"""Make loss.txt: scores, weights and inverses of every loss to 50 digits, by mpmath.

Each line is one vector; numbers are decimal or hexadecimal text, exact where they are inputs:

    score  LOSS LABEL X VALUE
    weight LOSS X VALUE
    invert LOSS W X 1-X          (of a logit: X and -X)
    row    LOSS LABEL VALUE X_0 X_1 ...
    infinite LOSS LABEL X        there is no finite score

Nothing here is shared with the library: formulas are written out, inverses are found by bisection.
"""
import sys
from fractions import Fraction

from mpmath import exp, log, log1p, mp, mpf, sqrt, workdps

DIGITS = 50
WORK = 900  # enough for x within 2^-1100 of 1 and all digits of squares of that, and 50 digits beyond
INVERT = 420  # enough for 1-x of about e^-700
mp.dps = WORK  # before any number is made


def text(value):
    return mp.nstr(value, DIGITS, strip_zeros=False, min_fixed=0, max_fixed=0)


def exact(x):
    """mpf of a Fraction whose denominator is a power of 2 or that is a decimal."""
    return mpf(x.numerator) / mpf(x.denominator)


def hexadecimal(x):
    """A dyadic Fraction as text."""
    sign = "-" if x < 0 else ""
    return "%s0x%xp-%d" % (sign, abs(x.numerator), x.denominator.bit_length() - 1)


def number(word):
    """The Fraction that a word says: decimal, or A-2^-B, or 2^-B."""
    if "2^-" in word:
        head, tail = word.split("2^-")
        power = Fraction(1, 2 ** int(tail))
        if head.endswith("-"):
            return Fraction(head[:-1]) - power
        if head.endswith("+"):
            return Fraction(head[:-1]) + power
        return power
    return Fraction(word)


def word(w):
    return hexadecimal(number(w)) if "2^-" in w else w


def xlogx(x):
    return x * log(x) if x else mpf(0)


# Each loss is a pair s(1,x), s(0,x).
def norm(alpha):
    a = mpf(alpha)
    return (lambda x: 1 + (a - 1) * x**a - a * x ** (a - 1) + (a - 1) * (1 - x) ** a,
            lambda x: 1 + (a - 1) * (1 - x) ** a - a * (1 - x) ** (a - 1) + (a - 1) * x**a)


def bregman(phi, slope):
    return (lambda x: phi(mpf(1)) - phi(x) - slope(x) * (1 - x) if x != 1 else mpf(0),
            lambda x: phi(mpf(0)) - phi(x) + slope(x) * x if x != 0 else mpf(0))


LOSSES = {
    "log-loss": (lambda x: -log(x), lambda x: -log(1 - x)),
    "sigmoid-ce": (lambda z: log1p(exp(-z)), lambda z: log1p(exp(z))),
    "softmax-ce": (lambda z: log1p(exp(-z)), lambda z: log1p(exp(z))),
    "itakura-saito": (lambda x: 1 / x + log(x) - 1, lambda x: 1 / (1 - x) + log(1 - x) - 1),
    "squared": (lambda x: (1 - x) ** 2, lambda x: x**2),
    "norm:2": norm("2"),
    "norm:2.5": norm("2.5"),
    "norm:3.1": norm("3.1"),
    "norm:17": norm("17"),
    "bregman:x*log(x)+(1-x)*log(1-x)": bregman(lambda x: xlogx(x) + xlogx(1 - x), lambda x: log(x) - log(1 - x)),
    "bregman:x*log(x)": bregman(xlogx, lambda x: log(x) + 1),
    "bregman:x^4": bregman(lambda x: x**4, lambda x: 4 * x**3),
    "bregman:exp(2*x)-x": bregman(lambda x: exp(2 * x) - x, lambda x: 2 * exp(2 * x) - 1),
    "bregman:-sqrt(x*(1-x))": bregman(lambda x: -sqrt(x * (1 - x)), lambda x: (2 * x - 1) / (2 * sqrt(x * (1 - x)))),
    "bregman:x^2.5+1/(3-x)": bregman(lambda x: x ** mpf(2.5) + 1 / (3 - x),
                                     lambda x: mpf(2.5) * x ** mpf(1.5) + 1 / (3 - x) ** 2),
}
LOGITS = ("sigmoid-ce", "softmax-ce")
PROBABILITIES = ["0", "1", "0.5", "0.25", "0.1", "0.3", "0.75", "0.999", "1e-15", "4.9406564584124654e-324", "1e-400",
                 "2^-1074", "1-2^-53", "1-2^-1000", "0.5+2^-60", "0.5-2^-300"]
LOGIT_INPUTS = ["0", "1", "-1", "0.1", "-36.7", "710", "-710", "100000", "-100000", "2^-200"]
WEIGHTS = ["0", "0.5", "-0.5", "0.1", "-0.1", "2^-80", "1", "-1", "0.999999", "1.9", "-2.2", "30", "-30", "34.5",
           "1000", "-700", "1-2^-200", "-1+2^-200", "2-2^-300"]


def finite(f, x):
    try:
        value = f(x)
    except ZeroDivisionError:
        return None
    return value if mp.isfinite(value) else None


def score_lines(name, out):
    for label, f in ((1, LOSSES[name][0]), (0, LOSSES[name][1])):
        for w in LOGIT_INPUTS if name in LOGITS else PROBABILITIES:
            value = finite(f, exact(number(w)))
            if value is None:
                out.append("infinite %s %d %s" % (name, label, word(w)))
            else:
                out.append("score %s %d %s %s" % (name, label, word(w), text(value)))


def weight_lines(name, out):
    one, zero = LOSSES[name]
    for w in LOGIT_INPUTS if name in LOGITS else PROBABILITIES:
        x = exact(number(w))
        a, b = finite(one, x), finite(zero, x)
        if a is not None and b is not None:
            # what is left where all digits cancel is 0
            value = mpf(0) if abs(a - b) < mpf(10) ** (60 - WORK) else a - b
            out.append("weight %s %s %s" % (name, word(w), text(value)))


def bisect(f, w):
    """u = ln((1-x)/x) with weight w, or None out of reach: the weight rises with u."""
    low, high = mpf(-1), mpf(1)
    while f(low) >= w:
        low *= 2
        if low < -1024:
            return None
    while f(high) <= w:
        high *= 2
        if high > 1024:
            return None
    for _ in range(220):
        middle = (low + high) / 2
        if f(middle) < w:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def invert_lines(name, out):
    one, zero = LOSSES[name]
    for word_of_w in WEIGHTS:
        w = exact(number(word_of_w))
        if name in LOGITS:
            x, mirror = -w, w
        else:
            with workdps(INVERT):
                u = bisect(lambda u: one(1 / (1 + exp(u))) - zero(1 / (1 + exp(u))), w)
                if u is None:
                    continue
                x, mirror = 1 / (1 + exp(u)), 1 / (1 + exp(-u))
        out.append("invert %s %s %s %s" % (name, word(word_of_w), text(x), text(mirror)))


def row_lines(out):
    logits = [["0", "0"], ["1", "2", "3"], ["-1000", "0", "1000"], ["0.1", "0.2", "0.3", "0.4", "0.5"], ["710", "-745"],
              ["100000", "99999.5", "-3"], ["1e30", "1e30", "7"]]
    shares = [["0.5", "0.5"], ["0.2", "0.3", "0.5"], ["1e-300", "0.25", "0.75"], ["0", "0", "1"], ["0.1"] * 10]
    for row in logits:
        z = [exact(number(w)) for w in row]
        for k in range(len(row)):
            value = max(z) - z[k] + log(sum(exp(v - max(z)) for v in z))
            out.append("row softmax-ce %d %s %s" % (k, text(value), " ".join(row)))
    for row in shares:
        x = [exact(number(w)) for w in row]
        for k in range(len(row)):
            if x[k]:
                out.append("row log-loss %d %s %s" % (k, text(-log(x[k])), " ".join(row)))
            value = sum(((j == k) - x[j]) ** 2 for j in range(len(row)))
            out.append("row squared %d %s %s" % (k, text(value), " ".join(row)))


def main():
    out = ["# made by make_loss.py: do not edit"]
    for name in LOSSES:
        score_lines(name, out)
        weight_lines(name, out)
        invert_lines(name, out)
    row_lines(out)
    path = sys.argv[1] if len(sys.argv) > 1 else "loss.txt"
    with open(path, "w") as file:
        file.write("\n".join(out) + "\n")


main()
