"""Corner-biased labels and predictions, the documented width of an interval, and the count of what was checked."""
import math
import os
from fractions import Fraction

import numpy as np

SEED = int(os.environ.get("LL_TEST_SEED", "20220328"))
MULTIPLIER = float(os.environ.get("LL_TEST_MULTIPLIER", "1"))
U64, U32 = 2.0 ** -53, 2.0 ** -24

CORNERS = [0.0, 1.0, 5e-324, 1 - 2.0 ** -53, 2.0 ** -52, 1 - 2.0 ** -52, 1e-15, 1 - 1e-15, 1e-16, 1e-17, 2.0 ** -24,
           1 - 2.0 ** -24, 2.0 ** -23, 1e-300, 1e-44, 3.7200759760208361e-44, 1e-7, 1 - 1e-7, 0.5, 1 / 3, 2.0 ** -1022]


def generator(name):
    print(f"{name}: seed {SEED}")
    return np.random.default_rng([SEED, len(name)] + list(name.encode()))


def size(rng, i, largest=100_000):
    """Mostly short, now and then long; the lengths around NumPy's blocks of 8, 128 and 8192 among them."""
    if i % 200 == 7:
        return int(rng.integers(8193, largest + 1))
    if i % 20 == 3:
        return int(rng.choice([n for n in (127, 128, 129, 1000, 8191, 8192, 8193) if n <= largest]))
    return int(rng.integers(1, 10)) if i % 3 == 0 else int(rng.integers(1, 300))


def probabilities(rng, shape, style):
    """style 0: uniform, 1: corners only, 2: a mixture, 3: near 0 and 1, 4: all equal."""
    if style == 0:
        return rng.random(shape)
    if style == 1:
        return rng.choice(CORNERS, shape)
    if style == 2:
        return np.where(rng.random(shape) < 0.3, rng.choice(CORNERS, shape), rng.random(shape))
    if style == 3:
        tiny = 10.0 ** -rng.uniform(0, 20, shape)
        return np.where(rng.random(shape) < 0.5, tiny, 1 - tiny)
    return np.full(shape, rng.choice(CORNERS + [rng.random()]))


def labels(rng, n, classes):
    """One class only in one vector of four."""
    if rng.random() < 0.25:
        return np.full(n, rng.integers(classes))
    return rng.integers(classes, size=n)


def pairwise_depth(n):
    """Additions on the longest path of numpy.sum, by walking its tree; the larger of both forms in use."""
    def tree(m):
        if m < 8:
            return m - 1
        if m <= 128:
            return m // 8 + 2 + m % 8
        left = m // 2 - m // 2 % 8
        return 1 + max(tree(left), tree(m - left))
    pieces = -(-n // 8192)
    return max(tree(n), tree(min(n, 8192)) + pieces - 1)


def cascade_depth(n):
    """PyTorch's sums of up to 10^5 terms have no longer path (docs/proofs/summation.md)."""
    assert n <= 100_000
    return min(n - 1, 130)


def width(score, n, depth, per_term=0.0, per_row=0.0, unit=U64, term_unit=None, enclosure=1.0):
    """The documented bound on upper - lower: docs/proofs/score-interval.md, 'Width'.

    per_term: the terms' relative error in units u, per_row: their absolute one; enclosure: 2^-53 a row for the ideal sum.
    """
    term_unit = unit if term_unit is None else term_unit
    score = abs(score)
    error = (score * per_term + per_row) * term_unit
    error += (score + error) * math.expm1(depth * math.log1p(unit)) + score * unit + enclosure * U64
    return 2 * error * (1 + 2.0 ** -8) + 4 * U64 * score + 2.0 ** -1074 + (2.0 ** -149 if unit == U32 else 0)


class Count:
    def __init__(self, name):
        self.name, self.vectors, self.outside, self.wide, self.widest = name, 0, 0, 0, 0.0

    def complain(self, text):
        if self.outside + self.wide <= 5:
            print(f"{self.name}: {text}")

    def check(self, interval, real, bound, about, slack=0):
        text, lower, upper = (Fraction(t) for t in interval)
        self.vectors += 1
        if not lower - Fraction(slack) <= Fraction(real) <= upper + Fraction(slack):
            self.outside += 1
            self.complain(f"{real!r} is outside {interval}: {about}")
        if not lower <= text <= upper:
            self.outside += 1
            self.complain(f"the simulated {interval[0]} is outside {interval}: {about}")
        share = float((upper - lower) / Fraction(bound)) if bound else float(upper > lower)
        self.widest = max(self.widest, share)
        if upper - lower > Fraction(bound):
            self.wide += 1
            self.complain(f"{interval} is wider than {bound}: {about}")

    def report(self, least=2000):
        print(f"{self.name}: {self.vectors} vectors, {self.outside} outside, {self.wide} too wide, "
              f"widest {self.widest:.3f} of its bound")
        return self.outside == 0 and self.wide == 0 and self.vectors >= least
