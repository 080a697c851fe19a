"""Attacks on real scorers through a pipe, and attacks that are killed.

Every example oracle is attacked in the modes it knows: every label must be certain and right. Then a slow oracle that logs
what it sees: it kills the attack (kill -9) before it answers query 1, then 2, and so on, and the attack is started again
each time. It must see every query exactly once, and the result must be that of an attack nobody killed. Last, kills at
random times: a query whose score was in the journal is never seen again, and at most one query a kill (the one under way) is
seen twice. LOSSLEAK names the program, LL_LIBRARY the library.
"""
import json
import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(os.environ["LOSSLEAK"])
LIBRARY = os.path.abspath(os.environ["LL_LIBRARY"])
ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SEED = int(os.environ.get("LL_TEST_SEED", "31337"))
PYTHON = "exec /usr/bin/python3"
generator = random.Random(SEED)
passed = failed = 0


def check(name, good, detail=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"FAIL {name} {detail}")


def make_labels(folder, rows, classes=2):
    labels = [generator.randrange(classes) for _ in range(rows)]
    path = os.path.join(folder, f"labels-{rows}-{classes}")
    with open(path, "w") as file:
        file.writelines(f"{label}\n" for label in labels)
    return path, labels


def read_out(path):
    with open(path) as file:
        return [int(line.split(",")[1]) for line in file.read().split("\n")[1:-1]]


def attack(folder, oracle, rows, *options):
    return [PROGRAM, "attack", "--json", "--oracle", oracle, "--rows", str(rows), "--out", os.path.join(folder, "out.csv"),
            *options]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


# ---- the examples

def build_example(folder):
    program = os.path.join(folder, "oracle")
    where = os.path.dirname(LIBRARY)
    subprocess.run(["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-I" + os.path.join(ROOT, "include"),
                    os.path.join(ROOT, "examples", "oracle.c"), LIBRARY, "-Wl,-rpath," + where, "-o", program], check=True)
    return program


def test_example(folder, name, command, rows, classes, *options):
    path, labels = make_labels(folder, rows, classes)
    status, answer, message = run(attack(folder, f"{command} {shlex.quote(path)}", rows, "--classes", str(classes), *options))
    check(name, status == 0 and message == "", f"exit {status} {message}")
    check(f"{name}: all certain", answer and answer["certain"] == rows == answer["recovered"], answer)
    check(f"{name}: all right", answer and read_out(os.path.join(folder, "out.csv")) == labels)
    if answer:
        print(f"{name}: {rows} x {classes}, {answer['queries']} queries, {answer['seconds']['total']:.1f} s")


def test_examples(folder):
    def python(name):
        return f"{PYTHON} {shlex.quote(os.path.join(ROOT, 'examples', name))}"

    stream = ["--oracle-mode", "stream"]
    sklearn = ["--scorer", "sklearn-1.2/log_loss"]
    test_example(folder, "scikit-learn, stream", python("oracle_sklearn.py"), 300, 2, *sklearn, *stream)
    test_example(folder, "scikit-learn, stream, .npy", python("oracle_sklearn.py"), 300, 2, *sklearn, *stream, "--npy")
    test_example(folder, "scikit-learn, each", python("oracle_sklearn.py"), 70, 2, *sklearn)
    test_example(folder, "scikit-learn, stream, 3 classes", python("oracle_sklearn.py"), 90, 3, *sklearn, *stream)
    test_example(folder, "PyTorch, stream", python("oracle_torch.py"), 300, 2, "--scorer", "torch/bce", *stream)
    test_example(folder, "XGBoost, stream", python("oracle_xgboost.py"), 300, 2, "--scorer", "xgboost/logloss", *stream)
    test_example(folder, "C, each", shlex.quote(build_example(folder)), 300, 2, "--arithmetic", "exact",
                 "--noise", "bounded:1", "--block", "70")


# ---- kill -9

# Its files: labels, log (a line a query that it answers), kill (the query before which it kills the attack).
SLOW = """
import os, signal, sys, time
import numpy as np
folder = sys.argv[1]
labels = np.loadtxt(os.path.join(folder, "labels"), dtype=int)
kill = open(os.path.join(folder, "kill")).read()
def log_loss(labels, p):  # as scikit-learn 1.2 computes it, without the second that it takes to begin
    p = np.clip(p, np.finfo(float).eps, 1 - np.finfo(float).eps)
    p = np.stack([1 - p, p], axis=1)
    p /= p.sum(axis=1)[:, np.newaxis]
    return np.average(-(np.eye(2)[labels] * np.log(p)).sum(axis=1))
for path in sys.stdin:
    path = path.rstrip("\\n")
    number = str(int(path[-8:-4]))
    if number == kill:
        os.kill(os.getppid(), signal.SIGKILL)
        sys.exit()
    with open(os.path.join(folder, "log"), "a") as log:
        log.write(number + "\\n")
    score = repr(float(log_loss(labels, np.loadtxt(path, delimiter=",", skiprows=1)[:, 1])))
    time.sleep(float(sys.argv[2]))
    try:
        print(score, flush=True)
    except BrokenPipeError:
        os._exit(0)
"""


def set_up(folder, rows):
    path, labels = make_labels(folder, rows)
    os.rename(path, os.path.join(folder, "labels"))
    with open(os.path.join(folder, "slow.py"), "w") as file:
        file.write(SLOW)
    return labels


def slow_attack(folder, rows, delay, journal="journal"):
    oracle = f"{PYTHON} {shlex.quote(os.path.join(folder, 'slow.py'))} {shlex.quote(folder)} {delay}"
    return attack(folder, oracle, rows, "--scorer", "sklearn-1.2/log_loss", "--oracle-mode", "stream", "--block", "10",
                  "--journal", os.path.join(folder, journal))


def set_kill(folder, query):
    with open(os.path.join(folder, "kill"), "w") as file:
        file.write(str(query))


def read_log(folder):
    path = os.path.join(folder, "log")
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [int(line) for line in file]


def read_journal(folder):
    path = os.path.join(folder, "journal")
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [json.loads(line)["query"] for line in file.read().split("\n")[:-1]]


def without_time(answer):
    return {key: value for key, value in answer.items() if key != "seconds"} if answer else None


def undisturbed(folder, rows, labels):
    """What an attack that nobody kills gives; how many queries it takes."""
    set_kill(folder, "")
    status, answer, message = run(slow_attack(folder, rows, 0, "undisturbed"))
    check("slow oracle, undisturbed", status == 0 and read_out(os.path.join(folder, "out.csv")) == labels, message)
    os.remove(os.path.join(folder, "log"))
    return answer


def finish(name, folder, rows, labels, wanted):
    set_kill(folder, "")
    os.remove(os.path.join(folder, "out.csv"))
    status, answer, message = run(slow_attack(folder, rows, 0))
    check(f"{name}: ends", status == 0, message)
    check(f"{name}: the same result", without_time(answer) == without_time(wanted), answer)
    check(f"{name}: the same labels", read_out(os.path.join(folder, "out.csv")) == labels)


def test_killed_before_every_query(folder):
    rows = 60
    labels = set_up(folder, rows)
    wanted = undisturbed(folder, rows, labels)
    for query in range(1, wanted["queries"] + 1):
        set_kill(folder, query)
        status, _, _ = run(slow_attack(folder, rows, 0))
        check(f"killed before query {query}", status == -signal.SIGKILL, status)
        check(f"killed before query {query}: the journal", read_journal(folder) == list(range(1, query)), read_journal(folder))
    finish("killed before every query", folder, rows, labels, wanted)
    check("killed before every query: each seen once", read_log(folder) == list(range(1, wanted["queries"] + 1)),
          read_log(folder))
    with open(os.path.join(folder, "journal")) as one, open(os.path.join(folder, "undisturbed")) as other:
        check("killed before every query: the same journal", one.read() == other.read())


def test_killed_at_random(folder):
    rows, kills = 60, 4
    labels = set_up(folder, rows)
    wanted = undisturbed(folder, rows, labels)
    for kill in range(kills):
        before = len(read_journal(folder))
        process = subprocess.Popen(slow_attack(folder, rows, 0.1), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while len(read_journal(folder)) == before and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(generator.random() * 0.12)
        process.kill()
        process.wait()
        time.sleep(0.3)  # its oracle ends at the end of its input, when the query under way is done
        safe, seen = read_journal(folder), read_log(folder)
        check(f"kill {kill}: at most one query is lost", len(set(seen)) <= len(safe) + 1, (safe, seen))
        check(f"kill {kill}: what is in the journal was seen once since",
              all(seen.count(query) == 1 for query in safe[before + 1:]), (safe, seen))
    finish("killed at random", folder, rows, labels, wanted)
    seen = read_log(folder)
    check("killed at random: no more than one query a kill twice", len(seen) <= wanted["queries"] + kills, seen)
    check("killed at random: in order", seen == sorted(seen) and set(seen) == set(range(1, wanted["queries"] + 1)), seen)


def main():
    with tempfile.TemporaryDirectory() as work:
        os.environ["TMPDIR"] = os.path.join(work, "tmp")
        os.mkdir(os.environ["TMPDIR"])
        test_examples(work)
        check("no files left by the oracles", os.listdir(os.environ["TMPDIR"]) == [], os.listdir(os.environ["TMPDIR"]))
        for test in test_killed_before_every_query, test_killed_at_random:
            folder = os.path.join(work, test.__name__)
            os.mkdir(folder)
            test(folder)
    print(f"{passed} passed, {failed} failed (seed {SEED})")
    return failed or not passed


sys.exit(1 if main() else 0)
