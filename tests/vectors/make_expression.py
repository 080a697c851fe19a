#!/usr/bin/env python3
"""Write expression.txt: values and derivatives of expressions by mpmath.

Lines: expression <tab> alpha <tab> x <tab> value <tab> first <tab> second derivative, 60 digits each, alpha "-" where
it is not used. Derivatives are mpmath's (differences at raised precision), taken at two precisions that must agree.
Usage: make_expression.py > expression.txt
"""
import sys

from mpmath import mp, mpf, diff, nstr, exp, log, sqrt

ZERO_TO_ONE = ["0x1p-30", "0.0625", "0.25", "0.3", "0.5", "0.78125", "0.984375"]
POSITIVE = ["0x1p-20", "0.1", "0.75", "1.5", "3", "17.25"]
REAL = ["-7.5", "-1.25", "-0.1", "0.3", "1", "2.5", "11"]
ALPHAS = ["2", "2.5", "3", "3.75", "0x1.2p3"]

CASES = [
    ("x*log(x)+(1-x)*log(1-x)", ZERO_TO_ONE, None),
    ("-x*log(x)", POSITIVE, None),
    ("log(x)*x", POSITIVE, None),
    ("2*x*log(x)", POSITIVE, None),
    ("log(x) * (x/3)", POSITIVE, None),
    ("x^2*log(x)", POSITIVE, None),
    ("log(x)*x^2", POSITIVE, None),
    ("log(x^2)*(x^2-3*x^2)", POSITIVE, None),
    ("(x+0.5)*log(x+0.25)", POSITIVE, None),
    ("x*-log(x)", POSITIVE, None),
    ("(1+x^2)*log(1+x^2)", REAL, None),
    ("log(1+x^2)*(1+x^2)/7", REAL, None),
    ("x^2", REAL, None),
    ("x^4", REAL, None),
    ("x^64", REAL, None),
    ("x^37", REAL, None),
    ("x^-1", REAL, None),
    ("x^(-3)", REAL, None),
    ("x^65", POSITIVE, None),
    ("-x^2", REAL, None),
    ("2^-x^2", REAL, None),
    ("2^3^2-x", REAL, None),
    ("exp(x)", REAL, None),
    ("-log(x+1)", POSITIVE, None),
    ("-log(x)", POSITIVE, None),
    ("sqrt(1+x^2)", REAL, None),
    ("sqrt(x)", POSITIVE, None),
    ("1/(1+x)", POSITIVE, None),
    ("x/(1+x*x)", REAL, None),
    ("(x*x-3)/(x*x+x+1)", REAL, None),
    ("exp(-x*x/2)", REAL, None),
    ("1/(1+exp(-x))", REAL, None),
    ("log(1+exp(x))", REAL, None),
    ("exp(exp(x/8))", REAL, None),
    ("log(log(3+x*x))", REAL, None),
    ("sqrt(1+sqrt(x))", POSITIVE, None),
    ("1/x-log(1/x)-1", POSITIVE, None),
    ("x^0.5", POSITIVE, None),
    ("x^2.5", POSITIVE, None),
    ("(1+x^2)^1.7", REAL, None),
    ("x^x", POSITIVE, None),
    ("(1+x)^(2-x)", POSITIVE, None),
    ("3^(x*x/9)", REAL, None),
    ("0.3^x", REAL, None),
    ("5 - 2*x", REAL, None),
    ("0x1.8p1*x/7e-1 - x/4", REAL, None),
    ("2*-x*-x*(-3)", REAL, None),
    ("1.25e2", REAL[:1], None),
    ("x^0+x^1", REAL, None),
    ("x^alpha", POSITIVE, ALPHAS),
    ("x^alpha+(1-x)^alpha", ZERO_TO_ONE, ALPHAS),
    ("(x^alpha+(alpha-1)*0.5^alpha-alpha*x*0.5^(alpha-1))/(alpha*(alpha-1))", POSITIVE, ALPHAS),
    ("alpha*((1-x)^(alpha-1)-x^(alpha-1))", ZERO_TO_ONE, ALPHAS),
    ("alpha^x/alpha", REAL, ALPHAS),
]


def read(text):
    """An exact decimal or hex number as an mpf (the precision exceeds every literal used here)."""
    sign, text = (-1, text[1:]) if text[0] == "-" else (1, text)
    if text.startswith("0x"):
        mantissa, power = text[2:].split("p")
        whole, _, fraction = mantissa.partition(".")
        return sign * mpf(int(whole + fraction, 16)) * mpf(2) ** (int(power) - 4 * len(fraction))
    return sign * mpf(text)


class Scanner:
    """Replace ^ by ** and numbers by read("...") so that Python, whose rules for - and ** are ours, evaluates it."""

    def __init__(self, text):
        import re

        number = r"0x[0-9a-f.]+p[+-]?\d+|\d+\.?\d*(?:e[+-]?\d+)?"
        self.code = re.sub(number, lambda m: 'read("%s")' % m.group(0), text).replace("^", "**")

    def function(self, alpha):
        names = {"exp": exp, "log": log, "sqrt": sqrt, "read": read, "alpha": alpha}
        return lambda x: eval(self.code, names, {"x": x})


def numbers(code, alpha, x, digits):
    mp.dps = digits
    f = Scanner(code).function(read(alpha) if alpha else None)
    at = read(x)
    h = abs(at) / 8
    value = f(at)
    return [value, diff(f, at, 1, h=h * mpf(10) ** (-digits)), diff(f, at, 2, h=h * mpf(10) ** (-digits))]


def text(x):
    return nstr(x, 60, min_fixed=0, max_fixed=0, strip_zeros=False)


def line(code, alpha, x):
    # The two derivative estimates must agree to 62 digits of the scale of the function.
    good, better = numbers(code, alpha, x, 200), numbers(code, alpha, x, 300)
    for a, b in zip(good, better):
        assert abs(a - b) <= mpf(10) ** -62 * max(abs(b), mpf(10) ** -40), (code, alpha, x, a, b)
    better = [mpf(0) if abs(v) < mpf(10) ** -80 else v for v in better]
    return "\t".join([code, alpha or "-", x] + [text(v) for v in better])


def main():
    for code, points, alphas in CASES:
        for alpha in alphas or [None]:
            for x in points:
                print(line(code, alpha, x))


sys.exit(main())
