"""Labels from honest scores of real programs: nobody designed these predictions.

A logistic regression of scikit-learn on breast_cancer: its log_loss in double precision on random batches of 40 rows, one score
each, must give the set of labellings that fit, the truth among them. A small network of PyTorch in training: its validation losses
after every epoch, as a training log has them, must give all validation labels, certified or likely, never wrong. Fifteen files of a plan: what each of them gives. LOSSLEAK names the
program. LL_TEST_LONG=1 adds N = 200 and 300 from 40 scores and more batches. How few scores are enough: docs/results/infer.md.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import training
from training import X, Y

PROGRAM = os.environ["LOSSLEAK"]
SEED = int(os.environ.get("LL_TEST_SEED", "20220328"))
LONG = os.environ.get("LL_TEST_LONG") == "1"

passed = failed = 0


def check(name, good, detail=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"FAIL {name} {detail}")


def infer(folder, predictions, scores, *options):
    """The program's answer: predictions as .npy files, scores as text with every digit."""
    arguments = [PROGRAM, "infer", "--json", *options]
    for i, p in enumerate(predictions):
        path = os.path.join(folder, f"epoch-{i}.npy")
        np.save(path, p)
        arguments += ["--predictions", path]
    path = os.path.join(folder, "scores")
    with open(path, "w") as file:
        file.writelines(f"{float(s)!r}\n" for s in scores)
    start = time.time()
    done = subprocess.run(arguments + ["--scores", path], capture_output=True, text=True, timeout=900)
    answer = json.loads(done.stdout) if done.stdout else {}
    answer.update(exit=done.returncode, stderr=done.stderr, wall=time.time() - start)
    return answer


def is_sound(answer, truth):
    """No labelling listed as certain or likely is wrong; the truth is among the candidates of every row."""
    open_rows = {row["row"]: row["candidates"] for row in answer["open"]}
    if answer["count"] == 0 or answer["certificate"]["verdict"] == "none":
        return False
    if any(truth[row] not in candidates for row, candidates in open_rows.items()):
        return False
    rows = [i for i in range(len(truth)) if i not in open_rows]
    listed = [[labelling[i] for i in rows] for labelling in answer["labellings"]]
    return len(open_rows) == answer["open_count"] and all(one == [truth[i] for i in rows] for one in listed)


# ---- one score of a logistic regression

def batches(folder, rows, count, *options):
    rng = np.random.default_rng([SEED, rows])
    order = rng.permutation(len(Y))
    train, test = order[:285], order[285:]
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)).fit(X[train], Y[train])
    p = model.predict_proba(X[test])[:, 1]
    unique, slowest = 0, 0
    for batch in range(count):
        i = rng.choice(len(test), rows, replace=False)
        truth = [int(y) for y in Y[test][i]]
        answer = infer(folder, [p[i]], [log_loss(truth, p[i], labels=[0, 1])], "--scorer", "sklearn-1.2/log_loss", *options)
        good = answer["exit"] in (0, 4) and is_sound(answer, truth) and answer["guarantee"] == "certified"
        good = good and (answer["count"] > len(answer["labellings"]) or truth in answer["labellings"])
        check(f"batch {batch} of {rows} rows", good, answer["stderr"])
        unique += answer.get("count") == 1
        slowest = max(slowest, answer["wall"])
    print(f"breast_cancer, logistic regression, one score: {rows} rows, {unique} of {count} batches unique, "
          f"slowest {slowest:.2f} s")


# ---- a validation curve

def validation(folder, rows, epochs, dtype):
    predictions, scores, truth = training.log(rows, epochs, dtype, SEED)
    answer = infer(folder, predictions, scores, "--scorer", training.profile(dtype))
    name = f"{epochs} {'float32' if dtype == torch.float32 else 'double'} scores of {rows} rows"
    check(f"{name}: right", answer["exit"] == 0 and is_sound(answer, truth) and answer["recovered"] == rows,
          answer["stderr"])
    check(f"{name}: no guess is certain", answer["guarantee"] == "certified" or answer["certain"] == 0)
    print(f"{name}: {answer['recovered']} labels, {answer['guarantee']}, spurious 2^{answer['spurious_log2']:.0f}, "
          f"{answer['wall']:.2f} s")


# ---- coded files, some of those of a plan

def coded_files(folder):
    """Every file sees 13 to 15 of 400 rows: all of them together give what each gives alone."""
    plan = os.path.join(folder, "plan")
    options = ["--scorer", "sklearn/log_loss", "--decimals", "5"]
    subprocess.run([PROGRAM, "craft", *options, "--rows", "400", "--code", "sum-distinct", "--out", plan], check=True,
                   capture_output=True)
    truth = np.random.default_rng(SEED).integers(0, 2, 400)
    files = sorted(name for name in os.listdir(plan) if name.startswith("query-"))[:15]
    predictions = [np.loadtxt(os.path.join(plan, name), delimiter=",", skiprows=1)[:, 1:] for name in files]
    scores = [round(log_loss(truth, p, labels=[0, 1]), 5) for p in predictions]
    certain = [0]
    labels = os.path.join(folder, "labels.csv")
    for count in (1, 2, 15):
        answer = infer(folder, predictions[:count], scores[:count], *options, "--out", labels)
        with open(labels) as file:
            read = [line.strip().split(",")[1] for line in file.readlines()[1:]]
        given = [int(label) == truth[i] for i, label in enumerate(read) if label]
        sound = answer["exit"] == 4 and answer["guarantee"] == "certified" and all(given) and len(given) == answer["certain"]
        check(f"{count} coded files", sound and answer["certain"] >= 13 * count, answer["stderr"])
        certain.append(answer.get("certain", 0))
    check("more files, more labels", certain == sorted(certain), str(certain))
    print(f"400 rows, 1, 2 and 15 coded files: {certain[1:]} labels certain")


def wrong_scorer(folder):
    """Scores of another loss explain nothing; one score wrong in its last digits neither."""
    predictions, scores, truth = training.log(60 if LONG else 24, 6, torch.float64, SEED)
    answer = infer(folder, predictions, scores, "--scorer", "sklearn/brier")
    check("another loss", answer["exit"] == 4 and answer["certificate"]["verdict"] == "none", answer["stderr"])
    predictions, scores, truth = training.log(60, 6, torch.float64, SEED)
    scores[3] *= 1 + 1e-11
    answer = infer(folder, predictions, scores, "--scorer", "sklearn-1.2/log_loss")
    check("one score off by 1e-11", answer["exit"] == 4 and answer["certificate"]["verdict"] == "none", answer["stderr"])
    scores[3] = round(scores[3], 6)
    answer = infer(folder, predictions, [round(s, 6) for s in scores], "--scorer", "sklearn-1.2/log_loss", "--decimals", "6")
    check("rounded and said so", answer["exit"] in (0, 4) and is_sound(answer, truth), answer["stderr"])


def main():
    print(f"seed {SEED}")
    with tempfile.TemporaryDirectory() as folder:
        batches(folder, 40, 100 if LONG else 10)
        batches(folder, 40, 2 if LONG else 1, "--max-memory", "12M")  # two lists need 38 MB: four, and heaps
        validation(folder, 120, 20, torch.float64)
        validation(folder, 120, 30, torch.float32)
        coded_files(folder)
        wrong_scorer(folder)
        if LONG:
            batches(folder, 48, 10)
            validation(folder, 200, 40, torch.float64)
            validation(folder, 300, 40, torch.float64)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
