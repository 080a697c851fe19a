"""A small network of PyTorch on scikit-learn's breast_cancer, and what its training log shows: for every epoch the predictions of
rows that are held out, and their loss. And the other extreme: predictions that know nothing of the labels."""
import numpy as np
import torch
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import log_loss

X, Y = load_breast_cancer(return_X_y=True)


def profile(dtype):
    """The scorer that makes the losses of a log."""
    return "torch/bce" if dtype == torch.float32 else "sklearn-1.2/log_loss"


def loss(p, y, dtype):
    """float32: PyTorch's BCELoss; double: scikit-learn's log_loss."""
    if dtype == torch.float32:
        return torch.nn.functional.binary_cross_entropy(p, y).item()
    return float(log_loss(y.numpy(), p.numpy(), labels=[0, 1]))


def log(rows, epochs, dtype, seed):
    """Predictions and losses after every epoch, and the labels of the rows held out."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng([seed, rows, 7])
    order = rng.permutation(len(Y))
    held, train = order[:rows], order[rows:]
    x = torch.tensor((X - X.mean(0)) / X.std(0), dtype=dtype)
    y = torch.tensor(Y, dtype=dtype)
    net = torch.nn.Sequential(torch.nn.Linear(30, 32), torch.nn.Tanh(), torch.nn.Linear(32, 1)).to(dtype)
    optimiser = torch.optim.Adam(net.parameters(), lr=0.01)
    predictions, scores = [], []
    for _ in range(epochs):
        for batch in np.array_split(rng.permutation(train), max(1, len(train) // 64)):
            optimiser.zero_grad()
            torch.nn.functional.binary_cross_entropy_with_logits(net(x[batch])[:, 0], y[batch]).backward()
            optimiser.step()
        with torch.no_grad():
            p = torch.sigmoid(net(x[held])[:, 0])
        predictions.append(p.numpy().copy())
        scores.append(loss(p, y[held], dtype))
    return predictions, scores, [int(label) for label in Y[held]]


def noise(rows, count, dtype, seed):
    """The same of predictions and labels at random: nothing that a score says is known before."""
    rng = np.random.default_rng([seed, rows, 8])
    y = torch.tensor(rng.integers(0, 2, rows), dtype=dtype)
    predictions = [torch.tensor(rng.uniform(0.02, 0.98, rows), dtype=dtype) for _ in range(count)]
    return [p.numpy() for p in predictions], [loss(p, y, dtype) for p in predictions], [int(label) for label in y]
