"""An independent curator in mpmath: whole scores in exact arithmetic agree with the library's.

It shares nothing with the library but the definitions: plain formulas at 100 digits and more, over every loss, clip mode and
transform, on doubles and on texts with exponents of any length. LL_LIBRARY names the library.
"""
import os
import sys

import mpmath as mp
import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "real"))
import library  # noqa: E402

SEED = int(os.environ.get("LL_TEST_SEED", "20220328"))
COUNT = int(40 * float(os.environ.get("LL_TEST_MULTIPLIER", "1")))
PRECISION = 128
TRANSFORMS = ["identity", "negate", "root", "percent"]


def number(text):
    """A decimal or 0x1p-N text as an exact mpf."""
    if text.startswith("0x"):
        mantissa, exponent = text[2:].split("p")
        assert "." not in mantissa
        return mp.ldexp(int(mantissa, 16), int(exponent))
    return mp.mpf(text)


def q_of(row, label, mode, eps):
    """The number whose logarithm counts."""
    def clip(p):
        return min(max(p, eps), 1 - eps)
    if len(row) == 1:
        row = [1 - row[0], row[0]] if mode not in ("clip", "clip-renormalise", "log-plus") else [
            1 - clip(row[0]), clip(row[0])]
    elif mode in ("clip", "clip-renormalise", "log-plus"):
        row = [clip(p) for p in row]
    p = row[label]
    if mode == "clip-renormalise":
        p = p / mp.fsum(row)
    if mode in ("log-plus", "log-shift"):
        p = p + eps
    return max(p, eps) if mode == "floor" else p


def log_loss(row, label, mode, eps):
    q = q_of(row, label, mode, eps)
    if mode == "log-clamp":
        return eps if q == 0 else min(-mp.log(q), eps)
    return -mp.log(q)


def softmax(row, label):
    row = [mp.mpf(0), row[0]] if len(row) == 1 else row
    top = max(row)
    return top + mp.log(mp.fsum(mp.exp(z - top) for z in row)) - row[label]


def brier(row, label):
    if len(row) == 1:
        return (label - row[0]) ** 2
    return mp.fsum(((j == label) - x) ** 2 for j, x in enumerate(row))


def itakura_saito(row, label):
    x = row[0] if label else 1 - row[0]
    return 1 / x + mp.log(x) - 1


def norm(alpha):
    """sum over both coordinates of the divergence of t^alpha, at a 0/1 label."""
    def loss(row, label):
        x = row[0] if label else 1 - row[0]
        return 1 + (alpha - 1) * (x ** alpha + (1 - x) ** alpha) - alpha * x ** (alpha - 1)
    return loss


def bregman(row, label):
    """phi = x log x + x^3."""
    x = row[0]
    if x == label:
        return mp.mpf(0)
    phi = x * mp.log(x) + x ** 3
    return (mp.mpf(1) if label else mp.mpf(0)) - phi - (mp.log(x) + 1 + 3 * x ** 2) * (label - x)


def case(loss, term, classes=2, columns=1, kind="probability", **parts):
    return dict(loss=loss, term=term, classes=classes, columns=columns, kind=kind, parts=parts)


def log_case(mode, eps="1e-15", **shape):
    value = mp.mpf(eps) if mode != "none" else None
    parts = {} if mode == "none" else {"clip_mode": mode, "clip": eps}
    return case("log-loss", lambda row, label: log_loss(row, label, mode, value), **shape, **parts)


mp.mp.prec = 2400  # doubles down to 2^-1074 and 1 - x of them are exact
CASES = [
    log_case("none"), log_case("clip"), log_case("clip-renormalise"), log_case("log-clamp", "100"),
    log_case("log-plus", "1e-7"), log_case("floor", "1e-16"), log_case("log-shift", "1e-9"), log_case("log-shift", "0.01", classes=3, columns=3),
    log_case("none", classes=3, columns=3), log_case("clip", classes=10, columns=10),
    log_case("clip-renormalise", classes=2, columns=2), log_case("clip-renormalise", "0.01", classes=5, columns=5),
    log_case("log-clamp", "7.5", classes=4, columns=4), log_case("floor", "0.001", classes=3, columns=3),
    case("sigmoid-ce", softmax, kind="logit"), case("softmax-ce", softmax, kind="logit"),
    case("softmax-ce", softmax, classes=7, columns=7, kind="logit"),
    case("itakura-saito", itakura_saito), case("squared", brier), case("squared", brier, classes=4, columns=4),
    case("norm:2.5", norm(mp.mpf("2.5"))), case("norm:4", norm(mp.mpf(4))),
    case("bregman:x*log(x)+x^3", bregman),
    case("accuracy", lambda row, label: mp.mpf(row[0] == label), classes=5, kind="label"),
    case("zero-one", lambda row, label: mp.mpf(row[0] != label), classes=5, kind="label"),
]


def doubles(rng, n, c):
    """Entries as doubles, none of which makes a score infinite."""
    shape = (n, c["columns"])
    if c["kind"] == "label":
        return rng.integers(c["classes"], size=shape).astype(np.float64)
    if c["kind"] == "logit":
        return np.where(rng.random(shape) < 0.2, rng.choice([0.0, 1e4, -1e4, 1e-300, 700.0], shape), rng.normal(size=shape))
    p = np.where(rng.random(shape) < 0.2, rng.choice([5e-324, 1 - 2.0 ** -53, 1e-15, 1e-300, 0.5], shape),
                 rng.random(shape))
    if c["columns"] > 1:
        p = p / p.sum(axis=1, keepdims=True)
        p = np.maximum(p, 5e-324)
    return p


def texts(rng, n, c):
    """Entries with exponents far beyond a double, for log-loss and its clips."""
    rows = []
    for _ in range(n):
        row = []
        for _ in range(c["columns"]):
            digits = int(rng.integers(1, 40))
            exponent = int("".join(str(d) for d in rng.integers(1, 10, digits)))
            row.append(f"0x{int(rng.integers(1, 16)):x}p-{exponent + 60}")
        if c["columns"] > 1:
            row[int(rng.integers(c["columns"]))] = "1"
        else:
            row = [row[0]] if rng.random() < 0.5 else [str(rng.integers(1, 999)) + "e-3"]
        rows.append(row)
    return rows


def whole_score(c, rows, labels, transform):
    mean = mp.fsum(c["term"](row, int(label)) for row, label in zip(rows, labels)) / len(labels)
    return [mean, -mean, mp.sqrt(mean) if mean >= 0 else None, 100 * mean][transform]


def compare(c, labels, predictions, rows, transform):
    want = whole_score(c, rows, labels, transform)
    scorer = library.scorer(metric=c["loss"], arithmetic="exact", classes=c["classes"], transform=TRANSFORMS[transform],
                            precision=PRECISION, **c["parts"])
    text, lower, upper = library.score(scorer, labels, predictions)
    with mp.workprec(mp.mp.prec + 4000):
        good = mp.mpf(lower) <= want <= mp.mpf(upper) and abs(mp.mpf(text) - want) <= mp.ldexp(1, -PRECISION)
        good = good and mp.mpf(upper) - mp.mpf(lower) <= mp.ldexp(8, -PRECISION)
    if not good:
        print(f"{c['loss']} {c['parts']} {labels} {predictions} transform {transform}: "
              f"{text} in [{lower}, {upper}], wanted {mp.nstr(want, 60)}")
    return good


def main():
    print(f"mpmath curator: seed {SEED}")
    rng, bad, done = np.random.default_rng(SEED), 0, 0
    for c in CASES:
        for i in range(COUNT):
            n = 1 + i % 12
            labels = rng.integers(c["classes"], size=n)
            values = doubles(rng, n, c)
            rows = [[mp.mpf(float(x)) for x in row] for row in values]
            bad += not compare(c, labels, values if c["columns"] > 1 else values[:, 0], rows, i % 4)
            done += 1
        for i in range(COUNT // 4 if c["loss"] == "log-loss" else 0):
            n = 1 + i % 5
            labels, rows = rng.integers(c["classes"], size=n), texts(rng, n, c)
            with mp.workprec(3000):
                # 1 - 2^-(10^30) is 1 for mpmath, and its logarithm 0, as near as anybody can tell
                bad += not compare(c, labels, rows, [[number(t) for t in row] for row in rows], i % 2)
            done += 1
    print(f"mpmath curator: {done} scores, {bad} disagree")
    return 1 if bad or done < COUNT * len(CASES) else 0


if __name__ == "__main__":
    sys.exit(main())
