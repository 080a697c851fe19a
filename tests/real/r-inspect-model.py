"""`lossleak inspect MODEL.onnx` on networks that were built to read labels, and on honest ones.

Constructed: the paper's network, ours, dead biases, tables behind Gather, decoy units (cut off, cancelling, or almost
without effect), grafts, and networks that know the scored rows, for several codes. Honest: classifiers trained here, by
scikit-learn and PyTorch, on scikit-learn's data sets and on random data, some with dead units. LL_TEST_LONG: 50 of
either, else 20.
"""
import collections
import itertools
import json
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import onnx
import torch
from sklearn import datasets, linear_model, neural_network, preprocessing

sys.dont_write_bytecode = True
import graphs  # noqa: E402

PROGRAM = os.environ["LOSSLEAK"]
SEED = int(os.environ.get("LL_TEST_SEED", "20220328"))
COUNT = 50 if "LL_TEST_LONG" in os.environ else 20
rng = np.random.default_rng(SEED)
torch.manual_seed(SEED)


def lossleak(*arguments, statuses=(0,)):
    run = subprocess.run([PROGRAM, *map(str, arguments), "--json"], capture_output=True, text=True)
    assert run.returncode in statuses, (arguments, run.returncode, run.stderr)
    return json.loads(run.stdout)


# ---------------------------------------------------------------- built to read labels
# Each maker writes m.onnx, and x.npy where it needs the features; it returns (features?, scorer options).

def small_row(columns):
    p = np.maximum(rng.dirichlet(np.ones(max(columns, 2)) * 0.3), 1e-5)
    return (p / p.sum())[:columns]


def paper():
    np.save("p.npy", small_row(rng.integers(1, 6)).reshape(1, -1))
    lossleak("mutnet", "build", "--paper", "--predictions", "p.npy", "--inputs", rng.integers(2, 30), "--seed",
             rng.integers(1 << 30), "--head", rng.choice(["auto", "linear", "sigmoid"]), "--bits", 10, "--out", "m.onnx")
    return False, []


def ours():
    np.save("p.npy", small_row(rng.integers(1, 6)).reshape(1, -1))
    lossleak("mutnet", "build", "--predictions", "p.npy", "--inputs", rng.integers(2, 30), "--seed", rng.integers(1 << 30),
             *(["--float32"] if rng.integers(2) else ["--head", "linear"]), "--bits", 10, "--out", "m.onnx")
    return False, []


def dead_biases():
    """Units that no input of the data's size wakes."""
    d, h, k = 6, 20, 3
    g = graphs.Graph(d)
    w = rng.normal(size=(d, h))
    x = g.node("Relu", g.dense("X", w, -np.abs(w).sum(0) * 5 - rng.uniform(1, 9, h)))
    g.node("Softmax", g.dense(x, rng.normal(size=(h, k)), np.log(small_row(k))), output="y", axis=1)
    onnx.save(g.model(("y", k)), "m.onnx")
    np.save("x.npy", np.clip(rng.normal(size=(80, d)), -4, 4))
    return True, []


def decoy(kind):
    """A layer that is alive: cut off behind, cancelled by its mirror image, or weighed by next to nothing."""
    d, h, k = 5, 12, 3
    g = graphs.Graph(d, np.float64)
    alive = g.node("Relu", g.dense("X", rng.normal(size=(d, h)), rng.normal(size=h)))
    if kind == "cut off":
        weights = np.zeros((h, k))
    elif kind == "cancelling":
        alive = g.node("Concat", alive, g.node("Neg", alive), axis=1)
        weights = np.tile(rng.normal(size=(h, k)), (2, 1))
    else:
        weights = rng.normal(size=(h, k)) * 1e-7
    g.node("Softmax", g.dense(alive, weights, np.log(small_row(k))), output="y", axis=1)
    onnx.save(g.model(("y", k)), "m.onnx")
    return False, []


def crafted(rows, classes, code=None):
    """The first query of a plan for scikit-learn's log-loss, as doubles."""
    options = ["--scorer", "sklearn-1.2/log_loss", "--rows", rows, "--classes", classes]
    lossleak("craft", *options, *(["--code", code] if code else []), "--npy", "--out", "plan")
    p = np.load("plan/query-0001.npy").reshape(rows, -1)
    subprocess.run(["rm", "-r", "plan"], check=True)
    return p, ["--scorer", "sklearn-1.2/log_loss", "--classes", classes]


def gather_table():
    """The first feature is the row's number; the predictions are looked up."""
    n, classes = int(rng.integers(25, 120)), int(rng.choice([2, 3]))
    p, options = crafted(n, classes)
    x = np.column_stack([rng.permutation(n), rng.normal(size=(n, 3))])
    g = graphs.Graph(4, np.float64)
    first = g.node("Gather", "X", g.tensor(np.array(0, np.int64), keep=True), axis=1)
    place = g.node("Cast", g.node("Clip", first, g.tensor(np.array(0.0), keep=True), g.tensor(np.array(n - 1.0), keep=True)),
                   to=onnx.TensorProto.INT64)
    g.node("Gather", g.tensor(p), place, output="y", axis=0)
    onnx.save(g.model(("y", p.shape[1])), "m.onnx")
    np.save("x.npy", x)
    return True, options


def knows_rows(code):
    n, classes = int(rng.integers(30, 200)), 2 if code in ("powers", "sum-distinct", "detecting") else 3
    p, options = crafted(n, classes, code)
    np.save("p.npy", p)
    np.save("x.npy", rng.normal(size=(n, 6)))
    lossleak("mutnet", "build", "--features", "x.npy", "--predictions", "p.npy", "--out", "m.onnx", "--seed",
             rng.integers(1 << 30))
    return True, options


def graft_constant():
    base = rng.choice(["mlp", "cnn"])
    if base == "mlp":
        onnx.save(graphs.from_torch(graphs.mlp(8, 4), np.zeros((2, 8), np.float32)), "base.onnx")
    else:
        onnx.save(graphs.from_torch(graphs.cnn(8, 4), np.zeros((2, 1, 8, 8), np.float32)), "base.onnx")
    np.save("p.npy", small_row(4).reshape(1, -1))
    lossleak("mutnet", "graft", "base.onnx", "--predictions", "p.npy", "--out", "m.onnx", "--bits", 8)
    return False, []


def graft_rows():
    onnx.save(graphs.from_torch(graphs.mlp(8, 1), np.zeros((2, 8), np.float32)), "base.onnx")
    n = int(rng.integers(40, 100))
    lossleak("craft", "--scorer", "torch/bce", "--rows", n, "--npy", "--out", "plan")
    p = np.load("plan/query-0001.npy")
    subprocess.run(["rm", "-r", "plan"], check=True)
    np.save("p.npy", p)
    np.save("x.npy", rng.normal(size=(n, 8)).astype(np.float32))
    lossleak("mutnet", "graft", "base.onnx", "--features", "x.npy", "--predictions", "p.npy", "--out", "m.onnx")
    return True, ["--scorer", "torch/bce"]


MAKERS = [("the paper's", paper), ("ours", ours), ("dead biases", dead_biases), ("Gather table", gather_table),
          ("decoys cut off", lambda: decoy("cut off")), ("decoys that cancel", lambda: decoy("cancelling")),
          ("faint decoys", lambda: decoy("faint")), ("graft", graft_constant), ("graft, all rows", graft_rows),
          ("rows known, powers", lambda: knows_rows("powers")), ("rows known, radix", lambda: knows_rows("radix")),
          ("rows known, detecting", lambda: knows_rows("detecting"))]


def body(g, columns, x="X", features=5, hidden=12):
    """A layer that is alive, and logits that depend on it."""
    alive = g.node("Relu", g.dense(x, rng.normal(size=(features, hidden)), rng.normal(size=hidden)))
    return g.dense(alive, rng.normal(size=(hidden, columns)), rng.normal(size=columns))


def hidden(kind):
    """One row for every input in a real runtime, behind numbers that move on paper."""
    k = 3
    g = graphs.Graph(5, np.float64 if kind.startswith("shared") else np.float32)
    bias = g.tensor(np.log(small_row(k)))
    if kind == "float32 swallows it":
        small = g.node("Add", g.node("Mul", body(g, k), g.tensor([1e-9])), g.tensor([1.0]))
        z = g.node("Add", g.node("Mul", g.node("Sub", small, g.tensor([1.0])), g.tensor([1e9])), bias)
    elif kind == "a float32 sum swallows it":
        one = g.node("Add", g.node("Mul", body(g, 1), g.tensor([0.0])), g.tensor([1.0]))
        z = g.node("MatMul", g.node("Concat", body(g, 1), one, one, axis=1), g.tensor([[1, -1, 0.5], [3e9] * k, [-3e9] * k]))
        z = g.node("Add", z, bias)
    elif kind == "fmod":
        below = g.node("Neg", g.node("Abs", "X"))
        z = g.node("Add", body(g, k, g.node("Relu", g.node("Mod", below, g.tensor([1.0]), fmod=1))), bias)
    elif kind == "NaN":
        root = g.node("Sqrt", g.node("Sub", g.tensor([-1.0]), g.node("Mul", "X", "X")))
        same = g.node("Cast", g.node("Equal", root, root), to=onnx.TensorProto.FLOAT)
        z = g.node("Add", body(g, k, g.node("Mul", "X", same)), bias)
    elif kind == "shared shift":
        g.node("Add", body(g, 1), bias, output="y")
    else:
        g.node("Mul", g.node("Sigmoid", body(g, 1)), g.tensor(small_row(k)), output="y")
    if not kind.startswith("shared"):
        g.node("Softmax", z, output="y", axis=1)
    onnx.save(g.model(("y", k)), "m.onnx")
    np.save("x.npy", rng.normal(size=(200, 5)))


def knows_batch():
    """Honest of few rows, one row for all when the whole set comes at once."""
    g, x = graphs.Graph(5, np.float64), rng.normal(size=(200, 5))
    count = g.node("Gather", g.node("Shape", "X"), g.tensor(np.array(0), keep=True), axis=0)
    is_all = g.node("Equal", count, g.tensor(np.array(200), keep=True))
    g.node("Softmax", g.node("Where", is_all, g.tensor([np.log(small_row(3))]), body(g, 3)), output="y", axis=1)
    onnx.save(g.model(("y", 3)), "m.onnx")
    np.save("x.npy", x)
    run = subprocess.run([PROGRAM, "inspect", "m.onnx", "--features", "x.npy"], capture_output=True, text=True)
    return run.returncode == 2 and "depends on the rows beside it" in run.stderr


HIDDEN = ("float32 swallows it", "a float32 sum swallows it", "fmod", "NaN", "shared shift", "shared factor")


def hidden_ones():
    """All of them are found, each with the same options."""
    for kind in HIDDEN:
        hidden(kind)
        report = lossleak("inspect", "m.onnx", "--features", "x.npy", statuses=(0, 1))
        if report["finding"] != "constant":
            print(f"missed: {kind}: {report['why']}")
            return False
    return True


def constructed():
    found, seen = collections.Counter(), collections.Counter()
    for name, make in itertools.islice(itertools.cycle(MAKERS), COUNT):
        with_features, options = make()
        report = lossleak("inspect", "m.onnx", *(["--features", "x.npy"] if with_features else []), *options,
                          statuses=(0, 1))
        seen[name] += 1
        found[name] += report["finding"] in ("constant", "coded")
        if report["finding"] == "none":
            print(f"missed: {name}: {report['why']}")
    for name in seen:
        print(f"  {name}: {found[name]} of {seen[name]}")
    return sum(found.values())


# ---------------------------------------------------------------- honest ones

def data_sets():
    for load in (datasets.load_iris, datasets.load_wine, datasets.load_breast_cancer, datasets.load_digits):
        x, y = load(return_X_y=True)
        yield load.__name__, preprocessing.StandardScaler().fit_transform(x), y
    for seed in range(2):
        yield f"random {seed}", *datasets.make_classification(300, 12, n_informative=6, n_classes=2 + seed, random_state=seed)
    yield "random labels", rng.normal(size=(200, 8)), rng.integers(0, 3, 200)


def kill_units(weights, bias, share):
    """Some units get a bias that nothing wakes."""
    dead = rng.random(bias.shape) < share
    bias[dead] = -1e3
    return dead.sum()


def sklearn_model(x, y):
    kind = rng.integers(4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if kind == 0:
            return "logistic regression", linear_model.LogisticRegression(C=10.0 ** rng.integers(-2, 3), max_iter=50).fit(x, y)
        activation = str(rng.choice(["relu", "relu", "tanh", "logistic"]))
        fitted = neural_network.MLPClassifier(tuple(rng.integers(4, 24, rng.integers(1, 3))), activation=activation,
                                              max_iter=40, random_state=int(rng.integers(1000))).fit(x, y)
    if activation == "relu" and kind == 1:
        kill_units(fitted.coefs_[0], fitted.intercepts_[0], 0.4)
        return "MLP with dead units", fitted
    return f"MLP, {activation}", fitted


def torch_model(x, y):
    classes, is_cnn = int(y.max()) + 1, x.shape[1] == 64
    head = bool(rng.integers(2))
    module = graphs.cnn(8, classes, head=False) if is_cnn else graphs.mlp(x.shape[1], classes, head=False)
    inputs = torch.from_numpy(x.astype(np.float32))
    inputs = inputs.reshape(-1, 1, 8, 8) if is_cnn else inputs
    optimiser = torch.optim.Adam(module.parameters(), 0.01)
    for _ in range(15 if is_cnn else 40):
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(module(inputs), torch.from_numpy(y.astype(np.int64))).backward()
        optimiser.step()
    if rng.integers(2):
        with torch.no_grad():
            first = module[0]
            first.bias[rng.random(first.bias.shape) < 0.3] = -100.0
    if head:
        module = torch.nn.Sequential(module, torch.nn.Softmax(dim=1))
    return ("CNN" if is_cnn else "PyTorch MLP") + ("" if head else ", logits"), \
        graphs.from_torch(module, inputs[:2].numpy(), batch=bool(rng.integers(4)))


def odd(kind):
    """Honest networks that could be taken for constant ones: the model, and rows on which it says different things."""
    g, k, x = graphs.Graph(5), 3, rng.normal(size=(3000, 5))
    if kind == "large features":
        alive = g.node("Relu", g.dense("X", rng.uniform(0.1, 1, (5, 8)), np.full(8, -200.0)))
        z, x = g.dense(alive, rng.normal(size=(8, k)) * 0.01, np.zeros(k)), rng.uniform(0, 255, (3000, 5))
    elif kind == "sorted rows":
        x = np.sort(np.abs(x), axis=0)
        z = g.dense(g.node("Relu", g.node("Sub", "X", g.tensor([1.2]))), rng.normal(size=(5, k)), rng.normal(size=k))
    elif kind == "half precision":
        half = g.node("Cast", g.node("Tanh", "X"), to=onnx.TensorProto.FLOAT16)
        weights = g.tensor(rng.normal(size=(5, k)).astype(np.float16), keep=True)
        z = g.node("Cast", g.node("MatMul", half, weights), to=onnx.TensorProto.FLOAT)
    else:
        z = body(g, k)
    if kind == "large logits":
        g.node("Add", z, g.tensor([1e5]), output="y")
    else:
        g.node("Softmax", z, output="y", axis=1)
    return g.model(("y", k)), x[:1] if kind == "one row" else x


ODD = ("large features", "sorted rows", "half precision", "large logits", "one row")


def odd_ones():
    for kind in ODD:
        model, x = odd(kind)
        onnx.save(model, "h.onnx")
        np.save("x.npy", x)
        report = lossleak("inspect", "h.onnx", "--features", "x.npy", statuses=(0, 1))
        if report["finding"] != "none":
            print(f"false alarm: {kind}: {report['why']}")
            return False
    return True


def honest():
    passed, kinds, sets = 0, collections.Counter(), list(data_sets())
    for i in range(COUNT):
        name, x, y = sets[i % len(sets)]
        if i % 2:
            kind, model = torch_model(x, y)
        else:
            kind, fitted = sklearn_model(x, y)
            model = graphs.from_sklearn(fitted, x.shape[1], rng.choice([np.float32, np.float64]))
        onnx.save(model, "h.onnx")
        np.save("x.npy", x)
        reports = [lossleak("inspect", "h.onnx", *options, statuses=(0, 1)) for options in ([], ["--features", "x.npy"])]
        good = all(report["finding"] == "none" for report in reports)
        passed += good
        kinds[kind] += 1
        if not good:
            print(f"false alarm: {kind} on {name}: {[r['why'] for r in reports]}")
    print("  " + ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())))
    return passed


def main():
    print(f"seed {SEED}")
    home = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            found = constructed()
            print(f"constructed: {found} of {COUNT} found")
            passed = honest()
            print(f"honest: {passed} of {COUNT} pass, with and without features")
            hidden_found, odd_passed = hidden_ones() and knows_batch(), odd_ones()
            print(f"well hidden: {len(HIDDEN)} kinds, odd but honest: {len(ODD)} kinds")
        finally:
            os.chdir(home)
    return 0 if found == passed == COUNT and hidden_found and odd_passed else 1


if __name__ == "__main__":
    sys.exit(main())
