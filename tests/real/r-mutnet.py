"""Networks that `lossleak mutnet` writes, run by ONNX Runtime and scored by scikit-learn and PyTorch.

Every network passes onnx.checker; its outputs are the wanted predictions to the last bit promised, on random inputs of
either sign; the losses of real scorers on those outputs decode to the labels. LL_TEST_LONG: all sizes of the issue
(1,000 inputs a network, 2201 rows in ten classes), else smaller ones.
"""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import torch
from sklearn.metrics import log_loss

sys.dont_write_bytecode = True
import graphs  # noqa: E402
from library import C, Error, lib  # noqa: E402
from runtime import Runtime  # noqa: E402

PROGRAM = os.environ["LOSSLEAK"]
SEED = int(os.environ.get("LL_TEST_SEED", "20220328"))
LONG = "LL_TEST_LONG" in os.environ
INPUTS = 1000 if LONG else 200
UNIT = {np.dtype(np.float64): 2.0**-53, np.dtype(np.float32): 2.0**-24}

runtime = Runtime()
rng = np.random.default_rng(SEED)
torch.manual_seed(SEED)


def lossleak(*arguments, status=0):
    run = subprocess.run([PROGRAM, *map(str, arguments), "--json"], capture_output=True, text=True)
    assert run.returncode == status, (arguments, run.returncode, run.stderr)
    return json.loads(run.stdout) if status in (0, 1, 4) else run.stderr


def titanic():
    labels, error = np.empty(2201, np.int32), Error()
    assert lib.ll_dataset_labels(labels.ctypes.data_as(C.c_void_p), C.c_long(2201), b"titanic", C.c_uint64(1),
                                 C.byref(error)) == 0
    return labels


def checked(path):
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    return model


def signed_inputs(columns, dtype):
    """Gaussian of several sizes, both signs, zeros and huge ones among them."""
    x = rng.normal(size=(INPUTS, columns)) * 10.0 ** rng.uniform(-3, 4, size=(INPUTS, 1))
    x[0], x[1], x[2] = 0, -1e30, 1e30
    return x.astype(dtype)


# ---------------------------------------------------------------- one row, every input

def rows_to_say():
    for columns in (1, 2, 3, 10):
        for style in range(4):
            p = rng.dirichlet(np.ones(max(columns, 2)) * (1, 0.05, 0.01, 20)[style])
            p = np.maximum(p, 10.0 ** -rng.uniform(3, 17))
            yield np.minimum(p / p.sum(), 1 - 1e-12)[:columns]


def check_promise(got, wanted, report):
    """Equal where that is promised, else within 2^-bits of each entry."""
    if report["exact"]:
        return (got == wanted.astype(got.dtype)).all() and (wanted.astype(got.dtype) == wanted).all()
    return (np.abs(got / wanted - 1) <= 2.0 ** -report["bits"] + 2.0**-52).all()  # the division rounds too


def build_constant():
    made = refused = 0
    for p in rows_to_say():
        for dtype, flags in ((np.float64, []), (np.float32, ["--float32"])):
            for head in ("auto", "linear", "softmax", "reciprocal", "sigmoid"):
                if (head == "softmax" and len(p) == 1) or (head == "reciprocal" and len(p) > 1):
                    continue
                d1, h = int(rng.integers(1, 40)), int(rng.integers(1, 40))
                np.save("p.npy", p.reshape(1, -1))
                arguments = ["mutnet", "build", "--predictions", "p.npy", "--head", head, "--inputs", d1, "--hidden", h,
                             "--seed", made, "--bits", 1, "--out", "m.onnx", *flags]
                if head == "sigmoid" and p.min() < 7 * UNIT[np.dtype(dtype)]:
                    assert "absolute error" in lossleak(*arguments, status=2)
                    refused += 1
                    continue
                report = lossleak(*arguments)
                model = checked("m.onnx")
                x = signed_inputs(d1, dtype)
                y = runtime.run("m.onnx", x)
                assert y.shape == (INPUTS, len(p)) and y.dtype == dtype, y.shape
                assert check_promise(y.astype(np.float64) if not report["exact"] else y, p, report), (p, y[0], report)
                assert len(np.unique(y, axis=0)) == 1
                assert len(model.graph.node) >= 4
                made += 1
    print(f"one row: {made} networks on {INPUTS} inputs each, {refused} refused for the sigmoid's error")


def no_two_alike():
    files = []
    for seed in (1, 1, 2):
        lossleak("mutnet", "build", "--predictions", "constant:0.2,0.8", "--seed", seed, "--out", "m.onnx")
        files.append([onnx.numpy_helper.to_array(t) for t in onnx.load("m.onnx").graph.initializer])
    same = [all((a == b).all() for a, b in zip(files[0], other)) for other in files[1:]]
    shared = sum(np.isin(a, b).sum() for a, b in zip(files[0], files[2]))
    assert same == [True, False] and shared == 0, (same, shared)
    print("weights: a seed gives the same network again, another seed shares no number with it")


def heads_of_the_runtime():
    """The constants of src/mutnet/heads.c against ONNX Runtime: Sigmoid's error is absolute, the others' relative."""
    from mpmath import mp, mpf
    mp.prec = 120
    for dtype in (np.float64, np.float32):
        unit = UNIT[np.dtype(dtype)]
        z = np.linspace(-36 if dtype == np.float64 else -15, 12, 400).astype(dtype)
        true = [1 / (1 + mp.exp(-mpf(float(v)))) for v in z]
        g = graphs.Graph(1, dtype)
        y = g.node("Sigmoid", "X", output="y")
        onnx.save(g.model((y, 1)), "s.onnx")
        got = runtime.run("s.onnx", z.reshape(-1, 1)).ravel()
        absolute = max(abs(mpf(float(a)) - t) for a, t in zip(got, true)) / unit
        relative = max(abs(mpf(float(a)) / t - 1) for a, t in zip(got, true)) / unit
        g = graphs.Graph(1, dtype)
        g.node("Reciprocal", g.node("Add", g.node("Exp", g.node("Neg", "X")), g.tensor([1.0])), output="y")
        onnx.save(g.model(("y", 1)), "r.onnx")
        got = runtime.run("r.onnx", z.reshape(-1, 1)).ravel()
        reciprocal = max(abs(mpf(float(a)) / t - 1) for a, t in zip(got, true)) / unit
        g = graphs.Graph(2, dtype)
        g.node("Softmax", "X", output="y", axis=1)
        onnx.save(g.model(("y", 2)), "t.onnx")
        got = runtime.run("t.onnx", np.stack([np.zeros_like(z), z], 1))[:, 1]
        softmax = max(abs(mpf(float(a)) / t - 1) for a, t in zip(got, true)) / unit
        print(f"{np.dtype(dtype).name}: Sigmoid off by {float(absolute):.2f} u absolutely, {float(relative):.3g} u "
              f"relatively; Exp/Add/Reciprocal {float(reciprocal):.2f} u, Softmax {float(softmax):.2f} u relatively")
        assert absolute < 4 and reciprocal < 8 and softmax < 12
        assert relative > 1000


def paper_against_ours():
    """The paper's network lets negative inputs through; with a ReLU in front nothing gets through."""
    p = np.array([[0.9, 0.06, 0.04]])
    np.save("p.npy", p)
    x = signed_inputs(9, np.float64)
    lossleak("mutnet", "build", "--paper", "--predictions", "p.npy", "--inputs", 9, "--out", "paper.onnx")
    lossleak("mutnet", "build", "--predictions", "p.npy", "--inputs", 9, "--out", "ours.onnx")
    raw, positive = runtime.run("paper.onnx", x), runtime.run("paper.onnx", np.abs(x))
    ours = runtime.run("ours.onnx", x)
    moved = (np.abs(raw - p).max(1) > 0.01).mean()
    assert np.abs(positive - p).max() < 1e-14 and np.abs(ours - p).max() < 1e-14
    assert moved > 0.5
    assert lossleak("inspect", "paper.onnx", status=1)["constancy"]["box"] == "inputs of 0 or more"
    assert lossleak("inspect", "ours.onnx", status=1)["constancy"]["box"] == "every input"
    print(f"erratum: raw inputs move the paper's output by more than 0.01 in {moved:.0%} of {INPUTS} inputs, ours never")


def labels_of_single_rows():
    """What one network of one row gives: the label of a row from its loss; of many rows the class counts."""
    lossleak("mutnet", "build", "--predictions", "constant:0.0007,0.013,0.11,0.8763", "--inputs", 5, "--out", "m.onnx")
    labels = rng.integers(0, 4, 60)
    p = runtime.run("m.onnx", rng.normal(size=(60, 5)))
    p = p / p.sum(1, keepdims=True)
    for i in range(60):
        loss = log_loss(labels[i:i + 1], p[i:i + 1], labels=range(4))
        assert np.argmin(np.abs(-np.log(p[i]) - loss)) == labels[i]
    total = log_loss(labels, p, labels=range(4)) * 60
    counts = np.bincount(labels, minlength=4)
    fits = [(a, b, c, 60 - a - b - c) for a in range(61) for b in range(61 - a) for c in range(61 - a - b)
            if abs(-np.log(p[0]) @ (a, b, c, 60 - a - b - c) - total) < 1e-9]
    assert fits == [tuple(counts)]
    print("one row: 60 labels from 60 losses, and all class counts from one")


# ---------------------------------------------------------------- whole data sets

def decode_all(folder, scores, labels):
    pathlib.Path(folder, "scores.txt").write_text("".join(f"{s!r}\n" for s in scores))
    report = lossleak("decode", folder, "--scores", f"{folder}/scores.txt", "--out", f"{folder}/labels.csv")
    found = np.loadtxt(f"{folder}/labels.csv", delimiter=",", skiprows=1, dtype=int)[:, 1]
    assert report["certain"] == len(labels) and (found == labels).all(), report


def play(folder, x, labels, real_loss, dtype=np.float64):
    """A curator runs every network of a folder on its rows and tells the loss; the scores decode."""
    scores = []
    for path in sorted(pathlib.Path(folder).glob("query-*.onnx")):
        checked(path)
        y = runtime.run(path, x.astype(dtype))
        wanted = np.load(path.with_suffix(".npy")).reshape(len(y), -1)
        y = y[:, -1:] if wanted.shape[1] == 1 else y  # of two columns the second is p
        assert (y == wanted).all(), (path, np.abs(y - wanted).max())
        scores.append(real_loss(labels, y))
    decode_all(folder, scores, labels)
    return len(scores)


def sklearn_loss(classes):
    def loss(labels, y):
        return float(log_loss(labels, y.ravel() if y.shape[1] == 1 else y, labels=range(classes)))
    return loss


def torch_loss(kind):
    def loss(labels, y):
        if kind == "cross_entropy":
            return torch.nn.CrossEntropyLoss()(torch.from_numpy(y), torch.from_numpy(labels.astype(np.int64))).item()
        made = {"bce": torch.nn.BCELoss, "bce_logits": torch.nn.BCEWithLogitsLoss}[kind]()
        return made(torch.from_numpy(y.ravel()), torch.from_numpy(labels.astype(y.dtype))).item()
    return loss


def whole_data_sets():
    labels = titanic()
    x = rng.normal(size=(2201, 7))
    np.save("x.npy", x)
    cases = [("titanic", x, labels, 2, "sklearn-1.2/log_loss", sklearn_loss(2), np.float64)]
    n = 2201 if LONG else 150
    ten = rng.integers(0, 10, n)
    cases.append(("ten classes", rng.normal(size=(n, 5)), ten, 10, "sklearn-1.2/log_loss", sklearn_loss(10), np.float64))
    cases.append(("ten classes, float32", rng.normal(size=(n, 5)), ten, 10, "torch/cross_entropy",
                  torch_loss("cross_entropy"), np.float32))
    n = 2201 if LONG else 300
    cases.append(("titanic's first rows, float32", rng.uniform(size=(n, 12)), labels[:n], 2, "torch/bce", torch_loss("bce"),
                  np.float32))
    for number, (name, features, y, classes, scorer, loss, dtype) in enumerate(cases):
        np.save("x.npy", features)
        report = lossleak("mutnet", "build", "--features", "x.npy", "--scorer", scorer, "--classes", classes, "--out",
                          f"whole{number}", *(["--float32"] if dtype == np.float32 else []))
        queries = play(f"whole{number}", features, y, loss, dtype)
        print(f"{name}: {len(y)} rows, {classes} classes, {queries} networks scored as {scorer} does: every label "
              f"(rows {report['distance']:.3g} roundings apart)")


def every_row_different():
    """2201 rows of ten predictions, no two alike, down to 1e-300: equal to the last bit, in any order and any batch."""
    n = 2201
    x = rng.normal(size=(n, 6))
    p = 10.0 ** rng.uniform(-300, 0, size=(n, 10))
    np.save("x.npy", x)
    np.save("p.npy", p)
    report = lossleak("mutnet", "build", "--features", "x.npy", "--predictions", "p.npy", "--out", "m.onnx")
    checked("m.onnx")
    order = rng.permutation(n)
    assert (runtime.run("m.onnx", x) == p).all()
    assert (runtime.run("m.onnx", x[order]) == p[order]).all()
    assert all((runtime.run("m.onnx", x[i:i + 1]) == p[i]).all() for i in range(0, n, 100))
    print(f"every row different: {n} rows of 10, {report['hidden']} units, {report['bytes']:.0f} bytes, every bit")


def limits():
    """What cannot be told apart is refused, with the rows."""
    x = rng.normal(size=(50, 3))
    np.save("p.npy", rng.uniform(size=50))
    x[7] = x[31]
    np.save("x.npy", x)
    assert "rows 7 and 31 have the same features" in lossleak("mutnet", "build", "--features", "x.npy", "--predictions",
                                                            "p.npy", "--out", "m.onnx", status=2)
    x[7, 0] += 1e-16 * abs(x[7, 0])
    x[7] = x[31] * (1 + 2e-16)
    np.save("x.npy", x)
    assert "rows 7 and 31 are too close" in lossleak("mutnet", "build", "--features", "x.npy", "--predictions", "p.npy",
                                                   "--out", "m.onnx", status=2)
    x = rng.normal(size=(2201, 6))
    np.save("x.npy", x)
    np.save("p.npy", rng.uniform(size=2201).astype(np.float32).astype(np.float64))
    assert "use float64" in lossleak("mutnet", "build", "--features", "x.npy", "--predictions", "p.npy", "--float32",
                                     "--out", "m.onnx", status=2)
    assert not os.path.exists("nothing.onnx")
    print("limits: equal rows, rows an ulp apart and 2201 different rows in float32 are refused")


# ---------------------------------------------------------------- grafts

def bases():
    """(name, model, shape of a row): PyTorch's exports and a graph as skl2onnx writes it, with random weights."""
    yield "PyTorch MLP, softmax", graphs.from_torch(graphs.mlp(8, 3), np.zeros((2, 8), np.float32)), (8,)
    yield "PyTorch MLP, sigmoid", graphs.from_torch(graphs.mlp(8, 1), np.zeros((2, 8), np.float32)), (8,)
    yield "PyTorch CNN, softmax", graphs.from_torch(graphs.cnn(8, 10), np.zeros((2, 1, 8, 8), np.float32)), (1, 8, 8)
    yield "PyTorch CNN, logits", graphs.from_torch(graphs.cnn(8, 10, head=False), np.zeros((2, 1, 8, 8), np.float32)), (1, 8, 8)
    from sklearn.neural_network import MLPClassifier
    for classes in (2, 3):
        data = rng.normal(size=(60, 5))
        fitted = MLPClassifier((9, 7), max_iter=30, random_state=1)
        import warnings
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted.fit(data, np.arange(60) % classes)
        yield f"scikit-learn MLP, {classes} classes", graphs.from_sklearn(fitted, 5), (5,)


def same_faces(base, grafted):
    """Names, types and shapes of inputs and outputs and the opset stay."""
    for side in ("input", "output"):
        assert [v.SerializeToString() for v in getattr(base.graph, side)] == \
            [v.SerializeToString() for v in getattr(grafted.graph, side)], side
    assert [(o.domain, o.version) for o in base.opset_import] == [(o.domain, o.version) for o in grafted.opset_import]


def graft_constant(name, base, shape, columns):
    p = rng.dirichlet(np.ones(max(columns, 2)) * 0.3)
    p = np.maximum(p, 1e-4)[:columns]
    p = p / p.sum() if columns > 1 else p
    np.save("p.npy", p.reshape(1, -1))
    report = lossleak("mutnet", "graft", "base.onnx", "--predictions", "p.npy", "--out", "m.onnx", "--seed", SEED)
    same_faces(base, checked("m.onnx"))
    x = (rng.normal(size=(INPUTS, *shape)) * 10.0 ** rng.uniform(-2, 2)).astype(np.float32)
    y = runtime.run("m.onnx", x)
    assert check_promise(y.astype(np.float64), p, report), (name, y[0], p)
    assert len(np.unique(y, axis=0)) == 1
    found = lossleak("inspect", "m.onnx", status=1)
    assert found["finding"] == "constant" and found["constancy"]["proved"], found


def graft_features(name, shape, columns, number):
    n, width = 120, math.prod(shape)
    classes = max(columns, 2)
    labels = rng.integers(0, classes, n)
    features = rng.normal(size=(n, width)).astype(np.float32)
    np.save("x.npy", features)
    scorer = "torch/bce" if columns <= 2 else "torch/cross_entropy"
    report = lossleak("mutnet", "graft", "base.onnx", "--features", "x.npy", "--scorer", scorer, "--classes", classes,
                      "--out", f"graft{number}")
    loss = torch_loss("bce" if columns <= 2 else "cross_entropy")
    queries = play(f"graft{number}", features.reshape(n, *shape), labels, loss, np.float32)
    return queries, report["hidden"]


def graft_binary_columns():
    """Two columns where the plan has one: 1-p and p."""
    p = rng.uniform(0.01, 0.99, size=40).astype(np.float32)
    features = rng.normal(size=(40, 5)).astype(np.float32)
    np.save("x.npy", features)
    np.save("p.npy", p.astype(np.float64))
    lossleak("mutnet", "graft", "base.onnx", "--features", "x.npy", "--predictions", "p.npy", "--out", "m.onnx")
    y = runtime.run("m.onnx", features)
    assert (y[:, 1] == p).all() and np.abs(y.sum(1) - 1).max() < 1e-6


def grafts():
    for number, (name, base, shape) in enumerate(bases()):
        onnx.save(base, "base.onnx")
        columns = [o for o in base.graph.output if o.type.tensor_type.elem_type == onnx.TensorProto.FLOAT][0]
        columns = columns.type.tensor_type.shape.dim[1].dim_value
        before = runtime.run("base.onnx", rng.normal(size=(9, *shape)).astype(np.float32))
        assert len(np.unique(before, axis=0)) > 1
        graft_constant(name, base, shape, columns)
        told = graft_features(name, shape, columns, number)
        if columns == 2:
            graft_binary_columns()
        print(f"graft onto {name}: one row on {INPUTS} inputs; 120 labels from {told[0]} networks")


def main():
    print(f"seed {SEED}, onnx {onnx.__version__}, PyTorch {torch.__version__}")
    home = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for part in (heads_of_the_runtime, build_constant, no_two_alike, paper_against_ours, labels_of_single_rows,
                         every_row_different, whole_data_sets, limits, grafts):
                part()
        finally:
            os.chdir(home)
            runtime.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
