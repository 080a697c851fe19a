"""`lossleak hardness` on 500 random formulas: every labelling where there are few, else another solver (MiniSat).

Kinds: `small` has up to 16 variables, all labellings are tried, and for the smallest all values of the emitted function
are compared; `random` is 3-CNF of up to 200 variables with 3.6 to 4.8 clauses a variable, around the threshold; `one` and
`two` are planted: by the way they are made they have just that many models. MiniSat decides on `random`, `one` and `two`
as well, and every labelling that the program shows is checked here against the clauses.
"""
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

import numpy as np

PROGRAM = os.environ["LOSSLEAK"]
SEED = int(os.environ.get("LL_TEST_SEED", "20220328"))
MULTIPLIER = float(os.environ.get("LL_TEST_MULTIPLIER", "1"))
COUNTS = {"small": 170, "random": 150, "one": 90, "two": 90}


# ---------------------------------------------------------------- formulas

def small(rng):
    n = rng.randint(1, 16)
    used = rng.randint(1, n) if rng.random() < 0.3 else n
    clauses = []
    for _ in range(int(used * rng.uniform(0, 7))):
        width = rng.choice([1, 2, 3, 3, 3, 4]) if rng.random() > 0.01 else 0
        clauses.append([rng.choice([-1, 1]) * rng.randint(1, used) for _ in range(width)])
    return n, clauses, None


def threshold(rng):
    n = rng.randint(20, 200)
    clauses = [[rng.choice([-1, 1]) * v for v in rng.sample(range(1, n + 1), 3)]
               for _ in range(int(n * rng.uniform(3.6, 4.8)))]
    return n, clauses, None


def satisfied(rng, n, models):
    """A random 3-clause that all the models satisfy; a model is a list of literals, one a variable."""
    while True:
        clause = [rng.choice([-1, 1]) * v for v in rng.sample(range(1, n + 1), 3)]
        if all(any(model[abs(v) - 1] == v for v in clause) for model in models):
            return clause


def shuffled(rng, n, clauses):
    names = rng.sample(range(1, n + 1), n)
    rng.shuffle(clauses)
    return [rng.sample(renamed, len(renamed)) for renamed in
            ([names[abs(v) - 1] * (1 if v > 0 else -1) for v in clause] for clause in clauses)]


def forced(literal, a, b):
    """Four 3-clauses that force the literal, whatever a and b are."""
    return [[literal, s * a, t * b] for s in (1, -1) for t in (1, -1)]


def planted_one(rng):
    """The first literal is forced, each other one is implied by two before it."""
    n = rng.randint(5, 200)
    model = [rng.choice([-1, 1]) * v for v in range(1, n + 1)]
    clauses = forced(model[0], 2, 3) + forced(model[1], 3, 4)
    for i in range(2, n):
        clauses.append([-model[j] for j in rng.sample(range(i), 2)] + [model[i]])
    clauses += [satisfied(rng, n, [model]) for _ in range(rng.randint(0, 3 * n))]
    return n, shuffled(rng, n, clauses), 1


def planted_two(rng):
    """Either one variable is free, or all are tied to the first one: a model and its complement."""
    n = rng.randint(5, 200)
    model = [rng.choice([-1, 1]) * v for v in range(1, n + 1)]
    if rng.random() < 0.5:
        other = model[:-1] + [-model[-1]]
        clauses = forced(model[0], 2, 3) + forced(model[1], 3, 4)
        for i in range(2, n - 1):
            clauses.append([-model[j] for j in rng.sample(range(i), 2)] + [model[i]])
    else:
        other = [-v for v in model]
        clauses = []
        for i in range(1, n):
            j = rng.randrange(i)
            clauses += [[-model[j], model[i]], [model[j], -model[i]]]
    clauses += [satisfied(rng, n, [model, other]) for _ in range(rng.randint(0, 3 * n))]
    return n, shuffled(rng, n, clauses), 2


KINDS = {"small": small, "random": threshold, "one": planted_one, "two": planted_two}


def dimacs(n, clauses):
    return f"p cnf {n} {len(clauses)}\n" + "".join(" ".join(map(str, c + [0])) + "\n" for c in clauses)


# ---------------------------------------------------------------- other ways to the answer

def count_models(n, clauses):
    sigma = np.arange(1 << n, dtype=np.uint32)
    alive = np.ones(1 << n, dtype=bool)
    for clause in clauses:
        held = np.zeros(1 << n, dtype=bool)
        for v in clause:
            held |= (sigma >> (abs(v) - 1) & 1) == (v > 0)
        alive &= held
    return int(alive.sum())


def minisat(folder, n, clauses):
    """A model as literals, or None."""
    formula, answer = os.path.join(folder, "m.cnf"), os.path.join(folder, "m.out")
    with open(formula, "w") as f:
        f.write(dimacs(n, clauses))
    done = subprocess.run(["minisat", "-verb=0", formula, answer], capture_output=True, text=True)
    if done.returncode not in (10, 20):
        raise RuntimeError(f"minisat ended with {done.returncode}: {done.stderr}")
    if done.returncode == 20:
        return None
    with open(answer) as f:
        given = {abs(int(v)): int(v) for v in f.read().split()[1:]}
    return [given.get(v, -v) for v in range(1, n + 1)]


def count_by_minisat(folder, n, clauses):
    """0, 1 or 2."""
    first = minisat(folder, n, clauses)
    if first is None:
        return 0
    return 1 if minisat(folder, n, clauses + [[-v for v in first]]) is None else 2


# ---------------------------------------------------------------- the program

def is_model(labels, clauses):
    return all(any(labels[abs(v) - 1] == (v > 0) for v in clause) for clause in clauses)


def run(folder, n, clauses, emit):
    formula = os.path.join(folder, "f.cnf")
    with open(formula, "w") as f:
        f.write(dimacs(n, clauses))
    command = [PROGRAM, "hardness", formula, "--json"] + (["--emit", emit] if emit else [])
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1) or done.stderr:
        raise RuntimeError(f"exit {done.returncode}: {done.stderr}")
    return done.returncode, json.loads(done.stdout)


def value(function, labels):
    product = sum(all(labels[abs(v) - 1] == (v > 0) for v in term) for term in function["terms"])
    for label, prime in zip(labels, function["primes"]):
        product *= prime if label else 1
    return product


def check_emitted(path, n, clauses, separable):
    """The file alone, evaluated at every labelling, says the same."""
    with open(path) as f:
        function = json.load(f)
    primes = function["primes"]
    assert function["variables"] == n == len(primes)
    assert function["terms"] == [[-v for v in clause] for clause in clauses]
    assert primes == sorted(set(primes)) and (not primes or primes[0] > len(clauses))
    assert all(p > 1 and all(p % d for d in range(2, int(p ** 0.5) + 1)) for p in primes)
    values = [value(function, labels) for labels in itertools.product((0, 1), repeat=n)]
    assert (len(set(values)) == len(values)) == separable


def check(folder, kind, n, clauses, planted):
    emit = os.path.join(folder, "f.json") if n <= 8 else None
    status, answer = run(folder, n, clauses, emit)
    models, witness = answer["models"], answer["witness"]
    assert answer["separable"] == (models < 2) == (status == 0)
    shown = witness + ([answer["model"]] if models == 1 else [])
    assert len(shown) == models and len(witness) == (2 if models == 2 else 0)
    assert all(len(labels) == n and is_model(labels, clauses) for labels in shown)
    assert models < 2 or witness[0] != witness[1]
    truth = min(2, count_models(n, clauses)) if n <= 16 else None
    if kind != "small":
        second = count_by_minisat(folder, n, clauses)
        assert truth in (None, second)
        truth = second
    assert planted in (None, truth), (planted, truth)
    assert models == truth, (models, truth)
    if emit:
        check_emitted(emit, n, clauses, models < 2)
    return models


def main():
    if not shutil.which("minisat"):
        print("r-hardness: no minisat")
        return 1
    print(f"LL_TEST_SEED={SEED}")
    folder, done, failed = tempfile.mkdtemp(), 0, 0
    for kind, count in COUNTS.items():
        seen = [0, 0, 0]
        for i in range(int(count * MULTIPLIER)):
            n, clauses, planted = KINDS[kind](random.Random(f"{SEED} {kind} {i}"))
            try:
                seen[check(folder, kind, n, clauses, planted)] += 1
                done += 1
            except (AssertionError, RuntimeError, KeyError) as reason:
                failed += 1
                print(f"FAIL {kind} {i} ({n} variables, {len(clauses)} clauses): {reason!r}")
        print(f"{kind}: {sum(seen)} right; models none {seen[0]}, one {seen[1]}, two or more {seen[2]}")
    shutil.rmtree(folder)
    print(f"{done} passed, {failed} failed")
    return 1 if failed or done < 500 * min(1, MULTIPLIER) else 0


if __name__ == "__main__":
    sys.exit(main())
