"""Every operator that the library evaluates, against ONNX Runtime, on graphs of one operator with all its options.

LL_LIBRARY names the core, LL_LIBRARY_MODEL the library for networks."""
import ctypes as C
import os
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.dont_write_bytecode = True
from library import Block, Error, Predictions, array_source, lib  # noqa: E402
from runtime import Runtime  # noqa: E402

SEED = int(os.environ.get("LL_TEST_SEED", "20220328"))
MULTIPLIER = float(os.environ.get("LL_TEST_MULTIPLIER", "1"))
ROUNDS = max(1, int(3 * MULTIPLIER))
rng = np.random.default_rng(SEED)
runtime = Runtime()
models = C.CDLL(os.environ["LL_LIBRARY_MODEL"])


def ours(path, x):
    """The library's outputs, flattened a row."""
    data, error, model = open(path, "rb").read(), Error(), C.c_void_p()
    if models.ll_onnx_read(C.byref(model), data, C.c_size_t(len(data)), None, C.byref(error)):
        raise AssertionError(error.text)
    source, _alive = array_source(x.reshape(len(x), -1).astype(np.float64))
    handle, outputs, block = C.c_void_p(), Predictions(), Block()
    try:
        if models.ll_onnx_outputs_create(C.byref(handle), C.byref(outputs), model, C.byref(source), None, C.byref(error)):
            raise AssertionError(error.text)
        lib.ll_block_init(C.byref(block))
        if outputs.get(outputs.self, C.byref(block), 0, len(x), C.addressof(error)):
            raise AssertionError(error.text)
        count = len(x) * outputs.columns
        return np.array((C.c_double * count).from_address(block.doubles)).reshape(len(x), -1)
    finally:
        lib.ll_block_clear(C.byref(block))
        models.ll_onnx_outputs_destroy(handle)
        models.ll_onnx_destroy(model)


def compare(what, nodes, shape, tensors=(), opset=13, out_type=TensorProto.FLOAT, positive=False, x=None):
    """nodes: from "x" to "y"; shape: of a row."""
    graph = helper.make_graph(nodes, "one", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, *shape])],
                              [helper.make_tensor_value_info("y", out_type, None)],
                              [numpy_helper.from_array(np.asarray(a), n) for n, a in tensors])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    model.ir_version = 7
    onnx.save(model, "o.onnx")
    if x is None:
        x = (rng.normal(size=(5, *shape)) * 3).astype(np.float32)
        x = np.abs(x) + np.float32(0.1) if positive else x
    want, got = runtime.run("o.onnx", x), ours("o.onnx", x)
    want = want.reshape(len(x), -1).astype(np.float64)
    assert got.shape == want.shape, (what, got.shape, want.shape)
    assert np.allclose(got, want, rtol=1e-5, atol=3e-5, equal_nan=True), (what, np.abs(got - want).max())
    compare.count += 1
    compare.operators.update(n.op_type for n in nodes)


compare.count, compare.operators = 0, set()


def node(operation, *inputs, output="y", **attributes):
    return helper.make_node(operation, list(inputs), [output], **attributes)


def to_float(operation, *inputs, **attributes):
    """A node whose output is no float, and a Cast behind it."""
    return [node(operation, *inputs, output="t", **attributes), node("Cast", "t", to=TensorProto.FLOAT)]


def unary():
    for name in ("Abs", "Ceil", "Cos", "Elu", "Erf", "Exp", "Floor", "HardSigmoid", "Identity", "LeakyRelu", "Neg",
                 "Reciprocal", "Relu", "Round", "Selu", "Sigmoid", "Sign", "Sin", "Softplus", "Softsign", "Tanh", "Dropout"):
        compare(name, [node(name, "x")], (7,))
    compare("Cast to half", to_float("Cast", "x", to=TensorProto.FLOAT16), (7,),
            x=(rng.normal(size=(50, 7)) * 10.0 ** rng.integers(-9, 6, (50, 7))).astype(np.float32))
    for name in ("Log", "Sqrt"):
        compare(name + " of negatives", [node(name, "x")], (7,))
        compare(name, [node(name, "x")], (7,), positive=True)
    compare("Elu", [node("Elu", "x", alpha=2.5)], (7,))
    compare("LeakyRelu", [node("LeakyRelu", "x", alpha=0.3)], (7,))
    compare("HardSigmoid", [node("HardSigmoid", "x", alpha=0.7, beta=0.1)], (7,))
    compare("Selu", [node("Selu", "x", alpha=1.2, gamma=0.9)], (7,))
    compare("Clip", [node("Clip", "x", "a", "b")], (7,), [("a", np.float32(-1)), ("b", np.float32(0.5))])
    compare("Clip", [node("Clip", "x", "", "b")], (7,), [("b", np.float32(0.5))])
    for kind in (TensorProto.INT64, TensorProto.INT32, TensorProto.BOOL, TensorProto.DOUBLE):
        compare("Cast", to_float("Cast", "x", to=kind), (7,))
    compare("Not", [node("Cast", "x", output="b", to=TensorProto.BOOL), node("Not", "b", output="t"),
                    node("Cast", "t", to=TensorProto.FLOAT)], (7,))


def binary():
    for other in ((6,), (4, 6), (4, 1), (1,), ()):
        w = np.asarray(rng.normal(size=other) * 2, np.float32)
        for name in ("Add", "Sub", "Mul", "Div", "Min", "Max"):
            compare(name, [node(name, "x", "w")], (4, 6), [("w", w)])
            compare(name, [node(name, "w", "x")], (4, 6), [("w", w)])
        for name in ("Less", "Greater", "LessOrEqual", "GreaterOrEqual", "Equal"):
            compare(name, to_float(name, "x", "w"), (4, 6), [("w", w)])
        compare("PRelu", [node("PRelu", "x", "w")], (4, 6), [("w", w)])
        compare("Where", [node("Less", "x", "w", output="c"), node("Where", "c", "x", "w")], (4, 6), [("w", w)])
        for name in ("And", "Or"):
            compare(name, [node("Less", "x", "w", output="a"), node("Greater", "x", "v", output="b"),
                           node(name, "a", "b", output="t"), node("Cast", "t", to=TensorProto.FLOAT)], (4, 6),
                    [("w", w), ("v", np.float32(0))])
    compare("Pow", [node("Pow", "x", "w")], (4,), [("w", np.float32(2))])
    compare("Pow", [node("Pow", "x", "w")], (4,), [("w", np.float32(1.7))], positive=True)
    compare("Mod", [node("Cast", "x", output="i", to=TensorProto.INT64), node("Mod", "i", "w", output="t"),
                    node("Cast", "t", to=TensorProto.FLOAT)], (4,), [("w", np.int64(3))])
    compare("Mod with fmod", [node("Mod", "x", "w", fmod=1)], (4,), [("w", np.float32(1.5))])
    compare("what float32 swallows", [node("Add", "x", "w", output="t"), node("Sub", "t", "w")], (4,), [("w", np.float32(1e8))])
    compare("Div", [node("Cast", "x", output="i", to=TensorProto.INT64), node("Div", "i", "w", output="t"),
                    node("Cast", "t", to=TensorProto.FLOAT)], (4,), [("w", np.int64(2))])


def linear():
    w = rng.normal(size=(6, 3)).astype(np.float32)
    compare("MatMul", [node("MatMul", "x", "w")], (6,), [("w", w)])
    compare("MatMul", [node("MatMul", "x", "w")], (4, 6), [("w", w)])
    compare("MatMul", [node("MatMul", "x", "w")], (2, 4, 6), [("w", rng.normal(size=(2, 6, 3)).astype(np.float32))])
    compare("MatMul", [node("MatMul", "x", "w")], (4, 6), [("w", rng.normal(size=6).astype(np.float32))])
    for turned in (0, 1):
        b = w.T.copy() if turned else w
        for bias in ((3,), (1, 3), (1,)):
            compare("Gemm", [node("Gemm", "x", "w", "c", transB=turned, alpha=0.5, beta=2.0)], (6,),
                    [("w", b), ("c", rng.normal(size=bias).astype(np.float32))])
    compare("Gemm", [node("Gemm", "x", "w")], (6,), [("w", w)])


def windows():
    for groups, out in ((1, 4), (2, 4)):
        for options in ({}, {"strides": [2, 1]}, {"pads": [1, 0, 2, 1]}, {"dilations": [2, 1]}, {"auto_pad": "SAME_UPPER"},
                        {"auto_pad": "SAME_LOWER", "strides": [2, 2]}, {"auto_pad": "VALID"}):
            w = rng.normal(size=(out, 4 // groups, 3, 2)).astype(np.float32)
            compare("Conv", [node("Conv", "x", "w", "b", group=groups, **options)], (4, 7, 6),
                    [("w", w), ("b", rng.normal(size=out).astype(np.float32))])
    compare("Conv", [node("Conv", "x", "w")], (2, 9), [("w", rng.normal(size=(3, 2, 4)).astype(np.float32))])
    for options in ({}, {"strides": [2, 2]}, {"pads": [1, 1, 0, 1]}, {"strides": [2, 3], "ceil_mode": 1}):
        compare("MaxPool", [node("MaxPool", "x", kernel_shape=[3, 2], **options)], (3, 8, 7))
        compare("AveragePool", [node("AveragePool", "x", kernel_shape=[3, 2], **options)], (3, 8, 7))
        if "ceil_mode" not in options:
            compare("AveragePool", [node("AveragePool", "x", kernel_shape=[3, 2], count_include_pad=1, **options)], (3, 8, 7))
    compare("GlobalAveragePool", [node("GlobalAveragePool", "x")], (3, 5, 4))
    compare("GlobalMaxPool", [node("GlobalMaxPool", "x")], (3, 5, 4))
    four = [("s", rng.normal(size=3).astype(np.float32)), ("b", rng.normal(size=3).astype(np.float32)),
            ("m", rng.normal(size=3).astype(np.float32)), ("v", rng.uniform(0.1, 2, 3).astype(np.float32))]
    compare("BatchNormalization", [node("BatchNormalization", "x", "s", "b", "m", "v", epsilon=1e-3)], (3, 4, 4), four)
    compare("BatchNormalization", [node("BatchNormalization", "x", "s", "b", "m", "v")], (3,), four)


def reductions():
    for axis in (1, 2, -1):
        for name in ("Softmax", "LogSoftmax"):
            compare(name, [node(name, "x", axis=axis)], (4, 5))
            compare(f"{name} 11", [node(name, "x", axis=axis)], (4, 5), opset=11)
        compare("ArgMax", to_float("ArgMax", "x", axis=axis), (4, 5))
        compare("ArgMax", to_float("ArgMax", "x", axis=axis, keepdims=0), (4, 5))
        compare("ArgMax of equals", [node("Sign", "x", output="s"), *to_float("ArgMax", "s", axis=axis, select_last_index=1)],
                (4, 5))
    for name in ("ReduceMean", "ReduceMax", "ReduceMin"):
        for axes in ([1], [2], [1, 2], [-1]):
            compare(name, [node(name, "x", axes=axes)], (4, 5))
            compare(name, [node(name, "x", axes=axes, keepdims=0)], (4, 5))
    compare("ReduceSum", [node("ReduceSum", "x", "a")], (4, 5), [("a", np.array([2]))])
    compare("ReduceSum", [node("ReduceSum", "x", "a", keepdims=0)], (4, 5), [("a", np.array([1, -1]))])


def shapes():
    compare("Reshape", [node("Reshape", "x", "s")], (4, 6), [("s", np.array([0, -1, 3]))])
    compare("Flatten", [node("Flatten", "x", axis=1)], (4, 6))
    compare("Flatten", [node("Flatten", "x", axis=2, output="t"), node("Reshape", "t", "s")], (4, 6), [("s", np.array([-1, 24]))])
    compare("Transpose", [node("Transpose", "x", perm=[0, 3, 1, 2])], (4, 6, 2))
    compare("Unsqueeze", [node("Unsqueeze", "x", "a", output="t"), node("Squeeze", "t", "a")], (4,), [("a", np.array([1]))])
    compare("Unsqueeze 11", [node("Unsqueeze", "x", axes=[2], output="t"), node("Squeeze", "t", axes=[2])], (4,), opset=11)
    compare("Concat", [node("Relu", "x", output="r"), node("Concat", "x", "r", "x", axis=1)], (3, 2))
    compare("Concat", [node("Relu", "x", output="r"), node("Concat", "r", "x", axis=-1)], (3, 2))
    for start, end, axis, step in ((1, 4, 1, 1), (0, 100, 2, 2), (-2, 100, 1, 1), (4, 0, 1, -1), (-1, -100, 2, -2)):
        compare("Slice", [node("Slice", "x", "s", "e", "a", "t")], (5, 6),
                [("s", np.array([start])), ("e", np.array([end])), ("a", np.array([axis])), ("t", np.array([step]))])
    compare("Split", [helper.make_node("Split", ["x", "s"], ["p", "q"], axis=1), node("Concat", "q", "p", axis=1)], (5, 2),
            [("s", np.array([2, 3]))])
    compare("Split", [helper.make_node("Split", ["x"], ["p", "q"], axis=1), node("Sub", "q", "p")], (4, 2))
    compare("Gather", [node("Gather", "x", "i", axis=1)], (5, 2), [("i", np.array([3, 0, -1]))])
    compare("Gather", [node("Gather", "x", "i", axis=2)], (5, 4), [("i", np.array([[3, 0], [1, 1]]))])
    compare("Gather", [node("Cast", "x", output="i", to=TensorProto.INT64), node("Gather", "w", "i")], (3,),
            [("w", rng.normal(size=(9, 2)).astype(np.float32))], x=rng.integers(0, 9, (5, 3)).astype(np.float32))
    compare("Shape", [node("Shape", "x", output="s"), node("ConstantOfShape", "s", output="c",
                      value=helper.make_tensor("v", TensorProto.FLOAT, [1], [2.5])), node("Add", "x", "c")], (3, 2))
    compare("Expand", [node("Expand", "x", "s")], (3, 1), [("s", np.array([1, 1, 4]))])
    compare("Pad", [node("Pad", "x", "p", "v")], (3, 2), [("p", np.array([0, 1, 0, 0, 2, 1])), ("v", np.float32(7))])
    compare("Constant", [node("Constant", output="c", value_floats=[1.0, 2.0, 3.0]), node("Mul", "x", "c")], (3,))
    compare("Constant", [node("Constant", output="c", value=helper.make_tensor("v", TensorProto.FLOAT, [3], [1, 2, 3])),
                         node("Mul", "x", "c")], (3,))


def main():
    home = os.getcwd()
    table = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/onnx/operator_table.c")
    known = {line.split('"')[1] for line in open(table) if line.startswith('    {"')}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for _ in range(ROUNDS):
                for part in (unary, binary, linear, windows, reductions, shapes):
                    part()
        finally:
            os.chdir(home)
            runtime.close()
    assert known == compare.operators, known ^ compare.operators
    print(f"seed {SEED}: {compare.count} graphs, {len(known)} operators, all as ONNX Runtime computes them")
    return 0


if __name__ == "__main__":
    sys.exit(main())
