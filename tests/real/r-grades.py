"""scikit-learn's regression metrics behind --oracle: every target certain and right, in no fewer queries than the limits allow.

LOSSLEAK names the program. The oracle is a program of its own that knows the targets and prints a rounded score.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(os.environ["LOSSLEAK"])
MANY = 1000 if os.environ.get("LL_TEST_LONG") else 300
generator = random.Random(int(os.environ.get("LL_TEST_SEED", "31337")))
ORACLE = """
import sys
import numpy as np
from sklearn import metrics
y = np.loadtxt(sys.argv[1])
for path in sys.stdin:
    path = path.rstrip("\\n")
    p = np.load(path) if path.endswith(".npy") else np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)[:, 1]
    p = p.squeeze() if sys.argv[3] == "free" else np.clip(p.squeeze(), y.min(), y.max())
    print(f"{eval(sys.argv[2]):.{sys.argv[4]}f}", flush=True)
"""
failed = 0


def check(name, good, detail=""):
    global failed
    failed += not good
    if not good:
        print(f"FAIL {name} {detail}")


def run(*command):
    done = subprocess.run([PROGRAM, *command, "--json"], capture_output=True, text=True, timeout=300)
    return done.returncode, json.loads(done.stdout), done.stderr


def attack(folder, name, formula, profile, rows, grid, values, decimals, clip=()):
    labels, out = os.path.join(folder, "labels"), os.path.join(folder, "out.csv")
    truth = [values[0], values[-1]] + [generator.choice(values) for _ in range(rows - 2)]
    with open(labels, "w") as file:
        file.writelines(f"{v}\n" for v in truth)
    oracle = f"exec /usr/bin/python3 {folder}/oracle.py {labels} '{formula}' {'clip' if clip else 'free'} {decimals}"
    scorer = ["--scorer", profile, "--rows", str(rows), "--targets", grid, "--decimals", str(decimals), *clip]
    status, answer, message = run("attack", *scorer, "--oracle", oracle, "--oracle-mode", "stream", "--out", out)
    check(name, status == 0 and not message, f"exit {status} {message} {answer}")
    if status:
        return
    with open(out) as file:
        found = [line.split(",")[1] for line in file.read().split("\n")[1:-1]]
    check(f"{name}: all certain", answer["certain"] == rows, answer["certain"])
    check(f"{name}: all right", [float(x) for x in found] == [float(v) for v in truth])
    status, audit, message = run("audit", *scorer)
    bound = audit["bound"]["min_queries"]
    check(f"{name}: bound", audit["leaks"] is True and bound <= answer["queries"], f"{bound} {audit['leaks']}")
    print(f"{name}: {rows} rows, {answer['queries']} queries, no method in fewer than {bound}")


def continuous(folder, name, formula, profile, rows, off, decimals, step=0.01, most=100000, more=()):
    """Targets that lie off the grid by up to `off` steps: what is certain is less than a step off, or has a condition (docs/proofs/shifts.md)."""
    labels, out = os.path.join(folder, "labels"), os.path.join(folder, "out.csv")
    truth = [step * min(max(generator.randrange(most + 1) + generator.uniform(-off, off), 0), most) for _ in range(rows)]
    with open(labels, "w") as file:
        file.writelines(f"{v!r}\n" for v in truth)
    oracle = f"exec /usr/bin/python3 {folder}/oracle.py {labels} '{formula}' free {decimals}"
    status, answer, message = run("attack", "--scorer", profile, "--rows", str(rows), "--targets", f"0:{step * most:.10g}:{step}",
                                  "--decimals", str(decimals), *more, "--oracle", oracle, "--oracle-mode", "stream", "--out", out)
    check(name, status in (0, 1, 4) and not message, f"exit {status} {message} {answer}")
    with open(out) as file:
        found = [line.split(",")[1] for line in file.read().split("\n")[1:-1]]
    worst = max([abs(float(x) - v) for x, v in zip(found, truth) if x] or [0])
    check(f"{name}: within a step", worst < step or answer["conditional"], worst)
    check(f"{name}: premise", (answer["premise"] is None) == (answer["certain"] == 0), answer["premise"])
    print(f"{name}: {rows} rows, {answer['queries']} queries, {sum(x != '' for x in found)} certain, {worst:.4f} off at most")


def main():
    whole, half = list(range(10)), [1 + k / 2 for k in range(9)]
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "oracle.py"), "w") as file:
            file.write(ORACLE)
        attack(folder, "rmse", "metrics.mean_squared_error(y, p, squared=False)", "sklearn/rmse", MANY, "0:9:1", whole, 5)
        attack(folder, "mse", "metrics.mean_squared_error(y, p)", "sklearn/mse", MANY, "0:9:1", whole, 5)
        attack(folder, "mse of halves", "metrics.mean_squared_error(y, p)", "sklearn/mse", 200, "1:5:0.5", half, 4)
        attack(folder, "mae", "metrics.mean_absolute_error(y, p)", "sklearn/mae", 200, "0:4:1", whole[:5], 5)
        attack(folder, "mse, clipped", "metrics.mean_squared_error(y, p)", "sklearn/mse", 200, "0:4:1", whole[:5], 5,
               ["--clip-targets"])
        attack(folder, "r2", "metrics.r2_score(y, p)", "sklearn/r2", 200, "0:9:1", whole, 5)
        attack(folder, "explained variance", "metrics.explained_variance_score(y, p)", "sklearn/explained_variance", 120, "0:9:1", whole, 5)
        attack(folder, "r2 of halves", "metrics.r2_score(y, p)", "sklearn/r2", 150, "1:5:0.5", half, 4)
        attack(folder, "r2, clipped", "metrics.r2_score(y, p)", "sklearn/r2", 60, "0:4:1", whole[:5], 5,
               ["--clip-targets"])
        cents = [k / 100 for k in range(100001)]
        attack(folder, "mae of cents", "metrics.mean_absolute_error(y, p)", "sklearn/mae", 60, "0:1000:0.01", cents, 5)
        attack(folder, "mse of cents", "metrics.mean_squared_error(y, p)", "sklearn/mse", 60, "0:1000:0.01", cents, 5)
        for off in (0.001, 0.2, 0.5):
            continuous(folder, f"mae, {off} steps off the grid", "metrics.mean_absolute_error(y, p)", "sklearn/mae", 40, off, 5)
            continuous(folder, f"mse, {off} steps off the grid", "metrics.mean_squared_error(y, p)", "sklearn/mse", 20, off, 5)
            continuous(folder, f"mse, {off} steps off the grid, some rows", "metrics.mean_squared_error(y, p)", "sklearn/mse", 20, off, 5,
                       more=["--queries", "3"])
            continuous(folder, f"mse, {off} steps off the grid, each row", "metrics.mean_squared_error(y, p)", "sklearn/mse", 20, off, 5,
                       more=["--code", "shifts:each"])
            for d in (1, 3):
                continuous(folder, f"mse, {off} steps off a short grid, {d} decimals", "metrics.mean_squared_error(y, p)", "sklearn/mse", 12, off,
                           d, 1, 9)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
