"""In one environment: each real function against its profile. compare.py FILE writes what was found as JSON.

LL_LIBRARY names the library, LOSSLEAK the program, LL_TEST_SEED and LL_TEST_MULTIPLIER are as in tests/real."""
import json
import os
import sys
import warnings
from fractions import Fraction

sys.dont_write_bytecode = True
warnings.filterwarnings("ignore")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "real"))
import numpy as np  # noqa: E402
from attack import attack  # noqa: E402
from functions import installed, rows, value  # noqa: E402
from library import Refused, score, scorer  # noqa: E402
from vectors import MULTIPLIER, SEED  # noqa: E402

COUNT = int(120 * MULTIPLIER)


def interval_of(profile, settings, y, p):
    try:
        _, lower, upper = score(scorer(profile, **settings), y, p)
    except Refused:
        return None
    return Fraction(lower), Fraction(upper)


def widest(p):
    """What an interval may be wide, in proportion, to say something: 1e-5, and in float32 the error of a sum in any order, twice."""
    return max(1e-5, 4 * len(p) * 2.0 ** -24) if p.dtype == np.float32 else 1e-5


def add(found, real, interval, about, slack, most):
    """One comparison; where only one side has a number, that is counted, and the first such case told."""
    if real is None or interval is None:
        key = "refused" if real is None and interval is None else "only_real" if interval is None else "only_ours"
        found[key] += 1
        if key != "refused":
            found["cases"].append(f"{key}: {about} {real}")
        return
    lower, upper = interval
    found["scores"] += 1
    found["narrow"] += float(upper - lower) <= most * max(1, abs(real))
    found["left"] += not lower <= Fraction(real) <= upper
    if not lower - slack <= Fraction(real) <= upper + slack:
        found["outside"] += 1
        found["cases"].append(f"outside: {about} {real!r} not in {float(lower)!r}, {float(upper)!r}")


def compare(row):
    profile, package, _, function, make, given = row
    settings = {name: text for name, text in given.items() if name != "off"}
    rng = np.random.default_rng([SEED] + list(profile.encode()))
    found = dict(profile=profile, package=package, off=given.get("off", 0), scores=0, outside=0, left=0, narrow=0, refused=0, only_real=0, only_ours=0, cases=[])
    for i in range(COUNT):
        more, y, p, truth = make(rng, i)
        slack = Fraction(given.get("off", 1e-17 if package == "XGBoost" else 0))  # XGBoost's text has 17 decimals
        about = f"{len(y)} rows, {p.dtype}, labels {sorted(set(y.tolist()))[:4]}"
        add(found, value(function, truth, p), interval_of(profile, {**settings, **more}, y, p), about, slack, widest(p))
    found["cases"] = found["cases"][:4]
    return found


def main():
    versions = installed()
    results = []
    for row in rows(versions):
        first = row[0] not in {r["profile"] for r in results}
        results.append({**compare(row), "attack": attack(row, SEED) if first else None})
        print({k: v for k, v in results[-1].items() if v}, flush=True)
    with open(sys.argv[1], "w") as file:
        json.dump({"versions": versions, "numpy": np.__version__, "python": sys.version.split()[0], "seed": SEED, "results": results}, file, indent=1)


if __name__ == "__main__":
    main()
