"""ONNX graphs written by hand with the onnx package, as converters write them, and PyTorch's own exports."""
import io
import warnings

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

TYPES = {np.dtype(np.float32): TensorProto.FLOAT, np.dtype(np.float64): TensorProto.DOUBLE}


class Graph:
    """Nodes in order; names are made up."""

    def __init__(self, features, dtype=np.float32, opset=13):
        self.dtype, self.type, self.opset = np.dtype(dtype), TYPES[np.dtype(dtype)], opset
        self.inputs = [helper.make_tensor_value_info("X", self.type, [None, features])]
        self.nodes, self.tensors, self.count = [], [], 0

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def tensor(self, array, keep=False):
        name = self.name()
        array = np.asarray(array) if keep else np.asarray(array, self.dtype)
        self.tensors.append(numpy_helper.from_array(array, name))
        return name

    def node(self, operation, *inputs, output=None, **attributes):
        output = output or self.name()
        self.nodes.append(helper.make_node(operation, list(inputs), [output], **attributes))
        return output

    def dense(self, x, weights, bias, output=None):
        """As skl2onnx writes it: MatMul, then Add."""
        return self.node("Add", self.node("MatMul", x, self.tensor(weights)), self.tensor(bias), output=output)

    def model(self, *outputs):
        """outputs: (name, columns) of floats, or (name, None) of integers."""
        declared = [helper.make_tensor_value_info(name, self.type if columns else TensorProto.INT64,
                                                  [None, columns] if columns else [None]) for name, columns in outputs]
        graph = helper.make_graph(self.nodes, "by-hand", self.inputs, declared, self.tensors)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], producer_name="by hand")
        model.ir_version = 7
        onnx.checker.check_model(model)
        return model


def from_sklearn(classifier, features, dtype=np.float32):
    """A fitted MLPClassifier or LogisticRegression: label and probabilities, as skl2onnx gives them."""
    g, activation = Graph(features, dtype), {"relu": "Relu", "tanh": "Tanh", "logistic": "Sigmoid", "identity": "Identity"}
    is_mlp = hasattr(classifier, "coefs_")
    layers = list(zip(classifier.coefs_, classifier.intercepts_)) if is_mlp else [(classifier.coef_.T, classifier.intercept_)]
    x = "X"
    for weights, bias in layers[:-1]:
        x = g.node(activation[classifier.activation], g.dense(x, weights, bias))
    z = g.dense(x, *layers[-1])
    if layers[-1][0].shape[1] == 1:
        p = g.node("Sigmoid", z)
        g.node("Concat", g.node("Sub", g.tensor([1.0]), p), p, output="probabilities", axis=1)
        columns = 2
    else:
        g.node("Softmax", z, output="probabilities", axis=1)
        columns = layers[-1][0].shape[1]
    g.node("ArgMax", "probabilities", output="label", axis=1, keepdims=0)
    return g.model(("label", None), ("probabilities", columns))


def from_torch(module, example, batch=True):
    """PyTorch's exporter, in evaluation mode."""
    file = io.BytesIO()
    axes = {"input": {0: "rows"}, "output": {0: "rows"}} if batch else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(module.eval(), torch.from_numpy(example), file, input_names=["input"], output_names=["output"],
                          dynamic_axes=axes, opset_version=13)
    model = onnx.load_from_string(file.getvalue())
    onnx.checker.check_model(model)
    return model


def mlp(features, classes, hidden=24, head=True):
    layers = [torch.nn.Linear(features, hidden), torch.nn.ReLU(), torch.nn.Dropout(0.1), torch.nn.Linear(hidden, hidden),
              torch.nn.ReLU(), torch.nn.Linear(hidden, classes)]
    if head:
        layers.append(torch.nn.Softmax(dim=1) if classes > 1 else torch.nn.Sigmoid())
    return torch.nn.Sequential(*layers)


def cnn(side, classes, head=True):
    layers = [torch.nn.Conv2d(1, 6, 3, padding=1), torch.nn.BatchNorm2d(6), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
              torch.nn.Conv2d(6, 8, 3), torch.nn.ReLU(), torch.nn.AvgPool2d(2), torch.nn.Flatten()]
    with torch.no_grad():
        width = torch.nn.Sequential(*layers)(torch.zeros(2, 1, side, side)).shape[1]
    layers.append(torch.nn.Linear(width, classes))
    if head:
        layers.append(torch.nn.Softmax(dim=1))
    return torch.nn.Sequential(*layers)
