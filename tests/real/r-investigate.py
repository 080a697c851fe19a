"""Histories of submissions: own attacks on scikit-learn's metrics are found, honest histories accuse nobody, and no label that is
called determined is wrong.

Attacks are the plans of lossleak for log-loss, accuracy, F1 and AUC: as they are, jittered, shuffled, spread over five accounts, and
mixed one to ten with honest submissions. Honest histories are models of scikit-learn that several accounts tune over time, ensembles
of them, sweeps of thresholds, and models of single features.

LL_TEST_LONG=1: 200 honest histories, 10 attacks of each kind, and 200 files of 400 rows; prints the table of docs/results/investigate.md.
Arguments name parts of it: `honest` (`honest:50:100`: numbers 50 to 99), `files`, or metrics, whose attacks are made. Every history has a
seed of its own, so that parts give what the whole gives."""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from sklearn import metrics
from sklearn.datasets import make_classification
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

warnings.filterwarnings("ignore")
program = os.environ["LOSSLEAK"]
full = os.environ.get("LL_TEST_LONG", "0") not in ("", "0")
seed = int(os.environ.get("LL_TEST_SEED", "20260318"))
rng = np.random.default_rng(seed)
passed = 0

METRICS = {
    "log-loss": ("sklearn-1.2/log_loss", metrics.log_loss, False),
    "accuracy": ("sklearn/accuracy", metrics.accuracy_score, True),
    "f1": ("sklearn/f1", metrics.f1_score, True),
    "auc": ("sklearn/roc_auc", metrics.roc_auc_score, False),
}


def begin(*place):
    """Draws of one history do not depend on those before it."""
    global rng
    rng = np.random.default_rng([seed, *place])


def check(condition, what):
    global passed
    if not condition:
        print("failed:", what)
        sys.exit(1)
    passed += 1


def run(*arguments, status=(0,)):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    check(done.returncode in status, f"{arguments}: {done.returncode} {done.stderr[:300]} {done.stdout[:300]}")
    return done.stdout


# ---- honest submissions ----

class Task:
    """A classification task; models are trained on one part and submit predictions of the other."""

    def __init__(self, rows):
        features = int(rng.integers(6, 20))
        x, y = make_classification(rows + 400, features, n_informative=max(2, features // 2), n_redundant=0, flip_y=rng.uniform(0, 0.2),
                                   weights=[rng.uniform(0.35, 0.65)], class_sep=rng.uniform(0.4, 1.2), random_state=int(rng.integers(1 << 30)))
        self.x, self.y, self.hidden, self.labels = x[rows:], y[rows:], x[:rows], y[:rows]

    def predict(self, model, columns=slice(None)):
        return model.fit(self.x[:, columns], self.y).predict_proba(self.hidden[:, columns])[:, 1]


def tuned(task, count):
    """One kind of model, its parameter tuned step by step."""
    kinds = [lambda i: LogisticRegression(C=10 ** (-3 + 0.25 * i)), lambda i: RandomForestClassifier(5 + 3 * i, random_state=0),
             lambda i: KNeighborsClassifier(1 + 2 * i), lambda i: DecisionTreeClassifier(max_depth=1 + i, random_state=0),
             lambda i: GradientBoostingClassifier(n_estimators=2 + 3 * i, max_depth=2, random_state=0), lambda i: GaussianNB(var_smoothing=10 ** (-9 + 0.5 * i))]
    kind = kinds[rng.integers(len(kinds))]
    return [task.predict(kind(i)) for i in range(count)]


def ensembles(task, count):
    base = [task.predict(m) for m in (LogisticRegression(), GaussianNB(), DecisionTreeClassifier(max_depth=4), KNeighborsClassifier(9))]
    return [np.average(base, axis=0, weights=rng.dirichlet(np.ones(len(base)))) for _ in range(count)]


def thresholds(task, count):
    """One model with a threshold that moves: probabilities are shifted, so that classes change row by row."""
    p, step = task.predict(LogisticRegression()), rng.choice([0.002, 0.01, 0.03])
    return [np.clip(p + 0.5 - (0.5 + step * (i - count // 2)), 0.001, 0.999) for i in range(count)]


def single_features(task, count):
    model = [lambda: LogisticRegression(), lambda: DecisionTreeClassifier(max_depth=3), lambda: DecisionTreeClassifier()][rng.integers(3)]
    return [task.predict(model(), [i % task.x.shape[1]]) for i in range(count)]


def honest(task, count, classes):
    made = [tuned, ensembles, thresholds, single_features][rng.integers(4)](task, count)
    made = [np.clip(p, 1e-6, 1 - 1e-6) for p in made]
    return [(p > 0.5).astype(float) for p in made] if classes else made


# ---- attacks ----

def crafted(folder, scorer, rows):
    run("craft", "--scorer", scorer, "--decimals", 5, "--rows", rows, "--out", folder)
    files = sorted(folder.glob("query-*.csv"))
    return [np.loadtxt(f, delimiter=",", skiprows=1)[:, 1:].squeeze() for f in files]


def jittered(predictions, metric):
    """Numbers moved by so little that the attack's decoder still reads them; of classes there is nothing to move."""
    if metric == "log-loss":
        moved = []
        for p in predictions:
            p = np.column_stack([1 - p, p]) if p.ndim == 1 else p
            odds = np.log(p[:, 1]) - np.log(p[:, 0]) + 1e-7 * rng.standard_normal(len(p))
            low = 1 / (1 + np.exp(np.abs(odds)))
            moved.append(np.where((odds > 0)[:, None], np.column_stack([low, 1 - low]), np.column_stack([1 - low, low])))
        return moved
    if metric == "auc":
        return [p / 2 + 0.25 + 1e-9 * np.unique(p, return_inverse=True)[1] for p in predictions]
    return predictions


# ---- histories ----

def write(folder, entries, labels, metric):
    """entries: (account, predictions), in order."""
    folder.mkdir(exist_ok=True)
    score = METRICS[metric][1]
    with open(folder / "scores.csv", "w") as out:
        out.write("file,account,time,score\n")
        for place, (account, p) in enumerate(entries):
            name = f"s{place:04d}.csv"
            table = p if p.ndim == 2 else p[:, None]
            names = "row,p" if p.ndim == 1 else "row,p0,p1"
            np.savetxt(folder / name, np.column_stack([np.arange(len(p)), table]), delimiter=",", header=names, comments="",
                       fmt=["%d"] + ["%.17g"] * table.shape[1])
            out.write(f"{name},{account},{place},{score(labels, p):.5f}\n")


def investigate(folder, labels, metric):
    found = json.loads(run("investigate", folder, "--scorer", METRICS[metric][0], "--decimals", 5, "--json", status=(0, 1)))
    wrong = [item for item in found["determined"] if labels[item["row"]] != item["label"]]
    check(not wrong, f"{metric}: labels called determined that are wrong: {wrong[:3]}")
    check(found["contradicted"] is None, f"{metric}: true scores are called a contradiction")
    return found


def suspects(found):
    return {a["account"] for a in found["accounts"] if a["suspicion"]}


def honest_history(scratch, metric, rows):
    task, classes, entries = Task(rows), METRICS[metric][2], []
    for account in range(int(rng.integers(2, 7))):
        entries += [(f"team{account}", p) for p in honest(task, int(rng.integers(4, 25)), classes)]
    rng.shuffle(order := np.arange(len(entries)))
    write(scratch, [entries[i] for i in order], task.labels, metric)
    return investigate(scratch, task.labels, metric)


def attack_history(scratch, metric, rows, way):
    """True where the attackers, and nobody else, are suspicious."""
    task, (scorer, _, classes) = Task(rows), METRICS[metric]
    attack = crafted(scratch / "plan", scorer, rows)
    accounts = 5 if way == "five accounts" else 1
    if way == "jittered":
        attack = jittered(attack, metric)
    if way != "as planned":
        rng.shuffle(order := np.arange(len(attack)))
        attack = [attack[i] for i in order]
    entries = [(f"attacker{i % accounts}", p) for i, p in enumerate(attack)]
    others = 10 * len(attack) if way == "one to ten" else 3 * 8
    made = []
    while len(made) < others:
        account = f"team{len(made) // 40}"
        made += [(account, p) for p in honest(task, 10, classes)]
    entries = entries + made
    rng.shuffle(order := np.arange(len(entries)))
    width = max(p.ndim for _, p in entries)
    entries = [(a, np.column_stack([1 - p, p]) if p.ndim < width else p) for a, p in (entries[i] for i in order)]
    write(scratch / "history", entries, task.labels, metric)
    found = investigate(scratch / "history", task.labels, metric)
    attackers = {f"attacker{i}" for i in range(accounts)}
    return suspects(found) >= attackers, suspects(found) - attackers, len(found["determined"])


def many_files(scratch):
    """200 files, 400 rows, 20 teams, two attackers: who read which labels when."""
    task, entries = Task(400), []
    attack = crafted(scratch / "plan", "sklearn/accuracy", 400)[:120]
    entries += [("attacker0", p) for p in attack]
    base = np.zeros(400)
    for row in range(26):
        flipped = base.copy()
        flipped[row] = 1
        entries.append(("attacker1", flipped))
    for team in range(18):
        entries += [(f"team{team}", p) for p in honest(task, 3, True)]
    rng.shuffle(order := np.arange(len(entries)))
    write(scratch / "history", [entries[i] for i in order], task.labels, "accuracy")
    start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    found = investigate(scratch / "history", task.labels, "accuracy")
    alone = {a["account"]: a["determined"] for a in found["accounts"]}
    print(f"{len(entries)} files, 400 rows, 20 teams: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start:.1f} s of CPU; attacker0 {alone['attacker0']} labels alone, "
          f"attacker1 {alone['attacker1']}; suspicious: {sorted(suspects(found))}")
    check(suspects(found) == {"attacker0", "attacker1"}, "the two attackers")
    check(alone["attacker0"] == 400 and alone["attacker1"] >= 25, "what they read alone")


WAYS = ["as planned", "jittered", "shuffled", "five accounts", "one to ten"]


def honest_part(first, last):
    accused = {metric: 0 for metric in METRICS}
    for i in range(first, last):
        begin(0, i)
        with tempfile.TemporaryDirectory() as scratch:
            metric = list(METRICS)[i % 4]
            found = honest_history(pathlib.Path(scratch), metric, int(rng.integers(60, 400)) if full else 100)
            if suspects(found):
                accused[metric] += 1
                print("accused:", i, metric, found["rows"], found["submissions"], [a["why"] for a in found["accounts"] if a["suspicion"]])
    print(f"honest histories accused: {sum(accused.values())} of {last - first}", accused, flush=True)
    check(sum(accused.values()) == 0, "nobody honest is accused")


def attack_part(metric, attacks):
    for number, way in enumerate(WAYS if full else ["five accounts"]):
        hits, bystanders, labels = 0, 0, []
        for i in range(attacks):
            begin(1, list(METRICS).index(metric), number, i)
            with tempfile.TemporaryDirectory() as scratch:
                size = int(rng.integers(80, 200)) if full else 80
                found, others, count = attack_history(pathlib.Path(scratch), metric, size, way)
                hits, bystanders = hits + found, bystanders + bool(others)
                labels.append(count / size)
        print(f"| {metric} | {way} | {hits} of {attacks} | {bystanders} | {100 * np.mean(labels):.0f}% |", flush=True)
        check(20 * hits >= 19 * attacks or full, f"{metric}, {way}: found")
        check(full or bystanders == 0, f"{metric}, {way}: a bystander is accused")


def files_part():
    begin(2)
    with tempfile.TemporaryDirectory() as scratch:
        many_files(pathlib.Path(scratch))


def main():
    print("seed", seed)
    parts = sys.argv[1:] or (["honest", *METRICS, "files"] if full else ["honest", "accuracy", "auc"])
    for part in parts:
        if part.startswith("honest"):
            honest_part(*map(int, part.split(":")[1:] or [0, 200 if full else 2]))
        elif part == "files":
            files_part()
        else:
            attack_part(part, 10 if full else 1)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    print(f"{passed} passed; {used:.0f} s of CPU in the program")


main()
