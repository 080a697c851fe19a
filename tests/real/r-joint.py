"""Several numbers of a real model: AUC, F1 and accuracy of scikit-learn, published together for 30 rows.

A logistic regression on breast_cancer with noise on its features; the numbers of roc_auc_score, f1_score and accuracy_score, rounded as a
paper has them. The count of labellings that explain all three must be the one that counting pairs of every state gives, the truth must be
among them and no label called certain may be wrong. With log_loss beside them the set only gets smaller. Then three classes. LOSSLEAK names the program.
"""
import itertools
import json
import os
import subprocess
import tempfile
from collections import Counter

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score, log_loss, roc_auc_score
from sklearn.preprocessing import StandardScaler

from training import X, Y

PROGRAM = os.environ["LOSSLEAK"]
SEED = int(os.environ.get("LL_TEST_SEED", "20220328"))
ROWS, DECIMALS, WORLDS = 30, 3, 12
rng = np.random.default_rng(SEED)
failed = 0


def check(name, good, detail=""):
    global failed
    failed += not good
    if not good:
        print(f"FAIL {name} {detail}")


def infer(folder, p, scores, *options):
    path = os.path.join(folder, "p.npy")
    np.save(path, p)
    words = [PROGRAM, "infer", "--json", "--predictions", path, "--decimals", str(DECIMALS), "--score", " ".join(scores), *options]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    return json.loads(done.stdout)


def count(p, released):
    """Labellings by (positives, hits, twice the rank sum), one dictionary; independent of the program."""
    states = Counter({(0, 0, 0): 1})
    for x in p:
        adds = 2 * int(np.sum(p < x)) + int(np.sum(p == x)) - 1
        for (ones, hits, ranks), ways in list(states.items()):
            states[ones + 1, hits + int(x > 0.5), ranks + adds] += ways
    guessed, near = int(np.sum(p > 0.5)), 0.5 * 10**-DECIMALS + 1e-11
    left = 0
    for (ones, hits, ranks), ways in states.items():
        if ones in (0, ROWS):
            continue
        numbers = ((ranks - ones * (ones - 1)) / 2 / (ones * (ROWS - ones)), 2 * hits / (ones + guessed),
                   (ROWS - ones - guessed + 2 * hits) / ROWS)
        if all(abs(number - value) <= near for number, value in zip(numbers, released)):
            left += ways
    return left


def is_sound(answer, truth):
    open_rows = {row["row"]: row["candidates"] for row in answer["open"]}
    given = np.array(answer["labellings"])
    certain = all(np.all(given[:, i] == truth[i]) for i in range(ROWS) if i not in open_rows)
    return certain and answer["certain"] == ROWS - len(open_rows)


def three_classes(folder):
    """Six rows of three classes: log_loss, accuracy and macro F1, against scikit-learn's own numbers of every labelling."""
    rows, near = 6, 0.5 * 10**-DECIMALS + 1e-9
    for world in range(4):
        p = rng.dirichlet([1, 1, 1], rows)
        guess = p.argmax(axis=1)

        def numbers(y):
            return (log_loss(y, p, labels=[0, 1, 2], eps=1e-15), accuracy_score(y, guess), f1_score(y, guess, average="macro"))

        y = [rng.choice(3, p=row) for row in p]
        texts = [f"{number:.{DECIMALS}f}" for number in numbers(y)]
        left = [z for z in itertools.product(range(3), repeat=rows)
                if all(abs(a - float(b)) <= near for a, b in zip(numbers(z), texts))]
        answer = infer(folder, p, texts, "--scorer", "sklearn-1.1/log_loss", "--also", "sklearn/accuracy", "--also", "macro-f1")
        check(f"three classes, world {world}", int(answer["count"]) == len(left) and tuple(y) in left, (answer["count"], len(left)))


def main():
    noisy = StandardScaler().fit_transform(X) + rng.normal(0, 2.5, X.shape)
    with tempfile.TemporaryDirectory() as folder:
        for world in range(WORLDS):
            rows = rng.permutation(len(Y))
            train, test = rows[:200], rows[200:200 + ROWS]
            p = np.round(LogisticRegression(max_iter=1000).fit(noisy[train], Y[train]).predict_proba(noisy[test])[:, 1], 6)
            y, guess = Y[test], p > 0.5
            numbers = [roc_auc_score(y, p), f1_score(y, guess), accuracy_score(y, guess)]
            texts = [f"{number:.{DECIMALS}f}" for number in numbers]
            also = ["--also", "sklearn/f1", "--also", "sklearn/accuracy"]
            three = infer(folder, p, texts, "--scorer", "sklearn/roc_auc", *also)
            left = count(p, [float(text) for text in texts])
            check(f"world {world}: count", int(three["count"]) == left, (three["count"], left))
            check(f"world {world}: sound", is_sound(three, y))
            four = infer(folder, p, [f"{log_loss(y, p):.{DECIMALS}f}", *texts], "--scorer", "sklearn-1.2/log_loss", "--also",
                         "sklearn/roc_auc", *also)
            check(f"world {world}: log_loss too", 0 < int(four["count"]) <= left and is_sound(four, y), four["count"])
            print(f"world {world}: {' '.join(texts)}: {left} labellings, {three['certain']} labels certain; with log_loss {four['count']}, {four['certain']}")
        three_classes(folder)
    if failed:
        raise SystemExit(f"{failed} failed")


main()
